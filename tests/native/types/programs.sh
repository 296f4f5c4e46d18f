# programs.sh: prototypes of 1,000 functions of each of larger programs against gdb's. Sourced by types.sh in `./dev soak types'.
# sqlite3's shell, git, pbzip2 and ninja (C++) are compiled here; python3.11 has its debug file (python3.11-dbg). The kernel's, with DWARF,
# is $VMLINUX or that of an installed linux-image-*-dbg, which takes 6 GB of disk and is not installed for this.
# arguments_as_gdb PROGRAM ARGUMENT...: at the first instruction of the functions that as_gdb compared last, those that are run
arguments_as_gdb() {
  if [ "$(uname -m)" != x86_64 ]; then skip 'arguments at entry' 'registers of x86-64'; return; fi
  paste -d' ' <(sed 's/ .*//' "$scratch/gdb") "$scratch/got" > "$scratch/prototypes"
  MAIN=$(nm "$1" | awk '$3 == "main" { print $1 }') PROTOTYPES=$scratch/prototypes \
    gdb -q -batch -nx -x "$TESTS/native/types_arguments.py" --args "$@" < /dev/null > "$scratch/arguments" 2>&1
  grep 'gdb has' "$scratch/arguments" | head -5
  has 'arguments in registers as gdb has them at break *ADDRESS' '^[0-9]+ functions, [0-9]+ arguments, 0 differ$' "$scratch/arguments"
  holds 'of thirty functions' "$(sed -nE 's/^([0-9]+) functions, .*/\1/p' "$scratch/arguments") >= 30"
}
sources=${PSUITE_SOURCES_CACHE:-~/.cache/psuite-sources}

if cc -g -O1 -w -o "$scratch/sqlite3" "$sources"/sqlite3/{shell,sqlite3}.c -I"$sources/sqlite3" -lpthread -ldl -lm; then
  as_gdb sqlite3 950 "$scratch/sqlite3"
  arguments_as_gdb "$scratch/sqlite3" -init "$TESTS/native/types/arguments.sql" :memory: .quit
else skip 'prototypes of sqlite3' 'it was not built'
fi
if [ -e "$sources/git/Makefile" ] && cp -r "$sources/git" "$scratch/git" && make -s -C "$scratch/git" -j "$(nproc)" git CFLAGS='-g -O1 -w' \
  NO_{CURL,EXPAT,GETTEXT,TCLTK,PERL,PYTHON,OPENSSL,ICONV}=1 > "$scratch/git.log" 2>&1; then
  as_gdb git 950 "$scratch/git/git"
else skip 'prototypes of git' 'it was not built'
fi
if g++ -g -O1 -w -o "$scratch/pbzip2" "$sources"/pbzip2/*.cpp -lbz2 -lpthread; then
  as_gdb 'pbzip2, C++' 60 "$scratch/pbzip2" "$scratch/pbzip2" c++
else skip 'prototypes of pbzip2' 'it was not built'
fi
mapfile -t ninja < <(find "$sources/ninja-build/src" -name '*.cc' | grep -vE '_test|win32|perftest|_bench|/browse|/test\.cc|\.in\.cc')
if g++ -g -O0 -w -std=c++11 -o "$scratch/ninja" "${ninja[@]}"; then
  as_gdb 'ninja, C++' 950 "$scratch/ninja" "$scratch/ninja" c++
else skip 'prototypes of ninja' 'it was not built'
fi
python=${PYTHON_DEBUG:-$(dpkg -L python3.11-dbg 2>/dev/null | grep '/\.build-id/.*\.debug$' | xargs -r ls -S | head -1)}
if [ -e "${python:-none}" ]; then as_gdb python3.11 950 "$python"
else skip 'prototypes of python3.11' 'no python3.11-dbg'
fi
vmlinux=${VMLINUX:-$(ls /usr/lib/debug/boot/vmlinux-* 2>/dev/null | head -1)}
if [ -e "${vmlinux:-none}" ]; then as_gdb 'the kernel, by DWARF' 900 "$vmlinux"
else skip 'prototypes of the kernel by DWARF' 'no linux-image-*-dbg, and no VMLINUX'
fi
