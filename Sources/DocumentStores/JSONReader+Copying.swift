import ObjectStore

/// Values that are kept as the document's own text.
extension JSONReader {
    /// Keeps a value as JSON text.
    func text(into record: RecordBuilder, field: Int) throws(ReadingFault) {
        let line = scanner.line
        let target = ByteArena(limit: DocumentDatabase.valueLimit)
        try copy(to: target)
        try builder.set(text: target.bytes, in: record, field: field, line: line)
    }

    /// Copies the value that stands here, without spaces.
    func copy(to target: ByteArena) throws(ReadingFault) {
        switch try scanner.peek() {
        case UInt8(ascii: "\""): PlainList.quote(try scanner.string(), to: target)
        case UInt8(ascii: "{"):
            target.append(UInt8(ascii: "{"))
            var isFirst = true
            try members { key throws(ReadingFault) in
                if !isFirst { target.append(UInt8(ascii: ",")) }
                isFirst = false
                PlainList.quote(key, to: target)
                target.append(UInt8(ascii: ":"))
                return .field(0)
            } value: { _ throws(ReadingFault) in
                try copy(to: target)
            }
            target.append(UInt8(ascii: "}"))
        case UInt8(ascii: "["):
            target.append(UInt8(ascii: "["))
            var isFirst = true
            try array { () throws(ReadingFault) in
                if !isFirst { target.append(UInt8(ascii: ",")) }
                isFirst = false
                try copy(to: target)
            }
            target.append(UInt8(ascii: "]"))
        default:
            let place = scanner.fault("a value is expected")
            let word = try scanner.word()
            let isNumber = DecimalText.number(word) != nil
            guard
                isNumber
                    || ["true", "false", "null", "NaN", "Infinity", "-Infinity"].contains(String(decoding: word, as: UTF8.self))
            else { throw JSONReader.notAValue(word, place, scanner) }
            // JSON has no word for these.
            if isNumber || word.first.map({ $0 >= UInt8(ascii: "a") }) ?? false {
                target.append(word)
            } else {
                PlainList.quote(word, to: target)
            }
        }
    }
}
