// Which declarations hold in this variant: unfolds `with`, applies `replace` and `remove`, and gives every rule its
// precedence. What another variant would have declared is remembered, so that rules that name it are dropped silently.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {
namespace {

std::string_view word_for(NodeKind kind) {
  switch (kind) {
    case NodeKind::card: return "card";
    case NodeKind::card_type: return "card type";
    case NodeKind::character: return "character";
    case NodeKind::character_type: return "character type";
    case NodeKind::enum_decl: return "enum";
    case NodeKind::record_decl: return "record";
    case NodeKind::deck: return "deck";
    case NodeKind::board: return "board";
    case NodeKind::value_decl: return "value";
    case NodeKind::function_decl: return "function";
    case NodeKind::sequence_decl: return "sequence";
    case NodeKind::event_decl: return "event";
    case NodeKind::window_decl: return "window";
    case NodeKind::action_decl: return "action";
    case NodeKind::const_decl: return "const";
    case NodeKind::unit_decl: return "unit";
    case NodeKind::option_decl: return "option";
    case NodeKind::scene: return "scene";
    case NodeKind::scenario: return "scenario";
    case NodeKind::setup_decl: return "setup";
    case NodeKind::play_flow: return "play";
    case NodeKind::zone: return "zone";
    case NodeKind::field: return "field";
    case NodeKind::area: return "area";
    case NodeKind::piece: return "piece";
    case NodeKind::die: return "die";
    case NodeKind::timer_decl: return "timer";
    case NodeKind::teams_decl: return "teams";
    case NodeKind::players_decl: return "players";
    default: return "";
  }
}

// Zones, variables, areas, pieces, dice and timers belong to somebody: state.cpp knows to whom.
bool is_state(std::string_view word) {
  return word == "zone" || word == "field" || word == "area" || word == "piece" || word == "die" || word == "timer";
}

}  // namespace

std::vector<std::string> Analysis::removable_names(std::string_view word) const {
  std::vector<std::string> names;
  for (const Decl& d : decls_)
    if (d.node && (word_for(d.node->kind) == word || (word == "card" && d.node->kind == NodeKind::card)))
      names.emplace_back(d.node->text);
  if (word == "action")                                    // those of cards, too
    for (const auto& [name, ids] : action_names_) names.push_back(name);
  if (word == "zone")
    for (const Table* zones : {&table_zones_, &player_zones_})
      for (const auto& [name, id] : *zones) names.push_back(name);
  return names;
}

model::Precedence Analysis::next_precedence(model::RuleKind kind, std::uint32_t unit) {
  return {kind, ruleset_.units[unit].depth, position_++};
}

void Analysis::note_absent_decl(const Node* node) {
  if (!node) return;
  switch (node->kind) {
    case NodeKind::list:
    case NodeKind::player_state:
    case NodeKind::table_state:
    case NodeKind::team_state:
    case NodeKind::with_decl:
    case NodeKind::option_value:
      for (const Node* c : node->children) note_absent_decl(c);
      return;
    default: break;
  }
  if (!node->text.empty()) absent_.insert(std::string(node->text));
  if (node->kind == NodeKind::enum_decl)
    for (const Node* c : node->children)
      if (c && c->kind == NodeKind::list) note_absent_decl(c);
}

void Analysis::note_absent(const Node* list) {
  if (list)
    for (const Node* c : list->children) note_absent_decl(c);
}

void Analysis::expand(const Node* list, model::RuleKind kind, const OnDecl& on) {
  if (!list || ++depth_ > 200) {
    if (list) --depth_;
    return;
  }
  for (const Node* node : list->children) {
    if (!node) continue;
    if (node->kind == NodeKind::with_decl) {
      const bool by_option = mentions_option(view::with_decl(node).condition());
      const auto holding = branch(node);
      if (!holding) continue;
      const model::RuleKind inner = by_option && kind == model::RuleKind::rule ? model::RuleKind::option : kind;
      note_absent(node->child(3 - *holding));
      expand(node->child(*holding), inner, on);
    } else if (node->kind == NodeKind::list) {
      expand(node, kind, on);
    } else {
      on(node, kind);
    }
  }
  --depth_;
}

