// Builds statements. This file handles control flow (`let`, `if`, `each`, `repeat`, `return`, `end`) and dispatches all
// other statements.
#include "compiler/sema/statements/statements.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/expressions/decided.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/pieces.h"
#include "compiler/sema/expressions/players.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/expressions/texts.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/operations/bounds.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/operations/record_lists.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/operations/tables.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/statements/assign.h"
#include "compiler/sema/statements/board_cards.h"
#include "compiler/sema/statements/choices.h"
#include "compiler/sema/statements/dice.h"
#include "compiler/sema/statements/flow.h"
#include "compiler/sema/statements/likely_mistakes.h"
#include "compiler/sema/statements/moves.h"
#include "compiler/sema/statements/pieces.h"
#include "compiler/sema/statements/records.h"
#include "compiler/sema/statements/texts.h"
#include "compiler/sema/statements/timing.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/nothing.h"
#include "compiler/sema/symbols/texts.h"
#include "compiler/sema/symbols/types.h"
#include "support/filled.h"

namespace cardwright::sema {

static void if_stmt(RuleContext& rule, const Node* node, Block& out);
static void each_stmt(RuleContext& rule, const Node* node, Block& out);
static void each_gen(RuleContext& rule, const Node* node, std::size_t gen, Block& out);
static void repeat_stmt(RuleContext& rule, const Node* node, Block& out);
static void yield_stmt(RuleContext& rule, const Node* node, Block& out);
static void return_stmt(RuleContext& rule, const Node* node, Block& out);
static const Expr* return_text(RuleContext& rule, const Node* text, const Type& of);
// Returns the `replace play` of a house file that applies to a rule of its base game at this place, or null.
static const Node* replacing_flow(const SemaContext& sema, Range place) {
  std::uint32_t depth = 0;
  for (const Unit& u : sema.ruleset.units)
    if (u.root && u.root->range.source == place.source) depth = u.depth;
  for (const Unit& u : sema.ruleset.units)
    for (const Node* n : u.root->children) {
      const Node* of = n && n->kind == NodeKind::replace_decl ? view::replace_decl(n).declaration() : nullptr;
      if (of && of->kind == NodeKind::play_flow && u.depth > depth) return n;
    }
  return nullptr;
}

static void end_stmt(RuleContext& rule, const Node* node, Block& out);

void statements(RuleContext& rule, const Node* list, Block& out, std::size_t from) {
  if (!list || ++rule.sema.depth > 450) {
    if (list) --rule.sema.depth;
    return;
  }
  const bool tail = rule.tail;
  const Node* left_by = nullptr;   // the preceding statement, if it makes the current one unreachable
  const std::span<Node* const> all = list->children.subspan(std::min(from, list->children.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    rule.tail = tail && i + 1 == all.size();
    const Node* node = all[i];
    if (!node) continue;
    check_for_mistakes(rule.sema, node, left_by);
    statement(rule, node, out);
    left_by = leaves(out) && !is_decided_by_options(rule.sema, node) ? node : nullptr;
  }
  rule.tail = tail;
  --rule.sema.depth;
}

void scoped(RuleContext& rule, const Node* list, Block& out) {
  Scoped scope(rule);
  statements(rule, list, out);
}

bool leaves(const Block& block) {
  if (block.empty()) return false;
  const Stmt* s = block.back();
  switch (s->kind) {
    case StmtKind::return_value:
    case StmtKind::stop:
    case StmtKind::next:
    case StmtKind::cancel:
    case StmtKind::end_event:
    case StmtKind::end_window:
    case StmtKind::end_phase:
    case StmtKind::end_play: return true;
    case StmtKind::if_else:
    case StmtKind::choose:   // the blocks for a chosen option and for a player who declines
      return s->blocks.size() > 1 && leaves(s->blocks[0]) && leaves(s->blocks[1]);
    default: return false;
  }
}

// Builds `stop` and `next`.
static void leave_loop(RuleContext& rule, const Node* node, Block& out) {
  if (!rule.loops) {
    error(rule.sema, "misplaced"_code, node->range,
          fmt::format("`{}` outside a loop", node->kind == NodeKind::stop_stmt ? "stop" : "next"));
    return;
  }
  emit(rule.sema, out, node->kind == NodeKind::stop_stmt ? StmtKind::stop : StmtKind::next, node->range);
}

static void proceed_stmt(RuleContext& rule, const Node* node, Block& out) {
  const bool returns = rule.tail && rule.result.kind != TypeKind::nothing;
  const Expr* e = returns ? value_in_statement(rule, node, nullptr, out) : proceed(rule, node, true);
  if (!is_poison(e))
    emit(rule.sema, out, returns ? StmtKind::return_value : StmtKind::evaluate, node->range, fields_of(e));
}

static void cancel_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!rule.instead) {
    error(rule.sema, "misplaced"_code, node->range, "`cancel` outside an `instead of`",
          "to leave an event early, write `return` or `end …`");
    return;
  }
  if (rule.event) {
    model::Event& e = rule.model.events[*rule.event];
    if (e.result.kind != TypeKind::nothing && !e.result.optional && e.result.kind != TypeKind::set && e.gives.empty() &&
        e.kind == model::EventKind::plain)
      error(rule.sema, "no_result"_code, node->range,
            fmt::format("`{}` must return `{}`, so it can't be canceled", e.name, show(rule.sema, e.result)),
            "make its result type optional with `?`");
  }
  emit(rule.sema, out, StmtKind::cancel, node->range);
}

