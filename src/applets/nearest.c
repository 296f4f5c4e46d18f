#include "applets/nearest.h"

#include <limits.h>
#include <string.h>

enum { MAX_LEN = 32 };

static int min(int a, int b)
{
    return a < b ? a : b;
}

static int edit_distance(const char *a, const char *b)
{
    int la = (int)strlen(a), lb = (int)strlen(b);
    if (la > MAX_LEN || lb > MAX_LEN)
        return INT_MAX;
    int d[MAX_LEN + 1][MAX_LEN + 1];
    for (int i = 0; i <= la; i++)
        d[i][0] = i;
    for (int j = 0; j <= lb; j++)
        d[0][j] = j;
    for (int i = 1; i <= la; i++)
        for (int j = 1; j <= lb; j++) {
            int changed = a[i - 1] != b[j - 1];
            d[i][j] = min(min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + changed);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[la][lb];
}

void nearest_start(struct nearest *n, const char *word)
{
    *n = (struct nearest){.word = word, .distance = (int)strlen(word) / 2 + 1};
}

void nearest_try(struct nearest *n, const char *candidate)
{
    int d = edit_distance(n->word, candidate);
    if (d >= n->distance)
        return;
    n->distance = d;
    n->best = candidate;
}
