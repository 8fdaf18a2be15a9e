// Where everything lies: card ids with their guards, variables, zones, offsets of the State's regions.
#include <algorithm>
#include <map>

#include "compiler/lower/lowering.h"
#include "runtime/ops/knowledge.h"
#include "runtime/ops/queue.h"

namespace cardwright::lower {

namespace {

Int align(Int offset, Int to) { return (offset + to - 1) / to * to; }

Int bytes_for(Int codes) { return codes <= 0x100 ? 1 : codes <= 0x10000 ? 2 : codes <= (Int{1} << 32) ? 4 : 8; }

void set_bit(Word* set, Int bit) { set[bit / 64] |= Word{1} << (bit % 64); }

}  // namespace

// What people read on a card.
bool Lowering::is_printed(std::size_t attribute) const {
  const model::Attribute& a = model_.attributes[attribute];
  const auto shows = [&](const model::CardType& t) { return t.label.find("{" + a.name + "}") != std::string::npos; };
  return !a.unprinted || std::any_of(model_.card_types.begin(), model_.card_types.end(), shows);
}

// Is there any choice in which cards stand to choose from?
bool Lowering::somebody_chooses_cards() const {
  const auto chosen = [](const model::Action& a) {
    return a.play || a.head.carrier.kind == model::CarrierKind::card ||
           std::any_of(a.parameters.begin(), a.parameters.end(),
                       [](const model::ActionParameter& p) { return p.type.kind == model::TypeKind::card; });
  };
  const auto offers = [](const model::Stmt& s) {
    if (s.kind == model::StmtKind::choose)
      return s.exprs[4] && s.exprs[4]->type.elem && s.exprs[4]->type.elem->kind == model::TypeKind::card;
    return s.kind == model::StmtKind::move && s.exprs.size() > 3 && s.exprs[3];            // who picks the top
  };
  return std::any_of(model_.actions.begin(), model_.actions.end(), chosen) ||
         std::any_of(model_.stmts.begin(), model_.stmts.end(), offers);
}

bool Lowering::is_of_type(Int kind, std::uint32_t type) const {
  std::optional<model::CardTypeId> at = model_.kinds[static_cast<std::size_t>(kind)].type;
  while (at && at->index != type) at = model_.card_types[at->index].base;
  return at.has_value();
}

// Of `T per Plain` each copy has an entry, so no two of them are alike.
bool Lowering::has_own_entry(const model::Card& card) const {
  const auto names = [&](const model::Type& key) {
    return key.kind == model::TypeKind::card &&
           (key.ref >= model_.card_types.size() || is_of_type(card.kind.index, key.ref));
  };
  return std::any_of(model_.variables.begin(), model_.variables.end(),
                     [&](const model::Variable& v) { return std::any_of(v.indices.begin(), v.indices.end(), names); });
}

// Copies that no rule can tell apart form a class, and where cards are chosen, copies that look alike to people.
// Classes are runs of ids; a class of several copies is followed by an unused id, its guard, which lets one subtraction
// find the lowest copy of every class at once.
void Lowering::number_cards() {
  std::vector<bool> read = analysis::attributes_read(model_);
  const bool by_print = somebody_chooses_cards();
  auto key = [&](const model::Card& card) {
    std::vector<Int> k{card.kind.index};
    for (std::size_t a = 0; a < card.attributes.size(); ++a) k.push_back(read[a] ? card.attributes[a] : 0);
    if (has_own_entry(card)) k.push_back(&card - model_.cards.data());
    for (std::size_t a = 0; a < card.attributes.size(); ++a)
      k.push_back(by_print && !read[a] && is_printed(a) ? card.attributes[a] : 0);
    return k;
  };
  std::map<std::vector<Int>, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < model_.cards.size(); ++i) classes[key(model_.cards[i])].push_back(i);

