// Creates the data that pages show: things, news, and parts of options, as an observer may know them
// (docs/reference/protocol.md). runtime/knowledge makes all decisions about visibility.
#include "cardwright/showing.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/view/drawing.h"
#include "api/game/game_data.h"
#include "api/game/log_data.h"
#include "api/game/timing.h"
#include "runtime/program/words.h"

namespace cardwright::api {

namespace {

using Json = nlohmann::json;
using detail::Drawing;
using detail::Placement;

std::size_t at(Int index) { return static_cast<std::size_t>(index); }

class Things {
 public:
  Things(const StateData& state, int observer)
      : state_(state),
        program_(state.program()),
        l_(program_.layout),
        s_(state.bytes.get()),
        observer_(observer),
        prints_(state.game->prints().of) {}

  std::vector<Thing> all() const {
    std::vector<Thing> out;
    const auto add = [&](const std::string& key, const Json& value) { out.push_back({key, value.dump()}); };
    for (std::size_t b = 0; b < program_.boards.size(); ++b) {
      add(fmt::format("b{}", b), placements(program_.boards[b]));
      if (Json ground = this->ground(program_.boards[b]); !ground.empty()) add(fmt::format("g{}", b), ground);
    }
    add("seats", seats());
    add("table", table());
    for (std::size_t v = 0; v < program_.variable_infos.size(); ++v)
      if (const VariableInfo& info = program_.variable_infos[v]; !info.hidden && info.rules_state)
        add(fmt::format("v{}", v), variable(static_cast<Int>(v)));
    for (Int i = 0; i < l_.instances; ++i)
      if (Json zone = this->zone(i); !zone.is_null()) add(fmt::format("z{}", i), zone);
    return out;
  }

 private:
  bool knows(Int card) const { return knows_card(l_, s_, observer_, card); }
  Json print_or_null(Int card) const { return knows(card) ? Json(prints_[at(card)]) : Json(nullptr); }

  std::vector<Int> prints_known(const std::vector<Int>& cards) const {
    std::vector<Int> out;
    for (const Int card : cards)
      if (knows(card)) out.push_back(prints_[at(card)]);
    std::sort(out.begin(), out.end());
    return out;
  }

  // ---- zones

  Json zone(Int i) const {
    const std::vector<Int> cards = cards_in_zone(l_, s_, i);
    if (cards.empty()) return nullptr;
    Json out = {{"n", cards.size()}, {"cards", prints_known(cards)}};
    if (!l_.instance[i].ordered) return out;
    for (const auto& [side, order] :
         {std::pair{"top", cards_from_top(l_, s_, i)}, {"bottom", cards_from_bottom(l_, s_, i)}})
      if (Json prints = known_part(order); !prints.empty()) out[side] = std::move(prints);
    return out;
  }
  // Returns the part of a zone's order that the observer knows.
  Json known_part(const std::vector<Int>& order) const {
    Json out = Json::array();
    for (const Int card : order) out.push_back(print_or_null(card));
    while (!out.empty() && out.back().is_null()) out.erase(out.size() - 1);
    return out;
  }

  // ---- variables

