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

    /// What the last line says at the start: of the config plist first, since what was asked for is not in effect.
    func startMessage(settings faults: [Fault], store warnings: [String]) -> String? {
        let texts = faults.map { String($0.printedLine.dropFirst("tlbrowse: ".count)) } + warnings
        guard let first = texts.first else { return nil }
        guard texts.count > 1 else { return first }
        let remedy = faults.isEmpty ? "--print shows all" : "--check of that file shows all"
        return "\(first)  (and \(texts.count - 1) more warnings; \(remedy))"
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
