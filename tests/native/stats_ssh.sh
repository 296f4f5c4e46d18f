#!/bin/bash
# stats of a machine by real ssh, to a server of our own on loopback: it works, its session dies and is back, the server dies
# and is back, and a key that is not known is a reason.
# A root's server wants a user sshd: where there is none, one is put into a table of users that this test alone sees.
id sshd >/dev/null 2>&1 || [ "$(id -u)" != 0 ] || [ -n "${INSIDE:-}" ] || ! unshare -m true 2>/dev/null ||
  INSIDE=1 exec unshare -m bash "$0"
. lib/check.sh
. lib/need.sh
need ssh=openssh-client || { skip 'ssh' 'openssh-client could not be installed'; finish; }
cd "$scratch" || exit
# Installing the server would start one on this machine: it is unpacked, if it is not here.
sshd=/usr/sbin/sshd
if [ ! -x $sshd ]; then
  apt-get download -qq openssh-server 2> err > out && dpkg -x openssh-server_*.deb unpacked
  sshd=$scratch/unpacked/usr/sbin/sshd
fi
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
[ -z "${INSIDE:-}" ] || { cat /etc/passwd; echo 'sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin'; } > users
[ -z "${INSIDE:-}" ] || mount --bind users /etc/passwd
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
for key in host user other; do ssh-keygen -q -t ed25519 -N '' -f $key; done
cp user.pub known-users
cat > sshd.conf <<C
Port $port
ListenAddress 127.0.0.1
HostKey $scratch/host
AuthorizedKeysFile $scratch/known-users
PidFile $scratch/sshd.pid
StrictModes no
UsePAM no
PasswordAuthentication no
C
cat > ssh.conf <<C
Host *
 HostName 127.0.0.1
 Port $port
 User $(id -un)
 IdentityFile $scratch/user
 IdentitiesOnly yes
 UserKnownHostsFile $scratch/known-hosts
 StrictHostKeyChecking accept-new
 BatchMode yes
C
"$sshd" -t -f "$scratch/sshd.conf" 2> err || { skip 'ssh' "no sshd that runs here: $(head -1 err)"; finish; }
sessions() { # all that the server has started, in any generation: an ordinary user's session outlives its parent
  local of
  of=$(cat sshd.pid)
  while of=$(pgrep -d, -P "$of"); do tr , '\n' <<< "$of"; done
}
trap 'kill -9 $(sessions) $(cat sshd.pid) 2>/dev/null; rm -rf "$scratch"' EXIT
serve() {
  "$sshd" -f "$scratch/sshd.conf" -E "$scratch/sshd.log"
  until_ok test -s sshd.pid || fail 'sshd' "$(cat sshd.log)"
}
serve
export PSUITE_DIAL="ssh -F $scratch/ssh.conf %h '$PSUITE' export -"
stats() { timeout 120 "$PSUITE" stats "$@"; }

tell() { awk -F, 'NR > 1 && $4 == 0 && $6 > 0 { gsub(/"/, "", $2); n[$2]++ } END { for (s in n) if (n[s] > 2) print s }' out | sort | paste -sd' '; }
for samples in 8 50 100; do # on a busy machine one of both comes later than the other
  status 'by ssh' 0 stats --csv -clm -T 0.2 --samples $samples "$(id -un)@board" board2
  [ "$(tell)" != "board2 $(id -un)@board" ] || break
done
text 'each tells' "board2 $(id -un)@board" "$(tell)"
text 'ssh talks past the screen' '' "$(cat err)"
"$PSUITE" stats --csv -l -T 0.2 board > csv 2> err & run=$!
# By its last sample: it is there, or has been away for over 600 ms
is_there() { [ "$(wc -l < csv)" -gt 3 ] && tail -1 csv | awk -F, '{ exit $4 != 0 }'; }
is_away() { tail -1 csv | awk -F, '{ exit !($4 > 600) }'; }
ok 'it answers' until_ok is_there
kill -9 $(sessions) # its session; it is dialled again in a second
ok 'its session is away' until_ok is_away
ok 'its session is back' until_ok is_there
kill -9 $(sessions) "$(cat sshd.pid)"; rm sshd.pid # the server
ok 'its server is away' until_ok is_away
serve
ok 'its server is back' until_ok is_there
kill $run; wait $run
text 'it ended in order' 0 $?
text 'nothing was said meanwhile' '' "$(cat err)"
awk -F, 'NR > 1 { if ($4 > 600 && !away) { away = 1; times++ } if ($4 == 0) away = 0; if ($4 > 0 && $5 == "") lost++; last = $4 }
  END { print times + 0, lost + 0, last }' csv > story
read -r times lost last < story
holds 'away twice; more often where a loaded machine answers late' "$times >= 2"
holds 'its last value kept, and back at the end' "$lost == 0 && $last <= 600"
sed -i "s|$scratch/user|$scratch/other|" ssh.conf
for _ in 1 2 3 4 5; do # on a busy machine ssh may say nothing in time
  stats --once -l -T 0.2 board > out 2> err; got=$?
  grep -q 'no answer$' err || break
done
text 'a key that is not known' 1 $got
has 'is the reason' '^stats: board: left out: .*[Pp]ermission denied' err
no_session() { [ -z "$(sessions)" ]; }
until_ok no_session
text 'no session is left' '' "$(sessions)"
finish
