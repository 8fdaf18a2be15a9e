// Generates values, modifiers, functions, events, handlers, windows, actions, plays, and the order of play.
#include <algorithm>

#include "tests/generator/writer.h"

namespace cardwright::test {

// ---------------------------------------------------------------- plan

Type Writer::parameter_type() {
  if (families_.boards && chance_.one_in(3)) return families_.pieces && chance_.one_in(3) ? piece_type() : board_type();
  if (chance_.one_in(10)) return plain(Sort::kind);
  switch (among(Site::given, boards_.empty() ? 8 : 9)) {
    case 0: return any_number();
    case 1: return number(0, 9);
    case 2: return plain(Sort::enumeration, chance_.below(static_cast<int>(enums_.size())));
    case 3: return maybe(plain(Sort::player));
    case 4: return set_of(plain(Sort::card));
    case 8: return plain(Sort::cell, some_board());
    default: return plain(Sort::player);
  }
}

Type Writer::result_type() {
  if (families_.boards && chance_.one_in(3)) return board_type();
  switch (chance_.below(10)) {
    case 0: return plain(Sort::boolean);
    case 1: return set_of(plain(Sort::card));
    case 2: return set_of(plain(Sort::player));
    case 3: return plain(Sort::enumeration, 0);
    case 4: return maybe(plain(Sort::player));
    case 5: return list_of(plain(Sort::player), 5);
    case 6: return records_.empty() ? plain(Sort::boolean) : plain(Sort::record, 0);
    default: return any_number();
  }
}

void Writer::plan_rules() {
  const auto types = [&](int least, int most) {
    std::vector<Type> out;
    for (int i = chance_.between(least, most); i > 0; --i) out.push_back(parameter_type());
    return out;
  };
  has_race_ = chance_.one_in(4) || about(Subject::pauses) || (about(Subject::waiting) && !chance_.one_in(4));
  if (has_race_ && chance_.one_in(2)) timers_.push_back("sticky");
  for (int i = many(2, 6); i > 0; --i) {
    const bool bends = chance_.one_in(2);
    values_.push_back({fresh(bends ? "val" : "fun"), types(0, 2), result_type(), bends});
  }
  for (int i = chance_.below(2); i > 0; --i)
    sequences_.push_back({fresh("seq"), {plain(Sort::player)}, chance_.one_in(2) ? plain(Sort::player) : any_number()});
  for (int i = many(1, 5); i > 0; --i) {
    Event e{fresh("ev"), {plain(Sort::player)}};
    for (const Type& type : types(0, 2)) e.parameters.push_back(type);
    e.manner = chance_.pick(std::vector<Manner>{Manner::still, Manner::quiet, Manner::loud, Manner::loud});
    e.gives = chance_.one_in(4);
    if (families_.watched && chance_.one_in(2)) e.counter = fresh("seen");
    if (families_.watched && e.gives)
      e.result = chance_.pick(std::vector<Type>{any_number(), maybe(plain(Sort::player)), set_of(plain(Sort::player)),
                                                set_of(plain(Sort::card))});
    else
      e.result = any_number();
    events_.push_back(e);
  }
  if (chance_.one_in(3)) {
    Event e{fresh("ev"), {plain(Sort::player), number(0, 9)}};
    e.nested = true;
    e.manner = chance_.one_in(2) ? Manner::quiet : Manner::loud;
    events_.insert(events_.begin(), e);
  }
  for (int i = many(0, 3) + (has_race_ || about(Subject::waiting) || about(Subject::answers) ? 1 : 0); i > 0; --i) {
    Window w{fresh("win"), types(0, 1),
             (about(Subject::answers) ? chance_.percent(80) : chance_.one_in(3)) ? Asking::at_once : Asking::plain};
    if (has_race_ && windows_.empty()) w.asking = Asking::race;
    w.gives = w.asking != Asking::race && chance_.one_in(4);
    for (const Type& type : w.parameters) w.fields.push_back({fresh("wp"), type, ""});
    w.fields.push_back({fresh("wv"), any_number(), "0"});
    if (chance_.one_in(3)) w.fields.push_back({fresh("wc"), set_of(plain(Sort::card)), "[]"});
    if (chance_.one_in(4)) w.fields.push_back({fresh("wl"), list_of(plain(Sort::player), 4), "[]"});
    if (chance_.one_in(4)) w.fields.push_back({fresh("wq"), maybe(plain(Sort::player)), "none"});
    if (!boards_.empty() && chance_.one_in(3))
      w.fields.push_back({fresh("wb"), set_of(plain(Sort::cell, some_board())), "[]"});
    windows_.push_back(w);
  }
}

// Returns a parameter list such as "p1: player, p2: int", and binds the names.
std::string Writer::parameters(const std::vector<Type>& types) {
  std::string out;
  for (const Type& type : types) {
    const std::string name = fresh("p");
    bind(name, type);
    out += (out.empty() ? "" : ", ") + name + ": " + spelled(type);
  }
  return out;
}

// Returns the patterns of a handler or modifier: new names, `_`, and sometimes a narrowing expression.
std::string Writer::patterns(const std::vector<Type>& types) {
  std::string out;
  for (const Type& type : types) {
    std::string pattern = fresh("p");
    if (chance_.one_in(6))
      pattern = "_";
    else if (type.is(Sort::player) && !type.optional && chance_.one_in(6))
      pattern = at_.me ? "me" : "host";
    else if (type.is(Sort::enumeration) && chance_.one_in(5))
      pattern = constant(type.which);
    else
      bind(pattern, type);
    out += (out.empty() ? "" : ", ") + pattern;
  }
  return out;
}

// ---------------------------------------------------------------- values and functions

// Sets the context for the bodies of values, functions and sequences: without effects, and with calls only of the first
// `values` values.
void Writer::only_look(int values) {
  at_.manner = Manner::pure;
  at_.sequences = false;
  at_.orderless = !values_look_at_order_;
  at_.values = values;
}

void Writer::values() {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Callable& value = values_[i];
    if (!value.bends) continue;
    const Inside inside(*this);
    at_ = {};
    only_look(static_cast<int>(i));
    const std::string given = parameters(value.parameters);
    const bool endless =
        std::any_of(value.parameters.begin(), value.parameters.end(),
                    [](const Type& t) {
                      return t.is(Sort::set) || (t.is(Sort::integer) && t.lo > t.hi) || t.is(Sort::list);
                    }) ||
        std::count_if(value.parameters.begin(), value.parameters.end(),
                      [](const Type& t) { return t.is(Sort::cell) || t.is(Sort::edge) || t.is(Sort::offset); }) > 1 ||
        std::any_of(value.parameters.begin(), value.parameters.end(), [](const Type& t) { return t.is(Sort::offset); });
    const bool memoized =
        !endless && chance_.one_in(about(Subject::places) ? 2 : 4) &&
        (value.result.is(Sort::integer) || value.result.is(Sort::boolean) || value.result.is(Sort::set));
    budget(20);
    const bool of_places = about(Subject::places) && chance_.one_in(2);
    const std::string unknown = of_unknown(value.result);
    const std::string body = !unknown.empty()                              ? unknown
                             : of_places && value.result.is(Sort::integer) ? number_of_pieces(2)
                             : of_places && value.result.is(Sort::boolean) ? truth_of_pieces(2)
                                                                           : expression(value.result, 3);
    line(
        say("{}value {}{}: {} = {}{}",
            {memoized ? "kept " : "", value.name, value.parameters.empty() ? "" : "(" + given + ")",
             spelled(value.result), body,
             value.result.is(Sort::integer) && chance_.one_in(4) ? say(" at most {}", {chance_.between(5, 40)}) : ""}));
  }
}

