// Implements bots. For each decision, a bot searches (runtime/search) over worlds sampled as by State::resample.
#include "cardwright/bots.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "api/game/game_data.h"
#include "api/game/parallel.h"
#include "api/game/timing.h"
#include "api/game/worlds.h"
#include "runtime/search/inference.h"
#include "runtime/search/search.h"
#include "runtime/search/sight.h"

namespace cardwright::api {

namespace {

constexpr double kMostSeconds = 86'400;
constexpr int kMostTrees = 256;
// Budget of each of the two steps of inference, which are evaluating observed decisions and weighting worlds: a share
// of the time limit, or one trial per kIterationsATrial iterations. A trial takes between a fifth and a third of the
// time of an iteration.
constexpr double kConcluding = 0.06;   // share of the time limit
constexpr std::uint64_t kIterationsATrial = 3, kLeastTrials = 1000;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;   // maximum size of all trees together

void check(const BotSettings& settings) {
  if (!(settings.seconds >= 0 && settings.seconds <= kMostSeconds))
    raise(Blame::caller, fmt::format("thinking time of {:g} seconds is out of range: expected 0 to {:g}",
                                     settings.seconds, kMostSeconds));
  if (settings.trees < 1 || settings.trees > kMostTrees)
    raise(Blame::caller, fmt::format("{} trees is out of range: expected 1 to {}", settings.trees, kMostTrees));
  need_threads(settings.threads);
}

// Samples worlds of one State, on one thread. With inferences, it draws each world from a fixed set, with a probability
// proportional to the likelihood of the observed decisions, and gives it new random streams. Without inferences, all
// sampled worlds have equal probability.
class Drawn final : public search::Source {
 public:
  static constexpr std::uint64_t kMaxWorlds = 256, kMinWorlds = 16;

  Drawn(const StateData& truth, const search::Inference* inference, const search::Effort& effort, Word seed)
      : truth_(truth),
        worlds_(truth_, truth_.actor, inference ? inference->trails() : std::span<const Word>()),
        world_(truth_) {
    worlds_.drop_knowledge();
    if (!inference || worlds_.unknown()->nothing()) return;
    inference->apply(*worlds_.unknown());
    if (inference->informative() > 0) weigh(*inference, effort, seed);
  }

  const Byte* draw(Word seed) override {
    if (until_.empty()) return worlds_.draw(world_, seed) ? world_.bytes.get() : nullptr;
    const double at = static_cast<double>(mix_word(seed) >> 11) * 0x1p-53 * until_.back();
    const auto which = std::upper_bound(until_.begin(), std::prev(until_.end()), at) - until_.begin();
    std::memcpy(world_.bytes.get(), sampled_.data() + static_cast<std::size_t>(which) * size(), size());
    truth_.game->resampler->finish(world_.bytes.get(), seed);
    return world_.bytes.get();
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(truth_.program().layout.where); }

  void weigh(const search::Inference& inference, const search::Effort& effort, Word seed) {
    search::Past past(truth_.program(), *truth_.game->engine);
    for (std::uint64_t i = 0; i < kMaxWorlds && (i < kMinWorlds || !effort.is_spent(past.trials)); ++i) {
      if (!worlds_.draw(world_, search::seed_of(seed, i))) continue;
      const double weight =
          worlds_.was_assigned() ? inference.weight(worlds_.unknown()->becomes(), world_.bytes.get(), past) : 0;
      sampled_.insert(sampled_.end(), world_.bytes.get(), world_.bytes.get() + size());
      until_.push_back((until_.empty() ? 0 : until_.back()) + weight);
    }
    if (!until_.empty() && until_.back() <= 0) until_.clear();   // all weights are zero
  }

