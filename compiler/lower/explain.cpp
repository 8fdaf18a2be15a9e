// Why a condition is so. It is worked out element by element, and on the way notes say what it hangs on: texts of a log
// that `why` alone listens to (api/explain.cpp reads them), so nobody is told in them what they may not know.
//
//   open N, drop N               what was noted in between explains nothing
//   next N, last N, furthest N   of several tries the last explains it, or the one in which most held
//   held N                       the first part of an `and` held: what was noted since explains nothing, and that try
//   came further call, done                   a function of its own
//   of\n…                        a condition as it is written; behind it each thing that it compares, and what that is
//   said\n…                      what the rules say of it
//   for\n…                       the element for which it is so
//   bent\n…                      whose rule says otherwise
//   name\n…                      a name in a choice, and what it is
#include "compiler/lower/apart.h"
#include "compiler/lower/offers.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '{' ? "{{" : std::string(1, c);
  return out;
}

bool is_compared(const model::Expr& e) {
  return e.kind != ExprKind::constant &&
         (e.type.kind == TypeKind::integer || e.type.kind == TypeKind::enumeration || e.type.kind == TypeKind::player);
}

}  // namespace

// ---- notes

void Lowering::note(std::string_view text) { b().effect(Op::log_text, {text_index(escaped(text))}); }

Int Lowering::open_notes() {
  note(fmt::format("open {}", ++notes_));
  return notes_;
}
void Lowering::close_notes(Int opened, std::string_view how) { note(fmt::format("{} {}", how, opened)); }

// What a page of the standard library works out says nothing to people, unless it says why.
bool Lowering::is_of_page(Range range) const {
  return std::ranges::find(model_.pages, range.source) != model_.pages.end();
}

void Lowering::note_condition(const model::Expr& e, std::string_view side) {
  if (is_of_page(e.range)) return;
  const Explaining quiet(*this, false);
  const auto written = [&](const model::Expr& part) {
    return escaped(part.range.known() ? one_line(reason_text(part.range)) : part.text);
  };
  std::string pattern = fmt::format("of\n{}{}{}", side, side.empty() ? "" : " ", written(e));
  std::vector<const model::Expr*> parts;
  if (e.kind == ExprKind::less || e.kind == ExprKind::less_equal || e.kind == ExprKind::equal ||
      e.kind == ExprKind::not_equal)
    for (const model::Expr* a : e.args)
      if (is_compared(*a)) pattern += "\n" + written(*a) + "\n{}", parts.push_back(a);
  b().effect(Op::log_text, {text_index(tell(pattern, parts))});
}

void Lowering::note_said(const model::Expr& text) {
  const Explaining quiet(*this, false);
  if (text.kind != ExprKind::text) return note("said\n" + text.text);
  b().effect(Op::log_text, {text_index(tell("said\n" + text.text, text.args))});
}

void Lowering::note_element(model::LocalId local) {
  if (is_of_page(env().body->locals[local.index].range)) return;
  const Explaining quiet(*this, false);
  model::Expr& element = own_exprs_.emplace_back();
  element.kind = ExprKind::local;
  element.local = local;
  element.type = env().body->locals[local.index].type;
  b().effect(Op::log_text,
             {text_index(tell(escaped("for\n" + env().body->locals[local.index].name) + "\n{}", {&element}))});
}

// Named after the card or character that holds the rule, or else as it stands.
void Lowering::note_bent(const model::RuleHead& head) {
  if (!explaining_) return;
  std::string whose;
  for (const model::KindId k : head.carrier.kinds) whose += (whose.empty() ? "" : " or ") + model_.kinds[k.index].label;
  if (whose.empty() && head.carrier.kind == model::CarrierKind::character) whose = head.name;
  note("bent\n" + (whose.empty() ? one_line(reason_text(head.range)) : whose));
}

// ---- conditions

Register Lowering::quietly(const model::Expr& e) {
  const Explaining quiet(*this, false);
  return expr(e);
}

