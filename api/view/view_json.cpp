// Creates a player's view of a State as JSON. Only known cards are named and only known values are shown; everything
// else is shown as a count. Cards are sorted by their printed text, never by id, and the order of entries does not
// depend on hidden information.
#include "api/view/values_in_json.h"
#include "runtime/program/words.h"

namespace cardwright::api::detail {

namespace {

using Json = nlohmann::json;

class ViewInJson {
 public:
  ViewInJson(const GameData& game, const ObservedState& observed)
      : program_(game.program()), l_(program_.layout), observed_(observed), values_(game, true) {}

  Json make() const {
    Json out;
    out["game"] = program_.name;
    out["observer"] = player_or_null(observed_.observer);
    out["over"] = observed_.over;
    if (observed_.winners) out["winners"] = values_.players(*observed_.winners);
    out["in"] = values_.players(observed_.in);
    if (program_.active >= 0) out["active"] = player_or_null(observed_.active);
    if (program_.turn_number >= 0) out["turn"] = observed_.turn;
    for (std::size_t b = 0; b < program_.boards.size(); ++b) out["boards"].push_back(board(b));
    out["zones"] = Json::array();
    for (Int i = 0; i < l_.instances; ++i) out["zones"].push_back(zone(i));
    out["variables"] = Json::array();
    for (std::size_t v = 0; v < observed_.variables.size(); ++v) variables(v, out["variables"]);
    return out;
  }

  Json decision(const ObservedDecision& decision) const {
    const SiteInfo& site = program_.sites[static_cast<std::size_t>(decision.site)];
    Json out = {{"player", player_name(decision.seat)}, {"window", site.window}, {"prompt", decision.prompt}};
    if (!decision.options) return out;
    out["options"] = Json::array();
    for (const auto& [id, words] : *decision.options) {
      Json option = {{"id", id}, {"name", option_name(program_, id)}, {"words", words}};
      for (const auto& [name, value] : option_arguments(program_, id)) option["arguments"][name] = value;
      out["options"].push_back(std::move(option));
    }
    return out;
  }

 private:
  Json player_or_null(Int seat) const { return seat < 0 ? Json(nullptr) : values_.player(seat); }

  // ---- boards

  Json board(std::size_t b) const {
    const BoardInfo& board = program_.boards[b];
    Json out = board.is_graph()
                   ? graph(board)
                   : Json{{"name", board.name},     {"shape", board.hex ? "hex" : "grid"}, {"width", board.width},
                          {"height", board.height}, {"wraps_across", board.across},        {"wraps_down", board.down}};
    if (const auto& shows = observed_.boards[b].shows) out["shows"] = cells(*board.shows, *shows);
    if (const auto& shows = observed_.boards[b].edges_show) out["shows_on_edges"] = edges(board, *shows);
    return out;
  }
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
  Json cells(const BoardShows& shows, const ObservedCells& observed) const {
    Json cells = Json::array();
    for (const Int value : observed.values) cells.push_back(values_.shown(shows, value));
    return {{"text", shows.text}, {"cells", cells}};
  }
  Json edges(const BoardInfo& board, const ObservedCells& observed) const {
    Json edges = Json::object();
    for (const Int edge : observed.edges_in_use(board.edges_show->kind))
      edges[value_in_words(program_, ValueKind::enumeration, board.edge_enumeration, edge)] =
          values_.shown(*board.edges_show, observed.values[static_cast<std::size_t>(edge)]);
    return {{"text", board.edges_show->text}, {"edges", edges}};
  }

  // ---- zones

  Json zone(Int i) const {
    const ZoneInstance& instance = l_.instance[i];
    const ZoneInfo& info = program_.zone_infos[static_cast<std::size_t>(instance.zone)];
    const ObservedZone& zone = observed_.zones[static_cast<std::size_t>(i)];
    constexpr const char* kShapes[] = {"set", "pile", "row", "slot"};
    Json out;
    out["name"] = info.name;
    out["owner"] = player_or_null(instance.owner);
    out["shape"] = kShapes[instance.shape & 3];
    out["size"] = zone.size();
    out["unknown"] = zone.cards.unknown;
    out["cards"] = values_.cards(zone.cards.elements);
    if (info.copies > 1)
      out["copy"] = (i - program_.zones[static_cast<std::size_t>(instance.zone)].first) % info.copies + 1;
    if (info.facedown) out["facedown"] = true;
    // A list without known cards is omitted.
    if (!zone.from_top.empty()) out["from_top"] = values_.cards(zone.from_top);
    if (!zone.from_bottom.empty()) out["from_bottom"] = values_.cards(zone.from_bottom);
    return out;
  }

  // ---- variables

  void variables(std::size_t v, Json& out) const {
    const VariableInfo& info = program_.variable_infos[v];
    const ObservedVariable& variable = observed_.variables[v];
    const Int count = static_cast<Int>(variable.values.size()),
              each = info.per_player && l_.players > 0 ? count / l_.players : count;
    const bool by_card = info.keys.size() == 1 && info.keys[0].kind == ValueKind::card;
    for (Int index = 0; index < count; ++index) {
      // Guard ids are not cards.
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
      const ObservedValue value = variable.at(static_cast<std::size_t>(index));
      one["known"] = value.known;
      if (value.known) one["value"] = values_.of(info, value);
      out.push_back(std::move(one));
    }
  }

  const Program& program_;
  const Layout& l_;
  const ObservedState& observed_;
  const ValuesInJson values_;
};

}   // namespace

}   // namespace cardwright::api::detail

namespace cardwright::api {

std::string State::view(int player) const {
  detail::need_player(data_->program(), player, true);
  if (player >= 0) detail::need_knowledge(*data_, "show a player's view");
  const detail::ObservedState observed = detail::observe(*data_, player, detail::ObservedParts::boards);
  const detail::ViewInJson view(*data_->game, observed);
  nlohmann::json out = view.make();
  if (const detail::ObservedDecision decision = detail::observe_question(*data_, player); decision.seat >= 0)
    out["decision"] = view.decision(decision);
  return out.dump();
}

}   // namespace cardwright::api
