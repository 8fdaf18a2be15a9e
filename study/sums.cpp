// See sums.h.
#include "study/sums.h"

#include <algorithm>

namespace cardwright::study {

void PairSums::add(const api::Observation& x, const api::Observation& y) {
  if (x.there) a.add(x.value);
  if (y.there) b.add(y.value);
  if (!x.there || !y.there) return;
  both_a.add(x.value);
  both_b.add(y.value);
  products += static_cast<Wide>(x.value) * y.value;
  least = std::min(least, y.value - x.value);
  most = std::max(most, y.value - x.value);
}

void PairSums::add(const PairSums& other) {
  a.add(other.a);
  b.add(other.b);
  both_a.add(other.both_a);
  both_b.add(other.both_b);
  products += other.products;
  least = std::min(least, other.least);
  most = std::max(most, other.most);
}

void PairBatch::add(const PairBatch& other) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row].add(other.rows[row]);
    amounts_a[row].add(other.amounts_a[row]);
    amounts_b[row].add(other.amounts_b[row]);
  }
  failures_a.add(other.failures_a);
  failures_b.add(other.failures_b);
}

}  // namespace cardwright::study
