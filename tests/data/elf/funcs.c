/* The functions of the test files: every binding, aliases, calls to another module. */
int puts(const char *);
int abs(int);

__attribute__((noinline)) static int local_function(int x)
{
    return x * 3 + 1;
}

__attribute__((noinline)) int global_function(int x)
{
    return puts("x") + local_function(x);
}

__attribute__((noinline, weak)) int weak_function(int x)
{
    return local_function(x) - abs(x);
}

/* Three names at one address: the global one without underscores is kept. */
__attribute__((noinline)) int plain_name(int x)
{
    return x ^ 0x55;
}
__attribute__((alias("plain_name"))) int __underscored_name(int);
__attribute__((alias("plain_name"), weak)) int weak_name(int);

#ifdef IFUNC
static int chosen(int x)
{
    return x + 7;
}
static int (*resolve(void))(int)
{
    return chosen;
}
__attribute__((ifunc("resolve"))) int indirect_function(int);
#endif

int _start(int x)
{
#ifdef IFUNC
    x = indirect_function(x);
#endif
    int (*volatile taken)(int) = abs; /* a GOT slot of its own, and on x86-64 a stub in .plt.got */
    return global_function(x) + weak_function(x) + plain_name(x) + taken(x);
}
