import TestSupport

@testable import SQLiteStores

/// The forms in which Core Data's programs write one model.
extension ManagedObjectModelTests {
    /// A compiled model: Animal (abstract) ← Dog, and Person with dogs; inherited properties as copies or proxies.
    func compiled(knownKeys: Bool = false, proxies: Bool = false, named: Bool = true) -> [UInt8] {
        var writer = KeyedArchiveWriter()
        let animal = writer.reserve()
        let dog = writer.reserve()
        let person = writer.reserve()
        let owner = writer.reserve()
        let dogs = writer.reserve()
        let property = ["NSPropertyDescription", "NSObject"]
        let name = writer.object(
            "NSAttributeDescription", ancestors: property,
            [
                ("NSPropertyName", .object(writer.string("name"))), ("NSAttributeType", .integer(700)), ("_P", .integer(241)),
                ("NSFlagsKey", .integer(0)),
            ])
        let photo = writer.object(
            "NSAttributeDescription", ancestors: property,
            [
                ("NSPropertyName", .object(writer.string("photo"))), ("NSAttributeType", .integer(1000)),
                ("NSIsOptional", .boolean(true)), ("NSFlagsKey", .integer(4 + 16)),
            ])
        let colour = writer.object(
            "NSDerivedAttributeDescription", ancestors: ["NSAttributeDescription"] + property,
            [
                ("NSPropertyName", .object(writer.string("colour"))), ("NSAttributeType", .integer(1800)),
                ("_P", .integer(241 + 2 + 8)), ("NSValueTransformerName", .object(writer.string("Paint"))),
            ])
        let fetched = writer.object(
            "NSFetchedPropertyDescription", ancestors: property, [("NSPropertyName", .object(writer.string("found")))])
        func relationship(
            _ uid: Int, _ name: String, to destination: (String, Int), inverse: (String, Int),
            _ fields: [(String, KeyedArchiveWriter.Field)]
        ) {
            var all: [(String, KeyedArchiveWriter.Field)] = [
                ("NSPropertyName", .object(writer.string(name))), ("NSDestinationEntity", .object(destination.1)),
                ("NSInverseRelationship", .object(inverse.1)),
            ]
            if named {
                all.append(("_NSDestinationEntityName", .object(writer.string(destination.0))))
                all.append(("_NSInverseRelationshipName", .object(writer.string(inverse.0))))
            }
            writer.define(uid, "NSRelationshipDescription", ancestors: property, all + fields)
        }
        relationship(
            owner, "owner", to: ("Person", person), inverse: ("dogs", dogs),
            [("NSMaxCount", .integer(1)), ("NSDeleteRule", .integer(1)), ("NSIsOptional", .boolean(true))])
        relationship(
            dogs, "dogs", to: ("Dog", dog), inverse: ("owner", owner),
            [("NSMaxCount", .integer(0)), ("NSDeleteRule", .integer(2)), ("_P", .integer(1024))])
        let inherited =
            proxies
            ? writer.object(
                "_NSPropertyDescriptionProxy", [("NSEntityDescription", .object(dog)), ("NSUnderlyingProperty", .object(name))])
            : writer.object(
                "NSAttributeDescription", ancestors: property,
                [("NSPropertyName", .object(writer.string("name"))), ("NSAttributeType", .integer(700))])
        func entity(_ uid: Int, _ name: String, super superentity: Int, isAbstract: Bool = false, _ properties: [(String, Int)]) {
            let dictionary = writer.dictionary(properties)
            writer.define(
                uid, "NSEntityDescription",
                [
                    ("NSEntityName", .object(writer.string(name))), ("NSSuperentity", .object(superentity)),
                    ("NSProperties", .object(dictionary)),
                ] + (isAbstract ? [("NSIsAbstract", .boolean(true))] : []))
        }
        entity(animal, "Animal", super: 0, isAbstract: true, [("name", name)])
        entity(dog, "Dog", super: animal, [("name", inherited), ("photo", photo), ("owner", owner)])
        entity(person, "Person", super: 0, [("colour", colour), ("dogs", dogs), ("found", fetched)])
        let all = [("Person", person), ("Animal", animal), ("Dog", dog)]
        let entities: Int
        if knownKeys {
            let keys = writer.array(all.map { writer.string($0.0) })
            let mapping = writer.object("NSKnownKeysMappingStrategy1", [("keys", .object(keys)), ("length", .integer(3))])
            let values = writer.array(all.map(\.1))
            entities = writer.object(
                "NSKnownKeysDictionary1",
                [
                    ("searchMapping", .object(mapping)), ("values", .object(values)), ("length", .integer(3)),
                    ("version", .integer(1)),
                ])
        } else {
            entities = writer.dictionary(all)
        }
        let model = writer.object(
            "NSManagedObjectModel", [("NSEntities", .object(entities)), ("NSFetchRequestTemplates", .object(0))])
        writer.top = [("root", model)]
        return writer.bytes()
    }

