import Foundation
import TestSupport
import Testing

/// Colours by terminal, environment and config plist; keys by config plist; marks by locale.
@Suite(.needsTmux, .needsBrowser)
struct LookTests {
    /// A home with a config plist, as the environment of a run.
    private func home(_ config: String) throws -> (folder: TemporaryFolder, environment: [String: String]) {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/tlbrowse", withIntermediateDirectories: true)
        try config.write(toFile: folder.path + "/tlbrowse/config.plist", atomically: true, encoding: .utf8)
        return (folder, ["XDG_CONFIG_HOME": folder.path])
    }

    /// Colours that stand on the screen, as SGR has them.
    private func colors(_ screen: TerminalSession) throws -> Set<String> {
        var found: Set<String> = []
        for match in try screen.styledText.matches(of: /\u{1b}\[([0-9;]*)m/) {
            let numbers = match.1.split(separator: ";").map(String.init)
            var place = 0
            while place < numbers.count {
                if numbers[place] == "38" || numbers[place] == "48" {
                    let count = place + 1 < numbers.count && numbers[place + 1] == "2" ? 5 : 3
                    found.insert(numbers[place..<min(place + count, numbers.count)].joined(separator: ";"))
                    place += count
                } else {
                    if let number = Int(numbers[place]), (30...37).contains(number) || (40...47).contains(number) {
                        found.insert(numbers[place])
                    }
                    place += 1
                }
            }
        }
        return found
    }

    @Test func coloursByTerminalAndEnvironment() throws {
        let usual = try Screens.elementsByName()
        #expect(try colors(usual) == ["38;5;33", "38;5;244"])
        let eight = try Screens.elementsByName(environment: ["TERM": "screen"])
        #expect(try colors(eight) == ["36"])
        let plain = try Screens.elementsByName(environment: ["NO_COLOR": "1"])
        #expect(try colors(plain).isEmpty)
        let old = try Screens.elementsByName(environment: ["TERM": "vt100"])
        #expect(try colors(old).isEmpty)
        // On each of them the cursor's row is one bar, and what stands on the screen is the same.
        let lines = try usual.lines
        for screen in [usual, eight, plain, old] {
            #expect(try screen.cursorRow != nil)
            #expect(try screen.lines == lines)
            try screen.send("Down", "End", "q")
            #expect(try screen.waitForExit() == 0)
        }
    }

    /// Where colour numbers are red, green and blue in one, those of the 256 are made such.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tic")))
    func trueColours() throws {
        let (folder, configured) = try home("{ colors = { indexBar = \"#ff8001\"; }; }")
        defer { folder.remove() }
        func color(_ base: Int) -> String {
            "\\E[%?%p1%{8}%<%t\(base)%p1%d%e\(base)8;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m"
        }
        try """
        test-direct|screen with red, green and blue in one,
        \tRGB, colors#0x1000000, pairs#0x7FFF,
        \tsetaf=\(color(3)), setab=\(color(4)), use=screen-256color,
        """.write(toFile: folder.path + "/source", atomically: true, encoding: .utf8)
        let made = try CommandResult(["tic", "-x", "-o", folder.path + "/terminfo", folder.path + "/source"])
        #expect(made.exitStatus == 0, "\(made.standardError)")
        let environment = ["TERM": "test-direct", "TERMINFO": folder.path + "/terminfo"]
        let usual = try Screens.elementsByName(environment: environment)
        #expect(try colors(usual) == ["38;2;0;135;255", "38;2;128;128;128"])
        let own = try Screens.elementsByName(environment: environment.merging(configured) { $1 })
        #expect(try colors(own).contains("38;2;255;128;1"))
    }

    @Test func otherCharacterSetsGetAsciiMarks() throws {
        let screen = try Screens.elements(environment: ["LC_ALL": "de_DE.ISO-8859-1"])
        let text = try screen.text
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(text.contains(" v Nonmetal"))
        try screen.send("Space")
        #expect(try screen.text.contains(" > Nonmetal"))
    }

    @Test func configSetsLooksAndKeys() throws {
        let (folder, environment) = try home(
            """
            { colors = { indexBar = "#ff0000"; cursor = { background = 17; foreground = white; }; titleBar = { background = green; }; };
              keys = { moveDown = (n, Down); help = F1; find = "^S"; cancel = x; }; }
            """)
        defer { folder.remove() }
        let screen = try Screens.elementsByName(environment: environment)
        let colors = try colors(screen)
        #expect(colors.isSuperset(of: ["38;5;196", "48;5;17", "42"]), "\(colors)")
        #expect(try screen.lines.last?.hasSuffix("F1 help") == true)
        let first = try screen.cursorRow
        try screen.send("n", "n")
        #expect(try screen.cursorRow == first.map { $0 + 2 })
        try screen.send("j")
        #expect(try screen.lines.last == " j does nothing here (F1 for help)")
        try screen.send("C-s")
        try screen.type("gold")
        try screen.send("Enter")
        #expect(try screen.lines.last?.contains("(x drops the search)") == true)
        try screen.send("x", "F1")
        #expect(try screen.text.contains("Help"))
        try screen.send("End")
        #expect(try screen.text.contains("^S"))
        try screen.send("q", "q")
        #expect(try screen.waitForExit() == 0)
    }

    /// What is at fault is said, the rest holds, and nothing keeps the list from being browsed.
    @Test(arguments: [
        ("{ keys = { moveDwn = n; help = F1; }; }", "keys.moveDwn: warning: unknown key", Int32(0)),
        ("{ colors = { hit = bleu; }; keys = { help = F1; }; }", "colors.hit: no colour “bleu”", 1),
        ("{ keys = ", "line 1", 1), ("(a)", "an array, not a dictionary", 1),
    ])
    func faultsAreSaid(config: String, message: String, status: Int32) throws {
        let (folder, environment) = try home(config)
        defer { folder.remove() }
        let file = folder.path + "/tlbrowse/config.plist"
        let check = try BuiltProgram.run(["--check", file], environment: environment)
        #expect(check.exitStatus == status && check.standardOutput.contains(message), "\(check.standardOutput)")
        let screen = try Screens.elementsByName(columns: 160, environment: environment)
        // A fault is called one on the screen.
        let said = try screen.lines.last?.replacingOccurrences(of: "fault: ", with: "")
        #expect(said?.contains(message) == true, "\(screen.shown)")
        #expect(try screen.lines.last?.contains("fault: ") == (status == 1))
        try screen.send("Down")
        if config.contains("F1") { #expect(try screen.lines.last?.hasSuffix("F1 help") == true) }
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
    }

    @Test func rightConfigPassesTheCheck() throws {
        let (folder, environment) = try home("{ keys = { help = F1; }; }")
        defer { folder.remove() }
        let file = folder.path + "/tlbrowse/config.plist"
        let check = try BuiltProgram.run(["--check", file], environment: environment)
        #expect(check.exitStatus == 0 && check.standardOutput == "tlbrowse: \(file): no faults\n")
    }
}