// `replace` and `remove`.
void Analysis::edit(const Decl& d) {
  const Node* node = d.node;
  const bool replacing = node->kind == NodeKind::replace_decl;
  const Node* with = replacing ? view::replace_decl(node).declaration() : nullptr;
  if (replacing && !with) return;
  // seen by the loader, by options.cpp
  if (replacing ? with->kind == NodeKind::variant_decl
                : view::remove_decl(node).relation() || view::remove_decl(node).what()->text == "variant")
    return;
  if (replacing && with->kind == NodeKind::const_decl && consts_.contains(with->text))
    return void(consts_.insert_or_assign(std::string(with->text), with));
  if (replacing && with->kind == NodeKind::unit_decl && units_.contains(with->text))
    return void(units_.insert_or_assign(std::string(with->text), with));
  if (replacing && with->kind == NodeKind::option_decl) return taking_ ? (*taking_)(with, d.precedence.kind) : void();
  const std::string_view name = replacing ? with->text : node->text;
  const std::string_view word = replacing                        ? word_for(with->kind)
                                : view::remove_decl(node).what() ? view::remove_decl(node).what()->text
                                                                 : "";
  if (is_state(word)) return decls_.push_back(d);
  if (!replacing &&
      ((word == "const" && consts_.erase(std::string(name))) || (word == "unit" && units_.erase(std::string(name)))))
    return void(absent_.insert(std::string(name)));
  if (replacing && with->kind == NodeKind::setup_decl) return replace_setup(d);
  const auto same = [&](const Decl& other) {
    if (replacing) return other.node->kind == with->kind && other.node->text == name;
    std::string_view w = word_for(other.node->kind);
    return other.node->text == name && (w == word || (word == "card" && other.node->kind == NodeKind::card));
  };
  bool found = false;
  std::vector<std::string> candidates;
  for (std::size_t i = 0; i < decls_.size(); ++i) {
    Decl& other = decls_[i];
    if (!other.node) continue;
    if (same(other)) {
      found = true;
      if (replacing) {
        if (other.replaces && other.unit != d.unit && other.precedence.depth == d.precedence.depth)
          error(Code::declared_twice, name_range(with), fmt::format("two files replace the {} `{}`", word, name),
                "leave one of them out, or let one file extend the other")
              .notes.push_back({name_range(other.node), "the other"});
        if (with->kind == NodeKind::scenario) replaced_scenarios_.insert(std::string(name));
        other.replaces = true;
        other.node = with;
        other.precedence = d.precedence;
        other.unit = d.unit;
      } else {
        absent_.insert(std::string(name));
        removals_.push_back(node);                         // so that who names it is told
        if (d.precedence.kind != model::RuleKind::option) removed_outright_.push_back({node, {}});
        if (other.node->kind == NodeKind::card) removed_cards_.push_back(other.node);
        if (other.node->kind == NodeKind::scenario) removed_scenarios_.insert(std::string(name));
        other.node = nullptr;
      }
      break;
    }
    if (word_for(other.node->kind) == word) candidates.push_back(std::string(other.node->text));
  }
  std::erase_if(decls_, [](const Decl& x) { return !x.node; });
  if (found) return;
  if (!replacing) {
    if (word == "option")
      return void(error(Code::nothing_to_replace, name_range(node), "options can't be removed",
                        "set it with a `variant`, or replace its rules"));
    // an action, zone or event inside a card or the table state: taken out when it is declared
    removed_.insert(std::string(word) + " " + std::string(name));
    removals_.push_back(node);
    if (d.precedence.kind != model::RuleKind::option) removed_outright_.push_back({node, {}});
    return;
  }
  // it has no name of its own: refused where it stands (places.cpp)
  if (word.empty()) return;
  error(Code::nothing_to_replace, name_range(with), fmt::format("there is no {} `{}` to replace", word, name),
        did_you_mean(name, candidates));
}

