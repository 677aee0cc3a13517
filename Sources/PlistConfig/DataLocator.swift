import Foundation

/// Finds the files that a list plist means: data, model, detail plists. Looks, opens nothing but property lists.
package enum DataLocator {
    /// What a list plist's data may be called after the dot, the likelier first.
    package static let suffixes = [
        "sqlite", "sqlite3", "store", "db", "db3", "json", "ndjson", "jsonl", "csv", "tsv", "plist", "xml",
    ]

    /// The data of a list plist that `--data` does not name: its `dataFile`, else a file named as the entity, as the plist without
    /// `RootView`, `ListView` or `View`, or `*_InitialData`, beside the plist, in `../Data`, in `Data`.
    ///
    /// - Throws: A fault that lists the places looked in.
    package static func data(for list: ListDescription) throws(Fault) -> String {
        let file = list.file ?? ""
        if let named = list.dataFile {
            let path = DirectoryListing.path(named, besideFile: file)
            guard DirectoryListing.exists(path) else {
                throw Fault(
                    file: file, key: ListKey.dataFile.rawValue, problem: "no such file: \(path)",
                    remedy: "the path is relative to the plist")
            }
            if let kind = DirectoryListing.kindThatIsNoFile(path) {
                throw Fault(
                    file: file, key: ListKey.dataFile.rawValue, problem: "\(path) is \(kind), not a file", remedy: "name a file")
            }
            return path
        }
        let stem = DataLocator.stem(of: file)
        var stems = list.entityName.isEmpty ? [] : [list.entityName]
        for name in [stem.core, stem.whole, stem.core + initialData] where !name.isEmpty && !stems.contains(name) {
            stems.append(name)
        }
        let own = [file, (try? detail(for: list)) ?? ""].map { ($0 as NSString).lastPathComponent }
        let folder = DirectoryListing.folder(of: file)
        let folders = [folder, DirectoryListing.joined(folder, "../Data"), DirectoryListing.joined(folder, "Data")]
        for folder in folders {
            let names = DirectoryListing.names(in: folder)
            if let name = match(stems, among: names, folder: folder, except: own) { return DirectoryListing.joined(folder, name) }
        }
        let looked = (stems.filter { !$0.hasSuffix(initialData) } + ["*" + initialData]).joined(separator: ", ")
        throw Fault(
            file: file,
            problem: "no data found: looked for \(looked) with one of the suffixes .\(suffixes.joined(separator: " .")) in "
                + folders.joined(separator: ", "),
            remedy: "name it with --data FILE or with the key \(ListKey.dataFile.rawValue)")
    }

    /// The model that a list plist names; nil if it names none.
    package static func model(for list: ListDescription) throws(Fault) -> String? {
        guard let named = list.modelFile, let file = list.file else { return nil }
        let path = DirectoryListing.path(named, besideFile: file)
        guard DirectoryListing.exists(path) else {
            throw Fault(
                file: file, key: ListKey.modelFile.rawValue, problem: "no such file: \(path)",
                remedy: "the path is relative to the plist")
        }
        return path
    }

    /// The detail plist of a list plist; nil for a list made from a schema.
    package static func detail(for list: ListDescription) throws(Fault) -> String? {
        guard let name = list.detailViewPropertyListFile, let file = list.file else { return nil }
        return try detail(named: name, beside: file, key: ListKey.detailViewPropertyListFile.rawValue)
    }

    /// A detail plist named without `.plist` in a plist, at a key of it.
    package static func detail(named name: String, beside file: String, key: String) throws(Fault) -> String {
        let folder = DirectoryListing.folder(of: file)
        let path = DirectoryListing.joined(folder, name + ".plist")
        if DirectoryListing.isRegularFile(path) { return path }
        let asWritten = DirectoryListing.joined(folder, name)
        if name.hasSuffix(".plist"), DirectoryListing.isRegularFile(asWritten) { return asWritten }
        let wanted = name.hasSuffix(".plist") ? asWritten : path
        throw Fault(
            file: file, key: key, problem: "no such file: \(wanted)",
            remedy: DataLocator.nearestPlist(to: name, in: folder).map { "did you mean “\($0)”?" })
    }

    private static let initialData = "_InitialData"

    /// A plist's name without `.plist`, and that without what its sort of view adds.
    private static func stem(of file: String) -> (whole: String, core: String) {
        let whole = ((file as NSString).lastPathComponent as NSString).deletingPathExtension
        for ending in ["RootView", "ListView", "View"] where whole.hasSuffix(ending) {
            return (whole, String(whole.dropLast(ending.count)))
        }
        return (whole, whole)
    }

    /// The first name by stem, then by suffix: exactly, else whatever its case; at last the first `*_InitialData`.
    private static func match(_ stems: [String], among names: [String], folder: String, except own: [String]) -> String? {
        func isData(_ name: String) -> Bool {
            guard !own.contains(name) else { return false }
            let path = DirectoryListing.joined(folder, name)
            guard DirectoryListing.isRegularFile(path) else { return false }
            return !["plist", "xml"].contains((name as NSString).pathExtension.lowercased()) || PlistKind.of(file: path) == .data
        }
        let parts = names.map {
            (stem: ($0 as NSString).deletingPathExtension, suffix: ($0 as NSString).pathExtension.lowercased())
        }
        for stem in stems {
            for isSame in [{ $0 == stem }, { $0.lowercased() == stem.lowercased() }] as [(String) -> Bool] {
                for suffix in suffixes {
                    let found = zip(names, parts).first { $1.suffix == suffix && isSame($1.stem) && isData($0) }
                    if let found { return found.0 }
                }
            }
        }
        for suffix in suffixes {
            let found = zip(names, parts).first { $1.suffix == suffix && $1.stem.hasSuffix(initialData) && isData($0) }
            if let found { return found.0 }
        }
        return nil
    }
}
