// Converts expressions to AST nodes. The grammar parses them as flat lists; Level defines the operator precedence.
#include "compiler/parse/build.h"
#include "support/decimal.h"

namespace cardwright::parse {
namespace {

bool is_state_word(std::string_view word) {
  return word == "empty" || word == "out" || word == "in" || word == "none" || word == "over" || word == "some" ||
         word == "faceup" || word == "facedown" || word == "running";
}

std::string_view operator_text(std::size_t type, std::string_view written) {
  switch (type) {   // multi-word keywords may contain several spaces
    case P::NOT_IN: return "not in";
    case P::DISJOINT_FROM: return "disjoint from";
    case P::OR_ELSE: return "or else";
    case P::AT_CELL: return "at";
    case P::K_SHOW: return "shows";
    default: return written;
  }
}

// Operator precedence, lowest first. The operand of a prefix operator includes all subsequent operators of the same or
// a higher level.
enum Level : int {
  anything,   // if … then … else E
  fallback,   // or else
  picking,   // where, with most, clockwise from
  either,   // or; any … has E, the … where E
  both,   // and
  negation,   // not E
  comparison,   // ==, in, is, knows, may
  range_of,   // a..b; roll E; the set of a sum
  adding,
  multiplying,
  power,   // right-associative: 2 ** 3 ** 2 is 2 ** 9
  sign,
};

Level level_of(std::size_t op) {
  switch (op) {
    case P::OR_ELSE: return fallback;
    case P::K_WHERE:
    case P::WITH_BEST:
    case P::THEN_BEST:
    case P::K_CLOCKWISE: return picking;
    case P::K_OR: return either;
    case P::K_AND: return both;
    case P::RANGE:
    case P::AT_CELL:
    case P::K_ON:
    case P::K_SHOWS:
    case P::K_SHOW: return range_of;
    case P::PLUS:
    case P::MINUS:
    case P::PLUS_MINUS:
    case P::AMPERSAND: return adding;
    case P::POWER: return power;
    case P::TIMES_SIGN:
    case P::SLASH:
    case P::K_MOD:
    case P::K_DIV: return multiplying;
    default: return comparison;
  }
}

}   // namespace

// Parses the flat children of one `expr` (prefixes, operands, infix operators and suffixes) by precedence climbing.
class Builder::Climber {
 public:
  Climber(Builder& builder, P::ExprContext* e) : b_(builder), c_(e) {}

  bool done() const { return c_.done(); }

  // Parses the longest expression whose operators all have at least the precedence `lowest`.
  Node* climb(int lowest) {
    const std::uint32_t begin = next_begin();
    Node* left = operand();
    for (;;) {
      if (auto* e = c_.peek<P::EndingContext>()) {
        const bool spread = e->start->getType() == P::K_SPREAD;
        if (lowest > (spread ? adding : comparison)) return left;
        c_.skip();
        end_ = b_.range(e).end;
        left = ending({b_.source_, begin, end_}, left, e);
        continue;
      }
      auto* l = c_.peek<P::LinkContext>();
      if (!l || l->start->getType() == P::FOR_ALSO || level_of(l->start->getType()) < lowest) return left;
      c_.skip();
      const Level level = level_of(l->start->getType());
      Node* right = climb(level == power ? power : level + 1);
      left = join({b_.source_, begin, end_}, l->start, left, right);
    }
  }

  bool take_where() {
    auto* l = c_.peek<P::LinkContext>();
    if (!l || l->start->getType() != P::K_WHERE) return false;
    c_.skip();
    return true;
  }

 private:
  std::uint32_t next_begin() const {
    auto* next = c_.peek<antlr4::ParserRuleContext>();
    return next ? b_.range(next).begin : end_;
  }
  Node* make(NodeKind kind, std::uint32_t begin, std::string_view text, std::int64_t number, const Nodes& children) {
    return b_.make(kind, {b_.source_, begin, end_}, text, number, children);
  }

  Node* operand() {
    if (auto* p = c_.rule<P::PrefixContext>()) return prefixed(p);
    auto* p = c_.rule<P::PostfixContext>();
    end_ = b_.range(p).end;
    return b_.postfix(p);
  }