  Layout& layout = program_.layout;
  card_id_.assign(model_.cards.size(), 0);
  Int id = 0;
  for (auto& [k, members] : classes) {
    Int start = id;
    for (std::size_t card : members) {
      card_id_[card] = id++;
      id_card_.push_back(static_cast<Int>(card));
      class_of_.push_back(class_count_);
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
      id_card_.push_back(-1);
      class_of_.push_back(class_count_);
    }
    ++class_count_;
  }
  layout.card_ids = id;
  const Int on_boards = most_on_board();                   // the cells of a board share the words of card sets
  layout.words = std::max<Int>(layout.words, (on_boards + 63) / 64);
  layout.words = std::max<Int>(layout.words, (id + 63) / 64);
  const auto of_sets = [&](const model::Type& t) { return t.kind == model::TypeKind::list && is_wide(*t.elem); };
  const bool lists =
      std::any_of(model_.variables.begin(), model_.variables.end(), [&](const auto& v) { return of_sets(v.type); }) ||
      std::any_of(model_.exprs.begin(), model_.exprs.end(), [&](const auto& e) { return of_sets(e.type); });
  if (lists) {                                             // their highest bit says that a set is there: see kThere
    const Int most = std::max(id, on_boards);
    if (most >= 64 * kMaxWords)
      too_large({}, fmt::format("where there are lists of sets a board has at most {} cells", 64 * kMaxWords - 1));
    layout.words = std::min<Int>(most / 64 + 1, kMaxWords);
  }
  layout.card_bytes = bytes_for(id + 1);
  layout.capacity = static_cast<Int>(model_.cards.size());
  if (id > kMaxCardIds) {
    too_large(model_.kinds[model_.cards.back().kind.index].range,
              fmt::format("{} cards need {} ids, and {} is the limit", model_.cards.size(), id, kMaxCardIds));
    return;
  }
  for (Int card : card_id_) set_bit(layout.all_cards, card);
}

// How many elements a set of cells can have, or one of edges where there are any.
Int Lowering::most_on_board() const {
  Int most = 0;
  for (const model::Board& board : model_.boards) {
    const auto of_edges = [&](const model::Type& t) {
      return t.kind == model::TypeKind::set && t.elem->kind == model::TypeKind::enumeration &&
             t.elem->ref == board.edges.index;
    };
    const auto holds = [&](const auto& x) { return of_edges(x.type) || (x.type.elem && of_edges(*x.type.elem)); };
    const auto speaks_of = [&](const model::Expr& e) { return holds(e) && !called_.never.contains(&e); };
    const auto covers_edges = [&](const model::Shapes& s) {
      return !s.lengths.empty() && &model_.boards[s.board] == &board;
    };
    const bool edges = std::any_of(model_.shapes.begin(), model_.shapes.end(), covers_edges) ||
                       std::any_of(model_.variables.begin(), model_.variables.end(), holds) ||
                       std::any_of(model_.exprs.begin(), model_.exprs.end(), speaks_of);
    most = std::max(most, std::max(board.width * board.height, edges ? Int(board.between.size()) : Int{0}));
  }
  return most;
}

Int Lowering::add_variable(VariableSlot slot, VariableInfo info, bool rules_state) {
  info.rules_state = rules_state;
  slot.offset = -1;                                        // placed by place_regions
  if (slot.is_set) {
    slot.bytes = 8 * program_.layout.words;
  } else {
    slot.bytes = bytes_for(slot.hi - slot.lo + 1 + slot.bias);
  }
  program_.variables.push_back(slot);
  program_.variable_infos.push_back(std::move(info));
  return static_cast<Int>(program_.variables.size() - 1);
}

Int Lowering::add_scratch(std::string name, Int lo, Int hi, Int initial, Int count, bool rules_state) {
  VariableSlot slot;
  slot.count = count;
  slot.lo = lo;
  slot.hi = hi;
  slot.initial = initial;
  if (initial == kNone) slot.optional = 1, slot.bias = 2;
  VariableInfo info;
  info.name = std::move(name);
  info.hidden = true;
  return add_variable(slot, std::move(info), rules_state);
}

Int Lowering::add_scratch_sets(std::string name, const model::Type& element, Int count, bool rules_state) {
  VariableSlot slot;
  slot.count = count;
  slot.is_set = 1;
  VariableInfo info;
  info.name = std::move(name);
  info.hidden = true;
  info.kind = element.kind == model::TypeKind::card ? ValueKind::card_set : ValueKind::cell_set;
  info.enumeration = enumeration_of(element);
  return add_variable(slot, std::move(info), rules_state);
}

