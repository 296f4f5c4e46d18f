// Names that DWARF has mangled: methods, templates, lambdas, clones of constructors.
namespace space {
template <typename T> struct box {
    T value;
    explicit box(T v);
    T get() const;
};
template <typename T> __attribute__((noinline)) box<T>::box(T v) : value(v + 1) {}
template <typename T> inline T box<T>::get() const
{
    return value * 3;
}
} // namespace space

extern "C" int sink(int);

template <typename F> inline int apply(F f, int x)
{
    return f(f(x));
}

extern "C" int main(int argc, char **)
{
    space::box<int> b(argc);
    return apply([&](int x) { return sink(x + b.get()); }, argc);
}

extern "C" __attribute__((noinline)) int sink(int x)
{
    return x ^ 7;
}
