// Determines the contents of a board's cells in drawing order, and draws boards as text for terminals: rows of symbols
// and a legend.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

struct DrawnBoard {
  std::vector<std::string> rows;
  std::vector<std::string> legend;   // the meaning of the symbols, one per line
};

// An object on a board, as pages show it.
struct Placement {
  std::string sign, means;   // symbol and its meaning, without the owner
  std::string words;   // "hero of a"
  std::vector<Int> cells;   // the cells, or for an object on edges, the edges
  Int variable = 0, index = 0;
  int seat = -1;
  int placed = -1;   // for a piece or card: index in Program::placed; -1 for a mark
  Int facing = kNone;
};

class Drawing {
 public:
  // Creates a drawing for this player; player -1 sees everything.
  Drawing(const StateData& state, int player);
  DrawnBoard draw(const BoardInfo& board);
  // Returns the objects on cells, topmost first, including covered objects.
  std::vector<Placement> placements_on(const BoardInfo& board) const;
  // Returns the objects on edges.
  std::vector<Placement> placements_on_edges(const BoardInfo& board) const;
  // These functions refer to the boards drawn so far. shows() is true if this entry has its own symbol, or if the
  // facing of a piece is visible; shows_all() is true if all entries of this variable are drawn.
  bool shows(Int variable, Int index) const { return drawn_.count({variable, index}) > 0; }
  bool shows_all(Int variable) const { return tables_.count(variable) > 0; }
  // Returns the texts for covered pieces: "token 3 at m7".
  const std::vector<std::string>& covered() const { return covered_; }

 private:
  // An object on a board: a piece, a set of cells, or a variable that contains a cell. Its symbol is the owner's
  // letter, or for an object of the table its first letter. If players have several such objects, the symbol has both
  // letters.
  struct Layer {
    Int variable = 0, index = 0;
    std::string sign, means;
    std::vector<Int> cells = {};
    std::vector<Int> seen = {};   // the object's cells that are not covered
    int placed = -1;   // for a piece or card: index in Program::placed
    // `kind` is the symbol common to all such pieces. `arrow` is the symbol for the facing, drawn on the piece's cell.
    std::string kind = {}, arrow = {};
    bool shows_facing = false;   // the symbol shows the facing
    std::uint32_t when = 0;   // order of placing; a higher number means later
    bool piece() const { return placed >= 0; }
    std::string sign_on(Int cell) const { return cell == cells[0] ? sign + arrow : sign; }
  };
  // The visible symbol of each cell, and the meaning of the symbols.
  struct Seen {
    std::vector<std::string> signs, ground;   // by cell: symbol of the object, and background shade
    std::vector<std::string> legend;
    std::vector<Layer> layers;
    std::size_t width() const;
  };
  // The range of columns and rows to draw.
  struct Window {
    Int left = 0, right = 0, low = 0, high = 0;
    Int width() const { return right - left + 1; }
  };
  // Edges with objects, by row and column, including edges at the border.
  struct Walls {
    std::vector<std::vector<bool>> left, above;   // above[y]: below row y
    std::vector<std::string> names = {};   // names of the objects
    bool empty() const { return left.empty(); }
  };

  std::vector<Int> cells_of_piece(const BoardInfo& board, const PlacedInfo& placed, Int index) const;
  void give_sign(const PlacedInfo& placed, Int index, Layer& layer) const;
  void pieces(const BoardInfo& board, std::vector<Layer>& out) const;
  void marks(const BoardInfo& board, std::vector<Layer>& out) const;
  std::vector<Int> cells_of(const Layer& layer) const;
  std::vector<Layer> stacked(const BoardInfo& board) const;
  Placement placements(const Layer& layer) const;
  std::vector<Layer> layers(const BoardInfo& board);
  bool is_place(Int variable) const;
  void add_arrows(const BoardInfo& board, std::vector<Layer>& layers) const;
  std::string legend_entry(const Layer& layer) const;
  Seen seen_on(const BoardInfo& board);
  std::vector<Int> values_shown(const BoardShows& shows, std::size_t count, std::vector<std::string>& legend);
  void add_shown(const BoardInfo& board, Seen& seen);
  std::map<Int, std::string> initials(const BoardShows& shows, const std::vector<Int>& values,
                                      const std::vector<std::string>& taken) const;
  std::string cell_name(const BoardInfo& board, Int cell) const;
  std::vector<Int> shown_edges(const BoardInfo& board, std::vector<std::string>& legend);
  void name_shown_edges(const BoardInfo& board, std::vector<std::string>& legend);
  Walls walls_on(const BoardInfo& board, std::vector<std::string>& legend);
  bool names_edges(const BoardInfo& board, std::size_t variable) const;
  std::vector<Int> edges_of(const Layer& layer) const;
  const std::string& name_on_edges(Int variable) const;
  void note_facings(const BoardInfo& board, const Seen& seen, const Walls& walls, bool dense);
  std::vector<std::string> graph_rows(const BoardInfo& board, Seen& seen);
  Window window_on(const BoardInfo& board, const Seen& seen, const Walls& walls) const;
  std::vector<std::string> wide_rows(const BoardInfo& board, const Seen& seen, const Walls& walls,
                                     const Window& window) const;
  std::vector<std::string> dense_rows(const BoardInfo& board, const Seen& seen, const Walls& walls,
                                      const Window& window) const;
  void add_columns(const BoardInfo& board, const Window& window, std::size_t margin, std::size_t each,
                   std::size_t before, std::vector<std::string>& out) const;
  bool knows_value(Int variable, Int index) const;

  const StateData& state_;
  const Program& program_;
  const Byte* s_;
  int player_;
  std::set<std::pair<Int, Int>> drawn_;
  std::set<Int> tables_;
  std::vector<std::string> covered_;
};

// Returns the width of a text in terminal columns. The text can contain shades and arrows.
std::size_t letters(std::string_view text);
// Returns a text that the rules declare for a seat, or for the table (seat < 0), as an observer may read it. It is
// empty if it cannot be computed, or if it depends on values hidden from the observer.
std::string shown_text(const StateData& state, const ShownInfo& shown, int seat, int observer);
// Returns the values that a board shows, by cell or edge; none where the value cannot be computed.
std::vector<std::optional<Int>> values_shown(const StateData& state, const BoardShows& shows, std::size_t count,
                                             std::optional<Failure>& failure);

}   // namespace cardwright::api::detail
