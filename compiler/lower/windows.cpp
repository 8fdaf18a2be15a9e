// Windows: who is asked, what is offered, what the choice does; unnamed choices; and why an action is not offered.
//
// A decision site computes for each action that fits how many options it has (a group), adds up, decides, and finds the
// chosen one by counting down. Groups are masks where the parameters don't depend on each other, loops where they do.
#include <algorithm>

#include "compiler/lower/offers.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

// While an action that may be wrong is offered, its conditions are read as the asked player may.
struct Lowering::Offering {
  Offering(Lowering& lowering, const Group& g) : of(lowering), outer(lowering.asked_), outer_local(lowering.asked_local_) {
    const bool uncertain = of.may_be_wrong(g.index);
    of.asked_ = uncertain ? g.me : ir::kNoRegister;
    of.asked_local_ = uncertain ? g.action->head.me : model::LocalId{};
  }
  ~Offering() {
    of.asked_ = outer;
    of.asked_local_ = outer_local;
  }
  Offering(const Offering&) = delete;
  Lowering& of;
  Register outer;
  model::LocalId outer_local;
};

// ---------------------------------------------------------------- option ids

Int Lowering::add_action(ActionInfo info) {
  info.base = next_id_;
  info.count = 1;
  for (const ParameterInfo& p : info.parameters) info.count *= p.count;
  if (info.kind == ActionKind::one_of) info.count = Int(info.choices.size());
  if (info.kind == ActionKind::yes_no) info.count = 2;
  if (info.count > 65536)
    too_large(info.where, fmt::format("`{}` has {} combinations of parameters, and 65536 is the limit: choose the one first, then the other",
                          info.name, info.count));
  next_id_ += info.count;
  program_.actions.push_back(std::move(info));
  return static_cast<Int>(program_.actions.size() - 1);
}

bool Lowering::by_id(const model::Action& action) const {
  for (std::size_t w = 0; w < model_.windows.size(); ++w)
    if ((model_.windows[w].at_once || model_.windows[w].race) && action_in_window(action, model::WindowId{std::uint32_t(w)})) return true;
  return false;
}

Int Lowering::digits(const model::Type& type, bool by_id) const {
  if (type.kind == TypeKind::card) return std::max<Int>(1, by_id ? program_.layout.card_ids : class_count_);
  Bounds b = bounds(type);
  return std::max<Int>(1, b.hi - b.lo + 1);
}

Register Lowering::digit(const model::Type& type, Register value, bool by_id) {
  if (type.kind == TypeKind::card) return by_id ? value : b().integer(Op::table_small, {table_index(class_of_), value});
  Bounds bound = bounds(type);
  return bound.lo == 0 ? value : b().integer(Op::sub_small, {value, b().constant(bound.lo)});
}

ParameterInfo Lowering::parameter_info(const std::string& name, const model::Type& type, bool by_id, bool unseen) const {
  ParameterInfo p;
  p.name = name;
  p.kind = value_kind(type);
  if (type.kind == TypeKind::enumeration) p.enumeration = type.ref;
  if (type.kind == TypeKind::listed) p.list = type.ref;
  p.first = type.kind == TypeKind::card ? 0 : bounds(type).lo;
  p.count = digits(type, by_id);
  if (unseen) p.unseen = p.count, p.count += program_.layout.hidden;
  p.by_id = by_id;
  return p;
}

// The ids of unnamed choices: one block per type of element, with its "at random", "done" and "no" behind it.
Int Lowering::choice_block(const model::Type& element, bool by_id, bool unseen) {
  std::string key = fmt::format("{}:{}:{}:{}", int(element.kind), element.ref, element.lo, element.hi);
  if (element.kind == TypeKind::card) key = fmt::format("card {} {}", by_id, unseen);
  auto it = choice_blocks_.find(key);
  if (it != choice_blocks_.end()) return it->second;
  ActionInfo pick;
  pick.kind = ActionKind::choose;
  pick.name = "choose";
  pick.parameters.push_back(parameter_info("choice", element, by_id, unseen));
  Int first = add_action(std::move(pick));
  for (const char* name : {"at random", "at random from the second", "done", "no"}) {
    ActionInfo other;
    other.kind = std::string(name) == "done" ? ActionKind::done : std::string(name) == "no" ? ActionKind::pass : ActionKind::choose;
    other.name = name;
    add_action(std::move(other));
  }
  choice_blocks_[key] = first;
  return first;
}

Int Lowering::begin_site(std::string window, std::string prompt, bool flow, Range where) {
  SiteInfo site;
  site.window = std::move(window);
  site.prompt = std::move(prompt);
  site.flow = flow;
  site.of_window = !site.window.empty() && env().from_flow != ir::kNoRegister;
  site.where = where;
  program_.sites.push_back(std::move(site));
  Int id = static_cast<Int>(program_.sites.size() - 1);
  BlockIndex start = b().add_block();
  b().jump(start);
  b().go_to(start);
  b().effect(Op::site, {id});
  return id;
}

// ---------------------------------------------------------------- groups

// Of the cards that an expression names: can some be unseen by `me` (or `who`)? Where it can be, what they know decides.
bool Lowering::may_be_unseen(const model::Expr& e, const model::Expr* who, model::LocalId me) const {
  if (e.kind == model::ExprKind::zone) {
    const model::Zone& zone = model_.zones[e.ref];
    if (facedown_zone_[e.ref] >= 0 || zone.visibility == model::Visibility::hidden) return true;
    if (zone.visibility == model::Visibility::open) return false;
    const model::Expr* owner = e.args.empty() ? nullptr : e.args[0];
    if (!owner) return true;
    if (owner->kind == model::ExprKind::local && (who ? who->kind == model::ExprKind::local && who->local == owner->local : owner->local == me)) return false;
    return !(who && owner->kind == model::ExprKind::active_player && who->kind == model::ExprKind::active_player);
  }
  if (e.kind == model::ExprKind::filter || e.kind == model::ExprKind::best) return may_be_unseen(*e.args[0], who, me);
  if (e.kind != model::ExprKind::set_union && e.kind != model::ExprKind::set_minus && e.kind != model::ExprKind::set_and) return false;
  return std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return may_be_unseen(*a, who, me); });
}

bool Lowering::may_be_wrong(std::size_t index) const {
  const model::Action& action = model_.actions[index];
  const auto secret = [&](const model::Expr* e) { return e && hangs_on_secrets(*e, action.head.me); };
  if (secret(action.head.when)) return true;
  return std::any_of(action.parameters.begin(), action.parameters.end(), [&](const ActionParameter& p) {
    return (p.type.kind == TypeKind::card && p.domain && may_be_unseen(*p.domain, nullptr, action.head.me)) || secret(p.where) || secret(p.amount);
  });
}

Int Lowering::level_digits(const Group& g, const Level& l) const {
  return digits(l.type, by_id(*g.action)) + (l.unseen ? program_.layout.hidden : 0);
}
Register Lowering::level_digit(const Group& g, const Level& l, Register element) { return digit(l.type, element, by_id(*g.action)); }

Register Lowering::zones_of_unseen(Register cards) {
  std::vector<Int> bits(static_cast<std::size_t>(program_.layout.instances), kNone);
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (program_.layout.instance[i].hidden_bit >= 0) bits[i] = program_.layout.instance[i].hidden_bit;
  const Int table = table_index(bits);
  Register zones = b().make_int();
  b().assign_constant(zones, 0);
  for_each(cards, true, [&](Register card) {
    const Register bit = b().integer(Op::table, {table, b().integer(Op::zone_of, {card})});
    b().put(Op::mask_or, zones, {zones, b().integer(Op::mask_of, {bit})});
  });
  return zones;
}

Register Lowering::unseen_in(Register cards, Register bit) {
  const Layout& l = program_.layout;
  const Register instance = b().integer(Op::table_small, {table_index(std::vector<Int>(l.hidden_instance, l.hidden_instance + std::max<Int>(1, l.hidden))), bit});
  return b().set(Op::set_and, {cards, b().set(Op::zone_cards, {instance})});
}

bool Lowering::action_in_window(const model::Action& action, model::WindowId window) const {
  if (action.any_window) return true;
  return std::find(action.windows.begin(), action.windows.end(), window) != action.windows.end();
}

std::vector<Lowering::Group> Lowering::groups_for(model::WindowId window, Register player, Register sensible) {
  std::vector<Group> groups;
  for (bool passes : {false, true})
    for (std::size_t a = 0; a < model_.actions.size(); ++a) {
      const model::Action& action = model_.actions[a];
      if (action.passes != passes || !action_in_window(action, window) || !possible(action)) continue;
      Group g;
      g.action = &action;
      g.index = a;
      g.me = player;
      if (action.sensible) g.sensible = sensible;
      bind_locals(g.env, action.body);
      if (action.head.carrier.kind == CarrierKind::card) {
        Level l;
        l.local = action.head.self;
        l.type = simple(TypeKind::card);
        g.levels.push_back(l);
      }
      for (const ActionParameter& p : action.parameters) {
        Level l;
        l.parameter = &p;
        l.local = p.count == PickCount::one ? p.local : p.element;
        l.type = p.type;
        l.integers = p.type.kind == TypeKind::listed || (p.type.kind == TypeKind::integer && !p.domain);
        l.unseen = l.type.kind == TypeKind::card && p.domain && may_be_unseen(*p.domain, nullptr, action.head.me);
        for (const Level& before : g.levels) {
          if (p.domain && mentions(*p.domain, before.local)) l.independent = false;
          if (p.where && mentions(*p.where, before.local)) l.independent = false;
          if (p.amount && mentions(*p.amount, before.local)) l.independent = false;
        }
        g.levels.push_back(l);
        if (p.count != PickCount::one) break;              // its further elements are decisions of their own
      }
      const bool when_joins = action.head.when && g.levels.size() > 1 &&
                              std::any_of(g.levels.begin(), g.levels.end() - 1, [&](const Level& l) { return mentions(*action.head.when, l.local); });
      if (g.levels.size() > 1 && (when_joins || forbid_reads_parameters(a) || sensible_reads_parameters(g))) g.levels.back().independent = false;
      groups.push_back(std::move(g));
    }
  return groups;
}

