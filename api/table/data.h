// Defines TableData, the state of a Table. Its methods are grouped by file: people.cpp (devices, seats, names),
// asking.cpp (next decisions: questions, bots, deadlines), races.cpp (the clock), ballots.cpp, undo.cpp (undo, earlier
// states, changed rules), commands.cpp (commands from devices).
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cardwright/table.hpp"
#include "api/table/observer_stream.h"
#include "api/table/history.h"
#include "api/table/messages.h"

namespace cardwright::api {

using table::Json;
using table::Text;

inline constexpr std::int64_t kMillisecond = 1000, kSecond = 1'000'000;

namespace detail {

struct TableData {
  // ---- people
  struct Seat {
    SeatHolder holder = SeatHolder::open;
    std::string name;
  };
  struct Device {
    DeviceRights rights;
    std::int64_t delay = 0;   // round-trip time
  };

  // ---- questions

  // The question for a seat. In a simultaneous decision, and while a player picks a set, the seat decides in its own
  // copy of the State (Answering); only a complete answer is applied to the game.
  struct Question {
    std::int64_t q = 0;
    bool open = false, race = false;
    std::vector<std::int64_t> ids;   // the options
    Json body;   // the contents of `ask`
    std::int64_t until = -1;   // deadline
  };
  struct Answering {
    State state;
    std::vector<std::int64_t> picks;   // picks so far
    bool race = false;   // the answer is an action in a race, which is performed when all picks are complete
  };
  struct Taken {   // the last answer of a seat
    std::int64_t q = 0, id = -1;
  };

  struct Task {
    std::uint64_t number = 0;
    int seat = -1;
    DeviceId asked_by = 0;   // the device that requested opinions; 0: the bot chooses an option
    std::int64_t q = 0;
  };
  struct Waiting {   // an option that will be taken at time `at`: the only option of a decision, or a bot's choice
    std::int64_t at = 0, id = 0;
  };

  struct Held {   // an action in a race, which is delayed until time `at`
    std::int64_t at = 0;
    DeviceId device = 0;   // the device that receives the reply; 0: none, because picks completed the action
    int seat = -1;
    std::vector<std::int64_t> ids;   // the action's option and its picks
  };

  struct Ballot {
    std::int64_t id = 0;
    std::string kind, text;
    int by = -1, seat = -1;
    std::map<int, bool> votes;
    std::int64_t until = 0;
    std::size_t entry = 0;   // for undo: number of entries that remain
  };

  TableData(Game game, TableSettings how, std::int64_t now);

  TableSettings settings;
  table::History history;
  std::string description_hash;
  std::string run;   // identifies this Table with its current rules; step numbers are valid only for the same `run`
  // Message about changed rules with which the game cannot continue; null if the last change succeeded.
  Text wrong_rules;
  std::vector<Seat> seats;
  std::map<DeviceId, Device> devices;
  std::vector<table::ObserverStream> streams;   // by seat, and last the spectators' stream
  std::vector<Question> questions;   // by seat
  std::vector<Taken> taken;
  std::map<int, Answering> answering;
  std::map<int, Waiting> waiting;
  std::map<int, Bot> bots;
  std::vector<Task> tasks;
  std::vector<BotTask> tasks_to_give;
  std::uint64_t last_task = 0;
  std::int64_t last_ballot = 0, answers_until = -1;
  std::optional<Ballot> ballot;
  std::deque<Held> held;
  // Host time at which the race's clock was 0, and the race's time at the last call of race_time().
  std::int64_t race_began = -1, race_seen = -1;
  bool clock_sent = false;
  std::int64_t paused_at = -1;
  bool over_sent = false;
  TableOutput out;

  void update_description();   // called when the game is replaced

