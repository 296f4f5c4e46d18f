# stats on this machine: CPU time, disks, network, memory and pressure against vmstat, mpstat, iostat, sar and free over the
# same seconds, while programs compute, write and read.
. lib/check.sh
. lib/need.sh
need vmstat=procps mpstat=sysstat >/dev/null 2>&1 || echo 'no procps or sysstat to compare with'
export LC_ALL=C

# --- a load that is the same all the time: a busy CPU, and a disk that is written and read past the cache
seconds=10
burn() { while :; do :; done; }
churn() {
  while :; do
    dd if=/dev/zero of="$scratch/file" bs=256k count=40 oflag=direct conv=notrunc status=none
    dd if="$scratch/file" of=/dev/null bs=256k iflag=direct status=none
    sleep 0.05
  done 2> /dev/null
}
burn & burning=$!
churn & churning=$!
trap 'kill $burning $churning ${recording:-} 2>/dev/null; rm -rf "$scratch"' EXIT
sleep 1 # first, what starts is loaded
# What interfaces and disks did all the time is recorded. `counters.py NAME WHAT SECONDS' says by how much two windows of so many
# SECONDS may differ, as a rate: other programs load packages in some of them.
cat > "$scratch/counters.py" <<'P'
import sys, time
def counters():
    for line in open('/proc/net/dev'):
        name, _, words = line.partition(':')
        if words:
            yield name.strip(), 'in', int(words.split()[0])
            yield name.strip(), 'out', int(words.split()[8])
    for words in map(str.split, open('/proc/diskstats')):
        yield words[2], 'read', 512 * int(words[5])
        yield words[2], 'write', 512 * int(words[9])
        yield words[2], 'ops', int(words[3]) + int(words[7])
def record():
    while True:
        for name, what, value in counters():
            print(time.monotonic(), name, what, value)
        sys.stdout.flush()
        time.sleep(0.1)
def rates(rows, seconds):
    for begun, before in rows:
        end = next(((t, v) for t, v in rows if t - begun >= seconds), None)
        if end:
            yield (end[1] - before) / (end[0] - begun)
if len(sys.argv) == 1:
    record()
kept = [line.split() for line in sys.stdin if line.endswith('\n')]
found = list(rates([(float(w[0]), int(w[3])) for w in kept if w[1:3] == sys.argv[1:3]], float(sys.argv[3])))
print(max(found) - min(found))
P
python3 "$scratch/counters.py" > "$scratch/counters" & recording=$!
until_ok test -s "$scratch/counters"
spread() { python3 "$scratch/counters.py" "$1" "$2" $seconds < "$scratch/counters"; }
beside=()
tool() { command -v "$1" > /dev/null || return 0; "$@" > "$scratch/$1" 2> /dev/null & beside+=($!); }
tool vmstat -n $seconds 2
tool mpstat -P ALL $seconds 1
tool iostat -dxky $seconds 1
tool sar -n DEV $seconds 1
psi() { awk -v resource="$1" '/^some/ { sub(/.*total=/, ""); print }' "/proc/pressure/$1" 2> /dev/null; }
declare -A before after
stamp() { for resource in cpu memory io; do eval "$1[$resource]=\$(psi $resource)"; done; }
stamp before; began=$(date +%s%N)
status 'ten seconds' 0 "$PSUITE" stats --json -udNMP -T $seconds --samples 2
stamp after; took=$((($(date +%s%N) - began) / 1000))
wait "${beside[@]}"
kill $burning $churning $recording
tail -1 "$scratch/out" > "$scratch/sample"

# ours GRAPH [PART]: its value, or that of a CPU, disk or interface
ours() {
  python3 - "$scratch/sample" "$@" <<'P'
import json, sys
graph = next(g for g in json.load(open(sys.argv[1]))["sources"][0]["graphs"] if g["graph"] == sys.argv[2])
value = graph.get("parts", {}).get(sys.argv[3]) if len(sys.argv) > 3 else graph["value"]
print("absent" if value is None else value)
P
}
# Within 10 percent, and so much: the tools' ten seconds begin and end at other moments.
near() { holds "$1: $2 here, $3 there" "($2 - $3)^2 <= (0.1 * $3 + $4)^2"; }
# column FILE ROW NAME: of the last row whose first word (behind Average: and the time) is ROW
column() {
  awk -v row="$2" -v name="$3" '{ for (i = 1; i <= NF; i++) if ($i == name) at = i }
    at { for (i = 1; i <= 3; i++) if ($i == row) v = $at } END { print v + 0 }' "$scratch/$1"
}

