import Foundation
package import PropertyLists

/// What a file on the command line is: a list plist, a detail plist, or data to browse.
package enum PlistKind: Sendable, Equatable {
    case list
    case detail
    case data
    /// Called `.plist` or `.strings`, but not to be read as one.
    case unreadable(PropertyListError)

    /// Looks into a file; reads all of it only if it begins like a property list.
    package static func of(file: String) -> PlistKind {
        let suffix = (file as NSString).pathExtension.lowercased()
        let isNamedPlist = suffix == "plist" || suffix == "strings"
        guard isNamedPlist || beginsLikePlist(file) else { return .data }
        do {
            let bytes = try PropertyListReader.bytes(file: file)
            let reading = try PropertyListReader.readWhatIsThere(bytes: bytes)
            let kind = of(reading.list)
            // Of damaged data what is there can be shown; half a list plist is none.
            if let fault = reading.fault, kind != .data {
                return .unreadable(PropertyListError(file: file, cause: fault.cause))
            }
            return kind
        } catch {
            if case .tooLarge = error.cause { return .data }
            return isNamedPlist ? .unreadable(PropertyListError(file: file, cause: error.cause)) : .data
        }
    }

    /// A dictionary with any required key of a list plist; an array of dictionaries with `rowInformation`; anything else is data.
    package static func of(_ plist: PropertyList) -> PlistKind {
        switch plist {
        case .dictionary(let entries):
            let required = ListKey.required.map(\.rawValue)
            return entries.contains { required.contains($0.key) } ? .list : .data
        case .array(let sections):
            // One of them is enough: the others are at fault then, and that is said.
            return sections.contains { $0[DetailSectionKey.rowInformation.rawValue] != nil } ? .detail : .data
        default: return .data
        }
    }

    /// The first bytes of the three formats; JSON's brace passes, and fails at the parser's first colon.
    private static func beginsLikePlist(_ file: String) -> Bool {
        guard DirectoryListing.isRegularFile(file) else { return false }
        let descriptor = SystemPath.openForReading(file)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 512)
        head.removeLast(512 - max(0, read(descriptor, &head, 512)))
        if head.starts(with: "bplist".utf8) || head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE]) {
            return true
        }
        let text = head.dropFirst(head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        let first = text.first { !" \t\r\n".utf8.contains($0) }
        return first.map { "{(<".utf8.contains($0) || $0 == UInt8(ascii: "/") } ?? false
    }
}
