// Shows a State as a player may see it: as JSON for pages and tools, and as lines for the terminal. runtime/knowledge
// makes all decisions about visibility.
#include "api/view/view.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "api/view/drawing.h"
#include "api/game/timing.h"
#include "runtime/program/words.h"
#include "runtime/knowledge/knowledge.h"
#include "runtime/ops/zones.h"

namespace cardwright::api::detail {

namespace {

constexpr Int kMostShown = 12;   // maximum number of values of a list or map
// Maps up to this size are shown completely; larger maps show only entries that differ from their initial values.
constexpr Int kMostOfMap = 4;
constexpr Int kFewPlaces = 4;   // areas up to this size are shown completely; larger areas omit empty parts

class Words {
 public:
  Words(const StateData& state, int player)
      : state_(state), program_(state.program()), s_(state.bytes.get()), player_(player), drawing_(state, player) {}

  // Returns the parts of the table: first the other players from left to right, then the common zones, and last the
  // player's own zones. The contents of a board appear only on the board.
  std::vector<TablePart> parts() {
    std::vector<TablePart> out(1);
    for (const BoardInfo& board : program_.boards) {
      DrawnBoard drawn = drawing_.draw(board);
      if (program_.boards.size() > 1) drawn.rows.insert(drawn.rows.begin(), "  " + board.name);
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
  // Lists the cards in such zones by player, from the active player on: "played   c: nine of clubs, d: jack of clubs".
  std::vector<std::string> before_players() const {
    std::vector<std::string> out;
    for (std::size_t z = 0; z < program_.zones.size(); ++z) {
      const ZoneSlot& zone = program_.zones[z];
      std::vector<std::string> cards;
      for (Int i = zone.first; i < zone.first + zone.owners * zone.copies; ++i) {
        if (!is_in_middle(i)) break;
        const auto there = cards_in_zone(program_.layout, s_, i);
        if (!there.empty())
          cards.push_back(fmt::format("{}: {}", Game::seat_name(static_cast<int>(program_.layout.instance[i].owner)),
                                      cards_words(there)));
      }
      if (!cards.empty())
        out.push_back(fmt::format("{:<8} {}", spaced(program_.zone_infos[z].name), fmt::join(cards, ", ")));
    }
    return out;
  }

  std::string marks(int seat) const {
    if (!(players_in(program_, s_) >> seat & 1)) return " out;";
    const bool active = program_.active >= 0 && value_of_variable(program_, s_, program_.active, 0) == seat;
    return active ? "*" : " ";
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
    for (const ShownInfo& shown : program_.shown)
      if (shown.of_players == (seat >= 0))
        if (std::string text = detail::shown_text(state_, shown, seat, player_); !text.empty())
          parts.push_back(std::move(text));
    return fmt::format("{}", fmt::join(parts, "; "));
  }

  bool is_one_of_many_empty(Int i) const { return is_one_of_many(i) && cards_in_zone(program_.layout, s_, i).empty(); }
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
      if (!cards_in_zone(program_.layout, s_, at).empty()) return false;
    return true;
  }
  // Formats the contents of such instances in one line: "cards 1: Gorilla, 2: Alien, 3-4: Grandma".
  std::string zones_in_a_row(Int i) const {
    const auto [begin, end] = parts_of(i);
    const ZoneInfo& info = program_.zone_infos[static_cast<std::size_t>(program_.layout.instance[i].zone)];
    const auto held = [&](Int at) {
      const std::string words = zone(at);
      return cards_in_zone(program_.layout, s_, at).empty() ? "" : words.substr(words.find(": ") + 2);
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
           cards_in_zone(program_.layout, s_, i).empty();
  }

  // Formats lists that are indexed by parts of an area: "plan 1 [2, 3], 2 [4]".
  std::string lists_by_key(Int v, int seat, Int each) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const KeyInfo& key = info.keys[0];
    std::vector<std::string> all;
    for (Int k = 0; k < each; k += info.list) {
      const Int first = (info.per_player ? seat * each : 0) + k;
      std::vector<std::string> entries;
      for (Int at = first; at < first + info.list; ++at) {
        const Int value = value_of_variable(program_, s_, v, at);
        if (value == kUnset) break;
        entries.push_back(held_in_words(info, value));
      }
      if (info.secret && !knows_value(v, first)) entries = {"?"};
      if (!entries.empty())
        all.push_back(fmt::format("{} [{}]",
                                  value_in_words(program_, key.kind, key.enumeration, key.first + k / info.list),
                                  fmt::join(entries, ", ")));
    }
    return all.empty() ? "" : fmt::format("{} {}", spaced(info.name), fmt::join(all, ", "));
  }

  std::string variable(Int v, int seat) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    if (info.hidden || !info.rules_state || info.inner > 0 || info.per_player != (seat >= 0)) return {};
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
      const Int value = value_of_variable(program_, s_, v, index);
      if (info.keys.size() == 1 && info.keys[0].kind == ValueKind::card &&
          program_.cards[static_cast<std::size_t>(k)].kind < 0)
        continue;
      if (many && (value == slot.initial || (info.secret && !knows_value(v, index)))) continue;
      if (many && values.size() == static_cast<std::size_t>(kMostShown)) {
        ++more;
        continue;
      }
      // For other variables, the symbol on the board does not identify the entry.
      const bool is_drawn = info.keys.empty() && info.list == 0 && drawing_.shows(v, index);
      values.push_back(value == kUnset || is_drawn             ? ""
                       : info.secret && !knows_value(v, index) ? "?"
                                                               : held_in_words(info, value));
      if (info.keys.size() == 1 && info.list == 0 && !values.back().empty()) {
        const KeyInfo& key = info.keys[0];
        values.back() =
            fmt::format("{} {}", value_in_words(program_, key.kind, key.enumeration, key.first + k), values.back());
      }
    }
    if (each > 1) std::erase(values, "");
    if (info.list > 0 && info.secret && !knows_value(v, info.per_player ? seat * each : 0)) values = {"?"};
    if (std::all_of(values.begin(), values.end(), [](const auto& text) { return text.empty(); })) return {};
    if (more > 0) values.push_back(fmt::format("{} more", more));
    return fmt::format("{} {}", spaced(info.name), fmt::join(values, info.keys.empty() ? "," : ", "));
  }

