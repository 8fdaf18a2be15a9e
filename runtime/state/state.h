// Creates, reads, saves and restores States. runtime/program/layout.h describes their bytes.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/program/program.h"
#include "runtime/state/hash.h"
#include "runtime/ops/game.h"

namespace cardwright {

// ---- new games

// Writes the State of a game before setup to `to` (Layout::size bytes). It has streams keyed by (seed, game index,
// purpose), initial knowledge, and `main` as the only frame.
void new_state(const Program& program, Byte* to, Word seed, Word game_index);
// Like new_state(), but writes only [0, Layout::live_end), which is enough for a playout, and takes the key of the run
// (ops/random.h).
void new_playout_state(const Program& program, Byte* to, Word run, Word game_index);
// Starts the flow of a State without frames: pushes main as the only frame.
void push_main(const Program& program, Byte* s);
// Marks all memoized values as dirty, so that they are recomputed on their next use. Call it after the host has changed
// a State.
void make_stale(const Program& program, Byte* s);

// ---- reading
bool is_over(const Layout& l, const Byte* s);
Word winners(const Layout& l, const Byte* s);   // mask of the winners
// Returns the variable whose first instance has this offset, or -1.
Int variable_by_offset(const Program& program, Int offset);
// Returns a value, which can be kNone or kUnset. The variable must not hold sets of cards or cells.
Int value_of_variable(const Program& program, const Byte* s, Int variable, Int index);
// Returns the elements of each row of a list of sets or lists that begins at index `first` of the variable.
std::vector<std::vector<Int>> rows_of_list(const Program& program, const Byte* s, Int variable, Int first);
// Return elements or cards in ascending order of ids.
std::vector<Int> elements_of_set(const Layout& l, const Byte* s, const VariableSlot& slot, Int index);
std::vector<Int> cards_in_zone(const Layout& l, const Byte* s, Int instance);
// Return the cards of a pile that have fixed positions: cards_from_top() those at the top, from the top down;
// cards_from_bottom() those at the bottom, from the bottom up.
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

// Returns a fingerprint that differs between programs whose States are not interchangeable.
std::uint64_t program_fingerprint(const Program& program);
std::string save_state(const Program& program, const Byte* s);
// Restores a saved State. Returns false and sets `error` if the bytes are damaged or belong to another program. Every
// value that operations use as an index is checked, so that no input can make an engine read outside the State.
bool restore_state(const Program& program, std::string_view saved, Byte* to, std::string& error);
// Checks the bytes of a State as restore_state does and returns the first problem, or an empty string.
std::string find_damage(const Program& program, const Byte* s);

}   // namespace cardwright
