#include "compiler/model/orders.h"

namespace cardwright::model {

namespace {
bool several_face_down(const Stmt& s) { return s.kind == StmtKind::move && (s.value & 16) && s.exprs[0]->type.kind == TypeKind::set; }
}  // namespace

std::vector<bool> zones_in_known_order(const Model& model) {
  std::vector<bool> known(model.zones.size(), false);
  for (std::size_t z = 0; z < model.zones.size(); ++z) known[z] = model.zones[z].visibility == Visibility::open && !model.zones[z].refill_from;
  for (const Stmt& s : model.stmts)
    if (s.kind == StmtKind::shuffle || several_face_down(s)) known[s.ref] = false;
  for (const Zone& zone : model.zones)
    if (zone.refill_from) known[zone.refill_from->index] = false;
  for (const Card& card : model.cards)
    if (card.home) known[card.home->index] = false;
  return known;
}

}  // namespace cardwright::model
