// The flow: setup, turns, rounds and phases (which are events, and windows where they ask), endings.
#include "compiler/sema/analysis.h"

namespace cardwright::sema {

// Does this phase ask in its own body? Then actions may name it as their window.
bool Analysis::asks(const Node* node) const {
  if (!node) return false;
  if (node->kind == NodeKind::ask_stmt) return true;
  if (node->kind == NodeKind::phase_stmt || node->kind == NodeKind::turns_stmt || node->kind == NodeKind::rounds_stmt) return false;
  for (const Node* c : node->children)
    if (asks(c)) return true;
  return false;
}

void Analysis::declare_flow_in(const Node* node, bool in_turn) {
  if (!node) return;
  const auto add_event = [&](std::string name, model::EventKind kind, const Node* n, bool has_player) {
    const auto index = static_cast<std::uint32_t>(model_->events.size());
    model::Event& e = model_->events.emplace_back();
    e.name = name;
    e.kind = kind;
    e.range = n->range;
    e.result = {TypeKind::nothing};
    Callable& c = events_.emplace_back();
    c.node = n;
    c.state = Callable::State::done;
    if (has_player) {
      e.parameters.push_back({LocalId{0}, nullptr});
      e.body.locals.push_back({"active", player_type(), n->range});
      e.subject = 0;
      c.names.push_back("player");
      c.types.push_back(player_type());
    }
    event_names_[name].push_back(index);
    flow_event_[n] = index;
    return index;
  };
  switch (node->kind) {
    case NodeKind::turns_stmt:
      has_turns_ = true;
      if (event_names_.contains("turn")) error(Code::declared_twice, node->range, "a game has one kind of turn", "put what differs into phases");
      add_event("turn", model::EventKind::turn, node, true);
      declare_flow_in(node->child(3), true);
      return;
    case NodeKind::rounds_stmt:
      add_event("round", model::EventKind::round, node, false);
      declare_flow_in(node->child(3), false);
      return;
    case NodeKind::phase_stmt: {
      add_event(std::string(node->text), model::EventKind::phase, node, in_turn);
      if (asks(node->child(0))) {
        const auto window = static_cast<std::uint32_t>(model_->windows.size());
        if (!window_names_.emplace(std::string(node->text), window).second)
          error(Code::declared_twice, node->range, fmt::format("a window named `{}` is declared already", node->text), "give the phase another name");
        model::Window& w = model_->windows.emplace_back();
        w.name = std::string(node->text);
        w.phase = true;
        w.range = node->range;
        w.result = {TypeKind::nothing};
        Callable& c = windows_.emplace_back();
        c.node = node;
        c.state = Callable::State::done;
        flow_window_[node] = window;
      }
      declare_flow_in(node->child(0), in_turn);
      return;
    }
    default:
      for (const Node* c : node->children) declare_flow_in(c, in_turn);
  }
}

void Analysis::declare_flow() {
  for (const Decl& d : decls_)
    if (d.node->kind == NodeKind::play_flow) declare_flow_in(d.node->child(0), false);
}

// ---------------------------------------------------------------- building

void Analysis::build_flow() {
  const Decl* play = nullptr;
  Rule setup;
  setup.body = &model_->setup;
  setup.before_game = true;
  setup.flow = true;
  model_->setup.present = true;
  in_rule(setup, [&] {
    for (const Decl& d : decls_)                           // a house rule's set-up comes after that of its base
      if (d.node->kind == NodeKind::setup_decl) scoped(d.node->child(0), model_->setup.block);
  });
  for (const Decl& d : decls_)
    if (d.node->kind == NodeKind::play_flow) {
      if (play && d.unit == play->unit)
        error(Code::declared_twice, d.node->range, "the game has a `play` already", "put all of its flow into one `play { }`");
      play = &d;
    }
  if (!play) {
    error(Code::no_flow, {}, "the game has no `play { }`", "say in what order it goes: `play { turns clockwise from first of players { … } }`");
    return;
  }
  Rule rule;
  rule.body = &model_->play;
  rule.flow = true;
  model_->play.present = true;
  in_rule(rule, [&] { statements(play->node->child(0), model_->play.block); });
}

void Analysis::turns_stmt(const Node* node, Block& out) {
  auto it = flow_event_.find(node);
  if (it == flow_event_.end()) return void(error(Code::misplaced, node->range, "turns belong into `play { }`"));
  const Expr* from = node->child(0) ? player(node->child(0)) : constant(player_type(), 0, node->range);
  const Expr* most = node->child(1) ? integer(node->child(1)) : nullptr;
  const Expr* until = nullptr;
  if (node->child(2)) {
    Pure pure(*rule_);
    until = condition(node->child(2));
  }
  Stmt* s = emit(out, StmtKind::turns, node->range, {from, most, until});
  s->ref = it->second;
  s->value = node->text == "counterclockwise" ? -1 : 1;
  model::Event& event = model_->events[it->second];
  Rule rule;
  rule.body = &event.body;
  rule.flow = true;
  rule.in_turn = true;
  rule.event = it->second;
  event.body.present = true;
  Block body;
  in_rule(rule, [&] { statements(node->child(3), body); });
  model_->events[it->second].body.block = std::move(body);
}

void Analysis::rounds_stmt(const Node* node, Block& out) {
  auto it = flow_event_.find(node);
  if (it == flow_event_.end()) return void(error(Code::misplaced, node->range, "rounds belong into `play { }`"));
  if (node->child(2)) error(Code::not_yet, node->child(2)->range, "`starting with` is not in this version", "ask `from` a player: `ask each of players from p`");
  const Expr* most = node->child(0) ? integer(node->child(0)) : nullptr;
  const Expr* until = nullptr;
  if (node->child(1)) {
    Pure pure(*rule_);
    until = condition(node->child(1));
  }
  if (!most && !until) error(Code::no_bound, node->range, "these rounds never end", "say `rounds up to 20 { … }` or `rounds until C { … }`");
  Stmt* s = emit(out, StmtKind::rounds, node->range, {most, until});
  s->ref = it->second;
  Rule rule;
  rule.body = &model_->events[it->second].body;
  rule.flow = true;
  rule.event = it->second;
  rule.body->present = true;
  Block body;
  in_rule(rule, [&] { statements(node->child(3), body); });
  model_->events[it->second].body.block = std::move(body);
}

void Analysis::phase_stmt(const Node* node, Block& out) {
  auto it = flow_event_.find(node);
  if (it == flow_event_.end()) return void(error(Code::misplaced, node->range, "phases belong into `play { }`"));
  const bool in_turn = !model_->events[it->second].parameters.empty();
  const Expr* whose = in_turn ? make(ExprKind::active_player, player_type(), node->range) : nullptr;
  Stmt* s = emit(out, StmtKind::phase, node->range, {whose});
  s->ref = it->second;
  model::Event& event = model_->events[it->second];
  Rule rule;
  rule.body = &event.body;
  rule.flow = true;
  rule.in_turn = in_turn;
  rule.event = it->second;
  if (auto w = flow_window_.find(node); w != flow_window_.end()) rule.window = w->second;
  event.body.present = true;
  Block body;
  in_rule(rule, [&] { statements(node->child(0), body); });
  model_->events[it->second].body.block = std::move(body);
}

// In the order written; those of a house file after those of its base.
void Analysis::build_endings() {
  for (const Decl& d : decls_) {
    if (d.node->kind != NodeKind::end_when) continue;
    model::EndWhen end;
    end.range = d.node->range;
    end.precedence = d.precedence;
    Rule rule;
    rule.body = &end.body;
    rule.ending = true;
    rule.droppable = true;
    in_rule(rule, [&] {
      {
        Pure pure(rule);
        end.when = condition(d.node->child(0));
      }
      statements(d.node->child(1), end.body.block);
    });
    end.body.present = true;
    if (!rule.dropped && !is_poison(end.when)) model_->endings.push_back(std::move(end));
  }
}

}  // namespace cardwright::sema
