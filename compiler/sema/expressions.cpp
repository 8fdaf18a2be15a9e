// Expressions: names, members, operators, conditions, and what fits where.
#include <algorithm>

#include "compiler/sema/analysis.h"
#include "compiler/support/habits.h"

namespace cardwright::sema {

namespace {
bool is_none_literal(const Expr* e) {
  return e->kind == ExprKind::constant && e->value == kNone && e->type.kind == TypeKind::nothing;
}
}  // namespace

// ---------------------------------------------------------------- types

bool Analysis::same_type(const Type& a, const Type& b) const {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case TypeKind::enumeration: return a.ref == b.ref;
    case TypeKind::card:
      return a.ref >= types_.size() || b.ref >= types_.size() || is_a(a.ref, b.ref) || is_a(b.ref, a.ref);
    case TypeKind::set:
    case TypeKind::list:
      return !a.elem || !b.elem || a.elem->kind == TypeKind::nothing || b.elem->kind == TypeKind::nothing ||
             same_type(*a.elem, *b.elem);
    case TypeKind::map: return same_type(*a.elem, *b.elem) && same_type(*a.key, *b.key);
    case TypeKind::integer: return is_duration(a) == is_duration(b);
    case TypeKind::listed: case TypeKind::record: return a.ref == b.ref;
    default: return true;
  }
}

bool Analysis::fits(const Type& from, const Type& to) const {
  return same_type(from, to) && (!from.optional || to.optional);
}

std::optional<Type> Analysis::common(const Type& a, const Type& b) const {
  if (a.kind == TypeKind::poison) return b;
  if (b.kind == TypeKind::poison) return a;
  if (a.kind == TypeKind::nothing && a.optional) return b.kind == TypeKind::set ? b : with_none(b);
  if (b.kind == TypeKind::nothing && b.optional) return a.kind == TypeKind::set ? a : with_none(a);
  if (!same_type(a, b)) return std::nullopt;
  Type t = a;
  t.optional = a.optional || b.optional;
  if (t.kind == TypeKind::integer)
    t.lo = std::min(a.lo, b.lo), t.hi = std::max(a.hi, b.hi), t.ref = a.ref == b.ref ? a.ref : ~0u;
  if (t.kind == TypeKind::card && a.ref != b.ref) {
    if (a.ref < types_.size() && b.ref < types_.size()) t.ref = is_a(a.ref, b.ref) ? b.ref : a.ref;
    else t.ref = ~0u;
  }
  if (t.kind == TypeKind::list) {
    t.most = std::max(a.most, b.most);
    if (a.elem && b.elem && a.elem->kind == TypeKind::list)
      if (const auto inner = common(*a.elem, *b.elem)) t.elem = std::make_shared<const Type>(*inner);
  }
  if ((t.kind == TypeKind::set || t.kind == TypeKind::list) && (!a.elem || a.elem->kind == TypeKind::nothing))
    t.elem = b.elem;
  return t;
}

const Expr* Analysis::convert(const Expr* e, const Type& to, std::string_view what) {
  if (is_poison(e) || to.kind == TypeKind::poison) return e ? e : poison({});
  const std::string for_what = what.empty() ? "" : fmt::format(" for `{}`", what);
  if (is_none_literal(e)) {
    if (to.optional) return constant(to, kNone, e->range);
    if (to.kind == TypeKind::set) {
      Expr* empty = make(ExprKind::set_constant, to, e->range);
      return empty;
    }
    error(Code::may_be_none, e->range,
          fmt::format("none can't stand{}: a `{}` is needed", what.empty() ? " here" : for_what, show(to)),
          "declare it optional with `?`");
    return poison(e->range);
  }
  if (is_offset(to) && is_direction(e->type))
    if (const Expr* offset = as_offset(e)) return offset;
  if (to.kind == TypeKind::integer && e->type.kind == TypeKind::enumeration && model_->enums[e->type.ref].numbered)
    e = make(ExprKind::number_of, e->type.optional ? with_none(integer_type()) : integer_type(), e->range, {e});
  if (to.kind == TypeKind::set && to.elem && e->type.kind == to.elem->kind && e->type.kind != TypeKind::set &&
      same_type(e->type, *to.elem))
    return make(ExprKind::set_of_one, to, e->range, {e});
  if (to.kind == TypeKind::list && to.elem && to.elem->kind == TypeKind::set && e->type.kind == TypeKind::list)
    e = as_plain_list(e);
  if (is_poison(e)) return e;
  if (!same_type(e->type, to)) {
    error(Code::wrong_type, e->range,
          fmt::format("a `{}` is needed{}, and this is a `{}`", show(to), for_what, show(e->type)),
          is_duration(to) && e->type.kind == TypeKind::integer ? "say the unit: `300 ms`, `2 s`, `1 min`"
          : record_in(to)                                      ? fmt::format("say it so: `{}`", as_written(to))
                                                               : "");
    return poison(e->range);
  }
  if (to.kind == TypeKind::list) return as_list(e, to);
  if (to.kind == TypeKind::map) return as_table(e, to, for_what);
  if (e->type.optional && !to.optional && to.kind != TypeKind::set && !is_soft(e)) {
    error(Code::may_be_none, e->range, fmt::format("this may be none, and a `{}` is needed{}", show(to), for_what),
          to.kind == TypeKind::player ? "ask first whether it `is in`"
                                      : "ask first whether it `is not none`, or say what else: `or else …`");
    return poison(e->range);
  }
  if (to.kind == TypeKind::integer && !(e->type.hi >= to.lo && e->type.lo <= to.hi) && e->type.lo <= e->type.hi) {
    error(Code::out_of_range, e->range,
          e->type.lo == e->type.hi
              ? fmt::format("{} is never in {}..{}", e->type.lo, to.lo, to.hi)
              : fmt::format("a number in {}..{} is never in {}..{}", e->type.lo, e->type.hi, to.lo, to.hi));
    return poison(e->range);
  }
  if (e->type.kind == TypeKind::set && (!e->type.elem || e->type.elem->kind == TypeKind::nothing)) {
    Expr* typed = make(e->kind, to, e->range, e->args);
    typed->values = e->values;
    return typed;
  }
  return e;
}

// A list with room for as many as are wanted.
const Expr* Analysis::as_list(const Expr* e, const Type& to) {
  if (e->kind == ExprKind::record) return as_record_list(e, to);
  if (is_sequence(e)) return not_a_value(e);
  if (!to.elem || (e->type.elem->optional && !to.elem->optional)) {
    error(Code::may_be_none, e->range, fmt::format("elements may be none, and a `{}` is needed", show(to)));
    return poison(e->range);
  }
  if (to.elem->kind == TypeKind::list && e->type.elem->most != to.elem->most) {   // each of its lists
    const LocalId x = add_local("it", element_type(e->type), e->range);
    Expr* all = make(ExprKind::list_of, list_type(*to.elem, e->type.most), e->range,
                     {e, nullptr, convert(local(x, e->range), *to.elem)});
    all->local = x;
    e = all;
  }
  if (e->type.most == to.most) return e;
  if (e->kind != ExprKind::list_literal) return make(ExprKind::list_as, to, e->range, {e});
  if (static_cast<Int>(e->args.size()) > to.most) {
    error(Code::out_of_range, e->range,
          fmt::format("{} elements, and the list holds up to {}", e->args.size(), to.most));
    return poison(e->range);
  }
  return make(ExprKind::list_literal, to, e->range, e->args);
}

const Expr* Analysis::to_int(const Expr* e) {
  if (!is_poison(e) && is_duration(e->type)) {
    error(Code::wrong_type, e->range, "a number is needed here, and this is a `duration`");
    return poison(e->range);
  }
  return to_amount(e);
}

const Expr* Analysis::to_amount(const Expr* e) {
  if (is_poison(e)) return e;
  if (e->type.kind == TypeKind::enumeration && model_->enums[e->type.ref].numbered)
    e = make(ExprKind::number_of, e->type.optional ? with_none(integer_type()) : integer_type(), e->range, {e});
  if (e->type.kind != TypeKind::integer) {
    error(Code::wrong_type, e->range, fmt::format("a number is needed here, and this is a `{}`", show(e->type)),
          e->type.kind == TypeKind::set    ? "say `size(…)`"
          : board_of(e->type)              ? "`c.x` and `c.y` are numbers"
          : e->type.kind == TypeKind::text ? "texts are only for people: `log \"{a}{b}\"`"
          : e->kind == ExprKind::less || e->kind == ExprKind::less_equal
              ? "comparing can't be chained: `n in 1..3`, or `1 <= n and n <= 3`"
          : e->type.kind == TypeKind::enumeration ? "say `index of …`"
                                                  : "");
    return poison(e->range);
  }
  if (e->type.optional && !is_soft(e)) {
    error(Code::may_be_none, e->range, "this number may be none",
          "ask first whether it `is not none`, or say what else: `or else 0`");
    return poison(e->range);
  }
  return e;
}

const Expr* Analysis::as_set(const Expr* e) {
  if (is_poison(e) || e->type.kind == TypeKind::set) return e;
  switch (e->type.kind) {
    case TypeKind::player: case TypeKind::card: case TypeKind::enumeration: case TypeKind::kind:
      return make(ExprKind::set_of_one, set_type(without_none(e->type)), e->range, {e});
    case TypeKind::integer: return make(ExprKind::set_of_one, set_type(integer_type(0, kMostInSet)), e->range, {e});
    default:
      error(Code::wrong_type, e->range, fmt::format("a set is needed here, and this is a `{}`", show(e->type)),
            e->kind == ExprKind::in_set ? "`in` comes first: write `x in (S with most …)`, with brackets" : "");
      return poison(e->range);
  }
}

// ---------------------------------------------------------------- narrowing

std::string Analysis::key_of(const Expr* e) const {
  if (!e) return {};
  if (e->kind == ExprKind::local) return fmt::format("l{}", e->local.index);
  if (e->kind == ExprKind::constant) return fmt::format("c{}", e->value);
  if (e->kind == ExprKind::active_player) return "active";
  if (e->kind == ExprKind::window_field || e->kind == ExprKind::event_field)
    return fmt::format("f{}.{}.{}", static_cast<int>(e->kind), e->ref, e->value);
  if (e->kind == ExprKind::variable || e->kind == ExprKind::attribute) {
    std::string key = fmt::format("{}{}(", e->kind == ExprKind::variable ? 'v' : 'a', e->ref);
    for (const Expr* a : e->args) {
      std::string k = key_of(a);
      if (a && k.empty()) return {};
      key += k + ",";
    }
    return key + ")";
  }
  if (e->kind == ExprKind::part_owner || e->kind == ExprKind::constant_of_part ||
      e->kind == ExprKind::part_of_constant) {
    const std::string of = key_of(e->args[0]);
    return of.empty() ? of : fmt::format("p{}({})", static_cast<int>(e->kind), of);
  }
  const bool entry = e->kind == ExprKind::element_at && model::view::element_at(e).of()->kind == ExprKind::local &&
                     model::view::element_at(e).of()->type.kind == TypeKind::map;
  if (entry || e->kind == ExprKind::step || e->kind == ExprKind::cell_at || e->kind == ExprKind::part_at ||
      e->kind == ExprKind::rotated) {
    const std::string of = key_of(e->args[0]), by = key_of(e->args[1]);
    return of.empty() || by.empty() ? std::string() : fmt::format("b{}({},{})", static_cast<int>(e->kind), of, by);
  }
  return {};
}

