// Calls: values, functions, events, windows, and what is built in.
#include <algorithm>

#include "compiler/sema/analysis.h"
#include "compiler/support/habits.h"

namespace cardwright::sema {

// Says so when something may not happen here.
bool Analysis::effect(Range range, std::string_view what) {
  if (!rule_->pure) return true;
  error(Code::nothing_may_happen, range, fmt::format("{} has an effect, and a condition or value only looks", what),
        "let it happen in an effect, and keep what came of it: `let x = …`, or in a variable");
  return false;
}

// A call in another file than the declaration: of a library, or of a base whose event a house file replaces.
void Analysis::note_declaration(Diagnostic& wrong_call, Range call, const Callable& callable) const {
  if (callable.node && callable.node->range.source != call.source)
    wrong_call.notes.push_back({name_range(callable.node), callable.decl.replaces
                                                               ? "this stands in its place, and takes other arguments"
                                                               : "it is declared so"});
}

std::vector<const Expr*> Analysis::arguments(const Node* node, const Node* list, const Callable& callable,
                                             const std::vector<const Expr*>& initial, std::string_view what,
                                             bool lenient, const std::set<const Node*>& but) {
  const std::size_t n = callable.names.size();
  std::vector<const Expr*> args(n, nullptr);
  const std::size_t hidden = callable.hidden_me ? 1 : 0;
  if (hidden) {
    if (rule_->me.valid()) {
      args[0] = local(rule_->me, node->range);
    } else {
      error(Code::nobody_meant, node->range, fmt::format("`{}` belongs to a player, and nobody is `me` here", what));
      args[0] = poison(node->range);
    }
  }
  std::size_t at = hidden;
  bool bad = false;
  if (list)
    for (const Node* a : list->children) {
      if (!a || but.contains(a)) continue;
      std::size_t i = at;
      if (a->kind == NodeKind::arg && !a->text.empty()) {
        i = callable.find(a->text, hidden);
        if (i == n) {
          note_declaration(
              error(Code::wrong_arguments, a->range, fmt::format("`{}` has no parameter `{}`", what, a->text),
                    did_you_mean(a->text, callable.names)),
              a->range, callable);
          bad = true;
          continue;
        }
      } else if (i >= n - callable.passed) {
        const std::size_t all = callable.count() - hidden;
        note_declaration(
            error(Code::wrong_arguments, a->range,
                  fmt::format("`{}` takes {} argument{}, and this is one more", what, all, all == 1 ? "" : "s")),
            a->range, callable);
        expr(a);
        bad = true;
        continue;
      }
      const Callable::Whole parameter = callable.at(i);
      if (args[i]) {
        error(Code::wrong_arguments, a->range, fmt::format("`{}` is given twice", parameter.name));
        bad = true;
        continue;
      }
      Type t = parameter.type;
      const Expr* value = expr(a, &t);
      // nothing happens to nobody: an event is dropped if its first player is none, and what is done with a card that
      // is none does nothing
      const bool first = std::none_of(callable.types.begin(), callable.types.begin() + static_cast<std::ptrdiff_t>(i),
                                      [](const Type& other) { return other.kind == TypeKind::player; });
      // written so, and not what turned out to be none
      const bool never = value->type.kind == TypeKind::nothing && t.kind == TypeKind::card;
      if (lenient && !never && ((t.kind == TypeKind::player && first) || t.kind == TypeKind::card)) t.optional = true;
      value = convert(value, t, parameter.name);
      const std::vector<const Expr*> fields = fields_of(value);
      for (std::size_t k = 0; k < parameter.fields; ++k) args[i + k] = is_poison(value) ? value : fields[k];
      at = i + parameter.fields;
    }
  for (std::size_t i = hidden; i < n; ++i) {
    if (args[i]) continue;
    if (i < initial.size() && initial[i]) {
      args[i] = initial[i];
      continue;
    }
    if (!bad) error(Code::wrong_arguments, node->range, fmt::format("`{}` needs its `{}`", what, callable.at(i).name));
    bad = true;
    args[i] = poison(node->range);
  }
  return args;
}

namespace {
std::vector<const Expr*> defaults(const std::vector<model::Parameter>& parameters) {
  std::vector<const Expr*> out;
  for (const model::Parameter& p : parameters) out.push_back(p.initial);
  return out;
}
bool any_poison(const std::vector<const Expr*>& args) {
  return std::any_of(args.begin(), args.end(), [](const Expr* a) { return is_poison(a); });
}
}  // namespace

const Expr* Analysis::call(const Node* node, bool statement) {
  if (!node->text.empty()) return call_named(node, node->text, statement);
  const Node* called = view::call(node).callee();
  if (called && called->kind == NodeKind::member && view::member(called).of() && called->text == "edge" &&
      !model_->boards.empty() && view::call(node).arguments()) {
    const Expr* of = expr(view::member(called).of());
    if (is_poison(of)) return of;
    if (board_of(of->type)) return edge_of(of, node);
  }
  std::string help = "values, functions and events are called by their name: `draw(p, 2)`";
  if (called && called->kind == NodeKind::member && view::member(called).of()) {   // `p.draw(2)`
    const bool more = view::call(node).arguments() && !view::call(node).arguments()->children.empty();
    const std::string known = habit(Spot::call, called->text);
    help = !known.empty()
               ? known
               : fmt::format("what it is about stands in the brackets: `{}({}{})`", called->text,
                             diagnostics_.sources().text(view::member(called).of()->range), more ? ", …" : "");
  }
  error(Code::unknown_name, node->range, "this can't be called", help);
  return poison(node->range);
}

const Expr* Analysis::call_named(const Node* node, std::string_view name, bool statement) {
  const Node* list = node->kind == NodeKind::call ? view::call(node).arguments() : nullptr;
  if (auto rule = rule_->rules.find(name); rule != rule_->rules.end()) return call_passed(node, name, rule->second);
  if (auto of = with_rules_.find(name); of != with_rules_.end()) return call_with_rules(node, of->second);
  const auto value = value_names_.find(name);
  const auto function = function_names_.find(name);
  const auto event = event_names_.find(name);
  if (auto record = record_names_.find(name);
      record != record_names_.end() && node->kind == NodeKind::call && !statement)
    return construct(node, record->second);
  if (auto gives = given_records_.find(name); gives != given_records_.end())
    return record_call(node, gives->first, gives->second, statement);
  if (event != event_names_.end() &&
      (statement || (value == value_names_.end() && function == function_names_.end()))) {
    const std::uint32_t id = event->second.front();
    const model::Event& e = model_->events[id];
    if (e.kind != model::EventKind::plain) {
      error(Code::wrong_arguments, node->range, fmt::format("`{}` is part of the flow and can't be called", name));
      return poison(node->range);
    }
    used_.insert(std::string(name));
    if (!effect(node->range, fmt::format("`{}`", name))) return poison(node->range);
    std::vector<const Expr*> args = arguments(node, list, events_[id], defaults(e.parameters), name, true);
    if (any_poison(args)) return poison(node->range);
    Type result = model_->events[id].result;
    if (model_->events[id].returns_optional && result.kind != TypeKind::nothing && result.kind != TypeKind::set)
      result.optional = true;
    Expr* c = make(ExprKind::call_event, result, node->range, std::move(args));
    c->ref = id;
    return record_in(result) ? given_record(node, c, result, statement) : c;
  }
  if (value != value_names_.end()) {
    used_.insert(std::string(name));
    if (statement) {
      error(Code::nothing_may_happen, node->range, fmt::format("`{}` is a value: by itself it does nothing", name),
            fmt::format("`let x = {}(…)`", name));
      return poison(node->range);
    }
    build_value(value->second);
    std::vector<const Expr*> args =
        arguments(node, list, values_[value->second], defaults(model_->values[value->second].parameters), name);
    if (any_poison(args)) return poison(node->range);
    const Type result = model_->values[value->second].result;
    if (result.kind == TypeKind::nothing) {
      error(Code::circular, node->range,
            fmt::format("`{}` needs its type written down: it is computed from itself", name),
            fmt::format("`value {}(…): int = …`", name));
      return poison(node->range);
    }
    Expr* c = make(ExprKind::call_value, result, node->range, std::move(args));
    c->ref = value->second;
    return c;
  }
  if (function != function_names_.end()) {
    used_.insert(std::string(name));
    if (statement) {
      error(Code::nothing_may_happen, node->range, fmt::format("`{}` is a function: by itself it does nothing", name));
      return poison(node->range);
    }
    const bool walked = std::exchange(walked_, nullptr) == node;
    build_function(function->second);
    std::vector<const Expr*> args = arguments(node, list, functions_[function->second],
                                              defaults(model_->functions[function->second].parameters), name);
    if (any_poison(args)) return poison(node->range);
    const Type result = model_->functions[function->second].result;
    if (result.kind == TypeKind::nothing) {
      error(Code::circular, node->range, fmt::format("`{}` needs its type written down: it calls itself", name));
      return poison(node->range);
    }
    Expr* c = make(ExprKind::call_function, result, node->range, std::move(args));
    c->ref = function->second;
    give_locals(c);
    return is_sequence(c) && !walked ? not_a_value(c) : c;
  }
  bool known = false;
  if (const Expr* b = builtin(node, name, known); known) {
    if (statement) error(Code::nothing_may_happen, node->range, fmt::format("`{}` by itself does nothing", name));
    return b;
  }
  if (silent_if_absent(node)) return poison(node->range);
  std::vector<std::string> names{"size", "min", "max", "abs", "seat"};
  for (const auto& [n, id] : event_names_) names.push_back(n);
  for (const Table* t : {&value_names_, &function_names_})
    for (const auto& [n, id] : *t) names.push_back(n);
  const Range at{node->range.source, node->range.begin, node->range.begin + static_cast<std::uint32_t>(name.size())};
  if (const std::string boards = ruleset_.several_boards ? of_which_board(name) : ""; !boards.empty()) {
    error(Code::ambiguous_name, at, fmt::format("`{}` of which board?", name), boards);
    return poison(node->range);
  }
  std::string help = habit(Spot::call, name);
  if (help.empty()) help = did_you_mean(name, names);
  if (window_names_.contains(name)) help = fmt::format("`{}` is a window: `open {}(…)`", name, name);
  else if (action_names_.contains(name)) help = fmt::format("`{}` is an action: players take it, rules don't", name);
  else if (statement && (name == "eliminate" || name == "reveal" || name == "shuffle" || name == "peek" ||
                         name == "log" || name == "winners"))
    help = fmt::format("it is a statement, without brackets: `{} {}`", name,
                       name == "log"                              ? "\"…\""
                       : name == "eliminate" || name == "winners" ? "p"
                                                                  : "c");
  error(Code::unknown_name, node->kind == NodeKind::call ? at : node->range,
        statement ? fmt::format("no event named `{}`", name)
                  : fmt::format("no value, function or event named `{}`", name),
        help);
  if (list)
    for (const Node* a : list->children) expr(a);
  return poison(node->range);
}

// A function that gives a record: for each field there is one.
// What a value or function gives, field by field.
const Expr* Analysis::record_call(const Node* node, const std::string& name, const Type& t, bool statement) {
  if (statement) {
    error(Code::nothing_may_happen, node->range,
          fmt::format("`{}` only gives something: by itself it does nothing", name),
          fmt::format("`let x = {}(…)`", name));
    return poison(node->range);
  }
  const std::string leaf = leaves_of(t, name)[0].name;
  const bool is_value = value_names_.contains(leaf);
  const std::uint32_t first = (is_value ? value_names_ : function_names_).find(leaf)->second;
  const std::vector<const Expr*> args =
      arguments(node, node->kind == NodeKind::call ? view::call(node).arguments() : nullptr,
                is_value ? values_[first] : functions_[first],
                defaults(is_value ? model_->values[first].parameters : model_->functions[first].parameters), name);
  if (any_poison(args)) return poison(node->range);
  for (const Expr* a : args)
    if (!only_looks(a)) return poison(node->range);
  return spread(name, t, node->range, [&](const std::string& leaf, const Type& type) {
    const std::uint32_t id = (is_value ? value_names_ : function_names_).find(leaf)->second;
    used_.insert(leaf);
    if (is_value) build_value(id);
    else build_function(id);
    Expr* c = make(is_value ? ExprKind::call_value : ExprKind::call_function, type, node->range, args);
    c->ref = id;
    return c;
  });
}

// The value of a `let`, an assignment or a `return`: what happens in it may happen before all else there.
const Expr* Analysis::standing(const Node* node, const Type* expected, Block& out) {
  const Node* const outer = std::exchange(stands_, node);
  Block* const outer_block = std::exchange(stands_in_, &out);
  const Expr* e = expr(node, expected);
  stands_ = outer;
  stands_in_ = outer_block;
  return e;
}

// An event or window that gives a record happens once, and its fields are kept.
const Expr* Analysis::given_record(const Node* node, Expr* call, const Type& t, bool statement) {
  if (statement) return call;
  if (stands_ != node) {
    error(Code::wrong_type, node->range,
          fmt::format("what {} gives as a record must stand in a `let` before anything hangs on it",
                      call->kind == ExprKind::open_window ? "a window" : "an event"),
          "`let x = …`, then `x.…`");
    return poison(node->range);
  }
  std::vector<const Expr*> exprs = fields_of(is_record_list(t) ? no_records(t, node->range) : initial_of(t));
  exprs.insert(exprs.begin(), call);
  Stmt* s = emit(*stands_in_, StmtKind::let_given, node->range, std::move(exprs));
  return spread("", t, node->range, [&](const std::string& name, const Type& type) {
    const LocalId id = add_local(name, type, node->range);
    if (!s->local.valid()) s->local = id;
    return local(id, node->range);
  });
}

const Expr* Analysis::builtin(const Node* node, std::string_view name, bool& known) {
  static const std::map<std::string_view, std::pair<int, int>> kArity = {{"size", {1, 1}},
                                                                         {"min", {2, 8}},
                                                                         {"max", {2, 8}},
                                                                         {"abs", {1, 1}},
                                                                         {"steps", {2, 2}},
                                                                         {"next_player", {1, 1}},
                                                                         {"previous_player", {1, 1}},
                                                                         {"seat_of", {1, 1}},
                                                                         {"seat", {1, 1}},
                                                                         {"number_of", {1, 1}},
                                                                         {"busy", {1, 1}},
                                                                         {"rotate", {2, 2}},
                                                                         {"footprint", {2, 3}}};
  auto it = kArity.find(name);
  known = it != kArity.end() && (name != "busy" || rule_->scenario) &&
          (name != "rotate" ||
           std::any_of(model_->boards.begin(), model_->boards.end(), [](const model::Board& b) { return !b.graph; })) &&
          (name != "footprint" || !model_->boards.empty());
  if (!known) return nullptr;
  std::vector<const Node*> nodes;
  if (node->kind == NodeKind::call && view::call(node).arguments())
    for (const Node* a : view::call(node).arguments()->children)
      if (a) nodes.push_back(a->kind == NodeKind::arg ? view::arg(a).value() : a);
  if (static_cast<int>(nodes.size()) < it->second.first || static_cast<int>(nodes.size()) > it->second.second) {
    error(Code::wrong_arguments, node->range,
          fmt::format("`{}` takes {} argument{}", name, it->second.first, it->second.first == 1 ? "" : "s"));
    return poison(node->range);
  }
  if (name == "size") return size_of(expr(nodes[0]), node->range);
  if (name == "footprint") return footprint_call(nodes, node->range);
  if (name == "min" || name == "max") {
    const Expr* all = to_amount(expr(nodes[0]));
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      const Expr* x = to_amount(expr(nodes[i]));
      if (is_poison(all) || is_poison(x)) return poison(node->range);
      if (is_duration(all->type) != is_duration(x->type)) {
        error(Code::wrong_type, x->range,
              fmt::format("a `{}` and a `{}` can't be compared", show(all->type), show(x->type)),
              "say the unit: `300 ms`, `2 s`");
        return poison(node->range);
      }
      const bool least = name == "min";
      Type t = least ? integer_type(std::min(all->type.lo, x->type.lo), std::min(all->type.hi, x->type.hi))
                           : integer_type(std::max(all->type.lo, x->type.lo), std::max(all->type.hi, x->type.hi));
      t.ref = all->type.ref;
      all = make(least ? ExprKind::minimum : ExprKind::maximum, t, node->range, {all, x});
    }
    return all;
  }
  if (name == "abs") {
    const Expr* x = integer(nodes[0]);
    if (is_poison(x)) return x;
    return make(ExprKind::absolute, integer_type(0, std::max(std::abs(x->type.lo), std::abs(x->type.hi))), node->range,
                {x});
  }
  if (name == "seat") {
    auto n = fixed_int(nodes[0], false);
    if (!n) {                                              // beyond the last seat it begins anew
      const Expr* number = integer(nodes[0]);
      if (is_poison(number)) return number;
      const Expr* from_0 =
          make(ExprKind::subtract, integer_type(), node->range, {number, integer_constant(1, node->range)});
      return make(ExprKind::modulo, player_type(), node->range, {from_0, integer_constant(players_, node->range)});
    }
    if (*n < 1 || *n > players_) {
      error(Code::out_of_range, nodes[0]->range, fmt::format("seats go from 1 to {}", players_));
      return poison(node->range);
    }
    return constant(player_type(), *n - 1, node->range);
  }
  if (name == "number_of") {
    const Expr* e = expr(nodes[0]);
    if (is_poison(e)) return e;
    if (e->type.kind == TypeKind::player)
      return make(ExprKind::seat_of, integer_type(0, players_ - 1), node->range, {e});
    if (e->type.kind != TypeKind::enumeration) return to_int(e);
    return make(ExprKind::number_of, e->type.optional ? with_none(integer_type()) : integer_type(), node->range, {e});
  }
  if (name == "rotate") return rotated(expr(nodes[0]), integer(nodes[1]), node->range);
  const Expr* a = player(nodes[0]);
  if (is_poison(a)) return a;
  if (name == "busy") return make(ExprKind::race_busy, duration_type(), node->range, {a});
  if (name == "next_player") return make(ExprKind::next_player, player_type(), node->range, {a});
  if (name == "previous_player") return make(ExprKind::previous_player, player_type(), node->range, {a});
  if (name == "seat_of") return make(ExprKind::seat_of, integer_type(0, players_ - 1), node->range, {a});
  const Expr* b = player(nodes[1]);
  if (is_poison(b)) return b;
  return make(ExprKind::steps, integer_type(0, players_), node->range, {a, b});
}

