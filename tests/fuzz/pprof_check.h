/*
 * pprof_check: whether bytes are a profile.proto whose fields have the types they should and whose
 * references lead to what is there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pprof_field {
    unsigned number, type;
    uint64_t value; /* of a varint; the length of counted bytes */
    const uint8_t *bytes;
};

struct pprof_text {
    const uint8_t *at, *end;
};

/* Of a profile: how many strings, the highest identifiers, the numbers of values. */
struct pprof_facts {
    uint64_t strings, function, location, mapping, values;
};

static bool pprof_varint(struct pprof_text *t, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; shift < 70 && t->at < t->end; shift += 7) {
        uint8_t byte = *t->at++;
        if (shift == 63 && byte > 1)
            return false;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

/* The next field; false at the end, or with t->at NULL where it is broken. */
static bool pprof_next(struct pprof_text *t, struct pprof_field *f)
{
    uint64_t key;
    if (t->at == t->end)
        return false;
    bool whole = pprof_varint(t, &key) && pprof_varint(t, &f->value);
    f->number = (unsigned)(key >> 3);
    f->type = key & 7;
    f->bytes = t->at;
    if (whole && f->type == 2 && f->value <= (uint64_t)(t->end - t->at))
        t->at += f->value;
    else if (!whole || f->type != 0)
        t->at = NULL;
    return t->at != NULL;
}

static struct pprof_text pprof_inside(const struct pprof_field *f)
{
    return (struct pprof_text){f->bytes, f->bytes + f->value};
}

static bool pprof_line(const struct pprof_field *line, const struct pprof_facts *k)
{
    struct pprof_text t = pprof_inside(line);
    struct pprof_field f;
    uint64_t function = 0;
    while (pprof_next(&t, &f))
        if (f.number == 1)
            function = f.value;
    return t.at && function > 0 && function <= k->function;
}

static bool pprof_location(const struct pprof_field *location, const struct pprof_facts *k)
{
    struct pprof_text t = pprof_inside(location);
    struct pprof_field f;
    bool lines = false;
    while (pprof_next(&t, &f)) {
        if (f.number == 2 && f.value > k->mapping)
            return false;
        if (f.number == 4 && !pprof_line(&f, k))
            return false;
        lines |= f.number == 4;
    }
    return t.at && lines;
}

static bool pprof_texts(const struct pprof_field *message, const struct pprof_facts *k,
                        unsigned first, unsigned last)
{
    struct pprof_text t = pprof_inside(message);
    struct pprof_field f;
    while (pprof_next(&t, &f))
        if (f.number >= first && f.number <= last && (f.type != 0 || f.value >= k->strings))
            return false;
    return t.at != NULL;
}

static bool pprof_sample(const struct pprof_field *sample, const struct pprof_facts *k)
{
    struct pprof_text t = pprof_inside(sample), packed;
    struct pprof_field f;
    uint64_t v, values = 0, locations = 0;
    while (pprof_next(&t, &f)) {
        packed = pprof_inside(&f);
        for (; f.number <= 2 && packed.at < packed.end; f.number == 1 ? locations++ : values++)
            if (!pprof_varint(&packed, &v) || (f.number == 1 && (!v || v > k->location)))
                return false;
        if (f.number == 3 && !pprof_texts(&f, k, 1, 2))
            return false;
    }
    return t.at && values == k->values && locations > 0;
}

static uint64_t pprof_id(const struct pprof_field *message)
{
    struct pprof_text t = pprof_inside(message);
    struct pprof_field f;
    return pprof_next(&t, &f) && f.number == 1 ? f.value : 0;
}

static void pprof_most(uint64_t *most, uint64_t id)
{
    *most = id > *most ? id : *most;
}

static bool pprof_count(struct pprof_text t, struct pprof_facts *k)
{
    struct pprof_field f;
    while (pprof_next(&t, &f)) {
        k->values += f.number == 1;
        k->strings += f.number == 6;
        if (f.number == 3)
            pprof_most(&k->mapping, pprof_id(&f));
        if (f.number == 4)
            pprof_most(&k->location, pprof_id(&f));
        if (f.number == 5)
            pprof_most(&k->function, pprof_id(&f));
    }
    return t.at != NULL;
}

static bool pprof_part(const struct pprof_field *f, const struct pprof_facts *k)
{
    switch (f->number) {
    case 1:
    case 11:
        return pprof_texts(f, k, 1, 2);
    case 2:
        return pprof_sample(f, k);
    case 3:
        return pprof_texts(f, k, 5, 6);
    case 4:
        return pprof_location(f, k);
    case 5:
        return pprof_texts(f, k, 2, 4);
    case 14:
        return f->value < k->strings;
    default:
        return true;
    }
}

static bool pprof_check(const void *bytes, size_t len)
{
    struct pprof_text t = {bytes, (const uint8_t *)bytes + len};
    struct pprof_facts k = {0};
    struct pprof_field f;
    if (!pprof_count(t, &k))
        return false;
    while (pprof_next(&t, &f))
        if (!pprof_part(&f, &k))
            return false;
    return t.at != NULL;
}