// As branch_on, with notes on what it hangs on, whichever way it goes.
void Lowering::explain(const model::Expr& e, BlockIndex yes, BlockIndex no) {
  switch (e.kind) {
    case ExprKind::logical_not: return explain(*e.args[0], no, yes);
    case ExprKind::logical_and: return explain_both(e, yes, no);
    case ExprKind::logical_or: return explain_either(e, yes, no);
    case ExprKind::conditional: {
      BlockIndex then = b().add_block(), other = b().add_block();
      const Int opened = open_notes();
      explain(*e.args[0], then, other);
      b().go_to(then);
      close_notes(opened, "drop");
      explain(*e.args[1], yes, no);
      b().go_to(other);
      close_notes(opened, "drop");
      return explain(*e.args[2], yes, no);
    }
    case ExprKind::constant: return b().jump(e.value ? yes : no);
    case ExprKind::exists: return explain_exists(e, yes, no);
    case ExprKind::supposing: return explain_supposed(e, yes, no);
    case ExprKind::in_set: return explain_member(e, quietly(*e.args[0]), *e.args[1], yes, no);
    case ExprKind::call_value:
    case ExprKind::call_function:
      note_condition(e);
      return b().branch(explained_call(e, ir::kNoRegister), yes, no);
    default: break;
  }
  note_condition(e);
  b().branch(quietly(e), yes, no);
}

// What happens then nobody hears, but why the condition is so.
void Lowering::explain_supposed(const model::Expr& e, BlockIndex yes, BlockIndex no) {
  note_condition(e);
  const auto kept_zone = std::exchange(kept_zone_, {});
  HoistScope* const scope = std::exchange(hoist_, nullptr);
  BlockIndex holds = b().add_block(), fails = b().add_block();
  b().effect(Op::suppose, {});
  {
    const Explaining quiet(*this, false);
    const model::Expr& event = *e.args[0];
    call_with_exprs(supposed_event(event.ref), event.args);
  }
  b().effect(Op::suppose_aloud, {});
  explain(*e.args[1], holds, fails);
  for (const auto& [from, to] : {std::pair{holds, yes}, std::pair{fails, no}}) {
    b().go_to(from);
    b().effect(Op::unsuppose, {});
    b().jump(to);
  }
  hoist_ = scope;
  kept_zone_ = kept_zone;
}

// That the first part holds explains nothing.
void Lowering::explain_both(const model::Expr& e, BlockIndex yes, BlockIndex no) {
  BlockIndex second = b().add_block();
  const Int opened = open_notes();
  explain(*e.args[0], second, no);
  b().go_to(second);
  close_notes(opened, "held");
  explain(*e.args[1], yes, no);
}

// That neither holds both explain, that one does that one alone.
void Lowering::explain_either(const model::Expr& e, BlockIndex yes, BlockIndex no) {
  BlockIndex second = b().add_block(), held = b().add_block();
  const Int opened = open_notes();
  explain(*e.args[0], yes, second);
  b().go_to(second);
  close_notes(opened, "next");
  explain(*e.args[1], held, no);
  b().go_to(held);
  close_notes(opened, "last");
  b().jump(yes);
}

// That one has it that one explains; that none has it, what is wrong with the one that comes furthest.
void Lowering::explain_exists(const model::Expr& e, BlockIndex yes, BlockIndex no) {
  note_condition(e);
  const Int opened = open_notes();
  BlockIndex found = b().add_block();
  const auto look = [&](Register element) {
    const Explaining loud(*this, true);
    bind(e.local, element);
    close_notes(opened, "next");
    BlockIndex has = b().add_block(), next = b().add_block();
    explain(*e.args[1], has, next);
    b().go_to(has);
    note_element(e.local);
    b().jump(found);
    b().go_to(next);
    note_element(e.local);
  };
  const Taken taken(*this, e.local, e.args[0]);
  {
    const Explaining quiet(*this, false);
    if (e.args[0]->type.kind == TypeKind::list)
      for_each_listed(*e.args[0], [&](Register element, BlockIndex) { look(element); });
    else for_each(expr(*e.args[0]), is_wide(e.args[0]->type), look);
  }
  close_notes(opened, "furthest");
  b().jump(no);
  b().go_to(found);
  close_notes(opened, "last");
  b().jump(yes);
}

