// Generates sets, lists, records and aggregates.
#include <algorithm>

#include "tests/generator/writer.h"

namespace cardwright::test {

// Returns a clause " where C" for the preceding collection; the element is `it`.
std::string Writer::where(const Type& elem, int depth) {
  const Inside inside(*this);
  for (Local& local : locals_)
    if (local.name == "it") local.name = "(it)";   // hidden by the new `it`; no expression uses a name with `(`
  bind("it", elem);
  std::string out;
  if (about(Subject::printed) && elem.is(Sort::card) && chance_.percent(60)) {
    out = printed_condition(depth - 1);
  } else if (elem.is(Sort::card) && chance_.one_in(3)) {
    static const std::vector<std::string> own{
        "w > 1", "w == 0", "col == red", "it.tags disjoint from [red]", "col != blue and w < 4", "r is none", "odd"};
    out = chance_.pick(own);
  } else if (elem.is(Sort::card) && chance_.one_in(2)) {
    out = chance_.one_in(2) ? "it is " + kinds()
                            : say("it.w {} {}", {chance_.word({"<", ">=", "=="}), integer(depth - 1)});
  } else {
    out = boolean(depth - 1);
  }
  for (Local& local : locals_)
    if (local.name == "(it)") local.name = "it";
  return " where " + out;
}

std::string Writer::set(const Type& elem, int depth) {
  switch (elem.sort) {
    case Sort::card: return set_of_cards(depth);
    case Sort::player: return set_of_players(depth);
    case Sort::enumeration: return set_of_constants(elem.which, depth);
    case Sort::cell: return set_of_cells(elem.which, depth);
    case Sort::direction: return set_of_directions(elem.which, depth);
    case Sort::edge: return set_of_edges(elem.which, depth);
    case Sort::part: return set_of_parts(elem.which);
    case Sort::kind: {
      const std::string c = fresh("c"), all = set_of_cards(depth - 1);
      return say("(set of {0}.kind for {0} in {1})", {c, all});
    }
    default: return set_of_numbers(depth);
  }
}

std::string Writer::set_of_cards(int depth) {
  const Type type = set_of(plain(Sort::card));
  if (depth <= 0 || !has_budget()) {
    if (const std::string place = stored(type, 0); !place.empty() && chance_.one_in(4)) return place;
    return zone(0);
  }
  const int d = depth - 1;
  if (families_.laid && chance_.one_in(5)) return laid_cards(d);
  switch (among(Site::cards, 15)) {
    case 0:
    case 1:
    case 2: return say("({}{})", {set_of_cards(d), where(plain(Sort::card), d)});
    case 3: return say("({} + {})", {set_of_cards(d), set_of_cards(d)});
    case 4: return say("({} - {})", {set_of_cards(d), set_of_cards(d)});
    case 5: return say("({} & (all {}))", {set_of_cards(d), kinds()});
    case 6: {
      const std::string kind = kinds();   // `all Small` would be a `set of Small`, which does not match a set of cards
      return say(std::find(types_of_cards_.begin(), types_of_cards_.end(), kind) == types_of_cards_.end()
                     ? "(all {})"
                     : "(It where it is {})",
                 {kind});
    }
    case 7:
      if (orderless()) return zone(d);
      return say("(top {} of {})", {chance_.between(1, 3), ordered_zone(d)});
    case 8: {
      const Inside inside(*this);
      const std::string from = set_of_cards(d);
      for (Local& local : locals_)
        if (local.name == "it") local.name = "(it)";
      bind("it", plain(Sort::card));
      const std::string out =
          say("({} with {} {}{})", {from, chance_.word({"most", "least"}), chance_.one_in(2) ? "it.w" : integer(1),
                                    chance_.one_in(3) ? ", then least it.w" : ""});
      for (Local& local : locals_)
        if (local.name == "(it)") local.name = "it";
      return out;
    }
    case 9: {
      const std::string q = fresh("q");
      const std::string all = set_of_players(d);
      const Inside inside(*this);
      bind(q, plain(Sort::player));
      return say("(union of {} for {} in {})", {zone(0, [](const Zone& z) { return z.home == Home::player; }), q, all});
    }
    case 10:
      if (const Callable* f = callable_giving(type)) return call(*f, depth);
      return zone(d);
    case 11:
      if (orderless()) return zone(d);
      return say("(all but top of {})", {ordered_zone(d)});
    default: {
      const std::string place = stored(type, d);
      return place.empty() || chance_.one_in(3) ? zone(d) : place;
    }
  }
}

std::string Writer::set_of_players(int depth) {
  const Type type = set_of(plain(Sort::player));
  const auto leaf = [&]() -> std::string {
    if (const std::string place = stored(type, 0); !place.empty() && chance_.one_in(3)) return place;
    return at_.me ? chance_.word({"players", "players", "others", "everyone"})
                  : chance_.word({"players", "players", "everyone"});
  };
  if (depth <= 0 || !has_budget()) return leaf();
  const int d = depth - 1;
  switch (among(Site::players, 9)) {
    case 0:
    case 1:
    case 2: return say("({}{})", {set_of_players(d), where(plain(Sort::player), d)});
    case 3: return say("({} {} {})", {set_of_players(d), chance_.word({"+", "-", "&"}), set_of_players(d)});
    case 4: return say("[{}, {}]", {player(d), player(0)});
    case 5: {
      const Inside inside(*this);
      const std::string from = set_of_players(d);
      for (Local& local : locals_)
        if (local.name == "it") local.name = "(it)";
      bind("it", plain(Sort::player));
      const std::string out = say("({} with {} {})", {from, chance_.word({"most", "least"}), integer(d)});
      for (Local& local : locals_)
        if (local.name == "(it)") local.name = "it";
      return out;
    }
    case 6:
      if (const Callable* f = callable_giving(type)) return call(*f, depth);
      return leaf();
    case 7: return say("({} clockwise from {})", {leaf(), player(d)});
    default: return leaf();
  }
}

std::string Writer::set_of_constants(int which, int depth) {
  const Type type = set_of(plain(Sort::enumeration, which));
  const Enum& e = enums_[static_cast<std::size_t>(which)];
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.one_in(3)) return place;
  if (depth <= 0 || !has_budget()) return chance_.one_in(2) ? e.name : say("[{}]", {constant(which)});
  const int d = depth - 1;
  switch (among(Site::constants, 7)) {
    case 0: return say("({}{})", {set_of_constants(which, d), where(plain(Sort::enumeration, which), d)});
    case 1:
      return say("({} {} {})", {set_of_constants(which, d), chance_.word({"+", "-", "&"}), set_of_constants(which, d)});
    case 2: return say("[{}, {}]", {constant_of(which, d), constant_of(which, 0)});
    case 3: {
      if (which != 0) break;
      const std::string c = fresh("c"), all = set_of_cards(d);
      return say("(set of {0}.col for {0} in {1})", {c, all});
    }
    case 4: {
      if (which != 0) break;
      const std::string c = fresh("c"), all = set_of_cards(d);
      return say("(union of {0}.tags for {0} in {1})", {c, all});
    }
    case 5:
      if (const Callable* f = callable_giving(type)) return call(*f, depth);
      break;
    default: break;
  }
  return e.name;
}

