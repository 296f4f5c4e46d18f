# boards.awk: what `./dev soak boards' found, from the *.cells that tests/guest/board.sh left, as tables of Markdown:
#     awk -f tests/soak/boards.awk build/results/*.cells
# A row per applet and a column per board; + is: it works. Otherwise the cell has what the board lacks, which the applet's message
# names; FAILED is a failed check. Then the largest cost of each applet on the boards with less than 100 MB.
BEGIN { FS = "|" }
FNR == 1 { board = FILENAME; sub(/.*\//, "", board); sub(/\.cells$/, "", board); sub(/^(board|guest)_/, "", board); boards[++n] = board }
$1 == "board" { what[board] = $2; if (match($2, /MemTotal: [0-9]+/) && substr($2, RSTART + 10, RLENGTH - 10) + 0 < 100) small[++s] = board }
$1 == "cell" && !($2 in seen) { seen[$2]; applets[++m] = $2 }
$1 == "cell" { cell[board, $2] = $3 == "works" ? "+" : $3; bad += $3 == "FAILED" }
$1 == "cost" && !($2 in paid) { paid[$2]; costs[++k] = $2 }
$1 == "cost" { rss[board, $2] = $3; less[board, $2] = $4; cpu[board, $2] = $5; runs[board] = $6; lowest[board, $2] = $7 }
function line(first, of, n,    i, text) {
  text = "| " first " |"
  for (i = 1; i <= n; i++) text = text " " of[i] " |"
  print text
}
function rule(n,    i, text) {
  text = "|---|"
  for (i = 1; i <= n; i++) text = text "---|"
  print text
}
END {
  for (i = 1; i <= n; i++) print "- " boards[i] ": " what[boards[i]] (runs[boards[i]] > 1 ? ", " runs[boards[i]] " runs" : "")
  print ""
  line("applet", boards, n)
  rule(n)
  for (j = 1; j <= m; j++) {
    for (i = 1; i <= n; i++) row[i] = (boards[i], applets[j]) in cell ? cell[boards[i], applets[j]] : ""
    line(applets[j], row, n)
  }
  print "\nPeak RSS in KB / decrease of the available memory in KB / minimum of the available memory in KB / CPU time in ms:\n"
  line("applet", small, s)
  rule(s)
  for (j = 1; j <= k; j++) {
    for (i = 1; i <= s; i++) {
      key = small[i] SUBSEP costs[j]
      row[i] = key in rss ? rss[key] " / " less[key] " / " lowest[key] " / " cpu[key] : ""
    }
    line(costs[j], row, s)
  }
  exit bad > 0
}
