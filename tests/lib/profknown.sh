# profknown.sh: programs of tests/work/prof, run and compared with their word. bash and busybox sh; the one who sources it
# has text, pass and fail (check.sh, the guest's inside.sh) and sets prof_scratch, prof_dump and prof_compare.

# record NAME PROGRAM [ARGUMENT...]: runs it, for five minutes at most, in a folder of its own, $prof_scratch/run; said, complaint are beside that
record() {
  name=$1 got=0; shift
  rm -rf "$prof_scratch/run"; mkdir "$prof_scratch/run"
  (cd "$prof_scratch/run" && exec timeout 300 "$@") > "$prof_scratch/said" 2> "$prof_scratch/complaint" || got=$?
  text "$name: its status" "$(awk '$1 == "status" { s = $2 } END { print s + 0 }' "$prof_scratch/said")" "$got"
}
# compare FILE...: what the program said against what the files hold
compare() {
  for file; do
    "$prof_dump" -t "$file" > "$prof_scratch/tree" 2>&1 && "$prof_dump" "$file" > "$prof_scratch/calls" ||
      { fail "$name: $file is whole" "$(tail -1 "$prof_scratch/tree")"; return; }
    grep '^[0-9]' "$prof_scratch/tree"
    cat "$prof_scratch/calls"
  done > "$prof_scratch/dump"
  text "$name: calls are as the program says" '' "$(awk -f "$prof_compare" "$prof_scratch/dump" "$prof_scratch/said")"
}
# known NAME PROGRAM [ARGUMENT...]: all of it; nothing is complained of
known() {
  record "$@"
  compare "$prof_scratch"/run/prof.*
  text "$name: without a word" '' "$(cat "$prof_scratch/complaint")"
}
# complains PATTERN: of the program that was recorded
complains() { if grep -Eq -- "$1" "$prof_scratch/complaint"; then pass "$name: says so"; else fail "$name: says so" "no line matches: $1" "$(cat "$prof_scratch/complaint")"; fi; }

# survives VARIANT: all that a program may do or suffer, by the programs $programs/prof_*VARIANT. threads, us: how many
# threads come and go, how often signals come; deep, bushy: how deep a chain and a tree of calls get, where not as ever.
survives() { survives_calls "$1"; survives_nodes "$1"; survives_files "$1"; }

# What it may do.
survives_calls() {
  survives_code "$1"
  for how in exit _exit abort segv kill group; do known "ends by $how$v" "$programs/prof_ends$v" $how; done
  known "fork$v" "$programs/prof_forks$v"
  record "fork, recorded$v" env PROFFORK=1 "$programs/prof_forks$v" child
  text "$name: a file each" 2 "$(ls "$prof_scratch"/run/prof.* | wc -l)"
  compare "$(ls "$prof_scratch"/run/prof.* | sort -t. -k2n | tail -1)"
  known "posix_spawn and exec$v" "$programs/prof_spawns$v"
  known "stop and start$v" "$programs/prof_switched$v"
  known "a daemon$v" "$programs/prof_daemon$v"
  unloads
}

# Of that, what takes other code on each processor and in each instruction set.
survives_code() {
  v=$1
  for type in elapsed kernel user sample count adaptive; do
    proftype=$type known "basic$v, $type" "$programs/prof_basic$v"
  done
  known "a million frames$v" "$programs/prof_deep$v" ${deep:-}
  known "longjmp$v" "$programs/prof_jumps$v"
  [ ! -x "$programs/prof_throws$v" ] || known "exceptions$v" "$programs/prof_throws$v"
  known "signals$v" "$programs/prof_signals$v" n $us
  known "signals on a stack of their own$v" "$programs/prof_signals$v" a $us
  proftype=count known "signals, counts$v" "$programs/prof_signals$v" n $us
  proftype=adaptive known "signals, adaptive$v" "$programs/prof_signals$v" n $us
  known "threads$v" "$programs/prof_threads$v" 3
  known "threads cancelled before their first call$v" "$programs/prof_cancels_early$v"
  known "$threads threads come and go$v" "$programs/prof_crowds$v" $threads
  known "threads cancelled in the midst of calls$v" "$programs/prof_cancels$v"
  known "contexts$v" "$programs/prof_contexts$v"
}

unloads() {
  [ -x "$programs/prof_loads$v" ] || return 0
  known "dlclose and dlopen$v" "$programs/prof_loads$v"
  if grep -q '^same_address [1-9]' "$prof_scratch/said"; then pass "$name: at the same address"; else fail "$name: at the same address" "$(cat "$prof_scratch/said")"; fi
}

