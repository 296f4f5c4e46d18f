# iostats by fuse on a guest's kernel: the workload that knows its messages. The root is an initial ramfs here.
modprobe fuse 2>/dev/null
if [ ! -c /dev/fuse ]; then
  skip 'iostats by fuse' 'no /dev/fuse'
else
  echo hello > /tmp/io.in
  status 'iostats: status and report' 3 psuite iostats sh -c 'cat /tmp/io.in /proc/self/mounts; exit 3'
  has 'a row of what was read' '^ +1 +[0-9]+ +[0-9]+ +0 +0 /tmp/io.in$' $err
  has 'the root is ours in there' '^psuite / fuse' $out
  rm -rf /tmp/io /tmp/io.expected; mkdir -p /tmp/io
  ok 'iostats: the workload' psuite iostats $work/iomessages /tmp/io /tmp/io.expected
  text 'iostats: each file exactly' "$(grep / /tmp/io.expected | sort)" "$(grep ' /tmp/io/' $err | sort)"
  for m in create remove wstat; do
    text "iostats: all of $m" "$(awk -v m=$m '$1 == m { print $2 + (m == "create") }' /tmp/io.expected)" "$(awk -v m=$m '$1 == m { print $2 }' $err)"
  done
  text 'iostats: no mount is left' '' "$(grep psuite /proc/mounts)"
fi
