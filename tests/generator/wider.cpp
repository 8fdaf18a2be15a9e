// Generates rarer features: expressions that are evaluated both before and during the game, lists of constants,
// functions with rules as parameters, units, charms, recursive events, relations between options, and separate files
// for a library and a base.
#include <algorithm>
#include <set>

#include "tests/generator/writer.h"

namespace cardwright::test {

// Selects these features before the first rule is written.
void Writer::plan_more() {
  has_unit_ = chance_.one_in(5);
  has_charm_ = chance_.one_in(4) || (about(Subject::unknown) && chance_.one_in(2));
  has_handed_ = chance_.one_in(3);
  has_oracle_ = chance_.one_in(2) || about(Subject::answers);
  values_look_at_order_ = chance_.one_in(2) && (!about(Subject::unknown) || chance_.one_in(2));
  if (chance_.one_in(4)) library_ = "helpers";
  if (chance_.one_in(6)) base_ = "base";
}

void Writer::imports() {
  if (has_unit_) line("unit CL = 2");
  if (!library_.empty())
    line(chance_.one_in(2) ? "use helpers" : say("use helpers with most_of_it: {}", {chance_.between(1, 9)}));
}

// ---------------------------------------------------------------- lists of constants

void Writer::const_lists() {
  if (chance_.one_in(3)) {
    const_lists_.push_back({"pairs_of_cols", set_of(plain(Sort::enumeration, 0))});
    line(say("const pairs_of_cols = subsets(Col, {}..2)", {chance_.between(1, 2)}));
  }
  if (chance_.one_in(3) || about(Subject::pauses)) {
    const_lists_.push_back({"by_col", set_of(plain(Sort::card))});
    line(say("const by_col = (list of (It where col == k) for k in Col){}",
             {chance_.one_in(2) ? "" : " + (list of (It where w == n) for n in [1, 2])"}));
  }
  if (chance_.one_in(about(Subject::pauses) || about(Subject::unknown) ? 2 : 4)) {
    const_lists_.push_back({"triples", set_of(plain(Sort::card))});
    line(say("const triples = list of s for k in Col, s in subsets(It where it is {} and it.col == k, 1..2)",
             {chance_.pick(kinds_)}));
  }
  if (chance_.one_in(3)) {
    const_lists_.push_back({"ladder", any_number()});
    line(say("const ladder = list of n * {} - {} for n in 1..3", {chance_.between(1, 30), chance_.between(0, 9)}));
  }
}

// Returns a list of constants, and stores the type of its elements in `elem`.
std::string Writer::const_list(Type& elem) {
  const auto& [name, type] = chance_.pick(const_lists_);
  elem = type;
  if (!type.is_set_of(Sort::card) || !chance_.one_in(3)) return name;
  const std::string hand = zone(0);
  return say("({} where it within {})", {name, hand});
}

// ---------------------------------------------------------------- equal results before and during the game

// Returns arithmetic on constants. If `opaque` is set, adds a variable with the value 0 to each constant, so that the
// expression is evaluated during the game.
std::string Writer::constant_number(int depth, Chance& chance, bool opaque) {
  const auto leaf = [&]() -> std::string {
    const int n = chance.between(-9, 60);
    const std::string text = chance.one_in(6) ? "unlimited" : n < 0 ? say("(-{})", {-n}) : std::to_string(n);
    return opaque ? say("({} + nought)", {text}) : text;
  };
  if (depth <= 0) return leaf();
  const auto part = [&] { return constant_number(depth - 1, chance, opaque); };
  switch (chance.below(10)) {
    case 0: return say("({} + {})", {part(), part()});
    case 1:
    case 2: return say("({} - {})", {part(), part()});
    case 3: return say("({} * {})", {part(), chance.between(-2, 3)});
    case 4: return say("({} / {})", {part(), chance.pick(std::vector<int>{1, 2, 3, -2, 7})});
    case 5: return say("({} mod {})", {part(), chance.pick(std::vector<int>{2, 3, 5, 10})});
    case 6: return say("min({}, {})", {part(), part()});
    case 7: return say("max({}, {})", {part(), part()});
    case 8: return say("abs({})", {part()});
    default: return say("(if {} < {} then {} else {})", {part(), part(), part(), part()});
  }
}

// Writes rules that end the game with an error if two equivalent expressions differ. The error is an out-of-range value
// that the compiler can't detect.
void Writer::oracles() {
  if (!has_oracle_) return;
  line("event oracle(ok: bool) { if not ok then oracle_failed = 2 + nought }");
  std::vector<std::string> checks;
  for (int i = chance_.between(2, 4); i > 0; --i) {
    const std::string name = fresh("con");
    Chance same(chance_.next()), again = same;
    line(say("const {} = {}", {name, constant_number(3, same, false)}));
    checks.push_back(say("{} == {}", {name, constant_number(3, again, true)}));
  }
  if (!records_.empty()) records_agree(checks);
  sets_agree(checks);
  names_ += 1;
  open(say("after turn(p{})", {names_}));
  for (const std::string& check : checks) line(say("oracle({})", {check}));
  close();
}

// Writes checks that two records are equal if and only if all their fields are.
void Writer::records_agree(std::vector<std::string>& checks) {
  const Record& r = records_[0];
  std::vector<const Variable*> all;
  for (const Variable& v : variables_)
    if (v.type.is(Sort::record) && v.type.which == 0 && v.home == Home::player && v.per.empty()) all.push_back(&v);
  const auto agree = [&](const std::string& a, const std::string& b) {
    std::string out;
    for (const Field& field : r.fields)
      out += say("{}{}.{} == {}.{}", {out.empty() ? "" : " and ", a, field.name, b, field.name});
    return out;
  };
  for (const Variable* v : all) {
    const std::string a = "host." + v->name, b = "host2." + v->name;
    checks.push_back(say("({0} == {1}) == ({2})", {a, b, agree(a, b)}));
    checks.push_back(say("({0} != {1}) == (not ({2}))", {a, b, agree(a, b)}));
    for (const Field& field : r.fields)   // compares with a record that has default values in all other fields
      if (field.type.is(Sort::integer))
        checks.push_back(say("({0} == {2}({3}: {1}.{3})) == (({4}) and {5})",
                             {a, b, r.name, field.name, a + "." + field.name + " == " + b + "." + field.name,
                              rest_is_default(a, field.name)}));
  }
}

std::string Writer::rest_is_default(const std::string& place, const std::string& but) {
  std::string out = "true";
  for (const Field& field : records_[0].fields)
    if (field.name != but)
      out += say(" and {}.{} == {}", {place, field.name, field.start.empty() ? "[]" : field.start});
  return out;
}

// Writes checks that set expressions give the same result as a test of each element.
void Writer::sets_agree(std::vector<std::string>& checks) {
  for (int i = chance_.between(1, 3); i > 0; --i) {
    const bool of_cards = chance_.one_in(2);
    const Type elem = of_cards ? plain(Sort::card) : plain(Sort::player);
    const Inside inside(*this);
    at_ = {};
    at_.manner = Manner::still;
    at_.values = static_cast<int>(values_.size());
    budget(6);
    const std::string from = of_cards ? zone(0) : chance_.word({"players", "everyone"});
    const std::string x = fresh("x"), n = fresh("n");
    bind(x, elem);
    std::string condition;
    if (const Callable* f = values_.empty() ? nullptr : bending_value(); f && !of_cards) {
      std::string given;
      for (const Type& type : f->parameters)
        given += (given.empty() ? "" : ", ") + (type.is(Sort::player) && !type.optional ? x : argument_of(type));
      const std::string called = f->parameters.empty() ? f->name : f->name + "(" + given + ")";
      if (f->result.is(Sort::integer))
        condition = say("{} > {}", {called, chance_.between(0, 9)});
      else if (f->result.is(Sort::boolean))
        condition = called;
    }
    if (condition.empty()) condition = boolean(2);
    const std::string counted = fresh("counted"), same = fresh("same");
    line(say("function {}(): int {{ var {} = 0; each {} in {} {{ if {} then {} += 1 }}; return {} }}",
             {counted, n, x, from, condition, n, n}));
    line(say("function {}(): int = size({} in {} where {})", {same, x, from, condition}));
    checks.push_back(say("{}() == {}()", {counted, same}));
  }
}

const Callable* Writer::bending_value() {
  std::vector<const Callable*> all;
  for (const Callable& value : values_)
    if (value.bends && (value.result.is(Sort::integer) || value.result.is(Sort::boolean))) all.push_back(&value);
  return all.empty() ? nullptr : chance_.pick(all);
}

std::string Writer::argument_of(const Type& type) {
  const std::string one = expression(type, 0);
  return type.is(Sort::integer) && type.lo <= type.hi ? say("max({}, min({}, {}))", {type.lo, type.hi, one}) : one;
}

// ---------------------------------------------------------------- functions that take rules

void Writer::handed_rules() {
  if (!has_handed_) return;
  const Inside inside(*this);
  at_ = {};
  at_.manner = Manner::pure;
  at_.sequences = false;
  at_.orderless = !values_look_at_order_;
  line("function total_of(s: set of It, points: rule(It) -> int): int = sum of points(c) for c in s");
  line(
      "function best_of(s: set of It, points: rule(It) -> int, fits: rule(It) -> bool): It? = first of ((s where "
      "fits(it)) with most points(it))");
  line("function plainly(c: It): int = c.w");
  bind("p", plain(Sort::player));
  bind("c", plain(Sort::card));
  bind("extra", any_number());
  budget(8);
  line(say("value weighed(p: player, c: It, extra: int): int = {}", {integer(2)}));
  locals_.pop_back();
  line(say("function chosen_by(p: player, c: It): bool = {}", {boolean(2)}));
  if (chance_.one_in(2)) line(say("modify weighed(_, c, n) when c.w > {} to n + 1", {chance_.between(0, 3)}));
}

std::string Writer::points_rule(int depth) {
  if (chance_.one_in(3)) return "plainly";
  return say("weighed({}, _, {})", {player(depth), small_integer()});
}

// ---------------------------------------------------------------- charms

void Writer::charms() {
  if (!has_charm_) return;
  line("card type Charm: It { plays to me.pub; in force while me.charm == this }");
  const int count = chance_.between(1, 2);
  for (int i = 0; i < count; ++i) {
    const Inside inside(*this);
    at_ = {};
    at_.me = at_.self = true;
    at_.values = static_cast<int>(values_.size());
    const std::string name = i == 0 ? "Clover" : "Feather";
    open(say("card {}: Charm", {name}));
    if (about(Subject::unknown) || chance_.one_in(2) || events_.empty())
      modifier(true);
    else
      handler(chance_.below(static_cast<int>(events_.size())), true);
    close();
    kinds_.push_back(name);
  }
}

// ---------------------------------------------------------------- relations of options

void Writer::relations() {
  const bool extra = has_option("extra"), style = has_option("style"), bonus = !number_option_.empty();
  if (extra && bonus) line(say("const many = if extra then {} else bonus", {chance_.between(1, 9)}));
  if (extra && style) {
    line(say("let strange = extra and style == {}", {chance_.word({"wild", "calm"})}));
    if (chance_.one_in(3))
      line(bonus ? "extra implies style == wild unless bonus == 5" : "extra implies style == wild");
    else if (chance_.one_in(3))
      line("conflict extra with style == calm \"they don't go together\"");
    else if (chance_.one_in(3))
      line("require extra with style == wild \"that needs it\"");
    if (chance_.one_in(3)) line("variant \"Sunday\" { extra = off, style = calm }");
  }
  if (style && bonus && chance_.one_in(3)) line("bonus is void with style == wild");
  if (bonus && chance_.one_in(3)) line("warn when bonus == 3 \"this takes long\"");
}

bool Writer::has_option(const std::string& name) const {
  return std::any_of(options_.begin(), options_.end(), [&](const auto& option) { return option.first == name; });
}

// ---------------------------------------------------------------- other files

std::string Writer::library() {
  const int n = chance_.between(1, 5);
  return say(
      "library helpers with most_of_it: 1..9 = {}\n"
      "enum Mood {{ happy, sad }}\n"
      "record Tally {{ seen: 0..99 = 0, last: player? = none }}\n"
      "player {{ tally: Tally = Tally(); mood: Mood = happy, secret }}\n"
      "value boost(p: player): int = most_of_it + p.tally.seen\n"
      "function thrice(n: int): int = if n > 30 then n else n * 3\n"
      "event nudge(p: player) {{\n"
      "  p.tally.seen = min(99, p.tally.seen + {0})\n"
      "  if p.tally.last is none then p.tally.last = p else p.mood = sad\n"
      "}}\n"
      "before nudge(p) when p.mood == sad {{ p.tally = Tally(seen: {1}) }}\n"
      "modify boost(p) when p.tally.seen > {1} by +2\n",
      {n, n + 1});
}

// Returns a house file that replaces some rules of the base, adds some, and removes an action.
std::string Writer::house(const std::string& base_text) {
  const std::string saved = std::move(text_);
  text_.clear();
  line(say("game \"House of {}\" extends base", {std::to_string(seed_)}));
  std::set<std::size_t> replaced;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (values_[i].bends && chance_.one_in(3) && replaced.insert(i).second) replace_value(i);
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (chance_.one_in(4)) replace_event(i);
  if (!options_.empty() && theme_ != 0) {
    const auto& [name, choices] = chance_.pick(options_);
    std::vector<std::size_t> bending;
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (values_[i].bends && replaced.insert(i).second) bending.push_back(i);
    open(choices.empty() ? "with " + name : say("with {} == {}", {name, chance_.pick(choices)}));
    if (!bending.empty()) replace_value(chance_.pick(bending));
    modifiers("", 1);
    close();
  }
  modifiers("", chance_.between(0, 2));
  if (!events_.empty()) {
    const Inside inside(*this);
    at_ = {};
    handler(chance_.below(static_cast<int>(events_.size())), false);
  }
  {
    const Inside inside(*this);
    at_ = {};
    action(-1, fresh("act"));
  }
  for (const std::string& name : actions_) {
    const std::size_t first = base_text.find(name);
    if (!chance_.one_in(6) || base_text.find(name, first + 1) != std::string::npos) continue;
    line("remove action " + name);
    break;
  }
  if (chance_.one_in(3)) line(say("deck Main: {} x {}", {kinds_[0], chance_.between(2, 5)}));
  return std::move(text_);
}

void Writer::replace_value(std::size_t which) {
  const Callable& value = values_[which];
  const Inside inside(*this);
  at_ = {};
  at_.manner = Manner::pure;
  at_.sequences = false;
  at_.values = static_cast<int>(which);
  at_.orderless = !values_look_at_order_;
  const std::string given = parameters(value.parameters);
  budget(10);
  line(say("replace value {}{}: {} = {}", {value.name, value.parameters.empty() ? "" : "(" + given + ")",
                                           spelled(value.result), expression(value.result, 2)}));
}

void Writer::replace_event(std::size_t which) {
  const Inside inside(*this);
  event_body("replace ", which);
}

}   // namespace cardwright::test
