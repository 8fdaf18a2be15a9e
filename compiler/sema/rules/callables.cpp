// Builds the bodies of callables: values, functions, sequences, events and windows.
#include "compiler/sema/rules/callables.h"

#include <fmt/format.h>

#include "compiler/sema/declarations/flow.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/bounds.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/operations/tables.h"
#include "compiler/sema/rules/timing.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/nothing.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static void check_table_value(SemaContext& sema, const model::Value& value);
static void build_sequence(RuleContext& rule, std::uint32_t index);
static void check_result(SemaContext& sema, std::uint32_t event, const Block& block);
static std::size_t variables_at_head(const Node* body);
static void declare_variables(RuleContext& rule, std::span<Node* const> nodes, Block& block,
                              std::vector<LocalId>& variables, Callable& of);

void bind_parameters(RuleContext& rule, const Callable& c) {
  for (std::uint32_t i = 0; i < c.names.size(); ++i) {
    if (c.hidden_me && i == 0)
      rule.me = LocalId{0};
    else
      rule.bindings.push_back({c.names[i], LocalId{i}, nullptr});
  }
  for (const auto& [first, whole] : c.records) {
    std::uint32_t at = static_cast<std::uint32_t>(first);
    const Expr* value = spread(rule.sema, whole.name, whole.type, rule.body->locals[at].range,
                               [&](const std::string&, const Type& type) {
                                 Expr* e = make(rule.sema, ExprKind::local, type, rule.body->locals[at].range);
                                 e->local = LocalId{at++};
                                 return e;
                               });
    rule.bindings.push_back({whole.name, LocalId{}, value});
  }
  rule.carrier = c.decl.carrier;
  rule.owner = c.decl.owner;
  rule.rules = c.rules;
}

// Returns the type for the inferred result of a value or function. Its numbers have no range, but parts of areas and
// durations retain their types.
Type of_any_size(Type t) {
  if (t.kind != TypeKind::integer || t.ref != ~std::uint32_t{0}) return t;
  t.lo = -kUnlimited;
  t.hi = kUnlimited;
  return t;
}

