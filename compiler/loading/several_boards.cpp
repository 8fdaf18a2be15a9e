// Adds the board's name as a prefix to names that belong to a board, if the game has several boards. The boards are
// counted in the source text, so their number does not depend on options.
#include "compiler/loading/several_boards.h"

#include <map>
#include <set>

#include <fmt/format.h>

#include "compiler/ast/views.h"
#include "compiler/model/model.h"

namespace cardwright::loading {

namespace view = ast::view;
namespace {

using ast::Node;
using ast::NodeKind;
using NameSet = std::set<std::string_view>;

// Members of a board that are not renamed, as in `field.cells`.
const NameSet kOfBoard = {"cells", "edges", "width", "height"};

bool holds_declarations(NodeKind kind) {
  return kind == NodeKind::file || kind == NodeKind::list || kind == NodeKind::with_decl ||
         kind == NodeKind::option_decl || kind == NodeKind::option_value || kind == NodeKind::replace_decl;
}

template <class F>
void each_declaration(const Node* in, const F& f) {
  for (Node* n : in->children) {
    if (!n) continue;
    if (holds_declarations(n->kind))
      each_declaration(n, f);
    else
      f(n);
  }
}

template <class F>
void each_node(Node* n, const F& f) {
  f(n);
  for (Node* child : n->children)
    if (child) each_node(child, f);
}

// Returns whether a library's declarations of this kind exist once for each board.
bool is_named_after_board(NodeKind kind) {
  return kind == NodeKind::const_decl || kind == NodeKind::function_decl || kind == NodeKind::sequence_decl ||
         kind == NodeKind::record_decl || kind == NodeKind::value_decl || kind == NodeKind::enum_decl;
}

class Naming {
 public:
  explicit Naming(Ruleset& ruleset) : ruleset_(ruleset) {}

  void run() {
    find_boards();
    if (!(ruleset_.several_boards = shapes_.size() > 1)) return;
    for (const Unit& unit : ruleset_.units) {
      go_into(unit);
      each_declaration(unit.root, [&](Node* n) { declaration(n); });
    }
  }

  void run(Node& part) {
    find_boards();
    for (const Unit& unit : ruleset_.units)
      if (unit.root->range.source == part.range.source) go_into(unit);
    names_in(&part, {});
  }

 private:
  void find_boards() {
    for (const Unit& unit : ruleset_.units)
      each_declaration(unit.root, [&](const Node* n) {
        if (n->kind == NodeKind::board) shapes_.emplace(n->text, n);
      });
  }

  void go_into(const Unit& unit) {
    const Node* head = library_of(unit);
    in_library_ = head ? view::library(head).board()->text : "";
    board_ = head ? meant(unit.on->text, unit.on->range.source) : "";
    own_ = head ? names_of(unit) : NameSet();
  }

  static const Node* library_of(const Unit& unit) {
    for (const Node* n : unit.root->children)
      if (n && n->kind == NodeKind::library && view::library(n).board() && unit.on) return n;
    return nullptr;
  }

  // Returns the board that a name in a file refers to. A library that is used on a board can have its own name for that
  // board.
  std::string_view meant(std::string_view name, SourceId file) const {
    for (const Unit& unit : ruleset_.units)
      if (const Node* head = unit.root->range.source == file ? library_of(unit) : nullptr;
          head && view::library(head).board()->text == name)
        return meant(unit.on->text, unit.on->range.source);
    return name;
  }

  NameSet names_of(const Unit& unit) const {
    NameSet names{"cell", "dir", "edge", "dirs"};
    each_declaration(unit.root, [&](const Node* n) {
      // The name as written in the source, without the prefix.
      if (is_named_after_board(n->kind)) names.insert(n->text.substr(n->text.find('.') + 1));
    });
    const auto shape = shapes_.find(board_);
    const bool hex = shape != shapes_.end() && (shape->second->number & 4) != 0;
    for (const model::Direction& way : hex ? std::span<const model::Direction>(model::kOfHexagons)
                                           : std::span<const model::Direction>(model::kOfSquares))
      names.insert(way.name);
    return names;
  }

  std::string_view after_board(std::string_view name) {
    return ruleset_.arena.keep(fmt::format("{}.{}", board_, name));
  }

  // Renames the names in a declaration, except names that the declaration itself introduces as a parameter or with
  // `let`.
  void declaration(Node* n) {
    if (n->kind == NodeKind::library || n->kind == NodeKind::use_decl || n->kind == NodeKind::game) return;
    NameSet bound;
    for (Node* child : n->children)
      if (child)
        each_node(child, [&](const Node* inner) {
          if (!refers(inner->kind)) bound.insert(inner->text);
        });
    const bool renamed = !board_.empty() && is_named_after_board(n->kind);
    for (Node* child : n->children)
      if (child) names_in(child, bound);
    if (renamed) n->text = after_board(n->text);
  }

  static bool refers(NodeKind kind) {
    return kind == NodeKind::name_ref || kind == NodeKind::call || kind == NodeKind::type_name ||
           kind == NodeKind::member || kind == NodeKind::arg;
  }

  void names_in(Node* n, const NameSet& bound) {
    for (Node* child : n->children)
      if (child) names_in(child, bound);
    if (n->kind == NodeKind::member) return of_board(n, bound);
    // For example, `field.row(1)`.
    if (n->kind == NodeKind::call && n->text.empty() && view::call(n).callee() &&
        view::call(n).callee()->kind == NodeKind::name_ref) {
      n->text = view::call(n).callee()->text;
      n->children = n->children.first(1);
      return;
    }
    const bool of_type = n->kind == NodeKind::type_name && !board_.empty() && n->text.starts_with(in_library_) &&
                         n->text.substr(in_library_.size()).starts_with('.');
    if (of_type) n->text = after_board(n->text.substr(in_library_.size() + 1));
    const bool own = n->kind == NodeKind::name_ref || n->kind == NodeKind::call || n->kind == NodeKind::type_name;
    if (own && own_.contains(n->text) && !bound.contains(n->text)) n->text = after_board(n->text);
  }

  // Replaces a member access such as `field.e4` with a single name.
  void of_board(Node* n, const NameSet& bound) {
    const Node* base = view::member(n).of();
    if (!base || base->kind != NodeKind::name_ref || bound.contains(base->text) || kOfBoard.contains(n->text)) return;
    const std::string_view board = meant(base->text, n->range.source);
    if (!shapes_.contains(board)) return;
    n->kind = NodeKind::name_ref;
    n->text = ruleset_.arena.keep(fmt::format("{}.{}", board, n->text));
    n->children = {};
  }

  Ruleset& ruleset_;
  std::map<std::string_view, const Node*> shapes_;   // the boards by name
  // The library's name for the board in the current file, and the name of the actual board.
  std::string_view in_library_, board_;
  NameSet own_;   // names that refer to the board of the current file
};

}   // namespace

void name_after_boards(Ruleset& ruleset) { Naming(ruleset).run(); }

void name_after_boards(Ruleset& ruleset, ast::Node& part) {
  if (ruleset.several_boards) Naming(ruleset).run(part);
}

}   // namespace cardwright::loading
