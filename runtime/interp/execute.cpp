// Implements the interpreter loop. Each operation has a handler generated from ops.def and the type of op_<name>, and a
// second one that is fused with the branch that follows. Operations on variables have additional versions of both for
// narrow variables. Handlers of operations that only engines implement are written by hand below.
#include "runtime/interp/execute.h"

#include <cstring>
#include <memory>

namespace cardwright {
// Operations that only engines implement have no function. The generated handlers refer to these declarations, but
// never call them.
#define OP(name, signature, flags) OpType<ir::Op::name> op_##name;
#include "runtime/ir/ops.def"
#undef OP
}   // namespace cardwright

#include "runtime/ops/ops.h"

namespace cardwright::interp {

namespace {

using ir::Op;

// ---- conversion of cells to parameters

// `Bytes` is the width of each value of a variable; 0: read the width from the slot.
template <char letter, Int Bytes>
inline typename CellType<letter>::type parameter(Int* registers, Word cell) {
  if constexpr (letter == 'i')
    return registers[cell];
  else if constexpr (letter == 's' || letter == 'C')
    return reinterpret_cast<const Word*>(registers + cell);
  else if constexpr (letter == 'a')
    return registers + cell;
  else if constexpr (letter == 'V') {
    const VariableSlot& slot = *reinterpret_cast<const VariableSlot*>(cell);
    if (Bytes != 0 && slot.bytes != Bytes) __builtin_unreachable();
    return slot;
  } else if constexpr (letter == 'Z')
    return *reinterpret_cast<const ZoneSlot*>(cell);
  else if constexpr (letter == 'T')
    return reinterpret_cast<const Int*>(cell);
  else
    return static_cast<Int>(cell);
}

template <Op op>
inline constexpr std::size_t kFirstOperand = ir::shape_of(op).result() == '-' ? 1 : 2;
template <Op op>
inline constexpr std::size_t kLength = kFirstOperand<op> + cells_of(op).size;

// Calls an operation. An int result is stored in `value` and not yet written to its register.
template <Op op, auto* function, Int Bytes, std::size_t... I>
[[gnu::always_inline]] inline Trap invoke(Game& g, Byte* s, const Layout& l, Int* r, const Word* ip, Int& value,
                                          std::index_sequence<I...>) {
  constexpr ir::OpShape shape = ir::shape_of(op);
  constexpr CellLetters cells = cells_of(op);
  constexpr bool traps = shape.has('T');
  if constexpr (shape.result() == 's') {
    Word* out = reinterpret_cast<Word*>(r + ip[1]);
    if constexpr (traps)
      return function(g, s, l, parameter<cells.letter[I], Bytes>(r, ip[kFirstOperand<op> + I])..., out);
    else
      function(g, s, l, parameter<cells.letter[I], Bytes>(r, ip[kFirstOperand<op> + I])..., out);
  } else if constexpr (shape.result() == 'i') {
    if constexpr (traps)
      return function(g, s, l, parameter<cells.letter[I], Bytes>(r, ip[kFirstOperand<op> + I])..., value);
    else
      value = function(g, s, l, parameter<cells.letter[I], Bytes>(r, ip[kFirstOperand<op> + I])...);
  } else if constexpr (traps) {
    return function(g, s, l, parameter<cells.letter[I], Bytes>(r, ip[kFirstOperand<op> + I])...);
  } else {
    function(g, s, l, parameter<cells.letter[I], Bytes>(r, ip[kFirstOperand<op> + I])...);
  }
  return Trap::none;
}

// Small operations are inlined into the loop, including every function they call; by default the compiler stops
// inlining when the loop gets large. Larger operations are called, so that the few values of the loop itself stay in
// processor registers. In the loop for large sets, which few games use, all operations are called.
constexpr bool is_small(const ir::OpShape& op) {
  for (const std::string_view name : {"array_get", "array_set", "store_set", "fuel", "frame_keep", "frame_at",
                                      "frame_push", "frame_arg", "frame_pop"})
    if (op.name == name) return true;
  const bool only_reads = op.has('P') || (op.has('R') && !op.has('W') && !op.has('C') && !op.has('Q'));
  return (only_reads || has_width(op)) && op.operands().find('a') == std::string_view::npos;
}
template <Op op, auto* function, Int Bytes, Int W>
[[gnu::noinline, gnu::flatten]] Trap invoke_apart(Game& g, Byte* s, const Layout& l, Int* r, const Word* ip,
                                                  Int& value) {
  if (W > 0 && l.words != W) __builtin_unreachable();
  return invoke<op, function, Bytes>(g, s, l, r, ip, value, std::make_index_sequence<cells_of(op).size>{});
}

// ---- the arena

struct Arena {
  static constexpr std::size_t kSaved = std::size_t{1} << 18;
  static constexpr std::size_t kCalls = 4096;
  std::unique_ptr<Int[]> registers;
  std::size_t size = 0;
  std::uint64_t code = 0;   // the code whose constants are in the arena
  std::unique_ptr<Int[]> saved{new Int[kSaved]};   // registers of callees that were already active
  std::unique_ptr<const Word* []> calls { new const Word*[kCalls] };
  bool busy = false;

