// See bundled.h.
#include "compiler/sema/bundled.h"

namespace cardwright::sema {

namespace fs = std::filesystem;

namespace {

using Games = std::map<std::string, fs::path, std::less<>>;

bool add_game(const fs::path& folder, Games& games) {
  std::error_code none;
  const std::string name = folder.filename().string();
  const fs::path rules = folder / (name + ".rules");
  if (!fs::is_regular_file(rules, none)) return false;
  games.try_emplace(name, rules);
  return true;
}

}  // namespace

Games bundled_rules(const fs::path& home) {
  Games games;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(home, none)) {
    if (add_game(entry.path(), games)) continue;
    for (const auto& inner : fs::directory_iterator(entry.path(), none)) add_game(inner.path(), games);
  }
  return games;
}

}  // namespace cardwright::sema
