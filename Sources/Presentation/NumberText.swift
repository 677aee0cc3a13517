/// Numbers as plain text: no grouping, a point as decimal sign whatever the locale, as `NSNumber`'s own description has it in CDL.
package enum NumberText {
    /// The shortest digits that read back as the same number.
    ///
    /// Whole numbers have no `.0`; there is no exponent from 0.000001 up to below 10²¹. `NaN`, `Infinity` and `-Infinity` are
    /// spelled so. The limits and the words are those of ECMAScript's number to string.
    package static func text(_ number: Double) -> String {
        guard number.isFinite else { return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity" }
        // The description is shortest already: `d.d`, or `d[.d]e±x`.
        let description = number.description
        guard let mark = description.firstIndex(of: "e") else {
            return description.hasSuffix(".0") ? String(description.dropLast(2)) : description
        }
        guard let exponent = Int(description[description.index(after: mark)...]) else { return description }
        var mantissa = description[..<mark]
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        mantissa = mantissa.drop { $0 == "-" }
        if mantissa.hasSuffix(".0") { mantissa = mantissa.dropLast(2) }
        guard (-6..<21).contains(exponent) else { return "\(sign)\(mantissa)e\(exponent < 0 ? "" : "+")\(exponent)" }
        let digits = mantissa.filter { $0 != "." }
        if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
        if digits.count <= exponent + 1 { return sign + digits + String(repeating: "0", count: exponent + 1 - digits.count) }
        return sign + digits.prefix(exponent + 1) + "." + digits.dropFirst(exponent + 1)
    }
}
