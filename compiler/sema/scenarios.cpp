// Scenes and scenarios: what is given, what is done, what is then so, with every name resolved.
// Only the scenarios of the last file that are meant for this player count and these options are built.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {

namespace {
Range whole(const Node* node) { return node ? node->range : Range{}; }
}  // namespace

std::optional<Int> Analysis::seat(const Node* node, bool report) {
  if (node && node->kind == NodeKind::name_ref && node->text.size() == 1 && node->text[0] >= 'a' && node->text[0] < 'a' + players_)
    return node->text[0] - 'a';
  if (report && node) {
    const bool letter = node->text.size() == 1 && node->text[0] >= 'a' && node->text[0] <= 'p';
    error(Code::unknown_name, node->range,
          letter ? fmt::format("seat `{}` is not taken with {} players", node->text, players_) : fmt::format("`{}` is not a seat", node->text),
          "players of a scenario are `a`, `b`, `c`, … clockwise");
  }
  return std::nullopt;
}

// The players a place speaks of: `b`, `players`, `everyone`.
std::vector<Int> Analysis::seats_of(const Node* node) {
  if (node && node->kind == NodeKind::name_ref && (node->text == "players" || node->text == "everyone")) {
    std::vector<Int> all;
    for (Int s = 0; s < players_; ++s) all.push_back(s);
    return all;
  }
  auto s = seat(node);
  return s ? std::vector<Int>{*s} : std::vector<Int>{};
}

// A fixed value of a type: a seat, a number, a constant, none, a set written out (as a mask).
std::optional<Int> Analysis::scalar(const Node* node, const Type* expected, bool report) {
  if (!node) return std::nullopt;
  const auto bad = [&](std::string message) -> std::optional<Int> {
    if (report) error(Code::wrong_type, node->range, std::move(message));
    return std::nullopt;
  };
  if (node->kind == NodeKind::none_lit) return kNone;
  if (node->kind == NodeKind::truth) return node->number;
  if (node->kind == NodeKind::number) return node->number;
  if (node->kind == NodeKind::unary && node->text == "-") {
    auto v = scalar(node->child(0), expected, report);
    return v ? std::optional<Int>(-*v) : v;
  }
  if (node->kind == NodeKind::list_lit && expected && expected->kind == TypeKind::set && expected->elem) {
    Int mask = 0;
    for (const Node* c : node->children) {
      auto v = scalar(c, expected->elem.get(), report);
      if (!v || *v < 0 || *v > 61) return std::nullopt;
      mask |= Int{1} << *v;
    }
    return mask;
  }
  std::string_view name = node->text;
  if (node->kind == NodeKind::scenario_card || node->kind == NodeKind::name_ref) {
    if (expected && expected->kind == TypeKind::player) return seat(node, report);
    if (expected && expected->kind == TypeKind::kind)
      if (auto k = kind_names_.find(name); k != kind_names_.end() && k->second != ~0u) return k->second;
    bool found = false;
    const Expr* constant = enum_constant(name, node->range, expected, false, found);
    if (found && constant) return constant->value;
    if (!expected && name.size() == 1)
      if (auto s = seat(node, false)) return s;
    if (auto value = fixed(node, false); value && value->kind != Fixed::Kind::symbol && value->kind != Fixed::Kind::set) return value->value;
  }
  if (node->kind == NodeKind::member) {                    // Role.Sibling
    bool found = false;
    const Expr* constant = enum_constant(name, node->range, expected, false, found);
    if (found && constant) return constant->value;
  }
  return bad(expected ? fmt::format("a `{}` is needed here", show(*expected)) : "this is not a value that a scenario can give");
}

