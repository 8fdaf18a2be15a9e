#include "compiler/lower/sets/sets.h"

#include <algorithm>
#include <bit>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

using model::TypeKind;

// Returns the register type of an element of a set or mask.
RegisterType element_type(const FunctionContext& code, Register set) {
  if (code.type(set).kind != ir::RegisterKind::set) return int_type(1);
  return code.type(set).holds_card ? register_type(code.unit, simple(TypeKind::card)) : int_type(2);
}

void make_empty(const FunctionContext& code, Register set) {
  if (takes_words(code, set))
    code.put(Op::set_empty, set, {});
  else
    code.assign_constant(set, 0);
}

void put_in(const FunctionContext& code, Register set, Register element) {
  if (takes_words(code, set))
    code.put(Op::set_add, set, {set, element});
  else
    code.put(Op::mask_or, set, {set, code.integer(Op::mask_of, {element})});
}

void unite(const FunctionContext& code, Register set, Register others) {
  code.put(takes_words(code, set) ? Op::set_or : Op::mask_or, set, {set, others});
}

Register count_of(const FunctionContext& code, Register set) {
  return code.integer(takes_words(code, set) ? Op::set_count : Op::mask_count, {set});
}

Register has_any(const FunctionContext& code, Register set) {
  return takes_words(code, set) ? code.integer(Op::set_any, {set}, 1)
                                : code.integer(Op::ne, {set, code.constant(0)}, 1);
}

Register take_first(const FunctionContext& code, Register rest) {
  const Register element = code.make(element_type(code, rest));
  code.put(takes_words(code, rest) ? Op::set_first : Op::mask_first, element, {rest});
  if (takes_words(code, rest))
    code.put(Op::set_rest, rest, {rest});
  else
    code.put(Op::mask_without, rest, {rest, code.integer(Op::mask_of, {element})});
  return element;
}

void for_each(const FunctionContext& code, Register domain, const std::function<void(Register)>& body) {
  if (const auto mask = code.known_here(domain); mask && std::has_single_bit(static_cast<std::uint64_t>(*mask)))
    return body(code.constant(std::countr_zero(static_cast<std::uint64_t>(*mask))));
  Register rest = code.make(code.type(domain));
  code.assign(rest, domain);
  BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(has_any(code, rest), inside, done);
  code.go_to(inside);
  body(take_first(code, rest));
  code.jump(head);
  code.go_to(done);
}

// Iterates over the players of `mask`, starting with `start`. `body` may jump to `next` to continue.
void clockwise(const FunctionContext& code, Register mask, Register start, bool backwards,
               const std::function<void(Register, BlockIndex)>& body) {
  Register rest = code.make_int(4);
  code.assign(rest, mask);
  Register from = code.make(int_type(1));
  code.put(Op::select, from, {code.integer(Op::eq, {start, code.constant(kNone)}, 1), code.constant(0), start});
  BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(code.integer(Op::ne, {rest, code.constant(0)}, 1), inside, done);
  code.go_to(inside);
  Register player = code.make(int_type(1));
  code.put(backwards ? Op::mask_previous : Op::mask_next, player, {rest, from});
  code.put(Op::mask_without, rest, {rest, code.integer(Op::mask_of, {player}, 4)});
  body(player, head);
  code.jump(head);
  code.go_to(done);
}

// Returns the set of all numbers from `lo` to `hi`.
Register number_mask(const FunctionContext& code, Register lo, Register hi) {
  Register found = code.make_int();
  code.assign_constant(found, 0);
  BlockIndex some = code.add_block(), fits = code.add_block(), wrong = code.add_block(), done = code.add_block();
  code.branch(code.integer(Op::le, {lo, hi}, 1), some, done);
  code.go_to(some);
  code.branch(code.integer(Op::and_,
                           {code.integer(Op::le, {code.constant(0), lo}, 1),
                            code.integer(Op::le, {hi, code.constant(model::kMostInSet)}, 1)},
                           1),
              fits, wrong);
  code.go_to(wrong);
  fail(code, Trap::out_of_range, About::range, lo, hi);
  code.go_to(fits);
  code.put(Op::mask_without, found,
           {code.integer(Op::mask_below, {code.integer(Op::add_small, {hi, code.constant(1)})}),
            code.integer(Op::mask_below, {lo})});
  code.jump(done);
  code.go_to(done);
  return found;
}

Register universe(const FunctionContext& code, const model::Type& element) {
  if (element.kind == TypeKind::player) return code.integer(Op::players_in, {}, 4);
  if (element.kind == TypeKind::card) return const_cards(code, code.unit.ids.of_card);
  const Bounds range = bounds(code.unit, element);
  if (!is_wide_element(code.unit, element))
    return code.constant(((Int{1} << std::min<Int>(model::kMostInSet + 1, range.hi - range.lo + 1)) - 1) << range.lo);
  std::vector<Int> all;
  for (Int i = range.lo; i <= range.hi; ++i) all.push_back(i);
  Register r = const_cards(code, all);
  code.holds_no_card(r);
  return r;
}

void look_through(const FunctionContext& code, Register domain,
                  const std::function<void(const FunctionContext& looking, Register element)>& body) {
  HoistScope scope{code.here(), code.function().blocks[code.here()].code.size(), {}};
  if (code.hoist) scope.varying = code.hoist->varying;   // includes the varying registers of enclosing loops
  const FunctionContext looking = code.hoisting(code.unit.plain ? nullptr : &scope);
  for_each(code, domain, [&](Register element) {
    scope.varying.insert(element);
    body(looking, element);
  });
}

// Converts the picks to the kind of set that the rules use for this element type.
Register as_cards(const FunctionContext& code, Register picks, const model::Type& element) {
  if (!is_wide_element(code.unit, element)) return picks;
  const Register cards = code.make(set_of(element));
  code.assign(cards, picks);
  return cards;
}

}   // namespace cardwright::lower
