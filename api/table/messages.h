// Creates the JSON messages of docs/reference/protocol.md that depend on a State.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/showing.hpp"
#include "cardwright/table.hpp"

namespace cardwright::table {

using Json = nlohmann::json;
using Text = std::shared_ptr<const std::string>;

Text text_of(const Json& message);
Json news_in_json(const std::vector<api::News>& news);
Json things_in_json(const std::vector<api::Thing>& things);
// Returns the object `asked`: the pending decision as this observer may know it.
Json asked_in_json(const api::State& state, int observer);
// Returns the question for the deciding player, with all fields of `ask` except k, seat, q, left and race.
Json question_in_json(const api::State& state);

}   // namespace cardwright::table
