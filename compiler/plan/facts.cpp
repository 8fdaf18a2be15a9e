#include "compiler/plan/facts.h"

#include "compiler/analysis/constants.h"
#include "compiler/model/purity.h"

namespace cardwright::plan {

using model::CarrierKind;
using model::ExprKind;
using model::TypeKind;

static bool in_play(const ProgramFacts& game, model::KindId kind);
static bool may_be_outside(const ProgramFacts& game, const model::Expr& entry);

// ---------------------------------------------------------------- types

Bounds bounds(const ProgramFacts& game, const model::Type& type) {
  switch (type.kind) {
    case model::TypeKind::boolean: return {0, 1};
    case model::TypeKind::player: return {0, game.model.players - 1};
    case model::TypeKind::card: return {0, std::max<Int>(0, game.laid_out.layout.card_ids - 1)};
    case model::TypeKind::enumeration:
      return {0, std::max<Int>(0, Int(game.model.enums[type.ref].constants.size()) - 1)};
    case model::TypeKind::kind: return {0, std::max<Int>(0, Int(game.model.kinds.size()) - 1)};
    case model::TypeKind::integer:
    case model::TypeKind::listed: return {type.lo, type.hi};
    case model::TypeKind::set: return {0, (Int{1} << 62) - 1};   // a mask is stored as a number
    default: return {0, 0};
  }
}

const model::Board& board_of(const ProgramFacts& game, const model::Type& cell) {
  return *std::find_if(game.model.boards.begin(), game.model.boards.end(),
                       [&](const model::Board& b) { return b.cells.index == cell.ref; });
}

const model::Board& board_with(const ProgramFacts& game, const model::Type& direction) {
  return *std::find_if(game.model.boards.begin(), game.model.boards.end(),
                       [&](const model::Board& b) { return !b.graph && b.dirs.index == direction.ref; });
}

// ---------------------------------------------------------------- cards and rules

std::vector<Int> cards_of_kinds(const ProgramFacts& game, const std::vector<model::KindId>& kinds) {
  std::vector<Int> numbers;
  numbers.reserve(kinds.size());
  for (const model::KindId k : kinds) numbers.push_back(k.index);
  return cards_of_kinds(game, numbers);
}
std::vector<Int> cards_of_kinds(const ProgramFacts& game, const std::vector<Int>& kinds) {
  std::vector<Int> ids;
  for (std::size_t c = 0; c < game.model.cards.size(); ++c)
    if (std::find(kinds.begin(), kinds.end(), Int(game.model.cards[c].kind.index)) != kinds.end())
      ids.push_back(game.ids.of_card[c]);
  return ids;
}

std::optional<std::size_t> me_argument(const model::RuleHead& head, const std::vector<model::Pattern>& patterns) {
  if (!head.me.valid()) return std::nullopt;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const model::Pattern& p = patterns[i];
    if (p.kind == model::Pattern::Kind::equals && p.value->kind == model::ExprKind::local && p.value->local == head.me)
      return i;
  }
  return std::nullopt;
}

bool possible(const ProgramFacts& game, const model::RuleHead& head) {
  if (head.carrier.kind == CarrierKind::none) return true;
  if (head.carrier.kind == CarrierKind::card)
    return std::any_of(head.carrier.kinds.begin(), head.carrier.kinds.end(),
                       [&](model::KindId k) { return in_play(game, k); });
  const model::Variable& variable = game.model.variables[head.carrier.character_variable.index];
  if (!variable.dealt_from || variable.initial) return true;
  const std::vector<Int>& counts = game.model.pools[variable.dealt_from->index].counts;
  if (head.carrier.character >= Int(counts.size()) || counts[head.carrier.character] > 0) return true;
  for (const model::Stmt& s : game.model.stmts)   // a statement may assign the character without dealing it
    if ((s.kind == model::StmtKind::assign_variable || s.kind == model::StmtKind::assign_all) &&
        s.ref == head.carrier.character_variable.index)
      return true;
  for (const model::Scenario& scenario : game.model.scenarios)
    for (const model::ScenarioLine& line : scenario.lines)
      for (const model::Given& given : line.givens)
        if (given.kind == model::Given::Kind::variable && given.variable == head.carrier.character_variable &&
            std::find(given.values.begin(), given.values.end(), head.carrier.character) != given.values.end())
          return true;
  return false;
}

