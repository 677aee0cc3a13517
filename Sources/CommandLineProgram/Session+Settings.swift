import Browser
import Foundation
import PlistConfig
import PropertyLists

// The reader's config plist.
extension Session {
    /// What it says; the usual where there is none. What is at fault in it is left out and reported.
    func loadSettings() -> (settings: Settings, faults: [Fault]) {
        guard let file = Settings.file(environment: environment), access(file, F_OK) == 0 else { return (Settings(), []) }
        let (description, faults) = ConfigDescription.load(file: file, vocabulary: Settings.vocabulary)
        return (Settings(description), faults)
    }

    /// What the last line says at the start: of the config plist first, since what was asked for is not in effect, and of that what is
    /// at fault before what is a warning.
    static func startMessage(settings found: [Fault], store warnings: [String]) -> String? {
        let faults = found.filter { $0.severity == .fault }.map { fault in
            var named = fault
            named.problem = "fault: " + fault.problem
            // A line has no room for lists; --check prints them.
            if (fault.remedy?.utf8.count ?? 0) > 60 { named.remedy = nil }
            return named
        }
        let others = found.filter { $0.severity != .fault }
        let texts = (faults + others).map { String($0.printedLine.dropFirst("tlbrowse: ".count)) } + warnings
        guard let first = texts.first else { return nil }
        guard texts.count > 1 else { return first }
        let moreFaults = max(0, faults.count - 1)
        let moreWarnings = texts.count - 1 - moreFaults
        let more = [(moreFaults, "fault"), (moreWarnings, "warning")].filter { $0.0 > 0 }
            .map { "\($0) more \($1)\($0 == 1 ? "" : "s")" }
        let remedy = found.isEmpty ? "--print shows all" : "--check of that file shows all"
        return "\(first)  (and \(more.joined(separator: " and ")); \(remedy))"
    }

    /// What `--check` prints of a config plist, and the status; nil where the file is none.
    func configReport(of file: String) -> (lines: [String], status: Int32)? {
        let isThatFile = Settings.file(environment: environment).map { sameFile($0, file) } ?? false
        if !isThatFile {
            guard case .data = PlistKind.of(file: file), let plist = try? PropertyListReader.read(file: file),
                ConfigDescription.isOne(plist)
            else { return nil }
        }
        let (_, faults) = ConfigDescription.load(file: file, vocabulary: Settings.vocabulary)
        guard !faults.isEmpty else { return (["tlbrowse: \(file): no faults"], ExitCode.fine) }
        return (faults.map(\.printedLine), faults.hasFault ? ExitCode.fault : ExitCode.fine)
    }

    private func sameFile(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(first, &one) == 0 && stat(second, &other) == 0 && one.st_ino == other.st_ino && one.st_dev == other.st_dev
    }
}
