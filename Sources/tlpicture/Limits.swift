import CGdkPixbuf

/// What this program may use of the machine.
enum Limits {
    /// Most bytes of a picture that are read.
    static let input = 64 << 20
    /// Most pixels that a picture may claim to have; a camera makes fewer.
    static let pixels = 120_000_000
    /// Longest side of what is drawn, in pixels.
    static let drawnSide = 4096
    private static let memory: UInt64 = 1 << 30
    private static let seconds: UInt64 = 10

    /// Memory and time beyond these end the program, and it has nothing open but its three streams.
    static func apply() {
        cgdkpixbuf_close_all_but_streams()
        _ = cgdkpixbuf_limit_memory(memory)
        _ = cgdkpixbuf_limit_time(seconds)
        _ = cgdkpixbuf_dump_no_core()
    }
}
