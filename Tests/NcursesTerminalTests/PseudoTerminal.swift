import Glibc

/// Both ends of a pseudo-terminal.
final class PseudoTerminal {
    let master: Int32
    /// Stays open, so that the modes outlive whoever uses the terminal.
    let slave: Int32
    let path: String

    init?(rows: UInt16 = 24, columns: UInt16 = 80) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // Swift's Glibc module has neither posix_openpt and its companions nor these two macros: TIOCSPTLCK and TIOCGPTN.
        var locked: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else { return nil }
        path = "/dev/pts/\(number)"
        self.master = master
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { return nil }
        resize(rows: rows, columns: columns)
    }

    deinit {
        close(slave)
        close(master)
    }

    func resize(rows: UInt16, columns: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func type(_ bytes: [UInt8]) { _ = write(master, bytes, bytes.count) }
    func type(_ text: String) { type(Array(text.utf8)) }

    /// All that has been written to the terminal so far.
    func output() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&descriptor, 1, 0) > 0, descriptor.revents & Int16(POLLIN) != 0 {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Input, output, control and local modes.
    var modes: [tcflag_t] {
        var modes = termios()
        tcgetattr(slave, &modes)
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    }
}
