package import Screens
package import TerminalUI

/// One line of the keymap: keys, what they do, and where.
package struct KeyBinding: Sendable, Equatable {
    package let keys: [Key]
    package let command: Command
    package let contexts: Set<KeyContext>
    /// What the help says.
    package let description: String

    package init(_ keys: [Key], _ command: Command, in contexts: Set<KeyContext>, _ description: String) {
        self.keys = keys
        self.command = command
        self.contexts = contexts
        self.description = description
    }
}

/// Which key means which command on which screen; the help is made from it.
package struct Keymap: Sendable {
    package let bindings: [KeyBinding]
    private let commands: [KeyContext: [Key: Command]]

    /// - Parameter bindings: where two bind the same key in a context, the earlier one counts.
    package init(bindings: [KeyBinding] = Keymap.standard) {
        self.bindings = bindings
        var commands: [KeyContext: [Key: Command]] = [:]
        for binding in bindings {
            for context in binding.contexts {
                for key in binding.keys where commands[context]?[key] == nil {
                    commands[context, default: [:]][key] = binding.command
                }
            }
        }
        self.commands = commands
    }

    package func command(for key: Key, in context: KeyContext) -> Command? { commands[context]?[key] }

    /// The help for a screen: its own keys first, then those of every screen.
    package func helpLines(for context: KeyContext) -> [TextScreen.Line] {
        var lines: [TextScreen.Line] = []
        func append(_ heading: String, _ chosen: [KeyBinding]) {
            guard !chosen.isEmpty else { return }
            if !lines.isEmpty { lines.append(TextScreen.Line(text: "")) }
            lines.append(TextScreen.Line(text: heading, isHeading: true))
            for binding in chosen {
                let keys = binding.keys.map(\.name).joined(separator: " ")
                lines.append(TextScreen.Line(label: keys, text: binding.description))
            }
        }
        let here = bindings.filter { $0.contexts.contains(context) }
        let everywhere = Set(KeyContext.allCases)
        append(context.title, here.filter { $0.contexts != everywhere })
        append("On every screen", here.filter { $0.contexts == everywhere })
        return lines
    }
}

extension KeyContext {
    package var title: String {
        switch self {
        case .list: "List"
        case .detail: "Detail"
        case .viewer: "Viewer"
        case .text: "Text"
        case .menu: "Menu"
        }
    }
}

extension Key {
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
            case .pageUp: "PgUp"
            case .pageDown: "PgDn"
            case .home: "Home"
            case .end: "End"
            case .insert: "Ins"
            case .delete: "Del"
            case .enter: "Enter"
            case .tab: "Tab"
            case .backTab: "Shift-Tab"
            case .escape: "Esc"
            case .backspace: "Backspace"
            case .function(let number): "F\(number)"
            }
        return (alt ? "Alt-" : "") + (control ? "^" + plain.uppercased() : plain)
    }
}
