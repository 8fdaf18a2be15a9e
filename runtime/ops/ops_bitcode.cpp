// Exports the operations as bitcode for the JIT, each under the C symbol `cardwright_op_<name>`:
//   (Game* g, Byte* s, const Layout* l, operands…, out pointer last if there is one)
// Operations that may trap return int32 (a Trap); others return an int or void. References are pointers in this ABI, so
// the functions of ops.h are used directly. Each one is first declared here with the type from its signature in
// ops.def. A function whose parameters differ from its signature is a second overload, which the assertion below
// reports.
#include "runtime/ops/signature.h"

#include <utility>

namespace cardwright {

#define OP(name, signature, flags) OpType<ir::Op::name> op_##name __asm__("cardwright_op_" #name) __attribute__((used));
#include "runtime/ir/ops.def"
#undef OP

// The parts of `decide` that engines use. The out parameter of op_decide_step is the chosen index.
Trap op_decide_playout(Game&, Byte*, const Layout&, Int player, Int options,
                       Int& out) __asm__("cardwright_op_decide_playout") __attribute__((used));
std::int32_t op_decide_step(Game&, Byte*, const Layout&, Int player, Int options, Int site,
                            Int& out) __asm__("cardwright_op_decide_step") __attribute__((used));
void key_streams(const Layout&, Byte*, Word run, Word game_index) __asm__("cardwright_op_key_streams")
    __attribute__((used));

}   // namespace cardwright

#include "runtime/ops/ops.h"

namespace cardwright {

// Asserts that each name has exactly one function, so that no overload differs from the declarations above.
#define OP(name, signature, flags)                                         \
  static_assert(std::is_same_v<decltype(op_##name), OpType<ir::Op::name>>, \
                "op_" #name " does not fit its signature " signature);
#include "runtime/ir/ops.def"
#undef OP

}   // namespace cardwright
