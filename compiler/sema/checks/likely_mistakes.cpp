// Warns about likely mistakes: unused names, unreachable statements, statements without effect, `ask`s without actions,
// and uses of rounds and turns in a game that has none.
// Input:  the syntax trees and the Model.
// Output: pending warnings.
#include "compiler/sema/checks/likely_mistakes.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "compiler/sema/operations/type_relations.h"
#include "compiler/analysis/causes.h"
#include "compiler/analysis/facedown.h"
#include "compiler/model/visit.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

namespace {

// The locals that a rule reads or assigns.
class UsedLocals {
 public:
  template <class... Pieces>
  explicit UsedLocals(const Pieces&... pieces) {
    (add(pieces), ...);
  }
  bool has(model::LocalId local) const { return locals_.contains(local.index); }

 private:
  void add(const Expr* e) {
    model::for_each_expr(e, [&](const Expr& in) { note(in.local); });
  }
  void add(const Block& block) {
    model::for_each_stmt(block, [&](const Stmt& s) {
      note(s.local);
      add(s.why);
      for (const Expr* e : s.exprs) add(e);
    });
  }
  void note(model::LocalId local) {
    if (local.valid()) locals_.insert(local.index);
  }
  std::set<std::uint32_t> locals_;
};

}   // namespace

// Returns the names that a pattern of this type can refer to.
static std::vector<std::string> known_in_patterns(const SemaContext& sema, const Type& type) {
  std::vector<std::string> names;
  for (const auto& [name, constants] : sema.names.constants)
    if (type.kind == TypeKind::player || std::any_of(constants.begin(), constants.end(), [&](const auto& c) {
          return type.kind == TypeKind::enumeration && c.first == type.ref;
        }))
      names.push_back(name);
  for (const auto& [name, v] : sema.names.table_variables)
    if (same_type(sema, without_none(sema.model.variables[v].type), without_none(type))) names.push_back(name);
  if (type.kind == TypeKind::card)
    for (const auto* known : {&sema.names.kinds, &sema.names.card_types})
      for (const auto& [name, index] : *known) names.push_back(name);
  for (const auto& [name, node] : sema.constants.declared) names.push_back(name);
  return names;
}

// Warns about a new name in a pattern that is unused and was probably intended as a known name, because it is similar
// to one or begins with a capital letter. A new name matches any value.
static void warn_new_names(SemaContext& sema) {
  const auto look = [&](const std::vector<model::Pattern>& patterns, const model::Body& body, const UsedLocals& used) {
    for (const model::Pattern& p : patterns) {
      if (p.kind != model::Pattern::Kind::binds || !p.local.valid()) continue;
      const model::Local& local = body.locals[p.local.index];
      const bool is_written = local.range.known() && !local.name.empty() && local.name.find(' ') == local.name.npos;
      if (!is_written || in_library(sema, local.range) || local.name == "me" || local.name == "this") continue;
      const std::string guess = did_you_mean(local.name, known_in_patterns(sema, local.type));
      const bool like_a_constant = std::isupper(static_cast<unsigned char>(local.name[0])) != 0;
      warn_if(sema, "new_name"_code, local.range, !used.has(p.local) && (!guess.empty() || like_a_constant),
              fmt::format("unused new name `{}`, which matches any value", local.name),
              guess.empty() ? "write `_` to match anything" : guess);
    }
  };
  for (const model::Event& e : sema.model.events)
    for (const model::Handler& h : e.handlers) look(h.patterns, h.body, UsedLocals(h.head.when, h.body.block));
  for (const model::Value& v : sema.model.values)
    for (const model::Modifier& m : v.modifiers) look(m.patterns, m.body, UsedLocals(m.head.when, m.amount));
  for (const model::Forbid& f : sema.model.forbids) look(f.patterns, f.body, UsedLocals(f.head.when));
  for (const model::Policy& policy : sema.model.policies)
    for (const model::PolicyRule& r : policy.rules) look(r.patterns, r.body, UsedLocals(r.head.when, r.weight));
}

// Warns about actions that were dropped because they refer to a removed declaration.
static void warn_dropped_actions(SemaContext& sema) {
  for (const Removal& removal : sema.collected.removed_outright) {
    std::string actions;
    for (const std::string& name : removal.actions) actions += fmt::format("{}`{}`", actions.empty() ? "" : ", ", name);
    const bool one = removal.actions.size() < 2;
    warn_if(sema, "action_removed"_code, name_range(sema, removal.node), !actions.empty(),
            fmt::format("{} {} dropped, because {} the removed `{}`", actions, one ? "is" : "are",
                        one ? "it names" : "they name", removal.node->text),
            fmt::format("use `replace` for {}, or for the cards with {}", one ? "it" : "them", one ? "it" : "them"));
  }
}

