// Draws boards as text. runtime/knowledge makes all decisions about visibility.
#include "api/view/drawing.h"

#include <algorithm>

#include <fmt/format.h>

#include "runtime/program/words.h"
#include "runtime/log.h"
#include "runtime/ops/zones.h"

namespace cardwright::api::detail {

namespace {

constexpr const char* kShades[] = {"░", "▒", "▓", "█"};
constexpr const char* kArrows[] = {"↑", "↗", "→", "↘", "↓", "↙", "←", "↖"};
constexpr Int kSpaced = 50;   // maximum row length with spaces between symbols of two letters
constexpr std::size_t kAllCells = 5000;   // larger than the number of cells of any board

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

bool has_arrow(std::string_view sign) {
  return std::any_of(std::begin(kArrows), std::end(kArrows),
                     [&](const char* arrow) { return sign.find(arrow) != std::string_view::npos; });
}

// Returns the text without its first `from` characters.
std::string_view behind(std::string_view text, std::size_t from) {
  std::size_t at = 0;
  for (; from > 0 && at < text.size(); --from) do
      ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
  return text.substr(at);
}

std::string filled(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, letters(text)), ' ');
}
std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  while (times-- > 0) out += text;
  return out;
}
std::string without_blanks_behind(std::string line) { return line.erase(line.find_last_not_of(' ') + 1); }

// Returns the shade for each value. A shade represents a quarter of the range up to the highest value; 0 is drawn as an
// empty cell.
std::map<Int, std::string> shades(const std::vector<Int>& values) {
  std::set<Int> all(values.begin(), values.end());
  all.erase(kNone);
  all.erase(0);
  std::map<Int, std::string> out;
  if (all.empty()) return out;
  const Int most = *all.rbegin();
  const bool digits = *all.begin() > 0 && most <= 9;
  for (const Int value : all) {
    if (digits)
      out[value] = std::to_string(value);
    else
      out[value] =
          value < 0
              ? "-"
              : kShades[static_cast<std::size_t>(4 * ((static_cast<double>(value) - 1) / static_cast<double>(most)))];
  }
  return out;
}

std::map<Int, std::string> letters_of_players(const std::vector<Int>& values) {
  std::map<Int, std::string> out;
  for (const Int player : values)
    if (player != kNone) out[player] = player_name(player);
  return out;
}

}   // namespace

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string shown_text(const StateData& state, const ShownInfo& shown, int seat, int observer) {
  cardwright::Log log(state.program());
  if (!call(state, shown.function, seat < 0 ? std::vector<Int>{} : std::vector<Int>{seat}, nullptr, &log)) return {};
  const auto read_by = [&](int reader) {
    const auto lines = log.lines(reader);
    return lines.empty() ? std::string() : lines[0];
  };
  const auto unknown = [](const std::string& line) { return std::count(line.begin(), line.end(), '?'); };
  const std::string all = read_by(kKnowsAll), line = state.keeps_knowledge ? read_by(observer) : all;
  return unknown(line) > unknown(all) ? std::string() : line;
}

std::vector<std::optional<Int>> values_shown(const StateData& state, const BoardShows& shows, std::size_t count,
                                             std::optional<Failure>& failure) {
  std::vector<std::vector<Int>> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back({static_cast<Int>(i)});
  return call_each(state, shows.function, all, failure);
}

Drawing::Drawing(const StateData& state, int player)
    : state_(state), program_(state.program()), s_(state.bytes.get()), player_(player) {}

bool Drawing::knows_value(Int variable, Int index) const {
  return knows_variable(program_, s_, player_, variable, index);
}

std::string Drawing::cell_name(const BoardInfo& board, Int cell) const {
  const std::string& name =
      program_.enums[static_cast<std::size_t>(board.enumeration)].constants[static_cast<std::size_t>(cell)];
  return program_.boards.size() > 1 ? name.substr(board.name.size() + 1) : name;
}

// ---- objects on cells

