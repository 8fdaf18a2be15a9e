// Other worlds that an observer can't tell from the true one: a long random walk of exchanges between places of hidden
// cards, each of which what the observer knows allows. It starts from the truth, so every world on the way is
// consistent. Shorter walks from such a world give others that are near it: Resampler::redraw and Resampler::step.
#include <algorithm>

#include "runtime/ops/nested_lists.h"
#include "runtime/knowledge.h"
#include "runtime/ops/frames.h"
#include "runtime/ops/knowledge.h"
#include "runtime/ops/queue.h"
#include "runtime/ops/random.h"
#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"

namespace cardwright {

namespace {

constexpr Int kStepsPerCard = 30;
constexpr Int kMostInStep = 4;           // cards of one step
constexpr Int kFewSecrets = 8;           // one secret in so many is drawn again in a step

class Worlds {
 public:
  Worlds(const Program& program, const QueuedCards& queued, Byte* s, Int observer, Word seed)
      : program_(program), l_(program.layout), queued_(queued), s_(s), observer_(observer) {
    write(stream_, mix_word(seed + kGoldenGamma));
  }

  // All that the observer does not know.
  void draw_all() {
    find_places();
    for (std::size_t at = 0; at < places_.size(); ++at) from_.push_back(at);
    exchange_cards();
    finish();
  }
  // The cards that this player knows, and all secrets.
  void draw_known_to(Int player) {
    find_places();
    for (std::size_t at = 0; at < places_.size(); ++at)
      if (where_card(l_, s_, player, places_[at].true_card) == 0) from_.push_back(at);
    exchange_cards();
    finish();
  }
  // A few cards, or a few secrets.
  void draw_few() {
    find_places();
    few_ = true;
    if (places_.empty() || below(3) == 0) return draw_secrets();
    for (Int n = 1 + below(kMostInStep); n > 0; --n)
      from_.push_back(static_cast<std::size_t>(below(static_cast<Int>(places_.size()))));
    exchange_cards();
    move_cards();
  }

 private:
  Int below(Int n) { return draw_below(stream_, n); }

  void finish() {
    move_cards();
    draw_secrets();
  }
  void draw_secrets() {
    deal_secrets();
    make_up_secrets();
  }
  bool is_left_out() { return few_ && below(kFewSecrets) != 0; }

  // A place is where a hidden card lies in the truth; its holder is the card that lies there in the world to be.
  void find_places() {
    becomes_.resize(static_cast<std::size_t>(l_.card_ids));
    for (Int card = 0; card < l_.card_ids; ++card) {
      becomes_[static_cast<std::size_t>(card)] = card;
      const Int at = find_zone(s_, l_, card);
      if (at == kNone || where_card(l_, s_, observer_, card) == 0) continue;
      places_.push_back({card, card, hidden_place(l_, s_, card, at), where_card(l_, s_, observer_, card)});
    }
  }

  // Each exchange begins at one of `from_`; the way back is as likely as the way there.
  void exchange_cards() {
    const Int n = static_cast<Int>(places_.size()), m = static_cast<Int>(from_.size());
    if (n < 2 || m == 0) return;
    for (Int steps = few_ ? m : m * kStepsPerCard; steps > 0; --steps) {
      Place& a = places_[from_[static_cast<std::size_t>(below(m))]];
      Place& b = places_[static_cast<std::size_t>(below(n))];
      if (fits(a, b) && fits(b, a)) exchange(a, b);
      else if (&a != &b) rotate(a, b, places_[static_cast<std::size_t>(below(n))]);
    }
    for (const Place& place : places_) becomes_[static_cast<std::size_t>(place.true_card)] = place.holder;
  }

  struct Place {
    Int true_card, holder, bit;
    Word where;                        // of the holder
  };
  static bool fits(const Place& holder, const Place& to) { return to.bit >= 0 && (holder.where >> to.bit & 1) != 0; }
  static void exchange(Place& a, Place& b) {
    std::swap(a.holder, b.holder);
    std::swap(a.where, b.where);
  }
  // Some worlds are reached by three cards at once only.
  static void rotate(Place& a, Place& b, Place& c) {
    if (&c == &a || &c == &b || !fits(a, b) || !fits(b, c) || !fits(c, a)) return;
    exchange(a, b);
    exchange(a, c);
  }

