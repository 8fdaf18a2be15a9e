// Draws boards as text for terminals: rows of symbols and a legend.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/view/observed_state.h"

namespace cardwright::api::detail {

struct DrawnBoard {
  std::vector<std::string> rows;
  std::vector<std::string> legend;   // the meaning of the symbols, one per line
  std::vector<TablePart::Ink> inks = {};
};

class Drawing {
 public:
  Drawing(const Program& program, const ObservedState& observed) : program_(program), observed_(observed) {}
  DrawnBoard draw(std::size_t board);
  // These functions refer to the boards drawn so far. shows() returns true if this entry has a symbol of its own, or is
  // the visible facing of a piece. shows_all() returns true if a board shows all entries of this variable.
  bool shows(Int variable, Int index) const { return drawn_.count({variable, index}) > 0; }
  bool shows_all(Int variable) const { return tables_.count(variable) > 0; }
  // Returns the texts for covered pieces: "token 3 at m7".
  const std::vector<std::string>& covered() const { return covered_; }
  // Returns the texts for values of cells that a symbol hides because the rows would become too long: "height 3 at b2".
  const std::vector<std::string>& under_pieces() const { return under_; }

 private:
  // An object with its symbol. The symbol of a mark is the letter of its owner, or a letter of the variable if it has
  // no owner. If several variables of players are marks, only the first one has the owner's letter alone.
  struct Layer {
    const ObservedObject* object;
    std::string kind, means;   // the symbol without owner and facing, which all such objects share, and its meaning
    std::string sign = {};
    std::vector<Int> seen = {};   // the object's cells that are not covered
    std::string arrow = {};   // the symbol for the facing, drawn on the piece's first cell
    bool shows_facing = false;   // the symbol shows the facing
    bool piece() const { return object->is_piece(); }
    std::string sign_on(Int cell) const { return cell == object->cells[0] ? sign + arrow : sign; }
  };
  // The visible symbol of each cell, and the meaning of the symbols.
  struct Seen {
    std::vector<std::string> signs, ground;   // by cell: symbol of the object, and of the value shown by the board
    std::vector<int> seats;   // by cell: the owner of the symbol, or -1
    std::vector<std::string> legend;
    std::vector<Layer> layers;
    std::size_t width() const;
  };
  // The range of columns and rows to draw.
  struct Window {
    Int left = 0, right = 0, low = 0, high = 0;
    Int width() const { return right - left + 1; }
  };
  // Edges with objects, by row and column, including the edges of the board.
  struct Walls {
    std::vector<std::vector<bool>> left, above;   // above[y] is the border below row y, because row 0 is at the bottom
    std::vector<std::string> names = {};   // names of the objects
    bool empty() const { return left.empty(); }
  };

  std::vector<Layer> layers(const BoardInfo& board, const ObservedBoard& observed);
  std::map<Int, std::string> signs_of_marks(const BoardInfo& board, const ObservedBoard& observed) const;
  void name_piece(Layer& layer) const;
  void add_arrows(const BoardInfo& board, std::vector<Layer>& layers) const;
  std::string legend_entry(const Layer& layer) const;
  Seen seen_on(const BoardInfo& board, const ObservedBoard& observed);
  void note_shown(const BoardShows& shows, const ObservedCells& values, std::vector<std::string>& legend);
  void add_shown(const BoardInfo& board, const ObservedCells& observed, Seen& seen);
  void add_ground_to_signs(const BoardInfo& board, const ObservedCells& observed, const Window& window, bool dense,
                           Seen& seen);
  std::map<Int, std::string> initials(const BoardShows& shows, const std::vector<Int>& values,
                                      const std::vector<std::string>& taken) const;
  std::string cell_name(const BoardInfo& board, Int cell) const;
  Walls walls_on(const BoardInfo& board, const ObservedBoard& observed, std::vector<std::string>& legend);
  void note_facings(const BoardInfo& board, const Seen& seen, const Walls& walls, bool dense);
  std::vector<std::string> graph_rows(const BoardInfo& board, const ObservedBoard& observed, Seen& seen);
  bool is_laid_out(const BoardInfo& board, const Seen& seen, const Walls& walls) const;
  Window window_on(const BoardInfo& board, const Seen& seen, const Walls& walls) const;
  std::vector<std::string> wide_rows(const BoardInfo& board, const Seen& seen, const Walls& walls,
                                     const Window& window);
  std::vector<std::string> dense_rows(const BoardInfo& board, const Seen& seen, const Walls& walls,
                                      const Window& window);
  void ink(const Seen& seen, std::size_t cell, std::size_t row, std::size_t column);
  void add_columns(const BoardInfo& board, const Window& window, std::size_t margin, std::size_t each,
                   std::size_t before, std::vector<std::string>& out) const;

  const Program& program_;
  const ObservedState& observed_;
  std::set<std::pair<Int, Int>> drawn_;
  std::set<Int> tables_;
  std::vector<std::string> covered_, under_;
  std::vector<TablePart::Ink> inks_;   // of the board that is being drawn
};

// Returns the width of a text in terminal columns. The text can contain shades and arrows.
std::size_t letters(std::string_view text);

}   // namespace cardwright::api::detail
