// Creates, reads, checks, saves and restores States.
#include "runtime/state/state.h"

#include <fmt/format.h>

#include "runtime/ops/frames.h"
#include "runtime/ops/random.h"
#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"

namespace cardwright {

// ---- new games

void new_playout_state(const Program& program, Byte* to, Word run, Word game_index) {
  std::memcpy(to, program.initial.data(), static_cast<std::size_t>(program.layout.live_end));
  key_streams(program.layout, to, run, game_index);
}

void new_state(const Program& program, Byte* to, Word seed, Word game_index) {
  const Layout& l = program.layout;
  const std::size_t given = std::min(program.initial.size(), static_cast<std::size_t>(l.size));
  std::memcpy(to, program.initial.data(), given);
  std::memset(to + given, 0, static_cast<std::size_t>(l.size) - given);
  key_streams(l, to, run_key(seed), game_index);
  push_main(program, to);
}

void push_main(const Program& program, Byte* s) {
  Game g;
  const FrameInfo& frame = program.frames[program.main];
  op_frame_push(g, s, program.layout, static_cast<Int>(program.main), frame.first, frame.size, 0);
}

State make_state(const Program& program, Word seed, Word game_index) {
  State state(program);
  new_state(program, state.bytes(), seed, game_index);
  return state;
}

// ---- reading

bool is_over(const Layout& l, const Byte* s) { return s[l.over] != 0; }
Word winners(const Layout& l, const Byte* s) { return read<std::uint16_t>(s + l.winners); }

Int variable_by_offset(const Program& program, Int offset) {
  for (std::size_t v = 0; v < program.variables.size(); ++v)
    if (program.variables[v].offset == offset && program.variables[v].count > 0) return static_cast<Int>(v);
  return -1;
}

Int value_of_variable(const Program& program, const Byte* s, Int variable, Int index) {
  const VariableSlot& v = program.variables[static_cast<std::size_t>(variable)];
  if (v.is_set || !has_index(v, index)) return kNone;
  const Word stored = read_bytes(s + v.offset + index * v.bytes, v.bytes);
  if (stored < static_cast<Word>(v.bias)) return stored == 0 ? kUnset : kNone;
  return decode_value(v, stored);
}

namespace {
std::vector<Int> bits_of(const Layout& l, const Byte* set) {
  std::vector<Int> bits;
  for (Int w = 0; w < l.words; ++w)
    for (Word rest = read<Word>(set + 8 * w); rest != 0; rest &= rest - 1) bits.push_back(64 * w + lowest_bit(rest));
  return bits;
}
}   // namespace

std::vector<Int> elements_of_set(const Layout& l, const Byte* s, const VariableSlot& slot, Int index) {
  return bits_of(l, s + slot.offset + index * 8 * l.words);
}
std::vector<std::vector<Int>> rows_of_list(const Program& program, const Byte* s, Int variable, Int first) {
  const VariableSlot& v = program.variables[static_cast<std::size_t>(variable)];
  const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(variable)];
  std::vector<std::vector<Int>> rows;
  for (Int i = 0; i < info.list; ++i) {
    if (v.is_set) {
      std::vector<Int> set = elements_of_set(program.layout, s, v, first + i);
      if (set.empty() || set.back() != 64 * program.layout.words - 1) break;   // without kPresent
      set.pop_back();
      rows.push_back(std::move(set));
      continue;
    }
    const Int mark = first + i * (info.inner + 1);
    if (value_of_variable(program, s, variable, mark) == kUnset) break;
    std::vector<Int>& row = rows.emplace_back();
    for (Int k = 1; k <= info.inner && value_of_variable(program, s, variable, mark + k) != kUnset; ++k)
      row.push_back(value_of_variable(program, s, variable, mark + k));
  }
  return rows;
}
std::vector<Int> cards_in_zone(const Layout& l, const Byte* s, Int instance) {
  return bits_of(l, members_at(s, l, instance));
}

namespace {
std::vector<Int> list_from(const Layout& l, const Byte* s, Int instance, Int card) {
  std::vector<Int> cards;
  for (; card >= 0; card = beyond(s, l, card))
    if (stored_has(members_at(s, l, instance), l, card)) cards.push_back(card);
  return cards;
}
}   // namespace

