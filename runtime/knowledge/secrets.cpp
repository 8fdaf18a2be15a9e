// Redraws the secret variables of a State that an observer does not know.
#include "runtime/knowledge/secrets.h"

#include <algorithm>

#include "runtime/knowledge/knowledge.h"
#include "runtime/ops/nested_lists.h"
#include "runtime/ops/random.h"
#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"

namespace cardwright {

namespace {

constexpr Int kFewSecrets = 8;   // a step redraws one of this many secrets on average

class Secrets {
 public:
  Secrets(const Program& program, Byte* s, Int observer, Byte* stream, bool few)
      : program_(program), l_(program.layout), s_(s), observer_(observer), stream_(stream), few_(few) {}

  // Redistributes the unknown values: deals them again from a pool of these values and the remaining ones.
  void deal(const HiddenThings::Pool& pool) {
    struct Instance {
      Int variable, index;
    };
    std::vector<Instance> dealt;
    std::vector<Int> values;
    for (const Int v : pool.dealt)
      for (Int i = 0; i < program_.variables[static_cast<std::size_t>(v)].count; ++i) {
        const Int value = value_of_variable(program_, s_, v, i);
        if (value < 0 || knows_variable(program_, s_, observer_, v, i)) continue;
        dealt.push_back({v, i});
        values.push_back(value);
      }
    if (dealt.empty() || is_left_out()) return;
    const VariableSlot& left = program_.variables[static_cast<std::size_t>(pool.variable)];
    for (Int constant = 0; constant < left.count; ++constant) {
      Byte* at = variable_at(s_, left, constant);
      values.insert(values.end(), static_cast<std::size_t>(read_bytes(at, left.bytes)), constant);
      write_bytes(at, left.bytes, 0);
    }
    const auto any = [&](Int n) -> Int& { return values[static_cast<std::size_t>(below(n))]; };
    const Int n = static_cast<Int>(values.size());
    if (few_)
      std::swap(any(n), any(n));
    else {
      std::sort(values.begin(), values.end());
      for (Int rest = n; rest > 1; --rest) std::swap(values[static_cast<std::size_t>(rest - 1)], any(rest));
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (k >= dealt.size()) {
        Byte* at = variable_at(s_, left, values[k]);
        write_bytes(at, left.bytes, read_bytes(at, left.bytes) + 1);
        continue;
      }
      const VariableSlot& slot = program_.variables[static_cast<std::size_t>(dealt[k].variable)];
      write_bytes(variable_at(s_, slot, dealt[k].index), slot.bytes, encode_value(slot, values[k]));
    }
  }

  // Redraws a variable that is not dealt from a pool. Every value in its range is possible, but all players know
  // whether the variable is set.
  void make_up(Int variable) {
    const auto v = static_cast<std::size_t>(variable);
    const VariableInfo& info = program_.variable_infos[v];
    const VariableSlot& slot = program_.variables[v];
    if (slot.is_set || info.list > 0) {
      if (info.inner > 0)
        make_up_lists_of_lists(v);
      else if (slot.is_set)
        make_up_cells(v);
      else
        make_up_lists(v);
      return;
    }
    for (Int i = 0; i < slot.count; ++i)
      if (value_of_variable(program_, s_, variable, i) != kUnset &&
          !knows_variable(program_, s_, observer_, variable, i) && !is_left_out())
        write_bytes(variable_at(s_, slot, i), slot.bytes, encode_value(slot, any_value(info, slot, variable)));
  }

 private:
  Int below(Int n) { return draw_below(stream_, n); }
  bool is_left_out() { return few_ && below(kFewSecrets) != 0; }

  void make_up_cells(std::size_t v) {
    const VariableSlot& slot = program_.variables[v];
    const Int cells = slot.hi + 1;
    const Int list = program_.variable_infos[v].list;
    Int there = 0;   // number of sets in the list
    for (Int i = 0; i < slot.count; ++i) {
      if (knows_variable(program_, s_, observer_, static_cast<Int>(v), i) || (list == 0 && is_left_out())) continue;
      Word set[kMaxWords];
      clear_set(l_, set);
      if (list > 0) {
        if (i % list == 0) there = below(list + 1);
        if (i % list < there)
          set[l_.words - 1] = kPresent;
        else {
          write_set(s_ + slot.offset + i * 8 * l_.words, l_, set);
          continue;
        }
      }
      for (Int cell = slot.lo; cell < cells; ++cell)
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
  Byte* s_;
  const Int observer_;
  Byte* stream_;
  const bool few_;
};

}   // namespace

void draw_secrets(const Program& program, const HiddenThings& things, Byte* s, Int observer, Byte* stream, bool few) {
  Secrets secrets(program, s, observer, stream, few);
  for (const HiddenThings::Pool& pool : things.pools) secrets.deal(pool);
  for (const Int variable : things.made_up) secrets.make_up(variable);
}

}   // namespace cardwright
