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
        /// Makes the files of docs/: script/make-docs.
        case generate
    }

    let name: Name
    let argument: Argument
    let help: String
    /// What an argument must be; empty for any.
    let choices: [String]
    /// Whether it is there already; one that is not says so by name.
    let isAvailable: Bool
    /// Whether it is for those who build the program: then no help names it.
    let isHidden: Bool

    init(
        _ name: Name, _ argument: Argument, _ help: String, choices: [String] = [], isAvailable: Bool = true,
        isHidden: Bool = false
    ) {
        self.name = name
        self.argument = argument
        self.help = help
        self.choices = choices
        self.isAvailable = isAvailable
        self.isHidden = isHidden
    }

    /// The program's version, also that of the package.
    static let version = "0.1.0"

    static let table: [Option] = [
        Option(.data, .required("FILE"), "the data"),
        Option(.model, .required("FILE"), "the Core Data model, if it is not found by itself"),
        Option(.entity, .required("NAME"), "with data alone: which entity"),
        Option(.filter, .required("PREDICATE"), "only objects that match (NSPredicate format)"),
        Option(.search, .required("TEXT"), "begin with a search; with --print only its hits"),
        Option(.sort, .required("KEYPATHS"), "another order: key paths and -key paths, by commas"),
        Option(.collapsed, .none, "begin with all sections folded"),
        Option(
            .print, .optional("FORMAT"), "print the list instead: text, csv, tsv, json or ndjson",
            choices: PrintFormat.allCases.map(\.rawValue)),
        Option(.details, .none, "with --print: detail rows too"),
        Option(.schema, .optional("json"), "print the entities", choices: ["json"]),
        Option(.check, .none, "check the plists, print every fault and warning"),
        Option(.scaffold, .required("DIR"), "write list and detail plists for each entity into a folder"),
        Option(.edit, .optional("force"), "allow changes", isAvailable: false),
        Option(.journal, .required("FILE"), "with --edit: append each change as SQL", isAvailable: false),
        Option(.dryRun, .none, "with --edit: commit nothing", isAvailable: false),
        Option(.private, .none, "no state, no cache, no temporary file outside memory"),
        Option(.noState, .none, "keep and use no state"),
        Option(.noCache, .none, "keep and use no cache of orders"),
        Option(.noWatch, .none, "do not follow changes of the store"),
        Option(.noMouse, .none, "leave the mouse to the terminal"),
        Option(.help, .none, "this help"),
        Option(.version, .none, "the version"),
        Option(
            .generate, .required("WHAT"), "print the man page, the completions of a shell, or the reference of the plists",
            choices: GeneratedFile.allCases.map(\.rawValue), isHidden: true),
    ]

    /// As it is typed, with its argument.
    var usage: String {
        switch argument {
        case .none: "--\(name.rawValue)"
        case .required(let word): "--\(name.rawValue) \(word)"
        case .optional(let word): "--\(name.rawValue)[=\(word)]"
        }
    }

    /// The options that help, man page and completions name.
    static var shown: [Option] { table.filter { $0.isAvailable && !$0.isHidden } }

    /// What `--help` prints; options that are not there yet are left out.
    static var helpText: String {
        let shown = shown
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
