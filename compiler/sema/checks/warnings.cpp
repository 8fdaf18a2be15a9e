// Reports code that compiles but is probably a mistake. A warning must apply in every analyzed configuration, so each
// analysis passes both suspicious and correct code to PendingWarnings.
#include "compiler/sema/checks/warnings.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "compiler/analysis/causes.h"
#include "compiler/analysis/memoized_values.h"
#include "compiler/model/visit.h"
#include "compiler/sema/checks/captures.h"
#include "compiler/sema/checks/implication.h"
#include "compiler/sema/checks/likely_mistakes.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/rules/actions.h"
#include "compiler/sema/rules/departed_cards.h"
#include "compiler/sema/rules/replacements.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

namespace {

// Returns a visitor of expressions and blocks. In a block, it calls on_stmt for each statement, and then on_expr for
// each expression in that statement.
template <class OnExpr, class OnStmt>
auto visitor_of(const OnExpr& on_expr, const OnStmt& on_stmt) {
  return [&](const model::RuleHead*, const auto& piece) {
    if constexpr (std::is_same_v<std::decay_t<decltype(piece)>, Block>)
      model::for_each_stmt(piece, [&](const Stmt& s) {
        on_stmt(s);
        for (const Expr* e : s.exprs) model::for_each_expr(e, on_expr);
      });
    else
      model::for_each_expr(piece, on_expr);
  };
}

}   // namespace

// Returns whether a function may be recursive: it returns a single value or a set, and has no table parameter.
static bool may_recur(const SemaContext& sema, std::uint32_t function) {
  const model::Function& f = sema.model.functions[function];
  const bool given_table = std::any_of(f.parameters.begin(), f.parameters.end(), [&](const model::Parameter& p) {
    return f.body.locals[p.local.index].type.kind == TypeKind::map;
  });
  return !f.sequence && f.result.kind != TypeKind::list && f.result.kind != TypeKind::map && !given_table &&
         sema.rules.functions[function].part.empty();
}

// Checks that no value depends on itself. Functions may be recursive; lower/ limits their depth.
void check_value_cycles(SemaContext& sema) {
  const std::size_t n = sema.rules.values.size(), all = n + sema.rules.functions.size();
  std::vector<std::set<std::size_t>> uses(all);
  for (std::size_t i = 0; i < all; ++i) {
    const auto note = [&](const Expr& e) {
      if (e.kind == ExprKind::call_value) uses[i].insert(e.ref);
      if (e.kind == ExprKind::call_function) uses[i].insert(n + e.ref);
    };
    if (i < n)
      model::for_each_piece(sema.model.values[i],
                            [&](const model::RuleHead*, const auto& piece) { model::for_each_expr(piece, note); });
    else
      model::for_each_expr(sema.model.functions[i - n].body.block, note);
  }
  const auto name = [&](std::size_t i) { return i < n ? sema.model.values[i].name : sema.model.functions[i - n].name; };
  std::vector<std::set<std::size_t>> reached(all);   // functions and values called directly or indirectly
  const std::function<void(std::size_t, std::size_t)> reach = [&](std::size_t from, std::size_t i) {
    for (std::size_t next : uses[i])
      if (reached[from].insert(next).second) reach(from, next);
  };
  for (std::size_t i = 0; i < all; ++i) reach(i, i);
  const auto good = [&](std::size_t i) {   // returns whether every member of its cycles may be recursive
    return std::all_of(reached[i].begin(), reached[i].end(), [&](std::size_t j) {
      return !reached[j].contains(i) || (j >= n && may_recur(sema, static_cast<std::uint32_t>(j - n)));
    });
  };
  for (std::size_t i = n; i < all; ++i) sema.model.functions[i - n].recursive = reached[i].contains(i);
  std::vector<int> state(all, 0);   // 1: in progress, 2: done
  std::vector<std::size_t> way;
  const std::function<void(std::size_t)> visit = [&](std::size_t i) {
    state[i] = 1;
    way.push_back(i);
    for (std::size_t next : uses[i]) {
      if (state[next] == 2) continue;
      if (state[next] == 0) {
        visit(next);
        continue;
      }
      if (good(next)) continue;
      std::string circle;
      bool on = false;
      for (std::size_t x : way) {
        on = on || x == next;
        if (on) circle += "`" + name(x) + "` → ";
      }
      const Range range = next < n ? sema.model.values[next].range : sema.model.functions[next - n].range;
      error(sema, "circular"_code, range,
            next == i ? fmt::format("`{}` is recursive", name(i))
                      : fmt::format("cyclic computation: {}`{}`", circle, name(next)),
            "only functions can be recursive, and only if they return a single value or a set");
    }
    way.pop_back();
    state[i] = 2;
  };
  for (std::size_t i = 0; i < all; ++i)
    if (state[i] == 0) visit(i);
}

