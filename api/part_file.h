// Part files: one line of JSON, and a second with the hash of the first.
#pragma once

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/parts.hpp"

namespace cardwright::api::detail {

using Json = nlohmann::ordered_json;

std::string framed(const Json& json);
// Throws Error(caller) where it is no part, damaged, or of another version.
Json unframed(const std::string& text);

// All that makes a run what it is: rules, table, seed, games and how they are played.
Json run_of(const Game& game, const SimulateSettings& settings);
// … and back; throws Error(caller) where the game is another.
SimulateSettings settings_of(const Game& game, const Json& run);
// The first thing in which two runs differ, in words.
std::string difference(const Json& one, const Json& other);

Json json_of(const Covered& covered);
Covered covered_of(const Json& json);

// Calls `read`; what is not as it should be in the JSON becomes an Error(caller).
template <class Read>
auto read_part(const Read& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& error) {
    throw Error(Blame::caller, fmt::format("the part is damaged: {}", error.what()));
  }
}

}  // namespace cardwright::api::detail
