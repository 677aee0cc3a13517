package import PropertyLists

/// Why a Core Data model cannot be read.
package struct ManagedObjectModelError: Error, Sendable, Equatable {
    package enum Cause: Sendable, Equatable {
        /// The file, or one that belongs to the model, cannot be read as a property list or as text.
        case file(PropertyListError.Cause)
        case notAModel(String)
        /// Several versions and nothing that says which is the current one; their names.
        case noCurrentVersion([String])
    }

    /// The model's path or, inside of a folder, that of the file at fault; empty for a store's cached model.
    package let file: String
    package let cause: Cause

    package init(file: String, cause: Cause) {
        self.file = file
        self.cause = cause
    }

    init(_ error: PropertyListError, file: String) { self.init(file: file, cause: .file(error.cause)) }

    /// What is wrong, in words, without the file's name; one line.
    package var problem: String {
        switch cause {
        case .file(let cause):
            // A source model is XML, but no property list.
            if case .notAPropertyList(let reason, let line?) = cause {
                "not a Core Data model: line \(line): \(reason)"
            } else {
                PropertyListError(cause: cause).problem
            }
        case .notAModel(let reason): "not a Core Data model: \(reason)"
        case .noCurrentVersion(let names):
            "several versions, and nothing says which is the current one: " + names.joined(separator: ", ")
        }
    }

    /// What to do about it, where there is something.
    package var remedy: String? {
        switch cause {
        case .file(let cause): PropertyListError(cause: cause).remedy
        case .notAModel: "name a .mom, .momd, .xcdatamodel or .xcdatamodeld"
        case .noCurrentVersion: "name one of them"
        }
    }
}
