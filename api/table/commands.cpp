// Parses and executes commands from devices. An invalid command is answered with `refused` and has no effect.
#include <algorithm>

#include <fmt/format.h>

#include "api/table/data.h"

namespace cardwright::api {

namespace {

constexpr std::size_t kMostText = 4096, kMostWords = 200;

// Returns the value of a field of a message; nullopt if the field does not exist or has another type.
std::optional<std::int64_t> number(const Json& message, const char* name) {
  const auto field = message.find(name);
  return field != message.end() && field->is_number_integer() ? std::optional(field->get<std::int64_t>())
                                                              : std::nullopt;
}
std::optional<std::string> text(const Json& message, const char* name) {
  const auto field = message.find(name);
  return field != message.end() && field->is_string() ? std::optional(field->get<std::string>()) : std::nullopt;
}

// One command of one device. Each handler executes a kind of command, or answers with `refused` if the command is
// invalid.
class Command {
 public:
  Command(TableData& table, DeviceId device, const Json& message, std::int64_t now)
      : table_(table), device_(device), message_(message), now_(now) {}

  void run() {
    const std::string kind = text(message_, "k").value_or("");
    if (kind == "choose") return choose();
    if (kind == "act") return act();
    if (kind == "why") return why();
    if (kind == "at") return at();
    if (kind == "undo") return undo();
    if (kind == "ballot") return ballot();
    if (kind == "vote") return vote();
    if (kind == "sit") return sit();
    if (kind == "rise") return rise();
    if (kind == "name") return name();
    if (kind == "host") return host();
    if (kind == "design") return design();
    refuse(fmt::format("unknown command `{}`", kind.substr(0, 20)));
  }

 private:
  using Question = TableData::Question;

  void refuse(std::string_view because, int seat = -1) { table_.refuse(device_, because, seat); }
  const TableData::Device& device() const { return table_.devices.at(device_); }

  // Returns the seat in the message. If the seat does not belong to this device, refuses the command and returns
  // nullopt.
  std::optional<int> my_seat() {
    const std::optional<std::int64_t> seat = number(message_, "seat");
    if (!seat || *seat < 0 || *seat >= table_.players() || !table_.is_of(device(), static_cast<int>(*seat))) {
      refuse(seat ? "that is not your seat" : "`seat` is missing");
      return std::nullopt;
    }
    return static_cast<int>(*seat);
  }
  std::optional<int> any_seat() {
    const std::optional<std::int64_t> seat = number(message_, "seat");
    if (seat && *seat >= 0 && *seat < table_.players()) return static_cast<int>(*seat);
    refuse("unknown seat");
    return std::nullopt;
  }
  bool runs(int seat = -1) {
    if (!table_.history.has_begun())
      refuse("the game has not begun", seat);
    else if (table_.history.state().is_over())
      refuse("the game is over", seat);
    else if (table_.paused_at >= 0)
      refuse("the game is paused", seat);
    else
      return true;
    return false;
  }

  void choose() {
    const std::optional<int> seat = my_seat();
    if (!seat) return;
    const std::int64_t q = number(message_, "q").value_or(-1), id = number(message_, "id").value_or(-1);
    TableData::Taken& taken = table_.taken[static_cast<std::size_t>(*seat)];
    const auto answer = [&] {
      table_.send(device_, table::text_of({{"k", "taken"}, {"seat", *seat}, {"q", q}, {"id", id}}));
    };
    // The device has repeated a message, so the answer is repeated.
    if (taken.q == q && taken.id == id && q > 0) return answer();
    const Question& question = table_.questions[static_cast<std::size_t>(*seat)];
    if (!question.open || question.q != q)
      return table_.refuse(device_, "this question is no longer open", *seat, q, id);
    if (!runs(*seat)) return;
    if (question.race) return table_.refuse(device_, "a race is open: use `act`", *seat, q, id);
    if (const std::int64_t late = table_.deadline_of(*seat); late >= 0 && late <= now_)
      return table_.refuse(device_, "the time is up", *seat, q, id);
    const std::size_t before = table_.out.messages.size();
    if (!table_.answer(*seat, id, now_)) return table_.refuse(device_, "that option is not available", *seat, q, id);
    taken = {q, id};
    answer();
    std::rotate(table_.out.messages.begin() + static_cast<std::ptrdiff_t>(before), table_.out.messages.end() - 1,
                table_.out.messages.end());   // the reply precedes messages about the consequences of the choice
    table_.settle(now_);
  }

