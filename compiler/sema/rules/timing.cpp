// Builds the timing of values and actions, and checks that no player has to decide while time runs in a window.
// docs/reference/language/real_time.md describes the semantics.
#include "compiler/sema/rules/timing.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/analysis/causes.h"
#include "compiler/sema/expressions/durations.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/statements/timing.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/mentions.h"

namespace cardwright::sema {

void build_timing(SemaContext& sema, std::uint32_t index) {
  const Node* clause = sema.rules.values[index].node;
  RuleContext rule(sema);
  rule.body = &sema.model.values[index].body;
  rule.pure = true;
  rule.me = LocalId{0};
  rule.timed = local(rule, rule.me, sema.model.values[index].range);
  const Int otherwise = sema.model.values[index].name.ends_with(".patience") ? 1'000'000 : 0;
  const Expr* base =
      clause ? latency(rule, view::race_clause(clause).time())
             : constant(sema, duration_type(otherwise, otherwise), otherwise, sema.model.values[index].range);
  sema.model.values[index].base = base;
}

// Returns the player whose latency a modifier changes. The pattern of the modifier either binds or names that player.
const Expr* timed_by(RuleContext& rule, model::Pattern& pattern, Range range) {
  if (pattern.kind == model::Pattern::Kind::equals) return pattern.value;
  if (pattern.kind == model::Pattern::Kind::any) {
    pattern.kind = model::Pattern::Kind::binds;
    pattern.local = add_local(rule, "p", player_type(), range);
  }
  return local(rule, pattern.local, range);
}

void action_timing(RuleContext& rule, const Node* timing, model::Action& action) {
  if (!timing) return;
  enum : std::int64_t { by_hand = 1, must = 2 };
  action.by_hand = timing->number & by_hand;
  action.must = timing->number & must;
  const auto time = [&](const Node* node) -> const Expr* {
    if (!node) return nullptr;
    Pure pure(rule);
    rule.timed = local(rule, action.head.me, node->range);
    const Expr* e = latency(rule, node);
    rule.timed = nullptr;
    return is_poison(e) ? nullptr : e;
  };
  const auto when = [&](const Node* node) -> const Expr* {
    if (!node) return nullptr;
    Pure pure(rule);
    const Expr* e = condition(rule, node);
    return is_poison(e) ? nullptr : e;
  };
  action.takes = time(view::timing(timing).takes());
  action.busy = time(view::timing(timing).busy());
  action.sensible = when(view::timing(timing).sensible());
  action.must_if = when(view::timing(timing).must_if());
  for (const model::ActionParameter& p : action.parameters)
    if (mentions(action.must_if, p.local) || mentions(action.must_if, p.element)) {
      error(rule.sema, "bad_choice"_code, action.must_if->range,
            fmt::format("`must if` can't depend on parameter `{}`", p.name), "use only `me` and the state of the game");
      break;
    }
  const auto then = [&](const Node* list, Block& block, bool& has) {
    if (!list) return;
    scoped(rule, list, block);
    has = true;
  };
  then(view::timing(timing).late(), action.late, action.has_late);
  then(view::timing(timing).wrong(), action.wrong, action.has_wrong);
  const Node* first = view::timing(timing).takes() ? view::timing(timing).takes() : view::timing(timing).busy();
  if (!first) return;
  bool races = false;
  for (std::uint32_t w = 0; w < rule.model.windows.size(); ++w)
    races = races || (rule.model.windows[w].race && fits_window(action, w));
  warn_if(rule.sema, "without_effect"_code, first->range, !races,
          fmt::format("`{}` is not offered in any real-time window, so its time has no effect", action.name), "");
}

// Returns whether the statement asks a player to order the replacements of an event.
static bool orders_replacements(const model::Model& model, const Stmt& s) {
  return std::ranges::any_of(model.events, [&](const model::Event& e) {
    return e.order && model.events[e.order->asks.index].body.block.front() == &s;
  });
}

// Reports decisions that can occur while time runs in a real-time window. An action that takes effect there must
// neither suspend the game nor open a second window.
void check_landings(SemaContext& sema) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> reported;
  std::string what;
  Range because;
  const auto asks = [&](Range range, bool order = false) {
    if (!reported.insert({range.source, range.begin}).second) return;
    error(sema, "ask_in_race"_code, range, fmt::format("{} while time runs, so no player can be asked", what),
          order ? "remove `orders replacements`: then the strongest rule applies first"
                : "use a separate action, or ask after the window has closed")
        .notes.push_back({because, "triggered here"});
  };
  analysis::Causes causes(
      sema.model,
      [&](const Stmt& s) {
        const bool picks = s.kind == StmtKind::move && model::view::move(s).picked();
        if (s.kind == StmtKind::ask || s.kind == StmtKind::choose || s.kind == StmtKind::choose_one ||
            s.kind == StmtKind::arrange || picks)
          asks(s.range, orders_replacements(sema.model, s));
      },
      [&](const Expr& e) {
        if (e.kind == ExprKind::may || e.kind == ExprKind::open_window) asks(e.range);
      });
  const auto look = [&](std::string why, Range range, const Block& block) {
    what = std::move(why);
    because = range;
    causes.block(block);
  };
  bool races = false;
  for (std::uint32_t w = 0; w < sema.model.windows.size(); ++w) {
    const model::Window& window = sema.model.windows[w];
    if (!window.race) continue;
    races = true;
    for (const model::Action& a : sema.model.actions) {
      if (!fits_window(a, w)) continue;
      for (const Block* block : {&a.body.block, &a.late, &a.wrong})
        look(fmt::format("`{}` happens", a.name), a.head.range, *block);
    }
    for (const model::RaceTimer& t : window.race->timers) look("this happens", t.range, t.body.block);
    for (const model::Resume& resume : window.race->resumes) look("this happens", window.range, resume.body.block);
    look("this happens", window.range, window.race->stalemate_body.block);
  }
  if (!races) return;
  for (const model::Timer& t : sema.model.timers) {
    what = fmt::format("`{}` expires", t.name);
    because = t.range;
    causes.event(t.rings.index);
  }
  for (const model::Whenever& w : sema.model.whenevers) look("a `whenever` is evaluated", w.head.range, w.body.block);
}

}   // namespace cardwright::sema
