// Implements the handles Game, State and Log of include/cardwright as thin wrappers around the runtime.
#include <algorithm>
#include <bit>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "api/game/game_data.h"
#include "api/game/log_data.h"
#include "api/game/timing.h"
#include "api/game/worlds.h"
#include "runtime/program/words.h"
#include "runtime/knowledge/knowledge.h"
#include "runtime/ops/random.h"
#include "runtime/state/state.h"
#include "runtime/trace.h"

namespace cardwright::api {

Error::Error(Blame blame, const std::string& message, Report report)
    : std::runtime_error(printable(message)), blame_(blame), report_(std::move(report)) {}

#ifdef __cpp_exceptions
void raise(Blame blame, const std::string& message, Report report) { throw Error(blame, message, std::move(report)); }
#endif

// ---- Failure

std::string Failure::text() const { return kind() + (details.empty() ? "" : ": " + details); }

std::string Failure::kind() const {
  return fmt::format("{} at {}{}", trap, place.empty() ? "an unknown place" : place,
                     rule.empty() ? "" : ", in " + rule);
}

// ---- Game

const std::string& Game::name() const { return data_->name; }
const std::string& Game::title() const { return data_->title; }
int Game::players() const { return static_cast<int>(data_->program().layout.players); }
EngineKind Game::engine() const { return data_->kind; }
const std::vector<std::pair<std::string, std::string>>& Game::options() const { return data_->options; }
const Report& Game::report() const { return data_->report; }
std::int64_t Game::option_ids() const { return data_->program().option_ids; }
std::vector<std::pair<std::string, std::string>> Game::policies() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const PolicyInfo& policy : data_->program().policies) all.emplace_back(policy.name, policy.label);
  return all;
}
std::size_t Game::state_size() const { return static_cast<std::size_t>(data_->program().layout.size); }
std::uint64_t Game::fingerprint() const { return data_->fingerprint; }
namespace {

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}   // namespace

// Formats the printed values of a card: "Bear: cost 3, power 2; flies."
std::string detail::printed_line(const std::string& name, const std::string& attributes, const std::string& text) {
  std::string line = name;
  if (!attributes.empty()) line += ": " + attributes;
  if (!text.empty()) line += (attributes.empty() ? ": " : "; ") + text;
  return line;
}

namespace {

// Summarizes the printed values of several cards: "rank two, three or four", "n 3 to 35".
std::string values_in_words(const Program& program, std::size_t attribute, const std::set<Int>& values) {
  const AttributeInfo& info = program.attributes[attribute];
  const auto words = [&](Int value) { return value_in_words(program, info.kind, info.enumeration, value); };
  const bool in_a_row = values.size() > 2 && *values.rbegin() - *values.begin() + 1 == static_cast<Int>(values.size());
  if (in_a_row && info.kind != ValueKind::other_set)
    return fmt::format("{} {} to {}", info.name, words(*values.begin()), words(*values.rbegin()));
  std::string out;
  for (const Int value : values) out += (out.empty() ? "" : value == *values.rbegin() ? " or " : ", ") + words(value);
  return info.name + " " + out;
}

std::string attributes_in_words(const Program& program, const std::vector<const CardInfo*>& cards) {
  std::string out;
  for (std::size_t a = 0; a < program.attributes.size(); ++a) {
    std::set<Int> values;
    for (const CardInfo* card : cards)
      if (a < card->attributes.size() && card->attributes[a] != kNone) values.insert(card->attributes[a]);
    if (program.attributes[a].printed && !values.empty())
      out += (out.empty() ? "" : ", ") + values_in_words(program, a, values);
  }
  return out;
}

constexpr std::size_t kMostPrinted = 3;   // maximum number of lines per card

}   // namespace

