// See table.h. What a player may know is asked of runtime/knowledge; nothing here decides it.
#include "api/table.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "runtime/knowledge.h"
#include "runtime/ops/zones.h"
#include "api/timing.h"
#include "runtime/words.h"

namespace cardwright::api::detail {

namespace {

constexpr Int kMostShown = 12;              // values of a list or map
constexpr Int kMostOfMap = 4;               // of a map all, and else what is not as it was at first
constexpr Int kFewPlaces = 4;               // of an area all, and else those in which something lies
constexpr const char* kShades[] = {"░", "▒", "▓", "█"};

// By cell what the board shows.
std::vector<std::optional<Int>> shown_on(const StateData& state, const BoardInfo& board, std::optional<Failure>& failure) {
  std::vector<std::vector<Int>> cells;
  for (Int cell = 0; cell < board.width * board.height; ++cell) cells.push_back({cell});
  return call_each(state, board.shows->function, cells, failure);
}

class Words {
 public:
  Words(const StateData& state, int player) : state_(state), program_(state.program()), s_(state.bytes.get()), player_(player) {}

  // The others from the left on, what lies in the middle, and last who looks. What a board shows is said nowhere else.
  std::vector<std::string> lines() {
    std::vector<std::string> boards;
    for (const BoardInfo& board : program_.boards) {
      if (program_.boards.size() > 1) boards.push_back("  " + board.name);
      append(boards, board.is_graph() ? graph_lines(board) : board_lines(board));
    }
    const int players = static_cast<int>(program_.layout.players);
    std::vector<std::string> out;
    for (int i = 0; i < players; ++i)
      if (const int seat = player_ < 0 ? i : (player_ + 1 + i) % players; seat != player_) out.push_back(seat_line(seat));
    if (std::string table = things_of(-1); !table.empty()) out.push_back("table    " + table);
    append(out, before_players());
    append(out, std::move(boards));
    if (player_ >= 0) out.push_back(seat_line(player_));
    return out;
  }

 private:
  // What lies on a board: sets of cells, and variables that name one. The letter is the player's, or the thing's if it is
  // the table's; where players have several such things, both.
  struct Layer {
    Int variable = 0, index = 0;
    std::string sign, means;
    std::vector<Int> cells = {};
    std::vector<Int> seen = {};            // its cells that nothing above it covers
    std::string kind = {};                 // of a piece or card: the sign of all such
    bool piece() const { return !kind.empty(); }
  };

  // What a piece covers, as its shape and facing have it.
  std::vector<Int> cells_of_piece(const BoardInfo& board, const PlacedInfo& placed, Int index) const {
    const Int at = value_of_variable(program_, s_, placed.at, index);
    if (at < 0) return {};
    if (placed.shape_of.empty()) return {at};
    const Int facing = placed.facings > 1 ? value_of_variable(program_, s_, placed.facing, index) : 0;
    const std::vector<Int>& shape = placed.shapes[static_cast<std::size_t>(placed.shape_of[static_cast<std::size_t>(index)] + facing)];
    std::vector<Int> cells;
    for (std::size_t i = 0; i + 1 < shape.size(); i += 2) {
      const Int x = at % board.width + shape[i] + board.width, y = at / board.width + shape[i + 1] + board.height;
      cells.push_back(y % board.height * board.width + x % board.width);
    }
    return cells;
  }
  // Each with the sign of its kind, and the letter of whose it is.
  void pieces(const BoardInfo& board, std::vector<Layer>& out) const {
    for (const PlacedInfo& placed : program_.placed) {
      if (placed.at < 0) continue;
      if (program_.variable_infos[static_cast<std::size_t>(placed.at)].enumeration != board.enumeration) continue;
      for (Int index = 0; index < program_.variables[static_cast<std::size_t>(placed.at)].count; ++index) {
        const bool card = placed.zone >= 0;
        Layer layer{placed.at, index, card ? placed.signs[static_cast<std::size_t>(index)] : placed.sign, card ? placed.labels[static_cast<std::size_t>(index)] : spaced(placed.name)};
        layer.kind = layer.sign;
        if (placed.of_players) layer.sign += Game::seat_name(static_cast<int>(index));
        if (layer.cells = cells_of_piece(board, placed, index); !layer.cells.empty()) out.push_back(std::move(layer));
      }
    }
  }

