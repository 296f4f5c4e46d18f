/* Where memory was allocated, through a recording and back. */
#include "recorded.h"
#include "unit.h"

static void record_heap(struct buf *out)
{
    struct sampled s;
    bool shortened = false;
    sampled_init(&s, &(struct sampled_want){.pid = 7});
    s.hooks.counted = counted;
    recording_start(&writer, 1);
    sampled_add_record(&s, &(struct perfrec){.type = PERFREC_MMAP,
                                             .pid = 7,
                                             .tid = 7,
                                             .map.len = 0x1000,
                                             .map.executable = true,
                                             .name = "/bin/prog"});
    sampled_name(&s, 7, 7, "prog");
    uint32_t outer = sampled_node(&s, &(struct sampled_node){0x10, 0, INTERN_NONE}, &shortened);
    uint32_t node = sampled_node(&s, &(struct sampled_node){0x20, 0, outer}, &shortened);
    struct heap_sums *site = heap_totals_site(&s.heap, node);
    *site = (struct heap_sums){{3, 300}, {1, 100}, {2, 200}};
    s.heap.sums = *site;
    s.heap.processes = 1;
    s.heap.frees = 2;
    s.heap.unknown = 4;
    s.heap.missed = 5;
    s.heap.lost = 6;
    sampled_count(&s, &(struct sampled_one){.node = node, .weight = 300});
    recording_end(&writer, &s);
    buf_add(out, writer.out.data, writer.out.len);
    recording_release(&writer);
    sampled_release(&s);
}

TEST(recording_keeps_a_heap)
{
    struct buf bytes = BUF_INIT;
    struct sampled s;
    struct recording r = {.truncated = false};
    record_heap(&bytes);
    sampled_init(&s, &(struct sampled_want){.pid = 0});
    CHECK_INT(recording_read((const uint8_t *)bytes.data, bytes.len, &s, &r, NULL), 0);
    CHECK_INT(s.heap.processes, 1);
    CHECK_INT(s.heap.frees, 2);
    CHECK_INT(s.heap.unknown, 4);
    CHECK_INT(s.heap.missed, 5);
    CHECK_INT(s.heap.lost, 6);
    CHECK_INT(s.heap.sums.peak.bytes, 200);
    CHECK_INT(s.count.weight, 300);
    bool found = false;
    for (size_t i = 0; i < s.heap.sites && i < s.nodes.count; i++) {
        const struct heap_sums *of = &s.heap.site[i];
        if (!of->allocated.blocks)
            continue;
        found = true;
        CHECK_INT(sampled_node_at(&s, (uint32_t)i)->offset, 0x20);
        CHECK_INT(of->allocated.blocks, 3);
        CHECK_INT(of->now.bytes, 100);
        CHECK_INT(of->peak.blocks, 2);
    }
    CHECK(found);
    recording_close(&r);
    sampled_release(&s);
    buf_release(&bytes);
}
