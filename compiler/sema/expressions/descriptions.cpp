// Resolves descriptions of cards, players and values in scenarios to seats, card matches and constants. Examples of
// descriptions are `Chip(worth: 3)`, `nine of spades`, `a` and `everyone`.
#include "compiler/sema/expressions/descriptions.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "compiler/sema/expressions/card_attributes.h"
#include "compiler/sema/expressions/evaluate.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/options/written.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static const Expr* are_as_described(RuleContext& rule, const Node* of, const Node* description, Range range);
static std::optional<ConstantValue> constant_value(SemaContext& sema, const Node* node, const Type& expected,
                                                   bool report);

std::optional<Int> seat(SemaContext& sema, const Node* node, bool report) {
  if (!node) return std::nullopt;
  if (node->kind == NodeKind::name_ref && node->text.size() == 1 && node->text[0] >= 'a' && node->text[0] <= 'z') {
    const Int s = node->text[0] - 'a';
    if (s < sema.players) return s;
    if (report)
      error(sema, "bad_scenario"_code, node->range,
            fmt::format("unknown player `{}`: the game has {} players", node->text, sema.players));
    return std::nullopt;
  }
  if (report)
    error(sema, "bad_scenario"_code, node->range, "expected a player", "players are named a, b, c, … clockwise");
  return std::nullopt;
}

// The partial result of resolving a description such as `Miss`, `a Ducky`, `Card(rank: 3)` or `eight of spades`.
struct Description {
  RuleContext& rule;
  bool report;
  model::CardMatch match = {};
};

// Adds a constant such as `red` to the description. Finds the attribute whose enum contains it.
static bool attribute_constant(Description& d, std::string_view name, Range range) {
  auto it = d.rule.sema.names.constants.find(name);
  std::vector<std::pair<model::AttributeId, Int>> found;
  if (it != d.rule.sema.names.constants.end())
    for (const auto& [e, i] : it->second)
      for (std::uint32_t t = 0; t < d.rule.sema.types.cards.size(); ++t)
        for (model::AttributeId a : d.rule.sema.types.cards[t].own)
          if (d.rule.model.attributes[a.index].type.kind == TypeKind::enumeration &&
              d.rule.model.attributes[a.index].type.ref == e)
            found.push_back({a, i});
  if (found.size() == 1) {
    d.match.attributes.push_back(found[0]);
    return true;
  }
  if (!d.report) return false;
  if (silent_if_absent(d.rule, name, range)) return false;
  std::vector<std::string> names;
  for (const auto& [n, id] : d.rule.sema.names.kinds) names.push_back(n);
  for (const auto& [n, c] : d.rule.sema.names.constants) names.push_back(n);
  error(d.rule.sema, "bad_scenario"_code, range,
        found.empty() ? fmt::format("unknown card `{}`", name)
                      : fmt::format("ambiguous `{}`: several attributes of cards can have this value", name),
        found.empty() ? did_you_mean(name, names) : "");
  return false;
}

// Adds a number, as in `red 5`, to the description. Finds the attribute whose range contains it.
static bool attribute_number(Description& d, const Node* n) {
  std::set<model::AttributeId> found;
  for (std::uint32_t t = 0; t < d.rule.sema.types.cards.size(); ++t)
    for (model::AttributeId a : d.rule.sema.types.cards[t].own)
      if (const Type& type = d.rule.model.attributes[a.index].type;
          type.kind == TypeKind::integer && n->number >= type.lo && n->number <= type.hi)
        found.insert(a);
  if (found.size() == 1)
    d.match.attributes.push_back({*found.begin(), n->number});
  else if (d.report)
    error(d.rule.sema, "bad_scenario"_code, n->range,
          found.empty() ? fmt::format("no attribute of a card can be {}", n->number)
                        : fmt::format("ambiguous {}: several attributes of cards can have this value", n->number),
          "name the attribute: `Card(rank: 3)`");
  return found.size() == 1;
}

static bool kind_or_constant(Description& d, std::string_view name, Range range) {
  if (auto k = d.rule.sema.names.kinds.find(name); k != d.rule.sema.names.kinds.end() && k->second != ~0u) {
    d.match.kind = model::KindId{k->second};
    return true;
  }
  if (auto t = d.rule.sema.names.card_types.find(name);
      t != d.rule.sema.names.card_types.end() && d.rule.sema.types.cards[t->second].implicit) {
    d.match.kind = *d.rule.sema.types.cards[t->second].implicit;
    return true;
  }
  return attribute_constant(d, name, range);
}

