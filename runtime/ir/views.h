// Provides named access to the operands of an instruction: `view::branch(last).then()`. A view covers operations whose
// operands have the same shape, which is checked against ops.def at compile time. A debug build aborts if a view is
// created for another operation. Code that visits all registers or targets uses shape.h.
#pragma once

#include <cstddef>

#include "runtime/ir/shape.h"
#include "support/kind_view.h"

namespace cardwright::ir::view {

template <Op... ops>
class View : public KindView<Instruction, &Instruction::op, ops...> {
 public:
  using KindView<Instruction, &Instruction::op, ops...>::KindView;

 protected:
  template <std::size_t i>
  static constexpr bool is_one_of(std::string_view letters) {
    return ((i < shape_of(ops).operands().size() && letters.find(shape_of(ops).operands()[i]) != letters.npos) && ...);
  }
  std::int64_t at(std::size_t i) const { return this->it().operands[i]; }
  std::size_t size() const { return this->it().operands.size(); }
};

#define OPERAND(Type, letters, name, i)                                                    \
  Type name() const {                                                                      \
    static_assert(is_one_of<i>(letters), #name " does not match the operands in ops.def"); \
    return static_cast<Type>(this->at(i));                                                 \
  }
#define REGISTER(name, i) OPERAND(Register, "isa", name, i)
#define LITERAL(name, i) OPERAND(std::int64_t, "K", name, i)
#define BLOCK(name, i) OPERAND(BlockIndex, "B", name, i)
#define FUNCTION(name, i) OPERAND(FunctionIndex, "F", name, i)
#define INDEX(letters, name, i) OPERAND(std::size_t, letters, name, i)   // index of a table, set, variable or zone
#define VIEW(name, ...)             \
  struct name : View<__VA_ARGS__> { \
    using View::View;

// ---- values
VIEW(const_int, Op::const_int) LITERAL(value, 0)
};
VIEW(const_set, Op::const_set) INDEX("C", set, 0)
}
;
VIEW(part_of_set, Op::set_without, Op::set_remove, Op::set_rest, Op::set_lookalikes) REGISTER(whole, 0)
}
;
VIEW(copy, Op::copy_int, Op::copy_set) REGISTER(from, 0)
}
;
VIEW(select, Op::select, Op::set_select) REGISTER(condition, 0) REGISTER(then, 1) REGISTER(otherwise, 2)
}
;
VIEW(look_up, Op::table, Op::table_small, Op::table_known) INDEX("T", table, 0) REGISTER(index, 1)
}
;
VIEW(place_in, Op::place_in) REGISTER(number, 0) LITERAL(first, 1) LITERAL(count, 2)
}
;
VIEW(in_range, Op::in_range, Op::mask_in_range) REGISTER(number, 0) LITERAL(least, 1) LITERAL(most, 2)
}
;
VIEW(pair, Op::add, Op::sub, Op::mul, Op::div, Op::mod, Op::min, Op::max, Op::eq, Op::ne, Op::lt, Op::le, Op::and_,
     Op::or_, Op::add_small, Op::sub_small, Op::mul_small, Op::div_small, Op::mod_small, Op::lt_small, Op::le_small,
     Op::mask_or, Op::mask_and, Op::mask_without, Op::set_or, Op::set_and, Op::set_without)
REGISTER(left, 0) REGISTER(right, 1)
}
;
// Operations on elements of a mask or set: select an element, remove one, or test whether there is one.
VIEW(of_elements, Op::mask_first, Op::mask_last, Op::mask_next, Op::mask_previous, Op::mask_nth, Op::mask_random,
     Op::set_first, Op::set_last, Op::set_next, Op::set_nth, Op::set_random, Op::set_rest, Op::set_any)
