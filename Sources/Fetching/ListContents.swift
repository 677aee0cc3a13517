package import IndexPathModel
package import ObjectStore
package import Presentation

/// A fetched list: its sections and object keys as an index-path model, and the index of its sections.
package struct ListContents: Sendable {
    package typealias Model = IndexPathDataModel<ObjectKey, ObjectKey>

    package let model: Model
    /// Nil where the list has no sections, or its plist wants no index.
    package let index: SectionIndex?
    /// Where the store broke, if only a part of it could be read.
    package let fault: StoreError?
    /// Objects of the entity, where the list's own predicate leaves some out; else nil.
    package let total: Int?
    /// What has become of the objects since the list was fetched before; nil where that is not known.
    package var changes: RowChanges?
    /// What was taken out of the model before, and put in; nil where that is not known.
    package var differences: IndexPathDifferences<ObjectKey, ObjectKey>?
    /// What the store found, where the model is just that; nil where it is not, as where sections have merged.
    package var fetched: FetchedObjects?
    /// Whether this is only the beginning of the list: its rows are in their final places, its counts say nothing.
    package let isPreview: Bool

    package init(model: Model, index: SectionIndex?, fault: StoreError? = nil, total: Int? = nil, isPreview: Bool = false) {
        self.isPreview = isPreview
        self.total = total
        self.model = model
        self.index = index
        self.fault = fault
    }
}

/// What one row of a list shows.
package struct ListRow: Sendable, Equatable {
    package let text: PresentedText
    /// Secondary texts; several where the list has columns.
    package let details: [PresentedText]

    package init(text: PresentedText, details: [PresentedText] = []) {
        self.text = text
        self.details = details
    }
}
