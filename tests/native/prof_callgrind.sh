# prof -count against callgrind on real programs: lua, gzip, pbzip2 for C++ and threads, and where PROGRAMS=all sqlite3's shell,
# whose compilation takes longer than the rest of this (./dev soak prof). Each runs once
# under callgrind, and libpsprof records the same run: every function has the same number of calls in both. Where the
# compiler may inline, functions that callgrind sees less often than prof are those that it inlined, by their names.
. lib/check.sh
. lib/need.sh
. lib/sources.sh
need valgrind gcc g++ readelf=binutils
debian_sources > "$scratch/log" 2>&1 || { skip 'real programs' "no sources: $(tail -1 "$scratch/log")"; finish; }
objects=$sources_cache/objects

# Calls are calls: nothing is inlined, cloned, merged or jumped to.
exact=(-O2 -g -fno-inline -fno-optimize-sibling-calls -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf -fno-partial-inlining)
free=(-O2 -g)
hooks=$("$PSUITE" prof --cflags) libs=$("$PSUITE" prof --libs)

# compiled COMPILER KIND OPTIONS SOURCE...: the objects, made once for a compiler and its options; their names in $made
compiled() {
  local compiler=$1 kind=$2 options=$3 source dir object; shift 3
  local -n flags=$kind
  dir=$objects/$(echo "$($compiler --version | head -1) ${flags[*]} $options" | cksum | tr -d ' ')
  mkdir -p "$dir"
  made=()
  for source; do
    object=$dir/$(echo "$source" | cksum | tr -d ' ').o
    made+=("$object")
    [ -e "$object" ] || (cd "$(dirname "$source")" && $compiler "${flags[@]}" $options $hooks -w -c "$source" -o "$object.$$" && mv "$object.$$" "$object") 2>&1 | head -20
  done
}

# counted PROGRAM FILE: CALLS NAME a line, as prof says it
prof_calls() { "$PSUITE" prof "$1" "$2" 2>>"$scratch/err" | awk -F'\t' 'NR > 1 { split($1, a, " "); n[$2] += a[3] } END { for (f in n) print n[f], f }' | sort -k2; }
# callgrind_calls PROGRAM FILE: the same, of functions of the program's file. `'2' is a level of recursion, .constprop.0 a copy.
callgrind_calls() {
  awk -v program="$1" '
    function name(s,  id, at) {
      id = substr(s, 1, index(s, ")")); at = substr(s, length(id) + 2)
      if (at != "") names[id] = at
      return names[id]
    }
    function object(s,  id, at) {
      id = substr(s, 1, index(s, ")")); at = substr(s, length(id) + 2)
      if (at != "") objects[id] = at
      return objects[id]
    }
    /^ob=/ { ob = object(substr($0, 4)) }
    /^cob=/ { cob = object(substr($0, 5)) }
    /^fn=/ { name(substr($0, 4)) }
    /^cfn=/ { callee = name(substr($0, 5)) }
    /^calls=/ {
      if ((cob == "" ? ob : cob) == program) {
        sub(/\047[0-9]+$/, "", callee); sub(/\.(constprop|isra)\.[0-9.a-z]*$/, "", callee)
        n[callee] += substr($1, 7)
      }
      cob = ""
    }
    END { for (f in n) print n[f], f }' "$2" | sort -k2
}
# defined OBJECT...: functions of these
defined() { nm -C "$@" | awk '$2 ~ /^[TtWw]$/ { sub(/^[0-9a-f]+ . /, ""); sub(/\.(constprop|isra|part|cold)[.0-9a-z]*$/, ""); print }' | sort -u; }
# inlined PROGRAM: functions that have an inlined copy, by its debug information
inlined() {
  readelf --debug-dump=info "$1" | awk '/Abbrev Number/ { name = "" } /DW_AT_name/ { name = $NF } /DW_AT_inline .*: (1|3)/ { print name }' | sort -u
}

# run NAME PROGRAM ARGUMENT...: under callgrind, and recorded, in one run; then recorded alone
run() {
  name=$1 program=$2; shift 2
  rm -rf "$scratch/run"; mkdir "$scratch/run"
  (cd "$scratch/run" && proftype=count exec valgrind -q --tool=callgrind --callgrind-out-file=grind "$program" "$@") > "$scratch/said" 2> "$scratch/err" ||
    fail "$name runs under callgrind" "$(tail -3 "$scratch/err")"
  callgrind_calls "$program" "$scratch/run/grind" > "$scratch/callgrind"
  prof_calls "$program" "$(ls "$scratch"/run/prof.*)" > "$scratch/prof"
  defined "${made[@]}" > "$scratch/defined"
}
# differences: NAME CALLGRIND PROF of the program's own functions
differences() {
  awk '{ n = $1; sub(/^[0-9]+ /, "") } FILENAME ~ /callgrind$/ { c[$0] = n } FILENAME ~ /prof$/ { p[$0] = n }
    FILENAME ~ /defined$/ && c[$0] != p[$0] { print $0 " " c[$0] + 0 " " p[$0] + 0 }' "$scratch/callgrind" "$scratch/prof" "$scratch/defined"
}
equal() {
  local functions calls
  read -r functions calls < <(awk '{ n++; s += $1 } END { print n + 0, s + 0 }' "$scratch/prof")
  holds "$name: $functions functions, $calls calls" "$functions > 30 && $calls > 50000"
  text "$name: as many as callgrind says" '' "$(differences)"
}
# The same program again, at its own pace: its calls do not depend on that.
again() {
  rm -rf "$scratch/run"; mkdir "$scratch/run"
  (cd "$scratch/run" && proftype=count exec "$program" "$@") > "$scratch/said.again" 2>> "$scratch/err"
  same "$name: says the same" "$scratch/said" "$scratch/said.again"
  prof_calls "$program" "$(ls "$scratch"/run/prof.*)" > "$scratch/prof.again"
  same "$name: and calls the same" "$scratch/prof" "$scratch/prof.again"
}

