# Call frame information against readelf's reading of it, row by row: libraries, programs, this build's own, arm64's.
. lib/check.sh
. lib/need.sh
tools=$(dirname "$PSUITE")/tests
command -v readelf >/dev/null || { skip 'rows against readelf' 'no readelf'; finish; }

# readelf's table as cfidump's lines: registers by number, those without a rule left out, the return address's column last.
# Rows that begin where their entry ends are no code's.
rows_by_readelf() {
  readelf --debug-dump=frames-interp "$1" 2>/dev/null | awk '
    BEGIN { n = split("rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15", x, " "); for (i = 1; i <= n; i++) number[x[i]] = i - 1 }
    function of(name) { return name in number ? number[name] : name == "sp" ? 31 : substr(name, 2) }
    / CIE /    { machine = 0; cie = 1; next_ra = "" }
    / FDE /    { cie = 0; end = $NF; sub(/.*[.][.]/, "", end) }
    $1 == "LOC" { columns = NF; for (i = 3; i <= NF; i++) column[i] = $i; next }
    !cie && $1 ~ /^[0-9a-f]+$/ && length($1) == 16 && NF == columns && $1 "" < end "" {
      cfa = $2
      if (cfa != "exp") { match(cfa, /[+-]/); cfa = of(substr(cfa, 1, RSTART - 1)) substr(cfa, RSTART) }
      line = $1; sub(/^0+/, "", line); line = line " " cfa
      for (i = 3; i <= NF; i++) {
        if ($i == "u" && (column[i] != "ra" || ra == 30) || $i == "s") continue
        r = column[i] == "ra" ? ra : of(column[i])
        if (r > 31) continue
        line = line " " r ":" ($i == "exp" ? "e" : $i == "vexp" ? "x" : $i)
      }
      print line
    }' ra="$2" | sort -u
}

# On arm64 readelf writes u also for a return address that is still in its register.
# An address of two entries is the later one's: such are left out.
against_readelf() { # against_readelf WHAT FILE RETURN-REGISTER
  local rows
  rows_by_readelf "$2" "$3" | awk '{ n[$1]++; line[$1] = $0 } END { for (a in n) if (n[a] == 1) print line[a] }' | sort >"$scratch/want"
  cut -d' ' -f1 "$scratch/want" | "$tools/cfidump" "$2" | sed 's/ 30:u//' | sort >"$scratch/got"
  rows=$(wc -l <"$scratch/want")
  holds "$1: $rows rows" "$rows > ${4:-100}"
  same "$1: as readelf reads them" "$scratch/want" "$scratch/got"
}

case $(uname -m) in x86_64) ra=16 ;; aarch64) ra=30 ;; *) skip 'this machine' 'its registers are not known here'; finish ;; esac
for file in /lib/*/libc.so.6 /lib/*/ld-linux-*.so.* /lib/*/libcrypto.so.3 /usr/bin/bash /usr/bin/xz "$PSUITE"; do
  [ -e "$file" ] || continue
  readelf -h "$file" | grep -q -e X86-64 -e AArch64 && against_readelf "${file##*/}" "$file" $ra
done
against_readelf 'arm64' data/cfi/arm64 30 20
against_readelf 'arm64, signed' data/cfi/arm64-pac 30 20
against_readelf 'arm64, .debug_frame, compressed' data/cfi/arm64-debug 30 20
against_readelf 'x86-64, .debug_frame of 64 bits' data/cfi/x86_64-dwarf64 16 20

