# fish completion for tlbrowse, made by script/make-docs from the program's table of options.

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
            case --model --filter --search --sort --scaffold
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
        set entity (sed -n 's/.*entityName"\\{0,1\\} *= *"\\{0,1\\}\\([^";]*\\)"\\{0,1\\} *;.*/\\1/p' $files[1] 2>/dev/null | head -n 1)
    end
    echo "$entity"
    string join \n -- $files
end

function __tlbrowse_entities
    set -l words (__tlbrowse_words)
    set -q words[2]; or return
    tlbrowse --schema=json -- $words[2..-1] 2>/dev/null </dev/null | awk '/^  [{]"name": "/ { split($0, part, "\""); print part[4] }'
end

function __tlbrowse_key_paths
    set -l words (__tlbrowse_words)
    set -q words[2]; or return
    tlbrowse --schema=json -- $words[2..-1] 2>/dev/null </dev/null | awk -v want="$words[1]" '/^  [{]"name": "/ { split($0, part, "\""); entity = part[4]; next }
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
}'
end

function __tlbrowse_sort_keys
    set -l token (commandline -ct | string replace -r '^--sort=' '')
    set -l before (string replace -r '[^,]*$' '' -- "$token")
    for path in (__tlbrowse_key_paths)
        echo $before$path
        echo $before-$path
    end
end

complete -c tlbrowse -l data -r -F -d 'the data'
complete -c tlbrowse -l model -r -F -d 'the Core Data model, if it is not found by itself'
complete -c tlbrowse -l entity -x -a '(__tlbrowse_entities)' -d 'with data alone: which entity'
complete -c tlbrowse -l filter -x -d 'only objects that match (NSPredicate format)'
complete -c tlbrowse -l search -x -d 'begin with a search; with --print only its hits'
complete -c tlbrowse -l sort -x -a '(__tlbrowse_sort_keys)' -d 'another order: key paths and -key paths, by commas'
complete -c tlbrowse -l collapsed -d 'begin with all sections folded'
complete -c tlbrowse -l print -d 'print the list instead: text, csv, tsv, json or ndjson'
complete -c tlbrowse -n 'string match -q -- "--print*" (commandline -ct)' -a '--print=text --print=csv --print=tsv --print=json --print=ndjson'
complete -c tlbrowse -l details -d 'with --print: detail rows too'
complete -c tlbrowse -l schema -d 'print the entities'
complete -c tlbrowse -n 'string match -q -- "--schema*" (commandline -ct)' -a '--schema=json'
complete -c tlbrowse -l check -d 'check the plists, print every fault and warning'
complete -c tlbrowse -l scaffold -x -a '(__fish_complete_directories)' -d 'write list and detail plists for each entity into a folder'
complete -c tlbrowse -l private -d 'no state, no cache, no temporary file outside memory'
complete -c tlbrowse -l no-state -d 'keep and use no state'
complete -c tlbrowse -l no-cache -d 'keep and use no cache of orders'
complete -c tlbrowse -l no-watch -d 'do not follow changes of the store'
complete -c tlbrowse -l no-mouse -d 'leave the mouse to the terminal'
complete -c tlbrowse -l help -d 'this help'
complete -c tlbrowse -l version -d 'the version'
