// Describes a trap in terms of the rules: the values involved and their declarations.
#include "runtime/trap_words.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "runtime/program/words.h"
#include "runtime/state/state.h"

namespace cardwright {

namespace {

std::string number(Int value) {
  return value == kNone ? "none" : value >= kUnlimited ? "unlimited" : fmt::format("{}", value);
}

// Returns the source text that was executed, without the block that follows; empty if it is too long for a message.
std::string source_text(const Program& program, const Game& g) {
  constexpr std::size_t kMost = 80;
  const Range range{g.trap_source, g.trap_begin, g.trap_end};
  if (!program.sources || !range.known() || range.source >= program.sources->size()) return {};
  const std::string_view all = program.sources->text(range);
  const std::string text = one_line(all.substr(0, std::min(all.find(" {"), all.find('\n'))));
  return text.size() > kMost ? "" : text;
}
std::string after(const std::string& source_text, const std::string& text) {
  return source_text.empty() ? text : fmt::format("`{}`: {}", source_text, text);
}

std::string operands_text(Trap trap, Int a, Int b) {
  if (trap == Trap::divided_by_zero) return fmt::format("{} is divided by 0", number(a));
  if (trap == Trap::overflow) return fmt::format("the operands are {} and {}", number(a), number(b));
  if (a == b) return "the operand is none";
  return fmt::format("the operands are {} and {}", number(a), number(b));
}

// Returns a message text created by the compiler, with the number in place of `{}`.
std::string declared_range_text(const Program& program, Int text, Int value) {
  const auto& texts = program.playout.texts;
  if (text < 0 || static_cast<std::size_t>(text) >= texts.size()) return {};
  std::string words = texts[static_cast<std::size_t>(text)];
  if (const std::size_t mark = words.find("{}"); mark != std::string::npos) words.replace(mark, 2, number(value));
  return words;
}

std::string range_text(Int from, Int to) {
  if (to < from) return fmt::format("the range {}..{} is empty", from, to);
  return fmt::format("a set can contain numbers from 0 to 61, but the range is {}..{}", from, to);
}

// Describes a zone instance that does not exist.
std::string zone_of(const Program& program, Int first, Int owner, Int copy) {
  const ZoneInstance& zone = program.layout.instance[first];
  const std::string& name = program.zone_infos[static_cast<std::size_t>(zone.zone)].name;
  if (owner == kNone) return fmt::format("the owner of `{}` is none", name);
  return copy == kNone ? fmt::format("the part of `{}` is none", name)
                       : fmt::format("`{}` has no part {}", name, copy + 1);
}

// Describes values of a variable that is declared in the rules.
class VariableText {
 public:
  VariableText(const Program& program, Int variable, Int index)
      : p_(program),
        variable_(variable),
        info_(program.variable_infos[static_cast<std::size_t>(variable)]),
        index_(index) {}

  std::string to_hold(Int value) const {
    if (value == kNone)
      return fmt::format("{} would be none, but is declared as {}, without `?`", owned_name(), declared());
    return fmt::format("{} would be {}, but is declared as {}", owned_name(), in_words(value), declared());
  }
  std::string unset() const { return fmt::format("{} has no value yet, declared {}", owned_name(), declared()); }
  std::string no_instance() const {
    if (index_ == kNone) return fmt::format("the index of `{}` is none", info_.name);
    if (info_.per_player || info_.keys.size() != 1) return fmt::format("`{}` has no such index", info_.name);
    const KeyInfo& key = info_.keys[0];
    return fmt::format("`{}[{}]` is outside {}..{}", info_.name, key.first + index_, key.first,
                       key.first + key.count - 1);
  }
  std::string leaving(Int cell) const {
    const PlacedInfo& placed = p_.placed[static_cast<std::size_t>(info_.placed)];
    return fmt::format("{} would leave the board at {}", piece_in_words(p_, info_.placed, index_),
                       value_in_words(p_, ValueKind::enumeration,
                                      p_.variable_infos[static_cast<std::size_t>(placed.at)].enumeration, cell));
  }
  std::string of_length(Int length) const {
    return fmt::format("{} would hold {}, but is declared as {}", owned_name(), length, declared());
  }
  std::string without(Int element) const {
    return fmt::format("`{}[{}]`{} is beyond the end of the list", variable_in_words(p_, variable_, index_), element,
                       of_owner());
  }
  std::string pool_without(Int constant) const {
    const std::string place =
        info_.where.known() && p_.sources ? fmt::format(" ({})", p_.sources->describe(info_.where)) : "";
    if (constant == kNone) return fmt::format("the pool `{}`{} is empty", info_.name, place);
    return fmt::format("the pool `{}`{} has no {} left", info_.name, place,
                       value_in_words(p_, ValueKind::enumeration, info_.enumeration, constant));
  }

