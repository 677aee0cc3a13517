import Foundation
import ObjectStore
import Presentation
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// What the viewer says of what it shows: of hits, of the end, of pictures that are not whole.
struct ViewerNotesTests {
    private static let size = Size(60, 12)
    private static let json = #"{"name": "Ada", "far": {"deeper": {"word": "needle"}}}"#

    private static func screen(_ content: ViewedContent) -> ViewerScreen {
        var screen = ViewerScreen(content, breadcrumb: ["People", "Ada", "body"])
        screen.resize(to: size)
        return screen
    }

    /// Types into the prompt.
    private static func type(_ text: String, into screen: inout ViewerScreen) -> [Effect] {
        KeyScript.keys(text).flatMap { screen.handle($0) }
    }

    // MARK: What a search says

    /// A value that goes stays as it was, with a note until it is there again.
    @Test func whatIsThereAgainSaysSo() {
        let size = Size(110, 6)
        let content = ViewedContent(text: "one\ntwo\nthree")
        for other in ["one\ntwo\nthree", "another"] {
            for trouble in [DataReply.Kind.value(nil), .failure(.value, StoreError(file: "x", cause: .busy))] {
                var screen = Self.screen(content)
                screen.resize(to: size)
                func follow(_ kind: DataReply.Kind) -> [Effect] {
                    screen.follow()
                    let generation = screen.takeRequests().first?.generation ?? 0
                    return screen.receive(DataReply(kind, generation: generation))
                }
                #expect(follow(trouble).count == 1)
                #expect(screen.frame(size).text(row: 5).contains("This is what it was."))
                #expect(screen.frame(size).text(row: 1).contains("one"))
                #expect(follow(.value(ViewedContent(text: other))) == [.message("the value is there again")])
                #expect(!screen.frame(size).text(row: 5).contains("This is what it was."))
                #expect(follow(.value(ViewedContent(text: other))).isEmpty)
            }
        }
    }

    @Test func aLoneHitSaysSo() {
        var screen = Self.screen(ViewedContent(text: Self.json))
        _ = screen.perform(.find)
        _ = Self.type("needle<Enter>", into: &screen)
        #expect(screen.perform(.nextHit) == [.message("no further hit")])
        #expect(screen.perform(.previousHit) == [.message("no further hit")])
        _ = screen.perform(.find)
        _ = Self.type("e<Enter>", into: &screen)
        #expect(screen.perform(.nextHit) == [])
        _ = screen.perform(.find)
        _ = Self.type("nowhere<Enter>", into: &screen)
        #expect(screen.perform(.nextHit) == [.message("no match for “nowhere”")])
        for content in [ViewedContent(text: "one\ntwo\nthree"), ViewedContent(bytes: Data([0, 1, 2] + Array("two".utf8)))] {
            screen = Self.screen(content)
            _ = screen.perform(.find)
            _ = Self.type("two<Enter>", into: &screen)
            #expect(screen.perform(.nextHit) == [.message("no further hit")])
        }
    }

    @Test func theEndOfALongTextIsAllOfIt() {
        var screen = Self.screen(ViewedContent(text: String(repeating: "long words without an end ", count: 60_000)))
        _ = screen.perform(.moveToEnd)
        #expect(screen.frame(Self.size).text(row: 11).contains("100 %"))
        _ = screen.perform(.moveToStart)
        #expect(screen.frame(Self.size).text(row: 11).contains(" 0 %"))
    }

    // MARK: Pictures that are not whole

    @Test func anIncompletePictureIsDrawnBelowANote() throws {
        var screen = Self.screen(ViewedContent(bytes: TestPictures.png()))
        var sizes: [Size] = []
        for _ in 0..<3 {
            for request in screen.takeRequests() {
                guard case .picture(let order) = request.kind else { continue }
                sizes.append(order.size)
                let drawn = DrawnPicture.incomplete(.cells(CellBuffer(size: order.size)), why: "truncated: cut off")
                _ = screen.receive(DataReply(.picture(drawn, for: order.size), generation: request.generation))
            }
        }
        #expect(sizes.map(\.rows) == [10, 9])
        let frame = screen.frame(Self.size)
        #expect(frame.text(row: 1).contains("truncated: cut off") && frame.text(row: 11).contains("truncated"))
    }
}
