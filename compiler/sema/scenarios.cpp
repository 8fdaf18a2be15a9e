// Scenes and scenarios: everything in them resolved to seats, cards, actions and conditions.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {

std::optional<Int> Analysis::seat(const Node* node, bool report) {
  if (!node) return std::nullopt;
  if (node->kind == NodeKind::name_ref && node->text.size() == 1 && node->text[0] >= 'a' && node->text[0] <= 'z') {
    const Int s = node->text[0] - 'a';
    if (s < players_) return s;
    if (report)
      error(Code::bad_scenario, node->range,
            fmt::format("nobody sits at `{}`: there are {} players", node->text, players_));
    return std::nullopt;
  }
  if (report) error(Code::bad_scenario, node->range, "a player is needed here", "players are a, b, c, … clockwise");
  return std::nullopt;
}

// `Miss`, `a Ducky`, `Card(rank: 3)`, `eight of spades`
std::optional<model::CardMatch> Analysis::card_match(const Node* node, bool report) {
  if (!node) return std::nullopt;
  model::CardMatch m;
  m.range = node->range;
  const auto attribute_constant = [&](std::string_view name, Range range) {
    auto it = constant_names_.find(name);
    std::vector<std::pair<model::AttributeId, Int>> found;
    if (it != constant_names_.end())
      for (const auto& [e, i] : it->second)
        for (std::uint32_t t = 0; t < types_.size(); ++t)
          for (model::AttributeId a : types_[t].own)
            if (model_->attributes[a.index].type.kind == TypeKind::enumeration &&
                model_->attributes[a.index].type.ref == e)
              found.push_back({a, i});
    if (found.size() == 1) {
      m.attributes.push_back(found[0]);
      return true;
    }
    if (!report) return false;
    if (silent_if_absent(name, range)) return false;
    std::vector<std::string> names;
    for (const auto& [n, id] : kind_names_) names.push_back(n);
    for (const auto& [n, c] : constant_names_) names.push_back(n);
    error(Code::bad_scenario, range,
          found.empty() ? fmt::format("no card is `{}`", name)
                        : fmt::format("several attributes of cards could be `{}`", name),
          found.empty() ? did_you_mean(name, names) : "");
    return false;
  };
  // `red 5`: the attribute that is a number, if there is one
  const auto attribute_number = [&](const Node* n) {
    std::set<model::AttributeId> found;
    for (std::uint32_t t = 0; t < types_.size(); ++t)
      for (model::AttributeId a : types_[t].own)
        if (const Type& type = model_->attributes[a.index].type;
            type.kind == TypeKind::integer && n->number >= type.lo && n->number <= type.hi)
          found.insert(a);
    if (found.size() == 1) m.attributes.push_back({*found.begin(), n->number});
    else if (report)
      error(Code::bad_scenario, n->range,
            found.empty() ? fmt::format("no card has a {}", n->number)
                          : fmt::format("several attributes of cards could be {}", n->number),
            "say which: `Card(rank: 3)`");
    return found.size() == 1;
  };
  const auto one = [&](std::string_view name, Range range) {
    if (auto k = kind_names_.find(name); k != kind_names_.end() && k->second != ~0u) {
      m.kind = model::KindId{k->second};
      return true;
    }
    if (auto t = type_names_.find(name); t != type_names_.end() && types_[t->second].implicit) {
      m.kind = *types_[t->second].implicit;
      return true;
    }
    return attribute_constant(name, range);
  };
  const auto attribute = [&](std::string_view name, const Node* value, Range range) {
    const std::uint32_t of = m.kind ? model_->kinds[m.kind->index].type.index : ~0u;
    for (const WrittenPart& p : written_attribute(composed_attribute(of, name), name, value)) {
      std::optional<model::AttributeId> id;
      for (std::uint32_t t = 0; t < types_.size() && !id; ++t) id = attribute_of_type({m.kind ? of : t}, p.name);
      if (!id && report) error(Code::unknown_member, range, fmt::format("no attribute `{}`", name));
      const auto v = id ? attribute_value(*id, p.value) : std::nullopt;
      if (!v) return false;
      m.attributes.push_back({*id, *v});
    }
    return true;
  };
  switch (node->kind) {
    case NodeKind::name_ref:
      if (!one(node->text, node->range)) return std::nullopt;
      return m;
    case NodeKind::scenario_card: case NodeKind::call: {
      if (!one(node->text, node->range)) return std::nullopt;
      std::span<Node* const> args = node->children;
      if (node->kind == NodeKind::call && node->child(0)) args = node->child(0)->children;
      for (const Node* a : args) {
        if (!a) continue;
        if (a->kind == NodeKind::arg && !a->text.empty()) {
          if (!attribute(a->text, view::arg(a).value(), a->range)) return std::nullopt;
          continue;
        }
        const Node* x = a->kind == NodeKind::arg ? view::arg(a).value() : a;
        const std::vector<std::string> order =
            m.kind ? attributes_in_order(model_->kinds[m.kind->index].type.index) : std::vector<std::string>{};
        const std::size_t position = static_cast<std::size_t>(std::find(args.begin(), args.end(), a) - args.begin());
        if (x && x->kind == NodeKind::number && !m.kind) {
          if (!attribute_number(x)) return std::nullopt;
        } else if (x && x->kind == NodeKind::name_ref && !m.kind) {
          if (!attribute_constant(x->text, x->range)) return std::nullopt;
        } else if (position < order.size()) {
          if (!attribute(order[position], x, a->range)) return std::nullopt;
        } else {
          if (report) error(Code::bad_scenario, a->range, "say which attribute this is", "`Card(rank: 3)`");
          return std::nullopt;
        }
      }
      return m;
    }
    case NodeKind::string: {                                 // what is printed on it
      const auto found = std::find_if(model_->kinds.begin(), model_->kinds.end(),
                                      [&](const model::Kind& k) { return k.label == node->text; });
      if (found != model_->kinds.end()) {
        m.kind = model::KindId{static_cast<std::uint32_t>(found - model_->kinds.begin())};
        return m;
      }
      std::vector<std::string> labels;
      for (const model::Kind& k : model_->kinds) labels.push_back(k.label);
      if (report)
        error(Code::bad_scenario, node->range, fmt::format("no card is called \"{}\"", node->text),
              did_you_mean(node->text, labels));
      return std::nullopt;
    }
    default:
      if (report) error(Code::bad_scenario, node->range, "a card is needed here", "`Miss`, `a Ducky`");
      return std::nullopt;
  }
}

