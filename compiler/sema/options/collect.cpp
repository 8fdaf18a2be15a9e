// Selects the declarations for the chosen options: expands `with`, applies `replace` and `remove`, and assigns a
// precedence to each rule. Also records the names that exist only under other options, so that rules that use these
// names are dropped without an error.
#include "compiler/sema/options/collect.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/errors.h"
#include "support/decimal.h"

namespace cardwright::sema {

static void replace_setup(SemaContext& sema, const Decl& decl);
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
    case NodeKind::policy_decl: return "policy";
    case NodeKind::const_decl: return "const";
    case NodeKind::unit_decl: return "unit";
    case NodeKind::option_decl: return "option";
    case NodeKind::measure_decl: return "measure";
    case NodeKind::scene: return "scene";
    case NodeKind::scenario: return "scenario";
    case NodeKind::end_when: return "ending";
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

// Returns whether the keyword belongs to a declaration with an owner (a zone, variable, area, piece, die or timer).
// Such declarations are removed in state.cpp.
}   // namespace

bool is_word_of_state(std::string_view word) {
  return word == "zone" || word == "field" || word == "area" || word == "piece" || word == "die" || word == "timer";
}

std::vector<std::string> removable_names(const SemaContext& sema, std::string_view word) {
  std::vector<std::string> names;
  for (const Decl& d : sema.collected.decls)
    if (d.node && (word_for(d.node->kind) == word || (word == "card" && d.node->kind == NodeKind::card)))
      names.emplace_back(d.node->text);
  if (word == "action")   // includes the actions inside cards
    for (const auto& [name, ids] : sema.names.actions) names.push_back(name);
  if (word == "zone")
    for (const Table* zones : {&sema.names.table_zones, &sema.names.player_zones})
      for (const auto& [name, id] : *zones) names.push_back(name);
  return names;
}

model::Precedence next_precedence(SemaContext& sema, model::RuleKind kind, std::uint32_t unit) {
  return {kind, sema.ruleset.units[unit].depth, sema.collected.position++};
}

static void note_absent_decl(SemaContext& sema, const Node* node) {
  if (!node) return;
  switch (node->kind) {
    case NodeKind::list:
    case NodeKind::player_state:
    case NodeKind::table_state:
    case NodeKind::team_state:
    case NodeKind::with_decl:
    case NodeKind::option_value:
      for (const Node* c : node->children) note_absent_decl(sema, c);
      return;
    default: break;
  }
  if (node->kind == NodeKind::replace_decl && view::replace_decl(node).declaration() &&
      view::replace_decl(node).declaration()->kind == NodeKind::play_flow)
    node = view::replace_decl(node).declaration();
  if (node->kind == NodeKind::play_flow) return note_absent_flow(sema, node);
  if (!node->text.empty()) sema.collected.absent.insert(std::string(node->text));
  if (node->kind == NodeKind::enum_decl)
    for (const Node* c : node->children)
      if (c && c->kind == NodeKind::list) note_absent_decl(sema, c);
}

static void note_absent(SemaContext& sema, const Node* list) {
  if (list)
    for (const Node* c : list->children) note_absent_decl(sema, c);
}

void expand(SemaContext& sema, const Node* list, model::RuleKind kind, const OnDecl& on) {
  if (!list || ++sema.depth > 200) {
    if (list) --sema.depth;
    return;
  }
  for (const Node* node : list->children) {
    if (!node) continue;
    if (node->kind == NodeKind::with_decl) {
      const bool by_option = mentions_option(sema, view::with_decl(node).condition());
      const auto side = branch(sema, node);
      if (!side) continue;
      const model::RuleKind inner = by_option && kind == model::RuleKind::rule ? model::RuleKind::option : kind;
      note_absent(sema, side->left_out);
      expand(sema, side->taken, inner, on);
    } else if (node->kind == NodeKind::list) {
      expand(sema, node, kind, on);
    } else {
      on(node, kind);
    }
  }
  --sema.depth;
}

