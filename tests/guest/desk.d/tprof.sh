# A board's recordings at the desk: the same words, by what was copied from the board, and by the bundle alone.
. "$TESTS/lib/check.sh"
from=$SHARE/tprof
[ -e "$from/everything" ] || { skip 'a recording from the board' 'none came'; finish; }
mkdir "$scratch/none" # this machine's own debug files may fit an amd64 board's library
for of in '' p l; do
  case $of in '') view= ;; p) view=--by-process ;; l) view=-l ;; esac
  with=($view --debug-dir "$scratch/none")
  status "its files below a sysroot${of:+: $view}" 0 "$PSUITE" tprof "${with[@]}" --sysroot "$from/root" "$from/everything"
  same 'the same as on the board' "$from/everything${of:+.$of}.report" "$scratch/out"
  status "its bundle${of:+: $view}" 0 "$PSUITE" tprof "${with[@]}" "$from/bundle"
  same 'the same as on the board' "$from/everything${of:+.$of}.report" "$scratch/out"
done
if [ -e "$from/slices" ]; then
  status 'chains from slices of the stack' 0 "$PSUITE" tprof -g --debug-dir "$scratch/none" "$from/slices"
  same 'the same as on the board' "$from/slices.report" "$scratch/out"
  # None where no sample was in the first or last instructions of a function.
  by_code=$("$PSUITE" tprof -g --json --debug-dir "$scratch/none" "$from/slices" | grep -o '"by_code":[0-9]*') by_code=${by_code#*:}
  text "the last line counts frames found by code" "$([ "$by_code" = 0 ] || echo "$by_code with a frame found by its code")" \
    "$(grep -o '[0-9]* with a frame found by its code' "$scratch/out")"
fi

# By build-id, as a folder of debug files has them.
ids() { "$PSUITE" tprof --json "$from/everything" | grep -o '"path":"/[^"]*","build_id":"[^"]*"' | sed 's/"path":"//; s/","build_id":"/ /; s/"$//'; }
while read -r path id; do
  [ -n "$id" ] && [ -e "$from/root$path" ] || continue
  mkdir -p "$scratch/debug/.build-id/${id:0:2}"
  cp "$from/root$path" "$scratch/debug/.build-id/${id:0:2}/${id:2}.debug"
done < <(ids)
if [ -d "$scratch/debug" ]; then
  status 'its files by build-id' 0 "$PSUITE" tprof --debug-dir "$scratch/debug" "$from/everything"
  has 'a library has its names' 'share_two \[libshare_two\.so\]$' "$scratch/out"
else
  skip 'its files by build-id' 'they have none'
fi
finish