static void bare_stmt(RuleContext& rule, const Node* node, std::string_view what, StmtKind kind, Block& out) {
  if (effect(rule, node->range, what)) emit(rule.sema, out, kind, node->range);
}

// Returns the set of players in all these teams.
static const Expr* players_of_teams(RuleContext& rule, const Expr* teams) {
  const LocalId t = add_local(rule, "", element_type(teams->type), teams->range);
  Expr* all = make(
      rule.sema, ExprKind::aggregate, set_type(player_type()), teams->range,
      {teams, nullptr,
       make(rule.sema, ExprKind::team_players, set_type(player_type()), teams->range, {local(rule, t, teams->range)})});
  all->local = t;
  all->value = Int(model::Aggregate::set_union);
  return all;
}

static void winners_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::winners_stmt its(node);
  if (!effect(rule, node->range, "`winners`")) return;
  const Expr* who = expr(rule, its.winners());
  // A team denotes the set of its players.
  if (is_team(rule.sema, who->type))
    who = make(rule.sema, ExprKind::team_players, set_type(player_type()), who->range, {who});
  who = as_set(rule.sema, who);
  if (is_poison(who)) return;
  if (is_team(rule.sema, element_type(who->type))) who = players_of_teams(rule, who);
  if (element_type(who->type).kind != TypeKind::player && element_type(who->type).kind != TypeKind::nothing) {
    error(rule.sema, "wrong_type"_code, its.winners()->range,
          fmt::format("expected players, found `{}`", show(rule.sema, who->type)));
    return;
  }
  emit(rule.sema, out, StmtKind::winners, node->range, {who})->text = plain_words(rule.sema, its.why());
}

static void afterwards_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`afterwards`")) return;
  Block body;
  const int loops = std::exchange(rule.loops, 0);
  const bool tail = std::exchange(rule.tail, false), late = std::exchange(rule.late, true),
             deferred = std::exchange(rule.deferred, true);
  const std::vector<KnownCard> known_now = rule.known_cards;
  forget_stored_cards(rule);
  scoped(rule, view::afterwards_stmt(node).body(), body);
  rule.known_cards = known_now;
  rule.loops = loops;
  rule.tail = tail;
  rule.late = late;
  rule.deferred = deferred;
  emit(rule.sema, out, StmtKind::afterwards, node->range)->blocks = {body};
}

static const Node* flow_within(const Node* node) {
  if (!node) return nullptr;
  if (node->kind == NodeKind::turns_stmt || node->kind == NodeKind::rounds_stmt || node->kind == NodeKind::phase_stmt)
    return node;
  for (const Node* c : node->children)
    if (const Node* found = flow_within(c)) return found;
  return nullptr;
}

static void together_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`together`")) return;
  if (const Node* flow = flow_within(node)) {
    error(rule.sema, "flow_in_together"_code, first_word(rule.sema, flow),
          "turns, rounds and phases are not allowed in `together`", "write `together { … }` inside the phase");
    return;
  }
  Block body;
  scoped(rule, view::together_stmt(node).body(), body);
  emit(rule.sema, out, StmtKind::together, node->range)->blocks = {body};
}

