// Converts tallies to and from JSON. All numbers are integers, and their order depends only on the counts.
#include <algorithm>

#include "simulation/measure_tally.h"
#include "simulation/part_file.h"
#include "simulation/tally.h"

namespace cardwright::api {

using detail::Json;

// ---- histogram

Json Histogram::json() const {
  Json exact = Json::array(), steps = Json::array();
  for (std::size_t i = 0; i < exact_.size(); ++i)
    if (exact_[i]) exact.push_back({i, exact_[i]});
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (steps_[i]) steps.push_back({i, steps_[i]});
  Json out = {{"counts", std::move(exact)}};
  if (steps.empty()) return out;
  out["steps"] = std::move(steps);
  out["least"] = least_;
  out["most"] = most_;
  out["beside"] = beside_;
  return out;
}

void Histogram::add(const Json& json) {
  constexpr std::size_t kMostSteps = kExact + 1;
  const auto read = [](const Json& from, std::vector<std::uint64_t>& into, std::size_t most) {
    for (const Json& bin : from) {
      const std::size_t i = bin.at(0);
      if (i >= most) detail::damaged("invalid histogram value");
      if (into.size() <= i) into.resize(i + 1);
      into[i] += bin.at(1).get<std::uint64_t>();
    }
  };
  read(json.at("counts"), exact_, kExact);
  if (!json.contains("steps")) return;
  read(json.at("steps"), steps_, kMostSteps);
  least_ = std::min(least_, json.at("least").get<std::int64_t>());
  most_ = std::max(most_, json.at("most").get<std::int64_t>());
  beside_ += json.at("beside").get<std::int64_t>();
}

// ---- failures

Json FailureCounts::json() const {
  Json out = Json::array();
  for (const auto& [key, count] : all_)
    out.push_back({{"trap", count.failure.trap},
                   {"details", count.failure.details},
                   {"place", count.failure.place},
                   {"rule", count.failure.rule},
                   {"stack", count.failure.stack},
                   {"count", count.count},
                   {"first_game", count.first_game}});
  return out;
}

void FailureCounts::add(const Json& json) {
  FailureCounts theirs;
  for (const Json& one : json) {
    Failure failure{one.at("trap"), one.at("details"), one.at("place"), one.at("rule"),
                    one.at("stack").get<std::vector<std::string>>()};
    theirs.add(one.at("first_game"), failure, one.at("count"));
  }
  add(theirs);
}

// ---- tally

Json Tally::json() const {
  Json winners = Json::array();
  for (std::size_t mask = 0; mask < winners_.size(); ++mask)
    if (winners_[mask]) winners.push_back({mask, winners_[mask]});
  Json out = {{"digest", digest_},          {"failed", failed_},           {"turns", turns_.json()},
              {"lengths", lengths_.json()}, {"endings", endings_},         {"winners", std::move(winners)},
              {"traits", traits_},          {"failures", failures_.json()}};
  if (game_->program().race)
    out["race"] = {
        {"races", races_}, {"lengths", race_lengths_.json()}, {"totals", race_totals_.json()}, {"landed", landed_},
        {"late", late_},   {"timed_out", timed_out_}};
  return out;
}

void Tally::add(const Json& json) {
  digest_ += json.at("digest").get<std::uint64_t>();
  failed_ += json.at("failed").get<std::uint64_t>();
  turns_.add(json.at("turns"));
  lengths_.add(json.at("lengths"));
  detail::add_all(endings_, json.at("endings"));
  for (const Json& one : json.at("winners")) winners_.at(one.at(0)) += one.at(1).get<std::uint64_t>();
  const Json& traits = json.at("traits");
  for (std::size_t t = 0; t < traits_.size(); ++t)
    for (std::size_t v = 0; v < traits_[t].size(); ++v) detail::add_all(traits_[t][v], traits.at(t).at(v));
  failures_.add(json.at("failures"));
  if (!game_->program().race) return;
  const Json& race = json.at("race");
  races_ += race.at("races").get<std::uint64_t>();
  race_lengths_.add(race.at("lengths"));
  race_totals_.add(race.at("totals"));
  detail::add_all(landed_, race.at("landed"));
  detail::add_all(late_, race.at("late"));
  detail::add_all(timed_out_, race.at("timed_out"));
}

// ---- measures

// Returns the nonzero cells with their indexes.
Json MeasureTally::cells_json(const std::vector<Cell>& cells) {
  Json out = Json::array();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell& c = cells[i];
    if (c.x == 0 && c.n == 0 && c.xx == 0 && c.nn == 0) continue;
    Json one = Json::array({i});
    for (const Wide number : {c.x, c.n, c.xx, c.xn, c.nn}) one.push_back(detail::written(number));
    out.push_back(std::move(one));
  }
  return out;
}

void MeasureTally::add_cells(std::vector<Cell>& into, const Json& json) {
  for (const Json& one : json) {
    Cell& c = into.at(one.at(0).get<std::size_t>());
    std::size_t i = 1;
    for (Wide* number : {&c.x, &c.n, &c.xx, &c.xn, &c.nn}) *number += detail::wide_of(one.at(i++));
  }
}

Json MeasureTally::json() const {
  Json views = Json::array();
  for (const View& view : views_) {
    Json counts = Json::array();
    for (std::size_t i = 0; i < view.counts.size(); ++i)
      if (view.counts[i].up.count() + view.counts[i].down.count() > 0)
        counts.push_back({i, view.counts[i].up.json(), view.counts[i].down.json()});
    views.push_back({{"cells", cells_json(view.cells)},
                     {"units", cells_json(view.units)},
                     {"counts", std::move(counts)},
                     {"course", cells_json(view.course)},
                     {"course_units", cells_json(view.course_units)}});
  }
  Json out = {{"games", games_}, {"turn_order", {taken_, won_}}, {"views", std::move(views)}};
  if (program_.figures) out["draws"] = draws_.json();
  return out;
}

void MeasureTally::add(const Json& json) {
  games_ += json.at("games").get<std::uint64_t>();
  detail::add_all(taken_, json.at("turn_order").at(0));
  detail::add_all(won_, json.at("turn_order").at(1));
  if (program_.figures) draws_.add(json.at("draws"));
  const Json& views = json.at("views");
  if (views.size() != views_.size()) detail::damaged("different measures");
  for (std::size_t v = 0; v < views_.size(); ++v) {
    View& view = views_[v];
    add_cells(view.cells, views.at(v).at("cells"));
    add_cells(view.units, views.at(v).at("units"));
    add_cells(view.course, views.at(v).at("course"));
    add_cells(view.course_units, views.at(v).at("course_units"));
    for (const Json& one : views.at(v).at("counts")) {
      Counts& counts = view.counts.at(one.at(0).get<std::size_t>());
      counts.up.add(one.at(1)), counts.down.add(one.at(2));
    }
  }
}

}   // namespace cardwright::api