bool Lowering::forbid_reads_parameters(std::size_t action) const {
  for (const model::Forbid& f : model_.forbids) {
    bool speaks = std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
    if (speaks && !f.patterns.empty()) return true;
  }
  return false;
}

// Goes to `no` if a forbid in force speaks of the action: the strongest kind of rule that says anything decides,
// and inside a kind forbid wins.
void Lowering::forbids(std::size_t action, Register me, const std::vector<Register>& arguments, BlockIndex no) {
  if (!forbidden_somewhere(action)) return;
  for (auto kind : {model::RuleKind::card, model::RuleKind::option, model::RuleKind::rule}) {
    BlockIndex allowed = b().add_block();
    for (bool allow : {false, true})
      for (const model::Forbid& f : model_.forbids) {
        if (f.allow != allow || f.head.precedence.kind != kind) continue;
        bool speaks = std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
        if (!speaks) continue;
        Env inner;
        bind_locals(inner, f.body);
        with_env(inner, [&] {
          carriers(f.head, f.head.carrier.kind == CarrierKind::nobody ? me : ir::kNoRegister, [&](Register m, Register self) {
            BlockIndex next = b().add_block();
            if (m != ir::kNoRegister) bind(f.head.me, m);
            if (self != ir::kNoRegister) bind(f.head.self, self);
            const bool outer = std::exchange(must_hold_, !allow);   // what may or may not be forbidden is offered
            guard(f.head, f.patterns, arguments, next);
            must_hold_ = outer;
            b().jump(allow ? allowed : no);
            b().go_to(next);
          });
        });
      }
    // `allowed` of a stronger kind skips the weaker ones: it leads to the end
    allowed_ends_.push_back(allowed);
  }
  BlockIndex end = b().add_block();
  b().jump(end);
  for (int i = 0; i < 3; ++i) {
    b().go_to(allowed_ends_.back());
    allowed_ends_.pop_back();
    b().jump(end);
  }
  b().go_to(end);
}

// Goes to `no` unless the action's carrier, limits and `when` let it be offered at all.
void Lowering::action_conditions(std::size_t index, Register me, BlockIndex no) {
  const model::Action& action = model_.actions[index];
  bind(action.head.me, me);
  if (action.head.carrier.kind == CarrierKind::character) {
    BlockIndex yes = b().add_block();
    b().branch(carrier_in_force(action.head, me), yes, no);
    b().go_to(yes);
  }
  for (std::size_t l = 0; l < action.limits.size(); ++l) {
    const LimitUse& use = limits_.at({index, l});
    if (use.cards || use.per_target) continue;             // looked at per card or target, see level_domain
    BlockIndex unused = b().add_block();
    b().branch(limit_used(use, me), no, unused);
    b().go_to(unused);
  }
  bool when_reads_self = action.head.when && action.head.self.valid() && mentions(*action.head.when, action.head.self);
  bool when_reads_parameters = when_reads_self;
  if (action.head.when)
    for (const ActionParameter& p : action.parameters) when_reads_parameters = when_reads_parameters || mentions(*action.head.when, p.local);
  if (action.head.when && !when_reads_parameters) {
    BlockIndex holds = b().add_block();
    branch_on(*action.head.when, holds, no);
    b().go_to(holds);
  }
  if (!forbid_reads_parameters(index)) forbids(index, me, {}, no);
}

// What is not sensible is left out where the group says so.
void Lowering::sensible_only(const Group& g, BlockIndex no) {
  BlockIndex looked_at = b().add_block(), yes = b().add_block();
  b().branch(g.sensible, looked_at, yes);
  b().go_to(looked_at);
  branch_on(*g.action->sensible, yes, no);
  b().go_to(yes);
}

bool Lowering::sensible_reads_parameters(const Group& g) const {
  return g.sensible != ir::kNoRegister &&
         std::any_of(g.levels.begin(), g.levels.end(), [&](const Level& l) { return mentions(*g.action->sensible, l.local); });
}

// What an element must pass beyond its own `where`: the last level also looks at limits per card or target, at a `when`
// that reads parameters, and at forbids that do.
void Lowering::element_conditions(Group& g, std::size_t level, Register element, BlockIndex no) {
  const model::Action& action = *g.action;
  Level& l = g.levels[level];
  bind(l.local, element);
  if (l.parameter && l.parameter->where) {
    BlockIndex yes = b().add_block();
    branch_on(*l.parameter->where, yes, no);
    b().go_to(yes);
  }
  extra_conditions(g, level, element, no);
  (void)action;
}

bool Lowering::has_extra(const Group& g, std::size_t level) const {
  const model::Action& action = *g.action;
  for (std::size_t i = 0; i < action.limits.size(); ++i) {
    const LimitUse& use = limits_.at({g.index, i});
    if (use.cards && level == 0) return true;
    if (use.per_target && parameter_level(g, *action.limits[i].per_target) == level) return true;
  }
  if (level + 1 != g.levels.size()) return false;
  if (forbid_reads_parameters(g.index) || sensible_reads_parameters(g)) return true;
  if (!action.head.when) return false;
  return std::any_of(g.levels.begin(), g.levels.end(), [&](const Level& l) { return mentions(*action.head.when, l.local); });
}

std::size_t Lowering::parameter_level(const Group& g, std::size_t parameter) const {
  return parameter + (g.action->head.carrier.kind == CarrierKind::card ? 1 : 0);
}

void Lowering::extra_conditions(Group& g, std::size_t level, Register element, BlockIndex no) {
  const model::Action& action = *g.action;
  for (std::size_t i = 0; i < action.limits.size(); ++i) {
    const LimitUse& use = limits_.at({g.index, i});
    BlockIndex unused = b().add_block();
    if (use.cards && level == 0) {
      Register used = b().set(Op::load_set, {use.variable, b().constant(0)});
      b().branch(b().integer(Op::set_has, {used, element}, 1), no, unused);
    } else if (use.per_target && parameter_level(g, *action.limits[i].per_target) == level) {
      b().branch(b().integer(Op::load_raw, {use.variable, limit_index(g.me, element)}, 1), no, unused);
    } else {
      b().jump(unused);
    }
    b().go_to(unused);
  }
  if (level + 1 != g.levels.size()) return;
  if (action.head.when && std::any_of(g.levels.begin(), g.levels.end(), [&](const Level& l) { return mentions(*action.head.when, l.local); })) {
    BlockIndex yes = b().add_block();
    branch_on(*action.head.when, yes, no);
    b().go_to(yes);
  }
  if (forbid_reads_parameters(g.index)) {
    std::vector<Register> arguments;
    for (std::size_t i = 0; i < g.levels.size(); ++i)
      if (g.levels[i].parameter) arguments.push_back(read_local(g.levels[i].local));
    forbids(g.index, g.me, arguments, no);
  }
  if (sensible_reads_parameters(g)) sensible_only(g, no);
}

// One of those that the actor can't tell apart. Where others answer at the same time, only among the actor's own cards.
Register Lowering::lookalikes(Register domain, const Group& g, const model::Expr* named) {
  if (!by_id(*g.action) || !named) return b().set(Op::set_lookalikes, {domain});
  Register own = ir::kNoRegister;
  auto visit = [&](auto&& self, const model::Expr& e) -> void {
    if (e.kind == model::ExprKind::zone && !e.args.empty() && e.args[0] && e.args[0]->kind == model::ExprKind::local && e.args[0]->local == g.action->head.me) {
      Register zone = expr(e);
      own = own == ir::kNoRegister ? zone : b().set(Op::set_or, {own, zone});
    }
    for (const model::Expr* a : e.args)
      if (a) self(self, *a);
  };
  visit(visit, *named);
  if (own == ir::kNoRegister) return domain;
  return b().set(Op::set_or, {b().set(Op::set_lookalikes, {b().set(Op::set_and, {domain, own})}), b().set(Op::set_without, {domain, own})});
}

// The elements a level offers, as a set or mask, with everything looked at that can be seen without the later levels.
Register Lowering::level_domain(Group& g, std::size_t level) {
  Level& l = g.levels[level];
  if (l.ready) return l.domain;
  bool cards = is_wide_element(l.type);
  if (l.domain == ir::kNoRegister) l.domain = b().make(site_local(cards ? set_of(l.type) : int_type(8)));
  Register domain;
  if (!l.parameter) {
    domain = carrier_cards(g.action->head, g.me);
  } else {
    const ActionParameter& p = *l.parameter;
    if (p.domain) {
      domain = expr(*p.domain);
    } else {
      domain = universe(p.type);
    }
    Register unseen = ir::kNoRegister;
    if (l.unseen) {
      const Register known = b().set(Op::set_known, {g.me, domain});
      unseen = b().set(Op::set_without, {domain, known});
      domain = known;
      program_.knowledge_in_playout = true;
    }
    domain = filtered(domain, cards, l.local, p.where);
    if (l.unseen) find_unseen(g, level, unseen);
    if (p.count == PickCount::exactly) {                   // a cost: offered only to who has enough
      Register count = b().integer(cards ? Op::set_count : Op::mask_count, {domain});
      if (l.unseen) count = b().integer(Op::add_small, {count, b().integer(Op::set_count, {unseen})});
      Register enough = b().integer(Op::le, {expr(*p.amount), count}, 1);
      if (l.unseen) b().put(Op::select, l.extras, {enough, l.extras, b().constant(0)});
      if (cards) domain = b().set(Op::set_select, {enough, domain, empty_set(l.type)});
      else domain = b().integer(Op::select, {enough, domain, b().constant(0)});
    }
  }
  if (l.type.kind == TypeKind::card) domain = lookalikes(domain, g, l.parameter ? l.parameter->domain : nullptr);
  if (has_extra(g, level)) {
    Register kept = b().make(b().type(domain));
    if (cards) b().put(Op::set_empty, kept, {});
    else b().assign_constant(kept, 0);
    for_each(domain, cards, [&](Register element) {
      BlockIndex no = b().add_block();
      bind(l.local, element);
      extra_conditions(g, level, element, no);
      if (cards) b().put(Op::set_add, kept, {kept, element});
      else b().put(Op::mask_or, kept, {kept, b().integer(Op::mask_of, {element})});
      b().jump(no);
      b().go_to(no);
    });
    domain = kept;
  }
  b().assign(l.domain, domain);
  return l.domain;
}