// Returns whether a deck contains a card of that kind.
static bool in_play(const ProgramFacts& game, model::KindId kind) {
  return std::any_of(game.model.cards.begin(), game.model.cards.end(),
                     [&](const model::Card& c) { return c.kind == kind; });
}

analysis::ValueRules possible_rules(const ProgramFacts& game, const model::Value& value) {
  return analysis::rules_of(value, [&](const model::Modifier& m) { return possible(game, m.head); });
}

bool possible(const ProgramFacts& game, const model::Action& action) {
  if (!action.play) {
    model::RuleHead head = action.head;
    head.carrier = action.whose;
    return possible(game, head);
  }
  return in_play(game, action.kind) ||
         std::any_of(game.model.alsos.begin(), game.model.alsos.end(), [&](const model::Also& also) {
           return also.counts_as == action.kind && possible(game, also.head) &&
                  std::any_of(also.kinds.begin(), also.kinds.end(), [&](model::KindId k) { return in_play(game, k); });
         });
}

// ---------------------------------------------------------------- expressions

bool mentions(const model::Expr& e, model::LocalId local) {
  if (e.kind == ExprKind::local && e.local == local) return true;
  return std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && mentions(*a, local); });
}

bool pure(const ProgramFacts& game, const model::Expr& e) {
  switch (e.kind) {
    case ExprKind::zone_top:
    case ExprKind::zone_bottom: return game.facts.always_ordered[e.ref];
    case ExprKind::supposing:
    case ExprKind::text: return false;
    default:
      return !model::can_act(e.kind) &&
             std::all_of(e.args.begin(), e.args.end(), [&game](const model::Expr* a) { return !a || pure(game, *a); });
  }
}

std::vector<const model::Expr*> conjuncts(const model::Expr& condition) {
  if (condition.kind != ExprKind::logical_and) return {&condition};
  std::vector<const model::Expr*> parts = conjuncts(*view::logical_and(condition).left());
  for (const model::Expr* part : conjuncts(*view::logical_and(condition).right())) parts.push_back(part);
  return parts;
}

const model::Expr* plain_body(const ProgramFacts& game, const model::Expr& call) {
  return call.kind == ExprKind::call_value && game.memoized.contains(call.ref) ? nullptr : body_of_call(game, call);
}

const model::Expr* body_of_call(const ProgramFacts& game, const model::Expr& call) {
  if (call.kind == ExprKind::call_function) {
    const model::Block& body = game.model.functions[call.ref].body.block;
    if (game.model.functions[call.ref].recursive) return nullptr;
    const bool one = body.size() == 1 && body[0]->kind == model::StmtKind::return_value && body[0]->exprs.size() == 1;
    return one ? view::return_value(*body[0]).value() : nullptr;
  }
  const model::Value& value = game.model.values[call.ref];
  return !possible_rules(game, value).empty() || value.at_least || value.at_most ? nullptr : value.base;
}

bool is_never_none(const ProgramFacts& game, const model::Expr& e) {
  if (e.type.optional) return false;
  switch (e.kind) {
    case ExprKind::variable:
    case ExprKind::size: return true;
    case ExprKind::constant: return e.value != kNone;
    case ExprKind::in_bounds: return is_never_none(game, *view::in_bounds(e).operand());
    // These operators trap on none.
    case ExprKind::add:
    case ExprKind::subtract:
    case ExprKind::multiply:
    case ExprKind::divide:
    case ExprKind::modulo: return true;
    case ExprKind::conditional:
      return is_never_none(game, *view::conditional(e).then()) &&
             is_never_none(game, *view::conditional(e).otherwise());
    case ExprKind::call_value: {   // never none if neither the base nor any modifier can be none
      const model::Value& value = game.model.values[e.ref];
      const auto is_plain = [&](const model::Expr* x) {
        return x && x->kind != ExprKind::call_value && is_never_none(game, *x);
      };
      return is_plain(value.base) && std::all_of(value.modifiers.begin(), value.modifiers.end(),
                                                 [&](const model::Modifier& m) { return is_plain(m.amount); });
    }
    default: return false;
  }
}

bool is_small(const ProgramFacts& game, const model::Expr& e) {
  constexpr Int kMostShift = 1 << 20;
  const auto asks_value = [](auto&& self, const model::Expr& x) -> bool {
    if (x.kind == ExprKind::call_value || x.kind == ExprKind::call_function) return true;
    return std::any_of(x.args.begin(), x.args.end(), [&](const model::Expr* a) { return a && self(self, *a); });
  };
  return is_never_none(game, e) && e.type.kind == TypeKind::integer && e.type.lo > -kMostShift &&
         e.type.hi < kMostShift && !asks_value(asks_value, e);
}

