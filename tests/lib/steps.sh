# steps.sh: ./dev's work as steps, a line each with its time and the CPU time of its processes. What they print goes to build-log/STEP.log; of one that failed the
# part that matters is shown, with the command that runs it alone. Wants $top; sourced by ./dev.
step_logs=$top/build-log
step_rows=() steps_failed=0 steps_cpu=0
checks_passed=0 checks_failed=0 checks_skipped=0

# step NAME ALONE COMMAND...: ALONE is the command that a person types to run just this.
step() {
  local name=$1 alone=$2 status=0 times; shift 2
  printf '%-24s' "$name"
  times=$(step_log "$name").times
  step_timed "$(step_log "$name")" "$times" "$@" || status=$?
  step_report "$name" "$alone" $status $(step_times "$times")
}
step_log() { echo "$step_logs/${1//[^a-z0-9]/-}.log"; }
# step_timed LOG TIMES COMMAND...: leaves seconds, user and system time in TIMES. A subshell has no other children, whose time
# would be added.
step_timed() {
  local TIMEFORMAT='%R %U %S' log=$1 times=$2; shift 2
  (time "$@" > "$log" 2>&1) 2> "$times"
}
step_times() { awk 'END { printf "%.0f %.0f\n", $1, $2 + $3 }' "$1"; rm -f "$1"; } # step_times TIMES: seconds, CPU seconds

# beside FUNCTION: steps beside those that follow: each by step_beside NAME COMMAND..., until step_end NAME ALONE prints its line.
# They have a process group of their own, which ends with ./dev: ^C does not reach what runs in the background.
beside() {
  rm -f "$step_logs"/*.status
  set -m
  "$1" &
  step_running=$!
  set +m
  trap 'kill -- "-$step_running" 2>/dev/null' EXIT
}
step_beside() {
  local status=0 log; log=$(step_log "$1"); shift
  step_timed "$log" "$log.times" "$@" || status=$?
  echo "$status" > "$log.new" && mv "$log.new" "$log.status"
  return $status
}
step_end() {
  local status=1 log; log=$(step_log "$1")
  until [ -e "$log.status" ] || ! kill -0 "$step_running" 2>/dev/null; do sleep 0.5; done
  read -r status < "$log.status"
  printf '%-24s' "$1"
  step_report "$1" "$2" "$status" $(step_times "$log.times")
}

step_report() { # step_report NAME ALONE STATUS SECONDS CPU_SECONDS
  local log; log=$(step_log "$1")
  step_rows+=("$1|$4|$5") steps_cpu=$((steps_cpu + $5))
  printf '%6d s%8d s of CPU' "$4" "$5"
  if [ "$3" = 0 ]; then echo; grep -A6 'warning:' "$log"; return 0; fi
  echo '  FAILED'
  steps_failed=$((steps_failed + 1))
  if grep -q '^Test project ' "$log"; then failed_tests "$log"; else tail -40 "$log"; fi
  echo "alone: $2    all it printed: ${log#"$top/"}"
  return 1
}

# failed_tests LOG: of ctest's output, what the tests that failed say of it, with the command that runs each alone: their failed
# checks, or where a test has none, the last it printed.
failed_tests() {
  awk -v preset="${step_preset:-dev}" -v log_file="${1#"$top/"}" '
    function show(text, n, from,   i) {
      for (i = from; i <= n && i < from + 80; i++) print text[i]
      if (n >= from + 80) print "    and " n - from - 79 " lines in " log_file
    }
    function leave() {
      if (name == "") return
      if (checks) show(check, checks, 1); else show(line, lines, lines > 80 ? lines - 79 : 1)
      print "alone: ctest --preset " preset " -R \047^" name "$\047"
      name = ""
    }
    /^Test project / { leave(); if (match($0, /build-[a-z0-9]+$/)) preset = substr($0, RSTART + 6); next }
    /^ *Start +[0-9]+:/ || /^[0-9]+% tests passed/ { leave(); next }
    /^ *[0-9]+\/[0-9]+ Test +#[0-9]+:/ {
      leave(); lines = checks = in_check = 0
      if (/\*\*\*/ && !/\*\*\*Skipped/) { name = $4; print }
      next
    }
    name == "" || /^(skipped|ok) / { next }
    { in_check = /^FAILED / || in_check && /^    /; line[++lines] = $0; if (in_check) check[++checks] = $0 }
    END { leave() }' "$1"
}

