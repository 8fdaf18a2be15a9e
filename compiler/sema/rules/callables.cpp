// Checks callables: values, functions, sequences, events and windows, with their parameters and bodies. First all
// signatures are declared, then the bodies are compiled to the Model.
#include "compiler/sema/rules/callables.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "compiler/sema/expressions/bounds.h"
#include "compiler/sema/expressions/convert.h"
#include "compiler/sema/expressions/evaluate.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/options/fixed.h"
#include "compiler/sema/rules/flow.h"
#include "compiler/sema/expressions/members.h"
#include "compiler/sema/expressions/names.h"
#include "compiler/sema/symbols/nothing.h"
#include "compiler/sema/expressions/passing.h"
#include "compiler/sema/expressions/record_lists.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/declarations/state.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/expressions/tables.h"
#include "compiler/sema/rules/timing.h"
#include "compiler/sema/checks/warnings.h"

namespace cardwright::sema {

static Int depth_limit(SemaContext& sema, const Node* said);
static std::vector<Type> returned_parts(SemaContext& sema, const Node* of, const Type& result);
static bool clashes_with_record(SemaContext& sema, const std::string& name,
                                const std::function<void(Range, std::string_view)>& clash);
static void check_kept_parameter(SemaContext& sema, const model::Local& parameter);
static void check_table_value(SemaContext& sema, const model::Value& value);
static void build_sequence(RuleContext& rule, std::uint32_t index);
static void check_result(SemaContext& sema, std::uint32_t event, const Block& block);
static std::size_t variables_at_head(const Node* body);
static void declare_variables(RuleContext& rule, std::span<Node* const> nodes, Block& block,
                              std::vector<LocalId>& variables, Callable& of);

static bool takes_rules(const Node* n) {
  if ((n->kind != NodeKind::function_decl && n->kind != NodeKind::sequence_decl) || !view::callable(n).parameters())
    return false;
  return std::any_of(
      view::callable(n).parameters()->children.begin(), view::callable(n).parameters()->children.end(),
      [](const Node* p) { return p && view::param(p).type() && view::param(p).type()->kind == NodeKind::type_rule; });
}

// Adds a parameter that is a rule. Its bound arguments become parameters after all others.
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
// per field.
static bool returns_fields(SemaContext& sema, const Type& gives) {
  return record_in(sema, gives) && gives.kind != TypeKind::map;
}

// Returns the declared type of a parameter. If none is declared, returns the type of its default value.
static Type type_of_parameter(SemaContext& sema, const Node* p) {
  Type t = view::param(p).type() ? type_or_poison(sema, view::param(p).type()) : plain_type(TypeKind::poison);
  if (!view::param(p).type()) {
    std::optional<Fixed> f = view::param(p).initial() ? fixed(sema, view::param(p).initial(), false) : std::nullopt;
    if (f && f->kind == Fixed::Kind::integer)
      t = integer_type();
    else if (f && f->kind == Fixed::Kind::boolean)
      t = boolean_type();
    else
      error(sema, Code::wrong_type, p->range, fmt::format("the parameter `{}` needs a type", p->text),
            fmt::format("`{}: player`", p->text));
  }
  return t;
}

static void check_parameter(SemaContext& sema, const Node* p, const Callable& c) {
  if (p->number == 1 || p->number == 2 || p->number == 3 || view::param(p).domain())
    error(sema, Code::misplaced, p->range, "only parameters of actions and plays are picked by a player",
          fmt::format("`{}: player`", p->text));
  else if (view::param(p).keeping())
    error(sema, Code::misplaced, view::param(p).keeping()->range, "`keeping` is allowed only where a player picks",
          "use it in an action, a play or a choice");
  if (c.find(p->text, 0) < c.names.size())
    error(sema, Code::declared_twice, p->range, fmt::format("duplicate parameter `{}`", p->text));
}

// Returns the type of a parameter. If values of this type can't be passed, reports an error and returns poison.
static Type passed_type(SemaContext& sema, const Node* p, Type t, bool function) {
  if (t.kind == TypeKind::map && function) {
    if (!fits_in_rule(sema, t, p->range)) t = plain_type(TypeKind::poison);
  } else if (t.kind == TypeKind::map || t.kind == TypeKind::text) {
    error(sema, Code::unsupported, p->range, fmt::format("a parameter can't be of type `{}` here", show(sema, t)),
          t.kind == TypeKind::map
              ? "only functions can take tables; an event or window can take the player, or read the variable itself"
              : "");
    t = plain_type(TypeKind::poison);
  }
  constexpr Int kMostPassedOn = 64;
  if (t.kind == TypeKind::list && t.most * (t.elem->kind == TypeKind::list ? t.elem->most : 1) > kMostPassedOn) {
    error(sema, Code::too_many, p->range, fmt::format("a list parameter can have at most {} elements", kMostPassedOn));
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
    error(sema, Code::too_many, p->range,
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

// Adds a value. If the value returns a record, adds one field of it.
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
    error(sema, Code::wrong_type, name_range(sema, n), fmt::format("`{}` needs an element type", name),
          fmt::format("`sequence {}(…): int`", name));
  // A sequence of records is represented by a list of the first field. The other fields are parallel lists (see
  // give_locals).
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
    error(sema, Code::unsupported, view::callable(n).type()->range,
          "a function with rules as parameters can't return a record", "return one field at a time");
  if (sema.rules.with_rules.contains(name) && !with_rules)
    error(sema, Code::declared_twice, name_range(sema, n), fmt::format("duplicate function `{}`", name));
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
      error(sema, Code::declared_twice, name_range(sema, n), fmt::format("duplicate value or function `{}`", n->text));
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
    error(sema, Code::wrong_type, view::sequence_decl(n).type()->range,
          fmt::format("a sequence can't yield a `{}`", show(sema, gives)), "yield the records one by one");
  switch (n->kind) {
    case NodeKind::value_decl: return declare_value(sema, std::move(c), std::move(taken), gives);
    case NodeKind::function_decl:
    case NodeKind::sequence_decl: return declare_function(sema, std::move(c), std::move(taken), gives);
    case NodeKind::event_decl: return declare_event(sema, std::move(c), std::move(taken));
    case NodeKind::window_decl: return declare_window(sema, std::move(c), std::move(taken));
    default: return;
  }
}

// Returns n of `nested up to n`; 0 if it is invalid.
static Int depth_limit(SemaContext& sema, const Node* said) {
  const auto depth = fixed_int(sema, said);
  if (!depth) return 0;
  if (*depth >= 1 && *depth <= 64) return *depth;
  error(sema, Code::out_of_range, said->range, "nesting depth out of range; expected 1 to 64");
  return 0;
}

// Returns the types of the fields that an event or window returns. If it ends without a `return`, a record result has
// its initial values, so each field needs an initial value.
static std::vector<Type> returned_parts(SemaContext& sema, const Node* of, const Type& result) {
  std::vector<Type> parts;
  for (const Part& part : leaves_of(sema, result, "")) {
    parts.push_back(part.type);
    if (result.kind == TypeKind::record && !begins_as_something(sema, result, std::string_view(part.name).substr(1)))
      error(sema, Code::no_result, view::callable(of).type()->range,
            fmt::format("`{}` returns a `{}`, but without {} its `{}` has no value", of->text, show(sema, result),
                        of->kind == NodeKind::window_decl ? "a `return`" : "the event", part.name.substr(1)),
            "give the field an initial value: `gold: 0..9 = 0`");
  }
  return parts;
}

// Reports a name that a value or function returning a record already has.
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
    Frame frame;
    auto v = evaluate(sema, *field, frame);
    if (!v || field->type.kind == TypeKind::set || field->type.kind == TypeKind::list) {
      not_known(sema, view::param(p).initial()->range, "a default must be known before the game",
                "remove it, and pass the argument in each call");
      return;
    }
    parameters[at].initial = constant(sema, c.types[at], v->value, view::param(p).initial()->range);
    ++at;
  }
}

// Returns whether the node declares a callable. Clauses of a race and rules passed as arguments are callables too, but
// return false.
static bool is_declared_callable(const Node* n) {
  return n->kind == NodeKind::value_decl || n->kind == NodeKind::function_decl || n->kind == NodeKind::sequence_decl ||
         n->kind == NodeKind::event_decl || n->kind == NodeKind::window_decl;
}

// Evaluates the default values of parameters. Calls need them before the bodies are checked.
void finish_defaults(SemaContext& sema, const Callable& c, std::vector<model::Parameter>& parameters) {
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

// Returns the index at which the parameter with this name begins; names.size() if there is none.
std::size_t Callable::find(std::string_view name, std::size_t from) const {
  while (from < names.size() && at(from).name != name) from += at(from).fields;
  return from;
}

std::size_t Callable::count() const {
  std::size_t n = 0;
  for (std::size_t i = 0; i + passed < names.size(); i += at(i).fields) ++n;
  return n;
}

void bind_parameters(RuleContext& rule, const Callable& c) {
  for (std::uint32_t i = 0; i < c.names.size(); ++i) {
    if (c.hidden_me && i == 0)
      rule.me = LocalId{0};
    else
      rule.bindings.push_back({c.names[i], LocalId{i}, nullptr});
  }
  for (const auto& [first, whole] : c.records) {
    std::uint32_t at = static_cast<std::uint32_t>(first);
    const Expr* value = spread(rule.sema, whole.name, whole.type, rule.body->locals[at].range,
                               [&](const std::string&, const Type& type) {
                                 Expr* e = make(rule.sema, ExprKind::local, type, rule.body->locals[at].range);
                                 e->local = LocalId{at++};
                                 return e;
                               });
    rule.bindings.push_back({whole.name, LocalId{}, value});
  }
  rule.carrier = c.decl.carrier;
  rule.owner = c.decl.owner;
  rule.rules = c.rules;
}

// Checks that a parameter of a `kept` value has finitely many values, because the parameters determine where each
// result is stored.
static void check_kept_parameter(SemaContext& sema, const model::Local& parameter) {
  const Type& t = parameter.type;
  const bool endless = t.kind == TypeKind::integer && (t.lo <= -kUnlimited || t.hi >= kUnlimited);
  const bool many = t.kind == TypeKind::set || t.kind == TypeKind::list || t.kind == TypeKind::record;
  if (endless)
    error(sema, Code::out_of_range, parameter.range,
          fmt::format("a `kept` value is stored for every `{}`, so the parameter needs a range", parameter.name),
          fmt::format("`{}: 0..9`", parameter.name));
  else if (many)
    error(sema, Code::wrong_type, parameter.range,
          fmt::format("a `kept` value can't have a parameter of type `{}`", show(sema, t)),
          "remove `kept`, or use a parameter for a single element");
}

// Returns the inferred result type of a value or function. A number has no range, but parts of areas and durations keep
// their types.
Type of_any_size(Type t) {
  if (t.kind != TypeKind::integer || t.ref != ~std::uint32_t{0}) return t;
  t.lo = -kUnlimited;
  t.hi = kUnlimited;
  return t;
}

void build_value(SemaContext& sema, std::uint32_t index) {
  Callable& c = sema.rules.values[index];
  if (c.state != Callable::State::todo) return;
  c.state = Callable::State::doing;
  if (sema.model.values[index].timing) {
    build_timing(sema, index);
    sema.rules.values[index].state = Callable::State::done;
    return;
  }
  RuleContext rule(sema);
  rule.body = &sema.model.values[index].body;
  rule.pure = true;
  bind_parameters(rule, c);
  const Node* n = c.node;
  model::Value& v = sema.model.values[index];
  const Type declared = c.part.empty() ? v.result : c.gives;
  const bool known = declared.kind != TypeKind::nothing;
  rule.part = c.part;
  if (view::value_decl(n).base()) {
    const Expr* e = expr(rule, view::value_decl(n).base(), known ? &declared : nullptr);
    const Node* limits = view::value_decl(n).limits();
    if (known && limits && !limits->children.empty())
      e = convert(rule, e, declared, v.name);   // the range is checked after `at least` and `at most`
    else if (known)
      e = convert_in_bounds(rule, e, declared, v.name, result_name(v.name));
    v.base = known ? field_at(sema, e, c.part) : e;
    if (const Expr* none = known && !declared.optional && !is_poison(v.base) ? may_be_nothing(v.base) : nullptr)
      error(sema, Code::may_be_none, none->range,
            fmt::format("this may be none, but `{}` is declared as a `{}`", v.name, show(sema, declared)),
            fmt::format("add a fallback: `(…) or else 0`, or declare it `{}?`", show(sema, declared)));
    if (!known) {
      Type t = e->type;
      t = of_any_size(t);
      if (t.kind == TypeKind::nothing || record_in(sema, t)) {
        error(sema, Code::wrong_type, name_range(sema, n), fmt::format("`{}` needs a type", v.name),
              fmt::format("`value {}(…): {} = …`", v.name, record_in(sema, t) ? show(sema, t) : "int"));
        t = plain_type(TypeKind::poison);
      }
      v.result = t;
    }
  } else if (view::value_decl(n).body()) {
    v.body.present = true;
    rule.result = declared;
    rule.result_of = v.name;
    rule.checks_result = declared.kind != TypeKind::integer;
    rule.infer_result = !known;
    Block block;
    statements(rule, view::value_decl(n).body(), block);
    model::Value& again = sema.model.values[index];
    again.body.block = std::move(block);
    if (!known) again.result = rule.infer_seen ? rule.result : plain_type(TypeKind::poison);
    if (!known) again.result = of_any_size(again.result);
    if (!leaves(again.body.block))
      error(sema, Code::no_result, name_range(sema, n), fmt::format("`{}` may end without a `return`", again.name));
  } else {
    error(sema, Code::no_result, name_range(sema, n), fmt::format("the value `{}` has no definition", n->text),
          fmt::format("`value {}(…): int = 0`", n->text));
    v.result = plain_type(TypeKind::poison);
  }
  if (view::value_decl(n).limits())
    for (const Node* clamp : view::value_decl(n).limits()->children) {
      if (!clamp) continue;
      const Expr* limit = integer(rule, view::clamp(clamp).limit());
      if (is_poison(limit)) continue;
      if (sema.model.values[index].result.kind != TypeKind::integer &&
          sema.model.values[index].result.kind != TypeKind::poison) {
        error(sema, Code::wrong_type, clamp->range, fmt::format("`{}` needs a number", clamp->text));
        continue;
      }
      (clamp->text == "at least" ? sema.model.values[index].at_least : sema.model.values[index].at_most) = limit;
    }
  const model::Value& done = sema.model.values[index];
  if (done.result.kind == TypeKind::map) check_table_value(sema, done);
  if (done.kept && done.result.kind == TypeKind::list)
    error(sema, Code::unsupported, done.range,
          fmt::format("a `kept` value can't be a list, found `{}`", show(sema, done.result)),
          "remove `kept`, or use a set or a table: `kept value v: 0..9 per cell { … }`");
  c.state = Callable::State::done;
}

// Checks a value whose result is an entire table.
static void check_table_value(SemaContext& sema, const model::Value& value) {
  if (!fits_in_rule(sema, value.result, value.range)) return;
  if (!value.kept)
    error(sema, Code::wrong_type, value.range,
          fmt::format("`{}` is a table, so each read would compute all its entries", value.name),
          fmt::format("`kept value {0}: …`, or `function {0}(): …`", value.name));
  else if (!value.parameters.empty())
    error(sema, Code::wrong_type, value.range, fmt::format("`{}` is a table, so it can't have parameters", value.name),
          "use the parameter as the key: `kept value level: int per cell`, `level[c]`");
}

void build_function(SemaContext& sema, std::uint32_t index) {
  Callable& c = sema.rules.functions[index];
  if (c.state != Callable::State::todo) return;
  c.state = Callable::State::doing;
  Body body = sema.model.functions[index].body;   // a copy, because checking the body may add functions
  RuleContext rule(sema);
  rule.body = &body;
  rule.pure = true;
  bind_parameters(rule, c);
  const Node* n = c.node;
  if (n->kind == NodeKind::sequence_decl) return build_sequence(rule, index);
  const bool of_record = !sema.rules.functions[index].part.empty();
  const Type declared = of_record ? sema.rules.functions[index].gives : sema.model.functions[index].result;
  const bool known = declared.kind != TypeKind::nothing;
  Block block;
  Type found = of_record ? sema.model.functions[index].result : declared;
  rule.part = sema.rules.functions[index].part;
  if (view::function_decl(n).value()) {
    const Expr* e = expr(rule, view::function_decl(n).value(), known ? &declared : nullptr);
    if (known) e = field_at(sema, convert_in_bounds(rule, e, declared, n->text, result_name(n->text)), rule.part);
    if (const Expr* none = known && !declared.optional && !is_poison(e) ? may_be_nothing(e) : nullptr)
      error(sema, Code::may_be_none, none->range,
            fmt::format("this may be none, but `{}` is declared as a `{}`", n->text, show(sema, declared)),
            fmt::format("add a fallback: `(…) or else 0`, or declare it `{}?`", show(sema, declared)));
    else if (!known)
      found = of_any_size(e->type);
    emit(sema, block, StmtKind::return_value, view::function_decl(n).value()->range, {e});
  } else {
    rule.result = declared;
    rule.result_of = n->text;
    rule.infer_result = !known;
    statements(rule, view::function_decl(n).body(), block);
    if (!known) found = rule.infer_seen ? rule.result : plain_type(TypeKind::poison);
    if (view::function_decl(n).body() && !leaves(block))
      error(sema, Code::no_result, name_range(sema, n), fmt::format("`{}` may end without a `return`", n->text));
  }
  if (found.kind == TypeKind::nothing || record_in(sema, found)) {
    error(sema, Code::wrong_type, name_range(sema, n), fmt::format("`{}` needs a type", n->text),
          fmt::format("`function {}(…): {}`", n->text, record_in(sema, found) ? show(sema, found) : "int"));
    found = plain_type(TypeKind::poison);
  }
  model::Function& f = sema.model.functions[index];
  f.result = found;
  f.body = std::move(body);
  f.body.block = std::move(block);
  f.body.present = true;
  c.state = Callable::State::done;
}

static void build_sequence(RuleContext& rule, std::uint32_t index) {
  const Node* n = rule.sema.rules.functions[index].node;
  const Type result = rule.model.functions[index].result;
  rule.yields = rule.sema.rules.functions[index].gives.kind == TypeKind::record ? rule.sema.rules.functions[index].gives
                : result.elem                                                   ? *result.elem
                                                                                : plain_type(TypeKind::poison);
  rule.result_of = n->text;
  Block block;
  statements(rule, view::sequence_decl(n).body(), block);
  rule.model.functions[index].body = std::move(*rule.body);
  rule.model.functions[index].body.block = std::move(block);
  rule.model.functions[index].body.present = true;
  rule.sema.rules.functions[index].state = Callable::State::done;
}

void build_event(SemaContext& sema, std::uint32_t index) {
  Callable& c = sema.rules.events[index];
  if (c.state == Callable::State::done || !c.node || c.node->kind != NodeKind::event_decl) return;
  // Two passes: the first declares the variables (state todo), the second builds the rest after everything is declared
  // (state doing).
  const bool first = c.state == Callable::State::todo;
  c.state = first ? Callable::State::doing : Callable::State::done;
  const Node* n = c.node;
  if (!view::event_decl(n).body()) {
    if (first && sema.model.events[index].result.kind != TypeKind::nothing)
      error(sema, Code::no_result, name_range(sema, n),
            fmt::format("`{}` returns a `{}`, but has no body", n->text, show(sema, sema.model.events[index].result)));
    return;
  }
  RuleContext& rule = sema.rules.event_contexts.try_emplace(index, sema).first->second;
  rule.body = &sema.model.events[index].body;
  if (first) {
    rule.event = index;
    rule.result = sema.model.events[index].result;
    rule.result_of = n->text;
    bind_parameters(rule, c);
  }
  Block block = std::move(sema.model.events[index].body.block);
  const std::size_t head = variables_at_head(view::event_decl(n).body());
  if (first)
    declare_variables(rule, std::span(view::event_decl(n).body()->children).first(head), block,
                      sema.model.events[index].variables, c);
  else
    statements(rule, view::event_decl(n).body(), block, head);
  if (!first) check_result(sema, index, block);
  sema.model.events[index].body.block = std::move(block);
  sema.model.events[index].body.present = true;
}

static void check_result(SemaContext& sema, std::uint32_t event, const Block& block) {
  const Node* n = sema.rules.events[event].node;
  const Type& t = sema.model.events[event].result;
  if (t.kind != TypeKind::nothing && t.kind != TypeKind::poison && !t.optional && t.kind != TypeKind::set &&
      t.kind != TypeKind::list && !leaves(block))
    error(sema, Code::no_result, name_range(sema, n),
          fmt::format("`{}` may end without a `return`, but returns a `{}`", n->text, show(sema, t)),
          t.kind == TypeKind::boolean ? "end with `return false`" : "declare the result optional with `?`");
}

// Returns the number of `var` statements at the start of an event's body. They declare variables of the event.
static std::size_t variables_at_head(const Node* body) {
  std::size_t n = 0;
  // A table is a local of the body, not a variable of the event.
  const auto is_table = [](const Node* let) {
    return view::let_stmt(let).type() && view::let_stmt(let).type()->kind == NodeKind::type_map;
  };
  const auto is_variable = [&](const Node* node) {
    return node && node->kind == NodeKind::let_stmt && view::let_stmt(node).variable() && !is_table(node);
  };
  while (is_variable(view::list(body).items(n))) ++n;
  return n;
}

// Declares the variables of a window or event. Other rules can use them while it runs.
static void declare_variables(RuleContext& rule, std::span<Node* const> nodes, Block& block,
                              std::vector<LocalId>& variables, Callable& of) {
  for (const Node* s : nodes) {
    const std::size_t before = block.size();
    let_stmt(rule, s, block);
    const auto is_part = [&](std::string_view local) {
      return local == s->text || (local.starts_with(s->text) && local.substr(s->text.size()).starts_with("."));
    };
    for (std::size_t i = before; i < block.size(); ++i)
      if (block[i]->kind == StmtKind::let && is_part(rule.body->locals[block[i]->local.index].name))
        variables.push_back(block[i]->local);
    if (const Binding* b = find_binding(rule, s->text); b && b->value && b->value->kind == ExprKind::record)
      name_records(rule.sema, b->value->type, std::string(s->text), of.composed);
  }
}

void build_window(SemaContext& sema, std::uint32_t index) {
  Callable& c = sema.rules.windows[index];
  if (!c.node || c.node->kind != NodeKind::window_decl) return;
  const Node* n = c.node;
  // Two passes: the first declares the variables (state todo), the second builds the rest after everything is declared
  // (state doing).
  if (c.state == Callable::State::done) return;
  const bool first = c.state == Callable::State::todo;
  c.state = first ? Callable::State::doing : Callable::State::done;
  RuleContext& rule = sema.rules.window_contexts.try_emplace(index, sema).first->second;
  rule.body = &sema.model.windows[index].body;
  if (first) {
    rule.window = index;
    rule.result = sema.model.windows[index].result;
    rule.result_of = n->text;
    bind_parameters(rule, c);
  }
  Block block = std::move(sema.model.windows[index].body.block);
  const Node* list = view::window_decl(n).body();
  bool asked = false;
  if (list)
    for (Node* const& s : list->children) {
      if (!s) continue;
      asked = asked || asks(s);
      if ((s->kind == NodeKind::field) != first) continue;
      rule.tail = s == list->children.back();
      if (first)
        declare_variables(rule, {&s, 1}, block, sema.model.windows[index].variables, c);
      else
        statement(rule, s, block);
    }
  if (!first && !asked)
    error(sema, Code::bad_ask, name_range(sema, n), fmt::format("the window `{}` has no `ask`", n->text),
          "`ask p until pass`");
  sema.model.windows[index].body.block = std::move(block);
  sema.model.windows[index].body.present = true;
}

}   // namespace cardwright::sema
