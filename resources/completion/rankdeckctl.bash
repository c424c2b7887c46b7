# Completion of rankdeckctl and rankdeck in bash. rankdeckctl itself knows what may stand where, in both.

_rankdeckctl()
{
    local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\~/$HOME} line file
    [[ $word == "=" ]] && word=
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line != ":files" ]]; then
            COMPREPLY+=("$line")
            continue
        fi
        compopt -o filenames
        while IFS= read -r file; do
            COMPREPLY+=("$file")
        done < <(compgen -f -- "$word")
    done < <("${program%ctl}ctl" __complete "$COMP_CWORD" "${COMP_WORDS[@]}" 2>/dev/null)
}

complete -F _rankdeckctl rankdeckctl rankdeck
