// Runs the engine of a State from decision to decision, and lists the options of decisions with their texts.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

#include "api/game/equal_cards.h"
#include "api/game/game_data.h"
#include "api/game/log_data.h"
#include "api/game/timing.h"
#include "runtime/program/words.h"
#include "runtime/knowledge/knowledge.h"
#include "runtime/ops/frames.h"
#include "runtime/ops/random.h"
#include "runtime/ops/zones.h"
#include "runtime/state/state.h"
#include "runtime/trap_words.h"

namespace cardwright::api::detail {

namespace {

std::string where_text(const Program& program, std::uint32_t source, std::uint32_t begin, std::uint32_t end) {
  const Range range{source, begin, end};
  if (!program.sources || !range.known() || source >= program.sources->size()) return "built in";
  return program.sources->describe(range);
}

}   // namespace

std::string function_name(const Program& program, std::int32_t function) {
  if (function < 0 || static_cast<std::size_t>(function) >= program.playout.functions.size()) return {};
  return program.playout.functions[static_cast<std::size_t>(function)].name;
}

StateData::StateData(std::shared_ptr<const GameData> of)
    : game(std::move(of)),
      bytes(new Byte[static_cast<std::size_t>(game->program().layout.size)]),
      room(game->program().layout.size) {}

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
  if (keeps_knowledge) placed = other.placed, placings = other.placings;
  listed = false, words.clear();   // not copied, because few copies need their options
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
  failure.details = trap_details(program, context);
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
  if (!state.keeps_knowledge)
    raise(Blame::caller,
          fmt::format("cannot {}: this state does not track knowledge after drop_knowledge; use a copy from before",
                      what));
}

void need_player(const Program& program, int player, bool or_all) {
  const int players = static_cast<int>(program.layout.players);
  if (player >= (or_all ? -1 : 0) && player < players) return;
  raise(Blame::caller, fmt::format("player {} is out of range: with {} players, expected 0 to {}{}", player, players,
                                   players - 1, or_all ? ", or -1 to see everything" : ""));
}

void need_log_of(const StateData& state, const Log& log) {
  const GameData& its = *log.data().game;
  if (&its != state.game.get() && its.fingerprint != state.game->fingerprint)
    raise(Blame::caller, "the log belongs to another game than the state");
}

void need_question(const StateData& state) {
  if (state.over) raise(Blame::caller, "no decision is pending: the game is over");
  if (state.actor < 0) raise(Blame::caller, "no decision is pending while the race waits for its clock");
}

namespace {

// Records the time of placing for each piece that moved in the last step.
void note_places(StateData& state) {
  const Program& program = state.program();
  if (program.placed.empty() || !state.keeps_knowledge) return;
  ++state.placings;
  std::size_t at = 0;
  for (const PlacedInfo& kind : program.placed) {
    if (kind.at < 0) continue;   // dice have no position
    for (Int index = 0; index < program.variables[static_cast<std::size_t>(kind.at)].count; ++index, ++at) {
      if (state.placed.size() == at) state.placed.emplace_back();
      const Int cell = value_of_variable(program, state.bytes.get(), kind.at, index);
      if (state.placed[at].cell != cell) state.placed[at] = {cell, state.placings};
    }
  }
}

}   // namespace

void advance(StateData& state, Int choice, Log* log) {
  cardwright::Game context = fresh_context(*state.game);
  context.choice = choice;
  context.knowledge_dropped = !state.keeps_knowledge;
  context.notes = state.notes;
  if (log) context.log = log->data().sink();
  state.listed = false;
  state.words.clear();
  state.actor = -1;
  state.count = 0;
  const Status status = state.game->engine->step(context, state.bytes.get());
  note_places(state);
  switch (status) {
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
    case Status::listed: state.over = true; return;
  }
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
    raise(Blame::internal, fmt::format("listing the options failed: {}", failure_of(state.program(), context).text()));
  if (context.offers_count != state.count)
    raise(Blame::internal,
          fmt::format(
              "internal error: {} options were counted and {} listed at {}", state.count, context.offers_count,
              state.program().sources && state.site >= 0
                  ? state.program().sources->describe(state.program().sites[static_cast<std::size_t>(state.site)].where)
                  : ""));
  state.listed = true;
}