// `top of z`, `first of S` and what is chosen are none only where nothing is. Asking each time would be a burden, so
// such a value may be used as if it were there; if it is not, the game ends with an error. What is *declared* `card?`
// or `player?` has to be asked about.
bool Analysis::is_soft(const Expr* e) const {
  if (!e || !e->type.optional) return true;
  switch (e->kind) {
    case ExprKind::zone_top: case ExprKind::zone_bottom: case ExprKind::card_of_slot: case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::pick_random: return true;
    case ExprKind::attribute: {
      const Type& t = model::view::attribute(e).of()->type;
      if (model_->attributes[e->ref].type.optional) return false;
      return t.optional && is_soft(model::view::attribute(e).of());
    }
    case ExprKind::kind_of: case ExprKind::number_of: return is_soft(e->args[0]);
    case ExprKind::local: return rule_->soft.contains(e->local.index);
    case ExprKind::conditional: {
      const model::view::conditional its(e);
      return is_soft(its.then()) && is_soft(its.otherwise()) && its.then()->value != kNone &&
             its.otherwise()->value != kNone;
    }
    case ExprKind::or_else:
      return is_soft(model::view::or_else(e).otherwise()) && model::view::or_else(e).otherwise()->value != kNone;
    default: return false;
  }
}

bool Analysis::is_narrowed(const Expr* e) const {
  if (rule_->narrowed.empty()) return false;
  const std::string key = key_of(e);
  return !key.empty() && std::find(rule_->narrowed.begin(), rule_->narrowed.end(), key) != rule_->narrowed.end();
}

void Analysis::narrow(const Expr* c, bool holds) {
  if (is_poison(c)) return;
  const auto known = [&](const Expr* e) {
    if (e->kind == ExprKind::attribute) known_of_attribute(e);
    std::string key = key_of(e);
    if (!key.empty()) rule_->narrowed.push_back(std::move(key));
  };
  switch (c->kind) {
    case ExprKind::logical_not: narrow(model::view::logical_not(c).operand(), !holds); return;
    case ExprKind::logical_and:
      if (holds) narrow(model::view::logical_and(c).left(), true), narrow(model::view::logical_and(c).right(), true);
      return;
    case ExprKind::logical_or:
      if (!holds) narrow(model::view::logical_or(c).left(), false), narrow(model::view::logical_or(c).right(), false);
      return;
    case ExprKind::is_none:
      if (!holds) known(model::view::is_none(c).operand());
      return;
    case ExprKind::counts_as: {
      if (!holds) return;
      known(model::view::counts_as(c).card());
      const auto lies = [&](Int kind) {
        return model_->lying && model_->lying->sort_of[static_cast<std::size_t>(kind)] != kNone;
      };
      if (std::string key = covering_key(model::view::counts_as(c).card());
          !key.empty() && std::all_of(c->values.begin(), c->values.end(), lies))
        rule_->narrowed.push_back(std::move(key));
      return;
    }
    case ExprKind::is_in_game: case ExprKind::in_set:
      if (holds) known(c->args[0]);
      return;
    case ExprKind::equal:
      if (!holds) return;
      if (!model::view::equal(c).right()->type.optional) known(model::view::equal(c).left());
      if (!model::view::equal(c).left()->type.optional) known(model::view::equal(c).right());
      return;
    case ExprKind::is_empty:                               // a slot that is not empty has a card
      return;
    default: return;
  }
}

void Analysis::known_of_attribute(const Expr* e) {
  if (e->args.empty() || !e->args[0]) return;
  std::string key = key_of(e->args[0]);
  if (!key.empty()) rule_->narrowed.push_back(std::move(key));
}

// ---------------------------------------------------------------- entry points

const Expr* Analysis::expr(const Node* node, const Type* expected) {
  if (!node) return poison({});
  if (++depth_ > 450) {
    --depth_;
    error(Code::too_many, node->range, "nested too deeply");
    return poison(node->range);
  }
  const Expr* e = expr_inner(node, expected);
  --depth_;
  return e ? e : poison(node->range);
}

const Expr* Analysis::condition(const Node* node) {
  const Type b = boolean_type();
  const Expr* e = expr(node, &b);
  if (is_poison(e)) return e;
  if (e->type.kind != TypeKind::boolean) {
    error(Code::wrong_type, node->range, fmt::format("a condition is needed here, and this is a `{}`", show(e->type)),
          e->type.kind == TypeKind::set ? "say `is empty` or `is not empty`" : "");
    return poison(node->range);
  }
  return e;
}

const Expr* Analysis::integer(const Node* node) { return to_int(expr(node)); }

const Expr* Analysis::player(const Node* node, bool may_be_none) {
  const Expr* e = expr(node);
  if (is_poison(e)) return e;
  return convert(e, player_type(may_be_none));
}

const Expr* Analysis::set(const Node* node, const Type* element) {
  std::optional<Type> wanted;
  if (element) wanted = set_type(*element);
  return as_set(expr(node, wanted ? &*wanted : nullptr));
}

// A set, or a list to walk through.
const Expr* Analysis::collection(const Node* node, const Type* element) {
  std::optional<Type> wanted;
  if (element) wanted = set_type(*element);
  walked_ = node;
  const Expr* e = expr(node, wanted ? &*wanted : nullptr);
  return is_poison(e) || e->type.kind == TypeKind::list ? e : as_set(e);
}

// `a loses or b wins`, `not (a may pass)`: claims of scenarios, which are no conditions.
const Expr* Analysis::claim_as_condition(const Node* node) {
  const view::claim its(node);
  const std::string said(diagnostics_.sources().text(node->range)),
      who = its.subject() ? std::string(diagnostics_.sources().text(its.subject()->range)) : "a";
  const bool ends = node->text == "wins" || node->text == "loses",
             offered = node->text == "may" || node->text == "can't";
  if (!rule_->scenario)
    error(Code::misplaced, node->range, fmt::format("only a scenario can say `{}`", said),
          ends ? fmt::format("`winners {}` ends the game", who) : "");
  else
    error(Code::bad_scenario, node->range,
          fmt::format("`{}` is a claim by itself: it can't be turned round, or be one of two", said),
          ends ? fmt::format("`and` joins claims; `{} {}` says that the game is over and {}", who,
                             node->text == "wins" ? "loses" : "wins",
                             node->text == "wins" ? "others have won" : "they have won")
          : offered
              ? fmt::format("`and` joins claims; the contrary is `{} {} …`", who, node->text == "may" ? "can't" : "may")
              : "`and` joins claims");
  return poison(node->range);
}

const Expr* Analysis::unsupported(const Node* node, std::string what, std::string help) {
  error(Code::unsupported, node->range, std::move(what), std::move(help));
  return poison(node->range);
}

const Expr* Analysis::expr_inner(const Node* node, const Type* expected) {
  switch (node->kind) {
    case NodeKind::number:
      return number(node);
    case NodeKind::truth: return boolean_constant(node->number != 0, node->range);
    case NodeKind::none_lit: return constant(with_none(plain_type(TypeKind::nothing)), kNone, node->range);
    case NodeKind::unlimited_lit: return integer_constant(kUnlimited, node->range);
    case NodeKind::string: return filled_text(node);
    case NodeKind::name_ref: return name_ref(node, expected);
    case NodeKind::member: return member(node, expected);
    case NodeKind::index: return index(node);
    case NodeKind::call:
      if (const Expr* such = such_cards(node)) {             // by its words alone: the lowest copy
        if (is_poison(such)) return such;
        return constant(card_type(), such->values.front(), node->range);
      }
      return call(node, false);
    case NodeKind::arg: return expr(view::arg(node).value(), expected);
    case NodeKind::list_lit: return list_literal(node, expected);
    case NodeKind::table_lit:
      error(Code::wrong_type, node->range, "a table is written out only where an attribute is given",
            "a variable's entries are set one by one: `m[red] = 1`");
      return poison(node->range);
    case NodeKind::range_lit:
      if (expected && is_duration(*expected)) return draw(node);
      return number_range(node);
    case NodeKind::unary: {
      if (node->text == "not") return negated(condition(view::unary(node).operand()));
      const Expr* e = expr(view::unary(node).operand());
      if (const Expr* offset = is_poison(e) ? nullptr : as_offset(e)) {
        if (is_poison(offset)) return offset;
        const auto negative = [&](const Expr* x) { return make(ExprKind::negate, integer_type(), node->range, {x}); };
        return node->text == "+" ? offset
                                 : this->offset(negative(offset->args[0]), negative(offset->args[1]), node->range);
      }
      e = to_amount(e);                                    // a duration too: `by -50 ms`
      if (is_poison(e)) return e;
      if (node->text == "+") return e;
      const Type negative = is_duration(e->type) ? e->type : integer_type(-e->type.hi, -e->type.lo);
      if (e->kind == ExprKind::constant)
        return is_duration(e->type) ? constant(e->type, -e->value, node->range)
                                    : integer_constant(-e->value, node->range);
      return make(ExprKind::negate, negative, node->range, {e});
    }
    case NodeKind::binary: return binary(node, expected);
    case NodeKind::is_expr: return is_expr(node);
    case NodeKind::if_expr: return if_expr(node, expected);
    case NodeKind::where_expr: return where_expr(node, expected);
    case NodeKind::best_expr: return best_expr(node);
    case NodeKind::clockwise_expr: {
      const Expr* s = expr(view::clockwise_expr(node).set(), expected);
      if (is_poison(s) || (s->type.kind == TypeKind::set && element_type(s->type).kind == TypeKind::player)) return s;
      error(Code::wrong_type, node->range, "only players sit in a round", "`each p in players clockwise from q`");
      return poison(node->range);
    }
    case NodeKind::quantifier: return quantifier(node);
    case NodeKind::quantifier_is: return quantifier_is(node);
    case NodeKind::aggregate: return aggregate(node);
    case NodeKind::pick: return pick(node);
    case NodeKind::top_expr: return top_expr(node);
    case NodeKind::random_cards: return random_cards(node);
    case NodeKind::all_but: return all_but(node);
    case NodeKind::size_of: {
      if (node->children.size() >= 3 && view::size_of(node).domain()) {   // size(x in S where C)
        const Expr* s = collection(view::size_of(node).domain());
        if (is_poison(s)) return s;
        Scoped scope(*rule_);
        const LocalId x =
            bind(view::size_of(node).variable()->text, element_type(s->type), view::size_of(node).variable()->range);
        Pure pure(*rule_);
        // it has a name: `players with most size(v in players where v.vote == it)` speaks of the outer one
        const bool outer =
            std::any_of(rule_->elements.begin(), rule_->elements.end(), [](const Element& e) { return e.is_it; });
        rule_->elements.push_back({local(x, node->range), !outer});
        const Expr* c = condition(view::size_of(node).condition());
        if (is_poison(c)) return c;
        const bool walked = is_sequence(s);
        Expr* f = make(walked ? ExprKind::aggregate : ExprKind::filter, walked ? integer_type(0, 100000) : s->type,
                       node->range, {s, c});
        f->local = x;
        if (!walked) return size_of(f, node->range);
        f->args.push_back(nullptr);
        f->value = 4;                                        // counted
        return f;
      }
      const Expr* of = expr(view::size_of(node).of());
      if (is_poison(of)) return of;
      return size_of(of, node->range);
    }
    case NodeKind::roll_expr: {
      const Node* of = view::roll_expr(node).domain();
      if (!of || !effect(node->range, "rolling")) return poison(node->range);
      if (of->kind == NodeKind::range_lit) {
        const Expr *lo = integer(view::range_lit(of).lo()), *hi = integer(view::range_lit(of).hi());
        if (is_poison(lo) || is_poison(hi)) return poison(node->range);
        return make(ExprKind::roll, integer_type(lo->type.lo, hi->type.hi), node->range, {lo, hi});
      }
      if (of->kind == NodeKind::name_ref && enum_names_.contains(of->text) && !find_binding(of->text)) {
        const std::uint32_t e = enum_names_.find(of->text)->second;
        const Expr* all = universe(enum_type(e), node->range);
        return make(ExprKind::pick_random, enum_type(e), node->range, {all});
      }
      if (const Expr* dice = expr(of); is_poison(dice) || dice_of(dice->type)) {
        if (!is_poison(dice))
          error(Code::wrong_type, node->range, "a die is rolled by a statement of its own",
                "`roll d`, and then `d.face`");
        return poison(node->range);
      }
      const Expr* n = integer(of);                       // `roll 6`
      if (is_poison(n)) return n;
      return make(ExprKind::roll, integer_type(1, n->type.hi), node->range, {integer_constant(1, node->range), n});
    }
    case NodeKind::open_expr: return open_window(node, false);
    case NodeKind::proceed_stmt: return proceed(node, false);
    case NodeKind::may_expr: return may_expr(node);
    case NodeKind::knows_expr: return knows_expr(node);
    case NodeKind::during_expr: {
      if (auto w = window_names_.find(node->text); w != window_names_.end()) {
        Expr* e = make(ExprKind::during_window, boolean_type(), node->range);
        e->ref = w->second;
        return e;
      }
      if (auto ev = event_names_.find(node->text); ev != event_names_.end()) {
        const Expr* all = nullptr;
        for (std::uint32_t id : ev->second) {
          Expr* e = make(ExprKind::during_event, boolean_type(), node->range);
          e->ref = id;
          all = all ? either(all, e, node->range) : e;
        }
        return all;
      }
      if (silent_if_absent(node)) return poison(node->range);
      error(Code::unknown_name, node->range, fmt::format("no event or window named `{}`", node->text));
      return poison(node->range);
    }
    case NodeKind::scenario_card: {
      // `eight of spades`: the one card with these attributes; `a Ducky` has no place outside scenarios
      auto match = card_match(node);
      if (!match) return poison(node->range);
      const Expr* e = cards_that_match(*match);
      if (e->values.size() == 1) return constant(card_type(), e->values[0], node->range);
      return make(ExprKind::pick_only, card_type(), node->range, {e});
    }
    case NodeKind::supposing: return supposing(node);
    case NodeKind::subsets: return subsets(node);
    case NodeKind::claim: return claim_as_condition(node);
    default:
      error(Code::wrong_type, node->range, "this is no value");
      return poison(node->range);
  }
}

