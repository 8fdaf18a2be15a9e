// Lowers strings with values, such as those of `log`, and determines what they reveal to each player.
#pragma once

#include <string>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void log(const FunctionContext& code, const model::Stmt& s);
std::string log_values(const FunctionContext& code, const std::string& pattern,
                       const std::vector<const model::Expr*>& parts, bool forgets = true, bool as_signs = false);
void pass_values(const FunctionContext& code, const std::vector<const model::Expr*>& parts, bool forgets = true);
void pass_known_values(const FunctionContext& code, const std::vector<const model::Expr*>& parts);
std::string value_format(const ProgramContext& unit, const model::Type& type);
Register inner_text(const FunctionContext& code, const model::Expr& e);
std::string plain_text(const model::Expr* text);
void log_question(const FunctionContext& code, Int which, const model::Expr* text);
// Emits the code at `nothing`, which logs that the player is not asked because there are no options. Other players must
// not notice this. Continues at `then`.
void note_without_options(const FunctionContext& code, BlockIndex nothing, Register player, BlockIndex then);
void log_heading(const FunctionContext& code, const char* text, Register number, Register player = ir::kNoRegister);
void log_picked(const FunctionContext& code, Register chosen, Register want, bool cards, const model::Type& element);
// Returns the source text in this range of the rules.
std::string reason_text(const ProgramContext& unit, Range range);

}   // namespace cardwright::lower
