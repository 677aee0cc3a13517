import Foundation
import ObjectStore
package import PlistConfig
package import Screens
package import TerminalUI

/// The loop: terminal events and results of background work come in, screens change, frames go out.
///
/// It runs on one thread, the only one that touches the terminal; nothing in it blocks but the wait for the next event.
package final class Browser {
    /// Why the loop ended.
    package enum Ending: Sendable, Equatable {
        case quit
        /// ^C with nothing to cancel.
        case interrupted
        case signal(Int32)
        /// The terminal went away.
        case hangUp
    }

    /// What the mailbox holds.
    enum Message: Sendable {
        case reply(BackgroundWork.Reply)
        case store(StoreObservation.Report)
        /// What a look at the whole store has found.
        case remark(String)
    }

    /// An entry of the stack with the number by which replies find it.
    struct Numbered {
        let number: Int
        var entry: StackEntry
        /// Whether its list means nothing in the store as it is now: it shows what it was.
        var isOutdated = false
    }

    let terminal: any Terminal
    let navigator: any Navigator
    let keymap: Keymap
    let clipboard: Clipboard
    var stack: [Numbered] = []
    var work: BackgroundWork
    var status = Status.quiet
    var ending: Ending?
    private let pictures: PictureDrawing
    private let mailbox: Mailbox<Message>
    private let observation: StoreObservation?
    var following = Following()
    var typedAhead = TypedAhead()
    private let idleDescriptor: Int32?
    private var isDirty = true
    private var hasPainted = false
    private var owesIdle = true
    var hasLookedAtAll = false
    private var lastNumber = 0

    /// Milliseconds that a frame waits for data that is about to come, so that rows do not flicker in.
    private static let grace = 12
    private static let progressInterval = 100

    /// - Parameters:
    ///   - root: the screens to begin with, the root first.
    ///   - idleDescriptor: gets a byte whenever nothing is outstanding any more; for tests that wait for that.
    /// - Returns: nil if the system has no descriptors left.
    package init?(
        terminal: any Terminal, navigator: any Navigator, root: [StackEntry], keymap: Keymap = Keymap(),
        clipboard: Clipboard = Clipboard(), pictures: PictureDrawing = PictureDrawing(),
        observation: StoreObservation? = nil, idleDescriptor: Int32? = nil
    ) {
        guard let mailbox = Mailbox<Message>() else { return nil }
        self.terminal = terminal
        self.navigator = navigator
        self.keymap = keymap
        self.clipboard = clipboard
        self.pictures = pictures
        self.mailbox = mailbox
        self.observation = observation
        self.idleDescriptor = idleDescriptor
        work = BackgroundWork { mailbox.post(.reply($0)) }
        for entry in root { push(entry) }
        // Lists that were read before.
        if observation != nil { following.awaiting = Set(stack.map(\.number)) }
    }

    /// The screens from the root to the top.
    package var screens: [any Screen] { stack.map(\.entry.screen) }

    /// How the list at the root is sorted and grouped other than its plist says; nil where there is no list of objects.
    package var rootArrangement: ListArrangement? { (stack.first?.entry.source as? ListSource)?.arrangement }

    /// Takes what a queue has found out about the store to the loop.
    var postReport: @Sendable (StoreObservation.Report) -> Void {
        let mailbox = mailbox
        return { mailbox.post(.store($0)) }
    }

    /// Takes what was found out besides to the loop.
    var postRemark: @Sendable (String) -> Void {
        let mailbox = mailbox
        return { mailbox.post(.remark($0)) }
    }

    func setNeedsPainting() { isDirty = true }

    /// Says something in the last line until the next key.
    package func say(_ message: String) {
        status = .message(message)
        isDirty = true
    }

    package func run() -> Ending {
        LongWork.preferThisThread()
        let mailbox = mailbox
        var observer: StoreObserver?
        defer { observer?.stop() }
        var isObserved = false
        while ending == nil {
            followInTime()
            collectRequests()
            let wait = paintOrWait()
            // It compares with what the store was when it was opened: nothing is lost by painting first.
            if !isObserved, hasPainted {
                isObserved = true
                observer = observation?.start { mailbox.post(.store($0)) }
            }
            let waits = [wait, typedAheadWait].compactMap { $0 }
            let events = terminal.events(wakeDescriptor: mailbox.wakeDescriptor, milliseconds: waits.min())
            for message in mailbox.drain() {
                switch message {
                case .reply(let reply): receive(reply)
                case .store(let report):
                    owesIdle = true
                    receive(report)
                case .remark(let text):
                    owesIdle = true
                    add(remark: text)
                }
            }
            clearMarksInTime()
            handle(events)
            if !events.isEmpty { owesIdle = true }
        }
        return ending ?? .quit
    }

    // MARK: Painting

    /// Paints if there is something new and nothing to wait for; answers how long to wait for the next event.
    private func paintOrWait() -> Int? {
        if isDirty, let left = work.grace(Self.grace) { return left }
        if isDirty || !work.isIdle { paint() }
        if work.isIdle, !startIdleWork() {
            beginFollowing()
            lookAtAll()
            reportIdle()
            return followingWait
        }
        return min(Self.progressInterval, followingWait ?? .max)
    }

    /// Asks for what the screen on top will need before long; answers whether there was something.
    private func startIdleWork() -> Bool {
        guard let top = stack.indices.last, let source = stack[top].entry.source else { return false }
        let requests = stack[top].entry.screen.takeIdleRequests()
        for request in requests { work.start(request, from: source, for: stack[top].number) }
        if !requests.isEmpty { owesIdle = true }
        return !requests.isEmpty
    }

    private func paint() {
        isDirty = false
        hasPainted = true
        var buffer = CellBuffer(size: terminal.size)
        guard let screen = stack.last?.entry.screen else { return }
        var shown = status
        let stopKey = keymap.labels(for: screen.context).apart(.interrupt, "cancels")
        if shown == .quiet, let text = work.progressText(stopKey: stopKey) { shown = .progress(text) }
        if shown == .quiet, let text = following.standing { shown = .standing(text) }
        screen.render(into: &buffer, status: shown)
        terminal.present(buffer, cursor: screen.typingPosition)
    }

    private func reportIdle() {
        guard owesIdle else { return }
        owesIdle = false
        guard let idleDescriptor else { return }
        var byte = UInt8(ascii: ".")
        _ = Foundation.write(idleDescriptor, &byte, 1)
    }

    // MARK: Data

    private func collectRequests() {
        for place in stack.indices {
            for request in stack[place].entry.screen.takeRequests() {
                guard let source = source(for: request, of: stack[place].entry) else { continue }
                work.start(request, from: source, for: stack[place].number)
                owesIdle = true
            }
        }
    }

    private func source(for request: DataRequest, of entry: StackEntry) -> (any ScreenSource)? {
        if case .picture = request.kind { return PictureSource(drawing: pictures, graphics: terminal.graphics()) }
        return entry.source
    }

    private func receive(_ reply: BackgroundWork.Reply) {
        isDirty = true
        work.finish(reply)
        if case .effects(let effects) = reply.reply.kind { return perform(effects) }
        guard let place = stack.firstIndex(where: { $0.number == reply.entry }) else { return }
        let effects = stack[place].entry.screen.receive(reply.reply)
        // What is said of a list that follows underneath is not about what the reader sees.
        perform(place == stack.count - 1 ? effects : effects.filter { if case .message = $0 { false } else { true } })
        beginMarks()
        if observation != nil, case .list = reply.reply.kind { following.awaiting.insert(reply.entry) }
    }

    // MARK: The stack

    func push(_ entry: StackEntry) {
        lastNumber += 1
        var entry = entry
        entry.screen.keyLabels = keymap.labels(for: entry.screen.context)
        entry.screen.resize(to: terminal.size)
        stack.append(Numbered(number: lastNumber, entry: entry))
        isDirty = true
    }

    /// Goes back to the screen below; at the root the loop ends.
    func pop() {
        guard stack.count > 1 else {
            ending = .quit
            return
        }
        let gone = stack.removeLast()
        work.cancel(entry: gone.number)
    }

    // MARK: Events

    func handle(_ event: TerminalEvent) {
        isDirty = true
        guard let top = stack.indices.last else { return }
        switch event {
        case .key(let key): handle(key)
        case .mouse(let mouse):
            status = .quiet
            perform(stack[top].entry.screen.handle(mouse))
        case .paste(let text): perform(stack[top].entry.screen.handle(paste: text))
        case .resize(let size): for place in stack.indices { stack[place].entry.screen.resize(to: size) }
        case .resumed: terminal.invalidate()
        case .graphicsChanged: for place in stack.indices { stack[place].entry.screen.graphicsChanged() }
        case .terminate(let signal): ending = .signal(signal)
        case .endOfInput: ending = .hangUp
        }
    }

    private func handle(_ key: Key) {
        status = .quiet
        guard let top = stack.last?.entry.screen else { return }
        if top.takesKeys {
            // ^L and ^Z are never text.
            if key == .control("l") { return terminal.invalidate() }
            if key == .control("z") { return suspend() }
            // In a prompt ^C leaves it, as Esc does, and stops what it has set going.
            if key == .control("c"), work.cancelScans() { status = .message("cancelled") }
            return perform(stack[stack.count - 1].entry.screen.handle(key))
        }
        guard let command = keymap.command(for: key, in: top.context) else {
            // Esc and a key pressed at once look like Alt and the key.
            if key.alt {
                handle(Key(.escape))
                return handle(Key(key.code, control: key.control))
            }
            status = .message("\(key.name) does nothing here" + keymap.labels(for: top.context).aside(.help, "for help"))
            return
        }
        perform(command)
    }
}
