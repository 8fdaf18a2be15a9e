// The log that a host keeps beside a State: a list of entries, each told to a player as far as they may know it.
#pragma once

#include "cardwright/cardwright.hpp"
#include "runtime/log.h"

namespace cardwright::api::detail {

struct LogData {
  std::shared_ptr<const GameData> game;
  std::unique_ptr<cardwright::Log> log;
  LogSink* sink() { return log.get(); }
};

}  // namespace cardwright::api::detail
