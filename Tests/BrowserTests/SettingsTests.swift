import Foundation
import PlistConfig
import Screens
import TerminalUI
import TestSupport
import Testing

@testable import Browser

/// What a config plist makes of keys and looks.
struct SettingsTests {
    private func keymap(_ changes: [(String, [String])]) -> Keymap {
        Keymap(changing: changes.map { (command: $0.0, keys: $0.1.compactMap { Key(name: $0) }) })
    }

    @Test func everyKeyReadsItsOwnName() {
        for key in Set(Keymap.standard.flatMap(\.keys)) { #expect(Key(name: key.name) == key, "\(key.name)") }
        #expect(
            Key(name: "ctrl-s") == .control("s") && Key(name: "pgdn") == Key(.pageDown) && Key(name: "F12") == Key(.function(12)))
        #expect(Key(name: "Alt-x") == Key(.character("x"), alt: true))
        #expect(Key(name: "^I") == Key(.tab))
        for name in ["", "xx", "^1", "F25", "Alt-", "PageDown"] { #expect(Key(name: name) == nil, "\(name)") }
    }

    @Test func givenKeysTakeThePlaceOfTheUsualOnes() {
        let changed = keymap([("moveDown", ["n", "Down"]), ("detail.back", ["b"]), ("back", ["x"]), ("help", [])])
        #expect(changed.command(for: .character("n"), in: .list) == .moveDown)
        #expect(changed.command(for: .character("j"), in: .list) == nil)
        #expect(changed.command(for: .character("b"), in: .detail) == .back)
        #expect(changed.command(for: .character("x"), in: .detail) == nil)
        #expect(changed.command(for: .character("x"), in: .list) == .back)
        #expect(changed.command(for: .character("q"), in: .list) == nil)
        #expect(changed.command(for: .character("?"), in: .list) == nil)
        // ^C always stops, whatever is said.
        #expect(keymap([("interrupt", []), ("find", ["^C"])]).command(for: .control("c"), in: .list) == .interrupt)
        #expect(
            keymap([]).bindings == Keymap.standard.filter { $0.command == .interrupt }
                + Keymap.standard.filter { $0.command != .interrupt })
    }

    @Test func hintsAndHelpNameTheKeysThatAreBound() {
        let changed = keymap([("help", ["F1"]), ("cancel", []), ("nextHit", ["j"])])
        #expect(changed.labels(for: .list).hint(.help, "help") == "F1 help")
        #expect(changed.labels(for: .list).hint(.cancel, "back") == "")
        #expect(Keymap().labels(for: .text).hint(.back, "back") == "q back")
        let help = changed.helpLines(for: .list)
        #expect(help.contains { $0.label == "F1" } && !help.contains { $0.label == "?" })
        // j went from moveDown to the next hit.
        #expect(help.contains { $0.label == "↓" && $0.text == "a row down" })
    }

    @Test func everyNameOfTheVocabularyIsOfUse() {
        for name in Keymap.commandNames {
            let changed = keymap([(name.name, ["F20"])])
            let isBound = KeyContext.allCases.contains { changed.command(for: Key(.function(20)), in: $0) != nil }
            #expect(isBound, "\(name.name)")
        }
        #expect(Set(Keymap.commandNames.map(\.name)).count == Keymap.commandNames.count)
    }

    @Test func looksReachTheTheme() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.path + "/config.plist"
        try ##"{ colors = { accent = "magenta bold"; cursor = { background = "#0000ff"; }; }; }"##.write(
            toFile: file, atomically: true, encoding: .utf8)
        let (description, faults) = ConfigDescription.load(file: file, vocabulary: Settings.vocabulary)
        #expect(faults.isEmpty)
        let looks = Settings(description).looks
        let theme = Theme(palette: .full, looks: looks)
        #expect(theme.attributes(for: Style(.accent)) == TerminalAttributes(foreground: 5, bold: true))
        #expect(theme.attributes(for: Style(.text, isCursor: true)) == TerminalAttributes(background: 21))
        #expect(Theme(palette: .direct, looks: looks).attributes(for: Style(.text, isCursor: true)).background == 0xFF)
        #expect(Theme(palette: .eight, looks: looks).attributes(for: Style(.text, isCursor: true)).background == 4)
        // Without colours the bar is still one.
        #expect(Theme(palette: .monochrome, looks: looks).attributes(for: Style(.text, isCursor: true)).isReverse)
        #expect(Settings.file(environment: ["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/tlbrowse/config.plist")
        #expect(Settings.file(environment: ["XDG_CONFIG_HOME": "c", "HOME": "/h"]) == "/h/.config/tlbrowse/config.plist")
        #expect(Settings.file(environment: [:]) == nil)
    }
}
