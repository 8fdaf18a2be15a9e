// Creates a Game from compiled rules.
#pragma once

#include <memory>

#include "api/compile/compile.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

std::shared_ptr<const GameData> make_game(std::shared_ptr<const Compiled> compiled, EngineKind engine);

}   // namespace cardwright::api::detail
