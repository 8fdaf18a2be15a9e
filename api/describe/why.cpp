// Explains why a player cannot use a card or an action. This file determines the actions that a name can refer to and
// whether they are offered now; explain.cpp finds the first part of their conditions that fails.
#include "api/describe/why.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "api/compile/compile.h"
#include "api/describe/explain.h"
#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "api/game/timing.h"
#include "runtime/program/words.h"

namespace cardwright::api::detail {

namespace {

std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)) && c != '_')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool same(std::string_view a, std::string_view b) { return plain(a) == plain(b); }

const model::Action* model_action(const StateData& state, Int action) {
  const auto& actions = state.game->compiled->model().actions;
  return action >= 0 && action < static_cast<Int>(actions.size()) ? &actions[static_cast<std::size_t>(action)]
                                                                  : nullptr;
}

// Returns the card type with this name or label, or the type of a card with this label; -1 if there is none.
Int kind_named(const Program& program, std::string_view what) {
  for (std::size_t k = 0; k < program.kinds.size(); ++k)
    if (same(program.kinds[k].name, what) || same(program.kinds[k].label, what)) return static_cast<Int>(k);
  for (const CardInfo& card : program.cards)
    if (card.kind >= 0 && same(card.label, what)) return card.kind;
  return -1;
}

// Returns all cards with this label or of this kind: `what` can be one of several labels of a kind, such as "queen of
// spades".
std::vector<Int> cards_named(const Program& program, std::string_view what, Int kind) {
  std::vector<Int> labelled, of_kind;
  for (std::size_t card = 0; card < program.cards.size(); ++card) {
    if (program.cards[card].kind != kind) continue;
    of_kind.push_back(static_cast<Int>(card));
    if (same(program.cards[card].label, what)) labelled.push_back(static_cast<Int>(card));
  }
  return labelled.empty() ? of_kind : labelled;
}

bool carries(const model::Action& action, Int kind) {
  const auto& kinds = action.whose.kinds;
  return action.whose.kind == model::CarrierKind::card &&
         std::any_of(kinds.begin(), kinds.end(), [&](model::KindId k) { return static_cast<Int>(k.index) == kind; });
}

// Returns true if a rule can make cards of `kind` also count as `other`.
bool may_count_as(const model::Model& model, Int kind, Int other) {
  return std::any_of(model.alsos.begin(), model.alsos.end(), [&](const model::Also& also) {
    return static_cast<Int>(also.counts_as.index) == other &&
           std::any_of(also.kinds.begin(), also.kinds.end(),
                       [&](model::KindId k) { return static_cast<Int>(k.index) == kind; });
  });
}

// Returns true if one of the cards is in a zone of the player that the player can see.
bool has_any(const StateData& state, int player, const std::vector<Int>& cards) {
  const Layout& l = state.program().layout;
  for (Int i = 0; i < l.instances; ++i)
    if (l.instance[i].owner == player && (l.instance[i].visible >> player & 1))
      for (const Int card : cards_in_zone(l, state.bytes.get(), i))
        if (std::find(cards.begin(), cards.end(), card) != cards.end()) return true;
  return false;
}

// Returns a card of that type from a zone that the player owns and can see; kNone if there is none.
Int card_of(const StateData& state, int player, Int kind) {
  const Program& program = state.program();
  const Layout& l = program.layout;
  for (Int i = 0; i < l.instances; ++i)
    if (l.instance[i].owner == player && (l.instance[i].visible >> player & 1))
      for (const Int card : cards_in_zone(program.layout, state.bytes.get(), i))
        if (program.cards[static_cast<std::size_t>(card)].kind == kind) return card;
  return kNone;
}

std::string windows_of(const StateData& state, const model::Action& action) {
  std::string names;
  for (const model::WindowId window : action.windows)
    names += (names.empty() ? "" : " or ") + spaced(state.game->compiled->model().windows[window.index].name);
  return names;
}

// Returns the user-visible name of an action: its label up to the first placeholder, or its name.
std::string called(const ActionInfo& info) {
  std::string label = info.label.substr(0, info.label.find('{'));
  while (label.ends_with(' ')) label.pop_back();
  return label.empty() ? spaced(info.name) : label;
}

