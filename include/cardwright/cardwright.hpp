// Defines the C++ interface of Cardwright: load rules, compile them for a table, play, inspect, copy and simulate
// games.
//
//   using namespace cardwright::api;
//   Ruleset rules = Ruleset::load("splash");
//   Game game = rules.compile({.players = 5});
//   State state = game.new_state(/*seed*/ 1, /*game index*/ 0);
//   while (!state.is_over()) state.apply(0);          // always the first option
//
// Seats are numbered from 0; rules and user-visible texts call them a, b, c … An option has a stable id in [0,
// Game::option_ids()), which is the same in every game with the same rules, players and options. `legal()` lists the
// ids in ascending order, and `apply(i)` takes the i-th of them.
//
// Errors: functions throw `Error`; `blame()` identifies who has to fix the error. An invalid seat, index or time is
// always the caller's error. A runtime error in the rules does not throw: it ends that game, and `State::failure()`
// returns the reason.
//
// Threads: Ruleset and Game are immutable and can be shared between threads. A State must be used by one thread at a
// time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cardwright/figures.hpp"
#include "cardwright/measures.hpp"
#include "cardwright/policies.hpp"

namespace cardwright::api {

// ------------------------------------------------------------------ errors

// Diagnostics for a ruleset, as text and as JSON.
struct Report {
  std::string text;   // "splash.rules:14:9: error[E0312]: …" with the source line; ends in a newline; can be empty
  std::string json = "[]";   // array of {code, severity, file, line, column, end_line, end_column, message, …}
  std::size_t errors = 0;
  std::size_t warnings = 0;
  // The following members are set by Ruleset::check only.
  bool unplayable = false;   // true if, at one of the tables, a runtime error ended every random game
  std::size_t tables = 0;   // number of tables (players and options) at which random games were played
  // Tables at which some random games were not played, in order to save time: "--with night: 3 of 20 games".
  std::vector<std::string> not_played;
  // Rules of the file itself that had no effect in the random games: "rules.rules:12: forbid take when me.tired".
  std::vector<std::string> without_effect;
};

enum class Blame : std::uint8_t {
  caller,   // invalid argument: unknown game, too many players, unknown option
  author,   // error in the rules; `report()` shows its place
  internal,   // Cardwright failed: cannot write a file, no JIT, internal error
};

// An error with a one-line message. what() is valid UTF-8 even if the names of files and games in the message are not.
class Error : public std::runtime_error {
 public:
  Error(Blame blame, const std::string& message, Report report = {});
  Blame blame() const { return blame_; }
  const Report& report() const { return report_; }

 private:
  Blame blame_;
  Report report_;
};

// Throws Error. Builds without exceptions, such as WebAssembly (tools/web/wasm), print the message and end the program
// instead.
[[noreturn]] void raise(Blame blame, const std::string& message, Report report = {});

// ------------------------------------------------------------------ rulesets

// `jit` compiles everything before the first game; `automatic` interprets while it compiles in the background, and
// switches to compiled code when that is ready.
enum class EngineKind : std::uint8_t { interpreter, jit, automatic };
std::string_view name_of(EngineKind kind);   // "interp", "jit", "auto"
// Returns true if the JIT can be loaded in this build; otherwise stores the reason in `why`.
bool jit_is_available(std::string* why = nullptr);

struct OptionValue {
  std::string name;   // as written in the rules: "icon20", "on", "5"
  std::string label;   // user-visible text; equals `name` if the rules declare none
};
struct RulesetOption {
  std::string name;
  std::string label;
  std::string standard;   // default value
  std::vector<OptionValue> values;   // empty for a number
  std::int64_t least = 0, most = 0;   // range of a number
};

struct RulesetMeasure {
  std::string name, label;   // the label can be empty
  bool own = true;   // false if it is declared by a library that comes with Cardwright
};

// Number of players and options to compile for. Options that are not listed have their default value.
struct Configuration {
  int players = 0;   // 0: the ruleset's usual number
  std::vector<std::pair<std::string, std::string>> options;   // an empty value means "on"
  // Disables optimizations: conditions are evaluated on demand, element by element, and nothing is folded. Games are
  // identical but slower; any difference is a compiler bug.
  bool plain = false;
  // Measurements to record: names of measures, `own` (measures of the game's files and of a measures file), `all` (also
  // those of libraries), kTurnOrder and kFigures. They do not change the games. Measures that are not listed cost
  // nothing.
  std::vector<std::string> measures;
  // Names of the rules' policies to compile in; `policies_named` derives them from command arguments. Add `sensible` if
  // only some seats play sensibly, and `bots` to use the rules' policy for bots, if they declare one. If the list is
  // empty, the Program is the same as without any policies in the rules.
  std::vector<std::string> policies = {};
};

class Game;

namespace detail {
struct RulesetData;
struct GameData;
struct StateData;
struct LogData;
}   // namespace detail

// A parsed rules file with all files that it uses.
class Ruleset {
 public:
  // Loads a ruleset. `what` is a path to a .rules file or the name of a bundled game. `measures` is the path of a
  // library that only declares measures, or empty. Throws Error: caller (unknown file or game), author (syntax errors).
  static Ruleset load(const std::string& what, const std::string& measures = {});

