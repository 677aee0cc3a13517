import Foundation
import ObjectStore
import PropertyLists
import TestSupport
import Testing

@testable import PlistConfig

/// The reference says what the loader does.
@Suite struct PlistReferenceTests {
    @Test func theCommittedPageIsMadeFromTheTable() throws {
        let page = try String(contentsOfFile: BuiltProgram.projectFile("docs/plist-reference.md"), encoding: .utf8)
        // What comes after it is about the config plist, which names what the program has.
        let isUpToDate = page.hasPrefix(PlistReference.text)
        #expect(isUpToDate, "script/make-docs brings it up to date")
        for key in ListKey.allCases.map(\.rawValue) + DetailRowKey.allCases.map(\.rawValue) {
            #expect(page.contains("| `\(key)` |"))
        }
    }

    /// What a list plist misses first where it says nothing is what the table calls required.
    @Test func requiredKeysAreThoseThatTheLoaderMisses() {
        let list = ListDescription.decode(.dictionary([]), file: "L").faults.compactMap(\.key)
        #expect(Set(list) == Set(ListKey.allCases.filter(\.reference.isRequired).map(\.rawValue)))
        let section = PropertyList.array([.dictionary([.init(key: "sectionTitle", value: .string("a"))])])
        #expect(
            DetailDescription.decode(section, file: "D").faults.compactMap(\.key)
                == DetailSectionKey.allCases.filter(\.reference.isRequired).map { "[0].\($0.rawValue)" })
        let row = detailRow([])
        let missing = DetailDescription.decode(row, file: "D").faults.compactMap(\.key)
        #expect(missing.contains("[0].rowInformation[0].rowType"))
        let entry = listWith("sortKeyPaths", .array([.dictionary([.init(key: "ascending", value: .string("YES"))])]))
        #expect(
            ListDescription.decode(entry, file: "L").faults.compactMap(\.key)
                == SortEntryKey.allCases.filter(\.reference.isRequired).map { "sortKeyPaths[0].\($0.rawValue)" })
    }

    /// Bytes are wrong everywhere: the loader says what is wanted in the words of the table.
    @Test(arguments: ListKey.allCases) func kindsOfListKeys(key: ListKey) {
        let faults = ListDescription.decode(listWith(key.rawValue, .data(Data([1]))), file: "L").faults
        expect(faults, at: key.rawValue, toAgreeWith: key.reference)
    }

    @Test(arguments: DetailRowKey.allCases) func kindsOfRowKeys(key: DetailRowKey) {
        let plist = detailRow([.init(key: key.rawValue, value: .data(Data([1])))])
        expect(
            DetailDescription.decode(plist, file: "D").faults, at: "[0].rowInformation[0].\(key.rawValue)",
            toAgreeWith: key.reference)
    }

    @Test(arguments: DetailSectionKey.allCases) func kindsOfSectionKeys(key: DetailSectionKey) {
        let plist = PropertyList.array([.dictionary([.init(key: key.rawValue, value: .data(Data([1])))])])
        expect(DetailDescription.decode(plist, file: "D").faults, at: "[0].\(key.rawValue)", toAgreeWith: key.reference)
    }

    private func expect(_ faults: [Fault], at key: String, toAgreeWith entry: PlistReference.Entry) {
        let problems = faults.filter { $0.key == key && $0.problem.contains("not") }.map(\.problem)
        // What has no effect yet has no type yet.
        if problems == [Complaint.notYet.problem] { return }
        switch entry.kind {
        case .value(let expectation): #expect(problems.contains("data, not \(expectation.rawValue)"), "\(key): \(problems)")
        case .name: #expect(problems.contains("data, not a string"), "\(key): \(problems)")
        }
    }

    private func listWith(_ key: String, _ value: PropertyList) -> PropertyList {
        let rest: [PropertyList.Entry] = [
            .init(key: "entityName", value: .string("E")), .init(key: "sortKeyPaths", value: .array([.string("a")])),
            .init(key: "cellTextLabelKeyPath", value: .string("a")),
            .init(key: "detailViewPropertyListFile", value: .string("D")),
        ]
        return .dictionary(rest.filter { $0.key != key } + [.init(key: key, value: value)])
    }

    private func detailRow(_ entries: [PropertyList.Entry]) -> PropertyList {
        let row = PropertyList.dictionary(
            [.init(key: "rowLabel", value: .string("L"))].filter { label in
                !entries.contains { $0.key == label.key }
            } + entries)
        return .array([.dictionary([.init(key: "rowInformation", value: .array([row]))])])
    }
}
