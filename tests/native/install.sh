#!/bin/bash
# What cmake --install, psuite --install and the package leave on a system. Wants BUILD, the build folder of $PSUITE.
. "$(dirname "$0")/../lib/check.sh"
build=${BUILD:-$(dirname "$PSUITE")}
applets=$("$PSUITE" --list)

# installed ROOT: what must stand under the prefix, whoever put it there
installed() {
  local root=$1 how=$2 name
  ok "$how: bin/psuite runs" "$root/bin/psuite" --version
  text "$how: one link an applet" "$(echo "$applets" | sort)" "$(ls "$root/lib/psuite/bin" 2>/dev/null)"
  for name in $applets; do
    text "$how: $name leads to psuite" ../../../bin/psuite "$(readlink "$root/lib/psuite/bin/$name")"
    status "$how: $name is $name" 0 "$root/lib/psuite/bin/$name" --help
    has "$how: $name is $name by its help" "^usage: $name( |\$)" "$scratch/out"
    case $name in
      time | bind | export)
        ok "$how: fish keeps its completion of $name" test ! -e "$root/share/fish/vendor_completions.d/$name.fish"
        ok "$how: bash keeps its completion of $name" test ! -e "$root/share/bash-completion/completions/$name" ;;
      *)
        ok "$how: completion of $name in fish" test -s "$root/share/fish/vendor_completions.d/$name.fish"
        ok "$how: completion of $name in bash" test -s "$root/share/bash-completion/completions/$name" ;;
    esac
    ok "$how: manual of $name" test -s "$root/share/man/man1/psuite-$name.1"
    ok "$how: nothing at bin/$name" test ! -e "$root/bin/$name"
  done
  for name in share/man/man1/psuite.1 share/bash-completion/completions/psuite share/zsh/{site-functions,vendor-completions}/_psuite \
    share/fish/vendor_completions.d/psuite.fish share/doc/psuite/LICENSE \
    share/doc/psuite/copyright share/doc/psuite/LICENSES/README; do
    ok "$how: $name" test -s "$root/$name"
  done
}

# A login shell's name begins with a dash.
for name in -stats -/usr/lib/psuite/bin/stats; do
  status "called as $name" 0 bash -c 'exec -a "$0" "$1" --help' "$name" "$PSUITE"
  has "called as $name: the applet" '^usage: stats ' "$scratch/out"
done

ok 'cmake --install' cmake --install "$build" --prefix "$scratch/prefix"
installed "$scratch/prefix" 'cmake --install'
ok 'cmake --install into DESTDIR' env DESTDIR="$scratch/dest" cmake --install "$build" --prefix /opt/p
ok 'DESTDIR stands before the prefix' test -x "$scratch/dest/opt/p/bin/psuite"

# psuite --install
cp "$PSUITE" "$scratch/psuite"
for kind in hard symbolic; do
  dir=$scratch/$kind flag=
  mkdir "$dir"
  [ $kind = hard ] || flag=-s
  status "$kind links" 0 "$scratch/psuite" --install $flag "$dir"
  text "$kind links: one an applet" "$(echo "$applets" | sort)" "$(ls "$dir")"
  for name in $applets; do
    ok "$kind link $name is psuite" test "$dir/$name" -ef "$scratch/psuite"
    if [ $kind = hard ]; then ok "$name is a hard link" test ! -L "$dir/$name"; else ok "$name is symbolic" test -L "$dir/$name"; fi
  done
  status "$kind links: a second time" 0 "$scratch/psuite" --install $flag "$dir"
  first=$(echo "$applets" | head -1)
  [ -n "$first" ] || continue
  rm "$dir/$first"; echo mine > "$dir/$first"
  status "$kind links: a name that is taken" 1 "$scratch/psuite" --install $flag "$dir"
  has "$kind links: says which" "$dir/$first" "$scratch/err"
  text "$kind links: and leaves it" mine "$(cat "$dir/$first")"
done
[ -z "$applets" ] || status 'no such folder' 1 "$scratch/psuite" --install "$scratch/none"
status 'no folder' 2 "$scratch/psuite" --install

# The package
for tool in dpkg-deb dpkg-shlibdeps file; do
  command -v $tool >/dev/null || { skip 'the package' "no $tool"; finish; }
done
ok 'cpack' cpack --config "$build/CPackConfig.cmake" -B "$scratch/cpack"
deb=$(ls "$scratch"/cpack/*.deb) || finish
dpkg -c "$deb" > "$scratch/contents"
hasnt 'nothing of the package is outside its places' ' \./usr/(bin/[^p]|s?bin/.*time|lib/([^pcl]|cmake/[^p]|lib[^p]))' "$scratch/contents"
ok 'the package unpacks' dpkg -x "$deb" "$scratch/root"
installed "$scratch/root/usr" package
hasnt 'the package is stripped' 'not stripped' <(file "$scratch/root/usr/bin/psuite")
text 'files of the package' "$(cd "$scratch/prefix" && find . ! -type d | sort)" "$(cd "$scratch/root/usr" && find . ! -type d | sort)"
text 'its name and section' 'psuite devel' "$(dpkg-deb --showformat '${Package} ${Section}' -W "$deb")"
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$scratch/admin/var/lib/dpkg/"{info,updates,triggers}
  : > "$scratch/admin/var/lib/dpkg/status"
  ok 'it installs' dpkg --root="$scratch/admin" --force-depends --force-not-root --force-script-chrootless -i "$deb"
  ok 'and is there' test -x "$scratch/admin/usr/bin/psuite"
  ok 'and goes' dpkg --root="$scratch/admin" --force-not-root --force-script-chrootless -P psuite
  ok 'without a rest' test ! -e "$scratch/admin/usr/lib/psuite"
else
  skip 'it installs' 'not root'
fi
finish
