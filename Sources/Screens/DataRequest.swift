package import Fetching
package import ObjectStore
package import Presentation
package import TerminalUI

/// Data that a screen needs and does not have; answered by a `DataReply` of the same generation.
package struct DataRequest: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case list
        case rows([ObjectKey])
        /// The texts that a search will look at, to have them before somebody searches; nothing waits for the answer.
        case searchTexts
        /// How many objects there are in all and in each section if nothing narrows the list; nothing waits for the answer.
        case sectionCounts
        /// The rows of the list that hold the words.
        case matches(SearchQuery)
        case detail
        /// The whole value that a viewer shows; of a long text that may be an outline, the text.
        case value
        /// The same with its outline.
        case outline
        /// A picture, drawn for the terminal.
        case picture(PictureOrder)
        /// Texts of the objects of a to-many section.
        case related(section: Int, keys: [ObjectKey])
        /// The first object of a to-many section in whose text the words are.
        case relatedHit(RelatedSearch)
    }

    package let kind: Kind
    /// Grows with each reload of the screen: replies to older ones are dropped.
    package let generation: Int
    package let form: ValueForm
    /// What narrows the list that is asked for; nil: nothing.
    package var predicate: ResolvedPredicate?
    /// So many objects from the list's beginning are welcome ahead of the list; nil: none.
    package var previewLimit: Int?

    /// The same for something else.
    package func asking(for kind: Kind) -> DataRequest { DataRequest(kind: kind, generation: generation, form: form) }
}

/// The answer to a request.
package struct DataReply: Sendable {
    package enum Kind: Sendable {
        /// The list, or, where the contents say so, its beginning only: then the list follows.
        case list(ListContents)
        /// Rows by key; nil for an object that is gone.
        case rows([ObjectKey: ListRow?])
        case matches(ListMatches)
        case sectionCounts(SectionCounts)
        /// Nil when the object is gone.
        case detail(DetailContents?)
        /// Nil when the object or its value is gone.
        case value(ViewedContent?)
        /// A picture drawn for a part of the screen of this size.
        case picture(DrawnPicture, for: Size)
        case related(section: Int, rows: [ObjectKey: RelatedRow?])
        /// Its place among the search's keys; nil where there is none.
        case relatedHit(RelatedSearch, place: Int?)
        /// What came of work that no screen asked for.
        case effects([Effect])
        /// Whatever was asked for, this came of it.
        case failure(DataRequest.Kind, StoreError)
    }

    package let kind: Kind
    package let generation: Int

    package init(_ kind: Kind, generation: Int) {
        self.kind = kind
        self.generation = generation
    }
}
