// Declares the functions that expressions use to build other declarations. For example, a call needs the result type of
// a function that has not been built yet, and a set of cards needs all cards. sema.cpp passes these functions as
// pointers, because most of them are in folders that depend on `expressions`.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/sema/context/declared.h"

namespace cardwright::sema {

struct RuleContext;
struct SemaContext;

struct Builders {
  // Builds an expression of any kind by calling the dispatcher, which depends on all files of `expressions`.
  const Expr* (*expression)(RuleContext& rule, const Node* node, const Type* expected) = nullptr;
  // Each of the next three functions builds one declaration. It does nothing if the declaration is already built or
  // being built.
  void (*value)(SemaContext& sema, std::uint32_t value) = nullptr;
  void (*function)(SemaContext& sema, std::uint32_t function) = nullptr;
  void (*modifiers)(SemaContext& sema, std::uint32_t value) = nullptr;
  // Declares an instance of a function that has rules as parameters.
  void (*instance)(SemaContext& sema, const Decl& function, const std::vector<Passed>& passed) = nullptr;
  void (*cards)(SemaContext& sema) = nullptr;   // builds all decks
};

}   // namespace cardwright::sema
