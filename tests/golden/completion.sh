#!/bin/bash
# Completion: what `psuite --complete' answers, and what bash, zsh and fish make of it.
. "$(dirname "$0")/../lib/check.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
mkdir -p "$scratch/path" "$scratch/place/folder"
ln -s "$PSUITE" "$scratch/path/psuite"
PATH=$scratch/path:$PATH
cd "$scratch/place" || exit
touch alone 'qqtwo words' flamingo
printf '#!/bin/sh\n' > script; chmod +x script

# --- the answers
answer() { psuite --complete -- "$@"; }
answers() { # answers KIND WORDS LINE...: the first line, and the words of the others
  local kind=$1 words=$2; shift 2
  answer "$@" > "$scratch/answer"
  text "$*: else" "$kind" "$(head -1 "$scratch/answer")"
  text "$*: words" "$words" "$(sed 1d "$scratch/answer" | cut -f1 | paste -sd' ')"
}
# The options that --help=all lists, with --help and --version
help_names() {
  awk '/^  +-/ { sub(/^ +/, ""); sub(/  .*/, ""); n = split($0, word, /, /)
    for (i = 1; i <= n; i++) { sub(/[[ ].*/, "", word[i]); print word[i] } }' | sort -u
}
options_are() { # options_are WHAT WORD...: of `WORD... --help=all'
  local what=$1; shift
  text "options of $what" "$("$@" --help=all | help_names)" "$(answer "$@" - | sed 1d | cut -f1 | sort -u)"
}
answers none "$(psuite --list | paste -sd' ') help" psuite ''
answers none 'time tprof trace topo' psuite t
answers none 'time tprof trace topo' psuite help t
answers none '' psuite frob ''
options_are psuite psuite
for applet in $(psuite --list); do options_are "$applet" psuite "$applet"; done
for style in gnu llvm; do
  options_are "sym --style=$style" psuite sym --style=$style
  options_are "sym --style $style" psuite sym --style $style
done
answers 'files 0' 'flat: flame:' psuite tprof -o fl
answers 'files 6' '' psuite tprof -o flame:x
answers 'files 9' '--output=flat: --output=flame:' psuite tprof --output=fl
answers 'files 15' '' psuite tprof --output=flame:x
answers 'files 0' html: trace -o h
answers none 'perf ptrace' tprof -E p
answers none '--chains=cfi' tprof --chains=c
for applet in tprof prof kprof iostats trace; do answers none '--rows=all' $applet --rows=a; done
answers none 'closed calls' iostats --sort c
answers none '--style=gnu' sym --style=g
answers none 'cpu-clock cpu-migrations' tprof -e cpu-
answers 'directories 0' '' unbind ''
answers 'directories 0' '' psuite stats /
answers 'files 0' '' prof a
answers 'commands 0' '' time -n 3 l
answers 'commands 0' '' tprof -x ''
answers 'command 1' '' time sh ''
answers 'command 3' '' psuite tprof -x sh ''
answers 'command 3' '' psuite tprof -kx sh -
answers 'command 2' '' psuite tprof ./script -
answers 'command 4' '' psuite tprof -t 1 ./script -
answers 'commands 0' '' psuite tprof ./scr
answers none '--tree' psuite tprof recording --tr
answers 'files 0' '' psuite tprof --browse ''
answers 'files 0' '' psuite tprof --diff old ''
answers 'files 0' '' psuite topo --diff old ''
answers 'files 0' '' psuite tprof recording -- --tr
answers none '' ns cat ''
answers none '' trace mark ''
answers none 'cat ls write' ns ''
answers none '#c' bind '#c'
answers none '--by-process' psuite tprof -p 1 --by
status 'no words' 2 psuite --complete

# A process is named by its own words; they are no lines of the answer, and do not act on the terminal.

perl -e '$0 = "a\nflame:\tb\e[1mc"; sleep 60' & named=$!
until_ok grep -q flame "/proc/$named/comm"
answer tprof -p "$named" > "$scratch/answer"
text 'a process' "$named	a?flame:?b?[1mc" "$(grep "^$named	" "$scratch/answer")"
text 'is one line' 2 "$(wc -l < "$scratch/answer")"
answer tprof "$named" > "$scratch/answer"
text 'or an operand' "$named" "$(sed 1d "$scratch/answer" | cut -f1)"
kill "$named"

# --- bash: words as it cuts them
cat > "$scratch/complete.bash" <<'E2'
. "$1"
COMP_LINE=$2 COMP_POINT=${#2}
read -ra COMP_WORDS <<< "$(sed -E 's/[:=]/ & /g' <<< "$COMP_LINE")"
case $COMP_LINE in *[:=\ ]) COMP_WORDS+=('') ;; esac
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_psuite
[ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}"
E2
in_bash() { bash --norc "$scratch/complete.bash" "$SOURCE/completions/psuite.bash" "$1"; }

# --- fish: `complete -C LINE' prints what a TAB would show
mkdir "$scratch/fish"
cp "$SOURCE/completions/psuite.fish" "$scratch/fish/"
for applet in $(psuite --list); do ln -s psuite.fish "$scratch/fish/$applet.fish"; done # as installed
in_fish() {
  HOME=$scratch fish --no-config -c "set -p fish_complete_path $scratch/fish; complete -C \$argv[1]" "$1" | cut -f1
}

