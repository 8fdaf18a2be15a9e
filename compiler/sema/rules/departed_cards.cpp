// Finds `after` rules that react to an event about their own card. They run even though the event has moved the card
// out of its zone. Also warns about conditions that can't be true after this move.
// Input:  the handlers of events in the Model.
// Output: the parameter of the event that must be the rule's own card, and warnings.
#include "compiler/sema/rules/departed_cards.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

static bool has(const Node* node, NodeKind kind) {
  return node && (node->kind == kind || std::any_of(node->children.begin(), node->children.end(),
                                                    [&](const Node* c) { return has(c, kind); }));
}

bool contains_together(const Ruleset& ruleset) {
  return std::any_of(ruleset.units.begin(), ruleset.units.end(),
                     [](const Unit& u) { return has(u.root, NodeKind::together_stmt); });
}

static bool mentions_this(const Node* node) {
  return node && ((node->kind == NodeKind::name_ref && node->text == "this") ||
                  std::any_of(node->children.begin(), node->children.end(), mentions_this));
}

bool may_have_left(const SemaContext& sema, const Node* rule) {
  if (rule->kind != NodeKind::trigger_decl || (rule->number & 3) != 1) return false;
  return sema.flow.has_together || mentions_this(view::trigger_decl(rule).patterns()) ||
         mentions_this(view::trigger_decl(rule).when());
}

static bool is_local(const Expr* e, LocalId local) { return e && e->kind == ExprKind::local && e->local == local; }

// If one operand of `==` is the card of the rule, returns the other operand.
static const Expr* compared_with(const Expr& e, LocalId self) {
  if (e.kind != ExprKind::equal) return nullptr;
  const model::view::pair sides(e);
  return is_local(sides.left(), self) ? sides.right() : is_local(sides.right(), self) ? sides.left() : nullptr;
}

static std::optional<std::size_t> bound_to(const model::Handler& h, const Expr* e) {
  for (std::size_t i = 0; i < h.patterns.size(); ++i)
    if (h.patterns[i].kind == model::Pattern::Kind::binds && is_local(e, h.patterns[i].local)) return i;
  return std::nullopt;
}

static std::optional<std::size_t> demanded(const model::Handler& h, const Expr* when) {
  if (!when) return std::nullopt;
  if (when->kind == ExprKind::logical_and) {
    const auto left = demanded(h, model::view::pair(when).left());
    return left ? left : demanded(h, model::view::pair(when).right());
  }
  return bound_to(h, compared_with(*when, h.head.self));
}

static bool is_of_card_in_zone(const model::Handler& h) {
  return h.hook == model::Hook::after && h.head.carrier.kind == CarrierKind::card && h.head.carrier.zone.valid() &&
         h.head.self.valid();
}

std::optional<std::size_t> own_card_parameter(const model::Handler& h) {
  if (!is_of_card_in_zone(h)) return std::nullopt;
  for (std::size_t i = 0; i < h.patterns.size(); ++i)
    if (h.patterns[i].kind == model::Pattern::Kind::equals && is_local(h.patterns[i].value, h.head.self)) return i;
  return demanded(h, h.head.when);
}

// Returns the zone to which the body always moves this parameter. Returns nullopt if the body may not move it.
static std::optional<std::uint32_t> always_moved_to(const model::Event& event, LocalId parameter) {
  for (const Stmt* s : event.body.block)
    if (s->kind == StmtKind::move && is_local(model::view::move(s).what(), parameter)) return s->ref;
  return std::nullopt;
}

static void warn_never_true(SemaContext& sema, const model::Event& event, const model::Handler& h) {
  const auto look = [&](const Expr& e) {
    const auto i = bound_to(h, compared_with(e, h.head.self));
    if (!i || *i >= event.parameters.size() || !e.range.known()) return;
    const auto to = always_moved_to(event, event.parameters[*i].local);
    if (!to || *to == h.head.carrier.zone.index) return;
    warn_if(sema, "card_has_left"_code, e.range, true,
            fmt::format("this is never true: `{}` has already moved the card to `{}`", event.name,
                        sema.model.zones[*to].name),
            fmt::format("use a separate rule for this card: `after {}(this) {{ … }}`", event.name));
  };
  model::for_each_expr(h.head.when, look);
  model::for_each_expr(h.body.block, look);
}

void warn_has_left(SemaContext& sema) {
  if (sema.flow.has_together) return;   // with `together`, a rule may run although its card has left its zone
  const auto replaced = [](const model::Handler& h) { return h.hook == model::Hook::instead; };
  for (const model::Event& event : sema.model.events) {
    if (std::any_of(event.handlers.begin(), event.handlers.end(), replaced)) continue;
    for (const model::Handler& h : event.handlers)
      if (is_of_card_in_zone(h) && !h.own_card_parameter) warn_never_true(sema, event, h);
  }
}

}   // namespace cardwright::sema