void Writer::functions() {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Callable& f = values_[i];
    if (f.bends) continue;
    const Inside inside(*this);
    at_ = {};
    only_look(static_cast<int>(i));
    const std::string given = parameters(f.parameters);
    budget(16);
    const std::string head = say("function {}({}): {}", {f.name, given, spelled(f.result)});
    if (chance_.one_in(2)) {
      const std::string unknown = of_unknown(f.result);
      line(head + " = " + (unknown.empty() ? expression(f.result, 2) : unknown));
      continue;
    }
    const bool recursive = f.result.is(Sort::integer) && std::any_of(f.parameters.begin(), f.parameters.end(),
                                                                     [](const Type& t) { return t.is(Sort::integer); });
    open(head + (recursive && chance_.one_in(2) ? say(" nested up to {}", {chance_.between(8, 30)}) : ""));
    if (recursive) {   // each call decreases the first number, so the recursion ends
      std::string again, counted;
      for (const Local& local : locals_) {
        const bool first = counted.empty() && local.type.is(Sort::integer);
        if (first) counted = local.name;
        again += (again.empty() ? "" : ", ") + (first ? local.name + " - 1" : local.name);
      }
      const std::string low = locals_.empty() ? "" : counted;
      line(say("if {0} > 0 and {0} < 6 then return {1} + {2}({3})", {low, integer(1), f.name, again}));
    }
    Type elem;
    const std::string found = fresh("n"), all = collection(elem, 1), x = fresh("x");
    line(say("var {} = {}", {found, integer(1)}));
    open(say("each {} in {}", {x, all}));
    {
      const Inside loop(*this);
      bind(x, elem);
      bind(found, any_number());
      line(say("{} += {}", {found, integer(1)}));
      line(say("if {} then {}", {boolean(1), chance_.word({"stop", "next"})}));
    }
    close();
    bind(found, any_number());
    line("return " + expression(f.result, 1));
    close();
  }
}