  std::vector<Layer> layers(const BoardInfo& board) {
    std::vector<Layer> out;
    pieces(board, out);
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const VariableInfo& info = program_.variable_infos[v];
      const bool on_board = info.kind == ValueKind::cell_set || info.kind == ValueKind::enumeration;
      const bool of_many = info.list > 0 && (program_.variables[v].is_set || info.inner > 0);   // lists of sets and of lists
      if (info.hidden || !info.rules_state || !on_board || of_many || is_place(static_cast<Int>(v)) || info.enumeration != board.enumeration) continue;
      const Int count = program_.variables[v].count, each = info.per_player ? count / program_.layout.players : count;
      for (Int index = 0; index < count; ++index) {
        if (info.secret && !knows_value(static_cast<Int>(v), index)) continue;
        const std::string whose = info.per_player ? Game::seat_name(static_cast<int>(index / each)) : "";
        out.push_back({static_cast<Int>(v), index, capital(whose), whose.empty() ? spaced(info.name) : fmt::format("{} of {}", spaced(info.name), whose)});
        out.back().cells = cells_of(out.back());
      }
    }
    // A thing that stands on one cell is seen above what covers several, and pieces above what only marks cells.
    constexpr std::size_t kAllCells = 5000;
    const auto depth = [&](const Layer& l) { return l.piece() ? l.cells.size() : program_.variables[static_cast<std::size_t>(l.variable)].is_set ? 2 * kAllCells : kAllCells; };
    std::stable_sort(out.begin(), out.end(), [&](const Layer& a, const Layer& b) { return depth(a) < depth(b); });
    std::set<Int> covered, of_players;
    for (Layer& layer : out) {
      for (const Int cell : layer.cells)
        if (covered.insert(cell).second) layer.seen.push_back(cell);
      if (!layer.piece() && !layer.sign.empty() && !layer.seen.empty()) of_players.insert(layer.variable);
    }
    std::erase_if(out, [](const Layer& l) { return l.seen.empty(); });
    for (Layer& layer : out)
      if (!layer.piece() && (layer.sign.empty() || of_players.size() > 1)) layer.sign += program_.variable_infos[static_cast<std::size_t>(layer.variable)].name.substr(0, 1);
    for (const Layer& layer : out)
      if (std::all_of(out.begin(), out.end(), [&](const Layer& other) { return &other == &layer || other.sign != layer.sign; })) drawn_.emplace(layer.variable, layer.index);
    return out;
  }
  bool is_place(Int variable) const {
    return std::any_of(program_.placed.begin(), program_.placed.end(), [&](const PlacedInfo& p) { return p.at == variable; });
  }
  static std::string capital(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
  }
  std::vector<Int> cells_of(const Layer& layer) const {
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(layer.variable)];
    if (slot.is_set) return elements_of_set(program_.layout, s_, slot, layer.index);
    const Int cell = value_of_variable(program_, s_, layer.variable, layer.index);
    return cell < 0 ? std::vector<Int>{} : std::vector<Int>{cell};
  }

  // A cell's name on its board.
  std::string cell_name(const BoardInfo& board, Int cell) const {
    const std::string& name = program_.enums[static_cast<std::size_t>(board.enumeration)].constants[static_cast<std::size_t>(cell)];
    return program_.boards.size() > 1 ? name.substr(board.name.size() + 1) : name;
  }

  // What is seen on each cell, and what the signs mean.
  struct Seen {
    std::vector<std::string> signs;                        // by cell
    std::vector<std::string> legend;
  };
  Seen seen_on(const BoardInfo& board) {
    Seen seen{std::vector<std::string>(static_cast<std::size_t>(board.width * board.height)), {}};
    std::set<std::string> named;
    for (const Layer& layer : layers(board)) {
      for (const Int cell : layer.seen) seen.signs[static_cast<std::size_t>(cell)] = layer.sign;
      const std::string entry = fmt::format("{}: {}", layer.piece() ? layer.kind : layer.sign, layer.means);
      if (named.insert(entry).second) seen.legend.push_back(entry);
    }
    return seen;
  }

  // What the board shows, by cell; none where it can't be worked out, nothing at all if this player is not shown it.
  std::vector<Int> values_shown(const BoardInfo& board, Seen& seen) {
    if (!board.shows || (player_ >= 0 && board.shows->secret)) return {};
    tables_shown_.insert(board.shows->variable);
    std::optional<Failure> failure;
    std::vector<Int> values;
    for (const std::optional<Int>& value : shown_on(state_, board, failure)) values.push_back(value.value_or(kNone));
    if (failure) seen.legend.push_back(fmt::format("{} can't be worked out everywhere: {}", board.shows->text, failure->text()));
    return values;
  }

