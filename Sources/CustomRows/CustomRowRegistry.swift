/// The custom rows that there are, by the names that detail plists give them.
public struct CustomRowRegistry: Sendable {
    private var makers: [String: @Sendable (CustomRowConfiguration) -> any CustomRow] = [:]

    /// A registry without rows.
    public init() {}

    /// The rows that come with the program: CDL's `DeleteRowController`.
    public static var standard: CustomRowRegistry {
        var registry = CustomRowRegistry()
        registry.register("DeleteRowController") { DeleteRow(configuration: $0) }
        return registry
    }

    /// Registers a row type under the name that `rowCustomControllerClass` gives; one registered before under the same name goes.
    ///
    /// - Parameter make: makes the row of one place in a plist, called whenever its object is read.
    public mutating func register(_ name: String, _ make: @escaping @Sendable (CustomRowConfiguration) -> any CustomRow) {
        makers[name] = make
    }

    /// All names.
    public var names: Set<String> { Set(makers.keys) }

    /// The row of this name; nil where none is registered.
    public func row(named name: String, _ configuration: CustomRowConfiguration) -> (any CustomRow)? {
        makers[name]?(configuration)
    }
}

/// The row that deletes its object, as in CDL's example; inactive while the store is open read-only.
struct DeleteRow: CustomRow {
    let configuration: CustomRowConfiguration

    var keyPaths: [String] { [] }

    func content(_ values: [String: CustomRowValue]) -> CustomRowContent {
        let label = configuration.label ?? "Delete"
        guard configuration.isEditable else { return CustomRowContent(label: label, text: "read-only", isInactive: true) }
        return CustomRowContent(label: label, text: "")
    }
}
