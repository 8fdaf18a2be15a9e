// What is in the box: enums, character types with their characters, card types, cards and their attributes.
#include <algorithm>

#include "compiler/sema/analysis.h"
#include "compiler/support/decimal.h"

namespace cardwright::sema {

namespace {
constexpr std::size_t kMostKinds = 500;
constexpr std::size_t kMostAttributes = 1000;
constexpr Int kAbsent = kNone + 1;   // an attribute of which nothing is said

Int mask_of(const std::vector<Int>& elements) {
  Int mask = 0;
  for (const Int e : elements) mask |= Int{1} << e;
  return mask;
}

const Node* members_of_node(const Node* n) {
  if (!n) return nullptr;
  switch (n->kind) {
    case NodeKind::card_type: return view::card_type(n).members();
    case NodeKind::card: return view::card(n).members();
    case NodeKind::character_type: return view::character_type(n).members();
    case NodeKind::character: return view::character(n).members();
    default: return nullptr;
  }
}
}  // namespace

// `LilBrudder` as people read it: "Lil Brudder".
std::string Analysis::split_words(std::string_view name) const {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool upper = c >= 'A' && c <= 'Z', digit = c >= '0' && c <= '9';
    const char before = i ? name[i - 1] : 0;
    const bool lower_before = before >= 'a' && before <= 'z';
    const bool digit_before = before >= '0' && before <= '9';
    if (c == '_') {
      out += ' ';
      continue;
    }
    if (i && ((upper && (lower_before || digit_before)) || (digit && lower_before))) out += ' ';
    out += c;
  }
  return out;
}

bool Analysis::is_a(std::uint32_t type, std::uint32_t base) const {
  for (std::size_t steps = 0; steps <= model_->card_types.size(); ++steps) {
    if (type == base) return true;
    if (type >= model_->card_types.size() || !model_->card_types[type].base) return false;
    type = model_->card_types[type].base->index;
  }
  return false;
}

// A card type without cards of its own is its own card: known before any rule hangs on it.
void Analysis::declare_own_kinds() {
  for (std::uint32_t t = 0; t < types_.size(); ++t) {
    const bool is_base = std::any_of(model_->card_types.begin(), model_->card_types.end(),
                                     [&](const model::CardType& c) { return c.base && c.base->index == t; });
    if (types_[t].node && !is_base && kinds_of_type(t).empty()) implicit_kind({t});
  }
  const auto rows = [&](auto&& self, const Node* n) -> void {   // a deck may have plain cards of a type that has others
    if (!n) return;
    if (n->kind == NodeKind::deck_row)
      if (auto t = type_names_.find(n->text); t != type_names_.end() && types_[t->second].node)
        implicit_kind({t->second});
    for (const Node* c : n->children) self(self, c);
  };
  for (const Decl& d : decls_)
    if (d.node && d.node->kind == NodeKind::deck) rows(rows, d.node);
}

std::vector<Int> Analysis::kinds_of_type(std::uint32_t type) const {
  std::vector<Int> kinds;
  for (std::size_t k = 0; k < model_->kinds.size(); ++k)
    if (is_a(model_->kinds[k].type.index, type)) kinds.push_back(static_cast<Int>(k));
  return kinds;
}

std::vector<Int> Analysis::kinds_meant(std::string_view name) const {
  if (auto k = kind_names_.find(name); k != kind_names_.end())
    return k->second == ~0u ? std::vector<Int>{} : std::vector<Int>{Int{k->second}};
  const auto t = type_names_.find(name);
  if (t == type_names_.end()) return {};
  std::vector<Int> kinds = kinds_of_type(t->second);
  if (kinds.empty() && types_[t->second].implicit) kinds.push_back(Int{types_[t->second].implicit->index});
  return kinds;
}

// What a card type says for all its cards that say nothing else; that of the nearest base.
std::string Analysis::text_of_type(std::uint32_t type) {
  std::uint32_t of = type;
  for (std::size_t steps = 0; steps <= types_.size() && of < types_.size(); ++steps) {
    std::string words;
    if (types_[of].node)
      expand(members_of_node(types_[of].node), model::RuleKind::card, [&](const Node* m, model::RuleKind) {
        if (m->kind == NodeKind::text_decl) words = printed_words(view::text_decl(m).words(), type, "text");
      });
    if (!words.empty() || !model_->card_types[of].base) return words;
    of = model_->card_types[of].base->index;
  }
  return {};
}

model::KindId Analysis::implicit_kind(model::CardTypeId type) {
  TypeInfo& info = types_[type.index];
  if (info.implicit) return *info.implicit;
  const model::CardType& t = model_->card_types[type.index];
  const model::KindId id{static_cast<std::uint32_t>(model_->kinds.size())};
  const bool varies = t.label.find('{') != std::string::npos;
  model_->kinds.push_back({.name = t.name,
                           .label = t.label.empty() || varies ? split_words(t.name) : t.label,
                           .text = text_of_type(type.index),
                           .type = type,
                           .range = t.range});
  kinds_.push_back({.node = info.node, .attributes = {}, .in_deck = true, .implicit = true});
  info.implicit = id;
  return id;
}

