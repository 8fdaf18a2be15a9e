// In what order the game goes: setup, turns, rounds, phases, and when it is over.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {

bool Analysis::asks(const Node* node) const {
  if (!node) return false;
  if (node->kind == NodeKind::ask_stmt) return true;
  if (node->kind == NodeKind::phase_stmt || node->kind == NodeKind::turns_stmt) return false;
  return std::any_of(node->children.begin(), node->children.end(), [&](const Node* c) { return asks(c); });
}

// Turns, rounds and phases are events, and a phase that asks is a window: known before any rule is read.
void Analysis::declare_flow_in(const Node* list, bool in_turn) {
  if (!list || ++depth_ > 300) {
    if (list) --depth_;
    return;
  }
  const auto add_event = [&](const Node* n, std::string name, model::EventKind kind, bool player) {
    const auto id = static_cast<std::uint32_t>(model_->events.size());
    model::Event& e = model_->events.emplace_back();
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
    events_.push_back(std::move(c));
    flow_event_[n] = id;
    return id;
  };
  for (const Node* n : list->children) {
    if (!n) continue;
    switch (n->kind) {
      case NodeKind::turns_stmt:
        event_names_["turn"].push_back(add_event(n, "turn", model::EventKind::turn, true));
        has_turns_ = true;
        declare_flow_in(view::turns_stmt(n).body(), true);
        break;
      case NodeKind::rounds_stmt:
        event_names_["round"].push_back(add_event(n, "round", model::EventKind::round, false));
        has_turns_ = has_turns_ || view::rounds_stmt(n).starting();   // who starts the round is active in it
        declare_flow_in(view::rounds_stmt(n).body(), in_turn);
        break;
      case NodeKind::phase_stmt: {
        const std::string name(n->text);
        phase_names_[name].push_back(add_event(n, name, model::EventKind::phase, in_turn));
        declare_flow_in(view::phase_stmt(n).body(), in_turn);
        if (!asks(view::phase_stmt(n).body())) break;
        if (auto w = window_names_.find(name); w != window_names_.end()) {
          error(Code::declared_twice, name_range(n), fmt::format("there is already a window or phase `{}`", name),
                "give it a name of its own; an action may stand in both: `in main or last`")
              .notes.push_back({model_->windows[w->second].range, "the other"});
          flow_window_[n] = w->second;                     // so that its asks are not told of
          break;
        }
        flow_window_[n] = static_cast<std::uint32_t>(model_->windows.size());
        window_names_.emplace(name, static_cast<std::uint32_t>(model_->windows.size()));
        model::Window& w = model_->windows.emplace_back();
        w.name = name;
        w.phase = true;
        w.range = name_range(n);
        windows_.emplace_back();
        windows_.back().state = Callable::State::done;
        declare_timing(flow_window_[n], view::phase_stmt(n).body());
        break;
      }
      case NodeKind::with_stmt: {
        if (auto holding = branch(n, false)) declare_flow_in(n->child(*holding), in_turn);
        break;
      }
      case NodeKind::if_stmt: {
        auto f = decided(view::if_stmt(n).condition());
        if (!f || f->value) declare_flow_in(view::if_stmt(n).then(), in_turn);
        if (!f || !f->value) declare_flow_in(view::if_stmt(n).otherwise(), in_turn);
        break;
      }
      case NodeKind::each_stmt: declare_flow_in(view::each_stmt(n).body(), in_turn); break;
      case NodeKind::repeat_stmt: declare_flow_in(view::repeat_stmt(n).body(), in_turn); break;
      case NodeKind::block: case NodeKind::list: declare_flow_in(n, in_turn); break;
      default: break;
    }
  }
  --depth_;
}

void Analysis::declare_flow() {
  if (plays_.size() > 1)
    for (std::size_t i = 1; i < plays_.size(); ++i)
      error(Code::declared_twice, first_word(plays_[i].node), "there is already a `play`", "say `replace play { … }`")
          .notes.push_back({plays_[0].node->range, "the other"});
  if (!plays_.empty()) declare_flow_in(view::play_flow(plays_[0].node).body(), false);
}

void Analysis::turns_stmt(const Node* node, Block& out) {
  const view::turns_stmt its(node);
  auto id = flow_event_.find(node);
  if (!rule_->flow || rule_->before_game || id == flow_event_.end()) {
    error(Code::misplaced, first_word(node), "`turns` stands only in `play`");
    return;
  }
  const Expr* from = its.from() ? player(its.from(), true) : constant(player_type(), 0, node->range);
  const Expr* up_to = its.up_to() ? integer(its.up_to()) : nullptr;
  const Expr* until = nullptr;
  if (its.until()) {
    Pure pure(*rule_);
    until = condition(its.until());
  }
  Rule inner;
  inner.body = &model_->events[id->second].body;
  inner.flow = inner.in_turn = true;
  inner.event = id->second;
  Block block;
  in_rule(inner, [&] { statements(its.body(), block); });
  model_->events[id->second].body.block = std::move(block);
  if (is_poison(from) || (up_to && is_poison(up_to)) || (until && is_poison(until))) return;
  Stmt* s = emit(out, StmtKind::turns, node->range, {from, up_to, until});
  s->ref = id->second;
  s->value = node->text == "counterclockwise" ? -1 : 1;
}

