import ObjectStore

/// Looks ahead at a JSON value to see of what shape it is; nothing is kept, and nothing is complained of.
final class ShapeSampler {
    private let scanner: JSONScanner
    private let end: Int
    private var depth = 0

    /// So many bytes of a value are looked at, and of a document in all.
    static let mostBytes = 1 << 18
    static let mostInAll = 1 << 22

    /// - Parameter offset: where in the document the value begins.
    init(_ input: DocumentInput, at offset: Int) {
        scanner = JSONScanner(input, warnings: DocumentWarnings(), windowSize: 1 << 14)
        scanner.seek(to: offset, line: 1, lineStart: 0)
        end = offset + ShapeSampler.mostBytes
    }

    /// The shape of the value, as far as it can be read, and how many bytes of it were.
    func sample() -> (shape: RecordShape, size: Int) {
        let start = scanner.offset
        let shape = RecordShape()
        do throws(ReadingFault) { _ = try value(into: shape) } catch { shape.isPartial = true }
        return (shape, scanner.offset - start)
    }

    /// False where no more is to be looked at.
    private func value(into shape: RecordShape) throws(ReadingFault) -> Bool {
        switch try scanner.token() {
        case UInt8(ascii: "{"):
            shape.addObject()
            return try members(of: shape)
        case UInt8(ascii: "["):
            shape.addOther()
            return try elements(of: shape)
        case UInt8(ascii: "\""):
            shape.addOther()
            _ = try scanner.string()
        case nil: return false
        default:
            let word = try scanner.word()
            guard !word.isEmpty else { return false }
            if word.first != UInt8(ascii: "n") { shape.addOther() }
        }
        return scanner.offset < end
    }

    private func members(of shape: RecordShape) throws(ReadingFault) -> Bool {
        try inside(shape, UInt8(ascii: "}")) { () throws(ReadingFault) in
            guard try scanner.token() == UInt8(ascii: "\"") else { return false }
            let child = shape.child(String(decoding: try scanner.string(), as: UTF8.self))
            guard try scanner.token() == UInt8(ascii: ":") else { return false }
            scanner.skip()
            return try value(into: child)
        }
    }

    /// Objects in an array are looked at as records; what stands in other arrays is not.
    private func elements(of shape: RecordShape) throws(ReadingFault) -> Bool {
        try inside(shape, UInt8(ascii: "]")) { () throws(ReadingFault) in
            try value(into: scanner.token() == UInt8(ascii: "{") ? shape.element() : RecordShape())
        }
    }

    private func inside(
        _ shape: RecordShape, _ bracket: UInt8, _ part: () throws(ReadingFault) -> Bool
    ) throws(ReadingFault) -> Bool {
        depth += 1
        defer { depth -= 1 }
        var isWhole = false
        defer { if !isWhole { shape.isPartial = true } }
        scanner.skip()
        while depth < JSONReader.depthLimit, try scanner.token() != bracket {
            guard try part() else { return false }
            if try scanner.token() == UInt8(ascii: ",") { scanner.skip() } else { break }
        }
        guard try scanner.token() == bracket else { return false }
        scanner.skip()
        isWhole = true
        return scanner.offset < end
    }
}
