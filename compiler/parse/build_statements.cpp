// Converts statements to AST nodes. The first token determines the kind of statement; expr_stmt() handles statements
// that begin with an expression.
#include "compiler/parse/build.h"
#include "compiler/parse/keyword_hints.h"

namespace cardwright::parse {

Node* Builder::block(P::BlockContext* b) {
  Nodes items;
  for (P::StmtContext* s : b->stmt()) items.push_back(stmt(s));
  return list(range(b), items);
}

// Converts a block or a single statement, as in `then move x to y`. A single statement becomes a list with one element.
Node* Builder::block_or_stmt(Cursor& c) {
  if (auto* b = c.rule<P::BlockContext>()) return block(b);
  auto* s = c.rule<P::StmtContext>();
  return list(range(s), {stmt(s)});
}

Node* Builder::stmt(P::StmtContext* s) {
  switch (Cursor(s).token_type()) {
    case P::K_LET:
    case P::K_VAR: return let_stmt(s);
    case P::K_IF: return if_stmt(s);
    case P::K_EACH: return each_stmt(s);
    case P::K_REPEAT: return repeat_stmt(s);
    case P::K_WHILE: return while_stmt(s);
    case P::K_RETURN: return return_stmt(s);
    case P::K_YIELD: return one_value(NodeKind::yield_stmt, s);
    case P::K_REVEAL: return one_value(NodeKind::reveal_stmt, s);
    case P::K_ELIMINATE: return one_value(NodeKind::eliminate_stmt, s);
    case P::K_ROLL: return make(NodeKind::call_stmt, range(s), {}, 0, {one_value(NodeKind::roll_expr, s)});
    case P::K_WINNERS: return winners_stmt(s);
    case P::CHECK_END: return make(NodeKind::check_end_stmt, range(s));
    case P::K_END: return end_stmt(s);
    case P::K_AFTERWARDS: return afterwards_stmt(s);
    case P::K_ASK: return ask_stmt(s);
    case P::K_CHOOSE: return choose_stmt(s, false);
    case P::K_MAY: return choose_stmt(s, true);
    case P::K_LOG: return log_stmt(s);
    case P::K_MOVE: return move_stmt(s);
    case P::K_DEAL: return deal_stmt(s);
    case P::K_SHUFFLE: return shuffle_stmt(s);
    case P::K_PEEK: return peek_stmt(s);
    case P::TURN_OVER: return turn_over_stmt(s);
    case P::K_TURN: return turn_stmt(s);
    case P::K_SWAP: return swap_stmt(s);
    case P::K_ARRANGE: return arrange_stmt(s);
    case P::K_PLACE: return place_stmt(s);
    case P::K_LIFT: return lift_stmt(s);
    case P::K_TURNS: return turns_stmt(s);
    case P::K_ROUNDS: return rounds_stmt(s);
    case P::K_PHASE: return phase_stmt(s);
    case P::K_WITH:
    case P::K_WITHOUT: return with_stmt(s);
    case P::K_SIGHT:
    case P::K_THINK:
    case P::K_PATIENCE:
    case P::K_COUNTDOWN:
    case P::K_AFTER:
    case P::K_STALEMATE: return race_clause(s);
    case P::K_TOGETHER: return s->block().empty() ? race_clause(s) : together_stmt(s);
    case P::K_DELAY: return delay_stmt(s);
    case P::K_PAUSE: return pause_stmt(s);
    case P::K_START:
    case P::K_STOP: return timer_stmt(s);
    default: return expr_stmt(s);
  }
}

// Converts a statement that consists of a keyword and an optional expression.
Node* Builder::one_value(NodeKind kind, P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  auto* e = c.rule<P::ExprContext>();
  return make(kind, range(s), {}, 0, {e ? expr(e) : nullptr});
}

// ---- variables and control --------------------------------------------------------------------

Node* Builder::let_stmt(P::StmtContext* s) {
  Cursor c(s);
  const bool variable = c.token()->getType() == P::K_VAR;
  const antlr4::Token* named = c.token();
  Node* declared = c.take(P::COLON) ? type(c.rule<P::TypeContext>()) : nullptr;
  Node* initial = c.take(P::ASSIGN) ? expr(c.rule<P::ExprContext>()) : nullptr;
  return make(NodeKind::let_stmt, range(s), text(named), variable, {declared, initial});
}

Node* Builder::if_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node* condition = expr(c.rule<P::ExprContext>());
  c.take(P::K_THEN);
  Node* then = block_or_stmt(c);
  Node* otherwise = c.take(P::K_ELSE) ? block_or_stmt(c) : nullptr;
  return make(NodeKind::if_stmt, range(s), {}, 0, {condition, then, otherwise});
}

