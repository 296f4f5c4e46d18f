# inside.sh: what is tested in a guest, on a real kernel of its own. busybox sh; boots with nothing but psuite and /test.
# inside.d/APPLET.sh is sourced for each applet that has one (sample.sh for the sampler itself); it may call what is in checks.sh,
# with the workloads in $work (armhf: also as NAME-a32), $ARCH, and the applets' links first on PATH. V=1 shows what passes.
# PARTS: the names of those that are wanted; empty: all. WHOLE=1: with more, and larger, loads.
. /test/checks.sh
part_file=inside.sh since=0 busy_since=0
busy_cs() { awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 }' /proc/stat; } # of all CPUs, in hundredths of a second
part_costs() { echo "-- $part_file: $(($(seconds) - since)) s, $((($(busy_cs) - busy_since) / 100)) s of CPU"; }
part() { # part FILE: sources it
  [ -z "${PARTS:-}" ] || case " $PARTS " in *" ${1%.sh} "*) ;; *) return ;; esac
  part_file=inside.d/$1 since=$(seconds) busy_since=$(busy_cs)
  . "/test/$part_file"
  part_costs
  part_file=inside.sh
}

ok 'psuite --version' psuite --version
has 'the version tells the linkage' 'static' $out
mkdir -p /tmp/bare && cp /usr/bin/psuite /tmp/bare/
ok 'psuite needs no file beside itself' chroot /tmp/bare /psuite --list
ok 'psuite --list' psuite --list
applets=$(cat $out)
status 'an unknown applet' 127 psuite nosuchapplet
mkdir -p /usr/lib/psuite/bin
ok 'psuite --install' psuite --install /usr/lib/psuite/bin
text 'one link an applet' "$(echo "$applets" | sort)" "$(ls /usr/lib/psuite/bin)"
ok 'a program with shared libraries' $work/shares 2
has 'its three modules' 'shares .* libshare_one.so .* libshare_two.so' $out
[ "$ARCH" = armhf ] || { ok 'a program unwinds itself' /test/unwindself 5; cat $out; }
part_costs
[ ! -x /test/sampledump ] || part sample.sh
[ ! -x /test/iotracedump ] || part iotrace.sh
[ ! -x /test/profdump ] || part prof_runtime.sh
for applet in $applets; do
  ok "help $applet" psuite help "$applet"
  text "$applet by its link" "/usr/lib/psuite/bin/$applet" "$(which "$applet")"
  [ ! -e "/test/inside.d/$applet.sh" ] || part "$applet.sh"
done
part prof_device.sh
part functions.sh
finish
