package import ObjectStore
package import PlistConfig
package import Presentation

/// A fetched object as its detail shows it.
package struct DetailContents: Sendable, Equatable {
    package var objectID: ObjectID
    /// The text that the list shows for the object.
    package var title: PresentedText
    package var sections: [DetailSection]

    package init(objectID: ObjectID, title: PresentedText, sections: [DetailSection]) {
        self.objectID = objectID
        self.title = title
        self.sections = sections
    }
}

/// One section of a detail: rows that are known, or the objects of a to-many relationship, whose texts come as they are seen.
package struct DetailSection: Sendable, Equatable {
    package enum Body: Sendable, Equatable {
        case rows([DetailRow])
        case related(RelatedObjects)
    }

    package var title: String?
    package var body: Body

    package init(title: String?, body: Body) {
        self.title = title
        self.body = body
    }
}

/// One row of a detail with its value.
package struct DetailRow: Sendable, Equatable {
    package var type: DetailDescription.RowType
    package var label: String?
    package var value: PresentedText
    /// Whether the value is longer than what is here of it.
    package var isCut = false
    /// State of a switch; nil where the value is missing or is none.
    package var isOn: Bool?
    /// Whether Enter opens the value in a viewer.
    package var hasViewer = false
    /// The object that the row leads to.
    package var destination: ObjectID?
    /// Detail plist that the row names for its destination.
    package var detailViewPropertyListFile: String?
    /// Why the row shows no value: an unknown type, a key path that is not there.
    package var unavailable: String?

    package init(type: DetailDescription.RowType, label: String?, value: PresentedText) {
        self.type = type
        self.label = label
        self.value = value
    }
}

/// The objects at the far end of a to-many relationship, in order.
package struct RelatedObjects: Sendable, Equatable {
    package var label: String?
    package var keys: ContiguousArray<ObjectKey>
    package var relationshipName: String
    /// Where the lines lead through an intermediate entity: how to find the objects that they show; else nil.
    package var lines: ResolvedDetail.ToMany?
    package var detailViewPropertyListFile: String?
    /// What stands behind them for objects that the relationship names and that are not there.
    package var dangling: [PresentedText] = []

    package init(label: String?, keys: ContiguousArray<ObjectKey>, relationshipName: String) {
        self.label = label
        self.keys = keys
        self.relationshipName = relationshipName
    }
}

/// One object of a to-many relationship.
package struct RelatedRow: Sendable, Equatable {
    package var text: PresentedText
    package var destination: ObjectID?

    package init(text: PresentedText, destination: ObjectID?) {
        self.text = text
        self.destination = destination
    }
}
