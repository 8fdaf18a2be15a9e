// Values, functions, events and windows, and the rules that hang on them: triggers, modifiers, `whenever`, `is also`,
// `forbid`.
#include <algorithm>

#include "compiler/sema/analysis.h"
#include "compiler/sema/nothing.h"

namespace cardwright::sema {

std::string Analysis::rule_name(std::string_view what, const Decl& d) const {
  std::string name(what);
  if (!d.owner) return name;
  if (d.carrier.kind == CarrierKind::character) {
    const model::EnumConst& c = model_->enums[d.carrier.character_type.index].constants[d.carrier.character];
    return name + " of " + c.label;
  }
  if (d.owner->kind == NodeKind::card)
    if (auto k = kind_names_.find(d.owner->text); k != kind_names_.end() && k->second != ~0u)
      return name + " of " + model_->kinds[k->second].label;
  return name + " of " + std::string(d.owner->text);
}

// ---------------------------------------------------------------- declaring

std::optional<model::VariableId> Analysis::carrier_variable(std::uint32_t character_type, Range range) {
  auto v = variable_with_enum(character_type, true);
  if (v) return model::VariableId{*v};
  error(Code::not_this_here, range,
        fmt::format("no single variable of a player holds a `{}`", model_->enums[character_type].name),
        fmt::format("`player {{ hero: {}, public }}`", model_->enums[character_type].name));
  return std::nullopt;
}

void Analysis::declare_rule(Decl d) {
  const Node* n = d.node;
  const auto gone = [&](std::string_view word) {
    return removed_.erase(std::string(word) + " " + std::string(n->text)) > 0;
  };
  switch (n->kind) {
    case NodeKind::value_decl: if (!gone("value")) declare_callable(d); return;
    case NodeKind::function_decl: if (!gone("function")) declare_callable(d); return;
    case NodeKind::sequence_decl: if (!gone("sequence")) declare_callable(d); return;
    case NodeKind::event_decl: if (!gone("event")) declare_callable(d); return;
    case NodeKind::window_decl: if (!gone("window")) declare_callable(d); return;
    case NodeKind::action_decl: if (!gone("action")) actions_.push_back(std::move(d)); return;
    case NodeKind::modify_decl: modifiers_.push_back(std::move(d)); return;
    case NodeKind::trigger_decl: triggers_.push_back(std::move(d)); return;
    case NodeKind::whenever_decl: whenevers_.push_back(std::move(d)); return;
    case NodeKind::also_decl: alsos_.push_back(std::move(d)); return;
    case NodeKind::forbid_decl: forbids_.push_back(std::move(d)); return;
    default: return;
  }
}

std::vector<model::KindId> Analysis::kinds_of(const Node* card) const {
  if (card->kind == NodeKind::card) return {model::KindId{kind_names_.find(card->text)->second}};
  std::vector<model::KindId> kinds;
  for (Int k : kinds_of_type(type_names_.find(card->text)->second)) kinds.push_back({static_cast<std::uint32_t>(k)});
  return kinds;
}

// The `in force while C` of a card, or of the nearest of its types that has one.
const Node* Analysis::force_of(const Node* card) {
  const auto find = [&](const Node* members) {
    const Node* found = nullptr;
    if (members)
      expand(members, model::RuleKind::card, [&](const Node* n, model::RuleKind) {
        if (n->kind == NodeKind::in_force_decl) found = view::in_force_decl(n).condition();
      });
    return found;
  };
  const bool own_type = card->kind == NodeKind::card_type;
  if (!own_type)
    if (const Node* n = find(view::card(card).members())) return n;
  std::uint32_t t =
      own_type ? type_names_.find(card->text)->second : model_->kinds[kind_names_.find(card->text)->second].type.index;
  for (std::size_t steps = 0; steps <= types_.size() && t < types_.size(); ++steps) {
    if (types_[t].node)
      if (const Node* n = find(view::card_type(types_[t].node).members())) return n;
    if (!model_->card_types[t].base) break;
    t = model_->card_types[t].base->index;
  }
  return nullptr;
}

void Analysis::declare_members(const Decl& of, const Node* members, const Carrier& carrier) {
  expand(members, model::RuleKind::card, [&](const Node* n, model::RuleKind) {
    Decl d{.node = n,
           .unit = of.unit,
           .precedence = next_precedence(model::RuleKind::card, of.unit),
           .carrier = carrier,
           .owner = of.owner ? of.owner : of.node,
           .borrowed = of.borrowed};
    d.precedence.depth = of.precedence.depth;
    const bool card = of.node->kind == NodeKind::card || of.node->kind == NodeKind::card_type;
    switch (n->kind) {
      case NodeKind::play_decl: {
        if (!card || carrier.kind != CarrierKind::nobody) return;
        if (of.node->kind == NodeKind::card)
          kind_plays_[kind_names_.find(of.node->text)->second].push_back(d);
        else
          type_plays_[type_names_.find(of.node->text)->second].push_back(d);
        return;
      }
      case NodeKind::while_decl: {
        if (carrier.kind != CarrierKind::nobody || !card) return;
        std::vector<const Node*> zones{n};
        if (view::while_decl(n).zones())
          for (const Node* w : view::while_decl(n).zones()->children) zones.push_back(w);
        for (const Node* w : zones) {
          Carrier inner;
          inner.kind = CarrierKind::card;
          inner.kinds = kinds_of(of.node);
          std::optional<std::uint32_t> zone;
          for (const Table* table : {&player_zones_, &table_zones_})
            if (auto z = table->find(w->text); !zone && z != table->end()) zone = z->second;
          for (const AreaInfo& area : areas_)
            if (auto z = area.zones.find(w->text); !zone && z != area.zones.end()) zone = z->second;
          if (!zone && board_names_.contains(w->text)) {
            if (model_->lying)
              zone = model_->lying->zone.index;
            else
              error(Code::wrong_type, w->range, fmt::format("no card of this game lies on `{}`", w->text),
                    "`covers 1 x 1` in a card type lets its cards lie on it");
            if (!zone) continue;
          }
          if (!zone) {
            if (absent_.contains(w->text)) continue;
            std::vector<std::string> names;
            for (const AreaInfo& area : areas_)
              for (const auto& [name, id] : area.zones) names.push_back(name);
            for (const Table* table : {&player_zones_, &table_zones_})
              for (const auto& [name, id] : *table) names.push_back(name);
            error(Code::unknown_name, w->range, fmt::format("no zone named `{}`", w->text),
                  did_you_mean(w->text, names));
            continue;
          }
          used_.insert(std::string(w->text));
          inner.zone = model::ZoneId{*zone};
          if (inner.kinds.empty()) continue;
          Decl owner = of;
          owner.owner = of.node;
          declare_members(owner, view::while_decl(n).members(), inner);
        }
        return;
      }
      case NodeKind::has_decl: {
        if (carrier.kind != CarrierKind::character) return;
        auto k = kind_names_.find(n->text);
        if (k == kind_names_.end() || k->second == ~0u) {
          if (k == kind_names_.end() && !absent_.contains(n->text)) {
            std::vector<std::string> names;
            for (const auto& [name, id] : kind_names_) names.push_back(name);
            error(Code::unknown_name, name_range(n), fmt::format("no card named `{}`", n->text),
                  did_you_mean(n->text, names));
          }
          return;
        }
        bool any = false;
        const auto borrow = [&](const Node* from) {
          expand(from->kind == NodeKind::card ? view::card(from).members() : view::card_type(from).members(),
                 model::RuleKind::card, [&](const Node* m, model::RuleKind) {
                   if (m->kind != NodeKind::while_decl) return;
                   any = true;
                   Decl owner = of;
                   owner.owner = of.node;
                   owner.borrowed = true;
                   borrowed_from_ = {k->second};
                   declare_members(owner, view::while_decl(m).members(), carrier);
                   borrowed_from_.reset();
                 });
        };
        std::vector<const Node*> chain{kinds_[k->second].node};
        for (std::uint32_t t = model_->kinds[k->second].type.index, steps = 0;
             t < types_.size() && steps <= types_.size(); ++steps) {
          if (types_[t].node) chain.push_back(types_[t].node);
          if (!model_->card_types[t].base) break;
          t = model_->card_types[t].base->index;
        }
        for (auto it = chain.rbegin(); it != chain.rend(); ++it)
          if (*it) borrow(*it);
        if (!any)
          suspect(Code::without_effect, n->range, true,
                  fmt::format("`{}` has no rules that hold while it lies anywhere", n->text));
        return;
      }
      case NodeKind::value_decl:
      case NodeKind::function_decl:
      case NodeKind::sequence_decl:
      case NodeKind::event_decl:
      case NodeKind::window_decl:
      case NodeKind::action_decl:
      case NodeKind::modify_decl:
      case NodeKind::trigger_decl:
      case NodeKind::whenever_decl:
      case NodeKind::also_decl:
      case NodeKind::forbid_decl:
        if (card && carrier.kind == CarrierKind::nobody && n->kind != NodeKind::event_decl &&
            n->kind != NodeKind::window_decl)
          if (const Node* force = force_of(of.node)) {
            d.force = force;
            used_.insert(fmt::format("in force {}:{}", force->range.source, force->range.begin));
            d.carrier.kind = CarrierKind::card;
            d.carrier.kinds = kinds_of(of.node);
            if (!d.carrier.kinds.empty()) declare_rule(std::move(d));
            return;
          }
        if (card && carrier.kind == CarrierKind::nobody && n->kind != NodeKind::event_decl &&
            n->kind != NodeKind::window_decl) {
          error(Code::misplaced, first_word(n), "when does this hold",
                "put it into `while in table { … }`, with the zone where the card has to lie");
          return;
        }
        if (borrowed_from_ && n->kind == NodeKind::window_decl) return;
        if (borrowed_from_ && n->kind == NodeKind::event_decl) return;
        d.borrowed_from = borrowed_from_;
        declare_rule(std::move(d));
        return;
      default: return;                                     // read elsewhere, or refused in places.cpp
    }
  });
}

void Analysis::declare_top(const Decl& d) {
  const Node* n = d.node;
  switch (n->kind) {
    case NodeKind::card_type: {
      auto t = type_names_.find(n->text);
      if (t != type_names_.end() && types_[t->second].node == n) declare_members(d, view::card_type(n).members(), {});
      return;
    }
    case NodeKind::card: {
      auto k = kind_names_.find(n->text);
      if (k != kind_names_.end() && k->second != ~0u && kinds_[k->second].node == n)
        declare_members(d, view::card(n).members(), {});
      return;
    }
    case NodeKind::character_type: {
      auto e = enum_names_.find(n->text);
      if (e == enum_names_.end()) return;
      return;                                              // its rules hang on each of its characters
    }
    case NodeKind::character: {
      for (std::uint32_t e = 0; e < model_->enums.size(); ++e)
        if (model_->enums[e].character)
          for (std::size_t i = 0; i < model_->enums[e].constants.size(); ++i)
            if (model_->enums[e].constants[i].range == n->range) {
              Carrier c;
              c.kind = CarrierKind::character;
              c.character_type = {e};
              c.character = static_cast<Int>(i);
              const Decl* type = nullptr;
              for (const Decl& t : decls_)
                if (t.node && t.node->kind == NodeKind::character_type && t.node->text == model_->enums[e].name)
                  type = &t;
              bool rules = false;
              for (const Node* list :
                   {view::character(n).members(), type ? view::character_type(type->node).members() : nullptr})
                for (const Node* m : list ? list->children : std::span<Node* const>{})
                  rules = rules || (m && m->kind != NodeKind::field && m->kind != NodeKind::text_decl);
              if (rules) {
                auto v = carrier_variable(e, n->range);
                if (!v) return;
                c.character_variable = *v;
              }
              declare_members(d, view::character(n).members(), c);
              if (type) {
                Decl of_type = *type;
                of_type.owner = n;
                declare_members(of_type, view::character_type(type->node).members(), c);
              }
              return;
            }
      return;
    }
    case NodeKind::setup_decl: setups_.push_back(d); return;
    case NodeKind::play_flow: plays_.push_back(d); return;
    case NodeKind::end_when: endings_.push_back(d); return;
    default: declare_rule(d);
  }
}

void Analysis::declare_rules() {
  for (const Decl& d : decls_) declare_top(d);
  for (const Node* r : removals_) {
    const std::string key =
        std::string(view::remove_decl(r).what() ? view::remove_decl(r).what()->text : "") + " " + std::string(r->text);
    if (removed_.contains(key) && !r->text.empty())
      error(
          Code::nothing_to_replace, name_range(r),
          fmt::format("there is no {} `{}` to remove",
                      view::remove_decl(r).what() ? view::remove_decl(r).what()->text : "declaration", r->text),
          did_you_mean(r->text, removable_names(view::remove_decl(r).what() ? view::remove_decl(r).what()->text : "")));
  }
  declare_flow();
  for (const Decl& d : modifiers_) {
    const auto record = given_records_.find(d.node->text);
    const std::string name =
        record == given_records_.end() ? std::string(d.node->text) : leaves_of(record->second, record->first)[0].name;
    auto v = value_names_.find(name);
    if (v != value_names_.end()) {
      const std::size_t fields = record == given_records_.end() ? 1 : leaves_of(record->second, "").size();
      for (std::size_t i = 0; i < fields; ++i) value_modifiers_[v->second + i].push_back(d);
      used_.insert("modify " + std::string(d.node->text));
      continue;
    }
    if (absent_.contains(d.node->text)) continue;
    std::vector<std::string> names;
    for (const auto& [n, id] : value_names_) names.push_back(n);
    error(Code::unknown_name, name_range(d.node), fmt::format("no value named `{}`", d.node->text),
          function_names_.contains(d.node->text) ? "functions are fixed; declare it with `value`"
                                                 : did_you_mean(d.node->text, names));
  }
  finish_callables();
}

bool Analysis::takes_rules(const Node* n) const {
  if ((n->kind != NodeKind::function_decl && n->kind != NodeKind::sequence_decl) || !view::callable(n).parameters())
    return false;
  return std::any_of(
      view::callable(n).parameters()->children.begin(), view::callable(n).parameters()->children.end(),
      [](const Node* p) { return p && view::param(p).type() && view::param(p).type()->kind == NodeKind::type_rule; });
}

// A parameter that is a rule: what is given of it comes behind all others.
void Analysis::pass_in(Callable& c, const Node* parameter, const Passed& passed, Body& body,
                       std::vector<model::Parameter>& parameters) {
  PassedIn rule{.is_value = passed.is_value,
                .id = passed.id,
                .given = {},
                .takes = {},
                .gives = type_or_poison(view::type_rule(view::param(parameter).type()).result())};
  for (std::size_t i = 1; i < view::param(parameter).type()->children.size(); ++i)
    rule.takes.push_back(type_or_poison(view::param(parameter).type()->child(i)));
  const Callable& of = signature_of(passed.is_value, passed.id);
  for (std::size_t i = 0; i < passed.given.size(); ++i) {
    rule.given.emplace_back();
    if (!passed.given[i]) continue;
    rule.given.back() = LocalId{static_cast<std::uint32_t>(body.locals.size())};
    parameters.push_back({*rule.given.back(), nullptr});
    c.names.push_back(fmt::format("{} of {}", of.names[i], parameter->text));
    c.types.push_back(of.types[i]);
    body.locals.push_back({c.names.back(), of.types[i], parameter->range});
    ++c.passed;
  }
  c.rules.emplace(std::string(parameter->text), std::move(rule));
}

void Analysis::declare_callable(const Decl& d, const std::vector<Passed>& passed) {
  const Node* n = d.node;
  const bool with_rules = takes_rules(n);
  if (with_rules && passed.empty()) {
    if (!with_rules_.emplace(std::string(n->text), d).second || function_names_.contains(n->text) ||
        value_names_.contains(n->text))
      error(Code::declared_twice, name_range(n), fmt::format("there is already a value or function `{}`", n->text));
    return;
  }
  Callable c;
  c.node = n;
  c.decl = d;
  c.hidden_me =
      d.carrier.kind == CarrierKind::character || (d.carrier.kind == CarrierKind::card && d.carrier.zone.valid() &&
                                                   model_->zones[d.carrier.zone.index].has_owner());
  Body body;
  std::vector<model::Parameter> parameters;
  std::optional<std::size_t> subject;
  bool seen_player = false;
  if (c.hidden_me) {
    body.locals.push_back({"me", player_type(), n->range});
    parameters.push_back({LocalId{0}, nullptr});
    c.names.push_back("me");
    c.types.push_back(player_type());
    subject = 0;
    seen_player = true;
  }
  if (view::callable(n).parameters())
    for (const Node* p : view::callable(n).parameters()->children) {
      if (!p) continue;
      if (with_rules && view::param(p).type() && view::param(p).type()->kind == NodeKind::type_rule)
        continue;   // below
      Type t = view::param(p).type() ? type_or_poison(view::param(p).type()) : plain_type(TypeKind::poison);
      if (!view::param(p).type()) {
        std::optional<Fixed> f = view::param(p).initial() ? fixed(view::param(p).initial(), false) : std::nullopt;
        if (f && f->kind == Fixed::Kind::integer) t = integer_type();
        else if (f && f->kind == Fixed::Kind::boolean) t = boolean_type();
        else
          error(Code::wrong_type, p->range, fmt::format("the parameter `{}` needs a type", p->text),
                fmt::format("`{}: player`", p->text));
      }
      if (p->number == 1 || p->number == 2 || p->number == 3 || view::param(p).domain())
        error(Code::misplaced, p->range, "only actions and plays choose their parameters",
              fmt::format("`{}: player`", p->text));
      else if (view::param(p).keeping())
        error(Code::misplaced, view::param(p).keeping()->range,
              "`keeping` is about what somebody picks, and here nothing is picked",
              "only actions, plays and choices have it");
      if (c.find(p->text, 0) < c.names.size())
        error(Code::declared_twice, p->range, fmt::format("`{}` is a parameter already", p->text));
      const bool function = n->kind == NodeKind::function_decl || n->kind == NodeKind::sequence_decl;
      if (t.kind == TypeKind::map && function) {
        if (!fits_in_rule(t, p->range)) t = plain_type(TypeKind::poison);
      } else if (t.kind == TypeKind::map || t.kind == TypeKind::text) {
        error(Code::unsupported, p->range, fmt::format("a parameter can't be of type `{}` here", show(t)),
              t.kind == TypeKind::map ? "functions take tables; what happens names the player, or the variable itself"
                                      : "");
        t = plain_type(TypeKind::poison);
      }
      constexpr Int kMostPassedOn = 64;
      if (t.kind == TypeKind::list && t.most * (t.elem->kind == TypeKind::list ? t.elem->most : 1) > kMostPassedOn) {
        error(Code::too_many, p->range, fmt::format("a list that is passed on holds up to {} things", kMostPassedOn));
        t = plain_type(TypeKind::poison);
      }
      if (t.kind == TypeKind::player && !seen_player && p->number != 4) {
        seen_player = true;
        if (!t.optional) subject = c.names.size();
      }
      constexpr std::size_t kMostParameters = 250;
      const std::string name(p->text);
      const std::vector<Part> parts = leaves_of(t, name);
      if (c.names.size() + parts.size() > kMostParameters) {
        error(Code::too_many, p->range, fmt::format("`{}` has more than {} parameters", n->text, kMostParameters),
              record_in(t) ? "each field of a record counts" : "");
        break;
      }
      name_records(t, name, c.composed);
      if (record_in(t)) c.records[c.names.size()] = {name, t, parts.size()};
      for (const Part& part : parts) {
        parameters.push_back({LocalId{static_cast<std::uint32_t>(body.locals.size())}, nullptr});
        body.locals.push_back({part.name, part.type, p->range});
        c.names.push_back(part.name);
        c.types.push_back(part.type);
      }
    }
  std::size_t rule = 0;
  if (with_rules)
    for (const Node* p : view::callable(n).parameters()->children)
      if (p && view::param(p).type() && view::param(p).type()->kind == NodeKind::type_rule)
        pass_in(c, p, passed[rule++], body, parameters);
  const Type gives = view::callable(n).type() ? type(view::callable(n).type(), false).value_or(Type{}) : Type{};
  const bool gives_records = record_in(gives) && gives.kind != TypeKind::map;
  if (is_record_list(gives) && n->kind == NodeKind::sequence_decl)
    error(Code::wrong_type, view::sequence_decl(n).type()->range,
          fmt::format("a sequence can't yield a `{}`", show(gives)), "let it yield one record after the other");
  const std::string name(n->text);
  const auto clash = [&](Range other, std::string_view what) {
    twice(n, what, other);
  };
  switch (n->kind) {
    case NodeKind::value_decl: {
      if (auto it = value_names_.find(name); it != value_names_.end())
        return clash(model_->values[it->second].range, "value");
      if (auto it = function_names_.find(name); it != function_names_.end())
        return clash(model_->functions[it->second].range, "function");
      if (clashes_with_record(name, clash)) return;
      const bool kept = n->number != 0;
      if (kept)
        for (std::size_t i = 0; i < parameters.size(); ++i) can_be_kept_by(body.locals[parameters[i].local.index]);
      if (gives_records) {
        given_records_.emplace(name, gives);
        for (const Part& part : leaves_of(gives, name)) {
          value_names_.emplace(part.name, static_cast<std::uint32_t>(model_->values.size()));
          model::Value& v = model_->values.emplace_back();
          v.name = part.name;
          v.kept = kept;
          v.parameters = parameters;
          v.body = body;
          v.range = name_range(n);
          v.result = part.type;
          values_.push_back(c);
          values_.back().part = part.name.substr(name.size() + 1);
          values_.back().gives = gives;
          value_modifiers_.emplace_back();
          modifiers_built_.push_back(0);
        }
        return;
      }
      value_names_.emplace(name, static_cast<std::uint32_t>(model_->values.size()));
      model::Value& v = model_->values.emplace_back();
      v.name = name;
      v.kept = kept;
      v.parameters = std::move(parameters);
      v.body = std::move(body);
      v.range = name_range(n);
      if (view::value_decl(n).type()) v.result = type_or_poison(view::value_decl(n).type());
      values_.push_back(std::move(c));
      value_modifiers_.emplace_back();
      modifiers_built_.push_back(0);
      return;
    }
    case NodeKind::function_decl: case NodeKind::sequence_decl: {
      if (with_rules && gives_records && n->kind == NodeKind::function_decl)
        error(Code::unsupported, n->child(1)->range, "a function to which rules are handed over gives no record",
              "let it give what is asked for, one field at a time");
      if (with_rules_.contains(name) && !with_rules)
        error(Code::declared_twice, name_range(n), fmt::format("there is already a function `{}`", name));
      if (auto it = value_names_.find(name); it != value_names_.end())
        return clash(model_->values[it->second].range, "value");
      if (auto it = function_names_.find(name); it != function_names_.end())
        return clash(model_->functions[it->second].range, "function");
      if (clashes_with_record(name, clash)) return;
      if (gives_records && n->kind == NodeKind::function_decl && !with_rules) {
        given_records_.emplace(name, gives);
        for (const Part& part : leaves_of(gives, name)) {
          function_names_.emplace(part.name, static_cast<std::uint32_t>(model_->functions.size()));
          model_->functions.push_back(
              {.name = part.name, .parameters = parameters, .result = part.type, .body = body, .range = name_range(n)});
          functions_.push_back(c);
          functions_.back().part = part.name.substr(name.size() + 1);
          functions_.back().gives = gives;
        }
        return;
      }
      if (!with_rules) function_names_.emplace(name, static_cast<std::uint32_t>(model_->functions.size()));
      model::Function& f = model_->functions.emplace_back();
      f.name = name;
      f.parameters = std::move(parameters);
      f.body = std::move(body);
      f.range = name_range(n);
      f.sequence = n->kind == NodeKind::sequence_decl;
      f.crossings =
          f.sequence && (name == "crossings" || name.ends_with(".crossings")) && in_standard_library(n->range);
      if (n->child(4)) f.depth_limit = depth_limit(n->child(4));
      if (view::callable(n).type()) f.result = type_or_poison(view::callable(n).type());
      if (f.sequence) {
        if (!view::callable(n).type())
          error(Code::wrong_type, name_range(n), fmt::format("`{}` needs the type of its elements", name),
                fmt::format("`sequence {}(…): int`", name));
        if (gives.kind == TypeKind::record) c.gives = gives;
        // the others come with it: see give_locals
        const Type element = gives.kind == TypeKind::record ? leaves_of(gives, "")[0].type : f.result;
        f.result = view::callable(n).type() && f.result.kind != TypeKind::poison && !is_record_list(gives)
                       ? list_type(element, 0)
                       : plain_type(TypeKind::poison);
      }
      functions_.push_back(std::move(c));
      return;
    }
    case NodeKind::event_decl: {
      if (auto it = event_names_.find(name); it != event_names_.end())
        return clash(model_->events[it->second.front()].range, "event");
      event_names_[name].push_back(static_cast<std::uint32_t>(model_->events.size()));
      model::Event& e = model_->events.emplace_back();
      e.name = name;
      e.parameters = std::move(parameters);
      e.body = std::move(body);
      e.range = name_range(n);
      e.subject = subject;
      if (view::event_decl(n).type()) e.result = type_or_poison(view::event_decl(n).type());
      e.returns_optional = e.result.optional;
      if (e.result.kind == TypeKind::list || e.result.kind == TypeKind::record) e.gives = handed_over(n, e.result);
      if (view::event_decl(n).depth()) e.depth_limit = depth_limit(view::event_decl(n).depth());
      events_.push_back(std::move(c));
      return;
    }
    case NodeKind::window_decl: {
      if (auto it = window_names_.find(name); it != window_names_.end())
        return clash(model_->windows[it->second].range, "window or phase");
      window_names_.emplace(name, static_cast<std::uint32_t>(model_->windows.size()));
      model::Window& w = model_->windows.emplace_back();
      w.name = name;
      w.parameters = std::move(parameters);
      w.body = std::move(body);
      w.range = name_range(n);
      if (view::window_decl(n).type()) w.result = type_or_poison(view::window_decl(n).type());
      if (w.result.kind == TypeKind::list || w.result.kind == TypeKind::record || w.result.kind == TypeKind::set)
        w.gives = handed_over(n, w.result);
      windows_.push_back(std::move(c));
      declare_timing(static_cast<std::uint32_t>(windows_.size() - 1), view::window_decl(n).body());
      return;
    }
    default: return;
  }
}

// `nested up to n`; 0 where that is nothing.
Int Analysis::depth_limit(const Node* said) {
  const auto depth = fixed_int(said);
  if (!depth) return 0;
  if (*depth >= 1 && *depth <= 64) return *depth;
  error(Code::out_of_range, said->range, "an event or function may be nested from 1 to 64 deep");
  return 0;
}

// What an event or window gives in several parts. If it ends without giving anything, a record is as it is at first.
std::vector<Type> Analysis::handed_over(const Node* of, const Type& result) {
  std::vector<Type> parts;
  for (const Part& part : leaves_of(result, "")) {
    parts.push_back(part.type);
    if (result.kind == TypeKind::record && !begins_as_something(result, std::string_view(part.name).substr(1)))
      error(Code::no_result, view::callable(of).type()->range,
            fmt::format("`{}` gives a `{}`, and when nothing {} nobody knows its `{}`", of->text, show(result),
                        of->kind == NodeKind::window_decl ? "is returned" : "happens", part.name.substr(1)),
            "say in the record what it is at first: `gold: 0..9 = 0`");
  }
  return parts;
}

// A value or function of that name that gives a record.
bool Analysis::clashes_with_record(const std::string& name, const std::function<void(Range, std::string_view)>& clash) {
  auto it = given_records_.find(name);
  if (it == given_records_.end()) return false;
  const std::string first = leaves_of(it->second, name)[0].name;
  if (auto f = function_names_.find(first); f != function_names_.end())
    clash(model_->functions[f->second].range, "function");
  else clash(model_->values[value_names_.find(first)->second].range, "value");
  return true;
}

// Defaults of parameters, and the variables of windows: other rules name them before the bodies are read.
void Analysis::finish_defaults(const Callable& c, std::vector<model::Parameter>& parameters) {
  if (!c.node || !c.node->child(0)) return;
  std::size_t i = c.hidden_me ? 1 : 0;
  for (const Node* p : c.node->child(0)->children) {
    if (!p || c.rules.contains(p->text)) continue;
    if (i < parameters.size() && p->child(3)) {
      Body& body = scratch_.emplace_back();
      Rule rule;
      rule.body = &body;
      rule.pure = true;
      in_rule(rule, [&] {
        const Type whole = c.at(i).type;
        const Expr* e = convert(expr(p->child(3), &whole), whole, p->text);
        if (is_poison(e)) return;
        std::size_t at = i;
        for (const Expr* field : fields_of(e)) {
          Frame frame;
          auto v = evaluate(*field, frame);
          if (!v || field->type.kind == TypeKind::set || field->type.kind == TypeKind::list) {
            not_known(p->child(3)->range, "a default is known before the game",
                      "leave it out and give the argument at each call");
            return;
          }
          parameters[at].initial = constant(c.types[at], v->value, p->child(3)->range);
          ++at;
        }
      });
    }
    i += i < parameters.size() ? c.at(i).fields : 1;
  }
}

void Analysis::finish_callables() {
  for (std::size_t i = 0; i < values_.size(); ++i) finish_defaults(values_[i], model_->values[i].parameters);
  for (std::size_t i = 0; i < functions_.size(); ++i) finish_defaults(functions_[i], model_->functions[i].parameters);
  for (std::size_t i = 0; i < events_.size(); ++i) finish_defaults(events_[i], model_->events[i].parameters);
  for (std::size_t i = 0; i < windows_.size(); ++i) finish_defaults(windows_[i], model_->windows[i].parameters);
}

// Where the parameter of that name begins; names.size() if there is none.
std::size_t Callable::find(std::string_view name, std::size_t from) const {
  while (from < names.size() && at(from).name != name) from += at(from).fields;
  return from;
}

std::size_t Callable::count() const {
  std::size_t n = 0;
  for (std::size_t i = 0; i + passed < names.size(); i += at(i).fields) ++n;
  return n;
}

void Analysis::bind_parameters(Rule& rule, const Callable& c) {
  for (std::uint32_t i = 0; i < c.names.size(); ++i) {
    if (c.hidden_me && i == 0) rule.me = LocalId{0};
    else rule.bindings.push_back({c.names[i], LocalId{i}, nullptr});
  }
  for (const auto& [first, whole] : c.records) {
    std::uint32_t at = static_cast<std::uint32_t>(first);
    const Expr* value =
        spread(whole.name, whole.type, rule.body->locals[at].range, [&](const std::string&, const Type& type) {
          Expr* e = make(ExprKind::local, type, rule.body->locals[at].range);
          e->local = LocalId{at++};
          return e;
        });
    rule.bindings.push_back({whole.name, LocalId{}, value});
  }
  rule.carrier = c.decl.carrier;
  rule.owner = c.decl.owner;
  rule.rules = c.rules;
}

// ---------------------------------------------------------------- values and functions

// What a kept value is asked with tells where it is stored.
void Analysis::can_be_kept_by(const model::Local& parameter) {
  const Type& t = parameter.type;
  const bool endless = t.kind == TypeKind::integer && (t.lo <= -kUnlimited || t.hi >= kUnlimited);
  const bool many = t.kind == TypeKind::set || t.kind == TypeKind::list || t.kind == TypeKind::record;
  if (endless)
    error(Code::out_of_range, parameter.range,
          fmt::format("a kept value is stored for every `{}`, so it must be known which there are", parameter.name),
          fmt::format("`{}: 0..9`", parameter.name));
  else if (many)
    error(Code::wrong_type, parameter.range, fmt::format("a value can't be kept for every `{}`", show(t)),
          "leave out `kept`, or ask for each thing alone");
}

namespace {
// What a value or function gives whose type is not written down: of a number any, but a part stays that part, and a
// time a time.
Type of_any_size(Type t) {
  if (t.kind != TypeKind::integer || t.ref != ~std::uint32_t{0}) return t;
  t.lo = -kUnlimited;
  t.hi = kUnlimited;
  return t;
}
}  // namespace

void Analysis::build_value(std::uint32_t index) {
  Callable& c = values_[index];
  if (c.state != Callable::State::todo) return;
  c.state = Callable::State::doing;
  if (model_->values[index].timing) {
    build_timing(index);
    values_[index].state = Callable::State::done;
    return;
  }
  Rule rule;
  rule.body = &model_->values[index].body;
  rule.pure = true;
  bind_parameters(rule, c);
  const Node* n = c.node;
  in_rule(rule, [&] {
    model::Value& v = model_->values[index];
    const Type declared = c.part.empty() ? v.result : c.gives;
    const bool known = declared.kind != TypeKind::nothing;
    rule.part = c.part;
    if (view::value_decl(n).base()) {
      const Expr* e = expr(view::value_decl(n).base(), known ? &declared : nullptr);
      v.base = known ? field_at(convert(e, declared, v.name), c.part) : e;
      if (const Expr* none = known && !declared.optional && !is_poison(v.base) ? may_be_nothing(v.base) : nullptr)
        error(Code::may_be_none, none->range,
              fmt::format("this is none where there is nothing, and `{}` is a `{}`", v.name, show(declared)),
              fmt::format("say what else: `(…) or else 0`, or declare it `{}?`", show(declared)));
      if (!known) {
        Type t = e->type;
        t = of_any_size(t);
        if (t.kind == TypeKind::nothing || record_in(t)) {
          error(Code::wrong_type, name_range(n), fmt::format("`{}` needs a type", v.name),
                fmt::format("`value {}(…): {} = …`", v.name, record_in(t) ? show(t) : "int"));
          t = plain_type(TypeKind::poison);
        }
        v.result = t;
      }
    } else if (view::value_decl(n).body()) {
      v.body.present = true;
      rule.result = declared;
      rule.infer_result = !known;
      Block block;
      statements(view::value_decl(n).body(), block);
      model::Value& again = model_->values[index];
      again.body.block = std::move(block);
      if (!known) again.result = rule.infer_seen ? rule.result : plain_type(TypeKind::poison);
      if (!known) again.result = of_any_size(again.result);
      if (!leaves(again.body.block))
        error(Code::no_result, name_range(n), fmt::format("`{}` may end without a `return`", again.name));
    } else {
      error(Code::no_result, name_range(n), fmt::format("the value `{}` has no value", n->text),
            fmt::format("`value {}(…): int = 0`", n->text));
      v.result = plain_type(TypeKind::poison);
    }
    if (view::value_decl(n).limits())
      for (const Node* clamp : view::value_decl(n).limits()->children) {
        if (!clamp) continue;
        const Expr* limit = integer(view::clamp(clamp).limit());
        if (is_poison(limit)) continue;
        if (model_->values[index].result.kind != TypeKind::integer &&
            model_->values[index].result.kind != TypeKind::poison) {
          error(Code::wrong_type, clamp->range, fmt::format("only numbers have `{}`", clamp->text));
          continue;
        }
        (clamp->text == "at least" ? model_->values[index].at_least : model_->values[index].at_most) = limit;
      }
    const model::Value& done = model_->values[index];
    if (done.result.kind == TypeKind::map) check_table_value(done);
    if (done.kept && done.result.kind == TypeKind::list)
      error(Code::unsupported, done.range,
            fmt::format("a kept value is no list, and this is a `{}`", show(done.result)),
            "leave out `kept`; a set, or a table such as `kept value v: 0..9 per cell { … }`, can be kept");
  });
  c.state = Callable::State::done;
}

// All of a table is worked out at once.
void Analysis::check_table_value(const model::Value& value) {
  if (!fits_in_rule(value.result, value.range)) return;
  if (!value.kept)
    error(Code::wrong_type, value.range,
          fmt::format("`{}` is a table, and would be worked out whole for each look at it", value.name),
          fmt::format("`kept value {0}: …`, or `function {0}(): …`", value.name));
  else if (!value.parameters.empty())
    error(Code::wrong_type, value.range, fmt::format("`{}` is one table, and has no parameters", value.name),
          "let the key be what it is asked for: `kept value level: int per cell`, `level[c]`");
}

void Analysis::build_function(std::uint32_t index) {
  Callable& c = functions_[index];
  if (c.state != Callable::State::todo) return;
  c.state = Callable::State::doing;
  Body body = model_->functions[index].body;               // there may be more functions when it is read
  Rule rule;
  rule.body = &body;
  rule.pure = true;
  bind_parameters(rule, c);
  const Node* n = c.node;
  if (n->kind == NodeKind::sequence_decl) return build_sequence(index, rule);
  in_rule(rule, [&] {
    const bool of_record = !functions_[index].part.empty();
    const Type declared = of_record ? functions_[index].gives : model_->functions[index].result;
    const bool known = declared.kind != TypeKind::nothing;
    Block block;
    Type found = of_record ? model_->functions[index].result : declared;
    rule.part = functions_[index].part;
    if (view::function_decl(n).value()) {
      const Expr* e = expr(view::function_decl(n).value(), known ? &declared : nullptr);
      if (known) e = field_at(convert(e, declared, n->text), rule.part);
      if (const Expr* none = known && !declared.optional && !is_poison(e) ? may_be_nothing(e) : nullptr)
        error(Code::may_be_none, none->range,
              fmt::format("this is none where there is nothing, and `{}` is a `{}`", n->text, show(declared)),
              fmt::format("say what else: `(…) or else 0`, or declare it `{}?`", show(declared)));
      else if (!known) found = of_any_size(e->type);
      emit(block, StmtKind::return_value, view::function_decl(n).value()->range, {e});
    } else {
      rule.result = declared;
      rule.infer_result = !known;
      statements(view::function_decl(n).body(), block);
      if (!known) found = rule.infer_seen ? rule.result : plain_type(TypeKind::poison);
      if (view::function_decl(n).body() && !leaves(block))
        error(Code::no_result, name_range(n), fmt::format("`{}` may end without a `return`", n->text));
    }
    if (found.kind == TypeKind::nothing || record_in(found)) {
      error(Code::wrong_type, name_range(n), fmt::format("`{}` needs a type", n->text),
            fmt::format("`function {}(…): {}`", n->text, record_in(found) ? show(found) : "int"));
      found = plain_type(TypeKind::poison);
    }
    model::Function& f = model_->functions[index];
    f.result = found;
    f.body = std::move(body);
    f.body.block = std::move(block);
    f.body.present = true;
  });
  c.state = Callable::State::done;
}

void Analysis::build_sequence(std::uint32_t index, Rule& rule) {
  const Node* n = functions_[index].node;
  const Type result = model_->functions[index].result;
  rule.yields = functions_[index].gives.kind == TypeKind::record ? functions_[index].gives
                : result.elem                                    ? *result.elem
                                                                 : plain_type(TypeKind::poison);
  in_rule(rule, [&] {
    Block block;
    statements(view::sequence_decl(n).body(), block);
    model_->functions[index].body = std::move(*rule.body);
    model_->functions[index].body.block = std::move(block);
    model_->functions[index].body.present = true;
  });
  functions_[index].state = Callable::State::done;
}

// ---------------------------------------------------------------- events and windows

void Analysis::build_event(std::uint32_t index) {
  Callable& c = events_[index];
  if (c.state == Callable::State::done || !c.node || c.node->kind != NodeKind::event_decl) return;
  // the variables first (state todo), the rest when everything is known (state doing)
  const bool first = c.state == Callable::State::todo;
  c.state = first ? Callable::State::doing : Callable::State::done;
  const Node* n = c.node;
  if (!view::event_decl(n).body()) {
    if (first && model_->events[index].result.kind != TypeKind::nothing)
      error(Code::no_result, name_range(n),
            fmt::format("`{}` gives a `{}`, but has no body", n->text, show(model_->events[index].result)));
    return;
  }
  Rule& rule = event_rules_[index];
  rule.body = &model_->events[index].body;
  if (first) {
    rule.event = index;
    rule.result = model_->events[index].result;
    bind_parameters(rule, c);
  }
  in_rule(rule, [&] {
    Block block = std::move(model_->events[index].body.block);
    const std::size_t head = variables_at_head(view::event_decl(n).body());
    if (first)
      declare_variables(std::span(view::event_decl(n).body()->children).first(head), block,
                        model_->events[index].variables, c);
    else
      statements(view::event_decl(n).body(), block, head);
    if (!first) check_result(index, block);
    model_->events[index].body.block = std::move(block);
    model_->events[index].body.present = true;
  });
}

void Analysis::check_result(std::uint32_t event, const Block& block) {
  const Node* n = events_[event].node;
  const Type& t = model_->events[event].result;
  if (t.kind != TypeKind::nothing && t.kind != TypeKind::poison && !t.optional && t.kind != TypeKind::set &&
      t.kind != TypeKind::list && !leaves(block))
    error(Code::no_result, name_range(n),
          fmt::format("`{}` may end without a `return`, and gives a `{}`", n->text, show(t)),
          t.kind == TypeKind::boolean ? "end with `return false`" : "declare it optional, with `?`");
}

// How many statements at the head of an event's body are a `var`: those belong to the event.
std::size_t Analysis::variables_at_head(const Node* body) {
  std::size_t n = 0;
  // it stays inside
  const auto is_table = [](const Node* let) {
    return view::let_stmt(let).type() && view::let_stmt(let).type()->kind == NodeKind::type_map;
  };
  while (body->child(n) && body->child(n)->kind == NodeKind::let_stmt && body->child(n)->number == 1 &&
         !is_table(body->child(n)))
    ++n;
  return n;
}

// Variables of a window or an event, which other rules may reach while it runs.
void Analysis::declare_variables(std::span<Node* const> nodes, Block& block, std::vector<LocalId>& variables,
                                 Callable& of) {
  for (const Node* s : nodes) {
    const std::size_t before = block.size();
    let_stmt(s, block);
    const auto is_part = [&](std::string_view local) {
      return local == s->text || (local.starts_with(s->text) && local.substr(s->text.size()).starts_with("."));
    };
    for (std::size_t i = before; i < block.size(); ++i)
      if (block[i]->kind == StmtKind::let && is_part(rule_->body->locals[block[i]->local.index].name))
        variables.push_back(block[i]->local);
    if (const Binding* b = find_binding(s->text); b && b->value && b->value->kind == ExprKind::record)
      name_records(b->value->type, std::string(s->text), of.composed);
  }
}

void Analysis::build_window(std::uint32_t index) {
  Callable& c = windows_[index];
  if (!c.node || c.node->kind != NodeKind::window_decl) return;
  const Node* n = c.node;
  // the variables first (state todo), the rest when everything is known (state doing)
  if (c.state == Callable::State::done) return;
  const bool first = c.state == Callable::State::todo;
  c.state = first ? Callable::State::doing : Callable::State::done;
  Rule& rule = window_rules_[index];
  rule.body = &model_->windows[index].body;
  if (first) {
    rule.window = index;
    rule.result = model_->windows[index].result;
    bind_parameters(rule, c);
  }
  in_rule(rule, [&] {
    Block block = std::move(model_->windows[index].body.block);
    const Node* list = view::window_decl(n).body();
    bool asked = false;
    if (list)
      for (Node* const& s : list->children) {
        if (!s) continue;
        asked = asked || asks(s);
        if ((s->kind == NodeKind::field) != first) continue;
        rule.tail = s == list->children.back();
        if (first) declare_variables({&s, 1}, block, model_->windows[index].variables, c);
        else statement(s, block);
      }
    if (!first && !asked)
      error(Code::bad_ask, name_range(n), fmt::format("the window `{}` asks nobody", n->text), "`ask p until pass`");
    model_->windows[index].body.block = std::move(block);
    model_->windows[index].body.present = true;
  });
}

// ---------------------------------------------------------------- rules that hang on something

static bool speaks_of_me(const Node* node) {
  return node &&
         ((node->kind == NodeKind::name_ref && (node->text == "me" || node->text == "others")) ||
          std::any_of(node->children.begin(), node->children.end(), [](const Node* c) { return speaks_of_me(c); }));
}

bool Analysis::start_rule(const Decl& d, Rule& rule, Body& body, model::RuleHead& head, std::string name) {
  rule.body = &body;
  rule.droppable = true;
  rule.borrowed = d.borrowed;
  rule.carrier = d.carrier;
  rule.owner = d.owner;
  head.carrier = d.carrier;
  head.precedence = d.precedence;
  head.name = std::move(name);
  head.range = name_range(d.node);
  Rule* outer = rule_;
  rule_ = &rule;
  rule.force = d.force;
  const bool of_player = d.carrier.kind == CarrierKind::character || (d.force && speaks_of_me(d.force)) ||
                         (d.carrier.kind == CarrierKind::card && d.carrier.zone.valid() &&
                          model_->zones[d.carrier.zone.index].has_owner());
  if (of_player) head.me = rule.me = add_local("me", player_type(), d.node->range);
  if (d.carrier.kind == CarrierKind::card) {
    const std::uint32_t type = d.carrier.kinds.empty() ? ~0u
                               : d.owner && d.owner->kind == NodeKind::card_type
                                   ? type_names_.find(d.owner->text)->second
                                   : model_->kinds[d.carrier.kinds[0].index].type.index;
    head.self = rule.self = add_local("this", card_type(type), d.node->range);
    knows_own_place(rule);
  }
  rule_ = outer;
  return true;
}

// The condition of a rule, with what its patterns demand.
const Expr* Analysis::rule_condition(const Node* when) {
  const Expr* all = nullptr;
  for (const Expr* c : pattern_conditions_) all = all ? both(all, c) : c;
  pattern_conditions_.clear();
  if (rule_->force) {
    Pure pure(*rule_);
    const Expr* c = condition(rule_->force);
    if (is_poison(c)) return c;
    all = all ? both(c, all) : c;
  }
  if (all) narrow(all, true);
  if (!when) return all;
  Pure pure(*rule_);
  const Expr* c = condition(when);
  narrow(c, true);
  if (!all) return c;
  Expr* e = make(ExprKind::logical_and, boolean_type(), when->range, {all, c});
  return is_poison(c) ? c : e;
}

// Does a name in a pattern stand for something that is there already, or for whatever comes?
bool Analysis::is_known_in_pattern(std::string_view name, const Type& type) const {
  if (name == "me" || name == "this" || name == "active" || name == "here" || name == "true" || name == "false")
    return true;
  if (type.kind == TypeKind::enumeration) {
    auto it = constant_names_.find(name);
    if (it != constant_names_.end() &&
        std::any_of(it->second.begin(), it->second.end(), [&](const auto& c) { return c.first == type.ref; }))
      return true;
  }
  auto v = table_variables_.find(name);
  if (v != table_variables_.end() && same_type(model_->variables[v->second].type, type)) return true;
  return find_binding(name) || consts_.contains(name) || options_.contains(name);
}

// `after trade(c) by E`: whose doing it is. A new name holds whoever it was.
void Analysis::acted_by(const Node* by, const Callable& callable, std::string_view what, model::Pattern& pattern) {
  if (!callable.hidden_me || callable.node) {
    error(Code::bad_pattern, by->range, fmt::format("`{}` is no action, so nobody does it", what),
          "if one of its parameters is meant, match that: `lose(by: me)`");
    return;
  }
  const bool named = by->kind == NodeKind::name_ref;
  if (named && by->text == "me" && rule_->me.valid()) {
    pattern.kind = model::Pattern::Kind::equals;
    pattern.value = local(rule_->me, by->range);
    return;
  }
  pattern.kind = model::Pattern::Kind::binds;
  pattern.local = add_local("actor", player_type(), by->range);
  if (!rule_->me.valid()) rule_->me = pattern.local;
  const bool special =
      named && (by->text == "anyone" || by->text == "others" || by->text == "players" || by->text == "everyone");
  if (named && !special && !is_known_in_pattern(by->text, player_type())) {
    rule_->bindings.push_back({by->text, pattern.local, nullptr});
    return;
  }
  if (const Expr* c = is_by(pattern.local, by); c && !is_poison(c)) pattern_conditions_.push_back(c);
}

std::vector<model::Pattern> Analysis::patterns(const Node* list, const Callable& callable, const Node* whole,
                                               std::string_view what, const Node* by) {
  const std::size_t hidden = callable.hidden();
  std::vector<model::Pattern> out(callable.names.size());
  pattern_conditions_.clear();
  if (by) {
    model::Pattern unused;
    acted_by(by, callable, what, out.empty() ? unused : out[0]);
  } else if (callable.hidden_me) {
    if (rule_->me.valid()) {                               // an event or action of one's own
      out[0].kind = model::Pattern::Kind::equals;
      out[0].value = local(rule_->me, whole->range);
    } else {                                               // of anybody: `me` is who acts
      out[0].kind = model::Pattern::Kind::binds;
      out[0].local = rule_->me = add_local("me", player_type(), whole->range);
    }
  }
  if (callable.hidden_this && !rule_->self.valid() && !rule_->borrowed) {
    out[1].kind = model::Pattern::Kind::binds;
    out[1].local = rule_->self = add_local("this", callable.types[1], whole->range);
  }
  if (!list) return out;
  std::size_t at = hidden;
  for (const Node* p : list->children) {
    if (!p || !view::pattern(p).value()) continue;
    std::size_t i = at;
    if (!p->text.empty()) {
      i = callable.find(p->text, hidden);
      if (i == callable.names.size()) {
        error(Code::bad_pattern, p->range, fmt::format("`{}` has no parameter `{}`", what, p->text),
              did_you_mean(p->text, callable.names));
        continue;
      }
    } else if (i >= callable.names.size()) {
      const std::size_t all = callable.count() - hidden;
      error(Code::bad_pattern, p->range, fmt::format("`{}` has {} parameter{}", what, all, all == 1 ? "" : "s"));
      continue;
    }
    const Callable::Whole whole = callable.at(i);
    at = i + whole.fields;
    const Node* e = view::pattern(p).value();
    if (record_in(whole.type)) {
      record_pattern(e, whole, &out[i]);
      continue;
    }
    const Type& t = callable.types[i];
    model::Pattern& pattern = out[i];
    if (e->kind == NodeKind::name_ref) {
      const std::string_view name = e->text;
      if (name == "_") continue;
      const bool kind_word = t.kind == TypeKind::card && (kind_names_.contains(name) || type_names_.contains(name));
      const bool player_word =
          t.kind == TypeKind::player && constant_names_.contains(name) && !table_variables_.contains(name);
      if (kind_word || player_word) {
        pattern.kind = model::Pattern::Kind::binds;
        pattern.local = add_local(fmt::format("{} ", callable.names[i]), without_none(t), e->range);
        const Expr* l = local(pattern.local, e->range);
        if (t.optional) pattern_conditions_.push_back(negated(make(ExprKind::is_none, boolean_type(), e->range, {l})));
        const Expr* is = is_kind(l, {e}, e->range);
        if (!is_poison(is)) pattern_conditions_.push_back(is);
        continue;
      }
      if (!is_known_in_pattern(name, t)) {
        pattern.kind = model::Pattern::Kind::binds;
        if (absent_.contains(name) && !std::islower(static_cast<unsigned char>(name[0]))) {
          rule_->dropped = true;
          continue;
        }
        pattern.local = bind(name, t, e->range);
        continue;
      }
    }
    const Expr* value = expr(e, &t);
    if (is_poison(value)) continue;
    pattern.kind = model::Pattern::Kind::equals;
    Type wanted = t;
    wanted.optional = true;
    if (t.kind == TypeKind::set || t.kind == TypeKind::list) {
      error(Code::bad_pattern, e->range,
            fmt::format("a {} can't be matched here", t.kind == TypeKind::set ? "set" : "list"),
            "give it a name and say `when`");
      continue;
    }
    pattern.value = convert(value, wanted, callable.names[i]);
    if (is_poison(pattern.value)) {
      pattern = {};
    } else if (!t.optional && pattern.value->type.optional) {
      if (std::string key = key_of(pattern.value); !key.empty()) rule_->narrowed.push_back(std::move(key));
    }
  }
  return out;
}

// A record is named in a pattern, or anything.
void Analysis::record_pattern(const Node* e, const Callable::Whole& whole, model::Pattern* fields) {
  const bool named = e->kind == NodeKind::name_ref;
  if (named && e->text == "_") return;
  if (!named || is_known_in_pattern(e->text, whole.type) || table_records_.contains(e->text)) {
    error(Code::bad_pattern, e->range, "a record can't be matched here", "give it a name and say `when`");
    return;
  }
  const Expr* value = spread(whole.name, whole.type, e->range, [&](const std::string& name, const Type& type) {
    fields->kind = model::Pattern::Kind::binds;
    fields->local = add_local(name, type, e->range);
    return local((fields++)->local, e->range);
  });
  rule_->bindings.push_back({e->text, LocalId{}, value});
}

void Analysis::build_modifier(const Decl& d, std::uint32_t value) {
  const Node* n = d.node;
  model::Modifier m;
  m.how = static_cast<model::ModifyHow>(n->number);
  Rule rule;
  start_rule(d, rule, m.body, m.head, rule_name(fmt::format("modify {}", n->text), d));
  rule.pure = true;
  in_rule(rule, [&] {
    m.patterns = patterns(view::modify_decl(n).patterns(), values_[value], n, n->text);
    m.head.when = rule_condition(view::modify_decl(n).when());
    build_value(value);
    const Callable& of = values_[value];
    const Type t = of.part.empty() ? model_->values[value].result : of.gives;
    if (t.kind == TypeKind::poison || t.kind == TypeKind::nothing) return;
    if (m.how != model::ModifyHow::to && t.kind != TypeKind::integer) {
      error(Code::wrong_type, name_range(n),
            fmt::format("`{}` is a `{}`, and only numbers are changed `by` or held `at least` or `at most`", n->text,
                        show(t)),
            "say `to`");
      return;
    }
    if (model_->values[value].timing && m.how == model::ModifyHow::to) rule.timed = timed_by(m.patterns[0], n->range);
    m.amount = field_at(convert(expr(view::modify_decl(n).amount(), &t), t, n->text), of.part);
    if (m.how == model::ModifyHow::by && m.amount && m.amount->kind == ExprKind::constant && m.amount->value == 0)
      suspect(Code::without_effect, n->range, true, fmt::format("this changes `{}` by nothing", n->text));
  });
  if (rule.dropped || is_poison(m.amount)) return;
  if (m.head.when && is_poison(m.head.when)) return;
  model_->values[value].modifiers.push_back(std::move(m));
}

void Analysis::ensure_modifiers(std::uint32_t value) {
  if (modifiers_built_[value]) return;
  modifiers_built_[value] = 1;
  for (const Decl& d : value_modifiers_[value]) build_modifier(d, value);
}

std::vector<std::uint32_t> Analysis::events_named(std::string_view name, bool phase) const {
  if (!phase)
    if (auto it = event_names_.find(name); it != event_names_.end()) return it->second;
  if (auto it = phase_names_.find(name); phase && it != phase_names_.end()) return it->second;
  if (auto it = action_events_.find(name); !phase && it != action_events_.end()) return it->second;
  return {};
}

void Analysis::build_trigger(const Decl& d, std::uint32_t event) {
  const Node* n = d.node;
  model::Handler h;
  const int hook = n->number & 3;
  h.hook = hook == 0 ? model::Hook::before : hook == 1 ? model::Hook::after : model::Hook::instead;
  const char* words[] = {"before ", "after ", "instead of "};
  Rule rule;
  start_rule(d, rule, h.body, h.head, rule_name(std::string(words[hook]) + std::string(n->text), d));
  rule.event = event;
  rule.late = hook == 1;
  rule.instead = hook == 2;
  rule.result = hook == 2 ? model_->events[event].result : Type{};
  rule.in_turn =
      model_->events[event].kind == model::EventKind::turn || model_->events[event].kind == model::EventKind::phase;
  in_rule(rule, [&] {
    h.patterns = patterns(view::trigger_decl(n).patterns(), events_[event], n, n->text, view::trigger_decl(n).by());
    h.head.when = rule_condition(view::trigger_decl(n).when());
    h.body.block = effect_of([&](Block& block) { statements(view::trigger_decl(n).effect(), block); });
    h.body.present = true;
  });
  if (rule.dropped) return;
  if (hook == 2 && (!view::trigger_decl(n).effect() || view::trigger_decl(n).effect()->children.empty())) {
    error(Code::empty_instead, first_word(n), fmt::format("instead of `{}` nothing is done", n->text),
          "if it shall not happen say `cancel`");
    return;
  }
  if (hook == 2) {
    const Type& t = model_->events[event].result;
    if (t.kind != TypeKind::nothing && t.kind != TypeKind::poison && !t.optional && t.kind != TypeKind::set &&
        model_->events[event].kind == model::EventKind::plain && !leaves(h.body.block))
      error(Code::no_result, name_range(n),
            fmt::format("`{}` gives a `{}`, and this may end without a `return`", n->text, show(t)));
  }
  if (h.head.when && is_poison(h.head.when)) return;
  model_->events[event].handlers.push_back(std::move(h));
}

// `after play Wsap { }`
void Analysis::no_such_play(const Node* trigger) {
  std::vector<std::string> names;
  for (const Table* t : {&kind_names_, &type_names_})
    for (const auto& [name, id] : *t) names.push_back(name);
  const bool known = kind_names_.contains(trigger->text) || type_names_.contains(trigger->text);
  error(Code::unknown_name, name_range(trigger),
        known ? fmt::format("`{}` is never played", trigger->text)
              : fmt::format("no card or card type named `{}`", trigger->text),
        known ? "nothing says in which window: `play in main { … }`" : did_you_mean(trigger->text, names));
}

void Analysis::build_triggers() {
  for (const Decl& d : triggers_) {
    const Node* n = d.node;
    if (n->number & 8) {
      if (view::trigger_decl(n).windows())
        for (const Node* w : view::trigger_decl(n).windows()->children)
          if (w && w->text != "any window" && !window_names_.contains(w->text) && !absent_.contains(w->text)) {
            std::vector<std::string> names;
            for (const auto& [name, id] : window_names_) names.push_back(name);
            error(Code::unknown_name, w->range, fmt::format("no window named `{}`", w->text),
                  did_you_mean(w->text, names));
          }
      for (std::uint32_t a : actions_watched(n)) build_trigger(d, wrapped_.at(a));
      continue;
    }
    if (n->number & 16) {
      const std::vector<std::uint32_t> plays = actions_watched(n);
      if (plays.empty() && !absent_.contains(n->text)) no_such_play(n);
      for (std::uint32_t a : plays) build_trigger(d, wrapped_.at(a));
      continue;
    }
    const bool phase = n->number & 4;
    const std::vector<std::uint32_t> events = events_named(n->text, phase);
    if (events.empty()) {
      if (absent_.contains(n->text)) continue;
      std::vector<std::string> names{"turn", "round"};
      for (const auto& [name, ids] : phase ? phase_names_ : event_names_) names.push_back(name);
      std::string help = did_you_mean(n->text, names);
      if (!phase && phase_names_.contains(n->text)) help = fmt::format("it is a phase: say `phase {}`", n->text);
      if (phase && event_names_.contains(n->text)) help = fmt::format("it is an event: leave `phase` out");
      const std::string message = n->text == "turn" || n->text == "round" ? fmt::format("the game has no {}s", n->text)
                                  : phase                                 ? fmt::format("no phase named `{}`", n->text)
                                                                          : fmt::format("no event named `{}`", n->text);
      error(Code::unknown_name, name_range(n), message, help);
      continue;
    }
    used_.insert(std::string(n->text));
    for (std::uint32_t e : events) build_trigger(d, e);
  }
}

void Analysis::build_whenever(const Decl& d) {
  const Node* n = d.node;
  model::Whenever w;
  Rule rule;
  start_rule(d, rule, w.body, w.head, rule_name("whenever", d));
  in_rule(rule, [&] {
    if (!n->text.empty()) {
      const Type t = type_or_poison(view::whenever_decl(n).type());
      if (t.kind != TypeKind::player && t.kind != TypeKind::enumeration && t.kind != TypeKind::poison)
        error(Code::unsupported, name_range(n),
              "a family of `whenever`s goes over players or the constants of an enum");
      w.subject = bind(n->text, t, n->range);
    }
    {
      Pure pure(*rule_);
      w.head.when = condition(view::whenever_decl(n).condition());
      if (rule_->force) w.head.when = both(condition(rule_->force), w.head.when);
      narrow(w.head.when, true);
    }
    w.body.block = effect_of([&](Block& block) { statements(view::whenever_decl(n).effect(), block); });
    w.body.present = true;
  });
  if (!rule.dropped && !is_poison(w.head.when)) model_->whenevers.push_back(std::move(w));
}

void Analysis::build_also(const Decl& d) {
  const Node* n = d.node;
  model::Also a;
  Body body;
  Rule rule;
  start_rule(d, rule, body, a.head,
             rule_name(fmt::format("{} is also {}", n->text,
                                   view::also_decl(n).counts_as() ? view::also_decl(n).counts_as()->text : ""),
                       d));
  rule.pure = true;
  bool good = false;
  in_rule(rule, [&] {
    const auto missing = [&](std::string_view name, Range range) {
      if (absent_.contains(name)) return;
      std::vector<std::string> names;
      for (const auto& [k, id] : kind_names_) names.push_back(k);
      error(Code::unknown_name, range, fmt::format("no card named `{}`", name), did_you_mean(name, names));
    };
    if (auto k = kind_names_.find(n->text); k != kind_names_.end() && k->second != ~0u)
      a.kinds = {model::KindId{k->second}};
    else if (auto t = type_names_.find(n->text); t != type_names_.end())
      for (Int kind : kinds_of_type(t->second)) a.kinds.push_back({static_cast<std::uint32_t>(kind)});
    else return missing(n->text, n->range);
    const Node* other = view::also_decl(n).counts_as();
    auto k = other ? kind_names_.find(other->text) : kind_names_.end();
    if (k == kind_names_.end() || k->second == ~0u)
      return missing(other ? other->text : "", other ? other->range : n->range);
    a.counts_as = model::KindId{k->second};
    if (!rule_->me.valid() || rule_->force) {
      error(Code::nobody_meant, first_word(n), "whose cards are meant",
            "only a character, or a card that lies before a player, makes cards count as others");
      return;
    }
    auto w = zone_place(view::also_decl(n).place(), true);
    if (!w) return;
    if (!w->place.owner || w->place.owner->kind != ExprKind::local || w->place.owner->local != rule_->me) {
      error(Code::bad_zone, view::also_decl(n).place()->range, "it must be a zone of `me`",
            "`Miss in me.hand is also Splash`");
      return;
    }
    a.zone = w->place.zone;
    good = true;
  });
  if (good && !rule.dropped) model_->alsos.push_back(std::move(a));
}

void Analysis::build_forbid(const Decl& d) {
  const Node* n = d.node;
  model::Forbid f;
  f.allow = n->number == 1;
  Rule rule;
  start_rule(d, rule, f.body, f.head, rule_name(f.allow ? "allow" : "forbid", d));
  rule.pure = true;
  bool good = true;
  in_rule(rule, [&] {
    const bool nobodys = d.carrier.kind == CarrierKind::nobody || d.carrier.zone.valid();
    if (!f.head.me.valid() && nobodys)                      // who would act
      f.head.me = rule.me = add_local("me", player_type(), d.node->range);
    std::optional<model::GroupId> of;
    if (view::forbid_decl(n).group()) {
      of = group(view::forbid_decl(n).group()->text, false);
      used_.insert("group " + std::string(view::forbid_decl(n).group()->text));
      if (!of) {
        if (!absent_.contains(view::forbid_decl(n).group()->text)) {
          std::vector<std::string> names;
          for (const auto& [g, id] : group_names_) names.push_back(g);
          error(Code::unknown_name, view::forbid_decl(n).group()->range,
                fmt::format("no action is `as {}`", view::forbid_decl(n).group()->text),
                did_you_mean(view::forbid_decl(n).group()->text, names));
        }
        good = false;
        return;
      }
    }
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < model_->actions.size(); ++i) {
      const model::Action& a = model_->actions[i];
      if (of && std::find(a.groups.begin(), a.groups.end(), *of) == a.groups.end()) continue;
      if (n->text == "any action") {
        found.push_back(i);
      } else if (n->text == "play") {
        if (!a.play) continue;
        if (const Node* what = view::forbid_decl(n).what()) {
          auto k = kind_names_.find(what->text);
          auto t = type_names_.find(what->text);
          const bool is = (k != kind_names_.end() && a.kind.index == k->second) ||
                          (t != type_names_.end() && is_a(model_->kinds[a.kind.index].type.index, t->second));
          if (!is) continue;
        }
        found.push_back(i);
      } else if (!a.play && a.name == n->text) {
        found.push_back(i);
      }
    }
    if (n->text == "play" && found.empty() && action_names_.contains("play"))
      found = action_names_.find("play")->second;
    if (found.empty()) {
      good = false;
      const std::string_view name =
          n->text == "play" && view::forbid_decl(n).what() ? view::forbid_decl(n).what()->text : n->text;
      if (absent_.contains(name)) return;
      const bool play = n->text == "play" && view::forbid_decl(n).what();
      std::vector<std::string> names;
      if (play) for (const auto& [kind, id] : kind_names_) names.push_back(kind);
      else for (const auto& [a, ids] : action_names_) names.push_back(a);
      error(Code::unknown_name, view::forbid_decl(n).what() ? view::forbid_decl(n).what()->range : n->range,
            n->text == "any action" || (play && kind_names_.contains(name))
                ? "this speaks of no action"
                : fmt::format("no {} named `{}`", play ? "card" : "action", name),
            did_you_mean(name, names));
      return;
    }
    for (std::uint32_t i : found) f.actions.push_back({i});
    if (view::forbid_decl(n).patterns() && !view::forbid_decl(n).patterns()->children.empty()) {
      if (found.size() > 1) {
        error(Code::bad_pattern, view::forbid_decl(n).patterns()->range,
              "several actions are meant, so their arguments can't be matched");
        good = false;
        return;
      }
      const model::Action& a = model_->actions[found[0]];
      Callable c;
      std::optional<std::size_t> self;                     // where the card stands that is played, or has the action
      for (std::size_t i = 0; i < a.parameters.size(); ++i) {
        const model::ActionParameter& p = a.parameters[i];
        if (p.local == a.head.self) {
          self = i;
          continue;
        }
        c.names.push_back(p.name);
        c.types.push_back(p.count == model::PickCount::one ? p.type : set_type(p.type));
      }
      f.patterns = patterns(view::forbid_decl(n).patterns(), c, n, n->text);
      if (self) f.patterns.insert(f.patterns.begin() + static_cast<std::ptrdiff_t>(*self), model::Pattern{});
    }
    f.head.when = rule_condition(view::forbid_decl(n).when());
  });
  if (good && !rule.dropped && !(f.head.when && is_poison(f.head.when))) model_->forbids.push_back(std::move(f));
}

}  // namespace cardwright::sema
