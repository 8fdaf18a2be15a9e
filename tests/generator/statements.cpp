// Generates statements that are permitted in the current context: assignments, moves, loops, events, windows, choices
// and pauses.
#include <algorithm>

#include "tests/generator/writer.h"

namespace cardwright::test {

void Writer::block(int statements) {
  const Inside inside(*this);
  for (int i = 0; i < statements; ++i) statement();
}

// Returns an expression to store in a variable with range lo..hi: usually limited to the range, rarely not.
std::string Writer::within(const std::string& value, int lo, int hi) {
  if (chance_.one_in(60)) return say("{} + stage - 12", {value});
  return say("max({}, min({}, {}))", {lo, hi, value});
}

void Writer::statement() {
  budget(14);
  const bool still = at_.manner == Manner::still;
  if (subject_ != Subject::none && !still && chance_.one_in(about(Subject::waiting) ? 2 : 3) && statement_of_subject())
    return;
  if (families_.boards && chance_.one_in(7)) {
    if (families_.laid && chance_.one_in(2)) return lay();
    return families_.pieces && chance_.one_in(2) ? with_pieces() : on_board();
  }
  if (families_.tables && chance_.one_in(6)) return with_tables();
  if (families_.dice && chance_.one_in(7)) return with_dice();
  if (families_.watched && chance_.one_in(10)) return count_event();
  if (families_.marks && chance_.one_in(8)) return mark_card();
  switch (among(Site::statement, still ? 12 : 26)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: return assignment();
    case 5:
    case 6: return condition();
    case 7:
    case 8: return loop();
    case 9: return local();
    case 10:
    case 11: return still ? assignment() : call_event();
    case 12:
    case 13:
    case 14:
    case 15: return move();
    case 16: return secret_things();
    case 17:
    case 18:
    case 19: return call_event();
    case 20:
    case 21: return choice();
    case 22: return log_line();
    default: return odd_ones();
  }
}

// ---------------------------------------------------------------- variables

void Writer::list_changes(const std::string& place, const Type& type) {
  std::string one = expression(*type.elem, 1);
  if (type.elem->is(Sort::integer)) one = say("max({}, min({}, {}))", {type.elem->lo, type.elem->hi, one});
  const bool of_cards = type.elem->is(Sort::card), of_rows = type.elem->is(Sort::list);
  switch (chance_.below(of_rows ? 3 : 7)) {
    case 0:
    case 1:
      if (of_cards) {
        const std::string c = fresh("c");
        line(say("if size({0}) < {1} {{ let {2} = {3}; if {2} is not none then {0} += {2} }}",
                 {place, type.most, c, one}));
      } else {
        line(say("if size({0}) < {1} then {0} += {2}",
                 {place, type.most, of_rows ? "[" + expression(*type.elem->elem, 0) + "]" : one}));
      }
      return;
    case 2:
      if (of_rows) return line(say("if size({0}) > 0 then {0} -= first of {0}", {place}));
      [[fallthrough]];
    case 3:
      if (of_cards) return line(say("{} = []", {place}));
      return line(say("{} -= {}", {place, one}));
    case 4:
      if (of_cards) return line(say("{} = []", {place}));
      return line(say("if size({0}) > 0 then {0}[{2}] = {1}",
                      {place, one, chance_.one_in(2) ? "0" : say("size({}) - 1", {place})}));
    case 5: return line(say("{0} = {0}{1}", {place, where(*type.elem, 1)}));
    default: return line(say("{} = []", {place}));
  }
}

void Writer::assign_to(const Variable& v) {
  const std::string place = of_variable(v, 1);
  const Type& type = v.type;
  switch (type.sort) {
    case Sort::integer: {
      const int lo = type.lo > type.hi ? -1000 : type.lo, hi = type.lo > type.hi ? 1000 : type.hi;
      return line(say("{} = {}", {place, within(integer(2), lo, hi)}));
    }
    case Sort::list: return list_changes(place, type);
    case Sort::set:
      if (chance_.one_in(2)) return line(say("{} {} {}", {place, chance_.word({"+=", "-="}), set(*type.elem, 1)}));
      return line(say("{} = {}", {place, set(*type.elem, 2)}));
    case Sort::record: {
      const Field& field = chance_.pick(records_[static_cast<std::size_t>(type.which)].fields);
      if (chance_.one_in(2)) return line(say("{} = {}", {place, record(type.which, 2)}));
      if (field.type.is(Sort::integer))
        return line(say("{}.{} = {}", {place, field.name, within(integer(1), field.type.lo, field.type.hi)}));
      return line(say("{}.{} = {}", {place, field.name, expression(field.type, 1)}));
    }
    default: return line(say("{} = {}", {place, expression(type, 2)}));
  }
}

void Writer::assignment() {
  std::vector<const Variable*> all;
  for (const Variable& v : variables_)
    if (v.home != Home::turn || at_.in_turn) all.push_back(&v);
  for (int tries = 0; tries < 3; ++tries) {
    if (chance_.one_in(4))   // assigns to a `var` of this body, if there is one
      for (const Local& local : locals_)
        if (local.writable && local.per.empty() && local.name.front() != '(') {
          if (local.type.is(Sort::integer))
            return line(say("{} {} {}", {local.name, chance_.word({"=", "+=", "-="}), integer(1)}));
          if (local.type.is(Sort::boolean)) return line(say("{} = {}", {local.name, boolean(1)}));
        }
    if (at_.window >= 0 && chance_.one_in(4)) {
      const Window& w = windows_[static_cast<std::size_t>(at_.window)];
      for (const Field& field : w.fields) {
        if (field.start.empty()) continue;   // a parameter of the window can't be assigned
        if (field.type.is(Sort::integer) && chance_.one_in(2)) return line(say("{}.{} += 1", {w.name, field.name}));
        if (field.type.is(Sort::set) && chance_.one_in(2))
          return line(say("{}.{} += {}", {w.name, field.name, set(*field.type.elem, 1)}));
      }
    }
    const Variable& v = *chance_.pick(all);
    if (v.type.is(Sort::card)) {
      return line(say("{} = {}", {of_variable(v, 1), maybe_card(1)}));
    }
    if (v.home == Home::player && v.per.empty() && v.type.is(Sort::integer) && chance_.one_in(6))
      return line(say("players.{} = {}", {v.name, chance_.between(std::max(0, v.type.lo), v.type.hi)}));
    if (!v.per.empty() && v.home == Home::player && v.type.is(Sort::integer) && chance_.one_in(4))
      return line(say("{}.{} = {}", {player(1), v.name, chance_.between(v.type.lo, v.type.hi)}));
    return assign_to(v);
  }
}

void Writer::local() {
  switch (among(Site::local, 6)) {
    case 0: {
      const std::string name = fresh("n"), value = integer(2);
      line(say("var {} = {}", {name, value}));
      return bind(name, any_number(), true);
    }
    case 1: {
      const std::string name = fresh("b"), value = boolean(2);
      line(say("let {} = {}", {name, value}));
      return bind(name, plain(Sort::boolean));
    }
    case 2: {
      const std::string name = fresh("cs"), value = set_of_cards(2);
      line(say("let {} = {}", {name, value}));
      return bind(name, set_of(plain(Sort::card)));
    }
    case 3: {
      const std::string name = fresh("ps"), value = set_of_players(2);
      line(say("let {} = {}", {name, value}));
      return bind(name, set_of(plain(Sort::player)));
    }
    case 4: {
      const std::string name = fresh("c"), value = maybe_card(2);
      line(say("let {} = {}", {name, value}));
      return bind(name, maybe(plain(Sort::card)));
    }
    default: {
      if (at_.manner == Manner::still) return assignment();
      if (chance_.one_in(3)) {
        const std::string n = fresh("n");
        line(say("let {} = roll {}..{}", {n, chance_.between(0, 2), chance_.between(3, 9)}));
        return bind(n, any_number());
      }
      if (chance_.one_in(3)) {
        const std::string c = fresh("c");
        line(say("let {} = {} of {}", {c, chance_.word({"top", "bottom"}), ordered_zone(1, true)}));
        return bind(c, maybe(plain(Sort::card)));
      }
      const std::string name = fresh("q"), value = set_of_players(1);
      line(say("let {} = random of ({})", {name, value}));
      return bind(name, maybe(plain(Sort::player)));
    }
  }
}

// ---------------------------------------------------------------- moving cards

void Writer::move() {
  const std::string facing = chance_.one_in(8) ? chance_.word({" facedown", " faceup"}) : "";
  const auto to = [&] {   // a card can't be face up in a zone that is hidden from everyone
    return zone(1, [&](const Zone& z) {
      return z.shape != Shape::slot && (facing.empty() || (z.sight != "hidden" && z.sight != "facedown"));
    });
  };
  switch (among(Site::move, 13)) {
    case 0:
    case 1: return line(say("move {} to {}{}", {maybe_card(2), to(), facing}));
    case 2:
    case 3:
      return line(
          say("move {} cards from {} to {}{}", {chance_.one_in(3) ? integer(1) : std::to_string(chance_.between(1, 3)),
                                                ordered_zone(1, true), to(), facing}));
    case 4: return line(say("move {} random card from {} to {}", {chance_.between(1, 2), zone(1), to()}));
    case 5: return line(say("move {} to {}", {set_of_cards(2), to()}));
    case 6: return line(say("move {} to bottom of {}", {maybe_card(1), ordered_zone(1, true)}));
    case 7: return line(say("deal 1 from {} to each hand", {ordered_zone(0, true)}));
    case 8: return line(say("shuffle {}", {ordered_zone(1, true)}));
    case 9:
      return line(say("shuffle {} into draw",
                      {zone(1, [](const Zone& z) { return z.name != "draw" && z.shape != Shape::slot; })}));
    case 10: {
      std::vector<const Zone*> own;
      for (const Zone& z : zones_)
        if (z.home == Home::player && z.shape != Shape::slot) own.push_back(&z);
      const std::string& name = chance_.pick(own)->name;
      return line(say("swap {}.{} with {}.{}", {player(1), name, player(1), name}));
    }
    case 11: {
      const std::string slot = zone(1, [](const Zone& z) { return z.shape == Shape::slot; });
      if (slot == "disc") return line("turn over disc onto draw");
      return line(say("if {0} is empty then move {1} to {0}", {slot, maybe_card(1)}));
    }
    default: {
      if (at_.manner != Manner::loud) return line("turn over disc onto draw");
      // Only visible cards: the choice would reveal hidden ones to the choosing player.
      const std::string from = zone(1, [](const Zone& z) { return z.sight == "public" || z.sight == "faceup"; });
      return line(say("move {} to disc, {} picks the top", {from, player(1)}));
    }
  }
}

void Writer::secret_things() {
  switch (among(Site::look, 7)) {
    case 0: return line(say("reveal {}", {zone(1)}));
    case 1: return line(say("peek top {} of {} by {}", {chance_.between(1, 3), ordered_zone(1, true), player(1)}));
    case 2: return line(say("turn {} {}", {maybe_card(1), chance_.word({"facedown", "faceup"})}));
    case 3: return line(say("reveal {}", {maybe_card(1)}));
    default: {
      std::vector<const Variable*> secret;
      for (const Variable& v : variables_)
        if (!v.sight.empty() && v.home == Home::player && v.per.empty()) secret.push_back(&v);
      if (secret.empty()) return line(say("reveal {}", {maybe_card(1)}));
      const std::string place = of_variable(*chance_.pick(secret), 1);
      return line(chance_.one_in(2) ? "reveal " + place : say("peek {} by {}", {place, player(1)}));
    }
  }
}

// ---------------------------------------------------------------- conditions and loops

void Writer::condition() {
  if (at_.loops > 1) return assignment();
  const Inside inside(*this);
  ++at_.loops;
  switch (among(Site::condition, 4)) {
    case 0: {   // a card and a test that it is not none
      const std::string c = fresh("c"), from = maybe_card(1);
      line(say("let {} = {}", {c, from}));
      open(say("if {} is not none", {c}));
      {
        const Inside there(*this);
        bind(c, plain(Sort::card));
        statement();
      }
      return close();
    }
    case 1: {
      const auto known = locals_of(maybe(plain(Sort::player)));
      if (known.empty()) break;
      const std::string name = chance_.pick(known).name;
      open(say("if {} is in", {name}));
      {
        const Inside there(*this);
        bind(name, plain(Sort::player));
        statement();
      }
      return close();
    }
    default: break;
  }
  open("if " + boolean(2));
  block(chance_.between(1, 2));
  if (chance_.one_in(2)) {
    reopen("} else");
    block(1);
  }
  close();
}

void Writer::loop() {
  if (at_.loops > 1) return assignment();
  const Inside inside(*this);
  ++at_.loops;
  std::string at;
  switch (among(Site::loop, 7)) {
    case 0: open(say("repeat {}", {chance_.between(1, 3)})); break;
    case 1: open(say("repeat up to {} times while {}", {chance_.between(1, 4), boolean(2)})); break;
    case 2: {
      const std::string x = fresh("x"), y = fresh("y"), one = set_of_cards(1), other = set_of_cards(0);
      const bool pair = chance_.one_in(2);
      open(say("each {} in {}, {} in {}{}", {x, one, y, other, pair ? " after " + x : ""}));
      bind(x, plain(Sort::card));
      bind(y, plain(Sort::card));
      break;
    }
    case 3:
      if (!areas_.empty()) {
        const int a = chance_.below(static_cast<int>(areas_.size()));
        const std::string n = fresh("n"), all = set_of_parts(a);
        open(say("each {} in {}", {n, all}));
        bind(n, plain(Sort::part, a));
        break;
      }
      [[fallthrough]];
    default: {
      Type elem;
      const std::string all = collection(elem, 1), x = fresh("x");
      const std::string i = chance_.one_in(5) ? fresh("i") : "";
      bind(x, elem);
      open(say("each {} in {}{}{}",
               {x, all, chance_.one_in(4) ? " where " + boolean(1) : "", i.empty() ? "" : " at " + i}));
      if (!i.empty()) bind(i, any_number());
    }
  }
  block(chance_.between(1, 2));
  if (chance_.one_in(6)) line(say("if {} then {}", {boolean(1), chance_.word({"stop", "next"})}));
  close();
}

// ---------------------------------------------------------------- events, windows, choices

void Writer::call_event() {
  std::vector<int> fitting;
  for (int i = at_.below; i < static_cast<int>(events_.size()); ++i)
    if (events_[static_cast<std::size_t>(i)].manner <= at_.manner) fitting.push_back(i);
  if (const auto windows = windows_to_open(); !windows.empty() && chance_.one_in(3) && at_.window < 0)
    return open_window(chance_.pick(windows));
  if (fitting.empty()) return assignment();
  const Event& event = events_[static_cast<std::size_t>(chance_.pick(fitting))];
  const std::string text = say("{}({})", {event.name, arguments(event.parameters, 2)});
  if (event.gives && chance_.one_in(2)) {
    const std::string n = fresh("g");
    line(say(event.result.is(Sort::integer) ? "let {} = {} or else 0" : "let {} = {}", {n, text}));
    return bind(n, event.result);
  }
  line(text);
}

std::vector<int> Writer::windows_to_open() const {
  std::vector<int> out;
  if (at_.manner != Manner::loud) return out;
  for (int i = std::max(0, at_.below - static_cast<int>(events_.size())); i < static_cast<int>(windows_.size()); ++i)
    out.push_back(i);
  return out;
}

void Writer::open_window(int which) {
  const Window& w = windows_[static_cast<std::size_t>(which)];
  const std::string given = arguments(w.parameters, 1);
  if (w.gives) {
    const std::string n = fresh("n");
    line(say("let {} = open {}({}) or else 1", {n, w.name, given}));
    return bind(n, any_number());
  }
  if (chance_.one_in(2)) return line(say("open {}({})", {w.name, given}));
  if (chance_.one_in(2)) {
    open(say("if {}open {}({})", {chance_.word({"", "not "}), w.name, given}));
    block(1);
    return close();
  }
  const std::string s = fresh("s");
  line(say("let {} = open {}({})", {s, w.name, given}));
  for (const Field& field : w.fields)
    if (!field.start.empty() && field.type.is(Sort::integer))
      bind(s + "." + field.name, field.type);
    else if (!field.start.empty() && field.type.is_set_of(Sort::card))
      bind(s + "." + field.name, field.type);
}

// Marks one card, or all cards of a set.
void Writer::mark_card() {
  const auto cards = locals_of(plain(Sort::card));
  const Inside inside(*this);
  std::string card = cards.empty() ? "" : chance_.pick(cards).name;
  if (cards.empty()) {
    card = fresh("m");
    open(say("each {} in {}", {card, set_of_cards(1)}));
    bind(card, plain(Sort::card));
  }
  if (chance_.one_in(3))
    line(say("keeper[{}] = {}", {card, maybe_player(1)}));
  else
    line(say("mark[{0}] = min(9, mark[{0}] + {1})", {card, chance_.between(1, 3)}));
  if (cards.empty()) close();
}

// Writes a statement that changes and reads a variable of an event, if the event is running.
void Writer::count_event() {
  std::vector<const Event*> counted;
  // Only events before `at_.below` can be running here; the others can only be called from this code.
  for (int i = 0; i < std::min(at_.below, static_cast<int>(events_.size())); ++i)
    if (const Event& event = events_[static_cast<std::size_t>(i)]; !event.counter.empty()) counted.push_back(&event);
  if (counted.empty()) return assignment();
  const Event& event = *chance_.pick(counted);
  open(say("if during {}", {event.name}));
  line(say("{}.{} += {}", {event.name, event.counter, chance_.between(1, 3)}));
  line(say("stage = max(0, min(500, stage + {}.{}))", {event.name, event.counter}));
  close();
}

void Writer::choice() {
  if (at_.manner != Manner::loud) return move();
  const std::string p = player(1);
  switch (about(Subject::unknown) && chance_.one_in(2) ? 3 * chance_.below(2) : among(Site::choice, 9)) {
    case 0: {
      const std::string c = fresh("c");
      const std::string from = offered_cards(2);
      const std::string chance =
          chance_.one_in(4) ? ", or at random from " + (chance_.one_in(2) ? zone(1) : set_of_cards(1)) : "";
      line(say("{} chooses {} from {}{}{}", {p, c, from, chance, chance_.one_in(3) ? " \"Which?\"" : ""}));
      return bind(c, maybe(plain(Sort::card)));
    }
    case 1: {
      const std::string q = fresh("q");
      line(say("{} chooses {} from {}", {p, q, set_of_players(2)}));
      return bind(q, maybe(plain(Sort::player)));
    }
    case 2: {
      const std::string k = fresh("k");
      const int e = chance_.below(static_cast<int>(enums_.size()));
      line(say("{} chooses {} from {}", {p, k, set_of_constants(e, 1)}));
      return;
    }
    case 3: {
      const std::string cs = fresh("cs");
      const std::string from = offered_cards(1);
      const std::string keeping = chance_.one_in(6) ? say(" keeping size({}) < 2 or {}", {cs, boolean(1)})
                                  : chance_.one_in(2)
                                      ? say(" keeping size({0}) < {1} or (any k{2} in {0} has k{2}.w > 1)",
                                            {cs, chance_.between(2, 4), ++names_})
                                      : "";
      line(say("{} chooses {}: {} cards from {}{}",
               {p, cs, chance_.word({"1", "2", "up to 2", "up to 3", "any", "exactly 2"}), from, keeping}));
      return bind(cs, set_of(plain(Sort::card)));
    }
    case 4: {
      const std::string ps = fresh("ps");
      line(say("{} chooses {}: {} players from {}", {p, ps, chance_.word({"2", "up to 2", "any"}), set_of_players(1)}));
      return bind(ps, set_of(plain(Sort::player)));
    }
    case 5: {
      const std::string n = fresh("n");
      line(say("{} chooses {} from {}..{}",
               {p, n, chance_.between(-2, 1), chance_.one_in(3) ? "max(2, min(40, " + integer(1) + "))" : "5"}));
      return;
    }
    case 6: {
      open(say("{} may \"Do it?\"", {p}));
      block(1);
      reopen("} else");
      block(1);
      return close();
    }
    case 7: {
      const std::string v = fresh("q");
      open(say("{} may choose {} from {} \"Whom?\"", {p, v, set_of_players(1)}));
      {
        const Inside there(*this);
        bind(v, plain(Sort::player));
        statement();
      }
      return close();
    }
    default: {
      open(say("{} chooses one \"What?\"", {p}));
      for (int i = 0; i < 3; ++i) {
        open(say("\"Way {}\"{}", {i + 1, i == 1 ? " when " + boolean(1) : ""}));
        block(1);
        close();
      }
      return close();
    }
  }
}

void Writer::log_line() {
  static const std::vector<std::string> heads{"now", "see", "so"};
  line(say("log \"{} {{{}}} and {{{}}}\"",
           {chance_.pick(heads), player(0), chance_.one_in(2) ? small_integer() : zone(0)}));
}

// Writes a `pause … then` statement, whose block begins with the code that `first` writes.
void Writer::pause(const std::function<void()>& first) {
  const Inside inside(*this);
  ++at_.loops;
  at_.manner = Manner::quiet;
  at_.handler = at_.can_return = false;
  for (Local& local : locals_) local.writable = false;
  forget_tables();
  open(say("pause {} for {} ms then", {windows_[0].name, chance_.between(50, 900)}));
  first();
  statement();
  close();
}

void Writer::odd_ones() {
  switch (among(Site::odd, 17)) {
    case 14: {
      if (!has_race_ || at_.loops > 1) return assignment();
      return pause([] {});
    }
    case 15:
      if (!library_.empty()) return line(say("nudge({})", {player(1)}));
      return call_event();
    case 16:
      if (has_charm_) return line(say("{}.charm = {}", {player(1), maybe_card(1)}));
      return move();
    case 0: return line("checkpoint");
    case 1: return line("check end");
    case 2: {
      const Inside inside(*this);
      if (at_.loops > 1) return move();
      ++at_.loops;
      at_.handler = false;
      at_.can_return = false;
      for (Local& local : locals_) local.writable = false;
      forget_tables();
      open("afterwards");
      if (theme_ != 0 && chance_.one_in(2))
        call_event();
      else
        block(chance_.between(1, 2));
      close();
      return;
    }
    case 3: return line(say("if size(players) > {} then eliminate {}", {chance_.between(1, 2), player(1)}));
    case 4: {
      if (options_.empty()) return assignment();
      const auto& [name, choices] = chance_.pick(options_);
      const Inside inside(*this);
      if (at_.loops > 1) return move();
      ++at_.loops;
      open(choices.empty() ? "with " + name : say("with {} == {}", {name, chance_.pick(choices)}));
      block(1);
      reopen("} otherwise");
      block(1);
      return close();
    }
    case 5:
      if (at_.in_turn) return line(say("if {} then end turn", {boolean(2)}));
      return assignment();
    case 6: return line(say("if {} then end phase", {boolean(2)}));
    case 7: {
      std::vector<std::string> names;
      for (const Variable& v : variables_)
        if (v.home == Home::player && v.per.empty()) names.push_back(v.name);
      const std::string& name = chance_.pick(names);
      return line(say("swap {}.{} with {}.{}", {player(1), name, player(1), name}));
    }
    case 8:
      if (!timers_.empty())
        return line(say("start {}.{} for {} ms", {player(0), chance_.pick(timers_), chance_.between(100, 900)}));
      return assignment();
    case 9:
      if (has_race_) return line(say("delay {} by {} ms", {player(0), chance_.between(10, 400)}));
      return assignment();
    case 10: {
      const std::string c = fresh("c"), all = set_of_cards(1);
      line(say("let {} = random of ({})", {c, all}));
      return bind(c, maybe(plain(Sort::card)));
    }
    case 11:
      if (at_.window >= 0 && chance_.one_in(2))
        return line(say("if {} then end {}", {boolean(2), windows_[static_cast<std::size_t>(at_.window)].name}));
      return move();
    default: return move();
  }
}

}   // namespace cardwright::test
