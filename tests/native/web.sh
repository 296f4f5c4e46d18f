#!/bin/bash
# stats on the web: real clients of its server, and its page in a browser.
. "$TESTS/lib/check.sh"
own=$TESTS/native/web demo=$(dirname "$PSUITE")/tests/statsdemo

# serve ADDRESS [INTERVAL_MS [HISTORY]]: in the background, as $server; where it is, in $at
serve() {
  rm -f "$scratch/at"
  timeout 600 "$demo" "$@" >"$scratch/at" 2>"$scratch/serve.err" </dev/null & server=$!
  until_ok test -s "$scratch/at"
  at=$(head -1 "$scratch/at")
}
end() { kill -INT "$server" 2>/dev/null; wait "$server"; }
# events URL N: the first N of a stream
events() { curl -sN --max-time 60 "$1" 2>/dev/null | awk -v n="$2" '{ print } /^data: / && ++seen == n { exit }'; }
get() { curl -s --max-time 60 "$@"; }

serve :0 100 5
holds 'a free port of the loopback' "\"$at\" ~ /^127\\.0\\.0\\.1:[0-9]+\$/"
get "http://$at/" >"$scratch/page"
has 'the page' '<title>stats</title>' "$scratch/page"
sed -n '/^<script>$/,/^<\/script>$/p' "$scratch/page" | sed '/^<\/*script>$/d' >"$scratch/scripts"
ok 'its scripts are the sources, the shared one first' cmp "$scratch/scripts" <(cat "$SOURCE"/src/core/{text/page/shared,stats/page/processes,stats/page/page}.js)
text 'it names no other machine' '' "$(grep -oE '(https?:)?//[a-z0-9.-]+\.[a-z]+[^ ]*' "$scratch/page" | head -3)"
get -D "$scratch/head" -o "$scratch/metrics" -H 'Accept: application/openmetrics-text' "http://$at/metrics"
has 'OpenMetrics where it is asked for' '^Content-Type: application/openmetrics-text; version=1.0.0' "$scratch/head"
text 'to its end' '# EOF' "$(tail -1 "$scratch/metrics")"
get -D "$scratch/head" -o "$scratch/plain" "http://$at/metrics"
has 'else plain text' '^Content-Type: text/plain; version=0.0.4' "$scratch/head"
command -v promtool >/dev/null && ok 'in which promtool misses nothing' sh -c "promtool check metrics <'$scratch/plain'"
events "http://$at/events" 12 >"$scratch/events"
holds 'events: what was, and what comes' "$(grep -c '^data: {"psuite":1' "$scratch/events") >= 10"
sed -n 's/^data: //p' "$scratch/events" >"$scratch/lines"
ok 'each is a line of JSON' python3 -c 'import json,sys; t = [json.loads(l)["time"] for l in open(sys.argv[1])]; assert t == sorted(set(t))' "$scratch/lines"
text 'somebody else`s name' 421 "$(get -o /dev/null -w '%{http_code}' -H 'Host: evil.example' "http://$at/")"
text 'no such thing' 404 "$(get -o /dev/null -w '%{http_code}' "http://$at/etc/passwd")"
text 'no POST' 405 "$(get -o /dev/null -w '%{http_code}' -d x=y "http://$at/")"
text 'HEAD has no body' 0 "$(get -I -o /dev/null -w '%{size_download}' "http://$at/")"
ok 'many at once, slow ones, and nonsense' timeout 60 python3 "$own/crowd.py" "${at##*:}"
end
has 'an interrupt ends it' 'answered' "$scratch/at"

serve "unix!$scratch/socket" 100 5
text 'a unix socket is its owner`s' 'srw-------' "$(stat -c %A "$scratch/socket")"
get --unix-socket "$scratch/socket" http://board/metrics >"$scratch/metrics"
text 'and serves' '# EOF' "$(tail -1 "$scratch/metrics")"
end
text 'and goes with it' '' "$(ls "$scratch/socket" 2>/dev/null)"

