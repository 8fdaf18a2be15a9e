// `cardwright play` is a line-based terminal client of a Table, for one or more people and bots. The Table determines
// whose turn it is, undoes choices, runs races and hides simultaneous answers; this file handles the screen, the clock
// and the save file.
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/bots.hpp"
#include "cardwright/saved_game.hpp"
#include "cardwright/theme.hpp"
#include "cardwright/tools.hpp"
#include "tools/cli/arguments.h"
#include "tools/cli/menu.h"
#include "tools/cli/save_file.h"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

struct PlayArguments : TableArguments {
  std::string seat;   // "a", or "a,c" for several people at one keyboard
  bool hot_seat = false;
  std::uint64_t seed = 0;
  bool seeded = false;
  std::string bots = "think";
  std::uint64_t milliseconds = 200, iterations = 0;
  std::uint64_t time_factor = 1;
  std::string resume, journal;
};

std::uint64_t fresh_seed() {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
    throw api::Error(api::Blame::internal, "the system does not provide random numbers");
  return seed;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find('\n', begin);
    out.emplace_back(text.substr(begin, end - begin));
  }
  return out;
}

// Colors the symbols of players in this row of a board, which can have more text behind it.
std::string tinted(const api::TablePart& board, std::size_t row, const std::string& line) {
  constexpr Colour kSeats[] = {Colour::red, Colour::blue, Colour::green, Colour::yellow, Colour::magenta, Colour::cyan};
  std::vector<std::size_t> starts;   // of each column, in bytes
  for (std::size_t at = 0; at < line.size(); ++at)
    if ((line[at] & 0xC0) != 0x80) starts.push_back(at);
  starts.push_back(line.size());
  std::string out;
  std::size_t done = 0;
  for (const api::TablePart::Ink& ink : board.inks) {
    if (ink.row != row || ink.column + ink.length >= starts.size() ||
        static_cast<std::size_t>(ink.seat) >= std::size(kSeats))
      continue;
    const std::size_t begin = starts[ink.column], end = starts[ink.column + ink.length];
    out += line.substr(done, begin - done) + coloured(kSeats[ink.seat], line.substr(begin, end - begin));
    done = end;
  }
  return out + line.substr(done);
}

// Arranges the text of a table to the right of its board, and continues the text below the board. Returns an empty list
// if there is not exactly one board, if it takes less than a third of the screen height, or if it leaves too little
// width.
std::vector<std::string> table_beside_board(const std::vector<api::TablePart>& parts, std::size_t width,
                                            std::size_t height) {
  constexpr std::size_t kLeast = 34, kGap = 2;
  const auto is_drawn = [](const api::TablePart& part) { return part.drawn; };
  const auto board = std::find_if(parts.begin(), parts.end(), is_drawn);
  if (height == 0 || board == parts.end() || std::count_if(parts.begin(), parts.end(), is_drawn) > 1 ||
      3 * board->lines.size() < height)
    return {};
  std::size_t across = 0;
  for (const std::string& row : board->lines) across = std::max(across, columns(row));
  if (across + kGap + kLeast > width) return {};
  std::vector<std::string> words, right, rows;
  for (const api::TablePart& part : parts)
    if (!part.drawn) words.insert(words.end(), part.lines.begin(), part.lines.end());
  words.push_back(fmt::format("{}", fmt::join(board->legend, ", ")));
  auto next = words.begin();
  for (; next != words.end(); ++next) {
    std::vector<std::string> more = lines_in(wrapped(*next, width - across - kGap, 2));
    if (right.size() + more.size() > board->lines.size()) break;
    right.insert(right.end(), more.begin(), more.end());
  }
  for (std::size_t i = 0; i < board->lines.size(); ++i)
    rows.push_back(
        tinted(*board, i, i < right.size() ? padded(board->lines[i], across + kGap) + right[i] : board->lines[i]));
  for (; next != words.end(); ++next)
    for (std::string& row : lines_in(wrapped(*next, width, 6))) rows.push_back(std::move(row));
  return rows;
}

// One game between the people at `seats` and bots. With several people, the screen is cleared before it is another
// person's turn to decide, so that players see only their own hidden information.
class Play {
 public:
  // Continues the game of this journal, which `file` contains; an empty journal begins a new game.
  Play(const api::Game& game, const PlayArguments& arguments, std::vector<int> seats, std::uint64_t seed,
       const std::vector<api::TableEntry>& journal, SaveFile file);

  // Saves the game in a new file, which contains the given data and the table's journal.
  void save_in(const std::string& path, api::SavedGame saved);
  int run();

 private:
  enum class Answer { chosen, again, quit };

  // A simultaneous question at one keyboard. All players are called to the screen in seat order, even players with
  // nothing to answer, so that no player learns who decides.
  struct Round {
    bool open = false;
    std::uint64_t pending = 0, rules_state = 0, in = 0;   // `in` is the mask of players to call
    int next = 0;   // the next seat to call
  };

