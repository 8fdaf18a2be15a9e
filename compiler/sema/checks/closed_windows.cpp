// Finds reads of a window's or event's variables after the window or event has ended, as in `open ballot(); if
// ballot.who is in …`. Such a read always returns none. Excludes rules that can run inside another instance of the
// window or event.
// Input:  a checked Model.
// Output: the reads in rules that have previously opened the window or called the event, directly or indirectly.
#include "compiler/sema/checks/closed_windows.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/analysis/causes.h"

namespace cardwright::sema {
namespace {

using model::Block;
using model::Expr;
using model::ExprKind;
using model::Stmt;
using model::StmtKind;

// The events, windows and actions that can run while a window is open or an event runs. They result directly or
// indirectly from its body, the rules that watch it, its actions, windows opened in the meantime, and `whenever` rules,
// which run before the next `ask`.
class Reachable {
 public:
  Reachable(const model::Model& model, Running of)
      : model_(model), events_(model.events.size()), windows_(model.windows.size()), actions_(model.actions.size()) {
    analysis::Causes causes(
        model, [](const Stmt&) {},
        [&](const Expr& e) {
          if (e.kind == ExprKind::call_event) events_[e.ref] = true;
          if (e.kind == ExprKind::open_window) open(e.ref, causes);
        });
    if (of.window)
      open(of.id, causes);
    else
      events_[of.id] = true, causes.event(of.id);
    for (const model::Whenever& w : model_.whenevers) causes.block(w.body.block);
  }
  bool holds_event(std::uint32_t event) const { return events_[event]; }
  bool holds_action(std::size_t action) const { return actions_[action]; }
  bool holds_window(std::uint32_t window) const { return windows_[window]; }
  bool holds(Running inner) const { return inner.window ? holds_window(inner.id) : holds_event(inner.id); }

 private:
  void open(std::uint32_t window, analysis::Causes& causes) {
    if (windows_[window]) return;
    windows_[window] = true;
    const model::Window& w = model_.windows[window];
    causes.block(w.body.block);
    if (w.race) {
      for (const model::RaceTimer& t : w.race->timers) causes.block(t.body.block);
      for (const model::Resume& r : w.race->resumes) causes.block(r.body.block);
      causes.block(w.race->stalemate_body.block);
    }
    for (std::size_t a = 0; a < model_.actions.size(); ++a) {
      const model::Action& action = model_.actions[a];
      const auto is_it = [&](model::WindowId id) { return id.index == window; };
      if (!action.any_window && std::none_of(action.windows.begin(), action.windows.end(), is_it)) continue;
      if (actions_[a]) continue;
      actions_[a] = true;
      for (const Block* block : {&action.body.block, &action.wrong, &action.late}) causes.block(*block);
    }
  }

  const model::Model& model_;
  std::vector<bool> events_, windows_, actions_;   // bit vectors, because many instances of this class exist at once
};

// Visits a rule in execution order, and records the windows and events that have ended on some path.
class Reader {
 public:
  using Inside = std::function<bool(Running)>;
  using Holds = std::function<bool(Running outer, Running inner)>;
  Reader(std::vector<ClosedRead>& out, Inside inside, Holds holds)
      : out_(out), inside_(std::move(inside)), holds_(std::move(holds)) {}

  void block(const Block& statements) {
    for (const Stmt* s : statements) {
      for (const Expr* e : s->exprs) read(e);
      if (s->kind == StmtKind::assign_window_field || s->kind == StmtKind::assign_event_field)
        check_read({s->kind == StmtKind::assign_window_field, s->ref}, s->range);
      for (const Expr* e : s->exprs) opened(e);
      // An earlier iteration may have opened windows.
      if (s->kind == StmtKind::each || s->kind == StmtKind::repeat) opened_in(s->blocks);
      one_of(s->blocks);
    }
  }

 private:
  void one_of(const std::vector<Block>& blocks) {
    const std::set<Running> before = over_;
    std::set<Running> after = over_;
    for (const Block& inner : blocks) {
      over_ = before;
      block(inner);
      after.insert(over_.begin(), over_.end());
    }
    over_ = std::move(after);
  }
  void read(const Expr* e) {
    if (!e) return;
    if (e->kind == ExprKind::window_field || e->kind == ExprKind::event_field)
      check_read({e->kind == ExprKind::window_field, e->ref}, e->range);
    for (const Expr* a : e->args) read(a);
  }
  void check_read(Running of, Range where) {
    if (over_.empty() || inside_(of)) return;
    const bool over =
        over_.contains(of) || std::any_of(over_.begin(), over_.end(), [&](Running outer) { return holds_(outer, of); });
    if (over) out_.push_back({of, where});
  }
  void opened(const Expr* e) {
    if (!e) return;
    for (const Expr* a : e->args) opened(a);
    if (e->kind == ExprKind::open_window || e->kind == ExprKind::call_event)
      over_.insert({e->kind == ExprKind::open_window, e->ref});
  }
  void opened_in(const std::vector<Block>& blocks) {
    for (const Block& statements : blocks)
      for (const Stmt* s : statements) {
        for (const Expr* e : s->exprs) opened(e);
        opened_in(s->blocks);
      }
  }

  std::vector<ClosedRead>& out_;
  Inside inside_;
  Holds holds_;
  std::set<Running> over_;
};

}   // namespace

std::vector<ClosedRead> reads_after_end(const model::Model& model) {
  std::map<Running, Reachable> cache;
  const auto meanwhile = [&](Running of) -> const Reachable& { return cache.try_emplace(of, model, of).first->second; };
  const auto holds = [&](Running outer, Running inner) { return meanwhile(outer).holds(inner); };
  std::vector<ClosedRead> out;
  for (std::uint32_t e = 0; e < model.events.size(); ++e) {
    Reader reader(
        out, [&](Running of) { return meanwhile(of).holds_event(e); }, holds);
    reader.block(model.events[e].body.block);
    for (const model::Handler& h : model.events[e].handlers) reader.block(h.body.block);
  }
  for (std::size_t a = 0; a < model.actions.size(); ++a) {
    Reader reader(
        out, [&](Running of) { return meanwhile(of).holds_action(a); }, holds);
    reader.block(model.actions[a].body.block);
  }
  for (std::uint32_t x = 0; x < model.windows.size(); ++x)
    Reader(
        out, [&](Running of) { return meanwhile(of).holds_window(x); }, holds)
        .block(model.windows[x].body.block);
  Reader flow(
      out, [](Running) { return false; }, holds);
  flow.block(model.setup.block);
  flow.block(model.play.block);
  return out;
}

}   // namespace cardwright::sema
