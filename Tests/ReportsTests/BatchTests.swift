import Fetching
import Foundation
import ObjectStore
import PlistConfig
import Presentation
import Reports
import Synchronization
import TestSupport
import Testing

/// Large lists: read in few calls, each row once, made into text by two workers, and the same text as row by row.
@Suite struct BatchTests {
    /// Counts what is read of the store behind it.
    final class CountingStore: ObjectStore {
        let store: MemoryStore
        /// Keys in the order in which they were asked for.
        let asked = Mutex<[[ObjectKey]]>([])
        let uris = Mutex<Int>(0)
        let largest: Int

        init(_ store: MemoryStore, largest: Int = .max) {
            self.store = store
            self.largest = largest
        }

        var name: String { store.name }
        var schema: Schema { store.schema }

        func fetch(_ request: FetchRequest, progress: FetchProgress) throws(StoreError) -> FetchedObjects {
            try store.fetch(request, progress: progress)
        }
        func count(of entityName: String) throws(StoreError) -> Int { try store.count(of: entityName) }
        func values(
            at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
        ) throws(StoreError) -> [[Value]?] { try store.values(at: keyPaths, of: keys, in: entityName, as: form) }
        func values(
            at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm, upTo most: Int
        ) throws(StoreError) -> [[Value]?]? {
            if keys.count > largest, most < .max { return nil }
            let values = try values(at: keyPaths, of: keys, in: entityName, as: form)
            asked.withLock { $0.append(keys) }
            return values
        }
        func uri(of object: ObjectID) -> String { store.uri(of: object) }
        func uris(of keys: [ObjectKey], in entityName: String) -> ObjectURIs {
            uris.withLock { $0 += 1 }
            return .keyed(prefix: "x-coredata://U/\(entityName)/p")
        }
        func concreteEntityName(of object: ObjectID) throws(StoreError) -> String { object.entityName }
    }

    /// Keys in no order, some of them of objects that are gone, in sections of many sizes.
    static func sample(_ count: Int) -> (store: MemoryStore, fetched: FetchedObjects) {
        var generator = SeededGenerator(seed: UInt64(count))
        var store = MemoryStore()
        let keys = (0..<count).map(Int64.init).shuffled(using: &generator)
        for key in keys where key % 97 != 5 {
            store.events[key] = [
                "name": [.null, .string(""), .string("a,\"b\"\n\t\\é\u{202E}\(key)"), .string("plain \(key)")][Int(key % 4)],
                "when": .date(Double(key) * 100_000.75),
            ]
        }
        var sections: [FetchedObjects.Section] = []
        var rest = count
        while rest > 0 {
            let size = min(rest, Int.random(in: 1...[3, 100, 5000][sections.count % 3], using: &generator))
            sections.append(.init(value: .string("section, \(sections.count)"), count: size))
            rest -= size
        }
        return (store, FetchedObjects(keys: ContiguousArray(keys), sections: sections))
    }

    func source(_ store: any ObjectStore, _ fetched: FetchedObjects) throws -> ListPrintSource {
        let list = try #require(PrintTests.description().resolve(in: store.schema).list)
        let presentation = ValuePresentation(localization: Localization(environment: ["LANG": "C", "TZ": "UTC"]))
        return ListPrintSource(store: store, list: list, contents: PrintTests.contents(fetched), presentation: presentation)
    }

    func print(_ source: ListPrintSource, _ format: PrintFormat) throws -> String {
        let output = ReportOutput()
        try ListPrinter(options: PrintOptions(format: format, measure: PrintTests.measure), output: output).print(source)
        return output.text
    }

