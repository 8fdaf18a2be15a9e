// Splits records into their fields, so later stages never see a record.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

struct Part {
  std::string name;
  Type type;
  std::string_view unit = {};   // unit of the bounds, if they have one
};
using Leaf = std::function<const Expr*(const std::string& name, const Type& type)>;
using Fieldwise = std::function<const Expr*(const std::vector<const Expr*>&)>;
const model::Record* record_in(const SemaContext& sema, const Type& t);
std::string as_written(const SemaContext& sema, const Type& t);
std::vector<Part> leaves_of(const SemaContext& sema, const Type& t, const std::string& name);
void name_records(const SemaContext& sema, const Type& t, const std::string& name, Composed& out);
const Expr* spread(SemaContext& sema, const std::string& name, const Type& t, Range range, const Leaf& leaf);
const Expr* fieldwise(SemaContext& sema, const std::vector<const Expr*>& of, const Fieldwise& leaf,
                      const std::function<Type(const Type&)>& shape = {});
std::vector<const Expr*> fields_of(const Expr* e);
const Expr* field_at(const SemaContext& sema, const Expr* e, std::string_view path);
bool has_no_effects(SemaContext& sema, const Expr* e);
const Expr* again(RuleContext& rule, const Expr* record, Range range);
std::vector<Part> attribute_leaves(const SemaContext& sema, const Type& t, const std::string& name,
                                   std::string_view unit = {});
const Type* composed_attribute(const SemaContext& sema, std::uint32_t type, std::string_view name);
const Type* composed_of_enum(const SemaContext& sema, std::uint32_t id, std::string_view name);
const Expr* composed_member(SemaContext& sema, const std::string& name, const Type& t, Range range,
                            const std::function<const Expr*(const std::string&)>& leaf);
const Expr* entry_of(SemaContext& sema, const Expr* table, const Expr* key, Range range);
// Returns the names of the keys of a table. A table that is an attribute becomes one attribute for each key, such as
// `jam.yellow`.
std::vector<std::string> names_of_keys(const SemaContext& sema, const Type& key);

bool is_record_list(const SemaContext& sema, const Type& t);

}   // namespace cardwright::sema