Node* Builder::gen(P::GenContext* g, Node** where) {
  Cursor c(g);
  const antlr4::Token* variable = c.token();
  c.take(P::K_IN);
  auto* over = c.rule<P::ExprContext>();
  Node* set = where ? domain(over, where) : expr(over);
  Node* after = c.take(P::K_AFTER) ? postfix(c.rule<P::PostfixContext>()) : nullptr;
  if (const antlr4::Token* t = c.token(P::K_WHERE)) {   // `b in mine after a where C`
    Node* condition = expr(c.rule<P::ExprContext>());
    if (where)
      once(*where, condition);
    else
      diagnostics_.report("unknown_clause"_code, range(t), "expected `where` after the last variable");
  }
  return make(NodeKind::gen, range(g), text(variable), 0, {set, after});
}

// Converts `each x in S, y in T where C from z at i { }`.
Node* Builder::each_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Nodes gens;
  Node* where = nullptr;
  Node* from = nullptr;
  Node* index = nullptr;
  while (auto* g = c.rule<P::GenContext>()) {
    const bool last = !c.take(P::COMMA);   // a `where` after the last generator applies to all generators
    gens.push_back(gen(g, last ? &where : nullptr));
  }
  for (;;) {
    if (c.take(P::K_FROM))
      once(from, domain(c.rule<P::ExprContext>(), &where));
    else if (c.take(P::K_AT)) {
      // In `each t in tokens at c at i`, the first `at` precedes a cell and the second one the counter.
      if (index) gens.back() = at_cell(gens.back(), index);
      index = name(c.token());
    } else
      break;
  }
  Node* body = block(c.rule<P::BlockContext>());
  return make(NodeKind::each_stmt, range(s), index ? index->text : std::string_view{}, 0,
              {list(gens.front()->range, gens), where, from, body, index});
}

Node* Builder::at_cell(Node* gen, Node* cell) {
  Node* domain = view::gen(gen).domain();
  Node* there = make(NodeKind::binary, {source_, domain->range.begin, cell->range.end}, "at", 0, {domain, cell});
  return make(NodeKind::gen, gen->range, gen->text, 0, {there, view::gen(gen).after()});
}

Node* Builder::repeat_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  const bool up_to = c.take(P::UP_TO);
  Node* count = expr(c.rule<P::ExprContext>());
  c.take(P::K_TIMES);
  Node* condition = c.take(P::K_WHILE) ? expr(c.rule<P::ExprContext>()) : nullptr;
  return make(NodeKind::repeat_stmt, range(s), {}, up_to, {count, condition, block(c.rule<P::BlockContext>())});
}

Node* Builder::while_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node* condition = expr(c.rule<P::ExprContext>());
  return make(NodeKind::while_stmt, range(s), {}, 0, {condition, block(c.rule<P::BlockContext>())});
}

Node* Builder::return_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  auto* const e = c.rule<P::ExprContext>();
  return make(NodeKind::return_stmt, range(s), {}, 0, {e ? expr(e) : nullptr, string(c.token(P::STR))});
}

// Converts `log "text"`.
Node* Builder::log_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  return make(NodeKind::log_stmt, range(s), {}, 0, {string(c.token())});
}

// ---- asking and choosing ----------------------------------------------------------------------

