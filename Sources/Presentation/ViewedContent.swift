package import Foundation
package import PropertyLists

/// A value as the viewer shows it: an outline, a text, or bytes; told by the bytes alone.
package struct ViewedContent: Sendable {
    package enum Form: Sendable {
        case outline(OutlineNode)
        case text(String)
        case bytes
    }

    /// What it is, as `RecognizedContent` says it; of compressed bytes both, from the outside in.
    package let summary: String
    package let form: Form
    /// The bytes to show in hexadecimal: those of the value, or what they inflate to.
    package let bytes: Data
    /// The value as it is stored, which is what is written to a file.
    package let stored: Data
    /// What could not be read of it.
    package let problem: String?

    /// Longest text and longest JSON that are shown as such, in bytes; longer ones are shown as bytes.
    private static let longestText = 16 << 20
    private static let longestInflated = 64 << 20

    package init(text: String) {
        let bytes = Data(text.utf8)
        let recognized = RecognizedContent(bytes)
        var form = Form.text(text)
        // A text that is JSON or a property list has an outline.
        if case .text(let format, _) = recognized.kind, format != .plain, let outline = Self.outline(of: bytes, format) {
            form = .outline(outline)
        }
        self.init(summary: "\(text.count) characters", form: form, bytes: bytes, stored: bytes, problem: nil)
    }

    package init(bytes: Data) { self.init(bytes: bytes, stored: bytes, before: "", depth: 0) }

    private init(summary: String, form: Form, bytes: Data, stored: Data, problem: String?) {
        self.summary = summary
        self.form = form
        self.bytes = bytes
        self.stored = stored
        self.problem = problem
    }

    private init(bytes: Data, stored: Data, before: String, depth: Int) {
        let recognized = RecognizedContent(bytes)
        var summary = before + recognized.summary
        var form = Form.bytes
        var problem: String?
        switch recognized.kind {
        case .gzip, .zlib:
            var inflated: [UInt8]?
            do {
                let format: Inflation.Format = recognized.kind == .gzip ? .gzip : .zlib
                inflated = try Inflation.inflate([UInt8](bytes), format, limit: Self.longestInflated)
            } catch {
                switch error {
                case .empty: break
                case .tooLarge(let limit): problem = "inflates to more than \(limit >> 20) MB"
                case .damaged(let read):
                    problem = "damaged or cut off after \(read.count) bytes"
                    inflated = read.isEmpty ? nil : read
                }
            }
            // Boxes in boxes in boxes are a trap, not a value.
            if let inflated, depth < 3 {
                let inner = ViewedContent(bytes: Data(inflated), stored: stored, before: summary + " › ", depth: depth + 1)
                self.init(
                    summary: inner.summary, form: inner.form, bytes: inner.bytes, stored: stored,
                    problem: problem ?? inner.problem)
                return
            }
        case .binaryPropertyList, .keyedArchive:
            let plain = [UInt8](bytes)
            do {
                form = .outline(try OutlineNode.root(bytes: plain))
            } catch {
                problem = error.problem
                if let salvaged = OutlineNode.salvaged(bytes: plain) {
                    form = .outline(salvaged.root)
                    problem = salvaged.problem
                }
            }
        case .text(let format, _):
            if let outline = Self.outline(of: bytes, format) {
                form = .outline(outline)
            } else if bytes.count <= Self.longestText, let text = Self.text(of: bytes) {
                form = .text(text)
            }
        case .unknown:
            if let fields = ProtobufMessage.fields(of: bytes) {
                form = .outline(OutlineNode(label: "", list: fields))
                summary += ", perhaps protobuf"
            }
        case .empty, .image, .pdf, .zip, .sqlite, .uuid: break
        }
        self.init(summary: summary, form: form, bytes: bytes, stored: stored, problem: problem)
    }

    private static func outline(of bytes: Data, _ format: RecognizedContent.TextFormat) -> OutlineNode? {
        guard bytes.count <= longestText else { return nil }
        switch format {
        case .propertyList, .xml: return try? OutlineNode.root(bytes: [UInt8](bytes))
        case .json:
            guard let value = try? JSONSerialization.jsonObject(with: bytes, options: [.fragmentsAllowed]) else { return nil }
            return OutlineNode(label: "", list: list(of: value))
        case .plain: return nil
        }
    }

    /// JSON as a property list; its null, which those do not have, as the word.
    private static func list(of value: Any) -> PropertyList {
        switch value {
        case let text as String: .string(text)
        case let number as NSNumber:
            // A boolean is a number to Foundation, told by its C type alone.
            if String(cString: number.objCType) == "c" {
                .boolean(number.boolValue)
            } else if let integer = Int64(exactly: number) {
                .integer(integer)
            } else {
                .string(number.stringValue)
            }
        case let items as [Any]: .array(items.map(list))
        case let entries as [String: Any]:
            .dictionary(entries.sorted { $0.key < $1.key }.map { PropertyList.Entry(key: $0.key, value: list(of: $0.value)) })
        default: .string("null")
        }
    }

    private static func text(of bytes: Data) -> String? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return String(data: bytes, encoding: .utf16) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
