/* What a program is built with to be profiled, for a Makefile. */
#include "prof_request.h"

#include "core/base/buf.h"
#include "engine/base/install_dir.h"
#include "psprof_words.h"

#include <string.h>

/* Built, then installed; the library's name stands first, as what is missed. */
static const char *const libraries[] = {"libpsprof.a", "src/runtime/libpsprof.a",
                                        "../" PSPROF_LIBDIR "/libpsprof.a", "../lib/libpsprof.a",
                                        NULL};

/* Of a build and of what is installed apart; the compiler's own folder needs no word. */
static void add_include(struct buf *out)
{
    static const char header[] = "/psprof.h";
    SCOPED_BUF path = BUF_INIT;
    if (install_dir_find((const char *const[]){"../include/psprof.h", NULL}, &path, NULL) == 0 &&
        strcmp(buf_str(&path), "/usr/include/psprof.h") != 0)
        buf_printf(out, " -I%.*s", (int)(path.len - (sizeof header - 1)), buf_str(&path));
}

int prof_print_cflags(void)
{
    SCOPED_BUF out = BUF_INIT;
    buf_adds(&out, PSPROF_CFLAGS);
    add_include(&out);
    buf_addc(&out, '\n');
    return applet_print(&applet_prof, &out, DONE);
}

int prof_print_libs(void)
{
    struct fail f;
    SCOPED_BUF out = BUF_INIT;
    int status = DONE;
    if (install_dir_find(libraries, &out, &f) < 0) {
        fail_hint(&f, "it is built and installed with psuite: run the installed psuite, or pass "
                      "the library's path to the linker");
        status = applet_fail(&applet_prof, &f);
    } else {
        buf_adds(&out, " " PSPROF_LINK "\n");
        status = applet_print(&applet_prof, &out, DONE);
    }
    return status;
}