std::optional<model::CardMatch> Analysis::card_match(const Node* node, bool report) {
  if (!node) return std::nullopt;
  model::CardMatch match;
  match.range = node->range;
  const auto by_constant = [&](std::string_view name) {
    auto it = constant_names_.find(name);
    if (it == constant_names_.end()) return false;
    for (const auto& [e, value] : it->second)
      for (std::uint32_t a = 0; a < model_->attributes.size(); ++a) {
        const Type& t = model_->attributes[a].type;
        const bool of_cards = std::any_of(types_.begin(), types_.end(), [&](const TypeInfo& i) {
          return std::find(i.own.begin(), i.own.end(), model::AttributeId{a}) != i.own.end();
        });
        if (of_cards && t.kind == TypeKind::enumeration && t.ref == e) {
          match.attributes.push_back({model::AttributeId{a}, value});
          return true;
        }
      }
    return false;
  };
  const auto name_it = [&](std::string_view name) {
    if (auto k = kind_names_.find(name); k != kind_names_.end() && k->second != ~0u) {
      match.kind = model::KindId{k->second};
      return true;
    }
    return by_constant(name);
  };
  if (node->kind != NodeKind::scenario_card && node->kind != NodeKind::name_ref && node->kind != NodeKind::call) {
    if (report) error(Code::wrong_type, node->range, "a card is needed here", "name its kind (`Miss`), or what is printed on it (`a Ducky`)");
    return std::nullopt;
  }
  if (!name_it(node->text)) {
    if (report && !absent_.contains(node->text)) {
      std::vector<std::string> names;
      for (const auto& [n, k] : kind_names_) names.push_back(n);
      error(Code::unknown_name, node->range, fmt::format("no card is named `{}`, and nothing printed on one either", node->text), did_you_mean(node->text, names));
    }
    return std::nullopt;
  }
  const auto attribute = [&](const Node* a) {              // `rank: 3`, or `spades` of `eight of spades`
    const Node* value = a->kind == NodeKind::arg ? a->child(0) : a;
    if (!value) return;
    if (a->kind == NodeKind::arg && !a->text.empty()) {
      for (std::uint32_t i = 0; i < model_->attributes.size(); ++i)
        if (model_->attributes[i].name == a->text)
          if (auto v = scalar(value, &model_->attributes[i].type, report)) return match.attributes.push_back({model::AttributeId{i}, *v});
      return;
    }
    if (value->kind == NodeKind::name_ref && by_constant(value->text)) return;
    if (value->kind == NodeKind::number && match.kind)
      for (std::uint32_t t = model_->kinds[match.kind->index].type.index; t < types_.size();
           t = model_->card_types[t].base ? model_->card_types[t].base->index : ~0u)
        for (model::AttributeId own : types_[t].own)
          if (model_->attributes[own.index].type.kind == TypeKind::integer) return match.attributes.push_back({own, value->number});
    if (report) error(Code::unknown_name, value->range, "nothing like this is printed on a card");
  };
  if (node->kind == NodeKind::call) {
    if (node->child(0))
      for (const Node* a : node->child(0)->children)
        if (a) attribute(a);
  } else {
    for (const Node* a : node->children)
      if (a) attribute(a);
  }
  return match;
}

std::vector<model::CardMatch> Analysis::card_matches(const Node* node) {
  std::vector<model::CardMatch> found;
  if (!node) return found;
  if (node->kind == NodeKind::list_lit || node->kind == NodeKind::list) {
    for (const Node* c : node->children)
      if (auto m = card_match(c)) found.push_back(std::move(*m));
  } else if (auto m = card_match(node)) {
    found.push_back(std::move(*m));
  }
  return found;
}

// ---------------------------------------------------------------- given

