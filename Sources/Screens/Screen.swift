package import TerminalUI

/// A screen of the browser: a value that commands and data change and that draws itself into cells.
///
/// No screen reads or writes anything outside: what it needs it asks for by requests, what it wants done by effects.
package protocol Screen: Sendable {
    /// Which bindings of the keymap are in force.
    var context: KeyContext { get }
    /// The keys that its hints name.
    var keyLabels: KeyLabels { get set }
    /// Whether keys are commands, or belong to the screen as they are.
    var takesKeys: Bool { get }
    /// Whether what it is there for is still to come.
    var isFilling: Bool { get }

    /// A new size is in force. Scrolling is decided here and in the commands, never while drawing.
    mutating func resize(to size: Size)
    mutating func perform(_ command: Command) -> [Effect]
    /// Undoes one thing, such as a filter; false if there is nothing, and Esc leaves the screen.
    mutating func undo() -> Bool
    /// A key while `takesKeys`.
    mutating func handle(_ key: Key) -> [Effect]
    mutating func handle(_ mouse: MouseEvent) -> [Effect]
    mutating func handle(paste text: String) -> [Effect]

    /// What is missing for the next frame and was not yet asked for.
    mutating func takeRequests() -> [DataRequest]
    /// What will be needed before long; asked for while nothing else is to be done.
    mutating func takeIdleRequests() -> [DataRequest]
    mutating func receive(_ reply: DataReply) -> [Effect]

    /// The store has changed: what is shown is asked for again, and the reader stays where the reader is.
    mutating func follow()
    /// Takes the marks off the rows that had changed; answers whether there were any.
    mutating func clearMarks() -> Bool

    /// The terminal shows pictures in another way than was thought.
    mutating func graphicsChanged()

    /// Draws the frame. A pure function of the screen's state: O(cells).
    func render(into buffer: inout CellBuffer, status: Status)
    /// Where the hardware cursor stands while something is typed.
    var typingPosition: Position? { get }
}

/// Where a key binding is in force.
package enum KeyContext: String, Sendable, Hashable, CaseIterable {
    case list, detail, viewer, text, menu
}

/// What the browser has to say in the last line.
package enum Status: Sendable, Equatable {
    case quiet
    case message(String)
    /// A message that stays for as long as it is true, so that it keeps to its line.
    case standing(String)
    /// A background fetch that takes longer than a moment.
    case progress(String)
}

extension Screen {
    package var isFilling: Bool { false }
    package mutating func undo() -> Bool { false }
    package mutating func handle(paste text: String) -> [Effect] { [] }
    package mutating func takeRequests() -> [DataRequest] { [] }
    package mutating func takeIdleRequests() -> [DataRequest] { [] }
    package mutating func receive(_ reply: DataReply) -> [Effect] { [] }
    package mutating func follow() {}
    package mutating func clearMarks() -> Bool { false }
    package mutating func graphicsChanged() {}
    package var typingPosition: Position? { nil }
}
