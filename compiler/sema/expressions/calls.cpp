// Checks calls of values, functions, events, windows and built-in functions: resolves the name, matches the arguments
// with the parameters and builds the call expression.
#include "compiler/sema/expressions/calls.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/parse/keyword_hints.h"
#include "compiler/sema/expressions/arguments.h"
#include "compiler/sema/expressions/boards.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/passing.h"
#include "compiler/sema/expressions/pieces.h"
#include "compiler/sema/expressions/players.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/expressions/texts.h"
#include "compiler/sema/operations/boards.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/operations/record_lists.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static const Expr* record_call(RuleContext& rule, const Node* node, const std::string& name, const Type& t,
                               bool statement);
static const Expr* given_record(RuleContext& rule, const Node* node, Expr* call, const Type& t, bool statement);
static const Expr* builtin(RuleContext& rule, const Node* node, std::string_view name, bool& known);

namespace {
std::vector<const Expr*> defaults(const std::vector<model::Parameter>& parameters) {
  std::vector<const Expr*> out;
  for (const model::Parameter& p : parameters) out.push_back(p.initial);
  return out;
}
bool any_poison(const std::vector<const Expr*>& args) {
  return std::any_of(args.begin(), args.end(), [](const Expr* a) { return is_poison(a); });
}
}   // namespace

const Expr* call(RuleContext& rule, const Node* node, bool statement) {
  if (!node->text.empty()) return call_named(rule, node, node->text, statement);
  const Node* called = view::call(node).callee();
  if (called && called->kind == NodeKind::member && view::member(called).of() && called->text == "edge" &&
      !rule.model.boards.empty() && view::call(node).arguments()) {
    const Expr* of = expr(rule, view::member(called).of());
    if (is_poison(of)) return of;
    if (board_of(rule.sema, of->type)) return edge_of(rule, of, node);
  }
  std::string help = "call values, functions and events by name: `draw(p, 2)`";
  if (called && called->kind == NodeKind::member && view::member(called).of()) {   // for example, `p.draw(2)`
    const bool more = view::call(node).arguments() && !view::call(node).arguments()->children.empty();
    const std::string known = habit(Spot::call, called->text);
    help = !known.empty()
               ? known
               : fmt::format("pass it as an argument: `{}({}{})`", called->text,
                             rule.sema.diagnostics.sources().text(view::member(called).of()->range), more ? ", …" : "");
  }
  error(rule.sema, "unknown_name"_code, node->range, "expression is not callable", help);
  return poison(rule.sema, node->range);
}

// The builtins, with their minimum and maximum number of arguments.
static const std::map<std::string_view, std::pair<int, int>>& builtins() {
  static const std::map<std::string_view, std::pair<int, int>> all = {{"size", {1, 1}},
                                                                      {"min", {2, 8}},
                                                                      {"max", {2, 8}},
                                                                      {"abs", {1, 1}},
                                                                      {"steps", {2, 2}},
                                                                      {"next_player", {1, 1}},
                                                                      {"previous_player", {1, 1}},
                                                                      {"seat_of", {1, 1}},
                                                                      {"seat", {1, 1}},
                                                                      {"number_of", {1, 1}},
                                                                      {"busy", {1, 1}},
                                                                      {"rotate", {2, 2}},
                                                                      {"footprint", {2, 3}}};
  return all;
}

// Returns whether a rule can call a builtin with this name.
static bool is_builtin(const RuleContext& rule, std::string_view name) {
  return builtins().contains(name) && (name != "busy" || rule.scenario) &&
         (name != "rotate" || std::any_of(rule.model.boards.begin(), rule.model.boards.end(),
                                          [](const model::Board& b) { return !b.graph; })) &&
         (name != "footprint" || !rule.model.boards.empty());
}

static std::vector<std::string> names_of_callables(const RuleContext& rule) {
  std::vector<std::string> names;
  for (const auto& [n, arity] : builtins())
    if (is_builtin(rule, n)) names.emplace_back(n);
  for (const auto& [n, id] : rule.sema.names.events) names.push_back(n);
  for (const Table* t : {&rule.sema.names.values, &rule.sema.names.functions})
    for (const auto& [n, id] : *t) names.push_back(n);
  return names;
}

