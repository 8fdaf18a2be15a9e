// A State's bytes as a whole: new games, hashes, saving. What the bytes mean is said in runtime/program/layout.h.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/program/program.h"
#include "runtime/hash.h"
#include "runtime/ops/game.h"

namespace cardwright {

// ---- new games

// A game before setup at `to` (Layout::size bytes): initial bytes, streams keyed by (seed, game index, purpose),
// what everybody knows of it, main as the only frame.
void new_state(const Program& program, Byte* to, Word seed, Word game_index);
// As above, but only [0, Layout::live_end) where a playout needs no more, and of the run that has this key
// (ops/random.h).
void new_playout_state(const Program& program, Byte* to, Word run, Word game_index);
// The flow begins: main as the only frame, where there was none.
void push_main(const Program& program, Byte* s);
// What everybody knows of zones and variables that were laid out by hand: no more than they see.
void forget_all(const Program& program, Byte* s);
// Something was changed from outside: every kept value is worked out again when it is next asked for.
void make_stale(const Program& program, Byte* s);

// ---- reading
bool is_over(const Layout& l, const Byte* s);
Word winners(const Layout& l, const Byte* s);   // mask
// The variable whose first instance lies at an offset, or -1.
Int variable_by_offset(const Program& program, Int offset);
// kNone for none, kUnset for unset. Not for sets of cards or cells.
Int value_of_variable(const Program& program, const Byte* s, Int variable, Int index);
// Of a variable that is a list of sets or lists: the elements of each, of the list that begins at `first`.
std::vector<std::vector<Int>> rows_of_list(const Program& program, const Byte* s, Int variable, Int first);
// ascending ids
std::vector<Int> elements_of_set(const Layout& l, const Byte* s, const VariableSlot& slot, Int index);
std::vector<Int> cards_in_zone(const Layout& l, const Byte* s, Int instance);   // ascending ids
// Of a pile, what has its place: the part on top from the topmost down, the part at the bottom from the bottommost up.
std::vector<Int> cards_from_top(const Layout& l, const Byte* s, Int instance);
std::vector<Int> cards_from_bottom(const Layout& l, const Byte* s, Int instance);

// ---- a State that owns its bytes
class State {
 public:
  explicit State(const Program& program)
      : size_(program.layout.size), bytes_(new Byte[static_cast<std::size_t>(size_)]{}) {}
  State(const State& other) : size_(other.size_), bytes_(new Byte[static_cast<std::size_t>(size_)]) { *this = other; }
  State(State&&) noexcept = default;
  State& operator=(const State& other) {
    if (size_ != other.size_) bytes_.reset(new Byte[static_cast<std::size_t>(size_ = other.size_)]);
    std::memcpy(bytes_.get(), other.bytes_.get(), static_cast<std::size_t>(size_));
    return *this;
  }
  State& operator=(State&&) noexcept = default;
  Byte* bytes() { return bytes_.get(); }
  const Byte* bytes() const { return bytes_.get(); }
  Int size() const { return size_; }
  friend bool operator==(const State& a, const State& b) {
    return a.size_ == b.size_ && std::memcmp(a.bytes(), b.bytes(), static_cast<std::size_t>(a.size_)) == 0;
  }

 private:
  Int size_;
  std::unique_ptr<Byte[]> bytes_;   // aligned for Words by new[]
};
State make_state(const Program& program, Word seed, Word game_index);

// ---- saving
// Tells programs apart whose States don't mean the same.
std::uint64_t program_fingerprint(const Program& program);
std::string save_state(const Program& program, const Byte* s);
// Nothing, with the reason in `error`, if the bytes are damaged or of another program. Everything that operations use
// as an index is checked, so that no text of bytes can make an engine read outside the State.
bool restore_state(const Program& program, std::string_view saved, Byte* to, std::string& error);
// What restore checks of the bytes themselves; empty if all is well.
std::string find_damage(const Program& program, const Byte* s);

}   // namespace cardwright
