// Adds up the values of measures over many games, and computes the tables of results.
#include "simulation/measure_tally.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "runtime/program/words.h"
#include "runtime/state/state.h"

namespace cardwright::api {

namespace {

// Number of single turns or rounds at the beginning of a course. Sections of doubling length follow, and finally the
// tenths of the game.
constexpr std::int64_t kOneByOne = 64;
constexpr std::size_t kStretches = 64 + 26, kTenths = 10, kAllStretches = kStretches + kTenths;

std::size_t stretch_of(std::int64_t number) {
  if (number <= kOneByOne) return static_cast<std::size_t>(number - 1);
  const int doublings = std::bit_width(static_cast<std::uint64_t>((number - 1) / kOneByOne)) - 1;
  return std::min<std::size_t>(kStretches - 1, 64 + static_cast<std::size_t>(doublings));
}
std::int64_t first_of(std::size_t stretch) {
  return stretch < 64 ? static_cast<std::int64_t>(stretch) + 1 : (kOneByOne << (stretch - 64)) + 1;
}
bool divides_by_moments(const MeasureInfo& m) { return m.what == MeasureWhat::mean || m.what == MeasureWhat::share; }

Wide squared(std::int64_t x) { return Wide{x} * x; }

// Returns true for standard measures whose figures have no interval. They have many cells, and computing their squares
// and histograms would take as long as a short game.
bool has_only_sums(const Program& program, std::size_t measure) {
  const detail::StandardMeasure* const standard = detail::standard_measure(program, measure);
  return standard && (standard->what == MeasureWhat::count || standard->key == detail::StandardMeasure::Key::card_type);
}

}   // namespace

void MeasureSums::add(const MeasureSums& other) {
  games += other.games;
  x += other.x, n += other.n, xx += other.xx, xn += other.xn, nn += other.nn;
}

double MeasureSums::value() const { return n == 0 ? 0 : static_cast<double>(x) / static_cast<double>(n); }

std::pair<double, double> MeasureSums::interval() const {
  constexpr double z = 1.959963984540054, infinite = std::numeric_limits<double>::infinity();
  if (games < 2 || n == 0) return {-infinite, infinite};
  const double r = value(), all = static_cast<double>(games);
  const double squares = static_cast<double>(xx) - 2 * r * static_cast<double>(xn) + r * r * static_cast<double>(nn);
  const double half = z * std::sqrt(std::max(0.0, squares) * all / (all - 1)) / static_cast<double>(n);
  return {r - half, r + half};
}

std::vector<std::pair<std::int64_t, std::uint64_t>> MeasureTally::Counts::bins(std::uint64_t of) const {
  std::vector<std::pair<std::int64_t, std::uint64_t>> out;
  for (const Spread::Bin& bin : down.bins()) out.emplace_back(-bin.from, bin.games);
  std::reverse(out.begin(), out.end());
  const std::uint64_t noted = up.count() + down.count();
  std::uint64_t zeros = of - std::min(of, noted);
  bool begun = false;
  const auto put_zeros = [&] {
    if (!std::exchange(begun, true) && zeros) out.emplace_back(0, zeros);
  };
  for (const Spread::Bin& bin : up.bins()) {
    if (bin.from == 0) {
      zeros += bin.games;
      continue;
    }
    put_zeros();
    out.emplace_back(bin.from, bin.games);
  }
  put_zeros();
  return out;
}

// ---- counting

MeasureTally::MeasureTally(const Program& program)
    : program_(program),
      measures_(detail::all_measures(program)),
      views_of_(measures_.size()),
      taken_(static_cast<std::size_t>(program.layout.players)),
      won_(taken_.size()),
      draws_(program.figures ? program.kinds.size() : 0) {
  const auto add_view = [&](std::size_t m, int trait) {
    View view{.measure = m, .trait = trait, .keys = measures_[m].keys};
    std::int64_t stride = 1;
    for (std::size_t k = view.keys.size(); trait >= 0 && k-- > 0; stride *= view.keys[k].count) {
      if (view.keys[k].kind != ValueKind::player) continue;
      const Int variable = program.statistics[static_cast<std::size_t>(trait)];
      const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(variable)];
      view.stride = stride;
      view.players = view.keys[k].count;
      view.values =
          static_cast<std::int64_t>(program.enums[static_cast<std::size_t>(info.enumeration)].constants.size());
      view.keys[k] = {view.keys[k].name + ": " + info.name, ValueKind::enumeration, info.enumeration, 0, view.values};
      break;
    }
    std::size_t cells = 1;
    for (const MeasureKeyInfo& key : view.keys) cells *= static_cast<std::size_t>(key.count);
    view.cells.resize(cells);
    view.now.resize(cells);
    view.units.resize(static_cast<std::size_t>(trait < 0 ? 1 : view.values));
    if (!divides_by_moments(measures_[m]) && !has_only_sums(program, m)) view.counts.resize(cells);
    if (measures_[m].along != MeasureSpan::game && trait < 0) {
      view.course.resize(kAllStretches * cells);
      view.course_units.resize(kAllStretches);
    }
    views_of_[m].push_back(views_.size());
    views_.push_back(std::move(view));
  };
  std::size_t bytes = 0;
  for (const MeasureInfo& m : measures_) {
    const auto cells = static_cast<std::size_t>(m.cells());
    bytes += cells * (sizeof(Cell) + sizeof(Sum) + sizeof(Counts));
    if (m.along != MeasureSpan::game) bytes += cells * kAllStretches * sizeof(Cell);
  }
  if (bytes > kMostBytes)
    throw Error(Blame::caller,
                fmt::format("these measures need {} MB per thread, and the limit is {} MB: request fewer "
                            "measures, or remove a key",
                            bytes >> 20, kMostBytes >> 20));
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    add_view(m, -1);
    const auto& keys = measures_[m].keys;
    if (std::any_of(keys.begin(), keys.end(), [](const auto& key) { return key.kind == ValueKind::player; }))
      for (std::size_t t = 0; t < program.statistics.size(); ++t) add_view(m, static_cast<int>(t));
  }
  std::size_t widest = 0;
  for (const View& view : views_)
    if (!view.course.empty()) widest = std::max(widest, view.cells.size());
  far_.resize(widest), tenth_.resize(widest);
  stretch_units_.resize(kAllStretches);
  const bool by_traits = std::any_of(views_.begin(), views_.end(), [](const View& v) { return v.trait >= 0; });
  if (program.figures) views_[views_of_[program.measures.size() + detail::standard::options][0]].counts.resize(1);
  if (by_traits) traits_.resize(program.statistics.size());
  for (auto& seats : traits_) seats.resize(static_cast<std::size_t>(program.layout.players));
}

