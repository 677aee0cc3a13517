#!/usr/bin/env python3
"""A second reading of a store or a document, to hold the program's own against.

    second-reading.py PROGRAM FILE…

Reads each file with Python alone (sqlite3, plistlib, json, csv) and compares with what the program prints: entities, parents
and counts; every attribute's name, type, column and value; every relationship's name, destination, kind and inverse, and which
objects it leads to from each object, in order where it has one. Where a Core Data store has its model cached, all that is
worked out from the model; else from Z_PRIMARYKEY and the columns. Prints what differs, and exits with 1 if anything does.
"""
import base64, datetime, glob, json, math, os, plistlib, sqlite3, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "reading"))
sys.dont_write_bytecode = True
import coredata, documents, model, tables

EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)


def run(program, *arguments, accepted=(0,)):
    # The place of a reader is none of a test's business.
    environment = dict(os.environ, TZ="UTC", LC_ALL="C.UTF-8", XDG_STATE_HOME="/nonexistent", XDG_CACHE_HOME="/nonexistent")
    done = subprocess.run([program, "--no-state", *arguments], capture_output=True, env=environment, stdin=subprocess.DEVNULL)
    if done.returncode not in accepted:
        raise SystemExit("%s: exit %d: %s" % (" ".join(arguments), done.returncode, done.stderr.decode(errors="replace")))
    return done.stdout


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def copied(path):
    """The file and what lies beside it, in a folder of its own: Python may write there."""
    folder = tempfile.mkdtemp()
    for suffix in ("", "-wal", "-shm", "-journal"):
        if os.path.exists(path + suffix):
            with open(path + suffix, "rb") as source, open(os.path.join(folder, "store" + suffix), "wb") as copy:
                copy.write(source.read())
    return os.path.join(folder, "store")


def same(value, printed, kind):
    """Whether a printed JSON value says what SQLite holds."""
    if value is None:
        return printed is None
    if isinstance(value, bytes):
        if kind == "UUID" and len(value) == 16:
            digits = value.hex().upper()
            return printed == "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
        if not isinstance(printed, str):
            return False
        try:
            decoded = base64.b64decode(printed, validate=True)
        except ValueError:
            return False
        # Core Data's tag of data that may lie outside: 1, the data follow.
        return decoded == value or (value[:1] == b"\x01" and decoded == value[1:])
    if kind == "Boolean" and value in (0, 1):
        return printed is bool(value) or printed == value
    if kind == "Date" and isinstance(printed, str) and printed.endswith("Z"):
        return date(value) is None or any(abs((parsed(printed) - moment).total_seconds()) < 0.002 for moment in date(value))
    if isinstance(value, float):
        if math.isnan(value) or math.isinf(value):
            return isinstance(printed, str)
        return isinstance(printed, (int, float)) and not isinstance(printed, bool) and float(printed) == value
    if isinstance(value, str):
        return printed == value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return printed == value and not isinstance(printed, bool)


def parsed(text):
    text = text[:-1]
    form = "%Y-%m-%dT%H:%M:%S.%f" if "." in text else "%Y-%m-%dT%H:%M:%S"
    try:
        return datetime.datetime.strptime(text, form).replace(tzinfo=datetime.timezone.utc)
    except ValueError:
        return EPOCH


def date(value):
    """The moments that a stored value may mean; None if it is beyond what Python's dates hold."""
    if isinstance(value, str):
        for form in ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S.%f"):
            try:
                return [datetime.datetime.strptime(value, form).replace(tzinfo=datetime.timezone.utc)]
            except ValueError:
                pass
        return None
    unix = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    moments = []
    for start, scale in ((EPOCH, 1), (unix, 1), (unix, 1e-3), (unix, 1e-6)):
        try:
            moments.append(start + datetime.timedelta(seconds=value * scale))
        except OverflowError:
            pass
    return moments or None


