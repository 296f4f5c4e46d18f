#!/bin/bash
# Who may include whom. Layers first, then the rooms of a layer: a room is a folder, and includes only itself and the rooms
# before it in the lists below. An include that points upwards is named by file and line.
. "$(dirname "$0")/../lib/check.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
cd "$SOURCE" || exit

# FILE:LINE:#include ..., of all files
grep -rnE '^#include ' src include --include='*.[ch]' > "$scratch/includes"

# --- layers
# never WHAT PATTERN PLACE...: no #include in the folders or files matches
never() {
  local what=$1 pattern=$2 places; shift 2
  places=$(IFS='|'; echo "$*")
  text "$what" '' "$(grep -E "^(${places//./[.]})[/:].*:#include [<\"]($pattern)" "$scratch/includes")"
}
system='sys/|linux/|asm/|unistd\.h|fcntl\.h|poll\.h|dirent\.h|pthread\.h|termios\.h|sched\.h|elf\.h'
never 'core includes no other layer' '(plat|engine|applets|dev)/' src/core include/core
never 'core includes no system header' "$system" src/core include/core
never 'plat includes core and itself' '(engine|applets|dev)/' src/plat include/plat
never 'plat reads no DNS' 'core/net/dns' src/plat include/plat
never 'what both ptrace tracers use includes neither' '(sample_ptrace|iotrace|plat/iotrace)\.h' \
  src/plat/linux/ptrace/{threads,restart,restart_calls,tracee_status,tracee_memory,denied}.c \
  src/plat/linux/ptrace/{threads,restart,tracee_status,tracee_cpu}.h
never 'engine includes no applet' '(applets|dev)/' src/engine include/engine
never 'engine includes no system header' "$system" src/engine include/engine
never 'devices include no applet' 'applets/' src/dev include/dev
never 'devices include no system header' "$system" src/dev include/dev
never 'the runtime includes its own headers alone' '(core|engine|plat|applets|dev)/' src/runtime include/runtime
never 'applets include no system header' "$system" src/applets
callers() { grep -E ":#include [<\"]($1)" "$scratch/includes" | cut -d: -f1 | sort -u | paste -sd' '; }
text 'prof alone reads the runtime'\''s file format' 'src/core/prof' \
  "$(callers 'runtime/' | tr ' ' '\n' | grep -v '^src/runtime/' | xargs -n 1 dirname | sort -u)"
text 'libelf is called in core/elf alone' '' "$(callers 'libelf|gelf\.h' | tr ' ' '\n' | grep -vE '^(src|include)/core/elf/')"
text 'libiberty is called in one file' src/core/symbol/demangle/iberty.c "$(callers libiberty)"
text 'libzstd is called in one file' src/core/base/zstd/zstd.c "$(callers zstd)"
text 'libdwarf is called in core/types/dwarf alone' '' \
  "$(callers '(libdwarf|dwarf)\.h>' | tr ' ' '\n' | grep -v '^src/core/types/dwarf/')"
text 'zlib is called in three files' 'src/core/base/gzip.c src/core/dwarf/inflate.c src/core/elf/debugfile.c' "$(callers zlib)"
text 'arrays are sorted by sort_array, which takes none, too' include/core/base/sort.h \
  "$(grep -rl '\bqsort(' src include | grep -v '^src/runtime/')"
text 'conditional compilation only in plat and runtime' '' \
  "$(grep -rnE '^#[ ]*(if|ifdef|ifndef|elif)' src include --include='*.[ch]' | grep -vE '^(src/(plat|runtime)|include/psprof\.h)/?')"

# --- rooms, the lowest first
core='base containers text elf procfs io net ns time tui perf trace stacks doctor selftest fuse ninep dwarf types insn unwind coredump symbol probe coverage heap sample prof timeline ktrace profdev stats report layout topo browse export snap'
engine='base symbols ns http sampling trace prof stats hostfs bind iostats selftest snap'
linux='process fs net tty perf cpu sample ptrace breaks trace probe guard workload x86_64 aarch64 arm'

# upwards LAYER PATH ROOMS: stdin has `FILE:#include "NAME"' of that layer, whose headers are included as PATH/ROOM/...
# Prints what stands outside the rooms, and what includes a room that does not stand before its own.
upwards() {
  awk -v layer="$1" -v path="$2" -v rooms="$3" '
    BEGIN { for (n = split(rooms, name, " "); n; n--) rank[name[n]] = n }
    {
      split($0, part, ":#include \""); from = part[1]; to = part[2]; sub(/".*/, "", to)
      room = from; sub("^(src|include)/" layer "/", "", room)
      if (!sub(/\/.*/, "", room) || !(room in rank)) { print from " stands in no room"; next }
      if (path && !sub("^" path "/", "", to)) next
      if (!sub(/\/.*/, "", to) || !(to in rank)) next
      if (rank[to] > rank[room]) print from " includes " to
    }' | sort -u
}
# A file without an include has a line, too.
includes() { # includes FOLDER...
  local folders; folders=$(IFS='|'; echo "$*")
  sed -nE "s@^(($folders)/[^:]*):[0-9]+:(#include \".*)@\\1:\\3@p" "$scratch/includes"
  find "$@" -name '*.[ch]' | sed 's/$/:#include ""/'
}
text 'rooms of core: no include upwards' '' "$(includes src/core include/core | upwards core core "$core")"
text 'rooms of engine: no include upwards' '' "$(includes src/engine include/engine | upwards engine engine "$engine")"
text 'rooms of plat/linux: no include upwards' '' "$(includes src/plat/linux | upwards plat/linux '' "$linux")"
text 'an include upwards is seen' 'src/core/base/buf.c includes tui
src/core/cellar.c stands in no room
src/core/cellar/wine.c stands in no room' "$(printf '%s:#include "%s"\n' src/core/base/buf.c core/tui/canvas.h src/core/cellar.c core/base/buf.h \
  src/core/tui/keys.c core/base/buf.h src/core/unwind/cfi_pool.c cfi_table.h src/core/cellar/wine.c '' | upwards core core "$core")"

# --- what a room is
text 'no room has over 45 sources' '' \
  "$(find src/core src/engine src/plat/linux include/core include/engine -name '*.[ch]' | xargs -n 1 dirname | sort | uniq -c | awk '$1 > 45 { print $2, $1 }')"
rooms() { printf "src/core/%s\n" $core; printf "src/engine/%s\n" $engine; printf "src/plat/linux/%s\n" $linux; }
text 'each room has a README of at most ten lines' '' \
  "$(rooms | while read -r room; do { mapfile -t lines < "$room/README.md" && [ ${#lines[@]} -le 10 ]; } 2>/dev/null || echo "$room"; done)"
# used LAYER PATH: lines `ROOM' and `ROOM ROOM' as the includes are; named: the same as the READMEs say
used() {
  includes "src/$1" "include/$1" | awk -v layer="$1" -v path="$2" '
    {
      split($0, part, ":#include \""); room = part[1]; to = part[2]
      sub("^(src|include)/" layer "/", "", room); sub(/\/.*/, "", room); print room
      if (path && !sub("^" path "/", "", to)) next
      if (sub(/\/.*/, "", to) && to != room) print room, to
    }' | sort -u
}
named() {
  (cd "src/$1" && grep -H '^Includes:' */README.md) | sed -E 's#/README.md:Includes:# #; s/ no other room[^;.]*//; s/ nothing[^.]*//; s/;.*//; s/[.,]//g' |
    awk '{ print $1; for (i = 2; i <= NF; i++) print $1, $i }' | sort -u
}
for layer in core engine; do
  text "each README of $layer names the rooms that are included" "$(used "$layer" "$layer")" "$(named "$layer")"
done
text 'ARCHITECTURE.md lists the rooms in this order' "$core
$engine
$linux" "$(sed -nE 's/^ (core|engine|linux):  *//p' ARCHITECTURE.md)"

# private LAYER: headers of include/LAYER that no other room, layer or public header uses: their place is beside their users
private() {
  includes src include | awk -v layer="$1" '
    { split($0, part, ":#include \""); from = part[1]; room = to = part[2]; sub(/".*/, "", to); sub(/\/[^\/]*$/, "", room) }
    from ~ "^include/" layer "/" { header[substr(from, 9)] }
    index(from, "src/" room "/") != 1 { used[to] }
    END { for (h in header) if (!(h in used)) print "include/" h }'
}
text 'headers of one room are in its folder' '' "$(private core; private engine)"
# A source of one room that includes a private header of another.
foreign() { # foreign LAYER
  grep -rnE '^#include "(\.\./|src/)' "src/$1" "include/$1" --include='*.[ch]'
}
text 'no room reaches into the folder of another' '' "$(foreign core; foreign engine)"

# --- documents: a path that one names exists; NAME, ARCH and the like stand for something
named_paths() { # named_paths PATTERN: between backquotes
  grep -ohE "\`$1\`" ARCHITECTURE.md CONTRIBUTING.md README.md doc/decisions/*.md $(rooms | sed 's#$#/README.md#') |
    tr -d '\`' | grep -v '[A-Z][A-Z]' | sort -u
}
text 'paths in documents exist' '' "$(named_paths '(src|include|tests|doc|cmake|man)/[A-Za-z0-9_./-]+' |
  while read -r path; do [ -e "$path" ] || echo "$path"; done)"
text 'headers and rooms in documents exist' '' "$(named_paths '(core|engine|plat)/[a-z0-9_/]+(\.[a-z]+)?' |
  while read -r path; do
    for at in "include/$path" "src/$path" "src/$path.c" "include/$path.h"; do [ ! -e "$at" ] || continue 2; done
    echo "$path"
  done)"
finish
