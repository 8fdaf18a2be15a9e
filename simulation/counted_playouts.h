// Plays games on one thread and adds up their results.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulation/measure_tally.h"
#include "simulation/playouts.h"
#include "simulation/tally.h"

namespace cardwright::api {

// Results of games, including optional measurements.
class Counted {
 public:
  explicit Counted(const detail::GameData& game) : program_(game.program()), tally_(game) {
    if (program_.measures_anything()) measured_.emplace(program_);
  }
  void add(const Counted& other) {
    tally_.add(other.tally_);
    if (measured_) measured_->add(*other.measured_);
  }
  void report(Statistics& out) const {
    tally_.report(out);
    if (measured_) {
      out.measures = measured_->tables();
      if (ShareGroup places = measured_->turn_order(); !places.shares.empty()) out.groups.push_back(std::move(places));
      if (program_.figures) out.figures = measured_->standard_figures();
    }
  }
  nlohmann::ordered_json json() const {
    nlohmann::ordered_json out = tally_.json();
    if (measured_) out["measures"] = measured_->json();
    return out;
  }
  void add(const nlohmann::ordered_json& json) {   // throws the exceptions of at(), or Error(caller)
    tally_.add(json);
    if (measured_) measured_->add(json.at("measures"));
  }
  Tally& tally() { return tally_; }
  const Tally& tally() const { return tally_; }
  // Adds a game that ended without a runtime error: its measured values and its final State.
  void add(std::uint64_t index, const detail::MeasuredGame& game, const Byte* state) {
    if (measured_) measured_->add(index, game, state);
  }

 private:
  const Program& program_;
  Tally tally_;
  std::optional<MeasureTally> measured_;
};

// Plays games on one thread and adds up their results in groups of games. Grouping avoids reading a final State
// directly after it was written, which would stall on store forwarding, and does common work only once per group.
class CountedPlayouts {
 public:
  CountedPlayouts(const detail::GameData& game, const SimulateSettings& settings)
      : playouts_(game, settings), counted_(game), indices_(playouts_.places()) {}
  void play(std::uint64_t index) {
    if (waiting_ == indices_.size()) count();
    indices_[waiting_] = index;
    playouts_.play(index, waiting_);
    ++waiting_;
  }
  // Returns the number of decisions in the last game.
  std::int64_t decisions() const { return playouts_.decisions(waiting_ - 1); }
  // Returns the results of all games played so far.
  const Counted& counted() {
    count();
    return counted_;
  }

 private:
  void count() {
    counted_.tally().add(indices_.data(), playouts_, waiting_);
    for (std::size_t i = 0; playouts_.measures() && i < waiting_; ++i)
      if (!playouts_.failure(i)) counted_.add(indices_[i], playouts_.measured(i), playouts_.state(i));
    waiting_ = 0;
  }

  detail::Playouts playouts_;
  Counted counted_;
  std::vector<std::uint64_t> indices_;   // by slot: index of the game, for games that are not counted yet
  std::size_t waiting_ = 0;
};

}   // namespace cardwright::api
