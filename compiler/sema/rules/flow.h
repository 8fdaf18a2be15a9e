// Checks the game flow: setup, turns, rounds, phases and endings.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_flow(SemaContext& sema);
void note_absent_flow(SemaContext& sema, const Node* node);
void build_flow(SemaContext& sema);
void build_endings(SemaContext& sema);
void turns_stmt(RuleContext& rule, const Node* node, Block& out);
void rounds_stmt(RuleContext& rule, const Node* node, Block& out);
void phase_stmt(RuleContext& rule, const Node* node, Block& out);
bool asks(const Node* node);

}   // namespace cardwright::sema