  // ---- the exchange carried out wherever an id of a card stands
  Int mapped(Int card) const { return is_card(l_, card) ? becomes_[static_cast<std::size_t>(card)] : card; }

  void map_set(Byte* at) const {
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

  void move_cards() {
    for (const Place& place : places_)
      if (place.true_card != place.holder) set_bit(moved_, place.true_card);
    if (!any_in_set(l_, moved_)) return;
    // what the observer knows is of the cards themselves, and stays true
    exchange_knowledge(l_, s_, observer_, becomes_);
    for (Int i = 0; i < l_.instances; ++i) map_set(members_at(s_, l_, i));
    if (l_.arranged < l_.size) map_set(s_ + l_.arranged);
    map_orders();
    for (std::size_t v = 0; v < program_.variables.size(); ++v) map_variable(v);
    map_queue();
    map_frames();
  }

  void map_orders() {
    if (l_.ordered_end == 0) return;
    map_set(s_ + l_.loose);
    std::vector<Int> old(static_cast<std::size_t>(l_.card_ids));
    for (Int card = 0; card < l_.card_ids; ++card) old[static_cast<std::size_t>(card)] = beyond(s_, l_, card);
    for (Int card = 0; card < l_.card_ids; ++card)
      set_neighbour(s_, l_, next_of(l_, mapped(card)), mapped(old[static_cast<std::size_t>(card)]));
    for (Int i = 0; i < l_.instances; ++i)
      if (l_.instance[i].ordered && l_.instance[i].other_side < i)   // of two sides that are one pile once
        for (const Int at : {top_of(l_.instance[i]), bottom_of(l_, l_.instance[i])})
          set_neighbour(s_, l_, at, mapped(neighbour(s_, l_, at)));
  }
  void map_variable(std::size_t v) {
    const VariableSlot& slot = program_.variables[v];
    if (slot.is_set) {
      if (program_.variable_infos[v].kind != ValueKind::card_set) return;
      for (Int i = 0; i < slot.count; ++i) map_set(s_ + slot.offset + i * 8 * l_.words);
      return;
    }
    if (program_.variable_infos[v].kind != ValueKind::card) return;
    for (Int i = 0; i < slot.count; ++i)
      if (const Int card = value_of_variable(program_, s_, static_cast<Int>(v), i); card >= 0)
        write_bytes(variable_at(s_, slot, i), slot.bytes, encode_value(slot, mapped(card)));
  }
  // The entry taken out last may still be read.
  void map_queue() {
    if (l_.queue_length == 0) return;
    for (Int i = 0; i < l_.queue_length; ++i) {
      Byte* entry = s_ + l_.queue + 8 + i * l_.queue_entry;
      const Int block = queue_block(entry);
      for (Int k = 0; k < l_.queue_ints; ++k)
        if (queued_.ints.contains({block, k}))
          write_signed(queue_int_at(entry, l_, k), l_.queue_bytes,
                       mapped(read_signed(queue_int_at(entry, l_, k), l_.queue_bytes)));
      for (Int k = 0; k < l_.queue_sets; ++k)
        if (queued_.sets.contains({block, k})) map_set(queue_set_at(entry, l_, k));
    }
  }
  void map_frames() {
    for (Int frame = top_frame(s_, l_); frame != 0; frame = frame_below(s_, frame)) {
      for (const FrameSlot& slot : resume_point(program_, frame_wait(s_, frame)).live) {
        Byte* at = s_ + frame + slot.offset;
        if (!slot.holds_card) continue;
        if (slot.is_set) map_set(at);
        else write_signed(at, slot.bytes, mapped(read_signed(at, slot.bytes)));
      }
    }
  }

  // ---- secret variables: what was dealt unseen, together with what is left in the pool, is dealt again
  void deal_secrets() {
    for (std::size_t pool = 0; pool < program_.variables.size(); ++pool) {
      struct Instance {
        std::size_t variable;
        Int index;
      };
      std::vector<Instance> dealt;
      std::vector<Int> values;
      for (std::size_t v = 0; v < program_.variable_infos.size(); ++v) {
        if (program_.variable_infos[v].pool != static_cast<Int>(pool) || program_.variable_infos[v].secret_first < 0)
          continue;
        for (Int i = 0; i < program_.variables[v].count; ++i) {
          const Int value = value_of_variable(program_, s_, static_cast<Int>(v), i);
          if (value < 0 || knows_variable(program_, s_, observer_, static_cast<Int>(v), i)) continue;
          dealt.push_back({v, i});
          values.push_back(value);
        }
      }
      if (dealt.empty() || is_left_out()) continue;
      const VariableSlot& left = program_.variables[pool];
      for (Int constant = 0; constant < left.count; ++constant) {
        Byte* at = variable_at(s_, left, constant);
        values.insert(values.end(), static_cast<std::size_t>(read_bytes(at, left.bytes)), constant);
        write_bytes(at, left.bytes, 0);
      }
      if (few_)
        std::swap(values[static_cast<std::size_t>(below(static_cast<Int>(values.size())))],
                  values[static_cast<std::size_t>(below(static_cast<Int>(values.size())))]);
      for (Int n = few_ ? 1 : static_cast<Int>(values.size()); n > 1; --n)
        std::swap(values[static_cast<std::size_t>(n - 1)], values[static_cast<std::size_t>(below(n))]);
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (k >= dealt.size()) {
          Byte* at = variable_at(s_, left, values[k]);
          write_bytes(at, left.bytes, read_bytes(at, left.bytes) + 1);
          continue;
        }
        const VariableSlot& slot = program_.variables[dealt[k].variable];
        write_bytes(variable_at(s_, slot, dealt[k].index), slot.bytes, encode_value(slot, values[k]));
      }
    }
  }

