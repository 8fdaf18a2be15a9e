// Computes the kinds of cards that each zone can contain, as a fixed point over all moves, decks, parameters and
// locals.
#include "compiler/analysis/zone_cards.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "compiler/model/views.h"
#include "compiler/model/visit.h"

namespace cardwright::analysis {

namespace view = model::view;

using model::ExprKind;
using model::StmtKind;
using Kinds = std::vector<bool>;   // indexed by card kind

namespace {

class ZoneCards {
 public:
  explicit ZoneCards(const model::Model& model)
      : model_(model), zones_(model.zones.size(), Kinds(model.kinds.size(), false)) {}

  std::vector<std::vector<std::int64_t>> find();

 private:
  using Name = std::pair<const model::Body*, std::uint32_t>;

  void settle_names();
  void look();
  void look_at(const model::Body& body, const model::Block& block);
  void look_at(const model::Body& body, const model::Stmt& s);
  void look_at_elements(const model::Body& body, const model::Expr& e);
  void look_at_plays();
  void put(model::ZoneId zone, const Kinds& kinds) { add(zones_[zone.index], kinds); }
  void name(const model::Body& body, model::LocalId local, const Kinds& kinds);
  void add(Kinds& to, const Kinds& kinds);
  Kinds of_type(const model::Type& type) const;
  Kinds of(const model::Body& body, const model::Expr* e) const;
  Kinds unbounded(const model::Body& body, const model::Expr& e) const;

