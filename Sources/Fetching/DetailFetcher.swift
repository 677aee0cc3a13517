package import CustomRows
package import ObjectStore
package import PlistConfig
package import Presentation

/// A detail plist and a store together: fetches what the detail of an object shows.
package struct DetailFetcher: Sendable {
    /// One section of the screen: rows of the object itself, or one to-many relationship.
    enum Part: Sendable {
        case rows(title: String?, [ResolvedDetail.Row])
        case related(title: String?, ResolvedDetail.Row, ResolvedDetail.ToMany)
    }

    package let store: any ObjectStore
    package let detail: ResolvedDetail
    package let presentation: ValuePresentation
    /// What the object is called by; nil: by its entity and key.
    let titleKeyPath: ObjectKeyPath?
    let parts: [Part]
    let customRows: CustomRowRegistry
    /// What the custom rows need of an object.
    private let customKeyPaths: [ObjectKeyPath]

    package init(
        store: any ObjectStore, detail: ResolvedDetail, titleKeyPath: ObjectKeyPath?, presentation: ValuePresentation,
        customRows: CustomRowRegistry = .standard
    ) {
        self.store = store
        self.detail = detail
        self.titleKeyPath = titleKeyPath
        self.presentation = presentation
        parts = Self.parts(of: detail)
        self.customRows = customRows
        customKeyPaths = detail.sections.flatMap(\.rows).flatMap { row -> [ObjectKeyPath] in
            guard case .custom(let name) = row.content else { return [] }
            let custom = FetchedCustomRow(name, row.description, in: detail.entityName, schema: store.schema, customRows)
            return custom.map { Array($0.keyPaths.values) } ?? []
        }
    }

    /// A to-many row has a section of its own; one that a plist puts among other rows gets one.
    private static func parts(of detail: ResolvedDetail) -> [Part] {
        var parts: [Part] = []
        for section in detail.sections {
            var title = section.title
            var rows: [ResolvedDetail.Row] = []
            func flush() {
                guard !rows.isEmpty else { return }
                parts.append(.rows(title: title, rows))
                title = nil
                rows = []
            }
            for row in section.rows {
                if case .toMany(let toMany) = row.content {
                    flush()
                    parts.append(.related(title: title ?? row.description.label, row, toMany))
                    title = nil
                } else {
                    rows.append(row)
                }
            }
            flush()
        }
        return parts
    }

    /// All that the detail shows of an object but the texts of to-many lines; nil if the object is gone.
    ///
    /// One read of the object, and one fetch of keys for each to-many relationship.
    package func contents(
        of object: ObjectID, as form: ValueForm, progress: FetchProgress
    ) throws(StoreError) -> DetailContents? {
        var paths = shownKeyPaths
        if let titleKeyPath, !paths.contains(titleKeyPath) { paths.append(titleKeyPath) }
        // Of a text of many megabytes the beginning is enough to show; the viewer has the rest.
        let shownForm = form == .typed ? .beginning : form
        guard let values = try store.values(at: paths, of: [object.key], in: detail.entityName, as: shownForm).first ?? nil
        else { return nil }
        let found = Dictionary(zip(paths, values), uniquingKeysWith: { first, _ in first })
        // The way to another object is needed as such, whatever form the reader wants to see.
        var targets = found
        let links = targetKeyPaths
        if form == .stored, !links.isEmpty {
            let linked = try store.values(at: links, of: [object.key], in: detail.entityName, as: .typed).first ?? nil
            for (path, value) in zip(links, linked ?? []) { targets[path] = value }
        }
        var sections: [DetailSection] = []
        var room: Int? = Self.longestTexts
        for part in parts {
            switch part {
            case .rows(let title, let rows):
                sections.append(DetailSection(title: title, body: .rows(rows.map { self.row($0, found, targets, form, &room) })))
            case .related(let title, let row, let toMany):
                let keys = try store.fetch(toMany.request(for: object), progress: progress).keys
                var related = RelatedObjects(label: row.description.label, keys: keys, relationshipName: toMany.relationshipName)
                related.dangling = store.danglingReferences(of: toMany.relationshipName, from: object).map {
                    presentation.present($0)
                }
                related.lines = toMany.target == nil ? nil : toMany
                related.detailViewPropertyListFile = row.description.detailViewPropertyListFile
                sections.append(DetailSection(title: title, body: .related(related)))
            }
        }
        let title = titleKeyPath.flatMap { found[$0] }.map { text($0, nil, form).text }
        return DetailContents(
            objectID: object, title: title ?? PresentedText("\(object.entityName) \(object.key)"), sections: sections)
    }

    /// What the rows show, the to-many sections left out.
    package var shownKeyPaths: [ObjectKeyPath] {
        detail.valueKeyPaths + customKeyPaths.filter { !detail.valueKeyPaths.contains($0) }
    }

    private var targetKeyPaths: [ObjectKeyPath] {
        detail.sections.flatMap(\.rows).compactMap { row in
            guard case .toOne(let toOne) = row.content else { return nil }
            return toOne.target
        }
    }

    /// - Parameter room: bytes that the row's text may have; takes off what it has. Nil: nothing is cut.
    func row(
        _ row: ResolvedDetail.Row, _ values: [ObjectKeyPath: Value], _ targets: [ObjectKeyPath: Value], _ form: ValueForm,
        _ room: inout Int?
    ) -> DetailRow {
        let longest = room.map { room in
            row.description.type.isMultiLine ? max(Self.longestLine, min(Self.longestText, room)) : Self.longestLine
        }
        var shown = DetailRow(type: row.description.type, label: row.description.label, value: .null)
        shown.detailViewPropertyListFile = row.description.detailViewPropertyListFile
        switch row.content {
        case .value(let path):
            let value = values[path] ?? .null
            (shown.value, shown.isCut) = text(value, row.description, form, longest: longest)
            room = room.map { $0 - shown.value.text.utf8.count }
            if row.description.type == .booleanSwitch, form != .stored { shown.isOn = Self.isOn(value) }
            shown.hasViewer = Self.hasViewer(value)
        case .toOne(let toOne):
            shown.value = text(values[toOne.display] ?? .null, row.description, form, longest: longest).text
            if case .object(let destination)? = targets[toOne.target] { shown.destination = destination }
        case .noValue, .toMany: break
        case .custom(let name):
            if let custom = FetchedCustomRow(name, row.description, in: detail.entityName, schema: store.schema, customRows) {
                custom.show(values, in: &shown)
            } else {
                shown.unavailable = "no view for \(name)"
            }
        case .unavailable(let reason): shown.unavailable = reason
        }
        return shown
    }

    /// Whether there is more to a value than its line: bytes, texts that a line may not hold, and those that are an outline.
    private static func hasViewer(_ value: Value) -> Bool {
        switch value {
        case .data(let bytes): !bytes.isEmpty
        case .string(let text): text.utf8.count > 60 || text.utf8.contains(UInt8(ascii: "\n")) || isOutline(text)
        default: false
        }
    }

    /// Whether a short text is an object or an array of JSON, or a property list.
    private static func isOutline(_ text: String) -> Bool {
        guard let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first),
            case .outline = ViewedContent(text: text).form
        else { return false }
        return true
    }

    /// The whole value of a row, by its section and row on the screen; nil if the object or the row has none.
    package func value(of object: ObjectID, section: Int, row: Int) throws(StoreError) -> Value? {
        guard parts.indices.contains(section), case .rows(_, let rows) = parts[section], rows.indices.contains(row),
            case .value(let path) = rows[row].content
        else { return nil }
        return try store.values(at: [path], of: [object.key], in: detail.entityName, as: .typed).first??.first
    }

    /// A number as a switch, as CDL's switch row reads it; nil for what is none.
    private static func isOn(_ value: Value) -> Bool? {
        switch value {
        case .boolean(let flag): flag
        case .integer(let number): number != 0
        case .double(let number): number != 0
        default: nil
        }
    }

    /// - Parameter longest: in bytes; nil: nothing is cut.
    func text(
        _ value: Value, _ row: DetailDescription.Row?, _ form: ValueForm, longest: Int? = longestLine
    ) -> (text: PresentedText, isCut: Bool) {
        var text = whole(value, row, form)
        let bytes = text.text.utf8
        guard let longest, bytes.count > longest else { return (text, false) }
        var kept = text.text[..<bytes.index(bytes.startIndex, offsetBy: longest)]
        // What the cut may have gone through goes as a whole.
        _ = kept.popLast()
        text.text = kept + "…"
        return (text, true)
    }

    /// Most bytes of a value on one line.
    static let longestLine = 16_384
    /// Most bytes of a value of many lines: below where the store cuts, so that a cut is seen as one.
    static let longestText = 1_000_000
    /// Most bytes of all of them together; beyond that each has as many as one on a line.
    static let longestTexts = 4_000_000

    private func whole(_ value: Value, _ row: DetailDescription.Row?, _ form: ValueForm) -> PresentedText {
        presentation.text(value, as: form, dateStyle: row?.dateFormatterStyle, timeStyle: row?.timeFormatterStyle)
    }

    /// Texts of some lines of a to-many section, by the keys of its objects; nil for an object that is gone.
    package func relatedRows(
        section: Int, keys: [ObjectKey], as form: ValueForm
    ) throws(StoreError) -> [ObjectKey: RelatedRow?] {
        guard parts.indices.contains(section), case .related(_, let row, let toMany) = parts[section] else { return [:] }
        let shown = try toMany.display.map { path throws(StoreError) in
            try store.values(at: [path], of: keys, in: toMany.entityName, as: form == .typed ? .excerpt : form)
        }
        let targets = try toMany.target.map { path throws(StoreError) in
            try store.values(at: [path], of: keys, in: toMany.entityName, as: .typed)
        }
        var rows: [ObjectKey: RelatedRow?] = [:]
        for (place, key) in keys.enumerated() {
            let own = ObjectID(entityName: toMany.entityName, key: key)
            if let shown, shown[place] == nil {
                rows[key] = .some(nil)
                continue
            }
            let value = shown?[place]?.first ?? .object(own)
            var destination: ObjectID? = own
            if let targets {
                if case .object(let target)? = targets[place]?.first { destination = target } else { destination = nil }
            }
            rows[key] = RelatedRow(text: text(value, row.description, form).text, destination: destination)
        }
        return rows
    }
}
