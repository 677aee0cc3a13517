import Foundation
import PropertyLists
import TestSupport
import Testing

/// File names are bytes: every name comes back as it was, also where it is no UTF-8.
@Suite struct SystemPathTests {
    private func text(_ bytes: [UInt8]) -> String {
        let characters = bytes.map { CChar(bitPattern: $0) } + [0]
        return characters.withUnsafeBufferPointer { $0.baseAddress.map(SystemPath.text) ?? "" }
    }

    private func roundTrip(_ bytes: [UInt8]) -> [UInt8] { SystemPath.bytes(text(bytes)) }

    @Test func everyNameComesBack() {
        for byte in UInt8(1)...255 { #expect(roundTrip([byte]) == [byte]) }
        for first in UInt8(0x7F)...255 {
            for second in UInt8(0x7F)...255 { #expect(roundTrip([first, second, 0x61]) == [first, second, 0x61]) }
        }
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 1...255, using: &generator) }
            #expect(roundTrip(bytes) == bytes)
        }
        // Also the scalars that stand for bytes, where a name has them itself.
        for value in UInt32(0x10_FE70)...0x10_FF10 {
            let bytes = Array(String(Unicode.Scalar(value) ?? "?").utf8)
            #expect(roundTrip(bytes) == bytes)
        }
    }

    @Test func whatIsUTF8IsItself() {
        for name in ["a.sqlite", "Ünï 東.store", "🇩🇪", ""] {
            #expect(name.withCString(SystemPath.text) == name && SystemPath.shown(name) == name)
            #expect(SystemPath.bytes(name) == Array(name.utf8))
        }
        #expect(SystemPath.shown(text([0x62, 0xFF, 0x2E])) == "b\\xFF.")
    }

    @Test func filesAreFoundByTheirBytes() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let name = text([0x61, 0xFF, 0xC3, 0x28])
        let path = folder.path + "/" + name
        let descriptor = SystemPath.withCString(path) { creat($0, 0o600) }
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(SystemPath.names(in: folder.path) == [name])
        #expect(SystemPath.resolved(path).map { $0.hasSuffix("/" + name) } == true)
        #expect(SystemPath.status(path).map { SystemPath.kindThatIsNoFile($0.st_mode) } == .some(nil))
        let opened = SystemPath.openForReading(path)
        #expect(opened >= 0)
        close(opened)
        #expect(SystemPath.status(folder.path).flatMap { SystemPath.kindThatIsNoFile($0.st_mode) } == "a folder")
        #expect(SystemPath.status(folder.path + "/nothing") == nil)
        #expect(SystemPath.names(in: path).isEmpty)
    }
}
