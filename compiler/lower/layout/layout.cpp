// Assigns card ids, variables, zones and the offsets of regions in the State.
#include "compiler/lower/layout/layout.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/limits.h"
#include "compiler/lower/code/variables.h"
#include "runtime/ops/knowledge.h"
#include "runtime/ops/queue.h"

namespace cardwright::lower {

static Int most_in_other_sets(const ProgramContext& unit);

namespace {

// Limits for each variable: the number of values and, for a variable that stores sets, the number of words.
constexpr Int kMostValues = 65'536, kMostWords = 262'144;
constexpr Int kMostBytes = Int{1} << 24;   // maximum size of a State

Int align(Int offset, Int to) { return (offset + to - 1) / to * to; }
void set_bit(Word* set, Int bit) { set[bit / 64] |= Word{1} << (bit % 64); }

}   // namespace

// Returns whether any choice offers cards.
static bool cards_are_chosen(const ProgramContext& unit) {
  const auto chosen = [](const model::Action& a) {
    return a.play || a.head.carrier.kind == model::CarrierKind::card ||
           std::any_of(a.parameters.begin(), a.parameters.end(),
                       [](const model::ActionParameter& p) { return p.type.kind == model::TypeKind::card; });
  };
  const auto offers = [](const model::Stmt& s) {
    if (s.kind == model::StmtKind::choose) {
      const model::Expr* from = view::choose(s).sources(0);
      return from && from->type.elem && from->type.elem->kind == model::TypeKind::card;
    }
    return s.kind == model::StmtKind::arrange ||
           (s.kind == model::StmtKind::move && view::move(s).picker());   // a player picks the card that will be on top
  };
  return std::any_of(unit.model.actions.begin(), unit.model.actions.end(), chosen) ||
         std::any_of(unit.model.stmts.begin(), unit.model.stmts.end(), offers);
}

// Returns whether a variable has an entry for each copy of the card, as in `T per Plain`. No two copies of such a card
// are identical.
static bool has_own_entry(const ProgramContext& unit, const model::Card& card) {
  const auto names = [&](const model::Type& key) {
    return key.kind == model::TypeKind::card &&
           (key.ref >= unit.model.card_types.size() || is_of_type(unit, card.kind.index, key.ref));
  };
  return std::any_of(unit.model.variables.begin(), unit.model.variables.end(),
                     [&](const model::Variable& v) { return std::any_of(v.indices.begin(), v.indices.end(), names); });
}

// Assigns the ids of cards. Copies that no rule can distinguish form a class. If players choose cards, the copies of a
// class must also look identical. The ids of a class are consecutive. The id after a class of several copies stays
// unused and serves as a guard, so that a single subtraction finds the lowest copy in every class.
void number_cards(ProgramContext& unit) {
  std::vector<bool> read = analysis::attributes_read(unit.model);
  const bool by_print = cards_are_chosen(unit);
  auto key = [&](const model::Card& card) {
    std::vector<Int> k{card.kind.index};
    for (std::size_t a = 0; a < card.attributes.size(); ++a) k.push_back(read[a] ? card.attributes[a] : 0);
    if (has_own_entry(unit, card)) k.push_back(&card - unit.model.cards.data());
    for (std::size_t a = 0; a < card.attributes.size(); ++a)
      k.push_back(by_print && !read[a] && is_printed(unit, a) ? card.attributes[a] : 0);
    return k;
  };
  std::map<std::vector<Int>, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < unit.model.cards.size(); ++i) classes[key(unit.model.cards[i])].push_back(i);

