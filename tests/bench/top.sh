#!/bin/bash
# The cost of the live view: the CPU time of `tprof -a -k --top' on a terminal of 120x40 over SECONDS (20) after its start, in per cent
# of one CPU; the CPU time of the start, in which symbols are read; the number of samples and of bytes drawn. TOP_ARGS: other
# arguments.
set -u
: "${PSUITE:?the psuite to measure}" "${SECONDS_MEASURED:=20}" "${TOP_ARGS:=-a -k}"
command -v python3 >/dev/null || { echo 'python3 is missing: apt-get install python3'; exit 0; }
exec python3 - "$PSUITE" "$SECONDS_MEASURED" $TOP_ARGS <<'P'
import fcntl, os, pty, re, select, struct, sys, termios, time

psuite, seconds, args = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    os.environ["TERM"] = "xterm-256color"
    os.execv(psuite, [psuite, "tprof"] + args + ["--top"])
seen = bytearray()


def cpu():
    with open("/proc/%d/stat" % pid) as f:
        field = f.read().rsplit(") ", 1)[1].split()
    return (int(field[11]) + int(field[12])) / os.sysconf("SC_CLK_TCK")


def idle():
    with open("/proc/stat") as f:
        field = f.readline().split()
    return (int(field[4]) + int(field[5])) / os.sysconf("SC_CLK_TCK")


def watch(for_seconds):
    end = time.monotonic() + for_seconds
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                seen.extend(os.read(terminal, 65536))
            except OSError:
                return


watch(5)
start, idle0, bytes0 = cpu(), idle(), len(seen)
watch(seconds)
spent, idled, drawn = cpu() - start, idle() - idle0, len(seen) - bytes0
os.write(terminal, b"q")
watch(2)
os.waitpid(pid, 0)
report = seen.decode("utf-8", "replace").rsplit("total: ", 1)[-1]
samples = re.search(r"(\d+) samples", report)
share = 100 * spent / seconds
print("| live view | CPU share % | of its start, s | samples | bytes of pictures a second | machine idle % |")
print("|---|---|---|---|---|---|")
print("| tprof %s --top | %.2f | %.2f | %s | %.0f | %.0f |" % (
    " ".join(args), share, start, samples.group(1) if samples else "?", drawn / seconds,
    100 * idled / seconds / os.cpu_count()))
P
