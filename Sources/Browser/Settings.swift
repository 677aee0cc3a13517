package import PlistConfig
import PropertyLists
import Screens
package import TerminalUI

/// What the reader's config plist makes of the program: its looks and its keys.
package struct Settings: Sendable {
    package private(set) var looks: [Lookable: Look] = [:]
    package private(set) var keymap = Keymap()

    package init() {}

    /// Of a description that the loader has checked; what it cannot be made of is left out.
    package init(_ description: ConfigDescription) {
        for (role, look) in description.looks {
            guard let target = Lookable.all.first(where: { $0.name == role }) else { continue }
            looks[target] = Look(
                foreground: look.foreground.flatMap { TerminalColor($0) },
                background: look.background.flatMap { TerminalColor($0) },
                attributes: look.attributes.map { Set($0.compactMap { Look.Attribute(rawValue: $0) }) })
        }
        keymap = Keymap(changing: description.keys.map { (command: $0.command, keys: $0.keys.compactMap { Key(name: $0) }) })
    }

    /// `$XDG_CONFIG_HOME/tlbrowse/config.plist`; nil where there is no home.
    package static func file(environment: [String: String]) -> String? {
        SystemPath.baseDirectory("XDG_CONFIG_HOME", orElse: ".config", environment).map { $0 + "/tlbrowse/config.plist" }
    }

    /// What config plists may name.
    package static let vocabulary = ConfigVocabulary(
        roles: Lookable.all.map { .init($0.name, $0.meaning) },
        wholeLines: Set(Lookable.all.filter(\.isWholeLine).map(\.name)),
        colors: TerminalColor.names, isColor: { TerminalColor($0) != nil },
        attributes: Look.Attribute.allCases.map(\.rawValue), commands: Keymap.commandNames,
        keys: Key.codes.map(\.name), isKey: { Key(name: $0) != nil },
        keyName: { Key(name: $0)?.name ?? $0 })
}

extension Keymap {
    /// The commands that a config plist can name: alone for every screen, and with a screen's name before it.
    static var commandNames: [ConfigVocabulary.Name] {
        var names: [ConfigVocabulary.Name] = []
        func keys(_ bindings: [KeyBinding]) -> String {
            var seen: [String] = []
            for name in bindings.flatMap(\.keys).map(\.name) where !seen.contains(name) { seen.append(name) }
            return seen.joined(separator: " ")
        }
        for command in Command.allCases {
            let bindings = standard.filter { $0.command == command }
            guard let first = bindings.first else { continue }
            let screens = Set(bindings.flatMap(\.contexts).map(\.rawValue))
            names.append(.init(command.rawValue, "\(first.description) (\(keys(bindings)))", on: screens))
        }
        for context in KeyContext.allCases {
            for command in Command.allCases {
                let bindings = standard.filter { $0.command == command }
                let here = bindings.filter { $0.contexts.contains(context) }
                // Where a command has the same keys on every screen that has it, its name says it all.
                guard let first = here.first, bindings.count > 1, here.count < bindings.count || here.count > 1 else { continue }
                guard here.contains(where: { $0.contexts != Set(KeyContext.allCases) }) else { continue }
                names.append(
                    .init(
                        "\(context.rawValue).\(command.rawValue)", "\(first.description) (\(keys(here)))", on: [context.rawValue])
                )
            }
        }
        return names
    }

    /// The usual keys with those of some commands changed. A key that another command had goes to the one that is given it.
    init(changing changes: [(command: String, keys: [Key])]) {
        var bindings = Self.standard
        var given: [KeyBinding] = []
        // What is said of one screen comes before what is said of all.
        for (name, keys) in changes.filter({ $0.command.contains(".") }) + changes.filter({ !$0.command.contains(".") }) {
            let parts = name.split(separator: ".").map(String.init)
            guard let last = parts.last, let command = Command(rawValue: last) else { continue }
            let only = parts.count > 1 ? KeyContext(rawValue: parts[0]) : nil
            for place in bindings.indices.reversed() where bindings[place].command == command {
                let binding = bindings[place]
                let contexts = only.map { binding.contexts.intersection([$0]) } ?? binding.contexts
                guard !contexts.isEmpty else { continue }
                let rest = binding.contexts.subtracting(contexts)
                // ^C always stops: else there might be no way out.
                let kept = command == .interrupt ? binding.keys + keys.filter { !binding.keys.contains($0) } : keys
                given.append(KeyBinding(kept, command, in: contexts, binding.description))
                if rest.isEmpty {
                    bindings.remove(at: place)
                } else {
                    bindings[place] = KeyBinding(binding.keys, command, in: rest, binding.description)
                }
            }
        }
        let stop = Self.standard.filter { $0.command == .interrupt }
        let isStopGiven = given.contains { $0.command == .interrupt }
        let own = isStopGiven ? given.filter { $0.command == .interrupt } : stop
        self.init(
            bindings: own + given.filter { $0.command != .interrupt } + bindings.filter { $0.command != .interrupt })
    }
}
