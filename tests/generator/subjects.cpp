// Generates code for the subject of a theme: rare features that may interact badly.
//   refills   a pile is exhausted and refilled, and conditions depend on the origin of its cards
//   places    conditions and memoized values depend on positions of pieces, and pieces are moved
//   waiting   several rules wait for the same condition; one asks, settles or ends a turn while others still wait
//   pauses    values are computed before a pause and used after it
//   unseen    sets that contain both known and unknown cards are offered, counted, or used in conditions
//   answers   simultaneous decisions, with sets of any kind
//   printed   printed attributes of cards are compared with changing values
#include <algorithm>

#include "tests/generator/writer.h"

namespace cardwright::test {

// The names are in the order of `Writer::Subject`, without `none`.
const std::vector<std::string>& subjects() {
  static const std::vector<std::string> all{"refills", "places", "waiting", "pauses", "unseen", "answers", "printed"};
  return all;
}

std::string subject_of(std::uint64_t seed, bool families) {
  const int subject = Writer(seed, true, families).subject();
  return subject == 0 ? "none" : subjects()[static_cast<std::size_t>(subject) - 1];
}

void Writer::choose_subject(Chance chance) {
  if (chance.one_in(4)) return;
  subject_ = static_cast<Subject>(chance.between(1, static_cast<int>(subjects().size())));
  if (about(Subject::places)) families_.boards = families_.pieces = true;
}

// Returns a condition that is typical of the subject and changes often; empty if there is none.
std::string Writer::turning_point_of_subject() {
  if (about(Subject::refills) && chance_.percent(70)) {
    const std::string pile = chance_.word({"disc", "disc", "draw"});
    if (chance_.one_in(3)) return say("({} is {}empty)", {pile, chance_.word({"", "not "})});
    return say("(size({}) {} {})", {pile, chance_.word({"<", ">", "=="}), chance_.between(0, 5)});
  }
  if (about(Subject::places) && chance_.percent(70)) {
    if (const Callable* value = callable_giving(chance_.one_in(2) ? plain(Sort::boolean) : any_number());
        value && chance_.one_in(2))
      return value->result.is(Sort::boolean) ? "(" + call(*value, 1) + ")"
                                             : say("({} > {})", {call(*value, 1), chance_.between(0, 5)});
    return "(" + truth_of_pieces(1) + ")";
  }
  if (about(Subject::waiting) && chance_.one_in(2)) {
    const int n = chance_.between(2, 3);
    return say("(stage mod {} == {})", {n, chance_.below(n)});
  }
  if (about(Subject::unknown) && chance_.one_in(2)) return truth_of_unknown();
  return "";
}

// Sometimes repeats an earlier condition that is valid everywhere, so that several rules wait for the same moment.
std::string Writer::repeated_condition(const std::string& condition) {
  if (!about(Subject::waiting)) return condition;
  if (!turning_points_.empty() && chance_.percent(60)) return chance_.pick(turning_points_);
  if (locals_.empty() && !at_.me) turning_points_.push_back(condition);
  return condition;
}

// Returns true if a statement was written, and false where rules may only set variables.
bool Writer::statement_of_subject() {
  switch (subject_) {
    case Subject::none: return false;
    case Subject::refills: draw_from_pile(); return true;
    case Subject::places: with_pieces(); return true;
    case Subject::waiting: await(); return true;
    case Subject::pauses: return keep_over_pause();
    case Subject::unknown:
      if (has_charm_ && chance_.one_in(3)) {
        line(say("{}.charm = {}", {player(1), chance_.one_in(3) ? maybe_card(1) : unknown_card()}));
        return true;
      }
      if (at_.manner != Manner::loud) return false;
      choice();
      return true;
    case Subject::answers: {
      const auto windows = windows_to_open();
      if (windows.empty() || at_.window >= 0) return false;
      open_window(chance_.pick(windows));
      return true;
    }
    case Subject::printed: filter_by_print(); return true;
  }
  return false;
}

// ---------------------------------------------------------------- piles that are refilled

void Writer::nearly_empty_pile() {
  line(say("move max(0, size(draw) - {}) cards from draw to {}",
           {chance_.between(0, 5), chance_.word({"disc", "pool", "pool"})}));
  line(say("move {} cards from draw to disc", {chance_.between(0, 3)}));
}

void Writer::draw_from_pile() {
  const auto to = [&] { return zone(1, [](const Zone& z) { return z.shape != Shape::slot; }); };
  switch (chance_.below(4)) {
    case 0: {
      const std::string c = fresh("c");
      line(say("let {} = top of draw", {c}));
      return bind(c, maybe(plain(Sort::card)));
    }
    case 1: return line(say("move top of draw to {}", {to()}));
    case 2: return line(say("move {} cards from {} to disc", {chance_.between(1, 3), ordered_zone(1, true)}));
    default: return line(say("move {} cards from draw to {}", {chance_.between(1, 4), to()}));
  }
}

// ---------------------------------------------------------------- rules that wait for the same condition

// Returns a statement that makes the number and order of executions observable in `stage`.
std::string Writer::step_of_stage() { return say("stage = (3 * stage + {}) mod 400", {chance_.between(1, 50)}); }

// Writes code in the middle of a rule that defers a block, opens a window, or changes `stage`.
void Writer::await() {
  if (at_.loops <= 1 && chance_.percent(60)) return put_off();
  if (at_.manner == Manner::loud && at_.window < 0 && chance_.one_in(2))
    if (const auto windows = windows_to_open(); !windows.empty()) return open_window(chance_.pick(windows));
  line(step_of_stage());
}

// Defers a block. The oracle counts deferred blocks, except in `instead of turn`, where a decision may occur
// while the block is still deferred.
void Writer::put_off() {
  line(step_of_stage());
  const bool counted = counts_owed() && !at_.handler;
  if (counted) line("owed = min(99, owed + 1)");
  const Inside inside(*this);
  ++at_.loops;
  at_.handler = at_.can_return = false;
  for (Local& local : locals_) local.writable = false;
  forget_tables();
  open("afterwards");
  if (counted) line("owed = max(0, owed - 1)");
  const auto windows = at_.window < 0 ? windows_to_open() : std::vector<int>();
  if (!windows.empty() && chance_.percent(75))
    open_window(chance_.percent(70) ? windows.front() : chance_.pick(windows));
  else
    call_event();
  line(step_of_stage());
  if (chance_.one_in(3)) line(chance_.word({"end turn", "end phase"}));
  close();
}

// ---------------------------------------------------------------- values across a pause

bool Writer::keep_over_pause() {
  if (at_.loops > 0 || windows_.empty() || windows_[0].asking != Asking::race) return false;
  const Inside inside(*this);
  ++at_.loops;
  Type elem;
  const std::string x = fresh("x"),
                    all = !const_lists_.empty() && chance_.percent(70) ? const_list(elem) : collection(elem, 1);
  bind(x, elem);
  open(say("each {} in {}", {x, all}));
  pause([&] { use(x, elem); });
  line(chance_.one_in(2) ? "stop" : say("if {} then stop", {boolean(1)}));
  close();
  return true;
}

// Writes a statement that uses the variable `name` in a way that affects the game.
void Writer::use(const std::string& name, const Type& type) {
  switch (type.sort) {
    case Sort::integer: return line(say("stage = max(0, min(500, stage + {}))", {name}));
    case Sort::player: return line(say("{0}.score = min(100, {0}.score + 1)", {name}));
    case Sort::card: return line(say("move {} to pool", {name}));
    case Sort::set:
    case Sort::list:
      if (type.is_set_of(Sort::card) && chance_.one_in(2)) return line(say("move {} to pool", {name}));
      return line(say("stage = min(500, stage + size({}))", {name}));
    case Sort::record: return line("stage = min(500, stage + 1)");
    default: return line(say("if {} == {} then stage = min(500, stage + 1)", {name, expression(type, 0)}));
  }
}

// ---------------------------------------------------------------- hidden cards

// Declares a row and a slot that are visible to no player or only to the owner. Conditions may refer to the ends of the
// row, because its order is known.
void Writer::unknown_zones() {
  const auto some = [&](const char* name, Shape shape) {
    const Home home = chance_.one_in(2) ? Home::player : Home::table;
    zones_.push_back({name, home, 0, shape, home == Home::player && chance_.one_in(3) ? "owner" : "hidden"});
  };
  some("lane", Shape::row);
  some("nook", Shape::slot);
}

void Writer::fill_unknown_zones() {
  for (const Zone& z : zones_) {
    const int cards = z.name == "nook" ? 1 : z.name == "lane" ? chance_.between(1, 3) : 0;
    if (cards == 0) continue;
    if (z.home == Home::player)
      line(say("deal {} from draw to each {}", {cards, z.name}));
    else
      line(say("move {} cards from draw to {}", {cards, z.name}));
  }
}

// Returns a set of cards with given printed attributes. The set is usually small, so that the zone of each card
// matters.
std::string Writer::named_cards() {
  const std::string kind = kinds();
  if (chance_.one_in(3)) return say("(It where it is {})", {kind});
  const std::string more = chance_.word({"it.w > 1", "it.w == 1", "it.w == 2", "it.odd", "it.r is not none"});
  return chance_.one_in(2) ? say("(It where it is {} and it.col == {})", {kind, constant(0)})
                           : say("(It where it is {} and {})", {kind, more});
}

std::string Writer::hidden_zone(int depth) {
  return zone(depth, [](const Zone& z) { return z.sight == "hidden" || z.sight == "facedown" || z.sight == "owner"; });
}

// Returns a hidden card, if any: at an end of a row, in a slot, or from a set.
std::string Writer::unknown_card() {
  const auto shaped = [&](Shape shape) {
    return zone(1, [&](const Zone& z) { return z.shape == shape && (z.sight == "hidden" || z.sight == "owner"); });
  };
  switch (chance_.below(8)) {
    case 0:
    case 1: return say("(card of {})", {shaped(Shape::slot)});
    case 2:
    case 3:
    case 4: return say("(bottom of {})", {shaped(Shape::row)});
    case 5: return say("(top of {})", {shaped(Shape::row)});
    case 6: return say("({} of {})", {chance_.word({"first", "last"}), unknown_cards()});
    default: return say("({} of {})", {chance_.word({"first", "last"}), hidden_zone(1)});
  }
}

// Returns a parameter that selects a set from a list of sets of cards, with a condition on the zones of these cards;
// empty if there is no such list.
std::string Writer::unknown_sets(const std::string& name) {
  std::vector<std::pair<std::string, Type>> lists;
  for (const auto& list : const_lists_)
    if (list.second.is_set_of(Sort::card)) lists.push_back(list);
  if (lists.empty()) return "";
  const auto [list, type] = chance_.pick(lists);
  const std::string hidden = hidden_zone(1);
  std::string where;
  switch (chance_.below(4)) {
    case 0: where = say("{} disjoint from {}", {name, hidden}); break;
    case 1: where = say("size({} & {}) {} {}", {name, hidden, chance_.word({"<", ">", "=="}), chance_.below(3)}); break;
    default: where = say("{} within {}", {name, hidden});
  }
  bind(name, type);
  return say("{} in {} where {}", {name, list, where});
}

std::string Writer::unknown_cards() {
  const auto hidden = [&] { return hidden_zone(0); };
  switch (chance_.below(14)) {
    case 12: return say("(It where it in {})", {hidden()});
    case 13:
      if (const Callable* value = callable_giving(set_of(plain(Sort::card)))) return call(*value, 1);
      [[fallthrough]];
    case 0:
    case 1:
    case 2: return say("({} & {})", {hidden(), named_cards()});
    case 3: return say("({} + {})", {hidden(), named_cards()});
    case 4: return say("({} - {})", {named_cards(), hidden()});
    case 5: return say("(if {} then {} else {})", {boolean(1), hidden(), named_cards()});
    case 6: return say("({} where it.{})", {hidden(), chance_.word({"w > 1", "w == 1", "col == red", "odd"})});
    case 7: {
      const std::string q = fresh("q");
      return say("(union of {0}.hand for {0} in {1})", {q, set_of_players(1)});
    }
    case 8: return say("({} + {})", {hidden(), zone(0)});
    case 9: return named_cards();
    case 10:
      if (!orderless()) return say("(top {} of {})", {chance_.between(1, 3), ordered_zone(0)});
      [[fallthrough]];
    default: {
      const std::string place = stored(set_of(plain(Sort::card)), 1);
      return place.empty() ? hidden() : place;
    }
  }
}

// Returns a condition on the size of the union of hidden and named cards, which depends on the zones of the named
// cards.
std::string Writer::count_of_mixed() {
  const std::string hidden = hidden_zone(0), named = named_cards(), sign = chance_.word({"<", ">", "=="});
  const int n = chance_.between(0, 3);
  switch (chance_.below(3)) {
    case 0: return say("(size({0} + {1}) {2} size({0}) + {3})", {hidden, named, sign, n});
    case 1: return say("((sum of 1 for {4} in {1} + {0}) {2} size({0}) + {3})", {hidden, named, sign, n, fresh("x")});
    default:
      return say("((count of {4}.w > 0 for {4} in {0} + {1}) {2} size({0}) + {3})",
                 {hidden, named, sign, n, fresh("x")});
  }
}

std::string Writer::number_of_unknown() {
  const std::string cards = unknown_cards();
  switch (chance_.below(3)) {
    case 0: return say("size({})", {cards});
    case 1: return say("(sum of {0}.w for {0} in {1})", {fresh("x"), cards});
    default: return say("(if {} then {} else {})", {truth_of_unknown(), chance_.below(3), chance_.between(2, 5)});
  }
}

// Returns an expression on hidden cards as the result of a value or modifier, often if the subject is `unknown`;
// otherwise empty.
std::string Writer::of_unknown(const Type& type) {
  if (!about(Subject::unknown) || chance_.one_in(3)) return "";
  if (type.is(Sort::integer)) return number_of_unknown();
  if (type.is(Sort::boolean)) return truth_of_unknown();
  return type.is_set_of(Sort::card) ? unknown_cards() : "";
}

// Returns a condition on hidden cards, which may depend on them indirectly: through a value, a function, or a modifier
// on a card in a hand.
std::string Writer::truth_of_unknown() {
  if (!modified_by_holders_.empty() && at_.values > 0 && !values_look_at_order_ && chance_.one_in(5)) {
    const int which = chance_.pick(modified_by_holders_);
    const Callable& value = values_[static_cast<std::size_t>(which)];
    if (which < at_.values && value.result.is(Sort::boolean)) return "(" + call(value, 1) + ")";
    if (which < at_.values && value.result.is(Sort::integer))
      return say("({} {} {})", {call(value, 1), chance_.word({"<", ">", "=="}), chance_.between(0, 4)});
    if (which < at_.values && value.result.is(Sort::set))
      return say("(size({}) {} {})", {call(value, 1), chance_.word({"<", ">", "=="}), chance_.between(0, 4)});
  }
  if (chance_.one_in(4)) {
    if (const Callable* value = callable_giving(plain(Sort::boolean)); value && chance_.one_in(2))
      return "(" + call(*value, 1) + ")";
    if (const Callable* value = callable_giving(any_number()))
      return say("({} {} {})", {call(*value, 1), chance_.word({"<", ">", "=="}), chance_.between(0, 4)});
  }
  const std::string cards = unknown_cards(), x = fresh("x");
  switch (chance_.below(11)) {
    case 6:
    case 10: return say("({} is {})", {unknown_card(), kinds()});
    case 7: return say("({} in {})", {unknown_card(), named_cards()});
    case 8: return say("({} {} {})", {unknown_card(), chance_.word({"==", "!="}), unknown_card()});
    case 9: return count_of_mixed();
    case 5:
      return say("(size({0} + {1}) {3} size({0}) + {2})",
                 {cards, named_cards(), chance_.between(0, 4), chance_.word({"<", ">", "=="})});
    case 0: return say("(size({}) {} {})", {cards, chance_.word({"<", ">", "=="}), chance_.between(0, 4)});
    case 1: return say("(any {0} in {1} has {0}.w > {2})", {x, cards, chance_.between(0, 3)});
    case 2: return say("(every {0} in {1} has {0}.col != {2})", {x, cards, constant(0)});
    case 3: return say("({} in {})", {maybe_card(1), cards});
    default: return say("({} is {})", {maybe_card(1), kinds()});
  }
}

// ---------------------------------------------------------------- printed attributes

// Returns a condition on the card `it`.
std::string Writer::printed_condition(int depth) {
  static const std::vector<std::string> signs{"<", "<=", ">", ">=", "==", "!="};
  const std::string number = chance_.word({"it.w", "it.w", "(it.w + 1)", "(9 - it.w)"});
  switch (chance_.below(7)) {
    case 0: return say("it.col {} {}", {chance_.word({"==", "!="}), constant_of(0, 1)});
    case 1: return say("it.r {} {}", {chance_.word({"==", "!="}), constant_of(2, 1)});
    case 2: return say("it.w in {}", {set_of_numbers(depth)});
    case 3: {
      auto cards = locals_of(plain(Sort::card));
      std::erase_if(cards, [](const Local& card) { return card.name == "it"; });
      if (!cards.empty()) return say("it.w {} {}.w", {chance_.pick(signs), chance_.pick(cards).name});
      [[fallthrough]];
    }
    case 4: return say("{} {} size({})", {number, chance_.pick(signs), zone(0)});
    default: return say("{} {} {}", {number, chance_.pick(signs), small_integer()});
  }
}

void Writer::filter_by_print() {
  const std::string from = zone(1), some = say("({}{})", {from, where(plain(Sort::card), 2)});
  switch (chance_.below(3)) {
    case 0: return line(say("move {} to {}", {some, zone(1, [](const Zone& z) { return z.shape != Shape::slot; })}));
    case 1: return line(say("stage = min(500, stage + size({}))", {some}));
    default: {
      const std::string cs = fresh("cs");
      line(say("let {} = {}", {cs, some}));
      return bind(cs, set_of(plain(Sort::card)));
    }
  }
}

std::string Writer::unknown_parameter(const std::string& name, bool last) {
  const bool several = last && chance_.one_in(2);
  const std::string count = several ? chance_.word({"2 cards ", "up to 2 cards ", "exactly 2 cards "}) : "It ",
                    from = unknown_cards();
  const std::string some = chance_.one_in(3) ? where(plain(Sort::card), 1) : "";
  bind(name, several ? set_of(plain(Sort::card)) : plain(Sort::card));
  return say("{}: {}in {}{}", {name, count, from, some});
}

}   // namespace cardwright::test
