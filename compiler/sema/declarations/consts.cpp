// Checks the values of consts.
#include "compiler/sema/declarations/consts.h"

#include <fmt/format.h>

#include "compiler/sema/expressions/consts.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

// Returns whether no const can have this type. Sets and lists are checked where they are built, so this returns false
// for them.
static bool has_no_constants(const Type& t) {
  return t.kind == TypeKind::player || t.kind == TypeKind::card || t.kind == TypeKind::kind ||
         t.kind == TypeKind::record || t.kind == TypeKind::text;
}

void check_consts(SemaContext& sema) {
  for (const auto& [name, node] : sema.constants.declared) {
    const std::optional<Type> wanted =
        view::const_decl(node).type() ? type(sema, view::const_decl(node).type()) : std::nullopt;
    const std::optional<TreeConstant> value =
        wanted ? tree_constant(sema, view::const_decl(node).value(), false) : std::nullopt;
    if (!value || value->kind == TreeConstant::Kind::symbol || value->kind == TreeConstant::Kind::none ||
        value->kind == TreeConstant::Kind::set)
      continue;
    const bool number = value->kind == TreeConstant::Kind::integer;
    if (wanted->kind == TypeKind::integer && number && (value->value < wanted->lo || value->value > wanted->hi))
      error(sema, "out_of_range"_code, view::const_decl(node).value()->range,
            fmt::format("{} is out of range {}..{}", value->value, wanted->lo, wanted->hi));
    else if (has_no_constants(*wanted) || (wanted->kind == TypeKind::integer && !number) ||
             (wanted->kind == TypeKind::boolean && value->kind != TreeConstant::Kind::boolean) ||
             (wanted->kind == TypeKind::enumeration &&
              (value->kind != TreeConstant::Kind::enumeration || value->ref != wanted->ref)))
      error(sema, "wrong_type"_code, view::const_decl(node).value()->range,
            fmt::format("expected `{}` for `{}`", show(sema, *wanted), name));
  }
}

void evaluate_consts(SemaContext& sema) {
  const auto used = sema.used;
  for (const auto& [name, node] : sema.constants.declared)
    if (!tree_constant(sema, view::const_decl(node).value(), false)) computed_const(sema, node);
  sema.used = used;   // a const that only an unused const reads is unused
}

}   // namespace cardwright::sema