bool offered_here(const StateData& state, Int action) {
  const auto& sites = state.program().sites;
  if (state.site < 0 || state.site >= static_cast<Int>(sites.size())) return true;
  const auto& actions = sites[static_cast<std::size_t>(state.site)].actions;
  return std::find(actions.begin(), actions.end(), action) != actions.end();
}

bool is_listed(StateData& state, Int action, Int card) {
  list_options(state);
  for (const Int id : state.offers) {
    const OptionParts option = option_parts(state.program(), id);
    if (!option.action || static_cast<Int>(option.action_index) != action) continue;
    if (card < 0 || option.values.empty() || option.action->parameters[0].kind != ValueKind::card ||
        option.values[0] < 0)
      return true;
    const auto& cards = state.program().cards;
    if (cards[static_cast<std::size_t>(option.values[0])].look_alike ==
        cards[static_cast<std::size_t>(card)].look_alike)
      return true;
  }
  return false;
}

// Lists the arguments with which an action is offered: ", with two of clubs, five of clubs or 3 more".
std::string offered_arguments(const StateData& state, Int action) {
  constexpr std::size_t kMost = 6;
  std::vector<std::string> all;
  for (const Int id : state.offers) {
    const OptionParts option = option_parts(state.program(), id);
    if (!option.action || static_cast<Int>(option.action_index) != action) continue;
    std::string words;
    for (std::size_t i = 0; i < option.values.size(); ++i) {
      const ParameterInfo& p = option.action->parameters[i];
      if (p.list >= 0) return {};   // a set, which is picked element by element
      words +=
          (i > 0 ? " and " : "") + (p.kind == ValueKind::card && option.values[i] <= kUnseen
                                        ? "a card"
                                        : value_in_words(state.program(), p.kind, p.enumeration, option.values[i]));
    }
    if (!words.empty() && std::find(all.begin(), all.end(), words) == all.end()) all.push_back(std::move(words));
  }
  if (all.empty()) return {};
  const std::size_t more = all.size() - std::min(all.size(), kMost);
  std::string out = ", with ";
  for (std::size_t i = 0; i < all.size() - more; ++i)
    out += (i == 0 ? "" : more == 0 && i + 1 == all.size() ? " or " : ", ") + all[i];
  return more > 0 ? fmt::format("{} or {} more", out, more) : out;
}

// Returns who decides now, as text for another player. In simultaneous decisions and races, the deciding players are
// hidden.
std::string who_is_asked(const StateData& state) {
  if (state.actor < 0 || state.program().sites[static_cast<std::size_t>(state.site)].secret)
    return "you have no decision to make now";
  return fmt::format("{} is deciding now", player_name(state.actor));
}

// Returns a copy of the state in which this player decides, if the player can decide now.
StateData as_asked(const StateData& state, int player) {
  StateData theirs(state);
  if (waits_for_clock(state))
    arrive(theirs, player, nullptr);
  else if (!state.over)
    ask_first(theirs, player);
  return theirs.actor == player ? theirs : state;
}

using Names = std::map<std::string, std::string, std::less<>>;   // user-visible text for each name in a condition

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// Returns the identifier or number at the beginning of the text.
std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_letter(text[end])) ++end;
  return text.substr(0, end);
}

bool is_self(std::string_view word, const Names& names) {
  const auto named = names.find(word);
  return (named == names.end() ? word : named->second) == Explanation::kSelf;
}

// Returns the length of a call whose only argument is the player, such as `mana(me)`, or 0.
std::size_t call_of_self(std::string_view text, const Names& names) {
  const std::string_view name = first_word(text);
  if (name == "size" || name.ends_with("_of") || !text.substr(name.size()).starts_with('(')) return 0;
  const std::string_view argument = first_word(text.substr(name.size() + 1));
  const std::size_t end = name.size() + 1 + argument.size();
  return is_self(argument, names) && text.substr(end).starts_with(')') ? end + 1 : 0;
}