  void act() {
    const std::optional<int> seat = my_seat();
    if (!seat || !runs(*seat)) return;
    const std::optional<std::int64_t> id = number(message_, "id");
    if (!id) return refuse("`id` is missing", *seat);
    if (!table_.history.state().race().open) return table_.refuse(device_, "no race is open", *seat, -1, *id);
    if (!(table_.history.state().live() >> *seat & 1))
      return table_.refuse(device_, "you can act from the next race on, but not in this one", *seat, -1, *id);
    table_.act(device_, *seat, *id, now_);
  }

  void why() {
    const std::optional<int> seat = my_seat();
    if (!seat || !runs(*seat)) return;
    std::string what = text(message_, "what").value_or("");
    if (const auto print = number(message_, "print")) what = name_of_print(table_.history.game(), *print);
    if (const auto action = number(message_, "action")) what = name_of_action(table_.history.game(), *action);
    if (what.empty() || what.size() > kMostWords)
      return refuse("`what` is missing, or longer than 200 characters", *seat);
    std::vector<std::string> answers = table_.history.state().why(*seat, what);
    if (answers.empty()) answers.push_back(fmt::format("unknown name `{}`", what));
    table_.send(device_, table::text_of({{"k", "answers"}, {"seat", *seat}, {"answers", answers}}));
  }

  void at() {
    const auto field = message_.find("seat");
    const bool watches = field == message_.end() || field->is_null();
    int observer = kSpectator;
    if (!watches || !device().rights.seats.empty()) {
      const std::optional<int> seat = my_seat();
      if (!seat) return;
      observer = *seat;
    }
    if (!table_.history.has_begun()) return refuse("the game has not begun");
    table_.show_past(device_, observer, number(message_, "step").value_or(-1));
  }

  void undo() {
    const std::optional<int> seat = my_seat();
    if (!seat) return;
    if (!table_.history.has_begun()) return refuse("the game has not begun", *seat);
    std::size_t before = table_.history.entries().size();
    if (const auto step = number(message_, "step")) {
      before = table_.streams[static_cast<std::size_t>(*seat)].entry_of(*step);
      if (before == 0) return refuse("unknown step, or it was undone", *seat);
    }
    table_.undo(device_, *seat, before, now_);
  }

  int any_of_my_seats() const { return device().rights.seats.empty() ? -1 : device().rights.seats[0]; }

  void ballot() {
    const std::string kind = text(message_, "kind").value_or("");
    const int by = any_of_my_seats();
    if (by < 0) return refuse("only players at the table can call a vote");
    if (table_.ballot) return refuse("another vote is in progress");
    const bool begun = table_.history.has_begun(), over = begun && table_.history.state().is_over();
    TableData::Ballot asked;
    asked.kind = kind, asked.by = by;
    const std::string who = Game::seat_name(by);
    if (kind == "pause" && begun && !over && table_.paused_at < 0)
      asked.text = who + " asks for a pause";
    else if (kind == "resume" && table_.paused_at >= 0)
      asked.text = who + " asks to continue";
    else if (kind == "again" && over)
      asked.text = who + " asks for another game";
    else if (kind == "bot") {
      const std::optional<int> seat = any_seat();
      if (!seat) return;
      if (!table_.is_person(*seat) || table_.is_here(*seat))
        return refuse("a bot can take over only for a player who is away");
      asked.seat = *seat;
      asked.text = fmt::format("{} asks for a bot to play for {}", who, Game::seat_name(*seat));
    } else {
      return refuse("there is nothing to vote on");
    }
    table_.call_ballot(std::move(asked), now_);
  }

  void vote() {
    const auto yes = message_.find("yes");
    if (!table_.ballot || number(message_, "id") != table_.ballot->id) return refuse("that vote is over");
    if (yes == message_.end() || !yes->is_boolean()) return refuse("`yes` is missing");
    if (device().rights.seats.empty()) return refuse("only players at the table can vote");
    for (const int seat : std::vector<int>(device().rights.seats))
      if (table_.ballot) table_.vote(seat, *yes, now_);
  }

  void sit() {
    const std::optional<int> seat = any_seat();
    if (!seat) return;
    if (!device().rights.seats.empty()) return refuse("you already have a seat: leave it first", *seat);
    if (table_.is_person(*seat)) return refuse("the seat is taken", *seat);
    if (table_.seats[static_cast<std::size_t>(*seat)].holder == SeatHolder::bot)
      return refuse("a bot has this seat; the host can open it", *seat);
    table_.devices.at(device_).rights.seats = {*seat};
    table_.out.requests.push_back({TableRequest::Kind::seats_changed, device_, *seat, 0});
    const DeviceRights rights = device().rights;
    table_.connect(device_, rights, {}, now_);
  }

