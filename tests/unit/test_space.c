#include "unit.h"

#include "core/containers/imap.h"
#include "core/procfs/proc_stat.h"
#include "core/sample/maps.h"
#include "core/sample/space.h"

static void map(struct spaces *s, uint32_t pid, uint64_t start, uint64_t end, uint64_t offset,
                size_t module)
{
    struct space_map m = {start, end, offset, module};
    CHECK_INT(spaces_map(s, pid, &m), 0);
}

/* "module+offset" at pc, or "-". */
static const char *at(struct spaces *s, uint32_t pid, uint64_t pc)
{
    static char text[64];
    const struct space_map *m = spaces_find(s, pid, pc);
    CHECK(spaces_find_again(s, pid, pc) == m);
    if (!m)
        return "-";
    snprintf(text, sizeof text, "%zu+%" PRIx64, m->module, pc - m->start + m->file_offset);
    return text;
}

TEST(a_mapping_covers_its_range)
{
    struct spaces s = {0};
    map(&s, 1, 0x1000, 0x2000, 0x500, 3);
    CHECK_STR(at(&s, 1, 0xfff), "-");
    CHECK_STR(at(&s, 1, 0x1000), "3+500");
    CHECK_STR(at(&s, 1, 0x1fff), "3+14ff");
    CHECK_STR(at(&s, 1, 0x2000), "-");
    CHECK_STR(at(&s, 2, 0x1000), "-");
    spaces_release(&s);
}

TEST(a_new_mapping_replaces_what_it_overlaps)
{
    struct spaces s = {0};
    map(&s, 1, 0x1000, 0x9000, 0, 1);
    map(&s, 1, 0x3000, 0x4000, 0, 2); /* in the middle: both ends stay */
    CHECK_STR(at(&s, 1, 0x2fff), "1+1fff");
    CHECK_STR(at(&s, 1, 0x3010), "2+10");
    CHECK_STR(at(&s, 1, 0x4000), "1+3000");
    map(&s, 1, 0x0000, 0x3800, 0, 3); /* over a front */
    CHECK_STR(at(&s, 1, 0x1000), "3+1000");
    CHECK_STR(at(&s, 1, 0x3800), "2+800");
    map(&s, 1, 0x3900, 0xa000, 0, 4); /* over a back and beyond */
    CHECK_STR(at(&s, 1, 0x38ff), "2+8ff");
    CHECK_STR(at(&s, 1, 0x8fff), "4+56ff");
    map(&s, 1, 0x0, 0x10000, 0, 5); /* over all */
    CHECK_STR(at(&s, 1, 0x3900), "5+3900");
    spaces_release(&s);
}

TEST(fork_copies_and_exec_empties)
{
    struct spaces s = {0};
    map(&s, 1, 0x1000, 0x2000, 0, 1);
    CHECK_INT(spaces_fork(&s, 2, 1), 0);
    map(&s, 2, 0x1000, 0x2000, 0, 7);
    CHECK_STR(at(&s, 1, 0x1000), "1+0");
    CHECK_STR(at(&s, 2, 0x1000), "7+0");
    CHECK_INT(spaces_exec(&s, 2), 0);
    CHECK_STR(at(&s, 2, 0x1000), "-");
    CHECK_INT(spaces_fork(&s, 9, 12345), 0); /* of a parent never seen */
    CHECK_STR(at(&s, 9, 0x1000), "-");
    spaces_release(&s);
}

TEST(random_mappings_agree_with_a_plain_array)
{
    enum { PAGES = 64 };
    struct spaces s = {0};
    size_t want[PAGES] = {0};
    unsigned seed = 1;
    for (size_t round = 1; round < 2000; round++) {
        seed = seed * 1103515245 + 12345;
        unsigned from = seed >> 8 & 63, len = 1 + (seed >> 16 & 15);
        unsigned to = from + len > PAGES ? PAGES : from + len;
        map(&s, 1, from * 0x1000, to * 0x1000, 0, round);
        for (unsigned p = from; p < to; p++)
            want[p] = round;
        for (unsigned p = 0; p < PAGES; p++) {
            const struct space_map *m = spaces_find(&s, 1, p * 0x1000 + 5);
            if ((m ? m->module : 0) != want[p])
                CHECK_INT(m ? m->module : 0, want[p]);
        }
    }
    spaces_release(&s);
}

TEST(imap_counts_many_keys)
{
    struct imap m = {0};
    struct imap_slot slot;
    for (uint64_t k = 0; k < 5000; k++)
        *imap_at(&m, k * 0x100000001u) += k;
    CHECK_INT(imap_get(&m, 77 * 0x100000001u), 77);
    CHECK_INT(imap_get(&m, 5), 0);
    uint64_t sum = 0, n = 0;
    for (size_t i = 0; imap_next(&m, &i, &slot);) {
        sum += slot.value;
        n++;
    }
    CHECK_INT(n, 4999); /* the one whose value is 0 is none */
    CHECK_INT(sum, 4999 * 5000 / 2);
    imap_release(&m);
}

