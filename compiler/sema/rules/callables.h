// Builds the bodies of callables: values, functions, sequences, events and windows.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void bind_parameters(RuleContext& rule, const Callable& of);
void build_value(SemaContext& sema, std::uint32_t index);
void build_function(SemaContext& sema, std::uint32_t index);
// Declares the variables of an event or window that has a body. Other rules can use them while it runs, so they are
// declared before any rule is built.
void declare_event_variables(SemaContext& sema, std::uint32_t index);
void declare_window_variables(SemaContext& sema, std::uint32_t index);
// Builds the remaining parts of an event or window.
void build_event(SemaContext& sema, std::uint32_t index);
void build_window(SemaContext& sema, std::uint32_t index);
// Returns the type of a result that has no declared type. Its numbers have no range.
Type of_any_size(Type t);

}   // namespace cardwright::sema