# --- CPU time
if [ -s "$scratch/mpstat" ]; then
  near 'user by mpstat' "$(ours user)" "$(awk '/^Average: +all/ { print $3 + $4 }' "$scratch/mpstat")" 5
  near 'system by mpstat' "$(ours system)" "$(awk '/^Average: +all/ { print $5 }' "$scratch/mpstat")" 5
  near 'iowait by mpstat' "$(ours iowait)" "$(awk '/^Average: +all/ { print $6 }' "$scratch/mpstat")" 5
  near 'interrupts by mpstat' "$(ours irq)" "$(awk '/^Average: +all/ { print $7 + $8 }' "$scratch/mpstat")" 3
  near 'steal by mpstat' "$(ours steal)" "$(awk '/^Average: +all/ { print $9 }' "$scratch/mpstat")" 5
  for cpu in $(awk '/^Average: +[0-9]/ { print $2 }' "$scratch/mpstat" | head -4); do
    near "CPU $cpu not idle by mpstat" "$(ours cpu "$cpu")" \
      "$(awk -v cpu="$cpu" '/^Average:/ && $2 == cpu { print 100 - $NF - $6 }' "$scratch/mpstat")" 6
  done
else
  skip 'CPU time by mpstat' 'no mpstat here'
fi
if [ -s "$scratch/vmstat" ]; then
  near 'not idle by vmstat' "$(ours cpu)" "$(tail -1 "$scratch/vmstat" | awk '{ print 100 - $15 - $16 }')" 6
else
  skip 'CPU time by vmstat' 'no vmstat here'
fi

