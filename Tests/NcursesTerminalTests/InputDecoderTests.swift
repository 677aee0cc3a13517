import TerminalUI
import TestSupport
import Testing

@testable import NcursesTerminal

@Suite struct InputDecoderTests {
    private func decoded(_ text: String, keys: [[UInt8]: Key] = [:]) -> [TerminalEvent] { decoded(Array(text.utf8), keys: keys) }

    private func decoded(_ bytes: [UInt8], keys: [[UInt8]: Key] = [:]) -> [TerminalEvent] {
        var decoder = InputDecoder(keys: keys)
        let events = decoder.decode(bytes, time: 0)
        return events + decoder.giveUpWaiting(time: 100)
    }

    @Test(arguments: [
        ("q", Key.character("q")), ("é", .character("é")), ("e\u{301}", .character("e\u{301}")), ("世", .character("世")),
        ("👨‍👩‍👧", .character("👨‍👩‍👧")), ("\r", Key(.enter)), ("\n", Key(.enter)), ("\t", Key(.tab)), ("\u{7F}", Key(.backspace)),
        ("\u{8}", Key(.backspace)), ("\0", .control(" ")), ("\u{1}", .control("a")), ("\u{1A}", .control("z")),
        ("\u{1F}", .control("_")),
        ("\u{1B}", Key(.escape)), ("\u{1B}x", Key(.character("x"), alt: true)), ("\u{1B}é", Key(.character("é"), alt: true)),
        ("\u{1B}\r", Key(.enter, alt: true)), ("\u{1B}\u{6}", Key(.character("f"), control: true, alt: true)),
        ("\u{1B}[", Key(.character("["), alt: true)), ("\u{1B}O", Key(.character("O"), alt: true)),
        ("\u{1B}[A", Key(.up)), ("\u{1B}OB", Key(.down)), ("\u{1B}[1;5C", Key(.right, control: true)),
        ("\u{1B}[1;3D", Key(.left, alt: true)),
        ("\u{1B}[1;2A", Key(.up)), ("\u{1B}[H", Key(.home)), ("\u{1B}OF", Key(.end)), ("\u{1B}[1~", Key(.home)),
        ("\u{1B}[7~", Key(.home)),
        ("\u{1B}[4~", Key(.end)), ("\u{1B}[2~", Key(.insert)), ("\u{1B}[3~", Key(.delete)), ("\u{1B}[5~", Key(.pageUp)),
        ("\u{1B}[6;5~", Key(.pageDown, control: true)), ("\u{1B}[6^", Key(.pageDown, control: true)), ("\u{1B}[Z", Key(.backTab)),
        ("\u{1B}OP", Key(.function(1))), ("\u{1B}[11~", Key(.function(1))), ("\u{1B}[[A", Key(.function(1))),
        ("\u{1B}[15~", Key(.function(5))),
        ("\u{1B}[17~", Key(.function(6))), ("\u{1B}[24~", Key(.function(12))), ("\u{1B}[1;2P", Key(.function(1))),
        ("\u{1B}OM", Key(.enter)),
        ("\u{1B}Oq", .character("1")), ("\u{1B}[97;5u", .control("a")), ("\u{1B}[27;5;13~", Key(.enter, control: true)),
        ("\u{1B}[9;2u", Key(.backTab)), ("\u{1B}[a", Key(.up)),
    ])
    func keys(sequence: String, key: Key) { #expect(decoded(sequence) == [.key(key)]) }

    @Test(arguments: [
        "\u{1B}[I", "\u{1B}[200", "\u{1B}[?1;2c", "\u{1B}[99~", "\u{1B}[201~", "\u{1B}[<0;1M", "\u{85}",
        "\u{1B}[99999999999999999999~", "\u{1B}O~",
    ])
    func whatIsNoKeyIsNothing(sequence: String) { #expect(decoded(sequence) == []) }

    @Test func escapeTwiceIsTwoKeys() {
        #expect(decoded("\u{1B}\u{1B}") == [.key(Key(.escape)), .key(Key(.escape))])
        #expect(decoded("\u{1B}\u{1B}[B") == [.key(Key(.escape)), .key(Key(.down))])
    }

    @Test func invalidBytesAreReplaced() {
        #expect(
            decoded([0xFF, 0x61, 0xC3, 0x28, 0xE4, 0xB8]) == KeyScript.keys("\u{FFFD}a\u{FFFD}(\u{FFFD}\u{FFFD}").map { .key($0) }
        )
        #expect(decoded([0xED, 0xA0, 0x80]) == KeyScript.keys("\u{FFFD}\u{FFFD}\u{FFFD}").map { .key($0) })
        #expect(decoded([0xC0, 0x80]) == KeyScript.keys("\u{FFFD}\u{FFFD}").map { .key($0) })
    }

    @Test func aBrokenSequenceDoesNotTakeTheNextKeyAlong() {
        #expect(decoded("\u{1B}[12\u{1B}[A") == [.key(Key(.up))])
        #expect(decoded("\u{1B}[1\r") == [.key(Key(.enter))])
        #expect(decoded("\u{1B}[" + String(repeating: "1", count: 500) + "q").last == .key(.character("q")))
    }

    @Test func terminfoComesFirst() {
        let keys: [[UInt8]: Key] = [Array("\u{1B}[214z".utf8): Key(.home), Array("\u{1B}A".utf8): Key(.up), [0x08]: Key(.left)]
        #expect(decoded("\u{1B}[214z\u{1B}A\u{8}", keys: keys) == [.key(Key(.home)), .key(Key(.up)), .key(Key(.backspace))])
        var decoder = InputDecoder(keys: keys)
        #expect(decoder.decode(Array("\u{1B}[21".utf8), time: 0) == [])
        #expect(decoder.pending == .sequence)
        #expect(decoder.decode(Array("4z".utf8), time: 0) == [.key(Key(.home))])
        #expect(decoder.pending == .nothing)
    }

    @Test func theMouse() {
        func mouse(_ action: MouseEvent.Action, _ row: Int, _ column: Int) -> TerminalEvent {
            .mouse(MouseEvent(action, at: Position(row: row, column: column)))
        }
        #expect(decoded("\u{1B}[<0;10;5M\u{1B}[<0;10;5m") == [mouse(.press, 4, 9), mouse(.release, 4, 9)])
        #expect(decoded("\u{1B}[<64;300;5M\u{1B}[<65;1;1M") == [mouse(.wheelUp, 4, 299), mouse(.wheelDown, 0, 0)])
        #expect(decoded("\u{1B}[<32;2;2M\u{1B}[<2;2;2M\u{1B}[<1;2;2M\u{1B}[<66;2;2M\u{1B}[<35;2;2M") == [mouse(.drag, 1, 1)])
        #expect(
            decoded([0x1B, 0x5B, 0x4D, 32, 33, 34, 0x1B, 0x5B, 0x4D, 35, 255, 34]) == [
                mouse(.press, 1, 0), mouse(.release, 1, 222),
            ])
        #expect(decoded("\u{1B}[<0;0;0M") == [mouse(.press, 0, 0)])
    }

