package import Glibc

/// Paths as the system has them, bytes without a zero, in strings that keep also what is no UTF-8.
///
/// Each byte that belongs to no valid scalar becomes a scalar of its own from a private range, and goes back as that byte; scalars
/// of that range are taken apart likewise, so that every path comes back as it was.
package enum SystemPath {
    /// The scalar of byte 0; those of the bytes from 0x80 on are used.
    private static let base: UInt32 = 0x10_FE00

    private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value - base) : nil
    }

    /// The path in a C string.
    package static func text(_ path: UnsafePointer<CChar>) -> String {
        let bytes = UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
        var scalars = String.UnicodeScalarView()
        func keep(_ bytes: ArraySlice<UInt8>) {
            for byte in bytes { scalars.append(Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}") }
        }
        var rest = bytes[...]
        var parser = Unicode.UTF8.ForwardParser()
        var source = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &source) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if byte(of: scalar) == nil { scalars.append(scalar) } else { keep(rest.prefix(encoded.count)) }
                rest = rest.dropFirst(encoded.count)
            case .error(let length):
                keep(rest.prefix(length))
                rest = rest.dropFirst(length)
            case .emptyInput: return String(scalars)
            }
        }
    }

    /// The bytes of a path; whatever is no such byte, as UTF-8.
    package static func bytes(_ path: String) -> [UInt8] {
        guard !path.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(path.utf8) }
        var bytes: [UInt8] = []
        for scalar in path.unicodeScalars {
            if let byte = byte(of: scalar) { bytes.append(byte) } else { bytes += UTF8.encode(scalar).map(Array.init) ?? [] }
        }
        return bytes
    }

    /// Calls with the path as a C string.
    package static func withCString<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let characters = bytes(path).map { CChar(bitPattern: $0) } + [0]
        return characters.withUnsafeBufferPointer { buffer in
            // Sound: there is at least the zero.
            buffer.baseAddress.map(body) ?? "".withCString(body)
        }
    }

    /// For people: bytes that are no UTF-8 as `\xFF`.
    package static func shown(_ path: String) -> String {
        guard path.unicodeScalars.contains(where: { byte(of: $0) != nil }) else { return path }
        var shown = ""
        for scalar in path.unicodeScalars {
            if let byte = byte(of: scalar) {
                shown += "\\x" + String(byte, radix: 16, uppercase: true)
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// The path without symbolic links; nil, and `errno` says why, where there is nothing.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = withCString(path, { realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return text(resolved)
    }

    /// As the system's `open`, for reading: never waits, takes no terminal, and is not passed on.
    package static func openForReading(_ path: String, _ flags: Int32 = 0) -> Int32 {
        withCString(path) { open($0, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags) }
    }

    /// A new file in a folder, open and without a name: nothing is left of it when it is closed. As the system's `open`; not all
    /// file systems can do it.
    package static func openNameless(in folder: String, _ flags: Int32, mode: mode_t) -> Int32 {
        // `O_TMPFILE` of open(2), which Swift does not see: `__O_TMPFILE | O_DIRECTORY`.
        withCString(folder) { open($0, 0o20_000_000 | O_DIRECTORY | O_CLOEXEC | flags, mode) }
    }

    /// Gives a file without a name one that must not be there yet; false, and `errno` says why, where that fails.
    package static func name(_ nameless: Int32, _ path: String) -> Bool {
        // `AT_SYMLINK_FOLLOW` of linkat(2), which Swift does not see.
        withCString(path) { linkat(AT_FDCWD, "/proc/self/fd/\(nameless)", AT_FDCWD, $0, 0x400) == 0 }
    }

    /// As the system's `stat`, which follows links; nil, and `errno` says why, where it fails.
    package static func status(_ path: String) -> stat? {
        var status = stat()
        return withCString(path) { stat($0, &status) } == 0 ? status : nil
    }

    /// What something is that is no regular file, with its article; nil for a regular file.
    package static func kindThatIsNoFile(_ mode: mode_t) -> String? {
        switch mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }

    /// One of the user's folders by the XDG Base Directory Specification; nil where there is no home.
    ///
    /// - Parameters:
    ///   - variable: what names it in the environment; the specification wants relative paths ignored.
    ///   - standard: where it is below the home otherwise.
    package static func baseDirectory(
        _ variable: String, orElse standard: String, _ environment: [String: String]
    ) -> String? {
        if let folder = environment[variable], folder.hasPrefix("/") { return folder }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/" + standard
    }

    /// The names in a folder, unsorted; empty where it cannot be read. At most `limit`.
    package static func names(in folder: String, limit: Int = .max) -> [String] {
        guard let stream = withCString(folder, { opendir($0) }) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // Sound: the system ends the name with a zero within its field.
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { text($0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