// Converts a condition to user-visible text: spaces in names, words for operators, and "your lives" for `me.lives`.
std::string in_words(std::string_view condition, const Names& names = {}) {
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"==", " is "}, {"!=", " is not "},      {"<=", " is at most "},  {">=", " is at least "},
      {"..", " to "}, {"<", " is less than "}, {">", " is more than "}, {"&", " and "}};
  std::string out;
  for (std::size_t at = 0; at < condition.size();) {
    const std::string_view rest = condition.substr(at);
    if (is_letter(rest[0])) {
      const std::string_view word = first_word(rest);
      if (const std::size_t call = call_of_self(rest, names)) {
        out += "your " + spaced(word);
        at += call;
        continue;
      }
      std::size_t end = word.size();
      const bool owns = end + 1 < rest.size() && rest[end] == '.' && is_letter(rest[end + 1]),
                 calls = end < rest.size() && rest[end] == '(', of_it = at > 0 && condition[at - 1] == '.';
      if (calls && rest.substr(end).starts_with("()")) {
        out += spaced(word);
        at += end + 2;
        continue;
      }
      if (!calls && !of_it && is_self(word, names))
        out += owns ? "your" : "you";
      else if (const auto named = names.find(word); named != names.end() && !calls && !of_it)
        out += named->second + (owns ? "'s" : "");
      else if (word == "it" && owns)
        out += "its";
      else if (calls)
        out += word == "size" ? "the number of" : spaced(word) + (word.ends_with("_of") ? "" : " of");
      else
        out += spaced(word) + (owns ? "'s" : "");
      at += end + owns;
      if (owns)
        out += ' ';
      else if (calls && at + 1 < condition.size() && condition[at + 1] != ')')
        out += ' ';
      continue;
    }
    const auto sign =
        std::find_if(std::begin(kSigns), std::end(kSigns), [&](const auto& s) { return rest.starts_with(s.first); });
    if (sign != std::end(kSigns)) {
      out += sign->second;
      at += sign->first.size();
    } else {
      if (rest[0] != '(' && rest[0] != ')' && rest[0] != '?') out += rest[0];
      ++at;
    }
  }
  std::string tidy;
  for (const char c : out)
    if (c != ' ' && c != '\n')
      tidy += c;
    else if (!tidy.empty() && tidy.back() != ' ')
      tidy += ' ';
  return tidy;
}

std::string error_words(const Explanation& why) { return "its condition caused an error: " + why.error; }

std::string reason_in_words(const Reason& reason, const Names& names) {
  if (reason.text.empty()) return reason.words;
  return "only if " + in_words(reason.text, names) + (reason.words.empty() ? "" : fmt::format(" ({})", reason.words));
}

// Appends the reason and the values on which the condition depends to `text`. `names` contains the texts for the names
// in the condition, if the condition is part of the reason.
std::string with_reason(const std::string& text, const Explanation& why, const Names& names) {
  if (!why.modified_by.empty())
    return text + ": " + why.modified_by + (why.reason->text.empty() ? "" : " modifies this");
  if (!why.declared_text.empty()) return text + ": " + why.declared_text;
  // Inside a called function, only its parameters have names.
  const Names inner = why.arguments.empty() ? names : Names(why.arguments.begin(), why.arguments.end());
  std::string out = text, values;
  for (const auto& [text, value] : why.values)
    if (const std::string words = in_words(text, inner); words != value)
      values += fmt::format("{}{} is {}", values.empty() ? "" : ", ", words, value);
  if (!why.element.empty()) values += (values.empty() ? "" : ", ") + why.element;
  if (!why.condition.empty() && why.condition != why.reason->text) out += ": " + in_words(why.condition, inner);
  return values.empty() ? out : fmt::format("{} ({})", out, values);
}

// Returns true if the condition is part of the reason. Otherwise it is an inner condition, in which the same names can
// have other values.
bool is_part_of_reason(const Explanation& why) { return why.reason->text.find(why.condition) != std::string::npos; }

std::string answer(const StateData& state, int player, Int index, Int card) {
  const Program& program = state.program();
  const ActionInfo& info = program.actions[static_cast<std::size_t>(index)];
  const model::Action* action = model_action(state, index);
  const std::string name = called(info);
  if (state.over) return fmt::format("{}: the game is over", name);
  if (state.actor != player) return fmt::format("{}: {}", name, who_is_asked(state));
  if (!offered_here(state, index) && action)
    return fmt::format("{}: only possible in {}, and this is {}", name, windows_of(state, *action),
                       program.sites[static_cast<std::size_t>(state.site)].window.empty()
                           ? "another choice"
                           : spaced(program.sites[static_cast<std::size_t>(state.site)].window));
  StateData scratch(state);
  if (is_listed(scratch, index, card))
    return fmt::format("{}: you can do this now{}", name, card < 0 ? offered_arguments(scratch, index) : "");
  const std::optional<Explanation> why = explain(state, index, player, card, nullptr);
  if (why && !why->error.empty()) return fmt::format("{}: {}", name, error_words(*why));
  if (!why || why->stage == 0) return fmt::format("{}: no valid target now", name);
  Names names;
  if (card != kNone) names["this"] = card_label(program, card);
  return with_reason(fmt::format("{}: {}", name, reason_in_words(*why->reason, names)), *why, names);
}

}   // namespace

