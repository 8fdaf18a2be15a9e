// Creates a player's view of a State as JSON. Information is hidden by default: a card is named only if the observer
// knows it, a secret value is shown only if the observer knows it, and everything else is shown as a count. Cards are
// sorted by their printed text, never by id.
#include <algorithm>

#include "runtime/program/words.h"
#include "runtime/knowledge/knowledge.h"
#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"

namespace cardwright {

namespace {

using Json = nlohmann::json;

class View {
 public:
  View(const Program& program, const Byte* s, Int observer)
      : program_(program), l_(program.layout), s_(s), observer_(observer) {}

  Json make(const Pending& pending) const {
    Json out;
    out["game"] = program_.name;
    out["observer"] = observer_ < 0 ? Json(nullptr) : Json(player_name(observer_));
    out["over"] = is_over(l_, s_);
    // The winners may reveal hidden cards, so the host announces them (State::winners).
    if (is_over(l_, s_) && observer_ < 0) out["winners"] = seats(winners(l_, s_));
    out["in"] = seats(read<std::uint16_t>(s_ + l_.in_game));
    if (program_.active >= 0) {
      const Int active = value_of_variable(program_, s_, program_.active, 0);
      out["active"] = active < 0 ? Json(nullptr) : Json(player_name(active));
    }
    if (program_.turn_number >= 0) out["turn"] = value_of_variable(program_, s_, program_.turn_number, 0);
    for (const BoardInfo& board : program_.boards) {
      if (board.is_graph())
        out["boards"].push_back(graph(board));
      else
        out["boards"].push_back({{"name", board.name},
                                 {"shape", board.hex ? "hex" : "grid"},
                                 {"width", board.width},
                                 {"height", board.height},
                                 {"wraps_across", board.across},
                                 {"wraps_down", board.down}});
    }
    out["zones"] = Json::array();
    for (Int i = 0; i < l_.instances; ++i) out["zones"].push_back(zone(i));
    out["variables"] = Json::array();
    for (std::size_t v = 0; v < program_.variable_infos.size(); ++v) variables(static_cast<Int>(v), out["variables"]);
    if (pending.player >= 0) out["decision"] = decision(pending);
    return out;
  }

 private:
  // Returns the points of a graph with their positions, and the lines between them.
  Json graph(const BoardInfo& board) const {
    Json points = Json::array();
    const auto& names = program_.enums[static_cast<std::size_t>(board.enumeration)].constants;
    for (std::size_t i = 0; i < board.places.size(); ++i)
      points.push_back(
          {{"name", names[i]}, {"x", board.places[i].first}, {"y", board.places[i].second}, {"next", Json::array()}});
    for (const auto& [from, to] : board.lines) {
      points[static_cast<std::size_t>(from)]["next"].push_back(names[static_cast<std::size_t>(to)]);
      points[static_cast<std::size_t>(to)]["next"].push_back(names[static_cast<std::size_t>(from)]);
    }
    return {{"name", board.name}, {"shape", "graph"}, {"points", points}};
  }

  bool knows(Int card) const { return knows_card(l_, s_, observer_, card); }

  std::vector<std::string> labels_known(std::vector<Int> cards) const {
    std::erase_if(cards, [&](Int card) { return !knows(card); });
    std::sort(cards.begin(), cards.end(), [&](Int a, Int b) { return printed_before(program_, a, b); });
    std::vector<std::string> labels;
    for (const Int card : cards) labels.push_back(card_label(program_, card));
    return labels;
  }

  Json seats(Word mask) const {
    Json out = Json::array();
    for (Int p = 0; p < l_.players; ++p)
      if (mask >> p & 1) out.push_back(player_name(p));
    return out;
  }

  Json zone(Int i) const {
    const ZoneInstance& instance = l_.instance[i];
    const ZoneSlot& slot = program_.zones[static_cast<std::size_t>(instance.zone)];
    const ZoneInfo& info = program_.zone_infos[static_cast<std::size_t>(instance.zone)];
    constexpr const char* kShapes[] = {"set", "pile", "row", "slot"};
    Json out;
    out["name"] = info.name;
    out["owner"] = instance.owner < 0 ? Json(nullptr) : Json(player_name(instance.owner));
    if (info.copies > 1) out["copy"] = (i - slot.first) % info.copies + 1;
    if (info.facedown) out["facedown"] = true;
    out["shape"] = kShapes[instance.shape & 3];
    const std::vector<Int> all = cards_in_zone(l_, s_, i);
    const std::vector<std::string> known = labels_known(all);
    const Int size = static_cast<Int>(all.size());
    out["size"] = size;
    out["unknown"] = size - static_cast<Int>(known.size());
    out["cards"] = known;
    if (instance.ordered) order(i, size, out);
    return out;
  }

  // Adds the order of the cards from the top down and from the bottom up, each as far as the last known card. Unknown
  // cards before it are null.
  void order(Int i, Int size, Json& out) const {
    Json from_top = Json::array(), from_bottom = Json::array();
    for (const Int card : cards_from_top(l_, s_, i)) add(from_top, card);
    for (const Int card : cards_from_bottom(l_, s_, i)) add(from_bottom, card);
    trim(from_top);
    trim(from_bottom);
    // A list without known cards is omitted.
    if (size > 0 && !from_top.empty()) out["from_top"] = std::move(from_top);
    if (size > 0 && !from_bottom.empty()) out["from_bottom"] = std::move(from_bottom);
  }
  void add(Json& list, Int card) const {
    list.push_back(knows(card) ? Json(card_label(program_, card)) : Json(nullptr));
  }
  static void trim(Json& list) {
    while (!list.empty() && list.back().is_null()) list.erase(list.size() - 1);
  }

