// Declares boards and their constants, and builds the symbols that boards show.
#pragma once

#include <string>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_board(SemaContext& sema, const Decl& d);
model::Board& add_board(SemaContext& sema, model::Board board, const std::vector<std::string>& names,
                        const std::vector<Int>& xs, const std::vector<Int>& ys);
bool check_boards(SemaContext& sema);
void add_attribute(SemaContext& sema, std::uint32_t to, std::string name, Type type, const std::vector<Int>& values);
void build_boards(SemaContext& sema);
void build_shown_texts(SemaContext& sema);

}   // namespace cardwright::sema