  Node* prefixed(P::PrefixContext* p) {
    Cursor c(p);
    const std::uint32_t begin = b_.range(p).begin;
    const antlr4::Token* op = c.token();
    switch (op->getType()) {
      case P::PLUS: return climb(sign);
      case P::MINUS: return unary(op, climb(sign), begin);
      case P::K_NOT: return unary(op, climb(negation), begin);
      case P::K_ROLL: {
        Node* domain = climb(range_of);
        return make(NodeKind::roll_expr, begin, {}, 0, {domain});
      }
      case P::K_IF: {
        Node* condition = b_.expr(c.rule<P::ExprContext>());
        c.skip();
        Node* then = b_.expr(c.rule<P::ExprContext>());
        Node* otherwise = climb(anything);
        return make(NodeKind::if_expr, begin, {}, 0, {condition, then, otherwise});
      }
      case P::K_THE: return the_one(c, begin);
      case P::K_ANY:
      case P::K_EVERY:
      case P::K_NO: {
        const antlr4::Token* variable = c.token();
        c.skip();
        Node* where = nullptr;
        Node* over = b_.domain(c.rule<P::ExprContext>(), &where);
        Node* has = climb(either);
        return make(NodeKind::quantifier, begin, b_.text(op), 0, {over, has, b_.name(variable), where});
      }
      default: return aggregate(c, op, begin);
    }
  }

  Node* unary(const antlr4::Token* op, Node* inner, std::uint32_t begin) {
    return make(NodeKind::unary, begin, b_.text(op), 0, {inner});
  }

  // Converts `the player where C` and `the p in S where C`.
  Node* the_one(Cursor& c, std::uint32_t begin) {
    const antlr4::Token* noun = c.token();
    if (c.take(P::K_WHERE)) {
      Node* condition = climb(either);
      return make(NodeKind::quantifier_is, begin, "the", 0, {b_.name(noun), condition});
    }
    Node* over = climb(range_of);
    Node* condition = take_where() ? climb(either) : nullptr;
    return make(NodeKind::quantifier, begin, "the", 0, {over, condition, b_.name(noun), nullptr});
  }

  // Converts `sum of E for x in S, y in T where C`.
  Node* aggregate(Cursor& c, const antlr4::Token* which, std::uint32_t begin) {
    c.skip();
    Node* body = b_.expr(c.rule<P::ExprContext>());
    c.skip();
    Nodes gens{gen(c.token())};
    for (;;) {
      auto* also = c_.peek<P::LinkContext>();
      if (!also || also->start->getType() != P::FOR_ALSO) break;
      c_.skip();
      Cursor l(also);
      l.skip();
      gens.push_back(gen(l.token()));
    }
    Node* all = b_.list(gens.front()->range, gens);
    Node* where = take_where() ? climb(either) : nullptr;
    return make(NodeKind::aggregate, begin, b_.text(which), 0, {body, all, where});
  }
  // Converts the order of a generator: `x in S with most E, then least F`, `p in players clockwise from q`.
  Node* ordered(Node* over) {
    for (;;) {
      auto* l = c_.peek<P::LinkContext>();
      const std::size_t type = l ? l->start->getType() : 0;
      if (type != P::WITH_BEST && type != P::THEN_BEST && type != P::K_CLOCKWISE) return over;
      c_.skip();
      Node* key = climb(level_of(type) + 1);
      over = join({b_.source_, over->range.begin, end_}, l->start, over, key);
    }
  }
  Node* gen(const antlr4::Token* variable) {
    Node* over = ordered(climb(range_of));
    return make(NodeKind::gen, b_.range(variable).begin, b_.text(variable), 0, {over, nullptr});
  }

  // Handles a unit after a range. The unit applies to both bounds: `1..3 s`, `-1..1 CL`.
  Node* in_unit_of(const Node* right, Node* left) {
    if (right->kind != NodeKind::number) return left;
    if (left->kind == NodeKind::unary && left->text == "-")
      return b_.make(NodeKind::unary, left->range, left->text, left->number,
                     {in_unit_of(right, view::unary(left).operand())});
    if (left->kind != NodeKind::number || !left->text.empty()) return left;
    return b_.make(NodeKind::number, left->range, right->text, left->number,
                   Nodes(left->children.begin(), left->children.end()));
  }

  Node* join(Range range, const antlr4::Token* op, Node* left, Node* right) {
    switch (op->getType()) {
      case P::RANGE: {
        return b_.make(NodeKind::range_lit, range, {}, 0, {in_unit_of(right, left), right});
      }
      case P::K_WHERE: return b_.make(NodeKind::where_expr, range, {}, 0, {left, right});
      case P::K_KNOWS: return b_.make(NodeKind::knows_expr, range, {}, 0, {left, right});
      case P::DOESNT_KNOW: return b_.make(NodeKind::knows_expr, range, {}, 1, {left, right});
      case P::K_CLOCKWISE: return b_.make(NodeKind::clockwise_expr, range, {}, 0, {left, right});
      case P::WITH_BEST:
      case P::THEN_BEST: return b_.best(range, op, left, right);
      default: return b_.make(NodeKind::binary, range, operator_text(op->getType(), b_.text(op)), 0, {left, right});
    }
  }