const Expr* Analysis::cards_that_match(const model::CardMatch& match) {
  ensure_cards();
  Expr* e = make(ExprKind::set_constant, set_type(card_type()), match.range);
  for (std::size_t c = 0; c < model_->cards.size(); ++c) {
    const model::Card& card = model_->cards[c];
    if (match.kind && card.kind != *match.kind) continue;
    if (std::all_of(match.attributes.begin(), match.attributes.end(),
                    [&](const auto& a) { return card.attributes[a.first.index] == a.second; }))
      e->values.push_back(static_cast<Int>(c));
  }
  return e;
}

// `laid_by[Ladder]` in a claim: the only card of that sort.
const Expr* Analysis::card_as_key(const Node* node, const Type& key) {
  const bool name = (node->kind == NodeKind::name_ref && !find_binding(node->text)) || node->kind == NodeKind::call;
  const bool named = node->kind == NodeKind::scenario_card ||
                     (name && (kind_names_.contains(node->text) || type_names_.contains(node->text)));
  if (!named) return convert(expr(node, &key), key, "the index");
  const auto match = card_match(node);
  if (!match) return poison(node->range);
  const Expr* cards = cards_that_match(*match);
  if (cards->values.size() == 1) return constant(key, cards->values[0], node->range);
  error(Code::bad_scenario, node->range,
        cards->values.empty()
            ? fmt::format("there is no `{}` in the game", written(node))
            : fmt::format("there are {} such cards, and each has an entry of its own", cards->values.size()));
  return poison(node->range);
}

// What a claim calls `Chip(worth: 3)`, `a Ducky` or `nine of spades`: all such cards; nothing if this is no card's
// description.
const Expr* Analysis::such_cards(const Node* node) {
  if (!rule_ || !rule_->scenario || !node) return nullptr;
  const bool named =
      node->kind == NodeKind::call && (kind_names_.contains(node->text) || type_names_.contains(node->text));
  if (!named && node->kind != NodeKind::scenario_card) return nullptr;
  const auto match = card_match(node);
  if (!match) return poison(node->range);
  const Expr* cards = cards_that_match(*match);
  if (!cards->values.empty()) return cards;
  error(Code::bad_scenario, node->range,
        fmt::format("there is no `{}` in the game", diagnostics_.sources().text(node->range)));
  return poison(node->range);
}

// `top of bag == Chip(worth: 3)`, `laid == [Chip(worth: 3), Net]`: in a list in this order, in a set in any. Nothing if
// neither side describes cards.
const Expr* Analysis::is_as_described(const Node* l, const Node* r) {
  const auto describes = [](const Node* n) { return n->kind == NodeKind::call || n->kind == NodeKind::scenario_card; };
  const auto card = [&](const Node* n) { return describes(n) ? such_cards(n) : nullptr; };
  for (const auto& [of, said] : {std::pair{l, r}, std::pair{r, l}}) {
    const Range range{l->range.source, l->range.begin, r->range.end};
    const auto named = [&](const Node* n) {
      return n && n->kind == NodeKind::name_ref && kind_names_.contains(n->text);
    };
    // `top 2 of pool == [Net, Wasp]`
    const bool of_top = rule_ && rule_->scenario && of->kind == NodeKind::top_expr && view::top_expr(of).count();
    if (of_top && said->kind == NodeKind::list_lit && !said->children.empty() &&
        std::all_of(said->children.begin(), said->children.end(), named))
      return are_as_described(of, said, range);
    if (said->kind == NodeKind::list_lit &&
        std::any_of(said->children.begin(), said->children.end(), [&](const Node* n) { return card(n) != nullptr; }))
      return are_as_described(of, said, range);
    const Expr* such = card(said);
    if (!such) continue;
    const Expr* e = expr(of);
    if (is_poison(such) || is_poison(e)) return poison(range);
    if (e->type.kind == TypeKind::card) return make(ExprKind::in_set, boolean_type(), range, {e, such});
    error(Code::bad_scenario, range, fmt::format("a card is compared with a `{}`", show(e->type)),
          "several cards stand in `[ ]`; one of them is asked for with `in`");
    return poison(range);
  }
  return nullptr;
}

const Expr* Analysis::are_as_described(const Node* of, const Node* said, Range range) {
  const Expr* cards = collection(of);
  std::vector<const Expr*> such;
  for (const Node* n : said->children) {
    const auto match = card_match(n);
    such.push_back(match ? cards_that_match(*match) : poison(n->range));
    if (is_poison(such.back()) || is_poison(cards)) return poison(range);
  }
  if (element_type(cards->type).kind != TypeKind::card) {
    error(Code::bad_scenario, of->range, fmt::format("cards are compared with a `{}`", show(cards->type)));
    return poison(range);
  }
  const Expr* all = make(ExprKind::equal, boolean_type(), range,
                         {size_of(cards, range), integer_constant(static_cast<Int>(such.size()), range)});
  for (std::size_t i = 0; i < such.size(); ++i) {
    if (cards->type.kind == TypeKind::list) {
      Expr* at = make(ExprKind::element_at, element_type(cards->type), range,
                      {cards, integer_constant(static_cast<Int>(i), range)});
      all = both(all, make(ExprKind::in_set, boolean_type(), range, {at, such[i]}));
      continue;
    }
    Int wanted = 0;
    for (const Expr* other : such) wanted += other->values == such[i]->values;
    for (const Expr* other : such)
      if (other->values != such[i]->values &&
          std::find_first_of(other->values.begin(), other->values.end(), such[i]->values.begin(),
                             such[i]->values.end()) != other->values.end()) {
        error(Code::bad_scenario, range, "one card could be two of these", "say as much of each as tells them apart");
        return poison(range);
      }
    const Expr* found = size_of(make(ExprKind::set_and, cards->type, range, {cards, such[i]}), range);
    all = both(all, make(ExprKind::equal, boolean_type(), range, {found, integer_constant(wanted, range)}));
  }
  return all;
}

