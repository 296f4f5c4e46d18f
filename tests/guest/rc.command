#!/bin/sh
# The end of a guest's start: runs /cmd between marks, prints its exit status and powers off.
echo; echo "@@UP $(cut -d' ' -f1 /proc/uptime)"
sh /cmd </dev/null 2>&1; rc=$?
echo "@@RC $rc $(cut -d' ' -f1 /proc/uptime)"
sync; poweroff -f