// Applies a `replace` or `remove`.
static void edit(SemaContext& sema, const Decl& d) {
  const Node* node = d.node;
  if (node->kind == NodeKind::remove_decl && view::remove_decl(node).why() &&
      view::remove_decl(node).what()->text != "scenario")
    error(sema, "wrong_kind_of_name"_code, view::remove_decl(node).why()->range,
          "only `remove scenario` can have a reason", "write the reason as a comment");
  const bool replacing = node->kind == NodeKind::replace_decl;
  const Node* with = replacing ? view::replace_decl(node).declaration() : nullptr;
  if (replacing && !with) return;
  // loader.cpp handles variants, and options.cpp handles relations between options.
  if (replacing ? with->kind == NodeKind::variant_decl
                : view::remove_decl(node).relation() || view::remove_decl(node).what()->text == "variant")
    return;
  if (replacing && with->kind == NodeKind::const_decl && sema.constants.declared.contains(with->text))
    return void(sema.constants.declared.insert_or_assign(std::string(with->text), with));
  if (replacing && with->kind == NodeKind::unit_decl && sema.constants.units.contains(with->text))
    return void(sema.constants.units.insert_or_assign(std::string(with->text), with));
  if (replacing && with->kind == NodeKind::option_decl)
    return sema.collected.taking ? (*sema.collected.taking)(with, d.precedence.kind) : void();
  const std::string_view name = replacing ? with->text : node->text;
  const std::string_view word = replacing                        ? word_for(with->kind)
                                : view::remove_decl(node).what() ? view::remove_decl(node).what()->text
                                                                 : "";
  if (is_word_of_state(word)) return sema.collected.decls.push_back(d);
  if (!replacing && ((word == "const" && sema.constants.declared.erase(std::string(name))) ||
                     (word == "unit" && sema.constants.units.erase(std::string(name)))))
    return void(sema.collected.absent.insert(std::string(name)));
  if (replacing && with->kind == NodeKind::setup_decl) return replace_setup(sema, d);
  const auto same = [&](const Decl& other) {
    if (replacing) return other.node->kind == with->kind && other.node->text == name;
    std::string_view w = word_for(other.node->kind);
    return other.node->text == name && (w == word || (word == "card" && other.node->kind == NodeKind::card));
  };
  bool found = false;
  std::vector<std::string> candidates;
  for (std::size_t i = 0; i < sema.collected.decls.size(); ++i) {
    Decl& other = sema.collected.decls[i];
    if (!other.node) continue;
    if (same(other)) {
      found = true;
      if (replacing) {
        if (other.replaces && other.unit != d.unit && other.precedence.depth == d.precedence.depth)
          error(sema, "duplicate_declaration"_code, name_range(sema, with),
                fmt::format("conflicting replacements of the {} `{}` in two files", word, name),
                "remove one of them, or make one file extend the other")
              .notes.push_back({name_range(sema, other.node), "also replaced here"});
        if (with->kind == NodeKind::scenario) sema.collected.replaced_scenarios.insert(std::string(name));
        other.replaces = true;
        other.node = with;
        // A replaced ending is still checked at its original position in the order.
        if (with->kind != NodeKind::end_when) other.precedence = d.precedence;
        other.unit = d.unit;
      } else {
        sema.collected.absent.insert(std::string(name));
        sema.collected.removals.push_back(node);   // so that errors about this name can mention the removal
        if (d.precedence.kind != model::RuleKind::option) sema.collected.removed_outright.push_back({node, {}});
        if (other.node->kind == NodeKind::card) sema.collected.removed_cards.push_back(other.node);
        if (other.node->kind == NodeKind::scenario) sema.collected.removed_scenarios.insert(std::string(name));
        other.node = nullptr;
      }
      break;
    }
    if (word_for(other.node->kind) == word) candidates.push_back(std::string(other.node->text));
  }
  std::erase_if(sema.collected.decls, [](const Decl& x) { return !x.node; });
  if (found) return;
  if (!replacing) {
    if (word == "option")
      return void(error(sema, "nothing_to_replace"_code, name_range(sema, node), "cannot remove an option",
                        "set it with a `variant`, or replace its rules"));
    // The name may belong to an action, zone or event inside a card or in the state of the table. These are declared
    // later, and the removed one is skipped then.
    sema.collected.removed.insert(std::string(word) + " " + std::string(name));
    sema.collected.removals.push_back(node);
    if (d.precedence.kind != model::RuleKind::option) sema.collected.removed_outright.push_back({node, {}});
    return;
  }
  // The declaration has no name; allowed_contexts.cpp reports this.
  if (word.empty()) return;
  error(sema, "nothing_to_replace"_code, name_range(sema, with),
        fmt::format("cannot replace unknown {} `{}`", word, name), did_you_mean(name, candidates));
}

// Replaces all `setup`s of the game, but not those of its libraries.
static void replace_setup(SemaContext& sema, const Decl& d) {
  const auto is_one = [&](const Decl& other, bool library) {
    return other.node && other.node->kind == NodeKind::setup_decl && sema.ruleset.units[other.unit].library == library;
  };
  const bool of_game = std::any_of(sema.collected.decls.begin(), sema.collected.decls.end(),
                                   [&](const Decl& other) { return is_one(other, false); });
  if (std::erase_if(sema.collected.decls, [&](const Decl& other) { return is_one(other, !of_game); }) == 0)
    return void(error(sema, "nothing_to_replace"_code, first_word(sema, view::replace_decl(d.node).declaration()),
                      "cannot replace `setup`: the game has none"));
  Decl put = d;
  put.node = view::replace_decl(d.node).declaration();
  sema.collected.decls.push_back(std::move(put));
}

static void note_unit(SemaContext& sema, const Node* node) {
  const auto [it, fresh] = sema.constants.units.emplace(std::string(node->text), node);
  if (!fresh && it->second != node)
    error(sema, "duplicate_declaration"_code, node->range, fmt::format("duplicate unit `{}`", node->text),
          "use `replace unit` to change it")
        .notes.push_back({it->second->range, "first declared here"});
}

