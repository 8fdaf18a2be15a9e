// A table: one game, the people and bots who sit at it, and whoever watches. Commands go in, messages come out, both as
// docs/reference/protocol.md has them. It has no socket, disk, clock or thread of its own: the host gives it the time, keeps its
// journal, and lets bots think where it likes.
//
//   Table table(game, {.seed = 7, .seats = {SeatHolder::person, SeatHolder::bot}, .random = random}, now);
//   table.connect(device, {.seats = {0}, .host = true}, {}, now);
//   table.receive(device, R"({"k":"choose","seat":0,"q":1,"id":17})", now);
//   TableOutput out = table.take();          // first keep out.journal on the disk, then send out.messages
//
// One thread at a time. Times are microseconds of a clock of the host's that never goes back.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cardwright/bots.hpp"
#include "cardwright/cardwright.hpp"

namespace cardwright::api {

enum class SeatHolder : std::uint8_t {
  open,   // for whoever comes; a bot plays there once the game has begun
  person,
  bot,
};

struct TableSettings {
  std::uint64_t seed = 1;
  std::vector<SeatHolder> seats;   // missing ones are open
  bool started = false;   // else the game begins when the host says so
  int time_factor = 1;   // of all times, 1 to 1000
  bool open_at_end = true;   // shows all cards when the game is over
  bool design = false;   // a table of designers: see docs/reference/protocol.md
  bool undo = true;
  bool fair = true;   // races: all have the delay of the slowest, up to 100 ms
  double seconds = 0;   // for each decision; 0: all the time they want
  double bot_seconds = 0.2;   // how long bots think at a decision
  std::string name;   // of the table
  std::string build;   // who runs it, for `welcome`
  // 64 random bits, of which the game's own chance never depends: pauses, new streams after a choice was taken back.
  std::function<std::uint64_t()> random;
};

// One line of a table's journal: what was done to the State. Replayed in order they give the same State.
struct TableEntry {
  enum class Kind : std::uint8_t {
    choose,   // seat took option id
    arrive,   // seat acts in a race; the choice follows
    clock,   // the race ran until `id` microseconds
    back,   // taken back until `id` entries are left
    reseed,   // new streams, from `id`
    live,   // who acts in races when they like is now `id`, a mask of seats
    begin,   // the game begins
  };
  Kind kind = Kind::choose;
  int seat = -1;
  std::int64_t id = 0;
  std::string name;   // of an option: action and arguments, by which it is found under other rules
  bool operator==(const TableEntry&) const = default;
};

using DeviceId = std::uint64_t;   // a connection, named by the host

struct DeviceRights {
  std::vector<int> seats;   // whose answers it gives; none: it watches
  bool host = false;
};

// What a device has been told before its connection broke, as `hello` says it.
struct SeenSteps {
  std::string run;   // of `welcome`: steps of another run mean nothing
  std::map<int, std::int64_t> steps;   // the last one of each of its seats; -2: as a spectator
};

struct TableMessage {
  DeviceId to = 0;
  std::shared_ptr<const std::string> text;
};

// What a table asks of its host.
struct TableRequest {
  enum class Kind : std::uint8_t { invite, revoke, reload, close, keep_rules, rules_from, seats_changed };
  Kind kind = Kind::invite;
  DeviceId from = 0;
  int seat = -1;
  std::int64_t entry = 0;   // of rules_from
};

struct TableOutput {
  std::vector<TableEntry> journal;   // to be added to what is kept, or
  bool anew = false;   // … to be kept instead of it: the rules are others
  std::vector<TableMessage> messages;
  std::vector<TableRequest> requests;
};

// A bot is to think. The host lets `bot` choose in `state`, on any thread, and gives back the index; or, for
// `opinions`, what Bot::opinions says.
struct BotTask {
  std::uint64_t number = 0;   // of this task; an answer to an older one is dropped
  int seat = -1;
  double seconds = 0.2;   // at most
  bool opinions = false;
  State state;
  std::shared_ptr<Bot> bot;
};

// Why the rules as they are now don't fit what was played.
struct TableStuck {
  std::size_t entry = 0;   // of the journal; that many fit
  int seat = -1;   // whose choice it was
  std::string choice, because;   // "b plays Splash on c", "not offered; a is asked: keep or draw"
};

namespace detail {
struct TableData;
}

class Table {
 public:
  // Throws Error(caller) for settings that are not possible.
  Table(Game game, TableSettings settings, std::int64_t now);
  // One that was begun before: all entries of its journal are done again, and whoever held a seat holds it. Throws
  // Error(caller) where they don't fit these rules.
  Table(Game game, TableSettings settings, std::vector<TableEntry> journal, std::int64_t now);
  ~Table();
  Table(Table&&) noexcept;
  Table& operator=(Table&&) noexcept;

  // A device is there: it is welcomed and sent all that it may see, or what is missing of it.
  void connect(DeviceId device, const DeviceRights& rights, const SeenSteps& seen, std::int64_t now);
  // … and no longer there. Its seats stay its people's.
  void disconnect(DeviceId device, std::int64_t now);
  // A message of a device, as it arrived. `delay`: of its way here and back, in microseconds, as far as the host can
  // measure it. Whatever is wrong with it is answered by `refused`, and changes nothing.
  void receive(DeviceId device, std::string_view json, std::int64_t now, std::int64_t delay = 0);
  // Does what is due. The host calls it at next_due() (-1: nothing is), or later.
  void pass_time(std::int64_t now);
  std::int64_t next_due() const;
  // What has come together since the last call.
  TableOutput take();

  // Bots that are to think and have not been handed out yet.
  std::vector<BotTask> take_tasks();
  void answer_task(std::uint64_t number, std::size_t index, std::int64_t now);
  void answer_opinions(std::uint64_t number, const std::vector<Opinion>& opinions, std::int64_t now);

  // The rules have changed: all choices are made again in the new game, by name. Where one doesn't fit nothing is
  // changed, and the answer says which; with `entries` only so many are made again.
  std::optional<TableStuck> reload(Game game, std::int64_t now, std::size_t entries = ~std::size_t{0});
  // Tells the host of wrong rules (`report`, JSON of Report::json) or of choices that don't fit: play goes on with the
  // rules before. `ok`: it goes on with the new ones, of which the report has warnings.
  void tell_rules(bool ok, std::string_view report, const std::optional<TableStuck>& stuck = {});

  const Game& game() const;
  const TableSettings& settings() const;
  const State& state() const;
  SeatHolder holder(int seat) const;
  // The digest by which `welcome` names describe(game()).
  const std::string& rules_hash() const;
  const std::string& name_of(int seat) const;
  void sit(int seat, SeatHolder holder, std::string name, std::int64_t now);   // who holds it from now on
  bool is_over() const;
  std::size_t devices() const;
  // Of the game that runs now: what a new Table of the same settings needs to be this one.
  std::vector<TableEntry> journal() const;

 private:
  std::unique_ptr<detail::TableData> data_;
};

}   // namespace cardwright::api
