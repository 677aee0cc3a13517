extension Completions {
    /// For `/usr/share/bash-completion/completions/tlbrowse`, or to be sourced.
    static var bash: String {
        let options = Option.shown
        let names = options.flatMap { option -> [String] in
            if case .optional = option.argument { return [option.spelling, option.spelling + "="] }
            return [option.spelling]
        }
        let withArgument = options.filter { if case .required = $0.argument { true } else { false } }.map(\.spelling)
        return """
            # bash completion for tlbrowse, \(notice).

            # Words that name files: _tlbrowse_files WORD…, into the array files; and the entity, into entity.
            _tlbrowse_files() {
                files=() entity=
                local word
                while [ $# -gt 0 ]; do
                    word=$1
                    shift
                    case $word in
                    --data | --entity)
                        [ "${1-}" = = ] && shift
                        if [ "$word" = --data ]; then files+=("${1-}"); else entity=${1-}; fi
                        shift
                        ;;
                    \(withArgument.filter { $0 != "--data" && $0 != "--entity" }.joined(separator: " | ")))
                        [ "${1-}" = = ] && shift
                        shift
                        ;;
                    -*) [ "${1-}" = = ] && shift 2 ;;
                    =) ;;
                    *) files+=("${word/#\\~\\//$HOME/}") ;;
                    esac
                done
                [ -n "$entity" ] || entity=$(sed -n '\(entityOfPlist)' "${files[0]-}" 2>/dev/null | head -n 1)
            }

            _tlbrowse_schema() {
                [ ${#files[@]} -eq 0 ] || tlbrowse --schema=json -- "${files[@]}" 2>/dev/null </dev/null
            }

            # A name of the data, quoted where the shell would take it apart.
            _tlbrowse_offer() {
                case $1 in
                *[!A-Za-z0-9_.,@-]*) COMPREPLY+=("$(printf %q "$1")") ;;
                *) COMPREPLY+=("$1") ;;
                esac
            }

            _tlbrowse() {
                local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} end=$((COMP_CWORD - 1))
                local files entity prefix line IFS=$' \\t\\n'
                COMPREPLY=()
                if [ "$cur" = = ]; then
                    cur=
                elif [ "$option" = = ]; then
                    option=${COMP_WORDS[COMP_CWORD - 2]} end=$((COMP_CWORD - 2))
                else
                    case $option in
                    \(options.filter { if case .words(_, true) = $0.completion { true } else { false } }.map(\.spelling).joined(separator: " | "))) option= ;;
                    esac
                fi
                case $option in
            \(bashCases(options))
                esac
                if [[ $cur == -* ]]; then
                    mapfile -t COMPREPLY < <(compgen -W '\(names.joined(separator: " "))' -- "$cur")
                    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
                    return
                fi
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            }
            complete -F _tlbrowse tlbrowse

            """
    }

    private static func bashCases(_ options: [Option]) -> String {
        func spellings(_ isIncluded: (Completion) -> Bool) -> String {
            options.filter { isIncluded($0.completion) }.map(\.spelling).joined(separator: " | ")
        }
        var cases: [String] = []
        for option in options {
            guard case .words(let words, _) = option.completion else { continue }
            cases.append(
                """
                \(option.spelling))
                    mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- "$cur")
                    return
                    ;;
                """)
        }
        cases.append(
            """
            \(spellings { $0 == .files }))
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$cur")
                return
                ;;
            \(spellings { $0 == .folders }))
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -d -- "$cur")
                return
                ;;
            \(spellings { $0 == .entities }))
                _tlbrowse_files "${COMP_WORDS[@]:1:end-1}" "${COMP_WORDS[@]:COMP_CWORD+1}"
                while IFS= read -r line; do
                    [[ $line == "$cur"* ]] && _tlbrowse_offer "$line"
                done < <(_tlbrowse_schema | awk '\(entityProgram)')
                return
                ;;
            \(spellings { $0 == .keyPaths }))
                _tlbrowse_files "${COMP_WORDS[@]:1:end-1}" "${COMP_WORDS[@]:COMP_CWORD+1}"
                prefix=
                [[ $cur == *,* ]] && prefix=${cur%,*},
                cur=${cur##*,}
                [[ $cur == -* ]] && prefix+=- cur=${cur#-}
                while IFS= read -r line; do
                    [[ $line == "$cur"* ]] && _tlbrowse_offer "$prefix$line"
                done < <(_tlbrowse_schema | awk -v want="$entity" '\(keyPathProgram)')
                compopt -o nospace 2>/dev/null
                return
                ;;
            """)
        let others = spellings { $0 == .nothing }
        let withArgument = options.filter { option in
            if case .required = option.argument { return option.completion == .nothing }
            return false
        }
        if !others.isEmpty, !withArgument.isEmpty {
            cases.append("\(withArgument.map(\.spelling).joined(separator: " | "))) return ;;")
        }
        return cases.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
            .joined(separator: "\n")
    }
}
