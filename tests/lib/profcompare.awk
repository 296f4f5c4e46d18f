# profcompare.awk DUMP SAID: what differs between a program's word (tests/work/prof/README) and what its files hold: of each
# the levels of `profdump -t', then `profdump'. What several files hold is added up. Prints nothing when all is as it was said.
FNR == NR && $1 ~ /^[0-9]+$/ { if ($1 > depth) depth = $1; next }
FNR == NR && $1 == "calls" { calls[$2] += $3; all += $3; next }
FNR == NR {
  files += $1 == "type"
  for (i = 1; i < NF; i += 2) { split($(i + 1), n, "/"); of[$i] += n[1] } # refused: calls/nodes
  next
}
$1 == "calls" && calls[$2] + 0 != $3 { print $2 ": " calls[$2] + 0 ", want " $3 }
$1 == "depth" && depth > $2 { print "depth " depth ", want " $2 }
$1 == "all" && all + of["refused"] != $2 { print "all " all " and refused " of["refused"] ", want " $2 }
$1 == "files" { wanted = $2 }
$1 == "missed" || $1 == "threads" || $1 == "marks" {
  if ($2 ~ /-$/ ? of[$1] > $2 + 0 : of[$1] != $2) print $1 " " of[$1] ", want " $2
}
END {
  if (files != (wanted ? wanted : 1)) print "files " files + 0
  if (of["orphans"] + 0) print "orphans " of["orphans"]
  if (of["odd_times"] + 0) print "odd_times " of["odd_times"]
}
