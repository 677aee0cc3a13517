import Foundation
import ObjectStore
@testable import SQLiteStores
import Testing

/// Numbers among texts in one column: beside a number they are numbers, whatever else the column holds.
struct MixedColumnTests {
    private enum Stored: Sendable {
        case null, text(String), number(Double)

        var sql: String {
            switch self {
            case .null: "NULL"
            case .text(let text): "'\(text)'"
            case .number(let number): number == number.rounded() ? String(Int(number)) : String(number)
            }
        }

        /// What it is beside a number: a text that is nothing but a number is one.
        var number: Double? {
            switch self {
            case .null: nil
            case .text(let text): text == "true" || text == "nan" ? nil : Double(text)
            case .number(let number): number
            }
        }
    }

    private static let values: [Stored] = [
        .number(9), .number(10), .number(-1), .number(9.5), .text("9"), .text("10"), .text("x9"), .text(""), .text("true"),
        .text("nan"),
        .text("18446744073709551615"), .text("-18446744073709551616"), .text("inf"), .null, .number(0),
    ]

    private func keys(_ predicate: String) throws -> [ObjectKey] {
        let folder = try TemporaryFolder()
        let rows = Self.values.enumerated().map { "(\($0.offset), \($0.element.sql))" }.joined(separator: ", ")
        let path = try folder.database(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (100, 'text'); INSERT INTO t VALUES \(rows);")
        let store = try SQLiteObjectStore.open(path: path)
        #expect(store.schema.entity(named: "t")?.attributes.last?.type == .string)
        let resolved = try PredicateFormat(predicate).resolve(in: store.schema, entityName: "t")
        return try store.fetch(FetchRequest(entityName: "t", predicate: resolved), progress: FetchProgress()).keys.filter {
            $0 != 100
        }
    }

    private static let orders: [(sign: String, flipped: String, holds: @Sendable (Double, Double) -> Bool)] = [
        ("<", ">", { $0 < $1 }), ("<=", ">=", { $0 <= $1 }), (">", "<", { $0 > $1 }), (">=", "<=", { $0 >= $1 }),
    ]

    @Test(arguments: ["9", "10", "-1", "9.5", "0"]) func ordersAreThoseOfNumbers(_ literal: String) throws {
        let number = try #require(Double(literal))
        for order in Self.orders {
            let wanted = Self.values.enumerated().filter { $0.element.number.map { order.holds($0, number) } ?? false }
                .map { ObjectKey($0.offset) }
            #expect(try keys("a \(order.sign) \(literal)") == wanted, "\(order.sign) \(literal)")
            #expect(try keys("\(literal) \(order.flipped) a") == wanted, "\(literal) \(order.flipped)")
        }
    }

    /// Equal is the same number, or the text that was written.
    @Test(arguments: ["9", "10", "-1", "9.5", "0", "7"]) func equalIsTheNumberOrWhatIsWritten(_ literal: String) throws {
        let number = try #require(Double(literal))
        let isEqual = Self.values.map { value -> Bool? in
            switch value {
            case .null: nil
            case .text(let text): text == literal
            case .number(let stored): stored == number
            }
        }
        func places(_ wanted: Bool) -> [ObjectKey] { isEqual.indices.filter { isEqual[$0] == wanted }.map { ObjectKey($0) } }
        #expect(try keys("a == \(literal)") == places(true))
        #expect(try keys("a != \(literal)") == places(false))
        #expect(try keys("a IN {\(literal)}") == places(true))
        #expect(try keys("NOT a IN {\(literal)}") == places(false))
        #expect(try keys("a IN {'x9', \(literal), 'true'}") == (places(true) + [6, 8]).sorted())
        #expect(
            try keys("a BETWEEN {\(literal), \(literal)}")
                == Self.values.indices.filter { Self.values[$0].number == number }.map { ObjectKey($0) })
    }
}