  // ---- the table
  api::TableSettings settings(const api::Game& game) const;
  std::int64_t now() const;
  void settle();
  void send(int seat, nlohmann::json message);
  void choose(int seat, std::int64_t id);
  void pass_time();
  int next_wait() const;
  int asked_seat() const;
  const api::Game& game() const { return table_.game(); }
  // Returns the State with the pending question, which includes the seat's own answers that others may not know yet.
  const api::State& state() const { return question_ ? question_->state : table_.state(); }
  const api::Log& log() const { return table_.log(); }

  void think();
  std::size_t search(const api::BotTask& task);
  api::BotSettings bot_settings(const api::BotTask& task) const;
  bool call_players_without_options();
  bool forced();
  bool read_enter();
  bool wait_for_enter(std::string_view words);
  bool turn();
  bool show_information(std::string_view word, std::string_view rest);
  void offer();
  // Runs a race, in which the person can act at any time. Returns false to quit.
  bool race();
  bool act(std::string_view line);
  Answer ask();
  std::optional<std::string> read_answer(bool& time_is_up);
  Answer command(std::string_view line);
  void show_question();
  void show_table();
  void show_options(std::size_t rows);
  bool show_filtered(std::string_view part);
  std::string clock_line();
  void show_news();
  void show_lines(const std::vector<std::string>& lines);
  void show_rules();
  void show_goal();
  void show_scores();
  void show_log();
  void show_why(std::string_view what);
  void show_card(std::string_view name);
  void show_help();
  void show_end();
  void undo();
  bool hand_over(int seat);
  bool update_round();
  bool call_players_before(int seat);
  void open_round(int next);
  bool is_person(int seat) const { return std::find(seats_.begin(), seats_.end(), seat) != seats_.end(); }
  bool several() const { return seats_.size() > 1; }
  std::size_t& shown_entries() { return shown_entries_[static_cast<std::size_t>(seat_)]; }
  void save(std::string_view path);
  std::vector<std::string> table_rows(int seat) const;
  void print_table(int seat) {
    for (const std::string& row : table_rows(seat)) fmt::print("{}\n", row);
  }
  void say(const std::string& line) {
    fmt::print("{}\n", wrapped(line, static_cast<std::size_t>(terminal_width()), 6));
  }
  void print_path();

  const PlayArguments& arguments_;
  std::vector<int> seats_;   // seats of people
  int seat_;   // the seat that currently sees the screen; -1: none yet
  std::uint64_t seed_;
  // Time that does not count for deadlines: while people are called to the keyboard, and while bots think outside
  // races.
  std::chrono::steady_clock::duration idle_{};
  api::Table table_;
  SaveFile file_;
  std::vector<api::BotTask> tasks_;
  std::optional<api::TableQuestion> question_;   // the question on the screen
  std::string refused_;   // the reason why the table refused the last command; empty if it did not
  const api::Omitted omitted_;   // what the theme hides
  // The last choice in a phase, if a person made it: later questions of its effects, such as a payment, belong to it.
  std::string purpose_;
  int purpose_seat_ = -1;
  std::vector<std::int64_t> chosen_;   // the options that seat_ took since the last command
  std::atomic<bool> quitting_{false};   // set when the person quits while a bot searches
  std::vector<std::size_t> shown_entries_;   // number of log entries already shown, by seat
  Menu menu_;
  int menu_seat_ = -1;   // the seat for which the menu was last filled
  std::size_t called_entries_ = 0;   // number of log entries for which all players were called
  bool shown_ = false;   // the screen shows the current state of the race
  StatusLine clock_;
  Round round_;
  bool menu_is_of_race_ = false;   // the menu belongs to the open race
};

// ---- the table

constexpr api::DeviceId kDevice = 1;

Play::Play(const api::Game& game, const PlayArguments& arguments, std::vector<int> seats, std::uint64_t seed,
           const std::vector<api::TableEntry>& journal, SaveFile file)
    : arguments_(arguments),
      seats_(std::move(seats)),
      seat_(seats_.size() == 1 ? seats_[0] : -1),
      seed_(seed),
      table_(journal.empty() ? api::Table(game, settings(game), now())
                             : api::Table(game, settings(game), journal, now())),
      file_(std::move(file)),
      omitted_(api::look_of(game).hidden),
      shown_entries_(static_cast<std::size_t>(game.players()), 0) {
  table_.connect(kDevice, {.seats = seats_, .host = true}, {}, now());
  settle();
  if (journal.empty()) return;
  const int seat = asked_seat();
  if (several() && table_.state().still_to_answer() != 0) open_round(seat < 0 ? game.players() : seat);
  called_entries_ = log().size();
  for (const int one : seats_)
    shown_entries_[static_cast<std::size_t>(one)] = log().lines(one).size() > 12 ? log().size() : 0;
}

api::TableSettings Play::settings(const api::Game& game) const {
  api::TableSettings out;
  out.seed = seed_;
  out.started = true;
  out.one_device = true;
  out.time_factor = static_cast<int>(arguments_.time_factor);
  const bool thinks = arguments_.bots == "think" && arguments_.iterations == 0;
  out.bot_seconds = thinks ? double(arguments_.milliseconds) / 1000 : 0;
  out.random = fresh_seed;
  for (int seat = 0; seat < game.players(); ++seat)
    out.seats.push_back(is_person(seat) ? api::SeatHolder::person : api::SeatHolder::bot);
  return out;
}

