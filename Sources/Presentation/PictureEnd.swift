import Foundation

/// Whether a picture ends where its own structure says that it does. Jumps from segment to segment: O(segments), and of no more than
/// some thousands.
enum PictureEnd {
    private static let mostSegments = 1 << 14
    /// Where the mark of a JPEG's end is looked for: cameras append other things behind it.
    private static let searched = 1 << 16

    /// False, too, where the format does not say, or the picture is not built as it should be.
    static func isMissing(_ format: RecognizedContent.ImageFormat, _ bytes: Data) -> Bool {
        switch format {
        case .png: isMissingFromPNG(bytes)
        case .jpeg: bytes.suffix(searched).range(of: Data([0xFF, 0xD9]), options: .backwards) == nil
        case .gif: bytes.suffix(16).last { $0 != 0 } != 0x3B
        // The head says how long the rest is.
        case .webp: (number(bytes, 4, bigEndian: false) ?? 0) + 8 > bytes.count
        case .bmp, .tiff, .heic: false
        }
    }

    /// Chunks with length, name, contents and check sum, the last of them `IEND`.
    private static func isMissingFromPNG(_ bytes: Data) -> Bool {
        var position = 8
        for _ in 0..<mostSegments {
            guard let length = number(bytes, position, bigEndian: true), let name = number(bytes, position + 4, bigEndian: true)
            else { return true }
            guard length <= Int(Int32.max) else { return false }
            position += 12 + length
            guard position <= bytes.count else { return true }
            if name == 0x4945_4E44 { return false }
        }
        return false
    }

    private static func number(_ bytes: Data, _ offset: Int, bigEndian: Bool) -> Int? {
        guard offset + 4 <= bytes.count else { return nil }
        let start = bytes.startIndex + offset
        let part = bytes[start..<(start + 4)]
        return bigEndian ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
