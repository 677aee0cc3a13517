import Glibc
import ObjectStore

/// The command line, parsed.
struct Arguments: Sendable, Equatable {
    /// What was wrong with it.
    struct UsageError: Error, Equatable {
        let message: String
    }

    /// Options in the order given, each with its argument, which is empty where it has none.
    private var options: [GivenOption] = []
    private(set) var files: [String] = []

    private struct GivenOption: Equatable {
        let name: Option.Name
        let argument: String
    }

    func has(_ name: Option.Name) -> Bool { self[name] != nil }

    private(set) subscript(name: Option.Name) -> String? {
        get { options.first { $0.name == name }?.argument }
        set {
            options.removeAll { $0.name == name }
            if let newValue { options.append(GivenOption(name: name, argument: newValue)) }
        }
    }

    /// - Parameter words: the command line without the program's name.
    init(_ words: [String]) throws(UsageError) {
        var rest = words[...]
        var onlyFiles = false
        while let word = rest.popFirst() {
            if onlyFiles || word == "-" || !word.hasPrefix("-") {
                files.append(word)
                continue
            }
            if word == "--" {
                onlyFiles = true
                continue
            }
            if word == "-h" {
                self[.help] = ""
                continue
            }
            guard word.hasPrefix("--") else { throw UsageError(message: "unknown option \(word) (--help lists the options)") }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            try take(parts[0], value: parts.count > 1 ? parts[1] : nil, rest: &rest)
        }
        // An optional argument stands behind `=`; apart from it, it would be a file.
        for option in Option.table where self[option.name] == "" {
            guard case .optional = option.argument, let first = files.first, option.choices.contains(first),
                access(first, F_OK) != 0
            else { continue }
            let spelled = "--\(option.name.rawValue)"
            throw UsageError(message: "\(spelled) \(first): the form is written \(spelled)=\(first)")
        }
        let reports = [Option.Name.check, .schema, .scaffold, .print].filter(has).map { "--\($0.rawValue)" }
        guard reports.count <= 1 else {
            throw UsageError(message: "\(reports.joined(separator: " and ")): one of them at a time")
        }
        guard files.count <= 2 else { throw UsageError(message: "too many files: a list plist and its data at most") }
        if files.count == 2, has(.data) { throw UsageError(message: "the data are named twice: \(files[1]) and --data") }
    }

    private mutating func take(_ spelled: String, value: String?, rest: inout ArraySlice<String>) throws(UsageError) {
        guard let name = Option.Name(rawValue: spelled), let option = Option.table.first(where: { $0.name == name }) else {
            let nearest = nearestName(to: spelled, among: Option.Name.allCases.map(\.rawValue))
            let remedy = nearest.map { "did you mean --\($0)?" } ?? "--help lists the options"
            throw UsageError(message: "unknown option --\(spelled) (\(remedy))")
        }
        guard option.isAvailable else { throw UsageError(message: "--\(spelled) is not there yet") }
        guard self[name] == nil else { throw UsageError(message: "--\(spelled) is given twice") }
        switch option.argument {
        case .none:
            guard value == nil else { throw UsageError(message: "--\(spelled) takes no argument") }
            self[name] = ""
        case .required:
            guard let argument = value ?? rest.popFirst(), !argument.isEmpty else {
                throw UsageError(message: "--\(spelled) needs an argument (\(option.usage))")
            }
            guard option.choices.isEmpty || option.choices.contains(argument) else {
                throw UsageError(message: "--\(spelled) \(argument): one of \(option.choices.joined(separator: ", ")) is wanted")
            }
            self[name] = argument
        case .optional:
            if let value, !option.choices.contains(value) {
                throw UsageError(message: "--\(spelled)=\(value): one of \(option.choices.joined(separator: ", ")) is wanted")
            }
            self[name] = value ?? ""
        }
    }
}
