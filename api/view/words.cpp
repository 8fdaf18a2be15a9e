// Describes what an observer sees of a State as lines for the terminal.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "api/view/drawing.h"
#include "api/view/observed_state.h"
#include "runtime/program/words.h"

namespace cardwright::api::detail {

namespace {

constexpr Int kMostShown = 12;   // maximum number of values shown for a variable
// Maps up to this size are shown completely; larger maps show only entries that differ from their initial values.
constexpr Int kMostOfMap = 4;
constexpr Int kFewPlaces = 4;   // areas up to this size are shown completely; larger areas omit empty parts

class Words {
 public:
  Words(const Program& program, const ObservedState& observed)
      : program_(program), observed_(observed), player_(observed.observer), drawing_(program, observed) {}

  // Returns the parts of the table: first the other players from left to right, then the common zones, and last the
  // player's own zones. The contents of a board appear only on the board.
  std::vector<TablePart> parts() {
    std::vector<TablePart> out(1);
    for (std::size_t b = 0; b < program_.boards.size(); ++b) {
      DrawnBoard drawn = drawing_.draw(b);
      if (program_.boards.size() > 1) drawn.rows.insert(drawn.rows.begin(), "  " + program_.boards[b].name);
      out.push_back({true, std::move(drawn.rows), std::move(drawn.legend)});
    }
    const int players = static_cast<int>(program_.layout.players);
    std::vector<std::string>& around = out[0].lines;
    for (int i = 0; i < players; ++i)
      if (const int seat = player_ < 0 ? i : (player_ + 1 + i) % players; seat != player_)
        around.push_back(seat_line(seat));
    if (std::string table = things_of(-1); !table.empty()) around.push_back("table    " + table);
    for (std::string& line : before_players()) around.push_back(std::move(line));
    if (const auto& covered = drawing_.covered(); !covered.empty())
      around.push_back(fmt::format("covered  {}", few(covered)));
    if (player_ >= 0) out.push_back({false, {seat_line(player_)}, {}});
    return out;
  }

 private:
  std::string seat_line(int seat) const {
    return fmt::format("{}{}{} {}", Game::seat_name(seat), seat == player_ ? " (you)" : "      ", marks(seat),
                       things_of(seat));
  }

  // Returns true if a player's zone is shown with the common zones: a public zone for a single card, such as a trick or
  // a revealed card.
  bool is_in_middle(Int instance) const {
    const ZoneInstance& zone = program_.layout.instance[instance];
    const ZoneInfo& info = program_.zone_infos[static_cast<std::size_t>(zone.zone)];
    const Word everybody = (Word{1} << program_.layout.players) - 1;
    return info.shape == ZoneShape::slot && info.per_player && info.copies == 1 && !info.facedown &&
           (zone.visible & everybody) == everybody;
  }
  // Lists the cards in the zones of is_in_middle() by player, from the active player on: "played   c: nine of clubs, d:
  // jack of clubs".
  std::vector<std::string> before_players() const {
    std::vector<std::string> out;
    for (std::size_t z = 0; z < program_.zones.size(); ++z) {
      const ZoneSlot& zone = program_.zones[z];
      std::vector<std::string> cards;
      for (Int i = zone.first; i < zone.first + zone.owners * zone.copies; ++i) {
        if (!is_in_middle(i)) break;
        if (zone_at(i).size() > 0)
          cards.push_back(
              fmt::format("{}: {}", player_name(program_.layout.instance[i].owner), cards_words(zone_at(i).cards)));
      }
      if (!cards.empty())
        out.push_back(fmt::format("{:<8} {}", spaced(program_.zone_infos[z].name), fmt::join(cards, ", ")));
    }
    return out;
  }

  std::string marks(int seat) const {
    if (!(observed_.in >> seat & 1)) return " out;";
    return observed_.active == seat ? "*" : " ";
  }

