// Declares the events and windows of the game flow.
#include "compiler/sema/declarations/flow.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/declarations/timing.h"
#include "compiler/sema/expressions/decided.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

bool asks(const Node* node) {
  if (!node) return false;
  if (node->kind == NodeKind::ask_stmt) return true;
  if (node->kind == NodeKind::phase_stmt || node->kind == NodeKind::turns_stmt) return false;
  return std::any_of(node->children.begin(), node->children.end(), [&](const Node* c) { return asks(c); });
}

// Adds the event of a turn, round or phase. A phase with an `ask` is also a window. All these events are added before
// any rule is checked.
static std::uint32_t add_event(SemaContext& sema, const Node* n, std::string name, model::EventKind kind, bool player) {
  const auto id = static_cast<std::uint32_t>(sema.model.events.size());
  model::Event& e = sema.model.events.emplace_back();
  e.name = std::move(name);
  e.kind = kind;
  e.range = n->range;
  e.body.present = true;
  Callable c;
  c.state = Callable::State::done;
  if (player) {
    e.body.locals.push_back({"player", player_type(), n->range});
    e.parameters.push_back({LocalId{0}, nullptr});
    e.subject = 0;
    c.names = {"player"};
    c.types = {player_type()};
  }
  sema.rules.events.push_back(std::move(c));
  sema.flow.events[n] = id;
  return id;
}

// Declares the window of a phase with an `ask`.
static void declare_phase_window(SemaContext& sema, const Node* n) {
  const std::string name(n->text);
  if (auto w = sema.names.windows.find(name); w != sema.names.windows.end()) {
    error(sema, "duplicate_declaration"_code, name_range(sema, n), fmt::format("duplicate window or phase `{}`", name),
          "choose another name; to allow an action in both, use `in main or last`")
        .notes.push_back({sema.model.windows[w->second].range, "first declared here"});
    sema.flow.windows[n] = w->second;   // prevents subsequent errors about the phase's `ask`s
    return;
  }
  sema.flow.windows[n] = static_cast<std::uint32_t>(sema.model.windows.size());
  sema.names.windows.emplace(name, static_cast<std::uint32_t>(sema.model.windows.size()));
  model::Window& w = sema.model.windows.emplace_back();
  w.name = name;
  w.phase = true;
  w.range = name_range(sema, n);
  sema.rules.windows.emplace_back();
  sema.rules.windows.back().state = Callable::State::done;
  declare_timing(sema, sema.flow.windows[n], view::phase_stmt(n).body());
}

static void declare_flow_in(SemaContext& sema, const Node* list, bool in_turn) {
  if (!list || ++sema.depth > 300) {
    if (list) --sema.depth;
    return;
  }
  for (const Node* n : list->children) {
    if (!n) continue;
    switch (n->kind) {
      case NodeKind::turns_stmt:
        sema.names.events["turn"].push_back(add_event(sema, n, "turn", model::EventKind::turn, true));
        sema.flow.has_turns = true;
        declare_flow_in(sema, view::turns_stmt(n).body(), true);
        break;
      case NodeKind::rounds_stmt:
        sema.names.events["round"].push_back(add_event(sema, n, "round", model::EventKind::round, false));
        sema.flow.has_turns =
            sema.flow.has_turns || view::rounds_stmt(n).starting();   // a starting player is active during the round
        declare_flow_in(sema, view::rounds_stmt(n).body(), in_turn);
        break;
      case NodeKind::phase_stmt: {
        const std::string name(n->text);
        sema.names.phases[name].push_back(add_event(sema, n, name, model::EventKind::phase, in_turn));
        declare_flow_in(sema, view::phase_stmt(n).body(), in_turn);
        if (asks(view::phase_stmt(n).body())) declare_phase_window(sema, n);
        break;
      }
      case NodeKind::with_stmt:
        if (const auto side = branch(sema, n, false)) {
          declare_flow_in(sema, side->taken, in_turn);
          note_absent_flow(sema, side->left_out);
        }
        break;
      case NodeKind::if_stmt: {
        auto f = decided(sema, nullptr, view::if_stmt(n).condition());
        const Node *then = view::if_stmt(n).then(), *otherwise = view::if_stmt(n).otherwise();
        if (!f || f->value) declare_flow_in(sema, then, in_turn);
        if (!f || !f->value) declare_flow_in(sema, otherwise, in_turn);
        if (f) note_absent_flow(sema, f->value ? otherwise : then);
        break;
      }
      case NodeKind::each_stmt: declare_flow_in(sema, view::each_stmt(n).body(), in_turn); break;
      case NodeKind::repeat_stmt: declare_flow_in(sema, view::repeat_stmt(n).body(), in_turn); break;
      case NodeKind::block:
      case NodeKind::list: declare_flow_in(sema, n, in_turn); break;
      default: break;
    }
  }
  --sema.depth;
}

// Reports a second `setup` in a file. Blocks inside a `with` are additions for an option.
static void check_setups(SemaContext& sema) {
  for (const Unit& unit : sema.ruleset.units) {
    const Node* first = nullptr;
    for (const Node* n : unit.root ? unit.root->children : std::span<Node* const>{}) {
      if (!n || n->kind != NodeKind::setup_decl) continue;
      if (first)
        error(sema, "duplicate_declaration"_code, first_word(sema, n), "duplicate `setup`",
              "combine the blocks into one")
            .notes.push_back({first->range, "first declared here"});
      else
        first = n;
    }
  }
}

void declare_flow(SemaContext& sema) {
  if (sema.rules.plays.size() > 1)
    for (std::size_t i = 1; i < sema.rules.plays.size(); ++i)
      error(sema, "duplicate_declaration"_code, first_word(sema, sema.rules.plays[i].node), "duplicate `play`",
            "use `replace play { … }`")
          .notes.push_back({sema.rules.plays[0].node->range, "first declared here"});
  check_setups(sema);
  if (!sema.rules.plays.empty()) declare_flow_in(sema, view::play_flow(sema.rules.plays[0].node).body(), false);
}

}   // namespace cardwright::sema
