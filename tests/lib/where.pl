# where.pl PID SECONDS: after that time, prints what the processes below PID, its parent, wait for. check.sh starts it, so
# that a test that ctest ends for its time limit has said where it stood.
use strict;
use warnings;

my ($top, $seconds) = @ARGV;
for (1 .. $seconds) {
    sleep 1;
    exit if getppid() != $top;    # it has ended, and nothing may keep its output open
}

my %children;
my %about;
for (`ps -eo pid=,ppid=,stat=,etimes=,wchan:24=,args=`) {
    my ($pid, $parent, $about) = /^\s*(\d+)\s+(\d+)\s+(.*)/ or next;
    push @{ $children{$parent} }, $pid;
    $about{$pid} = $about;
}
sub show {
    my ($pid, $depth) = @_;
    return if $pid == $$;
    print '    ', '  ' x $depth, "$pid ", substr($about{$pid}, 0, 160), "\n";
    show($_, $depth + 1) for @{ $children{$pid} // [] };
}
$| = 1;
print "STILL RUNNING after $seconds s: PID, state, its age in s, what it waits for, command\n";
show($top, 0);
