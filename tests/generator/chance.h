// Implements a random number generator that produces the same numbers for a seed on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cardwright::test {

class Chance {
 public:
  // Neighboring seeds give independent streams.
  explicit Chance(std::uint64_t seed) : state_(seed * 0xd1342543de82ef95u + 0x632be59bd9b4e019u) { state_ = next(); }

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  int below(int n) { return n <= 1 ? 0 : static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  int between(int lo, int hi) { return lo + below(hi - lo + 1); }
  bool one_in(int n) { return below(n) == 0; }
  bool percent(int n) { return below(100) < n; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }
  std::string word(std::initializer_list<const char*> words) {
    return *(words.begin() + below(static_cast<int>(words.size())));
  }

 private:
  std::uint64_t state_;
};

}   // namespace cardwright::test
