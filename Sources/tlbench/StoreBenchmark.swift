import Glibc

/// The built program over stores of names, in a terminal of its own, beside what others need for the same file in the same run.
struct StoreBenchmark {
    let program: String
    let folder: String
    /// Whether only what comes out counts.
    let checksOnly: Bool

    private var runs: Int { checksOnly ? 1 : 3 }

    /// A home of its own, so that neither settings nor what was kept before are measured.
    func environment(cache: String) -> [String: String] {
        [
            "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin", "HOME": folder, "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "XDG_CACHE_HOME": "\(folder)/\(cache)",
            "XDG_STATE_HOME": "\(folder)/state-\(cache)",
            "XDG_CONFIG_HOME": "\(folder)/config",
        ]
    }

    func start(_ arguments: [String], cache: String) -> TerminalProgram? {
        TerminalProgram([program, "--no-state"] + arguments, environment: environment(cache: cache))
    }

    // MARK: One size

    func measure(size: Int, into table: inout StoreTable) {
        guard let store = NamesStore(folder: folder, size: size) else {
            table.check(false, "the store could not be written", size: size)
            return
        }
        // Once before everything, so that the file lies in memory for all.
        let sorted = sqlite(store, "SELECT ZNAME FROM ZPERSON ORDER BY ZNAME COLLATE NOCASE")
        let isLarge = size >= 5_000_000
        // The order of a file that was written within the last two seconds is not kept.
        if !checksOnly { usleep(3_000_000) }
        measureOpening(store, sorted: sorted?.seconds, isLarge, &table)
        measureSections(store, &table)
        measureWithoutPlist(store, sorted: sorted?.seconds, &table)
        measureSearch(store, &table)
        measurePrint(store, &table)
        if !checksOnly, size == 1_000_000 { measureVisiData(store, &table) }
        // The last one, as it writes.
        measureFollowing(store, &table)
        unlink(store.path)
    }

    private func measureOpening(_ store: NamesStore, sorted: Double?, _ isLarge: Bool, _ table: inout StoreTable) {
        let limited = sqlite(store, "SELECT ZNAME FROM ZPERSON ORDER BY ZNAME COLLATE NOCASE LIMIT 24")
        var first: Double?, whole: Double?, second: Double?
        var loadingKeys: [Double] = [], keys: [Double] = [], details: [Double] = []
        var memory: Int?
        for run in 0..<runs {
            let cache = "cache\(store.size)-\(run)"
            guard let program = start([store.letters, store.path], cache: cache) else { continue }
            first = least(first, program.wait(for: NamesStore.first, since: program.started))
            whole = least(whole, end(program, since: program.started))
            memory = max(memory ?? 0, program.peakMemory ?? 0)
            if run == 0 {
                program.send("g")
                _ = program.wait(for: NamesStore.first, since: Measuring.now())
                for number in 0..<(checksOnly ? 20 : 300) {
                    let key = ["j", "j", "k", "\u{06}", "j", "\u{02}", "]", "["][number % 8]
                    if let latency = program.latency(of: key) { keys.append(latency) }
                }
                program.send("gj")
                while program.read(within: 30) {}
                for _ in 0..<runs {
                    if let latency = program.latency(of: "\r") { details.append(latency) }
                    table.check(program.screen.shows("Place "), "the detail is not there", size: store.size)
                    program.send("\u{1B}")
                    while program.read(within: 60) {}
                }
            }
            program.quit()
            // The same store again: whatever the first opening kept may help.
            guard let again = start([store.letters, store.path], cache: cache) else { continue }
            second = least(second, again.wait(for: NamesStore.first, since: again.started))
            while again.screen.shows(NamesStore.first), again.read(within: 1) {}
            again.quit()
            if let loading = start([store.letters, store.path], cache: cache + "-loading") {
                loadingKeys += keysWhileLoading(loading, size: store.size)
            }
        }
        table.check(first != nil, "the first row is not shown", size: store.size)
        table.check(whole != nil, "the last row is not shown by End", size: store.size)
        let size = store.size
        table.add(row("first screen", size, first, limited?.seconds, "`sqlite3`, LIMIT 24", .timesPeer(1.2)))
        table.add(row("whole list, by End", size, whole, sorted, "`sqlite3`, ORDER BY", .timesPeer(0.25)))
        table.add(row("second opening", size, second, nil, "", .most(.seconds(isLarge ? 0.05 : 0.03))))
        table.add(
            StoreRow(
                name: "peak memory", size: size, ours: memory.map { .bytes($0) },
                goal: size >= 1_000_000 ? .most(.bytes(isLarge ? 400_000_000 : 80_000_000)) : .none))
        table.add(row("key, p99", size, percentile(keys), nil, "", .most(.seconds(0.004))))
        table.add(
            row("key while loading, p99", size, percentile(loadingKeys), nil, "\(loadingKeys.count) keys", .most(.seconds(0.004)))
        )
        table.add(row("detail", size, details.min(), nil, "", .most(.seconds(0.005))))
    }

