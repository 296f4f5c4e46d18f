#!/bin/bash
# The one direction: who may include what. An arrow that runs upwards is named by file and line.
. "$(dirname "$0")/../lib/check.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
cd "$SOURCE" || exit

# never WHAT PATTERN FOLDER...: no #include in the folders matches
never() {
  local what=$1 pattern=$2; shift 2
  text "$what" '' "$(grep -rnE "^#include [<\"]($pattern)" "$@" --include='*.[ch]')"
}
system='sys/|linux/|asm/|unistd\.h|fcntl\.h|poll\.h|dirent\.h|pthread\.h|termios\.h|sched\.h|elf\.h'
never 'core knows nothing above or beside it' '(plat|engine|applets|dev)/' src/core include/core
never 'core asks no system' "$system" src/core include/core
never 'plat knows only core and itself' '(engine|applets|dev)/' src/plat include/plat
never 'engine knows no applet' '(applets|dev)/' src/engine include/engine
never 'the file tree is below what serves it to a command or at a directory' 'engine/(iostats|bind|ns)/' src/engine/hostfs include/engine/hostfs
never 'engine asks no system' "$system" src/engine include/engine
never 'devices know no applet' 'applets/' src/dev include/dev
never 'devices ask no system' "$system" src/dev include/dev
never 'the runtime knows its own headers alone' '(core|engine|plat|applets|dev)/' src/runtime include/runtime
never 'applets ask no system' "$system" src/applets
text 'libelf is called by core/elf alone' '' "$(grep -rlE '^#include [<"](libelf|gelf)\.h' src include | grep -v '^src/core/elf')"
text 'libiberty is called by core/demangle alone' '' "$(grep -rlE '^#include [<"]libiberty' src include | grep -v '^src/core/demangle/')"
text 'libzstd is called by core/unzstd alone' '' "$(grep -rlE '^#include [<"]zstd' src include | grep -v '^src/core/unzstd/')"
text 'zlib is called by three files' 'src/core/debugfile.c src/core/dwarf_inflate.c src/core/gzip.c' \
  "$(grep -rlE '^#include <zlib' src include | sort | paste -sd' ')"
text 'conditional compilation only in plat and runtime' '' \
  "$(grep -rnE '^#[ ]*(if|ifdef|ifndef|elif)' src include --include='*.[ch]' | grep -vE '^(src/(plat|runtime)|include/psprof\.h)/?|:[0-9]+:#ifndef PSUITE_[A-Z0-9_]+_H$')"

# Rooms of core, the lowest first: a file includes what stands in its own room or in one below.
rooms='
text       ns ns_* last_line scan buf bytes table json fail grow hex utf8 imap intern radix strtable gzip xml varint rune* texts proto span name_fit text_fold
system     facts mounts kconfig finding* doctor* pmu_event cpu_stat proc_stat meminfo kernel_counts power_supply net_text proc_about dev_text
files      io_* fuse_*
remote     ninep*
net        net_address net_hosts dns http_* feed
runs       counter summary signal_name waitline time_*
monitoring stats_* statspage
programs   elf* symtab debuglink debugfile dwarf* cfi* unwind* lines* demangle* unzstd
names      module frames kallsyms kernel_* perfmap llvm_symbols logline answer
records    perfrec order waits perfdata*
mappings   space maps mapped*
stacks     stacks
samples    sampled sampled_count sampled_unwind sampled_waits late
counts     hits flat histogram kpdata profile_file chain_ends waits_text sampled_stacks recording*
views      call_* stacks_* annotate* flat_kernel flat_name flat_report flat_json
calls      prof_*
writers    write* firefox* flame* pprof_sites
timelines  sched_* trace_*
screens    caps canvas* key* top* statsview* timeline*
'
# What of core includes a room above its own, or stands in none: stdin is FILE:#include "NAME".
climbs() {
  awk -v rooms="$rooms" '
    function room(stem,  key) {
      if (stem in exact) return exact[stem]
      for (key in prefix) if (index(stem, key) == 1) return prefix[key]
      return 0
    }
    BEGIN {
      for (i = split(rooms, line, "\n"); i; i--) for (n = split(line[i], word, " "); n > 1; n--)
        if (sub(/\*$/, "", word[n])) prefix[word[n]] = i; else exact[word[n]] = i
    }
    {
      split($0, part, ":#include \""); from = part[1]; to = part[2]
      sub(/^(src|include)\/core\//, "", from); sub(/[.\/].*/, "", from)
      sub(/^core\//, "", to); sub(/[.\/].*/, "", to)
      if (!room(from)) print part[1] " stands in no room"
      else if (room(to) > room(from)) print part[1] " includes " to
    }' | sort -u
}
includes() { grep -rE '^#include "' src/core include/core --include='*.[ch]'; }
text 'core has no arrow upwards' '' "$(includes | climbs)"
text 'an arrow upwards is seen' 'src/core/buf.c includes top
src/core/cellar.c stands in no room' "$(printf '%s:#include "%s"\n' src/core/buf.c core/top.h src/core/cellar.c core/buf.h \
  src/core/top.c core/buf.h src/core/cfi_pool.c cfi_table.h | climbs)"
finish
