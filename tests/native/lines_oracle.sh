# Our reader of lines (core/dwarf) against libdwarf on this machine: line tables, ranges and chains of inlined functions of what gcc
# and clang write as DWARF 4 and 5, also split, of libc by its debug file, and of psuite itself.
. lib/check.sh
oracle=$WORK/../tests/linesoracle
[ -x "$oracle" ] || { skip 'lines as libdwarf has them' 'built without libdwarf'; finish; }
for tool in g++ gcc; do command -v $tool > /dev/null || { skip 'lines as libdwarf has them' "no $tool"; finish; }; done
cd "$scratch" || exit

has_line() { grep -q "$1" "$scratch/out"; }
# as_libdwarf WHAT ROWS INLINED [-m MOST] FILE: equal everywhere, and enough was compared
as_libdwarf() {
  local what=$1 rows=$2 inlined=$3; shift 3
  status "$what: as libdwarf has it" 0 "$oracle" "$@"
  grep -v ' 0 differ$' "$scratch/out" | head -5
  holds "$what: enough rows" "$(sed -nE 's/.* ([0-9]+) rows,.*/\1/p' "$scratch/out") >= $rows"
  # libdwarf 20210528 does not read what gcc 12 writes to .debug_rnglists.dwo
  if has_line 'cannot read$'; then skip "$what: inlined functions" 'this libdwarf cannot read their ranges'; return; fi
  holds "$what: enough inlined functions" "$(sed -nE 's/.* ([0-9]+) of them with inlined.*/\1/p' "$scratch/out") >= $inlined"
}
cp "$TESTS/native/sym_llvm/prog.cc" "$TESTS/data/dwarf/prog.c" "$TESTS/data/dwarf/prog.h" "$TESTS/data/dwarf/other.c" .
for version in 4 5; do
  for with in gcc clang; do
    if [ $with = clang ]; then
      command -v clang++ > /dev/null || { skip 'what clang writes' 'no clang++'; continue; }
      cxx='clang++ -std=c++17' cc=clang
    else cxx=g++ cc=gcc
    fi
    $cxx -gdwarf-$version -O2 -o plain prog.cc && as_libdwarf "$with, DWARF $version" 3000 1000 plain
    $cxx -gdwarf-$version -gsplit-dwarf -O2 -c -o split.o prog.cc && $cxx -o split split.o &&
      as_libdwarf "$with, DWARF $version, split" 3000 1000 split
    has 'of which the units are split' '(1 split)' "$scratch/out"
    $cc -gdwarf-$version -O2 -ffunction-sections -Wl,--gc-sections -shared -fPIC -o several prog.c other.c &&
      as_libdwarf "$with, DWARF $version, two units in sections" 50 1 several
  done
done
as_libdwarf 'psuite, some of each unit' 20000 1000 -m "${ORACLE_MOST:-200}" "$PSUITE"
libc=$(ldd /bin/sleep | awk '/libc\.so/ { print $3 }') id=$(readelf -n "$libc" | awk '/Build ID/ { print $3 }')
debug=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
if [ -e "$debug" ]; then as_libdwarf 'libc, some of each unit' 20000 1000 -m "${ORACLE_MOST:-200}" "$debug"
else skip 'lines of libc' 'no libc6-dbg'
fi
finish