  Node* ending(Range range, Node* left, P::EndingContext* e) {
    Cursor c(e);
    const antlr4::Token* op = c.token();
    switch (op->getType()) {
      case P::K_IS:
      case P::IS_NOT: return b_.kinds(range, left, c.rule<P::KindsContext>(), op->getType() == P::IS_NOT);
      case P::K_SPREAD: {
        Node* percent = b_.postfix(c.rule<P::PostfixContext>());
        return b_.make(NodeKind::binary, range, "spread", 0, {left, percent});
      }
      case P::K_WINS:
      case P::K_LOSES: return b_.make(NodeKind::claim, range, b_.text(op), 0, {left});
      default: break;
    }
    if (const antlr4::Token* question = c.token(P::STR))
      return b_.make(NodeKind::may_expr, range, b_.contents(question), 0, {left, b_.string(question)});
    // Converts `a can't play Miss as Splash on b` and `a may use trade with Net, b`. The children of the node are the
    // subject, the word `play` or `use`, the card, the optional `as`, and the items after `on` or `with`.
    const std::string_view verb = op->getType() == P::CANT ? "can't" : "may";
    const antlr4::Token* deed = c.token();
    auto* what = c.rule<P::ItemContext>();
    // An assertion without items: `a may pass`.
    if (!what) return b_.make(NodeKind::claim, range, verb, 0, {left, b_.word(deed)});
    Node* card = b_.text(deed) == "play" ? b_.card_item(what) : b_.item(what);
    Node* as = c.take(P::K_AS) ? b_.name(c.token()) : nullptr;
    Nodes children{left, b_.word(deed), card, as};
    if (c.take(P::K_ON) || c.take(P::K_WITH)) do
        children.push_back(b_.item(c.rule<P::ItemContext>()));
      while (c.take(P::COMMA));
    return b_.make(NodeKind::claim, range, verb, 0, children);
  }

