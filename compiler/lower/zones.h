// Zones, variables with keys, what is printed on cards.
#pragma once

#include <vector>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

Register zone_instance(const FunctionContext& code, std::uint32_t zone, const model::Expr* owner,
                       const model::Expr* copy);
Register zone_instance(const FunctionContext& code, model::ZoneId zone, Register owner);
// Where a card lies, as an instance of its zone.
Register zone_of(const FunctionContext& code, const model::Expr& card);
// The cards of a zone, whichever side they lie on, given its instance.
Register zone_set(const FunctionContext& code, std::uint32_t zone, Register instance);
// Where the face-down cards of a zone lie, given its instance.
Register facedown_instance(const FunctionContext& code, std::uint32_t zone, Register instance);
// The instance that holds the top card.
Register top_instance(const FunctionContext& code, std::uint32_t zone, Register instance);
Register flat_index(const FunctionContext& code, const model::Variable& variable,
                    const std::vector<const model::Expr*>& args, std::size_t first);
Register known_at(const FunctionContext& code, std::uint32_t variable, const std::vector<const model::Expr*>& args,
                  std::size_t first);
const model::Expr* counted_from_nought(const model::Expr& part);
bool is_printed_table(const model::Expr& e);
Register printed_entry(const FunctionContext& code, const model::Expr& e);
Register attribute(const FunctionContext& code, const model::Expr& e);

}   // namespace cardwright::lower