static void shuffle_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::shuffle_stmt its(node);
  if (!effect(rule, node->range, "`shuffle`")) return;
  auto w = zone_place(rule, its.into() ? its.into() : its.what(), true);
  if (!w) return;
  if (its.into()) {   // `shuffle waste into stock`
    const Expr* cards = as_set(rule.sema, expr(rule, its.what()));
    if (is_poison(cards)) return;
    if (element_type(cards->type).kind != TypeKind::card) {
      error(rule.sema, "wrong_type"_code, its.what()->range,
            fmt::format("expected cards, found `{}`", show(rule.sema, cards->type)));
      return;
    }
    cards = off_board(rule, cards, node->range, out);
    Stmt* s = emit(rule.sema, out, StmtKind::move, node->range, {cards, w->place.owner, w->place.copy, nullptr});
    s->ref = w->place.zone.index;
  }
  emit(rule.sema, out, StmtKind::shuffle, node->range, {w->place.owner, w->place.copy})->ref = w->place.zone.index;
}

static void turn_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (node->text == "to") return turn_to(rule, node, out);
  if (!effect(rule, node->range, "turning a card")) return;
  const Expr* e = expr(rule, view::turn_stmt(node).what());
  if (is_poison(e)) return;
  const Type elem = e->type.kind == TypeKind::set ? element_type(e->type) : e->type;
  if (elem.kind != TypeKind::card) {
    error(rule.sema, "wrong_type"_code, view::turn_stmt(node).what()->range,
          fmt::format("expected cards, found `{}`", show(rule.sema, e->type)),
          dice_of(rule.sema, e->type) ? "to turn a die, write `turn d to 5`" : "");
    return;
  }
  if (e->kind == ExprKind::zone && rule.model.board_cards && e->ref == rule.model.board_cards->zone.index)
    return void(error(rule.sema, "wrong_type"_code, view::turn_stmt(node).what()->range,
                      "cards on a board are always faceup, so they can't be turned"));
  const auto turned = [&](bool up, Block& into) {
    emit(rule.sema, into, StmtKind::turn_cards, node->range, {e})->value = up;
  };
  if (view::turn_stmt(node).facing())
    facing(rule, view::turn_stmt(node).facing(), out, turned);
  else
    turned(node->text == "faceup", out);
}

static void eliminate_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`eliminate`")) return;
  const Expr* p = player(rule, view::eliminate_stmt(node).player(), true);
  if (!is_poison(p)) emit(rule.sema, out, StmtKind::eliminate, node->range, {p});
}

static void call_stmt(RuleContext& rule, const Node* node, Block& out) {
  const Node* c = view::call_stmt(node).call();
  if (!c) return;
  if (c->kind == NodeKind::call) {
    const Expr* e = call(rule, c, true);
    if (!is_poison(e)) emit(rule.sema, out, StmtKind::evaluate, node->range, {e});
    return;
  }
  if (c->kind != NodeKind::roll_expr || !rolls_dice(rule, c, out)) expr(rule, c);
}

