// Adds up game results, and converts the sums to and from JSON.
#include "simulation/statistics/sums.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulation/part_file.h"

namespace cardwright::statistics {

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
  draws_a.add(other.draws_a);
  draws_b.add(other.draws_b);
}

// ---- as JSON

namespace {

using Json = nlohmann::ordered_json;

using api::detail::wide_of;
using api::detail::written;

}   // namespace

Json written(const SideSums& sums) { return {sums.n, written(sums.sum), written(sums.squares)}; }

SideSums side_of(const Json& json) {
  SideSums out;
  out.n = json.at(0);
  out.sum = wide_of(json.at(1));
  out.squares = wide_of(json.at(2));
  return out;
}

namespace {

Json written(const PairSums& sums) {
  if (sums.a.n + sums.b.n == 0) return nullptr;
  return {written(sums.a), written(sums.b), written(sums.both_a), written(sums.both_b), written(sums.products),
          sums.least,      sums.most};
}

PairSums pair_of(const Json& json) {
  PairSums out;
  if (json.is_null()) return out;
  out.a = side_of(json.at(0));
  out.b = side_of(json.at(1));
  out.both_a = side_of(json.at(2));
  out.both_b = side_of(json.at(3));
  out.products = wide_of(json.at(4));
  out.least = json.at(5);
  out.most = json.at(6);
  return out;
}

}   // namespace

Json PairBatch::json() const {
  Json sums = Json::array(), amounts = Json::array();
  for (const PairSums& row : rows) sums.push_back(written(row));
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (amounts_a[row].count() + amounts_b[row].count() > 0)
      amounts.push_back({row, amounts_a[row].json(), amounts_b[row].json()});
  Json out = {
      {"rows", std::move(sums)}, {"amounts", std::move(amounts)}, {"failures", {failures_a.json(), failures_b.json()}}};
  if (draws_a.kinds() + draws_b.kinds() > 0) out["draws"] = {draws_a.json(), draws_b.json()};
  return out;
}

void PairBatch::add(const Json& json) {
  if (json.at("rows").size() != rows.size()) api::detail::damaged("different rows");
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row].add(pair_of(json.at("rows").at(row)));
  for (const Json& amount : json.at("amounts")) {
    amounts_a.at(amount.at(0)).add(amount.at(1));
    amounts_b.at(amount.at(0)).add(amount.at(2));
  }
  failures_a.add(json.at("failures").at(0));
  failures_b.add(json.at("failures").at(1));
  if (draws_a.kinds() + draws_b.kinds() == 0) return;
  draws_a.add(json.at("draws").at(0));
  draws_b.add(json.at("draws").at(1));
}

}   // namespace cardwright::statistics
