import ObjectStore

/// Why the reading of a document stops.
enum ReadingFault: Error {
    /// The text breaks the format's rules here; line and column (in bytes) are 1-based.
    case syntax(line: Int, column: Int, reason: String)
    /// The document as a whole is at fault.
    case document(String)
    /// Reading or the private database failed.
    case store(StoreError)

    /// In the words of the store protocol.
    func storeError(_ name: String) -> StoreError {
        switch self {
        case .syntax(let line, let column, let reason):
            StoreError(file: name, cause: .engine("line \(line), column \(column): \(reason)"))
        case .document(let reason): StoreError(file: name, cause: .engine(reason))
        case .store(let error): error
        }
    }
}

/// What the reader of a document should know, each kind of remark bounded in number: a file of a million bad lines gives a few
/// dozen.
final class DocumentWarnings {
    /// What a remark is about; each kind is listed by line so many times, and counted beyond.
    enum Kind: Int, CaseIterable {
        case comment, trailingComma, notANumber, controlCharacter, surrogate, encoding, duplicateKey, longText, tooManyKeys
        case tooManyEntities, mixed, renamed, ragged, quoting, line, end, other

        /// How many of a kind are listed one by one.
        var limit: Int {
            switch self {
            case .comment, .trailingComma, .notANumber, .controlCharacter, .surrogate, .encoding, .longText, .tooManyEntities,
                .tooManyKeys:
                1
            default: 20
            }
        }
    }

    private struct Listed {
        var kind: Kind
        var line: Int?
        var text: String
    }

    private var listed: [Listed] = []
    private var counts = [Int](repeating: 0, count: Kind.allCases.count)

    /// Adds a remark; `text` is a whole sentence, of which only the listed ones are made.
    func add(_ kind: Kind, line: Int? = nil, _ text: @autoclosure () -> String) {
        counts[kind.rawValue] &+= 1
        guard counts[kind.rawValue] <= kind.limit else { return }
        listed.append(Listed(kind: kind, line: line, text: text()))
    }

    /// How many there are of a kind.
    func count(_ kind: Kind) -> Int { counts[kind.rawValue] }

    /// All, in the order of the document where they have a line.
    var sentences: [String] {
        var lastOfKind: [Int: Int] = [:]
        for (index, remark) in listed.enumerated() { lastOfKind[remark.kind.rawValue] = index }
        return listed.enumerated().map { index, remark in
            let start = remark.line.map { "Line \($0): " } ?? ""
            let more = counts[remark.kind.rawValue] - remark.kind.limit
            let isLast = lastOfKind[remark.kind.rawValue] == index
            return start + remark.text + (isLast && more > 0 ? " (\(more) more like this)" : "")
        }
    }
}
