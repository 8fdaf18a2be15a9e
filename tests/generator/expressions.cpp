// Generates expressions of any type: numbers, conditions, players, cards, constants.
#include "tests/generator/writer.h"

namespace cardwright::test {

std::string Writer::expression(const Type& type, int depth) {
  switch (type.sort) {
    case Sort::integer: return integer(depth);
    case Sort::boolean: return boolean(depth);
    case Sort::player: return type.optional ? maybe_player(depth) : player(depth);
    case Sort::enumeration:
      if (type.optional && chance_.one_in(3)) return "none";
      return constant_of(type.which, depth);
    case Sort::card: return maybe_card(depth);
    case Sort::cell: return type.optional ? maybe_cell(type.which, depth) : cell(type.which, depth);
    case Sort::direction: return direction(type.which, depth);
    case Sort::edge: return type.optional ? maybe_edge(type.which, depth) : edge(type.which, depth);
    case Sort::offset: return offset(depth);
    case Sort::part: return type.optional ? maybe_part(type.which, depth) : part(type.which);
    case Sort::team: return team(depth);
    case Sort::kind: {
      const auto cards = locals_of(plain(Sort::card));
      if (!cards.empty() && chance_.one_in(3)) return chance_.pick(cards).name + ".kind";
      const std::string place = stored(type, depth - 1);
      return place.empty() || chance_.one_in(3) ? chance_.pick(kinds_) : place;
    }
    case Sort::set: return set(*type.elem, depth);
    case Sort::list: return list(type, depth);
    case Sort::record: return record(type.which, depth);
  }
  return "0";
}

// ---------------------------------------------------------------- variables

std::string Writer::of_variable(const Variable& v, int depth) {
  std::string place;
  switch (v.home) {
    case Home::table:
    case Home::turn: place = v.name; break;
    case Home::player: place = player(depth - 1) + "." + v.name; break;
    case Home::team: place = team(depth - 1) + "." + v.name; break;
    case Home::area: place = part(v.area) + "." + v.name; break;
  }
  for (const Type& index : v.per) {
    const bool known = depth <= 0 && index.is(Sort::enumeration);
    place += "[" +
             (index.is(Sort::integer) ? std::to_string(chance_.between(index.lo, index.hi))
              : known                 ? constant(index.which)
                                      : expression(index, 0)) +
             "]";
  }
  return place;
}

// Adds the fields of a record with this type, including fields of nested records, to `out`. `place` returns an
// expression for the record, which may be a different one at each call, such as the record of another player.
void Writer::fields_of(int which, const std::function<std::string()>& place, const Type& type,
                       std::vector<std::string>& out) const {
  for (const Field& field : records_[static_cast<std::size_t>(which)].fields) {
    if (fits(field.type, type)) out.push_back(place() + "." + field.name);
    if (field.type.is(Sort::record))
      fields_of(
          field.type.which, [&] { return place() + "." + field.name; }, type, out);
  }
}

std::vector<std::string> Writer::places_of(const Type& type, bool to_write, int depth) {
  std::vector<std::string> out;
  for (const Local& local : locals_of(type))
    if (!to_write || local.writable) out.push_back(local.name);
  std::vector<const Variable*> fitting;
  for (const Variable& v : variables_)
    if (fits(v.type, type) && (v.home != Home::turn || at_.in_turn || !to_write)) fitting.push_back(&v);
  for (int i = 0; i < 2 && !fitting.empty(); ++i) out.push_back(of_variable(*chance_.pick(fitting), depth));
  if (families_.tables && chance_.one_in(2)) entries_of(type, to_write, out);
  if (const auto cards = families_.marks ? locals_of(plain(Sort::card)) : std::vector<Local>(); !cards.empty()) {
    if (fits(maybe(plain(Sort::player)), type)) out.push_back(say("keeper[{}]", {chance_.pick(cards).name}));
    if (!to_write && type.is(Sort::integer)) out.push_back(say("mark[{}]", {chance_.pick(cards).name}));
  }
  // Adds fields of record variables.
  for (const Variable& v : variables_) {
    if (!v.type.is(Sort::record) || !chance_.one_in(2)) continue;
    fields_of(
        v.type.which, [&] { return of_variable(v, 0); }, type, out);
  }
  if (to_write) return out;
  if (at_.window >= 0)
    for (const Field& field : windows_[static_cast<std::size_t>(at_.window)].fields)
      if (fits(field.type, type)) out.push_back(windows_[static_cast<std::size_t>(at_.window)].name + "." + field.name);
  for (const Local& local : locals_) {
    if (!local.type.is(Sort::record)) continue;
    fields_of(
        local.type.which, [&] { return local.name; }, type, out);
  }
  return out;
}

std::string Writer::stored(const Type& type, int depth) {
  const auto places = places_of(type, false, depth);
  return places.empty() ? "" : chance_.pick(places);
}

const Callable* Writer::callable_giving(const Type& type) {
  std::vector<const Callable*> fitting;
  // In these contexts values can't be used, because some of them read the order of a pile.
  if (at_.manner == Manner::still || (at_.orderless && values_look_at_order_)) return nullptr;
  for (int i = 0; i < at_.values && i < static_cast<int>(values_.size()); ++i)
    if (fits(values_[static_cast<std::size_t>(i)].result, type))
      fitting.push_back(&values_[static_cast<std::size_t>(i)]);
  return fitting.empty() ? nullptr : chance_.pick(fitting);
}

std::string Writer::arguments(const std::vector<Type>& types, int depth) {
  std::string out;
  for (const Type& type : types) {
    const std::string one = expression(type, depth);
    out += (out.empty() ? "" : ", ") +
           (type.is(Sort::integer) && type.lo <= type.hi ? say("max({}, min({}, {}))", {type.lo, type.hi, one}) : one);
  }
  return out;
}

std::string Writer::call(const Callable& callable, int depth) {
  return callable.parameters.empty() && callable.bends
             ? callable.name
             : callable.name + "(" + arguments(callable.parameters, depth - 1) + ")";
}

std::string Writer::zone(int depth, const std::function<bool(const Zone&)>& wanted) {
  std::vector<const Zone*> fitting;
  for (const Zone& z : zones_)
    if (!wanted || wanted(z)) fitting.push_back(&z);
  if (fitting.empty()) return "disc";
  const Zone& z = *chance_.pick(fitting);
  switch (z.home) {
    case Home::table:
    case Home::turn: return z.name;
    case Home::player: return player(depth - 1) + "." + z.name;
    case Home::team: return team(depth - 1) + "." + z.name;
    case Home::area: return part(z.area) + "." + z.name;
  }
  return "disc";
}

// Returns a zone with an order. If `draws` is set, effects are allowed, so it may be a pile that is refilled.
std::string Writer::ordered_zone(int depth, bool draws) {
  if (orderless()) return zone(depth, [](const Zone& z) { return z.shape == Shape::row || z.name == "disc"; });
  return zone(depth, [&](const Zone& z) {
    return (z.shape == Shape::pile || z.shape == Shape::row) && (z.name != "draw" || draws || !refills_);
  });
}

// ---------------------------------------------------------------- numbers

std::string Writer::small_integer() {
  if (chance_.one_in(3)) {
    if (has_unit_ && chance_.one_in(5)) return chance_.word({"1.5 CL", "2.5 CL", "0.5 CL"});
    if (!const_lists_.empty() && const_lists_.back().first == "ladder" && chance_.one_in(4))
      return say("ladder[{}]", {chance_.below(3)});
    const int n = chance_.between(chance_.one_in(5) ? -2 : 0, 9);
    return n < 0 ? say("({})", {n}) : std::to_string(n);   // `move -1 cards` would be parsed as a subtraction
  }
  if (const std::string place = stored(any_number(), 0); !place.empty()) return place;
  return std::to_string(chance_.between(0, 12));
}

std::string Writer::integer(int depth) {
  if (depth <= 0 || !has_budget()) return small_integer();
  const int d = depth - 1;
  if (families_.boards && chance_.one_in(8))
    return families_.pieces && chance_.one_in(3) ? number_of_pieces(d) : number_on_board(d);
  if (families_.tables && chance_.one_in(12)) return number_of_tables(d);
  if (families_.dice && chance_.one_in(10)) return number_of_dice(d);
  switch (among(Site::integer, 25)) {
    case 0: return say("({} + {})", {integer(d), integer(d)});
    case 1: return say("({} - {})", {integer(d), integer(d)});
    case 2: return say("({} * {})", {small_integer(), chance_.between(0, 3)});
    case 3: return say("({} / {})", {integer(d), chance_.pick(std::vector<int>{1, 2, 3, -2, 7})});
    case 4: return say("({} mod {})", {integer(d), chance_.pick(std::vector<int>{2, 3, 5, -2, 10})});
    case 5: return say("min({}, {})", {integer(d), integer(d)});
    case 6: return say("max({}, {})", {integer(d), integer(d)});
    case 7: return say("abs({})", {integer(d)});
    case 8: return say("(if {} then {} else {})", {boolean(d), integer(d), integer(d)});
    case 9:
    case 10: return say("size({})", {set_of_cards(d)});
    case 11: return say("size({})", {set_of_players(d)});
    case 12: return say("size({})", {zone(d)});
    case 13:
    case 14:
    case 15: return aggregate(d);
    case 16:
      if (const Callable* f = callable_giving(any_number())) return call(*f, d + 1);
      return small_integer();
    case 17: return say("steps({}, {})", {player(d), player(d)});
    case 18: return say("seat_of({})", {player(d)});
    case 19: return say("index of {}", {constant_of(chance_.below(static_cast<int>(enums_.size())), 0)});
    case 20: return say("(-{})", {small_integer()});
    case 21: return say("(min({}, 5) ** 2)", {small_integer()});
    case 22: {
      Type elem;
      const std::string all = collection(elem, d);
      return say("size({})", {all});
    }
    case 23: {
      if (chance_.one_in(2)) return say("min(unlimited, {} + stage)", {small_integer()});
      if (!has_handed_ || at_.values == 0 || at_.manner == Manner::still || (at_.orderless && values_look_at_order_))
        return small_integer();
      const std::string of = set_of_cards(d);
      return say("total_of({}, {})", {of, points_rule(d)});
    }
    default: return small_integer();
  }
}

// ---------------------------------------------------------------- conditions

std::string Writer::compared(int depth) {
  static const std::vector<std::string> signs{"==", "!=", "<", "<=", ">", ">="};
  switch (among(Site::compared, 10)) {
    case 0: return say("{} {} {}", {player(depth), chance_.one_in(2) ? "==" : "!=", player(depth)});
    case 9: {
      const std::string kind = expression(plain(Sort::kind), depth);
      return say("{} {} {}", {kind, chance_.one_in(2) ? "==" : "!=", expression(plain(Sort::kind), 0)});
    }
    case 1: {
      const int e = chance_.below(static_cast<int>(enums_.size()));
      return say("{} {} {}", {constant_of(e, depth), chance_.one_in(2) ? "==" : "!=", constant_of(e, 0)});
    }
    case 2: return say("{} == {}", {maybe_player(depth), chance_.one_in(3) ? "none" : maybe_player(depth)});
    case 3: {
      Type elem;
      const std::string one = collection(elem, depth, false);
      return say("{} {} {}", {one, chance_.one_in(2) ? "==" : "within", set(elem, depth)});
    }
    case 4: {
      if (records_.empty()) break;
      const int r = chance_.below(static_cast<int>(records_.size()));
      return say("{} {} {}", {record(r, depth), chance_.one_in(2) ? "==" : "!=", record(r, 0)});
    }
    case 5: {
      std::vector<Type> lists;
      for (const Variable& v : variables_)
        if (v.type.is(Sort::list)) lists.push_back(v.type);
      if (lists.empty()) break;
      const Type type = chance_.pick(lists);
      return say("{} {} {}", {stored(type, depth), chance_.one_in(2) ? "==" : "!=", list(type, 0)});
    }
    default: break;
  }
  return say("{} {} {}", {integer(depth), chance_.pick(signs), integer(depth)});
}

std::string Writer::about_cards(int depth) {
  switch (among(Site::about_cards, 10)) {
    case 0: return say("{} is {}", {maybe_card(depth), kinds()});
    case 1: return say("{} is not {}", {maybe_card(depth), kinds()});
    case 2: return say("{} is empty", {set_of_cards(depth)});
    case 3: return say("{} in {}", {maybe_card(depth), set_of_cards(depth)});
    case 4: return say("{} disjoint from {}", {set_of_cards(depth), set_of_cards(depth)});
    case 5:
      if (orderless()) return say("{} is empty", {set_of_cards(depth)});
      return say("{} knows top of {}", {player(depth), ordered_zone(depth)});
    case 6: return say("(every c{0} in {1} has c{0} is {2})", {++names_, zone(depth), kinds()});
    case 7: return say("{} is {}", {maybe_card(depth), chance_.word({"facedown", "faceup"})});
    case 8: return say("{} is {}none", {maybe_card(depth), chance_.word({"", "not "})});
    default: return say("{} is {}empty", {zone(depth), chance_.word({"", "not "})});
  }
}

std::string Writer::boolean(int depth) {
  if (depth <= 0 || !has_budget()) {
    if (const std::string place = stored(plain(Sort::boolean), 0); !place.empty() && chance_.one_in(2)) return place;
    return say("{} {} {}", {small_integer(), chance_.word({"<", ">", "=="}), small_integer()});
  }
  const int d = depth - 1;
  if (families_.boards && chance_.one_in(6))
    return "(" + (families_.pieces && chance_.one_in(3) ? truth_of_pieces(d) : truth_on_board(d)) + ")";
  if (families_.dice && chance_.one_in(9)) return "(" + truth_of_dice(d) + ")";
  switch (among(Site::boolean, 22)) {
    case 0:
    case 1: return say("({} and {})", {boolean(d), boolean(d)});
    case 2: return say("({} or {})", {boolean(d), boolean(d)});
    case 3: return say("(not {})", {"(" + boolean(d) + ")"});
    case 4:
    case 5:
    case 6:
    case 7: return say("({})", {compared(d)});
    case 8:
    case 9:
    case 10: return say("({})", {about_cards(d)});
    case 11:
    case 12:
    case 13: return quantified(d);
    case 14: return say("({} in {})", {player(d), set_of_players(d)});
    case 15: {
      const int e = chance_.below(static_cast<int>(enums_.size()));
      return say("({} {} {})", {constant_of(e, d), chance_.word({"in", "not in"}), set_of_constants(e, d)});
    }
    case 16: return say("({} is {})", {player(d), chance_.word({"in", "in", "out"})});
    case 17:
      if (const Callable* f = callable_giving(plain(Sort::boolean))) return call(*f, d + 1);
      return boolean(0);
    case 18: {
      const Inside inside(*this);
      at_.orderless = true;   // the operand of a range test must not have effects
      return say("({} in {}..{})", {integer(d), chance_.between(-3, 3), chance_.between(4, 20)});
    }
    case 19:
      if (has_roles_) return say("({} is {})", {player(d), constant(1)});
      return boolean(0);
    case 20: {
      std::vector<const Event*> still;
      for (std::size_t i = static_cast<std::size_t>(at_.below); i < events_.size(); ++i)
        if (events_[i].manner == Manner::still) still.push_back(&events_[i]);
      if (still.empty() || at_.manner == Manner::still || at_.manner == Manner::pure) return boolean(0);
      const Event& event = *chance_.pick(still);
      return say("(supposing {}({}) holds ({}))", {event.name, arguments(event.parameters, 0), boolean(0)});
    }
    default: return say("({})", {boolean(0)});
  }
}

// ---------------------------------------------------------------- players

std::string Writer::player(int depth) {
  const auto known = locals_of(plain(Sort::player));
  if (at_.me && chance_.one_in(known.empty() ? 2 : 4)) return "me";
  if (!known.empty() && chance_.percent(60)) return chance_.pick(known).name;
  if (depth <= 0 || !has_budget()) {
    if (at_.me) return "me";
    if (!known.empty()) return chance_.pick(known).name;
    return chance_.word({"host", "host2"});
  }
  const int d = depth - 1;
  if (families_.pieces && chance_.one_in(8))
    if (const int a = some_pieces(); areas_[static_cast<std::size_t>(a)].each == Each::player)
      return say("(first of {} or else {})",
                 {say("(set of {0}.owner for {0} in {1})", {fresh("x"), set_of_pieces(a, d)}), player(0)});
  switch (among(Site::player, 10)) {
    case 0: return say("seat({})", {chance_.between(1, least_)});
    case 1: return say("next_player({})", {player(d)});
    case 2: return say("previous_player({})", {player(d)});
    case 3: return say("(first of {} or else {})", {set_of_players(d), player(0)});
    case 4: return say("(if {} then {} else {})", {boolean(d), player(d), player(d)});
    case 5:
      if (const Callable* f = callable_giving(plain(Sort::player))) return call(*f, d + 1);
      return "host";
    case 6: return say("({} or else {})", {say("first of {}", {set_of_players(d)}), player(0)});
    case 7: {
      const std::string place = stored(plain(Sort::player), d);
      return place.empty() ? "host2" : place;
    }
    case 8:
      if (has_seats_) return say("{}({})", {chance_.word({"left_of", "right_of"}), player(d)});
      return "host2";
    default: return chance_.word({"host", "host2"});
  }
}

std::string Writer::maybe_player(int depth) {
  if (const std::string place = stored(maybe(plain(Sort::player)), depth - 1); !place.empty() && chance_.one_in(2))
    return place;
  if (depth <= 0 || !has_budget()) return chance_.one_in(3) ? "none" : player(0);
  switch (chance_.below(4)) {
    case 0: return say("(first of {})", {set_of_players(depth - 1)});
    case 1: return say("(last of {})", {set_of_players(depth - 1)});
    case 2:
      if (const Callable* f = callable_giving(maybe(plain(Sort::player)))) return call(*f, depth);
      return player(depth - 1);
    default: return player(depth - 1);
  }
}

std::string Writer::team(int depth) {
  const auto known = locals_of(plain(Sort::team));
  if (!known.empty() && chance_.one_in(2)) return chance_.pick(known).name;
  // In a loop over players, `team` is the player's team.
  return chance_.one_in(3) && locals_of(plain(Sort::player)).empty() ? "team[1]" : player(depth) + ".team";
}

// ---------------------------------------------------------------- cards, constants, cells, parts

std::string Writer::kinds() { return chance_.percent(70) ? chance_.pick(kinds_) : chance_.pick(types_of_cards_); }

std::string Writer::maybe_card(int depth) {
  const auto known = locals_of(maybe(plain(Sort::card)));
  if (!known.empty() && chance_.percent(50)) return chance_.pick(known).name;
  if (at_.self && chance_.one_in(3)) return "this";
  const int d = depth - 1;
  if (const std::string place = stored(maybe(plain(Sort::card)), d); !place.empty() && chance_.one_in(4)) return place;
  if (has_handed_ && at_.values > 0 && depth > 0 && !orderless() && chance_.one_in(12)) {
    const std::string from = set_of_cards(d), points = points_rule(d);
    return say("best_of({}, {}, chosen_by({}, _))", {from, points, player(d)});
  }
  const int ordered = orderless() ? 4 : 0;   // excludes ends of piles, whose cards may have to be drawn
  switch (ordered > 0 ? ordered + chance_.below(7 - ordered) : among(Site::maybe_card, 7)) {
    case 0:
    case 1: return say("(top of {})", {ordered_zone(d)});
    case 2: return say("(bottom of {})", {ordered_zone(d)});
    case 3:
      for (const Zone& z : zones_)
        if (z.shape == Shape::slot)
          return say("(card of {})", {zone(d, [](const Zone& x) { return x.shape == Shape::slot; })});
      [[fallthrough]];
    case 4: return say("(last of {})", {depth > 0 ? set_of_cards(d) : zone(0)});
    default: return say("(first of {})", {depth > 0 ? set_of_cards(d) : zone(0)});
  }
}

std::string Writer::constant_of(int which, int depth) {
  const Type type = plain(Sort::enumeration, which);
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.percent(45)) return place;
  if (depth > 0 && which == 0 && has_budget()) {
    const auto cards = locals_of(plain(Sort::card));
    if (!cards.empty() && chance_.one_in(2)) return chance_.pick(cards).name + ".col";
  }
  if (families_.pieces && which == 0 && chance_.one_in(6))
    if (const int a = some_pieces(); areas_[static_cast<std::size_t>(a)].each == Each::constant)
      return part(a) + ".col";
  if (depth > 0 && chance_.one_in(5))
    return say("(if {} then {} else {})", {boolean(depth - 1), constant(which), constant(which)});
  if (depth > 0 && chance_.one_in(6))
    return say("(first of {} or else {})", {set_of_constants(which, depth - 1), constant(which)});
  if (depth > 0 && chance_.one_in(6))
    if (const Callable* f = callable_giving(type)) return call(*f, depth);
  return constant(which);
}

std::string Writer::part(int which) {
  const auto known = locals_of(plain(Sort::part, which));
  if (at_.here == which && chance_.one_in(2)) return "here";
  if (!known.empty() && chance_.percent(80)) return chance_.pick(known).name;
  const Area& area = areas_[static_cast<std::size_t>(which)];
  if (area.each == Each::player) return player(0) + "." + area.name;
  if (area.each == Each::constant) return say("{}[{}]", {area.name, constant(0)});
  const int index = 1 + chance_.below(area.count);
  return area.of_players ? say("{}.{}[{}]", {player(0), area.name, index}) : say("{}[{}]", {area.name, index});
}

}   // namespace cardwright::test
