/// Writes archives as `NSKeyedArchiver` does, of classes that only exist on another system.
package struct KeyedArchiveWriter {
    package enum Field {
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        case string(String)
        case data([UInt8])
        /// A reference to the object with this UID.
        case object(Int)
        /// A list of references, as arrays have it.
        case objects([Int])
    }

    private enum Entry {
        case plain(BinaryPropertyListWriter.Object)
        case fields([(String, Field)])
        case description(name: String, ancestors: [String])
    }

    private var entries: [Entry] = [.plain(.string("$null"))]
    private var classes: [String: Int] = [:]
    private var texts: [String: Int] = [:]
    /// What is archived under which key.
    package var top: [(String, Int)] = []

    package init() {}

    /// A UID whose object is given later by `define`, for cycles.
    package mutating func reserve() -> Int { append(.plain(.string("$null"))) }

    /// A string object; one for equal texts.
    package mutating func string(_ text: String) -> Int {
        if let uid = texts[text] { return uid }
        let uid = append(.plain(.string(text)))
        texts[text] = uid
        return uid
    }

    /// Any object of the property list itself: a number, data, …
    package mutating func plain(_ object: BinaryPropertyListWriter.Object) -> Int { append(.plain(object)) }

    /// An instance; `ancestors` are its class's super-classes, nearest first.
    package mutating func object(_ className: String, ancestors: [String] = ["NSObject"], _ fields: [(String, Field)]) -> Int {
        let uid = reserve()
        define(uid, className, ancestors: ancestors, fields)
        return uid
    }

    /// Makes an instance of what was reserved.
    package mutating func define(_ uid: Int, _ className: String, ancestors: [String] = ["NSObject"], _ fields: [(String, Field)])
    {
        let description: Int
        if let known = classes[className] {
            description = known
        } else {
            description = append(.description(name: className, ancestors: ancestors))
            classes[className] = description
        }
        entries[uid] = .fields(fields + [("$class", .object(description))])
    }

    package mutating func array(_ items: [Int], className: String = "NSArray") -> Int {
        object(className, [("NS.objects", .objects(items))])
    }

    package mutating func dictionary(_ entries: [(String, Int)], className: String = "NSMutableDictionary") -> Int {
        let keys = entries.map { string($0.0) }
        return object(className, [("NS.keys", .objects(keys)), ("NS.objects", .objects(entries.map(\.1)))])
    }

    private mutating func append(_ entry: Entry) -> Int {
        entries.append(entry)
        return entries.count - 1
    }

    /// The archive as a binary property list.
    package func bytes(referenceSize: Int = 2) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        writer.referenceSize = referenceSize
        var names: [String: Int] = [:]
        func name(_ text: String) -> Int {
            if let number = names[text] { return number }
            let number = writer.add(.string(text))
            names[text] = number
            return number
        }
        let numbers = entries.map { entry in
            switch entry {
            case .plain(let object): return writer.add(object)
            case .fields(let fields):
                let written = fields.map { (key: name($0.0), value: value($0.1, in: &writer)) }
                return writer.add(.dictionary(written))
            case .description(let className, let ancestors):
                let chain = writer.add(.array(([className] + ancestors).map { name($0) }))
                return writer.add(.dictionary([(name("$classname"), name(className)), (name("$classes"), chain)]))
            }
        }
        let objects = writer.add(.array(numbers))
        let topFields = top.map { (key: name($0.0), value: writer.add(.uid(UInt64($0.1)))) }
        let topDictionary = writer.add(.dictionary(topFields))
        let version = writer.add(.integer(100_000))
        writer.top = writer.add(
            .dictionary([
                (name("$version"), version), (name("$archiver"), name("NSKeyedArchiver")), (name("$top"), topDictionary),
                (name("$objects"), objects),
            ]))
        return writer.bytes()
    }

    private func value(_ field: Field, in writer: inout BinaryPropertyListWriter) -> Int {
        switch field {
        case .boolean(let flag): return writer.add(.boolean(flag))
        case .integer(let number): return writer.add(.integer(number))
        case .real(let number): return writer.add(.real(number))
        case .string(let text): return writer.add(.string(text))
        case .data(let data): return writer.add(.data(data))
        case .object(let uid): return writer.add(.uid(UInt64(uid)))
        case .objects(let uids):
            let references = uids.map { writer.add(.uid(UInt64($0))) }
            return writer.add(.array(references))
        }
    }
}