  Layout& layout = unit.program.layout;
  unit.ids.of_card.assign(unit.model.cards.size(), 0);
  Int id = 0;
  for (auto& [k, members] : classes) {
    Int start = id;
    for (std::size_t card : members) {
      unit.ids.of_card[card] = id++;
      unit.ids.card.push_back(static_cast<Int>(card));
      unit.ids.class_of.push_back(unit.ids.classes);
    }
    if (id <= kMaxCardIds) {
      if (members.size() == 1) set_bit(layout.lookalike_singles, start);
      if (members.size() > 1 && id < kMaxCardIds) {
        set_bit(layout.lookalike_starts, start);
        set_bit(layout.lookalike_guards, id);
      }
    }
    if (members.size() > 1) {
      ++id;
      unit.ids.card.push_back(-1);
      unit.ids.class_of.push_back(unit.ids.classes);
    }
    ++unit.ids.classes;
  }
  layout.card_ids = id;
  const Int others = most_in_other_sets(unit);   // All sets other than masks have the same number of words.
  layout.words = std::max<Int>(layout.words, (others + 63) / 64);
  layout.words = std::max<Int>(layout.words, (id + 63) / 64);
  const auto of_sets = [&](const model::Type& t) { return t.kind == model::TypeKind::list && is_wide(unit, *t.elem); };
  const bool lists =
      std::any_of(unit.model.variables.begin(), unit.model.variables.end(),
                  [&](const auto& v) { return of_sets(v.type); }) ||
      std::any_of(unit.model.exprs.begin(), unit.model.exprs.end(), [&](const auto& e) { return of_sets(e.type); });
  if (lists) {   // the highest bit marks a set that exists (kPresent)
    const Int most = std::max(id, others);
    layout.words = std::min<Int>(most / 64 + 1, kMaxWords);
  }
  if (layout.words > kMaxWords) {
    const auto& boards = unit.model.boards;
    const auto largest = std::max_element(
        boards.begin(), boards.end(), [](const auto& a, const auto& b) { return a.between.size() < b.between.size(); });
    too_large(unit, largest->range,
              fmt::format("rules use sets of the {} edges of `{}`; the limit is {} edges", others, largest->name,
                          64 * kMaxWords - (lists ? 1 : 0)));
    layout.words = kMaxWords;
  }
  layout.card_bytes = bytes_for(id + 1);
  layout.capacity = static_cast<Int>(unit.model.cards.size());
  if (id > kMaxCardIds) {
    too_large(unit, unit.model.kinds[unit.model.cards.back().kind.index].range,
              fmt::format("{} cards need {} ids; the limit is {}", unit.model.cards.size(), id, kMaxCardIds));
    return;
  }
  for (Int card : unit.ids.of_card) set_bit(layout.all_cards, card);
}

// Returns the maximum size of a set of cells or, if the game uses sets of edges, of edges.
static Int most_on_board(const ProgramContext& unit) {
  Int most = 0;
  for (const model::Board& board : unit.model.boards) {
    const auto of_edges = [&](const model::Type& t) {
      return t.kind == model::TypeKind::set && t.elem->kind == model::TypeKind::enumeration &&
             t.elem->ref == board.edges.index;
    };
    const auto holds = [&](const auto& x) { return of_edges(x.type) || (x.type.elem && of_edges(*x.type.elem)); };
    const auto refers_to = [&](const model::Expr& e) { return holds(e) && !unit.facts.called.never.contains(&e); };
    const auto covers_edges = [&](const model::Shapes& s) {
      return !s.lengths.empty() && &unit.model.boards[s.board] == &board;
    };
    const auto takes_edge = [&](const model::Action& a) {   // to choose an edge, a set of edges is needed
      return std::any_of(a.parameters.begin(), a.parameters.end(), [&](const model::ActionParameter& p) {
        return p.type.kind == model::TypeKind::enumeration && p.type.ref == board.edges.index;
      });
    };
    const bool edges = std::any_of(unit.model.shapes.begin(), unit.model.shapes.end(), covers_edges) ||
                       std::any_of(unit.model.actions.begin(), unit.model.actions.end(), takes_edge) ||
                       std::any_of(unit.model.variables.begin(), unit.model.variables.end(), holds) ||
                       std::any_of(unit.model.exprs.begin(), unit.model.exprs.end(), refers_to);
    most = std::max(most, std::max(board.width * board.height, edges ? Int(board.between.size()) : Int{0}));
  }
  return most;
}

// Returns the number of bits of the largest set that is neither a set of cards nor a mask.
static Int most_in_other_sets(const ProgramContext& unit) {
  Int most = most_on_board(unit);
  for (const model::Enum& e : unit.model.enums)
    if (e.has_wide_sets() && !e.cells) most = std::max(most, static_cast<Int>(e.constants.size()));
  for (const model::Area& area : unit.model.areas)
    if (area.has_wide_sets()) most = std::max(most, area.parts + 1);
  const auto of_kinds = [](const model::Type& t) { return t.elem && t.elem->kind == model::TypeKind::kind; };
  const bool kinds =
      std::any_of(unit.model.variables.begin(), unit.model.variables.end(),
                  [&](const auto& v) { return of_kinds(v.type); }) ||
      std::any_of(unit.model.exprs.begin(), unit.model.exprs.end(), [&](const auto& e) { return of_kinds(e.type); });
  if (kinds && model::has_wide_sets(unit.model.kinds)) most = std::max(most, static_cast<Int>(unit.model.kinds.size()));
  return most;
}

