// Reads locals and variables with their narrowed types.
#include "compiler/sema/operations/locals.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

std::string key_of(const Expr* e) {
  if (!e) return {};
  if (e->kind == ExprKind::local) return fmt::format("l{}", e->local.index);
  if (e->kind == ExprKind::constant) return fmt::format("c{}", e->value);
  if (e->kind == ExprKind::active_player) return "active";
  if (e->kind == ExprKind::window_field || e->kind == ExprKind::event_field)
    return fmt::format("f{}.{}.{}", static_cast<int>(e->kind), e->ref, e->value);
  if (e->kind == ExprKind::variable || e->kind == ExprKind::attribute) {
    std::string key = fmt::format("{}{}(", e->kind == ExprKind::variable ? 'v' : 'a', e->ref);
    for (const Expr* a : e->args) {
      std::string k = key_of(a);
      if (a && k.empty()) return {};
      key += k + ",";
    }
    return key + ")";
  }
  if (const Expr* part = e->kind == ExprKind::part_owner         ? model::view::part_owner(e).part()
                         : e->kind == ExprKind::constant_of_part ? model::view::constant_of_part(e).part()
                         : e->kind == ExprKind::part_of_constant ? model::view::part_of_constant(e).element()
                                                                 : nullptr) {
    const std::string of = key_of(part);
    return of.empty() ? of : fmt::format("p{}({})", static_cast<int>(e->kind), of);
  }
  const bool entry = e->kind == ExprKind::element_at && model::view::element_at(e).of()->kind == ExprKind::local &&
                     model::view::element_at(e).of()->type.kind == TypeKind::map;
  if (entry || e->kind == ExprKind::step || e->kind == ExprKind::cell_at || e->kind == ExprKind::part_at ||
      e->kind == ExprKind::rotated) {
    const std::string of = key_of(e->args.front()), by = key_of(*std::next(e->args.begin()));
    return of.empty() || by.empty() ? std::string() : fmt::format("b{}({},{})", static_cast<int>(e->kind), of, by);
  }
  return {};
}

// Returns whether the expression may be none although it can be used without a check: `top of z`, `first of S`, and
// choices. They are none only if the zone or set is empty, so requiring a check at each use would be a burden. If such
// a value is none, the game ends with an error. In contrast, a variable declared as `card?` or `player?` must be
// checked.
bool is_soft(const RuleContext& rule, const Expr* e) {
  if (!e || !e->type.optional) return true;
  switch (e->kind) {
    case ExprKind::zone_top:
    case ExprKind::zone_bottom:
    case ExprKind::card_of_slot:
    case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::pick_random: return true;
    case ExprKind::attribute: {
      const Type& t = model::view::attribute(e).of()->type;
      if (rule.model.attributes[e->ref].type.optional) return false;
      if (t.kind == TypeKind::card && rule.sema.zone_cards && kind_without(rule.sema, t, {{e->ref}})) return false;
      return t.optional && is_soft(rule, model::view::attribute(e).of());
    }
    case ExprKind::kind_of: return is_soft(rule, model::view::kind_of(e).card());
    case ExprKind::number_of: return is_soft(rule, model::view::number_of(e).element());
    case ExprKind::local: return rule.soft.contains(e->local.index);
    case ExprKind::conditional: {
      const model::view::conditional its(e);
      return is_soft(rule, its.then()) && is_soft(rule, its.otherwise()) && its.then()->value != kNone &&
             its.otherwise()->value != kNone;
    }
    case ExprKind::or_else:
      return is_soft(rule, model::view::or_else(e).otherwise()) && model::view::or_else(e).otherwise()->value != kNone;
    default: return false;
  }
}

bool is_narrowed(const RuleContext& rule, const Expr* e) {
  if (rule.narrowed.empty()) return false;
  const std::string key = key_of(e);
  return !key.empty() && std::find(rule.narrowed.begin(), rule.narrowed.end(), key) != rule.narrowed.end();
}

void refine(const RuleContext& rule, Expr* e) {
  if (e->type.optional && is_narrowed(rule, e)) e->type.optional = false;
  if (e->type.kind != TypeKind::card || rule.known_cards.empty()) return;
  const std::string key = key_of(e);
  if (key.empty()) return;
  for (const KnownCard& known : rule.known_cards)
    if (known.key == key && admits(rule.sema, e->type, known.type))
      e->type.ref = known.type.ref, e->type.lo = known.type.lo;
}

// Returns the key under which narrowing records that the card can be on the board, after a test with `is`. Returns an
// empty string if other cards can count as such a card, because the test then proves nothing.
std::string covering_key(const SemaContext& sema, const Expr* card) {
  const std::string key = sema.rules.alsos.empty() ? key_of(card) : "";
  return key.empty() ? key : "covers " + key;
}

const Expr* raw_local(RuleContext& rule, LocalId id, Range range) {
  Expr* e = make(rule.sema, ExprKind::local, rule.body->locals[id.index].type, range);
  e->local = id;
  refine(rule, e);
  return e;
}

// Reads a local. If it is an element of a list of sets, the local contains a position, which is converted to the set.
const Expr* local(RuleContext& rule, LocalId id, Range range) {
  const Expr* e = raw_local(rule, id, range);
  if (e->type.kind != TypeKind::listed) return e;
  Expr* set = make(rule.sema, ExprKind::listed_set, rule.model.set_lists[e->type.ref].element, range, {e});
  set->ref = e->type.ref;
  return set;
}

// Reads a variable. If there are fewer indices than the table has keys, the result is a table with the remaining keys.
const Expr* variable_of(RuleContext& rule, std::uint32_t id, Range range, std::vector<const Expr*> args) {
  const model::Variable& v = rule.model.variables[id];
  const std::size_t given = args.size() - (v.per_player ? 1 : 0);
  Type t = v.type;
  if (given < v.indices.size()) {
    t = plain_type(TypeKind::map);
    t.elem = std::make_shared<const Type>(v.type);
    t.key = std::make_shared<const Type>(v.indices[given]);
  }
  Expr* e = make(rule.sema, ExprKind::variable, std::move(t), range, std::move(args));
  e->ref = id;
  refine(rule, e);
  return e;
}

}   // namespace cardwright::sema
