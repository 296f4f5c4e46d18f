# The functions of real files, against what binutils says about them.
. "$TESTS/lib/check.sh"
dump=$(dirname "$PSUITE")/tests/elfdump

for tool in readelf objdump; do
  command -v $tool >/dev/null || { skip "elf against binutils" "no $tool"; finish; }
done

# Stubs: objdump names those of ifuncs by the resolver's address, we by the ifunc, so these are compared by address alone.
stubs_by_objdump() {
  objdump -d -j .plt -j .plt.sec -j .plt.got "$1" 2>/dev/null |
    sed -n 's/^0*\([0-9a-f]*\) <\(.*@plt\)>:$/\1 \2/p' | sed 's/ \*ABS.*//' | sort
}
stubs_by_us() {
  awk 'NR == FNR { if (NF == 1) ifunc[$1]; next }
       $3 ~ /@plt$/ { print ($1 in ifunc) ? $1 : $1 " " $3 }' "$scratch/want" "$scratch/dump" | sort
}

# Starts of the functions with a size: readelf shows .symtab and .dynsym, and what is in the one is in the other.
functions_by_readelf() {
  readelf -sW "$1" | awk '$4 ~ /^I?FUNC$/ && $7 ~ /^[0-9]+$/ && $3 != "0" { sub(/^0+/, "", $2); print $2 }' | sort -u
}

for file in /usr/bin/python3.11 /usr/bin/bash /lib/x86_64-linux-gnu/libc.so.6 /lib/x86_64-linux-gnu/libm.so.6 "$PSUITE"; do
  [ -e "$file" ] && [ "$(uname -m)" = x86_64 ] || { skip "$file" "not here"; continue; }
  "$dump" "$file" >"$scratch/dump" || { fail "$file can be read"; continue; }
  stubs_by_objdump "$file" >"$scratch/want"
  stubs_by_us >"$scratch/got"
  same "$file: stubs as objdump has them" "$scratch/want" "$scratch/got"
  functions_by_readelf "$file" >"$scratch/want"
  awk '{ print $1 }' "$scratch/dump" | sort -u | comm -23 "$scratch/want" - >"$scratch/missing"
  text "$file: no function of readelf's is missing" "" "$(head -5 "$scratch/missing")"
done

"$dump" "$TESTS/lib/check.sh" >"$scratch/out" 2>"$scratch/err" && fail "a text file is refused" || pass "a text file is refused"
has "and we are told why" "not an ELF file" "$scratch/err"
finish
