// Creates the data for pages, limited to what an observer may know: things, news, and parts of options
// (docs/reference/protocol.md).
#include "cardwright/showing.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/game/log_data.h"
#include "api/view/values_in_json.h"
#include "runtime/program/words.h"

namespace cardwright::api {

namespace {

using Json = nlohmann::json;
using detail::ObservedObject;
using detail::ObservedParts;
using detail::ObservedState;
using detail::ObservedZone;

std::size_t at(Int index) { return static_cast<std::size_t>(index); }

class Things {
 public:
  Things(const GameData& game, const ObservedState& observed)
      : program_(game.program()), observed_(observed), prints_(game.prints().of), values_(game, false) {}

  std::vector<Thing> all() const {
    std::vector<Thing> out;
    const auto add = [&](const std::string& key, const Json& value) { out.push_back({key, value.dump()}); };
    for (std::size_t b = 0; b < program_.boards.size(); ++b) {
      add(fmt::format("b{}", b), objects(observed_.boards[b]));
      if (Json ground = this->ground(b); !ground.empty()) add(fmt::format("g{}", b), ground);
    }
    add("seats", seats());
    add("table", table());
    for (std::size_t v = 0; v < observed_.variables.size(); ++v)
      if (observed_.variables[v].shown) add(fmt::format("v{}", v), variable(v));
    for (std::size_t i = 0; i < observed_.zones.size(); ++i)
      if (observed_.zones[i].size() > 0) add(fmt::format("z{}", i), zone(observed_.zones[i]));
    return out;
  }

 private:
  Json zone(const ObservedZone& zone) const {
    Json out = {{"n", zone.size()}, {"cards", values_.cards(zone.cards.elements)}};
    if (!zone.from_top.empty()) out["top"] = values_.cards(zone.from_top);
    if (!zone.from_bottom.empty()) out["bottom"] = values_.cards(zone.from_bottom);
    return out;
  }

  // ---- variables

  Json variable(std::size_t v) const {
    const VariableInfo& info = program_.variable_infos[v];
    if (info.keys.size() == 1 && info.keys[0].kind == ValueKind::card) return of_cards(v);
    Json out = Json::array();
    const detail::ObservedVariable& variable = observed_.variables[v];
    for (std::size_t i = 0; i < variable.values.size(); ++i) out.push_back(value(info, variable.at(i)));
    return out;
  }
  Json value(const VariableInfo& info, const detail::ObservedValue& value) const {
    return value.known ? values_.of(info, value) : "?";
  }
  // Returns the values of cards by print, which does not reveal which of several equal cards has which value. Single
  // values that are unknown or initial are omitted.
  Json of_cards(std::size_t v) const {
    const VariableInfo& info = program_.variable_infos[v];
    const detail::ObservedVariable& variable = observed_.variables[v];
    const std::vector<Int>& values = variable.values;
    const std::size_t each = info.per_player ? values.size() / at(program_.layout.players) : values.size();
    const bool single = info.list == 0 && !program_.variables[v].is_set;
    std::vector<std::pair<Int, Json>> held;
    Json by_player = Json::array();
    for (std::size_t index = 0; index < values.size(); ++index) {
      const std::size_t card = index % each;
      const bool is_initial = values[index] == detail::kHiddenValue || values[index] == program_.variables[v].initial;
      if (program_.cards[card].kind >= 0 && !(single && is_initial))
        held.emplace_back(prints_[card], value(info, variable.at(index)));
      if (card + 1 < each) continue;
      std::sort(held.begin(), held.end());
      by_player.push_back(held);
      held.clear();
    }
    return {{"cards", by_player}};
  }

  // ---- boards

  Json objects(const detail::ObservedBoard& board) const {
    Json out = Json::array();
    for (const ObservedObject& one : board.on_cells) out.push_back(object(one));
    return out;
  }
  Json object(const ObservedObject& object) const {
    Json out = {{"means", object.means}, {"words", object.means}, {"cells", object.cells}};
    if (!object.sign.empty()) out["sign"] = object.sign;
    if (object.seat >= 0) out["seat"] = object.seat;
    if (!object.is_piece()) {
      out["kind"] = program_.variables[at(object.variable)].is_set ? "set" : "mark";
      out["variable"] = object.variable;
      return out;
    }
    const PlacedInfo& placed = program_.placed[at(object.placed)];
    out["kind"] = "piece";
    if (placed.zone < 0) {
      out["words"] = piece_in_words(program_, object.placed, object.index);
      out["piece"] = Json::array({object.placed, object.index});
    } else {
      out["print"] = prints_[at(object.index)];
    }
    if (object.facing != kNone)
      out["facing"] = value_in_words(program_, ValueKind::enumeration,
                                     program_.variable_infos[at(placed.facing)].enumeration, object.facing);
    return out;
  }

