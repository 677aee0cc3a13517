import PropertyLists

/// A list or detail plist as it was read, with what is odd about it as a property list.
struct PlistReading {
    let file: String
    let plist: PropertyList
    let warnings: [Fault]

    init(file: String, plist: PropertyList) {
        self.file = file
        self.plist = plist
        warnings = []
    }

    init(file: String) throws(PropertyListError) {
        self.file = file
        let bytes = try PropertyListReader.bytes(file: file)
        let reading: PropertyListReading
        do {
            reading = try PropertyListReader.readWhatIsThere(bytes: bytes)
        } catch {
            throw PropertyListError(file: file, cause: error.cause)
        }
        // Half a plist is none: what is missing would decide.
        if let fault = reading.fault { throw PropertyListError(file: file, cause: fault.cause) }
        plist = reading.list
        warnings = reading.repeatedKeys.map { repeated in
            Fault(file: file, key: repeated.key, .repeatedKey(line: repeated.line))
        }
    }
}
