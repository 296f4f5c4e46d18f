# A program that always has work, with files and with the kernel, under the name that the examples give it; it starts no
# other, which would have that name until its exec.
cp "$(readlink -f /bin/sh)" server
./server -c 'while :; do i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; while read -r line; do :; done </etc/passwd; done' \
  </dev/null >/dev/null 2>&1 &
for _ in {1..1000}; do ! grep -q '^server$' "/proc/$!/comm" || break; sleep 0.05; done # it is no shell of another name any more
