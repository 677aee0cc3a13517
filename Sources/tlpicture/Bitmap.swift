import CGdkPixbuf
import Glibc

/// A decoded picture: rows of red, green, blue and opacity.
struct Bitmap {
    /// Why a picture cannot be drawn.
    struct Failure: Error {
        let reason: String
    }

    let width: Int
    let height: Int
    /// How large it is to be drawn, in pixels of the terminal.
    let drawn: (width: Int, height: Int)
    let pixels: [UInt8]
    /// What keeps the picture from being whole; nil where all of it was decoded.
    let flaw: Flaw?

    /// Why what was decoded may not be the whole picture.
    enum Flaw: String {
        /// It ends before its end.
        case truncated
        /// The decoder gave up in it.
        case damaged
    }

    /// What the decoder is told when it knows the size, and what it answers.
    private final class Preparation {
        let order: Order
        /// What the picture says that it is.
        var claimed: (width: Int, height: Int)?
        var isTooLarge = false

        init(order: Order) { self.order = order }
    }

    /// Reads standard input. The picture is scaled while it is read, so that a large one takes no more memory than it shows.
    static func decoded(_ order: Order) throws(Failure) -> Bitmap {
        guard let loader = gdk_pixbuf_loader_new_with_type(order.format, nil) else {
            throw Failure(reason: "no decoder for \(order.format) is installed")
        }
        let preparation = Preparation(order: order)
        cgdkpixbuf_on_size_prepared(loader, prepare, Unmanaged.passUnretained(preparation).toOpaque())
        var ending = PictureEnding(format: order.format)
        let isWhole = feed(loader, noting: &ending, until: { preparation.isTooLarge })
        // Says what of the picture is there, where it is cut off.
        let isClosed = gdk_pixbuf_loader_close(loader, nil) != 0
        if preparation.isTooLarge, let claimed = preparation.claimed {
            throw Failure(reason: "claims \(claimed.width)×\(claimed.height) pixels: too many to draw")
        }
        guard let first = gdk_pixbuf_loader_get_pixbuf(loader), let upright = gdk_pixbuf_apply_embedded_orientation(first) else {
            throw Failure(reason: isWhole && isClosed ? "holds no picture" : "is damaged: nothing of it can be decoded")
        }
        // Some decoders take the end of the bytes for that of the picture, and what they were given for all of it.
        let flaw: Flaw? = ending.isMissing ? .truncated : isWhole && isClosed ? nil : .damaged
        return try withExtendedLifetime(preparation) { () throws(Failure) in try Bitmap(upright, order, flaw) }
    }

    /// Called by the decoder from C, once it knows the size.
    private static let prepare: @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>?, gint, gint, gpointer?) -> Void = {
        loader, width, height, context in
        guard let context else { return }
        // The preparation outlives the loader's reading, which is what calls this.
        let preparation = Unmanaged<Preparation>.fromOpaque(context).takeUnretainedValue()
        preparation.claimed = (Int(width), Int(height))
        let (count, overflows) = Int(width).multipliedReportingOverflow(by: Int(height))
        guard width > 0, height > 0, !overflows, count <= Limits.pixels else {
            preparation.isTooLarge = true
            gdk_pixbuf_loader_set_size(loader, 1, 1)
            return
        }
        let size = preparation.order.fitting(width: Int(width), height: Int(height))
        if size.width < Int(width) || size.height < Int(height) {
            gdk_pixbuf_loader_set_size(loader, gint(size.width), gint(size.height))
        }
    }

    /// Hands standard input to the decoder.
    ///
    /// - Returns: whether the decoder took all of it.
    private static func feed(
        _ loader: UnsafeMutablePointer<GdkPixbufLoader>, noting ending: inout PictureEnding, until isEnough: () -> Bool
    ) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var total = 0
        while !isEnough() {
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 }
            total += count
            ending.read(bytes[..<count])
            guard total <= Limits.input, gdk_pixbuf_loader_write(loader, bytes, gsize(count), nil) != 0 else { return false }
        }
        return false
    }

    /// Copies what was decoded, scaled down where the decoder has not done so.
    private init(_ decoded: OpaquePointer, _ order: Order, _ flaw: Flaw?) throws(Failure) {
        self.flaw = flaw
        let given = (width: Int(gdk_pixbuf_get_width(decoded)), height: Int(gdk_pixbuf_get_height(decoded)))
        drawn = order.fitting(width: given.width, height: given.height)
        let size = (width: min(given.width, drawn.width), height: min(given.height, drawn.height))
        guard let scaled = gdk_pixbuf_scale_simple(decoded, gint(size.width), gint(size.height), GDK_INTERP_BILINEAR),
            let opaque = gdk_pixbuf_add_alpha(scaled, 0, 0, 0, 0), let start = gdk_pixbuf_read_pixels(opaque)
        else { throw Failure(reason: "needs more memory than a picture may have") }
        let rowLength = Int(gdk_pixbuf_get_rowstride(opaque))
        guard gdk_pixbuf_get_n_channels(opaque) == 4, gdk_pixbuf_get_bits_per_sample(opaque) == 8, rowLength >= size.width * 4
        else {
            throw Failure(reason: "has pixels of an unknown form")
        }
        width = size.width
        height = size.height
        var pixels: [UInt8] = []
        pixels.reserveCapacity(size.width * size.height * 4)
        for row in 0..<size.height {
            pixels.append(contentsOf: UnsafeBufferPointer(start: start + row * rowLength, count: size.width * 4))
        }
        self.pixels = pixels
    }
}
