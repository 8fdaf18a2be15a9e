// What the figures come to, in sentences.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/report.hpp"

namespace cardwright::report {

// Rows of a comparison with one verdict.
struct Found {
  statistics::Verdict verdict = statistics::Verdict::none;
  std::vector<std::string> rows;   // "wins by role, Host: 25.1 % → 20.0 %, −5.1 points (−5.3 to −4.9)"
};

struct Verdicts {
  std::vector<std::string> sentences;
  std::vector<Found> found;   // of two games; those with rows, what differs first
};

Verdicts verdicts_of(const Report& report);
nlohmann::ordered_json verdicts_json(const Report& report);

// "5 players who choose at random", "2 players of policy bots:200"
std::string players_text(const Report& report);
// "a" → "seat a" in a table of seats
std::string row_text(const statistics::FigureTable& table, const statistics::Figure& row);
// Whether a row of winners is further from what it would be if it made no difference than chance explains: 95 % for all
// rows of the table together (Bonferroni).
bool stands_out(const statistics::FigureTable& table, const statistics::Figure& row, double fair);

}   // namespace cardwright::report