const Expr* Analysis::open_window(const Node* node, bool as_truth) {
  if (!effect(node->range, "opening a window")) return poison(node->range);
  auto it = window_names_.find(node->text);
  if (it == window_names_.end() || model_->windows[it->second].phase) {
    if (silent_if_absent(node)) return poison(node->range);
    std::vector<std::string> names;
    for (const auto& [n, id] : window_names_)
      if (!model_->windows[id].phase) names.push_back(n);
    error(Code::unknown_name, node->range,
          it == window_names_.end() ? fmt::format("no window named `{}`", node->text)
                                    : fmt::format("`{}` is a phase: it opens by itself", node->text),
          did_you_mean(node->text, names));
    return poison(node->range);
  }
  used_.insert("window " + std::string(node->text));
  const std::uint32_t id = it->second;
  std::vector<const Expr*> args = arguments(node, view::open_expr(node).arguments(), windows_[id],
                                            defaults(model_->windows[id].parameters), node->text);
  if (any_poison(args)) return poison(node->range);
  const Type result = model_->windows[id].result;
  const bool truth = result.kind == TypeKind::nothing || (as_truth && result.kind != TypeKind::boolean);
  Expr* e = make(ExprKind::open_window, truth ? boolean_type() : result, node->range, std::move(args));
  e->ref = id;
  e->value = truth ? 0 : 1;
  return record_in(e->type) ? given_record(node, e, result, false) : e;
}

