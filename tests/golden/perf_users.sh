#!/bin/bash
# doc/perf-users.md: its commands name applets and options that exist.
. "$(dirname "$0")/../lib/check.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
# unknown FILE: a line for each command in backquotes with an applet or an option that is not in its --help=all. Of a cluster of
# letters the first is looked at; what a command under -x is given is its own.
unknown() {
  perl -e '
    my ($psuite, $page) = @ARGV;
    my %help;
    open my $in, "<", $page or die "$page: $!\n";
    while (<$in>) {
      while (/`(?:cc \$\()?psuite ([^`]+)`/g) {
        my ($applet, @words) = split " ", $1;
        $help{$applet} //= `$psuite $applet --help=all 2>&1` . `$psuite $applet --help 2>&1`;
        my $help = $help{$applet};
        print "$.: no applet $applet\n" if $help !~ /^usage: $applet\b/;
        for (@words) {
          last if $_ eq "-x" || $_ eq "--" || $_ eq "<";
          my ($option) = /^(--[a-z0-9-]+|-[A-Za-z0-9])/ or next;
          print "$.: $applet has no $option\n" if $help !~ /^\s*(-\w, +)?\Q$option\E\b/m && $help !~ /\[-\w*\Q@{[substr $option, 1]}\E\w*\]/;
        }
      }
    }' "$PSUITE" "$1"
}
text 'what doc/perf-users.md names exists' '' "$(unknown "$SOURCE/doc/perf-users.md")"
holds 'it has commands' "$(grep -c '`psuite ' "$SOURCE/doc/perf-users.md") > 50"
printf '| a | `psuite tprof --no-such -x a` and `psuite nothing` |\n' > "$scratch/page"
text 'one that does not is found' '1: tprof has no --no-such
1: no applet nothing' "$(unknown "$scratch/page")"
finish
