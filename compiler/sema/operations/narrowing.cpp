// Narrows types: records the facts that conditions establish, and removes facts that assignments, loops or other rules
// can invalidate.
#include "compiler/sema/operations/narrowing.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/symbols/card_types.h"

namespace cardwright::sema {

Type element_where(RuleContext& rule, LocalId element, const Expr* condition) {
  Scoped scope(rule);
  if (condition) narrow(rule, condition, true);
  return raw_local(rule, element, {})->type;
}

Type filtered(RuleContext& rule, const Type& domain, LocalId element, const Expr* condition) {
  if (!domain.elem || domain.elem->kind != TypeKind::card) return domain;
  Type t = domain;
  t.elem = std::make_shared<const Type>(without_none(element_where(rule, element, condition)));
  return t;
}

// ---------------------------------------------------------------- adding facts

static void learn(RuleContext& rule, const Expr* e) {
  if (e->kind == ExprKind::attribute)
    if (std::string of = key_of(model::view::attribute(e).of()); !of.empty()) rule.narrowed.push_back(std::move(of));
  if (std::string key = key_of(e); !key.empty()) rule.narrowed.push_back(std::move(key));
}

static void learn_type(RuleContext& rule, const Expr* card, const Type& type) {
  if (card->type.kind != TypeKind::card || type.kind != TypeKind::card) return;
  if (std::string key = key_of(card); !key.empty()) rule.known_cards.push_back({std::move(key), type});
}

static void learn_kinds(RuleContext& rule, const Expr* card, const std::vector<Int>& kinds) {
  if (card->type.kind != TypeKind::card || kinds.empty()) return;
  std::vector<Int> left;
  for (const Int k : kinds_in(rule.sema, card->type))
    if (std::find(kinds.begin(), kinds.end(), k) != kinds.end()) left.push_back(k);
  learn_type(rule, card, card_of_kinds(rule.sema, left.empty() ? kinds : left));
}

// Records that the card has none of these kinds.
static void learn_others(RuleContext& rule, const Expr* card, const std::vector<Int>& kinds) {
  if (card->type.kind != TypeKind::card || card->type.optional) return;
  std::vector<Int> left;
  for (const Int k : kinds_in(rule.sema, card->type))
    if (std::find(kinds.begin(), kinds.end(), k) == kinds.end()) left.push_back(k);
  if (!left.empty()) learn_type(rule, card, card_of_kinds(rule.sema, left));
}

static void learn_counts_as(RuleContext& rule, const Expr* c, bool holds) {
  const Expr* card = model::view::counts_as(c).card();
  if (!holds) {
    if (rule.sema.rules.alsos.empty()) learn_others(rule, card, c->values);
    return;
  }
  learn(rule, card);
  learn_kinds(rule, card, kinds_counting_as(rule.sema, c->values));
  const auto is_on_board = [&](Int kind) {
    return rule.model.board_cards && rule.model.board_cards->sort_of[static_cast<std::size_t>(kind)] != kNone;
  };
  if (std::string key = covering_key(rule.sema, card);
      !key.empty() && std::all_of(c->values.begin(), c->values.end(), is_on_board))
    rule.narrowed.push_back(std::move(key));
}

// Records the facts that `c.kind == Bear` and `c == d` establish.
static void learn_equal(RuleContext& rule, const Expr* a, const Expr* b) {
  if (!b->type.optional) learn(rule, a);
  if (!a->type.optional) learn(rule, b);
  if (a->type.kind == TypeKind::card && b->type.kind == TypeKind::card) {
    if (admits(rule.sema, a->type, b->type)) learn_type(rule, a, b->type);
    if (admits(rule.sema, b->type, a->type)) learn_type(rule, b, a->type);
  }
  if (b->kind == ExprKind::kind_of) std::swap(a, b);
  if (a->kind == ExprKind::kind_of && b->kind == ExprKind::constant && b->value != kNone)
    learn_kinds(rule, model::view::kind_of(a).card(), {b->value});
}

static void learn_not_equal(RuleContext& rule, const Expr* a, const Expr* b) {
  if (b->kind == ExprKind::kind_of) std::swap(a, b);
  if (a->kind == ExprKind::kind_of && b->kind == ExprKind::constant && b->value != kNone)
    learn_others(rule, model::view::kind_of(a).card(), {b->value});
}

static void learn_member(RuleContext& rule, const Expr* element, const Expr* set) {
  learn(rule, element);
  if (set->type.elem && admits(rule.sema, element->type, *set->type.elem)) learn_type(rule, element, *set->type.elem);
  if (element->kind == ExprKind::kind_of && set->kind == ExprKind::set_constant)
    learn_kinds(rule, model::view::kind_of(element).card(), set->values);
}

// Records only facts that both conditions establish, because it is unknown which of the two is true.
static void learn_either(RuleContext& rule, const Expr* a, bool a_holds, const Expr* b, bool b_holds) {
  const auto shown = [&](const Expr* c, bool holds) {
    std::pair<std::vector<std::string>, std::vector<KnownCard>> all;
    const std::size_t keys = rule.narrowed.size(), cards = rule.known_cards.size();
    narrow(rule, c, holds);
    all.first.assign(rule.narrowed.begin() + static_cast<std::ptrdiff_t>(keys), rule.narrowed.end());
    all.second.assign(rule.known_cards.begin() + static_cast<std::ptrdiff_t>(cards), rule.known_cards.end());
    rule.narrowed.resize(keys);
    rule.known_cards.resize(cards);
    return all;
  };
  const auto left = shown(a, a_holds), right = shown(b, b_holds);
  for (const std::string& key : left.first)
    if (std::find(right.first.begin(), right.first.end(), key) != right.first.end()) rule.narrowed.push_back(key);
  for (const KnownCard& one : left.second)
    for (const KnownCard& other : right.second)
      if (one.key == other.key) rule.known_cards.push_back({one.key, joined_cards(rule.sema, one.type, other.type)});
}

void narrow(RuleContext& rule, const Expr* c, bool holds) {
  if (is_poison(c)) return;
  switch (c->kind) {
    case ExprKind::logical_not: return narrow(rule, model::view::logical_not(c).operand(), !holds);
    case ExprKind::logical_and:
    case ExprKind::logical_or: {
      const Expr *left = model::view::pair(c).left(), *right = model::view::pair(c).right();
      if (holds != (c->kind == ExprKind::logical_and)) return learn_either(rule, left, holds, right, holds);
      narrow(rule, left, holds);
      return narrow(rule, right, holds);
    }
    case ExprKind::is_none:
      if (!holds) learn(rule, model::view::is_none(c).operand());
      return;
    case ExprKind::counts_as: return learn_counts_as(rule, c, holds);
    case ExprKind::is_in_game:
      if (holds) learn(rule, model::view::is_in_game(c).player());
      return;
    case ExprKind::in_set:
      if (holds) learn_member(rule, model::view::in_set(c).element(), model::view::in_set(c).set());
      return;
    case ExprKind::equal:
    case ExprKind::not_equal: {
      const Expr *left = model::view::pair(c).left(), *right = model::view::pair(c).right();
      if (holds == (c->kind == ExprKind::equal)) return learn_equal(rule, left, right);
      return learn_not_equal(rule, left, right);
    }
    default: return;
  }
}

// ---------------------------------------------------------------- removing facts

// Returns whether `part` occurs in `key` as a complete term. For example, `l1` occurs in `v3(l1,)`, but not in
// `v3(l12,)`.
static bool has_term(const std::string& key, const std::string& part) {
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = key.find(part); at != std::string::npos; at = key.find(part, at + 1)) {
    const std::size_t behind = at + part.size();
    const bool begins = at == 0 || !in_name(key[at - 1]);
    if (begins && (!in_name(part.back()) || behind == key.size() || !in_name(key[behind]))) return true;
  }
  return false;
}

