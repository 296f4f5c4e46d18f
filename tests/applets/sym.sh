. lib/check.sh
finish
