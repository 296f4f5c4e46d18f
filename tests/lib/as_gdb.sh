# as_gdb.sh: prototypes of programs against gdb's. Wants check.sh, gdb and nm.

plain() { # gdb's spelling of integers; it does not know what is restrict
  sed -E 's/long long unsigned int/unsigned long long/g; s/(long|short) unsigned int/unsigned \1/g; s/\b(long|short) int\b/\1/g; s/\*restrict ?/*/g'
}
spelled() { # spelled LANGUAGE
  case $1 in c++) plain | python3 "$TESTS/native/types_spelling.py" ;; *) plain ;; esac
}
# as_gdb WHAT LEAST PROGRAM [SYMBOLS [LANGUAGE]]: prototypes of up to 1,000 functions, at their addresses. Of C++ weak
# symbols, too: what a template became. In parts, as there is a limit of time.
as_gdb() {
  local language=${5:-c} kinds='[tT]'
  [ "$language" = c ] || kinds='[tTW]'
  nm --defined-only "${4:-$3}" | awk "\$2 ~ /$kinds/"' && $3 !~ /\./ { print $1 }' | sort -u | shuf -n 1000 --random-source=<(yes) > "$scratch/addresses"
  LANGUAGE=$language ADDRESSES=$scratch/addresses gdb -q -batch -nx -x "$TESTS/native/types_gdb.py" "$3" 2> "$scratch/gdb.err" |
    grep -v ' ??;$' > "$scratch/gdb"
  cut -d' ' -f2- "$scratch/gdb" | spelled "$language" > "$scratch/wanted"
  sed 's/ .*//; s/^/--signature=0x/' "$scratch/gdb" | tr '\n' '\0' | xargs -0 -n 250 "$PSUITE" sym "$3" 2> "$scratch/err" | spelled "$language" > "$scratch/got"
  holds "$1: enough functions" "$(wc -l < "$scratch/wanted") >= $2"
  text "$1: each is found" '' "$(head -3 "$scratch/err")"
  text "$1: prototypes as gdb has them" '' "$(diff "$scratch/wanted" "$scratch/got" | head -20)"
}
