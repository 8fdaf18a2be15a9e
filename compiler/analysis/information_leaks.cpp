// Warns about offers that reveal hidden information. The number of cards to pick, the deciding player and the time
// limit are computed from the true state, so an offer reveals hidden information if they depend on it. Conditions
// reveal nothing, because lower/ evaluates them with the player's knowledge (lower/expressions/three_valued.cpp).
// Input:  the Model and the results of secrecy.cpp.
// Output: warnings, and errors for policies.
#include "compiler/analysis/information_leaks.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "compiler/analysis/offers.h"
#include "compiler/model/views.h"
#include "compiler/model/visit.h"

namespace cardwright::analysis {

namespace view = model::view;

using model::ExprKind;
using model::StmtKind;

namespace {

constexpr std::string_view kHint =
    "use only information that the player has, or reveal the value first: with `let` before the choice, or as a "
    "parameter of the window";

class LeakCheck {
 public:
  LeakCheck(const model::Model& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics), secrecy_(model), offers_(model, secrecy_) {}
  void all();

 private:
  void check(const model::Body& body, const model::Block& block);
  void check_ask(const model::Body& body, const model::Stmt& s);
  void check_wrong(const model::Action& a);
  void check_boards();
  bool picks_by_secrets(const model::Expr& whom, Facts& at);
  bool reads_in(const model::Expr* e, Facts& at) { return e && secrecy_.reads(*e, at); }
  void report(const model::Expr& e, std::string_view what);

  const model::Model& model_;
  Diagnostics& diagnostics_;
  Secrecy secrecy_;
  Offers offers_;
};

void LeakCheck::all() {
  for (const model::Action& a : model_.actions) {
    check_wrong(a);
    Facts at = offers_.facts_of(a);
    for (const model::ActionParameter& p : a.parameters)
      if (reads_in(p.amount, at))
        report(*p.amount, "the number to pick depends on something that the player may not know");
    for (const model::Block* block : {&a.body.block, &a.late, &a.wrong}) check(a.body, *block);
  }
  for (const model::Event& e : model_.events) {
    check(e.body, e.body.block);
    for (const model::Handler& h : e.handlers) check(h.body, h.body.block);
  }
  for (const model::Window& w : model_.windows)
    model::for_each_body(w, [&](const model::Body& body) { check(body, body.block); });
  for (const model::Whenever& w : model_.whenevers) check(w.body, w.body.block);
  for (const model::EndWhen& e : model_.endings) check(e.body, e.body.block);
  check(model_.setup, model_.setup.block);
  check(model_.play, model_.play.block);
  check_boards();
}

// Warns about a `wrong` block that can never run. Outside real-time windows and simultaneous answers, nothing changes
// between the offer and the action, so the offer can be wrong only if it depends on something that the player may not
// know.
void LeakCheck::check_wrong(const model::Action& a) {
  bool in_turns = true;
  for (std::uint32_t w = 0; w < model_.windows.size(); ++w)
    if (model::is_in(a, model::WindowId{w}))
      in_turns = in_turns && !model_.windows[w].race && !model_.windows[w].at_once;
  if (!a.has_wrong || !in_turns || offers_.may_be_wrong(std::size_t(&a - model_.actions.data()))) return;
  diagnostics_.report(
      "without_effect"_code, a.head.range,
      fmt::format("`wrong` of `{}` is unreachable: the acting player knows everything that the action depends on",
                  a.name),
      "remove it");
}

void LeakCheck::check(const model::Body& body, const model::Block& block) {
  for (const model::Stmt* s : block) {
    if (s->kind == StmtKind::choose && view::choose(s).count()) {
      Facts at = secrecy_.of_body(body, facts_for(view::choose(s).decider(), {}), *s);
      if (reads_in(view::choose(s).count(), at))
        report(*view::choose(s).count(), "the number to pick depends on something that the player may not know");
    }
    if (s->kind == StmtKind::ask) check_ask(body, *s);
    for (const model::Block& inner : s->blocks) check(body, inner);
  }
}

void LeakCheck::check_ask(const model::Body& body, const model::Stmt& s) {
  const view::ask ask(s);
  Facts all = secrecy_.of_body(body, {}, s), asked = secrecy_.of_body(body, facts_for(ask.whom(), {}), s);
  if (picks_by_secrets(*ask.whom(), all))
    report(*ask.whom(), "the choice of the deciding player depends on something that this player may not know");
  if (reads_in(ask.until(), asked))
    report(*ask.until(), "`until` depends on something that the deciding player may not know");
  if (reads_in(ask.from(), all))
    report(*ask.from(), "the first deciding player depends on something that not all players know");
}

// Returns whether hidden information determines the deciding player. Information that this player already has does not
// count, because the offer then reveals nothing to them: such a selection is equivalent to a condition of an action.
bool LeakCheck::picks_by_secrets(const model::Expr& whom, Facts& at) {
  switch (whom.kind) {
    case ExprKind::filter: {
      if (picks_by_secrets(*view::filter(whom).domain(), at)) return true;
      at.put(whom.local, {.asked = true});
      return secrecy_.reads(*view::filter(whom).condition(), at);
    }
    case ExprKind::pick_only: return picks_by_secrets(*view::pick_only(whom).set(), at);
    case ExprKind::set_union:
    case ExprKind::set_minus:
    case ExprKind::set_and:
      return picks_by_secrets(*view::pair(whom).left(), at) || picks_by_secrets(*view::pair(whom).right(), at);
    default: return secrecy_.reads(whom, at);
  }
}

// Warns about boards that show hidden information, because all players see a board.
void LeakCheck::check_boards() {
  for (const model::Board& board : model_.boards)
    for (const auto* shows : {&board.shows, &board.edges_show})
      if (*shows && shows_secrets(secrecy_, **shows))
        diagnostics_.report(
            "offer_reveals"_code, (*shows)->body.block[0]->range,
            fmt::format("`{}` would reveal hidden information to all players, so `play` does not draw it",
                        (*shows)->text),
            "use only information that all players have");
}

void LeakCheck::report(const model::Expr& e, std::string_view what) {
  diagnostics_.report("offer_reveals"_code, e.range, fmt::format("this offer reveals hidden information: {}", what),
                      std::string(kHint));
}

}   // namespace

bool shows_secrets(Secrecy& secrecy, const model::Board::Shows& shows) {
  Facts no_facts;
  return secrecy.reads(*view::return_value(shows.body.block.front()).value(), no_facts);
}

namespace {

class PolicyCheck {
 public:
  PolicyCheck(const model::Model& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics), secrecy_(model, Guards::enabled), offers_(model, secrecy_) {}
  void all() {
    for (const model::Policy& policy : model_.policies)
      for (const model::PolicyRule& rule : policy.rules) check(rule);
  }

