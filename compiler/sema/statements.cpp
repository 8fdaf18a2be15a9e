// Statements: what rules do, but for choices (choices.cpp) and the flow (flow.cpp).
#include <algorithm>

#include "compiler/parse/parse.h"
#include "compiler/sema/analysis.h"
#include "compiler/sema/several_boards.h"
#include "compiler/sema/nothing.h"
#include "compiler/support/filled.h"

namespace cardwright::sema {

Stmt* Analysis::emit(Block& out, StmtKind kind, Range range, std::vector<const Expr*> exprs) {
  assert(exprs.size() <= model::kMostExprs[static_cast<std::size_t>(kind)]);
  Stmt& s = model_->stmts.emplace_back();
  s.kind = kind;
  s.range = range;
  s.exprs = std::move(exprs);
  out.push_back(&s);
  return &s;
}

void Analysis::statements(const Node* list, Block& out, std::size_t from) {
  if (!list || ++depth_ > 450) {
    if (list) --depth_;
    return;
  }
  const bool tail = rule_->tail;
  const Node* left_by = nullptr;                           // the statement before, if nothing comes behind it
  for (std::size_t i = from; i < list->children.size(); ++i) {
    rule_->tail = tail && i + 1 == list->children.size();
    const Node* node = list->children[i];
    if (!node) continue;
    suspect_statement(node, left_by);
    statement(node, out);
    left_by = leaves(out) && !is_decided_by_options(node) ? node : nullptr;
  }
  rule_->tail = tail;
  --depth_;
}

void Analysis::scoped(const Node* list, Block& out) {
  Scoped scope(*rule_);
  statements(list, out);
}

bool Analysis::leaves(const Block& block) const {
  if (block.empty()) return false;
  const Stmt* s = block.back();
  switch (s->kind) {
    case StmtKind::return_value: case StmtKind::stop: case StmtKind::next: case StmtKind::cancel:
    case StmtKind::end_event:
    case StmtKind::end_window: case StmtKind::end_phase: case StmtKind::end_play: return true;
    case StmtKind::if_else:
    case StmtKind::choose:                                 // chosen, or not
      return s->blocks.size() > 1 && leaves(s->blocks[0]) && leaves(s->blocks[1]);
    default: return false;
  }
}

void Analysis::statement(const Node* node, Block& out) {
  constexpr std::size_t kMostNames = 4000;
  if (rule_->body && rule_->body->locals.size() > kMostNames) {
    error(Code::too_many, rule_->body->locals[kMostNames].range,
          fmt::format("this rule has more than {} names", kMostNames),
          "each field of a record counts; an event of its own may do a part");
    return;
  }
  const auto happens = [&](std::string_view what) { return effect(node->range, what); };
  switch (node->kind) {
    case NodeKind::block: case NodeKind::list: return scoped(node, out);
    case NodeKind::let_stmt: return let_stmt(node, out);
    case NodeKind::field: return let_stmt(node, out);
    case NodeKind::if_stmt: return if_stmt(node, out);
    case NodeKind::each_stmt: return each_stmt(node, out);
    case NodeKind::repeat_stmt: return repeat_stmt(node, out);
    case NodeKind::while_stmt:
      error(Code::unbounded, first_word(node), "a loop needs a bound", "`repeat up to 20 times while C { }`");
      return;
    case NodeKind::return_stmt: return return_stmt(node, out);
    case NodeKind::yield_stmt: return yield_stmt(node, out);
    case NodeKind::stop_stmt: case NodeKind::next_stmt:
      if (!rule_->loops) {
        error(Code::misplaced, node->range,
              fmt::format("`{}` stands only in a loop", node->kind == NodeKind::stop_stmt ? "stop" : "next"));
        return;
      }
      emit(out, node->kind == NodeKind::stop_stmt ? StmtKind::stop : StmtKind::next, node->range);
      return;
    case NodeKind::proceed_stmt: {
      const bool returns = rule_->tail && rule_->result.kind != TypeKind::nothing;
      const Expr* e = returns ? standing(node, nullptr, out) : proceed(node, true);
      if (!is_poison(e)) emit(out, returns ? StmtKind::return_value : StmtKind::evaluate, node->range, fields_of(e));
      return;
    }
    case NodeKind::cancel_stmt:
      if (!rule_->instead) {
        error(Code::misplaced, node->range, "`cancel` stands only in an `instead of`",
              "to leave an event early say `return` or `end …`");
        return;
      }
      if (rule_->event) {
        model::Event& e = model_->events[*rule_->event];
        if (e.result.kind != TypeKind::nothing && !e.result.optional && e.result.kind != TypeKind::set &&
            e.gives.empty() && e.kind == model::EventKind::plain)
          error(Code::no_result, node->range,
                fmt::format("`{}` gives a `{}`, and if it is cancelled it gives none", e.name, show(e.result)),
                "declare its result optional, with `?`");
      }
      emit(out, StmtKind::cancel, node->range);
      return;
    case NodeKind::checkpoint_stmt:
      if (happens("`checkpoint`")) emit(out, StmtKind::checkpoint, node->range);
      return;
    case NodeKind::check_end_stmt:
      if (happens("`check end`")) emit(out, StmtKind::check_end, node->range);
      return;
    case NodeKind::place_stmt: return place_stmt(node, out);
    case NodeKind::lift_stmt: return lift_stmt(node, out);
    case NodeKind::end_stmt: return end_stmt(node, out);
    case NodeKind::winners_stmt: {
      if (!happens("`winners`")) return;
      const Expr* who = expr(view::winners_stmt(node).winners());
      // all of the team
      if (is_team(who->type)) who = make(ExprKind::team_players, set_type(player_type()), who->range, {who});
      who = as_set(who);
      if (is_poison(who)) return;
      if (is_team(element_type(who->type))) {               // of all these teams
        const LocalId t = add_local("", element_type(who->type), who->range);
        Expr* all = make(
            ExprKind::aggregate, set_type(player_type()), who->range,
            {who, nullptr, make(ExprKind::team_players, set_type(player_type()), who->range, {local(t, who->range)})});
        all->local = t;
        all->value = 3;
        who = all;
      }
      if (element_type(who->type).kind != TypeKind::player && element_type(who->type).kind != TypeKind::nothing) {
        error(Code::wrong_type, node->child(0)->range, fmt::format("winners are players, not a `{}`", show(who->type)));
        return;
      }
      emit(out, StmtKind::winners, node->range, {who})->text = plain_words(view::winners_stmt(node).why());
      return;
    }
    case NodeKind::afterwards_stmt: {
      if (!happens("`afterwards`")) return;
      Block body;
      const int loops = std::exchange(rule_->loops, 0);
      const bool tail = std::exchange(rule_->tail, false), late = std::exchange(rule_->late, true);
      scoped(view::afterwards_stmt(node).body(), body);
      rule_->loops = loops;
      rule_->tail = tail;
      rule_->late = late;
      emit(out, StmtKind::afterwards, node->range)->blocks = {body};
      return;
    }
    case NodeKind::ask_stmt: return ask_stmt(node, out);
    case NodeKind::open_expr: {
      const Expr* e = open_window(node, true);
      if (!is_poison(e)) emit(out, StmtKind::evaluate, node->range, {e});
      return;
    }
    case NodeKind::move_stmt: return move_stmt(node, out);
    case NodeKind::deal_stmt: return deal_stmt(node, out);
    case NodeKind::shuffle_stmt: {
      if (!happens("`shuffle`")) return;
      auto w = zone_place(node->child(view::shuffle_stmt(node).into() ? 1 : 0), true);
      if (!w) return;
      if (view::shuffle_stmt(node).into()) {   // `shuffle waste into stock`
        const Expr* cards = as_set(expr(view::shuffle_stmt(node).what()));
        if (is_poison(cards)) return;
        if (element_type(cards->type).kind != TypeKind::card) {
          error(Code::wrong_type, view::shuffle_stmt(node).what()->range,
                fmt::format("cards are shuffled, not a `{}`", show(cards->type)));
          return;
        }
        cards = off_board(cards, node->range, out);
        Stmt* s = emit(out, StmtKind::move, node->range, {cards, w->place.owner, w->place.copy, nullptr});
        s->ref = w->place.zone.index;
      }
      emit(out, StmtKind::shuffle, node->range, {w->place.owner, w->place.copy})->ref = w->place.zone.index;
      return;
    }
    case NodeKind::turn_over_stmt: return turn_over(node, out);
    case NodeKind::reveal_stmt: return reveal_stmt(node, out);
    case NodeKind::peek_stmt: return peek_stmt(node, out);
    case NodeKind::arrange_stmt: return arrange_stmt(node, out);
    case NodeKind::turn_stmt: {
      if (node->text == "to") return turn_to(node, out);
      if (!happens("turning a card")) return;
      const Expr* e = expr(view::turn_stmt(node).what());
      if (is_poison(e)) return;
      const Type elem = e->type.kind == TypeKind::set ? element_type(e->type) : e->type;
      if (elem.kind != TypeKind::card) {
        error(Code::wrong_type, view::turn_stmt(node).what()->range,
              fmt::format("cards are turned, not a `{}`", show(e->type)),
              dice_of(e->type) ? "a die is turned to a face: `turn d to 5`" : "");
        return;
      }
      if (e->kind == ExprKind::zone && model_->lying && e->ref == model_->lying->zone.index)
        return void(error(Code::wrong_type, view::turn_stmt(node).what()->range,
                          "cards lie face up on a board, and are not turned there"));
      const auto turned = [&](bool up, Block& into) { emit(into, StmtKind::turn_cards, node->range, {e})->value = up; };
      if (view::turn_stmt(node).facing())
        facing(view::turn_stmt(node).facing(), out, turned);
      else turned(node->text == "faceup", out);
      return;
    }
    case NodeKind::eliminate_stmt: {
      if (!happens("`eliminate`")) return;
      const Expr* p = player(view::eliminate_stmt(node).player(), true);
      if (!is_poison(p)) emit(out, StmtKind::eliminate, node->range, {p});
      return;
    }
    case NodeKind::swap_stmt: return swap_stmt(node, out);
    case NodeKind::log_stmt: return log_stmt(node, out);
    case NodeKind::choose_stmt: return choose_stmt(node, out);
    case NodeKind::choose_one_stmt: return choose_one_stmt(node, out);
    case NodeKind::may_stmt: return may_stmt(node, out);
    case NodeKind::assign_stmt: return assign_stmt(node, out);
    case NodeKind::call_stmt: {
      const Node* c = view::call_stmt(node).call();
      if (!c) return;
      if (c->kind == NodeKind::call) {
        const Expr* e = call(c, true);
        if (!is_poison(e)) emit(out, StmtKind::evaluate, node->range, {e});
        return;
      }
      if (c->kind != NodeKind::roll_expr || !rolls_dice(c, out)) expr(c);
      return;
    }
    case NodeKind::turns_stmt: return turns_stmt(node, out);
    case NodeKind::rounds_stmt: return rounds_stmt(node, out);
    case NodeKind::phase_stmt: return phase_stmt(node, out);
    case NodeKind::with_stmt: {
      if (auto holding = branch(node)) scoped(node->child(*holding), out);
      return;
    }
    case NodeKind::race_clause: return race_clause(node);
    case NodeKind::delay_stmt: return delay_stmt(node, out);
    case NodeKind::pause_stmt: return pause_stmt(node, out);
    case NodeKind::timer_stmt: return timer_stmt(node, out);
    default: error(Code::misplaced, node->range, "this can't stand among statements");
  }
}

void Analysis::let_stmt(const Node* node, Block& out) {
  const bool window_field = node->kind == NodeKind::field;
  const bool variable = node->number != 0;
  std::optional<Type> declared;
  if (view::variable(node).type()) declared = type_or_poison(view::variable(node).type());
  const Expr* initial = nullptr;
  if (const Node* value = view::variable(node).initial()) {
    const bool table = declared && declared->kind == TypeKind::map;
    initial = standing(value, table ? declared->elem.get() : declared ? &*declared : nullptr, out);
    if (declared)
      initial = table ? table_or_entry(initial, *declared, node->text) : convert(initial, *declared, node->text);
  }
  Type t = declared ? *declared : initial ? initial->type : plain_type(TypeKind::poison);
  if (!declared && !initial)
    error(Code::wrong_type, node->range, fmt::format("`{}` needs a type or a value", node->text),
          fmt::format("`var {}: int = 0`", node->text));
  if (!declared && initial && !is_poison(initial)) {
    if (t.kind == TypeKind::nothing) {
      error(Code::no_result, node->range,
            t.optional ? fmt::format("`{}` needs a type: none could be anything", node->text) : "this gives no value",
            t.optional ? fmt::format("`var {}: card? = none`", node->text)
                       : "an event gives one if it declares a type: `event e(): int`");
      t = plain_type(TypeKind::poison);
    }
    if (variable && t.kind == TypeKind::integer) t = integer_type();
    if (t.kind == TypeKind::integer && t.optional == false && initial->type.optional) t.optional = true;
    if (t.kind == TypeKind::set && t.elem && t.elem->kind == TypeKind::nothing) {
      error(Code::wrong_type, node->range, fmt::format("`{}` needs a type: a set of what", node->text),
            fmt::format("`var {}: set of card = []`", node->text));
      t = plain_type(TypeKind::poison);
    }
    if (t.kind == TypeKind::text) {
      error(Code::wrong_type, node->range, "a text is only shown, not kept");
      t = plain_type(TypeKind::poison);
    }
  }
  if (t.kind == TypeKind::map && !(window_field ? no_table_here(node) : fits_in_rule(t, node->range)))
    t = plain_type(TypeKind::poison);
  if (find_binding(node->text) && !window_field) {
    // a new name for something else in the same rule is a slip more often than not
    const Binding* outer = find_binding(node->text);
    if (outer->local.valid() || outer->value->kind == ExprKind::record)
      error(Code::declared_twice, node->range, fmt::format("there is already a `{}` here", node->text),
            variable ? "" : fmt::format("to change it write `{} = …`", node->text));
  }
  if (record_in(t)) {
    rule_->bindings.push_back({node->text, LocalId{}, let_record(node, t, initial, variable, out)});
    return;
  }
  const LocalId id = bind(node->text, t, node->range);
  if (variable) rule_->variables.insert(id.index);
  if (!declared && initial && initial->type.optional && is_soft(initial)) rule_->soft.insert(id.index);
  Stmt* s = emit(out, StmtKind::let, node->range, {initial});
  s->local = id;
  if (!initial || initial->kind != ExprKind::open_window || initial->value != 0) return;
  const model::Window& window = model_->windows[initial->ref];
  for (std::size_t i = 0; i < window.variables.size(); ++i) {
    const model::Local variable = window.body.locals[window.variables[i].index];
    Expr* left = make(ExprKind::window_left, variable.type, node->range);
    left->ref = initial->ref;
    left->value = static_cast<Int>(i);
    const LocalId kept = add_local(variable.name, variable.type, node->range);
    emit(out, StmtKind::let, node->range, {left})->local = kept;
    rule_->opened[id.index].window = initial->ref;
    rule_->opened[id.index].variables.push_back({variable.name, kept});
  }
}

void Analysis::if_stmt(const Node* node, Block& out) {
  if (auto f = decided(view::if_stmt(node).condition()); f && f->kind == Fixed::Kind::boolean) {
    scoped(node->child(f->value ? 1 : 2), out);
    return;
  }
  const Expr* c = nullptr;
  Block yes, no;
  std::size_t binding_mark = rule_->bindings.size();
  {
    Scoped scope(*rule_);
    c = condition(view::if_stmt(node).condition());
    bind_witness(view::if_stmt(node).condition(), c, yes);
    narrow(c, true);
    statements(view::if_stmt(node).then(), yes);
  }
  rule_->bindings.resize(std::min(binding_mark, rule_->bindings.size()));
  {
    Scoped scope(*rule_);
    narrow(c, false);
    statements(view::if_stmt(node).otherwise(), no);
  }
  const bool yes_leaves = leaves(yes), no_leaves = leaves(no);
  Stmt* s = emit(out, StmtKind::if_else, node->range, {c});
  s->blocks = {std::move(yes), std::move(no)};
  if (yes_leaves) narrow(c, false);
  if (no_leaves) narrow(c, true);
}

// `if any p in players has C { … }` and `end when any p in players has C { … }`: p is the first of them.
void Analysis::bind_witness(const Node* condition, const Expr* c, Block& out) {
  if (!condition || is_poison(c) || condition->kind != NodeKind::quantifier || condition->text != "any" ||
      !view::quantifier(condition).variable())
    return;
  if (c->kind != ExprKind::exists) return;
  // its fields are still those of the one that was found
  if (const Expr* sequence = record_sequence(model::view::exists(c).domain())) {
    rule_->bindings.push_back({view::quantifier(condition).variable()->text, LocalId{}, yielded_record(sequence)});
    return;
  }
  const auto list = rule_->walked_lists.find(c->local.index);
  const Type elem = element_type(model::view::exists(c).domain()->type);
  Expr* f = make(ExprKind::filter, model::view::exists(c).domain()->type, condition->range, c->args);
  f->local = c->local;
  const bool of_records = list != rule_->walked_lists.end();
  const LocalId id = of_records ? add_local("", elem, condition->range)
                                : bind(view::quantifier(condition).variable()->text, elem,
                                       view::quantifier(condition).variable()->range);
  const bool in_list = f->type.kind == TypeKind::list;
  Stmt* s = emit(out, StmtKind::let, condition->range,
                 {make(in_list ? ExprKind::list_end : ExprKind::pick_first, elem, condition->range, {f})});
  s->local = id;
  if (of_records)
    rule_->bindings.push_back(
        {view::quantifier(condition).variable()->text, LocalId{},
         let_record(view::quantifier(condition).variable(), *list->second->type.elem,
                    record_at(list->second, local(id, condition->range), condition->range), false, out)});
}

// `each t in tokens at c`, where c is known already; else `at i` counts.
bool Analysis::names_cell(const Node* node) const {
  const Node* domain = view::gen(view::each_stmt(node).generators()->children.back()).domain();
  if (!view::each_stmt(node).at() || !domain || domain->kind != NodeKind::name_ref) return false;
  const auto pieces = area_named(domain->text);
  const std::string_view name = node->text;
  return pieces && areas_[*pieces].piece &&
         (find_binding(name) || table_variables_.contains(name) || constant_names_.contains(name) ||
          consts_.contains(name));
}

void Analysis::each_stmt(const Node* node, Block& out) {
  const Node* gens = view::each_stmt(node).generators();
  if (!gens || gens->children.empty()) return;
  Scoped scope(*rule_);
  each_index_ = {};
  if (!node->text.empty() && !names_cell(node)) {           // asked before there is a name that counts
    const LocalId i = bind(node->text, integer_type(), node->range);
    emit(out, StmtKind::let, node->range, {integer_constant(-1, node->range)})->local = i;
    each_index_ = i;
  }
  const bool tail = std::exchange(rule_->tail, false);
  each_gen(node, 0, out);
  rule_->tail = tail;
}

void Analysis::each_gen(const Node* node, std::size_t gen, Block& out) {
  const Node* gens = view::each_stmt(node).generators();
  const Node* g = gens->child(gen);
  if (!g || !view::gen(g).domain()) return;
  const bool last = gen + 1 == gens->children.size();
  const Node* domain = view::gen(g).domain();
  const bool at_cell = last && !node->text.empty() && !each_index_.valid();
  const auto body = [&](Block& into) {
    if (!last) return each_gen(node, gen + 1, into);
    if (!node->text.empty() && !at_cell) {
      const LocalId i = each_index_;
      emit(
          into, StmtKind::assign_local, node->range,
          {make(ExprKind::add, integer_type(), node->range, {local(i, node->range), integer_constant(1, node->range)})})
          ->local = i;
    }
    statements(view::each_stmt(node).body(), into);
  };
  Scoped scope(*rule_);
  walked_ = domain;
  const Expr* s = at_cell ? pieces_where(domain, view::each_stmt(node).at(), true, view::each_stmt(node).at()->range)
                          : expr(domain);
  if (is_poison(s)) {
    // go on inside, so that its own slips are told
    bind(g->text, plain_type(TypeKind::poison), g->range);
    Block lost;
    ++rule_->loops;
    body(lost);
    --rule_->loops;
    return;
  }
  if (s->type.kind != TypeKind::list) s = as_set(s);
  const bool listed = element_type(s->type).kind == TypeKind::listed;
  if (view::gen(g).after() && !listed) s = later_than(view::gen(g).after(), s);
  if (is_poison(s)) return;
  const bool in_list = s->type.kind == TypeKind::list;
  const Type elem = is_record_list(s->type) ? integer_type() : *s->type.elem;
  const Expr* start = nullptr;
  bool clockwise = false;
  if (in_list && view::each_stmt(node).from())
    error(Code::wrong_type, view::each_stmt(node).from()->range,
          "a list is walked through from its beginning to its end");
  if (elem.kind == TypeKind::player && !in_list) {
    clockwise = true;
    if (view::each_stmt(node).from())
      start = player(view::each_stmt(node).from(), true);
    else start = start_of(domain, domain->range);
  } else if (view::each_stmt(node).from()) {
    error(Code::wrong_type, view::each_stmt(node).from()->range, "only walks over players begin `from` somewhere");
  }
  const Walked w = walked_through(s, g->text, g->range, &out);
  const LocalId x = w.local;
  s = w.domain;
  if (surely_lie(*s)) rule_->narrowed.push_back(key_of(place_of(local(x, g->range), g->range)));
  const Expr* where = view::gen(g).after() && listed ? listed_after(view::gen(g).after(), x, g->range) : nullptr;
  if (last && view::each_stmt(node).where()) {
    Pure pure(*rule_);
    rule_->elements.push_back({w.element, true});
    where = both(where, condition(view::each_stmt(node).where()));
    rule_->elements.pop_back();
    narrow(where, true);
  }
  Block inner;
  ++rule_->loops;
  body(inner);
  --rule_->loops;
  Stmt* loop = emit(out, StmtKind::each, node->range, {s, where, start});
  loop->local = x;
  loop->value = clockwise ? 1 : 0;
  loop->blocks = {std::move(inner)};
}

const Expr* Analysis::later_than(const Node* after, const Expr* set) {
  if (is_poison(set)) return set;
  if (set->type.kind == TypeKind::list)
    return unsupported(after, "`after` is about sets, and this is a list",
                       "`each x in l at i, …`, and compare the places");
  const Type element = element_type(set->type);
  const Expr* than = expr(after, &element);
  if (is_poison(than)) return than;
  than = convert(than, element);
  if (is_poison(than)) return than;
  Expr* later = make(ExprKind::filter, set->type, after->range);
  later->local = add_local("", element, after->range);
  later->args = {set, make(ExprKind::less, boolean_type(), after->range, {than, local(later->local, after->range)})};
  return later;
}

// In a list of sets: what stands behind another one of it.
const Expr* Analysis::listed_after(const Node* after, LocalId element, Range range) {
  const Expr* than = expr(after);
  const Expr* position = raw_local(element, range);
  if (is_poison(than)) return than;
  if (than->kind != ExprKind::listed_set || than->ref != position->type.ref) {
    error(Code::wrong_type, after->range,
          fmt::format("`after` needs another one of `{}`", model_->set_lists[position->type.ref].name));
    return poison(after->range);
  }
  return make(ExprKind::less, boolean_type(), after->range, {model::view::listed_set(than).position(), position});
}

void Analysis::repeat_stmt(const Node* node, Block& out) {
  const view::repeat_stmt its(node);
  const Expr* n = integer(its.count());
  const Expr* c = nullptr;
  Block body;
  {
    Scoped scope(*rule_);
    if (its.condition()) {
      c = condition(its.condition());
      narrow(c, true);
    }
    ++rule_->loops;
    const bool tail = std::exchange(rule_->tail, false);
    statements(its.body(), body);
    rule_->tail = tail;
    --rule_->loops;
  }
  if (is_poison(n) || (c && is_poison(c))) return;
  Stmt* s = emit(out, StmtKind::repeat, node->range, {n, c});
  s->value = node->number;
  s->blocks = {std::move(body)};
}

void Analysis::yield_stmt(const Node* node, Block& out) {
  if (!rule_->yields) {
    error(Code::misplaced, node->range, "only a sequence yields", "`sequence name(…): TYPE { … }`");
    return;
  }
  const Type wanted = *rule_->yields;
  emit(out, StmtKind::yield_value, node->range,
       fields_of(convert(expr(view::yield_stmt(node).value(), &wanted), wanted, "what is yielded")));
}

void Analysis::return_stmt(const Node* node, Block& out) {
  if (rule_->ending || (!rule_->event && !rule_->window && !rule_->infer_result &&
                        rule_->result.kind == TypeKind::nothing && view::return_stmt(node).value())) {
    error(Code::misplaced, node->range, "nothing is returned here");
    return;
  }
  if (!view::return_stmt(node).value()) {
    if (rule_->result.kind != TypeKind::nothing && rule_->result.kind != TypeKind::poison && !rule_->result.optional &&
        !rule_->instead)
      error(Code::no_result, node->range, fmt::format("a `{}` must be returned", show(rule_->result)));
    emit(out, StmtKind::return_value, node->range, {nullptr});
    return;
  }
  if (rule_->infer_result) {
    const Expr* e = expr(view::return_stmt(node).value());
    if (is_poison(e)) {
      rule_->infer_seen = true;
      emit(out, StmtKind::return_value, node->range, {e});
      return;
    }
    if (rule_->infer_seen) {
      auto t = common(rule_->result, e->type);
      if (t) rule_->result = *t;
      else
        error(Code::wrong_type, view::return_stmt(node).value()->range,
              fmt::format("this is a `{}`, and before a `{}` was returned", show(e->type), show(rule_->result)));
    } else {
      rule_->result = e->type;
      rule_->infer_seen = true;
    }
    emit(out, StmtKind::return_value, node->range, {e})->why = return_text(view::return_stmt(node).why(), e->type);
    return;
  }
  if (rule_->result.kind == TypeKind::nothing) {
    error(Code::no_result, view::return_stmt(node).value()->range, "a value is returned, and none was declared",
          "write its type after the brackets: `event e(): int`");
    return;
  }
  const Type wanted = rule_->result;
  const Expr* e = convert(standing(view::return_stmt(node).value(), &wanted, out), wanted, "the result");
  if (const Expr* none = is_poison(e) || wanted.optional ? nullptr : may_be_nothing(e))
    error(Code::may_be_none, none->range,
          fmt::format("this is none where there is nothing, and a `{}` is returned", show(wanted)),
          fmt::format("say what else: `(…) or else 0`, or declare `{}?`", show(wanted)));
  emit(out, StmtKind::return_value, node->range, fields_of(rule_->part.empty() ? e : field_at(e, rule_->part)))->why =
      return_text(view::return_stmt(node).why(), wanted);
}

// `return false "it is too far"`: what `why` says where a condition hangs on it, or on what is in a set.
const Expr* Analysis::return_text(const Node* text, const Type& of) {
  if (!text || of.kind == TypeKind::poison) return nullptr;
  if (!rule_->pure || (of.kind != TypeKind::boolean && of.kind != TypeKind::set)) {
    error(Code::misplaced, text->range, "only a condition says why it is so, and a set why something is not in it",
          "a function or value of type `bool` may: `return false \"it is too far\"`");
    return nullptr;
  }
  return filled_text(text);
}

// ---------------------------------------------------------------- assignment

void Analysis::assign_stmt(const Node* node, Block& out) {
  const view::assign_stmt its(node);
  if (!is_own(its.place()) && !effect(node->range, "assigning")) return;
  assign_to(its.place(), its.value(), node->text, node->range, out);
}

// A variable of the rule itself, an element of it or a field.
bool Analysis::is_own(const Node* place) const {
  bool field = false;
  while (place && (place->kind == NodeKind::index || place->kind == NodeKind::member)) {
    field = field || place->kind == NodeKind::member;
    place = view::place(place).of();
  }
  const Binding* b = place && place->kind == NodeKind::name_ref ? find_binding(place->text) : nullptr;
  return b && (!field || (b->value && b->value->kind == ExprKind::record));
}

// What is done with whole tables of the same keys is done with each of their entries; with what is none it is done as
// it stands.
void Analysis::each_entry(const std::vector<const Expr*>& of, Range range, Block& out, const OnEntry& entry) {
  if (of[0]->type.kind != TypeKind::map) return entry(of, out);
  std::vector<const Expr*> kept;
  for (const Expr* table : of) {                           // whose it is, is worked out once
    std::vector<const Expr*> args = table->args;
    for (const Expr*& a : args) {
      if (a->kind == ExprKind::constant || a->kind == ExprKind::local) continue;
      const LocalId once = add_local("", a->type, range);
      emit(out, StmtKind::let, range, {a})->local = once;
      a = local(once, range);
    }
    Expr* again = make(ExprKind::variable, table->type, table->range, std::move(args));
    again->ref = table->ref;
    kept.push_back(again);
  }
  entries_from(kept, range, out, entry);
}

void Analysis::entries_from(const std::vector<const Expr*>& tables, Range range, Block& out, const OnEntry& entry) {
  const auto first_key = [&](const Expr* table) {
    const model::Variable& variable = model_->variables[table->ref];
    return table->args.size() - (variable.per_player ? 1 : 0);
  };
  const model::Variable& variable = model_->variables[tables[0]->ref];
  if (first_key(tables[0]) == variable.indices.size()) return entry(tables, out);
  const Type key = variable.indices[first_key(tables[0])];
  const Expr* all =
      key.kind == TypeKind::player ? make(ExprKind::everyone, set_type(player_type()), range) : universe(key, range);
  const LocalId k = add_local("", key, range);
  std::vector<const Expr*> inner;
  for (const Expr* table : tables) {
    const model::Variable& of = model_->variables[table->ref];
    std::vector<const Expr*> args = table->args;
    args.push_back(local(k, range));
    Expr* e = make(ExprKind::variable, first_key(table) + 1 == of.indices.size() ? of.type : *table->type.elem,
                   table->range, std::move(args));
    e->ref = table->ref;
    inner.push_back(e);
  }
  Block body;
  entries_from(inner, range, body, entry);
  Stmt* s = emit(out, StmtKind::each, range, {all, nullptr, nullptr});
  s->local = k;
  s->blocks = {std::move(body)};
}

// Whether all entries can be gone through; of several tables side by side.
bool Analysis::can_walk_entries(const std::vector<const Expr*>& tables) const {
  const auto keys_left = [&](const Expr* table) {
    const model::Variable& v = model_->variables[table->ref];
    return std::span(v.indices).subspan(table->args.size() - (v.per_player ? 1 : 0));
  };
  if (tables[0]->type.kind != TypeKind::map) return true;
  const auto keys = keys_left(tables[0]);
  const auto few = [](const Type& t) { return t.kind != TypeKind::integer || (t.lo >= 0 && t.hi <= kMostInSet); };
  const auto alike = [&](const Type& a, const Type& b) { return same_type(a, b) && a.lo == b.lo && a.hi == b.hi; };
  return std::all_of(keys.begin(), keys.end(), few) &&
         std::all_of(tables.begin(), tables.end(), [&](const Expr* other) {
           const auto theirs = keys_left(other);
           return std::equal(keys.begin(), keys.end(), theirs.begin(), theirs.end(), alike);
         });
}

// `taken = none`, `p.stakes = 0`: every entry of a table.
void Analysis::assign_map(const Expr* map, const Node* value, std::string_view op, Range range, Block& out) {
  const model::Variable& variable = model_->variables[map->ref];
  const Type element = variable.type;
  if (op != "=" || !can_walk_entries({map})) {
    error(Code::wrong_type, range, fmt::format("`{}` has many values; all of them can only be set", variable.name),
          fmt::format("`each k in … {{ {}[k] {} … }}`", variable.name, op));
    return;
  }
  Scoped scope(*rule_);
  const Expr* e = table_or_entry(expr(value, &element), map->type, variable.name);
  if (is_poison(e)) return;
  const bool table = e->type.kind == TypeKind::map;
  const LocalId kept = add_local("", e->type, range);
  emit(out, StmtKind::let, range, {e})->local = kept;
  each_entry({map}, range, out, [&](const auto& entry, Block& into) {
    const Expr* all = local(kept, range);
    store(entry[0], table ? picked(all, entry[0]->args.back(), range) : all, map->range, range, into);
  });
}

// `players.stakes = 0`, `others.prices = Price(2)`: every entry of the tables of several players.
void Analysis::assign_tables(const Node* place, const Node* whose, const std::string& path, const Node* value,
                             std::string_view op, Range range, Block& out) {
  const auto as_record = player_records_.find(path);
  const Type table = as_record != player_records_.end() ? as_record->second : Type();
  Type t =
      as_record != player_records_.end() ? *table.elem : model_->variables[player_variables_.find(path)->second].type;
  while (t.kind == TypeKind::map) t = Type(*t.elem);
  if (op != "=")
    return void(error(Code::wrong_type, range,
                      fmt::format("`{}` has many values; all of them can only be set", place->text),
                      "`each p in players { … }`"));
  const Expr* players = set(whose);
  const Expr* e = convert(standing(value, &t, out), t, place->text);
  if (is_poison(players) || is_poison(e)) return;
  const std::vector<const Expr*> fields = kept_aside(e, range, out);
  const std::vector<Part> names =
      as_record != player_records_.end() ? leaves_of(table, path) : std::vector<Part>{{path, Type()}};
  const LocalId p = add_local("player", player_type(), whose->range);
  Block body;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::uint32_t id = player_variables_.find(names[i].name)->second;
    const model::Variable& v = model_->variables[id];
    Type whole = v.type;
    for (auto key = v.indices.rbegin(); key != v.indices.rend(); ++key) {
      Type outer = plain_type(TypeKind::map);
      outer.elem = std::make_shared<const Type>(std::move(whole));
      outer.key = std::make_shared<const Type>(*key);
      whole = std::move(outer);
    }
    Expr* of = make(ExprKind::variable, whole, place->range, {local(p, place->range)});
    of->ref = id;
    if (!can_walk_entries({of}))
      return void(error(Code::wrong_type, range, fmt::format("one entry of `{}` is set at a time", place->text),
                        "`each p in players, k in … { … }`"));
    each_entry({of}, range, body,
               [&](const auto& entry, Block& into) { store(entry[0], fields[i], place->range, range, into); });
  }
  Stmt* s = emit(out, StmtKind::each, range, {players, nullptr, nullptr});
  s->local = p;
  s->blocks = {std::move(body)};
}

