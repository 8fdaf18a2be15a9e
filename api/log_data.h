// What a Log of include/cardwright holds.
#pragma once

#include "api/game_data.h"
#include "runtime/log.h"

namespace cardwright::api::detail {

struct LogData {
  std::shared_ptr<const GameData> game;
  cardwright::Log log;
  explicit LogData(std::shared_ptr<const GameData> of) : game(std::move(of)), log(game->program()) {}
  LogSink* sink() { return &log; }
};

}  // namespace cardwright::api::detail