// The attributes of a card type as they were declared, those of its base first.
std::vector<std::string> Analysis::attributes_in_order(std::uint32_t type) const {
  std::vector<std::uint32_t> chain;
  for (std::size_t steps = 0; steps <= types_.size() && type < types_.size(); ++steps) {
    chain.push_back(type);
    if (!model_->card_types[type].base) break;
    type = model_->card_types[type].base->index;
  }
  std::vector<std::string> out;
  for (auto it = chain.rbegin(); it != chain.rend(); ++it)
    out.insert(out.end(), types_[*it].order.begin(), types_[*it].order.end());
  return out;
}

std::optional<model::AttributeId> Analysis::attribute_of_type(model::CardTypeId type, std::string_view name) const {
  std::uint32_t t = type.index;
  for (std::size_t steps = 0; steps <= types_.size() && t < types_.size(); ++steps) {
    for (model::AttributeId a : types_[t].own)
      if (model_->attributes[a.index].name == name) return a;
    if (!model_->card_types[t].base) break;
    t = model_->card_types[t].base->index;
  }
  return std::nullopt;
}

// The card types that declare such an attribute, of those that a card of `type` may be of; all types, if it is of any.
// What its own type or a base of that declares comes before what types derived from it do.
std::vector<std::uint32_t> Analysis::types_with(std::uint32_t type, std::string_view name) const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t t = 0; t < types_.size(); ++t) {
    const auto named = [&](model::AttributeId a) { return model_->attributes[a.index].name == name; };
    if (!types_[t].composed.contains(name) && std::none_of(types_[t].own.begin(), types_[t].own.end(), named)) continue;
    if (type < types_.size() && is_a(type, t)) return {t};
    if (type >= types_.size() || is_a(t, type)) out.push_back(t);
  }
  return out;
}

std::optional<model::AttributeId> Analysis::attribute_of_enum(model::EnumId id, std::string_view name) const {
  if (id.index >= model_->enums.size()) return std::nullopt;
  for (model::AttributeId a : model_->enums[id.index].attributes)
    if (model_->attributes[a.index].name == name) return a;
  return std::nullopt;
}

// One attribute, or of a record or table one for each of its fields and entries; with what each is if nothing is said.
std::vector<Analysis::Declared> Analysis::declare_attribute(const Node* field, std::string_view owner,
                                                            Composed& composed) {
  Type t = view::field(field).type() ? type_or_poison(view::field(field).type()) : plain_type(TypeKind::poison);
  if (!view::field(field).type())
    error(Code::bad_attribute, field->range, fmt::format("the attribute `{}` of `{}` needs a type", field->text, owner),
          fmt::format("`{}: int`", field->text));
  const std::string name(field->text);
  std::vector<Part> leaves = attribute_leaves(t, name, unit_of_type(view::field(field).type()));
  // of an area
  const auto is_part = [&](const Type& of) { return of.kind == TypeKind::integer && of.ref < areas_.size(); };
  const auto unfit = [&](const Part& p) {
    const bool set = p.type.kind == TypeKind::set;
    const Type& of = set ? *p.type.elem : p.type;
    if (is_part(of)) return true;
    if (of.kind == TypeKind::enumeration) return set && model_->enums[of.ref].cells;
    return of.kind != TypeKind::integer &&
           (set || (of.kind != TypeKind::boolean && of.kind != TypeKind::kind && of.kind != TypeKind::poison));
  };
  bool has_entry_for_parts = false;
  for (const Type* table = &t; table->kind == TypeKind::map; table = table->elem.get())
    has_entry_for_parts = has_entry_for_parts || is_part(*table->key);
  if (leaves.empty() || has_entry_for_parts || std::any_of(leaves.begin(), leaves.end(), unfit)) {
    const auto bad = std::find_if(leaves.begin(), leaves.end(), unfit);
    const std::string because =
        leaves.size() > 1 && bad != leaves.end()
            ? fmt::format(": its `{}` is a `{}`", bad->name.substr(name.size() + 1), show(bad->type))
            : "";
    error(Code::unsupported, view::field(field).type()->range,
          fmt::format("an attribute can't be of type `{}`{}", show(leaves.size() == 1 ? leaves[0].type : t), because));
    t = plain_type(TypeKind::poison);
    leaves = {{name, t}};
  }
  const bool whole = t.kind == TypeKind::map || t.kind == TypeKind::record;
  if (whole) composed.emplace(name, t);
  if (const Node* seen = view::field(field).words(); seen && !seen->children.empty())
    error(Code::misplaced, seen->range, "an attribute is what the card is: who sees it depends on where the card lies",
          "say it of zones: `zone hand: owner`, or of variables of players");
  const std::vector<WrittenPart> written = written_attribute(whole ? &t : nullptr, name, view::field(field).initial());
  if (model_->attributes.size() + leaves.size() > kMostAttributes)
    error(Code::too_many, field->range, fmt::format("more than {} attributes", kMostAttributes));
  std::vector<Declared> out;
  for (const Part& leaf : leaves) {
    const auto said =
        std::find_if(written.begin(), written.end(), [&](const WrittenPart& w) { return w.name == leaf.name; });
    out.push_back(
        {{static_cast<std::uint32_t>(model_->attributes.size())}, said == written.end() ? nullptr : said->value});
    if (!leaf.unit.empty()) attribute_units_.emplace(model_->attributes.size(), leaf.unit);
    model_->attributes.push_back(
        {.name = leaf.name, .type = leaf.type, .unprinted = field->number == 5, .range = field->range});
  }
  return out;
}

