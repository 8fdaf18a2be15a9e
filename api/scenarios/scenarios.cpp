// Plays a scenario: sets up its table, performs its steps, and evaluates its assertions, which are the conditions of
// `then` lines. Returns the first failure.
#include "api/scenarios/scenarios.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "api/compile/compile.h"
#include "api/scenarios/placing.h"
#include "api/describe/why.h"
#include "api/scenarios/witness.h"
#include "cardwright/tools.hpp"
#include "compiler/model/views.h"
#include "support/unreachable.h"
#include "api/game/log_data.h"
#include "api/game/timing.h"
#include "runtime/program/equal_cards.h"
#include "runtime/program/words.h"
#include "runtime/ops/ops.h"

namespace cardwright::api::detail {

namespace view = model::view;

namespace {

// Maximum number of decisions taken automatically. More decisions indicate an endless loop.
constexpr int kMostDecisions = 10'000;

std::string list_of(const std::vector<std::string>& words) {
  return words.empty() ? "nothing" : fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> few_of(std::vector<std::string> words) {
  constexpr std::size_t kFew = 12;
  if (words.size() <= kFew) return words;
  const std::size_t more = words.size() - kFew;
  words.resize(kFew);
  words.push_back(fmt::format("{} more", more));
  return words;
}

// Returns true if the cards can be assigned one to one to the descriptions in `wanted`.
bool pair_up(const Program& program, const std::vector<model::CardMatch>& wanted, const std::vector<Int>& cards) {
  if (wanted.size() != cards.size()) return false;
  // Index of the description assigned to each card, found by augmenting paths.
  std::vector<int> owner(cards.size(), -1);
  for (std::size_t w = 0; w < wanted.size(); ++w) {
    std::vector<bool> seen(cards.size(), false);
    auto place = [&](auto&& self, std::size_t match) -> bool {
      for (std::size_t c = 0; c < cards.size(); ++c) {
        if (seen[c] || !matches(program, wanted[match], cards[c])) continue;
        seen[c] = true;
        if (owner[c] < 0 || self(self, static_cast<std::size_t>(owner[c]))) {
          owner[c] = static_cast<int>(match);
          return true;
        }
      }
      return false;
    };
    if (!place(place, w)) return false;
  }
  return true;
}

class Runner {
 public:
  Runner(const std::shared_ptr<const GameData>& game, const model::Scenario& scenario, Reached* reached)
      : game_(game),
        program_(game->program()),
        model_(game->compiled->model()),
        scenario_(scenario),
        state_(state_before_setup(game, 1, 0)),
        log_(Game(game)),
        witness_(program_, log_),
        reached_(reached) {
    state_->notes = &witness_;
    make_live(*state_, (std::uint64_t{1} << program_.layout.players) - 1);
  }

  std::optional<Refuted> run();

 private:
  std::optional<Refuted> play();
  Refuted with_state(Refuted refuted);
  // The following functions throw Refuted if the game deviates from the scenario.
  void begin(const model::Step& step);
  void begin_game(const model::Step& step);
  void begin_play(const model::Step& step);
  void take(const model::Step& step);
  OptionParts take_first(const model::Step& step);
  void only_one(const model::Step& step, std::size_t index) const;
  static model::Step next_pick(const model::Step& step);
  std::vector<model::StepItem> rest_of(const model::Step& step, const OptionParts& first) const;
  std::vector<model::StepItem> rest_of_sets(const model::Step& step, const OptionParts& first) const;
  bool takes_set(const OptionParts& option) const;
  static bool picks_nothing(const OptionParts& option, std::size_t parameter);
  void finish_set(const model::Step& step, Int site);
  bool arranging(const model::Step& step) const;
  void take_rolling(const model::Step& step);
  std::optional<std::string> rolled_otherwise(const model::Step& step, std::size_t first) const;
  bool is_alike(const ParameterInfo& parameter, Int value, Int argument) const;
  void take_order(const model::Step& step);
  void run_on(const std::vector<model::Claim>& claims);
  bool is_about_now(const std::vector<model::Claim>& claims) const;
  bool names_single_option(const std::vector<model::Claim>& claims) const;
  bool is_offered_now(const model::Step& step) const;
  bool is_next_turn() const;
  void note_turn();
  std::pair<Int, Int> turn_and_round() const;
  void past_the_countdown();
  void run_the_clock(const model::Step& step);
  void all_land();
  void look_at(const model::Claim& claim, const std::vector<model::Claim>& line);
  std::vector<Int> cards_in_claim(const model::Claim& claim) const;
  bool knows(const model::Claim& claim, bool wanted) const;
  bool knows_one(std::int64_t player, const model::Known& known) const;
  std::vector<Int> top_of(Int instance) const;
  std::size_t size_of_pile(Int instance) const;
  std::vector<Int> end_of(const model::Known& known) const;
  bool logged(const std::vector<std::string>& texts) const;
  void choose(std::size_t index);
  void note_offers(std::int64_t taken);
  std::optional<Int> evaluate_claim(Int function, Failure& failure) const;
  void look_at_once(const model::ScenarioLine& line);
  std::vector<std::string> log_lines() const { return past_log_ ? *past_log_ : log_.lines(-1); }
  void check_alive(Range where, const std::string& expected) const;

  bool means(const model::Step& step, std::int64_t id) const;
  const model::StepUse* use_of(const model::Step& step, const OptionParts& option) const;
  bool is_such_set(const ParameterInfo& parameter, Int position, const model::StepArgument& argument) const;
  bool means_argument(const ParameterInfo& parameter, Int value, const model::StepArgument& argument) const;
  std::size_t own_parameters(const OptionParts& option) const;
  bool means_action(const model::Step& step, const OptionParts& option) const;
  bool specifies_all(const model::Step& step, const OptionParts& option) const;
  bool means_choice(const model::Step& step, const OptionParts& option, Int choice) const;
  static bool is_of(const ParameterInfo& parameter, const model::Type& type);
  bool is_such(const ParameterInfo& parameter, Int card, const model::CardMatch& match) const;
  std::optional<std::size_t> find(const model::Step& step) const;
  std::vector<Int> places_of(const OptionParts& option) const;
  Int place_among(const model::CardMatch& match, Int card) const;
  std::string needless_place(const model::Step& step) const;
  bool can(const model::Step& step);
  bool can_begin(const model::Step& step);
  bool can_pick_rest(const model::Step& step, std::int64_t first, std::size_t index);
  bool can_wait(const model::Step& step);
  void let_time_pass(const model::Step& step);
  void answer_for_all(const model::Step& step);

  std::string asked() const;
  std::string offered() const;
  std::string reasons(const model::Step& step) const;
  std::string in_words(const model::Type& type, Int value) const;
  std::string list_words(const model::Type& list, std::uint32_t variable, Int owner) const;
  std::string value_words(const model::Expr& e) const;
  std::string set_words(const model::Expr& e, Int owner) const;
  std::string found_instead(const model::Claim& claim) const;
  std::vector<std::string> labels(const std::vector<Int>& cards) const;
  std::string seat(std::int64_t player) const { return Game::seat_name(static_cast<int>(player)); }

  std::shared_ptr<const GameData> game_;
  const Program& program_;
  const model::Model& model_;
  const model::Scenario& scenario_;
  std::unique_ptr<StateData> state_;
  Log log_;   // all events of the scenario
  std::optional<std::uint64_t> luck_;   // if set, replaces the chance stream that the seed determines
  bool begun_ = false;
  Int first_site_ = -1;   // site of the last scripted decision
  // Options of the last scripted decision that were not taken; if it had only one option, that option.
  std::vector<Int> left_;
  int silent_ = 0;
  std::size_t line_ = 0;   // the current line of the scenario
  // Turn and round of the last step; empty if that turn has ended.
  std::optional<std::pair<Int, Int>> turn_;
  Witness witness_;
  // Log up to the moment at which `then at once` is evaluated; unset for other lines.
  std::optional<std::vector<std::string>> past_log_;
  Reached* reached_;
};

// ---- running

std::optional<Refuted> Runner::run() {
  std::optional<Refuted> refuted = play();
  if (!reached_) return refuted;
  note_offers(-1);
  witness_.add_to(*reached_);
  return refuted;
}

// Records, for coverage, the actions that the pending decision offers and the index of the option that is taken (-1:
// none yet).
void Runner::note_offers(std::int64_t taken) {
  if (!begun_ || state_->over || waits_for_clock(*state_)) return;
  list_options(*state_);
  std::set<const ActionInfo*> offered;
  for (const std::int64_t id : state_->offers)
    if (const ActionInfo* action = option_parts(program_, id).action; action && action->where.known())
      offered.insert(action);
  for (const ActionInfo* action : offered) ++reached_->options[key_of(action->where)].offered;
  if (taken < 0 || static_cast<std::size_t>(taken) >= state_->offers.size()) return;
  const ActionInfo* action = option_parts(program_, state_->offers[static_cast<std::size_t>(taken)]).action;
  if (action && action->where.known()) ++reached_->options[key_of(action->where)].taken;
}

std::optional<Refuted> Runner::play() {
  Range where = scenario_.range;
  try {
    Placing placing(*state_);
    bool laid = false;
    for (std::size_t i = 0; i < scenario_.lines.size(); ++i) {
      const model::ScenarioLine& line = scenario_.lines[i];
      line_ = i;
      where = line.range;
      for (const model::Given& given : line.givens) placing.give(given);
      if (!laid && (!line.steps.empty() || !line.claims.empty())) placing.lay(), laid = true;
      for (const model::Step& step : line.steps) take(step);
      if (!line.steps.empty()) all_land();
      if (!line.claims.empty()) {
        if (line.at_once) {
          look_at_once(line);
          continue;
        }
        if (begun_) run_on(line.claims);
        for (const model::Claim& claim : line.claims) look_at(claim, line.claims);
      }
    }
    return std::nullopt;
  } catch (const Refuted& refuted) {
    return with_state(refuted);
  } catch (const Impossible& impossible) {
    return Refuted{
        impossible.where.known() ? impossible.where : where, "a valid table setup", impossible.why, "", "", {}};
  } catch (const Error& error) {
    return with_state({where, "", error.what(), "", "", {}});
  }
}

// Adds the log and the currently available options to a failure.
Refuted Runner::with_state(Refuted refuted) {
  refuted.log = log_lines();
  if (past_log_ || !begun_ || state_->over || state_->failure || waits_for_clock(*state_)) return refuted;
  list_options(*state_);
  if (!state_->offers.empty()) refuted.offered = fmt::format("{}: {}", seat(state_->actor), offered());
  return refuted;
}

void Runner::check_alive(Range where, const std::string& expected) const {
  if (!state_->failure) return;
  throw Refuted{where,
                expected,
                "runtime error: " + state_->failure->text(),
                state_->failure->stack.empty() ? "" : list_of(state_->failure->stack),
                "",
                {}};
}

void Runner::begin(const model::Step& step) {
  const Layout& l = program_.layout;
  Byte* s = state_->bytes.get();
  cardwright::Game context = fresh_context(*game_);
  if (begun_) {   // restarts the turn structure at the current table
    set_top_frame(s, l, 0);
    std::memset(s + l.frames, 0, static_cast<std::size_t>(l.frames_end - l.frames));
    push_main(program_, s);
    for (std::size_t v = 0; v < model_.variables.size(); ++v)
      if (model_.variables[v].lifetime != model::Lifetime::game) op_clear(context, s, l, program_.variables[v]);
  }
  if (program_.start_player < 0) throw Refuted{step.range, step.text, "this game has no turns to begin", "", "", {}};
  auto store = [&](Int variable, Int value) {
    op_store(context, s, l, program_.variables[static_cast<std::size_t>(variable)], 0, value);
  };
  store(program_.start_player, step.player);
  store(program_.start_event, step.event.valid() ? static_cast<Int>(step.event.index) : kNone);
  state_->over = false;
  begun_ = true;
  advance(*state_, -1, &log_);
  check_alive(step.range, step.text);
  if (value_of_variable(program_, s, program_.start_event, 0) != kNone)
    throw Refuted{step.range, step.text, "play never reaches this point", "", "", {}};
  note_turn();
  const Int active = program_.active >= 0 ? value_of_variable(program_, s, program_.active, 0) : kNone;
  if (active != kNone && active != step.player) turn_.reset();   // the turn ended without a decision
}

// Runs the setup on a table without `given` lines.
void Runner::begin_game(const model::Step& step) {
  *state_ = *state_before_setup(game_, static_cast<std::uint64_t>(step.seed), 0);
  state_->notes = &witness_;
  if (luck_) write(chance_stream(state_->bytes.get(), program_.layout), *luck_);
  make_live(*state_, (std::uint64_t{1} << program_.layout.players) - 1);
  begun_ = true;
  advance(*state_, -1, &log_);
  check_alive(step.range, step.text);
  note_turn();
}

void Runner::choose(std::size_t index) {
  if (reached_) note_offers(static_cast<std::int64_t>(index));
  witness_.expect();
  advance(*state_, static_cast<Int>(index), &log_);
}

// Evaluates the assertions of a `then at once` line on the table directly after the last step.
void Runner::look_at_once(const model::ScenarioLine& line) {
  check_alive(line.range, "no error in the rules");
  const Byte* moment = witness_.moment();
  if (!moment) {
    for (const model::Claim& claim : line.claims) look_at(claim, line.claims);
    return;
  }
  const StateData now(*state_);
  std::memcpy(state_->bytes.get(), moment, static_cast<std::size_t>(program_.layout.size));
  state_->over = false;
  past_log_ = witness_.lines();
  try {
    for (const model::Claim& claim : line.claims) look_at(claim, line.claims);
  } catch (...) {
    *state_ = now;   // past_log_ stays set, because the failure report shows the log at that moment
    throw;
  }
  *state_ = now;
  past_log_.reset();
}

// Runs until the first decision of the step is pending, takes the option that the step names, and returns it.
OptionParts Runner::take_first(const model::Step& step) {
  for (;;) {
    check_alive(step.range, step.text);
    if (state_->over) throw Refuted{step.range, step.text, "the game is over", "", "", {}};
    if (waits_for_clock(*state_)) run_the_clock(step);
    if (step.player != kNone) ask_first(*state_, static_cast<int>(step.player));
    list_options(*state_);
    const bool theirs = step.player == kNone || state_->actor == step.player;
    if (const auto index = theirs ? find(step) : std::nullopt) {
      only_one(step, *index);
      const OptionParts option = option_parts(program_, state_->offers[*index]);
      first_site_ = state_->site;
      left_ = state_->offers;
      note_turn();
      if (left_.size() > 1) left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(*index));
      choose(*index);
      return option;
    }
    if (state_->count > 1) {
      const std::string needless = theirs ? needless_place(step) : "";
      throw Refuted{step.range, step.text, asked(), !theirs ? "" : needless.empty() ? reasons(step) : needless, "", {}};
    }
    if (++silent_ > kMostDecisions)
      throw Refuted{step.range, step.text, "endless loop of decisions with a single option", "", "", {}};
    choose(0);
  }
}

// Throws Refuted if a step that omits arguments matches several options.
void Runner::only_one(const model::Step& step, std::size_t index) const {
  const OptionParts taken = option_parts(program_, state_->offers[index]);
  if (specifies_all(step, taken)) return;
  std::vector<std::string> others;
  for (std::size_t i = index; i < state_->offers.size(); ++i)
    if (means(step, state_->offers[i]) && option_parts(program_, state_->offers[i]).action == taken.action)
      others.push_back(words_of_option(*state_, state_->offers[i]));
  if (others.size() > 1)
    throw Refuted{
        step.range, step.text, fmt::format("ambiguous: this could be {}", fmt::join(few_of(std::move(others)), " or ")),
        "",         "",        {}};
}

// Begins play before the first step, unless the scenario has done so. In a game with turns, the scenario must do so,
// because it must name the active player.
void Runner::begin_play(const model::Step& step) {
  if (begun_) return;
  if (std::any_of(model_.events.begin(), model_.events.end(),
                  [](const model::Event& e) { return e.kind == model::EventKind::turn; }))
    throw Refuted{step.range, step.text, "no turn has begun: write `main of a begins` first", "", "", {}};
  model::Step first = step;
  first.player = 0;
  first.event = {};
  begin(first);
}

// Performs a step. If the step picks a set, it consists of several decisions: one for each element, and `done` if the
// player decides how many to pick.
void Runner::take(const model::Step& step) {
  witness_.forget();
  if (!step.rolls.empty()) return take_rolling(step);
  if (step.verb == model::Step::Verb::begins) return begin(step);
  if (step.verb == model::Step::Verb::game_begins) return begin_game(step);
  begin_play(step);
  if (step.verb == model::Step::Verb::time) return let_time_pass(step);
  if (step.verb == model::Step::Verb::arranges) return take_order(step);
  Int site = -1;
  const OptionParts first = take_first(step);
  model::Step next = next_pick(step);
  const bool chooses = step.verb == model::Step::Verb::chooses;
  for (model::StepItem& item : rest_of(step, first)) {
    next.items = {std::move(item)};
    site = state_->site;
    take_first(next);
  }
  if (chooses || takes_set(first)) finish_set(step, chooses ? first_site_ : site);
  if (step.player == kNone || !is_in_flight(*state_, static_cast<int>(step.player))) return;
  // Without a time in the step, the action takes effect immediately, before all other events.
  const Int now = clock_of(*state_).time;
  land_at(*state_, static_cast<int>(step.player), now + (step.flight == kNone ? 0 : step.flight));
  if (step.flight == kNone) run_until(*state_, now, &log_);
}

// Retries with different random streams until the dice show the faces in the step.
void Runner::take_rolling(const model::Step& step) {
  constexpr std::uint64_t kMostTries = 400'000, kEnough = 2'000;
  model::Step plain = step;
  plain.rolls.clear();
  const StateData before(*state_);
  const std::size_t logged = log_.size(), first = log_.data().log.rolled().size();
  const bool begun = begun_;
  std::string otherwise;
  bool rolled = false;
  for (std::uint64_t luck = 0; luck < (rolled ? kMostTries : kEnough); ++luck) {
    *state_ = before;
    log_.cut(logged);
    begun_ = begun;
    silent_ = 0;
    luck_ = luck == 0 ? std::nullopt : std::optional(mix_word(luck));
    if (luck_) write(chance_stream(state_->bytes.get(), program_.layout), *luck_);
    take(plain);
    luck_.reset();
    const auto wrong = rolled_otherwise(step, first);
    if (!wrong) return;
    otherwise = *wrong;
    rolled = rolled || otherwise.empty();
  }
  throw Refuted{step.range, step.text, otherwise.empty() ? "the dice never show these faces" : otherwise, "", "", {}};
}

// Returns nullopt if the rolled dice match the step, an empty text if only the faces differ, and an error if a player
// rolled fewer dice than the step names. Compares the player's and the table's dice in the order of rolling.
std::optional<std::string> Runner::rolled_otherwise(const model::Step& step, std::size_t first) const {
  const std::vector<cardwright::Log::Rolled>& rolled = log_.data().log.rolled();
  std::vector<bool> reported(rolled.size(), false);
  for (const auto& [player, item] : step.rolls) {
    std::size_t at = first;
    while (at < rolled.size() && (reported[at] || (rolled[at].owner >= 0 && rolled[at].owner != player))) ++at;
    if (at == rolled.size()) return fmt::format("{} does not roll that many dice", seat(player));
    const cardwright::Log::Rolled& roll = rolled[at];
    reported[at] = true;
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(roll.variable)];
    const auto is_it = [&](const auto& v) {
      const bool of_type =
          v.first.kind == model::TypeKind::enumeration
              ? info.kind == ValueKind::enumeration && info.enumeration == static_cast<Int>(v.first.ref)
              : v.first.kind == model::TypeKind::integer && info.kind == ValueKind::integer;
      return of_type && v.second == roll.face;
    };
    if (std::none_of(item.values.begin(), item.values.end(), is_it)) return "";
  }
  return std::nullopt;
}

bool Runner::arranging(const model::Step& step) const {
  return !state_->over && state_->site >= 0 && program_.sites[static_cast<std::size_t>(state_->site)].arranges &&
         state_->actor == step.player;
}

// Performs a step that arranges cards, listed from the top down. The last card needs no decision, so the step can omit
// it.
void Runner::take_order(const model::Step& step) {
  model::Step next = step;
  for (std::size_t i = 0; i < step.items.size(); ++i) {
    next.items = {step.items[i]};
    const bool last = i > 0 && i + 1 == step.items.size() && !arranging(step);
    if (!last) {
      take_first(next);
      continue;
    }
    const auto is_it = [&](Int id) {
      const OptionParts option = option_parts(program_, id);
      return means_choice(next, option, id - option.action->base);
    };
    if (std::none_of(left_.begin(), left_.end(), is_it))
      throw Refuted{step.range, step.text, fmt::format("the last card is {}", words_of_option(*state_, left_.front())),
                    "",         "",        {}};
  }
  if (arranging(step) && state_->count > 1)
    throw Refuted{step.range, step.text, "more cards must be arranged", "", "", {}};
}

// Advances the clock of a race. In a simultaneous decision, applies the rules' default answer for players who have not
// answered in time.
void Runner::let_time_pass(const model::Step& step) {
  past_the_countdown();
  if (waits_for_clock(*state_)) return run_until(*state_, clock_of(*state_).time + step.flight, &log_);
  while (!state_->over && still_to_answer(*state_) == 0 && state_->count == 1 && ++silent_ <= kMostDecisions) choose(0);
  check_alive(step.range, step.text);
  const bool waits = !state_->over && still_to_answer(*state_) != 0;
  const Int within = waits ? program_.sites[static_cast<std::size_t>(state_->site)].within : -1;
  if (within < 0)
    throw Refuted{step.range, step.text, "no race is open, and no decision has a time limit: " + asked(), "", "", {}};
  if (step.flight >= within) answer_for_all(step);
}

void Runner::answer_for_all(const model::Step& step) {
  std::uint64_t waited_for = ~std::uint64_t{0};
  for (;;) {
    check_alive(step.range, step.text);
    const std::uint64_t now = awaited(*state_);
    // Stop if all players have answered, or if the next simultaneous decision is pending.
    if (state_->over || now == 0 || (now & ~waited_for) != 0) return;
    waited_for = now;
    list_options(*state_);
    choose(missing_answer(*state_));
  }
}

// Skips the race's opening countdown, if there is one.
void Runner::past_the_countdown() {
  while (waits_for_clock(*state_) && clock_of(*state_).time == 0 && clock_of(*state_).paused_until != kNone)
    continue_game(*state_, &log_);
}

// Runs the clock to the time of the step, or until the step's player can act. Then lets the player act.
void Runner::run_the_clock(const model::Step& step) {
  if (step.player == kNone) throw Refuted{step.range, step.text, asked(), "", "", {}};
  past_the_countdown();
  const int player = static_cast<int>(step.player);
  if (step.at != kNone) {
    run_until(*state_, step.at, &log_);
  } else {
    for (int events = 0; waits_for_clock(*state_) &&
                         (is_in_flight(*state_, player) || free_at(*state_, player) > clock_of(*state_).time);
         ++events) {
      if (events == kMostDecisions) throw Refuted{step.range, step.text, "this player can never act", "", "", {}};
      if (is_in_flight(*state_, player))
        continue_game(*state_, &log_);
      else
        run_until(*state_, free_at(*state_, player), &log_);
    }
  }
  check_alive(step.range, step.text);
  if (!waits_for_clock(*state_)) return;
  arrive(*state_, player, &log_);
  if (waits_for_clock(*state_))
    throw Refuted{step.range, step.text, fmt::format("{} has no options", seat(step.player)), reasons(step), "", {}};
}

// Runs the clock until all begun actions have taken effect, because the assertions of the line describe the result.
void Runner::all_land() {
  const auto flying = [&] {
    for (int p = 0; p < program_.layout.players; ++p)
      if (is_in_flight(*state_, p)) return true;
    return false;
  };
  for (int events = 0; begun_ && waits_for_clock(*state_) && flying() && events < kMostDecisions; ++events)
    continue_game(*state_, &log_);
}

// Creates a step that picks another element of a set. The caller stores the element in `items`.
model::Step Runner::next_pick(const model::Step& step) {
  model::Step next;
  next.verb = model::Step::Verb::chooses;
  next.player = step.player;
  next.text = step.text;
  next.range = step.range;
  return next;
}

// Returns the items of a step that remain after its first decision.
std::vector<model::StepItem> Runner::rest_of(const model::Step& step, const OptionParts& first) const {
  if (step.verb != model::Step::Verb::chooses) return rest_of_sets(step, first);
  return {step.items.begin() + (step.items.empty() ? 0 : 1), step.items.end()};
}

// Returns the elements of the step's sets that are picked after the first decision, in which the action and the first
// element are chosen.
std::vector<model::StepItem> Runner::rest_of_sets(const model::Step& step, const OptionParts& first) const {
  std::vector<model::StepItem> rest;
  const model::StepUse* use = use_of(step, first);
  if (!use) return rest;
  const auto& parameters = model_.actions[first.action_index].parameters;
  const std::size_t own = own_parameters(first);
  for (std::size_t p = 0; p < parameters.size() && p < use->arguments.size(); ++p) {
    if (parameters[p].count == model::PickCount::one) continue;
    bool taken = false;
    for (const model::CardMatch& match : use->arguments[p].cards)
      if (taken || !is_such(first.action->parameters[own + p], first.values[own + p], match))
        rest.push_back({match, {}, {}});
      else
        taken = true;
    for (const std::int64_t value : use->arguments[p].values)
      if (taken || value != first.values[own + p])
        rest.push_back({{}, {{parameters[p].type, value}}, {}});
      else
        taken = true;
  }
  return rest;
}

// Returns true if the option picks elements of a set.
bool Runner::takes_set(const OptionParts& option) const {
  const auto index = option.action_index;
  if (index >= model_.actions.size()) return false;
  const auto& parameters = model_.actions[index].parameters;
  const std::size_t own = own_parameters(option);
  for (std::size_t p = 0; p < parameters.size(); ++p)
    if (parameters[p].count != model::PickCount::one) return !picks_nothing(option, own + p);
  return false;
}
bool Runner::picks_nothing(const OptionParts& option, std::size_t parameter) {
  return option.action->parameters[parameter].nothing >= 0 && option.values[parameter] == kNone;
}

// Chooses `done` if more elements could be picked, because a step lists all elements of its set.
void Runner::finish_set(const model::Step& step, Int site) {
  if (state_->over || state_->actor != step.player || state_->count < 2 || (site >= 0 && state_->site != site)) return;
  list_options(*state_);
  std::optional<std::size_t> done;
  for (std::size_t i = 0; i < state_->offers.size(); ++i) {
    const ActionKind kind = option_parts(program_, state_->offers[i]).action->kind;
    if (kind == ActionKind::done)
      done = i;
    else if (kind != ActionKind::choose && kind != ActionKind::pick)
      return;
  }
  if (done) choose(*done);
}

// Returns true if one of the assertions is about the options of a player who decides now.
bool Runner::is_about_now(const std::vector<model::Claim>& claims) const {
  return std::any_of(claims.begin(), claims.end(), [&](const model::Claim& claim) {
    if (claim.kind != model::Claim::Kind::can && claim.kind != model::Claim::Kind::cannot) return false;
    StateData asked(*state_);   // in a simultaneous decision, players answer in any order
    ask_first(asked, static_cast<int>(claim.player));
    return asked.actor == claim.player;
  });
}

// Returns true if the step's player currently has that option.
bool Runner::is_offered_now(const model::Step& step) const {
  StateData asked(*state_);
  if (step.player != kNone) ask_first(asked, static_cast<int>(step.player));
  if (step.player != kNone && asked.actor != step.player) return false;
  list_options(asked);
  return std::ranges::any_of(asked.offers, [&](std::int64_t id) { return means(step, id); });
}

// Returns true if a decision with one option must stay pending because the next step takes this option or an assertion
// of this line names it.
bool Runner::names_single_option(const std::vector<model::Claim>& claims) const {
  const auto is_named = [&](const model::Claim& claim) {
    return (claim.kind == model::Claim::Kind::can || claim.kind == model::Claim::Kind::cannot) &&
           is_offered_now(claim.step);
  };
  if (std::ranges::any_of(claims, is_named)) return true;
  for (std::size_t i = line_ + 1; i < scenario_.lines.size(); ++i) {
    const std::vector<model::Step>& steps = scenario_.lines[i].steps;
    if (steps.empty()) continue;
    // In a simultaneous decision, the steps can be in any order.
    const bool any = still_to_answer(*state_) != 0;
    return std::any_of(steps.begin(), any ? steps.end() : steps.begin() + 1,
                       [&](const model::Step& step) { return is_offered_now(step); });
  }
  return false;
}

std::pair<Int, Int> Runner::turn_and_round() const {
  const auto number = [&](Int variable) {
    return variable < 0 ? 0 : value_of_variable(program_, state_->bytes.get(), variable, 0);
  };
  return {number(program_.turn_number), number(program_.round_number)};
}

void Runner::note_turn() { turn_ = turn_and_round(); }

bool Runner::is_next_turn() const { return turn_ != turn_and_round(); }

// Takes decisions with one option automatically. Stops at the first decision with several options, or at the first
// decision of another turn or round. If an effect is still being resolved at a decision with several options, the
// assertions must be about that decision.
void Runner::run_on(const std::vector<model::Claim>& claims) {
  const Range where = scenario_.lines.empty() ? scenario_.range : scenario_.lines.back().range;
  bool made_itself = false;   // true if a decision of the turn structure was taken automatically
  for (;;) {
    check_alive(where, "the game continues");
    if (state_->over) return;
    if (waits_for_clock(*state_)) return past_the_countdown();
    const bool nothing_open = is_idle(*state_);
    if (state_->count > 1) {
      if (nothing_open || made_itself || is_about_now(claims)) return;
      throw Refuted{where, "no decision missing from the scenario", asked(), "", "", {}};
    }
    if (names_single_option(claims) || (nothing_open && is_next_turn())) return;
    made_itself = made_itself || nothing_open;
    if (++silent_ > kMostDecisions)
      throw Refuted{where, "a decision with several options", "endless loop of decisions with a single option", "", "",
                    {}};
    choose(0);
  }
}

// ---- matching steps to options

// Returns true if the card matches the description. Equal cards form one option, so a description of any of them
// matches, unless their places distinguish them.
bool Runner::is_such(const ParameterInfo& parameter, Int card, const model::CardMatch& match) const {
  if (parameter.kind != ValueKind::card) return false;
  if (match.unknown) return card <= kUnseen && card != kNone;
  if (card < 0) return false;
  if (match.place != 0) return is_by_place(parameter) && place_among(match, card) == match.place;
  const Int look = program_.cards[static_cast<std::size_t>(card)].look_alike;
  for (std::size_t id = 0; id < program_.cards.size(); ++id)
    if (program_.cards[id].look_alike == look && matches(program_, match, static_cast<Int>(id))) return true;
  return false;
}

// Returns the position of this card among equal cards of its row or pile, counted from 1 at the top; 0 if the card is
// not in a row or pile.
Int Runner::place_among(const model::CardMatch& match, Int card) const {
  const Int instance = find_zone(state_->bytes.get(), program_.layout, card);
  if (instance < 0 || !program_.layout.instance[instance].ordered) return 0;
  Int place = 0;
  for (const Int other : fixed_top(program_, state_->bytes.get(), instance)) {
    if (!matches(program_, match, other)) continue;
    ++place;
    if (other == card) return place;
  }
  return 0;
}

// Explains why `Blue[2]` is not an option, if the reason is that equal cards form a single option.
std::string Runner::needless_place(const model::Step& step) const {
  const auto has_place = [](const model::CardMatch& match) { return match.place != 0; };
  bool names_place = step.card && has_place(*step.card);
  for (const model::StepItem& item : step.items) names_place = names_place || (item.card && has_place(*item.card));
  for (const model::StepUse& use : step.uses)
    for (const model::StepArgument& argument : use.arguments)
      names_place = names_place || std::ranges::any_of(argument.cards, has_place);
  const bool distinguishable = std::ranges::any_of(state_->offers, [&](std::int64_t id) {
    const OptionParts option = option_parts(program_, id);
    return option.action && std::ranges::any_of(option.action->parameters, is_by_place);
  });
  return names_place && !distinguishable ? "equal cards are one option here: remove the number in `[ ]`" : "";
}

// Returns true if the argument names exactly the elements of the set.
bool Runner::is_such_set(const ParameterInfo& parameter, Int position, const model::StepArgument& argument) const {
  std::vector<Int> set =
      program_.set_lists[static_cast<std::size_t>(parameter.list)].sets[static_cast<std::size_t>(position)];
  if (argument.cards.empty()) {
    std::vector<Int> named = argument.values;
    std::sort(set.begin(), set.end()), std::sort(named.begin(), named.end());
    return set == named;
  }
  return pair_up(program_, argument.cards, set);
}

bool Runner::means_argument(const ParameterInfo& parameter, Int value, const model::StepArgument& argument) const {
  if (!argument.is_given()) return true;
  if (parameter.nothing >= 0 && (argument.nothing || value == kNone)) return argument.nothing && value == kNone;
  if (parameter.list >= 0) return is_such_set(parameter, value, argument);
  if (parameter.kind == ValueKind::card)
    return std::any_of(argument.cards.begin(), argument.cards.end(),
                       [&](const model::CardMatch& match) { return is_such(parameter, value, match); });
  return std::any_of(argument.values.begin(), argument.values.end(),
                     [&](Int one) { return is_alike(parameter, value, one); });
}

// Returns true if two pieces are equal dice. Only the lowest-numbered of several equal dice is an option, but a step
// can name any of them.
bool Runner::is_alike(const ParameterInfo& parameter, Int value, Int argument) const {
  if (value == argument) return true;
  if (parameter.kind != ValueKind::piece || program_.placed[static_cast<std::size_t>(parameter.enumeration)].face < 0 ||
      value < 1 || argument < 1)
    return false;
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    const VariableInfo& info = program_.variable_infos[v];
    if (info.placed != parameter.enumeration || info.list > 0 || program_.variables[v].is_set || info.keys.size() != 1)
      continue;
    const Byte* s = state_->bytes.get();
    if (value_of_variable(program_, s, static_cast<Int>(v), value - 1) !=
        value_of_variable(program_, s, static_cast<Int>(v), argument - 1))
      return false;
  }
  return true;
}