void Writer::sequences() {
  for (const Callable& s : sequences_) {
    const Inside inside(*this);
    at_ = {};
    only_look(static_cast<int>(values_.size()));
    const std::string given = parameters(s.parameters);
    budget(12);
    open(say("sequence {}({}): {}", {s.name, given, spelled(s.result)}));
    line("yield " + expression(s.result, 1));
    const std::string x = fresh("x"), all = set_of_players(1);
    open(say("each {} in {}", {x, all}));
    {
      const Inside loop(*this);
      bind(x, plain(Sort::player));
      line(say("if {} then yield {}", {boolean(1), expression(s.result, 1)}));
    }
    close();
    close();
  }
}

void Writer::modifiers(const std::string&, int count) {
  for (int i = 0; i < count; ++i) {
    const Inside inside(*this);
    at_ = {};
    modifier(false);
  }
}

void Writer::modifier(bool held) {
  std::vector<int> bending;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (values_[i].bends) bending.push_back(static_cast<int>(i));
  if (bending.empty()) return;
  const int which = chance_.pick(bending);
  const Callable& value = values_[static_cast<std::size_t>(which)];
  if (held) modified_by_holders_.push_back(which);
  const Inside inside(*this);
  only_look(which);
  if (!held) at_.me = false;
  const std::string matched = patterns(value.parameters);
  budget(8);
  const std::string when = chance_.one_in(2) ? " when " + boolean(2) : "", unknown = of_unknown(value.result);
  std::string how = " to " + (unknown.empty() ? expression(value.result, 2) : unknown);
  if (value.result.is(Sort::integer) && chance_.percent(60))
    how = chance_.word({" by +", " by -", " at least ", " at most "}) +
          (chance_.one_in(2) ? std::to_string(chance_.between(1, 4))
                             : "(" + (unknown.empty() ? integer(1) : unknown) + ")");
  line(say("modify {}{}{}{}", {value.name, value.parameters.empty() ? "" : "(" + matched + ")", when, how}));
}

// ---------------------------------------------------------------- events

void Writer::events() {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Inside inside(*this);
    event_body("", i);
  }
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (chance_.one_in(2)) {
      const Inside inside(*this);
      at_ = {};
      handler(static_cast<int>(i), false);
    }
  for (int i = about(Subject::waiting) ? chance_.between(2, 4) : chance_.below(3) + (subject_ == Subject::none ? 0 : 1);
       i > 0; --i) {
    const Inside inside(*this);
    at_ = {};
    whenever(false);
  }
}

void Writer::event_body(const std::string& head, std::size_t which) {
  const Event& event = events_[which];
  at_ = {};
  at_.manner = event.manner;
  at_.below = static_cast<int>(which) + 1;
  at_.values = static_cast<int>(values_.size());
  const std::string given = parameters(event.parameters);
  const std::string who = locals_.empty() ? "" : locals_.front().name;
  open(say("{}event {}({}){}{}", {head, event.name, given, event.gives ? ": " + spelled(event.result) : "",
                                  event.nested ? say(" nested up to {}", {chance_.between(12, 30)}) : ""}));
  const std::string count = event.nested ? locals_.back().name : "";
  if (!event.counter.empty()) line(say("var {} = {}", {event.counter, chance_.below(3)}));
  const int statements = chance_.between(1, 3);
  for (int k = 0; k < statements; ++k) statement();
  if (event.nested)
    line(say("if {0} > 0 then {1}({2}({3}), {0} - 1)",
             {count, event.name, chance_.word({"next_player", "previous_player"}), who}));
  budget(6);
  if (event.gives) line("return " + expression(event.result, 2));
  close();
}

// Writes a handler. `held` is true if it belongs to a card or character, in whose rules `me` exists.
void Writer::handler(int which, bool held) {
  const Event& event = events_[static_cast<std::size_t>(which)];
  const Inside inside(*this);
  at_.me = held;
  at_.manner = event.manner;
  at_.below = which + 1;
  at_.values = static_cast<int>(values_.size());
  const std::string hook = event.manner == Manner::still ? chance_.word({"before", "after"})
                                                         : chance_.word({"before", "after", "after", "instead of"});
  const std::string matched = patterns(event.parameters);
  budget(6);
  const bool counted = !event.counter.empty() && chance_.one_in(2);
  const std::string when = chance_.one_in(2) ? " when " + boolean(2) : "";
  open(say("{} {}({}){}",
           {hook, event.name, matched,
            counted ? say(" when {}.{} < {}", {event.name, event.counter, chance_.between(1, 4)}) : when}));
  if (counted) line(say("{}.{} += 1", {event.name, event.counter}));
  const int statements = chance_.between(1, 2);
  for (int i = 0; i < statements; ++i) statement();
  const auto given = [&](int n) {
    return event.result.is(Sort::integer) ? std::to_string(n) : expression(event.result, 0);
  };
  if (hook == "instead of") switch (chance_.below(3)) {
      case 0: line("proceed"); break;
      case 1: line(event.gives ? "return " + given(3) : "cancel"); break;
      default: line(say("if {} then proceed else {}", {boolean(1), event.gives ? "return " + given(2) : "cancel"}));
    }
  close();
}

