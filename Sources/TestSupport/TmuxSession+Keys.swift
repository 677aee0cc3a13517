import Foundation
package import Glibc

extension TerminalSession {
    /// Presses keys one after the other, waiting after each until the program is idle again (or ended, or suspended).
    ///
    /// Names are tmux's (`Down`, `Space`, `Enter`, `Escape`, `Tab`, `BSpace`, `PageUp`, `PageDown`, `Home`, `End`, `C-f`);
    /// a single character stands for itself.
    package func send(_ keys: String...) throws {
        for key in keys {
            forgetIdle()
            if key.count == 1 {
                try server("send-keys", "-l", "--", key)
            } else {
                try server("send-keys", "--", key)
            }
            try waitUntilIdle()
        }
    }

    /// Types a text character by character, as `send` does.
    package func type(_ text: String) throws {
        for character in text {
            forgetIdle()
            try server("send-keys", "-l", "--", String(character))
            try waitUntilIdle()
        }
    }

    /// Sends bytes as they are, all at once: pasted text, a mouse report, half an escape sequence.
    package func send(bytes: [UInt8]) throws {
        forgetIdle()
        try server.run(["send-keys", "-H"] + bytes.map { String($0, radix: 16) })
        try waitUntilIdle()
    }

    /// Makes the terminal another size and waits until the program has painted it.
    package func resize(rows: Int, columns: Int) throws {
        guard try size != (rows, columns) else { return }
        forgetIdle()
        try server("resize-window", "-x", String(columns), "-y", String(rows))
        try waitUntilIdle()
    }

    /// Sends the program a signal and waits until it is idle again, ended or suspended.
    package func signal(_ number: Int32) throws {
        forgetIdle()
        let process = try processIdentifier
        guard kill(process, number) == 0 else { throw POSIXFailure(call: "kill", code: errno) }
        try waitUntilIdle()
    }

    /// The program's process: the leader of the terminal's foreground group, which the shell makes of each of its jobs.
    package var processIdentifier: pid_t {
        get throws {
            let shell = try format("pane_pid")
            let status = (try? String(contentsOfFile: "/proc/\(shell)/stat", encoding: .utf8)) ?? ""
            // After the name in parentheses, which may hold anything: state, parent, group, session, terminal, its foreground group.
            let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
            guard fields.count > 6, let group = pid_t(fields[6]), group > 0, String(group) != shell else {
                throw failure("no program is in the foreground")
            }
            return group
        }
    }

    /// Brings a suspended program to the foreground again, as `fg` in a shell.
    package func resume() throws {
        guard isSuspended else { throw failure("the program is not suspended") }
        forgetSuspension()
        forgetIdle()
        try resumption.write("fg\n")
        try waitUntilIdle()
    }

    /// What runs in the terminal: the program as a job, brought back after each suspension when `resumption` says so; its
    /// statuses go to `ends`. The screen stays afterwards, until the session goes.
    static func script(program: String, arguments: [String], environment: [String: String], folder: String) -> String {
        let command = ([program] + arguments).map(quoted).joined(separator: " ")
        let settings = environment.sorted { $0.key < $1.key }.map { quoted("\($0.key)=\($0.value)") }.joined(separator: " ")
        return """
            cd_folder=\(quoted(folder))
            exec 9>"$cd_folder/idle" 8>"$cd_folder/ends"
            # Reads until the session that holds the other end is gone, however that came about.
            { read -r _ <"$cd_folder/life"; tmux -S "$cd_folder/socket" kill-server; rm -rf "$cd_folder"; } >/dev/null 2>&1 8>&- 9>&- &
            unset COLUMNS LINES TMUX TMUX_PANE
            set -m
            env TLBROWSE_IDLE_FD=9 \(settings) \(command) 8>&-
            status=$?
            while [ "$status" -eq 147 ] || [ "$status" -eq 148 ]; do
                echo "suspended"
                echo "$status" >&8
                read -r _ <"$cd_folder/resumption"
                fg >/dev/null
                status=$?
            done
            set +m
            echo "$status" >&8
            read -r _ <"$cd_folder/life"

            """
    }

    /// A word for a POSIX shell.
    static func quoted(_ word: String) -> String {
        "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
