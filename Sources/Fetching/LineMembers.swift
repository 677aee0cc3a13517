package import ObjectStore
package import PlistConfig

/// The objects that the lines of a to-many show where each leads through an object of an intermediate entity: what to list of them.
package struct LineMembers: Sendable {
    private let object: ObjectID
    private let lines: ResolvedDetail.ToMany
    /// From the line's object to the one that it shows.
    private let target: ObjectKeyPath

    /// Nil where the lines show their own objects.
    package init?(of object: ObjectID, _ lines: ResolvedDetail.ToMany) {
        guard let target = lines.target else { return nil }
        self.object = object
        self.lines = lines
        self.target = target
    }

    private init(_ object: ObjectID, _ lines: ResolvedDetail.ToMany, _ target: ObjectKeyPath) {
        self.object = object
        self.lines = lines
        self.target = target
    }

    /// The same in a schema that has changed, as far as it is still there.
    package func resolvedAnew(in schema: Schema) -> LineMembers {
        LineMembers(object, lines, (try? schema.keyPath(target.text, in: lines.entityName)) ?? target)
    }

    /// The objects of a request that the lines show, each once: in the lines' order, or in that of the request where it has another.
    func fetch(
        _ request: FetchRequest, from store: any ObjectStore, progress: FetchProgress
    ) throws(StoreError) -> FetchedObjects {
        let between = try store.fetch(lines.request(for: object), progress: progress).keys
        let targets = try store.values(at: [target], of: Array(between), in: lines.entityName, as: .typed)
        var keys: ContiguousArray<ObjectKey> = []
        var known: Set<ObjectKey> = []
        for case .object(let found)? in targets.map({ $0?.first }) where known.insert(found.key).inserted {
            keys.append(found.key)
        }
        guard request.sortDescriptors.first?.key == .relationshipOrder else {
            return Self.only(known, of: try store.fetch(request, progress: progress))
        }
        if request.predicate != nil {
            var plain = request
            plain.sortDescriptors = []
            let wanted = Set(try store.fetch(plain, progress: progress).keys)
            keys.removeAll { !wanted.contains($0) }
        }
        return FetchedObjects(keys: keys, sections: keys.isEmpty ? [] : [FetchedObjects.Section(value: .null, count: keys.count)])
    }

    /// What of a fetch is in a set; sections of which nothing is left go.
    private static func only(_ known: Set<ObjectKey>, of fetched: FetchedObjects) -> FetchedObjects {
        var keys: ContiguousArray<ObjectKey> = []
        var sections: [FetchedObjects.Section] = []
        var start = 0
        for section in fetched.sections {
            let end = min(start + section.count, fetched.keys.count)
            let own = fetched.keys[start..<end].filter { known.contains($0) }
            start = end
            guard !own.isEmpty else { continue }
            keys += own
            sections.append(FetchedObjects.Section(value: section.value, count: own.count))
        }
        return FetchedObjects(keys: keys, sections: sections, fault: fetched.fault)
    }
}
