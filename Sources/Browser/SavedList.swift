import Foundation
import ObjectStore
import PlistConfig
import Reports

/// A list, as it is arranged, on its way to a new plist.
struct SavedList: Sendable {
    private let description: ListDescription
    /// The detail plist that is written with it: only for lists made from the schema, which have none.
    private let detail: DetailDescription?
    private let path: String
    private let storeName: String
    private let modelPath: String?

    /// - Parameters:
    ///   - modelPath: the model that was named apart from the plist; it comes before the plist's.
    ///   - path: where it goes; with `.plist`.
    init(_ description: ListDescription, of store: any ObjectStore, modelPath: String?, schemaEntity: Entity, path: String) {
        self.modelPath = modelPath
        self.description = description
        self.path = path
        storeName = store.name
        detail = description.file == nil ? DetailDescription.fromSchema(schemaEntity, in: store.schema) : nil
    }

    /// Writes it; what there is to say about it. Blocks.
    func write() -> String {
        let parent = (path as NSString).deletingLastPathComponent
        let folder = parent.isEmpty ? "." : parent
        var list = description
        if storeName != "-" { list.dataFile = RelativePath.path(of: storeName, from: folder) }
        let model = modelPath ?? (try? DataLocator.model(for: description)).flatMap { $0 }
        list.modelFile = model.map { RelativePath.path(of: $0, from: folder) }
        var files: [(path: String, text: String)] = []
        if let detail {
            let stem = stem(of: path)
            list.detailViewPropertyListFile = (stem as NSString).lastPathComponent + "DetailView"
            files.append((stem + "DetailView.plist", PlistText.detail(detail)))
        } else if let found = (try? DataLocator.detail(for: description)).flatMap({ $0 }) {
            let relative = RelativePath.path(of: found, from: folder, isAlwaysRelative: true)
            list.detailViewPropertyListFile = relative.hasSuffix(".plist") ? String(relative.dropLast(6)) : relative
        }
        files.append((path, PlistText.list(list, heading: ["Saved by tlbrowse with T."])))
        return write(files)
    }

    /// All of the files or none.
    private func write(_ files: [(path: String, text: String)]) -> String {
        var written: [String] = []
        for file in files {
            do throws(NewFile.Failure) {
                try NewFile.create(file.path) { output throws(ReportOutputError) in try output.write(file.text) }
                written.append(file.path)
            } catch {
                for path in written { unlink(path) }
                return error.text
            }
        }
        return "saved \(written.reversed().joined(separator: " and "))"
    }

    /// The path without `.plist` and what its sort of view adds.
    private func stem(of path: String) -> String {
        let whole = (path as NSString).deletingPathExtension
        for ending in ["RootView", "ListView", "View"] where whole.hasSuffix(ending) && !whole.hasSuffix("/" + ending) {
            let stem = String(whole.dropLast(ending.count))
            if !stem.isEmpty { return stem }
        }
        return whole
    }
}
