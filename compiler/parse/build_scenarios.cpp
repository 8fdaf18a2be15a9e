// Converts scenes and scenarios to AST nodes: their setup, steps and assertions.
#include "compiler/parse/build.h"

namespace cardwright::parse {

// Converts `with colours, first_pass = left` to a list of arg nodes. An option without a value is set to `on`.
Node* Builder::settings(Cursor& c) {
  if (!c.take(P::K_WITH)) return nullptr;
  Nodes items;
  while (auto* s = c.rule<P::SettingContext>()) {
    items.push_back(setting(s));
    c.take(P::COMMA);
  }
  each_once(items);
  return list(items.front()->range, items);
}

Node* Builder::scene(P::SceneContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* players = c.take(P::K_FOR) ? expr(c.rule<P::ExprContext>()) : nullptr;
  if (players) c.skip();   // the word `players`
  Node* options = settings(c);
  Nodes items;
  while (!c.done())
    if (auto* g = c.rule<P::GivenContext>())
      items.push_back(given(g));
    else
      c.skip();
  return make(NodeKind::scene, range(d), text(named), 0, {players, list(range(d), items), options});
}

Node* Builder::scenario(P::ScenarioContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* title = c.token();
  Node* scene = c.take(P::K_IN) ? name(c.token()) : nullptr;
  Node* players = c.take(P::K_FOR) ? expr(c.rule<P::ExprContext>()) : nullptr;
  if (players) c.skip();
  Node* options = settings(c);
  Nodes lines;
  while (!c.done())
    if (auto* l = c.rule<P::LineContext>())
      line(l, lines);
    else
      c.skip();
  return make(NodeKind::scenario, range(d), contents(title), 0, {scene, players, list(range(d), lines), options});
}

void Builder::line(P::LineContext* l, Nodes& out) {
  Cursor c(l);
  Nodes items;
  const std::size_t which = c.token()->getType();
  const bool at_once = c.take(P::AT_ONCE);
  while (!c.done()) {
    if (auto* g = c.rule<P::GivenContext>())
      items.push_back(given(g));
    else if (auto* s = c.rule<P::StepContext>())
      items.push_back(step(s));
    else if (auto* e = c.rule<P::ExprContext>())
      claims(expr(e), items);
    else
      c.skip();
  }
  const NodeKind kind = which == P::K_GIVEN  ? NodeKind::given_line
                        : which == P::K_WHEN ? NodeKind::when_line
                                             : NodeKind::then_line;
  out.push_back(make(kind, range(l), {}, at_once ? 1 : 0, items));
}

// Converts an item of `given`, for example `b.hand = [Chips]`, `b.row facedown = [Chips]`, `top of draw = [a Snorkel]`,
// `only a, b are in` or `c is out`.
Node* Builder::given(P::GivenContext* g) {
  Cursor c(g);
  if (c.take(P::K_ONLY)) {
    Nodes players;
    while (const antlr4::Token* t = c.token(P::ID)) {
      players.push_back(name(t));
      c.take(P::COMMA);
    }
    return make(NodeKind::given, range(g), "only in", 0, {nullptr, list(range(g), players)});
  }
  Node* place = expr(c.rule<P::ExprContext>());
  if (c.take(P::K_OFF)) return make(NodeKind::given, range(g), "off", 0, {place, name(c.token())});
  if (place->kind == NodeKind::binary && place->text == "at") {   // `a.hero at e5 facing E`
    Node* way = c.take(P::K_FACING) ? expr(c.rule<P::ExprContext>()) : nullptr;
    const view::binary at(place);
    return make(NodeKind::given, range(g), "at", c.take(P::K_FACEDOWN), {at.left(), at.right(), way});
  }
  if (place->kind == NodeKind::binary && place->text == "shows")
    return make(NodeKind::given, range(g), "shows", 0, {view::binary(place).left(), view::binary(place).right()});
  if (place->kind == NodeKind::knows_expr)
    return make(NodeKind::given, range(g), "knows", place->number,
                {view::knows_expr(place).who(), view::knows_expr(place).what()});
  const bool facedown = c.take(P::K_FACEDOWN);
  if (c.take(P::ASSIGN)) {
    Node* value = expr(c.rule<P::ExprContext>());
    if (facedown) return make(NodeKind::given, range(g), "facedown", 0, {place, value});
    if (place->kind == NodeKind::top_expr)
      return make(NodeKind::given, range(g), place->text, 0, {view::top_expr(place).zone(), value});
    return make(NodeKind::given, range(g), "=", 0, {place, value});
  }
  if (place->kind == NodeKind::is_expr && place->text == "out" && !place->number)
    return make(NodeKind::given, range(g), "out", 0, {view::is_expr(place).subject(), nullptr});
  diagnostics_.report("given_without_value"_code, place->range, "missing value in `given`",
                      "write `NAME = VALUE`, or `p is out`");
  return make(NodeKind::given, range(g), "=", 0, {place, nullptr});
}

Node* Builder::item(P::ItemContext* i) {
  Cursor c(i);
  if (!c.take(P::MINUS)) return postfix(c.rule<P::PostfixContext>());
  return make(NodeKind::unary, range(i), "-", 0, {postfix(c.rule<P::PostfixContext>())});
}

// Converts an item at a position where a card is expected. An unqualified name then refers to a card.
Node* Builder::card_item(P::ItemContext* i) {
  Node* node = item(i);
  if (node->kind == NodeKind::name_ref) return make(NodeKind::scenario_card, node->range, node->text);
  if (node->kind != NodeKind::call || node->text.empty()) return node;
  Nodes attributes;   // the attributes in `Card(rank: 3)`
  for (Node* a : view::call(node).arguments()->children) attributes.push_back(a);
  return make(NodeKind::scenario_card, node->range, node->text, 0, attributes);
}

Node* Builder::time(P::TimeContext* t) {
  Cursor c(t);
  const antlr4::Token* amount = c.token();
  return make(NodeKind::number, range(t), text(c.token()), value(amount));
}

// Converts a step, for example `at 1000 ms a uses grab in 400 ms` or `5 s pass`.
Node* Builder::step(P::StepContext* s) {
  Cursor c(s);
  if (auto* t = c.rule<P::TimeContext>()) return make(NodeKind::step, range(s), "time", 0, {time(t)});
  if (c.take(P::K_THE)) return the_game_begins(c, range(s));
  Node* at = c.take(P::K_AT) ? time(c.rule<P::TimeContext>()) : nullptr;
  Node* done = deed(c, range(s));
  Node* flight = c.take(P::K_IN) ? time(c.rule<P::TimeContext>()) : nullptr;
  return at || flight ? make(NodeKind::timed_step, range(s), {}, 0, {done, at, flight}) : done;
}

// Converts `the game begins` and `the game begins with seed 7`.
Node* Builder::the_game_begins(Cursor& c, Range range) {
  const auto once = [&](const antlr4::Token* t, std::string_view what) {
    if (t && text(t) != what)
      diagnostics_.report("unknown_clause"_code, this->range(t),
                          fmt::format("expected `{}`, found `{}`", what, text(t)),
                          "write `the game begins with seed 7`");
  };
  once(c.token(), "game");
  c.take(P::K_BEGINS);
  Node* seed = nullptr;
  if (c.take(P::K_WITH)) once(c.token(), "seed"), seed = number(c.token());
  return make(NodeKind::step, range, "game", 0, {seed});
}

Node* Builder::deed(Cursor& c, Range range) {
  const antlr4::Token* subject = c.token();
  const antlr4::Token* verb = c.token();
  const auto items = [&](Nodes& out) {
    while (auto* i = c.rule<P::ItemContext>()) {
      out.push_back(item(i));
      c.take(P::COMMA);
    }
  };
  const auto make_step = [&](std::string_view what, const Nodes& children) {
    return make(NodeKind::step, range, what, 0, children);
  };
  switch (verb->getType()) {
    case P::K_OF: return make_step("begins", {name(c.token()), name(subject)});
    case P::K_PASSES: return make_step("passes", {name(subject)});
    case P::K_SAYS: {
      const antlr4::Token* answer = c.token();
      if (text(answer) != "yes" && text(answer) != "no")
        diagnostics_.report("unknown_clause"_code, this->range(answer),
                            fmt::format("expected `yes` or `no`, found `{}`", text(answer)));
      return make_step("says", {name(subject), word(answer)});
    }
    case P::K_CHOOSES: {
      if (c.take(P::AT_RANDOM)) return make_step("random", {name(subject)});
      Nodes children{name(subject)};
      items(children);
      return make_step("chooses", children);
    }
    case P::K_ARRANGES:
    case P::K_ROLLS: {
      Nodes children{name(subject)};
      items(children);
      return make_step(verb->getType() == P::K_ROLLS ? "rolls" : "arranges", children);
    }
    case P::K_DOES: {
      Nodes children{name(subject), name(c.token())};
      c.take(P::K_WITH);
      items(children);
      return make_step("does", children);
    }
    case P::K_USES: {
      Node* action = name(c.token());
      Node* of = c.take(P::K_OF) ? name(c.token()) : nullptr;
      if (!c.take(P::K_WITH)) c.take(P::K_ON);
      Nodes children{name(subject), action, of};
      items(children);
      return make_step("uses", children);
    }
    default: {   // the play of a card: `plays Miss as Splash on b, then Chips`
      Node* card = card_item(c.rule<P::ItemContext>());
      Node* as = c.take(P::K_AS) ? name(c.token()) : nullptr;
      Node* target = nullptr;
      Nodes more;
      while (!c.done() && c.token_type() != P::K_IN) {
        if (c.take(P::COMMA_THEN)) {
          more.push_back(card_item(c.rule<P::ItemContext>()));
        } else if (auto* i = c.rule<P::ItemContext>()) {
          if (!target)
            target = item(i);
          else
            more.push_back(make(NodeKind::arg, this->range(i), {}, 0, {item(i)}));
        } else {
          c.skip();
        }
      }
      Nodes children{name(subject), card, as, target};
      children.insert(children.end(), more.begin(), more.end());
      return make_step("plays", children);
    }
  }
}

// Converts each operand of `and` to a separate assertion, as in `b is out and b loses and a knows b.hand`.
void Builder::claims(Node* e, Nodes& out) {
  if (e->kind == NodeKind::binary && e->text == "and") {
    claims(view::binary(e).left(), out);
    claims(view::binary(e).right(), out);
    return;
  }
  const auto is_deeper = [](const Node* what) {
    return what && what->kind == NodeKind::top_expr && (what->text != "top" || view::top_expr(what).count());
  };
  const auto is_of_all = [](const Node* who) {
    return who && who->kind == NodeKind::name_ref && who->text == "everyone";
  };
  if (e->kind == NodeKind::knows_expr &&
      (!is_deeper(view::knows_expr(e).what()) || is_of_all(view::knows_expr(e).who()))) {
    const view::knows_expr knows(e);
    const std::string_view verb = knows.negated() ? "doesn't know" : "knows";
    e = make(NodeKind::claim, e->range, verb, 0, {knows.who(), knows.what()});
  } else if (e->kind != NodeKind::claim) {
    e = make(NodeKind::claim, e->range, "is", 0, {e});
  }
  out.push_back(e);
}

}   // namespace cardwright::parse
