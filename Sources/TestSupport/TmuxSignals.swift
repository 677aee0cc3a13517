import Foundation
import Glibc

/// A FIFO that this side holds open for reading and writing, so that neither side waits for the other to open it.
final class SignalPipe: Sendable {
    let path: String
    private let descriptor: Int32

    init(path: String) throws {
        self.path = path
        guard mkfifo(path, 0o600) == 0 else { throw POSIXFailure(call: "mkfifo", code: errno) }
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXFailure(call: "open", code: errno) }
    }

    deinit { close(descriptor) }

    /// All that has been written by now.
    func read() -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 512)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return all }
            all += chunk[..<count]
        }
    }

    /// Writes a short text at once.
    func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw POSIXFailure(call: "write", code: errno) }
    }

    /// Waits until one of the pipes has something to read; false where that did not happen within `seconds`.
    static func wait(for pipes: [SignalPipe], seconds: Double) throws -> Bool {
        let end = Date().addingTimeInterval(seconds)
        while true {
            var descriptors = pipes.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            let left = max(0, end.timeIntervalSinceNow)
            let ready = poll(&descriptors, nfds_t(descriptors.count), Int32((left * 1000).rounded(.up)))
            if ready > 0 { return true }
            if ready == 0 { return false }
            guard errno == EINTR else { throw POSIXFailure(call: "poll", code: errno) }
        }
    }
}