std::vector<model::CardMatch> Analysis::card_matches(const Node* node) {
  std::vector<model::CardMatch> out;
  if (!node) return out;
  if (node->kind != NodeKind::list_lit) {
    if (auto m = card_match(node)) out.push_back(*m);
    return out;
  }
  for (const Node* n : node->children)
    if (auto m = card_match(n)) out.push_back(*m);
  return out;
}

std::optional<Int> Analysis::scalar(const Node* node, const Type* expected, bool report) {
  if (!node) return std::nullopt;
  if (node->kind == NodeKind::arg) node = view::arg(node).value();
  if (!node) return std::nullopt;
  if (expected && expected->kind == TypeKind::player && node->kind == NodeKind::name_ref && node->text.size() == 1)
    return seat(node, report);
  if (!expected) {
    if (area_in(node)) {
      const auto part = area_part(node);
      return part ? std::optional(part->second) : std::nullopt;
    }
    if (auto s = seat(node, false)) return s;
    if (auto n = fixed_int(node, false); n && node->kind != NodeKind::name_ref) return n;
    if (node->kind == NodeKind::name_ref)
      if (auto it = constant_names_.find(node->text); it != constant_names_.end()) return it->second.front().second;
    if (auto f = fixed(node, report)) return f->value;
    return std::nullopt;
  }
  auto v = plain_value(node, *expected, report);
  if (!v) return std::nullopt;
  if (expected->kind == TypeKind::integer && v->value != kNone &&
      (v->value < expected->lo || v->value > expected->hi)) {
    if (report)
      error(Code::out_of_range, node->range, fmt::format("{} is outside {}..{}", v->value, expected->lo, expected->hi));
    return std::nullopt;
  }
  return v->value;
}

std::optional<std::vector<Int>> Analysis::elements_of(const Node* node, const Type& set) {
  auto v = plain_value(node, set, true);
  if (!v) return std::nullopt;
  const Type element = element_type(set);
  for (const Int x : v->values)
    if (element.kind == TypeKind::integer && (x < element.lo || x > element.hi)) {
      error(Code::out_of_range, node->range, fmt::format("{} is outside {}..{}", x, element.lo, element.hi));
      return std::nullopt;
    }
  return v->values;
}

// What can be said without a game.
std::optional<Computed> Analysis::plain_value(const Node* node, const Type& expected, bool report) {
  Body& body = scratch_.emplace_back();
  Rule rule;
  rule.body = &body;
  rule.pure = true;
  rule.scenario = true;
  std::optional<Computed> result;
  in_rule(rule, [&] {
    const Expr* e = convert(expr(node, &expected), expected);
    if (is_poison(e)) return;
    Frame frame;
    result = evaluate(*e, frame);
    if (!result && report)
      error(Code::bad_scenario, node->range, "what is given must be plain", "a number, a constant, a player");
  });
  return result;
}

std::vector<Int> Analysis::seats_of(const Node* node) {
  std::vector<Int> seats;
  if (!node) return seats;
  if (node->kind == NodeKind::name_ref && (node->text == "everyone" || node->text == "players")) {
    for (Int p = 0; p < players_; ++p)
      if (node->text == "everyone" || !scenario_out_.contains(p)) seats.push_back(p);
    return seats;
  }
  if (auto s = seat(node)) seats.push_back(*s);
  return seats;
}

// `front[2]`, `b.front[2]`, `b.hero`, the only die `cube`: the area of which it is a part.
std::optional<std::uint32_t> Analysis::area_in(const Node* node) const {
  if (node && node->kind == NodeKind::member)
    if (const auto one = area_of_players(node->text); one && one_each(areas_[*one]) && areas_[*one].name == node->text)
      return one;
  if (node && node->kind == NodeKind::name_ref)
    if (const auto one = area_named(node->text);
        one && areas_[*one].single && areas_[*one].each == 0 && areas_[*one].name == node->text)
      return one;
  if (!node || node->kind != NodeKind::index || node->children.size() != 2) return std::nullopt;
  const Node* of = view::index(node).of();
  const bool of_player = of && of->kind == NodeKind::member;
  if (!of_player && (!of || of->kind != NodeKind::name_ref)) return std::nullopt;
  const auto area = area_named(of->text);
  return area && (areas_[*area].each > 0) == of_player ? area : std::nullopt;
}

// … and which of its parts.
std::optional<std::pair<std::uint32_t, Int>> Analysis::area_part(const Node* node) {
  const auto area = area_in(node);
  if (!area) return std::nullopt;
  const AreaInfo& info = areas_[*area];
  if (info.single && info.each == 0) return std::pair{*area, Int{1}};
  if (one_each(info)) {
    const auto owner = seat(view::member(node).of());
    return owner ? std::optional(std::pair{*area, *owner + 1}) : std::nullopt;
  }
  if (const auto per = model_->areas[*area].per) {
    const Type type = enum_type(per->index);
    const auto of = scalar(view::index(node).keys(0), &type);
    return of ? std::optional(std::pair{*area, *of + 1}) : std::nullopt;
  }
  const auto whose = info.each > 0 ? seat(view::member(view::index(node).of()).of()) : std::optional<Int>(0);
  auto n = fixed_int(view::index(node).keys(0));
  if (!n || !whose) return std::nullopt;
  const Int last = info.each > 0 ? info.each : info.count;
  if (*n < 1 || *n > last) {
    error(Code::out_of_range, view::index(node).keys(0)->range, fmt::format("`{}` goes from 1 to {}", info.name, last));
    return std::nullopt;
  }
  return std::pair{*area, *whose * last + *n};
}

