package import TerminalUI

/// Keys written as text.
package enum KeyScript {
    /// `"jj<Enter>^F<Esc>/ab<M-x>"`: characters as they are, `^F` with Control, `<…>` by name: Up Down Left Right PgUp PgDn Home
    /// End Ins Del Enter Tab BackTab Esc Backspace Space F1…; `<M-x>` with Alt; `<lt>` and `<^>` for the signs themselves. A
    /// line feed is ignored, so that scripts may be laid out; an unknown name comes as characters.
    package static func keys(_ script: String) -> [Key] {
        var keys: [Key] = []
        var rest = script[...]
        while let character = rest.popFirst() {
            if character == "\n" { continue }
            if character == "^", let letter = rest.popFirst() {
                keys.append(.control(Character(letter.lowercased())))
            } else if character == "<", let end = rest.firstIndex(of: ">"), let key = named(String(rest[..<end])) {
                keys.append(key)
                rest = rest[rest.index(after: end)...]
            } else {
                keys.append(.character(character))
            }
        }
        return keys
    }

    private static func named(_ name: String) -> Key? {
        if name.hasPrefix("M-"), name.count == 3, let letter = name.last { return Key(.character(letter), alt: true) }
        if name.hasPrefix("F"), let number = Int(name.dropFirst()) { return Key(.function(number)) }
        return names[name]
    }

    private static let names: [String: Key] = [
        "Up": Key(.up), "Down": Key(.down), "Left": Key(.left), "Right": Key(.right), "PgUp": Key(.pageUp),
        "PgDn": Key(.pageDown), "Home": Key(.home), "End": Key(.end), "Ins": Key(.insert), "Del": Key(.delete),
        "Enter": Key(.enter), "Tab": Key(.tab), "BackTab": Key(.backTab), "Esc": Key(.escape), "Backspace": Key(.backspace),
        "Space": .character(" "), "lt": .character("<"), "^": .character("^"),
    ]
}
