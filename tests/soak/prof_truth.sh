# prof against samples of the same build without hooks (lib/proftruth.sh), on a dozen of Debian's programs: what each of the
# ten hottest functions takes, by exact and by adaptive measuring, is within 3 percentage points, and for 18 of these 20 shares
# within the error that prof shows. Once as the machine is, and once with a busy loop on each CPU. PROGRAMS='lua bzip2' takes
# these alone, LOADS='no' or 'yes' one of the two; `profsample=0 ALONE=1 POINTS=10' what adaptive says without samples.
cd "$(dirname "$0")/.." || exit
. lib/check.sh
. lib/need.sh
. lib/sources.sh
. lib/proftruth.sh
. lib/profprograms.sh
need gcc g++
for load in ${LOADS:-no yes}; do
  LOAD=; [ "$load" = no ] || LOAD=1
  echo "with other work: $load"
  truth_head
  for program in ${PROGRAMS:-$truth_programs}; do truth_of "$program"; done
done
finish