std::int64_t Play::now() const {
  const auto passed = std::chrono::steady_clock::now().time_since_epoch() - idle_;
  return std::chrono::duration_cast<std::chrono::microseconds>(passed).count();
}

// Processes the output of the table: saves the new entries, then takes the tasks of bots and the reply to a command.
void Play::settle() {
  question_.reset();
  const api::TableOutput out = table_.take();
  file_.add(out.journal);
  for (const api::TableEntry& entry : out.journal)
    if (entry.kind == api::TableEntry::Kind::choose && entry.seat == seat_) chosen_.push_back(entry.id);
  for (const api::TableMessage& message : out.messages) {
    if (message.text->find("\"refused\"") == std::string::npos) continue;
    const auto json = nlohmann::json::parse(*message.text);
    if (json.at("k") == "refused") refused_ = json.at("because");
  }
  for (api::BotTask& task : table_.take_tasks()) tasks_.push_back(std::move(task));
}

void Play::send(int seat, nlohmann::json message) {
  message["seat"] = seat;
  refused_.clear();
  chosen_.clear();
  table_.receive(kDevice, message.dump(), now());
  settle();
}

void Play::choose(int seat, std::int64_t id) {
  if (const api::State& asked = state(); asked.question().flow) {
    purpose_seat_ = seat;
    for (std::size_t i = 0; i < asked.legal_count(); ++i)
      if (asked.legal()[i] == id) purpose_ = asked.option(i).words;
  }
  send(seat, {{"k", "choose"}, {"q", question_->q}, {"id", id}});
}

void Play::pass_time() {
  chosen_.clear();
  table_.pass_time(now());
  settle();
}

// Returns the number of milliseconds until the next deadline of the table, or -1 if there is none. The maximum is 250,
// so that signals are noticed.
int Play::next_wait() const {
  const std::int64_t due = table_.next_due();
  return due < 0 ? -1 : static_cast<int>(std::clamp<std::int64_t>((due - now()) / 1000 + 1, 0, 250));
}

// Returns the person to ask next; -1 if there is none. In a race, people who can act are not asked.
int Play::asked_seat() const {
  for (const int seat : seats_)
    if (const auto question = table_.question(seat); question && !question->race) return seat;
  return -1;
}

// ---- bots

// With an iteration limit, a bot makes the same choices on every machine.
api::BotSettings Play::bot_settings(const api::BotTask& task) const {
  constexpr int kTrees = 4;
  api::BotSettings settings = task.bot->settings();
  settings.seconds = std::min(task.seconds, double(arguments_.milliseconds) / 1000);
  settings.iterations = arguments_.iterations;
  settings.trees = arguments_.iterations != 0 ? kTrees : std::clamp(int(std::thread::hardware_concurrency()), 1, 64);
  settings.stop = &quitting_;
  return settings;
}

// Runs a bot's search on all cores, in the background, so that the person can quit during the search.
std::size_t Play::search(const api::BotTask& task) {
  if (arguments_.bots == "random") {
    const auto decision = static_cast<std::uint64_t>(task.state.decisions() * 64 + task.seat);
    return std::mt19937_64(seed_ + decision * 0x9e3779b97f4a7c15)() % task.state.legal_count();
  }
  task.bot->set(bot_settings(task));
  auto choice = std::async(std::launch::async, [&] { return task.bot->choose(task.state); });
  while (choice.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
    if (interrupted()) quitting_ = true;
  return choice.get();
}

void Play::think() {
  const api::BotTask task = std::move(tasks_.front());
  tasks_.erase(tasks_.begin());
  const auto start = std::chrono::steady_clock::now();
  const std::size_t index = search(task);
  if (!task.state.waits_for_clock() && task.state.question().flow) purpose_.clear();
  if (!table_.state().race().open) idle_ += std::chrono::steady_clock::now() - start;
  if (quitting_) return;   // after an interrupt, the choice is dropped
  table_.answer_task(task.number, index, now());
  settle();
}

// ---- the screen

void Play::show_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (line.starts_with("— "))
      fmt::print("{}\n", coloured(Colour::bold, "—" + line));
    else
      fmt::print("  {} {}\n", coloured(Colour::dim, "·"),
                 wrapped(line, static_cast<std::size_t>(terminal_width() - 4), 6));
  }
}

void Play::show_news() {
  show_lines(log().lines(seat_, shown_entries(), shown_entries() > 0,
                         omitted_));   // at first, the table shows all initial positions
  shown_entries() = log().size();
}

// Arranges the parts of the table from top to bottom. If a tall board would scroll off the screen, the other parts are
// placed beside it.
std::vector<std::string> Play::table_rows(int seat) const {
  const std::vector<api::TablePart> parts = state().table_in_parts(seat, omitted_);
  const auto width = static_cast<std::size_t>(terminal_width());
  if (auto rows = table_beside_board(parts, width, terminal_height()); !rows.empty()) return rows;
  std::vector<std::string> rows;
  for (const api::TablePart& part : parts) {
    const std::vector<std::string> lines = part.lines_with_legend();
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (part.drawn)   // rows of a board are never wrapped
        rows.push_back(tinted(part, i, lines[i]));
      else
        for (std::string& row : lines_in(wrapped(lines[i], width, 6))) rows.push_back(std::move(row));
  }
  return rows;
}

