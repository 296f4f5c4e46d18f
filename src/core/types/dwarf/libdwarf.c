#include "core/types/dwarf.h"

#include "core/types/pack.h"
#include "reader.h"

#include <errno.h>
#include <stdlib.h>

bool types_dwarf_able(void)
{
    return true;
}

static int start_types(struct reader *r)
{
    struct types *t = &r->answer.types;
    t->pointer_bytes = r->image.addr_size;
    bool fine = types_add(t, &(struct type){.kind = TYPE_VOID}) &&
                types_add(t, &(struct type){.kind = TYPE_UNKNOWN});
    return fine ? 0 : -ENOMEM;
}

static int answer(struct reader *r, struct buf *packed, struct fail *f)
{
    if (start_types(r) < 0)
        return fail_set(f, ENOMEM, "types");
    if (!reader_open(r))
        return fail_set(f, ENOEXEC, "damaged debug information");
    reader_find(r);
    reader_finish(r);
    if (r->failed)
        return fail_set(f, ENOMEM, "types");
    types_pack(&r->answer, packed);
    return buf_error(packed) ? fail_set(f, ENOMEM, "types") : 0;
}

static void release(struct reader *r)
{
    reader_close(r);
    dwarf_image_release(&r->image);
    types_answer_release(&r->answer);
    imap_release(&r->number_of);
    intern_release(&r->names);
    free(r->work);
    free(r->scope);
}

int types_dwarf(const uint8_t *image, size_t len, const struct types_query *query, size_t queries,
                struct buf *packed, struct fail *f)
{
    struct reader r = {.query = query, .queries = queries};
    int status = dwarf_image_read(&r.image, image, len, false, NULL, f);
    if (status == 0 && reader_lacks_section(&r.image))
        status = dwarf_left_out_text(&r.image.left_out, f);
    else if (status == 0)
        status = answer(&r, packed, f);
    release(&r);
    return status;
}