void Analysis::given(const Node* node, model::ScenarioLine& line) {
  model::Given g;
  g.range = node->range;
  if (node->text == "only in") {
    g.kind = model::Given::Kind::only_in;
    if (node->child(1))
      for (const Node* p : node->child(1)->children)
        if (auto s = seat(p)) g.seats.push_back(*s);
    line.givens.push_back(std::move(g));
    return;
  }
  if (node->text == "out") {
    g.kind = model::Given::Kind::out;
    g.seats = seats_of(node->child(0));
    line.givens.push_back(std::move(g));
    return;
  }
  const Node* place = node->child(0);
  const Node* value = node->child(1);
  if (!place || !value) return;
  const bool ordered = node->text == "top" || node->text == "bottom";
  const Node* indexed = place->kind == NodeKind::index ? place : nullptr;
  if (indexed) place = indexed->child(0);
  const Node* owner = place && place->kind == NodeKind::member ? place->child(0) : nullptr;
  if (!place || (place->kind != NodeKind::name_ref && !owner)) {
    error(Code::bad_scenario, whole(place), "what is given is a variable or a zone", "write `b.hand = [Miss]`, `birthday_kid = a`, `top of draw = [Chips]`");
    return;
  }
  if (owner) g.seats = seats_of(owner);
  if (owner && g.seats.empty()) return;
  const Table& zones = owner ? player_zones_ : table_zones_;
  const Table& variables = owner ? player_variables_ : table_variables_;
  if (auto z = zones.find(place->text); z != zones.end()) {
    g.kind = node->text == "top" ? model::Given::Kind::top : node->text == "bottom" ? model::Given::Kind::bottom : model::Given::Kind::zone;
    g.zone = model::ZoneId{z->second};
    g.cards = card_matches(value);
    line.givens.push_back(std::move(g));
    return;
  }
  auto v = variables.find(place->text);
  if (ordered || v == variables.end()) {
    if (absent_.contains(place->text)) return;
    std::vector<std::string> names;
    for (const auto& [n, i] : zones) names.push_back(n);
    for (const auto& [n, i] : variables) names.push_back(n);
    error(Code::unknown_name, place->range, fmt::format("{} has no `{}`", owner ? "a player" : "the table", place->text), did_you_mean(place->text, names));
    return;
  }
  const model::Variable& variable = model_->variables[v->second];
  g.kind = model::Given::Kind::variable;
  g.variable = model::VariableId{v->second};
  for (std::size_t i = 0; indexed && i < variable.indices.size(); ++i)
    if (auto at = scalar(indexed->child(1 + i), &variable.indices[i])) g.indices.push_back(*at);
  const bool one_each = owner && value->kind == NodeKind::list_lit && variable.type.kind != TypeKind::set;
  if (one_each) {
    if (value->children.size() != g.seats.size()) {
      error(Code::bad_scenario, value->range, fmt::format("{} values for {} players", value->children.size(), g.seats.size()));
      return;
    }
    for (const Node* c : value->children) g.values.push_back(scalar(c, &variable.type).value_or(kNone));
  } else {
    auto x = scalar(value, &variable.type);
    if (!x) return;
    g.values.assign(std::max<std::size_t>(1, g.seats.size()), *x);
  }
  if (variable.type.kind == TypeKind::integer)
    for (Int x : g.values)
      if (x != kNone && (x < variable.type.lo || x > variable.type.hi))
        error(Code::out_of_range, value->range, fmt::format("`{}` goes from {} to {}, not {}", variable.name, variable.type.lo, variable.type.hi, x));
  line.givens.push_back(std::move(g));
}

void Analysis::givens(const Node* list, model::ScenarioLine& line) {
  if (!list) return;
  for (const Node* g : list->children)
    if (g && g->kind == NodeKind::given) given(g, line);
}

// ---------------------------------------------------------------- when

