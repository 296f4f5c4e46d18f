# report.sh: the words of a JSON report, for tests that source check.sh too.
python=/usr/bin/python3 # Debian's, which has the modules the tests need

# value FILE EXPRESSION: of Python; d is the report.
value() { $python -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"; }
# ends FILE EXPRESSION: c is what is told of call chains
ends() { value "$1" "(lambda c: $2)(d['chains'])"; }
# share FILE FUNCTION: its rows' time, in per cent of all. A sample may stand for several periods: their number is no measure of time.
share() { value "$1" "round(sum(r['share_pct'] for r in d['rows'] if r['name'] == '$2'), 2)"; }
# points SHARE SAMPLES: how far a share may be from what was sampled, both in per cent: 4 sigma of that many samples, and one
points() { awk "BEGIN { printf \"%.2f\", 1 + 4 * sqrt($1 * (100 - $1) / $2) }"; }
# near WHAT GOT WANTED POINTS: by the program's own clock
near() { holds "$1 ($2, $3 by its own clock)" "($2 - $3) ^ 2 <= $4 ^ 2"; }
