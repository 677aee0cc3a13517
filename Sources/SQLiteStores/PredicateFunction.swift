import CSQLite
import Foundation
import Glibc
import ObjectStore

/// A function of SQL that conditions of predicates call. It answers the same for the same values, whatever the connection.
///
/// `SQLITE_DIRECTONLY` keeps views of the file from calling them.
final class PredicateFunction {
    /// The functions by their SQL names.
    enum Name: String, CaseIterable {
        case fold = "tlbrowse_fold"
        case begins = "tlbrowse_begins"
        case ends = "tlbrowse_ends"
        case contains = "tlbrowse_contains"
        case like = "tlbrowse_like"
        case matches = "tlbrowse_matches"
        case date = "tlbrowse_date"
        case derived = "tlbrowse_derived"
        case number = "tlbrowse_number"

        var argumentCount: Int32 {
            switch self {
            case .number: 1
            case .fold, .date: 2
            case .begins, .ends, .contains, .like, .matches, .derived: 3
            }
        }
    }

    private let name: Name
    fileprivate let folding = PredicateFolding()
    fileprivate let derivedValue: DerivedValue

    private init(_ name: Name, timeZone: TimeZone) {
        self.name = name
        derivedValue = DerivedValue(timeZone: timeZone)
    }

    // MARK: Codes

    fileprivate static let encodings: [DateEncoding] = [
        .referenceSeconds, .unixSeconds, .unixMilliseconds, .unixMicroseconds, .julianDays, .text, .automatic,
    ]

    /// How a column writes dates, as a number; -1 for one that holds none.
    static func code(_ column: KeyPathCompiler.Column) -> Int {
        guard case .attribute(let attribute) = column.shape, attribute.type == .date else { return -1 }
        return encodings.firstIndex(of: attribute.dates) ?? -1
    }

    static func code(_ derivation: ObjectKeyPath.Derivation) -> Int {
        ObjectKeyPath.Derivation.allCases.firstIndex(of: derivation) ?? -1
    }

    // MARK: Registration

    static func register(on connection: Connection, timeZone: TimeZone) throws(StoreError) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        for name in Name.allCases {
            // SQLite holds the object, and lets go of it with the connection, or when it refuses the function.
            let context = Unmanaged.passRetained(PredicateFunction(name, timeZone: timeZone)).toOpaque()
            let code = sqlite3_create_function_v2(
                connection.handle, name.rawValue, name.argumentCount, flags, context,
                { context, count, values in
                    guard let context, let object = sqlite3_user_data(context) else { return }
                    let function = Unmanaged<PredicateFunction>.fromOpaque(object).takeUnretainedValue()
                    function.perform(Call(context: context, values: UnsafeBufferPointer(start: values, count: Int(count))))
                }, nil, nil,
                { context in
                    guard let context else { return }
                    Unmanaged<PredicateFunction>.fromOpaque(context).release()
                })
            guard code == SQLITE_OK else { throw connection.error(code) }
        }
    }

    private func perform(_ call: Call) {
        switch name {
        case .fold: foldText(call)
        case .begins: find(call) { $0.count >= $1.count && Self.isSame($0, $1, at: 0) }
        case .ends: find(call) { $0.count >= $1.count && Self.isSame($0, $1, at: $0.count - $1.count) }
        case .contains: find(call, Self.holds)
        case .like: matchWildcards(call)
        case .matches: matchExpression(call)
        case .date: seconds(call)
        case .derived: derive(call)
        case .number: findNumber(call)
        }
    }

    fileprivate struct Call {
        let context: OpaquePointer
        let values: UnsafeBufferPointer<OpaquePointer?>

        func isNull(_ index: Int) -> Bool { sqlite3_value_type(values[index]) == SQLITE_NULL }
        func integer(_ index: Int) -> Int { Int(truncatingIfNeeded: sqlite3_value_int64(values[index])) }

        /// UTF-8 of a text, or of a number's text; nil for NULL and bytes. Valid during the call.
        func text(_ index: Int) -> UnsafeRawBufferPointer? {
            let type = sqlite3_value_type(values[index])
            guard type != SQLITE_NULL, type != SQLITE_BLOB, let start = sqlite3_value_text(values[index]) else { return nil }
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[index])))
        }

        /// As stored.
        func value(_ index: Int) -> Value {
            switch sqlite3_value_type(values[index]) {
            case SQLITE_INTEGER: return .integer(sqlite3_value_int64(values[index]))
            case SQLITE_FLOAT: return .double(sqlite3_value_double(values[index]))
            case SQLITE_TEXT: return text(index).map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
            default: return .null
            }
        }

        func answer(_ flag: Bool) { sqlite3_result_int(context, flag ? 1 : 0) }
        func answer(_ text: UnsafeRawBufferPointer) {
            // No address means NULL to SQLite, which an empty text is not.
            guard let start = text.baseAddress, !text.isEmpty else {
                sqlite3_result_text(context, "", 0, csqlite_transient())
                return
            }
            sqlite3_result_text(
                context, start.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: text.count), csqlite_transient())
        }
    }
}

// MARK: The functions

extension PredicateFunction {
    /// `fold(text, rule)`; NULL for what is no text.
    fileprivate func foldText(_ call: Call) {
        guard let text = call.text(0) else { return }
        folding.folded(text, PredicateFolding.Rule(rawValue: call.integer(1))) { call.answer($0) }
    }

