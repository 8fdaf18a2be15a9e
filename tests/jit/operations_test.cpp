// Tests every operation with edge-case operands: both engines must leave the same bytes and raise the same trap.
#include <algorithm>
#include <random>

#include "runtime/ir/shape.h"
#include "runtime/ops/knowledge.h"
#include "tests/jit/engines.h"

namespace cardwright {

namespace {

using ir::Op;

// Declares variables and zones. The variables are v0: integer operands of 64 bits; v1: the number of the function to
// test; v2: set operands; v3: a pool; v4: a recursion counter; v5: a variable of two bytes that may be unset. Zone
// instances 0 and 1 are piles (0 is refilled from 1), 2 is face up, and 3 to 5 are hands.
void lay_out(Program& program) {
  Layout& layout = program.layout;
  layout.words = 2;
  layout.players = 3;
  layout.card_ids = 90;
  layout.capacity = 90;
  layout.instances = 6;
  layout.over = 2;
  layout.winners = 4;
  layout.members = 8;
  Int at = layout.members + layout.instances * 16;
  for (Int i = 0; i < 6; ++i) {
    ZoneInstance& z = layout.instance[i];
    z = {.zone = i, .owner = i - 3, .visible = i < 2 ? 0 : i == 2 ? 7 : 1 << (i - 3)};
    if (i > 2) continue;
    z.ordered = 1;
    z.ends = at;
    at += 8;
  }
  layout.loose = at;
  layout.next = at + 16;
  at += 16 + 96;
  layout.instance[0].refill = 1;
  const auto add = [&](VariableSlot slot) {
    slot.offset = at;
    at += (slot.count * (slot.is_set ? 16 : slot.bytes) + 7) / 8 * 8;
    program.variables.push_back(slot);
  };
  add({.bytes = 8, .count = 4, .hi = std::numeric_limits<Int>::max()});
  add({.bytes = 2, .hi = 1000});
  add({.count = 3, .is_set = 1});
  add({.bytes = 1, .count = 5, .hi = 20});
  add({.bytes = 1, .hi = 255});
  add({.bytes = 2, .count = 3, .lo = -5, .hi = 300, .bias = 2, .optional = 1, .initial = kUnset});
  for (Word& word : layout.lookalike_singles) word = 0x00000000000000ff;
  layout.lookalike_starts[0] = 0x00100100;
  layout.lookalike_guards[0] = 0x01001000;
  layout.rules_end = layout.scratch = layout.queue = at;
  layout.queue_length = 4;
  layout.queue_ints = 2;
  layout.queue_sets = 1;
  layout.queue_entry = 24 + 16;
  layout.streams = at + 8 + 4 * layout.queue_entry;
  layout.decisions = layout.streams + 32;
  layout.live_end = layout.unknown = layout.decisions + 8;
  layout.stack_top = layout.unknown + 8 * layout.words * layout.players;
  layout.frames = layout.frames_end = layout.stack_top + 8;
  layout.size = lay_out_knowledge(layout, layout.frames_end);
  program.zones = {{.first = 0}, {.first = 1}, {.first = 2}, {.first = 3, .owners = 3}};
}

// Returns false for frame operations, which the stepwise tests cover, for `suppose`, which must be undone, and for
// `_known` operations, whose preconditions must hold.
bool is_tested(Op op) {
  const std::string_view name = ir::op_name(op);
  return !ir::shape_of(op).has('E') && !name.starts_with("frame_") && !name.starts_with("knows_value") &&
         name != "leave" && !name.ends_with("suppose") && !name.ends_with("_known") && name != "draw_of";
}

std::int64_t variable_for(Op op) {
  const std::string_view name = ir::op_name(op);
  if (name.starts_with("pool")) return 3;
  if (name == "enter") return 4;
  return ir::shape_of(op).operands().find('s') != std::string_view::npos || name == "load_set" ? 2 : 5;
}

// Returns a function for the operation: it loads the operands from v0 and v2 and stores the result in the state.
ir::Function function_for(Op op, std::int64_t literal) {
  ir::Function f;
  f.name = std::string(ir::op_name(op));
  f.blocks.resize(1);
  const auto add = [&](ir::RegisterKind kind) {
    f.registers.push_back({.kind = kind, .length = kind == ir::RegisterKind::array ? 5u : 0u});
    return static_cast<ir::Register>(f.registers.size() - 1);
  };
  const auto emit = [&](Op code, ir::Register result, std::vector<std::int64_t> operands) {
    f.blocks[0].code.push_back({code, result, std::move(operands), {0, 1, 2}});
  };
  const auto constant = [&](std::int64_t value) {
    const ir::Register r = add(ir::RegisterKind::integer);
    emit(Op::const_int, r, {value});
    return r;
  };
  std::vector<std::int64_t> operands;
  std::int64_t ints = 0, sets = 0;
  ir::Register array = ir::kNoRegister;
  for (const char letter : ir::shape_of(op).operands()) {
    if (letter == 'i') {
      const ir::Register index = constant(ints++), r = add(ir::RegisterKind::integer);
      emit(Op::load_raw, r, {0, index});
      operands.push_back(r);
    } else if (letter == 's') {
      const ir::Register index = constant(sets++), r = add(ir::RegisterKind::set);
      emit(Op::load_set, r, {2, index});
      operands.push_back(r);
    } else if (letter == 'a') {
      array = add(ir::RegisterKind::array);
      emit(Op::array_fill, ir::kNoRegister, {array, constant(17)});
      operands.push_back(array);
    } else if (letter == 'V')
      operands.push_back(variable_for(op));
    else if (letter == 'Z')
      operands.push_back(3);
    else
      operands.push_back(letter == 'T' ? 0 : literal);
  }
  const char result = ir::shape_of(op).result();
  const ir::Register r =
      result == '-' ? ir::kNoRegister : add(result == 's' ? ir::RegisterKind::set : ir::RegisterKind::integer);
  emit(op, r, operands);
  if (result == 'i') emit(Op::keep_result, ir::kNoRegister, {r});
  if (result == 's') emit(Op::keep_result_set, ir::kNoRegister, {r});
  if (array != ir::kNoRegister && result == '-') {
    const ir::Register entry = add(ir::RegisterKind::integer);
    emit(Op::array_get, entry, {array, constant(3)});
    emit(Op::keep_result, ir::kNoRegister, {entry});
  }
  emit(Op::ret, ir::kNoRegister, {});
  return f;
}

std::unique_ptr<Program> make_program() {
  auto program = std::make_unique<Program>();
  lay_out(*program);
  ir::Module& code = program->playout;
  code.tables = {{4, kNone, 6, 7}};
  ir::Function main;
  main.name = "main";
  main.registers.resize(2);
  main.blocks.resize(2);
  main.blocks[0].code = {
      {Op::const_int, 0, {0}, {}}, {Op::load, 1, {1, 0}, {}}, {Op::switch_, ir::kNoRegister, {1, 1}, {}}};
  main.blocks[1].code = {{Op::ret, ir::kNoRegister, {}, {}}};
  code.functions.push_back(main);
  for (std::size_t op = 0; op <= static_cast<std::size_t>(Op::to_host); ++op)
    for (std::int64_t literal = 0; literal < 2 && is_tested(static_cast<Op>(op)); ++literal) {
      const auto index = static_cast<std::int64_t>(code.functions.size());
      code.functions.push_back(function_for(static_cast<Op>(op), literal));
      ir::Function& caller = code.functions[0];
      auto& targets = caller.blocks[0].code.back().operands;
      targets.push_back(index);
      targets.push_back(static_cast<std::int64_t>(caller.blocks.size()));
      caller.blocks.push_back({{{Op::call, ir::kNoRegister, {index}, {}}, {Op::ret, ir::kNoRegister, {}, {}}}});
    }
  for (const std::string& problem : ir::verify(code)) FAIL(problem);
  passes::mark_suspending(code, {*program});
  passes::split(code, program->layout, *program);
  program->initial.assign(static_cast<std::size_t>(program->layout.size), 0);
  return program;
}

void fill(const Program& program, Byte* s) {
  const Layout& l = program.layout;
  s[0] = 7;
  for (Int card = 0; card < l.card_ids; ++card) {
    const Int home = card < 60 ? 0 : card < 70 ? 1 : 3 + card % 3;
    add_to_stored(members_at(s, l, home), l, card);
    if (home < 2) add_to_stored(s + l.loose, l, card);
  }
  for (Int i = 0; i < 5; ++i) s[program.variables[3].offset + i] = static_cast<Byte>(i);
  for (Int i = 0; i < 4; ++i) write(s + l.streams + 8 * i, Word{977} * static_cast<Word>(i + 1));
}

class Draws {
 public:
  Int integer() {
    constexpr Int hurtful[] = {kNone,
                               kNone + 1,
                               -1,
                               0,
                               1,
                               63,
                               64,
                               65,
                               127,
                               128,
                               kUnlimited,
                               -kUnlimited,
                               kUnlimited - 1,
                               std::numeric_limits<Int>::max()};
    switch (below(8)) {
      case 0: return hurtful[below(14)];
      case 1: return static_cast<Int>(engine_());
      case 2:
      case 3: return static_cast<Int>(below(90));
      default: return static_cast<Int>(below(7));
    }
  }
  Word word() {
    // Sets only the low 26 bits, which are card ids in both words of a set (90 ids).
    switch (below(4)) {
      case 0: return 0;
      case 1: return Word{1} << below(26);
      case 2: return engine_() & engine_() & engine_() & 0x3ffffff;   // sparse
      default: return engine_() & 0x3ffffff;
    }
  }
  std::size_t below(std::size_t n) { return engine_() % n; }

