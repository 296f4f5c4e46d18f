# sym --signature and --struct on this machine: the kernel's types against those of pahole and pfunct, programs' against gdb's
# and pahole's; damaged files.
. lib/check.sh
btf=/sys/kernel/btf/vmlinux
compare() { python3 "$TESTS/native/types_compare.py" "$@" > "$scratch/differ"; tail -1 "$scratch/differ"; }

# --- the kernel's, by BTF
if ! [ -r $btf ]; then skip 'the kernel'\''s types' "no $btf"
elif ! command -v pahole >/dev/null; then skip 'the kernel'\''s types' 'no pahole'
else
  pahole -F btf $btf > "$scratch/pahole" 2>/dev/null
  grep -E '^(struct|union) [a-zA-Z0-9_]+ \{$' "$scratch/pahole" | awk '{ print $1 " " $2 }' | sort | uniq -u |
    shuf -n 2000 --random-source=<(yes) > "$scratch/names"
  sed 's/^/--struct=/' "$scratch/names" | tr '\n' '\0' | xargs -0 "$PSUITE" sym -k > "$scratch/structs" 2> "$scratch/err"
  text 'each is found' '' "$(head -3 "$scratch/err")"
  wanted=$(wc -l < "$scratch/names")
  holds 'many of them' "$wanted >= 1000"
  text 'structs and unions are laid out as pahole has them' "$wanted compared, 0 differ" "$(compare structs "$scratch/pahole" "$scratch/structs")"
  head -20 "$scratch/differ" | grep -v compared
  pfunct -F btf -P $btf 2>/dev/null | grep -E '[ *][A-Za-z0-9_]+\(' > "$scratch/pfunct"
  sed -E 's/^[^(]*[ *]([A-Za-z0-9_]+)\(.*/\1/' "$scratch/pfunct" | grep -xE '[A-Za-z0-9_]+' | sort -u |
    shuf -n 1000 --random-source=<(yes) > "$scratch/names"
  sed 's/^/--signature=/' "$scratch/names" | tr '\n' '\0' | xargs -0 "$PSUITE" sym -k > "$scratch/prototypes"
  text 'prototypes of functions as pfunct has them' "$(wc -l < "$scratch/prototypes") compared, 0 differ" \
    "$(compare functions "$scratch/pfunct" "$scratch/prototypes")"
  head -20 "$scratch/differ" | grep -v compared
  holds 'a thousand of them' "$(wc -l < "$scratch/prototypes") >= 1000"
  at=$(awk '$3 == "vfs_read" { print $1 }' /proc/kallsyms)
  if [ -z "${at//0/}" ]; then skip 'a function by its address' 'the kernel hides its addresses'
  else
    status 'a function by its address' 0 "$PSUITE" sym -k --signature "0x$at"
    has 'has its prototype' '^ssize_t vfs_read\(struct file \*file, char \*buf, size_t count, loff_t \*pos\);$' "$scratch/out"
  fi
fi

# --- programs'
"$PSUITE" --version | grep -q ' libdwarf' || { skip 'the types of programs' 'built without libdwarf'; finish; }
for tool in gdb nm g++ cc; do command -v $tool > /dev/null || { skip 'the types of programs' "no $tool"; finish; }; done
. lib/as_gdb.sh
as_gdb 'psuite' 900 "$PSUITE"
libc=$(ldd /bin/sleep | awk '/libc\.so/ { print $3 }') id=$(readelf -n "$libc" | awk '/Build ID/ { print $3 }')
debug=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
if [ -e "$debug" ]; then as_gdb 'libc, by its debug file' 800 "$libc" "$debug"
else skip 'libc, by its debug file' 'no libc6-dbg'
fi
for version in 4 5; do
  g++ -g -gdwarf-$version -O1 -o "$scratch/scopes$version" "$TESTS/native/types/scopes.cc"
  status "DWARF $version: C++" 0 "$PSUITE" sym --signature main --signature ns::Base::sum --signature helper --signature walk \
    --signature 'twice<int>' --struct ns::Derived --struct node --struct ns::Color "$scratch/scopes$version"
  same 'as it was written' "$TESTS/native/types/scopes.out" "$scratch/out"
  cc -g -gdwarf-$version -O2 -shared -fPIC -o "$scratch/sample$version" "$TESTS/data/types/sample.c"
  status "DWARF $version: C" 0 "$PSUITE" sym --struct node --struct counter --struct 'enum color' --struct mask --struct number \
    --signature compare --signature nothing --signature printed --signature chosen --signature flags --signature find "$scratch/sample$version"
  sed 's/\[4\]\[2\];/[8];   /' "$scratch/out" > "$scratch/flat" # BTF has one dimension
  same 'the same as by BTF' "$TESTS/applets/sym/types.out" "$scratch/flat"
done

# --- copies of functions, for some of their callers
cc -g -O2 -o "$scratch/copies" "$TESTS/native/types/copies.c"
copy=$(nm "$scratch/copies" | awk '$3 ~ /^scaled\.(constprop|isra)/ { print $3 }')
if [ -z "$copy" ]; then skip 'a copy with other parameters' 'the compiler made none'
else
  status 'a copy with other parameters' 0 "$PSUITE" sym --signature "$copy" --signature scaled --signature plain "$scratch/copies"
  text 'is marked, others are not' "int $copy(int a, int factor, int unused, const char *name); /* a copy with other parameters */
int scaled(int a, int factor, int unused, const char *name);
int plain(int a, int b);" "$(cat "$scratch/out")"
fi
g++ -g -O1 -fdebug-types-section -o "$scratch/units" "$TESTS/native/types/scopes.cc"
status 'units of one type each' 1 "$PSUITE" sym --struct ns::Derived --signature main "$scratch/units"
has 'are reported' 'types are missing: they are in type units, which are not read$' "$scratch/err"

# --- a process: libc's function, not the program's stub that calls it
cat > "$scratch/sleeps.c" <<'C'
#include <time.h>
int main(void)
{
    return nanosleep(&(struct timespec){1000, 0}, 0);
}
C
cc -g -o "$scratch/sleeps" "$scratch/sleeps.c"
"$scratch/sleeps" & pid=$!
is_sleeps() { grep -q '^sleeps$' /proc/$pid/comm && grep -q /libc /proc/$pid/maps; }
until_ok is_sleeps
if [ -e "$debug" ]; then
  status 'a process' 0 "$PSUITE" sym --signature nanosleep --signature main --struct timespec $pid
  has 'has the prototype of libc' '^int nanosleep\(const struct timespec \*' "$scratch/out"
else
  status 'a process' 1 "$PSUITE" sym --signature nanosleep --signature main --struct timespec $pid
fi
has 'has its own function' '^int main\(void\);$' "$scratch/out"
has 'has its structs' '^struct timespec \{$' "$scratch/out"
status 'a name that nothing defines' 1 "$PSUITE" sym --signature no_such_function $pid
kill $pid

# --- larger programs, in `./dev soak types'
if [ "${PROGRAMS:-}" = all ]; then . native/types/programs.sh; fi

# --- damaged files
ok 'damaged copies' python3 "$TESTS/native/types_hostile.py" "$PSUITE" "$scratch/scopes5" "${TYPES_DAMAGED:-200}" 70
text 'are read or refused' '' "$(grep -v ' read, ' "$scratch/ok.out")"
finish
