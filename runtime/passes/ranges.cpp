// Computes the range of each register, including whether it can be none, and replaces checked operations by unchecked
// ones if no operand can be none or unlimited. The analysis is interprocedural: arguments flow into parameters, and
// results back. It is flow-insensitive: a register's range is the join of all values assigned to it. Additions to a
// register outside of loops are added to this join. The input is folded. The output has fewer checked operations, and
// registers as narrow as their ranges.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/control_flow.h"
#include "runtime/passes/pass.h"
#include "runtime/passes/passes.h"
#include "runtime/passes/unroll.h"
#include "runtime/ops/game.h"
#include "runtime/ops/ray.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

using ir::Op;

constexpr Int kFarthest = std::numeric_limits<Int>::max();
// Ranges that still grow after this many rounds are widened.
constexpr int kRounds = 12;

// A set of values: the numbers from lo to hi, and also none if `none` is set. It is empty if lo > hi and `none` is not
// set.
struct ValueRange {
  Int lo = 1, hi = 0;
  bool none = false;

  static ValueRange of(Int lo, Int hi, bool none = false) { return {lo, hi, none}; }
  static ValueRange anything() { return {-kFarthest, kFarthest, true}; }
  static ValueRange number() { return {-kUnlimited, kUnlimited, false}; }   // result of checked arithmetic
  static ValueRange one(Int value) { return value == kNone ? ValueRange{1, 0, true} : ValueRange{value, value, false}; }

  bool is_empty() const { return lo > hi && !none; }
  bool has_numbers() const { return lo <= hi; }
  bool is_finite() const { return !none && has_numbers() && lo > -kUnlimited && hi < kUnlimited; }
  bool is_within(Int least, Int most) const { return !none && has_numbers() && lo >= least && hi <= most; }
  bool operator==(const ValueRange&) const = default;

  ValueRange or_none() const { return {lo, hi, true}; }
  ValueRange but_not_none() const { return {lo, hi, false}; }
  ValueRange join(const ValueRange& other) const {
    if (!has_numbers()) return {other.lo, other.hi, none || other.none};
    if (!other.has_numbers()) return {lo, hi, none || other.none};
    return {std::min(lo, other.lo), std::max(hi, other.hi), none || other.none};
  }
};

// Returns the least number of the form 2^k - 1 that is not less than value.
Int filled(Int value) { return value <= 0 ? 0 : static_cast<Int>(std::bit_ceil(static_cast<Word>(value) + 1) - 1); }

// Returns the number of bytes that a frame slot needs, in which none is the least value.
std::uint8_t bytes_for(const ValueRange& range) {
  if (!range.has_numbers()) return range.none ? 1 : 8;
  for (const std::uint8_t bytes : {1, 2, 4})
    if (const Int end = Int{1} << (8 * bytes - 1); range.lo > -end && range.hi < end) return bytes;
  return 8;
}

ValueRange hull(std::initializer_list<Int> values) { return ValueRange::of(std::min(values), std::max(values)); }

// Returns the range of the sums, differences or products of two finite ranges, computed in 128 bits because they can
// reach 2^80.
ValueRange computed(Op op, const ValueRange& a, const ValueRange& b) {
  using Wide = __int128;
  const auto at = [&](Int x, Int y) -> Int {
    const Wide wide = op == Op::mul || op == Op::mul_small   ? Wide{x} * y
                      : op == Op::sub || op == Op::sub_small ? Wide{x} - y
                                                             : Wide{x} + y;
    return static_cast<Int>(std::clamp<Wide>(wide, -Wide{kFarthest}, Wide{kFarthest}));
  };
  return hull({at(a.lo, b.lo), at(a.lo, b.hi), at(a.hi, b.lo), at(a.hi, b.hi)});
}

// Returns the range of quotients for divisors of at least 1, with rounding in either direction.
ValueRange quotient(const ValueRange& a, const ValueRange& by) {
  const auto least = [&](Int n) { return n >= 0 ? n / by.hi : n / by.lo - 1; };
  const auto most = [&](Int n) { return n >= 0 ? n / by.lo : n / by.hi; };
  return ValueRange::of(least(a.lo), most(a.hi));
}

// ---- transfer functions of the operations

bool is_natural(const ValueRange& range) { return range.is_within(0, kFarthest); }

