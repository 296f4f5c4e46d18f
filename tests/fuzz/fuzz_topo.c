/* Topo's files: whatever a reader takes, the machine form of it reads back as the same. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/topo/draw.h"
#include "core/topo/read.h"
#include "core/topo/view.h"
#include "core/topo/write.h"
#include "json_check.h"

static void check_relations(const struct topo *t)
{
    for (size_t i = 0; i < t->functions; i++) {
        const struct topo_function *f = &t->function[i];
        uint32_t parent = topo_parent(t, (uint32_t)i);
        if (f->local > f->total || !f->calls || !f->ats)
            abort();
        if (parent != TOPO_NONE && t->function[parent].depth >= f->depth)
            abort();
        for (size_t k = 0; k < f->callees; k++)
            if (t->relation[f->first_callee + k].caller != i)
                abort();
        for (size_t k = 0; k < f->callers; k++)
            if (t->relation[t->by_callee[f->first_caller + k]].callee != i)
                abort();
    }
}

static void check_again(const struct buf *machine)
{
    struct topo t;
    struct buf again = BUF_INIT;
    if (topo_read("again", machine->data, machine->len, &t, NULL) < 0 ||
        topo_write_machine(&t, &again) < 0 || again.len != machine->len ||
        memcmp(again.data, machine->data, again.len) != 0)
        abort();
    buf_release(&again);
    topo_release(&t);
}

static void draw_all(const struct topo *t, uint8_t limit)
{
    struct topo_options o = {.title = "t", .before = t, .limit = limit, .all = limit & 1};
    struct buf out = BUF_INIT;
    if (topo_write_json(t, &o, &out) == 0 && !json_check(out.data, out.len))
        abort();
    buf_clear(&out);
    topo_write_svg(t, &o, &out);
    topo_write_dot(t, &o, &out);
    topo_write_page(t, &o, &out);
    buf_release(&out);
}

/* The input's bytes as keys. */
static void view_all(const struct topo *t, const uint8_t *bytes, size_t len)
{
    struct topo_view v;
    struct canvas c = {.width = 0};
    if (canvas_resize(&c, 1 + bytes[0] % 100, 1 + bytes[len - 1] % 40) == 0 &&
        topo_view_init(&v, t) == 0) {
        for (size_t i = 0; i < len && i < 200; i++) {
            struct key key = {.code = (enum key_code)(bytes[i] % (KEY_PAGE_DOWN + 1)),
                              .rune = bytes[i]};
            topo_view_key(&v, &key);
            topo_view_draw(&v, &c);
        }
        topo_view_release(&v);
    }
    canvas_release(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct topo t;
    struct buf out = BUF_INIT;
    char *text = fuzz_text(bytes, len);
    if (topo_read("input", text, len, &t, NULL) == 0) {
        check_relations(&t);
        draw_all(&t, bytes[0]);
        view_all(&t, bytes, len);
        if (topo_write_machine(&t, &out) == 0)
            check_again(&out);
        topo_write_human(&t, &out);
        topo_write_draw(&t, &out);
        topo_dropped_text(&t, "", "\n", &out);
    }
    buf_release(&out);
    topo_release(&t);
    free(text);
    return 0;
}
