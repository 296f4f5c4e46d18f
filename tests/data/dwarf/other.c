/* The second unit. */
#include "prog.h"

int first(int);
int second(int);

__attribute__((noinline)) int sink(int x)
{
    return thrice(x) ^ 5;
}

int main(int argc, char **argv)
{
    return first(argc) + second(twice(argc)) + (argv == 0);
}
