#!/bin/bash
# templates.sh FOLDER UNITS: writes UNITS C++ files and a main.cc into FOLDER, full of instantiations of the standard
# library's templates: much debug information and deep inlining from little source. The same files every time.
set -eu
folder=$1 units=$2
mkdir -p "$folder"
unit() {
  cat <<C
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
namespace unit$1 {
template <int N> struct item {
  std::string name; long weight; double share[N + 1];
  bool operator<(const item &o) const { return weight != o.weight ? weight < o.weight : name < o.name; }
};
template <int N> struct store {
  std::vector<item<N>> all; std::map<std::string, item<N>> by_name; std::unordered_map<long, std::shared_ptr<item<N>>> by_weight;
  void add(const std::string &name, long weight) {
    item<N> i; i.name = name; i.weight = weight;
    std::fill(std::begin(i.share), std::end(i.share), double(weight) / (N + 1));
    all.push_back(i); by_name[name] = i; by_weight.emplace(weight, std::make_shared<item<N>>(i));
  }
  long settle(const std::function<bool(const item<N> &)> &keep) {
    std::stable_sort(all.begin(), all.end());
    all.erase(std::remove_if(all.begin(), all.end(), [&](const item<N> &i) { return !keep(i); }), all.end());
    std::set<long> weights;
    std::transform(all.begin(), all.end(), std::inserter(weights, weights.end()), [](const item<N> &i) { return i.weight; });
    std::partial_sort(all.begin(), all.begin() + all.size() / 2, all.end(), [](const item<N> &a, const item<N> &b) { return a.name < b.name; });
    return std::accumulate(weights.begin(), weights.end(), 0L) + long(by_name.size());
  }
};
template <int N> long run(int rounds) {
  store<N> s;
  for (int i = 0; i < rounds; i++) s.add(std::to_string(i * 7919 % 1000 + N), i * 31 % 977);
  std::function<bool(const item<N> &)> keep = [rounds](const item<N> &i) { return i.weight % 3 != rounds % 3; };
  return s.settle(keep) + (N > 0 ? run<(N > 0 ? N - 1 : 0)>(rounds / 2 + 1) : 0);
}
long all(int rounds) { return run<7>(rounds); }
}
C
}
for ((i = 0; i < units; i++)); do unit $i > "$folder/unit$i.cc"; done
{ echo '#include <cstdio>'
  for ((i = 0; i < units; i++)); do echo "namespace unit$i { long all(int); }"; done
  echo 'int main(int argc, char **) { long sum = 0;'
  for ((i = 0; i < units; i++)); do echo "sum += unit$i::all(argc * 100);"; done
  echo 'std::printf("%ld\n", sum); }'
} > "$folder/main.cc"
