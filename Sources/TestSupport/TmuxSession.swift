import Foundation
import Glibc

/// The built program in a real terminal: keys in, screen out.
///
/// Nothing here waits for time. After each key the session waits for the byte that the program writes to the descriptor in
/// `TLBROWSE_IDLE_FD` each time it has handled its input and nothing is outstanding; then it sends a mark through the terminal
/// and waits for tmux to have seen it, so that all painted before is on the screen that is read. A wait that is not answered within
/// `seconds` is a `TerminalFailure` that shows the screen.
///
/// Everything (server, program, files) goes when the session goes, and also when the test process dies.
package final class TerminalSession: Sendable {
    let server: TmuxServer
    /// One byte each time the program is idle.
    private let idle: SignalPipe
    /// A line each time the program ended or was suspended: its status as a shell has it.
    private let ends: SignalPipe
    /// A line brings the suspended program back. Not through the terminal, which belongs to one or the other at that moment.
    let resumption: SignalPipe
    /// Held open as long as this session lives; its end tells the shell to clean up.
    private let life: SignalPipe
    private let seconds: Double
    private let state = SessionState()

    /// Starts the program and waits until it is idle or has ended.
    ///
    /// - Parameters:
    ///   - program: The program's path; the built one if nil.
    ///   - environment: Added to a pinned one (UTC, `C.UTF-8`, `screen-256color`, an empty home).
    ///   - seconds: How long each wait may take at most.
    package init(
        program: String? = nil, arguments: [String], rows: Int = 24, columns: Int = 80, environment: [String: String] = [:],
        workingDirectory: String? = nil, seconds: Double = 60
    ) throws {
        server = try TmuxServer()
        self.seconds = seconds
        let folder = server.folder.path
        idle = try SignalPipe(path: folder + "/idle")
        ends = try SignalPipe(path: folder + "/ends")
        resumption = try SignalPipe(path: folder + "/resumption")
        life = try SignalPipe(path: folder + "/life")
        let script = Self.script(
            program: program ?? BuiltProgram.path, arguments: arguments, environment: environment, folder: folder)
        try Data(script.utf8).write(to: URL(fileURLWithPath: folder + "/start"))
        try server(
            "new-session", "-d", "-x", String(columns), "-y", String(rows), "-c",
            workingDirectory ?? BuiltProgram.projectFolder.path, "exec bash --noprofile --norc \(Self.quoted(folder + "/start"))")
        try waitUntilIdle()
    }

    deinit { server.stop() }

    // MARK: What is on the screen

    /// The screen's lines, without trailing spaces, as many as the terminal has rows.
    package var lines: [String] {
        get throws { try capture([]) }
    }

    /// The lines in one string.
    package var text: String {
        get throws { try lines.joined(separator: "\n") }
    }

    /// The screen with its colours and attributes as escape sequences (SGR), by line.
    package var styledLines: [String] {
        get throws { try capture(["-e", "-N"]) }
    }

    /// The styled lines in one string.
    package var styledText: String {
        get throws { try styledLines.joined(separator: "\n") }
    }

    /// The rows (0-based) drawn mostly on another background than the screen's usual one, or in reverse video: where the cursor bar is.
    package var highlightedRows: [Int] {
        get throws { StyledScreen(lines: try styledLines, columns: try size.columns).highlightedRows }
    }

    /// The row of the cursor bar among those between the first and the last line (0-based from the top of the screen), nil without one.
    package var cursorRow: Int? {
        get throws {
            let rows = try size.rows
            return try highlightedRows.first { $0 > 0 && $0 < rows - 1 }
        }
    }

    /// The text of the cursor's row, without spaces around it; empty without one.
    package var cursorText: String {
        get throws {
            guard let row = try cursorRow else { return "" }
            let all = try lines
            return row < all.count ? all[row].trimmingCharacters(in: .whitespaces) : ""
        }
    }

    private func capture(_ options: [String]) throws -> [String] {
        let printed = try server.run(["capture-pane", "-p"] + options)
        var lines = printed.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        // With their styles, spaces at the end may be the better part of the cursor bar.
        guard options.isEmpty else { return lines }
        return lines.map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// What the program put on the terminal's clipboard last (OSC 52); tmux keeps it as a buffer.
    package var clipboard: String {
        get throws { try server("show-buffer") }
    }

    /// What tmux says about the window, by one of its format names.
    package func format(_ name: String) throws -> String {
        try server("display-message", "-p", "#{\(name)}").trimmingCharacters(in: .newlines)
    }

    /// Rows and columns of the terminal.
    package var size: (rows: Int, columns: Int) {
        get throws {
            let numbers = try server("display-message", "-p", "#{pane_height} #{pane_width}").split(
                whereSeparator: \.isWhitespace
            )
            .compactMap { Int($0) }
            guard numbers.count == 2 else { throw TerminalFailure(what: "tmux does not tell the size") }
            return (numbers[0], numbers[1])
        }
    }

    /// Whether the alternate screen is on, as while the program shows something.
    package var isAlternateScreen: Bool {
        get throws { try format("alternate_on") == "1" }
    }

    /// Whether the terminal has line editing and echo, as a shell leaves it.
    package var isTerminalCooked: Bool {
        get throws {
            let terminal = open(try format("pane_tty"), O_RDONLY | O_NOCTTY | O_CLOEXEC)
            guard terminal >= 0 else { throw POSIXFailure(call: "open", code: errno) }
            defer { close(terminal) }
            var settings = termios()
            guard tcgetattr(terminal, &settings) == 0 else { throw POSIXFailure(call: "tcgetattr", code: errno) }
            let wanted = tcflag_t(ICANON | ECHO | ISIG)
            return settings.c_lflag & wanted == wanted
        }
    }

    // MARK: How it ended

    /// The program's exit status as a shell has it, nil while it runs or is suspended.
    package var exitStatus: Int? {
        takeEnds()
        return state.read { $0.status.flatMap { Self.isSuspension($0) ? nil : $0 } }
    }

    /// Whether the program is stopped by ^Z.
    package var isSuspended: Bool {
        takeEnds()
        return state.read { $0.status.map(Self.isSuspension) ?? false }
    }

    /// Whether it neither ended nor was suspended.
    private var isRunning: Bool {
        takeEnds()
        return state.read { $0.status == nil }
    }

    /// Waits until the program has ended, and returns its exit status.
    package func waitForExit() throws -> Int {
        while true {
            if let status = exitStatus {
                try synchronize()
                return status
            }
            guard try SignalPipe.wait(for: [ends], seconds: seconds) else { throw failure("the program does not end") }
        }
    }

    /// Waits until the program has been suspended.
    package func waitForSuspension() throws {
        // Each status is read once: what was read decides, before more is waited for.
        while isRunning {
            guard try SignalPipe.wait(for: [ends], seconds: seconds) else { throw failure("the program is not suspended") }
        }
        guard isSuspended else { throw failure("the program ended instead of being suspended") }
        try synchronize()
    }

    /// Statuses of SIGSTOP and SIGTSTP in a shell.
    static func isSuspension(_ status: Int) -> Bool { status == 128 + Int(SIGSTOP) || status == 128 + Int(SIGTSTP) }

    private func takeEnds() {
        let text = String(decoding: ends.read(), as: UTF8.self)
        guard let last = text.split(separator: "\n").last, let status = Int(last) else { return }
        state.write { $0.status = status }
    }

    // MARK: Waiting

    /// Waits until the program is idle, suspended or ended, and until the terminal has seen all that it wrote.
    package func waitUntilIdle() throws {
        // A suspension may have been read already, and then nothing more comes from the program.
        if isRunning {
            guard try SignalPipe.wait(for: [idle, ends], seconds: seconds) else {
                throw failure("the program does not become idle")
            }
            _ = idle.read()
        }
        try synchronize()
    }

    /// Waits until the screen fulfils a condition, looking again each time the program has been idle.
    package func wait(until condition: (String) -> Bool) throws {
        while true {
            let text = try text
            if condition(text) { return }
            guard isRunning else { throw failure("the program ended or was suspended before the condition was met") }
            guard try SignalPipe.wait(for: [idle, ends], seconds: seconds) else { throw failure("the condition is never met") }
            _ = idle.read()
            try synchronize()
        }
    }

    /// Forgets that the program was idle before what comes now.
    func forgetIdle() { _ = idle.read() }

    /// Forgets that the program was suspended before.
    func forgetSuspension() {
        takeEnds()
        state.write { $0.status = nil }
    }

    /// The terminal reads its input in order: once tmux shows the title sent here, it has seen all that was written before.
    private func synchronize() throws {
        let mark = UUID().uuidString
        let terminal = open(try format("pane_tty"), O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw POSIXFailure(call: "open", code: errno) }
        let sequence = Array("\u{1b}]2;\(mark)\u{1b}\\".utf8)
        let written = write(terminal, sequence, sequence.count)
        close(terminal)
        guard written == sequence.count else { throw POSIXFailure(call: "write", code: errno) }
        let end = Date().addingTimeInterval(seconds)
        while try format("pane_title") != mark {
            guard Date() < end else { throw failure("the terminal does not read what it is sent") }
        }
    }

    func failure(_ what: String) -> TerminalFailure {
        TerminalFailure(what: "\(what) within \(Int(seconds)) s; the screen:\n\((try? text) ?? "(cannot be read)")")
    }
}

/// The last status that the shell reported.
private final class SessionState: @unchecked Sendable {
    // Sound: `status` is only touched while the lock is held.
    struct Values {
        var status: Int?
    }

    private var values = Values()
    private let lock = NSLock()

    func read<Result>(_ body: (Values) -> Result) -> Result {
        lock.withLock { body(values) }
    }

    func write(_ body: (inout Values) -> Void) {
        lock.withLock { body(&values) }
    }
}
