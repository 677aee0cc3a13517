import Fetching
import ObjectStore
import Presentation
import PropertyLists
package import TerminalUI

/// A value that is more than one line: an outline, a text, or bytes in hexadecimal.
package struct ViewerScreen: Screen {
    enum Mode: Sendable, Equatable {
        case outline, text, bytes
    }

    let breadcrumb: [String]
    var content: ViewedContent?
    var notice: String?
    var mode = Mode.bytes
    var outline: OutlineRows?
    /// Lines of a text at the width in force.
    var lines: [String] = []
    var size = Size(rows: 24, columns: 80)
    var cursor = 0
    var top = 0
    var prompt: Prompt?
    var query: SearchQuery?
    /// Where the cursor was when a search began.
    var origin = Origin()
    private var needsValue = true
    private var generation = 0

    /// Lines of a text at most; the bytes have the rest.
    private static let mostLines = 200_000

    package init(breadcrumb: [String]) { self.breadcrumb = breadcrumb }

    package var context: KeyContext { .viewer }
    package var takesKeys: Bool { prompt != nil }
    package var typingPosition: Position? { prompt.flatMap { Chrome.typingPosition(of: $0, in: size) } }
    var window: Rect { Chrome.body(of: size) }

    /// Digits of the offsets in the dump.
    var offsetDigits: Int { (content?.bytes.count ?? 0) > 0xFFFF ? 8 : 4 }

    /// Bytes in one row of the dump: a power of two that fits.
    var bytesPerRow: Int {
        let room = size.columns - indent - offsetDigits - 2
        return room >= 16 * 4 + 2 ? 16 : room >= 8 * 4 + 1 ? 8 : 4
    }

    var rowCount: Int {
        guard let content else { return 0 }
        return switch mode {
        case .outline: outline?.rows.count ?? 0
        case .text: lines.count
        case .bytes: (content.bytes.count + bytesPerRow - 1) / bytesPerRow
        }
    }

    package mutating func resize(to size: Size) {
        let offset = cursor * bytesPerRow
        let isOtherWidth = size.columns != self.size.columns
        self.size = size
        if isOtherWidth, let content {
            let before = lines.prefix(cursor).reduce(0) { $0 + $1.utf8.count }
            wrap(content)
            switch mode {
            case .bytes: cursor = offset / bytesPerRow
            case .text: cursor = line(after: before)
            case .outline: break
            }
        }
        settle()
    }

    // MARK: Data

    package mutating func takeRequests() -> [DataRequest] {
        guard needsValue else { return [] }
        needsValue = false
        return [DataRequest(kind: .value, generation: generation, form: .typed)]
    }

    package mutating func receive(_ reply: DataReply) -> [Effect] {
        guard reply.generation == generation else { return [] }
        switch reply.kind {
        case .value(.some(let content)):
            self.content = content
            show(content)
        case .value(nil): notice = "There is no value any more."
        case .failure(_, let error): notice = error.problem
        default: break
        }
        return []
    }

    private mutating func show(_ content: ViewedContent) {
        switch content.form {
        case .outline(let root):
            outline = OutlineRows(root)
            mode = .outline
        case .text: mode = .text
        case .bytes: mode = .bytes
        }
        wrap(content)
        settle()
    }

    private mutating func wrap(_ content: ViewedContent) {
        guard case .text(let text) = content.form else { return }
        lines = DisplayText.wrap(text, columns: max(1, size.columns - 2), maximumLines: Self.mostLines)
    }

    /// The line before which there is so much text, in bytes: where the reader is at another width. Blanks at line ends make it a
    /// line too few at times.
    private func line(after bytes: Int) -> Int {
        var left = bytes
        return lines.firstIndex { line in
            left -= line.utf8.count
            return left < 0
        } ?? lines.count - 1
    }

    // MARK: Commands

    package mutating func perform(_ command: Command) -> [Effect] {
        let page = max(1, window.rows - 1)
        switch command {
        case .moveUp: cursor -= 1
        case .moveDown: cursor += 1
        case .pageUp: move(by: -page)
        case .pageDown: move(by: page)
        case .halfPageUp: move(by: -max(1, page / 2))
        case .halfPageDown: move(by: max(1, page / 2))
        case .moveToStart: cursor = 0
        case .moveToEnd: cursor = rowCount - 1
        case .previousSection, .nextSection: moveToSibling(forward: command == .nextSection)
        case .toggleSection, .open: toggle(pages: command == .toggleSection)
        case .moveRight: if mode == .outline { outline?.expand(at: cursor) }
        case .moveLeft: if let effects = moveLeft() { return effects }
        case .expandAll:
            if outline?.expandAll() == false, mode == .outline { return finish([.message("unfolded as far as is sensible")]) }
        case .collapseAll: collapseAll()
        case .toggleRawValues: return toggleBytes()
        case .find: beginFind()
        case .nextHit, .previousHit: return finish(moveToHit(forward: command == .nextHit))
        case .writeBytes: prompt = Prompt(.writeBytes)
        case .copy: return copy()
        case .back: return [.back]
        default: break
        }
        settle()
        return []
    }

    private mutating func finish(_ effects: [Effect]) -> [Effect] {
        settle()
        return effects
    }

    private mutating func move(by rows: Int) {
        cursor += rows
        top += rows
    }

    private mutating func toggle(pages: Bool) {
        guard mode == .outline, let outline, outline.canExpand(cursor) else {
            if pages { move(by: max(1, window.rows - 1)) }
            return
        }
        if outline.rows[cursor].isExpanded { self.outline?.collapse(at: cursor) } else { self.outline?.expand(at: cursor) }
    }

    /// Folds, goes to the parent, back at the top.
    private mutating func moveLeft() -> [Effect]? {
        guard mode == .outline, let outline, outline.rows.indices.contains(cursor) else { return [.back] }
        if outline.rows[cursor].isExpanded {
            self.outline?.collapse(at: cursor)
        } else if let parent = outline.parent(of: cursor) {
            cursor = parent
        } else {
            return [.back]
        }
        return nil
    }

    private mutating func collapseAll() {
        guard mode == .outline else { return }
        outline?.collapseAll()
        outline?.expand(at: 0)
        cursor = 0
    }

    /// To the next or the previous row that stands no deeper.
    private mutating func moveToSibling(forward: Bool) {
        guard mode == .outline, let rows = outline?.rows, rows.indices.contains(cursor) else {
            cursor = forward ? rowCount - 1 : 0
            return
        }
        let depth = rows[cursor].depth
        let target =
            forward ? rows[(cursor + 1)...].firstIndex { $0.depth <= depth } : rows[..<cursor].lastIndex { $0.depth <= depth }
        cursor = target ?? cursor
    }

    private mutating func toggleBytes() -> [Effect] {
        guard let content else { return [] }
        if mode != .bytes {
            mode = .bytes
        } else {
            switch content.form {
            case .outline: mode = .outline
            case .text: mode = .text
            case .bytes: return [.message("bytes are all that there is to show")]
            }
        }
        cursor = 0
        top = 0
        return []
    }

    private func copy() -> [Effect] {
        guard let text = text(ofRow: cursor) else { return [.message("nothing to copy")] }
        return [.copy(text, label: "line")]
    }

    mutating func settle() {
        let rows = max(1, window.rows)
        cursor = max(0, min(cursor, rowCount - 1))
        top = max(0, min(top, rowCount - rows))
        top = min(max(top, cursor - rows + 1), cursor)
    }

    // MARK: Keys and mouse

    package mutating func handle(_ key: Key) -> [Effect] {
        guard var editing = prompt else { return [] }
        let outcome = editing.handle(key)
        prompt = outcome == .editing ? editing : nil
        switch (editing.purpose, outcome) {
        case (.find, .editing), (.find, .accepted): return finish(find(editing.text))
        case (.find, .cancelled):
            returnToOrigin()
            query = nil
        case (.writeBytes, .accepted):
            guard let content, !editing.text.isEmpty else { return [] }
            return [.write(content.stored, toFile: editing.text)]
        default: break
        }
        settle()
        return []
    }

    package mutating func handle(paste text: String) -> [Effect] {
        prompt?.insert(text)
        guard let prompt, prompt.purpose == .find else { return [] }
        return finish(find(prompt.text))
    }

    package mutating func undo() -> Bool {
        guard query != nil else { return false }
        query = nil
        return true
    }

    package mutating func handle(_ mouse: MouseEvent) -> [Effect] {
        switch mouse.action {
        case .wheelUp: move(by: -3)
        case .wheelDown: move(by: 3)
        case .press, .doublePress:
            let row = top + mouse.position.row - window.row
            guard window.contains(mouse.position), row < rowCount else { return [] }
            cursor = row
            if mouse.action == .doublePress { toggle(pages: false) }
        case .drag, .release: break
        }
        settle()
        return []
    }
}
