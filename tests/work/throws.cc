// throws MS: threads that work, throw through several frames and catch, for MS milliseconds of
// processor time each. Built by native/chains.sh, for C++ is not among the languages of the build.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static double own_seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) / 1e9;
}

struct guard {
    std::string held = std::string(40, 'x');
    ~guard()
    {
        held.clear();
    }
};

__attribute__((noinline)) int descend(int depth)
{
    guard g;
    if (depth == 0)
        throw std::runtime_error(g.held);
    return descend(depth - 1) + 1;
}

__attribute__((noinline)) int attempt(int i)
{
    try {
        return descend(i % 7);
    } catch (const std::exception &e) {
        return int(std::string(e.what()).size());
    }
}

__attribute__((noinline)) int arrange(int seed)
{
    std::vector<std::string> words;
    for (int i = 0; i < 40; i++)
        words.push_back(std::to_string(i * seed % 1009));
    std::sort(words.begin(), words.end());
    return int(words[20].size());
}

__attribute__((noinline)) void work(double seconds)
{
    std::map<int, int> seen;
    for (int i = 0; i % 64 || own_seconds() < seconds; i++)
        seen[i % 997] += attempt(i) + arrange(i);
}

int main(int argc, char **argv)
{
    double seconds = (argc > 1 ? atof(argv[1]) : 100) / 1000;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back(work, seconds);
    for (auto &t : threads)
        t.join();
}