// `A & B`, `A - B`: that it is not in the one, or is in the other, explains that it is not in the whole.
void Lowering::explain_member_of_both(const model::Expr& whole, Register x, const model::Expr& set, BlockIndex yes,
                                      BlockIndex no) {
  const bool minus = set.kind == ExprKind::set_minus;
  BlockIndex on = b().add_block(), held = b().add_block();
  const Int first = open_notes();
  explain_member(whole, x, *set.args[0], on, no, "not in");
  b().go_to(on);
  close_notes(first, "held");
  const Int second = open_notes();
  explain_member(whole, x, *set.args[1], minus ? no : held, minus ? held : no, minus ? "in" : "not in");
  b().go_to(held);
  close_notes(second, "drop");
  note_condition(whole);
  b().jump(yes);
}

// Is x in that set? `whole` says so as it is written, or if this is a part of it, `side` before the part.
void Lowering::explain_member(const model::Expr& whole, Register x, const model::Expr& set, BlockIndex yes,
                              BlockIndex no, std::string_view side) {
  // `others` is `players` without `me`, but nobody wrote that
  const bool part = !side.empty() && set.range.known() && set.range != whole.range;
  const auto note_it = [&] { part ? note_condition(set, side) : note_condition(whole); };
  switch (set.kind) {
    case ExprKind::set_and:
    case ExprKind::set_minus: return explain_member_of_both(part ? set : whole, x, set, yes, no);
    case ExprKind::filter: {
      if (set.args[0]->type.kind != TypeKind::set) break;
      BlockIndex within = b().add_block();
      explain_member(whole, x, *set.args[0], within, no, side);
      b().go_to(within);
      bind(set.local, x);
      return explain(*set.args[1], yes, no);
    }
    case ExprKind::call_function:
      if (is_inlined(set.ref) || !is_compared_element(set.type)) break;
      note_it();
      return b().branch(explained_call(set, x), yes, no);
    default: break;
  }
  note_it();
  const Register in = quietly(set);
  b().branch(b().integer(is_wide(set.type) ? Op::set_has : Op::mask_has, {in, x}, 1), yes, no);
}

bool Lowering::is_compared_element(const model::Type& set) const {
  return set.kind == TypeKind::set && set.elem && set.elem->kind != TypeKind::card;
}

// ---- what conditions call

// Of a condition whether it holds; of a function that gives a set whether `member` is in it.
Register Lowering::explained_call(const model::Expr& e, Register member) {
  note("call");
  const Register result = b().make_int();
  if (e.kind == ExprKind::call_function && is_inlined(e.ref)) {
    const model::Function& f = model_.functions[e.ref];
    Env inner;
    {
      const Explaining quiet(*this, false);
      bind_arguments(inner, f, e);
    }
    inner.inline_return = true;
    inner.return_block = b().add_block();
    inner.result = result;
    inner.explains = true;
    inlining_.push_back(e.ref);
    with_env(inner, [&] {
      block(f.body.block);
      if (!b().closed()) leave_function(b().constant(0));
    });
    inlining_.pop_back();
    b().go_to(inner.return_block);
  } else {
    const ir::FunctionIndex function =
        explained_function(e.kind == ExprKind::call_value, e.ref, member != ir::kNoRegister);
    const Explaining quiet(*this, false);
    std::vector<Register> arguments;
    for (const model::Expr* a : e.args) {
      arguments.push_back(b().make(register_type(a->type)));
      b().assign(arguments.back(), expr(*a));
    }
    if (member != ir::kNoRegister) arguments.push_back(member);
    b().assign(result, call(function, std::move(arguments)));
  }
  note("done");
  return result;
}