std::unique_ptr<StateData> state_before_setup(std::shared_ptr<const GameData> game, std::uint64_t seed,
                                              std::uint64_t index) {
  auto state = std::make_unique<StateData>(std::move(game));
  new_state(state->program(), state->bytes.get(), seed, index);
  return state;
}

std::optional<std::vector<std::int64_t>> scores(const StateData& state) {
  std::vector<std::int64_t> out;
  for (Int seat = 0; seat < state.program().layout.players; ++seat) {
    const std::optional<Int> score = call(state, state.program().score, {seat});
    if (!score) return std::nullopt;
    out.push_back(*score);
  }
  return out;
}

std::vector<std::optional<Int>> call_each(const StateData& state, Int function,
                                          const std::vector<std::vector<Int>>& arguments,
                                          std::optional<Failure>& failure) {
  StateData scratch(state);
  std::vector<std::optional<Int>> results;
  for (const std::vector<Int>& one : arguments) {
    cardwright::Game context = fresh_context(*state.game);
    Int result = 0;
    const bool done = state.game->engine->call(context, scratch.bytes.get(), static_cast<ir::FunctionIndex>(function),
                                               one, &result) != Status::trapped;
    results.push_back(done ? std::optional(result) : std::nullopt);
    if (!done && !failure) failure = failure_of(state.program(), context);
  }
  return results;
}

std::optional<Int> call(const StateData& state, Int function, const std::vector<Int>& arguments, Failure* failure,
                        LogSink* log) {
  StateData scratch(state);
  cardwright::Game context = fresh_context(*state.game);
  context.log = log;
  Int result = 0;
  const Status status = state.game->engine->call(context, scratch.bytes.get(), static_cast<ir::FunctionIndex>(function),
                                                 arguments, &result);
  if (status != Status::trapped) return result;
  if (failure) *failure = failure_of(state.program(), context);
  return std::nullopt;
}

namespace {

// Returns the label of an option with its values filled in, as each seat may read it, followed by the text that all
// seats may read; empty if the label has no placeholders. If `named` is true, all texts name the option's card.
std::vector<std::string> filled_label(const StateData& state, Int id, bool named = false) {
  const Program& program = state.program();
  const OptionParts option = option_parts(program, id);
  if (!option.action || option.action->label_text < 0 || state.actor < 0) return {};
  std::vector<Int> arguments{state.actor};
  for (const Int value : option.values) arguments.push_back(value <= kUnseen ? kNone : value);
  cardwright::Log log(program);
  log.call_unknown(unknown_words(program, id));
  if (named) log.name_chosen_card();
  if (!call(state, option.action->label_text, arguments, nullptr, &log)) return {};
  std::vector<std::string> all;
  for (int seat = 0; seat <= program.layout.players; ++seat) {
    const int observer = seat < program.layout.players ? seat : static_cast<int>(cardwright::Log::kPublic);
    const auto lines = log.lines(state.keeps_knowledge ? observer : static_cast<int>(cardwright::Log::kEverything));
    all.push_back(lines.empty() ? "" : lines[0]);
  }
  return all;
}

// Returns the computed texts of the pending question (key 0) and of its answers (keys from 1), if the rules declare
// any.
std::map<int, std::string> question_texts(const StateData& state, int observer) {
  const Program& program = state.program();
  if (state.over || state.site < 0 || !program.sites[static_cast<std::size_t>(state.site)].prompt_has_values) return {};
  StateData scratch(state);
  cardwright::Game context = fresh_context(*state.game);
  cardwright::Log log(program);
  context.log = &log;
  context.pending_player = state.actor;
  context.pending_options = state.count;
  context.pending_site = state.site;
  // Texts that cannot be computed are omitted.
  static_cast<void>(state.game->engine->list(context, scratch.bytes.get(), kListTexts));
  std::map<int, std::string> texts;
  for (const std::string& line : log.lines(state.keeps_knowledge ? observer : -1))
    texts[std::atoi(line.c_str())] = line.substr(line.find('\n') + 1);
  return texts;
}

}   // namespace

