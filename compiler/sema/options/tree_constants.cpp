// Evaluates syntax trees that consist of options, consts, the number of players, and operations on them. Options select
// the declarations, so these trees are evaluated before names and types are resolved and can't use the Model. If a
// value is unknown, returns nullopt and optionally reports an error.
// Input:  nodes.
// Output: constants.
#include "compiler/sema/options/tree_constants.h"

#include <fmt/format.h>

#include "compiler/sema/options/arithmetic.h"
#include "compiler/sema/options/options.h"
#include "compiler/sema/options/relations.h"
#include "compiler/sema/options/units.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

static std::optional<TreeConstant> tree_arithmetic(SemaContext& sema, ExprKind kind, Int a, Int b, const Node* node,
                                                   bool report);
static std::optional<bool> truth(SemaContext& sema, const TreeConstant& value, const Node* node, bool report);
namespace {

TreeConstant whole(Int v) { return {.kind = TreeConstant::Kind::integer, .value = v}; }
TreeConstant boolean(bool v) { return {.kind = TreeConstant::Kind::boolean, .value = v}; }

// Returns the operation of a binary operator on numbers. For `>` and `>=`, the caller swaps the operands.
std::optional<ExprKind> operation_for(std::string_view op) {
  if (op == "+") return ExprKind::add;
  if (op == "-") return ExprKind::subtract;
  if (op == "*") return ExprKind::multiply;
  if (op == "**") return ExprKind::power;
  if (op == "/" || op == "div") return ExprKind::divide;
  if (op == "mod") return ExprKind::modulo;
  if (op == "<" || op == ">") return ExprKind::less;
  if (op == "<=" || op == ">=") return ExprKind::less_equal;
  return std::nullopt;
}

}   // namespace

static bool tree_equal(const SemaContext& sema, const TreeConstant& a, const TreeConstant& b) {
  using K = TreeConstant::Kind;
  const auto name = [&](const TreeConstant& f) -> std::string {
    if (f.kind == K::symbol) return f.symbol;
    if (f.kind == K::enumeration) return sema.model.enums[f.ref].constants[f.value].name;
    if (f.kind == K::boolean) return f.value ? "on" : "off";
    return std::to_string(f.value);
  };
  if (a.kind == K::symbol || b.kind == K::symbol) return name(a) == name(b);
  return a.kind == b.kind && a.value == b.value && (a.kind != K::enumeration || a.ref == b.ref);
}

static std::optional<TreeConstant> option_value(SemaContext& sema, std::string_view name) {
  auto it = sema.options.chosen.find(name);
  if (it == sema.options.chosen.end()) return std::nullopt;
  const std::string& v = it->second;
  if (v == "on") return boolean(true);
  if (v == "off") return boolean(false);
  if (!v.empty() && v.find_first_not_of("-0123456789") == std::string::npos && v != "-") return whole(std::stoll(v));
  return TreeConstant{.kind = TreeConstant::Kind::symbol, .symbol = v};
}

std::optional<TreeConstant> tree_name(SemaContext& sema, const Node* node, bool report) {
  const std::string_view name = node->text;
  if (auto it = sema.constants.generator.find(name); it != sema.constants.generator.end()) return it->second;
  if (name == "true") return boolean(true);
  if (name == "false") return boolean(false);
  if (auto o = option_value(sema, name)) {
    sema.used.insert(std::string(name));
    return o;
  }
  if (auto it = sema.constants.known.find(name); it != sema.constants.known.end()) {
    sema.used.insert(std::string(name));
    return it->second;
  }
  if (auto it = sema.constants.declared.find(name); it != sema.constants.declared.end()) {
    sema.used.insert(std::string(name));
    if (sema.constants.deciding.count(name)) {
      if (report) error(sema, "circular"_code, node->range, fmt::format("circular definition of `{}`", name));
      return std::nullopt;
    }
    sema.constants.deciding.insert(std::string(name));
    auto value = tree_constant(sema, view::const_decl(it->second).value(), report);
    sema.constants.deciding.erase(sema.constants.deciding.find(name));
    if (value) sema.constants.known[std::string(name)] = *value;
    return value;
  }
  if (auto it = sema.names.constants.find(name); it != sema.names.constants.end() && it->second.size() == 1)
    return TreeConstant{
        .kind = TreeConstant::Kind::enumeration, .value = it->second[0].second, .ref = it->second[0].first};
  // The name is a value of an option, or a constant that several enums declare. The other operand of the comparison
  // determines its meaning.
  for (const Option& o : sema.ruleset.options)
    for (const std::string& v : o.values)
      if (v == name) return TreeConstant{.kind = TreeConstant::Kind::symbol, .symbol = std::string(name)};
  if (sema.names.constants.contains(name))
    return TreeConstant{.kind = TreeConstant::Kind::symbol, .symbol = std::string(name)};
  if (name == "players" || name == "everyone") {
    if (report)
      error(sema, "not_constant"_code, node->range,
            fmt::format("the players are not known before the game starts; only `size({})` is", name));
    return std::nullopt;
  }
  if (report) {
    std::vector<std::string> names;
    for (const auto& [n, v] : sema.options.chosen) names.push_back(n);
    for (const auto& [n, v] : sema.constants.declared) names.push_back(n);
    for (const Option& o : sema.ruleset.options) names.insert(names.end(), o.values.begin(), o.values.end());
    error(sema, "not_constant"_code, node->range, fmt::format("`{}` is not known before the game starts", name),
          did_you_mean(name, names));
  }
  return std::nullopt;
}

