# perf.sh: recordings by perf, sourced by what is held against them.

# perf_records FILE OPTION... COMMAND: records into FILE. Some perfs abort every so often, and leave what they cannot
# read themselves: those are taken again.
perf_records() {
  local file=$1 try; shift
  for try in 1 2 3 4 5; do
    rm -f "$file"
    timeout 60 perf record -q -o "$file" "$@" >/dev/null 2>&1
    [ $? -lt 124 ] && perf script -i "$file" -F ip 2>/dev/null | grep -q . && return
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
