// Resolves options: applies the requested values and presets, then `implies`, `conflict`, `require` and `void`.
// Input:  a configuration.
// Output: a value for every option, or errors that name the conflicting options and the causes of their values.
#include "compiler/sema/options/options.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/options/relations.h"
#include "compiler/sema/options/written.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

static void remove_relation(SemaContext& sema, const Node* node);
static void refresh_consts(SemaContext& sema);
static void options_of(const SemaContext& sema, const std::vector<Guard>& within, std::set<std::string>& out);
namespace {

using Requested = std::map<std::string, std::string, std::less<>>;

const Option* find_option(const Ruleset& ruleset, std::string_view name) {
  for (const Option& o : ruleset.options)
    if (o.name == name) return &o;
  return nullptr;
}

const Variant* find_variant(const Ruleset& ruleset, std::string_view title) {
  if (find_option(ruleset, title)) return nullptr;
  for (const Variant& v : ruleset.variants)
    if (v.title == title) return &v;
  return nullptr;
}

std::string list_of(const std::vector<std::string>& names) { return fmt::format("`{}`", fmt::join(names, "`, `")); }

void unknown_option(const Ruleset& ruleset, const std::string& name, Range range, Diagnostics& say) {
  std::vector<std::string> names;
  for (const Option& o : ruleset.options) names.push_back(o.name);
  for (const Variant& v : ruleset.variants) names.push_back(v.title);
  const std::string guess = did_you_mean(name, names);
  say.report("unknown_option"_code, range, fmt::format("unknown option or variant `{}`", name),
             !guess.empty()  ? guess
             : names.empty() ? "the ruleset has no options"
                             : "the options are " + list_of(names));
}

bool is_value(const Option& option, std::string_view value) {
  if (!option.number) return std::find(option.values.begin(), option.values.end(), value) != option.values.end();
  std::int64_t n = 0;
  const auto [end, wrong] = std::from_chars(value.data(), value.data() + value.size(), n);
  return wrong == std::errc{} && end == value.data() + value.size() && n >= option.lo && n <= option.hi &&
         value == std::to_string(n);
}

// Returns the requested value of an option. An empty value means "on" for a switch; other options need an explicit
// value.
std::string meant(const Option& option, std::string value) {
  if (!value.empty() || option.number) return value;
  if (is_value(option, "on")) return "on";
  return "";
}

}   // namespace

void bad_value(const Option& option, const std::string& value, Range range, Diagnostics& say) {
  if (option.number) {
    say.report("bad_option_value"_code, range,
               fmt::format("value of `{}` out of range; expected {} to {}, found `{}`", option.name, option.lo,
                           option.hi, value));
    return;
  }
  const std::string guess = did_you_mean(value, option.values);
  say.report("bad_option_value"_code, range,
             value.empty() ? fmt::format("missing value for option `{}`", option.name)
                           : fmt::format("option `{}` has no value `{}`", option.name, value),
             value.empty()   ? "the values are " + list_of(option.values)
             : guess.empty() ? "the values are " + list_of(option.values)
                             : guess);
}

namespace {

// Checks and stores one requested setting.
void take(const Ruleset& ruleset, const std::string& name, const std::string& asked, Range range, Requested& into,
          Diagnostics& say) {
  const Option* option = find_option(ruleset, name);
  if (!option) return unknown_option(ruleset, name, range, say);
  const std::string value = meant(*option, asked);
  if (!is_value(*option, value)) return bad_value(*option, value, range, say);
  into[name] = value;
}

}   // namespace

std::optional<Requested> requested(const Ruleset& ruleset, const Configuration& configuration, Diagnostics& say) {
  const std::size_t before = say.errors();
  Requested out;
  for (const auto& [name, value] : configuration.options)
    if (const Variant* v = find_variant(ruleset, name)) {
      if (!value.empty())
        say.report("bad_option_value"_code, {},
                   fmt::format("\"{}\" is a preset of several options and takes no value", name));
      for (const auto& [option, setting] : v->settings) take(ruleset, option, setting, v->range, out, say);
    }
  for (const auto& [name, value] : configuration.options)
    if (!find_variant(ruleset, name)) take(ruleset, name, value, {}, out, say);
  return say.errors() == before ? std::optional(out) : std::nullopt;
}

