#!/bin/sh
# Makes the programs of this folder from their sources, with the assemblers and linkers of Debian's cross compilers.
set -e
cd "$(dirname "$0")"
make() { # make PREFIX NAME
  "$1"as -o "$2.o" "$2.s"
  "$1"ld --eh-frame-hdr -z max-page-size=4096 -z noseparate-code --build-id=none -e 0 -o "$2" "$2.o"
  rm "$2.o"
}
make '' x86_64
strip -o x86_64.stripped x86_64