  Json variable(Int v) const {
    const VariableInfo& info = program_.variable_infos[at(v)];
    const VariableSlot& slot = program_.variables[at(v)];
    const Int values = info.list > 0 ? slot.count / info.run() : slot.count;
    if (info.keys.size() == 1 && info.keys[0].kind == ValueKind::card) return of_cards(v, values);
    Json out = Json::array();
    for (Int index = 0; index < values; ++index) out.push_back(held(v, index));
    return out;
  }
  // Returns the cards in a variable as prints, which do not reveal which of several equal cards it contains.
  Json of_cards(Int v, Int values) const {
    const VariableInfo& info = program_.variable_infos[at(v)];
    const Int each = info.per_player ? values / l_.players : values;
    std::vector<std::pair<Int, Json>> held;
    Json by_player = Json::array();
    for (Int index = 0; index < values; ++index) {
      const Int card = index % each;
      if (program_.cards[at(card)].kind >= 0 &&
          !(info.list == 0 && !program_.variables[at(v)].is_set && is_initial(v, index)))
        held.emplace_back(prints_[at(card)], this->held(v, index));
      if (card + 1 < each) continue;
      std::sort(held.begin(), held.end());
      by_player.push_back(held);
      held.clear();
    }
    return {{"cards", by_player}};
  }
  bool is_initial(Int v, Int index) const {
    const bool known = !program_.variable_infos[at(v)].secret || knows_variable(program_, s_, observer_, v, index);
    return !known || value_of_variable(program_, s_, v, index) == program_.variables[at(v)].initial;
  }

  Json held(Int v, Int index) const {
    const VariableInfo& info = program_.variable_infos[at(v)];
    const VariableSlot& slot = program_.variables[at(v)];
    if (info.secret && !knows_variable(program_, s_, observer_, v, info.list > 0 ? index * info.run() : index))
      return "?";
    if (info.list > 0) return list(info, v, index);
    if (!slot.is_set) return value(info, value_of_variable(program_, s_, v, index));
    const std::vector<Int> elements = elements_of_set(l_, s_, slot, index);
    return info.kind == ValueKind::cell_set ? cells(info, elements) : cards(elements);
  }
  Json list(const VariableInfo& info, Int v, Int index) const {
    Json out = Json::array();
    if (program_.variables[at(v)].is_set || info.inner > 0) {
      for (const std::vector<Int>& row : rows_of_list(program_, s_, v, index * info.run())) {
        Json one = Json::array();
        for (const Int x : row) one.push_back(value(info, x));
        out.push_back(info.kind == ValueKind::card_set   ? cards(row)
                      : info.kind == ValueKind::cell_set ? cells(info, row)
                                                         : one);
      }
      return out;
    }
    for (Int i = 0; i < info.list; ++i)
      if (const Int x = value_of_variable(program_, s_, v, index * info.list + i); x != kUnset)
        out.push_back(value(info, x));
    return out;
  }
  Json cards(const std::vector<Int>& all) const {
    const std::vector<Int> known = prints_known(all);
    return {{"cards", known}, {"unknown", all.size() - known.size()}};
  }
  Json cells(const VariableInfo& info, const std::vector<Int>& all) const {
    Json out = Json::array();
    const ValueKind of = element_kind(info.enumeration);
    for (const Int cell : all) out.push_back(value_in_words(program_, of, info.enumeration, cell));
    return out;
  }
  Json value(const VariableInfo& info, Int x) const {
    if (x == kNone || x == kUnset) return nullptr;
    if (info.kind == ValueKind::boolean) return x != 0;
    if (info.kind == ValueKind::player) return x;
    if (info.kind == ValueKind::card)
      return x >= 0 && at(x) < prints_.size() && knows(x) ? Json(prints_[at(x)]) : Json("?");
    if (info.kind == ValueKind::integer && info.enumeration != kOfTime && x < kUnlimited) return x;
    if (info.kind == ValueKind::player_set) return players(static_cast<Word>(x));
    if (info.kind == ValueKind::other_set) return constants(info.enumeration, static_cast<Word>(x));
    return value_in_words(program_, info.kind, info.enumeration, x);
  }
  Json players(Word mask) const {
    Json out = Json::array();
    for (; mask != 0; mask &= mask - 1) out.push_back(__builtin_ctzll(mask));
    return out;
  }
  Json constants(Int enumeration, Word mask) const {
    Json out = Json::array();
    const ValueKind of = element_kind(enumeration);
    for (; mask != 0; mask &= mask - 1) out.push_back(value_in_words(program_, of, enumeration, __builtin_ctzll(mask)));
    return out;
  }

  // ---- boards

