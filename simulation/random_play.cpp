// Plays uniformly random games to find runtime errors, and games or races that either do not end or end only because of
// a limit such as `up to` or `after`.
#include <algorithm>
#include <ctime>
#include <optional>

#include <fmt/format.h>

#include "api/compile/compile.h"
#include "api/opening.h"
#include "simulation/random_play.h"
#include "simulation/seats.h"
#include "simulation/simulation.h"
#include "simulation/table_bots.h"
#include "simulation/tally.h"
#include "cardwright/tools.hpp"
#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "runtime/ops/random.h"
#include "runtime/trap_words.h"

namespace cardwright::api::detail {

namespace view = model::view;

namespace {

constexpr Int kMostDecisions = 100'000;   // maximum number of decisions per game
// No further game starts when the games of a table have this number of decisions in total.
constexpr Int kMostAtTable = 1'000'000;
constexpr Int kLeastSteps = 1000;   // initial step limit per decision; increased for games that need more
// Maximum number of steps per game, from which the limit of decisions is derived.
constexpr Int kMostWork = 100'000'000;
constexpr std::uint64_t kGamesByPolicy = 3;
constexpr Int kMostByPolicy = 20'000;   // maximum number of decisions per game with a policy
constexpr double kPatience = 1;   // time limit in seconds of processor time

bool is_turn_loop(const model::Stmt& s) {
  return s.kind == model::StmtKind::turns || s.kind == model::StmtKind::rounds;
}
// Returns the limit of a `turns` or `rounds` statement.
const model::Expr* most_of(const model::Stmt& s) {
  return s.kind == model::StmtKind::turns ? view::turns(s).up_to() : view::rounds(s).up_to();
}
const model::Expr* until_of(const model::Stmt& s) {
  return s.kind == model::StmtKind::turns ? view::turns(s).until() : view::rounds(s).until();
}

// Finds the guard: the first `turns` or `rounds` loop in `play` with a limit `up to n`. A loop `rounds n` defines the
// length of the game, so it is not a guard.
const model::Stmt* guard_of(const model::Block& block) {
  for (const model::Stmt* s : block) {
    if (s->kind == model::StmtKind::rounds && s->value == 1) continue;
    if (is_turn_loop(*s) && most_of(*s)) return s;
    for (const model::Block& inner : s->blocks)
      if (const model::Stmt* found = guard_of(inner)) return found;
  }
  return nullptr;
}

// Returns true if an `end when` has a condition of its own and no statement ends play. Other games are expected to end
// when play ends.
bool has_another_end(const model::Model& m) {
  const bool by_rule = std::any_of(m.endings.begin(), m.endings.end(), [](const model::EndWhen& e) {
    return e.when && e.when->kind != model::ExprKind::play_is_over;
  });
  const bool by_hand = std::any_of(m.stmts.begin(), m.stmts.end(),
                                   [](const model::Stmt& s) { return s.kind == model::StmtKind::end_play; });
  return by_rule && !by_hand;
}

// Returns true if the guard ended this game. If the guard also has an `until`, this requires that its limit was
// reached.
bool was_stopped(const Program& program, const model::Stmt& guard, const Byte* state) {
  if (value_of_variable(program, state, program.play_over, 0) != 1) return false;
  const bool turns = guard.kind == model::StmtKind::turns;
  if (!until_of(guard)) return true;
  const model::Expr& most = *most_of(guard);
  return most.kind == model::ExprKind::constant &&
         value_of_variable(program, state, turns ? program.turn_number : program.round_number, 0) >= most.value;
}

void add(RaceCourse& to, const RaceCourse& from) {
  to.races += from.races;
  to.timed_out.resize(from.timed_out.size());
  for (std::size_t w = 0; w < from.timed_out.size(); ++w) to.timed_out[w] += from.timed_out[w];
}

// Warns about races that mostly end at their last `after D`, regardless of how the game ends.
void look_at_races(const Program& program, const RaceCourse& races, Diagnostics& say) {
  for (std::size_t w = 0; w < races.timed_out.size(); ++w)
    if (races.timed_out[w] * 2 > races.races)
      say.report("rarely_ends"_code, program.race->guards[w],
                 fmt::format("{} of {} races in random games end only here", races.timed_out[w], races.races),
                 "use `sensible if` to exclude pointless actions; `simulate --policy sensible` plays without needless "
                 "waiting");
}

std::string trap_in_words(const Program& program, const cardwright::Game& context) {
  const std::string details = trap_details(program, context);
  return trap_text(context.trap) + (details.empty() ? "" : ": " + details);
}

// Collects runtime errors and reports each place once, with notes for the call stack.
class Errors {
 public:
  void add(std::uint64_t game, const cardwright::Game& context) {
    const Range at{context.trap_source, context.trap_begin, context.trap_end};
    for (One& one : all_)
      if (one.context.trap == context.trap && one.at == at) return void(++one.games);
    if (all_.size() < kMostPlaces) all_.push_back({at, game, 1, context});
  }
  void say(const Program& program, const Compiled& compiled, std::uint64_t played, Diagnostics& say) const {
    const RulesetData& rules = *compiled.ruleset;
    const std::string table = as_arguments({compiled.configuration.players, compiled.configuration.options});
    const bool circle = std::any_of(say.all().begin(), say.all().end(),
                                    [](const Diagnostic& d) { return d.code == "endless_recursion"_code; });
    for (const One& one : all_) {
      if (circle && one.context.trap == Trap::too_deep) continue;   // the recursion has already been reported
      Diagnostic& d = say.report(
          "runtime_error"_code, one.at.known() ? one.at : rules.parsed().players_range,
          fmt::format("{} of {} random games with {} players {} here: {}", one.games, played, program.layout.players,
                      one.games == 1 ? "ends" : "end", trap_in_words(program, one.context)),
          fmt::format("to see one, run `cardwright simulate {} {} --seed 1 --first-game {} --games 1 --trace FILE`",
                      rules.shown, table, one.first));
      for (int i = 0; i < one.context.stack_size; ++i) {
        const auto& level = one.context.stack[i];
        const Range place{level.source, level.begin, level.end};
        // In an endless recursion, the same places repeat.
        const bool listed =
            std::any_of(d.notes.begin(), d.notes.end(), [&](const auto& note) { return note.first == place; });
        if (place.known() && !listed)
          d.notes.push_back({place, fmt::format("in {}", function_name(program, level.function))});
      }
    }
  }

