# Whatever writes a file, on a disk that gets full in the middle: psuite and the command live, the loss is reported, exit status
# 1. What is written while something runs (recordings, logs) is kept and can be read up to there; any other file is removed.
# Generated: each writer with each limit on file sizes, each quota, on each small disk, and on /dev/full.
if [ "$(id -u)" = 0 ] && [ -z "${own_mounts:-}" ] && unshare -m true 2> /dev/null; then exec env own_mounts=1 unshare -m bash "$0" "$@"; fi
. lib/check.sh
: "${WORK:=$TESTS/../build/work}"
work=$(cd "$WORK" && pwd)
cd "$scratch" || exit
umask 022
spin='i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; echo lived >&2'

# --- what is written from recordings
"$PSUITE" tprof -q -g --record samples -x sh -c "$spin" 2> /dev/null || fail 'a recording of samples'
"$PSUITE" trace -o events -x sh -c 'true; true' > /dev/null 2>&1 || skip 'drawings of trace' 'no events can be had here'
mkdir calls && (cd calls && "$work/prof/prof_bushy" 8 > /dev/null) && calls=$(ls calls/prof.*)
"$PSUITE" stats --record ticks --samples 3 -T 0.1 > /dev/null

writers=()
formats=$(sed -n 's/^WRITER(\([a-z]*\),.*/\1/p' "$SOURCE/src/core/export/writers.def")
for format in $formats; do
  writers+=("document|tprof -q -o $format:FILE samples" "document|prof -q -o $format:FILE prof $calls")
done
writers+=('document|tprof -o FILE samples' 'document|tprof --json -o FILE samples' "document|prof --v1 FILE prof $calls"
  'document|time -o FILE true' 'document|time --json -o FILE true' 'printed|tprof --json samples' 'printed|tprof -q -o folded:- samples'
  "printed|prof --json prof $calls" 'printed|stats --replay ticks --json' 'printed|time --json -o - true' 'printed|doctor --json')
if [ -s events ]; then
  for format in html svg chrome; do writers+=("document|trace -o $format:FILE events"); done
  writers+=('printed|trace --json events' "stream|trace -o FILE -x sh -c LIVED")
fi
# --- what is written while something runs
writers+=('stream|tprof --record FILE -F 2000 -g -x sh -c LIVED' 'stream|stats --record FILE --samples 3 -T 0.05'
  'stream|iostats -b ptrace -f FILE sh -c LIVED' 'stream|iostats -b ptrace --trace FILE sh -c LIVED')
if [ "$(id -u)" = 0 ]; then
  "$PSUITE" iostats -b fuse true 2> /dev/null && writers+=('stream|iostats -b fuse -f FILE sh -c LIVED' 'stream|iostats -b fuse --trace FILE sh -c LIVED')
  "$PSUITE" iostats -b 9p true 2> /dev/null && writers+=('stream|iostats -b 9p -f FILE sh -c LIVED')
fi
spins='for i in 1 2 3 4 5 6 7 8 9; do cat /etc/passwd > /dev/null; done; echo lived >&2'

# write WRITER FILE [PREFIX...]: runs it by PREFIX; its status is in $got, what it said in said
write() {
  local words=() word kind=${1%%|*} to=$2; shift 2
  for word in ${writer#*|}; do
    case $word in LIVED) word=$spins ;; *FILE) word=${word%FILE}$to ;; prof) [ ${#words[@]} = 0 ] || word=$work/prof/prof_bushy ;; esac
    words+=("$word")
  done
  [ "$kind" = printed ] || to=/dev/null
  { "$@" timeout 120 "$PSUITE" "${words[@]}" 2>&1 >> "$to"; echo "status $?"; } | cat > said
  got=$(sed -n 's/^status //p' said)
}
# read_back FILE: what reads such a file ends in order, whatever is in it
read_back() {
  case $writer in *tprof*) set -- tprof "$1" ;; *trace\ *) set -- trace --summary "$1" ;; *stats\ --record*) set -- stats --once --replay "$1" ;; *) return ;; esac
  timeout 60 "$PSUITE" "$@" > /dev/null 2> complaint
  case $? in 0 | 1) pass "$what: is read" ;; *) fail "$what: is read" "status $?" "$(head -3 complaint)" ;; esac
}
# lost WHY FILE: what must be so after a write that came to no end
lost() {
  text "$what: exit status" 1 "$got"
  has "$what: says why" "$1" said
  case $writer in *LIVED) has "$what: the command went on" '^lived$' said ;; esac
  case $writer in
    document*) if [ -e "$2" ]; then fail "$what: is removed" "$(ls -l "$2")"; else pass "$what: is removed"; fi ;;
    stream*) if [ -e "$2" ]; then read_back "$2"; else fail "$what: is kept"; fi ;;
  esac
}