static const Node* arguments_of(const Node* node) {
  return node->kind == NodeKind::call ? view::call(node).arguments() : nullptr;
}

static const Expr* call_of_event(RuleContext& rule, const Node* node, std::string_view name, std::uint32_t id,
                                 bool statement) {
  const Node* list = arguments_of(node);
  const model::Event& e = rule.model.events[id];
  if (e.kind != model::EventKind::plain) {
    error(rule.sema, "wrong_arguments"_code, node->range,
          fmt::format("`{}` is part of the game flow and can't be called", name));
    return poison(rule.sema, node->range);
  }
  rule.sema.used.insert(std::string(name));
  if (!effect(rule, node->range, fmt::format("`{}`", name))) return poison(rule.sema, node->range);
  std::vector<const Expr*> args =
      arguments(rule, node, list, rule.sema.rules.events[id], defaults(e.parameters), name, true);
  if (any_poison(args)) return poison(rule.sema, node->range);
  Type result = rule.model.events[id].result;
  if (rule.model.events[id].returns_optional && result.kind != TypeKind::nothing && result.kind != TypeKind::set)
    result.optional = true;
  Expr* c = make(rule.sema, ExprKind::call_event, result, node->range, std::move(args));
  c->ref = id;
  forget_stored_cards(rule);
  return record_in(rule.sema, result) ? given_record(rule, node, c, result, statement) : c;
}

static const Expr* call_of_value(RuleContext& rule, const Node* node, std::string_view name, std::uint32_t id,
                                 bool statement) {
  const Node* list = arguments_of(node);
  rule.sema.used.insert(std::string(name));
  if (statement) {
    error(rule.sema, "side_effect"_code, node->range, fmt::format("unused result of the value `{}`", name),
          fmt::format("`let x = {}(…)`", name));
    return poison(rule.sema, node->range);
  }
  rule.sema.builders.value(rule.sema, id);
  std::vector<const Expr*> args =
      arguments(rule, node, list, rule.sema.rules.values[id], defaults(rule.model.values[id].parameters), name);
  if (any_poison(args)) return poison(rule.sema, node->range);
  const Type result = rule.model.values[id].result;
  if (result.kind == TypeKind::nothing) {
    error(rule.sema, "circular"_code, node->range, fmt::format("`{}` is recursive, so its type must be declared", name),
          fmt::format("`value {}(…): int = …`", name));
    return poison(rule.sema, node->range);
  }
  Expr* c = make(rule.sema, ExprKind::call_value, result, node->range, std::move(args));
  c->ref = id;
  return c;
}

static const Expr* call_of_function(RuleContext& rule, const Node* node, std::string_view name, std::uint32_t id,
                                    bool statement) {
  const Node* list = arguments_of(node);
  rule.sema.used.insert(std::string(name));
  if (statement) {
    error(rule.sema, "side_effect"_code, node->range, fmt::format("unused result of the function `{}`", name));
    return poison(rule.sema, node->range);
  }
  const bool walked = std::exchange(rule.walked, nullptr) == node;
  rule.sema.builders.function(rule.sema, id);
  std::vector<const Expr*> args =
      arguments(rule, node, list, rule.sema.rules.functions[id], defaults(rule.model.functions[id].parameters), name);
  if (any_poison(args)) return poison(rule.sema, node->range);
  const Type result = rule.model.functions[id].result;
  if (result.kind == TypeKind::nothing) {
    error(rule.sema, "circular"_code, node->range,
          fmt::format("`{}` is recursive, so its type must be declared", name));
    return poison(rule.sema, node->range);
  }
  Expr* c = make(rule.sema, ExprKind::call_function, result, node->range, std::move(args));
  c->ref = id;
  give_locals(rule, c);
  return is_sequence(rule, c) && !walked ? not_a_value(rule.sema, c) : c;
}

