package import Foundation
package import ObjectStore
package import PropertyLists

/// A value opened to be read: what its bytes hold, what that is compressed in, and in which form it is shown.
///
/// Bounded in time and memory whatever the bytes are; what cannot be read says so in `problem`.
package struct ViewedContent: Sendable {
    package enum Form: Sendable {
        /// Property lists, keyed archives, JSON, and what looks like protobuf.
        case outline(OutlineNode)
        case text(TextContent)
        /// A picture, in `opened`.
        case picture(RecognizedContent.ImageFormat)
        /// Nothing but bytes.
        case bytes
    }

    /// What was found, from the outside in: `gzip, 310 bytes`, `JSON, 4000 bytes`.
    package private(set) var layers: [String] = []
    /// The value as the store holds it.
    package let stored: Data
    /// What the innermost layer holds; the same as `stored` where nothing is compressed.
    package private(set) var opened: Data
    package private(set) var form = Form.bytes
    /// The text of what is shown as an outline, where it is text.
    package private(set) var text: TextContent?
    /// What could not be read, and why.
    package private(set) var problem: String?
    /// Whether this is the text as it stands of what may be more: reading a long one as an outline takes its time.
    package private(set) var awaitsOutline = false

    private let isFirstLook: Bool

    /// Most bytes that are inflated.
    static let inflatedLimit = 64 << 20
    /// Longest text that is read as an outline, in bytes.
    static let outlineLimit = 16 << 20
    /// Most layers of compression that are opened.
    private static let mostLayers = 4

    /// Longest text that is read as an outline at once, in bytes.
    private static let longestAtOnce = 1 << 18

    /// Of bytes.
    ///
    /// - Parameter isFirstLook: whether a long text may come without its outline, and `awaitsOutline`.
    package init(bytes: Data, isFirstLook: Bool = false) { self.init(bytes, isText: false, isFirstLook: isFirstLook) }

    /// Of a text, which is shown as one whatever characters it has. As `init(bytes:isFirstLook:)`.
    package init(text: String, isFirstLook: Bool = false) {
        self.init(Data(text.utf8), isText: true, isFirstLook: isFirstLook)
    }

    /// Of a value; nil for what is neither bytes nor text.
    package init?(_ value: Value) {
        switch value {
        case .data(let bytes): self.init(bytes: bytes)
        case .string(let text): self.init(text: text)
        default: return nil
        }
    }

    private init(_ bytes: Data, isText: Bool, isFirstLook: Bool) {
        // Offsets are counted from 0 everywhere.
        stored = bytes.startIndex == 0 ? bytes : Data(bytes)
        opened = stored
        self.isFirstLook = isFirstLook
        open(isText: isText)
    }

    /// Opens one layer after the other.
    private mutating func open(isText: Bool) {
        while true {
            let content = RecognizedContent(opened)
            if isText {
                var format = RecognizedContent.TextFormat.plain
                if case .text(let known, _) = content.kind { format = known }
                layers.append("\(format.rawValue), \(byteCount(opened.count))")
                return readText(format)
            }
            layers.append(content.title)
            guard content.kind == .gzip || content.kind == .zlib, layers.count <= Self.mostLayers else {
                return readForm(content.kind)
            }
            guard let inflated = inflated(content.kind == .gzip ? .gzip : .zlib), !inflated.isEmpty else { return }
            opened = Data(inflated)
        }
    }

    /// What the bytes inflate to, or as much of it as can be had.
    private mutating func inflated(_ format: Inflation.Format) -> [UInt8]? {
        do {
            return try Inflation.inflate([UInt8](opened), format, limit: Self.inflatedLimit)
        } catch .tooLarge(let limit, let read) {
            problem = problem ?? "inflates to more than \(limit >> 20) MB: these are the first of them"
            return read
        } catch .damaged(let read) {
            problem = problem ?? "damaged or cut off: \(byteCount(read.count)) could be inflated"
            return read
        } catch {
            problem = problem ?? "cannot be inflated"
            return nil
        }
    }

    private mutating func readForm(_ kind: RecognizedContent.Kind) {
        switch kind {
        case .binaryPropertyList, .keyedArchive: readBinaryPropertyList()
        case .text(let format, _): readText(format)
        case .image(let format, _): form = .picture(format)
        case .guessedText(let encoding, _): form = .text(TextContent(utf8: GuessedText.utf8(opened, from: encoding)))
        case .protobuf, .unknown:
            guard opened.count <= Self.outlineLimit, let message = ProtobufMessage([UInt8](opened)) else { return }
            form = .outline(message.outline(label: ""))
            if kind == .unknown { layers[layers.count - 1] += ", perhaps protobuf" }
        default: break
        }
    }

    private mutating func readText(_ format: RecognizedContent.TextFormat) {
        let text = TextContent(utf8: Self.utf8(opened))
        form = .text(text)
        if isFirstLook, text.count > Self.longestAtOnce, text.count <= Self.outlineLimit, format != .xml {
            awaitsOutline = true
            return
        }
        guard let root = outline(of: text, format) else { return }
        form = .outline(root)
        self.text = text
    }

    private mutating func readBinaryPropertyList() {
        let bytes = [UInt8](opened)
        do {
            form = .outline(try OutlineNode.root(bytes: bytes))
        } catch {
            guard let salvaged = OutlineNode.salvaged(bytes: bytes) else {
                problem = problem ?? error.reason
                return
            }
            form = .outline(salvaged.root)
            problem = problem ?? salvaged.problem
        }
    }

    private mutating func outline(of text: TextContent, _ format: RecognizedContent.TextFormat) -> OutlineNode? {
        guard text.count <= Self.outlineLimit else { return nil }
        let bytes = [UInt8](text.utf8)
        switch format {
        case .json:
            do {
                let root = try JSONParser.parse(bytes)
                return root.outline(label: "")
            } catch {
                problem = problem ?? "no JSON: \(error.reason) at byte \(error.position)"
                return nil
            }
        case .propertyList:
            do {
                return try OutlineNode.root(bytes: [UInt8](opened))
            } catch {
                problem = problem ?? error.reason
                return nil
            }
        case .plain:
            // The old format is told by its dictionary alone: a text in parentheses could be read as an array.
            guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), let root = try? OutlineNode.root(bytes: bytes),
                root.kind == .dictionary, root.childCount > 0
            else { return nil }
            return root
        case .xml: return nil
        }
    }

    /// A text without its byte order mark, in UTF-8.
    private static func utf8(_ bytes: Data) -> Data {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Data(bytes.dropFirst(3)) }
        let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
        // What is no whole number of units is shown as it stands, not without its last byte.
        guard bytes.count.isMultiple(of: 2), isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
        let units = bytes.withUnsafeBytes { UTF16Text.units(of: $0.dropFirst(2), bigEndian: isBigEndian) }
        return Data(String(decoding: units, as: UTF16.self).utf8)
    }
}
