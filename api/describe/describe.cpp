// Creates the description of a game as JSON: its zones, variables, prints, boards and actions.
#include "api/describe/describe.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "api/compile/compile.h"
#include "cardwright/theme.hpp"
#include "cardwright/showing.hpp"
#include "api/game/game_data.h"
#include "runtime/program/words.h"

namespace cardwright::api {

namespace {

using Json = nlohmann::json;

std::size_t at(Int index) { return static_cast<std::size_t>(index); }

Json seat_or_null(Int seat) { return seat < 0 ? Json(nullptr) : Json(seat); }
Json number_or_null(Int number) { return number < 0 ? Json(nullptr) : Json(number); }

const char* kind_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::integer: return "number";
    case ValueKind::boolean: return "boolean";
    case ValueKind::player: return "player";
    case ValueKind::card: return "card";
    case ValueKind::enumeration: return "constant";
    case ValueKind::kind: return "kind";
    case ValueKind::player_set: return "players";
    case ValueKind::card_set: return "cards";
    case ValueKind::other_set: return "set";
    case ValueKind::cell_set: return "cells";
    case ValueKind::part: return "part";
    case ValueKind::piece: return "piece";
  }
  return "";
}

const char* kind_name(ActionKind kind) {
  switch (kind) {
    case ActionKind::play: return "play";
    case ActionKind::use: return "use";
    case ActionKind::pass: return "pass";
    case ActionKind::pick: return "pick";
    case ActionKind::done: return "done";
    case ActionKind::choose: return "choose";
    case ActionKind::yes_no: return "yes_no";
    case ActionKind::one_of: return "one_of";
  }
  return "";
}

class Description {
 public:
  explicit Description(const detail::GameData& game) : game_(game), program_(game.program()) {}

  Json make(const Game& game) const {
    Json out;
    out["name"] = program_.name;
    out["title"] = program_.title;
    out["players"] = program_.layout.players;
    out["options"] = program_.options;
    for (Int seat = 0; seat < program_.layout.players; ++seat) out["seats"].push_back(player_name(seat));
    out["zones"] = zones();
    out["prints"] = prints();
    for (const KindInfo& kind : program_.kinds)
      out["kinds"].push_back({{"name", kind.name}, {"label", kind.label}, {"text", kind.text}});
    for (const AttributeInfo& attribute : program_.attributes)
      if (attribute.printed)
        out["attributes"].push_back({{"name", attribute.name},
                                     {"kind", kind_name(attribute.kind)},
                                     {"enum", number_or_null(attribute.enumeration)}});
    for (const EnumInfo& e : program_.enums)
      out["enums"].push_back({{"name", e.name},
                              {"constants", e.constants},
                              {"labels", e.labels},
                              {"texts", e.texts},
                              {"attributes", attributes_of(e)}});
    for (const AreaInfo& area : program_.areas)
      out["areas"].push_back({{"name", area.name}, {"parts", area.parts}, {"each", area.each}});
    out["teams"] = teams();
    out["variables"] = variables();
    for (std::size_t board = 0; board < program_.boards.size(); ++board) out["boards"].push_back(this->board(board));
    out["placed"] = placed();
    out["actions"] = actions();
    out["races"] = program_.race.has_value();
    out["payoff"] = program_.payoff >= 0;
    out["rules"] = game.rules_in_words();
    for (const char* list : {"kinds", "attributes", "enums", "areas", "boards"})
      if (!out.contains(list)) out[list] = Json::array();
    return out;
  }

