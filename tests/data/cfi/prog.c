/* Functions whose call frame information differs: leaf, frames, large and moving stacks, aligned stacks, a call that does not
 * return. */
volatile int sink;
void take(volatile char *p);
int leaf(int a) { return a * 3; }
void take(volatile char *p) { sink += p[0]; }
int frame(int a, int b) { volatile char x[40]; take(x); return leaf(a) + b + x[3]; }
int large(int a) { volatile char x[100000]; x[a] = 1; take(x); return x[a + 1]; }
int moving(int a) { volatile char *x = __builtin_alloca((unsigned)a); take(x); return frame(a, 2) + x[1]; }
int aligned(int a) { volatile _Alignas(64) char x[64]; volatile char *y = __builtin_alloca((unsigned)a); take(x); take(y); return x[a]; }
int many(int a, int b, int c, int d) { int s = 0; for (int i = a; i < b; i++) s += frame(i, c) * frame(d, i) + frame(b, s); return s; }
__attribute__((noreturn)) void stop(int a) { for (;;) sink += frame(a, sink); }
int early(int a) { if (a < 3) return 1; int x = many(a, 2, 3, 4); if (x < 7) return frame(x, a); if (x == 9) stop(a); return large(x) + moving(a); }
int main(void) { return early(4) + aligned(3); }
