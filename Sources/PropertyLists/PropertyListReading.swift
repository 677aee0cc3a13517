/// A property list as far as it can be read, and what is odd about it.
package struct PropertyListReading: Sendable {
    /// A key that stands more than once in its dictionary; the value that comes last counts.
    package struct RepeatedKey: Sendable, Equatable {
        package var key: String
        /// 1-based line where it comes again; nil in the binary format.
        package var line: Int?
    }

    /// Of a damaged list, what was whole before the fault: the elements of the outermost array, or the values of the outermost
    /// dictionary and the elements of the array among them that the fault lies in. Of a binary one, all objects that are there.
    package var list: PropertyList
    /// What is wrong with a damaged one.
    package var fault: PropertyListError?
    /// Values of a damaged binary list that are left out, as they refer to what is lost.
    package var lostValues = 0
    package var repeatedKeys: [RepeatedKey] = []
    /// Whether it is in the old format, which has texts and data only.
    package var isOpenStep = false

    /// More repeated keys than this are not listed.
    package static let mostRepeatedKeys = 20
}

/// A parser of a form that is text.
protocol TextPropertyListParser {
    /// What was whole before the fault, once `parse` has thrown.
    var salvaged: PropertyList? { get }
    var repeatedKeys: [PropertyListReading.RepeatedKey] { get }
    mutating func parse() throws(PropertyListError) -> PropertyList
}

extension PropertyListReader {
    /// The property list in `bytes`, or what can still be read of it. Linear in the size.
    ///
    /// - Throws: What is wrong, where nothing can be read.
    package static func readWhatIsThere(
        bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()
    ) throws(PropertyListError) -> PropertyListReading {
        guard !bytes.isEmpty else { throw PropertyListError(cause: .empty) }
        guard bytes.count <= limits.fileBytes else {
            throw PropertyListError(cause: .tooLarge(size: bytes.count, limit: limits.fileBytes))
        }
        if bytes.starts(with: "bplist".utf8) { return try readBinary(bytes, limits) }
        if let other = FileSignature.name(of: bytes) { throw .malformed("it is \(other)") }
        let text = try PropertyListText.utf8(from: bytes)
        guard !PropertyListText.isMarkup(text) else { return try read(XMLPropertyListParser(text: text, limits: limits)) }
        var reading = try read(OpenStepParser(text: text, limits: limits))
        reading.isOpenStep = true
        return reading
    }

    private static func read(_ parser: some TextPropertyListParser) throws(PropertyListError) -> PropertyListReading {
        var parser = parser
        do throws(PropertyListError) {
            let list = try parser.parse()
            return PropertyListReading(list: list, repeatedKeys: parser.repeatedKeys)
        } catch {
            guard let list = parser.salvaged, !list.isEmpty else { throw error }
            return PropertyListReading(list: list, fault: error, repeatedKeys: parser.repeatedKeys)
        }
    }

    private static func readBinary(
        _ bytes: [UInt8], _ limits: PropertyListLimits
    ) throws(PropertyListError) -> PropertyListReading {
        do throws(PropertyListError) {
            return PropertyListReading(list: try BinaryPropertyList(bytes: bytes).propertyList(limits: limits))
        } catch {
            // Only what is damaged: a list that spreads out too far, or contains itself, is as its writer wanted it.
            guard case .notAPropertyList = error.cause else { throw error }
            // By its own table, where that is there, all is found but what is damaged itself.
            for found in [try? BinaryPropertyList(bytes: bytes), try? BinaryPropertyList(salvaging: bytes)] {
                guard let (list, lost) = found?.whatIsThere(limits: limits), let list, !list.isEmpty else { continue }
                return PropertyListReading(list: list, fault: error, lostValues: lost)
            }
            throw error
        }
    }
}

extension PropertyList {
    /// Whether it is a container with nothing in it.
    fileprivate var isEmpty: Bool {
        switch self {
        case .array(let items): items.isEmpty
        case .dictionary(let entries): entries.isEmpty
        default: false
        }
    }
}
