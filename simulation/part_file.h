// Defines the format of part files: a line of JSON, followed by a line with the hash of the first line.
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
// Throws Error(caller) if the text is not a part file, is damaged, or has another version or format.
Json unframed(const std::string& text);

// Returns everything that defines a run: rules, table, seed, games and policies.
Json run_of(const Game& game, const SimulateSettings& settings);
// Restores the settings from the output of run_of(). Throws Error(caller) if the run belongs to another game.
SimulateSettings settings_of(const Game& game, const Json& run);
// Describes the first difference between the outputs of run_of() for two runs.
std::string difference(const Json& one, const Json& other);

// Converts a number to JSON. Numbers that do not fit in 64 bits become strings.
Json written(Wide number);
Wide wide_of(const Json& json);   // throws the exceptions of get(), or Error(caller)
// Adds an array of numbers elementwise; throws Error(caller) if the sizes differ.
void add_all(std::vector<std::uint64_t>& into, const Json& json);
[[noreturn]] void damaged(std::string_view how);   // throws Error(caller)

Json json_of(const Covered& covered);
Covered covered_of(const Json& json);

// Calls `read` and converts exceptions about invalid JSON to Error(caller).
template <class Read>
auto read_part(const Read& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& error) {
    throw Error(Blame::caller, fmt::format("the part file is damaged: {}", error.what()));
  } catch (const std::out_of_range&) {
    throw Error(Blame::caller, "the part file is damaged: it has counts that this run does not have");
  }
}

}   // namespace cardwright::api::detail
