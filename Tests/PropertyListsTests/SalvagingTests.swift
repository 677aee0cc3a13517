import Foundation
import PropertyLists
import TestSupport
import Testing

/// What is whole of a property list that breaks off is kept, whatever the format and wherever it breaks off.
@Suite struct SalvagingTests {
    private static let count = 12

    private static let items: [PropertyList] = (0..<count).map { number in
        .dictionary([
            PropertyList.Entry(key: "name", value: .string("n\(number)")),
            PropertyList.Entry(key: "list", value: .array([.string("a"), .string("b\(number)")])),
            PropertyList.Entry(key: "sub", value: .dictionary([PropertyList.Entry(key: "x", value: .string("\(number)"))])),
        ])
    }

    private static func foundation(_ list: PropertyList) -> Any {
        switch list {
        case .array(let items): items.map(foundation)
        case .dictionary(let entries): Dictionary(entries.map { ($0.key, foundation($0.value)) }, uniquingKeysWith: { $1 })
        case .string(let text): text
        default: ""
        }
    }

    private static func sorted(_ list: PropertyList) -> PropertyList {
        switch list {
        case .array(let items): .array(items.map(sorted))
        case .dictionary(let entries):
            .dictionary(
                entries.map { PropertyList.Entry(key: $0.key, value: sorted($0.value)) }.sorted { $0.key < $1.key })
        default: list
        }
    }

    private static func text(_ list: PropertyList) -> String {
        switch list {
        case .array(let items): "(" + items.map(text).joined(separator: ",\n") + ")"
        case .dictionary(let entries): "{" + entries.map { "\($0.key) = \(text($0.value));\n" }.joined() + "}"
        case .string(let text): "\"\(text)\""
        default: "?"
        }
    }

    enum Form: CaseIterable { case xml, binary, openStep }

    private static func bytes(_ list: PropertyList, _ form: Form) throws -> [UInt8] {
        switch form {
        case .openStep: Array(text(list).utf8)
        case .xml: [UInt8](try PropertyListSerialization.data(fromPropertyList: foundation(list), format: .xml, options: 0))
        case .binary:
            [UInt8](try PropertyListSerialization.data(fromPropertyList: foundation(list), format: .binary, options: 0))
        }
    }

    /// A list at the top, or one among the values of a dictionary.
    @Test(arguments: Form.allCases, [false, true]) func everyPrefix(form: Form, isNested: Bool) throws {
        let items = SalvagingTests.items
        let list = isNested ? PropertyList.dictionary([PropertyList.Entry(key: "rows", value: .array(items))]) : .array(items)
        let whole = try SalvagingTests.bytes(list, form)
        let sortedItems = items.map(SalvagingTests.sorted)
        var mostKept = 0
        for length in 1..<whole.count {
            let reading: PropertyListReading
            do {
                reading = try PropertyListReader.readWhatIsThere(bytes: Array(whole.prefix(length)))
            } catch {
                continue
            }
            // Without its last line end, or its last brace, it may still be whole.
            if reading.fault == nil, case .string = reading.list { continue }
            var kept: [PropertyList] = []
            switch reading.list {
            case .array(let found): kept = found
            case .dictionary(let entries):
                #expect(isNested && entries.count <= 1)
                if case .array(let found)? = entries.first?.value { kept = found }
            default: break
            }
            mostKept = max(mostKept, kept.count)
            guard form != .binary else {
                // All that is there, also of one that is not whole.
                for item in kept {
                    guard case .dictionary(let entries) = item else { continue }
                    for entry in entries where entry.key == "name" {
                        #expect(items.contains { $0["name"] == entry.value })
                    }
                }
                continue
            }
            #expect(kept.map(SalvagingTests.sorted) == Array(sortedItems.prefix(kept.count)))
            if reading.fault != nil { #expect(reading.fault?.line != nil) }
        }
        #expect(mostKept >= SalvagingTests.count - 1)
    }

    @Test func repeatedKeysAreTold() throws {
        let texts = [
            "{ a = 1;\n b = 2;\n a = 3; }",
            "<plist><dict><key>a</key><string>1</string>\n<key>b</key><string>2</string>\n<key>a</key><string>3</string></dict></plist>",
        ]
        for text in texts {
            let reading = try PropertyListReader.readWhatIsThere(bytes: Array(text.utf8))
            #expect(reading.repeatedKeys.map(\.key) == ["a"] && reading.repeatedKeys.map(\.line) == [3])
            #expect(reading.list["a"] == .string("3"))
        }
        let many = "{" + String(repeating: "a = 1; ", count: 500) + "}"
        #expect(try PropertyListReader.readWhatIsThere(bytes: Array(many.utf8)).repeatedKeys.count == 20)
    }

    /// Shared objects are not spread out without bound in a damaged file either.
    @Test func aDamagedBombStaysSmall() throws {
        var objects: [[UInt8]] = [[0xA2, 1, 2]]
        for number in 1..<60 { objects.append([0xA2, UInt8(number + 1), UInt8(number + 2)]) }
        objects += [[0x51, 0x78], [0x51, 0x79], [0x51, 0x7A]]
        let bytes = Array("bplist00".utf8) + objects.joined()
        let reading = try? PropertyListReader.readWhatIsThere(bytes: bytes)
        #expect(reading?.fault != nil)
    }
}
