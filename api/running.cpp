// Lets an engine run a State from decision to decision; see game_data.h.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "api/game_data.h"
#include "api/log_data.h"
#include "api/timing.h"
#include "runtime/ops/frames.h"
#include "runtime/ops/random.h"
#include "runtime/state.h"
#include "runtime/words.h"

namespace cardwright::api::detail {

namespace {

std::string where_text(const Program& program, std::uint32_t source, std::uint32_t begin, std::uint32_t end) {
  const Range range{source, begin, end};
  if (!program.sources || !range.known() || source >= program.sources->size()) return "built in";
  return program.sources->describe(range);
}

}  // namespace

std::string function_name(const Program& program, std::int32_t function) {
  if (function < 0 || static_cast<std::size_t>(function) >= program.playout.functions.size()) return {};
  return program.playout.functions[static_cast<std::size_t>(function)].name;
}

StateData::StateData(std::shared_ptr<const GameData> of)
    : game(std::move(of)), bytes(new Byte[static_cast<std::size_t>(game->program().layout.size)]), room(game->program().layout.size) {}

StateData::StateData(const StateData& other) { *this = other; }

StateData& StateData::operator=(const StateData& other) {
  if (this == &other) return *this;
  if (game != other.game) game = other.game;
  const Int size = game->program().layout.size;
  if (room < size) bytes.reset(new Byte[static_cast<std::size_t>(room = size)]);
  std::memcpy(bytes.get(), other.bytes.get(), static_cast<std::size_t>(size));
  over = other.over;
  actor = other.actor;
  count = other.count;
  site = other.site;
  if (failure || other.failure) failure = other.failure;
  keeps_knowledge = other.keeps_knowledge;
  listed = false;                                    // rarely asked for again of a copy
  return *this;
}

cardwright::Game fresh_context(const GameData& game) {
  cardwright::Game context;
  context.program = &game.program();
  return context;
}

Failure failure_of(const Program& program, const cardwright::Game& context) {
  Failure failure;
  failure.trap = trap_text(context.trap);
  failure.place = where_text(program, context.trap_source, context.trap_begin, context.trap_end);
  failure.rule = function_name(program, context.trap_function);
  for (int i = 0; i < context.stack_size; ++i) {
    const auto& level = context.stack[i];
    failure.stack.push_back(fmt::format("{} at {}", function_name(program, level.function),
                                        where_text(program, level.source, level.begin, level.end)));
  }
  if (context.stack_size > 0 && failure.rule.empty()) failure.rule = function_name(program, context.stack[0].function);
  return failure;
}

void need_knowledge(const StateData& state, std::string_view what) {
  if (!state.keeps_knowledge) throw Error(Blame::caller, fmt::format("this state keeps no knowledge (drop_knowledge), so nobody can {}: keep a copy from before", what));
}

void advance(StateData& state, Int choice, Log* log) {
  cardwright::Game context = fresh_context(*state.game);
  context.choice = choice;
  context.knowledge_dropped = !state.keeps_knowledge;
  if (log) context.log = log->data().sink();
  state.listed = false;
  state.actor = -1;
  state.count = 0;
  switch (state.game->engine->step(context, state.bytes.get())) {
    case Status::pending:
      state.actor = static_cast<int>(context.pending_player);
      state.count = context.pending_options;
      state.site = context.pending_site;
      return;
    case Status::trapped:
      state.failure = failure_of(state.program(), context);
      state.over = true;
      return;
    case Status::done:
    case Status::ok:
    case Status::listed:
      state.over = true;
      return;
  }
}

Playouts::Playouts(const GameData& game, const SimulateSettings& settings)
    : game_(game), settings_(settings), run_(run_key(settings.seed)), size_((static_cast<std::size_t>(game.program().layout.size) + 63) / 64 * 64),
      places_(std::clamp<std::size_t>(kMostBytes / size_, 1, kMostPlaces)), states_(new Byte[places_ * size_]), failures_(places_), context_(fresh_context(game)) {}

Status Playouts::run_race(std::uint64_t index, Byte* state) {
  new_playout_state(game_.program(), state, run_, index);
  set_pace(game_.program(), state, settings_);
  return game_.engine->playout(context_, state);
}

namespace {

// Apart: a game of a few decisions takes hardly longer than to save the registers that this needs.
[[gnu::noinline, gnu::cold]] std::unique_ptr<Failure> told(const Program& program, const cardwright::Game& context) {
  return std::make_unique<Failure>(failure_of(program, context));
}

}  // namespace

void Playouts::play(std::uint64_t index, std::size_t place) {
  Byte* const state = states_.get() + place * size_;
  const Status status = game_.program().race ? run_race(index, state) : game_.engine->play_game(context_, state, run_, index);
  if (failures_[place]) [[unlikely]] failures_[place].reset();
  if (status == Status::trapped) failures_[place] = told(game_.program(), context_);
}

void list_options(StateData& state) {
  if (state.listed || state.over) return;
  state.offers.resize(static_cast<std::size_t>(state.count));
  cardwright::Game context = fresh_context(*state.game);
  context.offers = state.offers.data();
  context.offers_capacity = static_cast<Int>(state.offers.size());
  context.pending_player = state.actor;
  context.pending_options = state.count;
  context.pending_site = state.site;
  const Status status = state.game->engine->list(context, state.bytes.get());
  if (status == Status::trapped)
    throw Error(Blame::us, fmt::format("listing the options failed: {}", failure_of(state.program(), context).text()));
  if (context.offers_count != state.count)
    throw Error(Blame::us, fmt::format("internal error: {} options were counted and {} listed at {}", state.count, context.offers_count,
                                       state.program().sources && state.site >= 0
                                           ? state.program().sources->describe(state.program().sites[static_cast<std::size_t>(state.site)].where)
                                           : ""));
  state.listed = true;
}

std::unique_ptr<StateData> state_before_setup(std::shared_ptr<const GameData> game, std::uint64_t seed, std::uint64_t index) {
  auto state = std::make_unique<StateData>(std::move(game));
  new_state(state->program(), state->bytes.get(), seed, index);
  return state;
}

std::optional<Int> call(const StateData& state, Int function, const std::vector<Int>& arguments, Failure* failure, LogSink* log) {
  StateData scratch(state);
  cardwright::Game context = fresh_context(*state.game);
  context.log = log;
  Int result = 0;
  const Status status = state.game->engine->call(context, scratch.bytes.get(), static_cast<ir::FunctionIndex>(function), arguments, &result);
  if (status != Status::trapped) return result;
  if (failure) *failure = failure_of(state.program(), context);
  return std::nullopt;
}

namespace {

// What the label of an option works out, as each of the observers may read it; nothing if it works out nothing.
std::vector<std::vector<std::string>> label_parts(const StateData& state, Int id, const std::vector<int>& observers) {
  const Program& program = state.program();
  const OptionParts option = option_parts(program, id);
  if (!option.action || option.action->label_parts < 0 || state.actor < 0) return {};
  std::vector<Int> arguments{state.actor};
  for (const Int value : option.values) arguments.push_back(value <= kUnseen ? kNone : value);
  cardwright::Log log(program);
  if (!call(state, option.action->label_parts, arguments, nullptr, &log)) return {};
  std::vector<std::vector<std::string>> all;
  for (const int observer : observers) {
    all.push_back(log.lines(state.keeps_knowledge ? observer : -1));
    for (std::string& part : all.back()) part.pop_back();    // each ends its line, so that none is empty
  }
  return all;
}

}  // namespace

std::string words_of_option(const StateData& state, Int id) {
  const auto parts = label_parts(state, id, {static_cast<int>(state.actor)});
  return option_words(state.program(), id, {}, parts.empty() ? std::vector<std::string>{} : parts[0]);
}

std::vector<std::string> public_parts(const StateData& state, Int id) {
  std::vector<int> others;
  for (int p = 0; p < state.program().layout.players; ++p)
    if (p != state.actor) others.push_back(p);
  const auto parts = label_parts(state, id, others);
  if (parts.empty()) return {};
  std::vector<std::string> all = parts[0];
  for (const std::vector<std::string>& theirs : parts)       // who reads more than others reads no more here
    for (std::size_t i = 0; i < all.size() && i < theirs.size(); ++i)
      if (theirs[i] != all[i]) all[i] = "?";
  return all;
}

bool nothing_under_way(const StateData& state) {
  const Program& program = state.program();
  if (state.site < 0 || state.site >= static_cast<Int>(program.sites.size())) return false;
  const SiteInfo& site = program.sites[static_cast<std::size_t>(state.site)];
  if (site.flow || !site.of_window) return site.flow;
  const Byte* s = state.bytes.get();
  const Int opener = frame_below(s, top_frame(s, program.layout));
  return opener != 0 && std::ranges::find(program.flow_functions, static_cast<Int>(resume_point(program, frame_wait(s, opener)).of)) != program.flow_functions.end();
}

}  // namespace cardwright::api::detail
