static inline __attribute__((always_inline)) int twice(int x)
{
    return x + x;
}

static inline __attribute__((always_inline)) int thrice(int x)
{
    return x + twice(x);
}
