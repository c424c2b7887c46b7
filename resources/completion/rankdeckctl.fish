# Completion of rankdeckctl and rankdeck in fish. rankdeckctl itself knows what may stand where, in both.

function __rankdeckctl_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l program (string replace -r '(ctl)?$' ctl -- $words[1])
    for line in (command $program __complete (count $words) $words "$word" 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$word")
        else
            echo $line
        end
    end
end

complete -c rankdeckctl -f -a '(__rankdeckctl_complete)'
complete -c rankdeck -f -a '(__rankdeckctl_complete)'
