// Implements terminal input and output, and handles signals.
#include "tools/cli/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace cardwright::cli {

namespace {

std::atomic<bool> checkpoint_asked{false}, stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

int wake[2] = {-1, -1};   // a pipe that wakes the reader if a signal arrives just before it waits for input

void on_signal(int number) {
  if (stop_asked.exchange(true)) {
    std::signal(number, SIG_DFL);
    raise(number);
  }
  const int before = errno;
  if (write(wake[1], "", 1) < 0) errno = before;
}

bool moves_cursor() {
  static const bool moves = [] {
    const char* term = std::getenv("TERM");
    return is_terminal(STDOUT_FILENO) && !(term && std::string_view(term) == "dumb");
  }();
  return moves;
}

bool wants_colour() {
  const char* no = std::getenv("NO_COLOR");
  return moves_cursor() && !(no && *no);
}

}   // namespace

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

int terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
  return 80;
}

std::size_t terminal_height() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

void catch_signals() {
  if (wake[0] < 0 && pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) wake[0] = wake[1] = -1;
  struct sigaction action {};
  action.sa_handler = on_signal;   // without SA_RESTART, so that a signal ends a prompt
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  action.sa_handler = [](int) { checkpoint_asked = true; };
  sigaction(SIGUSR1, &action, nullptr);
}

std::atomic<bool>& checkpoint_flag() { return checkpoint_asked; }

bool interrupted() { return stop_asked.load(); }
const std::atomic<bool>* interrupt_flag() { return &stop_asked; }

namespace {

struct Input {
  std::string pending;
  bool ended = false;

  std::optional<std::string> line() {
    const auto end = pending.find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::string line = pending.substr(0, end);
    pending.erase(0, end + 1);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
  }
  // Waits at most `milliseconds` (-1: no limit) for input or its end. Returns false on timeout and after a signal.
  static bool is_ready(int milliseconds) {
    pollfd wanted[] = {{STDIN_FILENO, POLLIN, 0}, {wake[0], POLLIN, 0}};
    return poll(wanted, 2, milliseconds) > 0 && wanted[0].revents != 0;
  }
  void read_more() {
    char buffer[4096];
    const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
    if (got > 0)
      pending.append(buffer, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR)
      ended = true;
  }
};

Input& input() {
  static Input one;
  return one;
}

}   // namespace

std::optional<std::string> read_line() {
  Input& in = input();
  for (;;) {
    if (auto line = in.line()) return line;
    if (in.ended || interrupted()) break;
    if (Input::is_ready(-1)) in.read_more();
  }
  if (in.pending.empty() || interrupted()) return std::nullopt;
  return std::exchange(in.pending, {});
}

std::optional<std::string> read_line_within(int milliseconds, bool& at_end) {
  Input& in = input();
  if (auto line = in.line()) return line;
  if (!in.ended && Input::is_ready(milliseconds)) in.read_more();
  if (auto line = in.line()) return line;
  at_end = in.ended;
  return std::nullopt;
}

void clear_screen() {
  if (is_terminal(STDOUT_FILENO)) fmt::print("\x1b[2J\x1b[3J\x1b[H");
}

std::string coloured(Colour colour, std::string_view text) {
  if (!wants_colour() || colour == Colour::plain) return std::string(text);
  const char* code = "";
  switch (colour) {
    case Colour::plain: break;
    case Colour::bold: code = "1"; break;
    case Colour::dim: code = "2"; break;
    case Colour::red: code = "31"; break;
    case Colour::green: code = "32"; break;
    case Colour::yellow: code = "33"; break;
    case Colour::blue: code = "34"; break;
    case Colour::magenta: code = "35"; break;
    case Colour::cyan: code = "36"; break;
  }
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t have = columns(text);
  return std::string(text) + std::string(width > have ? width - have : 0, ' ');
}

std::string padded_left(std::string_view text, std::size_t width) {
  const std::size_t have = columns(text);
  return std::string(width > have ? width - have : 0, ' ') + std::string(text);
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t at = 0, begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.find(' ', begin);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t wide = columns(word);
    if (at > indent && at + 1 + wide > width) {
      out += '\n';
      out.append(indent, ' ');
      at = indent;
    } else if (begin > 0) {
      out += ' ';
      ++at;
    }
    out += word;
    at += wide;
    begin = end + 1;
  }
  return out;
}

namespace {

std::string drawn(std::string_view text) { return wrapped(text, static_cast<std::size_t>(terminal_width() - 1), 6); }
std::size_t rows(std::string_view text) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Formats bold text in which each line erases the rest of the screen line, so that it overwrites earlier text.
std::string over_another(const std::string& text) {
  std::string out;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find('\n', begin);
    out += coloured(Colour::bold, std::string_view(text).substr(begin, end - begin)) + "\x1b[K\n";
  }
  return out;
}

}   // namespace

void StatusLine::show(std::string_view text) {
  const std::string whole = drawn(text);
  fmt::print("\n{}\n", coloured(Colour::bold, whole));
  rows_ = rows(whole);
  below_ = 0;
}

std::string StatusLine::below(std::string_view text, std::size_t indent) {
  std::string whole = wrapped(text, static_cast<std::size_t>(terminal_width() - 1) - indent, indent);
  below_ += rows(whole);
  return whole;
}

void StatusLine::redraw(std::string_view text) {
  std::string whole = drawn(text);
  if (!moves_cursor() || rows(whole) > rows_ || rows_ + below_ >= terminal_height()) return;
  whole.append(rows_ - rows(whole), '\n');
  fmt::print(
      "\x1b"
      "7\x1b[{}A\r{}\x1b"
      "8",
      rows_ + below_, over_another(whole));
  std::fflush(stdout);
}

std::string plural(std::size_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string with_commas(std::uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::min(seconds, 1e15));
  if (whole < 120) return fmt::format("{} s", whole);
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", with_commas(whole / 3600), whole / 60 % 60);
}

ProgressBar::ProgressBar(std::uint64_t total, std::string of)
    : total_(total), of_(std::move(of)), terminal_(is_terminal(STDERR_FILENO)) {}

void ProgressBar::show(std::uint64_t done, std::string_view note) {
  if (!terminal_ || total_ == 0) return;
  winsize size{};
  const int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 80;
  const double share = double(std::min(done, total_)) / double(total_);
  std::string text = fmt::format(" {:>3} % {:>13} {}", static_cast<int>(100 * share), with_commas(done), of_);
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (elapsed > 1 && share > 0 && share < 1) text += fmt::format(", {} left", duration(elapsed / share - elapsed));
  if (!note.empty() && static_cast<int>(columns(text) + columns(note)) + 12 <= width) text += fmt::format("; {}", note);
  const int space = std::clamp(width - static_cast<int>(columns(text)) - 1, 4, 60);
  const int full = static_cast<int>(double(space) * share);
  std::string bar;
  for (int i = 0; i < space; ++i) bar += i < full ? "█" : "░";
  fmt::print(stderr, "\r{}{}\x1b[K", bar, text);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

void print_without_effect(const std::vector<std::string>& rules) {
  constexpr std::size_t kMost = 10;
  if (rules.empty()) return;
  fmt::print("{} had no effect in random games:\n", plural(rules.size(), "rule"));
  for (std::size_t i = 0; i < rules.size() && i < kMost; ++i) fmt::print("  {}\n", rules[i]);
  if (rules.size() > kMost) fmt::print("  and {} more\n", rules.size() - kMost);
}

}   // namespace cardwright::cli
