import ObjectStore
import Synchronization
import TestSupport
import Testing

@testable import Browser

/// A writer that commits between any two steps of the reader, in every way there is: what is shown in the end is what was written
/// last.
struct LostChangesTests {
    /// What a script has happen between two steps.
    private enum Deed: Int, CaseIterable {
        case nothing
        case commit
        /// A commit that leaves the file's time as it is, where the clock has not ticked.
        case commitWithinTick
    }

    /// What lies on the disk, and the writer's script.
    private final class Disk: Sendable {
        struct State {
            var script: ArraySlice<Deed>
            /// What was written last.
            var version = 0
            var tick = 0
            /// Steps since the clock ticked.
            var age = 9
        }

        private let state: Mutex<State>
        init(_ script: [Deed]) { state = Mutex(State(script: script[...])) }

        /// So many steps fit into one tick of the clock that times of files are taken from.
        private static let stepsPerTick = 6

        var isQuiet: Bool { state.withLock { $0.script.isEmpty } }
        var version: Int { state.withLock { $0.version } }

        /// A step of the reader, between two deeds of the writer.
        func step<Result>(_ read: (State, Bool) -> Result) -> Result {
            state.withLock { state in
                Self.act(&state)
                let result = read(state, state.age >= Self.stepsPerTick)
                Self.act(&state)
                return result
            }
        }

        private static func act(_ state: inout State) {
            state.age += 1
            switch state.script.popFirst() ?? .nothing {
            case .nothing: return
            case .commitWithinTick where state.age < stepsPerTick: state.version += 1
            case .commit, .commitWithinTick:
                state.version += 1
                state.tick += 1
                state.age = 0
            }
        }

        func fileState() -> FileState { step { FileState(stamps: [Int64($0.tick)], isSettled: $1) } }
    }

    /// A store whose schema names the version that it was opened with.
    private final class VersionedStore: ObjectStore {
        let disk: Disk
        let version: Int
        let file: String? = "/nowhere/at/all"
        let name = "versions"
        let schema: Schema

        init(_ disk: Disk) {
            self.disk = disk
            version = disk.step { state, _ in state.version }
            schema = Schema(entities: [Entity(name: "v\(version)", tableName: "")], origin: .inferred)
        }

        func fileState() -> FileState? { disk.step { state, _ in FileState(stamps: [Int64(state.version)]) } }
        func refresh() throws(StoreError) -> StoreRefresh {
            disk.step { state, _ in state.version } == version ? .same : .otherSchema
        }

        func fetch(_ request: FetchRequest, progress: FetchProgress) throws(StoreError) -> FetchedObjects { throw Self.nothing }
        func count(of entityName: String) throws(StoreError) -> Int { throw Self.nothing }
        func values(
            at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
        ) throws(StoreError) -> [[Value]?] { throw Self.nothing }
        func uri(of object: ObjectID) -> String { "" }
        func concreteEntityName(of object: ObjectID) throws(StoreError) -> String { throw Self.nothing }

        private static let nothing = StoreError(file: "versions", cause: .missing)
    }

    private static func shownVersion(after script: [Deed], _ rule: ReopeningStore.Rule) throws -> (shown: String?, written: Int) {
        let disk = Disk(script)
        let store = try ReopeningStore(file: "/nowhere/at/all", rule, state: { disk.fileState() }) { () throws(StoreError) in
            VersionedStore(disk)
        }
        var shown = store.schema.entities.first?.name
        var observed = ObservedStore(store, first: store.fileState())
        // The screen reads what is there after the first state was noted.
        shown = store.schema.entities.first?.name
        var time = Duration.zero
        var calmLooks = 0
        while calmLooks < 8 {
            if disk.isQuiet { calmLooks += 1 }
            for report in observed.look(at: { time }) where report != .gone { shown = store.schema.entities.first?.name }
            time = max(time + .milliseconds(1), observed.rules.nextLook)
        }
        return (shown, disk.version)
    }

    @Test func noCommitOfADatabaseIsLost() throws {
        for number in 0..<(1 << 11) {
            let script = (0..<11).map { number >> $0 & 1 == 0 ? Deed.nothing : .commit }
            let (shown, written) = try Self.shownVersion(after: script, .whenOutdated)
            #expect(shown == "v\(written)", "\(script)")
        }
    }

