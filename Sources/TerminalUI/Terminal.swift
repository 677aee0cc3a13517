/// A terminal: events come out, frames go in. It has one owner, and is used by the loop's thread alone.
package protocol Terminal: AnyObject {
    /// The size in force; changes only with a `.resize` event, so that a frame always fits.
    var size: Size { get }

    /// Waits until there is an event, `wakeDescriptor` is readable, or the time is up; then returns all events that are there.
    ///
    /// - Parameters:
    ///   - wakeDescriptor: file descriptor of the mailbox; read by its owner, not here.
    ///   - milliseconds: longest wait, 0 for none, nil for no limit.
    func events(wakeDescriptor: Int32, milliseconds: Int?) -> [TerminalEvent]

    /// Shows a frame; the hardware cursor stands at `cursor`, or is hidden.
    func present(_ buffer: CellBuffer, cursor: Position?)

    /// Forgets what is on the screen, so that the next frame is painted whole.
    func invalidate()

    /// Gives the terminal to the shell until the user comes back (^Z); posts `.resumed` then.
    func suspend()

    /// Gives the terminal to a program (an editor) until it ends; posts `.resumed` then.
    ///
    /// - Parameter command: the program, looked up in `PATH`, and its arguments.
    /// - Returns: its exit status; 128 + n after signal n, 127 if there is no such program.
    func run(_ command: [String]) -> Int32

    /// Puts text on the user's clipboard by OSC 52.
    ///
    /// - Returns: false for a text that is too long for it, or where the terminal is known not to understand.
    @discardableResult func copyToClipboard(_ text: String) -> Bool

    /// How the terminal shows pictures, as far as is known. The first call may ask it; an answer comes as `.graphicsChanged`.
    func graphics() -> TerminalGraphics

    /// Gives the terminal back for good. A second call does nothing.
    func close()
}

extension Terminal {
    package func graphics() -> TerminalGraphics { TerminalGraphics(.none) }
}
