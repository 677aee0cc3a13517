import ObjectStore
import PlistConfig
import Testing

@Suite struct DetailResolveTests {
    let schema = widgetSchema()

    func content(_ type: String, _ keyPath: String, more: String = "", entity: String = "Widget") throws -> (
        content: ResolvedDetail.Content, lines: [String]
    ) {
        let text = detailPlist("rowType = CDLTableRowType\(type); rowLabel = L; attributeKeyPath = \"\(keyPath)\"; \(more)")
        let detail = try #require(try loadDetail(text).description)
        let (resolved, faults) = detail.resolve(in: schema, entityName: entity, customRows: ["Known"])
        return (try #require(resolved.sections.first?.rows.first).content, lines(faults))
    }

    @Test(arguments: [
        ("SingleLineValueSmallLabel", "nmae", "“Widget” has no property “nmae”", " (did you mean “name”?)"),
        ("Relationship", "name", "“name” is no relationship", " (write relationship.attribute)"),
        ("Relationship", "typ.name", "“Widget” has no property “typ”", " (did you mean “type”?)"),
        ("Relationship", "type.nam", "“WidgetType” has no property “nam”", " (did you mean “name”?)"),
        ("Relationship", "parts.title", "“parts” is to-many", " (use CDLTableRowTypeToManyRelationship)"),
        ("ToManyRelationship", "type.name", "“type” is to-one", " (use CDLTableRowTypeRelationship)"),
        ("ToManyRelationship", "parts.titel", "“Part” has no property “titel”", " (did you mean “title”?)"),
        (
            "ToManyOrderedRelationship", "manufacturingProcesses",
            "“manufacturingProcesses” is not of the form toIntermediate.toObject.attribute", ""
        ),
        (
            "ToManyOrderedRelationship", "manufacturingProcesses.order.name", "“order” is no relationship",
            " (write toIntermediate.toObject.attribute)"
        ),
        (
            "ToManyOrderedRelationship", "manufacturingProcesses.manufacturingProcess.nam",
            "“ManufacturingProcess” has no property “nam”",
            " (did you mean “name”?)"
        ),
        ("ToManyOrderedRelationship", "type.widgets.name", "“type” is to-one", " (use CDLTableRowTypeRelationship)"),
        (
            "ToManyOrderedRelationship", "parts.widget.name", "the intermediate entity “Part” has no attribute “order”",
            " (did you mean “ordre”?)"
        ),
    ])
    func unavailableRows(type: String, keyPath: String, reason: String, remedy: String) throws {
        let (content, lines) = try content(type, keyPath)
        #expect(content == .unavailable(reason))
        #expect(lines == ["[0].rowInformation[0].attributeKeyPath: \(reason)\(remedy)"])
    }

    @Test func toOne() throws {
        let type = try schema.keyPath("type", in: "Widget")
        let named = try content("Relationship", "type.name")
        #expect(named.content == .toOne(.init(target: type, display: try schema.keyPath("type.name", in: "Widget"))))
        #expect(named.lines == [])
        #expect(try content("Relationship", "type").content == .toOne(.init(target: type, display: type)))
        #expect(try content("Relationship", "type.description").content == .toOne(.init(target: type, display: type)))
        #expect(ResolvedDetail.ToOne(target: type, display: type).targetEntityName == "WidgetType")
    }

    @Test func toMany() throws {
        let name = try schema.keyPath("name", in: "Widget")
        guard case .toMany(let lines) = try content("ToManyRelationship", "widgets.name", entity: "WidgetType").content else {
            Issue.record("not a to-many")
            return
        }
        #expect(lines.display == name && lines.target == nil && lines.targetEntityName == "Widget")
        let object = ObjectID(entityName: "WidgetType", key: 2)
        #expect(
            lines.request(for: object)
                == FetchRequest(
                    entityName: "Widget", scope: .related(to: object, through: "widgets"),
                    sortDescriptors: [SortDescriptor(.keyPath(name))]))
        guard case .toMany(let objects) = try content("ToManyRelationship", "widgets", entity: "WidgetType").content else {
            Issue.record("not a to-many")
            return
        }
        #expect(objects.display == nil && objects.sortDescriptors == [])
    }

    @Test func orderedToManyThroughAnIntermediateEntity() throws {
        guard
            case .toMany(let lines) = try content(
                "ToManyOrderedRelationship", "manufacturingProcesses.manufacturingProcess.name"
            ).content
        else {
            Issue.record("not a to-many")
            return
        }
        let step = "WidgetManufacturingProcess"
        #expect(lines.entityName == step && lines.relationshipName == "manufacturingProcesses")
        #expect(lines.sortDescriptors == [SortDescriptor(.keyPath(try schema.keyPath("order", in: step)))])
        #expect(lines.display == (try schema.keyPath("manufacturingProcess.name", in: step)))
        #expect(lines.target == (try schema.keyPath("manufacturingProcess", in: step)))
        #expect(lines.targetEntityName == "ManufacturingProcess")
    }

