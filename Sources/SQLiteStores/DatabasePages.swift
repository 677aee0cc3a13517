import CSQLite
import ObjectStore

/// The pages of a database as they lie in its file and, where there is one, in the newest images of its log.
///
/// What is said here is about bytes only: what rows they hold is asked of SQLite. It follows the
/// [file format](https://www.sqlite.org/fileformat2.html), sections 1.2, 1.3 and 4.1.
struct DatabasePages {
    let connection: Connection
    /// In bytes.
    let pageSize: Int
    /// Without what extensions keep at the end of each page, in bytes.
    let usableSize: Int
    /// So many pages the file has, or more.
    let pageCount: Int
    /// Where in the log the last image of a page begins, in bytes.
    private let images: [UInt32: Int64]

    /// So many images of a log are looked through: 2 µs each.
    private static let mostImages = 50_000
    private static let logHeaderSize = 32
    private static let imageHeaderSize = 24

    /// - Parameter hasLog: whether the database may be in write-ahead mode. The log may hold what is not committed yet, or no more.
    /// - Returns: nil where the head of a file does not fit what it should be, or a log is too long.
    init?(_ connection: Connection, hasLog: Bool) {
        self.connection = connection
        var head = [UInt8](repeating: 0, count: 100)
        guard connection.read(&head, log: false, at: 0) else { return nil }
        let size = Int(head[16]) << 8 | Int(head[17])
        pageSize = size == 1 ? 65_536 : size
        usableSize = pageSize - Int(head[20])
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0, usableSize >= 480 else { return nil }
        var images: [UInt32: Int64] = [:]
        var pageCount = Int(head.bigEndian32(at: 28))
        if hasLog {
            var header = [UInt8](repeating: 0, count: Self.logHeaderSize)
            if connection.read(&header, log: true, at: 0) {
                guard header.bigEndian32(at: 0) & ~1 == 0x377F_0682, header.bigEndian32(at: 8) == UInt32(pageSize) else {
                    return nil
                }
                var offset = Int64(Self.logHeaderSize)
                var image = [UInt8](repeating: 0, count: Self.imageHeaderSize)
                while connection.read(&image, log: true, at: offset), image[8..<16].elementsEqual(header[16..<24]) {
                    guard images.count < Self.mostImages, offset < Int64(Self.mostImages) * Int64(pageSize) else { return nil }
                    images[image.bigEndian32(at: 0)] = offset + Int64(Self.imageHeaderSize)
                    pageCount = max(pageCount, Int(image.bigEndian32(at: 0)))
                    offset += Int64(Self.imageHeaderSize + pageSize)
                }
            }
        }
        self.images = images
        self.pageCount = pageCount
    }

    /// Reads a page, counted from 1.
    ///
    /// - Returns: whether it came from the log; nil where it cannot be read.
    func read(_ page: UInt32, into bytes: inout [UInt8]) -> Bool? {
        guard page > 0 else { return nil }
        if let image = images[page] { return connection.read(&bytes, log: true, at: image) ? true : nil }
        return connection.read(&bytes, log: false, at: Int64(page - 1) * Int64(pageSize)) ? false : nil
    }
}

extension Connection {
    /// Fills bytes from the database file or its log; false where they are not all there.
    fileprivate func read(_ bytes: inout [UInt8], log: Bool, at offset: Int64) -> Bool {
        bytes.withUnsafeMutableBytes {
            csqlite_read(handle, log ? 1 : 0, $0.baseAddress, Int32(truncatingIfNeeded: $0.count), offset) == SQLITE_OK
        }
    }
}

extension [UInt8] {
    /// A number of four bytes, the highest first; the place has to be there.
    fileprivate func bigEndian32(at place: Int) -> UInt32 {
        self[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
