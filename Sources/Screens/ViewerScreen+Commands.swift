package import Fetching
import Foundation
import ObjectStore
import Presentation
import TerminalUI

extension ViewerScreen {
    package mutating func perform(_ command: Command) -> [Effect] {
        wasTouched = true
        switch command {
        case .back: return [.back]
        case .reload:
            follow()
            return [.reload]
        // Letters typed before the value is there are not to be taken for commands.
        case .find:
            beginFind()
            return []
        default: break
        }
        guard pane != nil else { return command == .moveLeft ? [.back] : [] }
        switch command {
        case .copy:
            let text = pane?.lineText ?? ""
            return [text.isEmpty ? .message("nothing to copy") : .copy(text, label: "line")]
        case .toggleRawValues: return showNextMode()
        case .goToRow: finding.prompt = Prompt(.goToRow)
        case .nextHit: return moveToHit(forward: true)
        case .previousHit: return moveToHit(forward: false)
        case .writeBytes: finding.prompt = Prompt(.writeBytes)
        default:
            switch pane?.perform(command) {
            case .message(let text)?: return [.message(text)]
            case .back?: return [.back]
            case .open(let value, let title, let place)?: return [.viewPart(value, title: title, place: place)]
            case .done?, .ignored?, nil: break
            }
        }
        return []
    }

    private mutating func showNextMode() -> [Effect] {
        guard modes.count > 1 else { return [.message("the bytes are all there is to see")] }
        mode = (mode + 1) % modes.count
        makePane()
        switch modes[mode] {
        case .outline: return [.message("as an outline")]
        case .text: return [.message("as text")]
        case .picture: return [.message("as a picture")]
        case .openedBytes: return [.message("the bytes that were compressed")]
        case .storedBytes: return [.message("the bytes as stored")]
        }
    }

    package mutating func accept(_ prompt: Prompt) -> [Effect] {
        switch prompt.purpose {
        case .goToRow:
            guard !prompt.text.allSatisfy(\.isWhitespace), let problem = pane?.goTo(prompt.text) else { return [] }
            return [.message(problem)]
        case .writeBytes:
            guard let content, !prompt.text.isEmpty else { return [.message("no file is named: nothing is written")] }
            return [.write(content.stored, toFile: prompt.text)]
        default: return []
        }
    }
}

// Finding: as the pane that is shown does it.
extension ViewerScreen: FindingScreen {
    /// The pane as it stands: its cursor, its window, its folds.
    package struct Place: Sendable {
        let pane: (any ViewerPane)?
    }

    package var place: Place {
        get { Place(pane: pane) }
        set { if let pane = newValue.pane { self.pane = pane } }
    }

    package mutating func moveCursor(toHitOf query: SearchQuery, forward: Bool, includesCursor: Bool) -> FindOutcome {
        let former = pane?.hitMark
        let outcome = pane?.find(query.text, forward: forward, includesCursor: includesCursor) ?? .none
        return outcome == .found && !includesCursor && pane?.hitMark == former ? .noOther : outcome
    }
}
