import TestSupport

/// The lists that the tests browse, and what stands on them.
enum Screens {
    static let elements = "Configs/Elements.plist"
    static let elementsByName = "Configs/ElementsByName.plist"

    /// Elements by category on a screen of this size.
    static func elements(
        rows: Int = 24, columns: Int = 80, arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> TerminalSession {
        try TerminalSession(
            arguments: arguments + [BuiltProgram.projectFile(elements)], rows: rows, columns: columns,
            environment: environment)
    }

    /// Elements by name, with the whole alphabet at the right edge.
    static func elementsByName(rows: Int = 24, columns: Int = 80, environment: [String: String] = [:]) throws -> TerminalSession {
        try TerminalSession(
            arguments: [BuiltProgram.projectFile(elementsByName)], rows: rows, columns: columns, environment: environment)
    }
}