// Reports a comparison of an option with a value that it can't have: `snorkel == icon30`.
static bool compares_with_unknown_value(SemaContext& sema, const Node* node) {
  const view::binary its(node);
  const Node *left = its.left(), *right = its.right();
  if (!left || !right || left->kind != NodeKind::name_ref || right->kind != NodeKind::name_ref ||
      tree_constant(sema, right, false))
    return false;
  for (const Option& o : sema.ruleset.options) {
    if (o.name != left->text || o.number) continue;
    ++sema.errors;
    bad_value(o, std::string(right->text), right->range, sema.diagnostics);
    return true;
  }
  return false;
}

static std::optional<TreeConstant> tree_binary(SemaContext& sema, const Node* node, bool report) {
  const view::binary its(node);
  const std::string_view op = node->text;
  if (report && (op == "==" || op == "!=") && compares_with_unknown_value(sema, node)) return std::nullopt;
  auto a = tree_constant(sema, its.left(), report);
  if (!a) return std::nullopt;
  if (op == "and" || op == "or") {
    auto first = truth(sema, *a, its.left(), report);
    if (!first) return std::nullopt;
    if ((op == "and") != *first) return a;
    auto second = tree_truth(sema, its.right(), report);
    return second ? std::optional(boolean(*second)) : std::nullopt;
  }
  if (op == "in" || op == "not in") {
    const Node* list = its.right();
    if (!list) return std::nullopt;
    bool found = false;
    if (list->kind == NodeKind::list_lit) {
      for (const Node* item : list->children) {
        auto x = tree_constant(sema, item, report);
        if (!x) return std::nullopt;
        found = found || tree_equal(sema, *a, *x);
      }
    } else if (list->kind == NodeKind::range_lit) {
      auto lo = tree_int(sema, view::range_lit(list).lo(), report),
           hi = tree_int(sema, view::range_lit(list).hi(), report);
      if (!lo || !hi) return std::nullopt;
      found = a->value >= *lo && a->value <= *hi;
    } else {
      if (report) error(sema, "not_constant"_code, list->range, "expected a list such as `[a, b]`");
      return std::nullopt;
    }
    return boolean(found == (op == "in"));
  }
  auto b = tree_constant(sema, its.right(), report);
  if (!b) return std::nullopt;
  if (op == "==") return boolean(tree_equal(sema, *a, *b));
  if (op == "!=") return boolean(!tree_equal(sema, *a, *b));
  const auto number = [&](const TreeConstant& f) -> std::optional<Int> {
    if (f.kind == TreeConstant::Kind::integer) return f.value;
    if (f.kind == TreeConstant::Kind::enumeration) return sema.model.enums[f.ref].constants[f.value].number;
    return std::nullopt;
  };
  auto x = number(*a), y = number(*b);
  if (!x || !y) {
    if (report) error(sema, "wrong_type"_code, node->range, fmt::format("`{}` needs numbers", op));
    return std::nullopt;
  }
  const auto kind = operation_for(op);
  if (!kind) {
    if (report)
      error(sema, "not_constant"_code, node->range, "the value of this expression is not known before the game starts");
    return std::nullopt;
  }
  const bool swapped = op == ">" || op == ">=";
  auto result = tree_arithmetic(sema, *kind, swapped ? *y : *x, swapped ? *x : *y, node, report);
  if (result && (*kind == ExprKind::less || *kind == ExprKind::less_equal)) result->kind = TreeConstant::Kind::boolean;
  return result;
}