std::string failing_condition(const StateData& state, Int action, int player, Int card) {
  const std::optional<Explanation> why = explain(state, action, player, card, nullptr);
  if (why && !why->error.empty()) return error_words(*why);
  if (!why || why->stage == 0) return {};
  const Reason* const found = why->reason;
  const std::string place = state.program().sources ? state.program().sources->describe(found->where) : "";
  if (found->text.empty()) return fmt::format("{} ({})", found->words, place);
  return fmt::format("`{}` does not hold{} ({})", found->text, found->words.empty() ? "" : ": " + found->words, place);
}

namespace {

// ---- with given arguments: "attack b with Revolver", "go m8", or only "m8"

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : std::string(text) + " ") {
    if (!std::isspace(static_cast<unsigned char>(c)) && c != ',' && c != ';')
      word += c;
    else if (!word.empty())
      out.push_back(std::exchange(word, {}));
  }
  return out;
}

std::string joined(const std::vector<std::string>& words, std::size_t from, std::size_t to) {
  std::string out;
  for (std::size_t i = from; i < to; ++i) out += (i > from ? " " : "") + words[i];
  return out;
}

// Explains one action with the arguments that the user specified, for all combinations of the unspecified ones.
class WithThings {
 public:
  WithThings(const StateData& state, int player, Int action, Int kind)
      : state_(state),
        program_(state.program()),
        info_(program_.actions[static_cast<std::size_t>(action)]),
        player_(player),
        action_(action) {
    const model::Action* m = model_action(state, action);
    of_action_ = m ? m->parameters.size() : 0;
    arguments_.resize(info_.parameters.size());
    if (kind >= 0 && !arguments_.empty() && info_.parameters[0].kind == ValueKind::card) arguments_[0] = cards_of(kind);
  }

  // Restricts a parameter to some of the cards that the player knows. Returns false if it has no cards as values.
  bool restrict_to(std::size_t parameter, const std::vector<Int>& cards) {
    const ParameterInfo& p = info_.parameters[parameter];
    if (p.kind != ValueKind::card || p.list >= 0) return false;
    std::vector<Int>& values = arguments_[parameter];
    for (const Int card : cards)
      if (knows_card(program_.layout, state_.bytes.get(), player_, card)) values.push_back(card);
    return any_ = !values.empty();
  }

  // Assigns each word to a parameter that has a value with this name, and ignores words such as prepositions. Returns
  // the first unknown word; empty if there is none.
  std::string not_understood(const std::vector<std::string>& words) {
    static const std::set<std::string, std::less<>> kJoining = {"with", "on", "to",  "in",   "at",
                                                                "and",  "by", "the", "from", "of"};
    for (std::size_t from = 0; from < words.size();) {
      std::size_t to = words.size();
      while (to > from && !takes(joined(words, from, to))) --to;
      if (to == from && !kJoining.contains(words[from])) return words[from];
      from = std::max(to, from + 1);
    }
    return {};
  }
  bool is_explained() const { return any_; }
  std::string answer() const;

