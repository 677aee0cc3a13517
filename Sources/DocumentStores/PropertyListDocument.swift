import Foundation
import ObjectStore
import PropertyLists

/// Puts a property list's dictionaries into records, by the rules of JSON's objects.
final class PropertyListDocument {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    private let builder: DocumentBuilder

    init(builder: DocumentBuilder) { self.builder = builder }

    /// Reads a property list whose format is any of the three.
    func read(_ input: DocumentInput) throws(ReadingFault) {
        let limits = PropertyListLimits()
        guard input.size <= limits.fileBytes else {
            throw .document(PropertyListError(cause: .tooLarge(size: input.size, limit: limits.fileBytes)).problem)
        }
        let reading: PropertyListReading
        do throws(PropertyListError) {
            reading = try PropertyListReader.readWhatIsThere(bytes: try head(input), limits: limits)
        } catch {
            throw .document(error.problem)
        }
        warn(of: reading)
        builder.infersNumbers = reading.isOpenStep
        let list = reading.list
        switch list {
        case .array(let items):
            for item in items { try element(item) }
        case .dictionary(let entries):
            let shape = shape(of: list)
            if shape.isDictionary {
                builder.root.shape = shape.members
                return try dictionary(entries, of: builder.root, under: nil)
            }
            builder.rootIsObject = true
            let record = try builder.begin(builder.root)
            try members(entries, into: record)
            try builder.finish(record)
        default: try element(list)
        }
    }

    private func warn(of reading: PropertyListReading) {
        for repeated in reading.repeatedKeys {
            builder.warnings.add(
                .duplicateKey, line: repeated.line,
                "The key “\(repeated.key)” stands twice in a dictionary; the later value counts.")
        }
        guard let fault = reading.fault else { return }
        let lost = reading.lostValues
        let rest =
            fault.line != nil
            ? "reading ends here, and what was whole before is kept."
            : "all other values are kept" + (lost == 1 ? ", 1 is lost." : lost > 0 ? ", \(lost) are lost." : ".")
        builder.warnings.add(.end, line: fault.line, "\(fault.reason); \(rest)".capitalisedSentence)
    }

    private func head(_ input: DocumentInput) throws(PropertyListError) -> [UInt8] {
        do throws(ReadingFault) {
            return try input.head(input.size)
        } catch {
            throw PropertyListError(cause: .unreadable("it cannot be read to its end"))
        }
    }

    private func element(_ item: PropertyList) throws(ReadingFault) {
        let record = try builder.begin(builder.root)
        if case .dictionary(let entries) = item {
            try members(entries, into: record)
        } else {
            try value(item, into: record, field: builder.valueField(of: record))
        }
        try builder.finish(record)
    }

    private func members(_ entries: [PropertyList.Entry], into record: RecordBuilder) throws(ReadingFault) {
        for entry in entries { try value(entry.value, key: entry.key, into: record) }
    }

    private func value(_ item: PropertyList, key: String, into record: RecordBuilder) throws(ReadingFault) {
        var name = key
        guard let field = name.withUTF8({ builder.field($0, of: record, line: nil) }) else {
            name.withUTF8 { record.addRest(key: $0) }
            return PropertyListDocument.write(item, to: record.rest)
        }
        try value(item, into: record, field: field)
    }

    private func value(_ item: PropertyList, into record: RecordBuilder, field: Int) throws(ReadingFault) {
        switch item {
        case .string(let text): try string(text, into: record, field: field)
        case .integer(let number): try builder.set(.integer(number), text: Bytes(start: nil, count: 0), in: record, field: field)
        case .unsigned(let number), .uid(let number):
            if let number = Int64(exactly: number) {
                try builder.set(.integer(number), text: Bytes(start: nil, count: 0), in: record, field: field)
            } else {
                let digits = Array(String(number).utf8)
                try digits.withUnsafeBufferPointer { digits throws(ReadingFault) in
                    try builder.set(.long(nearest: Double(number)), text: digits, in: record, field: field)
                }
            }
        case .real(let number):
            var word = PropertyListDocument.text(number)
            try word.withUTF8Fault { word throws(ReadingFault) in
                try builder.set(number.isFinite ? .double(number) : .long(nearest: number), text: word, in: record, field: field)
            }
        case .boolean(let flag): try builder.set(flag, in: record, field: field)
        case .date(let date): try builder.set(date: date.timeIntervalSinceReferenceDate, in: record, field: field)
        case .data(let data):
            let bytes = [UInt8](data)
            try bytes.withUnsafeBufferPointer { bytes throws(ReadingFault) in
                try builder.set(data: bytes, in: record, field: field)
            }
        case .dictionary(let entries):
            if record.entity.fields[field].holdsDictionary(in: record.entity, { shape(of: item) }),
                let entity = try builder.nested(record, field: field, isToMany: true, line: nil)
            {
                return try dictionary(entries, of: entity, under: (record, field, true))
            }
            guard let entity = try builder.nested(record, field: field, isToMany: false, line: nil) else {
                return try string(PropertyListDocument.text(item), into: record, field: field)
            }
            let nested = try builder.begin(entity, under: (record, field, false))
            try members(entries, into: nested)
            try builder.finish(nested)
        case .array(let items): try array(items, into: record, field: field)
        }
    }