// ---------------------------------------------------------------- names and members

const Expr* Analysis::name_ref(const Node* node, const Type* expected) {
  const std::string_view name = node->text;
  const Range range = node->range;
  if (const Binding* b = find_binding(name)) {
    if (b->value) return b->value->kind == ExprKind::record ? again(b->value, range) : b->value;
    for (const Element& el : rule_->elements)
      if (el.is_it && el.value->local != b->local && has_member(el.value->type, name) && !in_library(range)) {
        error(Code::ambiguous_name, range,
              fmt::format("`{}` could be the attribute or what is called so outside", name),
              fmt::format("say `it.{}`, or choose another name", name));
        return poison(range);
      }
    return local(b->local, range);
  }
  if (name == "me") return me(node);
  if (name == "this") {
    if (rule_->self.valid()) return local(rule_->self, range);
    error(Code::nobody_meant, range,
          rule_->borrowed ? "there is no card here: a character has it by `has`" : "`this` means no card here",
          rule_->borrowed ? "" : "it is known in the rules of a card");
    return poison(range);
  }
  if (name == "here") {
    const bool card = rule_->self.valid() && rule_->carrier.kind == CarrierKind::card && rule_->carrier.zone.valid();
    for (std::uint32_t a = 0; card && a < areas_.size(); ++a)
      for (const auto& [zone, id] : areas_[a].zones)
        if (id == rule_->carrier.zone.index) {
          if (!rule_->in_effect) return part_of_this(a, range);
          if (!rule_->here.valid()) rule_->here = add_local("here", area_type(a), range);
          return local(rule_->here, range);
        }
    error(Code::nobody_meant, range, "`here` means nothing here",
          "it is the part of an area in which a card lies, in its `while in`");
    return poison(range);
  }
  if (name == "it") {
    for (auto it = rule_->elements.rbegin(); it != rule_->elements.rend(); ++it)
      if (it->is_it) return it->value->kind == ExprKind::local ? local(it->value->local, range) : it->value;
    error(Code::nobody_meant, range, "`it` means nothing here", "it is the element of a set in `where`");
    return poison(range);
  }
  if (name == "active") {
    if (has_turns_ && !rule_->before_game) return make(ExprKind::active_player, player_type(), range);
    error(Code::nobody_meant, range,
          has_turns_ ? "`active` means nobody during setup" : "`active` means nobody: the game has no turns",
          "give the player a name");
    return poison(range);
  }
  if (name == "players") return make(ExprKind::players_in, set_type(player_type()), range);
  if (name == "everyone") return make(ExprKind::everyone, set_type(player_type()), range);
  if (name == "nobody") return make(ExprKind::set_constant, set_type(player_type()), range);
  if (name == "others") {
    const Expr* m = me(node);
    if (is_poison(m)) return m;
    return make(ExprKind::set_minus, set_type(player_type()), range,
                {make(ExprKind::players_in, set_type(player_type()), range),
                 make(ExprKind::set_of_one, set_type(player_type()), range, {m})});
  }
  if (name == "_") {
    error(Code::nobody_meant, range, "`_` stands only in patterns");
    return poison(range);
  }
  const Type* wanted = expected && expected->kind == TypeKind::set && expected->elem ? expected->elem.get() : expected;
  // bare attributes of the element of a set
  for (auto it = rule_->elements.rbegin(); it != rule_->elements.rend(); ++it) {
    if (!has_member(it->value->type, name)) continue;
    const bool outside =
        it->is_it && (table_variables_.contains(name) || table_records_.contains(name) || table_zones_.contains(name) ||
                      consts_.contains(name) || options_.contains(name));
    if (outside && in_library(range)) {                      // what a game calls so is not meant
      if (!is_library_member(it->value->type, name)) continue;
    } else if (outside) {
      error(Code::ambiguous_name, range, fmt::format("`{}` could be the attribute or what is called so outside", name),
            fmt::format("say `it.{}`", name));
      return poison(range);
    }
    return member_of(it->value->kind == ExprKind::local ? local(it->value->local, range) : it->value, name, range,
                     range);
  }
  bool found = false;
  if (wanted && wanted->kind == TypeKind::enumeration && !table_variables_.contains(name))
    if (const Expr* e = enum_constant(name, range, wanted, false, found); found && e->type.ref == wanted->ref) return e;
  if (wanted && wanted->kind == TypeKind::kind)
    if (auto k = kind_names_.find(name); k != kind_names_.end() && k->second != ~0u)
      return constant(kind_type(), k->second, range);
  if (rule_->scenario)
    if (auto s = seat(node, false)) return constant(player_type(), *s, range);
  if (auto v = table_variables_.find(name); v != table_variables_.end()) {
    used_.insert(std::string(name));
    return variable_of(v->second, range, {});
  }
  if (auto r = table_records_.find(name); r != table_records_.end())
    return spread(r->first, r->second, range, [&](const std::string& leaf, const Type&) {
      return variable_of(table_variables_.find(leaf)->second, range, {});
    });
  if (auto z = table_zones_.find(name); z != table_zones_.end()) {
    used_.insert(std::string(name));
    Expr* e = make(ExprKind::zone, set_type(card_type()), range);
    e->ref = z->second;
    return e;
  }
  if (consts_.contains(name) || known_consts_.contains(name) || options_.contains(name)) {
    used_.insert(std::string(name));
    if (auto f = fixed_name(node, false)) {
      switch (f->kind) {
        case Fixed::Kind::integer: return integer_constant(f->value, range);
        case Fixed::Kind::boolean: return boolean_constant(f->value != 0, range);
        case Fixed::Kind::enumeration: return constant(enum_type(f->ref), f->value, range);
        case Fixed::Kind::none: return constant(with_none(plain_type(TypeKind::nothing)), kNone, range);
        case Fixed::Kind::set: {
          Expr* e = make(ExprKind::set_constant, f->type.value_or(Type{}), range);
          e->values = f->values;
          if (f->type && f->type->kind != TypeKind::set) e->kind = ExprKind::constant, e->value = f->value;
          return e;
        }
        case Fixed::Kind::symbol:
          if (const Expr* e = enum_constant(f->symbol, range, wanted, false, found); found) return e;
          error(Code::wrong_type, range, fmt::format("`{}` is an option with values of its own", name),
                fmt::format("compare it: `{} == {}`", name, f->symbol));
          return poison(range);
      }
    }
    return computed_const(node);
  }
  if (auto v = value_names_.find(name); v != value_names_.end() && values_[v->second].names.empty())
    return call_named(node, name, false);
  if (auto r = given_records_.find(name); r != given_records_.end())
    if (auto v = value_names_.find(leaves_of(r->second, r->first)[0].name);
        v != value_names_.end() && values_[v->second].names.empty())
      return call_named(node, name, false);
  if (auto d = decks_.find(name); d != decks_.end()) {
    used_.insert(std::string(name));
    if (d->second.pool) {
      Expr* e =
          make(ExprKind::pool_values, set_type(enum_type(model_->pools[d->second.pool->index].element.index)), range);
      e->ref = d->second.pool->index;
      return e;
    }
    if (!enum_names_.contains(name) && !type_names_.contains(name)) return universe(card_type(), range);
  }
  if (auto e = enum_names_.find(name); e != enum_names_.end()) return universe(enum_type(e->second), range);
  if (const Expr* e = enum_constant(name, range, wanted, true, found); found) return e;
  if (auto t = type_names_.find(name); t != type_names_.end()) return universe(card_type(t->second), range);
  if (auto k = kind_names_.find(name); k != kind_names_.end()) {
    if (k->second == ~0u) return poison(range);
    return constant(kind_type(), k->second, range);
  }
  if (auto a = area_named(name)) {
    // the only die
    if (areas_[*a].single && areas_[*a].each == 0 && areas_[*a].name == name) return constant(area_type(*a), 1, range);
    Expr* e = make(ExprKind::set_constant, set_type(area_type(*a)), range);
    for (Int i = 1; i <= areas_[*a].count; ++i) e->values.push_back(i);
    return e;
  }
  if (const model::Board* board = board_with_dirs(name)) return universe(enum_type(board->dirs.index), range);
  if (board_named(node)) {
    error(Code::wrong_type, range, fmt::format("a board is no value, and `{}` is one", name),
          fmt::format("`{}.cells` are its cells, `{}[0, 0]` is one of them", name, name));
    return poison(range);
  }
  if (name == "clock" && rule_->scenario) return make(ExprKind::race_clock, duration_type(), range);
  if (name == "turn_number") return make(ExprKind::turn_number, integer_type(0, 0x7fffffff), range);
  if (name == "round_number" || name == "round")
    return make(ExprKind::round_number, integer_type(0, 0x7fffffff), range);
  return unknown_name(node, wanted);
}