 private:
  std::vector<Int> cards_of(Int kind) const {
    std::vector<Int> out;
    for (std::size_t card = 0; card < program_.cards.size(); ++card)
      if (program_.cards[card].kind == kind &&
          knows_card(program_.layout, state_.bytes.get(), player_, static_cast<Int>(card)))
        out.push_back(static_cast<Int>(card));
    return out;
  }
  std::vector<Int> all_of(const ParameterInfo& p) const {
    std::vector<Int> out;
    if (p.kind != ValueKind::card)
      for (Int value = p.first; value < p.first + p.count - (p.nothing >= 0); ++value) out.push_back(value);
    else
      for (std::size_t card = 0; card < program_.cards.size(); ++card)
        if (program_.cards[card].kind >= 0 &&
            knows_card(program_.layout, state_.bytes.get(), player_, static_cast<Int>(card)))
          out.push_back(static_cast<Int>(card));
    return out;
  }
  std::string value_words(const ParameterInfo& p, Int value) const {
    return value_in_words(program_, p.kind, p.enumeration, value);
  }
  bool is_called(const ParameterInfo& p, Int value, std::string_view text) const {
    if (same(value_words(p, value), text)) return true;
    if (p.kind == ValueKind::card)
      return kind_named(program_, text) == program_.cards[static_cast<std::size_t>(value)].kind;
    return p.kind == ValueKind::enumeration &&
           same(program_.enums[static_cast<std::size_t>(p.enumeration)].constants[static_cast<std::size_t>(value)],
                text);
  }
  bool takes(const std::string& text) {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (!arguments_[i].empty() || info_.parameters[i].list >= 0) continue;
      std::vector<Int> meant = all_of(info_.parameters[i]);
      std::erase_if(meant, [&](Int value) { return !is_called(info_.parameters[i], value, text); });
      if (meant.empty()) continue;
      arguments_[i] = std::move(meant);
      return any_ = true;
    }
    return false;
  }
  // Returns whether the option has the specified arguments.
  bool is_meant(const OptionParts& option) const {
    const auto& cards = program_.cards;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const Int value = option.values[i];
      const bool card = info_.parameters[i].kind == ValueKind::card && value >= 0;
      const auto is_it = [&](Int one) {
        return card && one >= 0 ? cards[static_cast<std::size_t>(one)].look_alike ==
                                      cards[static_cast<std::size_t>(value)].look_alike
                                : one == value;
      };
      if (!arguments_[i].empty() && std::ranges::none_of(arguments_[i], is_it)) return false;
    }
    return true;
  }
  std::string with_values(const std::vector<Int>& values, bool all) const {
    std::string name = called(info_);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const std::string words = " " + value_words(info_.parameters[i], values[i]);
          values[i] != kNone && (all || !arguments_[i].empty()) && (name + " ").find(words + " ") == name.npos)
        name += words;
    return name;
  }
  Int card_in(const std::vector<Int>& values) const {
    return !values.empty() && info_.parameters[0].kind == ValueKind::card ? values[0] : kNone;
  }
  // Returns true if the explanation does not depend on the arguments.
  bool is_of_action(const Explanation& why, const std::vector<Int>& values) const {
    const std::optional<Explanation> open = explain(state_, action_, player_, card_in(values), nullptr);
    return why.stage != 0 && open && open->stage == why.stage;
  }
  Names names_of(const std::vector<Int>& values) const;
  std::string reason_words(const Explanation& why, const std::vector<Int>& values) const;
  struct Best {
    Explanation why;
    std::vector<Int> values;
    bool always = true;   // true if the same condition fails for all combinations
  };
  std::optional<Best> best() const;

  const StateData& state_;
  const Program& program_;
  const ActionInfo& info_;
  int player_;
  Int action_;
  std::size_t of_action_ = 0;
  bool any_ = false;
  std::vector<std::vector<Int>> arguments_;   // by parameter: the specified values; empty if unspecified
};

