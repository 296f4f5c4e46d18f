#!/bin/bash
# Makes the ELF files of this folder again (Debian 12's gcc for x86-64). The files are committed: only run it to add one.
#   by-id/prog         stripped; its debug file is dbg/.build-id/01/23456789abcdef.debug
#   by-link/prog       no build-id; .gnu_debuglink names prog.debug, which lies beside it
#   by-folder/prog     the same, in .debug/
#   wrong/prog         the same, and prog.debug is another file: the checksum differs
#   stale/prog         its build-id's debug file in dbg/ is of another build
#   packed             stripped, with a .gnu_debugdata
#   full               not stripped, lines and all
set -eu
cd "$(dirname "$0")"
rm -rf by-id by-link by-folder wrong stale dbg packed full
flags="-O1 -g -nostdlib -ffreestanding -fno-stack-protector -fcf-protection=none -fdebug-prefix-map=$PWD=/src
  -fno-asynchronous-unwind-tables -pie -fPIE -Wl,-z,noseparate-code,-z,max-page-size=4096,-z,norelro,-e,_start"
gcc $flags -Wl,--build-id=0x0123456789abcdef prog.c -o full
objcopy -R .comment full
objcopy -R .note.gnu.build-id full noid # and not by the linker: addresses stay
gcc $flags -Wl,--build-id=0xfedcba9876543210 -Dplain=other prog.c -o other
objcopy -R .comment other

mkdir -p by-id by-link by-folder/.debug wrong stale dbg/.build-id/{01,fe}
strip full -o by-id/prog
objcopy --only-keep-debug full dbg/.build-id/01/23456789abcdef.debug
objcopy --only-keep-debug noid by-link/prog.debug
strip noid -o bare
(cd by-link && objcopy --add-gnu-debuglink=prog.debug ../bare prog)
cp by-link/prog by-folder/prog
cp by-link/prog.debug by-folder/.debug/
cp by-link/prog wrong/prog
objcopy --only-keep-debug -R .note.gnu.build-id other wrong/prog.debug
strip other -o stale/prog
cp dbg/.build-id/01/23456789abcdef.debug dbg/.build-id/fe/dcba9876543210.debug
echo packed > packed.xz
objcopy --add-section .gnu_debugdata=packed.xz by-id/prog packed
rm -f noid other bare packed.xz
find . -type f -exec chmod 644 {} +
chmod 755 make.sh
