// Counts wins by drawn card type, and serializes the counts.
#include "simulation/draw_wins.h"

#include <algorithm>
#include <limits>

#include "simulation/part_file.h"

namespace cardwright::api {

using detail::Json;

std::vector<DrawWins::Wins>& DrawWins::row(std::size_t batch, std::size_t stratum) {
  if (rows_.empty()) rows_.resize(kBatches * detail::CardDraw::kStrata);
  std::vector<Wins>& its = rows_[batch * detail::CardDraw::kStrata + stratum];
  if (its.empty()) its.resize(1 + kinds_);
  return its;
}

const std::vector<DrawWins::Wins>* DrawWins::seen(std::size_t batch, std::size_t stratum) const {
  if (rows_.empty()) return nullptr;
  const std::vector<Wins>& its = rows_[batch * detail::CardDraw::kStrata + stratum];
  return its.empty() ? nullptr : &its;
}

void DrawWins::add(std::uint64_t index, const std::vector<detail::CardDraw>& draws, std::uint64_t winners) {
  for (const detail::CardDraw& draw : draws) {
    const std::uint64_t won = winners >> draw.player & 1;
    std::vector<Wins>& its = row(index % kBatches, draw.stratum);
    for (Wins* wins : {&its[0], &its[1 + draw.kind]}) ++wins->players, wins->wins += won;
  }
}

void DrawWins::add(const DrawWins& other) {
  if (other.rows_.empty()) return;
  rows_.resize(other.rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (other.rows_[i].empty()) continue;
    rows_[i].resize(1 + kinds_);
    for (std::size_t k = 0; k < rows_[i].size(); ++k)
      rows_[i][k].players += other.rows_[i][k].players, rows_[i][k].wins += other.rows_[i][k].wins;
  }
}

double DrawWins::effect(std::size_t kind, std::size_t from, std::size_t to) const {
  double sum = 0, weight = 0;
  for (std::size_t s = 0; s < detail::CardDraw::kStrata; ++s) {
    Wins its, all;
    for (std::size_t b = from; b < to; ++b)
      if (const std::vector<Wins>* row = seen(b, s)) {
        its.players += (*row)[1 + kind].players, its.wins += (*row)[1 + kind].wins;
        all.players += (*row)[0].players, all.wins += (*row)[0].wins;
      }
    if (its.players == 0) continue;
    sum += double(its.wins) - double(its.players) * double(all.wins) / double(all.players);
    weight += double(its.players);
  }
  return weight == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / weight;
}

std::uint64_t DrawWins::least_draws(std::size_t kind) const {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t b = 0; b < kBatches; ++b) {
    std::uint64_t draws = 0;
    for (std::size_t s = 0; s < detail::CardDraw::kStrata; ++s)
      if (const std::vector<Wins>* row = seen(b, s)) draws += (*row)[1 + kind].players;
    least = std::min(least, draws);
  }
  return least;
}

// Each nonempty row becomes an array: its number, then triples of entry, players and wins. Entry 0 is the total of all
// card types.
Json DrawWins::json() const {
  Json out = Json::array();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].empty()) continue;
    Json row = Json::array({i});
    for (std::size_t k = 0; k < rows_[i].size(); ++k)
      if (rows_[i][k].players)
        for (const std::uint64_t number : {std::uint64_t{k}, rows_[i][k].players, rows_[i][k].wins})
          row.push_back(number);
    out.push_back(std::move(row));
  }
  return out;
}

void DrawWins::add(const Json& json) {
  for (const Json& row : json) {
    const std::size_t i = row.at(0);
    if (i >= kBatches * detail::CardDraw::kStrata || row.size() % 3 != 1) detail::damaged("unknown draw");
    std::vector<Wins>& its = this->row(i / detail::CardDraw::kStrata, i % detail::CardDraw::kStrata);
    for (std::size_t at = 1; at < row.size(); at += 3) {
      Wins& wins = its.at(row[at].get<std::size_t>());
      wins.players += row[at + 1].get<std::uint64_t>(), wins.wins += row[at + 2].get<std::uint64_t>();
    }
  }
}

}   // namespace cardwright::api
