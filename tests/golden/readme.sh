# README.md: its ratios are those of tests/bench/RESULTS.md, and its commands are psuite's.
. "$(dirname "$0")/../lib/check.sh"
. "$TESTS/lib/commands.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
readme=$SOURCE/README.md results=$SOURCE/tests/bench/RESULTS.md

# figure SECTION ROW COLUMN: of RESULTS.md's table rows in this section, the first whose first cells match
figure() {
  awk -v section="$1" -v row="$2" -v column="$3" -F ' *[|] *' \
    '/^##/ { inside = $0 == "## " section } inside && $0 ~ row && !done { print $(column + 1); done = 1 }' "$results"
}
# figures_of NAME: the third cell of README's row whose last is NAME, its numbers alone
figures_of() {
  awk -v name="$1" -F ' *[|] *' '$6 == "" && $5 == name { print $4 }' "$readme" | sed -E 's/,? (of|a) million//' | grep -oE '[0-9]+(\.[0-9]+)?'
}
# as_shown NUMBER LIKE: rounded to as many digits as LIKE has behind its point
as_shown() { local digits=${2#*.}; [ "$digits" != "$2" ] || digits=; printf "%.${#digits}f" "${1%% *}"; }

# same_figures NAME FIGURE...: what README shows of NAME is what these figures are
same_figures() {
  local name=$1 shown i=0 want=(); shift
  mapfile -t shown < <(figures_of "$name")
  for i in "${!shown[@]}"; do want+=("$(as_shown "${@:i+1:1}" "${shown[i]}")"); done
  text "README.md: the figures of $name are those of RESULTS.md" "$# figures: ${want[*]}" "${#shown[@]} figures: ${shown[*]}"
}
mega() { awk "BEGIN { print $1 / 1e6 }"; }
kilo() { awk "BEGIN { print $1 / 1024 }"; }
same_figures report "$(figure report '^[|] tprof of its rec' 3)" "$(figure report '^[|] tprof of its rec' 5)"
same_figures chains "$(figure chains '^[|] xz' 6)" "$(figure chains '^[|] xz' 9)"
same_figures trace "$(figure trace '^[|] psuite' 2)" "$(figure trace '^[|] perf_sched' 2)"
same_figures time "$(figure time '^[|] psuite time -n [|]' 3)" "$(figure time '^[|] hyperfine' 3)" "$(figure time '^[|] perf stat' 3)"
same_figures iostats "$(figure iostats '^[|] fuse' 2)" "$(figure iostats '^[|] ptrace' 2)" "$(figure iostats '^[|] strace' 2)"
same_figures lines "$(figure lines 'libc[.]so' 5)" "$(figure lines 'libc[.]so' 6)" "$(figure lines 'libc[.]so' 7)"
same_figures prof "$(figure prof 'fib [|] elapsed' 3)" "$(kilo "$(figure prof 'fib [|] elapsed' 5)")" "$(figure prof 'fib [|] uftrace' 3)" \
  "$(mega "$(figure prof 'fib [|] uftrace' 5)")" "$(figure prof 'fib [|] callgrind' 3)"
ratios=$(sed -nE 's/^stats on the screen costs ([0-9.]+) x vmstat, ([0-9.]+) x nmon.*/\2 \1/p' "$results")
read -r of_nmon of_vmstat <<< "$ratios"
same_figures stats "$of_nmon" "$of_vmstat"
for name in $(awk -F ' *[|] *' '/^[|] `/ { print $5 }' "$readme"); do
  ok "README.md: ./dev bench $name exists" test -e "$SOURCE/tests/bench/$name.sh"
done


# --- its commands name applets and options that exist
text "README.md: its commands are psuite's" '' "$(unknown_commands "$readme")"
holds 'it has commands' "$(grep -cE '^    (sudo )?psuite ' "$readme") > 30"
finish
