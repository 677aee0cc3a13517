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

    @Test func longPropertyListIntegersAreExact() throws {
        let text = "<plist><array><dict><key>a</key><integer>18446744073709551615</integer></dict></array></plist>"
        #expect(try folder.open("p.plist", text).column("a", of: "p") == [.source("18446744073709551615")])
    }
}
