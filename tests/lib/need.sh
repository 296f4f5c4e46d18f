# need.sh: install what is missing, and only then touch apt. Sourced by ./dev and tests/guest/prepare.
PATH=$PATH:/usr/sbin:/sbin # where depmod lives, also for people

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else echo "needs root or sudo: $*" >&2; return 1; fi
}

# need THING...: a command whose package has its name, COMMAND=PACKAGE, or /FILE=PACKAGE.
need() {
  local want missing=()
  for want; do
    case $want in
      /*) [ -e "${want%%=*}" ] ;;
      *) command -v "${want%%=*}" >/dev/null ;;
    esac || missing+=("${want#*=}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "installing ${missing[*]}" >&2
  [ -n "${need_updated:-}" ] || as_root apt-get update -qq || return
  need_updated=1
  local said
  said=$(as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" 2>&1) ||
    { echo "$said" >&2; return 1; }
}