  const std::string& name() const;   // "splash"
  const std::string& title() const;   // "Splash"
  const std::string& path() const;
  const std::string& shown_as() const;   // the path; for a bundled game "rulesets/splash/splash.rules"
  // Returns the game that this one extends, if any. Throws Error like load().
  std::optional<Ruleset> base() const;
  // Returns a one-sentence description: the first sentence of the file's header comment. Can be empty.
  std::string about() const;
  // Returns the sorted paths of all files read so far: rules, libraries and base games; after compiling, also card
  // tables (CSV).
  std::vector<std::string> files() const;
  int least_players() const;
  int most_players() const;
  int usual_players() const;
  const std::vector<RulesetOption>& options() const;
  const std::vector<RulesetMeasure>& measures() const;   // the same for all option values

  // Checks the rules and compiles them for one table. While a Game exists, compiling for the same table returns that
  // Game. Throws Error: caller (players, options), author (errors in the rules), internal (no JIT in this build).
  Game compile(const Configuration& configuration = {}, EngineKind engine = EngineKind::interpreter) const;
  // Returns all diagnostics, for every number of players or for one configuration.
  Report check() const;
  Report check(const Configuration& configuration) const;

  const std::shared_ptr<const detail::RulesetData>& data() const { return data_; }
  explicit Ruleset(std::shared_ptr<const detail::RulesetData> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const detail::RulesetData> data_;
};

// ------------------------------------------------------------------ a game in progress

// A runtime error in the rules. It is the same on every engine.
struct Failure {
  std::string trap;   // kind of error: "value out of range"
  // "`chips` of b would be 23, but is declared as 0..20 (splash.rules:4)"; can be empty. If this object summarizes the
  // failures of several games, these are the details of the first game.
  std::string details;
  std::string place;   // "splash.rules:14"
  std::string rule;   // "event lose"
  std::vector<std::string> stack;   // innermost first: "event lose at splash.rules:131"
  std::string kind() const;   // one line: kind and place
  std::string text() const;   // kind, place and details; the details can reveal secret values
};

struct Argument {
  std::string name;   // parameter name, as written in the rules
  std::string value;   // user-visible text: "b", "Hat (Ducky)", "3"
};
struct Option {
  std::int64_t id = 0;
  std::string action;   // "play Splash", "pass", "choose card"
  std::vector<Argument> arguments;
  std::string words;   // "play Splash on b"
};

// The question of the pending decision.
struct Question {
  int player = -1;
  std::string window;   // "incoming", "main", or "" for a choice without a name
  std::string prompt;   // "Keep one per towel", or ""
  std::string place;   // place of the question in the rules: "splash.rules:96"
  bool flow = false;   // true if the question comes from a phase and no effect is being resolved
  // True if the options depend on hidden information, so that even the question reveals some of it.
  bool hidden_basis = false;
  std::int64_t picked = 0;   // number of elements picked so far
  std::int64_t wanted = -1;   // number of elements to pick; -1: the player decides
  std::string picks;   // the elements picked so far: "nine of clubs, jack of clubs"
  std::int64_t within = -1;   // time limit of a simultaneous decision, in microseconds; -1: no limit
};

// Names of zones and variables that a text screen omits, for example because the theme hides them.
struct Omitted {
  std::vector<std::string> zones, variables;
};

// One part of the table as shown on a text screen.
struct TablePart {
  // A symbol on a board that belongs to a player.
  struct Ink {
    std::size_t row = 0, column = 0, length = 0;   // the line, and the columns in it
    int seat = 0;
  };
  bool drawn = false;   // true: the lines are rows of a board, which must not be wrapped; false: prose
  std::vector<std::string> lines;
  std::vector<std::string> legend;   // for a board: the meaning of its symbols, one per line
  std::vector<Ink> inks = {};   // for a board: the symbols of players
  // Returns the lines, followed by the legend: to the right of the last row if there is room, otherwise below it.
  std::vector<std::string> lines_with_legend() const;
};

// The events of a game. The host stores the log together with the State; each player reads the entries that they may
// know.
class Log {
 public:
  explicit Log(const Game& game);
  ~Log();
  Log(Log&&) noexcept;
  Log& operator=(Log&&) noexcept;
  // Returns the number of entries so far. An entry has no line for players who may not read it.
  std::size_t size() const;
  // Returns the lines from entry `from` (at most size()) that this player may read. Player -1 reads everything; player
  // -2 reads the lines that all players may read. A line that begins with "— " is a heading: "— round 2", "— turn 5:
  // b". If `places` is false, the lines omit the positions of pieces and cards on a board, because the board shows
  // them. Changes of omitted variables have no line.
  std::vector<std::string> lines(int player, std::size_t from = 0, bool places = true,
                                 const Omitted& omitted = {}) const;
  // Returns, in order, the players who had a decision without options since entry `from`. Includes only players whose
  // lack of options is hidden from the others.
  std::vector<int> without_options(std::size_t from) const;
  // Removes the entries from `size` (at most size()); used for undo.
  void cut(std::size_t size);
  detail::LogData& data() const { return *data_; }