std::vector<std::string> Game::printed_on(std::string_view name) const {
  const Program& program = data_->program();
  std::vector<std::string> out;
  std::vector<const CardInfo*> found;
  const auto find = [&](auto&& is_meant) {
    for (const CardInfo& card : program.cards)
      if (card.kind >= 0 && is_meant(card, program.kinds[static_cast<std::size_t>(card.kind)])) found.push_back(&card);
  };
  find([&](const CardInfo& card, const KindInfo&) { return same_word(card.label, name); });
  if (found.empty())
    find([&](const CardInfo&, const KindInfo& kind) {
      return same_word(kind.name, name) || same_word(kind.label, name);
    });
  const auto line = [&](const std::vector<const CardInfo*>& cards) {
    const KindInfo& kind = program.kinds[static_cast<std::size_t>(cards[0]->kind)];
    const bool alike =
        std::all_of(cards.begin(), cards.end(), [&](const CardInfo* card) { return card->label == cards[0]->label; });
    const std::string text = printed_text(program, *cards[0], kind.text);
    const bool one_text = std::all_of(cards.begin(), cards.end(), [&](const CardInfo* card) {
      return printed_text(program, *card, kind.text) == text;
    });
    return detail::printed_line(alike ? cards[0]->label : kind.label, attributes_in_words(program, cards),
                                one_text ? text : "");
  };
  for (const CardInfo* card : found)
    if (std::string one = line({card}); std::find(out.begin(), out.end(), one) == out.end())
      out.push_back(std::move(one));
  if (out.size() > kMostPrinted) out = {fmt::format("{} ({} cards)", line(found), found.size())};
  for (const EnumInfo& e : program.enums)
    for (std::size_t c = 0; c < e.texts.size(); ++c)
      if (!e.texts[c].empty() && (same_word(e.constants[c], name) || same_word(e.labels[c], name)))
        out.push_back(detail::printed_line(e.labels[c], "", e.texts[c]));
  return out;
}

bool Game::has_payoff() const { return data_->program().payoff >= 0; }

std::vector<std::string> Game::rules_in_words() const { return data_->origin->rules_in_words(*data_); }

std::string Game::seat_name(int seat) {
  if (seat < -1 || seat >= kMaxPlayers)
    raise(Blame::caller, fmt::format("seat {} is out of range: expected 0 to {}", seat, kMaxPlayers - 1));
  return seat < 0 ? "-" : std::string(1, static_cast<char>('a' + seat));
}

std::vector<std::string> Game::traits() const {
  std::vector<std::string> names;
  for (const Int variable : data_->program().statistics)
    names.push_back(data_->program().variable_infos[static_cast<std::size_t>(variable)].name);
  return names;
}

Option Game::option(std::int64_t id) const {
  if (id < 0 || id >= option_ids()) raise(Blame::caller, fmt::format("unknown option {}", id));
  const Program& program = data_->program();
  Option out;
  out.id = id;
  out.action = option_name(program, id);
  for (auto& [name, value] : option_arguments(program, id)) out.arguments.push_back({name, value});
  out.words = option_words(program, id);
  return out;
}

bool Game::races() const { return data_->program().race.has_value(); }

State Game::new_state(std::uint64_t seed, std::uint64_t index, Log* log, std::uint64_t live, int time_factor) const {
  if (live >> players() != 0)
    raise(Blame::caller, fmt::format("`live` contains unknown seats: the game has {} players", players()));
  auto state = detail::state_before_setup(data_, seed, index);
  detail::check_time_factor(time_factor);
  detail::set_time_factor(data_->program(), state->bytes.get(), time_factor);
  detail::make_live(*state, live);
  if (live != 0) detail::play_by_policy_of_bots(*state, ~live);
  if (log) detail::need_log_of(*state, *log);
  detail::advance(*state, -1, log);
  return State(std::move(state));
}

State Game::restore(std::string_view bytes) const {
  auto state = std::make_unique<StateData>(data_);
  std::string error;
  if (!restore_state(data_->program(), bytes, state->bytes.get(), error))
    raise(Blame::caller, "invalid saved state: " + error);
  state->over = read<std::uint32_t>(state->bytes.get() + data_->program().layout.stack_top) == 0;
  if (!state->over) detail::advance(*state, -1, nullptr);
  return State(std::move(state));
}

// ---- Log

namespace {

void need_entry(const Log& log, std::size_t entry) {
  if (entry > log.size()) raise(Blame::caller, fmt::format("the log has only {} entries, not {}", log.size(), entry));
}

}   // namespace