  // Returns the variables and zones of a seat, or of the table (seat -1), as text.
  std::string things_of(int seat) const {
    std::vector<std::string> parts;
    for (std::size_t v = 0; v < program_.variables.size(); ++v)
      if (std::string text = variable(static_cast<Int>(v), seat); !text.empty()) parts.push_back(std::move(text));
    for (Int i = 0; i < program_.layout.instances; ++i) {
      if (program_.layout.instance[i].owner != seat || is_board(i) || is_empty_side(i) || is_one_of_many_empty(i) ||
          is_in_middle(i))
        continue;
      if (!is_one_of_many(i))
        parts.push_back(zone(i));
      else if (is_first_shown(i))
        parts.push_back(zones_in_a_row(i));
    }
    const auto& texts = seat < 0 ? observed_.texts : observed_.player_texts[static_cast<std::size_t>(seat)];
    parts.insert(parts.end(), texts.begin(), texts.end());
    return fmt::format("{}", fmt::join(parts, "; "));
  }

  const ObservedZone& zone_at(Int i) const { return observed_.zones[static_cast<std::size_t>(i)]; }
  bool is_one_of_many_empty(Int i) const { return is_one_of_many(i) && zone_at(i).size() == 0; }
  bool is_one_of_many(Int i) const {
    return program_.zone_infos[static_cast<std::size_t>(program_.layout.instance[i].zone)].copies > kFewPlaces;
  }
  // Returns the range of instances of a zone that has one instance per part of an area. For a player's zone, the range
  // contains only instances of the same player.
  std::pair<Int, Int> parts_of(Int i) const {
    const Int zone = program_.layout.instance[i].zone,
              copies = program_.zone_infos[static_cast<std::size_t>(zone)].copies,
              first = program_.zones[static_cast<std::size_t>(zone)].first;
    const Int begin = first + (i - first) / copies * copies;
    return {begin, begin + copies};
  }
  bool is_first_shown(Int i) const {
    for (Int at = parts_of(i).first; at < i; ++at)
      if (zone_at(at).size() > 0) return false;
    return true;
  }
  // Formats the contents of the instances in parts_of() in one line: "cards 1: Gorilla, 2: Alien, 3-4: Grandma".
  std::string zones_in_a_row(Int i) const {
    const auto [begin, end] = parts_of(i);
    const ZoneInfo& info = program_.zone_infos[static_cast<std::size_t>(program_.layout.instance[i].zone)];
    const auto held = [&](Int at) {
      const std::string words = zone(at);
      return zone_at(at).size() == 0 ? "" : words.substr(words.find(": ") + 2);
    };
    std::vector<std::string> all;
    for (Int at = begin, next = begin; at < end; at = next) {
      const std::string words = held(at);
      for (next = at + 1; next < end && held(next) == words;) ++next;
      if (!words.empty())
        all.push_back(
            fmt::format("{}: {}", from_to(std::to_string(at - begin + 1), std::to_string(next - begin)), words));
    }
    return fmt::format("{}{} {}", spaced(info.name), info.facedown ? " (face down)" : "", fmt::join(all, ", "));
  }
  static std::string few(std::vector<std::string> all) {
    if (all.size() > static_cast<std::size_t>(kMostShown)) {
      const std::size_t more = all.size() - kMostShown;
      all.resize(kMostShown);
      all.push_back(fmt::format("{} more", more));
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }
  // Returns true if the board shows the contents of this zone.
  bool is_board(Int i) const {
    return std::any_of(program_.placed.begin(), program_.placed.end(),
                       [&](const PlacedInfo& p) { return p.zone == program_.layout.instance[i].zone; });
  }
  bool is_empty_side(Int i) const {
    return program_.zone_infos[static_cast<std::size_t>(program_.layout.instance[i].zone)].facedown &&
           zone_at(i).size() == 0;
  }

  ObservedValue value_at(Int v, Int index) const {
    return observed_.variables[static_cast<std::size_t>(v)].at(static_cast<std::size_t>(index));
  }
  // A single value, or an element of a list; unset beyond the end of the list. held() selects the element by its
  // position among the elements of all lists.
  struct Held {
    bool known = true;
    Int value = kUnset;
  };
  Held held(Int v, Int index) const {
    const Int list = program_.variable_infos[static_cast<std::size_t>(v)].list;
    const ObservedValue one = value_at(v, list > 0 ? index / list : index);
    if (list == 0 || !one.known) return {one.known, one.value};
    const std::vector<Int>& elements = one.sets[0].elements;
    const auto place = static_cast<std::size_t>(index % list);
    return {true, place < elements.size() ? elements[place] : kUnset};
  }

  // Formats lists that are indexed by parts of an area: "plan 1 [2, 3], 2 [4]".
  std::string lists_by_key(Int v, int seat, Int each) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const KeyInfo& key = info.keys[0];
    std::vector<std::string> all;
    for (Int k = 0; k < each / info.list; ++k) {
      const ObservedValue list = value_at(v, (info.per_player ? seat * each / info.list : 0) + k);
      std::vector<std::string> entries;
      if (!list.known) entries = {"?"};
      for (const ObservedSet& values : list.sets)
        for (const Int value : values.elements) entries.push_back(in_words(info, value));
      if (!entries.empty())
        all.push_back(fmt::format("{} [{}]", value_in_words(program_, key.kind, key.enumeration, key.first + k),
                                  fmt::join(entries, ", ")));
    }
    return all.empty() ? "" : fmt::format("{} {}", spaced(info.name), fmt::join(all, ", "));
  }

