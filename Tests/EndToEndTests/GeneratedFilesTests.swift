import Foundation
import TestSupport
import Testing

/// The committed man page and completions are what the program makes of its tables, and the shells take them.
@Suite(.needsBrowser)
struct GeneratedFilesTests {
    static let files = [
        ("man", "docs/tlbrowse.1"), ("bash", "docs/completions/tlbrowse.bash"), ("zsh", "docs/completions/_tlbrowse"),
        ("fish", "docs/completions/tlbrowse.fish"), ("plist-reference", "docs/plist-reference.md"),
    ]

    @Test(arguments: files) func committedFileIsUpToDate(what: String, path: String) throws {
        let made = try BuiltProgram.run(["--generate", what])
        #expect(made.exitStatus == 0 && made.standardOutput.count > 1000)
        let committed = try String(contentsOfFile: BuiltProgram.projectFile(path), encoding: .utf8)
        // Two pages in a message would hide what it says.
        let isUpToDate = committed == made.standardOutput
        #expect(isUpToDate, "\(path): script/make-docs brings it up to date")
    }

    /// Every option that the help names, from the first column.
    static func options() throws -> [String] {
        try BuiltProgram.run(["--help"]).standardOutput.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("  --") else { return nil }
            return line.dropFirst(2).prefix { $0 != " " && $0 != "[" }.description
        }
    }

    @Test func everyOptionIsInAllOfThem() throws {
        let options = try Self.options()
        #expect(options.count >= 12)
        for (what, path) in Self.files.prefix(4) {
            let text = try String(contentsOfFile: BuiltProgram.projectFile(path), encoding: .utf8)
            for option in options {
                let spelled =
                    switch what {
                    case "man": option.replacingOccurrences(of: "-", with: "\\-")
                    case "fish": "-l \(option.dropFirst(2))"
                    default: option
                    }
                let isThere = text.contains(spelled)
                #expect(isThere, "\(option) in \(path)")
            }
        }
        #expect(try !BuiltProgram.run(["--help"]).standardOutput.contains("--generate"))
    }

    @Test func readmeHasTheOptionsOfTheHelp() throws {
        let help = try BuiltProgram.run(["--help"]).standardOutput.split(separator: "\n").filter { $0.hasPrefix("  --") }
        let readme = try String(contentsOfFile: BuiltProgram.projectFile("README.md"), encoding: .utf8)
        let isThere = readme.contains("\n" + help.joined(separator: "\n") + "\n```\n")
        #expect(isThere, "script/make-docs brings it up to date")
    }

    /// What bash offers for the last of some words.
    func bash(_ words: String...) throws -> [String] {
        let script = """
            PATH=\(URL(fileURLWithPath: BuiltProgram.path).deletingLastPathComponent().path):$PATH
            . docs/completions/tlbrowse.bash
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
            _tlbrowse
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try CommandResult(["bash", "-c", script, "bash", "tlbrowse"] + words)
        #expect(result.exitStatus == 0 && result.standardError.isEmpty, "\(result.standardError)")
        return result.standardOutput.split(separator: "\n").map(String.init)
    }

    @Test func bashCompletesOptionsAndWords() throws {
        #expect(try Set(bash("--")).isSuperset(of: Self.options()))
        #expect(try bash("--sch") == ["--schema", "--schema="])
        #expect(try bash("--print", "=") == ["text", "csv", "tsv", "json", "ndjson"])
        #expect(try bash("--print", "=", "nd") == ["ndjson"])
        #expect(try bash("Configs/Elements.p") == ["Configs/Elements.plist"])
        #expect(try bash("--scaffold", "Conf") == ["Configs"])
        #expect(try bash("--data", "Data/Elements.s") == ["Data/Elements.sqlite"])
    }

    @Test func bashCompletesEntitiesAndKeyPathsOfTheData() throws {
        #expect(try bash("Data/Elements.sqlite", "--entity", "") == ["Category", "Discoverer", "Element"])
        #expect(try bash("--data", "Data/Elements.sqlite", "--entity", "=", "D") == ["Discoverer"])
        #expect(try bash("Configs/Elements.plist", "--sort", "categ") == ["category.name", "category.summary"])
        #expect(try bash("Data/Elements.sqlite", "--entity", "Element", "--sort", "name,-atomicN") == ["name,-atomicNumber"])
        #expect(try bash("nothing.sqlite", "--entity", "").isEmpty)
    }

    /// Whether a shell is there; two of the three are not everywhere.
    private func has(_ shell: String) throws -> Bool { try CommandResult(["sh", "-c", "command -v \(shell)"]).exitStatus == 0 }

    @Test(arguments: [("bash", "tlbrowse.bash"), ("zsh", "_tlbrowse"), ("fish", "tlbrowse.fish")])
    func shellReadsIt(shell: String, file: String) throws {
        guard try has(shell) else { return }
        let result = try CommandResult([shell, "-n", "docs/completions/\(file)"])
        #expect(result.exitStatus == 0 && result.standardError.isEmpty, "\(result.standardError)")
    }

    @Test func fishCompletes() throws {
        guard try has("fish") else { return }
        func fish(_ line: String) throws -> [String] {
            let folder = URL(fileURLWithPath: BuiltProgram.path).deletingLastPathComponent().path
            let script = "set PATH \(folder) $PATH; source docs/completions/tlbrowse.fish; complete -C '\(line)'"
            return try CommandResult(["fish", "--no-config", "-c", script]).standardOutput.split(separator: "\n").map { line in
                String(line.prefix { $0 != "\t" })
            }
        }
        #expect(try fish("tlbrowse --scaff") == ["--scaffold"])
        #expect(try fish("tlbrowse Data/Elements.sqlite --entity ") == ["Category", "Discoverer", "Element"])
        #expect(try fish("tlbrowse Configs/Elements.plist --sort category.n").contains("category.name"))
        #expect(try fish("tlbrowse --print=nd").contains("--print=ndjson"))
    }

    /// An interactive zsh on a terminal of its own: what stands on its line after a Tab.
    @Test func zshCompletes() throws {
        guard try has("zsh") else { return }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let program = URL(fileURLWithPath: BuiltProgram.path).deletingLastPathComponent().path
        let script = """
            zmodload zsh/zpty || exit 3
            mkfifo \(folder.path)/line
            zpty z zsh -f -i
            # The widget hands the line over through the pipe, so that nothing has to be read from the screen.
            zpty -w z "fpath=(docs/completions \\$fpath); PATH=\(program):\\$PATH; autoload -Uz compinit; compinit -u -d \(folder.path)/dump"
            zpty -w z "show() { local line=\\$BUFFER; BUFFER=; print -r -- \\"\\$line\\" >\(folder.path)/line }; zle -N show; bindkey '^T' show"
            for line in "$@"; do
                zpty -w -n z "$line"$'\\t\\x14'
                # Opened before the widget has closed it the pipe ends at once.
                until read -r answer <\(folder.path)/line; do :; done
                print -r -- "$answer"
            done
            zpty -d z
            """
        func zsh(_ lines: String...) throws -> [String] {
            let result = try CommandResult(["timeout", "60", "zsh", "-f", "-c", script, "zsh"] + lines)
            #expect(result.exitStatus == 0, "\(result.standardError)")
            return result.standardOutput.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let lines = try zsh(
            "tlbrowse --scaff", "tlbrowse Data/Elements.sqlite --entity Di", "tlbrowse Configs/Elements.plist --sort category.n",
            "tlbrowse --data Data/Elements.sqlite --entity Element --sort name,-atomicN", "tlbrowse --print=nd",
            "tlbrowse Configs/ElementsB")
        #expect(
            lines == [
                "tlbrowse --scaffold=", "tlbrowse Data/Elements.sqlite --entity Discoverer",
                "tlbrowse Configs/Elements.plist --sort category.name",
                "tlbrowse --data Data/Elements.sqlite --entity Element --sort name,-atomicNumber", "tlbrowse --print=ndjson",
                "tlbrowse Configs/ElementsByName.plist",
            ])
    }

    @Test func manPageHasNoFaults() throws {
        guard try has("groff") else { return }
        let result = try CommandResult(["groff", "-man", "-ww", "-z", "-K", "utf8", "-T", "utf8", "docs/tlbrowse.1"])
        #expect(result.exitStatus == 0 && result.standardError.isEmpty, "\(result.standardError)")
    }
}
