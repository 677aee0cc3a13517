/// What a key asks for, whatever the key.
package enum Command: String, Sendable, Hashable, CaseIterable {
    // Movement.
    case moveUp, moveDown, moveLeft, moveRight
    case pageUp, pageDown, halfPageUp, halfPageDown
    case moveToStart, moveToEnd
    case previousSection, nextSection
    case goToRow
    case sort, group, mark
    case find, nextHit, previousHit, filter

    // The list.
    case toggleSection, open, expandAll, collapseAll, focusIndexBar

    // The detail.
    case nextObject, previousObject, openAsList

    // The viewer.
    case writeBytes

    // What leaves the program.
    case printView, saveList, copyRow, copyObject

    // Everywhere.
    case copy, toggleRawValues, reload, help, cancel, back, redraw, suspend, interrupt
}
