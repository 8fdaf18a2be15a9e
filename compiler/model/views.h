// Provides access to the parts of an expression or statement by name, as in `view::conditional(e).then()`. Each kind
// has a view, generated from exprs.def and stmts.def. The views at the top are shared by several kinds that begin with
// the same parts.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include "compiler/model/code.h"
#include "support/kind_view.h"

namespace cardwright::model {

// For each kind, the index of each named part in Expr::args, Stmt::exprs or Stmt::blocks.
#define PART(name) name,
#define OPTIONAL(name) name,
#define REST(name) name,
#define EXPR(kind, looks, parts, layout) \
  struct kind##_parts {                  \
    enum : std::size_t { parts };        \
  };
#include "compiler/model/exprs.def"
#define PART(name) name,
#define OPTIONAL(name) name,
#define REST(name) name,
#define MIDDLE(name) name,
#define STMT(kind, parts, layout) \
  struct kind##_parts {           \
    enum : std::size_t { parts }; \
  };
#include "compiler/model/stmts.def"
#define BLOCK(name) name,
#define STMT(kind, parts, layout) \
  struct kind##_blocks {          \
    enum : std::size_t { parts }; \
  };
#include "compiler/model/stmts.def"

// The maximum number of Expr::args or Stmt::exprs of each kind. It is at least kMany if the kind has a REST or a
// MIDDLE.
inline constexpr std::size_t kMany = std::size_t{1} << 32;
inline constexpr std::size_t kMostArgs[] = {
#define PART(name) +1
#define OPTIONAL(name) +1
#define REST(name) +kMany
#define EXPR(kind, looks, parts, layout) 0 parts,
#include "compiler/model/exprs.def"
};
inline constexpr std::size_t kMostExprs[] = {
#define PART(name) +1
#define OPTIONAL(name) +1
#define REST(name) +kMany
#define MIDDLE(name) +kMany
#define LAST(name) +1
#define STMT(kind, parts, layout) 0 parts,
#include "compiler/model/stmts.def"
};

namespace view {

using Parts = std::span<const Expr* const>;

inline Parts all_from(const std::vector<const Expr*>& all, std::size_t i) {
  return Parts(all).subspan(i < all.size() ? i : all.size());
}

// A view of an expression or statement whose parts are the elements of its member `parts`.
template <class Node, auto parts, auto... kinds>
class PartsView : public KindView<Node, &Node::kind, kinds...> {
 public:
  using KindView<Node, &Node::kind, kinds...>::KindView;