def compare(program, path):
    faults = []
    database = sqlite3.connect(copied(path))
    database.text_factory = lambda b: b.decode("utf-8", "surrogateescape")
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")}
    schema = json.loads(run(program, "--schema=json", path))["entities"]
    is_core_data = "Z_PRIMARYKEY" in tables and "Z_METADATA" in tables
    numbers = {}
    if is_core_data:
        rows = database.execute("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY").fetchall()
        for entity in schema:
            own = [number for number, name, _ in rows if name == entity["name"]]
            below = set(own)
            while True:
                more = {number for number, _, parent in rows if parent in below} - below
                if not more:
                    break
                below |= more
            numbers[entity["name"]] = below
        missing = {name for number, name, _ in rows if number < 16000} - {entity["name"] for entity in schema}
        faults += ["entity %s is missing" % name for name in sorted(missing) if not name.startswith("NSCK")]
    else:
        wanted = {
            name for (name, sql) in database.execute("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view')")
            if not name.startswith("sqlite_")
        }
        faults += ["table %s is missing" % name for name in sorted(wanted - {entity["table"] for entity in schema})]
    values = 0
    for entity in schema:
        if entity["table"] not in tables:
            continue
        table = quoted(entity["table"])
        condition = ""
        if is_core_data:
            condition = " WHERE Z_ENT IN (%s)" % ",".join(str(number) for number in sorted(numbers[entity["name"]]))
        (count,) = database.execute("SELECT count(*) FROM %s%s" % (table, condition)).fetchone()
        if count != entity["count"]:
            faults.append("%s: %d objects, not %d" % (entity["name"], entity["count"], count))
        columns = {row[1] for row in database.execute("PRAGMA table_xinfo(%s)" % table)}
        stored = [a for a in entity["attributes"] if a["column"] is not None]
        faults += ["%s.%s: no column %s" % (entity["name"], a["name"], a["column"]) for a in stored if a["column"] not in columns]
        lines = run(program, "--print=ndjson", "--details", "--entity", entity["name"], path).splitlines()
        printed = [json.loads(line) for line in lines]
        if len(printed) != count:
            faults.append("%s: %d objects printed of %d" % (entity["name"], len(printed), count))
            continue
        names = [a for a in stored if printed and a["name"] in printed[0]["details"]]
        faults += ["%s.%s is not printed" % (entity["name"], a["name"]) for a in stored if printed and a not in names]
        key = "Z_PK" if is_core_data else None
        rows = database.execute(
            "SELECT %s FROM %s%s" % (", ".join([key or "NULL"] + [quoted(a["column"]) for a in names]), table, condition)
        ).fetchall()
        if key:
            known = {row[0]: row[1:] for row in rows}
            pairs = [(known.get(int(p["objectID"].rsplit("/p", 1)[1])), p) for p in printed]
        else:
            # Without a key that both know: as multisets, by what is printed of each.
            order = lambda row: json.dumps([str(type(v)) + repr(v) for v in row])
            pairs = matched([row[1:] for row in rows], printed, names)
        for row, p in pairs:
            if row is None:
                faults.append("%s: no such object: %s" % (entity["name"], p["objectID"]))
                continue
            for value, attribute in zip(row, names):
                values += 1
                if not same(value, p["details"][attribute["name"]], attribute["type"]):
                    faults.append(
                        "%s %s.%s: %.60r stored, %.60r printed"
                        % (p["objectID"], entity["name"], attribute["name"], value, p["details"][attribute["name"]]))
    return values, faults


def matched(rows, printed, names):
    """Pairs each printed object with a stored row that it agrees with; what is left over is paired as it stands."""
    index = {}
    for row in rows:
        index.setdefault(fingerprint(row, names), []).append(row)
    pairs, open_objects = [], []
    for p in printed:
        values = [p["details"][a["name"]] for a in names]
        candidates = index.get(fingerprint(values, names), [])
        place = next((i for i, row in enumerate(candidates) if all(
            same(v, q, a["type"]) for v, q, a in zip(row, values, names))), None)
        if place is None:
            open_objects.append(p)
        else:
            pairs.append((candidates.pop(place), p))
    rest = [row for candidates in index.values() for row in candidates]
    for p in open_objects:
        values = [p["details"][a["name"]] for a in names]
        best = max(range(min(len(rest), 200)), key=lambda i: sum(
            same(v, q, a["type"]) for v, q, a in zip(rest[i], values, names)), default=None)
        pairs.append((rest.pop(best) if best is not None else None, p))
    return pairs


def fingerprint(values, names):
    """What stored and printed values have in common: numbers and texts that no type changes."""
    return tuple(
        v if type(v) is int and abs(v) < 1e6 and a["type"].startswith("Int") or type(v) is str and a["type"] == "String" and v.isascii()
        else None for v, a in zip(values, names))


def model_of(database, path):
    """The store's model: its own, or the compiled one beside it whose hashes are the store's; else None."""
    if database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'Z_MODELCACHE'").fetchone():
        row = database.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()
        if row and row[0]:
            return model.cached(row[0])
    row = database.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
    hashes = plistlib.loads(row[0]).get("NSStoreModelVersionHashes", {}) if row and row[0] else {}
    for bundle in glob.glob(os.path.join(os.path.dirname(os.path.abspath(path)), "*.momd")):
        with open(os.path.join(bundle, "VersionInfo.plist"), "rb") as file:
            versions = plistlib.load(file)["NSManagedObjectModel_VersionHashes"]
        for version, own in versions.items():
            if own == hashes:
                with open(os.path.join(bundle, version + ".mom"), "rb") as file:
                    return model.model(file.read())
    return None


