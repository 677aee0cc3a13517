import ObjectStore
import PlistConfig

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
        let format: PredicateFormat
        do throws(PredicateFault) { format = try PredicateFormat(text) } catch { throw Failure([filterFault(error)]) }
        let (predicate, faults) = format.resolution(in: store.schema, entityName: list.entity.name)
        guard faults.isEmpty else { throw Failure(faults.map(filterFault)) }
        return predicate
    }

    func filterFault(_ fault: PredicateFault) -> Fault {
        Fault(file: "--filter", problem: fault.problemWithPlace, remedy: fault.remedy)
    }
}