// Returns help text for a call of a name that is not callable.
static std::string unknown_call_help(const RuleContext& rule, std::string_view name, bool statement) {
  const SemaContext& sema = rule.sema;
  std::string help = habit(Spot::call, name);
  if (help.empty()) help = did_you_mean(name, names_of_callables(rule));
  if (sema.names.windows.contains(name))
    help = fmt::format("`{}` is a window: `open {}(…)`", name, name);
  else if (sema.names.actions.contains(name))
    help = fmt::format("`{}` is an action: only players can take it", name);
  else if (statement && (name == "eliminate" || name == "reveal" || name == "shuffle" || name == "peek" ||
                         name == "log" || name == "winners"))
    help = fmt::format("`{0}` is a statement without parentheses: `{0} {1}`", name,
                       name == "log"                              ? "\"…\""
                       : name == "eliminate" || name == "winners" ? "p"
                                                                  : "c");
  return help;
}

// Reports that no callable has this name.
static const Expr* report_not_callable(RuleContext& rule, const Node* node, std::string_view name, bool statement) {
  const Node* list = arguments_of(node);
  const Range at{node->range.source, node->range.begin, node->range.begin + static_cast<std::uint32_t>(name.size())};
  if (const std::string boards = rule.sema.ruleset.several_boards ? of_which_board(rule.sema, name) : "";
      !boards.empty()) {
    error(rule.sema, "ambiguous_name"_code, at, fmt::format("ambiguous name `{}`: several boards declare it", name),
          boards);
    return poison(rule.sema, node->range);
  }
  error(
      rule.sema, "unknown_name"_code, node->kind == NodeKind::call ? at : node->range,
      statement ? fmt::format("unknown event `{}`", name) : fmt::format("unknown value, function or event `{}`", name),
      unknown_call_help(rule, name, statement));
  if (list)
    for (const Node* a : list->children) expr(rule, a);
  return poison(rule.sema, node->range);
}

const Expr* call_named(RuleContext& rule, const Node* node, std::string_view name, bool statement) {
  if (auto handed = rule.rules.find(name); handed != rule.rules.end())
    return call_passed(rule, node, name, handed->second);
  if (auto of = rule.sema.rules.with_rules.find(name); of != rule.sema.rules.with_rules.end())
    return call_with_rules(rule, node, of->second);
  const auto value = rule.sema.names.values.find(name);
  const auto function = rule.sema.names.functions.find(name);
  const auto event = rule.sema.names.events.find(name);
  if (auto record = rule.sema.names.records.find(name);
      record != rule.sema.names.records.end() && node->kind == NodeKind::call && !statement)
    return construct(rule, node, record->second);
  if (auto gives = rule.sema.records.given.find(name); gives != rule.sema.records.given.end())
    return record_call(rule, node, gives->first, gives->second, statement);
  if (event != rule.sema.names.events.end() &&
      (statement || (value == rule.sema.names.values.end() && function == rule.sema.names.functions.end()))) {
    return call_of_event(rule, node, name, event->second.front(), statement);
  }
  if (value != rule.sema.names.values.end()) return call_of_value(rule, node, name, value->second, statement);
  if (function != rule.sema.names.functions.end())
    return call_of_function(rule, node, name, function->second, statement);
  bool known = false;
  if (const Expr* b = builtin(rule, node, name, known); known) {
    if (statement) error(rule.sema, "side_effect"_code, node->range, fmt::format("unused result of `{}`", name));
    return b;
  }
  if (silent_if_absent(rule, node)) return poison(rule.sema, node->range);
  return report_not_callable(rule, node, name, statement);
}

