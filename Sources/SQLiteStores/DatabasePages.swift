import CSQLite
import ObjectStore

/// The pages of a database as they lie in its file and in its log.
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
    private(set) var pageCount: Int
    /// The log, in write-ahead mode.
    private var log: DatabaseLog?

    /// The pages at a commit that whoever begins to read from now on sees, or a later one.
    ///
    /// - Parameters:
    ///   - hasLog: whether the database may be in write-ahead mode.
    ///   - mostImages: so many images of a log are looked through: 2 µs each.
    /// - Returns: nil where the head of a file does not fit what it should be, or a log is too long.
    init?(_ connection: Connection, hasLog: Bool, mostImages: Int = 50_000) {
        self.connection = connection
        var head = [UInt8](repeating: 0, count: 100)
        guard connection.read(&head, log: false, at: 0) else { return nil }
        pageSize = StoreFile.pageSize(head)
        usableSize = pageSize - Int(head[20])
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0, usableSize >= 480 else { return nil }
        pageCount = head.bigEndian(at: 28, size: 4)
        guard hasLog else { return }
        guard let log = DatabaseLog(connection, pageSize: pageSize, mostImages: mostImages) else { return nil }
        self.log = log
        pageCount = max(pageCount, log.lastPage)
    }

    /// Notes which pages were written since; whoever began to read before sees nothing of what is written later.
    ///
    /// - Returns: false where the log has begun anew, so that this is not known, and what was read may be anything.
    mutating func noteWrites() -> Bool {
        guard let isKnown = log?.noteWrites(connection) else { return true }
        pageCount = max(pageCount, log?.lastPage ?? 0)
        return isKnown
    }

    /// Whether a page, counted from 1, was written since the pages were looked at, or may have been.
    func isWritten(_ page: UInt32) -> Bool { log?.written.contains(page) == true }

    /// Reads a page, counted from 1.
    ///
    /// - Returns: whether it came from the log; nil where it cannot be read.
    func read(_ page: UInt32, into bytes: UnsafeMutableRawBufferPointer) -> Bool? {
        guard page > 0 else { return nil }
        if let image = log?.images[page] { return connection.read(bytes, log: true, at: image) ? true : nil }
        return readFromFile(page, into: bytes) ? false : nil
    }

    /// Reads pages from one on, counted from 1, as they are in the file; false where they are not all there.
    func readFromFile(_ page: UInt32, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        page > 0 && connection.read(bytes, log: false, at: Int64(page - 1) * Int64(pageSize))
    }

    /// Whether there is an image of a page in the log, committed or not.
    func isInLog(_ page: UInt32) -> Bool { log?.images[page] != nil || log?.written.contains(page) == true }
}

/// Which pages a write-ahead log holds.
///
/// The last commit in it may be one that readers do not see yet; those before it they do, as nobody begins a commit before the last
/// one is told to all. What follows a commit may never be committed.
private struct DatabaseLog {
    /// Where the last image of a page begins that is committed for sure, in bytes.
    private(set) var images: [UInt32: Int64] = [:]
    /// The pages in what follows.
    private(set) var written: Set<UInt32> = []
    private(set) var lastPage = 0

    private let pageSize: Int
    private let header: [UInt8]
    /// Where the images end that are committed for sure.
    private var end = Int64(Self.headerSize)
    private var imageCount = 0

    private let mostImages: Int
    private static let headerSize = 32
    private static let imageHeaderSize = 24

    /// - Returns: nil where the head of the log does not fit, or it is too long. One that is not there holds nothing.
    init?(_ connection: Connection, pageSize: Int, mostImages: Int) {
        self.pageSize = pageSize
        self.mostImages = mostImages
        var header = [UInt8](repeating: 0, count: Self.headerSize)
        guard connection.read(&header, log: true, at: 0) else {
            self.header = []
            return
        }
        self.header = header
        guard header.bigEndian(at: 0, size: 4) & ~1 == 0x377F_0682, header.bigEndian(at: 8, size: 4) == pageSize else {
            return nil
        }
        var pending: [(page: UInt32, place: Int64)] = []
        var last: [(page: UInt32, place: Int64)] = []
        var committed: [UInt32: Int64] = [:]
        var place = end
        let isWhole = eachImage(connection, from: end) { page, image, isCommit in
            pending.append((page, image))
            guard isCommit else { return }
            for image in last { committed[image.page] = image.place }
            if let image = last.last { place = image.place + Int64(pageSize) }
            last = pending
            pending = []
        }
        guard isWhole else { return nil }
        images = committed
        end = place
        written = Set((last + pending).map(\.page))
    }

    mutating func noteWrites(_ connection: Connection) -> Bool {
        var header = [UInt8](repeating: 0, count: Self.headerSize)
        let isThere = connection.read(&header, log: true, at: 0)
        guard header == self.header || !isThere && self.header.isEmpty else { return false }
        var pages: [UInt32] = []
        let isWhole = eachImage(connection, from: end) { page, _, _ in pages.append(page) }
        written.formUnion(pages)
        return isWhole
    }

    /// Goes through the images from a place on; false where they are too many.
    private mutating func eachImage(
        _ connection: Connection, from start: Int64, _ body: (UInt32, _ place: Int64, _ isCommit: Bool) -> Void
    ) -> Bool {
        guard !header.isEmpty else { return true }
        var place = start
        var image = [UInt8](repeating: 0, count: Self.imageHeaderSize)
        // What is left of an earlier log has other salts.
        while connection.read(&image, log: true, at: place), image[8..<16].elementsEqual(header[16..<24]) {
            imageCount += 1
            guard imageCount <= mostImages else { return false }
            let page = image.bigEndian(at: 0, size: 4)
            lastPage = max(lastPage, page)
            body(
                UInt32(truncatingIfNeeded: page), place + Int64(Self.imageHeaderSize), image.bigEndian(at: 4, size: 4) != 0)
            place += Int64(Self.imageHeaderSize + pageSize)
        }
        return true
    }
}

extension Connection {
    /// Fills bytes from the database file or its log; false where they are not all there.
    fileprivate func read(_ bytes: inout [UInt8], log: Bool, at offset: Int64) -> Bool {
        bytes.withUnsafeMutableBytes { read($0, log: log, at: offset) }
    }

    fileprivate func read(_ bytes: UnsafeMutableRawBufferPointer, log: Bool, at offset: Int64) -> Bool {
        csqlite_read(handle, log ? 1 : 0, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count), offset) == SQLITE_OK
    }
}

extension [UInt8] {
    /// A number of so many bytes, at most seven, the highest first; they have to be there.
    func bigEndian(at place: Int, size: Int) -> Int {
        var number = 0
        for place in place..<(place + size) { number = number << 8 | Int(self[place]) }
        return number
    }
}