# --- lua
cat > "$scratch/work.lua" <<'L'
local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
local words, seen = {}, {}
for i = 1, 2000 do words[i] = ("w%d"):format(i * 7919 % 1009) end
table.sort(words)
for _, w in ipairs(words) do seen[w] = (seen[w] or 0) + #w:gsub("%d", string.upper) end
local made = coroutine.wrap(function() for i = 1, 500 do coroutine.yield(i) end end)
local sum = 0
for _ = 1, 500 do sum = sum + made() end
local failed = 0
for i = 1, 300 do if not pcall(error, { i }) then failed = failed + 1 end end -- longjmp
print(fib(15), sum, failed, #words, load("return 6 * 7")())
L
lua=$(ls "$sources_cache"/lua5.4/src/*.c | grep -v -e /luac.c -e /onelua.c -e /ltests.c)
for kind in exact free; do
  compiled gcc $kind '-std=gnu99 -DLUA_USE_POSIX -Dluai_makeseed(L)=1' $lua
  gcc "${made[@]}" -lm $libs -o "$scratch/lua.$kind" || { fail "lua, $kind, is built"; continue; }
  run "lua, $kind" "$scratch/lua.$kind" "$scratch/work.lua"
  if [ $kind = exact ]; then
    equal
    again "$scratch/work.lua"
  else
    inlined "$program" > "$scratch/inlined"
    differences > "$scratch/differ"
    holds "$name: $(wc -l < "$scratch/differ") functions are inlined somewhere" "$(wc -l < "$scratch/differ") > 5"
    text "$name: they alone differ, and are more in prof" '' \
      "$(awk 'FNR == NR { inlined[$1] = 1; next } !($1 in inlined) || $2 > $3' "$scratch/inlined" "$scratch/differ")"
  fi
done

# --- gzip
sources=$sources_cache/gzip
compiled gcc exact "-I$sources/lib -DHAVE_CONFIG_H" "$sources"/{bits,deflate,gzip,inflate,trees,unlzh,unlzw,unpack,unzip,util,version,zip}.c
if gcc "${made[@]}" "$sources/lib/libgzip.a" $libs -o "$scratch/gzip" 2> "$scratch/err"; then
  head -c 200000 "$sources/deflate.c" > "$scratch/plain"
  cat "$sources/inflate.c" "$sources/trees.c" >> "$scratch/plain"
  run gzip "$scratch/gzip" -9 -n -c "$scratch/plain"
  equal
  again -9 -n -c "$scratch/plain"
  cp "$scratch/said" "$scratch/plain.gz"
  run gunzip "$scratch/gzip" -d -c "$scratch/plain.gz"
  same 'gunzip: it is the file' "$scratch/plain" "$scratch/said"
  text 'gunzip: as many as callgrind says' '' "$(differences)"
else
  fail 'gzip is built' "$(head -5 "$scratch/err")"
fi

# --- sqlite3's shell
sqlite3_shell() {
  cat > "$scratch/work.sql" <<'S'
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 400)
  insert into t select i, 'name ' || (i * 7919 % 97), i / 3.0 from n;
create index tb on t(b);
select count(*), sum(c), max(b) from t where b like 'name 4%';
select b, count(*) from t group by b order by 2 desc, 1 limit 5;
select x.a, y.a from t x join t y on x.b = y.b and x.a < y.a order by 1, 2 limit 5;
delete from t where a % 3 = 0;
pragma integrity_check;
S
  sources=$sources_cache/sqlite3
  compiled gcc exact '-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION' "$sources/sqlite3.c" "$sources/shell.c"
  if gcc "${made[@]}" -lm $libs -o "$scratch/sqlite3"; then
    run sqlite3 "$scratch/sqlite3" -batch -init /dev/null :memory: ".read \"$scratch/work.sql\""
    equal
    again -batch -init /dev/null :memory: ".read \"$scratch/work.sql\""
  else
    fail 'sqlite3 is built'
  fi
}
[ "${PROGRAMS:-}" != all ] || sqlite3_shell

# --- pbzip2: threads in C++; who does what when is another thing each time, so one run is compared
sources=$sources_cache/pbzip2
compiled g++ exact '-pthread -std=gnu++98 -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64 -DUSE_STACKSIZE_CUSTOMIZATION' \
  "$sources"/{pbzip2,BZ2StreamScanner,ErrorContext}.cpp
if g++ "${made[@]}" -lbz2 $libs -o "$scratch/pbzip2"; then
  for ((i = 0; i < 12; i++)); do cat "$sources_cache/gzip/deflate.c"; done > "$scratch/plain"
  run pbzip2 "$scratch/pbzip2" -p3 -1 -b1 -k -c "$scratch/plain"
  text 'pbzip2: it is the file' "$(cksum < "$scratch/plain")" "$(bunzip2 -c < "$scratch/said" | cksum)"
  text 'pbzip2: as many as callgrind says' '' "$(differences)"
  "$PSUITE" prof --json --threads "$program" "$(ls "$scratch"/run/prof.*)" > "$scratch/threads" 2>> "$scratch/err"
  threads=$(grep -o '"tid":' "$scratch/threads" | wc -l)
  holds "pbzip2: $threads threads, $(wc -l < "$scratch/prof") functions" "$threads >= 5 && $(wc -l < "$scratch/prof") > 50"
else
  fail 'pbzip2 is built'
fi
finish