// `teams` in `teams.score = 0`, `nests where C` in `(nests where C).height += 1`: all these parts.
const Expr* Analysis::parts_meant(const Node* place) {
  if (place->kind != NodeKind::member || !view::member(place).of()) return nullptr;
  const Node* base = view::member(place).of();
  while (base->kind == NodeKind::where_expr && view::where_expr(base).set()) base = view::where_expr(base).set();
  const auto area = base->kind == NodeKind::name_ref && !find_binding(base->text) ? area_named(base->text)
                    : base->kind == NodeKind::member                              ? area_of_players(base->text)
                                                                                  : std::nullopt;
  return area && areas_[*area].name != base->text ? set(view::member(place).of()) : nullptr;
}

void Analysis::assign_parts(const Node* place, const Expr* parts, const Node* value, std::string_view op, Range range,
                            Block& out) {
  if (is_poison(parts)) return;
  Scoped scope(*rule_);
  const LocalId part = add_local("", element_type(parts->type), place->range);
  const Expr* target = member_of(local(part, place->range), place->text, place->range, place->range);
  if (is_poison(target)) return;
  const Type t = target->type;
  if (record_in(t) || t.kind == TypeKind::map || (op != "=" && t.kind != TypeKind::integer)) {
    error(Code::wrong_type, range,
          fmt::format("a `{}` of several parts can't be {} at once", show(t), op == "=" ? "set" : "changed"),
          "`each x in … { … }`");
    return;
  }
  const Expr* change = op == "=" ? convert(expr(value, &t), t, place->text) : integer(value);
  if (is_poison(change)) return;
  const LocalId kept = add_local("", change->type, range);
  emit(out, StmtKind::let, range, {change})->local = kept;
  const Expr* e = local(kept, range);
  if (op != "=")
    e = convert(make(op == "+=" ? ExprKind::add : ExprKind::subtract, integer_type(), range, {target, e}), t,
                place->text);
  Block body;
  if (is_poison(e) || !store(target, e, place->range, range, body)) return;
  Stmt* s = emit(out, StmtKind::each, range, {parts, nullptr, nullptr});
  s->local = part;
  s->blocks = {std::move(body)};
}

