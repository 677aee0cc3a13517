package import PropertyLists

extension Fault {
    /// A file that cannot be read as a property list.
    package init(file: String, _ error: PropertyListError) {
        self.init(file: file, problem: error.problem, remedy: error.remedy, line: error.line)
    }
}
