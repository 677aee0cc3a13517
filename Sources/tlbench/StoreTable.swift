import Glibc

/// One line of the table of the README: the program beside a peer, and what is to be reached.
struct StoreRow {
    enum Figure {
        case seconds(Double)
        case bytes(Int)

        var text: String {
            switch self {
            case .seconds(let seconds): BenchmarkTable.duration(seconds)
            case .bytes(let bytes): BenchmarkTable.megabytes(bytes)
            }
        }
        var number: Double {
            switch self {
            case .seconds(let seconds): seconds
            case .bytes(let bytes): Double(bytes)
            }
        }
    }

    enum Goal {
        /// So many times the peer's figure.
        case timesPeer(Double)
        case most(Figure)
        case none
    }

    var name: String
    var size: Int
    /// Nil where it could not be measured.
    var ours: Figure?
    var peer: Figure?
    /// What the peer is, or why there is none.
    var peerName = ""
    var goal = Goal.none

    /// Whether the goal is met; nil where there is none.
    var isMet: Bool? {
        guard let ours else { return nil }
        switch goal {
        case .timesPeer(let factor): return peer.map { ours.number <= factor * $0.number }
        case .most(let figure): return ours.number <= figure.number
        case .none: return nil
        }
    }

    var markdown: String {
        let goalText: String =
            switch goal {
            case .timesPeer(let factor): "≤ \(BenchmarkTable.decimals(factor, 2)) × peer"
            case .most(let figure): "≤ \(figure.text)"
            case .none: ""
            }
        let ratio = ours.flatMap { ours in peer.map { BenchmarkTable.decimals(ours.number / max($0.number, 1e-9), 2) } }
        let peerText = peer.map { "\($0.text) \(peerName)" } ?? peerName
        let verdict = isMet.map { $0 ? "yes" : "**no**" } ?? ""
        return
            "| \(name) | \(BenchmarkTable.number(size)) | \(ours?.text ?? "–") | \(peerText) | \(ratio ?? "") | \(goalText) | \(verdict) |"
    }
}

/// What was measured of stores, as Markdown.
struct StoreTable {
    private(set) var rows: [StoreRow] = []
    private(set) var faults: [String] = []
    let checksOnly: Bool

    init(checksOnly: Bool) { self.checksOnly = checksOnly }

    mutating func add(_ row: StoreRow) {
        rows.append(row)
        guard !checksOnly else { return }
        print(row.markdown)
        fflush(nil)
    }

    mutating func check(_ isRight: Bool, _ what: String, size: Int) {
        guard !isRight else { return }
        faults.append("\(what) at \(BenchmarkTable.number(size)) objects")
        print("FAULT: \(faults.last ?? "")")
    }

    static let heading = """
        | | objects | tlbrowse | peer | ratio | goal | met |
        | --- | ---: | ---: | --- | ---: | --- | --- |
        """

    /// How a figure grows from one size to the next, beside what theory allows it.
    var growth: [String] {
        [("whole list, by End", true), ("print as CSV", true), ("key, p99", false)].compactMap { name, isWhole in
            let own = rows.filter { $0.name == name && $0.ours != nil }
            let texts = zip(own, own.dropFirst()).compactMap { small, large -> String? in
                guard let before = small.ours?.number, let after = large.ours?.number, before > 0 else { return nil }
                let logarithms = log2(Double(large.size)) / log2(Double(small.size))
                let expected = isWhole ? logarithms * Double(large.size) / Double(small.size) : logarithms
                return
                    "× \(BenchmarkTable.decimals(after / before, 1)) from \(BenchmarkTable.number(small.size)) to "
                    + "\(BenchmarkTable.number(large.size)) (\(isWhole ? "n log n" : "log n"): × \(BenchmarkTable.decimals(expected, 1)))"
            }
            return texts.isEmpty ? nil : "- \(name) grows " + texts.joined(separator: ", ")
        }
    }

    /// All of it, with the machine named.
    var markdown: String {
        ([Machine.description, "", Self.heading] + rows.map(\.markdown) + [""] + growth).joined(separator: "\n") + "\n"
    }

    /// Puts the table between the marks of a file; false where they are not there, or it cannot be written.
    func write(to path: String) -> Bool {
        guard let text = Machine.contents(of: path), let begin = text.firstRange(of: "<!-- bench -->\n"),
            let end = text.firstRange(of: "<!-- end of bench -->"), begin.upperBound <= end.lowerBound
        else { return false }
        let new = text[..<begin.upperBound] + markdown + text[end.lowerBound...]
        guard let file = fopen(path, "w") else { return false }
        let isWritten = fputs(String(new), file) >= 0
        return fclose(file) == 0 && isWritten
    }
}