  // Returns true for edges between hexagons, which are listed by name, whereas edges between squares are drawn.
  bool is_edges_between_hexagons(const VariableInfo& info) const {
    return info.kind == ValueKind::cell_set && info.list == 0 && info.keys.empty() &&
           std::any_of(program_.boards.begin(), program_.boards.end(),
                       [&](const BoardInfo& b) { return b.hex && b.edge_enumeration == info.enumeration; });
  }
  // Returns true if the variable is a set of many constants, kinds or pieces.
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
    if (info.secret && !knows_value(v, index)) return spaced(info.name) + " ?";
    std::vector<std::string> names;
    for (const Int one : elements_of_set(program_.layout, s_, program_.variables[static_cast<std::size_t>(v)], index))
      names.push_back(value_in_words(program_, element_kind(info.enumeration), info.enumeration, one));
    if (names.empty()) return "";
    return fmt::format("{} {}", spaced(info.name),
                       is_set_beside_boards(info) ? few(std::move(names)) : fmt::format("{}", fmt::join(names, ", ")));
  }

  // Formats those values of pieces that differ from their initial values: "hero faces E; hero down", "token 3: good
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
      const Int piece = index / each, value = value_of_variable(program_, s_, v, index);
      if (info.per_player && (placed.each > 0 ? piece / placed.each : piece) != seat) continue;
      const bool on_board = placed.at >= 0 && value_of_variable(program_, s_, placed.at, piece) != kNone;
      const std::string who = placed.of_players ? spaced(placed.name)
                              : placed.each > 0 ? fmt::format("{} {}", spaced(placed.name), piece % placed.each + 1)
                                                : piece_in_words(program_, info.placed, piece);
      const std::string text = variable_in_words(program_, v, index), name = text.substr(text.find(": ") + 2);
      if (value == kUnset || (info.secret && !knows_value(v, index)) || (v == placed.facing && !on_board) ||
          (value == slot.initial && (v != placed.facing || !placed.of_players)) ||
          (v == placed.facing && drawing_.shows(v, piece)))
        continue;
      const std::string words = held_in_words(info, value);
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
      all.push_back(info.secret && !knows_value(v, index) ? "?"
                                                          : value_in_words(program_, info.kind, info.enumeration,
                                                                           value_of_variable(program_, s_, v, index)));
    }
    const std::string who = things_in_words(program_, info.placed, which);
    return fmt::format("{} {}", placed.each > 0 ? who.substr(0, who.rfind(" of ")) : who, fmt::join(all, ", "));
  }

  // Returns true if a count is 0 for all players and has the initial value 0, or if a set of players is empty.
  bool is_nothing_yet(Int v) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    if (info.secret || slot.initial != 0 ||
        (info.kind != ValueKind::integer && info.kind != ValueKind::player_set && info.kind != ValueKind::other_set))
      return false;
    for (Int index = 0; index < slot.count; ++index)
      if (value_of_variable(program_, s_, v, index) != 0) return false;
    return true;
  }

  // Returns the text of a variable with a single value. A true condition is shown as its name. The result is empty for
  // false conditions and `none`.
  std::optional<std::string> alone(Int v, Int index) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const Int value = value_of_variable(program_, s_, v, index);
    if (value == kUnset || (info.secret && !knows_value(v, index))) return std::nullopt;
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
    const auto held = [&](Int k) -> std::string {
      const Int value = value_of_variable(program_, s_, v, first + k);
      if (value == kUnset || (each > kMostOfMap && value == initial)) return "";
      if (info.secret && !knows_value(v, first + k)) return each > kMostOfMap ? "" : "?";
      return held_in_words(info, value);
    };
    const auto key = [&](Int k) {
      return value_in_words(program_, info.keys[0].kind, info.keys[0].enumeration, info.keys[0].first + k);
    };
    std::vector<std::string> all;
    for (Int k = 0, next = 0; k < each; k = next) {
      const std::string words = held(k);
      for (next = k + 1; next < each && held(next) == words;) ++next;
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
    if (info.secret && !knows_value(v, index)) return spaced(info.name) + " ?";
    const std::vector<Int> cards =
        elements_of_set(program_.layout, s_, program_.variables[static_cast<std::size_t>(v)], index);
    return cards.empty() ? "" : fmt::format("{} {}", spaced(info.name), cards_words(cards));
  }

  bool knows_value(Int v, Int index) const { return knows_variable(program_, s_, player_, v, index); }
  // Returns the text of a value; a hidden card is shown as "a card".
  std::string held_in_words(const VariableInfo& info, Int value) const {
    return info.kind == ValueKind::card && value >= 0 && !knows(value)
               ? "a card"
               : value_in_words(program_, info.kind, info.enumeration, value);
  }
  bool knows(Int card) const { return knows_card(program_.layout, s_, player_, card); }

  std::string zone(Int i) const {
    const ZoneInstance& instance = program_.layout.instance[i];
    const ZoneInfo& info = program_.zone_infos[static_cast<std::size_t>(instance.zone)];
    std::string name = spaced(info.name);
    if (info.copies > 1)
      name += fmt::format(" {}", (i - program_.zones[static_cast<std::size_t>(instance.zone)].first) % info.copies + 1);
    if (info.facedown) name += " (face down)";
    const auto cards = cards_in_zone(program_.layout, s_, i);
    const bool pile = info.shape == ZoneShape::pile;
    if (pile && (cards.size() > 6 || !std::all_of(cards.begin(), cards.end(), [&](Int c) { return knows(c); })))
      return pile_words(name, i, cards.size());
    if (cards.size() > 1 && (pile || info.shape == ZoneShape::row)) return in_order(name, i, pile);
    return fmt::format("{}: {}", name, cards_words(cards));
  }

  // For a pile with two sides: returns whether the topmost card is on this side.
  bool has_the_top(Int i) const {
    const ZoneInstance& z = program_.layout.instance[i];
    if (z.other_side < 0 || !z.ordered) return true;
    const auto first = fixed_top(program_, s_, i);
    return !first.empty() && first[0] == cardwright::fixed_top(s_, program_.layout, z);
  }

  // Lists the cards of a pile from the top, or of a row from its oldest card.
  std::string in_order(const std::string& name, Int i, bool pile) const {
    std::vector<Int> cards = fixed_top(program_, s_, i);
    if (cards.size() != cards_in_zone(program_.layout, s_, i).size())
      return fmt::format("{}: {}", name, cards_words(cards_in_zone(program_.layout, s_, i)));
    if (!pile) std::reverse(cards.begin(), cards.end());
    std::vector<std::string> words;
    for (const Int card : cards) words.push_back(knows(card) ? card_label(program_, card) : "a card");
    return fmt::format("{}{}: {}", name,
                       !pile            ? ""
                       : has_the_top(i) ? ", from the top"
                                        : ", under the top",
                       fmt::join(words, ", "));
  }

  std::string pile_words(const std::string& name, Int i, std::size_t size) const {
    std::string out = fmt::format("{}: {} card{}", name, size, size == 1 ? "" : "s");
    std::vector<std::string> top;
    for (const Int card : fixed_top(program_, s_, i)) {
      if (!knows(card) || top.size() == 3 || !has_the_top(i)) break;
      top.push_back(card_label(program_, card));
    }
    return top.empty() ? out : fmt::format("{}, on top {}", out, fmt::join(top, ", then "));
  }

  std::string cards_words(const std::vector<Int>& cards) const {
    if (cards.empty()) return "-";
    std::vector<Int> known;
    for (const Int card : cards)
      if (knows(card)) known.push_back(card);
    const std::size_t unknown = cards.size() - known.size();
    if (known.empty()) return fmt::format("{} card{}", unknown, unknown == 1 ? "" : "s");
    return cards_in_words(program_, known) + (unknown ? fmt::format(", {} unknown", unknown) : "");
  }

  const StateData& state_;
  const Program& program_;
  const Byte* s_;
  int player_;
  Drawing drawing_;
};