static void warn_conditions(SemaContext& sema) {
  const auto look = [&](const Expr& e) {
    const bool compares = e.kind == ExprKind::less || e.kind == ExprKind::less_equal || e.kind == ExprKind::equal ||
                          e.kind == ExprKind::not_equal;
    if (!compares || e.args.size() != 2 || is_poison(model::view::pair(e).left()) ||
        is_poison(model::view::pair(e).right()))
      return;
    const Expr &a = *model::view::pair(e).left(), &b = *model::view::pair(e).right();
    if (a.type.kind != TypeKind::integer || b.type.kind != TypeKind::integer || a.type.optional || b.type.optional)
      return;
    const auto fixed_value = [](const Expr& x) {
      return x.kind == ExprKind::constant || x.kind == ExprKind::unlimited;
    };
    if (fixed_value(a) && fixed_value(b)) return;
    const Type &x = a.type, &y = b.type;
    std::optional<bool> always;
    if (e.kind == ExprKind::less) {
      if (x.hi < y.lo) always = true;
      if (x.lo >= y.hi) always = false;
    } else if (e.kind == ExprKind::less_equal) {
      if (x.hi <= y.lo) always = true;
      if (x.lo > y.hi) always = false;
    } else if (x.hi < y.lo || y.hi < x.lo) {
      always = e.kind == ExprKind::not_equal;
    }
    const bool known = e.range.known();
    if (!known) return;
    const bool turned = b.range.known() && b.range.begin < a.range.begin;   // `x > 0` is stored as `0 < x`
    const Type &left = turned ? y : x, &right = turned ? x : y;
    warn_if(sema, "constant_condition"_code, e.range, always.has_value(),
            always && *always ? "this is always true" : "this is never true",
            always ? fmt::format("the left side ranges from {} to {}, the right side from {} to {}",
                                 std::min(left.lo, left.hi), left.hi, right.lo, right.hi)
                   : "");
  };
  model::for_each_piece(sema.model,
                        [&](const model::RuleHead*, const auto& piece) { model::for_each_expr(piece, look); });
  model::for_each_shown(sema.model, [&](const model::Body& body) { model::for_each_expr(body.block, look); });
}