 private:
  std::unique_ptr<detail::LogData> data_;
};

// The clock of the open race, in microseconds since the race opened.
struct RaceClock {
  bool open = false;
  std::int64_t time = 0;
  std::int64_t next_event = 0;   // time at which the next event occurs if the host runs the clock that far
  std::int64_t paused_until = -1;   // -1: not paused
};

// One game at any point between its start and its end. It is a value type, copied with one memcpy.
class State {
 public:
  State(const State& other);
  State& operator=(const State& other);
  State(State&&) noexcept;
  State& operator=(State&&) noexcept;
  ~State();

  bool is_over() const;
  // Returns the runtime error in the rules that ended the game, if any.
  const std::optional<Failure>& failure() const;
  // Returns the reason why the game ended: the user-visible text in the rules; without such a text, the condition of
  // the `end when` that ended the game, or `winners S` if a rule declared the winners. Empty before the end and after a
  // runtime error.
  std::string ending() const;
  // Returns the same text as ending(), or an empty string if the rules have no user-visible text for this ending.
  std::string ending_for_people() const;
  // Returns the deciding player: -1 when the game is over, -2 while a race waits for its clock. In these two cases no
  // decision is pending, and the functions that describe the pending decision throw Error(caller).
  int actor() const;
  // Returns the question that the deciding player answers.
  Question question() const;
  // Returns the number of options; 0 if no decision is pending.
  std::size_t legal_count() const;
  // Returns the ids of the options in ascending order. The span is valid until the state changes.
  std::span<const std::int64_t> legal() const;
  // Returns the i-th option with its name, arguments and user-visible text.
  Option option(std::size_t index) const;