  void prepare_for(const Code& next) {
    if (code == next.id) return;
    if (size < next.words) registers.reset(new Int[size = next.words]);
    std::memcpy(registers.get(), next.constants.data(), next.constants.size() * sizeof(Word));
    code = next.id;
  }
};

// Leases the thread's arena. If the arena is already in use, because a sink calls the engine, the lease allocates
// another one.
class ArenaLease {
 public:
  ArenaLease() {
    thread_local Arena own;
    arena_ = &own;
    if (own.busy) arena_ = (extra_ = std::make_unique<Arena>()).get();
    arena_->busy = true;
  }
  ~ArenaLease() { arena_->busy = false; }
  Arena& get() { return *arena_; }

 private:
  std::unique_ptr<Arena> extra_;
  Arena* arena_;
};

struct Task {
  const Program* program;
  const Code* code;
  Game* g;
  Byte* s;
  const FunctionCode* function;
  std::span<const Int> arguments;
  Int* result;
  Arena* arena;
};

[[gnu::noinline]] void record_trap(const Task& task, Trap trap, const Word* ip, const Word* const* calls,
                                   std::size_t depth) {
  Game& g = *task.g;
  const auto place_of = [&](const Word* at) { return task.code->functions[task.code->function_at(at)].place_at(at); };
  const auto push = [&](const Word* at) {
    const auto [where, of] = place_of(at);
    push_levels(g, *task.program, static_cast<ir::FunctionIndex>(task.code->function_at(at)), of, where);
  };
  const auto [where, of] = place_of(ip);
  g.trap = trap;
  g.trap_function = static_cast<std::int32_t>(of);
  g.trap_source = where.source;
  g.trap_begin = where.begin;
  g.trap_end = where.end;
  push(ip);
  while (depth-- > 1) push(calls[depth]);   // calls[0] is the host
}

// ---- the loop

// Runs a task. W is the number of words per card set; 0: read it from the layout. If there is no task, only returns the
// addresses of the handlers.
template <Int W>
[[gnu::flatten]] Status run(const Task* task, const void* const** table) {
  static const void* const labels[kHandlers] = {
#define OP(name, signature, flags) &&plain_##name,
#include "runtime/ir/ops.def"
#undef OP
#define OP(name, signature, flags) &&fused_##name,
#include "runtime/ir/ops.def"
#undef OP
#define OP(name, signature, flags) &&plain_1_##name,
#include "runtime/ir/ops.def"
#undef OP
#define OP(name, signature, flags) &&fused_1_##name,
#include "runtime/ir/ops.def"
#undef OP
#define OP(name, signature, flags) &&plain_4_##name,
#include "runtime/ir/ops.def"
#undef OP
#define OP(name, signature, flags) &&fused_4_##name,
#include "runtime/ir/ops.def"
#undef OP
      &&do_const_int, &&do_copy_int,    &&do_copy_set, &&do_array_fill, &&do_listing, &&do_list,
      &&do_listed,    &&do_to_host,     &&do_trap,     &&do_jump,       &&do_branch,  &&switch_table,
      &&switch_list,  &&decide_playout, &&decide_step, &&call,          &&call_again, &&restore,
      &&do_ret,       &&do_ret_int,     &&do_ret_set,  &&leave_run};
  if (task == nullptr) {
    *table = labels;
    return Status::ok;
  }

  Game& g = *task->g;
  Byte* const s = task->s;
  const Layout& l = task->program->layout;
  const Int words = W > 0 ? W : l.words;
  const Word** const calls = task->arena->calls.get();
  Int* const r = task->arena->registers.get();
  std::size_t depth = 0;
  Int* saved = task->arena->saved.get();
  Trap trap = Trap::none;

  // Sets up the host's call, which returns to the handler `exit`.
  const Word leave = reinterpret_cast<Word>(labels[kSpecial + static_cast<std::size_t>(Special::exit)]);
  const Word host_call[] = {0, 0, kResult, reinterpret_cast<Word>(&leave)};
  calls[depth++] = host_call;
  {
    const FunctionCode& function = *task->function;
    const ir::Function& entered =
        task->program->playout.functions[static_cast<std::size_t>(&function - task->code->functions.data())];
    for (std::size_t i = 0; i < task->arguments.size() && i < entered.parameters.size(); ++i)
      r[function.place_of[entered.parameters[i]]] = task->arguments[i];
  }
  const Word* ip = task->function->start;

#define NEXT goto* reinterpret_cast<void*>(*ip)
#define ASSUME_WORDS \
  if (W > 0 && l.words != W) __builtin_unreachable()
#define OPERATE(name, bytes)                                                                         \
  ASSUME_WORDS;                                                                                      \
  Int value = 0;                                                                                     \
  if constexpr (W > 0 && is_small(ir::shape_of(Op::name)))                                           \
    trap = invoke<Op::name, &op_##name, bytes>(g, s, l, r, ip, value,                                \
                                               std::make_index_sequence<cells_of(Op::name).size>{}); \
  else                                                                                               \
    trap = invoke_apart<Op::name, &op_##name, bytes, W>(g, s, l, r, ip, value);                      \
  if constexpr (ir::shape_of(Op::name).result() == 'i') r[ip[1]] = value;                            \
  if constexpr (ir::shape_of(Op::name).has('T'))                                                     \
    if (CARDWRIGHT_UNLIKELY(trap != Trap::none)) goto trapped;
#define HANDLER(label, name, bytes, is_there)                        \
  label##_##name : if constexpr (!(is_there)) { goto fell_through; } \
  else {                                                             \
    OPERATE(name, bytes)                                             \
    ip += kLength<Op::name>;                                         \
    NEXT;                                                            \
  }
#define FUSED_HANDLER(label, name, bytes, is_there)                                                     \
  label##_##name : if constexpr (!(is_there)) { goto fell_through; }                                    \
  else {                                                                                                \
    OPERATE(name, bytes)                                                                                \
    ip = reinterpret_cast<const Word*>(value != 0 ? ip[kLength<Op::name>] : ip[kLength<Op::name> + 1]); \
    NEXT;                                                                                               \
  }