// Cards that the actor does not know: a bit for each zone in which one lies that could do.
void Lowering::find_unseen(Group& g, std::size_t level, Register unseen) {
  Level& l = g.levels[level];
  if (l.extras == ir::kNoRegister) {
    l.extras = b().make(site_local(int_type(8)));
    l.unseen_cards = b().make(site_local(set_type()));
  }
  b().assign(l.unseen_cards, unseen);
  const Register zones = zones_of_unseen(unseen);
  b().assign_constant(l.extras, 0);
  for_each(zones, false, [&](Register bit) {
    BlockIndex no = b().add_block();
    Register one = b().make(register_type(simple(TypeKind::card)));
    b().put(Op::set_first, one, {unseen_in(unseen, bit)});
    bind(l.local, one);
    unknown_.insert(one);
    if (l.parameter->where) {
      BlockIndex yes = b().add_block();
      branch_on(*l.parameter->where, yes, no);
      b().go_to(yes);
    }
    if (has_extra(g, level)) extra_conditions(g, level, one, no);
    unknown_.erase(one);
    b().put(Op::mask_or, l.extras, {l.extras, b().integer(Op::mask_of, {bit})});
    b().jump(no);
    b().go_to(no);
  });
}

// Every element of the level; ranges of ints are walked through.
void Lowering::each_element(Group& g, std::size_t level, const std::function<void(Register, Register, BlockIndex next)>& body) {
  Level& l = g.levels[level];
  if (!l.integers) {
    for_each(level_domain(g, level), is_wide_element(l.type), [&](Register element) {
      bind(l.local, element);
      BlockIndex next = b().add_block();
      body(element, level_digit(g, l, element), next);
      b().jump(next);
      b().go_to(next);
    });
    if (!l.unseen) return;
    for_each(l.extras, false, [&](Register bit) {
      Register one = b().make(register_type(simple(TypeKind::card)));
      b().put(Op::set_first, one, {unseen_in(l.unseen_cards, bit)});
      bind(l.local, one);
      unknown_.insert(one);
      BlockIndex next = b().add_block();
      body(one, b().integer(Op::add_small, {bit, b().constant(card_digits(by_id(*g.action)))}), next);
      b().jump(next);
      b().go_to(next);
      unknown_.erase(one);
    });
    return;
  }
  Register v = b().make_int();
  b().assign_constant(v, l.type.lo);
  BlockIndex head = b().add_block(), inside = b().add_block(), step = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  b().branch(b().integer(Op::le, {v, b().constant(l.type.hi)}, 1), inside, done);
  b().go_to(inside);
  element_conditions(g, level, v, step);
  body(v, level_digit(g, l, v), step);
  b().jump(step);
  b().go_to(step);
  b().put(Op::add_small, v, {v, b().constant(1)});
  b().jump(head);
  b().go_to(done);
}

Register Lowering::count_level(Group& g, std::size_t level) {
  Level& l = g.levels[level];
  bool last = level + 1 == g.levels.size();
  bool dependent = false;
  for (std::size_t i = level + 1; i < g.levels.size(); ++i) dependent = dependent || !g.levels[i].independent;
  Register total = b().make_int();
  b().assign_constant(total, 0);
  if (dependent || (l.integers && !last)) {
    each_element(g, level, [&](Register, Register, BlockIndex) { b().put(Op::add_small, total, {total, count_level(g, level + 1)}); });
    return total;
  }
  if (l.integers) {
    each_element(g, level, [&](Register, Register, BlockIndex) { b().put(Op::add_small, total, {total, b().constant(1)}); });
    return total;
  }
  Register domain = level_domain(g, level);
  Register size = b().integer(is_wide_element(l.type) ? Op::set_count : Op::mask_count, {domain});
  if (l.unseen) size = b().integer(Op::add_small, {size, b().integer(Op::mask_count, {l.extras})});
  if (last) {
    b().assign(total, size);
    return total;
  }
  if (l.rest == ir::kNoRegister) l.rest = b().make(site_local(int_type(8)));
  BlockIndex some = b().add_block(), after = b().add_block();
  b().assign_constant(l.rest, 0);
  b().branch(size, some, after);
  b().go_to(some);
  b().assign(l.rest, count_level(g, level + 1));
  b().put(Op::mul_small, total, {size, l.rest});
  b().jump(after);
  b().go_to(after);
  return total;
}

bool Lowering::asks_nothing(const Group& g) const {
  const model::Action& action = *g.action;
  if (g.levels.size() != 1 || action.head.carrier.kind != CarrierKind::card || action.head.when || forbidden_somewhere(g.index)) return false;
  for (std::size_t i = 0; i < action.limits.size(); ++i)
    if (const LimitUse& use = limits_.at({g.index, i}); !use.cards && !use.per_target) return false;
  return true;
}

Register Lowering::count_group(Group& g) {
  g.count = b().make_int();
  b().assign_constant(g.count, 0);
  BlockIndex done = b().add_block();
  const Offering offering(*this, g);
  with_env(g.env, [&] {
    if (g.action->play && !g.levels.empty() && !asks_nothing(g)) {   // most plays fail for want of the card: that is looked at first
      bind(g.action->head.me, g.me);
      Register cards = level_domain(g, 0);
      BlockIndex some = b().add_block();
      b().branch(b().integer(Op::set_any, {cards}, 1), some, done);
      b().go_to(some);
      g.levels[0].ready = true;
    }
    action_conditions(g.index, g.me, done);
    if (g.sensible != ir::kNoRegister && !sensible_reads_parameters(g)) sensible_only(g, done);
    if (g.levels.empty()) b().assign_constant(g.count, 1);
    else b().assign(g.count, count_level(g, 0));
    if (!g.levels.empty()) g.levels[0].ready = false;
  });
  b().jump(done);
  b().go_to(done);
  return g.count;
}

void Lowering::select_level(Group& g, std::size_t level, Register k) {
  Level& l = g.levels[level];
  bool last = level + 1 == g.levels.size();
  bool cards = is_wide_element(l.type);
  bool dependent = false;
  for (std::size_t i = level + 1; i < g.levels.size(); ++i) dependent = dependent || !g.levels[i].independent;
  if (l.chosen == ir::kNoRegister) {
    l.chosen = b().make(register_type(l.type));
    l.digit = b().make_int();
  }
  auto take_unseen = [&](Register bit) {                   // which of them it is shows now
    b().put(Op::set_random, l.chosen, {unseen_in(l.unseen_cards, bit)});
    b().put(Op::add_small, l.digit, {bit, b().constant(card_digits(by_id(*g.action)))});
  };
  if (!dependent && !l.integers) {
    Register here = k, below = k;
    if (!last) {
      here = b().integer(Op::div_small, {k, l.rest});
      below = b().integer(Op::mod_small, {k, l.rest});
    }
    if (l.unseen) {
      BlockIndex seen = b().add_block(), unseen = b().add_block(), after = b().add_block();
      const Register known = b().integer(Op::set_count, {l.domain});
      b().branch(b().integer(Op::lt_small, {here, known}, 1), seen, unseen);
      b().go_to(seen);
      b().put(Op::set_nth, l.chosen, {l.domain, here});
      b().assign(l.digit, level_digit(g, l, l.chosen));
      b().jump(after);
      b().go_to(unseen);
      take_unseen(b().integer(Op::mask_nth, {l.extras, b().integer(Op::sub_small, {here, known})}));
      b().jump(after);
      b().go_to(after);
    } else {
      b().put(cards ? Op::set_nth : Op::mask_nth, l.chosen, {l.domain, here});
      b().assign(l.digit, level_digit(g, l, l.chosen));
    }
    bind(l.local, l.chosen);
    if (!last) select_level(g, level + 1, below);
    return;
  }
  Register left = b().make_int();
  b().assign(left, k);
  BlockIndex found = b().add_block();
  each_element(g, level, [&](Register element, Register digit, BlockIndex next) {
    Register here = last ? b().constant(1) : count_level(g, level + 1);
    BlockIndex this_one = b().add_block(), other = b().add_block();
    b().branch(b().integer(Op::lt_small, {left, here}, 1), this_one, other);
    b().go_to(this_one);
    b().assign(l.chosen, element);
    b().assign(l.digit, digit);
    b().jump(found);
    b().go_to(other);
    b().put(Op::sub_small, left, {left, here});
    b().jump(next);
  });
  b().effect(Op::trap, {Int(Trap::fell_through)});
  b().go_to(found);
  auto later = [&] {                                       // the later levels' domains for this element
    bind(l.local, l.chosen);
    if (last) return;
    count_level(g, level + 1);
    bind(l.local, l.chosen);
    select_level(g, level + 1, left);
  };
  if (!l.unseen) return later();
  BlockIndex seen = b().add_block(), unseen = b().add_block(), after = b().add_block();
  const Register first_unseen = b().constant(card_digits(by_id(*g.action)));
  b().branch(b().integer(Op::lt_small, {l.digit, first_unseen}, 1), seen, unseen);
  b().go_to(seen);
  later();
  b().jump(after);
  b().go_to(unseen);
  unknown_.insert(l.chosen);
  later();
  unknown_.erase(l.chosen);
  take_unseen(b().integer(Op::sub_small, {l.digit, first_unseen}));
  b().jump(after);
  b().go_to(after);
  bind(l.local, l.chosen);
}

void Lowering::list_level(Group& g, std::size_t level, Register id) {
  Level& l = g.levels[level];
  each_element(g, level, [&](Register element, Register digit, BlockIndex) {
    bind(l.local, element);
    Register next = b().integer(Op::add_small, {b().integer(Op::mul_small, {id, b().constant(level_digits(g, l))}), digit});
    if (level + 1 < g.levels.size()) return list_level(g, level + 1, next);
    Register whole = b().integer(Op::add_small, {next, b().constant(program_.actions[action_info_[g.index]].base)});
    b().effect(Op::list, {whole});
  });
}

void Lowering::list_group(Group& g) {
  BlockIndex some = b().add_block(), after = b().add_block();
  b().branch(g.count, some, after);
  b().go_to(some);
  const Offering offering(*this, g);
  with_env(g.env, [&] {
    if (g.levels.empty()) b().effect(Op::list, {b().constant(program_.actions[action_info_[g.index]].base)});
    else list_level(g, 0, b().constant(0));
  });
  b().jump(after);
  b().go_to(after);
}

