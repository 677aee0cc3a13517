package import ObjectStore
import Synchronization

/// What was found damaged, for who prints or shows it.
final class DamageLog: Sendable {
    private struct State {
        var listed: [StoreDamage] = []
        var known: Set<StoreDamage> = []
        var more = 0
    }

    private let state = Mutex(State())
    /// Beyond, they are counted.
    private static let most = 50

    func note(_ place: String, _ error: StoreError) {
        let damage = StoreDamage(place: place, problem: error.problem)
        state.withLock { state in
            guard !state.known.contains(damage) else { return }
            guard state.listed.count < Self.most else {
                state.more += 1
                return
            }
            state.known.insert(damage)
            state.listed.append(damage)
        }
    }

    func take() -> [StoreDamage] {
        state.withLock { state in
            var all = state.listed
            if state.more > 0 { all.append(StoreDamage(place: "", problem: "\(state.more) more places are damaged")) }
            state.listed = []
            state.more = 0
            return all
        }
    }
}

extension SQLiteObjectStore {
    package func takeDamage() -> [StoreDamage] { damage.take() }

    package func readableCount(
        of entityName: String, within seconds: Double
    ) throws(StoreError) -> (count: Int, isWhole: Bool) {
        do throws(StoreError) {
            return (try count(of: entityName, within: seconds), true)
        } catch {
            guard case .corrupt = error.cause else { throw error }
            damage.note(entityName, error)
            // Reading from both ends of the table goes around what is damaged.
            let found = try? fetch(FetchRequest(entityName: entityName), progress: FetchProgress())
            return (found?.keys.count ?? 0, false)
        }
    }

    /// Values of objects among which some are damaged: each by itself, and of a damaged one each value by itself.
    ///
    /// What cannot be read is NULL in the typed form, which is passed on as data, and says so in the others, which people look at.
    func damagedValues(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, _ reader: ValueReader
    ) throws(StoreError) -> [[Value]?] {
        var answer: [[Value]?] = []
        let plan = try ValuesPlan(keyPaths, entityName, mapping, file: name)
        let single = try keyPaths.map { path throws(StoreError) in try ValuesPlan([path], entityName, mapping, file: name) }
        for key in keys {
            let whole = try unlessCorrupt(nil) { connection throws(StoreError) in
                try plan.values(of: [key], connection, reader).values
            }
            if let whole {
                answer += whole
                continue
            }
            var row: [Value] = []
            for (path, plan) in zip(keyPaths, single) {
                let place = uri(of: ObjectID(entityName: entityName, key: key)) + " " + path.text
                let found = try unlessCorrupt(place) { connection throws(StoreError) in
                    try plan.values(of: [key], connection, reader).values
                }
                let missing: Value = reader.form == .typed ? .null : .string("(damaged, cannot be read)")
                row.append((found?.first ?? nil)?.first ?? missing)
            }
            answer.append(row)
        }
        return answer
    }

    /// Nil, and noted where there is a place to name, if the store is corrupt there.
    private func unlessCorrupt<Result: Sendable>(
        _ place: String?, _ body: (Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        do throws(StoreError) {
            return try show(body)
        } catch {
            guard case .corrupt = error.cause else { throw error }
            if let place { damage.note(place, error) }
            return nil
        }
    }
}
