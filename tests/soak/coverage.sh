# coverage.sh TOP [ARCH...]: prof --coverage against gcov, of programs built by gcc -O0 -g from Debian's sources of zlib and sqlite3:
# functions with the same number of calls, lines that were executed or not, and their counts. On x86-64 each instruction of .text is
# compared with callgrind's count, too, and each line's count with the highest of its instructions there. In guests of ARCH (armhf,
# arm64) zlib's minigzip; gcov's build runs here under qemu's user mode.
#   PROGRAMS: of minigzip example wordcount shell, on x86-64. example takes ten million steps.
#   PSUITE, and TOP/build-ARCH/psuite, are measured. Prints a line for each program, and leaves what differs in $COVERAGE_DIFFERENCES.
. "$(dirname "$0")/../lib/check.sh"
. "$TESTS/lib/need.sh"
. "$TESTS/lib/sources.sh"
. "$TESTS/lib/costs.sh"
top=$1 costs=$scratch; shift
zlib=$sources_cache/zlib sqlite=$sources_cache/sqlite3
: "${COVERAGE_DIFFERENCES:=$scratch/differences}"
: > "$COVERAGE_DIFFERENCES"

zlib_options='-DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1' sqlite_options='-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION'
# build DIR COMPILER OPTIONS SOURCE...: DIR/plain/program, and DIR/gcov/program with gcov's counters
build() {
  local dir=$1 compiler=$2 options=$3 way; shift 3
  mkdir -p "$dir" && cp "$@" "$dir/" || return
  for way in plain gcov; do
    mkdir -p "$dir/$way"
    (cd "$dir/$way" && $compiler -O0 -g -w $([ $way = plain ] || echo --coverage) $options -I.. ../*.c -o program -lm) || return
  done
}
# against_gcov WHAT DIR INFO
against_gcov() {
  echo "== $1" >> "$COVERAGE_DIFFERENCES"
  python3 "$TESTS/lib/gcov_compare.py" "$2" "$3" "$2/plain/program" > "$2/compared" 2>> "$COVERAGE_DIFFERENCES"
  read -r functions same_calls lines same_covered same_counts unexplained < "$2/compared"
  text "$1: $functions functions with the same calls" "$functions" "$same_calls"
  holds "$1: of $lines lines $same_covered are the same" "$functions > 30 && $same_covered >= 0.995 * $lines"
  holds "$1: $same_counts lines have the same counts" "$same_counts >= 0.98 * $lines"
  text "$1: lines of one of both alone have no code, or are closing braces" 0 "$unexplained"
  figures="$1: $functions functions, $same_calls with the same calls; $lines lines, $same_covered with the same coverage, $same_counts with the same count"
}
reads() { # reads WHAT INFO: genhtml does, and has the sums
  sum() { awk -F: -v key="$1" '$1 == key { s += $2 } END { print s }' "$2"; }
  status "$1: genhtml reads it" 0 genhtml -o "$scratch/html" "$2"
  has "$1: genhtml has its lines" "lines.*\($(sum LH "$2") of $(sum LF "$2") lines\)" "$scratch/out"
  has "$1: and its functions" "functions.*\($(sum FNH "$2") of $(sum FNF "$2") functions\)" "$scratch/out"
}

# --- x86-64
built() { # built NAME OPTIONS SOURCE...
  local name=$1; shift
  ok "$name: it is built" build "$scratch/$name" gcc "$@" && [ -x "$scratch/$name/gcov/program" ]
}
callgrind='valgrind -q --tool=callgrind --dump-instr=yes --dump-line=no --compress-pos=no --skip-plt=no'
pc() { # pc NAME INPUT ARGUMENT...
  local name=$1 dir=$scratch/$1 input=$2; shift 2
  (cd "$dir" && gcov/program "$@" < "$input" > gcov.out 2>&1; cd gcov && gcov -i ./*.gcda > /dev/null 2>&1)
  (cd "$dir" && cost "$name" "$PSUITE" prof --coverage -q -o lcov:info --record recording -x plain/program "$@"
    $callgrind --callgrind-out-file=callgrind plain/program "$@" < "$input" > plain.out 2>&1)
  same "$name: what it prints" "$dir/gcov.out" "$dir/plain.out"
  against_gcov "$name" "$dir" "$dir/info"
  python3 "$TESTS/soak/coverage_truth.py" "$dir/recording" "$dir/callgrind" "$dir/plain/program" "$dir/info" > "$dir/truth" 2>> "$COVERAGE_DIFFERENCES"
  read -r instructions other executions truth_lines wrong < "$dir/truth"
  text "$name: $instructions instructions with callgrind's counts" 0 "$other"
  text "$name: $truth_lines lines with the highest of them" 0 "$wrong"
  holds "$name: there are some" "$instructions > 500 && $truth_lines > 500"
  echo "$figures; $instructions instructions, $executions executions, $other with another count than callgrind's; $(median_cost "$name" 1) s of CPU"
}
head -c 400 "$TESTS/work/covered.c" > "$scratch/text"
cat > "$scratch/sql" <<'END'
create table t(a integer primary key, b text, c real);
create index tb on t(b);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 30) insert into t select i, printf('%03d', i * 7 % 30), i / 3.0 from n;
create table log(a, b);
create trigger tr after update on t begin insert into log values(new.a, old.b); end;
update t set b = b || 'x' where a % 7 = 0;
delete from t where a between 11 and 13;
select b, sum(c) over (order by a rows 2 preceding) from t where a < 6;
select t.a, log.b from t join log on t.a = log.a order by 2 desc;
select count(*), group_concat(b) from t group by a % 3 having count(*) > 1;
select json_extract('{"a":[1,2,{"b":3}]}', '$.a[2].b'), date(0, 'unixepoch'), upper('x') like 'X', hex(zeroblob(3));
begin; delete from t; rollback;
create view v as select a from t union select 100;
select max(a), min(a), avg(a), total(a) from v;
explain query plan select * from t where b = '007x';
pragma integrity_check;
select nosuch from t;
END
minigzip() { built minigzip "$zlib_options" "$zlib"/*.[ch] "$zlib/test/minigzip.c" && pc minigzip "$scratch/text"; }
example() { built example "$zlib_options" "$zlib"/*.[ch] "$zlib/test/example.c" && pc example /dev/null; }
wordcount() {
  built wordcount "$sqlite_options" "$sqlite"/sqlite3.[ch] "$sqlite/test/wordcount.c" && pc wordcount /dev/null --summary :memory: "$scratch/text"
}
shell() { built shell "$sqlite_options" "$sqlite"/sqlite3.[ch] "$sqlite/shell.c" && pc shell "$scratch/sql" :memory:; }
if [ "$(uname -m)" = x86_64 ]; then
  for program in ${PROGRAMS:-minigzip example wordcount shell}; do
    $program
    reads "$program" "$scratch/$program/info"
  done
fi

# --- ARM: packed and unpacked in a guest, shown there, and here of what was recorded
guest() { # guest ARCH CROSS QEMU
  local arch=$1 cross=$2 qemu=$3 name dir=$scratch/$1/minigzip stage=$scratch/stage-$1 share=$scratch/share-$1
  ok "$arch: minigzip is built" build "$dir" "$cross-gcc" "$zlib_options" "$zlib"/*.[ch] "$zlib/test/minigzip.c"
  [ -x "$dir/gcov/program" ] || return
  mkdir -p "$stage/usr/bin" "$stage/work" "$share" # the guest has a /tmp of its own
  cp "$top/build-$arch/psuite" "$stage/usr/bin/"
  cp "$dir/plain/program" "$stage/work/"
  printf 'hello hello hello\n' > "$share/text"
  SMP=1 TMO=${TMO:-3000} SHARE=$share bash "$TESTS/guest/run" "$arch" "cd /host && prof() { psuite prof --coverage -q -o lcov:\$1 --record \$1.rec -x /work/program \$2; }
    prof pack -1 < text > packed && prof unpack -d < packed | cmp - text" "$stage"/* > "$share/said" 2>&1
  text "$arch: the guest" 0 $?
  [ -e "$share/unpack" ] || { cat "$share/said"; return; }
  for name in 'pack -1 text' 'unpack -d packed'; do
    set -- $name
    rm -f "$dir"/gcov/*.gcda "$dir"/gcov/*.json.gz
    (cd "$dir/gcov" && $qemu -L "/usr/$cross" ./program "$2" < "$share/$3" > /dev/null && $cross-gcov -i ./*.gcda > /dev/null 2>&1)
    against_gcov "$arch minigzip $2" "$dir" "$share/$1"
    echo "$figures"
    status "$arch minigzip $2: recorded there" 0 "$PSUITE" prof --coverage -q -o "lcov:$scratch/$arch.$1" --sysroot "$stage" "$share/$1.rec"
    same "$arch minigzip $2: the same lines" "$share/$1" "$scratch/$arch.$1"
    reads "$arch minigzip $2" "$share/$1"
  done
}
for arch; do
  case $arch in
    armhf) guest armhf arm-linux-gnueabihf qemu-arm ;;
    arm64) guest arm64 aarch64-linux-gnu qemu-aarch64 ;;
  esac
done
finish
