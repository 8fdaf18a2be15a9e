// Hosts one table: an api::Table on its own strand. Messages are sent only when the choices that they report are on
// disk. The table is restored from its journal when a client connects. An error unloads this table until the next
// client connects, and does not affect other tables.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/table.hpp"
#include "tools/server/bot_pool.h"
#include "tools/server/connection.h"
#include "tools/server/games.h"
#include "tools/server/keys.h"
#include "tools/server/limits.h"
#include "tools/server/loop.h"
#include "tools/server/store.h"

namespace cardwright::server {

// The services and settings that all tables share.
struct House {
  Loop& loop;
  Store& store;
  BotPool& bots;
  Games& games;
  Keys& keys;
  Limits limits;
  std::string build;
  std::string link;   // prefix of links
  std::function<void(const std::string&)> say;   // logs a line for the operator; callable from any thread
};

class TableHost : public std::enable_shared_from_this<TableHost> {
 public:
  TableHost(House& house, TableRow row);

  // The following functions are callable from any thread; their tasks run in order.

  // Admits a client that sent `hello` with this key. `seen` contains the steps that the client has received, as in
  // Table::connect.
  void enter(std::shared_ptr<Connection> connection, const Digest& key, api::SeenSteps seen);
  // Processes a message that arrived at time `at` on the clock of now(). `delay` is as in Table::receive.
  void receive(api::DeviceId device, std::string text, std::int64_t at, std::int64_t delay);
  void leave(api::DeviceId device);
  // Called when all messages sent to this device have arrived.
  void arrived(api::DeviceId device);
  // Called when the rules have changed. `report` lists errors in the new rules; it is empty if there are none.
  void rules_changed(std::string report);
  // Sends `bye` to all clients, including clients that connect later. Calls `done` when everything is stored and sent.
  // If it is called several times, the first call determines the reason.
  void stop(std::string because, bool again, std::function<void()> done);

  // Drops all connections without a message. Call it when no thread is running.
  void let_go() { guests_.clear(); }

  std::int64_t id() const { return id_; }
  const std::string& game_name() const { return game_; }
  // Marks that links for this table were given out in this run.
  void offer() { offered_ = true; }
  bool is_offered() const { return offered_; }

 private:
  struct Guest {
    std::shared_ptr<Connection> connection;
    Digest key{};
    bool watches = false;
  };
  struct Ending {
    std::string because;
    bool again = false;
  };
  struct Parcel {   // messages that wait until their choices are stored
    std::uint64_t ticket = 0;
    std::vector<api::TableMessage> messages;
    std::optional<api::DeviceId> confirm;   // the device that must confirm the delivery of these messages
  };

  void guarded(const std::function<void()>& task);
  void post(std::function<void()> task);
  bool set_up(std::string& wrong);
  std::optional<std::string> refuses(const Key& key) const;
  void welcome(const std::shared_ptr<Connection>& connection, Key key, const api::SeenSteps& seen);
  Key exchange(const Key& invitation, api::DeviceId device);
  void keep(const Key& key);
  void queue_message(api::DeviceId device, std::string text);
  void refuse(api::DeviceId device, std::string_view because);

  void settle();   // processes the output of the Table: messages, journal entries and requests
  void send(std::vector<api::TableEntry> journal, bool replaces_journal, std::vector<api::TableMessage> messages);
  void on_stored(std::uint64_t ticket, const std::string& wrong);
  void flush();
  void note_row();
  void think();
  void set_alarm();

  void answer(const api::TableRequest& request);
  void invite(api::DeviceId device, int seat);
  void revoke(int seat);
  void dismiss(const Digest& key, const std::string& because);
  void take_seat(api::DeviceId device, int seat);
  void renew_rules();
  void close_all(const std::string& because, bool again);
  void finish_if_stored();
  void give_up(const std::string& because, bool again);

  House& house_;
  const std::int64_t id_;
  const std::string game_;
  bool offered_ = false;   // guarded by the lock of TableRegistry
  Strand strand_;
  // The following members are used on the strand only.
  TableRow row_;
  std::optional<api::Table> table_;
  std::uint64_t epoch_ = 0;   // counts how often the table was set up; answers for an earlier epoch are dropped
  std::map<api::DeviceId, Guest> guests_;
  std::size_t entries_ = 0;   // number of journal entries passed to the store
  std::uint64_t ticket_ = 0, stored_ticket_ = 0;
  std::deque<Parcel> parcels_;
  std::vector<Key> new_keys_;   // keys to store with the next change
  std::optional<api::DeviceId> confirm_;   // device that must confirm the messages of the next change
  std::vector<api::TableMessage> outgoing_;   // messages to send with the next change
  bool row_changed_ = false;
  std::optional<api::Game> stuck_;   // new rules that do not match the journal
  std::int64_t alarm_ = -1;
  std::optional<Ending> ending_;   // set once the table is stopping
  std::vector<std::function<void()>> stopped_;   // functions to call when the table has stopped
};

}   // namespace cardwright::server
