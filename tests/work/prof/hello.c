/* The book's hello (chapter 2.6). */
#include <stdio.h>

int main(void)
{
    puts("hello world");
    return 0;
}