  std::string variable(Int v, int seat) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    const bool shown = observed_.variables[static_cast<std::size_t>(v)].shown;
    if (!shown || info.inner > 0 || info.per_player != (seat >= 0)) return {};
    if (info.placed >= 0) return values_of_pieces(v, seat);
    if (drawing_.shows_all(v)) return {};
    if (is_edges_between_hexagons(info) || is_set_beside_boards(info)) return elements_named(v, seat);
    if (slot.is_set)
      return info.kind == ValueKind::card_set && info.list == 0 && info.keys.empty() ? set_of_cards(v, seat) : "";
    const Int each = info.per_player ? slot.count / program_.layout.players : slot.count;
    if (each == 1 && info.keys.empty() && info.list == 0)
      if (const auto words = alone(v, std::max(seat, 0))) return *words;
    if (info.keys.size() == 1 && info.list == 0 && counts(info.keys[0])) return runs(v, seat, each);
    if (info.keys.size() == 1 && info.list > 0) return lists_by_key(v, seat, each);
    // If there are many entries, only entries that differ from their initial values are shown.
    const bool many = each > (info.keys.empty() ? kMostShown : kMostOfMap);
    std::size_t more = 0;
    std::vector<std::string> values;
    for (Int k = 0; k < each; ++k) {
      const Int index = (info.per_player ? seat * each : 0) + k;
      const auto [known, value] = held(v, index);
      if (info.keys.size() == 1 && info.keys[0].kind == ValueKind::card &&
          program_.cards[static_cast<std::size_t>(k)].kind < 0)
        continue;
      if (many && (!known || value == slot.initial)) continue;
      if (many && values.size() == static_cast<std::size_t>(kMostShown)) {
        ++more;
        continue;
      }
      // A symbol on the board identifies only variables without keys, not entries of maps or lists.
      const bool is_drawn = info.keys.empty() && info.list == 0 && drawing_.shows(v, index);
      values.push_back(!known ? "?" : value == kUnset || is_drawn ? "" : in_words(info, value));
      if (info.keys.size() == 1 && info.list == 0 && !values.back().empty()) {
        const KeyInfo& key = info.keys[0];
        values.back() =
            fmt::format("{} {}", value_in_words(program_, key.kind, key.enumeration, key.first + k), values.back());
      }
    }
    if (each > 1) std::erase(values, "");
    if (info.list > 0 && !held(v, info.per_player ? seat * each : 0).known) values = {"?"};
    if (std::all_of(values.begin(), values.end(), [](const auto& text) { return text.empty(); })) return {};
    if (more > 0) values.push_back(fmt::format("{} more", more));
    return fmt::format("{} {}", spaced(info.name), fmt::join(values, info.keys.empty() ? "," : ", "));
  }