// Returns the explanation and arguments of the combination that satisfies the most conditions.
std::optional<WithThings::Best> WithThings::best() const {
  constexpr std::size_t kMost = 4000;
  std::vector<std::vector<Int>> choices;
  for (std::size_t i = 0; i < arguments_.size(); ++i)
    choices.push_back(arguments_[i].empty() ? all_of(info_.parameters[i]) : arguments_[i]);
  std::optional<Best> found;
  bool always = true;
  std::vector<std::size_t> at(choices.size(), 0);
  for (std::size_t tried = 0; tried < kMost; ++tried) {
    std::vector<Int> values;
    for (std::size_t i = 0; i < at.size(); ++i) values.push_back(choices[i].empty() ? kNone : choices[i][at[i]]);
    // If a card declares the action, the card precedes the action's own parameters.
    const std::size_t first = values.size() > of_action_ ? values.size() - of_action_ : 0;
    std::vector<Int> own(values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
    own.resize(of_action_, 0);
    const auto further = [](Int a, Int b) { return b != 0 && (a == 0 || a > b); };
    auto one = explain(state_, action_, player_, card_in(values), &own);
    if (one && one->error.empty()) {
      always = always && (!found || one->stage == found->why.stage);
      if (!found || further(one->stage, found->why.stage)) found = Best{std::move(*one), values};
    }
    std::size_t i = at.size();
    while (i > 0 && ++at[i - 1] >= std::max<std::size_t>(1, choices[i - 1].size())) at[--i] = 0;
    if (i == 0) break;
  }
  if (found) found->always = always;
  return found;
}

// Returns user-visible texts for the values of the action's own parameters.
Names WithThings::names_of(const std::vector<Int>& values) const {
  Names names;
  const model::Action* m = model_action(state_, action_);
  const std::size_t first = values.size() > of_action_ ? values.size() - of_action_ : 0;
  for (std::size_t i = 0; m && i < m->parameters.size() && first + i < values.size(); ++i)
    names[m->parameters[i].name] = value_words(info_.parameters[first + i], values[first + i]);
  return names;
}

std::string WithThings::reason_words(const Explanation& why, const std::vector<Int>& values) const {
  Names names;
  const model::Action* m = model_action(state_, action_);
  const std::size_t first = values.size() > of_action_ ? values.size() - of_action_ : 0;
  for (std::size_t i = 0; m && i < m->parameters.size() && first + i < values.size(); ++i) {
    const std::string words = value_words(info_.parameters[first + i], values[first + i]);
    names[m->parameters[i].name] = words;
    const model::Expr* domain = m->parameters[i].domain;
    if (!domain || domain->range.begin > why.reason->where.begin) continue;
    names["it"] = words;   // `it` can occur in a `where` after the domain
    if (domain->range.begin == why.reason->where.begin && domain->range.end == why.reason->where.end)
      return fmt::format("{} is not in {}", words, in_words(why.reason->text, names));
  }
  return reason_in_words(*why.reason, names);
}

std::string WithThings::answer() const {
  StateData scratch(state_);
  list_options(scratch);
  for (const Int id : scratch.offers)
    if (const OptionParts option = option_parts(program_, id); option.action == &info_ && is_meant(option))
      return fmt::format("{}: you can do this now", with_values(option.values, false));
  const auto found = best();
  if (!found) return fmt::format("{}: no valid target now", called(info_));
  const auto& why = found->why;
  const auto& values = found->values;
  const std::string name = with_values(values, !found->always && !is_of_action(why, values));
  if (why.stage == 0) return fmt::format("{}: no valid target now", name);
  const Names names = is_part_of_reason(why) ? names_of(values) : Names{};
  std::string text = with_reason(name + ": " + reason_words(why, values), why, names);
  // For a card, which must often be in a set that a rule computes, the possible ones say more than the condition.
  bool of_card = card_in(values) != kNone;
  for (std::size_t i = 0; i < arguments_.size(); ++i)
    of_card = of_card && (arguments_[i].empty() || info_.parameters[i].kind == ValueKind::card);
  const std::string offered = of_card && why.declared_text.empty() ? offered_arguments(scratch, action_) : "";
  return offered.empty() ? text : text + "; you can do this" + offered;
}

// Answers texts that consist of the name of an action or card followed by arguments, or of arguments only. Tries the
// longest name first.
std::vector<std::string> why_with_things(const StateData& state, int player, std::string_view what) {
  const Program& program = state.program();
  const auto& actions = state.game->compiled->model().actions;
  const std::vector<std::string> words = words_in(what);
  for (std::size_t named = words.size() + 1; named-- > 0;) {
    const std::string name = joined(words, 0, named);
    const Int kind = named > 0 ? kind_named(program, name) : -1;
    const std::vector<std::string> things(words.begin() + static_cast<std::ptrdiff_t>(named), words.end());
    std::vector<std::string> answers, offered, strange;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const auto index = static_cast<Int>(i);
      const bool of_card = kind >= 0 && ((actions[i].play && static_cast<Int>(actions[i].kind.index) == kind) ||
                                         carries(actions[i], kind));
      const bool meant = named == 0 ? offered_here(state, index)
                                    : of_card || same(actions[i].name, name) || same(called(program.actions[i]), name);
      if (!meant || state.over || state.actor != player || !offered_here(state, index)) continue;
      if (of_card && card_of(state, player, kind) == kNone) {
        answers.push_back(fmt::format("you have no {}", program.kinds[static_cast<std::size_t>(kind)].label));
        continue;
      }
      WithThings one(state, player, index, of_card ? kind : -1);
      if (const std::string word = one.not_understood(things); !word.empty())
        strange.push_back(fmt::format("{}: unknown target `{}`", called(program.actions[i]), word));
      else if (named > 0 || one.is_explained())
        answers.push_back(one.answer());
      if (!answers.empty() && answers.back().ends_with(": you can do this now")) offered.push_back(answers.back());
    }
    if (!offered.empty()) return offered;   // an available action takes precedence over others with this name
    if (!answers.empty()) return answers;
    if (named > 0 && !strange.empty()) return strange;
  }
  return {};
}