    @Test func noChangeOfADocumentIsLost() throws {
        for number in 0..<6561 {
            var rest = number
            var script: [Deed] = []
            for _ in 0..<8 {
                script.append(Deed(rawValue: rest % 3) ?? .nothing)
                rest /= 3
            }
            let (shown, written) = try Self.shownVersion(after: script, .whenChanged)
            #expect(shown == "v\(written)", "\(script)")
        }
    }

    /// `r` reads a document anew though nothing says that it has changed.
    @Test func byHandADocumentIsReadInAnyCase() throws {
        let number = Mutex(0)
        let store = try ReopeningStore(file: "/nowhere/at/all", .whenChanged, state: { FileState(stamps: [1]) }) {
            () throws(StoreError) in
            let version = number.withLock { number in
                number += 1
                return number
            }
            let schema = Schema(entities: [Entity(name: "v\(version)", tableName: "")], origin: .inferred)
            return MemoryObjectStore(schema: schema, objects: [])
        }
        #expect(try store.refresh() == .same && store.schema.entity(named: "v1") != nil)
        #expect(try store.reread() == .otherSchema && store.schema.entity(named: "v2") != nil)
    }

    /// A text of lines that became shorter in its place may be one of which more is to come; one that took its place is whole.
    @Test(arguments: [Duration.zero, .seconds(3600)]) func aShorterTextIsWaitedFor(patience: Duration) throws {
        let disk = Mutex((node: Int64(1), size: Int64(100), time: Int64(1)))
        let store = try ReopeningStore(
            file: "/nowhere/at/all", .whenChanged,
            state: { disk.withLock { FileState(stamps: [1, $0.node, $0.size, $0.time, 0, $0.time, 0]) } }, patience: patience
        ) { () throws(StoreError) in
            let schema = Schema(entities: [Entity(name: "v\(disk.withLock { $0.time })", tableName: "")], origin: .inferred)
            return MemoryObjectStore(schema: schema, objects: [])
        }
        for (number, change) in [(1, 90), (1, 95), (2, 80), (2, 120), (2, 0)].enumerated() {
            let before = disk.withLock { $0 }
            let shown = store.schema.entities.first?.name
            disk.withLock { $0 = (Int64(change.0), Int64(change.1), Int64(number + 2)) }
            let isShorter = before.node == Int64(change.0) && Int64(change.1) < before.size
            guard isShorter else {
                #expect(try store.refresh() == .otherSchema)
                continue
            }
            #expect(try store.refresh() == .unfinished && store.schema.entities.first?.name == shown)
            if patience == .zero {
                #expect(try store.refresh() == .otherSchema && store.schema.entities.first?.name == "v\(number + 2)")
            } else {
                #expect(try store.refresh() == .unfinished)
                // More has come.
                disk.withLock { $0 = (before.node, before.size, Int64(number + 2)) }
                #expect(try store.refresh() == .otherSchema)
            }
        }
    }

    /// A whole document stays while a part of the next one is all there is; what stays a part is shown in the end.
    @Test func aPartOfADocumentIsWaitedFor() throws {
        for patience in [Duration.zero, .seconds(3600)] {
            let contents = Mutex((number: Int64(1), isWhole: true))
            let store = try ReopeningStore(
                file: "/nowhere/at/all", .whenChanged, state: { FileState(stamps: [contents.withLock { $0.number }]) },
                patience: patience
            ) { () throws(StoreError) in
                let now = contents.withLock { $0 }
                var schema = Schema(entities: [Entity(name: "v\(now.number)", tableName: "")], origin: .inferred)
                schema.isDamaged = !now.isWhole
                return MemoryObjectStore(schema: schema, objects: [])
            }
            var observed = ObservedStore(store, first: store.fileState())
            var time = Duration.zero
            func reports() -> [StoreObservation.Report] {
                time += .seconds(1)
                return observed.look(at: { time })
            }
            #expect(reports().isEmpty)
            contents.withLock { $0 = (2, false) }
            #expect(reports().isEmpty && observed.isRefused && store.schema.entity(named: "v1") != nil)
            if patience == .zero {
                #expect(reports() == [.changed(.otherSchema)] && store.schema.isDamaged)
                continue
            }
            #expect(reports() == [.unfinished] && store.schema.entity(named: "v1") != nil)
            contents.withLock { $0 = (3, true) }
            #expect(reports() == [.changed(.otherSchema)] && !observed.isRefused)
            #expect(store.schema.entity(named: "v3") != nil)
        }
    }
}
