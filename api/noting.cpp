// See noting.h.
#include "api/noting.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/game_data.h"
#include "runtime/state.h"

namespace cardwright::api::detail {

namespace {

constexpr std::size_t kMostAlong = 1 << 20;      // cells of turns in one game, some 40 MB

std::int64_t number_in(const Program& program, const Byte* state, Int variable) {
  return variable < 0 ? 0 : std::max<Int>(0, value_of_variable(program, state, variable, 0));
}

}  // namespace

Notes::Notes(const Program& program) : program_(program), page_(kPage) {
  std::size_t all = 0;
  for (const MeasureInfo& m : program.measures) {
    measures_.push_back({all, m.cells(), m.along != MeasureSpan::game});
    all += static_cast<std::size_t>(m.cells());
  }
  cells_.resize(all);
  next = page_.data();
  end = page_.data() + page_.size();
}

void Notes::turn_page() { read_page(); }

void Notes::read_page() {
  for (const Note* note = page_.data(); note != next; ++note)
    if (note->of < 0) figures ? figures->note(*note) : void();
    else if (note->of == program_.turn_note) turn_began(*note);
    else add(*note);
  next = page_.data();
}

void Notes::turn_began(const Note& note) {
  if (figures) figures->turn_began(note.value);
  const std::uint64_t bit = std::uint64_t{1} << note.value;
  if (had_a_turn_ & bit) return;
  had_a_turn_ |= bit;
  turn_order_.push_back(static_cast<int>(note.value));
}

void Notes::add(const Note& note) {
  const Measure& of = measures_[static_cast<std::size_t>(note.of)];
  const auto id = static_cast<std::uint32_t>(note.of);
  std::int64_t cell = note.cell, number = 0;
  if (of.along) number = cell / of.cells, cell %= of.cells;
  Cell& its = cells_[of.first + static_cast<std::size_t>(cell)];
  if (its.count == 0) {
    touched_.push_back({id, static_cast<std::uint32_t>(cell), 0, 0, 0});
    its.number = number;
  }
  its.sum += note.value;
  ++its.count;
  if (!of.along) return;
  if (its.number != number) {
    if (along_.size() < kMostAlong) along_.push_back({id, static_cast<std::uint32_t>(cell), its.number, its.sum_there, its.count_there});
    else too_long_ = true;
    its.number = number;
    its.sum_there = its.count_there = 0;
  }
  its.sum_there += note.value;
  ++its.count_there;
}

void Notes::finish(const Byte* state, MeasuredGame& out) {
  read_page();
  if (too_long_) {
    forget();
    throw Error(Blame::caller, fmt::format("there are more than {} turns and cells of measures in one game, too many to "
                                           "tell them one by one: leave out `per turn`, or a key",
                                           kMostAlong));
  }
  for (NotedCell& touched : touched_) {
    const Measure& of = measures_[touched.measure];
    Cell& its = cells_[of.first + touched.cell];
    if (of.along) along_.push_back({touched.measure, touched.cell, its.number, its.sum_there, its.count_there});
    touched.sum = its.sum, touched.count = its.count;
    its = {};
  }
  out.cells.swap(touched_);
  out.along.swap(along_);
  out.turn_order.swap(turn_order_);
  out.turns = number_in(program_, state, program_.turn_number);
  out.rounds = number_in(program_, state, program_.round_number);
  touched_.clear(), along_.clear(), turn_order_.clear();
  had_a_turn_ = 0;
}

void Notes::forget() {
  read_page();
  for (const NotedCell& touched : touched_) cells_[measures_[touched.measure].first + touched.cell] = {};
  touched_.clear(), along_.clear(), turn_order_.clear();
  had_a_turn_ = 0;
  too_long_ = false;
}

}  // namespace cardwright::api::detail
