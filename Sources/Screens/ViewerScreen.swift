import Fetching
import Foundation
import ObjectStore
package import Presentation
package import TerminalUI

/// One value that is not a line of text: as a foldable outline, as text, or as bytes.
package struct ViewerScreen: Screen {
    /// What of the value is shown; `v` goes from one to the next.
    enum Mode: Equatable {
        case outline, text, picture
        /// The bytes that a compressed value holds.
        case openedBytes
        /// The bytes as the store holds them.
        case storedBytes
    }

    /// Titles of the screens that led here, from the root, and of the value.
    package let breadcrumb: [String]
    var content: ViewedContent?
    /// What went wrong, or that the value is gone.
    private var notice: String?
    var modes: [Mode] = []
    /// Which of `modes` is shown.
    var mode = 0
    /// A pane for each of `modes`, made when it is first shown.
    var panes: [(any ViewerPane)?] = []
    package var finding = Finding<Place>()
    package private(set) var size = Size(rows: 24, columns: 80)
    package var keyLabels = KeyLabels()
    private var generation = 0
    private var needsValue: Bool
    private var needsOutline = false
    /// Whether the reader has done something with what is shown.
    var wasTouched = false

    /// A viewer that asks for its value.
    package init(breadcrumb: [String]) {
        self.breadcrumb = breadcrumb
        needsValue = true
    }

    /// A viewer of what is known already.
    package init(_ content: ViewedContent, breadcrumb: [String]) {
        self.breadcrumb = breadcrumb
        needsValue = false
        show(content)
    }

    package var context: KeyContext { .viewer }
    package var isFilling: Bool { content == nil && notice == nil }
    private var window: Rect { Chrome.body(of: size) }

    package mutating func resize(to size: Size) {
        self.size = size
        let rows = paneRect.rows
        for place in panes.indices { panes[place]?.resize(rows: rows, columns: size.columns) }
    }

    /// What could not be read; at least half of the window is the value's.
    private var problemLines: [String] {
        guard let problem = content?.problem, window.rows > 2 else { return [] }
        return Chrome.problemLines(problem, columns: size.columns, rows: window.rows / 2)
    }

    /// The window without the lines that say what could not be read.
    private var paneRect: Rect {
        var rect = window
        let count = problemLines.count
        rect.row += count
        rect.rows -= count
        return rect
    }

    // MARK: Data

    package mutating func takeRequests() -> [DataRequest] {
        var requests: [DataRequest] = []
        if needsValue {
            needsValue = false
            requests.append(DataRequest(kind: .value, generation: generation, form: .typed))
        }
        if needsOutline {
            needsOutline = false
            requests.append(DataRequest(kind: .outline, generation: generation, form: .typed))
        }
        if var picture = pane as? PicturePane, let order = picture.takeOrder() {
            pane = picture
            requests.append(DataRequest(kind: .picture(order), generation: generation, form: .typed))
        }
        return requests
    }

    /// Changes the pane that shows a picture, where there is one.
    private mutating func withPicture(_ change: (inout PicturePane) -> Void) {
        for place in panes.indices {
            guard var picture = panes[place] as? PicturePane else { continue }
            change(&picture)
            panes[place] = picture
        }
    }

    package mutating func graphicsChanged() { withPicture { $0.forget() } }

    package mutating func receive(_ reply: DataReply) -> [Effect] {
        guard reply.generation == generation else { return [] }
        switch reply.kind {
        case .value(.some(let content)):
            let said: [Effect] = notice == nil ? [] : [.message("the value is there again")]
            notice = nil
            // Folds and place stay where nothing has changed.
            if content.stored != self.content?.stored {
                show(content)
                needsOutline = content.awaitsOutline
            } else if self.content?.awaitsOutline == true, !content.awaitsOutline {
                return said + addOutline(of: content)
            }
            return said
        case .value(nil):
            notice = "There is no value any more."
            return [.message(content == nil ? "the value is gone" : "the value is gone; this is what it was")]
        case .picture(let picture, let size): withPicture { $0.receive(picture, for: size) }
        case .failure(_, let error):
            guard error.cause != .cancelled else { break }
            notice = error.problem
            return [.message(error.problem)]
        default: break
        }
        return []
    }

    package mutating func follow() {
        generation += 1
        needsValue = true
    }

    /// The outline of a text that is shown already: in its place, unless the reader is at it.
    private mutating func addOutline(of content: ViewedContent) -> [Effect] {
        guard case .outline = content.form else {
            self.content = content
            resize(to: size)
            return []
        }
        let earlier = (mode: modes.indices.contains(mode) ? modes[mode] : .text, panes: zip(modes, panes))
        guard wasTouched else {
            show(content)
            return []
        }
        let finding = finding
        show(content)
        self.finding = finding
        for (kind, pane) in earlier.panes {
            if let place = modes.firstIndex(of: kind) { panes[place] = pane }
        }
        mode = modes.firstIndex(of: earlier.mode) ?? 0
        return [.message("v shows it as an outline, too")]
    }

    private mutating func show(_ content: ViewedContent) {
        self.content = content
        modes = []
        switch content.form {
        case .outline:
            modes.append(.outline)
            if content.text != nil { modes.append(.text) }
        case .text: modes.append(.text)
        case .picture:
            modes.append(.picture)
            if content.layers.count > 1 { modes.append(.openedBytes) }
        case .bytes: if content.layers.count > 1 { modes.append(.openedBytes) }
        }
        modes.append(.storedBytes)
        panes = modes.map { _ in nil }
        mode = 0
        finding.origin = nil
        makePane()
    }

    /// Makes the pane of the mode that is shown.
    mutating func makePane() {
        guard let content, modes.indices.contains(mode), panes[mode] == nil else { return }
        var pane: any ViewerPane
        switch (modes[mode], content.form) {
        case (.outline, .outline(let root)): pane = OutlinePane(root)
        case (.text, .text(let text)): pane = TextPane(text)
        case (.text, _): pane = TextPane(content.text ?? TextContent(utf8: content.opened))
        case (.picture, .picture(let format)):
            pane = PicturePane(format, content.opened, summary: content.layers.last ?? format.rawValue)
        case (.openedBytes, _): pane = HexPane(content.opened)
        default: pane = HexPane(content.stored)
        }
        pane.resize(rows: paneRect.rows, columns: size.columns)
        panes[mode] = pane
    }

    var pane: (any ViewerPane)? {
        get { panes.indices.contains(mode) ? panes[mode] : nil }
        set { if panes.indices.contains(mode) { panes[mode] = newValue } }
    }

    // MARK: Mouse

    package mutating func handle(_ mouse: MouseEvent) -> [Effect] {
        let rect = paneRect
        wasTouched = true
        switch mouse.action {
        case .wheelUp: pane?.scroll(by: -3)
        case .wheelDown: pane?.scroll(by: 3)
        case .press, .doublePress:
            guard rect.contains(mouse.position) else { return [] }
            pane?.click(row: mouse.position.row - rect.row, column: mouse.position.column, isDouble: mouse.action == .doublePress)
        case .drag, .release: break
        }
        return []
    }

    // MARK: Looks

    package func render(into buffer: inout CellBuffer, status: Status) {
        let path = Chrome.breadcrumb(breadcrumb)
        Chrome.drawTitle(path, trailing: content?.layers.joined(separator: " → ") ?? "", into: &buffer)
        let window = window
        if let pane {
            Chrome.draw(problemLines: problemLines, in: window, into: &buffer)
            pane.draw(in: paneRect, marking: finding.query?.text ?? "", into: &buffer)
        } else if let notice {
            Chrome.drawProblem(notice, in: window, into: &buffer)
        }
        if let prompt = finding.prompt { return Chrome.drawPrompt(prompt, into: &buffer) }
        Chrome.drawStatus(status, quiet: quietText, hint: keyLabels.hint(.help, "help"), into: &buffer)
    }

    private var quietText: String {
        guard let pane else { return notice == nil ? "loading…" : "" }
        let name = modes[mode] == .storedBytes && modes.count > 1 ? "as stored  " : ""
        let reading = content?.awaitsOutline == true ? "reading its outline…  " : ""
        let former = notice.map { "\($0) This is what it was.  " } ?? ""
        return former + reading + name + pane.positionText
    }
}