const model::StepUse* Runner::use_of(const model::Step& step, const OptionParts& option) const {
  const auto use = std::find_if(step.uses.begin(), step.uses.end(),
                                [&](const model::StepUse& u) { return u.action.index == option.action_index; });
  return use == step.uses.end() ? nullptr : &*use;
}

// Returns the index of the first parameter that the action itself declares. If a card has the action, the parameter for
// the card comes before it.
std::size_t Runner::own_parameters(const OptionParts& option) const {
  return option.action->parameters.size() - model_.actions[option.action_index].parameters.size();
}

bool Runner::means_action(const model::Step& step, const OptionParts& option) const {
  const model::StepUse* use = use_of(step, option);
  if (!use) return false;
  const std::size_t own = own_parameters(option);
  if (model_.actions[option.action_index].play &&
      !is_such(option.action->parameters[own], option.values[own], *step.card))
    return false;
  for (std::size_t p = 0; p < use->arguments.size(); ++p)
    if (!means_argument(option.action->parameters[own + p], option.values[own + p], use->arguments[p])) return false;
  return true;
}

// Returns true if the step specifies every argument that distinguishes the options.
bool Runner::specifies_all(const model::Step& step, const OptionParts& option) const {
  const model::StepUse* use = use_of(step, option);
  if (!use) return true;
  const auto& parameters = model_.actions[option.action_index].parameters;
  for (std::size_t at = 0; at < parameters.size(); ++at)
    if (parameters[at].name != "this" && !use->arguments[at].is_given()) return false;
  return true;
}

