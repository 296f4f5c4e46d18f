# soak.sh: `./dev soak', what is statistical or takes hours, as steps whose output is kept in build-soak. Sourced by ./dev.
#   SOAK_RUNS     how often the native tests run (10)
#   SOAK_SECONDS  for each fuzz target (300), and for the live views (3600)
soak_steps=(native guests kills prof prof_truth gate unwind probes types functions arm_oracle cores_arm coverage heap_arm names threads live large narrow fuzz amd64 boards fresh)

# Not a retry: the first failure ends it. WHOLE=1: chains_debian and sym_llvm with more programs and addresses
soak_native() { need_build && need_tests && build dev && WHOLE=1 check dev -L native --repeat "until-fail:${SOAK_RUNS:-10}"; }
# The guests of `./dev test', both with all parts, and with larger loads; all unit tests of both
soak_guests() {
  local status=0 arch
  need_build && need_guests && guests_build && build dev psuite || return
  for arch in armhf arm64; do WHOLE=1 check $arch -L 'guest|unit' || status=1; done
  return $status
}
# The large run of tests/native/kills.sh and of the kills of prof_runtime.sh: 200 kills each, there 2,800, at other instants each day
soak_kills() { need_build && need_tests && build dev && KILLS=200 SEED=${SOAK_SEED:-$(date +%-j)} check dev -R '^native_(kills|prof_runtime)$'; }
# The large run of tests/native/prof_callgrind.sh: sqlite3's shell with the others
soak_prof() { need_build && need_tests && need_sources && build dev && PROGRAMS=all check dev -R '^native_prof_callgrind$'; }
# The large run of tests/native/prof_truth.sh: a dozen programs, each as the machine is and with a busy loop on each CPU
soak_prof_truth() { need_build && need_tests && need_sources && build dev psuite psprof_static && soak_script prof_truth; }
# Of gates between equal commands at most 1% may say `slower'
soak_gate() { need_build && build dev psuite burn && soak_script gate; }
soak_script() { PSUITE=$top/build/psuite TESTS=$top/tests WORK=$top/build/work V=1 bash "$top/tests/soak/$1.sh"; }
# The large run of tests/native/unwind.sh: 200 stops each of more programs, against gdb
soak_unwind() { need_build && need_tests && build dev && STOPS=200 check dev -R '^native_unwind$'; }
# Plans of large programs, and their instructions against objdump's
soak_probes() {
  local status=0
  need_build && need_tests && "$top/tests/guest/prepare" toolchain armhf arm64 && "$top/tests/guest/prepare" modules &&
    need qemu-aarch64=qemu-user python3 readelf=binutils && build dev || return
  check dev -R '^native_(insn|probe)$' || status=1
  bash "$top/tests/soak/probes.sh" "$top" "$top/build/work/probes" "${PSUITE_GUEST_CACHE:-$HOME/.cache/psuite-guest}" || status=1
  return $status
}
# The large run of tests/native/types.sh: larger programs against gdb, 10,000 damaged files
soak_types() {
  need_build && need_tests && need_sources && debian_source git && debian_source ninja-build && need python3.11-dbg /usr/include/bzlib.h=libbz2-dev && build dev &&
    PROGRAMS=all TYPES_DAMAGED=10000 check dev -R '^native_types$'
}
# Paths, buffers and results of system calls and of vfs_read against strace's, in an amd64 guest with this machine's Debian
soak_functions() {
  need_build && "$top/tests/guest/prepare" guest amd64 && need strace python3 git && build release psuite &&
    bash "$top/tests/soak/functions.sh" "$top" "$top/build-release/psuite"
}
# Chains of 32-bit ARM against the true call stacks of programs in qemu-arm
soak_arm_oracle() {
  need_build && "$top/tests/guest/prepare" toolchain armhf && "$top/tests/guest/prepare" programs armhf &&
    need qemu-arm=qemu-user gdb-multiarch python3 readelf=binutils && build dev psuite unwinddump && bash "$top/tests/soak/arm_oracle.sh" "$top" "$top/build/work/arm_oracle"
}
# Core files of Debian's perl, python3 and others in guests of ARM, there, on this machine and by gdb
soak_cores_arm() {
  need_build && need_guests && "$top/tests/guest/prepare" programs armhf arm64 && need gdb-multiarch && build dev psuite && build armhf psuite &&
    build arm64 psuite && TESTS=$top/tests PSUITE_GUEST_CACHE=${PSUITE_GUEST_CACHE:-$HOME/.cache/psuite-guest} bash "$top/tests/soak/cores_arm.sh" "$top" armhf arm64
}
# prof --coverage against gcov and callgrind: zlib's and sqlite3's programs, and zlib's in guests of ARM
soak_coverage() {
  need_build && need_guests && need_sources && debian_source zlib && need gcc valgrind genhtml=lcov python3 readelf=binutils /usr/bin/time=time &&
    build dev psuite && build armhf psuite && build arm64 psuite &&
    PSUITE=$top/build/psuite TESTS=$top/tests COVERAGE_DIFFERENCES=$step_logs/coverage.differences bash "$top/tests/soak/coverage.sh" "$top" armhf arm64
}
# prof --heap in guests of ARM against valgrind there
soak_heap_arm() {
  need_build && need_guests && "$top/tests/guest/prepare" heap armhf arm64 && build armhf && build arm64 &&
    PSUITE=$top/build-armhf/psuite TESTS=$top/tests PSUITE_GUEST_CACHE=${PSUITE_GUEST_CACHE:-$HOME/.cache/psuite-guest} \
      bash "$top/tests/soak/heap_arm.sh" "$top" armhf arm64
}
# The large run of tests/native/bind_names.sh: 100,000 names of another machine, a million look-ups, 2 GB read; its
# speed beside the exported directory's and diod's
soak_names() {
  need_build && need_tests && build dev && NAMES=100000 LOOKUPS=1000000 TURNS=10 MB=2048 SPEED=5 check dev -R '^native_bind_names$'
}
# Memory, CPU time and descriptors of the live views while programs come and go
soak_live() {
  need_build && need python3 && build dev psuite execs compiled &&
    python3 "$top/tests/soak/live.py" "$top/build/psuite" "$top/build/work" "${SOAK_SECONDS:-3600}" "$step_logs/live.tsv"
}
# How the cost of each reading command grows: recordings of trace, tprof, stats and prof, perf.data, symbols, debug information
soak_large() {
  local status=0 what
  need_build && need python3 nm=binutils perf=linux-perf llvm-symbolizer=llvm && build dev psuite profmake || return
  for what in trace perf recordings prof stats symbols lines; do
    PYTHONDONTWRITEBYTECODE=1 python3 "$top/tests/soak/large_$what.py" "$top/build/psuite" "$step_logs" "$top/build/tests/profmake" || status=1
  done
  return $status
}
# prof of up to 30,000 threads: the CPU time that the runtime adds grows no faster than their number
soak_threads() { need_build && build dev psuite psprof_static && soak_script prof_threads; }
# The fuzz corpora where size_t and pointers have 32 bits, with the sanitizer of undefined behaviour
soak_narrow() {
  need_build && "$top/tests/guest/prepare" toolchain armhf && need qemu-arm=qemu-user && build narrow && check narrow
}
soak_fuzz() { dev_fuzz '' "${SOAK_SECONDS:-300}"; }
soak_amd64() {
  need_build && "$top/tests/guest/prepare" guest amd64 && build release psuite guest_files && build dev && check amd64
}
# Small boards, other processors and kernels, among them two that are built cut down, and boards without /proc, /sys and the like.
# What works there and what it costs is left as tables in build-soak/boards.md, whether or not a board failed.
soak_boards() {
  local status=0 kernel
  need_build && need_guests && guests_build || return
  for kernel in 5.10/armhf 5.10/arm64 6.12/armhf 6.12/arm64 cut/arm64 tiny/arm64; do # the boards of one that cannot be had are skipped
    KERNEL=${kernel%/*} "$top/tests/guest/prepare" guest "${kernel#*/}" || status=1
  done
  (cd "$top" && cmake --preset dev) || return
  check boards || status=1
  awk -f "$top/tests/soak/boards.awk" "$top"/build/results/*.cells > "$step_logs/boards.md" || status=1
  cat "$step_logs/boards.md"
  return $status
}
soak_fresh() { "$top/tests/fresh/run" trixie; }

dev_soak() {
  local name
  [ $# -gt 0 ] || set -- "${soak_steps[@]}"
  for name; do declare -F "soak_$name" > /dev/null || { echo "dev: soak: $name: not one of ${soak_steps[*]}" >&2; return 2; }; done
  step_logs=$top/build-soak
  steps_begin
  for name; do
    step "$name" "./dev soak $name" "soak_$name"
    case $name in native | kills | prof | unwind | probes | types | names) count_checks dev ;; amd64 | narrow | boards) count_checks "$name" ;; guests) count_checks armhf arm64 ;; esac
  done
  steps_end
}
