import Dispatch
import Foundation
import Glibc
import ObjectStore
import PropertyLists

/// Orders of long lists, kept from one run to the next, so that an unchanged store shows them at once.
///
/// A file under `$XDG_CACHE_HOME/tlbrowse` for each list and store: object keys and counts, no text (SPEC section 6). It holds for
/// the very state of the store's files that it was made from, and for the same order in the same locale; whatever is
/// not as it should be is no cache. Nothing is ever written beside a store.
package final class OrderCache: Sendable {
    private let folder: String
    private let queue = DispatchQueue(label: "tlbrowse.cache", qos: .utility)
    private let writing = DispatchGroup()
    /// Shorter lists are made as soon.
    let leastCount: Int
    /// Seconds for which the files must have been left alone: later changes would not show in their times.
    let settleTime: Int64
    /// Bytes of all files; the oldest go.
    private let mostBytes: Int64

    /// More sections are not kept: the value of each has to be read again.
    static let mostSections = 100_000

    /// - Parameter folder: made when there is something to keep.
    package init(folder: String, leastCount: Int = 100_000, settleTime: Int64 = 2, mostBytes: Int64 = 1 << 29) {
        self.folder = folder
        self.leastCount = leastCount
        self.settleTime = settleTime
        self.mostBytes = mostBytes
    }

    /// The user's; nil where there is no home to keep it in.
    package convenience init?(environment: [String: String]) {
        guard let home = SystemPath.baseDirectory("XDG_CACHE_HOME", orElse: ".cache", environment) else { return nil }
        self.init(folder: home + "/tlbrowse")
    }

    /// Whether a store is large enough for a list that is kept: a row takes four bytes of a table at the least. Most stores are not,
    /// and need not be looked at more closely.
    func mayKeepOrders(of file: StoreFile) -> Bool {
        let sizes = ["", "-wal"].compactMap { SystemPath.status(file.path + $0).map { Int($0.st_size) } }
        return sizes.reduce(0, +) / 4 >= leastCount
    }

    private func path(of list: Fingerprint) -> String { "\(folder)/\(list.text).order" }

    /// The order that is kept for a list in this state of its store; nil where there is none. Reads its beginning only.
    func order(of list: Fingerprint, in state: Fingerprint) -> CachedOrder? {
        CachedOrder(path: path(of: list), state: state)
    }

    /// Keeps an order, in the background. What goes wrong is no fault: then nothing is kept.
    func keep(_ objects: FetchedObjects, of list: Fingerprint, in state: Fingerprint) {
        guard objects.keys.count >= leastCount, objects.sections.count <= Self.mostSections, objects.fault == nil else { return }
        let path = path(of: list)
        queue.async(group: writing) { [folder, mostBytes] in
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            let manager = FileManager.default
            guard
                (try? manager.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: attributes)) != nil
            else { return }
            CachedOrder.write(objects, state: state, to: path, in: folder)
            Self.tidy(folder, mostBytes: mostBytes)
        }
    }

    /// Waits for what is being written, so that a program which ends at once keeps it, too.
    ///
    /// - Parameter milliseconds: the longest wait; nil for none. What is not done by then is lost with the program, and leaves nothing.
    package func finishWriting(within milliseconds: Int? = nil) {
        _ = writing.wait(timeout: milliseconds.map { .now() + .milliseconds($0) } ?? .distantFuture)
    }

    /// Takes the files away that were not used for longest, and those that were not finished.
    private static func tidy(_ folder: String, mostBytes: Int64) {
        var files: [(path: String, size: Int64, used: Int)] = []
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        for name in SystemPath.names(in: folder) where name.contains(".order") {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            if name.hasSuffix(".order") {
                files.append((path, Int64(status.st_size), status.st_mtim.tv_sec))
            } else if now.tv_sec - status.st_mtim.tv_sec > 60 {
                unlink(path)
            }
        }
        files.sort { $0.used > $1.used }
        var sum: Int64 = 0
        for file in files {
            sum += file.size
            if sum > mostBytes { unlink(file.path) }
        }
    }
}

/// Bytes by which things are told apart, 128 bits of them.
struct Fingerprint: Sendable, Equatable {
    var high: UInt64 = 0x9E37_79B9_7F4A_7C15
    var low: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    var text: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    mutating func add(_ word: UInt64) {
        high = (high ^ word) &* 0xFF51_AFD7_ED55_8CCD
        high ^= high >> 32
        low = (low ^ (word << 32 | word >> 32)) &* 0xC4CE_B9FE_1A85_EC53
        low ^= low >> 29
    }

    mutating func add(_ text: String) {
        var word: UInt64 = 0
        var count: UInt64 = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count % 8 == 0 { add(word) }
        }
        add(word)
        // So that what follows cannot be taken for a part of it.
        add(count)
    }
}

extension Fingerprint {
    /// The state of a store's files; nil where they are not there, or were touched less than some seconds ago.
    init?(stateOf file: StoreFile, settledFor seconds: Int64) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        self.init()
        for suffix in ["", "-wal", "-journal"] {
            guard let status = SystemPath.status(file.path + suffix) else {
                if suffix.isEmpty { return nil }
                add(0)
                continue
            }
            for time in [status.st_mtim, status.st_ctim] {
                guard seconds == 0 || Int64(now.tv_sec) &- Int64(time.tv_sec) > seconds else { return nil }
                add(UInt64(bitPattern: Int64(time.tv_sec)))
                add(UInt64(bitPattern: Int64(time.tv_nsec)))
            }
            for number in [UInt64(status.st_dev), UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size))] {
                add(number)
            }
        }
    }
}