static bool wants_something(const ProgramFacts& game, const Names& names, const model::Expr& e,
                            const model::Body* body) {
  const auto may_be_missing = [&](const model::Expr& x) {
    if (x.kind == ExprKind::local)
      return body && x.local.index < body->locals.size() && body->locals[x.local.index].type.optional;
    if (x.kind == ExprKind::variable)
      return game.model.variables[x.ref].type.optional || game.model.variables[x.ref].can_be_unset;
    if (x.kind == ExprKind::window_field) return names.window != model::WindowId{x.ref};   // the window may have closed
    return x.type.optional || x.kind == ExprKind::event_field;   // the event may have ended
  };
  switch (e.kind) {
    // These expressions can trap or draw a card.
    case ExprKind::pick_only:
    case ExprKind::in_bounds:
    case ExprKind::element_at:
    case ExprKind::zone_top_n: return true;
    case ExprKind::zone_top:
    case ExprKind::zone_bottom:
      if (!game.facts.always_ordered[e.ref]) return true;
      break;
    case ExprKind::call_value:
    case ExprKind::call_function: {
      const model::Expr* body = plain_body(game, e);
      const model::Body& inside =
          e.kind == ExprKind::call_value ? game.model.values[e.ref].body : game.model.functions[e.ref].body;
      if (!body || wants_something(game, names, *body, &inside) ||
          std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && may_be_missing(*a); }))
        return true;
      break;
    }
    case ExprKind::divide:
    case ExprKind::modulo:
      if (view::pair(e).right()->kind != ExprKind::constant) return true;
      break;
    // These operators accept none as an operand.
    case ExprKind::is_none:
    case ExprKind::is_in_game:
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::in_set:
    case ExprKind::set_of_one:
    case ExprKind::or_else:
    case ExprKind::step:
    case ExprKind::attribute:
    case ExprKind::kind_of:
    case ExprKind::number_of: break;
    default:
      if (e.kind == ExprKind::variable && (game.model.variables[e.ref].can_be_unset || may_be_outside(game, e)))
        return true;
      if (std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && may_be_missing(*a); }))
        return true;
  }
  return std::any_of(e.args.begin(), e.args.end(),
                     [&](const model::Expr* a) { return a && wants_something(game, names, *a, body); });
}

bool wants_something(const ProgramFacts& game, const Names& names, const model::Expr& e) {
  return wants_something(game, names, e, names.body);
}

// Returns whether n in `m[n]` may be outside the keys of m. If a table is passed as an argument, there is no n.
static bool may_be_outside(const ProgramFacts& game, const model::Expr& entry) {
  const model::Variable& variable = game.model.variables[entry.ref];
  const std::size_t first = variable.per_player ? 1 : 0;
  for (std::size_t i = 0; i < variable.indices.size() && first + i < entry.args.size(); ++i) {
    const model::Expr* index = entry.args[first + i];
    const Bounds entries = bounds(game, variable.indices[i]);
    if (index && index->type.kind == TypeKind::integer && (index->type.lo < entries.lo || index->type.hi > entries.hi))
      return true;
  }
  return false;
}

bool is_inlined(const ProgramFacts& game, std::uint32_t function, const std::vector<std::uint32_t>& inlining,
                bool room) {
  const model::Function& f = game.model.functions[function];
  if (f.recursive) return false;
  const auto of_board = [&](const model::Type& t) {
    const model::Type& element = t.elem ? *t.elem : t;
    return is_direction(game, element) ||
           (element.kind == TypeKind::enumeration && game.model.enums[element.ref].cells);
  };
  const bool geometry =
      of_board(f.result) || std::any_of(f.parameters.begin(), f.parameters.end(), [&](const model::Parameter& p) {
        return of_board(f.body.locals[p.local.index].type);
      });
  constexpr std::size_t kDeepest = 8;
  if (is_array(f.result) || takes_table(f)) return true;   // IR functions can neither return a list nor take a table
  if (game.plain) return false;
  return geometry && room && inlining.size() < kDeepest &&
         std::find(inlining.begin(), inlining.end(), function) == inlining.end();
}

}   // namespace cardwright::plan