void Analysis::step(const Node* node, model::ScenarioLine& line) {
  using Verb = model::Step::Verb;
  model::Step s;
  s.range = node->range;
  s.text = std::string(diagnostics_.sources().text(node->range));
  auto who = seat(node->child(0));
  if (!who) return;
  s.player = *who;
  const auto actions_named = [&](const Node* name) {
    auto it = action_names_.find(name->text);
    if (it == action_names_.end()) {
      if (name->text == "pass") return;
      std::vector<std::string> names;
      for (const auto& [n, i] : action_names_) names.push_back(n);
      error(Code::unknown_name, name->range, fmt::format("no action is named `{}`", name->text), did_you_mean(name->text, names));
      return;
    }
    for (std::uint32_t a : it->second) s.actions.push_back(model::ActionId{a});
  };
  const auto argument = [&](const Node* a) {               // a card, else a seat, number or constant
    if (!a) return;
    if (a->kind == NodeKind::arg) a = a->child(0);
    if (a->kind == NodeKind::list_lit) {
      for (model::CardMatch& m : card_matches(a)) s.cards.push_back(std::move(m));
      return;
    }
    if (auto p = seat(a, false)) return s.scalars.push_back(*p);
    if (auto m = card_match(a, false)) return s.cards.push_back(std::move(*m));
    if (auto v = scalar(a, nullptr)) s.scalars.push_back(*v);
  };
  if (node->text == "begins") {
    s.verb = Verb::begins;
    const Node* name = node->child(1);
    auto it = name ? event_names_.find(name->text) : event_names_.end();
    if (it != event_names_.end())
      for (std::uint32_t e : it->second)
        if (model_->events[e].kind == model::EventKind::turn || model_->events[e].kind == model::EventKind::phase) s.event = model::EventId{e};
    if (!s.event.valid()) {
      std::vector<std::string> names;
      for (const model::Event& e : model_->events)
        if (e.kind != model::EventKind::plain) names.push_back(e.name);
      error(Code::unknown_name, whole(name), fmt::format("no turn or phase is named `{}`", name ? name->text : ""), name ? did_you_mean(name->text, names) : "");
      return;
    }
  } else if (node->text == "plays") {
    s.verb = Verb::plays;
    s.card = card_match(node->child(1));
    if (!s.card) return;
    if (const Node* as = node->child(2)) {
      auto k = kind_names_.find(as->text);
      if (k == kind_names_.end() || k->second == ~0u) return void(error(Code::unknown_name, as->range, fmt::format("no card is named `{}`", as->text)));
      s.played_as = model::KindId{k->second};
    }
    if (node->child(3)) argument(node->child(3));
    std::vector<const Node*> more;
    for (std::size_t i = 4; i < node->children.size(); ++i) {
      const Node* c = node->children[i];
      if (c && c->kind == NodeKind::arg) argument(c);
      else if (c) more.push_back(c);
    }
    line.steps.push_back(std::move(s));
    for (const Node* c : more) {                           // `plays Chips, then Chips`
      model::Step next;
      next.verb = Verb::plays;
      next.player = *who;
      next.range = c->range;
      next.text = std::string(diagnostics_.sources().text(c->range));
      next.card = card_match(c);
      if (next.card) line.steps.push_back(std::move(next));
    }
    return;
  } else if (node->text == "uses" || node->text == "does") {
    s.verb = Verb::uses;
    if (!node->child(1)) return;
    actions_named(node->child(1));
    const bool uses = node->text == "uses";
    if (const Node* of = uses ? node->child(2) : nullptr) {
      if (auto k = kind_names_.find(of->text); k != kind_names_.end() && k->second != ~0u) {
        s.of_card = model::KindId{k->second};
      } else {
        bool found = false;
        const Expr* c = enum_constant(of->text, of->range, nullptr, true, found);
        if (found && !is_poison(c)) s.of_character = c->value;
        else if (!found) error(Code::unknown_name, of->range, fmt::format("no card or character is named `{}`", of->text));
      }
    }
    for (std::size_t i = uses ? 3 : 2; i < node->children.size(); ++i) argument(node->children[i]);
  } else if (node->text == "chooses") {
    s.verb = Verb::chooses;
    for (std::size_t i = 1; i < node->children.size(); ++i) argument(node->children[i]);
  } else if (node->text == "random") {
    s.verb = Verb::at_random;
  } else if (node->text == "passes") {
    s.verb = Verb::passes;
  } else if (node->text == "says") {
    s.verb = Verb::says;
    s.yes = node->child(1) && node->child(1)->text == "yes";
  }
  line.steps.push_back(std::move(s));
}

// ---------------------------------------------------------------- then