void Play::show_table() {
  fmt::print("\n");
  print_table(seat_);
  if (state().race().open) clock_.show(clock_line());
}

// Formats the time of the race and its running timers.
std::string Play::clock_line() {
  const std::int64_t now = table_.race_time(this->now());
  std::string line = fmt::format("{:.1f} s", double(now) / 1e6);
  for (const std::string& what : state().running_in_words(now)) line += "; " + what;
  return line;
}

std::vector<api::Option> options_of(const api::State& state) {
  std::vector<api::Option> options;
  for (std::size_t i = 0; i < state.legal_count(); ++i) options.push_back(state.option(i));
  return options;
}

// Fills the menu with the options of the pending question. The picks of one set count as one question.
void Play::offer() {
  const api::Question question = state().question();
  menu_.offer(options_of(state()),
              question.picked > 0 && menu_seat_ == question.player ? Menu::When::next_pick : Menu::When::question);
  menu_seat_ = question.player;
}

std::string spaced(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

void Play::show_options(std::size_t rows) {
  fmt::print("{}", menu_.shown(static_cast<std::size_t>(terminal_width()), rows));
}

// Lists the options that contain this text. Returns false if there are none.
bool Play::show_filtered(std::string_view part) {
  const std::string found = menu_.filtered(part, static_cast<std::size_t>(terminal_width()));
  fmt::print("{}", found);
  return !found.empty();
}

void Play::show_question() {
  const api::Question question = state().question();
  std::string title = question.prompt.empty() ? spaced(question.window) : question.prompt;
  if (title.empty()) title = "your choice";
  const std::string hurry =
      question.within < 0 ? ""
                          : fmt::format("  ({:g} s)", double(question.within) * double(arguments_.time_factor) / 1e6);
  fmt::print("\n{}{}{}\n",
             coloured(Colour::bold, wrapped(fmt::format("{}: {}", api::Game::seat_name(seat_), title),
                                            static_cast<std::size_t>(terminal_width()), 3)),
             !question.prompt.empty() && !question.window.empty()
                 ? coloured(Colour::dim, "  (" + spaced(question.window) + ")")
                 : "",
             coloured(Colour::dim, hurry));
  if (!question.flow && !purpose_.empty() && purpose_seat_ == seat_)
    fmt::print("{}\n",
               coloured(Colour::dim, wrapped("   for: " + purpose_, static_cast<std::size_t>(terminal_width()), 6)));
  if (question.picked > 0)
    say(fmt::format("   picked {}{}: {}", question.picked,
                    question.wanted >= 0 && question.wanted < 1000 ? fmt::format(" of {}", question.wanted) : "",
                    question.picks));
  const std::size_t above = 5 + table_rows(seat_).size();   // question, picks and prompt
  const std::size_t height = terminal_height();
  show_options(height == 0 ? 0 : height > above + 3 ? height - above : 3);
}

void Play::show_log() { show_lines(log().lines(seat_)); }

void Play::show_rules() {
  fmt::print("{}, {}\n", coloured(Colour::bold, game().title()),
             plural(static_cast<std::size_t>(game().players()), "player"));
  for (const std::string& line : game().rules_in_words())
    if (line.ends_with(':'))
      fmt::print("{}\n", coloured(Colour::bold, line));
    else
      say("  " + line);
}

void Play::show_goal() {
  const auto goals = state().goals(seat_);
  if (goals.empty()) fmt::print("the rules do not describe how the game ends\n");
  for (const std::string& goal : goals) say("  " + goal);
}

// Prints each player's score, highest first.
void Play::show_scores() {
  if (!game().has_payoff()) return;
  std::vector<std::pair<std::int64_t, int>> scores;
  for (const std::int64_t score : state().returns()) scores.emplace_back(-score, static_cast<int>(scores.size()));
  std::sort(scores.begin(), scores.end());
  fmt::print("\n{}\n", coloured(Colour::bold, "Scores"));
  for (const auto& [score, seat] : scores)
    fmt::print("  {:>6}  {}{}\n", -score, api::Game::seat_name(seat), !several() && seat == seat_ ? " (you)" : "");
}

void Play::show_why(std::string_view what) {
  if (what.empty()) {
    fmt::print("usage: why NAME, with the name of a card or action\n");
    return;
  }
  const auto answers = state().why(seat_, what);
  if (answers.empty()) fmt::print("unknown card or action `{}`\n", what);
  for (const std::string& answer : answers) say("  " + answer);
}

void Play::show_card(std::string_view name) {
  if (name.empty()) {
    fmt::print("usage: card NAME, with the name of a card or character\n");
    return;
  }
  const auto lines = game().printed_on(name);
  if (lines.empty()) fmt::print("unknown card or character `{}`\n", name);
  for (const std::string& line : lines) say("  " + line);
}

void Play::show_help() {
  fmt::print(
      "  NUMBER       choose that option (or type its text; case and punctuation are ignored)\n"
      "  PART         list the options with words that begin like this: `king e` lists `King to e4`\n"
      "  options      list all options; `options PART` lists those with PART, even if PART is also a command\n"
      "  why CARD     explain why a card in your hand or an action cannot be used now\n"
      "  card NAME    show the text of a card or character\n"
      "  rules        show the cards, the possible actions and the end of the game, as described in the rules\n"
      "  goal         show how the game ends, and your role\n"
      "  look         show the table again\n"
      "  log          show all events that you know of\n"
      "  undo         return to your previous decision\n"
      "  save [FILE]  show the file to which every choice is saved; with FILE, copy it\n"
      "  quit         quit (as does the end of input); the game can be resumed\n");
}

void Play::undo() {
  if (several()) {
    fmt::print("undo is not available with several people at one keyboard\n");
    return;
  }
  purpose_.clear();
  send(seat_, {{"k", "undo"}});
  if (!refused_.empty()) {
    fmt::print("cannot undo: {}\n", refused_);
    return;
  }
  shown_entries() = std::min(shown_entries(), log().size());
  fmt::print("returned to your previous decision\n");
}

void Play::save(std::string_view path) {
  if (!file_.is_open()) {
    fmt::print("cannot save: this game has no file\n");
    return;
  }
  try {
    if (!path.empty()) file_.copy_to(std::string(path));
    fmt::print("saved in {}; `cardwright play --resume {}` continues the game\n", path.empty() ? file_.path() : path,
               path.empty() ? file_.path() : path);
  } catch (const api::Error& error) {
    fmt::print("{}\n", error.what());
  }
}

// Runs a command that only prints information. Such commands are also available in races. Returns false for other
// commands.
bool Play::show_information(std::string_view word, std::string_view rest) {
  if (word == "log")
    show_log();
  else if (word == "why")
    show_why(rest);
  else if (word == "card")
    show_card(rest);
  else if (word == "rules")
    show_rules();
  else if (word == "goal")
    show_goal();
  else if (word == "options" && rest.empty())
    show_options(0);
  else if (word == "options") {
    if (!show_filtered(rest)) fmt::print("no option contains `{}`\n", rest);
  } else
    return false;
  return true;
}

Play::Answer Play::command(std::string_view line) {
  const auto blank = line.find(' ');
  const std::string word = lower(line.substr(0, blank));
  const std::string_view rest = blank == std::string_view::npos ? "" : trimmed(line.substr(blank));
  if (line.empty()) return Answer::again;
  const Menu::Found found = menu_.find(line);
  if (found.id) {
    choose(seat_, *found.id);
    if (!refused_.empty()) fmt::print("{}\n", refused_);
    return Answer::chosen;
  }
  if (!found.answer.empty())
    fmt::print("{}\n", found.answer);
  else if (word == "quit" || word == "exit" || word == "q")
    return Answer::quit;
  else if (word == "help" || word == "?" || word == "h")
    show_help();
  else if (word == "look")
    show_table(), show_question();
  else if (word == "save")
    save(rest);
  else if (word == "undo") {
    undo();
    return Answer::chosen;
  } else if (!show_information(word, rest) && !show_filtered(line))
    fmt::print("unknown option or command `{}`; `help` lists the commands\n", line);
  return Answer::again;
}

// Waits for Enter; this time does not count for deadlines. Returns false at the end of input.
bool Play::read_enter() {
  const auto start = std::chrono::steady_clock::now();
  const bool there = read_line().has_value();
  idle_ += std::chrono::steady_clock::now() - start;
  return there;
}

// Hands the screen over to another person. Returns false at the end of input.
bool Play::hand_over(int seat) {
  if (seat == seat_) return true;
  clear_screen();
  fmt::print("\nSeat {}: press Enter when only you can see the screen. ",
             coloured(Colour::bold, api::Game::seat_name(seat)));
  std::fflush(stdout);
  const bool there = read_enter();
  fmt::print("\n");
  clear_screen();
  seat_ = seat;
  return there;
}

bool Play::wait_for_enter(std::string_view words) {
  fmt::print("\n{}: {}; press Enter. ", coloured(Colour::bold, api::Game::seat_name(seat_)), words);
  std::fflush(stdout);
  return read_enter();
}

// Also calls the players without options to the screen, so that the calls don't reveal who has options. Returns false
// at the end of input.
bool Play::call_players_without_options() {
  const std::vector<int> called = log().without_options(called_entries_);
  called_entries_ = log().size();
  for (const int seat : called)
    if (is_person(seat) && seat != seat_ && (!hand_over(seat) || !wait_for_enter("you have no decision to make")))
      return false;
  return true;
}

// Handles a decision with a single option. If other players cannot know that there is only one option, the player is
// called to the screen as for a real choice.
bool Play::forced() {
  const std::string words = state().option(0).words;
  if (!several()) {
    fmt::print("  {} only option: {}\n", coloured(Colour::dim, "·"), words);
  } else if (state().question().hidden_basis && state().actor() != seat_) {
    if (!hand_over(state().actor())) return false;
    show_news();
    show_table();
    if (!wait_for_enter(fmt::format("only option: {}", words))) return false;
  }
  choose(state().actor(), state().option(0).id);
  return true;
}

void Play::open_round(int next) {
  const api::State& asked = table_.state();
  round_ = {true, asked.still_to_answer(), asked.hash(), 0, next};
  for (const int seat : seats_) round_.in |= std::uint64_t{asked.is_in(seat)} << seat;
}

// Calls the players before `seat` who do not have to decide. Returns false at the end of input.
bool Play::call_players_before(int seat) {
  for (; round_.next < seat; ++round_.next) {
    if (!(round_.in >> round_.next & 1)) continue;
    if (!hand_over(round_.next)) return false;
    if (!wait_for_enter("you have no decision to make")) return false;
  }
  return true;
}

// Updates the round of calls for the pending question. Returns false at the end of input.
bool Play::update_round() {
  const std::uint64_t pending = table_.state().still_to_answer();
  const bool same =
      round_.open && pending != 0 && (pending & ~round_.pending) == 0 && table_.state().hash() == round_.rules_state;
  if (round_.open && !same) {
    round_.open = false;
    if (!call_players_before(game().players())) return false;
  }
  const int seat = asked_seat();
  if (pending == 0 || seat < 0) return true;
  if (!round_.open) open_round(0);
  round_.pending = pending;
  if (!call_players_before(seat)) return false;
  round_.next = std::max(round_.next, seat + 1);
  return true;
}

// Reads a line while the table's clock runs. Returns nullopt if the question is closed because its time is up, and at
// the end of input.
std::optional<std::string> Play::read_answer(bool& time_is_up) {
  const std::int64_t q = question_->q;
  for (bool at_end = false; !at_end && !interrupted();) {
    const int wait = next_wait();
    if (wait < 0) return read_line();
    if (auto line = read_line_within(wait, at_end)) return line;
    if (table_.next_due() > now()) continue;
    pass_time();
    while (!tasks_.empty() && !quitting_) think();
    question_ = table_.question(seat_);
    time_is_up = !question_ || question_->q != q;
    if (time_is_up) return std::nullopt;
  }
  return std::nullopt;
}

Play::Answer Play::ask() {
  for (;;) {
    fmt::print("{} ", coloured(Colour::bold, ">"));
    std::fflush(stdout);
    bool time_is_up = false;
    const auto line = read_answer(time_is_up);
    if (time_is_up) {
      std::string words;
      for (const std::int64_t id : chosen_) words += (words.empty() ? "" : ", ") + game().option(id).words;
      fmt::print("\n  time is up{}{}\n", words.empty() ? "" : ": ", words);
      return Answer::chosen;
    }
    if (!line) {
      fmt::print("\n");
      return Answer::quit;
    }
    if (const Answer answer = command(trimmed(*line)); answer != Answer::again) return answer;
  }
}

// ---- races

bool Play::race() {
  if (table_.next_due() >= 0 && table_.next_due() <= now()) {
    pass_time();
    shown_ = shown_ && shown_entries() == log().size();
    return true;
  }
  const auto acts = table_.question(seat_);
  menu_.offer(acts ? options_of(acts->state) : std::vector<api::Option>{},
              menu_is_of_race_ ? Menu::When::race : Menu::When::question);
  menu_is_of_race_ = true;
  if (!shown_) {
    show_table();
    for (const Menu::Label& one : menu_.labels())
      fmt::print("  {}  {}\n", coloured(Colour::yellow, one.number), clock_.below(one.words, 7));
    std::fflush(stdout);
    shown_ = true;
  }
  clock_.redraw(clock_line());
  bool at_end = false;
  const int wait = next_wait();
  const auto line = read_line_within(wait < 0 ? 250 : wait, at_end);
  if (at_end) return false;
  return !line || act(trimmed(*line));
}

// Handles a line typed during a race. Returns false to quit.
bool Play::act(std::string_view line) {
  clock_.leave();
  const std::string word = lower(line.substr(0, line.find(' ')));
  const Menu::Found found = menu_.find(line);
  if (!found.id) {
    if (!found.answer.empty()) {
      fmt::print("too late: {}\n", found.answer);
      return true;
    }
    if (word == "quit" || word == "exit" || word == "q") return false;
    if (word == "help")
      fmt::print(
          "  NUMBER   take that option now (or type its text); an option keeps its number while the race runs\n"
          "  PART     list the options with words that begin like this\n"
          "  log, look, options, why NAME, card NAME, rules, goal, quit; undo is not available in a race\n");
    else if (word == "look" || line.empty())
      shown_ = false;
    else if (!show_information(word, trimmed(line.substr(std::min(line.size(), word.size())))) && !show_filtered(line))
      fmt::print("unknown option or command `{}`; `help` lists the commands\n", line);
    return true;
  }
  send(seat_, {{"k", "act"}, {"id", *found.id}});
  while (!tasks_.empty() && !quitting_) think();   // bots whose decisions were due before the action
  if (refused_.empty())
    shown_ = false;
  else
    fmt::print("{}{}\n", refused_.starts_with("too late") ? "" : "not possible now: ", refused_);
  return true;
}

void Play::show_end() {
  fmt::print("\n{}{}\n", coloured(Colour::bold, "The game is over."),
             state().ending_for_people().empty() ? "" : " " + state().ending_for_people() + ".");
  if (state().failure()) {
    fmt::print("{}\n", coloured(Colour::red, "Error in a rule: " + state().failure()->text()));
    for (const std::string& level : state().failure()->stack) fmt::print("    in {}\n", level);
    return;
  }
  print_table(-1);
  std::string winners;
  bool won = false;
  for (const int seat : state().winners()) {
    winners += (winners.empty() ? "" : ", ") + api::Game::seat_name(seat);
    won = won || (!several() && seat == seat_);
  }
  show_scores();
  fmt::print("\n{}{}\n", winners.empty() ? "Nobody wins." : fmt::format("Winners: {}.", winners),
             won ? coloured(Colour::green, " You win!") : "");
}

void Play::save_in(const std::string& path, api::SavedGame saved) {
  saved.journal = table_.journal();
  saved.journal.erase(saved.journal.begin());   // the seed, which `saved` contains
  file_ = SaveFile::create(path, saved);
}

void Play::print_path() {
  if (file_.is_open()) fmt::print("Resume the game with: cardwright play --resume {}\n", file_.path());
}

// Runs one step of the game: a bot's choice, a person's decision, or a short wait. Returns false to quit.
bool Play::turn() {
  if (!tasks_.empty()) {
    think();
    return true;
  }
  const int seat = asked_seat();
  if (seat < 0) {
    if (table_.state().waits_for_clock() && seat_ >= 0) return race();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));   // a bot's pause
    pass_time();
    return true;
  }
  question_ = table_.question(seat);
  if (state().legal_count() == 1 && !round_.open) return forced();
  if (!hand_over(seat)) return false;
  if (several()) show_news();
  offer();
  show_table();
  show_question();
  return ask() != Answer::quit;
}