// The game may have several, and so may its libraries, whose own stay.
void Analysis::replace_setup(const Decl& d) {
  const auto is_one = [&](const Decl& other, bool library) {
    return other.node && other.node->kind == NodeKind::setup_decl && ruleset_.units[other.unit].library == library;
  };
  const bool of_game =
      std::any_of(decls_.begin(), decls_.end(), [&](const Decl& other) { return is_one(other, false); });
  if (std::erase_if(decls_, [&](const Decl& other) { return is_one(other, !of_game); }) == 0)
    return void(error(Code::nothing_to_replace, first_word(view::replace_decl(d.node).declaration()),
                      "there is no setup to replace"));
  Decl put = d;
  put.node = view::replace_decl(d.node).declaration();
  decls_.push_back(std::move(put));
}

void Analysis::note_unit(const Node* node) {
  const auto [it, fresh] = units_.emplace(std::string(node->text), node);
  if (!fresh && it->second != node)
    error(Code::declared_twice, node->range, fmt::format("there is already a unit `{}`", node->text),
          "`replace unit` changes one")
        .notes.push_back({it->second->range, "the other"});
}

void Analysis::collect_unit(std::uint32_t unit) {
  const Unit& u = ruleset_.units[unit];
  if (!u.root) return;
  for (const Node* n : u.root->children) {                 // parameters of a library
    if (!n || n->kind != NodeKind::library || !view::library(n).fields()) continue;
    for (const Node* f : view::library(n).fields()->children) {
      if (!f || f->kind != NodeKind::field) continue;
      std::optional<Fixed> value = fixed(view::field(f).initial());
      if (u.arguments)
        for (const Node* a : u.arguments->children)
          if (a && a->text == f->text) value = fixed(view::arg(a).value());
      if (!value) continue;
      if (const Node* t = view::field(f).type(); t && t->kind == NodeKind::type_range) {
        auto lo = fixed_int(view::type_range(t).lo()), hi = fixed_int(view::type_range(t).hi());
        if (lo && hi && (value->value < *lo || value->value > *hi))
          error(Code::out_of_range, f->range,
                fmt::format("`{}` goes from {} to {}, and {} was asked for", f->text, *lo, *hi, value->value));
      }
      known_consts_[std::string(f->text)] = *value;
      library_constants_.insert(std::string(f->text));
    }
    if (u.arguments)
      for (const Node* a : u.arguments->children) {
        if (!a) continue;
        if (a->text.empty()) {
          error(Code::wrong_arguments, a->range, "which parameter of the library is meant",
                fmt::format("`with {}: …`",
                            view::library(n).fields()->child(0) ? view::library(n).fields()->child(0)->text : "name"));
          continue;
        }
        bool known = std::any_of(view::library(n).fields()->children.begin(), view::library(n).fields()->children.end(),
                                 [&](const Node* f) { return f && f->text == a->text; });
        if (!known) error(Code::unknown_name, a->range, fmt::format("the library has no parameter `{}`", a->text));
      }
  }
  const OnDecl take = [&](const Node* node, model::RuleKind kind) {
    if (node->kind == NodeKind::const_decl) {
      if (kind != model::RuleKind::rule || !consts_.contains(node->text))
        consts_.insert_or_assign(std::string(node->text), node);
      return;
    }
    if (node->kind == NodeKind::unit_decl) return note_unit(node);
    if (node->kind == NodeKind::option_decl) {
      const Node* values = view::option_decl(node).values();
      auto chosen = options_.find(node->text);
      const bool counts = std::any_of(ruleset_.options.begin(), ruleset_.options.end(),
                                      [&](const Option& o) { return o.node == node; });
      if (!values || chosen == options_.end() || !counts) return;
      for (const Node* v : values->children) {
        if (!v || v->kind != NodeKind::option_value) continue;
        if (v->text == chosen->second)
          expand(view::option_value(v).declarations(), model::RuleKind::option, *taking_);
        else
          note_absent(view::option_value(v).declarations());
      }
      return;
    }
    Decl d{.node = node, .unit = unit, .precedence = next_precedence(kind, unit)};
    if (node->kind == NodeKind::replace_decl || node->kind == NodeKind::remove_decl) return edit(d);
    decls_.push_back(std::move(d));
  };
  taking_ = &take;
  expand(u.root, model::RuleKind::rule, take);
  taking_ = nullptr;
}

void Analysis::collect() {
  for (std::uint32_t unit = 0; unit < ruleset_.units.size(); ++unit) collect_unit(unit);
}

}  // namespace cardwright::sema
