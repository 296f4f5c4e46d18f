# proftruth.sh: what prof says of a program against samples of the same build without hooks. Wants check.sh and sources.sh.
#   POINTS    how many percentage points a function may be off     SAMPLES   of the build without hooks, at least
#   LOAD=1    both times with a busy loop on each CPU              TRIES     rounds, of whose runs under prof the middle one counts
#   ALONE=1   adaptive alone is held to the bounds: without samples exact's times are off by what its probes cost (profsample=0)
#   OUTSIDE   how many of a program's twenty rows may be off by more than the error that prof shows for them
#   FREQUENCY of the samples, in Hz: a timer interrupt that takes as long as the period leaves the program no time of its own
: "${POINTS:=3}" "${SAMPLES:=30000}" "${FREQUENCY:=9973}" "${LOAD:=}" "${ALONE:=}" "${TRIES:=3}" "${OUTSIDE:=2}"
# Hooks keep gcc from knowing what a callee changes: without them it keeps values in registers, drops and moves calls.
truth_flags=(-O2 -g -w -fno-inline -fno-optimize-sibling-calls -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf -fno-partial-inlining
  -fno-ipa-ra -fno-ipa-pure-const -fno-ipa-modref -fno-ipa-reference -Dalways_inline=unused)
truth_cache=$sources_cache/truth
truth_table=$scratch/table
mkdir -p "$truth_cache"
truth_loops=()

