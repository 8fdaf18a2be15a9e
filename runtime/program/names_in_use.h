// Sets the names with which texts call players, for hosts that know the people at a table.
#pragma once

#include "runtime/program/words.h"

namespace cardwright {

// While an object of this class exists, player_name() on the same thread uses these names for players without another
// name. Objects can be nested; the innermost one applies.
class NamesInUse {
 public:
  explicit NamesInUse(PlayerNames names);
  ~NamesInUse();
  NamesInUse(const NamesInUse&) = delete;
  NamesInUse& operator=(const NamesInUse&) = delete;

 private:
  PlayerNames names_;
  const PlayerNames* outer_;
};

// Texts that are stored for later contain marks instead of names, because names can change until the text is read.
PlayerNames player_marks(Int players);
// Replaces these marks by the current names.
std::string with_player_names(std::string_view text);

}   // namespace cardwright