// Returns true if the step chooses this option. For an action without parameters, `choice` is the option's number.
bool Runner::means_choice(const model::Step& step, const OptionParts& option, Int choice) const {
  const ActionKind kind = option.action->kind;
  if ((kind != ActionKind::choose && kind != ActionKind::pick && kind != ActionKind::one_of) || step.items.empty())
    return false;
  const model::StepItem& item = step.items[0];
  const auto has = [&](auto&& is_it) { return std::any_of(item.values.begin(), item.values.end(), is_it); };
  if (option.action->parameters.empty()) {
    if (kind != ActionKind::one_of) return false;
    return has([&](const auto& v) { return v.first.kind == model::TypeKind::integer && v.second == choice; }) ||
           (!item.text.empty() && words_of_option(*state_, option.action->base + choice) == item.text);
  }
  const ParameterInfo& parameter = option.action->parameters[0];
  const Int value = option.values[0];
  if (parameter.kind == ValueKind::card) return item.card && is_such(parameter, value, *item.card);
  return has([&](const auto& v) { return is_of(parameter, v.first) && is_alike(parameter, value, v.second); });
}

bool Runner::is_of(const ParameterInfo& parameter, const model::Type& type) {
  switch (type.kind) {
    case model::TypeKind::player: return parameter.kind == ValueKind::player;
    case model::TypeKind::boolean: return parameter.kind == ValueKind::boolean;
    case model::TypeKind::kind: return parameter.kind == ValueKind::kind;
    case model::TypeKind::enumeration:
      return parameter.kind == ValueKind::enumeration && parameter.enumeration == static_cast<Int>(type.ref);
    case model::TypeKind::integer:
    case model::TypeKind::card:
#include "compiler/model/cases_of_non_scalars.def"
      return parameter.kind == ValueKind::integer || parameter.kind == ValueKind::part ||
             parameter.kind == ValueKind::piece;
  }
  unreachable("a kind of type");
}

