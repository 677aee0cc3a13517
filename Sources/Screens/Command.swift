/// What a key asks for, whatever the key.
package enum Command: String, Sendable, Hashable, CaseIterable {
    // Movement.
    case moveUp, moveDown, moveLeft, moveRight
    case pageUp, pageDown, halfPageUp, halfPageDown
    case moveToStart, moveToEnd
    case previousSection, nextSection
    case goToRow
    case find, nextHit, previousHit

    // The list.
    case toggleSection, open, expandAll, collapseAll, focusIndexBar

    // The detail.
    case nextObject, previousObject, openAsList

    // Everywhere.
    case copy, toggleRawValues, reload, help, cancel, back, redraw, suspend, interrupt
}
