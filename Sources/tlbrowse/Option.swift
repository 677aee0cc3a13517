import Reports

/// One option of the command line. The table of them makes the parsing and the help.
struct Option: Sendable {
    enum Argument: Sendable {
        case none
        /// `--data FILE` or `--data=FILE`; the word is what the help calls it.
        case required(String)
        /// `--print` or `--print=FORMAT`.
        case optional(String)
    }

    enum Name: String, Sendable, CaseIterable {
        case data, model, entity, filter, search, sort, collapsed
        case print, details, schema, check, scaffold
        case edit, journal
        case dryRun = "dry-run"
        case `private`
        case noState = "no-state"
        case noCache = "no-cache"
        case noWatch = "no-watch"
        case noMouse = "no-mouse"
        case help, version
    }

    let name: Name
    let argument: Argument
    let help: String
    /// What an argument must be; empty for any.
    let choices: [String]
    /// Whether it is there already; one that is not says so by name.
    let isAvailable: Bool

    init(_ name: Name, _ argument: Argument, _ help: String, choices: [String] = [], isAvailable: Bool = true) {
        self.name = name
        self.argument = argument
        self.help = help
        self.choices = choices
        self.isAvailable = isAvailable
    }

    static let table: [Option] = [
        Option(.data, .required("FILE"), "the data"),
        Option(.model, .required("FILE"), "the Core Data model, if it is not found by itself"),
        Option(.entity, .required("NAME"), "with data alone: which entity"),
        Option(.filter, .required("PREDICATE"), "only objects that match (NSPredicate format)", isAvailable: false),
        Option(.search, .required("TEXT"), "begin with a search", isAvailable: false),
        Option(.sort, .required("KEYPATH[,-KEYPATH]"), "another order"),
        Option(.collapsed, .none, "begin with all sections folded"),
        Option(
            .print, .optional("FORMAT"), "print the list instead: text, csv, tsv, json or ndjson",
            choices: PrintFormat.allCases.map(\.rawValue)),
        Option(.details, .none, "with --print: detail rows too"),
        Option(.schema, .optional("json"), "print the entities", choices: ["json"]),
        Option(.check, .none, "check the plists, print every fault and warning"),
        Option(.scaffold, .required("DIR"), "write plists for each entity", isAvailable: false),
        Option(.edit, .optional("force"), "allow changes", isAvailable: false),
        Option(.journal, .required("FILE"), "with --edit: append each change as SQL", isAvailable: false),
        Option(.dryRun, .none, "with --edit: commit nothing", isAvailable: false),
        Option(.private, .none, "no state, no cache, no temporary file outside memory"),
        Option(.noState, .none, "keep and use no state"),
        Option(.noCache, .none, "keep and use no cache", isAvailable: false),
        Option(.noWatch, .none, "do not follow changes", isAvailable: false),
        Option(.noMouse, .none, "leave the mouse to the terminal"),
        Option(.help, .none, "this help"),
        Option(.version, .none, "the version"),
    ]

    /// As it is typed, with its argument.
    var usage: String {
        switch argument {
        case .none: "--\(name.rawValue)"
        case .required(let word): "--\(name.rawValue) \(word)"
        case .optional(let word): "--\(name.rawValue)[=\(word)]"
        }
    }

    /// What `--help` prints; options that are not there yet are left out.
    static var helpText: String {
        let shown = table.filter(\.isAvailable)
        let columns = shown.map(\.usage.count).max() ?? 0
        let lines = shown.map { option in
            "  " + option.usage + String(repeating: " ", count: columns - option.usage.count + 2) + option.help
        }
        return """
            Usage: tlbrowse [options] LIST.plist [DATA]
                   tlbrowse [options] DATA

            Shows the objects of a data store as a sectioned list, as a list plist says, and each object as a detail screen.

            \(lines.joined(separator: "\n"))

            Keys are shown by ? in the program.

            """
    }
}
