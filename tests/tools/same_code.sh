#!/bin/bash
# same_code.sh REV: shows that this checkout compiles to the same machine code as commit REV, wherever its files are.
# For commits that only move or rename files. Both are built without debug information; each object is its code sections,
# disassembled with their relocations, in the order of their names. Prints the objects that only one side has; status 1 then.
set -euo pipefail
rev=${1:?usage: same_code.sh REV}
top=$(git rev-parse --show-toplevel)
work=$(mktemp -d)
trap 'git -C "$top" worktree remove --force "$work/source" 2>/dev/null; rm -rf "$work"' EXIT

build() { # build SOURCE BUILD
  cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O2 > "$work/log" && cmake --build "$2" -j "$(nproc)" --target psuite >> "$work/log" ||
    { tail -30 "$work/log"; exit 1; }
}
code() { # code OBJECT: a line a section
  objdump -dr "$1" | sed '/file format/d' | awk 'BEGIN { RS = "\nDisassembly of section " } NR > 1 { gsub(/\n/, "\r"); print }' | LC_ALL=C sort
}
hashes() { # hashes BUILD: HASH and name of each object
  find "$1" -name '*.o' -path '*CMakeFiles/psuite*' | while IFS= read -r object; do
    printf '%s %s\n' "$(code "$object" | md5sum | cut -c1-32)" "$(basename "$object")"
  done | LC_ALL=C sort
}
git -C "$top" worktree add --quiet --detach "$work/source" "$rev"
build "$work/source" "$work/before"
build "$top" "$work/after"
hashes "$work/before" > "$work/old"
hashes "$work/after" > "$work/new"
only=$(LC_ALL=C diff <(cut -d' ' -f1 "$work/old") <(cut -d' ' -f1 "$work/new") | sed -n 's/^[<>] //p' || true)
if [ "$only" ]; then
  grep -F "$only" "$work/old" | sed 's/^/before: /'
  grep -F "$only" "$work/new" | sed 's/^/after:  /'
  exit 1
fi
echo "$(wc -l < "$work/new") objects, the same code as $rev"
