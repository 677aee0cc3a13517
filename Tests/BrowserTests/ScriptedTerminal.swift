import Foundation
import TerminalUI

/// A terminal that hands out each step of a script when its time has come: when the loop has nothing outstanding, or when a frame
/// shows some text. Waiting is on the loop's own wake descriptor.
final class ScriptedTerminal: Terminal {
    enum Step {
        /// When nothing is outstanding.
        case idle([TerminalEvent])
        /// When the last frame holds the text, work outstanding or not.
        case showing(String, [TerminalEvent])
    }

    private(set) var size: Size
    /// How it shows pictures.
    var shows = TerminalGraphics(.none)
    private var steps: ArraySlice<Step>
    private(set) var frames: [CellBuffer] = []
    /// What was on the screen when each step was handed out, and at the end.
    private(set) var screens: [String] = []
    /// The frames that were on the screen then.
    private(set) var shownFrames: [CellBuffer] = []
    /// Called with the number of the step (0-based) before its events are handed out.
    var whenShown: ((Int) -> Void)?
    private(set) var cursors: [Position?] = []
    private(set) var calls: [String] = []
    private var cursor: Position?

    init(size: Size = Size(rows: 12, columns: 50), _ steps: [Step]) {
        self.size = size
        self.steps = steps[...]
    }

    func events(wakeDescriptor: Int32, milliseconds: Int?) -> [TerminalEvent] {
        let shown = frames.last?.snapshot() ?? ""
        let isIdle = milliseconds == nil
        let events: [TerminalEvent]?
        switch steps.first {
        case .idle(let given)?: events = isIdle ? given : nil
        case .showing(let text, let given)?: events = shown.contains(text) ? given : isIdle ? [.endOfInput] : nil
        case nil: events = isIdle ? [.endOfInput] : nil
        }
        guard let events else {
            var descriptor = pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, Int32(milliseconds ?? 0))
            return []
        }
        steps = steps.dropFirst()
        whenShown?(screens.count)
        screens.append(shown)
        if let frame = frames.last { shownFrames.append(frame) }
        cursors.append(cursor)
        for case .resize(let size) in events { self.size = size }
        return events
    }

    func present(_ buffer: CellBuffer, cursor: Position?) {
        frames.append(buffer)
        self.cursor = cursor
    }

    func graphics() -> TerminalGraphics { shows }
    func invalidate() { calls.append("invalidate") }
    func close() { calls.append("close") }
    func suspend() { calls.append("suspend") }
    func run(_ command: [String]) -> Int32 { 127 }

    func copyToClipboard(_ text: String) -> Bool {
        calls.append("copy \(text)")
        return true
    }
}