 private:
  static constexpr std::size_t kMostPlaces = 3;
  struct One {
    Range at;
    std::uint64_t first, games;
    cardwright::Game context;
  };
  std::vector<One> all_;
};

const model::Stmt* first_ask_until(const model::Model& model) {
  const model::Stmt* found = nullptr;
  model::for_each_rule_block(model, [&](const auto&, const model::Block& rules) {
    model::for_each_stmt(rules, [&](const model::Stmt& s) {
      if (s.kind == model::StmtKind::ask && model::view::ask(s).until() && !found) found = &s;
    });
  });
  return found;
}

// Finds the innermost `turns` or `rounds` without a limit in `play`.
const model::Stmt* unbounded(const model::Block& block) {
  const model::Stmt* found = nullptr;
  for (const model::Stmt* s : block) {
    if (is_turn_loop(*s) && !most_of(*s)) found = s;
    for (const model::Block& inner : s->blocks)
      if (const model::Stmt* deeper = unbounded(inner)) found = deeper;
  }
  return found;
}

// The turn and round of a game.
struct TurnPosition {
  Int turn = 0, round = 0;
  bool operator==(const TurnPosition&) const = default;
};
TurnPosition turn_position(const Program& program, const Byte* state) {
  return {value_of_variable(program, state, program.turn_number, 0),
          value_of_variable(program, state, program.round_number, 0)};
}

// Replays the first half of an endless game. Returns true if this half ends in the turn that the complete game reached,
// so that all decisions of the second half belong to a single turn.
bool stays_in_one_turn(const GameData& game, Byte* state, std::uint64_t number) {
  const TurnPosition after = turn_position(game.program(), state);
  cardwright::Game context = fresh_context(game);
  context.decision_limit = kMostDecisions / 2;
  game.engine->play_game(context, state, run_key(1), number);
  return after == turn_position(game.program(), state);
}

// Returns the mean number of decisions in a few games in which all players use this policy of the rules; empty if one
// of these games exceeds the limits.
std::optional<Int> length_by(const Compiled& compiled, const std::string& policy) {
  const Game game = Ruleset(compiled.ruleset)
                        .compile({.players = compiled.configuration.players,
                                  .options = compiled.configuration.options,
                                  .policies = {policy}},
                                 EngineKind::interpreter);
  SimulateSettings settings;
  settings.policies = policies_from({policy}, game.players());
  Int decisions = 0;
  for (std::uint64_t index = 0; index < kGamesByPolicy; ++index) {
    State state = new_game(game.data(), settings, index);
    state.drop_knowledge();
    TableBots bots(game, settings.policies, seed_of_bots(settings), index);
    for (Int left = kMostByPolicy; !state.is_over(); ++decisions, --left) {
      if (left == 0) return std::nullopt;
      state.apply(chosen_by_policy(state, settings, bots));
    }
    if (state.failure()) return std::nullopt;
  }
  return decisions / static_cast<Int>(kGamesByPolicy);
}

// Describes which of the rules' policies end their games, for a message about random games that do not end.
std::string ends_by(const Compiled& compiled) {
  std::string ends, none;
  for (const model::Policy& policy : compiled.model().policies) {
    const auto length = length_by(compiled, policy.name);
    const std::string name = fmt::format("`--policy {}`", policy.name);
    if (length)
      ends += fmt::format("; with {} the game ends after {} decisions on average", name, *length);
    else
      none += fmt::format("{}{}", none.empty() ? "; not with " : ", ", name);
  }
  return ends + none;
}

// Reports a game that reached the maximum number of decisions.
void report_endless(const GameData& game, Byte* state, std::uint64_t number, const cardwright::Game& context,
                    Diagnostics& say) {
  const Range asked{context.trap_source, context.trap_begin, context.trap_end};
  const std::string never = fmt::format("random play with {} players has not ended after {} decisions",
                                        game.program().layout.players, kMostDecisions);
  if (asked.known() && stays_in_one_turn(game, state, number))
    return void(say.report(
        "rarely_ends"_code, asked, never + ": this decision repeats within one turn",
        "a decision with `again` needs an end: `or pass`, `until C`, or actions `once per turn`; if no player would "
        "continue like this, declare a `policy`" +
            ends_by(*game.compiled)));
  const model::Stmt* flow = unbounded(game.compiled->model().play.block);
  Range where = flow ? flow->range : Range{};
  if (where.known())
    where.end = where.begin + static_cast<std::uint32_t>(
                                  std::string_view(flow->kind == model::StmtKind::turns ? "turns" : "rounds").size());
  say.report("rarely_ends"_code, where.known() ? where : game.compiled->ruleset->parsed().players_range, never,
             "add a limit `up to n`, or check that its end is reachable; use `sensible if` or a "
             "`policy` to exclude choices that no player would make" +
                 ends_by(*game.compiled));
}

double seconds_since(std::clock_t begin) { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; }

// Returns the maximum number of decisions of a game with this step limit per decision.
Int most_decisions(Int steps) { return std::clamp<Int>(kMostWork / steps, 20, kMostDecisions); }

}   // namespace

namespace {

// Plays the games of one table one after another.
class Table {
 public:
  Table(const std::shared_ptr<const Compiled>& compiled, Diagnostics& say)
      : compiled_(*compiled),
        game_(make_game(compiled, EngineKind::interpreter)),
        say_(say),
        state_(new Byte[static_cast<std::size_t>(program().layout.size)]),
        most_steps_(fresh_context(*game_).fuel_per_decision) {}