  StateData truth_;
  detail::Worlds worlds_;
  StateData world_;
  std::vector<Byte> sampled_;   // bytes of the worlds, one after another
  std::vector<double> until_;   // cumulative weights
};

search::Root root_of(const StateData& state) {
  StateData looked(state);
  detail::list_options(looked);
  search::Root root;
  root.player = state.actor;
  root.options = detail::sensible_options(state);
  for (const Int id : root.options)
    root.indices.push_back(std::lower_bound(looked.offers.begin(), looked.offers.end(), id) - looked.offers.begin());
  const std::uint64_t together = detail::still_to_answer(looked);
  root.together = (together & (together - 1)) != 0;
  return root;
}

std::uint64_t share_of(std::uint64_t iterations, int tree, int trees) {
  const auto all = static_cast<std::uint64_t>(trees), which = static_cast<std::uint64_t>(tree);
  return iterations / all + (which < iterations % all);
}

using Clock = std::chrono::steady_clock;
Clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Returns the limits for one step of inference, as a share of the budget of a decision.
search::Effort effort_for(std::uint64_t iterations, double seconds) {
  return {iterations != 0 ? std::max(kLeastTrials, iterations / kIterationsATrial) : 0,
          Clock::now() + duration_of(kConcluding * seconds)};
}

void conclude(const StateData& state, search::Inference& inference, const BotSettings& settings) {
  StateData truth(state);
  detail::Worlds worlds(truth, truth.actor, inference.trails());
  if (worlds.unknown()->nothing()) return;
  search::Past past(truth.program(), *truth.game->engine);
  inference.learn(*worlds.unknown(), past, search::seed_of(settings.seed, ~Word{1}),
                  effort_for(settings.iterations, settings.seconds));
}

// Grows all trees. Trees that share a thread divide its time.
std::vector<search::Tried> grow(const StateData& state, search::Root& root, const BotSettings& settings,
                                search::Inference* inference) {
  const Program& program = state.program();
  Engine& engine = *state.game->engine;
  const auto trees = static_cast<std::uint64_t>(settings.trees);
  const int threads = thread_count(settings.threads, trees);
  const Clock::time_point end = Clock::now() + duration_of(settings.seconds);
  if (inference && inference->any()) conclude(state, *inference, settings);
  Drawn any(state, nullptr, {}, settings.seed);
  root.turns = search::turns_ahead(program, engine, any, root, search::seed_of(settings.seed, ~Word{0}));
  root.halving = settings.search == Search::ismcts && !root.together && !search::Sight(program).is_perfect();
  const double seconds =
      std::max(0.0, std::chrono::duration<double>(end - Clock::now()).count()) * threads / settings.trees;
  std::vector<std::vector<search::Tried>> by_tree(trees);
  const auto tree = [&](int, std::uint64_t which) {
    const Word seed = search::seed_of(settings.seed, which);
    const search::Budget budget{share_of(settings.iterations, static_cast<int>(which), settings.trees),
                                Clock::now() + duration_of(seconds), settings.stop};
    if (settings.iterations != 0 && budget.iterations == 0) return true;
    Drawn source(state, inference, effort_for(budget.iterations, seconds), seed);
    const auto searcher = settings.search == Search::flat
                              ? search::make_flat(program, engine, source, root, seed)
                              : search::make_ismcts(program, engine, source, root, seed, kMostBytes / trees);
    search::run(*searcher, budget);
    by_tree[which] = searcher->tried();
    return true;
  };
  if (threads == 1)
    for (std::uint64_t which = 0; which < trees; ++which) tree(0, which);
  else
    run_blocks(threads, trees, tree);
  // Results are added in the order of the trees, so that thread timing has no effect.
  std::vector<search::Tried> all(root.options.size());
  for (const std::vector<search::Tried>& tried : by_tree)
    for (std::size_t i = 0; i < tried.size(); ++i) {
      all[i].visits += tried[i].visits, all[i].sum += tried[i].sum, all[i].weight += tried[i].weight;
      if (tried[i].proven != search::Proven::open) all[i].proven = tried[i].proven;
    }
  return all;
}

std::vector<Opinion> opinions(const StateData& state, const BotSettings& settings, search::Inference* inference) {
  search::Root root = root_of(state);
  const std::vector<search::Tried> tried = grow(state, root, settings, inference);
  std::vector<Opinion> out;
  for (std::size_t i = 0; i < tried.size(); ++i) out.push_back({root.options[i], tried[i].visits, tried[i].mean()});
  return out;
}

std::size_t choice(const StateData& state, const BotSettings& settings, search::Inference* inference) {
  search::Root root = root_of(state);
  if (root.options.size() <= 1) return static_cast<std::size_t>(root.indices[0]);
  const std::vector<search::Tried> tried = grow(state, root, settings, inference);
  return static_cast<std::size_t>(root.indices[search::chosen(root, tried, settings.seed)]);
}

}   // namespace

std::size_t bot_choice(const State& state, const BotSettings& settings) {
  detail::need_question(state.data());
  check(settings);
  return choice(state.data(), settings, nullptr);
}

// ---- a bot for a game

struct Bot::Data {
  Game game;
  int seat;
  BotSettings settings;
  search::Inference inference;

  template <class Ask>
  auto think(const State& state, const Ask& ask);
};

Bot::Bot(const Game& game, int seat, const BotSettings& settings) {
  detail::need_player(game.data()->program(), seat);
  check(settings);
  data_ = std::make_unique<Data>(Data{game, seat, settings, {*game.data()->resampler, seat}});
}
Bot::~Bot() = default;
Bot::Bot(const Bot& other) : data_(std::make_unique<Data>(*other.data_)) {}
Bot& Bot::operator=(const Bot& other) { return *this = Bot(other); }
Bot::Bot(Bot&&) noexcept = default;
Bot& Bot::operator=(Bot&&) noexcept = default;

int Bot::seat() const { return data_->seat; }
const BotSettings& Bot::settings() const { return data_->settings; }
void Bot::set(const BotSettings& settings) {
  check(settings);
  data_->settings = settings;
}

namespace {

void need_game(const Game& game, const State& state) {
  if (state.data().game != game.data() && state.data().game->fingerprint != game.fingerprint())
    raise(Blame::caller, "the bot belongs to another game than the state");
  detail::need_question(state.data());
}

}   // namespace

void Bot::saw(const State& before, std::int64_t option) {
  need_game(data_->game, before);
  detail::need_knowledge(before.data(), "update a bot");
  if (data_->settings.search == Search::flat) return;   // the baseline infers nothing
  data_->inference.saw(before.data().bytes.get(), before.actor(), before.data().site, option);
}

namespace {

void need_its_question(const Game& game, int seat, const State& state) {
  need_game(game, state);
  if (state.actor() != seat)
    raise(Blame::caller, fmt::format("{} is deciding, but the bot has seat {}", Game::seat_name(state.actor()),
                                     Game::seat_name(seat)));
  detail::need_knowledge(state.data(), "sample other worlds");
}

}   // namespace

// Runs a search with a seed that includes the number of the decision. The baseline search uses no inferences.
template <class Ask>
auto Bot::Data::think(const State& state, const Ask& ask) {
  need_its_question(game, seat, state);
  BotSettings now = settings;
  now.seed = search::seed_of(now.seed, static_cast<Word>(state.decisions()));
  inference.look(state.data().bytes.get(), state.actor(), state.data().site);
  return ask(state.data(), now, now.search == Search::flat ? nullptr : &inference);
}

std::size_t Bot::choose(const State& state) { return data_->think(state, choice); }
std::vector<Opinion> Bot::opinions(const State& state) { return data_->think(state, api::opinions); }

}   // namespace cardwright::api
