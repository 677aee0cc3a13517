#!/usr/bin/env python3
"""Damages the example plists and stores, and gives them to the program.

Whatever the file, the program must end by itself with status 0 or 1, without a trap, a signal, a control character on
its standard output or error, or memory out of proportion. Every case is made from the seed and its own number alone:
what a line reports is made again with --seed S --only N. Inputs of failed cases are kept in .build/fuzz.
"""
import argparse
import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 20
MOST_MEMORY = 400 << 20
SHORT, LONG = 150, 5000

TOKENS = [
    b"{", b"}", b"(", b")", b";", b"=", b",", b"\"", b"\\", b"/*", b"*/", b"//", b"<", b">", b"\0", b"\xff\xfe", b"\xef\xbb\xbf",
    b"YES", b"NO", b"-1", b"99999999999999999999", b"1e400", b"nan", b"entityName", b"sortKeyPaths", b"rowInformation",
    b"rowType", b"CDLTableRowTypeRelationship", b"@count", b"@firstLetter", b".", b"..", b"name.name.name", b"\x1b[2J",
    b"\\U202e", b"\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa", b"<array>", b"</array>", b"<dict/>", b"bplist00", b"&#x0;", b"{}", b"[]",
]


def damage_bytes(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        at = rng.randrange(len(data) + 1)
        length = min(len(data) - at, rng.choice((1, 2, 4, 8, 64, 512)))
        kind = rng.randrange(7)
        if kind == 0 and length:
            data[rng.randrange(at, at + length)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at:at + length]
        elif kind == 2:
            data[at:at] = data[at:at + length]
        elif kind == 3:
            data[at:at] = rng.choice(TOKENS)
        elif kind == 4 and length:
            data[at:at + length] = bytes(rng.choice((0, 255, rng.randrange(256))) for _ in range(length))
        elif kind == 5:
            del data[at:]
        else:
            other = rng.randrange(len(data) + 1)
            data[at:at + length] = data[other:other + length]
    return bytes(data)


def damage_plist(rng, data):
    kind = rng.randrange(8)
    if kind == 0:  # nesting
        depth = rng.choice((10, 1000, 100000))
        return rng.choice((b"(" * depth, b"{a=" * depth, b"<plist>" + b"<array>" * depth, b"(" * depth + b")" * depth))
    if kind == 1:  # a string that became long
        words = [word for word in data.split() if word.isalnum()] or [b"name"]
        word = rng.choice(words)
        return data.replace(word, word * rng.choice((2, 1000, 100000)), 1)
    if kind == 2:  # two lines change places
        lines = data.split(b"\n")
        a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[a], lines[b] = lines[b], lines[a]
        return b"\n".join(lines)
    if kind == 3:  # a line goes
        lines = data.split(b"\n")
        del lines[rng.randrange(len(lines))]
        return b"\n".join(lines)
    return damage_bytes(rng, data)


def damage_store(rng, data):
    """Either the file's bytes, header and page headers preferred, or what stands in its tables."""
    kind = rng.randrange(4)
    if kind == 0:
        return damage_bytes(rng, data)
    if kind == 1:
        data = bytearray(data)
        page = int.from_bytes(data[16:18], "big") or 4096
        if page < 512:
            page = 4096
        for _ in range(rng.choice((1, 2, 8))):
            start = rng.choice((0, page * rng.randrange(max(1, len(data) // page))))
            at = min(len(data) - 1, start + rng.randrange(108))
            data[at] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
        return bytes(data)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "store.sqlite")
        with open(path, "wb") as file:
            file.write(data)
        try:
            damage_rows(rng, path)
        except sqlite3.Error:
            pass
        with open(path, "rb") as file:
            return file.read()


def damage_rows(rng, path):
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        for _ in range(rng.choice((1, 2, 5))):
            # Asked each time: a table may have gone or changed its name.
            tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            if not tables:
                return
            table = rng.choice(tables)
            columns = [row[1] for row in connection.execute('PRAGMA table_info("%s")' % table)]
            column = rng.choice(columns)
            value = rng.choice((
                None, -1, 0, 1, 2**63 - 1, -2**63, 1e308, -1e308, float("inf"), "", "x" * 100000, "\x1b]0;title\x07", "\u202e", b"",
                b"\0" * 16, b"\xff" * 7, "bplist00", "NaN"))
            statement = rng.choice((
                'DROP TABLE "{table}"', 'DELETE FROM "{table}"', 'UPDATE "{table}" SET "{column}" = ?',
                'UPDATE "{table}" SET "{column}" = ? WHERE rowid % 3 = 1', 'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "x"',
                'ALTER TABLE "{table}" DROP COLUMN "{column}"', 'ALTER TABLE "{table}" RENAME TO "Z_1THINGS"',
                "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT", "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT % 3 + 1",
                "UPDATE Z_PRIMARYKEY SET Z_NAME = ?", "INSERT INTO Z_PRIMARYKEY VALUES (?, 'Nowhere', 0, 0)",
            )).format(table=table.replace('"', '""'), column=column.replace('"', '""'))
            try:
                connection.execute(statement, (value,) if "?" in statement else ())
            except (sqlite3.Error, OverflowError):
                pass
    finally:
        connection.close()


class Case:
    """One damaged copy of an example, in a folder of its own beside the whole other files."""

    def __init__(self, seed, number, lists, folder):
        rng = random.Random("%d/%d" % (seed, number))
        self.folder = pathlib.Path(folder)
        configs, data = self.folder / "Configs", self.folder / "Data"
        shutil.copytree(ROOT / "Configs", configs)
        shutil.copytree(ROOT / "Data", data, ignore=shutil.ignore_patterns("source"))
        plist = configs / rng.choice(lists)
        candidates = sorted(configs.iterdir()) + 3 * sorted(file for file in data.rglob("*") if file.is_file())
        target = plist if rng.random() < 0.3 else rng.choice(candidates)
        whole = target.read_bytes()
        damage = damage_plist if target.suffix == ".plist" else damage_store if target.suffix == ".sqlite" else damage_bytes
        target.write_bytes(damage(rng, whole))
        self.what = str(target.relative_to(self.folder))
        forms = [["--check", str(plist)], ["--print", str(plist)]]
        if target.parent == data:  # the example's data, whatever the list would have found
            forms.append(["--print", "--data", str(target), str(plist)])
        self.arguments = rng.choice(forms)


def run(program, arguments, folder):
    """(status, output, peak memory in bytes); the status is negative for a signal, None for one that did not end."""
    environment = dict(os.environ, TZ="UTC", LC_ALL="C.UTF-8", TERM="xterm-256color", HOME=str(folder),
                       XDG_STATE_HOME=str(folder), XDG_CACHE_HOME=str(folder), XDG_CONFIG_HOME=str(folder))
    process = subprocess.Popen(
        [program] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
        cwd=str(folder), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
    late = threading.Event()

    def stop():
        late.set()
        process.kill()

    timer = threading.Timer(SECONDS, stop)
    timer.start()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    return None if late.is_set() else process.returncode, output, usage.ru_maxrss * 1024


def fault(status, output, memory):
    if status is None:
        return "did not end within %d s" % SECONDS
    if status < 0:
        return "ended by %s" % signal.Signals(-status).name
    if b"Fatal error" in output or b"Current stack trace" in output:
        return "trapped"
    if status not in (0, 1):
        return "status %d" % status
    if status == 1 and not output.strip():
        return "status 1 without a word"
    if memory > MOST_MEMORY:
        return "%d MB of memory" % (memory >> 20)
    strange = sorted({byte for byte in output if (byte < 32 and byte not in (9, 10)) or byte == 127})
    if strange:
        return "prints the control characters %s" % ", ".join("0x%02x" % byte for byte in strange)
    return None


def keep(case, number, seed):
    kept = ROOT / ".build" / "fuzz" / ("%d-%d" % (seed, number))
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(case.folder, kept)
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="the built program")
    parser.add_argument("--short", action="store_true", help="%d cases, as in script/test (else %d)" % (SHORT, LONG))
    parser.add_argument("--rounds", type=int, help="how many cases")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="this case alone")
    options = parser.parse_args()

    # A detail plist is an array: it reaches the program through the list that names it.
    lists = sorted(file.name for file in (ROOT / "Configs").glob("*.plist") if b"entityName" in file.read_bytes())
    if not lists:
        sys.exit("script/fuzz: there are no list plists in Configs")
    rounds = options.rounds or (SHORT if options.short else LONG)
    numbers = [options.only] if options.only is not None else range(rounds)
    failed, statuses = 0, {}
    for number in numbers:
        with tempfile.TemporaryDirectory(prefix="tlbrowse-fuzz-") as folder:
            case = Case(options.seed, number, lists, pathlib.Path(folder) / "case")
            status, output, memory = run(options.program, case.arguments, case.folder)
            statuses[status] = statuses.get(status, 0) + 1
            wrong = fault(status, output, memory)
            if wrong:
                failed += 1
                kept = keep(case, number, options.seed)
                arguments = " ".join(argument.replace(str(case.folder), str(kept)) for argument in case.arguments)
                print("case %d (%s damaged): %s\n  tlbrowse %s" % (number, case.what, wrong, arguments))
    told = ", ".join("%d with status %s" % (count, status) for status, count in sorted(statuses.items(), key=str))
    print("%d cases from seed %d: %s; %d at fault" % (len(numbers), options.seed, told, failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