  // Returns true if the variable is a set of edges between hexagons, which are listed by name because boards do not
  // draw them.
  bool is_edges_between_hexagons(const VariableInfo& info) const {
    return info.kind == ValueKind::cell_set && info.list == 0 && info.keys.empty() &&
           std::any_of(program_.boards.begin(), program_.boards.end(),
                       [&](const BoardInfo& b) { return b.hex && b.edge_enumeration == info.enumeration; });
  }
  // Returns true if the variable is a set of constants, card types or pieces, which no board shows.
  bool is_set_beside_boards(const VariableInfo& info) const {
    return info.kind == ValueKind::cell_set && info.list == 0 && info.keys.empty() &&
           std::none_of(program_.boards.begin(), program_.boards.end(), [&](const BoardInfo& b) {
             return info.enumeration >= 0 &&
                    (b.enumeration == info.enumeration || b.edge_enumeration == info.enumeration);
           });
  }
  std::string elements_named(Int v, int seat) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const Int index = std::max(seat, 0);
    if (!value_at(v, index).known) return spaced(info.name) + " ?";
    std::vector<std::string> names;
    for (const Int one : value_at(v, index).sets[0].elements)
      names.push_back(value_in_words(program_, element_kind(info.enumeration), info.enumeration, one));
    if (names.empty()) return "";
    return fmt::format("{} {}", spaced(info.name),
                       is_set_beside_boards(info) ? few(std::move(names)) : fmt::format("{}", fmt::join(names, ", ")));
  }

  // Formats the values of pieces that differ from their initial values: "hero faces E; hero down", "token 3: good
  // food". Positions are omitted, because the board shows them.
  std::string values_of_pieces(Int v, int seat) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    const PlacedInfo& placed = program_.placed[static_cast<std::size_t>(info.placed)];
    if (slot.is_set || info.list > 0 || v == placed.at) return {};
    if (v == placed.face) return faces(v, placed, seat);
    const Int pieces = cardwright::things_of(program_, placed), each = slot.count / pieces;
    std::vector<std::string> parts;
    for (Int index = 0; index < slot.count; ++index) {
      const auto [known, value] = held(v, index);
      const Int piece = index / each;
      if (info.per_player && (placed.each > 0 ? piece / placed.each : piece) != seat) continue;
      const bool on_board = placed.at >= 0 && held(placed.at, piece).value != kNone;
      const std::string who = placed.of_players ? spaced(placed.name)
                              : placed.each > 0 ? fmt::format("{} {}", spaced(placed.name), piece % placed.each + 1)
                                                : piece_in_words(program_, info.placed, piece);
      const std::string text = variable_in_words(program_, v, index), name = text.substr(text.find(": ") + 2);
      if (!known || value == kUnset || (v == placed.facing && !on_board) ||
          (value == slot.initial && (v != placed.facing || !placed.of_players)) ||
          (v == placed.facing && drawing_.shows(v, piece)))
        continue;
      const std::string words = in_words(info, value);
      if (v == placed.facing)
        parts.push_back(fmt::format("{} faces {}", who, words));
      else if (info.kind == ValueKind::boolean)
        parts.push_back(value != 0 ? fmt::format("{} {}", who, name) : fmt::format("{} not {}", who, name));
      else
        parts.push_back(fmt::format("{} {} {}", who, name, words));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  // Formats the faces of dice in order: "cubes 3, 5, 5", "luck 6".
  std::string faces(Int v, const PlacedInfo& placed, int seat) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const Int count = placed.each > 0 ? placed.each : cardwright::things_of(program_, placed),
              first = placed.each > 0 ? seat * count : 0;
    std::vector<Int> which;
    std::vector<std::string> all;
    for (Int index = first; index < first + count; ++index) {
      which.push_back(index);
      all.push_back(held(v, index).known ? in_words(info, held(v, index).value) : "?");
    }
    const std::string who = things_in_words(program_, info.placed, which);
    return fmt::format("{} {}", placed.each > 0 ? who.substr(0, who.rfind(" of ")) : who, fmt::join(all, ", "));
  }