// Returns the cells that a piece covers, by its shape and facing.
std::vector<Int> Drawing::cells_of_piece(const BoardInfo& board, const PlacedInfo& placed, Int index) const {
  const Int at = value_of_variable(program_, s_, placed.at, index);
  if (at < 0) return {};
  if (placed.shape_of.empty()) return {at};
  const Int facing = placed.facings > 1 ? value_of_variable(program_, s_, placed.facing, index) : 0;
  const std::vector<Int>& shape =
      placed.shapes[static_cast<std::size_t>(placed.shape_of[static_cast<std::size_t>(index)] + facing)];
  std::vector<Int> cells;
  for (std::size_t i = 0; i + 1 < shape.size(); i += 2) {
    const Int x = at % board.width + shape[i] + board.width, y = at / board.width + shape[i + 1] + board.height;
    cells.push_back(y % board.height * board.width + x % board.width);
  }
  if (const auto own = std::find(cells.begin(), cells.end(), at); own != cells.end())
    std::iter_swap(cells.begin(), own);
  return cells;
}

// Sets the symbol of a piece: the symbol declared in the rules or the symbol of its kind, and the owner's letter.
void Drawing::give_sign(const PlacedInfo& placed, Int index, Layer& layer) const {
  const bool card = placed.zone >= 0;
  layer.sign = card ? placed.signs[static_cast<std::size_t>(index)] : placed.sign;
  layer.means = card ? placed.labels[static_cast<std::size_t>(index)] : spaced(placed.name);
  if (placed.drawn >= 0) {
    cardwright::Log log(program_);
    call(state_, placed.drawn, {index + 1}, nullptr, &log);
    const auto lines = log.lines(state_.keeps_knowledge ? player_ : kKnowsAll);
    layer.sign = lines.empty() ? "?" : lines[0];   // the symbol cannot be computed
    layer.shows_facing = has_arrow(layer.sign);
    if (lines.size() > 1 && !lines[1].empty())
      layer.means = lines[1].find(layer.means) != std::string::npos ? lines[1] : layer.means + " " + lines[1];
  }
  layer.kind = layer.sign;
  if (const Int each = placed.of_players ? 1 : placed.each; each > 0)
    layer.sign += Game::seat_name(static_cast<int>(index / each));
}

void Drawing::pieces(const BoardInfo& board, std::vector<Layer>& out) const {
  std::size_t place = 0;
  for (std::size_t p = 0; p < program_.placed.size(); ++p) {
    const PlacedInfo& placed = program_.placed[p];
    if (placed.at < 0) continue;   // dice
    const Int count = program_.variables[static_cast<std::size_t>(placed.at)].count;
    if (program_.variable_infos[static_cast<std::size_t>(placed.at)].enumeration == board.enumeration)
      for (Int index = 0; index < count; ++index) {
        Layer layer;
        layer.variable = placed.at;
        layer.index = index;
        if (layer.cells = cells_of_piece(board, placed, index); layer.cells.empty()) continue;
        layer.placed = static_cast<int>(p);
        give_sign(placed, index, layer);
        if (const std::size_t at = place + static_cast<std::size_t>(index); at < state_.placed.size())
          layer.when = state_.placed[at].when;
        out.push_back(std::move(layer));
      }
    place += static_cast<std::size_t>(count);
  }
}

bool Drawing::is_place(Int variable) const {
  return std::any_of(program_.placed.begin(), program_.placed.end(),
                     [&](const PlacedInfo& p) { return p.at == variable; });
}

std::vector<Int> Drawing::cells_of(const Layer& layer) const {
  const VariableSlot& slot = program_.variables[static_cast<std::size_t>(layer.variable)];
  if (slot.is_set) return elements_of_set(program_.layout, s_, slot, layer.index);
  const Int cell = value_of_variable(program_, s_, layer.variable, layer.index);
  return cell < 0 ? std::vector<Int>{} : std::vector<Int>{cell};
}

// Adds the variables that contain cells.
void Drawing::marks(const BoardInfo& board, std::vector<Layer>& out) const {
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    const VariableInfo& info = program_.variable_infos[v];
    const bool on_board = info.kind == ValueKind::cell_set || info.kind == ValueKind::enumeration;
    // This is true for lists of sets and lists of lists.
    const bool of_many = info.list > 0 && (program_.variables[v].is_set || info.inner > 0);
    if (info.hidden || !info.rules_state || !on_board || of_many || is_place(static_cast<Int>(v)) ||
        info.enumeration != board.enumeration)
      continue;
    const Int count = program_.variables[v].count, each = info.per_player ? count / program_.layout.players : count;
    for (Int index = 0; index < count; ++index) {
      if (info.secret && !knows_value(static_cast<Int>(v), index)) continue;
      const std::string whose = info.per_player ? Game::seat_name(static_cast<int>(index / each)) : "";
      out.push_back({static_cast<Int>(v), index, capital(whose),
                     whose.empty() ? spaced(info.name) : fmt::format("{} of {}", spaced(info.name), whose)});
      out.back().cells = cells_of(out.back());
    }
  }
}

