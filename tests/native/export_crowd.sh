# export: connections that say nothing keep nobody out, over TCP and unix sockets; those that never speak are closed.
. lib/check.sh
mkdir "$scratch/tree"; echo text > "$scratch/tree/f"; chmod 755 "$scratch" "$scratch/tree"
server= crowd=
trap 'kill $server $crowd 2>/dev/null' EXIT
serve() {
  start_server 'serving at' "$scratch/serving" "$PSUITE" export -r "$scratch/tree" "$1"; server=$!
  at=$(sed -n 's/^export: serving at \(unix!\)\?//p' "$scratch/serving")
}
stop() { kill $server; wait $server; server=; }
# begin AS COUNT HOW: a crowd; it ends when its input does
begin() {
  mkfifo "$scratch/end" 2>/dev/null
  : > "$scratch/crowd"
  $1 python3 "$TESTS/lib/ninep_crowd.py" "$at" "$2" "$3" < "$scratch/end" > "$scratch/crowd" 2>&1 & crowd=$!
  exec 9> "$scratch/end"
  until_ok grep -q '^there$' "$scratch/crowd"
  has "$2 that say $3" '^there$' "$scratch/crowd"
}
end() { exec 9>&-; wait $crowd; crowd=; }
reads() { status "$1" 0 timeout 100 python3 "$TESTS/lib/ninep_user.py" "$at" - read f; text "$1: the file" text "$(cat "$scratch/out")"; }
for where in 'tcp!127.0.0.1!0' "unix!$scratch/s"; do
  serve "$where"
  for how in nothing part version; do
    begin '' 60 $how
    reads "$where: another client, beside 60 that say $how"
    end
  done
  begin '' 20 part
  until_ok grep -q '^closed 20$' "$scratch/crowd" || until_ok grep -q '^closed 20$' "$scratch/crowd"
  has "$where: who has not agreed on a version is closed, while there is room" '^closed 20$' "$scratch/crowd"
  end
  begin '' 20 attach
  if [ "$where" != "unix!$scratch/s" ] && command -v ss > /dev/null; then
    kept_alive() { ss -tnoH state established "( sport = :${at##*:} )" > "$scratch/sockets"; [ "$(grep -c 'timer:(keepalive' "$scratch/sockets")" = 20 ]; }
    until_ok kept_alive
    text 'those that stay are kept alive' 20 "$(grep -c 'timer:(keepalive' "$scratch/sockets")"
  fi
  if [ "$(id -u)" = 0 ]; then
    [ ! -S "$scratch/s" ] || chmod 777 "$scratch/s"
    end; begin "$WORK/as_user 65534" 60 attach
    reads "$where: another client, beside 60 that another user has attached"
    few_stay() { [ "$(sed -n 's/^closed //p' "$scratch/crowd" | tail -n 1)" -ge 50 ]; }
    ok "$where: of these few stay" until_ok few_stay
  fi
  end
  stop
done
finish