int Play::run() {
  std::string who;
  for (const int seat : seats_) who += (who.empty() ? "" : ", ") + api::Game::seat_name(seat);
  fmt::print("{}, {}; you are {}. `help` lists the commands.\n", coloured(Colour::bold, game().title()),
             plural(static_cast<std::size_t>(game().players()), "player"), who);
  while (!table_.state().is_over()) {
    if (interrupted()) {
      fmt::print("\n");
      print_path();
      return kFine;
    }
    if (!several()) show_news();
    std::fflush(stdout);
    if (!table_.state().race().open) menu_is_of_race_ = false;
    const bool continues = !several() || (call_players_without_options() && update_round());
    if (!continues || !turn()) {
      print_path();
      return kFine;
    }
  }
  if (several()) {
    if (!call_players_without_options() || !update_round()) return kFine;
    clear_screen();
    show_lines(log().lines(-2, seat_ < 0 ? 0 : shown_entries()));
  } else {
    show_news();
  }
  show_end();
  return state().failure() ? kAuthorErred : kFine;
}

// ---- setup

// Returns the name of a bundled game unchanged, and makes a path absolute, so that the game can be resumed from any
// folder.
std::string absolute_name(const std::string& game) {
  std::error_code none;
  return std::filesystem::exists(game, none) ? std::filesystem::absolute(game).string() : game;
}

