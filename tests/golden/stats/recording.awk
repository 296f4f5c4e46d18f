# A recording of two machines whose values go up and down, the second with a gap and an age; with -v noise=1 every value
# is by chance. Whole numbers alone: the same with every awk.
function wave(n, period, from, to,  p) {
  if (noise) { seed = (seed * 1103 + 12345) % 65536; return from + int(seed * (to - from) / 65536) }
  p = n % period; if (p > period / 2) p = period - p
  return from + int(p * (to - from) * 2 / period)
}
function value(name, v, full, natural) { printf "%s %d %d %s %d\n", name, v, full, natural, v }
function machine(n, k, cpus, name,  v) {
  printf("source %d %d %s\n", cpus, (k == 2 && n > 100 ? (n - 100) * 1000 : 0), name)
  if (k == 2 && n >= 40 && n < 50) print "context - " cpus * 1000 " the counter went backwards"
  else value("context", v = wave(n, 37 * k, 0, cpus * 1300), cpus * 1000, v)
  value("battery", v = 90 - int(n / 10), 184, v)
  value("ether", v = wave(n, 50, 0, cpus * 600), cpus * 1000, v)
  value("etherin", v = wave(n, 50, 0, cpus * 400), cpus * 1000, v)
  value("etherout", v = wave(n, 50, 0, cpus * 200), cpus * 1000, v)
  value("ethererr", v = int(n / 20), cpus * 10, v)
  value("fault", v = wave(n, 23, 100, cpus * 700), cpus * 1000, v)
  value("intr", v = wave(n, 61, 3000, cpus * 7000), cpus * 10000, v)
  v = wave(n, 41, 100, cpus * 900); value("load", v, cpus * 1000, v / 1000)
  value("idle", v = wave(n, 41, 3, 97), 100, v)
  value("inintr", v = wave(n, 19, 0, 12), 100, v)
  v = wave(n, 80, 100000, 260000); value("mem", v, 262144, v * 4096)
  v = wave(n, 160, 0, 30000); value("swap", v, 65536, v * 4096)
  value("syscall", v = wave(n, 29, 0, cpus * 1100), cpus * 1000, v)
  print "tlbmiss - " cpus * 10 " dTLB-load-misses: Operation not supported"
  value("tlbpurge", v = wave(n, 31, 0, cpus * 9), cpus * 10, v)
  print "802.11b - 1000 #l0/ether0/ifstats: file does not exist"
  v = wave(n, 90, 35, 70); value("temp", (v - 20) * 27, 1000, v)
  ours(n, cpus)
}
# Our own graphs, with their parts.
function part(name, natural) { printf "part %d %d %s\n", natural, natural, name }
function level(name, v, full) { value(name, v, full, v) }
function ours(n, cpus,  v, i) {
  level("cpu", v = wave(n, 41, 3, 97), 100); for (i = 0; i < cpus; i++) part(i, (v + 17 * i) % 101)
  level("user", v = wave(n, 41, 2, 70), 100); level("system", wave(n, 41, 1, 27), 100); level("iowait", wave(n, 57, 0, 30), 100)
  level("irq", wave(n, 19, 0, 4), 100); print "steal - 100 first reading: no rate yet"
  level("diskread", v = wave(n, 33, 0, 90000000), 100000000); part("sda", v); part("mmcblk0", 0)
  level("diskwrite", wave(n, 51, 0, 4000000), 100000000); level("diskops", wave(n, 51, 0, 900), 10000); level("diskbusy", wave(n, 33, 0, 100), 100)
  level("netin", v = wave(n, 60, 1000, 118000000), 100000000); part("eth0", v - 1000); part("wlan0", 1000)
  level("netout", wave(n, 60, 500, 2000000), 100000000)
  level("avail", wave(n, 80, 60000000, 700000000), 1073741824); level("cached", 300000000, 1073741824)
  level("cpupsi", wave(n, 41, 0, 80), 100)
  print "mempsi - 100 #c/pressure: no /proc/pressure/cpu; kernel option CONFIG_PSI=y, and psi=1 on its command line"
  print "iopsi - 100 #c/pressure: no /proc/pressure/cpu; kernel option CONFIG_PSI=y, and psi=1 on its command line"
}
BEGIN {
  seed = 1
  print "psuite stats 1 1.000"
  for (n = 0; n < (samples ? samples : 120); n++) {
    printf "at %.0f\n", 1700000000000 + n * 1000
    machine(n, 1, 4, "tcp!fernvale.example.com")
    if (!noise) machine(n, 2, 1, "board")
    print "end"
  }
}
