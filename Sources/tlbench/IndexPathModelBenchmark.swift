import IndexPathModel

/// Making, folding and asking the models of the list: `size` identifiers of eight bytes, in sections of a hundred.
struct IndexPathModelBenchmark: Benchmark {
    let title = "Index-path model, sections of 100 rows; peer: arrays and a dictionary"

    func measure(size: Int, into table: inout BenchmarkTable) {
        let sectionCount = max(1, size / 100)
        let lengths = (0..<sectionCount).map { section in section == sectionCount - 1 ? size - 100 * section : 100 }
        // Primary keys in the order of something else.
        let identifiers = ContiguousArray((0..<size).map { Int64($0) &* 7919 % Int64(size) })
        let runs = lengths.enumerated().map { (name: SectionName("\($0)"), indexTitle: String?.none, count: $1) }

        let made = Measuring.timeAndMemory { IndexPathDataModel(identifiers: identifiers, sections: runs) }
        let model = made.result
        let tabled = Measuring.timeAndMemory { model.indexPath(forIdentifier: identifiers[size / 2]) }
        let folded = Measuring.timeAndMemory {
            CollapsibleDataModel(backingModel: model, collapsedSectionNames: [])
        }
        measureFolding(folded.result, size: size, identifiers: identifiers, into: &table)
        table.check(tabled.result == IndexPath(section: size / 2 / 100, row: size / 2 % 100), "the first look-up", size: size)
        table.check(model.duplicates.isEmpty, "the number of duplicates", size: size)

        let peer = Measuring.timeAndMemory { DictionaryModel(identifiers: identifiers, lengths: lengths) }
        let step = { (call: Int) in (call &* 104_729) % size }
        let finding = Measuring.time(calls: 200_000) { use(model.indexPath(forIdentifier: identifiers[step($0)])) }
        let peerFinding = Measuring.time(calls: 200_000) { use(peer.result.places[identifiers[step($0)]]) }
        for call in 0..<1_000 {
            let place = step(call)
            let found = model.indexPath(forIdentifier: identifiers[place])
            table.check(
                found.map { $0.section == peer.result.places[identifiers[place]]?.section && $0.row == place % 100 } == true,
                "indexPath(forIdentifier:)", size: size)
        }
        let memory = [made.memory, tabled.memory].compactMap { $0 }.reduce(0, +)
        table.add(
            BenchmarkRow(
                name: "making it", size: size, seconds: made.seconds, peerSeconds: peer.seconds, memory: made.memory,
                peerMemory: peer.memory))
        table.add(
            BenchmarkRow(
                name: "… with the identifiers' table", size: size, seconds: made.seconds + tabled.seconds,
                peerSeconds: peer.seconds, memory: memory, peerMemory: peer.memory))
        table.add(
            BenchmarkRow(
                name: "making it collapsible", size: size, seconds: folded.seconds, memory: folded.memory))
        table.add(
            BenchmarkRow(
                name: "indexPath(forIdentifier:)", size: size, seconds: finding, peerSeconds: peerFinding))
        measurePeerFolding(folded.result, peer: peer.result, size: size, into: &table)
        measureUpdates(model, identifiers: identifiers, peer: peer.result, size: size, into: &table)
    }

    private func measureFolding(
        _ model: CollapsibleDataModel<Int64, Int64>, size: Int, identifiers: ContiguousArray<Int64>,
        into table: inout BenchmarkTable
    ) {
        let sections = model.numberOfSections
        table.check(model.rowCount == size + sections, "the number of screen rows", size: size)
        let halfOpen = (0..<20).reduce(model) { model, call in model.togglingSection((call &* 7919) % sections) }
        for call in 0..<2_000 {
            let position = (call &* 15_485_863) % halfOpen.rowCount
            guard let row = halfOpen.row(at: position) else {
                table.check(false, "row(at:)", size: size)
                continue
            }
            table.check(halfOpen.position(of: row) == position, "row(at:) or position(of:)", size: size)
            if case .item(let path) = row {
                table.check(
                    halfOpen.identifier(at: path) == identifiers[path.section * 100 + path.row], "identifier(at:)", size: size)
            }
        }
    }