std::vector<Int> cards_from_top(const Layout& l, const Byte* s, Int instance) {
  return l.instance[instance].ordered ? list_from(l, s, instance, fixed_top(s, l, l.instance[instance]))
                                      : std::vector<Int>();
}
std::vector<Int> cards_from_bottom(const Layout& l, const Byte* s, Int instance) {
  return l.instance[instance].ordered ? list_from(l, s, instance, fixed_bottom(s, l, l.instance[instance]))
                                      : std::vector<Int>();
}

// ---- saving

namespace {

constexpr std::string_view kMagic = "CWSAVE01";
constexpr std::size_t kHeader = 8 + 8 + 8;   // magic number, fingerprint, size; the bytes and their checksum follow

void put_word(std::string& to, Word value) {
  for (int i = 0; i < 8; ++i) to += static_cast<char>(value >> (8 * i));
}
Word get_word(std::string_view from, std::size_t at) {
  Word value = 0;
  for (std::size_t i = 0; i < 8; ++i) value |= Word{static_cast<unsigned char>(from[at + i])} << (8 * i);
  return value;
}
std::uint64_t hash_text(std::string_view text, Word seed) {
  return hash_bytes(reinterpret_cast<const Byte*>(text.data()), static_cast<Int>(text.size()), seed);
}

std::string damage_in_frames(const Program& program, const Byte* s) {
  const Layout& l = program.layout;
  Int above = 0;
  for (Int frame = top_frame(s, l); frame != 0; above = std::exchange(frame, frame_below(s, frame))) {
    if (frame < l.frames || frame + kFrameHeader > l.frames_end) return "a frame is outside the stack";
    const auto wait = static_cast<std::size_t>(frame_wait(s, frame));
    if (wait >= program.waits.size()) return "a frame has an invalid suspend point";
    if (frame + program.frames[program.waits[wait]].size > l.frames_end) return "a frame extends beyond the stack";
    if (above != 0 && above - frame != resume_point(program, static_cast<Int>(wait)).size)
      return "a frame has the wrong size";
    if (frame != l.frames && frame_below(s, frame) == 0) return "the bottom frame is not at the start of the stack";
  }
  return "";
}

// Checks that the fixed parts and the bag together contain exactly the cards of the pile, and that no list continues
// into another pile.
std::string damage_in_pile(const Layout& l, const Byte* s, Int i, const Word* members) {
  const ZoneInstance& z = l.instance[i];
  Word seen[kMaxWords] = {};
  read_bag(s, l, i, seen);
  for (const Int first : {fixed_top(s, l, z), fixed_bottom(s, l, z)})
    for (Int card = first; card != kNoCard; card = beyond(s, l, card)) {
      if (!is_card(l, card) || !has_bit(members, card) || has_bit(seen, card))
        return fmt::format("pile {} has an invalid order", i);
      set_bit(seen, card);
    }
  for (Int w = 0; w < l.words; ++w)
    if (seen[w] != members[w]) return fmt::format("pile {} and its order contain different cards", i);
  return "";
}

std::string damage_in_zones(const Program& program, const Byte* s) {
  const Layout& l = program.layout;
  std::vector<Int> found(static_cast<std::size_t>(l.card_ids), kNone);
  for (Int i = 0; i < l.instances; ++i) {
    Word members[kMaxWords];
    read_set(members_at(s, l, i), l, members);
    for (Int w = 0; w < l.words; ++w)
      if (members[w] & ~l.all_cards[w]) return fmt::format("zone {} contains an id that is not a card", i);
    for (const Int card : cards_in_zone(l, s, i)) {
      if (found[static_cast<std::size_t>(card)] != kNone) return fmt::format("card {} is in two zones", card);
      found[static_cast<std::size_t>(card)] = i;
    }
    for (Int w = 0; w < l.words; ++w) members[w] = members_word(s, l, i, w);
    if (l.instance[i].ordered)
      if (std::string damage = damage_in_pile(l, s, i, members); !damage.empty()) return damage;
  }
  for (Int card = 0; card < l.card_ids; ++card) {
    const Int at = found[static_cast<std::size_t>(card)];
    if (l.ordered_end > 0 && stored_has(s + l.loose, l, card) && (at == kNone || !l.instance[at].ordered))
      return fmt::format("card {} is in the bag of a pile, but not in a pile", card);
  }
  return "";
}

std::string damage_in_variables(const Program& program, const Byte* s) {
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const VariableSlot& v = program.variables[i];
    if (const VariableInfo& info = program.variable_infos[i]; info.kind == ValueKind::cell_set) {
      const Int cells = v.hi + 1;
      for (Int k = 0; k < v.count; ++k)
        for (const Int cell : elements_of_set(program.layout, s, v, k))
          if (cell >= cells && !(info.list > 0 && cell == 64 * program.layout.words - 1))
            return fmt::format("variable {} contains the invalid cell {}", i, cell);
    }
    if (v.is_set) continue;
    const Int list = program.variable_infos[i].run(), each = program.variable_infos[i].inner + 1;
    for (Int k = 0; k < v.count; ++k) {
      const Word stored = read_bytes(s + v.offset + k * v.bytes, v.bytes);
      const Int before = each > 1 && k % list % each == 0 ? each : 1;   // the previous entry, which must be set
      if (list > 0 && k % list > 0 && stored != 0 && read_bytes(s + v.offset + (k - before) * v.bytes, v.bytes) == 0)
        return fmt::format("list {} has an unset element before a set one", i);
      if (before > 1 && stored > 1) return fmt::format("list {} has an invalid presence mark", i);
      if (stored < static_cast<Word>(v.bias)) continue;
      const Int value = decode_value(v, stored);
      if (value < v.lo || value > v.hi)
        return fmt::format("variable {} has the value {}, which is out of range", i, value);
    }
  }
  return "";
}

}   // namespace

