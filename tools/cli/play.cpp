// `cardwright play` runs a game on the terminal, line by line, for one or several people and bots.
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <future>
#include <thread>

#include <fmt/format.h>

#include "cardwright/bots.hpp"
#include "cardwright/tools.hpp"
#include "tools/cli/arguments.h"
#include "tools/cli/journal.h"
#include "tools/cli/menu.h"
#include "tools/cli/saved_game.h"
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

// Arranges the text of a table to the right of its board, and continues the text below the board. Returns an empty list
// if the board leaves too little width, or is so low that all text fits below it.
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
    rows.push_back(i < right.size() ? padded(board->lines[i], across + kGap) + right[i] : board->lines[i]);
  for (; next != words.end(); ++next)
    for (std::string& row : lines_in(wrapped(*next, width, 6))) rows.push_back(std::move(row));
  return rows;
}

// One game between the people at `seats` and bots. With several people, the screen is cleared before it is another
// person's turn to decide, so that players see only their own hidden information.
class Play {
 public:
  Play(api::Game game, const PlayArguments& arguments, std::vector<int> seats, std::uint64_t seed)
      : game_(std::move(game)),
        arguments_(arguments),
        seats_(std::move(seats)),
        seat_(seats_.size() == 1 ? seats_[0] : -1),
        seed_(seed),
        log_(game_),
        state_(game_.new_state(seed, 0, &log_, several() ? 0 : std::uint64_t{1} << seat_,
                               static_cast<int>(arguments.time_factor))),
        shown_entries_(static_cast<std::size_t>(game_.players()), 0) {
    for (int seat = 0; arguments_.bots == "think" && seat < game_.players(); ++seat)
      if (!is_person(seat)) bots_.emplace_back(game_, seat, bot_settings(seat));
  }

  void keep(Journal journal) { journal_ = std::move(journal); }
  void replay(const std::vector<std::int64_t>& choices);
  bool replay_mark(std::int64_t id);
  int run();

 private:
  struct Earlier {   // earlier decisions of the person, for `undo`
    api::State state;
    std::size_t choices, log;
    std::vector<api::Bot> bots;
  };
  enum class Answer { chosen, again, quit };
  // The deadline of an answer in a simultaneous question; all picks of one set share a deadline.
  struct Deadline {
    int seat = -1;
    std::uint64_t pending = 0, rules_state = 0;
    std::chrono::steady_clock::time_point at;
  };

  // A simultaneous question at one keyboard. Every player is called to the screen in order of seats, even players with
  // nothing to answer, so that no player learns who decides.
  struct Round {
    bool open = false;
    std::uint64_t pending = 0, rules_state = 0, in = 0;   // `in` is the mask of players to call
    int next = 0;   // the next seat to call
  };

  void step_bot();
  std::size_t think();
  api::BotSettings bot_settings(int seat) const;
  bool call_players_without_options();
  bool forced();
  bool wait_for_enter(std::string_view words);
  bool turn();
  bool show_information(std::string_view word, std::string_view rest);
  void offer();
  // Runs a race, in which the person can act at any time. Returns false to quit.
  bool race();
  bool act(std::string_view line);
  void run_clock(std::int64_t time);
  std::vector<api::Option> options_now() const;
  std::int64_t race_time();
  void apply(std::size_t index, bool record);
  Answer ask();
  bool set_deadline();
  std::optional<std::string> read_in_time(bool& time_is_up);
  Answer command(std::string_view line);
  void show_question();
  void show_table();
  void show_options(std::size_t rows);
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
  void print_journal_path();

  api::Game game_;
  const PlayArguments& arguments_;
  std::vector<int> seats_;   // seats of people
  int seat_;   // the seat that currently sees the screen; -1: none yet
  std::uint64_t seed_;
  api::Log log_;
  api::State state_;
  Journal journal_;
  std::vector<std::int64_t> choices_;
  std::vector<Earlier> earlier_;
  std::vector<api::Bot> bots_;   // one bot for each seat that searches
  std::atomic<bool> quitting_{false};   // set when the person quits while a bot searches
  std::vector<std::size_t> shown_entries_;   // number of log entries already shown, by seat
  Menu menu_;
  int menu_seat_ = -1;   // the seat for which the menu was last filled
  std::size_t called_entries_ = 0;   // number of log entries for which all players were called
  bool shown_ = false;   // the screen shows the current state of the race
  StandingLine clock_;
  Deadline deadline_;
  Round round_;
  std::chrono::steady_clock::time_point race_began_;
  bool menu_is_of_race_ = false;   // the menu belongs to the open race
  std::int64_t race_at_ = -1;   // race time at the last comparison with the clock
};

