#compdef psuite -P */lib/psuite/bin/*
# Completion of psuite and of its applets in zsh. `psuite --complete' answers what can follow (src/applets/complete.h).

_psuite() {
  local -a answer plain continued
  local kind number line word
  answer=("${(@f)$(psuite --complete -- "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  kind=${answer[1]%% *} number=${answer[1]##* }
  for line in "${(@)answer[2,-1]}"; do
    word=${line%%$'\t'*}
    line=${word//:/\\:}${${line#$word}/$'\t'/:}
    if [[ $word == *: ]]; then continued+=("$line"); else plain+=("$line"); fi
  done
  (( $#plain )) && _describe psuite plain
  (( $#continued )) && _describe psuite continued -S ''
  case $kind in
    files) (( number )) && compset -p $number; _files ;;
    directories) (( number )) && compset -p $number; _files -/ ;;
    commands) (( number )) && compset -p $number; _alternative 'commands:command:_command_names -e' 'files:file:_files' ;;
    command) shift $number words; (( CURRENT -= number )); _normal ;;
  esac
}

_psuite "$@"