# --- disks: each that both have, and one at least was written
disks=$(python3 -c '
import json, sys
graphs = json.load(open(sys.argv[1]))["sources"][0]["graphs"]
print(*next(g for g in graphs if g["graph"] == "diskread").get("parts", {}))' "$scratch/sample")
written=0
for disk in $disks; do
  [ -s "$scratch/iostat" ] || { skip 'disks by iostat' 'no iostat here'; break; }
  near "bytes read of $disk by iostat" "$(ours diskread "$disk")" "$(awk "BEGIN { print 1024 * $(column iostat "$disk" rkB/s) }")" "300000 + $(spread "$disk" read)"
  near "bytes written of $disk by iostat" "$(ours diskwrite "$disk")" "$(awk "BEGIN { print 1024 * $(column iostat "$disk" wkB/s) }")" "300000 + $(spread "$disk" write)"
  near "operations of $disk by iostat" "$(ours diskops "$disk")" "$(awk "BEGIN { print $(column iostat "$disk" r/s) + $(column iostat "$disk" w/s) }")" "20 + $(spread "$disk" ops)"
  near "busy $disk by iostat" "$(ours diskbusy "$disk")" "$(column iostat "$disk" %util)" 6
  written=$(awk "BEGIN { print $written + $(ours diskwrite "$disk") }")
done
if [ -n "$disks" ] && [ "$(stat -f -c %T "$scratch")" = ext2/ext3 ]; then
  holds "a disk was written: $written bytes/s" "$written > 0"
else
  skip 'a disk was written' "none here is that of $scratch"
fi

# --- network
interfaces=$(awk -F: 'NR > 2 && $1 !~ / lo$/ { gsub(/ /, "", $1); print $1 }' /proc/net/dev)
for interface in $interfaces; do
  [ -s "$scratch/sar" ] || { skip 'network by sar' 'no sar here'; break; }
  near "received by $interface by sar" "$(ours netin "$interface")" "$(awk -v i="$interface" '/^Average:/ && $2 == i { print 1024 * $5 }' "$scratch/sar")" "100000 + $(spread "$interface" in)"
  near "sent by $interface by sar" "$(ours netout "$interface")" "$(awk -v i="$interface" '/^Average:/ && $2 == i { print 1024 * $6 }' "$scratch/sar")" "100000 + $(spread "$interface" out)"
done

# --- memory: of a moment, which other programs change
"$PSUITE" stats --json --once -M -T 0.1 > "$scratch/sample"
free -bw > "$scratch/free" 2> /dev/null
if [ -s "$scratch/free" ]; then
  read -r _ total _ free shared buffers cache available < <(grep ^Mem "$scratch/free")
  slack=$((total / 50))
  near 'available by free' "$(ours avail)" "$available" $slack
  near 'free by free' "$(ours free)" "$free" $slack
  near 'caches by free, less what is shared' "$(ours cached)" "$((buffers + cache - shared))" $slack
else
  skip 'memory by free' 'no free here'
fi
holds 'parts of memory are no more than all of it' \
  "$(ours programs) + $(ours cached) + $(ours kernel) + $(ours free) <= 1.02 * $(awk '/^MemTotal/ { print $2 * 1024 }' /proc/meminfo)"

# --- pressure: by the kernel's own totals before and after
tail -1 "$scratch/out" > "$scratch/sample"
if [ -n "${before[cpu]}" ]; then
  for resource in cpu memory io; do
    near "pressure of $resource" "$(ours "${resource/memory/mem}psi")" \
      "$(awk "BEGIN { print 100 * (${after[$resource]} - ${before[$resource]}) / $took }")" 5
  done
else
  skip 'pressure' 'no /proc/pressure here'
fi

# --- without the files of a kernel: the reason and the remedy
if [ "$(id -u)" = 0 ] && unshare -m true 2> /dev/null; then
  mkdir "$scratch/proc"
  cp /proc/meminfo /proc/stat /proc/loadavg "$scratch/proc/"
  status 'a kernel without disks, network and pressure' 0 unshare -m sh -c \
    "mount --bind '$scratch/proc' /proc && exec '$PSUITE' stats --once -dNPM -T 0.1"
  has 'disks have a reason' '^diskread .*: no /proc/diskstats; kernel option CONFIG_BLOCK=y \(also diskwrite, diskops, diskbusy\)$' "$scratch/out"
  has 'so has the network' '^netin .*: no /proc/net/dev; kernel option CONFIG_NET=y \(also netout\)$' "$scratch/out"
  has 'so has pressure' '^cpupsi .*: no /proc/pressure/cpu; kernel option CONFIG_PSI=y, and psi=1 on its command line \(also mempsi, memfull, iopsi, iofull\)$' "$scratch/out"
  has 'memory comes before them' '^avail +[0-9]' <(sed -n 3p "$scratch/out")
else
  skip 'a kernel without files' 'needs root and a mount namespace'
fi

# --- the page, metrics, JSON and text have the same graphs
if command -v curl > /dev/null; then
  "$PSUITE" stats --web "unix!$scratch/web" -T 0.2 > /dev/null 2>&1 & serving=$!
  told() { curl -s -m "$1" --unix-socket "$scratch/web" "http://localhost/$2" > "$scratch/$2"; grep -q "$3" "$scratch/$2"; }
  until_ok told 60 metrics cpu_busy
  until_ok told 2 events '"graph":"cpu",.*"parts"'
  kill $serving; wait $serving
  has 'metrics have each CPU' '^psuite_cpu_busy_percent\{source="[^"]*",cpu="0"\} [0-9.]+$' "$scratch/metrics"
  [ -z "$disks" ] || has 'and each disk' "^psuite_disk_read_bytes_total\{source=\"[^\"]*\",disk=\"${disks%% *}\"\} [0-9]+\$" "$scratch/metrics"
  has 'the page has whether it is well' '"health":\[.*"health_known":[0-9]+' "$scratch/events"
  has 'and the CPUs' '"graph":"cpu",.*"parts":\{"0":' "$scratch/events"
else
  skip 'the page' 'no curl here'
fi
finish
