import Foundation
import PlistConfig
import Testing

let samplesFolder = "/work/shared/samples/cdl"

/// The plists of CDL's own samples, where they are at hand.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: samplesFolder)))
struct SampleTests {
    func faults(_ name: String) -> [String] {
        let file = "\(samplesFolder)/\(name).plist"
        let faults =
            switch PlistKind.of(file: file) {
            case .list: ListDescription.load(file: file).faults
            case .detail: DetailDescription.load(file: file).faults
            default: [Fault(file: file, problem: "neither list nor detail")]
            }
        return faults.filter { $0.severity != .note }.map { String($0.printedLine.dropFirst("tlbrowse: \(file): ".count)) }
    }

    @Test(arguments: [
        ("AlphaEvents/AlphaEventsRootView", []), ("AlphaEvents/AlphaEventsDetailView", []),
        ("GettingStarted/GettingStartedRootView", []), ("GettingStarted/GettingStartedDetailView", []),
        ("ToManyEvents/ToManyEventsRootView", []), ("ToManyEvents/ToManyEventsDetailView", []),
        ("CoreDataSampleFor436/WidgetDetailView", []), ("CoreDataSampleFor436/WidgetTypeDetailView", []),
        ("CoreDataSampleFor436/WidgetAddView-FromType", []),
        ("CoreDataSampleFor436/WidgetTypeListView", ["createTabBarItem: warning: unknown key"]),
        (
            "CoreDataSampleFor436/WidgetListView",
            [
                "sectionIndexTitlesEnabled: warning: “asdfdsf” counts as NO (write YES or NO)",
                "sectionIndexTitlesAlphabetical: warning: has no effect (it needs sectionIndexTitlesEnabled = YES)",
                "createTabBarItem: warning: unknown key",
            ]
        ),
        (
            "CoreDataSampleFor436/WidgetDetailView2",
            [
                "[0].rowInformation[0].relationshipEntityName: warning: unknown key",
                "[0].rowInformation[0].relationshipIntermediateEntityName: warning: unknown key",
            ]
        ),
        ("templates/LIST_VIEW_TEMPLATE", []),
    ])
    func samples(name: String, expected: [String]) { #expect(faults(name) == expected) }

    @Test func theDetailTemplateGivesItsFaults() {
        let keys = faults("templates/DETAIL_VIEW_TEMPLATE").map { $0.prefix { $0 != ":" } }
        #expect(
            keys == [
                "[0].rowInformation[0].rowType", "[0].rowInformation[0].dateFormatterStyle",
                "[0].rowInformation[0].timeFormatterStyle",
                "[0].rowInformation[1].rowType", "[0].rowInformation[3].rowType",
            ])
    }

    @Test(arguments: [
        ("AlphaEvents/AlphaEventsRootView", "AlphaEvents/AlphaEvents_InitialData.sqlite"),
        ("CoreDataSampleFor436/WidgetListView", "CoreDataSampleFor436/CoreDataSampleFor436_InitialData.sqlite"),
        ("ToManyEvents/ToManyEventsRootView", "ToManyEvents/ToManyEvents_InitialData.sqlite"),
        ("GettingStarted/GettingStartedRootView", nil),
    ])
    func dataOfTheSamples(name: String, data: String?) throws {
        let description = try #require(ListDescription.load(file: "\(samplesFolder)/\(name).plist").description)
        let found = try? DataLocator.data(for: description)
        #expect(found == data.map { "\(samplesFolder)/" + $0 })
        #expect(try DataLocator.detail(for: description) != nil)
    }
}
