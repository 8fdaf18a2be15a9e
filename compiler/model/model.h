// The checked meaning of one ruleset for one player count and one set of options.
// Made by sema/ (names resolved, types known, options and `extends` applied, defaults filled in), read by lower/.
// Everything that sugar can express is gone: what is left is the small core that exprs.def and stmts.def list.
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
  std::string value;   // as written: `icon20`, `on`, `5`
};

struct Model {
  std::string name;   // "splash"
  std::string title;   // "Splash"
  std::int64_t players = 0;
  std::vector<SourceId> pages;   // of the standard library, which are no part of what an author wrote
  std::vector<OptionValue> options;
  std::vector<Attribute> attributes;
  std::vector<Enum> enums;
  std::vector<Board> boards;
  std::vector<Record> records;
  std::vector<CardType> card_types;
  std::optional<LyingCards> lying;
  std::vector<Kind> kinds;
  std::vector<Card> cards;
  std::vector<Pool> pools;
  std::vector<SetList> set_lists;
  std::vector<std::int64_t> teams;   // by seat, from 1; empty: there are none
  std::vector<Area> areas;
  std::vector<ShownText> shown;   // of players and the table
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
  std::vector<Policy> policies;   // all of them, whether they are asked for or not
  bool seats_have_policies = false;   // what a player does hangs on the seat: some are asked for, or seats differ
  std::vector<Timer> timers;
  std::vector<Measure> measures;
  bool notes_turns = false;   // whose each turn is, is asked for
  bool notes_figures = false;   // so is what the built-in figures are counted from
  bool notes_coverage = false;   // so are the rules and statements that take effect
  bool marks_flow = false;   // the host is told when an action is done and a turn, round or phase begins
  std::vector<std::vector<ActionId>> delay_groups;   // `delay p in A, B by D`: what is held up together
  Body setup;
  Body play;
  std::optional<FunctionId> payoff;   // never set when `value payoff` exists: see payoff_value
  std::optional<ValueId> payoff_value;
  std::vector<Body> claims;   // each: { return <bool> }
  std::vector<Scenario> scenarios;   // those of this player count and these options

  // Owns the code. What only policies say that nobody asks for stands aside, so that whoever looks through all that is
  // said does not come upon it.
  std::deque<Expr> exprs, exprs_aside;
  std::deque<Stmt> stmts;
  std::deque<Expr> measure_exprs;   // of measures, apart: the game is made as if there were none
};

std::string to_string(const Model& model, const Type& type);
// As print() writes it; `body` says how the locals are called.
std::string to_string(const Model& model, const Expr& e, const Body* body);
// Readable text of the whole model, stage `model` of `cardwright print`.
std::string print(const Model& model);

}   // namespace cardwright::model