static void warn_endless(SemaContext& sema) {
  const std::size_t n = sema.model.events.size();
  struct Edge {
    std::size_t to;
    Range range;
  };
  std::vector<std::vector<Edge>> edges(n);
  for (std::size_t e = 0; e < n; ++e) {
    const model::Event& event = sema.model.events[e];
    std::vector<const Expr*> calls;
    sure_calls(event.body.block, calls);
    for (const Expr* c : calls) edges[e].push_back({c->ref, c->range});
    for (const model::Handler& h : event.handlers) {
      if (h.head.when) continue;
      calls.clear();
      sure_calls(h.body.block, calls);
      for (const Expr* c : calls) {
        // A rule that reacts to only one player continues the cycle only if it passes on that player.
        bool passes = true;
        for (std::size_t i = 0; i < h.patterns.size(); ++i) {
          if (h.patterns[i].kind != model::Pattern::Kind::equals) continue;
          const Expr* v = h.patterns[i].value;
          const model::view::Parts arguments = model::view::call_event(c).arguments();
          const Expr* passed = i < arguments.size() ? arguments[i] : nullptr;
          passes = passes && c->ref == e && passed && passed->kind == ExprKind::local && v->kind == ExprKind::local &&
                   passed->local == v->local;
        }
        if (passes) edges[e].push_back({c->ref, h.head.range});
      }
    }
  }
  std::vector<int> state(n, 0);
  std::vector<std::pair<std::size_t, Range>> way;
  const std::function<void(std::size_t)> visit = [&](std::size_t i) {
    state[i] = 1;
    for (const Edge& edge : edges[i]) {
      if (state[edge.to] == 2) continue;
      way.push_back({i, edge.range});
      if (state[edge.to] == 0) {
        visit(edge.to);
      } else {
        std::string circle;
        bool on = false;
        Range at = edge.range;
        for (const auto& [x, range] : way) {
          if (x == edge.to && !on) on = true, at = range;
          if (on) circle += "`" + sema.model.events[x].name + "` → ";
        }
        if (sema.model.events[edge.to].depth_limit == 0)
          warn_if(sema, "endless_recursion"_code, at, true,
                  fmt::format("endless cycle of events: {}`{}`", circle, sema.model.events[edge.to].name),
                  "add a condition somewhere in the cycle: `when …`, `if …`");
      }
      way.pop_back();
    }
    state[i] = 2;
  };
  for (std::size_t i = 0; i < n; ++i)
    if (state[i] == 0) visit(i);
}

namespace {

// Finds clauses of an action that have no effect, because none of the action's windows has the required timing: `in
// real time`, `at once`, or one answer after the other.
using OnTiming = std::function<void(Range at, std::string_view what, std::string_view where, bool idle)>;
void look_for_idle_timing(const model::Model& m, const model::Action& action, const OnTiming& say) {
  bool in_race = false, late = false, in_turns = false;
  for (std::uint32_t w = 0; w < m.windows.size(); ++w) {
    const auto is_it = [&](model::WindowId id) { return id.index == w; };
    if (!action.any_window && std::none_of(action.windows.begin(), action.windows.end(), is_it)) continue;
    in_race = in_race || m.windows[w].race;
    late = late || m.windows[w].race || m.windows[w].at_once;
    in_turns = in_turns || !(m.windows[w].race || m.windows[w].at_once);
  }
  const auto of_race = [&](const Expr* e, std::string_view what) {
    if (e) say(e->range, what, "in real time", !in_race);
  };
  of_race(action.takes, "takes");
  of_race(action.busy, "then busy");
  of_race(action.must_if, "must if");
  if (action.must || (action.by_hand && action.takes))
    say(action.head.range, action.must ? "must" : "by hand", "in real time", !in_race && !action.takes && !action.busy);
  if (action.has_late) say(action.head.range, "late", "in real time or all at once", !late);
  if (action.free) say(action.head.range, "free", "one after the other", !in_turns);
}

// Returns whether the block can call the event or function again. An `ask` counts as such a call, because its answer
// can run any rule.
bool leads_back(const model::Model& m, ExprKind call, std::uint32_t to, const model::Block& from) {
  bool back = false;
  analysis::Causes causes(
      m, [&](const Stmt& s) { back = back || s.kind == StmtKind::ask; },
      [&](const Expr& e) { back = back || e.kind == ExprKind::open_window || (e.kind == call && e.ref == to); });
  causes.block(from);
  for (std::size_t h = 0; call == ExprKind::call_event && h < m.events[to].handlers.size(); ++h)
    causes.block(m.events[to].handlers[h].body.block);
  return back;
}

}   // namespace

// Reports `nested up to n` for an event or function that never calls itself.
static void warn_unnested(SemaContext& sema) {
  const auto look = [&](ExprKind call, std::uint32_t i, const auto& what) {
    if (what.depth_limit == 0 || what.body.block.empty() || in_library(sema, what.range)) return;
    warn_if(sema, "without_effect"_code, what.range, !leads_back(sema.model, call, i, what.body.block),
            fmt::format("`{}` never calls itself, so `nested up to {}` has no effect", what.name, what.depth_limit),
            "");
  };
  for (std::uint32_t i = 0; i < sema.model.events.size(); ++i) look(ExprKind::call_event, i, sema.model.events[i]);
  for (std::uint32_t i = 0; i < sema.model.functions.size(); ++i)
    look(ExprKind::call_function, i, sema.model.functions[i]);
}

