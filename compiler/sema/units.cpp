// Numbers with a unit: `unit CL = 2`, and then `1.5 CL` is 3. Nothing is left of it but whole numbers.
#include "compiler/sema/analysis.h"

namespace cardwright::sema {

// A number of things of which each is `unit` parts.
std::optional<Int> Analysis::in_parts(const Node* node, Int unit, bool report) {
  const view::number its(node);
  const Int scale = its.scale() ? its.scale()->number : 1;
  Int parts = 0;
  if (__builtin_mul_overflow(node->number, unit, &parts) || parts / scale > kUnlimited) {
    if (report) error(Code::out_of_range, node->range, "the number is too large");
    return std::nullopt;
  }
  if (parts % scale != 0) {
    if (report)
      error(Code::uneven, node->range,
            fmt::format("a `{0}` is {1}, so `{2}` lies between {3} and {4}", node->text, unit, written(node),
                        parts / scale, parts / scale + 1),
            unit == 1 ? "write a whole number"
                      : fmt::format("what comes out whole is a multiple of 1/{} {}", unit, node->text));
    return std::nullopt;
  }
  return parts / scale;
}

// What one of the unit behind this number is worth.
std::optional<Int> Analysis::worth_of_unit(const Node* node, bool report) {
  // a decimal: the lexer lets one pass only before a unit or `..`
  if (node->text.empty()) {
    if (report) error(Code::decimal_number, node->range, fmt::format("`{}` is not a whole number", written(node)));
    return std::nullopt;
  }
  const auto unit = units_.find(node->text);
  if (unit == units_.end()) {
    std::vector<std::string> names{"ms", "s", "min"};
    for (const auto& [name, declared] : units_) names.push_back(name);
    if (report)
      error(Code::unknown_name, node->range, fmt::format("no unit named `{}`", node->text),
            did_you_mean(node->text, names));
    return std::nullopt;
  }
  used_.insert(std::string(node->text));
  const std::string key = "unit " + std::string(node->text);
  if (!deciding_.insert(key).second) {
    if (report) error(Code::circular, node->range, fmt::format("the unit `{}` is defined by itself", node->text));
    return std::nullopt;
  }
  const auto worth = fixed_int(view::unit_decl(unit->second).worth(), report);
  deciding_.erase(key);
  if (worth && *worth < 1) {
    if (report) error(Code::out_of_range, unit->second->range, fmt::format("a `{}` is at least 1", node->text));
    return std::nullopt;
  }
  return worth;
}

std::optional<Int> Analysis::in_units(const Node* node, bool report) {
  const auto worth = worth_of_unit(node, report);
  return worth ? in_parts(node, *worth, report) : std::nullopt;
}

// The unit in which the bounds of a type are written: `(0..80 h)?`, `1..4 CL per Range`.
std::string_view Analysis::unit_of_type(const Node* type) const {
  if (!type) return {};
  if (type->kind == NodeKind::number) return units_.contains(type->text) ? type->text : std::string_view{};
  for (const Node* part : type->children)
    if (const std::string_view unit = unit_of_type(part); !unit.empty()) return unit;
  return {};
}

const Expr* Analysis::number(const Node* node) {
  if (node->text == "ms" || node->text == "s" || node->text == "min") {
    const auto us = microseconds(node);
    return us ? constant(duration_type(*us, *us), *us, node->range) : poison(node->range);
  }
  if (node->text.empty() && !view::number(node).scale()) return integer_constant(node->number, node->range);
  const auto n = in_units(node);
  return n ? integer_constant(*n, node->range) : poison(node->range);
}

void Analysis::check_units() {
  for (const auto& [name, node] : units_) {
    if (name == "ms" || name == "s" || name == "min")
      error(Code::declared_twice, node->range, fmt::format("`{}` is a unit of time already", name));
    const auto worth = fixed_int(view::unit_decl(node).worth());
    if (worth && *worth < 1)
      error(Code::out_of_range, node->range, fmt::format("a `{}` is at least 1", name),
            fmt::format("`unit {} = 2` makes halves of it", name));
  }
}

}  // namespace cardwright::sema