void Analysis::given(const Node* node, model::ScenarioLine& line) {
  const view::given its(node);
  model::Given g;
  g.range = node->range;
  const std::string_view kind = node->text;
  if (kind == "out") {
    g.kind = model::Given::Kind::out;
    if (auto s = seat(its.what())) g.seats = {*s}, scenario_out_.insert(*s);
    line.givens.push_back(g);
    return;
  }
  if (kind == "only in") {
    g.kind = model::Given::Kind::only_in;
    if (its.value())
      for (const Node* n : its.value()->children)
        if (auto s = seat(n)) g.seats.push_back(*s);
    for (Int p = 0; p < players_; ++p)
      if (std::find(g.seats.begin(), g.seats.end(), p) == g.seats.end()) scenario_out_.insert(p);
    line.givens.push_back(g);
    return;
  }
  const Node *place = its.what(), *value = its.value();
  if (!place || !value) return;
  if (kind == "at") return given_at(node, std::move(g), line);
  if (kind == "off") return given_off(node, std::move(g), line);
  if (kind == "shows") return given_shows(node, std::move(g), line);
  // from the end: `b.purse.gold`, `purse[red].gold`, `front[2].purse.gold`
  std::vector<const Node*> keys;
  std::string name;
  const Node* at = place;
  const Node* whose = nullptr;
  while (at && (at->kind == NodeKind::member || at->kind == NodeKind::index) && !area_in(at)) {
    if (at->kind == NodeKind::index) keys.insert(keys.begin(), at->children.begin() + 1, at->children.end());
    else
      name = std::string(at->text) + (name.empty() ? "" : "." + name), whose = view::member(at).of();
    at = view::place(at).of();
  }
  if (!at) return;
  if (at->kind == NodeKind::name_ref && (name.empty() || (table_records_.contains(at->text) && !seat(at, false)))) {
    name = std::string(at->text) + (name.empty() ? "" : "." + name);
    whose = nullptr;
  }
  const bool per_player = whose != nullptr;
  if (auto part = per_player ? area_part(at) : std::nullopt) {   // front[2].hunt
    const AreaInfo& area = areas_[part->first];
    if (auto z = area.zones.find(name); z != area.zones.end()) {
      g.indices = {part->second - 1};
      return given_cards(std::move(g), model::ZoneId{z->second}, node, line);
    }
    auto r = area.records.find(name);
    if ((r == area.records.end() && !area.variables.contains(name)) || kind != "=") {
      error(Code::unknown_name, at->range, fmt::format("`{}` has no `{}`", area.name, name));
      return;
    }
    g.indices = {part->second};
    for (const WrittenPart& p : written_attribute(r == area.records.end() ? nullptr : &r->second, name, value))
      given_variable(g, area.variables.find(p.name)->second, keys, place, p.value, line);
    return;
  }
  if (at->kind != NodeKind::name_ref) {
    error(Code::bad_scenario, at->range, "this can't be set", "`b.towels = 2`, `top of draw = [Miss]`");
    return;
  }
  const Table& zones = per_player ? player_zones_ : table_zones_;
  const Table& variables = per_player ? player_variables_ : table_variables_;
  const Composed& records = per_player ? player_records_ : table_records_;
  if (per_player) g.seats = seats_of(whose);
  if (auto z = zones.find(name); z != zones.end()) {
    if (!model_->zones[z->second].per_player) g.seats.clear();
    return given_cards(std::move(g), model::ZoneId{z->second}, node, line);
  }
  auto r = records.find(name);
  if ((r == records.end() && !variables.contains(name)) || kind != "=") {
    if (silent_if_absent(name, at->range)) return;
    std::vector<std::string> names;
    for (const Table* t : {&zones, &variables})
      for (const auto& [n, id] : *t) names.push_back(n);
    std::string help = did_you_mean(name, names);
    if (!per_player && player_variables_.contains(name))
      help = fmt::format("whose? say `a.{}` or `players.{}`", name, name);
    error(Code::unknown_name, at->range,
          fmt::format("no {} `{}` {}", kind == "=" ? "variable or zone" : "zone", name,
                      per_player ? "of players" : "of the table"),
          help);
    return;
  }
  const Type* whole = r == records.end() ? nullptr : &r->second;
  while (whole && whole->kind == TypeKind::map) whole = whole->elem.get();
  for (const WrittenPart& p : written_attribute(whole, name, value))
    given_variable(g, variables.find(p.name)->second, keys, place, p.value, line);
}

// `a.hero at e5 facing E`
void Analysis::given_at(const Node* node, model::Given g, model::ScenarioLine& line) {
  const auto part = area_part(view::given(node).what());
  if (!part || !areas_[part->first].piece) {
    if (given_card_at(node, g, line)) return;
    if (!area_in(view::given(node).what()))
      error(Code::bad_scenario, view::given(node).what()->range, "a piece is needed before `at`",
            "`a.hero at e5`, `token[3] at e5`, `thing[book] at e5`");
    return;
  }
  const model::Placing& placing = *model_->areas[part->first].piece;
  const model::Board& board = board_of_piece(placing);
  const Type cell = spot_type(placing), direction = enum_type(board.dirs.index);
  const auto at = scalar(view::given(node).value(), &cell);
  std::optional<Int> way;
  if (view::given(node).facing()) {
    if (!placing.facing)
      return void(error(Code::bad_scenario, view::given(node).facing()->range,
                        fmt::format("a `{}` faces no way", areas_[part->first].name),
                        "`facing N` in its declaration says that it does, and which way at first"));
    if (!(way = scalar(view::given(node).facing(), &direction))) return;
  }
  if (node->number) return void(error(Code::bad_scenario, node->range, "cards lie face down, and pieces don't"));
  if (!at) return;
  g.kind = model::Given::Kind::variable;
  g.indices = {part->second};
  const Int facing = way ? *way : placing.facing ? model_->variables[placing.facing->index].initial->value : 0;
  if (!stays_on_board(placing.shapes, sort_of_part(part->first, part->second), *at, facing))
    return void(error(Code::out_of_range, node->range,
                      fmt::format("`{}` leaves the board at {}", written(view::given(node).what()),
                                  written(view::given(node).value())))
                    .notes.push_back({areas_[part->first].range, "what it covers is said here"}));
  g.variable = placing.at;
  g.values = {*at};
  line.givens.push_back(g);
  if (!way) return;
  g.variable = *placing.facing;
  g.values = {*way};
  line.givens.push_back(std::move(g));
}