void Analysis::assign_to(const Node* place, const Node* value, std::string_view op, Range range, Block& out) {
  if (!place || !value) return;
  // `players.towels = 4`, `players.purse.gold = 4`
  if (place->kind == NodeKind::member && view::member(place).of()) {
    const Node* base = view::member(place).of();
    std::string path(place->text);
    for (; base->kind == NodeKind::member && view::member(base).of(); base = view::member(base).of())
      path = std::string(base->text) + "." + path;
    const bool set_base = base->kind == NodeKind::where_expr ||
                          (base->kind == NodeKind::name_ref &&
                           (base->text == "players" || base->text == "everyone" || base->text == "others"));
    const auto as_record = player_records_.find(path);
    const auto as_variable = player_variables_.find(path);
    const bool table = as_record != player_records_.end() ? as_record->second.kind == TypeKind::map
                                                          : as_variable != player_variables_.end() &&
                                                                !model_->variables[as_variable->second].indices.empty();
    if (set_base && table) return assign_tables(place, base, path, value, op, range, out);
    if (auto r = as_record; set_base && r != player_records_.end() && r->second.kind != TypeKind::map) {
      const Expr* whose = set(base);
      const Expr* e = op == "=" ? convert(expr(value, &r->second), r->second, place->text) : poison(range);
      if (op != "=") error(Code::wrong_type, range, fmt::format("a `{}` can only be set", show(r->second)));
      if (is_poison(whose) || is_poison(e)) return;
      const std::vector<const Expr*> fields = kept_aside(e, range, out);
      const std::vector<Part> names = leaves_of(r->second, path);
      for (std::size_t i = 0; i < fields.size(); ++i) {
        Stmt* s = emit(out, StmtKind::assign_all, range, {whose, fields[i]});
        s->ref = player_variables_.find(names[i].name)->second;
        s->local = add_local("player", player_type(), base->range);
      }
      return;
    }
    if (set_base && player_variables_.contains(path)) {
      const Expr* whose = set(base);
      if (is_poison(whose)) return;
      const std::uint32_t v = player_variables_.find(path)->second;
      Scoped scope(*rule_);
      const LocalId p = add_local("player", player_type(), base->range);
      const Type wanted = model_->variables[v].type;
      const Expr* e = expr(value, &wanted);
      if (op != "=" && (wanted.kind == TypeKind::list || wanted.kind == TypeKind::set)) {
        error(Code::wrong_type, range, fmt::format("a `{}` of several players can only be set", show(wanted)),
              "`each p in players { … }`");
        return;
      }
      if (op != "=") {
        Expr* old = make(ExprKind::variable, wanted, place->range, {local(p, place->range)});
        old->ref = v;
        e = make(op == "+=" ? ExprKind::add : ExprKind::subtract, integer_type(), range, {old, to_int(e)});
      }
      e = convert(e, wanted, place->text);
      if (is_poison(e)) return;
      Stmt* s = emit(out, StmtKind::assign_all, range, {whose, e});
      s->ref = v;
      s->local = p;
      return;
    }
  }
  if (const Expr* parts = parts_meant(place)) return assign_parts(place, parts, value, op, range, out);
  const Expr* target = expr(place);
  if (target->kind == ExprKind::record) return assign_record(target, value, op, range, out);
  if (target->kind == ExprKind::variable && target->type.kind == TypeKind::map)
    return assign_map(target, value, op, range, out);
  if (target->kind == ExprKind::local && target->type.kind == TypeKind::map)
    return assign_table(target, value, op, range, out);
  const std::string key = key_of(target);
  if (is_poison(target)) {
    expr(value);
    return;
  }
  if (target->kind == ExprKind::local && !can_be_changed(target, place->range)) return;
  // what was known about it is over
  Type t = target->type;
  if (target->kind == ExprKind::local) t = rule_->body->locals[target->local.index].type;
  if (target->kind == ExprKind::variable && t.kind != TypeKind::map) t = model_->variables[target->ref].type;
  if (target->kind == ExprKind::window_field && target->value >= 0) {
    const model::Window& w = model_->windows[target->ref];
    t = w.body.locals[w.variables[static_cast<std::size_t>(target->value)].index].type;
  }
  if (target->kind == ExprKind::event_field && target->value >= 0) {
    const model::Event& event = model_->events[target->ref];
    t = event.body.locals[event.variables[static_cast<std::size_t>(target->value)].index].type;
  }
  const Expr* e;
  if (op == "=") {
    e = expr(value, &t);
  } else if (t.kind == TypeKind::list) {
    const Type element = element_type(t), added = added_to(t, value);
    const Expr* change = expr(value, &added);
    if (is_poison(change)) return;
    if (change->type.kind == TypeKind::list && !same_type(change->type, element) && op == "+=") {
      e = joined(target, change, range);
    } else {
      change = convert(change, element, "an element");
      if (is_poison(change)) return;
      e = make(op == "+=" ? ExprKind::list_add : ExprKind::list_drop, t, range, {target, change});
    }
  } else if (t.kind == TypeKind::set) {
    const Expr* change = as_set(expr(value, &t));
    if (is_poison(change)) return;
    auto u = common(t, change->type);
    if (!u) {
      error(Code::wrong_type, value->range,
            fmt::format("a `{}` and a `{}` don't go together", show(t), show(change->type)));
      return;
    }
    e = make(op == "+=" ? ExprKind::set_union : ExprKind::set_minus, t, range, {target, convert(change, t)});
  } else {
    const Expr* old = expr(place);
    const Expr* change = integer(value);
    old = to_int(old);
    if (is_poison(change) || is_poison(old)) return;
    e = make(op == "+=" ? ExprKind::add : ExprKind::subtract, integer_type(), range, {old, change});
    if (t.kind == TypeKind::integer && change->kind == ExprKind::constant && change->value == 0)
      suspect(Code::without_effect, range, true, "this changes nothing");
  }
  const Expr* converted = convert(e, t, place->text);
  if (is_poison(converted)) return;
  if (!store(target, converted, place->range, range, out) || key.empty()) return;
  std::erase(rule_->narrowed, key);
  if (!e->type.optional && t.optional && e->kind != ExprKind::constant) rule_->narrowed.push_back(key);
  if (e->kind == ExprKind::constant && e->value != kNone && t.optional) rule_->narrowed.push_back(key);
}

