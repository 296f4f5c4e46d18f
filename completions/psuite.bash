# Completion of psuite and of its applets: names and options come from psuite itself.

# The options of an applet as its --help=all tells them, lines like "  -o, --output FILE  ..."; given a second argument,
# only those that are followed by an argument of their own. A style on the line so far decides what options sym has.
_psuite_options() {
  local applet=$1 style=; [ "$applet" != psuite ] || applet=
  [ "$applet" != sym ] || style=$(printf '%s\n' "${COMP_WORDS[@]:0:COMP_CWORD}" | paste -sd' ' | grep -oE -- '--style *=? *(gnu|llvm)' | tail -1 | tr -d ' =' | sed 's/^--style/--style=/')
  psuite $applet $style --help=all 2>/dev/null | awk -v only="${2:-}" '
    /^  +-/ {
      sub(/^ +/, ""); sub(/  .*/, "")
      if (only != "" && $0 !~ / [A-Z]/) next
      n = split($0, word, /, /)
      for (i = 1; i <= n; i++) { sub(/[[ ].*/, "", word[i]); print word[i] }
    }'
}

_psuite() {
  local cur=${COMP_WORDS[COMP_CWORD]} applet=${COMP_WORDS[0]##*/} at=0 i
  COMPREPLY=()
  if [ "$applet" = psuite ]; then
    if [ "$COMP_CWORD" = 1 ] || { [ "$COMP_CWORD" = 2 ] && [ "${COMP_WORDS[1]}" = help ]; }; then
      local words; words=$(psuite --list 2>/dev/null)
      [ "$COMP_CWORD" = 2 ] || words+=" help $(_psuite_options psuite)"
      mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
      return
    fi
    applet=${COMP_WORDS[1]} at=1
    case $applet in -*) applet=psuite at=0 ;; esac
  fi
  # The first operand ends the options; where a command stands there, it is completed by its own rules.
  local with_argument; with_argument=" $(_psuite_options "$applet" arg | tr '\n' ' ')"
  for ((i = at + 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      -?*) if [ "${COMP_WORDS[i + 1]:-}" = = ]; then ((i += 2)); continue; fi # bash has cut --NAME=VALUE into three words
           [[ $with_argument != *" ${COMP_WORDS[i]} "* ]] || ((++i)) ;;
      *) if declare -F _command_offset >/dev/null; then _command_offset "$i"; else mapfile -t COMPREPLY < <(compgen -f -- "$cur"); fi
         return ;;
    esac
  done
  if [[ $cur == -* ]]; then mapfile -t COMPREPLY < <(compgen -W "$(_psuite_options "$applet")" -- "$cur")
  else mapfile -t COMPREPLY < <(compgen -c -f -- "$cur" | sort -u); fi
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