// The declarations that rules use, and the events that they call.
struct UsedDeclarations {
  std::set<std::uint32_t> called_events, opened, called_values, called_functions, read, zones;
  std::set<const Expr*> targets;   // reads of variables that only compute the variable's own new value
  bool sets_winners = false;
};

static void note_used(const Stmt& s, UsedDeclarations& used) {
  if (s.kind == StmtKind::winners) used.sets_winners = true;
  switch (s.kind) {
    case StmtKind::move:
    case StmtKind::arrange:
    case StmtKind::shuffle: used.zones.insert(s.ref); break;
    case StmtKind::draw_to:
    case StmtKind::deal_each: used.zones.insert(s.ref), used.zones.insert(static_cast<std::uint32_t>(s.value)); break;
    case StmtKind::reveal_variable:
    case StmtKind::peek_variable: used.read.insert(s.ref); break;
    // `x = x + 1` does not count as a use of x.
    case StmtKind::assign_variable: {
      const Expr* v = s.exprs.empty() ? nullptr : model::view::assign_variable(s).value();
      if (v &&
          (v->kind == ExprKind::add || v->kind == ExprKind::subtract || v->kind == ExprKind::set_union ||
           v->kind == ExprKind::set_minus) &&
          !v->args.empty() && model::view::pair(v).left() && model::view::pair(v).left()->kind == ExprKind::variable &&
          model::view::pair(v).left()->ref == s.ref)
        used.targets.insert(model::view::pair(v).left());
      break;
    }
    default: break;
  }
}

static void note_used(const Expr& e, UsedDeclarations& used) {
  switch (e.kind) {
    case ExprKind::call_event: used.called_events.insert(e.ref); break;
    case ExprKind::open_window: used.opened.insert(e.ref); break;
    case ExprKind::call_value: used.called_values.insert(e.ref); break;
    case ExprKind::call_function: used.called_functions.insert(e.ref); break;
    case ExprKind::variable:
      if (!used.targets.contains(&e)) used.read.insert(e.ref);
      break;
    case ExprKind::zone:
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom:
    case ExprKind::card_of_slot:
    case ExprKind::knows_top: used.zones.insert(e.ref); break;
    default: break;
  }
}

// Marks the carrier of a rule as used, because it is read whenever the rule may apply.
static void note_carrier(const model::RuleHead& h, UsedDeclarations& used) {
  if (h.carrier.kind == CarrierKind::character) used.read.insert(h.carrier.character_variable.index);
  if (h.carrier.kind == CarrierKind::card && h.carrier.zone.valid()) used.zones.insert(h.carrier.zone.index);
}

static UsedDeclarations what_is_used(const SemaContext& sema) {
  UsedDeclarations used;
  const auto on_stmt = [&](const Stmt& s) { note_used(s, used); };
  const auto on_expr = [&](const Expr& e) { note_used(e, used); };
  const auto carrier = [&](const model::RuleHead& h) { note_carrier(h, used); };
  const auto look = visitor_of(on_expr, on_stmt);
  model::for_each_piece(sema.model, look);
  for (const model::Policy& policy : sema.model.policies)
    for (const model::PolicyRule& rule : policy.rules)
      model::for_each_expr(rule, [&](const Expr* e) { model::for_each_expr(e, on_expr); });
  model::for_each_shown(sema.model, [&](const model::Body& body) { look(nullptr, body.block); });
  for (const model::Event& e : sema.model.events)
    for (const model::Handler& h : e.handlers) carrier(h.head);
  for (const model::Value& v : sema.model.values)
    for (const model::Modifier& m : v.modifiers) carrier(m.head);
  for (const model::Action& a : sema.model.actions) {
    carrier(a.head);
    if (a.play) used.zones.insert(a.from.index);
    if (a.to) used.zones.insert(a.to->zone.index);
  }
  for (const model::Whenever& w : sema.model.whenevers) carrier(w.head);
  for (const model::Also& a : sema.model.alsos) carrier(a.head);
  for (const model::Card& c : sema.model.cards)
    if (c.home) used.zones.insert(c.home->index);
  for (const model::Zone& z : sema.model.zones)
    if (z.refill_from) used.zones.insert(z.refill_from->index);
  for (std::uint32_t f = 0; f < sema.rules.functions.size(); ++f)
    if (sema.model.payoff && sema.model.payoff->index == f) used.called_functions.insert(f);
  if (sema.model.payoff_value) used.called_values.insert(sema.model.payoff_value->index);
  return used;
}

