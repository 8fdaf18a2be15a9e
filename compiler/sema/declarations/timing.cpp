// Declares timers, and the timing of windows.
#include "compiler/sema/declarations/timing.h"

#include <fmt/format.h>

#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/texts.h"

namespace cardwright::sema {

// Visits the clauses and `ask`s of a window that exist under the chosen options.
static void timing_in(SemaContext& sema, const Node* node, const std::function<void(const Node*)>& found) {
  if (!node) return;
  switch (node->kind) {
    case NodeKind::ask_stmt:
    case NodeKind::race_clause: found(node); return;
    case NodeKind::phase_stmt:
    case NodeKind::turns_stmt:
    case NodeKind::rounds_stmt: return;
    case NodeKind::with_stmt: {
      auto c = tree_constant(sema, view::with_stmt(node).condition(), false);
      const view::with_stmt its(node);
      if (c) timing_in(sema, (c->value != 0) == !its.without() ? its.then() : its.otherwise(), found);
      return;
    }
    default:
      for (const Node* c : node->children) timing_in(sema, c, found);
  }
}

// Declares the latencies of real-time windows as values. Runs before any rule is built, because rules can modify them:
// `modify race.think(p) to …`.
void declare_timing(SemaContext& sema, std::uint32_t window, const Node* body) {
  enum : std::int64_t { at_once = 2, real_time = 4 };
  const Node* timed = nullptr;
  std::vector<const Node*> asks;
  std::map<std::string_view, const Node*> clauses;
  timing_in(sema, body, [&](const Node* n) {
    if (n->kind == NodeKind::ask_stmt) {
      asks.push_back(n);
      if (n->number & (at_once | real_time)) timed = n;
    } else if (n->text == "sight" || n->text == "think" || n->text == "patience") {
      if (!clauses.emplace(n->text, n).second)
        error(sema, "duplicate_clause"_code, n->range, fmt::format("duplicate `{}`", n->text))
            .notes.push_back({clauses[n->text]->range, "first declared here"});
    }
  });
  if (!timed) return;
  model::Window& w = sema.model.windows[window];
  if (asks.size() > 1)
    error(sema, "bad_ask"_code, asks[0] == timed ? asks[1]->range : asks[0]->range,
          "a window with `at once` or `in real time` can't have a second `ask`", "use a separate window for this")
        .notes.push_back({timed->range, "the other `ask`"});
  if (timed->number & at_once) {
    w.at_once.emplace();
    return;
  }
  w.race.emplace();
  const auto value = [&](std::string_view what) {
    const auto clause = clauses.find(what);
    const Node* node = clause == clauses.end() ? nullptr : clause->second;
    const model::ValueId id{static_cast<std::uint32_t>(sema.model.values.size())};
    model::Value v;
    v.name = fmt::format("{}.{}", w.name, what);
    v.parameters.push_back({LocalId{0}, nullptr});
    v.body.locals.push_back({"me", player_type(), timed->range});
    v.result = duration_type();
    v.timing = true;
    v.range = node ? node->range : timed->range;
    sema.names.values.emplace(v.name, id.index);
    sema.used.insert(v.name);
    sema.model.values.push_back(std::move(v));
    Callable c;
    c.node = node;
    c.names = {"p"};
    c.types = {player_type()};
    sema.rules.values.push_back(std::move(c));
    sema.rules.value_modifiers.emplace_back();
    sema.rules.modifiers_built.push_back(0);
    return id;
  };
  w.race->sight = value("sight");
  w.race->think = value("think");
  w.race->patience = value("patience");
}

void declare_timer(SemaContext& sema, const Node* node, bool per_player) {
  const view::timer_decl its(node);
  const std::string name(node->text);
  Table& table = per_player ? sema.names.player_timers : sema.names.table_timers;
  const bool taken = table.contains(name) || sema.names.events.contains(name) ||
                     (per_player ? sema.names.player_variables.contains(name) || sema.names.player_zones.contains(name)
                                 : sema.names.table_variables.contains(name) || sema.names.table_zones.contains(name));
  if (taken) {
    error(sema, "duplicate_declaration"_code, node->range, fmt::format("duplicate declaration of `{}`", name),
          "a timer also declares an event of this name, which happens when the timer expires");
    return;
  }
  const model::EventId rings{static_cast<std::uint32_t>(sema.model.events.size())};
  model::Event& e = sema.model.events.emplace_back();
  e.name = name;
  e.range = node->range;
  Callable c;
  c.state = Callable::State::done;
  if (per_player) {
    e.body.locals.push_back({"owner", player_type(), node->range});
    e.parameters.push_back({LocalId{0}, nullptr});
    e.subject = 0;
    c.names = {"owner"};
    c.types = {player_type()};
  }
  sema.rules.events.push_back(std::move(c));
  sema.names.events[name].push_back(rings.index);
  table.emplace(name, static_cast<std::uint32_t>(sema.model.timers.size()));
  sema.model.timers.push_back(
      {name, its.label() ? plain_words(sema, its.label()) : split_words(name), per_player, rings, node->range});
}

}   // namespace cardwright::sema