Node* Builder::ask_stmt(P::StmtContext* s) {
  enum : std::int64_t {
    each_of = 1,
    at_once = 2,
    real_time = 4,
    or_pass = 8,
    again = 16,
    until_pass = 32,
    all_pass = 64
  };
  Cursor c(s);
  c.skip();
  std::int64_t bits = 0;
  if (c.take(P::EACH_OF)) bits |= each_of;
  const bool all = c.take(P::ALL_OF);
  Node* whom = expr(c.rule<P::ExprContext>());
  Node *until = nullptr, *from = nullptr, *pass_when = nullptr, *within = nullptr, *otherwise = nullptr,
       *prompt = nullptr;
  while (auto* tail = c.rule<P::AskTailContext>()) {
    Cursor t(tail);
    t.take(P::COMMA);
    const antlr4::Token* token = t.token();
    switch (token->getType()) {
      case P::WITHIN_TIME: once(within, expr(t.rule<P::ExprContext>())); break;
      case P::K_OTHERWISE: once(otherwise, name(t.token())); break;
      case P::OR_PASS:
      case P::MAY_PASS: once(bits, or_pass, range(tail)); break;
      case P::K_AGAIN: once(bits, again, range(tail)); break;
      case P::AT_ONCE: once(bits, at_once, range(tail)); break;
      case P::REAL_TIME: once(bits, real_time, range(tail)); break;
      case P::K_FROM: once(from, expr(t.rule<P::ExprContext>())); break;
      case P::STR: once(prompt, string(token)); break;
      default: {
        Node* end = expr(t.rule<P::ExprContext>());
        const bool everybody = end->kind == NodeKind::pick && end->text == "all";
        const Node* name = everybody ? view::pick(end).of() : end;
        const bool pass = name->kind == NodeKind::name_ref && name->text == "pass";
        if (pass)
          once(bits, everybody ? all_pass : until_pass, range(tail));
        else
          once(until, end);
        if (t.take(P::K_WHEN)) once(pass_when, expr(t.rule<P::ExprContext>()));
      }
    }
  }
  if (all && !(bits & (at_once | real_time)))
    diagnostics_.report("unknown_clause"_code, range(s), "expected `at once` or `in real time` after `ask all of`",
                        "use `ask each of …` to ask the players one after the other");
  return make(NodeKind::ask_stmt, range(s), {}, bits, {whom, until, from, pass_when, within, otherwise, prompt});
}

// Converts a clause of a real-time window, except for its `ask`.
Node* Builder::race_clause(P::StmtContext* s) {
  Cursor c(s);
  const antlr4::Token* which = c.token();
  std::string_view clause = text(which);
  Node *time = nullptr, *then = nullptr, *actions = nullptr;
  c.take(P::K_WITHIN);
  if (auto* l = c.rule<P::LatencyContext>())
    time = latency(l);
  else if (auto* e = c.rule<P::ExprContext>())
    time = expr(e);
  if (c.take(P::OF_QUIET)) clause = "quiet";
  if (c.take(P::K_WHEN)) c.skip(), actions = action_names(c, range(s));
  c.take(P::K_THEN);
  Node* words = string(c.token(P::STR));
  if (auto* b = c.rule<P::BlockContext>()) then = block(b);
  return make(NodeKind::race_clause, range(s), clause, 0, {time, then, actions, words});
}

// Converts `delay p in Grab or Slap by 200 ms`.
Node* Builder::delay_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node* who = postfix(c.rule<P::PostfixContext>());
  Node* in = c.take(P::K_IN) ? action_names(c, range(s)) : nullptr;
  c.take(P::K_BY);
  return make(NodeKind::delay_stmt, range(s), {}, 0, {who, in, expr(c.rule<P::ExprContext>())});
}

Node* Builder::pause_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  const antlr4::Token* window = c.token();
  c.skip();
  Node* time = expr(c.rule<P::ExprContext>());
  Node* then = c.take(P::K_THEN) ? block(c.rule<P::BlockContext>()) : nullptr;
  return make(NodeKind::pause_stmt, range(s), text(window), 0, {time, then});
}

// Converts `start timer for 3 s` and `stop timer`.
Node* Builder::timer_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node* timer = postfix(c.rule<P::PostfixContext>());
  return make(NodeKind::timer_stmt, range(s), {}, 0,
              {timer, c.take(P::K_FOR) ? expr(c.rule<P::ExprContext>()) : nullptr});
}

Node* Builder::action_names(Cursor& c, Range range) {
  Nodes names;
  while (const antlr4::Token* t = c.token(P::ID)) {
    names.push_back(word(t));
    if (!c.take(P::K_OR)) c.take(P::COMMA);
  }
  return list(range, names);
}

// Converts a latency: `900 ms spread 30% at first, then 600 ms ± 50 ms, at least 120 ms`.
Node* Builder::latency(P::LatencyContext* l) {
  Cursor c(l);
  Node* time = expr(c.rule<P::ExprContext>());
  Node *later = nullptr, *least = nullptr;
  if (c.take(P::AT_FIRST)) c.take(P::COMMA_THEN), later = expr(c.rule<P::ExprContext>());
  if (c.take(P::COMMA)) c.take(P::AT_LEAST), least = expr(c.rule<P::ExprContext>());
  return make(NodeKind::latency, range(l), {}, 0, {time, later, least});
}