  // Takes an option and runs to the next decision or to the end. Throws Error(caller) if the option does not exist or
  // the log belongs to another game.
  void apply(std::size_t index, Log* log = nullptr);
  void apply_id(std::int64_t id, Log* log = nullptr);
  // Returns the mask of the players who have not answered a simultaneous decision yet; 0 for other decisions. Only the
  // host may use the mask, because players must not learn it.
  std::uint64_t still_to_answer() const;
  // Makes this player the next to answer a simultaneous decision; the order has no effect on the game. Returns false if
  // the player has nothing to answer.
  bool ask_first(int player);
  // Returns the option that is taken for a player who has not answered within Question::within; random if the rules
  // declare `otherwise random`.
  std::size_t missing_answer();

  // Races in which people play (`live` of Game::new_state). While such a race waits, no decision is pending: the host
  // runs the clock and reports each player who acts.
  bool waits_for_clock() const;   // actor() is -2
  RaceClock race() const;
  std::uint64_t live() const;   // mask of the seats held by people
  // Sets the mask that live() returns; applies to later races. Throws Error(caller) while a race is open.
  void set_live(std::uint64_t live);
  // Describes the open race at `time`, assuming that nothing happens until then: "continues in 1.8 s", "a busy 0.4 s",
  // effects of timers, and the window's variables. All of it is public. Empty if no race is open.
  std::vector<std::string> running_in_words(std::int64_t time) const;
  // Processes all events that are due at or before `time`, but stops at a bot's decision. Afterwards the clock is at
  // most at `time`; it never runs backwards.
  void run_clock(std::int64_t time, Log* log = nullptr);
  // Reports that a person acts now. If that is possible, the person's options become pending. Otherwise the state does
  // not change, and the reason is returned.
  std::optional<std::string> arrive(int player);

  // Returns the index of a uniformly random option, drawn from the deciding player's random stream. Applying this
  // option at every decision plays the same game as playout().
  std::size_t random_index();

  // Returns each player's result when the game is over: `value payoff`, otherwise 1 for winners and 0 for the others.
  // All results are 0 before the end and after a runtime error.
  std::vector<std::int64_t> returns() const;
  std::vector<int> winners() const;
  std::uint64_t winners_mask() const;
  // Returns the number of decisions so far, including those with a single option.
  std::int64_t decisions() const;
  // Returns the number of turns so far; -1 if the rules have no turns.
  std::int64_t turns() const;
  bool is_in(int player) const;
  // Returns the ways to complete the sentence "the game ends when": the user-visible texts in the rules, preceded by
  // this player's role if a text refers to it. Empty if the rules have none.
  std::vector<std::string> goals(int player) const;
  // Returns the value of a player's enum or character variable that statistics report, for example ("role", 0) ->
  // "BirthdayKid"; empty if the variable is unset or unknown.
  std::string trait(std::string_view variable, int player) const;

  // Returns everything that this player may know, as JSON; for player -1, everything.
  std::string view(int player) const;
  // Returns the full state as JSON: every zone with its cards, every variable, the remaining players, and the printed
  // values of each card. `simulate --trace` writes the same object, except that it writes the printed values only once.
  std::string everything() const;
  // Returns the table as lines of text, limited to what this player may know.
  std::vector<std::string> table_in_words(int player) const;
  // Returns the lines of table_in_words() in parts: the common zones, each board, and finally the player's own zones.
  std::vector<TablePart> table_in_parts(int player, const Omitted& omitted = {}) const;
  // Returns a sampled world: a state that this player cannot distinguish from the true one, with new random streams.
  // The view, the turn, the remaining players, the pending decision, the player's own options and everything they have
  // seen are the same. Other players repeat simultaneous answers and actions begun in a race, and no seat is live.
  // Player -1 knows everything, so only the random streams are new. Throws Error(internal) if no such state is found,
  // which has not happened with any bundled game.
  State resample(int player, std::uint64_t seed) const;
  // Stops tracking each player's knowledge, for searches that continue in a sampled world. Decisions, options,
  // randomness and results stay the same, and a decision takes a fraction of the time. From then on, logs, resample(),
  // save() and view() of any player except -1 throw Error(caller) for this State and its copies. This cannot be undone.
  void drop_knowledge();
  bool keeps_knowledge() const;
  // Returns a counter of random events: two values are equal if nothing was drawn, shuffled or rolled in between. It
  // does not depend on the outcome of these events.
  std::uint64_t chance() const;
  // Replaces the random streams of the game's chance and policies; the table does not change.
  void reseed(std::uint64_t seed);