Picked picked_so_far(const StateData& state) {
  const auto texts = question_texts(state, static_cast<int>(state.actor));
  const auto text = texts.find(-1);
  Picked out;
  if (text == texts.end()) return out;
  std::size_t at = 0, next = 0;
  out.count = std::stoll(text->second, &at);
  const std::string rest = text->second.substr(at + 1);
  if (rest.starts_with("unlimited"))
    next = 9;
  else
    out.wanted = std::stoll(rest, &next);
  out.words = rest.substr(next + 1);
  return out;
}

std::string prompt_in_words(const StateData& state, int observer) {
  if (state.over || state.site < 0) return {};
  const auto texts = question_texts(state, observer);
  return texts.contains(0) ? texts.at(0) : state.program().sites[static_cast<std::size_t>(state.site)].prompt;
}

namespace {

// Adds the faces of dice as far as the deciding player knows them: "cube 2" becomes "cube 2 (5)".
std::string with_faces(const StateData& state, const OptionParts& option, std::string words) {
  const Program& program = state.program();
  for (std::size_t i = 0; i < option.values.size(); ++i) {
    const ParameterInfo& parameter = option.action->parameters[i];
    const PlacedInfo* const dice =
        parameter.kind == ValueKind::piece ? &program.placed[static_cast<std::size_t>(parameter.enumeration)] : nullptr;
    const Int index = option.values[i] < 1 ? -1 : option.values[i] - 1;
    if (!dice || dice->face < 0 || index < 0 ||
        !knows_variable(program, state.bytes.get(), state.actor, dice->face, index))
      continue;
    const std::string name = piece_in_words(program, parameter.enumeration, index);
    const VariableInfo& face = program.variable_infos[static_cast<std::size_t>(dice->face)];
    const std::size_t end = words.find(name) == std::string::npos ? words.size() : words.find(name) + name.size();
    if (end < words.size() && std::isdigit(static_cast<unsigned char>(words[end]))) continue;
    words.insert(end, " (" +
                          value_in_words(program, face.kind, face.enumeration,
                                         value_of_variable(program, state.bytes.get(), dice->face, index)) +
                          ")");
  }
  return words;
}

}   // namespace

std::string words_of_option(const StateData& state, Int id) {
  if (const OptionParts option = option_parts(state.program(), id);
      option.action && option.action->kind == ActionKind::one_of) {
    const auto texts = question_texts(state, static_cast<int>(state.actor));
    if (const auto text = texts.find(static_cast<int>(id - option.action->base) + 1); text != texts.end())
      return text->second;
  }
  const std::vector<std::string> label = filled_label(state, id);
  return with_faces(state, option_parts(state.program(), id),
                    label.empty() ? option_words(state.program(), id) : label[static_cast<std::size_t>(state.actor)]) +
         places_among_equals(state, id, false);
}

std::vector<std::string> label_for_each(const StateData& state, Int id, bool named) {
  const OptionParts option = option_parts(state.program(), id);
  const bool has_label =
      option.action && (option.action->kind == ActionKind::use || option.action->kind == ActionKind::pass);
  if (!has_label || option.action->label.empty()) return {};
  if (option.action->label_text >= 0) return filled_label(state, id, named);
  return std::vector<std::string>(static_cast<std::size_t>(state.program().layout.players) + 1,
                                  option_words(state.program(), id));
}