// Calls a value or function that returns a record. There is one call per field.
static const Expr* record_call(RuleContext& rule, const Node* node, const std::string& name, const Type& t,
                               bool statement) {
  if (statement) {
    error(rule.sema, "side_effect"_code, node->range, fmt::format("unused result of `{}`", name),
          fmt::format("`let x = {}(…)`", name));
    return poison(rule.sema, node->range);
  }
  const std::string leaf = leaves_of(rule.sema, t, name)[0].name;
  const bool is_value = rule.sema.names.values.contains(leaf);
  const std::uint32_t first = (is_value ? rule.sema.names.values : rule.sema.names.functions).find(leaf)->second;
  const std::vector<const Expr*> args = arguments(
      rule, node, node->kind == NodeKind::call ? view::call(node).arguments() : nullptr,
      is_value ? rule.sema.rules.values[first] : rule.sema.rules.functions[first],
      defaults(is_value ? rule.model.values[first].parameters : rule.model.functions[first].parameters), name);
  if (any_poison(args)) return poison(rule.sema, node->range);
  for (const Expr* a : args)
    if (!has_no_effects(rule.sema, a)) return poison(rule.sema, node->range);
  return spread(rule.sema, name, t, node->range, [&](const std::string& leaf, const Type& type) {
    const std::uint32_t id = (is_value ? rule.sema.names.values : rule.sema.names.functions).find(leaf)->second;
    rule.sema.used.insert(leaf);
    if (is_value)
      rule.sema.builders.value(rule.sema, id);
    else
      rule.sema.builders.function(rule.sema, id);
    Expr* c = make(rule.sema, is_value ? ExprKind::call_value : ExprKind::call_function, type, node->range, args);
    c->ref = id;
    return c;
  });
}

// Builds the value of a `let`, an assignment or a `return`. If the entire value is a call that returns a record, the
// call becomes a statement in `out`.
const Expr* value_in_statement(RuleContext& rule, const Node* node, const Type* expected, Block& out) {
  const Node* const outer = std::exchange(rule.statement_value, node);
  Block* const outer_block = std::exchange(rule.statement_block, &out);
  const Expr* e = expr(rule, node, expected);
  rule.statement_value = outer;
  rule.statement_block = outer_block;
  return e;
}

// Calls an event or window that returns a record. The call is evaluated only once, and locals store the fields of the
// record.
static const Expr* given_record(RuleContext& rule, const Node* node, Expr* call, const Type& t, bool statement) {
  if (statement) return call;
  if (rule.statement_value != node) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("the record that {} returns must be stored with `let` before it is used",
                      call->kind == ExprKind::open_window ? "a window" : "an event"),
          "`let x = …`, then `x.…`");
    return poison(rule.sema, node->range);
  }
  std::vector<const Expr*> exprs =
      fields_of(is_record_list(rule.sema, t) ? no_records(rule.sema, t, node->range) : initial_of(rule.sema, t));
  exprs.insert(exprs.begin(), call);
  Stmt* s = emit(rule.sema, *rule.statement_block, StmtKind::let_given, node->range, std::move(exprs));
  return spread(rule.sema, "", t, node->range, [&](const std::string& name, const Type& type) {
    const LocalId id = add_local(rule, name, type, node->range);
    if (!s->local.valid()) s->local = id;
    return local(rule, id, node->range);
  });
}

static const Expr* minimum_or_maximum(RuleContext& rule, bool least, const std::vector<const Node*>& nodes,
                                      Range range) {
  const Expr* all = to_amount(rule, expr(rule, nodes[0]));
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Expr* x = to_amount(rule, expr(rule, nodes[i]));
    if (is_poison(all) || is_poison(x)) return poison(rule.sema, range);
    if (is_duration(all->type) != is_duration(x->type)) {
      error(rule.sema, "wrong_type"_code, x->range,
            fmt::format("can't compare `{}` with `{}`", show(rule.sema, all->type), show(rule.sema, x->type)),
            "add a unit: `300 ms`, `2 s`");
      return poison(rule.sema, range);
    }
    Type t = least ? integer_type(std::min(all->type.lo, x->type.lo), std::min(all->type.hi, x->type.hi))
                   : integer_type(std::max(all->type.lo, x->type.lo), std::max(all->type.hi, x->type.hi));
    t.ref = all->type.ref;
    all = make(rule.sema, least ? ExprKind::minimum : ExprKind::maximum, t, range, {all, x});
  }
  return all;
}

static const Expr* absolute(RuleContext& rule, const Node* of, Range range) {
  const Expr* x = integer(rule, of);
  if (is_poison(x)) return x;
  return make(rule.sema, ExprKind::absolute, integer_type(0, std::max(std::abs(x->type.lo), std::abs(x->type.hi))),
              range, {x});
}