  Json placements(const BoardInfo& board) const {
    Json out = Json::array();
    for (const Placement& there : Drawing(state_, observer_).placements_on(board)) out.push_back(placements(there));
    return out;
  }
  Json placements(const Placement& there) const {
    Json out = {{"means", there.means}, {"words", there.words}, {"cells", there.cells}};
    if (!there.sign.empty()) out["sign"] = there.sign;
    if (there.seat >= 0) out["seat"] = there.seat;
    const bool set = program_.variables[at(there.variable)].is_set;
    out["kind"] = there.placed >= 0 ? "piece" : set ? "set" : "mark";
    if (there.placed < 0) {
      out["variable"] = there.variable;
      return out;
    }
    const PlacedInfo& placed = program_.placed[at(there.placed)];
    if (placed.zone < 0)
      out["piece"] = Json::array({there.placed, there.index});
    else if (knows(there.index))
      out["print"] = prints_[at(there.index)];
    if (there.facing != kNone && placed.facing >= 0)
      out["facing"] = value_in_words(program_, ValueKind::enumeration,
                                     program_.variable_infos[at(placed.facing)].enumeration, there.facing);
    return out;
  }

  Json shown(const BoardShows& shows, std::size_t count) const {
    std::optional<Failure> failure;
    Json out = Json::array();
    for (const std::optional<Int>& value : detail::values_shown(state_, shows, count, failure))
      out.push_back(!value || *value == kNone          ? Json(nullptr)
                    : shows.kind == ValueKind::boolean ? Json(*value != 0)
                    : shows.kind == ValueKind::player  ? Json{{"seat", *value}}
                    : shows.kind == ValueKind::enumeration
                        ? Json(value_in_words(program_, shows.kind, shows.enumeration, *value))
                        : Json(*value));
    return out;
  }
  Json ground(const BoardInfo& board) const {
    Json out = Json::object();
    const auto is_seen = [&](const std::optional<BoardShows>& shows) {
      return shows && (observer_ == kKnowsAll || !shows->secret);
    };
    if (is_seen(board.shows))
      out["cells"] = shown(*board.shows, program_.enums[at(board.enumeration)].constants.size());
    if (is_seen(board.edges_show)) {
      const Json values = shown(*board.edges_show, board.edges.size());
      Json edges = Json::array();
      for (std::size_t edge = 0; edge < values.size(); ++edge)
        if (!values[edge].is_null() && values[edge] != 0 && values[edge] != false)
          edges.push_back({edge, values[edge]});
      out["edges"] = std::move(edges);
    }
    Json walls = Json::array();
    if (!board.is_graph())
      for (const Placement& there : Drawing(state_, observer_).placements_on_edges(board)) {
        Json one = {{"edges", there.cells}, {"means", there.means}};
        if (there.seat >= 0) one["seat"] = there.seat;
        walls.push_back(std::move(one));
      }
    if (!walls.empty()) out["walls"] = std::move(walls);
    return out;
  }

  // ---- seats and the table

  Json shown_lines(int seat) const {
    Json out = Json::array();
    for (const ShownInfo& shown : program_.shown) {
      if (shown.of_players != (seat >= 0)) continue;
      if (std::string text = detail::shown_text(state_, shown, seat, observer_); !text.empty())
        out.push_back(std::move(text));
    }
    return out;
  }
  Json seats() const {
    Json out = Json::array();
    for (int seat = 0; seat < l_.players; ++seat)
      out.push_back({{"in", (detail::players_in(program_, s_) >> seat & 1) != 0}, {"shown", shown_lines(seat)}});
    return out;
  }
  Json table() const {
    Json out = {{"shown", shown_lines(-1)}};
    const auto number = [&](Int variable) { return value_of_variable(program_, s_, variable, 0); };
    if (program_.active >= 0)
      out["active"] = number(program_.active) < 0 ? Json(nullptr) : Json(number(program_.active));
    if (program_.turn_number >= 0) out["turn"] = number(program_.turn_number);
    if (program_.round_number >= 0) out["round"] = number(program_.round_number);
    return out;
  }