  // Returns the hash of the rules state: equal for equal positions, on every engine and machine.
  std::uint64_t hash() const;
  // Returns the hash of all bytes of the State, including the players' knowledge and suspended rules.
  std::uint64_t whole_hash() const;
  // Returns the bytes from which Game::restore() restores the State. Throws Error(caller) if a runtime error ended the
  // game.
  std::string save() const;

  // Plays to the end with uniformly random options.
  void playout();

  // Explains why this player cannot use a card ("Splash", or the user-visible text of a card in hand) or an action.
  // Returns one answer for each action to which the name can refer, with the condition that fails and its place. Empty
  // if the name is unknown.
  std::vector<std::string> why(int player, std::string_view what) const;

  std::span<const std::uint8_t> bytes() const;
  detail::StateData& data() const { return *data_; }
  explicit State(std::unique_ptr<detail::StateData> data);

 private:
  std::unique_ptr<detail::StateData> data_;
};

// ------------------------------------------------------------------ a compiled game

class Game {
 public:
  const std::string& name() const;
  const std::string& title() const;
  int players() const;
  EngineKind engine() const;
  // Returns all options of the ruleset, with the values for which the game was compiled.
  const std::vector<std::pair<std::string, std::string>>& options() const;
  // Returns the diagnostics that depend on these options: options without effect, and warnings declared in the rules.
  const Report& report() const;
  // Returns the size of the action space.
  std::int64_t option_ids() const;
  // Returns the option with this id, independent of any state: name and arguments as declared.
  Option option(std::int64_t id) const;
  // Returns the size of a State in bytes.
  std::size_t state_size() const;
  // Returns a hash that identifies rules, players, options and version. It is stored in saves and journals.
  std::uint64_t fingerprint() const;
  // Returns the names of the player variables that statistics report: "role", "attendee".
  std::vector<std::string> traits() const;
  // Returns the printed values of the cards or the character with this name, one line per variant. If the copies of a
  // card have more than three variants, one line summarizes them. Empty if the name is unknown.
  std::vector<std::string> printed_on(std::string_view name) const;
  // Returns a seat as a letter: 0 -> "a"; -1 (no seat) is "-".
  static std::string seat_name(int seat);
  // Returns the user-visible part of the rules: printed values of cards and characters, the actions and their
  // conditions, and how the game ends. A line that ends in a colon is a heading.
  std::vector<std::string> rules_in_words() const;
  // Returns the names and labels of the policies with which the game was compiled.
  std::vector<std::pair<std::string, std::string>> policies() const;
  // Returns true if `value payoff` declares the results. Otherwise winners get 1.
  bool has_payoff() const;

  // Returns the compiled game as bytes. They do not contain the source text of the rules, but names, printed values,
  // texts of conditions, and line numbers. Only the same build can read them. In the restored game, `why` and
  // `rules_in_words` are limited to this data.
  std::string bytes() const;
  // Restores a game from such bytes, for the interpreter. Throws Error(caller) if they are damaged or come from another
  // build.
  static Game from_bytes(std::string_view bytes);

  // Starts game `index` of the run `seed` and runs its setup until the first decision. `live` is the mask of the seats
  // held by people. In races, people act at any time instead of at the times that the rules define for simulated
  // people. `time_factor` multiplies all times in races; it is between 1 and 1000.
  State new_state(std::uint64_t seed, std::uint64_t index = 0, Log* log = nullptr, std::uint64_t live = 0,
                  int time_factor = 1) const;
  // Returns true if the rules have real-time windows.
  bool races() const;
  // Restores a state from the output of save(). Throws Error(caller) if the bytes are damaged or belong to another
  // game.
  State restore(std::string_view bytes) const;

