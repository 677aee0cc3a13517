import Foundation
import ObjectStore
import Reports
import Testing

@Suite struct SchemaReportTests {
    let report: SchemaReport = {
        let store = MemoryStore()
        return SchemaReport(schema: store.schema) { name throws(StoreError) in try store.count(of: name) }
    }()

    @Test func json() throws {
        let text = try report.json()
        #expect(
            text.hasPrefix(
                """
                {"entities": [
                  {"name": "Event", "table": "ZEVENT", "superentity": null, "abstract": false, "count": 12345, "attributes": [
                    {"name": "name", "type": "String", "column": "ZNAME"},
                """))
        #expect(text.contains("{\"name\": \"mood\", \"type\": \"String\", \"column\": null}"))
        #expect(
            text.contains(
                "{\"name\": \"guests\", \"destination\": \"Guest\", \"toMany\": true, \"ordered\": true, \"inverse\": \"event\"}")
        )
        let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [[String: Any]]]
        #expect(parsed?["entities"]?.compactMap { $0["name"] as? String } == ["Event", "Guest", "Person"])
        #expect(parsed?["entities"]?.compactMap { $0["superentity"] as? String } == ["Person"])
        #expect(
            try SchemaReport(schema: Schema(entities: [], origin: .inferred)) { _ throws(StoreError) in 0 }.json()
                == "{\"entities\": []}\n")
    }

    @Test func text() throws {
        #expect(
            try report.text(columns: 60, measure: PrintTests.measure)
                == """
                Event  table ZEVENT                          12,345 objects
                    name    String           ZNAME
                    when    Date             ZWHEN
                    free    Boolean          ZFREE
                    price   Double           ZPRICE
                    seats   Int64            ZSEATS
                    logo    Binary           ZLOGO
                    token   UUID             ZTOKEN
                    mood    String           transient
                    host    to-one           Guest
                    guests  ordered to-many  Guest, inverse event
                Guest  table ZPERSON  is a Person                  1 object
                    name   String  ZNAME
                    event  to-one  Event, inverse guests
                Person  table ZPERSON  abstract                    1 object

                """)
    }

    /// Names of metadata are told when asked for; there is no way to their values.
    @Test func metadataByNameAlone() throws {
        var schema = Schema(entities: [], origin: .inferred)
        schema.metadataKeys = ["NSStoreType", "token"]
        let report = SchemaReport(schema: schema) { _ throws(StoreError) in 0 }
        #expect(try !report.json().contains("token"))
        let object = try JSONSerialization.jsonObject(with: Data(report.json(withMetadata: true).utf8)) as? [String: Any]
        #expect(object?["metadataKeys"] as? [String] == ["NSStoreType", "token"])
    }
}
