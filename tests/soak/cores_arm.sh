# cores_arm.sh TOP ARCH...: core files of Debian's perl, python3 and others, killed in guests of ARM, by `sym --core' there, on this
# machine, and by gdb-multiarch on this machine. TOP/build-ARCH/psuite reads them in the guest, TOP/build/psuite here.
#   every chain is whole, has the functions that are known to be in it, and is the same there and here
#   arm64: each frame and its name as gdb has it. armhf: gdb's frames are ours, as far as it gets: Debian's programs in C have no unwind
#   tables there, and gdb finds few callers without symbols. ./dev soak arm_oracle has the truth of these.
. "$(dirname "$0")/../lib/check.sh"
top=$1; shift
PSUITE=$top/build/psuite

# known NAME: functions of the first thread, in this order
known() {
  case $1 in
    perl_abrt) echo 'kill Perl_apply Perl_runops_standard Perl_sortsv_flags Perl_pp_sort perl_run main __libc_start_main' ;;
    perl_regex) echo 'kill Perl_apply Perl_runops_standard Perl_regexec_flags Perl_pp_match perl_run main __libc_start_main' ;;
    perl_handler) echo 'kill Perl_call_sv Perl_perly_sighandler Perl_despatch_signals Perl_runops_standard perl_run main' ;;
    perl_segv) echo 'Perl_newSVpv Perl_unpackstring Perl_pp_unpack Perl_runops_standard perl_run main __libc_start_main' ;;
    python_abrt) echo 'raise abort _PyFunction_Vectorcall PyObject_CallOneArg PyEval_EvalCode Py_RunMain __libc_start_main' ;;
    python_regex) echo 'raise abort PyEval_EvalCode Py_RunMain Py_BytesMain __libc_start_main' ;;
    python_segv | python_threads) echo 'kill _PyEval_EvalFrameDefault PyEval_EvalCode Py_RunMain Py_BytesMain __libc_start_main' ;;
    gawk_handler) echo 'raise abort __libc_start_main' ;;
    bash_abrt) echo 'kill execute_command execute_command main' ;;
    sqlite_abrt) echo 'sqlite3VdbeExec sqlite3_step __libc_start_main' ;;
  esac
}
in_order() { # in_order FUNCTION...: which of them is not in the first chain of $name.chains behind the one before
  sed -nE '/^thread/ { x; /./q; x; h; d }; s/^    0x[0-9a-f]+: ([^+ ]+).*/\1/p' "$at.chains" |
    awk -v all="$*" 'BEGIN { n = split(all, want, " "); i = 1 } $1 == want[i] { i++ } END { if (i <= n) print want[i] }'
}
frames() { sed -nE 's/^(thread [0-9]+):$/\1/p; s/^    (0x[0-9a-f]+): ([^+ ]+).*/\1 \2/p'; }
# beside_gdb HOW: lines that tell where the chains differ, of frames in $at.ours and $at.gdb. all: every frame is gdb's. known: as far as
# gdb gets, which is an address where never anything is mapped. any: gdb may be lost, unless it comes to the same outermost frame.
beside_gdb() {
  awk -v how="$1" -v most=3000 '
    function begin() { thread = $2; i = lost = 0 }
    function end() {
      if (how == "all" && !lost && i < count[thread] && i < most) print thread ": gdb has " i " frames, not " count[thread]
      if (lost && last == pc[thread, count[thread] - 1]) print thread ": gdb comes to the same end by other frames"
    }
    FNR == NR { if ($1 == "thread") begin(); else { pc[thread, i] = $1; name[thread, i++] = $2; count[thread] = i } next }
    $1 == "thread" { if (FNR > 1) end(); begin(); next }
    { last = $1 }
    lost { next }
    pc[thread, i] != $1 {
      if (how == "all" || (how == "known" && length($1) > length("0xffff"))) print thread " frame " i ": gdb has " $0 ", not " pc[thread, i] " " name[thread, i]
      lost = 1; next
    }
    { if ($2 != "??" && name[thread, i] != $2) print thread " frame " i ": gdb names it " $2 ", not " name[thread, i]; i++ }
    END { end() }' "$at.ours" "$at.gdb"
}

for arch; do
  root=$scratch/$arch
  mkdir "$root"
  cp -a "$PSUITE_GUEST_CACHE/$arch/programs/." "$root/"
  cp "$top/build-$arch/psuite" "$root/usr/bin/"
  cp "$TESTS/soak/cores_arm.inside" "$root/inside"
  [ -e "$root/bin/sh" ] || ln -s dash "$root/bin/sh"
  [ -e "$root/bin/cat" ] || for tool in cat rm sleep; do cp "$root/static/bin/busybox" "$root/bin/$tool"; done
  mkdir -p "$root"/{proc,sys,dev,tmp,cores}
  [ "$arch" != armhf ] || export KERNEL=lpae
  TMO=${TMO:-1200} SHARE=$root bash "$TESTS/guest/run" "$arch" 'for m in proc sys dev; do mount --bind /$m /host/$m; done
    mount -t tmpfs tmp /host/tmp && chroot /host /bin/sh /inside' > "$scratch/said" 2>&1
  text "$arch: the guest" 0 $?
  unset KERNEL
  text "$arch: no run without a core file" '' "$(grep -vE ': status 0$' "$scratch/said")"
  holds "$arch: all programs" "$(ls "$root"/cores/*.core | wc -l) == 12"
  for core in "$root"/cores/*.core; do
    at=${core%.core} name=$(basename "$core" .core)
    case $name in python*) program=usr/bin/python3.11 ;; bash*) program=bin/bash ;; sqlite*) program=usr/bin/sqlite3 ;; *) program=usr/bin/${name%%_*} ;; esac
    "$PSUITE" sym --sysroot "$root" --debug-dir "$root/none" --core "$core" > "$at.here" 2> "$scratch/err"
    same "$arch $name: the same chains on this machine" "$at.chains" "$at.here"
    text "$arch $name: no warning" '' "$(cat "$scratch/err")"
    [ $name != python_overflow ] || sed -i '/^    (ends here: over 4096 frames)$/d' "$at.chains"
    hasnt "$arch $name: whole chains" '^    \(' "$at.chains"
    text "$arch $name: the functions that are known" '' "$(in_order $(known $name))"
    gdb-multiarch -batch -nx -iex 'set debuginfod enabled off' -iex 'set osabi GNU/Linux' -iex "set sysroot $root" -iex "set debug-file-directory $root/none" \
      -x "$TESTS/soak/cores_arm.py" "$root/$program" "$core" 2>/dev/null | grep -E '^(thread|0x)' > "$at.gdb"
    frames < "$at.chains" > "$at.ours"
    holds "$arch $name: gdb has frames" "$(grep -c ^0x "$at.gdb") > 1"
    case $arch/$name in arm64/*) how=all ;; armhf/sqlite*) how=any ;; *) how=known ;; esac # sqlite3 is killed anywhere
    text "$arch $name: as gdb" '' "$(beside_gdb $how | head -5)"
    echo "$arch $name: $(grep -c ^0x "$at.ours") frames, gdb $(grep -c ^0x "$at.gdb")"
  done
done
finish