std::string Writer::set_of_numbers(int depth) {
  const Type type = set_of(number(0, 20));
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.one_in(2)) return place;
  if (depth > 0 && chance_.one_in(3))
    return say("({}{})", {set_of_numbers(depth - 1), where(number(0, 20), depth - 1)});
  if (depth > 0 && chance_.one_in(4)) {
    const std::string c = fresh("c"), all = set_of_cards(depth - 1);
    return say("(set of {0}.w for {0} in {1})", {c, all});
  }
  const int lo = chance_.between(0, 5);
  return say("({}..{})", {lo, chance_.between(lo, lo + 9)});
}

std::string Writer::set_of_parts(int which) {
  const Area& area = areas_[static_cast<std::size_t>(which)];
  if (area.piece) return set_of_pieces(which, 1);
  if (area.of_players && chance_.one_in(2)) return say("{}.{}s", {player(0), area.name});
  return area.name + "s";
}

// ---------------------------------------------------------------- lists and records

std::string Writer::list(const Type& type, int depth) {
  const std::string place = stored(type, depth - 1);
  const auto elements = [&](int count) {
    std::string out;
    for (int i = 0; i < count; ++i) {
      const std::string one = type.elem->is(Sort::card) && single_card()
                                  ? chance_.pick(locals_of(plain(Sort::card))).name
                                  : expression(*type.elem, depth - 1);
      out += (i ? ", " : "") + (type.elem->is(Sort::integer) ? within(one, type.elem->lo, type.elem->hi) : one);
    }
    return "[" + out + "]";
  };
  const bool single = !type.elem->is(Sort::card) || single_card();
  if (depth <= 0 || !has_budget() || type.elem->is(Sort::record))
    return place.empty() || (single && chance_.one_in(3)) ? elements(single ? std::min(2, type.most) : 0) : place;
  if (type.elem->is(Sort::list)) return place.empty() || chance_.one_in(3) ? elements(1) : place;
  const int d = depth - 1;
  switch (chance_.below(5)) {
    case 0: {
      if (!type.elem->is(Sort::integer) && !type.elem->is(Sort::enumeration) && !type.elem->is(Sort::set)) break;
      Type elem;
      const std::string all = collection(elem, d), x = fresh("x");
      const Inside inside(*this);
      bind(x, elem);
      const std::string what = expression(*type.elem, d);
      return say("(list of {} for {} in {} where {})", {what, x, all, boolean(d)});
    }
    case 1:
      if (!place.empty()) return say("({}{})", {place, where(*type.elem, d)});
      break;
    case 2:
      if (const Callable* f = callable_giving(type)) return call(*f, depth);
      break;
    default: break;
  }
  if (!place.empty()) return place;
  return elements(single ? std::min(chance_.between(1, 3), type.most) : 0);
}

