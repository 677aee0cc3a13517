import CustomRows
import Foundation
import Testing

/// The worked example of a custom row: how many days old an object is, by a key path that the plist names in a key of its own.
///
///     { rowType = CDLTableRowTypeCustom; rowLabel = Age; rowCustomControllerClass = AgeRowController; since = timeStamp; }
struct AgeRow: CustomRow {
    let configuration: CustomRowConfiguration
    let today: Date

    var keyPaths: [String] {
        if case .text(let keyPath)? = configuration.dictionary["since"] { [keyPath] } else { [] }
    }

    func content(_ values: [String: CustomRowValue]) -> CustomRowContent {
        let label = configuration.label ?? "Age"
        guard let keyPath = keyPaths.first, case .date(let date)? = values[keyPath] else {
            return CustomRowContent(label: label, text: "no date", isInactive: true)
        }
        let days = Int((today.timeIntervalSince(date) / 86_400).rounded(.down))
        return CustomRowContent(label: label, text: "\(days) days")
    }
}

struct CustomRowTests {
    private static let today = Date(timeIntervalSinceReferenceDate: 86_400 * 10)

    private static var registry: CustomRowRegistry {
        var rows = CustomRowRegistry.standard
        rows.register("AgeRowController") { AgeRow(configuration: $0, today: today) }
        return rows
    }

    private static func configuration(_ since: CustomRowValue?, isEditable: Bool = false) -> CustomRowConfiguration {
        CustomRowConfiguration(label: "Age", dictionary: since.map { ["since": $0] } ?? [:], isEditable: isEditable)
    }

    @Test func workedExample() throws {
        let row = try #require(Self.registry.row(named: "AgeRowController", Self.configuration(.text("timeStamp"))))
        #expect(row.keyPaths == ["timeStamp"])
        let born = CustomRowValue.date(Date(timeIntervalSinceReferenceDate: 86_400 * 3))
        #expect(row.content(["timeStamp": born]) == CustomRowContent(label: "Age", text: "7 days"))
        #expect(row.content(["timeStamp": .null]) == CustomRowContent(label: "Age", text: "no date", isInactive: true))
        let bare = try #require(Self.registry.row(named: "AgeRowController", Self.configuration(nil)))
        #expect(bare.keyPaths.isEmpty && bare.content([:]).isInactive)
    }

    @Test func namesAndStrangers() {
        #expect(CustomRowRegistry().names.isEmpty)
        #expect(CustomRowRegistry.standard.names == ["DeleteRowController"])
        #expect(Self.registry.names == ["DeleteRowController", "AgeRowController"])
        #expect(Self.registry.row(named: "Nobody", Self.configuration(nil)) == nil)
    }

    @Test func deleteRowIsInactiveWhileReadOnly() throws {
        let readOnly = try #require(Self.registry.row(named: "DeleteRowController", Self.configuration(nil)))
        #expect(readOnly.content([:]) == CustomRowContent(label: "Age", text: "read-only", isInactive: true))
        let editable = try #require(
            Self.registry.row(named: "DeleteRowController", Self.configuration(nil, isEditable: true)))
        #expect(!editable.content([:]).isInactive)
    }
}