// add, sub and mul are checked, so the result is a valid number.
ValueRange arithmetic(Op op, const ValueRange& one, const ValueRange& other) {
  if (one.is_empty() || other.is_empty()) return {};
  const ValueRange a = one.but_not_none(), b = other.but_not_none();
  // The sum is at least the sum of the lower bounds, even if an operand is unlimited.
  const bool up = op == Op::add && a.lo > -kUnlimited && b.lo > -kUnlimited;
  if (!a.is_finite() || !b.is_finite())
    return up ? ValueRange::of(std::clamp(a.lo + b.lo, -kUnlimited, kUnlimited), kUnlimited) : ValueRange::number();
  const ValueRange all = computed(op, a, b);
  return ValueRange::of(std::clamp(all.lo, -kUnlimited, kUnlimited), std::clamp(all.hi, -kUnlimited, kUnlimited));
}

// add_small, sub_small and mul_small wrap on overflow.
ValueRange small_arithmetic(Op op, const ValueRange& a, const ValueRange& b) {
  if (a.is_empty() || b.is_empty()) return {};
  return a.is_finite() && b.is_finite() ? computed(op, a, b) : ValueRange::anything();
}

// Returns the range of div and div_small.
ValueRange division(Op op, const ValueRange& a, const ValueRange& b) {
  if (a.is_within(0, kUnlimited) && b.but_not_none().is_within(0, kUnlimited)) return ValueRange::of(0, a.hi);
  if (op == Op::div && a.is_finite() && b.is_within(1, kUnlimited - 1)) return quotient(a, b);
  return op == Op::div ? ValueRange::number() : ValueRange::anything();
}

// Returns the range of mod and mod_small.
ValueRange remainder(Op op, const ValueRange& a, const ValueRange& b) {
  if (a.is_within(0, kUnlimited) && b.is_within(1, kUnlimited)) return ValueRange::of(0, std::min(a.hi, b.hi - 1));
  return op == Op::mod ? ValueRange::number() : ValueRange::anything();
}

// `none` is less than every number.
ValueRange minimum(const ValueRange& a, const ValueRange& b) {
  if (a.is_empty() || b.is_empty()) return {};
  if (!a.has_numbers() || !b.has_numbers()) return a.join(b);
  return ValueRange::of(std::min(a.lo, b.lo), std::min(a.hi, b.hi), a.none || b.none);
}
ValueRange maximum(const ValueRange& a, const ValueRange& b) {
  if (a.is_empty() || b.is_empty()) return {};
  if (!a.has_numbers() || !b.has_numbers()) return a.join(b);
  const Int lo = a.none ? (b.none ? std::min(a.lo, b.lo) : b.lo) : b.none ? a.lo : std::max(a.lo, b.lo);
  return ValueRange::of(lo, std::max(a.hi, b.hi), a.none && b.none);
}

// Returns the values that pass a range check; none always passes.
ValueRange limited(const ValueRange& range, Int least, Int most) {
  if (!range.has_numbers()) return range;
  const Int lo = std::max(range.lo, least), hi = std::min(range.hi, most);
  return lo <= hi ? ValueRange{lo, hi, range.none} : ValueRange{1, 0, range.none};
}

// Return the ranges of a bitwise `and` and of a bitwise `or` of bools or masks.
ValueRange conjunction(const ValueRange& a, const ValueRange& b) {
  if (is_natural(a) && is_natural(b)) return ValueRange::of(0, std::min(a.hi, b.hi));
  if (is_natural(a)) return ValueRange::of(0, a.hi);
  if (is_natural(b)) return ValueRange::of(0, b.hi);
  return ValueRange::anything();
}
ValueRange disjunction(const ValueRange& a, const ValueRange& b) {
  if (is_natural(a) && is_natural(b)) return ValueRange::of(0, filled(std::max(a.hi, b.hi)));
  return ValueRange::anything();
}
ValueRange part_of(const ValueRange& mask) {
  return is_natural(mask) ? ValueRange::of(0, mask.hi) : ValueRange::anything();
}
ValueRange mask_of(const ValueRange& element) {
  return element.is_within(0, 62) ? ValueRange::of(1, Int{1} << element.hi) : ValueRange::anything();
}
// Returns 1 + the highest possible element of a mask.
Int width_of(const ValueRange& mask) { return is_natural(mask) ? std::bit_width(static_cast<Word>(mask.hi)) : 64; }
// Returns the range of an element selected from a mask; it can be none.
ValueRange bit_of(const ValueRange& mask) { return ValueRange::of(0, std::max<Int>(width_of(mask) - 1, 0), true); }
// Returns the range of masks with elements below `count`.
ValueRange masks_of(Int count) {
  return count < 63 ? ValueRange::of(0, (Int{1} << count) - 1) : ValueRange::anything();
}

