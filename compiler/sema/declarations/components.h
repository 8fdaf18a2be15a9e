// Checks the components of a game: enums, character types with their characters, card types, cards and their
// attributes.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

struct Declared {
  model::AttributeId id;
  const Node* initial;
};

// Declares all types. Returns false if a board that other rules need is missing.
bool declare_types(SemaContext& sema);

}   // namespace cardwright::sema
