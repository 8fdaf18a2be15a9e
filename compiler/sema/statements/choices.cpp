// Checks statements in which a player decides: `choose`, `may`, `arrange`, and `ask` in windows.
// Input:  statement nodes.
// Output: Model statements.
#include "compiler/sema/statements/choices.h"

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/players.h"
#include "compiler/sema/expressions/texts.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/operations/nouns.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/statements/timing.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

// The sources from which a player chooses.
struct Candidates {
  struct Source {
    const Expr* domain;
    const Node* where_node;
    const Expr* where = nullptr;
  };
  std::vector<Source> sources;
  std::optional<Type> type;   // the common type of all elements
  std::int64_t at_random = 0;   // bit i is set if elements of source i are drawn at random
  std::vector<Int> kinds;   // the card kinds that the noun names
  Range noun;
  bool never_empty = false;
  bool bad = false;
};

static void add_source(RuleContext& rule, const Node* node, const Node* s, Candidates& among) {
  const Node* domain = s ? view::source(s).domain() : nullptr;
  const Node* where = nullptr;
  if (domain && domain->kind == NodeKind::where_expr)
    where = view::where_expr(domain).condition(), domain = view::where_expr(domain).set();
  const bool any_number = domain && domain->kind == NodeKind::range_lit && (node->number & 3) == 0 &&
                          view::choose_stmt(node).sources()->children.size() == 1 && s->number != 1;
  const Expr* d = any_number ? collection(rule, domain) : domain ? set(rule, domain) : poison(rule.sema, node->range);
  if (d->kind == ExprKind::numbers && d->type.elem->hi - d->type.elem->lo > kMostNumbers) {
    error(rule.sema, "bad_choice"_code, domain->range, "the bounds of this range are unknown",
          "declare a type for the number: `gold: 0..50`");
    d = poison(rule.sema, domain->range);
  }
  if (is_poison(d)) {
    among.bad = true;
    return;
  }
  const Type of = element_type(d->type);
  auto t = among.type ? common(rule.sema, *among.type, of) : of;
  if (!t) {
    error(rule.sema, "wrong_type"_code, domain->range,
          fmt::format("sources of type `{}` and `{}` can't be combined in one choice", show(rule.sema, of),
                      show(rule.sema, *among.type)));
    among.bad = true;
    return;
  }
  among.type = *t;
  among.never_empty =
      among.never_empty || (!where && (d->kind == ExprKind::players_in || d->kind == ExprKind::everyone ||
                                       (d->kind == ExprKind::set_constant && !d->values.empty())));
  if (s->number == 1) among.at_random |= std::int64_t{1} << among.sources.size();
  among.sources.push_back({d, where});
}

// Returns the type of the elements of a source that satisfy its conditions.
static Type remaining_type(RuleContext& rule, const Type& domain, LocalId element) {
  const Type of = element_type(domain);
  if (of.kind != TypeKind::card) return of;
  const Type shown = raw_local(rule, element, {})->type;
  return admits(rule.sema, of, shown) ? shown : of;
}

// Checks the `where` conditions and returns the type of the elements that satisfy them. Runs after all sources are
// known, because the type of `it` depends on all of them.
static Type read_conditions(RuleContext& rule, const Node* node, LocalId element, Candidates& among) {
  std::optional<Type> left;
  for (Candidates::Source& source : among.sources) {
    Scoped scope(rule);
    Pure pure(rule);
    if (!among.kinds.empty()) {
      Expr* is = make(rule.sema, ExprKind::counts_as, boolean_type(), among.noun,
                      {local(rule, element, node->range), nullptr});
      is->values = among.kinds;
      source.where = is;
      narrow(rule, is, true);
    }
    if (source.where_node) {
      rule.elements.push_back({local(rule, element, node->range), true});
      source.where = both(rule.sema, source.where, condition(rule, source.where_node));
      among.bad = among.bad || is_poison(source.where);
      narrow(rule, source.where, true);
    }
    const Type own = remaining_type(rule, source.domain->type, element);
    left = left ? common(rule.sema, *left, own).value_or(own) : own;
  }
  return left.value_or(*among.type);
}

// Reads the noun of a choice. `2 Creature` restricts the choice to cards of this type; `2 cards` does not restrict it.
static void read_noun(RuleContext& rule, const Node* noun, Candidates& among) {
  if (!noun || !among.type || among.type->kind == TypeKind::poison) return;
  const Type noun_type = picked_noun(rule, noun);
  if (noun_type.kind == TypeKind::nothing) return;
  if (noun_type.kind == TypeKind::poison) {
    among.bad = true;
    return;
  }
  if (!same_type(rule.sema, noun_type, *among.type)) {
    error(rule.sema, "wrong_type"_code, noun->range,
          fmt::format("expected a source of `{}`, found a set of `{}`", noun->text, show(rule.sema, *among.type)));
    among.bad = true;
    return;
  }
  if (noun_type.kind != TypeKind::card || admits(rule.sema, noun_type, *among.type)) return;
  among.kinds = kinds_in(rule.sema, noun_type);
  among.noun = noun->range;
}