// ---- the ranges of all registers

class Analysis {
 public:
  Analysis(const ir::Module& module, const Layout& layout, const std::vector<VariableSlot>& variables,
           const std::vector<ZoneSlot>& zones, std::span<const ir::FunctionIndex> roots)
      : module_(module), layout_(layout), variables_(variables), zones_(zones), returned_(module.functions.size()) {
    for (const ir::Function& function : module.functions) {
      ranges_.emplace_back(function.registers.size());
      assigned_.emplace_back(function.registers.size());
      rays_.emplace_back();
      in_loop_.push_back(function.blocks.empty() ? std::vector<char>{} : blocks_in_loops(function));
      find_sure(function);
      find_bounded(function);
      find_rays(function);
    }
    for (const ir::FunctionIndex root : roots)
      for (const ir::Register r : module.functions[root].parameters) assign(root, r, ValueRange::anything());
    for (changed_ = true; changed_; ++round_) {
      changed_ = false;
      for (std::size_t f = 0; f < module.functions.size(); ++f) look(f);
    }
  }

  const ValueRange& of(std::size_t function, std::int64_t r) const {
    return ranges_[function][static_cast<std::size_t>(r)];
  }

 private:
  void look(std::size_t f) {
    const ir::Function& function = module_.functions[f];
    // Additions to registers outside of loops. A path through the function executes each of them at most once.
    std::vector<std::pair<ir::Register, ValueRange>> added;
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for (const ir::Instruction& instruction : function.blocks[b].code) {
        if (is_call(instruction.op)) pass_arguments(f, instruction);
        if (instruction.op == Op::ret_int) grow(returned_[f], of(f, view::ret(instruction).value()));
        const ir::Register r = instruction.result;
        if (r == ir::kNoRegister || shape_of(instruction.op).result() != 'i') continue;
        const bool adds =
            (instruction.op == Op::add || instruction.op == Op::add_small) && view::pair(instruction).left() == r;
        if (adds && !in_loop_[f][b] && view::pair(instruction).right() != r)
          added.emplace_back(r, of(f, view::pair(instruction).right()));
        else
          assign(f, r, result(f, instruction));
      }
    std::vector<ValueRange> whole = assigned_[f];
    for (const auto& [r, by] : added) {
      ValueRange& sum = whole[r];
      if (sum.is_empty() || by.is_empty()) continue;
      sum = sum.is_finite() && by.is_finite()
                ? computed(Op::add, sum, ValueRange::of(std::min<Int>(0, by.lo), std::max<Int>(0, by.hi)))
                : ValueRange::anything();
    }
    for (const auto& [r, by] : added) grow(ranges_[f][r], whole[r]);
  }
  void assign(std::size_t f, ir::Register r, const ValueRange& range) {
    grow(assigned_[f][r], range);
    grow(ranges_[f][r], range);
  }
  void pass_arguments(std::size_t f, const ir::Instruction& call) {
    const std::size_t callee = view::call(call).callee();
    const auto& parameters = module_.functions[callee].parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const ir::Register r = parameters[i];
      if (module_.functions[callee].registers[r].kind != ir::RegisterKind::integer) continue;
      assign(callee, r, of(f, view::call(call).argument(i)));
    }
  }
  void grow(ValueRange& range, const ValueRange& by) {
    ValueRange wider = range.join(by);
    if (wider == range) return;
    if (round_ >= kRounds && range.has_numbers()) {   // widen in the direction of growth
      if (wider.lo < range.lo) wider.lo = -kFarthest;
      if (wider.hi > range.hi) wider.hi = kFarthest;
    } else if (round_ >= kRounds) {
      wider = ValueRange::anything();
    }
    range = wider;
    changed_ = true;
  }

  // Finds instructions that select an element of a set or mask just after a branch has tested that it is not empty.
  void find_sure(const ir::Function& function) {
    const std::vector<std::size_t> predecessors =
        function.blocks.empty() ? std::vector<std::size_t>{} : predecessor_counts(function);
    for (const ir::Block& block : function.blocks) {
      const ir::Instruction& last = block.code.back();
      if (!is_only_edge_to_true(last, predecessors)) continue;
      const view::branch branch(last);
      const std::int64_t some = found_some(block, branch.condition());
      if (some < 0) continue;
      for (const ir::Instruction& in : function.blocks[branch.then()].code) {
        if (picks(in.op) && view::of_elements(in).elements() == some) sure_.insert(&in);
        if (set_by(in) == static_cast<ir::Register>(some)) break;
      }
    }
  }
  // Returns true if the branch is the only predecessor of its true target.
  static bool is_only_edge_to_true(const ir::Instruction& last, const std::vector<std::size_t>& predecessors) {
    return last.op == Op::branch && !view::branch(last).is_jump() && predecessors[view::branch(last).then()] == 1;
  }
  static bool picks(Op op) {
    return op == Op::mask_first || op == Op::mask_last || op == Op::mask_next || op == Op::mask_previous ||
           op == Op::set_first || op == Op::set_last;
  }
  // Finds copies of a register just after a branch has tested it against an upper bound. Such a register is usually a
  // loop variable that is incremented next.
  void find_bounded(const ir::Function& function) {
    const std::vector<std::size_t> predecessors =
        function.blocks.empty() ? std::vector<std::size_t>{} : predecessor_counts(function);
    for (const ir::Block& block : function.blocks) {
      const ir::Instruction& last = block.code.back();
      if (!is_only_edge_to_true(last, predecessors) || block.code.size() < 2) continue;
      const view::branch branch(last);
      const ir::Instruction& asked = block.code[block.code.size() - 2];
      const bool is_le = asked.op == Op::le || asked.op == Op::le_small,
                 is_lt = asked.op == Op::lt || asked.op == Op::lt_small;
      if (asked.result != branch.condition() || (!is_le && !is_lt)) continue;
      const view::pair compared(asked);
      for (const ir::Instruction& in : function.blocks[branch.then()].code) {
        if (in.op == Op::copy_int && view::copy(in).from() == compared.left())
          bounded_[&in] = {compared.right(), is_lt};
        if (set_by(in) == compared.left()) break;
      }
    }
  }
  void find_rays(const ir::Function& function) {
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& in : block.code)
        if (in.op == Op::ray_begin) rays_.back()[view::ray_begin(in).ray()].push_back(&in);
  }
  // Returns the range of a value written by ops/ray.h, derived from the ends of the line.
  ValueRange of_ray(std::size_t f, const ir::Instruction& get) const {
    constexpr Int kFarAway = Int{1} << 30;   // ray_begin traps for coordinates beyond it
    const auto begun = rays_[f].find(view::ray_get(get).ray());
    if (begun == rays_[f].end()) return ValueRange::anything();
    // Upper bounds of the coordinates of the line's ends, of the longer side of the board, and of its number of cells.
    Int away = 0, along = 0, cells = 0;
    for (const ir::Instruction* instruction : begun->second) {
      const view::ray_begin begin(instruction);
      for (std::size_t i = 0; i < 4; ++i) {
        const ValueRange& at = of(f, begin.end(i));
        if (at.has_numbers()) away = std::max({away, std::min(kFarAway, at.hi), std::min(kFarAway, -at.lo)});
      }
      along = std::max({along, begin.columns(), begin.rows()});
      cells = std::max(cells, begin.columns() * begin.rows());
    }
    const Int step = away + 1'000 * (along + 1);
    switch (view::ray_get(get).place()) {
      case kRayLeft: return ValueRange::of(0, 2 * along);
      case kRayOutOf:
      case kRayInto: return ValueRange::of(0, cells - 1);
      case kRayOver: return ValueRange::of(0, 2 * cells, true);
      case kRayNum: return ValueRange::of(-step, step);
      case kRayDen: return ValueRange::of(0, 2 * away);
      default: return ValueRange::anything();
    }
  }
  // Returns the set that the condition at the end of the block tests for emptiness, or -1.
  static std::int64_t found_some(const ir::Block& block, std::int64_t condition) {
    std::int64_t some = -1, zero = -1;
    for (const ir::Instruction& in : block.code) {
      const auto set = static_cast<std::int64_t>(set_by(in));
      if (set == some || set == condition) some = -1;
      if (in.op == Op::const_int)
        zero = view::const_int(in).value() == 0 ? set : set == zero ? -1 : zero;
      else if (set == zero)
        zero = -1;
      if (set != condition) continue;
      if (in.op == Op::set_any)
        some = view::of_elements(in).elements();
      else if (in.op == Op::ne && zero >= 0 && view::pair(in).right() == zero)
        some = view::pair(in).left();
    }
    return some;
  }

  static ValueRange of_variable(const VariableSlot& slot, bool raw) {
    return ValueRange::of(slot.lo, slot.hi, slot.optional || slot.initial == kNone || (raw && slot.bias > 0));
  }
  ValueRange seat() const { return ValueRange::of(0, layout_.players - 1, true); }
  ValueRange card() const { return ValueRange::of(0, std::max<Int>(layout_.card_ids, 1) - 1, true); }
  ValueRange element_of(std::size_t f, std::int64_t set) const {   // returns the range of a card or a cell
    return module_.functions[f].registers[static_cast<std::size_t>(set)].holds_card
               ? card()
               : ValueRange::of(0, 64 * layout_.words - 1, true);
  }

  ValueRange result(std::size_t f, const ir::Instruction& i) const {
    const ValueRange range = result_of(f, i);
    return sure_.count(&i) != 0 ? range.but_not_none() : range;
  }
  ValueRange result_of(std::size_t f, const ir::Instruction& i) const {
    const auto arg = [&](std::size_t k) -> const ValueRange& { return of(f, i.operands[k]); };
    switch (i.op) {
      case Op::const_int: return ValueRange::one(view::const_int(i).value());
      case Op::copy_int: return of_copy(f, i);
      case Op::select: return arg(1).join(arg(2));
      case Op::call: return returned_[view::call(i).callee()];

      case Op::add:
      case Op::sub:
      case Op::mul: return arithmetic(i.op, arg(0), arg(1));
      case Op::add_small:
      case Op::sub_small:
      case Op::mul_small: return small_arithmetic(i.op, arg(0), arg(1));
      case Op::div:
      case Op::div_small: return division(i.op, arg(0), arg(1));
      case Op::mod:
      case Op::mod_small: return remainder(i.op, arg(0), arg(1));
      case Op::neg:
      case Op::abs:
      case Op::power: return ValueRange::number();
      case Op::min: return minimum(arg(0), arg(1));
      case Op::max: return maximum(arg(0), arg(1));
      case Op::eq:
      case Op::ne:
      case Op::lt:
      case Op::le:
      case Op::lt_small:
      case Op::le_small:
      case Op::not_:
      case Op::mask_has:
      case Op::set_has:
      case Op::set_any:
      case Op::set_equal:
      case Op::set_within:
      case Op::set_disjoint:
      case Op::knows_card:
      case Op::knows_cards:
      case Op::knows_top:
      case Op::knows_value: return ValueRange::of(0, 1);
      case Op::listing: return ValueRange::of(0, kListNames);
      case Op::table:
      case Op::table_small:
      case Op::table_known: return of_table(i, arg(1));
      case Op::in_range: return limited(arg(0), view::in_range(i).least(), view::in_range(i).most());
      case Op::mask_in_range:
        return view::in_range(i).most() < 62 ? ValueRange::of(0, std::min((Int{2} << view::in_range(i).most()) - 1,
                                                                          is_natural(arg(0)) ? arg(0).hi : kFarthest))
                                             : arg(0);
      case Op::place_in: return ValueRange::of(0, view::place_in(i).count() - 1);
      case Op::ray_get: return of_ray(f, i);

      case Op::and_:
      case Op::mask_and: return conjunction(arg(0), arg(1));
      case Op::or_:
      case Op::mask_or: return disjunction(arg(0), arg(1));
      case Op::mask_without:
      case Op::mask_beyond: return part_of(arg(0));
      case Op::mask_of: return mask_of(arg(0));
      case Op::mask_count: return ValueRange::of(0, width_of(arg(0)));
      case Op::mask_first:
      case Op::mask_last:
      case Op::mask_nth:
      case Op::mask_next:
      case Op::mask_previous:
      case Op::mask_random: return bit_of(arg(0));
      case Op::set_count:
      case Op::zone_size: return ValueRange::of(0, 64 * layout_.words);
      case Op::set_first:
      case Op::set_last:
      case Op::set_nth:
      case Op::set_next:
      case Op::set_random: return element_of(f, view::of_elements(i).elements());

      case Op::load:
      case Op::load_known: return of_variable(variable(i), false);
      case Op::load_raw: {
        const bool is_there = of(f, view::entry(i).index()).is_within(0, variable(i).count - 1);
        return of_variable(variable(i), true).join(is_there ? ValueRange{} : ValueRange::one(kNone));
      }
      case Op::holders: return masks_of(variable(i).count);
      case Op::zone_top:
      case Op::zone_bottom:
      case Op::zone_unchanged_top:
      case Op::draw_card: return card();
      case Op::zone_index:
      case Op::zone_known: return instances_of(zones_[view::zone_index(i).zone()]);
      case Op::tops_among:
      case Op::tops_unknown: return of_tops(zones_[view::tops(i).zone()]);
      case Op::players_in: return ValueRange::of(0, (Int{1} << layout_.players) - 1);
      case Op::owners_without: return ValueRange::of(0, (Int{1} << std::max<Int>(1, layout_.players)) - 1);
      case Op::steps: return ValueRange::of(0, layout_.players);
      case Op::next_in:
      case Op::previous_in: return seat();
      case Op::lanes_at_most: return ValueRange::of(0, 0xff);
      case Op::roll: return arg(0).join(arg(1)).but_not_none();
      case Op::latency_uniform:
      case Op::latency_spread:
      case Op::latency_normal:
      case Op::at_speed: return ValueRange::of(0, kFarthest);
      default: return ValueRange::anything();
    }
  }
  ValueRange of_copy(std::size_t f, const ir::Instruction& copy) const {
    const ValueRange& from = of(f, view::copy(copy).from());
    const auto bound = bounded_.find(&copy);
    if (bound == bounded_.end() || !from.has_numbers()) return from;
    const ValueRange& most = of(f, bound->second.first);
    if (most.is_empty()) return {};
    if (most.none) return from;
    const Int hi = std::min(from.hi, most.hi - Int{bound->second.second});
    return hi < from.lo ? ValueRange{} : ValueRange::of(from.lo, hi, from.none);
  }
  ValueRange of_table(const ir::Instruction& look_up, const ValueRange& index) const {
    const auto& table = module_.tables[view::look_up(look_up).table()];
    ValueRange all;
    for (const std::int64_t entry : table) all = all.join(ValueRange::one(entry));
    const bool inside = index.is_within(0, static_cast<Int>(table.size()) - 1);
    return (look_up.op == Op::table ? index.none : !inside) ? all.or_none() : all;
  }
  static ValueRange instances_of(const ZoneSlot& zone) {
    return ValueRange::of(zone.first, zone.first + zone.owners * zone.copies - 1);
  }
  static ValueRange of_tops(const ZoneSlot& zone) {
    return ValueRange::of(0, (Int{1} << zone.owners * zone.copies) - 1);
  }
  const VariableSlot& variable(const ir::Instruction& i) const { return variables_[view::of_variable(i).variable()]; }

  const ir::Module& module_;
  const Layout& layout_;
  const std::vector<VariableSlot>& variables_;
  const std::vector<ZoneSlot>& zones_;
  std::vector<std::vector<ValueRange>> ranges_, assigned_;   // assigned_: without additions outside of loops
  std::vector<std::vector<char>> in_loop_;   // by block
  std::vector<ValueRange> returned_;   // by function
  std::unordered_set<const ir::Instruction*> sure_;   // instructions found by find_sure()
  // By instruction: the register that is an upper bound, and true if it is strictly greater.
  std::unordered_map<const ir::Instruction*, std::pair<std::int64_t, bool>> bounded_;
  // By function and array: the instructions that begin a ray.
  std::vector<std::map<std::int64_t, std::vector<const ir::Instruction*>>> rays_;
  int round_ = 0;
  bool changed_ = false;
};