    /// Keys from the first screen on until the list is whole. What comes after a pause is not the key's frame, but the list's.
    private func keysWhileLoading(_ program: TerminalProgram, size: Int) -> [Double] {
        var latencies: [Double] = []
        let limit = Measuring.now() + 60
        let whole = BenchmarkTable.grouped(size) + " objects"
        _ = program.wait(for: NamesStore.first, since: program.started)
        var number = 0
        while !program.screen.shows(whole), Measuring.now() < limit, number < 2000 {
            if let latency = program.latency(of: number % 2 == 0 ? "j" : "k", patience: 200, quiet: 1) {
                latencies.append(latency)
            }
            number += 1
        }
        return latencies
    }

    /// The time until End shows the last object.
    private func end(_ program: TerminalProgram, since start: Double) -> Double? {
        let limit = start + 120
        while Measuring.now() < limit {
            program.send("G")
            if let seconds = program.wait(for: NamesStore.last, since: start, seconds: Measuring.now() - start + 0.1) {
                return seconds
            }
            if program.hasEnded { return nil }
        }
        return nil
    }

    // MARK: Folding

    private func measureSections(_ store: NamesStore, _ table: inout StoreTable) {
        guard let program = start([store.places, store.path], cache: "places\(store.size)") else { return }
        let whole = BenchmarkTable.grouped(store.size) + " objects"
        _ = program.wait(for: whole, since: program.started)
        while program.read(within: 100) {}
        var folds: [Double] = [], collapses: [Double] = [], expansions: [Double] = []
        for _ in 0..<max(3, runs) {
            for _ in 0..<2 { if let latency = program.latency(of: " ", quiet: 30) { folds.append(latency) } }
            if let latency = program.latency(of: "C", quiet: 60) { collapses.append(latency) }
            table.check(program.screen.shows("▸ Place"), "collapsing all shows no folded sections", size: store.size)
            if let latency = program.latency(of: "E", quiet: 60) { expansions.append(latency) }
            table.check(program.screen.shows("▾ Place"), "expanding all shows no open sections", size: store.size)
        }
        program.quit()
        let sections = BenchmarkTable.number(NamesStore.placeCount(store.size)) + " sections"
        let goal = StoreRow.Goal.most(.seconds(0.004))
        table.add(row("fold, unfold a section", store.size, folds.min(), nil, sections, goal))
        table.add(row("collapse all", store.size, collapses.min(), nil, sections, goal))
        table.add(row("expand all", store.size, expansions.min(), nil, sections, goal))
    }

    // MARK: Following

    /// From before a commit of another program until the list counts its object.
    private func measureFollowing(_ store: NamesStore, _ table: inout StoreTable) {
        guard let program = start([store.letters, store.path], cache: "following\(store.size)") else { return }
        _ = program.wait(for: BenchmarkTable.grouped(store.size) + " objects", since: program.started)
        // Until nothing more is done in the background.
        var before = program.processorTime
        repeat {
            before = program.processorTime
            while program.read(within: 700) {}
        } while program.processorTime != before && !program.hasEnded
        var seconds: Double?
        for run in 1...max(3, runs) {
            let count = BenchmarkTable.grouped(store.size + run) + " objects"
            let start = Measuring.now()
            _ = Processes.least(
                of: 1, ["sqlite3", store.path, "INSERT INTO ZPERSON(Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 'Followed')"],
                environment: environment(cache: "none"))
            seconds = least(seconds, program.wait(for: count, since: start, seconds: 20))
            while program.read(within: 300) {}
        }
        program.quit()
        table.check(seconds != nil, "a commit is not followed", size: store.size)
        table.add(row("a commit of another program, shown", store.size, seconds, nil, "", .most(.seconds(2))))
    }

    // MARK: Helpers

    func sqlite(_ store: NamesStore, _ sql: String, options: [String] = []) -> (seconds: Double, memory: Int)? {
        Processes.least(of: runs, ["sqlite3"] + options + [store.path, sql], environment: environment(cache: "none"))
    }

    func row(
        _ name: String, _ size: Int, _ ours: Double?, _ peer: Double?, _ peerName: String, _ goal: StoreRow.Goal = .none
    ) -> StoreRow {
        // What is to be reached beside a peer holds for large lists: of small ones most is the start of the program.
        var goal = goal
        if case .timesPeer = goal, size < 1_000_000, size > 10 { goal = .none }
        return StoreRow(
            name: name, size: size, ours: ours.map { .seconds($0) }, peer: peer.map { .seconds($0) }, peerName: peerName,
            goal: goal)
    }

    func least(_ left: Double?, _ right: Double?) -> Double? { [left, right].compactMap { $0 }.min() }

    private func percentile(_ values: [Double]) -> Double? {
        let sorted = values.sorted()
        return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    }
}
