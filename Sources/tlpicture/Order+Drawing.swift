import CChafa
// GLib’s types belong to whichever of the two modules that bring them was read first.
import CGdkPixbuf

extension Order {
    /// The picture as the terminal wants it.
    func drawing(_ bitmap: Bitmap) -> Answer {
        switch form {
        case .pixels: .pixels(width: bitmap.width, height: bitmap.height, bitmap.pixels)
        case .cells: cells(bitmap)
        case .sixel: sixel(bitmap)
        }
    }

    /// The cells that the picture covers.
    private func covered(_ bitmap: Bitmap) -> (columns: Int, rows: Int) {
        (
            max(1, min(columns, (bitmap.drawn.width + cellWidth - 1) / cellWidth)),
            max(1, min(rows, (bitmap.drawn.height + cellHeight - 1) / cellHeight))
        )
    }

    private func withCanvas<Result>(
        _ bitmap: Bitmap, _ pixelMode: ChafaPixelMode, _ body: (OpaquePointer, (columns: Int, rows: Int)) -> Result
    ) -> Result? {
        // Threads would each need a stack, and one is quick enough for a screen.
        chafa_set_n_threads(1)
        let size = covered(bitmap)
        guard let configuration = chafa_canvas_config_new() else { return nil }
        defer { chafa_canvas_config_unref(configuration) }
        chafa_canvas_config_set_geometry(configuration, gint(size.columns), gint(size.rows))
        chafa_canvas_config_set_cell_geometry(configuration, gint(cellWidth), gint(cellHeight))
        chafa_canvas_config_set_pixel_mode(configuration, pixelMode)
        chafa_canvas_config_set_canvas_mode(configuration, canvasMode)
        if pixelMode == CHAFA_PIXEL_MODE_SYMBOLS, let symbols = chafa_symbol_map_new() {
            chafa_symbol_map_add_by_tags(symbols, cchafa_half_blocks())
            chafa_canvas_config_set_symbol_map(configuration, symbols)
            chafa_symbol_map_unref(symbols)
        }
        guard let canvas = chafa_canvas_new(configuration) else { return nil }
        defer { chafa_canvas_unref(canvas) }
        chafa_canvas_draw_all_pixels(
            canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, bitmap.pixels, gint(bitmap.width), gint(bitmap.height),
            gint(bitmap.width * 4))
        return body(canvas, size)
    }

    private var canvasMode: ChafaCanvasMode {
        switch (form, colors) {
        case (.sixel, _), (_, 1 << 24): CHAFA_CANVAS_MODE_TRUECOLOR
        // The first sixteen look otherwise in each terminal.
        case (_, 256): CHAFA_CANVAS_MODE_INDEXED_240
        case (_, 16): CHAFA_CANVAS_MODE_INDEXED_16
        default: CHAFA_CANVAS_MODE_INDEXED_8
        }
    }

    private func cells(_ bitmap: Bitmap) -> Answer {
        let answer = withCanvas(bitmap, CHAFA_PIXEL_MODE_SYMBOLS) { canvas, size in
            var numbers: [UInt32] = []
            numbers.reserveCapacity(size.columns * size.rows * 3)
            for row in 0..<size.rows {
                for column in 0..<size.columns {
                    var foreground: gint = -1
                    var background: gint = -1
                    chafa_canvas_get_raw_colors_at(canvas, gint(column), gint(row), &foreground, &background)
                    let scalar = chafa_canvas_get_char_at(canvas, gint(column), gint(row))
                    numbers += [scalar == 0 ? 0x20 : scalar, UInt32(bitPattern: foreground), UInt32(bitPattern: background)]
                }
            }
            return Answer.cells(columns: size.columns, rows: size.rows, numbers)
        }
        return answer ?? .fault("cannot be drawn")
    }

    private func sixel(_ bitmap: Bitmap) -> Answer {
        let answer = withCanvas(bitmap, CHAFA_PIXEL_MODE_SIXELS) { canvas, _ -> Answer in
            guard let text = chafa_canvas_print(canvas, nil) else { return .fault("cannot be drawn") }
            defer { g_string_free(text, 1) }
            let bytes = UnsafeRawBufferPointer(start: text.pointee.str, count: Int(text.pointee.len))
            return .sixel(width: bitmap.width, height: bitmap.height, Array(bytes))
        }
        return answer ?? .fault("cannot be drawn")
    }
}
