package import Foundation

/// What bytes hold, told by the bytes alone, never by a name. Looks at the head (and at a picture's segment headers and its end), never
/// at all of a long value.
package struct RecognizedContent: Sendable, Equatable {
    package struct PixelSize: Sendable, Equatable {
        package var width: Int
        package var height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// The raw value is the name in summaries.
    package enum ImageFormat: String, Sendable {
        case png = "PNG"
        case jpeg = "JPEG"
        case gif = "GIF"
        case bmp = "BMP"
        case webp = "WebP"
        case tiff = "TIFF"
        case heic = "HEIC"
    }

    /// The raw value is the name in summaries.
    package enum TextFormat: String, Sendable {
        case plain = "text"
        case json = "JSON"
        case xml = "XML"
        case propertyList = "property list"
    }

    package enum Kind: Sendable, Equatable {
        case empty
        case image(ImageFormat, size: PixelSize?)
        case pdf
        case binaryPropertyList
        /// A binary property list written by `NSKeyedArchiver`, and the class of what was archived, where it can be read.
        case keyedArchive(className: String?)
        case gzip
        case zlib
        case zip
        case sqlite
        case uuid(UUID)
        case text(TextFormat, excerpt: String)
        /// Perhaps: bytes in an older encoding bear no mark of it.
        case guessedText(GuessedText.Encoding, excerpt: String)
        /// Perhaps: the format has no mark by which to tell it. Guessed of short values only.
        case protobuf
        case unknown
    }

    package let kind: Kind
    package let byteCount: Int
    /// Whether a picture's own structure says that it goes on after the bytes that are there.
    package let isCutOff: Bool

    package init(_ bytes: Data) {
        byteCount = bytes.count
        let head = [UInt8](bytes.prefix(RecognizedContent.headLength))
        kind =
            RecognizedContent.signature(head, bytes) ?? RecognizedContent.uuid(head, bytes.count)
            ?? RecognizedContent.text(head, byteCount: bytes.count)
            ?? RecognizedContent.guessedText(head, byteCount: bytes.count)
            ?? RecognizedContent.protobuf(head, isWhole: bytes.count == head.count) ?? .unknown
        if case .image(let format, _) = kind { isCutOff = PictureEnd.isMissing(format, bytes) } else { isCutOff = false }
    }

    private static func protobuf(_ head: [UInt8], isWhole: Bool) -> Kind? {
        isWhole && ProtobufMessage(head) != nil ? .protobuf : nil
    }

    /// So many bytes are looked at.
    static let headLength = 4096

    /// One line: `PNG 120×80`, `PNG 120×80, cut off`, `keyed archive NSColor, 350 bytes`, `text, 31 bytes: Dear …`, else `12 bytes`.
    package var summary: String {
        switch kind {
        case .text(_, let excerpt), .guessedText(_, let excerpt): return "\(title): \(excerpt)"
        default: return title
        }
    }

    /// The summary without an excerpt of a text.
    package var title: String {
        let count = Presentation.byteCount(byteCount)
        switch kind {
        case .empty, .unknown: return count
        case .image(let format, let size):
            let title = size.map { "\(format.rawValue) \($0.width)×\($0.height)" } ?? "\(format.rawValue), \(count)"
            return isCutOff ? title + ", cut off" : title
        case .pdf: return "PDF, \(count)"
        case .binaryPropertyList: return "bplist, \(count)"
        case .keyedArchive(let name): return "keyed archive\(name.map { " \($0)" } ?? ""), \(count)"
        case .gzip: return "gzip, \(count)"
        case .zlib: return "zlib, \(count)"
        case .zip: return "ZIP, \(count)"
        case .sqlite: return "SQLite database, \(count)"
        case .uuid(let uuid): return "UUID \(uuid.uuidString)"
        case .text(let format, _): return "\(format.rawValue), \(count)"
        case .guessedText(let encoding, _): return "\(count), perhaps text in \(encoding.rawValue)"
        case .protobuf: return "\(count), perhaps protobuf"
        }
    }
}
