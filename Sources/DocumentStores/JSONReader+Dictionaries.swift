import ObjectStore

/// Objects whose members are records, all of one kind: `{"abc": {…}, "def": {…}, …}`.
extension JSONReader {
    /// What the value that stands here looks like; nothing any more once much of the document was looked at.
    func sample() -> RecordShape {
        guard sampled < ShapeSampler.mostInAll else { return RecordShape() }
        let (shape, size) = ShapeSampler(input, at: scanner.offset).sample()
        sampled += size
        return shape
    }

    /// Whether the objects under a field are dictionaries of records, by the first of them that has members.
    func isDictionary(_ record: RecordBuilder, _ field: Int) -> Bool {
        record.entity.fields[field].holdsDictionary(in: record.entity) {
            // One without members decides nothing, and need not be looked at in the file.
            scanner.isAtEmptyObject ? RecordShape() : sample()
        }
    }

    /// Reads an object whose members become records.
    func dictionary(of entity: EntityBuilder, under: (record: RecordBuilder, field: Int, isToMany: Bool)?) throws(ReadingFault) {
        var keys = MemberKeys()
        var record: RecordBuilder?
        // What fails in such a dictionary, itself the document or just inside it, fails member by member.
        let isOutermost = under.map { $0.record === rootRecord } ?? true
        try members { key throws(ReadingFault) in
            if isOutermost { builder.mark(&mark) }
            let begun = try builder.begin(entity, under: under)
            record = begun
            try builder.set(memberKey: key, isRepeated: !keys.insert(key), in: begun, line: scanner.line)
            return .field(0)
        } value: { _ throws(ReadingFault) in
            guard let record else { return }
            if try scanner.peek() == UInt8(ascii: "{"), !entity.holdsDictionaries {
                try object(into: record)
            } else {
                try value(into: record, field: builder.valueField(of: record))
            }
            try builder.finish(record)
            if isOutermost { builder.mark(&mark) }
        }
    }
}
