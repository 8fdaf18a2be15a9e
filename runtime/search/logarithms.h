// Computes natural logarithms of integers with the same result on every machine. Library functions may differ in the
// last bit.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace cardwright::search {

class Logarithms {
 public:
  Logarithms() : of_(kSize) {
    for (std::size_t n = 2; n < kSize; ++n) of_[n] = of_[n - 1] + last_step(static_cast<double>(n));
  }
  // Returns the logarithm of n > 0. For large numbers only the leading bits are used.
  double of(std::uint64_t n) const {
    if (n < kSize) return of_[n];
    const int over = std::bit_width(n) - std::bit_width(kSize - 1);
    return of_[n >> over] + over * kOfTwo;
  }

 private:
  static constexpr std::uint64_t kSize = 1 << 12;
  static constexpr double kOfTwo = 0.693147180559945309417;
  // Returns log(n) - log(n - 1) = 2 artanh(1 / (2n - 1)).
  static double last_step(double n) {
    const double x = 1 / (2 * n - 1), square = x * x;
    double sum = 0;
    for (int k = 31; k > 0; k -= 2) sum = sum * square + 1.0 / k;
    return 2 * x * sum;
  }
  std::vector<double> of_;
};

// Returns a table shared by all searches and created on first use.
inline const Logarithms& logarithms() {
  static const Logarithms all;
  return all;
}

}   // namespace cardwright::search
