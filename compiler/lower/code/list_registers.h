// Emits operations on lists in registers: access to elements, loops, and the parts in which a list is passed to a
// function.
#pragma once

#include <functional>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register load_list(const FunctionContext& code, Int variable, Register index, RegisterType type);
void store_list(const FunctionContext& code, Int variable, Register index, Register list);
void add_element(const FunctionContext& code, Register list, const model::Type& type, Register element);
void put_element(const FunctionContext& code, Register list, const model::Type& type, Register index, Register element);
Register element_of(const FunctionContext& code, Register list, const model::Type& type, Register index);
Register length_of(const FunctionContext& code, Register list);
void walk(const FunctionContext& code, Register list, const model::Type& type,
          const std::function<void(Register, BlockIndex)>& body);
std::vector<Register> taken_apart(const FunctionContext& code, Register list);
void put_together(const FunctionContext& code, Register list, const std::vector<Register>& parts);
// Iterates over the elements of an array or, if there is no array, over the numbers below `count`.
void for_each_in(const FunctionContext& code, Register array, const std::function<void(Register, BlockIndex)>& body,
                 Int count = 0);
void for_each_number(const FunctionContext& code, Register lo, Register hi,
                     const std::function<void(Register, BlockIndex)>& body);
void fill_table(const FunctionContext& code, Register table, const model::Type& type, Register entry);

}   // namespace cardwright::lower
