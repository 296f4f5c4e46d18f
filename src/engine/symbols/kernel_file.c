#include "engine/symbols/kernel_file.h"

#include "core/elf/elf.h"
#include "core/report/kpdata.h"
#include "core/symbol/kallsyms.h"
#include "plat/file.h"

#include <errno.h>
#include <string.h>

enum { MAX_LINES_BYTES = 256 << 20 };

struct kernel_file {
    struct kpdata_text text; /* what it is opened for */
    struct image image;      /* of a vmlinux, whose symbols alone are read */
    struct elf_module *elf;
    struct buf lines;
    struct kallsyms names;
};

static int not_a_kernel(struct fail *f)
{
    return fail_set(f, 0, "text file not an a.out");
}

static int open_elf(struct kernel_file *k, struct fail *f)
{
    if (elf_open(k->image.data, k->image.len, &k->elf, NULL) < 0)
        return not_a_kernel(f);
    k->text = (struct kpdata_text){elf_symbols(k->elf), elf_kernel_text(k->elf)};
    return 0;
}

static int open_lines(struct kernel_file *k, const char *path, struct fail *f)
{
    int r = file_read(path, MAX_LINES_BYTES, &k->lines, f);
    if (r < 0)
        return r;
    r = k->lines.len ? kallsyms_init(k->lines.data, k->lines.len, &k->names) : -ENOEXEC;
    if (r == -ENOEXEC)
        return not_a_kernel(f);
    if (r < 0)
        return fail_set(f, -r, "%s", path);
    k->text = (struct kpdata_text){k->names.symbols, k->names.start};
    return 0;
}

static bool is_elf(const struct image *image)
{
    return image->len > 4 && memcmp(image->data, "\177ELF", 4) == 0;
}

/* close_kernel either way. A file of /proc cannot be mapped, and is no vmlinux. */
static int open_kernel(const char *path, struct kernel_file *k, struct fail *f)
{
    *k = (struct kernel_file){.lines = BUF_INIT};
    int r = file_map(path, SIZE_MAX / 2, &k->image, f);
    if (r < 0)
        return r;
    return is_elf(&k->image) ? open_elf(k, f) : open_lines(k, path, f);
}

static void close_kernel(struct kernel_file *k)
{
    elf_close(k->elf);
    file_unmap(&k->image);
    kallsyms_release(&k->names);
    buf_release(&k->lines);
}

int kernel_file_report(const char *text_path, const char *data_path, struct buf *out,
                       struct fail *f)
{
    struct kernel_file k;
    struct image data = {0};
    int r = open_kernel(text_path, &k, f);
    if (r == 0)
        r = file_map(data_path, SIZE_MAX / 2, &data, f);
    if (r == 0)
        r = kpdata_report(data.data, data.len, &k.text, out, f);
    file_unmap(&data);
    close_kernel(&k);
    return r;
}
