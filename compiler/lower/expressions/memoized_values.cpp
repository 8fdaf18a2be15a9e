// Lowers memoized values. The State stores the result for each combination of arguments, outside the rules state. A
// write to something that the value reads marks it as stale (watch.cpp); the next read computes it again.
#include "compiler/lower/expressions/memoized_values.h"

#include "compiler/analysis/memoized_values.h"
#include "compiler/lower/expressions/calls.h"
#include "compiler/lower/events/events.h"
#include "compiler/lower/context/layout.h"
#include "compiler/lower/context/metadata.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/lower/sets/tables.h"

namespace cardwright::lower {

static void forget_kept(const FunctionContext& code, const Kept& kept, Register stale);

void find_kept(ProgramContext& unit) {
  constexpr Int kMostEntries = 4096;
  for (std::uint32_t v = 0; v < unit.model.values.size(); ++v) {
    const model::Value& value = unit.model.values[v];
    if (!value.kept || analysis::unwatched(unit.model, value)) continue;
    Kept kept{v, Int{1} << std::min<Int>(kLastKept, static_cast<Int>(unit.watching.kept.size())), {}, 1};
    for (const model::Parameter& p : value.parameters) {
      const model::Type& type = value.body.locals[p.local.index].type;
      kept.keys.push_back(bounds(unit, type));
      if (type.optional) --kept.keys.back().lo;
      kept.count *= std::min(kept.keys.back().hi - kept.keys.back().lo + 1, kMostEntries + 1);
      if (kept.count > kMostEntries)
        return too_large(
            unit, value.range,
            fmt::format("`kept value {}` has more than {} combinations of arguments", value.name, kMostEntries));
    }
    const bool table = value.result.kind == model::TypeKind::map;
    const model::Type& entry = table ? *value.result.elem : value.result;
    const Int entries = table ? as_list(unit, value.result).most : kept.count;
    // modifiers may exceed the bounds of the type
    const bool whole = entry.kind == model::TypeKind::integer && !table;
    const Bounds range = whole ? Bounds{-kUnlimited, kUnlimited} : bounds(unit, entry);
    kept.results = is_wide(unit, entry) ? add_scratch_sets(unit, "kept " + value.name, *entry.elem, entries)
                                        : add_scratch(unit, "kept " + value.name, range.lo, range.hi, kNone, entries);
    kept.known = add_scratch(unit, "known of " + value.name, 0, 1, 0, kept.count);
    unit.kept.insert(v);
    unit.watching.kept.push_back(std::move(kept));
  }
  if (unit.watching.kept.empty()) return;
  const Int all = (Int{1} << (kLastKept + 1)) - 1;
  unit.program.stale = add_scratch(unit, "stale", 0, all, all);
}

const Kept* kept(const ProgramContext& unit, std::size_t value) {
  const auto found = std::find_if(unit.watching.kept.begin(), unit.watching.kept.end(),
                                  [&](const Kept& k) { return k.value == value; });
  return found == unit.watching.kept.end() ? nullptr : &*found;
}

void lower_kept(ProgramContext& unit, const Kept& kept, ir::FunctionIndex work) {
  const model::Value& value = unit.model.values[kept.value];
  const bool wide = is_wide(unit, value.result);
  Env env_here;
  bind_locals(env_here, value.body);
  write_function(unit, unit.functions.value[kept.value], env_here, [&](const FunctionContext& code) {
    const Register zero = code.constant(0);
    std::vector<Register> arguments;
    for (const model::Parameter& p : value.parameters)
      arguments.push_back(parameter(code, value.body.locals[p.local.index].type));
    Register entry = code.make_int();
    code.assign_constant(entry, 0);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Bounds& key = kept.keys[i];
      const Int count = key.hi - key.lo + 1;
      Register place = arguments[i];
      if (value.body.locals[value.parameters[i].local.index].type.optional)
        place = code.integer(Op::select,
                             {code.integer(Op::eq, {place, code.constant(kNone)}, 1), code.constant(key.lo), place});
      place = code.integer(Op::place_in, {place, key.lo, count});
      code.assign(entry, i == 0 ? place
                                : code.integer(Op::add_small,
                                               {code.integer(Op::mul_small, {entry, code.constant(count)}), place}));
    }
    BlockIndex forget = code.add_block(), look = code.add_block(), there = code.add_block(), missing = code.add_block();
    const Register stale = code.integer(Op::load_raw, {code.program.stale, zero});
    code.branch(code.integer(Op::mask_and, {stale, code.constant(kept.bit)}), forget, look);
    code.go_to(forget);
    forget_kept(code, kept, stale);
    code.jump(missing);
    code.go_to(look);
    code.branch(code.integer(Op::load_raw, {kept.known, entry}, 1), there, missing);
    code.go_to(missing);
    const Register found = call(code, work, arguments);
    check_unwind(code, work);
    code.effect(wide ? Op::store_set : Op::store, {kept.results, entry, found});
    code.effect(Op::store, {kept.known, entry, code.constant(1)});
    leave_function(code, found);
    code.go_to(there);
    leave_function(
        code, wide ? code.set(Op::load_set, {kept.results, entry}) : code.integer(Op::load_raw, {kept.results, entry}));
  });
}

