package import ObjectStore
package import Presentation

/// Something that can be printed: rows in sections, read in batches.
package protocol PrintSource {
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

    /// The rows at some places of the whole list, in order; nil for an object that is gone. Asked for a few hundred at a time.
    func rows(_ range: Range<Int>) throws(StoreError) -> [PrintedRow?]
}

extension PrintSource {
    package var noun: (one: String, many: String) { ("object", "objects") }
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

    package init(objectID: String, text: PresentedText, details: [PresentedText] = [], detailValues: [Value] = []) {
        self.objectID = objectID
        self.text = text
        self.details = details
        self.detailValues = detailValues
    }
}