// Describes the timers of the open race, and the time of its end. The clock, timers and busy players are public; begun
// actions are not.
class Running {
 public:
  Running(const StateData& state, Int now)
      : program_(state.program()), race_(*program_.race), s_(state.bytes.get()), now_(now), clock_(clock_of(state)) {}

  std::vector<std::string> words() const {
    std::vector<std::string> out;
    if (clock_.paused_until != kNone && clock_.paused_until > now_)
      out.push_back("continues in " + left(clock_.paused_until));
    for (std::size_t i = 0; i < race_.timers.size(); ++i) add_timer(race_.timers[i], race_.timer_labels[i], out);
    for (int seat = 0; seat < program_.layout.players; ++seat) add_busy(seat, out);
    for (std::size_t i = 0; i < afters().size(); ++i) add_after(i, out);
    for (const WindowFieldInfo& field : race_.windows_fields[window()])
      if (const Int held = value(field.variable); held != kNone)
        out.push_back(
            fmt::format("{} {}", spaced(field.name), value_in_words(program_, field.kind, field.enumeration, held)));
    return out;
  }

 private:
  Int value(Int variable, Int index = 0) const { return value_of_variable(program_, s_, variable, index); }
  std::size_t window() const { return static_cast<std::size_t>(value(race_.open) - 1); }
  const std::vector<AfterInfo>& afters() const { return race_.windows_afters[window()]; }
  std::string left(Int until) const { return fmt::format("{:.1f} s", double(std::max<Int>(0, until - now_)) / 1e6); }