  Builder& b_;
  Cursor c_;
  std::uint32_t end_ = 0;   // end offset of the last child that was read
};

Node* Builder::expr(P::ExprContext* e) { return Climber(*this, e).climb(anything); }

Node* Builder::domain(P::ExprContext* e, Node** condition) {
  Climber climber(*this, e);
  Node* set = climber.climb(either);
  Node* where = climber.take_where() ? climber.climb(either) : nullptr;
  if (!climber.done()) return expr(e);   // the expression is more than a set and its condition: `S where C with most E`
  if (where) *condition = where;
  return set;
}

// Converts the words after `is`: `is empty`, `is in`, `is Classmate or Sibling`.
Node* Builder::kinds(Range range, Node* subject, P::KindsContext* k, bool negated) {
  Cursor c(k);
  Nodes children{subject};
  std::string_view state;
  while (const antlr4::Token* t = c.token()) {
    if (t->getType() == P::OR_KIND) continue;
    if (t->getType() == P::K_ON || t->getType() == P::K_OFF) {
      state = text(t);
      children.push_back(name(c.token()));
      break;
    }
    if (t->getType() == P::ARTICLE) {   // `is a Ducky`
      const antlr4::Token* what = c.token();
      children.push_back(
          make(NodeKind::scenario_card, {source_, this->range(t).begin, this->range(what).end}, text(what), 1));
      continue;
    }
    if (t->getType() != P::ID || is_state_word(text(t))) {
      state = text(t);
      continue;
    }
    children.push_back(name(t));
    if (auto* a = c.rule<P::ArgsContext>()) {   // `is Apple(colour: red)`
      Node* attributes = args(a);
      children.back() =
          make(NodeKind::call, {source_, this->range(t).begin, attributes->range.end}, text(t), 0, {attributes});
    } else if (c.take(P::K_OF)) {   // `is nine of spades`
      Node* other = printed(c.token());
      children.back() =
          make(NodeKind::scenario_card, {source_, this->range(t).begin, other->range.end}, text(t), 0, {other});
    }
  }
  return make(NodeKind::is_expr, range, state, negated, children);
}

// Converts the second attribute of a card: `nine of spades`, `red 5`.
Node* Builder::printed(const antlr4::Token* t) { return t->getType() == P::NUM ? number(t) : name(t); }

// Converts `S with most A, then least B` to a single node.
Node* Builder::best(Range range, const antlr4::Token* op, Node* left, Node* key) {
  const bool least = !text(op).ends_with("most");
  if (op->getType() == P::WITH_BEST || left->kind != NodeKind::best_expr)
    return make(NodeKind::best_expr, range, {}, least, {left, key});
  Nodes children(left->children.begin(), left->children.end());
  const std::int64_t bits = left->number | (static_cast<std::int64_t>(least) << (children.size() - 1));
  children.push_back(key);
  return make(NodeKind::best_expr, range, {}, bits, children);
}

// ---- postfix and primary expressions ----------------------------------------------------------

Node* Builder::postfix(P::PostfixContext* p) {
  Cursor c(p);
  Node* node = primary(c.rule<P::PrimaryContext>());
  const std::uint32_t begin = range(p).begin;
  while (!c.done()) {
    if (auto* a = c.rule<P::ArgsContext>()) {
      node = called(node, a, {source_, begin, range(a).end});
    } else if (c.take(P::DOT)) {
      const antlr4::Token* attribute = c.token();
      const antlr4::Token* side = c.take(P::BAR) ? c.token() : nullptr;   // an edge: field.e4|N
      const std::string_view named =
          side ? arena_.keep(fmt::format("{}|{}", text(attribute), text(side))) : text(attribute);
      node = make(NodeKind::member, {source_, begin, range(side ? side : attribute).end}, named, 0, {node});
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

// Converts a path such as `me.n`.
Node* Builder::path(P::PathContext* p) {
  Cursor c(p);
  Node* node = name(c.token());
  while (c.take(P::DOT)) {
    const antlr4::Token* attribute = c.token();
    node = make(NodeKind::member, {source_, node->range.begin, range(attribute).end}, text(attribute), 0, {node});
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
  const auto plain = [&](std::size_t i) { return list[i]->text.empty() ? view::arg(list[i]).value() : nullptr; };
  if (base->text == "size" && list.size() == 1 && plain(0)) {
    Node* over = plain(0);   // size(x in S where C)
    const auto binds = [](const Node* in) {
      return in->kind == NodeKind::binary && in->text == "in" && view::binary(in).left()->kind == NodeKind::name_ref;
    };
    if (over->kind != NodeKind::where_expr || !binds(view::where_expr(over).set()))
      return make(NodeKind::size_of, range, {}, 0, {over});
    const view::where_expr where(over);
    const view::binary in(where.set());
    return make(NodeKind::size_of, range, {}, 0, {in.left(), in.right(), where.condition()});
  }
  if (base->text == "subsets" && list.size() == 2 && plain(0) && plain(1) && plain(1)->kind == NodeKind::range_lit) {
    const view::range_lit sizes(plain(1));
    return make(NodeKind::subsets, range, {}, 0, {plain(0), sizes.lo(), sizes.hi()});
  }
  return make(NodeKind::call, range, base->text, 0, {arguments});
}

// Converts a number with a unit. A decimal is stored as its digits and a divisor.
Node* Builder::number_in(std::string_view unit, const antlr4::Token* t, Range here) {
  if (t->getType() == P::NUM) return make(NodeKind::number, here, unit, value(t));
  const std::optional<Decimal> d = read_decimal(text(t));
  if (!d) diagnostics_.report("number_too_large"_code, range(t), "number with too many digits");
  return make(NodeKind::number, here, unit, d ? d->digits : 0, {make(NodeKind::number, here, {}, d ? d->scale : 1)});
}

Node* Builder::primary(P::PrimaryContext* p) {
  Cursor c(p);
  const antlr4::Token* t = c.token();
  const Range here = range(p);
  switch (t->getType()) {
    case P::ID:
      if (c.take(P::K_OF)) return make(NodeKind::scenario_card, here, text(t), 0, {printed(c.token())});
      // An edge: a cell, `|` and a side.
      if (c.take(P::BAR))
        return make(NodeKind::name_ref, here, arena_.keep(fmt::format("{}|{}", text(t), text(c.token()))));
      if (text(t) == "proceed") return make(NodeKind::proceed_stmt, here);
      return name(t);
    case P::NUM:
    case P::DECIMAL: {
      const antlr4::Token* unit = c.token(P::UNIT);
      return number_in(unit ? text(unit) : std::string_view{}, t, here);
    }
    case P::STR: return string(t);
    case P::K_TRUE: return make(NodeKind::truth, here, {}, 1);
    case P::K_FALSE: return make(NodeKind::truth, here, {}, 0);
    case P::K_NONE: return make(NodeKind::none_lit, here);
    case P::K_UNLIMITED: return make(NodeKind::unlimited_lit, here);
    case P::LPAREN: return expr(c.rule<P::ExprContext>());
    case P::LBRACKET: return in_brackets(here, p);
    case P::K_TOP:
    case P::K_BOTTOM: {
      Node* count = nullptr;
      if (const antlr4::Token* n = c.token(P::NUM))
        count = number(n);
      else if (auto* named = c.rule<P::PathContext>())
        count = path(named);
      else if (c.take(P::LPAREN))
        count = expr(c.rule<P::ExprContext>()), c.take(P::RPAREN);
      if (auto* a = c.rule<P::ArgsContext>()) count = called(count, a, {source_, count->range.begin, range(a).end});
      c.take(P::K_OF);
      return make(NodeKind::top_expr, here, text(t), 0, {count, postfix(c.rule<P::PostfixContext>())});
    }
    case P::K_OPEN: return make(NodeKind::open_expr, here, text(c.token()));
    case P::K_MAY: {
      const antlr4::Token* question = c.token();
      return make(NodeKind::may_expr, here, contents(question), 0, {nullptr, string(question)});
    }
    case P::K_ALL: {
      if (!c.take(P::K_BUT)) return make(NodeKind::pick, here, "all", 0, {postfix(c.rule<P::PostfixContext>())});
      Node* except = postfix(c.rule<P::PostfixContext>());
      Node* set = except->kind == NodeKind::top_expr ? view::top_expr(except).zone() : nullptr;
      return make(NodeKind::all_but, here, {}, 0, {set, except});
    }
    case P::K_DURING: return make(NodeKind::during_expr, here, text(c.token()));
    case P::K_SUPPOSING: {
      Node* call = postfix(c.rule<P::PostfixContext>());
      c.take(P::K_HOLDS);
      return make(NodeKind::supposing, here, {}, 0, {call, postfix(c.rule<P::PostfixContext>())});
    }
    case P::K_ANY:
    case P::K_EVERY:
    case P::K_NO: {
      const antlr4::Token* noun = c.token();
      const bool negated = c.token()->getType() == P::IS_NOT;
      Node* it = make(NodeKind::name_ref, range(noun), "it");
      return make(NodeKind::quantifier_is, here, text(t), 0,
                  {name(noun), kinds(here, it, c.rule<P::KindsContext>(), negated)});
    }
    case P::SAID_OF: {   // the quantifier in `every card in z is Food`
      const antlr4::Token* noun = c.token();
      c.skip();
      Node* over = postfix(c.rule<P::PostfixContext>());
      const bool negated = c.token()->getType() == P::IS_NOT;
      Node* it = make(NodeKind::name_ref, range(noun), "it");
      return make(NodeKind::quantifier, here, text(t), 0,
                  {over, kinds(here, it, c.rule<P::KindsContext>(), negated), nullptr, nullptr});
    }
    case P::LOG_HAS: {
      Nodes texts;
      do texts.push_back(string(c.token()));
      while (c.take(P::COMMA));
      return make(NodeKind::claim, here, "log", 0, texts);
    }
    case P::ARTICLE: return make(NodeKind::scenario_card, here, text(c.token()), 1);
    default:   // the remaining keywords: first, last, only, random, card, index
      c.take(P::K_OF);
      return make(NodeKind::pick, here, text(t), 0, {postfix(c.rule<P::PostfixContext>())});
  }
}

// Converts a list `[a, b]` or a table `[red: 1, blue: 2]`.
Node* Builder::in_brackets(Range here, P::PrimaryContext* p) {
  const auto& entries = p->entry();
  const bool table =
      std::any_of(entries.begin(), entries.end(), [](P::EntryContext* e) { return e->COLON() != nullptr; });
  Nodes items;
  for (P::EntryContext* e : entries) {
    if (e->expr().empty()) continue;
    Node* first = expr(e->expr(0));
    if (table && !e->COLON())
      diagnostics_.report("syntax"_code, range(e), "missing key of a table entry",
                          "give every entry a key (`[red: 1, blue: 2]`), or none for a list");
    items.push_back(
        table ? make(NodeKind::entry, range(e), {}, 0, {first, e->expr().size() > 1 ? expr(e->expr(1)) : nullptr})
              : first);
  }
  return make(table ? NodeKind::table_lit : NodeKind::list_lit, here, {}, 0, items);
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

}   // namespace cardwright::parse