std::string find_damage(const Program& program, const Byte* s) {
  const Layout& l = program.layout;
  if (l.queue_length > 0 && (s[l.queue] >= l.queue_length || s[l.queue + 1] >= l.queue_length))
    return "an index of the queue is out of range";
  for (auto check : {damage_in_frames, damage_in_zones, damage_in_variables})
    if (std::string damage = check(program, s); !damage.empty()) return damage;
  return "";
}

std::uint64_t program_fingerprint(const Program& program) {
  std::uint64_t hash = hash_text(program.name, 1);
  const auto add = [&](Int value) { hash = mix_word(hash ^ static_cast<Word>(value)) + kGoldenGamma; };
  const auto add_text = [&](std::string_view text) { hash = hash_text(text, hash); };
  add_text(program.version);
  for (const auto& [name, value] : program.options) add_text(name), add_text(value);
  const Layout& l = program.layout;
  for (const Int number :
       {l.words, l.players, l.card_ids, l.instances, l.rules_end, l.live_end, l.frames, l.frames_end, l.size})
    add(number);
  for (const ir::Function& function : program.step.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& instruction : block.code) {
        add(static_cast<Int>(instruction.op));
        for (const std::int64_t operand : instruction.operands) add(operand);
      }
  for (const CardInfo& card : program.cards) add_text(card.label), add(card.look_alike);
  for (const ActionInfo& action : program.actions) add_text(action.name), add(action.base);
  hash = hash_bytes(program.initial.data(), static_cast<Int>(program.initial.size()), hash);
  return hash;
}

void make_stale(const Program& program, Byte* s) {
  if (program.stale < 0) return;
  const VariableSlot& slot = program.variables[static_cast<std::size_t>(program.stale)];
  write_bytes(variable_at(s, slot, 0), slot.bytes, encode_value(slot, slot.initial));
}

std::string save_state(const Program& program, const Byte* s) {
  std::string out(kMagic);
  put_word(out, program_fingerprint(program));
  put_word(out, static_cast<Word>(program.layout.size));
  out.append(reinterpret_cast<const char*>(s), static_cast<std::size_t>(program.layout.size));
  put_word(out, hash_text(out, 0));
  return out;
}

bool restore_state(const Program& program, std::string_view saved, Byte* to, std::string& error) {
  const auto size = static_cast<std::size_t>(program.layout.size);
  if (saved.size() < kHeader || saved.substr(0, kMagic.size()) != kMagic)
    return error = "it is not a Cardwright state", false;
  if (get_word(saved, 8) != program_fingerprint(program))
    return error = "it was created with different rules, players or options", false;
  if (get_word(saved, 16) != size || saved.size() != kHeader + size + 8)
    return error = "it is truncated or has the wrong size", false;
  if (get_word(saved, kHeader + size) != hash_text(saved.substr(0, kHeader + size), 0))
    return error = "its checksum does not match", false;
  const std::vector<Byte> bytes(saved.begin() + kHeader, saved.begin() + static_cast<std::ptrdiff_t>(kHeader + size));
  if (std::string damage = find_damage(program, bytes.data()); !damage.empty())
    return error = "it is corrupt: " + damage, false;
  std::memcpy(to, bytes.data(), size);
  return true;
}

}   // namespace cardwright
