import Fetching
import Foundation
import ObjectStore
import Presentation
package import TerminalUI

extension ViewerScreen {
    package mutating func perform(_ command: Command) -> [Effect] {
        switch command {
        case .back: return [.back]
        case .reload:
            follow()
            return [.reload]
        default: break
        }
        guard pane != nil else { return command == .moveLeft ? [.back] : [] }
        switch command {
        case .copy:
            let text = pane?.lineText ?? ""
            return [text.isEmpty ? .message("nothing to copy") : .copy(text, label: "line")]
        case .toggleRawValues: return showNextMode()
        case .goToRow: prompt = Prompt(.goToRow)
        case .find:
            paneBeforeFind = pane
            prompt = Prompt(.find)
        case .nextHit: return moveToHit(forward: true)
        case .previousHit: return moveToHit(forward: false)
        case .writeBytes: prompt = Prompt(.writeBytes)
        default:
            switch pane?.perform(command) {
            case .message(let text)?: return [.message(text)]
            case .back?: return [.back]
            case .open(let value, let title)?: return [.viewPart(value, title: title)]
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

    // MARK: Finding

    private mutating func moveToHit(forward: Bool) -> [Effect] {
        guard !wanted.isEmpty else { return [.message("nothing was searched for yet (/)")] }
        guard find(forward: forward, includesCursor: false) else { return [noHit] }
        return []
    }

    private mutating func find(forward: Bool, includesCursor: Bool) -> Bool {
        let wanted = wanted
        return pane?.find(wanted, forward: forward, includesCursor: includesCursor) ?? false
    }

    private var noHit: Effect { .message("no match for “\(wanted)”") }

    package mutating func undo() -> Bool {
        guard !wanted.isEmpty else { return false }
        wanted = ""
        return true
    }

    // MARK: The prompt

    package mutating func handle(_ key: Key) -> [Effect] {
        guard var editing = prompt else { return [] }
        let outcome = editing.handle(key)
        prompt = outcome == .editing ? editing : nil
        return promptChanged(editing, outcome)
    }

    package mutating func handle(paste text: String) -> [Effect] {
        guard var editing = prompt else { return [] }
        editing.insert(text)
        prompt = editing
        return promptChanged(editing, .editing)
    }

    private mutating func promptChanged(_ editing: Prompt, _ outcome: Prompt.Outcome) -> [Effect] {
        switch (editing.purpose, outcome) {
        case (.find, .editing):
            wanted = editing.text
            // From where the search began, so that a letter rubbed out brings the place before it back.
            if let paneBeforeFind { pane = paneBeforeFind }
            _ = find(forward: true, includesCursor: true)
        case (.find, .cancelled):
            wanted = ""
            if let paneBeforeFind { pane = paneBeforeFind }
            paneBeforeFind = nil
        case (.find, .accepted):
            paneBeforeFind = nil
            guard !wanted.isEmpty, !find(forward: true, includesCursor: true) else { break }
            return [noHit]
        case (.goToRow, .accepted):
            guard !editing.text.allSatisfy(\.isWhitespace), let problem = pane?.goTo(editing.text) else { break }
            return [.message(problem)]
        case (.writeBytes, .accepted):
            guard let content, !editing.text.isEmpty else { return [.message("no file is named: nothing is written")] }
            return [.write(content.stored, toFile: editing.text)]
        default: break
        }
        return []
    }
}