void Analysis::rounds_stmt(const Node* node, Block& out) {
  const view::rounds_stmt its(node);
  auto id = flow_event_.find(node);
  if (!rule_->flow || rule_->before_game || id == flow_event_.end()) {
    error(Code::misplaced, first_word(node), "`rounds` stands only in `play`");
    return;
  }
  const Expr* up_to = its.up_to() ? integer(its.up_to()) : nullptr;
  const Expr* until = nullptr;
  if (its.until()) {
    Pure pure(*rule_);
    until = condition(its.until());
  }
  const Expr* starting = its.starting() ? player(its.starting(), true) : nullptr;
  Rule inner;
  inner.body = &model_->events[id->second].body;
  inner.flow = true;
  inner.in_turn = rule_->in_turn;
  inner.event = id->second;
  Block block;
  in_rule(inner, [&] { statements(its.body(), block); });
  model_->events[id->second].body.block = std::move(block);
  if ((up_to && is_poison(up_to)) || (until && is_poison(until)) || (starting && is_poison(starting))) return;
  Stmt* s = emit(out, StmtKind::rounds, node->range, {up_to, until, starting});
  s->ref = id->second;
  s->value = node->number;
}

void Analysis::phase_stmt(const Node* node, Block& out) {
  auto id = flow_event_.find(node);
  if (!rule_->flow || rule_->before_game || id == flow_event_.end()) {
    error(Code::misplaced, first_word(node), "phases stand only in `play`");
    return;
  }
  Rule inner;
  inner.body = &model_->events[id->second].body;
  inner.flow = true;
  inner.in_turn = rule_->in_turn;
  inner.event = id->second;
  if (auto w = flow_window_.find(node); w != flow_window_.end()) inner.window = w->second;
  Block block;
  in_rule(inner, [&] { statements(view::phase_stmt(node).body(), block); });
  model_->events[id->second].body.block = std::move(block);
  const Expr* whose = rule_->in_turn ? make(ExprKind::active_player, player_type(), node->range) : nullptr;
  emit(out, StmtKind::phase, node->range, {whose})->ref = id->second;
}

void Analysis::build_flow() {
  {
    Rule rule;
    rule.body = &model_->setup;
    rule.flow = rule.before_game = true;
    in_rule(rule, [&] {
      for (const Decl& d : setups_) {
        Block block;
        scoped(view::setup_decl(d.node).body(), block);
        model_->setup.block.insert(model_->setup.block.end(), block.begin(), block.end());
      }
    });
    model_->setup.present = !setups_.empty();
  }
  Rule rule;
  rule.body = &model_->play;
  rule.flow = true;
  in_rule(rule, [&] {
    if (plays_.empty()) return;
    Block block;
    statements(view::play_flow(plays_[0].node).body(), block);
    model_->play.block = std::move(block);
    model_->play.present = true;
  });
  if (plays_.empty()) {
    const Node* root = ruleset_.units.back().root;
    error(Code::bad_ending, root && view::file(root).head() ? view::file(root).head()->range : Range{},
          "the game has no `play { … }`: nothing happens in it",
          "`play { turns clockwise from first of players { … } }`");
  }
}

// Turns without an end need an `end when`, or a rule that says `end play`.
void Analysis::check_flow_ends() {
  if (!model_->endings.empty() || !endings_.empty()) return;
  for (const Stmt& s : model_->stmts)
    if (s.kind == StmtKind::end_play || s.kind == StmtKind::winners) return;
  for (const Stmt& s : model_->stmts) {
    const bool endless =
        (s.kind == StmtKind::turns && !model::view::turns(s).up_to() && !model::view::turns(s).until()) ||
        (s.kind == StmtKind::rounds && !model::view::rounds(s).up_to() && !model::view::rounds(s).until());
    if (!endless) continue;
    const std::string_view word = s.kind == StmtKind::turns ? "turns" : "rounds";
    error(Code::bad_ending, {s.range.source, s.range.begin, s.range.begin + static_cast<std::uint32_t>(word.size())},
          fmt::format("these {} never end", word), "say `end when C { winners … }`, `until C` or `up to 100`");
  }
}

void Analysis::build_endings() {
  for (const Decl& d : endings_) {
    const Node* n = d.node;
    model::EndWhen e;
    e.words = plain_words(view::end_when(n).why());
    e.precedence = d.precedence;
    e.range = n->range;
    Rule rule;
    rule.body = &e.body;
    rule.ending = true;
    rule.droppable = true;
    in_rule(rule, [&] {
      {
        Pure pure(*rule_);
        e.when = condition(view::end_when(n).condition());
      }
      Block block;
      bind_witness(view::end_when(n).condition(), e.when, block);
      narrow(e.when, true);
      statements(view::end_when(n).body(), block);
      e.body.block = std::move(block);
      e.body.present = true;
    });
    if (rule.dropped || is_poison(e.when)) continue;
    model_->endings.push_back(std::move(e));
  }
  check_flow_ends();
  const auto says_winners = [&](auto&& self, const Node* n) -> bool {
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
  for (const Decl& d : endings_)
    if (const Node* text =
            view::end_when(d.node).why() ? second_text(second_text, view::end_when(d.node).body()) : nullptr)
      error(Code::twice, text->range, "why the game is over was already said", "leave one of the two out");
  for (const Decl& d : endings_)
    if (!says_winners(says_winners, view::end_when(d.node).body()))
      error(Code::bad_ending, first_word(d.node), "this ending does not say who has won",
            "`winners p`, `winners nobody`");
  if (auto v = value_names_.find("payoff"); v != value_names_.end()) {
    const Callable& c = values_[v->second];
    if (c.types.size() == 1 && c.types[0].kind == TypeKind::player) model_->payoff_value = model::ValueId{v->second};
    else error(Code::wrong_type, name_range(c.node), "`payoff` is of one player", "`value payoff(p: player): int = …`");
    used_.insert("payoff");
  } else if (auto f = function_names_.find("payoff"); f != function_names_.end()) {
    const Callable& c = functions_[f->second];
    if (c.types.size() == 1 && c.types[0].kind == TypeKind::player) model_->payoff = model::FunctionId{f->second};
    used_.insert("payoff");
  }
}

}  // namespace cardwright::sema
