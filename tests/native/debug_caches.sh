#!/bin/bash
# Debug files in the caches of other tools: a stripped program has its names and lines by each of them, and by no other user's.
. lib/check.sh
for tool in gcc strip objcopy readelf; do command -v $tool > /dev/null || { skip 'debug caches' "no $tool"; finish; }; done
unset DEBUGINFOD_CACHE_PATH XDG_CACHE_HOME
cd "$scratch" || exit
mkdir src bin home
cat > src/prog.c <<'C'
static volatile unsigned long sum;
static __attribute__((noinline)) void add_up(void) { for (unsigned long i = 0; i < 50000000; i++) sum += i; }
int main(void) { add_up(); return sum == 0; }
C
gcc -g -O1 -Wl,--build-id=0x0badc0de01234567 src/prog.c -o prog
address=$(nm prog | awk '$3 == "add_up" { print $1 }')
objcopy --only-keep-debug prog only.debug
strip prog -o bin/prog

# looks [VARIABLE=VALUE...]: what sym says of add_up in the stripped program; out and err
looks() { env HOME="$scratch/home" "$@" "$PSUITE" sym ./bin/prog "$address" > out 2> err; }
# finds WHAT FILE [VARIABLE=VALUE...]: it has names and lines when FILE is the debug file, and none without it
finds() {
  local what=$1 file=$2; shift 2
  looks "$@"; hasnt "$what: none without it" 'add_up' out
  mkdir -p "$(dirname "$file")"; cp "${from:-only.debug}" "$file"
  looks "$@"; has "$what" 'add_up.* at .*prog\.c:2' out
}
id=0badc0de01234567
finds "debuginfod's cache at home" home/.cache/debuginfod_client/$id/debuginfo
rm -r home/.cache
finds "the user's caches" xdg/debuginfod_client/$id/debuginfo XDG_CACHE_HOME="$scratch/xdg"
finds 'the cache that a variable names' named/$id/debuginfo DEBUGINFOD_CACHE_PATH="$scratch/named"
looks DEBUGINFOD_CACHE_PATH="$scratch/none" XDG_CACHE_HOME="$scratch/xdg"
hasnt 'which is the only one then' add_up out
perfs=home/.debug/.build-id/0b/adc0de01234567
finds "perf's cache, a debug file" $perfs/debug
rm -r home/.debug
from=prog finds "perf's cache, a program that is not stripped" $perfs/elf
looks; text 'nothing is warned of' '' "$(cat err)"
status 'directories that the user names are the only ones' 0 env HOME="$scratch/home" "$PSUITE" sym --debug-dir=none ./bin/prog "$address"
hasnt 'nothing is found' add_up "$scratch/out"

# --- a file of another build, or of another user
gcc -g -O1 -Dadd_up=other -Wl,--build-id=0x0badc0de00000000 src/prog.c -o other
cp other $perfs/elf
looks; has 'another build is not used' "$perfs/elf is from another build .*: not used" err
cp prog $perfs/elf
if [ "$(id -u)" = 0 ]; then
  chown 65534 $perfs/elf
  looks; hasnt "another user's file is not used" add_up out
  has 'and named' "$perfs/elf: belongs to another user: not used" err
  chown 0 $perfs/elf
else
  skip "another user's file" 'not root'
fi

# --- a recording whose program is gone
status 'a recording' 0 env HOME="$scratch/none" "$PSUITE" tprof -q --record rec -x ./bin/prog
rm bin/prog
status 'without the cache' 0 env HOME="$scratch/none" "$PSUITE" tprof rec
hasnt 'no name' add_up "$scratch/out"
status 'with it' 0 env HOME="$scratch/home" "$PSUITE" tprof rec
has 'names' add_up "$scratch/out"
if [ "$(id -u)" = 0 ]; then
  chown 65534 $perfs/elf
  status "with another user's" 0 env HOME="$scratch/home" "$PSUITE" tprof rec
  hasnt 'none of it' add_up "$scratch/out"
fi
finish
