# sym on this machine: debug sections compressed by zlib and by zstd have the answers of those that are not, and what cannot be
# unpacked is reported.
. lib/check.sh
for tool in g++ gcc objcopy readelf nm addr2line; do command -v $tool >/dev/null || { skip 'compressed debug sections' "no $tool"; finish; }; done
cd "$scratch" || exit
cp "$TESTS/native/sym_llvm/prog.cc" "$TESTS/data/dwarf/prog.c" "$TESTS/data/dwarf/prog.h" "$TESTS/data/dwarf/other.c" .
g++ -g -O2 -o plain prog.cc && gcc -gdwarf-4 -O2 -shared -fPIC -o plain_c prog.c other.c && g++ -g -gsplit-dwarf -O2 -c -o unit.o prog.cc &&
  g++ -o split unit.o || { skip 'compressed debug sections' 'gcc fails'; finish; }
offset_of() { readelf -SW "$1" | sed -n "s/.* $2 *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/\1/p"; }
every() { # every FILE: addresses of its .text, three bytes apart
  readelf -SW "$1" | sed -n 's/.* \.text *PROGBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/\1 \2/p' | { read -r start size
    seq $((16#$start)) 3 $((16#$start + 16#$size - 1)) | xargs printf '0x%x\n'; }
}
every plain > asked; every split > asked_split
# addr2line answers otherwise between functions, and finds no .zdebug_rnglists of DWARF 5
nm -S plain_c | awk 'NF == 4 && $3 ~ /[tT]/ { print $1, $2 }' | while read -r start size; do
  seq $((16#$start)) $((16#$start + 16#$size - 1)) | xargs printf '0x%x\n'
done > asked_c
status 'a program, not compressed' 0 "$PSUITE" sym -i plain < asked
cp "$scratch/out" want
holds 'many lines' "$(grep -c 'prog\.cc:' want) > 1000"
"$PSUITE" sym -i split < asked_split > want_split
"$PSUITE" sym --struct inner plain > types 2>&1
holds 'many addresses for addr2line' "$(wc -l < asked_c) > 150"

compress() { # compress KIND FROM TO; false, and said: it is skipped
  objcopy --compress-debug-sections="$1" "$2" "$3" 2> why || { skip "compressed by $1" "$(head -1 why)"; return 1; }
}
for kind in zlib zlib-gnu zstd; do
  if [ $kind = zstd ] && ! "$PSUITE" --version | grep -q ' libzstd'; then skip 'compressed by zstd' 'built without libzstd'; continue; fi
  compress $kind plain packed && compress $kind plain_c packed_c || continue
  status "compressed by $kind" 0 "$PSUITE" sym -i packed < asked
  same "has the same answers: $kind" want "$scratch/out"
  text "no warning: $kind" '' "$(cat "$scratch/err")"
  "$PSUITE" sym --struct inner packed 2>&1 | sed 's/packed/plain/' > got
  same "has the same types: $kind" types got
  "$PSUITE" sym --style=gnu -fi -e packed_c < asked_c > got
  addr2line -fi -e packed_c < asked_c > by_addr2line
  text "as addr2line: $kind" '' "$(diff by_addr2line got | head -5)"
  # the units in a file of their own
  cp unit.dwo kept
  compress $kind kept unit.dwo
  status "units split off, compressed by $kind" 0 "$PSUITE" sym -i split < asked_split
  same "have the same answers: $kind" want_split "$scratch/out"
  mv kept unit.dwo
done
holds 'many lines of split units' "$(grep -c 'prog\.cc:' want_split) > 1000"

# --- what cannot be unpacked: by its type, and damaged
patched() { # patched SECTION AT BYTES: broken, which is packed with other bytes there
  cp packed broken
  printf "$3" | dd of=broken bs=1 seek=$((16#$(offset_of packed "$1") + $2)) conv=notrunc status=none
}
remedy='\(objcopy --decompress-debug-sections\)'
for kind in zlib zstd; do
  compress $kind plain packed || continue
  if [ $kind = zstd ] && ! "$PSUITE" --version | grep -q ' libzstd'; then
    status "$kind in a build without it" 0 "$PSUITE" sym packed 0x1200
    has 'is reported' "^sym: .*/packed: [0-9]+ compressed debug sections are left out: this build cannot unpack zstd $remedy$" "$scratch/err"
    continue
  fi
  patched .debug_info 0 '\x07'
  status "another type than $kind" 0 "$PSUITE" sym broken 0x1200
  has 'is reported' "^sym: .*/broken: 1 compressed debug section is left out: compression type 7 is not supported $remedy$" "$scratch/err"
  status 'also of its types' 1 "$PSUITE" sym --struct inner broken
  has 'are reported' "^sym: broken: types: 1 compressed debug section is left out: compression type 7" "$scratch/err"
  for section in .debug_info .debug_line .debug_str; do
    patched $section 40 'damaged'
    status "a damaged $section: $kind" 0 "$PSUITE" sym broken 0x1200
    has 'is reported' '^sym: .*/broken: 1 compressed debug section is left out: damaged$' "$scratch/err"
  done
  status 'a damaged .debug_str' 1 "$PSUITE" sym --struct inner broken
  has 'is reported where types need it' '^sym: broken: types: 1 compressed debug section is left out: damaged$' "$scratch/err"
done
finish
