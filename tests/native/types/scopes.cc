// Functions and structs of C++ whose prototypes gdb knows, too.
#include <string>
#include <vector>

namespace ns {
struct Base {
    int x;
    static int shared;
    virtual ~Base() {}
    int sum(int a, const std::string &b) const;
};
struct Derived : Base {
    unsigned y : 3;
    std::vector<int> v;
};
int Base::sum(int a, const std::string &b) const
{
    return a + (int)b.size() + x;
}
enum class Color : unsigned char { red, green = 200 };
template <class T> T twice(T v)
{
    return v + v;
}
}

struct node {
    node *next;
    ns::Color color;
    double (*weigh)(const node &, int);
};

__attribute__((noinline)) static int helper(ns::Derived &&d, int (*f)(char), ns::Color color)
{
    return d.y + f((char)color);
}

int walk(const node *const first, long (&rows)[3][2], bool deep)
{
    return first->next ? walk(first->next, rows, deep) : (int)rows[2][1];
}

int main(int argc, char **argv)
{
    ns::Derived d;
    node n = {nullptr, ns::Color::green, nullptr};
    long rows[3][2] = {};
    return ns::twice(argc) + d.sum(1, argv[0]) + helper(ns::Derived(), [](char c) { return (int)c; }, n.color) + walk(&n, rows, true);
}