bool Runner::means(const model::Step& step, std::int64_t id) const {
  const OptionParts option = option_parts(program_, id);
  if (!option.action) return false;
  const Int choice = id - option.action->base;
  switch (step.verb) {
    case model::Step::Verb::begins:
    case model::Step::Verb::game_begins:
    case model::Step::Verb::time: return false;
    // `plays` can also mean an action named `play`, if the card has no play of its own.
    case model::Step::Verb::plays:
    case model::Step::Verb::uses: return means_action(step, option);
    case model::Step::Verb::chooses: return means_choice(step, option, choice);
    case model::Step::Verb::arranges:
      return arranging(step) && option.action->kind == ActionKind::choose && means_choice(step, option, choice);
    case model::Step::Verb::at_random:
      return option.action->kind == ActionKind::choose && option.action->name.find("at random") != std::string::npos;
    case model::Step::Verb::passes:
      // A named option such as `wait`.
      if (!step.items.empty() && option.action->name != step.items[0].text) return false;
      return option.action->kind == ActionKind::pass || option.action->kind == ActionKind::done;
    case model::Step::Verb::says: return option.action->kind == ActionKind::yes_no && (choice == 0) == step.yes;
  }
  return false;
}

// Returns the index of the first option that matches the step. If places distinguish equal cards, returns the option
// with the topmost card. An action named `pass` takes precedence over the pass of the window.
std::optional<std::size_t> Runner::find(const model::Step& step) const {
  std::optional<std::size_t> found;
  std::vector<Int> first;
  for (std::size_t i = 0; i < state_->offers.size(); ++i) {
    if (!means(step, state_->offers[i])) continue;
    const std::vector<Int> places = places_of(option_parts(program_, state_->offers[i]));
    if (found && (places.empty() || places >= first)) continue;
    found = i;
    first = places;
    if (places.empty()) return found;
  }
  return found;
}

