import ObjectStore
import PlistConfig
import TerminalUI

// `--filter`.
extension Session {
    /// What keeps the filter from being parsed: wrong usage, whatever the data.
    var filterSyntaxFault: PredicateFault? {
        guard let text = arguments[.filter] else { return nil }
        do throws(PredicateFault) {
            _ = try PredicateFormat(text)
            return nil
        } catch {
            return error
        }
    }

    /// The filter for a list's entity; nil where there is none.
    func filter(of list: ResolvedList, in store: any ObjectStore) throws(Failure) -> ResolvedPredicate? {
        guard let text = arguments[.filter] else { return nil }
        do throws(PredicateFault) {
            return try PredicateFormat(text).resolve(in: store.schema, entityName: list.entity.name)
        } catch {
            throw Failure(error)
        }
    }

    /// Characters of the filter that are shown before and after the one at fault.
    private static let excerptReach = 32

    /// One line that says what is wrong, and two that show where.
    func complain(of fault: PredicateFault) {
        Console.printError(Fault(file: "--filter", problem: fault.problem, remedy: fault.remedy).printedLine)
        let start = max(0, fault.offset - Self.excerptReach)
        let before = DisplayText.printable(String(fault.text.dropFirst(start).prefix(fault.offset - start)))
        let after = DisplayText.printable(String(fault.text.dropFirst(fault.offset).prefix(Self.excerptReach)))
        let lead = start > 0 ? "…" : ""
        Console.printError("  \(lead)\(before)\(after)")
        Console.printError(String(repeating: " ", count: 2 + DisplayText.width(of: lead + before)) + "^")
    }
}
