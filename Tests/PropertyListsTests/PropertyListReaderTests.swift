import Foundation
import Testing

@testable import PropertyLists

@Suite struct PropertyListReaderTests {
    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func readsWhatFoundationWrites(format: PropertyListSerialization.PropertyListFormat) throws {
        for seed in 0..<150 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let value = Reference.random(depth: 3, using: &generator)
            let data = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
            let expected = try #require(Reference.read(data), "seed \(seed)")
            // Compared outside of the macro, which would print both in full.
            let agrees = Reference.sorted(try PropertyListReader.read(data: data)) == expected
            #expect(agrees, "seed \(seed)")
        }
    }

    @Test func readsIntegersOfEverySizeAsFoundationDoes() throws {
        let numbers = [0, 1, 127, 128, 255, 256, 65535, 65536, 1 << 31, 1 << 32, Int.max, -1, -128, -65536, Int.min]
        let data = try PropertyListSerialization.data(fromPropertyList: numbers, format: .binary, options: 0)
        #expect(try PropertyListReader.read(data: data) == .array(numbers.map { .integer(Int64($0)) }))
    }

    @Test func keepsTheOrderOfKeys() throws {
        let xml = try read("<plist><dict><key>z</key><integer>1</integer><key>a</key><true/></dict></plist>")
        #expect(xml == .dictionary([.init(key: "z", value: .integer(1)), .init(key: "a", value: .boolean(true))]))
        let old = try read("{ z = 1; a = YES; }")
        #expect(old == .dictionary([.init(key: "z", value: .string("1")), .init(key: "a", value: .string("YES"))]))
    }

    @Test func recognisesEncodings() throws {
        let text = "{ a = \"é😀\"; }"
        let expected = PropertyList.dictionary([.init(key: "a", value: .string("é😀"))])
        #expect(try PropertyListReader.read(bytes: [0xEF, 0xBB, 0xBF] + Array(text.utf8)) == expected)
        let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        #expect(try PropertyListReader.read(bytes: [0xFF, 0xFE] + little) == expected)
        #expect(try PropertyListReader.read(bytes: [0xFE, 0xFF] + big) == expected)
        #expect(try PropertyListReader.read(bytes: little) == expected)
        #expect(try PropertyListReader.read(bytes: big) == expected)
        let latin =
            Array("<?xml version='1.0' encoding='ISO-8859-1'?><plist><string>".utf8) + [0xE9] + Array("</string></plist>".utf8)
        #expect(try PropertyListReader.read(bytes: latin) == .string("é"))
    }

    @Test func namesWhatIsNoPropertyList() {
        #expect(problem([]) == "empty, not a property list")
        #expect(problem(" \n") == "empty, not a property list")
        #expect(problem(Array("SQLite format 3\0".utf8) + [1, 2]) == "not a property list: it is a SQLite database")
        #expect(problem("{\n \"a\": 1}") == "not a property list: line 2: “:” where “=” belongs; it looks like JSON")
        #expect(problem("a = b;\n\0") == "not a property list: line 2: a NUL byte")
        #expect(problem([0x7B, 0x0A, 0xC3, 0x28]) == "not a property list: line 2: not text in UTF-8")
        #expect(
            problem("<?xml version='1.0' encoding='KLINGON'?><plist/>")
                == "not a property list: line 1: its encoding “KLINGON” is not known")
        #expect(
            problem("bplist15" + String(repeating: "x", count: 40))
                == "not a property list: its binary format is version “15”; only version 00 is known")
        #expect(problem("bplist00") == "not a property list: the binary file is cut off after its beginning")
    }

    @Test func refusesWhatIsNoFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("PropertyLists-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let fifo = folder.appendingPathComponent("fifo").path
        #expect(mkfifo(fifo, 0o600) == 0)
        let file = folder.appendingPathComponent("list.plist").path
        try Data("{ a = b }".utf8).write(to: URL(fileURLWithPath: file))
        func cause(_ path: String, limits: PropertyListLimits = PropertyListLimits()) -> PropertyListError? {
            do {
                _ = try PropertyListReader.read(file: path, limits: limits)
                return nil
            } catch {
                return error
            }
        }
        #expect(cause(fifo)?.cause == .notAFile("a pipe"))
        #expect(cause(folder.path)?.cause == .notAFile("a folder"))
        #expect(cause("/dev/zero")?.cause == .notAFile("a device"))
        #expect(cause(folder.path + "/none")?.cause == .missing)
        #expect(cause(file)?.file == file)
        #expect(cause(file)?.line == 1)
        var limits = PropertyListLimits()
        limits.fileBytes = 4
        #expect(cause(file, limits: limits)?.cause == .tooLarge(size: 9, limit: 4))
        #expect(cause("/proc/self/status")?.cause != .empty)
    }

    /// Whatever the damage: a value or an error, and for what Foundation reads too, no trap.
    @Test func survivesMutations() throws {
        var sources: [[UInt8]] = [Array("{ a = b; \"c d\" = (1, 2, <0a0b>, { x = 'y'; }); /* n */ e = \"\\U00e9\\101\"; }".utf8)]
        for seed in 0..<4 {
            var generator = SeededGenerator(seed: UInt64(1000 + seed))
            let value = (0..<4).map { _ in Reference.random(depth: 2, using: &generator) }
            for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
                sources.append([UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)))
            }
        }
        var values = 0
        var errors = 0
        for (index, source) in sources.enumerated() {
            for seed in 0..<1000 {
                var generator = SeededGenerator(seed: UInt64(index * 100_000 + seed))
                var bytes = source
                for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<6, using: &generator) {
                    case 0: bytes.remove(at: place)
                    case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                    case 2: bytes.removeSubrange(place...)
                    case 3: bytes[max(0, bytes.count - 1 - place % 40)] = UInt8.random(in: 0...255, using: &generator)
                    default: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                    }
                }
                if let problem = problem(bytes) {
                    #expect(!problem.contains("\n"))
                    errors += 1
                } else {
                    values += 1
                }
            }
        }
        #expect(values > 500 && errors > 500)
    }
}
