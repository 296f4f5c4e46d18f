# commands.sh: which commands of a Markdown page psuite does not have. Wants check.sh.
# unknown_commands FILE: a line for each command in backquotes or in an indented block with an applet or an option that is not in its
# --help=all. Of a cluster of letters the first is looked at; what a command under -x is given is its own.
unknown_commands() {
  perl -e '
    my ($psuite, $page) = @ARGV;
    my %help;
    open my $in, "<", $page or die "$page: $!\n";
    while (<$in>) {
      my @commands = /`(?:cc \$\()?psuite ([^`]+)`/g;
      push @commands, $1 if /^    (?:sudo )?psuite (\S.*?)(   .*)?$/;
      for (@commands) {
        my ($applet, @words) = split " ", $_;
        next if $applet =~ /^(-|APPLET$|help$|\.\.\.$)/;
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