// A const whose value needs cards: `only of (French where rank == two and suit == clubs)`.
const Expr* Analysis::computed_const(const Node* node) {
  const std::string name(node->text);
  auto it = consts_.find(name);
  if (it == consts_.end()) return poison(node->range);
  auto made = const_exprs_.find(name);
  if (made == const_exprs_.end()) {
    if (!deciding_.insert(name).second) {
      error(Code::circular, node->range, fmt::format("`{}` is defined by itself", name));
      return poison(node->range);
    }
    Body& body = scratch_.emplace_back();
    Rule rule;
    rule.body = &body;
    rule.pure = true;
    rule.constant = true;
    const Expr* result = nullptr;
    in_rule(rule, [&] {
      const Node* declared = view::const_decl(it->second).type();
      std::optional<Type> wanted;
      if (declared) wanted = type_or_poison(declared);
      const Expr* e = expr(view::const_decl(it->second).value(), wanted ? &*wanted : nullptr);
      if (wanted) e = convert(e, *wanted, name);
      result = poison(it->second->range);
      if (is_poison(e)) return;
      result = fieldwise({e}, [&](const auto& field) { return const_value(it->second, field[0]); });
    });
    deciding_.erase(name);
    made = const_exprs_.emplace(name, result).first;
  }
  if (!made->second || is_poison(made->second)) return poison(node->range);
  Expr* copy = make(made->second->kind, made->second->type, node->range, made->second->args);
  copy->ref = made->second->ref;
  copy->value = made->second->value;
  copy->values = made->second->values;
  return copy;
}

const Expr* Analysis::const_value(const Node* declared, const Expr* e) {
  Frame frame;
  auto v = evaluate(*e, frame);
  if (!v) {
    not_known(declared->child(1)->range, fmt::format("what `{}` is must be known before the game", declared->text),
              "a `value` may change: `value x(): int = …`");
    return poison(declared->range);
  }
  if (e->type.kind == TypeKind::list) return const_list(declared->text, e, *v);
  Expr* c = make(e->type.kind == TypeKind::set ? ExprKind::set_constant : ExprKind::constant, e->type, declared->range);
  c->value = v->value;
  c->values = v->values;
  if (v->value != kNone) c->type.optional = false;
  return c;
}

const Expr* Analysis::member(const Node* node, const Type* expected) {
  const Node* base = view::member(node).of();
  if (!base) return poison(node->range);
  const Range at{node->range.source, node->range.end - static_cast<std::uint32_t>(node->text.size()), node->range.end};
  if (const Binding* b = base->kind == NodeKind::name_ref ? find_binding(base->text) : nullptr; b && !b->value)
    if (auto o = rule_->opened.find(b->local.index); o != rule_->opened.end()) {
      std::vector<std::string> names;
      for (const auto& [name, id] : o->second.variables) {
        if (name == node->text) return local(id, node->range);
        names.push_back(name);
      }
      const Composed& records = windows_[o->second.window].composed;
      const auto kept = [&](const std::string& leaf) {
        return std::find_if(o->second.variables.begin(), o->second.variables.end(),
                            [&](const auto& v) { return v.first == leaf; });
      };
      if (auto r = records.find(node->text);
          r != records.end() && kept(leaves_of(r->second, r->first)[0].name) != o->second.variables.end())
        return spread(r->first, r->second, node->range,
                      [&](const std::string& leaf, const Type&) { return local(kept(leaf)->second, node->range); });
      error(Code::unknown_member, at, fmt::format("that window has no variable `{}`", node->text),
            did_you_mean(node->text, names));
      return poison(node->range);
    }
  if (base->kind == NodeKind::name_ref && !find_binding(base->text)) {
    const std::string_view name = base->text;
    if (auto board = board_named(base)) return board_member(*board, node, at);
    if (auto e = enum_names_.find(name); e != enum_names_.end()) {
      const model::Enum& en = model_->enums[e->second];
      std::vector<std::string> names;
      for (std::size_t i = 0; i < en.constants.size(); ++i) {
        if (en.constants[i].name == node->text) return constant(enum_type(e->second), static_cast<Int>(i), node->range);
        names.push_back(en.constants[i].name);
      }
      error(Code::unknown_member, at, fmt::format("`{}` has no constant `{}`", name, node->text),
            did_you_mean(node->text, names));
      return poison(node->range);
    }
    if (!table_variables_.contains(name) && !table_records_.contains(name)) {
      if (auto w = window_names_.find(name); w != window_names_.end()) {
        if (const Expr* e = window_member(w->second, node->text, node->range)) return e;
        const model::Window& window = model_->windows[w->second];
        const std::vector<std::string> names = running_names(windows_[w->second], window.body, window.variables);
        if (!event_names_.contains(name)) {
          error(Code::unknown_member, at, fmt::format("the window `{}` has no `{}`", name, node->text),
                did_you_mean(node->text, names));
          return poison(node->range);
        }
      }
      if (auto ev = event_names_.find(name); ev != event_names_.end() && !table_zones_.contains(name)) {
        const std::uint32_t id = ev->second.front();
        if (const Expr* e = event_member(id, node->text, node->range)) return e;
        const model::Event& event = model_->events[id];
        error(Code::unknown_member, at, fmt::format("the event `{}` has no `{}`", name, node->text),
              did_you_mean(node->text, running_names(events_[id], event.body, event.variables)));
        return poison(node->range);
      }
    }
  }
  (void)expected;
  return member_of(expr(base), node->text, at, node->range);
}

// A parameter of an event or window as others read it; null if there is none of that name.
const Expr* Analysis::parameter_of(const Callable& c, std::string_view name, Range range,
                                   const std::function<const Expr*(std::size_t)>& leaf) {
  const auto at = [&](std::string_view n) {
    return static_cast<std::size_t>(std::find(c.names.begin(), c.names.end(), n) - c.names.begin());
  };
  if (auto r = c.composed.find(name);
      r != c.composed.end() && at(leaves_of(r->second, r->first)[0].name) < c.names.size())
    return spread(r->first, r->second, range, [&](const std::string& n, const Type&) { return leaf(at(n)); });
  return at(name) < c.names.size() ? leaf(at(name)) : nullptr;
}

std::vector<std::string> Analysis::running_names(const Callable& c, const model::Body& body,
                                                 const std::vector<LocalId>& variables) {
  std::vector<std::string> names = c.names;
  for (LocalId v : variables) names.push_back(body.locals[v.index].name);
  return names;
}

// `W.x`, `E.x`: a variable or parameter of a window or event. Variables are numbered from 0, parameters from -1 down.
const Expr* Analysis::running_member(ExprKind kind, std::uint32_t of, const Callable& c, const model::Body& body,
                                     const std::vector<LocalId>& variables, std::string_view name, Range range) {
  const auto field = [&](const Type& type, Int index) {
    Expr* e = make(kind, type, range);
    e->ref = of;
    e->value = index;
    if (e->type.optional && is_narrowed(e)) e->type.optional = false;
    return e;
  };
  const auto variable = [&](std::string_view n) -> const Expr* {
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (const model::Local& l = body.locals[variables[i].index]; l.name == n)
        return field(l.type, static_cast<Int>(i));
    return nullptr;
  };
  if (const Expr* e = variable(name)) return e;
  if (auto r = c.composed.find(name); r != c.composed.end() && variable(leaves_of(r->second, r->first)[0].name))
    return spread(r->first, r->second, range, [&](const std::string& n, const Type&) { return variable(n); });
  return parameter_of(c, name, range, [&](std::size_t i) { return field(c.types[i], -1 - static_cast<Int>(i)); });
}

const Expr* Analysis::window_member(std::uint32_t window, std::string_view name, Range range) {
  const model::Window& w = model_->windows[window];
  return running_member(ExprKind::window_field, window, windows_[window], w.body, w.variables, name, range);
}

const Expr* Analysis::event_member(std::uint32_t event, std::string_view name, Range range) {
  const model::Event& e = model_->events[event];
  return running_member(ExprKind::event_field, event, events_[event], e.body, e.variables, name, range);
}

// `p.front[2]`
const Expr* Analysis::part_at(std::uint32_t area, const Expr* whose, const Node* node) {
  if (whose->type.optional && !is_soft(whose)) {
    error(Code::may_be_none, whose->range, "this player may be none", "ask first: `if p is in …`, or `when p is in`");
    return poison(node->range);
  }
  const Expr* at = convert(integer(view::index(node).keys(0)), integer_type(1, areas_[area].each), areas_[area].name);
  if (is_poison(at)) return at;
  Expr* e = make(ExprKind::part_at, area_type(area), node->range, {whose, at});
  e->value = areas_[area].each;
  return e;
}

const Expr* Analysis::index(const Node* node) {
  const Node* base = view::index(node).of();
  const Expr* of = nullptr;
  if (base && base->kind == NodeKind::name_ref && !find_binding(base->text))
    if (auto board = board_named(base)) return cell_at(*board, node);
  if (base && base->kind == NodeKind::name_ref && !find_binding(base->text))
    // front[2]
    if (auto a = area_named(base->text); a && node->children.size() == 2 && !table_variables_.contains(base->text)) {
      if (one_each(areas_[*a])) {
        error(Code::nobody_meant, node->range, fmt::format("each player has one `{}`", areas_[*a].name),
              fmt::format("say `p.{}`", areas_[*a].name));
        return poison(node->range);
      }
      if (model_->areas[*a].per) return piece_of(*a, node);
      if (areas_[*a].each > 0) {
        error(Code::nobody_meant, node->range, fmt::format("whose `{}`", areas_[*a].name),
              fmt::format("say `p.{}[1]`", areas_[*a].name));
        return poison(node->range);
      }
      const Expr* at = convert(integer(view::index(node).keys(0)), area_type(*a), areas_[*a].name);
      if (is_poison(at)) return at;
      Expr* e = make(at->kind, area_type(*a), node->range, at->args);
      e->value = at->value;
      e->ref = at->ref;
      e->local = at->local;
      return e;
    }
  if (base && base->kind == NodeKind::member && node->children.size() == 2)
    if (auto a = area_of_players(base->text); a && !one_each(areas_[*a]) && areas_[*a].name == base->text) {
      const Expr* whose = expr(view::member(base).of());
      if (is_poison(whose)) return whose;
      if (whose->type.kind == TypeKind::player) return part_at(*a, whose, node);
    }
  if (base && base->kind == NodeKind::list_lit) {          // [left, right][i]
    std::vector<const Expr*> items;
    Type elem = plain_type(TypeKind::poison);
    for (const Node* n : base->children) {
      items.push_back(expr(n, elem.kind == TypeKind::poison ? nullptr : &elem));
      if (is_poison(items.back())) return items.back();
      auto t = common(elem, items.back()->type);
      if (!t) {
        error(Code::wrong_type, n->range,
              fmt::format("this is a `{}` among `{}`s", show(items.back()->type), show(elem)));
        return poison(node->range);
      }
      elem = *t;
    }
    if (items.empty()) {
      error(Code::wrong_type, base->range, "the list is empty");
      return poison(node->range);
    }
    const auto list = [&](const Type& t) { return list_type(t, static_cast<Int>(items.size())); };
    of = fieldwise(
        items,
        [&](const std::vector<const Expr*>& x) {
          return make(ExprKind::list_literal, list(record_in(elem) ? x[0]->type : elem), base->range, x);
        },
        list);
  } else {
    of = expr(base);
  }
  for (std::size_t i = 1; i < node->children.size() && !is_poison(of); ++i)
    of = indexed(of, node->child(i), node->range);
  return of;
}

