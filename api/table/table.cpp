// Implements the handle Table of include/cardwright/table.hpp, and processes the answers of bots.
#include "cardwright/table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "support/digest.h"
#include "api/table/data.h"

namespace cardwright::api {

namespace {

void need_seats(const Game& game, const TableSettings& settings) {
  if (settings.seats.size() > static_cast<std::size_t>(game.players()))
    raise(Blame::caller,
          fmt::format("{} seats were set, but the game has {} players", settings.seats.size(), game.players()));
  if (!settings.random) raise(Blame::caller, "TableSettings::random is not set");
  if (!(settings.seconds >= 0 && settings.seconds <= 86'400) ||
      !(settings.bot_seconds >= 0 && settings.bot_seconds <= 86'400))
    raise(Blame::caller, "time per decision is out of range: expected 0 to 86400 seconds");
}

}   // namespace

TableData::TableData(Game game, TableSettings how, std::int64_t)
    : settings(std::move(how)),
      history(std::move(game), settings.seed, settings.time_factor),
      seats(static_cast<std::size_t>(players())),
      questions(seats.size()),
      taken(seats.size()) {
  update_description();
  for (std::size_t seat = 0; seat < settings.seats.size(); ++seat) seats[seat].holder = settings.seats[seat];
  for (int seat = 0; seat < players(); ++seat) streams.emplace_back(seat);
  streams.emplace_back(kSpectator);
}

void TableData::update_description() {
  description_hash = hex(digest_of(describe(history.game())));
  run = fmt::format("{:016x}", random());
}

Table::Table(Game game, TableSettings settings, std::int64_t now) {
  need_seats(game, settings);
  data_ = std::make_unique<TableData>(std::move(game), std::move(settings), now);
  if (data_->settings.started) data_->begin(now);
}

Table::Table(Game game, TableSettings settings, std::vector<TableEntry> journal, std::int64_t now) {
  need_seats(game, settings);
  data_ = std::make_unique<TableData>(std::move(game), std::move(settings), now);
  for (TableEntry& entry : journal) data_->history.add_by_name(std::move(entry));
  if (data_->history.has_begun())
    data_->settle(now);
  else if (data_->settings.started)
    data_->begin(now);
}

Table::~Table() = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(Table&&) noexcept = default;

void Table::connect(DeviceId device, const DeviceRights& rights, const SeenSteps& seen, std::int64_t now) {
  for (const int seat : rights.seats)
    if (seat < 0 || seat >= data_->players()) raise(Blame::caller, fmt::format("unknown seat {}", seat));
  data_->connect(device, rights, seen, now);
}
void Table::disconnect(DeviceId device, std::int64_t now) { data_->disconnect(device, now); }

void Table::receive(DeviceId device, std::string_view json, std::int64_t now, std::int64_t delay) {
  if (const auto there = data_->devices.find(device); there != data_->devices.end())
    there->second.delay = std::max<std::int64_t>(0, delay);
  data_->receive(device, json, now);
}

void Table::pass_time(std::int64_t now) { data_->pass_time(now); }
std::int64_t Table::next_due() const { return data_->next_due(); }
TableOutput Table::take() { return std::exchange(data_->out, {}); }

std::vector<BotTask> Table::take_tasks() { return std::exchange(data_->tasks_to_give, {}); }

void Table::answer_task(std::uint64_t number, std::size_t index, std::int64_t now) {
  const auto task = std::find_if(data_->tasks.begin(), data_->tasks.end(),
                                 [&](const TableData::Task& one) { return one.number == number && one.asked_by == 0; });
  if (task == data_->tasks.end()) return;   // an outdated task
  const int seat = task->seat;
  data_->tasks.erase(task);
  if (!data_->runs()) return;   // after the pause, settle() creates a new task
  TableData::Answering* mine = data_->history.state().still_to_answer() != 0 ? data_->answering_of(seat) : nullptr;
  State& asked = mine ? mine->state : data_->history.state();
  if (asked.is_over() || asked.actor() != seat || index >= asked.legal_count()) return data_->settle(now);
  data_->answer(seat, asked.legal()[index], now);
  data_->settle(now);
}

void Table::answer_opinions(std::uint64_t number, const std::vector<Opinion>& opinions, std::int64_t) {
  const auto task = std::find_if(data_->tasks.begin(), data_->tasks.end(),
                                 [&](const TableData::Task& one) { return one.number == number; });
  if (task == data_->tasks.end()) return;
  const TableData::Task asked = *task;
  data_->tasks.erase(task);
  if (!data_->devices.contains(asked.asked_by)) return;
  if (opinions.empty()) return data_->refuse(asked.asked_by, "the bot could not evaluate this", asked.seat);
  Json options = Json::array();
  for (const Opinion& one : opinions)
    options.push_back({{"id", one.option}, {"visits", one.visits}, {"value", one.value}});
  data_->send(asked.asked_by,
              table::text_of({{"k", "opinions"}, {"seat", asked.seat}, {"q", asked.q}, {"options", options}}));
}

const Game& Table::game() const { return data_->history.game(); }
const TableSettings& Table::settings() const { return data_->settings; }
const State& Table::state() const { return data_->history.state(); }
const Log& Table::log() const { return data_->history.log(); }
std::optional<TableQuestion> Table::question(int seat) const {
  const TableData::Question& question = data_->questions.at(static_cast<std::size_t>(seat));
  if (!question.open) return std::nullopt;
  const auto mine = data_->answering.find(seat);
  State asked = mine != data_->answering.end() ? mine->second.state : data_->history.state();
  if (question.race) asked.arrive(seat);
  return TableQuestion{question.q, question.race, std::move(asked)};
}
std::int64_t Table::race_time(std::int64_t now) const { return data_->time_of_race(now); }
const std::string& Table::rules_hash() const { return data_->description_hash; }
SeatHolder Table::holder(int seat) const { return data_->seats.at(static_cast<std::size_t>(seat)).holder; }
const std::string& Table::name_of(int seat) const { return data_->seats.at(static_cast<std::size_t>(seat)).name; }
void Table::sit(int seat, SeatHolder holder, const std::string& name, std::int64_t now) {
  data_->sit(seat, holder, name, now);
}
bool Table::is_over() const { return data_->history.has_begun() && data_->history.state().is_over(); }
std::size_t Table::devices() const { return data_->devices.size(); }

std::vector<TableEntry> Table::journal() const {
  std::vector<TableEntry> out{{TableEntry::Kind::reseed, -1, static_cast<std::int64_t>(data_->history.seed()), {}}};
  out.insert(out.end(), data_->history.entries().begin(), data_->history.entries().end());
  return out;
}

}   // namespace cardwright::api
