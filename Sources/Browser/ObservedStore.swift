import ObjectStore

/// A store that is looked at: what its observer does, without clock, queue and events.
struct ObservedStore {
    let store: any ObjectStore
    var rules: ObservationState
    /// How often in a row what lay there could not be read.
    private var refusals = 0
    /// Whether the store was brought up to date once: what came while it was being opened is in no state that follows.
    private var isUpToDate = false

    /// Whether what lies there could not be read, or only in part, and is tried again.
    private(set) var isRefused = false

    /// - Parameter first: what the files looked like before anything was read from the store.
    init(_ store: any ObjectStore, first: FileState?) {
        self.store = store
        rules = ObservationState(first: first, hasEvents: false, now: .zero)
    }

    /// Looks at the files, and brings the store up to date where they have changed. Blocks.
    ///
    /// The state is noted first, and read is what lies there then: what is committed between the two makes another state, which the
    /// next look finds.
    mutating func look(at now: () -> Duration) -> [StoreObservation.Report] {
        let look = store.fileState()
        let news = rules.take(look, at: now())
        var reports: [StoreObservation.Report] = []
        if news == .gone { isRefused = false }
        if look != nil, !isUpToDate, let refresh = try? store.refresh() {
            isUpToDate = true
            if refresh != .same, refresh != .unfinished { reports.append(.changed(refresh)) }
        }
        switch news {
        case .changed?: reports += followChange(at: now)
        case .gone?: reports.append(.gone)
        case nil: break
        }
        return reports
    }

    private mutating func followChange(at now: () -> Duration) -> [StoreObservation.Report] {
        do throws(StoreError) {
            let refresh = try store.refresh()
            refusals = 0
            let isLong = isRefused
            isRefused = refresh == .unfinished
            guard isRefused else { return [.changed(refresh)] }
            rules.refused(at: now(), refusals: 0)
            // What is whole in a moment need not be spoken of.
            return isLong ? [.unfinished] : []
        } catch {
            rules.refused(at: now(), refusals: refusals)
            refusals += 1
            isRefused = true
            return [.unreadable(error)]
        }
    }
}
