package import Fetching
import IndexPathModel
package import ObjectStore

// What of the list leaves the program: the view to a file, the arrangement as a plist.
extension ListScreen {
    /// The objects shown, in their sections, folds or no folds: with a search in force its hits.
    package var shownModel: ListContents.Model { list.backingModel }

    /// The predicate that was typed, while the list shown is narrowed by it.
    package var predicateInForce: ResolvedPredicate? { filter?.whole == nil ? nil : filter?.predicate }

    /// The search that the list shown is narrowed to the hits of.
    package var searchInForce: SearchQuery? { find?.whole == nil ? nil : find?.matches?.query }

    /// Whether there is something to print yet.
    package var isLoaded: Bool { phase == .loaded }

    /// Says what is kept of folds, while the command line's rule is in force.
    package mutating func keep(_ folds: KeptFolds) { configuration.keptFolds = folds }

    mutating func beginSaving(_ command: Command) -> [Effect] {
        guard isLoaded else { return [.message("the list is still loading")] }
        prompt = Prompt(command == .printView ? .printView : .saveList)
        return []
    }

    /// The effect of a prompt that asked for a file.
    func save(_ prompt: Prompt) -> [Effect] {
        guard !prompt.text.isEmpty else { return [.message("no file was named")] }
        return [prompt.purpose == .printView ? .printView(toFile: prompt.text) : .saveList(toFile: prompt.text)]
    }

    /// The title of an object's section, nil where it has none; the outer nil where the object is not in the list.
    package func sectionTitle(of key: ObjectKey) -> String?? {
        let model = wholeList.backingModel
        guard let indexPath = model.indexPath(ofObject: key) else { return nil }
        return .some(model.sectionTitle(at: indexPath.section))
    }
}