// Its constants. What is said of them waits until the constants of all enums are known: `next: set of Town` in `enum
// Town`.
void Analysis::declare_enum(const Decl& d) {
  const Node* node = d.node;
  if (auto [it, fresh] = enum_names_.emplace(std::string(node->text), static_cast<std::uint32_t>(model_->enums.size()));
      !fresh) {
    twice(node, "enum", model_->enums[it->second].range);
    return;
  }
  const auto id = static_cast<std::uint32_t>(model_->enums.size());
  model_->enums.push_back({});
  model::Enum& e = model_->enums.back();
  e.name = node->text;
  e.range = name_range(node);
  EnumInfo& info = enum_infos_[id];
  info.decl = d;
  Int next = 0;
  if (const Node* list = view::enum_decl(node).constants())
    expand(list, model::RuleKind::rule, [&](const Node* n, model::RuleKind) {
      if (n->kind == NodeKind::field) {
        info.fields.push_back(n);
        return;
      }
      if (n->kind != NodeKind::enum_const) return;
      model::Enum& e = model_->enums[id];
      if (e.constants.size() >= model::kMostConstants) {
        if (e.constants.size() == model::kMostConstants)
          error(Code::too_many, name_range(n),
                fmt::format("`{}` has more than {} constants", e.name, model::kMostConstants));
        return;
      }
      if (view::enum_const(n).value()) {
        if (auto v = fixed_int(view::enum_const(n).value())) next = *v;
        e.numbered = true;
      }
      if (std::any_of(e.constants.begin(), e.constants.end(), [&](const auto& c) { return c.name == n->text; })) {
        error(Code::declared_twice, name_range(n), fmt::format("`{}` is in `{}` twice", n->text, e.name));
        return;
      }
      constant_names_[std::string(n->text)].push_back({id, static_cast<Int>(e.constants.size())});
      e.constants.push_back({.name = std::string(n->text),
                             .label = split_words(n->text),
                             .number = next++,
                             .attributes = {},
                             .text = {},
                             .range = n->range});
      info.written.push_back(n);
    });
  if (view::enum_decl(node).csv()) enum_csv(id);
  if (model_->enums[id].constants.empty() && !view::enum_decl(node).csv())
    error(Code::bad_attribute, name_range(node), fmt::format("the enum `{}` has no constants", node->text));
}

void Analysis::enum_attributes(std::uint32_t id) {
  EnumInfo& info = enum_infos_[id];
  std::vector<std::string> order;
  std::vector<Declared> declared;
  for (const Node* f : info.fields) {
    order.emplace_back(f->text);
    for (const Declared& a : declare_attribute(f, model_->enums[id].name, enum_composed_[id])) declared.push_back(a);
  }
  for (const Declared& a : declared) model_->enums[id].attributes.push_back(a.id);
  for (model::EnumConst& c : model_->enums[id].constants) c.attributes.resize(declared.size(), kAbsent);
  if (info.table) enum_csv_attributes(id);
  for (std::size_t i = 0; i < info.written.size(); ++i)
    if (view::enum_const(info.written[i]).arguments()) written_constant(id, i, order);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const std::optional<Int> initial =
        declared[i].initial ? attribute_value(declared[i].id, declared[i].initial) : std::nullopt;
    for (model::EnumConst& c : model_->enums[id].constants) {
      if (c.attributes[i] != kAbsent) continue;
      const model::Attribute& a = model_->attributes[declared[i].id.index];
      c.attributes[i] = declared[i].initial ? initial.value_or(0) : unsaid(a.type);
      if (c.attributes[i] == kAbsent) {
        error(Code::bad_attribute, c.range, fmt::format("`{}` has no `{}`", c.name, a.name),
              fmt::format("write `{}({}: …)`, fill the enum from a CSV file, or give the attribute a default", c.name,
                          a.name.substr(0, a.name.find('.'))));
        c.attributes[i] = 0;
      }
    }
  }
}

// What an attribute is of which nothing is said.
Int Analysis::unsaid(const Type& type) const {
  return type.optional || type.kind == TypeKind::poison ? kNone : type.kind == TypeKind::set ? 0 : kAbsent;
}

// `Oslo(next: [Rome])`: by name, or in the order in which they are declared.
void Analysis::written_constant(std::uint32_t id, std::size_t constant, const std::vector<std::string>& order) {
  std::size_t at = 0;
  std::set<std::string_view> given;
  for (const Node* a : view::enum_const(enum_infos_[id].written[constant]).arguments()->children) {
    if (a->text.empty() && at >= order.size()) {
      error(Code::bad_attribute, a->range,
            fmt::format("`{}` has {} attribute{}, and this is one more", model_->enums[id].name, order.size(),
                        order.size() == 1 ? "" : "s"));
      return;
    }
    const std::string_view name = a->text.empty() ? std::string_view(order[at]) : a->text;
    at = a->text.empty() ? at + 1
                         : static_cast<std::size_t>(std::find(order.begin(), order.end(), name) - order.begin()) + 1;
    if (!given.insert(name).second) error(Code::wrong_arguments, a->range, fmt::format("`{}` is given twice", name));
    else
      say_of_constant(id, constant, a->range, name, view::arg(a).value());
  }
}