  // What was dealt from nowhere may be anything that its variable can hold; what is unset is unset for everybody.
  // What the compiler made stays: an answer that is already given belongs to the rules that are under way.
  void make_up_secrets() {
    for (std::size_t v = 0; v < program_.variable_infos.size(); ++v) {
      const VariableInfo& info = program_.variable_infos[v];
      const VariableSlot& slot = program_.variables[v];
      if (info.secret_first < 0 || info.pool >= 0 || info.hidden || info.kind == ValueKind::card_set ||
          info.kind == ValueKind::card)
        continue;
      if (slot.is_set || info.list > 0) {
        if (info.inner > 0) make_up_lists_of_lists(v);
        else if (slot.is_set) make_up_cells(v);
        else make_up_lists(v);
        continue;
      }
      for (Int i = 0; i < slot.count; ++i)
        if (value_of_variable(program_, s_, static_cast<Int>(v), i) != kUnset &&
            !knows_variable(program_, s_, observer_, static_cast<Int>(v), i) && !is_left_out())
          write_bytes(variable_at(s_, slot, i), slot.bytes,
                      encode_value(slot, any_value(info, slot, static_cast<Int>(v))));
    }
  }
  void make_up_cells(std::size_t v) {
    const VariableSlot& slot = program_.variables[v];
    const auto cells = static_cast<Int>(
        program_.enums[static_cast<std::size_t>(program_.variable_infos[v].enumeration)].constants.size());
    const Int list = program_.variable_infos[v].list;
    Int there = 0;                       // sets of that list are
    for (Int i = 0; i < slot.count; ++i) {
      if (knows_variable(program_, s_, observer_, static_cast<Int>(v), i) || (list == 0 && is_left_out())) continue;
      Word set[kMaxWords] = {};
      if (list > 0) {
        if (i % list == 0) there = below(list + 1);
        if (i % list < there) set[l_.words - 1] = kThere;
        else {
          write_set(s_ + slot.offset + i * 8 * l_.words, l_, set);
          continue;
        }
      }
      for (Int cell = 0; cell < cells; ++cell)
        if (below(2) == 1) set_bit(set, cell);
      write_set(s_ + slot.offset + i * 8 * l_.words, l_, set);
    }
  }
  void make_up_lists(std::size_t v) {
    const VariableSlot& slot = program_.variables[v];
    const VariableInfo& info = program_.variable_infos[v];
    for (Int first = 0; first < slot.count; first += info.list) {
      if (knows_variable(program_, s_, observer_, static_cast<Int>(v), first) || is_left_out()) continue;
      const Int length = below(info.list + 1);
      for (Int i = 0; i < info.list; ++i)
        write_bytes(variable_at(s_, slot, first + i), slot.bytes,
                    i < length ? encode_value(slot, any_value(info, slot)) : 0);
    }
  }
  void make_up_lists_of_lists(std::size_t v) {
    const VariableSlot& slot = program_.variables[v];
    const VariableInfo& info = program_.variable_infos[v];
    for (Int first = 0; first < slot.count; first += info.run()) {
      if (knows_variable(program_, s_, observer_, static_cast<Int>(v), first) || is_left_out()) continue;
      const Int rows = below(info.list + 1);
      for (Int row = 0; row < info.list; ++row) {
        const Int mark = first + row * (info.inner + 1), length = row < rows ? below(info.inner + 1) : 0;
        write_bytes(variable_at(s_, slot, mark), slot.bytes, row < rows);
        for (Int k = 1; k <= info.inner; ++k)
          write_bytes(variable_at(s_, slot, mark + k), slot.bytes,
                      k <= length ? encode_value(slot, any_value(info, slot)) : 0);
      }
    }
  }
  Int any_value(const VariableInfo& info, const VariableSlot& slot, Int variable = -1) {
    if (const PlacedInfo* dice = info.placed >= 0 ? &program_.placed[static_cast<std::size_t>(info.placed)] : nullptr;
        dice && variable >= 0 && dice->face == variable)
      return dice->faces[static_cast<std::size_t>(below(static_cast<Int>(dice->faces.size())))];
    if (info.kind == ValueKind::player_set) return below(Int{1} << l_.players);
    if (info.kind == ValueKind::other_set) {
      const auto constants =
          info.enumeration >= 0 ? program_.enums[static_cast<std::size_t>(info.enumeration)].constants.size() : 0;
      return below(Int{1} << std::min<std::size_t>(constants, 62));
    }
    const Int values = slot.hi - slot.lo + 1, drawn = below(values + slot.optional);
    return drawn == values ? kNone : slot.lo + drawn;
  }