  // Where nothing lies: numbers up to 9 as they are, others as shades, a constant by the letters it begins with.
  void add_shown(const BoardInfo& board, Seen& seen) {
    const std::vector<Int> values = values_shown(board, seen);
    if (values.empty()) return;
    const BoardShows& shows = *board.shows;
    const std::map<Int, std::string> signs = shows.kind == ValueKind::boolean       ? std::map<Int, std::string>{{1, kShades[1]}}
                                             : shows.kind == ValueKind::enumeration ? initials(shows, values, seen.signs)
                                                                                    : shades(values);
    for (std::size_t cell = 0; cell < values.size(); ++cell)
      if (const auto sign = signs.find(values[cell]); seen.signs[cell].empty() && sign != signs.end()) seen.signs[cell] = sign->second;
    bool digits = false;
    for (auto one = signs.begin(); one != signs.end(); ++one) {
      const auto& [value, sign] = *one;
      const auto next = std::next(one);
      if (shows.kind == ValueKind::boolean) seen.legend.push_back(fmt::format("{}: {}", sign, shows.text));
      else if (shows.kind == ValueKind::enumeration) seen.legend.push_back(fmt::format("{}: {}", sign, value_in_words(program_, shows.kind, shows.enumeration, value)));
      else if (sign == std::to_string(value)) digits = true;
      else if (next == signs.end() || next->second != sign) seen.legend.push_back(fmt::format("{}: {} up to {}", sign, shows.text, value));
    }
    if (digits) seen.legend.push_back(fmt::format("numbers: {}", shows.text));
  }
  // By value; 0 is drawn as any empty cell. The shades are quarters of the greatest value there is.
  static std::map<Int, std::string> shades(const std::vector<Int>& values) {
    std::set<Int> all(values.begin(), values.end());
    all.erase(kNone);
    all.erase(0);
    std::map<Int, std::string> out;
    if (all.empty()) return out;
    const Int most = *all.rbegin();
    const bool digits = *all.begin() > 0 && most <= 9;
    for (const Int value : all) {
      if (digits) out[value] = std::to_string(value);
      else out[value] = value < 0 ? "-" : kShades[static_cast<std::size_t>(4 * ((static_cast<double>(value) - 1) / static_cast<double>(most)))];
    }
    return out;
  }
  // As few letters as tell the constants that are on the board apart, and from what else is drawn there.
  std::map<Int, std::string> initials(const BoardShows& shows, const std::vector<Int>& values, const std::vector<std::string>& taken) const {
    std::map<Int, std::string> out;
    for (const Int value : values)
      if (value != kNone) out[value] = "";
    const auto& names = program_.enums[static_cast<std::size_t>(shows.enumeration)].constants;
    for (auto& [value, sign] : out)
      for (std::size_t n = 1; n <= names[static_cast<std::size_t>(value)].size(); ++n) {
        sign = names[static_cast<std::size_t>(value)].substr(0, n);
        const bool is_another = std::any_of(out.begin(), out.end(), [&, v = value](const auto& other) { return other.first != v && names[static_cast<std::size_t>(other.first)].starts_with(sign); });
        if (!is_another && std::find(taken.begin(), taken.end(), sign) == taken.end()) break;
      }
    return out;
  }

  // A point on which nothing lies is drawn by its name. Of the lines those that run along a row or column.
  std::vector<std::string> graph_lines(const BoardInfo& board) {
    Seen seen = seen_on(board);
    const std::vector<Int> values = values_shown(board, seen);
    auto& [signs, legend] = seen;
    if (!values.empty()) legend.push_back(fmt::format("=: {}", board.shows->text));
    std::size_t width = 1, high = 0, wide = 0;
    for (std::size_t point = 0; point < signs.size(); ++point) {
      if (signs[point].empty()) {
        signs[point] = cell_name(board, static_cast<Int>(point));
        if (!values.empty() && values[point] != kNone) signs[point] += "=" + value_in_words(program_, board.shows->kind, board.shows->enumeration, values[point]);
      }
      width = std::max(width, signs[point].size());
      wide = std::max(wide, static_cast<std::size_t>(board.places[point].first));
      high = std::max(high, static_cast<std::size_t>(board.places[point].second));
    }
    std::vector<std::string> out(high + 1, std::string((wide + 1) * (width + 1), ' '));
    const auto row = [&](Int y) -> std::string& { return out[high - static_cast<std::size_t>(y)]; };
    const auto column = [&](Int x) { return static_cast<std::size_t>(x) * (width + 1); };
    for (const auto& [from, to] : board.lines) {
      const auto [a, b] = std::minmax(board.places[static_cast<std::size_t>(from)], board.places[static_cast<std::size_t>(to)]);
      for (std::size_t x = column(a.first); a.second == b.second && x < column(b.first); ++x) row(a.second)[x] = '-';
      for (Int y = a.second + 1; a.first == b.first && y < b.second; ++y) row(y)[column(a.first)] = '|';
    }
    for (std::size_t point = 0; point < signs.size(); ++point) row(board.places[point].second).replace(column(board.places[point].first), signs[point].size(), signs[point]);
    for (std::string& line : out) line = "  " + line.erase(line.find_last_not_of(' ') + 1);
    add_legend("", legend, out);
    return out;
  }