static const Expr* seat_numbered(RuleContext& rule, const Node* of, Range range) {
  auto n = tree_int(rule.sema, of, false);
  if (!n) {   // seat numbers wrap around after the last seat
    const Expr* number = integer(rule, of);
    if (is_poison(number)) return number;
    const Expr* from_0 =
        make(rule.sema, ExprKind::subtract, integer_type(), range, {number, integer_constant(rule.sema, 1, range)});
    return make(rule.sema, ExprKind::modulo, player_type(), range,
                {from_0, integer_constant(rule.sema, rule.sema.players, range)});
  }
  if (*n < 1 || *n > rule.sema.players) {
    error(rule.sema, "out_of_range"_code, of->range,
          fmt::format("seat out of range; expected 1 to {}", rule.sema.players));
    return poison(rule.sema, range);
  }
  return constant(rule.sema, player_type(), *n - 1, range);
}

static const Expr* number_of(RuleContext& rule, const Node* of, Range range) {
  const Expr* e = expr(rule, of);
  if (is_poison(e)) return e;
  if (e->type.kind == TypeKind::player)
    return make(rule.sema, ExprKind::seat_of, integer_type(0, rule.sema.players - 1), range, {e});
  if (e->type.kind != TypeKind::enumeration) return to_int(rule, e);
  return make(rule.sema, ExprKind::number_of, e->type.optional ? with_none(integer_type()) : integer_type(), range,
              {e});
}

static const Expr* builtin(RuleContext& rule, const Node* node, std::string_view name, bool& known) {
  known = is_builtin(rule, name);
  if (!known) return nullptr;
  const auto [least, most] = builtins().at(name);
  std::vector<const Node*> nodes;
  if (node->kind == NodeKind::call && view::call(node).arguments())
    for (const Node* a : view::call(node).arguments()->children)
      if (a) nodes.push_back(a->kind == NodeKind::arg ? view::arg(a).value() : a);
  if (static_cast<int>(nodes.size()) < least || static_cast<int>(nodes.size()) > most) {
    error(rule.sema, "wrong_arguments"_code, node->range,
          fmt::format("`{}` takes {} argument{}, found {}", name,
                      least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most),
                      most == 1 ? "" : "s", nodes.size()));
    return poison(rule.sema, node->range);
  }
  if (name == "size") return size_of(rule, expr(rule, nodes[0]), node->range);
  if (name == "footprint") return footprint_call(rule, nodes, node->range);
  if (name == "min" || name == "max") return minimum_or_maximum(rule, name == "min", nodes, node->range);
  if (name == "abs") return absolute(rule, nodes[0], node->range);
  if (name == "seat") return seat_numbered(rule, nodes[0], node->range);
  if (name == "number_of") return number_of(rule, nodes[0], node->range);
  if (name == "rotate") return rotated(rule, expr(rule, nodes[0]), integer(rule, nodes[1]), node->range);
  const Expr* a = player(rule, nodes[0]);
  if (is_poison(a)) return a;
  if (name == "busy") return make(rule.sema, ExprKind::race_busy, duration_type(), node->range, {a});
  if (name == "next_player") return make(rule.sema, ExprKind::next_player, player_type(), node->range, {a});
  if (name == "previous_player") return make(rule.sema, ExprKind::previous_player, player_type(), node->range, {a});
  if (name == "seat_of")
    return make(rule.sema, ExprKind::seat_of, integer_type(0, rule.sema.players - 1), node->range, {a});
  const Expr* b = player(rule, nodes[1]);
  if (is_poison(b)) return b;
  return make(rule.sema, ExprKind::steps, integer_type(0, rule.sema.players), node->range, {a, b});
}

