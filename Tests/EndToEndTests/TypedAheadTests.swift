import TestSupport
import Testing

/// Keys that come at once, as from a macro or over a slow line, are those of somebody who waits after each.
struct TypedAheadTests {
    /// The screen after keys that are sent one by one, each when nothing is outstanding, and after the same keys in one go.
    @Test(
        arguments: [
            ["j", "Enter", "G"], ["j", "Enter", "j", "j", "j"], ["j", "Enter", "j", "j", "j", "q", "j"],
            ["Enter", "j", "Space", "j"],
            ["j", "Enter", "J", "J", "j", "j"], ["j", "l", "G", "h", "G"],
            ["G", "Enter", "G", "Enter", "j"], ["C", "j", "Enter", "j", "Enter", "j"],
        ])
    func keysAtOnceAreKeysOneByOne(keys: [String]) throws {
        let slow = try Screens.elements()
        for key in keys { try slow.send(key) }
        let fast = try Screens.elements()
        try fast.send(bytes: keys.flatMap { $0 == "Enter" ? [0x0D] : $0 == "Space" ? [0x20] : Array($0.utf8) })
        #expect(try fast.text == slow.text)
        #expect(try fast.cursorRow == slow.cursorRow)
        try slow.send("q")
        try fast.send("q")
    }
}
