// Defines the Model: one ruleset for a specific number of players and a specific set of options. sema/ builds it (names
// resolved, types checked, options and `extends` applied, defaults filled in), and lower/ reads it. Syntactic sugar is
// expanded; only the core expressions and statements of exprs.def and stmts.def remain.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/boards.h"
#include "compiler/model/components.h"
#include "compiler/model/decisions.h"
#include "compiler/model/measures.h"
#include "compiler/model/rules.h"
#include "compiler/model/scenarios.h"
#include "compiler/model/state.h"

namespace cardwright::model {

struct OptionValue {
  std::string name;
  std::string value;   // as written in the rules: `icon20`, `on`, `5`
};

struct Model {
  std::string name;   // "splash"
  std::string title;   // "Splash"
  std::int64_t players = 0;
  std::vector<SourceId> pages;   // source files of the standard library
  std::vector<OptionValue> options;
  std::vector<Attribute> attributes;
  std::vector<Enum> enums;
  std::vector<Board> boards;
  std::vector<Record> records;
  std::vector<CardType> card_types;
  std::optional<BoardCards> board_cards;
  std::vector<Kind> kinds;
  std::vector<Card> cards;
  std::vector<Pool> pools;
  std::vector<SetList> set_lists;
  std::vector<std::int64_t> teams;   // team number of each seat, starting with 1; empty if there are no teams
  std::vector<Area> areas;
  std::vector<ShownText> shown;   // strings displayed for each player and for the table
  std::vector<Shapes> shapes;
  std::vector<Variable> variables;
  std::vector<Zone> zones;
  std::vector<Value> values;
  std::vector<Function> functions;
  std::vector<Event> events;
  std::vector<Window> windows;
  std::vector<Action> actions;
  std::vector<std::string> groups;
  std::vector<Whenever> whenevers;
  std::vector<Also> alsos;
  std::vector<Forbid> forbids;
  std::vector<EndWhen> endings;
  std::vector<Policy> policies;   // all policies, selected or not
  bool seats_have_policies = false;   // the configuration allows seats to use different policies
  std::vector<Timer> timers;
  std::vector<Measure> measures;
  bool notes_turns = false;   // record the player of each turn
  bool notes_figures = false;   // record the data for the standard figures
  bool notes_coverage = false;   // record which rules and statements take effect
  bool marks_flow = false;   // notify the host when an action ends and when a turn, round or phase begins
  // `delay p in A, B by D`: each group lists the actions that are delayed together.
  std::vector<std::vector<ActionId>> delay_groups;
  Body setup;
  Body play;
  std::optional<FunctionId> payoff;   // unset if payoff_value is set
  std::optional<ValueId> payoff_value;
  std::vector<Body> claims;   // expressions in assertions of scenarios; each body is { return <value> }
  std::vector<Scenario> scenarios;   // the scenarios for this number of players and these options

  // These containers own the code. Expressions of unselected policies are stored in exprs_aside, so that analyses of
  // all expressions skip them.
  std::deque<Expr> exprs, exprs_aside;
  std::deque<Stmt> stmts;
  // Expressions of measures. They are stored separately, because measures must not affect the game.
  std::deque<Expr> measure_exprs;
};

std::string to_string(const Model& model, const Type& type);
// Formats an expression as print() does; `body` provides the names of the locals.
std::string to_string(const Model& model, const Expr& e, const Body* body);
// Formats a complete model as text for `cardwright print --stage model`.
std::string print(const Model& model);

}   // namespace cardwright::model
