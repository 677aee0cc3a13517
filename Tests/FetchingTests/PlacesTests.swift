import Fetching
import IndexPathModel
import ObjectStore
import TestSupport
import Testing

/// Where single objects stand, in lists too long for a table.
struct PlacesTests {
    @Test(arguments: [90, 120_000]) func everyWayFindsTheSamePlace(count: Int) throws {
        var random = SeededGenerator(seed: 17)
        let keys = ContiguousArray((0..<ObjectKey(count)).map { $0 &* 7919 % ObjectKey(count) &* 2 })
        let sizes = [count / 3, 1, count - count / 3 - 1]
        let model = ListContents.Model(
            identifiers: keys,
            sections: zip(["A", nil, "C"], sizes).map { (name: SectionName($0), indexTitle: nil, count: $1) })
        let names = ["A", nil, "C", "nowhere"].map { SectionName($0) }
        for round in 0..<60 {
            // Each second one is not there.
            let position = Int.random(in: 0..<count, using: &random)
            let key = keys[position] + ObjectKey(round % 2)
            let place = model.indexPath(forIdentifier: key)
            #expect((place == nil) == (round % 2 == 1))
            #expect(model.indexPath(ofObject: key) == place)
            for name in names {
                for row in [-5, 0, place?.row ?? 3, (place?.row ?? 3) + 30_000, .max] {
                    #expect(model.indexPath(ofObject: key, near: row, inSectionNamed: name) == place)
                }
            }
        }
    }
}
