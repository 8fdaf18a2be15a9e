// See why.h. The compiler made a function per action that names the first part of its condition that fails, over what
// the actor may know; what is left here is which actions are meant, and whether this is their window.
#include "api/why.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "api/timing.h"
#include "runtime/words.h"

namespace cardwright::api::detail {

namespace {

std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)) && c != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool same(std::string_view a, std::string_view b) { return plain(a) == plain(b); }

const model::Action* model_action(const StateData& state, Int action) {
  const auto& actions = state.game->compiled->model().actions;
  return action >= 0 && action < static_cast<Int>(actions.size()) ? &actions[static_cast<std::size_t>(action)] : nullptr;
}

// The kind that `what` names, by its name in the rules, its label or the label of a card; -1 if none.
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

// Does some rule let cards of `kind` also count as `other`?
bool may_count_as(const model::Model& model, Int kind, Int other) {
  return std::any_of(model.alsos.begin(), model.alsos.end(), [&](const model::Also& also) {
    return static_cast<Int>(also.counts_as.index) == other &&
           std::any_of(also.kinds.begin(), also.kinds.end(), [&](model::KindId k) { return static_cast<Int>(k.index) == kind; });
  });
}

// A card of that kind in a zone of the player that the player sees into.
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

// What people call an action: its label, up to what is filled in there, or its name.
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
    if (card < 0 || option.values.empty() || option.action->parameters[0].kind != ValueKind::card || option.values[0] < 0) return true;
    const auto& cards = state.program().cards;
    if (cards[static_cast<std::size_t>(option.values[0])].look_alike == cards[static_cast<std::size_t>(card)].look_alike) return true;
  }
  return false;
}

// Where several answer at once, and in a race, nobody sees who else is asked.
std::string who_is_asked(const StateData& state) {
  if (state.actor < 0 || state.program().sites[static_cast<std::size_t>(state.site)].secret) return "you are not asked now";
  return fmt::format("it is {} who is asked now", Game::seat_name(state.actor));
}

// The state in which this player is asked, where that is their own doing.
StateData as_asked(const StateData& state, int player) {
  StateData theirs(state);
  if (waits_for_clock(state)) arrive(theirs, player, nullptr);
  else if (!state.over) ask_first(theirs, player);
  return theirs.actor == player ? theirs : state;
}

// The first part of the action's condition that fails; none if all of it holds, or `went_wrong` says why nobody knows.
const Reason* failing(const StateData& state, Int action, int player, Int card, std::string& went_wrong) {
  const Program& program = state.program();
  const ActionInfo& info = program.actions[static_cast<std::size_t>(action)];
  if (info.why < 0) return nullptr;
  const model::Action* m = model_action(state, action);
  if (m && m->head.self.valid() && card == kNone) return nullptr;
  Failure failure;
  const auto reason = call(state, info.why, {static_cast<Int>(player), card}, &failure);
  if (!reason) went_wrong = fmt::format("its condition went wrong: {}", failure.kind());
  if (!reason || *reason <= 0 || *reason > static_cast<Int>(program.reasons.size())) return nullptr;
  return &program.reasons[static_cast<std::size_t>(*reason - 1)];
}

// A condition as somebody reads it who plays: names with blanks, signs as words, `me.lives` as "your lives".
std::string in_words(std::string_view condition) {
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"==", " is "}, {"!=", " is not "}, {"<=", " is at most "}, {">=", " is at least "}, {"..", " to "}, {"<", " is less than "}, {">", " is more than "}, {"&", " and "}};
  std::string out;
  for (std::size_t at = 0; at < condition.size();) {
    const std::string_view rest = condition.substr(at);
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80; };
    if (is_letter(rest[0])) {
      std::size_t end = 0;
      while (end < rest.size() && is_letter(rest[end])) ++end;
      const std::string_view word = rest.substr(0, end);
      const bool owns = end + 1 < rest.size() && rest[end] == '.' && is_letter(rest[end + 1]), calls = end < rest.size() && rest[end] == '(';
      if (word == "me") out += owns ? "your" : "you";
      else if (word == "it" && owns) out += "its";
      else if (calls) out += word == "size" ? "the number of" : spaced(word) + " of";
      else out += spaced(word) + (owns ? "'s" : "");
      at += end + owns;
      if (owns) out += ' ';
      else if (calls && at + 1 < condition.size() && condition[at + 1] != ')') out += ' ';
      continue;
    }
    const auto sign = std::find_if(std::begin(kSigns), std::end(kSigns), [&](const auto& s) { return rest.starts_with(s.first); });
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
    if (c != ' ' && c != '\n') tidy += c;
    else if (!tidy.empty() && tidy.back() != ' ') tidy += ' ';
  return tidy;
}

std::string answer(const StateData& state, int player, Int index, Int card) {
  const Program& program = state.program();
  const ActionInfo& info = program.actions[static_cast<std::size_t>(index)];
  const model::Action* action = model_action(state, index);
  const std::string name = called(info);
  if (state.over) return fmt::format("{}: the game is over", name);
  if (state.actor != player) return fmt::format("{}: {}", name, who_is_asked(state));
  if (!offered_here(state, index) && action)
    return fmt::format("{}: it is for {}, and this is {}", name, windows_of(state, *action),
                       program.sites[static_cast<std::size_t>(state.site)].window.empty() ? "another choice" : spaced(program.sites[static_cast<std::size_t>(state.site)].window));
  StateData scratch(state);
  if (is_listed(scratch, index, card)) return fmt::format("{}: you can, now", name);
  std::string went_wrong;
  if (const Reason* reason = failing(state, index, player, card, went_wrong))
    return fmt::format("{}: {}", name, reason->text.empty() ? reason->words : "only if " + in_words(reason->text) + (reason->words.empty() ? "" : fmt::format(" ({})", reason->words)));
  if (!went_wrong.empty()) return fmt::format("{}: {}", name, went_wrong);
  return fmt::format("{}: nothing suitable for it is there now", name);
}

}  // namespace

std::string failing_condition(const StateData& state, Int action, int player, Int card) {
  std::string went_wrong;
  const Reason* const found = failing(state, action, player, card, went_wrong);
  if (!found) return went_wrong;
  const std::string place = state.program().sources ? state.program().sources->describe(found->where) : "";
  if (found->text.empty()) return fmt::format("{} ({})", found->words, place);
  return fmt::format("`{}` does not hold{} ({})", found->text, found->words.empty() ? "" : ": " + found->words, place);
}

std::vector<std::string> why(const StateData& now, int player, std::string_view what) {
  const StateData state = as_asked(now, player);
  const Program& program = state.program();
  const model::Model& model = state.game->compiled->model();
  std::vector<std::string> answers;
  const Int kind = kind_named(program, what);
  for (std::size_t i = 0; i < model.actions.size(); ++i) {
    const model::Action& action = model.actions[i];
    const auto index = static_cast<Int>(i);
    if (kind >= 0 && action.play && (static_cast<Int>(action.kind.index) == kind || may_count_as(model, kind, action.kind.index))) {
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
    if (card_of(state, player, kind) == kNone) answers.push_back(fmt::format("you have no {}", program.kinds[static_cast<std::size_t>(kind)].label));
    else answers.push_back(fmt::format("{} has nothing that is played or used", program.kinds[static_cast<std::size_t>(kind)].label));
  }
  std::sort(answers.begin(), answers.end());
  answers.erase(std::unique(answers.begin(), answers.end()), answers.end());
  return answers;
}

}  // namespace cardwright::api::detail