void statement(RuleContext& rule, const Node* node, Block& out) {
  constexpr std::size_t kMostNames = 4000;
  if (rule.body && rule.body->locals.size() > kMostNames) {
    error(rule.sema, "limit_exceeded"_code, rule.body->locals[kMostNames].range,
          fmt::format("too many local variables in this rule; the limit is {}", kMostNames),
          "each field of a record counts; move a part into a separate event");
    return;
  }
  switch (node->kind) {
    case NodeKind::block:
    case NodeKind::list: return scoped(rule, node, out);
    case NodeKind::let_stmt: return let_stmt(rule, node, out);
    case NodeKind::field: return let_stmt(rule, node, out);
    case NodeKind::if_stmt: return if_stmt(rule, node, out);
    case NodeKind::each_stmt: return each_stmt(rule, node, out);
    case NodeKind::repeat_stmt: return repeat_stmt(rule, node, out);
    case NodeKind::while_stmt:
      error(rule.sema, "unbounded"_code, first_word(rule.sema, node), "unbounded loop",
            "write `repeat up to 20 times while C { }`");
      return;
    case NodeKind::return_stmt: return return_stmt(rule, node, out);
    case NodeKind::yield_stmt: return yield_stmt(rule, node, out);
    case NodeKind::stop_stmt:
    case NodeKind::next_stmt: return leave_loop(rule, node, out);
    case NodeKind::proceed_stmt: return proceed_stmt(rule, node, out);
    case NodeKind::cancel_stmt: return cancel_stmt(rule, node, out);
    case NodeKind::checkpoint_stmt: return bare_stmt(rule, node, "`checkpoint`", StmtKind::checkpoint, out);
    case NodeKind::check_end_stmt: return bare_stmt(rule, node, "`check end`", StmtKind::check_end, out);
    case NodeKind::place_stmt: return place_stmt(rule, node, out);
    case NodeKind::lift_stmt: return lift_stmt(rule, node, out);
    case NodeKind::end_stmt: return end_stmt(rule, node, out);
    case NodeKind::winners_stmt: return winners_stmt(rule, node, out);
    case NodeKind::afterwards_stmt: return afterwards_stmt(rule, node, out);
    case NodeKind::together_stmt: return together_stmt(rule, node, out);
    case NodeKind::ask_stmt: return ask_stmt(rule, node, out);
    case NodeKind::open_expr: {
      const Expr* e = open_window(rule, node, true);
      if (!is_poison(e)) emit(rule.sema, out, StmtKind::evaluate, node->range, {e});
      return;
    }
    case NodeKind::move_stmt: return move_stmt(rule, node, out);
    case NodeKind::deal_stmt: return deal_stmt(rule, node, out);
    case NodeKind::shuffle_stmt: return shuffle_stmt(rule, node, out);
    case NodeKind::turn_over_stmt: return turn_over(rule, node, out);
    case NodeKind::reveal_stmt: return reveal_stmt(rule, node, out);
    case NodeKind::peek_stmt: return peek_stmt(rule, node, out);
    case NodeKind::arrange_stmt: return arrange_stmt(rule, node, out);
    case NodeKind::turn_stmt: return turn_stmt(rule, node, out);
    case NodeKind::eliminate_stmt: return eliminate_stmt(rule, node, out);
    case NodeKind::swap_stmt: return swap_stmt(rule, node, out);
    case NodeKind::log_stmt: return log_stmt(rule, node, out);
    case NodeKind::choose_stmt: return choose_stmt(rule, node, out);
    case NodeKind::choose_one_stmt: return choose_one_stmt(rule, node, out);
    case NodeKind::may_stmt: return may_stmt(rule, node, out);
    case NodeKind::assign_stmt: return assign_stmt(rule, node, out);
    case NodeKind::call_stmt: return call_stmt(rule, node, out);
    case NodeKind::turns_stmt: return turns_stmt(rule, node, out);
    case NodeKind::rounds_stmt: return rounds_stmt(rule, node, out);
    case NodeKind::phase_stmt: return phase_stmt(rule, node, out);
    case NodeKind::with_stmt:
      if (const auto side = branch(rule.sema, node)) scoped(rule, side->taken, out);
      return;
    case NodeKind::race_clause: return race_clause(rule, node);
    case NodeKind::delay_stmt: return delay_stmt(rule, node, out);
    case NodeKind::pause_stmt: return pause_stmt(rule, node, out);
    case NodeKind::timer_stmt: return timer_stmt(rule, node, out);
    default: error(rule.sema, "misplaced"_code, node->range, "expected a statement");
  }
}