// The chosen option of a group: finds the arguments, asks for the rest of a set, and does the action.
Lowering::Chosen Lowering::pick_arguments(Group& g, Register k, bool flow) {
  Chosen chosen;
  with_env(g.env, [&] {
    const ActionInfo& info = program_.actions[action_info_[g.index]];
    Int base = info.base;
    if (!g.levels.empty()) {
      const Offering offering(*this, g);
      select_level(g, 0, k);
    }
    Register id = b().constant(base), truth = b().constant(base);
    bool unseen = false;
    Int radix = 1;
    for (std::size_t i = g.levels.size(); i-- > 0;) {
      Level& l = g.levels[i];
      id = b().integer(Op::add_small, {id, b().integer(Op::mul_small, {l.digit, b().constant(radix)})});
      if (l.unseen) unseen = true;
      truth = b().integer(Op::add_small, {truth, b().integer(Op::mul_small, {l.unseen ? level_digit(g, l, l.chosen) : l.digit, b().constant(radix)})});
      radix *= level_digits(g, l);
    }
    chosen.id = id;
    chosen.truth = unseen ? truth : id;
    b().effect(Op::chosen, {chosen.id});
    chosen.arguments.push_back(g.me);
    for (Level& l : g.levels) {
      if (!l.parameter || l.parameter->count == PickCount::one) {
        chosen.arguments.push_back(l.chosen);
        continue;
      }
      chosen.arguments.push_back(more_of_set(g, l, flow));
    }
  });
  return chosen;
}

void Lowering::do_group(Group& g, Register k, bool flow) {
  const Chosen chosen = pick_arguments(g, k, flow);
  if (!may_be_wrong(g.index)) {
    call(action_function_[g.index], chosen.arguments);
    return;
  }
  BlockIndex right = b().add_block(), wrong = b().add_block(), after = b().add_block();
  b().branch(holds(g.index, chosen.arguments), right, wrong);
  b().go_to(right);
  call(action_function_[g.index], chosen.arguments);
  b().jump(after);
  b().go_to(wrong);
  do_wrong(g, chosen);
  b().jump(after);
  b().go_to(after);
}

// It was offered for all its actor knew, and does not hold.
void Lowering::do_wrong(Group& g, const Chosen& chosen) {
  with_env(g.env, [&] {
    std::size_t at = 1;
    bind(g.action->head.me, g.me);
    if (g.action->head.carrier.kind == CarrierKind::card) bind(g.action->head.self, chosen.arguments[at++]);
    for (const ActionParameter& p : g.action->parameters) {
      bind(p.local, chosen.arguments[at++]);
      if (p.count != PickCount::one) break;
    }
    block(g.action->wrong);
  });
}

// A set parameter whose first element is chosen: one decision for every further element, or `done`.
Register Lowering::more_of_set(Group& g, Level& l, bool flow) {
  const ActionParameter& p = *l.parameter;
  bool cards = is_wide_element(l.type);
  Register chosen = b().make(cards ? set_of(l.type) : int_type(8));
  if (cards) b().put(Op::set_of, chosen, {l.chosen});
  else b().put(Op::mask_of, chosen, {l.chosen});
  Register want = b().make_int();
  if (p.amount) b().assign(want, expr(*p.amount));
  else b().assign_constant(want, kUnlimited);
  auto offered = [&] { return offered_of(p.domain ? expr(*p.domain) : universe(p.type), cards, l.unseen, l.local, p.where, g.me); };
  pick_set(chosen, want, p.count, cards, l.type, offered, p.keeping, p.local, l.local, g.me, choice_block(l.type, by_id(*g.action), l.unseen), by_id(*g.action) ? &g : nullptr,
           program_.sites.empty() ? "" : g.action->name, "", flow, g.action->head.range, false);
  return chosen;
}

Lowering::Offered Lowering::offered_of(Register domain, bool cards, bool unseen, model::LocalId element, const model::Expr* where, Register player) {
  if (!unseen) return {filtered(domain, cards, element, where)};
  program_.knowledge_in_playout = true;
  const Register known = b().set(Op::set_known, {player, domain});
  Register hidden = b().make_set();
  b().put(Op::set_without, hidden, {domain, known});
  const Register fitting = filtered(known, cards, element, where);
  if (!where) return {fitting, hidden};
  const Register all = b().make_set();
  b().assign(all, hidden);
  for_each(zones_of_unseen(all), false, [&](Register bit) {
    const Register there = unseen_in(all, bit);
    const Register one = b().make(register_type(simple(TypeKind::card)));
    b().put(Op::set_first, one, {there});
    bind(element, one);
    unknown_.insert(one);
    BlockIndex could_be = b().add_block(), cannot = b().add_block();
    branch_on(*where, could_be, cannot);
    b().go_to(cannot);
    b().put(Op::set_without, hidden, {hidden, there});
    b().jump(could_be);
    b().go_to(could_be);
    unknown_.erase(one);
  });
  return {fitting, hidden};
}

// Picks elements one at a time into `chosen` until `want` are there or the player says done.
void Lowering::pick_set(Register chosen, Register want, PickCount count, bool cards, const model::Type& element,
                        const std::function<Offered()>& offered, const model::Expr* keeping, model::LocalId set_local,
                        model::LocalId element_local, Register player, Int block, const Group* named_by_id, std::string window, std::string prompt, bool flow,
                        Range where, bool may_be_empty) {
  bool open = count != PickCount::exactly;
  BlockIndex head = b().add_block(), ask_block = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  Register size = b().integer(cards ? Op::set_count : Op::mask_count, {chosen});
  b().branch(b().integer(Op::lt, {size, want}, 1), ask_block, done);
  b().go_to(ask_block);
  Int site = begin_site(window, prompt, flow, where);
  const ActionInfo& info = program_.actions[block];
  Int base = info.base, done_id = program_.actions[block + 3].base;
  auto [all, hidden] = offered();
  const bool unseen = hidden != ir::kNoRegister;
  Register extras = ir::kNoRegister;
  if (unseen) {                                            // where they lie is all that tells them apart
    hidden = b().set(Op::set_without, {hidden, chosen});
    extras = zones_of_unseen(hidden);
  }
  Register candidates = cards ? b().set(Op::set_without, {all, chosen}) : ir::kNoRegister;
  if (!cards) candidates = b().integer(Op::mask_without, {all, chosen});
  else if (element.kind == TypeKind::card && named_by_id) candidates = lookalikes(candidates, *named_by_id, named_by_id->levels.back().parameter->domain);
  else if (element.kind == TypeKind::card) candidates = b().set(Op::set_lookalikes, {candidates});
  if (keeping) {
    Register kept = b().make(b().type(candidates));
    if (cards) b().put(Op::set_empty, kept, {});
    else b().assign_constant(kept, 0);
    for_each(candidates, cards, [&](Register e) {
      Register with = cards ? b().set(Op::set_add, {chosen, e}) : b().integer(Op::mask_or, {chosen, b().integer(Op::mask_of, {e})});
      bind(set_local, with);
      bind(element_local, e);
      BlockIndex yes = b().add_block(), no = b().add_block();
      branch_on(*keeping, yes, no);
      b().go_to(yes);
      if (cards) b().put(Op::set_add, kept, {kept, e});
      else b().put(Op::mask_or, kept, {kept, b().integer(Op::mask_of, {e})});
      b().jump(no);
      b().go_to(no);
    });
    candidates = kept;
  }
  const Register known_ones = b().integer(cards ? Op::set_count : Op::mask_count, {candidates});
  Register n = known_ones;
  if (unseen) n = b().integer(Op::add_small, {n, b().integer(Op::mask_count, {extras})});
  BlockIndex some = b().add_block();
  b().branch(n, some, done);
  b().go_to(some);
  Register total = open ? b().integer(Op::add_small, {n, b().constant(1)}) : n;
  BlockIndex list = b().add_block(), decide = b().add_block();
  b().branch(b().integer(Op::listing, {}, 1), list, decide);
  b().go_to(list);
  for_each(candidates, cards, [&](Register e) {
    b().effect(Op::list, {b().integer(Op::add_small, {digit(element, e, named_by_id), b().constant(base)})});
  });
  const Int first_unseen = base + card_digits(named_by_id);
  if (unseen) for_each(extras, false, [&](Register bit) { b().effect(Op::list, {b().integer(Op::add_small, {bit, b().constant(first_unseen)})}); });
  if (open) b().effect(Op::list, {b().constant(done_id)});
  b().effect(Op::listed, {});
  b().go_to(decide);
  Register k = b().integer(Op::decide, {player, total, site});
  if (open) {
    BlockIndex finished = b().add_block(), more = b().add_block();
    b().branch(b().integer(Op::lt_small, {k, n}, 1), more, finished);
    b().go_to(finished);
    b().effect(Op::chosen, {b().constant(done_id)});
    b().jump(done);
    b().go_to(more);
  }
  Register e = b().make(register_type(element));
  BlockIndex seen = b().add_block(), taken = b().add_block();
  if (unseen) {
    BlockIndex not_seen = b().add_block();
    b().branch(b().integer(Op::lt_small, {k, known_ones}, 1), seen, not_seen);
    b().go_to(not_seen);
    const Register bit = b().integer(Op::mask_nth, {extras, b().integer(Op::sub_small, {k, known_ones})});
    b().effect(Op::chosen, {b().integer(Op::add_small, {bit, b().constant(first_unseen)})});
    b().put(Op::set_random, e, {unseen_in(hidden, bit)});
    b().jump(taken);
  } else {
    b().jump(seen);
  }
  b().go_to(seen);
  b().put(cards ? Op::set_nth : Op::mask_nth, e, {candidates, k});
  b().effect(Op::chosen, {b().integer(Op::add_small, {digit(element, e, named_by_id), b().constant(base)})});
  b().jump(taken);
  b().go_to(taken);
  if (cards) b().put(Op::set_add, chosen, {chosen, e});
  else b().put(Op::mask_or, chosen, {chosen, b().integer(Op::mask_of, {e})});
  b().jump(head);
  b().go_to(done);
  (void)may_be_empty;
}

// ---------------------------------------------------------------- ask