  // ---- messages (people.cpp)
  void send(DeviceId to, const Text& text) { out.messages.push_back({to, text}); }
  void send_to_seat(int seat, const Text& text);
  void send_to_all(const Text& text);
  void refuse(DeviceId to, std::string_view because, int seat = -1, std::int64_t q = -1, std::int64_t id = -1);
  bool is_of(const Device& device, int observer) const;
  Json people() const;
  void send_people() { send_to_all(table::text_of(people())); }
  void welcome(DeviceId to);
  void connect(DeviceId device, const DeviceRights& rights, const SeenSteps& seen, std::int64_t now);
  void show_table(DeviceId to, int observer, const SeenSteps& seen, std::int64_t now);
  void disconnect(DeviceId device, std::int64_t now);
  bool is_here(int seat) const;
  bool is_person(int seat) const { return seats[static_cast<std::size_t>(seat)].holder == SeatHolder::person; }
  int players() const { return history.game().players(); }
  std::uint64_t people_mask() const;
  std::uint64_t live_mask() const;   // mask of the seats that can act at any time in races
  void sit(int seat, SeatHolder holder, const std::string& name, std::int64_t now);
  void rename(int seat, std::string_view name);

  // ---- decisions (asking.cpp)
  std::uint64_t random() const { return settings.random(); }
  // Returns a random seed of 53 bits, because JavaScript stores journals as JSON, in which it can represent only 53-bit
  // integers exactly.
  std::uint64_t new_seed() const { return random() >> 11; }
  bool runs() const { return history.has_begun() && !history.state().is_over() && paused_at < 0; }
  void begin(std::int64_t now);
  void add(TableEntry entry);   // applies the entry and adds it to the journal
  void choose(int seat, std::int64_t id);
  void send_updates(const std::string& besides = {});
  void settle(std::int64_t now);   // runs until people, bots or the clock must act
  void close_question(int seat);
  void close_questions();
  void ask(int seat, const State& asked, bool race, std::int64_t now, std::int64_t until);
  void turn(int seat, const State& asked, bool at_once, std::int64_t now);
  bool answer(int seat, std::int64_t id, std::int64_t now);
  void ask_all(std::int64_t now);
  Answering* answering_of(int seat);
  bool needs_more_picks(const Answering& mine, int seat) const;
  void finish_answer(int seat);
  Bot& bot_of(int seat);
  void start_thinking(int seat, const State& asked, double seconds);
  Text over_in_text() const;
  bool needs_pause(int seat, const State& asked) const;
  std::int64_t pause_of(int seat) const;
  void answer_for_missing(int seat, std::int64_t now);
  std::int64_t deadline_of(int seat) const;
  void pass_deadlines(std::int64_t now);
  std::int64_t next_due() const;
  void pass_time(std::int64_t now);

  // ---- races (races.cpp)
  std::int64_t race_time(std::int64_t now);
  std::int64_t time_of_race(std::int64_t now) const;
  void race(std::int64_t now);   // processes due events, and offers actions
  void run_clock(std::int64_t time);
  void act(DeviceId device, int seat, std::int64_t id, std::int64_t now);
  void run_held(std::int64_t now);
  void act_now(Held act, std::int64_t now);
  void add_held(Held act);
  void refuse_act(const Held& act, std::string_view because);
  void end_race();
  std::int64_t hold() const;
  Json clock(std::int64_t now);

  // ---- ballots (ballots.cpp)
  void call_ballot(Ballot asked, std::int64_t now);
  void vote(int seat, bool yes, std::int64_t now);
  void count_votes(std::int64_t now, bool time_is_up);
  void execute(const Ballot& decided, std::int64_t now);
  Json ballot_in_json(std::int64_t now) const;

  // ---- undo and replay (undo.cpp)
  std::optional<std::size_t> my_last_decision(int seat, std::size_t before) const;
  bool revealed_since(int seat, std::size_t entries) const;
  void undo(DeviceId device, int seat, std::size_t before, std::int64_t now);
  void back(std::size_t entries, std::int64_t now, const std::string& besides);
  void show_past(DeviceId device, int observer, std::int64_t step);
  void clear_pending_decisions();
  void recreate_bots();

  // ---- commands (commands.cpp)
  void receive(DeviceId device, std::string_view text, std::int64_t now);
};

}   // namespace detail

using detail::TableData;

}   // namespace cardwright::api
