// Implements the names of players in texts, which belong to the thread that creates the texts.
#include "runtime/program/names_in_use.h"

#include <utility>

namespace cardwright {

namespace {

constexpr char kMark = '\x02';   // precedes the letter of a player

thread_local const PlayerNames* innermost_names = nullptr;

}   // namespace

NamesInUse::NamesInUse(PlayerNames names) : names_(std::move(names)), outer_(std::exchange(innermost_names, &names_)) {}
NamesInUse::~NamesInUse() { innermost_names = outer_; }

PlayerNames player_marks(Int players) {
  PlayerNames marks;
  for (Int seat = 0; seat < players; ++seat) marks.push_back({kMark, static_cast<char>('a' + seat)});
  return marks;
}

std::string with_player_names(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == kMark && at + 1 < text.size())
      out += player_name(text[++at] - 'a');
    else
      out += text[at];
  return out;
}

std::string player_name(Int seat, const PlayerNames& names) {
  if (seat < 0) return "nobody";
  const auto index = static_cast<std::size_t>(seat);
  const PlayerNames& used = names.empty() && innermost_names ? *innermost_names : names;
  return index < used.size() && !used[index].empty() ? used[index] : std::string(1, static_cast<char>('a' + seat));
}

}   // namespace cardwright