// Returns the places of an option's cards in their rows or piles, if places distinguish options.
std::vector<Int> Runner::places_of(const OptionParts& option) const {
  std::vector<Int> places;
  for (std::size_t i = 0; i < option.values.size(); ++i) {
    if (!is_by_place(option.action->parameters[i]) || option.values[i] < 0) continue;
    const Int instance = find_zone(state_->bytes.get(), program_.layout, option.values[i]);
    if (instance < 0) continue;
    const std::vector<Int> there = fixed_top(program_, state_->bytes.get(), instance);
    places.push_back(std::find(there.begin(), there.end(), option.values[i]) - there.begin());
  }
  return places;
}

// Returns true if the player can wait. Players controlled by the scenario have no option to wait, so this function
// makes the player decide now like a simulated player.
bool Runner::can_wait(const model::Step& step) {
  if (state_->over) return false;
  if (!waits_for_clock(*state_))
    throw Refuted{step.range, step.text, "waiting is only possible in real time: " + asked(), "", "", {}};
  const StateData before(*state_);
  bool waits = true;
  if (ask_now(*state_, static_cast<int>(step.player))) {
    list_options(*state_);
    waits = find(step).has_value();
  }
  *state_ = before;
  return waits;
}

bool Runner::can(const model::Step& step) {
  if (step.verb == model::Step::Verb::passes && !step.items.empty()) return can_wait(step);
  if (state_->over) return false;
  const StateData before(*state_);   // restored below, because a test must not change the order or time of decisions
  if (waits_for_clock(*state_)) arrive(*state_, static_cast<int>(step.player), nullptr);
  ask_first(*state_, static_cast<int>(step.player));
  const bool found = !state_->over && state_->actor == step.player && can_begin(step);
  *state_ = before;
  return found;
}

