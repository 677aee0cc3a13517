import Foundation

/// A table of `Data/source`: tab-separated, the names of the columns in the first line, nothing quoted.
struct SourceTable {
    let rows: [SourceRow]

    init(file: String) throws {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let names = lines.first ?? []
        rows = try lines.dropFirst().enumerated().map { index, cells in
            guard cells.count == names.count else {
                throw Complaint("\(file):\(index + 2): \(cells.count) cells where the first line has \(names.count)")
            }
            return SourceRow(place: "\(file):\(index + 2)", cells: Dictionary(zip(names, cells), uniquingKeysWith: { $1 }))
        }
    }
}

/// One line of it. An empty cell is NULL.
struct SourceRow {
    let place: String
    let cells: [String: String]

    func text(_ column: String) throws -> String {
        guard let cell = cells[column] else { throw Complaint("\(place): there is no column \(column)") }
        return cell
    }

    func textValue(_ column: String) throws -> StoreContents.Value {
        let cell = try text(column)
        return cell.isEmpty ? .null : .text(cell)
    }

    func integerValue(_ column: String) throws -> StoreContents.Value {
        let cell = try text(column)
        if cell.isEmpty { return .null }
        guard let number = Int(cell) else { throw Complaint("\(place): \(cell) in \(column) is no whole number") }
        return .integer(number)
    }

    func realValue(_ column: String) throws -> StoreContents.Value {
        let cell = try text(column)
        if cell.isEmpty { return .null }
        guard let number = Double(cell) else { throw Complaint("\(place): \(cell) in \(column) is no number") }
        return .real(number)
    }

    func booleanValue(_ column: String) throws -> StoreContents.Value {
        switch try text(column) {
        case "YES": .integer(1)
        case "NO": .integer(0)
        default: throw Complaint("\(place): \(column) is neither YES nor NO")
        }
    }
}