 private:
  // Returns the seats of each team.
  Json teams() const {
    Json out = Json::array();
    for (std::size_t seat = 0; seat < program_.teams.size(); ++seat) {
      while (out.size() < at(program_.teams[seat])) out.push_back(Json::array());
      out[at(program_.teams[seat] - 1)].push_back(seat);
    }
    return out;
  }
  Json attributes_of(const EnumInfo& of) const {
    Json out = Json::array();
    for (const EnumInfo::Attribute& attribute : of.attributes) {
      Json values = Json::array();
      for (const Int value : attribute.values)
        values.push_back(value == kNone                         ? Json(nullptr)
                         : attribute.kind == ValueKind::boolean ? Json(value != 0)
                         : attribute.kind == ValueKind::integer && attribute.enumeration != kOfTime
                             ? Json(value)
                             : Json(value_in_words(program_, attribute.kind, attribute.enumeration, value)));
      out.push_back({{"name", attribute.name}, {"values", values}});
    }
    return out;
  }
  Int board_of(Int enumeration) const {
    for (std::size_t b = 0; b < program_.boards.size(); ++b)
      if (enumeration >= 0 && program_.boards[b].enumeration == enumeration) return static_cast<Int>(b);
    return -1;
  }
  Int board_of_zone(Int zone) const {
    for (const PlacedInfo& placed : program_.placed)
      if (placed.zone == zone && placed.at >= 0) return board_of(program_.variable_infos[at(placed.at)].enumeration);
    return -1;
  }

  Json zones() const {
    constexpr const char* kShapes[] = {"set", "pile", "row", "slot"};
    Json out = Json::array();
    for (Int i = 0; i < program_.layout.instances; ++i) {
      const ZoneInstance& zone = program_.layout.instance[i];
      const ZoneInfo& info = program_.zone_infos[at(zone.zone)];
      Json sees = Json::array(), up = nullptr;
      for (Int p = 0; p < program_.layout.players; ++p)
        if (zone.visible >> p & 1) sees.push_back(p);
      const Int place = i - program_.zones[at(zone.zone)].first;
      for (std::size_t z = 0; z < program_.zone_infos.size(); ++z)
        if (program_.zone_infos[z].facedown_zone == zone.zone) up = program_.zones[z].first + place;
      out.push_back({{"name", info.name},
                     {"words", zone_in_words(program_, i)},
                     {"owner", seat_or_null(zone.owner)},
                     {"copy", info.copies > 1 ? place % info.copies + 1 : 0},
                     {"copies", info.copies},
                     {"area", number_or_null(info.area)},
                     {"shape", kShapes[zone.shape & 3]},
                     {"facedown", info.facedown},
                     {"up", up},
                     {"ordered", zone.ordered != 0},
                     {"cleared", info.cleared},
                     {"sees", sees},
                     {"board", number_or_null(board_of_zone(zone.zone))},
                     {"refill", number_or_null(zone.refill)}});
    }
    return out;
  }

  std::string sign_of(Int card) const {
    for (const PlacedInfo& placed : program_.placed)
      if (placed.zone >= 0 && at(card) < placed.signs.size()) return placed.signs[at(card)];
    return {};
  }

  Json prints() const {
    const detail::Prints& prints = game_.prints();
    std::vector<Int> counts(prints.card.size());
    for (const Int print : prints.of)
      if (print != kNone) ++counts[at(print)];
    Json out = Json::array();
    for (std::size_t print = 0; print < prints.card.size(); ++print) {
      const CardInfo& card = program_.cards[at(prints.card[print])];
      const KindInfo& kind = program_.kinds[at(card.kind)];
      Json attributes = Json::object();
      for (std::size_t a = 0; a < card.attributes.size(); ++a)
        if (const AttributeInfo& info = program_.attributes[a]; info.printed && card.attributes[a] != kNone)
          attributes[info.name] = printed_value(info, card.attributes[a]);
      Json one = {{"name", card.label},
                  {"kind", card.kind},
                  {"text", printed_text(program_, card, kind.text)},
                  {"attributes", attributes},
                  {"count", counts[print]}};
      if (std::string sign = sign_of(prints.card[print]); !sign.empty()) one["sign"] = sign;
      out.push_back(std::move(one));
    }
    return out;
  }
  Json printed_value(const AttributeInfo& info, Int value) const {
    if (info.kind == ValueKind::boolean) return value != 0;
    if (info.kind == ValueKind::integer && info.enumeration < 0 && value < kUnlimited) return value;
    return value_in_words(program_, info.kind, info.enumeration, value);
  }

  Json keys(const VariableInfo& info) const {
    Json out = Json::array();
    for (const KeyInfo& key : info.keys) {
      Json values = Json::array();
      for (Int k = 0; k < key.count && key.kind != ValueKind::card; ++k)
        values.push_back(value_in_words(program_, key.kind, key.enumeration, key.first + k));
      out.push_back({{"kind", kind_name(key.kind)}, {"enum", number_or_null(key.enumeration)}, {"values", values}});
    }
    return out;
  }

