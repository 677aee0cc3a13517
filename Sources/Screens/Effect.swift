package import Foundation
package import ObjectStore
package import PlistConfig

/// What a screen asks of the browser after a command.
package enum Effect: Sendable, Equatable {
    /// Goes back to the screen below; quits at the root.
    case back
    /// Opens the detail of an object, laid out by the detail plist of this name where one is given.
    case open(ObjectID, detail: String? = nil)
    /// Opens the viewer for a value of the detail on top, by section and row.
    case view(section: Int, row: Int, title: String)
    /// Opens the viewer for bytes or a text that are a part of what the viewer on top shows, at a place of its outline.
    case viewPart(Value, title: String, place: OutlinePlace)
    /// Writes bytes to a file that is not there yet.
    case write(Data, toFile: String)
    /// Opens a to-many relationship of an object as a list of its own.
    case openList(of: ObjectID, through: String)
    /// Opens the objects that the lines of a to-many show, through an intermediate entity, as a list of their own.
    case openLines(of: ObjectID, ResolvedDetail.ToMany)
    /// Opens the list of an entity, by its key in the list of entities.
    case openEntity(ObjectKey)
    /// Shows the object so many places further in the list below.
    case openNeighbour(Int)
    /// Shows the choice of sort keys, or of groupings, for the list on top.
    case chooseOrder, chooseGrouping
    /// Arranges the list under the menu in another way.
    case arrange(ListArrangement)
    /// Puts a text on the clipboard; the label says in the message what it is.
    case copy(String, label: String)
    /// Prints the list on top, as it is shown, to a new file whose name says the form.
    case printView(toFile: String)
    /// Saves the list on top, as it is arranged, as a new list plist.
    case saveList(toFile: String)
    /// Says something in the last line until the next key.
    case message(String)
    /// Reads the data anew.
    case reload
}
