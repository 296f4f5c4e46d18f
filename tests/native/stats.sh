# stats on this machine: rates against vmstat and sar over the same seconds, on a real terminal, and what it costs.
. lib/check.sh
. lib/need.sh
need vmstat=procps sar=sysstat >/dev/null 2>&1 || echo 'no procps or sysstat to compare with'
export LC_ALL=C

# --- the same ten seconds, each by its own readings at its ends; a load that is the same all the time
seconds=10
burn() { while :; do :; done; }
burn & load=$!
trap 'kill $load $watch 2>/dev/null; rm -rf "$scratch"' EXIT
# What the machine does 20 times a second: TIME SWITCHES INTERRUPTS FAULTS IDLE a line; IDLE is hundredths of a second of a CPU, of all of
# them the mean, so that its rate is a percentage.
python3 -c '
import os, time
percent = 100 / os.sysconf("SC_CLK_TCK") / os.cpu_count()
while True:
    cpu = open("/proc/stat").readline().split()
    stat = {line.split()[0]: int(line.split()[1]) for line in open("/proc/stat") if line.startswith(("ctxt ", "intr "))}
    faults = next(int(line.split()[1]) for line in open("/proc/vmstat") if line.startswith("pgfault "))
    print(time.time(), stat["ctxt"], stat["intr"], faults, (int(cpu[4]) + int(cpu[5])) * percent, flush=True)
    time.sleep(0.05)' > "$scratch/watched" 2>/dev/null & watch=$!
until [ -s "$scratch/watched" ] || ! kill -0 $watch 2>/dev/null; do sleep 0.02; done
# until_end NAME COMMAND...: when it has ended, right after its last reading, is left in NAME.end.
until_end() { "${@:2}" > "$scratch/$1" 2>/dev/null; echo "$EPOCHREALTIME" > "$scratch/$1.end"; }
command -v vmstat >/dev/null && until_end vmstat vmstat -n $seconds 2 & theirs=$!
command -v sar >/dev/null && until_end sar sar -w -B $seconds 1 & sar=$!
status 'ten seconds' 0 "$PSUITE" stats --csv -cifImE -T $seconds --samples 2
echo "$EPOCHREALTIME" > "$scratch/ours.end"
wait $theirs $sar
sleep 0.1
kill $load $watch
# spread COLUMN NAME: by how much the rate over ten seconds differs between such that end from half a second before ours did, or NAME,
# to when both had ended: they do not begin at one moment, and builds come in bursts
spread() {
  awk -v at="$1" -v seconds=$seconds 'FILENAME != ARGV[ARGC - 1] { if (first == 0 || $1 < first) first = $1; if ($1 > last) last = $1; next }
    { t[++rows] = $1; n[rows] = $at }
    END {
      for (i = j = 1; j <= rows && t[j] < last + 0.1; j++) {
        if (t[j] < first - 0.5 || t[j] < t[1] + seconds) continue
        while (t[i + 1] <= t[j] - seconds) i++
        rate = (n[j] - n[i]) / (t[j] - t[i])
        if (!windows++ || rate < least) least = rate
        if (rate > most) most = rate
      }
      printf "%d", most - least
    }' "$scratch/ours.end" "$scratch/$2.end" "$scratch/watched"
}
field() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at + 0 }' "$scratch/out"; }
vm() { awk -v name="$1" '/ cs / { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at + 0 }' "$scratch/vmstat"; }
sar_of() { awk -v name="$1" '$0 ~ name "$|" name " " { for (i = 1; i <= NF; i++) if ($i == name) at = i; on = 1; next } on && NF { v = $at; on = 0 } END { print v + 0 }' "$scratch/sar"; }

# near WHAT OURS THEIRS SLACK: within 2 percent, and what the three programs do themselves in a second, and the spread
near() { holds "$1: $2 here, $3 there" "($2 - $3)^2 <= (0.02 * $3 + $4)^2"; }
if command -v vmstat >/dev/null; then
  near 'switches by vmstat' "$(field context)" "$(vm cs)" $((20 + $(spread 2 vmstat)))
  near 'interrupts by vmstat' "$(field intr)" "$(vm in)" $((20 + $(spread 3 vmstat)))
  near 'idle and waiting for disks by vmstat' "$(field idle)" "$(($(vm id) + $(vm wa)))" $((2 + $(spread 5 vmstat)))
else
  skip 'against vmstat' 'no vmstat here'
fi
if [ -s "$scratch/sar" ]; then
  near 'switches by sar' "$(field context)" "$(sar_of cswch/s)" $((20 + $(spread 2 sar)))
  near 'page faults by sar' "$(field fault)" "$(sar_of fault/s)" $((60 + $(spread 4 sar)))
else
  skip 'against sar' 'no sar here'
fi

# --- memory against /proc/meminfo at about the same moment
"$PSUITE" stats --csv -T 0.2 -m --json > /dev/null 2>&1 && fail 'one form only'
used=$("$PSUITE" stats --csv -m -T 0.2 --samples 1 | tail -1 | cut -d, -f5)
holds "memory used ($used bytes) is less than there is" \
  "$used > 0 && $used < $(awk '/^MemTotal/ { print $2 * 1024 }' /proc/meminfo)"

# --- memory of its own: the limit is of the static build
if [ -n "${PSUITE_SANITIZE:-}" ]; then
  skip 'resident memory' 'sanitizers bring their own'
else
  "$PSUITE" stats --csv -T 0.2 > "$scratch/lines" & pid=$!
  until_ok eval '[ "$(wc -l < "$scratch/lines")" -ge 6 ]'
  rss=$(awk '/^VmHWM/ { print $2 }' /proc/$pid/status)
  holds "peak RSS of $rss KB" "$rss > 0 && $rss < 8192"
  kill $pid; wait $pid
fi

# --- on a real terminal, and left in order
if command -v python3 >/dev/null; then
  python3 - "$PSUITE" > "$scratch/pty" <<'P'
import fcntl, os, pty, select, struct, sys, termios, time
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
    os.execv(sys.argv[1], [sys.argv[1], "stats", "-cfml", "-T", "0.2"])
def curves():
    return any(chr(0x2580 + i).encode() in seen for i in range(1, 9))
# Each key when what the one before it does is seen. Esc is a key of its own when nothing follows it at once.
seen, end, at = b"", time.monotonic() + 60, time.monotonic()
keys = [(curves, b"m"), (lambda: b"add and drop" in seen, b"\x1b"), (lambda: True, b"y"), (lambda: True, b"q")]
while time.monotonic() < end:
    if keys and time.monotonic() - at > 0.5 and keys[0][0]():
        os.write(terminal, keys.pop(0)[1])
        at = time.monotonic()
    if select.select([terminal], [], [], 0.1)[0]:
        try:
            seen += os.read(terminal, 65536)
        except OSError:
            break
status = os.waitpid(pid, 0)[1]
print("status", status, "entered", b"\x1b[?1049h" in seen, "left", seen.rstrip().endswith(b"\x1b[?1049l") or b"\x1b[?1049l" in seen[-80:],
      "curves", curves(), "menu", b"add and drop" in seen)
P
  text 'a real terminal' 'status 0 entered True left True curves True menu True' "$(cat "$scratch/pty")"
else
  skip 'a real terminal' 'no python3'
fi
finish