// Returns true if the step is possible. Tries each option that matches the step, followed by the step's remaining
// items.
bool Runner::can_begin(const model::Step& step) {
  list_options(*state_);
  const std::vector<std::int64_t> offers = state_->offers;
  const StateData asked(*state_);
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (!means(step, offers[i])) continue;
    if (can_pick_rest(step, offers[i], i)) return true;
    *state_ = asked;
  }
  return false;
}

// Returns true if the remaining elements of a set can be picked. Counts the picks, so that a later decision of the same
// rule is not mistaken for a pick. `first` is the id of the option at `index`; it is a parameter because copies of a
// State have no list of options.
bool Runner::can_pick_rest(const model::Step& step, std::int64_t first, std::size_t index) {
  std::vector<model::StepItem> rest = rest_of(step, option_parts(program_, first));
  if (rest.empty()) return true;
  advance(*state_, static_cast<Int>(index), nullptr);
  model::Step next = next_pick(step);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (state_->failure || state_->over || state_->actor != step.player ||
        picked_so_far(*state_).count != static_cast<Int>(i) + 1)
      return false;
    next.items = {std::move(rest[i])};
    list_options(*state_);
    const auto found = find(next);
    if (!found) return false;
    advance(*state_, static_cast<Int>(*found), nullptr);
  }
  return true;
}

// ---- assertions

std::vector<std::string> Runner::labels(const std::vector<Int>& cards) const {
  std::vector<std::string> out;
  for (const Int card : cards) out.push_back(program_.cards[static_cast<std::size_t>(card)].label);
  return out;
}

// Returns all cards in the zone that an assertion names, including face-down cards.
std::vector<Int> Runner::cards_in_claim(const model::Claim& claim) const {
  std::vector<Int> all;
  for (const Int zone : {static_cast<Int>(claim.zone.index), program_.zone_infos[claim.zone.index].facedown_zone}) {
    if (zone < 0) continue;
    for (const Int card :
         cards_in_zone(program_.layout, state_->bytes.get(),
                       zone_instance(program_, zone, claim.owner == kNone ? 0 : claim.owner, claim.copy)))
      all.push_back(card);
  }
  return all;
}

// Evaluates an assertion's function on a copy of the state. Rules evaluated by the function count as reached.
std::optional<Int> Runner::evaluate_claim(Int function, Failure& failure) const {
  StateData scratch(*state_);
  cardwright::Game context = fresh_context(*game_);
  context.notes = state_->notes;
  Int result = 0;
  if (game_->engine->call(context, scratch.bytes.get(), static_cast<ir::FunctionIndex>(function), {}, &result) !=
      Status::trapped)
    return result;
  failure = failure_of(program_, context);
  return std::nullopt;
}

void Runner::look_at(const model::Claim& claim, const std::vector<model::Claim>& line) {
  const Byte* s = state_->bytes.get();
  const std::uint64_t winners = state_->over && !state_->failure ? winners_of(program_, s) : 0;
  auto require = [&](bool holds) {
    const bool about_end = claim.kind == model::Claim::Kind::wins || claim.kind == model::Claim::Kind::loses;
    if (!holds)
      throw Refuted{
          claim.range, claim.text, found_instead(claim) + (state_->over && !about_end ? " (the game is over)" : ""),
          "",          "",         {}};
  };
  switch (claim.kind) {
    case model::Claim::Kind::holds: {
      Failure failure;
      const auto value = evaluate_claim(program_.claims[claim.body], failure);
      if (!value)
        throw Refuted{claim.range, claim.text, "evaluating the condition failed: " + failure.text(), "", "", {}};
      return require(*value != 0);
    }
    case model::Claim::Kind::zone_is: return require(pair_up(program_, claim.cards, cards_in_claim(claim)));
    case model::Claim::Kind::can: {
      begin_play(claim.step);
      run_on(line);
      if (!can(claim.step)) throw Refuted{claim.range, claim.text, asked(), reasons(claim.step), "", {}};
      return;
    }
    case model::Claim::Kind::cannot:
      begin_play(claim.step);
      run_on(line);
      return require(!can(claim.step));
    case model::Claim::Kind::wins: return require(winners >> claim.player & 1);
    case model::Claim::Kind::loses: return require(state_->over && !state_->failure && !(winners >> claim.player & 1));
    case model::Claim::Kind::knows: return require(knows(claim, true));
    case model::Claim::Kind::knows_not: return require(knows(claim, false));
    case model::Claim::Kind::logged: return require(logged(claim.texts));
  }
}

