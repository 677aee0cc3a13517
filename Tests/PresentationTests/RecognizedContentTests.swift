import Foundation
import Presentation
import Testing

@Suite struct RecognizedContentTests {
    static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 120, 0, 0, 0, 80, 8]
    static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 6, 1, 2, 3, 4, 0xFF, 0xFF, 0xDB, 0, 4, 9, 9] + [
            0xFF, 0xC0, 0, 11, 8, 0x01, 0xE0, 0x02, 0x80, 3, 1,
        ]
    static let gif: [UInt8] = Array("GIF89a".utf8) + [16, 0, 0, 1, 0]
    static let version4: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF, 0, 0x11, 0x42, 0x22, 0x83, 0x33, 4, 5, 6, 7, 8, 9]

    @Test(
        arguments: [
            (png, "PNG 120×80, cut off"), (Array(png.prefix(10)), "PNG, 10 bytes, cut off"), (jpeg, "JPEG 640×480, cut off"),
            (Array(jpeg.prefix(8)), "JPEG, 8 bytes, cut off"), (jpeg + [9, 0xFF, 0xD9, 0], "JPEG 640×480"),
            (gif, "GIF 16×256, cut off"), (gif + [0x3B], "GIF 16×256"), (Array("%PDF-1.4\n".utf8), "PDF, 9 bytes"),
            (Array("bplist00".utf8) + [0xFF], "bplist, 9 bytes"),
            (Array("bplist00____NSKeyedArchiver".utf8), "keyed archive, 27 bytes"), ([0x1F, 0x8B, 8, 0], "gzip, 4 bytes"),
            ([0x78, 0x9C, 0xED, 0xC1, 0x01, 0x01, 0, 0], "zlib, 8 bytes"), ([0x50, 0x4B, 3, 4], "ZIP, 4 bytes"),
            (Array("SQLite format 3\0".utf8), "SQLite database, 16 bytes"),
            (version4, "UUID DEADBEEF-0011-4222-8333-040506070809"),
            (Array("sixteen bytes ok".utf8), "text, 16 bytes: sixteen bytes ok"), (Array(repeating: 0xFF, count: 16), "16 bytes"),
            (Array("Grüße\n an   alle".utf8), "text, 18 bytes: Grüße an alle"),
            (Array("x^y is fine".utf8), "text, 11 bytes: x^y is fine"),
            // Coloured text, and bytes in which escapes are no exception.
            (Array("\u{1B}[31mError:\u{1B}[0m no such file".utf8), "text, 28 bytes: \u{1B}[31mError:\u{1B}[0m no such file"),
            ([0x1B, 0x41, 0x1B, 0x42], "4 bytes"),
            (Array("{\"a\": 1}".utf8), "JSON, 8 bytes: {\"a\": 1}"), (Array("[1, 2]".utf8), "JSON, 6 bytes: [1, 2]"),
            (Array("{a = 1;}".utf8), "text, 8 bytes: {a = 1;}"),
            (Array("<?xml version=\"1.0\"?><a/>".utf8), "XML, 25 bytes: <?xml version=\"1.0\"?><a/>"),
            (Array("<?xml?><plist/>".utf8), "property list, 15 bytes: <?xml?><plist/>"),
            ([0xFF, 0xFE, 0x41, 0, 0xE9, 0], "text, 6 bytes: Aé"),
            ([0xFE, 0xFF, 0xD8, 0x00], "4 bytes"), ([0x1B, 0x5B, 0x32, 0x4A], "4 bytes"), ([0xC3], "1 byte"), ([], "0 bytes"),
            (Array("BM".utf8), "text, 2 bytes: BM"),
        ] as [([UInt8], String)])
    func summaries(bytes: [UInt8], summary: String) { #expect(RecognizedContent(Data(bytes)).summary == summary) }

    /// Wherever a picture is cut, it says so; what follows its end does no harm.
    @Test func aPictureThatIsCutOff() {
        let chunk = { (name: String, count: UInt8) -> [UInt8] in
            [0, 0, 0, count] + Array(name.utf8) + [UInt8](repeating: 7, count: Int(count) + 4)
        }
        let whole = Self.png + [2, 0, 0, 0, 1, 2, 3, 4] + chunk("IDAT", 40) + chunk("IDAT", 3) + chunk("IEND", 0)
        #expect(RecognizedContent(Data(whole)).summary == "PNG 120×80")
        #expect(RecognizedContent(Data(whole + [0, 0, 1])).summary == "PNG 120×80")
        for count in 24..<whole.count {
            #expect(RecognizedContent(Data(whole.prefix(count))).summary == "PNG 120×80, cut off", "\(count)")
        }
        let webp = Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8L".utf8) + [10, 0, 0, 0, 0x2F, 9, 0, 0, 0, 1, 2, 3, 4, 5]
        #expect(!RecognizedContent(Data(webp)).isCutOff)
        #expect(RecognizedContent(Data(webp.dropLast())).isCutOff)
    }

    /// A guess is said to be one, and bytes of other kinds are none.
    @Test(
        arguments: [
            (
                "Gr\u{FC}\u{DF}e aus K\u{F6}ln".unicodeScalars.map { UInt8($0.value) },
                "14 bytes, perhaps text in Latin-1: Grüße aus Köln"
            ),
            (
                [0x93, 0x71, 0x75, 0x6F, 0x74, 0x65, 0x64, 0x94, 0x20, 0x31, 0x30],
                "11 bytes, perhaps text in Windows-1252: “quoted” 10"
            ),
            ([0x41, 0, 0x64, 0, 0xE9, 0, 0x6C, 0, 0x65, 0], "10 bytes, perhaps text in UTF-16LE: Adéle"),
            ([0, 0x41, 0, 0x64, 0, 0x65, 0, 0x6C, 0, 0x65], "10 bytes, perhaps text in UTF-16BE: Adele"),
            ([0x41, 0xE9], "2 bytes"), ([0x41, 0x42, 0xE9, 0xE8, 0xE7, 0xE6], "6 bytes"),
            ([0x41, 0x42, 0x43, 0x44, 0x81], "5 bytes"),
            ([0x41, 0x42, 0x43, 0x44, 0x00, 0xE9], "6 bytes"), ([0x41, 0, 0x42, 0, 0x43, 0, 0x44], "7 bytes"),
            // Other alphabets are not what is guessed: KOI8-R.
            ([0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4, 0x20, 0xCD, 0xC9, 0xD2], "10 bytes"),
        ] as [([UInt8], String)])
    func guessesEncodings(bytes: [UInt8], summary: String) { #expect(RecognizedContent(Data(bytes)).summary == summary) }

    /// An archive as `NSKeyedArchiver` lays it out; this platform has no archiver that is worth trusting, so it is written by hand.
    @Test func archivesNameTheClassOfTheirObject() throws {
        let objects: [UInt8] =
            [0xD4, 1, 2, 3, 4, 5, 6, 7, 8]  // top: $version, $archiver, $top, $objects
            + [0x58] + Array("$version".utf8) + [0x59] + Array("$archiver".utf8) + [0x54] + Array("$top".utf8) + [0x58]
            + Array("$objects".utf8) + [0x12, 0, 1, 0x86, 0xA0] + [0x5F, 0x10, 15] + Array("NSKeyedArchiver".utf8)
            + [0xD1, 9, 10] + [0xA3, 11, 12, 13] + [0x54] + Array("root".utf8) + [0x80, 1] + [0x55] + Array("$null".utf8)
            + [0xD1, 14, 15] + [0xD1, 16, 17] + [0x56] + Array("$class".utf8) + [0x80, 2] + [0x5A] + Array("$classname".utf8)
            + [0x57] + Array("NSColor".utf8)
        let sizes = [9, 9, 10, 5, 9, 5, 18, 3, 4, 5, 2, 6, 3, 3, 7, 2, 11, 8]
        #expect(sizes.reduce(0, +) == objects.count)
        var offsets: [UInt8] = []
        var offset: UInt8 = 8
        for size in sizes {
            offsets.append(offset)
            offset += UInt8(size)
        }
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(sizes.count)] + Array(repeating: 0, count: 8)
            + [0, 0, 0, 0, 0, 0, 0, offset]
        let archive = Array("bplist00".utf8) + objects + offsets + trailer
        #expect(RecognizedContent(Data(archive)).summary == "keyed archive NSColor, \(archive.count) bytes")
        for length in 8..<archive.count {
            let cut = RecognizedContent(Data(archive.prefix(length))).summary
            #expect(cut == "bplist, \(length) bytes" || cut == "keyed archive, \(length) bytes")
        }
    }

    @Test func longTextIsCutInItsExcerpt() {
        let text = String(repeating: "é", count: 5000)
        #expect(RecognizedContent(Data(text.utf8)).summary == "text, 10000 bytes: " + String(repeating: "é", count: 60) + "…")
        #expect(RecognizedContent(Data(("a" + text).utf8)).summary.hasPrefix("text, 10001 bytes: aé"))
    }

    /// Every prefix of every sample, also as a slice that does not start at 0, is read within its bounds.
    @Test func prefixesNeverTrap() {
        let samples = [
            RecognizedContentTests.png, RecognizedContentTests.jpeg, RecognizedContentTests.gif,
            Array("RIFF0000WEBPVP8L".utf8) + Array(repeating: 7, count: 20),
        ]
        for sample in samples {
            for length in 0...sample.count {
                let whole = Data([1, 2, 3] + sample.prefix(length))
                let slice = whole.dropFirst(3)
                #expect(RecognizedContent(slice).summary == RecognizedContent(Data(sample.prefix(length))).summary)
            }
        }
    }

    /// A JPEG whose segments never end in a frame.
    @Test func endlessSegmentsAreGivenUp() {
        let bytes: [UInt8] = [0xFF, 0xD8] + Array(repeating: [0xFF, 0xE1, 0, 2], count: 5000).flatMap { $0 }
        #expect(RecognizedContent(Data(bytes)).summary == "JPEG, 20002 bytes, cut off")
    }
}
