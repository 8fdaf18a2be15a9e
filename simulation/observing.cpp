// Plays games one by one, and reads their observed values from the final State, the measures and the tension analysis.
#include "cardwright/observing.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulation/measure_tally.h"
#include "simulation/playouts.h"
#include "simulation/seats.h"
#include "simulation/simulation.h"
#include "simulation/tally.h"
#include "simulation/tension.h"
#include "api/game/parallel.h"
#include "api/game/timing.h"
#include "runtime/state/state.h"

namespace cardwright::api {

namespace {

constexpr std::size_t kNone = ~std::size_t{0};

// Index of the first row of each subject; kNone if it has no rows.
struct Places {
  std::size_t turns = kNone, decisions = kNone, time = kNone;
  std::vector<std::size_t> endings;   // by Program::endings; endings with equal texts share a row
  std::size_t no_winner = 0, failed = 0, seats = 0;
  std::vector<std::size_t> traits;   // by Program::statistics: row of its first value
  std::size_t order = kNone;   // turn order: row of the player with the first turn
  // By measure (all_measures), then cell. Actions with equal names share a row; some cells have no row.
  std::vector<std::vector<std::size_t>> measures;
  std::size_t tension = kNone;
};

struct Rows {
  std::vector<ObservedRow> all;
  Places at;
};

std::size_t add(Rows& rows, ObservedRow row) {
  rows.all.push_back(std::move(row));
  return rows.all.size() - 1;
}

using Kind = ObservedRow::Kind;
using detail::StandardMeasure;

void add_lengths(const Program& program, Rows& rows) {
  if (program.turn_number >= 0) rows.at.turns = add(rows, {"length", "turns", Kind::amount});
  // In games with turns, the number of decisions is reported but is not a main row.
  rows.at.decisions = add(rows, {"length", "decisions", Kind::amount, 1, program.turn_number < 0});
  if (program.race) rows.at.time = add(rows, {"length", "milliseconds", Kind::amount});
}

void add_endings(const Program& program, Rows& rows) {
  std::map<std::string, std::size_t> by_words;
  for (const EndingInfo& ending : program.endings) {
    const std::string& words = ending.words.empty() ? ending.text : ending.words;
    const auto [at, is_new] = by_words.try_emplace(words, 0);
    if (is_new) at->second = add(rows, {"endings", words});
    rows.at.endings.push_back(at->second);
  }
}

// Returns a denominator with which the share of winners among any number of players is an integer.
std::int64_t common_multiple(Int players) {
  std::int64_t out = 1;
  for (Int p = 2; p <= players; ++p) out = std::lcm(out, p);
  return out;
}

void add_traits(const Program& program, Rows& rows) {
  const std::int64_t one = common_multiple(program.layout.players);
  for (const Int variable : program.statistics) {
    const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(variable)];
    rows.at.traits.push_back(rows.all.size());
    if (info.enumeration < 0) continue;
    const auto& constants = program.enums[static_cast<std::size_t>(info.enumeration)].constants;
    for (std::size_t value = 0; value < constants.size(); ++value)
      add(rows, {"wins by " + info.name, detail::constant_label(program, info.enumeration, static_cast<Int>(value)),
                 Kind::share, one});
  }
}

// Denominator of means within a game, which are fractions. It is divisible by all numbers up to 16.
constexpr std::int64_t kFine = 720'720;
constexpr Int kFewCells = 12;   // the cells of a measure are main rows only if it has at most this number of cells

bool is_averaged(const MeasureInfo& m) {
  return m.what == MeasureWhat::mean || m.what == MeasureWhat::share || m.per_span;
}

void add_turn_order(const Program& program, Rows& rows) {
  if (program.turn_note < 0) return;
  rows.at.order = rows.all.size();
  for (Int place = 1; place <= program.layout.players; ++place)
    add(rows, {"wins by place in the turn order", fmt::format("{}", place)});
}

bool wants(const SimulateSettings& settings, std::string_view figure) {
  return std::find(settings.figures.begin(), settings.figures.end(), figure) != settings.figures.end();
}

// Returns true if this cell of a standard measure can occur: an action that players choose, or a card type with cards.
bool has_cell(const Program& program, StandardMeasure::Key key, std::size_t cell) {
  if (key == StandardMeasure::Key::action)
    return program.actions[cell].kind == ActionKind::play || program.actions[cell].kind == ActionKind::use;
  return key != StandardMeasure::Key::card_type ||
         std::any_of(program.cards.begin(), program.cards.end(),
                     [&](const CardInfo& card) { return card.kind == static_cast<Int>(cell); });
}

ObservedRow measure_row(const Program& program, const MeasureInfo& m, const StandardMeasure* standard, Int cell) {
  ObservedRow row{m.label.empty() ? m.name : m.label,
                  fmt::format("{}", fmt::join(keys_in_words(program, m.keys, cell), ", "))};
  if (row.name.empty()) row.name = m.name;
  if (standard && standard->key == StandardMeasure::Key::action)
    row.name = program.actions[static_cast<std::size_t>(cell)].name;
  row.kind = m.what == MeasureWhat::share ? Kind::share : Kind::amount;
  row.one = is_averaged(m) || standard ? kFine : 1;
  row.is_main = !standard && m.cells() <= kFewCells;
  return row;
}

void add_measures(const Program& program, const SimulateSettings& settings, Rows& rows) {
  const std::vector<MeasureInfo> measures = detail::all_measures(program);
  for (std::size_t m = 0; m < measures.size(); ++m) {
    std::vector<std::size_t>& at = rows.at.measures.emplace_back(static_cast<std::size_t>(measures[m].cells()), kNone);
    const StandardMeasure* const standard = detail::standard_measure(program, m);
    if (standard && (!standard->is_compared || !wants(settings, standard->figure))) continue;
    if (standard && standard->needs_turns && program.turn_number < 0) continue;
    std::map<std::string, std::size_t> by_name;   // row of a standard measure by its name
    for (std::size_t cell = 0; cell < at.size(); ++cell) {
      if (standard && !has_cell(program, standard->key, cell)) continue;
      ObservedRow row = measure_row(program, measures[m], standard, static_cast<Int>(cell));
      if (standard) {
        const auto [place, is_new] = by_name.try_emplace(row.name, rows.all.size());
        at[cell] = place->second;
        if (!is_new) continue;
      }
      at[cell] = add(rows, std::move(row));
    }
  }
}

void add_tension(Rows& rows) {
  const TensionSettings standard;
  const std::int64_t moments = standard.moments;
  rows.at.tension = rows.all.size();
  const std::pair<const char*, std::int64_t> all[] = {
      {"lead changes of at least 5 points", moments - 1},
      {"comebacks: late in the game, the winner's chance was below half of an equal share", 1},
      {"drama: how far the winner was behind the leader", moments * (standard.playouts / 2)},
      {"decided at: part of the game after which the winner stays above 80 %", 2 * moments},
      {"uncertainty, relative to the maximum", moments * detail::kTensionFine}};
  for (const auto& [name, one] : all) add(rows, {"uncertainty", name, Kind::share, one, false});
}

Rows rows_of(const Program& program, const SimulateSettings& settings) {
  Rows rows;
  add_lengths(program, rows);
  add_endings(program, rows);
  rows.at.no_winner = add(rows, {"wins", "nobody"});
  rows.at.failed = add(rows, {"errors", "ended with an error"});
  rows.at.seats = rows.all.size();
  for (Int seat = 0; seat < program.layout.players; ++seat)
    add(rows, {"wins by seat", Game::seat_name(static_cast<int>(seat))});
  add_traits(program, rows);
  add_turn_order(program, rows);
  add_measures(program, settings, rows);
  if (wants(settings, "tension")) add_tension(rows);
  return rows;
}

}   // namespace

