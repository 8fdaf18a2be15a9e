// Checks the game flow: setup, turns, rounds, phases and endings. Input: `setup`, `play` and `end when` declarations.
// Output: the flow blocks, events and endings of the Model.
#include "compiler/sema/rules/flow.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/options/fixed.h"
#include "compiler/sema/expressions/names.h"
#include "compiler/sema/expressions/narrowing.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/expressions/texts.h"
#include "compiler/sema/rules/timing.h"

namespace cardwright::sema {

bool asks(const Node* node) {
  if (!node) return false;
  if (node->kind == NodeKind::ask_stmt) return true;
  if (node->kind == NodeKind::phase_stmt || node->kind == NodeKind::turns_stmt) return false;
  return std::any_of(node->children.begin(), node->children.end(), [&](const Node* c) { return asks(c); });
}

// Adds the event of a turn, round or phase. A phase with an `ask` is also a window. Runs for all of them before any
// rule is checked.
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
    error(sema, Code::declared_twice, name_range(sema, n), fmt::format("duplicate window or phase `{}`", name),
          "choose another name; to allow an action in both, use `in main or last`")
        .notes.push_back({sema.model.windows[w->second].range, "first declared here"});
    sema.flow.windows[n] = w->second;   // prevents follow-up errors about its `ask`s
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

// Records the phases that exist only under other options. Rules that name them are then dropped silently, as for
// windows.
void note_absent_flow(SemaContext& sema, const Node* node) {
  if (!node || ++sema.depth > 300) {
    if (node) --sema.depth;
    return;
  }
  const auto absent = [&](std::string_view name) { sema.collected.absent.insert(std::string(name)); };
  if (node->kind == NodeKind::phase_stmt) absent(node->text);
  if (node->kind == NodeKind::turns_stmt) absent("turn");
  if (node->kind == NodeKind::rounds_stmt) absent("round");
  for (const Node* part : node->children) note_absent_flow(sema, part);
  --sema.depth;
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
            sema.flow.has_turns || view::rounds_stmt(n).starting();   // the starting player is active during the round
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

void declare_flow(SemaContext& sema) {
  if (sema.rules.plays.size() > 1)
    for (std::size_t i = 1; i < sema.rules.plays.size(); ++i)
      error(sema, Code::declared_twice, first_word(sema, sema.rules.plays[i].node), "duplicate `play`",
            "use `replace play { … }`")
          .notes.push_back({sema.rules.plays[0].node->range, "first declared here"});
  if (!sema.rules.plays.empty()) declare_flow_in(sema, view::play_flow(sema.rules.plays[0].node).body(), false);
}

void turns_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::turns_stmt its(node);
  auto id = rule.sema.flow.events.find(node);
  if (!rule.flow || rule.before_game || id == rule.sema.flow.events.end()) {
    error(rule.sema, Code::misplaced, first_word(rule.sema, node), "`turns` is allowed only in `play`");
    return;
  }
  const Expr* from = its.from() ? player(rule, its.from(), true) : constant(rule.sema, player_type(), 0, node->range);
  const Expr* up_to = its.up_to() ? integer(rule, its.up_to()) : nullptr;
  const Expr* until = nullptr;
  if (its.until()) {
    Pure pure(rule);
    until = condition(rule, its.until());
  }
  RuleContext inner(rule.sema);
  inner.body = &rule.model.events[id->second].body;
  inner.flow = inner.in_turn = true;
  inner.event = id->second;
  Block block;
  { statements(inner, its.body(), block); }
  rule.model.events[id->second].body.block = std::move(block);
  if (is_poison(from) || (up_to && is_poison(up_to)) || (until && is_poison(until))) return;
  Stmt* s = emit(rule.sema, out, StmtKind::turns, node->range, {from, up_to, until});
  s->ref = id->second;
  s->value = node->text == "counterclockwise" ? -1 : 1;
}

void rounds_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::rounds_stmt its(node);
  auto id = rule.sema.flow.events.find(node);
  if (!rule.flow || rule.before_game || id == rule.sema.flow.events.end()) {
    error(rule.sema, Code::misplaced, first_word(rule.sema, node), "`rounds` is allowed only in `play`");
    return;
  }
  const Expr* up_to = its.up_to() ? integer(rule, its.up_to()) : nullptr;
  const Expr* until = nullptr;
  if (its.until()) {
    Pure pure(rule);
    until = condition(rule, its.until());
  }
  const Expr* starting = its.starting() ? player(rule, its.starting(), true) : nullptr;
  RuleContext inner(rule.sema);
  inner.body = &rule.model.events[id->second].body;
  inner.flow = true;
  inner.in_turn = rule.in_turn;
  inner.event = id->second;
  Block block;
  { statements(inner, its.body(), block); }
  rule.model.events[id->second].body.block = std::move(block);
  if ((up_to && is_poison(up_to)) || (until && is_poison(until)) || (starting && is_poison(starting))) return;
  Stmt* s = emit(rule.sema, out, StmtKind::rounds, node->range, {up_to, until, starting});
  s->ref = id->second;
  s->value = node->number;
}

