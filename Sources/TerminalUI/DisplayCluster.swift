/// A grapheme cluster as cells show it.
package struct DisplayCluster: Sendable, Hashable {
    /// What one or two cells hold: one spacing scalar and at most four marks, as much as curses stores in a cell.
    package struct Piece: Sendable, Hashable {
        package var text: String
        /// Cells, 1 or 2.
        package var width: Int
    }

    /// The cluster whole, printable; a flag or an emoji family has more scalars here than in the pieces.
    package var text: String
    package var first: Piece
    /// The further pieces of a cluster with several spacing letters (नि, กำ), which must not be separated.
    ///
    /// Of an emoji family or a flag only the first scalar is kept: its others would show as pictures of their own.
    package var rest: [Piece] = []

    package init(_ text: String, width: Int) {
        self.text = text
        first = Piece(text: text, width: width)
    }

    init(_ text: String, pieces: [Piece]) {
        self.text = text
        first = pieces.first ?? Piece(text: text, width: 1)
        if pieces.count > 1 { rest = Array(pieces.dropFirst()) }
    }

    /// In cells.
    package var width: Int { rest.isEmpty ? first.width : rest.reduce(first.width) { $0 + $1.width } }
}

extension DisplayText {
    /// Marks kept on one spacing scalar: curses' CCHARW_MAX is 5.
    static let maximumMarks = 4
    /// Spacing scalars kept of one cluster.
    static let maximumPieces = 8

    /// What the cells show of one grapheme cluster.
    static func cluster(_ character: Character) -> DisplayCluster {
        let scalars = character.unicodeScalars
        if let only = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex {
            if case .spacing(let width) = kind(of: only) {
                guard ClusterContext.isRegionalIndicator(only) else { return DisplayCluster(String(character), width: width) }
                return DisplayCluster(String(character), pieces: [.init(text: cellText(only), width: width)])
            }
        }
        var pieces: [DisplayCluster.Piece] = []
        var whole = String.UnicodeScalarView()
        var marks = 0
        var context = ClusterContext()
        for scalar in scalars {
            switch context.place(of: scalar) {
            case .standIn(let standIn):
                guard pieces.count < maximumPieces else { continue }
                pieces.append(.init(text: String(standIn), width: 1))
                whole.append(standIn)
                marks = 0
            case .silent:
                whole.append(scalar)
            case .mark:
                if pieces.isEmpty {
                    pieces.append(.init(text: "◌", width: 1))
                    whole.append("◌")
                }
                guard marks < maximumMarks else { continue }
                pieces[pieces.count - 1].text.unicodeScalars.append(scalar)
                whole.append(scalar)
                marks += 1
            case .spacing(let width):
                guard pieces.count < maximumPieces else { continue }
                whole.append(scalar)
                if context.belongsToEmoji { continue }
                pieces.append(.init(text: cellText(scalar), width: width))
                marks = 0
            }
        }
        return DisplayCluster(String(whole), pieces: pieces)
    }

    /// A scalar in its cell. What is left of a flag must not make another flag with what is left of the next one: a terminal joins
    /// any two regional indicators that follow each other, so one of no width that does not join stands after it.
    private static func cellText(_ scalar: Unicode.Scalar) -> String {
        ClusterContext.isRegionalIndicator(scalar) ? "\(scalar)\u{200C}" : String(scalar)
    }

    /// Appends the whole cluster, with stand-ins.
    static func appendWhole(_ character: Character, to text: inout String) {
        var context = ClusterContext()
        var isFirst = true
        for scalar in character.unicodeScalars {
            switch context.place(of: scalar) {
            case .standIn(let standIn): text.unicodeScalars.append(standIn)
            case .mark:
                if isFirst { text.append("◌") }
                text.unicodeScalars.append(scalar)
            case .silent, .spacing: text.unicodeScalars.append(scalar)
            }
            isFirst = false
        }
    }
}

/// What has been seen of a cluster: an invisible scalar is harmless only in its proper place.
private struct ClusterContext {
    enum Place {
        case spacing(Int)
        case mark
        /// Invisible, and rightly so; not for the terminal.
        case silent
        case standIn(Unicode.Scalar)
    }

    private var base: Unicode.Scalar?
    private var previous: DisplayText.Kind?
    private var previousPlace: Place?
    /// Whether the last spacing scalar only changes the emoji or regional indicator before it.
    private(set) var belongsToEmoji = false

    mutating func place(of scalar: Unicode.Scalar) -> Place {
        let kind = DisplayText.kind(of: scalar)
        let place = place(of: scalar, kind)
        previous = kind
        previousPlace = place
        return place
    }

    private func isPartOfEmoji(_ scalar: Unicode.Scalar) -> Bool {
        guard let base, base.value > 0xFF, scalar.value > 0xFF, scalar.properties.isEmoji else { return false }
        switch previousPlace {
        case .silent: return previous == .joiner
        case .spacing, .mark:
            return scalar.properties.isEmojiModifier || Self.isRegionalIndicator(scalar) && Self.isRegionalIndicator(base)
        case .standIn, nil: return false
        }
    }

    static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }

    private mutating func place(of scalar: Unicode.Scalar, _ kind: DisplayText.Kind) -> Place {
        switch kind {
        case .spacing(let width):
            belongsToEmoji = isPartOfEmoji(scalar)
            base = scalar
            return .spacing(width)
        case .mark:
            // A vowel or final consonant of Hangul without its beginning stands on nothing, not even on a dotted circle.
            return base == nil && !scalar.properties.isGraphemeExtend ? .standIn(DisplayText.replacement) : .mark
        case .standIn(let standIn):
            return .standIn(standIn)
        case .joiner:
            // Emoji families, Persian, the Indian scripts; between ASCII letters it only hides something.
            if let base, base.value > 0x7F, previous != .joiner { return .silent }
        case .variationSelector:
            switch previous {
            case .spacing, .mark: if base != nil { return .silent }
            default: break
            }
        case .tag:
            if base?.value == 0x1F3F4 { return .silent }
        }
        return .standIn(DisplayText.invisible)
    }
}
