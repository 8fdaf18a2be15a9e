// A table: one game, the people and bots that hold its seats, and spectators. It receives commands and emits messages
// in the format of docs/reference/protocol.md. It has no socket, disk, clock or thread of its own: the host supplies the time,
// stores the journal, and runs the bots.
//
//   Table table(game, {.seed = 7, .seats = {SeatHolder::person, SeatHolder::bot}, .random = random}, now);
//   table.connect(device, {.seats = {0}, .host = true}, {}, now);
//   table.receive(device, R"({"k":"choose","seat":0,"q":1,"id":17})", now);
//   TableOutput out = table.take();          // first store out.journal on disk, then send out.messages
//
// A table must be used by one thread at a time. Times are microseconds of a monotonic clock of the host.
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
  open,   // free to take; a bot plays it if it is still open when the game starts
  person,
  bot,
};

struct TableSettings {
  std::uint64_t seed = 1;
  std::vector<SeatHolder> seats;   // missing ones are open
  bool started = false;   // otherwise the host starts the game
  int time_factor = 1;   // multiplies all times, 1 to 1000
  bool open_at_end = true;   // shows all cards when the game is over
  bool design = false;   // a table for designers: see docs/reference/protocol.md
  bool undo = true;
  bool fair = true;   // in races, all people get the delay of the slowest connection, up to 100 ms
  double seconds = 0;   // time limit per decision; 0: none
  double bot_seconds = 0.2;   // thinking time of bots per decision
  std::string name;   // table name
  std::string build;   // software that runs the table, for `welcome`
  // Returns 64 random bits for purposes that do not affect the game's chance: pauses, and new random streams after
  // undo.
  std::function<std::uint64_t()> random;
};

// One line of a table's journal: a change of the State. Replaying the lines in order restores the State.
struct TableEntry {
  enum class Kind : std::uint8_t {
    choose,   // the seat takes option `id`
    arrive,   // the seat acts in a race; its choice follows
    clock,   // the race ran until `id` microseconds
    back,   // undo: the first `id` entries remain
    reseed,   // new random streams, seeded with `id`
    live,   // `id` is the new mask of seats that act in races whenever they like
    begin,   // the game begins
  };
  Kind kind = Kind::choose;
  int seat = -1;
  std::int64_t id = 0;
  std::string name;   // of an option: action and arguments, which identify it under changed rules
  bool operator==(const TableEntry&) const = default;
};

using DeviceId = std::uint64_t;   // a connection, numbered by the host

struct DeviceRights {
  std::vector<int> seats;   // seats that the device controls; none: spectator
  bool host = false;
};

// The steps that a device had received before its connection broke, as it reports in `hello`.
struct SeenSteps {
  std::string run;   // from `welcome`; steps of another run are ignored
  std::map<int, std::int64_t> steps;   // last step per seat of the device; -2: as a spectator
};

struct TableMessage {
  DeviceId to = 0;
  std::shared_ptr<const std::string> text;
};

// A request of the table to its host.
struct TableRequest {
  enum class Kind : std::uint8_t { invite, revoke, reload, close, keep_rules, rules_from, seats_changed };
  Kind kind = Kind::invite;
  DeviceId from = 0;
  int seat = -1;
  std::int64_t entry = 0;   // of rules_from
};

struct TableOutput {
  std::vector<TableEntry> journal;   // entries to append to the stored journal
  bool anew = false;   // replaces the stored journal, because the rules have changed
  std::vector<TableMessage> messages;
  std::vector<TableRequest> requests;
};

// A bot has to decide. The host lets `bot` choose in `state`, on any thread, and returns the index; or, for `opinions`,
// the result of Bot::opinions.
struct BotTask {
  std::uint64_t number = 0;   // task number; answers to older tasks are ignored
  int seat = -1;
  double seconds = 0.2;   // time limit
  bool opinions = false;
  State state;
  std::shared_ptr<Bot> bot;
};

// The first choice in the journal that is impossible under the changed rules.
struct TableStuck {
  std::size_t entry = 0;   // entry number; all earlier entries can be replayed
  int seat = -1;   // the seat that made the choice
  std::string choice, because;   // "b plays Splash on c", "not available; a decides instead: keep or draw"
};

namespace detail {
struct TableData;
}

class Table {
 public:
  // Throws Error(caller) for invalid settings.
  Table(Game game, TableSettings settings, std::int64_t now);
  // Restores a table: replays its journal, and keeps the holders of its seats. Throws Error(caller) if the journal does
  // not match these rules.
  Table(Game game, TableSettings settings, std::vector<TableEntry> journal, std::int64_t now);
  ~Table();
  Table(Table&&) noexcept;
  Table& operator=(Table&&) noexcept;

  // Connects a device: sends `welcome` and everything it may see, or only the missing steps.
  void connect(DeviceId device, const DeviceRights& rights, const SeenSteps& seen, std::int64_t now);
  // Disconnects a device. Its people keep their seats.
  void disconnect(DeviceId device, std::int64_t now);
  // Processes a message as received from a device. `delay` is the round-trip time in microseconds, as measured by the
  // host. Invalid messages are answered with `refused` and have no effect.
  void receive(DeviceId device, std::string_view json, std::int64_t now, std::int64_t delay = 0);
  // Performs actions that are due. The host calls it at next_due() (-1: none) or later.
  void pass_time(std::int64_t now);
  std::int64_t next_due() const;
  // All output since the last call.
  TableOutput take();

  // New bot tasks since the last call.
  std::vector<BotTask> take_tasks();
  void answer_task(std::uint64_t number, std::size_t index, std::int64_t now);
  void answer_opinions(std::uint64_t number, const std::vector<Opinion>& opinions, std::int64_t now);

  // Replays all choices in a game with changed rules, matching options by name. If a choice is impossible, nothing
  // changes and the result describes that choice; with `entries`, only that many entries are replayed.
  std::optional<TableStuck> reload(Game game, std::int64_t now, std::size_t entries = ~std::size_t{0});
  // Sends the host the errors in the changed rules (`report`, in the format of Report::json) or the choice that is
  // impossible; the game continues with the old rules. `ok`: the game continues with the new rules, and `report` has
  // their warnings.
  void tell_rules(bool ok, std::string_view report, const std::optional<TableStuck>& stuck = {});

  const Game& game() const;
  const TableSettings& settings() const;
  const State& state() const;
  SeatHolder holder(int seat) const;
  // Digest that identifies describe(game()) in `welcome`.
  const std::string& rules_hash() const;
  const std::string& name_of(int seat) const;
  void sit(int seat, SeatHolder holder, std::string name, std::int64_t now);   // assigns the seat from now on
  bool is_over() const;
  std::size_t devices() const;
  // The journal of the current game: a new Table with the same settings and this journal has the same state.
  std::vector<TableEntry> journal() const;

 private:
  std::unique_ptr<detail::TableData> data_;
};

}   // namespace cardwright::api
