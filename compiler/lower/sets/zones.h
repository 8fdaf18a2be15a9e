// Lowers zones, and variables with keys.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register zone_instance(const FunctionContext& code, std::uint32_t zone, const model::Expr* owner,
                       const model::Expr* copy);
Register zone_instance(const FunctionContext& code, model::ZoneId zone, Register owner);
// Returns all cards of a zone instance, both face-up and face-down.
Register zone_set(const FunctionContext& code, std::uint32_t zone, Register instance);
// Returns the zone instance that stores the face-down cards of `instance`.
Register facedown_instance(const FunctionContext& code, std::uint32_t zone, Register instance);
// Returns the zone instance that contains the top card.
Register top_instance(const FunctionContext& code, std::uint32_t zone, Register instance);
Register flat_index(const FunctionContext& code, const model::Variable& variable,
                    const std::vector<const model::Expr*>& args, std::size_t first);
Register known_at(const FunctionContext& code, std::uint32_t variable, const std::vector<const model::Expr*>& args,
                  std::size_t first);
const model::Expr* zero_based(const model::Expr& part);
// Returns the cards of the owner's zone. If the zone belongs to an area, returns the cards in all its parts.
Register zone_cards_of(const FunctionContext& code, model::ZoneId zone, Register owner);
void room_in_slot(const FunctionContext& code, std::uint32_t zone, Register instance, Register what);

}   // namespace cardwright::lower