// All of it is worked out before any of it is stored: `purse = Purse(gold: purse.silver, silver: purse.gold)`.
std::vector<const Expr*> Analysis::kept_aside(const Expr* e, Range range, Block& out) {
  std::vector<const Expr*> fields = fields_of(e);
  for (const Expr*& f : fields) {
    if (f->kind == ExprKind::constant) continue;
    const LocalId kept = add_local("", f->type, range);
    emit(out, StmtKind::let, range, {f})->local = kept;
    f = local(kept, range);
  }
  return fields;
}

// Into all entries of a table of records the same one.
void Analysis::assign_table_of_records(const Expr* target, const Node* value, std::string_view op, Range range,
                                       Block& out) {
  Type t = target->type;
  while (t.kind == TypeKind::map) t = Type(*t.elem);
  const std::vector<const Expr*> places = fields_of(target);
  if (op != "=" || places[0]->kind != ExprKind::variable || !can_walk_entries({places[0]})) {
    error(Code::wrong_type, range, "one entry of this table is set at a time", "`each k in … { …[k] = … }`");
    return;
  }
  const Expr* e = convert(standing(value, &t, out), t);
  if (is_poison(e)) return;
  const std::vector<const Expr*> fields = kept_aside(e, range, out);
  for (std::size_t i = 0; i < fields.size(); ++i)
    each_entry({places[i]}, range, out,
               [&](const auto& entry, Block& into) { store(entry[0], fields[i], target->range, range, into); });
}

