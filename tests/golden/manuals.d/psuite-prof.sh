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
