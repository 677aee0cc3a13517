import Foundation
import Testing

@testable import PropertyLists

@Suite struct OpenStepParserTests {
    /// A random property list in the old style, with every freedom that the format leaves.
    private func text(depth: Int, using generator: inout SeededGenerator) -> String {
        func blank(_ generator: inout SeededGenerator) -> String {
            ["", " ", "\n", "\t", " /* note */ ", " // note\n", "\r\n"][Int.random(in: 0..<7, using: &generator)]
        }
        switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &generator) {
        case 0: return ["abc", "12", "-1.5", "a_b/c:d.e$f-g", "YES", "/path/x"][Int.random(in: 0..<6, using: &generator)]
        case 1, 2:
            let pieces = [
                "a", " ", "é", "\\n", "\\\"", "\\\\", "\\101", "\\341", "\\U00e9", "\\Ud83d\\Ude00", "日", "😀", ";", "//", "/*",
                "\n", "\\'", "\\7", "\\e", "\\é",
            ]
            let quote = Bool.random(using: &generator) ? "\"" : "'"
            return quote
                + (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                    pieces[Int.random(in: 0..<pieces.count, using: &generator)]
                }.joined() + quote
        case 3:
            return "<"
                + (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    String(format: "%02x", UInt8.random(in: 0...255, using: &generator))
                        + blank(&generator).filter { $0 == " " || $0 == "\n" }
                }.joined() + ">"
        case 4:
            let items = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                blank(&generator) + text(depth: depth - 1, using: &generator) + blank(&generator)
            }
            return "(" + items.joined(separator: ",") + (items.isEmpty || Bool.random(using: &generator) ? "" : ", ") + ")"
        default:
            let entries = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                blank(&generator) + ["key", "\"a b\"", "k2", "'é'", "x.y"][Int.random(in: 0..<5, using: &generator)]
                    + blank(&generator)
                    + (Int.random(in: 0..<8, using: &generator) == 0
                        ? ";" : "=" + blank(&generator) + text(depth: depth - 1, using: &generator) + blank(&generator) + ";")
            }
            return "{" + entries.joined() + blank(&generator) + "}"
        }
    }

    @Test func agreesWithFoundation() throws {
        for seed in 0..<1500 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let data = Data(text(depth: 3, using: &generator).utf8)
            let expected = Reference.read(data)
            let agrees = (try? PropertyListReader.read(data: data)).map(Reference.sorted) == expected
            #expect(expected != nil && agrees, "seed \(seed)")
        }
    }

    /// Whatever of a damaged text is taken, is taken as Foundation takes it. (Foundation takes more: arrays without an end.)
    @Test func takesNothingOtherwiseThanFoundation() throws {
        let signs = Array("{}()<>;,=\"'\\/ab0+".unicodeScalars)
        var taken = 0
        for seed in 0..<3000 {
            var generator = SeededGenerator(seed: UInt64(10_000 + seed))
            var scalars = Array(text(depth: 3, using: &generator).unicodeScalars)
            guard !scalars.isEmpty else { continue }
            let place = Int.random(in: 0..<scalars.count, using: &generator)
            let sign = signs[Int.random(in: 0..<signs.count, using: &generator)]
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: scalars.remove(at: place)
            case 1: scalars.insert(sign, at: place)
            default: scalars[place] = sign
            }
            var damaged = String.UnicodeScalarView()
            damaged.append(contentsOf: scalars)
            let data = Data(String(damaged).utf8)
            // Foundation is asked only about what it reads too: it prints what it cannot.
            guard let value = try? PropertyListReader.read(data: data) else { continue }
            taken += 1
            let agrees = Reference.sorted(value) == Reference.read(data)
            #expect(agrees, "seed \(seed)")
        }
        #expect(taken > 500)
    }

    @Test func readsStringsFilesAndRepeatedKeys() throws {
        #expect(try read("a = 1; \"b c\" = (x);").dictionaryKeys == ["a", "b c"])
        #expect(
            try read("{ a = 1; b = 2; a = 3; }")
                == .dictionary([.init(key: "a", value: .string("3")), .init(key: "b", value: .string("2"))]))
        #expect(try read("word") == .string("word"))
        let many = (0..<40).map { "k\($0 % 20) = v\($0);" }.joined()
        #expect(try read("{\(many)}")["k7"] == .string("v27"))
        #expect(try read("{\(many)}").dictionaryKeys.count == 20)
    }

    @Test(arguments: [
        ("{ a = b\n c = d; }", 1, "“;” is missing after the value of “a”"),
        ("{\n a = b;\n c = (1, 2;\n}", 3, "“,” or “)” is missing in the array that begins in line 3"),
        ("{\n a = b;\n", 3, "the file ends inside the dictionary that begins in line 1: a “}” is missing"),
        ("(\n a,\n", 3, "the file ends inside the array that begins in line 1: a “)” is missing"),
        ("{ a b; }", 1, "“=” is missing after the key “a”"),
        ("{ a = \"b; }\n", 1, "the string that begins in line 1 has no closing quote"),
        ("{ a = b; }\n}", 2, "“}” after the end of the property list"),
        ("{ a = ; }", 1, "“;” where a value belongs"),
        ("{ a = <0g>; }", 1, "“g” in <…>, where only hexadecimal digits belong"),
        ("{ a = <0>; }", 1, "an odd number of digits in <…>"),
        ("/* a\nb", 1, "the comment that begins in line 1 has no end"),
        ("{ name = Jürgen; }", 1, "“;” is missing after the value of “name”"),
        ("{ name = été; }", 1, "“é” where a value belongs; such text needs quotes"),
        ("[1, 2]", 1, "“[” where a value belongs"),
        ("hello there", 1, "“=” is missing after the key “hello”"),
    ])
    func saysWhatIsWrongAndWhere(source: String, line: Int, reason: String) {
        #expect(problem(source) == "not a property list: line \(line): \(reason)")
    }
}

extension PropertyList {
    var dictionaryKeys: [String] {
        if case .dictionary(let entries) = self { entries.map(\.key) } else { [] }
    }
}