struct ObservedGames::Data {
  Data(const Game& of, const SimulateSettings& how)
      : whole(of),
        game(of.data()),
        settings(how),
        playouts(*game, settings),
        measures(detail::all_measures(game->program())),
        rows(rows_of(game->program(), settings)),
        sums(rows.all.size()),
        analyzed_games(detail::tension_games(settings)) {}

  Game whole;
  std::shared_ptr<const detail::GameData> game;
  SimulateSettings settings;
  detail::Playouts playouts;
  std::vector<MeasureInfo> measures;
  Rows rows;
  struct Sum {
    std::int64_t x = 0, n = 0;
  };
  std::vector<Sum> sums;   // by row of a measure; values of the current game
  std::uint64_t analyzed_games;   // number of games that the tension analysis includes, from the first game of the run

  void record_tension(std::uint64_t index, std::span<Observation> out) const;
  void record_lengths(const Byte* state, std::span<Observation> out) const;
  void record_winners(const Byte* state, std::span<Observation> out);
  void record_measures(const detail::MeasuredGame& measured, std::span<Observation> out);
  void record_trait(const Byte* state, std::uint64_t winners, std::size_t trait, std::span<Observation> out) const;
};

void ObservedGames::Data::record_lengths(const Byte* state, std::span<Observation> out) const {
  const Program& program = game->program();
  const Places& at = rows.at;
  if (at.turns != kNone)
    out[at.turns] = {std::max<Int>(0, value_of_variable(program, state, program.turn_number, 0)), true};
  out[at.decisions] = {read<std::uint32_t>(state + program.layout.decisions), true};
  if (at.time != kNone) out[at.time] = {race_course(program, state, playouts.failure() != nullptr).clock / 1000, true};
}

void ObservedGames::Data::record_trait(const Byte* state, std::uint64_t winners, std::size_t trait,
                                       std::span<Observation> out) const {
  const Program& program = game->program();
  const Int variable = program.statistics[trait];
  const Int enumeration = program.variable_infos[static_cast<std::size_t>(variable)].enumeration;
  const auto values =
      enumeration < 0 ? 0 : static_cast<Int>(program.enums[static_cast<std::size_t>(enumeration)].constants.size());
  each_value_held(program, state, variable, winners, [&](Int value, int holders, int wins) {
    if (value < 0 || value >= values) return;
    const std::size_t place = rows.at.traits[trait] + static_cast<std::size_t>(value);
    out[place] = {wins * rows.all[place].one / holders, true};
  });
}

