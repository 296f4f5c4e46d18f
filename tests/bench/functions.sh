#!/bin/bash
# Tracing a function of the kernel with its arguments, its result and its times: trace --functions compared with trace-cmd, perf and
# bpftrace, and trace --calls with strace, for a program that reads one byte of /dev/zero CALLS (20000) times.
#   instructions  that a call takes more than alone, in an amd64 guest of one CPU that counts them as nanoseconds (QEMU's -icount
#                 shift=0); with what the tool reads and writes meanwhile
#   CPU s         of the program and the tool, from start to report, as seconds of a processor with an instruction a nanosecond
#   kept          calls with entry and exit that the tool shows, of all
#   bytes         of its file or its text, an entry or exit
# The tools are those of this machine's Debian, whose root the guest has by 9P. perf and trace-cmd record the same probes, with the
# same four registers; bpftrace saves its arguments in maps.
set -u
: "${PSUITE:?the psuite to measure}" "${CALLS:=20000}"
. "$(dirname "$0")/../lib/debian_guest.sh"
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bench"
cp "$PSUITE" "$dir/bench/psuite"
cat > "$dir/reads.c" <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static int zero;
static void reads(int n)
{
    char byte;
    for (; n > 0; n--)
        if (read(zero, &byte, 1) != 1)
            exit(1);
}
int main(int c, char **v)
{
    int calls = atoi(v[c - 1]);
    struct timespec a, b;
    FILE *to = fopen("/tmp/ns", "w");
    zero = open("/dev/zero", O_RDONLY);
    reads(100);
    clock_gettime(CLOCK_MONOTONIC, &a);
    reads(calls - 100);
    clock_gettime(CLOCK_MONOTONIC, &b);
    fprintf(to, "%.1f\n", ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / (calls - 100));
    return 0;
}
C
cat > "$dir/cost.c" <<'C'
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int c, char **v)
{
    struct rusage r;
    FILE *to = fopen(v[1], "w");
    if (c < 3 || !to)
        return 1;
    if (fork() == 0) {
        execvp(v[2], v + 2);
        _exit(127);
    }
    wait(NULL);
    getrusage(RUSAGE_CHILDREN, &r);
    fprintf(to, "%ld\n", (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000 + r.ru_utime.tv_usec + r.ru_stime.tv_usec);
    return 0;
}
C
for program in reads cost; do ${CC:-cc} -O2 -static -o "$dir/bench/$program" "$dir/$program.c" || exit; done
# --- in the guest
cat > "$dir/bench/measure" <<'G'
cd /tmp
tracing=/sys/kernel/tracing calls=$1 alone=0
# measured NAME CALLS KEPT FILE COMMAND...: with NNN for the number of reads; KEPT prints the calls in FILE
measured() {
  name=$1 n=$2 kept=$3 file=$4; shift 4
  [ -z "$missing" ] || { echo "| $name | $missing | | | |"; missing=; return; }
  rm -f "$file" ns
  /tmp/guest/cost cost sh -c "$(echo "$*" | sed "s/NNN/$n/g")" > said 2>&1
  [ -s ns ] || { echo "| $name | failed: $(head -1 said) | | | |"; return; }
  [ "$name" != alone ] || alone=$(cat ns)
  awk -v ns="$(cat ns)" -v us="$(cat cost)" -v n="$n" -v alone="$alone" -v name="$name" -v kept="$(eval "$kept")" -v bytes="$(stat -c %s "$file" 2>/dev/null)" 'BEGIN {
    if (kept != "") shown = sprintf("%d of %d", kept, n)
    if ((kept > 0) && (bytes > 0)) each = sprintf("%.0f", bytes / kept / 2)
    printf "| %s | %.0f | %.2f | %s | %s |\n", name, name == "alone" ? ns : ns - alone, us / 1e6, shown, each }'
}
missing=
lacks() { command -v "$1" > /dev/null || missing='not installed'; }
echo '| command | instructions | CPU s | kept | bytes |'
echo '|---|---|---|---|---|'
measured alone "$calls" '' none /tmp/guest/reads NNN
measured 'psuite trace --functions vfs_read --summary' "$calls" "awk '\$8 == \"vfs_read\" { print \$1 }' said" none /tmp/guest/psuite trace --functions vfs_read --summary -x /tmp/guest/reads NNN
measured 'psuite trace --functions vfs_read' "$calls" 'grep -c "vfs_read(.*) = 1 " lines' lines '/tmp/guest/psuite trace --functions vfs_read -x /tmp/guest/reads NNN 2> lines'
measured 'psuite trace --functions vfs_read -o file' "$calls" '/tmp/guest/psuite trace -e rec | grep -c "Return vfs_read"' rec /tmp/guest/psuite trace --functions vfs_read -f -o rec -x /tmp/guest/reads NNN
probes='a1=%di:x64 a2=%si:x64 a3=%dx:x64 a4=%cx:x64'
printf 'p:bench/enter vfs_read %s\nr512:bench/leave vfs_read r=$retval:x64\n' "$probes" > $tracing/kprobe_events
lacks trace-cmd
measured 'trace-cmd record, report' "$calls" 'grep -c " leave:" lines' trace.dat 'trace-cmd record -q -e bench -o trace.dat /tmp/guest/reads NNN; trace-cmd report -i trace.dat > lines'
lacks perf
measured 'perf record, script' "$calls" 'grep -c "bench:leave:" lines' perf.data 'perf record -q -m 8M -e "bench:*" -o perf.data /tmp/guest/reads NNN; perf script -i perf.data > lines'
echo > $tracing/kprobe_events
cat > lines.bt <<'T'
kprobe:vfs_read /pid == cpid/ { @start[tid] = nsecs; @file[tid] = arg0; @buf[tid] = arg1; @count[tid] = arg2; @pos[tid] = arg3; }
kretprobe:vfs_read /@start[tid]/ {
  printf("%d %d vfs_read(%p, %p, %d, %p) = %d %d\n", @start[tid], tid, @file[tid], @buf[tid], @count[tid], @pos[tid], retval, nsecs - @start[tid]);
  delete(@start[tid]); delete(@file[tid]); delete(@buf[tid]); delete(@count[tid]); delete(@pos[tid]);
}
T
cat > histogram.bt <<'T'
kprobe:vfs_read /pid == cpid/ { @start[tid] = nsecs; }
kretprobe:vfs_read /@start[tid]/ { @h = hist(nsecs - @start[tid]); @n = count(); delete(@start[tid]); }
T
lacks bpftrace
measured 'bpftrace, a line a call' "$calls" 'grep -c "vfs_read(" lines' lines 'bpftrace -B full -o lines -c "/tmp/guest/reads NNN" lines.bt'
lacks bpftrace
measured 'bpftrace, a histogram' "$calls" "sed -n 's/^@n: //p' lines" none 'bpftrace -o lines -c "/tmp/guest/reads NNN" histogram.bt'
measured 'psuite trace --calls=read' "$calls" 'grep -c "read(fd=.*) = 1 " lines' lines '/tmp/guest/psuite trace --calls=read -x /tmp/guest/reads NNN 2> lines'
lacks strace
measured 'strace -e trace=read' "$((calls / 10))" 'grep -c "= 1$" lines' lines 'strace -e trace=read -o lines /tmp/guest/reads NNN'
G
echo "Load $(cut -d' ' -f1-3 /proc/loadavg)."
echo
SMP=1 QEXTRA='-icount shift=0' TMO=${TMO:-900} debian_guest "$dir/bench" "sh /tmp/guest/measure $CALLS"
