import TestSupport
import Testing

@testable import SQLiteStores

/// Folding scalar by scalar against folding texts as a whole.
@Suite struct FoldedScalarsTests {
    private let folding = TextFolding(localeIdentifier: "en_001", selectors: [])

    /// As the sort keys have it: zeros as 1 1 and ones as 1 2.
    private func whole(_ bytes: [UInt8]) -> [UInt8] {
        let folded = bytes.withUnsafeBytes { Array(folding.fold($0)) }
        return folded.flatMap { $0 <= 1 ? [1, $0 + 1] : [$0] }
    }

    private func byScalars(_ bytes: [UInt8], _ scalars: FoldedScalars) -> [UInt8]? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: FoldedScalars.room(for: bytes.count)) { room in
            guard let start = room.baseAddress else { return nil }
            return bytes.withUnsafeBytes { text in
                scalars.write(text, to: start).map { Array(room[..<($0 - start)]) }
            }
        }
    }

    @Test func eachScalarIsFoldedAsByTheWholeWay() {
        let scalars = FoldedScalars(folding)
        var givenUp = 0
        for value in UInt32(0)..<0x20000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let bytes = Array(String(scalar).utf8)
            guard let folded = byScalars(bytes, scalars) else {
                givenUp += 1
                continue
            }
            #expect(folded == whole(bytes), "U+\(String(value, radix: 16))")
        }
        #expect(givenUp < 20)
    }

    @Test func randomTextsAreFoldedAsByTheWholeWay() {
        var generator = SeededGenerator(seed: 7)
        let scalars = FoldedScalars(folding)
        let ranges: [ClosedRange<UInt32>] = [
            0...0x7F, 0x80...0x24F, 0x300...0x36F, 0x370...0x5FF, 0x1E00...0x1FFF, 0x3040...0x30FF, 0xAC00...0xD7A3,
            0x1100...0x11FF,
            0x900...0xDFF, 0x1F300...0x1F6FF, 0x1D100...0x1D1FF, 0x20000...0x2A6DF,
        ]
        var written = 0
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<8, using: &generator) {
                let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
                guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) else { continue }
                bytes += Array(String(scalar).utf8)
            }
            if let folded = byScalars(bytes, scalars) {
                written += 1
                #expect(folded == whole(bytes), "\(bytes)")
            }
        }
        #expect(written > 10_000)
    }

    @Test func bytesThatAreNoTextAreLeftToTheWholeWay() {
        var generator = SeededGenerator(seed: 8)
        let scalars = FoldedScalars(folding)
        for bytes: [UInt8] in [
            [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0x61, 0xFF],
        ] {
            #expect(byScalars(bytes, scalars) == nil, "\(bytes)")
        }
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 1..<6, using: &generator)).map { _ in
                UInt8.random(in: Bool.random(using: &generator) ? 0...0xFF : 0x80...0xBF, using: &generator)
            }
            if let folded = byScalars(bytes, scalars) { #expect(folded == whole(bytes), "\(bytes)") }
        }
    }

    @Test func marksThatWouldChangePlacesAreLeftToTheWholeWay() {
        let scalars = FoldedScalars(folding)
        #expect(byScalars(Array("e\u{301}".utf8), scalars) == Array("e\u{301}".utf8))
        #expect(byScalars(Array("é\u{323}".utf8), scalars) == nil)
        #expect(byScalars(Array("ÉsTó".utf8), scalars) == Array("e\u{301}sto\u{301}".utf8))
    }
}