# The applet itself: this machine, without a terminal and with one.
begin() { # begin COMMAND...: a stats that serves, as $server; where its page is, in $at
  rm -f "$scratch/at" "$scratch/screen"
  timeout 600 "$@" >"$scratch/screen" 2>"$scratch/at" </dev/null & server=$!
  until_ok grep -qs 'serving the page at' "$scratch/at" "$scratch/screen"
  at=$(grep -hoa 'http://[0-9.:]*' "$scratch/at" "$scratch/screen" | head -1)
}
# lines: what the first events are about
lines() {
  events "$at/events" 6 | sed -n 's/^data: //p' |
    python3 -c 'import json,sys; l = [json.loads(x) for x in sys.stdin]; s = l[-1]["sources"][0]["graphs"]
print(len(l) > 4, len(s), next(g["value"] > 0 for g in s if g["graph"] == "mem"))'
}
begin "$PSUITE" stats -T 0.2 --web :0 "--openmetrics=unix!$scratch/socket"
text 'stats: events of this machine' 'True 40 True' "$(lines)"
get --unix-socket "$scratch/socket" http://x/metrics >"$scratch/metrics"
has 'stats: metrics elsewhere' '^psuite_memory_used_bytes\{source="[^"]+"\} [1-9]' "$scratch/metrics"
get --unix-socket "$scratch/socket" http://x/ -o /dev/null -w '%{http_code}\n' >"$scratch/code"
has 'stats: no page there' '^404$' "$scratch/code"
crowd() { # more live clients than there may be: how many were accepted, and how many refused
  timeout 60 python3 - "${at##*:}" <<'P'
import socket, sys
held = []
for _ in range(51):
    s = socket.create_connection(('127.0.0.1', int(sys.argv[1])), 30)
    s.sendall(b'GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n')
    held.append((s, s.makefile('rb').readline().split()[1]))
status = [x[1] for x in held]
print(status.count(b'200'), '200 and', status.count(b'503'), '503')
P
}
text 'stats: 48 live clients, and further ones are refused with 503' '48 200 and 3 503' "$(crowd)"
kill -INT "$(pgrep -P "$server" || echo "$server")"; wait "$server"
text 'stats: an interrupt is its end' 0 "$?"
has 'stats: it says how many were refused' '^stats: --web: 3 clients refused: at most 64 at a time, 48 of them live$' "$scratch/at"
text 'stats: nothing stays behind' '' "$(ls "$scratch/socket" 2>/dev/null)"
begin script -qefc "stty rows 24 cols 80; TERM=xterm $PSUITE stats -T 0.2 --web :0" /dev/null
text 'stats: beside the screen, too' 'True 40 True' "$(lines)"
has 'stats: the screen is drawn' 'load' "$scratch/screen"
kill "$(pgrep -P "$server" || echo "$server")"; wait "$server"

# Processes by name: those of a program that works meanwhile.
begin "$PSUITE" stats -T 0.2 --web :0 --processes
curl -s --max-time 30 "$at/metrics" >/dev/null
cp "$WORK/burn" "$scratch/webburn" # other tests have programs that run, too
"$scratch/webburn" 1000000 & burn=$!
cpu() { sed -n 's/^psuite_process_cpu_seconds_total{name="webburn"} //p' "$1"; }
# shows FILE COUNT SECONDS: the metrics, in FILE, have so many processes of that name, with at least that CPU time
shows() {
  curl -s --max-time 30 "$at/metrics" >"$1"
  grep -q "^psuite_processes{name=\"webburn\"} $2\$" "$1" && awk "BEGIN { exit !($(cpu "$1") >= $3) }"
}
ok 'processes: by name, with its CPU time' until_ok shows "$scratch/metrics" 1 0.05
kill "$burn"; wait "$burn" 2>/dev/null
ok 'processes: none is left, and its CPU time is kept' until_ok shows "$scratch/later" 0 "$(cpu "$scratch/metrics")"
text 'processes: to its end' '# EOF' "$(tail -1 "$scratch/later")"
[ ! -e /sys/fs/cgroup/cgroup.controllers ] || has 'control groups' '^psuite_cgroup_cpu_seconds_total\{cgroup="/"\} [0-9.]+$' "$scratch/later"
command -v promtool >/dev/null && ok 'processes: promtool finds no error' sh -c "promtool check metrics <'$scratch/later' >/dev/null; [ \$? != 1 ]"
kill "$(pgrep -P "$server" || echo "$server")"; wait "$server"

