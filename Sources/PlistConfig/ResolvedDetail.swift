package import ObjectStore

/// A detail description whose names have been found in a schema. Sections and rows are those of the plist, in its order; what
/// cannot be shown is a row that says why.
package struct ResolvedDetail: Sendable, Equatable {
    package struct Section: Sendable, Equatable {
        package var title: String?
        package var rows: [Row]

        package init(title: String? = nil, rows: [Row]) {
            self.title = title
            self.rows = rows
        }
    }

    package struct Row: Sendable, Equatable {
        /// As written: looks, label, styles.
        package var description: DetailDescription.Row
        package var content: Content

        package init(description: DetailDescription.Row, content: Content) {
            self.description = description
            self.content = content
        }
    }

    package enum Content: Sendable, Equatable {
        /// A value of the object itself (or across to-one relationships).
        case value(ObjectKeyPath)
        /// A transient attribute: shown as NULL.
        case noValue
        case toOne(ToOne)
        case toMany(ToMany)
        /// A row type registered in code, by name.
        case custom(String)
        /// Cannot be shown, and why.
        case unavailable(String)
    }

    /// A line that leads to one object.
    package struct ToOne: Sendable, Equatable {
        /// Leads to the object; ends in it.
        package let target: ObjectKeyPath
        /// What is shown of it, read from the object that the detail is about; the same as `target` where the plist names no attribute.
        package let display: ObjectKeyPath
        package var targetEntityName: String { target.destinationEntityName }

        package init(target: ObjectKeyPath, display: ObjectKeyPath) {
            self.target = target
            self.display = display
        }
    }

    /// Lines that lead to one object each.
    package struct ToMany: Sendable, Equatable {
        /// The relationship that leads from the detail's object to the lines' objects.
        package let relationshipName: String
        /// The lines' entity: the relationship's destination, for an ordered to-many in CDL's way the intermediate entity.
        package let entityName: String
        package let sortDescriptors: [SortDescriptor]
        /// What is shown, read from the line's object; nil: the object itself, by entity and key.
        package let display: ObjectKeyPath?
        /// Leads from the line's object to the one that Enter opens; nil: the line's object itself.
        package let target: ObjectKeyPath?
        package var targetEntityName: String { target?.destinationEntityName ?? entityName }

        package init(
            relationshipName: String, entityName: String, sortDescriptors: [SortDescriptor], display: ObjectKeyPath?,
            target: ObjectKeyPath?
        ) {
            self.relationshipName = relationshipName
            self.entityName = entityName
            self.sortDescriptors = sortDescriptors
            self.display = display
            self.target = target
        }

        /// The fetch of the lines of one object.
        package func request(for object: ObjectID) -> FetchRequest {
            FetchRequest(
                entityName: entityName, scope: .related(to: object, through: relationshipName), sortDescriptors: sortDescriptors)
        }
    }

    package let entityName: String
    package var sections: [Section]

    package init(entityName: String, sections: [Section]) {
        self.entityName = entityName
        self.sections = sections
    }

    /// The key paths of all rows that show one value, each once, in the order in which they first stand; what one read of the object needs.
    package var valueKeyPaths: [ObjectKeyPath] {
        var paths: [ObjectKeyPath] = []
        for row in sections.flatMap(\.rows) {
            let wanted: [ObjectKeyPath] =
                switch row.content {
                case .value(let path): [path]
                case .toOne(let toOne): [toOne.display, toOne.target]
                case .noValue, .toMany, .custom, .unavailable: []
                }
            for path in wanted where !paths.contains(path) { paths.append(path) }
        }
        return paths
    }
}