def related(program, path, entity, wanted, folder):
    """{object ID: {relationship: IDs of the objects it leads to, as the program prints them}}."""
    text = next((a["name"] for a in entity["attributes"] if a["column"]), None)
    if text is None or not wanted:
        return {}
    rows = [
        {"rowInformation": [{
            "rowType": "CDLTableRowType" + ("ToManyRelationship" if r["toMany"] else "Relationship"), "rowLabel": "x",
            "attributeKeyPath": r["name"]}]} for r in wanted]
    lists = {"entityName": entity["name"], "sortKeyPaths": [text], "cellTextLabelKeyPath": text, "detailViewPropertyListFile": "d"}
    for name, contents in (("d", rows), ("l", lists)):
        with open(os.path.join(folder, name + ".plist"), "wb") as file:
            plistlib.dump(contents, file)
    lines = run(program, "--print=ndjson", "--details", os.path.join(folder, "l.plist"), path).splitlines()
    return {printed["objectID"]: printed["details"] for printed in map(json.loads, lines)}


def compare_core_data_relationships(program, path, database, schema):
    faults, links = [], 0
    entities = model_of(database, path)
    if entities is None:
        return 0, []
    store = coredata.Store(database, entities)
    faults += coredata.compare_model(store, schema)
    (uuid,) = database.execute("SELECT Z_UUID FROM Z_METADATA").fetchone()
    folder = tempfile.mkdtemp()
    for entity in schema:
        if entity["name"] not in store.entities or entity["name"] not in store.numbers:
            continue
        found = related(program, path, entity, entity["relationships"], folder)
        for relationship in entity["relationships"]:
            if relationship["name"] not in store.relationships(entity["name"]):
                continue
            there = store.related(entity["name"], relationship["name"])
            if there is None:
                faults.append("%s.%s: Python finds no columns for it" % (entity["name"], relationship["name"]))
                continue
            known = store.known(relationship["destination"])
            for name, details in found.items():
                key = int(name.rsplit("/p", 1)[1])
                wanted = ["x-coredata://%s/%s/p%d" % (uuid, known[k], k) for k in there.get(key, []) if k in known]
                printed = details.get(relationship["name"])
                links += len(wanted)
                faults += differing(name, relationship, wanted, printed)
    return links, faults


def differing(name, relationship, wanted, printed):
    if not relationship["toMany"]:
        printed = [] if printed is None else [printed]
    if not isinstance(printed, list):
        return ["%s.%s is not printed as a list" % (name, relationship["name"])]
    if relationship["ordered"] and wanted == printed or not relationship["ordered"] and sorted(wanted) == sorted(printed):
        return []
    return ["%s.%s leads to %.100r, not to %.100r" % (name, relationship["name"], printed, wanted)]


def compare_table_relationships(program, path, database, schema):
    faults, links = [], 0
    store = tables.Store(database)
    entities = {entity["name"]: entity for entity in schema}
    keys = {table: store.foreign_keys(table) for table in store.tables if table in entities}
    wanted = {table: {} for table in keys}
    for table, references in keys.items():
        rivals = {}
        for own, other, far in references:
            rivals[other] = rivals.get(other, 0) + 1
        columns = [name for name, _ in store.columns(table)]
        is_between = len(references) == 2 and sorted(references[0][0] + references[1][0]) == sorted(columns)
        for own, other, far in references:
            if other not in wanted:
                continue
            there = tables.to_one_name(own[0], other) if len(own) == 1 else tables.lowered(other)
            pairs = list(store.pairs(table, own, other, far))
            wanted[table][there] = (other, False, pairs)
            if is_between:
                continue
            long = tables.lowered(table) + "By" + "".join(own)[:1].upper() + "".join(own)[1:]
            back = long if rivals[other] > 1 else tables.lowered(table)
            wanted[other][back] = (table, True, [(right, left) for left, right in pairs])
        if is_between and references[0][1] != references[1][1]:
            (own, near, nearColumns), (ownFar, far, farColumns) = references
            first, second = dict(store.pairs(table, own, near, nearColumns)), dict(store.pairs(table, ownFar, far, farColumns))
            both = [(first[row], second[row]) for row in first if row in second]
            wanted[near][tables.lowered(far)] = (far, True, both)
            wanted[far][tables.lowered(near)] = (near, True, [(right, left) for left, right in both])
    folder = tempfile.mkdtemp()
    for table, relationships in wanted.items():
        shown = {r["name"]: r for r in entities[table]["relationships"]}
        for name in sorted(set(relationships) - set(shown)):
            faults.append("%s.%s is missing" % (table, name))
        for name in sorted(set(shown) - set(relationships)):
            faults.append("%s.%s is no foreign key" % (table, name))
        found = related(program, path, entities[table], list(shown.values()), folder)
        for name, relationship in shown.items():
            if name not in relationships:
                continue
            destination, isToMany, pairs = relationships[name]
            if (relationship["destination"], relationship["toMany"]) != (destination, isToMany):
                faults.append("%s.%s leads to %s" % (table, name, relationship["destination"]))
            there = {}
            for left, right in pairs:
                there.setdefault(left, []).append(right)
            for row, details in found.items():
                links += len(there.get(row, []))
                faults += differing(row, relationship, there.get(row, []), details.get(name))
            missing = set(there) - set(found)
            if found and missing:
                faults.append("%s.%s: %d rows are not printed" % (table, name, len(missing)))
    return links, faults


