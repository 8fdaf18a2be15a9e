// Exchanges cards and other hidden values in the bytes of a State.
#include "runtime/knowledge/exchange.h"

#include "runtime/ops/frames.h"
#include "runtime/ops/queue.h"
#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"
#include "runtime/state/state.h"

namespace cardwright {

namespace {

void find_queued(const Program& program, HiddenThings& things) {
  if (program.layout.queue_length == 0) return;
  for (const ir::Function& function : program.step.functions)
    for (const ir::Block& block : function.blocks) {
      Int pushed = 0;
      for (const ir::Instruction& in : block.code) {
        if (in.op == ir::Op::queue_push) pushed = in.operands[0];
        if (in.op != ir::Op::queue_int && in.op != ir::Op::queue_set) continue;
        if (!function.registers[static_cast<std::size_t>(in.operands[1])].holds_card) continue;
        (in.op == ir::Op::queue_int ? things.queued_ints : things.queued_sets).insert({pushed, in.operands[0]});
      }
    }
}

}   // namespace

HiddenThings::HiddenThings(const Program& program) {
  find_queued(program, *this);
  const auto count = static_cast<Int>(program.variable_infos.size());
  for (Int v = 0; v < count; ++v) {
    const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(v)];
    const bool is_set = program.variables[static_cast<std::size_t>(v)].is_set != 0;
    if (info.kind == (is_set ? ValueKind::card_set : ValueKind::card))
      (is_set ? card_set_variables : card_variables).push_back(v);
    // Variables created by the compiler do not change, because they store answers that rules in progress still need.
    if (info.secret_first >= 0 && info.pool < 0 && !info.hidden && info.kind != ValueKind::card_set &&
        info.kind != ValueKind::card)
      made_up.push_back(v);
    Pool pool{v, {}};
    for (Int other = 0; other < count; ++other)
      if (const VariableInfo& dealt = program.variable_infos[static_cast<std::size_t>(other)];
          dealt.pool == v && dealt.secret_first >= 0)
        pool.dealt.push_back(other);
    if (!pool.dealt.empty()) pools.push_back(std::move(pool));
  }
}

Exchange::Exchange(const Program& program, const HiddenThings& things, std::span<const Int> becomes)
    : program_(program), l_(program.layout), things_(things), becomes_(becomes) {
  for (Int card = 0; card < l_.card_ids; ++card)
    if (becomes[static_cast<std::size_t>(card)] != card) set_bit(moved_, card), moves_any_ = true;
}

Int Exchange::mapped(Int card) const { return is_card(l_, card) ? becomes_[static_cast<std::size_t>(card)] : card; }

void Exchange::map_set(Byte* at) const {
  Word from[kMaxWords], to[kMaxWords];
  read_set(at, l_, from);
  Word concerned = 0;
  for (Int w = 0; w < l_.words; ++w) {
    to[w] = from[w] & ~moved_[w];
    concerned |= from[w] &= moved_[w];
  }
  if (concerned == 0) return;
  for (Int w = 0; w < l_.words; ++w)
    for (Word rest = from[w]; rest != 0; rest &= rest - 1) set_bit(to, mapped(64 * w + lowest_bit(rest)));
  write_set(at, l_, to);
}

void Exchange::apply(Byte* s) const {
  if (!moves_any_) return;
  for (Int i = 0; i < l_.instances; ++i) map_set(members_at(s, l_, i));
  if (l_.arranged < l_.size) map_set(s + l_.arranged);
  map_orders(s);
  map_stamps(s);
  for (const Int v : things_.card_set_variables) {
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    for (Int i = 0; i < slot.count; ++i) map_set(s + slot.offset + i * 8 * l_.words);
  }
  for (const Int v : things_.card_variables) {
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    for (Int i = 0; i < slot.count; ++i)
      if (const Int card = value_of_variable(program_, s, v, i); card >= 0)
        write_bytes(variable_at(s, slot, i), slot.bytes, encode_value(slot, mapped(card)));
  }
  map_queue(s);
  map_frames(s);
}

void Exchange::map_orders(Byte* s) const {
  if (l_.ordered_end == 0) return;
  map_set(s + l_.loose);
  Int old[kMaxCardIds];
  for (Int card = 0; card < l_.card_ids; ++card) old[card] = beyond(s, l_, card);
  for (Int card = 0; card < l_.card_ids; ++card) set_neighbor(s, l_, next_of(l_, mapped(card)), mapped(old[card]));
  for (Int i = 0; i < l_.instances; ++i)
    if (l_.instance[i].ordered && l_.instance[i].other_side < i)   // visits a pile with two sides once
      for (const Int at : {top_of(l_.instance[i]), bottom_of(l_, l_.instance[i])})
        set_neighbor(s, l_, at, mapped(neighbor(s, l_, at)));
}

// Exchanges entry times too, because a time belongs to the position, not to the card.
void Exchange::map_stamps(Byte* s) const {
  if (l_.stamps < 0) return;
  std::uint32_t old[kMaxCardIds];
  for (Int card = 0; card < l_.card_ids; ++card) old[card] = read<std::uint32_t>(s + l_.stamps + 4 * card);
  for (Int card = 0; card < l_.card_ids; ++card) write(s + l_.stamps + 4 * mapped(card), old[card]);
}

// Also maps the entry popped last, because it can still be read.
void Exchange::map_queue(Byte* s) const {
  if (things_.queued_ints.empty() && things_.queued_sets.empty()) return;
  for (Int i = 0; i < l_.queue_length; ++i) {
    Byte* entry = s + l_.queue + 8 + i * l_.queue_entry;
    const Int block = queue_block(entry);
    for (Int k = 0; k < l_.queue_ints; ++k)
      if (things_.queued_ints.contains({block, k}))
        write_signed(queue_int_at(entry, l_, k), l_.queue_bytes,
                     mapped(read_signed(queue_int_at(entry, l_, k), l_.queue_bytes)));
    for (Int k = 0; k < l_.queue_sets; ++k)
      if (things_.queued_sets.contains({block, k})) map_set(queue_set_at(entry, l_, k));
  }
}

void Exchange::map_frames(Byte* s) const {
  for (Int frame = top_frame(s, l_); frame != 0; frame = frame_below(s, frame)) {
    for (const FrameSlot& slot : resume_point(program_, frame_wait(s, frame)).live) {
      Byte* at = s + frame + slot.offset;
      if (!slot.holds_card) continue;
      if (slot.is_set)
        map_set(at);
      else
        write_signed(at, slot.bytes, mapped(read_signed(at, slot.bytes)));
    }
  }
}

}   // namespace cardwright