const Expr* Analysis::indexed(const Expr* of, const Node* node, Range range) {
  const Type t = of->type;
  if (t.kind != TypeKind::map && t.kind != TypeKind::list) {
    error(Code::wrong_type, range, fmt::format("a `{}` has no elements to pick by `[…]`", show(t)),
          t.kind == TypeKind::set ? "`first of S`, `only of S`, `random of S`; of a pile `top of z`" : "");
    return poison(range);
  }
  const Expr* at = t.kind == TypeKind::list ? integer(node)
                   : t.key->kind == TypeKind::card && rule_->scenario
                       ? card_as_key(node, *t.key)
                       : convert(expr(node, t.key.get()), *t.key, "the index");
  if (is_poison(at)) return at;
  if (of->kind == ExprKind::record && !only_looks(at)) return poison(range);
  return fieldwise(
      {of}, [&](const auto& x) { return picked(x[0], at, range); },
      [](const Type& whole) { return Type(*whole.elem); });
}

// One entry of a table, one element of a list.
const Expr* Analysis::picked(const Expr* of, const Expr* at, Range range) {
  if (of->type.kind == TypeKind::map) {
    if (of->kind == ExprKind::list_literal) return entry_of(of, at, range);
    if (of->kind != ExprKind::variable) {
      Expr* entry = make(ExprKind::element_at, *of->type.elem, range, {of, at});
      if (is_narrowed(entry)) entry->type.optional = false;
      return entry;
    }
    std::vector<const Expr*> args = of->args;
    args.push_back(at);
    return variable_of(of->ref, range, std::move(args));
  }
  const Type element = *of->type.elem;
  if (of->kind != ExprKind::set_list) at = make(ExprKind::element_at, element, range, {of, at});
  if (element.kind != TypeKind::listed) return at;
  Expr* set = make(ExprKind::listed_set, model_->set_lists[element.ref].element, range, {at});
  set->ref = element.ref;
  return set;
}

// ---------------------------------------------------------------- logic

const Expr* Analysis::negated(const Expr* e) {
  if (is_poison(e)) return e;
  if (e->kind == ExprKind::constant) return boolean_constant(!e->value, e->range);
  return make(ExprKind::logical_not, boolean_type(), e->range, {e});
}

const Expr* Analysis::both(const Expr* a, const Expr* b) {
  if (!a) return b;
  if (!b) return a;
  if (is_poison(a)) return a;
  if (is_poison(b)) return b;
  Range range = a->range;
  if (b->range.source == a->range.source && b->range.end > a->range.end) range.end = b->range.end;
  return make(ExprKind::logical_and, boolean_type(), range, {a, b});
}

const Expr* Analysis::either(const Expr* a, const Expr* b, Range range) {
  if (is_poison(a)) return a;
  if (is_poison(b)) return b;
  return make(ExprKind::logical_or, boolean_type(), range, {a, b});
}

const Expr* Analysis::logic(const Node* node) {
  const view::binary its(node);
  const bool conjunction = node->text == "and";
  if (auto f = decided(its.left()); f && f->kind == Fixed::Kind::boolean) {
    if ((f->value != 0) != conjunction) return boolean_constant(f->value != 0, node->range);
    return condition(its.right());
  }
  const Expr* a = condition(its.left());
  Scoped scope(*rule_);
  narrow(a, conjunction);
  const Expr* b = condition(its.right());
  if (is_poison(a)) return a;
  if (is_poison(b)) return b;
  return make(conjunction ? ExprKind::logical_and : ExprKind::logical_or, boolean_type(), node->range, {a, b});
}

const Expr* Analysis::if_expr(const Node* node, const Type* expected) {
  if (auto f = decided(view::if_expr(node).condition()); f && f->kind == Fixed::Kind::boolean)
    return expr(node->child(f->value ? 1 : 2), expected);
  const Expr* c = condition(view::if_expr(node).condition());
  const Expr *a, *b;
  {
    Scoped scope(*rule_);
    narrow(c, true);
    a = expr(view::if_expr(node).then(), expected);
  }
  {
    Scoped scope(*rule_);
    narrow(c, false);
    const Type first = a->type;
    const bool useful = !is_poison(a) && first.kind != TypeKind::nothing;
    b = expr(view::if_expr(node).otherwise(), expected ? expected : useful ? &first : nullptr);
  }
  if (is_poison(c) || is_poison(a) || is_poison(b)) return poison(node->range);
  if (a->type.kind == TypeKind::integer && b->type.kind == TypeKind::enumeration) b = to_int(b);
  if (b->type.kind == TypeKind::integer && a->type.kind == TypeKind::enumeration) a = to_int(a);
  if (a->type.kind == TypeKind::set && b->type.kind != TypeKind::set) b = as_set(b);
  if (b->type.kind == TypeKind::set && a->type.kind != TypeKind::set) a = as_set(a);
  auto t = common(a->type, b->type);
  if (!t) {
    error(Code::wrong_type, view::if_expr(node).otherwise()->range,
          fmt::format("this is a `{}`, and after `then` stands a `{}`", show(b->type), show(a->type)));
    return poison(node->range);
  }
  if (t->kind == TypeKind::nothing) return a;
  if (record_in(*t) && !only_looks(c)) return poison(node->range);
  return fieldwise({convert(a, *t), convert(b, *t)}, [&](const auto& x) {
    return make(ExprKind::conditional, record_in(*t) ? *common(x[0]->type, x[1]->type) : *t, node->range,
                {c, x[0], x[1]});
  });
}

const Expr* Analysis::binary(const Node* node, const Type* expected) {
  const std::string_view op = node->text;
  if (op == "and" || op == "or") return logic(node);
  if (op == "==" || op == "!=") return equality(node);
  if (op == "<" || op == "<=" || op == ">" || op == ">=") return comparison(node);
  if (op == "in" || op == "not in") return membership(node);
  if (op == "shows") return shows_claim(node);
  if (op == "at" || op == "on")
    return pieces_where(view::binary(node).left(), view::binary(node).right(), op == "at", node->range);
  if (op == "within" || op == "disjoint from") {
    const Expr* a = expr(view::binary(node).left());
    if (is_poison(a)) return a;
    if (a->type.kind != TypeKind::set) {
      error(Code::wrong_type, view::binary(node).left()->range,
            fmt::format("before `{}` stands a set, and this is a `{}`", op, show(a->type)),
            op == "within" ? "of a single thing say `x in S`" : "of a single thing say `x not in S`");
      return poison(node->range);
    }
    const Type t = a->type;
    const Expr* b = as_set(expr(view::binary(node).right(), &t));
    if (is_poison(b)) return b;
    if (!same_type(a->type, b->type)) {
      error(Code::wrong_type, node->range, fmt::format("a `{}` is compared with a `{}`", show(a->type), show(b->type)));
      return poison(node->range);
    }
    return make(op == "within" ? ExprKind::within : ExprKind::disjoint, boolean_type(), node->range,
                {a, convert(b, a->type)});
  }
  if (op == "or else") {
    const Expr* a = expr(view::binary(node).left(), expected);
    if (is_poison(a)) return a;
    if (is_none_literal(a)) {
      error(Code::wrong_type, node->range, "`none or else` says nothing: it is always what stands behind it",
            "leave it out, or write the name of what may be none");
      return poison(node->range);
    }
    const Type t = a->type;
    const Expr* b = expr(view::binary(node).right(), expected ? expected : &t);
    if (is_poison(b)) return b;
    if (a->type.kind == TypeKind::set) b = as_set(b);
    if (a->type.kind == TypeKind::list || a->type.kind == TypeKind::record) {
      error(Code::wrong_type, node->range, fmt::format("a `{}` is never none", show(a->type)),
            a->type.kind == TypeKind::list ? "`if l is empty then … else l`" : "");
      return poison(node->range);
    }
    if (a->type.kind == TypeKind::integer && b->type.kind == TypeKind::enumeration) b = to_int(b);
    auto u = common(without_none(a->type), b->type);
    if (!u) {
      error(Code::wrong_type, view::binary(node).right()->range,
            fmt::format("this is a `{}`, and a `{}` is needed", show(b->type), show(without_none(a->type))));
      return poison(node->range);
    }
    if (a->type.kind != TypeKind::set) u->optional = b->type.optional;
    return make(ExprKind::or_else, *u, node->range, {a, convert(b, *u)});
  }
  return arithmetic(node, expected);
}