void Analysis::say_of_constant(std::uint32_t id, std::size_t constant, Range at, std::string_view name,
                               const Node* value) {
  model::Enum& e = model_->enums[id];
  for (const WrittenPart& p : written_attribute(composed_of_enum(id, name), name, value)) {
    const auto a = attribute_of_enum({id}, p.name);
    if (!a) {
      error(Code::unknown_member, at, fmt::format("`{}` has no attribute `{}`", e.name, name),
            did_you_mean(name, members_of(enum_type(id))));
      return;
    }
    if (const auto v = attribute_value(*a, p.value))
      e.constants[constant].attributes[static_cast<std::size_t>(
          std::find(e.attributes.begin(), e.attributes.end(), *a) - e.attributes.begin())] = *v;
  }
}

// `enum Weapon from "weapons.csv" where C`: of the lines those for which C holds.
void Analysis::keep_constants_where(std::uint32_t id, const Node* where) {
  Body& body = scratch_.emplace_back();
  Rule rule;
  rule.body = &body;
  rule.pure = rule.constant = true;
  std::vector<model::EnumConst> kept;
  std::vector<Int> now(model_->enums[id].constants.size(), kNone);
  bool good = true;
  in_rule(rule, [&] {
    for (std::size_t i = 0; i < model_->enums[id].constants.size() && good; ++i) {
      Scoped scope(*rule_);
      rule_->elements.push_back({constant(enum_type(id), static_cast<Int>(i), where->range), true});
      const Expr* c = condition(where);
      Frame frame;
      const auto holds = is_poison(c) ? std::nullopt : evaluate(*c, frame);
      if (!holds && !is_poison(c))
        not_known(where->range, "which lines are meant must be known before the game",
                  "it may use attributes, options and `const`s");
      good = holds.has_value();
      if (!good || !holds->value) continue;
      now[i] = static_cast<Int>(kept.size());
      kept.push_back(model_->enums[id].constants[i]);
    }
  });
  if (!good) return;
  if (kept.empty())
    return void(
        error(Code::bad_attribute, where->range, fmt::format("no line is left for `{}`", model_->enums[id].name)));
  for (auto& [name, constants] : constant_names_)
    std::erase_if(constants, [&](const auto& c) { return c.first == id; });
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!model_->enums[id].numbered) kept[i].number = static_cast<Int>(i);
    constant_names_[kept[i].name].push_back({id, static_cast<Int>(i)});
  }
  std::erase_if(constant_names_, [](const auto& entry) { return entry.second.empty(); });
  model_->enums[id].constants = std::move(kept);
  forget_constants(id, now);
}

// Attributes that speak of the constants of an enum of which some are left out: what speaks of those says nothing.
void Analysis::forget_constants(std::uint32_t id, const std::vector<Int>& now) {
  const auto is = [&](Int constant) { return now[static_cast<std::size_t>(constant)]; };
  for (model::Enum& e : model_->enums)
    for (std::size_t i = 0; i < e.attributes.size(); ++i) {
      const model::Attribute& a = model_->attributes[e.attributes[i].index];
      const bool set = a.type.kind == TypeKind::set;
      const Type& of = set ? *a.type.elem : a.type;
      if (of.kind != TypeKind::enumeration || of.ref != id) continue;
      for (model::EnumConst& c : e.constants) {
        if (c.attributes[i] == kNone) continue;
        const Int before = std::exchange(c.attributes[i], 0);
        if (!set) c.attributes[i] = is(before);
        for (Int k = 0; set && k < static_cast<Int>(now.size()); ++k)
          if ((before >> k & 1) && is(k) != kNone) c.attributes[i] |= Int{1} << is(k);
        if (!set && is(before) == kNone && !a.type.optional)
          error(Code::bad_attribute, c.range,
                fmt::format("the `{}` of `{}` is a line that is left out", a.name, c.name),
                fmt::format("`{}: {}?` may be none", a.name, show(a.type)));
      }
    }
}

void Analysis::declare_character_types() {
  for (const Decl& d : decls_) {
    if (d.node->kind != NodeKind::character_type) continue;
    if (enum_names_.contains(d.node->text)) {
      error(Code::declared_twice, name_range(d.node),
            fmt::format("there is already an enum or character type `{}`", d.node->text));
      continue;
    }
    const auto id = static_cast<std::uint32_t>(model_->enums.size());
    enum_names_.emplace(std::string(d.node->text), id);
    model_->enums.push_back({});
    model_->enums.back().name = d.node->text;
    model_->enums.back().character = true;
    model_->enums.back().range = d.node->range;
    enum_infos_[id].decl = d;
  }
}