std::int64_t MeasureTally::spans_in(const MeasureInfo& measure, const detail::MeasuredGame& game) const {
  return measure.along == MeasureSpan::turn ? game.turns : measure.along == MeasureSpan::round ? game.rounds : 0;
}

// Converts the index of a measure's cell to its index in the view; -1 if the player has no value of the trait.
std::int64_t MeasureTally::cell_in(const View& view, std::int64_t cell) const {
  if (view.trait < 0) return cell;
  const std::int64_t player = cell / view.stride % view.players;
  if (player >= program_.layout.players) return -1;
  const Int value = traits_[static_cast<std::size_t>(view.trait)][static_cast<std::size_t>(player)];
  if (value < 0 || value >= view.values) return -1;
  return (cell / (view.stride * view.players) * view.values + value) * view.stride + cell % view.stride;
}

std::size_t MeasureTally::unit_of(const View& view, std::size_t cell) const {
  return view.trait < 0 ? 0 : cell / static_cast<std::size_t>(view.stride) % static_cast<std::size_t>(view.values);
}

inline void MeasureTally::add_cell(View& view, std::size_t cell, std::int64_t x, std::int64_t n) {
  Cell& its = view.cells[cell];
  its.x += x, its.n += n;
  its.xx += squared(x), its.xn += Wide{x} * n, its.nn += squared(n);
}