// `things off field`, `a.hero off field`
void Analysis::given_off(const Node* node, model::Given g, model::ScenarioLine& line) {
  const Node* what = view::given(node).what();
  if (!board_named(view::given(node).value()))
    return void(error(Code::unknown_name, view::given(node).value()->range,
                      fmt::format("no board named `{}`", view::given(node).value()->text)));
  const auto all = what->kind == NodeKind::name_ref ? area_named(what->text) : std::nullopt;
  const auto part = all ? std::nullopt : area_part(what);
  const auto area = all ? all : part ? std::optional(part->first) : std::nullopt;
  if (!area || !areas_[*area].piece)
    return void(error(Code::bad_scenario, what->range, "pieces are needed before `off`",
                      "`a.hero off field`, `tokens off field`"));
  const model::Placing& placing = *model_->areas[*area].piece;
  if (!lies_on_this(placing, view::given(node).value(), what->range, areas_[*area].name) ||
      !may_be_lifted(area_type(*area), what->range))
    return;
  g.kind = model::Given::Kind::variable;
  Int first = 1, last = areas_[*area].count;
  if (part) first = last = part->second;
  for (Int i = first; i <= last; ++i) {
    g.indices = {i};
    g.variable = placing.at;
    g.values = {kNone};
    line.givens.push_back(g);
    if (!placing.facing) continue;
    g.variable = *placing.facing;
    g.values = {model_->variables[placing.facing->index].initial->value};
    line.givens.push_back(g);
  }
}

// `a.piles = [[red, blue], [green]]`
bool Analysis::given_rows(const Node* value, const Type& element, model::Given& g) {
  const Type one = *element.elem;
  if (one.kind == TypeKind::card) {
    error(Code::bad_scenario, value->range, "which cards such a list holds can't be given",
          "let a rule fill it in a `when`");
    return false;
  }
  for (const Node* n : value->children) {
    std::vector<Int> row;
    if (!n || n->kind != NodeKind::list_lit) {
      error(Code::bad_scenario, n ? n->range : value->range, "here stands one set or list for each element",
            "`a.piles = [[red, blue], [green]]`");
      return false;
    }
    for (const Node* x : n->children) {
      const auto v = scalar(x, &one);
      if (!v) return false;
      row.push_back(*v);
    }
    if (element.kind == TypeKind::list && static_cast<Int>(row.size()) > element.most) {
      error(Code::out_of_range, n->range,
            fmt::format("{} elements, and each list holds up to {}", row.size(), element.most));
      return false;
    }
    Int mask = 0;
    for (const Int bit : row) mask |= bit >= 0 && bit <= kMostInSet ? Int{1} << bit : 0;
    if (element.kind == TypeKind::set && !board_of(one)) g.values.push_back(mask);
    else g.rows.push_back(std::move(row));
  }
  return true;
}

// `b.hand = [Miss, Miss]`, `top of draw = [Miss]`, `b.hand facedown = [Miss]`
void Analysis::given_cards(model::Given g, model::ZoneId zone, const Node* node, model::ScenarioLine& line) {
  const view::given its(node);
  const std::string_view kind = node->text;
  g.kind = kind == "top"      ? model::Given::Kind::top
           : kind == "bottom" ? model::Given::Kind::bottom
                              : model::Given::Kind::zone;
  g.facedown = kind == "facedown";
  g.zone = zone;
  g.cards = card_matches(its.value());
  if (model_->zones[zone.index].shape == model::ZoneShape::slot && g.cards.size() > 1) {
    error(Code::bad_scenario, its.value()->range, fmt::format("a slot holds one card, not {}", g.cards.size()));
    return;
  }
  line.givens.push_back(std::move(g));
}

// `token_at = [t1: e6]`: the others are as they are at first.
void Analysis::given_table(model::Given g, std::uint32_t id, std::vector<const Node*> keys, const Node* place,
                           const Node* table, model::ScenarioLine& line) {
  const model::Variable& variable = model_->variables[id];
  const Type& key = variable.indices.back();
  model::Given others = g;
  others.kind = model::Given::Kind::variable;
  others.variable = model::VariableId{id};
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (auto k = scalar(keys[i], &variable.indices[g.indices.size() + i])) others.indices.push_back(*k);
  std::vector<Int> said;
  const std::size_t before = line.givens.size();
  for (const Node* entry : table->children) {
    if (!entry || !view::entry(entry).value()) continue;
    if (auto k = scalar(view::entry(entry).key(), &key)) said.push_back(*k);
    keys.push_back(view::entry(entry).key());
    given_variable(g, id, keys, place, view::entry(entry).value(), line);
    keys.pop_back();
  }
  if (variable.can_be_unset || (variable.type.kind == TypeKind::list || variable.type.kind == TypeKind::set)) return;
  const Int first = key.kind == TypeKind::integer ? key.lo : 0;
  const Int last = key.kind == TypeKind::integer  ? key.hi
                   : key.kind == TypeKind::player ? players_ - 1
                                                  : static_cast<Int>(model_->enums[key.ref].constants.size()) - 1;
  for (Int k = first; k <= last; ++k) {
    if (std::find(said.begin(), said.end(), k) != said.end()) continue;
    model::Given one = others;
    one.indices.push_back(k);
    one.values.assign(std::max<std::size_t>(1, one.seats.size()), variable.initial ? variable.initial->value : kNone);
    line.givens.insert(line.givens.begin() + static_cast<std::ptrdiff_t>(before), std::move(one));
  }
}