// Computes all entries of a table if it is stale.
void lower_kept_table(ProgramContext& unit, const Kept& kept) {
  const model::Value& value = unit.model.values[kept.value];
  Env env_here;
  bind_locals(env_here, value.body);
  write_function(unit, unit.functions.value[kept.value], env_here, [&](const FunctionContext& code) {
    const Register zero = code.constant(0), stale = code.integer(Op::load_raw, {code.program.stale, zero});
    const BlockIndex forget = code.add_block(), look = code.add_block(), there = code.add_block(),
                     missing = code.add_block();
    code.branch(code.integer(Op::mask_and, {stale, code.constant(kept.bit)}), forget, look);
    code.go_to(forget);
    forget_kept(code, kept, stale);
    code.jump(missing);
    code.go_to(look);
    code.branch(code.integer(Op::load_raw, {kept.known, zero}, 1), there, missing);
    code.go_to(missing);
    fuel(code);
    const Register table = value_settled(code, value, {});
    code.effect(is_wide(code.unit, *value.result.elem) ? Op::table_store_sets : Op::list_store,
                {table, kept.results, zero, as_list(code.unit, value.result).most});
    code.effect(Op::store, {kept.known, zero, code.constant(1)});
    leave_function(code, ir::kNoRegister);
    code.go_to(there);
    leave_function(code, ir::kNoRegister);
  });
}

static void forget_kept(const FunctionContext& code, const Kept& kept, Register stale) {
  for (const Kept& other : code.unit.watching.kept)   // all values that share the bit
    if (other.bit == kept.bit) code.effect(Op::clear, {other.known});
  code.effect(Op::store,
              {code.program.stale, code.constant(0), code.integer(Op::mask_without, {stale, code.constant(kept.bit)})});
}

// Returns one entry of a memoized table. If no other value shares the table's bit, the entry is valid whenever the bit
// is clear.
Register kept_entry(const FunctionContext& code, const Kept& kept, Register place) {
  const Register zero = code.constant(0);
  const BlockIndex recompute = code.add_block(), there = code.add_block();
  const bool shared = std::any_of(code.unit.watching.kept.begin(), code.unit.watching.kept.end(),
                                  [&](const Kept& other) { return &other != &kept && other.bit == kept.bit; });
  if (shared) {
    code.jump(recompute);
  } else {
    code.branch(
        code.integer(Op::mask_and, {code.integer(Op::load_raw, {code.program.stale, zero}), code.constant(kept.bit)}),
        recompute, there);
  }
  code.go_to(recompute);
  call(code, code.unit.functions.value[kept.value], {});
  check_unwind(code, code.unit.functions.value[kept.value]);
  code.jump(there);
  code.go_to(there);
  if (is_wide(code.unit, *code.model.values[kept.value].result.elem))
    return code.set(Op::load_set, {kept.results, place});
  const Register entry = code.make(register_type(code.unit, *code.model.values[kept.value].result.elem));
  code.put(Op::load_raw, entry, {kept.results, place});
  return entry;
}

}   // namespace cardwright::lower
