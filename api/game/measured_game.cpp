// Lists the measures of a Program.
#include "api/game/measured_game.h"

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

const StandardMeasure* standard_measure(const Program& program, std::size_t measure) {
  return measure < program.measures.size() ? nullptr : &kStandardMeasures[measure - program.measures.size()];
}

}   // namespace cardwright::api::detail