// The type of a character, as it is written or as there is only one.
std::optional<std::uint32_t> Analysis::character_type_of(const Node* character) {
  if (const Node* t = view::character(character).type()) {
    auto it = enum_names_.find(t->text);
    if (it != enum_names_.end() && model_->enums[it->second].character) return it->second;
    std::vector<std::string> names;
    for (const auto& [name, id] : enum_names_)
      if (model_->enums[id].character) names.push_back(name);
    error(Code::unknown_name, t->range, fmt::format("no character type named `{}`", t->text),
          did_you_mean(t->text, names));
    return std::nullopt;
  }
  std::uint32_t type = ~0u;
  for (std::uint32_t e = 0; e < model_->enums.size(); ++e)
    if (model_->enums[e].character) type = type == ~0u ? e : ~1u;
  if (type < model_->enums.size()) return type;
  error(Code::unknown_name, name_range(character), fmt::format("the character `{}` needs a type", character->text),
        "`character type Hero { }`, then `character Bob: Hero`");
  return std::nullopt;
}

void Analysis::declare_characters() {
  for (const Decl& d : decls_) {
    const Node* n = d.node;
    if (n->kind != NodeKind::character) continue;
    const auto type = character_type_of(n);
    if (!type) continue;
    model::Enum& e = model_->enums[*type];
    if (e.constants.size() >= model::kMostConstants) {
      error(Code::too_many, name_range(n), fmt::format("there are more than {} characters", model::kMostConstants));
      continue;
    }
    if (std::any_of(e.constants.begin(), e.constants.end(), [&](const auto& c) { return c.name == n->text; })) {
      error(Code::declared_twice, name_range(n), fmt::format("there is already a character `{}`", n->text));
      continue;
    }
    enum_infos_[*type].characters.push_back({e.constants.size(), n});
    constant_names_[std::string(n->text)].push_back({*type, static_cast<Int>(e.constants.size())});
    e.constants.push_back(
        {.name = std::string(n->text),
         .label = view::character(n).label() ? plain_words(view::character(n).label()) : split_words(n->text),
         .number = static_cast<Int>(e.constants.size()),
         .attributes = {},
         .text = {},
         .range = n->range});
  }
}

void Analysis::character_attributes(std::uint32_t type) {
  const EnumInfo& info = enum_infos_[type];
  std::vector<Declared> declared;
  expand(members_of_node(info.decl.node), model::RuleKind::card, [&](const Node* n, model::RuleKind) {
    if (n->kind != NodeKind::field) return;
    for (const Declared& a : declare_attribute(n, info.decl.node->text, enum_composed_[type])) declared.push_back(a);
  });
  model::Enum& e = model_->enums[type];
  for (const Declared& a : declared) e.attributes.push_back(a.id);
  for (const auto& [constant, node] : info.characters) {
    model::EnumConst& c = e.constants[constant];
    c.attributes.assign(declared.size(), kAbsent);
    say_of_character(type, constant, node);
    for (std::size_t i = 0; i < declared.size(); ++i) {
      if (c.attributes[i] != kAbsent) continue;
      const model::Attribute& a = model_->attributes[declared[i].id.index];
      c.attributes[i] =
          declared[i].initial ? attribute_value(declared[i].id, declared[i].initial).value_or(0) : unsaid(a.type);
      if (c.attributes[i] == kAbsent) {
        error(Code::bad_attribute, name_range(node), fmt::format("`{}` has no `{}`", node->text, a.name),
              fmt::format("write `character {}: {}, {} …`", node->text, e.name, a.name));
        c.attributes[i] = 0;
      }
    }
  }
}

void Analysis::say_of_character(std::uint32_t type, std::size_t constant, const Node* node) {
  const view::character its(node);
  if (its.attributes())
    for (const Node* a : its.attributes()->children)
      if (a) say_of_constant(type, constant, a->range, a->text, view::attr(a).value());
  expand(members_of_node(node), model::RuleKind::card, [&](const Node* m, model::RuleKind) {
    if (m->kind == NodeKind::field && !view::field(m).type() && view::field(m).initial())
      say_of_constant(type, constant, m->range, m->text, view::field(m).initial());
    else if (m->kind == NodeKind::field)
      error(Code::bad_attribute, m->range, "attributes are declared in the character type");
    if (m->kind == NodeKind::text_decl)
      model_->enums[type].constants[constant].text = plain_words(view::text_decl(m).words());
  });
}

void Analysis::declare_card_types() {
  std::vector<const Decl*> order;
  for (const Decl& d : decls_) {
    if (d.node->kind != NodeKind::card_type) continue;
    const auto id = static_cast<std::uint32_t>(model_->card_types.size());
    if (type_names_.contains(d.node->text)) {
      error(Code::declared_twice, name_range(d.node), fmt::format("there is already a card type `{}`", d.node->text));
      continue;
    }
    type_names_.emplace(std::string(d.node->text), id);
    model_->card_types.push_back(
        {.name = std::string(d.node->text),
         .base = {},
         .label = view::card_type(d.node).label() ? std::string(view::card_type(d.node).label()->text) : "",
         .range = d.node->range});
    types_.push_back({.node = d.node, .own = {}, .order = {}, .composed = {}, .initial = {}, .implicit = {}});
    order.push_back(&d);
  }
  for (std::uint32_t t = 0; t < types_.size(); ++t) {
    const Node* base = view::card_type(types_[t].node).base();
    if (!base) continue;
    auto it = type_names_.find(base->text);
    if (it == type_names_.end()) {
      std::vector<std::string> names;
      for (const auto& [n, id] : type_names_) names.push_back(n);
      error(Code::unknown_name, base->range, fmt::format("no card type named `{}`", base->text),
            did_you_mean(base->text, names));
      continue;
    }
    if (is_a(it->second, t)) {
      error(Code::circular, base->range,
            fmt::format("`{}` and `{}` are each a kind of the other", types_[t].node->text, base->text));
      continue;
    }
    model_->card_types[t].base = model::CardTypeId{it->second};
  }
  const auto anonymous = std::find_if(decls_.begin(), decls_.end(), [](const Decl& d) {
    return d.node->kind == NodeKind::card && !view::card(d.node).base();
  });
  if (anonymous == decls_.end() || types_.size() == 1 || type_names_.contains("card")) return;
  type_names_.emplace("card", static_cast<std::uint32_t>(types_.size()));   // of `card Helmet { … }` without a type
  model_->card_types.push_back({.name = "card", .base = {}, .label = "", .range = anonymous->node->range});
  types_.push_back({});
}

