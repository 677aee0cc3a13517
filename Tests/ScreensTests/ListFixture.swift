import Fetching
import IndexPathModel
import ObjectStore
import Presentation
import TerminalUI

@testable import Screens

/// A list of sections with so many rows each, answered from memory: row `n` of the whole list has key `n` and text `Row n`.
struct ListFixture {
    var sections: [(title: String?, count: Int)]
    var hasSections = true
    var alphabetical = true
    /// What a row shows.
    var row: @Sendable (ObjectKey) -> ListRow? = { ListRow(text: PresentedText("Row \($0)")) }

    init(_ sections: [(title: String?, count: Int)]) { self.sections = sections }

    /// No sections, so many rows.
    init(rows: Int) {
        sections = rows > 0 ? [(nil, rows)] : []
        hasSections = false
    }

    static let letters = ListFixture([
        ("#", 1), ("A", 3), ("D", 1), ("F", 2), ("K", 5), ("Q", 2),
    ])

    var count: Int { sections.reduce(0) { $0 + $1.count } }

    var contents: ListContents {
        ListContents(
            model: ListContents.Model(
                identifiers: ContiguousArray((0..<count).map { ObjectKey($0 + 1) }),
                sections: sections.map { (name: SectionName($0.title), indexTitle: nil, count: $0.count) }),
            index: hasSections ? SectionIndex(titles: sections.map(\.title), alphabetical: alphabetical) : nil)
    }

    var configuration: ListConfiguration {
        var configuration = ListConfiguration(title: "Events", entityName: "Event")
        configuration.hasSections = hasSections
        configuration.wantsIndexBar = hasSections
        configuration.orderLabel = "name ↑"
        return configuration
    }

    /// A screen with all that it asks for.
    func screen(_ size: Size, place: ListPlace? = nil, configure: (inout ListConfiguration) -> Void = { _ in }) -> ListScreen {
        var configuration = configuration
        configure(&configuration)
        var screen = ListScreen(configuration, place: place)
        screen.resize(to: size)
        answer(&screen)
        return screen
    }

    /// Answers requests until there are none.
    func answer(_ screen: inout ListScreen) {
        var requests = screen.takeRequests()
        while !requests.isEmpty {
            for request in requests {
                switch request.kind {
                case .list: _ = screen.receive(DataReply(.list(contents), generation: request.generation))
                case .rows(let keys):
                    let rows = Dictionary(uniqueKeysWithValues: keys.map { ($0, row($0)) })
                    _ = screen.receive(DataReply(.rows(rows), generation: request.generation))
                default: break
                }
            }
            requests = screen.takeRequests()
        }
    }
}

extension Screen {
    /// The frame of the screen at its size.
    func frame(_ size: Size, status: Status = .quiet) -> CellBuffer {
        var buffer = CellBuffer(size: size)
        render(into: &buffer, status: status)
        return buffer
    }
}

extension Size {
    init(_ columns: Int, _ rows: Int) { self.init(rows: rows, columns: columns) }
}
