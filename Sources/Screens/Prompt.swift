package import TerminalUI

/// One line that is being typed in the last line of the screen.
package struct Prompt: Sendable, Equatable {
    /// What a prompt is for.
    package enum Purpose: Sendable, Equatable {
        case goToRow
        case find
        case writeBytes
        case predicate
        case printView
        case saveList
    }

    /// What a key did to it.
    package enum Outcome: Sendable, Equatable {
        case editing, accepted, cancelled
    }

    package let purpose: Purpose
    package private(set) var text: String
    /// Place of the cursor in `text`, in characters.
    package private(set) var cursor: Int
    /// What is wrong with the text; until the next key.
    package var fault: String?
    /// Whether the text is one of before, which the first character that is typed replaces; keys that edit it keep it.
    package private(set) var isSelected: Bool

    /// Longest text, in characters: a paste cannot make it grow without end.
    private static let limit = 1_000

    package init(_ purpose: Purpose, text: String = "", isSelected: Bool = false) {
        self.purpose = purpose
        self.text = text
        self.isSelected = isSelected && !text.isEmpty
        cursor = text.count
    }

    package var label: String {
        switch purpose {
        case .goToRow: ":"
        case .find: "/"
        case .writeBytes: "write to new file: "
        case .predicate: "&"
        case .printView: "print to new file: "
        case .saveList: "save as new list plist: "
        }
    }

    package mutating func handle(_ key: Key) -> Outcome {
        fault = nil
        if case .character = key.code, !key.control, !key.alt {} else { isSelected = false }
        switch key {
        case Key(.enter): return .accepted
        case Key(.escape), .control("c"), .control("g"): return .cancelled
        case Key(.backspace):
            // As in less: rubbing out beyond the start leaves the prompt.
            guard !text.isEmpty else { return .cancelled }
            if cursor > 0 {
                text.remove(at: text.index(text.startIndex, offsetBy: cursor - 1))
                cursor -= 1
            }
        case Key(.delete):
            if cursor < text.count { text.remove(at: text.index(text.startIndex, offsetBy: cursor)) }
        case Key(.left): cursor = max(0, cursor - 1)
        case Key(.right): cursor = min(text.count, cursor + 1)
        case Key(.home), .control("a"): cursor = 0
        case Key(.end), .control("e"): cursor = text.count
        case .control("u"):
            text = String(text.dropFirst(cursor))
            cursor = 0
        case .control("k"): text = String(text.prefix(cursor))
        case .control("w"): deleteWord()
        default:
            if case .character(let character) = key.code, !key.control, !key.alt { insert(String(character)) }
        }
        return .editing
    }

    /// Puts the cursor before a character of the text.
    package mutating func moveCursor(to place: Int) { cursor = max(0, min(place, text.count)) }

    package mutating func insert(_ pasted: String) {
        fault = nil
        if isSelected {
            text = ""
            cursor = 0
            isSelected = false
        }
        let room = Self.limit - text.count
        guard room > 0 else { return }
        let line = pasted.prefix(room).map { $0.isNewline ? " " : $0 }
        let before = String(text.prefix(cursor)) + String(line)
        text = before + text.dropFirst(cursor)
        // Marks may have joined the character before: the cursor counts what is there now.
        cursor = min(text.count, before.count)
    }

    /// What was typed after `:`.
    enum RowNumber: Equatable {
        case none
        case number(Int)
        case fault(String)
    }

    /// A number too large for an integer is beyond the end, too.
    var rowNumber: RowNumber {
        let digits = text.filter { !$0.isWhitespace }
        guard !digits.isEmpty else { return .none }
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return .fault("“\(text)” is not a row number") }
        return .number(Int(digits) ?? Int.max)
    }

    private mutating func deleteWord() {
        var characters = Array(text)
        let end = cursor
        while cursor > 0, characters[cursor - 1] == " " { cursor -= 1 }
        while cursor > 0, characters[cursor - 1] != " " { cursor -= 1 }
        characters.removeSubrange(cursor..<end)
        text = String(characters)
    }
}
