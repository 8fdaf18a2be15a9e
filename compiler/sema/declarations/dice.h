// Declares dice and their faces.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void count_die(SemaContext& sema, std::uint32_t area, const Node* node, bool of_players);
void declare_die(SemaContext& sema, const Node* node, bool of_players);

}   // namespace cardwright::sema
