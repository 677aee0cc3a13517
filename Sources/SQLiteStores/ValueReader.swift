import CSQLite
import Foundation
import Glibc
import ObjectStore
import PropertyLists

/// Makes values of columns.
struct ValueReader: Sendable {
    let form: ValueForm
    let timeZone: TimeZone
    /// Where binary data kept outside lies; nil: nowhere.
    let externalDataFolder: String?

    /// Largest file outside the store that is read as a value, in bytes.
    static let externalLimit = 1 << 28

    func value(_ row: RowValues, _ index: Int32, _ column: KeyPathCompiler.Column) -> Value {
        if let derivation = column.derivation {
            return DerivedValue(timeZone: timeZone).value(derivation, row, index, column)
        }
        let stored = stored(row, index)
        switch column.shape {
        case .computed: return stored
        case .attribute(let attribute): return form == .stored ? stored : typed(stored, attribute)
        case .object(let entityName, _, _):
            guard case .integer(let key) = stored else { return .null }
            return .object(ObjectID(entityName: entityName, key: key))
        }
    }

    /// The value of a column, or what another column says that it is in its document.
    func value(_ row: RowValues, _ index: Int32, source: Int32?, _ column: KeyPathCompiler.Column) -> Value {
        guard column.sourceSQL != nil, let source, !row.isNull(source) else { return value(row, index, column) }
        let bytes = row.bytes(source)
        if form == .stored { return .string(String(decoding: bytes, as: UTF8.self)) }
        // As text it is cut off where the other is.
        if let longest = form.longestText, bytes.count > longest { return value(row, index, column) }
        return SourceValue.value(bytes)
    }

    /// The object whose key and entity number stand in two columns.
    func object(
        _ row: RowValues, _ index: Int32, number: Int32?, entityName: String, numbers: [Int64: String]
    ) -> Value {
        guard case .integer(let key) = stored(row, index) else { return .null }
        let concrete = number.flatMap { row.isNull($0) ? nil : numbers[row.integer($0)] }
        return .object(ObjectID(entityName: concrete ?? entityName, key: key))
    }

    private func excerpt(_ bytes: UnsafeRawBufferPointer, longest: Int) -> String {
        guard bytes.count > longest else { return String(decoding: bytes, as: UTF8.self) }
        // Not in the middle of a character.
        var end = longest
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self) + "…"
    }

    /// As SQLite holds it.
    func stored(_ row: RowValues, _ index: Int32) -> Value {
        switch row.type(index) {
        case SQLITE_INTEGER: .integer(row.integer(index))
        case SQLITE_FLOAT: .double(row.double(index))
        case SQLITE_TEXT: .string(form.longestText.map { excerpt(row.bytes(index), longest: $0) } ?? row.text(index))
        case SQLITE_BLOB: .data(Data(row.bytes(index)))
        default: .null
        }
    }

    /// As the attribute's type says; a value of another kind stays what it is.
    func typed(_ value: Value, _ attribute: AttributeMapping) -> Value {
        switch (attribute.type, value) {
        case (.boolean, .integer(0)): return .boolean(false)
        case (.boolean, .integer(1)): return .boolean(true)
        case (.date, _): return attribute.dates.seconds(value).map { .date($0) } ?? value
        case (.uuid, .data(let data)) where data.count == 16:
            let b = [UInt8](data)
            return .uuid(
                UUID(uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]))
            )
        case (_, .data(let data)) where attribute.externalStorage != .never:
            return external(data, attribute.externalStorage)
        default: return value
        }
    }

    /// Follows Core Data's tag: 1, the data; 2, the name of a file. A file that is missing, or no plain file, gives its name.
    private func external(_ data: Data, _ storage: AttributeMapping.ExternalStorage) -> Value {
        guard let tag = data.first else { return .data(data) }
        if tag == 2, data.count == 38, data.last == 0 {
            let text = String(decoding: data.dropFirst().dropLast(), as: UTF8.self)
            // Only a UUID is believed: a file name of any other kind could lead out of the folder.
            if let name = UUID(uuidString: text) {
                return externalFile(text, name).map { .data($0) } ?? .string(text)
            }
        }
        return storage == .tagged && tag == 1 ? .data(Data(data.dropFirst())) : .data(data)
    }

    private func externalFile(_ text: String, _ name: UUID) -> Data? {
        guard let externalDataFolder else { return nil }
        let descriptor = SystemPath.openForReading(externalDataFolder + "/" + text, O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= ValueReader.externalLimit
        else {
            return nil
        }
        var data = Data(count: Int(status.st_size))
        let count = data.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < buffer.count, let base = buffer.baseAddress {
                let part = pread(descriptor, base + done, buffer.count - done, off_t(done))
                if part <= 0 { break }
                done += part
            }
            return done
        }
        return count == data.count ? data : data.prefix(count)
    }
}

extension DateEncoding {
    /// Seconds since 2001-01-01 UTC; nil where the value is no date in this encoding, or an implausible one.
    func seconds(_ value: Value) -> Double? {
        let number: Double
        switch value {
        case .integer(let integer): number = Double(integer)
        case .double(let double): number = double
        case .string(let text): return self == .referenceSeconds ? nil : TextDate.seconds(text)
        default: return nil
        }
        let seconds: Double
        switch self {
        case .referenceSeconds: seconds = number
        case .unixSeconds: seconds = number - 978_307_200
        case .unixMilliseconds: seconds = number / 1000 - 978_307_200
        case .unixMicroseconds: seconds = number / 1_000_000 - 978_307_200
        case .julianDays: seconds = (number - 2_451_910.5) * 86_400
        case .text: return nil
        case .automatic:
            guard let encoding = ColumnTypes.encoding([value]), encoding != .automatic else { return nil }
            return encoding.seconds(value)
        }
        // Year 1 (`distantPast`) to 9999: what lies outside is no date that a calendar shows.
        return seconds.isFinite && seconds >= -63_114_076_800 && seconds < 252_423_993_600 ? seconds : nil
    }
}
