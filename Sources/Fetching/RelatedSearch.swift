package import ObjectStore
import Presentation

/// A search through the lines of a to-many section whose texts are not all read.
package struct RelatedSearch: Sendable, Equatable {
    package let query: SearchQuery
    /// Section of the detail, 0-based.
    package let section: Int
    package let keys: ContiguousArray<ObjectKey>
    /// Which of the keys are looked at.
    package let places: Range<Int>
    package let forward: Bool

    package init(_ query: SearchQuery, section: Int, keys: ContiguousArray<ObjectKey>, places: Range<Int>, forward: Bool) {
        self.query = query
        self.section = section
        self.keys = keys
        self.places = places
        self.forward = forward
    }
}

extension DetailFetcher {
    /// Lines that are read at once.
    private static let searchBatch = 512

    /// The place, among its keys, of the first line in a search's direction whose text holds the words; nil without one.
    ///
    /// Reads no further than that. O(lines looked at).
    package func hit(of search: RelatedSearch, as form: ValueForm, progress: FetchProgress) throws(StoreError) -> Int? {
        let places = search.places.clamped(to: search.keys.indices)
        progress.expect(places.count)
        var done = 0
        while done < places.count {
            guard !progress.isCancelled else { throw StoreError(file: "", cause: .cancelled) }
            let count = min(Self.searchBatch, places.count - done)
            let first = search.forward ? places.lowerBound + done : places.upperBound - done - count
            let batch = first..<(first + count)
            let rows = try relatedRows(section: search.section, keys: Array(search.keys[batch]), as: form)
            func isHit(_ place: Int) -> Bool {
                guard let known = rows[search.keys[place]], let row = known else { return false }
                return search.query.matches(row.text.text)
            }
            let found = search.forward ? batch.first(where: isHit) : batch.last(where: isHit)
            if let found { return found }
            done += count
            progress.report(done)
        }
        return nil
    }
}
