import PropertyLists

/// The text of an OpenStep property list, line by line, with comments.
struct OpenStepText {
    private(set) var text = ""
    private var depth = 0

    /// A comment of some lines; an empty line stands before it where asked for.
    mutating func comment(_ lines: [String], spaced: Bool = false) {
        guard !lines.isEmpty else { return }
        if spaced { text += "\n" }
        let safe = lines.map { line in
            String(String.UnicodeScalarView(line.unicodeScalars.map { OpenStepText.isHidden($0) ? " " : $0 }))
                .replacing("*/", with: "* /").replacing("/*", with: "/ *")
        }
        for (index, line) in safe.enumerated() {
            text += indent + (index == 0 ? "/* " : "   ") + line + (index == safe.count - 1 ? " */\n" : "\n")
        }
    }

    mutating func open(_ bracket: String, key: String? = nil) {
        text += indent + (key.map { "\(OpenStepText.string($0)) = " } ?? "") + bracket + "\n"
        depth += 1
    }

    mutating func close(_ bracket: String) {
        depth = max(0, depth - 1)
        text += indent + bracket + "\n"
    }

    /// A member of a dictionary; the value is text already.
    mutating func member(_ key: String, _ value: String) { text += "\(indent)\(OpenStepText.string(key)) = \(value);\n" }

    /// An element of an array; the value is text already.
    mutating func element(_ value: String) { text += "\(indent)\(value),\n" }

    private var indent: String { String(repeating: "\t", count: depth) }

    /// A string as the format has it: bare where it may be, else in quotes, with escapes for what an editor would not show.
    static func string(_ value: String) -> String {
        let isBare = !value.isEmpty && value.utf8.allSatisfy { isNameByte($0) }
        if isBare { return value }
        var quoted = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default:
                if isHidden(scalar) {
                    for unit in String(scalar).utf16 { quoted += "\\U" + JSONEscape.text(of: unit).dropFirst(2) }
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return quoted + "\""
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Controls, marks of direction and the like.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
        default: false
        }
    }
}