// ---------------------------------------------------------------- statements

namespace {

// Returns the read of a local in a statement such as `n += 1`. Such a read does not count as a use of the local.
// Returns null for other statements.
const Expr* changed_by(const Stmt& s) {
  const Expr* v = s.kind == StmtKind::assign_local && !s.exprs.empty() ? model::view::assign_local(s).value() : nullptr;
  const bool changes = v &&
                       (v->kind == ExprKind::add || v->kind == ExprKind::subtract || v->kind == ExprKind::set_union ||
                        v->kind == ExprKind::set_minus) &&
                       !v->args.empty();
  return changes && model::view::pair(v).left() && model::view::pair(v).left()->kind == ExprKind::local &&
                 model::view::pair(v).left()->local.index == s.local.index
             ? model::view::pair(v).left()
             : nullptr;
}

}   // namespace

// Warns about unused `let` and `var` names. Variables of an event or window are exempt, because other rules can read
// them.
static void warn_unused_names(SemaContext& sema) {
  std::set<std::pair<const model::Body*, std::uint32_t>> asked_for;
  const auto outside = [&](const auto& all) {
    for (const auto& one : all)
      for (const model::LocalId v : one.variables) asked_for.emplace(&one.body, v.index);
  };
  outside(sema.model.events);
  outside(sema.model.windows);
  const auto is_given = [&](Range range) {
    const std::string_view words = sema.diagnostics.sources().text(range);
    return words.starts_with("let ") || words.starts_with("var ");
  };
  model::for_each_rule_block(sema.model, [&](const model::Body& body, const Block& block) {
    std::set<std::uint32_t> read;
    model::for_each_stmt(block, [&](const Stmt& s) {
      const Expr* changed = changed_by(s);
      const auto note = [&](const Expr& e) {
        if (e.local.valid() && &e != changed) read.insert(e.local.index);
      };
      model::for_each_expr(s.why, note);
      for (const Expr* e : s.exprs) model::for_each_expr(e, note);
    });
    model::for_each_stmt(block, [&](const Stmt& s) {
      if (s.kind != StmtKind::let || !s.local.valid()) return;
      const model::Local& local = body.locals[s.local.index];
      if (!local.range.known() || in_library(sema, local.range) || asked_for.contains({&body, s.local.index}) ||
          !is_given(local.range))
        return;
      warn_if(sema, "unused_variable"_code, local.range, !read.contains(s.local.index),
              fmt::format("unused variable `{}`", local.name));
    });
  });
}

// Warns about the literal `false` in `when false` and `if false`, but not about conditions that depend on options.
static void warn_always_false(SemaContext& sema) {
  const auto look = [&](const Expr* e) {
    if (!e || e->kind != ExprKind::constant || !e->range.known() || in_library(sema, e->range) ||
        sema.diagnostics.sources().text(e->range) != "false")
      return;
    warn_if(sema, "constant_condition"_code, e->range, true, "this is never true");
  };
  model::for_each_piece(sema.model, [&](const model::RuleHead* head, const auto& piece) {
    if constexpr (std::is_same_v<std::decay_t<decltype(piece)>, Block>)
      model::for_each_stmt(piece, [&](const Stmt& s) {
        if (s.kind == StmtKind::if_else) look(model::view::if_else(s).condition());
      });
    else if (head && piece == head->when)
      look(piece);
  });
}

// Warns if a file forbids one of its own actions unconditionally and for every player.
static void warn_forbidden(SemaContext& sema) {
  for (const model::Forbid& f : sema.model.forbids) {
    if (f.allow || f.head.when || f.head.carrier.kind != CarrierKind::none || f.actions.size() != 1 ||
        in_library(sema, f.head.range))
      continue;
    if (std::ranges::any_of(f.patterns, [](const model::Pattern& p) { return p.kind == model::Pattern::Kind::equals; }))
      continue;
    const model::Action& action = sema.model.actions[f.actions[0].index];
    const bool allowed = std::ranges::any_of(sema.model.forbids, [&](const model::Forbid& o) {
      return o.allow &&
             std::ranges::any_of(o.actions, [&](model::ActionId a) { return a.index == f.actions[0].index; });
    });
    warn_if(sema, "action_never_offered"_code, f.head.range,
            !allowed && f.head.range.source == action.head.range.source,
            fmt::format("`{}` is never offered, because this rule always forbids it", action.name),
            fmt::format("add a condition: `forbid {} when C`, or remove the action", action.name));
  }
}

