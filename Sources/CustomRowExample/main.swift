import CommandLineProgram
import CustomRows
import Foundation

// A browser with a row of its own: what a program that depends on this package's products `CommandLineProgram` and `CustomRows`
// writes. The plist names the row:
//
//     { rowType = CDLTableRowTypeCustom; rowCustomControllerClass = LetterCountRowController; rowLabel = Letters; counted = name; }

/// Counts the letters of a text that the plist names with a key of its own.
struct LetterCountRow: CustomRow {
    let configuration: CustomRowConfiguration

    private var counted: String {
        if case .text(let keyPath)? = configuration.dictionary["counted"] { keyPath } else { "name" }
    }

    var keyPaths: [String] { [counted] }

    func content(_ values: [String: CustomRowValue]) -> CustomRowContent {
        let label = configuration.label ?? "Letters"
        guard case .text(let text)? = values[counted] else {
            return CustomRowContent(label: label, text: "no text", isInactive: true)
        }
        return CustomRowContent(label: label, text: String(text.count { $0.isLetter }))
    }
}

private var rows = CustomRowRegistry.standard
rows.register("LetterCountRowController") { LetterCountRow(configuration: $0) }
exit(CommandLineProgram.run(rows: rows))
