import ObjectStore
import Presentation
import TestSupport

import struct Foundation.Locale
import struct Foundation.TimeZone

/// People, each of a town, with tags: all that a list or a detail can ask of a store.
enum PeopleStore {
    static let presentation = ValuePresentation(
        localization: Localization(locale: Locale(identifier: "en_GB"), timeZone: TimeZone(secondsFromGMT: 0) ?? .gmt))

    static let schema = Schema(
        entities: [
            Entity(
                name: "Person", tableName: "PERSON",
                attributes: [
                    Attribute(name: "name", type: .string, columnName: "NAME"),
                    Attribute(name: "group", type: .string, columnName: "GROUP"),
                    Attribute(name: "born", type: .date, columnName: "BORN"),
                    Attribute(name: "isTall", type: .boolean, columnName: "ISTALL"),
                    Attribute(name: "notes", type: .string, columnName: "NOTES"),
                    Attribute(name: "mood", type: .string, columnName: nil),
                ],
                relationships: [
                    Relationship(name: "town", destinationEntityName: "Town", isToMany: false, inverseName: "people"),
                    Relationship(name: "tags", destinationEntityName: "Tag", isToMany: true),
                    Relationship(name: "seats", destinationEntityName: "Seat", isToMany: true, inverseName: "person"),
                ]),
            Entity(
                name: "Town", tableName: "TOWN", attributes: [Attribute(name: "name", type: .string, columnName: "NAME")],
                relationships: [
                    Relationship(name: "people", destinationEntityName: "Person", isToMany: true, inverseName: "town")
                ]),
            Entity(name: "Tag", tableName: "TAG", attributes: [Attribute(name: "name", type: .string, columnName: "NAME")]),
            Entity(
                name: "Seat", tableName: "SEAT", attributes: [Attribute(name: "order", type: .int64, columnName: "ORDER")],
                relationships: [
                    Relationship(name: "person", destinationEntityName: "Person", isToMany: false, inverseName: "seats"),
                    Relationship(name: "town", destinationEntityName: "Town", isToMany: false),
                ]),
        ], origin: .inferred)

    static func store(_ objects: [MemoryObjectStore.Object]) -> MemoryObjectStore {
        MemoryObjectStore(schema: schema, objects: objects)
    }

    static func id(_ entityName: String, _ key: ObjectKey) -> Value { .object(ObjectID(entityName: entityName, key: key)) }
}