static bool attribute(Description& d, std::string_view name, const Node* value, Range range) {
  const std::uint32_t of = d.match.kind ? d.rule.model.kinds[d.match.kind->index].type.index : ~0u;
  for (const WrittenPart& p : written_attribute(d.rule.sema, composed_attribute(d.rule.sema, of, name), name, value)) {
    std::optional<model::AttributeId> id;
    for (std::uint32_t t = 0; t < d.rule.sema.types.cards.size() && !id; ++t)
      id = attribute_of_type(d.rule.sema, {d.match.kind ? of : t}, p.name);
    if (!id && d.report) error(d.rule.sema, "unknown_member"_code, range, fmt::format("unknown attribute `{}`", name));
    const auto v = id ? attribute_value(d.rule.sema, *id, p.value) : std::nullopt;
    if (!v) return false;
    d.match.attributes.push_back({*id, *v});
  }
  return true;
}

// Resolves one argument of `Card(rank: 3)` or one word of `red 5`.
static bool described(Description& d, std::span<Node* const> args, const Node* a) {
  if (a->kind == NodeKind::arg && !a->text.empty()) {
    if (!attribute(d, a->text, view::arg(a).value(), a->range)) return false;
    return true;
  }
  const Node* x = a->kind == NodeKind::arg ? view::arg(a).value() : a;
  const std::vector<std::string> order =
      d.match.kind ? attributes_in_order(d.rule.sema, d.rule.model.kinds[d.match.kind->index].type.index)
                   : std::vector<std::string>{};
  const std::size_t position = static_cast<std::size_t>(std::find(args.begin(), args.end(), a) - args.begin());
  if (x && x->kind == NodeKind::number && !d.match.kind) {
    if (!attribute_number(d, x)) return false;
  } else if (x && x->kind == NodeKind::name_ref && !d.match.kind) {
    if (!attribute_constant(d, x->text, x->range)) return false;
  } else if (position < order.size()) {
    if (!attribute(d, order[position], x, a->range)) return false;
  } else {
    if (d.report)
      error(d.rule.sema, "bad_scenario"_code, a->range, "this value needs the name of an attribute", "`Card(rank: 3)`");
    return false;
  }
  return true;
}

// Finds the card that has this label.
static bool match_label(Description& d, const Node* node) {
  const auto found = std::find_if(d.rule.model.kinds.begin(), d.rule.model.kinds.end(),
                                  [&](const model::Kind& k) { return k.label == node->text; });
  if (found != d.rule.model.kinds.end()) {
    d.match.kind = model::KindId{static_cast<std::uint32_t>(found - d.rule.model.kinds.begin())};
    return true;
  }
  if (d.report) {
    std::vector<std::string> labels;
    for (const model::Kind& k : d.rule.model.kinds) labels.push_back(k.label);
    const bool has_parts = std::any_of(d.rule.model.card_types.begin(), d.rule.model.card_types.end(),
                                       [](const model::CardType& t) { return t.label.find('{') != t.label.npos; });
    std::string help = did_you_mean(node->text, labels);
    if (help.empty() && has_parts)
      help = "if the label contains expressions in braces, write the card's attributes instead: `red five`";
    error(d.rule.sema, "bad_scenario"_code, node->range, fmt::format("unknown card label \"{}\"", node->text), help);
  }
  return false;
}

std::optional<model::CardMatch> card_match(RuleContext& rule, const Node* node, bool report) {
  if (!node) return std::nullopt;
  Description d{rule, report};
  d.match.range = node->range;
  switch (node->kind) {
    case NodeKind::name_ref:
      if (!kind_or_constant(d, node->text, node->range)) return std::nullopt;
      return d.match;
    case NodeKind::scenario_card:
    case NodeKind::call: {
      if (!kind_or_constant(d, node->text, node->range)) return std::nullopt;
      std::span<Node* const> args = node->children;
      if (node->kind == NodeKind::call && view::call(node).arguments()) args = view::call(node).arguments()->children;
      for (const Node* a : args)
        if (a && !described(d, args, a)) return std::nullopt;
      return d.match;
    }
    case NodeKind::string: return match_label(d, node) ? std::optional(d.match) : std::nullopt;
    default:
      if (report) error(rule.sema, "bad_scenario"_code, node->range, "expected a card", "`Miss`, `a Ducky`");
      return std::nullopt;
  }
}