// Of which type a card is, as it is written or as there is only one.
std::optional<std::uint32_t> Analysis::type_of_card(const Node* card) const {
  if (!view::card(card).base() && model_->card_types.size() == 1) return 0;
  const auto type = type_names_.find(view::card(card).base() ? view::card(card).base()->text : "card");
  return type == type_names_.end() ? std::nullopt : std::optional(type->second);
}

// … also before cards are declared, for a type that speaks of one.
std::optional<std::uint32_t> Analysis::type_of_card(std::string_view name) const {
  const auto card = std::find_if(decls_.begin(), decls_.end(),
                                 [&](const Decl& d) { return d.node->kind == NodeKind::card && d.node->text == name; });
  return card == decls_.end() ? std::nullopt : type_of_card(card->node);
}

void Analysis::declare_card_attributes() {
  for (std::uint32_t t = 0; t < types_.size(); ++t) {
    const Node* node = types_[t].node;
    expand(members_of_node(node), model::RuleKind::card, [&](const Node* n, model::RuleKind) {
      if (n->kind != NodeKind::field) return;
      if (!view::field(n).type() && view::field(n).initial()) {   // `{ number 3 }`: a value for an inherited attribute
        for (const WrittenPart& p :
             written_attribute(composed_attribute(t, n->text), n->text, view::field(n).initial())) {
          if (auto a = attribute_of_type({t}, p.name)) types_[t].initial[a->index] = p.value;
          else error(Code::unknown_member, n->range, fmt::format("`{}` has no attribute `{}`", node->text, n->text));
        }
        return;
      }
      if (attribute_of_type({t}, n->text) || composed_attribute(t, n->text)) {
        error(Code::declared_twice, name_range(n),
              fmt::format("`{}` has an attribute `{}` already", node->text, n->text));
        return;
      }
      types_[t].order.emplace_back(n->text);
      for (const Declared& a : declare_attribute(n, node->text, types_[t].composed)) {
        types_[t].own.push_back(a.id);
        if (a.initial) types_[t].initial[a.id.index] = a.initial;
      }
    });
    if (node && view::card_type(node).label())
      model_->card_types[t].label = printed_words(view::card_type(node).label(), t, "label");
  }
}

// Only its attributes can stand in what is printed on a card: that is written once, before the game.
std::string Analysis::printed_words(const Node* text, std::uint32_t type, std::string_view what) {
  return filled_in(text, [&](Range at, std::string_view inside) {
    if (!attribute_of_type({type}, inside))
      error(Code::unknown_name, at, fmt::format("`{}` has no attribute `{}`", model_->card_types[type].name, inside),
            fmt::format("the {} of a card{} may hold its attributes, and nothing that is worked out", what,
                        what == "label" ? " type" : ""));
    return fmt::format("{{{}}}", inside);
  });
}