// Stores the values of measures. Means and shares are computed within the game.
void ObservedGames::Data::record_measures(const detail::MeasuredGame& measured, std::span<Observation> out) {
  for (std::size_t m = 0; m < measures.size(); ++m) {
    const MeasureInfo& info = measures[m];
    const std::vector<std::size_t>& row_of = rows.at.measures[m];
    const std::int64_t spans = info.along == MeasureSpan::round ? measured.rounds : measured.turns;
    if (!is_averaged(info) || (info.per_span && spans > 0))
      for (const std::size_t at : row_of)
        if (at != kNone) out[at].there = true;
    for (const detail::NotedCell& noted : measured.cells[m])
      if (row_of[noted.cell] != kNone) sums[row_of[noted.cell]] = {};
    for (const detail::NotedCell& noted : measured.cells[m]) {
      const std::size_t at = row_of[noted.cell];
      if (at == kNone) continue;
      Sum& sum = sums[at];
      sum.x += noted.sum, sum.n += info.per_span ? 0 : noted.count;
      const std::int64_t n = info.per_span ? spans : sum.n,
                         x = info.what == MeasureWhat::share ? std::min(sum.x, n) : sum.x;
      if (!is_averaged(info))
        out[at] = {x * rows.all[at].one, true};
      else if (n > 0)
        out[at] = {static_cast<std::int64_t>(std::llround(double(x) / double(n) * double(kFine))), true};
    }
  }
}

void ObservedGames::Data::record_tension(std::uint64_t index, std::span<Observation> out) const {
  const TensionSettings standard;
  const detail::TensionCourse course =
      detail::measure_tension(whole, settings.seed, index, standard.moments, standard.playouts);
  const std::size_t at = rows.at.tension;
  const std::int64_t open = std::accumulate(course.uncertainty.begin(), course.uncertainty.end(), std::int64_t{0});
  out[at + 4] = {std::min(open, rows.all[at + 4].one), true};
  if (!course.won) return;
  out[at] = {course.lead_changes, true};
  out[at + 1] = {course.comeback, true};
  out[at + 2] = {course.drama, true};
  out[at + 3] = {course.decided, true};
}

// Stores the ending and the winners; not called for a game that a runtime error ended.
void ObservedGames::Data::record_winners(const Byte* state, std::span<Observation> out) {
  const Program& program = game->program();
  const std::uint64_t winners = detail::winners_of(program, state);
  for (const std::size_t ending : rows.at.endings) out[ending].there = true;
  const std::size_t ended_by = read<std::uint16_t>(state + program.layout.ended_by);
  if (ended_by > 0 && ended_by <= rows.at.endings.size()) out[rows.at.endings[ended_by - 1]].value = 1;
  out[rows.at.no_winner] = {winners == 0, true};
  for (Int seat = 0; seat < program.layout.players; ++seat)
    out[rows.at.seats + static_cast<std::size_t>(seat)] = {static_cast<std::int64_t>(winners >> seat & 1), true};
  for (std::size_t trait = 0; trait < program.statistics.size(); ++trait) record_trait(state, winners, trait, out);
  if (!playouts.measures()) return;
  const detail::MeasuredGame& measured = playouts.measured();
  for (std::size_t place = 0; rows.at.order != kNone && place < measured.turn_order.size(); ++place)
    out[rows.at.order + place] = {static_cast<std::int64_t>(winners >> measured.turn_order[place] & 1), true};
  record_measures(measured, out);
}

ObservedGames::ObservedGames(const Game& game, const SimulateSettings& settings) {
  detail::check_pace(settings);
  detail::check_policies(game.data()->program(), settings);
  data_ = std::make_unique<Data>(game, settings);
}
ObservedGames::~ObservedGames() = default;
ObservedGames::ObservedGames(ObservedGames&&) noexcept = default;

const std::vector<ObservedRow>& ObservedGames::rows() const { return data_->rows.all; }

void ObservedGames::play(std::uint64_t index, std::span<Observation> out) {
  if (out.size() < data_->rows.all.size())
    throw Error(Blame::caller,
                fmt::format("expected room for {} rows but found {}", data_->rows.all.size(), out.size()));
  data_->playouts.play(index);
  std::fill(out.begin(), out.end(), Observation{});
  const Byte* state = data_->playouts.state();
  data_->record_lengths(state, out);
  out[data_->rows.at.failed] = {failure() != nullptr, true};
  if (!failure()) data_->record_winners(state, out);
  if (index - data_->settings.first_game < data_->analyzed_games) data_->record_tension(index, out);
}

void ObservedGames::add_draws(std::uint64_t index, DrawWins& into) const {
  const detail::Playouts& playouts = data_->playouts;
  if (!failure())
    into.add(index, playouts.measured().draws, detail::winners_of(data_->game->program(), playouts.state()));
}

const Failure* ObservedGames::failure() const { return data_->playouts.failure(); }

}   // namespace cardwright::api
