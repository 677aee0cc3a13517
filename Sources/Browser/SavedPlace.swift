import Foundation
import ObjectStore
package import PlistConfig
import PropertyLists
package import Screens

/// The reader's place in a list, kept from one run to the next under `$XDG_STATE_HOME/tlbrowse`: cursor, folds, sort and grouping, by list plist
/// and store. Never a filter, which would hide rows unnoticed, and no text but the titles of sections.
package struct SavedPlace: Sendable {
    private let path: String

    /// Nil where there is no home to keep it in.
    ///
    /// - Parameters:
    ///   - list: path of the list plist, or the entity's name where there is none.
    ///   - data: path of the store.
    package init?(list: String, data: String, environment: [String: String]) {
        guard let home = SystemPath.baseDirectory("XDG_STATE_HOME", orElse: ".local/state", environment) else { return nil }
        let names = [list, data].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
        path = "\(home)/tlbrowse/\(Self.fingerprint(of: names.joined(separator: "\u{0}"))).json"
    }

    private struct Record: Codable {
        var key: Int64?
        var sectionTitle: String?
        var rowInSection: Int
        var offset: Int
        /// Titles of the sections that are folded against the list's own rule.
        var exceptions: [String]
        /// Whether the section of missing values is one of them.
        var exceptsUntitled: Bool
        var arrangement: ListArrangement?
    }

    /// What is kept, nil where nothing is or it cannot be read: that is no fault.
    package func load() -> (place: ListPlace, arrangement: ListArrangement)? {
        guard let data = FileManager.default.contents(atPath: path), data.count < Self.largest,
            let record = try? JSONDecoder().decode(Record.self, from: data)
        else { return nil }
        var exceptions = Set<String?>(record.exceptions)
        if record.exceptsUntitled { exceptions.insert(nil) }
        let place = ListPlace(
            key: record.key, sectionTitle: record.sectionTitle, rowInSection: max(0, record.rowInSection),
            offset: max(0, min(record.offset, 10_000)), exceptions: exceptions)
        return (place, record.arrangement ?? ListArrangement())
    }

    /// Keeps a place; that it cannot be kept (a full or read-only disk) is no reason to disturb the reader.
    package func save(_ place: ListPlace, arrangement: ListArrangement) {
        let record = Record(
            key: place.key, sectionTitle: place.sectionTitle, rowInSection: place.rowInSection, offset: place.offset,
            exceptions: place.exceptions.compactMap { $0 }.sorted(), exceptsUntitled: place.exceptions.contains(nil),
            arrangement: arrangement == ListArrangement() ? nil : arrangement)
        guard let data = try? JSONEncoder().encode(record), data.count < Self.largest else { return }
        let folder = (path as NSString).deletingLastPathComponent
        let owner: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: owner)
        // Titles may be private: nobody but the owner reads them, not even while the file is being written.
        let temporary = "\(path).\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let written = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        if written != data.count || rename(temporary, path) != 0 { unlink(temporary) }
    }

    /// Longest file that is kept, in bytes.
    private static let largest = 8 << 20

    /// A file name for a pair of paths, the same in every run.
    private static func fingerprint(of text: String) -> String { String(StableHash.of(text), radix: 16) }
}