static void collect_unit(SemaContext& sema, std::uint32_t unit) {
  const Unit& u = sema.ruleset.units[unit];
  if (!u.root) return;
  for (const Node* n : u.root->children) {   // the parameters of a library
    if (!n || n->kind != NodeKind::library || !view::library(n).fields()) continue;
    for (const Node* f : view::library(n).fields()->children) {
      if (!f || f->kind != NodeKind::field) continue;
      std::optional<TreeConstant> value = tree_constant(sema, view::field(f).initial());
      if (u.arguments)
        for (const Node* a : u.arguments->children)
          if (a && a->text == f->text) value = tree_constant(sema, view::arg(a).value());
      if (!value) continue;
      if (const Node* t = view::field(f).type(); t && t->kind == NodeKind::type_range) {
        auto lo = tree_int(sema, view::type_range(t).lo()), hi = tree_int(sema, view::type_range(t).hi());
        if (lo && hi && (value->value < *lo || value->value > *hi))
          error(
              sema, "out_of_range"_code, f->range,
              fmt::format("value of `{}` out of range; expected {} to {}, found {}", f->text, *lo, *hi, value->value));
      }
      sema.constants.known[std::string(f->text)] = *value;
      sema.constants.of_libraries.insert(std::string(f->text));
    }
    if (u.arguments)
      for (const Node* a : u.arguments->children) {
        if (!a) continue;
        if (a->text.empty()) {
          const Node* first = view::list(view::library(n).fields()).items(0);
          error(sema, "wrong_arguments"_code, a->range, "arguments of a library need names",
                fmt::format("`with {}: …`", first ? first->text : "name"));
          continue;
        }
        bool known = std::any_of(view::library(n).fields()->children.begin(), view::library(n).fields()->children.end(),
                                 [&](const Node* f) { return f && f->text == a->text; });
        if (!known) error(sema, "unknown_name"_code, a->range, fmt::format("unknown library parameter `{}`", a->text));
      }
  }
  const OnDecl take = [&](const Node* node, model::RuleKind kind) {
    if (node->kind == NodeKind::const_decl) {
      if (kind != model::RuleKind::rule || !sema.constants.declared.contains(node->text))
        sema.constants.declared.insert_or_assign(std::string(node->text), node);
      return;
    }
    if (node->kind == NodeKind::unit_decl) return note_unit(sema, node);
    if (node->kind == NodeKind::option_decl) {
      const Node* values = view::option_decl(node).values();
      auto chosen = sema.options.chosen.find(node->text);
      const bool counts = std::any_of(sema.ruleset.options.begin(), sema.ruleset.options.end(),
                                      [&](const Option& o) { return o.node == node; });
      if (!values || chosen == sema.options.chosen.end() || !counts) return;
      for (const Node* v : values->children) {
        if (!v || v->kind != NodeKind::option_value) continue;
        if (v->text == chosen->second)
          expand(sema, view::option_value(v).declarations(), model::RuleKind::option, *sema.collected.taking);
        else
          note_absent(sema, view::option_value(v).declarations());
      }
      return;
    }
    Decl d{.node = node, .unit = unit, .precedence = next_precedence(sema, kind, unit)};
    if (node->kind == NodeKind::replace_decl || node->kind == NodeKind::remove_decl) return edit(sema, d);
    sema.collected.decls.push_back(std::move(d));
  };
  sema.collected.taking = &take;
  expand(sema, u.root, model::RuleKind::rule, take);
  sema.collected.taking = nullptr;
}

void collect(SemaContext& sema) {
  for (const bool beside : {false, true})   // files of measures come last, because they contain no rules
    for (std::uint32_t unit = 0; unit < sema.ruleset.units.size(); ++unit)
      if (sema.ruleset.units[unit].measures == beside) collect_unit(sema, unit);
}

// Returns whether a library is used with the chosen options. If the `use` of a library is inside a `with`, the loader
// wraps the library in a `with`.
bool is_used(SemaContext& sema, const Node* library) {
  return std::all_of(library->children.begin(), library->children.end(), [&](const Node* n) {
    return !n || n->kind != NodeKind::with_decl || n->range != library->range || branch(sema, n);
  });
}

// Records the phases, turns and rounds that exist only under other options, so that rules that name them are dropped
// without an error.
void note_absent_flow(SemaContext& sema, const Node* node) {
  if (!node || ++sema.depth > 300) {
    if (node) --sema.depth;
    return;
  }
  const auto absent = [&](std::string_view name) { sema.collected.absent.insert(std::string(name)); };
  if (node->kind == NodeKind::phase_stmt) absent(node->text);
  if (node->kind == NodeKind::turns_stmt) absent("turn");
  if (node->kind == NodeKind::rounds_stmt) absent("round");
  for (const Node* part : node->children) note_absent_flow(sema, part);
  --sema.depth;
}

// Returns the member of this node kind that exists with the chosen options. Duplicates are reported elsewhere.
const Node* find_member(SemaContext& sema, const Node* members, NodeKind kind) {
  const Node* found = nullptr;
  expand(sema, members, model::RuleKind::rule, [&](const Node* m, model::RuleKind) {
    if (m->kind == kind) found = m;
  });
  return found;
}

}   // namespace cardwright::sema