truth_load() {
  local cpu
  [ -n "$LOAD" ] || return 0
  for ((cpu = 0; cpu < $(nproc); cpu++)); do
    (trap - EXIT; while :; do :; done) & truth_loops+=($!)
  done
}
truth_unload() { [ ${#truth_loops[@]} = 0 ] || kill "${truth_loops[@]}"; truth_loops=(); }
trap 'truth_unload; rm -rf "$scratch"' EXIT

# truth_compile KIND COMPILER OPTIONS SOURCE...: objects with hooks or plain ones, made once; their names in $made
truth_compile() {
  local kind=$1 compiler=$2 options=$3 source object dir hooks=; shift 3
  [ "$kind" = plain ] || hooks=$("$PSUITE" prof --cflags)
  dir=$truth_cache/$(echo "$($compiler --version | head -1) ${truth_flags[*]} $options $kind" | cksum | tr -d ' ')
  mkdir -p "$dir"
  made=()
  for source; do
    object=$dir/$(echo "$source" | cksum | tr -d ' ').o
    made+=("$object")
    [ -e "$object" ] || (cd "$(dirname "$source")" && $compiler "${truth_flags[@]}" $options $hooks -c "$source" -o "$object.$$" && mv "$object.$$" "$object") || return
  done
}
# truth_build NAME COMPILER OPTIONS LIBRARIES SOURCE...: $scratch/NAME.plain and .hooked
truth_build() {
  local name=$1 compiler=$2 options=$3 libraries=$4; shift 4
  truth_compile plain "$compiler" "$options" "$@" && $compiler "${made[@]}" $libraries -o "$scratch/$name.plain" &&
    truth_compile hooked "$compiler" "$options" "$@" && $compiler "${made[@]}" $libraries $("$PSUITE" prof --libs) -o "$scratch/$name.hooked"
}

# truth_shares FOLDED FUNCTIONS: SAMPLES FUNCTION a line, of the innermost of these functions in each stack
truth_shares() {
  awk 'FNR == NR { own[$1] = 1; next }
    {
      n = $NF; sub(/ [0-9]+$/, ""); frames = split($0, f, ";")
      for (i = frames; i; i--) { sub(/ \[.*/, "", f[i]); sub(/\.(cold|part|constprop|isra).*/, "", f[i]); if (f[i] in own) { sum[f[i]] += n; break } }
    }
    END { for (name in sum) print sum[name], name }' "$2" "$1" | sort -rn
}
# truth_sampled SAMPLES NAME ARGUMENT...: the build without hooks, as often as it takes, into ./folded
truth_sampled() {
  local samples=$1 name=$2 run had=0; shift 2
  : > folded
  for ((run = 0; run < 60 && had < samples; run++)); do
    (cd "$scratch/run" && "$PSUITE" tprof -f -g -k --no-demangle -F "$FREQUENCY" -o "folded:$scratch/one" -x "$scratch/$name.plain" "$@") > /dev/null 2> "$scratch/err" < /dev/null
    cat "$scratch/one" >> folded || return
    had=$(awk '{ n += $NF } END { print n + 0 }' folded)
  done
}
# truth_prof TYPE NAME ARGUMENT...: SELF_NS ERROR_NS FUNCTION a line into ./TYPE
truth_prof() {
  local type=$1 name=$2; shift 2
  rm -f "$scratch"/run/prof.[0-9]*
  (cd "$scratch/run" && proftype=$type exec "$scratch/$name.hooked" "$@") > /dev/null 2> "$scratch/err" < /dev/null
  "$PSUITE" prof --json --no-demangle "$scratch"/run/prof.[0-9]* 2> /dev/null | sed 's/.*"functions":\[//; s/{"name"/\n&/g' |
    sed -n 's/^{"name":"\([^"]*\)".*"self_ns":\([0-9]*\).*"error_ns":\([0-9]*\).*/\2 \3 \1/p' > "$type"
}
# Seconds of CPU time that all used, and the number of CPUs times the seconds since the boot.
truth_busy() { awk -v hz="$(getconf CLK_TCK)" '$1 == "cpu" { print ($2 + $3 + $4 + $7 + $8 + $9) / hz, ($2 + $3 + $4 + $5 + $6 + $7 + $8 + $9) / hz }' /proc/stat; }
truth_own() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*[)] /, ""); print ($12 + $13 + $14 + $15) / hz }' /proc/$$/stat; }
# truth_round FOLDER NAME ARGUMENT...: what is compared runs one after another in each round, so that what the machine does
# over minutes is in all of it; ./others: the share of the CPUs that others took, a hypervisor among them.
truth_round() {
  local busy own; busy=$(truth_busy) own=$(truth_own)
  mkdir "$1" || return
  (cd "$1" && shift && truth_sampled $((SAMPLES / TRIES)) "$@" && truth_prof elapsed "$@" && truth_prof adaptive "$@") || return
  echo "$busy $own $(truth_busy) $(truth_own)" | awk '{ print (($4 - $1) - ($6 - $3)) / ($5 - $2) }' > "$1/others"
}
# Rounds until TRIES of them were left alone: others took less than a quarter of the CPUs. Of three times as many the least
# disturbed ones; truth_disturbed is what others took of the worst of those. Loops of our own disturb each.
truth_rounds() {
  local k round most=$((3 * TRIES))
  [ -z "$LOAD" ] || most=$TRIES
  rm -rf "$scratch"/round.*
  for ((k = 0; k < most; k++)); do
    truth_round "$scratch/round.$k" "$@" || return
    [ "$(cat "$scratch"/round.*/others | awk '$1 < 0.25' | wc -l)" -lt "$TRIES" ] || break
  done
  grep -H . "$scratch"/round.*/others | sort -t: -k2g | sed "$TRIES q" > "$scratch/taken"
  truth_disturbed=$(tail -1 "$scratch/taken" | cut -d: -f2)
  : > "$scratch/folded"
  k=0
  while IFS=: read -r round _; do
    round=${round%/others}
    cat "$round/folded" >> "$scratch/folded"
    cp "$round/elapsed" "$scratch/elapsed.$k"; cp "$round/adaptive" "$scratch/adaptive.$k"
    k=$((k + 1))
  done < "$scratch/taken"
  nm "$scratch/$1.plain" | awk '$2 ~ /^[tTwW]$/ && $3 != "_start" { print $3 }' > "$scratch/functions"
  truth_shares "$scratch/folded" "$scratch/functions" > "$scratch/true"
}
# Functions that prof shows, of a hundredth of the time at least, and that the build without hooks has within others: samples
# cannot tell of these
truth_inlined() {
  awk 'FNR == NR { own[$1] = 1; next } { ns[$3] += $1; all += $1 }
    END { for (name in ns) if (ns[name] > all / 100 && !(name in own)) print name }' "$scratch/functions" "$scratch/elapsed.0"
}
# The middle of what the runs say, for each of the ten hottest functions: FUNCTION TRUE EXACT ERROR ADAPTIVE ERROR, percent,
# and what in 19 of 20 cases TRUE is off at most by the number of samples
truth_compare() {
  awk -v tries="$TRIES" '
    function percent(type, i, name) { return all[type, i] ? 100 * self[type, i, name] / all[type, i] : 0 }
    # as prof --errors shows it: what other functions are off by changes the whole
    function percent_error(type, i, name,  share, own, others) {
      share = percent(type, i, name) / 100; own = error[type, i, name]; others = squares[type, i] - own ^ 2
      return all[type, i] ? 100 * sqrt(((1 - share) * own) ^ 2 + share ^ 2 * (others > 0 ? others : 0)) / all[type, i] : 0
    }
    function middle(errors, type, name,  i, j, x, v) {
      for (i = 0; i < tries; i++) v[i] = errors ? percent_error(type, i, name) : percent(type, i, name)
      for (i = 0; i < tries; i++) for (j = i + 1; j < tries; j++) if (v[j] < v[i]) { x = v[i]; v[i] = v[j]; v[j] = x }
      return v[int(tries / 2)]
    }
    FNR == 1 { split(FILENAME, part, "/"); file = part[length(part)]; split(file, part, ".") }
    file == "true" { count[++rows] = $1; name[rows] = $2; total += $1; next }
    { self[part[1], part[2], $3] += $1; error[part[1], part[2], $3] += $2; all[part[1], part[2]] += $1 }
    END {
      for (key in error) { split(key, part, SUBSEP); squares[part[1], part[2]] += error[key] ^ 2 }
      for (i = 1; i <= 10 && i <= rows; i++) {
        p = count[i] / total
        print name[i], 100 * p, middle(0, "elapsed", name[i]), middle(1, "elapsed", name[i]),
          middle(0, "adaptive", name[i]), middle(1, "adaptive", name[i]), 200 * sqrt(p * (1 - p) / total)
      }
    }' "$scratch/true" "$scratch"/elapsed.* "$scratch"/adaptive.*
}

# Where others took a quarter of the CPUs in the best rounds there were, runs have other neighbours in the caches, and the cost
# of a hook is another where it is measured than later: half as many points more are allowed, and twice as many rows.
truth_allowed() { awk -v allowed="$1" -v factor="$2" -v others="$truth_disturbed" 'BEGIN { print (others > 0.25 ? allowed * factor : allowed) }'; }

# truth NAME ARGUMENT...: of $scratch/NAME.plain and .hooked; prints and keeps its rows, and holds them to POINTS and to their
# own errors: a ! is behind those that are exceeded
truth() {
  local name=$1 off outside points rows
  mkdir -p "$scratch/run"; rm -f "$scratch"/elapsed.* "$scratch"/adaptive.*
  truth_load
  truth_rounds "$@"
  truth_unload
  truth_compare | awk -v program="$name" -v alone="$ALONE" '
    function far(a, b) { return a > b ? a - b : b - a }
    function beyond(off, error) { return off > error + $7 ? "!" : " " }
    { d = far($3, $2); e = far($5, $2)
      printf "%-8s %-28s %6.1f %6.1f +-%4.1f%s %6.1f +-%4.1f%s %6.1f\n", program, $1, $2, $3, $4, alone ? " " : beyond(d, $4), $5, $6, beyond(e, $6), (d > e && !alone ? d : e) }' > "$scratch/rows"
  cat "$scratch/rows"; cat "$scratch/rows" >> "$truth_table"
  off=$(awk '$NF > m { m = $NF } END { print NR ? m + 0 : 100 }' "$scratch/rows")
  outside=$(grep -o '!' "$scratch/rows" | wc -l)
  points=$(truth_allowed "$POINTS" 1.5) rows=$(truth_allowed "$OUTSIDE" 2)
  text "$name: both builds have the same functions" '' "$(truth_inlined)"
  holds "$name: its ten hottest functions are within $points points (off by $off)" "$off <= $points"
  holds "$name: and within the error that prof shows ($outside are not; others took $truth_disturbed of the CPUs)" "$outside <= $rows"
}
truth_head() { printf '%-8s %-28s %6s %6s %7s %6s %7s %6s\n' program function true% exact% error adapt% error differ; }
