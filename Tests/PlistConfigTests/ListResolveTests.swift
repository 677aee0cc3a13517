import ObjectStore
import PlistConfig
import Testing

@Suite struct ListResolveTests {
    @Test(arguments: [
        ("entityName = Widgit;", ["entityName: no entity “Widgit” in the data (did you mean “Widget”?)"]),
        ("entityName = Zebra;", ["entityName: no entity “Zebra” in the data (--schema lists the entities)"]),
        ("entityName = ACHANG;", ["entityName: no entity “ACHANG” in the data (--schema lists the entities)"]),
        ("cellTextLabelKeyPath = nmae;", ["cellTextLabelKeyPath: “Widget” has no property “nmae” (did you mean “name”?)"]),
        (
            "cellTextLabelKeyPath = \"name.@year\"; cellDetailTextLabelKeyPath = \"releaseDate.@year\";",
            [
                "cellTextLabelKeyPath: warning: “name.@year” asks for a date, but the attribute is of type String (texts that are no ISO 8601 dates count as NULL)"
            ]
        ),
        (
            "sortKeyPaths = (name, manufacturingProcesses.order, type, shade, type.nam);",
            [
                "sortKeyPaths[1]: “manufacturingProcesses.order” leads to many values (end it with @count, or with @sum, @avg, @min or @max and an attribute)",
                "sortKeyPaths[2]: “type” is an object, not a value (add an attribute: type.name)",
                "sortKeyPaths[3]: warning: “shade” is transient, so it is not stored (left out; use a stored attribute)",
                "sortKeyPaths[4]: “WidgetType” has no property “nam” (did you mean “name”?)",
            ]
        ),
        (
            "sectionKeyPath = parts.title;",
            [
                "sectionKeyPath: “parts.title” leads to many values (end it with @count, or with @sum, @avg, @min or @max and an attribute)"
            ]
        ),
        ("sectionNameKeyPath = nmae;", ["sectionNameKeyPath: “Widget” has no property “nmae” (did you mean “name”?)"]),
        (
            "cellDetailTextLabelKeyPath = (name.x, parts.title, \"parts.@coun\", \"name..x\");",
            [
                "cellDetailTextLabelKeyPath[0]: “name” of “Widget” is an attribute, the key path cannot go on after it",
                "cellDetailTextLabelKeyPath[2]: no operator “@coun” (did you mean “@count”?)",
                "cellDetailTextLabelKeyPath[3]: the key path has an empty part",
            ]
        ),
        (
            "cellTextLabelKeyPath = shade;",
            ["cellTextLabelKeyPath: warning: “shade” of “Widget” is transient, so it has no value here (shown as NULL)"]
        ),
        ("sectionKeyPath = nameFirstLetter; sortKeyPaths = (\"parts.@count\", \"releaseDate.@year\");", []),
    ])
    func faultTable(keys: String, expected: [String]) throws {
        // The last of two equal keys counts, so these replace the ones that are there.
        let loaded = try loadList(listPlist(keys))
        let description = try #require(loaded.description)
        let (list, faults) = description.resolve(in: widgetSchema())
        #expect(lines(faults) == expected)
        #expect((list == nil) == faults.hasFault)
    }

    @Test func resolvesIntoARequest() throws {
        let keys =
            "sectionKeyPath = nameFirstLetter; sortKeyPaths = (\"-NAME\", shade); cellDetailTextLabelKeyPath = shade; fetchLimit = 3;"
        let description = try #require(try loadList(listPlist(keys)).description)
        let schema = widgetSchema()
        let list = try #require(description.resolve(in: schema).list)
        let name = try schema.keyPath("NAME", in: "Widget")
        #expect(
            list.request
                == FetchRequest(
                    entityName: "Widget", sortDescriptors: [SortDescriptor(.keyPath(name), ascending: false)],
                    sectionKeyPath: try schema.keyPath("nameFirstLetter", in: "Widget"), fetchLimit: 3))
        #expect(list.textKeyPath == (try schema.keyPath("name", in: "Widget")))
        #expect(list.detailTextKeyPaths == [nil])
        #expect(list.entity.name == "Widget")
    }

    @Test func listsMadeFromTheSchemaResolveWithoutFaults() throws {
        let schema = widgetSchema()
        for entity in schema.entities {
            let (list, faults) = ListDescription.fromSchema(entity, in: schema).resolve(in: schema)
            #expect(faults == [])
            #expect(list?.entity.name == entity.name)
        }
        let widget = ListDescription.fromSchema(try #require(schema.entity(named: "Widget")))
        #expect(widget.cellTextLabelKeyPath == "name")
        #expect(widget.sectionKeyPath == "name.@firstLetter")
        #expect(widget.sortKeyPaths == [.init(keyPath: "name", selector: .localizedStandardCompare)])
        #expect(widget.cellDetailTextLabelKeyPaths == ["detail", "isCurrentProduct"])
        #expect(widget.sectionIndexTitlesEnabled && widget.sectionIndexTitlesAlphabetical && widget.showsDetailColumns)
        let step = ListDescription.fromSchema(try #require(schema.entity(named: "WidgetManufacturingProcess")))
        #expect(step.cellTextLabelKeyPath == "order")
        #expect(step.sectionKeyPath == nil)
        #expect(step.cellDetailTextLabelKeyPaths == [])
        let related = ListDescription.fromSchema(try #require(schema.entity(named: "WidgetManufacturingProcess")), in: schema)
        #expect(related.cellDetailTextLabelKeyPaths == ["manufacturingProcess.name", "widget.name"])
        let blob = ListDescription.fromSchema(try #require(schema.entity(named: "Blob")))
        #expect(blob.cellTextLabelKeyPath == "" && blob.sortKeyPaths == [])
        #expect(blob.resolve(in: schema).list?.textKeyPath == nil)
    }

    @Test(arguments: [
        (["AlbumId", "Title"], "Album", "Title"), (["CategoryID", "CategoryName", "Title"], "Categories", "Title"),
        (["id", "Description", "CategoryName"], "Categories", "CategoryName"),
        (["FirstName", "LastName", "Title"], "Customer", "LastName"),
        (["FirstName", "Last_Name"], "Customer", "Last_Name"), (["a", "b"], "X", "a"), (["x", "fileName"], "X", "fileName"),
    ])
    func displayAttribute(names: [String], entity: String, expected: String) {
        let attributes = names.map {
            Attribute(name: $0, type: $0.lowercased().hasSuffix("id") ? .int64 : .string, columnName: $0)
        }
        #expect(Entity(name: entity, tableName: "t", attributes: attributes).displayAttribute?.name == expected)
    }
}
