/* Texts of pages, which the build compressed. */
#include "unit.h"

#include "core/base/buf.h"
#include "core/text/page_shared.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void read_source(struct buf *out)
{
    FILE *f = fopen(PSUITE_TESTS_DIR "/../src/core/text/page/shared.js", "r");
    char part[4096];
    size_t len;
    while (f && (len = fread(part, 1, sizeof part, f)) > 0)
        buf_add(out, part, len);
    if (f)
        fclose(f);
}

TEST(a_page_has_the_text_of_the_source)
{
    struct buf want = BUF_INIT, got = BUF_INIT;
    buf_adds(&want, "<p><script>\n");
    read_source(&want);
    buf_adds(&want, "</script>\n");
    CHECK(want.len > 1000);
    buf_adds(&got, "<p>");
    page_add_script(&got, &page_shared_js);
    CHECK_STR(buf_str(&got), buf_str(&want));
    CHECK_INT(buf_error(&got), 0);
    buf_release(&want);
    buf_release(&got);
}

TEST(what_cannot_be_inflated_is_an_error_of_the_buffer)
{
    struct buf got = BUF_INIT;
    struct page_text cut = page_shared_js;
    cut.len /= 2;
    page_add(&got, &cut);
    CHECK_INT(buf_error(&got), -ENOMEM);
    buf_release(&got);
}