# folder_of TEST_PRESET: its build
folder_of() { case $1 in dev | boards) echo build ;; amd64) echo build-release ;; *) echo "build-$1" ;; esac; }

# check PRESET [CTEST OPTION...]: ctest, leaving what count_checks reads; $at_once tests beside each other, else $jobs
check() {
  local build; build=$(folder_of "$1")
  rm -rf "${top:?}/$build/results" "$top/$build/results.xml" && mkdir -p "$top/$build/results"
  (cd "$top" && ctest --preset "$1" -j "${at_once:-$jobs}" --no-tests=error --output-junit "$top/$build/results.xml" "${@:2}")
}

# test_step NAME PRESET [CTEST OPTION...]: check as a step whose checks are counted
test_step() {
  local status=0 step_preset=$2 options=("${@:3}")
  step "$1" "ctest --preset $2 ${options[*]@Q}" check "${@:2}" || status=1
  count_checks "$2"
  return $status
}

# numbers_of PRESET: passed, failed and skipped of its last check, by what the tests wrote. Without numbers a test is one check;
# one that ctest calls failed has a failed check, whatever it wrote.
numbers_of() {
  local build; build=$top/$(folder_of "$1")
  [ ! -e "$build/results.xml" ] || awk -v folder="$build/results" -v preset="$1" -v list="$step_logs/skipped" -v cpu="$step_logs/cpu" '
    function value(key) { return match($0, " " key "=\"[^\"]*\"") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 4) : "" }
    !/<testcase / { next }
    {
      name = value("name"); status = value("status"); file = folder "/" name
      p = f = s = have = 0
      while ((getline line < file) > 0)
        if (line ~ /^skipped /) print preset ": " name ": " substr(line, 9) >> list
        else if (line ~ /^cpu [0-9]/) print preset ": " name " " substr(line, 5) >> cpu
        else if (split(line, word, " ") >= 6) { p += word[1]; f += word[3]; s += word[5]; have = 1 }
      if (!have && status == "run") p = 1
      if (!have && status == "notrun") { s = 1; print preset ": " name ": it was not run" >> list }
      if (status == "fail" && f == 0) f = 1
      passed += p; failed += f; skipped += s
    }
    END { print passed + 0, failed + 0, skipped + 0 }' "$build/results.xml"
}

# count_checks PRESET...: adds their numbers to those of the last step
count_checks() {
  local passed=0 failed=0 skipped=0 p f s preset
  for preset; do
    read -r p f s < <(numbers_of "$preset") || continue
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  done
  checks_passed=$((checks_passed + passed)) checks_failed=$((checks_failed + failed)) checks_skipped=$((checks_skipped + skipped))
  step_rows[-1]+="|$passed|$failed|$skipped"
}

# The ten tests that took most CPU time, of those that count_checks added: PRESET: NAME SECONDS
most_cpu() { sort -k3,3nr "$step_logs/cpu" | head -10; }

steps_begin() { mkdir -p "$step_logs"; : > "$step_logs/skipped"; : > "$step_logs/cpu"; SECONDS=0; }

# The table, what was skipped, and the line that continuous integration reads. Fails when a step did; a step that failed before
# it came to tests, a build for one, is one failed check.
steps_end() {
  local row name seconds cpu passed failed skipped without=$steps_failed
  printf '\n%-24s%8s%8s%8s%8s%8s\n' step seconds 'CPU s' passed failed skipped
  for row in "${step_rows[@]}"; do
    IFS='|' read -r name seconds cpu passed failed skipped <<< "$row"
    printf '%-24s%8s%8s%8s%8s%8s\n' "$name" "$seconds" "$cpu" "$passed" "$failed" "$skipped"
    [ "${failed:-0}" = 0 ] || without=$((without - 1))
  done
  printf '%-24s%8s%8s\n' 'in all' "$SECONDS" "$steps_cpu"
  [ ! -s "$step_logs/cpu" ] || { printf '\nmost CPU time, in seconds:\n'; most_cpu | sed 's/^/  /'; }
  [ ! -s "$step_logs/skipped" ] || { printf '\nskipped:\n'; sed 's/^/  /' "$step_logs/skipped"; }
  printf '\n%d passed, %d failed, %d skipped\n' "$checks_passed" $((checks_failed + without)) "$checks_skipped"
  [ "$steps_failed" = 0 ]
}