# Profiles, for pprof: of a program that is all there is to see.
if "$PSUITE" tprof -a -k -g -q -t 0.1 -o folded:"$scratch/try" 2>"$scratch/err"; then
  begin "$PSUITE" stats -T 0.2 --web :0 --pprof
  has 'profiles: where' "^stats: serving profiles at $at/debug/pprof/profile\$" "$scratch/at"
  "$WORK/shares" 1000000 >/dev/null & shares=$!
  ok 'profiles: one' curl -s --fail --max-time 60 -o "$scratch/profile" "$at/debug/pprof/profile?seconds=2"
  status 'profiles: pprof reads it' 0 env PPROF_TMPDIR="$scratch" go tool pprof -top -nodecount=20 "$scratch/profile"
  cp "$scratch/out" "$scratch/top"
  has 'profiles: with the functions that ran' 'in_main|in_one|in_two|share_work' "$scratch/top"
  status 'profiles: by its address' 0 env PPROF_TMPDIR="$scratch" go tool pprof -top -nodecount=20 "$at/debug/pprof/profile?seconds=1"
  has 'profiles: the same functions' 'in_main|in_one|in_two|share_work' "$scratch/out"
  # Two at once wait for one sampling, and the page is served meanwhile.
  curl -s --max-time 60 -o "$scratch/first" "$at/debug/pprof/profile?seconds=5" & first=$!
  curl -s --max-time 60 -o "$scratch/second" "$at/debug/pprof/profile?seconds=5" & second=$!
  sleep 0.5
  text 'profiles: meanwhile the page is served' 200 "$(get --max-time 4 -o /dev/null -w '%{http_code}' "$at/")"
  wait "$first" "$second"
  ok 'profiles: two clients get the same' cmp "$scratch/first" "$scratch/second"
  holds 'profiles: which is one' "$(stat -c %s "$scratch/first") > 100"
  # One that goes away leaves a sampling that ends by itself.
  curl -s --max-time 0.3 -o /dev/null "$at/debug/pprof/profile?seconds=1"
  sleep 1.5
  text 'profiles: no such time' 400 "$(get -o /dev/null -w '%{http_code}' "$at/debug/pprof/profile?seconds=0")"
  text 'profiles: nor such' 400 "$(get -o /dev/null -w '%{http_code}' "$at/debug/pprof/profile?seconds=601")"
  text 'profiles: nor such a query' 400 "$(get -o /dev/null -w '%{http_code}' "$at/debug/pprof/profile?second=1")"
  text 'profiles: HEAD samples nothing' 200 "$(get -I -o /dev/null -w '%{http_code}' "$at/debug/pprof/profile")"
  if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    text 'profiles: not for another user' 403 "$(setpriv --reuid 65534 --clear-groups curl -s --max-time 5 -o /dev/null -w '%{http_code}' "$at/debug/pprof/profile?seconds=1")"
  fi
  kill "$shares"; wait "$shares" 2>/dev/null
  kill -INT "$(pgrep -P "$server" || echo "$server")"; wait "$server"
  text 'profiles: an interrupt is the end' 0 "$?"
  begin "$PSUITE" stats -T 0.2 --web :0
  text 'profiles: not unless asked for' 404 "$(get -o /dev/null -w '%{http_code}' "$at/debug/pprof/profile?seconds=1")"
  kill -INT "$(pgrep -P "$server" || echo "$server")"; wait "$server"
else
  skip 'profiles' "$(head -1 "$scratch/err")"
fi

if command -v chromium >/dev/null; then
  status 'in a browser' 0 timeout 600 python3 "$own/page.py" "$demo" "$scratch" "${PICTURES:-}"
  while read -r kind what; do
    case $kind in
      ok) pass "page: $what" ;;
      FAILED) fail "page: $what" ;;
    esac
  done <"$scratch/out"
  has 'page: to its end' '^end' "$scratch/out"
else
  skip 'the page in a browser' 'no chromium'
fi

if command -v prometheus >/dev/null; then
  serve :0 1000 5
  mkdir "$scratch/prometheus"
  printf 'global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: psuite\n  static_configs: [{targets: ["%s"]}]\n' "$at" >"$scratch/prometheus.yml"
  ok 'Prometheus takes its configuration' promtool check config "$scratch/prometheus.yml"
  get -H 'Accept: application/openmetrics-text' "http://$at/metrics" >"$scratch/metrics"
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  timeout 600 prometheus --config.file="$scratch/prometheus.yml" --storage.tsdb.path="$scratch/prometheus" --log.level=warn \
    --web.listen-address="127.0.0.1:$port" >"$scratch/prometheus.log" 2>&1 </dev/null & prometheus=$!
  # asks QUERY: the value that Prometheus has for it, waited for
  asks() {
    local got
    for _ in {1..300}; do
      got=$(get -G "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$1" |
        python3 -c 'import json,sys; r = json.load(sys.stdin)["data"]["result"]; print(r[0]["value"][1] if r else "")' 2>/dev/null)
      [ -n "$got" ] && break
      sleep 0.2
    done
    echo "$got"
  }
  text 'Prometheus: it is up' 1 "$(asks 'up{job="psuite"} == 1')"
  text 'Prometheus: all machines' 2 "$(asks 'count(count by (source) (psuite_load)) == 2')"
  holds 'Prometheus: a gauge' "\"$(asks 'psuite_load{source="board-7"}')\" != \"\""
  holds 'Prometheus: a counter`s rate' "$(asks 'rate(psuite_context_switches_total{source="board-7"}[10s]) > 0' || echo 0) > 0"
  text 'Prometheus: its type' counter "$(get "http://127.0.0.1:$port/api/v1/metadata?metric=psuite_context_switches" |
    python3 -c 'import json,sys; print(json.load(sys.stdin)["data"]["psuite_context_switches"][0]["type"])')"
  kill "$prometheus"; wait "$prometheus"
  hasnt 'Prometheus: no complaints' 'level=(warn|error).*(scrape|append)' "$scratch/prometheus.log"
  end
else
  skip 'Prometheus' 'no prometheus'
fi
finish