void phase_stmt(RuleContext& rule, const Node* node, Block& out) {
  auto id = rule.sema.flow.events.find(node);
  if (!rule.flow || rule.before_game || id == rule.sema.flow.events.end()) {
    error(rule.sema, Code::misplaced, first_word(rule.sema, node), "phases are allowed only in `play`");
    return;
  }
  RuleContext inner(rule.sema);
  inner.body = &rule.model.events[id->second].body;
  inner.flow = true;
  inner.in_turn = rule.in_turn;
  inner.event = id->second;
  if (auto w = rule.sema.flow.windows.find(node); w != rule.sema.flow.windows.end()) inner.window = w->second;
  Block block;
  { statements(inner, view::phase_stmt(node).body(), block); }
  rule.model.events[id->second].body.block = std::move(block);
  const Expr* whose = rule.in_turn ? make(rule.sema, ExprKind::active_player, player_type(), node->range) : nullptr;
  emit(rule.sema, out, StmtKind::phase, node->range, {whose})->ref = id->second;
}

void build_flow(SemaContext& sema) {
  {
    RuleContext rule(sema);
    rule.body = &sema.model.setup;
    rule.flow = rule.before_game = true;
    for (const Decl& d : sema.rules.setups) {
      Block block;
      scoped(rule, view::setup_decl(d.node).body(), block);
      sema.model.setup.block.insert(sema.model.setup.block.end(), block.begin(), block.end());
    }
    sema.model.setup.present = !sema.rules.setups.empty();
  }
  RuleContext rule(sema);
  rule.body = &sema.model.play;
  rule.flow = true;
  if (!sema.rules.plays.empty()) {
    Block block;
    statements(rule, view::play_flow(sema.rules.plays[0].node).body(), block);
    sema.model.play.block = std::move(block);
    sema.model.play.present = true;
  } else {
    const Node* root = sema.ruleset.units.back().root;
    error(sema, Code::bad_ending, root && view::file(root).head() ? view::file(root).head()->range : Range{},
          "the game has no `play { … }`", "declare its flow: `play { turns clockwise from first of players { … } }`");
  }
}

// Checks that turns and rounds can end: through their own clause, an `end when`, or a rule with `end play`.
static void check_flow_ends(SemaContext& sema) {
  if (!sema.model.endings.empty() || !sema.rules.endings.empty()) return;
  for (const Stmt& s : sema.model.stmts)
    if (s.kind == StmtKind::end_play || s.kind == StmtKind::winners) return;
  for (const Stmt& s : sema.model.stmts) {
    const bool endless =
        (s.kind == StmtKind::turns && !model::view::turns(s).up_to() && !model::view::turns(s).until()) ||
        (s.kind == StmtKind::rounds && !model::view::rounds(s).up_to() && !model::view::rounds(s).until());
    if (!endless) continue;
    const std::string_view word = s.kind == StmtKind::turns ? "turns" : "rounds";
    error(sema, Code::bad_ending,
          {s.range.source, s.range.begin, s.range.begin + static_cast<std::uint32_t>(word.size())},
          fmt::format("these {} never end", word), "add `end when C { winners … }`, `until C` or `up to 100`");
  }
}