    private func measurePeerFolding(
        _ model: CollapsibleDataModel<Int64, Int64>, peer: DictionaryModel, size: Int, into table: inout BenchmarkTable
    ) {
        let sections = model.numberOfSections
        let toggling = Measuring.time(calls: 50) { use(model.togglingSection(($0 &* 7919) % sections)) }
        let peerRows = Measuring.timeAndMemory { peer.visibleRows(collapsed: [sections / 2]) }
        table.check(
            peerRows.result.count == model.togglingSection(sections / 2).rowCount, "the number of screen rows", size: size)
        table.add(
            BenchmarkRow(
                name: "folding a section", size: size, seconds: toggling, peerSeconds: peerRows.seconds,
                peerMemory: peerRows.memory))
        let collapsing = Measuring.time(calls: 20) { _ in use(model.collapsingAllSections()) }
        let allCollapsed = Set(0..<sections)
        let peerCollapsing = Measuring.time { peer.visibleRows(collapsed: allCollapsed) }
        table.add(
            BenchmarkRow(
                name: "collapsing all", size: size, seconds: collapsing, peerSeconds: peerCollapsing.seconds))
        let collapsed = model.collapsingAllSections()
        let expanding = Measuring.time(calls: 20) { _ in use(collapsed.expandingAllSections()) }
        let peerExpanding = Measuring.time { peer.visibleRows(collapsed: []) }
        table.add(
            BenchmarkRow(name: "expanding all", size: size, seconds: expanding, peerSeconds: peerExpanding.seconds))
        let rowCount = model.rowCount
        let asking = Measuring.time(calls: 200_000) { use(model.row(at: ($0 &* 104_729) % rowCount)) }
        let list = peerExpanding.result
        let peerAsking = Measuring.time(calls: 200_000) { use(list[($0 &* 104_729) % list.count]) }
        table.add(BenchmarkRow(name: "row(at:)", size: size, seconds: asking, peerSeconds: peerAsking))
        let replacing = Measuring.time(calls: 20) { _ in use(model.replacingBackingModel(with: model.backingModel)) }
        table.add(BenchmarkRow(name: "replacing the backing model", size: size, seconds: replacing))
    }

    private func measureUpdates(
        _ model: IndexPathDataModel<Int64, Int64>, identifiers: ContiguousArray<Int64>, peer: DictionaryModel, size: Int,
        into table: inout BenchmarkTable
    ) {
        var changed = identifiers
        changed.insert(-1, at: size / 2)
        changed.remove(at: size - 1)
        var lengths = (0..<model.numberOfSections).compactMap { model.numberOfRows(inSection: $0) }
        lengths[size / 2 / 100] += 1
        lengths[lengths.count - 1] -= 1
        let runs = zip(model.sectionNames, lengths).map { (name: $0, indexTitle: String?.none, count: $1) }
        let next = IndexPathDataModel(identifiers: changed, sections: runs)
        let updates = Measuring.timeAndMemory { IndexPathUpdates(from: model, to: next) }
        table.check(
            updates.result.insertedItems.map(\.item) == [-1] && updates.result.deletedItems.count == 1
                && updates.result.movedItems.isEmpty && updates.result.movedSections.isEmpty, "the updates", size: size)
        table.check(updates.result.apply(to: model) == next, "what the updates give", size: size)
        var sections = peer.sections
        sections[size / 2 / 100].insert(-1, at: size / 2 % 100)
        sections[sections.count - 1].removeLast()
        let plain = Measuring.timeAndMemory { peer.changes(to: sections) }
        table.check(plain.result > 0, "the peer's updates", size: size)
        table.add(
            BenchmarkRow(
                name: "updates: one row comes, one goes", size: size, seconds: updates.seconds, peerSeconds: plain.seconds,
                memory: updates.memory, peerMemory: plain.memory))
    }
}
