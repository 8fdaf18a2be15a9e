// Which options are on: what was asked for, presets, `implies`, `conflict`, `require`, `void`, in this order.
// In:    a configuration.   Out: a value for every option; or refusals that name the pair and what brought it about.
// Tests: tests/sema/options_test.cpp
#include <algorithm>
#include <charconv>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {
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
  say.report(Code::unknown_option, range, fmt::format("no option or variant named `{}`", name),
             !guess.empty() ? guess : names.empty() ? "there are none" : "there are " + list_of(names));
}

bool is_value(const Option& option, std::string_view value) {
  if (!option.number) return std::find(option.values.begin(), option.values.end(), value) != option.values.end();
  std::int64_t n = 0;
  const auto [end, wrong] = std::from_chars(value.data(), value.data() + value.size(), n);
  return wrong == std::errc{} && end == value.data() + value.size() && n >= option.lo && n <= option.hi &&
         value == std::to_string(n);
}

// "" asks for "on"; an option of other values is compared, not switched, and so needs one.
std::string meant(const Option& option, std::string value) {
  if (!value.empty() || option.number) return value;
  if (is_value(option, "on")) return "on";
  return "";
}

}  // namespace

void bad_value(const Option& option, const std::string& value, Range range, Diagnostics& say) {
  if (option.number) {
    say.report(Code::bad_option_value, range,
               fmt::format("`{}` is a number from {} to {}, not `{}`", option.name, option.lo, option.hi, value));
    return;
  }
  const std::string guess = did_you_mean(value, option.values);
  say.report(Code::bad_option_value, range,
             value.empty() ? fmt::format("option `{}` needs a value", option.name)
                           : fmt::format("option `{}` has no value `{}`", option.name, value),
             value.empty()   ? "one of " + list_of(option.values)
             : guess.empty() ? "it has " + list_of(option.values)
                             : guess);
}

namespace {

// One setting as it was asked for.
void take(const Ruleset& ruleset, const std::string& name, const std::string& asked, Range range, Requested& into,
          Diagnostics& say) {
  const Option* option = find_option(ruleset, name);
  if (!option) return unknown_option(ruleset, name, range, say);
  const std::string value = meant(*option, asked);
  if (!is_value(*option, value)) return bad_value(*option, value, range, say);
  into[name] = value;
}

}  // namespace

std::optional<Requested> requested(const Ruleset& ruleset, const Configuration& configuration, Diagnostics& say) {
  const std::size_t before = say.errors();
  Requested out;
  for (const auto& [name, value] : configuration.options)
    if (const Variant* v = find_variant(ruleset, name)) {
      if (!value.empty())
        say.report(Code::bad_option_value, {},
                   fmt::format("\"{}\" is a preset of several options and takes no value", name));
      for (const auto& [option, setting] : v->settings) take(ruleset, option, setting, v->range, out, say);
    }
  for (const auto& [name, value] : configuration.options)
    if (!find_variant(ruleset, name)) take(ruleset, name, value, {}, out, say);
  return say.errors() == before ? std::optional(out) : std::nullopt;
}

// ---- what the ruleset says of its options, anywhere at the top of a file, in a `with` or among the rules of a value

void Analysis::gather_relations(const Node* list, std::vector<Guard>& within) {
  if (!list) return;
  const auto inside = [&](const Node* inner, Guard guard) {
    within.push_back(guard);
    gather_relations(inner, within);
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
        if (const Option* o = find_option(ruleset_, d->text); o && o->node == d && view::option_decl(d).values())
          for (const Node* v : view::option_decl(d).values()->children)
            if (v && view::option_value(v).declarations())
              inside(view::option_value(v).declarations(), {nullptr, true, d->text, v->text});
        break;
      case NodeKind::const_decl:
        if (!view::const_decl(d).value()) break;
        all_consts_[std::string(d->text)].push_back(d);
        if (within.empty()) plain_consts_.insert_or_assign(std::string(d->text), d);
        else guarded_consts_.push_back({d, within});
        break;
      case NodeKind::unit_decl:
        // options may be compared with what is said in units
        if (within.empty()) units_.emplace(std::string(d->text), d);
        break;
      case NodeKind::teams_decl:
        seatings_.push_back({d, within});
        break;
      case NodeKind::implies_decl: case NodeKind::conflict_decl: case NodeKind::require_decl: case NodeKind::void_decl:
      case NodeKind::warn_decl:
        relations_.push_back({d, within});
        break;
      case NodeKind::remove_decl:
        if (view::remove_decl(d).relation()) remove_relation(d);
        break;
      default: break;
    }
  }
}

