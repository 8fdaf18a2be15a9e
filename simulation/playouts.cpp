// Plays complete games in the playout form, or decision by decision.
#include "simulation/playouts.h"

#include <algorithm>

#include "simulation/seats.h"
#include "api/game/timing.h"

namespace cardwright::api::detail {

Playouts::Way Playouts::way_of(const GameData& game, const SimulateSettings& settings) {
  const Program& program = game.program();
  if (!fits_playout(program, settings)) return Way::seated;
  const bool uniform = all_are(settings, PlayerPolicy::Kind::uniform, static_cast<int>(program.layout.players));
  return uniform && !program.race && settings.policy_seed == 0 ? Way::uniform : Way::paced;
}

Playouts::Playouts(const GameData& game, const SimulateSettings& settings, TraceSink* trace)
    : game_(game),
      settings_(settings),
      way_(way_of(game, settings)),
      run_(run_key(settings.seed)),
      size_((static_cast<std::size_t>(game.program().layout.size) + 63) / 64 * 64),
      places_(std::clamp<std::size_t>(kMostBytes / size_, 1, kMostPlaces)),
      states_(new Byte[places_ * size_]()),
      failures_(places_),
      context_(fresh_context(game)),
      score_context_(fresh_context(game)) {
  context_.trace = trace;
  if (way_ == Way::seated) seated_ = std::make_unique<SeatedPlay>(game, settings);
  if (!game.program().measures_anything()) return;
  notes_ = std::make_unique<Notes>(game.program());
  measured_.resize(places_);
  context_.notes = notes_.get();
}

Playouts::~Playouts() = default;

Status Playouts::run_paced(std::uint64_t index, Byte* state) {
  new_playout_state(game_.program(), state, run_, index);
  set_pace(game_.program(), state, settings_);
  return game_.engine->playout(context_, state);
}

namespace {

// Not inlined, because saving the registers that this code needs would take almost as long as a game with few
// decisions.
[[gnu::noinline, gnu::cold]] std::unique_ptr<Failure> failure_in(const Program& program,
                                                                 const cardwright::Game& context) {
  return std::make_unique<Failure>(failure_of(program, context));
}

}   // namespace

[[gnu::noinline]] void Playouts::play_seated(std::uint64_t index, std::size_t place) {
  if (failures_[place]) --failed_;
  failures_[place] = seated_->play(index, states_.get() + place * size_, notes_.get());
  if (failures_[place]) ++failed_;
}

void Playouts::play(std::uint64_t index, std::size_t place) {
  Byte* const state = states_.get() + place * size_;
  if (way_ == Way::seated) [[unlikely]] {
    play_seated(index, place);
  } else {
    const Status status =
        way_ == Way::paced ? run_paced(index, state) : game_.engine->play_game(context_, state, run_, index);
    if (failed_ != 0 && failures_[place]) [[unlikely]]
      failures_[place].reset(), --failed_;
    if (status == Status::trapped) [[unlikely]]
      failures_[place] = failure_in(game_.program(), context_), ++failed_;
  }
  if (!notes_) return;
  if (failures_[place])
    notes_->forget();
  else
    notes_->finish(state, measured_[place]);
}

bool Playouts::scores(std::size_t place, std::vector<std::int64_t>& out) {
  const Program& program = game_.program();
  out.assign(static_cast<std::size_t>(program.layout.players), 0);
  if (failures_[place]) return false;
  for (std::size_t seat = 0; seat < out.size(); ++seat) {
    const Int player = static_cast<Int>(seat);
    Int score = 0;
    if (game_.engine->call(score_context_, states_.get() + place * size_, static_cast<ir::FunctionIndex>(program.score),
                           {&player, 1}, &score) == Status::trapped)
      return false;
    out[seat] = score;
  }
  return true;
}

}   // namespace cardwright::api::detail