for writer in "${writers[@]}"; do
  rm -f whole; what="${writer#*|}"
  write "$writer" whole
  if [ "$got" != 0 ]; then fail "$what: with space enough" "$(head -5 said)"; continue; fi
  size=$(wc -c < whole)
  for limit in 0 1 $((size / 3)) $((size / 2)); do
    what="${writer#*|}: a limit of $limit bytes" && rm -f cut
    write "$writer" cut prlimit --fsize=$limit:
    if [ "$got" = 0 ] && [ $limit -gt 1 ]; then case $writer in *LIVED | *record*) pass "$what: it is short this time"; continue ;; esac; fi
    lost 'File too large' cut
    [ ! -e cut ] || holds "$what: no longer than that" "$(wc -c < cut) <= $limit"
  done
  what="${writer#*|}: /dev/full"
  write "$writer" /dev/full
  text "$what: exit status" 1 "$got"
  has "$what: says why" 'No space left on device' said
  case $writer in *LIVED) has "$what: the command went on" '^lived$' said ;; esac
done

# --- a warning behind the report does not change the reason
strip -o nameless "$work/burn"
"$PSUITE" tprof -q --record nameless.samples -x ./nameless 200 > /dev/null 2>&1
"$PSUITE" tprof nameless.samples > /dev/full 2> said
has 'a warning' 'of the samples are in functions without names' said
has 'and why the report was not written' '^tprof: standard output: No space left on device$' said

# --- quotas: a write fails with EDQUOT, which is no other path only as long as nobody makes it one
mkdir below; below=$(pwd -P)/below
"$work/quota" "$below" 1 true; case $? in
  0)
    for writer in "${writers[@]}"; do
      rm -f below/whole; what="${writer#*|}: a quota that is not reached"
      write "$writer" below/whole "$work/quota" "$below" 1000000000
      text "$what" 0 "$got"
      size=$(wc -c < below/whole)
      for limit in 0 $((size / 2)); do
        what="${writer#*|}: a quota of $limit bytes" && rm -f below/cut
        write "$writer" below/cut "$work/quota" "$below" $limit
        if [ "$got" = 0 ] && [ $limit -gt 0 ]; then case $writer in *LIVED | *record*) pass "$what: it is short this time"; continue ;; esac; fi
        lost 'Disk quota exceeded' below/cut
        [ ! -e below/cut ] || holds "$what: no longer than that" "$(wc -c < below/cut) <= $limit"
      done
    done ;;
  77) skip 'quotas' 'the kernel has no notifications of seccomp' ;;
  *) fail 'a quota' ;;
esac

# --- disks
fits() {
  case $writer in *LIVED | *record* | *time*) pass "$what: it is enough" ;; # another time it is another one
    *) write "$writer" again; ok "$what: it is whole" cmp again disk/cut; rm -f again ;; esac
}
disk() {
  what="${writer#*|}: a disk of $1 KB"
  mount -t tmpfs -o size="$1k" none disk || { fail "$what: is mounted"; return; }
  head -c $(($1 * 1024 - 4096)) /dev/zero > disk/other
  write "$writer" disk/cut
  if [ "$got" = 0 ]; then fits; else lost 'No space left on device' disk/cut; fi
  umount disk
}
mkdir disk
if [ -z "${own_mounts:-}" ]; then skip 'disks that get full' 'root can mount them'
else
  for writer in "${writers[@]}"; do for kb in 4 8 16; do disk $kb; done; done
fi
finish
