// Builds records, which group several fields under one name. Sema splits records into their fields, so later stages
// never see a record.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

struct WrittenPart {
  std::string name;
  const Node* value;
};

const Expr* construct(RuleContext& rule, const Node* node, std::uint32_t record);
bool has_initial_value(const SemaContext& sema, const Type& record, std::string_view part);
const Expr* initial_of(SemaContext& sema, const Type& record);
const Expr* known(SemaContext& sema, const Expr* e, std::string_view name);
std::vector<WrittenPart> written_attribute(SemaContext& sema, const Type* composed, std::string_view name,
                                           const Node* value);

}   // namespace cardwright::sema
