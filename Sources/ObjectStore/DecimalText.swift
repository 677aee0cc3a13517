/// Numbers as decimal digits, read as bytes: the one place that knows which of them 64 bits or a double hold.
package enum DecimalText {
    package typealias Bytes = UnsafeBufferPointer<UInt8>

    package enum Number: Sendable, Equatable {
        case integer(Int64)
        case double(Double)
        /// One that neither holds: an integer beyond 64 bits, more digits than a double has, or beyond all doubles. With the
        /// nearest double, which may be an infinity, or nothing for what is no number.
        case long(nearest: Double)
    }

    /// A number as JSON writes it; with `lenient` also one that begins with its decimal point. Nil for anything else, such as
    /// leading zeros or a plus sign.
    package static func number(_ text: Bytes, lenient: Bool = false) -> Number? {
        let count = text.count
        guard count > 0, count <= 4096 else { return nil }
        var position = 0
        let isNegative = text[0] == UInt8(ascii: "-")
        if isNegative { position = 1 }
        var mantissa: UInt64 = 0
        var digits = 0
        var fits = true
        func take(_ byte: UInt8) {
            let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, overflowOfSum) = product.addingReportingOverflow(UInt64(byte &- 0x30))
            if overflow || overflowOfSum { fits = false } else { mantissa = sum }
        }
        let start = position
        while position < count, text[position] &- 0x30 < 10 {
            take(text[position])
            position &+= 1
        }
        digits = position - start
        if digits == 0 {
            guard lenient, position < count, text[position] == UInt8(ascii: ".") else { return nil }
        }
        if digits > 1, text[start] == 0x30 { return nil }
        if position == count {
            if isNegative, fits, mantissa == 0 { return .double(-0.0) }
            if fits, mantissa < 1 << 63 || isNegative && mantissa == 1 << 63 {
                return .integer(Int64(truncatingIfNeeded: isNegative ? 0 &- mantissa : mantissa))
            }
            return .long(nearest: double(text, mantissa: fits ? mantissa : nil, exponent: 0, isNegative: isNegative))
        }
        var exponent = 0
        if text[position] == UInt8(ascii: ".") {
            position &+= 1
            let first = position
            while position < count, text[position] &- 0x30 < 10 {
                take(text[position])
                position &+= 1
            }
            guard position > first else { return nil }
            exponent = first - position
        }
        if position < count, text[position] | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            var isDown = false
            if position < count, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
                isDown = text[position] == UInt8(ascii: "-")
                position &+= 1
            }
            let first = position
            var written = 0
            while position < count, text[position] &- 0x30 < 10 {
                if written < 100_000 { written = written * 10 + Int(text[position] &- 0x30) }
                position &+= 1
            }
            guard position > first else { return nil }
            exponent += isDown ? -written : written
        }
        guard position == count else { return nil }
        let value = double(text, mantissa: fits ? mantissa : nil, exponent: exponent, isNegative: isNegative)
        // Below 10¹⁷ a double keeps all digits; so small that it is nothing, it does not.
        while mantissa >= mostExact, mantissa % 10 == 0 { mantissa /= 10 }
        let isExact = fits && mantissa < mostExact && value.isFinite && (value != 0 || mantissa == 0)
        return isExact ? .double(value) : .long(nearest: value)
    }

    private static let mostExact: UInt64 = 100_000_000_000_000_000

    /// Exact by one multiplication or division where both numbers are exact; else by the library's parser.
    private static func double(_ text: Bytes, mantissa: UInt64?, exponent: Int, isNegative: Bool) -> Double {
        if let mantissa, mantissa <= 1 << 53, abs(exponent) <= 22 {
            var power = 1.0
            for _ in 0..<abs(exponent) { power *= 10 }
            let value = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
            return isNegative ? -value : value
        }
        return Double(String(decoding: text, as: UTF8.self)) ?? (isNegative ? -.infinity : .infinity)
    }
}
