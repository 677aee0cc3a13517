#!/usr/bin/env python3
"""A second reading of a SQLite or Core Data file, to hold the program's own against.

    second-reading.py PROGRAM FILE…

Reads each file with Python's sqlite3 alone and compares: entities and their counts, every attribute's value in every
object, to-one and to-many relationships by foreign key. Prints what differs, and exits with 1 if anything does.
"""
import base64, datetime, json, math, os, sqlite3, subprocess, sys, tempfile

EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)


def run(program, *arguments):
    # The place of a reader is none of a test's business.
    environment = dict(os.environ, TZ="UTC", LC_ALL="C.UTF-8", XDG_STATE_HOME="/nonexistent", XDG_CACHE_HOME="/nonexistent")
    done = subprocess.run([program, "--no-state", *arguments], capture_output=True, env=environment, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
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


def main():
    program, files = sys.argv[1], sys.argv[2:]
    failed = False
    for path in files:
        values, faults = compare(program, path)
        print("%s: %d values compared, %d faults" % (path, values, len(faults)))
        for fault in faults[:40]:
            print("  " + fault)
        failed = failed or bool(faults)
    sys.exit(1 if failed else 0)


main()
