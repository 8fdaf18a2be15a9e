// Runs one table: passes messages to it, stores its choices, and sends its output to clients.
#include "tools/server/table_host.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/theme.hpp"
#include "tools/server/clock.h"

namespace cardwright::server {

using nlohmann::ordered_json;

namespace {

std::uint64_t mask_of(int seat) { return std::uint64_t{1} << seat; }

std::vector<int> seats_in(std::uint64_t mask) {
  std::vector<int> seats;
  for (int seat = 0; mask >> seat; ++seat)
    if (mask & mask_of(seat)) seats.push_back(seat);
  return seats;
}

std::string quoted_key(const std::string& key) { return ordered_json{{"k", "key"}, {"key", key}}.dump(); }

}   // namespace

TableHost::TableHost(House& house, TableRow row)
    : house_(house), id_(row.id), game_(row.game), strand_(house.loop), row_(std::move(row)) {}

// ---- tasks

void TableHost::guarded(const std::function<void()>& task) {
  try {
    task();
  } catch (const std::exception& error) {
    house_.say(fmt::format("table {} ({}) stopped: {}", id_, row_.title, error.what()));
    give_up("internal error at this table; it restarts from the stored game", true);
  }
}

void TableHost::post(std::function<void()> task) {
  strand_.post([self = shared_from_this(), task = std::move(task)] { self->guarded(task); });
}

void TableHost::enter(std::shared_ptr<Connection> connection, const Digest& hash, api::SeenSteps seen) {
  post([this, connection = std::move(connection), hash, seen = std::move(seen)] {
    const std::optional<Key> key = house_.keys.find(hash);
    std::string wrong;
    if (ending_) return connection->close(ending_->because, ending_->again);
    if (!key) return connection->close("this table is closed", false);
    if (const auto no = refuses(*key)) return connection->close(*no, false);
    if (!table_ && ticket_ != stored_ticket_) return connection->close("the table is restarting", true);
    if (!table_ && !set_up(wrong)) return connection->close(wrong, false);
    welcome(connection, *key, seen);
    settle();
  });
}

void TableHost::receive(api::DeviceId device, std::string text, std::int64_t at, std::int64_t delay) {
  post([this, device, text = std::move(text), at, delay] {
    if (!table_ || !guests_.count(device)) return;
    table_->receive(device, text, at, delay);
    settle();
  });
}

void TableHost::leave(api::DeviceId device) {
  post([this, device] {
    if (guests_.erase(device) == 0 || !table_) return;
    table_->disconnect(device, now());
    settle();
  });
}

// Marks the invitation as used. This must not happen earlier, because the new key would be lost if the connection
// broke.
void TableHost::arrived(api::DeviceId device) {
  post([this, device] {
    const auto guest = guests_.find(device);
    if (guest == guests_.end() || !table_) return;
    const auto own = house_.keys.find(guest->second.key);
    auto invitation = own && own->from ? house_.keys.find(*own->from) : std::nullopt;
    if (!invitation || invitation->used) return;
    invitation->used = true;
    keep(*invitation);
    settle();
  });
}

void TableHost::rules_changed(std::string report) {
  post([this, report = std::move(report)] {
    if (!table_) return;   // the table will be set up later with the new rules
    if (report.empty())
      renew_rules();
    else
      table_->send_rules(false, report);
    settle();
  });
}

void TableHost::stop(std::string because, bool again, std::function<void()> done) {
  post([this, because = std::move(because), again, done = std::move(done)] {
    if (!ending_) ending_ = Ending{because, again};
    stopped_.push_back(done);
    finish_if_stored();
  });
}

void TableHost::finish_if_stored() {
  if (stopped_.empty() || ticket_ != stored_ticket_) return;
  give_up(ending_->because, ending_->again);
  for (const auto& done : std::exchange(stopped_, {})) done();
}

// ---- joining and leaving

// Restores the table from its journal. If the rules no longer match, returns false with a message for clients. The
// details are only logged for the operator, since they may reveal hidden information.
bool TableHost::set_up(std::string& wrong) {
  api::TableSettings settings = row_.settings;
  settings.build = house_.build;
  settings.random = random_bits;
  for (const TableRow::Seat& seat : row_.seats) settings.seats.push_back(seat.holder);
  try {
    api::Game game = house_.games.get(row_.game, row_.configuration);
    std::vector<api::TableEntry> journal = house_.store.journal(id_);
    entries_ = journal.size();
    if (journal.empty())
      table_.emplace(std::move(game), std::move(settings), now());
    else
      table_.emplace(std::move(game), std::move(settings), std::move(journal), now());
  } catch (const api::Error& error) {
    wrong =
        "this table cannot continue with the changed rules; the operator of the server can see the details in the log";
    house_.say(fmt::format("table {} ({}): {}", id_, row_.title, error.what()));
    return false;
  }
  ++epoch_;
  for (int seat = 0; seat < static_cast<int>(row_.seats.size()); ++seat) {
    const TableRow::Seat& of = row_.seats[static_cast<std::size_t>(seat)];
    if (!of.name.empty()) table_->sit(seat, of.holder, of.name, now());
  }
  settle();
  return true;
}

std::optional<std::string> TableHost::refuses(const Key& key) const {
  if (key.revoked) return "this link is no longer valid: the host has revoked it, or another player has taken the seat";
  if (key.kind == Key::Kind::invitation && key.used)
    return "this invitation was already used: continue on that device, or ask the host for another one";
  if (guests_.size() >= house_.limits.devices_of_table)
    return fmt::format("this table is full: {} devices are connected", guests_.size());
  const auto watches = [](const auto& guest) { return guest.second.watches; };
  const auto watchers = static_cast<std::size_t>(std::count_if(guests_.begin(), guests_.end(), watches));
  if (key.kind == Key::Kind::watch && watchers >= house_.limits.watchers_of_table)
    return fmt::format("this table has the maximum of {} spectators", watchers);
  return std::nullopt;
}

void TableHost::welcome(const std::shared_ptr<Connection>& connection, Key key, const api::SeenSteps& seen) {
  const api::DeviceId device = connection->device();
  const bool invited = key.kind == Key::Kind::invitation;
  if (invited) key = exchange(key, device);
  guests_[device] = {connection, key.hash, key.kind == Key::Kind::watch};
  if (invited)
    for (const int seat : seats_in(key.seats))
      if (table_->holder(seat) != api::SeatHolder::person)
        table_->sit(seat, api::SeatHolder::person, table_->name_of(seat), now());
  if (invited) send({}, false, {});   // the key comes before all other messages
  table_->connect(device, {seats_in(key.seats), key.kind == Key::Kind::host}, seen, now());
}

// Creates a key for a device that has an invitation. If the invitation granted an earlier key that never reached its
// client, revokes the earlier key.
Key TableHost::exchange(const Key& invitation, api::DeviceId device) {
  for (Key earlier : house_.keys.of_table(id_))
    if (earlier.from && equal_in_constant_time(*earlier.from, invitation.hash) && !earlier.revoked) {
      earlier.revoked = true;
      keep(earlier);
      dismiss(earlier.hash, "this invitation was used on another device");
    }
  const std::string own = fresh_key();
  const Key key{hash_of_key(own), id_, Key::Kind::device, invitation.seats, invitation.hash};
  keep(key);
  queue_message(device, quoted_key(own));
  confirm_ = device;
  return key;
}

void TableHost::keep(const Key& key) {
  house_.keys.put(key);
  new_keys_.push_back(key);
}

void TableHost::queue_message(api::DeviceId device, std::string text) {
  outgoing_.push_back({device, std::make_shared<const std::string>(std::move(text))});
}

// ---- output of the Table

void TableHost::settle() {
  for (;;) {
    api::TableOutput out = table_->take();
    for (const api::TableRequest& request : out.requests) answer(request);
    note_row();
    if (out.journal.empty() && !out.replaces_journal && out.messages.empty() && new_keys_.empty() &&
        outgoing_.empty() && !row_changed_)
      break;
    send(std::move(out.journal), out.replaces_journal, std::move(out.messages));
  }
  think();
  set_alarm();
}

void TableHost::send(std::vector<api::TableEntry> journal, bool replaces_journal,
                     std::vector<api::TableMessage> messages) {
  Parcel parcel{0, std::exchange(outgoing_, {}), std::exchange(confirm_, std::nullopt)};
  parcel.messages.insert(parcel.messages.end(), std::make_move_iterator(messages.begin()),
                         std::make_move_iterator(messages.end()));
  if (!journal.empty() || replaces_journal || !new_keys_.empty() || row_changed_) {
    parcel.ticket = ++ticket_;
    Changes changes{id_, entries_, replaces_journal, std::move(journal), std::nullopt, std::exchange(new_keys_, {})};
    if (std::exchange(row_changed_, false)) changes.row = row_;
    entries_ = (replaces_journal ? 0 : entries_) + changes.entries.size();
    changes.done = [self = shared_from_this(), ticket = ticket_](const std::string& wrong) {
      self->post([self = self.get(), ticket, wrong] { self->on_stored(ticket, wrong); });
    };
    house_.store.keep(std::move(changes));
  }
  parcels_.push_back(std::move(parcel));
  flush();
}

void TableHost::on_stored(std::uint64_t ticket, const std::string& wrong) {
  stored_ticket_ = ticket;
  if (wrong.empty()) {
    flush();
  } else if (table_) {
    house_.say(
        fmt::format("table {} ({}) is paused because its journal cannot be written: {}", id_, row_.title, wrong));
    give_up(fmt::format("the journal of this table cannot be written ({}); earlier answers are saved, and the table "
                        "resumes when writing works again",
                        wrong),
            true);
  }
  finish_if_stored();
}

void TableHost::flush() {
  while (!parcels_.empty() && parcels_.front().ticket <= stored_ticket_) {
    for (api::TableMessage& message : parcels_.front().messages)
      if (const auto guest = guests_.find(message.to); guest != guests_.end())
        guest->second.connection->send(std::move(message.text));
    if (const auto& device = parcels_.front().confirm; device && guests_.count(*device))
      guests_.at(*device).connection->confirm();
    parcels_.pop_front();
  }
}

// Stores the holders of the seats and the end of the game, so that they can be listed without setting up the table.
void TableHost::note_row() {
  for (std::size_t seat = 0; seat < row_.seats.size(); ++seat) {
    TableRow::Seat is{table_->holder(static_cast<int>(seat)), table_->name_of(static_cast<int>(seat))};
    if (is == row_.seats[seat]) continue;
    row_.seats[seat] = std::move(is);
    row_changed_ = true;
  }
  const std::uint64_t fingerprint = table_->game().fingerprint();
  if (row_.over == table_->is_over() && row_.fingerprint == fingerprint) return;
  row_.over = table_->is_over();
  row_.fingerprint = fingerprint;
  row_changed_ = true;
}

void TableHost::think() {
  for (api::BotTask& task : table_->take_tasks())
    house_.bots.think(id_, std::move(task), [self = shared_from_this(), epoch = epoch_](BotAnswer answer) {
      self->post([self = self.get(), epoch, answer = std::move(answer)] {
        if (!self->table_ || epoch != self->epoch_) return;
        if (!answer.wrong.empty())
          self->house_.say(fmt::format("table {}: error in a bot: {}", self->id_, answer.wrong));
        if (answer.is_opinions)
          self->table_->answer_opinions(answer.number, answer.opinions, now());
        else
          self->table_->answer_task(answer.number, answer.index, now());
        self->settle();
      });
    });
}

void TableHost::set_alarm() {
  const std::int64_t due = table_ ? table_->next_due() : -1;
  if (due == alarm_) return;
  alarm_ = due;
  const std::weak_ptr<TableHost> table_host = weak_from_this();
  strand_.wake_at(due, [table_host] {
    if (const auto self = table_host.lock())
      self->guarded([&] {
        self->alarm_ = -1;
        if (!self->table_) return;
        self->table_->pass_time(now());
        self->settle();
      });
  });
}

// ---- requests of the Table

void TableHost::answer(const api::TableRequest& request) {
  using Kind = api::TableRequest::Kind;
  switch (request.kind) {
    case Kind::invite: return invite(request.from, request.seat);
    case Kind::revoke: return revoke(request.seat);
    case Kind::reload: return house_.games.reload(game_);
    case Kind::close:
      row_.closed = row_changed_ = true;
      stop("the host has closed this table", false, [keys = &house_.keys, id = id_] { keys->forget_table(id); });
      return;
    case Kind::keep_rules:
      if (!stuck_) return refuse(request.from, "there are no new rules");
      stuck_.reset();
      table_->send_rules(true, {});
      return;
    case Kind::rules_from:
      if (!stuck_) return refuse(request.from, "there are no new rules");
      if (const auto stuck = table_->reload(*stuck_, now(), static_cast<std::size_t>(request.entry)))
        table_->send_rules(false, {}, stuck);
      else
        stuck_.reset();
      return;
    case Kind::seats_changed: return take_seat(request.from, request.seat);
  }
}

void TableHost::refuse(api::DeviceId device, std::string_view because) {
  queue_message(device, ordered_json{{"k", "refused"}, {"because", because}}.dump());
}

// Creates a link for that seat, or for spectators.
void TableHost::invite(api::DeviceId device, int seat) {
  const std::string key = fresh_key();
  keep({hash_of_key(key), id_, seat < 0 ? Key::Kind::watch : Key::Kind::invitation, seat < 0 ? 0 : mask_of(seat)});
  ordered_json message{{"k", "invitation"}, {"seat", nullptr}, {"link", link_of(house_.link, key)}};
  if (seat >= 0) message["seat"] = seat;
  queue_message(device, message.dump());
}

// Revokes all keys for that seat, or for spectators.
void TableHost::revoke(int seat) {
  for (Key key : house_.keys.of_table(id_)) {
    const bool meant =
        seat < 0 ? key.kind == Key::Kind::watch : key.kind != Key::Kind::host && (key.seats & mask_of(seat)) != 0;
    if (!meant || key.revoked) continue;
    key.revoked = true;
    keep(key);
    dismiss(key.hash, "the host has revoked this link");
  }
  if (seat >= 0 && table_->holder(seat) == api::SeatHolder::person) table_->sit(seat, api::SeatHolder::open, "", now());
}

// Disconnects all clients with this key.
void TableHost::dismiss(const Digest& key, const std::string& because) {
  for (auto guest = guests_.begin(); guest != guests_.end();) {
    if (!equal_in_constant_time(guest->second.key, key)) {
      ++guest;
      continue;
    }
    guest->second.connection->close(because, false);
    table_->disconnect(guest->first, now());
    guest = guests_.erase(guest);
  }
}

// Updates keys when a person takes or leaves a seat. The device's key then controls the seat; other device keys lose
// it, and unused invitations for it are revoked. A device that becomes a player instead of a spectator gets a new key.
void TableHost::take_seat(api::DeviceId device, int seat) {
  const auto guest = guests_.find(device);
  std::optional<Key> key = guest == guests_.end() ? std::nullopt : house_.keys.find(guest->second.key);
  if (!key || seat < 0) return;
  const bool has = (key->seats & mask_of(seat)) != 0;
  if (table_->holder(seat) != api::SeatHolder::person) {
    if (!has) return;
    key->seats &= ~mask_of(seat);
    return keep(*key);
  }
  if (has) return;
  for (Key other : house_.keys.of_table(id_)) {
    if ((other.seats & mask_of(seat)) == 0 || other.revoked || other.used) continue;
    if (other.kind == Key::Kind::invitation)
      other.revoked = true;
    else
      other.seats &= ~mask_of(seat);
    keep(other);
  }
  if (key->kind == Key::Kind::watch) {
    const std::string own = fresh_key();
    key = Key{hash_of_key(own), id_, Key::Kind::device};
    guest->second.key = key->hash;
    guest->second.watches = false;
    queue_message(device, quoted_key(own));
  }
  key->seats |= mask_of(seat);
  keep(*key);
}

void TableHost::renew_rules() {
  api::Game game = house_.games.get(game_, row_.configuration);
  if (const auto stuck = table_->reload(game, now())) {
    stuck_ = std::move(game);
    table_->send_rules(false, {}, stuck);
  } else {
    stuck_.reset();
    if (const api::Report look = api::look_of(table_->game()).report; look.warnings > 0)
      table_->send_rules(true, look.json);
  }
}

// ---- closing

void TableHost::close_all(const std::string& because, bool again) {
  for (const auto& [device, guest] : guests_) guest.connection->close(because, again);
  guests_.clear();
}

// Unloads the table until the next client connects. Choices that were not stored are lost, but no client has seen them.
void TableHost::give_up(const std::string& because, bool again) {
  close_all(because, again);
  parcels_.clear();
  outgoing_.clear();
  new_keys_.clear();
  row_changed_ = false;
  stuck_.reset();
  table_.reset();
  house_.bots.forget(id_);
  alarm_ = -1;
  strand_.wake_at(-1, nullptr);
}

}   // namespace cardwright::server
