/* Functions of known names and sizes; mangled ones by asm labels, so that no C++ or Rust is needed. */
#define FN __attribute__((noinline, used))
FN static int plain(int x) { return x * 3 + 1; }
FN int exported(int x) { return plain(x) - 2; }
FN int cpp(int x) __asm__("_ZN5shape6Circle4areaERKSt6vectorIiSaIiEE");
FN int cpp(int x) { return x * 5; }
FN int clone(int x) __asm__("_ZN5shape6Circle4moveEii.constprop.0");
FN int clone(int x) { return x * 7; }
FN int rust_legacy(int x) __asm__("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE");
FN int rust_legacy(int x) { return x * 11; }
FN int rust_v0(int x) __asm__("_RNvNtCs1234_7mycrate3foo3bar");
FN int rust_v0(int x) { return x * 13; }
FN int broken(int x) __asm__("_ZN5shape");
FN int broken(int x) { return x * 17; }
static inline __attribute__((always_inline)) int inlined(int x)
{
    return x % 10 + exported(x);
}
FN int outer(int x)
{
    return inlined(x) + cpp(x);
}
void _start(void);
void _start(void)
{
    outer(1);
    for (;;)
        ;
}