const Expr* cards_that_match(SemaContext& sema, const model::CardMatch& match) {
  sema.builders.cards(sema);
  Expr* e = make(sema, ExprKind::set_constant, set_type(card_type()), match.range);
  std::set<Int> kinds;
  for (std::size_t c = 0; c < sema.model.cards.size(); ++c) {
    const model::Card& card = sema.model.cards[c];
    if (match.kind && card.kind != *match.kind) continue;
    if (std::all_of(match.attributes.begin(), match.attributes.end(),
                    [&](const auto& a) { return card.attributes[a.first.index] == a.second; }))
      e->values.push_back(static_cast<Int>(c)), kinds.insert(Int{card.kind.index});
  }
  e->type = set_type(card_of_kinds(sema, {kinds.begin(), kinds.end()}));
  return e;
}

// Resolves a description that is the key of a table in an assertion, as in `laid_by[Ladder]`. It must match exactly one
// card.
const Expr* card_as_key(RuleContext& rule, const Node* node, const Type& key) {
  const bool name =
      (node->kind == NodeKind::name_ref && !find_binding(rule, node->text)) || node->kind == NodeKind::call;
  const bool named =
      node->kind == NodeKind::scenario_card ||
      (name && (rule.sema.names.kinds.contains(node->text) || rule.sema.names.card_types.contains(node->text)));
  if (!named) return convert(rule, expr(rule, node, &key), key, "the index");
  const auto match = card_match(rule, node);
  if (!match) return poison(rule.sema, node->range);
  const Expr* cards = cards_that_match(rule.sema, *match);
  if (cards->values.size() == 1) return constant(rule.sema, key, cards->values[0], node->range);
  error(rule.sema, "bad_scenario"_code, node->range,
        cards->values.empty()
            ? fmt::format("no card of the game matches `{}`", written(rule.sema, node))
            : fmt::format("ambiguous key: {} cards match, and each has its own entry", cards->values.size()));
  return poison(rule.sema, node->range);
}

// Returns all cards that match a description in an assertion, such as `Chip(worth: 3)`, `a Ducky` or `nine of spades`.
// Returns null if the node does not describe a card.
const Expr* such_cards(RuleContext& rule, const Node* node) {
  if (!rule.scenario || !node) return nullptr;
  const bool named = node->kind == NodeKind::call &&
                     (rule.sema.names.kinds.contains(node->text) || rule.sema.names.card_types.contains(node->text));
  if (!named && node->kind != NodeKind::scenario_card) return nullptr;
  const auto match = card_match(rule, node);
  if (!match) return poison(rule.sema, node->range);
  const Expr* cards = cards_that_match(rule.sema, *match);
  if (!cards->values.empty()) return cards;
  error(rule.sema, "bad_scenario"_code, node->range,
        fmt::format("no card of the game matches `{}`", rule.sema.diagnostics.sources().text(node->range)));
  return poison(rule.sema, node->range);
}

// Handles `top of bag == Chip(worth: 3)` and `laid == [Chip(worth: 3), Net]`. The order of the cards matters in a list,
// but not in a set. Returns null if neither operand describes cards.
const Expr* is_as_described(RuleContext& rule, const Node* l, const Node* r) {
  const auto describes = [](const Node* n) { return n->kind == NodeKind::call || n->kind == NodeKind::scenario_card; };
  const auto card = [&](const Node* n) { return describes(n) ? such_cards(rule, n) : nullptr; };
  for (const auto& [of, description] : {std::pair{l, r}, std::pair{r, l}}) {
    const Range range{l->range.source, l->range.begin, r->range.end};
    const auto named = [&](const Node* n) {
      return n && n->kind == NodeKind::name_ref && rule.sema.names.kinds.contains(n->text);
    };
    // Handles `top 2 of pool == [Net, Wasp]`.
    const bool of_top = rule.scenario && of->kind == NodeKind::top_expr && view::top_expr(of).count();
    if (of_top && description->kind == NodeKind::list_lit && !description->children.empty() &&
        std::all_of(description->children.begin(), description->children.end(), named))
      return are_as_described(rule, of, description, range);
    if (description->kind == NodeKind::list_lit &&
        std::any_of(description->children.begin(), description->children.end(),
                    [&](const Node* n) { return card(n) != nullptr; }))
      return are_as_described(rule, of, description, range);
    const Expr* such = card(description);
    if (!such) continue;
    const Expr* e = expr(rule, of);
    if (is_poison(such) || is_poison(e)) return poison(rule.sema, range);
    if (e->type.kind == TypeKind::card) return make(rule.sema, ExprKind::in_set, boolean_type(), range, {e, such});
    error(rule.sema, "bad_scenario"_code, range,
          fmt::format("can't compare a card with `{}`", show(rule.sema, e->type)),
          "write several cards as `[ ]`, or test for one card with `in`");
    return poison(rule.sema, range);
  }
  return nullptr;
}