void Analysis::claim(const Node* node, model::ScenarioLine& line) {
  using Kind = model::Claim::Kind;
  model::Claim c;
  c.range = node->range;
  c.text = std::string(diagnostics_.sources().text(node->range));
  const auto zone = [&](const Node* place) {               // `b.hand`, `discard`, `top of draw`
    if (place && place->kind == NodeKind::top_expr && !place->child(0)) {
      c.top = true;
      place = place->child(1);
    }
    if (!place) return false;
    if (place->kind == NodeKind::member) {
      auto z = player_zones_.find(place->text);
      if (z == player_zones_.end()) return false;
      auto s = seat(place->child(0), false);
      if (!s) return false;
      c.owner = *s;
      c.zone = model::ZoneId{z->second};
      return true;
    }
    if (place->kind != NodeKind::name_ref) return false;
    auto z = table_zones_.find(place->text);
    if (z == table_zones_.end()) return false;
    c.zone = model::ZoneId{z->second};
    return true;
  };
  if (node->text == "wins" || node->text == "loses") {
    c.kind = node->text == "wins" ? Kind::wins : Kind::loses;
    auto s = seat(node->child(0));
    if (!s) return;
    c.player = *s;
    line.claims.push_back(std::move(c));
    return;
  }
  if (node->text == "knows" || node->text == "doesn't know") {
    c.kind = node->text == "knows" ? Kind::knows : Kind::knows_not;
    auto s = seat(node->child(0));
    if (!s) return;
    c.player = *s;
    if (!zone(node->child(1))) return void(error(Code::bad_scenario, whole(node->child(1)), "what somebody knows is a zone or the top of one", "`b knows a.hand`, `b knows top of draw`"));
    line.claims.push_back(std::move(c));
    return;
  }
  if (node->text == "can't" || node->text == "may") {
    c.kind = node->text == "may" ? Kind::can : Kind::cannot;
    auto s = seat(node->child(0));
    if (!s) return;
    c.player = *s;
    c.step.player = *s;
    c.step.range = node->range;
    c.step.text = c.text;
    const Node* what = node->child(2);
    if (node->child(1) && node->child(1)->text == "play") {
      c.step.verb = model::Step::Verb::plays;
      c.step.card = card_match(what);
      if (!c.step.card) return;
    } else {
      c.step.verb = model::Step::Verb::uses;
      auto it = what ? action_names_.find(what->text) : action_names_.end();
      if (it == action_names_.end()) return void(error(Code::unknown_name, whole(what), fmt::format("no action is named `{}`", what ? what->text : "")));
      for (std::uint32_t a : it->second) c.step.actions.push_back(model::ActionId{a});
    }
    if (const Node* as = node->child(3)) {
      auto k = kind_names_.find(as->text);
      if (k == kind_names_.end() || k->second == ~0u) return void(error(Code::unknown_name, as->range, fmt::format("no card is named `{}`", as->text)));
      c.step.played_as = model::KindId{k->second};
    }
    if (const Node* on = node->child(4)) {
      if (auto p = seat(on, false)) c.step.scalars.push_back(*p);
      else if (auto m = card_match(on)) c.step.cards.push_back(*m);
    }
    line.claims.push_back(std::move(c));
    return;
  }
  const Node* e = node->child(0);
  if (!e) return;
  if (e->kind == NodeKind::binary && e->text == "==" && e->child(1) && e->child(1)->kind == NodeKind::list_lit) {
    if (e->child(0) && e->child(0)->kind == NodeKind::name_ref && e->child(0)->text == "winners") {
      std::vector<bool> wins(static_cast<std::size_t>(players_));
      for (const Node* p : e->child(1)->children)
        if (auto s = seat(p)) wins[static_cast<std::size_t>(*s)] = true;
      for (Int p = 0; p < players_; ++p) {
        c.kind = wins[static_cast<std::size_t>(p)] ? Kind::wins : Kind::loses;
        c.player = p;
        line.claims.push_back(c);
      }
      return;
    }
    if (zone(e->child(0))) {
      c.kind = Kind::zone_is;
      c.cards = card_matches(e->child(1));
      line.claims.push_back(std::move(c));
      return;
    }
  }
  c.kind = Kind::holds;
  Body body;
  Rule rule;
  rule.body = &body;
  rule.scenario = true;
  const Expr* holds = nullptr;
  in_rule(rule, [&] {
    Pure pure(rule);
    const bool kind_in_zone = e->kind == NodeKind::binary && (e->text == "in" || e->text == "not in") && e->child(0) &&
                              (e->child(0)->kind == NodeKind::scenario_card ||
                               (e->child(0)->kind == NodeKind::name_ref && kind_names_.contains(e->child(0)->text)));
    if (!kind_in_zone) {
      holds = condition(e);
      return;
    }
    auto match = card_match(e->child(0));                  // `WaterBalloon in discard`: some card of that kind lies there
    const Expr* there = expr(e->child(1));
    if (!match || is_poison(there)) return;
    const LocalId card = add_local("", card_type(), e->range);
    const Expr* all = boolean_constant(true, e->range);
    if (match->kind) {
      Expr* is = make(ExprKind::equal, boolean_type(), e->range,
                      {make(ExprKind::kind_of, kind_type(), e->range, {local(card, e->range)}), constant(kind_type(), match->kind->index, e->range)});
      all = is;
    }
    for (const auto& [a, value] : match->attributes) {
      Expr* of = make(ExprKind::attribute, with_none(model_->attributes[a.index].type), e->range, {local(card, e->range)});
      of->ref = a.index;
      all = make(ExprKind::logical_and, boolean_type(), e->range,
                 {all, make(ExprKind::equal, boolean_type(), e->range, {of, constant(model_->attributes[a.index].type, value, e->range)})});
    }
    Expr* exists = make(ExprKind::exists, boolean_type(), e->range, {there, all});
    exists->local = card;
    holds = exists;
    if (e->text == "not in") holds = make(ExprKind::logical_not, boolean_type(), e->range, {holds});
  });
  if (is_poison(holds)) return;
  Stmt& result = model_->stmts.emplace_back();
  result.kind = StmtKind::return_value;
  result.range = e->range;
  result.exprs = {holds};
  body.block.push_back(&result);
  body.present = true;
  c.body = model_->claims.size();
  model_->claims.push_back(std::move(body));
  line.claims.push_back(std::move(c));
}

