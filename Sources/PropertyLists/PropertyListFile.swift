internal import Glibc

/// The bytes of a file that should hold a property list.
enum PropertyListFile {
    /// The whole file. Only regular files are read: a FIFO or a device could block for ever or never end.
    static func bytes(path: String, limit: Int) throws(PropertyListError) -> [UInt8] {
        // Non-blocking, since opening a FIFO would otherwise wait for its writer.
        let descriptor = SystemPath.openForReading(path)
        guard descriptor >= 0 else {
            let code = errno
            switch code {
            case ENOENT, ENOTDIR: throw PropertyListError(file: path, cause: .missing)
            // What open says of a socket, which cannot be opened.
            case ENXIO: throw PropertyListError(file: path, cause: .notAFile("a socket"))
            default: throw PropertyListError(file: path, cause: .unreadable(String(cString: strerror(code))))
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw PropertyListError(file: path, cause: .unreadable(String(cString: strerror(errno))))
        }
        if let kind = SystemPath.kindThatIsNoFile(status.st_mode) { throw PropertyListError(file: path, cause: .notAFile(kind)) }
        let size = Int(status.st_size)
        guard size <= limit else { throw PropertyListError(file: path, cause: .tooLarge(size: size, limit: limit)) }
        return try contents(of: descriptor, path: path, size: size, limit: limit)
    }

    /// Reads to the end, which may lie elsewhere than `size` said: files in /proc claim none, others grow meanwhile.
    private static func contents(of descriptor: Int32, path: String, size: Int, limit: Int) throws(PropertyListError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size + 1)
        var count = 0
        while true {
            if count == bytes.count { bytes.append(contentsOf: repeatElement(0, count: max(4096, count / 2))) }
            let step = bytes.withUnsafeMutableBytes { buffer in
                // Sound: the buffer is ours for the call, and the length is that of its rest.
                read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if step < 0 {
                let code = errno
                if code == EINTR { continue }
                throw PropertyListError(file: path, cause: .unreadable(String(cString: strerror(code))))
            }
            if step == 0 { break }
            count += step
            guard count <= limit else { throw PropertyListError(file: path, cause: .tooLarge(size: count, limit: limit)) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
