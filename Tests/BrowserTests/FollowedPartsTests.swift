import Dispatch
import Glibc
import ObjectStore
import Presentation
import PropertyLists
import Screens
import Synchronization
import TerminalUI
import TestSupport
import Testing

@testable import Browser

/// What follows the store beside lists: parts of values, documents with any name, the list of entities.
struct FollowedPartsTests {
    /// Answers with the value that it has at the time.
    private final class Values: ScreenSource {
        let text: Mutex<String?>
        init(_ text: String) { self.text = Mutex(text) }

        func answer(_ request: DataRequest, progress: FetchProgress) throws(StoreError) -> DataReply.Kind {
            .value(text.withLock { $0 }.map { ViewedContent(text: $0) })
        }
    }

    @Test func aPartFollowsTheValueThatItIsAPartOf() throws {
        let long = String(repeating: "long ", count: 20)
        let whole = Values("{\"a\": [1, \"\(long)\"], \"b\": 2}")
        var screen = ViewerScreen(ViewedContent(text: try #require(whole.text.withLock { $0 })), breadcrumb: [])
        screen.resize(to: Size(rows: 20, columns: 60))
        _ = screen.perform(.expandAll)
        for _ in 0..<3 { _ = screen.perform(.moveDown) }
        guard case .viewPart(_, _, let place)? = screen.perform(.open).first else {
            Issue.record("no part")
            return
        }
        let source = PartSource(whole: whole, place: place)
        var copy = ViewerScreen(breadcrumb: [])
        let request = try #require(copy.takeRequests().first)
        func text() throws -> String? {
            guard case .value(let content) = try source.answer(request, progress: FetchProgress()) else { return nil }
            return content.map { String(decoding: $0.stored, as: UTF8.self) }
        }
        #expect(try text() == long)
        // The key stands elsewhere now, and holds another text.
        whole.text.withLock { $0 = "{\"0\": 0, \"a\": [7, \"new\"]}" }
        #expect(try text() == "new")
        whole.text.withLock { $0 = "{\"a\": [7]}" }
        #expect(try text() == nil)
        whole.text.withLock { $0 = nil }
        #expect(try text() == nil)
    }

    /// An entity keeps its key whatever others come and go.
    @Test func anEntityIsKnownByItsName() {
        let names = (0..<2_000).map { "Entity\($0)" }
        #expect(Set(names.map { EntityListSource.key(of: $0) }).count == names.count)
        let schema = Schema(entities: [Entity(name: "B", tableName: ""), Entity(name: "A", tableName: "")], origin: .inferred)
        #expect(EntityListSource.entity(EntityListSource.key(of: "A"), in: schema)?.name == "A")
        #expect(EntityListSource.entity(EntityListSource.key(of: "C"), in: schema) == nil)
        #expect(EntityListSource.entity(0, in: schema) == nil)
    }

    /// A file whose name is no UTF-8 is heard of.
    @Test func namesThatAreNoTextAreHeardOf() async throws {
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let name = SystemPath.text([0xFF, 0x61].map { CChar(bitPattern: $0) } + [0])
        let path = folder.path + "/" + name
        func write(_ text: String) {
            let descriptor = SystemPath.withCString(path) { open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
            text.withCString { _ = Glibc.write(descriptor, $0, text.utf8.count) }
            close(descriptor)
        }
        write("[]")
        let (heard, continuation) = AsyncStream<Void>.makeStream()
        let queue = DispatchQueue(label: "test")
        let events = FolderEvents(folder: folder.path, names: [name], queue: queue) { continuation.yield() }
        #expect(events != nil)
        let before = SystemPath.status(path).flatMap { FileState($0) }
        write("[1]")
        var iterator = heard.makeAsyncIterator()
        await iterator.next()
        #expect(before != nil && SystemPath.status(path).flatMap { FileState($0) } != before)
        withExtendedLifetime(events) {}
    }
}