// Rewrites a checked operation to its unchecked form, or to its only possible result.
class Rewriting {
 public:
  Rewriting(const Analysis& analysis, const ir::Module& module, const std::vector<VariableSlot>& variables,
            const std::vector<ZoneSlot>& zones)
      : analysis_(analysis), module_(module), variables_(variables), zones_(zones) {}

  void rewrite(std::size_t f, ir::Instruction& i) const {
    const auto arg = [&](std::size_t k) -> const ValueRange& { return analysis_.of(f, i.operands[k]); };
    switch (i.op) {
      case Op::add:
      case Op::sub:
      case Op::mul:
        if (arg(0).is_finite() && arg(1).is_finite() && computed(i.op, arg(0), arg(1)).is_finite())
          i.op = i.op == Op::add ? Op::add_small : i.op == Op::sub ? Op::sub_small : Op::mul_small;
        break;
      case Op::div:
      case Op::mod:
        if (arg(0).is_within(0, kUnlimited - 1) && arg(1).is_within(1, kUnlimited - 1))
          i.op = i.op == Op::div ? Op::div_small : Op::mod_small;
        break;
      case Op::lt:
      case Op::le:
        if (!arg(0).none && !arg(1).none) i.op = i.op == Op::lt ? Op::lt_small : Op::le_small;
        break;
      case Op::eq:
      case Op::ne:
        if (are_apart(arg(0), arg(1))) i = {Op::const_int, i.result, {i.op == Op::ne}, i.where};
        break;
      case Op::table:
        if (arg(1).but_not_none().is_within(0, static_cast<Int>(module_.tables[view::look_up(i).table()].size()) - 1))
          i.op = arg(1).none ? Op::table_small : Op::table_known;
        break;
      case Op::zone_index: {
        const ZoneSlot& zone = zones_[view::zone_index(i).zone()];
        if (arg(1).is_within(0, zone.owners - 1) && arg(2).is_within(0, zone.copies - 1)) i.op = Op::zone_known;
        break;
      }
      case Op::place_in: {
        const view::place_in place(i);
        if (place.first() == 0 && arg(0).is_within(0, place.count() - 1))
          i = {Op::copy_int, i.result, {place.number()}, i.where};
        break;
      }
      case Op::in_range:
      case Op::mask_in_range: {
        const view::in_range check(i);
        if (fits(i.op, arg(0), check.least(), check.most())) i = {Op::copy_int, i.result, {check.number()}, i.where};
        break;
      }
      case Op::load: {
        const VariableSlot& slot = variable(i);
        if (arg(1).is_within(0, slot.count - 1) && (slot.bias == 0 || slot.initial != kUnset)) i.op = Op::load_known;
        break;
      }
      case Op::store: {
        const VariableSlot& slot = variable(i);
        const ValueRange& value = arg(2);
        const bool fits =
            (!value.has_numbers() || (value.lo >= slot.lo && value.hi <= slot.hi)) && (!value.none || slot.optional);
        if (arg(1).is_within(0, slot.count - 1) && !value.is_empty() && fits) i.op = Op::store_known;
        break;
      }
      default: break;
    }
  }

