// The code of rules: expressions and statements, whose kinds exprs.def and stmts.def list, and the locals that they
// speak of. views.h reads their parts by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/model/types.h"
#include "support/source.h"

namespace cardwright::model {

enum class ExprKind : std::uint8_t {
#define EXPR(name, looks, parts, layout) name,
#include "compiler/model/exprs.def"
};
enum class StmtKind : std::uint8_t {
#define STMT(name, parts, layout) name,
#include "compiler/model/stmts.def"
};

struct Stmt;
using Block = std::vector<const Stmt*>;

struct Expr {
  ExprKind kind;
  Type type;
  Range range;
  std::int64_t value = 0;   // see exprs.def
  std::uint32_t ref = ~std::uint32_t{0};
  LocalId local;
  std::string text;   // see exprs.def; of a condition that nobody wrote: what it means when it fails
  std::vector<std::int64_t> values;
  std::vector<const Expr*> args;   // may hold nullptr where exprs.def says `?`
};

struct Stmt {
  StmtKind kind;
  Range range;
  std::int64_t value = 0;   // see stmts.def
  std::uint32_t ref = ~std::uint32_t{0};
  LocalId local;
  std::string text;
  std::vector<const Expr*> exprs;
  std::vector<Block> blocks;
  const Expr* why = nullptr;   // return_value: a text that says why it is so
};

struct Local {
  std::string name;
  Type type;
  Range range;
};

// The code of one rule, with all its locals. Parameters are locals too; `me` and `this` where they exist.
struct Body {
  std::vector<Local> locals;
  Block block;
  bool present = false;   // an event without a body is an announcement
};

}   // namespace cardwright::model
