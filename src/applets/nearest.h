/*
 * nearest: finds the word that a misspelt one most likely meant: the least edit distance,
 * neighbours swapped counting one, and less than about half of the word.
 */
#pragma once

struct nearest {
    const char *word, *best; /* best: NULL while nothing is near */
    int distance;            /* only what is nearer than this becomes the best */
};

void nearest_start(struct nearest *n, const char *word);
void nearest_try(struct nearest *n, const char *candidate); /* must outlive n */
