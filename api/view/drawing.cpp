// Draws the boards of an ObservedState as rows of text with a legend.
#include "api/view/drawing.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "runtime/program/words.h"

namespace cardwright::api::detail {

namespace {

constexpr const char* kShades[] = {"░", "▒", "▓", "█"};
constexpr const char* kArrows[] = {"↑", "↗", "→", "↘", "↓", "↙", "←", "↖"};
// Rows up to this width, in columns, show the facing of pieces and have spaces between symbols of several letters.
constexpr Int kMostColumns = 72;   // maximum row length if values are added to the symbols of pieces
constexpr Int kSpaced = 50;

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

bool is_shade(std::string_view ground) {
  return std::find(std::begin(kShades), std::end(kShades), ground) != std::end(kShades);
}

// Replaces the arrow in a symbol by the one that represents all directions in the legend.
std::string with_any_arrow(std::string sign) {
  for (const char* arrow : kArrows)
    if (const std::size_t at = sign.find(arrow); at != std::string::npos)
      sign.replace(at, std::string_view(arrow).size(), "→");
  return sign;
}

// Returns the possible letters of a symbol for this name, best first: its letters, then its prefixes.
std::vector<std::string> letters_for(std::string_view name) {
  std::vector<std::string> out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c))) out.emplace_back(1, c);
  for (std::size_t n = 2; n <= name.size(); ++n)
    if (name[n - 1] != '_' && name[n - 1] != ' ') out.emplace_back(name.substr(0, n));
  return out;
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

