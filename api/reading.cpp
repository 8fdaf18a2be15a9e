// Small readings of a State by its Layout; see game_data.h.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "api/game_data.h"
#include "runtime/state.h"

namespace cardwright::api::detail {

namespace {

template <class T>
T read(const Byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

Int read_stored(const Byte* at, Int bytes) {
  switch (bytes) {
    case 1: return *at;
    case 2: return read<std::uint16_t>(at);
    case 4: return read<std::uint32_t>(at);
    default: return read<Int>(at);
  }
}

}  // namespace

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t winners_of(const Program& program, const Byte* state) { return read<std::uint16_t>(state + program.layout.winners); }
std::uint64_t players_in(const Program& program, const Byte* state) { return read<std::uint16_t>(state + program.layout.in_game); }

Int variable_value(const Program& program, const Byte* state, Int variable, Int index) {
  const VariableSlot& slot = program.variables[static_cast<std::size_t>(variable)];
  if (slot.is_set || index < 0 || index >= slot.count) return kNone;
  const Int stored = read_stored(state + slot.offset + index * slot.bytes, slot.bytes);
  if (slot.bias == 2 && stored < 2) return stored == 0 ? kUnset : kNone;
  return stored - slot.bias + slot.lo;
}

Int zone_instance(const Program& program, Int zone, Int owner, Int copy) {
  const ZoneSlot& slot = program.zones[static_cast<std::size_t>(zone)];
  return slot.first + (slot.owners > 1 ? owner : 0) * slot.copies + copy;
}

std::vector<Int> cards_in(const Program& program, const Byte* state, Int instance) {
  const Layout& l = program.layout;
  std::vector<Int> cards;
  for (Int w = 0; w < l.words; ++w)
    for (Word bits = read<Word>(state + l.members + 8 * (instance * l.words + w)); bits; bits &= bits - 1)
      cards.push_back(64 * w + std::countr_zero(bits));
  return cards;
}

std::vector<Int> fixed_top(const Program& program, const Byte* state, Int instance) {
  const Layout& l = program.layout;
  const ZoneInstance& zone = l.instance[instance];
  std::vector<Int> cards;
  if (!zone.ordered) return cards;
  const Int top = read<std::uint16_t>(state + zone.counts);
  for (Int i = top - 1; i >= 0; --i) cards.push_back(read_stored(state + zone.order + i * l.card_bytes, l.card_bytes));
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
