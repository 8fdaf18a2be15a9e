// Computes the dependencies of a condition or value, including values with their modifiers, functions, and `also` rules
// by which a card counts as another.
// Input:  an expression of the Model.
// Output: the variables, zones and other state whose change may change its value.
// Tests: tests/analysis/effects_test.cpp
#pragma once

#include <set>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

struct Reads {
  std::set<std::uint32_t> variables;
  std::set<std::uint32_t> entered, left;   // zones: a card that enters or leaves may change the value
  bool zones = false;   // all zones
  bool players = false;   // which players are in the game, and which character each has
  bool anything = false;   // turns, windows, events, peeks: not stored in the state
  bool any_zone() const { return zones || !entered.empty() || !left.empty(); }
};

Reads reads_of(const model::Model& model, const model::Expr& e);
Reads reads_of(const model::Model& model, const model::Value& value);
// The dependencies of a rule's condition and of whether the rule is in force.
Reads reads_of(const model::Model& model, const model::RuleHead& rule);
// The changes that can make a false condition true. For example, a card that enters a zone does not make it empty.
Reads what_makes_true(const model::Model& model, const model::Expr& condition);

// Returns whether the value of `modify V to …` depends on whose turn it is: with several carriers, the first in turn
// order applies.
bool depends_on_turn(const model::Model& model, const model::Modifier& modifier);

// The attributes that rules of this variant read. Reads that only compute another attribute before the game are
// ignored.
std::vector<bool> attributes_read(const model::Model& model);

}   // namespace cardwright::analysis
