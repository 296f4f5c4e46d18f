// Exceptions through several frames, virtual calls, containers.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
struct Guard {
    int &n;
    explicit Guard(int &m) : n(m)
    {
        n++;
    }
    ~Guard()
    {
        n--;
    }
};
struct Node {
    virtual ~Node()
    {
    }
    virtual int visit(int) = 0;
};
static int depth;
struct Thrower : Node {
    int visit(int n) override
    {
        Guard g(depth);
        if (n == 0)
            throw std::runtime_error("end");
        return visit(n - 1) + 1;
    }
};
struct Catcher : Node {
    std::unique_ptr<Node> t{new Thrower};
    int visit(int n) override
    {
        Guard g(depth);
        try {
            return t->visit(n);
        } catch (const std::exception &e) {
            return (int)std::string(e.what()).size() + n;
        }
    }
};
int main()
{
    std::map<std::string, std::vector<int>> m;
    Catcher c;
    int sum = 0;
    for (int i = 0; i < 60; i++) {
        m["k" + std::to_string(i % 17)].push_back(c.visit(i % 12));
    }
    for (auto &e : m) {
        std::sort(e.second.begin(), e.second.end(), [](int a, int b) { return a > b; });
        sum += e.second.front();
    }
    std::printf("%d %d\n", sum, depth);
}
