import PropertyLists
import TestSupport
import Testing

@testable import PlistConfig

/// A config plist: what is right of it holds, what is wrong is said with the key, the reason and the nearest name.
@Suite struct ConfigDescriptionTests {
    private static let vocabulary = ConfigVocabulary(
        roles: [.init("cursor", "a line"), .init("accent", "labels")], wholeLines: ["cursor"], colors: ["red", "blue"],
        isColor: { $0 == "red" || $0 == "blue" || $0.hasPrefix("#") || Int($0) != nil }, attributes: ["bold", "reverse"],
        commands: [
            .init("moveDown", "down", on: ["list", "detail"]), .init("find", "find", on: ["list", "viewer"]),
            .init("detail.back", "back", on: ["detail"]), .init("write", "write", on: ["viewer"]),
        ], keys: ["Up", "Down"],
        isKey: { $0.count == 1 || $0 == "Up" || $0 == "Down" })

    private func decode(_ text: String) throws -> (description: ConfigDescription, lines: [String]) {
        let plist = try PropertyListReader.read(bytes: Array(text.utf8))
        let (description, faults) = ConfigDescription.decode(plist, file: "c", vocabulary: Self.vocabulary)
        return (description, faults.map(\.printedLine))
    }

    @Test func readsAllForms() throws {
        let (description, lines) = try decode(
            """
            { colors = { accent = "blue bold"; cursor = { foreground = "#ffffff"; background = 17; attributes = (bold, reverse); }; };
              keys = { moveDown = (n, Down); find = "/"; "detail.back" = (); }; }
            """)
        #expect(lines.isEmpty, "\(lines)")
        #expect(description.looks.map(\.role) == ["accent", "cursor"])
        #expect(description.looks.first?.look == .init(foreground: "blue", background: nil, attributes: ["bold"]))
        #expect(
            description.looks.last?.look == .init(foreground: "#ffffff", background: "17", attributes: ["bold", "reverse"]))
        #expect(description.keys.map(\.command) == ["moveDown", "find", "detail.back"])
        #expect(description.keys.map(\.keys) == [["n", "Down"], ["/"], []])
    }

    @Test func saysWhatIsWrongAndKeepsTheRest() throws {
        let (description, lines) = try decode(
            """
            { colours = { accent = red; };
              colors = { accent = { foreground = bleu; background = red; atributes = bold; }; cursr = red; cursor = "red blue"; };
              keys = { moveDown = (n, Dwn); fnd = x; find = PageDown; "detail.back" = { a = b; }; }; }
            """)
        #expect(
            lines == [
                "tlbrowse: c: colours: warning: unknown key (did you mean “colors”?)",
                "tlbrowse: c: colors.cursr: warning: unknown key (did you mean “cursor”?)",
                "tlbrowse: c: colors.accent.foreground: no colour “bleu” (did you mean “blue”?)",
                "tlbrowse: c: colors.accent.background: only whole lines may be reverse or have a background (those are cursor)",
                "tlbrowse: c: colors.accent.atributes: warning: unknown key (did you mean “attributes”?)",
                "tlbrowse: c: colors.cursor: “blue” is one colour too many (write { foreground = …; background = …; })",
                "tlbrowse: c: keys.fnd: warning: unknown key (did you mean “find”?)",
                "tlbrowse: c: keys.moveDown[1]: no key “Dwn” (did you mean “Down”?)",
                "tlbrowse: c: keys.find: no key “PageDown” (known: a character, ^ and a letter, Up, Down)",
                "tlbrowse: c: keys.detail.back: a dictionary, not a key or an array of keys",
            ], "\(lines.joined(separator: "\n"))")
        #expect(description.looks.map(\.look.foreground) == ["red"])
        #expect(description.keys.map(\.keys) == [["n"]])
    }

    @Test func knowsItsOwnKind() throws {
        func isOne(_ text: String) throws -> Bool {
            ConfigDescription.isOne(try PropertyListReader.read(bytes: Array(text.utf8)))
        }
        #expect(try isOne("{ keys = { a = b; }; }"))
        #expect(try isOne("{ colors = { a = b; }; extra = 1; }"))
        #expect(try !isOne("{ entityName = A; }"))
        #expect(try !isOne("{ keys = (a); entityName = A; }"))
        #expect(try !isOne("(a)"))
        let (_, lines) = try decode("(a, b)")
        #expect(lines == ["tlbrowse: c: an array, not a dictionary (a config plist) (write { … })"])
    }

    /// One key cannot be two commands' where both are; on screens apart, or on one screen and on all, it can.
    @Test func oneKeyForTwoCommands() throws {
        let (description, lines) = try decode("{ keys = { moveDown = (n, x); find = (n, y); write = x; \"detail.back\" = n; }; }")
        #expect(lines == ["tlbrowse: c: keys.find: the key “n” is bound to moveDown, too (keep one of them)"])
        #expect(description.keys.map(\.keys) == [["n", "x"], ["y"], ["x"], ["n"]])
    }

    @Test func namesAllColors() throws {
        let (_, lines) = try decode("{ colors = { accent = qqqqqqqq; }; }")
        #expect(lines.count == 1 && lines[0].contains("red, blue, 0 to 255"))
    }
}
