/*
 * ns_tree: presents a name space (core/ns/ns.h) as one struct ns_server, to be served to clients:
 * files have paths (numbers) that stand for names.
 *
 * A path that walk answered is held until forget gives it back: names come and go with processes.
 * Path 0, the root, is always there. The paths that stat and entry return are numbers for a qid or
 * an inode, one a name, and are not to be used.
 */
#pragma once

#include "core/ns/ns.h"

enum { NS_TREE_NAMES = 1 << 16 }; /* held at once; more are -ENFILE */

struct ns_tree; /* opaque */

/* under: which directory is the root, "/" or a device. The name space stays the caller's and must
 * outlive the tree. NULL: no memory, or the name is too long. */
struct ns_tree *ns_tree_new(const struct ns *ns, const char *under);
void ns_tree_free(struct ns_tree *t); /* NULL: nothing; files must be closed */

/* Asked before each write; false: -EPERM. */
typedef bool ns_tree_may(const char *name, const void *bytes, size_t len);
void ns_tree_guard(struct ns_tree *t, ns_tree_may *may_write);

struct ns_server ns_tree_server(struct ns_tree *t); /* its end does nothing */
size_t ns_tree_held(const struct ns_tree *t);       /* names */