  const std::shared_ptr<const detail::GameData>& data() const { return data_; }
  explicit Game(std::shared_ptr<const detail::GameData> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const detail::GameData> data_;
};

// ------------------------------------------------------------------ many games

// Intervals are 95 % confidence intervals for a fixed number of games. The unit is the game, so they account for the
// dependence between players of one game.
struct Share {   // the share of wins among players with the same trait
  std::string name;   // "BirthdayKid", "a"
  std::uint64_t games = 0;   // number of players with the trait, summed over games
  std::uint64_t wins = 0;
  std::uint64_t tables = 0;   // number of games with at least one such player
  // Mean and standard deviation over these games. In each game, the value is the share of the players with the trait
  // who won.
  double mean = 0, deviation = 0;
  double rate() const { return mean; }
  // Returns Wilson's interval with an effective number of games instead of the actual one: the number of games, each
  // won by all of these players or by none, that would give the same variance.
  std::pair<double, double> interval() const;
};
struct ShareGroup {
  // "role", "attendee", "seat"; "speed" if speeds were set, "policy" if seats have different policies.
  std::string name;
  std::vector<Share> shares;   // one per trait that occurred
};

struct Spread {   // distribution of a count per game
  std::int64_t least = 0, most = 0, median = 0;
  double mean = 0, deviation = 0;
  std::uint64_t games = 0;
  // Returns the 95 % interval of the mean, by the normal approximation; from -infinity to infinity for fewer than two
  // games.
  std::pair<double, double> interval() const;
  // Histogram {from, to, games}, ascending; one bin per value up to 65,535, and bins of 1,024 beyond.
  struct Bin {
    std::int64_t from = 0, to = 0;
    std::uint64_t games = 0;
    bool operator==(const Bin&) const = default;
  };
  std::vector<Bin> bins;
};

// Scores of some players: mean over games of the players' mean score, and its standard error.
struct ScoreMean {
  std::string name;   // "a", "bots:200", "all players"
  double mean = 0, error = 0;
  double deviation = 0;   // standard deviation of a single player's score
  std::int64_t least = 0, most = 0;
  std::uint64_t games = 0;
  // Returns the 95 % interval of the mean, by the normal approximation; from -infinity to infinity for fewer than two
  // games.
  std::pair<double, double> interval() const;
};
// The scores at the end of games that no runtime error ended: `value payoff`, or the value X of an ending such as
// `winners players with most X`. Long runs without bots count only some of the games.
struct ScoreStatistics {
  std::string name;   // "payoff", "score"
  bool least_wins = false;
  ScoreMean all;
  std::vector<ScoreMean> seats;
  std::vector<ScoreMean> policies;   // by policy, if seats have different ones
};

struct FailureCount {
  Failure failure;
  std::uint64_t count = 0;
  std::uint64_t first_game = 0;   // lowest game index; `--first-game` reproduces it
};

// Results of races: their duration, and the outcome of the actions begun in them.
struct RaceCount {
  std::string action;   // "play", "reload"
  // Per seat: number of actions that took effect, and number of actions that were too late.
  std::vector<std::uint64_t> landed, late;
};
struct RaceStatistics {
  std::uint64_t races = 0;
  Spread per_race, per_game;   // milliseconds; in games with more than 16 races, per_race uses the last 16
  std::uint64_t timed_out = 0;   // number of races ended only by the last `after D` of their window
  std::string guard;   // place of the `after D` that ended the most races: "race.rules:38"
  std::vector<RaceCount> actions;
};

// Number of games that ended for the same reason, as worded by the rules (State::ending).
struct EndingCount {
  // "birthday_kid is out", "splash.rules:89"; the place is empty if no rule ended the game.
  std::string text, place;
  std::uint64_t games = 0;
  std::uint64_t of = 0;   // number of games that no runtime error ended
  std::pair<double, double> interval() const;   // 95 % interval of games / of
};

struct Statistics {
  std::uint64_t seed = 0, first_game = 0;
  int threads = 1;
  std::uint64_t games = 0;   // games played, including failed ones
  std::uint64_t decisions = 0;
  // Number of decisions per game with more than one option, extrapolated from the first `asked_sample` games. 0 if no
  // games were examined.
  double asked_per_game = 0;
  std::uint64_t asked_sample = 0;
  double seconds = 0;   // playing time
  double compile_seconds = 0;   // time spent waiting for the compiler
  std::uint64_t compiled_games = 0;   // games played entirely by compiled code
  bool stopped = false;   // stopped by the caller before all games were played
  Spread turns, lengths;   // per game; lengths in decisions
  bool has_turns = false;
  std::uint64_t without_winner = 0;
  std::vector<EndingCount> endings;   // most frequent first; failed games are not counted
  std::vector<ShareGroup> groups;
  std::optional<ScoreStatistics> scores;   // set if the rules have scores
  std::vector<MeasureTable> measures;   // requested by Configuration::measures
  std::optional<StandardFigures> figures;   // requested by Configuration::measures
  std::optional<TensionFigures> tension;   // set if SimulateSettings::figures contains "tension"
  std::optional<RaceStatistics> race;   // set for games with real-time windows
  std::vector<FailureCount> failures;
  std::uint64_t failed = 0;   // games that a runtime error ended
  // Sum modulo 2^64 of hash(game index, rules state, winners). Two runs with equal digests played the same games.
  std::uint64_t digest = 0;
};

struct SimulateSettings {
  std::uint64_t games = 100'000;
  std::uint64_t seed = 1;
  std::uint64_t first_game = 0;
  int threads = 0;   // 0: one per core; at most 1,024
  // Policy per seat. A single policy applies to every seat. Seats without a policy choose uniformly. If seats differ or
  // bots play, games are simulated decision by decision, which is slower; if all seats are uniform or all sensible, the
  // faster playout form is used.
  std::vector<PlayerPolicy> policies;
  // Speed per seat in races, from 0.01 to 100: 2 is twice as fast as the rules declare for people. Default: 1.
  std::vector<double> speeds;
  int time_factor = 1;   // multiplies all times in races: 1 to 1000
  // If not 0, players choose differently with the same deals and dice: random choices of players and seeds of bots
  // depend on this value.
  std::uint64_t policy_seed = 0;
  // Standard figures to report: "actions", "cards", "pace", "fairness" and "tension". The first three must also be
  // requested by kFigures in the Configuration. "fairness" reports wins by turn order. "tension" analyzes the first 300
  // games of the run, or all games if there are fewer; it requires uniform play at the rules' own speed.
  std::vector<std::string> figures;
  // Called during the tension analysis with the number of games done and the total.
  std::function<void(std::uint64_t done, std::uint64_t all)> on_tension_progress;
  // Called about ten times a second from one of the threads, with the number of games done.
  std::function<void(std::uint64_t done)> progress;
  // Set this flag to stop early; the results then cover the games played so far.
  const std::atomic<bool>* stop = nullptr;
};
// Plays the games and returns their statistics. Memory use does not depend on the number of games. Throws Error(caller)
// for bots with a time limit, because their games cannot be reproduced.
Statistics simulate(const Game& game, const SimulateSettings& settings = {});

// Plays the same games as simulate() and writes them as JSON lines: per decision {"game", "decision", "player",
// "window", "prompt", "options": [{"id", "words"}], "choice", "state"}, and per game a last line {"game", "over",
// "winners", "ending" (State::ending), "state"}. Throws Error(caller) if the file cannot be created, Error(internal) if
// writing fails.
Statistics trace(const Game& game, const SimulateSettings& settings, const std::string& path);

// Plays uniformly random games; the figures do not depend on the number of threads. Throws Error(caller) for fewer than
// 1 moment or 2 playouts.
TensionFigures tension(const Game& game, const TensionSettings& settings = {});

}   // namespace cardwright::api