static const Expr* are_as_described(RuleContext& rule, const Node* of, const Node* description, Range range) {
  const Expr* cards = collection(rule, of);
  std::vector<const Expr*> such;
  for (const Node* n : description->children) {
    const auto match = card_match(rule, n);
    such.push_back(match ? cards_that_match(rule.sema, *match) : poison(rule.sema, n->range));
    if (is_poison(such.back()) || is_poison(cards)) return poison(rule.sema, range);
  }
  if (element_type(cards->type).kind != TypeKind::card) {
    error(rule.sema, "bad_scenario"_code, of->range,
          fmt::format("can't compare cards with `{}`", show(rule.sema, cards->type)));
    return poison(rule.sema, range);
  }
  const Expr* all =
      make(rule.sema, ExprKind::equal, boolean_type(), range,
           {size_of(rule, cards, range), integer_constant(rule.sema, static_cast<Int>(such.size()), range)});
  for (std::size_t i = 0; i < such.size(); ++i) {
    if (cards->type.kind == TypeKind::list) {
      Expr* at = make(rule.sema, ExprKind::element_at, element_type(cards->type), range,
                      {cards, integer_constant(rule.sema, static_cast<Int>(i), range)});
      all = both(rule.sema, all, make(rule.sema, ExprKind::in_set, boolean_type(), range, {at, such[i]}));
      continue;
    }
    Int wanted = 0;
    for (const Expr* other : such) wanted += other->values == such[i]->values;
    for (const Expr* other : such)
      if (other->values != such[i]->values &&
          std::find_first_of(other->values.begin(), other->values.end(), such[i]->values.begin(),
                             such[i]->values.end()) != other->values.end()) {
        error(rule.sema, "bad_scenario"_code, range, "ambiguous descriptions: one card can match two of them",
              "add attributes so that no card matches two descriptions");
        return poison(rule.sema, range);
      }
    const Expr* found = size_of(rule, make(rule.sema, ExprKind::set_and, cards->type, range, {cards, such[i]}), range);
    all = both(
        rule.sema, all,
        make(rule.sema, ExprKind::equal, boolean_type(), range, {found, integer_constant(rule.sema, wanted, range)}));
  }
  return all;
}

std::vector<model::CardMatch> card_matches(RuleContext& rule, const Node* node) {
  std::vector<model::CardMatch> out;
  if (!node) return out;
  if (node->kind != NodeKind::list_lit) {
    if (auto m = card_match(rule, node)) out.push_back(*m);
    return out;
  }
  for (const Node* n : node->children)
    if (auto m = card_match(rule, n)) out.push_back(*m);
  return out;
}

std::optional<Int> scalar(SemaContext& sema, const Node* node, const Type* expected, bool report) {
  if (!node) return std::nullopt;
  if (node->kind == NodeKind::arg) node = view::arg(node).value();
  if (!node) return std::nullopt;
  if (expected && expected->kind == TypeKind::player && node->kind == NodeKind::name_ref && node->text.size() == 1)
    return seat(sema, node, report);
  if (!expected) {
    if (area_in(sema, node)) {
      const auto part = area_part(sema, node);
      return part ? std::optional(part->second) : std::nullopt;
    }
    if (auto s = seat(sema, node, false)) return s;
    if (auto n = tree_int(sema, node, false); n && node->kind != NodeKind::name_ref) return n;
    if (node->kind == NodeKind::name_ref)
      if (auto it = sema.names.constants.find(node->text); it != sema.names.constants.end())
        return it->second.front().second;
    if (auto f = tree_constant(sema, node, report)) return f->value;
    return std::nullopt;
  }
  auto v = constant_value(sema, node, *expected, report);
  if (!v) return std::nullopt;
  if (expected->kind == TypeKind::integer && v->value != kNone &&
      (v->value < expected->lo || v->value > expected->hi)) {
    if (report)
      error(sema, "out_of_range"_code, node->range,
            fmt::format("{} is out of range {}..{}", v->value, expected->lo, expected->hi));
    return std::nullopt;
  }
  return v->value;
}

