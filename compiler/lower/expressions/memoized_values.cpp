// Lowers memoized values. The State stores the result for each combination of arguments, outside the state that the
// rules describe. A write to something that the value reads marks the result as stale (watch.cpp); the next read
// computes it again.
#include "compiler/lower/expressions/memoized_values.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/analysis/memoized_values.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/limits.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void find_memoized(ProgramContext& unit) {
  constexpr Int kMostEntries = 4096;
  for (std::uint32_t v = 0; v < unit.model.values.size(); ++v) {
    const model::Value& value = unit.model.values[v];
    if (!value.kept || analysis::unwatched(unit.model, value)) continue;
    MemoizedValue memoized{
        v, Int{1} << std::min<Int>(kLastMemoizedBit, static_cast<Int>(unit.watching.memoized.size())), {}, 1};
    for (const model::Parameter& p : value.parameters) {
      const model::Type& type = value.body.locals[p.local.index].type;
      memoized.keys.push_back(bounds(unit, type));
      if (type.optional) --memoized.keys.back().lo;
      memoized.count *= std::min(memoized.keys.back().hi - memoized.keys.back().lo + 1, kMostEntries + 1);
      if (memoized.count > kMostEntries)
        return too_large(
            unit, value.range,
            fmt::format("`kept value {}` has more than {} combinations of arguments", value.name, kMostEntries));
    }
    const bool table = value.result.kind == model::TypeKind::map;
    const model::Type& entry = table ? *value.result.elem : value.result;
    const Int entries = table ? as_list(unit, value.result).most : memoized.count;
    // Modifiers can produce results outside the bounds of the type.
    const bool whole = entry.kind == model::TypeKind::integer && !table;
    const Bounds range = whole ? Bounds{-kUnlimited, kUnlimited} : bounds(unit, entry);
    memoized.results = is_wide(unit, entry)
                           ? add_scratch_sets(unit, "kept " + value.name, *entry.elem, entries)
                           : add_scratch(unit, "kept " + value.name, range.lo, range.hi, kNone, entries);
    memoized.known = add_scratch(unit, "known of " + value.name, 0, 1, 0, memoized.count);
    unit.memoized.insert(v);
    unit.watching.memoized.push_back(std::move(memoized));
  }
  if (unit.watching.memoized.empty()) return;
  const Int all = (Int{1} << (kLastMemoizedBit + 1)) - 1;
  unit.program.stale = add_scratch(unit, "stale", 0, all, all);
}

const MemoizedValue* memoized(const ProgramContext& unit, std::size_t value) {
  const auto found = std::find_if(unit.watching.memoized.begin(), unit.watching.memoized.end(),
                                  [&](const MemoizedValue& k) { return k.value == value; });
  return found == unit.watching.memoized.end() ? nullptr : &*found;
}

// Returns one entry of a memoized table. If no other value shares the table's bit, the entry is valid exactly if the
// bit is clear.
Register memoized_entry(const FunctionContext& code, const MemoizedValue& memoized, Register place) {
  const Register zero = code.constant(0);
  const BlockIndex recompute = code.add_block(), there = code.add_block();
  const bool shared =
      std::any_of(code.unit.watching.memoized.begin(), code.unit.watching.memoized.end(),
                  [&](const MemoizedValue& other) { return &other != &memoized && other.bit == memoized.bit; });
  if (shared) {
    code.jump(recompute);
  } else {
    code.branch(code.integer(Op::mask_and,
                             {code.integer(Op::load_raw, {code.program.stale, zero}), code.constant(memoized.bit)}),
                recompute, there);
  }
  code.go_to(recompute);
  call(code, code.unit.functions.value[memoized.value], {});
  check_unwind(code);
  code.jump(there);
  code.go_to(there);
  if (is_wide(code.unit, *code.model.values[memoized.value].result.elem))
    return code.set(Op::load_set, {memoized.results, place});
  const Register entry = code.make(register_type(code.unit, *code.model.values[memoized.value].result.elem));
  code.put(Op::load_raw, entry, {memoized.results, place});
  return entry;
}

}   // namespace cardwright::lower
