// Describes types in messages, and determines which elements fit into a set.
#pragma once

#include <string>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Returns the element type of a set that can contain values of type `t`.
Type element_of_set(const SemaContext& sema, const Type& t);
Int greatest_in_set(const SemaContext& sema, const Type& number);
bool fits_in_set(const SemaContext& sema, const Type& t);
// Returns whether sets of these elements do not fit into one mask. Such sets are stored in Layout::words words.
bool has_wide_sets(const SemaContext& sema, const Type& element);
std::string show(const SemaContext& sema, const Type& t);

}   // namespace cardwright::sema