void build_value(SemaContext& sema, std::uint32_t index) {
  Callable& c = sema.rules.values[index];
  if (c.state != Callable::State::todo) return;
  c.state = Callable::State::doing;
  if (sema.model.values[index].timing) {
    build_timing(sema, index);
    sema.rules.values[index].state = Callable::State::done;
    return;
  }
  RuleContext rule(sema);
  rule.body = &sema.model.values[index].body;
  rule.pure = true;
  bind_parameters(rule, c);
  const Node* n = c.node;
  model::Value& v = sema.model.values[index];
  const Type declared = c.part.empty() ? v.result : c.gives;
  const bool known = declared.kind != TypeKind::nothing;
  rule.part = c.part;
  if (view::value_decl(n).base()) {
    const Expr* e = expr(rule, view::value_decl(n).base(), known ? &declared : nullptr);
    const Node* limits = view::value_decl(n).limits();
    if (known && limits && !limits->children.empty())
      e = convert(rule, e, declared, v.name);   // the range is checked after `at least` and `at most`
    else if (known)
      e = convert_in_bounds(rule, e, declared, v.name, result_name(v.name));
    v.base = known ? field_at(sema, e, c.part) : e;
    if (const Expr* none = known && !declared.optional && !is_poison(v.base) ? may_be_nothing(v.base) : nullptr)
      error(sema, "may_be_none"_code, none->range,
            fmt::format("this may be none, but `{}` is declared as `{}`", v.name, show(sema, declared)),
            fmt::format("add a fallback: `(…) or else 0`, or declare it `{}?`", show(sema, declared)));
    if (!known) {
      Type t = e->type;
      t = of_any_size(t);
      if (t.kind == TypeKind::nothing || record_in(sema, t)) {
        error(sema, "wrong_type"_code, name_range(sema, n), fmt::format("`{}` needs a type", v.name),
              fmt::format("`value {}(…): {} = …`", v.name, record_in(sema, t) ? show(sema, t) : "int"));
        t = plain_type(TypeKind::poison);
      }
      v.result = t;
    }
  } else if (view::value_decl(n).body()) {
    v.body.present = true;
    rule.result = declared;
    rule.result_of = v.name;
    rule.checks_result = declared.kind != TypeKind::integer;
    rule.infer_result = !known;
    Block block;
    statements(rule, view::value_decl(n).body(), block);
    model::Value& again = sema.model.values[index];
    again.body.block = std::move(block);
    if (!known) again.result = rule.infer_seen ? rule.result : plain_type(TypeKind::poison);
    if (!known) again.result = of_any_size(again.result);
    if (!leaves(again.body.block))
      error(sema, "no_result"_code, name_range(sema, n), fmt::format("`{}` may end without a `return`", again.name));
  } else {
    error(sema, "no_result"_code, name_range(sema, n), fmt::format("the value `{}` has no definition", n->text),
          fmt::format("`value {}(…): int = 0`", n->text));
    v.result = plain_type(TypeKind::poison);
  }
  if (view::value_decl(n).limits())
    for (const Node* clamp : view::value_decl(n).limits()->children) {
      if (!clamp) continue;
      const Expr* limit = integer(rule, view::clamp(clamp).limit());
      if (is_poison(limit)) continue;
      if (sema.model.values[index].result.kind != TypeKind::integer &&
          sema.model.values[index].result.kind != TypeKind::poison) {
        error(sema, "wrong_type"_code, clamp->range, fmt::format("`{}` needs a number", clamp->text));
        continue;
      }
      (clamp->text == "at least" ? sema.model.values[index].at_least : sema.model.values[index].at_most) = limit;
    }
  const model::Value& done = sema.model.values[index];
  if (done.result.kind == TypeKind::map) check_table_value(sema, done);
  if (done.kept && done.result.kind == TypeKind::list)
    error(sema, "unsupported"_code, done.range,
          fmt::format("a `kept` value can't be a list; the type of this one is `{}`", show(sema, done.result)),
          "remove `kept`, or use a set or a table: `kept value v: 0..9 per cell { … }`");
  c.state = Callable::State::done;
}

// Checks a value whose result is an entire table.
static void check_table_value(SemaContext& sema, const model::Value& value) {
  if (!fits_in_rule(sema, value.result, value.range)) return;
  if (!value.kept)
    error(sema, "wrong_type"_code, value.range,
          fmt::format("`{}` is a table, so each read would compute all its entries", value.name),
          fmt::format("`kept value {0}: …`, or `function {0}(): …`", value.name));
  else if (!value.parameters.empty())
    error(sema, "wrong_type"_code, value.range, fmt::format("`{}` is a table, so it can't have parameters", value.name),
          "use the parameter as the key: `kept value level: int per cell`, `level[c]`");
}

