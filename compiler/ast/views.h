// Defines views, which give access to the parts of a node by name: `view::if_stmt(node).condition()`. Each kind of node
// has a view, generated from nodes.def. The views at the top are shared by several kinds that begin with the same
// parts.
#pragma once

#include "compiler/ast/ast.h"
#include "support/kind_view.h"

namespace cardwright::ast {

// For each kind, the index of each named part among the children.
#define PART(name) name,
#define OPTIONAL(name) name,
#define LIST(name) name,
#define OPTIONAL_LIST(name) name,
#define SAME(name, part) name = part,
#define REST(name) name,
#define NODE(kind, parts, layout) \
  struct kind##_parts {           \
    enum : std::size_t { parts }; \
  };
#include "compiler/ast/nodes.def"

namespace view {

template <NodeKind... kinds>
class View : public KindView<Node, &Node::kind, kinds...> {
 public:
  using KindView<Node, &Node::kind, kinds...>::KindView;

 protected:
  Node* nth(std::size_t i) const { return this->it().child(i); }
  std::span<Node* const> all_from(std::size_t i) const {
    const auto children = this->it().children;
    return children.subspan(i < children.size() ? i : children.size());
  }
  bool has_bit(std::int64_t bit) const { return (this->it().number & bit) != 0; }
};

#define PART(name) \
  Node* name() const { return this->nth(Parts::name); }

// ---- Views shared by several kinds
struct callable : View<NodeKind::value_decl, NodeKind::function_decl, NodeKind::sequence_decl, NodeKind::event_decl,
                       NodeKind::window_decl> {
  using Parts = value_decl_parts;
  using View::View;
  PART(parameters)
  PART(type)
};
struct branches : View<NodeKind::if_stmt, NodeKind::if_expr, NodeKind::with_decl, NodeKind::with_stmt> {
  using Parts = if_stmt_parts;
  using View::View;
  PART(condition)
  PART(then)
  PART(otherwise)
};
struct relation : View<NodeKind::implies_decl, NodeKind::conflict_decl, NodeKind::require_decl, NodeKind::void_decl,
                       NodeKind::warn_decl> {
  using Parts = implies_decl_parts;
  using View::View;
  PART(one)
  PART(other)
};
struct range : View<NodeKind::range_lit, NodeKind::type_range> {
  using Parts = range_lit_parts;
  using View::View;
  PART(lo)
  PART(hi)
};
struct variable : View<NodeKind::field, NodeKind::let_stmt> {
  using Parts = field_parts;
  using View::View;
  PART(type)
  PART(initial)
};
struct state : View<NodeKind::player_state, NodeKind::table_state, NodeKind::team_state> {
  using Parts = player_state_parts;
  using View::View;
  PART(members)
};
struct place : View<NodeKind::member, NodeKind::index> {
  using Parts = member_parts;
  using View::View;
  PART(of)
};
struct from_zone : View<NodeKind::top_expr, NodeKind::random_cards> {
  using Parts = top_expr_parts;
  using View::View;
  PART(count)
  PART(zone)
};
struct among : View<NodeKind::where_expr, NodeKind::best_expr, NodeKind::clockwise_expr> {
  using Parts = where_expr_parts;
  using View::View;
  PART(set)
};
struct flow : View<NodeKind::setup_decl, NodeKind::play_flow, NodeKind::phase_stmt, NodeKind::afterwards_stmt> {
  using Parts = setup_decl_parts;
  using View::View;
  PART(body)
};

// ---- One view for each kind
#define OPTIONAL(name) PART(name)
#define LIST(name) PART(name)
#define OPTIONAL_LIST(name) PART(name)
#define SAME(name, part) PART(name)
#define REST(name)                                                            \
  std::span<Node* const> name() const { return this->all_from(Parts::name); } \
  Node* name(std::size_t i) const { return this->nth(Parts::name + i); }
#define FLAG(name, bit) \
  bool name() const { return this->has_bit(bit); }
#define NODE(kind, parts, layout)      \
  struct kind : View<NodeKind::kind> { \
    using Parts = kind##_parts;        \
    using View::View;                  \
    parts                              \
  };
#include "compiler/ast/nodes.def"

}   // namespace view
}   // namespace cardwright::ast
