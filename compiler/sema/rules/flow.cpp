// Builds the flow blocks of the Model from `setup` and `play`, and its endings from `end when`.
#include "compiler/sema/rules/flow.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/texts.h"

namespace cardwright::sema {

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
    error(sema, "bad_ending"_code, root && view::file(root).head() ? view::file(root).head()->range : Range{},
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
    error(sema, "bad_ending"_code,
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
  // Endings in a house file take precedence over those in its base.
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
      error(sema, "duplicate_clause"_code, text->range, "duplicate reason for the end of the game",
            "remove one of the two");
  for (const Decl& d : sema.rules.endings)
    if (!wrong.contains(d.node) && !has_winners(has_winners, view::end_when(d.node).body()))
      error(sema, "bad_ending"_code, first_word(sema, d.node), "this ending has no `winners`",
            "add `winners p` or `winners nobody`");
  if (auto v = sema.names.values.find("payoff"); v != sema.names.values.end()) {
    const Callable& c = sema.rules.values[v->second];
    if (c.types.size() == 1 && c.types[0].kind == TypeKind::player)
      sema.model.payoff_value = model::ValueId{v->second};
    else
      error(sema, "wrong_type"_code, name_range(sema, c.node), "`payoff` needs one parameter of type `player`",
            "`value payoff(p: player): int = …`");
    sema.used.insert("payoff");
  } else if (auto f = sema.names.functions.find("payoff"); f != sema.names.functions.end()) {
    const Callable& c = sema.rules.functions[f->second];
    if (c.types.size() == 1 && c.types[0].kind == TypeKind::player) sema.model.payoff = model::FunctionId{f->second};
    sema.used.insert("payoff");
  }
}

}   // namespace cardwright::sema