def compare_document(program, path):
    faults, values = [], 0
    name = os.path.basename(path).rsplit(".", 1)[0]
    try:
        top = documents.load(path)
    except documents.Unreadable as reason:
        # Then the program has to say so, too, and what it keeps nobody else can tell.
        done = subprocess.run([program, "--print", path], capture_output=True, stdin=subprocess.DEVNULL)
        said = done.stderr.decode(errors="replace")
        return 0, [] if path.split("/")[-1] in said else ["Python cannot read it (%s), the program says nothing" % reason]
    schema = json.loads(run(program, "--schema=json", path))["entities"]
    entities = {entity["name"]: entity for entity in schema}
    kinds = documents.kinds(top, name)
    sums = {}
    for (kind, above), records in kinds.items():
        # One kind of record wherever it stands: the program may number two of one name.
        sums.setdefault((kind, above), records)
    for (kind, above), records in sums.items():
        single = not isinstance(top, list) and above is None
        if kind not in entities:
            plain = any(not isinstance(v, (dict, list)) for r in records for v in r.values())
            if not (single and not plain):
                faults.append("records of %s are missing" % kind)
            continue
        entity = entities[kind]
        if sum(1 for other in sums if other[0] == kind) > 1:
            continue
        if entity["count"] != len(records):
            faults.append("%s: %d records, not %d" % (kind, entity["count"], len(records)))
            continue
        lines = run(program, "--print=ndjson", "--details", "--entity", kind, path).splitlines()
        printed = sorted(map(json.loads, lines), key=lambda p: int(p["objectID"].rsplit("/", 1)[1]))
        types = {a["name"]: a["type"] for a in entity["attributes"]}
        # A key that a key path would read otherwise has another name there.
        paths = {a["column"]: a["name"] for a in entity["attributes"]}
        for record, p in zip(records, printed):
            for key, value in record.items():
                if isinstance(value, (dict, list)):
                    continue
                key = paths.get(key, key)
                values += 1
                if key not in types and value not in (None, ""):
                    faults.append("%s.%s is missing" % (p["objectID"], key))
                elif key in types and not documents.agrees(value, p["details"].get(key), types[key]):
                    faults.append("%s.%s: %.60r stored, %.60r printed" % (p["objectID"], key, value, p["details"].get(key)))
    return values, faults


def main():
    program, files = sys.argv[1], sys.argv[2:]
    failed = False
    for path in files:
        with open(path, "rb") as file:
            is_database = file.read(16) == b"SQLite format 3\0"
        links = 0
        if is_database:
            values, faults = compare(program, path)
            database = sqlite3.connect(copied(path))
            database.text_factory = lambda b: b.decode("utf-8", "replace")
            schema = json.loads(run(program, "--schema=json", path))["entities"]
            names = {name for (name,) in database.execute("SELECT name FROM sqlite_schema")}
            further = compare_core_data_relationships if {"Z_PRIMARYKEY", "Z_METADATA"} <= names else compare_table_relationships
            links, more = further(program, path, database, schema)
            faults += more
        else:
            values, faults = compare_document(program, path)
        print("%s: %d values and %d links compared, %d faults" % (path, values, links, len(faults)))
        for fault in faults[:40]:
            print("  " + fault)
        failed = failed or bool(faults)
    sys.exit(1 if failed else 0)


main()
