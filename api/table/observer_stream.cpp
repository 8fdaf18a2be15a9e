// Computes and stores the messages to one observer.
#include "api/table/observer_stream.h"

#include <algorithm>

namespace cardwright::table {

Json seat_or_null(int observer) { return observer < 0 ? Json(nullptr) : Json(observer); }

namespace {

// Adds changed things to `set`, and the keys of removed things to `gone`.
void add_changes(const std::vector<api::Thing>& before, const std::vector<api::Thing>& now, Json& set, Json& gone) {
  for (const api::Thing& thing : now)
    if (std::find(before.begin(), before.end(), thing) == before.end())
      set[thing.key] = Json::parse(thing.value, nullptr, false);
  for (const api::Thing& thing : before)
    if (std::none_of(now.begin(), now.end(), [&](const api::Thing& other) { return other.key == thing.key; }))
      gone.push_back(thing.key);
}

}   // namespace

Text ObserverStream::look(const api::State& state, const api::Log& log, std::size_t entries,
                          const std::string& besides) {
  std::vector<api::Thing> things = api::things(state, observer_);
  Json set = Json::object(), gone = Json::array(), asked = asked_in_json(state, observer_);
  add_changes(things_, things, set, gone);
  Json news = news_in_json(api::news(log, observer_, sent_));
  sent_ = log.size();
  if (!besides.empty()) news.insert(news.begin(), Json{{"k", "say"}, {"text", besides}});
  things_ = std::move(things);
  if (set.empty() && gone.empty() && news.empty() && asked == asked_) return nullptr;
  asked_ = asked;
  entries_.push_back(entries);
  messages_.push_back(text_of({{"k", "step"},
                               {"seat", seat_or_null(observer_)},
                               {"step", ++step_},
                               {"set", std::move(set)},
                               {"gone", std::move(gone)},
                               {"news", std::move(news)},
                               {"asked", std::move(asked)}}));
  bytes_ += messages_.back()->size();
  while (messages_.size() > 1 && (messages_.size() > kMaxSteps || bytes_ > kMaxBytes)) {
    bytes_ -= messages_.front()->size();
    messages_.pop_front();
  }
  return messages_.back();
}

Text ObserverStream::everything(const api::State& state, const api::Log& log) const {
  std::vector<api::News> news = api::news(log, observer_, 0);
  if (news.size() > kLastNews) news.erase(news.begin(), news.end() - kLastNews);
  return text_of({{"k", "view"},
                  {"seat", seat_or_null(observer_)},
                  {"step", step_},
                  {"things", things_in_json(api::things(state, observer_))},
                  {"news", news_in_json(news)},
                  {"asked", asked_in_json(state, observer_)}});
}

std::vector<Text> ObserverStream::since(std::int64_t step) const {
  if (step < 0 || step > step_ || step_ - step > static_cast<std::int64_t>(messages_.size())) return {};
  return {messages_.end() - (step_ - step), messages_.end()};
}

std::size_t ObserverStream::entry_of(std::int64_t step) const {
  return step < 1 || step > step_ ? 0 : entries_[static_cast<std::size_t>(step - 1)];
}

void ObserverStream::cut(std::size_t log, std::size_t entries) {
  sent_ = std::min(sent_, log);
  for (std::size_t& of_step : entries_)
    if (of_step > entries) of_step = 0;
}

void ObserverStream::forget() {
  sent_ = 0;
  std::fill(entries_.begin(), entries_.end(), 0);
}

}   // namespace cardwright::table
