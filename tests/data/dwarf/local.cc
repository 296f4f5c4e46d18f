// Functions whose only entry in DWARF stands in a class inside a function: methods of local classes,
// lambdas, their functions for calls by pointer; of a class in a class, a union in a block, a body
// that is inlined everywhere, a namespace's lambda.
#define APART __attribute__((noinline))

extern "C" int sink(int);
static inline __attribute__((always_inline)) int step(int x)
{
    return sink(x) * 3 + sink(x + 1);
}

static inline __attribute__((always_inline)) int holder(int n)
{
    struct held {
        static APART int method(int x) { return step(x) - 1; }
    };
    auto lambda = [](int x) APART { return step(x) - 2; };
    return lambda(n) + held::method(n);
}

static APART int by_pointer(int (*f)(int), int n)
{
    return f(n) + f(n + 1);
}

static auto outside = [](int x) APART { return step(x) - 3; };

template <typename T> APART T of_template(T n)
{
    struct inner {
        T value;
        APART T method() const { return step(value) - 4; }
    };
    return inner{n}.method();
}

extern "C" int main(int argc, char **)
{
    struct local {
        static APART int method(int x) { return step(x) + 1; }
        struct deep {
            static APART int method(int x) { return step(x) + 2; }
        };
    };
    auto lambda = [](int x) APART { return step(x) + 3; };
    int sum = 0;
    {
        union either {
            int value;
            static APART int method(int x) { return step(x) + 4; }
        };
        sum = either::method(argc);
    }
    return sum + local::method(argc) + local::deep::method(argc) + by_pointer(lambda, argc) + holder(argc) + outside(argc) +
           of_template(argc) + of_template((long)argc);
}

extern "C" APART int sink(int x)
{
    return x ^ 7;
}