static std::optional<TreeConstant> tree_arithmetic(SemaContext& sema, ExprKind kind, Int a, Int b, const Node* node,
                                                   bool report) {
  const auto before = std::exchange(sema.evaluation.trapped, std::nullopt);
  const auto result = compute(sema, kind, a, b, node->range);
  if (!result && report)
    error(sema, "out_of_range"_code, node->range, std::string(trap_message(sema.evaluation.trapped->trap)));
  sema.evaluation.trapped = before;
  return result ? std::optional(whole(*result)) : std::nullopt;
}

// Handles `snorkel is icon20`. Returns nullopt for other expressions.
static std::optional<TreeConstant> tree_is(SemaContext& sema, const Node* node) {
  if (!node->text.empty()) return std::nullopt;
  const auto a = tree_constant(sema, view::is_expr(node).subject(), false);
  if (!a) return std::nullopt;
  bool found = false;
  for (const Node* n : view::is_expr(node).what())
    if (n) found = found || tree_equal(sema, *a, {.kind = TreeConstant::Kind::symbol, .symbol = std::string(n->text)});
  return boolean(found != (node->number == 1));
}

static const Node* argument(const Node* a) { return a && a->kind == NodeKind::arg ? view::arg(a).value() : a; }

// The outer optional is empty if another function must handle the expression. The inner optional is empty after an
// error.
using Answer = std::optional<std::optional<TreeConstant>>;

// Handles `min`, `max` and `abs`.
static Answer tree_call(SemaContext& sema, const Node* node, bool report) {
  std::vector<Int> xs;
  for (const Node* a : view::call(node).arguments()->children) {
    const auto x = tree_int(sema, argument(a), report);
    if (!x) return Answer(std::in_place, std::nullopt);
    xs.push_back(*x);
  }
  if (node->text == "abs" && xs.size() == 1) return tree_arithmetic(sema, ExprKind::absolute, xs[0], 0, node, report);
  if (node->text != "abs" && xs.size() == 2)
    return tree_arithmetic(sema, node->text == "min" ? ExprKind::minimum : ExprKind::maximum, xs[0], xs[1], node,
                           report);
  return std::nullopt;
}

static Answer tree_size(SemaContext& sema, const Node* node, const Node* of, bool report) {
  if (!of || of->kind != NodeKind::name_ref) return std::nullopt;
  if (of->text == "players" || of->text == "everyone") return whole(sema.players);
  if (const auto teams = of->text == "teams" ? count_of_teams(sema) : std::nullopt) return whole(*teams);
  if (auto it = sema.names.enums.find(of->text); it != sema.names.enums.end())
    return whole(static_cast<Int>(sema.model.enums[it->second].constants.size()));
  if (of->text != "teams") return std::nullopt;
  if (report)
    error(sema, "not_constant"_code, node->range, "the game has no teams", "declare teams: `teams [1, 3], [2, 4]`");
  return Answer(std::in_place, std::nullopt);
}

static Answer tree_size_or_call(SemaContext& sema, const Node* node, bool report) {
  if (node->kind == NodeKind::size_of) return tree_size(sema, node, view::size_of(node).of(), report);
  const Node* arguments = view::call(node).arguments();
  if (!arguments) return std::nullopt;
  if (node->text == "min" || node->text == "max" || node->text == "abs") return tree_call(sema, node, report);
  if (node->text != "size" || arguments->children.empty()) return std::nullopt;
  return tree_size(sema, node, argument(view::list(arguments).items(0)), report);
}

