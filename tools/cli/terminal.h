// What the commands know of the terminal: its width, whether to colour, lines of input, a progress bar.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cardwright::cli {

bool is_terminal(int descriptor);
int terminal_width();   // columns of standard output; 80 where there is no terminal
std::size_t terminal_height();   // rows; 0 where there is no terminal

// Set by Ctrl-C and SIGTERM once `catch_signals` was called; a second signal ends the program at once.
void catch_signals();
std::atomic<bool>& checkpoint_flag();   // set by SIGUSR1, likewise
bool interrupted();
const std::atomic<bool>* interrupt_flag();   // for SimulateSettings::stop

// A line without its end; nothing at the end of input or when a signal came.
std::optional<std::string> read_line();
// Waits at most so long for a line; nothing where none came. `at_end` becomes true at the end of input.
std::optional<std::string> read_line_within(int milliseconds, bool& at_end);

// Wipes what stands on the terminal, also what could be scrolled back to. Nothing where there is none.
void clear_screen();

enum class Colour { plain, bold, dim, red, green, yellow, blue };
// The text in that colour where standard output is a terminal that wants colours (NO_COLOR is respected).
std::string coloured(Colour colour, std::string_view text);

// Columns that a UTF-8 text takes, one per code point.
std::size_t columns(std::string_view text);
// Filled up with blanks on the right (or left) to `width` columns.
std::string padded(std::string_view text, std::size_t width);
std::string padded_left(std::string_view text, std::size_t width);
// Broken at blanks into lines of at most `width` columns; every line but the first begins with `indent` blanks.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

// A line that is redrawn where it stands, while what was printed below it stays and somebody types there. On anything
// but a terminal it is printed once.
class StandingLine {
 public:
  void show(std::string_view text);
  // What is about to be printed below it, behind `indent` columns, broken into lines: so much further up it stands
  // then.
  std::string below(std::string_view text, std::size_t indent);
  void redraw(std::string_view text);
  // Something else was printed or typed: it stays as it is.
  void leave() { rows_ = 0; }

 private:
  std::size_t rows_ = 0, below_ = 0;
};

std::string with_commas(std::uint64_t number);   // 100,000
std::string plural(std::size_t n, std::string_view what);   // "1 player", "3 players"

// "2 min 10 s", "0.4 s".
std::string duration(double seconds);

// A bar on standard error with the time left, redrawn in place; silent where that is no terminal.
class ProgressBar {
 public:
  explicit ProgressBar(std::uint64_t total, std::string of = "games");
  ~ProgressBar() { clear(); }
  // `note`: said behind it, if there is table host: how sure one is so far.
  void show(std::uint64_t done, std::string_view note = {});
  // It turns out that there is more to do, or less.
  void expect(std::uint64_t total) { total_ = total; }
  void clear();

 private:
  std::uint64_t total_;
  std::string of_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool terminal_;
  bool drawn_ = false;
};

// Rules that took no effect in random games: the first few, and how many more there are.
void print_without_effect(const std::vector<std::string>& rules);

}   // namespace cardwright::cli
