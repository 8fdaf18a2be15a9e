// Fuzzes the messages that devices send to a table with libFuzzer: hello, all commands, answers and
// arbitrary text, while time passes. A table must never throw, send an invalid message, or address an
// unknown device. Build with the preset `fuzz`:
//
//     build/fuzz/bin/table_fuzzer -max_len=4096 -timeout=20 corpus
//
// The first byte selects the game. Each command takes one byte for the device, one for the kind, and its arguments.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/table.hpp"

using namespace cardwright;
using Json = nlohmann::json;

namespace {

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

const api::Game& game_of(std::uint8_t byte) {
  static const std::vector<api::Game> games = [] {
    setenv("CARDWRIGHT_CACHE", "off", 1);
    std::vector<api::Game> all;
    for (const char* name : {"kuhn_poker", "crazy_eights", "hearts", "splash", "quickshot"})
      all.push_back(api::Ruleset::load(name).compile());
    return all;
  }();
  return games[byte % games.size()];
}

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool is_at_end() const { return at_ >= size_; }
  std::uint8_t byte() { return is_at_end() ? 0 : data_[at_++]; }
  std::string text() {
    std::string out;
    while (!is_at_end() && data_[at_] != '\n') out += static_cast<char>(data_[at_++]);
    ++at_;
    return out;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

class Play {
 public:
  explicit Play(const api::Game& game) : players_(game.players()), table_(game, settings(), 0) {
    table_.connect(1, {{0}, true}, {}, 0);
    table_.connect(2, {{1}}, {}, 0);
    table_.connect(3, {}, {}, 0);
    settle();
  }

  void step(Input& in) {
    const api::DeviceId device = 1 + in.byte() % 4;   // the last device is unknown
    const int kind = in.byte() % 20;
    const int seat = in.byte() % (players_ + 1);
    now_ += in.byte() * std::int64_t{20'000};
    table_.pass_time(now_);
    if (kind == 0)
      table_.disconnect(device, now_);
    else if (kind == 1 && device < 4)
      table_.connect(device, {device < 3 ? std::vector{static_cast<int>(device) - 1} : std::vector<int>{}, device == 1},
                     {run_, {{seat, std::int64_t{in.byte()}}}}, now_);
    else
      table_.receive(device, message(in, kind, seat), now_, in.byte() * std::int64_t{1000});
    settle();
  }

 private:
  static api::TableSettings settings() {
    api::TableSettings settings;
    settings.seats = {api::SeatHolder::person, api::SeatHolder::person};
    settings.design = true;
    settings.random = [] { return std::uint64_t{0x1234567}; };
    return settings;
  }

  std::string message(Input& in, int kind, int seat) {
    const int number = in.byte();
    switch (kind) {
      case 2:
      case 3:
      case 4:
      case 5:
      case 6:
        if (const auto ask = asked_.find(seat); ask != asked_.end()) {
          const Json& options = ask->second["options"];
          const Json id = options[static_cast<std::size_t>(number) % options.size()]["id"];
          if (ask->second.value("race", false)) return Json{{"k", "act"}, {"seat", seat}, {"id", id}}.dump();
          return Json{{"k", "choose"}, {"seat", seat}, {"q", ask->second["q"]}, {"id", id}}.dump();
        }
        return Json{{"k", "act"}, {"seat", seat}, {"id", number}}.dump();
      case 7: return Json{{"k", "undo"}, {"seat", seat}, {"step", number}}.dump();
      case 8: return Json{{"k", "at"}, {"seat", seat}, {"step", number}}.dump();
      case 9: return Json{{"k", "why"}, {"seat", seat}, {"action", number}}.dump();
      case 10: return Json{{"k", "why"}, {"seat", seat}, {"zone", number}, {"print", in.byte()}}.dump();
      case 11: {
        static const char* const kKinds[] = {"pause", "resume", "again", "bot"};
        return Json{{"k", "ballot"}, {"kind", kKinds[number % 4]}, {"seat", seat}}.dump();
      }
      case 12: return Json{{"k", "vote"}, {"id", number}, {"yes", seat % 2 == 0}}.dump();
      case 13: return Json{{"k", number % 2 ? "sit" : "rise"}, {"seat", seat}}.dump();
      case 14: {
        static const char* const kWhat[] = {"start", "bot", "open", "invite", "revoke", "reload", "close"};
        return Json{{"k", "host"}, {"do", kWhat[number % 7]}, {"seat", seat}}.dump();
      }
      case 15: {
        static const char* const kWhat[] = {"back", "state", "think", "keep", "from"};
        return Json{{"k", "design"}, {"do", kWhat[number % 5]}, {"seat", seat}, {"entry", in.byte()}}.dump();
      }
      case 16: return "{\"k\":\"name\",\"seat\":0,\"name\":" + in.text() + "}";
      case 17: return "{\"k\":\"why\",\"seat\":0,\"what\":\"" + in.text() + "\"}";
      default: return in.text();
    }
  }

  // Checks that every output is a message to a known device. Bots take their first option.
  void settle() {
    for (int i = 0; i < 50; ++i) {
      const api::TableOutput out = table_.take();
      for (const api::TableMessage& message : out.messages) hear(message);
      const std::vector<api::BotTask> tasks = table_.take_tasks();
      for (const api::BotTask& task : tasks)
        if (task.opinions)
          table_.answer_opinions(task.number, {}, now_);
        else
          table_.answer_task(task.number, 0, now_);
      if (tasks.empty()) return;
    }
  }

  void hear(const api::TableMessage& message) {
    if (message.to < 1 || message.to > 3) die("a message to an unknown device");
    const Json json = Json::parse(*message.text, nullptr, false);
    if (!json.is_object() || !json.contains("k")) die("no message: " + *message.text);
    if (json.contains("run")) run_ = json["run"];
    if (json["k"] == "ask" && !json["options"].empty()) asked_[json["seat"]] = json;
    if (json["k"] == "idle") asked_.erase(json["seat"]);
  }

  const int players_;
  api::Table table_;
  std::int64_t now_ = 0;
  std::map<int, Json> asked_;
  std::string run_;   // the latest run id from the table, with which devices reconnect
};

}   // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  try {
    Play play(game_of(in.byte()));
    for (int steps = 0; !in.is_at_end() && steps < 200; ++steps) play.step(in);
  } catch (const std::exception& error) {
    die(error.what());
  }
  return 0;
}