// Where a record is put is worked out once: `m[m[a].next] = …` changes what its place hangs on.
const Expr* Analysis::with_places_kept(const Expr* place, std::map<const Expr*, const Expr*>& kept, Block& out) {
  if (place->kind != ExprKind::element_at && place->kind != ExprKind::variable) return place;
  std::vector<const Expr*> args;
  for (std::size_t i = 0; i < place->args.size(); ++i) {
    const Expr* at = place->args[i];
    if (place->kind == ExprKind::element_at && i == 0) {
      args.push_back(with_places_kept(at, kept, out));
      continue;
    }
    const Expr*& stands = kept[at];
    if (!stands && at && at->kind != ExprKind::constant && at->kind != ExprKind::local) {
      const LocalId local_at = add_local("", at->type, at->range);
      emit(out, StmtKind::let, at->range, {at})->local = local_at;
      stands = raw_local(local_at, at->range);
    }
    args.push_back(stands ? stands : at);
  }
  Expr* e = make(place->kind, place->type, place->range, std::move(args));
  e->ref = place->ref;
  e->value = place->value;
  e->local = place->local;
  return e;
}

void Analysis::assign_record(const Expr* target, const Node* value, std::string_view op, Range range, Block& out) {
  const Type t = target->type;
  if (t.kind == TypeKind::map) return assign_table_of_records(target, value, op, range, out);
  if (t.kind == TypeKind::record && op != "=") {
    error(Code::wrong_type, range, fmt::format("a `{}` can only be set", show(t)), "add to a field of it");
    return;
  }
  std::map<const Expr*, const Expr*> kept;
  target = fieldwise({target}, [&](const auto& x) { return with_places_kept(x[0], kept, out); });
  const Expr* e = convert(op == "=" ? standing(value, &t, out) : records_changed(target, value, op, range, out), t);
  if (is_poison(e)) return;
  const std::vector<const Expr*> fields = op == "+=" ? fields_of(e) : kept_aside(e, range, out),
                                 places = fields_of(target);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!store(places[i], fields[i], target->range, range, out)) return;
    if (const std::string key = key_of(places[i]); !key.empty()) std::erase(rule_->narrowed, key);
  }
}

// A name that `let`, a loop or a parameter gave stays what it is.
bool Analysis::can_be_changed(const Expr* target, Range place) {
  if (rule_->variables.contains(target->local.index)) return true;
  const std::string whole = rule_->body->locals[target->local.index].name, name = whole.substr(0, whole.find('.'));
  error(Code::misplaced, place, fmt::format("`{}` can't be changed", name),
        fmt::format("declare it with `var`: `var {} = …`", name));
  return false;
}