// If `wanted` is true, returns true if each of the players knows all of these facts. Otherwise, returns true if each of
// them lacks at least one of the facts.
bool Runner::knows(const model::Claim& claim, bool wanted) const {
  return std::ranges::all_of(claim.knowers, [&](std::int64_t player) {
    return wanted ==
           std::ranges::all_of(claim.known, [&](const model::Known& known) { return knows_one(player, known); });
  });
}

bool Runner::knows_one(std::int64_t player, const model::Known& known) const {
  const Byte* s = state_->bytes.get();
  const auto knows = [&](Int card) { return knows_card(program_.layout, s, player, card); };
  switch (known.kind) {
    case model::Known::Kind::variable: {
      if (!program_.variable_infos[known.variable.index].secret) return true;
      const auto [first, count] = entries_of(program_, known);
      for (Int i = first; i < first + count; ++i)
        if (!knows_variable(program_, s, player, static_cast<Int>(known.variable.index), i)) return false;
      return true;
    }
    case model::Known::Kind::card:   // any matching card that is in a zone
      for (Int card = 0; card < static_cast<Int>(program_.cards.size()); ++card)
        if (matches(program_, known.card, card) && find_zone(s, program_.layout, card) != kNone && knows(card))
          return true;
      return false;
    case model::Known::Kind::top:
    // Fails while the place of a card is not decided, because no player can know such a card.
    case model::Known::Kind::bottom: {
      const std::size_t all = size_of_pile(instances_of(program_, known)[0]);
      const std::vector<Int> end = end_of(known);
      return all > 0 && end.size() == std::min(all, static_cast<std::size_t>(known.count)) &&
             std::ranges::all_of(end, knows);
    }
    case model::Known::Kind::zone: break;
  }
  for (const Int instance : instances_of(program_, known))
    for (const Int card : cards_in_zone(program_.layout, s, instance))
      if (!knows(card)) return false;
  return true;
}

// Returns the number of cards in a pile, face up and face down.
std::size_t Runner::size_of_pile(Int instance) const {
  const Byte* s = state_->bytes.get();
  const Int other = program_.layout.instance[instance].other_side;
  return cards_in_zone(program_.layout, s, instance).size() +
         (other >= 0 ? cards_in_zone(program_.layout, s, other).size() : 0);
}

// Returns the cards at the top or bottom of a pile whose places are decided, outermost first.
std::vector<Int> Runner::end_of(const model::Known& known) const {
  const Int instance = instances_of(program_, known)[0];
  const Byte* s = state_->bytes.get();
  const Layout& l = program_.layout;
  const ZoneInstance& pile = l.instance[instance];
  if (!pile.ordered) return {};
  const auto from = [&](Int card) {
    std::vector<Int> cards;
    for (; card >= 0; card = cardwright::beyond(s, l, card)) cards.push_back(card);
    return cards;
  };
  std::vector<Int> near = from(cardwright::fixed_top(s, l, pile)), far = from(cardwright::fixed_bottom(s, l, pile));
  if (known.kind == model::Known::Kind::bottom) near.swap(far);
  if (near.size() + far.size() == size_of_pile(instance)) near.insert(near.end(), far.rbegin(), far.rend());
  near.resize(std::min(near.size(), static_cast<std::size_t>(known.count)));
  return near;
}

// Returns the topmost card of a pile, face up or face down; empty if the top is not decided yet.
std::vector<Int> Runner::top_of(Int instance) const {
  const ZoneInstance& z = program_.layout.instance[instance];
  const Int top = z.ordered ? cardwright::fixed_top(state_->bytes.get(), program_.layout, z) : kNoCard;
  return top >= 0 ? std::vector<Int>{top} : std::vector<Int>{};
}

// Returns true if the log with all hidden information contains these texts in this order, each in its own line.
bool Runner::logged(const std::vector<std::string>& texts) const {
  std::size_t found = 0;
  for (const std::string& line : log_lines())
    if (found < texts.size() && line.find(texts[found]) != std::string::npos) ++found;
  return found == texts.size();
}

// ---- actual values for failure messages

std::string Runner::asked() const {
  if (state_->failure) return "runtime error: " + state_->failure->text();
  if (state_->over) return "the game is over";
  if (waits_for_clock(*state_)) return fmt::format("the race is at {} ms", clock_of(*state_).time / 1000);
  if (state_->site < 0) return seat(state_->actor) + " is deciding";
  const SiteInfo& site = program_.sites[static_cast<std::size_t>(state_->site)];
  const std::string what = !site.window.empty()   ? site.window
                           : !site.prompt.empty() ? fmt::format("\"{}\"", site.prompt)
                                                  : "a choice";
  return fmt::format("{} is deciding ({}, {})", seat(state_->actor), what,
                     program_.sources ? program_.sources->describe(site.where) : "");
}

std::string Runner::offered() const {
  std::vector<std::string> words;
  return list_of(few_of(words_of_options(*state_)));
}

std::string Runner::reasons(const model::Step& step) const {
  std::vector<std::string> found;
  std::vector<model::ActionId> actions;
  for (const model::StepUse& use : step.uses) actions.push_back(use.action);
  for (const model::ActionId action : actions) {
    Int card = kNone;
    const Byte* s = state_->bytes.get();
    for (Int i = 0; i < program_.layout.instances && card == kNone; ++i)
      if (program_.layout.instance[i].owner == step.player)
        for (const Int c : cards_in_zone(program_.layout, s, i))
          if (card == kNone && step.card && matches(program_, *step.card, c)) card = c;
    if (std::string reason =
            failing_condition(*state_, static_cast<Int>(action.index), static_cast<int>(step.player), card);
        !reason.empty())
      found.push_back(std::move(reason));
  }
  return found.empty() ? "" : list_of(found);
}

std::string Runner::in_words(const model::Type& type, Int value) const {
  if (value == kNone) return "none";
  if (value == kUnset) return "not set";
  switch (type.kind) {
    case model::TypeKind::player: return seat(value);
    case model::TypeKind::enumeration: return constant_label(program_, type.ref, value);
    case model::TypeKind::boolean: return value ? "true" : "false";
    case model::TypeKind::card: return labels({value}).front();
    case model::TypeKind::integer:
    case model::TypeKind::kind:
#include "compiler/model/cases_of_non_scalars.def"
      return fmt::format("{}", value);
  }
  unreachable("a kind of type");
}

// Returns the contents of a list in the State as text.
std::string Runner::list_words(const model::Type& list, std::uint32_t variable, Int owner) const {
  const VariableInfo& info = program_.variable_infos[variable];
  const Byte* s = state_->bytes.get();
  const model::Type& one = list.elem->elem ? *list.elem->elem : *list.elem;
  const auto row_words = [&](const std::vector<Int>& row) {
    std::vector<std::string> words;
    for (const Int x : row) words.push_back(in_words(one, x));
    return fmt::format("[{}]", fmt::join(words, ", "));
  };
  std::vector<std::string> all;
  if (program_.variables[variable].is_set || info.inner > 0) {
    for (const std::vector<Int>& row : rows_of_list(program_, s, static_cast<Int>(variable), owner * info.run()))
      all.push_back(row_words(row));
    return fmt::format("[{}]", fmt::join(all, ", "));
  }
  std::vector<Int> values;
  for (Int i = 0; i < info.list; ++i)
    if (const Int x = value_of_variable(program_, s, static_cast<Int>(variable), owner * info.list + i); x != kUnset)
      values.push_back(x);
  if (list.elem->kind != model::TypeKind::set) return row_words(values);
  for (const Int mask : values) {
    std::vector<Int> row;
    for (Int i = 0; i <= model::kMostInSet; ++i)
      if (mask >> i & 1) row.push_back(i);
    all.push_back(row_words(row));
  }
  return fmt::format("[{}]", fmt::join(all, ", "));
}

