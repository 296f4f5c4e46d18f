# perf.sh: recordings by perf, sourced by what is held against them.

# perf_records FILE OPTION... COMMAND: records into FILE; perf_streams the same by way of a pipe. Some perfs abort every so often, and
# leave what they cannot read themselves: those are taken again.
perf_records() { perf_taken perf_to_file "$@"; }
perf_streams() { perf_taken perf_to_pipe "$@"; }
perf_to_file() { timeout 300 perf record -q -o "$1" "${@:2}" >/dev/null 2>&1; }
perf_to_pipe() { (timeout 300 perf record -q -o - "${@:2}" 2>/dev/null; echo $? > "$scratch/perf_status") | cat > "$1"; return "$(cat "$scratch/perf_status")"; }
perf_taken() {
  local how=$1 file=$2 try; shift 2
  for try in 1 2 3 4 5; do
    rm -f "$file"
    "$how" "$file" "$@"
    [ $? -lt 124 ] && perf script -i "$file" -F ip > "$scratch/perf_script" 2>/dev/null && [ -s "$scratch/perf_script" ] && return
  done
  return 1
}

# perf_script OPTION...: what it prints. One that aborts on the way has printed a part: it is asked again.
perf_script() {
  local try
  for try in 1 2 3 4 5; do
    perf script "$@" > "$scratch/perf_script" 2>/dev/null
    [ $? -ge 128 ] || break
  done
  cat "$scratch/perf_script"
}