  // Returns true if the variable is a count or set that begins as 0 or empty and still is, for all players.
  bool is_nothing_yet(Int v) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    if (info.secret || slot.initial != 0 ||
        (info.kind != ValueKind::integer && info.kind != ValueKind::player_set && info.kind != ValueKind::other_set))
      return false;
    return std::ranges::all_of(observed_.variables[static_cast<std::size_t>(v)].values,
                               [](Int value) { return value == 0; });
  }

  // Returns the text of a variable that is shown without its value: the name for a true condition, and an empty text
  // for a false condition, `none` or a value shown elsewhere. Returns nullopt if the value must be shown.
  std::optional<std::string> alone(Int v, Int index) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const auto [known, value] = held(v, index);
    if (!known || value == kUnset) return std::nullopt;
    if (value == kNone || drawing_.shows(v, index) || is_nothing_yet(v)) return "";
    if (info.kind != ValueKind::boolean) return std::nullopt;
    return value != 0 ? spaced(info.name) : "";
  }

  static bool counts(const KeyInfo& key) { return key.kind == ValueKind::integer || key.kind == ValueKind::part; }
  // Formats entries indexed by numbers, with consecutive equal values combined: "owner 1-4 a, 5-8 b". If there are many
  // entries, only entries that differ from their initial values are included.
  std::string runs(Int v, int seat, Int each) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const Int first = info.per_player ? seat * each : 0,
              initial = program_.variables[static_cast<std::size_t>(v)].initial;
    const auto entry = [&](Int k) -> std::string {
      const auto [known, value] = held(v, first + k);
      if (!known) return each > kMostOfMap ? "" : "?";
      return value == kUnset || (each > kMostOfMap && value == initial) ? "" : in_words(info, value);
    };
    const auto key = [&](Int k) {
      return value_in_words(program_, info.keys[0].kind, info.keys[0].enumeration, info.keys[0].first + k);
    };
    std::vector<std::string> all;
    for (Int k = 0, next = 0; k < each; k = next) {
      const std::string words = entry(k);
      for (next = k + 1; next < each && entry(next) == words;) ++next;
      if (!words.empty()) all.push_back(fmt::format("{} {}", from_to(key(k), key(next - 1)), words));
    }
    return all.empty() ? "" : fmt::format("{} {}", spaced(info.name), few(std::move(all)));
  }
  static std::string from_to(const std::string& first, const std::string& last) {
    return first == last ? first : first + "-" + last;
  }

  std::string set_of_cards(Int v, int seat) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const Int index = std::max(seat, 0);
    if (!value_at(v, index).known) return spaced(info.name) + " ?";
    const ObservedSet& cards = value_at(v, index).sets[0];
    return cards.elements.empty() && cards.unknown == 0 ? ""
                                                        : fmt::format("{} {}", spaced(info.name), cards_words(cards));
  }

  std::string in_words(const VariableInfo& info, Int value) const {
    return value == kHiddenCard ? "a card" : value_in_words(program_, info.kind, info.enumeration, value);
  }

  std::string zone(Int i) const {
    const ZoneInstance& instance = program_.layout.instance[i];
    const ZoneInfo& info = program_.zone_infos[static_cast<std::size_t>(instance.zone)];
    std::string name = spaced(info.name);
    if (info.copies > 1)
      name += fmt::format(" {}", (i - program_.zones[static_cast<std::size_t>(instance.zone)].first) % info.copies + 1);
    if (info.facedown) name += " (face down)";
    const ObservedZone& there = zone_at(i);
    const bool pile = info.shape == ZoneShape::pile;
    if (pile && (there.size() > 6 || there.cards.unknown > 0)) return pile_words(name, there);
    if (there.size() > 1 && (pile || info.shape == ZoneShape::row)) return in_order(name, there, pile);
    return fmt::format("{}: {}", name, cards_words(there.cards));
  }

  // Lists the cards of a pile from the top, or of a row from its oldest card.
  std::string in_order(const std::string& name, const ObservedZone& there, bool pile) const {
    if (there.fixed != there.size()) return fmt::format("{}: {}", name, cards_words(there.cards));
    std::vector<std::string> words(static_cast<std::size_t>(there.size()), "a card");
    for (std::size_t i = 0; i < there.from_top.size(); ++i)
      if (there.from_top[i] != kHiddenCard) words[i] = card_label(program_, there.from_top[i]);
    if (!pile) std::reverse(words.begin(), words.end());
    return fmt::format("{}{}: {}", name,
                       !pile           ? ""
                       : there.has_top ? ", from the top"
                                       : ", under the top",
                       fmt::join(words, ", "));
  }

  std::string pile_words(const std::string& name, const ObservedZone& there) const {
    std::string out = fmt::format("{}: {} card{}", name, there.size(), there.size() == 1 ? "" : "s");
    std::vector<std::string> top;
    for (const Int card : there.from_top) {
      if (card == kHiddenCard || top.size() == 3 || !there.has_top) break;
      top.push_back(card_label(program_, card));
    }
    return top.empty() ? out : fmt::format("{}, on top {}", out, fmt::join(top, ", then "));
  }

  std::string cards_words(const ObservedSet& cards) const {
    if (cards.elements.empty())
      return cards.unknown == 0 ? "-" : fmt::format("{} card{}", cards.unknown, cards.unknown == 1 ? "" : "s");
    return cards_in_words(program_, cards.elements) +
           (cards.unknown > 0 ? fmt::format(", {} unknown", cards.unknown) : "");
  }

  const Program& program_;
  const ObservedState& observed_;
  const int player_;
  Drawing drawing_;
};