void build_function(SemaContext& sema, std::uint32_t index) {
  Callable& c = sema.rules.functions[index];
  if (c.state != Callable::State::todo) return;
  c.state = Callable::State::doing;
  Body body = sema.model.functions[index].body;   // a copy, because checking the body may add functions
  RuleContext rule(sema);
  rule.body = &body;
  rule.pure = true;
  bind_parameters(rule, c);
  const Node* n = c.node;
  if (n->kind == NodeKind::sequence_decl) return build_sequence(rule, index);
  const bool of_record = !sema.rules.functions[index].part.empty();
  const Type declared = of_record ? sema.rules.functions[index].gives : sema.model.functions[index].result;
  const bool known = declared.kind != TypeKind::nothing;
  Block block;
  Type found = of_record ? sema.model.functions[index].result : declared;
  rule.part = sema.rules.functions[index].part;
  if (view::function_decl(n).value()) {
    const Expr* e = expr(rule, view::function_decl(n).value(), known ? &declared : nullptr);
    if (known) e = field_at(sema, convert_in_bounds(rule, e, declared, n->text, result_name(n->text)), rule.part);
    if (const Expr* none = known && !declared.optional && !is_poison(e) ? may_be_nothing(e) : nullptr)
      error(sema, "may_be_none"_code, none->range,
            fmt::format("this may be none, but `{}` is declared as `{}`", n->text, show(sema, declared)),
            fmt::format("add a fallback: `(…) or else 0`, or declare it `{}?`", show(sema, declared)));
    else if (!known)
      found = of_any_size(e->type);
    emit(sema, block, StmtKind::return_value, view::function_decl(n).value()->range, {e});
  } else {
    rule.result = declared;
    rule.result_of = n->text;
    rule.infer_result = !known;
    statements(rule, view::function_decl(n).body(), block);
    if (!known) found = rule.infer_seen ? rule.result : plain_type(TypeKind::poison);
    if (view::function_decl(n).body() && !leaves(block))
      error(sema, "no_result"_code, name_range(sema, n), fmt::format("`{}` may end without a `return`", n->text));
  }
  if (found.kind == TypeKind::nothing || record_in(sema, found)) {
    error(sema, "wrong_type"_code, name_range(sema, n), fmt::format("`{}` needs a type", n->text),
          fmt::format("`function {}(…): {}`", n->text, record_in(sema, found) ? show(sema, found) : "int"));
    found = plain_type(TypeKind::poison);
  }
  model::Function& f = sema.model.functions[index];
  f.result = found;
  f.body = std::move(body);
  f.body.block = std::move(block);
  f.body.present = true;
  c.state = Callable::State::done;
}

static void build_sequence(RuleContext& rule, std::uint32_t index) {
  const Node* n = rule.sema.rules.functions[index].node;
  const Type result = rule.model.functions[index].result;
  rule.yields = rule.sema.rules.functions[index].gives.kind == TypeKind::record ? rule.sema.rules.functions[index].gives
                : result.elem                                                   ? *result.elem
                                                                                : plain_type(TypeKind::poison);
  rule.result_of = n->text;
  Block block;
  statements(rule, view::sequence_decl(n).body(), block);
  rule.model.functions[index].body = std::move(*rule.body);
  rule.model.functions[index].body.block = std::move(block);
  rule.model.functions[index].body.present = true;
  rule.sema.rules.functions[index].state = Callable::State::done;
}

void declare_event_variables(SemaContext& sema, std::uint32_t index) {
  Callable& c = sema.rules.events[index];
  if (c.state == Callable::State::done || !c.node || c.node->kind != NodeKind::event_decl) return;
  const Node* n = c.node;
  const Node* body = view::event_decl(n).body();
  model::Event& event = sema.model.events[index];
  if (!body) {
    if (event.result.kind != TypeKind::nothing)
      error(sema, "no_result"_code, name_range(sema, n),
            fmt::format("`{}` returns `{}`, but has no body", n->text, show(sema, event.result)));
    return;
  }
  RuleContext& rule = sema.rules.event_contexts.try_emplace(index, sema).first->second;
  rule.body = &event.body;
  rule.event = index;
  rule.result = event.result;
  rule.result_of = n->text;
  bind_parameters(rule, c);
  Block block;
  declare_variables(rule, std::span(body->children).first(variables_at_head(body)), block, event.variables, c);
  sema.model.events[index].body.block = std::move(block);
  sema.model.events[index].body.present = true;
}

void build_event(SemaContext& sema, std::uint32_t index) {
  const auto declared = sema.rules.event_contexts.find(index);
  if (declared == sema.rules.event_contexts.end()) return;   // the event has no body
  RuleContext& rule = declared->second;
  const Node* body = view::event_decl(sema.rules.events[index].node).body();
  rule.body = &sema.model.events[index].body;
  Block block = std::move(rule.body->block);
  statements(rule, body, block, variables_at_head(body));
  check_result(sema, index, block);
  sema.model.events[index].body.block = std::move(block);
}