void Play::replay(const std::vector<std::int64_t>& choices) {
  for (const std::int64_t id : choices) {
    if (replay_mark(id)) {
      choices_.push_back(id);
      continue;
    }
    const auto options = state_.is_over() ? std::span<const std::int64_t>{} : state_.legal();
    const auto at = std::find(options.begin(), options.end(), id);
    if (at == options.end())
      throw api::Error(api::Blame::caller,
                       fmt::format("choice {} of the journal is not possible in this game", choices_.size() + 1));
    apply(static_cast<std::size_t>(at - options.begin()), false);
  }
  if (several() && state_.still_to_answer() != 0) open_round(state_.actor());
  called_entries_ = log_.size();
  for (const int seat : seats_)
    shown_entries_[static_cast<std::size_t>(seat)] = log_.lines(seat).size() > 12 ? log_.size() : 0;
}

// Replays an entry that is not a choice: a time, an acting player or a reseed. Returns false for choices and invalid
// entries.
bool Play::replay_mark(std::int64_t id) {
  if (is_reseed(id)) return state_.reseed(static_cast<std::uint64_t>(time_of(id))), true;
  if (id < 0 && state_.waits_for_clock()) {
    if (is_clock(id))
      state_.run_clock(time_of(id), &log_);
    else
      state_.arrive(player_of(id));
    return true;
  }
  return id < 0 && !is_clock(id) && !state_.is_over() && player_of(id) < game_.players() &&
         (state_.actor() == player_of(id) || (state_.still_to_answer() != 0 && state_.ask_first(player_of(id))));
}

void Play::apply(std::size_t index, bool record) {
  const std::int64_t id = state_.legal()[index];
  if (!several() && state_.actor() == seat_ && state_.legal_count() > 1 && !state_.race().open)
    earlier_.push_back({state_, choices_.size(), log_.size(), bots_});
  if (record) journal_.choose(id);
  choices_.push_back(id);
  for (api::Bot& bot : bots_) bot.saw(state_, id);
  state_.apply(index, &log_);
}

// Returns the settings of a bot. In a race, bots must not delay the clock for long. With an iteration limit, a bot
// makes the same choices on every machine.
api::BotSettings Play::bot_settings(int seat) const {
  constexpr double kInRace = 0.05;
  constexpr int kTrees = 4;
  const double seconds = double(arguments_.milliseconds) / 1000;
  api::BotSettings settings;
  settings.seconds = state_.race().open ? std::min(kInRace, seconds) : seconds;
  settings.iterations = arguments_.iterations;
  settings.seed = seed_ * 64 + static_cast<std::uint64_t>(seat);
  settings.trees = arguments_.iterations != 0 ? kTrees : std::clamp(int(std::thread::hardware_concurrency()), 1, 64);
  settings.stop = &quitting_;
  return settings;
}

// Runs a bot's search on all cores, in the background, so that the person can quit during the search.
std::size_t Play::think() {
  const auto at =
      std::find_if(bots_.begin(), bots_.end(), [&](const api::Bot& bot) { return bot.seat() == state_.actor(); });
  if (at == bots_.end()) return state_.random_index();
  at->set(bot_settings(at->seat()));
  auto choice = std::async(std::launch::async, [&] { return at->choose(state_); });
  while (choice.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
    if (interrupted()) quitting_ = true;
  return choice.get();
}

void Play::step_bot() {
  const std::size_t index = state_.legal_count() > 1 ? think() : 0;
  if (!quitting_) apply(index, true);   // after an interrupt, the choice is dropped
}

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
  show_lines(
      log_.lines(seat_, shown_entries(), shown_entries() > 0));   // at first, the table shows all initial positions
  shown_entries() = log_.size();
}

// Prints the parts of the table below each other, or beside a high board if the board would scroll off the screen.
std::vector<std::string> Play::table_rows(int seat) const {
  const std::vector<api::TablePart> parts = state_.table_in_parts(seat);
  const auto width = static_cast<std::size_t>(terminal_width());
  if (auto rows = table_beside_board(parts, width, terminal_height()); !rows.empty()) return rows;
  std::vector<std::string> rows;
  for (const std::string& line : state_.table_in_words(seat))   // rows of a board are never wrapped
    for (std::string& row : line.starts_with("  ") ? std::vector{line} : lines_in(wrapped(line, width, 6)))
      rows.push_back(std::move(row));
  return rows;
}

