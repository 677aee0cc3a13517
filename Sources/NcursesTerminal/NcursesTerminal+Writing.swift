internal import CNcurses
internal import Glibc

// What goes to the terminal.
extension NcursesTerminal {
    /// Writes past curses, which has nothing of its own buffered between frames.
    func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let bytes = (heldBack ?? []) + bytes
        heldBack = nil
        bytes.withUnsafeBytes { raw in
            var done = 0
            while done < raw.count {
                let count = Glibc.write(output, raw.baseAddress?.advanced(by: done), raw.count - done)
                if count > 0 {
                    done += count
                    written = (written.pieces + 1, written.bytes + count)
                } else if errno == EAGAIN {
                    var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                    if poll(&descriptor, 1, 1000) <= 0 { return }
                } else if errno != EINTR {
                    return
                }
            }
        }
    }

    /// Has the terminal get what was held back, before curses writes to it by itself.
    func showHeldBack() {
        let bytes = heldBack ?? []
        heldBack = nil
        write(bytes)
    }

    /// Takes what curses writes during some work, so that it goes to the terminal in one piece; empty where it went there at once.
    func gatheringFrame<Result>(_ work: () -> Result) -> (frame: [UInt8], result: Result) {
        guard let file = files.output, tl_frame_begin(frameMemory, file) == 1 else { return ([], work()) }
        let result = work()
        return (Self.endFrame(in: frameMemory, file, output), result)
    }

    /// Has curses write to the terminal again; what it wrote meanwhile.
    static func endFrame(in memory: Int32, _ file: UnsafeMutablePointer<FILE>, _ output: Int32) -> [UInt8] {
        let length = tl_frame_end(memory, file, output)
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = buffer.baseAddress.map { tl_frame_take(memory, $0, length) } ?? 0
        }
    }
}
