// Values that are kept: stored in the State for each combination of arguments, beside the rules state. A write of
// something that one reads marks it as stale (watch.cpp); who asks for it next has it worked out again.
#include "compiler/analysis/kept.h"
#include "compiler/lower/lowering.h"

namespace cardwright::lower {

void Lowering::find_kept() {
  constexpr Int kMostEntries = 4096;
  for (std::uint32_t v = 0; v < model_.values.size(); ++v) {
    const model::Value& value = model_.values[v];
    if (!value.kept || analysis::unwatched(model_, value)) continue;
    Kept kept{v, Int{1} << std::min<Int>(kLastKept, static_cast<Int>(kept_.size())), {}, 1};
    for (const model::Parameter& p : value.parameters) {
      const model::Type& type = value.body.locals[p.local.index].type;
      kept.keys.push_back(bounds(type));
      if (type.optional) --kept.keys.back().lo;
      kept.count *= std::min(kept.keys.back().hi - kept.keys.back().lo + 1, kMostEntries + 1);
      if (kept.count > kMostEntries)
        return too_large(value.range, fmt::format("`{}` is kept for more than {} combinations of arguments", value.name,
                                                  kMostEntries));
    }
    const bool table = value.result.kind == model::TypeKind::map;
    const model::Type& entry = table ? *value.result.elem : value.result;
    const Int entries = table ? as_list(value.result).most : kept.count;
    const bool whole = entry.kind == model::TypeKind::integer && !table;   // modifiers know no bounds
    const Bounds range = whole ? Bounds{-kUnlimited, kUnlimited} : bounds(entry);
    kept.results = is_wide(entry) ? add_scratch_sets("kept " + value.name, *entry.elem, entries)
                                  : add_scratch("kept " + value.name, range.lo, range.hi, kNone, entries);
    kept.known = add_scratch("known of " + value.name, 0, 1, 0, kept.count);
    kept_.push_back(std::move(kept));
  }
  if (kept_.empty()) return;
  const Int all = (Int{1} << (kLastKept + 1)) - 1;
  program_.stale = add_scratch("stale", 0, all, all);
}

const Lowering::Kept* Lowering::kept(std::size_t value) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.value == value; });
  return found == kept_.end() ? nullptr : &*found;
}

void Lowering::lower_kept(const Kept& kept, ir::FunctionIndex work) {
  const model::Value& value = model_.values[kept.value];
  const bool wide = is_wide(value.result);
  Env env_here;
  bind_locals(env_here, value.body);
  write_function(value_function_[kept.value], env_here, [&] {
    const Register zero = b().constant(0);
    std::vector<Register> arguments;
    for (const model::Parameter& p : value.parameters)
      arguments.push_back(parameter(value.body.locals[p.local.index].type));
    Register entry = b().make_int();
    b().assign_constant(entry, 0);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Bounds& key = kept.keys[i];
      const Int count = key.hi - key.lo + 1;
      Register place = arguments[i];
      if (value.body.locals[value.parameters[i].local.index].type.optional)
        place = b().integer(Op::select,
                            {b().integer(Op::eq, {place, b().constant(kNone)}, 1), b().constant(key.lo), place});
      place = b().integer(Op::place_in, {place, key.lo, count});
      b().assign(entry, i == 0 ? place
                               : b().integer(Op::add_small,
                                             {b().integer(Op::mul_small, {entry, b().constant(count)}), place}));
    }
    BlockIndex forget = b().add_block(), look = b().add_block(), there = b().add_block(), missing = b().add_block();
    const Register stale = b().integer(Op::load_raw, {program_.stale, zero});
    b().branch(b().integer(Op::mask_and, {stale, b().constant(kept.bit)}), forget, look);
    b().go_to(forget);
    forget_kept(kept, stale);
    b().jump(missing);
    b().go_to(look);
    b().branch(b().integer(Op::load_raw, {kept.known, entry}, 1), there, missing);
    b().go_to(missing);
    const Register found = call(work, arguments);
    check_unwind(work);
    b().effect(wide ? Op::store_set : Op::store, {kept.results, entry, found});
    b().effect(Op::store, {kept.known, entry, b().constant(1)});
    leave_function(found);
    b().go_to(there);
    leave_function(wide ? b().set(Op::load_set, {kept.results, entry})
                        : b().integer(Op::load_raw, {kept.results, entry}));
  });
}

// Works out all of a table if it is stale.
void Lowering::lower_kept_table(const Kept& kept) {
  const model::Value& value = model_.values[kept.value];
  Env env_here;
  bind_locals(env_here, value.body);
  write_function(value_function_[kept.value], env_here, [&] {
    const Register zero = b().constant(0), stale = b().integer(Op::load_raw, {program_.stale, zero});
    const BlockIndex forget = b().add_block(), look = b().add_block(), there = b().add_block(),
                     missing = b().add_block();
    b().branch(b().integer(Op::mask_and, {stale, b().constant(kept.bit)}), forget, look);
    b().go_to(forget);
    forget_kept(kept, stale);
    b().jump(missing);
    b().go_to(look);
    b().branch(b().integer(Op::load_raw, {kept.known, zero}, 1), there, missing);
    b().go_to(missing);
    fuel();
    const Register table = value_settled(value, {});
    b().effect(is_wide(*value.result.elem) ? Op::table_store_sets : Op::list_store,
               {table, kept.results, zero, as_list(value.result).most});
    b().effect(Op::store, {kept.known, zero, b().constant(1)});
    leave_function(ir::kNoRegister);
    b().go_to(there);
    leave_function(ir::kNoRegister);
  });
}

void Lowering::forget_kept(const Kept& kept, Register stale) {
  for (const Kept& other : kept_)                          // those that share the bit
    if (other.bit == kept.bit) b().effect(Op::clear, {other.known});
  b().effect(Op::store,
             {program_.stale, b().constant(0), b().integer(Op::mask_without, {stale, b().constant(kept.bit)})});
}

// One entry of a kept table. Where no other value shares its bit, it is known if it isn't stale.
Register Lowering::kept_entry(const Kept& kept, Register place) {
  const Register zero = b().constant(0);
  const BlockIndex anew = b().add_block(), there = b().add_block();
  const bool shared = std::any_of(kept_.begin(), kept_.end(),
                                  [&](const Kept& other) { return &other != &kept && other.bit == kept.bit; });
  if (shared) {
    b().jump(anew);
  } else {
    b().branch(b().integer(Op::mask_and, {b().integer(Op::load_raw, {program_.stale, zero}), b().constant(kept.bit)}),
               anew, there);
  }
  b().go_to(anew);
  call(value_function_[kept.value], {});
  check_unwind(value_function_[kept.value]);
  b().jump(there);
  b().go_to(there);
  if (is_wide(*model_.values[kept.value].result.elem)) return b().set(Op::load_set, {kept.results, place});
  const Register entry = b().make(register_type(*model_.values[kept.value].result.elem));
  b().put(Op::load_raw, entry, {kept.results, place});
  return entry;
}

}  // namespace cardwright::lower