// Converts `choose …` and `may choose …`, in which the acting player decides.
Node* Builder::choose_stmt(P::StmtContext* s, bool may) {
  Cursor c(s);
  c.skip();
  if (may) c.skip();
  return choosing(c.rule<P::ChoosingContext>(), range(s), nullptr, may);
}

Node* Builder::counted(P::CountedContext* counted, std::int64_t& kind, Node*& noun) {
  Cursor c(counted);
  Node* count = nullptr;
  if (c.take(P::ANY_NUMBER)) {
    kind = 3;
  } else {
    kind = c.take(P::UP_TO) ? 2 : 1;
    c.take(P::K_EXACTLY);
    count = expr(c.rule<P::ExprContext>());
  }
  const antlr4::Token* word = c.token();
  noun = make(NodeKind::type_name, range(word), text(word));
  return count;
}

Node* Builder::choosing(P::ChoosingContext* choosing, Range range, Node* decider, bool may) {
  Cursor c(choosing);
  if (c.take(P::K_ONE)) return choose_one(c, range, decider);
  const antlr4::Token* variable = c.token();
  std::int64_t kind = 0;
  Node *count = nullptr, *keeping = nullptr, *prompt = nullptr, *by = nullptr, *body = nullptr, *otherwise = nullptr,
       *noun = nullptr;
  Nodes sources;
  if (c.take(P::COLON)) count = counted(c.rule<P::CountedContext>(), kind, noun);
  c.take(P::K_FROM);
  while (auto* one = c.rule<P::SourceContext>()) {
    Cursor from(one);
    const bool at_random = from.take(P::AT_RANDOM);
    from.take(P::K_FROM);
    Node* set = expr(from.rule<P::ExprContext>());
    sources.push_back(make(NodeKind::source, this->range(one), {}, at_random, {set}));
    c.take(P::COMMA);
    c.take(P::K_OR);
  }
  while (!c.done()) {
    if (auto* b = c.rule<P::BlockContext>())
      body = block(b);
    else if (c.take(P::K_ELSE))
      otherwise = block(c.rule<P::BlockContext>());
    else if (c.take(P::K_KEEPING))
      once(keeping, expr(c.rule<P::ExprContext>()));
    else if (c.take(P::K_BY))
      once(by, expr(c.rule<P::ExprContext>()));
    else
      once(prompt, string(c.token()));
  }
  if (body && !may)
    diagnostics_.report("unknown_clause"_code, range, "only `may choose` can have a block",
                        "end the line after `choose …`, and continue with the next statement");
  return make(NodeKind::choose_stmt, range, text(variable), kind + (may ? 8 : 0),
              {decider, count, list(range, sources), keeping, prompt, by, body, otherwise, noun});
}

Node* Builder::choose_one(Cursor& c, Range range, Node* decider) {
  Nodes children{decider, string(c.token(P::STR))};
  while (!c.done()) {
    auto* one = c.rule<P::ChoiceContext>();
    if (!one) {
      c.skip();
      continue;
    }
    Cursor o(one);
    const antlr4::Token* label = o.token();
    Node* when = o.take(P::K_WHEN) ? expr(o.rule<P::ExprContext>()) : nullptr;
    children.push_back(make(NodeKind::choice, this->range(one), contents(label), 0,
                            {when, block(o.rule<P::BlockContext>()), string(label)}));
  }
  return make(NodeKind::choose_one_stmt, range, {}, 0, children);
}

// ---- moving cards and pieces ------------------------------------------------------------------

// Returns 2 for faceup and 4 for facedown. For `facing E`, sets `way` to the direction.
std::int64_t Builder::facing(P::FacingContext* f, Node*& way) {
  if (!f) return 0;
  Cursor c(f);
  switch (c.token_type()) {
    case P::K_FACEUP: return 2;
    case P::K_FACEDOWN: return 4;
    default:
      c.skip();
      way = expr(c.rule<P::ExprContext>());
      return 0;
  }
}

