# inside.sh: what is tested in a guest, on a real kernel of its own. busybox sh; boots with nothing but psuite and /test.
# inside.d/APPLET.sh is sourced for each applet that has one (sample.sh for the sampler itself); it may call what stands here:
#   ok WHAT COMMAND...             the command must succeed
#   status WHAT WANTED COMMAND...  its exit status; the output is left in $out, the errors in $err
#   has WHAT PATTERN FILE          an extended regular expression matches a line
#   text WHAT WANTED GOT           two strings are the same
#   holds WHAT 'AWK CONDITION'     on numbers
#   skip WHAT WHY
# with the workloads in $work (armhf: also as NAME-a32), $ARCH, and the applets' links first on PATH. V=1 shows what passes.
passed=0 failed=0 skipped=0
work=/test/work out=/tmp/out err=/tmp/err
part_file=inside.sh
pass() { passed=$((passed + 1)); [ -z "$V" ] || echo "ok $1"; }
fail() { failed=$((failed + 1)); echo "FAILED $1"; echo "    in tests/guest/$part_file"; shift; [ $# = 0 ] || printf '    %s\n' "$@"; }
skip() { skipped=$((skipped + 1)); echo "skipped $1: $2"; }
status() {
  what=$1 want=$2; shift 2
  "$@" >$out 2>$err; got=$?
  if [ $got = "$want" ]; then pass "$what"; else fail "$what" "$*: exit status $got, want $want" "$(head -5 $err)" "$(tail -5 $out)"; fi
}
ok() { what=$1; shift; status "$what" 0 "$@"; }
has() { if grep -Eq -- "$2" "$3"; then pass "$1"; else fail "$1" "no line matches: $2" "$(head -20 "$3")"; fi; }
text() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "want: $2" "got:  $3"; fi; }
holds() { if awk "BEGIN { exit !($2) }"; then pass "$1"; else fail "$1" "not so: $2"; fi; }
part() { # part FILE: sources it
  part_file=inside.d/$1 since=$(seconds)
  . "/test/$part_file"
  echo "-- $part_file: $(($(seconds) - since)) s"
  part_file=inside.sh
}
seconds() { cut -d. -f1 /proc/uptime; }

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
export UNIT_DATA=/test/data
ok 'the unit tests' /test/unit
grep -B 9 '^FAILED' $out | tail -40
[ "$ARCH" = armhf ] || { ok 'a program unwinds itself' /test/unwindself 5; cat $out; }
[ ! -x /test/sampledump ] || part sample.sh
[ ! -x /test/iotracedump ] || part iotrace.sh
[ ! -x /test/profdump ] || part prof_runtime.sh
for applet in $applets; do
  ok "help $applet" psuite help "$applet"
  text "$applet by its link" "/usr/lib/psuite/bin/$applet" "$(which "$applet")"
  [ ! -e "/test/inside.d/$applet.sh" ] || part "$applet.sh"
done
echo "$passed passed, $failed failed, $skipped skipped, $(seconds) s"
[ $failed = 0 ]