  std::vector<std::string> board_lines(const BoardInfo& board) {
    Seen seen = seen_on(board);
    add_shown(board, seen);
    auto& [signs, legend] = seen;
    const Walls walls = walls_on(board, legend);
    std::size_t width = 1;
    for (const std::string& sign : signs) width = std::max(width, letters(sign));
    if (board.hex) width |= 1;                               // half a cell and the blank before it is a whole number of columns
    const std::size_t margin = std::to_string(board.height).size();
    const auto indent = [&](Int y) { return std::string(board.hex ? static_cast<std::size_t>(y) * ((width + 1) / 2) : 0, ' '); };
    const auto cell = [&](Int x, Int y) { return static_cast<std::size_t>(y * board.width + x); };
    std::vector<std::string> out;
    const auto between = [&](const std::vector<bool>& row) {      // a line only where a wall stands
      if (std::find(row.begin(), row.end(), true) == row.end()) return;
      std::string line(margin + 3, ' ');
      for (const bool wall : row) line += " " + std::string(width, wall ? '-' : ' ');
      out.push_back(line.erase(line.find_last_not_of(' ') + 1));
    };
    for (Int y = board.height; y-- > 0;) {
      if (!walls.empty()) between(walls.above[static_cast<std::size_t>(y + 1)]);
      std::string line = fmt::format("  {:>{}} ", y + 1, margin) + indent(y);
      for (Int x = 0; x < board.width; ++x) {
        const std::string& sign = signs[cell(x, y)];
        line += fmt::format("{}{:<{}}", !walls.empty() && walls.left[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] ? '|' : ' ', sign.empty() ? "." : sign, width);
      }
      if (!walls.empty() && walls.left[static_cast<std::size_t>(y)].back()) line += '|';
      out.push_back(line);
    }
    if (!walls.empty()) between(walls.above[0]);
    add_columns(board, margin, width, legend, out);
    return out;
  }
  // The letters below it; those of aa, ab … one below the other where the cells are narrower.
  void add_columns(const BoardInfo& board, std::size_t margin, std::size_t width, const std::vector<std::string>& legend, std::vector<std::string>& out) const {
    const auto column = [&](Int x) { return cell_name(board, x).substr(0, cell_name(board, x).size() - 1); };   // a1
    const std::size_t longest = column(board.width - 1).size(), lines = longest <= width ? 1 : longest;
    for (std::size_t line = 0; line < lines; ++line) {
      std::string foot = fmt::format("  {:>{}} ", "", margin);
      for (Int x = 0; x < board.width; ++x) {
        const std::string name = column(x);
        foot += fmt::format(" {:<{}}", lines == 1 ? name : line < name.size() ? name.substr(line, 1) : "", width);
      }
      if (line + 1 == lines) add_legend(foot, legend, out);
      else out.push_back(foot);
    }
  }
  // Beside the letters if there is room.
  static void add_legend(const std::string& foot, const std::vector<std::string>& legend, std::vector<std::string>& out) {
    constexpr std::size_t kWidth = 100;
    const std::string all = fmt::format("{}", fmt::join(legend, ", "));
    if (!foot.empty() && !all.empty() && letters(foot) + 3 + letters(all) <= kWidth) return out.push_back(foot + "   " + all);
    if (!foot.empty()) out.push_back(foot);
    std::string line;
    for (const std::string& one : legend) {
      if (!line.empty() && letters(line) + 3 + letters(one) > kWidth) out.push_back("  " + std::exchange(line, "") + ",");
      line += (line.empty() ? "" : ", ") + one;
    }
    if (!line.empty()) out.push_back("  " + line);
  }
  // Columns that a text takes: it may hold shades.
  static std::size_t letters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  }

  // Edges that a variable names, drawn between the cells of a board of squares: by row and column, with those at the rim.
  struct Walls {
    std::vector<std::vector<bool>> left, above;            // above[y]: below row y
    bool empty() const { return left.empty(); }
  };
  Walls walls_on(const BoardInfo& board, std::vector<std::string>& legend) {
    Walls walls;
    if (board.hex) return walls;
    std::vector<std::string> names;
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      if (!names_edges(board, v)) continue;
      bool any = false;
      for (Int index = 0; index < program_.variables[v].count; ++index) {
        if (program_.variable_infos[v].secret && !knows_value(static_cast<Int>(v), index)) continue;
        const Layer layer{static_cast<Int>(v), index, "", ""};
        for (const Int edge : edges_of(layer)) any = true, put(board, edge, walls);
      }
      const VariableInfo& info = program_.variable_infos[v];
      if (any) names.push_back(spaced(is_place(static_cast<Int>(v)) ? program_.placed[static_cast<std::size_t>(info.placed)].name : info.name));
    }
    if (!names.empty()) legend.push_back(fmt::format("| and -: {}", fmt::join(names, ", ")));
    return walls;
  }
  // Where a piece lies, all that it covers.
  std::vector<Int> edges_of(const Layer& layer) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(layer.variable)];
    const PlacedInfo* const placed = is_place(layer.variable) ? &program_.placed[static_cast<std::size_t>(info.placed)] : nullptr;
    const std::vector<Int> own = cells_of(layer);
    if (!placed || placed->edges.empty() || own.empty()) return own;
    return placed->edges[static_cast<std::size_t>(placed->shape_of[static_cast<std::size_t>(layer.index)])][static_cast<std::size_t>(own[0])];
  }
  bool names_edges(const BoardInfo& board, std::size_t v) const {
    const VariableInfo& info = program_.variable_infos[v];
    return !info.hidden && info.rules_state && info.inner == 0 && info.list == 0 && info.enumeration == board.edge_enumeration && (info.kind == ValueKind::cell_set || info.kind == ValueKind::enumeration);
  }
  static void put(const BoardInfo& board, Int edge, Walls& walls) {
    const auto width = static_cast<std::size_t>(board.width), height = static_cast<std::size_t>(board.height);
    if (walls.empty()) walls = {std::vector(height, std::vector<bool>(width + 1)), std::vector(height + 1, std::vector<bool>(width))};
    const auto [cell, way] = board.edges[static_cast<std::size_t>(edge)];
    const auto x = static_cast<std::size_t>(cell % board.width), y = static_cast<std::size_t>(cell / board.width);
    switch (way) {                                         // N NE E SE S SW W NW
      case 0: walls.above[y + 1][x] = true; break;
      case 2: walls.left[y][x + 1] = true; break;
      case 4: walls.above[y][x] = true; break;
      default: walls.left[y][x] = true; break;
    }
  }
  static void append(std::vector<std::string>& out, std::vector<std::string> more) { std::move(more.begin(), more.end(), std::back_inserter(out)); }

  std::string seat_line(int seat) const { return fmt::format("{}{}{} {}", Game::seat_name(seat), seat == player_ ? " (you)" : "      ", marks(seat), things_of(seat)); }

  // A slot that each player has in front of them, where all see it, is a place in the middle: a trick, a card that is shown.
  bool lies_in_middle(Int instance) const {
    const ZoneInstance& zone = program_.layout.instance[instance];
    const ZoneInfo& info = program_.zone_infos[static_cast<std::size_t>(zone.zone)];
    const Word everybody = (Word{1} << program_.layout.players) - 1;
    return info.shape == ZoneShape::slot && info.per_player && info.copies == 1 && !info.facedown && (zone.visible & everybody) == everybody;
  }
  // "played   c: nine of clubs, d: jack of clubs", from the one whose turn it is on.
  std::vector<std::string> before_players() const {
    std::vector<std::string> out;
    for (std::size_t z = 0; z < program_.zones.size(); ++z) {
      const ZoneSlot& zone = program_.zones[z];
      std::vector<std::string> cards;
      for (Int i = zone.first; i < zone.first + zone.owners * zone.copies; ++i) {
        if (!lies_in_middle(i)) break;
        const auto there = cards_in_zone(program_.layout, s_, i);
        if (!there.empty()) cards.push_back(fmt::format("{}: {}", Game::seat_name(static_cast<int>(program_.layout.instance[i].owner)), cards_words(there)));
      }
      if (!cards.empty()) out.push_back(fmt::format("{:<8} {}", spaced(program_.zone_infos[z].name), fmt::join(cards, ", ")));
    }
    return out;
  }

  std::string marks(int seat) const {
    if (!(players_in(program_, s_) >> seat & 1)) return " out;";
    const bool active = program_.active >= 0 && value_of_variable(program_, s_, program_.active, 0) == seat;
    return active ? "*" : " ";
  }

  // Variables and zones of a seat, or of the table (-1).
  std::string things_of(int seat) const {
    std::vector<std::string> parts;
    for (std::size_t v = 0; v < program_.variables.size(); ++v)
      if (std::string text = variable(static_cast<Int>(v), seat); !text.empty()) parts.push_back(std::move(text));
    for (Int i = 0; i < program_.layout.instances; ++i) {
      if (program_.layout.instance[i].owner != seat || is_board(i) || is_empty_side(i) || is_one_of_many_empty(i) || lies_in_middle(i)) continue;
      if (!is_one_of_many(i)) parts.push_back(zone(i));
      else if (is_first_shown(i)) parts.push_back(zones_in_a_row(i));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
  }

  bool is_one_of_many_empty(Int i) const {
    return is_one_of_many(i) && cards_in_zone(program_.layout, s_, i).empty();
  }
  bool is_one_of_many(Int i) const { return program_.zone_infos[static_cast<std::size_t>(program_.layout.instance[i].zone)].copies > kFewPlaces; }
  // The instances of a zone of which each part of an area has one; of players those of the same player.
  std::pair<Int, Int> parts_of(Int i) const {
    const Int zone = program_.layout.instance[i].zone, copies = program_.zone_infos[static_cast<std::size_t>(zone)].copies, first = program_.zones[static_cast<std::size_t>(zone)].first;
    const Int begin = first + (i - first) / copies * copies;
    return {begin, begin + copies};
  }
  bool is_first_shown(Int i) const {
    for (Int at = parts_of(i).first; at < i; ++at)
      if (!cards_in_zone(program_.layout, s_, at).empty()) return false;
    return true;
  }
  // "cards 1: Gorilla, 2: Alien, 3-4: Grandma"
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
      if (!words.empty()) all.push_back(fmt::format("{}: {}", from_to(std::to_string(at - begin + 1), std::to_string(next - begin)), words));
    }
    return fmt::format("{}{} {}", spaced(info.name), info.facedown ? " (face down)" : "", fmt::join(all, ", "));
  }
  // What lies on a board is drawn there.
  bool is_board(Int i) const {
    return std::any_of(program_.placed.begin(), program_.placed.end(), [&](const PlacedInfo& p) { return p.zone == program_.layout.instance[i].zone; });
  }
  bool is_empty_side(Int i) const {
    return program_.zone_infos[static_cast<std::size_t>(program_.layout.instance[i].zone)].facedown && cards_in_zone(program_.layout, s_, i).empty();
  }

  std::string variable(Int v, int seat) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const VariableSlot& slot = program_.variables[static_cast<std::size_t>(v)];
    if (info.hidden || !info.rules_state || info.inner > 0 || info.per_player != (seat >= 0)) return {};
    if (info.placed >= 0) return values_of_pieces(v, seat);
    if (tables_shown_.count(v)) return {};
    if (is_edges_between_hexagons(info)) return edges_named(v, seat);
    if (slot.is_set) return info.kind == ValueKind::card_set && info.list == 0 && info.keys.empty() ? set_of_cards(v, seat) : "";
    const Int each = info.per_player ? slot.count / program_.layout.players : slot.count;
    if (each == 1 && info.keys.empty() && info.list == 0)
      if (const auto words = alone(v, std::max(seat, 0))) return *words;
    if (info.keys.size() == 1 && info.list == 0 && counts(info.keys[0])) return runs(v, seat, each);
    const bool many = each > (info.keys.empty() ? kMostShown : kMostOfMap);   // only what is not as it was at first
    std::size_t more = 0;
    std::vector<std::string> values;
    for (Int k = 0; k < each; ++k) {
      const Int index = (info.per_player ? seat * each : 0) + k;
      const Int value = value_of_variable(program_, s_, v, index);
      if (info.keys.size() == 1 && info.keys[0].kind == ValueKind::card && program_.cards[static_cast<std::size_t>(k)].kind < 0) continue;
      if (many && (value == slot.initial || (info.secret && !knows_value(v, index)))) continue;
      if (many && values.size() == static_cast<std::size_t>(kMostShown)) {
        ++more;
        continue;
      }
      const bool is_drawn = info.keys.empty() && info.list == 0 && drawn_.count({v, index});   // else the sign does not say which entry it is
      values.push_back(value == kUnset || is_drawn                 ? ""
                       : info.secret && !knows_value(v, index) ? "?"
                       : info.kind == ValueKind::card && value >= 0 && !knows(value) ? "a card"
                                                                : value_in_words(program_, info.kind, info.enumeration, value));
      if (info.keys.size() == 1 && info.list == 0 && !values.back().empty()) {
        const KeyInfo& key = info.keys[0];
        values.back() = fmt::format("{} {}", value_in_words(program_, key.kind, key.enumeration, key.first + k), values.back());
      }
    }
    if (each > 1) std::erase(values, "");
    if (info.list > 0 && info.secret && !knows_value(v, info.per_player ? seat * each : 0)) values = {"?"};
    if (std::all_of(values.begin(), values.end(), [](const auto& text) { return text.empty(); })) return {};
    if (more > 0) values.push_back(fmt::format("{} more", more));
    return fmt::format("{} {}", spaced(info.name), fmt::join(values, info.keys.empty() ? "," : ", "));
  }

  // Edges are drawn between squares; those between hexagons are named.
  bool is_edges_between_hexagons(const VariableInfo& info) const {
    return info.kind == ValueKind::cell_set && info.list == 0 && info.keys.empty() &&
           std::any_of(program_.boards.begin(), program_.boards.end(), [&](const BoardInfo& b) { return b.hex && b.edge_enumeration == info.enumeration; });
  }
  std::string edges_named(Int v, int seat) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const Int index = std::max(seat, 0);
    if (info.secret && !knows_value(v, index)) return spaced(info.name) + " ?";
    std::vector<std::string> names;
    for (const Int edge : elements_of_set(program_.layout, s_, program_.variables[static_cast<std::size_t>(v)], index))
      names.push_back(program_.enums[static_cast<std::size_t>(info.enumeration)].constants[static_cast<std::size_t>(edge)]);
    return names.empty() ? "" : fmt::format("{} {}", spaced(info.name), fmt::join(names, ", "));
  }

  // "hero faces E; hero down", "token 3: good food": what is not as it was at first. Where they are the board shows.
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
      const std::string who = placed.of_players ? spaced(placed.name) : placed.each > 0 ? fmt::format("{} {}", spaced(placed.name), piece % placed.each + 1) : piece_in_words(program_, info.placed, piece);
      const std::string said = variable_in_words(program_, v, index), name = said.substr(said.find(": ") + 2);
      if (value == kUnset || (info.secret && !knows_value(v, index)) || (v == placed.facing && !on_board) || (value == slot.initial && (v != placed.facing || !placed.of_players))) continue;
      const std::string words = value_in_words(program_, info.kind, info.enumeration, value);
      if (v == placed.facing) parts.push_back(fmt::format("{} faces {}", who, words));
      else if (info.kind == ValueKind::boolean) parts.push_back(value != 0 ? fmt::format("{} {}", who, name) : fmt::format("{} not {}", who, name));
      else parts.push_back(fmt::format("{} {} {}", who, name, words));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  // "cubes 3, 5, 5", "luck 6": what dice show, one after the other.
  std::string faces(Int v, const PlacedInfo& placed, int seat) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const Int count = placed.each > 0 ? placed.each : cardwright::things_of(program_, placed), first = placed.each > 0 ? seat * count : 0;
    std::vector<Int> which;
    std::vector<std::string> all;
    for (Int index = first; index < first + count; ++index) {
      which.push_back(index);
      all.push_back(info.secret && !knows_value(v, index) ? "?" : value_in_words(program_, info.kind, info.enumeration, value_of_variable(program_, s_, v, index)));
    }
    const std::string who = things_in_words(program_, info.placed, which);
    return fmt::format("{} {}", placed.each > 0 ? who.substr(0, who.rfind(" of ")) : who, fmt::join(all, ", "));
  }

  // What is so is said by its name; what is not so, and what is none, not at all.
  std::optional<std::string> alone(Int v, Int index) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const Int value = value_of_variable(program_, s_, v, index);
    if (value == kUnset || (info.secret && !knows_value(v, index))) return std::nullopt;
    if (value == kNone || drawn_.count({v, index})) return "";
    if (info.kind != ValueKind::boolean) return std::nullopt;
    return value != 0 ? spaced(info.name) : "";
  }

  static bool counts(const KeyInfo& key) { return key.kind == ValueKind::integer || key.kind == ValueKind::part; }
  // "owner 1-4 a, 5-8 b": entries of numbers, those together that follow each other and hold the same; of many only what is not as it was at first.
  std::string runs(Int v, int seat, Int each) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const Int first = info.per_player ? seat * each : 0, initial = program_.variables[static_cast<std::size_t>(v)].initial;
    const auto held = [&](Int k) -> std::string {
      const Int value = value_of_variable(program_, s_, v, first + k);
      if (value == kUnset || (each > kMostOfMap && value == initial)) return "";
      if (info.secret && !knows_value(v, first + k)) return each > kMostOfMap ? "" : "?";
      if (info.kind == ValueKind::card && value >= 0 && !knows(value)) return "a card";
      return value_in_words(program_, info.kind, info.enumeration, value);
    };
    const auto key = [&](Int k) { return value_in_words(program_, info.keys[0].kind, info.keys[0].enumeration, info.keys[0].first + k); };
    std::vector<std::string> all;
    for (Int k = 0, next = 0; k < each; k = next) {
      const std::string words = held(k);
      for (next = k + 1; next < each && held(next) == words;) ++next;
      if (!words.empty()) all.push_back(fmt::format("{} {}", from_to(key(k), key(next - 1)), words));
    }
    if (all.size() > static_cast<std::size_t>(kMostShown)) {
      const std::size_t more = all.size() - kMostShown;
      all.resize(kMostShown);
      all.push_back(fmt::format("{} more", more));
    }
    return all.empty() ? "" : fmt::format("{} {}", spaced(info.name), fmt::join(all, ", "));
  }
  static std::string from_to(const std::string& first, const std::string& last) { return first == last ? first : first + "-" + last; }

  std::string set_of_cards(Int v, int seat) const {
    const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(v)];
    const Int index = std::max(seat, 0);
    if (info.secret && !knows_value(v, index)) return spaced(info.name) + " ?";
    const std::vector<Int> cards = elements_of_set(program_.layout, s_, program_.variables[static_cast<std::size_t>(v)], index);
    return cards.empty() ? "" : fmt::format("{} {}", spaced(info.name), cards_words(cards));
  }

  bool knows_value(Int v, Int index) const { return player_ < 0 || knows_variable(program_, s_, player_, v, index); }
  bool knows(Int card) const { return knows_card(program_.layout, s_, player_, card); }

  std::string zone(Int i) const {
    const ZoneInstance& instance = program_.layout.instance[i];
    const ZoneInfo& info = program_.zone_infos[static_cast<std::size_t>(instance.zone)];
    std::string name = spaced(info.name);
    if (info.copies > 1) name += fmt::format(" {}", (i - program_.zones[static_cast<std::size_t>(instance.zone)].first) % info.copies + 1);
    if (info.facedown) name += " (face down)";
    const auto cards = cards_in_zone(program_.layout, s_, i);
    const bool pile = info.shape == ZoneShape::pile;
    if (pile && (cards.size() > 6 || !std::all_of(cards.begin(), cards.end(), [&](Int c) { return knows(c); }))) return pile_words(name, i, cards.size());
    if (cards.size() > 1 && (pile || info.shape == ZoneShape::row)) return in_order(name, i, pile);
    return fmt::format("{}: {}", name, cards_words(cards));
  }

  // Of a pile with two sides: no card that lies the other way up is its topmost.
  bool has_the_top(Int i) const {
    const ZoneInstance& z = program_.layout.instance[i];
    if (z.other_side < 0 || !z.ordered) return true;
    const auto first = fixed_top(program_, s_, i);
    return !first.empty() && first[0] == cardwright::fixed_top(s_, program_.layout, z);
  }

  // A pile from its top on, a row from the card that has lain there longest.
  std::string in_order(const std::string& name, Int i, bool pile) const {
    std::vector<Int> cards = fixed_top(program_, s_, i);
    if (cards.size() != cards_in_zone(program_.layout, s_, i).size()) return fmt::format("{}: {}", name, cards_words(cards_in_zone(program_.layout, s_, i)));
    if (!pile) std::reverse(cards.begin(), cards.end());
    std::vector<std::string> words;
    for (const Int card : cards) words.push_back(knows(card) ? card_label(program_, card) : "a card");
    return fmt::format("{}{}: {}", name, !pile ? "" : has_the_top(i) ? ", from the top" : ", under the top", fmt::join(words, ", "));
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
  std::set<std::pair<Int, Int>> drawn_;    // variables, by index, that a board shows by a sign of their own
  std::set<Int> tables_shown_;             // variables of which a board shows all
};