// Reports `in force while C` and `to ZONE` in cards that have no rule or play to which they could apply.
static void warn_idle_clauses(SemaContext& sema) {
  const auto in_force = [&](const Node* members) {
    if (members)
      expand(sema, members, model::RuleKind::card, [&](const Node* m, model::RuleKind) {
        if (m->kind == NodeKind::in_force_decl && view::in_force_decl(m).condition())
          warn_if(sema, "without_effect"_code, first_word(sema, m),
                  !sema.used.contains(fmt::format("in force {}:{}", view::in_force_decl(m).condition()->range.source,
                                                  view::in_force_decl(m).condition()->range.begin)),
                  "`in force while` has no effect, because it applies to no rule",
                  "write the rules directly in the body of the card");
      });
  };
  const auto check_target = [&](const Node* members) {
    if (members)
      expand(sema, members, model::RuleKind::card, [&](const Node* m, model::RuleKind) {
        if (m->kind == NodeKind::plays_to && !in_library(sema, m->range))
          warn_if(sema, "without_effect"_code, first_word(sema, m), !sema.used.contains(plays_to_key(m)),
                  "`to` has no effect, because the card has no play, or each play has its own `to`",
                  "remove it, or remove the `to …` of the plays");
      });
  };
  for (const TypeInfo& t : sema.types.cards)
    if (const Node* members = t.node ? view::card_type(t.node).members() : nullptr)
      in_force(members), check_target(members);
  for (const KindInfo& k : sema.types.kinds)
    if (const Node* members = k.node && k.node->kind == NodeKind::card ? view::card(k.node).members() : nullptr)
      in_force(members), check_target(members);
}

// Reports real-time clauses and timers in a game without a real-time window.
static void warn_idle_timing(SemaContext& sema) {
  const bool races = std::any_of(sema.model.windows.begin(), sema.model.windows.end(),
                                 [](const model::Window& w) { return w.race.has_value(); });
  for (const model::Timer& timer : sema.model.timers)
    if (!in_library(sema, timer.range))
      warn_if(sema, "without_effect"_code, timer.range, !races,
              fmt::format("timer `{}` never runs, because no window is asked in real time", timer.name),
              "write `ask all of players in real time until C`, or count turns in a variable");
  for (const model::Action& action : sema.model.actions)
    look_for_idle_timing(sema.model, action, [&](Range at, std::string_view what, std::string_view where, bool idle) {
      warn_if(
          sema, "without_effect"_code, at, idle,
          fmt::format("`{}` of `{}` has no effect, because none of its windows is asked {}", what, action.name, where),
          "");
    });
  for (const model::Action& action : sema.model.actions)
    if (action.by_hand && !action.takes)
      warn_if(sema, "without_effect"_code, action.head.range, true,
              fmt::format("`by hand` of `{}` has no effect without a duration", action.name),
              "write `takes 300 ms, by hand`");
}

static void warn_groups(SemaContext& sema) {
  for (const auto& [name, at] : sema.rules.used_groups)
    if (!in_library(sema, at))
      warn_if(
          sema, "without_effect"_code, at, !sema.used.contains("group " + name),
          fmt::format("unused action group `{}`", name),
          fmt::format("use it: `forbid any action as {}`, or `once per turn as {}` for a common limit", name, name));
}