// The asked player's hand is read once per decision, not once per card that could be played.
void Lowering::keep_hand(const std::vector<Group>& groups, Register player) {
  auto play = std::find_if(groups.begin(), groups.end(), [](const Group& g) { return g.action->play; });
  if (play == groups.end() || !model_.zones[play->action->from.index].per_player) return;
  Register cards = zone_set(play->action->from.index, zone_instance(play->action->from, player));
  kept_zone_ = {play->action->from.index, player, cards};
}

// One player is asked: once, or again and again. Returns a register: 1 if they acted (0: passed, out or nothing offered).
Register Lowering::ask_player(const model::Stmt& s, Register player, bool again, BlockIndex close) {
  const model::Expr* until = s.exprs.size() > 1 ? s.exprs[1] : nullptr;
  bool may_pass = (s.value & (8 | 32 | 64)) || (until && !(s.value & 16)) || (until && (s.value & 32));
  model::WindowId window{s.ref};
  Register acted = b().make(int_type(1));
  b().assign_constant(acted, 0);
  BlockIndex head = b().add_block(), in_game = b().add_block(), asking = b().add_block(), over = b().add_block();
  b().jump(head);
  b().go_to(head);
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in_game, over);
  b().go_to(in_game);
  if (until) {
    BlockIndex reached = b().add_block();
    branch_on(*until, reached, asking);
    b().go_to(reached);
    if (env().window_reached != ir::kNoRegister) b().assign_constant(env().window_reached, 1);
    b().jump(close);
  } else {
    b().jump(asking);
  }
  b().go_to(asking);
  bool flow = env().flow;
  Int site = begin_site(model_.windows[window.index].name, "", flow, s.range);
  std::vector<Group> groups = groups_for(window, player);
  Register declared = b().make_int();
  b().assign_constant(declared, 0);
  keep_hand(groups, player);
  for (Group& g : groups) {
    program_.sites[site].actions.push_back(action_info_[g.index]);
    b().put(Op::add_small, declared, {declared, count_group(g)});
  }
  BlockIndex offered = b().add_block();
  b().branch(declared, offered, over);
  b().go_to(offered);
  const model::Expr* pass_when = s.exprs.size() > 3 ? s.exprs[3] : nullptr;
  Register can_pass = ir::kNoRegister;
  if (may_pass && pass_when) {
    can_pass = b().make(site_local(int_type(1)));
    b().assign(can_pass, expr(*pass_when));
  }
  Register n = !may_pass ? declared : b().integer(Op::add_small, {declared, can_pass != ir::kNoRegister ? can_pass : b().constant(1)});
  BlockIndex list = b().add_block(), decide = b().add_block();
  b().branch(b().integer(Op::listing, {}, 1), list, decide);
  b().go_to(list);
  for (Group& g : groups) list_group(g);
  kept_zone_ = {};
  Int pass_id = program_.actions[pass_action_].base;
  if (can_pass != ir::kNoRegister) {
    BlockIndex allowed = b().add_block(), all = b().add_block();
    b().branch(can_pass, allowed, all);
    b().go_to(allowed);
    b().effect(Op::list, {b().constant(pass_id)});
    b().jump(all);
    b().go_to(all);
  } else if (may_pass) {
    b().effect(Op::list, {b().constant(pass_id)});
  }
  b().effect(Op::listed, {});
  b().go_to(decide);
  Register k = b().make_int();
  b().put(Op::decide, k, {player, n, site});
  if (may_pass) program_.sites[site].actions.push_back(pass_action_);
  BlockIndex after = b().add_block(), after_free = b().add_block();
  for (Group& g : groups) {
    BlockIndex mine = b().add_block(), next = b().add_block();
    b().branch(b().integer(Op::lt_small, {k, g.count}, 1), mine, next);
    b().go_to(mine);
    do_group(g, k, flow);
    unwind_after_action(s, player, close, acted, g.action->free);
    b().jump(g.action->free ? after_free : after);
    b().go_to(next);
    b().put(Op::sub_small, k, {k, g.count});
  }
  if (may_pass) b().effect(Op::chosen, {b().constant(pass_id)});
  b().jump(over);

  b().go_to(after);
  b().assign_constant(acted, 1);
  if (env().window_acted != ir::kNoRegister) b().assign_constant(env().window_acted, 1);
  settle_after_action(player, again || (s.value & (16 | 64)));
  b().jump(again ? head : over);
  b().go_to(after_free);
  settle_after_action(player, true);
  b().jump(head);
  b().go_to(over);
  return acted;
}

// After an action: if it ended this window, close it; if it ended something beyond, leave.
void Lowering::unwind_after_action(const model::Stmt& s, Register player, BlockIndex close, Register acted, bool free) {
  Register ending = b().integer(Op::load_raw, {ending_, b().constant(0)});
  BlockIndex left = b().add_block(), on = b().add_block();
  b().branch(ending, left, on);
  b().go_to(left);
  BlockIndex mine = b().add_block(), other = b().add_block();
  Register target = b().integer(Op::mod_small, {ending, b().constant(kSayer)});
  b().branch(b().integer(Op::eq, {target, b().constant(kEndFirst + Int(model_.events.size()) + Int(s.ref))}, 1), mine, other);
  b().go_to(mine);
  b().effect(Op::store, {ending_, b().constant(0), b().constant(0)});
  if (!free) {
    b().assign_constant(acted, 1);
    if (env().window_acted != ir::kNoRegister) b().assign_constant(env().window_acted, 1);
  }
  settle_after_action(player, false);
  if (env().window.valid()) leave_window();
  else b().jump(close);
  b().go_to(other);
  leave_function(ir::kNoRegister);
  b().go_to(on);
}

// After an action all settles if the flow opened the window; else, where the same player may be asked again, that
// player's own `whenever`s.
void Lowering::settle_after_action(Register player, bool again) {
  if (env().flow) return settle();
  auto own = [&] {
    if (again) settle_one(player);
  };
  if (env().from_flow == ir::kNoRegister) return own();
  BlockIndex all = b().add_block(), not_flow = b().add_block(), after = b().add_block();
  b().branch(env().from_flow, all, not_flow);
  b().go_to(all);
  settle();
  b().jump(after);
  b().go_to(not_flow);
  own();
  b().jump(after);
  b().go_to(after);
}

void Lowering::ask(const model::Stmt& s) {
  if (s.ref < model_.windows.size() && model_.windows[s.ref].phase) reset_window_limits(s.ref, false);
  BlockIndex close = b().add_block();
  const model::Expr& whom = *s.exprs[0];
  const model::Expr* until = s.exprs.size() > 1 ? s.exprs[1] : nullptr;
  const model::Expr* from = s.exprs.size() > 2 ? s.exprs[2] : nullptr;
  if (s.value & 2) return ask_at_once(s);
  if (s.value & 4) return ask_in_real_time(s);
  if (whom.type.kind == TypeKind::player) {
    Register player = b().make(int_type(1));
    b().assign(player, expr(whom));
    bool again = (s.value & (16 | 32)) || until;
    ask_player(s, player, again, close);
    b().jump(close);
    b().go_to(close);
    return;
  }
  Register members = b().make_int(4), start = b().make(int_type(1));
  b().assign(members, expr(whom));
  b().assign(start, from ? expr(*from) : b().constant(0));
  bool rounds = s.value & (16 | 64);
  if (!rounds) {
    clockwise(members, start, false, [&](Register player, BlockIndex) { ask_player(s, player, false, close); });
    b().jump(close);
    b().go_to(close);
    return;
  }
  Register passes = b().make_int(1), quiet = b().make(int_type(1));
  b().assign_constant(passes, 0);
  BlockIndex round = b().add_block(), end_of_round = b().add_block();
  b().jump(round);
  b().go_to(round);
  fuel();
  b().assign_constant(quiet, 1);
  clockwise(members, start, false, [&](Register player, BlockIndex) {
    Register acted = ask_player(s, player, false, close);
    BlockIndex yes = b().add_block(), no = b().add_block(), next = b().add_block();
    b().branch(acted, yes, no);
    b().go_to(yes);
    b().assign_constant(quiet, 0);
    b().assign_constant(passes, 0);
    b().jump(next);
    b().go_to(no);
    b().put(Op::add_small, passes, {passes, b().constant(1)});
    if (s.value & 64) {
      Register in = b().integer(Op::mask_and, {members, b().integer(Op::players_in, {}, 4)}, 4);
      b().branch(b().integer(Op::lt_small, {passes, b().integer(Op::mask_count, {in})}, 1), next, close);
    } else {
      b().jump(next);
    }
    b().go_to(next);
  });
  b().jump(end_of_round);
  b().go_to(end_of_round);
  b().branch(quiet, close, round);                         // a round in which nobody did anything ends it
  b().go_to(close);
}

// ---------------------------------------------------------------- unnamed choices

