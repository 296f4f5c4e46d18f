# Expressions, arrays, functions, regular expressions, sorting by a function of the user's.
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
function by_value(i1, v1, i2, v2) { return v1 < v2 ? -1 : v1 > v2 }
BEGIN {
  for (i = 0; i < 200; i++) { a["k" i] = i * 7919 % 211; s = s sprintf("%d:%s;", i, "k" i) }
  n = split(s, parts, /[:;]/)
  for (i = 1; i <= n; i++) if (parts[i] ~ /^k[0-9]*[37]$/) { gsub(/[0-9]+/, "<&>", parts[i]); found++ }
  PROCINFO["sorted_in"] = "by_value"
  for (k in a) order = order substr(toupper(k), 1, 3)
  printf "%d %d %s %.4f\n", fib(10), found, substr(order, 1, 20), sin(1) * exp(2)
}
