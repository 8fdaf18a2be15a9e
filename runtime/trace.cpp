// Writes States and cards as JSON, and records decisions for tests and `--trace`.
#include "runtime/trace.h"

#include <algorithm>

#include "runtime/program/words.h"
#include "runtime/ops/zones.h"
#include "runtime/state/state.h"

namespace cardwright {

namespace {

using Json = nlohmann::json;

Json value_json(const Program& program, ValueKind kind, Int enumeration, Int value) {
  if (value == kNone || value == kUnset) return nullptr;
  if (kind == ValueKind::integer || kind == ValueKind::other_set || kind == ValueKind::card) return value;
  if (kind == ValueKind::boolean) return value != 0;
  return value_in_words(program, kind, enumeration, value);
}

Json printed_json(const Program& program, Int card) {
  const CardInfo& info = program.cards[static_cast<std::size_t>(card)];
  Json out = {{"label", info.label}};
  if (info.kind >= 0 && static_cast<std::size_t>(info.kind) < program.kinds.size())
    out["kind"] = program.kinds[static_cast<std::size_t>(info.kind)].name;
  for (std::size_t a = 0; a < info.attributes.size() && a < program.attributes.size(); ++a)
    if (Json value =
            value_json(program, program.attributes[a].kind, program.attributes[a].enumeration, info.attributes[a]);
        !value.is_null())
      out["attributes"][program.attributes[a].name] = std::move(value);
  return out;
}

Json zone_json(const Program& program, const Byte* s, Int i) {
  const Layout& l = program.layout;
  const ZoneInstance& z = l.instance[i];
  const ZoneInfo& info = program.zone_infos[static_cast<std::size_t>(z.zone)];
  Json out;
  out["name"] = info.name;
  out["owner"] = z.owner < 0 ? Json(nullptr) : Json(player_name(z.owner));
  if (info.copies > 1) out["copy"] = (i - program.zones[static_cast<std::size_t>(z.zone)].first) % info.copies + 1;
  if (info.facedown) out["facedown"] = true;
  out["cards"] = cards_in_zone(l, s, i);
  if (!z.ordered) return out;
  Json bag = Json::array();
  for (const Int card : cards_in_zone(l, s, i))
    if (stored_has(s + l.loose, l, card)) bag.push_back(card);
  std::vector<Int> bottom = cards_from_bottom(l, s, i);
  std::reverse(bottom.begin(), bottom.end());
  // Both lists are in order from top to bottom.
  out["pile"] = {{"top", cards_from_top(l, s, i)}, {"in_any_order", bag}, {"bottom", bottom}};
  return out;
}

Json set_json(const Layout& l, const Byte* at) {
  Json out = Json::array();
  for (Int w = 0; w < l.words; ++w)
    for (Word rest = read<Word>(at + 8 * w); rest != 0; rest &= rest - 1) out.push_back(64 * w + lowest_bit(rest));
  return out;
}

// Returns the entries of a variable in order.
Json entries_json(const Program& program, const Byte* s, Int v) {
  const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(v)];
  const VariableSlot& slot = program.variables[static_cast<std::size_t>(v)];
  Json out = Json::array();
  if (info.list > 0) {
    const bool of_rows = slot.is_set || info.inner > 0;
    for (Int first = 0; first < slot.count; first += info.run()) {
      Json list = Json::array();
      if (of_rows)
        for (const std::vector<Int>& row : rows_of_list(program, s, v, first)) {
          Json one = Json::array();
          for (const Int x : row)
            one.push_back(slot.is_set ? Json(x) : value_json(program, info.kind, info.enumeration, x));
          list.push_back(std::move(one));
        }
      for (Int i = first; i < first + info.list && !of_rows; ++i)
        if (const Int value = value_of_variable(program, s, v, i); value != kUnset)
          list.push_back(value_json(program, info.kind, info.enumeration, value));
      out.push_back(std::move(list));
    }
    return out;
  }
  for (Int i = 0; i < slot.count; ++i)
    out.push_back(slot.is_set ? set_json(program.layout, s + slot.offset + i * 8 * program.layout.words)
                              : value_json(program, info.kind, info.enumeration, value_of_variable(program, s, v, i)));
  return out;
}

// Returns the value of a variable with one entry, or an array of several entries. If there are many entries, returns
// the initial value and, by index, the entries that differ from it.
Json variable_json(const Program& program, const Byte* s, Int v) {
  constexpr std::size_t kMany = 24;
  const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(v)];
  const VariableSlot& slot = program.variables[static_cast<std::size_t>(v)];
  Json entries = entries_json(program, s, v);
  if (entries.size() == 1) return entries[0];
  if (entries.size() <= kMany) return entries;
  const Json declared =
      slot.is_set || info.list > 0 ? Json::array() : value_json(program, info.kind, info.enumeration, slot.initial);
  Json out = {{"else", declared}};
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i] != declared) out[std::to_string(i)] = std::move(entries[i]);
  return out;
}

}   // namespace

void DecisionTrace::decided(Game& g, const Byte* s, Int player, Int options, Int index) {
  decisions_.push_back({player, options, index, -1, state_hash(g.program->layout, s)});
}
void DecisionTrace::leaned(Game&, const Byte*, Int index) {
  if (!decisions_.empty()) decisions_.back().index = index;
}
void DecisionTrace::chosen(Game&, const Byte*, Int id) {
  if (!decisions_.empty()) decisions_.back().id = id;
}

nlohmann::json cards_json(const Program& program) {
  Json out = Json::object();
  for (std::size_t card = 0; card < program.cards.size(); ++card)
    if (program.cards[card].kind >= 0) out[std::to_string(card)] = printed_json(program, static_cast<Int>(card));
  return out;
}

nlohmann::json state_json(const Program& program, const Byte* s) {
  const Layout& l = program.layout;
  Json out;
  out["over"] = is_over(l, s);
  out["winners"] = winners(l, s);
  out["in"] = Json::array();
  for (Int p = 0; p < l.players; ++p)
    if (read<std::uint16_t>(s + l.in_game) >> p & 1) out["in"].push_back(player_name(p));
  out["decisions"] = read<std::uint32_t>(s + l.decisions);
  out["zones"] = Json::array();
  for (Int i = 0; i < l.instances; ++i) out["zones"].push_back(zone_json(program, s, i));
  out["variables"] = Json::object();
  for (std::size_t v = 0; v < program.variable_infos.size(); ++v)
    if (program.variable_infos[v].rules_state)
      out["variables"][program.variable_infos[v].name] = variable_json(program, s, static_cast<Int>(v));
  return out;
}

}   // namespace cardwright
