# Where a file is written something else may be: what writes files neither follows links nor overwrites unasked, and with
# --force replaces what is there. Recordings are their user's alone, whatever the umask.
# Generated: each writer with each thing in its way, without and with --force.
. lib/check.sh
: "${WORK:=$TESTS/../build/work}"
work=$(cd "$WORK" && pwd)
cd "$scratch" || exit
"$PSUITE" tprof -q -g --record samples -x sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done' 2> /dev/null
mkdir calls && (cd calls && "$work/prof/prof_bushy" 4 > /dev/null) && calls=$(ls calls/prof.*)

# MODE OF A NEW FILE with umask 0|COMMAND; FILE is the file, FORCE the option
writers=('600|tprof FORCE --record FILE -x true' '666|tprof FORCE -q -o folded:FILE samples' '666|tprof FORCE -o FILE samples'
  "666|prof FORCE --v1 FILE prof $calls" "666|prof FORCE -q -o flame:FILE prof $calls" '666|time FORCE -o FILE true'
  '600|stats FORCE --record FILE --samples 2 -T 0.05' '600|iostats FORCE -b ptrace -f FILE true'
  '600|iostats FORCE -b ptrace --trace FILE true' '666|ns FORCE -c FILE')
"$PSUITE" trace -o events -x true > /dev/null 2>&1 &&
  writers+=('600|trace FORCE -o FILE -x true' '666|trace FORCE -o svg:FILE events' '666|trace FORCE -o html:FILE -x true')
"$PSUITE" kprof -o kernel -t 0.05 > /dev/null 2>&1 && writers+=('600|kprof FORCE -o FILE -t 0.05' '600|tprof FORCE -a -t 0.05 --record FILE')
[ "$(id -u)" != 0 ] || ! "$PSUITE" iostats -b fuse true 2> /dev/null || writers+=('600|iostats FORCE -b fuse -f FILE true')
ways=(nothing file empty symlink dangling hardlink directory fifo foreign_fifo foreign_link)

# put WAY: what stands at `there' before
put() {
  rm -rf there victim nowhere; echo precious > victim; chmod 644 victim
  case $1 in
    file) echo mine > there ;;
    empty) : > there ;;
    symlink) ln -s victim there ;;
    dangling) ln -s nowhere there ;;
    hardlink) ln victim there ;;
    directory) mkdir there ;;
    fifo) mkfifo there ;;
    foreign_fifo) mkfifo there && chown 65533 there ;;
    foreign_link) ln -s /dev/null there && chown -h 65533 there ;; # a device is not one of ours by another's link
  esac
}
# write WRITER [OPTION]: its status in $got
write() {
  local words=() word
  for word in ${1#*|}; do
    case $word in
      FORCE) [ -z "${2:-}" ] || words+=("$2") ;;
      FILE) [ "${words[0]}" != ns ] || word='cat #c/sysstat > there'; [ "${words[0]}" = ns ] || word=there; words+=("$word") ;;
      *FILE) words+=("${word%FILE}there") ;;
      prof) if [ ${#words[@]} = 0 ]; then words+=(prof); else words+=("$work/prof/prof_bushy"); fi ;;
      *) words+=("$word") ;;
    esac
  done
  got=0
  timeout 60 "$PSUITE" "${words[@]}" > out 2> err || got=$?
}
# victim_is_left WHAT: neither its bytes nor its mode have changed, and no dangling link was followed
victim_is_left() { text "$1: the victim is left" 'precious 644' "$(cat victim) $(stat -c %a victim)"; [ ! -e nowhere ] || fail "$1: a link to nowhere was followed"; }
is_new() { text "$1: a new file of mode $2" "regular file $2 1" "$(stat -c '%F %a %h' there)"; hasnt "$1: nothing of what was there" '^(mine|precious)$' there; }
# refuses WHAT: exit status 1 (trace -x: 126, as the command was not run), and it says what is in the way
refuses() { text "$1: is refused" 1 "${got/126/1}"; has "$1: says so" 'there: (File exists|Is a directory)' err; }

umask 0
for writer in "${writers[@]}"; do
  mode=${writer%%|*} name="${writer#*|}"
  for way in "${ways[@]}"; do
    case $way in foreign*) [ "$(id -u)" = 0 ] || { skip "$name: $way" 'only root has files of others'; continue; } ;; esac
    for asked in '' --force; do
      what="$name${asked:+, forced}: $way"
      put $way
      [ $way != fifo ] || { timeout 60 cat there > read & reader=$!; }
      write "$writer" $asked
      if [ $way = fifo ]; then
        text "$what: is written to" '0 fifo' "$got $(stat -c %F there)"
        wait $reader; ok "$what: and read" test -s read
      elif [ $way = nothing ] || { [ "$asked" ] && [ $way != directory ]; } || { [ $way = empty ] && [[ $name == iostats*-f\ FILE* ]]; }; then
        text "$what: exit status" 0 "$got"
        is_new "$what" $mode
      else
        refuses "$what"
      fi
      victim_is_left "$what"
    done
  done
done

# --- -d: an earlier log is replaced, as Plan 9 does it; by a new file, so that another name of it stays
for way in log symlink hardlink other; do
  rm -rf iostats.out earlier
  case $way in
    log) "$PSUITE" iostats -b ptrace -d cat /etc/passwd > /dev/null 2> err ;;
    symlink) "$PSUITE" iostats -b ptrace -f earlier true 2> err; ln -s earlier iostats.out ;;
    hardlink) "$PSUITE" iostats -b ptrace -f earlier true 2> err; ln earlier iostats.out ;;
    other) echo 'not a log' > iostats.out ;;
  esac
  [ ! -e earlier ] || cp earlier before
  got=0; "$PSUITE" iostats -b ptrace -d true 2> err || got=$?
  if [ $way = other ]; then
    text "-d: another file: is refused" 1 $got
    has "-d: another file: says how" '^iostats: hint: use --force to overwrite it$' err
    text "-d: another file: is left" 'not a log' "$(cat iostats.out)"
  else
    text "-d, $way: exit status" 0 $got
    text "-d, $way: a new file" 'regular file 600 1' "$(stat -c '%F %a %h' iostats.out)"
    hasnt "-d, $way: nothing of the earlier" passwd iostats.out
    [ ! -e earlier ] || same "-d, $way: the earlier is left" before earlier
  fi
done

# --- a pipe that the shell makes, and standard output by its name
"$PSUITE" tprof -q -o folded:/dev/stdout samples > out 2> err; ok '/dev/stdout' test -s out
echo before > out; "$PSUITE" tprof -f -q -o folded:/dev/stdout samples >> out 2> err; text '/dev/stdout: what is there stays' before "$(head -1 out)"
ok '/dev/stdout: and is there' test -h /dev/stdout
"$PSUITE" tprof -q -o folded:/dev/stdout samples 2> err | cat > out; ok '/dev/stdout, a pipe' test -s out
rm out; "$PSUITE" tprof -q -o folded:>(cat > out) samples 2> err; wait $!; ok 'a pipe of the shell' test -s out
finish
