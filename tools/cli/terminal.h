// Implements terminal input and output: width, colors, input lines and a progress bar.
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
int terminal_width();   // columns of standard output; 80 if it is not a terminal
std::size_t terminal_height();   // rows; 0 if it is not a terminal

// Makes Ctrl-C, SIGTERM and SIGHUP set the interrupt flag; a second signal ends the program at once.
void catch_signals();
std::atomic<bool>& checkpoint_flag();   // set by SIGUSR1 after catch_signals()
bool interrupted();
const std::atomic<bool>* interrupt_flag();   // for SimulateSettings::stop

// Reads a line without its newline. Returns nullopt at the end of input and after a signal.
std::optional<std::string> read_line();
// Waits at most this long for a line. Returns nullopt on timeout; sets `at_end` at the end of input.
std::optional<std::string> read_line_within(int milliseconds, bool& at_end);

// Clears the terminal including its scrollback. Does nothing if standard output is not a terminal.
void clear_screen();

enum class Colour { plain, bold, dim, red, green, yellow, blue, magenta, cyan };
// Colors the text if standard output is a terminal that supports colors. Respects NO_COLOR.
std::string coloured(Colour colour, std::string_view text);

// Returns the number of columns of a UTF-8 text: one per code point.
std::size_t columns(std::string_view text);
// Pads with blanks on the right (or left) to `width` columns.
std::string padded(std::string_view text, std::size_t width);
std::string padded_left(std::string_view text, std::size_t width);
// Wraps at blanks into lines of at most `width` columns; all lines but the first are indented by `indent` blanks.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

// A line that is updated in place while output and input continue below it. If standard output is not a terminal, it is
// printed once.
class StatusLine {
 public:
  void show(std::string_view text);
  // Wraps text that the caller will print below the line, with an indentation of `indent` columns, and records how far
  // the line moves up.
  std::string below(std::string_view text, std::size_t indent);
  void redraw(std::string_view text);
  // Ends updates of the line. Call it after other output or input.
  void leave() { rows_ = 0; }

 private:
  std::size_t rows_ = 0, below_ = 0;
};

std::string with_commas(std::uint64_t number);   // 100,000
std::string plural(std::size_t n, std::string_view what);   // "1 player", "3 players"

// Formats a duration in seconds: "2 min 10 s", "0.4 s".
std::string duration(double seconds);

// A progress bar on standard error with the time left; silent if standard error is not a terminal.
class ProgressBar {
 public:
  explicit ProgressBar(std::uint64_t total, std::string of = "games");
  ~ProgressBar() { clear(); }
  // `note` is appended if it fits.
  void show(std::uint64_t done, std::string_view note = {});
  // Changes the expected total.
  void expect(std::uint64_t total) { total_ = total; }
  void clear();

 private:
  std::uint64_t total_;
  std::string of_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool terminal_;
  bool drawn_ = false;
};

// Prints the first rules that had no effect in random games, and the number of the remaining ones.
void print_without_effect(const std::vector<std::string>& rules);

}   // namespace cardwright::cli