const Expr* Analysis::arithmetic(const Node* node, const Type* expected) {
  const std::string_view op = node->text;
  if (op == "±" || op == "spread") return draw(node);
  const Expr* a = expr(view::binary(node).left(), op == "+" || op == "-" || op == "&" ? expected : nullptr);
  if (is_poison(a)) {
    expr(view::binary(node).right());
    return a;
  }
  const Type left = a->type;
  const bool sets = op == "+" || op == "-" || op == "&";
  const auto way = direction_on(left, view::binary(node).right());
  const Type one = way ? *way : left.kind == TypeKind::list ? added_to(left, view::binary(node).right()) : left;
  const Expr* b = expr(view::binary(node).right(),
                       way || left.kind == TypeKind::set || left.kind == TypeKind::list ? &one : nullptr);
  if (is_poison(b)) return b;
  if ((op == "+" || op == "-") && is_direction(b->type) &&
      board_of(a->type.kind == TypeKind::set ? element_type(a->type) : a->type))
    return moved(a, b, op == "-", node->range);
  if (const Expr* offset = offset_arithmetic(op, a, b, node->range)) return offset;
  if (a->type.kind == TypeKind::list && (op == "+" || op == "-")) {
    if (is_poison(a = as_plain_list(a))) return a;
    const bool lists = b->type.kind == TypeKind::list && !same_type(b->type, element_type(a->type));
    if (op == "+") return lists ? joined(a, b, node->range) : list_with(a, b, node->range);
    if (is_record_list(a->type)) {
      b = convert(b, element_type(a->type), "an element");
      return is_poison(b) ? b : without_record(a, b, node->range, nullptr);
    }
    b = convert(b, element_type(a->type), "an element");
    return is_poison(b) ? b : make(ExprKind::list_drop, a->type, node->range, {a, b});
  }
  if (sets && (a->type.kind == TypeKind::set || b->type.kind == TypeKind::set)) {
    a = as_set(a);
    b = as_set(b);
    if (is_poison(a) || is_poison(b)) return poison(node->range);
    auto t = common(a->type, b->type);
    if (!t) {
      error(Code::wrong_type, node->range,
            fmt::format("a `{}` and a `{}` don't go together", show(a->type), show(b->type)));
      return poison(node->range);
    }
    return make(op == "+"   ? ExprKind::set_union
                : op == "-" ? ExprKind::set_minus
                            : ExprKind::set_and,
                *t, node->range, {convert(a, *t), convert(b, *t)});
  }
  a = to_amount(a);
  b = to_amount(b);
  if (is_poison(a) || is_poison(b)) return poison(node->range);
  const Type x = a->type, y = b->type;
  const bool times = is_duration(x) || is_duration(y), both = is_duration(x) && is_duration(y);
  if (times && !(op == "*" ? !both : op == "+" || op == "-" ? both : op == "/" && is_duration(x))) {
    error(Code::wrong_type, node->range, fmt::format("a `{}` and a `{}` don't go together here", show(x), show(y)),
          both ? "" : "say the unit of the other: `300 ms`, `2 s`");
    return poison(node->range);
  }
  const auto typed = [&](Type t) {
    if (times && !(both && op == "/")) t.ref = model::kDurationRef;
    return t;
  };
  const bool wide = x.hi >= kUnlimited || y.hi >= kUnlimited || x.lo <= -kUnlimited || y.lo <= -kUnlimited;
  if (a->kind == ExprKind::constant && b->kind == ExprKind::constant) {
    if (auto f = fixed(node, false); f && f->kind == Fixed::Kind::integer)
      return integer_constant(f->value, node->range);
  }
  const auto bound = [](ExprKind kind, Int v, Int w) { return analysis::known(kind, v, w).value_or(0); };
  if (op == "+")
    return make(ExprKind::add, typed(integer_type(bound(ExprKind::add, x.lo, y.lo), bound(ExprKind::add, x.hi, y.hi))),
                node->range, {a, b});
  if (op == "-")
    return make(
        ExprKind::subtract,
        typed(wide ? integer_type()
                   : integer_type(bound(ExprKind::subtract, x.lo, y.hi), bound(ExprKind::subtract, x.hi, y.lo))),
        node->range, {a, b});
  if (op == "*") {
    Type t = integer_type();
    const auto small = [](Int v) { return v > -1'000'000 && v < 1'000'000; };
    if (small(x.lo) && small(x.hi) && small(y.lo) && small(y.hi)) {
      const Int p[] = {x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi};
      t = integer_type(*std::min_element(p, p + 4), *std::max_element(p, p + 4));
    }
    return make(ExprKind::multiply, typed(t), node->range, {a, b});
  }
  if (op == "**") {
    if (b->kind == ExprKind::constant && b->value < 0) {
      error(Code::out_of_range, view::binary(node).right()->range, "a negative power is no whole number");
      return poison(node->range);
    }
    return make(ExprKind::power, integer_type(), node->range, {a, b});
  }
  if (op == "/" || op == "div" || op == "mod") {
    if (b->kind == ExprKind::constant && b->value == 0) {
      error(Code::out_of_range, view::binary(node).right()->range, "a division by zero");
      return poison(node->range);
    }
    if (op == "mod")
      return make(ExprKind::modulo,
                  y.lo > 0 ? integer_type(0, y.hi < kUnlimited ? y.hi - 1 : kUnlimited) : integer_type(), node->range,
                  {a, b});
    const bool simple = !wide && y.lo > 0;
    return make(ExprKind::divide,
                typed(simple ? integer_type(std::min<Int>(x.lo, x.lo / y.lo), std::max<Int>(x.hi / y.lo, x.hi / y.hi))
                             : integer_type()),
                node->range, {a, b});
  }
  error(Code::wrong_type, node->range, fmt::format("`{}` is no operator for numbers", op),
        op == "&" ? "it is what two sets both hold; conditions are joined by `and`" : "");
  return poison(node->range);
}

const Expr* Analysis::list_with(const Expr* list, const Expr* element, Range range) {
  if (is_sequence(list)) return not_a_value(list);
  element = convert(element, element_type(list->type), "an element");
  if (is_poison(element)) return element;
  if (list->kind == ExprKind::record) {
    if (!only_looks(list) || !only_looks(element)) return poison(range);
    return fieldwise(
        {list, element}, [&](const auto& x) { return list_with(x[0], x[1], range); },
        [](const Type& t) { return list_type(*t.elem, t.most + 1); });
  }
  const Type& of = list->type;
  return make(ExprKind::list_add,
              list_type(element_type(of), of.elem->elem ? std::min(of.most + 1, most_in(of)) : of.most + 1), range,
              {list, element});
}

const Expr* Analysis::comparison(const Node* node) {
  const view::binary its(node);
  if (auto f = decided(node); f) return boolean_constant(f->value != 0, node->range);
  const Expr* a = expr(its.left());
  const Type left = a->type;
  const Expr* b = expr(its.right(), is_poison(a) ? nullptr : &left);
  if (is_poison(a) || is_poison(b)) return poison(node->range);
  if (a->type.kind == TypeKind::enumeration && b->type.kind == TypeKind::enumeration && a->type.ref == b->type.ref &&
      !a->type.optional && !b->type.optional) {
    a = make(ExprKind::number_of, integer_type(), a->range, {a});
    b = make(ExprKind::number_of, integer_type(), b->range, {b});
  }
  a = to_amount(a);
  b = to_amount(b);
  if (is_poison(a) || is_poison(b)) return poison(node->range);
  if (is_duration(a->type) != is_duration(b->type)) {
    error(Code::wrong_type, node->range,
          fmt::format("a `{}` can't be compared with a `{}`", show(a->type), show(b->type)),
          "say the unit: `300 ms`, `2 s`");
    return poison(node->range);
  }
  if (const std::string key = key_of(a);
      a->kind != ExprKind::constant && !key.empty() && key == key_of(b) && !in_library(node->range))
    suspect(Code::always_the_same, node->range, true, "both sides are the same");
  const std::string_view op = node->text;
  if (op == ">" || op == ">=") std::swap(a, b);
  return make(op == "<" || op == ">" ? ExprKind::less : ExprKind::less_equal, boolean_type(), node->range, {a, b});
}

const Expr* Analysis::equality(const Node* node) {
  if (auto f = decided(node); f) return boolean_constant(f->value != 0, node->range);
  const Node *l = view::binary(node).left(), *r = view::binary(node).right();
  if (!l || !r) return poison(node->range);
  const bool equal = node->text == "==";
  if (const Expr* such = rule_->scenario ? is_as_described(l, r) : nullptr)
    return equal || is_poison(such) ? such : negated(such);
  // a bare constant takes its meaning from the other side
  const auto bare = [&](const Node* n) {
    return (n->kind == NodeKind::name_ref && constant_names_.contains(n->text) && !find_binding(n->text)) ||
           n->kind == NodeKind::list_lit || n->kind == NodeKind::none_lit;
  };
  const bool right_first = bare(l) && !bare(r);
  const Expr* first = expr(right_first ? r : l);
  const Type t = first->type;
  const Expr* second = expr(right_first ? l : r, is_poison(first) || t.kind == TypeKind::nothing ? nullptr : &t);
  if (is_poison(first) || is_poison(second)) return poison(node->range);
  const Expr* a = right_first ? second : first;
  const Expr* b = right_first ? first : second;
  if (is_none_literal(a) || is_none_literal(b)) {
    const Expr* of = is_none_literal(a) ? b : a;
    if (of->type.kind == TypeKind::set) {
      error(Code::wrong_type, node->range, "a set is never none", "say `is empty`");
      return poison(node->range);
    }
    const Expr* none = make(ExprKind::is_none, boolean_type(), node->range, {of});
    return equal ? none : negated(none);
  }
  const Expr* e = equals(a, b, node->range);
  if (equal || is_poison(e)) return e;
  if (e->kind != ExprKind::equal) return negated(e);
  return make(ExprKind::not_equal, boolean_type(), node->range, e->args);
}

const Expr* Analysis::equals(const Expr* a, const Expr* b, Range range) {
  if (const std::string key = key_of(a);
      a->kind != ExprKind::constant && !key.empty() && key == key_of(b) && !in_library(range))
    suspect(Code::always_the_same, range, true, "both sides are the same");
  if (a->kind == ExprKind::record && b->kind == ExprKind::record && a->type.kind != TypeKind::map &&
      same_type(a->type, b->type)) {
    if (!only_looks(a) || !only_looks(b)) return poison(range);
    const Expr* all = nullptr;
    for (std::size_t i = 0; i < a->args.size(); ++i) {
      const Expr* one = equals(a->args[i], b->args[i], range);
      if (is_poison(one)) return one;
      all = all ? make(ExprKind::logical_and, boolean_type(), range, {all, one}) : one;
    }
    return all;
  }
  if (a->type.kind == TypeKind::set || b->type.kind == TypeKind::set) {
    a = as_set(a);
    b = as_set(b);
    if (is_poison(a) || is_poison(b)) return poison(range);
    auto u = common(a->type, b->type);
    if (!u) {
      error(Code::wrong_type, range, fmt::format("a `{}` is compared with a `{}`", show(a->type), show(b->type)));
      return poison(range);
    }
    return make(ExprKind::set_equal, boolean_type(), range, {convert(a, *u), convert(b, *u)});
  }
  if (a->type.kind == TypeKind::list && b->type.kind == TypeKind::list && same_type(a->type, b->type) &&
      element_type(a->type).kind != TypeKind::listed) {
    for (const Expr* list : {a, b})
      if (is_sequence(list)) return not_a_value(list);
    const Type element = element_type(*common(a->type, b->type));
    return make(ExprKind::list_equal, boolean_type(), range,
                {convert(a, list_type(element, a->type.most)), convert(b, list_type(element, b->type.most))});
  }
  if (a->type.kind == TypeKind::integer && b->type.kind == TypeKind::enumeration && model_->enums[b->type.ref].numbered)
    b = make(ExprKind::number_of, b->type.optional ? with_none(integer_type()) : integer_type(), b->range, {b});
  if (b->type.kind == TypeKind::integer && a->type.kind == TypeKind::enumeration && model_->enums[a->type.ref].numbered)
    a = make(ExprKind::number_of, a->type.optional ? with_none(integer_type()) : integer_type(), a->range, {a});
  if (!same_type(a->type, b->type) || a->type.kind == TypeKind::text || a->type.kind == TypeKind::list ||
      a->type.kind == TypeKind::map || a->type.kind == TypeKind::record) {
    std::string help;
    if ((a->type.kind == TypeKind::card && b->type.kind == TypeKind::kind) ||
        (a->type.kind == TypeKind::player && b->type.kind == TypeKind::enumeration))
      help = "say `is` instead of `==`";
    const bool tables = same_type(a->type, b->type) && a->type.kind == TypeKind::map;
    if (tables)
      error(Code::wrong_type, range, "tables are not compared as wholes",
            "compare what stands in them: `all k in … have x[k] == y[k]`");
    else
      error(Code::wrong_type, range, fmt::format("a `{}` is compared with a `{}`", show(a->type), show(b->type)), help);
    return poison(range);
  }
  return make(ExprKind::equal, boolean_type(), range, {a, b});
}