// Returns the symbol of each number: the number itself if it has one digit or if there is room (`exact`), otherwise a
// shade for each quarter of the range up to the highest value. 0 is drawn as an empty cell.
std::map<Int, std::string> signs_of_numbers(const std::vector<Int>& values, bool exact) {
  std::set<Int> all(values.begin(), values.end());
  all.erase(kNone);
  all.erase(0);
  std::map<Int, std::string> out;
  if (all.empty()) return out;
  const Int most = *all.rbegin();
  const bool digits = (*all.begin() > 0 && most <= 9) || (exact && *all.begin() >= -9 && most <= 99);
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

std::string Drawing::cell_name(const BoardInfo& board, Int cell) const {
  const std::string& name =
      program_.enums[static_cast<std::size_t>(board.enumeration)].constants[static_cast<std::size_t>(cell)];
  return program_.boards.size() > 1 ? name.substr(board.name.size() + 1) : name;
}

// ---- objects on cells

// Returns the symbols of the variables that mark cells, without their owners. No two variables share a symbol, and a
// symbol does not change during the game.
std::map<Int, std::string> Drawing::signs_of_marks(const BoardInfo& board, const ObservedBoard& observed) const {
  std::set<std::string> taken;
  for (const PlacedInfo& placed : program_.placed) {
    taken.insert(placed.sign);
    taken.insert(placed.signs.begin(), placed.signs.end());
  }
  for (const ObservedObject& object : observed.on_cells)
    if (object.is_piece()) taken.insert({object.sign, object.sign + (object.seat < 0 ? "" : player_name(object.seat))});
  if (board.shows && board.shows->kind == ValueKind::player)
    for (Int player = 0; player < program_.layout.players; ++player) taken.insert(player_name(player));
  std::map<Int, std::string> out;
  bool is_first_of_players = true;
  for (std::size_t v = 0; v < program_.variables.size(); ++v) {
    const VariableInfo& info = program_.variable_infos[v];
    const bool is_mark = observed_.variables[v].shown && info.placed < 0 && info.enumeration == board.enumeration &&
                         (info.kind == ValueKind::cell_set || info.kind == ValueKind::enumeration);
    if (!is_mark) continue;
    const auto with_owners = [&](const std::string& sign) {
      std::vector<std::string> all;
      for (Int player = 0; info.per_player && player < program_.layout.players; ++player)
        all.push_back(capital(player_name(player)) + sign);
      return info.per_player ? all : std::vector{sign};
    };
    const auto is_free = [&](const std::string& sign) {
      return std::ranges::none_of(with_owners(sign), [&](const std::string& one) { return taken.contains(one); });
    };
    std::vector<std::string> candidates = letters_for(info.name);
    if (info.per_player && std::exchange(is_first_of_players, false)) candidates.insert(candidates.begin(), "");
    const auto free = std::ranges::find_if(candidates, is_free);
    const std::string sign = free != candidates.end() ? *free : info.name;
    for (const std::string& one : with_owners(sign)) taken.insert(one);
    out[static_cast<Int>(v)] = sign;
  }
  return out;
}

// Names a piece. Each piece of a kind with labels has a letter of its label in its symbol, unless the rules declare the
// symbol or there are too many pieces.
void Drawing::name_piece(Layer& layer) const {
  constexpr std::size_t kMostLabels = 16;
  layer.kind = layer.object->sign, layer.means = layer.object->means;
  const PlacedInfo& placed = program_.placed[static_cast<std::size_t>(layer.object->placed)];
  const auto index = static_cast<std::size_t>(layer.object->index);
  if (placed.zone >= 0 || placed.drawn >= 0 || placed.labels.size() < 2 || placed.labels.size() > kMostLabels ||
      index >= placed.labels.size() || !std::isalpha(static_cast<unsigned char>(layer.kind[0])))
    return;
  std::set<std::string> taken;
  std::string letter;
  for (std::size_t i = 0; i <= index; ++i) {
    const std::vector<std::string> candidates = letters_for(placed.labels[i]);
    const auto free = std::ranges::find_if(candidates, [&](const std::string& one) { return !taken.contains(one); });
    letter = free != candidates.end() ? *free : placed.labels[i];
    taken.insert(letter);
  }
  layer.kind += letter;
  layer.means += " " + placed.labels[index];
}

std::vector<Drawing::Layer> Drawing::layers(const BoardInfo& board, const ObservedBoard& observed) {
  std::vector<Layer> out;
  std::set<Int> covered;
  const std::map<Int, std::string> marks = signs_of_marks(board, observed);
  std::map<std::string, std::string> meaning;   // of the symbols of pieces
  for (const ObservedObject& object : observed.on_cells) {
    Layer layer{&object, "", object.means};
    const std::string owner = object.seat < 0 ? "" : player_name(object.seat);
    if (object.is_piece()) {
      name_piece(layer);
      // If the rules give the same symbol to different pieces, a letter of the meaning is added.
      const std::string declared = layer.kind;
      const auto is_other = [&] {
        const auto known = meaning.emplace(with_any_arrow(layer.kind), layer.means).first;
        return known->second != layer.means;
      };
      const std::vector<std::string> candidates = letters_for(layer.means);
      for (auto letter = candidates.begin(); is_other() && letter != candidates.end(); ++letter)
        layer.kind = declared + *letter;
      layer.sign = layer.kind + owner;
      layer.shows_facing =
          program_.placed[static_cast<std::size_t>(object.placed)].drawn >= 0 && has_arrow(object.sign);
    } else {
      const auto mark = marks.find(object.variable);
      layer.kind = layer.sign = capital(owner) + (mark != marks.end() ? mark->second : "");
    }
    for (const Int cell : object.cells)
      if (covered.insert(cell).second) layer.seen.push_back(cell);
    if (!layer.seen.empty())
      out.push_back(std::move(layer));
    else if (object.is_piece())
      covered_.push_back(fmt::format("{} at {}",
                                     program_.placed[static_cast<std::size_t>(object.placed)].zone >= 0
                                         ? object.means
                                         : piece_in_words(program_, object.placed, object.index),
                                     cell_name(board, object.cells[0])));
  }
  for (const Layer& layer : out)
    if (std::all_of(out.begin(), out.end(),
                    [&](const Layer& other) { return &other == &layer || other.sign != layer.sign; }))
      drawn_.emplace(layer.object->variable, layer.object->index);
  add_arrows(board, out);
  return out;
}

// Adds the facing of pieces to their symbols if the rows remain short enough: always for players' pieces, and for other
// pieces only if the facing differs from the initial one.
void Drawing::add_arrows(const BoardInfo& board, std::vector<Layer>& layers) const {
  if (board.is_graph()) return;
  std::size_t width = 1;
  for (const Layer& layer : layers) width = std::max(width, letters(layer.sign));
  if (board.width * static_cast<Int>(width + 2) > kSpaced) return;
  for (Layer& layer : layers) {
    if (!layer.piece() || layer.shows_facing) continue;
    const PlacedInfo& placed = program_.placed[static_cast<std::size_t>(layer.object->placed)];
    if (placed.facing < 0) continue;
    const Int facing = layer.object->facing;
    if (!placed.of_players && facing == program_.variables[static_cast<std::size_t>(placed.facing)].initial) continue;
    layer.arrow =
        arrow_of(program_, program_.variable_infos[static_cast<std::size_t>(placed.facing)].enumeration, facing);
  }
}

// Returns the legend entry of an object. All pieces of a kind that differ only in owner and facing share one entry.
std::string Drawing::legend_entry(const Layer& layer) const {
  return fmt::format("{}: {}", with_any_arrow(layer.kind), layer.means);
}

Drawing::Seen Drawing::seen_on(const BoardInfo& board, const ObservedBoard& observed) {
  const auto cells = static_cast<std::size_t>(board.width * board.height);
  Seen seen{std::vector<std::string>(cells),
            std::vector<std::string>(cells),
            std::vector<int>(cells, -1),
            {},
            layers(board, observed)};
  std::vector<const Layer*> by_kind;
  for (const Layer& layer : seen.layers) {
    for (const Int cell : layer.seen) {
      seen.signs[static_cast<std::size_t>(cell)] = layer.sign_on(cell);
      seen.seats[static_cast<std::size_t>(cell)] = layer.object->seat;
    }
    by_kind.push_back(&layer);
  }
  std::stable_sort(by_kind.begin(), by_kind.end(), [](const Layer* a, const Layer* b) {
    const auto key = [](const ObservedObject& o) {
      return std::pair(static_cast<unsigned>(o.placed), o.is_piece() ? o.index : 0);
    };
    return key(*a->object) < key(*b->object);
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

// Records that the board shows these values. If some of them cannot be computed, adds the reason to the legend.
void Drawing::note_shown(const BoardShows& shows, const ObservedCells& values, std::vector<std::string>& legend) {
  tables_.insert(shows.variable);
  if (values.failure)
    legend.push_back(fmt::format("{} cannot be computed everywhere: {}", shows.text, values.failure->text()));
}

// Draws numbers as digits if there is room, otherwise as shades, and constants by their first letters.
void Drawing::add_shown(const BoardInfo& board, const ObservedCells& observed, Seen& seen) {
  const BoardShows& shows = *board.shows;
  const bool exact = 3 * board.width <= kSpaced;
  note_shown(shows, observed, seen.legend);
  const std::vector<Int>& values = observed.values;
  const std::map<Int, std::string> signs = shows.kind == ValueKind::boolean
                                               ? std::map<Int, std::string>{{1, kShades[1]}}
                                           : shows.kind == ValueKind::enumeration ? initials(shows, values, seen.signs)
                                           : shows.kind == ValueKind::player      ? letters_of_players(values)
                                                                                  : signs_of_numbers(values, exact);
  for (std::size_t cell = 0; cell < values.size(); ++cell)
    if (const auto sign = signs.find(values[cell]); sign != signs.end()) {
      seen.ground[cell] = sign->second;
      if (shows.kind == ValueKind::player && seen.signs[cell].empty())
        seen.seats[cell] = static_cast<int>(values[cell]);
    }
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

// Adds the value of a cell to the symbol of the object on it. If this makes the rows too long, the values are listed.
void Drawing::add_ground_to_signs(const BoardInfo& board, const ObservedCells& observed, const Window& window,
                                  bool dense, Seen& seen) {
  const std::size_t before = seen.width();
  std::vector<std::string> signs = seen.signs;
  std::vector<std::size_t> joined;
  std::size_t width = before;
  for (std::size_t cell = 0; cell < signs.size(); ++cell) {
    const std::string& ground = seen.ground[cell];
    std::string& sign = signs[cell];
    // A dense row shows a shade in the columns that the symbol does not use.
    if (sign.empty() || ground.empty() || (dense && is_shade(ground) && letters(sign) < before)) continue;
    const bool runs_together =
        std::isalpha(static_cast<unsigned char>(ground[0])) || std::isdigit(static_cast<unsigned char>(sign.back()));
    sign = dense && is_shade(ground) ? ground + sign : sign + (runs_together && !is_shade(ground) ? "/" : "") + ground;
    width = std::max(width, letters(sign));
    joined.push_back(cell);
  }
  if (window.width() * static_cast<Int>(width + (dense ? 0 : 1)) <= kMostColumns)
    seen.signs = std::move(signs);
  else
    for (const std::size_t cell : joined)
      under_.push_back(
          fmt::format("{} {} at {}", board.shows->text,
                      value_in_words(program_, board.shows->kind, board.shows->enumeration, observed.values[cell]),
                      cell_name(board, static_cast<Int>(cell))));
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

static void put(const BoardInfo& board, Int edge, std::vector<std::vector<bool>>& left,
                std::vector<std::vector<bool>>& above) {
  const auto [cell, way] = board.edges[static_cast<std::size_t>(edge)];
  const auto x = static_cast<std::size_t>(cell % board.width), y = static_cast<std::size_t>(cell / board.width);
  switch (way) {   // directions 0 to 7 are N, NE, E, SE, S, SW, W, NW
    case 0: above[y + 1][x] = true; break;
    case 2: left[y][x + 1] = true; break;
    case 4: above[y][x] = true; break;
    default: left[y][x] = true; break;
  }
}

// Edges between hexagons are listed by name, because they are not drawn.
Drawing::Walls Drawing::walls_on(const BoardInfo& board, const ObservedBoard& observed,
                                 std::vector<std::string>& legend) {
  std::vector<Int> shown;
  if (observed.edges_show) {
    note_shown(*board.edges_show, *observed.edges_show, legend);
    shown = observed.edges_show->edges_in_use(board.edges_show->kind);
  }
  std::vector<Int> edges;
  std::vector<std::string> names;
  if (board.hex) {
    for (const Int edge : shown)
      names.push_back(value_in_words(program_, ValueKind::enumeration, board.edge_enumeration, edge));
    if (!names.empty()) legend.push_back(fmt::format("{}: {}", board.edges_show->text, fmt::join(names, ", ")));
    return {};
  }
  const auto take = [&](const std::vector<Int>& more, const std::string& name) {
    if (!more.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    edges.insert(edges.end(), more.begin(), more.end());
  };
  for (const ObservedObject& object : observed.on_edges) take(object.cells, object.means);
  if (observed.edges_show) take(shown, board.edges_show->text);
  if (edges.empty()) return {};
  const auto width = static_cast<std::size_t>(board.width), height = static_cast<std::size_t>(board.height);
  Walls walls{std::vector(height, std::vector<bool>(width + 1)), std::vector(height + 1, std::vector<bool>(width))};
  for (const Int edge : edges) put(board, edge, walls.left, walls.above);
  walls.names = std::move(names);
  return walls;
}

// ---- rows

DrawnBoard Drawing::draw(std::size_t b) {
  const BoardInfo& board = program_.boards[b];
  const ObservedBoard& observed = observed_.boards[b];
  Seen seen = seen_on(board, observed);
  inks_.clear();
  if (board.is_graph()) {
    std::vector<std::string> rows = graph_rows(board, observed, seen);
    return {std::move(rows), std::move(seen.legend), inks_};
  }
  if (observed.shows) add_shown(board, *observed.shows, seen);
  const Walls walls = walls_on(board, observed, seen.legend);
  const Window window = window_on(board, seen, walls);
  const bool dense = !board.hex && seen.width() > 1 && window.width() * static_cast<Int>(seen.width() + 1) > kSpaced;
  if (observed.shows && (board.shows->kind == ValueKind::integer || board.shows->kind == ValueKind::enumeration))
    add_ground_to_signs(board, *observed.shows, window, dense, seen);
  if (!walls.empty())
    seen.legend.push_back(fmt::format("| and {}: {}", dense ? "_" : "-", fmt::join(walls.names, ", ")));
  if (window.width() < board.width || window.high - window.low + 1 < board.height)
    seen.legend.push_back(fmt::format("{} to {} of {} x {}", cell_name(board, window.low * board.width + window.left),
                                      cell_name(board, window.high * board.width + window.right), board.width,
                                      board.height));
  note_facings(board, seen, walls, dense);
  std::vector<std::string> rows =
      dense ? dense_rows(board, seen, walls, window) : wide_rows(board, seen, walls, window);
  return {std::move(rows), std::move(seen.legend), inks_};
}

// Records the owner of the symbol that is drawn for this cell at this place.
void Drawing::ink(const Seen& seen, std::size_t cell, std::size_t row, std::size_t column) {
  if (seen.seats[cell] < 0) return;
  const std::string& sign = !seen.signs[cell].empty() ? seen.signs[cell] : seen.ground[cell];
  inks_.push_back({row, column, letters(sign), seen.seats[cell]});
}

// Returns true if the board consists of the cards that are placed on it: all cells in use have a card.
bool Drawing::is_laid_out(const BoardInfo& board, const Seen& seen, const Walls& walls) const {
  const auto is_card = [&](const PlacedInfo& placed) {
    return placed.zone >= 0 &&
           program_.variable_infos[static_cast<std::size_t>(placed.at)].enumeration == board.enumeration;
  };
  if (!walls.empty() || std::ranges::none_of(program_.placed, is_card)) return false;
  std::vector<bool> has_card(seen.signs.size());
  for (const ObservedBoard& observed : observed_.boards)
    for (const ObservedObject& object : observed.on_cells)
      if (object.is_piece() && is_card(program_.placed[static_cast<std::size_t>(object.placed)]))
        for (const Int cell : object.cells) has_card[static_cast<std::size_t>(cell)] = true;
  for (std::size_t cell = 0; cell < has_card.size(); ++cell)
    if (!has_card[cell] && (!seen.signs[cell].empty() || !seen.ground[cell].empty())) return false;
  return true;
}

// Returns the complete board if it fits on a screen; for a larger board, and for a board that is laid out with cards,
// the part with cells in use and a margin.
Drawing::Window Drawing::window_on(const BoardInfo& board, const Seen& seen, const Walls& walls) const {
  constexpr Int kWidest = 40, kHighest = 24, kSmall = 100, kMargin = 2, kAtFirst = 4;
  const bool fits = board.width <= kWidest && board.height <= kHighest;
  if (board.width * board.height <= kSmall || (fits && !is_laid_out(board, seen, walls)))
    return {0, board.width - 1, 0, board.height - 1};
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

// Records the pieces whose facing is visible. A wall drawn in place of an arrow hides the facing.
void Drawing::note_facings(const BoardInfo& board, const Seen& seen, const Walls& walls, bool dense) {
  const auto cut = [&](const Layer& l) {
    const auto x = static_cast<std::size_t>(l.object->cells[0] % board.width),
               y = static_cast<std::size_t>(l.object->cells[0] / board.width);
    return dense && !walls.empty() && letters(l.sign) == seen.width() && (walls.left[y][x] || walls.above[y][x]);
  };
  for (const Layer& l : seen.layers)
    if (l.piece() && (l.shows_facing || !l.arrow.empty()) && !cut(l) &&
        std::find(l.seen.begin(), l.seen.end(), l.object->cells[0]) != l.seen.end())
      drawn_.emplace(program_.placed[static_cast<std::size_t>(l.object->placed)].facing, l.object->index);
}

// Draws a board that is a graph. An empty point is drawn as its name. Only lines along a row or column are drawn.
std::vector<std::string> Drawing::graph_rows(const BoardInfo& board, const ObservedBoard& observed, Seen& seen) {
  auto& signs = seen.signs;
  const std::vector<Int> values = observed.shows ? observed.shows->values : std::vector<Int>{};
  if (observed.shows) {
    note_shown(*board.shows, *observed.shows, seen.legend);
    seen.legend.push_back(fmt::format("=: {}", board.shows->text));
  }
  std::size_t width = 1, high = 0, wide = 0;
  constexpr std::size_t kCoordinate = 2;   // length of names that a symbol replaces
  std::vector<std::size_t> of_object;
  for (std::size_t point = 0; point < signs.size(); ++point) {
    const std::string name = cell_name(board, static_cast<Int>(point));
    of_object.push_back(letters(signs[point]));
    if (signs[point].empty())
      signs[point] = name;
    else if (letters(name) > kCoordinate)
      signs[point] += " " + name;
    if (!values.empty() && values[point] != kNone)
      signs[point] += "=" + value_in_words(program_, board.shows->kind, board.shows->enumeration, values[point]);
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
  for (std::size_t point = 0; point < signs.size(); ++point) {
    if (seen.seats[point] >= 0)
      inks_.push_back({high - static_cast<std::size_t>(board.places[point].second),
                       2 + column(board.places[point].first), of_object[point], seen.seats[point]});
    for (std::size_t i = 0; i < letters(signs[point]); ++i) {
      const std::string_view from = behind(signs[point], i);
      row(board.places[point].second)[column(board.places[point].first) + i] =
          std::string(from.substr(0, from.size() - behind(from, 1).size()));
    }
  }
  std::vector<std::string> lines;
  for (const auto& line : out) lines.push_back(without_blanks_behind("  " + fmt::format("{}", fmt::join(line, ""))));
  return lines;
}

// Draws rows of symbols separated by a space or a wall. Walls between two rows have a line of their own.
std::vector<std::string> Drawing::wide_rows(const BoardInfo& board, const Seen& seen, const Walls& walls,
                                            const Window& window) {
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
      ink(seen, cell, out.size(), letters(line) + 1);
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
// wall on the left is drawn in a cell's first column; `_` in an otherwise empty column is a wall at the cell's lower
// border.
std::vector<std::string> Drawing::dense_rows(const BoardInfo& board, const Seen& seen, const Walls& walls,
                                             const Window& window) {
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
      const std::size_t symbol = letters(sign);
      std::string cell = repeated(shade ? seen.ground[at] : " ", width - letters(sign)) + sign;
      if (left || below) cell = (left && below ? "└" : left ? "|" : "_") + std::string(behind(cell, 1));
      ink(seen, at, out.size(), letters(line) + width - symbol);
      line += cell;
    }
    if (has_wall(walls.left, y, window.right + 1)) line += '|';
    out.push_back(line);
  }
  add_columns(board, window, margin, width, width - 1, out);
  return out;
}

// Adds the column letters below the board. Names of several letters, such as aa, are written vertically if they are
// wider than the cells.
void Drawing::add_columns(const BoardInfo& board, const Window& window, std::size_t margin, std::size_t each,
                          std::size_t before, std::vector<std::string>& out) const {
  // The name of a cell in row 1, without the row number.
  const auto column = [&](Int x) { return cell_name(board, x).substr(0, cell_name(board, x).size() - 1); };
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
