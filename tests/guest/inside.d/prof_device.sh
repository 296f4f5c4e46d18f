# #P, prof(3): instructions, bytes and samples of programs, by ns, bind and export. The instructions are those of prof --coverage,
# calls and bytes those that the program is known to have.
export LD_BIND_NOW=1 # else threads race for the program's stubs
text_start() { # text_start FILE: the address of its executable segment
  od -An -v -tu4 -N 1024 "$1" | tr -s ' ' '\n' | grep . | awk '{ w[NR - 1] = $1 } END {
    wide = w[1] % 256 == 2 # ELFCLASS64
    for (i = wide ? 16 : 13; i < NR; i += wide ? 14 : 8)
      if (w[i] == 1 && w[i + (wide ? 1 : 6)] % 2) { print w[i + (wide ? 4 : 2)]; exit }
  }'
}
recorded() { # recorded START FILE: pairs, of what prof --coverage has recorded
  awk -v start="$1" 'function hex(s, n, i) { for (i = 1; i <= length(s); i++) n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return n }
    /^module/ { inside = 1; next } inside { printf "%d %d\n", hex($1) - start, $2 }' "$2"
}
first_of() { # first_of FUNCTION START PROGRAM PAIRS: how often its first instruction was executed
  awk -v start="$2" '{ printf "%x\n", $1 + start }' "$4" | psuite sym "$3" | sed 's/ at .*//' > /tmp/named
  paste -d' ' "$4" /tmp/named | awk -v name="$1" '$3 == name "+0x0" { print $2 }'
}
pairs() { exec 3< "$1"; while dd bs=64 count=1 <&3 > /tmp/pair 2>/dev/null && [ -s /tmp/pair ]; do cat /tmp/pair; echo; done; exec 3<&-; }
device() { ok "$1" timeout 200 psuite ns -f --records -c "$2"; } # device WHAT COMMANDS

# --- instructions of a program, but not of one that is second in the list
counting() { # counting VARIANT
  heap=$work/heap$1 start=$(text_start $work/heap$1)
  status "heap$1: prof --coverage" 3 timeout 200 psuite prof --coverage -q -f --record /tmp/record -x $heap 1
  device "heap$1: startcp" "write #P/ctl module heap$1 burn; write #P/ctl startcp; run $work/burn 1; run sh -c '$heap 1; true'; write #P/ctl stop; ls #P; cat #P/00000001/path; cat #P/00000001/name; cat #P/00000001/histogram > /tmp/counts"
  text "heap$1: one module" "#P/ctl #P/00000001 $heap heap$1" "$(grep -v '^ *$' $out | paste -sd' ')"
  recorded "$start" /tmp/record > /tmp/want
  holds "heap$1: many instructions" "$(wc -l < /tmp/counts) > 100"
  ok "heap$1: as often as prof --coverage says" cmp /tmp/want /tmp/counts
  text "heap$1: calls of functions" '5 1 1' "$(echo $(for f in leaf resize kinds; do first_of $f "$start" $heap /tmp/counts; done))"
}
counting ''
[ "$ARCH" != armhf ] || counting -a32
device 'covered: startcp follows threads, a fork and an exec' "write #P/ctl module covered; write #P/ctl startcp; run $work/covered 2 4; write #P/ctl stop; cat #P/00000001/histogram > /tmp/counts"
start=$(text_start $work/covered)
text 'covered: calls' '16 5' "$(echo $(for f in leaf handler; do first_of $f "$start" $work/covered /tmp/counts; done))"
text 'covered: what was not called' '' "$(first_of never "$start" $work/covered /tmp/counts)"

# --- bytes: of the module, now and at most; of the places that allocate
device 'startmp' "write #P/ctl module heap; write #P/ctl startmp; run sh -c '$work/heap 1 child; true'; write #P/ctl stop; cat #P/00000001/histogram > /tmp/cells"
cell() { awk -v n="$1" '$1 == n { print $2 }' /tmp/cells; }
text 'the module: its block of 12345, and its child'"'"'s of 777' '13122 13122' "$(cell 0) $(cell 1)"
start=$(text_start $work/heap)
awk '$1 > 1 && $1 % 2 { print ($1 - 1) / 2 - 1, $2 }' /tmp/cells > /tmp/most
awk -v start="$start" '{ printf "%x\n", $1 + start }' /tmp/most | psuite sym -r $work/heap | sed 's/+.*//; s/ at .*//' | paste -d' ' /tmp/most - > /tmp/places
text 'resized' 10000 "$(awk '$3 == "resize" { print $2 }' /tmp/places)"
text 'other calls' '100 128 200 300 40 5000' "$(echo $(awk '$3 == "kinds" { print $2 }' /tmp/places | sort))"
text 'one function that is called from two' 13122 "$(awk '$3 == "leaf" { print $2 }' /tmp/places | sort -n | tail -1)"

