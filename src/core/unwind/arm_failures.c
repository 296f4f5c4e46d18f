#include "arm_memo.h"
#include "cfi_table.h"

/* A place has one slot: another that comes to it begins anew. */
enum { FEW = 4, SEARCH_EVERY = 32 };

static struct arm_failure *slot_of(struct cfi *c, uint32_t key, enum arm_search search)
{
    return &c->arm.failure[(key * UINT32_C(0x9e3779b1) >> 16 ^ search) % ARM_FAILURES];
}

static bool is_of(const struct arm_failure *f, uint32_t key, enum arm_search search)
{
    return f->in_a_row && f->key == key && f->search == search;
}

bool arm_search_is_due(struct cfi *c, uint32_t key, enum arm_search search)
{
    struct arm_failure *f = slot_of(c, key, search);
    if (!is_of(f, key, search) || f->in_a_row < FEW)
        return true;
    f->skipped = (uint8_t)((f->skipped + 1) % SEARCH_EVERY);
    return f->skipped == 0;
}

void arm_search_ended(struct cfi *c, uint32_t key, enum arm_search search, bool found)
{
    struct arm_failure *f = slot_of(c, key, search);
    bool known = is_of(f, key, search);
    if (found && known)
        f->in_a_row = 0;
    if (found)
        return;
    if (!known)
        *f = (struct arm_failure){.key = key, .search = (uint8_t)search};
    if (f->in_a_row < FEW)
        f->in_a_row++;
}
