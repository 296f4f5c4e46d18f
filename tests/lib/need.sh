# need.sh: install what is missing, and only then touch apt. Sourced by ./dev, tests/guest/prepare and shell tests.
PATH=$PATH:/usr/sbin:/sbin # ordinary users find depmod there, too

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else echo "needs root or sudo: $*" >&2; return 1; fi
}

# is_here THING: a thing as need takes it
is_here() {
  case $1 in
    /*) [ -e "${1%%=*}" ] ;;
    *) command -v "${1%%=*}" >/dev/null ;;
  esac
}

need_install() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "$@" 2>&1; }

# A source that cannot be updated may have nothing to do with what is missing: what the others have is installed.
need_update() {
  [ -z "${need_updated:-}" ] || return 0
  need_updated=1
  as_root apt-get -o DPkg::Lock::Timeout=600 update -qq >&2 || echo "apt-get update failed; the sources that it could read are used" >&2
}

# need THING...: a command whose package has its name, COMMAND=PACKAGE, or /FILE=PACKAGE. Fails when one is missing afterwards,
# and names it.
need() {
  local want missing=() said='' alone='' status=0
  for want; do is_here "$want" || missing+=("${want#*=}"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  as_root true || { echo "not installed: ${missing[*]}" >&2; return 1; }
  echo "installing ${missing[*]}" >&2
  need_update
  # Together apt installs all or none; one that cannot be had does not keep the others away.
  said=$(need_install "${missing[@]}") || [ ${#missing[@]} = 1 ] ||
    for want in "${missing[@]}"; do alone=$(need_install "$want") || said=$alone; done
  hash -r
  for want; do
    is_here "$want" && continue
    [ $status = 1 ] || echo "$said" | tail -5 >&2
    echo "missing: ${want%%=*} (package ${want#*=} is not installed)" >&2
    status=1
  done
  return $status
}
