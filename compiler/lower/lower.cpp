// Lowers a Model to a Program by running all steps in order. Each step is implemented in the file for its subject.
#include "compiler/lower/lower.h"

#include <fmt/format.h>

#include "compiler/lower/code/limits.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/events/events.h"
#include "compiler/lower/events/flow.h"
#include "compiler/lower/events/recursion.h"
#include "compiler/lower/events/replacements.h"
#include "compiler/lower/events/score.h"
#include "compiler/lower/events/settling.h"
#include "compiler/lower/events/watch.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/memoized_values.h"
#include "compiler/lower/expressions/value_functions.h"
#include "compiler/lower/layout/layout.h"
#include "compiler/lower/layout/metadata.h"
#include "compiler/lower/offers/explanations.h"
#include "compiler/lower/offers/offers.h"
#include "compiler/lower/race/race.h"
#include "compiler/lower/rules/measures.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/lower/text/labels.h"
#include "compiler/lower/text/shown.h"
#include "compiler/lower/windows/at_once.h"
#include "compiler/lower/windows/windows.h"

namespace cardwright::lower {

static constexpr Hooks kHooks = {lower_expr, lower_condition, lower_statement};

// Declares the variable of three-valued functions if only explanations use it. The explaining Program runs on the
// States of the game's Program, so both need the same variables.
static void declare_unknown(ProgramContext& unit) {
  bool explains = false;
  for (std::size_t i = 0; i < unit.model.actions.size(); ++i)
    explains = explains || (possible(unit, unit.model.actions[i]) && unit.facts.offers.may_be_wrong(i));
  if (explains && unit.variables.met_unknown < 0)
    unit.variables.met_unknown = add_scratch(unit, "met what is unknown", 0, 1, 0);
}

static std::unique_ptr<Program> run(ProgramContext& unit) {
  if (unit.model.players > kMaxPlayers)
    too_large(unit, {}, fmt::format("{} players; the limit is {}", unit.model.players, kMaxPlayers));
  if (unit.model.whenevers.size() > 58)
    too_large(unit, unit.model.whenevers.back().head.range, "too many `whenever` rules; the limit is 58");
  number_cards(unit);
  if (unit.too_large) return nullptr;
  number_variables(unit);
  number_zones(unit);
  if (unit.too_large) return nullptr;
  describe(unit);
  declare_measures(unit);
  find_replacing(unit);
  find_exposed(unit);
  if (!unit.plain) find_memoized(unit);
  make_watches(unit);
  if (!unit.plain)
    unit.facts.origins.emplace(unit.model, [&unit](const model::Expr& call) { return plain_body(unit, call); });
  declare_events(unit);
  declare_flow(unit);
  declare_windows(unit);
  declare_answers(unit);
  declare_sensible(unit);
  declare_race(unit);
  for (std::size_t i = 0; i < unit.model.values.size(); ++i) lower_value(unit, i);
  for (std::size_t i = 0; i < unit.model.functions.size(); ++i) lower_function(unit, i);
  for (std::size_t i = 0; i < unit.model.events.size(); ++i) lower_event(unit, i);
  for (std::size_t i = 0; i < unit.model.windows.size(); ++i) lower_window(unit, i);
  for (std::size_t i = 0; i < unit.model.actions.size(); ++i) lower_action(unit, i);
  lower_landings(unit);
  lower_settle(unit);
  lower_main(unit);
  for (std::size_t i = 0; i < unit.model.actions.size(); ++i) lower_label(unit, i);
  lower_claims(unit);
  lower_score(unit);
  lower_shown(unit);
  declare_unknown(unit);
  lower_explanations(unit);
  lower_deferred(unit);
  remove_exit_tests(unit);
  bound_recursion(unit);
  unit.program.option_ids = unit.ids.next_option;
  for (std::size_t p = 0; p < unit.model.pools.size(); ++p)
    unit.program.pool_counts.push_back({unit.ids.pool[p], unit.model.pools[p].counts});
  for (std::size_t c = 0; c < unit.model.cards.size(); ++c)
    if (unit.model.cards[c].home)
      unit.program.homes.push_back({unit.ids.of_card[c], unit.program.zones[unit.model.cards[c].home->index].first +
                                                             unit.model.cards[c].home_place});
  place_regions(unit);
  if (unit.too_large) return nullptr;
  return std::move(unit.owned);
}

std::unique_ptr<Program> lower(const model::Model& model, Diagnostics& diagnostics, bool plain) {
  ProgramContext unit(model, diagnostics, plain, kHooks);
  return run(unit);
}

std::unique_ptr<Program> explain(const model::Model& model, Diagnostics& diagnostics, bool plain) {
  ProgramContext unit(model, diagnostics, plain, kHooks);
  unit.explaining.wanted = true;
  return run(unit);
}

std::vector<Planned> plans(const model::Model& model, Diagnostics& diagnostics) {
  ProgramContext unit(model, diagnostics, false, kHooks);
  std::vector<Planned> planned;
  unit.planned = &planned;
  run(unit);
  return planned;
}

}   // namespace cardwright::lower
