// Reads, writes and compares the result files of bench_table.
#include "tools/bench/results.h"

#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bench {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Speed& s) {
  return {{"game", s.game},
          {"players", s.players},
          {"engine", s.engine},
          {"form", s.form},
          {"per_second", s.per_second},
          {"games_per_second", s.games_per_second},
          {"ns", 1e9 / s.per_second},
          {"to_reference", s.to_reference},
          {"to_hand", s.to_hand ? Json(*s.to_hand) : Json()},
          {"mean_per_second", s.mean_per_second},
          {"mean_length", s.mean_length}};
}
Speed speed_of(const Json& j) {
  Speed s{j.at("game"),       j.at("players"),          j.at("engine"),       j.at("form"),
          j.at("per_second"), j.at("games_per_second"), j.at("to_reference"), {}};
  s.mean_per_second = j.value("mean_per_second", 0.0);
  s.mean_length = j.value("mean_length", 0.0);
  if (!j.at("to_hand").is_null()) s.to_hand = j.at("to_hand").get<double>();
  return s;
}

struct Member {
  const char* name;
  double Weight::*value;
  double loss;   // changes of at least this size are reported; 0: none
};
constexpr double kLoss = 0.05, kSlowerStart = 0.1;
// Clock times depend on the load of the machine, and the time of a clone depends on the caches.
constexpr Member kMembers[] = {{"program_ms", &Weight::program_ms, 0},
                               {"playout_ms", &Weight::playout_ms, 0},
                               {"playout_clock_ms", &Weight::playout_clock_ms, 0},
                               {"stepwise_ms", &Weight::stepwise_ms, 0},
                               {"program_work", &Weight::program_work, kSlowerStart},
                               {"playout_work", &Weight::playout_work, kSlowerStart},
                               {"stepwise_work", &Weight::stepwise_work, kSlowerStart},
                               {"state_bytes", &Weight::state_bytes, kLoss},
                               {"playout_bytes", &Weight::playout_bytes, kLoss},
                               {"rules_bytes", &Weight::rules_bytes, kLoss},
                               {"clone_ns", &Weight::clone_ns, 0}};

Json json_of(const Weight& w) {
  Json j = {{"game", w.game}, {"players", w.players}};
  for (const Member& member : kMembers) j[member.name] = w.*member.value;
  return j;
}
Weight weight_of(const Json& j) {
  Weight w{j.at("game"), j.at("players")};
  for (const Member& member : kMembers) w.*member.value = j.at(member.name);
  return w;
}

template <class T>
const T* find(const std::vector<T>& all, const auto& same) {
  for (const T& one : all)
    if (same(one)) return &one;
  return nullptr;
}

// Reports a change that exceeds `loss`. `gain` is positive if `to` is better than `from`.
void add_difference(Difference& difference, const std::string& what, double gain, double loss, double from, double to) {
  if (gain > -loss && gain < loss) return;
  difference.text +=
      fmt::format("{} {:+6.1f} %  {:<48} {:.4g} -> {:.4g}\n", gain < 0 ? "LOSS" : "gain", 100 * gain, what, from, to);
  difference.losses += gain < 0;
}

void compare_speed(Difference& difference, const Speed& before, const Speed& after) {
  add_difference(difference, fmt::format("{} {} {} {}", after.game, after.players, after.engine, after.form),
                 after.to_reference / before.to_reference - 1, kLoss, before.to_reference, after.to_reference);
}

void compare_weight(Difference& difference, const Weight& before, const Weight& after) {
  for (const Member& member : kMembers) {
    const double from = before.*member.value, to = after.*member.value;
    if (member.loss == 0 || from == 0 || to == 0) continue;
    add_difference(difference, fmt::format("{} {} {}", after.game, after.players, member.name), from / to - 1,
                   member.loss, from, to);
  }
}

}   // namespace

void write_results(const Results& results, const std::string& file) {
  Json json = {
      {"version", results.version},
      {"processor", results.processor},
      {"runs", results.runs},
      {"seconds_per_run", results.seconds},
      {"reference", {{"what", "crazy eights for 2, written by hand"}, {"decisions_per_second", results.reference}}},
      {"start_ms", results.start_ms},
      {"limits", {{"random_ns", results.random_ns}, {"wrongly_foreseen_ns", results.wrongly_foreseen_ns}}},
      {"speeds", Json::array()},
      {"weights", Json::array()}};
  for (const Speed& speed : results.speeds) json["speeds"].push_back(json_of(speed));
  for (const Weight& weight : results.weights) json["weights"].push_back(json_of(weight));
  std::ofstream out(file);
  out << json.dump(1) << '\n';
  if (!out.flush()) throw std::runtime_error("can't write " + file);
}

Results read_results(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("can't read " + file);
  try {
    const Json json = Json::parse(in);
    Results results;
    results.version = json.at("version");
    results.processor = json.at("processor");
    results.runs = json.at("runs");
    results.seconds = json.at("seconds_per_run");
    results.reference = json.at("reference").at("decisions_per_second");
    results.start_ms = json.at("start_ms");
    if (const Json limits = json.value("limits", Json::object()); !limits.empty()) {   // absent from older files
      results.random_ns = limits.at("random_ns");
      results.wrongly_foreseen_ns = limits.at("wrongly_foreseen_ns");
    }
    for (const Json& speed : json.at("speeds")) results.speeds.push_back(speed_of(speed));
    for (const Json& weight : json.at("weights")) results.weights.push_back(weight_of(weight));
    return results;
  } catch (const Json::exception& wrong) {
    throw std::runtime_error(fmt::format("{} is not a result file of bench_table: {}", file, wrong.what()));
  }
}

Difference compare(const Results& before, const Results& after) {
  Difference difference;
  int compared = 0;
  for (const Speed& speed : after.speeds) {
    const Speed* old = find(before.speeds, [&](const Speed& s) {
      return s.game == speed.game && s.players == speed.players && s.engine == speed.engine && s.form == speed.form;
    });
    if (old == nullptr) continue;
    ++compared;
    compare_speed(difference, *old, speed);
  }
  for (const Weight& weight : after.weights) {
    const Weight* old =
        find(before.weights, [&](const Weight& w) { return w.game == weight.game && w.players == weight.players; });
    if (old == nullptr) continue;
    ++compared;
    compare_weight(difference, *old, weight);
  }
  difference.text += fmt::format("{} rows compared, {} losses\n", compared, difference.losses);
  return difference;
}

}   // namespace bench
