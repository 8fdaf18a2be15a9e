// Defines the code of rules: expressions, statements and their locals. exprs.def and stmts.def list the kinds; views.h
// provides access to their parts by name.
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

// The operation of an `aggregate` on the values that its body yields for the elements.
enum class Aggregate : std::uint8_t { sum, most, least, set_union, count };
// The distribution of a `latency`.
enum class Distribution : std::uint8_t { uniform, spread, normal };

struct Stmt;
using Block = std::vector<const Stmt*>;

struct Expr {
  ExprKind kind;
  Type type;
  Range range;
  std::int64_t value = 0;   // see exprs.def
  std::uint32_t ref = ~std::uint32_t{0};
  LocalId local;
  std::string text;   // see exprs.def; for an implicit condition, the explanation shown if it is false
  std::vector<std::int64_t> values;
  std::vector<const Expr*> args;   // an absent optional part (`?` in exprs.def) is null
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
  const Expr* why = nullptr;   // for return_value, a string that explains the value
};

struct Local {
  std::string name;
  Type type;
  Range range;
};

// The code of one rule with all its locals, including parameters, `me` and `this`.
struct Body {
  std::vector<Local> locals;
  Block block;
  bool present = false;   // false for an event without a body, which is only an announcement
};

}   // namespace cardwright::model