  const Program& program_;
  const Layout& l_;
  const QueuedCards& queued_;
  Byte* s_;
  const Int observer_;
  Byte stream_[8];
  bool few_ = false;
  std::vector<Place> places_;
  std::vector<std::size_t> from_;      // places from which exchanges begin
  std::vector<Int> becomes_;
  Word moved_[kMaxWords] = {};
};

}  // namespace

Resampler::Resampler(const Program& program) : program_(program) {
  if (program.layout.queue_length == 0) return;
  for (const ir::Function& function : program.step.functions)
    for (const ir::Block& block : function.blocks) {
      Int pushed = 0;
      for (const ir::Instruction& in : block.code) {
        if (in.op == ir::Op::queue_push) pushed = in.operands[0];
        if (in.op != ir::Op::queue_int && in.op != ir::Op::queue_set) continue;
        if (!function.registers[static_cast<std::size_t>(in.operands[1])].holds_card) continue;
        (in.op == ir::Op::queue_int ? queued_.ints : queued_.sets).insert({pushed, in.operands[0]});
      }
    }
}

void Resampler::resample(Byte* s, Int observer, Word seed) const {
  if (observer >= 0) Worlds(program_, queued_, s, observer, seed).draw_all();
  finish(s, seed);
}

void Resampler::redraw(Byte* s, Int observer, Int known_to, Word seed) const {
  if (observer >= 0) Worlds(program_, queued_, s, observer, seed).draw_known_to(known_to);
  finish(s, seed);
}

void Resampler::step(Byte* s, Int observer, Word seed) const {
  if (observer >= 0) Worlds(program_, queued_, s, observer, seed).draw_few();
  finish(s, seed);
}

void Resampler::finish(Byte* s, Word seed) const {
  make_stale(program_, s);
  key_streams(program_.layout, s, run_key(seed), ~Word{0} - 1);
}

State resample(const Program& program, const State& state, Int observer, Word seed) {
  State other(state);
  Resampler(program).resample(other.bytes(), observer, seed);
  return other;
}

}  // namespace cardwright
