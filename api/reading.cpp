// Small readings of a State by its Layout; see game_data.h.
#include <algorithm>

#include <fmt/format.h>

#include "api/game_data.h"
#include "runtime/ops/zones.h"

namespace cardwright::api::detail {

std::uint64_t winners_of(const Program& program, const Byte* state) { return read<std::uint16_t>(state + program.layout.winners); }
std::uint64_t players_in(const Program& program, const Byte* state) { return read<std::uint16_t>(state + program.layout.in_game); }

Int zone_instance(const Program& program, Int zone, Int owner, Int copy) {
  const ZoneSlot& slot = program.zones[static_cast<std::size_t>(zone)];
  return slot.first + (slot.owners > 1 ? owner : 0) * slot.copies + copy;
}

std::vector<Int> fixed_top(const Program& program, const Byte* state, Int instance) {
  const Layout& l = program.layout;
  const ZoneInstance& zone = l.instance[instance];
  std::vector<Int> cards;
  if (!zone.ordered) return cards;
  for (Int i = top_count(state, zone); i-- > 0;) cards.push_back(card_in_order(state, l, zone, i));
  return cards;
}

std::string constant_label(const Program& program, Int enumeration, Int value) {
  if (enumeration < 0 || enumeration >= static_cast<Int>(program.enums.size())) return fmt::format("{}", value);
  const EnumInfo& info = program.enums[static_cast<std::size_t>(enumeration)];
  if (value < 0 || value >= static_cast<Int>(info.constants.size())) return fmt::format("{}", value);
  const auto i = static_cast<std::size_t>(value);
  return i < info.labels.size() && !info.labels[i].empty() ? info.labels[i] : info.constants[i];
}

Decoded decode(const Program& program, Int id) {
  Decoded out;
  const auto after = std::upper_bound(program.actions.begin(), program.actions.end(), id,
                                      [](Int wanted, const ActionInfo& action) { return wanted < action.base; });
  if (after == program.actions.begin()) return out;
  out.action = &*(after - 1);
  out.action_index = after - 1 - program.actions.begin();
  Int rest = id - out.action->base;
  out.digits.resize(out.action->parameters.size());
  for (std::size_t i = out.digits.size(); i-- > 0;) {      // the last parameter runs fastest
    const Int count = std::max<Int>(1, out.action->parameters[i].count);
    out.digits[i] = rest % count;
    rest /= count;
  }
  if (out.digits.empty() && out.action->count > 1) out.digits.push_back(rest);   // choices without a parameter
  return out;
}

Int value_of(const Program& program, const ParameterInfo& parameter, Int digit) {
  if (parameter.kind == ValueKind::card) {
    for (std::size_t id = 0; id < program.cards.size(); ++id)
      if (program.cards[id].kind >= 0 && program.cards[id].look_alike == digit) return static_cast<Int>(id);
    return kNone;
  }
  return parameter.first + digit;
}

}  // namespace cardwright::api::detail