// What runs in the open race, and when it is over. Clock, timers and who is busy are public; what others are about to do is not.
class Running {
 public:
  Running(const StateData& state, Int now) : program_(state.program()), race_(*program_.race), s_(state.bytes.get()), now_(now), clock_(clock_of(state)) {}

  std::vector<std::string> words() const {
    std::vector<std::string> out;
    if (clock_.paused_until != kNone && clock_.paused_until > now_) out.push_back("goes on in " + left(clock_.paused_until));
    for (std::size_t i = 0; i < race_.timers.size(); ++i) add_timer(race_.timers[i], race_.timer_labels[i], out);
    for (int seat = 0; seat < program_.layout.players; ++seat) add_busy(seat, out);
    for (std::size_t i = 0; i < afters().size(); ++i) add_after(i, out);
    for (const WindowFieldInfo& field : race_.windows_fields[window()])
      if (const Int held = value(field.variable); held != kNone) out.push_back(fmt::format("{} {}", spaced(field.name), value_in_words(program_, field.kind, field.enumeration, held)));
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
        out.push_back(fmt::format("{}{} {}", label, count > 1 ? " of " + Game::seat_name(static_cast<int>(i)) : "", left(at)));
  }

  // Who can't begin anything, and who can't begin some things. In a pause nobody can.
  void add_busy(int seat, std::vector<std::string>& out) const {
    const Int begin = std::max(now_, clock_.paused_until), free = value(race_.free, seat), groups = static_cast<Int>(race_.groups.size());
    if (!(players_in(program_, s_) >> seat & 1)) return;
    if (free > begin) out.push_back(fmt::format("{} busy {}", Game::seat_name(seat), left(free)));
    for (Int group = 0; group < groups; ++group)
      if (const Int at = value(race_.blocked, seat * groups + group); at > std::max(begin, free)) out.push_back(fmt::format("{} can't {} {}", Game::seat_name(seat), actions_of(group), left(at)));
  }
  std::string actions_of(Int group) const {
    std::vector<std::string> names;
    for (const Int action : race_.groups[static_cast<std::size_t>(group)]) names.push_back(option_name(program_, program_.actions[static_cast<std::size_t>(action)].base));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void add_after(std::size_t i, std::vector<std::string>& out) const {
    const Int at = value(race_.afters, static_cast<Int>(i));
    if (at == kNone) return;
    out.push_back(fmt::format("{}in {}{}", afters()[i].quiet ? "if nothing happens " : "", left(at), afters()[i].words.empty() ? " it goes on by itself" : ": " + afters()[i].words));
  }

  const Program& program_;
  const RaceInfo& race_;
  const Byte* s_;
  Int now_;
  Clock clock_;
};

}  // namespace