// Puts a value where an expression says; false if nothing can be put there.
bool Analysis::store(const Expr* target, const Expr* value, Range place, Range range, Block& out) {
  switch (target->kind) {
    case ExprKind::local: {
      if (!can_be_changed(target, place)) return false;
      emit(out, StmtKind::assign_local, range, {value})->local = target->local;
      break;
    }
    case ExprKind::element_at: {
      const Expr* of = model::view::element_at(target).of();
      // of a list in the State or in a list: taken out, changed, put back
      if (of->kind == ExprKind::variable || of->kind == ExprKind::window_field || of->kind == ExprKind::event_field ||
          of->kind == ExprKind::element_at) {
        if (!only_looks(model::view::element_at(target).indices(0))) return false;
        const LocalId list = add_local("", of->type, range);
        emit(out, StmtKind::let, range, {of})->local = list;
        emit(out, StmtKind::assign_local, range, {model::view::element_at(target).indices(0), value})->local = list;
        return store(of, local(list, range), place, range, out);
      }
      if (of->kind != ExprKind::local || !rule_->variables.contains(of->local.index)) {
        error(Code::misplaced, place, "this element can't be changed");
        return false;
      }
      emit(out, StmtKind::assign_local, range, {model::view::element_at(target).indices(0), value})->local = of->local;
      break;
    }
    case ExprKind::variable: {
      if (const std::string* die = die_with_face(target->ref)) {
        error(Code::misplaced, place, fmt::format("what a `{}` shows is not stored, but rolled or turned", *die),
              "`roll d`, `turn d to 5`");
        return false;
      }
      if (const auto of = placed_by(target->ref)) {
        const bool facing = of->first->at.index != target->ref;
        error(Code::misplaced, place,
              fmt::format("where a `{}` is{} is not stored, but placed", of->second,
                          facing ? " and which way it looks" : ""),
              facing ? "`place x facing d`" : "`place x at c`, `lift x`");
        return false;
      }
      std::vector<const Expr*> exprs = target->args;
      exprs.push_back(value);
      emit(out, StmtKind::assign_variable, range, std::move(exprs))->ref = target->ref;
      break;
    }
    case ExprKind::window_field: case ExprKind::event_field: {
      const bool window = target->kind == ExprKind::window_field;
      if (target->value < 0) {
        error(Code::misplaced, place,
              fmt::format("{} parameter can't be changed", window ? "a window's" : "an event's"),
              fmt::format("give the {} a `var`", window ? "window" : "event"));
        return false;
      }
      Stmt* s = emit(out, window ? StmtKind::assign_window_field : StmtKind::assign_event_field, range, {value});
      s->ref = target->ref;
      s->value = target->value;
      break;
    }
    case ExprKind::zone: error(Code::misplaced, range, "cards are moved, not assigned", "`move x to …`"); return false;
    default: error(Code::misplaced, place, "only variables can be assigned to"); return false;
  }
  return true;
}

void Analysis::swap_stmt(const Node* node, Block& out) {
  const view::swap_stmt its(node);
  if (!effect(node->range, "`swap`")) return;
  const Node *l = its.left(), *r = its.right();
  if (!l || !r) return;
  auto a = zone_place(l), b = zone_place(r);
  if (a && b) {
    const Expr *x = expr(l), *y = expr(r);
    if (is_poison(x) || is_poison(y)) return;
    const LocalId first = add_local("", x->type, l->range), second = add_local("", y->type, r->range);
    emit(out, StmtKind::let, node->range, {x})->local = first;
    emit(out, StmtKind::let, node->range, {y})->local = second;
    emit(out, StmtKind::move, node->range, {local(first, l->range), b->place.owner, b->place.copy, nullptr})->ref =
        b->place.zone.index;
    emit(out, StmtKind::move, node->range, {local(second, r->range), a->place.owner, a->place.copy, nullptr})->ref =
        a->place.zone.index;
    return;
  }
  const Expr *x = expr(l), *y = expr(r);
  if (is_poison(x) || is_poison(y)) return;
  const std::vector<const Expr*> ours = fields_of(x), theirs = fields_of(y);
  const auto variable = [](const Expr* e) { return e->kind == ExprKind::variable; };
  if (!std::all_of(ours.begin(), ours.end(), variable) || !std::all_of(theirs.begin(), theirs.end(), variable) ||
      !same_type(x->type, y->type)) {
    error(Code::wrong_type, node->range, "two zones or two variables of one type are swapped");
    return;
  }
  if (!can_walk_entries({ours[0], theirs[0]})) {
    error(Code::wrong_type, node->range, "only tables of the same keys are swapped whole",
          "`each k in … { swap …[k] with …[k] }`");
    return;
  }
  for (std::size_t i = 0; i < ours.size(); ++i)
    each_entry({ours[i], theirs[i]}, node->range, out, [&](const auto& entry, Block& into) {
      if (is_poison(convert(entry[0], entry[1]->type)) || is_poison(convert(entry[1], entry[0]->type))) return;
      const LocalId kept = add_local("", entry[0]->type, l->range);
      emit(into, StmtKind::let, node->range, {entry[0]})->local = kept;
      store(entry[0], entry[1], l->range, node->range, into);
      store(entry[1], local(kept, r->range), r->range, node->range, into);
    });
}

// ---------------------------------------------------------------- cards

// How cards are to lie where they go: 0 as that zone has it, 1 faceup, 2 facedown.
std::int64_t Analysis::facing_in(model::ZoneId zone, bool faceup, bool facedown, Range range) {
  if (!faceup && !facedown) return 0;
  const model::Zone& to = model_->zones[zone.index];
  if (to.visibility != model::Visibility::hidden) return faceup ? 1 : 2;
  if (faceup) error(Code::bad_zone, range, fmt::format("`{}` is hidden: nobody sees how its cards lie", to.name));
  return 0;
}

// `facing if C then facedown else faceup`: the statement twice, once for each way.
void Analysis::facing(const Node* way, Block& out, const std::function<void(bool up, Block&)>& statement) {
  if (way->kind == NodeKind::name_ref && (way->text == "faceup" || way->text == "facedown"))
    return statement(way->text == "faceup", out);
  if (way->kind != NodeKind::if_expr) {
    error(Code::wrong_type, way->range, "a card faces up or down", "`facing (if night then facedown else faceup)`");
    return;
  }
  if (auto f = decided(view::if_expr(way).condition()); f && f->kind == Fixed::Kind::boolean)
    return facing(way->child(f->value ? 1 : 2), out, statement);
  const Expr* c = condition(view::if_expr(way).condition());
  std::vector<Block> blocks(2);
  facing(view::if_expr(way).then(), blocks[0], statement);
  facing(view::if_expr(way).otherwise(), blocks[1], statement);
  if (!is_poison(c)) emit(out, StmtKind::if_else, way->range, {c})->blocks = std::move(blocks);
}

// A pile turned over as it is: what lay on top comes to lie lowest.
void Analysis::turn_over(const Node* node, Block& out) {
  const view::turn_over_stmt its(node);
  if (!effect(node->range, "turning a pile over")) return;
  auto from = zone_place(its.pile(), true);
  auto to = zone_place(its.onto(), true);
  if (!from || !to) return;
  for (const auto& [place, n] : {std::pair{from, its.pile()}, std::pair{to, its.onto()}})
    if (model_->zones[place->place.zone.index].shape != model::ZoneShape::pile) {
      error(Code::bad_zone, n->range, fmt::format("`{}` is no pile", model_->zones[place->place.zone.index].name));
      return;
    }
  const Expr* all = size_of(zone_expr(ExprKind::zone, *from, set_type(card_type())), node->range);
  Stmt* s = emit(out, StmtKind::draw_to, node->range,
                 {from->place.owner, from->place.copy, all, to->place.owner, to->place.copy});
  s->ref = from->place.zone.index;
  s->value = to->place.zone.index;
}

// Cards one after the other into a slot: a second one is too many.
void Analysis::fits_slot(model::ZoneId to, const Expr* n) {
  if (n && model_->zones[to.index].shape == model::ZoneShape::slot && n->type.lo > 1)
    error(Code::bad_zone, n->range, fmt::format("a slot holds one card, not {}", n->type.lo), "make it a `row`");
}

void Analysis::move_stmt(const Node* node, Block& out) {
  const view::move_stmt its(node);
  if (!effect(node->range, "`move`")) return;
  if (its.facing()) return facing(its.facing(), out, [&](bool up, Block& into) { move_cards(node, up ? 2 : 4, into); });
  move_cards(node, node->number & 6, out);
}

void Analysis::move_cards(const Node* node, std::int64_t bits, Block& out) {
  const view::move_stmt its(node);
  const Node* things = its.things();
  auto to = zone_place(its.place(), true);
  const Expr* picker = its.picker() ? player(its.picker(), true) : nullptr;
  if (!things) return;
  const std::int64_t lies = to ? facing_in(to->place.zone, (bits & 2) != 0, (bits & 4) != 0, node->range) : 0;
  const std::int64_t bottom = node->number & 1;
  std::vector<const Expr*> sets;
  const auto move = [&](const Expr* what) {
    if (!to || is_poison(what)) return;
    picks_top(picker, to->place.zone, what->type.kind == TypeKind::set);
    Stmt* s = emit(out, StmtKind::move, node->range,
                   {off_board(what, node->range, out), to->place.owner, to->place.copy, picker});
    s->ref = to->place.zone.index;
    s->value = bottom | (picker ? 4 : 0) | lies << 3;
  };
  for (const Node* thing : things->children) {
    if (!thing) continue;
    const bool top = thing->kind == NodeKind::top_expr && thing->text == "top";
    const bool some = thing->kind == NodeKind::random_cards && thing->number == 1;
    if ((top || some) && !bottom) {
      auto from = zone_place(view::from_zone(thing).zone(), true);
      if (!from) continue;
      const model::Zone& zone = model_->zones[from->place.zone.index];
      if (zone.shape == model::ZoneShape::pile || zone.shape == model::ZoneShape::row) {
        const Expr* n = view::from_zone(thing).count() ? integer(view::from_zone(thing).count()) : nullptr;
        if (!to || (n && is_poison(n))) continue;
        fits_slot(to->place.zone, n);
        picks_top(picker, to->place.zone, false);
        Stmt* s = emit(out, StmtKind::draw_to, node->range,
                       {from->place.owner, from->place.copy, n, to->place.owner, to->place.copy});
        s->ref = from->place.zone.index;
        s->value = to->place.zone.index | lies << 32;
        continue;
      }
    }
    const Expr* e = expr(thing);
    if (is_poison(e)) continue;
    const Type elem = e->type.kind == TypeKind::set ? element_type(e->type) : e->type;
    if (elem.kind != TypeKind::card) {
      error(Code::wrong_type, thing->range, fmt::format("cards are moved, and this is a `{}`", show(e->type)),
            e->type.kind == TypeKind::kind ? fmt::format("which one? `first of (me.hand where it is {})`", thing->text)
                                           : "");
      continue;
    }
    if (things->children.size() > 1 && e->type.kind == TypeKind::set && e->kind == ExprKind::zone) sets.push_back(e);
    else move(e);
  }
  if (sets.empty()) return;
  const Expr* all = sets[0];
  for (std::size_t i = 1; i < sets.size(); ++i)
    all = make(ExprKind::set_union, all->type, things->range, {all, sets[i]});
  move(all);
}