// The same value or function, with notes.
ir::FunctionIndex Lowering::explained_function(bool is_value, std::uint32_t ref, bool of_member) {
  const auto [at, fresh] = explained_.try_emplace({is_value, ref, of_member}, 0);
  if (!fresh) return at->second;
  const model::Value* value = is_value ? &model_.values[ref] : nullptr;
  const model::Function* f = is_value ? nullptr : &model_.functions[ref];
  const model::Body& body = is_value ? value->body : f->body;
  const ir::FunctionIndex index = at->second = new_function(
      "why " + (is_value ? value->name : f->name), ir::Returns::integer, is_value ? value->range : f->range, false);
  Env inner;
  bind_locals(inner, body);
  inner.explains = true;
  const Apart apart(*this);
  write_function(index, inner, [&] {
    std::vector<Register> arguments;
    for (const model::Parameter& p : is_value ? value->parameters : f->parameters) {
      arguments.push_back(parameter(body.locals[p.local.index].type));
      bind(p.local, arguments.back());
    }
    if (of_member) env().member = parameter(*f->result.elem);
    fuel();
    if (is_value) return leave_function(settled_and_bent(*value, arguments));
    block(body.block);
    if (!b().closed()) leave_function(b().constant(0));
  });
  return index;
}

Register Lowering::explained_value(const model::Expr& e) {
  const Register result = b().make_int();
  BlockIndex yes = b().add_block(), no = b().add_block(), after = b().add_block();
  explain(e, yes, no);
  b().go_to(yes);
  b().assign_constant(result, 1);
  b().jump(after);
  b().go_to(no);
  b().assign_constant(result, 0);
  b().jump(after);
  b().go_to(after);
  return result;
}

// What a rule says of it is said where it is so, of what is worked out where it is not.
void Lowering::explain_return(const model::Stmt& s) {
  const model::Expr& e = *s.exprs[0];
  BlockIndex yes = b().add_block(), no = b().add_block();
  if (env().member != ir::kNoRegister) explain_member(e, env().member, e, yes, no);
  else explain(e, yes, no);
  b().go_to(yes);
  if (s.why && e.kind == ExprKind::constant) note_said(*s.why);
  leave_function(b().constant(1));
  b().go_to(no);
  if (s.why) note_said(*s.why);
  leave_function(b().constant(0));
}

// ---- actions

void Lowering::fails(BlockIndex no, const model::Expr* part, std::string words, Range where) {
  BlockIndex on = b().add_block();
  b().jump(on);
  b().go_to(no);
  std::string text = part && part->text.empty() ? reason_text(part->range) : "";
  program_.reasons.push_back({std::move(text), std::move(words), part ? part->range : where});
  b().effect(Op::ret_int, {b().constant(Int(program_.reasons.size()))});
  b().go_to(on);
}

void Lowering::look_why(const model::Expr& part) {
  BlockIndex yes = b().add_block(), no = b().add_block();
  if (reads(part)) b().jump(yes);                          // nobody is told more than by the options
  else explain(part, yes, no);
  b().go_to(yes);
  fails(no, &part, part.text, part.range);
}

// Is it in that set, where that can be said?
void Lowering::look_why_in(const model::Expr& domain, Register x) {
  BlockIndex yes = b().add_block(), no = b().add_block();
  if (reads(domain) || domain.type.kind != TypeKind::set) {
    const Explaining quiet(*this, false);
    b().jump(yes);                                         // what is not offered the host knows
  } else {
    explain_member(domain, x, domain, yes, no);
  }
  b().go_to(yes);
  fails(no, &domain, "", domain.range);
}