int seat_number(const std::string& text, int players) {
  const int seat = text.size() == 1 ? std::tolower(static_cast<unsigned char>(text[0])) - 'a' : -1;
  if (seat < 0 || seat >= players)
    throw api::Error(api::Blame::caller, fmt::format("unknown seat `{}`; with {} players the seats are a to {}", text,
                                                     players, api::Game::seat_name(players - 1)));
  return seat;
}

// Parses "a", "a,c" or "ac". Without a value, returns the first seat, or all seats with --hot-seat.
std::vector<int> seats_of(const PlayArguments& arguments, int players) {
  std::vector<int> seats;
  std::string text = arguments.seat;
  std::erase_if(text, [](char c) { return c == ',' || c == ' '; });
  for (const char c : text) seats.push_back(seat_number(std::string(1, c), players));
  std::sort(seats.begin(), seats.end());
  seats.erase(std::unique(seats.begin(), seats.end()), seats.end());
  if (seats.empty())
    for (int seat = 0; seat < (arguments.hot_seat ? players : 1); ++seat) seats.push_back(seat);
  if (seats.size() > 1 && !arguments.hot_seat)
    throw api::Error(api::Blame::caller, "several seats need --hot-seat, with which people share one keyboard");
  return seats;
}

int play_new(PlayArguments& arguments) {
  if (arguments.game.empty()) throw api::Error(api::Blame::caller, "GAME or --resume FILE is required");
  const api::Ruleset rules = arguments.load();
  arguments.policies = {"bots"};
  const api::Game game = arguments.compile(rules);
  const std::vector<int> seats = seats_of(arguments, game.players());
  const std::uint64_t seed = arguments.seeded ? arguments.seed : fresh_seed();
  Play play(game, arguments, seats, seed, {}, {});
  const api::SavedGame saved{.game = absolute_name(arguments.game),
                             .configuration = {game.players(), arguments.configuration().options},
                             .fingerprint = game.fingerprint(),
                             .people = seats,
                             .seed = seed,
                             .time_factor = static_cast<int>(arguments.time_factor)};
  if (!arguments.journal.empty()) {
    play.save_in(arguments.journal, saved);
  } else {
    try {
      play.save_in(SaveFile::standard_path(rules.name()), saved);
    } catch (const api::Error& error) {
      fmt::print(stderr, "cardwright: {}; this game cannot be resumed\n", error.what());
    }
  }
  return play.run();
}

