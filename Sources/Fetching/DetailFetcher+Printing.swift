package import ObjectStore
package import PlistConfig
package import Presentation

/// One section of a detail as it is printed: whole, without what leads to other screens.
package struct PrintedDetail: Sendable, Equatable {
    package enum Body: Sendable, Equatable {
        case rows([DetailRow])
        /// One text for each related object.
        case related([PresentedText])
    }

    package var title: String?
    package var body: Body

    package init(title: String?, body: Body) {
        self.title = title
        self.body = body
    }
}

// The detail's texts, of values that somebody else has read.
extension DetailFetcher {
    /// The same with another presentation, for another thread.
    package func presenting(by presentation: ValuePresentation) -> DetailFetcher {
        DetailFetcher(
            store: store, detail: detail, titleKeyPath: titleKeyPath, presentation: presentation, customRows: customRows)
    }

    /// The to-many sections, in order.
    package var toManys: [ResolvedDetail.ToMany] {
        parts.compactMap { if case .related(_, _, let toMany) = $0 { toMany } else { nil } }
    }

    /// The labels of the rows, as far as they have any.
    package var rowLabels: [String] {
        parts.flatMap { part -> [String] in
            if case .rows(_, let rows) = part { rows.compactMap(\.description.label) } else { [] }
        }
    }

    /// What the detail shows, nothing cut.
    ///
    /// - Parameters:
    ///   - values: at `shownKeyPaths`.
    ///   - related: for each to-many section what its lines show.
    package func printed(_ values: [ObjectKeyPath: Value], related: [[Value]]) -> [PrintedDetail] {
        var related = related[...]
        return parts.map { part in
            switch part {
            case .rows(let title, let rows):
                var room: Int?
                return PrintedDetail(title: title, body: .rows(rows.map { row($0, values, [:], .typed, &room) }))
            case .related(let title, let row, _):
                let texts = (related.popFirst() ?? []).map { text($0, row.description, .typed, longest: nil).text }
                return PrintedDetail(title: title ?? row.description.label, body: .related(texts))
            }
        }
    }
}
