import Glibc

/// Why a report could not be written.
package enum ReportOutputError: Error, Sendable, Equatable {
    /// The reader has gone (EPIPE): nothing is left to do, and nothing is wrong.
    case closed
    /// The system's reason, such as a full disk.
    case failed(String)
}

/// Where a report goes: bytes, gathered into large writes.
package final class ReportOutput {
    private let descriptor: Int32?
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 16

    /// Writes to an open file. The caller ignores SIGPIPE, so that a closed pipe is an error and no signal.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        buffer.reserveCapacity(ReportOutput.bufferSize + 4096)
    }

    /// Keeps everything in memory.
    package init() { descriptor = nil }

    /// What has not been written to a file: without a file all of it.
    package var text: String { String(decoding: buffer, as: UTF8.self) }

    package func write(_ text: String) throws(ReportOutputError) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= ReportOutput.bufferSize { try flush() }
    }

    /// Writes UTF-8; what is large is not gathered first.
    package func write(_ bytes: [UInt8]) throws(ReportOutputError) {
        guard descriptor != nil, bytes.count >= ReportOutput.bufferSize else {
            buffer.append(contentsOf: bytes)
            if buffer.count >= ReportOutput.bufferSize { try flush() }
            return
        }
        try flush()
        try pass(bytes)
    }

    /// Passes on what is gathered; nothing for a report in memory. Waits where the file is not ready.
    package func flush() throws(ReportOutputError) {
        guard descriptor != nil else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try pass(buffer)
    }

    private func pass(_ bytes: [UInt8]) throws(ReportOutputError) {
        guard let descriptor else { return }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                // Sound: the buffer is ours for the call, and the length is that of its rest.
                Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count >= 0 {
                done += count
                continue
            }
            let code = errno
            switch code {
            case EINTR: continue
            case EAGAIN:
                // Somebody made the file non-blocking; it may be shared with others, so it stays so.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            default: throw code == EPIPE ? .closed : .failed(String(cString: strerror(code)))
            }
        }
    }
}
