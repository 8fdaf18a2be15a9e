// Reads a game that an exported page saved (tools/web/export/saved_game.ts), for `play --resume`.
#pragma once

#include <optional>
#include <string>

#include "tools/cli/journal.h"

namespace cardwright::cli {

// Converts the file to the contents of a journal. Returns nullopt if it is not a saved game; throws api::Error(caller)
// if it is damaged.
std::optional<JournalContents> saved_game(const std::string& path);

}   // namespace cardwright::cli
