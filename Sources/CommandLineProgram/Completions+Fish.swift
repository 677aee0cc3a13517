extension Completions {
    /// For `/usr/share/fish/vendor_completions.d/tlbrowse.fish`, or to be sourced.
    static var fish: String {
        let valued = Option.shown.filter { if case .required = $0.argument { true } else { false } }.map(\.spelling)
        let lines = Option.shown.flatMap { option -> [String] in
            let start = "complete -c tlbrowse -l \(option.name.rawValue)"
            let help = " -d '\(option.help.replacing("'", with: "’"))'"
            switch option.completion {
            case .nothing:
                guard case .required = option.argument else { return [start + help] }
                return [start + " -x" + help]
            case .files: return [start + " -r -F" + help]
            case .folders: return [start + " -x -a '(__fish_complete_directories)'" + help]
            case .entities: return [start + " -x -a '(__tlbrowse_entities)'" + help]
            case .keyPaths: return [start + " -x -a '(__tlbrowse_sort_keys)'" + help]
            case .words(let words, false): return [start + " -x -a '\(words.joined(separator: " "))'" + help]
            case .words(let words, true):
                let spelled = words.map { "\(option.spelling)=\($0)" }.joined(separator: " ")
                let condition = "string match -q -- \"\(option.spelling)*\" (commandline -ct)"
                return [start + help, "complete -c tlbrowse -n '\(condition)' -a '\(spelled)'"]
            }
        }
        return """
            # fish completion for tlbrowse, \(notice).

            # The files on the command line, a line each; the first line is the entity that it names, or empty.
            function __tlbrowse_words
                set -l files
                set -l entity
                set -l before
                for word in (commandline -opc)[2..-1] (commandline -c)[2..-1]
                    switch "$before"
                        case --data
                            set -a files $word
                            set before
                            continue
                        case --entity
                            set entity $word
                            set before
                            continue
                        case \(valued.filter { $0 != "--data" && $0 != "--entity" }.joined(separator: " "))
                            set before
                            continue
                    end
                    switch "$word"
                        case '--data=*'
                            set -a files (string replace -r '^--data=' '' -- $word)
                        case '--entity=*'
                            set entity (string replace -r '^--entity=' '' -- $word)
                        case '-*'
                            set before $word
                        case '*'
                            set -l path (string replace -r '^~/' "$HOME/" -- $word)
                            test -e "$path"; and set -a files $path
                    end
                end
                if test -z "$entity"; and set -q files[1]
                    set entity (sed -n '\(entityOfPlist.replacing("\\", with: "\\\\"))' $files[1] 2>/dev/null | head -n 1)
                end
                echo "$entity"
                string join \\n -- $files
            end

            function __tlbrowse_entities
                set -l words (__tlbrowse_words)
                set -q words[2]; or return
                tlbrowse --schema=json -- $words[2..-1] 2>/dev/null </dev/null | awk '\(entityProgram)'
            end

            function __tlbrowse_key_paths
                set -l words (__tlbrowse_words)
                set -q words[2]; or return
                tlbrowse --schema=json -- $words[2..-1] 2>/dev/null </dev/null | awk -v want="$words[1]" '\(keyPathProgram)'
            end

            function __tlbrowse_sort_keys
                set -l token (commandline -ct | string replace -r '^--sort=' '')
                set -l before (string replace -r '[^,]*$' '' -- "$token")
                for path in (__tlbrowse_key_paths)
                    echo $before$path
                    echo $before-$path
                end
            end

            \(lines.joined(separator: "\n"))

            """
    }
}
