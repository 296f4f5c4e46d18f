#!/bin/bash
# doctor on this machine: what it says is what /proc, /sys and other programs say, as we are and as an ordinary user.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/report.sh"
command -v python3 >/dev/null || { skip "doctor here" "no python3"; finish; }

fact() { value "$1" "d['facts'].get('$2')"; }
line() { value "$1" "next(l for l in d['system'] if l['name']=='$2')['works']"; }
able() { value "$1" "next(a for r in d['applets'] if r['name']=='$2' for a in r['abilities'] if a['what']=='$3')['works']"; }
yesno() { if "$@" >/dev/null 2>&1; then echo True; else echo False; fi; }

status "doctor runs" 0 "$PSUITE" doctor
cp "$scratch/out" "$scratch/text"
# A system that lacks much has more lines.
holds "it fits a terminal" "$(wc -l < "$scratch/text") <= 48 && $(wc -L < "$scratch/text") <= 80"
status "and as JSON" 0 "$PSUITE" doctor --json
d=$scratch/out.json; cp "$scratch/out" "$d"

text "the release" "$(uname -r)" "$(fact "$d" release)"
text "the machine" "$(uname -m)" "$(fact "$d" machine)"
text "the CPUs" "$(getconf _NPROCESSORS_ONLN)" "$(fact "$d" cpus)"
text "the page" "$(getconf PAGESIZE)" "$(fact "$d" page_bytes)"
text "open files" "$(ulimit -Sn) $(ulimit -Hn)" "$(fact "$d" nofile)"
for s in perf_event_paranoid perf_event_max_sample_rate perf_event_mlock_kb kptr_restrict; do
  [ -r /proc/sys/kernel/$s ] && text "$s" "$(cat /proc/sys/kernel/$s)" "$(fact "$d" $s)"
done
if [ -e /dev/fuse ]; then text "FUSE" "$(yesno bash -c 'exec 3<>/dev/fuse')" "$(line "$d" FUSE)"
elif ! grep -qw fuse /proc/filesystems; then text "no FUSE" False "$(line "$d" FUSE)"
else skip "FUSE" "it is, without /dev/fuse: private_mounts.sh tests that"; fi
text "9P" "$(yesno grep -qw 9p /proc/filesystems)" "$(line "$d" 9P)"
text "user namespaces" "$(yesno unshare -U true)" "$(line "$d" userns)"
text "kernel names" "$(yesno grep -qm1 -v '^0* ' /proc/kallsyms)" "$(line "$d" kallsyms)"
text "tracefs where it is mounted" "$(yesno grep -q ' tracefs ' /proc/self/mounts)" "$(yesno test "$(fact "$d" tracefs | cut -c1)" = /)"
has "perf: yes or no" 'perf +(perf_event_paranoid|no perf events)' "$scratch/text"
if [ -n "$(ls /proc/device-tree 2>/dev/null)" ]; then
  text "the device tree is seen" "$(ls /proc/device-tree | wc -w)" "$(fact "$d" devicetree | wc -w)"
fi

# The counter: a tick is no shorter than its rate says, a reading costs something, the rate is the kernel's.
hz=$(value "$d" "d['counter']['hz']") step=$(value "$d" "d['counter']['resolution_ns']") cost=$(value "$d" "d['counter']['cost_ns']")
holds "the counter has a plausible rate" "$hz > 1e5 && $hz < 2e10"
holds "its resolution is a tick or more" "$step >= 0.99e9 / $hz"
holds "a reading costs something, under a system call" "$cost > 0.1 && $cost < 50000"
khz=$(cat /sys/devices/system/cpu/cpu0/tsc_freq_khz 2>/dev/null || dmesg 2>/dev/null | sed -n 's/.*tsc: Detected \([0-9.]*\) MHz.*/\1/p' | tail -1 | awk '{ print $1 * 1000 }')
if [ -n "$khz" ] && grep -q '^counter *TSC' "$scratch/text"; then
  holds "the rate is the kernel's within 0.1%" "($hz / 1000 - $khz) ^ 2 < ($khz / 1000) ^ 2"