bool pure_expr(const Expr& e) {
  switch (e.kind) {
    case ExprKind::call_event: case ExprKind::open_window: case ExprKind::proceed: case ExprKind::may:
    case ExprKind::roll:
    case ExprKind::pick_random: case ExprKind::random_n: case ExprKind::zone_top: case ExprKind::zone_top_n:
    case ExprKind::zone_bottom: return false;
    default: return std::all_of(e.args.begin(), e.args.end(), [](const Expr* a) { return !a || pure_expr(*a); });
  }
}

const Expr* Analysis::membership(const Node* node) {
  const view::binary its(node);
  if (auto f = decided(node); f) return boolean_constant(f->value != 0, node->range);
  const Node *l = its.left(), *r = its.right();
  if (!l || !r) return poison(node->range);
  const bool inside = node->text == "in";
  const auto result = [&](const Expr* e) { return inside ? e : negated(e); };
  // a kind of card in a zone: some card of that kind lies there
  if (l->kind == NodeKind::name_ref && !find_binding(l->text)) {
    auto k = kind_names_.find(l->text);
    auto t = type_names_.find(l->text);
    const bool kind = k != kind_names_.end() && k->second != ~0u;
    if ((kind || t != type_names_.end()) && r->kind != NodeKind::list_lit) {
      const Expr* s = set(r);
      if (is_poison(s)) return s;
      if (element_type(s->type).kind == TypeKind::card) {
        Expr* of = make(ExprKind::exists, boolean_type(), node->range);
        of->local = add_local("card", element_type(s->type), l->range);
        Expr* is = make(ExprKind::counts_as, boolean_type(), node->range, {local(of->local, l->range), nullptr});
        is->values = kind ? std::vector<Int>{k->second} : kinds_of_type(t->second);
        of->args = {s, is};
        return result(of);
      }
      if (kind && element_type(s->type).kind == TypeKind::kind)
        return result(
            make(ExprKind::in_set, boolean_type(), node->range, {constant(kind_type(), k->second, l->range), s}));
    }
  }
  if (const Expr* such = such_cards(l)) {                  // `Chip(worth: 3) in a.hand`: some copy of it
    const Expr* s = collection(r);
    if (is_poison(such) || is_poison(s)) return poison(node->range);
    if (element_type(s->type).kind != TypeKind::card) {
      error(Code::wrong_type, r->range, fmt::format("a card is looked for among `{}`s", show(element_type(s->type))));
      return poison(node->range);
    }
    Expr* some = make(ExprKind::exists, boolean_type(), node->range);
    some->local = add_local("card", element_type(s->type), l->range);
    some->args = {s, make(ExprKind::in_set, boolean_type(), node->range, {local(some->local, l->range), such})};
    return result(some);
  }
  // `[a, b] in rows`: a list, if lists are what is there
  if (l->kind == NodeKind::list_lit && r->kind != NodeKind::list_lit && r->kind != NodeKind::range_lit) {
    const Expr* s = expr(r);
    if (is_poison(s)) return s;
    if (const Type row = element_type(s->type); s->type.kind == TypeKind::list && row.kind == TypeKind::list) {
      const Expr* list = convert(expr(l, &row), row);
      if (is_poison(list)) return list;
      return is_sequence(s) ? not_a_value(s) : result(make(ExprKind::in_list, boolean_type(), node->range, {list, s}));
    }
  }
  const Expr* a = expr(l);
  if (is_poison(a)) return a;
  if (r->kind == NodeKind::range_lit) {
    a = to_int(a);
    const Expr *lo = integer(view::range_lit(r).lo()), *hi = integer(view::range_lit(r).hi());
    if (is_poison(a) || is_poison(lo) || is_poison(hi)) return poison(node->range);
    if (!pure_expr(*a)) {
      error(Code::wrong_type, l->range, "what has an effect must stand in a `let` before it is compared with a range");
      return poison(node->range);
    }
    return result(make(ExprKind::logical_and, boolean_type(), node->range,
                       {make(ExprKind::less_equal, boolean_type(), node->range, {lo, a}),
                        make(ExprKind::less_equal, boolean_type(), node->range, {a, hi})}));
  }
  const Type elem = without_none(a->type);
  if (elem.kind == TypeKind::record) {
    const Type rows = list_type(elem, std::max<Int>(1, static_cast<Int>(r->children.size())));
    const Expr* s = expr(r, r->kind == NodeKind::list_lit ? &rows : nullptr);
    if (is_poison(s)) return s;
    if (is_record_list(s->type) && same_type(element_type(s->type), elem))
      return result(record_in_list(a, s, node->range));
    error(Code::wrong_type, node->range,
          is_sequence(s) ? "a sequence is only walked through"
                         : fmt::format("a `{}` is looked for in a `{}`", show(elem), show(s->type)),
          is_sequence(s) ? "`any x in … has x == …`" : "");
    return poison(node->range);
  }
  if (r->kind == NodeKind::list_lit) {
    std::vector<const Expr*> items;
    bool constants = true, small = true;
    for (const Node* n : r->children) {
      const Expr* x = expr(n, &elem);
      if (is_poison(x)) return x;
      if (x->type.kind == TypeKind::kind && elem.kind == TypeKind::card) {
        error(Code::wrong_type, n->range, "a card is not one of some kinds", "say `is Miss or Chips`");
        return poison(node->range);
      }
      if (!same_type(x->type, elem) && x->type.kind != TypeKind::set) x = convert(x, elem);
      if (is_poison(x)) return x;
      constants = constants && x->kind == ExprKind::constant;
      small = small && (elem.kind != TypeKind::integer ||
                        (x->kind == ExprKind::constant && x->value >= 0 && x->value <= kMostInSet));
      items.push_back(x);
    }
    if (constants && small && !items.empty() && elem.kind != TypeKind::boolean && elem.kind != TypeKind::kind) {
      Expr* s = make(ExprKind::set_constant,
                     set_type(elem.kind == TypeKind::integer ? integer_type(0, kMostInSet) : elem), r->range);
      for (const Expr* x : items) s->values.push_back(x->value);
      if (a->type.kind != TypeKind::integer || (a->type.lo >= 0 && a->type.hi <= kMostInSet))
        return result(make(ExprKind::in_set, boolean_type(), node->range, {a, s}));
    }
    if (!pure_expr(*a) && items.size() > 1) {
      error(Code::wrong_type, l->range, "what has an effect must stand in a `let` before it is looked for in a list");
      return poison(node->range);
    }
    const Expr* any = nullptr;
    for (const Expr* x : items) {
      const Expr* one = x->type.kind == TypeKind::set ? make(ExprKind::in_set, boolean_type(), node->range, {a, x})
                                                      : make(ExprKind::equal, boolean_type(), node->range, {a, x});
      any = any ? either(any, one, node->range) : one;
    }
    return result(any ? any : boolean_constant(false, node->range));
  }
  const Type wanted = set_type(elem);
  const Expr* s = expr(r, &wanted);
  if (is_poison(s)) return s;
  // one of a list of sets
  if (s->type.kind == TypeKind::list && element_type(s->type).kind == TypeKind::listed &&
      a->type.kind == TypeKind::set) {
    Expr* same = make(ExprKind::exists, boolean_type(), node->range);
    same->local = add_local("set", element_type(s->type), r->range);
    const Expr* one = local(same->local, r->range);
    if (!same_type(one->type, a->type)) {
      error(Code::wrong_type, node->range,
            fmt::format("a `{}` is looked for among `{}`s", show(a->type), show(one->type)));
      return poison(node->range);
    }
    same->args = {s, make(ExprKind::set_equal, boolean_type(), node->range, {a, one})};
    return result(same);
  }
  if (s->type.kind == TypeKind::list && element_type(s->type).kind != TypeKind::listed &&
      same_type(element_type(s->type), elem))
    return is_sequence(s) ? not_a_value(s)
                          : result(make(ExprKind::in_list, boolean_type(), node->range,
                                        {elem.kind == TypeKind::list ? convert(a, element_type(s->type)) : a, s}));
  if (s->type.kind != TypeKind::set) {
    error(Code::wrong_type, r->range,
          fmt::format("a set is needed after `{}`, and this is a `{}`", node->text, show(s->type)));
    return poison(node->range);
  }
  if (!same_type(element_type(s->type), elem)) {
    error(Code::wrong_type, node->range,
          fmt::format("a `{}` is looked for among `{}`s", show(elem), show(element_type(s->type))));
    return poison(node->range);
  }
  return result(make(ExprKind::in_set, boolean_type(), node->range, {a, s}));
}

// ---------------------------------------------------------------- is