Int Lowering::add_scratch_list(std::string name, const model::Type& list) {
  VariableSlot slot;
  VariableInfo info;
  describe_list(list, slot, info);
  if (info.kind == ValueKind::integer) slot.lo = -kUnlimited, slot.hi = kUnlimited;
  slot.count = info.run();
  info.name = std::move(name);
  info.hidden = true;
  return add_variable(slot, std::move(info), false);
}

void Lowering::describe_list(const model::Type& list, VariableSlot& slot, VariableInfo& info) {
  const bool of_lists = list.elem->kind == model::TypeKind::list;
  const model::Type& one = of_lists ? *list.elem->elem : *list.elem;
  const Bounds range = bounds(one);
  slot.lo = range.lo;
  slot.hi = range.hi;
  slot.optional = one.optional;
  slot.is_set = is_wide(one);
  slot.bias = 2;
  slot.initial = slot.is_set ? 0 : kUnset;
  info.kind = value_kind(one);
  info.list = list.most;
  info.inner = of_lists ? list.elem->most : 0;
}

// A place for a value of any type, to which other rules can reach.
Int Lowering::add_scratch_for(const std::string& name, const model::Type& type) {
  if (type.kind == model::TypeKind::list) return add_scratch_list(name, type);
  if (is_wide(type)) return add_scratch_sets(name, *type.elem);
  Bounds range = bounds(type);
  if (type.kind == model::TypeKind::integer || type.kind == model::TypeKind::set) range = {-kUnlimited, kUnlimited};
  if (is_mask(type)) range = {0, (Int{1} << 62) - 1};
  const Int variable = add_scratch(name, range.lo, range.hi, kNone);
  VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(variable)];
  info.kind = value_kind(type);                            // who exchanges hidden cards looks for them there
  info.enumeration = enumeration_of(type);
  return variable;
}

ValueKind Lowering::value_kind(const model::Type& type) const {
  switch (type.kind) {
    case model::TypeKind::boolean: return ValueKind::boolean;
    case model::TypeKind::player: return ValueKind::player;
    case model::TypeKind::card: return ValueKind::card;
    case model::TypeKind::enumeration: return ValueKind::enumeration;
    case model::TypeKind::kind: return ValueKind::kind;
    case model::TypeKind::set:
      return type.elem->kind == model::TypeKind::card     ? ValueKind::card_set
             : is_wide(type)                              ? ValueKind::cell_set
             : type.elem->kind == model::TypeKind::player ? ValueKind::player_set
                                                          : ValueKind::other_set;
    case model::TypeKind::integer:
      if (type.ref >= model_.areas.size()) return ValueKind::integer;
      return model_.areas[type.ref].is_thing() ? ValueKind::piece
             : model_.areas[type.ref].each > 0 ? ValueKind::part
                                               : ValueKind::integer;
    default: return ValueKind::integer;
  }
}

Int Lowering::enumeration_of(const model::Type& type) const {
  if (type.kind == model::TypeKind::enumeration) return type.ref;
  if (type.kind == model::TypeKind::integer && type.ref == model::kDurationRef) return kOfTime;
  if (value_kind(type) == ValueKind::piece) return placed_info(type.ref);
  return value_kind(type) == ValueKind::part ? model_.areas[type.ref].each : -1;
}

Bounds Lowering::bounds(const model::Type& type) const {
  switch (type.kind) {
    case model::TypeKind::boolean: return {0, 1};
    case model::TypeKind::player: return {0, model_.players - 1};
    case model::TypeKind::card: return {0, std::max<Int>(0, program_.layout.card_ids - 1)};
    case model::TypeKind::enumeration: return {0, std::max<Int>(0, Int(model_.enums[type.ref].constants.size()) - 1)};
    case model::TypeKind::kind: return {0, std::max<Int>(0, Int(model_.kinds.size()) - 1)};
    case model::TypeKind::integer: case model::TypeKind::listed: return {type.lo, type.hi};
    case model::TypeKind::set: return {0, (Int{1} << 62) - 1};   // masks: stored whole
    default: return {0, 0};
  }
}