// Registers a const. A second const of the same name must replace the first one, unless a library that is used twice
// declares it twice.
static void declare_const(SemaContext& sema, const Node* declaration, bool replaces) {
  const auto [known, is_new] = sema.options.plain_consts.emplace(std::string(declaration->text), declaration);
  if (is_new) return;
  const Range other = known->second->range;
  known->second = declaration;
  if (replaces || other == declaration->range) return;
  error(sema, "duplicate_declaration"_code, declaration->range, fmt::format("duplicate const `{}`", declaration->text),
        other.source == declaration->range.source
            ? "rename one of them"
            : fmt::format("rename it, or write `replace const {} = …` to replace the first one", declaration->text))
      .notes.push_back({other, "first declared here"});
}

// ---- relations between options: at the top level of a file, in a `with`, or among the rules of an option's value

static void gather_relations(SemaContext& sema, const Node* list, std::vector<Guard>& within) {
  if (!list) return;
  const auto inside = [&](const Node* inner, Guard guard) {
    within.push_back(guard);
    gather_relations(sema, inner, within);
    within.pop_back();
  };
  for (const Node* n : list->children) {
    if (!n) continue;
    const Node* d = n->kind == NodeKind::replace_decl && view::replace_decl(n).declaration()
                        ? view::replace_decl(n).declaration()
                        : n;
    switch (d->kind) {
      case NodeKind::with_decl:
        inside(view::with_decl(d).then(), {view::with_decl(d).condition(), d->number == 0, {}, {}});
        inside(view::with_decl(d).otherwise(), {view::with_decl(d).condition(), d->number != 0, {}, {}});
        break;
      case NodeKind::option_decl:
        if (const Option* o = find_option(sema.ruleset, d->text); o && o->node == d && view::option_decl(d).values())
          for (const Node* v : view::option_decl(d).values()->children)
            if (v && view::option_value(v).declarations())
              inside(view::option_value(v).declarations(), {nullptr, true, d->text, v->text});
        break;
      case NodeKind::const_decl:
        if (!view::const_decl(d).value()) break;
        sema.options.all_consts[std::string(d->text)].push_back(d);
        if (within.empty())
          declare_const(sema, d, n != d);
        else
          sema.options.guarded_consts.push_back({d, within});
        break;
      case NodeKind::unit_decl:
        // Units must be known here, because conditions on options can use them.
        if (within.empty()) sema.constants.units.emplace(std::string(d->text), d);
        break;
      case NodeKind::teams_decl: sema.options.seatings.push_back({d, within}); break;
      case NodeKind::implies_decl:
      case NodeKind::conflict_decl:
      case NodeKind::require_decl:
      case NodeKind::void_decl:
      case NodeKind::warn_decl: sema.options.relations.push_back({d, within}); break;
      case NodeKind::remove_decl:
        if (view::remove_decl(d).relation()) remove_relation(sema, d);
        break;
      default: break;
    }
  }
}

static void gather_relations(SemaContext& sema) {
  std::vector<Guard> within;
  for (const Unit& unit : sema.ruleset.units) gather_relations(sema, unit.root, within);
  refresh_consts(sema);
}

// Applies `remove conflict a with b`. Spaces and the reason are ignored when relations are compared.
static void remove_relation(SemaContext& sema, const Node* node) {
  const auto words = [&](const Node* n) {
    std::string text = n ? written(sema, n) : "";
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
    return text;
  };
  const Node* gone = view::remove_decl(node).relation();
  const auto same = [&](const Guarded& g) {
    if (g.node->kind != gone->kind) return false;
    const bool straight = words(view::relation(g.node).one()) == words(view::relation(gone).one()) &&
                          words(view::relation(g.node).other()) == words(view::relation(gone).other());
    const bool crossed = gone->kind == NodeKind::conflict_decl &&
                         words(view::conflict_decl(g.node).one()) == words(view::conflict_decl(gone).other()) &&
                         words(view::conflict_decl(g.node).other()) == words(view::conflict_decl(gone).one());
    return straight || crossed;
  };
  if (std::erase_if(sema.options.relations, same) == 0)
    error(sema, "nothing_to_replace"_code, gone->range,
          fmt::format("no matching declaration `{}` to remove", written(sema, gone)));
}

static bool in_force(SemaContext& sema, const Guarded& g) {
  return std::all_of(g.within.begin(), g.within.end(), [&](const Guard& guard) {
    if (!guard.condition) return sema.options.chosen.find(guard.option)->second == guard.value;
    return tree_truth(sema, guard.condition, false) == std::optional(guard.wanted);
  });
}

