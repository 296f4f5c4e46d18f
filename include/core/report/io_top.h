/*
 * io_top: the live table of who does I/O (core/io/machine.h): its rows, the keys, and its drawing
 * on a canvas.
 */
#pragma once

#include "core/io/machine.h"
#include "core/tui/canvas.h"
#include "core/tui/list.h"

enum { IO_TOP_FILTER = 64 };

/* All zero is one that knows nothing yet; its user may set the order and `all'. */
struct io_top {
    enum io_sort sort; /* IO_SORT_CLOSED is by bytes */
    bool all;          /* sums since the first round, instead of the last round's rates */
    bool typing, paused, help;
    char filter[IO_TOP_FILTER];
    struct key_answer answer;         /* to the last key, if it is none of the view's */
    struct list list;                 /* of the rows that pass the filter */
    const struct io_machine *machine; /* of the last update; NULL: none yet */
    struct io_machine_row *row;
    struct io_machine_sum sum;
    uint64_t rounds;
};

void io_top_release(struct io_top *t);

/* After a round. While paused nothing changes. m outlives the keys pressed. */
void io_top_update(struct io_top *t, const struct io_machine *m);

/* What a key does; height: of the canvas. False: the view shall end. */
bool io_top_press(struct io_top *t, const struct key *key, int height);

void io_top_draw(const struct io_top *t, struct canvas *c);
