// See table.h. What a player may know is asked of runtime/knowledge; nothing here decides it.
#include "api/table.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "runtime/knowledge.h"
#include "runtime/ops/ops.h"
#include "runtime/words.h"

namespace cardwright::api::detail {

namespace {

std::string value_text(const Program& program, ValueKind kind, Int enumeration, Int value) {
  if (value == kNone) return "none";
  if (value == kUnset) return "";
  switch (kind) {
    case ValueKind::player: return Game::seat_name(static_cast<int>(value));
    case ValueKind::boolean: return value ? "yes" : "no";
    case ValueKind::enumeration: return constant_label(program, enumeration, value);
    case ValueKind::card:
      return value >= 0 && value < static_cast<Int>(program.cards.size()) ? program.cards[static_cast<std::size_t>(value)].label : "none";
    case ValueKind::kind:
      return value >= 0 && value < static_cast<Int>(program.kinds.size()) ? program.kinds[static_cast<std::size_t>(value)].label : "none";
    case ValueKind::integer:
    case ValueKind::player_set:
    case ValueKind::card_set:
    case ValueKind::other_set: break;
  }
  return fmt::format("{}", value);
}

class Words {
 public:
  Words(const StateData& state, int player) : state_(state), program_(state.program()), s_(state.bytes.get()), player_(player) {}

  std::vector<std::string> lines() const {
    std::vector<std::string> out;
    if (std::string table = things_of(-1); !table.empty()) out.push_back("table   " + table);
    for (int seat = 0; seat < program_.layout.players; ++seat)
      out.push_back(fmt::format("{}{}{} {}", Game::seat_name(seat), seat == player_ ? " (you)" : "      ", marks(seat), things_of(seat)));
    return out;
  }

 private:
  std::string marks(int seat) const {
    if (!(players_in(program_, s_) >> seat & 1)) return " out;";
    const bool active = program_.active >= 0 && value_of_variable(program_, s_, program_.active, 0) == seat;
    return active ? "*" : " ";
  }

  // Variables and zones of a seat, or of the table (-1).
  std::string things_of(int seat) const {
    std::vector<std::string> parts;
    for (std::size_t v = 0; v < program_.variables.size(); ++v)
      if (std::string text = variable(static_cast<Int>(v), seat); !text.empty()) parts.push_back(std::move(text));
    for (Int i = 0; i < program_.layout.instances; ++i)
      if (program_.layout.instance[i].owner == seat) parts.push_back(zone(i));
    return fmt::format("{}", fmt::join(parts, "; "));
  }

  std::string variable(Int v, int seat) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    if (info.hidden || !info.rules_state || slot.is_set || info.per_player != (seat >= 0)) return {};
    if (info.kind == ValueKind::player_set || info.kind == ValueKind::other_set) return {};
    const Int each = info.per_player ? slot.count / program_.layout.players : slot.count;
    if (each > 12) return {};
    std::vector<std::string> values;
    for (Int k = 0; k < each; ++k) {
      const Int index = (info.per_player ? seat * each : 0) + k;
      values.push_back(info.secret && !knows_value(v, index) ? "?" : value_text(program_, info.kind, info.enumeration, value_of_variable(program_, s_, v, index)));
    }
    if (std::all_of(values.begin(), values.end(), [](const auto& text) { return text.empty(); })) return {};
    return fmt::format("{} {}", info.name, fmt::join(values, ","));
  }

  bool knows_value(Int v, Int index) const {
    if (player_ < 0) return true;
    cardwright::Game context = fresh_context(*state_.game);
    return op_knows_value(context, const_cast<Byte*>(s_), program_.layout, player_, program_.variables[static_cast<std::size_t>(v)], index) != 0;
  }

  bool knows(Int card) const { return player_ < 0 || (knows_mask(s_, program_.layout, card) >> player_ & 1); }

  std::string zone(Int i) const {
    const ZoneInstance& instance = program_.layout.instance[i];
    const ZoneSlot& slot = program_.zones[static_cast<std::size_t>(instance.zone)];
    std::string name = program_.zone_infos[static_cast<std::size_t>(instance.zone)].name;
    if (slot.copies > 1) name += fmt::format(" {}", (i - slot.first) % slot.copies + 1);
    const auto cards = cards_in_zone(program_.layout, s_, i);
    const bool pile = program_.zone_infos[static_cast<std::size_t>(instance.zone)].shape == ZoneShape::pile;
    if (pile && (cards.size() > 6 || !std::all_of(cards.begin(), cards.end(), [&](Int c) { return knows(c); }))) return pile_words(name, i, cards.size());
    return fmt::format("{}: {}", name, cards_words(cards));
  }

  std::string pile_words(const std::string& name, Int i, std::size_t size) const {
    std::string out = fmt::format("{}: {} card{}", name, size, size == 1 ? "" : "s");
    std::vector<std::string> top;
    for (const Int card : fixed_top(program_, s_, i)) {
      if (!knows(card) || top.size() == 3) break;
      top.push_back(program_.cards[static_cast<std::size_t>(card)].label);
    }
    return top.empty() ? out : fmt::format("{}, on top {}", out, fmt::join(top, ", then "));
  }

  std::string cards_words(const std::vector<Int>& cards) const {
    if (cards.empty()) return "-";
    std::map<std::string, int> counts;
    int unknown = 0;
    for (const Int card : cards) {
      if (knows(card)) ++counts[program_.cards[static_cast<std::size_t>(card)].label];
      else ++unknown;
    }
    std::vector<std::string> words;
    for (const auto& [label, count] : counts) words.push_back(count == 1 ? label : fmt::format("{} x {}", label, count));
    if (unknown) words.push_back(counts.empty() ? fmt::format("{} card{}", unknown, unknown == 1 ? "" : "s") : fmt::format("{} unknown", unknown));
    return fmt::format("{}", fmt::join(words, ", "));
  }

  const StateData& state_;
  const Program& program_;
  const Byte* s_;
  int player_;
};

}  // namespace

std::vector<std::string> table_words(const StateData& state, int player) { return Words(state, player).lines(); }

std::string value_words(const Program& program, const ParameterInfo& parameter, Int digit) {
  return value_text(program, parameter.kind, parameter.enumeration, value_of(program, parameter, digit));
}

}  // namespace cardwright::api::detail