else
  skip "the rate is the kernel's" "the kernel does not tell one"
fi

# Without privilege: what is refused is told with the setting that refuses it.
if [ "$(id -u)" != 0 ] || ! setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
  skip "as an ordinary user" "cannot become one"
  finish
fi
# Where that user can reach it.
open=$(mktemp -d /tmp/doctor.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
chmod 755 "$open"; install -m 755 "$PSUITE" "$open/psuite"
user="setpriv --reuid=65534 --regid=65534 --clear-groups"
status "an ordinary user has a report" 0 $user "$open/psuite" doctor --json
u=$scratch/user.json; cp "$scratch/out" "$u"
text "it is that user's" 65534 "$(fact "$u" uid)"
p=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo none)
if [ "$p" != none ]; then
  case $p in -*|0|1|2)
    text "paranoid $p: own programs" True "$(able "$u" tprof 'own programs')"
    text "paranoid $p: processes of others" False "$(able "$u" tprof 'processes of others')";;
  *)
    text "paranoid $p: own programs by ptrace" "$(line "$u" ptrace)" "$(able "$u" tprof 'own programs')"
    text "paranoid $p: perf events" False "$(able "$u" tprof 'perf events')";;
  esac
fi
text "FUSE as that user" "$(yesno $user bash -c 'exec 3<>/dev/fuse')" "$(line "$u" FUSE)"
text "namespaces as that user" "$(yesno $user unshare -U true)" "$(line "$u" userns)"
text "names as that user" "$(yesno $user grep -qm1 -v '^0* ' /proc/kallsyms)" "$(line "$u" kallsyms)"
if $user --inh-caps +perfmon --ambient-caps +perfmon true 2>/dev/null && [ "$p" != none ] && [ "$p" -lt 3 ]; then
  status "with CAP_PERFMON" 0 $user --inh-caps +perfmon --ambient-caps +perfmon "$open/psuite" doctor --json
  text "CAP_PERFMON brings processes of others, as told" True "$(able "$scratch/out" tprof 'processes of others')"
fi

# Where /sys or /proc is not mounted, that comes first, with a remedy that works.
bare='unshare -m sh -c'
if $bare 'mount -t tmpfs none /sys' 2>"$scratch/err"; then
  status "without /sys" 0 $bare 'mount -t tmpfs none /sys; exec "$0" doctor' "$PSUITE"
  has "it says so" '^/sys +/sys is not mounted$' <(sed -n 2p "$scratch/out")
  remedy=$(sed -n '3s/^ *//p' "$scratch/out")
  status "after its remedy" 0 $bare 'mount -t tmpfs none /sys; sh -c "$1" && exec "$0" doctor' "$PSUITE" "$remedy"
  hasnt "it is there" '^/sys' "$scratch/out"
  status "without /proc" 0 $bare 'umount -l /proc; exec "$0" doctor' "$PSUITE"
  has "it says so" '^/proc +/proc is not mounted$' <(sed -n 2p "$scratch/out")
  has "names are not known" '^kallsyms +not known without /proc$' "$scratch/out"
  hasnt "no option is named that depends on /proc" 'CONFIG_(KALLSYMS|FTRACE|TRACING|9P_FS|FUSE_FS)' "$scratch/out"
  remedy=$(sed -n '3s/^ *//p' "$scratch/out")
  status "after its remedy" 0 $bare 'umount -l /proc; sh -c "$1" && exec "$0" doctor' "$PSUITE" "$remedy"
  hasnt "it is there" '^/proc' "$scratch/out"
else
  skip "without /proc and /sys" "$(head -1 "$scratch/err")"
fi
status "every backend of iostats is listed" 0 "$PSUITE" doctor --json
for backend in 'calls (-b ptrace)' 'messages (-b 9p)' 'messages (-b fuse)'; do
  ok "$backend" test -n "$(able "$scratch/out" iostats "$backend")"
done

# Nothing stays: no child, no mount.
before=$(cat /proc/self/mounts | wc -l); "$PSUITE" doctor >/dev/null
text "no mount stays" "$before" "$(cat /proc/self/mounts | wc -l)"
finish