    static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Person" syncable="YES">
                <attribute name="colour" optional="YES" transient="YES" attributeType="Transformable" valueTransformerName="Paint"/>
                <relationship name="dogs" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Dog" inverseName="owner"/>
                <fetchedProperty name="found"><fetchRequest name="f" entity="Dog"/></fetchedProperty>
                <userInfo><entry key="attribute" value="x"/></userInfo>
            </entity>
            <entity name="Animal" isAbstract="YES"><attribute name="name" attributeType="String"/></entity>
            <entity name="Dog" parentEntity="Animal">
                <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="dogs"/>
            </entity>
            <elements><element name="Dog" positionX="0"/></elements>
        </model>
        """

    /// The old source form of Person with dogs.
    func design(generalization wrapped: Bool) -> [UInt8] {
        var writer = KeyedArchiveWriter()
        let animal = writer.reserve()
        let dog = writer.reserve()
        let person = writer.reserve()
        let dogs = writer.reserve()
        let owner = writer.reserve()
        func setting(_ value: KeyedArchiveWriter.Field) -> Int { writer.object("XDUMLPropertyImp", [("_default", value)]) }
        func stereotypes(_ settings: [(String, [(String, KeyedArchiveWriter.Field)])]) -> Int {
            let all = settings.map { name, values in
                let bucket = writer.dictionary(values.map { ($0.0, setting($0.1)) })
                return (name, writer.object("XDUMLStereotypeImp", [("XDBucketForOwnedAttributesstorage", .object(bucket))]))
            }
            return writer.dictionary(all)
        }
        func element(
            _ uid: Int, _ className: String, _ name: String, _ settings: [(String, [(String, KeyedArchiveWriter.Field)])],
            _ fields: [(String, KeyedArchiveWriter.Field)] = []
        ) {
            let bucket = stereotypes(settings)
            writer.define(
                uid, className,
                [("_name", .object(writer.string(name))), ("XDBucketForStereotypesstorage", .object(bucket))] + fields)
        }
        let yes = writer.plain(.boolean(true))
        let no = writer.plain(.boolean(false))
        func number(_ value: Int64) -> KeyedArchiveWriter.Field { .object(writer.plain(.integer(value))) }
        func attribute(_ name: String, _ type: Int64, optional: Bool, transient: Bool) -> Int {
            let uid = writer.reserve()
            element(
                uid, "XDPMAttribute", name,
                [
                    (
                        "XD_PPropStereotype",
                        [
                            ("XD_PPSK_isOptional", .object(optional ? yes : no)),
                            ("XD_PPSK_isTransient", .object(transient ? yes : no)),
                        ]
                    ),
                    ("XD_PAtt_Stereotype", [("XD_PAttK_attributeType", number(type))]),
                ])
            return uid
        }
        func relationship(_ uid: Int, _ name: String, many: Bool, to destination: Int, inverse: Int, rule: Int64, optional: Bool)
        {
            element(
                uid, "XDPMRelationship", name,
                [
                    ("XD_PPropStereotype", [("XD_PPSK_isOptional", .object(optional ? yes : no))]),
                    (
                        "XD_PR_Stereotype",
                        [
                            ("XD_PRK_isToMany", .object(many ? yes : no)), ("XD_PRK_destination", .object(destination)),
                            ("XD_PRK_inverseRelationship", .object(inverse)), ("XD_PRK_deleteRule", number(rule)),
                        ]
                    ),
                ])
        }
        relationship(dogs, "dogs", many: true, to: dog, inverse: owner, rule: 2, optional: false)
        relationship(owner, "owner", many: false, to: person, inverse: dogs, rule: 1, optional: true)
        func entity(_ uid: Int, _ name: String, abstract: Bool, _ properties: [(String, Int)], super superentities: [Int]) {
            let bucket = writer.dictionary(properties)
            let general = writer.array(superentities)
            element(
                uid, "XDPMEntity", name, [("XD_PStereotype", [("XD_PSK_isAbstract", .object(abstract ? yes : no))])],
                [("XDBucketForOwnedAttributesstorage", .object(bucket)), ("XDBucketForGeneralizationsstorage", .object(general))])
        }
        let general =
            wrapped
            ? writer.object("XDUMLGeneralizationImp", [("_specific", .object(dog)), ("_general", .object(animal))]) : animal
        entity(animal, "Animal", abstract: true, [("name", attribute("name", 700, optional: false, transient: false))], super: [])
        entity(
            dog, "Dog", abstract: false,
            [("photo", attribute("photo", 1000, optional: true, transient: false)), ("owner", owner)], super: [general])
        entity(
            person, "Person", abstract: false,
            [("colour", attribute("colour", 1800, optional: true, transient: true)), ("dogs", dogs)], super: [])
        let classes = writer.dictionary([("Dog", dog), ("Animal", animal), ("Person", person)])
        let package = writer.object("XDModelPackage", [("XDBucketForClassesstorage", .object(classes))])
        writer.top = [("root", writer.object("XDPMModel", [("_xd_rootPackage", .object(package))]))]
        return writer.bytes()
    }
}
