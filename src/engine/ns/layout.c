#include "layout.h"

int ns_bind_layout(struct ns *ns, struct ns_server server, struct fail *f)
{
    static const struct {
        const char *name, *under;
    } binds[] = {{"/", ""},     {"#c", "dev"},  {"#K", "dev"},  {"#T", "dev"},
                 {"#l", "net"}, {"#l0", "net"}, {"#p", "proc"}, {"#P", "prof"}};
    int r = 0;
    for (size_t i = 0; r == 0 && i < sizeof binds / sizeof *binds; i++)
        r = ns_bind(ns, binds[i].name, binds[i].under, server, f);
    return r;
}