Node* Builder::thing(P::ThingContext* t) {
  Cursor c(t);
  Node* what = expr(c.rule<P::ExprContext>());
  if (c.done()) return what;
  const bool at_random = c.take(P::K_RANDOM);
  c.take(P::CARDS);
  c.take(P::K_FROM);
  return make(NodeKind::random_cards, range(t), {}, !at_random, {what, expr(c.rule<P::ExprContext>())});
}

// Converts the destination of a move. For `bottom of draw`, returns the zone and sets `to_bottom`.
Node* Builder::place(P::ExprContext* e, std::int64_t* to_bottom) {
  Node* where = expr(e);
  if (where->kind != NodeKind::top_expr || view::top_expr(where).count()) return where;
  if (where->text == "bottom") *to_bottom |= 1;
  return view::top_expr(where).zone();
}

Node* Builder::move_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Nodes things;
  while (auto* t = c.rule<P::ThingContext>()) {
    things.push_back(thing(t));
    c.take(P::COMMA);
  }
  c.take(P::K_TO);
  std::int64_t bits = 0;
  Node* to = place(c.rule<P::ExprContext>(), &bits);
  Node* way = nullptr;
  bits |= facing(c.rule<P::FacingContext>(), way);
  Node* picker = c.take(P::COMMA) ? expr(c.rule<P::ExprContext>()) : nullptr;
  return make(NodeKind::move_stmt, range(s), {}, bits, {list(things.front()->range, things), to, picker, way});
}

// Converts `deal 5 from stock to each hand`, `deal 1 of Roles to p.role` and `deal a to p.attendee`.
Node* Builder::deal_stmt(P::StmtContext* s) {
  enum : std::int64_t { to_each = 1, of_deck = 2 };
  Cursor c(s);
  c.skip();
  Node* what = expr(c.rule<P::ExprContext>());
  Node* from = nullptr;
  std::int64_t bits = 0;
  // `n of Roles` is parsed as the description of a card.
  if (what->kind == NodeKind::scenario_card && what->children.size() == 1) {
    from = view::scenario_card(what).arguments(0);
    what = make(NodeKind::name_ref, what->range, what->text);
    bits |= of_deck;
  }
  if (c.take(P::K_OF)) bits |= of_deck, from = expr(c.rule<P::ExprContext>());
  if (c.take(P::K_FROM)) once(from, expr(c.rule<P::ExprContext>()));
  c.take(P::K_TO);
  Node* to = nullptr;
  std::int64_t bottom = 0;
  if (c.take(P::K_EACH)) {
    bits |= to_each;
    to = name(c.token());
    if (c.take(P::DOT)) {   // a variable of each player: `to each p.colour`
      const antlr4::Token* variable = c.token();
      to = make(NodeKind::member, {source_, to->range.begin, range(variable).end}, text(variable), 0, {to});
    }
  } else {
    to = place(c.rule<P::ExprContext>(), &bottom);
  }
  Node* way = nullptr;
  bits |= facing(c.rule<P::FacingContext>(), way) << 1;   // 4: faceup, 8: facedown
  return make(NodeKind::deal_stmt, range(s), {}, bits, {what, from, to, way});
}

Node* Builder::shuffle_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node* pile = expr(c.rule<P::ExprContext>());
  return make(NodeKind::shuffle_stmt, range(s), {}, 0,
              {pile, c.take(P::K_INTO) ? expr(c.rule<P::ExprContext>()) : nullptr});
}

Node* Builder::turn_over_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node* pile = expr(c.rule<P::ExprContext>());
  c.take(P::K_ONTO);
  return make(NodeKind::turn_over_stmt, range(s), {}, 0, {pile, expr(c.rule<P::ExprContext>())});
}

// Converts `turn c faceup` and `turn x to e`.
Node* Builder::turn_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node* what = expr(c.rule<P::ExprContext>());
  Node* way = nullptr;
  if (c.take(P::K_TO)) return make(NodeKind::turn_stmt, range(s), "to", 0, {what, expr(c.rule<P::ExprContext>())});
  const std::int64_t bits = facing(c.rule<P::FacingContext>(), way);
  return make(NodeKind::turn_stmt, range(s), bits == 2 ? "faceup" : "facedown", 0, {what, way});
}

Node* Builder::swap_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node* one = expr(c.rule<P::ExprContext>());
  c.take(P::K_WITH);
  return make(NodeKind::swap_stmt, range(s), {}, 0, {one, expr(c.rule<P::ExprContext>())});
}