    /// `begins(text, pattern, rule)` and its kin: the text is folded, the pattern is already; bytes are compared.
    fileprivate func find(_ call: Call, _ isFound: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool) {
        // A number's text is made in place: both pointers are asked for before either is used, and they are different values.
        guard let text = call.text(0), let pattern = call.text(1) else { return }
        call.answer(folding.folded(text, PredicateFolding.Rule(rawValue: call.integer(2))) { isFound($0, pattern) })
    }

    private static func isSame(_ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer, at place: Int) -> Bool {
        guard let start = text.baseAddress, let wanted = part.baseAddress, !part.isEmpty else { return true }
        return memcmp(start + place, wanted, part.count) == 0
    }

    fileprivate static func holds(_ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer) -> Bool {
        guard let wanted = pattern.baseAddress, !pattern.isEmpty else { return true }
        guard var place = text.baseAddress, text.count >= pattern.count else { return false }
        let end = place + (text.count - pattern.count + 1)
        while place < end, let found = memchr(place, Int32(pattern[0]), end - place) {
            if memcmp(found, wanted, pattern.count) == 0 { return true }
            place = UnsafeRawPointer(found) + 1
        }
        return false
    }

    /// `like(text, pattern, rule)`: the text is folded, the pattern is already; the pattern, taken apart, stays with the statement.
    fileprivate func matchWildcards(_ call: Call) {
        guard let text = call.text(0), let source = call.text(1) else { return }
        let pattern: WildcardPattern
        if let known = sqlite3_get_auxdata(call.context, 1) {
            // SQLite holds it until it calls the destructor below.
            pattern = Unmanaged<WildcardPattern>.fromOpaque(known).takeUnretainedValue()
        } else {
            pattern = WildcardPattern(String(decoding: source, as: UTF8.self))
            sqlite3_set_auxdata(call.context, 1, Unmanaged.passRetained(pattern).toOpaque()) { pattern in
                guard let pattern else { return }
                Unmanaged<WildcardPattern>.fromOpaque(pattern).release()
            }
        }
        call.answer(folding.folded(text, PredicateFolding.Rule(rawValue: call.integer(2))) { pattern.matches($0) })
    }

    /// `matches(text, pattern, ignoresCase)`; the compiled pattern stays with the statement.
    fileprivate func matchExpression(_ call: Call) {
        guard let text = call.text(0), let pattern = call.text(1) else { return }
        let compiled: WholeTextPattern
        if let known = sqlite3_get_auxdata(call.context, 1) {
            // SQLite holds it until it calls the destructor below.
            compiled = Unmanaged<WholeTextPattern>.fromOpaque(known).takeUnretainedValue()
        } else {
            let source = String(decoding: pattern, as: UTF8.self)
            guard let made = WholeTextPattern(source, ignoresCase: call.integer(2) != 0) else {
                sqlite3_result_error(call.context, "MATCHES: not a regular expression", -1)
                return
            }
            compiled = made
            sqlite3_set_auxdata(call.context, 1, Unmanaged.passRetained(made).toOpaque()) { pattern in
                guard let pattern else { return }
                Unmanaged<WholeTextPattern>.fromOpaque(pattern).release()
            }
        }
        switch compiled.match(text) {
        case .match: call.answer(true)
        case .noMatch: call.answer(false)
        case .tooLong: sqlite3_result_error(call.context, "MATCHES: the regular expression takes too long on a text", -1)
        }
    }

    /// `date(value, encoding)`: seconds since 2001, NULL for what is no date.
    fileprivate func seconds(_ call: Call) {
        let code = call.integer(1)
        guard Self.encodings.indices.contains(code), let seconds = Self.encodings[code].seconds(call.value(0)) else { return }
        sqlite3_result_double(call.context, seconds)
    }

    /// `number(value)`: a number as it is, a text that is nothing but one as that; else NULL.
    fileprivate func findNumber(_ call: Call) {
        switch call.value(0) {
        case .integer(let number): sqlite3_result_int64(call.context, number)
        case .double(let number): sqlite3_result_double(call.context, number)
        case .string(let text):
            if let number = Int64(text) {
                sqlite3_result_int64(call.context, number)
            } else if let number = Double(text), !number.isNaN {
                sqlite3_result_double(call.context, number)
            }
        default: break
        }
    }

    /// `derived(value, derivation, encoding)`: what `DerivedValue` makes of it.
    fileprivate func derive(_ call: Call) {
        let derivations = ObjectKeyPath.Derivation.allCases
        let code = call.integer(1)
        guard derivations.indices.contains(code) else { return }
        let text = call.text(0).map { String(decoding: $0, as: UTF8.self) } ?? ""
        switch derivations[code] {
        case .firstLetter: answer(call, .string(DerivedValue.firstLetter(text)))
        case .nameFirstLetter: answer(call, .string(DerivedValue.nameFirstLetter(text)))
        case .year, .month, .day:
            let encoding = call.integer(2)
            var seconds: Double?
            // Text is read as ISO 8601 whatever the column is, as in sections.
            if sqlite3_value_type(call.values[0]) == SQLITE_TEXT {
                seconds = TextDate.seconds(text)
            } else if Self.encodings.indices.contains(encoding) {
                seconds = Self.encodings[encoding].seconds(call.value(0))
            }
            if let seconds { answer(call, derivedValue.component(derivations[code], seconds)) }
        }
    }

    private func answer(_ call: Call, _ value: Value) {
        switch value {
        case .string(var text): text.withUTF8 { call.answer(UnsafeRawBufferPointer($0)) }
        case .integer(let number): sqlite3_result_int64(call.context, number)
        default: break
        }
    }
}
