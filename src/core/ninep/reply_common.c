/* What all answers ask the tree: names, qids, attributes. */
#include "listing.h"
#include "reply.h"

#include <errno.h>

int ninep_check_name(struct ninep_text text, char name[NS_NAME_MAX + 1], struct fail *f)
{
    if (text.len > NS_NAME_MAX)
        return -ENAMETOOLONG;
    if (!ninep_is_name(text))
        return fail_set(f, 0, "bad character in file name");
    memcpy(name, text.at, text.len);
    name[text.len] = '\0';
    return 0;
}

int ninep_copy_target(struct ninep_text text, char target[NS_PATH_MAX + 1])
{
    if (text.len > NS_PATH_MAX)
        return -ENAMETOOLONG;
    memcpy(target, text.at ? text.at : "", text.len);
    target[text.len] = '\0';
    return 0;
}

uint8_t ninep_kind_of_mode(uint32_t mode)
{
    switch (mode & NS_S_KIND) {
    case NS_S_DIR:
        return NINEP_DIR;
    case NS_S_LINK:
        return NINEP_LINK;
    default:
        return NINEP_FILE;
    }
}

struct ninep_qid ninep_qid_attr(const struct ns_attr *a)
{
    return (struct ninep_qid){ninep_kind_of_mode(a->mode), (uint32_t)a->version, a->ino};
}

int ninep_attr_of(struct ninep_server *s, void *file, uint64_t path, struct ns_attr *out,
                  struct fail *f)
{
    const struct ns_server *t = &s->tree.files;
    if (s->host)
        return s->host->getattr(t->state, file, path, out);
    struct ns_stat st = {.path = path};
    int r = t->calls->stat(t->state, path, &st, f);
    if (r == 0)
        ninep_device_attr(s, &st, out);
    return r;
}

int ninep_qid_of(struct ninep_server *s, uint64_t path, struct ninep_qid *qid, struct fail *f)
{
    struct ns_attr attr;
    int r = ninep_attr_of(s, NULL, path, &attr, f);
    if (r == 0)
        *qid = ninep_qid_attr(&attr);
    return r;
}

/* --- modes of .u: high bits for what 9P2000 has no bit for --- */

static const struct {
    uint32_t here, kind;
} kinds[] = {
    {NINEP_DMLINK, NS_S_LINK},   {NINEP_DMPIPE, NS_S_FIFO},    {NINEP_DMSOCKET, NS_S_SOCKET},
    {NINEP_DMDEVICE, NS_S_CHAR}, {NINEP_DMDEVICE, NS_S_BLOCK},
};

static const struct {
    uint32_t here, bit;
} bits[] = {{0x00080000, 04000}, {0x00040000, 02000}, {0x00010000, 01000}};

uint32_t ninep_mode_of_unix(uint32_t mode, enum ninep_dialect dialect)
{
    uint32_t m = mode & 0777;
    for (size_t i = 0; dialect == NINEP_U && i < sizeof kinds / sizeof kinds[0]; i++)
        m |= (mode & NS_S_KIND) == kinds[i].kind ? kinds[i].here : 0;
    for (size_t i = 0; dialect == NINEP_U && i < sizeof bits / sizeof bits[0]; i++)
        m |= mode & bits[i].bit ? bits[i].here : 0;
    return m;
}

uint32_t ninep_mode_bits(uint32_t mode, enum ninep_dialect dialect)
{
    uint32_t unix_ = mode & 0777;
    for (size_t i = 0; dialect == NINEP_U && i < sizeof bits / sizeof bits[0]; i++)
        unix_ |= mode & bits[i].here ? bits[i].bit : 0;
    return unix_;
}