// Sorts the objects in drawing order. Pieces placed later are on top; of pieces placed at the same time, the smaller
// piece is on top. Below all pieces are variables with single cells, and below these are sets.
std::vector<Drawing::Layer> Drawing::stacked(const BoardInfo& board) const {
  std::vector<Layer> out;
  pieces(board, out);
  marks(board, out);
  const auto depth = [&](const Layer& l) {
    return l.piece()                                                         ? l.cells.size()
           : program_.variables[static_cast<std::size_t>(l.variable)].is_set ? 2 * kAllCells
                                                                             : kAllCells;
  };
  std::stable_sort(out.begin(), out.end(), [&](const Layer& a, const Layer& b) {
    if (a.piece() != b.piece()) return a.piece();
    return a.when != b.when ? a.when > b.when : depth(a) < depth(b);
  });
  return out;
}

std::vector<Drawing::Layer> Drawing::layers(const BoardInfo& board) {
  std::vector<Layer> out = stacked(board);
  std::set<Int> covered, of_players;
  for (Layer& layer : out) {
    for (const Int cell : layer.cells)
      if (covered.insert(cell).second) layer.seen.push_back(cell);
    if (!layer.piece() && !layer.sign.empty() && !layer.seen.empty()) of_players.insert(layer.variable);
    if (layer.piece() && layer.seen.empty())
      covered_.push_back(fmt::format("{} at {}",
                                     program_.placed[static_cast<std::size_t>(layer.placed)].zone >= 0
                                         ? layer.means
                                         : piece_in_words(program_, layer.placed, layer.index),
                                     cell_name(board, layer.cells[0])));
  }
  std::erase_if(out, [](const Layer& l) { return l.seen.empty(); });
  for (Layer& layer : out)
    if (!layer.piece() && (layer.sign.empty() || of_players.size() > 1))
      layer.sign += program_.variable_infos[static_cast<std::size_t>(layer.variable)].name.substr(0, 1);
  for (const Layer& layer : out)
    if (std::all_of(out.begin(), out.end(),
                    [&](const Layer& other) { return &other == &layer || other.sign != layer.sign; }))
      drawn_.emplace(layer.variable, layer.index);
  add_arrows(board, out);
  return out;
}

Placement Drawing::placements(const Layer& layer) const {
  const auto v = static_cast<std::size_t>(layer.variable);
  const VariableInfo& info = program_.variable_infos[v];
  Placement out{layer.piece() ? layer.kind : "", layer.means, layer.means, layer.cells, layer.variable, layer.index};
  out.placed = layer.placed;
  if (info.placed < 0 && info.per_player)
    out.seat = static_cast<int>(layer.index / (program_.variables[v].count / program_.layout.players));
  if (!layer.piece()) return out;
  const PlacedInfo& placed = program_.placed[static_cast<std::size_t>(layer.placed)];
  if (placed.zone < 0) out.words = piece_in_words(program_, layer.placed, layer.index);
  if (placed.of_players)
    out.seat = static_cast<int>(layer.index);
  else if (placed.each > 0)
    out.seat = static_cast<int>(layer.index / placed.each);
  if (placed.facing >= 0) out.facing = value_of_variable(program_, s_, placed.facing, layer.index);
  return out;
}

std::vector<Placement> Drawing::placements_on(const BoardInfo& board) const {
  std::vector<Placement> out;
  for (const Layer& layer : stacked(board))
    if (!layer.cells.empty()) out.push_back(placements(layer));
  return out;
}

// If rows remain short, adds the facing of pieces to their symbols: always for players' pieces, and for other pieces
// only if it differs from the initial facing.
void Drawing::add_arrows(const BoardInfo& board, std::vector<Layer>& layers) const {
  if (board.hex || board.is_graph()) return;
  std::size_t width = 1;
  for (const Layer& layer : layers) width = std::max(width, letters(layer.sign));
  if (board.width * static_cast<Int>(width + 2) > kSpaced) return;
  for (Layer& layer : layers) {
    if (!layer.piece() || layer.shows_facing) continue;
    const PlacedInfo& placed = program_.placed[static_cast<std::size_t>(layer.placed)];
    if (placed.facing < 0) continue;
    const Int facing = value_of_variable(program_, s_, placed.facing, layer.index);
    if (!placed.of_players && facing == program_.variables[static_cast<std::size_t>(placed.facing)].initial) continue;
    layer.arrow =
        arrow_of(program_, program_.variable_infos[static_cast<std::size_t>(placed.facing)].enumeration, facing);
  }
}

