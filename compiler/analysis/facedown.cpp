// Finds zones with facedown cards from the moves, draws and turns in the rules.
#include "compiler/analysis/facedown.h"

#include "compiler/model/views.h"
#include "compiler/model/visit.h"

namespace cardwright::analysis {

namespace view = model::view;

using model::ExprKind;
using model::StmtKind;

namespace {

// Returns whether the zone preserves the sides of cards: a facedown card that moves between such zones stays facedown.
bool keeps_sides(const model::Model& model, std::size_t z) {
  const model::Zone& zone = model.zones[z];
  if (model.board_cards && z == model.board_cards->zone.index) return false;   // cards on the board are faceup
  return zone.visibility == model::Visibility::open &&
         (zone.shape == model::ZoneShape::set || zone.shape == model::ZoneShape::row);
}

}   // namespace

std::vector<bool> zones_with_facedown(const model::Model& model) {
  // These are bits of Stmt::value; stmts.def lists them.
  constexpr std::int64_t kMovedFaceDown = 16, kDrawnFaceDown = std::int64_t{1} << 33;
  std::vector<bool> down(model.zones.size(), false);
  bool any = false;
  for (const model::Stmt& s : model.stmts) {
    if (s.kind == StmtKind::move && (s.value & kMovedFaceDown)) down[s.ref] = any = true;
    if ((s.kind == StmtKind::draw_to || s.kind == StmtKind::deal_each) && (s.value & kDrawnFaceDown))
      down[static_cast<std::uint32_t>(s.value)] = any = true;
    if (s.kind != StmtKind::turn_cards || view::turn_cards(s).faceup()) continue;
    any = true;
    model::for_each_expr(view::turn_cards(s).what(), [&](const model::Expr& e) {
      if (e.kind == ExprKind::zone || e.kind == ExprKind::zone_top || e.kind == ExprKind::card_of_slot)
        down[e.ref] = model.zones[e.ref].visibility != model::Visibility::hidden;
    });
  }
  for (std::size_t z = 0; z < down.size(); ++z) down[z] = down[z] || (any && keeps_sides(model, z));
  return down;
}

}   // namespace cardwright::analysis
