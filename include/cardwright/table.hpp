// Defines a table: one game, the people and bots that hold its seats, and spectators. It receives commands and emits
// messages in the format of docs/reference/protocol.md. It has no socket, disk, clock or thread of its own: the host
// supplies the time, stores the journal, and runs the bots.
//
//   Table table(game, {.seed = 7, .seats = {SeatHolder::person, SeatHolder::bot}, .random = random}, now);
//   table.connect(device, {.seats = {0}, .host = true}, {}, now);
//   table.receive(device, R"({"k":"choose","seat":0,"q":1,"id":17})", now);
//   TableOutput out = table.take();          // first store out.journal on disk, then send out.messages
//
// A table must be used by one thread at a time. Times are in microseconds and come from a monotonic clock of the host.
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
  std::vector<SeatHolder> seats;   // by seat; further seats are open
  bool started = false;   // true: the game starts immediately; false: the host's device starts it
  int time_factor = 1;   // multiplies all times, 1 to 1000
  bool open_at_end = true;   // shows all cards when the game is over
  bool design = false;   // a table for designers: see docs/reference/protocol.md
  bool undo = true;
  // The people share one device and answer one after another, by seat. The device also receives questions with a single
  // option. With several people, races advance from decision to decision instead of by the clock.
  bool one_device = false;
  bool fair = true;   // in races, delays the actions of all people by the delay of the slowest connection, up to 100 ms
  double seconds = 0;   // time limit per decision; 0: none
  double bot_seconds = 0.2;   // thinking time of bots per decision
  std::string name;   // table name
  std::string build;   // software that runs the table, for `welcome`
  // Returns 64 random bits for pauses and for the new random streams after undo. The game's chance before an undo
  // depends only on `seed`.
  std::function<std::uint64_t()> random;
};

// One line of a table's journal: a change of the State. Replaying the lines in order restores the State.
struct TableEntry {
  enum class Kind : std::uint8_t {
    choose,   // the seat takes option `id`
    arrive,   // the seat acts in a race; its choice follows
    clock,   // the race ran until `id` microseconds
    back,   // undo: the first `id` entries remain
    reseed,   // draws new random streams with the seed `id`
    live,   // `id` is the new mask of seats that act in races whenever they like
    begin,   // the game begins
  };
  Kind kind = Kind::choose;
  int seat = -1;
  std::int64_t id = 0;
  std::string name;   // for an option: its action and arguments, which identify it under changed rules
  bool operator==(const TableEntry&) const = default;
};

using DeviceId = std::uint64_t;   // number of a connection, assigned by the host

struct DeviceRights {
  std::vector<int> seats;   // seats that the device controls; none: spectator
  bool host = false;
};

// The last steps that a device received before its connection broke; the device reports them in `hello`.
struct SeenSteps {
  std::string run;   // the run named in `welcome`; steps of another run are ignored
  std::map<int, std::int64_t> steps;   // last step by seat; the key -2 is the spectators' view
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
  std::int64_t entry = 0;   // for rules_from: number of the journal entry
};

struct TableOutput {
  std::vector<TableEntry> journal;   // entries to append to the stored journal
  bool replaces_journal = false;   // `journal` replaces the stored journal, because the rules have changed
  std::vector<TableMessage> messages;
  std::vector<TableRequest> requests;
};

// The open question of a seat.
struct TableQuestion {
  std::int64_t q = 0;   // number of the question, for `choose`
  bool race = false;   // true if the options are actions in a race, which the device sends with `act`
  State state;   // state with this seat's pending decision; includes answers of this seat that others may not know yet
};

// A decision for a bot. The host calls `bot->choose(state)` on any thread and passes the index to answer_task. If
// `opinions` is set, it calls `bot->opinions(state)` instead and passes the result to answer_opinions.
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
  std::size_t entry = 0;   // number of the entry; all earlier entries can be replayed
  int seat = -1;   // the seat that made the choice
  // The choice and the reason: "b plays Splash on c", "not available; a decides instead: keep or draw".
  std::string choice, because;
};

namespace detail {
struct TableData;
}

class Table {
 public:
  // Throws Error(caller) for invalid settings.
  Table(Game game, TableSettings settings, std::int64_t now);
  // Restores a table by replaying its journal; the seats have the holders in `settings`. Throws Error(caller) if the
  // journal does not match these rules.
  Table(Game game, TableSettings settings, std::vector<TableEntry> journal, std::int64_t now);
  ~Table();
  Table(Table&&) noexcept;
  Table& operator=(Table&&) noexcept;

  // Connects a device: sends `welcome`, then either everything that the device may see or only the steps after `seen`.
  void connect(DeviceId device, const DeviceRights& rights, const SeenSteps& seen, std::int64_t now);
  // Disconnects a device. The people on it keep their seats.
  void disconnect(DeviceId device, std::int64_t now);
  // Processes a message from a device. `delay` is the round-trip time in microseconds that the host has measured. The
  // answer to an invalid message is `refused`; such a message has no other effect.
  void receive(DeviceId device, std::string_view json, std::int64_t now, std::int64_t delay = 0);
  // Performs actions that are due. The host calls it at the time that next_due() returns, or later.
  void pass_time(std::int64_t now);
  // Returns the time of the next scheduled action; -1 if there is none.
  std::int64_t next_due() const;
  // Returns all output since the last call.
  TableOutput take();

  // Returns the new bot tasks since the last call.
  std::vector<BotTask> take_tasks();
  void answer_task(std::uint64_t number, std::size_t index, std::int64_t now);
  void answer_opinions(std::uint64_t number, const std::vector<Opinion>& opinions, std::int64_t now);

  // Replays all choices in a game with changed rules, matching options by name. If a choice is impossible, nothing
  // changes and the result describes that choice; with `entries`, only that many entries are replayed.
  std::optional<TableStuck> reload(const Game& game, std::int64_t now, std::size_t entries = ~std::size_t{0});
  // Reports the result of a change of the rules to the host's devices. If `ok` is true, the game continues with the new
  // rules, and `report` contains their warnings. Otherwise it continues with the old rules: `report` contains the
  // errors in the new rules (in the format of Report::json), or `stuck` is the choice that is impossible under them.
  void send_rules(bool ok, std::string_view report, const std::optional<TableStuck>& stuck = {});

  const Game& game() const;
  const TableSettings& settings() const;
  const State& state() const;
  const Log& log() const;   // the log of the current game
  std::optional<TableQuestion> question(int seat) const;
  std::int64_t race_time(std::int64_t now) const;   // time of the open race, in microseconds
  SeatHolder holder(int seat) const;
  // Returns the hash of describe(game()), which `welcome` contains.
  const std::string& rules_hash() const;
  const std::string& name_of(int seat) const;
  void sit(int seat, SeatHolder holder, const std::string& name,
           std::int64_t now);   // assigns the seat to a new holder
  bool is_over() const;
  std::size_t devices() const;
  // Returns the journal of the current game: a new Table with the same settings and this journal has the same state.
  std::vector<TableEntry> journal() const;

 private:
  std::unique_ptr<detail::TableData> data_;
};

}   // namespace cardwright::api