// Adds this game's divisors of counts and sums: 1, or the number of turns or rounds for a measure with `per turn` or
// `per round`. With a trait, adds it to a trait value once for each player with this value.
void MeasureTally::add_units(View& view, const detail::MeasuredGame& game) {
  const MeasureInfo& measure = measures_[view.measure];
  const std::int64_t each = measure.per_span ? spans_in(measure, game) : 1;
  if (view.trait < 0) {
    view.units[0].n += each, view.units[0].nn += squared(each);
    return;
  }
  const auto& seats = traits_[static_cast<std::size_t>(view.trait)];
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const Int value = seats[i];
    if (value < 0 || value >= view.values ||
        std::find(seats.begin(), seats.begin() + static_cast<std::ptrdiff_t>(i), value) !=
            seats.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    const std::int64_t n = each * std::count(seats.begin(), seats.end(), value);
    view.units[static_cast<std::size_t>(value)].n += n, view.units[static_cast<std::size_t>(value)].nn += squared(n);
  }
}

// Adds the number of this game's turns or rounds in each section, which is the divisor of counts and sums.
void MeasureTally::add_stretch_units(View& view, std::int64_t spans) {
  std::fill(stretch_units_.begin(), stretch_units_.end(), 0);
  const auto one_by_one = static_cast<std::size_t>(std::min(spans, kOneByOne));
  std::fill_n(stretch_units_.begin(), one_by_one, 1);
  for (std::size_t s = 64; s < kStretches && first_of(s) <= spans; ++s)
    stretch_units_[s] = std::min(spans + 1, s + 1 < kStretches ? first_of(s + 1) : spans + 1) - first_of(s);
  for (std::int64_t tenth = 0; tenth < 10; ++tenth)
    stretch_units_[kStretches + static_cast<std::size_t>(tenth)] =
        ((tenth + 1) * spans + 9) / 10 - (tenth * spans + 9) / 10;
  for (std::size_t s = 0; s < kAllStretches; ++s)
    view.course_units[s].n += stretch_units_[s], view.course_units[s].nn += squared(stretch_units_[s]);
}

// Adds the course of the game. The turns of each cell are in ascending order, so a section is complete when the next
// one begins.
void MeasureTally::add_along(View& view, const std::vector<detail::NotedSpan>& along, std::int64_t spans) {
  const std::size_t cells = view.cells.size();
  const bool by_moments = divides_by_moments(measures_[view.measure]);
  if (!by_moments) add_stretch_units(view, spans);
  const auto put = [&](std::size_t cell, const Stretch& s) {
    Cell& its = view.course[s.which * cells + cell];
    const std::int64_t n = by_moments ? s.n : stretch_units_[s.which];
    its.x += s.x, its.xx += squared(s.x), its.xn += Wide{s.x} * n;
    if (by_moments) its.n += n, its.nn += squared(n);
  };
  const auto join = [&](std::vector<Stretch>& all, std::size_t cell, std::size_t which, const detail::NotedSpan& one) {
    Stretch& s = all[cell];
    if (s.n != 0 && s.which != which) put(cell, s), s.x = s.n = 0;
    s.which = which;
    s.x += one.sum, s.n += one.count;
  };
  const auto tenths = static_cast<std::uint32_t>(spans);
  for (const detail::NotedSpan& one : along) {
    if (one.number < 1 || one.number > tenths) continue;
    if (one.number <= kOneByOne)
      put(one.cell, {{one.sum, one.count}, one.number - 1});
    else
      join(far_, one.cell, stretch_of(one.number), one);
    join(tenth_, one.cell, kStretches + static_cast<std::size_t>(std::uint64_t{one.number - 1} * 10 / tenths), one);
  }
  for (auto* all : {&far_, &tenth_})
    for (std::size_t cell = 0; cell < cells; ++cell)
      if (Stretch& s = (*all)[cell]; s.n != 0) put(cell, s), s.x = s.n = 0;
}

