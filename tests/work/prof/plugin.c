/* A plugin, loaded and unloaded by loads.c; its functions are named by PLUGIN, which is three
 * letters. */
#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define NAME(what)  JOIN(PLUGIN, what)

volatile int plugin_sink;

__attribute__((noinline)) void NAME(leaf)(void)
{
    plugin_sink++;
}

void NAME(work)(int n);
void NAME(work)(int n)
{
    while (n-- > 0)
        NAME(leaf)();
}
