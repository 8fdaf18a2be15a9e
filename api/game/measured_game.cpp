// Lists the declared and standard measures of a Program, and sums their values in one game.
#include "api/game/measured_game.h"

#include <utility>

namespace cardwright::api::detail {

namespace {

std::vector<MeasureKeyInfo> keys_of(const Program& program, StandardMeasure::Key key) {
  switch (key) {
    case StandardMeasure::Key::none: return {};
    case StandardMeasure::Key::action: return {{.name = "action", .count = static_cast<Int>(program.actions.size())}};
    case StandardMeasure::Key::card_type:
      return {{.name = "card", .kind = ValueKind::kind, .count = static_cast<Int>(program.kinds.size())}};
    case StandardMeasure::Key::tenth: return {{.name = "tenth", .first = 1, .count = 10}};
  }
  return {};
}

}   // namespace

std::vector<MeasureInfo> all_measures(const Program& program) {
  std::vector<MeasureInfo> out = program.measures;
  if (program.figures)
    for (const StandardMeasure& of : kStandardMeasures)
      out.push_back({.name = of.name, .label = of.label, .what = of.what, .keys = keys_of(program, of.key)});
  return out;
}

GameSums::GameSums(const std::vector<MeasureInfo>& measures) : touched_(measures.size()) {
  std::size_t all = 0;
  for (const MeasureInfo& m : measures) first_.push_back(std::exchange(all, all + static_cast<std::size_t>(m.cells())));
  cells_.resize(all);
}

void GameSums::touch(std::size_t measure, std::size_t cell) {
  touched_[measure].push_back({static_cast<std::uint32_t>(cell), 0, 0});
}

void GameSums::finish(std::vector<std::vector<NotedCell>>& out) {
  for (std::size_t m = 0; m < touched_.size(); ++m)
    for (NotedCell& touched : touched_[m]) {
      Cell& its = cells_[first_[m] + touched.cell];
      touched.sum = std::exchange(its.sum, 0), touched.count = std::exchange(its.count, 0);
    }
  out.swap(touched_);
  touched_.resize(first_.size());
  for (auto& touched : touched_) touched.clear();
}

const StandardMeasure* standard_measure(const Program& program, std::size_t measure) {
  return measure < program.measures.size() ? nullptr : &kStandardMeasures[measure - program.measures.size()];
}

}   // namespace cardwright::api::detail
