# steps.sh: what ./dev prints of its steps, and the numbers it adds up. Its steps are small commands, its tests a file of ctest's.
. lib/check.sh
export top=$scratch/top
mkdir -p "$top/build/results"
printf 'skipped a part: no such kernel\n7 passed, 0 failed, 1 skipped\n' > "$top/build/results/native_a"
printf 'cpu 7\n3 passed, 2 failed, 0 skipped\n' > "$top/build/results/native_b"
printf '4 passed, 0 failed, 0 skipped\n' > "$top/build/results/native_crashed"
printf '1 passed, 0 failed, 0 skipped\n5 passed, 0 failed, 0 skipped\n' > "$top/build/results/guest_x"
tests() {
  echo '<testsuite>'
  printf '\t<testcase name="%s" classname="x" time="1.5" status="%s">\n' "$@"
  echo '</testsuite>'
}
all_tests() { tests native_a run native_b fail native_crashed fail guest_x run fuzz_elf run fuzz_cfi fail native_none notrun; }
all_tests > "$top/build/results.xml"

steps() { (. lib/steps.sh; steps_begin; eval "$1"; steps_end); }
status 'steps that pass' 0 steps 'step one ./one echo quiet; step two ./two true'
has 'a line a step' '^one +[0-9]+ s +[0-9]+ s of CPU$' "$scratch/out"
hasnt 'without what it printed' quiet "$scratch/out"
text 'no tests' '0 passed, 0 failed, 0 skipped' "$(tail -1 "$scratch/out")"
status 'a step that fails' 1 steps 'step one ./one true; step build ./alone sh -c "echo reason; exit 3" && step never ./never true'
has 'is marked' '^build +[0-9]+ s +[0-9]+ s of CPU  FAILED$' "$scratch/out"
has 'shows what it printed' '^reason$' "$scratch/out"
has 'and how it is run alone' '^alone: ./alone ' "$scratch/out"
hasnt 'what needs it is not run' '^never' "$scratch/out"
text 'is one failure' '0 passed, 1 failed, 0 skipped' "$(tail -1 "$scratch/out")"
ok 'its output is kept' grep -q reason "$top/build-log/build.log"

status 'a step that is busy' 1 steps "step busy ./busy sh -c 'ulimit -t 1; while :; do :; done'"
has 'has its CPU time' '^busy +[0-9]+ s +1 s of CPU  FAILED$' "$scratch/out"
has 'which all have, too' '^in all +[0-9]+ +1$' "$scratch/out"

status 'a step beside others' 1 steps 'late() { step_beside "by the way" sh -c "while [ ! -e $top/go ]; do sleep 0.01; done; exit 4"; }; beside late; step one ./one touch "$top/go"; step_end "by the way" ./way'
text 'has its line behind theirs' 'one|by the way|1' "$(sed -nE 's/^(.*[^ ]) +[0-9]+ s +[0-9]+ s of CPU.*$/\1/p' "$scratch/out" | paste -sd'|')|$(grep -c '^alone: ./way' "$scratch/out")"

status 'a busy step beside others' 1 steps 'busy() { step_beside busy sh -c "ulimit -t 1; while :; do :; done"; }; beside busy; step idle ./idle sleep 3; step_end busy ./busy'
has 'has its CPU time for itself' '^idle +[0-9]+ s +0 s of CPU$' "$scratch/out"

status 'a step that goes on when ./dev is ended' 143 timeout -s TERM --preserve-status 1 bash -c '. lib/steps.sh; steps_begin
  long() { step_beside long sh -c "echo \$\$ > $top/pid; exec sleep 60"; }; beside long; step short ./short sleep 30'
ended() { local _; for _ in {1..50}; do kill -0 "$1" 2>/dev/null || return 0; sleep 0.1; done; return 1; }
ok 'ends, too' ended "$(cat "$top/pid")"

status 'tests that fail' 1 steps 'step tests ./tests false; count_checks dev; step more ./more false'
has 'the numbers of a step' '^tests +[0-9]+ +[0-9]+ +21 +4 +2$' "$scratch/out"
text 'and of all, with a failure without a test' '21 passed, 5 failed, 2 skipped' "$(tail -1 "$scratch/out")"
has 'what was skipped, with its reason' '^  dev: native_a: a part: no such kernel$' "$scratch/out"
text 'what took most CPU time' '  dev: native_b 7' "$(grep -A1 '^most CPU time' "$scratch/out" | tail -1)"
has 'what was not run' '^  dev: native_none: it was not run$' "$scratch/out"
cat > "$scratch/ctest" <<'E'
Test project /x
    Start 1: a
1/3 Test #1: a ............   Passed    0.1 sec
    Start 2: b
    Start 3: c
2/3 Test #2: b ............***Failed    0.1 sec
FAILED the check
    at tests/native/b.sh:3

3/3 Test #3: c ............***Skipped   0.1 sec
of no interest
67% tests passed, 1 tests failed out of 3
E
status 'of tests' 1 steps "step tests ./tests sh -c 'cat $scratch/ctest; exit 8'"
has 'the failed one is shown' '^    at tests/native/b.sh:3$' "$scratch/out"
has 'with the command for it alone' "^alone: ctest --preset dev -R '\^b\\$'\$" "$scratch/out"
hasnt 'the others are not' 'Passed|no interest' "$scratch/out"
{
  echo 'Test project /x/build-armhf'
  echo '1/1 Test #1: long ............***Failed    0.1 sec'
  seq 200 | sed 's/^/noise /'
  printf 'FAILED late\n    where\nmore noise\n'
} > "$scratch/ctest"
status 'of a test that prints much, of another build' 1 steps "step tests ./tests sh -c 'cat $scratch/ctest; exit 8'"
text 'the failed checks are shown' 'FAILED late|    where' "$(grep -A1 '^FAILED' "$scratch/out" | paste -sd'|')"
hasnt 'and nothing else' noise "$scratch/out"
has 'with its build' "^alone: ctest --preset armhf -R '\^long\\$'\$" "$scratch/out"
{ sed 1,2d "$scratch/ctest" | grep -v '^FAILED\|^ '; } > "$scratch/noise"
{ echo 'Test project /x/build'; echo '1/1 Test #1: ended ............***Timeout    0.1 sec'; cat "$scratch/noise"; } > "$scratch/ctest"
status 'of a test that says nothing of a check' 1 steps "step tests ./tests sh -c 'cat $scratch/ctest; exit 8'"
text 'the last lines are shown' 'noise 122|more noise' "$(sed -n '/^noise/{p;q}' "$scratch/out")|$(grep -x 'more noise' "$scratch/out")"
status 'a step of some tests' 1 steps "check() { false; }; test_step native ours -L 'a|b'"
has 'is told as a shell reads it' "^alone: ctest --preset ours '-L' 'a\\|b' " "$scratch/out"
finish
