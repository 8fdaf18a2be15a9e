// `cardwright compare GAME --policy A --against B`: plays pairs of games between two policies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/arguments.h"

namespace cardwright::cli {

struct PolicyArguments {
  std::string first = "uniform", second;
  std::uint64_t pairs = 0, seed = 1, threads = 0;
  std::string sprt;   // "0,10"
  bool json = false;
};

inline constexpr std::uint64_t kUsualPolicyPairs = 50, kMostPolicyPairs = std::uint64_t{1} << 61;

// Plays the games and prints the result. Returns the exit code.
int compare_policies(TableArguments game, const PolicyArguments& arguments);

// Returns the command that replaces `cardwright duel ARGUMENTS…`.
std::string replacement_of_duel(const std::vector<std::string>& arguments);

}   // namespace cardwright::cli
