// Expressions. An `expr` of the grammar is a postfix form, a prefix form (token first) or an infix form (token second).
#include "compiler/parse/build.h"

namespace cardwright::parse {
namespace {

bool is_state_word(std::string_view word) {
  return word == "empty" || word == "out" || word == "in" || word == "none" || word == "over" || word == "some";
}

std::string_view operator_text(std::size_t type, std::string_view written) {
  switch (type) {  // joined words may be written with several blanks
    case P::NOT_IN: return "not in";
    case P::DISJOINT_FROM: return "disjoint from";
    case P::OR_ELSE: return "or else";
    default: return written;
  }
}

}  // namespace

Node* Builder::expr(P::ExprContext* e) {
  Cursor c(e);
  if (auto* p = c.peek<P::PostfixContext>()) return postfix(p);
  return c.token_type() ? prefix_expr(e) : infix_expr(e);
}

Node* Builder::domain(P::ExprContext* e, Node** condition) {
  Cursor c(e);
  auto* set = c.rule<P::ExprContext>();
  if (!set || !c.take(P::K_WHERE)) return expr(e);
  *condition = expr(c.rule<P::ExprContext>());
  return expr(set);
}

Node* Builder::prefix_expr(P::ExprContext* e) {
  Cursor c(e);
  const antlr4::Token* op = c.token();
  switch (op->getType()) {
    case P::PLUS: return expr(c.rule<P::ExprContext>());
    case P::MINUS: case P::K_NOT:
      return make(NodeKind::unary, range(e), text(op), 0, {expr(c.rule<P::ExprContext>())});
    case P::K_ROLL: return make(NodeKind::roll_expr, range(e), {}, 0, {expr(c.rule<P::ExprContext>())});
    case P::K_ANY: case P::K_EVERY: case P::K_NO: case P::K_THE: return quantifier(e);
    case P::K_IF: {
      Nodes parts;
      while (!c.done())
        if (auto* part = c.rule<P::ExprContext>()) parts.push_back(expr(part));
        else c.skip();
      return make(NodeKind::if_expr, range(e), {}, 0, parts);
    }
    default: return aggregate(e);
  }
}

Node* Builder::infix_expr(P::ExprContext* e) {
  Cursor c(e);
  auto* left = c.rule<P::ExprContext>();
  const antlr4::Token* op = c.token();
  const auto right = [&] { return expr(c.rule<P::ExprContext>()); };
  switch (op->getType()) {
    case P::RANGE: return make(NodeKind::range_lit, range(e), {}, 0, {expr(left), right()});
    case P::K_WHERE: return make(NodeKind::where_expr, range(e), {}, 0, {expr(left), right()});
    case P::K_KNOWS: return make(NodeKind::knows_expr, range(e), {}, 0, {expr(left), right()});
    case P::DOESNT_KNOW: return make(NodeKind::knows_expr, range(e), {}, 1, {expr(left), right()});
    case P::K_IS: return kinds(range(e), expr(left), c, false);
    case P::IS_NOT: return kinds(range(e), expr(left), c, true);
    case P::WITH_BEST: case P::THEN_BEST: return best(e);
    case P::K_CLOCKWISE:
      c.take(P::K_FROM);
      return make(NodeKind::clockwise_expr, range(e), {}, 0, {expr(left), right()});
    case P::K_WINS: case P::K_LOSES: return make(NodeKind::claim, range(e), text(op), 0, {expr(left)});
    case P::CANT: return claim(e);
    case P::K_MAY:
      if (const antlr4::Token* question = c.token(P::STR))
        return make(NodeKind::may_expr, range(e), contents(question), 0, {expr(left)});
      return claim(e);
    default:
      return make(NodeKind::binary, range(e), operator_text(op->getType(), text(op)), 0, {expr(left), right()});
  }
}

// `is empty`, `is in`, `is Classmate or Sibling`
Node* Builder::kinds(Range range, Node* subject, Cursor& c, bool negated) {
  Nodes children{subject};
  std::string_view state;
  while (const antlr4::Token* t = c.token()) {
    if (t->getType() == P::OR_KIND) continue;
    if (t->getType() != P::ID || is_state_word(text(t))) state = text(t);
    else children.push_back(name(t));
  }
  return make(NodeKind::is_expr, range, state, negated, children);
}

// `any x in S where C has D`, `every player is Sibling`, `the player where C`
Node* Builder::quantifier(P::ExprContext* e) {
  Cursor c(e);
  const std::string_view which = text(c.token());
  const antlr4::Token* noun = c.token();
  if (c.token_type() == P::K_IS || c.token_type() == P::IS_NOT) {
    const bool negated = c.token()->getType() == P::IS_NOT;
    Node* it = make(NodeKind::name_ref, range(noun), "it");
    return make(NodeKind::quantifier_is, range(e), which, 0, {name(noun), kinds(range(e), it, c, negated)});
  }
  if (c.take(P::K_WHERE))
    return make(NodeKind::quantifier_is, range(e), which, 0, {name(noun), expr(c.rule<P::ExprContext>())});
  c.take(P::K_IN);
  Node* where = nullptr;
  Node* over = domain(c.rule<P::ExprContext>(), &where);
  if (which == "the") return make(NodeKind::quantifier, range(e), which, 0, {over, where, name(noun), nullptr});
  c.take(P::K_HAS);
  Node* has = expr(c.rule<P::ExprContext>());
  return make(NodeKind::quantifier, range(e), which, 0, {over, has, name(noun), where});
}

// `sum of E for x in S, y in T where C`
Node* Builder::aggregate(P::ExprContext* e) {
  Cursor c(e);
  const antlr4::Token* which = c.token();
  c.take(P::K_OF);
  Node* body = expr(c.rule<P::ExprContext>());
  c.take(P::K_FOR);
  Nodes gens;
  Node* where = nullptr;
  while (auto* g = c.rule<P::GenContext>()) {
    gens.push_back(gen(g, nullptr));
    c.take(P::COMMA);
  }
  const antlr4::Token* variable = c.token(P::ID);
  c.take(P::K_IN);
  Node* last = domain(c.rule<P::ExprContext>(), &where);
  gens.push_back(make(NodeKind::gen, range(variable), text(variable), 0, {last, nullptr}));
  return make(NodeKind::aggregate, range(e), text(which), 0, {body, list(range(e), gens), where});
}

// `S with most A, then least B`: the grammar nests to the left, the node is flat.
Node* Builder::best(P::ExprContext* e) {
  Cursor c(e);
  Node* left = expr(c.rule<P::ExprContext>());
  const antlr4::Token* op = c.token();
  const bool least = !text(op).ends_with("most");
  Node* key = expr(c.rule<P::ExprContext>());
  if (op->getType() == P::WITH_BEST || left->kind != NodeKind::best_expr)
    return make(NodeKind::best_expr, range(e), {}, least, {left, key});
  Nodes children(left->children.begin(), left->children.end());
  const std::int64_t bits = left->number | (static_cast<std::int64_t>(least) << (children.size() - 1));
  children.push_back(key);
  return make(NodeKind::best_expr, range(e), {}, bits, children);
}

// `a can't play Miss as Splash on b`: [subject, word play or use, card, as?, on?]
Node* Builder::claim(P::ExprContext* e) {
  Cursor c(e);
  Node* subject = expr(c.rule<P::ExprContext>());
  const std::string_view verb = c.token()->getType() == P::CANT ? "can't" : "may";
  const antlr4::Token* deed = c.token();
  auto* what_item = c.rule<P::ItemContext>();
  Node* what = text(deed) == "play" ? card_item(what_item) : item(what_item);
  Node* as = c.take(P::K_AS) ? name(c.token()) : nullptr;
  Node* on = c.take(P::K_ON) ? item(c.rule<P::ItemContext>()) : nullptr;
  return make(NodeKind::claim, range(e), verb, 0, {subject, word(deed), what, as, on});
}

// ---- postfix forms and what they stand on -----------------------------------------------------

Node* Builder::postfix(P::PostfixContext* p) {
  Cursor c(p);
  Node* node = primary(c.rule<P::PrimaryContext>());
  const std::uint32_t begin = range(p).begin;
  while (!c.done()) {
    if (auto* a = c.rule<P::ArgsContext>()) {
      node = called(node, a, {source_, begin, range(a).end});
    } else if (c.take(P::DOT)) {
      const antlr4::Token* attribute = c.token();
      node = make(NodeKind::member, {source_, begin, range(attribute).end}, text(attribute), 0, {node});
    } else {
      c.take(P::LBRACKET);
      Nodes children{node};
      while (auto* e = c.rule<P::ExprContext>()) {
        children.push_back(expr(e));
        c.take(P::COMMA);
      }
      node = make(NodeKind::index, {source_, begin, range(c.token()).end}, {}, 0, children);
    }
  }
  return node;
}

Node* Builder::called(Node* base, P::ArgsContext* a, Range range) {
  Node* arguments = args(a);
  if (base->kind == NodeKind::open_expr && base->children.empty())
    return make(NodeKind::open_expr, range, base->text, 0, {arguments});
  if (base->kind == NodeKind::proceed_stmt && base->children.empty())
    return make(NodeKind::proceed_stmt, range, {}, 0, {arguments});
  if (base->kind != NodeKind::name_ref) return make(NodeKind::call, range, {}, 0, {arguments, base});
  const auto& list = arguments->children;
  const auto plain = [&](std::size_t i) { return list[i]->text.empty() ? list[i]->child(0) : nullptr; };
  if (base->text == "size" && list.size() == 1 && plain(0)) {
    Node* over = plain(0);  // size(x in S where C)
    const bool binds = over->kind == NodeKind::where_expr && over->child(0)->kind == NodeKind::binary &&
                       over->child(0)->text == "in" && over->child(0)->child(0)->kind == NodeKind::name_ref;
    if (!binds) return make(NodeKind::size_of, range, {}, 0, {over});
    Node* in = over->child(0);
    return make(NodeKind::size_of, range, {}, 0, {in->child(0), in->child(1), over->child(1)});
  }
  if (base->text == "subsets" && list.size() == 2 && plain(0) && plain(1) && plain(1)->kind == NodeKind::range_lit)
    return make(NodeKind::subsets, range, {}, 0, {plain(0), plain(1)->child(0), plain(1)->child(1)});
  return make(NodeKind::call, range, base->text, 0, {arguments});
}

Node* Builder::primary(P::PrimaryContext* p) {
  Cursor c(p);
  const antlr4::Token* t = c.token();
  const Range here = range(p);
  switch (t->getType()) {
    case P::ID:
      if (c.take(P::K_OF)) return make(NodeKind::scenario_card, here, text(t), 0, {name(c.token())});
      if (text(t) == "proceed") return make(NodeKind::proceed_stmt, here);
      return name(t);
    case P::NUM: {
      const antlr4::Token* unit = c.token(P::UNIT);
      return make(NodeKind::number, here, unit ? text(unit) : std::string_view{}, value(t));
    }
    case P::STR: return string(t);
    case P::K_TRUE: return make(NodeKind::truth, here, {}, 1);
    case P::K_FALSE: return make(NodeKind::truth, here, {}, 0);
    case P::K_NONE: return make(NodeKind::none_lit, here);
    case P::K_UNLIMITED: return make(NodeKind::unlimited_lit, here);
    case P::LPAREN: return expr(c.rule<P::ExprContext>());
    case P::LBRACKET: {
      Nodes items;
      while (auto* e = c.rule<P::ExprContext>()) {
        items.push_back(expr(e));
        c.take(P::COMMA);
      }
      return make(NodeKind::list_lit, here, {}, 0, items);
    }
    case P::K_TOP: case P::K_BOTTOM: {
      Node* count = nullptr;
      if (const antlr4::Token* n = c.token(P::NUM)) count = number(n);
      else if (const antlr4::Token* n = c.token(P::ID)) count = name(n);
      else if (c.take(P::LPAREN)) count = expr(c.rule<P::ExprContext>()), c.take(P::RPAREN);
      if (auto* a = c.rule<P::ArgsContext>()) count = called(count, a, {source_, count->range.begin, range(a).end});
      c.take(P::K_OF);
      return make(NodeKind::top_expr, here, text(t), 0, {count, postfix(c.rule<P::PostfixContext>())});
    }
    case P::K_OPEN: return make(NodeKind::open_expr, here, text(c.token()));
    case P::K_MAY: return make(NodeKind::may_expr, here, contents(c.token()), 0, {nullptr});
    case P::K_ALL: {
      if (!c.take(P::K_BUT))
        return make(NodeKind::pick, here, "all", 0, {postfix(c.rule<P::PostfixContext>())});
      Node* except = postfix(c.rule<P::PostfixContext>());
      Node* set = except->kind == NodeKind::top_expr ? except->child(1) : nullptr;
      return make(NodeKind::all_but, here, {}, 0, {set, except});
    }
    case P::K_DURING: return make(NodeKind::during_expr, here, text(c.token()));
    case P::K_SUPPOSING: {
      Node* call = postfix(c.rule<P::PostfixContext>());
      c.take(P::K_HOLDS);
      return make(NodeKind::supposing, here, {}, 0, {call, postfix(c.rule<P::PostfixContext>())});
    }
    case P::ARTICLE: return make(NodeKind::scenario_card, here, text(c.token()), 1);
    default:  // first, last, only, random, card, index
      c.take(P::K_OF);
      return make(NodeKind::pick, here, text(t), 0, {postfix(c.rule<P::PostfixContext>())});
  }
}

Node* Builder::args(P::ArgsContext* a) {
  Nodes items;
  for (P::ArgContext* one : a->arg()) items.push_back(arg(one));
  return list(range(a), items);
}

Node* Builder::arg(P::ArgContext* a) {
  Cursor c(a);
  const antlr4::Token* label = c.token(P::ID);
  c.take(P::COLON);
  return make(NodeKind::arg, range(a), label ? text(label) : std::string_view{}, 0, {expr(c.rule<P::ExprContext>())});
}

}  // namespace cardwright::parse
