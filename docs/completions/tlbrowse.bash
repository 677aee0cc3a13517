# bash completion for tlbrowse, made by script/make-docs from the program's table of options.

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
        --model | --filter | --search | --sort | --scaffold)
            [ "${1-}" = = ] && shift
            shift
            ;;
        -*) [ "${1-}" = = ] && shift 2 ;;
        =) ;;
        *) files+=("${word/#\~\//$HOME/}") ;;
        esac
    done
    [ -n "$entity" ] || entity=$(sed -n 's/.*entityName"\{0,1\} *= *"\{0,1\}\([^";]*\)"\{0,1\} *;.*/\1/p' "${files[0]-}" 2>/dev/null | head -n 1)
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
    local files entity prefix line IFS=$' \t\n'
    COMPREPLY=()
    if [ "$cur" = = ]; then
        cur=
    elif [ "$option" = = ]; then
        option=${COMP_WORDS[COMP_CWORD - 2]} end=$((COMP_CWORD - 2))
    else
        case $option in
        --print | --schema) option= ;;
        esac
    fi
    case $option in
    --print)
        mapfile -t COMPREPLY < <(compgen -W 'text csv tsv json ndjson' -- "$cur")
        return
        ;;
    --schema)
        mapfile -t COMPREPLY < <(compgen -W 'json' -- "$cur")
        return
        ;;
    --data | --model)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        return
        ;;
    --scaffold)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        return
        ;;
    --entity)
        _tlbrowse_files "${COMP_WORDS[@]:1:end-1}" "${COMP_WORDS[@]:COMP_CWORD+1}"
        while IFS= read -r line; do
            [[ $line == "$cur"* ]] && _tlbrowse_offer "$line"
        done < <(_tlbrowse_schema | awk '/^  [{]"name": "/ { split($0, part, "\""); print part[4] }')
        return
        ;;
    --sort)
        _tlbrowse_files "${COMP_WORDS[@]:1:end-1}" "${COMP_WORDS[@]:COMP_CWORD+1}"
        prefix=
        [[ $cur == *,* ]] && prefix=${cur%,*},
        cur=${cur##*,}
        [[ $cur == -* ]] && prefix+=- cur=${cur#-}
        while IFS= read -r line; do
            [[ $line == "$cur"* ]] && _tlbrowse_offer "$prefix$line"
        done < <(_tlbrowse_schema | awk -v want="$entity" '/^  [{]"name": "/ { split($0, part, "\""); entity = part[4]; next }
    /^    [{]"name": "/ {
        split($0, part, "\"")
        if (part[6] == "type") {
            attributes[entity] = attributes[entity] part[4] "\n"
            if (want == "" || entity == want) print part[4]
        } else if (want == "" || entity == want) {
            if ($0 ~ /"toMany": true/) print part[4] ".@count"
            else { count++; name[count] = part[4]; destination[count] = part[8] }
        }
    }
    END {
        for (i = 1; i <= count; i++) {
            number = split(attributes[destination[i]], list, "\n")
            for (j = 1; j < number; j++) print name[i] "." list[j]
        }
    }')
        compopt -o nospace 2>/dev/null
        return
        ;;
    --filter | --search) return ;;
    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '--data --model --entity --filter --search --sort --collapsed --print --print= --details --schema --schema= --check --scaffold --private --no-state --no-cache --no-watch --no-mouse --help --version' -- "$cur")
        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
        return
    fi
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
complete -F _tlbrowse tlbrowse