Log::Log(const Game& game) : data_(std::make_unique<detail::LogData>(game.data())) {}
Log::~Log() = default;
Log::Log(Log&&) noexcept = default;
Log& Log::operator=(Log&&) noexcept = default;
std::size_t Log::size() const { return data_->log.size() + data_->logged_decisions.size(); }
std::vector<std::string> Log::lines(int player, std::size_t from, bool places) const {
  if (player != -2) detail::need_player(data_->game->program(), player, true);
  need_entry(*this, from);
  return data_->lines(player, from, places);
}
std::vector<int> Log::without_options(std::size_t from) const {
  need_entry(*this, from);
  return data_->without_options(from);
}
void Log::cut(std::size_t size) {
  need_entry(*this, size);
  data_->cut(size);
}

// ---- State

namespace {

constexpr const char* kWriteLog = "write a log";
constexpr const char* kShow = "show a player's view";

// Recycles the memory of destroyed States for new copies, because a search creates and destroys millions of them.
struct Spares {
  static constexpr std::size_t kMost = 16;
  std::vector<std::unique_ptr<StateData>> all;
  ~Spares();
};
// False after `spares` has been destroyed, because thread-local States can be destroyed later.
thread_local bool has_spares = true;
thread_local Spares spares;
Spares::~Spares() { has_spares = false; }

std::unique_ptr<StateData> copy_of(const StateData& from) {
  if (!has_spares || spares.all.empty()) return std::make_unique<StateData>(from);
  std::unique_ptr<StateData> copy = std::move(spares.all.back());
  spares.all.pop_back();
  *copy = from;
  return copy;
}
void spare(std::unique_ptr<StateData> data) {
  if (!data || !has_spares || spares.all.size() == Spares::kMost) return;
  data->game.reset();
  spares.all.push_back(std::move(data));
}

}   // namespace

State::State(std::unique_ptr<detail::StateData> data) : data_(std::move(data)) {}
State::State(const State& other) : data_(copy_of(*other.data_)) {}
State& State::operator=(const State& other) {
  if (!data_)
    data_ = std::make_unique<StateData>(*other.data_);
  else
    *data_ = *other.data_;
  return *this;
}
State::State(State&&) noexcept = default;
State& State::operator=(State&&) noexcept = default;
State::~State() { spare(std::move(data_)); }

bool State::is_over() const { return data_->over; }
const std::optional<Failure>& State::failure() const { return data_->failure; }
int State::actor() const { return data_->over ? -1 : data_->actor; }
std::size_t State::legal_count() const {
  return data_->over || data_->actor < 0 ? 0 : static_cast<std::size_t>(data_->count);
}
std::span<const std::uint8_t> State::bytes() const {
  return {data_->bytes.get(), static_cast<std::size_t>(data_->program().layout.size)};
}

std::span<const std::int64_t> State::legal() const {
  if (data_->over || data_->actor < 0) return {};
  detail::list_options(*data_);
  return data_->offers;
}

Question State::question() const {
  detail::need_question(*data_);
  const Program& program = data_->program();
  Question out;
  out.player = data_->actor;
  if (data_->site < 0 || data_->site >= static_cast<Int>(program.sites.size())) return out;
  const SiteInfo& site = program.sites[static_cast<std::size_t>(data_->site)];
  out.window = site.window;
  out.prompt = detail::prompt_in_words(*data_, static_cast<int>(data_->actor));
  if (site.prompt_has_values) {
    const detail::Picked picked = detail::picked_so_far(*data_);
    out.picked = picked.count;
    out.wanted = picked.wanted;
    out.picks = picked.words;
  }
  out.hidden_basis = site.hidden_basis;
  out.flow = is_idle(*data_);
  if (site.within != kNone) out.within = site.within;
  if (program.sources) out.place = program.sources->describe(site.where);
  return out;
}

Option State::option(std::size_t index) const {
  detail::need_question(*data_);
  const auto ids = legal();
  if (index >= ids.size())
    raise(Blame::caller, fmt::format("option {} is out of range: the number of options is {}", index, ids.size()));
  Option out = Game(data_->game).option(ids[index]);
  out.words = detail::words_of_options(*data_)[index];
  return out;
}