void choose_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::choose_stmt its(node);
  if (!effect(rule, node->range, "a choice")) return;
  const int count_kind = static_cast<int>(node->number & 3);
  const bool may_decline = node->number & 8;
  const Expr* who = decider(rule, its.decider(), node->range);
  const Expr* count = its.count() ? integer(rule, its.count()) : nullptr;
  const Node* sources = its.sources();
  if (!sources || sources->children.empty()) return;
  Candidates among;
  among.bad = is_poison(who) || (count && is_poison(count));
  for (const Node* s : sources->children) add_source(rule, node, s, among);
  if (!among.type) among.type = plain_type(TypeKind::poison);
  read_noun(rule, its.noun(), among);
  const LocalId element = add_local(rule, "it", *among.type, node->range);
  Type t = read_conditions(rule, node, element, among);
  if (count_kind == 0)
    t.optional = t.optional || may_decline || !among.never_empty;
  else if (t.kind != TypeKind::poison)
    t = set_type(t);
  if (const Binding* b = find_binding(rule, node->text); b && b->local.valid())
    error(rule.sema, "duplicate_declaration"_code, node->range,
          fmt::format("duplicate name `{}` in this scope", node->text), "choose another name for the chosen element");
  const LocalId chosen = bind(rule, node->text, t, node->range);
  if (!may_decline) rule.soft.insert(chosen.index);
  const Expr* keeping = nullptr;
  if (its.keeping()) {
    Pure pure(rule);
    keeping = condition(rule, its.keeping());
    among.bad = among.bad || is_poison(keeping);
  }
  std::vector<Block> blocks;
  if (its.taken() || its.declined()) {
    blocks.resize(2);
    {
      Scoped scope(rule);
      rule.narrowed.push_back(fmt::format("l{}", chosen.index));
      statements(rule, its.taken(), blocks[0]);
    }
    scoped(rule, its.declined(), blocks[1]);
  }
  if (among.bad) return;
  std::vector<const Expr*> exprs{convert(rule, who, player_type(true)), count, keeping,
                                 question_text(rule, its.prompt())};
  for (const Candidates::Source& s : among.sources) exprs.push_back(s.domain), exprs.push_back(s.where);
  Stmt* s = emit(rule.sema, out, StmtKind::choose, node->range, std::move(exprs));
  s->local = chosen;
  s->ref = element.index;
  s->value = count_kind | (may_decline ? 4 : 0) | among.at_random << 8;
  s->blocks = std::move(blocks);
}

void choose_one_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "a choice")) return;
  const Expr* who = decider(rule, view::choose_one_stmt(node).decider(), node->range);
  std::vector<const Expr*> exprs{who};
  std::vector<Block> blocks;
  std::vector<const Expr*> texts{question_text(rule, view::choose_one_stmt(node).prompt())};
  bool bad = is_poison(who);
  for (const Node* c : view::choose_one_stmt(node).choices()) {
    if (!c) continue;
    const Expr* when = nullptr;
    blocks.emplace_back();
    Scoped scope(rule);
    if (view::choice(c).when()) {
      Pure pure(rule);
      when = condition(rule, view::choice(c).when());
      bad = bad || is_poison(when);
      narrow(rule, when, true);
    }
    exprs.push_back(when);
    texts.push_back(question_text(rule, view::choice(c).label()));
    rule.sema.collected.answers.emplace_back(c->text);
    statements(rule, view::choice(c).body(), blocks.back());
  }
  if (blocks.empty()) {
    error(rule.sema, "bad_choice"_code, node->range, "`choose one` has no alternatives",
          "`choose one { \"Draw\" { … } \"Pass\" { … } }`");
    return;
  }
  if (bad) return;
  Stmt* s = emit(rule.sema, out, StmtKind::choose_one, node->range, std::move(exprs));
  s->exprs.insert(s->exprs.end(), texts.begin(), texts.end());
  s->blocks = std::move(blocks);
}

// Handles `arrange top 3 of draw by p` and `arrange line by p`. The operand is an ordered zone, or the cards at one end
// of it.
void arrange_stmt(RuleContext& rule, const Node* node, Block& out) {
  if (!effect(rule, node->range, "`arrange`")) return;
  const Expr* who = decider(rule, view::arrange_stmt(node).by(), node->range);
  const Expr* what = expr(rule, view::arrange_stmt(node).what());
  if (is_poison(what) || is_poison(who)) return;
  if (what->kind == ExprKind::zone_top || what->kind == ExprKind::zone_bottom)
    return void(error(rule.sema, "bad_choice"_code, view::arrange_stmt(node).what()->range,
                      "`arrange` needs several cards", "add a number: `arrange top 3 of draw by p`"));
  const bool all = what->kind == ExprKind::zone;
  if (!all && what->kind != ExprKind::zone_top_n)
    return void(error(rule.sema, "bad_choice"_code, view::arrange_stmt(node).what()->range,
                      "`arrange` needs a pile or a row, or cards at the top or bottom of one",
                      what->type.kind == TypeKind::set
                          ? "move them onto a pile first, then `arrange top size(cs) of draw by p`"
                          : "`arrange top 3 of draw by p`"));
  const model::Zone& zone = rule.model.zones[what->ref];
  if (zone.shape != model::ZoneShape::pile && zone.shape != model::ZoneShape::row)
    return void(error(rule.sema, "bad_zone"_code, view::arrange_stmt(node).what()->range,
                      fmt::format("the cards in `{}` have no order, because it is not a pile or a row", zone.name),
                      "declare it as `zone …: pile` or `row`"));
  emit(rule.sema, out, StmtKind::arrange, node->range,
       {convert(rule, who, player_type(true)), what, question_text(rule, view::arrange_stmt(node).question())})
      ->ref = what->ref;
}