TEST(maps_lines_are_parsed_and_nonsense_is_skipped)
{
    const char *text = "00400000-0040b000 r-xp 00001000 fd:01 42   /bin/with space (deleted)\n"
                       "nonsense\n"
                       "ffff0000-ffff1000 r--p 00000000 00:00 0 [vectors]\n"
                       "7f00-7f01 rw-p 0 00:00 0 \n";
    struct maps_line m;
    CHECK(maps_next(&text, &m));
    CHECK_INT(m.start, 0x400000);
    CHECK_INT(m.end, 0x40b000);
    CHECK_INT(m.file_offset, 0x1000);
    CHECK_INT(m.major, 0xfd);
    CHECK_INT(m.inode, 42);
    CHECK(m.executable);
    CHECK_STR(m.path, "/bin/with space (deleted)");
    CHECK(maps_next(&text, &m) && !m.executable);
    CHECK_STR(m.path, "[vectors]");
    CHECK(maps_next(&text, &m));
    CHECK_STR(m.path, "");
    CHECK(!maps_next(&text, &m));
}

TEST(proc_stat_is_parsed_behind_parentheses_in_the_name)
{
    struct proc_stat s = {0};
    CHECK(
        proc_stat_parse("7 (a) b (c)) S 1 7 7 0 -1 4194560 77 88 0 0 1234 567 0 0 20 0 1 0\n", &s));
    CHECK_INT(s.user_ticks, 1234);
    CHECK_INT(s.sys_ticks, 567);
    CHECK(!proc_stat_parse("7 (cut) S 1 7 7", &s));
    CHECK(!proc_stat_parse("", &s));
}

TEST(mappings_of_all_processes_have_one_limit)
{
    struct spaces s = {0};
    enum { EACH = 60000, PROCESSES = 100 };
    for (uint64_t i = 0; i < EACH; i++)
        CHECK_INT(spaces_map(&s, 1, &(struct space_map){16 * i, 16 * i + 8, 0, 1}), 0);
    CHECK_INT(s.left_out, 0);
    for (uint32_t pid = 2; pid < PROCESSES; pid++)
        CHECK_INT(spaces_fork(&s, pid, 1), 0);
    CHECK(s.maps <= SPACES_MAPS_MOST);
    CHECK(s.left_out > 0 && s.left_out % EACH == 0);
    CHECK(spaces_find(&s, 2, 16 * (EACH - 1)));
    CHECK(!spaces_find(&s, PROCESSES - 1, 16));
    spaces_end(&s, 3);
    CHECK(spaces_find(&s, 3, 16)); /* until others end */
    spaces_end(&s, 4);
    CHECK_INT(spaces_fork(&s, PROCESSES, 1), 0);
    CHECK(spaces_find(&s, PROCESSES, 16));
    CHECK(!spaces_find(&s, 3, 16));
    CHECK_INT(spaces_fork(&s, 3, 1), 0); /* the number again */
    CHECK(spaces_find(&s, 3, 16));
    spaces_exec(&s, 2);
    CHECK_INT(spaces_map(&s, 2, &(struct space_map){16, 24, 0, 2}), 0); /* what it had is its own */
    CHECK(spaces_find(&s, 2, 16));
    spaces_release(&s);
}

/* Ten maps each: as many processes as run in hours leave no more than a few seconds of them do. */
TEST(processes_that_ended_leave)
{
    struct spaces s = {0};
    enum { PROCESSES = 100000, MAPS = 10, PIDS = 30000 };
    for (uint64_t i = 0; i < MAPS; i++)
        map(&s, 1, 16 * i, 16 * i + 8, 0, 1);
    for (uint32_t i = 0; i < PROCESSES; i++) {
        uint32_t pid = 2 + i % PIDS;
        CHECK_INT(spaces_fork(&s, pid, 1), 0);
        spaces_end(&s, pid);
        CHECK(spaces_find(&s, pid, 16)); /* its last samples */
    }
    CHECK(s.maps <= 2 * SPACES_ENDED_MOST);
    CHECK(s.count <= SPACES_ENDED_MOST / MAPS);
    CHECK(s.of_pid.slots <= SPACES_ENDED_MOST / MAPS * 4);
    spaces_release(&s);
}

TEST(a_process_whose_first_thread_ended_stays_while_it_runs)
{
    struct spaces s = {0};
    map(&s, 1, 0x1000, 0x2000, 0, 1);
    map(&s, 2, 0x1000, 0x2000, 0, 2);
    spaces_end(&s, 2);
    for (uint32_t pid = 3; pid < 20000; pid++) {
        spaces_fork(&s, pid, 1);
        spaces_end(&s, pid);
        spaces_runs(&s, 2);
    }
    CHECK_STR(at(&s, 2, 0x1000), "2+0");
    spaces_release(&s);
}

TEST(a_map_has_memory_for_the_keys_that_are_set)
{
    struct imap m = {0};
    for (uint64_t key = 0; key < 100000; key++) {
        *imap_at(&m, key) = key + 1;
        if (key >= 10)
            *imap_at(&m, key - 10) = 0;
    }
    CHECK(m.slots <= 64);
    CHECK_INT(imap_get(&m, 99999), 100000);
    CHECK_INT(imap_get(&m, 99990), 99991);
    CHECK_INT(imap_get(&m, 99989), 0);
    imap_release(&m);
}