void let_stmt(RuleContext& rule, const Node* node, Block& out) {
  const bool window_field = node->kind == NodeKind::field;
  const bool variable = node->number != 0;
  std::optional<Type> declared;
  if (view::variable(node).type()) declared = type_or_poison(rule.sema, view::variable(node).type());
  const Expr* initial = nullptr;
  if (const Node* value = view::variable(node).initial()) {
    const bool table = declared && declared->kind == TypeKind::map;
    initial = value_in_statement(rule, value, table ? declared->elem.get() : declared ? &*declared : nullptr, out);
    if (declared)
      initial = table ? table_or_entry(rule, initial, *declared, node->text)
                      : convert_in_bounds(rule, initial, *declared, node->text);
  }
  Type t = declared ? *declared : initial ? initial->type : plain_type(TypeKind::poison);
  if (!declared && !initial)
    error(rule.sema, "wrong_type"_code, node->range, fmt::format("missing type or value of `{}`", node->text),
          fmt::format("write `var {}: int = 0`", node->text));
  if (!declared && initial && !is_poison(initial)) {
    if (t.kind == TypeKind::nothing) {
      error(rule.sema, "no_result"_code, node->range,
            t.optional ? fmt::format("missing type of `{}`: the type of `none` is unknown", node->text)
                       : "this does not return a value",
            t.optional ? fmt::format("write `var {}: card? = none`", node->text)
                       : "an event returns a value if it declares a type: `event e(): int`");
      t = plain_type(TypeKind::poison);
    }
    if (variable) t = with_any_numbers(std::move(t));
    if (t.kind == TypeKind::integer && t.optional == false && initial->type.optional) t.optional = true;
    if (t.kind == TypeKind::set && t.elem && t.elem->kind == TypeKind::nothing) {
      error(rule.sema, "wrong_type"_code, node->range,
            fmt::format("missing type of `{}`: the element type of an empty set is unknown", node->text),
            fmt::format("write `var {}: set of card = []`", node->text));
      t = plain_type(TypeKind::poison);
    }
    if (t.kind == TypeKind::text) {
      error(rule.sema, "wrong_type"_code, node->range, "a string can't be stored in a variable");
      t = plain_type(TypeKind::poison);
    }
  }
  if (t.kind == TypeKind::map &&
      !(window_field ? no_table_here(rule.sema, node) : fits_in_rule(rule.sema, t, node->range)))
    t = plain_type(TypeKind::poison);
  if (find_binding(rule, node->text) && !window_field) {
    // Shadowing in the same rule is usually a mistake.
    const Binding* outer = find_binding(rule, node->text);
    if (outer->local.valid() || outer->value->kind == ExprKind::record)
      error(rule.sema, "duplicate_declaration"_code, node->range,
            fmt::format("duplicate name `{}` in this scope", node->text),
            variable ? "" : fmt::format("to assign to it, write `{} = …`", node->text));
  }
  if (record_in(rule.sema, t)) {
    rule.bindings.push_back({node->text, LocalId{}, let_record(rule, node, t, initial, variable, out)});
    return;
  }
  const LocalId id = bind(rule, node->text, t, node->range);
  if (variable) rule.variables.insert(id.index);
  if (!declared && initial && initial->type.optional && is_soft(rule, initial)) rule.soft.insert(id.index);
  Stmt* s = emit(rule.sema, out, StmtKind::let, node->range, {initial});
  s->local = id;
  if (!initial || initial->kind != ExprKind::open_window || initial->value != 0) return;
  const model::Window& window = rule.model.windows[initial->ref];
  for (std::size_t i = 0; i < window.variables.size(); ++i) {
    const model::Local variable = window.body.locals[window.variables[i].index];
    Expr* left = make(rule.sema, ExprKind::window_left, variable.type, node->range);
    left->ref = initial->ref;
    left->value = static_cast<Int>(i);
    const LocalId stored = add_local(rule, variable.name, variable.type, node->range);
    emit(rule.sema, out, StmtKind::let, node->range, {left})->local = stored;
    rule.opened[id.index].window = initial->ref;
    rule.opened[id.index].variables.push_back({variable.name, stored});
  }
}

static void if_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (auto f = decided(rule.sema, &rule, view::if_stmt(node).condition());
      f && f->kind == TreeConstant::Kind::boolean) {
    scoped(rule, f->value ? view::if_stmt(node).then() : view::if_stmt(node).otherwise(), out);
    return;
  }
  const Expr* c = nullptr;
  Block yes, no;
  std::size_t binding_mark = rule.bindings.size();
  {
    Scoped scope(rule);
    c = condition(rule, view::if_stmt(node).condition());
    bind_witness(rule, view::if_stmt(node).condition(), c, yes);
    narrow(rule, c, true);
    statements(rule, view::if_stmt(node).then(), yes);
  }
  rule.bindings.resize(std::min(binding_mark, rule.bindings.size()));
  {
    Scoped scope(rule);
    narrow(rule, c, false);
    statements(rule, view::if_stmt(node).otherwise(), no);
  }
  const bool yes_leaves = leaves(yes), no_leaves = leaves(no);
  Stmt* s = emit(rule.sema, out, StmtKind::if_else, node->range, {c});
  s->blocks = {std::move(yes), std::move(no)};
  if (yes_leaves) narrow(rule, c, false);
  if (no_leaves) narrow(rule, c, true);
}

// Binds p to the first match in `if any p in players has C { … }` and `end when any p in players has C { … }`.
void bind_witness(RuleContext& rule, const Node* condition, const Expr* c, Block& out) {
  if (!condition || is_poison(c) || condition->kind != NodeKind::quantifier || condition->text != "any" ||
      !view::quantifier(condition).variable())
    return;
  if (c->kind != ExprKind::exists) return;
  // The locals of the sequence still contain the first matching record.
  if (const Expr* sequence = record_sequence(model::view::exists(c).domain())) {
    rule.bindings.push_back({view::quantifier(condition).variable()->text, LocalId{}, yielded_record(rule, sequence)});
    return;
  }
  const auto list = rule.walked_lists.find(c->local.index);
  const Type domain = model::view::exists(c).domain()->type;
  Expr* f = make(rule.sema, ExprKind::filter, filtered(rule, domain, c->local, model::view::exists(c).condition()),
                 condition->range, c->args);
  f->local = c->local;
  const bool of_records = list != rule.walked_lists.end();
  const Type elem = element_type(f->type);
  const LocalId id = of_records ? add_local(rule, "", elem, condition->range)
                                : bind(rule, view::quantifier(condition).variable()->text, elem,
                                       view::quantifier(condition).variable()->range);
  const bool in_list = f->type.kind == TypeKind::list;
  Stmt* s = emit(rule.sema, out, StmtKind::let, condition->range,
                 {make(rule.sema, in_list ? ExprKind::list_end : ExprKind::pick_first, elem, condition->range, {f})});
  s->local = id;
  if (of_records)
    rule.bindings.push_back(
        {view::quantifier(condition).variable()->text, LocalId{},
         let_record(rule, view::quantifier(condition).variable(), *list->second->type.elem,
                    record_at(rule, list->second, local(rule, id, condition->range), condition->range), false, out)});
}

