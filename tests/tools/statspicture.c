/* statspicture WxH COLOURS LETTERS < RECORDING: the bytes that show the last sample of a recording
 * on an empty terminal. COLOURS: 0, 8, 16, 256; without Unicode a minus before. LETTERS: graphs, L
 * and Y, o the overview, a scales that fit. statspicture -s ...: instead, how many bytes each
 * sample's picture takes, one a line. */
#include "core/stats/record.h"
#include "core/stats/view.h"
#include "plat/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take_letter(struct statsview *v, char letter)
{
    enum stats_graph graph[STATS_LETTER_MAX];
    v->log |= letter == 'L';
    v->labels |= letter == 'Y';
    v->fit |= letter == 'a';
    if (letter == 'o')
        stats_choose_overview(&v->choice);
    size_t n = stats_letter_graphs(letter, graph);
    for (size_t i = 0; i < n; i++)
        stats_choose(&v->choice, graph[i]);
}

static void show(struct stats_replay *r, struct statsview *v, struct canvas *c,
                 const struct caps *caps, bool sizes)
{
    struct stats_sample s;
    struct buf out = BUF_INIT;
    for (size_t i = 0; i < r->samples; i++) {
        stats_replay_sample(r, i, &s);
        statsview_add_sample(v, &s);
        buf_clear(&out);
        statsview_draw(v, c);
        if (sizes || i + 1 == r->samples)
            canvas_draw(c, caps, &out);
        if (sizes)
            printf("%zu\n", out.len);
    }
    if (!sizes)
        fwrite(out.data, 1, out.len, stdout);
    buf_release(&out);
}

int main(int argc, char **argv)
{
    bool sizes = argc > 1 && !strcmp(argv[1], "-s");
    struct statsview v = {.scale = 1, .speed = 1};
    struct stats_replay r;
    struct canvas c = {.width = 0};
    struct image image;
    struct fail f;
    int width, height;
    argv += sizes;
    if (argc - sizes != 4 || sscanf(argv[1], "%dx%d", &width, &height) != 2)
        return 2;
    struct caps caps = {
        .addressable = true, .unicode = argv[2][0] != '-', .colours = abs(atoi(argv[2]))};
    for (const char *s = argv[3]; *s; s++)
        take_letter(&v, *s);
    v.halves = caps.unicode && caps.colours == 8;
    if (file_input("-", 1 << 26, &image, &f) < 0 ||
        stats_replay_open(&r, (const char *)image.data, image.len, "standard input", &f) < 0)
        return fprintf(stderr, "statspicture: %s\n", f.what), 1;
    canvas_resize(&c, width, height);
    show(&r, &v, &c, &caps, sizes);
    canvas_release(&c);
    statsview_release(&v);
    stats_replay_release(&r);
    file_unmap(&image);
    return 0;
}
