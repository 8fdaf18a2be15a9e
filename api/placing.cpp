// See placing.h.
#include "api/placing.h"

#include <algorithm>

#include <fmt/format.h>

#include "runtime/ops/ops.h"
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
    case model::Given::Kind::variable: case model::Given::Kind::set: case model::Given::Kind::list:
      if (!given.cards.empty()) return card_variables_.push_back(&given);   // when it is known which cards lie where
      return set_variable(given, given.values);
    case model::Given::Kind::zone: return want(given, 0);
    case model::Given::Kind::top: return want(given, 1);
    case model::Given::Kind::bottom: return want(given, 2);
    case model::Given::Kind::lies:
      return void(wanted_.push_back(
          {&given.cards[0], zone_instance(program_, static_cast<Int>(given.zone.index), 0, 0), 1, kNone, &given}));
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

// A card that is a key is the only one of its sort: of several each has an entry of its own.
std::vector<Int> Placing::keys_of(const model::Given& given) const {
  std::vector<Int> keys = given.indices;
  if (!given.card_index) return keys;
  const auto& [place, match] = *given.card_index;
  std::vector<Int> such;
  for (Int card = 0; card < static_cast<Int>(program_.cards.size()); ++card)
    if (matches(program_, match, card)) such.push_back(card);
  if (such.size() != 1)
    throw Impossible{match.range,
                     such.empty()
                         ? "there is no such card in the game"
                         : fmt::format("there are {} such cards, and each has an entry of its own", such.size())};
  keys[place] = such[0];
  return keys;
}

void Placing::set_variable(const model::Given& given, const std::vector<Int>& values) {
  const VariableSlot& slot = program_.variables[given.variable.index];
  const VariableInfo& info = program_.variable_infos[given.variable.index];
  const std::size_t owners = given.seats.empty() ? 1 : given.seats.size();
  cardwright::Game context = fresh_context(*state_.game);
  for (std::size_t i = 0; i < owners; ++i) {
    const Int index = entry_of(info, given.seats.empty() ? 0 : given.seats[i], keys_of(given));
    if (given.kind == model::Given::Kind::set) {
      put_set(given, slot, index, values);
      continue;
    }
    if (given.kind == model::Given::Kind::list) {
      if (slot.is_set || info.inner > 0) {
        put_rows(given, slot, info, index);
        continue;
      }
      std::vector<Int> list(static_cast<std::size_t>(info.list) + 1, 0);
      list[0] = static_cast<Int>(values.size());
      std::copy(values.begin(), values.end(), list.begin() + 1);
      if (const Trap trap = op_list_store(context, state_.bytes.get(), program_.layout, list.data(),
                                          static_cast<Int>(list.size()), slot, index, info.list);
          trap != Trap::none)
        refuse(given, context, trap);
      continue;
    }
    const Int value = values.empty() ? kNone : values[std::min(i, values.size() - 1)];
    if (const Trap trap = op_store(context, state_.bytes.get(), program_.layout, slot, index, value);
        trap != Trap::none)
      refuse(given, context, trap);
    if (info.pool >= 0 && value >= 0) {              // dealt by hand: no longer in the pool
      Int left = 0;
      const VariableSlot& pool = program_.variables[static_cast<std::size_t>(info.pool)];
      if (op_load(context, state_.bytes.get(), program_.layout, pool, value, left) == Trap::none && left > 0)
        op_store(context, state_.bytes.get(), program_.layout, pool, value, left - 1);
    }
  }
}

// A mask, or a bit for each cell.
// A list of sets or lists.
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

void Placing::put_set(const model::Given& given, const VariableSlot& slot, Int index,
                      const std::vector<Int>& elements) const {
  const Int most = slot.is_set ? 64 * program_.layout.words - 1 : model::kMostInSet;
  Word words[kMaxWords] = {};
  for (const Int e : elements) {
    if (e < 0 || e > most) throw Impossible{given.range, fmt::format("a set holds 0 to {}, not {}", most, e)};
    words[e / 64] |= Word{1} << e % 64;
  }
  if (!has_index(slot, index)) throw Impossible{given.range, "there is no such entry"};
  Byte* at = state_.bytes.get() + slot.offset + index * slot.bytes;
  if (slot.is_set) std::memcpy(at, words, static_cast<std::size_t>(8 * program_.layout.words));
  else write_bytes(at, slot.bytes, encode_value(slot, static_cast<Int>(words[0])));
}