// ---------------------------------------------------------------- cards

// Warns about showing cards that are already public, and about shuffling a set. Zones that can contain facedown cards
// are exempt.
static void warn_needless_shows(SemaContext& sema) {
  const std::vector<bool> has_facedown = analysis::zones_with_facedown(sema.model);
  const auto look = [&](const Stmt& s) {
    if (in_library(sema, s.range)) return;
    if (s.kind == StmtKind::shuffle) {
      const model::Zone& zone = sema.model.zones[s.ref];
      warn_if(sema, "without_effect"_code, s.range, zone.shape == model::ZoneShape::set,
              fmt::format("the cards in `{}` have no order to shuffle", zone.name), "declare it as a `pile`");
    }
    const bool turned_up = s.kind == StmtKind::turn_cards && model::view::turn_cards(s).faceup();
    const bool shows = s.kind == StmtKind::reveal_cards || s.kind == StmtKind::peek_cards || turned_up;
    const Expr* shown = shows ? s.exprs.back() : nullptr;
    if (!shown ||
        (shown->kind != ExprKind::zone && shown->kind != ExprKind::zone_top && shown->kind != ExprKind::zone_top_n))
      return;
    const model::Zone& zone = sema.model.zones[shown->ref];
    warn_if(sema, "without_effect"_code, s.range,
            zone.visibility == model::Visibility::open && !has_facedown[shown->ref],
            fmt::format("`{}` is already public", zone.name));
  };
  model::for_each_rule_block(sema.model,
                             [&](const model::Body&, const Block& block) { model::for_each_stmt(block, look); });
}

// Warns if a statement deals more cards than the game has.
static void warn_too_many_cards(SemaContext& sema) {
  const auto all = static_cast<Int>(sema.model.cards.size());
  model::for_each_rule_block(sema.model, [&](const model::Body&, const Block& block) {
    model::for_each_stmt(block, [&](const Stmt& s) {
      if (in_library(sema, s.range) || (s.kind != StmtKind::draw_to && s.kind != StmtKind::deal_each)) return;
      const bool to_each = s.kind == StmtKind::deal_each;
      const Expr* count = to_each ? model::view::deal_each(s).count() : model::view::draw_to(s).count();
      if (!count || count->kind != ExprKind::constant || count->value <= 0) return;
      const Int whom =
                    to_each && model::view::deal_each(s).whom()->kind == ExprKind::players_in ? sema.model.players : 1,
                wanted = count->value * whom;
      const std::string to_whom = whom > 1 ? fmt::format(" to {} players", whom) : "";
      if (wanted > all)
        warn_if(sema, "without_effect"_code, s.range, true,
                fmt::format("too many cards: this deals {} cards{}, but the game has {}", wanted, to_whom, all));
    });
  });
}

// ---------------------------------------------------------------- windows and turns

static void warn_asks_without_actions(SemaContext& sema) {
  std::set<std::uint32_t> answered;
  bool anywhere = false;
  for (const model::Action& a : sema.model.actions) {
    anywhere = anywhere || a.any_window;
    for (const model::WindowId w : a.windows) answered.insert(w.index);
  }
  model::for_each_piece(sema.model, [&](const model::RuleHead*, const auto& piece) {
    if constexpr (std::is_same_v<std::decay_t<decltype(piece)>, Block>)
      model::for_each_stmt(piece, [&](const Stmt& s) {
        if (s.kind != StmtKind::ask || in_library(sema, s.range)) return;
        const std::string& name = sema.model.windows[s.ref].name;
        warn_if(sema, "without_effect"_code, s.range, !anywhere && !answered.contains(s.ref),
                fmt::format("this `ask` has no effect, because no action is `in {}`", name),
                fmt::format("declare an action: `action NAME in {} {{ … }}`", name));
      });
  });
}