// ---------------------------------------------------------------- scenes and scenarios

void Analysis::build_scenario(const Node* node) {
  const Node* scene = nullptr;
  if (const Node* name = node->child(0)) {
    auto it = scenes_.find(name->text);
    if (it == scenes_.end()) {
      std::vector<std::string> names;
      for (const auto& [n, s] : scenes_) names.push_back(n);
      error(Code::unknown_name, name->range, fmt::format("no scene is named `{}`", name->text), did_you_mean(name->text, names));
      return;
    }
    scene = it->second;
  }
  Int wanted = ruleset_.usual_players;
  const Node* count = node->child(1) ? node->child(1) : scene ? scene->child(0) : nullptr;
  if (count) {
    if (count->kind != NodeKind::number) {
      error(Code::not_fixed, count->range, "the number of players of a scenario is a plain number");
      return;
    }
    wanted = count->number;
  }
  if (wanted < ruleset_.least_players || wanted > ruleset_.most_players) {
    error(Code::out_of_range, whole(count), fmt::format("the game is for {} to {} players", ruleset_.least_players, ruleset_.most_players));
    return;
  }
  if (wanted != players_) return;
  std::map<std::string, std::string, std::less<>> asked;
  for (const Node* list : {scene ? scene->child(2) : nullptr, node->child(3)})
    if (list)
      for (const Node* a : list->children) {
        if (!a) continue;
        const Node* v = a->child(0);
        asked[std::string(a->text)] = !v ? "on" : v->kind == NodeKind::number ? std::to_string(v->number) : v->kind == NodeKind::truth ? (v->number ? "on" : "off") : std::string(v->text);
      }
  for (const Option& o : ruleset_.options) {
    auto a = asked.find(o.name);
    auto has = options_.find(o.name);
    if (has == options_.end()) continue;
    if (a != asked.end() ? a->second != has->second : explicit_.contains(o.name) && has->second != o.initial) return;
  }
  model::Scenario scenario;
  scenario.title = std::string(node->text);
  scenario.range = node->range;
  if (scene) {
    model::ScenarioLine line;
    line.kind = model::ScenarioLine::Kind::given;
    line.range = scene->range;
    givens(scene->child(1), line);
    scenario.lines.push_back(std::move(line));
  }
  if (node->child(2))
    for (const Node* l : node->child(2)->children) {
      if (!l) continue;
      model::ScenarioLine line;
      line.range = l->range;
      line.kind = l->kind == NodeKind::given_line  ? model::ScenarioLine::Kind::given
                  : l->kind == NodeKind::when_line ? model::ScenarioLine::Kind::when
                                                   : model::ScenarioLine::Kind::then;
      for (const Node* item : l->children) {
        if (!item) continue;
        if (item->kind == NodeKind::given) given(item, line);
        else if (item->kind == NodeKind::step) step(item, line);
        else if (item->kind == NodeKind::claim) claim(item, line);
      }
      scenario.lines.push_back(std::move(line));
    }
  model_->scenarios.push_back(std::move(scenario));
}

void Analysis::build_scenarios() {
  for (const Decl& d : decls_)
    if (d.node->kind == NodeKind::scene) scenes_[std::string(d.node->text)] = d.node;
  const std::uint32_t last = static_cast<std::uint32_t>(ruleset_.units.size()) - 1;
  for (const Decl& d : decls_)
    if (d.node->kind == NodeKind::scenario && d.unit == last) build_scenario(d.node);
}

}  // namespace cardwright::sema