  Json ground(std::size_t b) const {
    const BoardInfo& board = program_.boards[b];
    const detail::ObservedBoard& observed = observed_.boards[b];
    Json out = Json::object();
    if (observed.shows) {
      out["cells"] = Json::array();
      for (const Int value : observed.shows->values) out["cells"].push_back(values_.shown(*board.shows, value));
    }
    if (observed.edges_show) {
      out["edges"] = Json::array();
      for (const Int edge : observed.edges_show->edges_in_use(board.edges_show->kind))
        out["edges"].push_back({edge, values_.shown(*board.edges_show, observed.edges_show->values[at(edge)])});
    }
    for (const ObservedObject& object : observed.on_edges) {
      Json wall = {{"edges", object.cells}, {"means", object.means}};
      if (object.seat >= 0) wall["seat"] = object.seat;
      out["walls"].push_back(std::move(wall));
    }
    return out;
  }

  // ---- seats and the table

  Json seats() const {
    Json out = Json::array();
    for (std::size_t seat = 0; seat < observed_.player_texts.size(); ++seat)
      out.push_back({{"in", (observed_.in >> seat & 1) != 0}, {"shown", observed_.player_texts[seat]}});
    return out;
  }
  Json table() const {
    Json out = {{"shown", observed_.texts}};
    if (program_.active >= 0) out["active"] = observed_.active < 0 ? Json(nullptr) : Json(observed_.active);
    if (program_.turn_number >= 0) out["turn"] = observed_.turn;
    if (program_.round_number >= 0) out["round"] = observed_.round;
    return out;
  }

  const Program& program_;
  const ObservedState& observed_;
  const std::vector<Int>& prints_;
  const detail::ValuesInJson values_;
};

// ---- options

class Naming {
 public:
  // `observed` is the view of the deciding player.
  Naming(const GameData& game, const ObservedState& observed, Int site, Int id)
      : program_(game.program()),
        observed_(observed),
        prints_(game.prints().of),
        site_(site),
        option_(option_parts(program_, id)) {
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

  int print(Int card) const { return static_cast<int>(prints_[at(card)]); }

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
  // Returns the zones in which the deciding player knows such a card to be. For a played card, zones of this player
  // take precedence.
  std::vector<int> zones_of(std::size_t i, Int value) const {
    const bool by_id = option_.action->parameters[i].by_id;
    std::set<int> zones;
    for (std::size_t zone = 0; zone < observed_.zones.size(); ++zone)
      if (std::ranges::any_of(observed_.zones[zone].cards.elements,
                              [&](Int card) { return by_id ? card == value : print(card) == print(value); }))
        zones.insert(static_cast<int>(zone));
    if (option_.action->kind == ActionKind::play && i == 0) keep_own(zones);
    const PickedFrom& of_parameter = option_.action->parameters[i].from;
    keep_offered(of_parameter.zones.empty() && site_ >= 0 ? program_.sites[at(site_)].from : of_parameter, zones);
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
      if (program_.layout.instance[zone].owner == observed_.observer) own.insert(zone);
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
    if (variable < 0 || program_.variable_infos[at(variable)].enumeration != program_.boards[at(board)].enumeration)
      return kNone;
    return observed_.variables[at(variable)].at(at(part.piece)).value;
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

  const Program& program_;
  const ObservedState& observed_;
  const std::vector<Int>& prints_;
  const Int site_;
  const cardwright::OptionParts option_;
  std::vector<std::string> words_;
};

// Throws Error(caller) if the observer is invalid, or the State does not track the observer's knowledge.
void need_observer(const StateData& state, int observer) {
  if (observer != kSpectator) detail::need_player(state.program(), observer, true);
  if (observer != kEverything) detail::need_knowledge(state, "show a player's view");
}

}   // namespace

std::vector<Thing> things(const State& state, int observer) {
  need_observer(state.data(), observer);
  return Things(*state.data().game, detail::observe(state.data(), observer, ObservedParts::table)).all();
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
  const detail::ObservedDecision decision = detail::observe_decision(state.data(), observer);
  if (decision.site < 0) return {};
  return {decision.simultaneous, decision.seat, state.data().program().sites[at(decision.site)].window,
          decision.prompt};
}

std::vector<OptionShown> show_options(const State& state) {
  const StateData& data = state.data();
  std::vector<OptionShown> out;
  if (state.legal().empty()) return out;
  const ObservedState observed = detail::observe(data, static_cast<int>(data.actor), ObservedParts::positions);
  for (const std::int64_t id : state.legal()) out.push_back(Naming(*data.game, observed, data.site, id).shown());
  return out;
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
