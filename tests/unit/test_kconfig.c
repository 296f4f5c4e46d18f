#include "unit.h"

#include "core/procfs/kconfig.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

static const char text[] =
    "# CONFIG_A is not set\nCONFIG_B=y\nCONFIG_C=m\nCONFIG_AB=m\nCONFIG_HZ=250\n"
    "CONFIG_NAME=\"CONFIG_Q=y\"\nMYCONFIG_D=y\nCONFIG_LAST=y";

/* bytes packed as gzip; the caller frees. */
static unsigned char *packed(const void *bytes, size_t len, size_t *out_len)
{
    z_stream z = {0};
    deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    size_t cap = deflateBound(&z, len);
    unsigned char *out = malloc(cap);
    z.next_in = (z_const Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)len;
    z.next_out = out;
    z.avail_out = (uInt)cap;
    CHECK_INT(deflate(&z, Z_FINISH), Z_STREAM_END);
    *out_len = z.total_out;
    deflateEnd(&z);
    return out;
}

static void check_answers(const struct kconfig *k)
{
    CHECK_INT(kconfig_get(k, "A"), 'n');
    CHECK_INT(kconfig_get(k, "B"), 'y');
    CHECK_INT(kconfig_get(k, "C"), 'm');
    CHECK_INT(kconfig_get(k, "D"), 'n');
    CHECK_INT(kconfig_get(k, "Q"), 'n');
    CHECK_INT(kconfig_get(k, "HZ"), 'y');
    CHECK_INT(kconfig_get(k, "AB"), 'm');
    CHECK_INT(kconfig_get(k, "LAST"), 'y');
    CHECK_INT(kconfig_get(k, "NEVER_HEARD_OF"), 'n');
}

TEST(kconfig_reads_text)
{
    struct kconfig k;
    CHECK_INT(kconfig_init(&k, text, sizeof text - 1), 0);
    check_answers(&k);
    kconfig_release(&k);
}

TEST(kconfig_reads_gzip)
{
    struct kconfig k;
    size_t len;
    unsigned char *gz = packed(text, sizeof text - 1, &len);
    CHECK_INT(kconfig_init(&k, gz, len), 0);
    check_answers(&k);
    kconfig_release(&k);
    free(gz);
}

TEST(kconfig_refuses_every_cut_of_a_gzip)
{
    size_t len;
    unsigned char *gz = packed(text, sizeof text - 1, &len);
    for (size_t cut = 2; cut < len; cut++) {
        struct kconfig k;
        unsigned char *exact = malloc(cut);
        memcpy(exact, gz, cut);
        CHECK_INT(kconfig_init(&k, exact, cut), -EBADMSG);
        CHECK_INT(kconfig_get(&k, "B"), '?');
        kconfig_release(&k);
        free(exact);
    }
    free(gz);
}

TEST(kconfig_survives_every_flipped_byte)
{
    size_t len;
    unsigned char *gz = packed(text, sizeof text - 1, &len);
    for (size_t i = 0; i < len; i++) {
        struct kconfig k;
        gz[i] ^= 0xff;
        kconfig_init(&k, gz, len);
        CHECK(strchr("?nym", kconfig_get(&k, "B")) != NULL);
        kconfig_release(&k);
        gz[i] ^= 0xff;
    }
    free(gz);
}

/* 1 GB of blanks would pack into 1 MB: what is unpacked stops at the limit. */
TEST(kconfig_stops_a_gzip_bomb)
{
    size_t len, big = 64u << 20;
    char *blanks = malloc(big);
    memset(blanks, ' ', big);
    unsigned char *gz = packed(blanks, big, &len);
    free(blanks);
    CHECK(len < KCONFIG_MAX);
    struct kconfig k;
    CHECK_INT(kconfig_init(&k, gz, len), -EFBIG);
    CHECK(!k.text.data);
    kconfig_release(&k);
    free(gz);
}

TEST(kconfig_refuses_what_is_none)
{
    struct kconfig k;
    CHECK_INT(kconfig_init(&k, "", 0), -EBADMSG);
    kconfig_release(&k);
    CHECK_INT(kconfig_init(&k, "hello\n", 6), -EBADMSG);
    CHECK_INT(kconfig_get(&k, "B"), '?');
    kconfig_release(&k);
}
