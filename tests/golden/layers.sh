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
never 'engine asks no system' "$system" src/engine include/engine
never 'the runtime knows its own headers alone' '(core|engine|plat|applets|dev)/' src/runtime include/runtime
never 'applets ask no system' "$system" src/applets
text 'libelf is called by core/elf alone' '' "$(grep -rlE '^#include [<"](libelf|gelf)\.h' src include | grep -v '^src/core/elf')"
text 'libiberty is called by core/demangle alone' '' "$(grep -rlE '^#include [<"]libiberty' src include | grep -v '^src/core/demangle/')"
text 'libzstd is called by core/unzstd alone' '' "$(grep -rlE '^#include [<"]zstd' src include | grep -v '^src/core/unzstd/')"
text 'zlib is called by three files' 'src/core/debugfile.c src/core/dwarf_inflate.c src/core/gzip.c' \
  "$(grep -rlE '^#include <zlib' src include | sort | paste -sd' ')"
text 'conditional compilation only in plat and runtime' '' \
  "$(grep -rnE '^#[ ]*(if|ifdef|ifndef|elif)' src include --include='*.[ch]' | grep -vE '^(src/(plat|runtime)|include/psprof\.h)/?|:[0-9]+:#ifndef PSUITE_[A-Z0-9_]+_H$')"
finish
