package import TerminalUI

extension Key {
    /// The names of keys that are no characters, as a config plist may spell them; the first for each is the usual one.
    static let codes: [(name: String, code: Key.Code)] =
        [
            ("Space", .character(" ")), ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("PgUp", .pageUp),
            ("PgDn", .pageDown), ("Home", .home), ("End", .end), ("Ins", .insert), ("Del", .delete), ("Enter", .enter),
            ("Tab", .tab), ("Shift-Tab", .backTab), ("Esc", .escape), ("Backspace", .backspace),
        ] + (1...24).map { ("F\($0)", .function($0)) }

    /// The key of a name: a character, `^B`, `Alt-x`, `PgUp`; nil for what is none. Case of names does not matter.
    package init?(name: String) {
        if let arrow = ["↑": Key.Code.up, "↓": .down, "←": .left, "→": .right][name] {
            self.init(arrow)
            return
        }
        if name.count == 1, let character = name.first {
            self.init(.character(character))
            return
        }
        if let rest = name.dropping("Alt-"), let key = Key(name: rest) {
            self.init(key.code, control: key.control, alt: true)
        } else if let rest = name.dropping("^") ?? name.dropping("Ctrl-") {
            guard rest.count == 1, let letter = rest.lowercased().first, letter.isASCII, letter.isLetter else { return nil }
            // Terminals send the same for these.
            switch letter {
            case "i": self.init(.tab)
            case "m", "j": self.init(.enter)
            default: self.init(.character(letter), control: true)
            }
        } else if let found = Self.codes.first(where: { $0.name.lowercased() == name.lowercased() }) {
            self.init(found.code)
        } else {
            return nil
        }
    }

    /// How the key is written: `^B`, `PgUp`, `↑`.
    package var name: String {
        let plain =
            switch code {
            case .character(" "): "Space"
            case .character(let character): String(character)
            case .up: "↑"
            case .down: "↓"
            case .left: "←"
            case .right: "→"
            default: Self.codes.first { $0.code == code }?.name ?? ""
            }
        return (alt ? "Alt-" : "") + (control ? "^" + plain.uppercased() : plain)
    }
}

extension String {
    fileprivate func dropping(_ prefix: String) -> String? {
        lowercased().hasPrefix(prefix.lowercased()) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
    }
}
