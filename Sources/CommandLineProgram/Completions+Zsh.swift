extension Completions {
    /// For a folder of zsh's `fpath`, under the name `_tlbrowse`.
    static var zsh: String {
        let lines = Option.shown.map { option -> String in
            let help = zshText(option.help)
            switch option.completion {
            case .nothing:
                guard case .required(let word) = option.argument else { return "'\(option.spelling)[\(help)]'" }
                return "'\(option.spelling)=[\(help)]:\(word.lowercased()):'"
            case .files: return "'\(option.spelling)=[\(help)]:file:_files'"
            case .folders: return "'\(option.spelling)=[\(help)]:folder:_files -/'"
            case .entities: return "'\(option.spelling)=[\(help)]:entity:_tlbrowse_entities'"
            case .keyPaths: return "'\(option.spelling)=[\(help)]:key paths:_tlbrowse_key_paths'"
            case .words(let words, true): return "'\(option.spelling)=-[\(help)]::form:(\(words.joined(separator: " ")))'"
            case .words(let words, false): return "'\(option.spelling)=[\(help)]:form:(\(words.joined(separator: " ")))'"
            }
        }
        let valued = Option.shown.filter { if case .required = $0.argument { true } else { false } }.map(\.spelling)
        return """
            #compdef tlbrowse
            # zsh completion for tlbrowse, \(notice).

            # The files on the command line, into the array files; the entity, into entity.
            _tlbrowse_files() {
                files=() entity=
                local word before=
                for word in ${(Q)words[2,-1]}; do
                    case $before in
                    --data) files+=($word) before= ; continue ;;
                    --entity) entity=$word before= ; continue ;;
                    \(valued.filter { $0 != "--data" && $0 != "--entity" }.joined(separator: " | "))) before= ; continue ;;
                    esac
                    case $word in
                    --data=*) files+=(${word#*=}) ;;
                    --entity=*) entity=${word#*=} ;;
                    -*) before=$word ;;
                    ?*) [[ -e ${~word} ]] && files+=(${~word}) ;;
                    esac
                done
                [[ -n $entity ]] || entity=$(sed -n '\(entityOfPlist)' "${files[1]}" 2>/dev/null | head -n 1)
            }

            _tlbrowse_schema() {
                (( ${#files} )) && tlbrowse --schema=json -- $files 2>/dev/null </dev/null
            }

            _tlbrowse_entities() {
                local files entity
                _tlbrowse_files
                local -a found=(${(f)"$(_tlbrowse_schema | awk '\(entityProgram)')"})
                compadd -a found
            }

            _tlbrowse_key_paths() {
                local files entity
                _tlbrowse_files
                compset -P '*,'
                compset -P -
                local -a found=(${(f)"$(_tlbrowse_schema | awk -v want="$entity" '\(keyPathProgram)')"})
                compadd -S '' -a found
            }

            _arguments -S \\
                \(lines.joined(separator: " \\\n    ")) \\
                '*:list plist or data:_files'

            """
    }

    private static func zshText(_ text: String) -> String {
        text.replacing("'", with: "’").replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
    }
}