// Compiles the game that was saved.
api::Game saved_game(PlayArguments& arguments, const api::SavedGame& saved) {
  arguments.game = saved.game;
  arguments.players = saved.configuration.players;
  arguments.time_factor = static_cast<std::uint64_t>(saved.time_factor);
  arguments.with.clear();
  for (const auto& [name, value] : saved.configuration.options)
    arguments.with.push_back(value.empty() ? name : name + "=" + value);
  arguments.policies = {"bots"};
  const api::Game game = arguments.compile(arguments.load());
  if (game.fingerprint() != saved.fingerprint)
    throw api::Error(
        api::Blame::caller,
        fmt::format("{} was recorded with different rules: `{}` has changed since, so its choices may no longer match",
                    arguments.resume, saved.game));
  return game;
}

int play_on(PlayArguments& arguments) {
  auto [file, saved] = SaveFile::open(arguments.resume);
  if (file.is_open() && !arguments.journal.empty())
    throw api::Error(api::Blame::caller, "--journal cannot be combined with --resume, which continues its own file");
  // A game saved by a page does not contain the path of its rules.
  const bool is_of_page = saved.source == api::SavedGame::Source::page;
  if (is_of_page && !arguments.game.empty()) saved.game = absolute_name(arguments.game);
  if (!arguments.game.empty() && absolute_name(arguments.game) != saved.game)
    throw api::Error(api::Blame::caller, fmt::format("{} contains a game of `{}`, not of `{}`", arguments.resume,
                                                     saved.game, arguments.game));
  const api::Game game = saved_game(arguments, saved);
  if (saved.torn) fmt::print("the last line of {} was incomplete and has been dropped\n", arguments.resume);
  const bool in_place = file.is_open();
  std::unique_ptr<Play> play;
  try {
    play = std::make_unique<Play>(game, arguments, saved.people, saved.seed, api::complete_journal(saved, game),
                                  std::move(file));
  } catch (const api::Error& error) {
    throw api::Error(error.blame(), fmt::format("{} is damaged: {}", arguments.resume, error.what()));
  }
  if (!in_place)
    play->save_in(arguments.journal.empty() ? SaveFile::standard_path(game.name()) : arguments.journal, saved);
  return play->run();
}

}   // namespace

