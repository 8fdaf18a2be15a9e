// A Tally as JSON and back: whole numbers, in an order that depends on nothing but them.
#include <algorithm>

#include "api/part_file.h"
#include "api/tally.h"

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
      if (i >= most) throw Error(Blame::caller, "the part is damaged: a histogram has no such value");
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

static void add_all(std::vector<std::uint64_t>& into, const Json& json) {
  if (json.size() != into.size()) throw Error(Blame::caller, "the part is damaged: it counts other things");
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += json.at(i).get<std::uint64_t>();
}

void Tally::add(const Json& json) {
  digest_ += json.at("digest").get<std::uint64_t>();
  failed_ += json.at("failed").get<std::uint64_t>();
  turns_.add(json.at("turns"));
  lengths_.add(json.at("lengths"));
  add_all(endings_, json.at("endings"));
  for (const Json& one : json.at("winners")) winners_.at(one.at(0)) += one.at(1).get<std::uint64_t>();
  const Json& traits = json.at("traits");
  for (std::size_t t = 0; t < traits_.size(); ++t)
    for (std::size_t v = 0; v < traits_[t].size(); ++v) add_all(traits_[t][v], traits.at(t).at(v));
  failures_.add(json.at("failures"));
  if (!game_->program().race) return;
  const Json& race = json.at("race");
  races_ += race.at("races").get<std::uint64_t>();
  race_lengths_.add(race.at("lengths"));
  race_totals_.add(race.at("totals"));
  add_all(landed_, race.at("landed"));
  add_all(late_, race.at("late"));
  add_all(timed_out_, race.at("timed_out"));
}

}  // namespace cardwright::api