// Warns about uses of rounds, turns or phases in a game that has none.
static void warn_absent_flow(SemaContext& sema) {
  const auto missing = [&](std::string_view what) {
    return what == "phase" ? sema.names.phases.empty() : !sema.names.events.contains(what);
  };
  const auto help = [](std::string_view what) {
    return what == "round"  ? "`rounds 3 { … }` in `play`"
           : what == "turn" ? "`turns clockwise from first of players until C { … }` in `play`"
                            : "`phase NAME { … }` in `play`";
  };
  model::for_each_piece(sema.model, [&](const model::RuleHead*, const auto& piece) {
    model::for_each_expr(piece, [&](const Expr& e) {
      if (e.kind != ExprKind::round_number && e.kind != ExprKind::turn_number) return;
      const std::string_view what = e.kind == ExprKind::round_number ? "round" : "turn";
      if (!in_library(sema, e.range))
        warn_if(sema, "without_effect"_code, e.range, missing(what),
                fmt::format("this is always 0, because the game has no {}s", what), help(what));
    });
  });
  for (const model::Variable& v : sema.model.variables) {
    if (v.lifetime == model::Lifetime::game || in_library(sema, v.range)) continue;
    const std::string_view what = v.lifetime == model::Lifetime::round  ? "round"
                                  : v.lifetime == model::Lifetime::turn ? "turn"
                                                                        : "phase";
    warn_if(sema, "without_effect"_code, v.range, missing(what),
            fmt::format("`{}` is never reset, because the game has no {}s", v.name, what), help(what));
  }
}

// ---------------------------------------------------------------- simultaneous answers

namespace {

using Zones = std::set<std::uint32_t>;

// Collects the zones from which these statements move cards.
void add_moved_from(const Block& block, Zones& zones) {
  model::for_each_stmt(block, [&](const Stmt& s) {
    if (s.kind != StmtKind::move) return;
    model::for_each_expr(model::view::move(s).what(), [&](const Expr& e) {
      if (e.kind == ExprKind::zone) zones.insert(e.ref);
    });
  });
}

bool eliminates(const Block& block) {
  bool found = false;
  model::for_each_stmt(block, [&](const Stmt& s) { found = found || s.kind == StmtKind::eliminate; });
  return found;
}

// Returns the zones whose cards the affected player loses if this action eliminates that player.
Zones lost_by_elimination(const model::Model& model, const model::Action& action) {
  Zones zones;
  if (eliminates(action.body.block)) add_moved_from(action.body.block, zones);
  analysis::Causes causes(model, {}, [&](const Expr& e) {
    if (e.kind != ExprKind::call_event || !eliminates(model.events[e.ref].body.block)) return;
    add_moved_from(model.events[e.ref].body.block, zones);
    for (const model::Handler& h : model.events[e.ref].handlers) add_moved_from(h.body.block, zones);
  });
  causes.block(action.body.block);
  return zones;
}

// Returns whether this action needs a card that the acting player has in one of these zones.
bool needs_own_card(const model::Action& action, const Zones& zones) {
  if (action.play && zones.contains(action.from.index)) return true;
  return std::ranges::any_of(action.parameters, [&](const model::ActionParameter& p) {
    bool own = false;
    model::for_each_expr(p.domain, [&](const Expr& e) {
      const Expr* owner = e.kind == ExprKind::zone ? model::view::zone_place(e).owner() : nullptr;
      own = own || (owner && owner->kind == ExprKind::local && owner->local == action.head.me && zones.contains(e.ref));
    });
    return own;
  });
}

}   // namespace

// Warns about an answer that needs a card which the answering player may no longer have, because an earlier answer can
// eliminate that player.
static void warn_lost_answers(SemaContext& sema) {
  for (std::uint32_t w = 0; w < sema.model.windows.size(); ++w) {
    if (!sema.model.windows[w].at_once) continue;
    Zones lost;
    for (const model::Action& action : sema.model.actions)
      if (model::is_in(action, {w})) lost.merge(lost_by_elimination(sema.model, action));
    for (const model::Action& action : sema.model.actions)
      if (model::is_in(action, {w}) && !in_library(sema, action.head.range))
        warn_if(sema, "answer_lost"_code, action.head.range, needs_own_card(action, lost),
                fmt::format("`{}` is lost if an earlier answer eliminates its player, who then no longer has the card",
                            action.name),
                "count the hits in the answers, and eliminate players after the window closes");
  }
}

void warn_of_likely_mistakes(SemaContext& sema) {
  warn_new_names(sema);
  warn_dropped_actions(sema);
  warn_unused_names(sema);
  warn_always_false(sema);
  warn_forbidden(sema);
  warn_needless_shows(sema);
  warn_too_many_cards(sema);
  warn_asks_without_actions(sema);
  warn_absent_flow(sema);
  warn_lost_answers(sema);
}

}   // namespace cardwright::sema