  NEXT;

#define OP(name, signature, flags)                                                                           \
  HANDLER(plain, name, 0, has_function(ir::shape_of(Op::name)))                                              \
  FUSED_HANDLER(fused, name, 0, can_be_fused(ir::shape_of(Op::name)))                                        \
  HANDLER(plain_1, name, 1, has_width(ir::shape_of(Op::name)))                                               \
  FUSED_HANDLER(fused_1, name, 1, has_width(ir::shape_of(Op::name)) && can_be_fused(ir::shape_of(Op::name))) \
  HANDLER(plain_4, name, 4, has_width(ir::shape_of(Op::name)))                                               \
  FUSED_HANDLER(fused_4, name, 4, has_width(ir::shape_of(Op::name)) && can_be_fused(ir::shape_of(Op::name)))
#include "runtime/ir/ops.def"
#undef OP

do_const_int:
  r[ip[1]] = static_cast<Int>(ip[2]);
  ip += 3;
  NEXT;
do_copy_int:
  r[ip[1]] = r[ip[2]];
  ip += 3;
  NEXT;
do_copy_set:
  for (Int w = 0; w < words; ++w) r[ip[1] + static_cast<Word>(w)] = r[ip[2] + static_cast<Word>(w)];
  ip += 3;
  NEXT;
do_array_fill:
  for (Word i = 0; i < ip[2]; ++i) r[ip[1] + i] = r[ip[3]];
  ip += 4;
  NEXT;
do_listing:
  r[ip[1]] = g.listing;
  ip += 2;
  NEXT;
do_list:
  op_list(g, s, l, r[ip[1]]);
  ip += 2;
  NEXT;
do_listed:
  return Status::listed;
do_to_host:
  return static_cast<Status>(ip[1]);
do_trap:
  trap = static_cast<Trap>(ip[1]);
  goto trapped;
do_jump:
  ip = reinterpret_cast<const Word*>(ip[1]);
  NEXT;
do_branch:
  ip = reinterpret_cast<const Word*>(r[ip[1]] != 0 ? ip[2] : ip[3]);
  NEXT;
switch_table : {
  const Word slot = static_cast<Word>(r[ip[1]]) - ip[3];
  ip = reinterpret_cast<const Word*>(slot < ip[4] ? ip[5 + slot] : ip[2]);
  NEXT;
}
switch_list : {
  const Word value = static_cast<Word>(r[ip[1]]);
  Word target = ip[2];
  for (Word i = ip[3]; i-- > 0;)
    if (ip[4 + 2 * i] == value) target = ip[5 + 2 * i];
  ip = reinterpret_cast<const Word*>(target);
  NEXT;
}
decide_playout:
  trap = op_decide_playout(g, s, l, r[ip[2]], r[ip[3]], r[ip[1]]);
  if (CARDWRIGHT_UNLIKELY(trap != Trap::none)) goto trapped;
  ip += 5;
  NEXT;
decide_step : {
  const std::int32_t status = op_decide_step(g, s, l, r[ip[2]], r[ip[3]], static_cast<Int>(ip[4]), r[ip[1]]);
  if (status == kSuspend) return Status::pending;
  trap = static_cast<Trap>(status);
  if (CARDWRIGHT_UNLIKELY(trap != Trap::none)) goto trapped;
  ip += 5;
  NEXT;
}
call : {
  if (CARDWRIGHT_UNLIKELY(depth == Arena::kCalls)) goto too_deep;
  const Word* argument = ip + 5;
  for (Word n = ip[4]; n > 0; --n, argument += 2) r[argument[1]] = r[argument[0]];
  calls[depth++] = ip;
  ip = reinterpret_cast<const Word*>(ip[1]);
  NEXT;
}
call_again : {
  const Word base = ip[4], size = ip[5], count = ip[6];
  if (CARDWRIGHT_UNLIKELY(depth == Arena::kCalls || saved + size + count > task->arena->saved.get() + Arena::kSaved))
    goto too_deep;
  std::memcpy(saved, r + base, size * sizeof(Int));
  saved += size;
  // All arguments are read before one is written, because a source can be a register of the callee.
  for (Word i = 0; i < count; ++i) saved[i] = r[ip[7 + 2 * i]];
  for (Word i = 0; i < count; ++i) r[ip[8 + 2 * i]] = saved[i];
  calls[depth++] = ip;
  ip = reinterpret_cast<const Word*>(ip[1]);
  NEXT;
}
restore:
  saved -= ip[2];
  std::memcpy(r + ip[1], saved, ip[2] * sizeof(Int));
  for (Word w = 0; w < ip[4]; ++w) r[ip[3] + w] = r[kResult + w];
  ip += 5;
  NEXT;
do_ret:
  ip = reinterpret_cast<const Word*>(calls[--depth][3]);
  NEXT;
do_ret_int : {
  const Word* const caller = calls[--depth];
  r[caller[2]] = r[ip[1]];
  ip = reinterpret_cast<const Word*>(caller[3]);
  NEXT;
}
do_ret_set : {
  const Word* const caller = calls[--depth];
  for (Int w = 0; w < words; ++w) r[caller[2] + static_cast<Word>(w)] = r[ip[1] + static_cast<Word>(w)];
  ip = reinterpret_cast<const Word*>(caller[3]);
  NEXT;
}
leave_run:
  if (task->result != nullptr) *task->result = r[kResult];
  return Status::ok;

too_deep:
  trap = Trap::too_deep;
  goto trapped;
fell_through:
  trap = Trap::fell_through;
trapped:
  record_trap(*task, trap, ip, calls, depth);
  return Status::trapped;
#undef NEXT
#undef FUSED_HANDLER
#undef HANDLER
#undef OPERATE
#undef ASSUME_WORDS
}

}   // namespace

const void* const* handlers_for(Int words) {
  const void* const* table = nullptr;
  switch (words) {
    case 1: run<1>(nullptr, &table); break;
    case 2: run<2>(nullptr, &table); break;
    default: run<0>(nullptr, &table); break;
  }
  return table;
}

Status execute(const Program& program, const Code& code, Game& g, Byte* s, ir::FunctionIndex function,
               std::span<const Int> arguments, Int* result) {
  ArenaLease lease;
  lease.get().prepare_for(code);
  const Task task{&program, &code, &g, s, &code.functions[function], arguments, result, &lease.get()};
  switch (program.layout.words) {
    case 1: return run<1>(&task, nullptr);
    case 2: return run<2>(&task, nullptr);
    default: return run<0>(&task, nullptr);
  }
}

}   // namespace cardwright::interp
