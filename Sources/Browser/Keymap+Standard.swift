import Screens
import TerminalUI

extension Keymap {
    private static let everywhere = Set(KeyContext.allCases)

    /// The keys of SPEC section 3.
    package static let standard: [KeyBinding] = list + detail + viewer + text + menu + common

    private static let list: [KeyBinding] = [
        KeyBinding([.character(" ")], .toggleSection, in: [.list], "fold or unfold the section; without sections a page down"),
        KeyBinding([Key(.enter)], .open, in: [.list], "open the object; fold or unfold a header"),
        KeyBinding([Key(.right), .character("l")], .moveRight, in: [.list], "open the object; unfold a header"),
        KeyBinding([Key(.left), .character("h")], .moveLeft, in: [.list], "to the section's header; fold it"),
        KeyBinding([.character("E")], .expandAll, in: [.list], "expand all sections"),
        KeyBinding([.character("C")], .collapseAll, in: [.list], "collapse all sections"),
        KeyBinding([Key(.tab)], .focusIndexBar, in: [.list], "to the index bar: ↑ ↓ or a letter jumps; Enter returns"),
        KeyBinding([.character("s")], .sort, in: [.list], "sort by other keys"),
        KeyBinding([.character("S")], .group, in: [.list], "group by another key path, or not at all"),
        KeyBinding([.character("T")], .saveList, in: [.list], "save sort, grouping and filter as a new list plist"),
        KeyBinding([.character("P")], .printView, in: [.list], "print the view to a new file: .txt .csv .tsv .json .ndjson"),
        KeyBinding([.character(":")], .goToRow, in: [.list], "go to the object of a number"),
    ]

    private static let detail: [KeyBinding] = [
        KeyBinding([.character(" ")], .toggleSection, in: [.detail], "page down"),
        KeyBinding([Key(.enter), Key(.right), .character("l")], .open, in: [.detail], "open what the line leads to"),
        KeyBinding([Key(.left), .character("h")], .back, in: [.detail], "back"),
        KeyBinding([.character("J")], .nextObject, in: [.detail], "next object of the list"),
        KeyBinding([.character("K")], .previousObject, in: [.detail], "previous object of the list"),
        KeyBinding([.character("L")], .openAsList, in: [.detail], "the to-many line as a list of its own"),
    ]

    private static let viewer: [KeyBinding] = [
        KeyBinding([.character(" ")], .toggleSection, in: [.viewer], "fold or unfold; where nothing folds a page down"),
        KeyBinding([Key(.enter)], .open, in: [.viewer], "fold or unfold; open what is longer than its line"),
        KeyBinding([Key(.right), .character("l")], .moveRight, in: [.viewer], "unfold"),
        KeyBinding([Key(.left), .character("h")], .moveLeft, in: [.viewer], "fold, to the parent; back at the top"),
        KeyBinding([.character("E")], .expandAll, in: [.viewer], "expand all"),
        KeyBinding([.character("C")], .collapseAll, in: [.viewer], "collapse all"),
        KeyBinding([.character("v")], .toggleRawValues, in: [.viewer], "as text, as bytes, and back"),
        KeyBinding([.character("w")], .writeBytes, in: [.viewer], "write the bytes to a new file"),
        KeyBinding([.character(":")], .goToRow, in: [.viewer], "go to a line, or an offset (0x… in hexadecimal)"),
    ]

    private static let text: [KeyBinding] = [
        KeyBinding([.character(" ")], .toggleSection, in: [.text], "page down"),
        KeyBinding([Key(.left), .character("h")], .back, in: [.text], "back"),
    ]

    private static let menu: [KeyBinding] = [
        KeyBinding([Key(.enter), Key(.right), .character("l")], .open, in: [.menu], "choose"),
        KeyBinding([.character(" ")], .mark, in: [.menu], "add a sort key, turn it over, take it out"),
        KeyBinding([Key(.left), .character("h")], .back, in: [.menu], "back"),
    ]

    private static let common: [KeyBinding] = [
        KeyBinding([Key(.up), .character("k")], .moveUp, in: everywhere, "a row up"),
        KeyBinding([Key(.down), .character("j")], .moveDown, in: everywhere, "a row down"),
        KeyBinding([Key(.pageUp), .control("b")], .pageUp, in: everywhere, "a page up"),
        KeyBinding([Key(.pageDown), .control("f")], .pageDown, in: everywhere, "a page down"),
        KeyBinding([.control("u")], .halfPageUp, in: everywhere, "half a page up"),
        KeyBinding([.control("d")], .halfPageDown, in: everywhere, "half a page down"),
        KeyBinding([Key(.home), .character("g")], .moveToStart, in: everywhere, "to the first row"),
        KeyBinding([Key(.end), .character("G")], .moveToEnd, in: everywhere, "to the last row"),
        KeyBinding([.character("[")], .previousSection, in: everywhere, "to the previous section"),
        KeyBinding([.character("]")], .nextSection, in: everywhere, "to the next section"),
        KeyBinding(
            [.character("/")], .find, in: everywhere,
            "find as you type; Enter keeps the hits, Esc drops them"),
        KeyBinding([.character("n")], .nextHit, in: everywhere, "to the next hit"),
        KeyBinding([.character("N")], .previousHit, in: everywhere, "to the previous hit"),
        KeyBinding([.character(":")], .goToRow, in: [.detail, .text, .menu], "go to the line of a number"),
        KeyBinding([.character("&")], .filter, in: [.list], "only the objects that a predicate is true for"),
        KeyBinding([.character("y")], .copy, in: everywhere, "copy the row's text"),
        KeyBinding([.character("Y")], .copyRow, in: [.list, .detail], "copy the object's row as TSV"),
        KeyBinding([.control("y")], .copyObject, in: [.list, .detail], "copy the object as JSON"),
        KeyBinding([.character("v")], .toggleRawValues, in: [.list, .detail], "values as stored, and back"),
        KeyBinding([.character("r")], .reload, in: [.list, .detail, .viewer], "reload"),
        KeyBinding([.character("?")], .help, in: everywhere, "this help"),
        KeyBinding([Key(.escape)], .cancel, in: everywhere, "undo one thing; back"),
        KeyBinding([.character("q")], .back, in: everywhere, "back; at the root quit"),
        KeyBinding([.control("l")], .redraw, in: everywhere, "redraw"),
        KeyBinding([.control("z")], .suspend, in: everywhere, "suspend"),
        KeyBinding([.control("c")], .interrupt, in: everywhere, "cancel running work, else quit"),
    ]
}
