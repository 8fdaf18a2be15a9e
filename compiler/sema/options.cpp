// Which options are on: what was asked for, presets, `implies`, `conflict`, `require`, `void`, in this order.
#include <algorithm>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {
namespace {

const Option* find_option(const Ruleset& ruleset, std::string_view name) {
  for (const Option& o : ruleset.options)
    if (o.name == name) return &o;
  return nullptr;
}

std::optional<Int> as_number(std::string_view text) {
  Int value = 0;
  if (text.empty() || text.size() > 12) return std::nullopt;
  const bool negative = text[0] == '-';
  for (char c : negative ? text.substr(1) : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

}  // namespace

// Takes one setting as it was asked for; says what is wrong with it.
static bool take(const Ruleset& ruleset, const std::string& name, std::string value, Range range, Choices& into, Diagnostics& say) {
  const Option* option = find_option(ruleset, name);
  if (!option) {
    std::vector<std::string> names;
    for (const Option& o : ruleset.options) names.push_back(o.name);
    for (const Variant& v : ruleset.variants) names.push_back(v.title);
    say.report(Code::unknown_option, range, fmt::format("no option or variant named `{}`", name), did_you_mean(name, names));
    return false;
  }
  if (option->number) {
    auto n = as_number(value);
    if (!n || *n < option->lo || *n > option->hi) {
      say.report(Code::bad_option_value, range, fmt::format("`{}` is a number from {} to {}, not `{}`", name, option->lo, option->hi, value));
      return false;
    }
    into[name] = value;
    return true;
  }
  if (value.empty()) value = std::find(option->values.begin(), option->values.end(), "on") != option->values.end() ? "on"
                             : option->values.size() == 2                                                      ? option->values[1]
                                                                                                               : value;
  if (std::find(option->values.begin(), option->values.end(), value) == option->values.end()) {
    std::string all;
    for (const std::string& v : option->values) all += (all.empty() ? "`" : ", `") + v + "`";
    say.report(Code::bad_option_value, range, value.empty() ? fmt::format("`{}` needs a value", name) : fmt::format("`{}` has no value `{}`", name, value),
               value.empty() ? "one of " + all : [&] {
                 std::string guess = did_you_mean(value, option->values);
                 return guess.empty() ? "it has " + all : guess;
               }());
    return false;
  }
  into[name] = value;
  return true;
}

bool Analysis::holds_option(const Node* condition) {
  auto f = fixed(condition);
  return f && f->kind == Fixed::Kind::boolean && f->value;
}

// A preset must name options and values that there are, whether or not it was asked for.
void Analysis::check_variants() {
  std::size_t next = 0;
  for (const Unit& unit : ruleset_.units)
    for (const Node* n : unit.root ? unit.root->children : std::span<Node* const>{}) {
      if (!n || n->kind != NodeKind::variant_decl) continue;
      const Variant& variant = ruleset_.variants[next++];
      Choices ignored;
      for (std::size_t i = 0; i < variant.settings.size(); ++i)
        take(ruleset_, variant.settings[i].first, variant.settings[i].second, n->child(0)->child(i)->range, ignored, diagnostics_);
    }
}

bool Analysis::resolve_options() {
  const std::size_t before = diagnostics_.errors();
  check_variants();
  for (const Option& o : ruleset_.options) options_[o.name] = o.initial;

  Choices wanted;
  for (const auto& [name, value] : configuration_.options)
    for (const Variant& v : ruleset_.variants)
      if (v.title == name && !find_option(ruleset_, name))
        for (const auto& [n, x] : v.settings)
          if (take(ruleset_, n, x, v.range, wanted, diagnostics_)) explicit_.insert(n);
  for (const auto& [name, value] : configuration_.options) {
    bool preset = std::any_of(ruleset_.variants.begin(), ruleset_.variants.end(), [&](const Variant& v) { return v.title == name; });
    if (preset && !find_option(ruleset_, name)) continue;
    if (take(ruleset_, name, value, {}, wanted, diagnostics_)) explicit_.insert(name);
  }
  for (const auto& [name, value] : wanted) options_[name] = value;
  if (diagnostics_.errors() != before) return false;

  // The relations may stand anywhere at the top of a file.
  std::vector<const Node*> implies, conflicts, requires_, voids, warnings;
  for (const Unit& unit : ruleset_.units)
    if (unit.root)
      for (const Node* n : unit.root->children) {
        if (!n) continue;
        if (n->kind == NodeKind::const_decl && n->child(1)) consts_.insert_or_assign(std::string(n->text), n);
        if (n->kind == NodeKind::implies_decl) implies.push_back(n);
        if (n->kind == NodeKind::conflict_decl) conflicts.push_back(n);
        if (n->kind == NodeKind::require_decl) requires_.push_back(n);
        if (n->kind == NodeKind::void_decl) voids.push_back(n);
        if (n->kind == NodeKind::warn_decl) warnings.push_back(n);
      }
  const auto written = [&](const Node* n) { return n ? std::string(diagnostics_.sources().text(n->range)) : std::string(); };
  const auto refresh = [&] { known_consts_.clear(); };

  std::map<std::string, std::string> because;        // option -> what implied it
  for (std::size_t round = 0; round <= ruleset_.options.size() + 1; ++round) {
    bool changed = false;
    for (const Node* n : implies) {
      if (!n->child(0) || !n->child(1) || !holds_option(n->child(0)) || (n->child(2) && holds_option(n->child(2)))) continue;
      if (holds_option(n->child(1))) continue;
      const Node* to = n->child(1);
      std::string_view name = to->text, value = "on";
      if (to->kind == NodeKind::binary && to->text == "==" && to->child(0) && to->child(1)) name = to->child(0)->text, value = to->child(1)->text;
      const Option* option = find_option(ruleset_, name);
      if (!option) {
        error(Code::unknown_option, to->range, fmt::format("no option named `{}`", name));
        continue;
      }
      if (std::find(option->values.begin(), option->values.end(), value) == option->values.end()) {
        error(Code::bad_option_value, to->range, fmt::format("`{}` can't be switched on: it has no value `{}`", name, value));
        continue;
      }
      options_[option->name] = std::string(value);
      because[option->name] = written(n->child(0));
      refresh();
      changed = true;
    }
    if (!changed) break;
  }
  const auto brought = [&](const Node* n) {
    for (const auto& [option, by] : because)
      if (written(n).find(option) != std::string::npos) return fmt::format(" (`{}` was switched on by `{}`)", option, by);
    return std::string();
  };
  for (const Node* n : conflicts)
    if (n->child(0) && n->child(1) && holds_option(n->child(0)) && holds_option(n->child(1)))
      error(Code::options_conflict, n->range,
            fmt::format("`{}` can't be played with `{}`{}{}{}", written(n->child(0)), written(n->child(1)), n->text.empty() ? "" : ": ", n->text,
                        brought(n->child(0)) + brought(n->child(1))));
  for (const Node* n : requires_)
    if (n->child(0) && (!n->child(1) || holds_option(n->child(1))) && !holds_option(n->child(0)))
      error(Code::option_needed, n->range,
            fmt::format("`{}` needs `{}`{}{}{}", n->child(1) ? written(n->child(1)) : "the game", written(n->child(0)), n->text.empty() ? "" : ": ", n->text,
                        n->child(1) ? brought(n->child(1)) : ""));
  std::vector<std::string> voided;
  for (const Node* n : voids) {
    if (!n->child(0) || !n->child(1) || !holds_option(n->child(1))) continue;
    if (const Option* option = find_option(ruleset_, n->child(0)->text)) voided.push_back(option->name);
    else error(Code::unknown_option, n->child(0)->range, fmt::format("no option named `{}`", n->child(0)->text));
  }
  for (const std::string& name : voided) options_[name] = find_option(ruleset_, name)->number ? options_[name] : find_option(ruleset_, name)->values.front();
  refresh();
  for (const Node* n : warnings)
    if (n->child(0) && holds_option(n->child(0)))
      diagnostics_.report(Code::option_warning, n->range, n->text.empty() ? fmt::format("`{}`", written(n->child(0))) : std::string(n->text));
  return diagnostics_.errors() == before;
}

}  // namespace cardwright::sema
