import Foundation
import ObjectStore
import PlistConfig
import Presentation
import TestSupport

@testable import Browser

/// Seven people in sections by the first letter of their names, towns, and tags.
enum PeopleStore {
    static let presentation = ValuePresentation(
        localization: Localization(locale: Locale(identifier: "en_GB"), timeZone: TimeZone(secondsFromGMT: 0) ?? .gmt))

    static let schema = Schema(
        entities: [
            Entity(
                name: "Person", tableName: "PERSON", attributes: [Attribute(name: "name", type: .string, columnName: "NAME")],
                relationships: [
                    Relationship(name: "town", destinationEntityName: "Town", isToMany: false, inverseName: "people"),
                    Relationship(name: "tags", destinationEntityName: "Tag", isToMany: true),
                ]),
            Entity(
                name: "Pilot", tableName: "PERSON", superentityName: "Person",
                attributes: [
                    Attribute(name: "name", type: .string, columnName: "NAME"),
                    Attribute(name: "wings", type: .int64, columnName: "WINGS"),
                ],
                relationships: [
                    Relationship(name: "town", destinationEntityName: "Town", isToMany: false, inverseName: "people"),
                    Relationship(name: "tags", destinationEntityName: "Tag", isToMany: true),
                ]),
            Entity(
                name: "Town", tableName: "TOWN", attributes: [Attribute(name: "name", type: .string, columnName: "NAME")],
                relationships: [
                    Relationship(name: "people", destinationEntityName: "Person", isToMany: true, inverseName: "town")
                ]),
            Entity(name: "Tag", tableName: "TAG", attributes: [Attribute(name: "name", type: .string, columnName: "NAME")]),
        ], origin: .inferred)

    static let names = ["Ada", "Alan", "Bob", "Carl", "Carol", "Dan"]

    static func store(
        isQuick: Bool = false,
        beforeFetch: @escaping @Sendable (FetchRequest, FetchProgress) throws(StoreError) -> Void = { _, _ throws(StoreError) in }
    ) -> MemoryObjectStore {
        var objects = names.enumerated().map { place, name in
            MemoryObjectStore.Object(
                "Person", ObjectKey(place + 1), ["name": .string(name), "town": id("Town", 20), "tags": .list([id("Tag", 30)])])
        }
        objects += [
            .init("Pilot", 7, ["name": .string("Zoe"), "wings": .integer(2)]),
            .init("Town", 20, ["name": .string("Ulm"), "people": .list([id("Person", 1), id("Person", 2)])]),
            .init("Tag", 30, ["name": .string("red")]),
        ]
        return MemoryObjectStore(schema: schema, objects: objects, isQuick: isQuick, beforeFetch: beforeFetch)
    }

    static func id(_ entityName: String, _ key: ObjectKey) -> Value { .object(ObjectID(entityName: entityName, key: key)) }

    static var description: ListDescription {
        var list = ListDescription(
            entityName: "Person", sortKeyPaths: [ListDescription.SortEntry(keyPath: "name")], cellTextLabelKeyPath: "name")
        list.controllerTitle = "People"
        list.sectionKeyPath = "name.@firstLetter"
        list.sectionIndexTitlesEnabled = true
        return list
    }

    static let detail = DetailDescription(sections: [
        DetailDescription.Section(
            title: "The person",
            rows: [
                DetailDescription.Row(type: .singleLineValueSmallLabel, label: "Name", attributeKeyPath: "name"),
                DetailDescription.Row(type: .relationship, label: "Town", attributeKeyPath: "town.name"),
            ])
    ])

    static func list(in store: any ObjectStore) throws -> ResolvedList {
        guard let list = description.resolve(in: store.schema).list else { throw Unresolved() }
        return list
    }

    struct Unresolved: Error {}
}