    @Test func orderedToManyWithoutAWayBackIsAWarning() throws {
        var schema = widgetSchema()
        for (entity, relationship) in [
            ("Widget", "manufacturingProcesses"), ("WidgetManufacturingProcess", "manufacturingProcess"),
        ] {
            let place = try #require(schema.entities.firstIndex { $0.name == entity })
            let way = try #require(schema.entities[place].relationships.firstIndex { $0.name == relationship })
            schema.entities[place].relationships[way].inverseName = nil
        }
        let description = DetailDescription(sections: [
            DetailDescription.Section(rows: [
                DetailDescription.Row(
                    type: .toManyOrderedRelationship, label: "x",
                    attributeKeyPath: "manufacturingProcesses.manufacturingProcess.name")
            ])
        ])
        let faults = description.resolve(in: schema, entityName: "Widget").faults
        #expect(faults.map(\.severity) == [.warning, .warning])
        #expect(
            faults.map(\.problem) == [
                "“manufacturingProcesses” of Widget has no inverse",
                "“manufacturingProcess” of WidgetManufacturingProcess has no inverse",
            ])
        // Tables do not say all that a model does.
        schema.origin = .inferred
        #expect(description.resolve(in: schema, entityName: "Widget").faults == [])
    }

    @Test func relationshipThatIsOrderedByItself() throws {
        guard case .toMany(let lines) = try content("ToManyOrderedRelationship", "parts.title").content else {
            Issue.record("not a to-many")
            return
        }
        #expect(lines.entityName == "Part" && lines.target == nil)
        #expect(lines.sortDescriptors == [SortDescriptor(.relationshipOrder)])
        #expect(lines.display == (try schema.keyPath("title", in: "Part")))
        guard case .toMany(let plain) = try content("ToManyRelationship", "parts.title").content else { return }
        #expect(plain.sortDescriptors == [SortDescriptor(.keyPath(try schema.keyPath("title", in: "Part")))])
    }

    @Test func warnings() throws {
        let date = try content("SingleLineValueSmallLabel", "releaseDate")
        #expect(date.content == .value(try schema.keyPath("releaseDate", in: "Widget")))
        let text =
            "[0].rowInformation[0]: warning: a date without dateFormatterStyle and timeFormatterStyle (shown with medium styles)"
        #expect(date.lines == [text])
        #expect(
            try content("SingleLineValueSmallLabel", "releaseDate", more: "dateFormatterStyle = NSDateFormatterNoStyle;").lines
                == [text])
        #expect(
            try content("SingleLineValueSmallLabel", "releaseDate", more: "timeFormatterStyle = NSDateFormatterShortStyle;").lines
                == [])

        let transient = try content("SingleLineValueSmallLabel", "shade")
        #expect(transient.content == .noValue)
        #expect(
            transient.lines == [
                "[0].rowInformation[0].attributeKeyPath: warning: “shade” of “Widget” is transient, so it has no value here (shown as NULL)"
            ])
        #expect(
            try content("BooleanSwitch", "name").lines == [
                "[0].rowInformation[0].attributeKeyPath: warning: “name” is of type String, not Boolean"
            ])
        #expect(try content("BooleanSwitch", "price").lines == [])
        let custom = try content("Custom", "", more: "rowCustomControllerClass = Deleter;")
        #expect(custom.content == .unavailable("no custom row “Deleter”"))
        #expect(
            custom.lines == [
                "[0].rowInformation[0].rowCustomControllerClass: warning: no custom row “Deleter” (the row is shown as unavailable)"
            ])
        #expect(try content("Custom", "", more: "rowCustomControllerClass = Known;").content == .custom("Known"))
    }

    @Test func unknownEntity() throws {
        let detail = try #require(
            try loadDetail(detailPlist("rowType = CDLTableRowTypeBooleanSwitch; attributeKeyPath = a;")).description)
        let (resolved, faults) = detail.resolve(in: schema, entityName: "Gadget")
        #expect(lines(faults) == ["no entity “Gadget” in the data (did you mean “Widget”?)"])
        #expect(resolved.sections.flatMap(\.rows).map(\.content) == [.unavailable("no entity “Gadget” in the data")])
    }

    /// Records nested in records show their values, however deep; a kind that is nested in itself ends there.
    @Test func nestedRecordsShowTheirValues() throws {
        func entity(_ name: String, _ attributes: [String], _ nested: [String]) -> Entity {
            Entity(
                name: name, tableName: name, attributes: attributes.map { Attribute(name: $0, type: .int64, columnName: $0) },
                relationships: nested.map {
                    var relationship = Relationship(name: $0, destinationEntityName: $0, isToMany: false)
                    relationship.isNested = true
                    return relationship
                })
        }
        let schema = Schema(
            entities: [
                entity("a", ["x"], ["b", "e"]), entity("b", ["y"], ["c"]), entity("c", ["z", "w"], ["b"]), entity("e", [], []),
            ], origin: .inferred)
        let detail = DetailDescription.fromSchema(schema.entities[0], in: schema)
        #expect(detail.sections.flatMap(\.rows).map(\.attributeKeyPath) == ["x", "b.y", "b.c.z", "b.c.w", "e"])
        #expect(detail.resolve(in: schema, entityName: "a").1 == [])
    }

    @Test func detailsMadeFromTheSchemaHaveEverything() throws {
        for entity in schema.entities {
            let detail = DetailDescription.fromSchema(entity, in: schema)
            let (resolved, faults) = detail.resolve(in: schema, entityName: entity.name)
            #expect(faults == [])
            let labels = resolved.sections.flatMap(\.rows).compactMap(\.description.label)
            let stored = entity.attributes.filter { !$0.isTransient }.map(\.name)
            #expect(Set(labels) == Set(stored + entity.relationships.map(\.name)))
        }
        let widget = try #require(schema.entity(named: "Widget"))
        let detail = DetailDescription.fromSchema(widget, in: schema)
        #expect(detail.sections.map(\.title) == [nil, "manufacturingProcesses", "parts"])
        #expect(
            detail.sections.map { $0.rows.map(\.attributeKeyPath) } == [
                ["name", "detail", "isCurrentProduct", "releaseDate", "price", "picture", "type.name"],
                ["manufacturingProcesses.order"], ["parts.title"],
            ])
        let (resolved, _) = detail.resolve(in: schema, entityName: "Widget")
        #expect(
            resolved.valueKeyPaths.map(\.text) == [
                "name", "detail", "isCurrentProduct", "releaseDate", "price", "picture", "type.name", "type",
            ])
    }
}
