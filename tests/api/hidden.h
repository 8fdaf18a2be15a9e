// Lists games with hidden information, and the number of players for each in tests.
#pragma once

#include <utility>

namespace cardwright::test {

inline constexpr std::pair<const char*, int> kHidden[] = {{"hearts", 4},    {"crazy_eights", 2}, {"go_fish", 2},
                                                          {"gin_rummy", 2}, {"leduc_poker", 2},  {"oh_hell", 3},
                                                          {"splash", 5},    {"liars_dice", 2}};

}   // namespace cardwright::test