void Lowering::number_variables() {
  for (const model::Variable& v : model_.variables) {
    VariableSlot slot;
    VariableInfo info;
    const bool list = v.type.kind == model::TypeKind::list;
    const model::Type* type = list ? v.type.elem.get() : &v.type;
    if (list && type->kind == model::TypeKind::list) type = type->elem.get();
    info.name = v.name;
    info.declared = model::to_string(model_, v.type);
    info.where = v.range;
    info.kind = value_kind(*type);
    info.enumeration = !type->elem                                           ? enumeration_of(*type)
                       : type->elem->kind == model::TypeKind::enumeration ? Int{type->elem->ref}
                       : type->elem->kind == model::TypeKind::kind        ? kOfKinds
                                                                             : -1;
    info.per_player = v.per_player || v.each > 0;
    info.secret = v.visibility != model::Visibility::open;
    info.owner_knows = v.visibility != model::Visibility::hidden;
    if (v.dealt_from) info.pool = v.dealt_from->index;     // a pool index until pools have variables
    slot.count = v.per_player ? model_.players : 1;
    for (const model::Type& index : v.indices) {
      Bounds b = bounds(index);
      slot.count *= b.hi - b.lo + 1;
      info.keys.push_back({value_kind(index), enumeration_of(index), b.lo, b.hi - b.lo + 1});
    }
    if (!info.keys.empty() && info.keys[0].kind == ValueKind::piece) info.placed = info.keys[0].enumeration;
    else if (model_.lying &&
             (&v == &model_.variables[model_.lying->placing.at.index] ||
              (model_.lying->placing.facing && &v == &model_.variables[model_.lying->placing.facing->index])))
      info.placed =
          std::count_if(model_.areas.begin(), model_.areas.end(), [](const model::Area& a) { return a.is_thing(); });
    else if (v.each > 0) info.keys[0] = {ValueKind::integer, -1, 1, v.each};   // people count those of each player
    if (list) describe_list(v.type, slot, info), slot.count *= info.run();
    if (slot.count > 4096)
      too_large(v.range, fmt::format("`{}` has {} values, and 4096 is the limit", v.name, slot.count));
    slot.is_set = is_wide(*type);
    Bounds b = bounds(*type);
    slot.lo = b.lo;
    slot.hi = b.hi;
    slot.optional = type->optional;
    slot.bias = slot.optional || v.can_be_unset || list ? 2 : 0;
    if (slot.is_set && v.initial && !v.initial->values.empty()) {
      std::vector<Word> words(static_cast<std::size_t>(program_.layout.words));
      for (Int element : v.initial->values) set_bit(words.data(), element);
      program_.initial_sets.push_back({Int(program_.variables.size()), std::move(words)});
    }
    slot.initial = slot.is_set        ? 0
                   : list             ? kUnset
                   : v.initial        ? constant_value(*v.initial)
                   : type->optional   ? kNone
                   : v.can_be_unset   ? kUnset
                                      : (type->kind == model::TypeKind::integer ? std::clamp<Int>(0, b.lo, b.hi) : 0);
    variable_of_.push_back(add_variable(slot, std::move(info), true));
  }
  for (const model::Pool& pool : model_.pools) {
    VariableSlot slot;
    slot.count = static_cast<Int>(pool.counts.size());
    for (Int n : pool.counts) slot.hi = std::max(slot.hi, n);
    VariableInfo info;
    info.name = pool.name;
    info.where = pool.range;
    info.hidden = true;
    info.enumeration = pool.element.index;
    pool_variable_.push_back(add_variable(slot, std::move(info), true));
  }
  for (std::size_t i = 0; i < model_.variables.size(); ++i)
    if (model_.variables[i].dealt_from)
      program_.variable_infos[variable_of_[i]].pool = pool_variable_[model_.variables[i].dealt_from->index];

  active_ = add_scratch("active", 0, model_.players - 1, kNone, 1, true);
  turn_number_ = add_scratch("turn_number", 0, 0x7fffffff, 0, 1, true);
  round_number_ = add_scratch("round_number", 0, 0x7fffffff, 0, 1, true);
  play_over_ = add_scratch("play is over", 0, 1, 0, 1, true);
  ending_ = add_scratch("ending", 0, 0x7fffffff, 0);
  cancelled_ = add_scratch("cancelled", 0, 1, 0);
  dirty_ = add_scratch("dirty", 0, kAllDirt, kAllDirt);
  start_player_ = add_scratch("start player", 0, model_.players - 1, kNone);
  start_event_ = add_scratch("start event", 0, 0xffff, kNone);
  program_.active = active_;
  program_.turn_number = turn_number_;
  program_.round_number = round_number_;
  program_.play_over = play_over_;
  program_.start_player = start_player_;
  program_.start_event = start_event_;
}

