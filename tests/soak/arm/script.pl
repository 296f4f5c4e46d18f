sub f { my ($n) = @_; return $n < 2 ? $n : f($n-1) + f($n-2) }
my %h; for my $i (1..300) { $h{"k$i"} = join(',', map { $_ * $i } 1..5) }
print f(9), "\n"; my $s = join ' ', sort { $h{$a} cmp $h{$b} } keys %h; $s =~ s/(k\d)(\d+)/$2$1/g; print length($s), "\n";
eval { die "x" } for 1..20; print sprintf("%.3f %s\n", 3.14159 * $_, $_ ** 2) for 1..50;
