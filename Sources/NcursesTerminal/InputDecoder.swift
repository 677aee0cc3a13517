package import TerminalUI

/// Bytes from a terminal → keys, mouse events and pasted texts.
///
/// Curses' own reader is not used: it loses invalid bytes, holds single clicks back to see whether they become double ones,
/// knows pasted text from typed no more than mouse reports beyond column 223. The names of keys still come from terminfo
/// (`keys`), beside those that xterm and its likes, the Linux console and rxvt send.
///
/// The decoder has no clock: it is told the time, and when to give up waiting for the rest of a sequence.
package struct InputDecoder: Sendable {
    /// What the decoder waits for.
    package enum Pending: Sendable, Equatable {
        case nothing
        /// The rest of a key: an Esc may be an Esc, or the beginning of an arrow.
        case sequence
        /// The end of a pasted text.
        case paste
    }

    /// Longest paste that is kept, in bytes; the rest of it is dropped.
    package static let maximumPasteBytes = 4 << 20
    /// Two presses on one cell within this time are a double one.
    package static let doublePressMilliseconds: Int64 = 400
    private static let maximumSequenceBytes = 64
    /// Bounds what may become one character.
    private static let maximumTextScalars = 4096

    /// The keys' sequences by terminfo, each beginning with Esc.
    private let keys: [[UInt8]: Key]
    /// The terminal's device attributes, once it has answered what they are (Esc [ c).
    private(set) var deviceAttributes: [Int] = []
    private let longestKey: Int
    private var bytes: [UInt8] = []
    /// The text being pasted.
    private var paste: [UInt8]?
    private var lastPress: (position: Position, time: Int64)?

    package init(keys: [[UInt8]: Key] = [:]) {
        self.keys = keys.filter { $0.key.count > 1 && $0.key.first == 0x1B }
        longestKey = self.keys.keys.map(\.count).max() ?? 0
    }

    package var pending: Pending { paste != nil ? .paste : bytes.isEmpty ? .nothing : .sequence }

    /// Decodes what has arrived.
    ///
    /// - Parameter time: milliseconds of a clock that only goes forward.
    /// - Complexity: O(n) in the bytes.
    package mutating func decode(_ arrived: some Collection<UInt8>, time: Int64) -> [TerminalEvent] {
        bytes += arrived
        return decode(time: time, isComplete: false)
    }

    /// Takes what is pending for what it is: nothing more came in time.
    package mutating func giveUpWaiting(time: Int64) -> [TerminalEvent] {
        var events = decode(time: time, isComplete: true)
        if let paste {
            events.append(Self.pasteEvent(paste + bytes))
            self.paste = nil
            bytes = []
        }
        return events
    }

    private mutating func decode(time: Int64, isComplete: Bool) -> [TerminalEvent] {
        var events: [TerminalEvent] = []
        var text = String.UnicodeScalarView()
        var index = 0
        loop: while index < bytes.count {
            if paste != nil {
                guard let end = takePaste(from: index, into: &events) else {
                    index = bytes.count - keptTail(from: index)
                    break
                }
                index = end
                continue
            }
            let rest = bytes[index...]
            switch step(rest, isComplete: isComplete) {
            case .incomplete:
                break loop
            case .scalar(let scalar, let count):
                text.append(scalar)
                index += count
                if text.count >= Self.maximumTextScalars { Self.flush(&text, into: &events) }
            case .key(let key, let count):
                Self.flush(&text, into: &events)
                events.append(.key(key))
                index += count
            case .mouse(let button, let position, let isRelease, let count):
                Self.flush(&text, into: &events)
                if let event = mouseEvent(button, position, isRelease: isRelease, time: time) { events.append(.mouse(event)) }
                index += count
            case .pasteStart(let count):
                Self.flush(&text, into: &events)
                paste = []
                index += count
            case .attributes(let numbers, let count):
                deviceAttributes = numbers
                index += count
            case .ignored(let count):
                index += count
            }
        }
        Self.flush(&text, into: &events)
        bytes.removeFirst(min(index, bytes.count))
        return events
    }

    /// Typed characters; marks that came with a letter belong to it.
    private static func flush(_ text: inout String.UnicodeScalarView, into events: inout [TerminalEvent]) {
        guard !text.isEmpty else { return }
        for character in String(text) { events.append(.key(.character(character))) }
        text = String.UnicodeScalarView()
    }
}

extension InputDecoder {
    enum Step {
        case incomplete
        case scalar(Unicode.Scalar, count: Int)
        case key(Key, count: Int)
        case mouse(button: Int, Position, isRelease: Bool, count: Int)
        case pasteStart(count: Int)
        case attributes([Int], count: Int)
        case ignored(count: Int)
    }

    /// Decodes one item at the start of `rest`, which is not empty.
    private func step(_ rest: ArraySlice<UInt8>, isComplete: Bool) -> Step {
        let first = rest.first ?? 0
        if first == 0x1B { return escape(rest, isComplete: isComplete) }
        if let key = Self.controlKey(first) { return .key(key, count: 1) }
        return Self.scalar(rest, isComplete: isComplete)
    }

