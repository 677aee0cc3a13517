import Fetching
package import ObjectStore
import Screens
package import TerminalUI

extension StackEntry {
    /// Whether its list is there in a moment, so that it can be `filled`.
    package var isQuick: Bool { (source as? ListSource)?.fetcher.isQuick ?? false }

    /// How often a screen asks: for its list, then for the rows of the window.
    private static let mostRounds = 3

    /// The same with what its screen asks for first, read on this thread, for lists that are there in a moment: the first frame
    /// then shows all of it, and no thread has waited for another. Blocks.
    ///
    /// - Parameter size: what the screen will have; in a window of another size the reader would be elsewhere.
    /// - Returns: nil where this is no such list, and where more comes of the reading than something to show. Then the loop asks,
    ///   as of any list.
    package func filled(for size: Size, progress: FetchProgress) -> StackEntry? {
        guard isQuick, let list = source as? ListSource else { return nil }
        var entry = self
        entry.screen.resize(to: size)
        for _ in 0..<Self.mostRounds {
            let requests = entry.screen.takeRequests()
            if requests.isEmpty { return entry }
            for request in requests {
                switch request.kind {
                case .list, .rows: break
                default: return nil
                }
                guard request.predicate == nil, let answer = try? list.answer(request, progress: progress) else { return nil }
                let effects = entry.screen.receive(DataReply(answer, generation: request.generation))
                guard effects.isEmpty else { return nil }
            }
        }
        return nil
    }
}
