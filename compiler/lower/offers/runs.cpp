#include "compiler/lower/offers/runs.h"

#include <algorithm>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/offers/conditions.h"
#include "compiler/lower/offers/levels.h"
#include "compiler/lower/offers/policies.h"
#include "compiler/lower/offers/weights.h"

namespace cardwright::lower {

using model::PickCount;
using model::TypeKind;

std::vector<Int> cards_to_test(const ProgramContext& unit, const Group& g) {
  const Level& l = g.levels[0];
  std::vector<Int> ids;
  for (const model::Expr* where : l.where) {
    if (!g.action->play || where->kind != model::ExprKind::counts_as) continue;
    const model::Expr& card = *view::counts_as(*where).card();
    const bool is_fixed = card.kind == model::ExprKind::local && card.local == l.local &&
                          std::none_of(unit.model.alsos.begin(), unit.model.alsos.end(), [&](const auto& also) {
                            return std::find(where->values.begin(), where->values.end(), Int(also.counts_as.index)) !=
                                   where->values.end();
                          });
    if (!is_fixed) continue;
    ids = cards_of_kinds(unit, where->values);
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  for (std::size_t id = 0; id < unit.ids.card.size(); ++id)
    if (unit.ids.card[id] >= 0) ids.push_back(Int(id));
  return ids;
}

// Returns the ids of the cards that may be the group's options, in ascending order. The result is empty unless each
// option is exactly one card and the possible cards are known at compile time.
static std::vector<Int> single_card_options(const FunctionContext& code, Group& g) {
  if (code.unit.plain || g.levels.size() != 1 || g.action->must || g.sensible != ir::kNoRegister ||
      is_weighed(code.unit, g.index) || code.unit.facts.offers.may_be_wrong(g.index) || has_extra(code.unit, g, 0))
    return {};
  const Level& l = g.levels[0];
  if (l.type.kind != TypeKind::card || l.type.optional || l.unknown ||
      (l.parameter && l.parameter->count != PickCount::one))
    return {};
  std::vector<Int> ids;
  bool known = true;
  const auto fits = [&](Int id) {
    const auto passes = [&](const model::Expr* where) {
      const auto value = static_value(code.unit, &g.env, *where, l.local, id);
      known = known && value;
      return value == 1;
    };
    return std::all_of(l.where.begin(), l.where.end(), passes);
  };
  if (!l.parameter)
    ids = cards_of_kinds(code.unit, g.action->head.carrier.kinds);
  else
    for (const Int id : cards_to_test(code.unit, g))
      if (fits(id)) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  return known ? ids : std::vector<Int>();
}

void add_runs(const FunctionContext& code, Offers& offers, std::size_t first, std::size_t end) {
  Int last = -1;   // last card of the current run, or -1 if no further group can be added to it
  for (std::size_t i = first; i < end; ++i) {
    const std::vector<Int> ids = single_card_options(code, offers.groups[i]);
    const bool continues = last >= 0 && !ids.empty() && ids.front() > last;
    if (!continues) offers.runs.push_back({i, 0, std::vector<Int>(code.unit.ids.card.size(), 0)});
    GroupRun& run = offers.runs.back();
    for (const Int id : ids) run.group_of[static_cast<std::size_t>(id)] = static_cast<Int>(run.size);
    ++run.size;
    last = ids.empty() ? -1 : ids.back();
  }
}

}   // namespace cardwright::lower
