#include "oracle.h"

#include <fcntl.h>
#include <stdio.h>

#ifdef DW_LIBDWARF_VERSION_MAJOR /* since 0.1.0 */

Dwarf_Debug oracle_open(const char *path, Dwarf_Debug split_from)
{
    Dwarf_Debug dbg = NULL;
    Dwarf_Error e = NULL;
    unsigned group = split_from ? DW_GROUPNUMBER_DWO : DW_GROUPNUMBER_BASE;
    if (dwarf_init_path(path, NULL, 0, group, NULL, NULL, &dbg, &e) != DW_DLV_OK)
        return NULL;
    if (split_from)
        dwarf_set_tied_dbg(dbg, split_from, &e);
    return dbg;
}

void oracle_close(Dwarf_Debug dbg)
{
    dwarf_finish(dbg);
}

#else

Dwarf_Debug oracle_open(const char *path, Dwarf_Debug split_from)
{
    Dwarf_Debug dbg = NULL;
    Dwarf_Error e = NULL;
    unsigned group = split_from ? DW_GROUPNUMBER_DWO : DW_GROUPNUMBER_BASE;
    int fd = open(path, O_RDONLY); /* stays open: libdwarf reads it when it is asked */
    if (fd < 0 || dwarf_init_b(fd, DW_DLC_READ, group, NULL, NULL, &dbg, &e) != DW_DLV_OK)
        return NULL;
    if (split_from)
        dwarf_set_tied_dbg(dbg, split_from, &e);
    return dbg;
}

void oracle_close(Dwarf_Debug dbg)
{
    Dwarf_Error e = NULL;
    dwarf_finish(dbg, &e);
}

#endif