void Analysis::given_variable(model::Given g, std::uint32_t id, const std::vector<const Node*>& keys, const Node* place,
                              const Node* value, model::ScenarioLine& line) {
  const model::Variable& variable = model_->variables[id];
  if (!value) return;
  g.kind = model::Given::Kind::variable;
  g.variable = model::VariableId{id};
  const std::size_t known = g.indices.size();
  if (value->kind == NodeKind::table_lit && known + keys.size() + 1 == variable.indices.size() &&
      variable.indices.back().kind != TypeKind::card)
    return given_table(std::move(g), id, keys, place, value, line);
  if (known + keys.size() != variable.indices.size()) {
    const std::size_t needed = variable.indices.size() - known;
    error(Code::bad_scenario, place->range,
          fmt::format("`{}` needs {} index{}", variable.name, needed, needed == 1 ? "" : "es"));
    return;
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (variable.indices[known + i].kind == TypeKind::card) {   // `laid_by[Ladder] = a`
      auto match = card_match(keys[i]);
      if (!match) return;
      g.card_index = {g.indices.size(), std::move(*match)};
      g.indices.push_back(0);
    } else if (auto k = scalar(keys[i], &variable.indices[known + i])) {
      g.indices.push_back(*k);
    }
  }
  if (variable.type.kind == TypeKind::list) {
    g.kind = model::Given::Kind::list;
    if (value->kind != NodeKind::list_lit) {
      error(Code::bad_scenario, value->range, "a list is given as one", "`a.order = [b, c]`");
      return;
    }
    const Type element = element_type(variable.type);
    if (element.elem) {
      if (!given_rows(value, element, g)) return;
    } else if (element.kind == TypeKind::card) g.cards = card_matches(value);
    else for (const Node* n : value->children) {
      auto x = scalar(n, &element);
      if (!x) return;
      g.values.push_back(*x);
    }
    if (static_cast<Int>(value->children.size()) > variable.type.most) {
      error(Code::out_of_range, value->range,
            fmt::format("{} elements, and the list holds up to {}", value->children.size(), variable.type.most));
      return;
    }
    line.givens.push_back(std::move(g));
    return;
  }
  if (variable.type.kind == TypeKind::set) {
    g.kind = model::Given::Kind::set;
    if (element_type(variable.type).kind == TypeKind::card) {
      g.cards = card_matches(value);
      line.givens.push_back(std::move(g));
      return;
    }
    auto elements = elements_of(value, variable.type);
    if (!elements) return;
    g.values = std::move(*elements);
    line.givens.push_back(std::move(g));
    return;
  }
  Type t = variable.type;
  const bool one_each = variable.per_player && value->kind == NodeKind::list_lit;
  if (one_each && value->children.size() != g.seats.size()) {
    error(Code::bad_scenario, value->range,
          fmt::format("{} values for {} players", value->children.size(), g.seats.size()));
    return;
  }
  const auto is_none = [](const Node* n) { return n->kind == NodeKind::none_lit; };
  if (t.kind == TypeKind::card && !is_none(value)) {
    if (one_each && std::any_of(value->children.begin(), value->children.end(), is_none)) {
      error(Code::bad_scenario, value->range, "cards of everybody, and one is `none`",
            "say of each player: `a.charm = Clover, b.charm = none`");
      return;
    }
    g.cards = card_matches(value);
    line.givens.push_back(std::move(g));
    return;
  }
  if (one_each) {
    for (const Node* n : value->children) {
      auto x = scalar(n, &t);
      if (!x) return;
      g.values.push_back(*x);
    }
  } else {
    auto x = scalar(value, &t);
    if (!x) return;
    g.values.assign(std::max<std::size_t>(1, g.seats.size()), *x);
  }
  line.givens.push_back(std::move(g));
}

void Analysis::givens(const Node* list, model::ScenarioLine& line) {
  if (!list) return;
  // who is out is known first: `players.towels` speaks of those who are in
  for (const Node* g : list->children)
    if (g && g->kind == NodeKind::given && (g->text == "out" || g->text == "only in")) given(g, line);
  for (const Node* g : list->children)
    if (g && g->kind == NodeKind::given && g->text != "out" && g->text != "only in") given(g, line);
}

// The values that a claim compares: what they are instead is told when the claim is wrong. The second only if it is no
// constant.
static std::pair<const Expr*, const Expr*> compared_in(const Expr* e) {
  while (e->kind == ExprKind::logical_not) e = model::view::logical_not(e).operand();
  switch (e->kind) {
    case ExprKind::equal: case ExprKind::not_equal: case ExprKind::less: case ExprKind::less_equal:
    case ExprKind::in_set: break;
    default: return {};
  }
  const auto shown = [](const Expr* value) -> const Expr* {
    if (value->kind == ExprKind::constant) return nullptr;
    switch (value->type.kind) {
      case TypeKind::integer: case TypeKind::boolean: case TypeKind::enumeration: case TypeKind::player:
      case TypeKind::card: return value;
      default: return nullptr;
    }
  };
  if (e->kind == ExprKind::in_set) return {shown(e->args[0]), nullptr};
  const Expr *left = shown(e->args[0]), *right = shown(e->args[1]);
  if (!left) std::swap(left, right);
  return {left, left && right && left->type.kind == right->type.kind ? right : nullptr};
}

// `a knows b.chips`: a variable, or an entry of one.
bool Analysis::known_variable(const Node* node, model::Claim& c) {
  Body& body = scratch_.emplace_back();
  Rule rule;
  rule.body = &body;
  rule.pure = true;
  rule.scenario = true;
  bool found = false;
  in_rule(rule, [&] {
    const Expr* e = node ? expr(node) : poison(c.range);
    if (is_poison(e)) return;
    found = e->kind == ExprKind::variable && e->type.kind != TypeKind::map;
    for (const Expr* index : e->args) {
      Frame frame;
      const auto at = index ? evaluate(*index, frame) : std::nullopt;
      found = found && at;
      if (at) c.indices.push_back(at->value);
    }
    if (found) c.variable = model::VariableId{e->ref};
    else
      error(Code::bad_scenario, node->range, "this can't be known or not",
            "a zone, the top of one, or a variable: `a knows b.hand`, `a knows b.role`");
  });
  return found;
}

// `a may pass`, `a can't wait`: an item of the step says which of the two is meant.
bool Analysis::passes_or_waits(const Node* word, model::Step& s) {
  s.verb = model::Step::Verb::passes;
  if (word->text == "wait") s.items.push_back({{}, {}, "wait"});
  if (word->text == "pass" || word->text == "wait") return true;
  const bool what = word->text == "play" || word->text == "use" || word->text == "choose";
  error(Code::bad_scenario, word->range,
        what ? fmt::format("`{}` what?", word->text) : fmt::format("`{}` is nothing that is offered", word->text),
        "`a may play Net`, `a may use trade`, `a may choose b`, `a may pass`; in real time `a can't wait`");
  return false;
}

