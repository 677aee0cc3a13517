import Foundation
import ObjectStore
import Testing

@Suite struct PredicateResolverTests {
    private static let schema: Schema = {
        func attribute(_ name: String, _ type: AttributeType) -> Attribute {
            Attribute(name: name, type: type, columnName: "Z" + name.uppercased())
        }
        let event = Entity(
            name: "Event", tableName: "ZEVENT",
            attributes: [
                attribute("name", .string), attribute("count", .int32), attribute("share", .double), attribute("done", .boolean),
                attribute("when", .date), attribute("uuid", .uuid), attribute("image", .binary), attribute("in", .string),
                Attribute(name: "age", type: .int16, columnName: nil),
            ],
            relationships: [
                Relationship(name: "place", destinationEntityName: "Place", isToMany: false),
                Relationship(name: "tags", destinationEntityName: "Tag", isToMany: true),
            ])
        let place = Entity(name: "Place", tableName: "ZPLACE", attributes: [attribute("name", .string)])
        let tag = Entity(
            name: "Tag", tableName: "ZTAG", attributes: [attribute("name", .string), attribute("weight", .int16)],
            relationships: [Relationship(name: "events", destinationEntityName: "Event", isToMany: true)])
        return Schema(entities: [event, place, tag], origin: .inferred)
    }()

    private func resolve(_ text: String) throws -> ResolvedPredicate {
        try PredicateFormat(text).resolve(in: Self.schema, entityName: "Event")
    }

    @Test(
        arguments: [
            ("nam = 1", 0, "“Event” has no property “nam”", "did you mean “name”?"),
            ("place.nmae = 'x'", 6, "“Place” has no property “nmae”", "did you mean “name”?"),
            ("name = 'x' AND name.x = 1", 15, "“name” of “Event” is an attribute, the key path cannot go on after it", nil),
            ("age = 1", 0, "“age” of “Event” is transient, so it has no value here", nil),
            ("tags.@cout = 1", 5, "no operator “@cout”", "did you mean “@count”?"),
            ("tags.name = 'x'", 0, "“tags.name” leads to many values", "begin with ANY, ALL or NONE, or end it with @count"),
            ("name = tags.name", 7, "“tags.name” leads to many values", "begin with ANY, ALL or NONE, or end it with @count"),
            ("ANY name = 'x'", 4, "ANY needs a to-many relationship, and “name” crosses none", "leave ANY out"),
            ("ANY 'x' = name", 4, "expected a to-many key path after ANY, found a value", nil),
            ("count = 'x'", 8, "“x” is no Int32", nil),
            ("count = name", 8, "“count” (a number) cannot be compared with “name” (a text)", nil),
            ("count BEGINSWITH '1'", 0, "BEGINSWITH compares texts, and “count” (a number) is of type Int32", nil),
            ("'1' IN count", 7, "expected a list { … } or a key path, found a value", nil),
            ("count IN 3", 9, "expected a list { … } or a key path, found a value", nil),
            ("count ==[c] 3", 6, "“[c]” compares texts, and these are none", nil),
            ("count BETWEEN 3", 14, "BETWEEN needs a list of two", "write BETWEEN {1, 10}"),
            ("count BETWEEN {1, 2, 3}", 14, "BETWEEN needs a list of two", "write BETWEEN {1, 10}"),
            ("count = {1}", 8, "expected a value, found a list", nil),
            ("done = 'x'", 7, "“x” is no Boolean", "write YES or NO"),
            (
                "when > 'yesterday'", 7, "“yesterday” is no Date",
                "write \"2010-04-07\", \"2010-04-07T01:04:48Z\" or CAST(seconds since 2001, \"NSDate\")"
            ),
            (
                "when > 5", 7, "5 is no Date",
                "write \"2010-04-07\", \"2010-04-07T01:04:48Z\" or CAST(seconds since 2001, \"NSDate\")"
            ),
            ("CAST(name, 'NSDate') > when", 5, "this cannot be cast to NSDate", nil),
            ("uuid = 'x'", 7, "“x” is no UUID", "write it in quotes, as \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""),
            ("uuid < 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'", 5, "“uuid” (a UUID) is neither less nor greater than another", nil),
            ("image = 'x'", 8, "“x” is no Binary", "only == nil and != nil are possible"),
            ("place = 'x'", 8, "“x” cannot be compared with an object", nil),
            ("name LIKE name", 10, "LIKE needs a text in quotes", nil),
            ("name MATCHES '(a'", 13, "“(a” is not a regular expression", nil),
            (
                "SUBQUERY(tags.name, $t, TRUEPREDICATE).@count > 1", 9,
                "expected a to-many key path that ends in objects, found something else", nil
            ),
            ("SUBQUERY(tags, $t, $u.name = 'x').@count > 1", 19, "no variable “$u” here", nil),
            ("SUBQUERY(tags, $t, $t.nam = 'x').@count > 1", 22, "“Tag” has no property “nam”", "did you mean “name”?"),
            ("SUBQUERY(tags, $t, TRUEPREDICATE).@count > 'x'", 43, "“x” is no Int64", nil),
        ] as [(String, Int, String, String?)])
    func pointsAtWhatDoesNotFit(text: String, offset: Int, reason: String, remedy: String?) throws {
        let format = try PredicateFormat(text)
        do {
            _ = try format.resolve(in: Self.schema, entityName: "Event")
            Issue.record("\(text) is resolved")
        } catch {
            #expect(error.offset == offset)
            #expect(error.reason == reason)
            #expect(error.remedy == remedy)
        }
    }

    @Test func literalsTakeTheTypeOfTheOtherSide() throws {
        func value(_ text: String) throws -> Value? {
            guard case .compare(_, _, .value(let value), _) = try resolve(text).root else { return nil }
            return value
        }
        func spelled(_ text: String) throws -> ResolvedPredicate.Operand? {
            guard case .compare(_, _, let operand, _) = try resolve(text).root else { return nil }
            return operand
        }
        // A text attribute may hold numbers: both are kept, the number and what was written.
        #expect(try spelled("name = 5") == .spelledNumber(.integer(5), "5"))
        #expect(try spelled("name = 5.50") == .spelledNumber(.double(5.5), "5.50"))
        #expect(try value("count = '5'") == .integer(5))
        #expect(try value("share = '5.5'") == .double(5.5))
        #expect(try value("done = YES") == .integer(1))
        #expect(try value("when = '2001-01-02'") == .date(86_400))
        #expect(try value("when = '2001-01-01T02:00:00+01:00'") == .date(3600))
        #expect(try value("when = CAST(12.5, 'NSDate')") == .date(12.5))
        #expect(try value("place = 'x-coredata://A/Place/p7'") == .integer(7))
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try value("uuid = 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'") == .uuid(uuid))
        #expect(try value("tags.@count = 3") == .integer(3))
    }

    @Test func nilIsALookWhetherTheValueIsThere() throws {
        guard case .isNull = try resolve("name == nil").root, case .not(.isNull) = try resolve("nil != place").root,
            case .unknown = try resolve("count < NULL").root, case .isNull = try resolve("image = nil").root
        else {
            Issue.record("nil is compared")
            return
        }
        #expect(try resolve("name CONTAINS nil").root == .unknown)
        #expect(try resolve("name IN {}").root == .constant(false))
    }

    @Test func joinsTwo() throws {
        let both = try resolve("count > 1 OR done = YES").and(try resolve("name = 'x'"))
        #expect(try resolve(both.text).root == both.root)
    }
}
