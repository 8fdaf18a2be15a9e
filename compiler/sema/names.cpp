// Names: what is visible where, what `me`, `it` and bare attributes mean, and the small builders of expressions.
#include <algorithm>
#include <filesystem>

#include "compiler/sema/analysis.h"
#include "compiler/sema/bundled.h"
#include "compiler/support/habits.h"

namespace cardwright::sema {

// ---------------------------------------------------------------- making expressions

Expr* Analysis::make(ExprKind kind, Type type, Range range, std::vector<const Expr*> args) {
  assert(args.size() <= model::kMostArgs[static_cast<std::size_t>(kind)]);
  Expr& e = model_->exprs.emplace_back();
  e.kind = kind;
  e.type = std::move(type);
  e.range = range;
  e.args = std::move(args);
  return &e;
}

const Expr* Analysis::poison(Range range) { return make(ExprKind::poison, plain_type(TypeKind::poison), range); }

const Expr* Analysis::constant(Type type, Int value, Range range) {
  Expr* e = make(ExprKind::constant, std::move(type), range);
  e->value = value;
  return e;
}

const Expr* Analysis::integer_constant(Int value, Range range) {
  if (value >= kUnlimited) return make(ExprKind::unlimited, integer_type(kUnlimited, kUnlimited), range);
  return constant(integer_type(value, value), value, range);
}

const Expr* Analysis::boolean_constant(bool value, Range range) { return constant(boolean_type(), value, range); }

const Expr* Analysis::raw_local(LocalId id, Range range) {
  Expr* e = make(ExprKind::local, rule_->body->locals[id.index].type, range);
  e->local = id;
  if (e->type.optional && is_narrowed(e)) e->type.optional = false;
  return e;
}

// One of a list of sets is that set.
const Expr* Analysis::local(LocalId id, Range range) {
  const Expr* e = raw_local(id, range);
  if (e->type.kind != TypeKind::listed) return e;
  Expr* set = make(ExprKind::listed_set, model_->set_lists[e->type.ref].element, range, {e});
  set->ref = e->type.ref;
  return set;
}

LocalId Analysis::add_local(std::string_view name, Type type, Range range) {
  const LocalId id{static_cast<std::uint32_t>(rule_->body->locals.size())};
  rule_->body->locals.push_back({std::string(name), std::move(type), range});
  return id;
}

LocalId Analysis::bind(std::string_view name, Type type, Range range) {
  const LocalId id = add_local(name, std::move(type), range);
  if (!name.empty() && name != "_") rule_->bindings.push_back({name, id, nullptr});
  return id;
}

// ---------------------------------------------------------------- looking names up

const Binding* Analysis::find_binding(std::string_view name) const {
  for (auto it = rule_->bindings.rbegin(); it != rule_->bindings.rend(); ++it)
    if (it->name == name) return &*it;
  return nullptr;
}

std::vector<std::string> Analysis::visible_names() const {
  std::vector<std::string> names{"players", "everyone", "turn_number", "round_number"};
  for (const Binding& b : rule_->bindings) names.emplace_back(b.name);
  for (const Element& e : rule_->elements)
    for (std::string& n : members_of(e.value->type)) names.push_back(std::move(n));
  for (const AreaInfo& area : areas_) names.push_back(area.name + "s");
  for (const Table* t : {&table_variables_, &table_zones_, &value_names_, &enum_names_, &type_names_, &kind_names_})
    for (const auto& [n, id] : *t) names.push_back(n);
  for (const auto& [n, c] : constant_names_) names.push_back(n);
  for (const auto& [n, c] : consts_) names.push_back(n);
  for (const auto& [n, c] : options_) names.push_back(n);
  if (rule_->me.valid()) names.insert(names.end(), {"me", "others"});
  if (has_turns_) names.push_back("active");
  return names;
}

Range Analysis::first_word(const Node* node) const {
  const std::string_view text = diagnostics_.sources().text(node->range);
  std::size_t length = 0;
  while (length < text.size() && (std::isalnum(static_cast<unsigned char>(text[length])) || text[length] == '_'))
    ++length;
  return {node->range.source, node->range.begin,
          node->range.begin + static_cast<std::uint32_t>(length ? length : text.size())};
}

Range Analysis::name_range(const Node* node) const {
  const std::string_view whole = diagnostics_.sources().text(node->range);
  const char* at = node->text.data();
  if (node->text.empty() || std::less<>()(at, whole.data()) || !std::less<>()(at, whole.data() + whole.size()))
    return first_word(node);
  const auto begin = node->range.begin + static_cast<std::uint32_t>(at - whole.data());
  return {node->range.source, begin, begin + static_cast<std::uint32_t>(node->text.size())};
}

bool Analysis::silent_if_absent(const Node* node) { return silent_if_absent(node->text, node->range); }

bool Analysis::silent_if_absent(std::string_view name, Range range) {
  if (!absent_.contains(name)) return false;
  if (rule_ && rule_->droppable) {
    rule_->dropped = true;
    if (rule_->dropped_for.empty()) rule_->dropped_for = name;
    return true;
  }
  if (std::any_of(removals_.begin(), removals_.end(), [&](const Node* r) { return r->text == name; }))
    return error(Code::unknown_name, range, fmt::format("`{}` is removed", name)), true;
  const bool scenario = rule_ && rule_->scenario;          // which is played with its own options and no others
  error(Code::unknown_name, range, fmt::format("`{}` is not there with these options", name),
        scenario ? "say which: `scenario \"…\" for 3 players with long_game { … }`" : "put this under the same `with`");
  return true;
}

void Analysis::name_its_library(Range name, std::string& help) {
  const std::string_view word = diagnostics_.sources().text(name);
  const bool removed = std::any_of(removals_.begin(), removals_.end(), [&](const Node* r) { return r->text == word; });
  if (removed || (!help.empty() && !help.starts_with(kGuess))) return;
  std::string libraries;
  for (const Library& library : libraries_with(ruleset_.stdlib, word)) {
    const std::string board = model_->boards.size() == 1 ? model_->boards[0].name : "BOARD";
    libraries += fmt::format("{}`use {}{}`", libraries.empty() ? "" : " or ", library.name,
                             library.on_board ? " on " + board : "");
  }
  if (!libraries.empty()) help = "it comes with " + libraries;
}

void Analysis::note_its_removal(Diagnostic& unknown) const {
  const std::string_view name = diagnostics_.sources().text(unknown.range);
  for (const Node* r : removals_)
    if (r->text == name && unknown.notes.empty()) unknown.notes.push_back({r->range, "it is removed here"});
}

// What is wrong in a page that the game takes in has to do with the game: here it does.
void Analysis::note_its_use(Diagnostic& in_a_library) const {
  const Unit* library = nullptr;
  for (const Unit& u : ruleset_.units)
    if (u.root->range.source == in_a_library.range.source && u.standard) library = &u;
  if (!library || !in_a_library.notes.empty()) return;
  const std::string path =
      "std." + std::filesystem::path(diagnostics_.sources().name(in_a_library.range.source)).stem().string();
  for (const Unit& u : ruleset_.units)
    for (const Node* n : u.root->children)
      if (n && n->kind == NodeKind::use_decl && n->text == path && !u.standard)
        return void(in_a_library.notes.push_back({n->range, "it is taken in here"}));
}

Diagnostic& Analysis::twice(const Node* node, std::string_view word, Range other) {
  const bool elsewhere = other.source != node->range.source;   // a base, or a library
  Diagnostic& said =
      error(Code::declared_twice, name_range(node),
            fmt::format("there is already {} {} `{}`", word.find_first_of("aeiou") == 0 ? "an" : "a", word, node->text),
            elsewhere ? fmt::format("say `replace {} {} …`", word, node->text) : "");
  said.notes.push_back({other, "the other"});
  return said;
}

// Where the rest of the declaration gives the name its value; no place if it doesn't.
std::optional<Range> Analysis::later_let(const Node* node) const {
  const std::string_view whole = diagnostics_.sources().text(node->range.source);
  const std::size_t end = whole.find("\n}", node->range.end);
  const std::string_view rest = whole.substr(0, end == std::string_view::npos ? whole.size() : end);
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (const std::string_view declares : {"let ", "var "}) {
    const std::string wanted = fmt::format("{}{}", declares, node->text);
    for (std::size_t at = rest.find(wanted, node->range.end); at != std::string_view::npos;
         at = rest.find(wanted, at + 1)) {
      const std::size_t behind = at + wanted.size();
      if (in_word(rest[at - 1]) || (behind < rest.size() && in_word(rest[behind]))) continue;
      return Range{node->range.source, static_cast<std::uint32_t>(at + declares.size()),
                   static_cast<std::uint32_t>(behind)};
    }
  }
  return std::nullopt;
}

// `p.hand.size`
static std::string many_habit(std::string_view name) {
  const std::string help = habit(Spot::call, name == "size" ? "len" : name);
  return help.empty() ? fmt::format("`sum of x.{} for x in …`, or `each x in … {{ }}`", name) : help;
}

// `wanted` is the type of what stands here, if that is known.
const Expr* Analysis::unknown_name(const Node* node, const Type* wanted) {
  const std::string_view name = node->text;
  if (silent_if_absent(node)) return poison(node->range);
  if (const std::string boards = ruleset_.several_boards ? of_which_board(name) : ""; !boards.empty()) {
    error(Code::ambiguous_name, node->range, fmt::format("`{}` of which board?", name), boards);
    return poison(node->range);
  }
  if (is_word_of_grids(name)) return graph_has_no(model_->boards[0], fmt::format("`{}`", name), node->range);
  const auto told = [&](const Diagnostic& d) { return d.severity == Severity::error && d.range == node->range; };
  if (std::any_of(say().all().begin(), say().all().end(), told)) {   // that it is not known before the game, say
    ++errors_;
    return poison(node->range);
  }
  std::string help = name.find('|') == std::string_view::npos
                         ? habit(Spot::name, name)
                         : "`e5|N` is an edge of a board; of conditions say `or`, of sets `+`";
  if (help.empty()) help = did_you_mean(name, visible_names());
  if (rule_->self.valid() && has_member(rule_->body->locals[rule_->self.index].type, name))
    help = fmt::format("whose? say `this.{}`", name);
  else if (player_variables_.contains(name) || player_zones_.contains(name))
    help = fmt::format("whose? say `me.{}` or `p.{}`", name, name);
  else if (event_names_.contains(name)) help = fmt::format("`{}` is an event: `{}(…)`", name, name);
  else if (function_names_.contains(name)) help = fmt::format("`{}` is a function: `{}(…)`", name, name);
  else if (window_names_.contains(name)) help = fmt::format("`{}` is a window: `open {}`", name, name);
  if (help.empty() && wanted && wanted->kind == TypeKind::enumeration && wanted->ref < model_->enums.size() &&
      !model_->enums[wanted->ref].cells)
    help = did_you_mean_one_of(name, constants_of(wanted->ref));
  if (help.empty() && !rule_->elements.empty())
    help = did_you_mean_one_of(name, members_of(rule_->elements.back().value->type));
  const std::optional<Range> later = find_binding(name) ? std::nullopt : later_let(node);
  Diagnostic& d = error(Code::unknown_name, node->range, fmt::format("no `{}` is known here", name),
                        later ? "it is known from its own line on" : help);
  if (later) d.notes.push_back({*later, "it gets its value only here"});
  return poison(node->range);
}

const Expr* Analysis::me(const Node* node) {
  if (rule_->me.valid()) return local(rule_->me, node->range);
  error(Code::nobody_meant, node->range, "`me` means nobody here",
        rule_->flow ? "say `active`, or give the player a name"
                    : "it is known in rules of characters and cards, in actions and plays; give the event a parameter");
  return poison(node->range);
}

std::optional<LocalId> Analysis::me_local() {
  if (rule_->me.valid()) return rule_->me;
  return std::nullopt;
}

// Who decides when nobody is named: `me`, then `active`.
const Expr* Analysis::decider(const Node* node, Range range) {
  if (node) {
    const Expr* p = expr(node);
    if (is_poison(p)) return p;
    if (p->type.kind != TypeKind::player) {
      error(Code::wrong_type, node->range, fmt::format("a player is needed here, not `{}`", show(p->type)));
      return poison(range);
    }
    return p;
  }
  if (rule_->me.valid()) return local(rule_->me, range);
  if (has_turns_ && !rule_->before_game) return make(ExprKind::active_player, player_type(), range);
  error(Code::nobody_meant, range, "who decides", "put the player in front: `p chooses …`, `p may …`");
  return poison(range);
}

// Where a walk over players begins: `others` at the left of `me`, `everyone` at seat a, else `me`, `active`, seat a.
const Expr* Analysis::start_of(const Node* domain, Range range) {
  while (domain && (domain->kind == NodeKind::where_expr || domain->kind == NodeKind::best_expr))
    domain = view::among(domain).set();
  if (domain && domain->kind == NodeKind::clockwise_expr) return player(view::clockwise_expr(domain).from(), true);
  const std::string_view name = domain && domain->kind == NodeKind::name_ref ? domain->text : std::string_view{};
  if (name == "others" && rule_->me.valid())
    return make(ExprKind::next_player, player_type(), range, {local(rule_->me, range)});
  if (name == "everyone") return constant(player_type(), 0, range);
  if (rule_->me.valid()) return local(rule_->me, range);
  if (has_turns_ && !rule_->before_game) {
    const Expr* active = make(ExprKind::active_player, player_type(true), range);
    return rule_->in_turn ? active
                          : make(ExprKind::or_else, player_type(), range, {active, constant(player_type(), 0, range)});
  }
  return constant(player_type(), 0, range);
}

// Cells and directions, which every game with a board has.
static bool is_of_board(const model::Model& m, std::uint32_t id) { return m.enums[id].cells || m.enums[id].dirs; }

const Expr* Analysis::enum_constant(std::string_view name, Range range, const Type* expected, bool report,
                                    bool& found) {
  found = false;
  auto it = constant_names_.find(name);
  if (it == constant_names_.end()) return nullptr;
  if (expected && expected->kind == TypeKind::set && expected->elem) expected = expected->elem.get();
  if (expected && expected->kind == TypeKind::enumeration)
    for (const auto& [e, i] : it->second)
      if (e == expected->ref) {
        found = true;
        return constant(enum_type(e), i, range);
      }
  const auto library_own = [&](const auto& c) {
    return is_of_board(*model_, c.first) || is_built_in(model_->enums[c.first].range);
  };
  const bool own_first = it->second.size() > 1 && in_library(range);
  const auto meant = own_first ? std::find_if(it->second.begin(), it->second.end(), library_own) : it->second.begin();
  if (it->second.size() == 1 || (own_first && std::count_if(it->second.begin(), it->second.end(), library_own) == 1)) {
    found = true;
    return constant(enum_type(meant->first), meant->second, range);
  }
  if (report) {
    std::string all;
    for (const auto& [e, i] : it->second)
      all += fmt::format("{}`{}`", all.empty() ? "" : " or ",
                         is_of_board(*model_, e) && ruleset_.several_boards
                             ? model_->enums[e].constants[static_cast<std::size_t>(i)].name
                             : fmt::format("{}.{}", model_->enums[e].name, name));
    error(Code::ambiguous_name, range, fmt::format("`{}` could be a constant of several enums", name), "say " + all);
    found = true;
    return poison(range);
  }
  return nullptr;
}

std::optional<std::uint32_t> Analysis::variable_with_enum(std::uint32_t id, bool per_player) const {
  std::optional<std::uint32_t> found;
  for (std::uint32_t v = 0; v < model_->variables.size(); ++v) {
    const model::Variable& x = model_->variables[v];
    if (x.per_player != per_player || x.type.kind != TypeKind::enumeration || x.type.ref != id || !x.indices.empty())
      continue;
    if (found) return std::nullopt;
    found = v;
  }
  return found;
}

// ---------------------------------------------------------------- members

bool Analysis::has_member(const Type& t, std::string_view name) const {
  switch (t.kind) {
    case TypeKind::player: {
      if (player_variables_.contains(name) || player_records_.contains(name) || player_zones_.contains(name) ||
          (name == "team" && team_area_))
        return true;
      const auto area = area_of_players(name);
      // one per player: `heroes` are those of all
      return area && (!one_each(areas_[*area]) || areas_[*area].name == name);
    }
    case TypeKind::card:
      if (name == "kind" || composed_attribute(t.ref, name) || has_place_member(t, name)) return true;
      if (t.ref < types_.size()) {
        if (attribute_of_type({t.ref}, name)) return true;
        for (std::uint32_t s = 0; s < types_.size(); ++s)          // of a more special type
          if (is_a(s, t.ref) && attribute_of_type({s}, name)) return true;
        return false;
      }
      return std::any_of(types_.begin(), types_.end(), [&](const TypeInfo& i) {
        return std::any_of(i.own.begin(), i.own.end(),
                           [&](model::AttributeId a) { return model_->attributes[a.index].name == name; });
      });
    case TypeKind::enumeration:
      return attribute_of_enum({t.ref}, name) || composed_of_enum(t.ref, name) || is_next_of_graph(t, name);
    case TypeKind::integer:
      return t.ref < areas_.size() && (areas_[t.ref].zones.contains(name) || areas_[t.ref].variables.contains(name) ||
                                       areas_[t.ref].records.contains(name) || (is_team(t) && name == "players") ||
                                       (areas_[t.ref].each > 0 && name == "owner") || has_piece_member(t.ref, name));
    case TypeKind::record: {
      const auto& fields = model_->records[t.ref].fields;
      return std::any_of(fields.begin(), fields.end(), [&](const model::RecordField& f) { return f.name == name; });
    }
    default: return false;
  }
}

// In the standard library, another library, or nowhere: not by the game.
bool Analysis::is_built_in(Range declared) const { return !declared.known() || in_library(declared); }

bool Analysis::is_library_member(const Type& t, std::string_view name) const {
  if (t.kind == TypeKind::player) {
    if (const auto v = player_variables_.find(name); v != player_variables_.end())
      return is_built_in(model_->variables[v->second].range);
    if (const auto z = player_zones_.find(name); z != player_zones_.end())
      return is_built_in(model_->zones[z->second].range);
    return false;
  }
  if (t.kind == TypeKind::enumeration && is_of_board(*model_, t.ref)) return true;
  const auto declared_so = [&](const model::Attribute& a) { return a.name == name; };
  return (t.kind == TypeKind::card || t.kind == TypeKind::enumeration) &&
         std::all_of(model_->attributes.begin(), model_->attributes.end(),
                     [&](const model::Attribute& a) { return !declared_so(a) || is_built_in(a.range); });
}

std::vector<std::string> Analysis::constants_of(std::uint32_t id) const {
  std::vector<std::string> names;
  for (const model::EnumConst& c : model_->enums[id].constants) names.push_back(c.name);
  return names;
}

std::vector<std::string> Analysis::members_of(const Type& t) const {
  std::vector<std::string> names;
  if (t.kind == TypeKind::player) {
    for (const auto& [n, id] : player_variables_) names.push_back(n);
    for (const auto& [n, id] : player_zones_) names.push_back(n);
    for (const AreaInfo& area : areas_)
      if (area.each > 0) names.push_back(area.name + "s");
  } else if (t.kind == TypeKind::card) {
    names.push_back("kind");
    for (const char* place : {"at", "cells", "facing"})
      if (has_place_member(t, place)) names.push_back(place);
    for (std::uint32_t s = 0; s < types_.size(); ++s)
      if (t.ref >= types_.size() || is_a(s, t.ref) || is_a(t.ref, s))
        for (model::AttributeId a : types_[s].own) names.push_back(model_->attributes[a.index].name);
  } else if (t.kind == TypeKind::enumeration && t.ref < model_->enums.size()) {
    for (model::AttributeId a : model_->enums[t.ref].attributes) names.push_back(model_->attributes[a.index].name);
    if (is_next_of_graph(t, "next")) names.push_back("next");
  } else if (t.kind == TypeKind::integer && t.ref < areas_.size()) {
    for (const auto& [n, id] : areas_[t.ref].zones) names.push_back(n);
    for (const auto& [n, id] : areas_[t.ref].variables) names.push_back(n);
    if (areas_[t.ref].each > 0) names.push_back("owner");
    if (areas_[t.ref].piece)
      names.push_back(model_->areas[t.ref].piece && model_->areas[t.ref].piece->edges ? "edges" : "cells");
    if (const auto per = model_->areas[t.ref].per) {
      names.push_back(areas_[t.ref].constant);
      for (std::string& n : members_of(enum_type(per->index))) names.push_back(std::move(n));
    }
  } else if (t.kind == TypeKind::record) {
    for (const model::RecordField& f : model_->records[t.ref].fields) names.push_back(f.name);
  }
  return names;
}

// A variable as it stands in an expression; of a table what is left of it to pick from.
const Expr* Analysis::variable_of(std::uint32_t id, Range range, std::vector<const Expr*> args) {
  const model::Variable& v = model_->variables[id];
  const std::size_t given = args.size() - (v.per_player ? 1 : 0);
  Type t = v.type;
  if (given < v.indices.size()) {
    t = plain_type(TypeKind::map);
    t.elem = std::make_shared<const Type>(v.type);
    t.key = std::make_shared<const Type>(v.indices[given]);
  }
  Expr* e = make(ExprKind::variable, std::move(t), range, std::move(args));
  e->ref = id;
  if (e->type.optional && is_narrowed(e)) e->type.optional = false;
  return e;
}

const Expr* Analysis::member_of(const Expr* of, std::string_view name, Range range, Range whole, bool report) {
  if (is_poison(of)) return poison(whole);
  const Type& t = of->type;
  const auto fail = [&](std::string message, std::string help = {}) -> const Expr* {
    if (report) error(Code::unknown_member, range, std::move(message), std::move(help));
    return report ? poison(whole) : nullptr;
  };
  switch (t.kind) {
    case TypeKind::player: {
      auto v = player_variables_.find(name);
      auto z = player_zones_.find(name);
      const auto record = player_records_.find(name);
      const bool known = v != player_variables_.end() || z != player_zones_.end() || record != player_records_.end();
      const auto area = area_of_players(name);
      if (!known && !area && !(name == "team" && team_area_)) {
        if (absent_.contains(name) && rule_->droppable) {
          rule_->dropped = true;
          return poison(whole);
        }
        return fail(
            fmt::format("a player has no `{}`", name),
            in_standard_library(whole)
                ? fmt::format("this page counts on it: declare it in `player {{ … }}`, such as `zone {}: owner`", name)
                : did_you_mean_one_of(name, members_of(t)));
      }
      if (t.optional && !is_soft(of)) {
        error(Code::may_be_none, of->range, "this player may be none", "ask first: `if p is in …`, or `when p is in`");
        return poison(whole);
      }
      if (!known && area && one_each(areas_[*area]) && areas_[*area].name != name)
        return fail(fmt::format("each player has one `{}`", areas_[*area].name),
                    fmt::format("`p.{}`", areas_[*area].name));
      if (!known && area && one_each(areas_[*area])) {
        Expr* e = make(ExprKind::part_at, area_type(*area), whole, {of, integer_constant(1, whole)});
        e->value = 1;
        return e;
      }
      if (!known && area && areas_[*area].name == name)
        return fail(fmt::format("which `{}`", name),
                    fmt::format("`p.{0}[1]` is the first, `p.{0}s` are all of them", name));
      if (!known && area) {
        Expr* e = make(ExprKind::parts_of, set_type(area_type(*area)), whole, {of});
        e->value = areas_[*area].each;
        return e;
      }
      if (!known) return make(ExprKind::team_of, area_type(*team_area_), whole, {of});
      used_.insert(std::string(name));
      if (z != player_zones_.end()) {
        const bool own = model_->zones[z->second].per_player;   // else it is shared: everybody's is the one
        Expr* e = make(ExprKind::zone, set_type(card_type()), whole, {own ? of : nullptr});
        e->ref = z->second;
        return e;
      }
      if (record != player_records_.end())
        return spread(record->first, record->second, whole, [&](const std::string& leaf, const Type&) {
          return variable_of(player_variables_.find(leaf)->second, whole, {of});
        });
      return variable_of(v->second, whole, {of});
    }
    case TypeKind::card: {
      if (name == "kind")
        return make(ExprKind::kind_of, t.optional ? with_none(kind_type()) : kind_type(), whole, {of});
      const std::vector<std::uint32_t> owners = types_with(t.ref, name);
      if (owners.empty() && has_place_member(t, name)) {
        if (!t.optional || is_soft(of)) return piece_member(of, name, range, whole, report);
        error(Code::may_be_none, of->range, "this card may be none", "ask first whether it `is not none`");
        return poison(whole);
      }
      if (owners.size() > 1)
        return fail(fmt::format("several card types have an attribute `{}`", name), "say which type the card is of");
      if (const Type* composed = composed_attribute(t.ref, name))
        return composed_member(std::string(name), *composed, whole,
                               [&](const std::string& leaf) { return member_of(of, leaf, range, whole, report); });
      const auto a = owners.empty() ? std::nullopt : attribute_of_type({owners[0]}, name);
      if (!a) {
        if (absent_.contains(name) && rule_->droppable) {
          rule_->dropped = true;
          return poison(whole);
        }
        return fail(t.ref < types_.size()
                        ? fmt::format("`{}` has no attribute `{}`", model_->card_types[t.ref].name, name)
                        : fmt::format("no card has an attribute `{}`", name),
                    did_you_mean_one_of(name, members_of(t)));
      }
      used_.insert(std::string(name));
      Type type = model_->attributes[a->index].type;
      if (t.optional && type.kind != TypeKind::set) type.optional = true;
      Expr* e = make(ExprKind::attribute, type, whole, {of});
      e->ref = a->index;
      if (type.optional && is_narrowed(e)) e->type.optional = false;
      return e;
    }
    case TypeKind::enumeration: {
      if (const Type* composed = composed_of_enum(t.ref, name))
        return composed_member(std::string(name), *composed, whole,
                               [&](const std::string& leaf) { return member_of(of, leaf, range, whole, report); });
      if (const auto board = name == "cells" ? board_of_edge(t) : std::nullopt) return cells_of_edge(*board, of, whole);
      if (is_next_of_graph(t, name)) return cells_next_to(of, whole);
      auto a = attribute_of_enum({t.ref}, name);
      if (!a)
        return fail(fmt::format("`{}` has no attribute `{}`", model_->enums[t.ref].name, name),
                    did_you_mean_one_of(name, members_of(t)));
      used_.insert(std::string(name));
      Type type = model_->attributes[a->index].type;
      if (t.optional && type.kind != TypeKind::set) type.optional = true;
      Expr* e = make(ExprKind::attribute, type, whole, {of});
      e->ref = a->index;
      if (type.optional && is_narrowed(e)) e->type.optional = false;
      return e;
    }
    case TypeKind::integer: {
      if (t.ref >= areas_.size()) return fail(fmt::format("a number has no `{}`", name));
      const AreaInfo& area = areas_[t.ref];
      if (t.optional && !is_soft(of)) {
        error(Code::may_be_none, of->range, fmt::format("this `{}` may be none", area.name),
              "ask first whether it `is not none`");
        return poison(whole);
      }
      if (is_team(t) && name == "players" && !area.variables.contains(name))
        return make(ExprKind::team_players, set_type(player_type()), whole, {of});
      if (auto z = area.zones.find(name); z != area.zones.end()) {
        const Expr* copy = of->kind == ExprKind::constant ? integer_constant(of->value - 1, of->range)
                                                          : make(ExprKind::subtract, integer_type(0, area.count - 1),
                                                                 of->range, {of, integer_constant(1, of->range)});
        Expr* e = make(ExprKind::zone, set_type(card_type()), whole, {nullptr, copy});
        e->ref = z->second;
        return e;
      }
      if (auto r = area.records.find(name); r != area.records.end())
        return spread(r->first, r->second, whole, [&](const std::string& leaf, const Type&) {
          return variable_of(areas_[t.ref].variables.find(leaf)->second, whole, {of});
        });
      if (auto v = area.variables.find(name); v != area.variables.end()) return variable_of(v->second, whole, {of});
      if (area.each > 0 && name == "owner") {
        Expr* e = make(ExprKind::part_owner, player_type(), whole, {of});
        e->value = area.each;
        return e;
      }
      if (area.piece)
        if (const Expr* e = piece_member(of, name, range, whole, report)) return e;
      return fail(fmt::format("`{}` has no `{}`", area.name, name), did_you_mean_one_of(name, members_of(t)));
    }
    case TypeKind::record: {
      const std::vector<model::RecordField>& fields = model_->records[t.ref].fields;
      for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i].name == name) return of->args[i];
      return fail(fmt::format("`{}` has no field `{}`", show(t), name), did_you_mean_one_of(name, members_of(t)));
    }
    case TypeKind::set:
      return fail(fmt::format("`{}` belongs to one, and this is a set", name), many_habit(name));
    default: return fail(fmt::format("`{}` has no `{}`", show(t), name));
  }
}

}  // namespace cardwright::sema