std::optional<std::vector<Int>> elements_of(SemaContext& sema, const Node* node, const Type& set) {
  auto v = constant_value(sema, node, set, true);
  if (!v) return std::nullopt;
  const Type element = element_type(set);
  for (const Int x : v->values)
    if (element.kind == TypeKind::integer && (x < element.lo || x > element.hi)) {
      error(sema, "out_of_range"_code, node->range,
            fmt::format("{} is out of range {}..{}", x, element.lo, element.hi));
      return std::nullopt;
    }
  return v->values;
}

// Evaluates an expression whose value does not depend on a running game.
static std::optional<ConstantValue> constant_value(SemaContext& sema, const Node* node, const Type& expected,
                                                   bool report) {
  Body& body = sema.scratch.emplace_back();
  RuleContext rule(sema);
  rule.body = &body;
  rule.pure = true;
  rule.scenario = true;
  const Expr* e = convert(rule, expr(rule, node, &expected), expected);
  if (is_poison(e)) return std::nullopt;
  const auto result = evaluate(sema, *e);
  if (!result && report)
    error(sema, "bad_scenario"_code, node->range, "a given value must be constant",
          "use a number, a constant or a player");
  return result;
}

std::vector<Int> seats_of(SemaContext& sema, const Node* node) {
  std::vector<Int> seats;
  if (!node) return seats;
  if (node->kind == NodeKind::name_ref && (node->text == "everyone" || node->text == "players")) {
    for (Int p = 0; p < sema.players; ++p)
      if (node->text == "everyone" || !sema.scenarios.out.contains(p)) seats.push_back(p);
    return seats;
  }
  if (auto s = seat(sema, node)) seats.push_back(*s);
  return seats;
}

// Returns the area that contains the part, and the part's number.
std::optional<std::pair<std::uint32_t, Int>> area_part(SemaContext& sema, const Node* node) {
  const auto area = area_in(sema, node);
  if (!area) return std::nullopt;
  const AreaInfo& info = sema.areas.all[*area];
  if (info.single && info.each == 0) return std::pair{*area, Int{1}};
  if (one_each(info)) {
    const auto owner = seat(sema, view::member(node).of());
    return owner ? std::optional(std::pair{*area, *owner + 1}) : std::nullopt;
  }
  if (const auto per = sema.model.areas[*area].per) {
    const Type type = enum_type(per->index);
    const auto of = scalar(sema, view::index(node).keys(0), &type);
    return of ? std::optional(std::pair{*area, *of + 1}) : std::nullopt;
  }
  const auto whose = info.each > 0 ? seat(sema, view::member(view::index(node).of()).of()) : std::optional<Int>(0);
  auto n = tree_int(sema, view::index(node).keys(0));
  if (!n || !whose) return std::nullopt;
  const Int last = info.each > 0 ? info.each : info.count;
  if (*n < 1 || *n > last) {
    error(sema, "out_of_range"_code, view::index(node).keys(0)->range,
          fmt::format("index of `{}` out of range; expected 1 to {}", info.name, last));
    return std::nullopt;
  }
  return std::pair{*area, *whose * last + *n};
}

// Returns all cards that a name such as `Ladder` denotes in an assertion, if these can be on the board.
const Expr* cards_named(RuleContext& rule, const Node* node) {
  if (!rule.model.board_cards || (node->kind == NodeKind::name_ref && find_binding(rule, node->text))) return nullptr;
  if (node->kind != NodeKind::name_ref && node->kind != NodeKind::call && node->kind != NodeKind::scenario_card &&
      node->kind != NodeKind::string)
    return nullptr;
  const auto match = card_match(rule, node, false);
  if (!match) return nullptr;
  Expr* cards =
      make(rule.sema, ExprKind::set_constant,
           set_type(rule.model.board_cards->type.valid() ? card_type(rule.model.board_cards->type.index) : card_type()),
           node->range);
  cards->values = cards_that_match(rule.sema, *match)->values;
  return cards;
}

}   // namespace cardwright::sema
