// Declares callables (values, functions, events and windows): their names, parameters and results.
#include "compiler/sema/declarations/callables.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "compiler/sema/operations/convert.h"
#include "compiler/sema/declarations/timing.h"
#include "compiler/sema/expressions/evaluate.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/passing.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/operations/tables.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static Int depth_limit(SemaContext& sema, const Node* depth_node);

static std::vector<Type> returned_parts(SemaContext& sema, const Node* of, const Type& result);

static bool clashes_with_record(SemaContext& sema, const std::string& name,
                                const std::function<void(Range, std::string_view)>& clash);

static void check_kept_parameter(SemaContext& sema, const model::Local& parameter);

static bool takes_rules(const Node* n) {
  if ((n->kind != NodeKind::function_decl && n->kind != NodeKind::sequence_decl) || !view::callable(n).parameters())
    return false;
  return std::any_of(
      view::callable(n).parameters()->children.begin(), view::callable(n).parameters()->children.end(),
      [](const Node* p) { return p && view::param(p).type() && view::param(p).type()->kind == NodeKind::type_rule; });
}

// Adds a parameter that is a rule. Its bound arguments become parameters that follow all others.
static void add_rule_parameter(SemaContext& sema, Callable& c, const Node* parameter, const Passed& passed, Body& body,
                               std::vector<model::Parameter>& parameters) {
  PassedIn rule{.is_value = passed.is_value,
                .id = passed.id,
                .given = {},
                .takes = {},
                .gives = type_or_poison(sema, view::type_rule(view::param(parameter).type()).result())};
  for (const Node* t : view::type_rule(view::param(parameter).type()).parameters())
    rule.takes.push_back(type_or_poison(sema, t));
  const Callable& of = signature_of(sema, passed.is_value, passed.id);
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

// Returns whether a result is a record or a list of records. A value or function with such a result is compiled once
// for each field.
static bool returns_fields(SemaContext& sema, const Type& gives) {
  return record_in(sema, gives) && gives.kind != TypeKind::map;
}

// Returns the declared type of a parameter. If none is declared, returns the type of its default value.
static Type type_of_parameter(SemaContext& sema, const Node* p) {
  Type t = view::param(p).type() ? type_or_poison(sema, view::param(p).type()) : plain_type(TypeKind::poison);
  if (!view::param(p).type()) {
    std::optional<TreeConstant> f =
        view::param(p).initial() ? tree_constant(sema, view::param(p).initial(), false) : std::nullopt;
    if (f && f->kind == TreeConstant::Kind::integer)
      t = integer_type();
    else if (f && f->kind == TreeConstant::Kind::boolean)
      t = boolean_type();
    else
      error(sema, "wrong_type"_code, p->range, fmt::format("the parameter `{}` needs a type", p->text),
            fmt::format("`{}: player`", p->text));
  }
  return t;
}

static void check_parameter(SemaContext& sema, const Node* p, const Callable& c) {
  if (p->number == 1 || p->number == 2 || p->number == 3 || view::param(p).domain())
    error(sema, "misplaced"_code, p->range, "only parameters of actions and plays are picked by a player",
          fmt::format("`{}: player`", p->text));
  else if (view::param(p).keeping())
    error(sema, "misplaced"_code, view::param(p).keeping()->range, "`keeping` is allowed only where a player picks",
          "use it in an action, a play or a choice");
  if (c.find(p->text, 0) < c.names.size())
    error(sema, "duplicate_declaration"_code, p->range, fmt::format("duplicate parameter `{}`", p->text));
}

// Returns the type of a parameter. If values of this type can't be passed, reports an error and returns poison.
static Type passed_type(SemaContext& sema, const Node* p, Type t, bool function) {
  if (t.kind == TypeKind::map && function) {
    if (!fits_in_rule(sema, t, p->range)) t = plain_type(TypeKind::poison);
  } else if (t.kind == TypeKind::map || t.kind == TypeKind::text) {
    error(sema, "unsupported"_code, p->range, fmt::format("a parameter can't be of type `{}` here", show(sema, t)),
          t.kind == TypeKind::map
              ? "only functions can take tables; an event or window can take the player, or read the variable itself"
              : "");
    t = plain_type(TypeKind::poison);
  }
  constexpr Int kMostPassedOn = 64;
  if (t.kind == TypeKind::list && t.most * (t.elem->kind == TypeKind::list ? t.elem->most : 1) > kMostPassedOn) {
    error(sema, "limit_exceeded"_code, p->range,
          fmt::format("a list parameter can have at most {} elements", kMostPassedOn));
    t = plain_type(TypeKind::poison);
  }
  return t;
}

// The parameters of a callable, the locals of its body that store them, and the parameter that is its subject.
struct Signature {
  Body body;
  std::vector<model::Parameter> parameters;
  std::optional<std::size_t> subject;
  bool seen_player = false;
};

static void add_me(Callable& c, Signature& taken) {
  taken.body.locals.push_back({"me", player_type(), c.node->range});
  taken.parameters.push_back({LocalId{0}, nullptr});
  c.names.push_back("me");
  c.types.push_back(player_type());
  taken.subject = 0;
  taken.seen_player = true;
}

static bool is_rule(const Node* parameter) {
  return view::param(parameter).type() && view::param(parameter).type()->kind == NodeKind::type_rule;
}

// Adds a parameter, with a local for each of its fields. Returns false if there are too many.
static bool add_parameter(SemaContext& sema, const Node* p, const Type& t, Callable& c, Signature& taken) {
  if (t.kind == TypeKind::player && !taken.seen_player && p->number != 4) {
    taken.seen_player = true;
    if (!t.optional) taken.subject = c.names.size();
  }
  constexpr std::size_t kMostParameters = 250;
  const std::string name(p->text);
  const std::vector<Part> parts = leaves_of(sema, t, name);
  if (c.names.size() + parts.size() > kMostParameters) {
    error(sema, "limit_exceeded"_code, p->range,
          fmt::format("too many parameters in `{}`; the limit is {}", c.node->text, kMostParameters),
          record_in(sema, t) ? "each field of a record counts as one parameter" : "");
    return false;
  }
  name_records(sema, t, name, c.composed);
  if (record_in(sema, t)) c.records[c.names.size()] = {name, t, parts.size()};
  for (const Part& part : parts) {
    taken.parameters.push_back({LocalId{static_cast<std::uint32_t>(taken.body.locals.size())}, nullptr});
    taken.body.locals.push_back({part.name, part.type, p->range});
    c.names.push_back(part.name);
    c.types.push_back(part.type);
  }
  return true;
}

static Signature signature(SemaContext& sema, Callable& c, const std::vector<Passed>& passed) {
  Signature taken;
  if (c.hidden_me) add_me(c, taken);
  const Node* list = view::callable(c.node).parameters();
  if (!list) return taken;
  const bool with_rules = takes_rules(c.node);
  const bool function = c.node->kind == NodeKind::function_decl || c.node->kind == NodeKind::sequence_decl;
  for (const Node* p : list->children) {
    if (!p || (with_rules && is_rule(p))) continue;
    const Type t = type_of_parameter(sema, p);
    check_parameter(sema, p, c);
    if (!add_parameter(sema, p, passed_type(sema, p, t, function), c, taken)) break;
  }
  std::size_t rule = 0;
  for (const Node* p : list->children)
    if (p && with_rules && is_rule(p)) add_rule_parameter(sema, c, p, passed[rule++], taken.body, taken.parameters);
  return taken;
}

// Reports a duplicate if a value or function already has this name.
static bool has_value_or_function(SemaContext& sema, const Node* n) {
  const std::string name(n->text);
  const auto clash = [&](Range other, std::string_view what) { twice(sema, n, what, other); };
  if (auto it = sema.names.values.find(name); it != sema.names.values.end())
    return clash(sema.model.values[it->second].range, "value"), true;
  if (auto it = sema.names.functions.find(name); it != sema.names.functions.end())
    return clash(sema.model.functions[it->second].range, "function"), true;
  return clashes_with_record(sema, name, clash);
}

// Adds a value. For a value that returns a record, adds the instance for one of its fields.
static model::Value& add_value(SemaContext& sema, Callable c, std::string name, Signature taken) {
  sema.names.values.emplace(name, static_cast<std::uint32_t>(sema.model.values.size()));
  model::Value& v = sema.model.values.emplace_back();
  v.name = std::move(name);
  v.kept = view::value_decl(c.node).kept();
  v.latest_first = view::value_decl(c.node).latest_first();
  v.parameters = std::move(taken.parameters);
  v.body = std::move(taken.body);
  v.range = name_range(sema, c.node);
  sema.rules.values.push_back(std::move(c));
  sema.rules.value_modifiers.emplace_back();
  sema.rules.modifiers_built.push_back(0);
  return v;
}

static void declare_value(SemaContext& sema, Callable c, Signature taken, const Type& gives) {
  const Node* n = c.node;
  if (has_value_or_function(sema, n)) return;
  if (view::value_decl(n).kept())
    for (const model::Parameter& p : taken.parameters) check_kept_parameter(sema, taken.body.locals[p.local.index]);
  const std::string name(n->text);
  if (!returns_fields(sema, gives)) {
    model::Value& v = add_value(sema, std::move(c), name, std::move(taken));
    if (view::value_decl(n).type()) v.result = type_or_poison(sema, view::value_decl(n).type());
    return;
  }
  sema.records.given.emplace(name, gives);
  c.gives = gives;
  for (const Part& part : leaves_of(sema, gives, name)) {
    c.part = part.name.substr(name.size() + 1);
    add_value(sema, c, part.name, taken).result = part.type;
  }
}

// Adds one function per field of the record.
static void declare_record_function(SemaContext& sema, Callable c, const Signature& taken, const Type& gives) {
  const std::string name(c.node->text);
  sema.records.given.emplace(name, gives);
  c.gives = gives;
  for (const Part& part : leaves_of(sema, gives, name)) {
    sema.names.functions.emplace(part.name, static_cast<std::uint32_t>(sema.model.functions.size()));
    sema.model.functions.push_back({.name = part.name,
                                    .parameters = taken.parameters,
                                    .result = part.type,
                                    .body = taken.body,
                                    .range = name_range(sema, c.node)});
    c.part = part.name.substr(name.size() + 1);
    sema.rules.functions.push_back(c);
  }
}

// Returns the list type that represents a sequence in loops over it.
static Type sequence_type(SemaContext& sema, const Node* n, const Type& yielded, const Type& gives) {
  const std::string name(n->text);
  if (!view::callable(n).type())
    error(sema, "wrong_type"_code, name_range(sema, n), fmt::format("`{}` needs an element type", name),
          fmt::format("`sequence {}(…): int`", name));
  // A sequence of records is represented by a list with the element type of its first field. In loops, give_locals()
  // creates locals for all fields of the current record.
  const Type element = gives.kind == TypeKind::record ? leaves_of(sema, gives, "")[0].type : yielded;
  const bool good = view::callable(n).type() && yielded.kind != TypeKind::poison && !is_record_list(sema, gives);
  return good ? list_type(element, 0) : plain_type(TypeKind::poison);
}

static void declare_function(SemaContext& sema, Callable c, Signature taken, const Type& gives) {
  const Node* n = c.node;
  const std::string name(n->text);
  const bool with_rules = takes_rules(n), sequence = n->kind == NodeKind::sequence_decl;
  const bool record = returns_fields(sema, gives) && !sequence;
  if (with_rules && record)
    error(sema, "unsupported"_code, view::callable(n).type()->range,
          "a function with rules as parameters can't return a record", "return one field at a time");
  if (sema.rules.with_rules.contains(name) && !with_rules)
    error(sema, "duplicate_declaration"_code, name_range(sema, n), fmt::format("duplicate function `{}`", name));
  if (has_value_or_function(sema, n)) return;
  if (record && !with_rules) return declare_record_function(sema, std::move(c), taken, gives);
  if (!with_rules) sema.names.functions.emplace(name, static_cast<std::uint32_t>(sema.model.functions.size()));
  model::Function& f = sema.model.functions.emplace_back();
  f.name = name;
  f.parameters = std::move(taken.parameters);
  f.body = std::move(taken.body);
  f.range = name_range(sema, n);
  f.sequence = sequence;
  f.crossings =
      sequence && (name == "crossings" || name.ends_with(".crossings")) && in_standard_library(sema, n->range);
  const Node* depth = sequence ? nullptr : view::function_decl(n).depth();
  if (depth) f.depth_limit = depth_limit(sema, depth);
  if (view::callable(n).type()) f.result = type_or_poison(sema, view::callable(n).type());
  if (sequence) {
    if (gives.kind == TypeKind::record) c.gives = gives;
    f.result = sequence_type(sema, n, f.result, gives);
  }
  sema.rules.functions.push_back(std::move(c));
}

static void declare_event(SemaContext& sema, Callable c, Signature taken) {
  const Node* n = c.node;
  const std::string name(n->text);
  if (auto it = sema.names.events.find(name); it != sema.names.events.end())
    return void(twice(sema, n, "event", sema.model.events[it->second.front()].range));
  sema.names.events[name].push_back(static_cast<std::uint32_t>(sema.model.events.size()));
  model::Event& e = sema.model.events.emplace_back();
  e.name = name;
  e.parameters = std::move(taken.parameters);
  e.body = std::move(taken.body);
  e.range = name_range(sema, n);
  e.subject = taken.subject;
  if (view::event_decl(n).type()) e.result = type_or_poison(sema, view::event_decl(n).type());
  e.returns_optional = e.result.optional;
  if (e.result.kind == TypeKind::list || e.result.kind == TypeKind::record) e.gives = returned_parts(sema, n, e.result);
  if (view::event_decl(n).depth()) e.depth_limit = depth_limit(sema, view::event_decl(n).depth());
  sema.rules.events.push_back(std::move(c));
}

static void declare_window(SemaContext& sema, Callable c, Signature taken) {
  const Node* n = c.node;
  const std::string name(n->text);
  if (auto it = sema.names.windows.find(name); it != sema.names.windows.end())
    return void(twice(sema, n, "window or phase", sema.model.windows[it->second].range));
  sema.names.windows.emplace(name, static_cast<std::uint32_t>(sema.model.windows.size()));
  model::Window& w = sema.model.windows.emplace_back();
  w.name = name;
  w.parameters = std::move(taken.parameters);
  w.body = std::move(taken.body);
  w.range = name_range(sema, n);
  if (view::window_decl(n).type()) w.result = type_or_poison(sema, view::window_decl(n).type());
  if (w.result.kind == TypeKind::list || w.result.kind == TypeKind::record || w.result.kind == TypeKind::set)
    w.gives = returned_parts(sema, n, w.result);
  sema.rules.windows.push_back(std::move(c));
  declare_timing(sema, static_cast<std::uint32_t>(sema.rules.windows.size() - 1), view::window_decl(n).body());
}

void declare_callable(SemaContext& sema, const Decl& d, const std::vector<Passed>& passed) {
  const Node* n = d.node;
  const bool with_rules = takes_rules(n);
  if (with_rules && passed.empty()) {
    if (!sema.rules.with_rules.emplace(std::string(n->text), d).second || sema.names.functions.contains(n->text) ||
        sema.names.values.contains(n->text))
      error(sema, "duplicate_declaration"_code, name_range(sema, n),
            fmt::format("duplicate value or function `{}`", n->text));
    return;
  }
  Callable c;
  c.node = n;
  c.decl = d;
  c.hidden_me =
      d.carrier.kind == CarrierKind::character || (d.carrier.kind == CarrierKind::card && d.carrier.zone.valid() &&
                                                   sema.model.zones[d.carrier.zone.index].has_owner());
  Signature taken = signature(sema, c, passed);
  const Type gives = view::callable(n).type() ? type(sema, view::callable(n).type(), false).value_or(Type{}) : Type{};
  if (is_record_list(sema, gives) && n->kind == NodeKind::sequence_decl)
    error(sema, "wrong_type"_code, view::sequence_decl(n).type()->range,
          fmt::format("a sequence can't yield values of type `{}`", show(sema, gives)), "yield the records one by one");
  switch (n->kind) {
    case NodeKind::value_decl: return declare_value(sema, std::move(c), std::move(taken), gives);
    case NodeKind::function_decl:
    case NodeKind::sequence_decl: return declare_function(sema, std::move(c), std::move(taken), gives);
    case NodeKind::event_decl: return declare_event(sema, std::move(c), std::move(taken));
    case NodeKind::window_decl: return declare_window(sema, std::move(c), std::move(taken));
    default: return;
  }
}

// Returns n of `nested up to n`, or 0 if it is invalid.
static Int depth_limit(SemaContext& sema, const Node* depth_node) {
  const auto depth = tree_int(sema, depth_node);
  if (!depth) return 0;
  if (*depth >= 1 && *depth <= 64) return *depth;
  error(sema, "out_of_range"_code, depth_node->range, "nesting depth out of range; expected 1 to 64");
  return 0;
}

// Returns the types of the fields that an event or window returns. Without a `return`, a record result consists of the
// initial values of its fields, so each field needs one.
static std::vector<Type> returned_parts(SemaContext& sema, const Node* of, const Type& result) {
  std::vector<Type> parts;
  for (const Part& part : leaves_of(sema, result, "")) {
    parts.push_back(part.type);
    if (result.kind == TypeKind::record && !has_initial_value(sema, result, std::string_view(part.name).substr(1)))
      error(sema, "no_result"_code, view::callable(of).type()->range,
            fmt::format("`{}` returns `{}`, whose field `{}` has no value if {}", of->text, show(sema, result),
                        part.name.substr(1),
                        of->kind == NodeKind::window_decl ? "the window closes without a `return`"
                                                          : "the event does not happen"),
            "give the field an initial value: `gold: 0..9 = 0`");
  }
  return parts;
}

// Reports a name that is already used by a value or function that returns a record.
static bool clashes_with_record(SemaContext& sema, const std::string& name,
                                const std::function<void(Range, std::string_view)>& clash) {
  auto it = sema.records.given.find(name);
  if (it == sema.records.given.end()) return false;
  const std::string first = leaves_of(sema, it->second, name)[0].name;
  if (auto f = sema.names.functions.find(first); f != sema.names.functions.end())
    clash(sema.model.functions[f->second].range, "function");
  else
    clash(sema.model.values[sema.names.values.find(first)->second].range, "value");
  return true;
}

static void finish_default(SemaContext& sema, const Callable& c, std::size_t i, const Node* p,
                           std::vector<model::Parameter>& parameters) {
  Body& body = sema.scratch.emplace_back();
  RuleContext rule(sema);
  rule.body = &body;
  rule.pure = true;
  const Type whole = c.at(i).type;
  const Expr* e = convert_in_bounds(rule, expr(rule, view::param(p).initial(), &whole), whole, p->text);
  if (is_poison(e)) return;
  std::size_t at = i;
  for (const Expr* field : fields_of(e)) {
    auto v = evaluate(sema, *field);
    if (!v || field->type.kind == TypeKind::set || field->type.kind == TypeKind::list) {
      not_known(sema, view::param(p).initial()->range, "a default must be known before the game starts",
                "remove it, and pass the argument in each call");
      return;
    }
    parameters[at].initial = constant(sema, c.types[at], v->value, view::param(p).initial()->range);
    ++at;
  }
}

// Returns whether the node is the declaration of a callable. The node of a Callable can also be a clause of a race or
// the type of a rule parameter.
static bool is_declared_callable(const Node* n) {
  return n->kind == NodeKind::value_decl || n->kind == NodeKind::function_decl || n->kind == NodeKind::sequence_decl ||
         n->kind == NodeKind::event_decl || n->kind == NodeKind::window_decl;
}

// Evaluates the default values of parameters, which calls in any body can use. Must run before bodies are checked.
static void finish_defaults(SemaContext& sema, const Callable& c, std::vector<model::Parameter>& parameters) {
  if (!c.node || !is_declared_callable(c.node) || !view::callable(c.node).parameters()) return;
  std::size_t i = c.hidden_me ? 1 : 0;
  for (const Node* p : view::callable(c.node).parameters()->children) {
    if (!p || c.rules.contains(p->text)) continue;
    if (i < parameters.size() && view::param(p).initial()) {
      finish_default(sema, c, i, p, parameters);
    }
    i += i < parameters.size() ? c.at(i).fields : 1;
  }
}

void declare_instance(SemaContext& sema, const Decl& function, const std::vector<Passed>& passed) {
  const std::size_t before = sema.rules.functions.size();
  declare_callable(sema, function, passed);
  if (sema.rules.functions.size() > before)
    finish_defaults(sema, sema.rules.functions[before], sema.model.functions[before].parameters);
}

void finish_callables(SemaContext& sema) {
  for (std::size_t i = 0; i < sema.rules.values.size(); ++i)
    finish_defaults(sema, sema.rules.values[i], sema.model.values[i].parameters);
  for (std::size_t i = 0; i < sema.rules.functions.size(); ++i)
    finish_defaults(sema, sema.rules.functions[i], sema.model.functions[i].parameters);
  for (std::size_t i = 0; i < sema.rules.events.size(); ++i)
    finish_defaults(sema, sema.rules.events[i], sema.model.events[i].parameters);
  for (std::size_t i = 0; i < sema.rules.windows.size(); ++i)
    finish_defaults(sema, sema.rules.windows[i], sema.model.windows[i].parameters);
}

// Checks that each parameter of a `kept` value has finitely many values, because the parameters determine where each
// result is stored.
static void check_kept_parameter(SemaContext& sema, const model::Local& parameter) {
  const Type& t = parameter.type;
  const bool endless = t.kind == TypeKind::integer && (t.lo <= -kUnlimited || t.hi >= kUnlimited);
  const bool many = t.kind == TypeKind::set || t.kind == TypeKind::list || t.kind == TypeKind::record;
  if (endless)
    error(sema, "out_of_range"_code, parameter.range,
          fmt::format("a `kept` value is stored for every `{}`, so the parameter needs a range", parameter.name),
          fmt::format("`{}: 0..9`", parameter.name));
  else if (many)
    error(sema, "wrong_type"_code, parameter.range,
          fmt::format("a `kept` value can't have a parameter of type `{}`", show(sema, t)),
          "remove `kept`, or use a parameter for a single element");
}

}   // namespace cardwright::sema