  const model::Model& model_;
  std::vector<Kinds> zones_;
  std::map<Name, Kinds> names_;
  // Locals that are limited only by their type: parameters, and variables that other rules may assign.
  std::set<Name> typed_;
  bool changed_ = false;
};

const model::Type& card_in(const model::Type& type) {
  const model::Type* t = &type;
  while (t->kind != model::TypeKind::card && t->elem) t = t->elem.get();
  return *t;
}

Kinds both(Kinds a, const Kinds& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = a[k] && b[k];
  return a;
}
Kinds either(Kinds a, const Kinds& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = a[k] || b[k];
  return a;
}

void ZoneCards::add(Kinds& to, const Kinds& kinds) {
  for (std::size_t k = 0; k < to.size(); ++k)
    if (kinds[k] && !to[k]) to[k] = true, changed_ = true;
}

void ZoneCards::name(const model::Body& body, model::LocalId local, const Kinds& kinds) {
  if (!local.valid() || !model::holds_cards(body.locals[local.index].type)) return;
  add(names_.try_emplace({&body, local.index}, Kinds(model_.kinds.size(), false)).first->second, kinds);
}

Kinds ZoneCards::of_type(const model::Type& type) const {
  const model::Type& card = card_in(type);
  Kinds kinds(model_.kinds.size(), false);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (card.kind != model::TypeKind::card || card.ref >= model_.card_types.size()) {
      kinds[k] = card.lo <= 0 || card.kind != model::TypeKind::card || card.lo - 1 == static_cast<std::int64_t>(k);
      continue;
    }
    std::optional<model::CardTypeId> at = model_.kinds[k].type;
    for (std::size_t steps = 0; at && at->index != card.ref && steps <= model_.card_types.size(); ++steps)
      at = model_.card_types[at->index].base;
    kinds[k] = at && at->index == card.ref && (card.lo <= 0 || card.lo - 1 == static_cast<std::int64_t>(k));
  }
  return kinds;
}

Kinds ZoneCards::of(const model::Body& body, const model::Expr* e) const {
  if (!e) return Kinds(model_.kinds.size(), false);
  return both(unbounded(body, *e), of_type(e->type));
}

// Returns the kinds of cards that an expression can yield, ignoring its type.
Kinds ZoneCards::unbounded(const model::Body& body, const model::Expr& e) const {
  switch (e.kind) {
    case ExprKind::zone:
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom:
    case ExprKind::card_of_slot: return zones_[e.ref];
    case ExprKind::local: {
      const auto known = names_.find({&body, e.local.index});
      return known == names_.end() || typed_.contains({&body, e.local.index}) ? of_type(e.type) : known->second;
    }
    case ExprKind::filter:
    case ExprKind::best:
    case ExprKind::set_minus:
    case ExprKind::set_of_one:
    case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::pick_only:
    case ExprKind::pick_random:
    case ExprKind::random_n:
    case ExprKind::list_end:
    case ExprKind::list_drop:
    case ExprKind::list_as: return of(body, view::taken_from(e).of());
    case ExprKind::set_union:
    case ExprKind::joined: return either(of(body, view::pair(e).left()), of(body, view::pair(e).right()));
    case ExprKind::set_and: return both(of(body, view::pair(e).left()), of(body, view::pair(e).right()));
    case ExprKind::or_else: return either(of(body, view::or_else(e).first()), of(body, view::or_else(e).otherwise()));
    case ExprKind::conditional:
      return either(of(body, view::conditional(e).then()), of(body, view::conditional(e).otherwise()));
    default: return of_type(e.type);
  }
}

void ZoneCards::look_at_elements(const model::Body& body, const model::Expr& e) {
  switch (e.kind) {
    case ExprKind::exists:
    case ExprKind::filter:
    case ExprKind::aggregate:
    case ExprKind::best:
    case ExprKind::list_of: return name(body, e.local, of(body, view::ranging(e).domain()));
    default: return;
  }
}

void ZoneCards::look_at(const model::Body& body, const model::Stmt& s) {
  for (const model::Expr* e : s.exprs)
    model::for_each_expr(e, [&](const model::Expr& part) { look_at_elements(body, part); });
  const auto whole_zone = [](std::int64_t value) {
    return model::ZoneId{static_cast<std::uint32_t>(value & 0xffffffff)};
  };
  switch (s.kind) {
    case StmtKind::let: return name(body, s.local, of(body, view::let(s).initial()));
    case StmtKind::assign_local: return name(body, s.local, of(body, view::assign_local(s).value()));
    case StmtKind::each: return name(body, s.local, of(body, view::each(s).domain()));
    case StmtKind::choose:
      for (const view::Source& source : view::sources_of(view::choose(s))) {
        name(body, s.local, of(body, source.domain));
        name(body, model::LocalId{s.ref}, of(body, source.domain));
      }
      return;
    case StmtKind::move: return put(view::move(s).id(), of(body, view::move(s).what()));
    case StmtKind::draw_to:
    case StmtKind::deal_each: return put(whole_zone(s.value), zones_[s.ref]);
    default: return;
  }
}

void ZoneCards::look_at(const model::Body& body, const model::Block& block) {
  model::for_each_stmt(block, [&](const model::Stmt& s) { look_at(body, s); });
}

// A played card moves to the target zone of its play, and the cards that it replaces move to `replaced_to`.
void ZoneCards::look_at_plays() {
  for (const model::Action& a : model_.actions) {
    if (!a.to) continue;
    Kinds played(model_.kinds.size(), false);
    played[a.kind.index] = true;
    for (const model::Also& also : model_.alsos)
      if (also.counts_as == a.kind)
        for (const model::KindId k : also.kinds) played[k.index] = true;
    put(a.to->zone, played);
    Kinds replaced(model_.kinds.size(), false);
    for (const model::KindId k : a.replacing) replaced[k.index] = true;
    if (a.replaced_to) put(a.replaced_to->zone, replaced);
  }
}

// Finds the locals that are not tracked. Other code may pass or assign values to them, so only their
// type limits which cards they can contain.
void ZoneCards::settle_names() {
  const auto fix = [&](const model::Body& body, model::LocalId local) {
    if (local.valid()) typed_.insert({&body, local.index});
  };
  const auto parameters = [&](const model::Body& body, const std::vector<model::Parameter>& all) {
    for (const model::Parameter& p : all) fix(body, p.local);
  };
  const auto head = [&](const model::Body& body, const model::RuleHead& rule) {
    fix(body, rule.me), fix(body, rule.self);
  };
  const auto patterns = [&](const model::Body& body, const std::vector<model::Pattern>& all) {
    for (const model::Pattern& p : all) fix(body, p.local);
  };
  for (const model::Value& v : model_.values) parameters(v.body, v.parameters);
  for (const model::Function& f : model_.functions) parameters(f.body, f.parameters);
  for (const model::Event& e : model_.events) {
    parameters(e.body, e.parameters);
    for (const model::LocalId l : e.variables) fix(e.body, l);
    for (const model::Handler& h : e.handlers) head(h.body, h.head), patterns(h.body, h.patterns);
  }
  for (const model::Window& w : model_.windows) {
    parameters(w.body, w.parameters);
    for (const model::LocalId l : w.variables) fix(w.body, l);
    if (!w.race) continue;
    for (const model::Resume& r : w.race->resumes)
      for (const model::LocalId l : r.held) fix(r.body, l);
  }
  for (const model::Action& a : model_.actions) {
    if (!a.play) head(a.body, a.head);
    for (const model::ActionParameter& p : a.parameters)
      if (!p.domain) fix(a.body, p.local), fix(a.body, p.element);
  }
  for (const model::Whenever& w : model_.whenevers) head(w.body, w.head), fix(w.body, w.subject);
}

void ZoneCards::look() {
  for (std::size_t z = 0; z < zones_.size(); ++z)
    if (model_.zones[z].refill_from) add(zones_[z], zones_[model_.zones[z].refill_from->index]);
  for (const model::Action& a : model_.actions)
    for (const model::ActionParameter& p : a.parameters)
      for (const model::LocalId local : {p.local, p.element})
        if (p.domain) name(a.body, local, of(a.body, p.domain));
  model::for_each_rule_block(model_, [&](const model::Body& body, const model::Block& block) { look_at(body, block); });
  look_at_plays();
}

std::vector<std::vector<std::int64_t>> ZoneCards::find() {
  settle_names();
  for (const model::Card& card : model_.cards)
    if (card.home) zones_[card.home->index][card.kind.index] = true;
  do changed_ = false, look();
  while (changed_);
  std::vector<std::vector<std::int64_t>> found(zones_.size());
  for (std::size_t z = 0; z < zones_.size(); ++z)
    for (std::size_t k = 0; k < zones_[z].size(); ++k)
      if (zones_[z][k]) found[z].push_back(static_cast<std::int64_t>(k));
  return found;
}

}   // namespace

std::vector<std::vector<std::int64_t>> zone_cards(const model::Model& model) { return ZoneCards(model).find(); }

}   // namespace cardwright::analysis