std::string Writer::watched_condition() {
  const Inside inside(*this);
  watched();
  return theme_ != 0 && chance_.percent(subject_ == Subject::none ? 60 : 80) ? repeated_condition(turning_point())
                                                                             : boolean(2);
}

void Writer::whenever(bool held) {
  const Inside inside(*this);
  at_.me = held;
  at_.manner =
      has_race_ ? Manner::quiet : chance_.pick(std::vector<Manner>{Manner::quiet, Manner::quiet, Manner::loud});
  if (about(Subject::waiting) && !has_race_) at_.manner = Manner::loud;
  at_.below = static_cast<int>(events_.size() + windows_.size()) - (at_.manner == Manner::loud ? 1 : 0);
  at_.values = static_cast<int>(values_.size());
  budget(8);
  if (!held && chance_.one_in(3)) {
    const std::string p = fresh("p");
    bind(p, plain(Sort::player));
    open(say("whenever {}: player where {}", {p, watched_condition()}));
  } else {
    open("whenever (" + watched_condition() + ")");
  }
  block(chance_.between(1, 2));
  if (about(Subject::waiting))
    line(step_of_stage());
  else if (theme_ != 0)
    line("stage = min(500, stage + 1)");   // makes it observable that the rule fired
  if (about(Subject::waiting) && chance_.one_in(3)) line(chance_.word({"end turn", "end phase"}));
  close();
}

void Writer::watchers() {
  for (int i = many(0, 3); i > 0; --i) {
    const Inside inside(*this);
    at_ = {};
    at_.manner = has_race_ ? Manner::quiet : Manner::loud;
    at_.below = static_cast<int>(events_.size()) + 1000;
    at_.values = static_cast<int>(values_.size());
    const bool optional = !options_.empty() && chance_.one_in(3);
    if (optional) {
      const auto& [name, choices] = chance_.pick(options_);
      open(choices.empty() ? "with " + name : say("with {} == {}", {name, chance_.pick(choices)}));
    }
    watcher();
    if (optional) close();
  }
}

void Writer::watcher() {
  budget(8);
  const std::string p = fresh("p");
  switch (among(Site::watcher, played_.empty() ? 3 : 7)) {
    case 0:
    case 1: {
      bind(p, plain(Sort::player));
      open(say("{} {}({}){}", {chance_.word({"before", "after"}), chance_.word({"turn", "phase main"}), p,
                               chance_.one_in(2) ? " when " + boolean(2) : ""}));
      block(chance_.between(1, 2));
      return close();
    }
    case 2: {
      bind(p, plain(Sort::player));
      open(say("instead of {}({}) when {}", {chance_.word({"turn", "phase main"}), p, boolean(2)}));
      at_.handler = true;
      statement();
      line(chance_.word({"proceed", "cancel"}));
      return close();
    }
    case 3: {
      at_.me = true;
      open(say("{} play {}{}", {chance_.word({"before", "after"}), chance_.pick(played_),
                                chance_.one_in(2) ? " when " + boolean(1) : ""}));
      statement();
      return close();
    }
    case 4: {
      at_.me = true;
      open("after any action in main");
      statement();
      return close();
    }
    default: {
      at_.me = true;
      at_.manner = Manner::pure;
      at_.orderless = true;   // evaluated with each offer, an unspecified number of times
      if (families_.groups && chance_.one_in(3))
        return line(say("{} any action as group when {}", {chance_.word({"forbid", "allow"}), boolean(2)}));
      const std::string what =
          actions_.empty() || chance_.one_in(2) ? "play " + chance_.pick(played_) : chance_.pick(actions_);
      return line(say("{} {} when {}", {chance_.word({"forbid", "forbid", "allow"}), what, boolean(2)}));
    }
  }
}

// ---------------------------------------------------------------- windows

