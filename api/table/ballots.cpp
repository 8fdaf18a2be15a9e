// Implements the votes of the people at a table: starts them, counts the answers and applies the results.
#include <fmt/format.h>

#include "api/table/data.h"

namespace cardwright::api {

namespace {

constexpr std::int64_t kTimeToVote = 30 * kSecond;

}   // namespace

Json TableData::ballot_in_json(std::int64_t now) const {
  Json votes = Json::object();
  for (const auto& [seat, yes] : ballot->votes) votes[std::to_string(seat)] = yes;
  Json message = {{"k", "ballot"},
                  {"id", ballot->id},
                  {"kind", ballot->kind},
                  {"by", ballot->by},
                  {"text", ballot->text},
                  {"votes", votes},
                  {"left", std::max<std::int64_t>(0, ballot->until - now) / kMillisecond}};
  if (ballot->seat >= 0) message["seat"] = ballot->seat;
  return message;
}

// Starts a vote. The player who calls the vote agrees automatically. If no other player is connected, the vote passes
// immediately.
void TableData::call_ballot(Ballot asked, std::int64_t now) {
  asked.id = ++last_ballot;
  asked.until = now + kTimeToVote;
  if (asked.by >= 0) asked.votes[asked.by] = true;
  ballot = std::move(asked);
  send_to_all(table::text_of(ballot_in_json(now)));
  count_votes(now, false);
}

void TableData::vote(int seat, bool yes, std::int64_t now) {
  ballot->votes[seat] = yes;
  send_to_all(table::text_of(ballot_in_json(now)));
  count_votes(now, false);
}

// Ends the vote if its result is certain or its time is up. It passes if all connected people agree.
void TableData::count_votes(std::int64_t now, bool time_is_up) {
  bool all = true, none = false;
  for (int seat = 0; seat < players(); ++seat) {
    if (!is_person(seat) || !is_here(seat)) continue;
    const auto vote = ballot->votes.find(seat);
    if (vote == ballot->votes.end())
      all = false;
    else if (!vote->second)
      none = true;
  }
  if (!all && !none && !time_is_up) return;
  const Ballot decided = *ballot;
  ballot.reset();
  const bool agreed = all && !none;
  send_to_all(table::text_of({{"k", "ballot"}, {"id", decided.id}, {"kind", decided.kind}, {"result", agreed}}));
  if (agreed) execute(decided, now);
}

void TableData::execute(const Ballot& decided, std::int64_t now) {
  if (decided.kind == "undo") {
    if (decided.entry < history.entries().size())
      back(decided.entry, now, fmt::format("{} takes back a choice", Game::seat_name(decided.by)));
  } else if (decided.kind == "pause") {
    paused_at = now;
    send_to_all(table::text_of({{"k", "paused"}, {"paused", true}}));
  } else if (decided.kind == "resume") {
    const std::int64_t length = now - std::exchange(paused_at, -1);
    for (Question& question : questions)
      if (question.until >= 0) question.until += length;
    if (answers_until >= 0) answers_until += length;
    for (auto& [seat, wait] : waiting) wait.at += length;
    race_began += race_began >= 0 ? length : 0;
    clock_sent = false;
    send_to_all(table::text_of({{"k", "paused"}, {"paused", false}}));
    settle(now);
  } else if (decided.kind == "again") {
    begin(now);
  } else if (decided.kind == "bot") {
    sit(decided.seat, SeatHolder::bot, seats[static_cast<std::size_t>(decided.seat)].name, now);
  }
}

}   // namespace cardwright::api