void State::apply(std::size_t index, Log* log) {
  detail::need_question(*data_);
  if (index >= legal_count())
    raise(Blame::caller, fmt::format("option {} is out of range: the number of options is {}", index, legal_count()));
  bool logged = false;
  if (log) {
    detail::need_log_of(*data_, *log);
    detail::need_knowledge(*data_, kWriteLog);
    logged = log->data().decide(*data_, legal()[index]);
  }
  detail::advance(*data_, static_cast<Int>(index), log);
  if (logged) log->data().name_cards();
}

void State::apply_id(std::int64_t id, Log* log) {
  detail::need_question(*data_);
  const auto ids = legal();
  const auto at = std::lower_bound(ids.begin(), ids.end(), id);
  if (at == ids.end() || *at != id) raise(Blame::caller, fmt::format("option id {} is not available", id));
  apply(static_cast<std::size_t>(at - ids.begin()), log);
}

std::uint64_t State::still_to_answer() const { return detail::still_to_answer(*data_); }
bool State::ask_first(int player) {
  detail::need_player(data_->program(), player);
  return !data_->over && detail::ask_first(*data_, player);
}

std::size_t State::missing_answer() {
  detail::need_question(*data_);
  detail::list_options(*data_);
  return detail::missing_answer(*data_);
}

bool State::waits_for_clock() const { return detail::waits_for_clock(*data_); }
RaceClock State::race() const {
  const detail::Clock clock = detail::clock_of(*data_);
  return {clock.open, clock.time, clock.next_event, clock.paused_until == kNone ? -1 : clock.paused_until};
}
std::uint64_t State::live() const { return detail::live_players(*data_); }
void State::run_clock(std::int64_t time, Log* log) {
  detail::need_time(time);
  if (log) {
    detail::need_log_of(*data_, *log);
    detail::need_knowledge(*data_, kWriteLog);
  }
  detail::run_until(*data_, time, log);
}

std::optional<std::string> State::arrive(int player) {
  detail::need_player(data_->program(), player);
  if (!waits_for_clock()) return "no race is open";
  const auto ms = [&](Int time) { return fmt::format("for another {} ms", (time - race().time + 999) / 1000); };
  if (race().paused_until >= 0) return "the race is paused " + ms(race().paused_until);
  if (detail::is_in_flight(*data_, player)) return "your previous action is still in progress";
  if (const Int free = detail::free_at(*data_, player); free > race().time) return "you are busy " + ms(free);
  const StateData before(*data_);
  detail::arrive(*data_, player, nullptr);
  if (data_->actor == player) return std::nullopt;
  *data_ = before;
  return "there is nothing you can do now";
}

std::size_t State::random_index() {
  detail::need_question(*data_);
  if (legal_count() <= 1) return 0;
  return static_cast<std::size_t>(
      draw_below(policy_stream(data_->bytes.get(), data_->program().layout, data_->actor), data_->count));
}

std::string State::ending() const {
  const EndingInfo* const ending =
      data_->over && !data_->failure ? detail::ending_of(data_->program(), data_->bytes.get()) : nullptr;
  return !ending ? "" : ending->words.empty() ? ending->text : ending->words;
}
std::string State::ending_for_people() const {
  const EndingInfo* const ending =
      data_->over && !data_->failure ? detail::ending_of(data_->program(), data_->bytes.get()) : nullptr;
  return ending ? ending->words : "";
}

std::uint64_t State::winners_mask() const {
  return data_->over && !data_->failure ? detail::winners_of(data_->program(), data_->bytes.get()) : 0;
}

std::vector<int> State::winners() const {
  std::vector<int> seats;
  for (std::uint64_t mask = winners_mask(); mask; mask &= mask - 1) seats.push_back(std::countr_zero(mask));
  return seats;
}