Node* Builder::peek_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Nodes children;
  while (auto* e = c.rule<P::ExprContext>()) {
    children.push_back(expr(e));
    c.take(P::COMMA);
  }
  const bool by = c.take(P::K_BY);
  if (by) children.push_back(expr(c.rule<P::ExprContext>()));
  return make(NodeKind::peek_stmt, range(s), {}, by, children);
}

// Converts `place x at c facing d` and `place x facing d`.
Node* Builder::place_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node* what = expr(c.rule<P::ExprContext>());
  Node* cell = nullptr;
  if (what->kind == NodeKind::binary && what->text == "at") {
    const view::binary at(what);
    cell = at.right(), what = at.left();
  }
  std::int64_t bits = 0;
  Node* way = nullptr;
  while (auto* f = c.rule<P::FacingContext>()) {
    Cursor side(f);
    switch (side.token()->getType()) {
      case P::K_FACEUP: bits |= 2; break;
      case P::K_FACEDOWN: bits |= 4; break;
      default: once(way, expr(side.rule<P::ExprContext>()));
    }
  }
  return make(NodeKind::place_stmt, range(s), {}, bits, {what, cell, way});
}

Node* Builder::lift_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Nodes what;
  do what.push_back(expr(c.rule<P::ExprContext>()));
  while (c.take(P::COMMA));
  return make(NodeKind::lift_stmt, range(s), {}, 0, what);
}

// Converts `arrange top 3 of draw by p "Which comes first?"`.
Node* Builder::arrange_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node* what = expr(c.rule<P::ExprContext>());
  Node* by = c.take(P::K_BY) ? expr(c.rule<P::ExprContext>()) : nullptr;
  return make(NodeKind::arrange_stmt, range(s), {}, 0, {what, by, string(c.token(P::STR))});
}

// ---- flow -------------------------------------------------------------------------------------

Node* Builder::turns_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  std::string_view way = "clockwise";
  if (const antlr4::Token* t = c.token(P::ID)) {
    way = text(t);
    if (way != "clockwise" && way != "counterclockwise")
      diagnostics_.report("unknown_clause"_code, range(t),
                          fmt::format("expected `clockwise` or `counterclockwise`, found `{}`", way),
                          did_you_mean(way, {"clockwise", "counterclockwise"}));
  }
  Node *from = nullptr, *up_to = nullptr, *until = nullptr;
  if (c.take(P::K_FROM)) from = expr(c.rule<P::ExprContext>());
  for (;;) {
    c.take(P::COMMA);
    auto* tail = c.rule<P::FlowTailContext>();
    if (!tail) break;
    Cursor t(tail);
    const std::size_t which = t.token()->getType();
    Node* e = expr(t.rule<P::ExprContext>());
    if (which == P::K_UNTIL)
      once(until, e);
    else if (which == P::STARTING_WITH)
      once(from, e);
    else
      once(up_to, e);
  }
  return make(NodeKind::turns_stmt, range(s), way, 0, {from, up_to, until, block(c.rule<P::BlockContext>())});
}

Node* Builder::rounds_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node *up_to = nullptr, *until = nullptr, *starting = nullptr;
  if (auto* e = c.rule<P::ExprContext>()) up_to = expr(e);
  const bool exactly = up_to != nullptr;
  c.take(P::K_TIMES);
  for (;;) {
    c.take(P::COMMA);
    auto* tail = c.rule<P::FlowTailContext>();
    if (!tail) break;
    Cursor t(tail);
    const std::size_t which = t.token()->getType();
    Node* e = expr(t.rule<P::ExprContext>());
    once(which == P::K_UNTIL ? until : which == P::STARTING_WITH ? starting : up_to, e);
  }
  return make(NodeKind::rounds_stmt, range(s), {}, exactly, {up_to, until, starting, block(c.rule<P::BlockContext>())});
}

Node* Builder::with_stmt(P::StmtContext* s) {
  Cursor c(s);
  const bool without = c.token()->getType() == P::K_WITHOUT;
  Node* condition = expr(c.rule<P::ExprContext>());
  Node* body = block(c.rule<P::BlockContext>());
  Node* otherwise = c.take(P::K_OTHERWISE) ? block(c.rule<P::BlockContext>()) : nullptr;
  return make(NodeKind::with_stmt, range(s), {}, without, {condition, body, otherwise});
}