void may_stmt(RuleContext& rule, const Node* node, Block& out) {
  const Expr* question = may_expr(rule, node);
  Block yes, no;
  scoped(rule, view::may_stmt(node).body(), yes);
  scoped(rule, view::may_stmt(node).otherwise(), no);
  if (is_poison(question)) return;
  emit(rule.sema, out, StmtKind::if_else, node->range, {question})->blocks = {std::move(yes), std::move(no)};
}

// Checks that the clauses of an `ask` that control its repetition are compatible.
static bool check_ask_clauses(SemaContext& sema, const Node* node, bool several) {
  enum : std::int64_t { or_pass = 8, again = 16, until_pass = 32 };
  const auto wrong = [&](Range at, std::string message, std::string help) {
    error(sema, "bad_ask"_code, at, std::move(message), std::move(help));
    return false;
  };
  if (view::ask_stmt(node).from() && !several)
    return wrong(view::ask_stmt(node).from()->range, "`from` needs several players, but this `ask` is for one player",
                 "`ask each of players from p`");
  if (several && (node->number & until_pass))
    return wrong(node->range, "`ask each of` asks every player once, so it can't be combined with `until pass`",
                 "use `ask each of … or pass`, or to repeat: `ask each of … until all pass`");
  if ((node->number & again) && (node->number & until_pass) && !view::ask_stmt(node).pass_when())
    return wrong(node->range,
                 "`again` and `until pass` can't be combined: `again` repeats until an action ends it, `until pass` "
                 "until the player passes",
                 "remove `again`");
  return true;
}

void ask_stmt(RuleContext& rule, const Node* node, Block& out) {
  enum : std::int64_t { each_of = 1, at_once = 2, real_time = 4 };
  if (!rule.window) {
    error(rule.sema, "bad_ask"_code, node->range, "`ask` is allowed only in a window or a phase",
          view::ask_stmt(node).prompt()
              ? "use `p may \"…\"` for yes or no, `p chooses c from p.hand \"…\"` for a choice, or declare a window"
              : "declare `window w(p: player) { ask p }` and `open w(p)`");
    return;
  }
  if (node->number & (at_once | real_time)) return timed_ask(rule, node, out);
  if (view::ask_stmt(node).within() || view::ask_stmt(node).otherwise()) {
    error(rule.sema, "bad_ask"_code,
          (view::ask_stmt(node).within() ? view::ask_stmt(node).within() : view::ask_stmt(node).otherwise())->range,
          "a deadline is allowed only in `ask all of … at once`",
          "`ask all of players at once within 6 s otherwise random`");
    return;
  }
  const bool several = node->number & each_of;
  if (!check_ask_clauses(rule.sema, node, several)) return;
  const Expr* whom = several ? set(rule, view::ask_stmt(node).whom()) : expr(rule, view::ask_stmt(node).whom());
  if (is_poison(whom)) return;
  const Type elem = several ? element_type(whom->type) : whom->type;
  if (elem.kind != TypeKind::player) {
    error(rule.sema, "wrong_type"_code, view::ask_stmt(node).whom()->range,
          several ? fmt::format("expected players, found `{}`", show(rule.sema, whom->type))
                  : fmt::format("expected a player, found `{}`", show(rule.sema, whom->type)),
          whom->type.kind == TypeKind::set && element_type(whom->type).kind == TypeKind::player ? "use `ask each of …`"
                                                                                                : "");
    return;
  }
  const Expr* until = nullptr;
  if (view::ask_stmt(node).until()) {
    Pure pure(rule);
    until = condition(rule, view::ask_stmt(node).until());
    if (is_poison(until)) return;
  }
  const Expr* from = nullptr;
  if (view::ask_stmt(node).from())
    from = player(rule, view::ask_stmt(node).from(), true);
  else if (several)
    from = start_of(rule, view::ask_stmt(node).whom(), node->range);
  if (from && is_poison(from)) return;
  const Expr* pass_when = nullptr;
  if (view::ask_stmt(node).pass_when()) {
    Pure pure(rule);
    pass_when = condition(rule, view::ask_stmt(node).pass_when());
    if (is_poison(pass_when)) return;
  }
  Stmt* s = emit(rule.sema, out, StmtKind::ask, node->range,
                 {whom, until, from, pass_when, question_text(rule, view::ask_stmt(node).prompt())});
  s->ref = *rule.window;
  s->value = node->number;
  forget_stored_cards(rule);
}

}   // namespace cardwright::sema
