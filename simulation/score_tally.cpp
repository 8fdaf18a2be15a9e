// Adds up the scores of players.
#include "simulation/score_tally.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "simulation/part_file.h"
#include "simulation/wilson.h"

namespace cardwright::api {

using Json = nlohmann::ordered_json;

std::pair<double, double> ScoreMean::interval() const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (games < 2) return {-infinite, infinite};
  return {mean - detail::kNormal * error, mean + detail::kNormal * error};
}

ScoreTally::ScoreTally(int players)
    : sums_(static_cast<std::size_t>(players)),
      products_(sums_.size() * sums_.size()),
      least_(sums_.size(), std::numeric_limits<std::int64_t>::max()),
      most_(sums_.size(), std::numeric_limits<std::int64_t>::min()) {}

void ScoreTally::add_game(std::span<const std::int64_t> scores) {
  ++games_;
  for (std::size_t a = 0; a < players(); ++a) {
    sums_[a] += scores[a];
    least_[a] = std::min(least_[a], scores[a]), most_[a] = std::max(most_[a], scores[a]);
    for (std::size_t b = a; b < players(); ++b) products_[a * players() + b] += Wide{scores[a]} * scores[b];
  }
}

void ScoreTally::add(const ScoreTally& other) {
  games_ += other.games_;
  for (std::size_t i = 0; i < products_.size(); ++i) products_[i] += other.products_[i];
  for (std::size_t seat = 0; seat < players(); ++seat) {
    sums_[seat] += other.sums_[seat];
    least_[seat] = std::min(least_[seat], other.least_[seat]), most_[seat] = std::max(most_[seat], other.most_[seat]);
  }
}

ScoreMean ScoreTally::mean_of(std::string name, std::uint64_t seats) const {
  ScoreMean out{.name = std::move(name), .games = games_};
  if (games_ == 0) return out;
  const double players_of_it = std::popcount(seats), n = static_cast<double>(games_);
  double sum = 0, squares = 0, products = 0;   // of all scores, and of the sums of the players' scores in a game
  out.least = std::numeric_limits<std::int64_t>::max(), out.most = std::numeric_limits<std::int64_t>::min();
  for (std::size_t a = 0; a < players(); ++a) {
    if ((seats >> a & 1) == 0) continue;
    sum += static_cast<double>(sums_[a]);
    out.least = std::min(out.least, least_[a]), out.most = std::max(out.most, most_[a]);
    squares += static_cast<double>(products_[a * players() + a]);
    for (std::size_t b = a; b < players(); ++b)
      if (seats >> b & 1) products += (a == b ? 1 : 2) * static_cast<double>(products_[a * players() + b]);
  }
  out.mean = sum / n / players_of_it;
  if (games_ < 2) return out;
  const auto deviation = [](double of_squares, double mean, double count) {
    return std::sqrt(std::max(0.0, of_squares - count * mean * mean) / (count - 1));
  };
  out.deviation = deviation(squares, out.mean, n * players_of_it);
  out.error = deviation(products, sum / n, n) / players_of_it / std::sqrt(n);
  return out;
}

Json ScoreTally::json() const {
  Json sums = Json::array(), products = Json::array();
  for (const Wide sum : sums_) sums.push_back(detail::written(sum));
  for (const Wide product : products_) products.push_back(detail::written(product));
  return {games_, std::move(sums), std::move(products), least_, most_};
}

void ScoreTally::add(const Json& json) {
  ScoreTally other(static_cast<int>(players()));
  other.games_ = json.at(0);
  for (std::size_t i = 0; i < sums_.size(); ++i) other.sums_[i] = detail::wide_of(json.at(1).at(i));
  for (std::size_t i = 0; i < products_.size(); ++i) other.products_[i] = detail::wide_of(json.at(2).at(i));
  for (std::size_t i = 0; i < sums_.size(); ++i) other.least_[i] = json.at(3).at(i), other.most_[i] = json.at(4).at(i);
  add(other);
}

}   // namespace cardwright::api