void Analysis::declare_kinds() {
  for (const Decl& d : decls_) {
    const Node* n = d.node;
    if (n->kind != NodeKind::card) continue;
    const std::optional<std::uint32_t> type = type_of_card(n);
    if (!type) {
      std::vector<std::string> names;
      for (const auto& [name, id] : type_names_) names.push_back(name);
      error(Code::unknown_name, view::card(n).base()->range,
            fmt::format("no card type named `{}`", view::card(n).base()->text),
            did_you_mean(view::card(n).base()->text, names));
      kind_names_.emplace(std::string(n->text), ~0u);
      continue;
    }
    if (const auto other = kind_names_.find(n->text);
        other != kind_names_.end() && kinds_[other->second].node && !kinds_[other->second].implicit) {
      twice(n, "card", name_range(kinds_[other->second].node));
      continue;
    }
    if (kind_names_.contains(n->text) || type_names_.contains(n->text)) {
      error(Code::declared_twice, name_range(n), fmt::format("there is already a card or card type `{}`", n->text));
      continue;
    }
    if (model_->kinds.size() >= kMostKinds) {
      error(Code::too_many, name_range(n), fmt::format("there are more than {} cards", kMostKinds));
      return;
    }
    kind_names_.emplace(std::string(n->text), static_cast<std::uint32_t>(model_->kinds.size()));
    model_->kinds.push_back(
        {.name = std::string(n->text),
         .label = view::card(n).label() ? printed_words(view::card(n).label(), *type, "name") : split_words(n->text),
         .text = {},
         .type = {*type},
         .range = name_range(n)});
    kinds_.push_back({.node = n, .attributes = {}, .in_deck = false, .implicit = false});
    KindInfo& info = kinds_.back();
    const auto assign = [&](const Node* at, const Node* value) {
      for (const WrittenPart& p : written_attribute(composed_attribute(*type, at->text), at->text, value)) {
        auto a = attribute_of_type({*type}, p.name);
        if (!a) {
          std::vector<std::string> names = members_of(card_type(*type));
          error(Code::unknown_member, at->range,
                fmt::format("`{}` has no attribute `{}`", model_->card_types[*type].name, at->text),
                did_you_mean(at->text, names));
          info.wrong = true;
          return;
        }
        info.attributes[a->index] = attribute_value(*a, p.value).value_or(kNone);
      }
    };
    std::set<std::string_view> said;                        // what a `with` says besides is another matter
    if (view::card(n).attributes())
      for (const Node* a : view::card(n).attributes()->children)
        if (a) said.insert(a->text), assign(a, view::attr(a).value());
    if (const Node* members = members_of_node(n))
      for (const Node* m : members->children)
        if (m && m->kind == NodeKind::field && view::field(m).initial() && !view::field(m).type() &&
            !said.insert(m->text).second)
          error(Code::twice, m->range, fmt::format("`{}` is given twice", m->text), "leave one of the two out");
    expand(members_of_node(n), model::RuleKind::card, [&](const Node* m, model::RuleKind) {
      if (m->kind == NodeKind::field && view::field(m).type())
        error(Code::bad_attribute, m->range, "attributes are declared in the card type",
              fmt::format("`card type {} {{ {}: … }}`", model_->card_types[*type].name, m->text));
      else if (m->kind == NodeKind::field && view::field(m).initial())
        assign(m, view::field(m).initial());
      if (m->kind == NodeKind::text_decl)
        model_->kinds.back().text = printed_words(view::text_decl(m).words(), *type, "text");
    });
    if (model_->kinds.back().text.empty()) model_->kinds.back().text = text_of_type(*type);
  }
}

bool Analysis::fits_attribute(const Type& type, std::string_view name, Int value, Range range, bool table) {
  if (type.kind != TypeKind::integer || value == kNone || (value >= type.lo && value <= type.hi)) return true;
  error(table ? Code::bad_csv : Code::out_of_range, range,
        fmt::format("`{}` goes from {} to {}, not {}", name, type.lo, type.hi, value));
  return false;
}

std::optional<Int> Analysis::attribute_value(model::AttributeId attribute, const Node* value) {
  const model::Attribute& a = model_->attributes[attribute.index];
  return attribute_value(a.type, a.name, value);
}

// Of a set its mask.
std::optional<Int> Analysis::attribute_value(const Type& type, std::string_view name, const Node* value) {
  if (!value || type.kind == TypeKind::poison) return std::nullopt;
  if (type.kind == TypeKind::set) return attribute_set(type, name, value);
  if (value->kind == NodeKind::none_lit) {
    if (type.optional) return kNone;
    error(Code::wrong_type, value->range, fmt::format("`{}` can't be none", name), "declare it optional: `T?`");
    return std::nullopt;
  }
  if (value->kind == NodeKind::name_ref && !generator_.contains(value->text)) {
    if (type.kind == TypeKind::enumeration) {
      const model::Enum& e = model_->enums[type.ref];
      for (std::size_t i = 0; i < e.constants.size(); ++i)
        if (e.constants[i].name == value->text) return static_cast<Int>(i);
      std::vector<std::string> names;
      for (const auto& c : e.constants) names.push_back(c.name);
      error(Code::bad_attribute, value->range,
            fmt::format("`{}` is none of the constants of `{}`", value->text, e.name),
            did_you_mean(value->text, names));
      return std::nullopt;
    }
    if (type.kind == TypeKind::kind)
      if (auto it = kind_names_.find(value->text); it != kind_names_.end()) return it->second;
  }
  auto f = fixed(value);
  if (!f) return std::nullopt;
  switch (type.kind) {
    case TypeKind::enumeration:
      if (f->kind == Fixed::Kind::enumeration && f->ref == type.ref) return f->value;
      break;
    case TypeKind::boolean:
      if (f->kind == Fixed::Kind::boolean) return f->value;
      break;
    case TypeKind::integer:
      if (f->kind == Fixed::Kind::enumeration)
        f->value = model_->enums[f->ref].constants[f->value].number, f->kind = Fixed::Kind::integer;
      if (f->kind == Fixed::Kind::integer)
        return fits_attribute(type, name, f->value, value->range) ? std::optional<Int>(f->value) : std::nullopt;
      break;
    default: break;
  }
  error(Code::wrong_type, value->range, fmt::format("`{}` is of type `{}`", name, show(type)));
  return std::nullopt;
}

