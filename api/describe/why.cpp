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

// Returns who decides now, as text for another player. In simultaneous decisions and races, the deciding players are
// hidden.
std::string who_is_asked(const StateData& state) {
  if (state.actor < 0 || state.program().sites[static_cast<std::size_t>(state.site)].secret)
    return "you have no decision to make now";
  return fmt::format("{} is deciding now", Game::seat_name(state.actor));
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

// Converts a condition to user-visible text: spaces in names, words for operators, and "your lives" for `me.lives`.
std::string in_words(std::string_view condition, const Names& names = {}) {
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"==", " is "}, {"!=", " is not "},      {"<=", " is at most "},  {">=", " is at least "},
      {"..", " to "}, {"<", " is less than "}, {">", " is more than "}, {"&", " and "}};
  std::string out;
  for (std::size_t at = 0; at < condition.size();) {
    const std::string_view rest = condition.substr(at);
    const auto is_letter = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    };
    if (is_letter(rest[0])) {
      std::size_t end = 0;
      while (end < rest.size() && is_letter(rest[end])) ++end;
      const std::string_view word = rest.substr(0, end);
      const bool owns = end + 1 < rest.size() && rest[end] == '.' && is_letter(rest[end + 1]),
                 calls = end < rest.size() && rest[end] == '(';
      if (word == "me")
        out += owns ? "your" : "you";
      else if (const auto named = names.find(word);
               named != names.end() && !calls && (at == 0 || condition[at - 1] != '.'))
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
  std::string out = text, values;
  for (const auto& [text, value] : why.values)
    if (const std::string words = in_words(text, names); words != value)
      values += fmt::format("{}{} is {}", values.empty() ? "" : ", ", words, value);
  if (!why.element.empty()) values += (values.empty() ? "" : ", ") + why.element;
  if (!why.condition.empty() && why.condition != why.reason->text) out += ": " + in_words(why.condition, names);
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
  if (is_listed(scratch, index, card)) return fmt::format("{}: you can do this now", name);
  const std::optional<Explanation> why = explain(state, index, player, card, nullptr);
  if (why && !why->error.empty()) return fmt::format("{}: {}", name, error_words(*why));
  if (!why || why->stage == 0) return fmt::format("{}: no valid target now", name);
  return with_reason(fmt::format("{}: {}", name, reason_in_words(*why->reason, {})), *why, {});
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
  bool is_offered(const std::vector<Int>& values, const OptionParts& option) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (arguments_[i].empty()) continue;
      const bool card = info_.parameters[i].kind == ValueKind::card && option.values[i] >= 0;
      if (card ? program_.cards[static_cast<std::size_t>(option.values[i])].look_alike !=
                     program_.cards[static_cast<std::size_t>(values[i])].look_alike
               : option.values[i] != values[i])
        return false;
    }
    return true;
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
  std::optional<std::pair<Explanation, std::vector<Int>>> best() const;

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
std::optional<std::pair<Explanation, std::vector<Int>>> WithThings::best() const {
  constexpr std::size_t kMost = 4000;
  std::vector<std::vector<Int>> choices;
  for (std::size_t i = 0; i < arguments_.size(); ++i)
    choices.push_back(arguments_[i].empty() ? all_of(info_.parameters[i]) : arguments_[i]);
  std::optional<std::pair<Explanation, std::vector<Int>>> found;
  std::vector<std::size_t> at(choices.size(), 0);
  for (std::size_t tried = 0; tried < kMost; ++tried) {
    std::vector<Int> values;
    for (std::size_t i = 0; i < at.size(); ++i) values.push_back(choices[i].empty() ? kNone : choices[i][at[i]]);
    // If a card declares the action, the card precedes the action's own parameters.
    const std::size_t first = values.size() > of_action_ ? values.size() - of_action_ : 0;
    std::vector<Int> own(values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
    own.resize(of_action_, 0);
    const auto further = [](Int a, Int b) { return b != 0 && (a == 0 || a > b); };
    if (auto one = explain(state_, action_, player_, card_in(values), &own);
        one && one->error.empty() && (!found || further(one->stage, found->first.stage)))
      found.emplace(std::move(*one), values);
    std::size_t i = at.size();
    while (i > 0 && ++at[i - 1] >= std::max<std::size_t>(1, choices[i - 1].size())) at[--i] = 0;
    if (i == 0) break;
  }
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
  std::string name = called(info_);
  StateData scratch(state_);
  list_options(scratch);
  const auto found = best();
  if (!found) return fmt::format("{}: no valid target now", name);
  const auto& [why, values] = *found;
  const bool names_all = !is_of_action(why, values);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const std::string words = " " + value_words(info_.parameters[i], values[i]);
        values[i] != kNone && (names_all || !arguments_[i].empty()) && (name + " ").find(words + " ") == name.npos)
      name += words;
  for (const Int id : scratch.offers) {
    const OptionParts option = option_parts(program_, id);
    if (option.action == &info_ && is_offered(values, option)) return fmt::format("{}: you can do this now", name);
  }
  if (why.stage == 0) return fmt::format("{}: no valid target now", name);
  const Names names = is_part_of_reason(why) ? names_of(values) : Names{};
  return with_reason(name + ": " + reason_words(why, values), why, names);
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

std::vector<std::string> why_not_chosen(const StateData& state, int player, std::string_view what) {
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
  if (!info || info->parameters[0].kind == ValueKind::card) return {};
  const ParameterInfo& p = info->parameters[0];
  for (Int value = p.first; value < p.first + p.count; ++value) {
    const std::string words = value_in_words(state.program(), p.kind, p.enumeration, value);
    if (!same(words, what)) continue;
    if (offered.contains(value)) return {fmt::format("{}: you can do this now", words)};
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
    if (card_of(state, player, kind) == kNone)
      answers.push_back(fmt::format("you have no {}", program.kinds[static_cast<std::size_t>(kind)].label));
    else
      answers.push_back(
          fmt::format("{} cannot be played or used", program.kinds[static_cast<std::size_t>(kind)].label));
  }
  if (answers.empty() && kind < 0) answers = why_not_chosen(state, player, what);
  if (answers.empty() && kind < 0) answers = why_with_things(state, player, what);
  std::sort(answers.begin(), answers.end());
  answers.erase(std::unique(answers.begin(), answers.end()), answers.end());
  return answers;
}

}   // namespace cardwright::api::detail
