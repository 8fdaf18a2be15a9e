// Collects the notes of one game and adds them up at its end.
#include "api/game/noting.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/game/game_data.h"
#include "runtime/state/state.h"

namespace cardwright::api::detail {

namespace {

constexpr std::size_t kMostAlong = 1 << 20;   // maximum number of values per turn and cell in one game; about 40 MB

std::int64_t number_in(const Program& program, const Byte* state, Int variable) {
  return variable < 0 ? 0 : std::max<Int>(0, value_of_variable(program, state, variable, 0));
}

}   // namespace

Notes::Notes(const Program& program) : program_(program), sums_(all_measures(program)), page_(kPage) {
  for (const MeasureInfo& m : program.measures) {
    const bool along = m.along != MeasureSpan::game;
    const auto cells = static_cast<std::uint64_t>(m.cells());
    measures_.push_back({cells, along, std::vector<NotedSpan>(along ? cells : 0)});
    by_turns_ = by_turns_ || m.along == MeasureSpan::turn;
    by_rounds_ = by_rounds_ || m.along == MeasureSpan::round;
  }
  if (program.figures) figures_.emplace(program, sums_);
  begin();
  next = page_.data();
  end = page_.data() + page_.size();
}

void Notes::turn_page() { read_page(); }

void Notes::read_page() {
  for (const Note* note = page_.data(); note != next;) {
    if (note->of < 0) {
      const Note* const from = note;
      while (note != next && note->of < 0) ++note;
      if (figures_) figures_->read(from, note);
    } else if (note->of == program_.turn_note) {
      turn_began(*note++);
    } else {
      add(*note++);
    }
  }
  next = page_.data();
}

void Notes::turn_began(const Note& note) {
  if (figures_) figures_->turn_began(note.value);
  if (note.value < 0 || note.value >= program_.layout.players)
    raise(Blame::internal, fmt::format("turn of unknown player {}", note.value));
  const std::uint64_t bit = std::uint64_t{1} << note.value;
  if (had_a_turn_ & bit) return;
  had_a_turn_ |= bit;
  turn_order_.push_back(static_cast<int>(note.value));
}

void Notes::add(const Note& note) {
  const auto id = static_cast<std::uint32_t>(note.of);
  if (id >= measures_.size()) raise(Blame::internal, fmt::format("unknown measure {}", id));
  Measure& of = measures_[id];
  std::uint32_t cell = static_cast<std::uint32_t>(note.cell), number = 0;
  if (of.along) {   // most numbers fit in 32 bits, and a 32-bit division takes a third of the time
    const auto both = static_cast<std::uint64_t>(note.cell);
    number =
        both >> 32 == 0 ? cell / static_cast<std::uint32_t>(of.cells) : static_cast<std::uint32_t>(both / of.cells);
    cell = static_cast<std::uint32_t>(both - number * of.cells);
  }
  if (cell >= of.cells) raise(Blame::internal, fmt::format("measure {} has no cell {}", id, cell));
  const GameSums::Cell& its = sums_.row(id).add(cell, note.value);
  if (!of.along) return;
  NotedSpan& last = of.last[cell];
  if (its.count == 1) last = {cell, number, 0, 0};
  if (last.number != number) {
    std::vector<NotedSpan>& along = along_[id];
    if (along.size() < kMostAlong)
      along.push_back(last);
    else
      too_long_ = true;
    last = {cell, number, 0, 0};
  }
  last.sum += note.value;
  ++last.count;
}

void Notes::finish(const Byte* state, MeasuredGame& out) {
  read_page();
  if (too_long_) {
    forget();
    raise(Blame::caller, fmt::format("a measure has more than {} turns and cells in one game: "
                                     "remove `per turn` or a key",
                                     kMostAlong));
  }
  for (std::size_t m = 0; m < measures_.size(); ++m)
    for (const NotedCell& touched : sums_.touched(m))
      if (measures_[m].along) along_[m].push_back(measures_[m].last[touched.cell]);
  if (figures_) figures_->finish(winners_of(program_, state), out);
  sums_.finish(out.cells);
  out.along.swap(along_);
  out.turn_order.swap(turn_order_);
  out.turns = by_turns_ ? number_in(program_, state, program_.turn_number) : 0;
  out.rounds = by_rounds_ ? number_in(program_, state, program_.round_number) : 0;
  begin();
}

void Notes::forget() {
  read_page();
  std::vector<std::vector<NotedCell>> dropped;
  sums_.finish(dropped);
  if (figures_) figures_->begin();
  begin();
}

void Notes::begin() {
  along_.resize(measures_.size());
  for (auto& along : along_) along.clear();
  turn_order_.clear();
  had_a_turn_ = 0;
  too_long_ = false;
}

}   // namespace cardwright::api::detail