// `a may choose b, c`: what stands behind the comma is a claim of its own, and `c` is none.
bool Analysis::another_to_choose(const Node* e, const model::ScenarioLine& line) {
  if (line.claims.empty()) return false;
  const model::Claim& before = line.claims.back();
  using Kind = model::Claim::Kind;
  if ((before.kind != Kind::can && before.kind != Kind::cannot) || before.step.verb != model::Step::Verb::chooses)
    return false;
  const bool named = e->kind == NodeKind::name_ref &&
                     (seat(e, false) || kind_names_.contains(e->text) || constant_names_.contains(e->text));
  const bool card = e->kind == NodeKind::scenario_card ||
                    (e->kind == NodeKind::call && (kind_names_.contains(e->text) || type_names_.contains(e->text)));
  if (!named && !card && e->kind != NodeKind::string && e->kind != NodeKind::number) return false;
  const std::string_view said = before.text, what = diagnostics_.sources().text(e->range);
  const std::size_t choose = said.find("choose");
  error(Code::bad_scenario, e->range, fmt::format("`{}` is no claim", what),
        fmt::format("each by itself: `{} and {}choose {}`", said, said.substr(0, choose), what));
  return true;
}

void Analysis::claim(const Node* node, model::ScenarioLine& line) {
  const view::claim its(node);
  model::Claim c;
  c.range = node->range;
  c.text = std::string(diagnostics_.sources().text(node->range));
  const std::string_view what = node->text;
  using Kind = model::Claim::Kind;
  const auto zone_of = [&](const Node* n) -> bool {          // resolves to c.zone, c.owner
    if (!n) return false;
    if (n->kind == NodeKind::name_ref) {
      auto z = table_zones_.find(n->text);
      if (z == table_zones_.end()) return false;
      c.zone = {z->second};
      return true;
    }
    if (n->kind != NodeKind::member) return false;
    if (auto part = area_part(view::member(n).of())) {
      auto of = areas_[part->first].zones.find(n->text);
      if (of == areas_[part->first].zones.end()) return false;
      c.zone = {of->second};
      c.copy = part->second - 1;
      return true;
    }
    // a.team.sack
    if (const Node* of = view::member(n).of(); of && of->kind == NodeKind::member && of->text == "team" && team_area_) {
      const auto whose = seat(view::member(of).of(), false);
      auto zone = areas_[*team_area_].zones.find(n->text);
      if (!whose || zone == areas_[*team_area_].zones.end()) return false;
      c.zone = {zone->second};
      c.copy = model_->teams[static_cast<std::size_t>(*whose)] - 1;
      return true;
    }
    auto z = player_zones_.find(n->text);
    auto s = seat(view::member(n).of(), false);
    if (z == player_zones_.end() || !s) return false;
    c.zone = {z->second};
    if (model_->zones[z->second].per_player) c.owner = *s;
    return true;
  };
  if (what == "wins" || what == "loses") {
    c.kind = what == "wins" ? Kind::wins : Kind::loses;
    auto s = seat(its.subject());
    if (!s) return;
    c.player = *s;
  } else if (what == "knows" || what == "doesn't know") {
    c.kind = what == "knows" ? Kind::knows : Kind::knows_not;
    auto s = seat(its.subject());
    if (!s) return;
    c.player = *s;
    const Node* of = its.what();
    c.top = of && of->kind == NodeKind::top_expr;
    if (c.top) of = view::top_expr(of).zone();
    if (!zone_of(of) && (c.top || !known_variable(of, c))) return;
  } else if (what == "can't" || what == "may") {
    c.kind = what == "may" ? Kind::can : Kind::cannot;
    auto s = seat(its.subject());
    if (!s) return;
    c.player = *s;
    c.step.player = *s;
    c.step.range = node->range;
    c.step.text = c.text;
    const Node *word = its.what(), *thing = its.thing();
    if (!word) return;
    if (!thing) {
      if (!passes_or_waits(word, c.step)) return;
      line.claims.push_back(std::move(c));
      return;
    }
    Items items;
    if (!name_items(std::span<Node* const>(node->children).subspan(std::min<std::size_t>(node->children.size(), 4)),
                    items))
      return;
    if (word->text == "play") {
      if (!played_as(its.as(), c.step) || !plays_with(thing, items, c.step)) return;
    } else if (word->text == "choose") {
      Items chosen;
      if (!name_item(thing, chosen) || !chooses(chosen, c.step)) return;
      if (c.kind == Kind::cannot) warn_of_no_answer(chosen, c.step);
    } else if (word->text == "use") {
      // `ring of Bell`
      if (!uses_with(thing, thing->kind == NodeKind::scenario_card ? view::scenario_card(thing).arguments(0) : nullptr,
                     items, c.step))
        return;
    } else {
      return void(error(Code::bad_scenario, word->range, fmt::format("`{}` is nothing that is offered", word->text),
                        "`a may play Net`, `a may use trade`, `a may choose b`"));
    }
  } else if (what == "log") {
    c.kind = Kind::logged;
    for (const Node* text : node->children) {
      c.texts.emplace_back(text->text);
      suspect(Code::always_the_same, text->range, text->text.empty(),
              "this is always so: an empty text stands in every line", "say what is told");
    }
  } else {
    const Node* e = its.subject();
    if (!e || another_to_choose(e, line)) return;
    // `d.hand == [Miss]`: exactly these cards, in any order
    if (e->kind == NodeKind::binary && e->text == "==" && view::binary(e).right() &&
        view::binary(e).right()->kind == NodeKind::list_lit && zone_of(view::binary(e).left())) {
      c.kind = Kind::zone_is;
      c.cards = card_matches(view::binary(e).right());
      line.claims.push_back(std::move(c));
      return;
    }
    c.owner = kNone;
    c.kind = Kind::holds;
    Body body;
    std::vector<Block> sides;
    Rule rule;
    rule.body = &body;
    rule.pure = true;
    rule.scenario = true;
    bool good = false;
    in_rule(rule, [&] {
      const Expr* x = condition(e);
      if (is_poison(x)) return;
      Block block;
      emit(block, StmtKind::return_value, e->range, {x});
      body.block = std::move(block);
      body.present = true;
      good = true;
      const auto [value, other] = compared_in(x);
      const auto alone = [&](const Expr* what) {
        Block only;
        emit(only, StmtKind::return_value, e->range, {what});
        return only;
      };
      if (value) c.value_type = value->type, sides.push_back(alone(value));
      if (other) sides.push_back(alone(other));
    });
    if (!good) return;
    c.body = model_->claims.size();
    model_->claims.push_back(std::move(body));
    for (Block& side : sides) {
      (c.value == ~std::size_t{0} ? c.value : c.other) = model_->claims.size();
      Body with_side = model_->claims[c.body];
      with_side.block = std::move(side);
      model_->claims.push_back(std::move(with_side));
    }
  }
  line.claims.push_back(std::move(c));
}

