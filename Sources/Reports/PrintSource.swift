package import Fetching
package import ObjectStore
package import Presentation

/// Something that can be printed: rows in sections, read in batches and then made into texts, one by one.
package protocol PrintSource: Sendable {
    /// What was read of some rows; holds all that their texts need.
    associatedtype Batch: Sendable

    /// The list's title.
    var title: String { get }
    /// What a row is called in the count, and what several are: `object`, `objects`.
    var noun: (one: String, many: String) { get }
    /// Whether rows are grouped: without, there is one section and no header.
    var isSectioned: Bool { get }
    var sections: [PrintedSection] { get }
    /// Headings of the secondary texts where they are columns; empty where there is one.
    var columnHeadings: [String] { get }
    /// Key paths of the detail's values; empty without `--details`.
    var detailKeyPaths: [String] { get }
    /// Labels of the detail's rows where its texts are printed; else empty.
    var detailLabels: [String] { get }
    /// Of how many objects those are that are printed, where something leaves others out; else nil.
    var total: Int? { get }
    /// Why nothing is printed when nothing is printed; nil: the count says it all.
    var emptyReason: String? { get }

    /// Reads the rows at some places of the whole list; fewer than asked for, but at least one, where they hold too much at once.
    func read(_ places: Range<Int>) throws(StoreError) -> (batch: Batch, count: Int)

    /// Makes rows of a batch, by their places in it, in order; objects that are gone are left out.
    ///
    /// - Parameter worker: 0 or 1. Two workers may ask at the same time, each for other rows.
    func rows(_ places: Range<Int>, of batch: Batch, worker: Int, _ body: (PrintedRow) -> Void)
}

extension PrintSource {
    package var noun: (one: String, many: String) { ("object", "objects") }
    package var detailLabels: [String] { [] }
    package var total: Int? { nil }
    package var emptyReason: String? { nil }
}

/// A section as it is printed.
package struct PrintedSection: Sendable, Equatable {
    /// Nil for the section of missing values.
    package var title: String?
    package var count: Int

    package init(title: String?, count: Int) {
        self.title = title
        self.count = count
    }
}

/// One object as it is printed.
package struct PrintedRow: Sendable, Equatable {
    /// The object's URI.
    package var objectID: String
    package var text: PresentedText
    package var details: [PresentedText]
    /// In the order of the source's `detailKeyPaths`; objects already replaced by their URIs.
    package var detailValues: [Value]
    /// What the detail shows of the object, where its texts are printed.
    package var shownDetail: [PrintedDetail] = []

    package init(objectID: String, text: PresentedText, details: [PresentedText] = [], detailValues: [Value] = []) {
        self.objectID = objectID
        self.text = text
        self.details = details
        self.detailValues = detailValues
    }
}
