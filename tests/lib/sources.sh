# sources.sh: Debian's source packages for tests that compile real programs. Wants need.sh. They are fetched once, by an apt
# with lists of its own, to $PSUITE_SOURCES_CACHE (~/.cache/psuite-sources); ./dev test fetches them before the tests run.
. "$(dirname "${BASH_SOURCE[0]}")/archive.sh"
sources_cache=${PSUITE_SOURCES_CACHE:-~/.cache/psuite-sources}

# sources_apt COMMAND...: apt-get for the source packages of this machine's Debian
sources_apt() {
  local root=$sources_cache/apt mirror release
  read -r mirror release < <(debian_archive) || return
  mkdir -p "$root/lists/partial" "$root/archives/partial"
  echo "deb-src $mirror $release main" > "$root/sources.list"
  apt-get -qq -o "Dir::Etc::sourcelist=$root/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$root/lists" \
    -o "Dir::Cache=$root" -o APT::Sandbox::User="$(id -un)" "$@"
}

# debian_source PACKAGE: its sources, which apt has checked, without Debian's patches, are in $sources_cache/PACKAGE, complete or absent
debian_source() {
  local dir=$sources_cache/$1 work
  [ -e "$dir/done" ] && return
  need dpkg-source=dpkg-dev && mkdir -p "$sources_cache" && work=$(mktemp -d "$sources_cache/XXXXXX") || return
  { [ -n "${sources_updated:-}" ] || sources_apt update; } && sources_updated=1 &&
    (cd "$work" && sources_apt --download-only source "$1" && dpkg-source --no-check --skip-patches -x ./*.dsc unpacked > /dev/null) &&
    touch "$work/unpacked/done" && rm -rf "$dir" && mv "$work/unpacked" "$dir"
  local status=$?
  rm -rf "$work"
  return $status
}

# debian_sources: all that tests compile, made as far as their own build makes their sources
debian_sources() {
  need tclsh=tcl gcc make /usr/include/bzlib.h=libbz2-dev && debian_source lua5.4 && debian_source pbzip2 &&
    debian_source gzip && debian_source sqlite3 || return
  [ -e "$sources_cache/gzip/lib/config.h" ] ||
    (cd "$sources_cache/gzip" && ./configure -q --disable-dependency-tracking && make -s -C lib && make -s version.c version.h) > "$sources_cache/log" 2>&1 || return
  [ -e "$sources_cache/sqlite3/shell.c" ] ||
    (cd "$sources_cache/sqlite3" && ./configure -q --disable-tcl && make -s sqlite3.c shell.c) > "$sources_cache/log" 2>&1
}
