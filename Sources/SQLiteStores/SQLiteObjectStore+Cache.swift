import Foundation
import ObjectStore
internal import _FoundationICU

// Orders that were made before, for the same files.
extension SQLiteObjectStore {
    /// What an order is kept as.
    struct CachePlace: Equatable {
        let cache: OrderCache
        let list: Fingerprint
        let state: Fingerprint

        static func == (left: CachePlace, right: CachePlace) -> Bool { left.list == right.list && left.state == right.state }
    }

    /// Where the order of a list is kept while its files are as they are now; nil where it is not: lists of relationships, damaged
    /// stores, files that were just written.
    func cachePlace(of request: FetchRequest, _ plan: FetchPlan) -> CachePlace? {
        guard let cache = options.orderCache, let file = source.file, request.scope == .all, request.fetchLimit == nil,
            !schema.isDamaged, cache.mayKeepOrders(of: file), let state = Fingerprint(stateOf: file, settledFor: cache.settleTime)
        else { return nil }
        var list = Fingerprint()
        list.add(file.path)
        list.add(plan.sql)
        list.add("\(plan.parameters)")
        for descriptor in request.sortDescriptors {
            if case .keyPath(let path) = descriptor.key { list.add(path.text + " " + String(describing: path.type)) }
            list.add("\(descriptor.selector) \(descriptor.ascending)")
        }
        list.add(request.sectionKeyPath.map { $0.text + " " + String(describing: $0.type) } ?? "")
        list.add("\(options.localeIdentifier) \(options.timeZone.identifier) \(U_ICU_VERSION)")
        return CachePlace(cache: cache, list: list, state: state)
    }

    /// The kept order; nil where there is none. O(objects) to read; its beginning is handed over before.
    func cachedObjects(_ request: FetchRequest, _ place: CachePlace, first: FirstObjects?) -> FetchedObjects? {
        guard let order = place.cache.order(of: place.list, in: place.state) else { return nil }
        if let first, order.count >= first.leastCount, let keys = order.firstKeys(first.limit) {
            var left = keys.count
            var counts: [Int] = []
            for count in order.counts where left > 0 {
                counts.append(min(count, left))
                left -= min(count, left)
            }
            if let sections = sections(request, counts, order.firstKeyOfEachSection(keys)) {
                first.receive(FetchedObjects(keys: keys, sections: sections))
            }
        }
        let budget = MemoryBudget(limit: options.memoryLimit, isPrivate: options.isPrivate)
        guard let keys = order.keys(budget), let sections = sections(request, order.counts, order.firstKeyOfEachSection(keys))
        else {
            return nil
        }
        return FetchedObjects(keys: keys, sections: sections)
    }

    /// The sections by the values of their first objects, which the cache does not hold.
    private func sections(_ request: FetchRequest, _ counts: [Int], _ keys: [ObjectKey]) -> [FetchedObjects.Section]? {
        guard let path = request.sectionKeyPath else {
            return counts.map { FetchedObjects.Section(value: .null, count: $0) }
        }
        guard let found = try? values(at: [path], of: keys, in: request.entityName, as: .typed), found.count == counts.count
        else { return nil }
        var sections: [FetchedObjects.Section] = []
        for (count, values) in zip(counts, found) {
            guard let value = values?.first else { return nil }
            sections.append(FetchedObjects.Section(value: value, count: count))
        }
        return sections
    }
}
