#include "compiler/lower/code/variables.h"

#include <algorithm>

namespace cardwright::lower {

Int bytes_for(Int codes) { return codes <= 0x100 ? 1 : codes <= 0x10000 ? 2 : codes <= (Int{1} << 32) ? 4 : 8; }

Int add_variable(ProgramContext& unit, VariableSlot slot, VariableInfo info, bool rules_state) {
  info.rules_state = rules_state;
  slot.offset = -1;   // assigned by place_regions
  if (slot.is_set) {
    slot.bytes = 8 * unit.program.layout.words;
  } else {
    slot.bytes = bytes_for(slot.hi - slot.lo + 1 + slot.bias);
  }
  unit.program.variables.push_back(slot);
  unit.program.variable_infos.push_back(std::move(info));
  return static_cast<Int>(unit.program.variables.size() - 1);
}

Int add_scratch(ProgramContext& unit, std::string name, Int lo, Int hi, Int initial, Int count, bool rules_state) {
  VariableSlot slot;
  slot.count = count;
  slot.lo = lo;
  slot.hi = hi;
  slot.initial = initial;
  if (initial == kNone) slot.optional = 1, slot.bias = 2;
  VariableInfo info;
  info.name = std::move(name);
  info.hidden = true;
  return add_variable(unit, slot, std::move(info), rules_state);
}

Int add_scratch_sets(ProgramContext& unit, std::string name, const model::Type& element, Int count, bool rules_state) {
  const Bounds range = bounds(unit, element);
  VariableSlot slot;
  slot.count = count;
  slot.lo = range.lo;
  slot.hi = range.hi;
  slot.is_set = 1;
  VariableInfo info;
  info.name = std::move(name);
  info.hidden = true;
  info.kind = element.kind == model::TypeKind::card ? ValueKind::card_set : ValueKind::cell_set;
  info.enumeration = enumeration_of(unit, element);
  return add_variable(unit, slot, std::move(info), rules_state);
}

static Int add_scratch_list(ProgramContext& unit, std::string name, const model::Type& list) {
  VariableSlot slot;
  VariableInfo info;
  describe_list(unit, list, slot, info);
  if (info.kind == ValueKind::integer) slot.lo = -kUnlimited, slot.hi = kUnlimited;
  slot.count = info.run();
  info.name = std::move(name);
  info.hidden = true;
  return add_variable(unit, slot, std::move(info), false);
}

void describe_list(ProgramContext& unit, const model::Type& list, VariableSlot& slot, VariableInfo& info) {
  const bool of_lists = list.elem->kind == model::TypeKind::list;
  const model::Type& one = of_lists ? *list.elem->elem : *list.elem;
  slot.is_set = is_wide(unit, one);
  const Bounds range = bounds(unit, slot.is_set ? *one.elem : one);
  slot.lo = range.lo;
  slot.hi = range.hi;
  slot.optional = one.optional;
  slot.bias = 2;
  slot.initial = slot.is_set ? 0 : kUnset;
  info.kind = value_kind(unit, one);
  info.list = list.most;
  info.inner = of_lists ? list.elem->most : 0;
}

// Adds scratch variables for a value of any type, so that other rules can read the value.
Int add_scratch_for(ProgramContext& unit, const std::string& name, const model::Type& type) {
  if (type.kind == model::TypeKind::list) return add_scratch_list(unit, name, type);
  if (is_wide(unit, type)) return add_scratch_sets(unit, name, *type.elem);
  Bounds range = bounds(unit, type);
  if (type.kind == model::TypeKind::integer || type.kind == model::TypeKind::set) range = {-kUnlimited, kUnlimited};
  if (is_mask(unit, type)) range = {0, (Int{1} << 62) - 1};
  const Int variable = add_scratch(unit, name, range.lo, range.hi, kNone);
  VariableInfo& info = unit.program.variable_infos[static_cast<std::size_t>(variable)];
  info.kind = value_kind(unit, type);   // cards in variables of some kinds are exchanged when a world is sampled
  info.enumeration = enumeration_of(unit, type);
  return variable;
}

ValueKind value_kind(const ProgramContext& unit, const model::Type& type) {
  switch (type.kind) {
    case model::TypeKind::boolean: return ValueKind::boolean;
    case model::TypeKind::player: return ValueKind::player;
    case model::TypeKind::card: return ValueKind::card;
    case model::TypeKind::enumeration: return ValueKind::enumeration;
    case model::TypeKind::kind: return ValueKind::kind;
    case model::TypeKind::set:
      return type.elem->kind == model::TypeKind::card     ? ValueKind::card_set
             : is_wide(unit, type)                        ? ValueKind::cell_set
             : type.elem->kind == model::TypeKind::player ? ValueKind::player_set
                                                          : ValueKind::other_set;
    case model::TypeKind::integer:
      if (type.ref >= unit.model.areas.size()) return ValueKind::integer;
      return unit.model.areas[type.ref].is_thing() ? ValueKind::piece
             : unit.model.areas[type.ref].each > 0 ? ValueKind::part
                                                   : ValueKind::integer;
    default: return ValueKind::integer;
  }
}

Int enumeration_of(const ProgramContext& unit, const model::Type& type) {
  if (type.kind == model::TypeKind::enumeration) return type.ref;
  if (type.kind == model::TypeKind::integer && type.ref == model::kDurationRef) return kOfTime;
  if (value_kind(unit, type) == ValueKind::piece) return placed_info(unit, type.ref);
  return value_kind(unit, type) == ValueKind::part ? unit.model.areas[type.ref].each : -1;
}

// Returns the index into Program::areas, or -1 for pieces and dice, which are stored in Program::placed.
Int area_info(const ProgramContext& unit, std::uint32_t area) {
  if (area >= unit.model.areas.size() || unit.model.areas[area].is_thing()) return -1;
  return std::count_if(unit.model.areas.begin(), unit.model.areas.begin() + area,
                       [](const model::Area& a) { return !a.is_thing(); });
}

Int area_info(const ProgramContext& unit, const model::Type& part) {
  return part.kind == model::TypeKind::integer ? area_info(unit, part.ref) : -1;
}

// Returns whether the attribute is visible on a card.
bool is_printed(const ProgramContext& unit, std::size_t attribute) {
  const model::Attribute& a = unit.model.attributes[attribute];
  const auto shows = [&](const model::CardType& t) { return t.label.find("{" + a.name + "}") != std::string::npos; };
  return !a.unprinted || std::any_of(unit.model.card_types.begin(), unit.model.card_types.end(), shows);
}

bool is_of_type(const ProgramContext& unit, Int kind, std::uint32_t type) {
  std::optional<model::CardTypeId> at = unit.model.kinds[static_cast<std::size_t>(kind)].type;
  while (at && at->index != type) at = unit.model.card_types[at->index].base;
  return at.has_value();
}

// Returns the index into Program::placed of an area whose parts are pieces or dice.
Int placed_info(const ProgramContext& unit, std::uint32_t area) {
  return std::count_if(unit.model.areas.begin(), unit.model.areas.begin() + area,
                       [](const model::Area& a) { return a.is_thing(); });
}

}   // namespace cardwright::lower