void Placing::want(const model::Given& given, int where) {
  const std::vector<std::int64_t> owners = given.seats.empty() ? std::vector<std::int64_t>{0} : given.seats;
  const Int copy = given.indices.empty() ? 0 : given.indices[0];
  const Int zone =
      given.facedown ? program_.zone_infos[given.zone.index].facedown_zone : static_cast<Int>(given.zone.index);
  if (zone < 0) throw Impossible{given.range, "in this game no card ever lies face down there"};
  for (const std::int64_t owner : owners) {
    const Int instance = zone_instance(program_, zone, owner, copy);
    // What a scene said of the same place is replaced.
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
  return fmt::format("there are not that many `{}` in the game", program_.sources->text(match.range));
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

// Which cards a variable is to hold: of those that are said to lie somewhere if they do, else the lowest copies.
std::vector<Int> Placing::named_cards(const model::Given& given) const {
  std::vector<Int> cards;
  const auto take = [&](const model::CardMatch& match, Int card) {
    if (card < 0 || !matches(program_, match, card) || std::find(cards.begin(), cards.end(), card) != cards.end())
      return false;
    cards.push_back(card);
    return true;
  };
  const bool one_each = given.kind == model::Given::Kind::variable && given.cards.size() == given.seats.size();
  for (const model::CardMatch& match : given.cards) {
    // of two alike the one that lies before the player
    const Int whose = given.seats.size() == 1 ? given.seats[0] : one_each ? given.seats[cards.size()] : kNone;
    const auto theirs = [&](const Wanted& w) { return program_.layout.instance[w.instance].owner == whose; };
    const auto lies = [&](bool own) {
      return std::any_of(wanted_.begin(), wanted_.end(),
                         [&](const Wanted& w) { return theirs(w) == own && take(match, w.card); });
    };
    bool found = lies(true) || lies(false);
    for (Int card = 0; card < static_cast<Int>(program_.cards.size()) && !found; ++card) found = take(match, card);
    if (!found) throw Impossible{match.range, too_few(match)};
  }
  return cards;
}

void Placing::put(Int card, Int instance, bool bottom) {
  const Layout& l = program_.layout;
  Byte* s = state_.bytes.get();
  if (const Int from = find_zone(s, l, card); from != kNone) leave_zone(s, l, from, card);
  enter_zone(s, l, instance, card, bottom);
}

// Where the cards lie that are on a board now; no others have a place there.
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
    if (!wanted.lies) continue;
    const std::vector<Int>& facing = wanted.lies->indices;
    store(wanted.lies->variable.index, wanted.card, wanted.lies->values[0]);
    if (!facing.empty()) store(facing[0], wanted.card, facing[1]);
  }
}

void Placing::lay() {
  choose_cards(true);                                // `a Ducky` must not take the only card of a kind named elsewhere
  choose_cards(false);
  const Layout& l = program_.layout;
  Byte* s = state_.bytes.get();
  for (const Int instance : cleared_)
    for (const Int card : cards_in_zone(program_.layout, s, instance)) leave_zone(s, l, instance, card);
  // Backwards, so that the first one named ends on top; what lies on top goes last.
  for (const int where : {0, 1})
    for (std::size_t i = wanted_.size(); i-- > 0;)
      if (wanted_[i].where == where) put(wanted_[i].card, wanted_[i].instance, false);
  for (const Wanted& wanted : wanted_)
    if (wanted.where == 2) put(wanted.card, wanted.instance, true);
  for (const Wanted& wanted : wanted_)   // they came into force in the order of the list
    if (l.instance[wanted.instance].stamped != 0) stamp_card(s, l, wanted.card);
  place_on_boards();
  for (const model::Given* given : card_variables_) set_variable(*given, named_cards(*given));
  card_variables_.clear();
  wanted_.clear();
  forget_all(program_, s);
}

}  // namespace cardwright::api::detail
