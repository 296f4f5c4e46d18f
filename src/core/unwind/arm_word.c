#include "arm_path.h"

struct arm_word arm_word_of(const struct arm_path *p, unsigned reg)
{
    return (struct arm_word){p->r[reg], arm_is_known(p, reg), p->from[reg]};
}

void arm_set_register(struct arm_path *p, unsigned reg, struct arm_word w)
{
    p->r[reg] = w.value;
    p->known = (p->known & ~(1u << reg)) | (uint32_t)w.known << reg;
    p->from[reg] = w.from;
}

void arm_forget_register(struct arm_path *p, unsigned reg)
{
    arm_set_register(p, reg, (struct arm_word){0});
}

static int32_t add_distance(int32_t by, int32_t more)
{
    return (int32_t)((uint32_t)by + (uint32_t)more);
}

struct arm_word arm_word_add(struct arm_word w, int32_t by)
{
    w.value += (uint32_t)by;
    w.from.by = add_distance(w.from.by, by);
    if (by && w.from.kind == ARM_FROM_STACK)
        w.from.kind = ARM_FROM_ELSEWHERE;
    return w;
}

static struct arm_slot *find_slot(struct arm_path *p, uint32_t at)
{
    for (unsigned i = 0; i < p->slots; i++)
        if (p->slot[i].at == at)
            return &p->slot[i];
    return NULL;
}

void arm_write_word(struct arm_path *p, uint32_t at, struct arm_word w)
{
    struct arm_slot *s = find_slot(p, at);
    if (!s && p->slots < ARM_MAX_SLOTS)
        s = &p->slot[p->slots++];
    if (s)
        *s = (struct arm_slot){at, w.value, w.known, w.from};
}

struct arm_word arm_read_word(struct arm_run *r, struct arm_word address)
{
    const struct arm_slot *s = find_slot(&r->now, address.value);
    uint64_t value;
    if (s)
        return (struct arm_word){s->value, s->known, s->from};
    if (address.value < r->bottom || address.value % 4)
        return (struct arm_word){0};
    if (!unwind_number(r->u->space, address.value, 4, &value)) {
        r->unread = address.value;
        return (struct arm_word){0};
    }
    if (address.from.kind == ARM_FROM_REGISTER)
        address.from.kind = ARM_FROM_STACK;
    else
        address.from.kind = ARM_FROM_ELSEWHERE;
    return (struct arm_word){(uint32_t)value, true, address.from};
}
