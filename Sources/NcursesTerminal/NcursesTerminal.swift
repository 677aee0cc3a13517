internal import CMemoryFile
internal import CNcurses
internal import Glibc
package import TerminalUI

/// The terminal by way of curses. There is one at a time, made and used by the main thread.
///
/// Curses paints, knows the terminal's modes and its capabilities; reading is `InputDecoder`'s, signals are the shim's.
/// `LC_CTYPE` is C.UTF-8 whatever the environment says (see `DisplayText`); where the environment names another character set
/// outright (`LANG=de_DE.ISO-8859-1`), only ASCII is painted.
package final class NcursesTerminal: Terminal {
    package private(set) var size: Size

    let theme: Theme
    let paintsOnlyASCII: Bool
    private let screen: OpaquePointer
    private let input: Int32
    let output: Int32
    private let ownsDescriptors: Bool
    let files: (output: UnsafeMutablePointer<FILE>?, input: UnsafeMutablePointer<FILE>?)
    private let signals: Int32
    /// The terminal's modes before.
    private let shellModes: termios
    /// What goes to the terminal with the first frame; nil where it is there already.
    var heldBack: [UInt8]?
    /// Where curses' frames are gathered; -1 where they are not.
    let frameMemory: Int32
    /// What was written past curses, frames among it, for tests.
    var written = (pieces: 0, bytes: 0)
    /// What switches mouse and bracketed paste on and off.
    private let reporting: (on: [UInt8], off: [UInt8])
    private let knowsClipboard: Bool
    private var decoder: InputDecoder
    /// When the decoder is to give up waiting.
    private var deadline: Int64?
    var posted: [TerminalEvent] = []
    private var isEnded = false
    private var isClosed = false
    /// What curses was given last; nil when everything is to be given again.
    var painted: CellBuffer?
    /// The graphics that the terminal shows.
    var shownGraphics: [PlacedGraphic] = []
    /// Rows with cells in colours that curses does not know of.
    var overlaidRows: Set<Int> = []
    var graphicsForm: TerminalGraphics.Form
    /// Whether the terminal may be asked what it can show, and was not yet.
    var mayAskForGraphics: Bool
    /// Colour pairs by `Pair.number`.
    var pairs: [Int: Int32] = [:]
    let hasDefaultColors: Bool

    /// Two colours; -1 is the terminal's own.
    struct Pair: Equatable {
        var foreground: Int32
        var background: Int32

        var number: Int { Int(foreground) << 32 | Int(UInt32(bitPattern: background)) }
    }

    /// Opens standard input and output where they are terminals, else `/dev/tty` (standard input may be data).
    ///
    /// - Parameters:
    ///   - environment: `TERM`, `NO_COLOR`, `LC_ALL`, `LC_CTYPE` and `LANG` are looked at.
    ///   - usesMouse: false leaves the mouse to the terminal.
    ///   - looks: what is to look otherwise than usual.
    ///   - isHeldBack: whether nothing shows before the first frame, nor ever if there is none.
    package convenience init(
        environment: [String: String], usesMouse: Bool = true, looks: [Lookable: Look] = [:], isHeldBack: Bool = false
    ) throws(TerminalError) {
        let input = isatty(STDIN_FILENO) == 1 ? dup(STDIN_FILENO) : Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        let output = isatty(STDOUT_FILENO) == 1 ? dup(STDOUT_FILENO) : Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        do {
            try self.init(
                input: input, output: output, environment: environment, usesMouse: usesMouse, looks: looks, ownsDescriptors: true,
                isHeldBack: isHeldBack)
        } catch {
            if input >= 0 { Glibc.close(input) }
            if output >= 0 { Glibc.close(output) }
            throw error
        }
    }

    /// Opens a terminal by its descriptors, which stay the caller's.
    package convenience init(
        input: Int32, output: Int32, environment: [String: String], usesMouse: Bool = true, isHeldBack: Bool = false
    ) throws(TerminalError) {
        try self.init(
            input: input, output: output, environment: environment, usesMouse: usesMouse, looks: [:], ownsDescriptors: false,
            isHeldBack: isHeldBack)
    }

    private init(
        input: Int32, output: Int32, environment: [String: String], usesMouse: Bool, looks: [Lookable: Look],
        ownsDescriptors: Bool, isHeldBack: Bool
    ) throws(TerminalError) {
        var shellModes = termios()
        guard input >= 0, output >= 0, isatty(output) == 1, tcgetattr(input, &shellModes) == 0 else {
            throw .noTerminal
        }
        let name = environment["TERM"] ?? ""
        DisplayText.useUnicodeLocale()
        // Before newterm, which installs handlers of its own only where there are none.
        let signals = tl_signals_install()
        guard signals >= 0 else { throw .system(errno) }
        var outputFile: UnsafeMutablePointer<FILE>?
        var inputFile: UnsafeMutablePointer<FILE>?
        guard !name.isEmpty, let screen = tl_newterm(name, output, input, &outputFile, &inputFile) else {
            tl_signals_remove()
            throw .unknownTerminal(name)
        }
        files = (outputFile, inputFile)
        guard tl_capability("cup") != nil else {
            endwin()
            delscreen(screen)
            Self.close(files)
            tl_signals_remove()
            throw .incapableTerminal(name)
        }
        self.screen = screen
        self.input = input
        self.output = output
        self.ownsDescriptors = ownsDescriptors
        self.signals = signals
        frameMemory = cmemory_file("tlbrowse frame")
        // ^S, ^C and ^Z are keys; Enter and ^J need not be told apart, but CR must not become LF on the way.
        raw()
        noecho()
        nonl()
        self.shellModes = shellModes
        // The modes are set; what follows is output.
        var gathers = false
        if isHeldBack, let outputFile { gathers = tl_frame_begin(frameMemory, outputFile) == 1 }
        // Application keys, which the terminfo strings stand for.
        keypad(tl_stdscr(), true)
        scrollok(tl_stdscr(), false)
        // Curses must not look at the input to see whether it may leave a frame half painted.
        typeahead(-1)
        var hasDefaultColors = false
        if has_colors(), start_color() == OK { hasDefaultColors = use_default_colors() == OK }
        self.hasDefaultColors = hasDefaultColors
        theme = Theme(colors: has_colors() ? Int(tl_colors()) : 0, environment: environment, looks: looks)
        paintsOnlyASCII = Self.namesOtherCharacterSet(environment)
        // Terminals with a mouse are xterm's descendants, which know the other modes too; others would show them as text.
        let isXtermLike = tl_capability("kmous") != nil && !name.hasPrefix("linux")
        knowsClipboard = isXtermLike
        let colors = has_colors() ? Int(tl_colors()) : 0
        let form = GraphicsDetection.form(environment: environment, colors: colors)
        graphicsForm = paintsOnlyASCII && form != .none ? .noBlocks : form
        mayAskForGraphics = isXtermLike && !paintsOnlyASCII && graphicsForm != .kitty && graphicsForm != .sixel
        reporting = Self.reporting(mouse: isXtermLike && usesMouse, paste: isXtermLike)
        decoder = InputDecoder(keys: Self.terminfoKeys())
        size = Size(rows: Int(max(1, getmaxy(tl_stdscr()))), columns: Int(max(1, getmaxx(tl_stdscr()))))
        armRestoring(shellModes)
        takeSize()
        if gathers, let outputFile {
            heldBack = Self.endFrame(in: frameMemory, outputFile, output) + reporting.on
        } else {
            write(reporting.on)
        }
    }

    deinit { close() }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        if heldBack == nil {
            write(withdrawal(of: shownGraphics))
            write(reporting.off)
            endwin()
        } else {
            // The terminal has seen nothing.
            heldBack = nil
            if let file = files.output, tl_frame_begin(frameMemory, file) == 1 {
                endwin()
                _ = Self.endFrame(in: frameMemory, file, output)
            }
            var modes = shellModes
            tcsetattr(input, TCSADRAIN, &modes)
        }
        tl_restore_disarm()
        tl_signals_remove()
        delscreen(screen)
        Self.close(files)
        if frameMemory >= 0 { Glibc.close(frameMemory) }
        if ownsDescriptors {
            Glibc.close(input)
            Glibc.close(output)
        }
    }

    private static func close(_ files: (output: UnsafeMutablePointer<FILE>?, input: UnsafeMutablePointer<FILE>?)) {
        if let output = files.output { fclose(output) }
        if let input = files.input { fclose(input) }
    }

    package func invalidate() {
        painted = nil
        clearok(tl_curscr(), true)
    }

    package func copyToClipboard(_ text: String) -> Bool {
        guard knowsClipboard, !isClosed, let sequence = Clipboard.sequence(for: text) else { return false }
        write(sequence)
        return true
    }

    // MARK: Giving the terminal away

    package func suspend() {
        stop(wholeGroup: true)
    }

    package func run(_ command: [String]) -> Int32 {
        guard !isClosed, !command.isEmpty else { return 127 }
        leave()
        let status = withArgumentVector(command) { tl_run($0, input, output) }
        // ^C and ^Z were for the program.
        post(signals: tl_signals_take() & ~(Self.bit(SIGINT) | Self.bit(SIGQUIT) | Self.bit(SIGTSTP) | Self.bit(SIGCONT)))
        enter()
        return status
    }

    private func withArgumentVector<Result>(
        _ command: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var vector = command.map { strdup($0) } + [nil]
        defer { vector.forEach { free($0) } }
        return body(&vector)
    }

    private func stop(wholeGroup: Bool) {
        guard !isClosed else { return }
        leave()
        _ = tl_stop(wholeGroup ? 1 : 0)
        enter()
    }

    private func leave() {
        showHeldBack()
        write(withdrawal(of: shownGraphics))
        shownGraphics = []
        write(reporting.off)
        endwin()
    }

    /// Takes the terminal back: curses' modes, size, and everything painted anew.
    private func enter() {
        // That we were continued is no news any more; other signals are.
        post(signals: tl_signals_take() & ~(Self.bit(SIGCONT) | Self.bit(SIGTSTP)))
        reset_prog_mode()
        takeSize().map { posted.append(.resize($0)) }
        invalidate()
        doupdate()
        write(reporting.on)
        posted.append(.resumed)
    }

    // MARK: Events

    package func events(wakeDescriptor: Int32, milliseconds: Int?) -> [TerminalEvent] {
        let end = milliseconds.map { Self.now() &+ Int64(max(0, $0)) }
        while true {
            if !posted.isEmpty {
                defer { posted = [] }
                return posted
            }
            if isEnded || isClosed { return [.endOfInput] }
            var descriptors = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            let limit = [end, deadline].compactMap { $0 }.min()
            let wait = limit.map { Int32(clamping: max(0, $0 - Self.now())) } ?? -1
            let count = poll(&descriptors, nfds_t(descriptors.count), wait)
            if count > 0 {
                if descriptors[1].revents != 0 { post(signals: tl_signals_take()) }
                if descriptors[0].revents != 0 { readInput() }
                if descriptors[2].revents != 0, posted.isEmpty { return [] }
            } else {
                let now = Self.now()
                if let deadline, now >= deadline {
                    posted += decoder.giveUpWaiting(time: now)
                    self.deadline = nil
                }
                if let end, now >= end, posted.isEmpty { return [] }
            }
        }
    }

    /// Reads all there is, up to a bound that leaves time for painting.
    private func readInput() {
        var bytes = [UInt8](repeating: 0, count: 16384)
        for _ in 0..<64 {
            let count = read(input, &bytes, bytes.count)
            guard count > 0 else {
                if count < 0, errno == EINTR || errno == EAGAIN { break }
                posted += decoder.giveUpWaiting(time: Self.now())
                posted.append(.endOfInput)
                isEnded = true
                return
            }
            let attributes = decoder.deviceAttributes
            posted += decoder.decode(bytes[..<count], time: Self.now())
            if decoder.deviceAttributes != attributes { learn(decoder.deviceAttributes) }
            var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            if poll(&descriptor, 1, 0) <= 0 { break }
        }
        switch decoder.pending {
        case .nothing: deadline = nil
        case .sequence: deadline = Self.now() + 25
        case .paste: deadline = Self.now() + 2000
        }
    }

    private func post(signals: UInt64) {
        if signals & Self.bit(SIGWINCH) != 0, let size = takeSize() { posted.append(.resize(size)) }
        for signal in [SIGHUP, SIGTERM, SIGINT, SIGQUIT] where signals & Self.bit(signal) != 0 {
            posted.append(.terminate(signal: signal))
        }
        if signals & Self.bit(SIGTSTP) != 0 {
            stop(wholeGroup: false)
        } else if signals & Self.bit(SIGCONT) != 0 {
            // Stopped by SIGSTOP: the shell has had the terminal meanwhile, and our modes are gone.
            endwin()
            enter()
        }
    }

    /// Tells curses the size that the terminal has now.
    ///
    /// - Returns: the size, if it has changed.
    @discardableResult private func takeSize() -> Size? {
        var rows: Int32 = 0
        var columns: Int32 = 0
        guard tl_window_size(output, &rows, &columns) == 1 else { return nil }
        let size = Size(rows: Int(rows), columns: Int(columns))
        guard size != self.size else { return nil }
        // Not resizeterm: that also puts a KEY_RESIZE into the queue of curses' own reader.
        resize_term(rows, columns)
        self.size = size
        invalidate()
        return size
    }

    private static func bit(_ signal: Int32) -> UInt64 { 1 << UInt64(signal) }

    /// Milliseconds of a clock that only goes forward.
    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    // MARK: Setting up

    /// What the terminal gets when the program dies: all that `close` would do.
    private func armRestoring(_ shellModes: termios) {
        let capacity = 512
        var bytes = [CChar](repeating: 0, count: capacity)
        var length = 0
        for name in ["rmkx", "sgr0", "op", "cnorm", "rmcup"] {
            length = tl_append_capability(name, &bytes, length, capacity)
        }
        var sequence = reporting.off + bytes[..<length].map { UInt8(bitPattern: $0) }
        // Without a second screen the message that follows is to stand on a line of its own.
        if tl_capability("rmcup") == nil { sequence += [0x0D, 0x0A] }
        var modes = shellModes
        sequence.withUnsafeBytes { raw in
            tl_restore_arm(output, &modes, raw.bindMemory(to: CChar.self).baseAddress, raw.count)
        }
    }

    private static func terminfoKeys() -> [[UInt8]: Key] {
        var keys: [[UInt8]: Key] = [:]
        let mouse = tl_capability("kmous").map { Array(String(cString: $0).utf8) }
        for (name, code) in KeyNames.capabilities {
            guard let sequence = tl_capability(name) else { continue }
            let bytes = UnsafeBufferPointer(start: sequence, count: strlen(sequence)).map { UInt8(bitPattern: $0) }
            guard bytes.count > 1, bytes.first == 0x1B, bytes != mouse else { continue }
            keys[bytes] = Key(code)
        }
        return keys
    }

    private static func reporting(mouse: Bool, paste: Bool) -> (on: [UInt8], off: [UInt8]) {
        // Presses and releases, motion with a button down, coordinates of any size; bracketed paste.
        let modes = (mouse ? [1000, 1002, 1006] : []) + (paste ? [2004] : [])
        func sequence(_ modes: [Int], _ letter: String) -> [UInt8] { modes.flatMap { Array("\u{1B}[?\($0)\(letter)".utf8) } }
        return (sequence(modes, "h"), sequence(modes.reversed(), "l"))
    }

    /// Whether the environment's locale names a character set, and not UTF-8.
    static func namesOtherCharacterSet(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        guard let dot = locale.firstIndex(of: ".") else { return false }
        let name = locale[locale.index(after: dot)...].prefix { $0 != "@" }.filter { $0 != "-" }.lowercased()
        return name != "utf8"
    }
}
