#!/usr/bin/perl
# prose.pl FILE...: the prose of manual pages (NAME.1, NAME.3) and of Markdown (NAME.md), as a reader sees it, one unit a line:
#       FILE:LINE<TAB>KIND<TAB>WORDS<TAB>TEXT
# KIND is `sentence', or `note' for other text: headings, tags of lists, rows of tables, and remarks after commands. LINE is where
# the unit begins. Text in bold, and `code' in Markdown, is a literal: it is shown in backquotes and counts as one word. A list of
# single words between commas counts as one word, too. Examples, synopses and blocks of code are omitted.
use strict;
use warnings;

my %abbreviation = map { $_ => 1 } qw(e.g. i.e. etc. cf. vs. approx. resp. fig. incl. no.);
my ($file, @pieces); # the paragraph being read: [line, text]

sub words {
  my ($text) = @_;
  $text =~ s/`[^`]*`/CODE/g;
  $text =~ s/(?:[^\s,]+, ){2,}(?:(?:and|or) )?[^\s,]+/LIST/g;
  return scalar grep { /[A-Za-z0-9]/ } split ' ', $text;
}
sub unit {
  my ($line, $kind, $text) = @_;
  $text =~ s/\s+/ /g;
  $text =~ s/^ | $//g;
  print join("\t", "$file:$line", $kind, words($text), $text), "\n" if $text =~ /[A-Za-z0-9]/;
}
# Does a sentence end before position $at, where a blank is, in the text?
sub ends_sentence {
  my ($before, $after) = @_;
  return 0 unless $before =~ /(\S*[.?!])[)"'\]*_`]*$/;
  my $word = lc $1;
  $word =~ s/^[("'\[*_`]+//;
  return 0 if $abbreviation{$word};
  return 0 if $word =~ /\.\.\.$/ && $after !~ /^[("'\[*_]*[A-Z]/;
  return 1;
}
# The paragraph's sentences, each with the line it begins on
sub end_paragraph {
  my ($text, $start) = ('', 0);
  for my $piece (@pieces) {
    my ($line, $more) = @$piece;
    my @parts = split /(?<=\S)\s+(?=\S)/, $more;
    for my $part (@parts) {
      if ($text ne '' && ($text =~ tr/`//) % 2 == 0 && ends_sentence($text, $part)) { unit($start, 'sentence', $text); $text = '' }
      $start = $line if $text eq '';
      $text .= ($text eq '' ? '' : ' ') . $part;
    }
  }
  unit($start, 'sentence', $text);
  @pieces = ();
}

# --- manual pages
# roff's escapes undone; what is bold is put in backquotes.
sub plain {
  my ($text) = @_;
  my %special = (aq => "'", dq => '"', ti => '~', ha => '^', ga => "'", rs => '\\', bu => '*', lq => '"', rq => '"', em => '-', en => '-');
  my ($font, $last, $out) = ('R', 'R', '');
  while ($text =~ /\G(?:\\f(?:\((..)|\[([^\]]*)\]|(.))|\\\((..)|\\\[([^\]]*)\]|\\(.)|([^\\]))/g) {
    my $change = $1 // $2 // $3;
    if (defined $change) {
      my $next = $change eq 'P' || $change eq '' ? $last : $change;
      $out .= '`' if ($font eq 'B') != ($next eq 'B');
      ($last, $font) = ($font, $next);
    } elsif (defined($4 // $5)) { $out .= $special{$4 // $5} // '?' }
    elsif (defined $6) { $out .= $6 eq '-' ? '-' : $6 eq ' ' ? ' ' : $6 eq 'e' ? '\\' : '' }
    else { $out .= $7 eq '`' ? "'" : $7 }
  }
  $out .= '`' if $font eq 'B';
  $out =~ s/``//g;
  return $out;
}
sub arguments {
  my ($text) = @_;
  my @list;
  push @list, $1 // $2 while $text =~ /\G\s*(?:"([^"]*)"|((?:\\.|\S)+))/g;
  return @list;
}
# A line of text, or of a font macro
sub man_text {
  my ($line) = @_;
  return plain($line) if $line !~ /^\.([BIR]{1,2}|SM)\s+(.*)/;
  my ($macro, $rest) = ($1, $2);
  my @list = arguments($rest);
  return plain($macro eq 'SM' ? "@list" : "\\f$macro@list\\fR") if length $macro == 1 || $macro eq 'SM';
  my $at = 0;
  return plain(join '', map { '\f' . substr($macro, $at++ % 2, 1) . $_ . '\fR' } @list);
}
sub read_manual {
  my ($section, $example, $tag) = ('', 0, 0);
  while (<STDIN>) {
    chomp;
    my $line = $.;
    if (/^\.EX/) { end_paragraph(); $example = 1; next }
    if (/^\.EE/) { $example = 0; next }
    if ($example) { unit($line, 'note', $1) if plain($_) =~ /^\$ .*?\s{2,}# (.*)/; next }
    if (/^\.S([HS])\s+(.*)/) {
      my ($level, $heading) = ($1, plain(join ' ', arguments($2)));
      end_paragraph();
      $section = $heading if $level eq 'H';
      unit($line, 'note', $heading);
      next;
    }
    next if $section =~ /^(SYNOPSIS|SEE ALSO)$/ || /^\.\\"/ || /^\.TH/;
    if (/^\.T[PQ]/) { end_paragraph(); $tag = 1; next }
    if (/^\.(PP|IP|RS|RE|br|nf|fi|sp)\b/) { end_paragraph(); next }
    next if /^\.(?!(?:[BIR]{1,2}|SM)\s)/;
    if ($tag || $section eq 'NAME') { unit($line, 'note', man_text($_)); $tag = 0; next }
    push @pieces, [$line, man_text($_)];
  }
  end_paragraph();
}

# --- Markdown
sub read_markdown {
  my ($fence, $after_blank) = (0, 1);
  while (<STDIN>) {
    chomp;
    my $line = $.;
    if (/^\s*```/) { end_paragraph(); $fence = !$fence; next }
    if (/^\s*$/) { end_paragraph(); $after_blank = 1; next }
    if ($fence || /^(    |\t)/ && $after_blank) { unit($line, 'note', $1) if /^\s*\S.*?\s{3,}(.*)/; next }
    $after_blank = 0;
    if (/^\s*\|/) { end_paragraph(); unit($line, 'note', $_); next }
    if (/^!\[/) { end_paragraph(); next }
    if (/^#+ (.*)/) { end_paragraph(); unit($line, 'note', $1); next }
    end_paragraph() if s/^\s*(?:[-*+]|\d+\.)\s+//;
    s/\]\([^)]*\)/]/g;
    push @pieces, [$line, $_];
  }
  end_paragraph();
}

for my $path (@ARGV) {
  open STDIN, '<:encoding(UTF-8)', $path or die "$path: $!\n";
  binmode STDOUT, ':encoding(UTF-8)';
  $. = 0;
  $file = $path;
  if ($path =~ /\.md$/) { read_markdown() } else { read_manual() }
}