 private:
  void check(const model::PolicyRule& rule) {
    if (rule.actions.empty()) return void(check(rule, {kSeen}));   // `choose` and `pass` have no action
    for (const model::ActionId action : rule.actions) {
      const model::Action& of = model_.actions[action.index];
      Facts at = offers_.facts_of(of);
      std::vector<Fact> given;
      for (const model::ActionParameter& p : of.parameters) given.push_back(at.of(p.local));
      if (!check(rule, given)) return;   // one error per rule is enough
    }
  }
  bool check(const model::PolicyRule& rule, const std::vector<Fact>& given) {
    Facts at = secrecy_.of_rule(rule.head, rule.patterns, given);
    at.put(rule.head.me, {.asked = true});
    for (const model::Pattern& p : rule.patterns)
      if (p.value && !check(*p.value, at)) return false;
    if (rule.head.when && !check(*rule.head.when, at)) return false;
    Facts where_it_holds = rule.head.when ? secrecy_.assuming(*rule.head.when, at) : at;
    return !rule.weight || check(*rule.weight, where_it_holds);
  }
  bool check(const model::Expr& e, Facts& at) {
    if (!secrecy_.reads(e, at)) return true;
    diagnostics_.report(
        "policy_reads_hidden"_code, narrowest(e, at).range,
        "this depends on a card or variable that the deciding player may not know",
        "use only information that the player has; before reading a card that may be hidden, check `me knows c and …`");
    return false;
  }
  // Returns the smallest subexpression that reads the hidden information.
  const model::Expr& narrowest(const model::Expr& e, Facts at) {
    for (const model::Expr* part : e.args) {
      if (!part || !part->range.known()) continue;
      if (secrecy_.reads(*part, at)) return narrowest(*part, at);
      if (e.kind == ExprKind::logical_and || e.kind == ExprKind::logical_or)
        at = secrecy_.assuming(*part, at, e.kind == ExprKind::logical_and);
    }
    return e;
  }

  const model::Model& model_;
  Diagnostics& diagnostics_;
  Secrecy secrecy_;
  Offers offers_;
};

}   // namespace

void report_policy_leaks(const model::Model& model, Diagnostics& diagnostics) {
  if (!model.policies.empty()) PolicyCheck(model, diagnostics).all();
}

void report_offer_leaks(const model::Model& model, Diagnostics& diagnostics) { LeakCheck(model, diagnostics).all(); }

}   // namespace cardwright::analysis