void Writer::windows() {
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const Window& w = windows_[i];
    {
      const Inside inside(*this);
      at_ = {};
      at_.manner = Manner::pure;
      at_.values = static_cast<int>(values_.size());
      std::string given;
      for (const Field& field : w.fields)
        if (field.start.empty())
          given += (given.empty() ? "" : ", ") + field.name + ": " + spelled(field.type), bind(field.name, field.type);
      open(say("window {}({}){}", {w.name, given, w.gives ? ": int" : ""}));
      for (const Field& field : w.fields)
        if (!field.start.empty()) line(say("var {}: {} = {}", {field.name, spelled(field.type), field.start}));
      const std::string count =
          say("{}.{}", {w.name, std::find_if(w.fields.begin(), w.fields.end(), [](const Field& f) {
                                  return f.start == "0";
                                })->name});
      budget(5);
      const std::string whom = chance_.one_in(2) ? "players" : set_of_players(1);
      if (w.asking == Asking::at_once) {
        line(say("ask all of {} at once{}", {whom, chance_.one_in(2) ? " or pass" : ""}));
      } else if (w.asking == Asking::race) {
        line(say("ask all of players in real time until {} >= {}", {count, chance_.between(2, 6)}));
        race_lines(w);
      } else {
        switch (chance_.below(8)) {
          case 0: line(say("ask each of {}", {whom})); break;
          case 1: line(say("ask each of {} or pass", {whom})); break;
          case 2:
            line(say("ask each of {} from host, again until {} >= {}", {whom, count, chance_.between(1, 3)}));
            break;
          case 3: line(say("ask each of {} until all pass", {whom})); break;
          case 4: line(say("ask host until {} >= {}", {count, chance_.between(1, 3)})); break;
          case 5: line("ask host2 until pass"); break;
          case 6:
            at_.orderless = true;
            line(say("ask host until pass when {}", {boolean(1)}));
            at_.orderless = false;
            break;
          default: line("ask host or pass");
        }
      }
      if (w.gives) line(say("return {} + {}", {count, integer(1)}));
      close();
    }
    for (int k = many(1, 3); k > 0; --k) {
      const Inside inside(*this);
      at_ = {};
      action(static_cast<int>(i), fresh("act"));
    }
  }
}

void Writer::race_lines(const Window& w) {
  const Inside inside(*this);
  at_.manner = Manner::quiet;
  at_.below = static_cast<int>(events_.size());
  line(say("sight {} ms", {chance_.between(0, 300)}));
  line(say("think {} ms{}", {chance_.between(100, 900), chance_.word({"", " spread 30%", " ± 40 ms"})}));
  if (chance_.one_in(2)) line("patience 1..2 s");
  if (chance_.one_in(3)) line("countdown 1 s");
  open(say("after {} s", {chance_.between(2, 9)}));
  if (chance_.one_in(2)) statement();
  line(say("end {}", {w.name}));
  close();
  if (chance_.one_in(3)) {
    open("after 1 s of quiet");
    statement();
    close();
  }
  if (chance_.one_in(2)) {
    open("stalemate");
    line(say("end {}", {w.name}));
    close();
  }
}

// ---------------------------------------------------------------- actions and plays

std::string Writer::action_parameter(const std::string& name, bool last) {
  const Type card = plain(Sort::card), one = plain(Sort::player);
  const int sets = last ? 5 : 0;
  if (families_.boards && chance_.one_in(3))
    return families_.pieces && chance_.one_in(3) ? piece_parameter(name) : board_parameter(name, last);
  if (chance_.one_in(14)) return kind_parameter(name);
  if (about(Subject::unknown) && last && chance_.one_in(4))
    if (const std::string sets = unknown_sets(name); !sets.empty()) return sets;
  if (last && !const_lists_.empty() && const_lists_[0].second.is(Sort::set) && chance_.one_in(6))
    return listed_set_parameter(name);
  if (about(Subject::unknown) && chance_.one_in(2)) return unknown_parameter(name, last);
  const int which = about(Subject::answers) && last && chance_.percent(70) ? 8 + chance_.below(sets)
                                                                           : among(Site::parameter, 8 + sets);
  switch (which) {
    case 0: bind(name, one); return name + " in others" + chosen_where(one);
    case 1:
    case 3: {
      const bool of_cards = chance_.one_in(2);
      const std::string from = set(of_cards ? card : one, 1);
      bind(name, of_cards ? card : one);
      return say("{}: {} in {}", {name, of_cards ? "It" : "player", from});
    }
    case 2: bind(name, card); return name + ": It in me.hand" + chosen_where(card);
    case 4: {
      const int e = chance_.below(static_cast<int>(enums_.size()));
      bind(name, plain(Sort::enumeration, e));
      return name + ": " + enums_[static_cast<std::size_t>(e)].name;
    }
    case 5:
      bind(name, number(0, 20));
      if (theme_ != 0 && chance_.one_in(2)) return number_between(name);
      return say("{}: {}..{}", {name, chance_.below(2), chance_.between(3, 12)});
    case 6:
      if (!boards_.empty() && is_directed(0) && chance_.one_in(2)) {
        bind(name, plain(Sort::direction));
        return say("{}: {}", {name, spelled(plain(Sort::direction))});
      }
      if (!boards_.empty()) {
        const std::string from = set_of_cells(0, 1);
        bind(name, plain(Sort::cell));
        return say("{}: {} in {}", {name, spelled(plain(Sort::cell)), from});
      }
      bind(name, number(0, 20));
      return say("{} in {}", {name, set_of_numbers(1)});
    case 7:
      if (!areas_.empty()) {
        bind(name, plain(Sort::part, 0));
        return name + ": " + areas_[0].name;
      }
      bind(name, one);
      return name + ": player";
    default: return set_parameter(name, which - 8);
  }
}