  const StateData& state_;
  const Program& program_;
  const Layout& l_;
  const Byte* s_;
  const int observer_;
  const std::vector<Int>& prints_;
};

// ---- options

class Naming {
 public:
  Naming(const StateData& state, Int id)
      : state_(state), program_(state.program()), option_(option_parts(program_, id)) {
    for (auto& [name, words] : option_arguments(program_, id)) words_.push_back(words);
  }

  OptionShown shown() const {
    OptionShown out;
    out.action = static_cast<int>(option_.action_index);
    for (std::size_t i = 0; i < option_.values.size(); ++i) out.parts.push_back(part(i));
    for (OptionPart& one : out.parts)
      if (one.kind == OptionPart::Kind::direction) find_goal(out.parts, one);
    return out;
  }

 private:
  OptionPart part(std::size_t i) const {
    const ParameterInfo& parameter = option_.action->parameters[i];
    OptionPart out;
    out.name = parameter.name;
    if (i < words_.size()) out.words = words_[i];
    const Int value = option_.values[i];
    if (value == kNone && parameter.nothing >= 0) return out;
    if (parameter.list >= 0)
      set(program_.set_lists[at(parameter.list)], value, out);
    else if (parameter.kind == ValueKind::card)
      card(i, value, out);
    else
      single(parameter.kind, parameter.enumeration, value, out);
    if (parameter.area >= 0 && value > 0) in_area(parameter.area, value, out);
    return out;
  }

  void in_area(Int area, Int value, OptionPart& out) const {
    const Int each = program_.areas[at(area)].each;
    out.kind = OptionPart::Kind::part;
    out.area = static_cast<int>(area);
    if (each > 0) out.owner = static_cast<int>((value - 1) / each);
    out.index = static_cast<int>(each > 0 ? (value - 1) % each + 1 : value);
  }

  void set(const SetListInfo& list, Int value, OptionPart& out) const {
    out.value = value;
    for (const Int element : list.sets[at(value)])
      if (list.kind == ValueKind::card)
        out.prints.push_back(print(element));
      else if (const auto [board, edge] = board_of(list.enumeration);
               list.kind == ValueKind::enumeration && board >= 0) {
        out.kind = edge ? OptionPart::Kind::edge : OptionPart::Kind::cell;
        out.board = board;
        out.cells.push_back(static_cast<int>(element));
      }
    if (list.kind == ValueKind::card) out.kind = OptionPart::Kind::card;
  }

  int print(Int card) const { return static_cast<int>(state_.game->prints().of[at(card)]); }

