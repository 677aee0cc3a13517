/// What a shell offers for an option's argument.
enum Completion: Equatable {
    case nothing
    case files
    case folders
    /// Names of the entities of the data on the command line.
    case entities
    /// Key paths of the entity in question, several by commas.
    case keyPaths
    /// One of some words; after `=` alone where the argument may be left out.
    case words([String], afterEqualsSign: Bool)
}

extension Option {
    var completion: Completion {
        switch argument {
        case .none: .nothing
        case .optional: .words(choices, afterEqualsSign: true)
        case .required where !choices.isEmpty: .words(choices, afterEqualsSign: false)
        case .required("FILE"): .files
        case .required("DIR"): .folders
        case .required("NAME"): .entities
        case .required(let word): word.hasPrefix("KEYPATH") ? .keyPaths : .nothing
        }
    }

    /// `--name`.
    var spelling: String { "--\(name.rawValue)" }
}

/// Completions for shells, made from the table of options.
enum Completions {
    static let notice = "made by script/make-docs from the program's table of options"

    /// Prints the key paths of an entity, or of all, from what `--schema=json` prints: a property a line. Safe inside single quotes.
    static let keyPathProgram = """
        /^  [{]"name": "/ { split($0, part, "\\""); entity = part[4]; next }
        /^    [{]"name": "/ {
            split($0, part, "\\"")
            if (part[6] == "type") {
                attributes[entity] = attributes[entity] part[4] "\\n"
                if (want == "" || entity == want) print part[4]
            } else if (want == "" || entity == want) {
                if ($0 ~ /"toMany": true/) print part[4] ".@count"
                else { count++; name[count] = part[4]; destination[count] = part[8] }
            }
        }
        END {
            for (i = 1; i <= count; i++) {
                number = split(attributes[destination[i]], list, "\\n")
                for (j = 1; j < number; j++) print name[i] "." list[j]
            }
        }
        """

    /// Prints the names of the entities from the same.
    static let entityProgram = """
        /^  [{]"name": "/ { split($0, part, "\\""); print part[4] }
        """

    /// Finds the entity in a list plist of the OpenStep format, for sed.
    static let entityOfPlist =
        #"s/.*entityName"\{0,1\} *= *"\{0,1\}\([^";]*\)"\{0,1\} *;.*/\1/p"#
}