  void rise() {
    const std::optional<int> seat = my_seat();
    if (!seat) return;
    std::erase(table_.devices.at(device_).rights.seats, *seat);
    table_.out.requests.push_back({TableRequest::Kind::seats_changed, device_, *seat, 0});
    table_.sit(*seat, SeatHolder::open, "", now_);
    const DeviceRights rights = device().rights;
    table_.connect(device_, rights, {}, now_);
  }

  void name() {
    const std::optional<int> seat = my_seat();
    if (seat) table_.rename(*seat, text(message_, "name").value_or(""));
  }

  void host() {
    if (!device().rights.host) return refuse("only the host can do that");
    const std::string what = text(message_, "do").value_or("");
    using Kind = TableRequest::Kind;
    const auto request = [&](Kind kind, int seat) { table_.out.requests.push_back({kind, device_, seat, 0}); };
    if (what == "start") {
      if (table_.history.has_begun()) return refuse("the game has begun");
      return table_.begin(now_);
    }
    if (what == "reload") return request(Kind::reload, -1);
    if (what == "close") return request(Kind::close, -1);
    if (what != "bot" && what != "open" && what != "invite" && what != "revoke")
      return refuse(fmt::format("unknown host command `{}`", what.substr(0, 20)));
    const bool to_watch = message_.value("seat", Json()).is_null() && (what == "invite" || what == "revoke");
    if (to_watch) return request(what == "invite" ? Kind::invite : Kind::revoke, -1);
    const std::optional<int> seat = any_seat();
    if (!seat) return;
    if (what == "invite") return request(Kind::invite, *seat);
    if (what == "revoke") return request(Kind::revoke, *seat);
    if (table_.is_person(*seat) && table_.is_here(*seat)) return refuse("the seat is taken", *seat);
    table_.sit(*seat, what == "bot" ? SeatHolder::bot : SeatHolder::open, "", now_);
    request(Kind::seats_changed, *seat);
  }

  void design() {
    const std::string what = text(message_, "do").value_or("");
    using Kind = TableRequest::Kind;
    // Not only for designer tables: rules can be edited while any table is open.
    if (what == "keep" || what == "from") {
      if (!device().rights.host) return refuse("only the host can do that");
      const std::int64_t entry = number(message_, "entry").value_or(0);
      if (what == "from" && entry < 1)
        return refuse("`entry` is missing; expected the number of the choice to continue from");
      const Kind kind = what == "keep" ? Kind::keep_rules : Kind::rules_from;
      return table_.out.requests.push_back({kind, device_, -1, entry});
    }
    if (!table_.settings.design || !device().rights.host) return refuse("this is not a designer table");
    if (!table_.history.has_begun()) return refuse("the game has not begun");
    if (what == "state")
      return table_.send(
          device_, table::text_of({{"k", "everything"},
                                   {"things", table::things_in_json(things(table_.history.state(), kEverything))}}));
    if (what == "back") {
      const std::int64_t entry = number(message_, "entry").value_or(-1);
      if (entry < 1 || entry > static_cast<std::int64_t>(table_.history.entries().size()))
        return refuse("unknown choice");
      return table_.back(static_cast<std::size_t>(entry), now_, "back to an earlier choice");
    }
    if (what == "think") return think();
    refuse(fmt::format("unknown designer command `{}`", what.substr(0, 20)));
  }

  void think() {
    const std::optional<int> seat = any_seat();
    if (!seat || !runs(*seat)) return;
    State asked = table_.history.state();
    if (asked.actor() != *seat && (asked.still_to_answer() == 0 || !asked.ask_first(*seat)))
      return refuse("no decision is pending there", *seat);
    const std::uint64_t task = ++table_.last_task;
    table_.tasks.push_back({task, *seat, device_, table_.questions[static_cast<std::size_t>(*seat)].q});
    table_.tasks_to_give.push_back(
        {task, *seat, 1.0, true, asked, std::make_shared<Bot>(table_.history.game(), *seat)});
  }

  TableData& table_;
  const DeviceId device_;
  const Json& message_;
  const std::int64_t now_;
};

}   // namespace

void TableData::receive(DeviceId device, std::string_view text, std::int64_t now) {
  if (!devices.contains(device)) return;
  if (text.size() > kMostText) return refuse(device, "message too long: the limit is 4096 bytes");
  const Json message = Json::parse(text, nullptr, false);
  if (!message.is_object()) return refuse(device, "invalid message: expected a JSON object");
  Command(*this, device, message, now).run();
}

}   // namespace cardwright::api