  void card(std::size_t i, Int value, OptionPart& out) const {
    if (value <= kUnseen) {
      out.kind = OptionPart::Kind::unknown;
      if (kUnseen - value < program_.layout.hidden)
        out.zones.push_back(static_cast<int>(program_.layout.hidden_instance[kUnseen - value]));
      return;
    }
    out.kind = OptionPart::Kind::card;
    if (value < 0 || at(value) >= program_.cards.size() || program_.cards[at(value)].kind < 0) return;
    out.print = print(value);
    out.zones = zones_of(i, value);
  }
  // Returns the zones that, as the actor knows, contain such a card. A card that is played is in the hand.
  std::vector<int> zones_of(std::size_t i, Int value) const {
    const Byte* s = state_.bytes.get();
    std::set<int> zones;
    for (std::size_t card = 0; card < program_.cards.size(); ++card) {
      const Int id = static_cast<Int>(card);
      const bool meant =
          option_.action->parameters[i].by_id ? id == value : state_.game->prints().of[card] == print(value);
      if (program_.cards[card].kind < 0 || !meant || !knows_card(program_.layout, s, state_.actor, id)) continue;
      for (Int zone = 0; zone < program_.layout.instances; ++zone)
        if (const auto there = cards_in_zone(program_.layout, s, zone);
            std::binary_search(there.begin(), there.end(), id))
          zones.insert(static_cast<int>(zone));
    }
    if (option_.action->kind == ActionKind::play && i == 0) keep_own(zones);
    const PickedFrom& of_parameter = option_.action->parameters[i].from;
    keep_offered(of_parameter.zones.empty() && state_.site >= 0 ? program_.sites[at(state_.site)].from : of_parameter,
                 zones);
    return {zones.begin(), zones.end()};
  }
  void keep_offered(const PickedFrom& from, std::set<int>& zones) const {
    if (from.zones.empty()) return;
    std::set<int> offered;
    for (const int zone : zones)
      if (std::find(from.zones.begin(), from.zones.end(), program_.layout.instance[zone].zone) != from.zones.end())
        offered.insert(zone);
    if (!offered.empty()) zones = offered;
    if (from.own) keep_own(zones);
  }
  void keep_own(std::set<int>& zones) const {
    std::set<int> own;
    for (const int zone : zones)
      if (program_.layout.instance[zone].owner == state_.actor) own.insert(zone);
    if (!own.empty()) zones = own;
  }

  // Returns the board to which these cells or edges belong.
  std::pair<int, bool> board_of(Int enumeration) const {
    for (std::size_t b = 0; b < program_.boards.size() && enumeration >= 0; ++b) {
      if (program_.boards[b].enumeration == enumeration) return {static_cast<int>(b), false};
      if (program_.boards[b].edge_enumeration == enumeration) return {static_cast<int>(b), true};
    }
    return {-1, false};
  }

  // Sets the cell to which a direction leads from the single cell that the option names.
  void find_goal(const std::vector<OptionPart>& parts, OptionPart& direction) const {
    std::vector<Int> from;
    for (const OptionPart& part : parts)
      if (part.kind == OptionPart::Kind::cell && part.board == direction.board && part.cells.size() == 1)
        from.push_back(static_cast<Int>(part.cells[0]));
      else if (part.kind == OptionPart::Kind::piece)
        if (const Int cell = cell_of_piece(part, direction.board); cell >= 0) from.push_back(cell);
    if (from.size() != 1) return;
    const Int to = program_.boards[at(direction.board)].next(from[0], static_cast<Int>(direction.value));
    if (to != kNone) direction.cells.push_back(static_cast<int>(to));
  }
  Int cell_of_piece(const OptionPart& part, int board) const {
    const Int variable = program_.placed[at(part.placed)].at;
    const Byte* s = state_.bytes.get();
    if (variable < 0 || program_.variable_infos[at(variable)].enumeration != program_.boards[at(board)].enumeration ||
        (program_.variable_infos[at(variable)].secret &&
         !knows_variable(program_, s, state_.actor, variable, part.piece)))
      return kNone;
    return value_of_variable(program_, s, variable, part.piece);
  }
  int board_of_directions(Int enumeration) const {
    for (std::size_t b = 0; b < program_.boards.size() && enumeration >= 0; ++b)
      if (program_.boards[b].dir_enumeration == enumeration) return static_cast<int>(b);
    return -1;
  }

  void single(ValueKind kind, Int enumeration, Int value, OptionPart& out) const {
    out.value = value;
    if (const auto [board, edge] = board_of(enumeration); kind == ValueKind::enumeration && board >= 0) {
      out.kind = edge ? OptionPart::Kind::edge : OptionPart::Kind::cell;
      out.board = board;
      out.cells.push_back(static_cast<int>(value));
    } else if (const int board = board_of_directions(enumeration); kind == ValueKind::enumeration && board >= 0) {
      out.kind = OptionPart::Kind::direction;
      out.board = board;
    } else if (kind == ValueKind::player) {
      out.kind = OptionPart::Kind::player;
    } else if (kind == ValueKind::piece && value > 0) {
      out.kind = OptionPart::Kind::piece;
      out.placed = static_cast<int>(enumeration);
      out.piece = static_cast<int>(value - 1);
    } else if (kind == ValueKind::integer) {
      out.kind = OptionPart::Kind::number;
    } else if (kind == ValueKind::boolean) {
      out.kind = OptionPart::Kind::boolean;
    } else if (kind == ValueKind::enumeration || kind == ValueKind::kind) {
      out.kind = OptionPart::Kind::constant;
    }
  }

