package import IndexPathModel
package import ObjectStore

/// How many objects a list has that nothing narrows: in all, and in each section.
package struct SectionCounts: Sendable, Equatable {
    /// Nil where it could not be found out.
    package let total: Int?
    package let bySection: [SectionName: Int]

    package init(total: Int?, bySection: [SectionName: Int]) {
        self.total = total
        self.bySection = bySection
    }
}

extension ListFetcher {
    /// Counts the list's objects: a fetch without an order, unless a limit leaves some out by it. O(objects).
    package func sectionCounts(progress: FetchProgress) throws(StoreError) -> SectionCounts {
        var request = request
        if members == nil, request.fetchLimit == nil, request.scope == .all { request.sortDescriptors = [] }
        let fetched = try fetch(request, progress: progress)
        guard request.sectionKeyPath != nil else { return SectionCounts(total: fetched.keys.count, bySection: [:]) }
        let counts = fetched.sections.map { (SectionName(title(of: $0.value)), $0.count) }
        return SectionCounts(total: fetched.keys.count, bySection: Dictionary(counts, uniquingKeysWith: +))
    }
}
