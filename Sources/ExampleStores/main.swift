import Foundation

// ExampleStores SOURCE DESTINATION: writes Elements.sqlite and Scales.sqlite with their models from the tables in SOURCE.

/// Writes a store and, beside it, its model.
func write(_ contents: StoreContents, name: String, uuid: String, into folder: String) throws {
    try contents.write(to: "\(folder)/\(name).sqlite", uuid: uuid)
    let model = "\(folder)/\(name).xcdatamodeld/\(name).xcdatamodel"
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    try Data(contents.model.contents.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: ExampleStores SOURCE DESTINATION\n".utf8))
    exit(2)
}
do {
    let elements = try ElementsStore.contents(source: arguments[0])
    try write(elements, name: "Elements", uuid: "6D1B7C2E-3A54-4E0B-9B0A-0C6C1E118118", into: arguments[1])
    let scales = try ScalesStore.contents(source: arguments[0])
    try write(scales, name: "Scales", uuid: "B7F3D9A4-52C1-4C57-8D2F-1224435571C0", into: arguments[1])
} catch {
    FileHandle.standardError.write(Data("ExampleStores: \(error)\n".utf8))
    exit(1)
}
