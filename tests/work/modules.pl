# A real program to profile, of nothing but perl-base: it spends its time in the interpreter, in the C code of List::Util,
# in the C library and in its mathematics. Prints one line. About three seconds on a PC.
use strict;
use warnings;
use List::Util qw(reduce shuffle sum uniq);
use POSIX qw(floor);

my $n = shift // 400_000;
my ($seed, %price) = (1);
for my $i (1 .. $n) {
    $seed = ($seed * 1103515245 + 12345) & 0x7fffffff;
    $price{sprintf 'part-%05d', $seed % 50000} += $seed % 9973;
}
my @unique = uniq((shuffle(keys %price)) x 5);
my @sorted = sort { $price{$a} <=> $price{$b} || $a cmp $b } @unique, @unique, @unique;
my $text = join ',', map { "$_=$price{$_}" } @sorted;
my $found = 0;
for my $digit (0 .. 9) { $found++ while $text =~ /part-\d*$digit\d*3=(\d+)/g }
my $waves = sum(map { floor(1000 * sin($_) ** 2 + exp(-$_ / $n)) } 1 .. 2 * $n);
my $longest = reduce { length $a > length $b ? $a : $b } map { lc reverse } split /,/, $text;
printf "%d records, %d names, %d found, waves %d, longest %s\n", $n, scalar @unique, $found, $waves, $longest;
