// Summarizes the figures of a report in sentences.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/report.hpp"

namespace cardwright::report {

// The rows of a comparison that have the same verdict.
struct Found {
  statistics::Verdict verdict = statistics::Verdict::none;
  std::vector<std::string> rows;   // "wins by role, Host: 25.1 % → 20.0 %, −5.1 points (−5.3 to −4.9)"
};

struct Verdicts {
  std::vector<std::string> sentences;
  std::vector<Found> found;   // for two games: verdicts with rows, starting with `differs`
};

Verdicts verdicts_of(const Report& report);
nlohmann::ordered_json verdicts_json(const Report& report);

// Describes the players: "5 players who choose at random", "2 players with policy bots:200".
std::string players_text(const Report& report);
// Returns the name of a row: "a" becomes "seat a" in a table of seats.
std::string row_text(const statistics::FigureTable& table, const statistics::Figure& row);
// Returns true if a row of winners deviates significantly from `fair`, with 95 % confidence for all rows of the table
// together (Bonferroni correction).
bool differs_significantly(const statistics::FigureTable& table, const statistics::Figure& row, double fair);

}   // namespace cardwright::report