 private:
  const VariableSlot& variable(const ir::Instruction& i) const { return variables_[view::of_variable(i).variable()]; }
  // Returns true if a range check of a number, or of a mask's elements, always succeeds.
  static bool fits(Op op, const ValueRange& range, Int least, Int most) {
    if (op == Op::in_range) return !range.has_numbers() || (range.lo >= least && range.hi <= most);
    return least <= 0 && most < 62 && range.is_within(0, (Int{2} << most) - 1);
  }
  static bool are_apart(const ValueRange& a, const ValueRange& b) {
    if (a.is_empty() || b.is_empty() || (a.none && b.none)) return false;
    return !a.has_numbers() || !b.has_numbers() || a.hi < b.lo || b.hi < a.lo;
  }
  const Analysis& analysis_;
  const ir::Module& module_;
  const std::vector<VariableSlot>& variables_;
  const std::vector<ZoneSlot>& zones_;
};

}   // namespace

void eliminate_checks(ir::Module& module, const PassContext& context) {
  const Analysis analysis(module, context.layout(), context.variables(), context.zones(), context.roots);
  const Rewriting rewriting(analysis, module, context.variables(), context.zones());
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    for (ir::Block& block : module.functions[f].blocks)
      for (ir::Instruction& instruction : block.code) rewriting.rewrite(f, instruction);
    auto& registers = module.functions[f].registers;
    for (std::size_t r = 0; r < registers.size(); ++r)
      if (registers[r].kind == ir::RegisterKind::integer)
        registers[r].bytes = std::min(registers[r].bytes, bytes_for(analysis.of(f, static_cast<Int>(r))));
    unroll_loops(module.functions[f], [&](ir::Register r) {
      const ValueRange& range = analysis.of(f, r);
      return range.is_within(0, kFarthest) ? range.hi : Int{-1};
    });
  }
}

}   // namespace cardwright::passes