// Returns a condition on the chosen element with a probability of one third; otherwise an empty string.
std::string Writer::chosen_where(const Type& element) { return chance_.one_in(3) ? where(element, 2) : std::string(); }

std::string Writer::kind_parameter(const std::string& name) {
  const bool any = chance_.one_in(2);
  const std::string from = any ? "" : " in " + set(plain(Sort::kind), 2);
  bind(name, plain(Sort::kind));
  return any ? name + ": kind" : name + from;
}

// Returns a parameter that selects one set from a list of sets.
std::string Writer::listed_set_parameter(const std::string& name) {
  const auto& [list, type] = const_lists_[0];
  const std::string filter = type.is_set_of(Sort::card)
                                 ? say(" where {} within {}", {name, about(Subject::unknown) ? zone(0) : "me.hand"})
                             : chance_.one_in(2) ? ""
                                                 : say(" where size({}) == 2", {name});
  bind(name, type);
  return say("{} in {}{}", {name, list, filter});
}

// Returns a parameter that is a set of cards, players, numbers, cells or constants; `which`, 0 to 4, selects the kind.
std::string Writer::set_parameter(const std::string& name, int which) {
  const Type card = plain(Sort::card), one = plain(Sort::player);
  switch (which) {
    case 0:
    case 1: {
      const std::string constant = chance_.word({"2", "exactly 2", "up to 2", "up to 3", "any"}), computed = integer(1);
      const std::string count = chance_.one_in(4)
                                    ? say("{} max(1, min(3, {}))", {chance_.word({"exactly", "up to"}), computed})
                                    : constant,
                        from = chance_.percent(70) ? "me.hand" : set_of_cards(1);
      const std::string some = chosen_where(card);
      bind(name, set_of(card));
      return say("{}: {} cards in {}{}{}",
                 {name, count, from, some,
                  chance_.one_in(3) ? say(" keeping {}", {chance_.one_in(2) ? say("size({}) < 3", {name}) : boolean(1)})
                                    : ""});
    }
    case 2: {
      const std::string from = chance_.one_in(2) ? "others" : set_of_players(1), some = chosen_where(one);
      bind(name, set_of(one));
      const std::string count = chance_.word({"2", "up to 2", "any"});
      expect_picked(name, count, some.empty() ? from : "");
      return say("{}: {} players in {}{}", {name, count, from, some});
    }
    case 3: {
      bind(name, set_of(number(0, 20)));
      const std::string count = chance_.word({"2", "up to 3", "any"});
      expect_picked(name, count, "");
      return say("{}: {} numbers in {}..{}", {name, count, chance_.below(2), chance_.between(4, 9)});
    }
    default: {
      if (!boards_.empty() && chance_.one_in(2)) {
        const std::string from = set_of_cells(0, 1);
        bind(name, set_of(plain(Sort::cell)));
        const std::string count = chance_.word({"2", "up to 2"});
        expect_picked(name, count, "");
        return say("{}: {} cells in {}", {name, count, from});
      }
      bind(name, set_of(plain(Sort::enumeration, 0)));
      const std::string count = chance_.word({"2", "up to 2", "any"});
      expect_picked(name, count, "");
      return say("{}: {} Col in Col", {name, count});
    }
  }
}

// Returns a number parameter whose range may be too large for a mask, with conditions that bound it and others.
std::string Writer::number_between(const std::string& name) {
  const auto bound = [&] {
    return say(chance_.word({"it {} ({})", "it {} ({})", "it * 2 {} ({})", "it - 3 {} ({})", "not (it {} ({}))"}),
               {chance_.word({"<", "<=", ">", ">=", "=="}), integer(1)});
  };
  std::string where = bound();
  for (int i = chance_.below(3); i > 0; --i)
    where += " and " + (chance_.one_in(3) ? "it mod 3 == " + std::to_string(chance_.below(3)) : bound());
  return say("{}: {}..{} where {}",
             {name, chance_.between(-3, 2), chance_.pick(std::vector<int>{5, 70, 300, 1200}), where});
}