const Expr* open_window(RuleContext& rule, const Node* node, bool as_truth) {
  if (!effect(rule, node->range, "opening a window")) return poison(rule.sema, node->range);
  auto it = rule.sema.names.windows.find(node->text);
  if (it == rule.sema.names.windows.end() || rule.model.windows[it->second].phase) {
    if (silent_if_absent(rule, node)) return poison(rule.sema, node->range);
    std::vector<std::string> names;
    for (const auto& [n, id] : rule.sema.names.windows)
      if (!rule.model.windows[id].phase) names.push_back(n);
    error(rule.sema, "unknown_name"_code, node->range,
          it == rule.sema.names.windows.end() ? fmt::format("unknown window `{}`", node->text)
                                              : fmt::format("`{}` is a phase, which can't be opened", node->text),
          did_you_mean(node->text, names));
    return poison(rule.sema, node->range);
  }
  rule.sema.used.insert("window " + std::string(node->text));
  const std::uint32_t id = it->second;
  std::vector<const Expr*> args = arguments(rule, node, view::open_expr(node).arguments(), rule.sema.rules.windows[id],
                                            defaults(rule.model.windows[id].parameters), node->text);
  if (any_poison(args)) return poison(rule.sema, node->range);
  const Type result = rule.model.windows[id].result;
  const bool truth = result.kind == TypeKind::nothing || (as_truth && result.kind != TypeKind::boolean);
  Expr* e = make(rule.sema, ExprKind::open_window, truth ? boolean_type() : result, node->range, std::move(args));
  e->ref = id;
  e->value = truth ? 0 : 1;
  forget_stored_cards(rule);
  return record_in(rule.sema, e->type) ? given_record(rule, node, e, result, false) : e;
}

const Expr* proceed(RuleContext& rule, const Node* node, bool statement) {
  if (!rule.instead || !rule.event) {
    error(rule.sema, "misplaced"_code, node->range, "`proceed` is allowed only in an `instead of`",
          "it runs the event that the rule replaces");
    return poison(rule.sema, node->range);
  }
  const std::uint32_t id = *rule.event;
  std::vector<const Expr*> args;
  if (view::proceed_stmt(node).arguments() && !view::proceed_stmt(node).arguments()->children.empty()) {
    std::vector<const Expr*> none(rule.sema.rules.events[id].names.size(), nullptr);
    args = arguments(rule, node, view::proceed_stmt(node).arguments(), rule.sema.rules.events[id], none, "proceed");
    if (any_poison(args)) return poison(rule.sema, node->range);
  }
  Type result = rule.model.events[id].result;
  if (rule.model.events[id].returns_optional && result.kind != TypeKind::nothing && result.kind != TypeKind::set)
    result.optional = true;
  Expr* e = make(rule.sema, ExprKind::proceed, result, node->range, std::move(args));
  forget_stored_cards(rule);
  return record_in(rule.sema, result) ? given_record(rule, node, e, result, statement) : e;
}

const Expr* may_expr(RuleContext& rule, const Node* node) {
  const view::may_expr its(node);
  if (!effect(rule, node->range, "a question")) return poison(rule.sema, node->range);
  const Expr* who = decider(rule, its.decider(), node->range);
  if (is_poison(who)) return who;
  Expr* e = make(rule.sema, ExprKind::may, boolean_type(), node->range,
                 {convert(rule, who, player_type(true)), question_text(rule, its.question())});
  return e;
}

const Expr* knows_expr(RuleContext& rule, const Node* node) {
  const view::knows_expr its(node);
  const Expr* who = player(rule, its.who());
  const Node* what = its.what();
  if (is_poison(who) || !what) return poison(rule.sema, node->range);
  const auto result = [&](const Expr* e) { return node->number ? negated(rule.sema, e) : e; };
  if (what->kind == NodeKind::top_expr && what->text == "top" && !view::top_expr(what).count()) {
    auto w = zone_place(rule, view::top_expr(what).zone(), true);
    if (!w) return poison(rule.sema, node->range);
    Expr* e = make(rule.sema, ExprKind::knows_top, boolean_type(), node->range, {who, w->place.owner, w->place.copy});
    e->ref = w->place.zone.index;
    return result(e);
  }
  const Expr* of = expr(rule, what);
  if (is_poison(of)) return of;
  if (of->type.kind != TypeKind::card &&
      !(of->type.kind == TypeKind::set && element_type(of->type).kind == TypeKind::card)) {
    error(rule.sema, "wrong_type"_code, what->range, "expected a card or a set of cards");
    return poison(rule.sema, node->range);
  }
  return result(make(rule.sema, ExprKind::knows, boolean_type(), node->range, {who, of}));
}

}   // namespace cardwright::sema
