// What a condition or a value depends on, through values with all that modifies them, functions, and rules by which a
// card counts as another.
// In:    an expression of the Model.   Out: the variables, zones and other things of which a change may make it
//        another.
// Tests: tests/analysis/effects_test.cpp
#pragma once

#include <set>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

struct Reads {
  std::set<std::uint32_t> variables;
  std::set<std::uint32_t> entered, left;   // zones: a card that comes in, or goes, may make a difference
  bool zones = false;   // all of them
  bool players = false;   // who is in, and who has which character
  bool anything = false;   // turns, windows, events, looks: what nothing stored tells of
  bool any_zone() const { return zones || !entered.empty() || !left.empty(); }
};

Reads reads_of(const model::Model& model, const model::Expr& e);
Reads reads_of(const model::Model& model, const model::Value& value);
// Of a rule's condition, and of whether the rule is in force at all.
Reads reads_of(const model::Model& model, const model::RuleHead& rule);
// Of a condition that was false: what can make it true. A zone does not become empty by a card that comes in.
Reads what_makes_true(const model::Model& model, const model::Expr& condition);

// `modify V to …` of several players says what the first of them says, and who comes first depends on whose turn it is.
bool depends_on_turn(const model::Model& model, const model::Modifier& modifier);

// Attributes that rules of this variant read. What only computes another attribute before the game does not count.
std::vector<bool> attributes_read(const model::Model& model);

}   // namespace cardwright::analysis
