/// The chemical elements: to-one to their category, many-to-many with their discoverers.
enum ElementsStore {
    static let model = StoreModel(entities: [
        StoreModel.Entity(
            name: "Category",
            attributes: [
                StoreModel.Attribute(name: "name", type: .string),
                StoreModel.Attribute(name: "summary", type: .string, isOptional: true),
            ],
            relationships: [
                StoreModel.Relationship(name: "elements", destination: "Element", inverse: "category", isToMany: true)
            ]),
        StoreModel.Entity(
            name: "Discoverer",
            attributes: [
                StoreModel.Attribute(name: "name", type: .string),
                StoreModel.Attribute(name: "sortName", type: .string),
                StoreModel.Attribute(name: "country", type: .string),
                StoreModel.Attribute(name: "birthYear", type: .integer16, isOptional: true),
                StoreModel.Attribute(name: "deathYear", type: .integer16, isOptional: true),
            ],
            relationships: [
                StoreModel.Relationship(name: "elements", destination: "Element", inverse: "discoverers", isToMany: true)
            ]),
        StoreModel.Entity(
            name: "Element",
            attributes: [
                StoreModel.Attribute(name: "atomicNumber", type: .integer16),
                StoreModel.Attribute(name: "symbol", type: .string),
                StoreModel.Attribute(name: "name", type: .string),
                StoreModel.Attribute(name: "atomicMass", type: .double),
                StoreModel.Attribute(name: "group", type: .integer16, isOptional: true),
                StoreModel.Attribute(name: "period", type: .integer16),
                StoreModel.Attribute(name: "phase", type: .string, isOptional: true),
                StoreModel.Attribute(name: "isRadioactive", type: .boolean),
                StoreModel.Attribute(name: "discoveryYear", type: .integer16, isOptional: true),
                StoreModel.Attribute(name: "nameOrigin", type: .string),
                StoreModel.Attribute(name: "summary", type: .string),
            ],
            relationships: [
                StoreModel.Relationship(name: "category", destination: "Category", inverse: "elements"),
                StoreModel.Relationship(name: "discoverers", destination: "Discoverer", inverse: "elements", isToMany: true),
            ]),
    ])

    /// Reads the tables `elements`, `categories` and `discoverers` of a folder.
    static func contents(source: String) throws -> StoreContents {
        var contents = StoreContents(model: model)
        var categories: [String: StoreContents.ObjectID] = [:]
        for row in try SourceTable(file: source + "/categories.tsv").rows {
            categories[try row.text("name")] = try contents.insert(
                "Category", ["name": row.textValue("name"), "summary": row.textValue("summary")])
        }
        var discoverers: [String: StoreContents.ObjectID] = [:]
        for row in try SourceTable(file: source + "/discoverers.tsv").rows {
            discoverers[try row.text("name")] = try contents.insert(
                "Discoverer",
                [
                    "name": row.textValue("name"), "sortName": row.textValue("sortName"), "country": row.textValue("country"),
                    "birthYear": row.integerValue("birthYear"), "deathYear": row.integerValue("deathYear"),
                ])
        }
        for row in try SourceTable(file: source + "/elements.tsv").rows {
            guard let category = categories[try row.text("category")] else {
                throw Complaint("\(row.place): there is no category \(try row.text("category"))")
            }
            let element = try contents.insert(
                "Element",
                [
                    "atomicNumber": row.integerValue("atomicNumber"), "symbol": row.textValue("symbol"),
                    "name": row.textValue("name"), "atomicMass": row.realValue("atomicMass"), "group": row.integerValue("group"),
                    "period": row.integerValue("period"), "phase": row.textValue("phase"),
                    "isRadioactive": row.booleanValue("isRadioactive"), "discoveryYear": row.integerValue("discoveryYear"),
                    "nameOrigin": row.textValue("nameOrigin"), "summary": row.textValue("summary"),
                ], to: ["category": category])
            for name in try row.text("discoverers").split(separator: ";").map({ $0.drop { $0 == " " } }) {
                guard let discoverer = discoverers[String(name)] else {
                    throw Complaint("\(row.place): there is no discoverer \(name)")
                }
                try contents.join(discoverer, "elements", element)
            }
        }
        return contents
    }
}
