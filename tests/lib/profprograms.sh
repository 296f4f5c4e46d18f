# profprograms.sh: Debian's programs that prof is compared on (proftruth.sh): truth_of NAME fetches, builds and runs one.
truth_programs='lua bzip2 mawk sqlite3 gzip zlib lz4 brotli zopfli mujs expat lzip'

# A text of N megabytes at most: sqlite3's own source.
truth_text() { debian_source sqlite3 > /dev/null 2>&1; cat "$sources_cache"/sqlite3/src/*.c | head -c $(($1 * 1000000)); }

truth_of() {
  local s=$sources_cache
  "truth_of_$1" 2> "$scratch/build.err" || fail "$1 is built and run" "$(tail -3 "$scratch/build.err")"
}
truth_of_lua() {
  debian_source lua5.4 > /dev/null || return
  cat > "$scratch/work.lua" << 'L'
local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
local words, seen = {}, {}
for i = 1, 60000 do words[i] = ("w%d"):format(i * 7919 % 10007) end
table.sort(words)
for _, w in ipairs(words) do seen[w] = (seen[w] or 0) + #w:gsub("%d", string.upper) end
local made = coroutine.wrap(function() for i = 1, 50000 do coroutine.yield(i) end end)
local sum = 0
for _ = 1, 50000 do sum = sum + made() end
for i = 1, 3000 do pcall(error, { i }) end
print(fib(27), sum, #words)
L
  truth_build lua gcc '-std=gnu99 -DLUA_USE_POSIX -Dluai_makeseed(L)=1' -lm \
    $(ls "$s"/lua5.4/src/*.c | grep -v -e /luac.c -e /onelua.c -e /ltests.c) && truth lua "$scratch/work.lua"
}
truth_of_bzip2() {
  debian_source bzip2 > /dev/null || return
  truth_text 5 > "$scratch/text"
  truth_build bzip2 gcc -D_FILE_OFFSET_BITS=64 '' "$s"/bzip2/{blocksort,huffman,crctable,randtable,compress,decompress,bzlib,bzip2}.c &&
    truth bzip2 -9 -k -c "$scratch/text"
}
truth_of_mawk() {
  debian_source mawk > /dev/null || return
  [ -e "$s/mawk/mawk" ] || (cd "$s/mawk" && ./configure -q && make -s) > "$scratch/log" 2>&1 || return
  cat > "$scratch/work.awk" << 'A'
{ for (i = 1; i <= NF; i++) n[$i]++; gsub(/[aeiou]+/, "<&>"); length_ += length($0); line[NR % 1000] = substr($0, 3, 20) }
/sqlite3_(value|stmt)/ { hits++ }
END { for (w in n) if (n[w] > 10) many++; print many, hits, length_ }
A
  truth_text 6 > "$scratch/text"
  local sources; sources=$(cd "$s/mawk" && ls ./*.o | sed 's/\.o$/.c/' | grep -v makescan)
  truth_build mawk gcc "-DHAVE_CONFIG_H -D_GNU_SOURCE -I$s/mawk" -lm $(for c in $sources; do echo "$s/mawk/$c"; done) &&
    truth mawk -f "$scratch/work.awk" "$scratch/text"
}
truth_of_sqlite3() {
  debian_sources > "$scratch/log" 2>&1 || return
  cat > "$scratch/work.sql" << 'S'
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
  insert into t select i, 'name ' || (i * 7919 % 997), i / 3.0 from n;
create index tb on t(b);
select count(*), sum(c), max(b) from t where b like 'name 4%';
select b, count(*) from t group by b order by 2 desc, 1 limit 5;
select count(*) from t x join t y on x.b = y.b and x.a < y.a;
delete from t where a % 3 = 0;
pragma integrity_check;
S
  truth_build sqlite3 gcc '-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION' -lm "$s"/sqlite3/{sqlite3,shell}.c &&
    truth sqlite3 -batch -init /dev/null :memory: ".read $scratch/work.sql"
}
truth_of_gzip() {
  debian_sources > "$scratch/log" 2>&1 || return
  truth_text 8 > "$scratch/text"
  truth_build gzip gcc "-I$s/gzip/lib -DHAVE_CONFIG_H" "$s/gzip/lib/libgzip.a" \
    "$s"/gzip/{bits,deflate,gzip,inflate,trees,unlzh,unlzw,unpack,unzip,util,version,zip}.c && truth gzip -6 -n -c "$scratch/text"
}
truth_of_zlib() {
  debian_source zlib > /dev/null || return
  truth_text 8 > "$scratch/text"
  truth_build zlib gcc "-DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1 -I$s/zlib" '' "$s"/zlib/*.c "$s/zlib/test/minigzip.c" &&
    truth zlib -c "$scratch/text"
}
truth_of_lz4() {
  debian_source lz4 > /dev/null || return
  truth_text 8 > "$scratch/text"
  truth_build lz4 gcc "-DXXH_NAMESPACE=LZ4_ -I$s/lz4/lib" '' "$s"/lz4/lib/*.c "$s"/lz4/programs/*.c && truth lz4 -9 -c "$scratch/text"
}
truth_of_brotli() {
  debian_source brotli > /dev/null || return
  truth_text 6 > "$scratch/text"
  truth_build brotli gcc "-I$s/brotli/c/include -DOS_LINUX -D__always_inline__=__unused__" -lm "$s"/brotli/c/{common,dec,enc,tools}/*.c && truth brotli -q 6 -c "$scratch/text"
}
truth_of_zopfli() {
  debian_source zopfli > /dev/null || return
  truth_text 1 | head -c 150000 > "$scratch/text"
  truth_build zopfli gcc '' -lm "$s"/zopfli/src/zopfli/*.c && truth zopfli -c --i3 "$scratch/text"
}
truth_of_mujs() {
  debian_source mujs > /dev/null || return
  cat > "$scratch/work.js" << 'J'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
var words = [], seen = {}, i
for (i = 0; i < 20000; i++) words.push("w" + (i * 7919 % 1009))
words.sort()
for (i = 0; i < words.length; i++) seen[words[i]] = (seen[words[i]] || 0) + words[i].replace(/[0-9]/g, "x").length
print(fib(22), words.length, JSON.stringify(seen).length)
J
  truth_build mujs gcc "-std=c99 -D_XOPEN_SOURCE=600 -I$s/mujs" -lm "$s/mujs/one.c" "$s/mujs/main.c" && truth mujs "$scratch/work.js"
}
truth_of_expat() {
  debian_source expat > /dev/null || return
  local e=$s/expat/expat
  mkdir -p "$truth_cache/expat"; : > "$truth_cache/expat/expat_config.h" # what it would say stands in the options
  awk 'BEGIN { print "<list>"; for (i = 0; i < 120000; i++) printf "<item id=\"%d\" name=\"n%d\"><a>text %d &amp; more</a><b/></item>\n", i, i % 997, i; print "</list>" }' > "$scratch/text.xml"
  truth_build expat gcc "-DXML_DTD=1 -DXML_NS=1 -DXML_GE=1 -DXML_CONTEXT_BYTES=1024 -DBYTEORDER=1234 -DHAVE_GETRANDOM=1 -DXML_DEV_URANDOM=1 -I$truth_cache/expat -I$e/lib" '' \
    "$e"/lib/xml{parse,role,tok}.c "$e"/xmlwf/{xmlwf,xmlfile,codepage,unixfilemap}.c && truth expat "$scratch/text.xml"
}
truth_of_lzip() {
  debian_source lzip > /dev/null || return
  truth_text 2 > "$scratch/text"
  truth_build lzip g++ '-DPROGVERSION="1"' '' "$s"/lzip/{arg_parser,encoder,encoder_base,fast_encoder,list,lzip_index,main}.cc $(ls "$s"/lzip/decoder.cc) &&
    truth lzip -4 -k -c "$scratch/text"
}
