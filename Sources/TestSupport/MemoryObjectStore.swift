import Foundation
package import ObjectStore
import Synchronization

/// A store in memory, for tests: plain loops, nothing fast, every call counted.
///
/// Values are given by property name; a to-one as `.object`, a to-many as a `.list` of `.object`. It sorts strings by their
/// lower-cased text, NULL first, ties by key.
package final class MemoryObjectStore: ObjectStore {
    /// An object as given.
    package struct Object: Sendable {
        package let id: ObjectID
        package let values: [String: Value]

        package init(_ entityName: String, _ key: ObjectKey, _ values: [String: Value]) {
            id = ObjectID(entityName: entityName, key: key)
            self.values = values
        }
    }

    package let schema: Schema
    package let name = "memory"
    /// Called first in each fetch; may wait, report progress, or throw.
    private let beforeFetch: @Sendable (FetchRequest, FetchProgress) throws(StoreError) -> Void
    private let contents: Mutex<[ObjectID: Object]>
    private let isQuick: Bool
    private let counts = Mutex((fetches: 0, reads: 0))

    package init(
        schema: Schema, objects: [Object], isQuick: Bool = false,
        beforeFetch: @escaping @Sendable (FetchRequest, FetchProgress) throws(StoreError) -> Void = { _, _ throws(StoreError) in }
    ) {
        self.isQuick = isQuick
        self.schema = schema
        self.beforeFetch = beforeFetch
        contents = Mutex(Dictionary(objects.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    /// A copy of the objects as they are now, with counts of its own.
    package func ofOneState() throws(StoreError) -> any ObjectStore {
        MemoryObjectStore(schema: schema, objects: contents.withLock { Array($0.values) })
    }

    /// Calls of `fetch` so far.
    package var fetches: Int { counts.withLock { $0.fetches } }
    /// Calls of `values` so far.
    package var reads: Int { counts.withLock { $0.reads } }

    /// Puts an object in, or in the place of the one with its ID.
    package func insert(_ object: Object) { contents.withLock { $0[object.id] = object } }
    package func delete(_ id: ObjectID) { contents.withLock { $0[id] = nil } }

    package func isQuick(_ request: FetchRequest) -> Bool { isQuick }

    package func count(of entityName: String) throws(StoreError) -> Int { objects(of: entityName).count }
    package func uri(of object: ObjectID) -> String { "memory://\(object.entityName)/\(object.key)" }

    package func concreteEntityName(of object: ObjectID) throws(StoreError) -> String {
        found(object.entityName, object.key)?.id.entityName ?? object.entityName
    }

    package func fetch(_ request: FetchRequest, progress: FetchProgress) throws(StoreError) -> FetchedObjects {
        counts.withLock { $0.fetches += 1 }
        try beforeFetch(request, progress)
        if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
        var chosen: [Object]
        switch request.scope {
        case .all: chosen = objects(of: request.entityName).sorted { $0.id.key < $1.id.key }
        case .related(let owner, let relationship):
            guard case .list(let members)? = found(owner.entityName, owner.key)?.values[relationship] else {
                return FetchedObjects(keys: [], sections: [])
            }
            chosen = members.compactMap { member in
                if case .object(let id) = member { found(id.entityName, id.key) } else { nil }
            }
        }
        let isStoredOrder = request.sortDescriptors.contains { $0.key == .relationshipOrder }
        if !isStoredOrder {
            chosen.sort { left, right in
                for descriptor in request.sortDescriptors {
                    guard case .keyPath(let path) = descriptor.key else { continue }
                    let order = Self.order(value(at: path, of: left), value(at: path, of: right))
                    if order != 0 { return descriptor.ascending ? order < 0 : order > 0 }
                }
                return left.id.key < right.id.key
            }
        }
        if let limit = request.fetchLimit { chosen = Array(chosen.prefix(limit)) }
        guard let path = request.sectionKeyPath else {
            let section = FetchedObjects.Section(value: .null, count: chosen.count)
            return FetchedObjects(keys: ContiguousArray(chosen.map(\.id.key)), sections: chosen.isEmpty ? [] : [section])
        }
        var groups: [(value: Value, keys: [ObjectKey])] = []
        for object in chosen {
            let value = value(at: path, of: object)
            if let place = groups.firstIndex(where: { $0.value == value }) {
                groups[place].keys.append(object.id.key)
            } else {
                groups.append((value, [object.id.key]))
            }
        }
        return FetchedObjects(
            keys: ContiguousArray(groups.flatMap(\.keys)), sections: groups.map { .init(value: $0.value, count: $0.keys.count) })
    }

    /// Stored form: booleans 0 and 1, dates their seconds, objects their key.
    package func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
    ) throws(StoreError) -> [[Value]?] {
        counts.withLock { $0.reads += 1 }
        return keys.map { key in
            guard let object = found(entityName, key) else { return nil }
            return keyPaths.map { path in
                let value = value(at: path, of: object)
                return form == .stored ? Self.stored(value) : value
            }
        }
    }

    // MARK: Plain evaluation

    private func objects(of entityName: String) -> [Object] {
        let names = Set(schema.subentities(of: entityName).map(\.name))
        return contents.withLock { $0.values.filter { names.contains($0.id.entityName) } }
    }

    private func found(_ entityName: String, _ key: ObjectKey) -> Object? {
        let names = schema.subentities(of: entityName).map(\.name)
        return names.lazy.compactMap { name in
            self.contents.withLock { $0[ObjectID(entityName: name, key: key)] }
        }.first
    }

    private func value(at path: ObjectKeyPath, of object: Object) -> Value {
        var reached = [object]
        for relationship in path.relationships {
            reached = reached.flatMap { from in
                switch from.values[relationship] {
                case .object(let id)?: [found(id.entityName, id.key)].compactMap { $0 }
                case .list(let members)?:
                    members.compactMap { if case .object(let id) = $0 { found(id.entityName, id.key) } else { nil } }
                default: [Object]()
                }
            }
        }
        let values: [Value]
        switch path.ending {
        case .count: return .integer(Int64(reached.count))
        case .object: values = reached.map { .object($0.id) }
        case .attribute(let name), .aggregate(_, let name): values = reached.map { $0.values[name] ?? .null }
        case .members(let name): values = reached.flatMap { Self.members($0.values[name]) }
        case .memberCount(let name): return .integer(Int64(reached.first.map { Self.members($0.values[name]).count } ?? 0))
        }
        if path.isToMany { return .list(values) }
        return derived(values.first ?? .null, path.derivation)
    }

    private static func members(_ value: Value?) -> [Value] {
        switch value {
        case nil, .null?: []
        case .list(let members)?: members
        case let value?: [value]
        }
    }

    private func derived(_ value: Value, _ derivation: ObjectKeyPath.Derivation?) -> Value {
        guard derivation == .firstLetter || derivation == .nameFirstLetter, case .string(let text) = value else { return value }
        return .string(text.first.map { $0.isLetter ? $0.uppercased() : "#" } ?? "")
    }

    private static func stored(_ value: Value) -> Value {
        switch value {
        case .boolean(let flag): .integer(flag ? 1 : 0)
        case .date(let seconds): .double(seconds)
        case .object(let object): .integer(object.key)
        case .list(let values): .list(values.map(stored))
        default: value
        }
    }

    private static func order(_ left: Value, _ right: Value) -> Int {
        switch (left, right) {
        case (.null, .null): 0
        case (.null, _): -1
        case (_, .null): 1
        case (.string(let left), .string(let right)): order(of: left.lowercased(), right.lowercased())
        case (.integer(let left), .integer(let right)): order(of: left, right)
        case (.double(let left), .double(let right)), (.date(let left), .date(let right)): order(of: left, right)
        default: order(of: "\(left)", "\(right)")
        }
    }

    private static func order<Key: Comparable>(of left: Key, _ right: Key) -> Int { left < right ? -1 : left > right ? 1 : 0 }
}
