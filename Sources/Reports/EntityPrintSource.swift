package import ObjectStore
import Presentation

/// The entities of a store as a list that is printed, with their counts: what `--print` gives where no entity is named.
package struct EntityPrintSource: PrintSource {
    package let title: String
    package let noun = (one: "entity", many: "entities")
    package let isSectioned = false
    package let sections: [PrintedSection]
    package let columnHeadings: [String] = []
    package let detailKeyPaths: [String] = []
    private let entities: [Entity]
    /// For the count of one view; in seconds.
    package static let longest = 3.0
    private let store: any ObjectStore

    /// - Parameter entities: those to print, in their order; nil: all but system entities.
    package init(title: String, store: any ObjectStore, entities: [Entity]? = nil) {
        self.title = title
        self.store = store
        let entities = entities ?? store.schema.entities.filter { !$0.isSystem }
        self.entities = entities
        sections = entities.isEmpty ? [] : [PrintedSection(title: nil, count: entities.count)]
    }

    package func read(_ places: Range<Int>) throws(StoreError) -> (batch: [PrintedRow], count: Int) {
        var rows: [PrintedRow] = []
        for entity in entities[places.clamped(to: entities.indices)] {
            let count: PresentedText
            do throws(StoreError) {
                let found = try store.readableCount(of: entity.name, within: Self.longest)
                count = PresentedText(String(found.count) + (found.isWhole ? "" : " (damaged)"))
            } catch {
                // An endless view is no reason to hide the others.
                guard error.cause == .takesTooLong else { throw error }
                count = PresentedText("(takes too long to count)", isPlaceholder: true)
            }
            rows.append(PrintedRow(objectID: entity.name, text: PresentedText(entity.name), details: [count]))
        }
        return (rows, places.count)
    }

    package func rows(_ places: Range<Int>, of batch: [PrintedRow], worker: Int, _ body: (PrintedRow) -> Void) {
        for row in batch[places.clamped(to: batch.indices)] { body(row) }
    }
}