// Returns the legend entry of an object. All pieces of a kind that differ only in owner and facing share one entry.
std::string Drawing::legend_entry(const Layer& layer) const {
  std::string sign = layer.piece() ? layer.kind : layer.sign;
  for (const char* arrow : kArrows)
    if (const std::size_t at = sign.find(arrow); at != std::string::npos)
      sign.replace(at, std::string_view(arrow).size(), "→");
  return fmt::format("{}: {}", sign, layer.means);
}

Drawing::Seen Drawing::seen_on(const BoardInfo& board) {
  const auto cells = static_cast<std::size_t>(board.width * board.height);
  Seen seen{std::vector<std::string>(cells), std::vector<std::string>(cells), {}, layers(board)};
  std::vector<const Layer*> by_kind;
  for (const Layer& layer : seen.layers) {
    for (const Int cell : layer.seen) seen.signs[static_cast<std::size_t>(cell)] = layer.sign_on(cell);
    by_kind.push_back(&layer);
  }
  std::stable_sort(by_kind.begin(), by_kind.end(), [](const Layer* a, const Layer* b) {
    return static_cast<unsigned>(a->placed) < static_cast<unsigned>(b->placed);
  });
  std::set<std::string> named;
  for (const Layer* layer : by_kind)
    if (const std::string entry = legend_entry(*layer); named.insert(entry).second) seen.legend.push_back(entry);
  return seen;
}

std::size_t Drawing::Seen::width() const {
  std::size_t width = 1;
  for (const auto* signs : {&this->signs, &ground})
    for (const std::string& sign : *signs) width = std::max(width, letters(sign));
  return width;
}

// ---- values shown on the board

// Returns the displayed values by cell or edge, with kNone for a value that cannot be computed. Empty if this player
// may not see the values.
std::vector<Int> Drawing::values_shown(const BoardShows& shows, std::size_t count, std::vector<std::string>& legend) {
  if (player_ != kKnowsAll && shows.secret) return {};
  tables_.insert(shows.variable);
  std::optional<Failure> failure;
  std::vector<Int> values;
  for (const std::optional<Int>& value : detail::values_shown(state_, shows, count, failure))
    values.push_back(value.value_or(kNone));
  if (failure) legend.push_back(fmt::format("{} cannot be computed everywhere: {}", shows.text, failure->text()));
  return values;
}

// Draws numbers up to 9 as digits, other numbers as shades, and constants by their first letters. In cells with
// objects, only shades are visible.
void Drawing::add_shown(const BoardInfo& board, Seen& seen) {
  if (!board.shows) return;
  const BoardShows& shows = *board.shows;
  const std::vector<Int> values = values_shown(shows, seen.signs.size(), seen.legend);
  if (values.empty()) return;
  const std::map<Int, std::string> signs = shows.kind == ValueKind::boolean
                                               ? std::map<Int, std::string>{{1, kShades[1]}}
                                           : shows.kind == ValueKind::enumeration ? initials(shows, values, seen.signs)
                                           : shows.kind == ValueKind::player      ? letters_of_players(values)
                                                                                  : shades(values);
  for (std::size_t cell = 0; cell < values.size(); ++cell)
    if (const auto sign = signs.find(values[cell]); sign != signs.end()) seen.ground[cell] = sign->second;
  bool digits = false;
  for (auto one = signs.begin(); one != signs.end(); ++one) {
    const auto& [value, sign] = *one;
    const auto next = std::next(one);
    if (shows.kind == ValueKind::boolean)
      seen.legend.push_back(fmt::format("{}: {}", sign, shows.text));
    else if (shows.kind == ValueKind::player)
      seen.legend.push_back(fmt::format("{}: {} of {}", sign, shows.text, sign));
    else if (shows.kind == ValueKind::enumeration)
      seen.legend.push_back(
          fmt::format("{}: {}", sign, value_in_words(program_, shows.kind, shows.enumeration, value)));
    else if (sign == std::to_string(value))
      digits = true;
    else if (next == signs.end() || next->second != sign)
      seen.legend.push_back(fmt::format("{}: {} up to {}", sign, shows.text, value));
  }
  if (digits) seen.legend.push_back(fmt::format("numbers: {}", shows.text));
}