// The set-up runs on a table on which nothing has happened.
void Analysis::look_for_setup(const model::Scenario& scenario) {
  const model::ScenarioLine* given = nullptr;
  const model::Step* before = nullptr;
  for (const model::ScenarioLine& line : scenario.lines) {
    if (!line.givens.empty() && !given) given = &line;
    for (const model::Step& step : line.steps) {
      const bool begins = step.verb == model::Step::Verb::game_begins;
      if (begins && given)
        error(Code::setup_not_first, given->range, "the game begins with its own set-up, so nothing can be given",
              "leave the `given` out, or begin with a turn: `turn of a begins`");
      else if (begins && before)
        error(Code::setup_not_first, step.range, "the game begins once, before all else")
            .notes.push_back({before->range, "this comes before it"});
      if (begins && given) return;
      before = &step;
    }
  }
}

// A phase sets its variables back when it begins, unless the scenario begins with it.
void Analysis::look_for_given_steps(const model::Scenario& scenario) {
  const model::Given* given = nullptr;
  for (const model::ScenarioLine& line : scenario.lines) {
    for (const model::Given& g : line.givens)
      if (g.variable.valid() && model_->variables[g.variable.index].lifetime == model::Lifetime::phase) given = &g;
    if (line.steps.empty()) continue;
    const model::EventId first = line.steps.front().event;
    const bool phase = first.valid() && model_->events[first.index].kind == model::EventKind::phase;
    if (given && !phase)
      error(Code::bad_scenario, given->range,
            fmt::format("`{}` is set back before each phase", model_->variables[given->variable.index].name),
            "let the scenario begin with a phase: `main of a begins`");
    return;
  }
}

void Analysis::build_scenario(const Node* node) {
  model::Scenario scenario;
  scenario.title = node->text;
  scenario.range = node->range;
  scenario_out_.clear();
  Body body;
  Rule rule;
  rule.body = &body;
  rule.scenario = true;
  in_rule(rule, [&] {
    if (const Node* s = view::scenario(node).scene()) {
      auto it = scenes_.find(s->text);
      if (it != scenes_.end()) {
        model::ScenarioLine line;
        line.kind = model::ScenarioLine::Kind::given;
        line.range = it->second->range;
        givens(view::scene(it->second).givens(), line);
        scenario.lines.push_back(std::move(line));
      }
    }
    if (!view::scenario(node).lines()) return;
    for (const Node* l : view::scenario(node).lines()->children) {
      if (!l) continue;
      model::ScenarioLine line;
      line.range = l->range;
      switch (l->kind) {
        case NodeKind::given_line:
          line.kind = model::ScenarioLine::Kind::given;
          givens(l, line);
          break;
        case NodeKind::when_line:
          line.kind = model::ScenarioLine::Kind::when;
          for (const Node* s : l->children)
            if (s) step(s, line);
          break;
        case NodeKind::then_line:
          line.kind = model::ScenarioLine::Kind::then;
          for (const Node* c : l->children)
            if (c) claim(c, line);
          break;
        default: continue;
      }
      scenario.lines.push_back(std::move(line));
    }
  });
  const bool claims = std::any_of(scenario.lines.begin(), scenario.lines.end(), [](const model::ScenarioLine& l) {
    return l.kind == model::ScenarioLine::Kind::then;
  });
  suspect(Code::without_effect, name_range(node), !claims, "this scenario claims nothing",
          "`then` says what must be so: `then a.hand is empty`");
  look_for_setup(scenario);
  look_for_given_steps(scenario);
  model_->scenarios.push_back(std::move(scenario));
}

void Analysis::build_scenarios() {
  if (ruleset_.units.empty()) return;
  const std::uint32_t depth = ruleset_.scenario_depth;
  std::vector<const Node*> scenarios;
  for (const Decl& d : decls_) {
    if (d.node->kind == NodeKind::scene && ruleset_.units[d.unit].depth <= depth)
      scenes_.insert_or_assign(std::string(d.node->text), d.node);
    if (d.node->kind == NodeKind::scenario && ruleset_.units[d.unit].depth == depth) scenarios.push_back(d.node);
  }
  for (const ScenarioInfo& info : ruleset_.scenarios) {
    if (!is_for_this_table(info)) continue;
    const auto n =
        std::find_if(scenarios.begin(), scenarios.end(), [&](const Node* s) { return s->range == info.range; });
    if (n != scenarios.end()) build_scenario(*n);
    else if (replaced_scenarios_.contains(info.title))
      error(Code::bad_scenario, info.range, "another scenario is played in the place of this one");
    else if (!removed_scenarios_.contains(info.title))
      error(
          Code::bad_scenario, info.range,
          fmt::format("this scenario is never played: what it stands in does not hold for {} players with its options",
                      info.players),
          "say them: `scenario \"…\" for 3 players with long_game { … }`");
  }
}

// Is it played by so many, with what was asked for?
bool Analysis::is_for_this_table(const ScenarioInfo& info) const {
  if (info.players != players_) return false;
  for (const Option& o : ruleset_.options) {
    std::string wanted = o.initial;
    bool named = false;
    for (const auto& [name, value] : info.options)
      if (name == o.name) wanted = value.empty() ? "on" : value, named = true;
    // what was asked for, not what became of it: `implies` and `void` do to both the same
    const auto asked = requested_.find(o.name);
    if ((named || asked != requested_.end()) && (asked != requested_.end() ? asked->second : o.initial) != wanted)
      return false;
  }
  return true;
}

}  // namespace cardwright::sema
