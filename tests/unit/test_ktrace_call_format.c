/* System calls by the formats of their tracepoints. */
#include "unit.h"

#include "core/ktrace/call_format.h"

#define COMMON                                                                                     \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                         \
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                         \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"                                   \
    "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"

static const char enter_format[] =
    "name: sys_enter_openat\nID: 782\nformat:\n" COMMON
    "\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"
    "\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n"
    "\tfield:int flags;\toffset:32;\tsize:8;\tsigned:0;\n"
    "\tfield:umode_t mode;\toffset:40;\tsize:8;\tsigned:0;\n\n"
    "print fmt: \"dfd: 0x%08lx\", ((unsigned long)(REC->dfd))\n";
static const char exit_format[] = "name: sys_exit_openat\nID: 781\nformat:\n" COMMON
                                  "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n";

TEST(arguments_by_name_and_type)
{
    struct ktrace_decoder d = {.type = {.size = 0}};
    struct ktrace_signatures s;
    CHECK_INT(ktrace_signatures_init(&s, 2), 0);
    CHECK_INT(ktrace_call_learn(&d, &s, 1, false, enter_format, sizeof enter_format - 1), 0);
    CHECK_INT(ktrace_call_learn(&d, &s, 1, true, exit_format, sizeof exit_format - 1), 0);
    const struct ktrace_signature *one = ktrace_signature(&s, 1);
    CHECK(one->known && one->args == 4 && !one->more);
    CHECK_STR(one->arg[0].name, "dfd");
    CHECK(one->arg[0].kind == KTRACE_SIGNED && one->arg[0].bytes == 4);
    CHECK_STR(one->arg[1].name, "filename");
    CHECK_INT(one->arg[1].kind, KTRACE_TEXT);
    CHECK(one->arg[3].kind == KTRACE_UNSIGNED && one->arg[3].bytes == 4);
    CHECK_INT(d.events, 2);
    CHECK(d.event[0].value[3].offset == 40 && !d.event[0].value[4].bytes);
    CHECK(d.event[1].exit && d.event[1].value[0].offset == 16);
    ktrace_signatures_release(&s);
    ktrace_decoder_release(&d);
}

/* The kinds of the arguments, a letter each: of `TYPE NAME' with `;' between. */
static const char *kinds_of(const char *arguments)
{
    static char kinds[KTRACE_MAX_ARGS + 1];
    static const char letters[] = "rnsucbeptf"; /* as enum ktrace_kind */
    struct ktrace_decoder d = {.type = {.size = 0}};
    struct ktrace_signatures s;
    char format[2048] = "name: sys_enter_x\nID: 5\nformat:\n" COMMON;
    size_t len = strlen(format);
    for (int i = 0; *arguments; i++) {
        int one = (int)strcspn(arguments, ";");
        len += (size_t)snprintf(format + len, sizeof format - len,
                                "\tfield:%.*s;\toffset:%d;\tsize:8;\tsigned:0;\n", one, arguments,
                                16 + 8 * i);
        arguments += one + (arguments[one] == ';');
    }
    CHECK_INT(ktrace_signatures_init(&s, 1), 0);
    CHECK_INT(ktrace_call_learn(&d, &s, 0, false, format, len), 0);
    const struct ktrace_signature *one = ktrace_signature(&s, 0);
    for (int i = 0; i < one->args; i++)
        kinds[i] = letters[one->arg[i].kind];
    kinds[one->args] = '\0';
    ktrace_signatures_release(&s);
    ktrace_decoder_release(&d);
    return kinds;
}

TEST(which_characters_are_texts)
{
    CHECK_STR(kinds_of("unsigned int fd;const char * buf;size_t count"), "upu");
    CHECK_STR(kinds_of("char * buf;unsigned long size"), "pu");
    CHECK_STR(kinds_of("const char * path;char * buf;int bufsiz"), "tps");
    CHECK_STR(kinds_of("const char * path;long length"), "ts");
    CHECK_STR(kinds_of("const char * filename;const char *const * argv"), "tp");
    CHECK_STR(kinds_of("char * dev_name;char * dir_name;char * type;unsigned long flags"), "tttu");
    CHECK_STR(kinds_of("unsigned char * vec"), "p");
}

TEST(what_is_no_call)
{
    struct ktrace_decoder d = {.type = {.size = 0}};
    struct ktrace_signatures s;
    CHECK_INT(ktrace_signatures_init(&s, 1), 0);
    CHECK_INT(ktrace_call_learn(&d, &s, 0, true, enter_format, sizeof enter_format - 1), -22);
    CHECK_INT(ktrace_call_learn(&d, &s, 1, false, enter_format, sizeof enter_format - 1), -22);
    CHECK_INT(ktrace_call_learn(&d, &s, 0, false, "name: x\n", 8), -22);
    CHECK_INT(d.events, 0);
    ktrace_signatures_release(&s);
    ktrace_decoder_release(&d);
}

TEST(names_of_tracepoints)
{
    char name[KTRACE_CALL_NAMES][KTRACE_CALL_BYTES];
    CHECK_INT(ktrace_call_names("fstat", name), 2);
    CHECK_STR(name[0], "fstat");
    CHECK_STR(name[1], "newfstat");
    CHECK_INT(ktrace_call_names("umount2", name), 3);
    CHECK_STR(name[2], "umount");
    CHECK_INT(ktrace_call_names("getuid32", name), 3);
    CHECK_STR(name[2], "getuid");
    CHECK_INT(ktrace_call_names("futex_time64", name), 3);
    CHECK_STR(name[2], "futex");
}