 protected:
  const std::vector<const Expr*>& all() const { return this->it().*parts; }
  const Expr* nth(std::size_t i) const {
    assert(i < all().size());
    return all()[i];
  }
};
template <ExprKind... kinds>
using ExprView = PartsView<Expr, &Expr::args, kinds...>;
template <StmtKind... kinds>
using StmtView = PartsView<Stmt, &Stmt::exprs, kinds...>;

#define PART(name) \
  const Expr* name() const { return this->nth(Parts::name); }
#define LAST(name) \
  const Expr* name() const { return this->all().back(); }

// ---- views shared by several kinds
#define OPTIONAL(name) \
  const Expr* name() const { return Parts::name < this->all().size() ? this->all()[Parts::name] : nullptr; }
// A call with its arguments.
struct call : ExprView<ExprKind::call_value, ExprKind::call_function, ExprKind::call_event, ExprKind::open_window,
                       ExprKind::proceed> {
  using PartsView::PartsView;
  view::Parts arguments() const { return this->all(); }
};
// Refers to the cards of a zone, or to the cards at one end of it.
struct zone_place : ExprView<ExprKind::zone, ExprKind::zone_top, ExprKind::zone_top_n, ExprKind::zone_bottom,
                             ExprKind::card_of_slot> {
  using Parts = zone_parts;
  using PartsView::PartsView;
  OPTIONAL(owner)
  OPTIONAL(copy)
};
// A property of a card. The kind `attribute` also reads attributes of constants.
struct about_card
    : ExprView<ExprKind::attribute, ExprKind::kind_of, ExprKind::counts_as, ExprKind::part_of, ExprKind::faces> {
  using Parts = attribute_parts;
  using PartsView::PartsView;
  PART(of)
};
// Expressions that select elements of their first operand.
struct taken_from
    : ExprView<ExprKind::set_minus, ExprKind::set_of_one, ExprKind::filter, ExprKind::best, ExprKind::pick_first,
               ExprKind::pick_last, ExprKind::pick_only, ExprKind::pick_random, ExprKind::random_n, ExprKind::subsets,
               ExprKind::element_at, ExprKind::list_end, ExprKind::list_drop, ExprKind::list_as, ExprKind::seat_of> {
  using Parts = element_at_parts;
  using PartsView::PartsView;
  PART(of)
};
struct collecting : ExprView<ExprKind::aggregate, ExprKind::list_of> {
  using Parts = aggregate_parts;
  using PartsView::PartsView;
  PART(domain)
  OPTIONAL(where)
  OPTIONAL(body)
};
#undef OPTIONAL
struct pair
    : ExprView<ExprKind::logical_and, ExprKind::logical_or, ExprKind::add, ExprKind::subtract, ExprKind::multiply,
               ExprKind::divide, ExprKind::modulo, ExprKind::power, ExprKind::minimum, ExprKind::maximum,
               ExprKind::equal, ExprKind::not_equal, ExprKind::less, ExprKind::less_equal, ExprKind::set_equal,
               ExprKind::within, ExprKind::disjoint, ExprKind::set_union, ExprKind::set_minus, ExprKind::set_and,
               ExprKind::list_equal, ExprKind::joined, ExprKind::in_set, ExprKind::in_list, ExprKind::list_drop> {
  using Parts = logical_and_parts;
  using PartsView::PartsView;
  PART(left)
  PART(right)
};
struct ranging : ExprView<ExprKind::exists, ExprKind::filter, ExprKind::aggregate, ExprKind::best, ExprKind::list_of> {
  using Parts = exists_parts;
  using PartsView::PartsView;
  PART(domain)
};
struct single
    : ExprView<ExprKind::logical_not, ExprKind::negate, ExprKind::absolute, ExprKind::is_none, ExprKind::in_bounds> {
  using Parts = logical_not_parts;
  using PartsView::PartsView;
  PART(operand)
};
struct assignment : StmtView<StmtKind::assign_local, StmtKind::assign_variable, StmtKind::assign_all,
                             StmtKind::assign_window_field, StmtKind::assign_event_field> {
  using PartsView::PartsView;
  LAST(value)
};

#undef PART
#undef LAST

// ---- one view for each kind
#define ID(type) \
  type id() const { return type{this->it().ref}; }
#define PART(name) \
  const Expr* name() const { return this->nth(Parts::name); }
#define OPTIONAL(name) \
  const Expr* name() const { return Parts::name < this->all().size() ? this->all()[Parts::name] : nullptr; }
#define REST(name)                                                        \
  view::Parts name() const { return all_from(this->all(), Parts::name); } \
  const Expr* name(std::size_t i) const { return this->nth(Parts::name + i); }
#define VALUE(type, name) \
  type name() const { return static_cast<type>(this->it().value); }
#define FLAG(name, bit) \
  bool name() const { return (this->it().value & bit) != 0; }
#define EXPR(kind, looks, parts, layout)   \
  struct kind : ExprView<ExprKind::kind> { \
    using Parts = kind##_parts;            \
    using PartsView::PartsView;            \
    parts                                  \
  };
#include "compiler/model/exprs.def"

#define ID(type) \
  type id() const { return type{this->it().ref}; }
#define PART(name) \
  const Expr* name() const { return this->nth(Parts::name); }
#define OPTIONAL(name) \
  const Expr* name() const { return Parts::name < this->all().size() ? this->all()[Parts::name] : nullptr; }
#define REST(name)                                                        \
  view::Parts name() const { return all_from(this->all(), Parts::name); } \
  const Expr* name(std::size_t i) const { return this->nth(Parts::name + i); }
#define MIDDLE(name) \
  view::Parts name() const { return all_from(this->all(), Parts::name).first(this->all().size() - Parts::name - 1); }
#define LAST(name) \
  const Expr* name() const { return this->all().back(); }
#define BLOCK(name) \
  const Block& name() const { return this->it().blocks[Blocks::name]; }
#define FLAG(name, bit) \
  bool name() const { return (this->it().value & bit) != 0; }
#define STMT(kind, parts, layout)          \
  struct kind : StmtView<StmtKind::kind> { \
    using Parts = kind##_parts;            \
    using Blocks = kind##_blocks;          \
    using PartsView::PartsView;            \
    parts                                  \
  };
#include "compiler/model/stmts.def"

// Returns the operand of a range check (in_bounds), or `e` itself if it has no such check.
inline const Expr* unchecked(const Expr* e) { return e && e->kind == ExprKind::in_bounds ? in_bounds(e).operand() : e; }

// A source of options for `choose`: the elements of a domain, filtered by a condition if there is one.
struct Source {
  const Expr* domain = nullptr;
  const Expr* where = nullptr;
};
inline std::vector<Source> sources_of(const choose& chosen) {
  std::vector<Source> sources;
  const Parts all = chosen.sources();
  for (std::size_t i = 0; i < all.size(); i += 2)
    sources.push_back({all[i], i + 1 < all.size() ? all[i + 1] : nullptr});
  return sources;
}

}   // namespace view
}   // namespace cardwright::model