// Returns whether c in `each t in tokens at c` refers to an existing name. Otherwise, c is a new counter.
static bool names_cell(const RuleContext& rule, const Node* node) {
  const Node* domain = view::gen(view::each_stmt(node).generators()->children.back()).domain();
  if (!view::each_stmt(node).at() || !domain || domain->kind != NodeKind::name_ref) return false;
  const auto pieces = area_named(rule.sema, domain->text);
  const std::string_view name = node->text;
  return pieces && rule.sema.areas.all[*pieces].piece &&
         (find_binding(rule, name) || rule.sema.names.table_variables.contains(name) ||
          rule.sema.names.constants.contains(name) || rule.sema.constants.declared.contains(name));
}

static void each_stmt(RuleContext& rule, const Node* node, Block& out) {
  const Node* gens = view::each_stmt(node).generators();
  if (!gens || gens->children.empty()) return;
  Scoped scope(rule);
  rule.each_index = {};
  if (!node->text.empty() && !names_cell(rule, node)) {   // must be checked before the counter is bound
    const LocalId i = bind(rule, node->text, integer_type(), node->range);
    emit(rule.sema, out, StmtKind::let, node->range, {integer_constant(rule.sema, -1, node->range)})->local = i;
    rule.each_index = i;
  }
  const bool tail = std::exchange(rule.tail, false);
  each_gen(rule, node, 0, out);
  rule.tail = tail;
}

static void each_gen(RuleContext& rule, const Node* node, std::size_t gen, Block& out) {
  const Node* gens = view::each_stmt(node).generators();
  const Node* g = view::list(gens).items(gen);
  if (!g || !view::gen(g).domain()) return;
  const bool last = gen + 1 == gens->children.size();
  const Node* domain = view::gen(g).domain();
  const bool at_cell = last && !node->text.empty() && !rule.each_index.valid();
  const auto body = [&](Block& into) {
    if (!last) return each_gen(rule, node, gen + 1, into);
    if (!node->text.empty() && !at_cell) {
      const LocalId i = rule.each_index;
      emit(rule.sema, into, StmtKind::assign_local, node->range,
           {make(rule.sema, ExprKind::add, integer_type(), node->range,
                 {local(rule, i, node->range), integer_constant(rule.sema, 1, node->range)})})
          ->local = i;
    }
    statements(rule, view::each_stmt(node).body(), into);
  };
  Scoped scope(rule);
  rule.walked = domain;
  const Expr* s = at_cell
                      ? pieces_where(rule, domain, view::each_stmt(node).at(), true, view::each_stmt(node).at()->range)
                      : expr(rule, domain);
  if (is_poison(s)) {
    // Builds the body despite the error, so that errors in the body are also reported.
    bind(rule, g->text, plain_type(TypeKind::poison), g->range);
    Block lost;
    ++rule.loops;
    body(lost);
    --rule.loops;
    return;
  }
  forget_assigned(rule, view::each_stmt(node).body());
  if (s->type.kind != TypeKind::list) s = as_set(rule.sema, s);
  const bool listed = element_type(s->type).kind == TypeKind::listed;
  if (view::gen(g).after() && !listed) s = later_than(rule, view::gen(g).after(), s);
  if (is_poison(s)) return;
  const bool in_list = s->type.kind == TypeKind::list;
  const Type elem = is_record_list(rule.sema, s->type) ? integer_type() : *s->type.elem;
  const Expr* start = nullptr;
  bool clockwise = false;
  if (in_list && view::each_stmt(node).from())
    error(rule.sema, "wrong_type"_code, view::each_stmt(node).from()->range,
          "`from` is not allowed in a loop over a list");
  if (elem.kind == TypeKind::player && !in_list) {
    clockwise = true;
    if (view::each_stmt(node).from())
      start = player(rule, view::each_stmt(node).from(), true);
    else
      start = start_of(rule, domain, domain->range);
  } else if (view::each_stmt(node).from()) {
    error(rule.sema, "wrong_type"_code, view::each_stmt(node).from()->range,
          "`from` is only allowed in a loop over players");
  }
  const Walked w = walked_through(rule, s, g->text, g->range, &out);
  const LocalId x = w.local;
  s = w.domain;
  if (always_on_board(rule, *s)) rule.narrowed.push_back(key_of(place_of(rule, local(rule, x, g->range), g->range)));
  const Expr* where = view::gen(g).after() && listed ? listed_after(rule, view::gen(g).after(), x, g->range) : nullptr;
  if (last && view::each_stmt(node).where()) {
    Pure pure(rule);
    rule.elements.push_back({w.element, true});
    where = both(rule.sema, where, condition(rule, view::each_stmt(node).where()));
    rule.elements.pop_back();
    narrow(rule, where, true);
  }
  Block inner;
  ++rule.loops;
  body(inner);
  --rule.loops;
  Stmt* loop = emit(rule.sema, out, StmtKind::each, node->range, {s, where, start});
  loop->local = x;
  loop->value = clockwise ? 1 : 0;
  loop->blocks = {std::move(inner)};
}