// [P decider, I? count, B? keeping, then per source: S domain, B? where]; see stmts.def.
void Lowering::choose(const model::Stmt& s) {
  auto count = static_cast<PickCount>(s.value & 3);
  bool may_decline = s.value & 4;
  Int random_mask = s.value >> 8;
  const model::Type& first_type = s.exprs[3]->type;
  bool cards = is_wide(first_type);
  model::Type element = first_type.elem ? *first_type.elem : simple(TypeKind::player);
  if (element.kind == TypeKind::card) element = simple(TypeKind::card);
  model::LocalId element_local{s.ref};
  bool unseen = false;
  for (std::size_t i = 0; cards && 3 + 2 * i < s.exprs.size(); ++i)
    unseen = unseen || (!(random_mask >> i & 1) && may_be_unseen(*s.exprs[3 + 2 * i], s.exprs[0], {}));
  Int block_index = choice_block(element, false, unseen);
  Register player = b().make(int_type(1));
  b().assign(player, s.exprs[0] ? expr(*s.exprs[0]) : b().constant(kNone));
  bool flow = env().flow;

  auto sources = [&](bool random, std::size_t which = ~std::size_t{0}) {
    Register all = b().make(cards ? set_of(element) : int_type(8));
    if (cards) b().put(Op::set_empty, all, {});
    else b().assign_constant(all, 0);
    for (std::size_t i = 0; 3 + 2 * i < s.exprs.size(); ++i) {
      if (bool(random_mask >> i & 1) != random || (which != ~std::size_t{0} && which != i)) continue;
      const model::Expr* where = 4 + 2 * i < s.exprs.size() ? s.exprs[4 + 2 * i] : nullptr;
      Register d = filtered(expr(*s.exprs[3 + 2 * i]), cards, element_local, where);
      b().put(cards ? Op::set_or : Op::mask_or, all, {all, d});
    }
    return all;
  };
  // The same as the decider may know it.
  bool filters_unseen = false;
  for (std::size_t i = 0; unseen && 4 + 2 * i < s.exprs.size(); ++i) filters_unseen = filters_unseen || s.exprs[4 + 2 * i];
  auto offered = [&]() -> Offered {
    if (!unseen) return {sources(false)};
    Offered all{b().make_set(), b().make_set()};
    b().put(Op::set_empty, all.fitting, {});
    b().put(Op::set_empty, all.unseen, {});
    for (std::size_t i = 0; 3 + 2 * i < s.exprs.size(); ++i) {
      if (random_mask >> i & 1) continue;
      const model::Expr* where = 4 + 2 * i < s.exprs.size() ? s.exprs[4 + 2 * i] : nullptr;
      const Offered some = offered_of(expr(*s.exprs[3 + 2 * i]), true, may_be_unseen(*s.exprs[3 + 2 * i], s.exprs[0], {}), element_local, where, player);
      b().put(Op::set_or, all.fitting, {all.fitting, some.fitting});
      if (some.unseen != ir::kNoRegister) b().put(Op::set_or, all.unseen, {all.unseen, some.unseen});
    }
    return all;
  };
  auto taken = [&](bool yes) {
    std::size_t which = yes ? 0 : 1;
    if (which < s.blocks.size()) block(s.blocks[which]);
  };

  if (count != PickCount::one) {
    Register chosen = b().make(cards ? set_of(element) : int_type(8));
    if (cards) b().put(Op::set_empty, chosen, {});
    else b().assign_constant(chosen, 0);
    Register want = b().make_int();
    if (s.exprs[1]) b().assign(want, expr(*s.exprs[1]));
    else b().assign_constant(want, kUnlimited);
    BlockIndex all = b().add_block(), ask_block = b().add_block(), in = b().add_block(), after = b().add_block();
    b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
    b().go_to(in);
    if (count == PickCount::exactly) {                     // fewer than that: all of them, nobody is asked
      const Offered those = offered();
      Register domain = those.unseen == ir::kNoRegister ? those.fitting : b().set(Op::set_or, {those.fitting, those.unseen});
      Register size = b().integer(cards ? Op::set_count : Op::mask_count, {domain});
      b().branch(b().integer(Op::lt, {size, want}, 1), all, ask_block);
      b().go_to(all);
      b().assign(chosen, domain);
      b().jump(after);
    } else {
      b().jump(ask_block);
    }
    b().go_to(ask_block);
    pick_set(chosen, want, count, cards, element, offered, s.exprs[2], s.local, element_local, player,
             block_index, nullptr, "", s.text, flow, s.range, true);
    b().jump(after);
    b().go_to(after);
    if (filters_unseen) b().put(Op::set_and, chosen, {chosen, sources(false)});   // what was picked unseen shows now whether it fits
    env().places[s.local.index] = {};
    write_local(s.local, chosen);
    if (s.blocks.empty()) return;
    BlockIndex some = b().add_block(), none = b().add_block(), end = b().add_block();
    b().branch(cards ? b().integer(Op::set_any, {chosen}, 1) : b().integer(Op::ne, {chosen, b().constant(0)}, 1), some, none);
    b().go_to(some);
    taken(true);
    b().jump(end);
    b().go_to(none);
    taken(false);
    b().jump(end);
    b().go_to(end);
    return;
  }

  Register result = b().make(register_type(element));
  b().assign_constant(result, kNone);
  BlockIndex in = b().add_block(), after = b().add_block();
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
  b().go_to(in);
  Int site = begin_site("", s.text, flow, s.range);
  Int base = program_.actions[block_index].base;
  program_.sites[site].actions.push_back(block_index);
  auto [candidates, hidden] = offered();
  const Register extras = unseen ? zones_of_unseen(hidden) : ir::kNoRegister;
  if (element.kind == TypeKind::card) candidates = b().set(Op::set_lookalikes, {candidates});
  Register n = b().integer(cards ? Op::set_count : Op::mask_count, {candidates});
  Register declared = b().make_int();
  b().assign(declared, n);
  const Register unseen_ones = unseen ? b().integer(Op::mask_count, {extras}) : ir::kNoRegister;
  if (unseen) b().put(Op::add_small, declared, {declared, unseen_ones});
  std::vector<std::pair<std::size_t, Register>> random_sources;   // source, 1 if it has anything
  for (std::size_t i = 0; 3 + 2 * i < s.exprs.size(); ++i)
    if (random_mask >> i & 1) {
      Register domain = sources(true, i);
      Register any = cards ? b().integer(Op::set_any, {domain}, 1) : b().integer(Op::ne, {domain, b().constant(0)}, 1);
      random_sources.push_back({i, any});
      b().put(Op::add_small, declared, {declared, any});
    }
  BlockIndex some = b().add_block();
  b().branch(declared, some, after);
  b().go_to(some);
  Register total = may_decline ? b().integer(Op::add_small, {declared, b().constant(1)}) : declared;
  BlockIndex list = b().add_block(), decide = b().add_block();
  b().branch(b().integer(Op::listing, {}, 1), list, decide);
  b().go_to(list);
  for_each(candidates, cards, [&](Register e) {
    b().effect(Op::list, {b().integer(Op::add_small, {digit(element, e), b().constant(base)})});
  });
  const Int first_unseen = base + card_digits(false);
  if (unseen) for_each(extras, false, [&](Register bit) { b().effect(Op::list, {b().integer(Op::add_small, {bit, b().constant(first_unseen)})}); });
  for (std::size_t r = 0; r < random_sources.size(); ++r) {
    BlockIndex yes = b().add_block(), next = b().add_block();
    b().branch(random_sources[r].second, yes, next);
    b().go_to(yes);
    b().effect(Op::list, {b().constant(program_.actions[block_index + 1 + std::min<std::size_t>(r, 1)].base)});
    b().jump(next);
    b().go_to(next);
  }
  Int no_id = program_.actions[block_index + 4].base;
  if (may_decline) b().effect(Op::list, {b().constant(no_id)});
  b().effect(Op::listed, {});
  b().go_to(decide);
  Register k = b().make_int();
  b().put(Op::decide, k, {player, total, site});
  BlockIndex an_element = b().add_block(), other = b().add_block();
  b().branch(b().integer(Op::lt_small, {k, n}, 1), an_element, other);
  b().go_to(an_element);
  b().put(cards ? Op::set_nth : Op::mask_nth, result, {candidates, k});
  b().effect(Op::chosen, {b().integer(Op::add_small, {digit(element, result), b().constant(base)})});
  b().jump(after);
  b().go_to(other);
  b().put(Op::sub_small, k, {k, n});
  if (unseen) {
    BlockIndex yes = b().add_block(), next = b().add_block();
    b().branch(b().integer(Op::lt_small, {k, unseen_ones}, 1), yes, next);
    b().go_to(yes);
    const Register bit = b().integer(Op::mask_nth, {extras, k});
    b().effect(Op::chosen, {b().integer(Op::add_small, {bit, b().constant(first_unseen)})});
    b().put(Op::set_random, result, {unseen_in(hidden, bit)});
    if (filters_unseen) {                                  // it shows now whether it fits
      BlockIndex misses = b().add_block();
      b().branch(b().integer(Op::set_has, {sources(false), result}, 1), after, misses);
      b().go_to(misses);
      b().assign_constant(result, kNone);
    }
    b().jump(after);
    b().go_to(next);
    b().put(Op::sub_small, k, {k, unseen_ones});
  }
  for (std::size_t r = 0; r < random_sources.size(); ++r) {
    BlockIndex yes = b().add_block(), next = b().add_block();
    b().branch(b().integer(Op::lt_small, {k, random_sources[r].second}, 1), yes, next);
    b().go_to(yes);
    b().effect(Op::chosen, {b().constant(program_.actions[block_index + 1 + std::min<std::size_t>(r, 1)].base)});
    b().put(cards ? Op::set_random : Op::mask_random, result, {sources(true, random_sources[r].first)});
    b().jump(after);
    b().go_to(next);
    b().put(Op::sub_small, k, {k, random_sources[r].second});
  }
  if (may_decline) b().effect(Op::chosen, {b().constant(no_id)});
  b().jump(after);
  b().go_to(after);
  env().places[s.local.index] = {};
  write_local(s.local, result);
  if (s.blocks.empty()) return;
  BlockIndex yes = b().add_block(), no = b().add_block(), end = b().add_block();
  b().branch(b().integer(Op::eq, {result, b().constant(kNone)}, 1), no, yes);
  b().go_to(yes);
  taken(true);
  b().jump(end);
  b().go_to(no);
  taken(false);
  b().jump(end);
  b().go_to(end);
}