# What another way of linking might change: symbols that are found elsewhere, and thread-local storage.
survives_linking() {
  v=$1
  for type in elapsed count; do proftype=$type known "basic$v, $type" "$programs/prof_basic$v"; done
  known "longjmp$v" "$programs/prof_jumps$v"
  known "threads$v" "$programs/prof_threads$v" 3
  known "fork$v" "$programs/prof_forks$v"
  known "posix_spawn and exec$v" "$programs/prof_spawns$v"
  unloads
}

# Trees of calls that are large, or have more nodes than the file has room for.
survives_nodes() {
  v=$1
  known "many nodes$v" "$programs/prof_bushy$v" ${bushy:-}
  for nodes in 1 2 100 5000; do
    profsize=$nodes record "$nodes nodes$v" "$programs/prof_bushy$v" ${bushy:-}
    complains '^[1-9][0-9]* Prof errors$'
    [ $nodes = 1 ] || compare "$prof_scratch"/run/prof.* # 1 is the root's
  done
}

# What may come in the way of its file.
survives_files() {
  v=$1
  mkdir -p "$prof_scratch/elsewhere"
  for dir in "$prof_scratch/elsewhere" ../elsewhere; do
    rm -f "$prof_scratch"/elsewhere/*
    profdir=$dir record "profdir $dir$v" "$programs/prof_funcs$v"
    compare "$prof_scratch"/elsewhere/prof.*
    text "$name: nothing here" '' "$(ls "$prof_scratch/run")"
  done

  # No file: the program runs as ever.
  profdir=$prof_scratch/none record "no such folder$v" "$programs/prof_funcs$v"
  complains '^psprof: prof\.[0-9]+: No such file or directory$'
  record "an older file$v" sh -c 'echo mine > prof.$$; exec "$1"' sh "$programs/prof_funcs$v"
  text "$name: is left" mine "$(cat "$prof_scratch"/run/prof.*[!-]?)"
  compare "$prof_scratch"/run/prof.*-1
  record "a link to nowhere$v" sh -c 'ln -s victim prof.$$; exec "$1"' sh "$programs/prof_funcs$v"
  text "$name: is not followed" '' "$(ls "$prof_scratch/run" | grep victim)"
  compare "$prof_scratch"/run/prof.*-1
  record "a hundred older files$v" sh -c 'echo mine > prof.$$; i=0; while [ $((i += 1)) -le 99 ]; do echo mine > prof.$$-$i; done; exec "$1"' sh "$programs/prof_funcs$v"
  complains '^psprof: prof\.[0-9]+-99: File exists$'
  umask 0
  record "a umask of 0$v" "$programs/prof_funcs$v"
  umask 022
  text "$name: the file is its user's alone" 0 "$(find "$prof_scratch/run" -perm /077 -name 'prof.*' | wc -l | tr -d ' ')"
  survives_limits
  [ "$(id -u)" != 0 ] || survives_as_root
}

# RLIMIT_FSIZE is a full disk, whatever the program does about SIGXFSZ, and whenever the limit changes. 16 KB are the least
# that a file takes; with none at all not even the complaint can be written. Shells count in blocks of 512 bytes or in KB.
survives_limits() {
  block=$(cd "$prof_scratch" && sh -c 'trap "" XFSZ; ulimit -S -f 1; dd if=/dev/zero of=block bs=2048 count=1 2> /dev/null; wc -c < block')
  for how in default handler ignored pending own default:8 handler:8; do
    for kb in 0 1 15 16 17 64 1024; do
      record "a limit of $kb KB, $how$v" sh -c 'ulimit -S -f "$1"; shift; exec "$@"' sh $((kb * 1024 / block)) "$programs/prof_limits$v" $(echo $how | tr : ' ')
      if [ $kb -ge 16 ]; then
        compare "$prof_scratch"/run/prof.*
      else
        text "$name: no file" '' "$(ls "$prof_scratch/run")"
        [ $kb = 0 ] || complains '^psprof: prof\.[0-9]+: File too large$'
      fi
    done
  done
}

# What only root can arrange: other users, a full disk, a disk that is read-only.
survives_as_root() {
  small=$prof_scratch/small
  mkdir -p "$small"
  if mount -t tmpfs -o size=256k none "$small" 2> /dev/null; then
    profdir=$small record "a full disk$v" "$programs/prof_bushy$v" ${bushy:-}
    complains '^[1-9][0-9]* Prof errors$'
    compare "$small"/prof.*
    rm "$small"/prof.*
    dd if=/dev/zero of="$small/full" bs=4096 count=64 2> /dev/null
    profdir=$small record "a disk full from the start$v" "$programs/prof_funcs$v"
    complains '^psprof: prof\.[0-9]+: No space left on device$'
    text "$name: nothing is left" full "$(ls "$small")"
    mount -o remount,ro "$small"
    profdir=$small record "a read-only disk$v" "$programs/prof_funcs$v"
    complains '^psprof: prof\.[0-9]+: Read-only file system$'
    umount "$small"
  else
    skip "a full disk$v" 'nothing can be mounted here'
  fi
  [ "$v" = -so ] || survives_as_others
}
# The program is another user's, and not to be read.
survives_as_others() {
  users=$prof_scratch/users
  rm -rf "$users"; mkdir -m 777 "$users"; chmod 711 "$prof_scratch"
  cp "$programs/prof_funcs$v" "$users/secret"
  if awk '$2 == "/tmp" && $4 ~ /nosuid/ { found = 1 } END { exit !found }' /proc/mounts; then
    skip "set-uid$v" '/tmp is mounted nosuid'
  else
    chown 65533 "$users/secret"; chmod 4711 "$users/secret"
    record "set-uid$v" "$users/secret"
    text "$name: is not recorded, without a word" '' "$(ls "$prof_scratch/run"; cat "$prof_scratch/complaint")"
  fi
  if setpriv --version > /dev/null 2>&1; then
    chown 0 "$users/secret"; chmod 711 "$users/secret"
    profdir=$users record "a program that may not be read$v" setpriv --reuid 65532 --clear-groups "$users/secret"
    rm "$users/secret"; cp "$programs/prof_funcs$v" "$users/secret" # where profdump looks for names
    compare "$users"/prof.*
    record "a folder of others$v" setpriv --reuid 65532 --clear-groups "$users/secret"
    complains '^psprof: prof\.[0-9]+: Permission denied$'
  else
    skip "a program that may not be read$v" 'no setpriv'
  fi
}

# killed VARIANT TIMES SEED: at random instants; $prof_kill is tests/tools/linux/profkill. Every file that was begun is
# whole, has no fewer calls than were surely made and no more than were begun, and times that add up; prof shows it.
killed() {
  v=$1 times=$2 name="$2 kills$1" kept=0 early=0
  rm -rf "$prof_scratch/run"; mkdir "$prof_scratch/run"
  (cd "$prof_scratch/run" && "$prof_kill" $times $3 "$programs/prof_killed$v") > "$prof_scratch/kills" 2> "$prof_scratch/complaint"
  text "$name: they run" "$times " "$(wc -l < "$prof_scratch/kills" | tr -d ' ') $(cat "$prof_scratch/complaint")"
  while read -r pid done_ begun; do
    file=$prof_scratch/run/prof.$pid
    if [ ! -e "$file" ]; then
      [ "$begun" = 0 ] || echo "$pid: no file, and $begun calls"
    elif "$psuite" prof "$file" > "$prof_scratch/report" 2> "$prof_scratch/complaint"; then
      kept=$((kept + 1))
      "$prof_dump" "$file" | awk -v pid="$pid" -v d="$done_" -v b="$begun" '
        $2 == "step" { step = $3 } $2 == "counted" { counted = $3 } $1 == "type" { type = 1; for (i = 1; i < NF; i += 2) of[$i] = $(i + 1) }
        END {
          if (!type) print pid ": not whole"
          if (step < d || step > b) print pid ": step " step + 0 ", of " d " to " b
          if (counted < step) print pid ": counted " counted + 0 " and step " step
          if (of["odd_times"] + of["orphans"] + of["refused"] > 0) print pid ": odd times " of["odd_times"] ", orphans " of["orphans"]
        }'
      awk -v pid="$pid" 'NR > 1 && $1 + 0 > 100 { print pid ": over 100%: " $0 }' "$prof_scratch/report"
    elif grep -q ': empty: the program ended before recording began$' "$prof_scratch/complaint" && [ "$begun" = 0 ]; then
      early=$((early + 1))
    else
      echo "$pid: prof: $(head -1 "$prof_scratch/complaint")"
    fi
  done < "$prof_scratch/kills" > "$prof_scratch/wrong"
  text "$name: $kept files are whole, readable and consistent; $early before recording began" '' "$(head -20 "$prof_scratch/wrong")"
  if [ $kept -gt $((times / 2)) ]; then pass "$name: most of them ran"; else fail "$name: most of them ran" "$kept of $times"; fi
  rm -rf "$prof_scratch/run"
}