    /// The key of a C0 control or DEL; Esc apart.
    private static func controlKey(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x0D, 0x0A: Key(.enter)
        case 0x09: Key(.tab)
        case 0x08, 0x7F: Key(.backspace)
        case 0x00: .control(" ")
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1C...0x1F: .control(Character(Unicode.Scalar(byte + 0x40)))
        default: nil
        }
    }

    /// One scalar of UTF-8. An invalid byte is U+FFFD; C1 controls are nobody's keys.
    private static func scalar(_ rest: ArraySlice<UInt8>, isComplete: Bool) -> Step {
        let first = rest.first ?? 0
        let length = first < 0x80 ? 1 : first & 0xE0 == 0xC0 ? 2 : first & 0xF0 == 0xE0 ? 3 : first & 0xF8 == 0xF0 ? 4 : 1
        let sequence = rest.prefix(length)
        let continues = sequence.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
        if continues, sequence.count < length, !isComplete { return .incomplete }
        var decoder = UTF8()
        var iterator = sequence.makeIterator()
        guard continues, sequence.count == length, case .scalarValue(let scalar) = decoder.decode(&iterator) else {
            return .scalar("\u{FFFD}", count: 1)
        }
        if (0x80..<0xA0).contains(scalar.value) { return .ignored(count: length) }
        return .scalar(scalar, count: length)
    }

    private func escape(_ rest: ArraySlice<UInt8>, isComplete: Bool) -> Step {
        if let (key, count) = terminfoKey(rest) { return .key(key, count: count) }
        guard let second = rest.dropFirst().first else {
            return isComplete ? .key(Key(.escape), count: 1) : .incomplete
        }
        if !isComplete, isBeginningOfKey(rest) { return .incomplete }
        switch second {
        case 0x5B:
            return controlSequence(rest, isComplete: isComplete)
        case 0x4F:
            return singleShift(rest, isComplete: isComplete)
        case 0x1B:
            // Esc twice, or Esc and then a key: nobody waits for Alt-Esc.
            return .key(Key(.escape), count: 1)
        default:
            return alternate(rest, isComplete: isComplete)
        }
    }

    /// Esc and a character: that character with Alt.
    private func alternate(_ rest: ArraySlice<UInt8>, isComplete: Bool) -> Step {
        switch step(rest.dropFirst(), isComplete: isComplete) {
        case .incomplete: return .incomplete
        case .scalar(let scalar, let count): return .key(Key(.character(Character(scalar)), alt: true), count: count + 1)
        case .key(var key, let count):
            key.alt = true
            return .key(key, count: count + 1)
        case .ignored(let count): return .ignored(count: count + 1)
        case .mouse, .pasteStart, .attributes: return .key(Key(.escape), count: 1)
        }
    }

    private func terminfoKey(_ rest: ArraySlice<UInt8>) -> (Key, Int)? {
        guard longestKey > 1 else { return nil }
        for count in stride(from: min(longestKey, rest.count), to: 1, by: -1) {
            if let key = keys[Array(rest.prefix(count))] { return (key, count) }
        }
        return nil
    }

    private func isBeginningOfKey(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.count < longestKey && keys.keys.contains { $0.count > rest.count && $0.starts(with: rest) }
    }

    /// Esc O and one byte: application keys.
    private func singleShift(_ rest: ArraySlice<UInt8>, isComplete: Bool) -> Step {
        guard let byte = rest.dropFirst(2).first else {
            return isComplete ? .key(Key(.character("O"), alt: true), count: 2) : .incomplete
        }
        if let code = KeyNames.singleShift(byte) { return .key(Key(code), count: 3) }
        return byte > 0x20 && byte < 0x7F ? .ignored(count: 3) : .key(Key(.character("O"), alt: true), count: 2)
    }

    /// Esc [, parameters, a final byte.
    private func controlSequence(_ rest: ArraySlice<UInt8>, isComplete: Bool) -> Step {
        let body = rest.dropFirst(2)
        if body.isEmpty { return isComplete ? .key(Key(.character("["), alt: true), count: 2) : .incomplete }
        if body.first == 0x5B {
            // The Linux console's F1 to F5.
            guard let letter = body.dropFirst().first else { return isComplete ? .ignored(count: 3) : .incomplete }
            guard (0x41...0x45).contains(letter) else { return .ignored(count: 3) }
            return .key(Key(.function(Int(letter) - 0x40)), count: 4)
        }
        if body.first == 0x4D { return oldMouse(rest, isComplete: isComplete) }
        for (offset, byte) in body.enumerated() {
            switch byte {
            case 0x20...0x3F:
                if offset >= Self.maximumSequenceBytes { return .ignored(count: offset + 2) }
            case 0x40...0x7E:
                return controlSequence(body.prefix(offset), final: byte, count: offset + 3)
            default:
                // A control or a letter beyond ASCII ends what was never a sequence; it is looked at for itself.
                return .ignored(count: offset + 2)
            }
        }
        return isComplete ? .ignored(count: rest.count) : .incomplete
    }

    private func controlSequence(_ parameters: ArraySlice<UInt8>, final: UInt8, count: Int) -> Step {
        let isMouse = parameters.first == 0x3C
        let numbers = Self.numbers(isMouse ? parameters.dropFirst() : parameters)
        if isMouse {
            guard final == 0x4D || final == 0x6D, numbers.count == 3 else { return .ignored(count: count) }
            let position = Position(row: max(0, numbers[2] - 1), column: max(0, numbers[1] - 1))
            return .mouse(button: numbers[0], position, isRelease: final == 0x6D, count: count)
        }
        // Answers of the terminal (Esc [ ? … c) are no keys.
        if parameters.first == 0x3F, final == 0x63 { return .attributes(Self.numbers(parameters.dropFirst()), count: count) }
        if let first = parameters.first, first > 0x3B { return .ignored(count: count) }
        if final == 0x7E, numbers.first == 200 { return .pasteStart(count: count) }
        guard let key = KeyNames.controlSequence(numbers, final: final) else { return .ignored(count: count) }
        return .key(key, count: count)
    }

    /// Numbers between semicolons; 0 for one left out, at most 99999.
    private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int] {
        parameters.split(separator: 0x3B, omittingEmptySubsequences: false).map { digits in
            digits.prefix { $0 != 0x3A }.reduce(0) { number, digit in
                (0x30...0x39).contains(digit) ? min(99999, number * 10 + Int(digit - 0x30)) : number
            }
        }
    }

    /// Esc [ M and three bytes: the mouse as terminals without mode 1006 report it.
    private func oldMouse(_ rest: ArraySlice<UInt8>, isComplete: Bool) -> Step {
        let report = Array(rest.dropFirst(3).prefix(3))
        guard report.count == 3 else { return isComplete ? .ignored(count: rest.count) : .incomplete }
        let position = Position(row: max(0, Int(report[2]) - 33), column: max(0, Int(report[1]) - 33))
        let button = Int(report[0]) - 32
        return .mouse(button: button, position, isRelease: button >= 0 && button & 0x63 == 3, count: 6)
    }

    /// The event of a report, if it is one: left button and wheel only.
    private mutating func mouseEvent(_ button: Int, _ position: Position, isRelease: Bool, time: Int64) -> MouseEvent? {
        guard button >= 0 else { return nil }
        let isMotion = button & 0x20 != 0
        switch button & 0xC3 {
        case 0x40: return MouseEvent(.wheelUp, at: position)
        case 0x41: return MouseEvent(.wheelDown, at: position)
        case 0 where isRelease, 3 where isRelease: return MouseEvent(.release, at: position)
        case 0 where isMotion:
            return MouseEvent(.drag, at: position)
        case 0:
            if let lastPress, lastPress.position == position, time - lastPress.time <= Self.doublePressMilliseconds {
                self.lastPress = nil
                return MouseEvent(.doublePress, at: position)
            }
            lastPress = (position, time)
            return MouseEvent(.press, at: position)
        default: return nil
        }
    }

    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    /// Takes pasted bytes up to the end mark.
    ///
    /// - Returns: where the mark ends; nil if it is not there yet.
    private mutating func takePaste(from start: Int, into events: inout [TerminalEvent]) -> Int? {
        let mark = Self.pasteEnd
        var index = start
        while let escape = bytes[index...].firstIndex(of: 0x1B) {
            if bytes[escape...].starts(with: mark) {
                appendToPaste(bytes[start..<escape])
                events.append(Self.pasteEvent(paste ?? []))
                paste = nil
                return escape + mark.count
            }
            index = escape + 1
        }
        appendToPaste(bytes[start..<bytes.count - keptTail(from: start)])
        return nil
    }

    /// How many bytes at the end may be the beginning of the end mark.
    private func keptTail(from start: Int) -> Int {
        for count in stride(from: min(Self.pasteEnd.count - 1, bytes.count - start), to: 0, by: -1)
        where Self.pasteEnd.starts(with: bytes.suffix(count)) { return count }
        return 0
    }

    /// Terminals send line ends as if Enter were pressed: as CR.
    private static func pasteEvent(_ bytes: [UInt8]) -> TerminalEvent {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte == 0x0A, index > 0, bytes[index - 1] == 0x0D { continue }
            text.append(byte == 0x0D ? 0x0A : byte)
        }
        return .paste(String(decoding: text, as: UTF8.self))
    }

    private mutating func appendToPaste(_ more: ArraySlice<UInt8>) {
        let room = Self.maximumPasteBytes - (paste?.count ?? 0)
        paste?.append(contentsOf: more.prefix(max(0, room)))
    }
}