static void forget_term(RuleContext& rule, const std::string& term) {
  std::erase_if(rule.narrowed, [&](const std::string& key) { return has_term(key, term); });
  std::erase_if(rule.known_cards, [&](const KnownCard& known) { return has_term(known.key, term); });
}

void forget_variable(RuleContext& rule, std::uint32_t variable) { forget_term(rule, fmt::format("v{}(", variable)); }

void forget(RuleContext& rule, const Expr* target) {
  if (target->kind == ExprKind::variable) return forget_variable(rule, target->ref);
  if (target->kind == ExprKind::element_at) return forget(rule, model::view::element_at(target).of());
  if (const std::string key = key_of(target); !key.empty()) forget_term(rule, key);
}

// Returns whether other rules can change the value. This is true for variables of the State, of events and of windows.
static bool is_stored(const std::string& key) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t i = 0; i + 1 < key.size(); ++i)
    if ((key[i] == 'v' || key[i] == 'f') && is_digit(key[i + 1])) return true;
  return false;
}

void forget_stored_cards(RuleContext& rule) {
  std::erase_if(rule.known_cards, [](const KnownCard& known) { return is_stored(known.key); });
}

// Returns whether the block can run other rules, because it calls an event, opens a window, or contains `proceed` or
// `ask`.
static bool lets_others_run(const RuleContext& rule, const Node* node) {
  if (!node) return false;
  const bool names_event = node->kind == NodeKind::call || node->kind == NodeKind::name_ref;
  if ((names_event && rule.sema.names.events.contains(node->text)) || node->kind == NodeKind::open_expr ||
      node->kind == NodeKind::proceed_stmt || node->kind == NodeKind::ask_stmt)
    return true;
  return std::any_of(node->children.begin(), node->children.end(),
                     [&](const Node* child) { return lets_others_run(rule, child); });
}

