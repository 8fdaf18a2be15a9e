// Offers that would tell. How many cards are picked, who is asked and until when is worked out on the truth; where that
// depends on something that who is asked may not know, they would read it in what they are offered, and a warning tells
// the author.
// In: the Model, and what secrecy.cpp finds in it. Conditions are no matter for this: lower/asked.cpp follows them.
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

constexpr std::string_view kWayOut =
    "ask about what they know, or let it show first: `let` before the choice, a parameter of the window";

class Tells {
 public:
  Tells(const model::Model& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics), secrecy_(model), offers_(model, secrecy_) {}
  void all();

 private:
  void look_at(const model::Body& body, const model::Block& block);
  void look_at_ask(const model::Body& body, const model::Stmt& s);
  void look_at_wrong(const model::Action& a);
  void look_at_boards();
  bool picks_by_secrets(const model::Expr& whom, Facts& at);
  bool reads_in(const model::Expr* e, Facts& at) { return e && secrecy_.reads(*e, at); }
  void tells(const model::Expr& e, std::string_view what);

  const model::Model& model_;
  Diagnostics& diagnostics_;
  Secrecy secrecy_;
  Offers offers_;
};

void Tells::all() {
  for (const model::Action& a : model_.actions) {
    look_at_wrong(a);
    Facts at = offers_.facts_of(a);
    for (const model::ActionParameter& p : a.parameters)
      if (reads_in(p.amount, at)) tells(*p.amount, "how many are picked depends on what who picks may not know");
    for (const model::Block* block : {&a.body.block, &a.late, &a.wrong}) look_at(a.body, *block);
  }
  for (const model::Event& e : model_.events) {
    look_at(e.body, e.body.block);
    for (const model::Handler& h : e.handlers) look_at(h.body, h.body.block);
  }
  for (const model::Window& w : model_.windows)
    model::for_each_body(w, [&](const model::Body& body) { look_at(body, body.block); });
  for (const model::Whenever& w : model_.whenevers) look_at(w.body, w.body.block);
  for (const model::EndWhen& e : model_.endings) look_at(e.body, e.body.block);
  look_at(model_.setup, model_.setup.block);
  look_at(model_.play, model_.play.block);
  look_at_boards();
}

// Whose turn it is finds an action as it was when it was offered: it is wrong only where they may not know all that it
// depends on.
void Tells::look_at_wrong(const model::Action& a) {
  bool in_turns = true;
  for (std::uint32_t w = 0; w < model_.windows.size(); ++w)
    if (model::is_in(a, model::WindowId{w}))
      in_turns = in_turns && !model_.windows[w].race && !model_.windows[w].at_once;
  if (!a.has_wrong || !in_turns || offers_.may_be_wrong(std::size_t(&a - model_.actions.data()))) return;
  diagnostics_.report(Code::without_effect, a.head.range,
                      fmt::format("`wrong` of `{}` never happens: who does it knows all that it depends on", a.name),
                      "leave it out");
}

void Tells::look_at(const model::Body& body, const model::Block& block) {
  for (const model::Stmt* s : block) {
    if (s->kind == StmtKind::choose && view::choose(s).count()) {
      Facts at = secrecy_.of_body(body, facts_for(view::choose(s).decider(), {}), *s);
      if (reads_in(view::choose(s).count(), at))
        tells(*view::choose(s).count(), "how many are picked depends on what who picks may not know");
    }
    if (s->kind == StmtKind::ask) look_at_ask(body, *s);
    for (const model::Block& inner : s->blocks) look_at(body, inner);
  }
}

void Tells::look_at_ask(const model::Body& body, const model::Stmt& s) {
  const view::ask ask(s);
  Facts all = secrecy_.of_body(body, {}, s), asked = secrecy_.of_body(body, facts_for(ask.whom(), {}), s);
  if (picks_by_secrets(*ask.whom(), all)) tells(*ask.whom(), "who is asked depends on what they may not know");
  if (reads_in(ask.until(), asked)) tells(*ask.until(), "until when they are asked depends on what they may not know");
  if (reads_in(ask.from(), all)) tells(*ask.from(), "who is asked first depends on what not all know");
}

// A player may be asked because of what they know themselves: that is as if an action's condition said so.
bool Tells::picks_by_secrets(const model::Expr& whom, Facts& at) {
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

// All who sit at a board see it.
void Tells::look_at_boards() {
  for (const model::Board& board : model_.boards)
    for (const auto* shows : {&board.shows, &board.edges_show})
      if (*shows && shows_secrets(secrecy_, **shows))
        diagnostics_.report(
            Code::offer_tells, (*shows)->body.block[0]->range,
            fmt::format("`{}` would show all players what not all of them know, so `play` doesn't draw it",
                        (*shows)->text),
            "let a board show only what all players know");
}

void Tells::tells(const model::Expr& e, std::string_view what) {
  diagnostics_.report(Code::offer_tells, e.range, fmt::format("this offer would tell: {}", what), std::string(kWayOut));
}

}   // namespace

bool shows_secrets(Secrecy& secrecy, const model::Board::Shows& shows) {
  Facts nobody;
  return secrecy.reads(*view::return_value(shows.body.block.front()).value(), nobody);
}

namespace {

class SeenByPolicies {
 public:
  SeenByPolicies(const model::Model& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics), secrecy_(model, Guards::enabled), offers_(model, secrecy_) {}
  void all() {
    for (const model::Policy& policy : model_.policies)
      for (const model::PolicyRule& rule : policy.rules) look_at(rule);
  }

 private:
  void look_at(const model::PolicyRule& rule) {
    if (rule.actions.empty()) return void(look_at(rule, {kSeen}));   // of what is chosen; who passes hands over nothing
    for (const model::ActionId action : rule.actions) {
      const model::Action& of = model_.actions[action.index];
      Facts at = offers_.facts_of(of);
      std::vector<Fact> given;
      for (const model::ActionParameter& p : of.parameters) given.push_back(at.of(p.local));
      if (!look_at(rule, given)) return;   // once is enough
    }
  }
  bool look_at(const model::PolicyRule& rule, const std::vector<Fact>& given) {
    Facts at = secrecy_.of_rule(rule.head, rule.patterns, given);
    at.put(rule.head.me, {.asked = true});
    for (const model::Pattern& p : rule.patterns)
      if (p.value && !look_at(*p.value, at)) return false;
    if (rule.head.when && !look_at(*rule.head.when, at)) return false;
    Facts where_it_holds = rule.head.when ? secrecy_.assuming(*rule.head.when, at) : at;
    return !rule.weight || look_at(*rule.weight, where_it_holds);
  }
  bool look_at(const model::Expr& e, Facts& at) {
    if (!secrecy_.reads(e, at)) return true;
    diagnostics_.report(Code::policy_sees, narrowest(e, at).range,
                        "this depends on a card or variable that the deciding player may not know",
                        "a policy may use what its player sees or has been shown; for a card that may be hidden, "
                        "ask first: `me knows c and …`");
    return false;
  }
  // The part that is the reason.
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

void look_at_policies(const model::Model& model, Diagnostics& diagnostics) {
  if (!model.policies.empty()) SeenByPolicies(model, diagnostics).all();
}

void look_at_offers(const model::Model& model, Diagnostics& diagnostics) { Tells(model, diagnostics).all(); }

}   // namespace cardwright::analysis