std::vector<std::string> running_words(const StateData& state, Int now) {
  return clock_of(state).open ? Running(state, now).words() : std::vector<std::string>{};
}

namespace {

// What each board shows on its cells, for who may see it; null where it can't be worked out, or is none.
nlohmann::json shown_json(const StateData& state, const BoardInfo& board) {
  std::optional<Failure> failure;
  nlohmann::json cells = nlohmann::json::array();
  for (const std::optional<Int>& value : shown_on(state, board, failure)) {
    if (!value || *value == kNone) cells.push_back(nullptr);
    else if (board.shows->kind == ValueKind::boolean) cells.push_back(*value != 0);
    else if (board.shows->kind == ValueKind::enumeration) cells.push_back(value_in_words(state.program(), board.shows->kind, board.shows->enumeration, *value));
    else cells.push_back(*value);
  }
  return {{"text", board.shows->text}, {"cells", cells}};
}

std::string with_boards(const StateData& state, int player, nlohmann::json view) {
  const std::vector<BoardInfo>& boards = state.program().boards;
  for (std::size_t b = 0; b < boards.size(); ++b)
    if (boards[b].shows && (player < 0 || !boards[b].shows->secret)) view["boards"][b]["shows"] = shown_json(state, boards[b]);
  return view.dump();
}

}  // namespace

std::string view_json(const StateData& state, int player) {
  Pending pending;
  std::vector<std::string> words;
  StateData scratch(state);                          // listing fills in a cache, and the State is not ours to change
  if (!state.over) {
    const SiteInfo& site = state.program().sites[static_cast<std::size_t>(state.site)];
    ask_first(scratch, player);                      // of those asked at once everybody sees their own question
    if (site.clock || (site.secret && player >= 0 && player != scratch.actor)) return with_boards(state, player, cardwright::view(state.program(), state.bytes.get(), player, {}));
    list_options(scratch);
    words = words_of_options(scratch);
    pending = {scratch.actor, scratch.site, scratch.offers, words, prompt_in_words(scratch, player)};
  }
  return with_boards(state, player, cardwright::view(state.program(), state.bytes.get(), player, pending));
}

std::vector<std::string> table_words(const StateData& state, int player) { return Words(state, player).lines(); }

}  // namespace cardwright::api::detail