// explain(me, card, parameters): 0 if it could be done with these, else 1 + the reason. The later a condition fails,
// the higher that is.
ir::FunctionIndex Lowering::lower_explanation(std::size_t index) {
  const model::Action& action = model_.actions[index];
  const ir::FunctionIndex f = new_function("explain " + action.name, ir::Returns::integer, action.head.range, false);
  Env at;
  bind_locals(at, action.body);
  at.explains = true;
  write_function(f, at, [&] {
    const Register me = parameter(simple(TypeKind::player)), card = parameter(simple(TypeKind::card, true));
    bind(action.head.me, me);
    if (action.head.self.valid()) bind(action.head.self, card);
    std::vector<Register> parameters;
    for (const model::ActionParameter& p : action.parameters)
      parameters.push_back(parameter(p.count == model::PickCount::one ? p.type : simple(TypeKind::integer)));
    env().facts = offers_.facts_of(action);
    std::vector<const model::Expr*> left;
    if (action.head.when) left = conjuncts(*action.head.when);
    const auto look_at_those = [&](const std::function<bool(const model::Expr&)>& which) {
      std::erase_if(left, [&](const model::Expr* part) { return which(*part) && (look_why(*part), true); });
    };
    const auto speaks_of = [&](const model::Expr& part, std::size_t from) {
      return std::any_of(action.parameters.begin() + static_cast<std::ptrdiff_t>(from), action.parameters.end(),
                         [&](const model::ActionParameter& p) { return mentions(part, p.local); });
    };
    look_at_those([&](const model::Expr& part) { return !speaks_of(part, 0); });
    for (std::size_t i = 0; i < action.parameters.size(); ++i) {
      const model::ActionParameter& p = action.parameters[i];
      if (p.count != model::PickCount::one) break;         // of a set each element is a choice of its own
      bind(p.local, parameters[i]);
      if (p.element.valid()) bind(p.element, parameters[i]);
      if (p.domain && !(action.play && i == 0)) {
        look_why_in(*p.domain, parameters[i]);
        env().facts.put(p.local, fact(*p.domain));
        if (p.element.valid()) env().facts.put(p.element, fact(*p.domain));
      }
      if (p.where)
        for (const model::Expr* part : conjuncts(*p.where)) look_why(*part);
      look_at_those([&](const model::Expr& part) { return !speaks_of(part, i + 1); });
    }
    if (forbidden_somewhere(index) && !offers_.may_be_wrong(index)) {
      BlockIndex no = b().add_block();
      forbids(index, me, parameters, std::vector<Fact>(parameters.size()), no);
      fails(no, nullptr, "another rule forbids it", action.head.range);
    }
    b().effect(Op::ret_int, {b().constant(0)});
  });
  return f;
}

// ---- choices without a name

// The names that its sources and conditions read, as they are where it is made; nothing where one is a list, or what a
// sequence yields is read.
std::optional<std::vector<model::LocalId>> Lowering::names_in_choice(const model::Stmt& s) {
  std::set<std::uint32_t> read, bound{s.ref, s.local.index};
  bool all = true;
  for (std::size_t i = 4; i < s.exprs.size(); ++i)
    model::for_each_expr(s.exprs[i], [&](const model::Expr& e) {
      if (e.kind == ExprKind::local) read.insert(e.local.index);
      else if (e.local.valid()) bound.insert(e.local.index);
      if (e.kind == ExprKind::call_function && model_.functions[e.ref].sequence) all = false;
    });
  std::vector<model::LocalId> names;
  for (const std::uint32_t index : read) {
    const bool is_there = index < env().places.size() && env().places[index].kind != Place::Kind::none;
    if (bound.contains(index) || !is_there) continue;
    const model::Type& type = env().body->locals[index].type;
    if (type.kind == TypeKind::list || type.kind == TypeKind::map) all = false;
    names.push_back({index});
  }
  return all ? std::optional(names) : std::nullopt;
}

