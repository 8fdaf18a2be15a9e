// Converts declarations to AST nodes, both at the top level of a file and in the bodies of cards.
#include "compiler/parse/build.h"

#include <algorithm>

namespace cardwright::parse {

void Builder::head(P::HeadContext* h, Nodes& out) {
  Cursor c(h);
  if (c.take(P::K_GAME)) {
    const antlr4::Token* title = c.token();
    Node* base = c.take(P::K_EXTENDS) ? name(c.token()) : nullptr;
    out.push_back(make(NodeKind::game, range(h), contents(title), 0, {base}));
    return;
  }
  c.skip();
  const antlr4::Token* named = c.token();
  Node* on = c.take(P::K_ON) ? name(c.token()) : nullptr;
  Node* shape = on && c.take(P::COLON) ? word(c.token()) : nullptr;
  Nodes parameters;
  while (!c.done())
    if (auto* f = c.rule<P::FieldContext>())
      parameters.push_back(field(f, 0));
    else
      c.skip();
  out.push_back(make(NodeKind::library, range(h), text(named), 0, {list(range(h), parameters), on, shape}));
}

Node* Builder::body(P::BodyContext* b) {
  Nodes members;
  for (P::DeclContext* d : b->decl()) decl(d, members);
  nothing_to_allow();
  return list(range(b), members);
}

void Builder::decl(P::DeclContext* d, Nodes& out) {
  auto* rule = dynamic_cast<antlr4::ParserRuleContext*>(d->children.at(0));
  if (rule->getRuleIndex() == P::RuleAllowance) return allowance(static_cast<P::AllowanceContext*>(rule));
  cover(std::exchange(waiting_, {}), range(rule));
  declaration(rule, out);
}

// Appends the nodes of one declaration. A line of fields is converted to several nodes.
void Builder::declaration(antlr4::ParserRuleContext* rule, Nodes& out) {
  switch (rule->getRuleIndex()) {
    case P::RulePlayersDecl: return out.push_back(players_decl(static_cast<P::PlayersDeclContext*>(rule)));
    case P::RuleUseDecl: return out.push_back(use_decl(static_cast<P::UseDeclContext*>(rule)));
    case P::RuleUnitDecl: return out.push_back(unit_decl(static_cast<P::UnitDeclContext*>(rule)));
    case P::RuleConstDecl: return out.push_back(const_decl(static_cast<P::ConstDeclContext*>(rule)));
    case P::RuleOptionDecl: return out.push_back(option_decl(static_cast<P::OptionDeclContext*>(rule)));
    case P::RuleWithDecl: return out.push_back(with_decl(static_cast<P::WithDeclContext*>(rule)));
    case P::RuleVariantDecl: return out.push_back(variant_decl(static_cast<P::VariantDeclContext*>(rule)));
    case P::RuleRelation: return out.push_back(relation(static_cast<P::RelationContext*>(rule)));
    case P::RuleSentence: return out.push_back(sentence(static_cast<P::SentenceContext*>(rule)));
    case P::RuleWarnDecl: return out.push_back(warn_decl(static_cast<P::WarnDeclContext*>(rule)));
    case P::RuleRemoveDecl: return out.push_back(remove_decl(static_cast<P::RemoveDeclContext*>(rule)));
    case P::RuleReplaceDecl: return replace_decl(static_cast<P::ReplaceDeclContext*>(rule), out);
    case P::RuleEnumDecl: return out.push_back(enum_decl(static_cast<P::EnumDeclContext*>(rule)));
    case P::RuleRecordDecl: return out.push_back(record_decl(static_cast<P::RecordDeclContext*>(rule)));
    case P::RuleCardType: return out.push_back(card_type(static_cast<P::CardTypeContext*>(rule)));
    case P::RuleCard: return out.push_back(carded(NodeKind::card, rule));
    case P::RuleCharacterType: return out.push_back(character_type(static_cast<P::CharacterTypeContext*>(rule)));
    case P::RuleCharacter: return out.push_back(carded(NodeKind::character, rule));
    case P::RuleDeck: return out.push_back(deck(static_cast<P::DeckContext*>(rule)));
    case P::RuleStateDecl: return out.push_back(state_decl(static_cast<P::StateDeclContext*>(rule)));
    case P::RuleTeamsDecl: return out.push_back(teams_decl(static_cast<P::TeamsDeclContext*>(rule)));
    case P::RuleFields: return fields(static_cast<P::FieldsContext*>(rule), out);
    case P::RuleZone: return out.push_back(zone(static_cast<P::ZoneContext*>(rule)));
    case P::RuleArea: return out.push_back(area(static_cast<P::AreaContext*>(rule)));
    case P::RuleBoardDecl: return board(static_cast<P::BoardDeclContext*>(rule), out);
    case P::RulePieceDecl: return out.push_back(piece(static_cast<P::PieceDeclContext*>(rule)));
    case P::RuleCoversDecl: return out.push_back(covers(static_cast<P::CoversDeclContext*>(rule)));
    case P::RuleFacingDecl: return out.push_back(facing_decl(static_cast<P::FacingDeclContext*>(rule)));
    case P::RuleDieDecl: return out.push_back(die(static_cast<P::DieDeclContext*>(rule)));
    case P::RuleFacesDecl: return out.push_back(faces(static_cast<P::FacesDeclContext*>(rule)));
    case P::RuleShowsDecl: return out.push_back(shows_decl(static_cast<P::ShowsDeclContext*>(rule)));
    case P::RuleTimerDecl: return out.push_back(timer_decl(static_cast<P::TimerDeclContext*>(rule)));
    case P::RuleValueDecl: return out.push_back(value_decl(static_cast<P::ValueDeclContext*>(rule)));
    case P::RuleFunctionDecl: return out.push_back(function_decl(static_cast<P::FunctionDeclContext*>(rule)));
    case P::RuleEventDecl: return out.push_back(event_decl(static_cast<P::EventDeclContext*>(rule)));
    case P::RuleWindowDecl: return out.push_back(window_decl(static_cast<P::WindowDeclContext*>(rule)));
    case P::RuleActionDecl: return out.push_back(action_decl(static_cast<P::ActionDeclContext*>(rule)));
    case P::RulePlayDecl: return out.push_back(play_decl(static_cast<P::PlayDeclContext*>(rule)));
    case P::RulePlaysTo: return out.push_back(plays_to(static_cast<P::PlaysToContext*>(rule)));
    case P::RuleWhileDecl: return out.push_back(while_decl(static_cast<P::WhileDeclContext*>(rule)));
    case P::RuleInForce: return out.push_back(in_force(static_cast<P::InForceContext*>(rule)));
    case P::RuleTextDecl: return out.push_back(text_decl(static_cast<P::TextDeclContext*>(rule)));
    case P::RuleHasDecl: return out.push_back(has_decl(static_cast<P::HasDeclContext*>(rule)));
    case P::RuleModify: return out.push_back(modify(static_cast<P::ModifyContext*>(rule)));
    case P::RuleForbid: return forbid(static_cast<P::ForbidContext*>(rule), out);
    case P::RulePolicyDecl: return out.push_back(policy(static_cast<P::PolicyDeclContext*>(rule)));
    case P::RulePolicyRule: return policy_rule(static_cast<P::PolicyRuleContext*>(rule), out);
    case P::RuleTrigger: return out.push_back(trigger(static_cast<P::TriggerContext*>(rule)));
    case P::RuleMeasureDecl: return out.push_back(measure(static_cast<P::MeasureDeclContext*>(rule)));
    case P::RuleWhenever: return out.push_back(whenever(static_cast<P::WheneverContext*>(rule)));
    case P::RuleSetupDecl: return out.push_back(setup_decl(static_cast<P::SetupDeclContext*>(rule)));
    case P::RuleEndWhen: return out.push_back(end_when(static_cast<P::EndWhenContext*>(rule)));
    case P::RuleEndingDecl: return out.push_back(named_ending(static_cast<P::EndingDeclContext*>(rule)));
    case P::RuleScene: return out.push_back(scene(static_cast<P::SceneContext*>(rule)));
    case P::RuleScenario: return out.push_back(scenario(static_cast<P::ScenarioContext*>(rule)));
    default: return;
  }
}

// ---- allowances ---------------------------------------------------------------------------------

// Converts `allow W0010, W0015 "reason"`, which applies to the next declaration.
void Builder::allowance(P::AllowanceContext* d) {
  const auto wrong = [&](Range at, std::string message, std::string help) {
    diagnostics_.report("bad_allowance"_code, at, std::move(message), std::move(help));
  };
  const auto is_blank = [](std::string_view words) { return words.find_first_not_of(' ') == words.npos; };
  if (!d->STR() || is_blank(contents(d->STR()->getSymbol())))
    return wrong(range(d), "missing reason in `allow`",
                 fmt::format("write `allow {} \"why the warning does not apply\"`", text(d->CODE(0)->getSymbol())));
  for (antlr4::tree::TerminalNode* code : d->CODE()) {
    const Range at = range(code->getSymbol());
    const std::string_view id = text(code->getSymbol());
    const std::optional<Code> found = find_code(id);
    if (!found)
      wrong(at, fmt::format("unknown warning `{}`", id), "`cardwright explain` lists the codes");
    else if (id.starts_with('E'))
      wrong(at, fmt::format("`{}` is an error; only warnings can be allowed", id), "");
    else
      waiting_.push_back({*found, {}, at, std::string(contents(d->STR()->getSymbol()))});
  }
}

void Builder::cover(std::vector<Allowance> waiting, Range declaration) {
  for (Allowance& a : waiting) {
    a.covered = declaration;
    allowances_.push_back(std::move(a));
  }
}

void Builder::nothing_to_allow() {
  for (const Allowance& a : std::exchange(waiting_, {}))
    diagnostics_.report("bad_allowance"_code, a.at, "no declaration follows this `allow`",
                        "put it on the line before the declaration with the warning");
}

std::vector<Allowance> Builder::allowances() {
  nothing_to_allow();
  return std::move(allowances_);
}

// ---- the game and its options -----------------------------------------------------------------

Node* Builder::players_decl(P::PlayersDeclContext* d) {
  Cursor c(d);
  c.skip();
  Node* count = expr(c.rule<P::ExprContext>());
  c.take(P::COMMA);
  Node* usually = c.take(P::K_USUALLY) ? expr(c.rule<P::ExprContext>()) : nullptr;
  const bool from_to = count->kind == NodeKind::range_lit;
  Node* least = from_to ? view::range_lit(count).lo() : count;
  Node* most = from_to ? view::range_lit(count).hi() : count;
  return make(NodeKind::players_decl, range(d), {}, 0, {least, most, usually});
}

Node* Builder::path_end(P::PathContext* p) {
  return make(NodeKind::name_ref, range(p), text_.substr(range(p).begin, range(p).end - range(p).begin));
}

Node* Builder::use_decl(P::UseDeclContext* d) {
  Cursor c(d);
  c.skip();
  Node* path = path_end(c.rule<P::PathContext>());
  Node* on = c.take(P::K_ON) ? name(c.token()) : nullptr;
  Nodes arguments;
  while (!c.done())
    if (auto* a = c.rule<P::ArgContext>())
      arguments.push_back(arg(a));
    else
      c.skip();
  Nodes named;
  std::ranges::copy_if(arguments, std::back_inserter(named), [](const Node* a) { return !a->text.empty(); });
  each_once(named);
  return make(NodeKind::use_decl, range(d), path->text, 0, {list(range(d), arguments), on});
}

Node* Builder::unit_decl(P::UnitDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  c.skip();
  return make(NodeKind::unit_decl, range(d), text(named), 0, {expr(c.rule<P::ExprContext>())});
}

Node* Builder::const_decl(P::ConstDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* declared = c.take(P::COLON) ? type(c.rule<P::TypeContext>()) : nullptr;
  c.take(P::ASSIGN);
  return make(NodeKind::const_decl, range(d), text(named), 0, {declared, expr(c.rule<P::ExprContext>())});
}

// Converts an option in any of its forms: `option x`, `option x: Suit`, `option n: 1..10 = 5` and
// `option x "label" = a | b { … }`.
Node* Builder::option_decl(P::OptionDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node *label = nullptr, *declared = nullptr, *initial = nullptr;
  Nodes values;
  bool colon = false;
  while (!c.done()) {
    if (const antlr4::Token* t = c.token(P::STR))
      once(label, string(t));
    else if (auto* t = c.rule<P::TypeContext>())
      declared = type(t);
    else if (auto* e = c.rule<P::ExprContext>())
      initial = expr(e);
    else if (auto* v = c.rule<P::OptionValueContext>())
      values.push_back(option_value(v));
    else
      colon = c.token()->getType() == P::COLON || colon;
  }
  const bool names_a_type = colon && values.size() == 1 && values[0]->children.empty();
  if (names_a_type) declared = make(NodeKind::type_name, values[0]->range, values[0]->text);
  Node* all = values.empty() || names_a_type ? nullptr : list(range(d), values);
  return make(NodeKind::option_decl, range(d), text(named), 0, {label, declared, initial, all});
}

Node* Builder::option_value(P::OptionValueContext* v) {
  Cursor c(v);
  const antlr4::Token* named = c.token();
  auto* rules = c.rule<P::BodyContext>();
  return make(NodeKind::option_value, range(v), text(named), 0, rules ? Nodes{body(rules)} : Nodes{});
}

Node* Builder::with_decl(P::WithDeclContext* d) {
  Cursor c(d);
  const bool without = c.token()->getType() == P::K_WITHOUT;
  Node* condition = expr(c.rule<P::ExprContext>());
  Node* then = body(c.rule<P::BodyContext>());
  Node* otherwise = c.take(P::K_OTHERWISE) ? body(c.rule<P::BodyContext>()) : nullptr;
  return make(NodeKind::with_decl, range(d), {}, without, {condition, then, otherwise});
}

Node* Builder::setting(P::SettingContext* s) {
  Cursor c(s);
  const antlr4::Token* option = c.token();
  Node* value = c.take(P::ASSIGN) ? expr(c.rule<P::ExprContext>()) : make(NodeKind::truth, range(option), {}, 1);
  return make(NodeKind::arg, range(s), text(option), 0, {value});
}

Node* Builder::variant_decl(P::VariantDeclContext* d) {
  Nodes items;
  for (P::SettingContext* s : d->setting()) items.push_back(setting(s));
  each_once(items);
  return make(NodeKind::variant_decl, range(d), contents(d->STR()->getSymbol()), 0, {list(range(d), items)});
}

Node* Builder::relation(P::RelationContext* d) {
  Cursor c(d);
  const NodeKind kind = c.token()->getType() == P::K_CONFLICT ? NodeKind::conflict_decl : NodeKind::require_decl;
  Node* one = expr(c.rule<P::ExprContext>());
  c.take(P::K_WITH);
  Node* other = expr(c.rule<P::ExprContext>());
  const antlr4::Token* why = c.token(P::STR);
  return make(kind, range(d), why ? contents(why) : std::string_view{}, 0, {one, other});
}

Node* Builder::warn_decl(P::WarnDeclContext* d) {
  Cursor c(d);
  c.skip(), c.skip();
  Node* when = expr(c.rule<P::ExprContext>());
  const antlr4::Token* note = c.token(P::STR);
  return make(NodeKind::warn_decl, range(d), note ? contents(note) : std::string_view{}, 0, {when});
}

Node* Builder::sentence(P::SentenceContext* d) {
  Cursor c(d);
  const antlr4::Token* subject = c.token();
  if (c.take(P::K_IN)) {
    Node* place = postfix(c.rule<P::PostfixContext>());
    c.take(P::IS_ALSO);
    return make(NodeKind::also_decl, range(d), text(subject), 0, {place, name(c.token())});
  }
  if (c.take(P::IS_VOID)) {
    c.skip();
    Node* when = expr(c.rule<P::ExprContext>());
    const antlr4::Token* note = c.token(P::STR);
    return make(NodeKind::void_decl, range(d), note ? contents(note) : std::string_view{}, 0, {name(subject), when});
  }
  Node* a = name(subject);
  if (c.take(P::EQUAL)) {
    Node* value = postfix(c.rule<P::PostfixContext>());
    a = make(NodeKind::binary, {source_, a->range.begin, value->range.end}, "==", 0, {a, value});
  }
  c.take(P::K_IMPLIES);
  Node* b = expr(c.rule<P::ExprContext>());
  Node* unless = c.take(P::K_UNLESS) ? expr(c.rule<P::ExprContext>()) : nullptr;
  return make(NodeKind::implies_decl, range(d), {}, 0, {a, b, unless});
}

// Converts `remove`, which either names a declaration or repeats it in full.
Node* Builder::remove_decl(P::RemoveDeclContext* d) {
  Cursor c(d);
  c.skip();
  Node* relating = nullptr;
  if (auto* r = c.rule<P::RelationContext>())
    relating = relation(r);
  else if (auto* w = c.rule<P::WarnDeclContext>())
    relating = warn_decl(w);
  else if (auto* s = c.rule<P::SentenceContext>())
    relating = sentence(s);
  if (relating) return make(NodeKind::remove_decl, range(d), {}, 0, {nullptr, relating});
  const antlr4::Token* what = c.token();
  const antlr4::Token* title = c.token(P::STR);
  if (!title) return make(NodeKind::remove_decl, range(d), text(c.token()), 0, {word(what)});
  const antlr4::Token* reason = c.token(P::STR);
  Node* why = reason ? make(NodeKind::word, range(reason), contents(reason)) : nullptr;
  return make(NodeKind::remove_decl, range(d), contents(title), 0, {word(what), nullptr, why});
}

void Builder::replace_decl(P::ReplaceDeclContext* d, Nodes& out) {
  Cursor c(d);
  c.skip();
  Nodes replaced;
  declaration(dynamic_cast<antlr4::ParserRuleContext*>(c.rule<P::DeclContext>()->children.at(0)), replaced);
  for (Node* r : replaced) out.push_back(make(NodeKind::replace_decl, range(d), {}, 0, {r}));
}

// ---- components -------------------------------------------------------------------------------

Node* Builder::enum_decl(P::EnumDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node *csv = nullptr, *where = nullptr, *items = list(range(d), {});
  while (!c.done()) {
    if (const antlr4::Token* t = c.token(P::STR))
      csv = string(t);
    else if (auto* e = c.rule<P::ExprContext>())
      where = expr(e);
    else if (auto* b = c.rule<P::EnumBodyContext>())
      items = enum_items(b);
    else
      c.skip();
  }
  return make(NodeKind::enum_decl, range(d), text(named), 0, {csv, where, items});
}

Node* Builder::enum_items(P::EnumBodyContext* b) {
  Nodes items;
  for (P::EnumItemContext* i : b->enumItem()) items.push_back(enum_item(i));
  return list(range(b), items);
}

Node* Builder::enum_item(P::EnumItemContext* i) {
  Cursor c(i);
  if (c.token_type() == P::K_WITH || c.token_type() == P::K_WITHOUT) {
    const bool without = c.token()->getType() == P::K_WITHOUT;
    Node* condition = expr(c.rule<P::ExprContext>());
    Node* then = enum_items(c.rule<P::EnumBodyContext>());
    Node* otherwise = c.take(P::K_OTHERWISE) ? enum_items(c.rule<P::EnumBodyContext>()) : nullptr;
    return make(NodeKind::with_decl, range(i), {}, without, {condition, then, otherwise});
  }
  const antlr4::Token* named = c.token();
  auto* a = c.rule<P::ArgsContext>();
  Node* attributes = a ? args(a) : nullptr;
  Node* declared = c.take(P::COLON) ? type(c.rule<P::TypeContext>()) : nullptr;
  Node* value = c.take(P::ASSIGN) ? expr(c.rule<P::ExprContext>()) : nullptr;
  if (!declared) return make(NodeKind::enum_const, range(i), text(named), 0, {value, attributes});
  return make(NodeKind::field, range(i), text(named), 0, {declared, value, list(range(i), {})});
}

Node* Builder::record_decl(P::RecordDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  return make(NodeKind::record_decl, range(d), text(named), 0, {body(c.rule<P::BodyContext>())});
}

Node* Builder::card_type(P::CardTypeContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* base = c.take(P::COLON) ? name(c.token()) : nullptr;
  Node *label = nullptr, *members = nullptr;
  while (!c.done()) {
    if (const antlr4::Token* t = c.token(P::STR))
      once(label, string(t));
    else
      members = body(c.rule<P::BodyContext>());
  }
  return make(NodeKind::card_type, range(d), text(named), 0, {base, label, members ? members : list(range(d), {})});
}

// Converts a card or a character: `X: Base, towels 4 "Label" { … }`.
Node* Builder::carded(NodeKind kind, antlr4::ParserRuleContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* base = c.take(P::COLON) ? name(c.token()) : nullptr;
  Nodes attributes;
  while (c.take(P::COMMA)) {
    auto* a = c.rule<P::AttrContext>();
    Cursor inner(a);
    const antlr4::Token* attribute = inner.token();
    attributes.push_back(make(NodeKind::attr, range(a), text(attribute), 0, {expr(inner.rule<P::ExprContext>())}));
  }
  each_once(attributes);
  Node* label = string(c.token(P::STR));
  auto* b = c.rule<P::BodyContext>();
  Node* members = b ? body(b) : list(range(d), {});
  return make(kind, range(d), text(named), 0, {base, list(range(d), attributes), label, members});
}

Node* Builder::character_type(P::CharacterTypeContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  auto* b = c.rule<P::BodyContext>();
  return make(NodeKind::character_type, range(d), text(named), 0, {b ? body(b) : list(range(d), {})});
}

Node* Builder::deck(P::DeckContext* d) {
  enum : std::int64_t { one_of_each = 1, by_players = 2 };
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* first = c.take(P::COLON) ? name(c.token()) : nullptr;
  Node* attributes = nullptr;   // `deck Cards: Coin(worth: 5) x 2`
  if (auto* a = c.rule<P::ArgsContext>()) attributes = args(a);
  Node *copies = nullptr, *into = nullptr, *csv = nullptr, *where = nullptr, *total = nullptr;
  std::int64_t bits = 0;
  Nodes rows;
  while (!c.done()) {
    if (auto* b = c.rule<P::DeckBodyContext>()) {
      deck_items(b, bits & by_players, rows, total);
      continue;
    }
    auto* clause = c.rule<P::DeckClauseContext>();
    Cursor k(clause);
    k.take(P::COMMA);
    const antlr4::Token* t = k.token();
    switch (t->getType()) {
      case P::K_X: once(copies, expr(k.rule<P::ExprContext>())); break;
      case P::K_INTO: once(into, name(k.token())); break;
      case P::K_TOTAL: once(total, expr(k.rule<P::ExprContext>())); break;
      case P::K_FROM:
        once(csv, string(k.token()));
        if (k.take(P::K_WHERE)) where = expr(k.rule<P::ExprContext>());
        break;
      case P::K_BY: bits |= by_players; break;
      default:
        if (k.take(P::K_OF)) {
          bits |= one_of_each;
          break;
        }
        Node* printed = nullptr;
        if (auto* a = k.rule<P::ArgsContext>()) printed = args(a);
        k.take(P::K_X);   // `deck Cards: Splash x 30, Miss x 9`
        rows.push_back(make(NodeKind::deck_row, range(clause), text(t), 0, {printed, expr(k.rule<P::ExprContext>())}));
    }
  }
  const bool counts_only = (!rows.empty() || attributes) && first && copies && !d->deckBody();
  if (attributes && !counts_only)
    diagnostics_.report("bad_deck"_code, attributes->range, "a deck can't have attributes",
                        "set the attributes of its cards: `deck Coins: Coin into bag { Coin(worth: 5) x 8 }`");
  if (counts_only) {
    rows.insert(rows.begin(), make(NodeKind::deck_row, first->range, first->text, 0, {attributes, copies}));
    first = copies = nullptr;
  }
  return make(NodeKind::deck, range(d), text(named), bits,
              {first, copies, into, csv, where, list(range(d), rows), total});
}

void Builder::deck_items(P::DeckBodyContext* b, bool by_players, Nodes& out, Node*& total) {
  for (P::DeckItemContext* i : b->deckItem())
    if (Node* item = deck_item(i, by_players, total)) out.push_back(item);
}

Node* Builder::deck_item(P::DeckItemContext* i, bool by_players, Node*& total) {
  Cursor c(i);
  const antlr4::Token* t = c.token();
  if (t->getType() == P::K_TOTAL) {
    once(total, expr(c.rule<P::ExprContext>()));
    return nullptr;
  }
  if (t->getType() == P::K_PLAYERS) {
    Nodes counts;
    while (const antlr4::Token* n = c.token(P::NUM)) counts.push_back(number(n));
    return make(NodeKind::deck_players, range(i), {}, 0, counts);
  }
  if (t->getType() == P::K_EACH && c.token_type()) {   // `each card x 2`
    const antlr4::Token* what = c.token();
    Node* count = c.take(P::K_X) ? expr(c.rule<P::ExprContext>()) : nullptr;
    return make(NodeKind::deck_every, range(i), text(what), 0, {count});
  }
  if (t->getType() == P::K_EACH) {
    Nodes gens, rows;
    Node* where = nullptr;
    while (auto* g = c.rule<P::GenContext>()) gens.push_back(gen(g, c.take(P::COMMA) ? nullptr : &where));
    c.take(P::COLON);
    if (auto* b = c.rule<P::DeckBodyContext>())
      deck_items(b, false, rows, total);
    else if (Node* row = deck_item(c.rule<P::DeckItemContext>(), false, total))
      rows.push_back(row);
    return make(NodeKind::deck_each, range(i), {}, 0, {list(range(i), gens), where, list(range(i), rows)});
  }
  if (t->getType() == P::K_WITH || t->getType() == P::K_WITHOUT) {
    const auto rows = [&](P::DeckBodyContext* b) {
      Nodes inner;
      deck_items(b, by_players, inner, total);
      return list(range(b), inner);
    };
    Node* condition = expr(c.rule<P::ExprContext>());
    Node* then = rows(c.rule<P::DeckBodyContext>());
    Node* otherwise = c.take(P::K_OTHERWISE) ? rows(c.rule<P::DeckBodyContext>()) : nullptr;
    return make(NodeKind::with_decl, range(i), {}, t->getType() == P::K_WITHOUT, {condition, then, otherwise});
  }
  Nodes numbers;
  Node* attributes = nullptr;
  if (auto* a = c.rule<P::ArgsContext>()) attributes = args(a);
  while (const antlr4::Token* n = c.token(P::NUM)) numbers.push_back(number(n));
  if (attributes && !numbers.empty() && !by_players)
    diagnostics_.report(
        "bad_deck"_code, numbers.front()->range, "expected `x` before the count",
        fmt::format(
            "write `{} x {}`", text_.substr(range(t).begin, attributes->range.end - range(t).begin),
            text_.substr(numbers.front()->range.begin, numbers.front()->range.end - numbers.front()->range.begin)));
  if (by_players) return make(NodeKind::deck_counts, range(i), text(t), 0, numbers);
  if (!attributes && !numbers.empty()) attributes = list(range(i), numbers);
  Node* count = c.take(P::K_X) ? expr(c.rule<P::ExprContext>()) : nullptr;
  return make(NodeKind::deck_row, range(i), text(t), 0, {attributes, count});
}

// ---- state ------------------------------------------------------------------------------------

Node* Builder::state_decl(P::StateDeclContext* d) {
  Cursor c(d);
  const std::size_t whose = c.token_type();
  c.skip();
  const NodeKind kind = whose == P::K_PLAYER ? NodeKind::player_state
                        : whose == P::K_TEAM ? NodeKind::team_state
                                             : NodeKind::table_state;
  return make(kind, range(d), {}, 0, {body(c.rule<P::BodyContext>())});
}

Node* Builder::teams_decl(P::TeamsDeclContext* d) {
  Cursor c(d);
  c.skip();
  Nodes seats;
  if (!c.take(P::K_EACH)) do
      seats.push_back(expr(c.rule<P::ExprContext>()));
    while (c.take(P::COMMA));
  return make(NodeKind::teams_decl, range(d), {}, 0, seats);
}

Node* Builder::zone(P::ZoneContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Nodes attributes;
  while (!c.done())
    if (auto* a = c.rule<P::ZoneAttrContext>())
      attributes.push_back(zone_attr(a));
    else
      c.skip();
  return make(NodeKind::zone, range(d), text(named), 0, {list(range(d), attributes)});
}

Node* Builder::zone_attr(P::ZoneAttrContext* a) {
  static const std::vector<std::string> known = {
      "set",    "pile",   "row",      "slot",        "owner",         "public",      "team",
      "hidden", "faceup", "facedown", "refill from", "one of a kind", "starts with", "shared without"};
  Cursor c(a);
  const antlr4::Token* first = c.token();
  std::string_view what = text(first);
  Nodes arguments;
  if (c.take(P::K_FROM)) {
    if (what == "refill") what = "refill from";
    arguments.push_back(name(c.token()));
  } else if (c.take(P::K_WITHOUT)) {
    if (what == "shared") what = "shared without";
    arguments.push_back(name(c.token()));
  } else if (c.take(P::K_OF)) {
    const std::string_view article = text(c.token());
    const std::string_view noun = text(c.token());
    what = arena_.keep(fmt::format("{} of {} {}", what, article, noun));
  } else if (c.take(P::K_WITH)) {
    if (what == "starts") what = "starts with";
    Node* count = expr(c.rule<P::ExprContext>());
    if (const antlr4::Token* kind = c.token(P::ID)) {
      auto* printed = c.rule<P::ArgsContext>();
      arguments.push_back(
          make(NodeKind::deck_row, range(a), text(kind), 0, {printed ? args(printed) : nullptr, count}));
    }
  }
  const bool is_known = std::ranges::find(known, what) != known.end();
  if (!is_known)
    diagnostics_.report(
        "unknown_clause"_code, range(a),
        fmt::format("unknown zone property `{}`", text_.substr(range(a).begin, range(a).end - range(a).begin)),
        what == "private" || what == "secret" ? "for the visibility, use `public`, `owner`, `team` or `hidden`"
                                              : did_you_mean_one_of(what, known));
  return make(NodeKind::zone_attr, range(a), what, 0, arguments);
}

Node* Builder::area(P::AreaContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  c.take(P::K_X);
  Node* count = expr(c.rule<P::ExprContext>());
  return make(NodeKind::area, range(d), text(named), 0, {count, body(c.rule<P::BodyContext>())});
}

// Converts `piece token x 14 on field { … }` and `piece hero, one per player on field { … }`.
Node* Builder::piece(P::PieceDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* count = nullptr;
  const bool per = c.take(P::COMMA);
  if (per) {
    const antlr4::Token* one = c.token();
    if (text(one) != "one")
      diagnostics_.report("unknown_clause"_code, range(one), fmt::format("expected `one per …`, found `{}`", text(one)),
                          "write `piece hero, one per player on field { … }`");
    c.take(P::K_PER);
    count = name(c.token());
  } else {
    c.take(P::K_X);
    count = postfix(c.rule<P::PostfixContext>());
  }
  c.take(P::K_ON);
  Node* board = name(c.token());
  auto* members = c.rule<P::BodyContext>();
  return make(NodeKind::piece, range(d), text(named), per, {count, board, members ? body(members) : nullptr});
}

// Converts `die cube x 5 { faces 1..6 }`. The default count is 1.
Node* Builder::die(P::DieDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* count = c.take(P::K_X) ? postfix(c.rule<P::PostfixContext>()) : nullptr;
  auto* members = c.rule<P::BodyContext>();
  return make(NodeKind::die, range(d), text(named), 0, {count, members ? body(members) : nullptr});
}

// Converts `faces 1..6` and `faces [hit, hit, miss], secret`.
Node* Builder::faces(P::FacesDeclContext* d) {
  Cursor c(d);
  c.skip();
  Node* what = expr(c.rule<P::ExprContext>());
  Nodes words;
  while (c.take(P::COMMA)) words.push_back(word(c.token()));
  return make(NodeKind::faces_decl, range(d), {}, 0, {what, list(range(d), words)});
}

Node* Builder::shows_decl(P::ShowsDeclContext* d) {
  Cursor c(d);
  c.skip();
  Node* const what = expr(c.rule<P::ExprContext>());
  return make(NodeKind::shows_decl, range(d), {}, 0, {what, string(c.token(P::STR))});
}

Node* Builder::timer_decl(P::TimerDeclContext* d) {
  Cursor c(d);
  c.skip();
  const std::string_view name = text(c.token());
  return make(NodeKind::timer_decl, range(d), name, 0, {string(c.token(P::STR))});
}

// Converts `covers 2 x 1`, `covers offsets [(0, 0), (1, 0)]` and `covers 2 edges`.
Node* Builder::covers(P::CoversDeclContext* d) {
  Cursor c(d);
  c.skip();
  if (const antlr4::Token* word = c.token(P::ID)) {
    if (text(word) != "offsets")
      diagnostics_.report("unknown_clause"_code, range(word),
                          fmt::format("expected `offsets [(0, 0), …]`, found `{}`", text(word)),
                          did_you_mean(text(word), {"offsets"}));
    Nodes offsets;
    while (!c.done()) {
      auto* pair = c.rule<P::OffsetContext>();
      if (!pair)
        c.skip();
      else
        for (P::ExprContext* number : pair->expr()) offsets.push_back(expr(number));
    }
    return make(NodeKind::covers, range(d), {}, 1, offsets);
  }
  Node* size = expr(c.rule<P::ExprContext>());
  if (c.take(P::K_X)) return make(NodeKind::covers, range(d), {}, 0, {size, expr(c.rule<P::ExprContext>())});
  const antlr4::Token* what = c.token(P::ID);
  if (what && (text(what) == "edges" || text(what) == "edge")) return make(NodeKind::covers, range(d), {}, 2, {size});
  diagnostics_.report("unknown_clause"_code, range(d), "expected two numbers after `covers`",
                      "write `covers 2 x 1` (east and north) or `covers offsets [(0, 0), (1, 1)]`");
  return make(NodeKind::covers, range(d), {}, 0, {size, size});
}

Node* Builder::facing_decl(P::FacingDeclContext* d) {
  Cursor c(d);
  c.skip();
  return make(NodeKind::facing_decl, range(d), {}, 0, {expr(c.rule<P::ExprContext>())});
}

void Builder::board(P::BoardDeclContext* d, Nodes& out) {
  P::BoardShapeContext* shape = d->boardShape();
  Node* members = d->body() ? body(d->body()) : nullptr;
  if (shape->STR() && text(shape->ID()->getSymbol()) == "graph")
    return out.push_back(make(NodeKind::board, range(d), text(d->ID()->getSymbol()), 8,
                              {string(shape->STR()->getSymbol()), nullptr, members}));
  if (shape->expr().empty()) return report_unknown_board(range(shape), text(shape->getStart()));
  Cursor c(shape);
  const bool hex = c.token()->getType() == P::K_HEX;
  Node* width = expr(c.rule<P::ExprContext>());
  c.take(P::K_X);
  Node* height = expr(c.rule<P::ExprContext>());
  std::int64_t wraps = 0;
  if (c.take(P::K_WRAPS)) {
    const antlr4::Token* way = c.token();
    wraps = text(way) == "across" ? 1 : text(way) == "down" ? 2 : text(way) == "both" ? 3 : 0;
    if (hex)
      diagnostics_.report("unknown_clause"_code, range(way), "a `hex` board can't wrap",
                          "only a grid can: `grid W x H wraps across`");
    else if (wraps == 0)
      diagnostics_.report("unknown_clause"_code, range(way),
                          fmt::format("expected `across`, `down` or `both`, found `{}`", text(way)));
  }
  out.push_back(make(NodeKind::board, range(d), text(d->ID()->getSymbol()), hex ? 4 : wraps, {width, height, members}));
}

// Converts a line of fields: `unprinted suit: Suit, rank: 2..14`, `role: Role, secret`, `turn var splashes = 0`,
// `number 3`.
void Builder::fields(P::FieldsContext* f, Nodes& out) {
  Cursor c(f);
  std::int64_t kind = 0;
  if (c.take(P::K_UNPRINTED))
    kind = 5;
  else if (c.take(P::K_TURN))
    kind = 1;
  else if (c.take(P::K_ROUND))
    kind = 2;
  else if (c.take(P::K_PHASE))
    kind = 3;
  c.take(P::K_VAR);
  struct Pending {
    Node* field;
    Nodes words;
  };
  std::vector<Pending> pending;
  while (!c.done()) {
    if (auto* one = c.rule<P::FieldContext>())
      pending.push_back({field(one, kind), {}});
    else if (const antlr4::Token* t = c.token(P::ID)) {
      static const std::vector<std::string> known = {"secret", "public", "hidden"};
      if (std::ranges::find(known, text(t)) == known.end())
        diagnostics_.report("unknown_clause"_code, range(t), fmt::format("unknown variable property `{}`", text(t)),
                            did_you_mean(text(t), known));
      pending.back().words.push_back(word(t));
    } else {
      c.skip();
    }
  }
  for (const Pending& p : pending) {
    const Node* n = p.field;
    const view::field declared(n);
    out.push_back(make(NodeKind::field, n->range, n->text, n->number,
                       {declared.type(), declared.initial(), list(n->range, p.words)}));
  }
}

Node* Builder::field(P::FieldContext* f, std::int64_t kind) {
  Cursor c(f);
  const antlr4::Token* named = c.token();
  Node *declared = nullptr, *initial = nullptr;
  if (c.take(P::COLON)) declared = type(c.rule<P::TypeContext>());
  if (c.take(P::ASSIGN)) initial = expr(c.rule<P::ExprContext>());
  const bool minus = c.take(P::MINUS);
  if (const antlr4::Token* n = c.token(P::NUM)) {
    initial = number(n);
    if (minus) initial = make(NodeKind::unary, initial->range, "-", 0, {initial});
  }
  return make(NodeKind::field, range(f), text(named), kind, {declared, initial, nullptr});
}

// ---- types ------------------------------------------------------------------------------------

Node* Builder::type(P::TypeContext* t) {
  Cursor c(t);
  Node* value = type_term(c.rule<P::TypeTermContext>());
  if (!c.take(P::K_PER)) return value;
  return make(NodeKind::type_map, range(t), {}, 0, {value, type(c.rule<P::TypeContext>())});
}

Node* Builder::type_term(P::TypeTermContext* t) {
  Cursor c(t);
  Node* made = nullptr;
  if (c.take(P::K_SET)) {
    c.take(P::K_OF);
    made = make(NodeKind::type_set, range(t), {}, 0, {type_term(c.rule<P::TypeTermContext>())});
  } else if (c.take(P::K_LIST)) {
    c.take(P::K_OF);
    Node* of = type_term(c.rule<P::TypeTermContext>());
    c.take(P::UP_TO);
    made = make(NodeKind::type_list, range(t), {}, 0, {of, postfix(c.rule<P::PostfixContext>())});
  } else if (c.take(P::K_RULE)) {
    Nodes types;
    while (!c.done() && c.token_type() != P::QUESTION)
      if (auto* one = c.rule<P::TypeContext>())
        types.push_back(type(one));
      else
        c.skip();
    std::rotate(types.begin(), types.end() - 1, types.end());   // the result type comes first
    made = make(NodeKind::type_rule, range(t), {}, 0, types);
  } else {
    made = type_of(expr(c.rule<P::ExprContext>()));
  }
  return c.take(P::QUESTION) ? make(NodeKind::type_optional, range(t), {}, 0, {made}) : made;
}

// Converts an expression to a type. The grammar parses type names and `a..b` as expressions.
Node* Builder::type_of(Node* n) {
  if (n->kind == NodeKind::name_ref) return make(NodeKind::type_name, n->range, n->text);
  if (n->kind == NodeKind::member && view::member(n).of()->kind == NodeKind::name_ref)   // field.cell
    return make(NodeKind::type_name, n->range, arena_.keep(fmt::format("{}.{}", view::member(n).of()->text, n->text)));
  if (n->kind == NodeKind::range_lit)
    return make(NodeKind::type_range, n->range, {}, 0, {view::range_lit(n).lo(), view::range_lit(n).hi()});
  diagnostics_.report(
      "syntax"_code, n->range, "this is not a type",
      "a type is a name (`int`, `player`, `Suit`), a range (`0..9`), or composed of types (`card?`, `set of card`)");
  return make(NodeKind::type_name, n->range, "int");
}

// ---- parameters, windows, limits --------------------------------------------------------------

// If `choose` is true, a player chooses the parameters, as in actions and plays. Such parameters can have a `where`.
Node* Builder::params(P::ParamsContext* p, bool choose) {
  if (!p) return nullptr;
  Nodes items;
  for (P::ParamContext* one : p->param()) {
    Node* made = items.emplace_back(param(one));
    if (const Node* where = view::param(made).where(); where && !choose)
      diagnostics_.report("unknown_clause"_code, where->range,
                          "`where` is only allowed in parameters of actions and plays",
                          "remove the `where`, or use `when` after the brackets");
  }
  return list(range(p), items);
}

Node* Builder::param(P::ParamContext* p) {
  Cursor c(p);
  const antlr4::Token* named = c.token();
  Node *declared = nullptr, *over = nullptr, *count = nullptr, *initial = nullptr, *keeping = nullptr, *where = nullptr,
       *noun = nullptr;
  std::int64_t kind = 0;
  const auto counted_domain = [&] {
    const antlr4::Token* word = c.token();
    noun = make(NodeKind::type_name, range(word), text(word));
    if (c.take(P::K_IN)) over = expr(c.rule<P::ExprContext>());
  };
  if (c.take(P::COLON)) {
    if (c.token_type() == P::K_EXACTLY || c.token_type() == P::UP_TO) {
      kind = c.token()->getType() == P::UP_TO ? 2 : 1;
      count = expr(c.rule<P::ExprContext>());
      counted_domain();
    } else if (c.take(P::ANY_NUMBER)) {
      kind = 3;
      const antlr4::Token* word = c.token();
      noun = make(NodeKind::type_name, range(word), text(word));
      if (c.take(P::K_IN))
        over = expr(c.rule<P::ExprContext>());
      else
        kind = 4, declared = std::exchange(noun, nullptr);   // `p: any player`
    } else {
      auto* t = c.rule<P::TypeContext>();
      auto* e = t->children.size() == 1 && t->typeTerm()->children.size() == 1 ? t->typeTerm()->expr() : nullptr;
      if (c.token_type() == P::ID) {   // `2 cards in S`
        kind = 1;
        count = e ? expr(e) : nullptr;
        counted_domain();
      } else if (!e) {
        declared = type(t);
      } else {   // `T` or `T in S`, optionally with `where C`
        Node* typed = domain(e, &where);
        if (typed->kind == NodeKind::binary && typed->text == "in")
          over = view::binary(typed).right(), typed = view::binary(typed).left();
        declared = type_of(typed);
      }
    }
  } else if (c.take(P::K_IN)) {
    over = domain(c.rule<P::ExprContext>(), &where);
  }
  if (c.take(P::ASSIGN)) initial = expr(c.rule<P::ExprContext>());
  if (c.take(P::K_KEEPING)) keeping = expr(c.rule<P::ExprContext>());
  return make(NodeKind::param, range(p), text(named), kind, {declared, over, count, initial, keeping, where, noun});
}

Node* Builder::windows(P::WindowsContext* w) {
  Cursor c(w);
  Nodes words;
  if (c.take(P::K_ANY)) {
    c.skip();
    words.push_back(make(NodeKind::word, range(w), "any window"));
  }
  while (!c.done())
    if (const antlr4::Token* t = c.token(P::ID))
      words.push_back(word(t));
    else
      c.skip();
  each_once(words);
  return list(range(w), words);
}

Node* Builder::limit(P::LimitContext* l) {
  Cursor c(l);
  std::string_view scope = "as";
  Node *group = nullptr, *target = nullptr;
  if (c.take(P::ONCE_PER)) {
    const antlr4::Token* t = c.token();
    static const std::vector<std::string> known = {"window", "turn", "phase", "round", "game"};
    scope = text(t);
    if (std::ranges::find(known, scope) == known.end())
      diagnostics_.report("unknown_clause"_code, range(t), fmt::format("unknown limit `once per {}`", scope),
                          "use `once per window`, `turn`, `phase`, `round` or `game`");
    if (c.take(P::K_AND)) target = name(c.token());
  }
  if (c.take(P::K_AS)) group = name(c.token());
  return make(NodeKind::limit, range(l), scope, 0, {group, target});
}

// ---- values, events, windows ------------------------------------------------------------------

Node* Builder::clause_of(P::ClampContext* c) {
  Cursor k(c);
  const std::string_view which = k.token()->getType() == P::AT_LEAST ? "at least" : "at most";
  return make(NodeKind::clamp, range(c), which, 0, {expr(k.rule<P::ExprContext>())});
}

Node* Builder::value_decl(P::ValueDeclContext* d) {
  Cursor c(d);
  const bool kept = c.take(P::K_KEPT);
  bool latest_first = false;
  c.skip();
  const antlr4::Token* named = c.token();
  Node *parameters = nullptr, *declared = nullptr, *base = nullptr, *code = nullptr;
  Nodes clamps;
  while (!c.done()) {
    if (auto* p = c.rule<P::ParamsContext>())
      parameters = params(p, false);
    else if (auto* t = c.rule<P::TypeContext>())
      declared = type(t);
    else if (auto* e = c.rule<P::ExprContext>())
      base = expr(e);
    else if (auto* k = c.rule<P::ClampContext>())
      clamps.push_back(clause_of(k));
    else if (auto* b = c.rule<P::BlockContext>())
      code = block(b);
    else
      latest_first = c.take(P::LATEST_FIRST) || (c.skip(), latest_first);
  }
  each_once(clamps);
  if (!parameters) parameters = list(range(named), {});
  return make(NodeKind::value_decl, range(d), text(named), kept + 2 * latest_first,
              {parameters, declared, base, list(range(d), clamps), code});
}

Node* Builder::function_decl(P::FunctionDeclContext* d) {
  Cursor c(d);
  const bool sequence = c.token()->getType() == P::K_SEQUENCE;
  const antlr4::Token* named = c.token();
  Node* parameters = params(c.rule<P::ParamsContext>(), false);
  Node* declared = c.take(P::COLON) ? type(c.rule<P::TypeContext>()) : nullptr;
  Node* depth = c.take(P::K_NESTED) && c.take(P::UP_TO) ? expr(c.rule<P::ExprContext>()) : nullptr;
  Node* result = c.take(P::ASSIGN) ? expr(c.rule<P::ExprContext>()) : nullptr;
  auto* b = c.rule<P::BlockContext>();
  Node* code = b ? block(b) : nullptr;
  if (!sequence)
    return make(NodeKind::function_decl, range(d), text(named), 0, {parameters, declared, result, code, depth});
  if (depth)
    diagnostics_.report("unknown_clause"_code, depth->range, "a sequence can't be recursive", "remove `nested`");
  if (!code) {
    diagnostics_.report("syntax"_code, range(d), "expected a block with `yield` statements after a sequence");
    code = list(range(d), {});
  }
  return make(NodeKind::sequence_decl, range(d), text(named), 0, {parameters, declared, code});
}

Node* Builder::event_decl(P::EventDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* parameters = params(c.rule<P::ParamsContext>(), false);
  if (!parameters) parameters = list(range(named), {});
  Node* declared = c.take(P::COLON) ? type(c.rule<P::TypeContext>()) : nullptr;
  Node *depth = nullptr, *orderer = nullptr;
  if (c.take(P::COMMA)) {
    orderer = expr(c.rule<P::ExprContext>());
    c.take(P::K_ORDERS), c.take(P::K_REPLACEMENTS);
  }
  if (c.take(P::K_NESTED)) c.take(P::UP_TO), depth = expr(c.rule<P::ExprContext>());
  auto* b = c.rule<P::BlockContext>();
  return make(NodeKind::event_decl, range(d), text(named), 0,
              {parameters, declared, b ? block(b) : nullptr, depth, orderer});
}

// The variables that the block of a window declares become its fields, and the remaining statements become its body.
Node* Builder::window_decl(P::WindowDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* parameters = params(c.rule<P::ParamsContext>(), false);
  if (!parameters) parameters = list(range(named), {});
  Node* declared = c.take(P::COLON) ? type(c.rule<P::TypeContext>()) : nullptr;
  Node* code = block(c.rule<P::BlockContext>());
  Nodes items;
  for (Node* s : code->children) {
    if (s->kind != NodeKind::let_stmt || !view::let_stmt(s).variable()) {
      items.push_back(s);
      continue;
    }
    const view::let_stmt variable(s);
    items.push_back(
        make(NodeKind::field, s->range, s->text, 4, {variable.type(), variable.value(), list(s->range, {})}));
  }
  return make(NodeKind::window_decl, range(d), text(named), 0, {parameters, declared, list(code->range, items)});
}

// ---- actions and plays ------------------------------------------------------------------------

// Converts a time clause: `must if C`, `sensible if C`, `takes D`, `by hand`, `then busy D`.
void Builder::time_part(P::TimePartContext* p, Timing& timing) {
  enum : std::int64_t { by_hand = 1, must = 2 };
  Cursor c(p);
  const bool busy = c.take(P::COMMA_THEN);
  c.take(P::COMMA);
  switch (c.token()->getType()) {
    case P::K_MUST:
      once(timing.bits, must, range(p));
      if (c.take(P::K_IF)) once(timing.must_if, expr(c.rule<P::ExprContext>()));
      break;
    case P::K_SENSIBLE:
      c.skip();
      once(timing.sensible, expr(c.rule<P::ExprContext>()));
      break;
    case P::BY_HAND: once(timing.bits, by_hand, range(p)); break;
    default: once(busy ? timing.busy : timing.takes, latency(c.rule<P::LatencyContext>()));
  }
}

// Converts `late { }`, `wrong { }` and `late or wrong { }`.
void Builder::aftermath(P::AftermathContext* a, Timing& timing) {
  Cursor c(a);
  bool is_late = false, is_wrong = false;
  Nodes when;
  while (const antlr4::Token* t = c.token()) {
    is_late = is_late || t->getType() == P::K_LATE;
    is_wrong = is_wrong || t->getType() == P::K_WRONG;
    if (t->getType() != P::K_OR) when.push_back(word(t));
  }
  each_once(when);
  Node* then = block(c.rule<P::BlockContext>());
  if (is_late) once(timing.late, then);
  if (is_wrong) once(timing.wrong, then);
}

Node* Builder::timing_node(Range range, const Timing& t) {
  if (!t.bits && !t.takes && !t.busy && !t.sensible && !t.late && !t.wrong) return nullptr;
  return make(NodeKind::timing, range, {}, t.bits, {t.takes, t.busy, t.sensible, t.must_if, t.late, t.wrong});
}

// Converts a clause of an action or play. The grammar determines which clauses each of them can have.
template <class Part>
void Builder::offer_part(Part* part, Offer& offer) {
  enum : std::int64_t { free = 1, secret = 2 };
  Cursor k(part);
  k.take(P::COMMA);
  if (auto* l = k.rule<P::LimitContext>()) {
    offer.limits.push_back(limit(l));
    return;
  }
  if (auto* t = k.rule<P::TimePartContext>()) {
    time_part(t, offer.timing);
    return;
  }
  const antlr4::Token* t = k.token();
  switch (t->getType()) {
    case P::K_FREE: once(offer.bits, free, range(t)); break;
    case P::SECRET: once(offer.bits, secret, range(t)); break;
    case P::K_WHEN: once(offer.when, expr(k.rule<P::ExprContext>())); break;
    case P::K_TO: once(offer.to, expr(k.rule<P::ExprContext>())); break;
    case P::K_BY: once(offer.by, expr(k.rule<P::ExprContext>())); break;
    default: once(offer.label, string(t));
  }
}

Node* Builder::action_decl(P::ActionDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* in = nullptr;
  Offer offer;
  Node* parameters = params(c.rule<P::ParamsContext>(), true);
  if (c.take(P::K_IN)) in = windows(c.rule<P::WindowsContext>());
  while (auto* part = c.rule<P::ActionPartContext>()) offer_part(part, offer);
  Node* code = block(c.rule<P::BlockContext>());
  while (auto* a = c.rule<P::AftermathContext>()) aftermath(a, offer.timing);
  if (!in) {
    diagnostics_.report("syntax"_code, range(named), fmt::format("missing window of action `{}`", text(named)),
                        "write `action x in WINDOW`, or `in any window`");
    in = list(range(named), {});
  }
  if (!parameters) parameters = list(range(named), {});
  return make(NodeKind::action_decl, range(d), text(named), offer.bits,
              {parameters, in, list(range(d), offer.limits), offer.when, offer.label, code, offer.by,
               timing_node(range(d), offer.timing)});
}

Node* Builder::play_decl(P::PlayDeclContext* d) {
  Cursor c(d);
  c.skip();
  if (auto* b = c.rule<P::BlockContext>()) return make(NodeKind::play_flow, range(d), {}, 0, {block(b)});
  c.take(P::K_IN);
  Node* in = windows(c.rule<P::WindowsContext>());
  Offer offer;
  Node* parameters = params(c.rule<P::ParamsContext>(), true);
  while (auto* part = c.rule<P::PlayPartContext>()) offer_part(part, offer);
  auto* b = c.rule<P::BlockContext>();
  while (auto* a = c.rule<P::AftermathContext>()) aftermath(a, offer.timing);
  if (!parameters) parameters = list(in->range, {});
  return make(NodeKind::play_decl, range(d), {}, offer.bits,
              {in, parameters, list(range(d), offer.limits), offer.when, offer.to, b ? block(b) : nullptr, offer.by,
               offer.label, timing_node(range(d), offer.timing)});
}

Node* Builder::plays_to(P::PlaysToContext* d) {
  Cursor c(d);
  c.skip(), c.skip();
  Node* to = expr(c.rule<P::ExprContext>());
  Node* replacing = c.take(P::K_REPLACING) ? (c.skip(), name(c.token())) : nullptr;
  return make(NodeKind::plays_to, range(d), {}, 0, {to, replacing});
}

Node* Builder::in_force(P::InForceContext* d) {
  Cursor c(d);
  while (c.token_type()) c.skip();
  return make(NodeKind::in_force_decl, range(d), {}, 0, {expr(c.rule<P::ExprContext>())});
}

Node* Builder::text_decl(P::TextDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* words = c.token();
  return make(NodeKind::text_decl, range(d), contents(words), 0, {string(words)});
}

Node* Builder::has_decl(P::HasDeclContext* d) {
  Cursor c(d);
  c.skip();
  return make(NodeKind::has_decl, range(d), text(c.token()));
}

Node* Builder::while_decl(P::WhileDeclContext* d) {
  Cursor c(d);
  c.skip();
  if (!c.take(P::K_ON)) c.take(P::K_IN);
  const antlr4::Token* first = c.token();
  Nodes more;
  while (c.take(P::COMMA)) more.push_back(word(c.token()));
  Node* members = body(c.rule<P::BodyContext>());
  return make(NodeKind::while_decl, range(d), text(first), 0, {members, more.empty() ? nullptr : list(range(d), more)});
}

// ---- modifiers and triggers -------------------------------------------------------------------

Node* Builder::patterns(P::ArgsContext* a) {
  if (!a) return nullptr;
  Nodes items;
  for (P::ArgContext* one : a->arg()) {
    const Node* n = arg(one);
    items.push_back(make(NodeKind::pattern, n->range, n->text, 0, {view::arg(n).value()}));
  }
  return list(range(a), items);
}

Node* Builder::modify(P::ModifyContext* d) {
  Cursor c(d);
  c.skip();
  std::string_view named = text(c.token());
  if (c.take(P::DOT)) named = arena_.keep(fmt::format("{}.{}", named, text(c.token())));   // `race.think`
  Node* pattern = patterns(c.rule<P::ArgsContext>());
  Node *when = nullptr, *value = nullptr;
  std::int64_t how = 0;
  while (!c.done()) {
    if (auto* k = c.rule<P::ClampContext>()) {
      const Node* clamp = clause_of(k);
      how = clamp->text == "at least" ? 2 : 3;
      value = view::clamp(clamp).limit();
      continue;
    }
    const antlr4::Token* t = c.token();
    Node* e = expr(c.rule<P::ExprContext>());
    if (t->getType() == P::K_TO || t->getType() == P::K_BY) {
      how = t->getType() == P::K_BY;
      value = e;
    } else {
      once(when, e);
    }
  }
  return make(NodeKind::modify_decl, range(d), named, how, {pattern, when, value});
}

// Creates one declaration for each name in a list of names.
void Builder::forbid(P::ForbidContext* d, Nodes& out) {
  const bool allow = d->getStart()->getType() == P::K_ALLOW;
  Node* when = d->expr() ? expr(d->expr()) : nullptr;
  for (P::ForbiddenContext* f : d->forbidden()) {
    Cursor c(f);
    const bool any = c.take(P::K_ANY);
    const antlr4::Token* named = c.token();
    Node* kind = name(c.token(P::ID));
    Node* pattern = patterns(c.rule<P::ArgsContext>());
    Node* group = c.take(P::K_AS) ? name(c.token()) : nullptr;
    if (kind && text(named) != "play")
      diagnostics_.report("syntax"_code, kind->range,
                          fmt::format("unexpected `{}` after `{}`", kind->text, text(named)),
                          "only `play` is followed by a kind of card: `forbid play Miss`");
    if (any && text(named) != "action")
      diagnostics_.report("syntax"_code, range(named),
                          fmt::format("expected `any action`, found `any {}`", text(named)));
    out.push_back(
        make(NodeKind::forbid_decl, range(f), any ? "any action" : text(named), allow, {kind, pattern, group, when}));
  }
}

// Converts `policy careful for bots "Keeps its last Chips" { }`.
Node* Builder::policy(P::PolicyDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* whose = c.take(P::K_FOR) ? name(c.token()) : nullptr;
  Node* label = string(c.token(P::STR));
  return make(NodeKind::policy_decl, range(d), text(named), 0, {label, body(c.rule<P::BodyContext>()), whose});
}

// Creates one rule for each name in a list of names.
void Builder::policy_rule(P::PolicyRuleContext* d, Nodes& out) {
  const bool weight = d->getStart()->getType() == P::K_WEIGHT;
  Node *when = nullptr, *by = nullptr;
  Cursor clauses(d);
  clauses.skip();
  while (!clauses.done()) {
    const bool is_by = clauses.take(P::K_BY), is_when = !is_by && clauses.take(P::K_WHEN);
    if (auto* e = is_by || is_when ? clauses.rule<P::ExprContext>() : nullptr)
      once(is_by ? by : when, expr(e));
    else if (!clauses.rule<P::SpokenContext>())
      clauses.skip();
  }
  if (!weight && by)
    diagnostics_.report("unknown_clause"_code, by->range, "`avoid` has no weight",
                        "use `weight … by 0` to exclude an option, or remove `by`");
  if (weight && !by)
    diagnostics_.report("unknown_clause"_code, range(d->getStart()), "missing `by` in `weight`",
                        "write `weight pass by 3 when C`; the default weight is 1");
  for (P::SpokenContext* spoken : d->spoken()) {
    Cursor c(spoken);
    const bool any = c.take(P::K_ANY);
    const antlr4::Token* named = c.token();
    Node* what = name(c.token(P::ID));
    Node* pattern = patterns(c.rule<P::ArgsContext>());
    Node* group = c.take(P::K_AS) ? name(c.token()) : nullptr;
    if (what && text(named) != "play" && text(named) != "choose")
      diagnostics_.report("syntax"_code, what->range,
                          fmt::format("unexpected `{}` after `{}`", what->text, text(named)),
                          "only `play` is followed by a kind of card: `avoid play Miss`");
    if (any && text(named) != "action")
      diagnostics_.report("syntax"_code, range(named),
                          fmt::format("expected `any action`, found `any {}`", text(named)));
    out.push_back(make(NodeKind::policy_rule, range(spoken), any ? "any action" : text(named), weight,
                       {what, pattern, group, when, by}));
  }
}

Node* Builder::trigger(P::TriggerContext* d) {
  Cursor c(d);
  const std::size_t which = c.token()->getType();
  auto* of = c.rule<P::WatchedContext>();
  Node* when = c.take(P::K_WHEN) ? expr(c.rule<P::ExprContext>()) : nullptr;
  Node* code = block(c.rule<P::BlockContext>());
  return watched(of, range(d), which == P::K_BEFORE ? 0 : which == P::K_AFTER ? 1 : 2, when, code);
}

// Converts the event or action that a trigger or measure observes. nodes.def describes the values of `hook`.
Node* Builder::watched(P::WatchedContext* d, Range whole, std::int64_t hook, Node* when, Node* code) {
  enum : std::int64_t { phase = 4, any_action = 8, play_of_kind = 16 };
  Cursor c(d);
  std::int64_t bits = hook;
  Node *pattern = nullptr, *in = nullptr, *except = nullptr, *by = nullptr;
  if (c.take(P::K_ANY))
    bits |= any_action;
  else if (c.take(P::K_PHASE))
    bits |= phase;
  else if (c.take(P::K_PLAY))
    bits |= play_of_kind;
  const antlr4::Token* named = c.token();
  if (c.take(P::K_IN)) in = windows(c.rule<P::WindowsContext>());
  if (c.take(P::K_EXCEPT)) {
    Nodes words;
    while (const antlr4::Token* t = c.token(P::ID)) {
      words.push_back(word(t));
      c.take(P::COMMA);
    }
    except = list(range(d), words);
  }
  pattern = patterns(c.rule<P::ArgsContext>());
  if (c.take(P::K_BY)) by = expr(c.rule<P::ExprContext>());
  return make(NodeKind::trigger_decl, whole, text(named), bits, {pattern, when, code, in, except, by});
}

// Converts `measure damage "Towels taken" per by: sum n after lose(victim, n, by) when by is in`.
Node* Builder::measure(P::MeasureDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  Node* label = string(c.token(P::STR));
  Nodes keys;
  if (c.take(P::K_PER))
    while (auto* e = c.rule<P::ExprContext>()) {
      keys.push_back(expr(e));
      c.take(P::COMMA);
    }
  c.take(P::COLON);
  Cursor measured(c.rule<P::MeasuredContext>());
  const auto place_in = [](std::initializer_list<std::size_t> words, const antlr4::Token* t) {
    return std::find(words.begin(), words.end(), t->getType()) - words.begin();
  };
  std::int64_t bits = place_in({P::K_COUNT, P::K_SUM, P::K_MEAN, P::K_SHARE}, measured.token());
  Node* value = bits ? expr(measured.rule<P::ExprContext>()) : nullptr;
  auto* at = c.rule<P::MomentContext>();
  Cursor moment(at);
  Node* of = nullptr;
  const antlr4::Token* which = moment.token();
  bits |= 8 * (1 + place_in({P::K_BEFORE, P::K_AFTER, P::K_LATE, P::K_WRONG, P::K_EACH, P::AT_END}, which));
  Node* nothing = list(range(d), {});
  if (auto* watches = moment.rule<P::WatchedContext>())
    of = watched(watches, range(at), which->getType() == P::K_BEFORE ? 0 : 1, nullptr, nothing);
  else if (const antlr4::Token* span = moment.token(P::ID))
    of = make(NodeKind::trigger_decl, range(span), text(span), 1,
              {nullptr, nullptr, nothing, nullptr, nullptr, nullptr});
  Node* when = c.take(P::K_WHEN) ? expr(c.rule<P::ExprContext>()) : nullptr;
  return make(NodeKind::measure_decl, range(d), text(named), bits, {list(range(d), keys), value, of, when, label});
}

// Converts `whenever me.hand is empty { }` and `whenever p: player where C { }`.
Node* Builder::whenever(P::WheneverContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* variable = c.token(P::ID);
  c.take(P::COLON);
  auto* e = c.rule<P::ExprContext>();
  Node *declared = nullptr, *condition = nullptr;
  if (variable) {
    Node* over = domain(e, &condition);
    if (condition) {
      declared = type_of(over);
    } else {
      diagnostics_.report("syntax"_code, range(e), "expected `where` in a `whenever` with a parameter",
                          "write `whenever p: player where p.hand is empty { … }`");
    }
  }
  if (!condition) condition = expr(e);
  return make(NodeKind::whenever_decl, range(d), variable ? text(variable) : std::string_view{}, 0,
              {declared, condition, block(c.rule<P::BlockContext>())});
}

// ---- the flow ---------------------------------------------------------------------------------

Node* Builder::setup_decl(P::SetupDeclContext* d) {
  Cursor c(d);
  c.skip();
  return make(NodeKind::setup_decl, range(d), {}, 0, {block(c.rule<P::BlockContext>())});
}

Node* Builder::end_when(P::EndWhenContext* d) {
  Cursor c(d);
  c.skip();
  Node* condition = expr(c.rule<P::ExprContext>());
  Node* words = string(c.token(P::STR));
  return make(NodeKind::end_when, range(d), {}, 0, {condition, block(c.rule<P::BlockContext>()), words});
}

// Converts `ending NAME when C "why" { }`, an `end when` that house rules can replace or remove.
Node* Builder::named_ending(P::EndingDeclContext* d) {
  Cursor c(d);
  c.skip();
  const antlr4::Token* named = c.token();
  c.take(P::K_WHEN);
  Node* condition = expr(c.rule<P::ExprContext>());
  Node* words = string(c.token(P::STR));
  return make(NodeKind::end_when, range(d), text(named), 0, {condition, block(c.rule<P::BlockContext>()), words});
}

}   // namespace cardwright::parse