    @Test func doublePressesByTimeAndPlace() {
        let press = Array("\u{1B}[<0;2;2M".utf8)
        func actions(_ times: [Int64]) -> [MouseEvent.Action] {
            var decoder = InputDecoder()
            return times.flatMap { decoder.decode(press, time: $0) }.compactMap {
                if case .mouse(let event) = $0 { event.action } else { nil }
            }
        }
        #expect(actions([0, 400]) == [.press, .doublePress])
        #expect(actions([0, 401]) == [.press, .press])
        #expect(actions([0, 100, 200, 300]) == [.press, .doublePress, .press, .doublePress])
        #expect(
            decoded("\u{1B}[<0;2;2M\u{1B}[<0;3;2M").count {
                $0 == .mouse(MouseEvent(.doublePress, at: Position(row: 1, column: 2)))
            } == 0)
    }

    @Test func pastedTextIsNoKeys() {
        #expect(
            decoded("a\u{1B}[200~q\r\n\u{1B}[A\rz\u{1B}[201~b") == [
                .key(.character("a")), .paste("q\n\u{1B}[A\nz"), .key(.character("b")),
            ])
        #expect(decoded("\u{1B}[200~\u{1B}[201~") == [.paste("")])
        // A paste that never ends is given up.
        #expect(decoded("\u{1B}[200~abc\u{1B}[20") == [.paste("abc\u{1B}[20")])
        let long = String(repeating: "x", count: InputDecoder.maximumPasteBytes + 10)
        #expect(decoded("\u{1B}[200~\(long)\u{1B}[201~q").last == .key(.character("q")))
    }

    /// However the bytes are cut up on their way, the events are the same.
    @Test func everyCutGivesTheSame() {
        let text = "aé世\u{1B}[A\u{1B}OP\u{1B}[1;5D\u{1B}[<0;10;5M\u{1B}[200~x\u{1B}[A\u{1B}[201~\u{1B}[3~\u{1B}xq"
        let bytes = Array(text.utf8) + [0x1B, 0x5B, 0x4D, 32, 200, 34, 0xFF, 0x71]
        let whole = decoded(bytes)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var decoder = InputDecoder()
                var events = decoder.decode(bytes[..<first], time: 0)
                events += decoder.decode(bytes[first..<second], time: 0)
                events += decoder.decode(bytes[second...], time: 0)
                events += decoder.giveUpWaiting(time: 100)
                #expect(events == whole, "\(first) \(second)")
            }
        }
    }

    @Test func anyBytesAreTaken() {
        var generator = SeededGenerator(seed: 7)
        let likely: [UInt8] = [
            0x1B, 0x5B, 0x4F, 0x3C, 0x4D, 0x6D, 0x3B, 0x7E, 0x32, 0x30, 0x31, 0xC3, 0xA9, 0xF0, 0xFF, 0x00, 0x0D, 0x41,
        ]
        for _ in 0..<5000 {
            var decoder = InputDecoder(keys: [Array("\u{1B}[20".utf8): Key(.home)])
            for _ in 0..<3 {
                let bytes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                    likely.randomElement(using: &generator) ?? 0
                }
                for case .mouse(let event) in decoder.decode(bytes, time: 0) {
                    #expect(event.position.row >= 0 && event.position.column >= 0)
                }
            }
            _ = decoder.giveUpWaiting(time: 0)
            #expect(decoder.pending == .nothing)
        }
    }
}