static void check_result(SemaContext& sema, std::uint32_t event, const Block& block) {
  const Node* n = sema.rules.events[event].node;
  const Type& t = sema.model.events[event].result;
  if (t.kind != TypeKind::nothing && t.kind != TypeKind::poison && !t.optional && t.kind != TypeKind::set &&
      t.kind != TypeKind::list && !leaves(block))
    error(sema, "no_result"_code, name_range(sema, n),
          fmt::format("`{}` may end without a `return`, but returns `{}`", n->text, show(sema, t)),
          t.kind == TypeKind::boolean ? "end with `return false`" : "declare the result optional with `?`");
}

// Returns the number of `var` statements at the start of an event's body. They declare variables of the event.
static std::size_t variables_at_head(const Node* body) {
  std::size_t n = 0;
  // A table is a local of the body rather than a variable of the event.
  const auto is_table = [](const Node* let) {
    return view::let_stmt(let).type() && view::let_stmt(let).type()->kind == NodeKind::type_map;
  };
  const auto is_variable = [&](const Node* node) {
    return node && node->kind == NodeKind::let_stmt && view::let_stmt(node).variable() && !is_table(node);
  };
  while (is_variable(view::list(body).items(n))) ++n;
  return n;
}

// Declares the variables of a window or event. Other rules can use them while it runs.
static void declare_variables(RuleContext& rule, std::span<Node* const> nodes, Block& block,
                              std::vector<LocalId>& variables, Callable& of) {
  for (const Node* s : nodes) {
    const std::size_t before = block.size();
    let_stmt(rule, s, block);
    const auto is_part = [&](std::string_view local) {
      return local == s->text || (local.starts_with(s->text) && local.substr(s->text.size()).starts_with("."));
    };
    for (std::size_t i = before; i < block.size(); ++i)
      if (block[i]->kind == StmtKind::let && is_part(rule.body->locals[block[i]->local.index].name))
        variables.push_back(block[i]->local);
    if (const Binding* b = find_binding(rule, s->text); b && b->value && b->value->kind == ExprKind::record)
      name_records(rule.sema, b->value->type, std::string(s->text), of.composed);
  }
}

void declare_window_variables(SemaContext& sema, std::uint32_t index) {
  Callable& c = sema.rules.windows[index];
  if (c.state == Callable::State::done || !c.node || c.node->kind != NodeKind::window_decl) return;
  model::Window& window = sema.model.windows[index];
  RuleContext& rule = sema.rules.window_contexts.try_emplace(index, sema).first->second;
  rule.body = &window.body;
  rule.window = index;
  rule.result = window.result;
  rule.result_of = c.node->text;
  bind_parameters(rule, c);
  Block block;
  if (const Node* list = view::window_decl(c.node).body())
    for (Node* const& s : list->children) {
      if (!s || s->kind != NodeKind::field) continue;
      rule.tail = s == list->children.back();
      declare_variables(rule, {&s, 1}, block, window.variables, c);
    }
  sema.model.windows[index].body.block = std::move(block);
  sema.model.windows[index].body.present = true;
}

void build_window(SemaContext& sema, std::uint32_t index) {
  const auto declared = sema.rules.window_contexts.find(index);
  if (declared == sema.rules.window_contexts.end()) return;   // the window belongs to the game flow
  RuleContext& rule = declared->second;
  const Node* n = sema.rules.windows[index].node;
  rule.body = &sema.model.windows[index].body;
  Block block = std::move(rule.body->block);
  bool asked = false;
  if (const Node* list = view::window_decl(n).body())
    for (const Node* s : list->children) {
      if (!s) continue;
      asked = asked || asks(s);
      if (s->kind == NodeKind::field) continue;
      rule.tail = s == list->children.back();
      statement(rule, s, block);
    }
  if (!asked)
    error(sema, "bad_ask"_code, name_range(sema, n), fmt::format("the window `{}` has no `ask`", n->text),
          "`ask p until pass`");
  sema.model.windows[index].body.block = std::move(block);
}

}   // namespace cardwright::sema
