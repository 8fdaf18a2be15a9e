// Why a condition is so. It is worked out element by element, and on the way notes say what it hangs on: texts of a log that `why` alone
// listens to (api/explain.cpp reads them), so nobody is told in them what they may not know.
//
//   open N, drop N               what was noted in between explains nothing
//   next N, last N, furthest N   of several tries the last explains it, or the one in which most held
//   held N                       the first part of an `and` held: what was noted since explains nothing, and that try came further
//   call, done                   a function of its own
//   of\n…                        a condition as it is written; behind it each thing that it compares, and what that is
//   said\n…                      what the rules say of it
//   for\n…                       the element for which it is so
//   bent\n…                      whose rule says otherwise
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
  return e.kind != ExprKind::constant && (e.type.kind == TypeKind::integer || e.type.kind == TypeKind::enumeration || e.type.kind == TypeKind::player);
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
bool Lowering::is_of_page(Range range) const { return std::ranges::find(model_.pages, range.source) != model_.pages.end(); }

void Lowering::note_condition(const model::Expr& e, std::string_view side) {
  if (is_of_page(e.range)) return;
  const Explaining quiet(*this, false);
  const auto written = [&](const model::Expr& part) { return escaped(part.range.known() ? one_line(reason_text(part.range)) : part.text); };
  std::string pattern = fmt::format("of\n{}{}{}", side, side.empty() ? "" : " ", written(e));
  std::vector<const model::Expr*> parts;
  if (e.kind == ExprKind::less || e.kind == ExprKind::less_equal || e.kind == ExprKind::equal || e.kind == ExprKind::not_equal)
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
  b().effect(Op::log_text, {text_index(tell(escaped("for\n" + env().body->locals[local.index].name) + "\n{}", {&element}))});
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
    if (e.args[0]->type.kind == TypeKind::list) for_each_listed(*e.args[0], [&](Register element, BlockIndex) { look(element); });
    else for_each(expr(*e.args[0]), is_wide(e.args[0]->type), look);
  }
  close_notes(opened, "furthest");
  b().jump(no);
  b().go_to(found);
  close_notes(opened, "last");
  b().jump(yes);
}

// `A & B`, `A - B`: that it is not in the one, or is in the other, explains that it is not in the whole.
void Lowering::explain_member_of_both(const model::Expr& whole, Register x, const model::Expr& set, BlockIndex yes, BlockIndex no) {
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
void Lowering::explain_member(const model::Expr& whole, Register x, const model::Expr& set, BlockIndex yes, BlockIndex no, std::string_view side) {
  const bool part = !side.empty() && set.range.known() && set.range != whole.range;   // `others` is `players` without `me`, but nobody wrote that
  const auto note_it = [&] { part ? note_condition(set, side) : note_condition(whole); };
  switch (set.kind) {
    case ExprKind::set_and: case ExprKind::set_minus: return explain_member_of_both(part ? set : whole, x, set, yes, no);
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

bool Lowering::is_compared_element(const model::Type& set) const { return set.kind == TypeKind::set && set.elem && set.elem->kind != TypeKind::card; }

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
    const ir::FunctionIndex function = explained_function(e.kind == ExprKind::call_value, e.ref, member != ir::kNoRegister);
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
  const ir::FunctionIndex index = at->second = new_function("why " + (is_value ? value->name : f->name), ir::Returns::integer, is_value ? value->range : f->range, false);
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

// explain(me, card, parameters): 0 if it could be done with these, else 1 + the reason. The later a condition fails, the higher that is.
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
    for (const model::ActionParameter& p : action.parameters) parameters.push_back(parameter(p.count == model::PickCount::one ? p.type : simple(TypeKind::integer)));
    env().facts = offers_.facts_of(action);
    const auto fails = [&](BlockIndex no, const model::Expr* part, std::string words) {
      BlockIndex on = b().add_block();
      b().jump(on);
      b().go_to(no);
      program_.reasons.push_back({part && part->text.empty() ? reason_text(part->range) : "", std::move(words), part ? part->range : action.head.range});
      b().effect(Op::ret_int, {b().constant(Int(program_.reasons.size()))});
      b().go_to(on);
    };
    const auto look = [&](const model::Expr& part) {
      BlockIndex yes = b().add_block(), no = b().add_block();
      if (reads(part)) b().jump(yes);                      // nobody is told more than by the options
      else explain(part, yes, no);
      b().go_to(yes);
      fails(no, &part, part.text);
    };
    std::vector<const model::Expr*> left;
    if (action.head.when) left = conjuncts(*action.head.when);
    const auto look_at_those = [&](const std::function<bool(const model::Expr&)>& which) {
      std::erase_if(left, [&](const model::Expr* part) { return which(*part) && (look(*part), true); });
    };
    const auto speaks_of = [&](const model::Expr& part, std::size_t from) {
      return std::any_of(action.parameters.begin() + static_cast<std::ptrdiff_t>(from), action.parameters.end(), [&](const model::ActionParameter& p) { return mentions(part, p.local); });
    };
    look_at_those([&](const model::Expr& part) { return !speaks_of(part, 0); });
    for (std::size_t i = 0; i < action.parameters.size(); ++i) {
      const model::ActionParameter& p = action.parameters[i];
      if (p.count != model::PickCount::one) break;         // of a set each element is a choice of its own
      bind(p.local, parameters[i]);
      if (p.element.valid()) bind(p.element, parameters[i]);
      if (p.domain && !(action.play && i == 0)) {
        BlockIndex yes = b().add_block(), no = b().add_block();
        if (reads(*p.domain) || p.domain->type.kind != TypeKind::set) {
          const Explaining quiet(*this, false);
          b().jump(yes);                                   // what is not offered the host knows
        } else {
          explain_member(*p.domain, parameters[i], *p.domain, yes, no);
        }
        b().go_to(yes);
        fails(no, p.domain, "");
        env().facts.put(p.local, fact(*p.domain));
        if (p.element.valid()) env().facts.put(p.element, fact(*p.domain));
      }
      if (p.where)
        for (const model::Expr* part : conjuncts(*p.where)) look(*part);
      look_at_those([&](const model::Expr& part) { return !speaks_of(part, i + 1); });
    }
    if (forbidden_somewhere(index) && !offers_.may_be_wrong(index)) {
      BlockIndex no = b().add_block();
      forbids(index, me, parameters, std::vector<Fact>(parameters.size()), no);
      fails(no, nullptr, "another rule forbids it");
    }
    b().effect(Op::ret_int, {b().constant(0)});
  });
  return f;
}

void Lowering::lower_explanations() {
  if (!explanations_) return;
  plain_ = explaining_ = true;
  for (std::size_t i = 0; i < model_.actions.size(); ++i) explanations_->push_back(possible(model_.actions[i]) ? Int(lower_explanation(i)) : -1);
  plain_ = explaining_ = false;
}

std::unique_ptr<Program> Lowering::run_with(std::vector<Int>& explanations) {
  explanations_ = &explanations;
  return run();
}

std::unique_ptr<Program> explain(const model::Model& model, Diagnostics& diagnostics, std::vector<Int>& functions) {
  return Lowering(model, diagnostics, false).run_with(functions);
}

}  // namespace cardwright::lower