# --- a process that runs: not on ARM
sleep 1000 & victim=$!
if [ "$ARCH" = amd64 ]; then device 'a process that runs' "write #P/ctl startcp $victim; write #P/ctl stop"
else
  status 'a process that runs is refused' 1 psuite ns write '#P/ctl' "startcp $victim"
  has 'and says why' '^ns: attaching: .* step' $err
fi
kill $victim; wait $victim 2>/dev/null

# --- samples, by bind and export: the same program has its time in three modules
named() { for d in $1/0*; do [ "$(cat $d/name)" != "$2" ] || echo $d; done; } # named FOLDER NAME
samples() { pairs "$(named $1 $2)/histogram" | awk '{ s += $2 } END { print s + 0 }'; }
count() { # count FOLDER: one, two, three, all; how many of the shares were further off than four deviations and two points in each try since good= (which has the others)
  one=$(samples $1 shares) two=$(samples $1 libshare_one.so) three=$(samples $1 libshare_two.so)
  all=$((one + two + three))
  read own_one _ own_two _ own_three _ < /tmp/own
  good="$good $(echo "$all $one $own_one $two $own_two $three $own_three" | awk '{
    for (i = 2; i < NF; i += 2) { p = $(i + 1) / 100; if ($1 && ($i / $1 - p) ^ 2 <= (4 * sqrt(p * (1 - p) / $1) + 0.02) ^ 2) print i } }')"
  off=$((3 - $(echo $good | tr ' ' '\n' | grep . | sort -u | wc -l)))
}
if ! psuite ns write '#P/ctl' start 2>$err; then
  skip 'samples' "$(head -1 $err)"
elif [ ! -c /dev/fuse ] && ! modprobe fuse 2>/dev/null; then
  skip 'samples by bind' 'this kernel has no FUSE'
else
  mkdir -p /n/prof
  ok "bind '#P' /n/prof" psuite bind '#P' /n/prof
  # Five tries: an emulated processor on a busy host stalls, which the programs' clocks count and no sample sees.
  good=
  for try in 1 2 3 4 5; do
    for message in 'module shares libshare_one.so libshare_two.so' 'interval 1' start; do ok "echo $message" sh -c "echo $message > /n/prof/ctl"; done
    $work/shares 300 > /tmp/own
    ok 'echo stop' sh -c 'echo stop > /n/prof/ctl'
    count /n/prof
    [ "$off" != 0 ] && [ $try -lt 5 ] || break
    ok 'echo end' sh -c 'echo end > /n/prof/ctl'
  done
  holds "samples by bind: $all" "$all > 100"
  text "shares $one $two $three, $own_one $own_two $own_three by its own clocks; how many are off" 0 "$off"
  dir=$(named /n/prof shares)
  text 'its path' $work/shares "$(cat $dir/path)"
  pairs $dir/histogram > /tmp/sampled
  ok 'addresses ascend' awk 'NR > 1 && $1 <= last || $2 < 1 { exit 1 } { last = $1 }' /tmp/sampled
  exec 3< $dir/histogram
  status 'a read of 19 bytes is refused' 1 sh -c 'dd bs=19 count=1 <&3'
  ok 'end' sh -c 'echo end > /n/prof/ctl'
  text 'nothing is left' ctl "$(ls /n/prof)"
  text 'but what was opened before' "$(head -1 /tmp/sampled)" "$(dd bs=64 count=1 <&3 2>/dev/null)"
  exec 3<&-
  status 'startcp is refused in a mount' 1 sh -c 'echo startcp > /n/prof/ctl'
  ok 'unbind' psuite unbind /n/prof
fi
psuite export -w unix!/tmp/prof.s 2>/dev/null & server=$!
listens /tmp/prof.s
status 'startcp is refused by a server' 1 psuite ns -n unix!/tmp/prof.s write '#P/ctl' startcp
has 'which says why' 'it needs breakpoints, and only programs that psuite started may have any' $err
if psuite ns -n unix!/tmp/prof.s -c "write #P/ctl module libshare_two.so; write #P/ctl interval 1; write #P/ctl start" 2>$err; then
  $work/shares 100 > /tmp/own
  ok 'samples by export' psuite ns -n unix!/tmp/prof.s --records -f -c 'write #P/ctl stop; ls #P; cat #P/00000001/name; cat #P/00000001/histogram > /tmp/sampled'
  has 'the module' 'libshare_two.so' $out
  holds 'its samples' "$(awk '{ s += $2 } END { print s + 0 }' /tmp/sampled) > 30"
else
  skip 'samples by export' "$(head -1 $err)"
fi
kill $server; wait $server 2>/dev/null
