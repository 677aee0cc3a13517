import Glibc

// tlpicture FORMAT FORM COLOURS COLUMNS ROWS CELL-WIDTH CELL-HEIGHT
//
// Draws the picture on standard input for a terminal. It is a program of its own, so that a picture that was made to break
// its decoder, or to eat memory and time without end, breaks this one and not the browser; and so that the browser starts
// without these libraries. What it prints is described at `Answer`.
Limits.apply()

private func answer() -> (answer: Answer, flaw: Bitmap.Flaw?) {
    guard let order = Order(CommandLine.arguments.dropFirst()) else {
        return (.fault("usage: tlpicture FORMAT FORM COLOURS COLUMNS ROWS CELL-WIDTH CELL-HEIGHT <PICTURE"), nil)
    }
    do {
        let bitmap = try Bitmap.decoded(order)
        return (order.drawing(bitmap), bitmap.flaw)
    } catch {
        return (.fault(error.reason), nil)
    }
}

private let (drawing, flaw) = answer()
private let isWritten = drawing.write(flaw)
exit(isWritten ? 0 : 1)
