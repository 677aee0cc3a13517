/// Why a property list cannot be read.
package struct PropertyListError: Error, Sendable, Equatable {
    package enum Cause: Sendable, Equatable {
        case missing
        /// The system's reason.
        case unreadable(String)
        /// What the path names instead of a file: “a folder”, “a pipe”, …
        case notAFile(String)
        case empty
        /// Sizes in bytes.
        case tooLarge(size: Int, limit: Int)
        /// More levels of nesting than `limit`; 1-based line for the text formats.
        case tooDeep(limit: Int, line: Int?)
        /// Small in the file, but with shared or very many objects larger than `limit` bytes when it is spread out.
        case expandsTooFar(limit: Int)
        /// The parser's reason, and the 1-based line for the text formats.
        case notAPropertyList(reason: String, line: Int?)
    }

    /// The file, as the caller named it; nil when bytes were read.
    package var file: String?
    package let cause: Cause

    package init(file: String? = nil, cause: Cause) {
        self.file = file
        self.cause = cause
    }

    /// What a reason quotes of the file is made fit for one line of a terminal.
    static func malformed(_ reason: String, line: Int? = nil) -> PropertyListError {
        var scalars = String.UnicodeScalarView()
        for scalar in reason.unicodeScalars { scalars.append(printable(scalar)) }
        return PropertyListError(cause: .notAPropertyList(reason: String(scalars), line: line))
    }

    /// Control characters as symbols; what is invisible or orders text otherwise, as the replacement character.
    static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII, scalar.value >= 0x20, scalar.value < 0x7F { return scalar }
        switch scalar.properties.generalCategory {
        case .control: return scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}" : "\u{FFFD}"
        // Joins the parts of an emoji.
        case .format: return scalar.value == 0x200D ? scalar : "\u{FFFD}"
        case .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return "\u{FFFD}"
        default: return scalar
        }
    }

    /// The reason alone, where the cause has one of its own; else the whole problem.
    package var reason: String {
        if case .notAPropertyList(let reason, _) = cause { reason } else { problem }
    }

    /// The 1-based line that is at fault, where the format has lines.
    package var line: Int? {
        switch cause {
        case .tooDeep(_, let line), .notAPropertyList(_, let line): line
        default: nil
        }
    }

    /// What is wrong, in words, without the file's name; one line.
    package var problem: String {
        switch cause {
        case .missing: "no such file"
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .notAFile(let kind): "\(kind), not a file"
        case .empty: "empty, not a property list"
        case .tooLarge(let size, let limit): "\(size) bytes are more than the \(limit) that are read of a property list"
        case .tooDeep(let limit, let line): "nested more than \(limit) levels deep" + (line.map { " (line \($0))" } ?? "")
        case .expandsTooFar(let limit): "its objects take more than \(limit) bytes when they are spread out"
        case .notAPropertyList(let reason, let line):
            "not a property list: " + (line.map { "line \($0): " } ?? "") + reason
        }
    }

    /// What to do about it, where there is something.
    package var remedy: String? {
        switch cause {
        case .missing: "check the path"
        case .unreadable: "check the permissions"
        case .notAFile: "name a file"
        case .empty: nil
        case .tooLarge, .tooDeep, .expandsTooFar: "check where the file comes from"
        case .notAPropertyList(_, let line): line.map { "correct line \($0)" }
        }
    }
}
