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

    /// Puts text on the user's clipboard by OSC 52; of no effect where the terminal does not know it.
    func copyToClipboard(_ text: String)

    /// Gives the terminal back for good. A second call does nothing.
    func close()
}