void build_endings(SemaContext& sema) {
  std::set<const Node*> wrong;   // endings with other errors
  for (const Decl& d : sema.rules.endings) {
    const Node* n = d.node;
    const std::size_t errors = sema.diagnostics.errors();
    model::EndWhen e;
    e.name = n->text;
    e.words = plain_words(sema, view::end_when(n).why());
    e.precedence = d.precedence;
    e.range = n->range;
    RuleContext rule(sema);
    rule.body = &e.body;
    rule.ending = true;
    rule.droppable = true;
    {
      Pure pure(rule);
      e.when = condition(rule, view::end_when(n).condition());
    }
    Block block;
    bind_witness(rule, view::end_when(n).condition(), e.when, block);
    narrow(rule, e.when, true);
    statements(rule, view::end_when(n).body(), block);
    e.body.block = std::move(block);
    e.body.present = true;
    if (sema.diagnostics.errors() > errors) wrong.insert(n);
    if (rule.dropped || is_poison(e.when)) continue;
    sema.model.endings.push_back(std::move(e));
  }
  // Endings of a house file take precedence over those of its base.
  const auto is_deeper = [](const auto& a, const auto& b) { return a.precedence.depth > b.precedence.depth; };
  std::stable_sort(sema.model.endings.begin(), sema.model.endings.end(), is_deeper);
  check_flow_ends(sema);
  const auto has_winners = [&](auto&& self, const Node* n) -> bool {
    return n && (n->kind == NodeKind::winners_stmt ||
                 std::any_of(n->children.begin(), n->children.end(), [&](const Node* c) { return self(self, c); }));
  };
  const auto second_text = [&](auto&& self, const Node* n) -> const Node* {
    if (!n) return nullptr;
    if (n->kind == NodeKind::winners_stmt) return view::winners_stmt(n).why();
    for (const Node* c : n->children)
      if (const Node* found = self(self, c)) return found;
    return nullptr;
  };
  for (const Decl& d : sema.rules.endings)
    if (const Node* text =
            view::end_when(d.node).why() ? second_text(second_text, view::end_when(d.node).body()) : nullptr)
      error(sema, Code::twice, text->range, "duplicate text for the end of the game", "remove one of the two");
  for (const Decl& d : sema.rules.endings)
    if (!wrong.contains(d.node) && !has_winners(has_winners, view::end_when(d.node).body()))
      error(sema, Code::bad_ending, first_word(sema, d.node), "this ending has no `winners`",
            "add `winners p` or `winners nobody`");
  if (auto v = sema.names.values.find("payoff"); v != sema.names.values.end()) {
    const Callable& c = sema.rules.values[v->second];
    if (c.types.size() == 1 && c.types[0].kind == TypeKind::player)
      sema.model.payoff_value = model::ValueId{v->second};
    else
      error(sema, Code::wrong_type, name_range(sema, c.node), "`payoff` needs one parameter of type `player`",
            "`value payoff(p: player): int = …`");
    sema.used.insert("payoff");
  } else if (auto f = sema.names.functions.find("payoff"); f != sema.names.functions.end()) {
    const Callable& c = sema.rules.functions[f->second];
    if (c.types.size() == 1 && c.types[0].kind == TypeKind::player) sema.model.payoff = model::FunctionId{f->second};
    sema.used.insert("payoff");
  }
}

}   // namespace cardwright::sema
