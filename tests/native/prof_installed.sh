# libpsprof as it is installed: found by pkg-config, by CMake and by psuite prof; in C++, and in a library of a program that
# is not recorded itself.
. lib/check.sh
. lib/need.sh
need g++ pkg-config=pkgconf cmake || { skip 'libpsprof, installed' 'no g++, pkg-config or cmake'; finish; }
build=${BUILD:-$(dirname "$PSUITE")} prefix=$scratch/prefix
ok 'cmake --install' cmake --install "$build" --prefix "$prefix"
psuite=$prefix/bin/psuite library=$(dirname "$(find "$prefix" -name 'libpsprof.so.1' | head -1)")
export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
mkdir "$scratch/work" && cd "$scratch/work" || exit

cat > throws.cc <<'C'
#include <stdexcept>
struct counter { int n = 0; __attribute__((noinline)) void add(int i) { n += i; } };
__attribute__((noinline)) void risky(int i) { if (i % 5 == 0) throw std::runtime_error("five"); }
int main() { counter c; for (int i = 0; i < 1000; i++) { c.add(i); try { risky(i); } catch (const std::exception &) { } } return c.n != 499500; }
C
cat > lib.c <<'C'
static volatile int sink;
__attribute__((noinline)) void lib_leaf(void) { sink++; }
int lib_work(int n);
int lib_work(int n) { for (int i = 0; i < n; i++) lib_leaf(); return sink; }
C
echo 'int lib_work(int); int main(void) { return lib_work(500) != 500; }' > plain.c
cat > CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.16)
project(user CXX)
find_package(psprof REQUIRED)
foreach(kind static shared)
  add_executable(cmake_${kind} throws.cc)
  target_link_libraries(cmake_${kind} PRIVATE psprof::${kind})
endforeach()
C
# calls WHAT PROGRAM FUNCTION=CALLS...: it runs, and its profile has these
calls() {
  local what=$1 program=$2 pair; shift 2
  rm -f prof.*
  status "$what: runs" 0 "./$program"
  text "$what: without a word" '' "$(cat "$scratch/err")"
  "$psuite" prof prof.* > report 2>&1
  for pair; do has "$what: $pair" "^ *[0-9.]+ +[0-9.]+ +${pair#*=}	${pair%=*}\$" report; done
}
ok 'by psuite prof' sh -c "g++ -O1 -g \$($psuite prof --cflags) throws.cc \$($psuite prof --libs) -o by_words"
calls 'by psuite prof' by_words 'risky\(int\)=1000' 'counter::add\(int\)=1000' main=1
ok 'by pkg-config' sh -c 'g++ -O1 -g $(pkg-config --cflags psprof) throws.cc $(pkg-config --libs psprof) -o by_pkg'
calls 'by pkg-config' by_pkg 'risky\(int\)=1000' main=1
ok 'by pkg-config --static' sh -c 'g++ -static -O1 -g $(pkg-config --cflags psprof) throws.cc $(pkg-config --static --libs psprof) -o by_pkg_static'
calls 'by pkg-config --static' by_pkg_static 'risky\(int\)=1000' main=1
ok 'CMake configures' cmake -S . -B by_cmake -DCMAKE_PREFIX_PATH="$prefix"
ok 'CMake builds' cmake --build by_cmake
for kind in static shared; do calls "by CMake, $kind" by_cmake/cmake_$kind 'risky\(int\)=1000' main=1; done

ok 'a library' sh -c 'gcc -O2 -g -fPIC -shared $(pkg-config --cflags psprof) lib.c $(pkg-config --libs psprof) -o liblib.so && gcc plain.c -L. -llib -Wl,-rpath,. -o plain'
rm -f prof.*
status 'a library that is recorded alone' 0 ./plain
has 'says what is missing' "^psprof: another library's hooks take precedence over libpsprof.so: no calls are recorded: run the program with LD_PRELOAD=libpsprof.so.1\$" "$scratch/err"
rm -f prof.*
LD_PRELOAD=libpsprof.so.1 ./plain 2> "$scratch/err"
text 'with what it says' 0. "$?.$(cat "$scratch/err")"
"$psuite" prof prof.* > report 2>&1
has 'it has its calls, by name' ' 500	lib_leaf \[liblib.so\]$' report
finish
