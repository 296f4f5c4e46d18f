#!/bin/bash
# Makes the ELF files of this folder again: gcc and the cross compilers for arm64 and armhf (Debian 12: gcc 12, clang and lld 14). The files are committed.
set -eu
cd "$(dirname "$0")"
small="-O2 -nostdlib -ffreestanding -fno-builtin -fomit-frame-pointer -fno-stack-protector -Wl,-e,main -Wl,--build-id=none,-z,noseparate-code,-z,max-page-size=4096,-z,norelro"
aarch64-linux-gnu-gcc $small prog.c -o arm64 -s
aarch64-linux-gnu-gcc $small -mbranch-protection=pac-ret+leaf+b-key prog.c -o arm64-pac -s
clang --target=aarch64-linux-gnu -O2 -ffreestanding -fno-inline -fno-stack-protector -funwind-tables -nostdlib -fuse-ld=lld -static \
  -Wl,-e,main,--eh-frame-hdr,--build-id=none,-z,max-page-size=4096,-z,norelro prog.c -o arm64-clang -s # its rules are behind each prologue
aarch64-linux-gnu-gcc $small -g1 -gz=zlib -fno-asynchronous-unwind-tables prog.c -o arm64-debug
arm-linux-gnueabihf-gcc $small -funwind-tables -Wl,--unresolved-symbols=ignore-all prog.c -o armhf -s
gcc $small -g1 -gdwarf64 -gdwarf-4 -fno-asynchronous-unwind-tables prog.c -o x86_64-dwarf64
gcc $small prog.c -o x86_64 -s
strip --strip-unneeded --keep-section=.debug_frame arm64-debug 2>/dev/null || aarch64-linux-gnu-strip --keep-section=.debug_frame arm64-debug
strip --keep-section=.debug_frame x86_64-dwarf64