static void repeat_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::repeat_stmt its(node);
  const Expr* n = integer(rule, its.count());
  const Expr* c = nullptr;
  Block body;
  {
    Scoped scope(rule);
    forget_assigned(rule, its.body());
    if (its.condition()) {
      c = condition(rule, its.condition());
      narrow(rule, c, true);
    }
    ++rule.loops;
    const bool tail = std::exchange(rule.tail, false);
    statements(rule, its.body(), body);
    rule.tail = tail;
    --rule.loops;
  }
  if (is_poison(n) || (c && is_poison(c))) return;
  Stmt* s = emit(rule.sema, out, StmtKind::repeat, node->range, {n, c});
  s->value = node->number;
  s->blocks = {std::move(body)};
}

static void yield_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!rule.yields) {
    error(rule.sema, "misplaced"_code, node->range, "`yield` outside a sequence",
          "declare a sequence: `sequence name(…): TYPE { … }`");
    return;
  }
  const Type wanted = *rule.yields;
  emit(rule.sema, out, StmtKind::yield_value, node->range,
       fields_of(convert_in_bounds(rule, expr(rule, view::yield_stmt(node).value(), &wanted), wanted, "",
                                   fmt::format("the yielded value of `{}`", rule.result_of))));
}

static void return_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (rule.ending || (!rule.event && !rule.window && !rule.infer_result && rule.result.kind == TypeKind::nothing &&
                      view::return_stmt(node).value())) {
    error(rule.sema, "misplaced"_code, node->range, "a value can't be returned here");
    return;
  }
  if (!view::return_stmt(node).value()) {
    if (rule.result.kind != TypeKind::nothing && rule.result.kind != TypeKind::poison && !rule.result.optional &&
        !rule.instead)
      error(rule.sema, "no_result"_code, node->range,
            fmt::format("expected a result of type `{}`", show(rule.sema, rule.result)));
    emit(rule.sema, out, StmtKind::return_value, node->range, {nullptr});
    return;
  }
  if (rule.infer_result) {
    const Expr* e = expr(rule, view::return_stmt(node).value());
    if (is_poison(e)) {
      rule.infer_seen = true;
      emit(rule.sema, out, StmtKind::return_value, node->range, {e});
      return;
    }
    if (rule.infer_seen) {
      auto t = common(rule.sema, rule.result, e->type);
      if (t)
        rule.result = *t;
      else
        error(rule.sema, "wrong_type"_code, view::return_stmt(node).value()->range,
              fmt::format("conflicting result types `{}` and `{}`", show(rule.sema, e->type),
                          show(rule.sema, rule.result)));
    } else {
      rule.result = e->type;
      rule.infer_seen = true;
    }
    emit(rule.sema, out, StmtKind::return_value, node->range, {e})->why =
        return_text(rule, view::return_stmt(node).why(), e->type);
    return;
  }
  if (rule.result.kind == TypeKind::nothing) {
    error(rule.sema, "no_result"_code, view::return_stmt(node).value()->range, "missing result type",
          "write the type after the parentheses: `event e(): int`");
    return;
  }
  const Type wanted = rule.result;
  const Expr* e =
      convert(rule, value_in_statement(rule, view::return_stmt(node).value(), &wanted, out), wanted, "the result");
  if (rule.checks_result) e = in_bounds(rule.sema, e, wanted, result_name(rule.result_of));
  if (const Expr* none = is_poison(e) || wanted.optional ? nullptr : may_be_nothing(e))
    error(rule.sema, "may_be_none"_code, none->range,
          fmt::format("expected `{}`, but this may be none", show(rule.sema, wanted)),
          fmt::format("write a default: `(…) or else 0`, or declare `{}?`", show(rule.sema, wanted)));
  emit(rule.sema, out, StmtKind::return_value, node->range,
       fields_of(rule.part.empty() ? e : field_at(rule.sema, e, rule.part)))
      ->why = return_text(rule, view::return_stmt(node).why(), wanted);
}

