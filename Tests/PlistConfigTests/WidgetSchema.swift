import ObjectStore

/// The model of CDL's Widget sample, with what the rules need besides.
func widgetSchema() -> Schema {
    func attribute(_ name: String, _ type: AttributeType = .string) -> Attribute {
        Attribute(name: name, type: type, columnName: "Z" + name.uppercased())
    }
    let widget = Entity(
        name: "Widget", tableName: "ZWIDGET",
        attributes: [
            attribute("name"), attribute("detail"), attribute("isCurrentProduct", .boolean), attribute("releaseDate", .date),
            attribute("price", .double), attribute("picture", .binary),
            Attribute(name: "nameFirstLetter", type: .string, columnName: nil),
            Attribute(name: "shade", type: .string, columnName: nil),
        ],
        relationships: [
            Relationship(name: "type", destinationEntityName: "WidgetType", isToMany: false, inverseName: "widgets"),
            Relationship(
                name: "manufacturingProcesses", destinationEntityName: "WidgetManufacturingProcess", isToMany: true,
                inverseName: "widget"),
            Relationship(name: "parts", destinationEntityName: "Part", isToMany: true, isOrdered: true),
        ])
    let type = Entity(
        name: "WidgetType", tableName: "ZWIDGETTYPE", attributes: [attribute("name"), attribute("details")],
        relationships: [Relationship(name: "widgets", destinationEntityName: "Widget", isToMany: true, inverseName: "type")])
    let step = Entity(
        name: "WidgetManufacturingProcess", tableName: "ZSTEP", attributes: [attribute("order", .int16)],
        relationships: [
            Relationship(
                name: "manufacturingProcess", destinationEntityName: "ManufacturingProcess", isToMany: false,
                inverseName: "widgets"),
            Relationship(
                name: "widget", destinationEntityName: "Widget", isToMany: false, inverseName: "manufacturingProcesses"),
        ])
    let process = Entity(name: "ManufacturingProcess", tableName: "ZPROCESS", attributes: [attribute("name")])
    let part = Entity(
        name: "Part", tableName: "ZPART", attributes: [attribute("title"), attribute("ordre", .int32)],
        relationships: [Relationship(name: "widget", destinationEntityName: "Widget", isToMany: false)])
    let picture = Entity(name: "Blob", tableName: "ZBLOB", attributes: [attribute("bytes", .binary)])
    let history = Entity(name: "ACHANGE", tableName: "ACHANGE", isSystem: true)
    return Schema(entities: [widget, type, step, process, part, picture, history], origin: .cachedModel)
}
