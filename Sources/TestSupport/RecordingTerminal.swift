package import TerminalUI

/// A terminal for tests: events by a script, frames kept.
package final class RecordingTerminal: Terminal {
    /// What was asked of the terminal besides frames.
    package enum Request: Sendable, Equatable {
        case invalidate, suspend, close
        case run([String])
        case copy(String)
    }

    /// A frame as it was shown.
    package struct Frame: Sendable, Equatable {
        package var buffer: CellBuffer
        package var cursor: Position?

        package init(buffer: CellBuffer, cursor: Position?) {
            self.buffer = buffer
            self.cursor = cursor
        }
    }

    package private(set) var size: Size
    package private(set) var frames: [Frame] = []
    package private(set) var requests: [Request] = []
    /// What `events` has still to return, one element a call; `.endOfInput` ever after.
    package var script: [[TerminalEvent]]
    /// Called before each batch is returned, so that a test can look at what the last one has led to.
    package var beforeEvents: ((RecordingTerminal) -> Void)?

    /// Stands for the programs that are run: the command to the exit status.
    package var program: ([String]) -> Int32 = { _ in 0 }

    package init(size: Size = Size(rows: 24, columns: 80), script: [[TerminalEvent]] = []) {
        self.size = size
        self.script = script
    }

    /// Each key in a batch of its own.
    package convenience init(size: Size = Size(rows: 24, columns: 80), keys: String) {
        self.init(size: size, script: KeyScript.keys(keys).map { [.key($0)] })
    }

    package var lastFrame: CellBuffer? { frames.last?.buffer }
    /// The last frame's text.
    package var screen: String { lastFrame?.snapshot() ?? "" }

    package func events(wakeDescriptor: Int32, milliseconds: Int?) -> [TerminalEvent] {
        beforeEvents?(self)
        guard !script.isEmpty else { return [.endOfInput] }
        let events = script.removeFirst()
        for case .resize(let size) in events { self.size = size }
        return events
    }

    package func present(_ buffer: CellBuffer, cursor: Position?) { frames.append(Frame(buffer: buffer, cursor: cursor)) }
    package func invalidate() { requests.append(.invalidate) }
    package func close() { requests.append(.close) }

    package func suspend() {
        requests.append(.suspend)
        script.insert([.resumed], at: 0)
    }

    package func run(_ command: [String]) -> Int32 {
        requests.append(.run(command))
        script.insert([.resumed], at: 0)
        return program(command)
    }

    package func copyToClipboard(_ text: String) -> Bool {
        requests.append(.copy(text))
        return true
    }
}
