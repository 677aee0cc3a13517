import DocumentStores
import Foundation
import Glibc
import ObjectStore
import TestSupport
import Testing

/// A folder of a test's own, with documents in it; removed with it.
final class DocumentFolder {
    let path: String

    init() throws {
        path = try TemporaryFolder(in: NSTemporaryDirectory()).path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    func open(_ name: String, _ text: String, _ options: DocumentOptions = DocumentOptions()) throws -> any ObjectStore {
        try DocumentStore.open(path: write(name, text.utf8), options: options)
    }

    /// The message of a document that cannot be read.
    func problem(_ name: String, _ text: String) throws -> String? {
        let file = try write(name, text.utf8)
        do throws(StoreError) {
            _ = try DocumentStore.open(path: file)
            return nil
        } catch {
            #expect(error.file == file)
            return error.problem
        }
    }
}

enum Samples {
    static let folder = "/work/shared/samples/documents/"
    static var areThere: Bool { FileManager.default.fileExists(atPath: folder) }
}

extension ObjectStore {
    func keys(_ entity: String, sort: [String] = [], scope: FetchRequest.Scope = .all) throws -> [ObjectKey] {
        let keys = try sort.map { SortKey(.keyPath(try schema.keyPath($0, in: entity))) }
        return Array(
            try fetch(FetchRequest(entityName: entity, scope: scope, sortDescriptors: keys), progress: FetchProgress()).keys)
    }

    /// All values of one key path, in the order of the document.
    func column(_ path: String, of entity: String, as form: ValueForm = .typed) throws -> [Value] {
        let path = try schema.keyPath(path, in: entity)
        return try values(at: [path], of: keys(entity), in: entity, as: form).map { $0?.first ?? .string("missing") }
    }

    /// `name:Type` of all attributes, and `name>destination` or `name>>destination` of all relationships.
    func shape(_ entity: String) -> [String] {
        guard let entity = schema.entity(named: entity) else { return [] }
        return entity.attributes.map { "\($0.name):\($0.type.rawValue)" }
            + entity.relationships.map { "\($0.name)\($0.isToMany ? ">>" : ">")\($0.destinationEntityName)" }
    }
}
