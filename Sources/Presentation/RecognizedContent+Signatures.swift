import Foundation
import PropertyLists

extension RecognizedContent {
    /// What the first bytes say by themselves; nil if nothing known.
    static func signature(_ head: [UInt8], _ bytes: Data) -> Kind? {
        func starts(_ text: String, at offset: Int = 0) -> Bool {
            head.count >= offset + text.utf8.count && head[offset...].starts(with: text.utf8)
        }
        if head.isEmpty { return .empty }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            return .image(.png, size: starts("IHDR", at: 12) ? size(bigEndian(head, 16, 4), bigEndian(head, 20, 4)) : nil)
        }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .image(.jpeg, size: sizeOfJPEG(bytes)) }
        if starts("GIF87a") || starts("GIF89a") {
            return .image(.gif, size: size(littleEndian(head, 6, 2), littleEndian(head, 8, 2)))
        }
        if starts("BM"), head.count >= 26, littleEndian(head, 2, 4) == bytes.count {
            let height = littleEndian(head, 22, 4).map { $0 > Int(Int32.max) ? 0x1_0000_0000 - $0 : $0 }
            return .image(.bmp, size: size(littleEndian(head, 18, 4), height))
        }
        if starts("RIFF"), starts("WEBP", at: 8) { return .image(.webp, size: sizeOfWebP(head)) }
        if head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
            return .image(.tiff, size: nil)
        }
        if starts("ftyp", at: 4), ["heic", "heix", "mif1"].contains(where: { starts($0, at: 8) }) {
            return .image(.heic, size: nil)
        }
        if starts("%PDF-") { return .pdf }
        if starts("bplist0") {
            return isKeyedArchive(head, bytes) ? .keyedArchive(className: classOfArchive(bytes)) : .binaryPropertyList
        }
        if head.starts(with: [0x1F, 0x8B, 8]) { return .gzip }
        if head.starts(with: [0x50, 0x4B, 3, 4]) { return .zip }
        if starts("SQLite format 3\0") { return .sqlite }
        return isZlib(head) ? .zlib : nil
    }

    /// The archiver's name stands among the archive's top-level strings: in small archives anywhere, in large ones near an end.
    private static func isKeyedArchive(_ head: [UInt8], _ bytes: Data) -> Bool {
        let name = Data("NSKeyedArchiver".utf8)
        return Data(head).range(of: name) != nil || bytes.suffix(headLength).range(of: name) != nil
    }

    /// The class of the archived object; of a large archive it is not looked for, since a summary must not cost its reading.
    private static func classOfArchive(_ bytes: Data) -> String? {
        guard bytes.count <= 1 << 18, let archive = try? KeyedArchive(bytes: [UInt8](bytes)),
            case .object(let root) = archive.root
        else { return nil }
        return archive.className(of: root)
    }

    /// A zlib header with deflate and its check bits, and not text: two printable letters can satisfy them by chance.
    private static func isZlib(_ head: [UInt8]) -> Bool {
        guard head.count >= 8, head[0] == 0x78, [0x01, 0x5E, 0x9C, 0xDA].contains(head[1]) else { return false }
        return String(validating: head, as: UTF8.self) == nil
    }

    private static func sizeOfJPEG(_ bytes: Data) -> PixelSize? {
        var position = 2
        // Sixteen million bytes of segments is more than any camera writes before the frame header.
        for _ in 0..<256 {
            guard position + 9 < bytes.count else { return nil }
            let start = bytes.startIndex + position
            guard bytes[start] == 0xFF else { return nil }
            let marker = bytes[start + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                let frame = [UInt8](bytes[(start + 5)..<(start + 9)])
                return size(bigEndian(frame, 2, 2), bigEndian(frame, 0, 2))
            }
            let hasNoLength = marker == 0x01 || (0xD0...0xD8).contains(marker)
            position += hasNoLength ? 2 : 2 + Int(bytes[start + 2]) << 8 + Int(bytes[start + 3])
        }
        return nil
    }

    private static func sizeOfWebP(_ head: [UInt8]) -> PixelSize? {
        guard head.count >= 30 else { return nil }
        switch head[15] {
        case UInt8(ascii: "X"):
            return size(littleEndian(head, 24, 3).map { $0 + 1 }, littleEndian(head, 27, 3).map { $0 + 1 })
        case UInt8(ascii: "L"):
            guard let bits = littleEndian(head, 21, 4) else { return nil }
            return size((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
        default:
            return size(littleEndian(head, 26, 2).map { $0 & 0x3FFF }, littleEndian(head, 28, 2).map { $0 & 0x3FFF })
        }
    }

    private static func size(_ width: Int?, _ height: Int?) -> PixelSize? {
        guard let width, let height, width > 0, height > 0 else { return nil }
        return PixelSize(width: width, height: height)
    }

    private static func bigEndian(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
        guard offset + count <= bytes.count else { return nil }
        return bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func littleEndian(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
        guard offset + count <= bytes.count else { return nil }
        return bytes[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
