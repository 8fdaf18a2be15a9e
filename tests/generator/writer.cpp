// Implements the parts of the generator that write lines and blocks, declare names, and order the parts of the file.
#include "tests/generator/writer.h"

#include <algorithm>

namespace cardwright::test {

std::string write_ruleset(std::uint64_t seed, bool secrets, bool families) {
  return Writer(seed, secrets, families).ruleset();
}

std::string say(std::string_view pattern, std::initializer_list<Piece> pieces) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c != '{' && c != '}')
      out += c;
    else if (pattern[i + 1] == c)
      out += c, ++i;
    else if (pattern[i + 1] == '}')
      out += (pieces.begin() + next++)->text, ++i;
    else
      out += (pieces.begin() + (pattern[i + 1] - '0'))->text, i += 2;
  }
  return out;
}

void Writer::line(const std::string& text) {
  text_ += std::string(2 * static_cast<std::size_t>(depth_), ' ') + text + "\n";
}
void Writer::open(const std::string& head) {
  line(head + " {");
  ++depth_;
  scopes_.push_back(locals_.size());
}
void Writer::reopen(const std::string& head) {
  --depth_;
  locals_.resize(std::min(locals_.size(), scopes_.back()));
  scopes_.pop_back();
  open(head);
}
void Writer::close() {
  --depth_;
  locals_.resize(std::min(locals_.size(), scopes_.back()));
  scopes_.pop_back();
  line("}");
}

void Writer::watched() {
  at_.orderless = true;
  at_.sequences = false;
}

// Returns the local variables of a type, except those that a later variable with the same name hides.
std::vector<Local> Writer::locals_of(const Type& type) const {
  std::vector<Local> out;
  for (std::size_t i = 0; i < locals_.size(); ++i) {
    bool hidden = locals_[i].name.front() == '(';
    for (std::size_t k = i + 1; k < locals_.size(); ++k) hidden = hidden || locals_[k].name == locals_[i].name;
    if (!hidden && locals_[i].per.empty() && fits(locals_[i].type, type)) out.push_back(locals_[i]);
  }
  return out;
}

std::string Writer::spelled(const Type& type) const {
  const std::string mark = type.optional ? "?" : "";
  switch (type.sort) {
    case Sort::integer:
      return type.lo > type.hi ? "int" : say(type.optional ? "({}..{})?" : "{}..{}", {type.lo, type.hi});
    case Sort::boolean: return "bool";
    case Sort::player: return "player" + mark;
    case Sort::enumeration: return enums_[static_cast<std::size_t>(type.which)].name + mark;
    case Sort::card: return "It" + mark;
    case Sort::cell: return on(type.which, "cell") + mark;
    case Sort::direction: return on(type.which, "dir") + mark;
    case Sort::edge: return on(type.which, "edge") + mark;
    case Sort::offset: return "offset";
    case Sort::part: return areas_[static_cast<std::size_t>(type.which)].name + mark;
    case Sort::team: return "team";
    case Sort::kind: return "kind" + mark;
    case Sort::set: return "set of " + spelled(*type.elem);
    case Sort::list: return say("list of {} up to {}", {spelled(*type.elem), type.most});
    case Sort::record: return records_[static_cast<std::size_t>(type.which)].name;
  }
  return "int";
}

std::string Writer::ruleset() {
  plan_more();
  least_ = chance_.between(1, 3);
  most_ = std::min(5, least_ + chance_.below(3));
  if (least_ == 1 && chance_.percent(80)) least_ = 2, most_ = std::max(most_, 2);
  line(say("game \"Made of {}\"", {std::to_string(seed_)}));
  line(least_ == most_ ? say("players {}", {least_}) : say("players {}..{}", {least_, most_}));
  imports();
  has_seats_ = chance_.one_in(3);
  if (has_seats_) line("use std.seats");
  if (families_.dealing) line("use std.dealing");
  has_teams_ = chance_.one_in(5);
  if (has_teams_) line("teams each");
  if (chance_.one_in(3) || families_.boards) boards();
  options();
  relations();
  enums();
  plan_state();
  records();
  plan_tables();
  plan_rules();
  cards();
  charms();
  const_lists();
  decks();
  characters();
  state();
  handed_rules();
  tables();
  values();
  functions();
  sequences();
  modifiers("", many(0, 4));
  windows();
  events();
  effects(many(1, 5));
  watchers();
  setup();
  flow();
  oracles();
  endings();
  std::string all = text_;
  if (!base_.empty()) all = house(text_) + "// file base.rules\n" + all;
  if (!library_.empty()) all += "// file helpers.rules\n" + library();
  return all + files_;
}

}   // namespace cardwright::test
