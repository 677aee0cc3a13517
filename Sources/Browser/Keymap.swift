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
    /// Those of the screen that comes first: made while that is still being read.
    private let listLabels: KeyLabels

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
        listLabels = Self.labels(of: bindings, commands[.list] ?? [:], in: .list)
    }

    package func command(for key: Key, in context: KeyContext) -> Command? { commands[context]?[key] }

    /// The first key of each command on a screen.
    package func labels(for context: KeyContext) -> KeyLabels {
        context == .list ? listLabels : Self.labels(of: bindings, commands[context] ?? [:], in: context)
    }

    private static func labels(of bindings: [KeyBinding], _ commands: [Key: Command], in context: KeyContext) -> KeyLabels {
        var labels: [Command: String] = [:]
        // What a command has on every screen says more than what it has besides on one.
        let everywhere = Set(KeyContext.allCases)
        let here = bindings.filter { $0.contexts.contains(context) }
        for binding in here.filter({ $0.contexts == everywhere }) + here.filter({ $0.contexts != everywhere }) {
            // One that was taken by another command is no key of this one.
            let key = binding.keys.first { commands[$0] == binding.command }
            if labels[binding.command] == nil, let key { labels[binding.command] = key.name }
        }
        return KeyLabels(labels)
    }

    /// The help for a screen: its own keys first, then those of every screen.
    package func helpLines(for context: KeyContext) -> [TextScreen.Line] {
        var lines: [TextScreen.Line] = []
        func append(_ heading: String, _ chosen: [KeyBinding]) {
            guard !chosen.isEmpty else { return }
            if !lines.isEmpty { lines.append(TextScreen.Line(text: "")) }
            lines.append(TextScreen.Line(text: heading, isHeading: true))
            for binding in chosen {
                let bound = binding.keys.filter { commands[context]?[$0] == binding.command }
                guard !bound.isEmpty else { continue }
                let keys = bound.map(\.name).joined(separator: " ")
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