// Collects the names that a block assigns. For `p.purse.gold = 1`, it collects all three names, because each of them
// could be the variable.
static void assigned_names(const Node* node, std::set<std::string_view>& names) {
  if (!node) return;
  const auto place = [&](auto&& self, const Node* n) -> void {
    if (!n) return;
    if (n->kind == NodeKind::name_ref || n->kind == NodeKind::member) names.insert(n->text);
    if (n->kind == NodeKind::index || n->kind == NodeKind::member || n->kind == NodeKind::where_expr)
      self(self, n->children.empty() ? nullptr : n->children.front());
  };
  if (node->kind == NodeKind::assign_stmt) place(place, view::assign_stmt(node).place());
  if (node->kind == NodeKind::swap_stmt)
    for (const Node* side : {view::swap_stmt(node).left(), view::swap_stmt(node).right()}) place(place, side);
  for (const Node* child : node->children) assigned_names(child, names);
}

void forget_assigned(RuleContext& rule, const Node* block) {
  if (rule.narrowed.empty() && rule.known_cards.empty()) return;
  if (lets_others_run(rule, block)) forget_stored_cards(rule);
  std::set<std::string_view> names;
  assigned_names(block, names);
  const auto is_assigned = [&](std::string_view whole) {
    for (std::size_t dot = whole.find('.'); dot != std::string_view::npos; dot = whole.find('.', dot + 1))
      if (names.contains(whole.substr(0, dot))) return true;
    return names.contains(whole) || names.contains(whole.substr(whole.rfind('.') + 1));
  };
  for (std::uint32_t v = 0; v < rule.model.variables.size(); ++v)
    if (is_assigned(rule.model.variables[v].name)) forget_variable(rule, v);
  for (std::uint32_t l = 0; l < rule.body->locals.size(); ++l)
    if (is_assigned(rule.body->locals[l].name)) forget_term(rule, fmt::format("l{}", l));
  std::erase_if(rule.narrowed, [&](const std::string& key) {
    return !names.empty() && (key.find('f') != std::string::npos);   // `f` marks fields of windows and events
  });
}

}   // namespace cardwright::sema
