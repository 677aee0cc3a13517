import Foundation
import ObjectStore
import PlistConfig
import Reports
import TerminalUI

// `--scaffold`.
extension Session {
    /// Writes the plists and names each on standard output. Nothing is written where one of them is there already.
    func writeScaffold(of opened: Opened, into folder: String) throws(Failure) -> Int32 {
        if let reason = folderFault(folder) { throw Failure([Fault(file: folder, problem: reason)]) }
        let scaffold = Scaffold(
            schema: opened.store.schema, entityName: arguments[.entity],
            dataFile: opened.store.name == "-" ? nil : RelativePath.path(of: opened.store.name, from: folder),
            modelFile: modelPath(of: opened).map { RelativePath.path(of: $0, from: folder) })
        for name in scaffold.entitiesWithoutFiles {
            let fault = Fault(
                file: opened.store.name, problem: "the entity \(name) has nothing that a list could show", severity: .note)
            Console.printError(fault.printedLine)
        }
        let files = scaffold.files.map { (path: (folder as NSString).appendingPathComponent($0.name), text: $0.text) }
        let present = files.filter { (try? FileManager.default.attributesOfItem(atPath: $0.path)) != nil }
        guard present.isEmpty else {
            let remedy = "nothing was written; name another folder"
            throw Failure(present.map { Fault(file: $0.path, problem: "is there already", remedy: remedy) })
        }
        for file in files {
            do throws(NewFile.Failure) {
                try NewFile.create(file.path) { output throws(ReportOutputError) in try output.write(file.text) }
            } catch {
                throw Failure([Fault(file: error.path, problem: error.problem)])
            }
        }
        return Console.printOutput(files.map { DisplayText.printable($0.path) + "\n" }.joined())
    }

    /// Makes the folder if need be; what keeps it from being there, else nil.
    private func folderFault(_ folder: String) -> String? {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) {
            return isFolder.boolValue ? nil : "is a file, not a folder"
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return nil
        } catch {
            return "the folder cannot be made: \(String(cString: strerror(errno)))"
        }
    }

    /// The model that the command line or the list plist names.
    private func modelPath(of opened: Opened) -> String? {
        arguments[.model] ?? opened.list.flatMap { try? DataLocator.model(for: $0.description) }
    }
}