  Json variables() const {
    Json out = Json::array();
    for (std::size_t v = 0; v < program_.variable_infos.size(); ++v) {
      const VariableInfo& info = program_.variable_infos[v];
      const VariableSlot& slot = program_.variables[v];
      if (info.hidden || !info.rules_state) {
        out.push_back(nullptr);
        continue;
      }
      Json one = {{"name", info.name},
                  {"words", spaced(info.name)},
                  {"owner", info.per_player},
                  {"kind", kind_name(info.kind)},
                  {"enum", number_or_null(info.enumeration)},
                  {"keys", keys(info)},
                  {"list", info.list > 0},
                  {"secret", info.secret},
                  {"temporary", info.temporary},
                  {"area", number_or_null(info.area)},
                  {"placed", number_or_null(info.placed)},
                  {"board", number_or_null(board_of(info.enumeration))}};
      if (info.kind == ValueKind::integer && slot.hi < kUnlimited) one["from"] = slot.lo, one["to"] = slot.hi;
      out.push_back(std::move(one));
    }
    return out;
  }

  std::string cell_name(const BoardInfo& board, const std::string& name) const {
    return program_.boards.size() > 1 ? name.substr(board.name.size() + 1) : name;
  }

  Json board(std::size_t b) const {
    const BoardInfo& board = program_.boards[b];
    Json cells = Json::array();
    for (const std::string& name : program_.enums[at(board.enumeration)].constants)
      cells.push_back(cell_name(board, name));
    Json out = {{"name", board.name},     {"shape", board.is_graph() ? "graph" : board.hex ? "hex" : "grid"},
                {"width", board.width},   {"height", board.height},
                {"across", board.across}, {"down", board.down},
                {"cells", cells}};
    if (board.is_graph()) out["places"] = board.places, out["lines"] = board.lines;
    if (board.edge_enumeration >= 0) {
      const auto& names = program_.enums[at(board.edge_enumeration)].constants;
      for (std::size_t e = 0; e < board.edges.size() && e < names.size(); ++e)
        out["edges"].push_back(
            {{"name", cell_name(board, names[e])}, {"cell", board.edges[e].first}, {"way", board.edges[e].second}});
    }
    for (const auto& [key, shows] : {std::pair("shows", &board.shows), {"shows_on_edges", &board.edges_show}})
      if (*shows && !(*shows)->secret)
        out[key] = {{"text", (*shows)->text}, {"variable", number_or_null((*shows)->variable)}};
    return out;
  }

  Json placed() const {
    Json out = Json::array();
    for (const PlacedInfo& placed : program_.placed) {
      Json one = {{"name", placed.name},     {"words", spaced(placed.name)}, {"of_players", placed.of_players},
                  {"labels", placed.labels}, {"sign", placed.sign},          {"each", placed.each}};
      one["board"] =
          placed.at < 0 ? Json(nullptr) : number_or_null(board_of(program_.variable_infos[at(placed.at)].enumeration));
      one["zone"] = placed.zone < 0 ? Json(nullptr) : Json(program_.zones[at(placed.zone)].first);
      if (placed.face >= 0) one["faces"] = placed.faces, one["face"] = placed.face;
      out.push_back(std::move(one));
    }
    return out;
  }

  Json actions() const {
    Json out = Json::array();
    for (const ActionInfo& action : program_.actions)
      out.push_back({{"name", action.name},
                     {"words", spaced(action.name)},
                     {"kind", kind_name(action.kind)},
                     {"secret", action.secret},
                     {"where", program_.sources ? program_.sources->describe(action.where) : ""}});
    return out;
  }

  const detail::GameData& game_;
  const Program& program_;
};

}   // namespace

std::string detail::description_of(const Game& game) {
  Json out = Description(*game.data()).make(game);
  out["about"] = Ruleset(game.data()->compiled->ruleset).about();
  out["look"] = Json::parse(look_of(game).json, nullptr, false);
  return out.dump();
}

}   // namespace cardwright::api
