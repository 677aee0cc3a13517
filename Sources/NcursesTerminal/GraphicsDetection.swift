package import TerminalUI

/// What the environment says of how a terminal shows pictures.
package enum GraphicsDetection {
    /// - Parameter colors: how many the terminal's description has.
    package static func form(environment: [String: String], colors: Int) -> TerminalGraphics.Form {
        let name = environment["TERM"] ?? ""
        let program = environment["TERM_PROGRAM"] ?? ""
        // What stands between us and the terminal passes no graphics on, and inherits what its own terminal said of itself.
        let isMultiplexed =
            environment["TMUX"] != nil || environment["STY"] != nil || name.hasPrefix("screen") || name.hasPrefix("tmux")
        if !isMultiplexed {
            let isKitty = !(environment["KITTY_WINDOW_ID"] ?? "").isEmpty || name == "xterm-kitty"
            if isKitty || program == "ghostty" || name == "xterm-ghostty" || program == "WezTerm" { return .kitty }
            if name.hasPrefix("foot") || name.hasPrefix("mlterm") || name.contains("sixel") || program == "mintty" {
                return .sixel
            }
        }
        if colors < 8 || !(environment["NO_COLOR"] ?? "").isEmpty { return .none }
        let isScreen = environment["STY"] != nil || (name.hasPrefix("screen") && environment["TMUX"] == nil)
        if !isScreen, ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || colors >= 1 << 24 {
            return .cells(colors: 1 << 24)
        }
        return .cells(colors: colors >= 256 ? 256 : colors >= 16 ? 16 : 8)
    }
}