REGISTER(elements, 0)
}
;
VIEW(mask_of, Op::mask_of) REGISTER(element, 0)
}
;
VIEW(mask_has, Op::mask_has) REGISTER(mask, 0) REGISTER(element, 1)
}
;
VIEW(ray_begin, Op::ray_begin)
REGISTER(ray, 0) LITERAL(columns, 5) LITERAL(rows, 6) Register end(std::size_t i) const {
  return static_cast<Register>(this->at(1 + i));
}   // i = 0 to 3: x and y of the start, x and y of the end
}
;
VIEW(ray_get, Op::ray_get) REGISTER(ray, 0) LITERAL(place, 1)
}
;

// ---- the state
VIEW(of_variable, Op::load, Op::load_raw, Op::load_known, Op::store, Op::store_known, Op::holders, Op::clear)
INDEX("V", variable, 0)
}
;
VIEW(entry, Op::load, Op::load_raw, Op::load_known, Op::store, Op::store_known)
INDEX("V", variable, 0) REGISTER(index, 1)
}
;
VIEW(store, Op::store, Op::store_known) INDEX("V", variable, 0) REGISTER(index, 1) REGISTER(value, 2)
}
;
VIEW(zone_index, Op::zone_index, Op::zone_known) INDEX("Z", zone, 0) REGISTER(owner, 1) REGISTER(copy, 2)
}
;
VIEW(tops, Op::tops_among, Op::tops_unknown) INDEX("Z", zone, 0) INDEX("Z", facedown, 1)
}
;
VIEW(zone_cards, Op::zone_cards) REGISTER(instance, 0)
}
;
VIEW(zone_top, Op::zone_top) REGISTER(pile, 0)
}
;
VIEW(move_card, Op::move_card) REGISTER(card, 0) REGISTER(to, 2) LITERAL(how, 3)
}
;
VIEW(shuffle, Op::shuffle) REGISTER(pile, 0)
}
;
VIEW(roll, Op::roll) REGISTER(lo, 0) REGISTER(hi, 1)
}
;

// ---- knowledge
VIEW(move_note, Op::note_move, Op::note_draw) REGISTER(cards, 0) REGISTER(from, 1) REGISTER(to, 2)
}
;
VIEW(knows, Op::set_known, Op::knows_card, Op::knows_cards, Op::knows_top) REGISTER(who, 0) REGISTER(what, 1)
}
;

// ---- decisions and control
VIEW(site, Op::site) LITERAL(number, 0)
}
;
VIEW(decide, Op::decide) REGISTER(player, 0) REGISTER(count, 1) LITERAL(site, 2)
}
;
VIEW(chosen, Op::chosen) REGISTER(option, 0)
}
;
VIEW(fuel, Op::fuel) LITERAL(steps, 0)
}
;
VIEW(enter, Op::enter) INDEX("V", variable, 0) LITERAL(most, 1)
}
;
VIEW(call, Op::call, Op::call_set)
FUNCTION(callee, 0)
std::size_t arguments() const { return this->size() - 1; }
Register argument(std::size_t i) const { return static_cast<Register>(this->at(1 + i)); }
}
;
VIEW(jump, Op::jump) BLOCK(target, 0)
}
;
VIEW(branch, Op::branch)
REGISTER(condition, 0) BLOCK(then, 1) BLOCK(otherwise, 2) bool is_jump() const { return then() == otherwise(); }
}
;
VIEW(switch_, Op::switch_)
REGISTER(value, 0) BLOCK(otherwise, 1) std::size_t cases() const { return (this->size() - 2) / 2; }
std::int64_t value_of(std::size_t i) const { return this->at(2 + 2 * i); }
BlockIndex target_of(std::size_t i) const { return static_cast<BlockIndex>(this->at(3 + 2 * i)); }
}
;
VIEW(ret, Op::ret_int, Op::ret_set) REGISTER(value, 0)
}
;

#undef VIEW
#undef INDEX
#undef FUNCTION
#undef BLOCK
#undef LITERAL
#undef REGISTER
#undef OPERAND

}   // namespace cardwright::ir::view
