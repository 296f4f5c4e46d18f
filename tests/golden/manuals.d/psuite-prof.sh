# The program funcs, two profiles of it.
make=$(dirname "$PSUITE")/tests/profmake
cp "$TESTS/golden/prof/prog.elf64" funcs
for pid in 123 124; do
  sed "s|ORDER|little|; s|PROG|$PWD/funcs|" "$TESTS/applets/prof/funcs.text" | "$make" > prof.$pid
done
# As on a board, whose files were copied; and a program to compile.
mkdir -p "board$PWD"
cp funcs "board$PWD/funcs"
echo 'int main(void) { return 0; }' >funcs.c
cc -g -o little funcs.c
# What 5l -p -1 counts: main once, foo a hundred times.
printf '\005\000\000\000\000\020\000\000\001\000\000\000\100\020\000\000\144\000\000\000' >counts