Node* Builder::phase_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  const antlr4::Token* phase = c.token();
  return make(NodeKind::phase_stmt, range(s), text(phase), 0, {block(c.rule<P::BlockContext>())});
}

Node* Builder::afterwards_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  return make(NodeKind::afterwards_stmt, range(s), {}, 0, {block(c.rule<P::BlockContext>())});
}

Node* Builder::together_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  return make(NodeKind::together_stmt, range(s), {}, 0, {block(c.rule<P::BlockContext>())});
}

// Converts `end turn` and `end phase Bidding`.
Node* Builder::end_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  const bool phase = c.take(P::K_PHASE);
  return make(NodeKind::end_stmt, range(s), path_end(c.rule<P::PathContext>())->text, phase);
}

Node* Builder::winners_stmt(P::StmtContext* s) {
  Cursor c(s);
  c.skip();
  Node* who = expr(c.rule<P::ExprContext>());
  return make(NodeKind::winners_stmt, range(s), {}, 0, {who, string(c.token(P::STR))});
}

// ---- statements that begin with an expression -----------------------------------------------------

Node* Builder::expr_stmt(P::StmtContext* s) {
  Cursor c(s);
  Node* first = postfix(c.rule<P::PostfixContext>());
  const Range here = range(s);
  switch (c.token_type()) {
    case P::ASSIGN:
    case P::ADD_TO:
    case P::TAKE_FROM: {
      const std::string_view op = text(c.token());
      return make(NodeKind::assign_stmt, here, op, 0, {first, expr(c.rule<P::ExprContext>())});
    }
    case P::K_CHOOSES: c.skip(); return choosing(c.rule<P::ChoosingContext>(), here, first, false);
    case P::K_MAY: {
      c.skip();
      if (c.take(P::K_CHOOSE)) return choosing(c.rule<P::ChoosingContext>(), here, first, true);
      const antlr4::Token* question = c.token();
      first = make(NodeKind::may_expr, here, contents(question), 0, {first, string(question)});
      break;
    }
    default: break;
  }
  auto* body = c.rule<P::BlockContext>();
  if (!body) return value_stmt(first);
  if (first->kind != NodeKind::may_expr) {
    diagnostics_.report("syntax"_code, first->range, "unexpected block after an expression",
                        "only a question can have a block: `may \"…\" { … }`");
    return value_stmt(first);
  }
  Node* then = block(body);
  Node* otherwise = c.take(P::K_ELSE) ? block_or_stmt(c) : nullptr;
  const view::may_expr may(first);
  return make(NodeKind::may_stmt, here, first->text, 0, {may.decider(), may.question(), then, otherwise});
}

void Builder::report_not_a_statement(const Node* e) {
  std::string guess = habit(Spot::statement, e->text);
  if (guess.empty()) guess = did_you_mean(e->text, {"cancel", "stop", "next", "checkpoint", "proceed"});
  if (guess.empty()) guess = fmt::format("to call an event, add brackets: `{}()`", e->text);
  diagnostics_.report("unknown_statement"_code, e->range, fmt::format("`{}` is not a statement", e->text), guess);
}

Node* Builder::value_stmt(Node* e) {
  switch (e->kind) {
    case NodeKind::open_expr:
    case NodeKind::proceed_stmt: return e;
    case NodeKind::call:
    case NodeKind::roll_expr: return make(NodeKind::call_stmt, e->range, {}, 0, {e});
    case NodeKind::name_ref:
      if (e->text == "cancel") return make(NodeKind::cancel_stmt, e->range);
      if (e->text == "stop") return make(NodeKind::stop_stmt, e->range);
      if (e->text == "next") return make(NodeKind::next_stmt, e->range);
      if (e->text == "checkpoint") return make(NodeKind::checkpoint_stmt, e->range);
      report_not_a_statement(e);
      return make(NodeKind::call_stmt, e->range, {}, 0, {e});
    case NodeKind::may_expr:
      diagnostics_.report("useless_statement"_code, e->range, "missing block after a question",
                          "add the statements to run if the answer is yes: `may \"…\" { … }`");
      return e;
    default:
      diagnostics_.report("useless_statement"_code, e->range, "unused expression",
                          "assign it (`let x = …`), or call an event");
      return make(NodeKind::call_stmt, e->range, {}, 0, {e});
  }
}

}   // namespace cardwright::parse