  const StateData& state_;
  const Program& program_;
  const cardwright::OptionParts option_;
  std::vector<std::string> words_;
};

// Throws Error(caller) if there is no such observer.
void need_observer(const StateData& state, int observer) {
  if (observer != kSpectator) detail::need_player(state.program(), observer, true);
  if (observer != kEverything) detail::need_knowledge(state, "show a player's view");
}

}   // namespace

std::vector<Thing> things(const State& state, int observer) {
  need_observer(state.data(), observer);
  return Things(state.data(), observer).all();
}

std::vector<News> news(const Log& log, int observer, std::size_t from) {
  const detail::LogData& data = log.data();
  if (observer != kSpectator) detail::need_player(data.game->program(), observer, true);
  if (from > log.size())
    raise(Blame::caller, fmt::format("the log has {} entries, so entry {} is out of range", log.size(), from));
  std::vector<News> out;
  constexpr std::string_view kHeading = "— ";
  for (detail::LogData::Entry& entry : data.entries(observer, from, true)) {
    News one;
    one.seat = entry.decided;
    one.variable = static_cast<int>(entry.news.variable);
    one.kind = entry.decided >= 0   ? News::Kind::choice
               : entry.news.to >= 0 ? News::Kind::move
               : one.variable >= 0  ? News::Kind::change
                                    : News::Kind::say;
    one.from = static_cast<int>(entry.news.from), one.to = static_cast<int>(entry.news.to);
    for (const Int card : entry.news.cards)
      one.prints.push_back(card == kNone ? -1 : static_cast<int>(data.game->prints().of[at(card)]));
    one.text = std::move(entry.news.text);
    if (one.text.starts_with(kHeading)) one.kind = News::Kind::heading, one.text.erase(0, kHeading.size());
    out.push_back(std::move(one));
  }
  return out;
}

Asked asked(const State& state, int observer) {
  need_observer(state.data(), observer);
  const StateData& data = state.data();
  Asked out;
  if (data.over || data.site < 0 || detail::waits_for_clock(data)) return out;
  const SiteInfo& site = data.program().sites[at(data.site)];
  out.all = site.secret;
  if (!site.secret) out.seat = static_cast<int>(data.actor);
  out.window = site.window;
  // In a simultaneous decision, each player has their own question.
  if (!site.secret)
    out.prompt = detail::prompt_in_words(data, observer);
  else if (!site.prompt_has_values)
    out.prompt = site.prompt;
  return out;
}

OptionShown show_option(const State& state, std::size_t index) {
  const std::span<const std::int64_t> legal = state.legal();
  if (index >= legal.size())
    raise(Blame::caller, fmt::format("option {} is out of range: the number of options is {}", index, legal.size()));
  return Naming(state.data(), legal[index]).shown();
}

std::string name_of_print(const Game& game, std::int64_t print) {
  const std::vector<Int>& cards = game.data()->prints().card;
  return print < 0 || at(print) >= cards.size() ? "" : card_label(game.data()->program(), cards[at(print)]);
}
std::string name_of_action(const Game& game, std::int64_t action) {
  const std::vector<ActionInfo>& actions = game.data()->program().actions;
  return action < 0 || at(action) >= actions.size() ? "" : actions[at(action)].name;
}

}   // namespace cardwright::api