// Describes the keys of a table, and computes the number of its values.
static void describe_keys(const ProgramContext& unit, const model::Variable& v, VariableSlot& slot,
                          VariableInfo& info) {
  slot.count = v.per_player ? unit.model.players : 1;
  for (const model::Type& index : v.indices) {
    Bounds b = bounds(unit, index);
    slot.count = product(slot.count, b.hi - b.lo + 1);
    info.keys.push_back({value_kind(unit, index), enumeration_of(unit, index), b.lo, b.hi - b.lo + 1});
  }
  const auto places_board_cards = [&] {
    if (!unit.model.board_cards) return false;
    const auto& placing = unit.model.board_cards->placing;
    const auto is = [&](model::VariableId id) { return &v == &unit.model.variables[id.index]; };
    return is(placing.at) || (placing.facing && is(*placing.facing));
  };
  if (!info.keys.empty() && info.keys[0].kind == ValueKind::piece)
    info.placed = info.keys[0].enumeration;
  else if (places_board_cards())
    info.placed = std::count_if(unit.model.areas.begin(), unit.model.areas.end(),
                                [](const model::Area& a) { return a.is_thing(); });
  else if (v.each > 0)
    info.keys[0] = {ValueKind::integer, -1, 1, v.each};   // displayed as one number per player
  if (!v.indices.empty()) info.area = area_info(unit, v.indices[0]);
}

// Returns the initial value of a variable that is not a set.
static Int initial_value(ProgramContext& unit, const model::Variable& v, const model::Type& type) {
  if (v.type.kind == model::TypeKind::list) return kUnset;
  if (v.initial) return constant_value(unit, *v.initial);
  if (type.optional) return kNone;
  if (v.can_be_unset) return kUnset;
  const Bounds b = bounds(unit, type);
  return type.kind == model::TypeKind::integer ? std::clamp<Int>(0, b.lo, b.hi) : 0;
}

static void number_variable(ProgramContext& unit, const model::Variable& v) {
  VariableSlot slot;
  VariableInfo info;
  const bool list = v.type.kind == model::TypeKind::list;
  const model::Type* type = list ? v.type.elem.get() : &v.type;
  if (list && type->kind == model::TypeKind::list) type = type->elem.get();
  info.name = v.name;
  info.declared = model::to_string(unit.model, v.type);
  info.where = v.range;
  info.kind = value_kind(unit, *type);
  info.enumeration = !type->elem                                        ? enumeration_of(unit, *type)
                     : type->elem->kind == model::TypeKind::enumeration ? Int{type->elem->ref}
                     : type->elem->kind == model::TypeKind::kind        ? kOfKinds
                                                                        : -1;
  info.per_player = v.per_player || v.each > 0;
  info.secret = v.visibility != model::Visibility::open;
  info.owner_knows = v.visibility != model::Visibility::hidden;
  info.temporary = v.lifetime != model::Lifetime::game;
  // This is replaced in number_variables() with the variable of the pool.
  if (v.dealt_from) info.pool = v.dealt_from->index;
  describe_keys(unit, v, slot, info);
  if (list) describe_list(unit, v.type, slot, info), slot.count *= info.run();
  slot.is_set = is_wide(unit, *type);
  const Int most = slot.is_set ? std::min(kMostValues, kMostWords / unit.program.layout.words) : kMostValues;
  if (slot.count > most)
    too_large(
        unit, v.range,
        fmt::format("`{}` has {} {}; the limit is {}", v.name, slot.count, slot.is_set ? "sets" : "values", most));
  Bounds b = bounds(unit, slot.is_set ? *type->elem : *type);
  slot.lo = b.lo;
  slot.hi = b.hi;
  slot.optional = type->optional;
  slot.bias = slot.optional || v.can_be_unset || list ? 2 : 0;
  if (slot.is_set && v.initial && !v.initial->values.empty()) {
    std::vector<Word> words(static_cast<std::size_t>(unit.program.layout.words));
    for (Int element : v.initial->values) set_bit(words.data(), element);
    unit.program.initial_sets.push_back({Int(unit.program.variables.size()), std::move(words)});
  }
  slot.initial = slot.is_set ? 0 : initial_value(unit, v, *type);
  unit.ids.variable.push_back(add_variable(unit, slot, std::move(info), true));
}

