# The runtime of prof: programs that know their calls (tests/work/prof), each recorded, dumped and compared: by libpsprof.a,
# by libpsprof.so, and compiled by clang. KILLS: a tenth of how often it is killed (6); SEED: at which instants.
. lib/check.sh
. lib/need.sh
. lib/profknown.sh
: "${WORK:=$TESTS/../build/work}"
psuite=$PSUITE programs=$WORK/prof prof_scratch=$scratch prof_compare=$TESTS/lib/profcompare.awk
tools=$(cd "$WORK/.." && pwd)/tests
prof_dump=$tools/profdump prof_kill=$tools/profkill threads=10000 us=97
: "${KILLS:=6}" "${SEED:=1}"

survives ''
killed '' $((KILLS * 10)) $SEED
if [ -x "$programs/prof_basic-so" ]; then
  survives -so
  killed -so $((KILLS * 4)) $((SEED + 1))
fi

# --- chapter 2.6 of the book: what is printed, times aside
mkdir "$scratch/book" && cd "$scratch/book" || exit
status 'hello' 0 "$programs/prof_hello"
text 'hello says' 'hello world' "$(cat "$scratch/out")"
status 'prof hello' 0 "$PSUITE" prof "$programs/prof_hello" prof.*
text 'the head of the table' '  %     Time     Calls  Name' "$(head -1 "$scratch/out")"
text 'hello: one call of main' '1 main' "$(awk 'NR > 1 { print $3, $4 }' "$scratch/out")"
rm prof.*
status 'funcs' 0 "$programs/prof_funcs"
status 'prof funcs' 0 "$PSUITE" prof "$programs/prof_funcs" prof.*
text 'foo 100, bar 101' '1 main,100 foo,101 bar' "$(awk 'NR > 1 { print $3, $4 }' "$scratch/out" | sort -n | paste -sd,)"
text 'in all no more than everything' '' "$(awk 'NR > 1 { n += $1 } END { if (n < 99.5 || n > 100.5) print n }' "$scratch/out")"
status 'prof -d funcs' 0 "$PSUITE" prof -d "$programs/prof_funcs" prof.*
text 'bar has two places' 'main:N|. foo:N/100|.	bar:N/100|. bar:N' "$(sed 's/:[0-9]*/:N/' "$scratch/out" | paste -sd'|')"
cd "$TESTS" || exit

# --- a quota (tests/work/quota.c): the program goes on
mkdir "$scratch/quota" && cd "$scratch/quota" || exit
here=$(pwd -P)
"$WORK/quota" "$here" 1 true; case $? in
  0)
    for limit in 0 4096 20000; do
      rm -f prof.*
      status "the program, with a quota of $limit bytes" 0 "$WORK/quota" "$here" $limit "$programs/prof_bushy" 8
      has "it came to its end ($limit)" '^missed 0$' "$scratch/out"
      if compgen -G 'prof.*' > /dev/null; then
        status "what fits can be read ($limit)" 0 "$PSUITE" prof "$programs/prof_bushy" prof.*
        has "the rest is counted ($limit)" 'calls did not fit' "$scratch/err"
      else
        has "the quota is told ($limit)" '^psprof: prof\.[0-9]+: Disk quota exceeded$' "$scratch/err"
      fi
    done ;;
  77) skip 'libpsprof with a quota' 'the kernel has no notifications of seccomp' ;;
  *) fail 'a quota' ;;
esac
cd "$TESTS" || exit

# --- a set-user-id program, whose environment is another user's choice
if [ "$(id -u)" = 0 ]; then
  chmod 711 "$scratch"
  mkdir -m 711 "$scratch/set-id" && mkdir -m 777 "$scratch/set-id/run" "$scratch/set-id/there" && cd "$scratch/set-id/run" || exit
  install "$programs/prof_asks" "$programs/prof_funcs" ..
  user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
  install -m 4755 "$(command -v id)" ..
  if [ "$(user ../id -u)" = 0 ]; then
    for program in prof_asks prof_funcs; do
      status "$program as a user's own" 0 user "../$program"
      ok 'writes a file' test -n "$(ls)"
      rm -f prof.*
      chmod 4755 "../$program"
      status "$program, set-user-id" 0 user "../$program"
      status "$program, set-user-id, told where" 0 user env profdir=../there profstart=1 "../$program"
      text 'writes none' '' "$(ls . ../there | grep prof)"
    done
  else
    skip 'set-user-id programs' 'these file systems ignore it'
  fi
  cd "$TESTS" || exit
else
  skip 'set-user-id programs' 'not root'
fi

# --- clang's code: other stack frames, other tail calls, inlining of its own
if need clang 2> /dev/null; then
  mkdir "$scratch/clang"
  for source in work/prof/*.c; do
    of=$(basename "$source" .c)
    case $of in plugin | loads | killed | hello) continue ;; esac
    ok "$of, by clang" clang -O2 -g -w $("$PSUITE" prof --cflags) "$source" $("$PSUITE" prof --libs) -o "$scratch/clang/prof_$of"
  done
  ok 'throws, by clang' clang++ -O2 -g -w $("$PSUITE" prof --cflags) work/prof/throws.cc $("$PSUITE" prof --libs) -o "$scratch/clang/prof_throws"
  programs=$scratch/clang threads=1000
  survives ''
else
  skip 'by clang' 'no clang'
fi
finish
