import Glibc

/// Runs a command to its end. Its streams are files rather than pipes: tests run side by side, and a pipe's end that leaks
/// into another test's child would keep the reader waiting.
enum ChildProcess {
    /// The exit status as a shell has it (128 + n after signal n).
    static func run(
        _ command: [String], environment: [String: String], input: String = "/dev/null",
        output: String = "/dev/null", error: String = "/dev/null"
    ) throws -> Int {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT | O_TRUNC, 0o600)

        // The threads that tests run on block most signals; a child that inherited that could be neither ended nor suspended.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }

        var child: pid_t = 0
        let failure = posix_spawnp(&child, command[0], &actions, &attributes, &arguments, &variables)
        guard failure == 0 else { throw POSIXFailure(call: command[0], code: failure) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw POSIXFailure(call: "waitpid", code: errno) }
        }
        let signal = status & 0x7f
        return signal == 0 ? Int((status >> 8) & 0xff) : 128 + Int(signal)
    }
}