// Adds the values of a game, with players replaced by their values of the trait. Several cells of the measure can
// belong to the same cell of the view.
void MeasureTally::add_by_trait(View& view, const std::vector<detail::NotedCell>& cells, std::int64_t spans) {
  const MeasureInfo& measure = measures_[view.measure];
  const bool by_moments = divides_by_moments(measure);
  touched_.clear();
  for (const detail::NotedCell& c : cells) {
    const std::int64_t cell = cell_in(view, c.cell);
    if (cell < 0) continue;
    Sum& sum = view.now[static_cast<std::size_t>(cell)];
    if (sum.n == 0) touched_.push_back(static_cast<std::size_t>(cell));
    sum.x += c.sum, sum.n += c.count;
    if (!by_moments && !measure.per_span) view.counts[static_cast<std::size_t>(cell)].add(c.sum);
  }
  const auto& seats = traits_[static_cast<std::size_t>(view.trait)];
  for (const std::size_t cell : touched_) {
    Sum& sum = view.now[cell];
    const std::int64_t holders = std::count(seats.begin(), seats.end(), static_cast<Int>(unit_of(view, cell)));
    add_cell(view, cell, sum.x, by_moments ? sum.n : holders * (measure.per_span ? spans : 1));
    sum = {};
  }
}

void MeasureTally::add(std::uint64_t index, const detail::MeasuredGame& game, const Byte* state) {
  ++games_;
  for (std::size_t t = 0; t < traits_.size(); ++t)
    for (std::size_t seat = 0; seat < traits_[t].size(); ++seat)
      traits_[t][seat] = value_of_variable(program_, state, program_.statistics[t], static_cast<Int>(seat));
  for (View& view : views_) {
    const MeasureInfo& measure = measures_[view.measure];
    const bool by_moments = divides_by_moments(measure);
    const std::int64_t spans = spans_in(measure, game), unit = measure.per_span ? spans : 1;
    const std::vector<detail::NotedCell>& cells = game.cells[view.measure];
    if (!by_moments) add_units(view, game);
    if (has_only_sums(program_, view.measure)) {
      for (const detail::NotedCell& c : cells)
        view.cells[c.cell].x += c.sum, view.cells[c.cell].n += by_moments ? c.count : 1;
    } else if (view.trait >= 0) {
      add_by_trait(view, cells, spans);
    } else {
      for (const detail::NotedCell& c : cells) add_cell(view, c.cell, c.sum, by_moments ? c.count : unit);
      if (!by_moments && !measure.per_span)
        for (const detail::NotedCell& c : cells) view.counts[c.cell].add(c.sum);
    }
    if (!by_moments && measure.per_span)
      for (const detail::NotedSpan& c : game.along[view.measure])
        if (c.number > 0)
          if (const std::int64_t cell = cell_in(view, c.cell); cell >= 0)
            view.counts[static_cast<std::size_t>(cell)].add(c.sum);
    if (!view.course.empty()) add_along(view, game.along[view.measure], spans);
  }
  const std::uint64_t winners = detail::winners_of(program_, state);
  for (std::size_t place = 0; place < game.turn_order.size() && place < taken_.size(); ++place) {
    ++taken_[place];
    won_[place] += winners >> game.turn_order[place] & 1;
  }
  if (!program_.figures) return;
  draws_.add(index, game.draws, winners);
  Histogram& options = views_[views_of_[program_.measures.size() + detail::standard::options][0]].counts[0].up;
  for (const Int number : game.options) options.add(number);
}

void MeasureTally::add(const MeasureTally& other) {
  const auto add_all = [](std::vector<Cell>& to, const std::vector<Cell>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i].x += from[i].x, to[i].n += from[i].n;
      to[i].xx += from[i].xx, to[i].xn += from[i].xn, to[i].nn += from[i].nn;
    }
  };
  games_ += other.games_;
  for (std::size_t v = 0; v < views_.size(); ++v) {
    View& mine = views_[v];
    const View& theirs = other.views_[v];
    add_all(mine.cells, theirs.cells);
    add_all(mine.units, theirs.units);
    add_all(mine.course, theirs.course);
    add_all(mine.course_units, theirs.course_units);
    for (std::size_t i = 0; i < mine.counts.size(); ++i)
      mine.counts[i].up.add(theirs.counts[i].up), mine.counts[i].down.add(theirs.counts[i].down);
  }
  for (std::size_t p = 0; p < taken_.size(); ++p) taken_[p] += other.taken_[p], won_[p] += other.won_[p];
  draws_.add(other.draws_);
}

