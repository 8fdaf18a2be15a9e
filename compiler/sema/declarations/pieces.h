// Declares pieces: their numbers, positions and shapes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void count_piece(SemaContext& sema, std::uint32_t area, const Node* node, bool of_players);
void declare_piece(SemaContext& sema, const Node* node);
model::VariableId place_variable(SemaContext& sema, const std::string& name, Type type, std::optional<Type> of,
                                 Range range);
void check_first_places(SemaContext& sema);
std::optional<std::uint32_t> add_shapes(SemaContext& sema, std::uint32_t on, const std::string& name,
                                        std::span<const std::vector<std::pair<Int, Int>>> sorts, bool faces);
Int first_facing(SemaContext& sema, const Node* facing, const Type& direction);

}   // namespace cardwright::sema
