// Finds boards by name and by the types of their cells, edges, directions and offsets.
#include "compiler/sema/operations/board_types.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

std::string name_on(const SemaContext& sema, const model::Board& board, std::string_view name) {
  return sema.ruleset.several_boards ? fmt::format("{}.{}", board.name, name) : std::string(name);
}

const model::Board& first_grid(const SemaContext& sema) {
  return *std::find_if(sema.model.boards.begin(), sema.model.boards.end(),
                       [](const model::Board& b) { return !b.graph; });
}

std::optional<std::uint32_t> board_named(const SemaContext& sema, const Node* node) {
  if (!node || node->kind != NodeKind::name_ref) return std::nullopt;
  for (const Unit& unit : sema.ruleset.units) {
    if (!unit.on || unit.root->range.source != node->range.source) continue;
    for (const Node* n : unit.root->children)
      if (n && n->kind == NodeKind::library && view::library(n).board() && view::library(n).board()->text == node->text)
        return board_named(sema, unit.on);
  }
  auto it = sema.boards.names.find(node->text);
  return it == sema.boards.names.end() ? std::nullopt : std::optional(it->second);
}

std::optional<std::uint32_t> board_of(const SemaContext& sema, const Type& cell) {
  if (cell.kind != TypeKind::enumeration) return std::nullopt;
  for (std::uint32_t b = 0; b < sema.model.boards.size(); ++b)
    if (sema.model.boards[b].cells.index == cell.ref) return b;
  return std::nullopt;
}

std::optional<std::uint32_t> board_of_edge(const SemaContext& sema, const Type& edge) {
  if (edge.kind != TypeKind::enumeration) return std::nullopt;
  for (std::uint32_t b = 0; b < sema.model.boards.size(); ++b)
    if (sema.model.boards[b].edges.index == edge.ref) return b;
  return std::nullopt;
}

// Returns the board whose directions have this type.
const model::Board& board_with(const SemaContext& sema, const Type& direction) {
  return *std::find_if(sema.model.boards.begin(), sema.model.boards.end(),
                       [&](const model::Board& b) { return !b.graph && b.dirs.index == direction.ref; });
}

// Returns the board whose directions have the name `name`: `dirs`, or `field.dirs` in a game with several boards.
const model::Board* board_with_dirs(const SemaContext& sema, std::string_view name) {
  for (const model::Board& board : sema.model.boards)
    if (!board.graph && name == name_on(sema, board, "dirs")) return &board;
  return nullptr;
}

// Returns help text for a name that belongs to several boards. The text lists the prefixed names.
std::string of_which_board(const SemaContext& sema, std::string_view name) {
  std::string all;
  for (const model::Board& board : sema.model.boards) {
    const std::string whole = fmt::format("{}.{}", board.name, name);
    bool known =
        board_with_dirs(sema, whole) || sema.names.constants.contains(whole) || sema.constants.declared.contains(whole);
    for (const Table* t : {&sema.names.enums, &sema.names.records, &sema.names.values, &sema.names.functions})
      known = known || t->contains(whole);
    if (known) all += fmt::format("{}`{}`", all.empty() ? "write " : " or ", whole);
  }
  return all;
}

bool is_direction(const SemaContext& sema, const Type& t) {
  return t.kind == TypeKind::enumeration && t.ref < sema.model.enums.size() && sema.model.enums[t.ref].dirs;
}

bool is_offset(const SemaContext& sema, const Type& t) {
  return t.kind == TypeKind::record && !sema.model.boards.empty() && sema.model.records[t.ref].name == "offset";
}

const Expr* offset(SemaContext& sema, const Expr* east, const Expr* north, Range range) {
  if (is_poison(east) || is_poison(north)) return poison(sema, range);
  return make(sema, ExprKind::record, with_ref(TypeKind::record, sema.names.records.find("offset")->second), range,
              {east, north});
}

}   // namespace cardwright::sema
