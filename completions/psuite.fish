# Completion of psuite and of its applets in fish. `psuite --complete' answers what can follow (src/applets/complete.h).

# What COMMAND completes WORD with, of which the first N characters are no part of the path.
function __psuite_after --argument-names word n command
    set -l start (string sub -l $n -- $word)
    for path in ($command (string sub -s (math $n + 1) -- $word))
        echo -- $start$path
    end
end

function __psuite_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (psuite --complete -- $before "$current" 2>/dev/null)
    set -l kind (string split ' ' -- $answer[1])
    set -e answer[1]
    for line in $answer
        echo -- $line
    end
    switch "$kind[1]"
        case files
            __psuite_after "$current" $kind[2] __fish_complete_path
        case directories
            __psuite_after "$current" $kind[2] __fish_complete_directories
        case commands
            complete -C "$current"
            __fish_complete_path "$current"
        case command
            set -e before[1..$kind[2]]
            complete -C (string join ' ' -- (string escape -- $before) "$current")
    end
end

complete -c psuite -e
complete -c psuite -f -a '(__psuite_complete)'
# An applet by its own name only where the link on PATH is psuite's. Names of fish's own, as `time' and `bind', stay so.
for name in (psuite --list 2>/dev/null)
    test "$(type -t $name 2>/dev/null)" = file; or continue
    command test (command -s $name) -ef (command -s psuite); or continue
    complete -c $name -e
    complete -c $name -f -a '(__psuite_complete)'
end
