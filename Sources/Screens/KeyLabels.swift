/// The keys that are bound to commands, as the last line and messages name them.
package struct KeyLabels: Sendable, Equatable {
    private var labels: [Command: String]

    /// The usual keys, for screens that nobody told otherwise.
    package init() {
        labels = [
            .help: "?", .cancel: "Esc", .back: "q", .open: "Enter", .mark: "Space", .reload: "r", .find: "/", .interrupt: "^C",
        ]
    }

    /// - Parameter labels: a command without a key is not in it.
    package init(_ labels: [Command: String]) { self.labels = labels }

    /// A key and what it does, as `? help`; nothing where no key does it.
    package func hint(_ command: Command, _ text: String) -> String { labels[command].map { "\($0) \(text)" } ?? "" }

    /// The same in parentheses after a sentence.
    package func aside(_ command: Command, _ text: String) -> String { labels[command].map { " (\($0) \(text))" } ?? "" }

    /// The same apart from what else the last line says.
    package func apart(_ command: Command, _ text: String) -> String { labels[command].map { "  (\($0) \(text))" } ?? "" }

    /// The key alone in parentheses.
    package func aside(_ command: Command) -> String { labels[command].map { " (\($0))" } ?? "" }
}