void Play::show_table() {
  fmt::print("\n");
  print_table(seat_);
  if (state_.race().open) clock_.show(clock_line());
}

// Formats the time of the race and its running timers.
std::string Play::clock_line() {
  const std::int64_t now = state_.waits_for_clock() ? race_time() : state_.race().time;
  std::string line = fmt::format("{:.1f} s", double(now) / 1e6);
  for (const std::string& what : state_.running_in_words(now)) line += "; " + what;
  return line;
}

// Fills the menu with the options of the pending question. The picks of one set count as one question.
void Play::offer() {
  const api::Question question = state_.question();
  std::vector<api::Option> options;
  for (std::size_t i = 0; i < state_.legal_count(); ++i) options.push_back(state_.option(i));
  menu_.offer(std::move(options),
              question.picked > 0 && menu_seat_ == question.player ? Menu::When::next_pick : Menu::When::anew);
  menu_seat_ = question.player;
}

std::string spaced(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

void Play::show_options(std::size_t rows) {
  fmt::print("{}", menu_.shown(static_cast<std::size_t>(terminal_width()), rows));
}

void Play::show_question() {
  const api::Question question = state_.question();
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
  if (question.picked > 0)
    say(fmt::format("   picked {}{}: {}", question.picked,
                    question.wanted >= 0 && question.wanted < 1000 ? fmt::format(" of {}", question.wanted) : "",
                    question.picks));
  const std::size_t above = 5 + table_rows(seat_).size();   // question, picks and prompt
  const std::size_t height = terminal_height();
  show_options(height == 0 ? 0 : height > above + 3 ? height - above : 3);
}

void Play::show_log() { show_lines(log_.lines(seat_)); }

void Play::show_rules() {
  fmt::print("{}, {}\n", coloured(Colour::bold, game_.title()),
             plural(static_cast<std::size_t>(game_.players()), "player"));
  for (const std::string& line : game_.rules_in_words())
    if (line.ends_with(':'))
      fmt::print("{}\n", coloured(Colour::bold, line));
    else
      say("  " + line);
}

void Play::show_goal() {
  const auto goals = state_.goals(seat_);
  if (goals.empty()) fmt::print("the rules do not describe how the game ends\n");
  for (const std::string& goal : goals) say("  " + goal);
}

// Prints each player's score, highest first.
void Play::show_scores() {
  if (!game_.has_payoff()) return;
  std::vector<std::pair<std::int64_t, int>> scores;
  for (const std::int64_t score : state_.returns()) scores.emplace_back(-score, static_cast<int>(scores.size()));
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
  const auto answers = state_.why(seat_, what);
  if (answers.empty()) fmt::print("unknown card or action `{}`\n", what);
  for (const std::string& answer : answers) say("  " + answer);
}

void Play::show_card(std::string_view name) {
  if (name.empty()) {
    fmt::print("usage: card NAME, with the name of a card or character\n");
    return;
  }
  const auto lines = game_.printed_on(name);
  if (lines.empty()) fmt::print("unknown card or character `{}`\n", name);
  for (const std::string& line : lines) say("  " + line);
}

void Play::show_help() {
  fmt::print(
      "  NUMBER       choose that option (or type its text; case and punctuation are ignored)\n"
      "  options      list all options\n"
      "  why CARD     explain why a card in your hand or an action cannot be used now\n"
      "  card NAME    show the text of a card or character\n"
      "  rules        show the cards, the possible actions and the end of the game, as described in the rules\n"
      "  goal         show how the game ends, and your role\n"
      "  look         show the table again\n"
      "  log          show all events that you can know\n"
      "  undo         return to your previous decision\n"
      "  save [FILE]  show the journal file, which every choice is saved to; with FILE, copy it\n"
      "  quit         quit (as does the end of input); the game can be resumed\n");
}

void Play::undo() {
  if (several()) {
    fmt::print("undo is not available with several people at one keyboard\n");
    return;
  }
  if (earlier_.empty()) {
    fmt::print("nothing to undo: this is your first decision\n");
    return;
  }
  Earlier& last = earlier_.back();
  journal_.back(last.choices);
  choices_.resize(last.choices);
  log_.cut(last.log);
  shown_entries() = std::min(shown_entries(), last.log);
  state_ = last.state;
  bots_ = last.bots;
  earlier_.pop_back();
  fmt::print("returned to your previous decision\n");
}

void Play::save(std::string_view path) {
  if (!journal_.is_open()) {
    fmt::print("cannot save: this game has no journal\n");
    return;
  }
  try {
    if (!path.empty()) journal_.copy_to(std::string(path));
    fmt::print("saved in {}; `cardwright play --resume {}` continues the game\n", path.empty() ? journal_.path() : path,
               path.empty() ? journal_.path() : path);
  } catch (const api::Error& error) {
    fmt::print("{}\n", error.what());
  }
}

// Runs a command that only prints information; these are also available in races. Returns false for other commands.
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
  else if (word == "options")
    show_options(0);
  else
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
    const auto ids = state_.legal();
    apply(static_cast<std::size_t>(std::find(ids.begin(), ids.end(), *found.id) - ids.begin()), true);
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
  } else if (!show_information(word, rest))
    fmt::print("unknown option or command `{}`; `help` lists the commands\n", line);
  return Answer::again;
}

