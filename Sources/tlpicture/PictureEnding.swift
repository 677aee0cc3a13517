/// Looks for the end of a picture in its bytes, as they pass by: of the formats whose decoders do not miss it.
struct PictureEnding {
    /// Where in the picture the bytes are.
    private enum Part {
        /// So many bytes of no meaning here, then something else.
        indirect case skipped(Int, then: Part)
        /// Within a PNG chunk's length and name, or a JPEG segment's length: what there is of it so far.
        case chunkHead([UInt8])
        case segmentLength([UInt8], isScan: Bool)
        /// Before a JPEG marker: whether its 0xFF was there.
        case marker(hasPrefix: Bool)
        /// Compressed data of a JPEG, up to the next marker.
        case scan(hasPrefix: Bool)
        /// Within a BMP's head: what there is of it so far.
        case bitmapHead([UInt8])
        case ended
        /// Nothing is known of the format's end, or the picture is not built as it should be: the decoder says so.
        case unknown
    }

    private var part: Part

    init(format: String) {
        part =
            switch format {
            case "png": .skipped(8, then: .chunkHead([]))
            case "jpeg": .skipped(2, then: .marker(hasPrefix: false))
            case "bmp": .bitmapHead([])
            default: .unknown
            }
    }

    /// Whether the picture goes on after the bytes that were there.
    var isMissing: Bool {
        switch part {
        case .ended, .unknown: false
        default: true
        }
    }

    mutating func read(_ bytes: ArraySlice<UInt8>) {
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if case .skipped(let count, let next) = part {
                let here = min(count, bytes.endIndex - place)
                part = here == count ? next : .skipped(count - here, then: next)
                if here > 0 { place += here }
                continue
            }
            if case .ended = part { return }
            if case .unknown = part { return }
            take(bytes[place])
            place += 1
        }
        // What is skipped to its end leads on, be there more bytes or not.
        if case .skipped(0, let next) = part { part = next }
    }

    private mutating func take(_ byte: UInt8) {
        switch part {
        case .skipped, .ended, .unknown: break
        case .chunkHead(var head):
            head.append(byte)
            guard head.count == 8 else {
                part = .chunkHead(head)
                return
            }
            let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
            let isEnd = head[4...].elementsEqual("IEND".utf8)
            // The contents, and four bytes to check them by.
            part = .skipped(length + 4, then: isEnd ? .ended : .chunkHead([]))
        case .bitmapHead(var head):
            head.append(byte)
            part = head.count < Self.bitmapHeadLength ? .bitmapHead(head) : Self.part(afterBitmapHead: head)
        case .marker(let hasPrefix):
            if byte == 0xFF {
                part = .marker(hasPrefix: true)
            } else {
                part = hasPrefix ? Self.part(afterMarker: byte) : .unknown
            }
        case .segmentLength(var length, let isScan):
            length.append(byte)
            guard length.count == 2 else {
                part = .segmentLength(length, isScan: isScan)
                return
            }
            let rest = max(0, (Int(length[0]) << 8 | Int(length[1])) - 2)
            part = .skipped(rest, then: isScan ? .scan(hasPrefix: false) : .marker(hasPrefix: false))
        case .scan(let hasPrefix):
            switch (hasPrefix, byte) {
            case (_, 0xFF): part = .scan(hasPrefix: true)
            // An 0xFF of the data themselves, or a mark to take up the thread at.
            case (true, 0), (true, 0xD0...0xD7), (false, _): part = .scan(hasPrefix: false)
            case (true, _): part = Self.part(afterMarker: byte)
            }
        }
    }

    private static let bitmapHeadLength = 34

    /// The pixels of a BMP that are not compressed: so many rows of so many bits, each a whole number of four bytes.
    private static func part(afterBitmapHead head: [UInt8]) -> Part {
        func number(_ place: Int, _ count: Int) -> Int { head[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) } }
        let compression = number(30, 4)
        guard number(14, 4) >= 40, compression == 0 || compression == 3 else { return .unknown }
        let height = Int(Int32(truncatingIfNeeded: number(22, 4)).magnitude)
        let row = (number(18, 4) * number(28, 2) + 31) / 32 * 4
        let (pixels, overflows) = row.multipliedReportingOverflow(by: height)
        guard !overflows else { return .unknown }
        let rest = number(10, 4).addingReportingOverflow(pixels)
        guard !rest.overflow, rest.partialValue > bitmapHeadLength else { return .unknown }
        return .skipped(rest.partialValue - bitmapHeadLength, then: .ended)
    }

    private static func part(afterMarker marker: UInt8) -> Part {
        switch marker {
        case 0xD9: .ended
        case 0x01, 0xD0...0xD8: .marker(hasPrefix: false)
        default: .segmentLength([], isScan: marker == 0xDA)
        }
    }
}