// Hands over what the names are, where the host asks for that.
std::function<void()> Lowering::telling_names(const model::Stmt& s) {
  if (!env().body) return nullptr;
  const auto names = names_in_choice(s);
  if (!names) return nullptr;
  const bool known = std::ranges::any_of(asked_choices_, [&](const AskedChoice& choice) { return choice.stmt == &s; });
  if (explanations_ && !known) asked_choices_.push_back({&s, env().body, env().window, env().facts, *names});
  if (names->empty()) return nullptr;
  return [this, names = *names] {
    for (const model::LocalId name : names) {
      const bool wide = is_wide(env().body->locals[name.index].type);
      b().effect(wide ? Op::log_set : Op::log_value, {read_local(name)});
    }
  };
}

// A set comes as ints of 32 elements each.
Register Lowering::named_parameter(const model::Type& type) {
  if (!is_wide(type)) return parameter(type);
  const Register set = b().make(set_of(*type.elem));
  b().put(Op::set_empty, set, {});
  for (Int first = 0; first < 64 * program_.layout.words; first += 32)
    for_each(parameter(simple(TypeKind::integer), int_type()), false, [&](Register bit) {
      b().put(Op::set_add, set, {set, b().integer(Op::add_small, {bit, b().constant(first)})});
    });
  return set;
}

void Lowering::note_name(const model::Body& body, model::LocalId local) {
  const Explaining quiet(*this, false);
  model::Expr& name = own_exprs_.emplace_back();
  name.kind = ExprKind::local;
  name.local = local;
  name.type = body.locals[local.index].type;
  b().effect(Op::log_text, {text_index(tell(escaped("name\n" + body.locals[local.index].name) + "\n{}", {&name}))});
}

// explain(chosen, names): as of an action, for one of the sources.
ir::FunctionIndex Lowering::lower_explanation(const AskedChoice& choice, std::size_t source) {
  const model::Stmt& s = *choice.stmt;
  const ir::FunctionIndex f = new_function("explain a choice", ir::Returns::integer, s.range, false);
  Env at;
  bind_locals(at, *choice.body);
  at.window = choice.window;
  at.facts = choice.facts;
  at.explains = true;
  write_function(f, at, [&] {
    const model::Expr& domain = *s.exprs[source];
    const model::LocalId element{s.ref};
    const Register chosen = parameter(*choice.body, element);
    for (const model::LocalId name : choice.names) {
      bind(name, named_parameter(choice.body->locals[name.index].type));
      note_name(*choice.body, name);
    }
    look_why_in(domain, chosen);
    bind(element, chosen);
    env().facts.put(element, fact(domain));
    if (source + 1 < s.exprs.size() && s.exprs[source + 1])
      for (const model::Expr* part : conjuncts(*s.exprs[source + 1])) look_why(*part);
    b().effect(Op::ret_int, {b().constant(0)});
  });
  return f;
}

void Lowering::lower_explanations() {
  if (!explanations_) return;
  plain_ = explaining_ = true;
  for (std::size_t i = 0; i < model_.actions.size(); ++i)
    explanations_->actions.push_back(possible(model_.actions[i]) ? Int(lower_explanation(i)) : -1);
  for (const AskedChoice& choice : asked_choices_) {
    ExplainedChoice explained{choice.stmt->range, {}};
    for (std::size_t source = 4; source < choice.stmt->exprs.size(); source += 2)
      if (!(choice.stmt->value >> 8 >> ((source - 4) / 2) & 1))
        explained.functions.push_back(Int(lower_explanation(choice, source)));
    explanations_->choices.push_back(std::move(explained));
  }
  plain_ = explaining_ = false;
}

std::unique_ptr<Program> Lowering::run_with(Explanations& explanations) {
  explanations_ = &explanations;
  return run();
}

std::unique_ptr<Program> explain(const model::Model& model, Diagnostics& diagnostics, Explanations& explanations) {
  return Lowering(model, diagnostics, false).run_with(explanations);
}

}  // namespace cardwright::lower
