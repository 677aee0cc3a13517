import Foundation
package import ObjectStore
import Reports
package import Screens
import TerminalUI

/// Work that no screen waits for; what it answers is done when it is over. Called on a background queue; blocks.
package typealias BackgroundJob = @Sendable (FetchProgress) -> [Effect]

/// In which form an object goes to the clipboard.
package enum CopyForm: Sendable {
    /// The line of `--print=tsv`.
    case row
    /// The object of `--print=ndjson --details`.
    case object
}

extension Navigator {
    package func printing(_ list: StackEntry, toFile path: String, columns: Int) -> BackgroundJob? { nil }
    package func saving(_ list: StackEntry, toFile path: String) -> BackgroundJob? { nil }
    package func copying(_ stack: [StackEntry], as form: CopyForm) -> BackgroundJob? { nil }
}

extension Browser {
    /// Prints the list on top to a new file, in the background; ^C stops it.
    func printView(to file: String) {
        guard PrintFormat(fileName: file) != nil else {
            status = .message("the name says the form: .txt, .csv, .tsv, .json or .ndjson")
            return
        }
        let path = (file as NSString).expandingTildeInPath
        guard let entry = stack.last?.entry,
            let job = navigator.printing(entry, toFile: path, columns: terminal.size.columns)
        else {
            status = .message("this cannot be printed")
            return
        }
        work.start(job, isLong: true, verb: "printing")
    }

    /// Saves the arrangement of the list on top as a new list plist.
    func saveList(to file: String) {
        let path = (file.hasSuffix(".plist") ? file : file + ".plist") as NSString
        guard let entry = stack.last?.entry, let job = navigator.saving(entry, toFile: path.expandingTildeInPath) else {
            status = .message("this is no list of objects that a plist could describe")
            return
        }
        work.start(job, isLong: false)
    }

    /// Copies the object under the cursor, or the one whose detail this is.
    func copyObject(as form: CopyForm) {
        guard let job = navigator.copying(stack.map(\.entry), as: form) else {
            status = .message("nothing to copy: the cursor is on no object")
            return
        }
        work.start(job, isLong: false)
    }
}
