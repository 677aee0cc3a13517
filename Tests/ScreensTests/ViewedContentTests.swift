import Fetching
import Foundation
import Presentation
import TerminalUI
import Testing

@testable import Screens

struct ViewedContentTests {
    private static func isOutline(_ content: ViewedContent) -> Bool { if case .outline = content.form { true } else { false } }

    /// The rows of the viewer, the root's children unfolded.
    private static func rows(_ content: ViewedContent) -> [String] {
        var screen = ViewerScreen(breadcrumb: [])
        screen.resize(to: Size(80, 20))
        _ = screen.receive(DataReply(.value(content), generation: 0))
        return (0..<screen.rowCount).map { screen.text(ofRow: $0) ?? "" }
    }

    @Test func protobufIsAGuess() {
        // 1: 150, 2: "testing", 3: { 1: 1 }
        let message = Data([0x08, 0x96, 0x01, 0x12, 7] + Array("testing".utf8) + [0x1A, 2, 8, 1])
        let content = ViewedContent(bytes: message)
        #expect(content.summary == "16 bytes, perhaps protobuf" && Self.isOutline(content))
        #expect(Self.rows(content) == ["3 keys", "1  150", "2  testing", "3  1 key"])
        // Cut off anywhere inside of a field it is none.
        #expect(!Self.isOutline(ViewedContent(bytes: message.dropLast())))
        #expect(!Self.isOutline(ViewedContent(bytes: Data([0x08, 0x80, 0x00, 0x01]))))
        #expect(!Self.isOutline(ViewedContent(bytes: Data([0x08, 1]))))
    }

    @Test func messagesInMessagesAreBounded() {
        var bytes: [UInt8] = [8, 1, 8, 1]
        for _ in 0..<3_000 {
            var length: [UInt8] = []
            var rest = bytes.count
            while rest >= 0x80 {
                length.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            bytes = [0x0A] + length + [UInt8(rest)] + bytes
        }
        #expect(Self.isOutline(ViewedContent(bytes: Data(bytes))))
    }

    @Test func jsonKeepsItsTypes() {
        let content = ViewedContent(text: #"{"a": true, "b": 1, "c": 1.5, "d": "x", "e": null}"#)
        #expect(Self.rows(content) == ["5 keys", "a  true", "b  1", "c  1.5", "d  x", "e  null"])
    }

    @Test func deepJSONIsText() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        guard case .text = ViewedContent(text: deep).form else {
            Issue.record("not a text")
            return
        }
    }
}