// Returns the number of teams with the current option values, or nullopt if the game has no teams.
std::optional<Int> count_of_teams(SemaContext& sema) {
  std::optional<Int> count;
  for (const Guarded& g : sema.options.seatings)
    if (in_force(sema, g)) count = g.node->children.empty() ? sema.players : static_cast<Int>(g.node->children.size());
  return count;
}

// Collects the consts again after option values have changed, because options decide which consts exist.
static void refresh_consts(SemaContext& sema) {
  sema.constants.known.clear();
  sema.constants.declared = sema.options.plain_consts;
  for (const Guarded& c : sema.options.guarded_consts)
    if (in_force(sema, c)) sema.constants.declared.insert_or_assign(std::string(c.node->text), c.node);
}

static void options_in(const SemaContext& sema, const Node* node, std::set<std::string>& out) {
  if (!node) return;
  if (node->kind == NodeKind::name_ref) {
    if (sema.options.chosen.contains(node->text)) out.insert(std::string(node->text));
    if (node->text == "teams")
      for (const Guarded& g : sema.options.seatings) options_of(sema, g.within, out);
    if (auto it = sema.options.all_consts.find(node->text);
        it != sema.options.all_consts.end() && out.insert("let " + std::string(node->text)).second)
      for (const Node* c : it->second) options_in(sema, view::const_decl(c).value(), out);
    return;
  }
  for (const Node* c : node->children) options_in(sema, c, out);
}

static void options_of(const SemaContext& sema, const std::vector<Guard>& within, std::set<std::string>& out) {
  for (const Guard& guard : within) {
    if (guard.condition)
      options_in(sema, guard.condition, out);
    else
      out.insert(std::string(guard.option));
  }
}

// Reports unknown names in conditions, even if they would never be evaluated.
static void check_option_names(SemaContext& sema, const Node* node) {
  if (!node) return;
  if (node->kind == NodeKind::name_ref) {
    const std::string_view name = node->text;
    const bool value = std::any_of(sema.ruleset.options.begin(), sema.ruleset.options.end(),
                                   [&](const Option& o) { return is_value(o, name); });
    if (value || sema.options.chosen.contains(name) || sema.options.all_consts.contains(name) || name == "players" ||
        name == "everyone" || name == "teams" || name == "on" || name == "off")
      return;
    std::vector<std::string> names;
    for (const Option& o : sema.ruleset.options) {
      names.push_back(o.name);
      names.insert(names.end(), o.values.begin(), o.values.end());
    }
    for (const auto& [n, c] : sema.options.all_consts) names.push_back(n);
    error(sema, "unknown_option"_code, node->range, fmt::format("unknown option `{}`", name),
          did_you_mean(name, names));
    return;
  }
  for (const Node* c : node->children) check_option_names(sema, c);
}

std::vector<Relation> relations(SemaContext& sema) {
  for (const Option& o : sema.ruleset.options) sema.options.chosen[o.name] = o.initial;
  sema.players = sema.ruleset.usual_players;
  gather_relations(sema);
  std::vector<Relation> out;
  for (const Guarded& g : sema.options.relations) {
    Relation r{.kind = Relation::Kind::warns,
               .one = written(sema, view::relation(g.node).one()),
               .other = written(sema, view::relation(g.node).other()),
               .unless = {},
               .why = std::string(g.node->text),
               .options = {},
               .range = g.node->range};
    switch (g.node->kind) {
      case NodeKind::implies_decl:
        r.kind = Relation::Kind::implies, r.unless = written(sema, view::implies_decl(g.node).unless()), r.why.clear();
        break;
      case NodeKind::conflict_decl: r.kind = Relation::Kind::conflict; break;
      case NodeKind::require_decl: r.kind = Relation::Kind::require; break;
      case NodeKind::void_decl: r.kind = Relation::Kind::voids; break;
      default: break;
    }
    options_in(sema, g.node, r.options);
    options_of(sema, g.within, r.options);
    std::erase_if(r.options, [](const std::string& name) { return name.starts_with("let "); });
    out.push_back(std::move(r));
  }
  return out;
}

// ---- applying relations

static bool holds_option(SemaContext& sema, const Node* condition) {
  std::set<std::string> names;
  options_in(sema, condition, names);
  // A condition is false if it uses a const that does not exist with the current option values.
  for (const std::string& name : names)
    if (name.starts_with("let ") && !sema.constants.declared.contains(name.substr(4))) return false;
  return tree_truth(sema, condition).value_or(false);
}

