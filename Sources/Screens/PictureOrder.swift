package import Foundation
package import Presentation
package import TerminalUI

/// A picture to be drawn.
package struct PictureOrder: Sendable, Equatable {
    package let format: RecognizedContent.ImageFormat
    package let bytes: Data
    /// The room that there is, in cells.
    package let size: Size

    package init(format: RecognizedContent.ImageFormat, bytes: Data, size: Size) {
        self.format = format
        self.bytes = bytes
        self.size = size
    }
}

/// What came of a `PictureOrder`; no larger than its size.
package enum DrawnPicture: Sendable, Equatable {
    /// Half blocks with colours.
    case cells(CellBuffer)
    /// What the terminal draws itself.
    case graphic(Graphic)
    /// One of those that may not be the whole picture, and why.
    indirect case incomplete(DrawnPicture, why: String)
    /// Why there is none, and what to do about it.
    case unavailable(String)
}
