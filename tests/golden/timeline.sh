#!/bin/bash
# Timelines byte for byte: the screens of a known schedule, and what is written outwards of it.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/timeline view=$(dirname "$PSUITE")/tests/schedview

# screen NAME ARG...: what the terminal shows after the keys
screen() {
  local name=$1; shift
  status "$name" 0 "$view" "$own/known.txt" "$@"
  same "$name: the screen" "$own/$name.screen" "$scratch/out"
}
# --- 80x24, without colours; with and without Unicode
screen plain 80x24 0
screen ascii 80x24 0 ascii
screen ascii-cpus 80x24 0 ascii c
screen help 80x24 0 h
screen list 80x24 0 v
screen filter 80x24 0 f t o k e n enter
screen one-line 80x24 0 l l
screen three-lines 80x24 0 l
screen tiny 12x5 0
screen wide 300x60 0
# --- 120x40 in colours, to the byte that draws them
screen colours 120x40 256 raw
screen colours-cpus 120x40 256 raw c + +
screen eight-colours 120x40 8 raw p left left
# --- time: scales at their ends, home, a cursor and its words
screen zoomed-in 80x24 0 p + + + + + + + + + +
screen zoomed-out 80x24 0 - - - - - - - - - - - - - -
screen home 80x24 0 home right right right ]
screen clicked 80x24 0 click=40,7
screen stepped 80x24 0 p down '[' '['
# --- words: a search for a task, a mark, a word of none
screen search-task 80x24 0 home / t o k e n - c enter n n
screen search-mark 80x24 0 - / l i n k enter
screen search-none 80x24 0 / x y z z y enter
# --- losses in the middle; what froze it
screen lost 80x24 0 until=1170000 +
screen late 80x24 0 until=1001000 w 2 enter until=1240000
screen missed 80x24 0 until=1001000 d until=1240000
screen ran 80x24 0 until=1001000 down t until=1240000
has 'a wake-up over 2 ms is told' '^0\.133200s: 200 control waited to run 2\.200ms' "$own/late.screen"
has 'a missed deadline is told' '^0\.138400s: 200 control missed its deadline by 1\.400ms' "$own/missed.screen"
has 'a search moves the cursor to the mark' '^0\.089600s 302 make: User linking; ran 800\.000' "$own/search-mark.screen"

# --- outwards
for format in svg chrome page; do
  status "$format" 0 "$view" "$own/known.txt" $format
  cp "$scratch/out" "$scratch/known.$format"
done
same 'SVG' "$own/known.svg" "$scratch/known.svg"
status 'a part' 0 "$view" "$own/known.txt" svg 1130000 1140000
same 'a part: SVG' "$own/part.svg" "$scratch/out"
same 'Chrome' "$own/known.chrome" "$scratch/known.chrome"
sed '/^<style>$/,/^<\/style>$/d;/^<script>$/,/^<\/script>$/d' "$scratch/known.page" > "$scratch/markup"
same 'HTML but for style and scripts' "$own/known.page" "$scratch/markup"
cat "$SOURCE"/src/core/{text/page/shared,timeline/html/{data,draw,page}}.js > "$scratch/scripts"
sed -n '/^<script>$/,/^<\/script>$/p' "$scratch/known.page" | sed '/^<\/*script>$/d' > "$scratch/embedded"
same 'its scripts' "$scratch/scripts" "$scratch/embedded"
hasnt 'nothing is fetched' 'https?://|url\(|@import|<img|<link|fetch\(|XMLHttp|import\(' "$scratch/known.page"
ok 'each is well formed, and says the same' python3 "$own/agree.py" "$scratch"/known.{svg,chrome,page} "$own/known.txt"
finish
