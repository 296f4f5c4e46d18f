/*
 * kept: keeps the requests of a protocol that cannot be answered yet (ns_would_block), in order of
 * arrival.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ns_kept {
    uint64_t id;     /* the protocol's number of the request */
    uint64_t object; /* the protocol's own: a fid, a node that was found already */
    size_t len;
    uint8_t *bytes;
};
struct ns_waiting {
    struct ns_kept *kept;
    size_t count, limit;
    size_t bytes; /* of all */
};
enum { NS_WAITING_BYTES = 8 << 20 }; /* at most, however few the requests */

bool ns_waiting_init(struct ns_waiting *w, size_t limit); /* false: no memory */
void ns_waiting_release(struct ns_waiting *w);

/* Keeps a copy; false: a limit is reached, or out of memory. */
bool ns_waiting_keep(struct ns_waiting *w, uint64_t id, uint64_t object, const void *bytes,
                     size_t len);
struct ns_kept *ns_waiting_find(const struct ns_waiting *w, uint64_t id); /* NULL: none */
void ns_waiting_drop(struct ns_waiting *w, struct ns_kept *k);

/* Tries all: 0 of answer takes the request out, 1 leaves it, an error leaves it and is returned at
 * once. While it is tried it is not among those kept, and others may be dropped. */
typedef int ns_answer_kept(void *server, struct ns_kept *k);
int ns_waiting_retry(struct ns_waiting *w, ns_answer_kept *answer, void *server);

/* Handles for plat/wait.h, at most room: how many. handle_of: of one request, -1: none. */
typedef int ns_handle_of(const void *server, const struct ns_kept *k);
size_t ns_waiting_handles(const struct ns_waiting *w, ns_handle_of *handle_of, const void *server,
                          int *handle, size_t cap);
