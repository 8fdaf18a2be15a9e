// Converts the results of a simulation or comparison to a report, and writes its figures as JSON and CSV.
#include "cardwright/report.hpp"

#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/parts.hpp"
#include "cardwright/tools.hpp"
#include "tools/report/data.h"
#include "tools/report/verdicts.h"

namespace cardwright::report {

namespace {

using Json = nlohmann::ordered_json;

std::uint64_t games_of(const std::vector<api::FailureCount>& failures) {
  std::uint64_t games = 0;
  for (const api::FailureCount& failure : failures) games += failure.count;
  return games;
}

Json side_json(const Side& side) {
  Json options = Json::object();
  for (const auto& [name, value] : side.options) options[name] = value;
  return {{"game", side.name},
          {"title", side.title},
          {"changed", side.changed},
          {"options", std::move(options)},
          {"failed", side.failed},
          {"errors", Json::parse(statistics::as_json(side.failures))},
          {"without_effect", side.without_effect}};
}

Json compared_json(const Compared& c) {
  Json differences = Json::array();
  for (const api::Difference& d : c.differences)
    differences.push_back({{"change", d.change}, {"kind", d.kind}, {"name", d.name}, {"lines", d.lines}});
  return {{"stopped", statistics::name_of(c.stopped)},
          {"margin", c.margin},
          {"tested", c.tested},
          {"discoveries", c.discoveries},
          {"correlation", c.correlation},
          {"games_saved", c.games_saved},
          {"differences", std::move(differences)}};
}

// Converts a title to a file name: "wins by seat" → "wins-by-seat".
std::string file_name(const std::string& title) {
  std::string out;
  for (const char c : title) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    if (plain)
      out += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return out.empty() ? "table" : out;
}

}   // namespace

nlohmann::ordered_json head_json(const Report& report) {
  Json sides = Json::array();
  for (const Side& side : report.sides) sides.push_back(side_json(side));
  Json out = {{"games", std::move(sides)}, {"players", report.players},       {"policy", report.policy},
              {"seed", report.seed},       {"first_game", report.first_game}, {"played", report.games},
              {"stopped", report.stopped}, {"version", api::version()},       {"command", report.command}};
  if (report.digest) out["digest"] = fmt::format("{:016x}", *report.digest);
  if (report.compared)
    out["comparison"] = compared_json(*report.compared);
  else
    out["without_winner"] = report.without_winner;
  if (report.timed_out)
    out["timed_out"] = {
        {"races", report.timed_out->races}, {"of", report.timed_out->of}, {"place", report.timed_out->place}};
  return out;
}

Report report_of(const api::Statistics& statistics) {
  Report out;
  out.sides.resize(1);
  out.sides[0].failures = statistics.failures;
  out.sides[0].failed = statistics.failed;
  out.seed = statistics.seed;
  out.first_game = statistics.first_game;
  out.games = statistics.games;
  out.stopped = statistics.stopped;
  out.digest = statistics.digest;
  out.without_winner = statistics.without_winner;
  if (statistics.race)
    out.timed_out = TimedOut{statistics.race->timed_out, statistics.race->races, statistics.race->guard};
  out.figures = statistics::figures_of(statistics);
  return out;
}

Report report_of(const statistics::Comparison& comparison) {
  Report out;
  out.sides.resize(2);
  out.sides[0].failures = comparison.failures_a;
  out.sides[1].failures = comparison.failures_b;
  for (Side& side : out.sides) side.failed = games_of(side.failures);
  out.games = comparison.pairs;
  out.stopped = comparison.stopped == statistics::Stopped::interrupted;
  out.figures = comparison.figures;
  out.compared = Compared{comparison.stopped,
                          comparison.margin,
                          comparison.tested,
                          comparison.discoveries,
                          comparison.correlation,
                          comparison.games_saved,
                          {}};
  return out;
}

std::string as_json(const Report& report) {
  Json out = {{"head", head_json(report)}, {"verdicts", verdicts_json(report)}};
  out["tables"] = Json::parse(statistics::as_json(report.figures))["tables"];
  return out.dump() + "\n";
}

void write_data(const Report& report, const std::string& folder) {
  std::error_code wrong;
  std::filesystem::create_directories(folder, wrong);
  if (wrong)
    throw api::Error(api::Blame::internal, fmt::format("cannot create the folder `{}`: {}", folder, wrong.message()));
  const std::filesystem::path path = folder;
  api::write_whole((path / "figures.json").string(), as_json(report));
  std::set<std::string> taken;
  for (const statistics::FigureTable& table : report.figures.tables) {
    std::string name = file_name(table.title);
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}-{}", file_name(table.title), i);
    api::write_whole((path / (name + ".csv")).string(), statistics::as_csv(table));
  }
}

}   // namespace cardwright::report
