import Foundation
import ObjectStore
import Presentation
import Screens
import TerminalUI

/// Has pictures drawn by a program of its own, `tlpicture`: one that was made to break its decoder breaks that and no more.
package struct PictureDrawing: Sendable {
    /// Largest picture that is tried, in bytes and in pixels that it claims to have.
    private static let mostBytes = 64 << 20
    private static let mostPixels = 120_000_000
    private static let milliseconds = 20_000

    /// The program and what comes before its own arguments.
    private let command: [String]

    /// The program is looked for beside this one, and where packages put what is not to be called by hand.
    package init() {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = (own as NSString).deletingLastPathComponent
        let places = [folder + "/tlpicture", folder + "/../libexec/tlbrowse/tlpicture"]
        command = places.first { access($0, X_OK) == 0 }.map { [$0] } ?? []
    }

    /// - Parameter command: the program that draws, and what comes before its own arguments; empty for none.
    package init(command: [String]) { self.command = command }

    /// Draws; takes as long as the decoder does, and no longer than its bounds allow.
    func draw(_ order: PictureOrder, for graphics: TerminalGraphics, isCancelled: () -> Bool) -> DrawnPicture {
        switch graphics.form {
        case .none: return .unavailable("This terminal has no colours to show a picture with.")
        case .noBlocks:
            return .unavailable(
                "The character set that the locale names (LC_ALL, LC_CTYPE, LANG) has no blocks to draw a picture with: UTF-8 has."
            )
        case .cells, .kitty, .sixel: break
        }
        guard let executable = command.first else {
            return .unavailable(
                "Pictures are drawn by the program tlpicture, which is not there: it belongs beside tlbrowse, or in "
                    + "../libexec/tlbrowse (install the package whole, or build the product tlpicture).")
        }
        guard order.bytes.count <= Self.mostBytes else { return .unavailable("More bytes than are drawn.") }
        if case .image(_, let size?) = RecognizedContent(order.bytes).kind {
            let (count, overflows) = size.width.multipliedReportingOverflow(by: size.height)
            if overflows || count > Self.mostPixels { return .unavailable("It claims to have more pixels than are drawn.") }
        }
        let outcome = PictureProcess.run(
            executable, arguments: command.dropFirst() + arguments(order, graphics), input: order.bytes,
            mostOutput: Self.mostOutput(order, graphics),
            milliseconds: Self.milliseconds, isCancelled: isCancelled)
        switch outcome {
        case .output(let bytes): return DrawnPicture(bytes, order, graphics)
        case .tookTooLong: return .unavailable("It takes too long to draw.")
        case .failed: return .unavailable("Drawing it broke off: the picture is damaged, or was made to do harm.")
        }
    }

    /// How much is printed at most: what as many cells or pixels take, and for sixels, whose length the picture decides, a lot.
    private static func mostOutput(_ order: PictureOrder, _ graphics: TerminalGraphics) -> Int {
        let (columns, rows) = (min(1000, order.size.columns), min(1000, order.size.rows))
        switch graphics.form {
        case .cells, .none, .noBlocks: return 1000 + columns * rows * 12
        case .kitty:
            return 1000 + min(4096, columns * min(200, graphics.cellWidth)) * min(4096, rows * min(200, graphics.cellHeight)) * 4
        case .sixel: return 32 << 20
        }
    }

    private func arguments(_ order: PictureOrder, _ graphics: TerminalGraphics) -> [String] {
        let (form, colors) =
            switch graphics.form {
            case .cells(let colors): ("cells", colors)
            case .sixel: ("sixel", 256)
            case .kitty, .none, .noBlocks: ("pixels", 1 << 24)
            }
        let numbers = [
            colors, min(1000, order.size.columns), min(1000, order.size.rows), max(1, min(200, graphics.cellWidth)),
            max(1, min(200, graphics.cellHeight)),
        ]
        return [order.format.decoderName, form] + numbers.map(String.init)
    }
}

extension RecognizedContent.ImageFormat {
    /// What `tlpicture` calls it.
    fileprivate var decoderName: String { self == .heic ? "heif" : rawValue.lowercased() }

    /// The Debian package with a decoder that does not come with the others.
    fileprivate var decoderPackage: String? {
        switch self {
        case .webp: "webp-pixbuf-loader"
        case .heic: "heif-gdk-pixbuf"
        case .png, .jpeg, .gif, .bmp, .tiff: nil
        }
    }
}

// MARK: - Answers

