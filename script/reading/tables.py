"""What the tables of any SQLite database hold by their keys, worked out with Python's sqlite3."""
import re


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Store:
    def __init__(self, database):
        self.database = database
        self.kinds = {name: kind for kind, name in database.execute("SELECT type, name FROM sqlite_schema")}
        self.tables = [n for n, k in self.kinds.items() if k == "table" and not n.startswith("sqlite_")]

    def columns(self, table):
        """(name, place in the primary key) of each."""
        return [(row[1], row[5]) for row in self.database.execute("PRAGMA table_xinfo(%s)" % quoted(table))]

    def key(self, table):
        """The columns that the program names a row by: the primary key, else the first unique one that is never NULL, else the
        rowid."""
        key = [name for name, place in sorted(self.columns(table), key=lambda column: column[1]) if place]
        if key:
            return key
        required = {row[1] for row in self.database.execute("PRAGMA table_info(%s)" % quoted(table)) if row[3]}
        for index in self.database.execute("PRAGMA index_list(%s)" % quoted(table)).fetchall():
            names = [row[2] for row in self.database.execute("PRAGMA index_info(%s)" % quoted(index[1]))]
            if index[2] and not index[4] and names and set(names) <= required:
                return names
        return ["rowid"]

    def name(self, table, values):
        """An object's ID."""
        def part(value):
            if isinstance(value, bytes):
                return "x" + value.hex()
            text = str(value) if not isinstance(value, float) else repr(value)
            return text.replace("%", "%25").replace("/", "%2F").replace(",", "%2C")
        return table + "/" + ",".join(part(value) for value in values)

    def foreign_keys(self, table):
        """(own columns, other table, its columns) of each, in the order of their declaration."""
        found = {}
        for number, place, other, own, far, *_ in self.database.execute("PRAGMA foreign_key_list(%s)" % quoted(table)):
            found.setdefault(number, (other, [], []))
            found[number][1].append((place, own))
            found[number][2].append((place, far))
        keys = []
        for number in sorted(found, reverse=True):
            other, own, far = found[number]
            real = next((t for t in self.tables if t.lower() == other.lower()), None)
            if not real:
                continue
            far = [name for _, name in sorted(far, key=lambda pair: pair[0])]
            if None in far:
                far = self.key(real)
            keys.append(([name for _, name in sorted(own)], real, far))
        return keys

    def pairs(self, table, own, other, far):
        """(ID of the row, ID of the row that it refers to) of each that refers to one."""
        left, right = self.key(table), self.key(other)
        sql = "SELECT %s, %s FROM %s a JOIN %s b ON %s" % (
            ", ".join("a." + quoted(c) for c in left), ", ".join("b." + quoted(c) for c in right), quoted(table), quoted(other),
            " AND ".join("a.%s = b.%s" % (quoted(o), quoted(f)) for o, f in zip(own, far)))
        for row in self.database.execute(sql):
            yield self.name(table, row[: len(left)]), self.name(other, row[len(left):])


def words(name):
    """Without what a key path could not have: the words run together, each but the first with a capital."""
    parts = [part for part in re.split(r"[^\w]+", name) if part]
    return parts[0] + "".join(part[:1].upper() + part[1:] for part in parts[1:]) if parts else ""


def lowered(name):
    """As the program names what a column leads to: a small initial, or a first word in small letters that was in capitals."""
    name = words(name)
    capitals = re.match("[A-Z]*", name).group()
    count = len(capitals)
    if 1 < count < len(name) and name[count].islower():
        count -= 1
    return name[:count].lower() + name[count:]


def to_one_name(column, destination):
    for ending in ("_id", "_ID", "Id", "ID"):
        if column.endswith(ending) and len(column) > len(ending):
            return lowered(column[: -len(ending)])
    return lowered(column) + words(destination)[:1].upper() + words(destination)[1:]