// Reports cards, windows, actions, events, values and functions that are never used.
static void warn_uncalled(SemaContext& sema, const UsedDeclarations& used) {
  const auto own = [&](const Callable& c) { return c.node && !sema.ruleset.units[c.decl.unit].library; };
  for (std::uint32_t k = 0; k < sema.types.kinds.size(); ++k)
    if (sema.types.kinds[k].node && !sema.types.kinds[k].implicit)
      warn_if(sema, "card_in_no_deck"_code, sema.model.kinds[k].range, !sema.types.kinds[k].in_deck,
              fmt::format("unused card `{}`: no deck contains it", sema.model.kinds[k].name),
              "add it to a deck, or remove the card");
  for (std::uint32_t w = 0; w < sema.rules.windows.size(); ++w)
    if (own(sema.rules.windows[w]) && !sema.model.windows[w].phase)
      warn_if(sema, "window_never_opened"_code, sema.model.windows[w].range, !used.opened.contains(w),
              fmt::format("unused window `{}`: no rule opens it", sema.model.windows[w].name),
              fmt::format("write `open {}(…)` to open it", sema.model.windows[w].name));
  for (std::uint32_t a = 0; a < sema.model.actions.size(); ++a) {
    const model::Action& action = sema.model.actions[a];
    if (action.any_window || action.windows.empty() || sema.ruleset.units[sema.actions.sources[a].decl.unit].library)
      continue;
    bool offered = std::any_of(action.windows.begin(), action.windows.end(), [&](model::WindowId w) {
      return sema.model.windows[w.index].phase || used.opened.contains(w.index);
    });
    warn_if(sema, "action_never_offered"_code, action.head.range, !offered,
            fmt::format("action `{}` is never offered, because no rule opens its window", action.name), "");
  }
  for (std::uint32_t e = 0; e < sema.rules.events.size(); ++e)
    if (own(sema.rules.events[e]))
      warn_if(sema, "event_never_happens"_code, sema.model.events[e].range, !used.called_events.contains(e),
              fmt::format("unused event `{}`: no rule triggers it", sema.model.events[e].name),
              fmt::format("write `{}(…)` to trigger it", sema.model.events[e].name));
  for (std::uint32_t v = 0; v < sema.rules.values.size(); ++v)
    if (own(sema.rules.values[v]))
      warn_if(sema, "unused_value"_code, sema.model.values[v].range,
              !used.called_values.contains(v) && !sema.used.contains(sema.model.values[v].name),
              fmt::format("unused value `{}`", sema.model.values[v].name), "");
  for (const model::Value& value : sema.model.values)
    if (const Expr* read =
            value.kept && !in_library(sema, value.range) ? analysis::unwatched(sema.model, value) : nullptr)
      warn_if(sema, "without_effect"_code, in_library(sema, read->range) ? value.range : read->range, true,
              fmt::format(
                  "`kept` has no effect: changes of this expression can't be detected, so `{}` is computed each time",
                  value.name),
              "remove `kept`");
  for (std::uint32_t f = 0; f < sema.rules.functions.size(); ++f)
    if (own(sema.rules.functions[f]))
      warn_if(sema, "unused_value"_code, sema.model.functions[f].range,
              !used.called_functions.contains(f) && !sema.used.contains(sema.model.functions[f].name),
              fmt::format("unused function `{}`", sema.model.functions[f].name), "");
}