extension DrawnPicture {
    /// What `tlpicture` prints (`Answer` there says how), trusted no more than the picture: what is not in order draws nothing.
    init(_ bytes: [UInt8], _ order: PictureOrder, _ graphics: TerminalGraphics) {
        let refused = DrawnPicture.unavailable("What came of drawing it makes no sense.")
        guard let lineEnd = bytes.prefix(300).firstIndex(of: 0x0A) else {
            self = refused
            return
        }
        let words = String(decoding: bytes[..<lineEnd], as: UTF8.self).split(separator: " ", maxSplits: 1).map(String.init)
        let body = bytes[(lineEnd + 1)...]
        if words.first == "fault" {
            let reason = words.dropFirst().first ?? ""
            let package = reason.hasPrefix("no decoder") ? order.format.decoderPackage : nil
            self = .unavailable("It cannot be drawn: \(reason)" + (package.map { " (install \($0))." } ?? "."))
            return
        }
        let parts = (words.dropFirst().first ?? "").split(separator: " ")
        let numbers = parts.prefix(2).compactMap { Int($0) }
        guard numbers.count == 2, parts.count <= 3, (1...8192).contains(numbers[0]), (1...8192).contains(numbers[1]) else {
            self = refused
            return
        }
        let drawn: DrawnPicture? =
            switch words.first {
            case "cells": Self.cells(body, columns: numbers[0], rows: numbers[1], in: order.size)
            case "pixels": Self.pixels(body, width: numbers[0], height: numbers[1], in: order.size, graphics)
            case "sixel": Self.sixel(body, width: numbers[0], height: numbers[1], in: order.size, graphics)
            default: nil
            }
        self = drawn ?? refused
        guard drawn != nil, parts.count == 3 else { return }
        switch parts[2] {
        case "truncated": self = .incomplete(self, why: "truncated: the picture is cut off, what is missing is not shown")
        case "damaged": self = .incomplete(self, why: "damaged: not all of the picture could be decoded")
        default: self = refused
        }
    }

    private static func cells(_ body: ArraySlice<UInt8>, columns: Int, rows: Int, in room: Size) -> DrawnPicture? {
        guard columns <= room.columns, rows <= room.rows, body.count == columns * rows * 12 else { return nil }
        var buffer = CellBuffer(size: Size(rows: rows, columns: columns))
        func number(_ place: Int) -> UInt32 {
            let start = body.startIndex + place * 4
            return body[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        func color(_ place: Int, isPalette: Bool) -> CellColor {
            let number = number(place)
            if number == .max { return .standard }
            return isPalette ? .palette(UInt8(truncatingIfNeeded: number)) : .rgb(number)
        }
        // Numbers beyond 255 are none of a palette.
        let isPalette = (0..<columns * rows).allSatisfy { cell in
            [cell * 3 + 1, cell * 3 + 2].allSatisfy { number($0) < 256 || number($0) == .max }
        }
        for place in 0..<columns * rows {
            let scalar = Unicode.Scalar(number(place * 3)) ?? " "
            // Block elements, nothing else, take one cell each and no terminal takes them for a command.
            let character = (0x2580...0x259F).contains(scalar.value) ? String(scalar) : " "
            let colors = CellColors(
                foreground: color(place * 3 + 1, isPalette: isPalette), background: color(place * 3 + 2, isPalette: isPalette))
            buffer.write(
                character, row: place / columns, column: place % columns, columns: 1, style: Style(.text, colors: colors))
        }
        return .cells(buffer)
    }

    private static func pixels(
        _ body: ArraySlice<UInt8>, width: Int, height: Int, in room: Size, _ graphics: TerminalGraphics
    ) -> DrawnPicture? {
        guard body.count == width * height * 4, let size = covered(width, height, in: room, graphics) else { return nil }
        return .graphic(Graphic(.pixels(width: width, height: height, Array(body)), size: size))
    }

    private static func sixel(
        _ body: ArraySlice<UInt8>, width: Int, height: Int, in room: Size, _ graphics: TerminalGraphics
    ) -> DrawnPicture? {
        guard let size = covered(width, height, in: room, graphics), let data = sixelData(body) else { return nil }
        return .graphic(Graphic(.sixel(data), size: size))
    }

    /// The one sixel string that there may be, if nothing in it can end it early.
    private static func sixelData(_ body: ArraySlice<UInt8>) -> [UInt8]? {
        let data = body.filter { $0 != 0x0A && $0 != 0x0D }
        guard data.count > 5, data.starts(with: [0x1B, 0x50]), data.suffix(2) == [0x1B, 0x5C] else { return nil }
        let inner = data.dropFirst(2).dropLast(2)
        let parameters = inner.prefix { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x3B }
        guard inner.dropFirst(parameters.count).first == UInt8(ascii: "q"), inner.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            return nil
        }
        return data
    }

    /// The cells that so many pixels cover; nil if that is more than there is room for.
    private static func covered(_ width: Int, _ height: Int, in room: Size, _ graphics: TerminalGraphics) -> Size? {
        let columns = (width + graphics.cellWidth - 1) / max(1, graphics.cellWidth)
        let rows = (height + graphics.cellHeight - 1) / max(1, graphics.cellHeight)
        guard columns <= room.columns, rows <= room.rows else { return nil }
        return Size(rows: rows, columns: columns)
    }
}

/// Answers a viewer that wants a picture drawn.
struct PictureSource: ScreenSource {
    let drawing: PictureDrawing
    let graphics: TerminalGraphics

    func answer(_ request: DataRequest, progress: FetchProgress) throws(StoreError) -> DataReply.Kind {
        guard case .picture(let order) = request.kind else { return .rows([:]) }
        let picture = drawing.draw(order, for: graphics) { progress.isCancelled }
        guard !progress.isCancelled else { throw StoreError(file: "", cause: .cancelled) }
        return .picture(picture, for: order.size)
    }
}