static void number_pool(ProgramContext& unit, const model::Pool& pool) {
  VariableSlot slot;
  slot.count = static_cast<Int>(pool.counts.size());
  for (Int n : pool.counts) slot.hi = std::max(slot.hi, n);
  VariableInfo info;
  info.name = pool.name;
  info.where = pool.range;
  info.hidden = true;
  info.enumeration = pool.element.index;
  unit.ids.pool.push_back(add_variable(unit, slot, std::move(info), true));
}

// Calls `f` with the head of each rule whose order depends on the time at which it came into force.
template <class F>
static void each_timed(const ProgramContext& unit, const F& f) {
  for (const model::Value& value : unit.model.values)
    for (const model::Modifier& m : value.modifiers)
      if (value.latest_first && m.how == model::ModifyHow::to) f(m.head);
}

// Marks the zones for which the State records when each card entered.
static void number_timed_zones(ProgramContext& unit) {
  each_timed(unit, [&](const model::RuleHead& head) {
    if (head.carrier.kind != model::CarrierKind::card || !head.carrier.zone.valid()) return;
    const ZoneSlot& zone = unit.program.zones[head.carrier.zone.index];
    for (Int i = 0; i < zone.owners * zone.copies; ++i) unit.program.layout.instance[zone.first + i].stamped = 1;
  });
}

static void number_stamps(ProgramContext& unit) {
  constexpr Int kMostEntries = 0x7fffffff;
  OwnVariables& own = unit.variables;
  each_timed(unit, [&](const model::RuleHead& head) {
    if (own.stamps < 0) {
      own.stamps = add_scratch(unit, "came into force", 0, kMostEntries, 0, unit.program.layout.card_ids + 1, true);
      own.stamp_clock = add_scratch(unit, "entries", 0, kMostEntries, 0, 1, true);
    }
    const std::uint32_t variable = head.carrier.character_variable.index;
    if (head.carrier.kind == model::CarrierKind::character && !own.character_stamps.contains(variable))
      own.character_stamps[variable] =
          add_scratch(unit, "took a character", 0, kMostEntries, 0, unit.model.players, true);
  });
}

void number_variables(ProgramContext& unit) {
  for (const model::Variable& v : unit.model.variables) number_variable(unit, v);
  for (const model::Pool& pool : unit.model.pools) number_pool(unit, pool);
  for (std::size_t i = 0; i < unit.model.variables.size(); ++i)
    if (unit.model.variables[i].dealt_from)
      unit.program.variable_infos[unit.ids.variable[i]].pool = unit.ids.pool[unit.model.variables[i].dealt_from->index];

  number_stamps(unit);
  unit.variables.active = add_scratch(unit, "active", 0, unit.model.players - 1, kNone, 1, true);
  unit.variables.turn_number = add_scratch(unit, "turn_number", 0, 0x7fffffff, 0, 1, true);
  unit.variables.round_number = add_scratch(unit, "round_number", 0, 0x7fffffff, 0, 1, true);
  unit.variables.play_over = add_scratch(unit, "play is over", 0, 1, 0, 1, true);
  unit.variables.ending = add_scratch(unit, "ending", 0, 0x7fffffff, 0);
  unit.variables.cancelled = add_scratch(unit, "cancelled", 0, 1, 0);
  unit.variables.dirty = add_scratch(unit, "dirty", 0, kAllDirt, kAllDirt);
  unit.variables.start_player = add_scratch(unit, "start player", 0, unit.model.players - 1, kNone);
  unit.variables.start_event = add_scratch(unit, "start event", 0, 0xffff, kNone);
  unit.program.active = unit.variables.active;
  unit.program.turn_number = unit.variables.turn_number;
  unit.program.round_number = unit.variables.round_number;
  unit.program.play_over = unit.variables.play_over;
  unit.program.start_player = unit.variables.start_player;
  unit.program.start_event = unit.variables.start_event;
}

