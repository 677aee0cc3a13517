import ObjectStore
import Testing

@testable import SQLiteStores

@Suite struct KeyWindowsTests {
    /// Every key is in one window, in order, wherever a reading breaks off.
    @Test(arguments: [true, false], [true, false])
    func coversTheRange(backward: Bool, isCut: Bool) {
        for range: ClosedRange<ObjectKey> in [
            1...1, 0...20_000, -5...5, ObjectKey.max - 10...ObjectKey.max, ObjectKey.min...(ObjectKey.min + 10),
        ] {
            for stop in [nil, 7, 1000] as [Int64?] {
                var windows = KeyWindows(range, backward: backward, isCut: isCut)
                var edge = backward ? range.upperBound : range.lowerBound
                var covered: UInt64 = 0
                while let window = windows.next() {
                    #expect((backward ? window.upperBound : window.lowerBound) == edge)
                    let width = UInt64(bitPattern: window.upperBound &- window.lowerBound)
                    // Broken off after so many keys, where there are more.
                    let cut = stop.flatMap { UInt64($0) < width ? $0 : nil }
                    let last = cut.map { backward ? window.upperBound - $0 : window.lowerBound + $0 }
                    windows.finish(at: last)
                    let end = last ?? (backward ? window.lowerBound : window.upperBound)
                    covered += cut.map { UInt64($0) + 1 } ?? width + 1
                    edge = backward ? end &- 1 : end &+ 1
                }
                #expect(covered == UInt64(range.upperBound - range.lowerBound) + 1)
            }
        }
    }

    @Test func aWholeRangeTakesFewWindows() {
        var windows = KeyWindows(.min ... .max, backward: false, isCut: true)
        var count = 0
        while windows.next() != nil, count < 1000 {
            windows.finish()
            count += 1
        }
        #expect(count < 1000)
    }
}
