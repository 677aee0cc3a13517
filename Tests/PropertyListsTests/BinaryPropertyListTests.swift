import Foundation
import TestSupport
import Testing

@testable import PropertyLists

@Suite struct BinaryPropertyListTests {
    /// One of each kind, with every width of references and offsets.
    @Test func honoursTheWidthsOfTheTrailer() throws {
        for referenceSize in 1...8 {
            for offsetSize in 1...8 {
                var writer = BinaryPropertyListWriter()
                writer.referenceSize = referenceSize
                writer.offsetSize = offsetSize
                let items: [BinaryPropertyListWriter.Object] = [
                    .boolean(true), .integer(-7), .real(2.5), .date(12.5), .string("abc"), .string("é😀"), .data([1, 2]), .uid(9),
                ]
                let numbers = items.map { writer.add($0) }
                let key = writer.add(.string("key"))
                let set = writer.add(.set([numbers[1]]))
                let dictionary = writer.add(.dictionary([(key, set)]))
                writer.top = writer.add(.array(numbers + [dictionary]))
                let expected = PropertyList.array([
                    .boolean(true), .integer(-7), .real(2.5), .date(Date(timeIntervalSinceReferenceDate: 12.5)), .string("abc"),
                    .string("é😀"), .data(Data([1, 2])), .uid(9), .dictionary([.init(key: "key", value: .array([.integer(-7)]))]),
                ])
                #expect(try PropertyListReader.read(bytes: writer.bytes()) == expected)
            }
        }
    }

    private func value(_ raw: [UInt8]) -> PropertyList? {
        var writer = BinaryPropertyListWriter()
        writer.top = writer.add(.raw(raw))
        return try? PropertyListReader.read(bytes: writer.bytes())
    }