const Expr* Analysis::is_kind(const Expr* of, const std::vector<const Node*>& names, Range range) {
  const Type& t = of->type;
  if (t.kind == TypeKind::card) {
    Expr* e = make(ExprKind::counts_as, boolean_type(), range, {of, nullptr});
    for (const Node* n : names) {
      if (auto k = kind_names_.find(n->text); k != kind_names_.end()) {
        if (k->second == ~0u) return poison(range);
        e->values.push_back(k->second);
      } else if (auto c = type_names_.find(n->text); c != type_names_.end()) {
        for (Int kind : kinds_of_type(c->second)) e->values.push_back(kind);
        if (types_[c->second].node && kinds_of_type(c->second).empty())
          e->values.push_back(implicit_kind({c->second}).index);
      } else {
        if (silent_if_absent(n)) return poison(range);
        std::vector<std::string> all;
        for (const auto& [x, id] : kind_names_) all.push_back(x);
        for (const auto& [x, id] : type_names_) all.push_back(x);
        error(Code::unknown_name, n->range, fmt::format("no card or card type named `{}`", n->text),
              did_you_mean(n->text, all));
        return poison(range);
      }
    }
    return e;
  }
  if (t.kind == TypeKind::kind) {
    const Expr* any = nullptr;
    for (const Node* n : names) {
      std::vector<Int> kinds;
      if (auto k = kind_names_.find(n->text); k != kind_names_.end()) kinds.push_back(k->second);
      else if (auto c = type_names_.find(n->text); c != type_names_.end()) kinds = kinds_of_type(c->second);
      else {
        error(Code::unknown_name, n->range, fmt::format("no card or card type named `{}`", n->text));
        return poison(range);
      }
      for (Int k : kinds) {
        const Expr* one = make(ExprKind::equal, boolean_type(), range, {of, constant(kind_type(), k, n->range)});
        any = any ? either(any, one, range) : one;
      }
    }
    return any ? any : boolean_constant(false, range);
  }
  // enum constants: of the value itself, or of the player's only variable of that enum
  std::map<std::uint32_t, std::vector<Int>> wanted;        // enum -> constants
  for (const Node* n : names) {
    bool found = false;
    const Type* expected = t.kind == TypeKind::enumeration ? &t : nullptr;
    const Expr* c = nullptr;
    if (t.kind == TypeKind::player) {
      auto it = constant_names_.find(n->text);
      std::vector<std::pair<std::uint32_t, Int>> fitting;
      if (it != constant_names_.end())
        for (const auto& [e, i] : it->second)
          if (variable_with_enum(e, true)) fitting.push_back({e, i});
      if (fitting.size() == 1) c = constant(enum_type(fitting[0].first), fitting[0].second, n->range), found = true;
      else if (it != constant_names_.end()) {
        error(Code::ambiguous_name, n->range,
              fmt::format("no single variable of a player says whether they are `{}`", n->text),
              "say which: `p.role == …`");
        return poison(range);
      }
    } else {
      c = enum_constant(n->text, n->range, expected, true, found);
    }
    if (!found) {
      if (silent_if_absent(n)) return poison(range);
      std::vector<std::string> all;
      for (const auto& [x, where] : constant_names_) all.push_back(x);
      if (t.kind != TypeKind::player && t.kind != TypeKind::enumeration)
        error(Code::wrong_type, range, fmt::format("a `{}` is never `{}`", show(t), n->text));
      else
        error(Code::unknown_name, n->range, fmt::format("nothing is `{}`", n->text),
              find_binding(n->text) || table_variables_.contains(n->text)
                  ? fmt::format("`is` names a constant; `==` and `!=` compare with the value of `{}`", n->text)
              : habit(Spot::name, n->text).empty() ? did_you_mean(n->text, all)
                                                   : habit(Spot::name, n->text));
      return poison(range);
    }
    if (is_poison(c)) return c;
    wanted[c->type.ref].push_back(c->value);
  }
  const Expr* any = nullptr;
  for (const auto& [e, values] : wanted) {
    const Expr* value = of;
    if (t.kind == TypeKind::player) {
      const std::uint32_t v = *variable_with_enum(e, true);
      used_.insert(model_->variables[v].name);
      if (t.optional && !is_soft(of)) {
        error(Code::may_be_none, of->range, "this player may be none", "ask first whether it `is in`");
        return poison(range);
      }
      Expr* x = make(ExprKind::variable, model_->variables[v].type, range, {of});
      x->ref = v;
      value = x;
    } else if (t.kind != TypeKind::enumeration || t.ref != e) {
      error(Code::wrong_type, range, fmt::format("a `{}` is never `{}`", show(t), names.front()->text));
      return poison(range);
    }
    const Expr* one;
    if (values.size() == 1) {
      one = make(ExprKind::equal, boolean_type(), range, {value, constant(enum_type(e), values[0], range)});
    } else {
      Expr* s = make(ExprKind::set_constant, set_type(enum_type(e)), range);
      s->values = values;
      one = make(ExprKind::in_set, boolean_type(), range, {value, s});
    }
    any = any ? either(any, one, range) : one;
  }
  return any ? any : poison(range);
}

const Expr* Analysis::is_expr(const Node* node) {
  if (auto f = decided(node); f) return boolean_constant(f->value != 0, node->range);
  const Node* left = view::is_expr(node).subject();
  if (!left) return poison(node->range);
  const bool negative = node->number == 1;
  const auto result = [&](const Expr* e) { return negative ? negated(e) : e; };
  const std::string_view what = node->text;
  if (what == "over") {
    if (left->kind == NodeKind::name_ref && left->text == "play")
      return result(make(ExprKind::play_is_over, boolean_type(), node->range));
    error(Code::unknown_name, left->range, "only `play` is ever over");
    return poison(node->range);
  }
  if (what == "running") {
    const Expr* e = timer_running(left, node->range);
    return is_poison(e) ? e : result(e);
  }
  const Expr* of = expr(left);
  if (is_poison(of)) return of;
  if (what == "on" || what == "off") {
    const Expr* e = lies_on(node, of);
    return is_poison(e) ? e : result(e);
  }
  if (what == "empty") {
    if (of->type.kind == TypeKind::list) {
      const Expr* size = size_of(of, node->range);
      return is_poison(size)
                 ? size
                 : result(make(ExprKind::equal, boolean_type(), node->range, {size, integer_constant(0, node->range)}));
    }
    if (of->type.kind != TypeKind::set) {
      error(Code::wrong_type, node->range, fmt::format("a `{}` is never empty", show(of->type)),
            of->type.optional ? "say `is none`" : "");
      return poison(node->range);
    }
    return result(make(ExprKind::is_empty, boolean_type(), node->range, {of}));
  }
  if (what == "faceup" || what == "facedown") {
    if (of->type.kind != TypeKind::card) {
      error(Code::wrong_type, node->range, fmt::format("cards lie face up or face down, not a `{}`", show(of->type)));
      return poison(node->range);
    }
    Expr* e = make(ExprKind::faces, boolean_type(), node->range, {of});
    e->value = what == "faceup";
    return result(e);
  }
  if (what == "none" || what == "some") {
    if (of->type.kind == TypeKind::set) {
      error(Code::wrong_type, node->range, "a set is never none", "say `is empty`");
      return poison(node->range);
    }
    const Expr* e = make(ExprKind::is_none, boolean_type(), node->range, {of});
    return (what == "some") == negative ? e : negated(e);
  }
  if (what == "in" || what == "out") {
    if (of->type.kind != TypeKind::player) {
      error(Code::wrong_type, node->range, fmt::format("players are in or out, not a `{}`", show(of->type)));
      return poison(node->range);
    }
    const Expr* in = make(ExprKind::is_in_game, boolean_type(), node->range, {of});
    if (of->type.optional) {
      const Expr* some = negated(make(ExprKind::is_none, boolean_type(), node->range, {of}));
      in = what == "in" ? make(ExprKind::logical_and, boolean_type(), node->range, {some, in})
                        : make(ExprKind::logical_and, boolean_type(), node->range, {some, negated(in)});
      return result(in);
    }
    return result(what == "in" ? in : negated(in));
  }
  std::vector<const Node*> names;
  for (std::size_t i = 1; i < node->children.size(); ++i)
    if (node->child(i)) names.push_back(node->child(i));
  if (names.empty()) return poison(node->range);
  const auto described = std::find_if(names.begin(), names.end(), [](const Node* n) {
    return n->kind == NodeKind::call || n->kind == NodeKind::scenario_card;
  });
  if (described == names.end()) return result(is_kind(of, names, node->range));
  if (!rule_->scenario) {
    error(Code::wrong_type, (*described)->range, "a card is a kind; what is printed on it is asked for by itself",
          (*described)->kind == NodeKind::call
              ? fmt::format("`c is {0} and c.worth == 3`, with its attribute", (*described)->text)
              : "ask for what is printed: `c.suit == spades`");
    return poison(node->range);
  }
  const Expr* such = such_cards(*described);
  if (!such || names.size() > 1 || of->type.kind != TypeKind::card) {
    error(Code::bad_scenario, node->range, "one card is compared with what it should be",
          "`top of bag is Chip(worth: 3)`");
    return poison(node->range);
  }
  return is_poison(such) ? such : result(make(ExprKind::in_set, boolean_type(), node->range, {of, such}));
}

// What a list names. A name that is absent in this variant is left out alone, if others are left; null then.
const Expr* Analysis::listed(const Node* item, const Type* type, bool& left_out) {
  const bool dropped = rule_ && rule_->dropped;
  const Expr* x = expr(item, type);
  if (!is_poison(x) || dropped || !rule_ || !rule_->dropped || item->kind != NodeKind::name_ref) return x;
  rule_->dropped = false;
  left_out = true;
  return nullptr;
}

const Expr* Analysis::list_literal(const Node* node, const Type* expected) {
  bool left_out = false;
  const auto all_are_absent = [&](const std::vector<const Expr*>& items) {
    return left_out && items.empty() && (rule_->dropped = true);
  };
  if (expected && expected->kind == TypeKind::list) {
    const Type elem = *expected->elem;
    std::vector<const Expr*> items;
    for (const Node* n : node->children) {
      const Expr* x = listed(n, &elem, left_out);
      if (!x) continue;
      items.push_back(convert(x, elem));
      if (is_poison(items.back())) return items.back();
    }
    if (all_are_absent(items)) return poison(node->range);
    Type own = *expected;
    own.most = static_cast<Int>(items.size());
    if (elem.kind == TypeKind::record) return as_list(records_literal(items, own, node->range), *expected);
    return as_list(make(ExprKind::list_literal, std::move(own), node->range, items), *expected);
  }
  Type elem =
      expected && expected->kind == TypeKind::set && expected->elem ? *expected->elem : plain_type(TypeKind::nothing);
  bool known = elem.kind != TypeKind::nothing;
  std::vector<const Expr*> items;
  bool constants = true;
  for (const Node* n : node->children) {
    const Expr* x = listed(n, known ? &elem : nullptr, left_out);
    if (!x) continue;
    if (is_poison(x)) return x;
    const Type of = without_none(x->type);
    if (known && of.kind == TypeKind::set && elem.kind != TypeKind::set) {
      error(Code::wrong_type, n->range, fmt::format("this is a set among single things (`{}`)", show(elem)),
            "sets are joined with `+`: `[x] + s`");
      return poison(node->range);
    }
    if (known && !same_type(of, elem)) {
      error(Code::wrong_type, n->range, fmt::format("this is a `{}` among `{}`s", show(of), show(elem)));
      return poison(node->range);
    }
    if (!known) elem = of, known = true;
    if (elem.kind == TypeKind::card && of.ref != elem.ref) elem.ref = ~0u;
    constants = constants && x->kind == ExprKind::constant && x->value != kNone;
    items.push_back(x);
  }
  if (all_are_absent(items)) return poison(node->range);
  if (elem.kind == TypeKind::integer) {
    for (const Expr* x : items)
      if (x->type.kind == TypeKind::integer && (x->type.lo < 0 || x->type.hi > kMostInSet) &&
          x->kind == ExprKind::constant) {
        error(Code::out_of_range, x->range, fmt::format("a set holds numbers from 0 to {}", kMostInSet));
        return poison(node->range);
      }
    elem = integer_type(0, kMostInSet);
  }
  if (elem.kind == TypeKind::record)
    return records_literal(items, list_type(elem, static_cast<Int>(items.size())), node->range);
  if (elem.kind == TypeKind::set)
    return make(ExprKind::list_literal, list_type(elem, static_cast<Int>(items.size())), node->range, items);
  if (elem.kind == TypeKind::boolean || elem.kind == TypeKind::text || elem.kind == TypeKind::map ||
      elem.kind == TypeKind::list) {
    error(Code::wrong_type, node->range, fmt::format("there are no sets of `{}`", show(elem)));
    return poison(node->range);
  }
  if (constants) {
    Expr* e = make(ExprKind::set_constant, set_type(elem), node->range);
    for (const Expr* x : items) e->values.push_back(x->value);
    return e;
  }
  const Expr* all = nullptr;
  for (const Expr* x : items) {
    const Expr* one = make(ExprKind::set_of_one, set_type(elem), x->range, {x});
    all = all ? make(ExprKind::set_union, set_type(elem), node->range, {all, one}) : one;
  }
  return all;
}

}  // namespace cardwright::sema
