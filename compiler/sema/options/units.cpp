// Evaluates numbers with a unit: after `unit CL = 2`, the number `1.5 CL` is 3. Later stages see only integers.
#include "compiler/sema/options/units.h"

#include <fmt/format.h>

#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/options/written.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

// Converts a number with a unit to an integer. `unit` is the value of the unit.
std::optional<Int> in_parts(SemaContext& sema, const Node* node, Int unit, bool report) {
  const view::number its(node);
  const Int scale = its.scale() ? its.scale()->number : 1;
  Int parts = 0;
  if (__builtin_mul_overflow(node->number, unit, &parts) || parts / scale > kUnlimited) {
    if (report) error(sema, "out_of_range"_code, node->range, "number too large");
    return std::nullopt;
  }
  if (parts % scale != 0) {
    if (report)
      error(sema, "not_a_multiple"_code, node->range,
            fmt::format("`{2}` is not an integer: one `{0}` is {1}, so the value is between {3} and {4}", node->text,
                        unit, written(sema, node), parts / scale, parts / scale + 1),
            unit == 1 ? "write an integer" : fmt::format("write a multiple of 1/{} {}", unit, node->text));
    return std::nullopt;
  }
  return parts / scale;
}

// Returns the value of the unit after a number.
static std::optional<Int> worth_of_unit(SemaContext& sema, const Node* node, bool report) {
  // A number without a unit here is a decimal. The lexer accepts decimals only before a unit or `..`.
  if (node->text.empty()) {
    if (report)
      error(sema, "decimal_number"_code, node->range,
            fmt::format("expected an integer, found `{}`", written(sema, node)));
    return std::nullopt;
  }
  const auto unit = sema.constants.units.find(node->text);
  if (unit == sema.constants.units.end()) {
    std::vector<std::string> names{"ms", "s", "min"};
    for (const auto& [name, declared] : sema.constants.units) names.push_back(name);
    if (report)
      error(sema, "unknown_name"_code, node->range, fmt::format("unknown unit `{}`", node->text),
            did_you_mean(node->text, names));
    return std::nullopt;
  }
  sema.used.insert(std::string(node->text));
  const std::string key = "unit " + std::string(node->text);
  if (!sema.constants.deciding.insert(key).second) {
    if (report) error(sema, "circular"_code, node->range, fmt::format("recursive unit `{}`", node->text));
    return std::nullopt;
  }
  const auto worth = tree_int(sema, view::unit_decl(unit->second).worth(), report);
  sema.constants.deciding.erase(key);
  if (worth && *worth < 1) {
    if (report)
      error(sema, "out_of_range"_code, unit->second->range,
            fmt::format("the value of unit `{}` must be at least 1", node->text));
    return std::nullopt;
  }
  return worth;
}

std::optional<Int> in_units(SemaContext& sema, const Node* node, bool report) {
  const auto worth = worth_of_unit(sema, node, report);
  return worth ? in_parts(sema, node, *worth, report) : std::nullopt;
}

// Returns the unit of the bounds of a type, as in `(0..80 h)?` or `1..4 CL per Range`.
std::string_view unit_of_type(const SemaContext& sema, const Node* type) {
  if (!type) return {};
  if (type->kind == NodeKind::number)
    return sema.constants.units.contains(type->text) ? type->text : std::string_view{};
  for (const Node* part : type->children)
    if (const std::string_view unit = unit_of_type(sema, part); !unit.empty()) return unit;
  return {};
}

void check_units(SemaContext& sema) {
  for (const auto& [name, node] : sema.constants.units) {
    if (name == "ms" || name == "s" || name == "min")
      error(sema, "duplicate_declaration"_code, node->range, fmt::format("`{}` is a built-in unit of time", name));
    const auto worth = tree_int(sema, view::unit_decl(node).worth());
    if (worth && *worth < 1)
      error(sema, "out_of_range"_code, node->range, fmt::format("the value of unit `{}` must be at least 1", name),
            fmt::format("to allow halves, write `unit {} = 2`", name));
  }
}

std::optional<Int> microseconds(SemaContext& sema, const Node* node) {
  const Int unit = node->text == "ms" ? 1'000 : node->text == "s" ? 1'000'000 : 60'000'000;
  const auto us = in_parts(sema, node, unit, true);
  if (us && *us > model::kLongest) {
    error(sema, "out_of_range"_code, node->range, "the time is too long; the limit is 71 minutes");
    return std::nullopt;
  }
  return us;
}

}   // namespace cardwright::sema