    @Test func readsEveryWidthOfNumbers() {
        #expect(value([0x10, 0xFF]) == .integer(255))
        #expect(value([0x11, 0xFF, 0xFF]) == .integer(65535))
        #expect(value([0x12, 0xFF, 0xFF, 0xFF, 0xFF]) == .integer(4_294_967_295))
        #expect(value([0x13] + Array(repeating: 0xFF, count: 8)) == .integer(-1))
        #expect(
            value([0x14] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8)) == .unsigned(.max))
        #expect(value([0x14] + Array(repeating: 0xFF, count: 16)) == .integer(-1))
        #expect(value([0x14, 1] + Array(repeating: 0, count: 15)) == nil)
        #expect(value([0x15] + Array(repeating: 0, count: 32)) == nil)
        #expect(value([0x22, 0x3F, 0xC0, 0, 0]) == .real(1.5))
        #expect(value([0x7F, 0x10, 2, 0xC3, 0xA9]) == .string("é"))
        #expect(value([0x00]) == nil)
        #expect(value([0x0F]) == nil)
        #expect(value([0xE0]) == nil)
    }

    /// 2^n values of a file of some hundred bytes: refused before anything is made.
    @Test func refusesBombs() {
        for shape in 0..<2 {
            var writer = BinaryPropertyListWriter()
            let keys = (0..<10).map { writer.add(.string("k\($0)")) }
            var last = writer.add(.string("boom"))
            for _ in 0..<40 {
                let items = Array(repeating: last, count: 10)
                last = writer.add(shape == 0 ? .array(items) : .dictionary(zip(keys, items).map { (key: $0.0, value: $0.1) }))
            }
            writer.top = last
            let bytes = writer.bytes()
            #expect(bytes.count < 3000)
            #expect(problem(bytes)?.hasPrefix("its objects take more than") == true)
        }
    }

    @Test func refusesCyclesAndDepth() {
        var writer = BinaryPropertyListWriter()
        writer.top = writer.add(.array([0]))
        #expect(problem(writer.bytes()) == "not a property list: object 0 contains itself")
        writer = BinaryPropertyListWriter()
        _ = writer.add(.array([1]))
        _ = writer.add(.array([2]))
        _ = writer.add(.array([0]))
        #expect(problem(writer.bytes()) == "not a property list: object 0 contains itself")
        for (depth, expected) in [
            (512, nil), (513, "nested more than 512 levels deep"), (50_000, "nested more than 512 levels deep"),
        ] {
            for backwards in [false, true] {
                writer = BinaryPropertyListWriter()
                for index in 0..<depth {
                    // Down from the top, or up from the leaf, whose depth then is known before.
                    let next = backwards ? index - 1 : index + 1
                    _ = writer.add(.array((0..<depth).contains(next) ? [next] : []))
                }
                writer.top = backwards ? depth - 1 : 0
                #expect(problem(writer.bytes()) == expected)
            }
        }
        // A deep leaf met first near the top, then again further down.
        writer = BinaryPropertyListWriter()
        for index in 0..<400 { _ = writer.add(.array(index > 0 ? [index - 1] : [])) }
        var last = writer.add(.array([]))
        for _ in 0..<200 { last = writer.add(.array([399, last])) }
        let shallow = writer
        writer.top = writer.add(.array([399, last]))
        #expect(problem(writer.bytes()) == "nested more than 512 levels deep")
        writer = shallow
        writer.top = 399
        #expect(problem(writer.bytes()) == nil)
    }

    @Test func namesDamage() {
        var writer = BinaryPropertyListWriter()
        writer.top = writer.add(.array([7]))
        #expect(problem(writer.bytes()) == "not a property list: object 0 refers to object 7, which is not in the file")
        writer = BinaryPropertyListWriter()
        let number = writer.add(.integer(1))
        writer.top = writer.add(.dictionary([(number, number)]))
        #expect(problem(writer.bytes())?.hasSuffix("is not a string") == true)
        writer = BinaryPropertyListWriter()
        writer.top = writer.add(.raw([0x5F, 0x13] + Array(repeating: 0x7F, count: 8)))
        #expect(problem(writer.bytes())?.contains("goes beyond the end") == true)
        writer = BinaryPropertyListWriter()
        _ = writer.add(.string("abc"))
        #expect(problem(Array(writer.bytes().dropLast(1)))?.contains("damaged or cut off") == true)
    }

    /// All single-byte changes of a small file, and all its beginnings.
    @Test func survivesEveryChangeOfAByte() {
        var writer = BinaryPropertyListWriter()
        writer.referenceSize = 1
        writer.offsetSize = 1
        let key = writer.add(.string("k"))
        let items = writer.add(.array([key, key]))
        writer.top = writer.add(.dictionary([(key, items)]))
        let bytes = writer.bytes()
        var read = 0
        for place in bytes.indices {
            for value in UInt8.min...UInt8.max {
                var changed = bytes
                changed[place] = value
                if problem(changed) == nil { read += 1 }
            }
            // Shorter ones are words of the old style.
            if place >= 6 { #expect(problem(Array(bytes[..<place])) != nil) }
        }
        #expect(read > bytes.count)
    }

    /// Runs of random bytes between a good header and trailer.
    @Test func survivesRandomObjects() {
        for seed in 0..<5000 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var writer = BinaryPropertyListWriter()
            writer.referenceSize = 1
            writer.offsetSize = 1
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let length = Int.random(in: 1...12, using: &generator)
                _ = writer.add(.raw((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) & 0xF7 }))
            }
            let bytes = writer.bytes()
            let problem = problem(bytes)
            #expect(problem == nil || problem?.isEmpty == false)
            // The outline reads the same objects one by one; walked breadth first, it must end by our count only.
            guard let root = try? OutlineNode.root(bytes: bytes) else { continue }
            var nodes = [root]
            var index = 0
            while index < nodes.count, nodes.count < 200 {
                nodes += nodes[index].children(in: 0..<20)
                index += 1
            }
            #expect(nodes.allSatisfy { $0.summary.count <= OutlineNode.summaryLength + 1 })
        }
    }
}