const Expr* Analysis::proceed(const Node* node, bool statement) {
  if (!rule_->instead || !rule_->event) {
    error(Code::misplaced, node->range, "`proceed` stands only in an `instead of`",
          "it goes on with what is being replaced");
    return poison(node->range);
  }
  const std::uint32_t id = *rule_->event;
  std::vector<const Expr*> args;
  if (view::proceed_stmt(node).arguments() && !view::proceed_stmt(node).arguments()->children.empty()) {
    std::vector<const Expr*> none(events_[id].names.size(), nullptr);
    args = arguments(node, view::proceed_stmt(node).arguments(), events_[id], none, "proceed");
    if (any_poison(args)) return poison(node->range);
  }
  Type result = model_->events[id].result;
  if (model_->events[id].returns_optional && result.kind != TypeKind::nothing && result.kind != TypeKind::set)
    result.optional = true;
  Expr* e = make(ExprKind::proceed, result, node->range, std::move(args));
  return record_in(result) ? given_record(node, e, result, statement) : e;
}

const Expr* Analysis::may_expr(const Node* node) {
  const view::may_expr its(node);
  if (!effect(node->range, "a question")) return poison(node->range);
  const Expr* who = decider(its.decider(), node->range);
  if (is_poison(who)) return who;
  Expr* e = make(ExprKind::may, boolean_type(), node->range,
                 {convert(who, player_type(true)), question_text(its.question())});
  return e;
}

const Expr* Analysis::knows_expr(const Node* node) {
  const view::knows_expr its(node);
  const Expr* who = player(its.who());
  const Node* what = its.what();
  if (is_poison(who) || !what) return poison(node->range);
  const auto result = [&](const Expr* e) { return node->number ? negated(e) : e; };
  if (what->kind == NodeKind::top_expr && what->text == "top" && !view::top_expr(what).count()) {
    auto w = zone_place(view::top_expr(what).zone(), true);
    if (!w) return poison(node->range);
    Expr* e = make(ExprKind::knows_top, boolean_type(), node->range, {who, w->place.owner, w->place.copy});
    e->ref = w->place.zone.index;
    return result(e);
  }
  const Expr* of = expr(what);
  if (is_poison(of)) return of;
  if (of->type.kind != TypeKind::card &&
      !(of->type.kind == TypeKind::set && element_type(of->type).kind == TypeKind::card)) {
    error(Code::wrong_type, what->range, "one knows cards");
    return poison(node->range);
  }
  return result(make(ExprKind::knows, boolean_type(), node->range, {who, of}));
}

}  // namespace cardwright::sema