void add_play(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("play", "play against bots on the terminal");
  auto arguments = std::make_shared<PlayArguments>();
  command->add_option("GAME", arguments->game, "a .rules file, or the name of a bundled game such as splash");
  arguments->add_table(*command);
  command
      ->add_option("--seat", arguments->seat,
                   "your seat: a, b, c … (default: a); several with --hot-seat: a,c (default: all)")
      ->type_name("SEAT");
  command->add_flag("--hot-seat", arguments->hot_seat,
                    "let several people share one keyboard; each sees only their own view of the table");
  add_number(*command, "--seed", arguments->seed, "seed of the game", "random");
  command->add_option("--bots", arguments->bots, "how the other seats play: think, or random")
      ->check(CLI::IsMember({"think", "random"}))
      ->type_name("HOW")
      ->capture_default_str();
  add_number(*command, "--time-factor", arguments->time_factor, "make races and deadlines slower by this factor")
      ->check(CLI::Range(1, 1000));
  add_number(*command, "--think", arguments->milliseconds,
             "milliseconds that a bot thinks for each decision, on all cores")
      ->check(CLI::Range(std::uint64_t{0}, kMostMilliseconds));
  add_number(*command, "--iterations", arguments->iterations,
             "iterations of a bot for each decision, which give the same choices on every machine; 0: use --think")
      ->check(CLI::Range(std::uint64_t{0}, kMostIterations));
  command
      ->add_option("--journal", arguments->journal,
                   "save the game to this file (default: a file in ~/.local/state/cardwright)")
      ->type_name("FILE");
  command
      ->add_option("--resume", arguments->resume,
                   "continue the game in this file, which `play` or an exported page saved")
      ->type_name("FILE");
  arguments->add_engine(*command);
  command->footer("Every choice is saved to disk at once. `help` at the prompt lists the commands.");
  command->callback([&run, arguments, command] {
    arguments->seeded = command->count("--seed") > 0;
    need_text(*command, "--journal", arguments->journal, "file");
    need_text(*command, "--resume", arguments->resume, "file");
    need_text(*command, "--seat", arguments->seat, "seat");
    run = [arguments] {
      catch_signals();
      return arguments->resume.empty() ? play_new(*arguments) : play_on(*arguments);
    };
  });
}

}   // namespace cardwright::cli
