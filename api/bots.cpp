// Bots: a search of search/ over the worlds that State::resample gives, for one decision after the other.
#include "cardwright/bots.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "api/game_data.h"
#include "api/parallel.h"
#include "api/timing.h"
#include "api/worlds.h"
#include "search/search.h"

namespace cardwright::api {

namespace {

constexpr double kMostSeconds = 86'400;
constexpr int kMostTrees = 256;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;   // of all trees together

void check(const BotSettings& settings) {
  if (!(settings.seconds >= 0 && settings.seconds <= kMostSeconds))
    throw Error(Blame::caller, fmt::format("a bot can't think for {:g} seconds: it is from 0 to {:g}", settings.seconds,
                                           kMostSeconds));
  if (settings.trees < 1 || settings.trees > kMostTrees)
    throw Error(Blame::caller,
                fmt::format("a bot can't grow {} trees: it is from 1 to {}", settings.trees, kMostTrees));
  need_threads(settings.threads);
}

// The worlds of one State, for one thread.
class Drawn final : public search::Source {
 public:
  explicit Drawn(const StateData& truth) : truth_(truth), worlds_(truth_, truth_.actor), world_(truth_) {
    worlds_.drop_knowledge();
  }
  const Byte* draw(Word seed) override { return worlds_.draw(world_, seed) ? world_.bytes.get() : nullptr; }

 private:
  StateData truth_;
  detail::Worlds worlds_;
  StateData world_;
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

// Trees that take turns on a thread share its time.
std::vector<search::Tried> grow(const StateData& state, search::Root& root, const BotSettings& settings) {
  const Program& program = state.program();
  Engine& engine = *state.game->engine;
  const auto trees = static_cast<std::uint64_t>(settings.trees);
  const int threads = thread_count(settings.threads, trees);
  const double seconds = settings.seconds * threads / settings.trees;
  Drawn first(state);
  root.turns = search::turns_ahead(program, engine, first, root, search::seed_of(settings.seed, ~Word{0}));
  std::vector<std::vector<search::Tried>> by_tree(trees);
  const auto tree = [&](int, std::uint64_t which) {
    const Word seed = search::seed_of(settings.seed, which);
    const search::Budget budget{
        share_of(settings.iterations, static_cast<int>(which), settings.trees),
        std::chrono::steady_clock::now() +
            std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds))};
    if (settings.iterations != 0 && budget.iterations == 0) return true;
    Drawn source(state);
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
  std::vector<search::Tried> all(root.options.size());   // added up in the order of the trees, whoever was done first
  for (const std::vector<search::Tried>& tried : by_tree)
    for (std::size_t i = 0; i < tried.size(); ++i)
      all[i].visits += tried[i].visits, all[i].sum += tried[i].sum, all[i].weight += tried[i].weight;
  return all;
}

std::size_t choice(const StateData& state, const BotSettings& settings) {
  search::Root root = root_of(state);
  if (root.options.size() <= 1) return static_cast<std::size_t>(root.indices[0]);
  const std::vector<search::Tried> tried = grow(state, root, settings);
  return static_cast<std::size_t>(root.indices[search::chosen(root, tried, settings.seed)]);
}

}  // namespace

std::size_t bot_choice(const State& state, const BotSettings& settings) {
  detail::need_question(state.data());
  check(settings);
  return choice(state.data(), settings);
}

// ---- a bot for a game

struct Bot::Data {
  Game game;
  int seat;
  BotSettings settings;
};

Bot::Bot(const Game& game, int seat, const BotSettings& settings)
    : data_(std::make_unique<Data>(Data{game, seat, settings})) {
  detail::need_player(game.data()->program(), seat);
  check(settings);
}
Bot::~Bot() = default;
Bot::Bot(Bot&&) noexcept = default;
Bot& Bot::operator=(Bot&&) noexcept = default;

int Bot::seat() const { return data_->seat; }
const BotSettings& Bot::settings() const { return data_->settings; }

void Bot::saw(const State&, std::int64_t) {}

std::size_t Bot::choose(const State& state) {
  detail::need_question(state.data());
  BotSettings settings = data_->settings;
  settings.seed = search::seed_of(settings.seed, static_cast<Word>(state.decisions()));
  return choice(state.data(), settings);
}

}  // namespace cardwright::api
