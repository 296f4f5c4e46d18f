# prof: Plan 9's files on the worked examples, ours in both byte orders, damaged ones, and what it says when it cannot.
. lib/check.sh
golden=$TESTS/golden/prof own=$TESTS/applets/prof
make=$(dirname "$PSUITE")/tests/profmake
unset objtype tabstop
mkdir -p "$own"

prof() { "$PSUITE" prof "$@"; }

# --- version 1: every worked example, by the 32 and the 64 bit program
for elf in elf32 elf64; do
  for data in "$golden"/*.prof; do
    name=$(basename "$data" .prof)
    for out in "$golden/$name".*.out; do
      form=${out#"$golden/$name."} form=${form%.out}
      stop=
      case $form in *.ts*) stop=${form#*.ts} form=${form%.ts*} ;; esac
      option=-$form; [ "$form" != flat ] || option=
      status "prof $option of $name, $elf" 0 env ${stop:+tabstop=$stop} "$PSUITE" prof $option "$golden/prog.$elf" "$data"
      same "$name: its lines" "$out" "$scratch/out"
      err=$golden/$name.$form.err; [ -e "$err" ] || err=/dev/null
      same "$name: its errors" "$err" "$scratch/err"
    done
  done
done
finish
