// A game that an exported page saved (web/export/saved.ts), as `play --resume` goes on with it.
#pragma once

#include <optional>
#include <string>

#include "tools/cli/journal.h"

namespace cardwright::cli {

// What that file holds, as a journal would. None where it isn't such a file at all; throws api::Error(caller) where it
// is damaged.
std::optional<JournalContents> saved_game(const std::string& path);

}   // namespace cardwright::cli
