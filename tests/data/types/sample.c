/* What core/types shall know: sample.btf is of gcc -g -c sample.c; pahole -J sample.o; objcopy -O binary -j .BTF. */
#include <stdarg.h>
#include <stdbool.h>

typedef unsigned long size_type;
enum color { RED = -1, GREEN = 3, BLUE };
enum mask { LOW = 1, HIGH = 0x80000000u };
union number {
    long whole;
    double real;
    char text[16];
};
struct node {
    char tag;
    struct node *next;
    unsigned ready : 1;
    int level : 5;
    bool known;
    union {
        short a;
        struct {
            int x, y;
        } pair;
    };
    int (*compare)(const struct node *, const struct node *);
    const volatile char *const *names[4][2];
    enum color color;
    union number number;
    char tail[];
};
typedef struct {
    size_type count;
    short last;
} counter;
struct hidden;

int compare(const struct node *left, const struct node *right)
{
    return left->level - right->level;
}
void nothing(void)
{
}
int printed(const char *format, ...)
{
    return format[0];
}
void (*chosen(int which, void (*handler)(int)))(int)
{
    return which ? handler : 0;
}
_Bool flags(counter c, float f, double d, long double l, char (*rows)[8], struct hidden *restrict h, enum mask m)
{
    return c.count > 1 && f < d && l > d && rows && h && m == HIGH;
}
struct node *find(struct node *first, union number wanted, enum color color, unsigned char byte)
{
    return first->number.whole == wanted.whole && color == byte ? first : first->next;
}
