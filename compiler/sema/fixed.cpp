// What is known before the game: options, consts, the number of players, and what follows from them.
#include "compiler/sema/analysis.h"

namespace cardwright::sema {
namespace {

Fixed whole(Int v) { return {.kind = Fixed::Kind::integer, .value = v}; }
Fixed boolean(bool v) { return {.kind = Fixed::Kind::boolean, .value = v}; }

// Of an operator between two numbers; `>` is `<` the other way round.
std::optional<ExprKind> operation_for(std::string_view op) {
  if (op == "+") return ExprKind::add;
  if (op == "-") return ExprKind::subtract;
  if (op == "*") return ExprKind::multiply;
  if (op == "**") return ExprKind::power;
  if (op == "/" || op == "div") return ExprKind::divide;
  if (op == "mod") return ExprKind::modulo;
  if (op == "<" || op == ">") return ExprKind::less;
  if (op == "<=" || op == ">=") return ExprKind::less_equal;
  return std::nullopt;
}

}  // namespace

bool Analysis::fixed_equal(const Fixed& a, const Fixed& b) const {
  using K = Fixed::Kind;
  const auto name = [&](const Fixed& f) -> std::string {
    if (f.kind == K::symbol) return f.symbol;
    if (f.kind == K::enumeration) return model_->enums[f.ref].constants[f.value].name;
    if (f.kind == K::boolean) return f.value ? "on" : "off";
    return std::to_string(f.value);
  };
  if (a.kind == K::symbol || b.kind == K::symbol) return name(a) == name(b);
  return a.kind == b.kind && a.value == b.value && (a.kind != K::enumeration || a.ref == b.ref);
}

std::optional<Fixed> Analysis::option_value(std::string_view name) {
  auto it = options_.find(name);
  if (it == options_.end()) return std::nullopt;
  const std::string& v = it->second;
  if (v == "on") return boolean(true);
  if (v == "off") return boolean(false);
  if (!v.empty() && v.find_first_not_of("-0123456789") == std::string::npos && v != "-") return whole(std::stoll(v));
  return Fixed{.kind = Fixed::Kind::symbol, .symbol = v};
}

std::optional<Fixed> Analysis::fixed_name(const Node* node, bool report) {
  const std::string_view name = node->text;
  if (auto it = generator_.find(name); it != generator_.end()) return it->second;
  if (name == "true") return boolean(true);
  if (name == "false") return boolean(false);
  if (auto o = option_value(name)) {
    used_.insert(std::string(name));
    return o;
  }
  if (auto it = known_consts_.find(name); it != known_consts_.end()) {
    used_.insert(std::string(name));
    return it->second;
  }
  if (auto it = consts_.find(name); it != consts_.end()) {
    used_.insert(std::string(name));
    if (deciding_.count(name)) {
      if (report) error(Code::circular, node->range, fmt::format("`{}` is defined by itself", name));
      return std::nullopt;
    }
    deciding_.insert(std::string(name));
    auto value = fixed(view::const_decl(it->second).value(), report);
    deciding_.erase(deciding_.find(name));
    if (value) known_consts_[std::string(name)] = *value;
    return value;
  }
  if (auto it = constant_names_.find(name); it != constant_names_.end() && it->second.size() == 1)
    return Fixed{.kind = Fixed::Kind::enumeration, .value = it->second[0].second, .ref = it->second[0].first};
  // A value of some option, or an enum constant that more than one enum has: its meaning comes from what it meets.
  for (const Option& o : ruleset_.options)
    for (const std::string& v : o.values)
      if (v == name) return Fixed{.kind = Fixed::Kind::symbol, .symbol = std::string(name)};
  if (constant_names_.contains(name)) return Fixed{.kind = Fixed::Kind::symbol, .symbol = std::string(name)};
  if (name == "players" || name == "everyone") {
    if (report)
      error(Code::not_fixed, node->range, fmt::format("who plays is not known before the game; `size({})` is", name));
    return std::nullopt;
  }
  if (report) {
    std::vector<std::string> names;
    for (const auto& [n, v] : options_) names.push_back(n);
    for (const auto& [n, v] : consts_) names.push_back(n);
    for (const Option& o : ruleset_.options) names.insert(names.end(), o.values.begin(), o.values.end());
    error(Code::not_fixed, node->range, fmt::format("`{}` is not known before the game begins", name),
          did_you_mean(name, names));
  }
  return std::nullopt;
}

// `snorkel == icon30`: an option, and a value that it doesn't have.
bool Analysis::compares_with_nothing(const Node* node) {
  const view::binary its(node);
  const Node *left = its.left(), *right = its.right();
  if (!left || !right || left->kind != NodeKind::name_ref || right->kind != NodeKind::name_ref || fixed(right, false))
    return false;
  for (const Option& o : ruleset_.options) {
    if (o.name != left->text || o.number) continue;
    ++errors_;
    bad_value(o, std::string(right->text), right->range, say());
    return true;
  }
  return false;
}

std::optional<Fixed> Analysis::fixed_binary(const Node* node, bool report) {
  const view::binary its(node);
  const std::string_view op = node->text;
  if (report && (op == "==" || op == "!=") && compares_with_nothing(node)) return std::nullopt;
  auto a = fixed(its.left(), report);
  if (!a) return std::nullopt;
  if (op == "and" || op == "or") {
    auto first = truth(*a, its.left(), report);
    if (!first) return std::nullopt;
    if ((op == "and") != *first) return a;
    auto second = fixed_truth(its.right(), report);
    return second ? std::optional(boolean(*second)) : std::nullopt;
  }
  if (op == "in" || op == "not in") {
    const Node* list = its.right();
    if (!list) return std::nullopt;
    bool found = false;
    if (list->kind == NodeKind::list_lit) {
      for (const Node* item : list->children) {
        auto x = fixed(item, report);
        if (!x) return std::nullopt;
        found = found || fixed_equal(*a, *x);
      }
    } else if (list->kind == NodeKind::range_lit) {
      auto lo = fixed_int(list->child(0), report), hi = fixed_int(list->child(1), report);
      if (!lo || !hi) return std::nullopt;
      found = a->value >= *lo && a->value <= *hi;
    } else {
      if (report) error(Code::not_fixed, list->range, "a list is needed here: `[a, b]`");
      return std::nullopt;
    }
    return boolean(found == (op == "in"));
  }
  auto b = fixed(its.right(), report);
  if (!b) return std::nullopt;
  if (op == "==") return boolean(fixed_equal(*a, *b));
  if (op == "!=") return boolean(!fixed_equal(*a, *b));
  const auto number = [&](const Fixed& f) -> std::optional<Int> {
    if (f.kind == Fixed::Kind::integer) return f.value;
    if (f.kind == Fixed::Kind::enumeration) return model_->enums[f.ref].constants[f.value].number;
    return std::nullopt;
  };
  auto x = number(*a), y = number(*b);
  if (!x || !y) {
    if (report) error(Code::wrong_type, node->range, fmt::format("`{}` needs numbers", op));
    return std::nullopt;
  }
  const auto kind = operation_for(op);
  if (!kind) {
    if (report) error(Code::not_fixed, node->range, "this is not known before the game begins");
    return std::nullopt;
  }
  const bool swapped = op == ">" || op == ">=";
  auto result = fixed_arithmetic(*kind, swapped ? *y : *x, swapped ? *x : *y, node, report);
  if (result && (*kind == ExprKind::less || *kind == ExprKind::less_equal)) result->kind = Fixed::Kind::boolean;
  return result;
}

std::optional<Fixed> Analysis::fixed_arithmetic(ExprKind kind, Int a, Int b, const Node* node, bool report) {
  const auto before = std::exchange(went_wrong_, std::nullopt);
  const auto result = worked_out(kind, a, b, node->range);
  if (!result && report) error(Code::out_of_range, node->range, std::string(words_for(went_wrong_->trap)));
  went_wrong_ = before;
  return result ? std::optional(whole(result->value)) : std::nullopt;
}

std::optional<Fixed> Analysis::fixed(const Node* node, bool report) {
  if (!node) return std::nullopt;
  if (++depth_ > 400) {
    --depth_;
    return std::nullopt;
  }
  struct Up {
    int& d;
    ~Up() { --d; }
  } up{depth_};
  switch (node->kind) {
    case NodeKind::number:
      if (node->text.empty() && !view::number(node).scale()) return whole(node->number);
      if (node->text != "ms" && node->text != "s" && node->text != "min") {
        const auto n = in_units(node, report);
        return n ? std::optional(whole(*n)) : std::nullopt;
      }
      if (report) error(Code::not_fixed, node->range, "a plain number is needed here, without a unit");
      return std::nullopt;
    case NodeKind::truth: return boolean(node->number != 0);
    case NodeKind::none_lit: return Fixed{.kind = Fixed::Kind::none, .value = kNone, .symbol = "none"};
    case NodeKind::unlimited_lit: return whole(kUnlimited);
    case NodeKind::name_ref: return fixed_name(node, report);
    case NodeKind::unary: {
      auto a = fixed(view::unary(node).operand(), report);
      if (!a) return std::nullopt;
      if (node->text == "not") {
        auto t = truth(*a, view::unary(node).operand(), report);
        return t ? std::optional(boolean(!*t)) : std::nullopt;
      }
      if (a->kind != Fixed::Kind::integer) return std::nullopt;
      return node->text == "-" ? fixed_arithmetic(ExprKind::negate, a->value, 0, node, report) : a;
    }
    case NodeKind::binary: return fixed_binary(node, report);
    case NodeKind::if_expr: {
      auto c = fixed_truth(view::if_expr(node).condition(), report);
      if (!c) return std::nullopt;
      return fixed(node->child(*c ? 1 : 2), report);
    }
    case NodeKind::is_expr: {                              // `snorkel is icon20`
      if (!node->text.empty()) break;
      auto a = fixed(view::is_expr(node).subject(), false);
      if (!a) break;
      bool found = false;
      for (std::size_t i = 1; i < node->children.size(); ++i)
        if (const Node* n = node->child(i))
          found = found || fixed_equal(*a, {.kind = Fixed::Kind::symbol, .symbol = std::string(n->text)});
      return boolean(found != (node->number == 1));
    }
    case NodeKind::size_of:
    case NodeKind::call: {
      if (node->kind == NodeKind::call && (node->text == "min" || node->text == "max" || node->text == "abs") &&
          node->child(0)) {
        std::vector<Int> xs;
        for (const Node* a : node->child(0)->children)
          if (auto x = fixed_int(a ? a->child(0) : nullptr, report)) xs.push_back(*x);
          else return std::nullopt;
        if (node->text == "abs" && xs.size() == 1) return fixed_arithmetic(ExprKind::absolute, xs[0], 0, node, report);
        if (node->text != "abs" && xs.size() == 2)
          return fixed_arithmetic(node->text == "min" ? ExprKind::minimum : ExprKind::maximum, xs[0], xs[1], node,
                                  report);
        break;
      }
      const Node* of = nullptr;
      if (node->kind == NodeKind::size_of) of = node->child(0);
      else if (node->text == "size" && node->child(0) && node->child(0)->child(0))
        of = node->child(0)->child(0)->child(0);
      if (!of || of->kind != NodeKind::name_ref) break;
      if (of->text == "players" || of->text == "everyone") return whole(players_);
      if (const auto teams = of->text == "teams" ? count_of_teams() : std::nullopt) return whole(*teams);
      if (auto it = enum_names_.find(of->text); it != enum_names_.end())
        return whole(static_cast<Int>(model_->enums[it->second].constants.size()));
      if (of->text == "teams") {
        if (report)
          error(Code::not_fixed, node->range, "there are no teams here",
                "`teams [1, 3], [2, 4]` says who plays together");
        return std::nullopt;
      }
      break;
    }
    case NodeKind::arg: return fixed(view::arg(node).value(), report);
    default: break;
  }
  if (report) error(Code::not_fixed, node->range, "this must be known before the game begins",
                    "numbers, `const`s, options, `size(players)` and `size(teams)` are");
  return std::nullopt;
}

// Options with more than on and off are no conditions by themselves.
std::optional<bool> Analysis::truth(const Fixed& value, const Node* node, bool report) {
  if (value.kind == Fixed::Kind::boolean) return value.value != 0;
  if (report) {
    const bool option = node->kind == NodeKind::name_ref && options_.contains(node->text);
    error(Code::wrong_type, node->range,
          option ? fmt::format("`{}` is `{}` here, neither on nor off", node->text, options_.find(node->text)->second)
                 : "a condition is needed here",
          option ? fmt::format("say `{} == {}`", node->text, options_.find(node->text)->second) : "");
  }
  return std::nullopt;
}

std::optional<bool> Analysis::fixed_truth(const Node* node, bool report) {
  auto value = fixed(node, report);
  return value ? truth(*value, node, report) : std::nullopt;
}

std::optional<std::size_t> Analysis::branch(const Node* with, bool report) {
  auto holds = fixed_truth(view::branches(with).condition(), report);
  if (!holds) return std::nullopt;
  return *holds == (with->number == 0) ? 1 : 2;
}

std::optional<Int> Analysis::fixed_int(const Node* node, bool report) {
  auto f = fixed(node, report);
  if (!f) return std::nullopt;
  if (f->kind == Fixed::Kind::integer) return f->value;
  if (f->kind == Fixed::Kind::enumeration) return model_->enums[f->ref].constants[f->value].number;
  if (report) error(Code::wrong_type, node->range, "a number is needed here");
  return std::nullopt;
}

bool Analysis::mentions_option(const Node* node) const {
  if (!node) return false;
  if (node->kind == NodeKind::name_ref) {
    if (options_.contains(node->text)) return true;
    if (auto it = consts_.find(node->text); it != consts_.end() && !deciding_.contains(node->text)) {
      auto& deciding = const_cast<Analysis*>(this)->deciding_;
      deciding.insert(std::string(node->text));
      bool found = mentions_option(view::const_decl(it->second).value());
      deciding.erase(deciding.find(node->text));
      return found;
    }
    return false;
  }
  for (const Node* c : node->children)
    if (mentions_option(c)) return true;
  return false;
}

// The value of a condition that only options decide; such a condition leaves no trace in the Model.
std::optional<Fixed> Analysis::decided(const Node* condition) {
  if (!mentions_option(condition)) return std::nullopt;
  // A constant somewhere may be called as an attribute or a name of this rule, which is what is meant here; but not of
  // what an option is compared with.
  const auto means_its_own = [&](const auto& self, const Node* node) -> bool {
    if (!node || !rule_) return false;
    const bool of_option = node->kind == NodeKind::binary && view::binary(node).left() &&
                           view::binary(node).left()->kind == NodeKind::name_ref &&
                           options_.contains(view::binary(node).left()->text);
    if (of_option && (node->text == "==" || node->text == "!=")) return false;
    if (node->kind == NodeKind::name_ref && !options_.contains(node->text) && !consts_.contains(node->text)) {
      const auto has = [&](const Element& e) { return has_member(e.value->type, node->text); };
      if (find_binding(node->text) || std::any_of(rule_->elements.begin(), rule_->elements.end(), has)) return true;
    }
    return std::any_of(node->children.begin(), node->children.end(), [&](const Node* c) { return self(self, c); });
  };
  if (means_its_own(means_its_own, condition)) {
    if (condition->text != "and" && condition->text != "or") return std::nullopt;
    // which may settle it alone
    auto first = condition->kind == NodeKind::binary ? decided(view::binary(condition).left()) : std::nullopt;
    const bool settles =
        first && first->kind == Fixed::Kind::boolean && (first->value != 0) == (condition->text == "or");
    return settles ? first : std::nullopt;
  }
  return fixed(condition, false);
}

// `const most: 0..3 = 9`, `const quick: bool = 2`: what it is declared as. (Sets and lists are held against theirs
// where they are made.)
void Analysis::check_consts() {
  for (const auto& [name, node] : consts_) {
    const std::optional<Type> wanted =
        view::const_decl(node).type() ? type(view::const_decl(node).type()) : std::nullopt;
    const std::optional<Fixed> value = wanted ? fixed(view::const_decl(node).value(), false) : std::nullopt;
    if (!value || value->kind == Fixed::Kind::symbol || value->kind == Fixed::Kind::none) continue;
    const bool number = value->kind == Fixed::Kind::integer;
    if (wanted->kind == TypeKind::integer && number && (value->value < wanted->lo || value->value > wanted->hi))
      error(Code::out_of_range, view::const_decl(node).value()->range,
            fmt::format("{} is never in {}..{}", value->value, wanted->lo, wanted->hi));
    else if ((wanted->kind == TypeKind::integer && !number) ||
             (wanted->kind == TypeKind::boolean && value->kind != Fixed::Kind::boolean) ||
             (wanted->kind == TypeKind::enumeration &&
              (value->kind != Fixed::Kind::enumeration || value->ref != wanted->ref)))
      error(Code::wrong_type, view::const_decl(node).value()->range,
            fmt::format("a `{}` is needed for `{}`", show(*wanted), name));
  }
}

}  // namespace cardwright::sema