static void warn_unread(SemaContext& sema, const UsedDeclarations& used) {
  for (std::uint32_t v = 0; v < sema.model.variables.size(); ++v) {
    if (in_library(sema, sema.model.variables[v].range) || placed_by(sema, v)) continue;
    warn_if(sema, "unused_variable"_code, sema.model.variables[v].range, !used.read.contains(v),
            fmt::format("unused variable `{}`: no rule reads it", sema.model.variables[v].name),
            "if it is only for display, show it with `shows \"…\"` of players or the table");
  }
  for (std::uint32_t z = 0; z < sema.model.zones.size(); ++z) {
    if (in_library(sema, sema.model.zones[z].range)) continue;
    warn_if(sema, "unused_variable"_code, sema.model.zones[z].range, !used.zones.contains(z),
            fmt::format("unused zone `{}`", sema.model.zones[z].name), "");
  }
  for (const auto& [name, node] : sema.constants.declared)
    if (!in_library(sema, node->range))
      warn_if(sema, "unused_variable"_code, name_range(sema, node), !sema.used.contains(name),
              fmt::format("unused const `{}`", name), "");
  for (const auto& [name, node] : sema.constants.units)
    if (!in_library(sema, node->range))
      warn_if(sema, "unused_variable"_code, name_range(sema, node), !sema.used.contains(name),
              fmt::format("unused unit `{}`", name), "");
  for (const model::Record& r : sema.model.records)
    if (!in_library(sema, r.range))
      warn_if(sema, "unused_variable"_code, r.range, !sema.used.contains("record " + r.name),
              fmt::format("unused record `{}`", r.name), "");
}

static void warn_options(SemaContext& sema) {
  for (const Option& o : sema.ruleset.options) {
    bool rules = false;
    for (const Unit& u : sema.ruleset.units)
      for (const Node* n : u.root->children)
        if (n && n->kind == NodeKind::option_decl && n->text == o.name && view::option_decl(n).values())
          for (const Node* v : view::option_decl(n).values()->children)
            rules = rules || (v && view::option_value(v).declarations());
    warn_if(sema, "unused_variable"_code, o.range, !rules && !sema.used.contains(o.name),
            fmt::format("unused option `{}`", o.name), "");
  }
}

static void warn_no_ending(SemaContext& sema, const UsedDeclarations& used) {
  if (!sema.ruleset.units.empty())
    warn_if(sema, "no_ending"_code,
            view::file(sema.ruleset.units.back().root).head() ? view::file(sema.ruleset.units.back().root).head()->range
                                                              : Range{},
            sema.model.endings.empty() && !sema.model.payoff && !sema.model.payoff_value && !used.sets_winners,
            "no player can win, because there is no `end when`",
            "for example `end when size(players) == 1 { winners players }`");
}

static void warn_unused(SemaContext& sema) {
  const UsedDeclarations used = what_is_used(sema);
  warn_idle_clauses(sema);
  warn_idle_timing(sema);
  warn_unnested(sema);
  warn_groups(sema);
  warn_uncalled(sema, used);
  warn_unread(sema, used);
  warn_options(sema);
  warn_no_ending(sema, used);
}

// Returns a description of a source position, such as `on line 7` or `on line 7 of base.rules`.
static std::string place_in_words(const SemaContext& sema, Range at, Range seen_from) {
  const SourceMap& sources = sema.diagnostics.sources();
  const std::string line = fmt::format("on line {}", sources.place(at.source, at.begin).line);
  return at.source == seen_from.source
             ? line
             : fmt::format("{} of {}", line, std::filesystem::path(sources.name(at.source)).filename().string());
}

// Returns whether one rule may intentionally override the other. A house file can override its base, and any file can
// override its libraries. One library overrides another only because of the order of their `use`s, which is not
// intentional.
static bool may_override(const SemaContext& sema, const model::RuleHead& stronger, const model::RuleHead& weaker) {
  if (stronger.precedence.depth > weaker.precedence.depth) return true;
  return in_library(sema, weaker.range) && !in_library(sema, stronger.range);
}