// Arranged cards are a place of their own, by which a player tells them from others (runtime/knowledge.h); if places
// run out, they are not.
void Lowering::number_arranged() {
  Layout& layout = program_.layout;
  for (std::size_t z = 0; z < model_.zones.size(); ++z)
    for (const Int zone : {static_cast<Int>(z), facedown_zone_[z]}) {
      if (zone < 0 || !orders_.arranged[z]) continue;
      const ZoneSlot& slot = program_.zones[static_cast<std::size_t>(zone)];
      for (Int i = slot.first; i < slot.first + slot.owners * slot.copies; ++i) {
        ZoneInstance& instance = layout.instance[i];
        if (!instance.ordered || instance.hidden_bit < 0 || layout.hidden == kMaxHidden) continue;
        instance.arranged_bit = layout.hidden;
        layout.hidden_instance[layout.hidden++] = i;
      }
    }
}

// A zone in which cards may lie face down has a second, hidden one behind it that holds those: so what each player
// knows of them follows like all else.
void Lowering::number_zones() {
  Layout& layout = program_.layout;
  facedown_zone_.assign(model_.zones.size(), -1);
  for (std::size_t z = 0; z < model_.zones.size(); ++z)
    if (secrecy_.has_facedown()[z]) facedown_zone_[z] = static_cast<Int>(z);   // its own number follows below
  auto number = [&](std::size_t z, bool facedown) {
    const model::Zone& zone = model_.zones[z];
    ZoneSlot slot;
    slot.first = layout.instances;
    slot.owners = zone.per_player ? model_.players : 1;
    slot.copies = zone.copies;
    if (layout.instances + slot.owners * slot.copies > kMaxInstances) {
      too_large(zone.range, fmt::format("the zones come to more than {} with `{}`", kMaxInstances, zone.name));
      slot.copies = 1;
      if (layout.instances + slot.owners > kMaxInstances) slot.first = 0, layout.instances = 0;
    }
    program_.zones.push_back(slot);
    ZoneInfo info;
    info.name = zone.name;
    info.shape = static_cast<ZoneShape>(zone.shape);
    info.per_player = zone.has_owner();
    info.copies = zone.each > 0 ? zone.each : zone.copies;
    info.facedown = facedown;
    program_.zone_infos.push_back(info);
    for (Int i = 0; i < slot.owners * slot.copies; ++i) {
      ZoneInstance& instance = layout.instance[layout.instances++];
      instance.zone = static_cast<Int>(program_.zones.size()) - 1;
      instance.owner = zone.has_owner() ? i / info.copies : -1;
      instance.shape = static_cast<Int>(zone.shape);
      Int everybody = (Int{1} << model_.players) - 1;
      const auto mates = [&](Int team) {                   // all of that team
        Int mask = 0;
        for (std::size_t seat = 0; seat < model_.teams.size(); ++seat)
          if (model_.teams[seat] == team) mask |= Int{1} << seat;
        return mask;
      };
      const bool of_team = zone.visibility == model::Visibility::team && !model_.teams.empty();
      instance.visible = facedown                                     ? 0
                         : zone.visibility == model::Visibility::open ? everybody
                         : of_team && zone.has_owner()                ? mates(model_.teams[std::size_t(instance.owner)])
                         : of_team                                    ? mates(i + 1)
                         : zone.visibility == model::Visibility::owner
                             ? (instance.owner >= 0 ? Int{1} << instance.owner : 0)
                             : 0;
      bool stacked = zone.shape == model::ZoneShape::pile || zone.shape == model::ZoneShape::row;
      instance.ordered = stacked && orders_.read[z];
      if (instance.visible != everybody) {
        if (layout.hidden < kMaxHidden) {
          instance.hidden_bit = layout.hidden;
          layout.hidden_instance[layout.hidden++] = layout.instances - 1;
        } else {
          too_large(zone.range, fmt::format("more than {} zones hide their cards", kMaxHidden));
        }
      }
    }
  };
  for (std::size_t z = 0; z < model_.zones.size(); ++z) number(z, false);
  for (std::size_t z = 0; z < model_.zones.size(); ++z) {
    if (facedown_zone_[z] < 0) continue;
    facedown_zone_[z] = static_cast<Int>(program_.zones.size());
    program_.zone_infos[z].facedown_zone = facedown_zone_[z];
    number(z, true);
    const ZoneSlot &up = program_.zones[z], &down = program_.zones[static_cast<std::size_t>(facedown_zone_[z])];
    for (Int i = 0; i < up.owners * up.copies && layout.instance[up.first].ordered; ++i)
      layout.instance[up.first + i].other_side = down.first + i,
                                 layout.instance[down.first + i].other_side = up.first + i;
  }
  number_arranged();
  for (std::size_t z = 0; z < model_.zones.size(); ++z) {
    // each of its piles from the zone of the same player or part
    if (!model_.zones[z].refill_from) continue;
    const ZoneSlot &to = program_.zones[z], &from = program_.zones[model_.zones[z].refill_from->index];
    for (Int i = 0; i < to.owners * to.copies; ++i) layout.instance[to.first + i].refill = from.first + i;
  }
}