std::vector<std::int64_t> State::returns() const {
  const Program& program = data_->program();
  std::vector<std::int64_t> out(static_cast<std::size_t>(program.layout.players), 0);
  if (!data_->over || data_->failure) return out;
  for (std::size_t seat = 0; seat < out.size(); ++seat)
    out[seat] = program.payoff >= 0 ? detail::call(*data_, program.payoff, {static_cast<Int>(seat)}).value_or(0)
                                    : static_cast<std::int64_t>(winners_mask() >> seat & 1);
  return out;
}

std::int64_t State::decisions() const {
  return read<std::uint32_t>(data_->bytes.get() + data_->program().layout.decisions);
}
std::int64_t State::turns() const {
  const Program& program = data_->program();
  return program.turn_number < 0
             ? -1
             : std::max<Int>(0, value_of_variable(program, data_->bytes.get(), program.turn_number, 0));
}
bool State::is_in(int player) const {
  detail::need_player(data_->program(), player);
  return detail::players_in(data_->program(), data_->bytes.get()) >> player & 1;
}

std::string State::trait(std::string_view variable, int player) const {
  detail::need_player(data_->program(), player);
  const Program& program = data_->program();
  for (const Int v : program.statistics)
    if (const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(v)]; info.name == variable)
      if (const Int value = value_of_variable(program, data_->bytes.get(), v, player); value >= 0)
        return detail::constant_label(program, info.enumeration, value);
  return {};
}

std::vector<std::string> State::goals(int player) const {
  std::vector<std::string> endings = data_->game->origin->endings_in_words(*data_->game), own;
  for (const Int v : data_->program().statistics) {
    const VariableInfo& info = data_->program().variable_infos[static_cast<std::size_t>(v)];
    const bool known =
        player < 0 || !info.secret || knows_variable(data_->program(), data_->bytes.get(), player, v, player);
    const std::string who = known ? trait(info.name, player) : "";
    const auto speaks = [&](const std::string& text) { return !who.empty() && text.find(who) != std::string::npos; };
    if (std::any_of(endings.begin(), endings.end(), speaks)) own.push_back(fmt::format("you are {}", who));
  }
  endings.insert(endings.begin(), own.begin(), own.end());
  return endings;
}

void State::drop_knowledge() { data_->keeps_knowledge = false; }
bool State::keeps_knowledge() const { return data_->keeps_knowledge; }

std::string State::everything() const {
  nlohmann::json all = state_json(data_->program(), data_->bytes.get());
  all["cards"] = cards_json(data_->program());
  return all.dump();
}
std::vector<std::string> State::why(int player, std::string_view what) const {
  detail::need_player(data_->program(), player);
  return data_->game->origin->why(*data_, player, what);
}

State State::resample(int player, std::uint64_t seed) const {
  detail::need_player(data_->program(), player, true);
  if (player >= 0) detail::need_knowledge(*data_, "sample other worlds");
  return State(detail::other_world(*data_, player, seed));
}

std::uint64_t State::chance() const { return read<Word>(data_->bytes.get() + data_->program().layout.streams); }
void State::set_live(std::uint64_t live) {
  if (live >> data_->program().layout.players != 0)
    raise(Blame::caller,
          fmt::format("`live` contains unknown seats: the game has {} players", data_->program().layout.players));
  if (race().open) raise(Blame::caller, "the live players cannot change while a race is open");
  detail::make_live(*data_, live);
}
void State::reseed(std::uint64_t seed) { key_streams(data_->program().layout, data_->bytes.get(), run_key(seed), 0); }

std::uint64_t State::hash() const { return state_hash(data_->program().layout, data_->bytes.get()); }
std::uint64_t State::whole_hash() const { return whole_state_hash(data_->program().layout, data_->bytes.get()); }

std::string State::save() const {
  detail::need_knowledge(*data_, "save the state");
  if (data_->failure) raise(Blame::caller, "cannot save a game that ended with an error");
  return save_state(data_->program(), data_->bytes.get());
}

void State::playout() {
  if (data_->over) return;
  cardwright::Game context = detail::fresh_context(*data_->game);
  data_->listed = false;
  data_->words.clear();
  data_->over = true;
  if (data_->game->engine->play_on(context, data_->bytes.get()) == Status::trapped)
    data_->failure = detail::failure_of(data_->program(), context);
}

}   // namespace cardwright::api
