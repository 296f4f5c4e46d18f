# tprof -g where memory is short, and a program has more call chains than fit: what is rare loses its callers, not what comes late; a
# recording has all callers.
. lib/check.sh
. lib/need.sh
: "${WORK:=$TESTS/../build/work}"
need gcc || exit
# A libc that says: 64 MB.
cat > "$scratch/small.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
long sysconf(int name)
{
    long (*libc)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
    return name == _SC_PHYS_PAGES ? (64L << 20) / libc(_SC_PAGESIZE) : libc(name);
}
C
ok 'a libc of a small machine' gcc -shared -fPIC -o "$scratch/small.so" "$scratch/small.c"
small=(env LD_PRELOAD="$scratch/small.so")
if ! "${small[@]}" "$PSUITE" tprof -g -x true > /dev/null 2> "$scratch/err"; then
  skip 'rare chains' "$(head -1 "$scratch/err")"; finish
fi
left_out() { sed -nE 's/^callers of ([0-9]+) samples .* are left out: over ([0-9]+) different chains$/\1 \2/p' "$1"; }
# hot_share FOLDED: of all samples those with the callers of the chain that comes late
hot_share() { awk '{ n += $NF } /main;hot;.*spin / { hot += $NF } END { print n ? 100 * hot / n : 0 }' "$1"; }

status 'many chains, then one' 0 "${small[@]}" "$PSUITE" tprof -g -F 9999 -q -fo "$scratch/report" -o "folded:$scratch/folded" --record "$scratch/rec" \
  -x "$WORK/many_chains" 2500 800
read -r rare_ms hot_ms < "$scratch/out"
read -r without room < <(left_out "$scratch/report")
holds "callers of ${without:-0} samples are left out, over ${room:-0} chains" "${without:-0} > 1000 && ${room:-0} == 65536"
share=$(hot_share "$scratch/folded")
wanted=$(awk "BEGIN { print 100 * $hot_ms / ($rare_ms + $hot_ms) }")
holds "the late chain has its callers: $share% of $wanted" "$share > 0.85 * $wanted"

status 'the recording' 0 "$PSUITE" tprof -g -q -fo "$scratch/again" -o "folded:$scratch/folded" "$scratch/rec"
text 'lacks no callers' '' "$(left_out "$scratch/again")"
holds "has the late chain, too: $(hot_share "$scratch/folded")%" "$(hot_share "$scratch/folded") > 0.85 * $wanted"
has 'and the rare ones' 'main;rare;left;.*spin ' "$scratch/folded"
finish
