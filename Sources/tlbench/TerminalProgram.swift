import Glibc

/// A program that runs in a pseudo-terminal of its own, and the clock beside it.
final class TerminalProgram {
    private let descriptor: Int32
    private(set) var process: pid_t = 0
    private(set) var screen: TerminalScreen
    /// When it was started, and when its last bytes came.
    let started: Double
    private(set) var lastBytes: Double
    /// Whether the terminal gives no more.
    private(set) var hasEnded = false

    static let rows = 24
    static let columns = 80

    /// Nil where it cannot be started.
    init?(_ command: [String], environment: [String: String]) {
        // `posix_openpt` and its like are hidden from Swift: these are what they do on Linux (`TIOCSPTLCK`, `TIOCGPTN` of `ioctl_tty(2)`).
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        screen = TerminalScreen(rows: Self.rows, columns: Self.columns)
        started = Measuring.now()
        lastBytes = started
        guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &isLocked) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0 else {
            return nil
        }
        let path = "/dev/pts/\(number)"
        var size = winsize(ws_row: UInt16(Self.rows), ws_col: UInt16(Self.columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
        // A new session, in which the first terminal that is opened becomes its own.
        guard
            let child = Processes.spawn(
                command, environment: environment, input: path, output: path, error: path, inNewSession: true)
        else { return nil }
        process = child
    }

    deinit {
        if process > 0 {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sends keys; the time at which they are sent.
    @discardableResult
    func send(_ keys: String) -> Double {
        let bytes = Array(keys.utf8)
        let now = Measuring.now()
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        return now
    }

    /// Sends `q` and waits until it has ended; by force after five seconds.
    func quit() {
        send("q")
        let limit = Measuring.now() + 5
        while process > 0, Measuring.now() < limit {
            if waitpid(process, nil, WNOHANG) == process { process = 0 } else if !read(within: 5), hasEnded { usleep(1000) }
        }
    }

    /// Reads what comes within some milliseconds; whether something came.
    func read(within milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, milliseconds) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else {
            hasEnded = true
            return false
        }
        lastBytes = Measuring.now()
        screen.feed(buffer[..<count])
        return true
    }

    /// Waits until the screen shows a text; the time since `start`, nil where it does not come.
    func wait(for text: String, since start: Double, seconds: Double = 120) -> Double? {
        let limit = start + seconds
        while !screen.shows(text) {
            guard Measuring.now() < limit else { return nil }
            if !read(within: 50), hasEnded { return nil }
        }
        return lastBytes - start
    }

    /// Sends a key and waits until no more bytes have come for a while; the time from the key to the last byte, nil where none came.
    ///
    /// - Parameter patience: how long the first byte may take, where that is longer than the pause after the last one.
    func latency(of key: String, patience: Int32 = 0, quiet milliseconds: Int32 = 12) -> Double? {
        while read(within: 0) {}
        let sent = send(key)
        guard read(within: max(patience, milliseconds)) else { return nil }
        while read(within: milliseconds) {}
        return lastBytes - sent
    }

    /// What it has used of the processors so far, in ticks; nil where that is not known.
    var processorTime: Int? { Measuring.processorTime(of: process) }

    /// The most memory that it has held so far, in bytes.
    var peakMemory: Int? { Measuring.status("VmHWM:", of: String(process)) }
}