// ---- cards as arguments of actions: "queen of spades"

constexpr std::string_view kPossible = ": you can do this now";

// Explains for each action that has cards as arguments why it can't use these cards. Actions that are possible in the
// pending decision take precedence over others.
std::vector<std::string> why_not_used(const StateData& state, int player, const std::vector<Int>& cards) {
  const Program& program = state.program();
  std::vector<std::string> here, possible, elsewhere;
  for (std::size_t i = 0; i < state.game->compiled->model().actions.size(); ++i) {
    const auto index = static_cast<Int>(i);
    for (std::size_t p = 0; p < program.actions[i].parameters.size(); ++p) {
      WithThings one(state, player, index, -1);
      if (!one.restrict_to(p, cards)) continue;
      if (state.over || state.actor != player || !offered_here(state, index)) {
        elsewhere.push_back(answer(state, player, index, kNone));
        continue;
      }
      std::string text = one.answer();
      (text.ends_with(kPossible) ? possible : here).push_back(std::move(text));
    }
  }
  return !possible.empty() ? possible : !here.empty() ? here : elsewhere;
}

// ---- elements missing from an unnamed choice: "c3"

// Returns the statement that makes the pending choice; null if there is none.
const model::Stmt* asking(const StateData& state) {
  const Range where = state.program().sites[static_cast<std::size_t>(state.site)].where;
  const model::Stmt* found = nullptr;
  const auto look = [&](const model::Stmt& s) {
    if (s.kind != model::StmtKind::choose) return;
    if (s.range.begin == where.begin && s.range.end == where.end) found = &s;
  };
  model::for_each_piece(state.game->compiled->model(), [&](const model::RuleHead*, const auto& piece) {
    if constexpr (std::is_same_v<std::decay_t<decltype(piece)>, model::Block>) model::for_each_stmt(piece, look);
  });
  return found;
}

// Describes the sources of the choice and their conditions, as written in the rules.
std::string choosable(const StateData& state, const model::Stmt& s, const std::string& chosen) {
  const Names names{{"it", chosen}};
  const auto text = [&](const model::Expr& e) {
    return in_words(state.game->compiled->ruleset->sources.text(e.range), names);
  };
  std::string out;
  for (const model::view::Source& source : model::view::sources_of(model::view::choose(s))) {
    out += (out.empty() ? "" : ", or in ") + text(*source.domain);
    if (source.where) out += ", and only if " + text(*source.where);
  }
  return out;
}

// Explains for each source of the choice why it does not contain the value; empty if this cannot be computed.
std::string why_in_sources(const StateData& state, const model::Stmt& s, Int value, const std::string& words) {
  const std::vector<model::view::Source> sources = model::view::sources_of(model::view::choose(s));
  std::string out;
  for (const Explanation& why : explain_chosen(state, value)) {
    if (why.stage == 0) return {};
    Names names{{"it", words}};
    for (const auto& [name, is] : why.names)
      // If a name has several values, the name itself is more informative.
      if (is.find(", ") == is.npos) names[name] = is;
    // True if the source itself does not contain the value, regardless of its condition.
    const bool of_source = std::any_of(sources.begin(), sources.end(), [&](const model::view::Source& source) {
      return source.domain->range == why.reason->where;
    });
    const std::string text = in_words(why.reason->text, names);
    const std::string reason = text.empty() ? why.reason->words : (of_source ? "it is not in " : "only if ") + text;
    out += (out.empty() ? "" : "; and ") + with_reason(reason, why, is_part_of_reason(why) ? names : Names{});
  }
  return out;
}

