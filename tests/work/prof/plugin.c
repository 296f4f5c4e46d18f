/* A plugin, loaded and unloaded by loads.c. */
volatile int plugin_sink;

__attribute__((noinline)) void plugin_leaf(void)
{
    plugin_sink++;
}

void plugin_work(int n);
void plugin_work(int n)
{
    while (n-- > 0)
        plugin_leaf();
}
