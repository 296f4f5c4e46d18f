#!/bin/bash
# Makes the files of this folder again: gcc, clang, lld, dwz, dwp, the cross compilers for armhf and arm64 (Debian 12: gcc 12,
# clang 14). The files are committed: only run it to add one. NAME.lines is what llvm-symbolizer says about every second byte
# of NAME's text (NAME.addrs gives the range); dwz'ed files, which it cannot follow, have the answers of the file before dwz.
set -eu
cd "$(dirname "$0")"
here=$PWD
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cp prog.c prog.h other.c names.cc local.cc "$work"
cd "$work"

small="-nostdlib -ffreestanding -fno-asynchronous-unwind-tables -fno-stack-protector -fomit-frame-pointer -Wl,-e,main
  -Wl,--build-id=none,-z,noseparate-code,-z,max-page-size=4096,-z,norelro -ffile-prefix-map=$work=/src -no-pie -fno-pie
  -Wl,-Ttext=0x10000"

# expect NAME [FROM]: NAME.lines, out of FROM's debug information.
expect() {
  local from=${2:-$1} start size
  read -r start size < <(readelf -SW "$from" | sed -n 's/.* \.text *PROGBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/0x\1 0x\2/p')
  for ((a = start; a < start + size; a += 2)); do printf '0x%x\n' $a; done > "$1.addrs"
  llvm-symbolizer --no-demangle --output-style=LLVM -e "./$from" < "$1.addrs" > "$1.lines"
}
build() { # build NAME COMPILER FLAGS: and what is expected of it
  local name=$1; shift
  "$@" $small -o "$name" 2>&1 | grep -v -e 'argument unused' -e 'argument .* unused' || true
  expect "$name"
}

for o in 0 1 2 3; do
  build gcc-O$o gcc -g -O$o prog.c other.c
  build clang-O$o clang -fuse-ld=lld -g -O$o prog.c other.c
done
for v in 2 3 4; do
  build gcc-dwarf$v gcc -gdwarf-$v -gstrict-dwarf -O2 prog.c other.c
  build clang-dwarf$v clang -fuse-ld=lld -gdwarf-$v -O2 prog.c other.c
done
build gcc-names gcc -g -O2 names.cc
build clang-names clang -fuse-ld=lld -g -O2 names.cc
build gcc-local gcc -g -O2 local.cc
build gcc-local-O0 gcc -g -O0 local.cc
build gcc-local-dwarf4 gcc -gdwarf-4 -O2 local.cc
build clang-local clang -fuse-ld=lld -g -O2 local.cc
build gcc-lto gcc -flto -g -O2 prog.c other.c
build clang-lto clang -flto -fuse-ld=lld -g -O2 prog.c other.c
build gcc-dwarf64 gcc -g -gdwarf64 -O2 prog.c other.c
build gcc-sections gcc -g -O2 -ffunction-sections -Wl,--gc-sections prog.c other.c
build gcc-zlib gcc -g -gz=zlib -O2 prog.c other.c
build gcc-zdebug gcc -g -gz=zlib-gnu -O2 prog.c other.c
build armhf-thumb arm-linux-gnueabihf-gcc -mthumb -g -O2 prog.c other.c
build armhf-a32 arm-linux-gnueabihf-gcc -marm -gdwarf-4 -O2 prog.c other.c
build armeb-be8 arm-linux-gnueabihf-gcc -marm -mbig-endian -Wl,--be8 -g -O2 prog.c other.c
build arm64 aarch64-linux-gnu-gcc -g -O2 prog.c other.c
build arm64-be aarch64-linux-gnu-gcc -mbig-endian -g -O2 prog.c other.c
build arm64-be-dwarf4 aarch64-linux-gnu-gcc -mbig-endian -gdwarf-4 -O2 prog.c other.c

# zstd, by binutils 2.40 or later; llvm-symbolizer 14 reads none of it.
zstd_of() { # zstd_of FROM NAME OBJCOPY
  "$3" --compress-debug-sections=zstd "$1" "$2"; expect "$2" "$1"
}
zstd_of gcc-O2 gcc-zstd objcopy
zstd_of armeb-be8 armeb-zstd arm-linux-gnueabihf-objcopy
zstd_of arm64-be arm64-be-zstd aarch64-linux-gnu-objcopy

# Split: the .dwo files beside, named by the skeletons as in the folder where they were made.
for v in 4 5; do
  for with in gcc clang; do
    flags="-gdwarf-$v -gsplit-dwarf -O2"
    [ $with = gcc ] || flags="$flags -fuse-ld=lld -fdebug-compilation-dir=."
    for unit in prog other; do
      $with $small $flags -fdebug-prefix-map=$work=. -c $unit.c -o split-$with$v-$unit.o
    done
    $with $small $flags split-$with$v-prog.o split-$with$v-other.o -o split-$with$v
    expect split-$with$v
    [ $with$v = gcc5 ] || dwp -e split-$with$v -o split-$with$v.dwp || llvm-dwp -e split-$with$v -o split-$with$v.dwp
  done
done
llvm-dwp -e split-clang5 -o split-clang5.dwp

# dwz: two programs that share.
cp gcc-O2 dwz-one; cp gcc-O3 dwz-two
dwz -m dwz-shared dwz-one dwz-two || true
if readelf -SW dwz-one | grep -q gnu_debugaltlink; then expect dwz-one gcc-O2; expect dwz-two gcc-O3; fi
gcc -g -O2 $small prog.c other.c names.cc -Wl,--allow-multiple-definition -o dwz-self; expect dwz-self; dwz dwz-self || true

cp gcc-O2 stripped; strip stripped
cp gcc-O2 stripped-symtab; strip --strip-unneeded -g stripped-symtab
objcopy --remove-section=.comment dwz-shared 2>/dev/null || true
chmod 644 gcc-* clang-* arm* split-* dwz-* stripped*
rm -f *.o *.addrs
mv gcc-* clang-* arm* split-* dwz-* stripped* "$here"
ls -l "$here"
