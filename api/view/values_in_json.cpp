// Converts observed values to JSON.
#include "api/view/values_in_json.h"

#include "runtime/ops/bits.h"
#include "runtime/program/words.h"

namespace cardwright::api::detail {

using Json = nlohmann::json;

Json ValuesInJson::player(Int seat) const { return named_ ? Json(player_name(seat)) : Json(seat); }

Json ValuesInJson::players(std::uint64_t mask) const {
  Json out = Json::array();
  for (; mask != 0; mask &= mask - 1) out.push_back(player(lowest_bit(mask)));
  return out;
}

Json ValuesInJson::card(Int card) const {
  if (card == kHiddenCard) return nullptr;
  return named_ ? Json(card_label(program_, card)) : Json(prints_[static_cast<std::size_t>(card)]);
}
Json ValuesInJson::cards(const std::vector<Int>& cards) const {
  Json::array_t out;
  out.reserve(cards.size());
  for (const Int card : cards) out.push_back(this->card(card));
  return out;
}

Json ValuesInJson::of(const VariableInfo& info, const ObservedValue& value) const {
  if (info.list == 0) return value.sets.empty() ? single(info, value.value) : set(info, value.sets[0]);
  if (info.inner == 0 && info.kind != ValueKind::card_set && info.kind != ValueKind::cell_set)
    return set(info, value.sets[0]);
  Json out = Json::array();
  for (const ObservedSet& row : value.sets) out.push_back(set(info, row));
  return out;
}

Json ValuesInJson::set(const VariableInfo& info, const ObservedSet& set) const {
  if (info.kind == ValueKind::card_set) return {{"cards", cards(set.elements)}, {"unknown", set.unknown}};
  Json out = Json::array();
  for (const Int x : set.elements)
    out.push_back(info.kind == ValueKind::cell_set ? element(info.enumeration, x) : single(info, x));
  return out;
}

Json ValuesInJson::element(Int enumeration, Int x) const {
  return value_in_words(program_, element_kind(enumeration), enumeration, x);
}

Json ValuesInJson::single(const VariableInfo& info, Int x) const {
  if (x == kNone || x == kUnset) return nullptr;
  if (x == kHiddenCard) return named_ ? "a card" : "?";
  if (info.kind == ValueKind::boolean) return x != 0;
  if (info.kind == ValueKind::card) return card(x);
  if (info.kind == ValueKind::player) return player(x);
  if (info.kind == ValueKind::player_set) return players(static_cast<Word>(x));
  if (info.kind == ValueKind::integer && x < kUnlimited && (named_ || info.enumeration != kOfTime)) return x;
  if (info.kind != ValueKind::other_set) return value_in_words(program_, info.kind, info.enumeration, x);
  Json out = Json::array();
  for (Word rest = static_cast<Word>(x); rest != 0; rest &= rest - 1)
    out.push_back(element(info.enumeration, lowest_bit(rest)));
  return out;
}

Json ValuesInJson::shown(const BoardShows& shows, Int value) const {
  if (value == kNone) return nullptr;
  if (shows.kind == ValueKind::boolean) return value != 0;
  if (shows.kind == ValueKind::player) return named_ ? player(value) : Json{{"seat", value}};
  if (shows.kind == ValueKind::enumeration) return value_in_words(program_, shows.kind, shows.enumeration, value);
  return value;
}

}   // namespace cardwright::api::detail