// `p picks the top` of what keeps an order, and of cards that come together.
void Analysis::picks_top(const Expr* picker, model::ZoneId to, bool together) {
  if (!picker || is_poison(picker)) return;
  const model::Zone& zone = model_->zones[to.index];
  const bool keeps_order = zone.shape == model::ZoneShape::pile || zone.shape == model::ZoneShape::row;
  suspect(Code::without_effect, picker->range, !keeps_order || !together,
          keeps_order ? "these come one after the other, so nobody picks the top"
                      : fmt::format("`{}` is no pile: nothing lies on top there", zone.name),
          "leave out what stands behind the comma");
}

void Analysis::deal_stmt(const Node* node, Block& out) {
  if (!effect(node->range, "`deal`")) return;
  if ((node->number & 1) && view::deal_stmt(node).to() && view::deal_stmt(node).to()->kind == NodeKind::member)
    return node->number & 2 ? deal_to_all(node, out) : deal_constants(node, out);
  if (view::deal_stmt(node).facing())
    return facing(view::deal_stmt(node).facing(), out,
                  [&](bool up, Block& into) { deal_cards(node, up ? 4 : 8, into); });
  deal_cards(node, node->number & 12, out);
}

// `deal 1 of Roles to each p.role`
void Analysis::deal_to_all(const Node* node, Block& out) {
  Scoped scope(*rule_);
  const Node* named = view::member(view::deal_stmt(node).to()).of();
  const LocalId p = bind(named->text, player_type(), named->range);
  Block body;
  deal_cards(node, 0, body);
  Stmt* s =
      emit(out, StmtKind::each, node->range,
           {make(ExprKind::players_in, set_type(player_type()), node->range), nullptr, start_of(nullptr, node->range)});
  s->local = p;
  s->value = 1;
  s->blocks = {std::move(body)};
}

// `deal Colour to each p.colour`: to everybody another one.
void Analysis::deal_constants(const Node* node, Block& out) {
  const view::deal_stmt its(node);
  const Node *what = its.what(), *to = its.to();
  const auto e = what->kind == NodeKind::name_ref ? enum_names_.find(what->text) : enum_names_.end();
  if (e == enum_names_.end()) {
    const bool deck = what->kind == NodeKind::name_ref && decks_.contains(what->text);
    error(Code::wrong_type, what->range, deck ? "how many of this deck" : "the constants of an enum are dealt so",
          deck ? fmt::format("`deal 1 of {} to each {}.{}`", what->text, view::member(to).of()->text, to->text)
               : "`deal Colour to each p.colour`");
    return;
  }
  const Type element = enum_type(e->second);
  if (static_cast<Int>(model_->enums[e->second].constants.size()) < players_) {
    error(Code::wrong_arguments, what->range,
          fmt::format("`{}` has {} constants, and there are {} players", what->text,
                      model_->enums[e->second].constants.size(), players_));
    return;
  }
  Scoped scope(*rule_);
  const Expr* left_first = universe(element, what->range);
  const LocalId left = add_local("", set_type(element), what->range);
  emit(out, StmtKind::let, node->range, {left_first})->local = left;
  const LocalId p = bind(view::member(to).of()->text, player_type(), view::member(to).of()->range);
  const Expr* variable = expr(to);
  if (is_poison(variable)) return;
  if (variable->kind != ExprKind::variable || variable->args.size() != 1 || !same_type(variable->type, element)) {
    error(Code::wrong_type, to->range, fmt::format("a variable of players that holds a `{}` is needed", what->text),
          "`deal Colour to each p.colour`");
    return;
  }
  if (model_->variables[variable->ref].visibility != model::Visibility::open) {
    error(Code::wrong_type, to->range, "what is secret is dealt from a deck, so that it is known what others may have",
          fmt::format("`deck Box: {} {{ … }}`, `deal 1 of Box to p.{}`", what->text, to->text));
    return;
  }
  Block body;
  const LocalId x = add_local("", element, what->range);
  emit(body, StmtKind::let, node->range,
       {make(ExprKind::pick_random, element, node->range, {local(left, node->range)})})
      ->local = x;
  emit(body, StmtKind::assign_variable, node->range, {local(p, node->range), local(x, node->range)})->ref =
      variable->ref;
  emit(body, StmtKind::assign_local, node->range,
       {make(ExprKind::set_minus, set_type(element), node->range,
             {local(left, node->range),
              make(ExprKind::set_of_one, set_type(element), node->range, {local(x, node->range)})})})
      ->local = left;
  Stmt* s =
      emit(out, StmtKind::each, node->range,
           {make(ExprKind::players_in, set_type(player_type()), node->range), nullptr, start_of(nullptr, node->range)});
  s->local = p;
  s->value = 1;
  s->blocks = {std::move(body)};
}

void Analysis::deal_cards(const Node* node, std::int64_t bits, Block& out) {
  const Node *what = view::deal_stmt(node).what(), *from = view::deal_stmt(node).from(),
             *to = view::deal_stmt(node).to();
  if (!what || !to) return;
  if ((node->number & 1) && to->kind != NodeKind::member) {   // deal 7 from stock to each hand
    const Expr* n = integer(what);
    auto source = from ? zone_place(from, true) : std::nullopt;
    if (!from) error(Code::wrong_arguments, node->range, "deal from which pile", "`deal 7 from stock to each hand`");
    auto z = player_zones_.find(to->text);
    if (z == player_zones_.end()) {
      std::vector<std::string> names;
      for (const auto& [k, id] : player_zones_) names.push_back(k);
      error(Code::unknown_name, to->range, fmt::format("no zone of players is named `{}`", to->text),
            did_you_mean(to->text, names));
      return;
    }
    if (!source || is_poison(n)) return;
    fits_slot(model::ZoneId{z->second}, n);
    Stmt* s = emit(out, StmtKind::deal_each, node->range,
                   {source->place.owner, n, make(ExprKind::players_in, set_type(player_type()), node->range),
                    start_of(nullptr, node->range)});
    s->ref = source->place.zone.index;
    s->value =
        z->second |
        facing_in(model::ZoneId{static_cast<std::uint32_t>(z->second)}, (bits & 4) != 0, (bits & 8) != 0, node->range)
            << 32;
    return;
  }
  const bool pool = from && (node->number & 2) && from->kind == NodeKind::name_ref && decks_.contains(from->text) &&
                    decks_.find(from->text)->second.pool;
  if (from && !pool) {
    auto source = zone_place(from, true);
    auto target = zone_place(to, true);
    const Expr* n = integer(what);
    if (!source || !target || is_poison(n)) return;
    if (model_->zones[source->place.zone.index].shape != model::ZoneShape::pile) {
      error(Code::bad_zone, from->range, "cards are dealt from a pile");
      return;
    }
    fits_slot(target->place.zone, n);
    Stmt* s = emit(out, StmtKind::draw_to, node->range,
                   {source->place.owner, source->place.copy, n, target->place.owner, target->place.copy});
    s->ref = source->place.zone.index;
    s->value = target->place.zone.index | facing_in(target->place.zone, (bits & 4) != 0, (bits & 8) != 0, node->range)
                                              << 32;
    return;
  }
  const Expr* variable = expr(to);
  if (is_poison(variable)) return;
  if (variable->kind != ExprKind::variable || variable->type.kind != TypeKind::enumeration) {
    error(Code::wrong_type, to->range, "a role or character is dealt to a variable", "`deal 1 of Roles to p.role`");
    return;
  }
  std::optional<std::uint32_t> id;
  const Expr* value = nullptr;
  if (pool) {
    id = decks_.find(from->text)->second.pool->index;
    auto n = fixed_int(what, false);
    if (!n || *n != 1) error(Code::wrong_arguments, what->range, "one is dealt at a time");
  } else {
    const Type wanted = variable->type;
    value = expr(what, &wanted);
    if (is_poison(value)) return;
    Type lenient = wanted;
    lenient.optional = true;
    value = convert(value, lenient);
    if (is_poison(value)) return;
    for (std::uint32_t p = 0; p < model_->pools.size(); ++p)
      if (model_->pools[p].element.index == wanted.ref) id = id ? ~0u : p;
    if (!id || *id == ~0u) {
      error(Code::wrong_arguments, node->range,
            id ? "there are several decks this could come from"
               : fmt::format("there is no deck of `{}`", model_->enums[wanted.ref].name),
            "`deal 1 of Roles to p.role`");
      return;
    }
  }
  if (model_->pools[*id].element.index != variable->type.ref) {
    error(Code::wrong_type, node->range,
          fmt::format("`{}` holds `{}`, and this variable `{}`", model_->pools[*id].name,
                      model_->enums[model_->pools[*id].element.index].name, show(variable->type)));
    return;
  }
  model::Variable& target = model_->variables[variable->ref];
  if (target.dealt_from && target.dealt_from->index != *id)
    error(Code::wrong_arguments, node->range,
          fmt::format("`{}` is dealt from `{}` already, and nobody could tell what was dealt from which", to->text,
                      model_->pools[target.dealt_from->index].name),
          "let one deck hold it all, or give what is dealt from each a variable of its own");
  target.dealt_from = model::PoolId{*id};
  std::vector<const Expr*> exprs{value};
  exprs.insert(exprs.end(), variable->args.begin(), variable->args.end());
  Stmt* s = emit(out, StmtKind::deal_pool, node->range, std::move(exprs));
  s->ref = *id;
  s->value = variable->ref;
}

