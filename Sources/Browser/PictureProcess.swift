import Dispatch
import Foundation

/// Runs a program with bytes on its standard input to its end, and takes what it prints: bounded in time and in what is taken.
enum PictureProcess {
    enum Outcome: Sendable, Equatable {
        case output([UInt8])
        /// It did not end in time, or was not wanted any more; it is ended.
        case tookTooLong
        /// It could not be started, ended with a fault or by a signal, or printed too much.
        case failed
    }

    /// - Parameters:
    ///   - milliseconds: how long it may take.
    ///   - isCancelled: asked every now and then whether the result is still wanted.
    static func run(
        _ executable: String, arguments: [String], input: Data, mostOutput: Int, milliseconds: Int, isCancelled: () -> Bool
    ) -> Outcome {
        guard let feed = Pipe(), let result = Pipe() else { return .failed }
        let child = spawn(executable, arguments, input: feed.readEnd, output: result.writeEnd)
        feed.closeReadEnd()
        result.closeWriteEnd()
        guard let child else { return .failed }
        let output = exchange(input, feed, result, most: mostOutput, milliseconds: milliseconds, isCancelled: isCancelled)
        if output.isIncomplete { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        if output.isLate { return .tookTooLong }
        return status == 0 && !output.isIncomplete ? .output(output.bytes) : .failed
    }

    /// Two connected descriptors, closed when nobody has them any more. Sockets: writing to one whose other end is closed can be an
    /// error without being a signal, too.
    private final class Pipe {
        private(set) var readEnd: Int32
        private(set) var writeEnd: Int32

        init?() {
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (readEnd, writeEnd) = (ends[0], ends[1])
        }

        deinit {
            closeReadEnd()
            closeWriteEnd()
        }

        func closeReadEnd() {
            if readEnd >= 0 { close(readEnd) }
            readEnd = -1
        }

        func closeWriteEnd() {
            if writeEnd >= 0 { close(writeEnd) }
            writeEnd = -1
        }
    }

    /// The child has three streams and nothing of the environment; what else of ours is open it closes first of all.
    private static func spawn(_ executable: String, _ arguments: [String], input: Int32, output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // ^C in the terminal is ours to handle; signals that we block or ignore are not the child's affair.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var vector = ([executable] + arguments).map { strdup($0) } + [nil]
        var environment = [strdup("LC_ALL=C.UTF-8"), nil]
        defer { (vector + environment).forEach { free($0) } }
        var child: pid_t = 0
        return posix_spawn(&child, executable, &actions, &attributes, &vector, &environment) == 0 ? child : nil
    }

    private struct Output {
        var bytes: [UInt8] = []
        var isLate = false
        /// Whether the end was not reached.
        var isIncomplete = false
    }

    /// Feeds the child and takes what it prints, whichever it is ready for.
    private static func exchange(
        _ input: Data, _ feed: Pipe, _ result: Pipe, most: Int, milliseconds: Int, isCancelled: () -> Bool
    ) -> Output {
        var output = Output()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var fed = input.startIndex
        _ = fcntl(feed.writeEnd, F_SETFL, O_NONBLOCK)
        let end = DispatchTime.now().uptimeNanoseconds + UInt64(milliseconds) * 1_000_000
        while true {
            guard DispatchTime.now().uptimeNanoseconds < end, !isCancelled() else {
                output.isLate = true
                output.isIncomplete = true
                return output
            }
            if fed == input.endIndex { feed.closeWriteEnd() }
            // A descriptor of -1 is passed over.
            var descriptors = [
                pollfd(fd: result.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: feed.writeEnd, events: Int16(POLLOUT), revents: 0),
            ]
            guard poll(&descriptors, 2, 50) > 0 else { continue }
            if descriptors[1].revents != 0 {
                let piece = input[fed..<min(input.endIndex, fed + buffer.count)]
                let count = piece.withUnsafeBytes { send(feed.writeEnd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                // A child that wants no more of it has seen enough.
                if count > 0 { fed += count } else if errno != EINTR, errno != EAGAIN { fed = input.endIndex }
            }
            guard descriptors[0].revents != 0 else { continue }
            let count = read(result.readEnd, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return output }
            guard output.bytes.count + count <= most else {
                output.isIncomplete = true
                return output
            }
            output.bytes += buffer[..<count]
        }
    }
}