  RandomPlay play(bool judges_limits);

 private:
  enum class Outcome : std::uint8_t { over, failed, too_much, endless, too_slow };

  const Program& program() const { return *compiled_.program; }
  Outcome play_game(std::uint64_t number, cardwright::Game& context);
  Status run(std::uint64_t number, cardwright::Game& context) {
    context = fresh_context(*game_);
    context.decision_limit = decisions_;
    context.fuel_per_decision = steps_;
    return game_->engine->play_game(context, state_.get(), run_key(1), number);
  }
  void report_too_slow() const;
  void report_no_decisions(std::uint64_t games) const;
  void report_stopped(const model::Stmt& guard, std::uint64_t stopped, std::uint64_t games) const;

  const Compiled& compiled_;
  std::shared_ptr<const GameData> game_;
  Diagnostics& say_;
  std::unique_ptr<Byte[]> state_;
  Int steps_ = kLeastSteps;   // limit of steps per decision; raised when a game needs more
  Int decisions_ = most_decisions(kLeastSteps);   // limit of decisions per game; raised when a game needs more
  Int most_steps_;
};

// Plays a game. If it reaches a limit, raises the limit and replays the game, unless that would take too long.
Table::Outcome Table::play_game(std::uint64_t number, cardwright::Game& context) {
  for (;;) {
    const std::clock_t before = std::clock();
    const Status status = run(number, context);
    const bool slow = seconds_since(before) * 10 > kPatience;
    if (status != Status::trapped) return Outcome::over;
    if (context.trap == Trap::too_long && steps_ < most_steps_) {
      if (slow) return Outcome::too_slow;
      steps_ = std::min(steps_ * 10, most_steps_);
      decisions_ = std::min(decisions_, most_decisions(steps_));
    } else if (context.trap == Trap::too_many_decisions && decisions_ < kMostDecisions) {
      if (slow) return Outcome::too_much;
      decisions_ = std::min(decisions_ * 4, kMostDecisions);
    } else {
      return context.trap == Trap::too_many_decisions ? Outcome::endless : Outcome::failed;
    }
  }
}

void Table::report_too_slow() const {
  say_.report("rarely_ends"_code, compiled_.ruleset->parsed().players_range,
              fmt::format("random play with {} players takes more than {} slow steps for one decision",
                          program().layout.players, steps_),
              "count or compare fewer elements per decision");
}

void Table::report_no_decisions(std::uint64_t games) const {
  const model::Stmt* const ask = first_ask_until(compiled_.model());
  say_.report(
      "no_decisions"_code, ask ? ask->range : compiled_.model().actions.front().head.range,
      fmt::format("in {} random games with {} players, no player had any options", games, program().layout.players),
      ask ? "`until` prevents every decision if its condition holds from the start" : "");
}

void Table::report_stopped(const model::Stmt& guard, std::uint64_t stopped, std::uint64_t games) const {
  const model::Expr& limit = *most_of(guard);
  say_.report("rarely_ends"_code, limit.range.known() ? limit.range : guard.range,
              fmt::format("{} of {} random games end only here", stopped, games),
              "use `sensible if` or a `policy` to exclude choices that no player would make");
}

RandomPlay Table::play(bool judges_limits) {
  const bool has_guard = judges_limits && has_another_end(compiled_.model());
  const model::Stmt* guard = has_guard ? guard_of(compiled_.model().play.block) : nullptr;
  RandomPlay out;
  std::uint64_t stopped = 0, failed = 0;
  Int decisions = 0;
  RaceCourse races;
  Errors errors;
  const std::clock_t begin = std::clock();
  for (std::uint64_t i = 0; i < kRandomGames && !out.cut_short; ++i) {
    cardwright::Game context;
    const Outcome outcome = play_game(i, context);
    if (outcome == Outcome::too_slow) return report_too_slow(), out;
    if (outcome == Outcome::endless) return report_endless(*game_, state_.get(), i, context, say_), out;
    if (outcome == Outcome::too_much) {
      out.cut_short = true;
      break;
    }
    ++out.games;
    decisions += read<std::uint32_t>(state_.get() + program().layout.decisions);
    if (outcome == Outcome::failed) errors.add(i, context), ++failed;
    stopped += guard && outcome == Outcome::over && was_stopped(program(), *guard, state_.get());
    if (program().race) add(races, race_course(program(), state_.get(), outcome == Outcome::failed));
    const bool enough = decisions > kMostAtTable || seconds_since(begin) > kPatience;
    out.cut_short = enough && out.games < kRandomGames;
  }
  if (judges_limits) look_at_races(program(), races, say_);
  errors.say(program(), compiled_, out.games, say_);
  if (decisions == 0 && out.games > 0 && failed == 0 && !compiled_.model().actions.empty())
    report_no_decisions(out.games);
  if (stopped * 2 > out.games) report_stopped(*guard, stopped, out.games);
  out.all_failed = out.games > 0 && failed == out.games;
  return out;
}

}   // namespace

RandomPlay look_at_random_play(const std::shared_ptr<const Compiled>& compiled, bool judges_limits, Diagnostics& say) {
  return Table(compiled, say).play(judges_limits);
}

}   // namespace cardwright::api::detail
