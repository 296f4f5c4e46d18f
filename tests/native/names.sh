#!/bin/bash
# Hosts by their names, asked of name servers that a script plays, in a network of our own: one that is dead, one that answers
# late, aliases, IPv6, names that nobody has, and .local by mDNS.
if [ -z "${INSIDE:-}" ]; then
  if [ "$(id -u)" = 0 ] && unshare -mn true 2>/dev/null; then INSIDE=1 exec unshare -mn bash "$0"; fi
  . lib/check.sh; skip 'names' 'no network of our own: not root'; finish
fi
. lib/check.sh
. lib/need.sh
need ip=iproute2 || { skip 'names' 'ip could not be installed'; finish; }
cd "$scratch" || exit
started=()
trap 'kill -9 "${started[@]}" 2>/dev/null; rm -rf "$scratch"' EXIT
ip link set lo up multicast on
ip route add 224.0.0.0/4 dev lo
printf 'search lan\nnameserver 127.0.0.7\nnameserver 127.0.0.8\n' > resolv.conf # nobody is at the first
[ -e /etc/resolv.conf ] && mount --bind resolv.conf /etc/resolv.conf
cat > resolver.py <<'P'
import select, socket, struct
A, ALIAS, AAAA = 1, 5, 28
here, six, other = socket.inet_aton('127.0.0.1'), socket.inet_pton(socket.AF_INET6, '::1'), b'\x05board\x03lan\0'
known = {'board.lan': [(A, here)], 'alias.lan': [(ALIAS, other), (A, here)], 'six.lan': [(AAAA, six)], 'late.lan': [(A, here)],
         'nowhere.lan': [], 'board.local': [(A, here)], 'sick.lan': None}
dns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
dns.bind(('127.0.0.8', 53))
mdns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
mdns.bind(('224.0.0.251', 5353))
mdns.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton('224.0.0.251') + here)
log, late = open('asked', 'w', buffering=1), 0
while True:
    for s in select.select([dns, mdns], [], [])[0]:
        q, who = s.recvfrom(600)
        at, labels = 12, []
        while q[at]:
            labels.append(q[at + 1:at + 1 + q[at]].decode()); at += 1 + q[at]
        name, (kind,) = '.'.join(labels), struct.unpack_from('>H', q, at + 1)
        print(name, kind, 'mdns' if s is mdns else 'dns', file=log)
        if name == 'late.lan':
            late += 1
            if late == 1: continue
        if name not in known and s is mdns: continue
        code = 3 if name not in known else 2 if known[name] is None else 0
        records = [r for r in known.get(name) or [] if r[0] in (kind, ALIAS)]
        answer = b''.join(b'\xc0\x0c' + struct.pack('>HHIH', t, 1, 60, len(d)) + d for t, d in records)
        s.sendto(struct.pack('>HHHHHH', struct.unpack_from('>H', q)[0], 0x8180 | code, 1, len(records), 0, 0) + q[12:at + 5] + answer, who)
P
python3 resolver.py & started+=($!)
until_ok test -e asked
for at in 127.0.0.1 '::1'; do
  start_server 'serving at' said "$PSUITE" export "tcp!$at!5640"; started+=($!)
done
want=$("$PSUITE" ns cat '#c/sysname')
reads() { text "$1" "$want" "$(timeout 100 "$PSUITE" ns -n "tcp!$2!5640" cat '#c/sysname')"; }
reads 'a name, its first server dead' board.lan
reads 'one of the search domain' board
reads 'an alias' alias.lan
reads 'one that has IPv6 alone' six.lan
reads 'one whose question is lost at first' late.lan
reads 'one of the local network' board.local
text 'asked of that alone' 'board.local 1 mdns' "$(grep local asked)"
status 'a name that nobody has' 1 timeout 100 "$PSUITE" ns -n 'tcp!none.lan!5640' ls
has 'an unknown name: host not found' '^ns: /: no connection: host not found$' err
status 'a name without an address' 1 timeout 100 "$PSUITE" ns -n 'tcp!nowhere.lan!5640' ls
has 'a name without an address: host not found' '^ns: /: no connection: host not found$' err
status 'a server that cannot tell' 1 timeout 100 "$PSUITE" ns -n 'tcp!sick.lan!5640' ls
has 'a name server that fails: no name server answers' '^ns: /: no connection: no name server answers$' err
status 'a .local name without a host' 1 timeout 100 "$PSUITE" ns -n 'tcp!none.local!5640' ls
has 'a .local name without a host: no name server answers' '^ns: /: no connection: no name server answers$' err
# A name that is waited for disturbs no other machine.
for _ in 1 2 3 4 5; do # without a CPU a sample is late, too: one that waits for a name is late each time
  status 'stats of two' 0 timeout 100 "$PSUITE" stats --csv -l -T 0.1 --samples 30 'tcp!none.local!5640' 'tcp!board.lan!5640'
  read -r told late worst < <(awk -F, '$2 ~ /board/ { n++; late += $4 > 0; if ($4 > worst) worst = $4 } END { print n, late + 0, worst + 0 }' out)
  [ "$late" -gt 5 ] || [ "$worst" -ge 900 ] || break
done
holds "samples of a reachable host are on time while another name is looked up: of $told samples $late late, by $worst ms at most" "$told == 30 && $late <= 5 && $worst < 900"
echo > resolv.conf
status 'no name servers' 1 timeout 100 "$PSUITE" ns -n 'tcp!board.lan!5640' ls
has 'without name servers the message names /etc/hosts' '^ns: /: no connection: board.lan: not an address, and not in /etc/hosts' err
finish