# --- zsh: an interactive one on a terminal of its own, where TAB lists
mkdir "$scratch/functions"
cp "$SOURCE/completions/psuite.zsh" "$scratch/functions/_psuite"
cat > "$scratch/complete.zsh" <<'E2'
zmodload zsh/zpty
folder=$1; shift
zpty -b shell TERM=dumb zsh -f -i
until_seen() { # until_seen PATTERN: all that was printed, up to it
  local part
  seen=
  for (( end = SECONDS + 120; SECONDS < end; )); do
    if zpty -r -t shell part; then seen+=$part; else sleep 0.02; fi
    [[ $seen != *$~1* ]] || return 0
  done
  print "nothing like $1 after 120 s: $seen"
  exit 1
}
zpty -w shell "unsetopt zle_bracketed_paste prompt_sp; PS1=; fpath=(${(q)folder} \$fpath); autoload -U compinit; compinit -u -D
zstyle ':completion:*' list-separator --; zstyle ':completion:*' insert-tab false # even with more input behind it
 bindkey '^I' list-choices; bindkey '^U' kill-whole-line; LISTMAX=0
stty cols 200 rows 100; PS1='REA''DY> '"
until_seen 'READY> '
for line; do
  zpty -w -n shell "$line"$'\t\C-u'"print DO''NE"$'\n'
  until_seen $'\nDONE*READY> '
  print -r -- "== $line"; print -r -- "$seen"
done
zpty -d shell
E2
# in_zsh LINE...: what it lists, each after `== LINE'
in_zsh() {
  HOME=$scratch timeout 600 zsh -f "$scratch/complete.zsh" "$scratch/functions" "$@" 2>&1 | tr -d '\r' | sed -E 's/\x1b\[[0-9;?]*[a-zA-Z]//g'
}

# --- the same lines in each, and the words that they are completed with
lines='psuite tp|tprof
psuite help tr|trace
psuite kprof --by|--by-process
psuite tprof 1 --tr|--tree
psuite tprof -o fla|flame: flamingo flat:
psuite tprof -o flame:fl|flame:flamingo
psuite trace -o h|html:
psuite tprof -E p|perf ptrace
psuite sym --style=g|--style=gnu
psuite sym --style=gnu --sec|--section
psuite iostats --sort=c|--sort=closed --sort=calls
psuite unbind f|folder
psuite tprof -x ./script al|alone'
with_fish= with_zsh=
# Their part is no code of psuite's, which the sanitizers look at.
if [ -z "${PSUITE_SANITIZE:-}" ]; then
  if command -v fish >/dev/null; then with_fish=1; else skip 'completion in fish' 'no fish'; fi
  if command -v zsh >/dev/null; then with_zsh=1; else skip 'completion in zsh' 'no zsh'; fi
fi
mapfile -t typed < <(cut -d'|' -f1 <<< "$lines")
[ -z "$with_zsh" ] || in_zsh "${typed[@]}" > "$scratch/zsh"
zsh_lists() { # zsh_lists LINE WORD: of a path or a joined argument the last part
  awk -v line="== $1" '/^== / { on = $0 == line } on && !/READY>|^==/' "$scratch/zsh" > "$scratch/listed"
  has "zsh: $1: $2" "(^| |=)${2##*[:=]}[:/]?( |\$)" "$scratch/listed"
}
while IFS='|' read -r line words; do
  want=$(tr ' ' '\n' <<< "$words" | sort)
  # bash shows what follows the last place where it cuts
  text "bash: $line" "$(sed -E 's/^.*[:=](.)/\1/' <<< "$want")" "$(in_bash "$line" | sort)"
  [ -z "$with_fish" ] || text "fish: $line" "$want" "$(in_fish "$line" | sed 's/\/$//' | sort)"
  [ -z "$with_zsh" ] || for word in $words; do zsh_lists "$line" "${word%:}"; done
done <<< "$lines"
# --- an applet by its own name: only where that is psuite's
linked='tprof --tr|--tree
iostats --sort=c|--sort=closed --sort=calls
kprof --rows a|all'
while IFS='|' read -r line words; do
  want=$(tr ' ' '\n' <<< "$words" | sort)
  [ -z "$with_fish" ] || text "fish without links: $line" '' "$(in_fish "$line" | grep -xF -e "$want")"
done <<< "$linked"
mkdir "$scratch/links"
psuite --install -s "$scratch/links" >/dev/null
in_links() { PATH=$scratch/links:$PATH "$@"; }
while IFS='|' read -r line words; do
  want=$(tr ' ' '\n' <<< "$words" | sort)
  [ -z "$with_fish" ] || text "fish: $line" "$want" "$(in_links in_fish "$line" | sort)"
done <<< "$linked"
[ -z "$with_fish" ] || text 'fish: its own bind' "$(in_fish 'bind --')" "$(in_links in_fish 'bind --')"
text 'bash: a file with a blank' 'qqtwo words' "$(in_bash 'psuite tprof qqt')"
for applet in $(psuite --list); do
  text "bash: options of $applet" "$(psuite "$applet" --help=all | help_names)" "$(in_bash "psuite $applet -" | sort -u)"
done

# As bash-completion reads them: the file of the name. It looks further if the command is another's.
mkdir "$scratch/bash"
cp "$SOURCE/completions/psuite.bash" "$scratch/bash/psuite"
ln -s psuite "$scratch/bash/tprof"
status 'bash: psuite by its name' 0 bash --norc -c '. "$0" && complete -p psuite' "$scratch/bash/psuite"
status 'bash: an applet by its name' 0 in_links bash --norc -c '. "$0" && complete -p tprof' "$scratch/bash/tprof"
has 'bash: the applet has its completion' '^complete -F _psuite tprof$' "$scratch/out"
status "bash: another's command of this name" 1 bash --norc -c '. "$0" && complete -p tprof' "$scratch/bash/tprof"

# --- all three are installed (native_install) and know nothing of options themselves
hasnt 'no option is in a script' ' --(by-process|seconds|output)|flame' <(cat "$SOURCE"/completions/*)
finish
