// What is known not to be none: by a condition that was asked before, or because nobody said that it might be.
#include "compiler/sema/narrowing.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/board_cards.h"
#include "compiler/sema/records.h"

namespace cardwright::sema {

static void known_of_attribute(RuleContext& rule, const Expr* e);

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

// `top of z`, `first of S` and what is chosen are none only where nothing is. Asking each time would be a burden, so
// such a value may be used as if it were there; if it is not, the game ends with an error. What is *declared* `card?`
// or `player?` has to be asked about.
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

void narrow(RuleContext& rule, const Expr* c, bool holds) {
  if (is_poison(c)) return;
  const auto known = [&](const Expr* e) {
    if (e->kind == ExprKind::attribute) known_of_attribute(rule, e);
    std::string key = key_of(e);
    if (!key.empty()) rule.narrowed.push_back(std::move(key));
  };
  switch (c->kind) {
    case ExprKind::logical_not: narrow(rule, model::view::logical_not(c).operand(), !holds); return;
    case ExprKind::logical_and:
      if (holds)
        narrow(rule, model::view::logical_and(c).left(), true), narrow(rule, model::view::logical_and(c).right(), true);
      return;
    case ExprKind::logical_or:
      if (!holds)
        narrow(rule, model::view::logical_or(c).left(), false), narrow(rule, model::view::logical_or(c).right(), false);
      return;
    case ExprKind::is_none:
      if (!holds) known(model::view::is_none(c).operand());
      return;
    case ExprKind::counts_as: {
      if (!holds) return;
      known(model::view::counts_as(c).card());
      const auto lies = [&](Int kind) {
        return rule.model.lying && rule.model.lying->sort_of[static_cast<std::size_t>(kind)] != kNone;
      };
      if (std::string key = covering_key(rule.sema, model::view::counts_as(c).card());
          !key.empty() && std::all_of(c->values.begin(), c->values.end(), lies))
        rule.narrowed.push_back(std::move(key));
      return;
    }
    case ExprKind::is_in_game:
      if (holds) known(model::view::is_in_game(c).player());
      return;
    case ExprKind::in_set:
      if (holds) known(model::view::in_set(c).element());
      return;
    case ExprKind::equal:
      if (!holds) return;
      if (!model::view::equal(c).right()->type.optional) known(model::view::equal(c).left());
      if (!model::view::equal(c).left()->type.optional) known(model::view::equal(c).right());
      return;
    case ExprKind::is_empty:   // a slot that is not empty has a card
      return;
    default: return;
  }
}

static void known_of_attribute(RuleContext& rule, const Expr* e) {
  std::string key = key_of(model::view::attribute(e).of());
  if (!key.empty()) rule.narrowed.push_back(std::move(key));
}

}  // namespace cardwright::sema
