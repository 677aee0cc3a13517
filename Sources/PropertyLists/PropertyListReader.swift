package import Foundation

/// Reads property lists of all three formats, within limits, and without a word to standard error.
///
/// The parsers are our own: Foundation's old-style parser prints its complaints by itself, its binary parser spreads shared
/// objects without bound, and neither keeps the order of the keys or knows the line of a fault in every case.
package enum PropertyListReader {
    /// The property list in a file. Linear in the size of the file and of the values in it.
    package static func read(file path: String, limits: PropertyListLimits = PropertyListLimits()) throws(PropertyListError)
        -> PropertyList
    {
        let bytes = try PropertyListFile.bytes(path: path, limit: limits.fileBytes)
        do {
            return try read(bytes: bytes, limits: limits)
        } catch {
            throw PropertyListError(file: path, cause: error.cause)
        }
    }

    /// The bytes of a file, by the same rules: regular files only, of a bounded size.
    package static func bytes(file path: String, limits: PropertyListLimits = PropertyListLimits()) throws(PropertyListError)
        -> [UInt8]
    {
        try PropertyListFile.bytes(path: path, limit: limits.fileBytes)
    }

    /// What bytes are that begin as no property list does, with its article: “a SQLite database”; nil when they are not recognised.
    package static func otherKind(of bytes: [UInt8]) -> String? { FileSignature.name(of: bytes) }

    /// The property list in `data`.
    package static func read(data: Data, limits: PropertyListLimits = PropertyListLimits()) throws(PropertyListError)
        -> PropertyList
    {
        try read(bytes: [UInt8](data), limits: limits)
    }

    /// The property list in `bytes`.
    package static func read(bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()) throws(PropertyListError)
        -> PropertyList
    {
        guard !bytes.isEmpty else { throw PropertyListError(cause: .empty) }
        guard bytes.count <= limits.fileBytes else {
            throw PropertyListError(cause: .tooLarge(size: bytes.count, limit: limits.fileBytes))
        }
        if bytes.starts(with: "bplist".utf8) { return try BinaryPropertyList(bytes: bytes).propertyList(limits: limits) }
        if let other = FileSignature.name(of: bytes) { throw .malformed("it is \(other)") }
        let text = try PropertyListText.utf8(from: bytes)
        if PropertyListText.isMarkup(text) {
            var parser = XMLPropertyListParser(text: text, limits: limits)
            return try parser.parse()
        }
        var parser = OpenStepParser(text: text, limits: limits)
        return try parser.parse()
    }
}

/// What a file is by its first bytes, for messages about files that are no property lists.
enum FileSignature {
    private static let known: [([UInt8], String)] = [
        (Array("SQLite format 3\0".utf8), "a SQLite database"),
        ([0x1F, 0x8B], "compressed with gzip"),
        (Array("PK\u{3}\u{4}".utf8), "a zip archive"),
        ([0x89, 0x50, 0x4E, 0x47], "a PNG image"),
        ([0xFF, 0xD8, 0xFF], "a JPEG image"),
        (Array("%PDF-".utf8), "a PDF document"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"),
        (Array("momv2$".utf8), "an optimised Core Data model (.omo)"),
    ]

    /// With its article; nil when no signature fits.
    static func name(of bytes: [UInt8]) -> String? {
        known.first { bytes.starts(with: $0.0) }?.1
    }
}
