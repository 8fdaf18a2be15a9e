// Lowers the texts of `log` and labels, and determines what they reveal to each player.
#pragma once

#include <string>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// The label of an action: one text, and an expression for each `{}` in it. If label_of() is called with `picked`, the
// label shows all picked elements of a set, otherwise only the first one.
struct Label {
  std::string pattern;
  std::vector<const model::Expr*> parts;
};

void log(const FunctionContext& code, const model::Stmt& s);
std::string tell(const FunctionContext& code, const std::string& pattern, const std::vector<const model::Expr*>& parts,
                 bool as_signs = false);
Int lower_shown_text(ProgramContext& unit, const model::ShownText& shown, bool of_something, bool sign);
Register inner_text(const FunctionContext& code, const model::Expr& e);
std::string plain_text(const model::Expr* text);
void tell_question(const FunctionContext& code, Int which, const model::Expr* text);
Label label_of(ProgramContext& unit, const model::Action& action, bool picked);
void log_heading(const FunctionContext& code, const char* text, Register number, Register player = ir::kNoRegister);
void lower_label(ProgramContext& unit, std::size_t action);
Int text_index(ProgramContext& unit, const std::string& text);
void tell_picked(const FunctionContext& code, Register chosen, Register want, bool cards, const model::Type& element);

}   // namespace cardwright::lower
