import ObjectStore
import PlistConfig
import Presentation
import Screens
import TerminalUI

extension Browser {
    /// Commands that are the browser's own; the rest is the top screen's.
    func perform(_ command: Command) {
        switch command {
        case .help: showHelp()
        case .cancel:
            guard let top = stack.indices.last, !stack[top].entry.screen.undo() else { return }
            if stack.count > 1 { pop() }
        case .copyRow: copyObject(as: .row)
        case .copyObject: copyObject(as: .object)
        case .redraw: terminal.invalidate()
        case .suspend: suspend()
        case .interrupt:
            if work.cancelScans() {
                status = .message("cancelled")
            } else {
                ending = .interrupted
            }
        case .reload where stack.last?.isOutdated == true: retryByHand()
        default:
            guard !stack.isEmpty else { return }
            perform(stack[stack.count - 1].entry.screen.perform(command))
        }
    }

    func perform(_ effects: [Effect]) {
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .back: pop()
        case .open(let object, let layout): push(navigator.detail(of: object, layout: layout, breadcrumb: breadcrumb))
        case .view(let section, let row, let title):
            guard let detail = stack.last?.entry,
                let entry = navigator.viewer(of: detail, section: section, row: row, title: title, breadcrumb: breadcrumb)
            else { return }
            push(entry)
        case .viewPart(let value, let title, let place):
            guard let content = ViewedContent(value) else { return }
            let source = stack.last?.entry.source.map { PartSource(whole: $0, place: place) }
            push(StackEntry(screen: ViewerScreen(content, breadcrumb: breadcrumb + [title]), source: source))
        case .write(let bytes, let file): write(bytes, to: file)
        case .openList(let object, let relationship):
            guard let entry = navigator.list(of: object, through: relationship, breadcrumb: breadcrumb) else {
                status = .message("this cannot be shown as a list")
                return
            }
            push(entry)
        case .openLines(let object, let lines):
            guard let entry = navigator.list(of: object, lines: lines, breadcrumb: breadcrumb) else {
                status = .message("this cannot be shown as a list")
                return
            }
            push(entry)
        case .openEntity(let key):
            guard let entry = navigator.list(ofEntityAt: key, breadcrumb: breadcrumb) else {
                status = .message("this entity cannot be shown as a list")
                return
            }
            push(entry)
        case .chooseOrder, .chooseGrouping:
            let isGrouping = effect == .chooseGrouping
            guard let list = stack.last?.entry, let menu = navigator.menu(for: list, grouping: isGrouping) else {
                status = .message(isGrouping ? "nothing to group by" : "nothing to sort by")
                return
            }
            push(StackEntry(screen: menu, source: nil))
        case .arrange(let arrangement): arrange(arrangement)
        case .openNeighbour(let distance): openNeighbour(distance)
        case .copy(let text, let label):
            guard !text.isEmpty else {
                status = .message("nothing to copy")
                return
            }
            terminal.copyToClipboard(text)
            clipboard.copy(text)
            status = .message("copied: \(label)")
        case .printView(let file): printView(to: file)
        case .saveList(let file): saveList(to: file)
        case .message(let text): status = .message(text)
        case .reload: refreshByHand()
        }
    }

    func suspend() {
        terminal.suspend()
        terminal.invalidate()
    }

    private func showHelp() {
        guard let context = stack.last?.entry.screen.context else { return }
        push(StackEntry(screen: TextScreen(title: "Help", lines: keymap.helpLines(for: context)), source: nil))
    }

    /// Closes the menu and arranges the list under it.
    private func arrange(_ arrangement: ListArrangement) {
        pop()
        guard let top = stack.indices.last, let arranged = navigator.list(stack[top].entry, arranged: arrangement) else {
            status = .message("the list cannot be arranged like this")
            return
        }
        work.cancel(entry: stack[top].number)
        stack[top].entry = arranged
    }

    private var breadcrumb: [String] {
        stack.compactMap { numbered in
            switch numbered.entry.screen {
            case let list as ListScreen: list.configuration.nameInPath ?? list.configuration.title
            case let detail as DetailScreen: detail.title
            case let viewer as ViewerScreen: viewer.breadcrumb.last
            default: nil
            }
        }
    }

    /// Shows the next object of the list that the detail was opened from, in its place.
    private func openNeighbour(_ distance: Int) {
        guard stack.count >= 2, let detail = stack[stack.count - 1].entry.screen as? DetailScreen else { return }
        guard var list = stack[stack.count - 2].entry.screen as? ListScreen else {
            status = .message("this object was not opened from a list")
            return
        }
        guard let key = list.moveToNeighbour(of: detail.objectID.key, by: distance) else {
            status = .message(
                distance < 0
                    ? "the first object of the list"
                    : list.isPreview ? "the list is still loading" : "the last object of the list")
            return
        }
        stack[stack.count - 2].entry.screen = list
        let object = ObjectID(entityName: list.configuration.entityName, key: key)
        pop()
        push(navigator.detail(of: object, layout: nil, breadcrumb: detail.breadcrumb))
    }
}