// Reports a `modify … to` or `instead of` that never applies, because a stronger one always applies. A house file may
// intentionally disable rules of its base, but not its own rules.
static void warn_hidden(SemaContext& sema) {
  const auto always_holds = [](const model::RuleHead& head, const std::vector<model::Pattern>& patterns) {
    return head.carrier.kind == CarrierKind::none && !head.when &&
           std::ranges::none_of(patterns,
                                [](const model::Pattern& p) { return p.kind == model::Pattern::Kind::equals; });
  };
  const auto look = [&](const model::RuleHead& rule, const auto& all, const auto& hides) {
    if (!rule.range.known() || in_standard_library(sema, rule.range)) return;
    const auto over = [&](const auto& other) {
      return hides(other) && rule.precedence < other.head.precedence && !may_override(sema, other.head, rule);
    };
    const auto stronger = std::ranges::find_if(all, over);
    const bool hidden = stronger != all.end();
    std::string where;
    if (hidden)
      where =
          fmt::format("the stronger rule {} always applies", place_in_words(sema, stronger->head.range, rule.range));
    warn_if(sema, "always_overridden"_code, rule.range, hidden, "this rule never applies", where);
  };
  for (const model::Value& v : sema.model.values)
    for (const model::Modifier& m : v.modifiers)
      if (m.how == model::ModifyHow::to)
        look(m.head, v.modifiers, [&](const model::Modifier& o) {
          return o.how == model::ModifyHow::to && always_holds(o.head, o.patterns);
        });
  const auto proceeds = [](const model::Handler& h) {
    bool found = false;
    model::for_each_expr(h.body.block, [&](const Expr& e) { found = found || e.kind == ExprKind::proceed; });
    return found;
  };
  for (const model::Event& e : sema.model.events)
    for (const model::Handler& h : e.handlers)
      if (h.hook == model::Hook::instead)
        look(h.head, e.handlers, [&](const model::Handler& o) {
          return o.hook == model::Hook::instead && always_holds(o.head, o.patterns) && !proceeds(o);
        });
}

// Reports an `allow` or `forbid` without effect. The strongest kind of rule that matches an action determines the
// result; among rules of one kind, `forbid` wins. Therefore, an `allow` takes effect only over a `forbid` of a weaker
// kind.
static void warn_permissions(SemaContext& sema) {
  const auto refers_to = [](const model::Forbid& f, model::ActionId action) {
    return std::ranges::find(f.actions, action) != f.actions.end();
  };
  for (const model::Forbid& allow : sema.model.forbids) {
    if (!allow.allow || !allow.head.range.known() || in_standard_library(sema, allow.head.range)) continue;
    const model::Forbid* over = nullptr;
    bool counts = false, forbidden = false;
    for (const model::Forbid& forbid : sema.model.forbids) {
      if (forbid.allow || std::ranges::none_of(allow.actions, [&](model::ActionId a) { return refers_to(forbid, a); }))
        continue;
      forbidden = true;
      if (forbid.head.precedence.kind < allow.head.precedence.kind)
        counts = true;
      else if (!over)
        over = &forbid;
    }
    const bool hidden = forbidden && !counts;
    warn_if(sema, "always_overridden"_code, allow.head.range, hidden, "this rule never applies",
            hidden ? fmt::format("among rules of the same kind, `forbid` overrides `allow`: add the exception to the "
                                 "`when` of the `forbid` {}",
                                 place_in_words(sema, over->head.range, allow.head.range))
                   : "");
  }
}

// Warns about an ending whose condition implies that of an earlier ending.
static void warn_endings(SemaContext& sema) {
  const std::vector<model::EndWhen>& all = sema.model.endings;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto before = std::find_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), [&](const auto& other) {
      return other.precedence.depth <= all[i].precedence.depth && implies(*all[i].when, *other.when);
    });
    const bool hidden = before != all.begin() + static_cast<std::ptrdiff_t>(i);
    const Range at{all[i].range.source, all[i].range.begin, all[i].when->range.end};
    warn_if(sema, "ending_never_reached"_code, at, hidden, "unreachable ending",
            hidden ? fmt::format("the ending {} is checked first, and its condition is true whenever the condition of "
                                 "this ending is true",
                                 place_in_words(sema, before->range, at))
                   : "");
  }
}

void warn(SemaContext& sema) {
  if (!sema.pending_warnings) return;
  warn_hidden(sema);
  warn_permissions(sema);
  warn_endings(sema);
  warn_has_left(sema);
  warn_captures(sema);
  warn_unused(sema);
  warn_conditions(sema);
  warn_endless(sema);
  warn_cycles(sema);
  warn_of_likely_mistakes(sema);
}

}   // namespace cardwright::sema
