# Programs under the sanitizers, recorded. First as they are linked: libpsprof must not disturb the sanitizer's own stacks,
# jumps and threads. Then libpsprof itself under the thread sanitizer: threads write what is theirs, and no report is seen.
. lib/check.sh
. lib/profknown.sh
: "${SOURCE:=$TESTS/..}" "${WORK:=$TESTS/../build/work}"
prof_scratch=$scratch prof_compare=$TESTS/lib/profcompare.awk programs=$scratch/built
prof_dump=$(cd "$WORK/.." && pwd)/tests/profdump
hooks=$("$PSUITE" prof --cflags) libs=$("$PSUITE" prof --libs)
mkdir "$programs"

# built FLAGS PROGRAM...
built() {
  local flags=$1 of; shift
  for of; do ok "$of, $flags" gcc -O1 -g -w $flags $hooks "work/prof/$of.c" $libs -o "$programs/$of"; done
}
built -fsanitize=address,undefined basic jumps signals threads crowds contexts switched forks bushy
export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0
known 'asan: calls' "$programs/basic"
known 'asan: longjmp' "$programs/jumps"
known 'asan: signals' "$programs/signals" n 997
known 'asan: signals on their own stack' "$programs/signals" a 997
known 'asan: threads' "$programs/threads" 3
known 'asan: threads come and go' "$programs/crowds" 320
record 'asan: contexts' "$programs/contexts" # it says itself that it knows little of these
compare "$scratch"/run/prof.*
hasnt 'asan: contexts: no report' 'ERROR|runtime error' "$scratch/complaint"
known 'asan: stop and start' "$programs/switched"
known 'asan: fork' "$programs/forks"
known 'asan: many nodes' "$programs/bushy"
unset ASAN_OPTIONS

if ! echo 'int main(void) { return 0; }' | gcc -fsanitize=thread -xc - -o "$scratch/tsan" || ! "$scratch/tsan"; then
  skip 'the thread sanitizer' 'its programs do not run here'; finish
fi
built -fsanitize=thread basic threads crowds switched bushy
for of in basic 'threads 3' 'crowds 320' switched bushy; do known "tsan: $of" "$programs"/$of; done

# libpsprof compiled with the sanitizer: what of it two threads do at a time is seen. A thread's tree is given back before the
# sanitizer ends the thread for itself, as code that comes later has no state of its.
sed 's/LAST_ROUND = 4/LAST_ROUND = 2/' "$SOURCE/src/runtime/thread.c" > "$scratch/thread.c"
has 'a thread ends a round earlier' 'LAST_ROUND = 2' "$scratch/thread.c"
cpu=$(uname -m) sources=("$scratch/thread.c")
for source in "$SOURCE"/src/runtime/*.c "$SOURCE/src/runtime/$cpu"/*.c; do
  case $source in */thread.c | */wrap_shared.c | */wrap_static_catch.c) ;; *) sources+=("$source") ;; esac
done
wraps=$(echo "$libs" | grep -o -e '-Wl,--wrap=[a-z_]*' | grep -v cxa)
for of in threads crowds bushy; do
  ok "$of, the runtime instrumented" gcc -O1 -g -w -fsanitize=thread -D_GNU_SOURCE -I"$SOURCE/include" -I"$SOURCE/src/runtime" \
    -I"$SOURCE/src/runtime/$cpu" "${sources[@]}" -finstrument-functions -finstrument-functions-exclude-file-list="src/runtime,$scratch" "work/prof/$of.c" \
    $wraps -pthread -ldl -o "$programs/$of.all"
done
# A thread that was cancelled in pause() stays inside that call for the sanitizer, which sees none of its locks from then on:
# those of `threads' give their trees back so. Those of `crowds' do it in order.
echo race_top:rt_reuse_free > "$scratch/cancelled"
TSAN_OPTIONS="suppressions=$scratch/cancelled" known "tsan, the runtime too: threads.all 3" "$programs/threads.all" 3
for of in 'crowds.all 320' bushy.all; do known "tsan, the runtime too: $of" "$programs"/$of; done
finish