std::string Writer::record(int which, int depth) {
  const Type type = plain(Sort::record, which);
  const Record& r = records_[static_cast<std::size_t>(which)];
  if (const std::string place = stored(type, depth - 1); !place.empty() && chance_.percent(50)) return place;
  if (depth > 0)
    if (const Callable* f = callable_giving(type); f && chance_.one_in(3)) {
      const Inside inside(*this);
      at_.orderless = true;   // the arguments must not draw, because a record must not depend on an effect
      return call(*f, depth);
    }
  std::string out;
  for (const Field& field : r.fields) {
    if (chance_.one_in(2)) continue;
    const std::string value = field.type.is(Sort::integer) ? within(integer(depth - 1), field.type.lo, field.type.hi)
                                                           : expression(field.type, depth - 1);
    out += (out.empty() ? "" : ", ") + field.name + ": " + value;
  }
  return r.name + "(" + out + ")";
}

// ---------------------------------------------------------------- iteration

// Returns a collection to iterate over, and stores the type of its elements in `elem`.
std::string Writer::collection(Type& elem, int depth, bool lists) {
  if (lists && chance_.one_in(5)) {
    std::vector<const Variable*> fitting;
    for (const Variable& v : variables_)
      if (v.type.is(Sort::list)) fitting.push_back(&v);
    if (!fitting.empty()) {
      const Variable& v = *chance_.pick(fitting);
      elem = *v.type.elem;
      return of_variable(v, depth);
    }
  }
  if (lists && !const_lists_.empty() && chance_.one_in(5)) return const_list(elem);
  if (lists && chance_.one_in(20)) return elem = plain(Sort::kind), set(elem, depth);
  if (families_.boards && chance_.one_in(5)) {
    if (families_.pieces && chance_.one_in(3)) {
      elem = plain(Sort::part, some_pieces());
      return set_of_pieces(elem.which, depth);
    }
    const int b = some_board();
    if (board_with_edges() == b && chance_.one_in(3)) {
      elem = plain(Sort::edge, b);
      return set_of_edges(b, depth);
    }
    elem = plain(is_directed(b) && chance_.one_in(4) ? Sort::direction : Sort::cell, b);
    return set(elem, depth);
  }
  switch (among(Site::walked, 10)) {
    case 0:
    case 1:
    case 2: elem = plain(Sort::player); break;
    case 3: elem = plain(Sort::enumeration, chance_.below(static_cast<int>(enums_.size()))); break;
    case 4: elem = number(0, 20); break;
    case 5:
      if (!boards_.empty())
        elem = plain(Sort::cell, some_board());
      else
        elem = plain(Sort::card);
      break;
    default: elem = plain(Sort::card); break;
  }
  return set(elem, depth);
}

std::string Writer::quantified(int depth) {
  Type elem;
  const std::string all = collection(elem, depth), x = fresh("x");
  const Inside inside(*this);
  bind(x, elem);
  return say("({} {} in {} has {})", {chance_.word({"any", "any", "no", "every"}), x, all, boolean(depth)});
}

std::string Writer::aggregate(int depth) {
  Type elem;
  const std::string all = collection(elem, depth), otherwise = small_integer(), cards = set_of_cards(0), x = fresh("x");
  const Inside inside(*this);
  bind(x, elem);
  const std::string filter = chance_.one_in(3) ? " where " + boolean(depth) : "";
  switch (among(Site::aggregate, 6)) {
    case 0:
    case 1: return say("(sum of {} for {} in {}{})", {integer(depth), x, all, filter});
    case 2: return say("(count of {} for {} in {})", {boolean(depth), x, all});
    case 3: return say("((most of {} for {} in {}{}) or else {})", {integer(depth), x, all, filter, otherwise});
    case 4: return say("((least of {} for {} in {}{}) or else {})", {integer(depth), x, all, filter, otherwise});
    default: {
      if (!sequences_.empty() && at_.sequences && chance_.one_in(2)) {
        const Callable& s = chance_.pick(sequences_);
        locals_.pop_back();
        const std::string from = call(s, 1), y = fresh("y");
        bind(y, s.result);
        return say("(sum of {} for {} in {})", {integer(1), y, from});
      }
      const std::string s = fresh("s");
      locals_.pop_back();
      bind(s, set_of(plain(Sort::card)));
      return say("(count of {} for {} in subsets(({} where w > 2), 1..2))", {boolean(1), s, cards});
    }
  }
}

}   // namespace cardwright::test