 private:
  std::mt19937_64 engine_{20};
};

TEST_CASE("every operation gives the same result on both engines", "[jit]") {
  const auto program = make_program();

  const auto interpreter = make_interpreter(*program);
  const auto jit = test::make_jit(*program);
  std::vector<Byte> state = program->initial;
  fill(*program, state.data());
  const std::vector<Byte> start = state;
  Draws draws;
  std::size_t trapped = 0, wrong = 0;
  for (int i = 0; i < 60'000 && wrong < 5; ++i) {
    if (i % 100 == 0) state = start;
    const std::size_t function = 1 + draws.below(program->playout.functions.size() - 1);
    Byte* const s = state.data();
    for (Int k = 0; k < 4; ++k) write(s + program->variables[0].offset + 8 * k, draws.integer());
    write(s + program->variables[1].offset, static_cast<std::uint16_t>(function));
    for (Int k = 0; k < 6; ++k) write(s + program->variables[2].offset + 8 * k, draws.word());
    std::vector<Byte> other = state;
    Game a, b;
    for (Game* const g : {&a, &b}) g->result = 0, std::fill(std::begin(g->result_set), std::end(g->result_set), 0);
    const Status expected = interpreter->playout(a, state.data());
    const Status found = jit->playout(b, other.data());
    trapped += expected == Status::trapped;
    if (expected == found && a.trap == b.trap && a.stack_size == b.stack_size && a.fuel == b.fuel &&
        a.result == b.result && std::ranges::equal(a.result_set, b.result_set) && state == other)
      continue;
    ++wrong;
    std::size_t first = 0;
    while (first < state.size() && state[first] == other[first]) ++first;
    const auto operand = [&](Int k) { return read<Int>(s + program->variables[0].offset + 8 * k); };
    FAIL_CHECK(program->playout.functions[function].name
               << " of " << operand(0) << ", " << operand(1) << ", " << operand(2) << ": trap "
               << static_cast<int>(a.trap) << " and " << static_cast<int>(b.trap) << ", first byte that differs "
               << first << ", results " << a.result << " and " << b.result);
    state = start;
  }
  CHECK(trapped > 3'000);
}

}   // namespace

}   // namespace cardwright