// Returns the shortest prefixes that distinguish the constants on the board from each other and from all other symbols.
std::map<Int, std::string> Drawing::initials(const BoardShows& shows, const std::vector<Int>& values,
                                             const std::vector<std::string>& taken) const {
  std::map<Int, std::string> out;
  for (const Int value : values)
    if (value != kNone) out[value] = "";
  const auto& names = program_.enums[static_cast<std::size_t>(shows.enumeration)].constants;
  for (auto& [value, sign] : out)
    for (std::size_t n = 1; n <= names[static_cast<std::size_t>(value)].size(); ++n) {
      sign = names[static_cast<std::size_t>(value)].substr(0, n);
      const bool is_another = std::any_of(out.begin(), out.end(), [&, v = value](const auto& other) {
        return other.first != v && names[static_cast<std::size_t>(other.first)].starts_with(sign);
      });
      if (!is_another && std::find(taken.begin(), taken.end(), sign) == taken.end()) break;
    }
  return out;
}

// ---- objects on edges

bool Drawing::names_edges(const BoardInfo& board, std::size_t v) const {
  const VariableInfo& info = program_.variable_infos[v];
  return !info.hidden && info.rules_state && info.inner == 0 && info.list == 0 &&
         info.enumeration == board.edge_enumeration &&
         (info.kind == ValueKind::cell_set || info.kind == ValueKind::enumeration);
}

// Returns all edges that a piece covers.
std::vector<Int> Drawing::edges_of(const Layer& layer) const {
  const std::vector<Int> own = cells_of(layer);
  if (!is_place(layer.variable) || own.empty()) return own;
  const PlacedInfo& placed =
      program_
          .placed[static_cast<std::size_t>(program_.variable_infos[static_cast<std::size_t>(layer.variable)].placed)];
  if (placed.edges.empty()) return own;
  return placed.edges[static_cast<std::size_t>(placed.shape_of[static_cast<std::size_t>(layer.index)])]
                     [static_cast<std::size_t>(own[0])];
}

const std::string& Drawing::name_on_edges(Int variable) const {
  const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(variable)];
  return is_place(variable) ? program_.placed[static_cast<std::size_t>(info.placed)].name : info.name;
}

static void put(const BoardInfo& board, Int edge, std::vector<std::vector<bool>>& left,
                std::vector<std::vector<bool>>& above) {
  const auto [cell, way] = board.edges[static_cast<std::size_t>(edge)];
  const auto x = static_cast<std::size_t>(cell % board.width), y = static_cast<std::size_t>(cell / board.width);
  switch (way) {   // N NE E SE S SW W NW
    case 0: above[y + 1][x] = true; break;
    case 2: left[y][x + 1] = true; break;
    case 4: above[y][x] = true; break;
    default: left[y][x] = true; break;
  }
}

std::vector<Placement> Drawing::placements_on_edges(const BoardInfo& board) const {
  std::vector<Placement> out;
  for (std::size_t v = 0; v < program_.variables.size(); ++v)
    for (Int index = 0; names_edges(board, v) && index < program_.variables[v].count; ++index) {
      if (program_.variable_infos[v].secret && !knows_value(static_cast<Int>(v), index)) continue;
      Layer layer{static_cast<Int>(v), index, "", spaced(name_on_edges(static_cast<Int>(v)))};
      layer.cells = edges_of(layer);
      if (is_place(layer.variable)) layer.placed = static_cast<int>(program_.variable_infos[v].placed);
      if (!layer.cells.empty()) out.push_back(placements(layer));
    }
  return out;
}

std::vector<Int> Drawing::shown_edges(const BoardInfo& board, std::vector<std::string>& legend) {
  const std::vector<Int> values = values_shown(*board.edges_show, board.edges.size(), legend);
  std::vector<Int> shown;
  for (std::size_t edge = 0; edge < values.size(); ++edge)
    if ((values[edge] != 0 || board.edges_show->kind == ValueKind::player) && values[edge] != kNone)
      shown.push_back(static_cast<Int>(edge));
  return shown;
}

