// Sets up the table of a scenario: places cards in zones and cells, assigns variables, and reveals cards to players.
#include "api/scenarios/placing.h"

#include <algorithm>

#include <fmt/format.h>

#include "runtime/ops/ops.h"
#include "runtime/knowledge/knowledge.h"
#include "runtime/trap_words.h"

namespace cardwright::api::detail {

bool matches(const Program& program, const model::CardMatch& match, Int card) {
  const CardInfo& info = program.cards[static_cast<std::size_t>(card)];
  if (info.kind < 0) return false;
  if (match.kind && static_cast<Int>(match.kind->index) != info.kind) return false;
  return std::all_of(match.attributes.begin(), match.attributes.end(), [&](const auto& wanted) {
    return wanted.first.index < info.attributes.size() && info.attributes[wanted.first.index] == wanted.second;
  });
}

Int entry_of(const VariableInfo& variable, Int owner, std::span<const Int> keys) {
  Int index = variable.per_player ? owner : 0;
  for (std::size_t k = 0; k < variable.keys.size() && k < keys.size(); ++k)
    index = index * variable.keys[k].count + keys[k] - variable.keys[k].first;
  return index;
}

void Placing::give(const model::Given& given) {
  switch (given.kind) {
    case model::Given::Kind::variable:
    case model::Given::Kind::set:
    case model::Given::Kind::list:
      variables_.push_back(&given);   // assigned after all cards are placed
      if (!laid_) return;
      setting_ = variables_.size() - 1;
      return set_variable(given);
    case model::Given::Kind::zone: return want(given, 0);
    case model::Given::Kind::top: return want(given, 1);
    case model::Given::Kind::bottom: return want(given, 2);
    case model::Given::Kind::on_cell:
      return void(wanted_.push_back(
          {&given.cards[0], zone_instance(program_, static_cast<Int>(given.zone.index), 0, 0), 1, kNone, &given}));
    case model::Given::Kind::knows: return knowledge_.push_back(&given);
    case model::Given::Kind::out:
    case model::Given::Kind::only_in: return set_players(given);
  }
}

void Placing::set_players(const model::Given& given) {
  std::uint64_t mask = 0;
  for (const std::int64_t seat : given.seats) mask |= std::uint64_t{1} << seat;
  const std::uint64_t in = players_in(program_, state_.bytes.get());
  const auto now = static_cast<std::uint16_t>(given.kind == model::Given::Kind::out ? in & ~mask : mask);
  write(state_.bytes.get() + program_.layout.in_game, now);
}

void Placing::refuse(const model::Given& given, cardwright::Game& context, Trap trap) const {
  context.trap = trap;
  const std::string details = trap_details(program_, context);
  throw Impossible{given.range, details.empty() ? trap_text(trap) : details};
}

// Returns the card that a scenario computes from the current table: `last = top of discard`.
Int Placing::computed(const model::Given& given, std::size_t claim) const {
  Failure failure;
  const auto value = call(state_, program_.claims[claim], {}, &failure);
  if (!value) throw Impossible{given.range, failure.text()};
  return *value;
}

// Returns the keys of an entry. If a variable is indexed by cards, each copy has its own entry, and each mention of a
// card in the lines about this variable refers to another copy.
std::vector<Int> Placing::keys_of(const model::Given& given) {
  std::vector<Int> keys = given.indices;
  if (given.computed_index) {
    const auto& [place, claim] = *given.computed_index;
    if ((keys[place] = computed(given, claim)) < 0)
      throw Impossible{given.range, "the index is not a card: the zone is empty, or the variable is `none`"};
  }
  if (!given.card_index) return keys;
  const auto& [place, match] = *given.card_index;
  std::vector<Int>& used = named_.keys[given.variable.index];
  const auto placed = copy_before(match, given.seats.size() == 1 ? given.seats[0] : kNone, used);
  keys[place] = placed ? *placed : copy_for(match, kNone, used);
  used.push_back(keys[place]);
  return keys;
}

// Returns an unused copy that a `given` places, preferably one in a zone of this player.
std::optional<Int> Placing::copy_before(const model::CardMatch& match, Int whose, std::span<const Int> used) const {
  for (const bool own : {true, false})
    for (const Wanted& w : wanted_)
      if ((program_.layout.instance[w.instance].owner == whose) == own && w.card >= 0 &&
          matches(program_, match, w.card) && std::find(used.begin(), used.end(), w.card) == used.end())
        return w.card;
  return std::nullopt;
}

// Returns a matching card. If several cards match, returns an unused one: preferably a card that a `given` places,
// otherwise the card with the lowest id.
Int Placing::copy_for(const model::CardMatch& match, Int whose, std::span<const Int> used) const {
  std::vector<Int> such;
  for (Int card = 0; card < static_cast<Int>(program_.cards.size()); ++card)
    if (matches(program_, match, card)) such.push_back(card);
  if (such.empty()) throw Impossible{match.range, too_few(match)};
  if (such.size() == 1) return such[0];
  if (const auto placed = copy_before(match, whose, used)) return *placed;
  for (const Int card : such)
    if (std::find(used.begin(), used.end(), card) == used.end()) return card;
  throw Impossible{
      match.range,
      fmt::format("each mention of `{}` refers to a different copy, and there are only {}; to mention a card "
                  "again, write its location: `last = top of discard`, `last = a.charm`",
                  program_.sources->text(match.range), such.size())};
}

// Returns true if a later `given` sets the same entry; a scenario can override the entries of its scene.
bool Placing::replaced(std::size_t at, std::size_t owner) const {
  const model::Given& given = *variables_[at];
  if (given.card_index || given.computed_index) return false;
  for (std::size_t later = at + 1; later < variables_.size(); ++later) {
    const model::Given& other = *variables_[later];
    const bool same_entry = other.variable.index == given.variable.index && other.indices == given.indices &&
                            !other.card_index && !other.computed_index;
    if (same_entry && (given.seats.empty() ||
                       std::find(other.seats.begin(), other.seats.end(), given.seats[owner]) != other.seats.end()))
      return true;
  }
  return false;
}

// Returns the values for the owner-th seat of the `given`. `chosen` contains the cards assigned to earlier seats.
std::vector<Int> Placing::values_of(const model::Given& given, std::size_t owner, std::vector<Int>& chosen) {
  const bool one = given.kind == model::Given::Kind::variable;
  if (given.computed) return {computed(given, *given.computed)};
  if (given.cards.empty()) {
    if (!one) return given.values;
    return {given.values.empty() ? kNone : given.values[std::min(owner, given.values.size() - 1)]};
  }
  const Int whose = given.seats.empty() ? kNone : given.seats[owner];
  const bool one_each = one && given.cards.size() > 1;
  if (one && !one_each && !chosen.empty()) {   // all seats share one card, except seats with a copy of their own
    const auto own = copy_before(given.cards[0], whose, named_.cards);
    const Layout& l = program_.layout;
    const bool theirs = own && l.instance[find_zone(state_.bytes.get(), l, *own)].owner == whose;
    return {theirs ? *own : chosen[0]};
  }
  std::vector<Int> cards;
  const std::size_t first = one_each ? owner : 0, end = one ? first + 1 : given.cards.size();
  for (std::size_t i = first; i < end; ++i) {
    const model::CardMatch& match = given.cards[i];
    const Int card = copy_for(match, whose, named_.cards);
    if (std::find(cards.begin(), cards.end(), card) != cards.end()) throw Impossible{match.range, too_few(match)};
    cards.push_back(card);
    named_.cards.push_back(card);
  }
  return cards;
}

void Placing::set_variable(const model::Given& given) {
  const VariableInfo& info = program_.variable_infos[given.variable.index];
  const std::size_t owners = given.seats.empty() ? 1 : given.seats.size();
  const std::vector<Int> keys = keys_of(given);
  std::vector<Int> chosen;
  for (std::size_t i = 0; i < owners; ++i) {
    if (replaced(setting_, i)) continue;
    const std::vector<Int> values = values_of(given, i, chosen);
    chosen.insert(chosen.end(), values.begin(), values.end());
    store(given, entry_of(info, given.seats.empty() ? 0 : given.seats[i], keys), values);
  }
}

void Placing::store(const model::Given& given, Int index, const std::vector<Int>& values) {
  const VariableSlot& slot = program_.variables[given.variable.index];
  const VariableInfo& info = program_.variable_infos[given.variable.index];
  Byte* const s = state_.bytes.get();
  if (given.kind == model::Given::Kind::set) return put_set(given, slot, index, values);
  if (given.kind == model::Given::Kind::list && (slot.is_set || info.inner > 0))
    return put_rows(given, slot, info, index);
  cardwright::Game context = fresh_context(*state_.game);
  if (given.kind == model::Given::Kind::list) {
    std::vector<Int> list(std::max(static_cast<std::size_t>(info.list), values.size()) + 1, 0);
    list[0] = static_cast<Int>(values.size());
    std::copy(values.begin(), values.end(), list.begin() + 1);
    if (const Trap trap = op_list_store(context, s, program_.layout, list.data(), static_cast<Int>(list.size()), slot,
                                        index, info.list);
        trap != Trap::none)
      refuse(given, context, trap);
    return;
  }
  const Int value = values[0];
  if (const Trap trap = op_store(context, s, program_.layout, slot, index, value); trap != Trap::none)
    refuse(given, context, trap);
  if (info.pool < 0 || value < 0) return;
  Int left = 0;   // number of items in the pool, from which explicitly placed items are removed
  const VariableSlot& pool = program_.variables[static_cast<std::size_t>(info.pool)];
  if (op_load(context, s, program_.layout, pool, value, left) == Trap::none && left > 0)
    op_store(context, s, program_.layout, pool, value, left - 1);
}

// Stores a list of sets or lists.
void Placing::put_rows(const model::Given& given, const VariableSlot& slot, const VariableInfo& info, Int index) {
  const Int each = slot.is_set ? program_.layout.words : info.inner + 1;
  std::vector<Int> list{static_cast<Int>(given.rows.size()) * each};
  for (const std::vector<Int>& row : given.rows) {
    std::vector<Int> item(static_cast<std::size_t>(each), 0);
    if (!slot.is_set) item[0] = static_cast<Int>(row.size()), std::copy(row.begin(), row.end(), item.begin() + 1);
    for (const Int element : row)
      if (slot.is_set && element >= 0 && element < 64 * each)
        item[static_cast<std::size_t>(element / 64)] |= static_cast<Int>(Word{1} << (element % 64));
    list.insert(list.end(), item.begin(), item.end());
  }
  cardwright::Game context = fresh_context(*state_.game);
  Byte* const s = state_.bytes.get();
  const auto room = static_cast<Int>(list.size());
  const Trap trap =
      slot.is_set
          ? op_list_store_sets(context, s, program_.layout, list.data(), room, slot, index, info.list)
          : op_list_store_lists(context, s, program_.layout, list.data(), room, slot, index, info.list, info.inner);
  if (trap != Trap::none) refuse(given, context, trap);
}

// Stores a set: in several words for a set variable, otherwise as a mask in one integer.
void Placing::put_set(const model::Given& given, const VariableSlot& slot, Int index,
                      const std::vector<Int>& elements) const {
  const Int most = slot.is_set ? 64 * program_.layout.words - 1 : model::kMostInSet;
  Word words[kMaxWords] = {};
  for (const Int e : elements) {
    if (e < 0 || e > most) throw Impossible{given.range, fmt::format("a set can contain 0 to {}, not {}", most, e)};
    words[e / 64] |= Word{1} << e % 64;
  }
  if (!has_index(slot, index))
    throw Impossible{given.range, fmt::format("index {} is out of range: the table has {} entries", index, slot.count)};
  Byte* at = state_.bytes.get() + slot.offset + index * slot.bytes;
  if (slot.is_set)
    std::memcpy(at, words, static_cast<std::size_t>(8 * program_.layout.words));
  else
    write_bytes(at, slot.bytes, encode_value(slot, static_cast<Int>(words[0])));
}

void Placing::want(const model::Given& given, int where) {
  const std::vector<std::int64_t> owners = given.seats.empty() ? std::vector<std::int64_t>{0} : given.seats;
  const Int copy = given.indices.empty() ? 0 : given.indices[0];
  const Int zone =
      given.facedown ? program_.zone_infos[given.zone.index].facedown_zone : static_cast<Int>(given.zone.index);
  if (zone < 0) throw Impossible{given.range, "this zone never contains face-down cards in this game"};
  for (const std::int64_t owner : owners) {
    const Int instance = zone_instance(program_, zone, owner, copy);
    // This `given` replaces the contents that the scene defines for the same part of the zone.
    std::erase_if(wanted_, [&](const Wanted& w) { return w.instance == instance && w.where == where; });
    if (where == 0 && !given.facedown) {
      cleared_.push_back(instance);
      if (const Int down = program_.zone_infos[given.zone.index].facedown_zone; down >= 0)
        cleared_.push_back(zone_instance(program_, down, owner, copy));
    }
    for (const model::CardMatch& match : given.cards) wanted_.push_back({&match, instance, where, kNone});
  }
}

std::string Placing::too_few(const model::CardMatch& match) const {
  return fmt::format("the game does not have that many `{}`", program_.sources->text(match.range));
}

void Placing::choose_cards(bool with_kind) {
  for (Wanted& wanted : wanted_) {
    if (wanted.match->kind.has_value() != with_kind) continue;
    for (Int card = 0; card < static_cast<Int>(program_.cards.size()) && wanted.card == kNone; ++card) {
      const bool taken = std::any_of(wanted_.begin(), wanted_.end(), [&](const Wanted& w) { return w.card == card; });
      if (!taken && matches(program_, *wanted.match, card)) wanted.card = card;
    }
    if (wanted.card == kNone) throw Impossible{wanted.match->range, too_few(*wanted.match)};
  }
}

void Placing::put(Int card, Int instance, bool bottom) {
  const Layout& l = program_.layout;
  Byte* s = state_.bytes.get();
  if (const Int from = find_zone(s, l, card); from != kNone) leave_zone(s, l, from, card);
  enter_zone(s, l, instance, card, bottom);
}

// Assigns cells to the cards that are on a board. Other cards have no cell.
void Placing::place_on_boards() {
  cardwright::Game context = fresh_context(*state_.game);
  const auto store = [&](Int variable, Int card, Int value) {
    op_store(context, state_.bytes.get(), program_.layout, program_.variables[static_cast<std::size_t>(variable)], card,
             value);
  };
  for (const PlacedInfo& placed : program_.placed) {
    if (placed.zone < 0) continue;
    const Int board = zone_instance(program_, placed.zone, 0, 0);
    for (Int card = 0; card < static_cast<Int>(program_.cards.size()); ++card)
      if (program_.cards[static_cast<std::size_t>(card)].kind >= 0 &&
          find_zone(state_.bytes.get(), program_.layout, card) != board)
        store(placed.at, card, kNone);
  }
  for (const Wanted& wanted : wanted_) {
    if (!wanted.placed) continue;
    const std::vector<Int>& facing = wanted.placed->indices;
    store(wanted.placed->variable.index, wanted.card, wanted.placed->values[0]);
    if (!facing.empty()) store(facing[0], wanted.card, facing[1]);
  }
}

void Placing::lay() {
  choose_cards(true);   // card types first, so that `a Ducky` does not take a card whose type another line names
  choose_cards(false);
  const Layout& l = program_.layout;
  Byte* s = state_.bytes.get();
  for (const Int instance : cleared_)
    for (const Int card : cards_in_zone(program_.layout, s, instance)) leave_zone(s, l, instance, card);
  // The order is reversed, so that the first card named becomes the top card. Cards on top of a zone are placed last.
  for (const int where : {0, 1})
    for (std::size_t i = wanted_.size(); i-- > 0;)
      if (wanted_[i].where == where) put(wanted_[i].card, wanted_[i].instance, false);
  for (const Wanted& wanted : wanted_)
    if (wanted.where == 2) put(wanted.card, wanted.instance, true);
  for (const Wanted& wanted : wanted_)   // cards are listed in the order in which they took effect
    if (l.instance[wanted.instance].stamped != 0) stamp_card(s, l, wanted.card);
  place_on_boards();
  for (setting_ = 0; setting_ < variables_.size(); ++setting_) set_variable(*variables_[setting_]);
  forget_all(program_, s);
  for (const model::Given* given : knowledge_) teach(*given);
  wanted_.clear();
  laid_ = true;
}

// ---- knowledge

void Placing::teach(const model::Given& given) {
  for (const std::int64_t player : given.seats)
    for (const model::Known& known : given.known) show(player, known);
}

// Marks the cards or the variable as known to the player, as `peek` does.
void Placing::show(Int player, const model::Known& known) {
  cardwright::Game context = fresh_context(*state_.game);
  context.knowledge = kAllKnowledge;
  if (known.kind == model::Known::Kind::variable) return show_variable(context, player, known);
  Word cards[kMaxWords] = {};
  cards_of(context, known, cards);
  op_note_peek(context, state_.bytes.get(), program_.layout, player, cards);
}

void Placing::show_variable(cardwright::Game& context, Int player, const model::Known& known) {
  const auto [first, count] = entries_of(program_, known);
  for (Int i = first; i < first + count; ++i)
    op_note_shown(context, state_.bytes.get(), program_.layout, player, program_.variables[known.variable.index], i);
}

// Collects the cards that become known. Undecided positions are drawn first, because a player who looks through a pile
// sees its order.
void Placing::cards_of(cardwright::Game& context, const model::Known& known, Word* cards) {
  const Layout& l = program_.layout;
  Byte* s = state_.bytes.get();
  if (known.kind == model::Known::Kind::card) {
    const auto copy = copy_before(known.card, kNone, shown_);
    if (!copy)
      throw Impossible{known.card.range, fmt::format("no `given` places `{}`, so no player can have seen it",
                                                     program_.sources->text(known.card.range))};
    shown_.push_back(*copy);
    cards[*copy / 64] |= Word{1} << *copy % 64;
    return;
  }
  for (const Int instance : instances_of(program_, known)) {
    Word there[kMaxWords] = {};
    const Int size = op_zone_size(context, s, l, instance);
    if (known.kind == model::Known::Kind::bottom)
      op_zone_bottom_n(context, s, l, instance, known.count, there);
    else if (known.kind == model::Known::Kind::top)
      op_zone_top_n(context, s, l, instance, known.count, there);
    else if (l.instance[instance].ordered)
      op_zone_top_n(context, s, l, instance, size, there);
    else
      read_set(members_at(s, l, instance), l, there);
    for (Int w = 0; w < l.words; ++w) cards[w] |= there[w];
  }
}

std::pair<Int, Int> entries_of(const Program& program, const model::Known& known) {
  const VariableInfo& info = program.variable_infos[known.variable.index];
  const std::span<const Int> all(known.indices);
  // If the variable is indexed by parts of players' areas, the part determines the owner, so the keys name no player.
  Int of_keys = 1;
  for (const auto& key : info.keys) of_keys *= key.count;
  if (info.list > 0) of_keys *= info.run();
  const bool by_part = program.variables[known.variable.index].count == of_keys && all.size() <= info.keys.size();
  const bool owned = info.per_player && !all.empty() && !by_part;
  const std::span<const Int> keys = owned ? all.subspan(1) : all;
  Int first = entry_of(info, owned ? all[0] : 0, keys), count = 1;
  for (std::size_t k = keys.size(); k < info.keys.size(); ++k) {
    first *= info.keys[k].count;
    count *= info.keys[k].count;
  }
  if (info.list == 0) return {first, count};
  return {first * info.run(), count * info.run()};
}

std::vector<Int> instances_of(const Program& program, const model::Known& known) {
  std::vector<Int> found{zone_instance(program, known.zone.index, known.owner, known.copy)};
  const Int down = program.zone_infos[known.zone.index].facedown_zone;
  if (down >= 0 && known.kind == model::Known::Kind::zone)
    found.push_back(zone_instance(program, down, known.owner, known.copy));
  return found;
}

}   // namespace cardwright::api::detail
