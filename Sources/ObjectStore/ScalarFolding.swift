/// What becomes of one scalar whatever stands beside it: up to seven bytes, their number in the lowest byte.
package struct FoldedScalar: Sendable {
    private var packed = UInt64.max

    /// For scalars that fold in another way beside others, such as marks: then the whole text has to be folded as one.
    package var needsContext: Bool { packed == .max }
    package var count: Int { Int(packed & 0xFF) }
    package subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> (8 * UInt64(index + 1))) }

    /// - Parameter fold: the folding of a text of one scalar.
    package init(_ value: UInt32, _ fold: (Unicode.Scalar) -> [UInt8]) {
        guard let scalar = Unicode.Scalar(value), !Self.joins(scalar) else { return }
        let bytes = fold(scalar)
        guard bytes.count < 8 else { return }
        packed = UInt64(bytes.count)
        for (index, byte) in bytes.enumerated() { packed |= UInt64(byte) << (8 * UInt64(index + 1)) }
    }

    /// Whether it may make one character with what stands before or after it.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: break
        }
        switch scalar.value {
        // Hangul in parts, and the marks of half-width kana.
        case 0x1100..<0x1200, 0xA960..<0xA980, 0xD7B0..<0xD800, 0xFF9E...0xFF9F: return true
        default: return scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}

/// Folds texts scalar by scalar and remembers what becomes of each. Not `Sendable`: one for each scan.
package struct ScalarFolding {
    /// Scalars of the basic plane, by 256; made when the first of them comes.
    private var pages: [[FoldedScalar]] = Array(repeating: [], count: 256)
    private let fold: (Unicode.Scalar) -> [UInt8]

    /// - Parameter fold: the folding of a text of one scalar.
    package init(_ fold: @escaping (Unicode.Scalar) -> [UInt8]) { self.fold = fold }

    /// Appends a text folded; false, and what was appended is of no use, where it has to be folded as a whole: at marks that join,
    /// beyond the basic plane, and at what is no UTF-8. O(bytes), a few instructions each.
    package mutating func append(_ text: UnsafeRawBufferPointer, to result: inout [UInt8]) -> Bool {
        var place = 0
        while place < text.count {
            guard let (value, length) = Self.scalar(text, at: place) else { return false }
            let page = Int(value >> 8)
            if pages[page].isEmpty {
                pages[page] = (UInt32(page) << 8..<UInt32(page + 1) << 8).map { FoldedScalar($0, fold) }
            }
            let folded = pages[page][Int(value & 0xFF)]
            guard !folded.needsContext else { return false }
            for index in 0..<folded.count { result.append(folded[index]) }
            place += length
        }
        return true
    }

    /// The scalar of one to three bytes at a place; nil for all others, and for what is no UTF-8.
    private static func scalar(_ text: UnsafeRawBufferPointer, at place: Int) -> (value: UInt32, length: Int)? {
        let byte = text[place]
        if byte < 0x80 { return (UInt32(byte), 1) }
        guard byte >= 0xC2, place + 1 < text.count, text[place + 1] & 0xC0 == 0x80 else { return nil }
        let second = UInt32(text[place + 1] & 0x3F)
        if byte < 0xE0 { return (UInt32(byte & 0x1F) << 6 | second, 2) }
        guard byte < 0xF0, place + 2 < text.count, text[place + 2] & 0xC0 == 0x80 else { return nil }
        let value = UInt32(byte & 0x0F) << 12 | second << 6 | UInt32(text[place + 2] & 0x3F)
        return value >= 0x800 && !(0xD800..<0xE000).contains(value) ? (value, 3) : nil
    }
}