// Adds the legend to the last row of a board if there is room, otherwise below the board.
void add_legend(const std::vector<std::string>& legend, std::vector<std::string>& out) {
  constexpr std::size_t kWidth = 100;
  const std::string all = fmt::format("{}", fmt::join(legend, ", "));
  if (!all.empty() && letters(out.back()) + 3 + letters(all) <= kWidth) return void(out.back() += "   " + all);
  std::string line;
  for (const std::string& one : legend) {
    if (!line.empty() && letters(line) + 3 + letters(one) > kWidth) out.push_back("  " + std::exchange(line, "") + ",");
    line += (line.empty() ? "" : ", ") + one;
  }
  if (!line.empty()) out.push_back("  " + line);
}

}   // namespace

}   // namespace cardwright::api::detail

namespace cardwright::api {

std::vector<TablePart> State::table_in_parts(int player) const {
  detail::need_player(data_->program(), player, true);
  if (player >= 0) detail::need_knowledge(*data_, "show a player's view");
  return detail::Words(data_->program(), detail::observe(*data_, player, detail::ObservedParts::table)).parts();
}
std::vector<std::string> State::table_in_words(int player) const {
  std::vector<std::string> out;
  for (const TablePart& part : table_in_parts(player)) {
    out.insert(out.end(), part.lines.begin(), part.lines.end());
    if (part.drawn) detail::add_legend(part.legend, out);
  }
  return out;
}

}   // namespace cardwright::api