// Regions in the order of program/layout.h. Called when all code is written: scratch variables are made on the way.
void Lowering::place_regions() {
  Layout& l = program_.layout;
  l.players = model_.players;
  l.variables = static_cast<Int>(program_.variables.size());
  Int at = 0;
  auto take = [&](Int bytes, Int alignment) {
    at = align(at, alignment);
    Int from = at;
    at += bytes;
    return from;
  };
  auto place_variables = [&](bool rules) {
    for (Int width : {8, 4, 2, 1})                         // wide ones first: no gaps
      for (std::size_t v = 0; v < program_.variables.size(); ++v) {
        VariableSlot& slot = program_.variables[v];
        Int unit = slot.is_set ? 8 : slot.bytes;
        if (program_.variable_infos[v].rules_state == rules && unit == width)
          slot.offset = take(slot.bytes * slot.count, width);
      }
  };
  l.members = take(8 * l.words * l.instances, 8);
  l.ordered_end = 0, l.ordered_all = 1;
  for (Int i = 0; i < l.instances; ++i)
    if (l.instance[i].ordered) {
      if (l.ordered_end == 0) l.ordered_from = i;
      else if (l.ordered_end != i) l.ordered_all = 0;
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
  // its own place stays empty: so tops of piles lie side by side
  for (Int i = 0; i < l.instances; ++i)
    if (l.instance[i].other_side > i) l.instance[l.instance[i].other_side].ends = l.instance[i].ends;
  l.next = take(any_ordered ? l.card_ids * l.card_bytes : 0, l.card_bytes);
  at = align(at, 8);
  l.rules_end = at;
  l.scratch = at;
  place_variables(false);
  l.queue_entry = queue_entry_bytes(l);
  l.queue_length = queue_used_ ? 16 : 0;
  l.queue = take(8 + l.queue_length * l.queue_entry, 8);
  l.streams = take(stream_bytes(l), 8);
  l.decisions = take(4, 4);
  l.ended_by = take(2, 2);
  l.unknown = take(8 * l.words * l.players, 8);
  Int secrets = 0;
  for (std::size_t v = 0; v < program_.variables.size(); ++v)
    if (program_.variable_infos[v].secret) {
      program_.variable_infos[v].secret_first = secrets;
      secrets += program_.variables[v].count;
    }
  l.knows_variable = take(2 * secrets, 8);
  l.stack_top = take(4, 4);
  l.frames = at;
}

// After the frames' size is known: knowledge, then the initial bytes.
void finish_layout(Program& program, Int frame_bytes) {
  Layout& l = program.layout;
  l.frames_end = l.frames + frame_bytes;
  l.size = lay_out_knowledge(l, align(l.frames_end, 8));
  l.live_end = program.knowledge_in_playout ? l.stack_top : l.unknown;
}

}  // namespace cardwright::lower
