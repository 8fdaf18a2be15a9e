// A table with its people: an api::Table on a strand of its own, whose messages go out when the choices that they tell
// of are on the disk. It is set up when somebody comes, from its journal. Whatever goes wrong in it ends it until
// somebody comes again, and no other.
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

// What all TableRegistry share.
struct House {
  Loop& loop;
  Store& store;
  BotPool& bots;
  Games& games;
  Keys& keys;
  Limits limits;
  std::string build;
  std::string link;   // what links begin with
  std::function<void(const std::string&)> say;   // to whoever runs the server, from any thread
};

class TableHost : public std::enable_shared_from_this<TableHost> {
 public:
  TableHost(House& house, TableRow row);

  // All from any thread; they are done in order.
  // Somebody says hello with this key, and has seen this before (Table::connect).
  void enter(std::shared_ptr<Connection> connection, const Digest& key, api::SeenSteps seen);
  // A message that was read at that time of now(). `delay`: as of Table::receive.
  void receive(api::DeviceId device, std::string text, std::int64_t at, std::int64_t delay);
  void leave(api::DeviceId device);
  // All that was sent to it has arrived.
  void arrived(api::DeviceId device);
  // The rules have changed, or are wrong.
  void rules_changed(std::string report);
  // Everybody is told `bye`, and so is whoever comes from now on; `done` is called when all is kept and sent. Of
  // several calls the first says why.
  void stop(std::string because, bool again, std::function<void()> done);

  // Of everybody who is here, without a word: when no thread does anything any more.
  void let_go() { guests_.clear(); }

  std::int64_t id() const { return id_; }
  const std::string& game_name() const { return game_; }
  // Its links were given out in this run.
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
  struct Parcel {   // messages that wait for what came with them to be kept
    std::uint64_t ticket = 0;
    std::vector<api::TableMessage> messages;
    std::optional<api::DeviceId> confirm;   // whoever has to have them
  };

  void guarded(const std::function<void()>& task);
  void post(std::function<void()> task);
  bool set_up(std::string& wrong);
  std::optional<std::string> refuses(const Key& key) const;
  void welcome(const std::shared_ptr<Connection>& connection, Key key, const api::SeenSteps& seen);
  Key exchange(const Key& invitation, api::DeviceId device);
  void keep(Key key);
  void tell(api::DeviceId device, std::string text);
  void refuse(api::DeviceId device, std::string_view because);

  void settle();   // sends, keeps and asks for what the Table has come to
  void send(std::vector<api::TableEntry> journal, bool anew, std::vector<api::TableMessage> messages);
  void kept(std::uint64_t ticket, const std::string& wrong);
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
  void end_if_kept();
  void give_up(const std::string& because, bool again);

  House& house_;
  const std::int64_t id_;
  const std::string game_;
  bool offered_ = false;   // under the lock of TableRegistry
  Strand strand_;
  // Below: the strand's.
  TableRow row_;
  std::optional<api::Table> table_;
  std::uint64_t epoch_ = 0;   // how often it was set up: answers to an earlier one are dropped
  std::map<api::DeviceId, Guest> guests_;
  std::size_t entries_ = 0;   // of the journal, handed to the store
  std::uint64_t ticket_ = 0, kept_ticket_ = 0;
  std::deque<Parcel> parcels_;
  std::vector<Key> new_keys_;   // for the next change
  std::optional<api::DeviceId> confirm_;   // likewise
  std::vector<api::TableMessage> told_;   // likewise
  bool row_changed_ = false;
  std::optional<api::Game> stuck_;   // new rules that don't fit
  std::int64_t alarm_ = -1;
  std::optional<Ending> ending_;   // once it is to stop
  std::vector<std::function<void()>> stopped_;   // to be called then
};

}   // namespace cardwright::server