# --- 32-bit ARM's .ARM.exidx: an entry's rule holds from its address on. What cannot be unwound has none; nor has a frame
# that saved the stack pointer itself, a signal's. readelf does not show the instructions of a routine of C++.
rules_by_readelf() {
  readelf -u "$1" 2>/dev/null | awk '
    function done_with() {
      if (address == "" || foreign) return
      line = address
      if (refused || !known || 13 in at) line = line " none"
      else {
        line = line " " base "+" offset
        for (r = 0; r < 16; r++) if (r in at) line = line " " r ":c" at[r] - offset
      }
      print line
      address = ""
    }
    /^0x/ { done_with(); address = substr($1, 1, length($1) - 1); sub(/^0x/, "", address)
      base = 13; offset = 0; known = foreign = 0; refused = /cantunwind/; delete at }
    /Compact model/ { known = 1 }
    /Personality/ { foreign = 1 }
    / vsp = vsp [+] / { offset += $NF }
    / vsp = vsp - / { offset -= $NF }
    / vsp = r[0-9]+$/ { base = substr($NF, 2); offset = 0 }
    /Refuse|[Rr]eserved|[Ss]pare/ { refused = 1 }
    / pop [{]/ {
      n = split(substr($0, index($0, "{") + 1, index($0, "}") - index($0, "{") - 1), reg, ", ")
      for (i = 1; i <= n; i++)
        if (reg[i] ~ /^D/) {
          m = split(substr(reg[i], 2), range, "-D")
          offset += 8 * (m == 2 ? range[2] - range[1] + 1 : 1)
        } else { at[substr(reg[i], 2) + 0] = offset; offset += 4 }
      if (/FSTMFDX/) offset += 4
    }
    END { done_with() }' | sort -u
}
in_order() { # registers by their numbers
  awk '{ line = $1 " " $2; for (r = 0; r < 16; r++) for (i = 3; i <= NF; i++) if (index($i, r ":") == 1) line = line " " $i; print line }' | sort
}
against_exidx() { # against_exidx WHAT FILE ENTRIES
  local rows
  rules_by_readelf "$2" >"$scratch/want"
  cut -d' ' -f1 "$scratch/want" | "$tools/cfidump" "$2" | in_order >"$scratch/got"
  rows=$(wc -l <"$scratch/want")
  holds "$1: $rows entries" "$rows >= $3"
  same "$1: as readelf reads them" "$scratch/want" "$scratch/got"
}
against_exidx '32-bit ARM' data/cfi/armhf 5
for file in /usr/arm-linux-gnueabihf/lib/{libc.so.6,libstdc++.so.6}; do # what ./dev cross armhf installs
  [ ! -e "$file" ] || against_exidx "armhf's ${file##*/}" "$file" 100
done

# --- the programs and libraries of this machine: CFI_SAMPLE=50 CFI_FILES=100000 takes more of them
elf_files() { # elf_files SEED COUNT: by chance, the same ones each time
  find /usr/bin /usr/sbin "$(dirname "$(gcc -print-file-name=libc.so.6)")" -type f -size -"${CFI_KB:-2000}"k ! -name '*.a' ! -name '*.o' ! -name '*.py' |
    sort | shuf --random-source=<(yes "$1") | while read -r file; do
      readelf -hSW "$file" 2>/dev/null | awk '/X86-64|AArch64/ { ours = 1 } /\.(eh|debug)_frame / { rows = 1 } END { exit !(ours && rows) }' && echo "$file"
    done 2>/dev/null | head -"$2"
}
need readelf=binutils gcc
elf_files one "${CFI_FILES:-150}" >"$scratch/files"
xargs -a "$scratch/files" "$tools/cfisurvey" >"$scratch/survey"
read -r files entries refused expressions vain < <(awk '{ n++; e += $1; r += $3; x += $4; v += $5 } END { print n, e, r + 0, x + 0, v + 0 }' "$scratch/survey")
holds "$files files of $entries entries: $refused not understood" "$files >= 100 && $entries > 20000 && $refused == 0" || sort -k3nr "$scratch/survey" | head -3
holds "$expressions rows by expressions: $vain in vain" "$expressions > 50 && $vain == 0" || sort -k5nr "$scratch/survey" | head -3
for file in $(elf_files two "${CFI_SAMPLE:-8}"); do
  against_readelf "${file##*/}" "$file" $ra -1 # of libJIS.so .eh_frame has none
done
finish
