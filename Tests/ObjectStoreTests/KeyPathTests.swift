import ObjectStore
import Testing

@Suite struct KeyPathTests {
    private let schema = Schema(
        entities: [
            Entity(
                name: "Widget", tableName: "ZWIDGET",
                attributes: [
                    Attribute(name: "name", type: .string, columnName: "ZNAME"),
                    Attribute(name: "made", type: .date, columnName: "ZMADE"),
                    Attribute(name: "shown", type: .string, columnName: nil),
                    Attribute(name: "nameFirstLetter", type: .string, columnName: nil),
                    Attribute(name: "a.b", type: .int64, columnName: "a.b"),
                    Attribute(name: "@count", type: .int64, columnName: "@count"),
                    Attribute(name: "Type", type: .int64, columnName: "Type"),
                ],
                relationships: [
                    Relationship(name: "type", destinationEntityName: "Kind", isToMany: false),
                    Relationship(name: "tags", destinationEntityName: "Tag", isToMany: true),
                ]),
            Entity(
                name: "Kind", tableName: "ZKIND", attributes: [Attribute(name: "name", type: .string, columnName: "ZNAME")],
                relationships: [Relationship(name: "widgets", destinationEntityName: "Widget", isToMany: true)]),
            Entity(name: "Tag", tableName: "ZTAG", attributes: [Attribute(name: "weight", type: .int32, columnName: "ZWEIGHT")]),
        ], origin: .inferred)

    @Test func aMisspeltEndingIsProposed() {
        #expect(fault("name.@firstLeter") == .unknownOperator("@firstLeter", nearest: "@firstLetter"))
        #expect(fault("name.@sum") == .misplacedOperator("@sum"))
        #expect(fault("name.other") == .notARelationship("name", entity: "Widget"))
    }

    private func fault(_ text: String, in entity: String = "Widget") -> KeyPathFault? {
        do {
            _ = try schema.keyPath(text, in: entity)
            return nil
        } catch { return error }
    }

    @Test func pathsResolve() throws {
        let name = try schema.keyPath("NAME", in: "widget")
        #expect(name.ending == .attribute("name") && name.type == .string && name.relationships.isEmpty && !name.isToMany)
        let across = try schema.keyPath("type.name", in: "Widget")
        #expect(across.relationships == ["type"] && across.destinationEntityName == "Kind" && across.text == "type.name")
        let object = try schema.keyPath("tags", in: "Widget")
        #expect(object.ending == .object && object.isToMany && object.type == nil)
        #expect(try schema.keyPath("type.widgets.tags.weight", in: "Widget").isToMany)
        let count = try schema.keyPath("tags.@count", in: "Widget")
        #expect(count.ending == .count && !count.isToMany && count.type == .int64)
        let average = try schema.keyPath("tags.@avg.weight", in: "Widget")
        #expect(average.ending == .aggregate(.average, attribute: "weight") && average.type == .double && !average.isToMany)
        #expect(try schema.keyPath("tags.@max.weight", in: "Widget").type == .int32)
        let letter = try schema.keyPath("type.name.@firstLetter", in: "Widget")
        #expect(letter.derivation == .firstLetter && letter.type == .string)
        #expect(try schema.keyPath("made.@year", in: "Widget").type == .int64)
        // The how-to's transient attribute, and the same where there is none.
        #expect(try schema.keyPath("nameFirstLetter", in: "Widget").derivation == .nameFirstLetter)
        #expect(try schema.keyPath("type.nameFirstLetter", in: "Widget").ending == .attribute("name"))
    }

    @Test func exactNamesMeanThemselves() throws {
        #expect(try schema.keyPath("a.b", in: "Widget").ending == .attribute("a.b"))
        #expect(try schema.keyPath("@count", in: "Widget").ending == .attribute("@count"))
        #expect(try schema.keyPath("Type", in: "Widget").ending == .attribute("Type"))
        #expect(try schema.keyPath("type", in: "Widget").ending == .object)
        #expect(try schema.keyPath("TYPE", in: "Widget").ending == .object)
    }

    @Test func faultsSayWhere() {
        #expect(fault("") == .empty && fault("type.") == .empty && fault("..") == .empty)
        #expect(fault("nmae") == .unknownKey("nmae", entity: "Widget", nearest: "name"))
        #expect(fault("type.nam") == .unknownKey("nam", entity: "Kind", nearest: "name"))
        #expect(fault("name.length") == .notARelationship("name", entity: "Widget"))
        #expect(fault("tags.@cuont") == .unknownOperator("@cuont", nearest: "@count"))
        #expect(fault("type.@count") == .misplacedOperator("@count"))
        #expect(fault("tags.@sum") == .misplacedOperator("@sum"))
        #expect(fault("@year") == .misplacedOperator("@year"))
        #expect(fault("shown") == .transient("shown", entity: "Widget"))
        #expect(fault("tags.@sum.wieght") == .unknownKey("wieght", entity: "Tag", nearest: "weight"))
        #expect(fault("x", in: "Nothing") == .unknownKey("x", entity: "Nothing", nearest: nil))
    }

    @Test func nearestNames() {
        #expect(nearestName(to: "timestmap", among: ["name", "timeStamp"]) == "timeStamp")
        #expect(nearestName(to: "q", among: ["name"]) == nil)
        #expect(nearestName(to: "", among: ["name", ""]) == "")
        #expect(nearestName(to: "ab", among: ["ba", "ac"]) == "ba")
        // Where no name is near as a whole, one that begins like it is.
        #expect(nearestName(to: "album", among: ["Name", "albumByArtistId", "albumByLabelNumber"]) == "albumByArtistId")
        #expect(nearestName(to: "artst", among: ["Name", "artistByManager"]) == "artistByManager")
        #expect(nearestName(to: "album", among: ["albumByArtistId", "albun"]) == "albun")
        #expect(nearestName(to: "al", among: ["albumByArtistId"]) == nil)
        #expect(nearestName(to: String(repeating: "x", count: 100_000), among: ["x"]) == nil)
    }

    @Test func subentitiesEndInCycles() {
        var left = Entity(name: "A", tableName: "A")
        left.superentityName = "B"
        var right = Entity(name: "B", tableName: "B")
        right.superentityName = "A"
        let cyclic = Schema(entities: [left, right, Entity(name: "C", tableName: "C")], origin: .inferred)
        #expect(cyclic.subentities(of: "A").map(\.name) == ["A", "B"])
        #expect(cyclic.subentities(of: "C").map(\.name) == ["C"])
        #expect(cyclic.entity(named: "c")?.name == "C")
    }
}
