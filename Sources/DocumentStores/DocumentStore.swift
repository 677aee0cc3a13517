package import ObjectStore
import PropertyLists
package import SQLiteStores

/// What a caller may say about the reading of a document.
package struct DocumentOptions: Sendable {
    /// Zone, locale and privacy, as for other stores.
    package var store: StoreOptions
    /// Nil: recognised by suffix and content.
    package var format: DocumentFormat?
    /// Whether the first record of CSV names the columns; nil: decided by what it looks like.
    package var hasHeader: Bool?
    /// The name of the outermost entity; nil: the file's name without its suffix, `Input` for standard input.
    package var entityName: String?
    /// Bytes of values kept in memory before they go to a file without a name; a private store never does.
    package var memoryLimit: Int
    /// How far the window of the readers reaches, in bytes; for tests.
    package var windowSize: Int

    package init(
        store: StoreOptions = StoreOptions(), format: DocumentFormat? = nil, hasHeader: Bool? = nil, entityName: String? = nil,
        memoryLimit: Int = 192 << 20, windowSize: Int = 1 << 18
    ) {
        self.store = store
        self.format = format
        self.hasHeader = hasHeader
        self.entityName = entityName
        self.memoryLimit = memoryLimit
        self.windowSize = windowSize
    }
}

/// Documents (JSON, NDJSON, CSV and its kin, property lists) as stores of objects.
///
/// A document is read once, into a private temporary database; nothing is written beside it (SPEC section 6). Arrays of records
/// are entities, nested arrays to-many relationships, nested records to-one relationships that key paths cross. An object's key is
/// its position among those of its entity, from 1. What is odd about the document is in `schema.warnings`.
package enum DocumentStore {
    /// Whether the file is a document that can be read, by its suffix and its first bytes; false for SQLite databases and for what
    /// cannot be opened.
    package static func canRead(path: String) -> Bool { format(path: path) != nil }

    /// Whether a file calls itself a document, though it is none: no database's reader can say what is wrong with it.
    package static func isNamedAsOne(path: String) -> Bool {
        guard DocumentFormat.suffixes.contains(suffix(path)), let input = try? DocumentInput.open(path: path, isPrivate: true),
            let head = try? input.head(headSize)
        else { return false }
        return !head.starts(with: "SQLite format 3".utf8)
    }

    /// What the file is written in; nil for SQLite databases, unknown formats, and what cannot be opened.
    package static func format(path: String) -> DocumentFormat? {
        guard let input = try? DocumentInput.open(path: path, isPrivate: true), let head = try? input.head(headSize) else {
            return nil
        }
        return DocumentFormat.recognise(head, suffix: suffix(path))
    }

    /// Opens the document at a path; `-` is standard input.
    ///
    /// - Throws: `missing`, `notReadable`, `cancelled`, and what is wrong with it, with line and column: no document, or a fault
    ///   before the first whole record.
    package static func open(
        path: String, options: DocumentOptions = DocumentOptions(), progress: FetchProgress = FetchProgress()
    ) throws(StoreError) -> any ObjectStore {
        if path == "-" { return try open(descriptor: 0, options: options, progress: progress) }
        do throws(ReadingFault) {
            let input = try DocumentInput.open(path: path, isPrivate: options.store.isPrivate, progress: progress)
            return try read(input, suffix: suffix(path), options, progress)
        } catch {
            throw error.storeError(path)
        }
    }

    /// Reads what a descriptor gives to its end; it stays open.
    package static func open(
        descriptor: Int32, name: String = "-", options: DocumentOptions = DocumentOptions(),
        progress: FetchProgress = FetchProgress()
    ) throws(StoreError) -> any ObjectStore {
        do throws(ReadingFault) {
            let input = try DocumentInput.read(
                descriptor: descriptor, name: name, isPrivate: options.store.isPrivate, progress: progress)
            return try read(input, suffix: "", options, progress)
        } catch {
            throw error.storeError(name)
        }
    }

    private static let headSize = 1 << 16

    private static func suffix(_ path: String) -> String {
        let file = path.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return "" }
        return file[file.index(after: dot)...].lowercased()
    }

    /// The file's name without its last suffix.
    private static func stem(_ path: String) -> String {
        guard path != "-" else { return "Input" }
        let file = path.split(separator: "/").last ?? "Input"
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return String(file) }
        return String(file[..<dot])
    }

    private static func read(
        _ given: DocumentInput, suffix: String, _ options: DocumentOptions, _ progress: FetchProgress
    ) throws(ReadingFault) -> any ObjectStore {
        var input = given
        let head = try input.head(headSize)
        guard !head.isEmpty else {
            throw .document(input.name == "-" ? "nothing comes from standard input" : "the file is empty")
        }
        guard let format = options.format ?? DocumentFormat.recognise(head, suffix: suffix) else {
            if head.count < headSize, head.allSatisfy({ $0 <= 0x20 && $0 != 0 }) { throw .document("there is nothing in it") }
            let other = PropertyListReader.otherKind(of: head).map { "it is \($0), " } ?? ""
            throw .document(other + "neither a database nor a document: JSON, CSV or a property list is expected")
        }
        let warnings = DocumentWarnings()
        if format != .propertyList, let isBigEndian = DocumentFormat.utf16IsBigEndian(head) {
            input = try UTF16Document.converted(
                input, isBigEndian: isBigEndian, isPrivate: options.store.isPrivate, progress: progress)
        }
        let database = try DocumentDatabase(
            name: input.name, isPrivate: options.store.isPrivate, memoryLimit: options.memoryLimit)
        let builder = try DocumentBuilder(
            database: database, rootName: options.entityName ?? SystemPath.shown(stem(input.name)), warnings: warnings,
            progress: progress)
        switch format {
        case .json: try JSONReader(input, builder: builder, isLines: false, windowSize: options.windowSize).read()
        case .ndjson: try JSONReader(input, builder: builder, isLines: true, windowSize: options.windowSize).read()
        case .csv:
            let preferred: UInt8? = suffix == "tsv" || suffix == "tab" ? UInt8(ascii: "\t") : nil
            let dialect = try CSVDialect.recognise(input, preferred: preferred)
            // Prose and programs are no data, whatever commas are in them.
            let isNamed = options.format != nil || DocumentFormat.suffixes.contains(suffix)
            guard isNamed || suffix == "txt" || dialect.evenness >= 0.8 else {
                throw .document("neither a database nor a document: JSON, CSV or a property list is expected")
            }
            try CSVReader(
                input, dialect: dialect, hasHeader: options.hasHeader, builder: builder, windowSize: options.windowSize
            ).read()
        case .propertyList: try PropertyListDocument(builder: builder).read(input)
        }
        let result = try builder.result()
        let readers = try database.finish()
        return SQLiteObjectStore.open(
            readers, name: input.name, schema: result.schema, tables: result.tables, options: options.store)
    }
}
