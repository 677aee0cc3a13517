extension ConfigKey {
    var reference: PlistReference.Entry {
        switch self {
        case .colors: .init(.dictionary, "looks, by what they are for")
        case .keys: .init(.dictionary, "keys, by command; they take the place of those that the command has")
        }
    }
}

extension LookKey {
    var reference: PlistReference.Entry {
        switch self {
        case .foreground: .init(.color, "the colour of the text")
        case .background: .init(.color, "the colour behind it; for whole lines only")
        case .attributes: .init(oneOf: "attributes", "a string of attributes with spaces between them, or an array")
        }
    }
}

extension PlistReference {
    /// The part about the config plist.
    package static func text(of vocabulary: ConfigVocabulary) -> String {
        func names(_ names: [ConfigVocabulary.Name], _ heading: String) -> String {
            "| \(heading) | |\n| --- | --- |\n"
                + names.map { "| `\($0.name)` | \($0.meaning.replacing("|", with: "\\|")) |" }.joined(separator: "\n")
        }
        func quoted(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
        func isNumbered(_ key: String) -> Bool { key.hasPrefix("F") && key.dropFirst().allSatisfy(\.isNumber) }
        return """

            ## The config plist

            `$XDG_CONFIG_HOME/tlbrowse/config.plist` (`~/.config/tlbrowse/config.plist`), a dictionary, says how the program looks and
            which keys it has. `tlbrowse --check FILE` checks it. What is at fault in it is left out, and said when the program starts.

                {
                    colors = { accent = "magenta bold"; cursor = { background = "#204060"; foreground = white; }; };
                    keys = { moveDown = (n, Down); find = "^S"; "detail.back" = (Left, b); };
                }

            \(table(ConfigKey.allCases) { ($0.rawValue, $0.reference, false) })

            A look is words with spaces between them, a colour and attributes, or a dictionary:

            \(table(LookKey.allCases) { ($0.rawValue, $0.reference, false) })

            A colour is a number from 0 to 255, `#rrggbb`, or a name:
            \(quoted(vocabulary.colors)).
            Where a terminal has fewer colours the nearest is taken; where it has none, or `NO_COLOR` is set, only attributes count.
            Attributes: \(quoted(vocabulary.attributes)).

            \(names(vocabulary.roles, "looks of"))

            Whole lines, which alone can have a background or be `reverse`: \(quoted(vocabulary.roles.map(\.name).filter { vocabulary.wholeLines.contains($0) })).

            A key is a character, `^` and a letter for Control, `Alt-` before either, or a name:
            \(quoted(vocabulary.keys.filter { !isNumbered($0) })),
            `F1` to `F24`. An empty array leaves a command without a key. A key that another command has goes to the one that is given it here. `^C` always stops.
            A command alone is meant on every screen that has it; `detail.back` is meant on the detail only, and so with the others.

            \(names(vocabulary.commands, "command"))

            """
    }
}