  void variables(Int v, Json& out) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    if (info.hidden || !info.rules_state) return;
    const Int values = info.list > 0 ? slot.count / info.run() : slot.count;
    const Int each = info.per_player && l_.players > 0 ? values / l_.players : values;
    const bool by_card = info.keys.size() == 1 && info.keys[0].kind == ValueKind::card;
    for (Int index = 0; index < values; ++index) {
      // Skip guard ids, which are not cards.
      if (by_card && program_.cards[static_cast<std::size_t>(index % each)].kind < 0) continue;
      Json one;
      one["name"] = info.name;
      if (info.per_player && each > 0) one["owner"] = player_name(index / each);
      if (info.placed >= 0 && !by_card)
        one["piece"] = piece_in_words(
            program_, info.placed, index % things_of(program_, program_.placed[static_cast<std::size_t>(info.placed)]));
      else if (each > 1)
        one["index"] = index % each;
      if (by_card) one["card"] = card_label(program_, index % each);
      const bool known =
          !info.secret || knows_variable(program_, s_, observer_, v, info.list > 0 ? index * info.run() : index);
      one["known"] = known;
      if (known && info.list > 0)
        one["value"] = list(info, v, index);
      else if (known)
        one["value"] = info.kind == ValueKind::cell_set ? cells(info, slot, index)
                       : slot.is_set                    ? card_set(slot, index)
                                                        : value(info, value_of_variable(program_, s_, v, index));
      out.push_back(std::move(one));
    }
  }
  Json list(const VariableInfo& info, Int v, Int index) const {
    Json out = Json::array();
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    if (slot.is_set || info.inner > 0) {
      for (const std::vector<Int>& row : rows_of_list(program_, s_, v, index * info.run()))
        out.push_back(info.kind == ValueKind::card_set   ? cards_of(row)
                      : info.kind == ValueKind::cell_set ? cells_of(info, row)
                                                         : values_of(info, row));
      return out;
    }
    for (Int i = 0; i < info.list; ++i)
      if (const Int held = value_of_variable(program_, s_, v, index * info.list + i); held != kUnset)
        out.push_back(value(info, held));
    return out;
  }
  Json values_of(const VariableInfo& info, const std::vector<Int>& row) const {
    Json out = Json::array();
    for (const Int x : row) out.push_back(value(info, x));
    return out;
  }
  Json card_set(const VariableSlot& slot, Int index) const { return cards_of(elements_of_set(l_, s_, slot, index)); }
  Json cards_of(const std::vector<Int>& cards) const {
    const std::vector<std::string> known = labels_known(cards);
    return {{"cards", known}, {"unknown", cards.size() - known.size()}};
  }
  Json cells(const VariableInfo& info, const VariableSlot& slot, Int index) const {
    return cells_of(info, elements_of_set(l_, s_, slot, index));
  }
  Json cells_of(const VariableInfo& info, const std::vector<Int>& set) const {
    Json out = Json::array();
    const ValueKind of = element_kind(info.enumeration);
    for (const Int cell : set) out.push_back(value_in_words(program_, of, info.enumeration, cell));
    return out;
  }
  Json value(const VariableInfo& info, Int value) const {
    if (value == kNone || value == kUnset) return nullptr;
    if (info.kind == ValueKind::boolean) return value != 0;
    if (info.kind == ValueKind::card)
      return is_card(l_, value) && knows(value) ? Json(card_label(program_, value)) : Json("a card");
    if (info.kind == ValueKind::player_set) return seats(static_cast<Word>(value));
    if (info.kind == ValueKind::other_set) return constants(info.enumeration, static_cast<Word>(value));
    if (info.kind == ValueKind::integer && value < kUnlimited) return value;
    return value_in_words(program_, info.kind, info.enumeration, value);
  }
  Json constants(Int enumeration, Word mask) const {
    Json out = Json::array();
    const ValueKind of = element_kind(enumeration);
    for (; mask != 0; mask &= mask - 1) out.push_back(value_in_words(program_, of, enumeration, lowest_bit(mask)));
    return out;
  }

  Json decision(const Pending& pending) const {
    Json out;
    out["player"] = player_name(pending.player);
    if (pending.site >= 0 && pending.site < static_cast<Int>(program_.sites.size())) {
      out["window"] = program_.sites[static_cast<std::size_t>(pending.site)].window;
      out["prompt"] = pending.prompt.value_or(program_.sites[static_cast<std::size_t>(pending.site)].prompt);
    }
    if (observer_ >= 0 && observer_ != pending.player) return out;
    out["options"] = Json::array();
    for (std::size_t i = 0; i < pending.options.size(); ++i) {
      const Int id = pending.options[i];
      Json option = {{"id", id},
                     {"name", option_name(program_, id)},
                     {"words", i < pending.words.size() ? pending.words[i] : option_words(program_, id)}};
      for (const auto& [name, value] : option_arguments(program_, id)) option["arguments"][name] = value;
      out["options"].push_back(std::move(option));
    }
    return out;
  }

  const Program& program_;
  const Layout& l_;
  const Byte* s_;
  const Int observer_;
};

}   // namespace

nlohmann::json view(const Program& program, const Byte* s, Int observer, const Pending& pending) {
  return View(program, s, observer).make(pending);
}

}   // namespace cardwright