std::optional<TreeConstant> tree_constant(SemaContext& sema, const Node* node, bool report) {
  if (!node) return std::nullopt;
  if (++sema.depth > 400) {
    --sema.depth;
    return std::nullopt;
  }
  struct Up {
    int& d;
    ~Up() { --d; }
  } up{sema.depth};
  switch (node->kind) {
    case NodeKind::number:
      if (node->text.empty() && !view::number(node).scale()) return whole(node->number);
      if (node->text != "ms" && node->text != "s" && node->text != "min") {
        const auto n = in_units(sema, node, report);
        return n ? std::optional(whole(*n)) : std::nullopt;
      }
      if (report) error(sema, "not_constant"_code, node->range, "expected a number without a unit");
      return std::nullopt;
    case NodeKind::truth: return boolean(node->number != 0);
    case NodeKind::none_lit: return TreeConstant{.kind = TreeConstant::Kind::none, .value = kNone, .symbol = "none"};
    case NodeKind::unlimited_lit: return whole(kUnlimited);
    case NodeKind::name_ref: return tree_name(sema, node, report);
    case NodeKind::unary: {
      auto a = tree_constant(sema, view::unary(node).operand(), report);
      if (!a) return std::nullopt;
      if (node->text == "not") {
        auto t = truth(sema, *a, view::unary(node).operand(), report);
        return t ? std::optional(boolean(!*t)) : std::nullopt;
      }
      if (a->kind != TreeConstant::Kind::integer) return std::nullopt;
      return node->text == "-" ? tree_arithmetic(sema, ExprKind::negate, a->value, 0, node, report) : a;
    }
    case NodeKind::binary: return tree_binary(sema, node, report);
    case NodeKind::if_expr: {
      auto c = tree_truth(sema, view::if_expr(node).condition(), report);
      if (!c) return std::nullopt;
      return tree_constant(sema, *c ? view::if_expr(node).then() : view::if_expr(node).otherwise(), report);
    }
    case NodeKind::is_expr:
      if (const auto is = tree_is(sema, node)) return is;
      break;
    case NodeKind::size_of:
    case NodeKind::call:
      if (const Answer answer = tree_size_or_call(sema, node, report)) return *answer;
      break;
    case NodeKind::arg: return tree_constant(sema, view::arg(node).value(), report);
    default: break;
  }
  if (report)
    error(sema, "not_constant"_code, node->range, "expression must be known before the game starts",
          "use numbers, `const`s, options, `size(players)` and `size(teams)`");
  return std::nullopt;
}

// Converts a constant to a bool. Only options with the values on and off can be conditions.
static std::optional<bool> truth(SemaContext& sema, const TreeConstant& value, const Node* node, bool report) {
  if (value.kind == TreeConstant::Kind::boolean) return value.value != 0;
  if (report) {
    const bool option = node->kind == NodeKind::name_ref && sema.options.chosen.contains(node->text);
    error(sema, "wrong_type"_code, node->range,
          option ? fmt::format("the option `{}` has the value `{}`, which is not a condition", node->text,
                               sema.options.chosen.find(node->text)->second)
                 : "expected a condition",
          option ? fmt::format("use `{} == {}`", node->text, sema.options.chosen.find(node->text)->second) : "");
  }
  return std::nullopt;
}

std::optional<bool> tree_truth(SemaContext& sema, const Node* node, bool report) {
  auto value = tree_constant(sema, node, report);
  return value ? truth(sema, *value, node, report) : std::nullopt;
}

std::optional<Branch> branch(SemaContext& sema, const Node* with, bool report) {
  const view::branches its(with);
  const auto holds = tree_truth(sema, its.condition(), report);
  if (!holds) return std::nullopt;
  const bool then = *holds == (with->number == 0);
  return then ? Branch{its.then(), its.otherwise()} : Branch{its.otherwise(), its.then()};
}

std::optional<Int> tree_int(SemaContext& sema, const Node* node, bool report) {
  auto f = tree_constant(sema, node, report);
  if (!f) return std::nullopt;
  if (f->kind == TreeConstant::Kind::integer) return f->value;
  if (f->kind == TreeConstant::Kind::enumeration) return sema.model.enums[f->ref].constants[f->value].number;
  if (report) error(sema, "wrong_type"_code, node->range, "expected a number");
  return std::nullopt;
}

bool mentions_option(SemaContext& sema, const Node* node) {
  if (!node) return false;
  if (node->kind == NodeKind::name_ref) {
    if (sema.options.chosen.contains(node->text)) return true;
    if (auto it = sema.constants.declared.find(node->text);
        it != sema.constants.declared.end() && !sema.constants.deciding.contains(node->text)) {
      sema.constants.deciding.insert(std::string(node->text));
      const bool found = mentions_option(sema, view::const_decl(it->second).value());
      sema.constants.deciding.erase(sema.constants.deciding.find(node->text));
      return found;
    }
    return false;
  }
  for (const Node* c : node->children)
    if (mentions_option(sema, c)) return true;
  return false;
}

}   // namespace cardwright::sema