static bool set_implied(SemaContext& sema, const Node* target, std::string_view name, std::string value,
                        const Guarded& by) {
  const Option* option = find_option(sema.ruleset, name);
  if (!option)
    return error(sema, "unknown_option"_code, target->range, fmt::format("unknown option `{}`", name)), false;
  if (!is_value(*option, value)) {
    error(sema, "bad_option_value"_code, target->range, fmt::format("option `{}` has no value `{}`", name, value));
    return false;
  }
  if (sema.options.chosen[option->name] == value) return false;
  const auto [earlier, fresh] = sema.options.implied.insert({option->name, by.node});
  if (!fresh) {
    error(sema, "options_conflict"_code, by.node->range,
          fmt::format("conflicting rules set option `{}` to `{}` and `{}`", name, value,
                      sema.options.chosen[option->name]))
        .notes.push_back({earlier->second->range, "set here"});
    return false;
  }
  sema.options.chosen[option->name] = std::move(value);
  return true;
}

// Applies the target of an `implies`: `b`, `b == v`, or several of these joined by `and`.
static bool switch_on(SemaContext& sema, const Node* target, const Guarded& by) {
  if (target->kind == NodeKind::binary && target->text == "and") {
    const bool first = switch_on(sema, view::binary(target).left(), by);
    return switch_on(sema, view::binary(target).right(), by) || first;
  }
  if (target->kind == NodeKind::name_ref) return set_implied(sema, target, target->text, "on", by);
  const bool equals = target->kind == NodeKind::binary && target->text == "==" &&
                      view::binary(target).left()->kind == NodeKind::name_ref && view::binary(target).right();
  if (!equals)
    return error(sema, "bad_option_value"_code, target->range,
                 "expected an option after `implies`: `a implies b`, `a implies b == v`"),
           false;
  return set_implied(sema, target, view::binary(target).left()->text, written(sema, view::binary(target).right()), by);
}

static void imply(SemaContext& sema) {
  for (bool changed = true; changed && sema.errors == 0;) {
    changed = false;
    for (const Guarded& g : sema.options.relations) {
      const Node* n = g.node;
      if (n->kind != NodeKind::implies_decl || !view::implies_decl(n).other() || !in_force(sema, g) ||
          !holds_option(sema, view::implies_decl(n).one()) ||
          (view::implies_decl(n).unless() && holds_option(sema, view::implies_decl(n).unless())))
        continue;
      if (!switch_on(sema, view::implies_decl(n).other(), g)) continue;
      refresh_consts(sema);
      changed = true;
    }
  }
}

// Returns an explanation of option values that the user did not choose, for example " (`briefing` was enabled by
// `deadline`)". Also considers options that are used through a const.
static std::string brought_by(SemaContext& sema, const Node* node) {
  std::set<std::string> names;
  options_in(sema, node, names);
  std::vector<std::string> reasons;
  for (const Option& o : sema.ruleset.options) {
    if (!names.contains(o.name) || sema.options.chosen[o.name] == o.initial) continue;
    const std::string shown = sema.options.chosen[o.name] == "on"
                                  ? "`" + o.name + "`"
                                  : fmt::format("`{} = {}`", o.name, sema.options.chosen[o.name]);
    if (auto it = sema.options.implied.find(o.name); it != sema.options.implied.end())
      reasons.push_back(
          fmt::format("{} was enabled by `{}`", shown, written(sema, view::implies_decl(it->second).one())));
    else if (node->kind == NodeKind::name_ref && node->text != o.name)
      reasons.push_back("because of " + shown);
  }
  return reasons.empty() ? "" : fmt::format(" ({})", fmt::join(reasons, ", "));
}

static void refuse(SemaContext& sema) {
  for (std::size_t i = 0; i < sema.options.relations.size(); ++i) {
    const Node* n = sema.options.relations[i].node;
    const bool conflict = n->kind == NodeKind::conflict_decl;
    if (!(conflict || n->kind == NodeKind::require_decl) || !view::relation(n).one() || !view::relation(n).other() ||
        !in_force(sema, sema.options.relations[i]))
      continue;
    if (!holds_option(sema, view::relation(n).other()) || holds_option(sema, view::relation(n).one()) != conflict)
      continue;
    sema.options.refused_by.push_back(i);
    const std::string why = n->text.empty() ? "" : fmt::format(": {}", n->text);
    if (conflict)
      error(sema, "options_conflict"_code, n->range,
            fmt::format("`{}`{} conflicts with `{}`{}{}", written(sema, view::conflict_decl(n).one()),
                        brought_by(sema, view::conflict_decl(n).one()), written(sema, view::conflict_decl(n).other()),
                        brought_by(sema, view::conflict_decl(n).other()), why));
    else
      error(sema, "option_needed"_code, n->range,
            fmt::format("`{}`{} requires `{}`{}", written(sema, view::require_decl(n).other()),
                        brought_by(sema, view::require_decl(n).other()), written(sema, view::require_decl(n).one()),
                        why));
  }
}

