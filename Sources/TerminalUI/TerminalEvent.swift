/// What comes from the terminal.
package enum TerminalEvent: Sendable, Equatable {
    case key(Key)
    case mouse(MouseEvent)
    case resize(Size)
    /// Text pasted in one go (bracketed paste).
    case paste(String)
    /// Back from a suspension: everything is to be painted again.
    case resumed
    /// A signal that ends the program, by its number.
    case terminate(signal: Int32)
    /// The terminal has answered how it shows pictures, otherwise than was thought.
    case graphicsChanged
    /// No terminal any more.
    case endOfInput
}

/// A key as the user names it: what is printed on it, with Control or Alt held.
package struct Key: Sendable, Hashable {
    package enum Code: Sendable, Hashable {
        /// A character as typed; with Control the lower-case letter.
        case character(Character)
        case up, down, left, right
        case pageUp, pageDown, home, end, insert, delete
        case enter, tab, backTab, escape, backspace
        case function(Int)
    }

    package var code: Code
    package var control: Bool
    package var alt: Bool

    package init(_ code: Code, control: Bool = false, alt: Bool = false) {
        self.code = code
        self.control = control
        self.alt = alt
    }

    package static func character(_ character: Character) -> Key { Key(.character(character)) }
    package static func control(_ character: Character) -> Key { Key(.character(character), control: true) }
}

package struct MouseEvent: Sendable, Hashable {
    package enum Action: Sendable, Hashable {
        case press, doublePress, drag, release
        case wheelUp, wheelDown
    }

    package var action: Action
    package var position: Position

    package init(_ action: Action, at position: Position) {
        self.action = action
        self.position = position
    }
}
