import CSQLite
import Foundation
import ObjectStore

@testable import SQLiteStores

/// Notes each row with all its values; stops, fails or cancels where it is told to.
final class RowNotes: RowReceiver {
    let columns: Int32
    var rows: [String] = []
    var keys: [ObjectKey] = []
    var looks = 0
    var counted = 0
    var stop = Int.max
    var failing = Int.max
    var cancel: (row: Int, progress: FetchProgress)?
    var atLook: () -> Void = {}

    init(_ columns: Int32) { self.columns = columns }

    override func receive(_ row: RowValues, _ key: ObjectKey) -> Bool {
        if rows.count == failing {
            fail(.outOfMemory)
            return false
        }
        keys.append(key)
        rows.append(
            (0..<columns).map { column in
                switch row.type(column) {
                case SQLITE_INTEGER: "i\(row.integer(column))"
                case SQLITE_FLOAT: "r\(row.double(column))"
                case SQLITE_TEXT: "t" + row.textBytes(column).map { String($0) }.joined(separator: ".")
                case SQLITE_BLOB: "b" + row.bytes(column).map { String($0) }.joined(separator: ".")
                default: row.isNull(column) ? "-" : "?"
                }
            }.joined(separator: " "))
        if let cancel, cancel.row == rows.count { cancel.progress.cancel() }
        return rows.count < stop
    }

    override func count(_ rows: Int) {
        looks += 1
        counted += rows
        atLook()
    }
}

extension SQLiteObjectStore {
    func plan(
        _ entity: String, sort: [String], section: String? = nil, predicate: String? = nil
    ) throws -> FetchPlan {
        var request = FetchRequest(
            entityName: entity,
            sortDescriptors: try sort.map { SortDescriptor(.keyPath(try schema.keyPath($0, in: entity))) },
            sectionKeyPath: try section.map { try schema.keyPath($0, in: entity) })
        if let predicate {
            request.predicate = try PredicateFormat(predicate).resolve(in: schema, entityName: entity)
        }
        return try FetchPlan(request, mapping, file: name)
    }

    /// What a receiver gets of a range, and what the reading says at its end.
    ///
    /// - Parameters:
    ///   - pageCounts: what is read from pages, however few keys there are.
    ///   - isTransaction: whether one is open around the reading.
    @discardableResult
    func read(
        _ plan: FetchPlan, into notes: RowNotes, _ range: ClosedRange<ObjectKey> = .min ... .max, turns: ReadingTurns? = nil,
        progress: FetchProgress = FetchProgress(), pageCounts: PageCounts = PageCounts(), isTransaction: Bool = false
    ) throws -> StoreError? {
        // Sound: one thread does it all.
        nonisolated(unsafe) let notes = notes
        nonisolated(unsafe) let pageCounts = pageCounts
        return try source.perform { readers throws(StoreError) in
            try readers.scan { connections throws(StoreError) -> StoreError? in
                let connection = connections[0]
                connection.watch(progress)
                defer { connection.watch(nil) }
                try plan.prepare(connection, timeZone: .gmt)
                if isTransaction { try connection.run("BEGIN") }
                defer { if isTransaction { try? connection.run("COMMIT") } }
                let reading = try RowReading(
                    plan, connection, progress: progress, turns: turns, pageCounts: pageCounts, leastPageKeys: 0)
                do throws(StoreError) {
                    try reading.read(range, into: notes)
                    return nil
                } catch {
                    return error
                }
            }
        }
    }
}
