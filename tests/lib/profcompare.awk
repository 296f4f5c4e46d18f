# profcompare.awk DUMP SAID: what differs between a program's word (tests/work/prof/README) and `profdump -t' and `profdump'
# of its file, concatenated. Prints nothing when all is as it was said.
FNR == NR && $1 ~ /^[0-9]+$/ { if ($1 > depth) depth = $1; next }
FNR == NR { if ($1 == "calls") calls[$2] = $3; else for (i = 1; i < NF; i += 2) of[$i] = $(i + 1); next }
$1 == "calls" && calls[$2] + 0 != $3 { print $2 ": " calls[$2] + 0 ", want " $3 }
$1 == "depth" && depth > $2 { print "depth " depth ", want " $2 }
$1 == "missed" || $1 == "threads" || $1 == "marks" {
  if ($2 ~ /-$/ ? of[$1] > $2 + 0 : of[$1] != $2) print $1 " " of[$1] ", want " $2
}
END { if (of["orphans"] + 0) print "orphans " of["orphans"]; if (of["odd_times"] + 0) print "odd_times " of["odd_times"] }
