# need.sh: packages are installed where an unrelated source of apt is broken; what cannot be had is named. apt-get is a script.
. lib/check.sh
. lib/need.sh
mkdir "$scratch/bin" "$scratch/there"
printf '#!/bin/sh\nexec "$@"\n' > "$scratch/bin/sudo"
cat > "$scratch/bin/apt-get" <<E
#!/bin/bash
# Packages whose names begin with no- do not exist; as apt does, one of those keeps all from being installed.
echo "\$*" >> "$scratch/asked"
case " \$* " in
  *' update '*) echo "E: The repository 'http://unrelated.invalid stable Release' does not have a Release file." >&2; exit 100 ;;
  *' no-'*) echo "E: Unable to locate package no-such" >&2; exit 100 ;;
esac
for word; do case \$word in thing-*) touch "$scratch/there/\${word#thing-}" ;; esac; done
E
chmod +x "$scratch/bin/"*
PATH=$scratch/bin:$PATH
one=$scratch/there/one=thing-one two=$scratch/there/two=thing-two none=$scratch/there/none=no-such
asked() { grep -c -- "$1" "$scratch/asked"; }
missing() { (need "$@"); }

touch "$scratch/asked"
status 'what is here' 0 missing sh /dev/null=base-files
text 'needs no apt' '' "$(cat "$scratch/asked")"
status 'an update that fails' 0 missing "$one" "$two"
has 'is said' '^apt-get update failed' "$scratch/err"
text 'the packages are installed at once' 1 "$(asked 'install.* thing-one thing-two')"
rm "$scratch/there/"* "$scratch/asked"
status 'a package that does not exist' 1 missing "$one" "$none" "$two"
has 'is named' "^missing: $scratch/there/none \(package no-such is not installed\)$" "$scratch/err"
has 'with what apt said' 'Unable to locate package no-such' "$scratch/err"
ok 'the others are installed' test -e "$scratch/there/one" -a -e "$scratch/there/two"
text 'the lists are read once' 1 "$(asked ' update')"
finish
