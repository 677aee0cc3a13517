import DocumentStores
import Foundation
import ObjectStore
import Testing

/// Documents that are nearly none.
@Suite struct OddDocumentTests {
    let folder: DocumentFolder
    init() throws { folder = try DocumentFolder() }

    @Test func aNulByteIsNoReasonToRefuse() throws {
        let store = try folder.open("n.csv", "id,n\n1,a\0b\n2,c\n")
        #expect(try store.column("n", of: "n") == [.string("a\0b"), .string("c")])
    }

    @Test func whatHoldsNothingSaysSo() throws {
        #expect(try folder.problem("b.csv", "\n\n") == "there is nothing in it")
        #expect(try folder.problem("b.json", "") == "the file is empty")
        for name in ["b.csv", "b.json"] { #expect(DocumentStore.isNamedAsOne(path: folder.path + "/" + name)) }
        #expect(!DocumentStore.isNamedAsOne(path: try folder.write("c.csv", "SQLite format 3\0".utf8)))
    }

    @Test func repeatedNamesAreNumbered() throws {
        let store = try folder.open("d.csv", "id,name,id\n1,a,2\n")
        #expect(try store.column("id2", of: "d") == [.integer(2)])
        #expect(store.schema.warnings.count == 1)
    }

    /// One damaged object costs its own value, and the warning says where it is.
    @Test func aDamagedBinaryListKeepsTheRest() throws {
        let list = (0..<50).map { ["name": "n\($0)", "n": $0 + 1000] as [String: Any] }
        var bytes = [UInt8](try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("n17".utf8)) }) - 1
        bytes[place] = 0xFF
        let store = try DocumentStore.open(path: folder.write("d.plist", bytes))
        #expect(try store.count(of: "d") == 50)
        let names = try store.column("name", of: "d")
        #expect(names.filter { $0 == .null }.count == 1 && names.contains(.string("n49")))
        #expect(store.schema.isDamaged)
        #expect(store.schema.warnings == ["Damaged at byte \(place): unknown kind 0xff; all other values are kept, 1 is lost."])
    }

    @Test func longPropertyListIntegersAreExact() throws {
        let text = "<plist><array><dict><key>a</key><integer>18446744073709551615</integer></dict></array></plist>"
        #expect(try folder.open("p.plist", text).column("a", of: "p") == [.source("18446744073709551615")])
    }
}
