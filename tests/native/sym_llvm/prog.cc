// Code that compilers inline and clone: templates, lambdas, virtual functions, exceptions.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace shapes
{
template <typename T> struct box {
    T value;
    explicit box(T v) : value(v)
    {
    }
    T twice() const
    {
        return value + value;
    }
    struct inner {
        static int deep(int n)
        {
            return n < 2 ? 1 : deep(n - 1) * n;
        }
    };
};

struct base {
    virtual ~base() = default;
    virtual int area(int scale) const = 0;
};

struct square final : base {
    int side;
    explicit square(int s) : side(s)
    {
    }
    int area(int scale) const override;
};

int square::area(int scale) const
{
    int sum = 0;
    for (int i = 0; i < scale; i++)
        sum += i % 3 ? side * side : side;
    return sum;
}
} // namespace shapes

static std::string joined(const std::vector<std::string> &words)
{
    std::string all;
    for (const auto &w : words)
        all += w.empty() ? std::string("-") : w + ",";
    return all;
}

template <typename F> static int apply(F f, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += f(i);
    return sum;
}

int main(int argc, char **argv)
{
    std::vector<std::string> words(argv, argv + argc);
    std::map<std::string, std::vector<int>> counts;
    for (auto &w : words)
        counts[w].push_back((int)w.size());
    std::sort(words.begin(), words.end(),
              [](const auto &a, const auto &b) { return a.size() < b.size(); });
    std::unique_ptr<shapes::base> shape(new shapes::square(argc));
    int n = apply([&](int i) { return shape->area(i) + shapes::box<int>(i).twice(); }, argc + 7);
    n += apply([](int i) { return shapes::box<long>::inner::deep(i); }, argc);
    for (auto &[word, sizes] : counts)
        std::printf("%s %zu\n", word.c_str(), sizes.size());
    std::printf("%s %d\n", joined(words).c_str(), n);
    return 0;
}
