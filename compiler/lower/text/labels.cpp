#include "compiler/lower/text/labels.h"

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/plans/narrowing.h"
#include "compiler/lower/text/alike.h"
#include "compiler/lower/text/log.h"
#include "compiler/lower/text/option_ids.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

static const model::Expr* named_in_label(ProgramContext& unit, const model::Action& action, std::string_view name,
                                         bool picked) {
  model::Expr& e = unit.own_exprs.emplace_back();
  e.kind = ExprKind::local;
  e.type = simple(TypeKind::card);
  e.local = action.head.self;
  for (const model::ActionParameter& p : action.parameters) {
    if (p.name != name) continue;
    e.type = p.type;
    e.type.optional = e.type.optional || may_be_nothing(p);
    e.local = p.local;
    if (p.count == model::PickCount::one || !picked) continue;
    e.type = simple(TypeKind::set);
    e.type.elem = std::make_shared<model::Type>(p.type);
  }
  unit.named_in_labels.insert(&e);
  return &e;
}

// In a label, `{name}` represents a parameter, and `{#i}` represents the i-th computed value. In the label of an
// option, a set is shown as its first element, because the other elements have not been picked yet.
Label label_of(ProgramContext& unit, const model::Action& action, bool picked) {
  Label out;
  const auto add = [&](std::string_view pattern, const std::vector<const model::Expr*>& parts) {
    out.pattern += pattern;
    out.parts.insert(out.parts.end(), parts.begin(), parts.end());
  };
  const std::string_view label = action.label;
  for (std::size_t i = 0; i < label.size(); ++i) {
    const bool brace = label[i] == '{' && !label.substr(i).starts_with("{{");
    if (!brace) {
      out.pattern += label[i];
      if (label[i] == '{') out.pattern += label[++i];
      continue;
    }
    const std::size_t end = label.find('}', i);
    const std::string_view name = label.substr(i + 1, end - i - 1);
    if (name.starts_with('#')) {
      const model::Stmt& part = *action.label_parts[static_cast<std::size_t>(std::atoll(name.data() + 1))];
      add(part.text, part.exprs);
    } else {
      add("{}", {named_in_label(unit, action, name, picked)});
    }
    i = end;
  }
  return out;
}

// Returns the card to log for an option. The option represents several look-alike cards and contains only their class.
// The copy in the zone that the action reads determines which players know the card. If the acting player knows one of
// the copies, that one is logged, because an unseen copy would hide from this player what the option shows.
static Register chosen_copy(const FunctionContext& code, const model::Action& action, const model::ActionParameter& p,
                            Register me, Register card) {
  if (p.type.kind != TypeKind::card || by_id(code.unit, action) || !p.domain || !pure(code.unit, *p.domain) ||
      place_matters(code.unit, zones_offered(code.unit, p.domain)))
    return card;
  if (code.unit.ids.class_cards < 0) {
    std::vector<Int> words(static_cast<std::size_t>(code.unit.ids.classes * code.program.layout.words), 0);
    for (std::size_t id = 0; id < code.unit.ids.class_of.size(); ++id)
      if (code.unit.ids.card[id] >= 0)
        words[static_cast<std::size_t>(code.unit.ids.class_of[id] * code.program.layout.words) + id / 64] |=
            static_cast<Int>(Word{1} << (id % 64));
    code.unit.ids.class_cards = table_index(code.unit, std::move(words));
  }
  Register there = code.set(
      Op::set_and, {expr(code, *p.domain),
                    code.set(Op::set_table,
                             {code.unit.ids.class_cards,
                              code.integer(Op::table_small, {table_index(code.unit, code.unit.ids.class_of), card})})});
  if (p.where) there = filtered(code, there, true, p.element.valid() ? p.element : p.local, p.where);
  const Register meant = code.make(code.type(card));
  code.assign(meant, card);
  BlockIndex some = code.add_block(), on = code.add_block();
  code.branch(code.integer(Op::set_any, {there}, 1), some, on);
  code.go_to(some);
  code.put(Op::set_first, meant, {there});
  const Register known = code.set(Op::set_known, {me, there});
  BlockIndex knows = code.add_block();
  code.branch(code.integer(Op::set_any, {known}, 1), knows, on);
  code.go_to(knows);
  code.put(Op::set_first, meant, {known});
  code.jump(on);
  code.go_to(on);
  return meant;
}

// Emits the label of an option as a line of the log. Each reader sees only the values that they may know.
void lower_label(ProgramContext& unit, std::size_t index) {
  const model::Action& action = unit.model.actions[index];
  if (!possible(unit, action) || action.label.find('{') == std::string::npos) return;
  ir::FunctionIndex f = new_function(unit, "label of " + action.name, ir::Returns::integer, action.head.range, false);
  unit.program.actions[unit.ids.action[index]].label_text = f;
  Env at;
  bind_locals(at, action.body);
  write_function(unit, f, at, [&](const FunctionContext& code) {
    const Register me = parameter(code, simple(TypeKind::player));
    bind(code, action.head.me, me);
    if (action.head.carrier.kind == model::CarrierKind::card)
      bind(code, action.head.self, parameter(code, simple(TypeKind::card, true)));
    std::vector<Register> values;
    for (const model::ActionParameter& p : action.parameters) {
      model::Type type = p.type;
      type.optional = type.optional || may_be_nothing(p);
      values.push_back(parameter(code, type));
    }
    for (std::size_t i = 0; i < values.size(); ++i) bind(code, action.parameters[i].local, values[i]);
    for (std::size_t i = 0; i < values.size(); ++i)
      bind(code, action.parameters[i].local, chosen_copy(code, action, action.parameters[i], me, values[i]));
    const Label label = label_of(code.unit, action, false);
    code.effect(Op::log_text, {text_index(code.unit, log_values(code, label.pattern, label.parts))});
    code.effect(Op::ret_int, {code.constant(0)});
  });
}

}   // namespace cardwright::lower
