// Lists, and loops over what is listed.
#pragma once

#include <functional>
#include <vector>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

Int each_of(const ProgramContext& unit, const model::Type& list);
bool holds_ints(const ProgramContext& unit, const model::Type& list);
RegisterType list_register(const ProgramContext& unit, const model::Type& list);
RegisterType list_register(const ProgramContext& unit, Int variable);
Register load_list(FunctionContext& code, Int variable, Register index, RegisterType type);
bool is_plain_list(const ProgramContext& unit, const model::Expr& e);
Register state_list(FunctionContext& code, Op op, const model::Expr& list, const model::Expr* at = nullptr);
void store_list(FunctionContext& code, Int variable, Register index, Register list);
void add_element(FunctionContext& code, Register list, const model::Type& type, Register element);
Register element_of(FunctionContext& code, Register list, const model::Type& type, Register index);
void put_element(FunctionContext& code, Register list, const model::Type& type, Register index, Register element);
Register length_of(FunctionContext& code, Register list);
void walk(FunctionContext& code, Register list, const model::Type& type,
          const std::function<void(Register, BlockIndex)>& body);
std::vector<RegisterType> parts_of(const RegisterType& list);
std::vector<Register> taken_apart(FunctionContext& code, Register list);
void put_together(FunctionContext& code, Register list, const std::vector<Register>& parts);
Register listed_set(FunctionContext& code, const model::Expr& e);
void for_each_listed(FunctionContext& code, const model::Expr& list,
                     const std::function<void(Register, BlockIndex)>& body);
void for_each_number(FunctionContext& code, Register lo, Register hi,
                     const std::function<void(Register, BlockIndex)>& body);
Register list_value(FunctionContext& code, const model::Expr& e);
Register list_operation(FunctionContext& code, const model::Expr& e);

}  // namespace cardwright::lower
