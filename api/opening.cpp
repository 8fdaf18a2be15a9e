// Creates a Game from compiled rules: selects the engine, and answers queries about texts from the rules' Model.
#include "api/opening.h"

#include <fmt/format.h>

#include "api/compile/background.h"
#include "api/describe/describe.h"
#include "api/compile/engines.h"
#include "api/describe/rules_in_words.h"
#include "api/describe/why.h"
#include "runtime/interp/interp.h"

namespace cardwright::api {

namespace {

class Rules final : public detail::Origin {
 public:
  std::string describe(const Game& game) const override { return detail::description_of(game); }
  std::vector<std::string> rules_in_words(const GameData& game) const override { return detail::rules_in_words(game); }
  std::vector<std::string> endings_in_words(const GameData& game) const override {
    return detail::endings_in_words(game);
  }
  std::vector<std::string> why(const StateData& state, int player, std::string_view what) const override {
    return detail::why(state, player, what);
  }
};

}   // namespace

Game Ruleset::compile(const Configuration& configuration, EngineKind engine) const {
  const auto compiled = detail::compile(data_, configuration);
  const std::string key = fmt::format("{}\n{}", name_of(engine), compiled->key);
  {
    const std::lock_guard lock(data_->mutex);
    if (auto cached = data_->games[key].lock()) return Game(std::move(cached));
  }
  auto game = detail::make_game(compiled, engine);
  const std::lock_guard lock(data_->mutex);
  data_->games[key] = game;
  return Game(std::move(game));
}

std::shared_ptr<const GameData> detail::make_game(std::shared_ptr<const Compiled> compiled, EngineKind engine) {
  auto game = std::make_shared<GameData>();
  game->name = compiled->ruleset->name;
  game->title = compiled->ruleset->title;
  game->options = compiled->options;
  game->report = compiled->report;
  game->fingerprint = compiled->fingerprint;
  game->its_program = {compiled, compiled->program.get()};
  game->compiled = std::move(compiled);
  game->origin = std::make_unique<Rules>();
  game->kind = engine;
  switch (engine) {
    case EngineKind::interpreter: game->engine = make_interpreter(game->program()); break;
    case EngineKind::jit: game->engine = make_compiler(game->program()); break;
    case EngineKind::automatic: {
      auto both = make_background_engine(game->its_program);
      game->background = both.get();
      game->engine = std::move(both);
      break;
    }
  }
  game->resampler = std::make_unique<Resampler>(game->program());
  return game;
}

}   // namespace cardwright::api
