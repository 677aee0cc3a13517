import Glibc
import ObjectStore

// SQLite reads zeros where a file ends within a page, and makes rows of them that nobody wrote.
extension NamelessFile {
    /// A copy of a file that ends within a page, without what that page has only in part; nil for any other file, and where there is
    /// no room.
    static func copyOfWholeRows(
        of file: StoreFile, _ opening: StoreFile.Opening, _ stamps: StoreFile.Stamps, isPrivate: Bool
    ) -> NamelessFile? {
        let page = StoreFile.pageSize(file.header)
        guard opening == .readOnly || opening == .immutable, page >= 512, let size = (stamps.main?.size).map({ Int($0) }),
            size > page, size % page != 0, let copy = copy(of: file, isPrivate: isPrivate)
        else { return nil }
        let start = size - size % page
        var bytes = [UInt8](repeating: 0, count: size % page)
        let usable = page - Int(file.header[20])
        guard usable >= 480, pread(copy.descriptor, &bytes, bytes.count, start) == bytes.count,
            let leaf = leaf(of: bytes, page: page, usable: usable),
            pwrite(copy.descriptor, leaf, page, start) == page
        else { return ftruncate(copy.descriptor, start) == 0 ? copy : nil }
        return copy
    }

    /// A leaf of a table with those rows that lie within the bytes there are; nil for a page of another kind.
    ///
    /// By the [file format](https://www.sqlite.org/fileformat2.html), section 1.6.
    private static func leaf(of bytes: [UInt8], page: Int, usable: Int) -> [UInt8]? {
        guard bytes.count >= 8, bytes[0] == 0x0D else { return nil }
        let count = bytes.bigEndian(at: 3, size: 2)
        let pointersEnd = 8 + 2 * count
        guard pointersEnd <= bytes.count else { return nil }
        var pointers: [UInt8] = []
        for place in stride(from: 8, to: pointersEnd, by: 2) {
            let start = bytes.bigEndian(at: place, size: 2)
            guard start >= pointersEnd, let end = cellEnd(bytes, start, usable), end <= bytes.count else { continue }
            pointers += bytes[place..<(place + 2)]
        }
        var leaf = bytes + [UInt8](repeating: 0, count: page - bytes.count)
        leaf.replaceSubrange(8..<(8 + pointers.count), with: pointers)
        let kept = pointers.count / 2
        leaf[3] = UInt8(truncatingIfNeeded: kept >> 8)
        leaf[4] = UInt8(truncatingIfNeeded: kept)
        return leaf
    }

    /// Where the cell of a row ends; nil where its head is not there.
    private static func cellEnd(_ bytes: [UInt8], _ start: Int, _ usable: Int) -> Int? {
        var place = start
        guard let payload = variableInteger(bytes, &place), variableInteger(bytes, &place) != nil, payload >= 0 else {
            return nil
        }
        let most = usable - 35
        guard payload > most else { return place + payload }
        let least = (usable - 12) * 32 / 255 - 23
        let local = least + (payload - least) % (usable - 4)
        return place + (local <= most ? local : least) + 4
    }

    private static func variableInteger(_ bytes: [UInt8], _ place: inout Int) -> Int? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard bytes.indices.contains(place) else { return nil }
            let byte = bytes[place]
            place += 1
            guard index < 8 else { return Int(truncatingIfNeeded: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        return Int(truncatingIfNeeded: value)
    }
}
