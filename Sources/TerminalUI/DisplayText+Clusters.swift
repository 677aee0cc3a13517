extension DisplayText {
    /// A step through a text.
    enum Unit {
        /// An ASCII scalar that is a cluster by itself.
        case ascii(UInt8)
        /// CR LF.
        case lineEnd
        case character(Character)
    }

    /// Whether all is printable ASCII.
    static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

    /// The clusters of a text in one line, with their bytes in its UTF-8, until `body` returns false.
    ///
    /// A CR LF counts as one cluster of two pieces.
    package static func forEachCluster(in text: String, _ body: (DisplayCluster, Range<Int>) -> Bool) {
        forEachUnit(in: text) { unit, range in
            switch unit {
            case .ascii(let byte): return body(DisplayCluster(String(shown(ascii: byte)), width: 1), range)
            case .lineEnd:
                return body(DisplayCluster("␍␊", pieces: [.init(text: "␍", width: 1), .init(text: "␊", width: 1)]), range)
            case .character(let character): return body(cluster(character), range)
            }
        }
    }

    /// Walks a text from its start until `body` returns false.
    ///
    /// - Complexity: O(1) a step: a cluster longer than `maximumClusterBytes` comes in pieces.
    static func forEachUnit(in text: String, _ body: (Unit, Range<Int>) -> Bool) {
        var text = text
        text.withUTF8 { bytes in
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                let next = index + 1 < bytes.count ? bytes[index + 1] : 0
                if byte < 0x20 || byte < 0x80 && next < 0x80 {
                    if byte == 0x0D, next == 0x0A {
                        guard body(.lineEnd, index..<index + 2) else { return }
                        index += 2
                    } else {
                        guard body(.ascii(byte), index..<index + 1) else { return }
                        index += 1
                    }
                } else {
                    guard let end = walkRun(bytes, from: index, body) else { return }
                    index = end
                }
            }
        }
    }

    /// Walks the clusters of a bounded run that begins with a cluster outside ASCII.
    ///
    /// - Returns: where to go on; nil when `body` has enough.
    private static func walkRun(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ body: (Unit, Range<Int>) -> Bool
    ) -> Int? {
        let limit = min(bytes.count, start + maximumClusterBytes)
        var end = start + 1
        var isComplete = false
        while end < limit {
            // There is always a boundary before a control and between two ASCII scalars. The first of the two may still belong to
            // the cluster before it, which a prepended mark has begun.
            let isControl = bytes[end] < 0x20
            if isControl || bytes[end] < 0x80 && (end + 1 >= bytes.count || bytes[end + 1] < 0x80) {
                if !isControl { end += 1 }
                isComplete = true
                break
            }
            end += 1
        }
        if end >= bytes.count {
            end = bytes.count
            isComplete = true
        }
        while !isComplete, end > start + 1, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        let run = String(decoding: bytes[start..<end], as: UTF8.self)
        var index = start
        for character in run {
            let following = index + character.utf8.count
            // The last cluster of a run that was cut may go on; it is looked at again from its beginning.
            if !isComplete, following >= end, index > start { return index }
            guard body(.character(character), index..<following) else { return nil }
            index = following
        }
        return max(end, start + 1)
    }

    /// The last bytes of a text, from a scalar's beginning.
    static func suffix(of text: String, bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var index = text.utf8.index(text.endIndex, offsetBy: -bytes)
        while index < text.endIndex, text.utf8[index] & 0xC0 == 0x80 { index = text.utf8.index(after: index) }
        return String(text[index...])
    }
}
