// What only playing shows: whether rules go wrong in uniformly random games, and whether these and their races come to
// an end, or go on until some `up to` or `after` stops them.
#include <algorithm>
#include <ctime>
#include <optional>

#include <fmt/format.h>

#include "api/compile.h"
#include "api/opening.h"
#include "api/random_play.h"
#include "api/seats.h"
#include "api/simulation.h"
#include "api/table_bots.h"
#include "api/tally.h"
#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "runtime/ops/random.h"
#include "runtime/trap_words.h"

namespace cardwright::api::detail {

namespace view = model::view;

namespace {

constexpr std::uint64_t kGames = 20;
constexpr Int kMostDecisions = 100'000;   // of a game, and of all before the last: nobody waits for more
constexpr Int kLeastSteps = 1000;   // that a decision may take, before more are tried
constexpr Int kMostWork = 100'000'000;   // steps of a game, so that who takes more of them has fewer decisions
constexpr std::uint64_t kGamesByPolicy = 3;
constexpr Int kMostByPolicy = 20'000;   // decisions of a game
constexpr double kPatience = 1;   // seconds of a processor

bool goes_round(const model::Stmt& s) { return s.kind == model::StmtKind::turns || s.kind == model::StmtKind::rounds; }
// Of turns or rounds.
const model::Expr* most_of(const model::Stmt& s) {
  return s.kind == model::StmtKind::turns ? view::turns(s).up_to() : view::rounds(s).up_to();
}
const model::Expr* until_of(const model::Stmt& s) {
  return s.kind == model::StmtKind::turns ? view::turns(s).until() : view::rounds(s).until();
}

// `turns … up to n`, directly in `play`. `rounds n` is how long the game is, and no guard.
const model::Stmt* guard_of(const model::Block& block) {
  for (const model::Stmt* s : block) {
    if (s->kind == model::StmtKind::rounds && s->value == 1) continue;
    if (goes_round(*s) && most_of(*s)) return s;
    for (const model::Block& inner : s->blocks)
      if (const model::Stmt* found = guard_of(inner)) return found;
  }
  return nullptr;
}

// A game whose only end is that of its last turn ends as it should there.
bool has_another_end(const model::Model& m) {
  const bool by_rule = std::any_of(m.endings.begin(), m.endings.end(), [](const model::EndWhen& e) {
    return e.when && e.when->kind != model::ExprKind::play_is_over;
  });
  const bool by_hand = std::any_of(m.stmts.begin(), m.stmts.end(),
                                   [](const model::Stmt& s) { return s.kind == model::StmtKind::end_play; });
  return by_rule && !by_hand;
}

// Did the guard stop this game? Where there is also an `until`, the count must be up.
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

// A race that only its last `after D` ends says little, whatever else the game does.
void look_at_races(const Program& program, const RaceCourse& races, Diagnostics& say) {
  for (std::size_t w = 0; w < races.timed_out.size(); ++w)
    if (races.timed_out[w] * 2 > races.races)
      say.report(
          Code::seldom_ends, program.race->guards[w],
          fmt::format("only this ends {} of {} races of random games", races.timed_out[w], races.races),
          "`sensible if` says what nobody would do; `simulate --policy sensible` plays without needless waiting");
}

std::string said_of(const Program& program, const cardwright::Game& context) {
  const std::string details = trap_details(program, context);
  return trap_text(context.trap) + (details.empty() ? "" : ": " + details);
}

// What a rule did that can't be, once for each place; the notes are the rules that were under way.
class Errors {
 public:
  void add(std::uint64_t game, const cardwright::Game& context) {
    const Range at{context.trap_source, context.trap_begin, context.trap_end};
    for (One& one : all_)
      if (one.context.trap == context.trap && one.at == at) return void(++one.games);
    if (all_.size() < kMostPlaces) all_.push_back({at, game, 1, context});
  }
  void say(const Program& program, const RulesetData& rules, std::uint64_t played, Diagnostics& say) const {
    const bool circle =
        std::any_of(say.all().begin(), say.all().end(), [](const Diagnostic& d) { return d.code == Code::endless; });
    for (const One& one : all_) {
      if (circle && one.context.trap == Trap::too_deep) continue;   // said already
      Diagnostic& d = say.report(
          Code::goes_wrong, one.at.known() ? one.at : rules.parsed().players_range,
          fmt::format("{} of {} random games with {} players {} here: {}", one.games, played, program.layout.players,
                      one.games == 1 ? "ends" : "end", said_of(program, one.context)),
          fmt::format("`cardwright simulate {} --seed 1 --first-game {} --games 1 --trace FILE` shows one", rules.shown,
                      one.first));
      for (int i = 0; i < one.context.stack_size; ++i) {
        const auto& level = one.context.stack[i];
        const Range place{level.source, level.begin, level.end};
        // events in a circle
        const bool told =
            std::any_of(d.notes.begin(), d.notes.end(), [&](const auto& note) { return note.first == place; });
        if (place.known() && !told)
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

// The innermost `turns` or `rounds` in `play` of which nothing says how many there are.
const model::Stmt* unbounded(const model::Block& block) {
  const model::Stmt* found = nullptr;
  for (const model::Stmt* s : block) {
    if (goes_round(*s) && !most_of(*s)) found = s;
    for (const model::Block& inner : s->blocks)
      if (const model::Stmt* deeper = unbounded(inner)) found = deeper;
  }
  return found;
}

// Where in its flow a game stands.
struct Standing {
  Int turn = 0, round = 0;
  bool operator==(const Standing&) const = default;
};
Standing standing(const Program& program, const Byte* state) {
  return {value_of_variable(program, state, program.turn_number, 0),
          value_of_variable(program, state, program.round_number, 0)};
}

// Is the second half of a game that did not end all of one turn?
bool stays_in_one_turn(const GameData& game, Byte* state, std::uint64_t number) {
  const Standing after = standing(game.program(), state);
  cardwright::Game context = fresh_context(game);
  context.decision_limit = kMostDecisions / 2;
  game.engine->play_game(context, state, run_key(1), number);
  return after == standing(game.program(), state);
}

// How long a game is in which all play by that policy of the rules; nothing where one of a few doesn't end in time.
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

// Which of the rules' policies come to an end where random play doesn't.
std::string ends_by(const Compiled& compiled) {
  std::string ends, none;
  for (const model::Policy& policy : compiled.model().policies) {
    const auto length = length_by(compiled, policy.name);
    const std::string name = fmt::format("`--policy {}`", policy.name);
    if (length)
      ends += fmt::format("; with {} it ends, after {} decisions on average", name, *length);
    else
      none += fmt::format("{}{}", none.empty() ? "; not with " : ", ", name);
  }
  return ends + none;
}

// A game that had as many decisions as anybody waits for.
void say_endless(const GameData& game, Byte* state, std::uint64_t number, const cardwright::Game& context,
                 Diagnostics& say) {
  const Range asked{context.trap_source, context.trap_begin, context.trap_end};
  const std::string never = fmt::format("random play with {} players has not ended after {} decisions",
                                        game.program().layout.players, kMostDecisions);
  if (asked.known() && stays_in_one_turn(game, state, number))
    return void(say.report(
        Code::seldom_ends, asked, never + ": it is asked here again and again, in one turn",
        "what is asked `again` needs an end: `or pass`, `until C`, or actions `once per turn`; if nobody would go "
        "on so, a `policy` says what players avoid" +
            ends_by(*game.compiled)));
  const model::Stmt* flow = unbounded(game.compiled->model().play.block);
  Range where = flow ? flow->range : Range{};
  if (where.known())
    where.end = where.begin + static_cast<std::uint32_t>(
                                  std::string_view(flow->kind == model::StmtKind::turns ? "turns" : "rounds").size());
  say.report(
      Code::seldom_ends, where.known() ? where : game.compiled->ruleset->parsed().players_range, never,
      "stop it with `up to n`, or look whether its end can come about; if players do what nobody would, `sensible "
      "if` says so, or a `policy` what they avoid" +
          ends_by(*game.compiled));
}

double seconds_since(std::clock_t begin) { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; }

// Decisions of a game in which each may take so many steps.
Int most_decisions(Int steps) { return std::clamp<Int>(kMostWork / steps, 20, kMostDecisions); }

}  // namespace

bool look_at_random_play(const std::shared_ptr<const Compiled>& compiled, Diagnostics& say) {
  const auto game = make_game(compiled, EngineKind::interpreter);
  const model::Stmt* guard = has_another_end(compiled->model()) ? guard_of(compiled->model().play.block) : nullptr;
  const Program& program = *compiled->program;
  std::unique_ptr<Byte[]> state(new Byte[static_cast<std::size_t>(program.layout.size)]);
  std::uint64_t stopped = 0, played = 0, failed = 0;
  Int decisions = 0;
  RaceCourse races;
  Errors errors;
  const std::clock_t begin = std::clock();
  const Int most_steps = fresh_context(*game).fuel_per_decision;
  Int steps = kLeastSteps;   // of a decision; as many as some game before needed
  for (std::uint64_t i = 0; i < kGames && decisions < kMostDecisions && seconds_since(begin) < kPatience;
       ++i, ++played) {
    cardwright::Game context = fresh_context(*game);
    Status status;
    for (;; steps = std::min(steps * 10, most_steps)) {
      const std::clock_t before = std::clock();
      context = fresh_context(*game);
      context.decision_limit = most_decisions(steps);
      context.fuel_per_decision = steps;
      status = game->engine->play_game(context, state.get(), run_key(1), i);
      if (status != Status::trapped || context.trap != Trap::too_long || steps == most_steps) break;
      if (seconds_since(before) * 10 > kPatience) {
        say.report(
            Code::seldom_ends, compiled->ruleset->parsed().players_range,
            fmt::format("random play with {} players takes more than {} steps for one decision, each of them long",
                        program.layout.players, steps),
            "count or compare less at a time");
        return false;
      }
    }
    // too much to see its end
    if (status == Status::trapped && context.trap == Trap::too_many_decisions && most_decisions(steps) < kMostDecisions)
      break;
    if (status == Status::trapped && context.trap == Trap::too_many_decisions) {
      say_endless(*game, state.get(), i, context, say);
      return false;
    }
    decisions += read<std::uint32_t>(state.get() + program.layout.decisions);
    if (status == Status::trapped) errors.add(i, context), ++failed;
    stopped += guard && status != Status::trapped && was_stopped(program, *guard, state.get());
    if (program.race) add(races, race_course(program, state.get(), status == Status::trapped));
  }
  look_at_races(program, races, say);
  errors.say(program, *compiled->ruleset, played, say);
  if (decisions == 0 && played > 0 && failed == 0 && !compiled->model().actions.empty()) {
    const model::Stmt* const ask = first_ask_until(compiled->model());
    say.report(
        Code::nobody_decides, ask ? ask->range : compiled->model().actions.front().head.range,
        fmt::format("in {} random games with {} players nobody was offered anything", played, program.layout.players),
        ask ? "nobody is asked where what stands behind `until` holds at first" : "");
  }
  if (stopped * 2 > played) {
    const model::Expr& limit = *most_of(*guard);
    say.report(Code::seldom_ends, limit.range.known() ? limit.range : guard->range,
               fmt::format("only this ends {} of {} random games", stopped, played),
               "if players do what nobody would, `sensible if` says so, or a `policy` what they avoid");
  }
  return played > 0 && failed == played;
}

}  // namespace cardwright::api::detail