void Lowering::choose_one(const model::Stmt& s) {
  std::vector<std::string> labels;
  std::string prompt = s.text.substr(0, s.text.find('\n'));
  for (std::size_t at = s.text.find('\n'); at != std::string::npos;) {
    std::size_t next = s.text.find('\n', at + 1);
    labels.push_back(s.text.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
  labels.resize(s.blocks.size());
  ActionInfo info;
  info.kind = ActionKind::one_of;
  info.name = "choose";
  info.choices = labels;
  Int action = add_action(std::move(info));
  Int base = program_.actions[action].base;
  Register player = b().make(int_type(1));
  b().assign(player, s.exprs[0] ? expr(*s.exprs[0]) : b().constant(kNone));
  BlockIndex in = b().add_block(), after = b().add_block();
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
  b().go_to(in);
  Int site = begin_site("", prompt, env().flow, s.range);
  program_.sites[site].actions.push_back(action);
  Register mask = b().make_int();
  b().assign_constant(mask, 0);
  for (std::size_t i = 0; i < s.blocks.size(); ++i) {
    BlockIndex yes = b().add_block(), next = b().add_block();
    if (1 + i < s.exprs.size() && s.exprs[1 + i]) branch_on(*s.exprs[1 + i], yes, next);
    else b().jump(yes);
    b().go_to(yes);
    b().put(Op::mask_or, mask, {mask, b().constant(Int{1} << i)});
    b().jump(next);
    b().go_to(next);
  }
  Register n = b().integer(Op::mask_count, {mask});
  BlockIndex some = b().add_block(), list = b().add_block(), decide = b().add_block();
  b().branch(n, some, after);
  b().go_to(some);
  b().branch(b().integer(Op::listing, {}, 1), list, decide);
  b().go_to(list);
  for_each(mask, false, [&](Register e) { b().effect(Op::list, {b().integer(Op::add_small, {e, b().constant(base)})}); });
  b().effect(Op::listed, {});
  b().go_to(decide);
  Register k = b().integer(Op::decide, {player, n, site});
  Register which = b().integer(Op::mask_nth, {mask, k});
  b().effect(Op::chosen, {b().integer(Op::add_small, {which, b().constant(base)})});
  for (std::size_t i = 0; i < s.blocks.size(); ++i) {
    BlockIndex yes = b().add_block(), next = b().add_block();
    b().branch(b().integer(Op::eq, {which, b().constant(Int(i))}, 1), yes, next);
    b().go_to(yes);
    block(s.blocks[i]);
    b().jump(after);
    b().go_to(next);
  }
  b().jump(after);
  b().go_to(after);
}

Register Lowering::may(const model::Expr& e) {
  Register player = b().make(int_type(1));
  b().assign(player, e.args.empty() || !e.args[0] ? b().constant(kNone) : expr(*e.args[0]));
  Register result = b().make(int_type(1));
  b().assign_constant(result, 0);
  BlockIndex in = b().add_block(), after = b().add_block(), list = b().add_block(), decide = b().add_block();
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
  b().go_to(in);
  Int site = begin_site("", e.text, env().flow, e.range);
  program_.sites[site].actions.push_back(yes_no_action_);
  Int base = program_.actions[yes_no_action_].base;
  b().branch(b().integer(Op::listing, {}, 1), list, decide);
  b().go_to(list);
  b().effect(Op::list, {b().constant(base)});
  b().effect(Op::list, {b().constant(base + 1)});
  b().effect(Op::listed, {});
  b().go_to(decide);
  Register k = b().integer(Op::decide, {player, b().constant(2), site});
  b().effect(Op::chosen, {b().integer(Op::add_small, {k, b().constant(base)})});
  b().put(Op::eq, result, {k, b().constant(0)});
  b().jump(after);
  b().go_to(after);
  return result;
}

// Who picks the card that will lie on top, where somebody at this table reads the order of that pile; else none.
Register Lowering::pick_top(const model::Expr& who, Register cards, std::uint32_t zone, Range where) {
  Register top = b().make(register_type(simple(TypeKind::card)));
  b().assign_constant(top, kNone);
  BlockIndex several = b().add_block(), in = b().add_block(), after = b().add_block();
  b().branch(b().integer(Op::lt_small, {b().constant(1), b().integer(Op::set_count, {cards})}, 1), several, after);
  b().go_to(several);
  if (!order_always_read_.count(zone)) {
    Register read = b().make(int_type(1));
    b().assign_constant(read, 0);
    for (auto& [variable, character] : order_readers_[zone])
      for_each(b().integer(Op::players_in, {}, 4), false, [&](Register p) {
        Register has = b().integer(Op::eq, {b().integer(Op::load_raw, {variable, p}), b().constant(character)}, 1);
        b().put(Op::or_, read, {read, has});
      });
    BlockIndex is_read = b().add_block();
    b().branch(read, is_read, after);
    b().go_to(is_read);
  }
  Register player = b().make(int_type(1));
  b().assign(player, expr(who));
  b().branch(b().integer(Op::mask_has, {b().integer(Op::players_in, {}, 4), player}, 1), in, after);
  b().go_to(in);
  model::Type element = simple(TypeKind::card);
  Int block_index = choice_block(element);
  Int base = program_.actions[block_index].base;
  Int site = begin_site("", "Which card will be on top?", false, where);
  program_.sites[site].actions.push_back(block_index);
  Register candidates = b().set(Op::set_lookalikes, {cards});
  Register n = b().integer(Op::set_count, {candidates});
  BlockIndex list = b().add_block(), decide = b().add_block();
  b().branch(b().integer(Op::listing, {}, 1), list, decide);
  b().go_to(list);
  for_each(candidates, true, [&](Register e) {
    b().effect(Op::list, {b().integer(Op::add_small, {digit(element, e), b().constant(base)})});
  });
  b().effect(Op::listed, {});
  b().go_to(decide);
  Register k = b().integer(Op::decide, {player, n, site});
  b().put(Op::set_nth, top, {candidates, k});
  b().effect(Op::chosen, {b().integer(Op::add_small, {digit(element, top), b().constant(base)})});
  b().jump(after);
  b().go_to(after);
  return top;
}

// ---------------------------------------------------------------- windows and actions as functions

void Lowering::declare_windows() {
  for (const model::Window& w : model_.windows) {
    window_function_.push_back(w.phase ? 0 : new_function("window " + w.name, ir::Returns::integer, w.range));
  }
  for (std::size_t a = 0; a < model_.actions.size(); ++a) {
    const model::Action& action = model_.actions[a];
    action_function_.push_back(possible(action) ? new_function(action.name, ir::Returns::nothing, action.head.range) : 0);
    for (std::size_t l = 0; l < action.limits.size() && possible(action); ++l) make_limit(a, l);
    ActionInfo info;
    info.kind = action.play ? ActionKind::play : action.passes ? ActionKind::pass : ActionKind::use;
    info.name = action.name;
    info.label = action.label;
    info.where = action.head.range;
    if (action.play) info.card_kind = action.kind.index;
    if (action.head.carrier.kind == CarrierKind::card) info.parameters.push_back(parameter_info("this", simple(TypeKind::card), by_id(action)));
    for (const ActionParameter& p : action.parameters) {
      info.parameters.push_back(parameter_info(p.name, p.type, by_id(action), p.type.kind == TypeKind::card && p.domain && may_be_unseen(*p.domain, nullptr, action.head.me)));
      if (p.count != PickCount::one) break;
    }
    action_info_.push_back(add_action(std::move(info)));
  }
  ActionInfo yes_no;
  yes_no.kind = ActionKind::yes_no;
  yes_no.name = "yes or no";
  yes_no_action_ = add_action(std::move(yes_no));
  ActionInfo pass;
  pass.kind = ActionKind::pass;
  pass.name = "pass";
  pass_action_ = add_action(std::move(pass));
}

// Where it is remembered that an action was used: a bit per player, a set of cards for actions of cards, or per target.
void Lowering::make_limit(std::size_t a, std::size_t l) {
  const model::Action& action = model_.actions[a];
  const model::Limit& limit = action.limits[l];
  bool rules = limit.scope != model::Scope::window;
  LimitUse use{};
  use.per_target = limit.per_target.has_value();
  use.cards = !use.per_target && !limit.group && action.head.carrier.kind == CarrierKind::card;
  if (limit.group) {
    auto key = std::pair{limit.group->index, int(limit.scope)};
    auto it = group_limits_.find(key);
    if (it == group_limits_.end())
      it = group_limits_.emplace(key, add_scratch("used " + model_.groups[limit.group->index], 0, 0xffff, 0, 1, rules)).first;
    else {
      use.variable = it->second;
      limits_[{a, l}] = use;
      return remember_limit(limit.scope, action, use);
    }
    use.variable = it->second;
  } else if (use.cards) {
    use.variable = add_scratch_set("used " + action.name, rules);
  } else {
    use.variable = add_scratch("used " + action.name, 0, use.per_target ? 1 : 0xffff, 0, use.per_target ? model_.players * most_targets() : 1, rules);
  }
  limits_[{a, l}] = use;
  remember_limit(limit.scope, action, use);
}

void Lowering::remember_limit(model::Scope scope, const model::Action& action, const LimitUse& use) {
  if (scope != model::Scope::window) {
    auto& cleared = scope_limits_[scope];
    if (std::find(cleared.begin(), cleared.end(), use.variable) == cleared.end()) cleared.push_back(use.variable);
    return;
  }
  for (std::size_t w = 0; w < model_.windows.size(); ++w)
    if (action_in_window(action, model::WindowId{std::uint32_t(w)})) window_limits_[std::uint32_t(w)].insert(use.variable);
}

Register Lowering::limit_used(const LimitUse& use, Register me) {
  return b().integer(Op::mask_has, {b().integer(Op::load_raw, {use.variable, b().constant(0)}), me}, 1);
}

// 64, or the cells of the board.
Int Lowering::most_targets() const {
  Int most = 64;
  for (const model::Enum& e : model_.enums) most = std::max(most, Int(e.constants.size()));
  return most;
}

Register Lowering::limit_index(Register me, Register target) {
  return b().integer(Op::add_small, {b().integer(Op::mul_small, {me, b().constant(most_targets())}), b().integer(Op::mod_small, {target, b().constant(most_targets())})});
}

// Limits per window begin anew; a nested window of the same kind puts the outer one's back.
void Lowering::reset_window_limits(std::uint32_t window, bool nested) {
  auto it = window_limits_.find(window);
  if (it == window_limits_.end()) return;
  for (Int variable : it->second) {
    bool set = program_.variables[variable].is_set;
    if (nested && (set || program_.variables[variable].count == 1)) save_and_set(variable, set ? b().set(Op::set_empty, {}) : b().constant(0));
    else if (set) b().effect(Op::store_set, {variable, b().constant(0), b().set(Op::set_empty, {})});
    else b().effect(Op::clear, {variable});
  }
}

void Lowering::lower_window(std::size_t index) {
  const model::Window& window = model_.windows[index];
  if (window.phase) return;
  Env at;
  bind_locals(at, window.body);
  at.window = model::WindowId{std::uint32_t(index)};
  write_function(window_function_[index], at, [&] {
    std::vector<Register> arguments;
    for (const model::Parameter& p : window.parameters) {
      arguments.push_back(parameter(window.body.locals[p.local.index].type));
      bind(p.local, arguments.back());
    }
    env().from_flow = parameter(simple(TypeKind::boolean));
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (auto field = window_field_.find({std::uint32_t(index), -1 - Int(i)}); field != window_field_.end())
        save_and_set(field->second, arguments[i]);
    for (std::size_t i = 0; i < window.variables.size(); ++i)
      if (auto field = window_field_.find({std::uint32_t(index), Int(i)}); field != window_field_.end()) {
        const model::Type& type = window.body.locals[window.variables[i].index].type;
        save_and_set(field->second, default_value(type));
        env().places[window.variables[i].index] = {Place::Kind::variable, ir::kNoRegister, field->second};
      }
    if (auto depth = window_depth_.find(std::uint32_t(index)); depth != window_depth_.end()) {
      Register old = b().integer(Op::load_raw, {depth->second, b().constant(0)});
      save_and_set(depth->second, b().integer(Op::add_small, {old, b().constant(1)}));
    }
    reset_window_limits(std::uint32_t(index), true);
    env().window_acted = b().make(int_type(1));
    env().window_reached = b().make(int_type(1));
    b().assign_constant(env().window_acted, 0);
    b().assign_constant(env().window_reached, 0);
    fuel();
    block(window.body.block);
    leave_window();
  });
}

// The end of a window: its truth is whether its `until` was reached, or else whether somebody acted.
void Lowering::leave_window() {
  const model::Window& window = model_.windows[env().window.index];
  for (std::size_t i = 0; i < window.variables.size(); ++i)
    if (auto left = window_left_.find({env().window.index, Int(i)}); left != window_left_.end()) {
      const bool set = program_.variables[left->second].is_set;
      b().effect(set ? Op::store_set : Op::store, {left->second, b().constant(0), read_local(window.variables[i])});
    }
  leave_function(window.result.kind != TypeKind::nothing ? b().constant(kNone)
                 : asks_until(window.body.block)         ? env().window_reached
                                                         : env().window_acted);
}

bool Lowering::asks_until(const model::Block& statements) {
  for (const model::Stmt* s : statements) {
    if (s->kind == model::StmtKind::ask && s->exprs.size() > 1 && s->exprs[1]) return true;
    for (const model::Block& inner : s->blocks)
      if (asks_until(inner)) return true;
  }
  return false;
}

void Lowering::lower_action(std::size_t index) {
  const model::Action& action = model_.actions[index];
  if (!possible(action)) return;
  Env at;
  bind_locals(at, action.body);
  write_function(action_function_[index], at, [&] {
    Register me = parameter(simple(TypeKind::player));
    bind(action.head.me, me);
    Register self = ir::kNoRegister;
    if (action.head.carrier.kind == CarrierKind::card) {
      self = parameter(simple(TypeKind::card));
      bind(action.head.self, self);
    }
    std::vector<Register> arguments;
    for (const ActionParameter& p : action.parameters) {
      model::Type type = p.type;
      Register r = p.count == PickCount::one ? parameter(type)
                   : is_wide_element(type) ? [&] { Register s = b().make(set_of(type)); b().function().parameters.push_back(s); return s; }()
                                                 : [&] { Register s = b().make_int(); b().function().parameters.push_back(s); return s; }();
      arguments.push_back(r);
      bind(p.local, r);
      if (p.count != PickCount::one) break;
    }
    fuel();
    if (action.play && !arguments.empty()) self = arguments[0];
    for (std::size_t l = 0; l < action.limits.size(); ++l) {
      const LimitUse& use = limits_.at({index, l});
      if (use.cards) {
        Register used = b().set(Op::load_set, {use.variable, b().constant(0)});
        b().effect(Op::store_set, {use.variable, b().constant(0), b().set(Op::set_add, {used, self})});
      } else if (use.per_target) {
        b().effect(Op::store, {use.variable, limit_index(me, arguments.at(*action.limits[l].per_target)), b().constant(1)});
      } else {
        Register used = b().integer(Op::load_raw, {use.variable, b().constant(0)});
        b().effect(Op::store, {use.variable, b().constant(0), b().integer(Op::mask_or, {used, b().integer(Op::mask_of, {me})})});
      }
    }
    if (action.play && action.to) play_to(action, self);
    block(action.body.block);
  });
}

// The played card goes where its type says; what it replaces leaves first.
void Lowering::play_to(const model::Action& action, Register self) {
  Register to = zone_instance(action.to->zone.index, action.to->owner, action.to->copy);
  if (!action.replacing.empty()) {
    std::vector<Int> kinds;
    for (model::KindId k : action.replacing) kinds.push_back(k.index);
    Register old = b().set(Op::set_and, {b().set(Op::zone_cards, {to}), const_cards(cards_of_kinds(kinds))});
    Register place = zone_instance(action.replaced_to->zone.index, action.replaced_to->owner, action.replaced_to->copy);
    b().effect(Op::note_move, {old, to, place, 0});
    b().effect(Op::move_cards, {old, place, 0});
  }
  b().effect(Op::note_move, {b().set(Op::set_of, {self}), b().integer(Op::zone_of, {self}), to, 0});
  b().effect(Op::move_card, {self, to, 0});
  touch(watch_zones_);
}

// ---------------------------------------------------------------- why

// why(me, card): 0 if the action could be offered, else 1 + the reason: the first part of its condition that fails.
void Lowering::lower_why(std::size_t index) {
  const model::Action& action = model_.actions[index];
  if (!possible(action)) return;
  ir::FunctionIndex f = new_function("why " + action.name, ir::Returns::integer, action.head.range, false);
  program_.actions[action_info_[index]].why = f;
  Env at;
  bind_locals(at, action.body);
  write_function(f, at, [&] {
    Register me = parameter(simple(TypeKind::player));
    Register card = parameter(simple(TypeKind::card, true));
    bind(action.head.me, me);
    if (action.head.self.valid()) bind(action.head.self, card);
    auto fails = [&](BlockIndex no, std::string text, std::string words, Range where) {
      BlockIndex on = b().add_block();
      b().jump(on);
      b().go_to(no);
      program_.reasons.push_back({std::move(text), std::move(words), where});
      b().effect(Op::ret_int, {b().constant(Int(program_.reasons.size()))});
      b().go_to(on);
    };
    if (action.head.carrier.kind == CarrierKind::character) {
      BlockIndex yes = b().add_block(), no = b().add_block();
      b().branch(carrier_in_force(action.head, me), yes, no);
      b().go_to(yes);
      fails(no, "", "it is another character's ability", action.head.range);
    }
    static const char* scopes[] = {"window", "phase", "turn", "round", "game"};
    for (std::size_t l = 0; l < action.limits.size(); ++l) {
      const LimitUse& use = limits_.at({index, l});
      if (use.per_target) continue;
      BlockIndex yes = b().add_block(), no = b().add_block();
      b().branch(use.cards ? b().integer(Op::set_has, {b().set(Op::load_set, {use.variable, b().constant(0)}), card}, 1) : limit_used(use, me), no, yes);
      b().go_to(yes);
      fails(no, "", fmt::format("it was used already, and may be used once per {}", scopes[int(action.limits[l].scope)]), action.head.range);
    }
    Group g;
    g.action = &action;
    g.index = index;
    g.me = me;
    std::vector<const model::Expr*> parts;
    if (action.head.when) parts = conjuncts(*action.head.when);
    bool parameters_read = false;
    for (const model::Expr* part : parts) {
      bool reads = false;
      for (std::size_t i = action.play ? 1 : 0; i < action.parameters.size(); ++i) reads = reads || mentions(*part, action.parameters[i].local);
      parameters_read = parameters_read || reads;
      if (reads) continue;
      BlockIndex yes = b().add_block(), no = b().add_block();
      branch_on(*part, yes, no);
      b().go_to(yes);
      fails(no, part->text.empty() ? reason_text(part->range) : "", part->text, part->range);
    }
    if (!forbid_reads_parameters(index) && forbidden_somewhere(index)) {
      BlockIndex no = b().add_block();
      forbids(index, me, {}, no);
      fails(no, "", "another rule forbids it", action.head.range);
    }
    for (std::size_t i = 0; i < action.parameters.size(); ++i) {
      const ActionParameter& p = action.parameters[i];
      if (p.type.kind == TypeKind::integer && !p.domain) break;
      bool cards = is_wide_element(p.type);
      if (action.play && i == 0) {
        if (p.where) {
          for (const model::Expr* part : conjuncts(*p.where)) {
            BlockIndex yes = b().add_block(), no = b().add_block();
            bind(p.element.valid() ? p.element : p.local, card);
            branch_on(*part, yes, no);
            b().go_to(yes);
            fails(no, part->text.empty() ? reason_text(part->range) : "", part->text, part->range);
          }
        }
        continue;
      }
      model::LocalId element = p.count == PickCount::one ? p.local : p.element;
      Register domain = p.domain ? expr(*p.domain) : universe(p.type);
      auto some = [&](Register set) {
        return cards ? b().integer(Op::set_any, {set}, 1) : b().integer(Op::ne, {set, b().constant(0)}, 1);
      };
      if (p.domain) {
        BlockIndex yes = b().add_block(), no = b().add_block();
        b().branch(some(domain), yes, no);
        b().go_to(yes);
        fails(no, reason_text(p.domain->range), "there is none to choose", p.domain->range);
      }
      if (p.where) {
        for (const model::Expr* part : conjuncts(*p.where)) {
          domain = filtered(domain, cards, element, part);
          BlockIndex yes = b().add_block(), no = b().add_block();
          b().branch(some(domain), yes, no);
          b().go_to(yes);
          fails(no, reason_text(part->range), "it holds for none that could be chosen", part->range);
        }
      }
      if (p.count == PickCount::exactly) {
        BlockIndex yes = b().add_block(), no = b().add_block();
        b().branch(b().integer(Op::le, {expr(*p.amount), b().integer(cards ? Op::set_count : Op::mask_count, {domain})}, 1), yes, no);
        b().go_to(yes);
        fails(no, reason_text(p.amount->range), "there are too few", p.amount->range);
      }
      break;                                               // later parameters may depend on the choice
    }
    b().effect(Op::ret_int, {b().constant(0)});
  });
}

bool Lowering::forbidden_somewhere(std::size_t action) const {
  return std::any_of(model_.forbids.begin(), model_.forbids.end(), [&](const model::Forbid& f) {
    return std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
  });
}

}  // namespace cardwright::lower