// Adds checks that the oracle makes for a chosen set: it has the requested size and contains only offered elements.
void Writer::expect_picked(const std::string& name, const std::string& count, const std::string& from) {
  if (!has_oracle_ || theme_ == 0) return;
  const bool any = count == "any", exactly = count == "2";
  if (!any) expected_.push_back(say("size({}) {} {}", {name, exactly ? "==" : "<=", count.substr(count.size() - 1)}));
  if (from == "others") expected_.push_back(say("me not in {}", {name}));
}

// Returns a condition on the parameters. It does not use a set that is chosen element by element, because `when` can't
// refer to one.
std::string Writer::condition_on_parameters() {
  const auto condition = [&] { return about(Subject::unknown) && chance_.one_in(2) ? truth_of_unknown() : boolean(2); };
  if (locals_.empty() || !locals_.back().type.is(Sort::set)) return condition();
  const Local picked = locals_.back();
  locals_.pop_back();
  const std::string out = condition();
  locals_.push_back(picked);
  return out;
}

// Writes an action. `window` -1 means the main phase.
void Writer::action(int window, const std::string& name, bool of_card, bool of_character) {
  const Inside inside(*this);
  const Asking asking = window < 0 ? Asking::plain : windows_[static_cast<std::size_t>(window)].asking;
  at_.me = true;
  at_.self = of_card;
  at_.values = static_cast<int>(values_.size());
  at_.window = window;
  at_.in_turn = window < 0;
  at_.manner = Manner::pure;
  at_.orderless = true;   // the number of evaluations of an offer is unspecified
  std::string given;
  const int count = chance_.pick(std::vector<int>{0, 0, 1, 1, 1, 2, 2});
  expected_.clear();
  budget(10);
  const std::string by = !of_card && !of_character && chance_.one_in(15) ? " by " + set_of_players(1) : "";
  for (int i = 0; i < count; ++i) given += (given.empty() ? "" : ", ") + action_parameter(fresh("par"), i + 1 == count);
  const std::string in = window < 0 ? "main" : windows_[static_cast<std::size_t>(window)].name;
  std::string more = by;
  if (window < 0 || chance_.one_in(3))
    more += chance_.word({", once per turn", ", once per turn", ", once per phase", ", once per game"});
  if (chance_.one_in(10) && window < 0) more = by + ", once per turn, free";
  if (window < 0 && !locals_.empty() && locals_.front().type.is(Sort::player) && count > 0 && chance_.one_in(4))
    more = by + ", once per turn and " + locals_.front().name;
  if (families_.groups && chance_.one_in(2)) more = by + chance_.word({", once per turn as group", ", as group"});
  if (!of_card && !of_character && window < 0) actions_.push_back(name);
  if (chance_.one_in(8)) more += ", secret";
  if (asking == Asking::race) {
    if (chance_.one_in(3)) more += ", sensible if " + condition_on_parameters();
    if (chance_.one_in(6)) more += families_.groups ? ", must if " + condition_on_parameters() : ", must";
    more += say(", takes {} ms", {chance_.between(50, 500)}) + chance_.word({"", " ± 30 ms", ", by hand"});
    if (chance_.one_in(3)) more += say(", then busy {} ms", {chance_.between(20, 400)});
  }
  if (chance_.one_in(2)) more += " when " + condition_on_parameters();
  static const std::vector<std::string> labels{"", "", " \"Do it\"", " \"With {stage}\""};
  open(say("action {}{} in {}{}{}", {name, given.empty() ? "" : "(" + given + ")", in, more, chance_.pick(labels)}));
  at_.orderless = false;
  at_.manner = asking == Asking::race ? Manner::quiet : chance_.one_in(3) ? Manner::quiet : Manner::loud;
  at_.below = window >= 0 && at_.manner == Manner::loud ? static_cast<int>(events_.size() + windows_.size()) : 0;
  if (window >= 0 && asking != Asking::race)
    at_.below = at_.manner == Manner::loud ? static_cast<int>(events_.size()) + 1000 : 0;
  const int statements = chance_.between(1, 3);
  {
    const Inside body(*this);
    if (counts_owed() && window < 0) line("oracle(owed == 0)");
    for (const std::string& sure : expected_) line(say("oracle({})", {sure}));
    for (int i = 0; i < statements; ++i) statement();
  }
  if (window >= 0) {
    const Window& w = windows_[static_cast<std::size_t>(window)];
    for (const Field& field : w.fields)
      if (field.start == "0") line(say("{}.{} += 1", {w.name, field.name}));
  }
  at_.window = -1;
  if (asking != Asking::plain && chance_.one_in(2)) {
    reopen(say("}} {}", {chance_.word({"late", "wrong", "late or wrong"})}));
    at_.manner = Manner::quiet;
    at_.below = static_cast<int>(events_.size());
    locals_.clear();
    statement();
  }
  close();
}

