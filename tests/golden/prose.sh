#!/bin/bash
# The English of README.md and of the manual pages, as lib/prose.pl renders them: no word of prose.words, and no sentence of
# more than 25 words. The developers' pages are checked for the words alone. A finding is printed as FILE:LINE: REASON: SENTENCE.
#   Other text is checked by the same words: print it as `FILE:LINE<TAB>note<TAB>0<TAB>TEXT' and pipe it into banned_words.
. "$(dirname "$0")/../lib/check.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
cd "$SOURCE" || exit
MAX_WORDS=25

prose() { perl "$TESTS/lib/prose.pl" "$@"; }
long_sentences() { awk -F '\t' -v max=$MAX_WORDS '$2 == "sentence" && $3 > max { print $1 ": " $3 " words: " $4 }'; }
banned_words() { # banned_words WORDS_FILE < units
  perl -e '
    my ($path, @banned) = shift;
    open my $words, "<", $path or die "$path: $!\n";
    while (<$words>) {
      chomp;
      next if /^#|^\s*$/;
      my ($word, $instead) = /^([^\t]+)\t([^\t]+)$/ or die "$path:$.: not WORD<TAB>INSTEAD\n";
      push @banned, [qr/\b($word)\b/i, $instead];
    }
    die "$path: no words\n" unless @banned;
    while (<STDIN>) {
      chomp;
      my ($at, $kind, $count, $text) = split /\t/, $_, 4;
      (my $plain = $text) =~ s/`[^`]*`/`/g;
      for (@banned) { print "$at: \"$1\", not $_->[1]: $text\n" if $plain =~ $_->[0] }
    }' "$1" 2>&1
}
words=$TESTS/golden/prose.words

# --- the check itself finds what it is for
cat > "$scratch/page.1" <<'PAGE'
.TH PAGE 1
.SH SYNOPSIS
.B told
.SH DESCRIPTION
.B Page
is short, e.g. of version 4.17, in file.c and
.IR a.out .
The user is
.B told
nothing.
The user is
told nothing.
.PP
One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five. One two three four five six seven eight nine
ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three
twenty-four twenty-five twenty-six.
.PP
The letters are a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, and z.
.EX
$ page told
.EE
PAGE
cat > "$scratch/page.md" <<'PAGE'
# A page

It has `told` in it. See [a link](told.md)? No.

    page      what is told here
PAGE
prose "$scratch/page.1" "$scratch/page.md" | sed "s,$scratch/,," > "$scratch/units"
text 'a word of the list is found where it is prose, over a line end, too' \
  'page.1:11: "told", page.md:5: "told",' "$(banned_words "$words" < "$scratch/units" | sed 's/, not .*/,/' | paste -sd' ')"
text 'a sentence of 26 words is found, one of 25 is not' \
  'page.1:15: 26 words' "$(long_sentences < "$scratch/units" | cut -d: -f1-3)"
text 'an abbreviation, a version and a file name end no sentence' 'page.1:5 11' \
  "$(awk -F '\t' '$4 ~ /^.Page. is/ { print $1, $3 }' "$scratch/units")"
text 'a list without words is an error' "$scratch/none: no words" "$(: > "$scratch/none"; banned_words "$scratch/none" < "$scratch/units")"

# --- README.md and the manual pages
for page in README.md man/*.[1-9]; do
  prose "$page" > "$scratch/units"
  holds "$page has prose" "$(grep -c $'\tsentence\t' "$scratch/units") > 4"
  text "$page: words" '' "$(banned_words "$words" < "$scratch/units")"
  text "$page: sentences of at most $MAX_WORDS words" '' "$(long_sentences < "$scratch/units")"
done

# --- what developers read: the words alone
for page in ARCHITECTURE.md CONTRIBUTING.md GLOSSARY.md doc/*.md doc/*/*.md $(find src -name README.md | sort); do
  prose "$page"
done > "$scratch/units"
holds 'the developers'\'' pages have prose' "$(grep -c $'\tsentence\t' "$scratch/units") > 100"
text 'the developers'\'' pages: words' '' "$(banned_words "$words" < "$scratch/units")"
finish