std::optional<Int> Analysis::attribute_set(const Type& type, std::string_view name, const Node* value) {
  if (value->kind != NodeKind::list_lit) {
    error(Code::wrong_type, value->range, fmt::format("`{}` is of type `{}`", name, show(type)),
          "a set is written as `[a, b]`");
    return std::nullopt;
  }
  std::vector<Int> elements;
  for (const Node* element : value->children) {
    const auto e = attribute_value(*type.elem, name, element);
    if (!e) return std::nullopt;
    elements.push_back(*e);
  }
  return mask_of(elements);
}

// A field of a CSV file.
std::optional<Int> Analysis::attribute_text(model::AttributeId attribute, std::string_view text, Range range) {
  const model::Attribute& a = model_->attributes[attribute.index];
  const auto unit = attribute_units_.find(attribute.index);
  return attribute_text(a.type, a.name, unit == attribute_units_.end() ? std::string_view{} : unit->second, text,
                        range);
}

// A number, counted in the unit of its column.
std::optional<Int> Analysis::number_text(std::string_view unit, std::string_view text, Range range) {
  const bool negative = text.starts_with('-');
  const auto d = read_decimal(negative || text.starts_with('+') ? text.substr(1) : text);
  if (!d || (unit.empty() && d->scale > 1)) return std::nullopt;
  Int value = d->digits;
  if (!unit.empty()) {
    Node scale{.kind = NodeKind::number, .range = range, .number = d->scale};
    Node* const scales[] = {&scale};
    const Node number{.kind = NodeKind::number, .range = range, .text = unit, .number = d->digits, .children = scales};
    const auto parts = in_units(&number, true);
    if (!parts) return std::nullopt;
    value = *parts;
  }
  return negative ? -value : value;
}

std::optional<Int> Analysis::attribute_text(const Type& type, std::string_view name, std::string_view unit,
                                            std::string_view text, Range range) {
  switch (type.kind) {
    case TypeKind::set: {                                  // `Oslo Rome`
      std::vector<Int> elements;
      for (std::size_t at = text.find_first_not_of(' '); at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const auto e = attribute_text(*type.elem, name, unit, text.substr(at, end - at), range);
        if (!e) return std::nullopt;
        elements.push_back(*e);
        at = text.find_first_not_of(' ', end);
      }
      return mask_of(elements);
    }
    case TypeKind::enumeration: {
      const model::Enum& e = model_->enums[type.ref];
      // also the other side of an edge, and of several boards without its name
      if (const auto named = constant_names_.find(text); named != constant_names_.end() && (e.cells || e.dirs))
        for (const auto& [of, constant] : named->second)
          if (of == type.ref) return constant;
      std::vector<std::string> names;
      for (std::size_t i = 0; i < e.constants.size(); ++i) {
        if (e.constants[i].name == text || e.constants[i].label == text) return static_cast<Int>(i);
        names.push_back(e.constants[i].name);
      }
      error(Code::bad_csv, range, fmt::format("`{}` is none of the constants of `{}`", text, e.name),
            did_you_mean(text, names));
      return std::nullopt;
    }
    case TypeKind::boolean:
      if (text == "true" || text == "yes" || text == "1") return 1;
      if (text == "false" || text == "no" || text == "0") return 0;
      break;
    case TypeKind::kind:
      if (auto it = kind_names_.find(text); it != kind_names_.end()) return it->second;
      break;
    case TypeKind::integer: {
      const std::size_t before = diagnostics_.errors();
      const auto v = number_text(unit, text, range);
      if (v) return fits_attribute(type, name, *v, range, true) ? v : std::nullopt;
      if (diagnostics_.errors() != before) return std::nullopt;
      break;
    }
    default: return std::nullopt;
  }
  error(Code::bad_csv, range, fmt::format("`{}` is not of type `{}`, which `{}` has", text, show(type), name));
  return std::nullopt;
}

// A library that is used in a `with` stands under one: see the loader.
bool Analysis::is_used(const Node* library) {
  return std::all_of(library->children.begin(), library->children.end(), [&](const Node* n) {
    return !n || n->kind != NodeKind::with_decl || n->range != library->range || branch(n);
  });
}

bool Analysis::declare_types() {
  for (const Decl& d : decls_)
    if (d.node->kind == NodeKind::card_type) type_names_.emplace(std::string(d.node->text), 0);
  type_names_.clear();
  declare_card_types();                 // names first: an attribute may be of any type
  declare_records();
  for (const Decl& d : decls_)
    if (d.node->kind == NodeKind::enum_decl) declare_enum(d);
  for (const Decl& d : decls_)
    if (d.node->kind == NodeKind::board) declare_board(d);
  if (!check_boards()) return false;
  declare_character_types();
  declare_characters();
  name_areas();
  for (const auto& [id, info] : enum_infos_)
    model_->enums[id].character ? character_attributes(id) : enum_attributes(id);
  for (const auto& [id, info] : enum_infos_)
    if (!model_->enums[id].character && view::enum_decl(info.decl.node).where())
      keep_constants_where(id, view::enum_decl(info.decl.node).where());
  enum_infos_.clear();
  count_areas();
  for (std::uint32_t r = 0; r < records_.size(); ++r) build_record(r);
  declare_card_attributes();
  declare_kinds();
  declare_own_kinds();
  return true;
}

}  // namespace cardwright::sema
