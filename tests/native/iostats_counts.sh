# iostats by fuse beside strace -f -y of the same commands, in the folder they work in: as many messages as calls, and the same bytes of each file.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
[ "$(id -u)" = 0 ] || { skip 'counts by fuse' 'not root'; finish; }
"$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err" || { skip 'counts by fuse' "$(head -1 "$scratch/err")"; finish; }
need strace git sqlite3 gcc tar python3 || finish
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e
export GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z'

beside() { # beside WHAT PREPARE COMMAND: each in a fresh folder of the same name
  local what=$1 folder=$scratch/work/f message calls messages
  for way in strace fuse; do
    rm -rf "$scratch/work"; mkdir -p "$folder/tmp"
    (cd "$folder" && eval "$2") >"$scratch/prepared" 2>&1 || { fail "$what: prepared" "$(tail -3 "$scratch/prepared")"; return; }
    case $way in
      strace) (cd "$folder" && TMPDIR=$folder/tmp timeout 120 strace -f -y -s 4096 -o "$scratch/strace" sh -c "$3") >"$scratch/out" 2>&1 ;;
      fuse) (cd "$folder" && TMPDIR=$folder/tmp timeout 120 "$PSUITE" iostats -b fuse -f "$scratch/log" sh -c "$3") >"$scratch/out" 2>&1 ;;
    esac
    text "$what: $way" 0 $?
  done
  python3 "$TESTS/lib/iocounts.py" "$scratch/strace" "$scratch/log" "$folder" >"$scratch/counts"
  while read -r message calls messages; do
    [ "$message" = bytes ] || text "$what: $message" "$calls" "$messages"
  done <"$scratch/counts"
  text "$what: bytes of each file" '' "$(grep '^bytes' "$scratch/counts")"
  holds "$what: there was something to count" "$(awk '$1 == "read" || $1 == "opened-or-made" { n += $2 } END { print n + 0 }' "$scratch/counts") >= 5"
}
beside tar 'mkdir t; for i in 1 2 3 4 5 6 7 8 9; do head -c ${i}5000 /dev/zero >t/$i; done' 'tar cf o.tar t && mkdir x && tar xf o.tar -C x'
beside sqlite3 : 'sqlite3 d "create table t(a); insert into t values(1),(2); select sum(a) from t; update t set a = 3; vacuum"'
beside gcc 'printf "#include \"h.h\"\nint main(void) { return H; }\n" >c.c; echo "#define H 0" >h.h' 'gcc -O1 c.c -o c'
# Files as new as the index would be read again, or not, by the clock.
beside git 'echo one >a; mkdir b; echo two >b/c; touch -d 2020-01-01 a b/c' 'git init -q . && git add . && git commit -qm 1 && git rm -q a && git commit -qm 2 && git status --short && git log --oneline'
finish
