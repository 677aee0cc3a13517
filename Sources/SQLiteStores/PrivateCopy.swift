import Foundation
import Glibc
import ObjectStore

/// A copy of a store in a folder of its own that only this user can enter; gone from the file system once it is open.
///
/// It is not `Sendable` and lives on the opening thread only.
final class PrivateCopy {
    let folder: String
    let path: String
    private let name: String

    /// Copies the store, and the file beside it with this suffix.
    ///
    /// - Throws: `notReadable`, or `engine` where there is no room.
    init(of file: StoreFile, suffix: String, isPrivate: Bool) throws(StoreError) {
        name = file.name
        var lastError: StoreError?
        for place in PrivatePlace.all(onlyMemory: isPrivate) {
            guard let made = PrivatePlace.makeFolder(in: place) else { continue }
            do throws(StoreError) {
                try PrivateCopy.copy(file.path, to: made + "/store", name: file.name)
                try PrivateCopy.copy(file.path + suffix, to: made + "/store" + suffix, name: file.name)
                folder = made
                path = made + "/store"
                return
            } catch {
                PrivatePlace.remove(made)
                lastError = error
                // The source's fault will be the same elsewhere; no room may be.
                if case .engine = error.cause { continue }
                throw error
            }
        }
        throw lastError ?? StoreError(file: file.name, cause: .engine("there is no place in memory for a private copy"))
    }

    deinit { PrivatePlace.remove(folder) }

    private static func copy(_ source: String, to target: String, name: String) throws(StoreError) {
        let input = open(source, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard input >= 0 else { throw StoreFile.error(name, errno) }
        defer { close(input) }
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw StoreError(file: name, cause: .engine("no private copy: \(reason(errno))")) }
        defer { close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw StoreFile.error(name, errno) }
            guard count > 0 else { return }
            var written = 0
            while written < count {
                let part = buffer.withUnsafeBytes { bytes in
                    bytes.baseAddress.map { write(output, $0 + written, count - written) } ?? -1
                }
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { throw StoreError(file: name, cause: .engine("no private copy: \(reason(errno))")) }
                written += part
            }
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }

    /// Takes the copy out of the file system; what has it open keeps it.
    func unlinkFiles() { PrivatePlace.remove(folder) }
}