// ---- results

MeasureSums MeasureTally::sums_of(const View& view, const Cell& cell, const Cell& unit) const {
  const bool by_moments = divides_by_moments(measures_[view.measure]);
  return {games_, cell.x, by_moments ? cell.n : unit.n, cell.xx, cell.xn, by_moments ? cell.nn : unit.nn};
}

static std::string key_in_words(const Program& program, const MeasureKeyInfo& key, std::int64_t digit) {
  if (key.optional && digit == key.count - 1) return key.kind == ValueKind::player ? "nobody" : "none";
  return value_in_words(program, key.kind, key.enumeration, key.first + digit);
}

std::vector<std::string> keys_in_words(const Program& program, const std::vector<MeasureKeyInfo>& keys,
                                       std::int64_t cell) {
  std::vector<std::string> out(keys.size());
  for (std::size_t k = keys.size(); k-- > 0; cell /= keys[k].count)
    out[k] = key_in_words(program, keys[k], cell % keys[k].count);
  return out;
}

MeasureTable MeasureTally::table(const View& view) const {
  const MeasureInfo& m = measures_[view.measure];
  constexpr const char* whats[] = {"count", "sum", "mean", "share"};
  MeasureTable out{.name = m.name, .label = m.label, .what = whats[static_cast<std::size_t>(m.what)]};
  out.per_span = m.per_span;
  out.duration = m.duration;
  for (const MeasureKeyInfo& key : view.keys) out.keys.push_back(spaced(key.name));
  for (std::size_t c = 0; c < view.cells.size(); ++c) {
    const Cell& unit = view.units[unit_of(view, c)];
    MeasureCell cell{
        keys_in_words(program_, view.keys, static_cast<std::int64_t>(c)), sums_of(view, view.cells[c], unit), {}};
    if (!view.counts.empty()) cell.histogram = view.counts[c].bins(static_cast<std::uint64_t>(unit.n));
    out.cells.push_back(std::move(cell));
  }
  if (m.along != MeasureSpan::game) out.along = m.along == MeasureSpan::turn ? "turn" : "round";
  for (std::size_t s = 0; s < kAllStretches && !view.course.empty(); ++s) {
    const bool tenth = s >= kStretches;
    const auto number = static_cast<std::int64_t>(s - kStretches) + 1;
    MeasureStretch stretch{tenth ? number : first_of(s), tenth ? number : first_of(s + 1) - 1, {}};
    Wide moments = view.course_units[s].n;
    for (std::size_t c = 0; c < view.cells.size(); ++c) {
      stretch.cells.push_back(sums_of(view, view.course[s * view.cells.size() + c], view.course_units[s]));
      moments += stretch.cells.back().n;
    }
    if (moments != 0) (tenth ? out.tenths : out.course).push_back(std::move(stretch));
  }
  return out;
}

std::vector<MeasureTable> MeasureTally::tables() const {
  std::vector<MeasureTable> out;
  for (const View& view : views_)
    if (view.measure < program_.measures.size()) out.push_back(table(view));
  return out;
}

ShareGroup MeasureTally::turn_order() const {
  ShareGroup group{"place in the turn order", {}};
  for (std::size_t p = 0; p < taken_.size(); ++p)
    if (taken_[p]) {
      const double share = double(won_[p]) / double(taken_[p]);
      group.shares.push_back(
          {fmt::format("{}", p + 1), taken_[p], won_[p], taken_[p], share, std::sqrt(share * (1 - share))});
    }
  return group;
}

}   // namespace cardwright::api
