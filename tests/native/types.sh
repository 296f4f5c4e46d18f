# sym --signature and --struct on this machine: the kernel's types against those of pahole and pfunct.
. lib/check.sh
btf=/sys/kernel/btf/vmlinux
compare() { python3 "$TESTS/native/types_compare.py" "$@" > "$scratch/differ"; tail -1 "$scratch/differ"; }

# --- the kernel's, by BTF
if ! [ -r $btf ]; then skip 'the kernel'\''s types' "no $btf"
elif ! command -v pahole >/dev/null; then skip 'the kernel'\''s types' 'no pahole'
else
  pahole -F btf $btf > "$scratch/pahole" 2>/dev/null
  grep -E '^(struct|union) [a-zA-Z0-9_]+ \{$' "$scratch/pahole" | awk '{ print $1 " " $2 }' | sort | uniq -u |
    shuf -n 2000 --random-source=<(yes) > "$scratch/names"
  sed 's/^/--struct=/' "$scratch/names" | tr '\n' '\0' | xargs -0 "$PSUITE" sym -k > "$scratch/structs" 2> "$scratch/err"
  text 'each is found' '' "$(head -3 "$scratch/err")"
  wanted=$(wc -l < "$scratch/names")
  holds 'many of them' "$wanted >= 1000"
  text 'structs and unions are laid out as pahole has them' "$wanted compared, 0 differ" "$(compare structs "$scratch/pahole" "$scratch/structs")"
  head -20 "$scratch/differ" | grep -v compared
  pfunct -F btf -P $btf 2>/dev/null | grep -E '[ *][A-Za-z0-9_]+\(' > "$scratch/pfunct"
  sed -E 's/^[^(]*[ *]([A-Za-z0-9_]+)\(.*/\1/' "$scratch/pfunct" | grep -xE '[A-Za-z0-9_]+' | sort -u |
    shuf -n 1000 --random-source=<(yes) > "$scratch/names"
  sed 's/^/--signature=/' "$scratch/names" | tr '\n' '\0' | xargs -0 "$PSUITE" sym -k > "$scratch/prototypes"
  text 'prototypes of functions as pfunct has them' "$(wc -l < "$scratch/prototypes") compared, 0 differ" \
    "$(compare functions "$scratch/pfunct" "$scratch/prototypes")"
  head -20 "$scratch/differ" | grep -v compared
  holds 'a thousand of them' "$(wc -l < "$scratch/prototypes") >= 1000"
  at=$(awk '$3 == "vfs_read" { print $1 }' /proc/kallsyms)
  if [ -z "${at//0/}" ]; then skip 'a function by its address' 'the kernel hides its addresses'
  else
    status 'a function by its address' 0 "$PSUITE" sym -k --signature "0x$at"
    has 'has its prototype' '^ssize_t vfs_read\(struct file \*file, char \*buf, size_t count, loff_t \*pos\);$' "$scratch/out"
  fi
fi
finish
