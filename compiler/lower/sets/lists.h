// Lowers lists and loops over their elements.
#pragma once

#include <functional>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Int each_of(const ProgramContext& unit, const model::Type& list);
bool holds_ints(const ProgramContext& unit, const model::Type& list);
RegisterType list_register(const ProgramContext& unit, const model::Type& list);
RegisterType list_register(const ProgramContext& unit, Int variable);
Register load_list(const FunctionContext& code, Int variable, Register index, RegisterType type);
bool is_plain_list(const ProgramContext& unit, const model::Expr& e);
Register state_list(const FunctionContext& code, Op op, const model::Expr& list, const model::Expr* at = nullptr);
void store_list(const FunctionContext& code, Int variable, Register index, Register list);
void add_element(const FunctionContext& code, Register list, const model::Type& type, Register element);
Register element_of(const FunctionContext& code, Register list, const model::Type& type, Register index);
void put_element(const FunctionContext& code, Register list, const model::Type& type, Register index, Register element);
Register length_of(const FunctionContext& code, Register list);
void walk(const FunctionContext& code, Register list, const model::Type& type,
          const std::function<void(Register, BlockIndex)>& body);
std::vector<RegisterType> parts_of(const RegisterType& list);
std::vector<Register> taken_apart(const FunctionContext& code, Register list);
void put_together(const FunctionContext& code, Register list, const std::vector<Register>& parts);
Register listed_set(const FunctionContext& code, const model::Expr& e);
// Emits the code for one element of a list. The code may jump to `next` to continue with the next element.
using ListedBody = std::function<void(const FunctionContext& code, Register element, BlockIndex next)>;
void for_each_listed(const FunctionContext& code, const model::Expr& list, const ListedBody& body);
void for_each_number(const FunctionContext& code, Register lo, Register hi,
                     const std::function<void(Register, BlockIndex)>& body);
Register list_value(const FunctionContext& code, const model::Expr& e);
Register list_operation(const FunctionContext& code, const model::Expr& e);

}   // namespace cardwright::lower
