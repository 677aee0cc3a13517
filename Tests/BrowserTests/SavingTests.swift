import Foundation
import ObjectStore
import PlistConfig
import Screens
import Synchronization
import TerminalUI
import TestSupport
import Testing

@testable import Browser

/// What leaves the program by a key: the view, the arrangement, an object.
@Suite final class SavingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }
    deinit { folder.remove() }

    func keys(_ script: String) -> [TerminalEvent] { KeyScript.keys(script).map { .key($0) } }

    /// Runs a script; each step waits until nothing is outstanding.
    func run(
        _ script: [String], store: MemoryObjectStore = PeopleStore.store(), list: ListDescription = PeopleStore.description
    ) throws -> ScriptedTerminal {
        let terminal = ScriptedTerminal(size: Size(rows: 12, columns: 100), script.map { .idle(keys($0)) })
        let resolved = try #require(list.resolve(in: store.schema).list)
        let navigator = ObjectNavigator(
            store: store, root: resolved, rootDetail: PeopleStore.detail, presentation: PeopleStore.presentation)
        let browser = try #require(Browser(terminal: terminal, navigator: navigator, root: [navigator.entry(for: resolved)]))
        _ = browser.run()
        return terminal
    }

    func lastLine(_ screen: String?) -> String { screen?.components(separatedBy: "\n").last ?? "" }
    func contents(_ name: String) -> String? { try? String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8) }
    func file(_ name: String) -> String { "\(folder.path)/\(name)" }

    @Test func printsTheViewInTheFormThatTheNameSays() throws {
        let terminal = try run(["P\(file("a.csv"))<Enter>", "P\(file("a.txt"))<Enter>", "P\(file("a.ndjson"))<Enter>", "j"])
        #expect(lastLine(terminal.screens[1]).hasPrefix(" printed 7 objects to \(folder.path)"))
        let lines = try #require(contents("a.csv")).split(separator: "\n")
        #expect(lines.count == 8 && lines[0] == "objectID,section,textLabel,detailTextLabel")
        #expect(lines[1] == "memory://Person/1,A,Ada," && lines[7] == "memory://Person/7,Z,Zoe,")
        #expect(contents("a.txt")?.hasPrefix(" People") == true)
        #expect(contents("a.ndjson")?.split(separator: "\n").count == 7)
    }

    /// What is printed is read as a whole from one state of the store, not from what changes on the screen meanwhile.
    @Test func printsOneState() throws {
        var reads: [[Int]] = []
        for script in [["j"], ["P\(file("one.csv"))<Enter>", "j"], ["/a", "<Enter>P\(file("hits.csv"))<Enter>", "j"]] {
            let store = PeopleStore.store()
            _ = try run(script, store: store)
            reads.append([store.fetches, store.reads])
        }
        #expect(reads[0] == reads[1])
        #expect(contents("one.csv")?.split(separator: "\n").count == 8)
        #expect(contents("hits.csv")?.split(separator: "\n").count == 6)
    }

    @Test func printsWhatASearchLeft() throws {
        _ = try run(["/a", "<Enter>P\(file("hits.tsv"))<Enter>", "j"])
        let names = contents("hits.tsv")?.split(separator: "\n").dropFirst().map { $0.split(separator: "\t")[2] }
        #expect(names == ["Ada", "Alan", "Carl", "Carol", "Dan"])
    }

    @Test func oldFilesAndUnknownFormsAreSaid() throws {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file("a.csv")))
        let terminal = try run([
            "P\(file("a.csv"))<Enter>", "Pa.pdf<Enter>", "P<Enter>", "P\(file("no/a.csv"))<Enter>", "Pab<Esc>",
        ])
        #expect(lastLine(terminal.screens[1]).hasSuffix("a.csv: is there already"))
        #expect(contents("a.csv") == "mine")
        #expect(lastLine(terminal.screens[2]).contains("the name says the form: .txt"))
        #expect(lastLine(terminal.screens[3]).contains("no file was named"))
        #expect(lastLine(terminal.screens[4]).contains("No such file"))
        #expect(lastLine(terminal.screens.last).hasPrefix(" name ↑"))
    }

    @Test func savesTheArrangementAsAPlist() throws {
        // Sorted downwards by a second press, without sections.
        let terminal = try run(["s<Enter>", "S", "g<Enter>", "T\(file("Mine"))<Enter>", "j"])
        // It takes two lines.
        #expect(terminal.screens[4].contains("saved \(folder.path)/Mine.plist"))
        let (list, faults) = ListDescription.load(file: file("Mine.plist"))
        #expect(faults.isEmpty)
        #expect(list?.entityName == "Person" && list?.controllerTitle == "People")
        #expect(list?.sortKeyPaths == [ListDescription.SortEntry(keyPath: "name", ascending: false)])
        #expect(list?.sectionKeyPath == nil && list?.sectionIndexTitlesEnabled == false)
        // A list that was made from the schema brings a detail with it.
        #expect(list?.detailViewPropertyListFile == "MineDetailView")
        let detail = DetailDescription.load(file: file("MineDetailView.plist"))
        #expect(detail.faults.isEmpty && detail.description?.sections.isEmpty == false)
    }

    @Test func aSavedListKeepsItsDetailAndNothingIsOverwritten() throws {
        for name in ["People", "PeopleDetail"] {
            try Data("( { rowInformation = ( { } ); } )".utf8).write(to: URL(fileURLWithPath: file("\(name).plist")))
        }
        try FileManager.default.createDirectory(atPath: file("sub"), withIntermediateDirectories: false)
        var description = PeopleStore.description
        description.file = file("People.plist")
        description.detailViewPropertyListFile = "PeopleDetail"
        let terminal = try run(
            ["T\(file("sub/Other.plist"))<Enter>", "T\(file("People.plist"))<Enter>", "j"], list: description)
        #expect(ListDescription.load(file: file("sub/Other.plist")).description?.detailViewPropertyListFile == "../PeopleDetail")
        #expect(contents("sub/OtherDetailView.plist") == nil)
        #expect(lastLine(terminal.screens[2]).hasSuffix("People.plist: is there already"))
    }

    @Test func aRelationshipsListIsNotAPlist() throws {
        let terminal = try run(["j<Enter>", "jl", "jL", "Tx<Enter>", "j"])
        #expect(lastLine(terminal.screens[4]).contains("a list plist cannot say"))
        #expect(!FileManager.default.fileExists(atPath: "x.plist"))
    }

    @Test func copiesTheObjectAsTheCommandLinePrintsIt() throws {
        let terminal = try run(["Y", "jY", "^y", "<Enter>", "Y", "^y", "j"])
        #expect(lastLine(terminal.screens[1]).contains("the cursor is on no object"))
        #expect(lastLine(terminal.screens[2]).contains("copied: row as TSV"))
        #expect(lastLine(terminal.screens[3]).contains("copied: object as JSON"))
        let row = "copy memory://Person/1\tA\tAda\t"
        let object =
            #"copy {"objectID":"memory://Person/1","section":"A","textLabel":"Ada","detailTextLabel":null,"details":{"name":"Ada","town.name":"Ulm"}}"#
        #expect(terminal.calls.count == 4)
        #expect(terminal.calls.first == row && terminal.calls[2] == row)
        #expect(terminal.calls.dropFirst().first?.contains(#""details":{"#) == true)
        #expect(terminal.calls.last == object)
    }
}
