"""What a JSON, CSV or property list document holds, by Python's own parsers, as kinds of records."""
import csv, datetime, json, plistlib


class Unreadable(Exception):
    pass


def load(path):
    """The records at the top, or the one dictionary around everything; None where Python cannot read it."""
    with open(path, "rb") as file:
        data = file.read()
    suffix = path.rsplit(".", 1)[-1].lower()
    try:
        if suffix == "json":
            return json.loads(data)
        if suffix in ("ndjson", "jsonl"):
            return [json.loads(line) for line in data.splitlines() if line.strip()]
        if suffix == "csv":
            text = data.decode("utf-8-sig")
            rows = list(csv.reader(text.splitlines(keepends=True), strict=True, skipinitialspace=True))
            return [dict(zip(rows[0], row)) for row in rows[1:]]
        if suffix == "plist":
            return plistlib.loads(data)
    except (ValueError, csv.Error, plistlib.InvalidFileException, Exception) as error:
        raise Unreadable(str(error))
    return None


def is_record(value):
    return isinstance(value, dict)


def kinds(top, name):
    """{(key, kind of record around it): [records in the order in which they begin]}; the outermost under (name, None)."""
    found = {}

    def walk(record, kind, above):
        found.setdefault((kind, above), []).append(record)
        for key, value in record.items():
            if is_record(value):
                walk(value, key, kind)
            elif isinstance(value, list) and any(map(is_record, value)):
                for item in value:
                    if is_record(item):
                        walk(item, key, kind)

    if isinstance(top, list):
        for item in top:
            walk(item if is_record(item) else {"value": item}, name, None)
    elif is_record(top):
        walk(top, name, None)
    return found


def agrees(value, printed, kind):
    """Whether a printed JSON value says what a document's plain value says."""
    if value is None or value == "":
        return printed in (None, "")
    if isinstance(value, plistlib.UID):
        return printed == value.data
    if isinstance(value, bool):
        return printed is value or printed == str(value).lower()
    if isinstance(value, bytes):
        import base64
        return printed == base64.b64encode(value).decode()
    if isinstance(value, datetime.datetime):
        return isinstance(printed, str) and printed[:19] == value.isoformat()[:19]
    if isinstance(value, (int, float)):
        if isinstance(printed, str):
            # A number among texts is a text; a Unix time may be a date.
            return printed == str(value) or kind == "Date"
        return not isinstance(printed, bool) and printed is not None and abs(printed - value) <= abs(value) * 1e-12
    if isinstance(value, str):
        if isinstance(printed, bool):
            return value.strip().lower() in ("true", "yes", "1", "t", "y") if printed else value.strip().lower() in ("false", "no", "0", "f", "n")
        if isinstance(printed, (int, float)):
            try:
                return float(value) == printed
            except ValueError:
                return False
        if kind == "Date":
            digits = "".join(filter(str.isdigit, value))
            return printed is not None and (printed == value or "".join(filter(str.isdigit, printed))[:8] == digits[:8]
                                            or not value[:4].isdigit() or "T" in value or "+" in value)
        return printed == value
    return True
