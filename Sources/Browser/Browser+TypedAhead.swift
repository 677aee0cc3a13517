import Screens
import TerminalUI

// Keys that come while the screen on top has nothing to show yet are meant for what will be there.
extension Browser {
    /// Keys that wait, in the order in which they were typed.
    struct TypedAhead {
        var keys: [Key] = []
        /// When they wait no longer.
        var end: ContinuousClock.Instant?
        static let longest = Duration.seconds(1)
        /// Who leans on a key does not fill the memory.
        static let most = 1000
    }

    /// What is done at once, also before there is anything to see.
    private static let immediate: Set<Command> = [
        .interrupt, .cancel, .back, .redraw, .suspend, .help, .reload, .find, .filter, .sort, .group, .goToRow, .printView,
        .saveList,
        .nextObject, .previousObject,
    ]

    /// Whether keys wait for the screen on top.
    private var isFilling: Bool {
        guard let top = stack.last?.entry.screen, top.isFilling, !top.takesKeys else { return false }
        return typedAhead.end.map { ContinuousClock.now < $0 } ?? true
    }

    /// Handles what has come, behind the keys that wait.
    func handle(_ events: [TerminalEvent]) {
        release()
        for event in events where ending == nil {
            guard case .key(let key) = event, waits(key) else {
                handle(event)
                continue
            }
            if typedAhead.end == nil { typedAhead.end = .now + TypedAhead.longest }
            if typedAhead.keys.count < TypedAhead.most { typedAhead.keys.append(key) }
        }
        if typedAhead.keys.isEmpty, !isFilling { typedAhead.end = nil }
    }

    /// Does what waits, as far as there is a screen for it.
    private func release() {
        while !typedAhead.keys.isEmpty, !isFilling, ending == nil { handle(.key(typedAhead.keys.removeFirst())) }
        if typedAhead.keys.isEmpty { typedAhead.end = nil }
    }

    private func waits(_ key: Key) -> Bool {
        guard isFilling || !typedAhead.keys.isEmpty, let top = stack.last?.entry.screen else { return false }
        guard let command = keymap.command(for: key, in: top.context) else { return !typedAhead.keys.isEmpty }
        switch command {
        case .interrupt, .cancel:
            // Who takes something back does not want what was to follow either.
            typedAhead = TypedAhead()
            return false
        case .redraw, .suspend: return false
        default: return !typedAhead.keys.isEmpty || !Self.immediate.contains(command)
        }
    }

    /// Milliseconds until keys wait no longer; nil where none do.
    var typedAheadWait: Int? {
        guard !typedAhead.keys.isEmpty, let end = typedAhead.end else { return nil }
        return max(0, Int((end - .now) / .milliseconds(1))) + 1
    }
}
