import Fetching
import ObjectStore
import PlistConfig
import Presentation
import TerminalUI

@testable import Screens

/// A detail answered from memory.
struct DetailFixture {
    var contents: DetailContents
    /// What a line of a to-many section shows, nil where the object is gone.
    var related: @Sendable (ObjectKey) -> RelatedRow? = { key in
        RelatedRow(text: PresentedText("Object \(key)"), destination: ObjectID(entityName: "Thing", key: key))
    }

    static let id = ObjectID(entityName: "Person", key: 1)

    init(_ sections: [DetailSection], title: String = "Ada") {
        contents = DetailContents(objectID: Self.id, title: PresentedText(title), sections: sections)
    }

    static func row(_ type: DetailDescription.RowType, _ label: String?, _ value: PresentedText) -> DetailRow {
        DetailRow(type: type, label: label, value: value)
    }

    static func related(_ keys: [ObjectKey], label: String = "things") -> RelatedObjects {
        RelatedObjects(label: label, keys: ContiguousArray(keys), relationshipName: "things")
    }

    /// Every type of row, with and without values.
    static let person: DetailFixture = {
        var onSwitch = row(.booleanSwitch, "Tall", PresentedText("YES"))
        onSwitch.isOn = true
        var offSwitch = row(.booleanSwitch, "Old", PresentedText("NO"))
        offSwitch.isOn = false
        var town = row(.relationship, "Town", PresentedText("Ulm"))
        town.destination = ObjectID(entityName: "Town", key: 7)
        var custom = row(.custom, "Map", .null)
        custom.unavailable = "no view for MapRow"
        let notes = PresentedText("The first line is rather long and wraps where the window ends.\nThe second is short.")
        return DetailFixture([
            DetailSection(
                title: "Person",
                body: .rows([
                    row(.singleLineValueNoLabel, nil, PresentedText("Ada Lovelace")),
                    row(.singleLineValueSmallLabel, "Name", PresentedText("Ada")),
                    row(.singleLineValueSmallLabel, "Nickname", .emptyString),
                    row(.multiLineValueSmallLabel, "Notes", notes),
                    row(.singleLineValueLargeLabel, "Born", PresentedText("1815")),
                    row(.singleLineValueLargeLabel, "Died", .null), onSwitch, offSwitch, row(.booleanSwitch, "Odd", .null), town,
                    row(.relationship, "Friend", .null), custom,
                ])),
            DetailSection(title: nil, body: .rows([row(.multiLineValueNoLabel, nil, notes)])),
            DetailSection(title: "Machines", body: .related(related([3, 4, 5]))),
            DetailSection(title: nil, body: .related(related([], label: "prizes"))),
        ])
    }()

    func screen(_ size: Size, breadcrumb: [String] = ["People"]) -> DetailScreen {
        var screen = DetailScreen(Self.id, breadcrumb: breadcrumb)
        screen.resize(to: size)
        answer(&screen)
        return screen
    }

    /// Looks through the lines as the fetcher does.
    func answer(_ lines: RelatedSearch, _ generation: Int, _ screen: inout DetailScreen) {
        let places = lines.forward ? Array(lines.places) : lines.places.reversed()
        let hit = places.first { place in related(lines.keys[place]).map { lines.query.matches($0.text.text) } ?? false }
        _ = screen.receive(DataReply(.relatedHit(lines, place: hit), generation: generation))
    }

    /// Answers requests until there are none; what was said to it.
    @discardableResult
    func answer(_ screen: inout DetailScreen) -> [Effect] {
        var effects: [Effect] = []
        var requests = screen.takeRequests()
        while !requests.isEmpty {
            for request in requests {
                switch request.kind {
                case .detail: effects += screen.receive(DataReply(.detail(contents), generation: request.generation))
                case .related(let section, let keys):
                    let rows = Dictionary(uniqueKeysWithValues: keys.map { ($0, related($0)) })
                    let reply = DataReply(.related(section: section, rows: rows), generation: request.generation)
                    effects += screen.receive(reply)
                case .relatedHit(let lines): answer(lines, request.generation, &screen)
                default: break
                }
            }
            requests = screen.takeRequests()
        }
        return effects
    }
}