void Analysis::gather_relations() {
  std::vector<Guard> within;
  for (const Unit& unit : ruleset_.units) gather_relations(unit.root, within);
  refresh_consts();
}

// `remove conflict a with b`: the words count, not the blanks or the reason.
void Analysis::remove_relation(const Node* node) {
  const auto words = [&](const Node* n) {
    std::string text = n ? written(n) : "";
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
  if (std::erase_if(relations_, same) == 0)
    error(Code::nothing_to_replace, gone->range, fmt::format("nothing says `{}`", written(gone)));
}

bool Analysis::in_force(const Guarded& g) {
  return std::all_of(g.within.begin(), g.within.end(), [&](const Guard& guard) {
    if (!guard.condition) return options_.find(guard.option)->second == guard.value;
    return fixed_truth(guard.condition, false) == std::optional(guard.wanted);
  });
}

// How many teams there are with these options; none in a game without.
std::optional<Int> Analysis::count_of_teams() {
  std::optional<Int> count;
  for (const Guarded& g : seatings_)
    if (in_force(g)) count = g.node->children.empty() ? players_ : static_cast<Int>(g.node->children.size());
  return count;
}

// Consts may depend on options, and be there only with some.
void Analysis::refresh_consts() {
  known_consts_.clear();
  consts_ = plain_consts_;
  for (const Guarded& c : guarded_consts_)
    if (in_force(c)) consts_.insert_or_assign(std::string(c.node->text), c.node);
}

void Analysis::options_in(const Node* node, std::set<std::string>& out) const {
  if (!node) return;
  if (node->kind == NodeKind::name_ref) {
    if (options_.contains(node->text)) out.insert(std::string(node->text));
    if (node->text == "teams")
      for (const Guarded& g : seatings_) options_of(g.within, out);
    if (auto it = all_consts_.find(node->text);
        it != all_consts_.end() && out.insert("let " + std::string(node->text)).second)
      for (const Node* c : it->second) options_in(view::const_decl(c).value(), out);
    return;
  }
  for (const Node* c : node->children) options_in(c, out);
}

void Analysis::options_of(const std::vector<Guard>& within, std::set<std::string>& out) const {
  for (const Guard& guard : within) {
    if (guard.condition) options_in(guard.condition, out);
    else out.insert(std::string(guard.option));
  }
}

// A name that is declared nowhere is an error also where another condition keeps it from being looked at.
void Analysis::check_option_names(const Node* node) {
  if (!node) return;
  if (node->kind == NodeKind::name_ref) {
    const std::string_view name = node->text;
    const bool value = std::any_of(ruleset_.options.begin(), ruleset_.options.end(),
                                   [&](const Option& o) { return is_value(o, name); });
    if (value || options_.contains(name) || all_consts_.contains(name) || name == "players" || name == "everyone" ||
        name == "teams" || name == "on" || name == "off")
      return;
    std::vector<std::string> names;
    for (const Option& o : ruleset_.options) {
      names.push_back(o.name);
      names.insert(names.end(), o.values.begin(), o.values.end());
    }
    for (const auto& [n, c] : all_consts_) names.push_back(n);
    error(Code::unknown_option, node->range, fmt::format("no option named `{}`", name), did_you_mean(name, names));
    return;
  }
  for (const Node* c : node->children) check_option_names(c);
}

std::vector<Relation> Analysis::relations() {
  for (const Option& o : ruleset_.options) options_[o.name] = o.initial;
  players_ = ruleset_.usual_players;
  gather_relations();
  std::vector<Relation> out;
  for (const Guarded& g : relations_) {
    Relation r{.kind = Relation::Kind::warns,
               .one = written(view::relation(g.node).one()),
               .other = written(view::relation(g.node).other()),
               .unless = {},
               .why = std::string(g.node->text),
               .options = {},
               .range = g.node->range};
    switch (g.node->kind) {
      case NodeKind::implies_decl:
        r.kind = Relation::Kind::implies, r.unless = written(view::implies_decl(g.node).unless()), r.why.clear();
        break;
      case NodeKind::conflict_decl: r.kind = Relation::Kind::conflict; break;
      case NodeKind::require_decl: r.kind = Relation::Kind::require; break;
      case NodeKind::void_decl: r.kind = Relation::Kind::voids; break;
      default: break;
    }
    options_in(g.node, r.options);
    options_of(g.within, r.options);
    std::erase_if(r.options, [](const std::string& name) { return name.starts_with("let "); });
    out.push_back(std::move(r));
  }
  return out;
}

// ---- what holds

bool Analysis::holds_option(const Node* condition) {
  std::set<std::string> names;
  options_in(condition, names);
  // a const of another variant: what is said of it means nothing here
  for (const std::string& name : names)
    if (name.starts_with("let ") && !consts_.contains(name.substr(4))) return false;
  return fixed_truth(condition).value_or(false);
}

bool Analysis::set_implied(const Node* target, std::string_view name, std::string value, const Guarded& by) {
  const Option* option = find_option(ruleset_, name);
  if (!option) return error(Code::unknown_option, target->range, fmt::format("no option named `{}`", name)), false;
  if (!is_value(*option, value)) {
    error(Code::bad_option_value, target->range,
          fmt::format("`{}` can't be switched on: it has no value `{}`", name, value));
    return false;
  }
  if (options_[option->name] == value) return false;
  const auto [earlier, fresh] = implied_.insert({option->name, by.node});
  if (!fresh) {
    error(Code::options_conflict, by.node->range,
          fmt::format("`{}` is to be `{}`, and `{}` by another rule", name, value, options_[option->name]))
        .notes.push_back({earlier->second->range, "the other"});
    return false;
  }
  options_[option->name] = std::move(value);
  return true;
}

// `b`, `b == v`, or several of these joined by `and`.
bool Analysis::switch_on(const Node* target, const Guarded& by) {
  if (target->kind == NodeKind::binary && target->text == "and") {
    const bool first = switch_on(view::binary(target).left(), by);
    return switch_on(view::binary(target).right(), by) || first;
  }
  if (target->kind == NodeKind::name_ref) return set_implied(target, target->text, "on", by);
  const bool equals = target->kind == NodeKind::binary && target->text == "==" &&
                      view::binary(target).left()->kind == NodeKind::name_ref && view::binary(target).right();
  if (!equals)
    return error(Code::bad_option_value, target->range,
                 "`implies` switches options on: `a implies b`, `a implies b == v`"),
           false;
  return set_implied(target, view::binary(target).left()->text, written(view::binary(target).right()), by);
}

void Analysis::imply() {
  for (bool changed = true; changed && errors_ == 0;) {
    changed = false;
    for (const Guarded& g : relations_) {
      const Node* n = g.node;
      if (n->kind != NodeKind::implies_decl || !view::implies_decl(n).other() || !in_force(g) ||
          !holds_option(view::implies_decl(n).one()) ||
          (view::implies_decl(n).unless() && holds_option(view::implies_decl(n).unless())))
        continue;
      if (!switch_on(view::implies_decl(n).other(), g)) continue;
      refresh_consts();
      changed = true;
    }
  }
}

// " (`briefing` was switched on by `deadline`)", and what a `let` comes from.
std::string Analysis::brought_by(const Node* node) {
  std::set<std::string> names;
  options_in(node, names);
  std::vector<std::string> told;
  for (const Option& o : ruleset_.options) {
    if (!names.contains(o.name) || options_[o.name] == o.initial) continue;
    const std::string shown =
        options_[o.name] == "on" ? "`" + o.name + "`" : fmt::format("`{} = {}`", o.name, options_[o.name]);
    if (auto it = implied_.find(o.name); it != implied_.end())
      told.push_back(fmt::format("{} was switched on by `{}`", shown, written(view::implies_decl(it->second).one())));
    else if (node->kind == NodeKind::name_ref && node->text != o.name) told.push_back("here by " + shown);
  }
  return told.empty() ? "" : fmt::format(" ({})", fmt::join(told, ", "));
}

void Analysis::refuse() {
  for (std::size_t i = 0; i < relations_.size(); ++i) {
    const Node* n = relations_[i].node;
    const bool conflict = n->kind == NodeKind::conflict_decl;
    if (!(conflict || n->kind == NodeKind::require_decl) || !view::relation(n).one() || !view::relation(n).other() ||
        !in_force(relations_[i]))
      continue;
    if (!holds_option(view::relation(n).other()) || holds_option(view::relation(n).one()) != conflict) continue;
    refused_by_.push_back(i);
    const std::string why = n->text.empty() ? "" : fmt::format(": {}", n->text);
    if (conflict)
      error(Code::options_conflict, n->range,
            fmt::format("`{}`{} can't be played with `{}`{}{}", written(view::conflict_decl(n).one()),
                        brought_by(view::conflict_decl(n).one()), written(view::conflict_decl(n).other()),
                        brought_by(view::conflict_decl(n).other()), why));
    else
      error(Code::option_needed, n->range,
            fmt::format("`{}`{} needs `{}`{}", written(view::require_decl(n).other()),
                        brought_by(view::require_decl(n).other()), written(view::require_decl(n).one()), why));
  }
}

// All look at the same options, so that their order means nothing.
void Analysis::make_void() {
  std::vector<const Node*> holding;
  for (const Guarded& g : relations_)
    if (g.node->kind == NodeKind::void_decl && view::void_decl(g.node).one() && view::void_decl(g.node).other() &&
        in_force(g) && holds_option(view::void_decl(g.node).other()))
      holding.push_back(g.node);
  for (const Node* n : holding) {
    const Option* option = find_option(ruleset_, view::void_decl(n).one()->text);
    if (!option) continue;
    const auto asked = requested_.find(option->name);
    if (asked != requested_.end() && asked->second != option->initial)
      diagnostics_.report(Code::option_void, n->range,
                          fmt::format("`{}` changes nothing with `{}`{}{}", option->name,
                                      written(view::void_decl(n).other()), n->text.empty() ? "" : ": ", n->text));
    options_[option->name] = option->initial;
  }
}

// A preset must name options and values that there are, whether or not it was asked for.
void Analysis::check_variants() {
  for (const Unit& unit : ruleset_.units)
    for (const Node* n : unit.root ? unit.root->children : std::span<Node* const>{}) {
      if (!n || n->kind != NodeKind::variant_decl) continue;
      const auto variant = std::find_if(ruleset_.variants.begin(), ruleset_.variants.end(),
                                        [&](const Variant& v) { return v.title == n->text && v.range == n->range; });
      if (variant == ruleset_.variants.end()) continue;    // replaced or removed
      Choices ignored;
      for (std::size_t i = 0; i < variant->settings.size(); ++i)
        take(ruleset_, variant->settings[i].first, variant->settings[i].second,
             view::variant_decl(n).settings()->child(i)->range, ignored, diagnostics_);
    }
}

bool Analysis::resolve_options() {
  const std::size_t before = diagnostics_.errors();
  check_variants();
  for (const Option& o : ruleset_.options) options_[o.name] = o.initial;
  auto asked = requested(ruleset_, configuration_, diagnostics_);
  if (!asked) return false;
  requested_ = *asked;
  for (const auto& [name, value] : requested_) options_[name] = value;
  gather_relations();
  for (const Guarded& g : relations_) check_option_names(g.node);
  if (diagnostics_.errors() != before) return false;
  imply();
  refuse();
  make_void();
  refresh_consts();
  for (const Guarded& g : relations_)
    if (g.node->kind == NodeKind::warn_decl && view::warn_decl(g.node).one() && in_force(g) &&
        holds_option(view::warn_decl(g.node).one()))
      diagnostics_.report(
          Code::option_warning, g.node->range,
          g.node->text.empty() ? fmt::format("`{}`", written(g.node->child(0))) : std::string(g.node->text));
  return diagnostics_.errors() == before;
}

Resolution Analysis::resolve() {
  players_ = configuration_.players ? configuration_.players : ruleset_.usual_players;
  resolve_options();
  Resolution out;
  for (const Option& o : ruleset_.options) out.options.emplace_back(o.name, options_[o.name]);
  out.refused_by = refused_by_;
  return out;
}

std::vector<Relation> relations(const Ruleset& ruleset, Diagnostics& diagnostics) {
  const Configuration none;
  return Analysis(ruleset, none, diagnostics).relations();
}

Resolution resolve(const Ruleset& ruleset, const Configuration& configuration, Diagnostics& diagnostics) {
  return Analysis(ruleset, configuration, diagnostics).resolve();
}

}  // namespace cardwright::sema
