import Foundation
import TestSupport
import Testing

/// The plists and documents that are shipped hang together.
struct ExampleFilesTests {
    static let configs = BuiltProgram.projectFile("Configs")
    static let plists = ((try? FileManager.default.contentsOfDirectory(atPath: configs)) ?? []).filter { $0.hasSuffix(".plist") }
        .sorted()

    func plist(_ path: String) throws -> Any {
        try PropertyListSerialization.propertyList(from: Data(contentsOf: URL(fileURLWithPath: path)), options: [], format: nil)
    }

    @Test(arguments: plists) func plistNamesFilesThatAreThere(name: String) throws {
        let value = try plist(Self.configs + "/" + name)
        if let list = value as? [String: Any] {
            for key in ["entityName", "cellTextLabelKeyPath", "detailViewPropertyListFile"] {
                #expect((list[key] as? String)?.isEmpty == false, "\(key)")
            }
            #expect((list["sortKeyPaths"] as? [Any])?.isEmpty == false)
            for key in ["dataFile", "modelFile"] {
                guard let file = list[key] as? String else { continue }
                #expect(FileManager.default.fileExists(atPath: Self.configs + "/" + file), "\(file)")
            }
            let detail = try #require(list["detailViewPropertyListFile"] as? String)
            #expect(Self.plists.contains(detail + ".plist"))
        } else {
            let sections = try #require(value as? [[String: Any]])
            let rows = try sections.flatMap { try #require($0["rowInformation"] as? [[String: Any]]) }
            #expect(!rows.isEmpty)
            for row in rows {
                #expect((row["rowType"] as? String)?.hasPrefix("CDLTableRowType") == true)
                #expect(row["attributeKeyPath"] is String)
                if let detail = row["detailViewPropertyListFile"] as? String { #expect(Self.plists.contains(detail + ".plist")) }
            }
            // A to-many row is alone in its section.
            for section in sections {
                let types = (section["rowInformation"] as? [[String: Any]] ?? []).compactMap { $0["rowType"] as? String }
                #expect(types.count == 1 || !types.contains { $0.contains("ToMany") })
            }
        }
    }

    @Test func mountainsAreWhatTheyAreSaidToBe() throws {
        struct Mountain: Decodable {
            struct Ascent: Decodable {
                let year: Int
                let date: String?
            }
            struct Expedition: Decodable { let year: Int }
            struct Climber: Decodable { let name: String }
            let name: String
            let range: String
            let height: Int
            let eightThousander: Bool
            let firstAscent: Ascent?
            let climbers: [Climber]
            let expeditions: [Expedition]
        }
        let file = URL(fileURLWithPath: BuiltProgram.projectFile("Data/Mountain.json"))
        let mountains = try JSONDecoder().decode([Mountain].self, from: Data(contentsOf: file))
        #expect(mountains.filter(\.eightThousander).count == 14)
        #expect(mountains.allSatisfy { $0.eightThousander == ($0.height > 8000) })
        #expect(Set(mountains.map(\.name)).count == mountains.count)
        for mountain in mountains {
            if let ascent = mountain.firstAscent {
                #expect(!mountain.climbers.isEmpty)
                if let date = ascent.date { #expect(date.hasPrefix(String(ascent.year))) }
            } else {
                #expect(mountain.climbers.isEmpty)
            }
            #expect(mountain.expeditions.map(\.year) == mountain.expeditions.map(\.year).sorted())
        }
    }

    @Test func moonsFollowKeplersThirdLaw() throws {
        let root = try #require(try plist(BuiltProgram.projectFile("Data/Moons.plist")) as? [String: [[String: Any]]])
        let moons = try #require(root["Moon"])
        // Period squared over distance cubed is the same for all moons of a planet; a slip in a figure is not.
        // Pluto is left out: its moons circle it and Charon, which is heavy enough to matter.
        for (planet, group) in Dictionary(grouping: moons, by: { $0["planet"] as? String ?? "" }) where planet != "Pluto" {
            let constants = try group.map { moon in
                let distance = try #require(moon["distance"] as? Double)
                let period = try #require(moon["orbitalPeriod"] as? Double)
                return period * period / (distance * distance * distance)
            }
            let middle = constants.sorted()[constants.count / 2]
            for (moon, constant) in zip(group, constants) {
                #expect(abs(constant / middle - 1) < 0.02, "\(moon["name"] ?? "") of \(planet)")
            }
        }
        let planets = try #require(root["Planet"])
        for planet in planets {
            let distance = try #require(planet["distance"] as? Double) / 149.6
            let period = try #require(planet["orbitalPeriod"] as? Double) / 365.26
            #expect(abs(period * period / (distance * distance * distance) - 1) < 0.01, "\(planet["name"] ?? "")")
        }
        #expect(Set(moons.compactMap { $0["planet"] as? String }).isSubset(of: Set(planets.compactMap { $0["name"] as? String })))
    }
}