    /// What a value looks like, as far as it was looked at.
    private func shape(of item: PropertyList) -> RecordShape {
        let shape = RecordShape()
        var left = PropertyListDocument.mostSampled
        PropertyListDocument.look(at: item, shape, &left)
        return shape
    }

    /// So many values are looked at.
    private static let mostSampled = 1 << 14

    private static func look(at item: PropertyList, _ shape: RecordShape, _ left: inout Int) {
        left -= 1
        switch item {
        case .dictionary(let entries):
            shape.addObject()
            for entry in entries {
                guard left > 0 else {
                    shape.isPartial = true
                    break
                }
                look(at: entry.value, shape.child(entry.key), &left)
            }
        case .array(let items):
            shape.addOther()
            for case .dictionary(let entries) in items where left > 0 {
                look(at: .dictionary(entries), shape.element(), &left)
            }
        default: shape.addOther()
        }
    }

    /// Puts a dictionary's members into records.
    private func dictionary(
        _ entries: [PropertyList.Entry], of entity: EntityBuilder, under: (record: RecordBuilder, field: Int, isToMany: Bool)?
    ) throws(ReadingFault) {
        for entry in entries {
            let record = try builder.begin(entity, under: under)
            var key = entry.key
            // Of keys that stand twice the reader has left one.
            try key.withUTF8Fault { key throws(ReadingFault) in
                try builder.set(memberKey: key, isRepeated: false, in: record, line: nil)
            }
            if case .dictionary(let entries) = entry.value, !entity.holdsDictionaries {
                try members(entries, into: record)
            } else {
                try value(entry.value, into: record, field: builder.valueField(of: record))
            }
            try builder.finish(record)
        }
    }

    private func string(_ text: String, into record: RecordBuilder, field: Int) throws(ReadingFault) {
        var text = text
        try text.withUTF8Fault { bytes throws(ReadingFault) in
            try builder.set(text: bytes, in: record, field: field, line: nil)
        }
    }

    private func array(_ items: [PropertyList], into record: RecordBuilder, field: Int) throws(ReadingFault) {
        var list: PlainList?
        var hasRecords = false
        for item in items {
            if case .dictionary(let entries) = item,
                let entity = try builder.nested(record, field: field, isToMany: true, line: nil)
            {
                hasRecords = true
                let nested = try builder.begin(entity, under: (record, field, true))
                try members(entries, into: nested)
                try builder.finish(nested)
            } else {
                let target = list ?? PlainList()
                list = target
                try PropertyListDocument.add(item, to: target)
            }
        }
        if hasRecords, list == nil { return }
        try (list ?? PlainList()).set(in: record, field: field, line: nil, builder)
    }

    private static func add(_ item: PropertyList, to list: PlainList) throws(ReadingFault) {
        switch item {
        case .string, .date, .data:
            var text = text(item)
            text.withUTF8 { list.add(text: $0) }
        default: try list.add { source in write(item, to: source) }
        }
    }

    /// A value as JSON; what JSON has no words for is text.
    private static func write(_ item: PropertyList, to target: ByteArena) {
        switch item {
        case .integer, .unsigned, .uid, .boolean: target.append(text(item))
        case .real(let number) where number.isFinite: target.append(text(item))
        case .real, .string, .date, .data: quote(text(item), to: target)
        case .array(let items):
            target.append(UInt8(ascii: "["))
            for (place, item) in items.enumerated() {
                if place > 0 { target.append(UInt8(ascii: ",")) }
                write(item, to: target)
            }
            target.append(UInt8(ascii: "]"))
        case .dictionary(let entries):
            target.append(UInt8(ascii: "{"))
            for (place, entry) in entries.enumerated() {
                if place > 0 { target.append(UInt8(ascii: ",")) }
                quote(entry.key, to: target)
                target.append(UInt8(ascii: ":"))
                write(entry.value, to: target)
            }
            target.append(UInt8(ascii: "}"))
        }
    }

    private static func quote(_ text: String, to target: ByteArena) {
        var text = text
        text.withUTF8 { PlainList.quote($0, to: target) }
    }

    private static func text(_ number: Double) -> String {
        number.isNaN ? "NaN" : number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : String(number)
    }

    /// A value in a list of plain ones.
    private static func text(_ item: PropertyList) -> String {
        switch item {
        case .string(let text): text
        case .integer(let number): String(number)
        case .unsigned(let number), .uid(let number): String(number)
        case .real(let number): text(number)
        case .boolean(let flag): flag ? "true" : "false"
        case .date(let date): date.formatted(.iso8601)
        case .data(let data): "\(data.count) bytes"
        case .array(let items): "[" + items.map(text).joined(separator: ", ") + "]"
        case .dictionary(let entries): "{" + entries.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ") + "}"
        }
    }
}

extension String {
    /// As `withUTF8`, for a body that throws.
    fileprivate mutating func withUTF8Fault(
        _ body: (UnsafeBufferPointer<UInt8>) throws(ReadingFault) -> Void
    ) throws(ReadingFault) {
        let fault = withUTF8 { bytes -> ReadingFault? in
            do throws(ReadingFault) {
                try body(bytes)
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
    }
}