namespace {

// Returns the zone of a card, or "unseen" if the deciding player does not know it.
std::string place_in_words(const StateData& state, Int card) {
  const Program& program = state.program();
  if (!knows_card(program.layout, state.bytes.get(), state.actor, card)) return "unseen";
  return zone_in_words(program, find_zone(state.bytes.get(), program.layout, card));
}

// Returns the entries of tables per card that differ from their initial values: "tapped, charge 3".
std::string entries_of_card(const StateData& state, Int card) {
  const Program& program = state.program();
  const Byte* s = state.bytes.get();
  std::string out;
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const VariableInfo& info = program.variable_infos[v];
    const VariableSlot& slot = program.variables[v];
    const bool is_table = !info.hidden && info.rules_state && !info.per_player && info.keys.size() == 1 &&
                          info.keys[0].kind == ValueKind::card && info.list == 0 && !slot.is_set;
    const Int index = card - (is_table ? info.keys[0].first : 0);
    if (!is_table || index < 0 || index >= slot.count) continue;
    const Int variable = static_cast<Int>(v), value = value_of_variable(program, s, variable, index);
    if (value == slot.initial || value == kUnset || !knows_variable(program, s, state.actor, variable, index)) continue;
    out += std::string(out.empty() ? "" : ", ") + (info.kind == ValueKind::boolean && value == 0 ? "not " : "") +
           spaced(info.name);
    if (info.kind != ValueKind::boolean) out += " " + value_in_words(program, info.kind, info.enumeration, value);
  }
  return out;
}

// Returns details that can distinguish options with equal texts: all arguments, the zones of the cards, the entries of
// tables for the cards, or the option's name in the rules.
std::string more_of_option(const StateData& state, Int id, int way) {
  const Program& program = state.program();
  const OptionParts option = option_parts(program, id);
  std::string out;
  if (way == 3) {
    out = option_name(program, id);
    std::replace(out.begin(), out.end(), '_', ' ');
    return out;
  }
  const auto arguments = option_arguments(program, id);
  for (std::size_t i = 0; i < option.values.size(); ++i) {
    const ParameterInfo& parameter = option.action->parameters[i];
    const bool has_place = parameter.kind == ValueKind::card && parameter.by_id && option.values[i] >= 0;
    const bool is_card = parameter.kind == ValueKind::card && option.values[i] >= 0;
    if ((way == 1 && !has_place) || (way == 2 && !is_card)) continue;
    const std::string more = way == 0   ? arguments[i].second
                             : way == 1 ? place_in_words(state, option.values[i])
                                        : entries_of_card(state, option.values[i]);
    out += (out.empty() || more.empty() ? "" : ", ") + more;
  }
  return out;
}

void make_distinct(const StateData& state, std::vector<std::string>& words) {
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < words.size(); ++i) alike[words[i]].push_back(i);
  for (const auto& [text, which] : alike) {
    if (which.size() < 2) continue;
    for (int way = 0; way < 4; ++way) {
      std::vector<std::string> more;
      for (const std::size_t i : which) more.push_back(more_of_option(state, state.offers[i], way));
      if (std::set<std::string>(more.begin(), more.end()).size() == 1) continue;
      for (std::size_t k = 0; k < which.size(); ++k)
        if (!more[k].empty()) words[which[k]] += " (" + more[k] + ")";
    }
    std::map<std::string, std::size_t> equal, seen;
    for (const std::size_t i : which) ++equal[words[i]];
    for (const std::size_t i : which)
      if (equal[words[i]] > 1) words[i] += fmt::format(" [{}]", ++seen[words[i]]);
  }
}

}   // namespace

const std::vector<std::string>& words_of_options(StateData& state) {
  list_options(state);
  if (!state.words.empty()) return state.words;
  for (const Int id : state.offers) state.words.push_back(words_of_option(state, id));
  make_distinct(state, state.words);
  return state.words;
}

bool is_idle(const StateData& state) {
  const Program& program = state.program();
  if (state.site < 0 || state.site >= static_cast<Int>(program.sites.size())) return false;
  const SiteInfo& site = program.sites[static_cast<std::size_t>(state.site)];
  if (site.flow || !site.of_window) return site.flow;
  const Byte* s = state.bytes.get();
  const Int opener = frame_below(s, top_frame(s, program.layout));
  return opener != 0 &&
         std::ranges::find(program.flow_functions, static_cast<Int>(resume_point(program, frame_wait(s, opener)).of)) !=
             program.flow_functions.end();
}

}   // namespace cardwright::api::detail
