# Completion of psuite and of its applets in bash. `psuite --complete' answers what can follow (src/applets/complete.h).

# The words of the line up to the one to complete, into words. bash cuts them at `:' and `=', too: those that no blank separates
# are put together. first: where each begins in COMP_WORDS.
_psuite_words() {
  local line=$COMP_LINE rest i
  words=() first=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    rest=${line#"${line%%[![:blank:]]*}"}
    if [ "$i" = 0 ] || [ "$rest" != "$line" ]; then
      words+=("${COMP_WORDS[i]}") first+=("$i")
    else
      words[${#words[@]} - 1]+=${COMP_WORDS[i]}
    fi
    line=${rest#"${COMP_WORDS[i]}"}
  done
}

_psuite_add() { mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "$@" | sort -u); }

_psuite() {
  local words first kind='' number=0 cur cut
  _psuite_words
  cur=${words[${#words[@]} - 1]} COMPREPLY=()
  { read -r kind number; mapfile -t COMPREPLY; } < <(psuite --complete -- "${words[@]}" 2>/dev/null)
  COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
  case $kind in
    files) compopt -o filenames 2>/dev/null; _psuite_add -P "${cur:0:number}" -f -- "${cur:number}" ;;
    directories) compopt -o filenames 2>/dev/null; _psuite_add -P "${cur:0:number}" -d -- "${cur:number}" ;;
    commands) _psuite_add -P "${cur:0:number}" -c -f -- "${cur:number}" ;;
    command)
      if declare -F _comp_command_offset >/dev/null; then _comp_command_offset "${first[number]}"
      elif declare -F _command_offset >/dev/null; then _command_offset "${first[number]}"
      else _psuite_add -f -- "$cur"; fi
      return ;;
  esac
  # Where bash has cut the word, it replaces what follows the cut.
  cut=${cur%"${cur##*["$(printf %s "$COMP_WORDBREAKS" | tr -cd ':=')"]}"}
  COMPREPLY=("${COMPREPLY[@]#"$cut"}")
  # Of a name of a file, readline would quote the colon.
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *: ]] || compopt -o nospace +o filenames 2>/dev/null
}

complete -F _psuite psuite
# An applet by its own name only where the link on PATH is psuite's: `time' and `bind' are others' too.
_psuite_links() {
  local name path
  for name in $(psuite --list 2>/dev/null); do
    path=$(type -P "$name") || continue
    [ "$path" -ef "$(type -P psuite)" ] && complete -F _psuite "$name"
  done
}
_psuite_links
unset -f _psuite_links
# bash-completion reads this file by the name of an applet, too. If that command is another's, it has to hear so.
case ${BASH_SOURCE[0]##*/} in
  *.bash) ;;
  *) complete -p "${BASH_SOURCE[0]##*/}" &>/dev/null ;;
esac
