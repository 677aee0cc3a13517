/// Why there is no terminal to work with.
package enum TerminalError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Neither standard input and output nor `/dev/tty` is one.
    case noTerminal
    /// The terminfo database does not have `TERM`'s value.
    case unknownTerminal(String)
    /// The terminal cannot move the cursor (`dumb`).
    case incapableTerminal(String)
    /// The system refused something, by its `errno`.
    case system(Int32)

    /// What is wrong, and what to do.
    package var description: String {
        switch self {
        case .noTerminal: "there is no terminal (--print prints the list instead)"
        case .unknownTerminal(""): "TERM is not set (set it, for example to xterm-256color, or use --print)"
        case .unknownTerminal(let name):
            "terminal type “\(name)” is unknown (set TERM, for example to xterm-256color, or use --print)"
        case .incapableTerminal(let name):
            "terminal type “\(name)” cannot move the cursor (set TERM to what the terminal is, or use --print)"
        case .system(let number): "the terminal cannot be set up: error \(number) (use --print)"
        }
    }
}
