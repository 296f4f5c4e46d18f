# examples.sh: runs the examples of a manual page, for a test that sources check.sh too. What an example needs stands in a
# comment at its end, two blanks before it, words of a reader separated by commas:
#       # exits N              it exits with N, not 0
#       # by root              an ordinary user may not: skipped there
#       # on a terminal        a live view: it has one, and q is typed there
#       # until ^C             it runs until it is interrupted, and exits with 130
#       # with 9P in the kernel   skipped where there is none
#       # not in a container   skipped in a PID namespace: the kernel's events have other PIDs than processes there
#       # not run: WHY         shown only
# The examples of a page run one after the other in one scratch folder, the applets first on PATH, and /bin/sh reads them.
# By root they have a mount and a network namespace of their own, with nothing in /run and /mnt.
# ssh there is a shell on this machine; `pidof NAME' finds a program of the page's own folder.
# A page may bring a script tests/golden/manuals.d/PAGE.sh, which runs there beforehand and makes what its examples name; what
# it leaves running is ended with the page. A line `# by root: WHY' there says so of all examples of the page.

examples_tools() { # examples_tools DIRECTORY: what stands for other machines
  printf '#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\nshift\nexec /bin/sh -c "$*"\n' >"$1/ssh"
  printf '#!/bin/sh\nexec %s "$PWD/$1"\n' "$(command -v pidof)" >"$1/pidof"
  chmod +x "$1/ssh" "$1/pidof"
}

# --- the place that they run in
place='' # the process that holds the namespaces
enter_place() { # enter_place FOLDER
  export MANUALS_PLACE=$1
  place=''
  [ "$(id -u)" = 0 ] && unshare -mn true 2>/dev/null || return 0
  unshare -mn --propagation private sh -c 'mount -t tmpfs none /run && mount -t tmpfs none /mnt && ip link set lo up &&
    ip address add 10.0.0.7/32 dev lo; : >ready; exec sleep 3600' 2>"$1/place.err" &
  place=$!
  until_ok is_place_ready "$1"
}
is_place_ready() { [ -e "$1/ready" ] || ! kill -0 "$place"; }
inside() { # inside COMMAND...
  if [ -n "$place" ]; then nsenter -t "$place" -m -n --wd=. "$@"; else "$@"; fi
}
# Every process that has the place in its environment: servers, what they started, the place itself.
leave_place() {
  local process
  for process in $(grep -alz "^MANUALS_PLACE=$MANUALS_PLACE\$" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3); do
    [ "$process" = $$ ] || [ "$process" = "$BASHPID" ] || kill "$process" 2>/dev/null
  done
  [ -z "$place" ] || wait "$place" 2>/dev/null
  place=''
  unset MANUALS_PLACE
}

# --- an example
# What samples the whole machine reads the symbols of all that runs there, under sanitizers beside other tests: that takes minutes.
limited() { timeout -k 5 300 "$@"; }
on_terminal() { # it lives for two seconds, or until it first reads its keys
  TERM=xterm limited script -qec "stty rows 24 cols 80; $1" /dev/null < <(for _ in {1..150}; do sleep 2; printf q; done)
}
# Without LeakSanitizer: the SIGCONT of timeout(1) undoes the SIGSTOP by which that stops a process that ends.
until_interrupt() { ASAN_OPTIONS=detect_leaks=0 timeout --preserve-status -k 100 -s INT 2 sh -c "$1"; }

lacking() { # lacking COMMENT: why it cannot run here
  case $1 in *'not run: '*) echo "${1##*not run: }" ;; esac
  case $1 in *'by root'*) [ "$(id -u)" = 0 ] || echo 'by root' ;; esac
  case $1 in *'with 9P in the kernel'*) grep -q '	9p$' /proc/filesystems || echo 'no 9P in this kernel' ;; esac
  case $1 in *'not in a container'*) own_pids || echo 'this is a PID namespace' ;; esac
  case $1 in *'on a terminal'*) command -v script >/dev/null || echo 'no script(1)' ;; esac
}
export -f limited on_terminal until_interrupt

run_example() { # run_example PAGE LINE
  local line=$2 comment='' why served want=0 how=limited
  case $line in *'  # '*) comment=${line##*  \# } ;; esac
  ! grep -qs '^# by root: ' "$TESTS/golden/manuals.d/$1.sh" || comment="$comment, by root"
  why=$(lacking "$comment")
  if [ -n "$why" ]; then skip "$1: ${line%%  *}" "${why%%$'\n'*}"; return; fi
  case $comment in *'until ^C'*) want=130 ;; esac
  case $comment in *'exits '*) want=${comment##*exits } want=${want%%,*} ;; esac
  case $comment in
    *'on a terminal'*) status "$1: \$ $line" "$want" inside bash -c 'on_terminal "$1"' bash "$line" ;;
    *'until ^C'*) status "$1: \$ $line" "$want" inside bash -c 'until_interrupt "$1"' bash "$line" </dev/null ;;
    *) status "$1: \$ $line" "$want" inside bash -c 'limited sh -c "$1"' bash "$line" </dev/null ;;
  esac
  case ${line%%  \# *} in *' unix!/'*' &') served=${line##* unix!} && until_ok inside test -S "${served%% *}" ;; esac # the next one uses it
}