  void add_timer(Int timer, const std::string& label, std::vector<std::string>& out) const {
    const Int count = program_.variables[static_cast<std::size_t>(timer)].count;
    for (Int i = 0; i < count; ++i)
      if (const Int at = value(timer, i); at != kNone)
        out.push_back(
            fmt::format("{}{} {}", label, count > 1 ? " of " + Game::seat_name(static_cast<int>(i)) : "", left(at)));
  }

  // Adds a text for a player who cannot begin any action, or cannot begin some actions. During a pause, no player can
  // begin an action.
  void add_busy(int seat, std::vector<std::string>& out) const {
    const Int begin = std::max(now_, clock_.paused_until), free = value(race_.free, seat),
              groups = static_cast<Int>(race_.groups.size());
    if (!(players_in(program_, s_) >> seat & 1)) return;
    if (free > begin) out.push_back(fmt::format("{} busy {}", Game::seat_name(seat), left(free)));
    for (Int group = 0; group < groups; ++group)
      if (const Int at = value(race_.blocked, seat * groups + group); at > std::max(begin, free))
        out.push_back(fmt::format("{} can't {} {}", Game::seat_name(seat), actions_of(group), left(at)));
  }
  std::string actions_of(Int group) const {
    std::vector<std::string> names;
    for (const Int action : race_.groups[static_cast<std::size_t>(group)])
      names.push_back(option_name(program_, program_.actions[static_cast<std::size_t>(action)].base));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void add_after(std::size_t i, std::vector<std::string>& out) const {
    const Int at = value(race_.afters, static_cast<Int>(i));
    if (at == kNone) return;
    out.push_back(fmt::format("{}in {}{}", afters()[i].quiet ? "if nothing happens " : "", left(at),
                              afters()[i].words.empty() ? " the game continues" : ": " + afters()[i].words));
  }

  const Program& program_;
  const RaceInfo& race_;
  const Byte* s_;
  Int now_;
  Clock clock_;
};

}   // namespace

std::vector<std::string> running_words(const StateData& state, Int now) {
  return clock_of(state).open ? Running(state, now).words() : std::vector<std::string>{};
}

