/// Something wrong in a plist or with the data it names: where, what, and what to do about it.
package struct Fault: Error, Sendable, Hashable {
    package enum Severity: Int, Sendable, Hashable, Comparable {
        /// Accepted, but not in effect.
        case note
        /// Works, though perhaps not as meant.
        case warning
        case fault

        package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    /// The file, as the user named it.
    package var file: String
    /// Where in it, as `sortKeyPaths[1]` or `[0].rowInformation[2].attributeKeyPath`, indices from 0; nil: the whole file.
    package var key: String?
    package var problem: String
    package var remedy: String?
    package var severity: Severity
    /// 1-based line of the file, where the parser names one; the problem says it, too.
    package var line: Int?

    package init(
        file: String, key: String? = nil, problem: String, remedy: String? = nil, severity: Severity = .fault, line: Int? = nil
    ) {
        self.file = file
        self.key = key
        self.problem = problem
        self.remedy = remedy
        self.severity = severity
        self.line = line
    }

    /// The one printed line, `tlbrowse: FILE: KEY: what is wrong (what to do)`; not yet made safe for a terminal. A warning or a note says
    /// so before what is wrong.
    package var printedLine: String {
        let kind =
            switch severity {
            case .fault: ""
            case .warning: "warning: "
            case .note: "note: "
            }
        let place = ["tlbrowse", file, key].compactMap { $0 }.joined(separator: ": ")
        return "\(place): \(kind)\(problem)" + (remedy.map { " (\($0))" } ?? "")
    }
}

extension [Fault] {
    /// Whether one of them is more than a warning.
    package var hasFault: Bool { contains { $0.severity == .fault } }
}
