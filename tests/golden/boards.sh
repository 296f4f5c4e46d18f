# boards.awk: the tables of ./dev soak boards.
. "$(dirname "$0")/../lib/check.sh"
printf '%s\n' 'board|5.10 armv7l, 1 CPUs, MemTotal: 46 MB' 'cell|time|works' 'cell|trace|FTRACE' 'cost|time|900|120|30|50|20000' > "$scratch/board_small.cells"
printf '%s\n' 'board|6.1 aarch64, 8 CPUs, MemTotal: 235 MB' 'cell|time|works' 'cell|bind|works' 'cost|time|950|130|20|1|200000' > "$scratch/board_large.cells"
tables() { awk -f soak/boards.awk "$@"; }
status 'boards on which all is right' 0 tables "$scratch/board_small.cells" "$scratch/board_large.cells"
has 'a board, how often' '^- small: 5\.10 armv7l, 1 CPUs, MemTotal: 46 MB, 50 runs$' "$scratch/out"
has 'what works on both' '^\| time \| \+ \| \+ \|$' "$scratch/out"
has 'what one lacks' '^\| trace \| FTRACE \|  \|$' "$scratch/out"
has 'the cost on small boards' '^\| time \| 900 / 120 / 20000 / 30 \|$' "$scratch/out"
echo 'cell|stats|FAILED' >> "$scratch/board_small.cells"
status 'a failure' 1 tables "$scratch/board_small.cells"
has 'is in its cell' '^\| stats \| FAILED \|$' "$scratch/out"
finish