void Analysis::reveal_stmt(const Node* node, Block& out) {
  if (!effect(node->range, "`reveal`")) return;
  const Expr* e = expr(view::reveal_stmt(node).what());
  if (is_poison(e)) return;
  const Type elem = e->type.kind == TypeKind::set ? element_type(e->type) : e->type;
  if (elem.kind == TypeKind::card) {
    emit(out, StmtKind::reveal_cards, node->range, {e});
    return;
  }
  const auto revealed = [&](const Expr* one, Block& into) {
    emit(into, StmtKind::reveal_variable, node->range, one->args)->ref = one->ref;
  };
  if (show_dice(e, node->range, out, revealed) || show_variables(e, node->range, out, revealed)) return;
  error(Code::wrong_type, view::reveal_stmt(node).what()->range,
        fmt::format("cards and secret variables are revealed, not a `{}`", show(e->type)));
}

// A variable, or all that a record or a table holds; false if `e` is none.
bool Analysis::show_variables(const Expr* e, Range range, Block& out,
                              const std::function<void(const Expr*, Block&)>& show_one) {
  const std::vector<const Expr*> fields = fields_of(e);
  if (fields.empty() || fields[0]->kind != ExprKind::variable) return false;
  if (!can_walk_entries({fields[0]})) {
    error(Code::wrong_type, e->range, "one entry of this table is shown at a time",
          "its keys are too many to go through all of them");
    return true;
  }
  for (const Expr* f : fields) {
    if (model_->variables[f->ref].visibility == model::Visibility::open)
      suspect(Code::without_effect, range, true, fmt::format("`{}` is public anyway", model_->variables[f->ref].name));
    each_entry({f}, range, out, [&](const auto& entry, Block& into) { show_one(entry[0], into); });
  }
  return true;
}

void Analysis::peek_stmt(const Node* node, Block& out) {
  if (!effect(node->range, "`peek`")) return;
  std::size_t n = node->children.size();
  const Expr* who = nullptr;
  if (node->number == 1 && n > 0) who = player(node->child(--n), true);
  else who = decider(nullptr, node->range);
  for (std::size_t i = 0; i < n; ++i) {
    const Expr* e = expr(node->child(i));
    if (is_poison(e) || is_poison(who)) continue;
    const Type elem = e->type.kind == TypeKind::set ? element_type(e->type) : e->type;
    const auto peeked = [&](const Expr* one, Block& into) {
      std::vector<const Expr*> exprs{who};
      exprs.insert(exprs.end(), one->args.begin(), one->args.end());
      emit(into, StmtKind::peek_variable, node->range, std::move(exprs))->ref = one->ref;
    };
    if (elem.kind != TypeKind::card &&
        (show_dice(e, node->range, out, peeked) || show_variables(e, node->range, out, peeked)))
      continue;
    if (elem.kind != TypeKind::card) {
      error(Code::wrong_type, node->child(i)->range,
            fmt::format("one peeks at cards and secret variables, not at a `{}`", show(e->type)));
      continue;
    }
    emit(out, StmtKind::peek_cards, node->range, {who, e});
  }
}

// ---------------------------------------------------------------- leaving, telling

void Analysis::end_stmt(const Node* node, Block& out) {
  if (!effect(node->range, "`end`")) return;
  const std::string_view name = node->text;
  if (name == "play" || name == "game") {
    emit(out, StmtKind::end_play, node->range);
    return;
  }
  const auto in_windows = [&](const auto& is) {
    return !rule_->late && !rule_->windows.empty() && std::all_of(rule_->windows.begin(), rule_->windows.end(), is);
  };
  const auto in_phases = [&](std::string_view phase) {
    return in_windows([&](model::WindowId w) {
      return model_->windows[w.index].phase && (phase.empty() || model_->windows[w.index].name == phase);
    });
  };
  auto w = window_names_.find(name);
  if (node->number == 0 && w != window_names_.end() && !model_->windows[w->second].phase) {
    Stmt* s = emit(out, StmtKind::end_window, node->range);
    s->ref = w->second;
    s->value = in_windows([&](model::WindowId id) { return id.index == w->second; });
    return;
  }
  const auto e = event_names_.find(name);
  const auto phase = phase_names_.find(name);
  const auto of_rule = [&](const std::vector<std::uint32_t>& ids) {
    return !rule_->late && rule_->event && std::find(ids.begin(), ids.end(), *rule_->event) != ids.end();
  };
  if (phase != phase_names_.end() && (node->number == 1 || e == event_names_.end() || of_rule(phase->second))) {
    Stmt* s = emit(out, StmtKind::end_event, node->range);
    s->ref = phase->second.front();
    s->value = of_rule(phase->second) || in_phases(name);
    return;
  }
  if (node->number == 0 && e != event_names_.end()) {
    Stmt* s = emit(out, StmtKind::end_event, node->range);
    s->ref = e->second.front();
    s->value = of_rule(e->second) || (name == "turn" && rule_->in_turn && !rule_->late);
    return;
  }
  if (node->number == 0 && name == "phase" && !phase_names_.empty()) {
    const bool in_phase = !rule_->late && rule_->event && model_->events[*rule_->event].kind == model::EventKind::phase;
    emit(out, StmtKind::end_phase, node->range)->value = in_phase || in_phases("");
    return;
  }
  if (silent_if_absent(node)) return;
  std::vector<std::string> names{"play", "phase", "turn", "round"};
  for (const auto& [n, ids] : phase_names_) names.push_back(n);
  for (const auto& [n, id] : window_names_) names.push_back(n);
  for (const auto& [n, id] : event_names_) names.push_back(n);
  error(Code::unknown_name, node->range, fmt::format("there is no event, window or phase `{}` to end", name),
        did_you_mean(name, names));
}

std::string Analysis::filled_in(const Node* text, const std::function<std::string(Range, std::string_view)>& part) {
  std::string shown;
  const std::string_view source = diagnostics_.sources().text(text->range);
  for (std::size_t i = 1; i + 1 < source.size(); ++i) {
    const bool escaped = source[i] == '\\' && i + 2 < source.size();
    i += escaped;
    const std::size_t end = escaped || source[i] != '{' ? std::string_view::npos : end_of_filled_in(source, i + 1);
    if (end == std::string_view::npos) {
      shown += source[i];
      if (source[i] == '{') shown += '{';
      continue;
    }
    const Range at{text->range.source, text->range.begin + static_cast<std::uint32_t>(i) + 1,
                   text->range.begin + static_cast<std::uint32_t>(end)};
    shown += part(at, source.substr(i + 1, end - i - 1));
    i = end;
  }
  return shown;
}

const Expr* Analysis::text_part(Range at) {
  Node* part = parse::parse_expression(at, diagnostics_, const_cast<Ruleset&>(ruleset_).arena);
  if (!part) {
    ++errors_;
    return nullptr;
  }
  name_after_boards(const_cast<Ruleset&>(ruleset_), *part);
  const Expr* e = expr(part);
  const auto shown = [](const Expr* x) {
    return x->type.kind != TypeKind::list && x->type.kind != TypeKind::map && x->type.kind != TypeKind::nothing;
  };
  const std::vector<const Expr*> fields = fields_of(e);
  if (shown(e) && std::all_of(fields.begin(), fields.end(), shown)) return e;
  error(Code::wrong_type, at, "a text can't show this: it has neither one value nor a set of them");
  return nullptr;
}

// `{}`, or of a record `gold {}, silver {}`.
std::string Analysis::shown_part(const Expr* e, std::vector<const Expr*>& parts) const {
  if (e->kind != ExprKind::record) {
    parts.push_back(e);
    return "{}";
  }
  std::string text;
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    const std::string field = shown_part(e->args[i], parts);
    text += fmt::format("{}{} {}", i ? ", " : "", model_->records[e->type.ref].fields[i].name,
                        e->args[i]->kind == ExprKind::record ? "(" + field + ")" : field);
  }
  return text;
}

const Expr* Analysis::filled_text(const Node* text) {
  std::vector<const Expr*> parts;
  std::string shown = filled_in(text, [&](Range at, std::string_view) {
    const Expr* e = text_part(at);
    return e ? shown_part(e, parts) : std::string();
  });
  const ExprKind kind = parts.empty() ? ExprKind::constant : ExprKind::text;
  if (parts.empty()) shown = text->text;
  Expr* e = make(kind, plain_type(TypeKind::text), text->range, std::move(parts));
  e->text = std::move(shown);
  return e;
}

std::string Analysis::plain_words(const Node* text) {
  if (!text) return {};
  const auto refuse = [&](Range at, std::string_view) {
    error(Code::brace_as_it_stands, {at.source, at.begin - 1, at.end + 1},
          "this text is shown as it stands, so nothing is filled in here", "write `\\{` for a brace");
    return std::string();
  };
  filled_in(text, refuse);
  return std::string(text->text);
}

// Shown as often as somebody looks, so nothing may happen in it.
const Expr* Analysis::question_text(const Node* text) {
  if (!text) return nullptr;
  Pure pure(*rule_);
  return filled_text(text);
}

void Analysis::log_stmt(const Node* node, Block& out) {
  if (!effect(node->range, "`log`")) return;
  const Node* text = view::log_stmt(node).words();
  if (!text) return;
  std::vector<const Expr*> parts;
  const std::string shown = filled_in(text, [&](Range at, std::string_view) {
    const Expr* e = text_part(at);
    return e ? shown_part(e, parts) : std::string();
  });
  emit(out, StmtKind::log, node->range, std::move(parts))->text = shown;
}

}  // namespace cardwright::sema
