#include "core/elf/module.h"

#include <string.h>

static void link_found(struct elf_module *m, const char *name, const GElf_Shdr *s)
{
    const uint8_t *bytes = s->sh_type == SHT_NOBITS ? NULL : elf_bytes(m, s->sh_offset, s->sh_size);
    if (strcmp(name, ".gnu_debugdata") == 0)
        m->packed_symbols = true;
    else if (strcmp(name, ".debug_line") == 0 || strcmp(name, ".zdebug_line") == 0)
        m->lines = bytes && s->sh_size;
    else if (bytes && strcmp(name, ".gnu_debuglink") == 0)
        debuglink_parse(bytes, s->sh_size, elf_big_endian(m), &m->link);
    else if (bytes && strcmp(name, ".gnu_debugaltlink") == 0)
        debugaltlink_parse(bytes, s->sh_size, &m->altlink);
}

void elf_find_links(struct elf_module *m)
{
    struct elf_strings names = elf_section_names(m);
    GElf_Shdr s;
    for (size_t i = 1; names.len && elf_section(m, i, &s); i++) {
        const char *name = elf_string(&names, s.sh_name);
        if (name && name[0] == '.')
            link_found(m, name, &s);
    }
}

const struct debuglink *elf_debuglink(const struct elf_module *m)
{
    return m->link.name ? &m->link : NULL;
}

const struct debugaltlink *elf_debugaltlink(const struct elf_module *m)
{
    return m->altlink.path ? &m->altlink : NULL;
}

bool elf_packed_symbols(const struct elf_module *m)
{
    return m->packed_symbols;
}

bool elf_has_lines(const struct elf_module *m)
{
    return m->lines;
}
