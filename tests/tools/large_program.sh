#!/bin/bash
# large_program.sh FILE MB [FOLDER]: a program whose .debug_info has at least so many MB, in units of about 0.4 MB each. It is
# linked from the objects of eight generated C++ sources, each as often as needed: the link of 1 GB takes a minute and the
# compilation seconds. FOLDER keeps the objects for the next size. The program is not meant to run.
set -eu
file=$1 mb=$2 folder=${3:-}
sources=8 classes=130
[ -n "$folder" ] || { folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; }

# Classes with members of one another, inlined accessors, and methods that inline them and each other.
source_of() { # source_of NUMBER
  awk -v unit="$1" -v classes="$classes" '
  function type(c, m) {
    if (m % 3 == 0 && c > m)
      return "item" (c - m - 1) " *"
    return m % 3 == 1 ? "unsigned long" : "int"
  }
  BEGIN {
    printf "namespace unit%d {\ntemplate <typename T> static inline T mix(T a, T b) { T c = a * 31; return c ^ (b + (c >> 3)); }\n", unit
    for (c = 0; c < classes; c++) {
      printf "class item%d {\npublic:\n", c
      for (m = 0; m < 12; m++)
        printf "  %s field%d_%d;\n", type(c, m), c, m
      for (m = 0; m < 12; m++)
        printf "  inline unsigned long get%d(unsigned long by) const { unsigned long sum = by + %d; return mix<unsigned long>(sum, (unsigned long)field%d_%d); }\n", m, unit + m, c, m
      for (m = 0; m < 5; m++)
        printf "  unsigned long work%d(unsigned long *table, int rounds, const char *word);\n", m
      printf "};\n"
      for (m = 0; m < 5; m++) {
        printf "unsigned long item%d::work%d(unsigned long *table, int rounds, const char *word) {\n  unsigned long total = %d;\n", c, m, c
        printf "  for (int round = 0; round < rounds; round++) {\n    unsigned long step = get%d(total) + word[round];\n", m
        printf "    if (step & %d)\n      total += get%d(step) ^ mix<unsigned long>(total, step);\n", m + 1, m + 2
        printf "    table[round] = mix<unsigned long>(total, get%d(round));\n  }\n", m + 5
        if (m)
          printf "  total += work%d(table, rounds - 1, word);\n", m - 1
        printf "  return total;\n}\n"
      }
    }
    printf "}\n"
  }'
}
compile() { # compile NUMBER: unless it is there
  [ ! -s "$folder/unit$1.o" ] || return 0
  source_of "$1" > "$folder/unit$1.cc"
  g++ -O2 -g -w -fno-exceptions -c "$folder/unit$1.cc" -o "$folder/unit$1.part" && mv "$folder/unit$1.part" "$folder/unit$1.o"
}
info_bytes() { size -A "$1" | awk '$1 == ".debug_info" { print $2 }'; }

mkdir -p "$folder"
for ((i = 0; i < sources; i++)); do compile $i; done
each=$(info_bytes "$folder/unit0.o")
units=$((mb * 1000000 / each + 1))
# One object again and again: its functions have the same names, and each copy has its own code and its own unit.
for ((i = 0; i < units; i++)); do echo "$folder/unit$((i % sources)).o"; done > "$folder/objects"
ld --allow-multiple-definition --unresolved-symbols=ignore-all -e 0 -o "$file" @"$folder/objects"
