/* What all answers ask the tree: names, qids, attributes. */
#include "reply.h"

#include <errno.h>

int ninep_name(struct ninep_text text, char name[NS_NAME_MOST + 1], struct fail *f)
{
    if (text.len > NS_NAME_MOST)
        return fail_set(f, ENAMETOOLONG, "%.64s...", text.at);
    if (text.len == 0 || memchr(text.at, '/', text.len) || memchr(text.at, '\0', text.len) ||
        ninep_same(text, ".") || ninep_same(text, ".."))
        return fail_set(f, 0, "bad character in file name");
    memcpy(name, text.at, text.len);
    name[text.len] = '\0';
    return 0;
}

int ninep_may_write(const struct ninep_server *s, struct fail *f)
{
    return s->tree.writable ? 0 : fail_set(f, EROFS, "%s", "");
}

int ninep_cannot(struct fail *f)
{
    return fail_set(f, EOPNOTSUPP, "%s", "");
}

uint8_t ninep_kind_of_mode(uint32_t mode)
{
    switch (mode & NINEP_S_KIND) {
    case NINEP_S_DIR:
        return NINEP_DIR;
    case NINEP_S_LINK:
        return NINEP_LINK;
    default:
        return NINEP_FILE;
    }
}

struct ninep_qid ninep_qid_stat(const struct ns_stat *st)
{
    return (struct ninep_qid){st->directory ? NINEP_DIR : NINEP_FILE, st->version, st->path};
}

static void attr_of_stat(const struct ninep_tree *t, const struct ns_stat *st,
                         struct ninep_attr *out)
{
    struct ninep_time modified = {(uint64_t)st->modified, 0};
    *out = (struct ninep_attr){
        .mode = ninep_mode_told(st) | (st->directory ? NINEP_S_DIR : NINEP_S_FILE),
        .uid = t->uid,
        .gid = t->gid,
        .links = st->directory ? 2 : 1,
        .size = st->length,
        .block_bytes = 4096,
        .blocks = st->length / 512 + (st->length % 512 != 0),
        .accessed = modified,
        .modified = modified,
        .changed = modified,
        .version = st->version,
    };
}

int ninep_attr_of(struct ninep_server *s, void *file, uint64_t path, struct ninep_attr *out,
                  struct ninep_qid *qid, struct fail *f)
{
    const struct ninep_tree *t = &s->tree;
    if (t->host)
        return t->host->attr ? t->host->attr(t->files.state, file, path, out, qid, f)
                             : ninep_cannot(f);
    struct ns_stat st = {.path = path};
    int r = t->files.calls->stat(t->files.state, path, &st, f);
    if (r < 0)
        return r;
    attr_of_stat(t, &st, out);
    *qid = ninep_qid_stat(&st);
    return 0;
}

int ninep_qid_of(struct ninep_server *s, uint64_t path, struct ninep_qid *qid, struct fail *f)
{
    struct ninep_attr attr;
    return ninep_attr_of(s, NULL, path, &attr, qid, f);
}