// Builds the string in `return false "it is too far"`. The command `why` shows it as the reason for conditions and set
// elements that depend on the result.
static const Expr* return_text(RuleContext& rule, const Node* text, const Type& of) {
  if (!text || of.kind == TypeKind::poison) return nullptr;
  if (!rule.pure || (of.kind != TypeKind::boolean && of.kind != TypeKind::set)) {
    error(rule.sema, "misplaced"_code, text->range, "a reason is only allowed for a condition or a set",
          "use a function or value of type `bool`: `return false \"it is too far\"`");
    return nullptr;
  }
  return filled_text(rule, text);
}

static void end_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`end`")) return;
  const std::string_view name = node->text;
  if (name == "play" || name == "game") {
    emit(rule.sema, out, StmtKind::end_play, node->range);
    return;
  }
  const auto in_windows = [&](const auto& is) {
    return !rule.late && !rule.windows.empty() && std::all_of(rule.windows.begin(), rule.windows.end(), is);
  };
  const auto in_phases = [&](std::string_view phase) {
    return in_windows([&](model::WindowId w) {
      return rule.model.windows[w.index].phase && (phase.empty() || rule.model.windows[w.index].name == phase);
    });
  };
  auto w = rule.sema.names.windows.find(name);
  if (node->number == 0 && w != rule.sema.names.windows.end() && !rule.model.windows[w->second].phase) {
    Stmt* s = emit(rule.sema, out, StmtKind::end_window, node->range);
    s->ref = w->second;
    s->value = in_windows([&](model::WindowId id) { return id.index == w->second; });
    return;
  }
  const auto e = rule.sema.names.events.find(name);
  const auto phase = rule.sema.names.phases.find(name);
  const auto of_rule = [&](const std::vector<std::uint32_t>& ids) {
    return !rule.late && rule.event && std::find(ids.begin(), ids.end(), *rule.event) != ids.end();
  };
  if (phase != rule.sema.names.phases.end() &&
      (node->number == 1 || e == rule.sema.names.events.end() || of_rule(phase->second))) {
    Stmt* s = emit(rule.sema, out, StmtKind::end_event, node->range);
    s->ref = phase->second.front();
    s->value = of_rule(phase->second) || in_phases(name);
    return;
  }
  if (node->number == 0 && e != rule.sema.names.events.end()) {
    Stmt* s = emit(rule.sema, out, StmtKind::end_event, node->range);
    s->ref = e->second.front();
    s->value = of_rule(e->second) || (name == "turn" && rule.in_turn && !rule.late);
    return;
  }
  if (node->number == 0 && name == "phase" && !rule.sema.names.phases.empty()) {
    const bool in_phase = !rule.late && rule.event && rule.model.events[*rule.event].kind == model::EventKind::phase;
    emit(rule.sema, out, StmtKind::end_phase, node->range)->value = in_phase || in_phases("");
    return;
  }
  if (silent_if_absent(rule, node)) return;
  std::vector<std::string> names{"play", "phase", "turn", "round"};
  for (const auto& [n, ids] : rule.sema.names.phases) names.push_back(n);
  for (const auto& [n, id] : rule.sema.names.windows) names.push_back(n);
  for (const auto& [n, id] : rule.sema.names.events) names.push_back(n);
  if (const Node* flow = replacing_flow(rule.sema, node->range)) {
    error(rule.sema, "unknown_name"_code, first_word(rule.sema, flow),
          fmt::format("the new `play` has no {0}, but a rule of the base game ends the {0}", name),
          fmt::format("keep this part of the flow in the new `play`, or also replace that rule, for example with "
                      "`replace action …`"))
        .notes.push_back({node->range, fmt::format("the `{}` ends here", name)});
    return;
  }
  error(rule.sema, "unknown_name"_code, node->range, fmt::format("unknown event, window or phase `{}`", name),
        did_you_mean(name, names));
}

}   // namespace cardwright::sema