// Assigns a separate hidden bit to each zone with arranged cards, so that a player can distinguish these cards from
// others (runtime/knowledge/knowledge.h). When no bits are left, the remaining zones have no such bit.
static void number_arranged(ProgramContext& unit) {
  Layout& layout = unit.program.layout;
  for (std::size_t z = 0; z < unit.model.zones.size(); ++z)
    for (const Int zone : {static_cast<Int>(z), unit.ids.facedown_zone[z]}) {
      if (zone < 0 || !unit.facts.orders.arranged[z]) continue;
      const ZoneSlot& slot = unit.program.zones[static_cast<std::size_t>(zone)];
      for (Int i = slot.first; i < slot.first + slot.owners * slot.copies; ++i) {
        ZoneInstance& instance = layout.instance[i];
        if (!instance.ordered || instance.hidden_bit < 0 || layout.hidden == kMaxHidden) continue;
        instance.arranged_bit = layout.hidden;
        layout.hidden_instance[layout.hidden++] = i;
      }
    }
}

// A zone that can contain face-down cards is followed by a second, hidden zone that stores these cards. Each player's
// knowledge of them then follows the same rules as for other hidden zones.
void number_zones(ProgramContext& unit) {
  Layout& layout = unit.program.layout;
  unit.ids.facedown_zone.assign(unit.model.zones.size(), -1);
  for (std::size_t z = 0; z < unit.model.zones.size(); ++z)
    if (unit.facts.secrecy.has_facedown()[z])
      unit.ids.facedown_zone[z] = static_cast<Int>(z);   // replaced below by the id of the face-down zone
  auto number = [&](std::size_t z, bool facedown) {
    const model::Zone& zone = unit.model.zones[z];
    ZoneSlot slot;
    slot.first = layout.instances;
    slot.owners = zone.per_player ? unit.model.players : 1;
    slot.copies = zone.copies;
    if (layout.instances + slot.owners * slot.copies > kMaxInstances) {
      too_large(unit, zone.range,
                fmt::format("`{1}` raises the number of zones above the limit of {0}", kMaxInstances, zone.name));
      slot.copies = 1;
      if (layout.instances + slot.owners > kMaxInstances) slot.first = 0, layout.instances = 0;
    }
    unit.program.zones.push_back(slot);
    ZoneInfo info;
    info.name = zone.name;
    info.shape = static_cast<ZoneShape>(zone.shape);
    info.per_player = zone.has_owner();
    info.copies = zone.each > 0 ? zone.each : zone.copies;
    info.facedown = facedown;
    if (zone.area) info.area = area_info(unit, *zone.area);
    unit.program.zone_infos.push_back(info);
    for (Int i = 0; i < slot.owners * slot.copies; ++i) {
      ZoneInstance& instance = layout.instance[layout.instances++];
      instance.zone = static_cast<Int>(unit.program.zones.size()) - 1;
      instance.owner = zone.has_owner() ? i / info.copies : -1;
      instance.shape = static_cast<Int>(zone.shape);
      Int everybody = (Int{1} << unit.model.players) - 1;
      const auto mates = [&](Int team) {   // all players on that team
        Int mask = 0;
        for (std::size_t seat = 0; seat < unit.model.teams.size(); ++seat)
          if (unit.model.teams[seat] == team) mask |= Int{1} << seat;
        return mask;
      };
      const bool of_team = zone.visibility == model::Visibility::team && !unit.model.teams.empty();
      instance.visible = facedown                                     ? 0
                         : zone.visibility == model::Visibility::open ? everybody
                         : of_team && zone.has_owner() ? mates(unit.model.teams[std::size_t(instance.owner)])
                         : of_team                     ? mates(i + 1)
                         : zone.visibility == model::Visibility::owner
                             ? (instance.owner >= 0 ? Int{1} << instance.owner : 0)
                             : 0;
      bool stacked = zone.shape == model::ZoneShape::pile || zone.shape == model::ZoneShape::row;
      instance.ordered = stacked && unit.facts.orders.read[z];
      if (instance.visible != everybody) {
        if (layout.hidden < kMaxHidden) {
          instance.hidden_bit = layout.hidden;
          layout.hidden_instance[layout.hidden++] = layout.instances - 1;
        } else {
          too_large(unit, zone.range, fmt::format("more than {} zones have hidden cards", kMaxHidden));
        }
      }
    }
  };
  for (std::size_t z = 0; z < unit.model.zones.size(); ++z) number(z, false);
  for (std::size_t z = 0; z < unit.model.zones.size(); ++z) {
    if (unit.ids.facedown_zone[z] < 0) continue;
    unit.ids.facedown_zone[z] = static_cast<Int>(unit.program.zones.size());
    unit.program.zone_infos[z].facedown_zone = unit.ids.facedown_zone[z];
    number(z, true);
    const ZoneSlot &up = unit.program.zones[z],
                   &down = unit.program.zones[static_cast<std::size_t>(unit.ids.facedown_zone[z])];
    for (Int i = 0; i < up.owners * up.copies && layout.instance[up.first].ordered; ++i)
      layout.instance[up.first + i].other_side = down.first + i,
                                 layout.instance[down.first + i].other_side = up.first + i;
  }
  number_arranged(unit);
  number_timed_zones(unit);
  for (std::size_t z = 0; z < unit.model.zones.size(); ++z) {
    // Each pile of the zone is refilled from the zone of the same player or part.
    if (!unit.model.zones[z].refill_from) continue;
    const ZoneSlot &to = unit.program.zones[z], &from = unit.program.zones[unit.model.zones[z].refill_from->index];
    for (Int i = 0; i < to.owners * to.copies; ++i) layout.instance[to.first + i].refill = from.first + i;
  }
}

