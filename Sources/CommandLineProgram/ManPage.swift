import Browser
import Screens
import TerminalUI

/// The man page: options and keys from their tables, the rest as written here.
enum ManPage {
    static var text: String {
        """
        .\\" Made by script/make-docs from the program's tables of options and keys.
        .TH TLBROWSE 1 "" "tlbrowse \(Option.version)" "User Commands"
        .SH NAME
        tlbrowse \\- browse a data store as a list and a detail, as two property lists say
        .SH SYNOPSIS
        .B tlbrowse
        .RI [ options ]
        .I LIST.plist
        .RI [ DATA ]
        .br
        .B tlbrowse
        .RI [ options ]
        .I DATA
        .SH DESCRIPTION
        .B tlbrowse
        shows the objects of a data store as a sectioned list in the terminal, and each object as a detail screen.
        A list plist says what the list shows, in what order and in which sections; the detail plist that it names says what
        the detail shows. With data alone, both are made from the data's own schema; several entities are listed first.
        .PP
        The data of a list plist is
        .BR \\-\\-data " or"
        .IR DATA ,
        else the file that the plist's key
        .B dataFile
        names, else a file named as the entity or the plist, or
        .IR *_InitialData ,
        beside the plist, in
        .I ../Data
        or in
        .IR Data .
        .PP
        Data are Core Data and SwiftData stores, any other SQLite database, JSON, NDJSON, CSV and property lists;
        .B \\-
        reads standard input.
        .PP
        Looking changes nothing: no byte of the data, no modification time, no file beside it. While another process writes,
        its changes show within two seconds.
        .PP
        Where standard output is no terminal and nothing else is asked for, the list is printed.
        .SH OPTIONS
        \(options)
        .SH KEYS
        The program shows them with
        .BR ? .
        \(keys)
        .SH EXIT STATUS
        .TP
        .B 0
        All is well.
        .TP
        .B 1
        The plist, the data or the terminal is at fault; standard error has a line for each fault.
        .TP
        .B 2
        Wrong usage.
        .TP
        .B 130
        Ended by ^C.
        .TP
        .BI 128+ n
        Ended by signal
        .IR n .
        .SH ENVIRONMENT
        .TP
        .BR LC_ALL ", " LC_TIME ", " LANG
        The language and the form of dates and numbers.
        .TP
        .B TZ
        The time zone of dates.
        .TP
        .B NO_COLOR
        If set and not empty, no colours are used.
        .TP
        .B XDG_CONFIG_HOME
        Where the plist of looks and keys is, as
        .IR tlbrowse/config.plist ;
        .I ~/.config
        if it is not set. Its keys are in the reference of the plists; what is wrong with it is said by
        .B \\-\\-check
        and, when the program starts, in the last line.
        .TP
        .B XDG_STATE_HOME
        Where cursor, folds, order and grouping of each list are kept for the next time, in the folder
        .IR tlbrowse ;
        .I ~/.local/state
        if it is not set.
        .BR \\-\\-no\\-state " and " \\-\\-private
        keep nothing.
        .TP
        .B XDG_CACHE_HOME
        Where the orders of long lists are kept, so that an unchanged store shows them at once, in the folder
        .IR tlbrowse ;
        .I ~/.cache
        if it is not set. Keys of objects and counts, no text; half a gigabyte at most.
        .BR \\-\\-no\\-cache " and " \\-\\-private
        keep nothing.
        .SH EXAMPLES
        .TP
        .B tlbrowse Elements.plist
        Browses with a list plist; the data is found by its name.
        .TP
        .B tlbrowse \\-\\-entity Track music.sqlite
        Browses one table of a database.
        .TP
        .B tlbrowse \\-\\-print=ndjson \\-\\-details \\-\\-entity Track music.sqlite
        Prints its objects, one JSON object a line.
        .TP
        .B tlbrowse \\-\\-scaffold plists music.sqlite
        Writes a list plist and a detail plist for each table into the folder plists, to go on from.
        .TP
        .B tlbrowse \\-\\-check plists/TrackListView.plist
        Says what is wrong with them.
        .SH SEE ALSO
        .BR sqlite3 (1)
        .PP
        The keys of the plists: plist\\-reference.md, in
        .IR /usr/share/doc/tlbrowse .

        """
    }

    private static var options: String {
        Option.shown.map { option in
            let spelling = "\\fB\(roff(option.spelling))\\fR"
            let argument =
                switch option.argument {
                case .none: ""
                case .required(let word): " \\fI\(roff(word))\\fR"
                case .optional(let word): "[=\\fI\(roff(word))\\fR]"
                }
            return ".TP\n\(spelling)\(argument)\n\(sentence(option.help))"
        }.joined(separator: "\n")
    }

    private static var keys: String {
        let everywhere = Set(KeyContext.allCases)
        let bindings = Keymap.standard
        var parts = KeyContext.allCases.map { context in
            (context.title, bindings.filter { $0.contexts.contains(context) && $0.contexts != everywhere })
        }
        parts.append(("Every screen", bindings.filter { $0.contexts == everywhere }))
        return parts.filter { !$0.1.isEmpty }.map { title, bindings in
            ".SS \(roff(title))\n"
                + bindings.map { binding in
                    let names = binding.keys.map { roff($0.name) }.joined(separator: ", ")
                    return ".TP\n\\fB\(names)\\fR\n\(sentence(binding.description))"
                }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func sentence(_ text: String) -> String { roff(text.prefix(1).uppercased() + text.dropFirst() + ".") }

    /// Text as roff takes it literally, also at the beginning of a line.
    private static func roff(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "↑": result += "\\(ua"
            case "↓": result += "\\(da"
            case "←": result += "\\(<-"
            case "→": result += "\\(->"
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }
}
