import Foundation
import TestSupport
import Testing

/// What is kept from one run to the next, beside what the command line says for one run alone.
struct KeptSortTests {
    /// `--sort` is for its run; an order that the reader chooses in such a run is kept as in any other.
    @Test func anOrderForOneRunLeavesTheKeptOne() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        func run(_ arguments: [String] = [], keys: String..., leaves status: String) throws {
            let screen = try Screens.elements(arguments: arguments, environment: ["XDG_STATE_HOME": folder.path])
            for key in keys { try screen.send(key) }
            let last = try screen.lines.last ?? ""
            #expect(last.contains(status), "\(last)")
            try screen.send("q")
            #expect(try screen.waitForExit() == 0)
        }
        try run(leaves: "atomicNumber ↑")
        try run(keys: "s", "Enter", leaves: "↓")
        try run(["--sort", "symbol"], leaves: "symbol ↑")
        try run(leaves: "↓")
        try run(["--sort", "symbol"], keys: "s", "Enter", leaves: "↓")
        try run(leaves: "↓")
    }
}