namespace {

nlohmann::json shown_json(const StateData& state, const BoardShows& shows, Int value) {
  if (shows.kind == ValueKind::boolean) return value != 0;
  if (shows.kind == ValueKind::enumeration || shows.kind == ValueKind::player)
    return value_in_words(state.program(), shows.kind, shows.enumeration, value);
  return value;
}

// Returns the values that each board shows on its cells, for observers who may see them; null if they cannot be
// computed, or there are none.
nlohmann::json cells_json(const StateData& state, const BoardInfo& board) {
  std::optional<Failure> failure;
  nlohmann::json cells = nlohmann::json::array();
  for (const std::optional<Int>& value :
       values_shown(state, *board.shows, static_cast<std::size_t>(board.width * board.height), failure))
    cells.push_back(!value || *value == kNone ? nlohmann::json() : shown_json(state, *board.shows, *value));
  return {{"text", board.shows->text}, {"cells", cells}};
}

// Returns the values that each board shows on its edges.
nlohmann::json edges_json(const StateData& state, const BoardInfo& board) {
  std::optional<Failure> failure;
  nlohmann::json edges = nlohmann::json::object();
  const auto values = values_shown(state, *board.edges_show, board.edges.size(), failure);
  for (std::size_t edge = 0; edge < values.size(); ++edge)
    if (values[edge] && *values[edge] != kNone && (*values[edge] != 0 || board.edges_show->kind == ValueKind::player))
      edges[value_in_words(state.program(), ValueKind::enumeration, board.edge_enumeration, static_cast<Int>(edge))] =
          shown_json(state, *board.edges_show, *values[edge]);
  return {{"text", board.edges_show->text}, {"edges", edges}};
}

std::string with_boards(const StateData& state, int player, nlohmann::json view) {
  const std::vector<BoardInfo>& boards = state.program().boards;
  for (std::size_t b = 0; b < boards.size(); ++b) {
    const auto is_seen = [&](const std::optional<BoardShows>& shows) {
      return shows && (player < 0 || !shows->secret);
    };
    if (is_seen(boards[b].shows)) view["boards"][b]["shows"] = cells_json(state, boards[b]);
    if (is_seen(boards[b].edges_show)) view["boards"][b]["shows_on_edges"] = edges_json(state, boards[b]);
  }
  return view.dump();
}

}   // namespace

std::string view_json(const StateData& state, int player) {
  Pending pending;
  std::vector<std::string> words;
  StateData scratch(state);   // listing options changes caches, and the State must stay constant
  if (!state.over) {
    const SiteInfo& site = state.program().sites[static_cast<std::size_t>(state.site)];
    ask_first(scratch, player);   // in a simultaneous decision, each player sees their own question
    if (site.clock || (site.secret && player >= 0 && player != scratch.actor))
      return with_boards(state, player, cardwright::view(state.program(), state.bytes.get(), player, {}));
    list_options(scratch);
    words = words_of_options(scratch);
    pending = {scratch.actor, scratch.site, scratch.offers, words, prompt_in_words(scratch, player)};
  }
  return with_boards(state, player, cardwright::view(state.program(), state.bytes.get(), player, pending));
}

std::vector<TablePart> table_parts(const StateData& state, int player) { return Words(state, player).parts(); }

namespace {

// Places the legend to the right of the last row of a board if there is room, otherwise below it.
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

std::vector<std::string> table_words(const StateData& state, int player) {
  std::vector<std::string> out;
  for (const TablePart& part : table_parts(state, player)) {
    out.insert(out.end(), part.lines.begin(), part.lines.end());
    if (part.drawn) add_legend(part.legend, out);
  }
  return out;
}

}   // namespace cardwright::api::detail

namespace cardwright::api {

std::string State::view(int player) const {
  detail::need_player(data_->program(), player, true);
  if (player >= 0) detail::need_knowledge(*data_, "show a player's view");
  return detail::view_json(*data_, player);
}
std::vector<std::string> State::table_in_words(int player) const {
  detail::need_player(data_->program(), player, true);
  if (player >= 0) detail::need_knowledge(*data_, "show a player's view");
  return detail::table_words(*data_, player);
}
std::vector<TablePart> State::table_in_parts(int player) const {
  detail::need_player(data_->program(), player, true);
  if (player >= 0) detail::need_knowledge(*data_, "show a player's view");
  return detail::table_parts(*data_, player);
}
std::vector<std::string> State::running_in_words(std::int64_t time) const {
  detail::need_time(time);
  return detail::running_words(*data_, time);
}

}   // namespace cardwright::api
