// Implements simulated people: passes their answers to a Table, and the messages of the Table to their devices.
#include "tests/table/people.h"

namespace cardwright::test {

void Device::read(const Json& message) {
  heard.push_back(message);
  const std::string kind = message["k"];
  const int observer = message.contains("seat") && message["seat"].is_number() ? message["seat"].get<int>() : -1;
  if (kind == "view") things[observer] = message["things"], steps[observer] = message["step"];
  if (kind == "step") {
    for (const auto& [key, value] : message["set"].items()) things[observer][key] = value;
    for (const Json& key : message["gone"]) things[observer].erase(key.get<std::string>());
    steps[observer] = message["step"];
  }
  if (message.contains("run")) run = message["run"];
  if (kind == "ask") asked[observer] = message;
  if (kind == "idle") asked.erase(observer);
}

Json Device::last(const std::string& kind) const {
  for (auto message = heard.rbegin(); message != heard.rend(); ++message)
    if ((*message)["k"] == kind) return *message;
  return nullptr;
}

api::TableSettings all_people(const api::Game& game, std::uint64_t seed) {
  api::TableSettings settings;
  settings.seed = seed;
  settings.started = true;
  settings.seats.assign(static_cast<std::size_t>(game.players()), api::SeatHolder::person);
  settings.random = [state = seed]() mutable { return state = state * 6364136223846793005u + 1442695040888963407u; };
  return settings;
}

People::People(api::Game game, api::TableSettings settings) : table_(std::move(game), settings, now_) {
  for (int seat = 0; seat < table_.game().players(); ++seat)
    if (table_.holder(seat) == api::SeatHolder::person) {
      const auto id = static_cast<api::DeviceId>(seat + 1);
      devices_[id].seats = {seat};
      table_.connect(id, {{seat}, seat == 0}, {}, now_);
    }
  devices_[100];
  table_.connect(100, {}, {}, now_);
  deliver();
}

void People::say(api::DeviceId device, const Json& message) {
  table_.receive(device, message.dump(), now_);
  deliver();
}

void People::deliver() {
  while (true) {
    api::TableOutput out = table_.take();
    if (out.replaces_journal) journal_.clear();
    journal_.insert(journal_.end(), out.journal.begin(), out.journal.end());
    for (const api::TableMessage& message : out.messages)
      if (const auto device = devices_.find(message.to); device != devices_.end())
        device->second.read(Json::parse(*message.text));
    std::vector<api::BotTask> tasks = table_.take_tasks();
    if (tasks.empty() && out.messages.empty()) return;
    for (api::BotTask& task : tasks) {
      task.bot->set({.iterations = 20});
      if (task.opinions)
        table_.answer_opinions(task.number, task.bot->opinions(task.state), now_);
      else
        table_.answer_task(task.number, task.bot->choose(task.state), now_);
    }
  }
}

void People::wait(std::int64_t microseconds) {
  now_ += microseconds;
  table_.pass_time(now_);
  deliver();
}

bool People::advance() {
  std::vector<std::pair<api::DeviceId, Json>> open;
  for (const auto& [id, device] : devices_)
    for (const auto& [seat, question] : device.asked) open.emplace_back(id, question);
  const std::int64_t due = table_.next_due();
  const bool in_race = !open.empty() && open[0].second["race"] == true;
  if (open.empty() || (in_race && random_() % 4 != 0 && due >= 0)) {
    if (due < 0) return false;
    now_ = std::max(now_, due);
    table_.pass_time(now_);
    deliver();
    return true;
  }
  const auto& [id, question] = open[random_() % open.size()];
  const Json& options = question["options"];
  const Json& option = options[random_() % options.size()];
  if (in_race) now_ += static_cast<std::int64_t>(random_() % 50'000);
  say(id, in_race ? Json{{"k", "act"}, {"seat", question["seat"]}, {"id", option["id"]}}
                  : Json{{"k", "choose"}, {"seat", question["seat"]}, {"q", question["q"]}, {"id", option["id"]}});
  return true;
}

bool People::play_to_end(int most) {
  for (int i = 0; i < most && !table_.is_over(); ++i)
    if (!advance()) return false;
  return table_.is_over();
}

}   // namespace cardwright::test
