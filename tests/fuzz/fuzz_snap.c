/* Files of snap: read as snap reads them, with the recordings in them, on a platform that has no
 * files of the modules; and made into the report and the page, in which no byte of the file ends an
 * element. */
#include "fuzz.h"

#include "core/snap/page.h"
#include "core/snap/report.h"
#include "engine/snap/read.h"
#include "json_check.h"

static void check_page(const struct snap_contents *c)
{
    enum { SCRIPTS = 4 + 8 }; /* the data, and the scripts */
    struct buf page = BUF_INIT;
    size_t ends = 0;
    if (snap_page(c, &page) == 0) {
        for (const char *at = buf_str(&page); (at = strstr(at, "</script")); at++)
            ends++;
        if (ends != SCRIPTS || strlen(page.data) != page.len)
            abort();
    }
    buf_release(&page);
}

static void check_report(const struct snap_contents *c)
{
    struct buf text = BUF_INIT, object = BUF_INIT;
    struct json j;
    snap_report_text(c, &text);
    json_start(&j, &object, "snap");
    snap_report_json(c, &j);
    json_end(&j);
    if (!buf_error(&object) && !json_check(object.data, object.len))
        abort();
    buf_release(&text);
    buf_release(&object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const struct snap_naming naming = {.no_demangle = true};
    struct snap_reading reading;
    if (snap_read(data, len, &naming, &reading, NULL) == 0) {
        if (reading.contents.end_ns <= reading.contents.begin_ns)
            abort();
        check_report(&reading.contents);
        check_page(&reading.contents);
    }
    snap_read_release(&reading);
    return 0;
}