// Hands the screen over to another person. Returns false at the end of input.
bool Play::hand_over(int seat) {
  if (seat == seat_) return true;
  clear_screen();
  fmt::print("\nSeat {}: press Enter when only you can see the screen. ",
             coloured(Colour::bold, api::Game::seat_name(seat)));
  std::fflush(stdout);
  const bool there = read_line().has_value();
  fmt::print("\n");
  clear_screen();
  seat_ = seat;
  return there;
}

bool Play::wait_for_enter(std::string_view words) {
  fmt::print("\n{}: {}; press Enter. ", coloured(Colour::bold, api::Game::seat_name(seat_)), words);
  std::fflush(stdout);
  return read_line().has_value();
}

// Calls also the players without options to the screen, so that the calls don't reveal who has options. Returns false
// at the end of input.
bool Play::call_players_without_options() {
  const std::vector<int> called = log_.without_options(called_entries_);
  called_entries_ = log_.size();
  for (const int seat : called)
    if (is_person(seat) && seat != seat_ && (!hand_over(seat) || !wait_for_enter("you have no decision to make")))
      return false;
  return true;
}

// Handles a decision with a single option. If other players cannot know that there is only one option, the player is
// called to the screen as for a real choice.
bool Play::forced() {
  const std::string words = state_.option(0).words;
  if (!several()) {
    fmt::print("  {} only option: {}\n", coloured(Colour::dim, "·"), words);
  } else if (state_.question().hidden_basis && state_.actor() != seat_) {
    if (!hand_over(state_.actor())) return false;
    show_news();
    show_table();
    if (!wait_for_enter(fmt::format("only option: {}", words))) return false;
  }
  apply(0, true);
  return true;
}

void Play::open_round(int next) {
  round_ = {true, state_.still_to_answer(), state_.hash(), 0, next};
  for (const int seat : seats_) round_.in |= std::uint64_t{state_.is_in(seat)} << seat;
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
  const std::uint64_t pending = state_.still_to_answer();
  const bool same =
      round_.open && pending != 0 && (pending & ~round_.pending) == 0 && state_.hash() == round_.rules_state;
  if (round_.open && !same) {
    round_.open = false;
    if (!call_players_before(game_.players())) return false;
  }
  if (pending == 0) return true;
  if (!round_.open) open_round(0);
  round_.pending = pending;
  if (!call_players_before(state_.actor())) return false;
  round_.next = std::max(round_.next, state_.actor() + 1);
  return true;
}

// Sets the deadline of the pending question. Returns false if it has none.
bool Play::set_deadline() {
  const std::int64_t within = state_.question().within;
  if (within < 0) return false;
  const Deadline now{seat_, state_.still_to_answer(), state_.hash(), {}};
  if (deadline_.seat == now.seat && deadline_.pending == now.pending && deadline_.rules_state == now.rules_state)
    return true;
  deadline_ = now;
  deadline_.at = std::chrono::steady_clock::now() +
                 std::chrono::microseconds(within * static_cast<std::int64_t>(arguments_.time_factor));
  return true;
}

// Reads a line before the deadline. Returns nullopt at the deadline and at the end of input.
std::optional<std::string> Play::read_in_time(bool& time_is_up) {
  for (bool at_end = false; !at_end && !interrupted();) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline_.at - std::chrono::steady_clock::now()).count();
    if (left <= 0) {
      time_is_up = true;
      return std::nullopt;
    }
    if (auto line = read_line_within(static_cast<int>(std::min<std::int64_t>(left, 250)), at_end)) return line;
  }
  return std::nullopt;
}

