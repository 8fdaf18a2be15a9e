// Collects the statements, expressions and scenarios that read the order of cards in a zone.
#include "compiler/analysis/orders.h"

#include "compiler/model/views.h"
#include "compiler/model/visit.h"

namespace cardwright::analysis {

namespace view = model::view;

using model::ExprKind;
using model::StmtKind;

namespace {

bool several_face_down(const model::Stmt& s) {
  return s.kind == StmtKind::move && view::move(s).facedown() &&
         view::move(s).what()->type.kind == model::TypeKind::set;
}
bool reads_order(const model::Expr& e) {
  return e.kind == ExprKind::zone_top || e.kind == ExprKind::zone_top_n || e.kind == ExprKind::zone_bottom ||
         e.kind == ExprKind::knows_top;
}
bool reads_order(const model::Stmt& s) {
  return s.kind == StmtKind::draw_to || s.kind == StmtKind::deal_each || s.kind == StmtKind::arrange;
}

// Marks the zones whose top or bottom cards a scenario names.
void note(const std::vector<model::Known>& things, std::vector<bool>& read) {
  for (const model::Known& known : things)
    if (known.kind == model::Known::Kind::top || known.kind == model::Known::Kind::bottom)
      read[known.zone.index] = true;
}
void note(const model::Scenario& scenario, std::vector<bool>& read) {
  for (const model::ScenarioLine& line : scenario.lines) {
    for (const model::Given& g : line.givens) {
      if (g.kind == model::Given::Kind::top || g.kind == model::Given::Kind::bottom) read[g.zone.index] = true;
      note(g.known, read);
    }
    for (const model::Claim& c : line.claims) note(c.known, read);
  }
}

// Collects the rules that read the order. Rules of a character matter only if a player has that character.
class Readers {
 public:
  explicit Readers(Orders& orders) : orders_(orders) {}
  void operator()(const model::RuleHead* rule, const model::Expr* e) const { look(rule, e); }
  void operator()(const model::RuleHead* rule, const model::Block& block) const {
    model::for_each_stmt(block, [&](const model::Stmt& s) {
      if (reads_order(s)) note(rule, s.ref);
      for (const model::Expr* e : s.exprs) look(rule, e);
    });
  }

 private:
  void look(const model::RuleHead* rule, const model::Expr* e) const {
    model::for_each_expr(e, [&](const model::Expr& in) {
      if (reads_order(in)) note(rule, in.ref);
    });
  }
  void note(const model::RuleHead* rule, std::uint32_t zone) const {
    if (rule && rule->carrier.kind == model::CarrierKind::character)
      orders_.by_character[zone].insert({rule->carrier.character_variable.index, rule->carrier.character});
    else
      orders_.always.insert(zone);
  }
  Orders& orders_;
};

}   // namespace

// Returns for each zone whether the order of its cards is never random.
static std::vector<bool> never_shuffled(const model::Model& model) {
  std::vector<bool> known(model.zones.size(), true);
  for (std::size_t z = 0; z < model.zones.size(); ++z) known[z] = !model.zones[z].refill_from;
  for (const model::Stmt& s : model.stmts)
    if (s.kind == StmtKind::shuffle || several_face_down(s)) known[s.ref] = false;
  for (const model::Zone& zone : model.zones)
    if (zone.refill_from) known[zone.refill_from->index] = false;
  for (const model::Card& card : model.cards)
    if (card.home) known[card.home->index] = false;
  return known;
}

std::vector<bool> zones_in_known_order(const model::Model& model) {
  std::vector<bool> known = never_shuffled(model);
  for (std::size_t z = 0; z < model.zones.size(); ++z)
    known[z] = known[z] && model.zones[z].visibility == model::Visibility::open;
  return known;
}

// Returns for each zone whether cards are distinguishable by their position: rows that a player sees and piles that all
// players see, if their order matters and is never random.
static std::vector<bool> distinguishable_by_position(const model::Model& model, const Orders& orders) {
  std::vector<bool> distinguishable = never_shuffled(model);
  for (std::uint32_t z = 0; z < distinguishable.size(); ++z) {
    const model::Zone& zone = model.zones[z];
    const bool seen = zone.shape == model::ZoneShape::row
                          ? zone.visibility != model::Visibility::hidden
                          : zone.shape == model::ZoneShape::pile && zone.visibility == model::Visibility::open;
    distinguishable[z] = distinguishable[z] && seen && (orders.arranged[z] || orders.matters(z));
  }
  return distinguishable;
}

Orders orders_in(const model::Model& model) {
  Orders orders;
  orders.arranged.resize(model.zones.size());
  // The order of a row is always visible, so it counts as read.
  for (const model::Zone& z : model.zones) orders.read.push_back(z.shape == model::ZoneShape::row);
  for (const model::Expr& e : model.exprs)
    if (reads_order(e)) orders.read[e.ref] = true;
  for (const model::Stmt& s : model.stmts) {
    if (reads_order(s)) orders.read[s.ref] = true;
    if (s.kind == StmtKind::arrange) orders.arranged[s.ref] = true;
  }
  for (const model::Scenario& s : model.scenarios) note(s, orders.read);
  model::for_each_piece(model, Readers(orders));
  orders.distinguishable = distinguishable_by_position(model, orders);
  return orders;
}

}   // namespace cardwright::analysis