// Assigns regions in the order that runtime/program/layout.h defines. Called after all code has been emitted, because
// emission adds scratch variables.
void place_regions(ProgramContext& unit) {
  Layout& l = unit.program.layout;
  l.players = unit.model.players;
  l.variables = static_cast<Int>(unit.program.variables.size());
  Int at = 0;
  auto take = [&](Int bytes, Int alignment) {
    at = align(at, alignment);
    Int from = at;
    at += bytes;
    return from;
  };
  auto place_variables = [&](bool rules) {
    for (Int width : {8, 4, 2, 1})   // widest first, to avoid gaps
      for (std::size_t v = 0; v < unit.program.variables.size(); ++v) {
        VariableSlot& slot = unit.program.variables[v];
        Int width_of = slot.is_set ? 8 : slot.bytes;
        if (unit.program.variable_infos[v].rules_state == rules && width_of == width)
          slot.offset = take(slot.bytes * slot.count, width);
      }
  };
  l.members = take(8 * l.words * l.instances, 8);
  l.ordered_end = 0, l.ordered_all = 1;
  for (Int i = 0; i < l.instances; ++i)
    if (l.instance[i].ordered) {
      if (l.ordered_end == 0)
        l.ordered_from = i;
      else if (l.ordered_end != i)
        l.ordered_all = 0;
      l.ordered_end = i + 1;
    }
  const bool any_ordered = l.ordered_end > 0;
  l.loose = take(any_ordered ? 8 * l.words : 0, 8);
  place_variables(true);
  l.in_game = take(2, 2);
  l.winners = take(2, 2);
  l.over = take(1, 1);
  for (Int i = 0; i < l.instances; ++i)
    if (l.instance[i].ordered) l.instance[i].ends = take(2 * l.card_bytes, l.card_bytes);
  // A face-down zone shares the `ends` of its face-up zone. The bytes assigned to it above remain unused, so that the
  // `ends` of all piles are adjacent.
  for (Int i = 0; i < l.instances; ++i)
    if (l.instance[i].other_side > i) l.instance[l.instance[i].other_side].ends = l.instance[i].ends;
  l.next = take(any_ordered ? l.card_ids * l.card_bytes : 0, l.card_bytes);
  at = align(at, 8);
  l.rules_end = at;
  if (unit.variables.stamps >= 0) {
    l.stamps = unit.program.variables[static_cast<std::size_t>(unit.variables.stamps)].offset;
    l.stamp_clock = unit.program.variables[static_cast<std::size_t>(unit.variables.stamp_clock)].offset;
  }
  l.scratch = at;
  place_variables(false);
  l.queue_entry = queue_entry_bytes(l);
  l.queue_length = unit.variables.queue_used ? 16 : 0;
  l.queue = take(8 + l.queue_length * l.queue_entry, 8);
  l.streams = take(stream_bytes(l), 8);
  l.decisions = take(4, 4);
  l.ended_by = take(2, 2);
  l.unknown = take(8 * l.words * l.players, 8);
  Int secrets = 0;
  for (std::size_t v = 0; v < unit.program.variables.size(); ++v)
    if (unit.program.variable_infos[v].secret) {
      unit.program.variable_infos[v].secret_first = secrets;
      secrets += unit.program.variables[v].count;
    }
  l.knows_variable = take(2 * secrets, 8);
  l.stack_top = take(4, 4);
  l.frames = at;
  if (at > kMostBytes)
    too_large(unit, {}, fmt::format("variables and zones take {} bytes; the limit is {}", at, kMostBytes));
}

}   // namespace cardwright::lower