Play::Answer Play::ask() {
  const bool hurry = set_deadline();
  for (;;) {
    fmt::print("{} ", coloured(Colour::bold, ">"));
    std::fflush(stdout);
    bool time_is_up = false;
    const auto line = hurry ? read_in_time(time_is_up) : read_line();
    if (time_is_up) {
      const std::size_t index = state_.missing_answer();
      fmt::print("\n  time is up: {}\n", state_.option(index).words);
      apply(index, true);
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

// Race time in microseconds, by the wall clock.
std::int64_t Play::race_time() {
  const auto now = std::chrono::steady_clock::now();
  const std::int64_t at = state_.race().time;
  if (race_at_ < 0 || at < race_at_)
    race_began_ = now - std::chrono::microseconds(at);   // the race has just opened, or a choice was undone
  race_at_ = at;
  return std::chrono::duration_cast<std::chrono::microseconds>(now - race_began_).count();
}

void Play::run_clock(std::int64_t time) {
  journal_.choose(clock_choice(time));
  choices_.push_back(clock_choice(time));
  state_.run_clock(time, &log_);
}

std::vector<api::Option> Play::options_now() const {
  std::vector<api::Option> out;
  api::State copy = state_;
  if (copy.arrive(seat_)) return out;
  for (std::size_t i = 0; i < copy.legal_count(); ++i) out.push_back(copy.option(i));
  return out;
}

bool Play::race() {
  const std::int64_t now = race_time();
  const api::RaceClock clock = state_.race();
  if (clock.next_event <= now) {
    run_clock(clock.next_event);
    shown_ = shown_ && shown_entries() == log_.size();
    return true;
  }
  menu_.offer(options_now(), menu_is_of_race_ ? Menu::When::race : Menu::When::anew);
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
  const auto line =
      read_line_within(static_cast<int>(std::min<std::int64_t>(250, (clock.next_event - now) / 1000 + 1)), at_end);
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
          "  NUMBER   do it now (or type its text); an option keeps its number as long as the race runs\n"
          "  log, look, why NAME, card NAME, rules, goal, quit; undo is not available in a race\n");
    else if (word == "look" || line.empty())
      shown_ = false;
    else if (!show_information(word, trimmed(line.substr(std::min(line.size(), word.size())))))
      fmt::print("unknown option or command `{}`; `help` lists the commands\n", line);
    return true;
  }
  const auto chosen = std::find_if(menu_.options().begin(), menu_.options().end(),
                                   [&](const api::Option& o) { return o.id == *found.id; });
  for (const std::int64_t now = race_time(); state_.race().open && state_.race().time < now && !state_.is_over();) {
    if (state_.waits_for_clock())
      run_clock(now);
    else if (state_.actor() != seat_)
      step_bot();
    else
      break;
  }
  if (!state_.waits_for_clock()) return true;
  const api::State before = state_;
  if (const auto reason = state_.arrive(seat_)) {
    fmt::print("not possible now: {}\n", *reason);
    return true;
  }
  const auto ids = state_.legal();
  const auto at = std::find(ids.begin(), ids.end(), chosen->id);
  if (at == ids.end()) {
    state_ = before;
    fmt::print("too late: {}\n", chosen->words);
    return true;
  }
  journal_.choose(acts_choice(seat_));
  choices_.push_back(acts_choice(seat_));
  apply(static_cast<std::size_t>(at - ids.begin()), true);
  shown_ = false;
  return true;
}

void Play::show_end() {
  fmt::print("\n{}{}\n", coloured(Colour::bold, "The game is over."),
             state_.ending_for_people().empty() ? "" : " " + state_.ending_for_people() + ".");
  if (state_.failure()) {
    fmt::print("{}\n", coloured(Colour::red, "Error in a rule: " + state_.failure()->text()));
    for (const std::string& level : state_.failure()->stack) fmt::print("    in {}\n", level);
    return;
  }
  print_table(-1);
  std::string winners;
  bool won = false;
  for (const int seat : state_.winners()) {
    winners += (winners.empty() ? "" : ", ") + api::Game::seat_name(seat);
    won = won || (!several() && seat == seat_);
  }
  show_scores();
  fmt::print("\n{}{}\n", winners.empty() ? "Nobody wins." : fmt::format("Winners: {}.", winners),
             won ? coloured(Colour::green, " You win!") : "");
}

void Play::print_journal_path() {
  if (journal_.is_open()) fmt::print("Resume the game with: cardwright play --resume {}\n", journal_.path());
}

// Handles the next event: a timer, a bot's choice or a person's decision. Returns false to quit.
bool Play::turn() {
  if (state_.waits_for_clock()) return race();
  if (!is_person(state_.actor())) {
    step_bot();
    return true;
  }
  if (state_.legal_count() == 1 && !round_.open) return forced();
  if (!hand_over(state_.actor())) return false;
  if (several()) show_news();
  offer();
  show_table();
  show_question();
  return ask() != Answer::quit;
}

int Play::run() {
  std::string who;
  for (const int seat : seats_) who += (who.empty() ? "" : ", ") + api::Game::seat_name(seat);
  fmt::print("{}, {}; you are {}. `help` lists the commands.\n", coloured(Colour::bold, game_.title()),
             plural(static_cast<std::size_t>(game_.players()), "player"), who);
  while (!state_.is_over()) {
    if (interrupted()) {
      fmt::print("\n");
      print_journal_path();
      return kFine;
    }
    if (!several()) show_news();
    std::fflush(stdout);
    if (!state_.race().open) menu_is_of_race_ = false;
    const bool continues = !several() || (call_players_without_options() && update_round());
    if (!continues || !turn()) {
      print_journal_path();
      return kFine;
    }
  }
  if (several()) {
    if (!call_players_without_options() || !update_round()) return kFine;
    clear_screen();
    show_lines(log_.lines(-2, seat_ < 0 ? 0 : shown_entries()));
  } else {
    show_news();
  }
  show_end();
  return state_.failure() ? kAuthorErred : kFine;
}

// ---- setup

// Returns the name of a bundled game unchanged, and makes a path absolute, so that the journal can be resumed from any
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
  Play play(game, arguments, seats, seed);
  JournalHeader header{absolute_name(arguments.game),
                       game.players(),
                       arguments.configuration().options,
                       seats,
                       seed,
                       game.fingerprint(),
                       static_cast<int>(arguments.time_factor)};
  if (!arguments.journal.empty()) {
    play.keep(Journal::create(arguments.journal, header));
  } else {
    try {
      play.keep(Journal::create(Journal::standard_path(rules.name()), header));
    } catch (const api::Error& error) {
      fmt::print(stderr, "cardwright: {}; this game cannot be resumed\n", error.what());
    }
  }
  return play.run();
}

