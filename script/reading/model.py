"""A Core Data model as plistlib reads it: the store's own cached one, or a compiled one beside it."""
import plistlib, zlib

TYPES = {
    100: "Int16", 200: "Int32", 300: "Int64", 400: "Decimal", 500: "Double", 600: "Float", 700: "String", 800: "Boolean",
    900: "Date", 1000: "Binary", 1100: "UUID", 1200: "URI", 1800: "Transformable",
}


class Archive:
    """A keyed archive, looked up lazily: its objects refer to each other in circles."""

    def __init__(self, data):
        archive = plistlib.loads(data)
        self.objects = archive["$objects"]
        self.root = self[archive["$top"]["root"]]

    def __getitem__(self, value):
        found = self.objects[value.data] if isinstance(value, plistlib.UID) else value
        return None if found == "$null" else found

    def kind(self, value):
        return self[value["$class"]]["$classname"]

    def pairs(self, value):
        """The keys and values of a dictionary of either encoding."""
        value = self[value]
        if value is None:
            return []
        if "NS.keys" in value:
            return [(self[key], self[item]) for key, item in zip(value["NS.keys"], value["NS.objects"])]
        keys = self[self[value["searchMapping"]]["keys"]]
        items = self[value["values"]]
        return [(self[key], self[item]) for key, item in zip(keys["NS.objects"], items["NS.objects"])]


class Entity:
    def __init__(self, name, parent, is_abstract):
        self.name, self.parent, self.is_abstract = name, parent, is_abstract
        self.attributes, self.relationships = {}, {}


def model(data):
    """{entity name: Entity}, with own properties only."""
    archive = Archive(data)
    entities = {}
    for name, value in archive.pairs(archive.root["NSEntities"]):
        parent = archive[value.get("NSSuperentity")]
        entity = Entity(name, archive[parent["NSEntityName"]] if parent else None, bool(archive[value.get("NSIsAbstract", False)]))
        for key, found in archive.pairs(value["NSProperties"]):
            if "Proxy" in archive.kind(found):
                found = archive[found["NSUnderlyingProperty"]]
            kind = archive.kind(found)
            if kind == "NSRelationshipDescription":
                destination = archive[found.get("_NSDestinationEntityName")]
                if destination is None:
                    destination = archive[archive[found["NSDestinationEntity"]]["NSEntityName"]]
                inverse = archive[found.get("_NSInverseRelationshipName")]
                if inverse is None and archive[found.get("NSInverseRelationship")] is not None:
                    inverse = archive[archive[found["NSInverseRelationship"]]["NSPropertyName"]]
                most = archive[found.get("NSMaxCount", 0)] or 0
                flags = archive[found.get("_P", 0)] or 0
                ordered = bool(archive[found.get("NSIsOrdered", False)]) or bool(flags & 1024)
                entity.relationships[key] = dict(destination=destination, toMany=most != 1, ordered=ordered, inverse=inverse)
            elif kind in ("NSAttributeDescription", "NSDerivedAttributeDescription"):
                code = archive[found["NSAttributeType"]]
                transient = bool(archive[found.get("NSIsTransient", False)])
                entity.attributes[key] = dict(type=TYPES.get(code), transient=transient or code == 0)
        entities[name] = entity
    # What an ancestor has is no property of one's own.
    for entity in entities.values():
        above = entities.get(entity.parent)
        while above:
            for names in (entity.attributes, entity.relationships):
                for name in list(names):
                    if name in above.attributes or name in above.relationships:
                        names.pop(name)
            above = entities.get(above.parent)
    return entities


def cached(content):
    """The model of Z_MODELCACHE: raw DEFLATE."""
    return model(zlib.decompress(content, -15))
