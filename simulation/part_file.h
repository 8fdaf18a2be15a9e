// Part files: one line of JSON, and a second with the hash of the first.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/measures.hpp"
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

// Numbers of more than 64 bits are texts.
Json written(Wide number);
Wide wide_of(const Json& json);   // throws what get() throws, or Error(caller)
// Adds an array of numbers to others; throws Error(caller) where they are not as many.
void add_all(std::vector<std::uint64_t>& into, const Json& json);
[[noreturn]] void damaged(std::string_view how);   // Error(caller)

Json json_of(const Covered& covered);
Covered covered_of(const Json& json);

// Calls `read`; what is not as it should be in the JSON becomes an Error(caller).
template <class Read>
auto read_part(const Read& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& error) {
    throw Error(Blame::caller, fmt::format("the part is damaged: {}", error.what()));
  } catch (const std::out_of_range&) {
    throw Error(Blame::caller, "the part is damaged: it counts what this run does not have");
  }
}

}   // namespace cardwright::api::detail