 private:
  std::string of_owner() const {
    const Int each = info_.per_player && info_.placed < 0
                         ? p_.variables[static_cast<std::size_t>(variable_)].count / p_.layout.players
                         : 0;
    return each > 0 ? " of " + player_name(index_ / each) : "";
  }
  std::string owned_name() const { return fmt::format("`{}`{}", variable_in_words(p_, variable_, index_), of_owner()); }
  std::string declared() const {
    return info_.declared + (p_.sources ? fmt::format(" ({})", p_.sources->describe(info_.where)) : "");
  }
  std::string in_words(Int value) const {
    return info_.kind == ValueKind::integer && info_.enumeration != kOfTime
               ? number(value)
               : value_in_words(p_, info_.kind, info_.enumeration, value);
  }

  const Program& p_;
  const Int variable_;
  const VariableInfo& info_;
  const Int index_;
};

// Lists the functions called between two calls of the function that exceeded its recursion depth, in call order.
std::string call_cycle(const Program& program, const Game& g) {
  constexpr int kMost = 8;
  int levels = 1;
  while (levels < g.stack_size && g.stack[levels].function != g.stack[0].function) ++levels;
  if (levels >= g.stack_size) return {};
  const auto name = [&](int level) {
    return program.playout.functions[static_cast<std::size_t>(g.stack[level].function)].name;
  };
  std::string text = name(levels);
  int left_out = std::max(0, levels - kMost);
  for (int level = levels - 1; level >= 0; --level) {
    // Consecutive levels of the same function are listed once.
    if (level > 0 && g.stack[level].function == g.stack[level + 1].function) continue;
    if (level <= left_out && level > 0) {
      if (std::exchange(left_out, 0) > 0) text += " → …";
      continue;
    }
    text += " → " + name(level);
  }
  return text + "; ";
}

// The first int of Game::wrong is the variable's offset; the others depend on About.
std::string of_variable(const Program& program, const Game& g) {
  const Int variable = variable_by_offset(program, g.wrong[0]), index = g.wrong[1];
  if (variable < 0) return {};
  if (g.about == About::pool) return VariableText(program, variable, 0).pool_without(index);
  if (program.variable_infos[static_cast<std::size_t>(variable)].hidden) return {};
  const VariableText what(program, variable, index);
  switch (g.about) {
    case About::value: return what.to_hold(g.wrong[2]);
    case About::variable: return g.trap == Trap::unset ? what.unset() : what.no_instance();
    case About::length: return what.of_length(g.wrong[2]);
    case About::element: return what.without(g.wrong[2]);
    case About::leaving: return what.leaving(g.wrong[2]);
    case About::pool:   // handled above
    case About::nothing:
    case About::entry:
    case About::place:
    case About::room:
    case About::operands:
    case About::range:
    case About::owner:
    case About::instance:
    case About::card:
    case About::count:
    case About::depth:
    case About::limit:
    case About::steps:
    case About::declared: return {};
  }
  return {};
}

}   // namespace

std::string trap_details(const Program& program, const Game& g) {
  const auto [a, b, c] = g.wrong;
  const auto read = [&](const std::string& text) { return after(source_text(program, g), text); };
  switch (g.about) {
    case About::nothing: return {};
    case About::value:
    case About::variable:
    case About::length:
    case About::element:
    case About::pool:
    case About::leaving: return of_variable(program, g);
    case About::entry:
      return read(a == kNone ? "the index is none" : fmt::format("{} is outside {}..{}", a, b, b + c - 1));
    case About::place: return read(fmt::format("index {} in a list of length {}", number(a), b));
    case About::room: return read(fmt::format("the list holds at most {}", a));
    case About::operands: return read(operands_text(g.trap, a, b));
    case About::range: return read(range_text(a, b));
    case About::declared: return read(declared_range_text(program, a, b));
    case About::owner: return zone_of(program, a, b, c);
    case About::instance: return fmt::format("`{}` would hold {} cards", zone_in_words(program, a), b);
    case About::card: return card_label(program, a);
    case About::count: return read(fmt::format("found {}", a));
    case About::depth:
      return fmt::format("{}active {} times at once, which is the limit; `nested up to n` allows more",
                         call_cycle(program, g), a);
    case About::limit: return fmt::format("the limit is {}", a);
    case About::steps: return read(fmt::format("{} steps without a decision", a));
  }
  return {};
}

}   // namespace cardwright
