# pmu.sh: the device tree of QEMU's 32-bit board. Sourced by run and image/make.

# pmu_tree FILE CPU CPUS QEMU_OPTION...: QEMU leaves the node of the 32-bit PMU without properties. FILE is the device tree of just
# this machine, with them. The interrupt is PPI 7 of each CPU of the mask, level-triggered, so that no interrupt-affinity is needed.
# In 32 bits, ARMv8's PMU can be used as ARMv7's, which older kernels know alone.
pmu_tree() {
  local tree=$1 cpu=$2 cpus=${3%%,*} names said
  names=("arm,$cpu-pmu")
  case $cpu in cortex-a7 | cortex-a15) ;; *) names=(arm,armv8-pmuv3 arm,cortex-a15-pmu) ;; esac
  said=$(qemu-system-arm "${@:4}" -machine "dumpdtb=$tree" 2>&1) || { echo "$said" >&2; return 1; }
  fdtput -t s "$tree" /pmu compatible "${names[@]}" &&
    fdtput -t x "$tree" /pmu interrupts 1 7 "$(printf %x $((((1 << cpus) - 1) << 8 | 4)))"
}
