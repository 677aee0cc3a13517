"""What a Core Data store holds by its model, worked out with Python's sqlite3: names, types, columns, relationships."""
import re


class Store:
    def __init__(self, database, entities):
        """entities: {name: model.Entity}."""
        self.database, self.entities = database, entities
        self.numbers = {name: number for number, name in database.execute("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY")}
        self.names = {number: name for name, number in self.numbers.items()}
        self.tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        self.columns = self._columns()

    def root(self, name):
        while self.entities[name].parent:
            name = self.entities[name].parent
        return name

    def table(self, name):
        return "Z" + self.root(name).upper()

    def lineage(self, name):
        """The entity and those above it, the root last."""
        while name:
            yield name
            name = self.entities[name].parent

    def below(self, name):
        """The numbers of the entity and its descendants."""
        return [number for number, other in self.names.items() if other in self.entities and name in self.lineage(other)]

    def attributes(self, name):
        return {k: v for other in self.lineage(name) for k, v in self.entities[other].attributes.items()}

    def relationships(self, name):
        return {k: (other, v) for other in self.lineage(name) for k, v in self.entities[other].relationships.items()}

    def _columns(self):
        """(entity that declares it, property) → column: in the order of the numbers, then of the names, a name that is taken
        already gets 1, 2, 3."""
        columns, taken = {}, {}
        for number in sorted(self.names):
            entity = self.entities.get(self.names[number])
            if not entity:
                continue
            stored = [n for n, a in entity.attributes.items() if not a["transient"]]
            stored += [n for n, r in entity.relationships.items() if not r["toMany"]]
            for name in sorted(stored):
                plain = "Z" + name.upper()
                used = taken.setdefault(self.root(entity.name), {})
                count = used.get(plain, 0)
                used[plain] = count + 1
                columns[entity.name, name] = plain + (str(count) if count else "")
        return columns

    def column(self, name, key):
        return next((self.columns[other, key] for other in self.lineage(name) if (other, key) in self.columns), None)

    def keys(self, name):
        numbers = ",".join(map(str, self.below(name)))
        return [key for (key,) in self.database.execute('SELECT Z_PK FROM "%s" WHERE Z_ENT IN (%s)' % (self.table(name), numbers))]

    def known(self, name):
        """{key: name of its own entity} of the whole table."""
        return {
            key: self.names.get(number)
            for key, number in self.database.execute('SELECT Z_PK, Z_ENT FROM "%s"' % self.table(name))
        }

    def related(self, name, key):
        """{owner's key: [keys at the other end]} in order, where there is one; None where the tables do not say."""
        owner, relationship = self.relationships(name)[key]
        destination, inverse = relationship["destination"], relationship["inverse"]
        if not relationship["toMany"]:
            sql = 'SELECT Z_PK, "%s" FROM "%s"' % (self.column(name, key), self.table(name))
            return self._pairs(sql)
        back = self.relationships(destination).get(inverse, (None, None))[1] if inverse else None
        if back and not back["toMany"]:
            column = self.column(destination, inverse)
            order = "Z_FOK_" + column[1:] if relationship["ordered"] else "Z_PK"
            sql = 'SELECT "%s", Z_PK FROM "%s" ORDER BY "%s", Z_PK' % (column, self.table(destination), order)
            return self._pairs(sql)
        if not inverse:
            column = "Z%d%s" % (self.numbers[owner], key.upper())
            order = "Z_FOK_" + column[1:] if relationship["ordered"] else "Z_PK"
            if column not in self._names(self.table(destination)):
                return None
            sql = 'SELECT "%s", Z_PK FROM "%s" ORDER BY "%s", Z_PK' % (column, self.table(destination), order)
            return self._pairs(sql)
        other = self.relationships(destination)[inverse][0]
        sides = [(self.numbers[owner], key.upper()), (self.numbers[other], inverse.upper())]
        joins = [t for t in self.tables for number, side in sides if re.fullmatch("Z_%d%s[0-9]*" % (number, re.escape(side)), t)]
        for table in joins:
            names = self._names(table)
            # A column has the relationship that leads to its objects, and the number of those objects' entity.
            far = [c for c in names if re.fullmatch("Z_%d%s[0-9]*" % (sides[1][0], re.escape(sides[0][1])), c)]
            near = [c for c in names if re.fullmatch("Z_%d%s[0-9]*" % (sides[0][0], re.escape(sides[1][1])), c)]
            if sides[0] == sides[1]:
                near = [c for c in names if c == "REFLEXIVE"]
            if len(far) != 1 or len(near) != 1:
                continue
            order = "Z_FOK_" + far[0][2:] if relationship["ordered"] else far[0]
            if order not in names:
                order = far[0]
            return self._pairs('SELECT "%s", "%s" FROM "%s" ORDER BY "%s", "%s"' % (near[0], far[0], table, order, far[0]))
        return None

    def _names(self, table):
        return [row[1] for row in self.database.execute('PRAGMA table_info("%s")' % table)]

    def _pairs(self, sql):
        found = {}
        for owner, other in self.database.execute(sql):
            if owner is not None and other is not None:
                found.setdefault(owner, []).append(other)
        return found


def compare_model(store, schema):
    """What the program's schema says otherwise than the model."""
    faults = []
    printed = {entity["name"]: entity for entity in schema}
    for name, entity in store.entities.items():
        if name not in store.numbers:
            continue
        if name not in printed:
            faults.append("entity %s of the model is missing" % name)
            continue
        shown = printed[name]
        for key, wanted in (("superentity", entity.parent), ("abstract", entity.is_abstract), ("table", store.table(name))):
            if shown[key] != wanted:
                faults.append("%s: %s is %r, not %r" % (name, key, shown[key], wanted))
        attributes = {a["name"]: a for a in shown["attributes"]}
        wanted = store.attributes(name)
        faults += ["%s.%s is missing" % (name, n) for n in sorted(set(wanted) - set(attributes))]
        faults += ["%s.%s is not in the model" % (name, n) for n in sorted(set(attributes) - set(wanted))]
        for n in set(wanted) & set(attributes):
            if wanted[n]["type"] and attributes[n]["type"] != wanted[n]["type"]:
                faults.append("%s.%s is %s, not %s" % (name, n, attributes[n]["type"], wanted[n]["type"]))
            column = None if wanted[n]["transient"] else store.column(name, n)
            if attributes[n]["column"] != column:
                faults.append("%s.%s lies in %s, not in %s" % (name, n, attributes[n]["column"], column))
        relationships = {r["name"]: r for r in shown["relationships"]}
        wanted = store.relationships(name)
        faults += ["%s.%s is missing" % (name, n) for n in sorted(set(wanted) - set(relationships))]
        faults += ["%s.%s is not in the model" % (name, n) for n in sorted(set(relationships) - set(wanted))]
        for n in set(wanted) & set(relationships):
            for key, value in wanted[n][1].items():
                if relationships[n][key] != value:
                    faults.append("%s.%s: %s is %r, not %r" % (name, n, key, relationships[n][key], value))
    extra = set(printed) - set(store.entities)
    return faults + ["entity %s is not in the model" % name for name in sorted(extra)]
