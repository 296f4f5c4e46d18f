#!/bin/bash
# tprof by control group: two groups of known CPU time, as perf has them of the same work.
. lib/check.sh
. lib/perf.sh
. lib/report.sh
. lib/cputime.sh
: "${WORK:=$TESTS/../build/work}"
if [ -z "${CGROUPS-}" ]; then
  # The hierarchy is mounted for this test alone; its groups are removed at the end.
  if ! unshare -m sh -c 'mount -t cgroup2 none "$1" && mkdir "$1/psuite-test.$2" && rmdir "$1/psuite-test.$2"' sh "$scratch" $$ 2>"$scratch/err"; then
    skip 'two control groups' "none can be made: $(head -1 "$scratch/err")"; finish
  fi
  mkdir "$scratch/groups"
  CGROUPS=$scratch/groups exec unshare -m bash native/tprof_cgroups.sh
fi
mount -t cgroup2 none "$CGROUPS" || exit
name=psuite-test.$$ top=$CGROUPS/psuite-test.$$
mkdir "$top" "$top/long" "$top/short" || exit
trap 'rmdir "$top/long" "$top/short" "$top"; umount "$CGROUPS"; rm -rf "$scratch" "${CGROUPS%/*}"' EXIT
cd "$scratch" || exit
perf_event_cgroup_works() { perf record -q -N -B --all-cgroups -e cpu-clock:u -o probe.data true 2>/dev/null; }
# One process of 600 ms, and 20 of 10 ms that nobody can ask when they have ended.
cat > work <<'END_OF_WORK'
sh -c 'echo $$ > "$1/long/cgroup.procs"; exec "$2" 600' sh "$1" "$2"
sh -c 'echo $$ > "$1/short/cgroup.procs"; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "$2" 10; done' sh "$1" "$2"
END_OF_WORK
status 'a recording' 0 "$PSUITE" tprof -q --record rec -x sh work "$top" "$WORK/burn"
status 'by control group' 0 "$PSUITE" tprof --group-by cgroup rec
has 'a table of the long one' "^cgroup /$name/long: " "$scratch/out"
status 'in JSON' 0 "$PSUITE" tprof --group-by cgroup --json rec
cp "$scratch/out" json
text 'threads are groups' cgroup "$(value json "d['threads_are']")"
status 'in folded stacks' 0 "$PSUITE" tprof --group-by cgroup -q -o folded:folded rec
# group_share GROUP [FUNCTION]: of both groups' samples, of those in the function, in percent. What it takes to start the short ones is no
# part of the known work.
group_share() { awk -v all="/$name/" -v group="/$name/$1" -v last=";${2:-}" 'function is_last() { return last == ";" || $0 ~ (last " [0-9]+$") } !is_last() { next } index($0, all) { sum += $NF } index($0, group) { own += $NF } END { printf "%.1f", sum ? 100 * own / sum : 0 }' folded; }
all() { awk -v all="/$name/" '{ sum += $NF } index($0, all) { own += $NF } END { printf "%.1f", 100 * own / sum }' folded; }
ours=$(group_share long burn)
# 800 samples, of which 4 sigma are 6 points; the short ones also work a little longer, 20 times.
holds "75% of it is the long one's: $ours" "($ours - 75) ^ 2 < 8 ^ 2"
holds "nearly all is in a group: $(all)%" "$(all) > 95"

# One that goes into its group while it works, without an exec: it was asked for its group before, but its samples know better.
if perf_event_cgroup_works; then
  cat > moves <<'END_OF_WORK'
i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done
echo $$ > "$1/long/cgroup.procs"
i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done
END_OF_WORK
  status 'a process that moves' 0 "$PSUITE" tprof -q -f --record moved -x sh moves "$top"
  status 'its group' 0 "$PSUITE" tprof --group-by cgroup moved
  has 'is the one where it is' "^cgroup /$name/long: (9[5-9]|100)" "$scratch/out"
else
  skip 'a process that moves' 'no control groups in samples: CONFIG_CGROUP_PERF, Linux 5.7'
fi

# --- without a recording, and in one of the last seconds
status 'at once' 0 "$PSUITE" tprof --group-by cgroup -f -o folded:folded -x sh work "$top" "$WORK/burn"
has 'a table' "^cgroup /$name/long: " "$scratch/err"
now=$(group_share long burn)
holds "75% of it: $now" "($now - 75) ^ 2 < 8 ^ 2"
# holds_all WHAT OPTION...: of all processes, while the work starts and ends
holds_all() {
  status "$1" 0 ${samples:-"$PSUITE"} tprof -a "${@:2}"
  local group
  for group in long short; do ok "has /$name/$group" grep -q "^cgroup /$name/$group: " "$scratch/out" "$scratch/err"; done
}
if "$PSUITE" tprof -a -t 0.1 >/dev/null 2>"$scratch/err"; then
  holds_all 'everything while a command runs' --group-by cgroup -- sh work "$top" "$WORK/burn"
  all_work() { sh "$scratch/work" "$top" "$WORK/burn"; }
  samples_work() { sampled_while all_work 0 "$PSUITE" "$@"; }
  samples=samples_work holds_all 'everything until ^C' -t 600 --group-by cgroup
  holds_all 'of the last seconds' --keep 60s --record kept --group-by cgroup -x sh work "$top" "$WORK/burn"
  # All but the shell that started them have ended when the file is written.
  status 'the file' 0 "$PSUITE" tprof --group-by cgroup -f -q -o folded:folded kept
  kept=$(group_share long burn)
  holds "has the groups of processes that had ended: $kept%" "($kept - 75) ^ 2 < 10 ^ 2"
else
  skip 'all processes' "$(head -1 "$scratch/err")"
fi

# --- perf has them from the kernel
if perf record -q -N -B --all-cgroups -e cpu-clock:u -F 997 -o perf.data sh work "$top" "$WORK/burn" 2>perf.err &&
   perf report -i perf.data -s cgroup --stdio 2>/dev/null > perf.out; then
  theirs=$(awk -v all="/$name/" -v group="/$name/long" 'index($2, all) { sum += $1 } $2 == group { own = $1 } END { print sum ? 100 * own / sum : 0 }' perf.out)
  # Another run has other shares on a busy machine. Of perf's own file both have the same samples.
  status "perf's file" 0 "$PSUITE" tprof --group-by cgroup --rows 1 perf.data
  grep -o '/[^ ]*: *[0-9.]*%$' "$scratch/out" | sed 's/: */ /; s/%//' | sort > ours.pct
  awk '$1 ~ /^[0-9.]+%$/ { printf "%s %.1f\n", $2, $1 }' perf.out | sort > theirs.pct
  ok 'has both groups' [ "$(wc -l < ours.pct)" -ge 2 ]
  text 'of the shares that perf reports, rounded' '' "$(join ours.pct theirs.pct | awk '($2 - $3) ^ 2 > 0.11 ^ 2')$(join -v 1 -v 2 ours.pct theirs.pct)"
  status 'as a recording of ours' 0 "$PSUITE" tprof -q --record perf.rec perf.data
  status 'by control group' 0 "$PSUITE" tprof --group-by cgroup -f -q -o folded:folded perf.rec
  again=$(group_share long)
  holds "$again% again" "($again - $theirs) ^ 2 < 1.5 ^ 2"
else
  skip "perf's control groups" "perf cannot record them: $(head -1 perf.err)"
fi
finish
