import Browser
import PlistConfig

/// A file of docs/ that is made from the tables of the program: `--generate WHAT`, for script/make-docs and the tests.
enum GeneratedFile: String, CaseIterable {
    case manPage = "man"
    case bash, zsh, fish
    case plistReference = "plist-reference"

    var text: String {
        switch self {
        case .manPage: ManPage.text
        case .bash: Completions.bash
        case .zsh: Completions.zsh
        case .fish: Completions.fish
        case .plistReference: PlistReference.text + PlistReference.text(of: Settings.vocabulary)
        }
    }
}