// Applies `void`. All conditions are evaluated before any option changes, so the order of the declarations does not
// matter.
static void make_void(SemaContext& sema) {
  std::vector<const Node*> holding;
  for (const Guarded& g : sema.options.relations)
    if (g.node->kind == NodeKind::void_decl && view::void_decl(g.node).one() && view::void_decl(g.node).other() &&
        in_force(sema, g) && holds_option(sema, view::void_decl(g.node).other()))
      holding.push_back(g.node);
  for (const Node* n : holding) {
    const Option* option = find_option(sema.ruleset, view::void_decl(n).one()->text);
    if (!option) continue;
    const auto asked = sema.options.requested.find(option->name);
    if (asked != sema.options.requested.end() && asked->second != option->initial)
      sema.diagnostics.report(
          "option_void"_code, n->range,
          fmt::format("`{}` has no effect with `{}`{}{}", option->name, written(sema, view::void_decl(n).other()),
                      n->text.empty() ? "" : ": ", n->text));
    sema.options.chosen[option->name] = option->initial;
  }
}

// Checks the options and values in all presets, including those that were not requested.
static void check_variants(SemaContext& sema) {
  for (const Unit& unit : sema.ruleset.units)
    for (const Node* n : unit.root ? unit.root->children : std::span<Node* const>{}) {
      if (!n || n->kind != NodeKind::variant_decl) continue;
      const auto variant = std::find_if(sema.ruleset.variants.begin(), sema.ruleset.variants.end(),
                                        [&](const Variant& v) { return v.title == n->text && v.range == n->range; });
      if (variant == sema.ruleset.variants.end()) continue;   // the variant was replaced or removed
      Choices ignored;
      for (std::size_t i = 0; i < variant->settings.size(); ++i)
        take(sema.ruleset, variant->settings[i].first, variant->settings[i].second,
             view::list(view::variant_decl(n).settings()).items(i)->range, ignored, sema.diagnostics);
    }
}

bool resolve_options(SemaContext& sema) {
  const std::size_t before = sema.diagnostics.errors();
  check_variants(sema);
  for (const Option& o : sema.ruleset.options) sema.options.chosen[o.name] = o.initial;
  auto asked = requested(sema.ruleset, sema.configuration, sema.diagnostics);
  if (!asked) return false;
  sema.options.requested = *asked;
  for (const auto& [name, value] : sema.options.requested) sema.options.chosen[name] = value;
  gather_relations(sema);
  for (const Guarded& g : sema.options.relations) check_option_names(sema, g.node);
  if (sema.diagnostics.errors() != before) return false;
  imply(sema);
  refuse(sema);
  make_void(sema);
  refresh_consts(sema);
  for (const Guarded& g : sema.options.relations)
    if (g.node->kind == NodeKind::warn_decl && view::warn_decl(g.node).one() && in_force(sema, g) &&
        holds_option(sema, view::warn_decl(g.node).one()))
      sema.diagnostics.report("option_warning"_code, g.node->range,
                              g.node->text.empty() ? fmt::format("`{}`", written(sema, view::warn_decl(g.node).one()))
                                                   : std::string(g.node->text));
  return sema.diagnostics.errors() == before;
}

Resolution resolve(SemaContext& sema) {
  sema.players = sema.configuration.players ? sema.configuration.players : sema.ruleset.usual_players;
  resolve_options(sema);
  Resolution out;
  for (const Option& o : sema.ruleset.options) out.options.emplace_back(o.name, sema.options.chosen[o.name]);
  out.refused_by = sema.options.refused_by;
  return out;
}

std::vector<Relation> relations(const Ruleset& ruleset, Diagnostics& diagnostics) {
  const Configuration none;
  SemaContext sema(ruleset, none, diagnostics);
  return relations(sema);
}

Resolution resolve(const Ruleset& ruleset, const Configuration& configuration, Diagnostics& diagnostics) {
  SemaContext sema(ruleset, configuration, diagnostics);
  return resolve(sema);
}

}   // namespace cardwright::sema
