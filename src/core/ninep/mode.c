/* Modes of 9P2000.u: high bits for what 9P2000 has no bit for. */
#include "reply.h"

static const struct {
    uint32_t here, kind;
} kinds[] = {
    {NINEP_DMLINK, NS_S_LINK},   {NINEP_DMPIPE, NS_S_FIFO},    {NINEP_DMSOCKET, NS_S_SOCKET},
    {NINEP_DMDEVICE, NS_S_CHAR}, {NINEP_DMDEVICE, NS_S_BLOCK},
};

static const struct {
    uint32_t here, bit;
} bits[] = {{0x00080000, 04000}, {0x00040000, 02000}, {0x00010000, 01000}};

uint32_t ninep_mode_of_unix(uint32_t mode, enum ninep_dialect dialect)
{
    uint32_t m = mode & 0777;
    for (size_t i = 0; dialect == NINEP_U && i < sizeof kinds / sizeof kinds[0]; i++)
        m |= (mode & NS_S_KIND) == kinds[i].kind ? kinds[i].here : 0;
    for (size_t i = 0; dialect == NINEP_U && i < sizeof bits / sizeof bits[0]; i++)
        m |= mode & bits[i].bit ? bits[i].here : 0;
    return m;
}

uint32_t ninep_mode_bits(uint32_t mode, enum ninep_dialect dialect)
{
    uint32_t unix_ = mode & 0777;
    for (size_t i = 0; dialect == NINEP_U && i < sizeof bits / sizeof bits[0]; i++)
        unix_ |= mode & bits[i].here ? bits[i].bit : 0;
    return unix_;
}