// Lists edges between hexagons by name, because they are not drawn.
void Drawing::name_shown_edges(const BoardInfo& board, std::vector<std::string>& legend) {
  if (!board.edges_show) return;
  std::vector<std::string> names;
  for (const Int edge : shown_edges(board, legend))
    names.push_back(value_in_words(program_, ValueKind::enumeration, board.edge_enumeration, edge));
  if (!names.empty()) legend.push_back(fmt::format("{}: {}", board.edges_show->text, fmt::join(names, ", ")));
}

Drawing::Walls Drawing::walls_on(const BoardInfo& board, std::vector<std::string>& legend) {
  if (board.hex) {
    name_shown_edges(board, legend);
    return {};
  }
  std::vector<Int> edges;
  std::vector<std::string> names;
  const auto take = [&](std::vector<Int> more, const std::string& name) {
    if (!more.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    edges.insert(edges.end(), more.begin(), more.end());
  };
  for (std::size_t v = 0; v < program_.variables.size(); ++v)
    for (Int index = 0; names_edges(board, v) && index < program_.variables[v].count; ++index)
      if (!program_.variable_infos[v].secret || knows_value(static_cast<Int>(v), index))
        take(edges_of({static_cast<Int>(v), index, "", ""}), spaced(name_on_edges(static_cast<Int>(v))));
  if (board.edges_show) take(shown_edges(board, legend), board.edges_show->text);
  if (edges.empty()) return {};
  const auto width = static_cast<std::size_t>(board.width), height = static_cast<std::size_t>(board.height);
  Walls walls{std::vector(height, std::vector<bool>(width + 1)), std::vector(height + 1, std::vector<bool>(width))};
  for (const Int edge : edges) put(board, edge, walls.left, walls.above);
  walls.names = std::move(names);
  return walls;
}

// ---- rows

DrawnBoard Drawing::draw(const BoardInfo& board) {
  Seen seen = seen_on(board);
  if (board.is_graph()) {
    std::vector<std::string> rows = graph_rows(board, seen);
    return {std::move(rows), std::move(seen.legend)};
  }
  add_shown(board, seen);
  const Walls walls = walls_on(board, seen.legend);
  const Window window = window_on(board, seen, walls);
  const bool dense = !board.hex && seen.width() > 1 && window.width() * static_cast<Int>(seen.width() + 1) > kSpaced;
  if (!walls.empty())
    seen.legend.push_back(fmt::format("| and {}: {}", dense ? "_" : "-", fmt::join(walls.names, ", ")));
  if (window.width() < board.width || window.high - window.low + 1 < board.height)
    seen.legend.push_back(fmt::format("{} to {} of {} x {}", cell_name(board, window.low * board.width + window.left),
                                      cell_name(board, window.high * board.width + window.right), board.width,
                                      board.height));
  note_facings(board, seen, walls, dense);
  return {dense ? dense_rows(board, seen, walls, window) : wide_rows(board, seen, walls, window),
          std::move(seen.legend)};
}

// Returns the complete board if it fits on a screen; for a larger board, the part with cells in use and a margin.
Drawing::Window Drawing::window_on(const BoardInfo& board, const Seen& seen, const Walls& walls) const {
  constexpr Int kMostWhole = 1024, kMargin = 2, kAtFirst = 4;
  if (board.width * board.height <= kMostWhole) return {0, board.width - 1, 0, board.height - 1};
  Window used{board.width, -1, board.height, -1};
  const auto take = [&](Int x, Int y) {
    used = {std::min(used.left, x), std::max(used.right, x), std::min(used.low, y), std::max(used.high, y)};
  };
  for (std::size_t cell = 0; cell < seen.signs.size(); ++cell)
    if (!seen.signs[cell].empty() || !seen.ground[cell].empty())
      take(static_cast<Int>(cell) % board.width, static_cast<Int>(cell) / board.width);
  for (std::size_t y = 0; y < walls.left.size(); ++y)
    for (std::size_t x = 0; x < walls.left[y].size(); ++x)
      if (walls.left[y][x]) take(static_cast<Int>(x), static_cast<Int>(y));
  for (std::size_t y = 0; y < walls.above.size(); ++y)
    for (std::size_t x = 0; x < walls.above[y].size(); ++x)
      if (walls.above[y][x]) take(static_cast<Int>(x), static_cast<Int>(y));
  if (used.right < 0)
    used = {board.width / 2 - kAtFirst, board.width / 2 + kAtFirst, board.height / 2 - kAtFirst,
            board.height / 2 + kAtFirst};
  return {std::max<Int>(0, used.left - kMargin), std::min(board.width - 1, used.right + kMargin),
          std::max<Int>(0, used.low - kMargin), std::min(board.height - 1, used.high + kMargin)};
}

// Records the pieces whose facing is visible. A wall can be drawn in the place of an arrow, which is then not visible.
void Drawing::note_facings(const BoardInfo& board, const Seen& seen, const Walls& walls, bool dense) {
  const auto cut = [&](const Layer& l) {
    const auto x = static_cast<std::size_t>(l.cells[0] % board.width),
               y = static_cast<std::size_t>(l.cells[0] / board.width);
    return dense && !walls.empty() && letters(l.sign) == seen.width() && (walls.left[y][x] || walls.above[y][x]);
  };
  for (const Layer& l : seen.layers)
    if (l.piece() && (l.shows_facing || !l.arrow.empty()) && !cut(l) &&
        std::find(l.seen.begin(), l.seen.end(), l.cells[0]) != l.seen.end())
      drawn_.emplace(program_.placed[static_cast<std::size_t>(l.placed)].facing, l.index);
}

// Draws a board that is a graph. An empty point is drawn as its name. Only lines along a row or column are drawn.
std::vector<std::string> Drawing::graph_rows(const BoardInfo& board, Seen& seen) {
  auto& signs = seen.signs;
  const std::vector<Int> values =
      board.shows ? values_shown(*board.shows, signs.size(), seen.legend) : std::vector<Int>{};
  if (!values.empty()) seen.legend.push_back(fmt::format("=: {}", board.shows->text));
  std::size_t width = 1, high = 0, wide = 0;
  for (std::size_t point = 0; point < signs.size(); ++point) {
    if (signs[point].empty()) {
      signs[point] = cell_name(board, static_cast<Int>(point));
      if (!values.empty() && values[point] != kNone)
        signs[point] += "=" + value_in_words(program_, board.shows->kind, board.shows->enumeration, values[point]);
    }
    width = std::max(width, letters(signs[point]));
    wide = std::max(wide, static_cast<std::size_t>(board.places[point].first));
    high = std::max(high, static_cast<std::size_t>(board.places[point].second));
  }
  std::vector<std::vector<std::string>> out(high + 1, std::vector<std::string>((wide + 1) * (width + 1), " "));
  const auto row = [&](Int y) -> std::vector<std::string>& { return out[high - static_cast<std::size_t>(y)]; };
  const auto column = [&](Int x) { return static_cast<std::size_t>(x) * (width + 1); };
  for (const auto& [from, to] : board.lines) {
    const auto [a, b] =
        std::minmax(board.places[static_cast<std::size_t>(from)], board.places[static_cast<std::size_t>(to)]);
    for (std::size_t x = column(a.first); a.second == b.second && x < column(b.first); ++x) row(a.second)[x] = "-";
    for (Int y = a.second + 1; a.first == b.first && y < b.second; ++y) row(y)[column(a.first)] = "|";
  }
  for (std::size_t point = 0; point < signs.size(); ++point)
    for (std::size_t i = 0; i < letters(signs[point]); ++i) {
      const std::string_view from = behind(signs[point], i);
      row(board.places[point].second)[column(board.places[point].first) + i] =
          std::string(from.substr(0, from.size() - behind(from, 1).size()));
    }
  std::vector<std::string> lines;
  for (const auto& line : out) lines.push_back(without_blanks_behind("  " + fmt::format("{}", fmt::join(line, ""))));
  return lines;
}

// Draws rows of symbols separated by a space or a wall. If there are walls between two rows, draws them in a line of
// their own.
std::vector<std::string> Drawing::wide_rows(const BoardInfo& board, const Seen& seen, const Walls& walls,
                                            const Window& window) const {
  std::size_t width = seen.width();
  // Half a cell, including the space before it, must be an integer number of columns.
  if (board.hex) width |= 1;
  const std::size_t margin = std::to_string(board.height).size();
  std::vector<std::string> out;
  const auto between = [&](const std::vector<bool>& row) {
    const auto first = row.begin() + window.left, last = row.begin() + window.right + 1;
    if (std::find(first, last, true) == last) return;
    std::string line(margin + 3, ' ');
    for (auto wall = first; wall != last; ++wall) line += " " + std::string(width, *wall ? '-' : ' ');
    out.push_back(without_blanks_behind(line));
  };
  for (Int y = window.high; y >= window.low; --y) {
    if (!walls.empty()) between(walls.above[static_cast<std::size_t>(y + 1)]);
    std::string line = fmt::format("  {:>{}} ", y + 1, margin) +
                       std::string(board.hex ? static_cast<std::size_t>(y - window.low) * ((width + 1) / 2) : 0, ' ');
    for (Int x = window.left; x <= window.right; ++x) {
      const auto cell = static_cast<std::size_t>(y * board.width + x);
      const std::string& sign = !seen.signs[cell].empty() ? seen.signs[cell] : seen.ground[cell];
      line += (!walls.empty() && walls.left[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] ? "|" : " ") +
              filled(sign.empty() ? "." : sign, width);
    }
    if (!walls.empty() && walls.left[static_cast<std::size_t>(y)][static_cast<std::size_t>(window.right + 1)])
      line += '|';
    out.push_back(line);
  }
  if (!walls.empty()) between(walls.above[static_cast<std::size_t>(window.low)]);
  add_columns(board, window, margin, width + 1, 1, out);
  return out;
}

// Draws rows of symbols without spaces. Symbols are padded with the background to the width of the longest symbol. A
// wall uses the first column; `_` in an otherwise empty column is a wall at the lower border.
std::vector<std::string> Drawing::dense_rows(const BoardInfo& board, const Seen& seen, const Walls& walls,
                                             const Window& window) const {
  const std::size_t width = seen.width(), margin = std::to_string(board.height).size();
  std::vector<std::string> out;
  const auto has_wall = [&](const std::vector<std::vector<bool>>& rows, Int y, Int x) {
    return !walls.empty() && rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
  };
  std::string rim(margin + 3, ' ');
  for (Int x = window.left; x <= window.right; ++x)
    rim += std::string(width - 1, ' ') + (has_wall(walls.above, window.high + 1, x) ? '_' : ' ');
  if (const std::string line = without_blanks_behind(rim); !line.empty()) out.push_back(line);
  for (Int y = window.high; y >= window.low; --y) {
    std::string line = fmt::format("  {:>{}} ", y + 1, margin);
    for (Int x = window.left; x <= window.right; ++x) {
      const auto at = static_cast<std::size_t>(y * board.width + x);
      const bool shade = letters(seen.ground[at]) == 1 && static_cast<unsigned char>(seen.ground[at][0]) >= 0x80,
                 left = has_wall(walls.left, y, x);
      bool below = has_wall(walls.above, y, x);
      std::string sign = !seen.signs[at].empty() ? seen.signs[at] : !seen.ground[at].empty() ? seen.ground[at] : ".";
      if (below && sign == ".") sign = "_", below = false;
      std::string cell = repeated(shade ? seen.ground[at] : " ", width - letters(sign)) + sign;
      if (left || below) cell = (left && below ? "└" : left ? "|" : "_") + std::string(behind(cell, 1));
      line += cell;
    }
    if (has_wall(walls.left, y, window.right + 1)) line += '|';
    out.push_back(line);
  }
  add_columns(board, window, margin, width, width - 1, out);
  return out;
}

// Adds the column letters below the board. Names such as aa are written vertically if the cells are narrower.
void Drawing::add_columns(const BoardInfo& board, const Window& window, std::size_t margin, std::size_t each,
                          std::size_t before, std::vector<std::string>& out) const {
  const auto column = [&](Int x) { return cell_name(board, x).substr(0, cell_name(board, x).size() - 1); };   // a1
  const std::size_t longest = column(window.right).size(), lines = longest + before <= each ? 1 : longest;
  for (std::size_t line = 0; line < lines; ++line) {
    std::string foot = fmt::format("  {:>{}} ", "", margin);
    for (Int x = window.left; x <= window.right; ++x) {
      const std::string name = column(x);
      foot += std::string(before, ' ') + filled(lines == 1           ? name
                                                : line < name.size() ? name.substr(line, 1)
                                                                     : "",
                                                each - before);
    }
    out.push_back(foot);
  }
}

}   // namespace cardwright::api::detail
