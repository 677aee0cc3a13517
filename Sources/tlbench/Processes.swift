import Glibc

/// Programs that are run and measured from outside.
enum Processes {
    /// Starts a program; its number, nil where it is not there.
    static func spawn(
        _ command: [String], environment: [String: String], input: String = "/dev/null", output: String = "/dev/null",
        error: String = "/dev/null", inNewSession: Bool = false
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, inNewSession ? O_RDWR : O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // `POSIX_SPAWN_SETSID`, which Swift does not see.
        if inNewSession { posix_spawnattr_setflags(&attributes, 0x80) }
        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var child: pid_t = 0
        return posix_spawnp(&child, command[0], &actions, &attributes, &arguments, &variables) == 0 ? child : nil
    }

    /// The seconds that a program takes from its start to its end, and its peak memory in bytes; nil where it fails.
    static func run(_ command: [String], environment: [String: String], input: String = "/dev/null", output: String = "/dev/null")
        -> (seconds: Double, memory: Int)?
    {
        let start = Measuring.now()
        guard let child = spawn(command, environment: environment, input: input, output: output) else { return nil }
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(child, &status, 0, &usage) == child, status == 0 else { return nil }
        return (Measuring.now() - start, Int(usage.ru_maxrss) * 1024)
    }

    /// The least of several runs.
    static func least(
        of runs: Int, _ command: [String], environment: [String: String], input: String = "/dev/null",
        output: String = "/dev/null"
    ) -> (seconds: Double, memory: Int)? {
        var best: (seconds: Double, memory: Int)?
        for _ in 0..<runs {
            guard let result = run(command, environment: environment, input: input, output: output) else { return nil }
            if best.map({ result.seconds < $0.seconds }) ?? true { best = result }
        }
        return best
    }

    static func isInstalled(_ program: String) -> Bool {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}
