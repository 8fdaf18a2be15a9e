// Tests where a line ends, and which words can be names.
#include "tests/parse/parsing.h"

namespace cardwright::parse_tests {

TEST_CASE("newlines: a line continues") {
  const std::string sum = "assign_stmt'='(x binary'+'(a b))";
  CHECK(stmts("x = a +\n b") == sum);
  CHECK(stmts("x = a\n + b") == sum);
  CHECK(stmts("x =\n\n a + b") == sum);
  CHECK(stmts("x = (a\n + b)") == sum);
  CHECK(stmts("x = a // why\n  + b") == sum);
  CHECK(stmts("x = f(a,\n b\n)") == "assign_stmt'='(x call'f'([arg(a) arg(b)]))");
  CHECK(stmts("x = [\n a,\n b\n ]") == "assign_stmt'='(x list_lit(a b))");
  CHECK(stmts("x = S\n where a\n and b") == "assign_stmt'='(x where_expr(S binary'and'(a b)))");
  CHECK(stmts("x = if a then b\n else c") == "assign_stmt'='(x if_expr(a b c))");
  CHECK(stmts("x = a\n or else b") == "assign_stmt'='(x binary'or else'(a b))");
  CHECK(stmts("x = a\n within b") == "assign_stmt'='(x binary'within'(a b))");
  CHECK(stmts("move c\n to d") == "move_stmt([c] d)");
  CHECK(stmts("if a\n{\n b()\n}\nelse\n{\n c()\n}") == "if_stmt(a [call_stmt(call'b'([]))] [call_stmt(call'c'([]))])");
  CHECK(stmts("with a { b() }\notherwise { c() }") == "with_stmt(a [call_stmt(call'b'([]))] [call_stmt(call'c'([]))])");
  CHECK(decls("option r = a\n         | b { }\n         | c") ==
        "option_decl'r'(- - - [option_value'a' option_value'b'([]) option_value'c'])");
  CHECK(decls("modify v(p)\n  when a\n  to b") == "modify_decl'v'([pattern(p)] a b)");
  CHECK(decls("action a(c: card\n in S) in w,\n once per turn\n when x\n { }") ==
        "action_decl'a'([param'c'(type_name'card' S)] [word'w'] [limit'turn'] x - [])");
}

TEST_CASE("newlines: a line ends") {
  CHECK(stmts("x = a\ny = b") == "assign_stmt'='(x a) assign_stmt'='(y b)");
  CHECK(stmts("x = a; y = b;") == "assign_stmt'='(x a) assign_stmt'='(y b)");
  CHECK(stmts("x = a\n(b).c = d") == "assign_stmt'='(x a) assign_stmt'='(member'c'(b) d)");
  CHECK(stmts("if p is in then a()\nb()") == "if_stmt(is_expr'in'(p) [call_stmt(call'a'([]))]) call_stmt(call'b'([]))");
  CHECK(stmts("x = p is in\ny = b") == "assign_stmt'='(x is_expr'in'(p)) assign_stmt'='(y b)");
  CHECK(stmts("x = a\nto = b\nwithin.c = d") ==
        "assign_stmt'='(x a) assign_stmt'='(to b) assign_stmt'='(member'c'(within) d)");
  CHECK(decls("card type A { b: int\n in force while c }") ==
        "card_type'A'(- - [field'b'(type_name'int' - []) in_force_decl(c)])");
  CHECK(decls("\r\nlet a = 1\r\nlet b = 2\r\n") == "const_decl'a'(- 1) const_decl'b'(- 2)");
  CHECK(decls("\xEF\xBB\xBFlet a = 1") == "const_decl'a'(- 1)");
  CHECK(decls("") == "");
  CHECK(decls("// nothing\n\n") == "");
}

TEST_CASE("words: nearly every keyword can be a name") {
  // Tests each keyword as a variable name, in every position of a name.
  for (const std::string w :
       {"draw",  "discard", "hand",    "table", "main",    "turn",   "top",    "card",   "play",    "pass",
        "text",  "kind",    "value",   "event", "action",  "zone",   "least",  "most",   "to",      "from",
        "by",    "at",      "on",      "with",  "of_",     "move",   "deal",   "ask",    "choose",  "first",
        "last",  "only",    "random",  "any_",  "count",   "sum",    "list",   "set",    "index",   "bottom",
        "all",   "one",     "open",    "phase", "round",   "turns",  "rounds", "player", "players", "deck",
        "enum",  "option",  "window",  "scene", "given",   "until",  "again",  "per",    "as",      "x",
        "total", "times",   "while_",  "has_",  "keeping", "within", "mod",    "free",   "must",    "late",
        "wrong", "rule",    "board",   "piece", "unit",    "may_",   "passes", "plays",  "wins",    "begins",
        "up",    "once",    "instead", "check", "force",   "type",   "least",  "setup",  "remove",  "replace",
        "log",   "swap",    "peek",    "reveal"}) {
    INFO(w);
    CHECK(decls("player { " + w + ": int }") == "player_state([field'" + w + "'(type_name'int' - [])])");
    CHECK(stmts(w + " = 1") == "assign_stmt'='(" + w + " 1)");
    CHECK(stmts("x." + w + " = 1") == "assign_stmt'='(member'" + w + "'(x) 1)");
    CHECK(stmts(w + "(a, b)") == "call_stmt(call'" + w + "'([arg(a) arg(b)]))");
    CHECK(expr("f(" + w + ", " + w + ".y, " + w + ": 1)") ==
          "call'f'([arg(" + w + ") arg(member'y'(" + w + ")) arg'" + w + "'(1)])");
    CHECK(expr("1 + " + w + " * 2") == "binary'+'(1 binary'*'(" + w + " 2))");
    CHECK(decls("event " + w + "(" + w + ": int) { }") ==
          "event_decl'" + w + "'([param'" + w + "'(type_name'int')] - [])");
    CHECK(decls("after " + w + "(me) { }") == "trigger_decl'" + w + "'#1([pattern(me)] - [])");
    CHECK(decls("zone " + w + ": pile") == "zone'" + w + "'([zone_attr'pile'])");
    CHECK(decls("enum E { a, " + w + ", b }") ==
          "enum_decl'E'(- - [enum_const'a' enum_const'" + w + "' enum_const'b'])");
  }
}

TEST_CASE("words: turns and rounds repeat until a condition holds") {
  CHECK(stmts("turns until a { b() }") == stmts("turns clockwise until a { b() }"));
  CHECK(stmts("rounds until a { b() }") == "rounds_stmt(- a - [call_stmt(call'b'([]))])");
  CHECK(stmts("rounds until { b() }") == "rounds_stmt#1(until - - [call_stmt(call'b'([]))])");
  CHECK(stmts("until = 3\nturns = until") == "assign_stmt'='(until 3) assign_stmt'='(turns until)");
}

TEST_CASE("words: names that equal keywords don't affect adjacent syntax") {
  CHECK(stmts("move top of discard to to.hand") == "move_stmt([top_expr'top'(- discard)] member'hand'(to))");
  CHECK(stmts("choose to from disc where free(it)") ==
        "choose_stmt'to'(- - [source(where_expr(disc call'free'([arg(it)])))])");
  CHECK(stmts("by chooses c from by.hand") == "choose_stmt'c'(by - [source(member'hand'(by))])");
  CHECK(stmts("each by in players { draw(by) }") ==
        "each_stmt([gen'by'(players)] - - [call_stmt(call'draw'([arg(by)]))])");
  CHECK(stmts("place = 3\nlift(x)") == "assign_stmt'='(place 3) call_stmt(call'lift'([arg(x)]))");
  CHECK(expr("if from is none then to else by") == "if_expr(is_expr'none'(from) to by)");
  CHECK(expr("cards in hand and card in hand") == "binary'and'(binary'in'(cards hand) binary'in'(card hand))");
}

TEST_CASE("words: a name that equals a keyword can appear wherever a value can") {
  for (const std::string w : {"may", "top", "bottom", "total", "exactly", "roll", "usually", "move", "ask", "choose",
                              "deal", "return", "table", "card"}) {
    INFO(w);
    CHECK(expr(w + " not in s") == "binary'not in'(" + w + " s)");
    CHECK(expr(w + " in s and " + w + " is none") == "binary'and'(binary'in'(" + w + " s) is_expr'none'(" + w + "))");
    SourceMap sources;
    Diagnostics diagnostics(sources);
    ast::Arena arena;
    const std::string text = "log \"a {" + w + "} b\"";
    const SourceId id = sources.add("t.rules", text);
    CHECK(shape(parse::parse_expression({id, 8, static_cast<std::uint32_t>(8 + w.size())}, diagnostics, arena)) == w);
  }
}

TEST_CASE("texts keep their templates") {
  CHECK(expr("\"a {x + f(\"y\")} b\"") == "string'a {x + f(\"y\")} b'");
  CHECK(expr("\"a {f(\"b {g(\"c {x}\")}\")} d\"") == "string'a {f(\"b {g(\"c {x}\")}\")} d'");
  CHECK(wrong("event e() { log \"a {f(\"b {g(\"c {h(\"d {x}\")}\")}\")} d\" }\n")
            .find("E0106]: strings are nested more than three levels deep") != std::string::npos);
  CHECK(expr("\"a {f(\"b \\{ c\")} d\"") == "string'a {f(\"b \\{ c\")} d'");
  CHECK(expr("\"say \\\"hi\\\" \\{x\\}\"") == "string'say \"hi\" \\{x\\}'");
  CHECK(expr("\"grün ♥\"") == "string'grün ♥'");

  SourceMap sources;
  Diagnostics diagnostics(sources);
  ast::Arena arena;
  const SourceId id = sources.add("t.rules", "log \"Play {top 2 of x} now\"");
  CHECK(shape(parse::parse_expression({id, 11, 21}, diagnostics, arena)) == "top_expr'top'(2 x)");
  CHECK(parse::parse_expression({id, 5, 14}, diagnostics, arena) == nullptr);
  CHECK(diagnostics.has_errors());
}

TEST_CASE("every node has its source location") {
  Parsed p("let grün = (a + b) * c.d");
  const ast::Node* product = p.file.root->child(0)->child(1);
  CHECK(p.sources.text(product->range) == "(a + b) * c.d");
  CHECK(p.sources.text(product->child(1)->range) == "c.d");
  CHECK(p.sources.text(product->child(0)->range) == "a + b");
  CHECK(p.sources.place(0, product->child(1)->range.begin).column == 22);
}

}   // namespace cardwright::parse_tests
