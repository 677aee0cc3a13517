public import Foundation

/// A row of a detail that is programmed: what `CDLTableRowTypeCustom` and `rowCustomControllerClass` name.
///
/// Register it under the name that the plist gives:
///
///     var rows = CustomRowRegistry.standard
///     rows.register("AgeRowController") { AgeRow(configuration: $0) }
public protocol CustomRow: Sendable {
    /// Key paths of the values that the row needs of its object, as a detail plist would write them; one that the entity does
    /// not have gives `null`.
    var keyPaths: [String] { get }

    /// What the row shows, made of the values of `keyPaths`. Called on any thread, once for each time that the object is read.
    func content(_ values: [String: CustomRowValue]) -> CustomRowContent
}

/// What a custom row shows, in one line: the label at the left, the text at the right.
public struct CustomRowContent: Sendable, Equatable {
    /// What stands at the left.
    public var label: String
    /// What stands at the right.
    public var text: String
    /// Whether the row cannot be used now and is shown dimmed; the text says why.
    public var isInactive: Bool

    /// A line that is in use unless said otherwise.
    public init(label: String, text: String, isInactive: Bool = false) {
        self.label = label
        self.text = text
        self.isInactive = isInactive
    }
}

/// A value of an object, or of a key of a plist.
public indirect enum CustomRowValue: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case date(Date)
    case data(Data)
    case list([CustomRowValue])
    /// Of plists only.
    case dictionary([String: CustomRowValue])
}

/// What the plist says of a custom row: its whole dictionary, keys of its own included.
public struct CustomRowConfiguration: Sendable, Equatable {
    /// The row's `rowLabel`; nil where there is none.
    public var label: String?
    /// All keys of the row with their values.
    public var dictionary: [String: CustomRowValue]
    /// Whether objects may be changed.
    public var isEditable: Bool

    /// What a plist says of a row, for those who make rows themselves.
    public init(label: String?, dictionary: [String: CustomRowValue], isEditable: Bool) {
        self.label = label
        self.dictionary = dictionary
        self.isEditable = isEditable
    }
}