// Explains the pending choice for one of these cards or, without cards, for the value called `what`.
std::vector<std::string> why_not_chosen(const StateData& state, int player, std::string_view what,
                                        const std::vector<Int>& cards = {}) {
  if (state.over || state.actor != player || state.site < 0) return {};
  const model::Stmt* const s = asking(state);
  if (!s) return {};
  StateData scratch(state);
  list_options(scratch);
  const ActionInfo* info = nullptr;
  std::set<Int> offered;
  for (const Int id : scratch.offers) {
    const OptionParts option = option_parts(state.program(), id);
    if (!option.action || option.action->kind != ActionKind::choose || option.values.size() != 1) continue;
    info = option.action;
    offered.insert(option.values[0]);
  }
  if (!info || (info->parameters[0].kind == ValueKind::card) == cards.empty()) return {};
  const ParameterInfo& p = info->parameters[0];
  const auto look_of = [&](Int card) { return state.program().cards[static_cast<std::size_t>(card)].look_alike; };
  const auto is_offered = [&](Int value) {
    return cards.empty()
               ? offered.contains(value)
               : std::ranges::any_of(offered, [&](Int card) { return card >= 0 && look_of(card) == look_of(value); });
  };
  std::vector<Int> values = cards;
  if (cards.empty())
    for (Int value = p.first; value < p.first + p.count; ++value) values.push_back(value);
  for (const Int value : values) {
    const std::string words = value_in_words(state.program(), p.kind, p.enumeration, value);
    if (cards.empty() && !same(words, what)) continue;
    if (!cards.empty() && !knows_card(state.program().layout, state.bytes.get(), player, value)) continue;
    if (is_offered(value)) return {fmt::format("{}{}", words, kPossible)};
    const std::string why = why_in_sources(state, *s, value, words);
    return {fmt::format("{}: {}", words, why.empty() ? "it must be in " + choosable(state, *s, words) : why)};
  }
  return {};
}

}   // namespace

std::vector<std::string> why(const StateData& now, int player, std::string_view what) {
  const StateData state = as_asked(now, player);
  const Program& program = state.program();
  const model::Model& model = state.game->compiled->model();
  std::vector<std::string> answers;
  const Int kind = kind_named(program, what);
  for (std::size_t i = 0; i < model.actions.size(); ++i) {
    const model::Action& action = model.actions[i];
    const auto index = static_cast<Int>(i);
    if (kind >= 0 && action.play &&
        (static_cast<Int>(action.kind.index) == kind || may_count_as(model, kind, action.kind.index))) {
      const Int card = card_of(state, player, kind);
      if (card != kNone) answers.push_back(answer(state, player, index, card));
    } else if (kind >= 0 && carries(action, kind)) {
      const Int card = card_of(state, player, kind);
      if (card != kNone) answers.push_back(answer(state, player, index, card));
    } else if (same(action.name, what) || same(called(program.actions[i]), what)) {
      Int card = kNone;
      for (const model::KindId k : action.whose.kinds)
        if (card == kNone) card = card_of(state, player, static_cast<Int>(k.index));
      if (action.play) card = card_of(state, player, static_cast<Int>(action.kind.index));
      answers.push_back(answer(state, player, index, card));
    }
  }
  if (kind >= 0 && answers.empty()) {
    const std::vector<Int> cards = cards_named(program, what, kind);
    const bool is_label = !same(program.kinds[static_cast<std::size_t>(kind)].name, what);
    const std::string name = is_label ? program.cards[static_cast<std::size_t>(cards.at(0))].label
                                      : program.kinds[static_cast<std::size_t>(kind)].label;
    if (!has_any(state, player, cards)) return {fmt::format("you have no {}", name)};
    answers = why_not_chosen(state, player, what, cards);
    if (answers.empty()) answers = why_not_used(state, player, cards);
    if (answers.empty()) answers.push_back(fmt::format("{} cannot be played or used", name));
  }
  if (answers.empty() && kind < 0) answers = why_not_chosen(state, player, what);
  if (answers.empty() && kind < 0) answers = why_with_things(state, player, what);
  std::sort(answers.begin(), answers.end());
  answers.erase(std::unique(answers.begin(), answers.end()), answers.end());
  return answers;
}

}   // namespace cardwright::api::detail
