#!/bin/bash
# Makes the ELF files of this folder again: gcc, gcc -m32, lld, and the cross compilers for armhf and arm64 (Debian 12).
# The files are committed: only run it to add one. Then see what changed in the .sym files, which
# UPDATE=1 `build/tests/unit elf` writes anew. Needs llvm and python3, too.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
echo 'int puts(const char *s) { return *s; } int abs(int x) { return x < 0 ? -x : x; }' >"$work/other.c"

small="-O1 -nostdlib -ffreestanding -fno-builtin -fno-asynchronous-unwind-tables -fno-stack-protector -fomit-frame-pointer
  -Wno-attributes -Wl,--build-id=0x0123456789abcdef,-z,noseparate-code,-z,max-page-size=4096,-z,norelro"

mkdir "$work/lld"; ln -s "$(command -v ld.lld)" "$work/lld/ld.lld" # where the cross compilers find it

# build OUT "COMPILER FLAGS": linked with a module of its own architecture that has puts and abs.
build() {
  local out=$1 with=$2
  $with $small -fPIC -shared -Wl,-soname=libother.so "$work/other.c" -o "$work/libother.so"
  $with $small ${MORE:-} funcs.c "$work/libother.so" -o "$out"
  ${STRIP:-strip} --remove-section=.comment "$out" --strip-debug 2>/dev/null || true
}

# headless FILE OUT: without section headers, as sstrip leaves it.
headless() {
  local table=$(od -An -tu8 -j40 -N8 "$1")
  head -c $((table)) "$1" >"$2"
  head -c 8 /dev/zero | dd of="$2" bs=1 seek=40 conv=notrunc status=none
  head -c 4 /dev/zero | dd of="$2" bs=1 seek=60 conv=notrunc status=none
}

build x86_64.exe       "gcc -no-pie -fno-pie"
build x86_64.pie       "gcc -pie -fPIE"
build x86_64-ibt.pie   "gcc -pie -fPIE -fcf-protection -Wl,-z,ibtplt"
build x86_64.so        "gcc -shared -fPIC -DIFUNC"
build x86_64-sysv.so   "gcc -shared -fPIC -Wl,--hash-style=sysv"
build i386.so          "gcc -m32 -shared -fPIC"
MORE="-fasynchronous-unwind-tables -Wl,--eh-frame-hdr" build x86_64-unwind.so "gcc -shared -fPIC"
STRIP=arm-linux-gnueabihf-strip
MORE="-funwind-tables -Wl,--no-merge-exidx-entries" build arm-unwind.so "arm-linux-gnueabihf-gcc -mthumb -shared -fPIC"
build arm-thumb.so     "arm-linux-gnueabihf-gcc -mthumb -shared -fPIC"
build arm-a32.exe      "arm-linux-gnueabihf-gcc -marm -no-pie -fno-pie"
build arm-mixed.exe    "arm-linux-gnueabihf-gcc -march=armv5te -mfloat-abi=soft -mthumb -no-pie -fno-pie"
build armeb-be8.so     "arm-linux-gnueabihf-gcc -marm -mbig-endian -Wl,--be8 -shared -fPIC"
build armeb-be32.so    "arm-linux-gnueabihf-gcc -marm -mbig-endian -shared -fPIC"
STRIP=aarch64-linux-gnu-strip
build aarch64.so       "aarch64-linux-gnu-gcc -shared -fPIC"
build aarch64-bti.pie  "aarch64-linux-gnu-gcc -pie -fPIE -mbranch-protection=standard -Wl,-z,force-bti,-z,pac-plt"
build aarch64-bti.exe  "aarch64-linux-gnu-gcc -no-pie -fno-pie -mbranch-protection=standard -Wl,-z,force-bti"
build aarch64-pac.so   "aarch64-linux-gnu-gcc -shared -fPIC -Wl,-z,pac-plt"
build aarch64_be.so    "aarch64-linux-gnu-gcc -mbig-endian -shared -fPIC"
build aarch64-lld.so   "aarch64-linux-gnu-gcc -B$work/lld -fuse-ld=lld -shared -fPIC"
STRIP=arm-linux-gnueabihf-strip
build arm-lld.so       "arm-linux-gnueabihf-gcc -B$work/lld -fuse-ld=lld -marm -shared -fPIC"
STRIP=strip
build x86_64-lld.pie   "gcc -fuse-ld=lld -pie -fPIE"

strip -R .comment x86_64.so -o x86_64-stripped.so
headless x86_64-stripped.so x86_64-headless.so
strip x86_64-sysv.so -o "$work/stripped.so"
headless "$work/stripped.so" x86_64-sysv-headless.so

# Only the program's own module: calls through IRELATIVE slots alone.
gcc $small -static -no-pie -fno-pie -DIFUNC -Dputs=__puts -Dabs=__abs funcs.c -x c - -o x86_64-static.exe <<'C'
int __puts(const char *s) { return *s; }
int __abs(int x) { return x < 0 ? -x : x; }
C
gcc $small -ffunction-sections -fcf-protection=none -c funcs.c -o x86_64.o
gcc $small -no-pie -Wl,--section-start=.far=0x40400000 odd.s -o odd.exe
strip -R .comment x86_64.o x86_64-static.exe odd.exe --strip-debug
gcc $small -no-pie files-one.s files-two.s -o files.exe

# What llvm-symbolizer (LLVM 14) says from the start of the program on: each address where the answer is another.
for file in files.exe arm-mixed.exe aarch64-bti.exe odd.exe x86_64-stripped.so; do
  first=0x400000; case $file in arm*) first=0x10000 ;; *.so) first=0 ;; esac
  seq $((first)) $((first + 0x600)) | xargs printf '0x%x\n' |
    llvm-symbolizer --no-demangle --output-style=JSON -e $file | python3 -c "
import json, sys
before = None
for line in sys.stdin:
    o = json.loads(line)
    s = o['Symbol'][0]
    now = (s['FunctionName'] or '-') + ' ' + (s['FileName'] or '-')
    if now != before: print(o['Address'], now)
    before = now" > $file.llvm
done
chmod 644 *.{so,exe,pie,o}
ls -l
