import Glibc

// What is measured beside programs that do the same in their own way.
extension StoreBenchmark {
    private var runs: Int { checksOnly ? 1 : 3 }

    /// A list made from the schema, in the order of `localizedStandardCompare:`.
    func measureWithoutPlist(_ store: NamesStore, sorted: Double?, _ table: inout StoreTable) {
        var whole: Double?
        for run in 0..<runs {
            guard let program = start([store.path, "--entity", "Person"], cache: "plain\(store.size)-\(run)") else { continue }
            let limit = program.started + 120
            while Measuring.now() < limit, !program.hasEnded {
                program.send("G")
                let elapsed = Measuring.now() - program.started
                guard let seconds = program.wait(for: NamesStore.last, since: program.started, seconds: elapsed + 0.1) else {
                    continue
                }
                whole = least(whole, seconds)
                break
            }
        }
        table.check(whole != nil, "the list without a plist does not end with the last name", size: store.size)
        table.add(row("whole list without a plist", store.size, whole, sorted, "`sqlite3`, ORDER BY", .timesPeer(1.2)))
    }

    /// Letters of a search, from key to the last change of the screen; fzf reads and filters the same names once.
    func measureSearch(_ store: NamesStore, _ table: inout StoreTable) {
        let names = "\(folder)/names.txt"
        _ = Processes.run(
            ["sqlite3", store.path, "SELECT ZNAME FROM ZPERSON"], environment: environment(cache: "none"), output: names)
        defer { unlink(names) }
        let hasFinder = Processes.isInstalled("fzf")
        guard let program = start([store.letters, store.path], cache: "search\(store.size)") else { return }
        _ = program.wait(for: BenchmarkTable.grouped(store.size) + " objects", since: program.started)
        while program.read(within: 100) {}
        program.send("/")
        while program.read(within: 100) {}
        var query = ""
        for letter in ["m", "a", "t"] {
            query += letter
            let latency = program.latency(of: letter, quiet: 250)
            let peer =
                hasFinder
                ? Processes.least(
                    of: runs, ["fzf", "--exact", "--filter=\(query)"], environment: environment(cache: "none"), input: names)
                : nil
            table.add(
                row(
                    query.count == 1 ? "search, first letter" : "search, letter \(query.count)", store.size, latency,
                    peer?.seconds, hasFinder ? "`fzf --filter`, reading included" : "fzf is not installed",
                    store.size == 1_000_000 ? .most(.seconds(0.06)) : store.size > 1_000_000 ? .most(.seconds(0.5)) : .none))
        }
        table.check(program.screen.text.lowercased().contains("mat"), "a search shows no hits", size: store.size)
    }

    func measurePrint(_ store: NamesStore, _ table: inout StoreTable) {
        // Both print to nowhere where they are measured: the disk is not what is asked about.
        let output = checksOnly ? "\(folder)/printed.csv" : "/dev/null"
        defer { if checksOnly { unlink(output) } }
        let columns = "SELECT Z_PK, upper(substr(ZNAME, 1, 1)), ZNAME, ZBORN FROM ZPERSON"
        let ordered = sqlite(store, columns + " ORDER BY ZNAME COLLATE NOCASE", options: ["-csv", "-header"])
        let command = [program, "--print=csv", store.letters, store.path]
        let printed = Processes.least(of: runs, command, environment: environment(cache: "print"), output: output)
        table.check(printed != nil, "printing failed", size: store.size)
        if checksOnly {
            let lines = Machine.contents(of: output)?.utf8.count { $0 == 0x0A }
            table.check(lines == store.size + 1, "the number of printed lines is wrong", size: store.size)
        }
        table.add(row("print as CSV", store.size, printed?.seconds, ordered?.seconds, "`sqlite3 -csv`, ORDER BY", .timesPeer(2)))
        table.add(
            StoreRow(
                name: "print as CSV, memory", size: store.size, ours: (printed?.memory).map { .bytes($0) },
                peer: (ordered?.memory).map { .bytes($0) }, peerName: "`sqlite3 -csv`",
                goal: store.size == 1_000_000 ? .most(.bytes(80_000_000)) : .none))
    }

    /// For comparison only: what the known terminal spreadsheet needs to read the same names.
    func measureVisiData(_ store: NamesStore, _ table: inout StoreTable) {
        let names = "\(folder)/names.csv"
        _ = Processes.run(
            ["sqlite3", "-csv", store.path, "SELECT ZNAME FROM ZPERSON"], environment: environment(cache: "none"), output: names)
        defer { unlink(names) }
        guard Processes.isInstalled("vd") else {
            table.add(row("read all names", store.size, nil, nil, "visidata is not installed"))
            return
        }
        let read = Processes.run(
            ["vd", "--batch", "--nothing", "--output=/dev/null", names], environment: environment(cache: "none"))
        table.add(row("read all names", store.size, nil, read?.seconds, "`vd --batch`"))
        table.add(
            StoreRow(name: "… memory", size: store.size, peer: (read?.memory).map { .bytes($0) }, peerName: "`vd --batch`"))
    }

    /// Ten rows: what starting costs.
    func measureStart(into table: inout StoreTable) {
        guard let store = NamesStore(folder: folder, size: 10) else { return }
        let peer = Processes.least(
            of: 2 * runs, ["sqlite3", ":memory:", "select 1"], environment: environment(cache: "none"))
        var first: Double?
        for run in 0..<(2 * runs) {
            guard let program = start([store.letters, store.path], cache: "small-\(run)") else { continue }
            first = least(first, program.wait(for: NamesStore.first, since: program.started))
        }
        table.check(first != nil, "the small list is not shown", size: 10)
        table.add(row("start to first screen", 10, first, peer?.seconds, "`sqlite3 :memory: 'select 1'`", .timesPeer(2.5)))
        unlink(store.path)
    }
}