// Returns the contents of a set variable as text.
std::string Runner::set_words(const model::Expr& e, Int owner) const {
  const VariableSlot& slot = program_.variables[e.ref];
  const Byte* s = state_->bytes.get();
  Word set[kMaxWords] = {};
  if (slot.is_set)
    read_set(s + slot.offset + owner * slot.bytes, program_.layout, set);
  else
    set[0] = static_cast<Word>(value_of_variable(program_, s, e.ref, owner));
  std::vector<std::string> words;
  for (Int i = 0; i < (slot.is_set ? 64 * program_.layout.words : 64); ++i)
    if (set[i / 64] >> i % 64 & 1) words.push_back(in_words(*e.type.elem, i));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

// Returns the value of a simple expression in an assertion as text; an empty string for other expressions.
std::string Runner::value_words(const model::Expr& e) const {
  using K = model::ExprKind;
  const Byte* s = state_->bytes.get();
  const auto seat = [](const model::Expr* owner) -> Int {
    return owner && owner->kind == K::constant ? owner->value : 0;
  };
  if (e.kind == K::call_value || e.kind == K::call_function) return {};
  const auto instance = [&](const model::Expr& zone) {
    return zone_instance(program_, zone.ref, seat(view::zone_place(zone).owner()));
  };
  if (e.kind == K::variable && view::variable(e).indices().empty()) {
    const Int owner = seat(view::variable(e).owner());
    if (e.type.kind == model::TypeKind::list) return list_words(e.type, e.ref, owner);
    if (e.type.kind == model::TypeKind::set) return set_words(e, owner);
    return in_words(e.type, value_of_variable(program_, s, e.ref, owner));
  }
  if (e.kind == K::zone) return "[" + list_of(labels(cards_in_zone(program_.layout, s, instance(e)))) + "]";
  if (e.kind == K::size && view::size(e).set()->kind == K::zone)
    return fmt::format("{}", cards_in_zone(program_.layout, s, instance(*view::size(e).set())).size());
  if (e.kind == K::zone_top) {
    const auto top = top_of(instance(e));
    return top.empty() ? "unknown" : program_.cards[static_cast<std::size_t>(top[0])].label;
  }
  for (const model::Expr* part : e.args)
    if (part)
      if (std::string words = value_words(*part); !words.empty()) return words;
  return {};
}

std::string Runner::found_instead(const model::Claim& claim) const {
  switch (claim.kind) {
    case model::Claim::Kind::holds: {
      if (claim.value != ~std::size_t{0})
        if (const auto value = call(*state_, program_.claims[claim.value], {})) {
          const auto other =
              claim.other != ~std::size_t{0} ? call(*state_, program_.claims[claim.other], {}) : std::nullopt;
          const std::string is = in_words(claim.value_type, *value);
          return other ? fmt::format("the left side is {}, the right side {}", is, in_words(claim.value_type, *other))
                       : "it is " + is;
        }
      const model::Body& body = model_.claims[claim.body];
      const model::Expr* e = body.block.empty() ? nullptr : view::return_value(body.block.front()).value();
      const std::string words = e ? value_words(*e) : "";
      return words.empty() ? "it is false" : "it is " + words;
    }
    case model::Claim::Kind::zone_is: {
      const std::vector<Int> cards = cards_in_claim(claim);
      return (cards.size() > 1 ? "there are " : "there is ") + list_of(labels(cards));
    }
    case model::Claim::Kind::can: return asked();
    case model::Claim::Kind::cannot:
      return claim.step.verb == model::Step::Verb::passes && !claim.step.items.empty() ? "no action is required"
                                                                                       : "the option is available";
    case model::Claim::Kind::wins:
    case model::Claim::Kind::loses: {
      if (!state_->over) return "the game is not over: " + asked();
      std::vector<std::string> seats;
      for (int p = 0; p < program_.layout.players; ++p)
        if (winners_of(program_, state_->bytes.get()) >> p & 1) seats.push_back(seat(p));
      return fmt::format("{} won", seats.empty() ? "nobody" : list_of(seats));
    }
    case model::Claim::Kind::knows:
    case model::Claim::Kind::knows_not: {
      const bool wanted = claim.kind == model::Claim::Kind::knows;
      for (const std::int64_t player : claim.knowers)
        if (model::Claim one = claim; one.knowers = {player}, !knows(one, wanted))
          return fmt::format("{} {}", seat(player), wanted ? "doesn't" : "does");
      return "it is false";
    }
    case model::Claim::Kind::logged: {
      constexpr std::size_t kMostLines = 8;
      std::vector<std::string> lines = log_lines();
      if (lines.size() > kMostLines) lines.erase(lines.begin(), lines.end() - kMostLines);
      return lines.empty() ? "the log is empty" : fmt::format("the log ends \"{}\"", fmt::join(lines, "\", \""));
    }
  }
  return "it is false";
}

}   // namespace

std::optional<Refuted> run_scenario(const std::shared_ptr<const GameData>& game, const model::Scenario& scenario,
                                    Reached* reached) {
  return Runner(game, scenario, reached).run();
}

}   // namespace cardwright::api::detail

namespace cardwright::api::detail {

ScenarioResult play_scenario(const Ruleset& rules, const loading::ScenarioInfo& info, const ScenarioSetting& setting,
                             std::vector<Game>& games) {
  const auto& data = rules.data();
  ScenarioResult result;
  result.title = info.title;
  result.place = data->sources.describe(info.range);
  Configuration table{info.players, info.options, setting.plain};
  if (info.at_once) table.measures.emplace_back(sema::kFlowMarks);
  if (setting.reached) table.measures.emplace_back(sema::kCoverage);
  try {
    const Game game = rules.compile(table, setting.engine);
    games.push_back(game);
    const auto& scenarios = game.data()->compiled->model().scenarios;
    const auto found =
        std::find_if(scenarios.begin(), scenarios.end(), [&](const auto& s) { return s.title == info.title; });
    if (found == scenarios.end())
      throw Error(Blame::internal, "the scenario is missing from the model for its players and options");
    auto refuted = run_scenario(game.data(), *found, setting.reached);
    result.passed = !refuted;
    if (!refuted) return result;
    result.place = data->sources.describe(refuted->where);
    result.expected = std::move(refuted->expected);
    result.found = std::move(refuted->found);
    result.rule = std::move(refuted->rule);
    result.offered = std::move(refuted->offered);
    result.log = std::move(refuted->log);
  } catch (const Error& error) {
    if (error.blame() == Blame::author) throw;
    result.found = error.what();
  }
  return result;
}

}   // namespace cardwright::api::detail

namespace cardwright::api {

ScenarioRun run_scenarios(const Ruleset& rules, const std::vector<EngineKind>& engines, std::string_view filter,
                          bool plain) {
  ScenarioRun run;
  std::vector<Game> games;   // compiled games, shared by the scenarios so that each table is compiled only once
  try {
    for (const loading::ScenarioInfo& info : rules.data()->parsed().scenarios) {
      if (!filter.empty() && info.title.find(filter) == std::string::npos) continue;
      std::vector<ScenarioResult> results;
      for (const EngineKind engine : engines)
        results.push_back(detail::play_scenario(rules, info, {engine, plain}, games));
      if (std::equal(results.begin() + 1, results.end(), results.begin()))
        results.resize(1);
      else
        for (std::size_t i = 0; i < results.size(); ++i) results[i].engine = std::string(name_of(engines[i]));
      run.results.insert(run.results.end(), results.begin(), results.end());
    }
  } catch (const Error& error) {
    if (error.blame() != Blame::author) throw;
    run.report = error.report();
    run.results.clear();
  }
  return run;
}

}   // namespace cardwright::api
