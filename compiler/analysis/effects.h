// Computes the state on which a condition or value depends, directly or through modifiers, functions and `also` rules,
// which let a card count as another.
// Input:  an expression of the Model.
// Output: the variables, zones and other state that can affect its value.
// Tests: tests/analysis/effects_test.cpp
#pragma once

#include <set>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

struct Reads {
  std::set<std::uint32_t> variables;
  std::set<std::uint32_t> entered, left;   // zones where an arriving or leaving card may change the value
  bool zones = false;   // true if the value may depend on any zone
  bool players = false;   // true if the value may depend on which players are in the game, or on their characters
  // True if the value may depend on turns, windows, events or peeks, which are not variables of the rules.
  bool anything = false;
  bool any_zone() const { return zones || !entered.empty() || !left.empty(); }
};

Reads reads_of(const model::Model& model, const model::Expr& e);
Reads reads_of(const model::Model& model, const model::Value& value);
// Returns the dependencies of a rule's condition and of the check that the rule is in force.
Reads reads_of(const model::Model& model, const model::RuleHead& rule);
// Returns the changes that can make a false condition true. For example, a card that enters a zone cannot make the
// condition "the zone is empty" true.
Reads what_makes_true(const model::Model& model, const model::Expr& condition);

// Returns whether the result of `modify V to …` depends on the active player. If the modifier has several carriers, the
// first one in turn order applies.
bool depends_on_turn(const model::Model& model, const model::Modifier& modifier);

// Returns for each attribute whether the rules of this variant read it. Reads that only compute another attribute
// before the game starts are ignored.
std::vector<bool> attributes_read(const model::Model& model);

}   // namespace cardwright::analysis
