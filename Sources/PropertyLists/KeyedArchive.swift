package import Foundation

/// An archive of `NSKeyedArchiver`, read one object at a time.
///
/// Objects refer to each other by UID, their place in `$objects`; a reference is followed when it is asked for, so cycles cost
/// nothing. What is damaged is a value of its own (`unreadable`), so that the rest can still be read.
package struct KeyedArchive: Sendable {
    /// An instance of a class: its place in `$objects`.
    package struct Object: Hashable, Sendable {
        package let uid: Int
    }

    package enum Value: Sendable {
        case null
        case boolean(Bool)
        case integer(Int64)
        /// An integer above `Int64.max`.
        case unsigned(UInt64)
        case real(Double)
        /// Seconds since 2001-01-01 00:00:00 UTC.
        case date(Double)
        /// The bytes' place in the file.
        case data(Range<Int>)
        case string(String)
        case object(Object)
        /// A plain array of the property list, not an `NSArray` that was archived.
        case list(Elements)
        /// A plain dictionary of the property list.
        case record(Fields)
        /// Why there is no value.
        case unreadable(String)
    }

    /// Values in a row, each read when it is asked for.
    package struct Elements: RandomAccessCollection, Sendable {
        fileprivate let archive: KeyedArchive
        fileprivate let row: BinaryPropertyList.References?
        /// Where the row is not one in the file: the references one by one.
        fileprivate let list: [BinaryPropertyList.Reference]

        package var startIndex: Int { 0 }
        package var endIndex: Int { row?.count ?? list.count }

        /// O(1), but for strings, which are copied. `position` must be one of the indices.
        package subscript(position: Int) -> Value { archive.value(of: row?[position] ?? list[position]) }
    }

    /// The fields of an object or plain dictionary, in the order of the file.
    package struct Fields: Sendable {
        package let names: [String]
        package let values: Elements

        /// The field's value; `null` where there is none. O(fields).
        package subscript(name: String) -> Value {
            guard let index = names.firstIndex(of: name), index < values.count else { return .null }
            return values[index]
        }

        package func contains(_ name: String) -> Bool { names.contains(name) }
    }

    /// The file.
    package let list: BinaryPropertyList
    private let objects: BinaryPropertyList.References
    /// Nil only where a damaged file lost them.
    private let topFields: (keys: BinaryPropertyList.References, values: BinaryPropertyList.References)?

    /// Throws when `list` is not a keyed archive. O(keys of the top dictionary).
    package init(_ list: BinaryPropertyList) throws(PropertyListError) {
        let notAnArchive = PropertyListError.malformed("not a keyed archive")
        guard case .dictionary(let keys, let values) = try list.node(list.top), keys.count <= 64 else { throw notAnArchive }
        var objects: BinaryPropertyList.References?
        var topFields: (BinaryPropertyList.References, BinaryPropertyList.References)?
        for (key, value) in zip(keys, values) {
            switch list.string(key, limit: 16) {
            case "$objects": if case .array(let references)? = try? list.node(value) { objects = references }
            case "$top": if case .dictionary(let keys, let values)? = try? list.node(value) { topFields = (keys, values) }
            default: break
            }
        }
        guard let objects, topFields != nil || list.brokenAt != nil else { throw notAnArchive }
        self.list = list
        self.objects = objects
        self.topFields = topFields
    }

    /// Over a file's bytes.
    package init(bytes: [UInt8]) throws(PropertyListError) { try self.init(BinaryPropertyList(bytes: bytes)) }

    /// What was archived, by key; the key of a single object is `root`.
    package var top: Fields {
        guard let topFields else { return Fields(names: [], values: noElements) }
        return fields(keys: topFields.keys, values: topFields.values)
    }

    /// What was archived: `root`, else the first there is. Where a damaged file does not say, the first object after nil, which
    /// is the one that the archiver was given first.
    package var root: Value {
        guard topFields != nil else { return value(ofUID: 1) }
        let top = top
        return top.contains("root") ? top["root"] : top.values.first ?? .null
    }

    /// How many objects the archive holds.
    package var objectCount: Int { objects.count }

    /// The fields of an object, `$class` among them. O(fields).
    package func fields(of object: Object) -> Fields {
        guard object.uid >= 0, object.uid < objects.count,
            case .dictionary(let keys, let values)? = try? list.node(objects[object.uid])
        else { return Fields(names: [], values: noElements) }
        return fields(keys: keys, values: values)
    }

    private func fields(keys: BinaryPropertyList.References, values: BinaryPropertyList.References) -> Fields {
        // A dictionary's keys differ, so all together they are not longer than the file, unless it was made to exhaust us.
        var room = list.bytes.count
        let names = keys.map { key in
            guard let name = list.string(key, limit: min(room, 4096)) else { return "?" }
            room -= min(room, name.utf8.count)
            return name
        }
        return Fields(names: names, values: Elements(archive: self, row: values, list: []))
    }

    /// The name of an object's class; nil where the archive does not say.
    package func className(of object: Object) -> String? { classFields(of: object).flatMap { plainText($0["$classname"]) } }

    /// The object's class and its ancestors, nearest first.
    package func classNames(of object: Object) -> [String] {
        guard let fields = classFields(of: object) else { return [] }
        if case .list(let names) = fields["$classes"], names.count <= 256 { return names.compactMap(plainText) }
        return plainText(fields["$classname"]).map { [$0] } ?? []
    }

    private func classFields(of object: Object) -> Fields? {
        // A class has no `$class`, so it comes as a plain dictionary.
        guard case .record(let fields) = fields(of: object)["$class"] else { return nil }
        return fields
    }

    /// A string that is no object: an object's class is asked for to tell what it is.
    private func plainText(_ value: Value) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// The value that a reference of the property list stands for, UIDs followed.
    fileprivate func value(of reference: BinaryPropertyList.Reference) -> Value {
        do {
            guard case .uid(let number) = try list.node(reference) else {
                return try plainValue(of: reference, uid: nil)
            }
            return value(ofUID: number)
        } catch {
            return .unreadable(error.reason)
        }
    }

    private func value(ofUID number: UInt64) -> Value {
        guard let uid = Int(exactly: number), uid < objects.count else {
            return .unreadable("refers to object \(number), which is not in the archive")
        }
        do {
            return try plainValue(of: objects[uid], uid: uid)
        } catch {
            return .unreadable(error.reason)
        }
    }

    private func plainValue(of reference: BinaryPropertyList.Reference, uid: Int?) throws(PropertyListError) -> Value {
        switch try list.node(reference) {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .unsigned(let number): return .unsigned(number)
        case .real(let number): return .real(number)
        case .date(let seconds): return .date(seconds)
        case .data(let range): return .data(range)
        // The archiver's nil is this string, at the first place.
        case .string(let text): return uid == 0 && text == "$null" ? .null : .string(text)
        case .uid(let number): return .unreadable("a reference to a reference (\(number))")
        case .array(let items), .set(let items): return .list(Elements(archive: self, row: items, list: []))
        case .dictionary(let keys, let values):
            if let uid, keys.contains(where: { isClassKey($0) }) { return .object(Object(uid: uid)) }
            return .record(fields(keys: keys, values: values))
        }
    }

    private func isClassKey(_ key: BinaryPropertyList.Reference) -> Bool {
        list.string(key, limit: 16) == "$class"
    }

    /// Bytes of a value of `data`, copied.
    package func data(_ range: Range<Int>) -> Data { Data(list.bytes[range.clamped(to: 0..<list.bytes.count)]) }

    var noElements: Elements { Elements(archive: self, row: nil, list: []) }

    /// Elements whose references lie apart.
    func elements(_ fields: Fields, at positions: [Int]) -> Elements {
        guard let row = fields.values.row else { return noElements }
        return Elements(archive: self, row: nil, list: positions.filter { $0 < row.count }.map { row[$0] })
    }
}