    @Test(arguments: [0, 1, 2047, 9000, 70_000]) func everyRowIsReadOnceInFewCalls(count: Int) throws {
        let (memory, fetched) = BatchTests.sample(count)
        let store = CountingStore(memory)
        let text = try print(try source(store, fetched), .csv)
        let asked = store.asked.withLock { $0 }
        #expect(asked.flatMap(\.self) == Array(fetched.keys))
        // Small batches until the size of rows is known, large ones then.
        #expect(asked.count <= (count == 0 ? 0 : 2 + count / 30_000 + 1))
        #expect(store.uris.withLock { $0 } == asked.count)
        #expect(text.components(separatedBy: "x-coredata://U/Event/p").count - 1 == memory.events.count)
    }

    /// One row at a time, the plain way: what `RowReport` copies.
    @Test(arguments: [PrintFormat.tsv, .ndjson]) func theSameAsRowByRow(format: PrintFormat) throws {
        let (memory, fetched) = BatchTests.sample(5000)
        let lines = try print(try source(memory, fetched), format).split(separator: "\n").dropFirst(format == .tsv ? 1 : 0)
        let list = try #require(PrintTests.description().resolve(in: memory.schema).list)
        let presentation = ValuePresentation(localization: Localization(environment: ["LANG": "C", "TZ": "UTC"]))
        let titles = fetched.sections.flatMap { section -> [String?] in
            guard case .string(let text) = section.value else { return [] }
            return Array(repeating: text, count: section.count)
        }
        var expected: [String] = []
        for (key, title) in zip(fetched.keys, titles) {
            let row = ListPrintSource(store: memory, list: list, key: key, sectionTitle: title, presentation: presentation)
            let output = ReportOutput()
            try ListPrinter(options: PrintOptions(format: format, measure: PrintTests.measure), output: output).print(row)
            expected += output.text.split(separator: "\n").dropFirst(format == .tsv ? 1 : 0).map(String.init)
        }
        #expect(lines.map(String.init) == expected)
    }

    @Test func headersStandBeforeTheirRowsWhereverBatchesMeet() throws {
        let (memory, fetched) = BatchTests.sample(20_000)
        let lines = try print(try source(memory, fetched), .text).split(separator: "\n").dropFirst()
        #expect(lines.filter { $0.hasPrefix(" ▾") }.count == fetched.sections.count)
        #expect(lines.first?.hasPrefix(" ▾ section, 0") == true)
        var rows = 0
        var section = -1
        for line in lines {
            if line.hasPrefix(" ▾") {
                section += 1
                rows = 0
            } else {
                rows += 1
                #expect(rows <= fetched.sections[section].count)
            }
        }
        let json = try print(try source(memory, fetched), .json)
        let objects = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        #expect(objects.count == memory.events.count)
    }

    /// Where rows hold much, a large batch is given up and small ones are read: still every row once in what is printed.
    @Test func largeRowsAreReadInSmallBatches() throws {
        let (memory, fetched) = BatchTests.sample(9000)
        let store = CountingStore(memory, largest: 2000)
        #expect(try print(try source(store, fetched), .csv) == print(try source(memory, fetched), .csv))
        #expect(store.asked.withLock { $0 }.allSatisfy { $0.count <= 2000 })
        #expect(store.asked.withLock { $0 }.flatMap(\.self) == Array(fetched.keys))
    }

    @Test func whatStandsBeforeABreakIsPrinted() throws {
        var (memory, fetched) = BatchTests.sample(9000)
        fetched = FetchedObjects(keys: ContiguousArray((0..<9000).map(Int64.init)), sections: fetched.sections)
        memory.brokenFrom = 5000
        let source = try source(memory, fetched)
        let output = ReportOutput()
        let printer = ListPrinter(options: PrintOptions(format: .csv, measure: PrintTests.measure), output: output)
        #expect(throws: ListPrinter.Failure.store(StoreError(file: "memory", cause: .busy))) { try printer.print(source) }
        // To the last of the smallest batches that is whole.
        let whole = 5000 / 512 * 512
        #expect(output.text.contains("x-coredata://U/Event/p\(whole - 1),"))
        #expect(!output.text.contains("x-coredata://U/Event/p\(whole),"))
    }
}
