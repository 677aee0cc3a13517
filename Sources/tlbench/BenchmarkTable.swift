import Glibc

/// One line of the table: what was measured, beside what a plain peer needs for the same in the same run.
struct BenchmarkRow {
    /// What was done.
    var name: String
    /// How many objects it was done with.
    var size: Int
    /// Seconds for one go.
    var seconds: Double
    /// Seconds the peer needs for one go; nil where there is no peer.
    var peerSeconds: Double?
    /// Bytes held at the peak, beyond what was held before; nil where that was not asked.
    var memory: Int?
    /// As `memory`, for the peer.
    var peerMemory: Int?
}

/// A subject that is measured. Another subject is another type in a file of its own, and a line in `main.swift`.
protocol Benchmark {
    /// The heading of its lines, with the name of the peer.
    var title: String { get }

    /// Measures at one size, and checks what came out.
    ///
    /// - Parameter size: how many objects.
    func measure(size: Int, into table: inout BenchmarkTable)
}

/// What was measured, and what was wrong with it.
struct BenchmarkTable {
    /// Whether only what comes out counts, and not how long it takes.
    let checksOnly: Bool
    private(set) var faults: [String] = []

    init(checksOnly: Bool) { self.checksOnly = checksOnly }

    /// Prints the heading of a subject.
    func begin(_ title: String) {
        print("\n" + title)
        if !checksOnly {
            print(Self.line(["", "objects", "ours", "peer", "ours/peer", "memory", "peer's"]))
        }
    }

    /// Prints a line.
    func add(_ row: BenchmarkRow) {
        guard !checksOnly else { return }
        print(
            Self.line([
                row.name, Self.number(row.size), Self.duration(row.seconds), row.peerSeconds.map(Self.duration) ?? "",
                row.peerSeconds.map { Self.decimals(row.seconds / $0, 3) } ?? "", row.memory.map(Self.megabytes) ?? "",
                row.peerMemory.map(Self.megabytes) ?? "",
            ]))
        // Each line as it comes, in a pipe too.
        fflush(nil)
    }

    /// Notes a fault if something is not as it must be.
    mutating func check(_ isRight: Bool, _ what: String, size: Int) {
        guard !isRight else { return }
        let fault = "\(what) is wrong at \(Self.number(size)) objects"
        faults.append(fault)
        print("FAULT: " + fault)
    }

    private static func line(_ cells: [String]) -> String {
        let widths = [34, 11, 10, 10, 10, 10, 10]
        return zip(cells, widths).enumerated().map { place, cell in
            let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return place == 0 ? cell.0 + space : space + cell.0
        }.joined(separator: " ")
    }

    static func number(_ number: Int) -> String {
        var digits = String(number)
        var place = digits.count - 3
        while place > 0 {
            digits.insert(" ", at: digits.index(digits.startIndex, offsetBy: place))
            place -= 3
        }
        return digits
    }

    /// As the program groups digits: by commas, from five on.
    static func grouped(_ number: Int) -> String {
        let text = Self.number(number)
        return number < 10_000 ? String(number) : String(text.map { $0 == " " ? "," : $0 })
    }

    static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<1e-6: decimals(seconds * 1e9, 1) + " ns"
        case ..<1e-3: decimals(seconds * 1e6, 1) + " µs"
        case ..<1: decimals(seconds * 1e3, 1) + " ms"
        default: decimals(seconds, 2) + " s"
        }
    }

    static func megabytes(_ bytes: Int) -> String { decimals(Double(bytes) / 1e6, 1) + " MB" }

    static func decimals(_ number: Double, _ count: Int) -> String {
        let scale = (0..<count).reduce(1.0) { scale, _ in scale * 10 }
        guard let scaled = Int(exactly: (number * scale).rounded()) else { return "–" }
        let digits = String(scaled)
        let padded = String(repeating: "0", count: max(0, count + 1 - digits.count)) + digits
        return padded.dropLast(count) + "." + padded.suffix(count)
    }
}