int play_on(PlayArguments& arguments) {
  const std::optional<JournalContents> saved = saved_game(arguments.resume);
  if (!saved && !arguments.journal.empty())
    throw api::Error(api::Blame::caller, "--journal cannot be combined with --resume, which continues its own file");
  auto [journal, contents] = saved ? std::pair(Journal(), *saved) : Journal::open(arguments.resume);
  JournalHeader& header = contents.header;
  // A game saved by a page does not contain the path of its rules.
  if (saved && !arguments.game.empty()) header.game = absolute_name(arguments.game);
  if (!arguments.game.empty() && absolute_name(arguments.game) != header.game)
    throw api::Error(api::Blame::caller,
                     fmt::format("{} is a game of `{}`, not of `{}`", arguments.resume, header.game, arguments.game));
  arguments.game = header.game;
  arguments.players = header.players;
  arguments.time_factor = static_cast<std::uint64_t>(header.time_factor);
  arguments.with.clear();
  for (const auto& [name, value] : header.options) arguments.with.push_back(value.empty() ? name : name + "=" + value);
  arguments.policies = {"bots"};
  const api::Game game = arguments.compile(arguments.load());
  if (game.fingerprint() != header.fingerprint)
    throw api::Error(
        api::Blame::caller,
        fmt::format("{} was recorded with different rules: `{}` has changed since, so its choices may no longer match",
                    arguments.resume, header.game));
  if (contents.torn) fmt::print("the last line of the journal was incomplete and has been dropped\n");
  Play play(game, arguments, header.seats, header.seed);
  play.replay(contents.choices);
  if (saved) {
    const bool somewhere = !arguments.journal.empty();
    journal = Journal::create(somewhere ? arguments.journal : Journal::standard_path(game.name()), header);
    for (const std::int64_t choice : contents.choices) journal.choose(choice);
  }
  play.keep(std::move(journal));
  return play.run();
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
             "iterations of a bot for each decision, for the same choices on every machine; 0: use --think")
      ->check(CLI::Range(std::uint64_t{0}, kMostIterations));
  command
      ->add_option("--journal", arguments->journal,
                   "save the game to this file (default: a file in ~/.local/state/cardwright)")
      ->type_name("FILE");
  command
      ->add_option("--resume", arguments->resume,
                   "continue the game in this journal, or in a file saved by an exported page")
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
