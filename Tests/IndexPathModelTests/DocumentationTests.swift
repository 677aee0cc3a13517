import IndexPathModel
import Testing

/// What docs/IndexPathModel.md says that its lines give.
struct DocumentationTests {
    struct Book: Equatable, Sendable {
        var title: String
        var author: String
        var shelf: String?
    }

    let model = IndexPathDataModel<Book, String>(
        items: [
            Book(title: "Emma", author: "Austen", shelf: "Novels"),
            Book(title: "Ulysses", author: "Joyce", shelf: "Novels"),
            Book(title: "On the Origin of Species", author: "Darwin", shelf: "Science"),
            Book(title: "Persuasion", author: "Austen", shelf: "Novels"),
            Book(title: "A book in a box", author: "Somebody"),
        ], sectionName: { $0.shelf }, identifier: { $0.title })

    @Test func aModel() {
        #expect(model.numberOfSections == 3)
        #expect(model.sectionTitle(at: 0) == "Novels")
        #expect(model.section(named: .unnamed) == 2)
        #expect(model.item(at: IndexPath(section: 0, row: 2))?.title == "Persuasion")
        #expect(model.indexPath(forIdentifier: "Persuasion")?.description == "[0, 2]")
    }

    @Test func folding() {
        let folded = CollapsibleDataModel(backingModel: model, expandedSectionNames: ["Novels"])
        #expect(folded.numberOfRows(inSection: 1) == 0)
        #expect(folded.togglingSection(1).numberOfRows(inSection: 1) == 1)
        #expect(folded.rowCount == 6)
        #expect(folded.row(at: 4) == .header(1))
        #expect(folded.position(of: IndexPath(section: 0, row: 2)) == 3)
    }
}
