// `open ballot(); if ballot.who is in …`: the window is closed by then, and its variables are none. So are those of an event that has happened.
// In:    a checked Model.   Out: the places where a rule has opened a window or called an event before, and can't be inside another one of that name.
// Tests: tests/sema/rules_test.cpp.
#include "compiler/sema/closed_windows.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/sema/causes.h"

namespace cardwright::sema {
namespace {

using model::Block;
using model::Expr;
using model::ExprKind;
using model::Stmt;

// All that may happen while a window is open or an event runs: its own body, the rules that watch it, the actions in it and what they cause, other windows opened meanwhile, and
// `whenever`s, which are looked at before somebody is asked again.
class Meanwhile {
 public:
  Meanwhile(const model::Model& model, Running of)
      : model_(model), causes_(model, [](const Stmt&) {}, [&](const Expr& e) {
          if (e.kind == ExprKind::call_event) events_.insert(e.ref);
          if (e.kind == ExprKind::open_window) open(e.ref);
        }) {
    if (of.window) open(of.id);
    else events_.insert(of.id), causes_.event(of.id);
    for (const model::Whenever& w : model_.whenevers) causes_.block(w.body.block);
  }
  bool holds_event(std::uint32_t event) const { return events_.contains(event); }
  bool holds_action(std::size_t action) const { return actions_.contains(action); }
  bool holds_window(std::uint32_t window) const { return windows_.contains(window); }

 private:
  void open(std::uint32_t window) {
    if (!windows_.insert(window).second) return;
    const model::Window& w = model_.windows[window];
    causes_.block(w.body.block);
    if (w.race) {
      for (const model::RaceTimer& t : w.race->timers) causes_.block(t.body.block);
      for (const model::Resume& r : w.race->resumes) causes_.block(r.body.block);
      causes_.block(w.race->stalemate_body.block);
    }
    for (std::size_t a = 0; a < model_.actions.size(); ++a) {
      const model::Action& action = model_.actions[a];
      const auto is_it = [&](model::WindowId id) { return id.index == window; };
      if (!action.any_window && std::none_of(action.windows.begin(), action.windows.end(), is_it)) continue;
      if (!actions_.insert(a).second) continue;
      for (const Block* block : {&action.body.block, &action.wrong, &action.late}) causes_.block(*block);
    }
  }

  const model::Model& model_;
  Causes causes_;
  std::set<std::uint32_t> events_, windows_;
  std::set<std::size_t> actions_;
};

class Reader {
 public:
  using Inside = std::function<bool(Running)>;
  Reader(std::vector<ClosedRead>& out, Inside inside) : out_(out), inside_(std::move(inside)) {}

  void block(const Block& statements) {
    const std::set<Running> before = over_;
    for (const Stmt* s : statements) {
      for (const Expr* e : s->exprs) read(e);
      for (const Expr* e : s->exprs) opened(e);
      for (const Block& inner : s->blocks) block(inner);
    }
    over_ = before;
  }

 private:
  void read(const Expr* e) {
    if (!e) return;
    if (e->kind == ExprKind::window_field || e->kind == ExprKind::event_field)
      if (const Running of{e->kind == ExprKind::window_field, e->ref}; over_.contains(of) && !inside_(of)) out_.push_back({of, e->range});
    for (const Expr* a : e->args) read(a);
  }
  void opened(const Expr* e) {
    if (!e) return;
    for (const Expr* a : e->args) opened(a);
    if (e->kind == ExprKind::open_window || e->kind == ExprKind::call_event) over_.insert({e->kind == ExprKind::open_window, e->ref});
  }

  std::vector<ClosedRead>& out_;
  Inside inside_;
  std::set<Running> over_;
};

}  // namespace

std::vector<ClosedRead> reads_of_what_is_over(const model::Model& model) {
  std::map<Running, Meanwhile> kept;
  const auto meanwhile = [&](Running of) -> const Meanwhile& { return kept.try_emplace(of, model, of).first->second; };
  std::vector<ClosedRead> out;
  for (std::uint32_t e = 0; e < model.events.size(); ++e) {
    Reader reader(out, [&](Running of) { return meanwhile(of).holds_event(e); });
    reader.block(model.events[e].body.block);
    for (const model::Handler& h : model.events[e].handlers) reader.block(h.body.block);
  }
  for (std::size_t a = 0; a < model.actions.size(); ++a) {
    Reader reader(out, [&](Running of) { return meanwhile(of).holds_action(a); });
    reader.block(model.actions[a].body.block);
  }
  for (std::uint32_t x = 0; x < model.windows.size(); ++x)
    Reader(out, [&](Running of) { return meanwhile(of).holds_window(x); }).block(model.windows[x].body.block);
  Reader flow(out, [](Running) { return false; });
  flow.block(model.setup.block);
  flow.block(model.play.block);
  return out;
}

}  // namespace cardwright::sema
