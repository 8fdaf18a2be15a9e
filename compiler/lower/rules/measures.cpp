// Emits the operations that record measures. The operands of each operation are the measure, the index of a cell, and a
// value.
#include "compiler/lower/rules/measures.h"

#include <algorithm>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/rules/patterns.h"
#include "compiler/lower/sets/sets.h"
#include "runtime/ops/note.h"
#include "runtime/program/reached.h"

namespace cardwright::lower {

using model::KeyValue;
using model::MeasureKey;
using model::Moment;
using model::MomentKind;
using model::Span;
using model::TypeKind;

void declare_measures(ProgramContext& unit) {
  if (unit.explaining.wanted) return;   // a Program with explanations never plays the game
  for (std::size_t m = 0; m < unit.model.measures.size(); ++m) {
    const model::Measure& measure = unit.model.measures[m];
    if (!measure.asked) continue;
    MeasureInfo info{.name = measure.name,
                     .label = measure.label,
                     .what = static_cast<MeasureWhat>(measure.what),
                     .along = static_cast<MeasureSpan>(measure.along),
                     .per_span = measure.per_span,
                     .duration = measure.duration,
                     .keys = {},
                     .where = measure.range};
    for (const MeasureKey& key : measure.keys)
      info.keys.push_back({key.name, key.type.kind == TypeKind::card ? ValueKind::kind : value_kind(unit, key.type),
                           enumeration_of(unit, key.type), key.first, key.count, key.type.optional});
    const Int id = Int(unit.program.measures.size());
    unit.program.measures.push_back(std::move(info));
    for (std::size_t at = 0; at < measure.moments.size(); ++at) {
      const Moment& moment = measure.moments[at];
      const std::uint32_t of = moment.event ? moment.event->index : moment.action ? moment.action->index : 0;
      unit.measured[{measure.when, of}].push_back({id, m, at});
    }
  }
  unit.program.figures = unit.model.notes_figures;
  if (unit.model.notes_turns) unit.program.turn_note = Int(unit.program.measures.size());
}

// Returns the zero-based index of the key's value.
static Register cell_of(const FunctionContext& code, const MeasureKey& key, const model::Expr& value) {
  Register is = expr(code, value);
  if (key.type.kind == TypeKind::card) {
    std::vector<Int> kinds;
    for (const Int card : code.unit.ids.card)
      kinds.push_back(card < 0 ? kNone : Int(code.model.cards[card].kind.index));
    is = code.integer(Op::table, {table_index(code.unit, std::move(kinds)), is});
  }
  // The last index of an optional key represents none.
  const Register end = code.constant(key.first + key.count - 1);
  if (key.type.optional) is = code.integer(Op::select, {code.integer(Op::eq, {is, code.constant(kNone)}, 1), end, is});
  return code.integer(Op::place_in, {is, key.first, key.count});
}

// Returns the combined index of all keys and, if the measure has a value for each turn or round, of the turn or round
// number.
static Register place_of(const FunctionContext& code, const model::Measure& measure, const Moment& moment) {
  Register place = ir::kNoRegister;
  const auto add = [&](Register cell, Int count) {
    place = place == ir::kNoRegister
                ? cell
                : code.integer(Op::add_small, {code.integer(Op::mul_small, {place, code.constant(count)}), cell});
  };
  if (measure.along != Span::game) {
    const Int number = measure.along == Span::turn ? code.unit.variables.turn_number : code.unit.variables.round_number;
    add(code.integer(Op::load_raw, {number, code.constant(0)}), 1);
  }
  for (std::size_t i = 0; i < moment.keys.size(); ++i)
    add(cell_of(code, measure.keys[i], *moment.keys[i].value), measure.keys[i].count);
  return place == ir::kNoRegister ? code.constant(0) : place;
}

static bool depends_on_elements(const Moment& moment, const model::Expr* e) {
  return e && std::any_of(moment.keys.begin(), moment.keys.end(),
                          [&](const KeyValue& key) { return key.domain && mentions(*e, key.each); });
}

// Emits the loops of keys such as `per p in S`, starting with the i-th key. Calls `then` inside the innermost loop.
static void for_each_element(const FunctionContext& code, const Moment& moment, std::size_t i,
                             const std::function<void()>& then) {
  if (i == moment.keys.size()) return then();
  const KeyValue& key = moment.keys[i];
  if (!key.domain) return for_each_element(code, moment, i + 1, then);
  for_each(code, expr(code, *key.domain), [&](Register element) {
    bind(code, key.each, element);
    for_each_element(code, moment, i + 1, then);
  });
}

static void note(const FunctionContext& outer, const Noted& noted, const std::vector<Register>& arguments) {
  const model::Measure& measure = outer.model.measures[noted.measure];
  const Moment& moment = measure.moments[noted.moment];
  Env names;
  bind_locals(names, moment.body);
  const FunctionContext code = outer.in(names).without_caches();
  const LocationGuard location(code);
  code.at(measure.range);
  const BlockIndex done = code.add_block();
  model::RuleHead head = moment.head;
  const model::Expr* inside = depends_on_elements(moment, head.when) ? std::exchange(head.when, nullptr) : nullptr;
  guard(code, head, moment.patterns, arguments, done);
  for_each_element(code, moment, 0, [&] {
    const BlockIndex next = code.add_block();
    if (inside) {
      const BlockIndex holds = code.add_block();
      branch_on(code, *inside, holds, next);
      code.go_to(holds);
    }
    const Register value = moment.value ? expr(code, *moment.value) : code.constant(1);
    code.effect(Op::note, {noted.id, place_of(code, measure, moment), value});
    code.jump(next);
    code.go_to(next);
  });
  code.jump(done);
  code.go_to(done);
}

static void note_all(const FunctionContext& code, MomentKind when, std::size_t of,
                     const std::vector<Register>& arguments) {
  const auto there = code.unit.measured.find({when, std::uint32_t(of)});
  if (there == code.unit.measured.end()) return;
  for (const Noted& noted : there->second) note(code, noted, arguments);
}

void note_event(const FunctionContext& code, std::size_t event, MomentKind when,
                const std::vector<Register>& arguments) {
  note_all(code, when, event, arguments);
}

void note_landing(const FunctionContext& code, std::size_t action, MomentKind when,
                  const std::vector<Register>& arguments) {
  note_all(code, when, action, arguments);
}

void note_end(const FunctionContext& code) { note_all(code, MomentKind::end, 0, {}); }

}   // namespace cardwright::lower
