f() { if [ $1 -gt 0 ]; then f $(($1-1)); fi; x="a$1"; case $x in *b*) y=1;; a1*) y=2;; esac; }
g=0
while [ $g -lt 30 ]; do g=$((g+1)); f 10; set -- a b c d e; for i in "$@"; do y=${i%a*}; printf '%s-%d\n' "$i" $g; done; trap 'z=1' USR1; kill -USR1 $$; eval "z=$g"; x=`echo $g`; done