void Writer::play_of_card(int window) {
  const Inside inside(*this);
  const Asking asking = window < 0 ? Asking::plain : windows_[static_cast<std::size_t>(window)].asking;
  at_.window = window;
  at_.in_turn = window < 0;
  at_.manner = Manner::pure;
  at_.orderless = true;
  budget(8);
  std::string target;
  expected_.clear();
  if (chance_.one_in(2)) target = " (" + action_parameter(fresh("par"), false) + ")";
  const std::string when = chance_.one_in(3) ? " when " + boolean(2) : "";
  const std::string limit = chance_.one_in(3) ? ", once per turn" : "";
  const std::string to = chance_.one_in(3) ? " to me.pub" : "";
  const std::string takes = asking == Asking::race ? say(", takes {} ms", {chance_.between(50, 400)}) : "";
  open(say("play in {}{}{}{}{}{}",
           {window < 0 ? "main" : windows_[static_cast<std::size_t>(window)].name, target, limit, takes, when, to}));
  at_.orderless = false;
  at_.manner = asking == Asking::race ? Manner::quiet : Manner::loud;
  at_.below = window < 0 ? 0 : static_cast<int>(events_.size()) + 1000;
  const int statements = chance_.between(1, 2);
  for (int i = 0; i < statements; ++i) statement();
  close();
}

void Writer::effects(int count) {
  for (int i = 0; i < count + 1; ++i) {
    const Inside inside(*this);
    at_ = {};
    action(-1, fresh("act"));
  }
}

// ---------------------------------------------------------------- the order of play

void Writer::flow() {
  const Inside inside(*this);
  at_ = {};
  at_.in_turn = true;
  at_.values = static_cast<int>(values_.size());
  open("play");
  const bool rounds = chance_.one_in(3);
  if (rounds) open(say("rounds {}", {chance_.between(2, 3)}));
  if (opens_at_once() && chance_.one_in(2)) {
    open("phase early");
    open_window(0);
    close();
  } else if (chance_.one_in(6) && !windows_.empty()) {
    budget(4);
    open("phase early");
    statement();
    close();
  }
  open(say("turns {} from host up to {}{}",
           {chance_.word({"clockwise", "clockwise", "counterclockwise"}), chance_.between(4, rounds ? 8 : 20),
            chance_.one_in(5) ? " until stage > 300" : ""}));
  at_.active = true;
  bind("active", plain(Sort::player));
  if (opens_at_once() && chance_.one_in(2)) {
    open("phase first_part");
    open_window(0);
    close();
  } else if (chance_.one_in(3)) {
    open("phase first_part");
    statement();
    close();
  }
  open("phase main");
  line(chance_.word({"ask active", "ask active or pass", "ask active until pass", "ask active until pass",
                     "ask each of players from active or pass"}));
  close();
  if (chance_.one_in(3)) {
    open("phase late_part");
    block(chance_.between(1, 2));
    close();
  }
  close();
  if (rounds) {
    locals_.clear();
    at_.in_turn = false;
    if (chance_.one_in(2)) statement();
    close();
  }
  close();
}

void Writer::endings() {
  const Inside inside(*this);
  at_ = {};
  at_.manner = Manner::pure;
  at_.values = static_cast<int>(values_.size());
  budget(6);
  if (chance_.one_in(2)) line("end when stage > 450 { winners players with most it.score }");
  // Rulesets with a race have no such ending: when its condition becomes true, a race that `afterwards` has opened may
  // continue in optimized games and end in unoptimized ones, or vice versa.
  if (theme_ != 0) {
    for (int i = about(Subject::waiting) ? chance_.between(1, 3) : chance_.below(3); i > 0; --i)
      line(say("end when {} and turn_number > {} {{ winners {} }}",
               {watched_condition(), chance_.between(1, 4), set_of_players(1)}));
  } else if (chance_.one_in(4) && !has_race_)
    line(say("end when {} and turn_number > 2 {{ winners {} }}", {watched_condition(), set_of_players(1)}));
  line("end when size(players) <= 1 and size(everyone) > 1 { winners players }");
  if (chance_.one_in(3)) line("value payoff(p: player): int = p.score + " + std::to_string(chance_.between(0, 3)));
  line("end when play is over { winners players with most it.score }");
}

}   // namespace cardwright::test
