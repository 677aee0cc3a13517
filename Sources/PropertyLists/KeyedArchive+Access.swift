/// Values as what the reader of a known class expects; nil for anything else.
extension KeyedArchive {
    /// A string, plain or archived as an object.
    package func text(_ value: Value) -> String? {
        if case .string(let text) = plain(value) { text } else { nil }
    }

    /// A whole number; also one that was written as text, and a flag as 0 or 1.
    package func number(_ value: Value) -> Int? {
        switch plain(value) {
        case .integer(let number): Int(exactly: number)
        case .boolean(let flag): flag ? 1 : 0
        case .real(let number): Int(exactly: number)
        case .string(let text): text.utf8.count <= 32 ? Int(text) : nil
        default: nil
        }
    }

    /// A flag; also a number that is not 0, and `YES`, `true`, `NO`, `false` as text.
    package func flag(_ value: Value) -> Bool? {
        switch plain(value) {
        case .boolean(let flag): return flag
        case .integer(let number): return number != 0
        case .string(let text):
            switch text.lowercased() {
            case "yes", "true", "1": return true
            case "no", "false", "0": return false
            default: return nil
            }
        default: return nil
        }
    }

    /// The elements of an array or set.
    package func items(_ value: Value) -> Elements? {
        switch value {
        case .list(let items): return items
        case .object(let object):
            switch contents(of: object) {
            case .array(let items), .set(let items): return items
            default: return nil
            }
        default: return nil
        }
    }

    /// The keys and the values of a dictionary, in step.
    package func dictionary(_ value: Value) -> (keys: Elements, values: Elements)? {
        guard case .object(let object) = value, case .dictionary(let keys, let values) = contents(of: object) else { return nil }
        return (keys, values)
    }

    /// The values of a dictionary; none for anything else.
    package func values(of value: Value) -> Elements { dictionary(value)?.values ?? noElements }

    private func plain(_ value: Value) -> Value {
        guard case .object(let object) = value, case .value(let inner) = contents(of: object) else { return value }
        return inner
    }
}
